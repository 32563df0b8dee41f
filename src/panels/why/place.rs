//! The position of the popover: next to its anchor, and never over it.

use crate::session::Anchor;
use crate::ui::floating::within;

/// The distance from the anchor in pixels.
const GAP: f64 = 8.0;

/// The distance of the arrow from the corners of the popover.
const CORNER: f64 = 20.0;

/// The position of the popover.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Position {
    /// The left edge.
    pub left: f64,
    /// The upper edge.
    pub top: f64,
    /// The side that faces the anchor.
    pub side: &'static str,
    /// The distance of the arrow, which points to the anchor, from the start of that side.
    pub arrow: f64,
}

/// Returns the position of a box of a size in a window of a size: above the anchor if that is in the
/// lower half, otherwise to its right or left, otherwise below it.
pub fn place(anchor: Anchor, size: (f64, f64), window: (f64, f64)) -> Position {
    let (width, height) = size;
    let level = within(anchor.top, height, window.1);
    let aligned = within(anchor.left, width, window.0);
    let above = anchor.top - GAP - height;
    let (left, top, side) = if anchor.top > window.1 / 2.0 && above >= GAP {
        (aligned, above, "bottom")
    } else if anchor.right + 2.0 * GAP + width <= window.0 {
        (anchor.right + GAP, level, "left")
    } else if anchor.left - 2.0 * GAP - width >= 0.0 {
        (anchor.left - GAP - width, level, "right")
    } else {
        (
            aligned,
            within(anchor.bottom + GAP, height, window.1),
            "top",
        )
    };
    let (middle, length) = match side {
        "left" | "right" => ((anchor.top + anchor.bottom) / 2.0 - top, height),
        _ => ((anchor.left + anchor.right) / 2.0 - left, width),
    };
    Position {
        left,
        top,
        side,
        arrow: middle.clamp(CORNER, (length - CORNER).max(CORNER)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(left: f64, top: f64, right: f64, bottom: f64) -> (f64, f64) {
        let anchor = Anchor {
            left,
            top,
            right,
            bottom,
        };
        let position = place(anchor, (300.0, 400.0), (1440.0, 900.0));
        (position.left, position.top)
    }

    #[test]
    fn popover_never_covers_its_anchor() {
        assert_eq!(at(500.0, 700.0, 600.0, 724.0), (500.0, 292.0), "above");
        assert_eq!(
            at(500.0, 200.0, 542.0, 242.0),
            (550.0, 200.0),
            "to the right"
        );
        assert_eq!(
            at(1300.0, 200.0, 1342.0, 242.0),
            (992.0, 200.0),
            "to the left"
        );
        assert_eq!(at(20.0, 10.0, 1400.0, 30.0), (20.0, 38.0), "below");
        assert_eq!(
            at(1400.0, 800.0, 1430.0, 824.0),
            (1132.0, 392.0),
            "within the window"
        );
    }

    #[test]
    fn arrow_points_to_the_middle_of_the_anchor() {
        let anchor = Anchor {
            left: 500.0,
            top: 700.0,
            right: 600.0,
            bottom: 724.0,
        };
        let position = place(anchor, (300.0, 400.0), (1440.0, 900.0));
        assert_eq!((position.side, position.arrow), ("bottom", 50.0));
        let anchor = Anchor {
            right: 510.0,
            ..anchor
        };
        let position = place(anchor, (300.0, 400.0), (1440.0, 900.0));
        assert_eq!(position.arrow, CORNER, "the corners are round");
    }
}
