//! Boxes over the page: popovers that are open as long as they are mounted.

use leptos::html::Div;
use leptos::prelude::*;

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
