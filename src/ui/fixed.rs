//! Views that are rendered again only when their content changes.

use leptos::prelude::*;
use leptos::tachys::view::any_view::AnyViewState;

use super::in_browser::InBrowser;

/// A view that depends on a key alone. With erased types, Leptos removes every attribute of an
/// element and sets it again whenever the closure around it runs; this one compares keys instead.
///
/// It must not contain signals or handlers: those of the first run are disposed of with that run.
pub struct Fixed<K: 'static> {
    key: K,
    view: fn(&K) -> AnyView,
}

/// Returns a view that stays as it is while `key` is the same.
pub fn fixed<K>(key: K, view: fn(&K) -> AnyView) -> InBrowser<Fixed<K>> {
    InBrowser(Fixed { key, view })
}

impl<K: PartialEq + 'static> Render for Fixed<K> {
    type State = FixedState<K>;

    fn build(self) -> Self::State {
        let state = (self.view)(&self.key).build();
        FixedState {
            key: self.key,
            state,
        }
    }

    fn rebuild(self, shown: &mut Self::State) {
        if shown.key != self.key {
            (self.view)(&self.key).rebuild(&mut shown.state);
            shown.key = self.key;
        }
    }
}

/// The elements of a [`Fixed`] view.
pub struct FixedState<K> {
    key: K,
    state: AnyViewState,
}

impl<K> Mountable for FixedState<K> {
    fn unmount(&mut self) {
        self.state.unmount();
    }

    fn mount(&mut self, parent: &web_sys::Element, marker: Option<&web_sys::Node>) {
        self.state.mount(parent, marker);
    }

    fn insert_before_this(&self, child: &mut dyn Mountable) -> bool {
        self.state.insert_before_this(child)
    }

    fn elements(&self) -> Vec<web_sys::Element> {
        self.state.elements()
    }
}

#[cfg(all(test, target_arch = "wasm32"))]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    fn word(text: &&'static str) -> AnyView {
        view! { <b class="word" title=*text>{*text}</b> }.into_any()
    }

    #[wasm_bindgen_test]
    fn fixed_view_is_rendered_again_only_with_another_key() {
        let root = document().create_element("div").unwrap();
        let shown = || {
            let word = root.query_selector("b.word").unwrap().unwrap();
            (word.get_attribute("title"), word.text_content())
        };
        let mut state = fixed("wait", word).build();
        state.mount(&root, None);
        let element = state.elements().pop().unwrap();
        // Somebody else's change is still there as long as nothing is rendered.
        element.set_attribute("title", "changed").unwrap();
        fixed("wait", word).rebuild(&mut state);
        assert_eq!(
            shown(),
            (Some("changed".to_owned()), Some("wait".to_owned()))
        );
        fixed("go", word).rebuild(&mut state);
        assert_eq!(shown(), (Some("go".to_owned()), Some("go".to_owned())));
        assert_eq!(state.elements(), [element]);
        state.unmount();
        assert_eq!(root.inner_html(), "");
    }
}
