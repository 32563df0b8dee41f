//! Icons: lines in the colour of the text around them, in the style of icon.css.

mod lucide;

use leptos::prelude::*;

use super::cloned::cloned;
use super::fixed::fixed;
use super::live::live;
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
    fixed((name, size), |(name, size)| {
        cloned(svg(*name, *size)).into_any()
    })
}

fn svg(icon: Lucide, size: u32) -> String {
    let path = icon.path();
    format!(
        r#"<svg class="lucide" width="{size}" height="{size}" viewBox="0 0 24 24" aria-hidden="true"><path d="{path}"/></svg>"#
    )
}

/// The icon of a button that shows and hides what follows it.
#[component]
pub fn FoldIcon(
    /// `true` while it is shown.
    #[prop(into)]
    open: Signal<bool>,
) -> impl IntoView {
    live(move || match open.get() {
        true => view! { <Icon name=Lucide::ChevronDown size=14/> },
        false => view! { <Icon name=Lucide::ChevronRight size=14/> },
    })
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
    fixed((icon, class), |(icon, class)| {
        let svg = svg(*icon, 14);
        let html = format!(r#"<i class="tile {class}" aria-hidden="true">{svg}</i>"#);
        cloned(html).into_any()
    })
}

#[cfg(all(test, target_arch = "wasm32"))]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn icons_are_pictures_of_svg() {
        let root = document().create_element("div").unwrap();
        let mut state = view! { <Icon name=Lucide::Check size=14/> }.build();
        state.mount(&root, None);
        let path = root
            .query_selector("svg.lucide[width='14'] > path")
            .unwrap();
        let path = path.expect("the icon has a path");
        let namespace = path.namespace_uri();
        assert_eq!(namespace.as_deref(), Some("http://www.w3.org/2000/svg"));
        assert_eq!(
            path.get_attribute("d").as_deref(),
            Some(Lucide::Check.path())
        );
    }
}
