//! Boxes over the page: dialogs and popovers that are open as long as they are mounted.

use leptos::html::{Dialog, Div};
use leptos::prelude::*;
use web_sys::HtmlDialogElement;

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
