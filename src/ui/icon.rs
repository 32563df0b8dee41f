//! Icons: lines in the colour of the text around them, in the style of icon.css.

mod lucide;

use leptos::prelude::*;

pub use lucide::Lucide;

/// An icon without a name of its own: the text or the label beside it says the same.
#[component]
pub fn Icon(
    /// The icon.
    name: Lucide,
    /// Its width and height in pixels: 12, 14, 16 or 20.
    #[prop(default = 16)]
    size: u32,
) -> impl IntoView {
    view! {
        <svg class="lucide" width=size height=size viewBox="0 0 24 24" aria-hidden="true">
            <path d=name.path()/>
        </svg>
    }
}

/// The icon of a button that shows and hides what follows it.
#[component]
pub fn FoldIcon(
    /// `true` while it is shown.
    #[prop(into)]
    open: Signal<bool>,
) -> impl IntoView {
    move || match open.get() {
        true => view! { <Icon name=Lucide::ChevronDown size=14/> },
        false => view! { <Icon name=Lucide::ChevronRight size=14/> },
    }
}

/// An icon on a tile in the colours of a kind of record.
#[component]
pub fn Tile(
    /// The icon.
    icon: Lucide,
    /// The class that sets the colours; empty if an element around it has that class.
    #[prop(default = "")]
    class: &'static str,
) -> impl IntoView {
    view! { <i class=format!("tile {class}") aria-hidden="true"><Icon name=icon size=14/></i> }
}
