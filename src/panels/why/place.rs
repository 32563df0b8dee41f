//! The position of the popover: next to its anchor, and never over it.

use crate::session::Anchor;

/// The distance from the anchor and from the edges of the window, in pixels.
const GAP: f64 = 8.0;

/// Returns the left and upper edges of a box of a size in a window of a size: above the anchor if
/// that is in the lower half, otherwise to its right or left, otherwise below it.
pub fn place(anchor: Anchor, size: (f64, f64), window: (f64, f64)) -> (f64, f64) {
    let (width, height) = size;
    let within = |at: f64, length: f64, all: f64| at.min(all - length - GAP).max(GAP);
    let level = within(anchor.top, height, window.1);
    let aligned = within(anchor.left, width, window.0);
    let above = anchor.top - GAP - height;
    if anchor.top > window.1 / 2.0 && above >= GAP {
        (aligned, above)
    } else if anchor.right + 2.0 * GAP + width <= window.0 {
        (anchor.right + GAP, level)
    } else if anchor.left - 2.0 * GAP - width >= 0.0 {
        (anchor.left - GAP - width, level)
    } else {
        (aligned, within(anchor.bottom + GAP, height, window.1))
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
        place(anchor, (300.0, 400.0), (1440.0, 900.0))
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
}
