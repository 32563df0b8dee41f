//! Boxes over the page: dialogs and popovers that are open as long as they are mounted.

use leptos::html::{Dialog, Div};
use leptos::prelude::*;
use web_sys::{HtmlDialogElement, HtmlElement};

/// Returns the reference for a `<dialog>` that keeps the focus inside until it is closed.
pub fn modal_dialog() -> NodeRef<Dialog> {
    // A dialog that is already open stays open.
    dialog(|dialog| drop(dialog.show_modal()))
}

/// Returns the reference for a `<dialog>` beside which work goes on.
pub fn modeless_dialog() -> NodeRef<Dialog> {
    dialog(HtmlDialogElement::show)
}

/// An open dialog takes the focus, and returns it when it closes; a dialog that is only removed
/// would lose it.
fn dialog(show: fn(&HtmlDialogElement)) -> NodeRef<Dialog> {
    let element = NodeRef::<Dialog>::new();
    Effect::new(move || {
        if let Some(dialog) = element.get() {
            show(&dialog);
        }
    });
    on_cleanup(move || {
        if let Some(dialog) = element.try_get_untracked().flatten() {
            dialog.close();
        }
    });
    element
}

/// Returns the reference for an element with `popover="manual"`: it is above everything else, and
/// nothing but its owner closes it.
pub fn popover() -> NodeRef<Div> {
    let element = NodeRef::<Div>::new();
    Effect::new(move || {
        if let Some(popover) = element.get() {
            // A popover that is already open stays open.
            let _ = popover.show_popover();
        }
    });
    element
}

/// The minimum distance, in pixels, of a box from the window's edge.
pub const EDGE: f64 = 8.0;

/// Moves the corner of a box to a point of the window, or as near to it as the window holds the
/// whole box.
pub fn keep_in_window(element: &HtmlElement, x: f64, y: f64) {
    let root = document().document_element();
    let Some(root) = root else { return };
    let (width, height) = (root.client_width(), root.client_height());
    let rect = element.get_bounding_client_rect();
    let style = element.style();
    for (side, at, length, space) in [
        ("left", x, rect.width(), width),
        ("top", y, rect.height(), height),
    ] {
        let place = within(at, length, f64::from(space));
        let _ = style.set_property(side, &format!("{place:.0}px"));
    }
}

/// Returns the start of a span of this length that is nearest to `at` within a space, such as the
/// width of the window.
pub fn within(at: f64, length: f64, space: f64) -> f64 {
    at.min(space - length - EDGE).max(EDGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_stay_within_the_window() {
        assert_eq!(within(100.0, 200.0, 800.0), 100.0);
        assert_eq!(within(700.0, 200.0, 800.0), 592.0);
        assert_eq!(within(-20.0, 200.0, 800.0), 8.0);
        assert_eq!(
            within(50.0, 900.0, 800.0),
            8.0,
            "a longer one starts at the edge"
        );
    }
}
