//! The place of a tooltip: below its element, above it or at its side, always within the window.

use crate::ui::anchor::Bounds;
use crate::ui::floating::{EDGE, within};

/// The distance of a tooltip from its element in pixels.
const GAP: f64 = 6.0;
/// Elements that are wider than this, in pixels, have their tooltip at the pointer.
const WIDE: f64 = 160.0;

/// The side of the element on which a tooltip is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Below; above, if there is no room.
    Below,
    /// On the left, for buttons below each other.
    Left,
    /// On the right, for buttons below each other.
    Right,
}

/// Returns the left upper corner of a tooltip of this size.
pub fn place(
    around: Bounds,
    side: Side,
    pointer: Option<f64>,
    size: (f64, f64),
    window: (f64, f64),
) -> (f64, f64) {
    let (width, height) = size;
    let middle = around.top + (around.height - height) / 2.0;
    let (x, y) = match side {
        Side::Right => (around.left + around.width + GAP, middle),
        Side::Left => (around.left - width - GAP, middle),
        Side::Below => {
            let below = around.top + around.height + GAP;
            let above = around.top - height - GAP;
            let fits = below + height + EDGE <= window.1;
            let y = if fits || above < EDGE { below } else { above };
            (centre(around, pointer) - width / 2.0, y)
        }
    };
    (within(x, width, window.0), within(y, height, window.1))
}

fn centre(around: Bounds, pointer: Option<f64>) -> f64 {
    let end = around.left + around.width;
    match pointer {
        _ if around.width <= WIDE => around.left + around.width / 2.0,
        Some(x) => x.clamp(around.left, end),
        None => around.left + WIDE / 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: (f64, f64) = (800.0, 600.0);

    fn at(left: f64, top: f64, width: f64) -> Bounds {
        Bounds {
            left,
            top,
            width,
            height: 28.0,
        }
    }

    #[track_caller]
    fn check(around: Bounds, side: Side, pointer: Option<f64>, expected: (f64, f64)) {
        let found = place(around, side, pointer, (100.0, 24.0), WINDOW);
        assert_eq!(found, expected);
    }

    #[test]
    fn a_tooltip_is_centred_below_its_element() {
        check(at(400.0, 100.0, 28.0), Side::Below, None, (364.0, 134.0));
    }

    #[test]
    fn it_is_above_at_the_bottom_and_never_cut_at_the_sides() {
        check(at(0.0, 100.0, 28.0), Side::Below, None, (8.0, 134.0));
        check(at(772.0, 100.0, 28.0), Side::Below, None, (692.0, 134.0));
        check(at(400.0, 560.0, 28.0), Side::Below, None, (364.0, 530.0));
    }

    #[test]
    fn on_a_wide_element_it_is_at_the_pointer() {
        check(
            at(100.0, 100.0, 600.0),
            Side::Below,
            Some(500.0),
            (450.0, 134.0),
        );
        check(at(100.0, 100.0, 600.0), Side::Below, None, (130.0, 134.0));
    }

    #[test]
    fn on_a_rail_it_is_next_to_its_button() {
        check(at(8.0, 100.0, 32.0), Side::Right, None, (46.0, 102.0));
        check(at(760.0, 100.0, 32.0), Side::Left, None, (654.0, 102.0));
    }
}
