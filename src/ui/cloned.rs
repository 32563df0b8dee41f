//! Elements that are clones of others.

use std::cell::RefCell;
use std::collections::HashMap;

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::Element;

use super::in_browser::InBrowser;

thread_local! {
    static ORIGINALS: RefCell<HashMap<String, Element>> = RefCell::default();
}

/// Returns an element without signals and handlers, given as HTML that is parsed once.
///
/// Leptos has `InertElement` for this. As of tachys 0.2.19, its search for a template clones each
/// template that it passes: the 1,000 icons of a large Board took 30,000 clones.
pub fn cloned(html: String) -> InBrowser<Cloned> {
    InBrowser(Cloned(html))
}

/// An element that is a copy of the one that its HTML was parsed to.
pub struct Cloned(String);

impl Cloned {
    fn element(&self) -> Element {
        let clone = ORIGINALS.with_borrow_mut(|originals| {
            let original = originals.entry(self.0.clone()).or_insert_with(|| {
                let parent = document().create_element("div").unwrap();
                parent.set_inner_html(&self.0);
                parent
                    .first_element_child()
                    .expect("the HTML has an element")
            });
            original.clone_node_with_deep(true)
        });
        clone.unwrap().unchecked_into()
    }
}

impl Render for Cloned {
    type State = Element;

    fn build(self) -> Element {
        self.element()
    }

    fn rebuild(self, shown: &mut Element) {
        let mut element = self.element();
        shown.insert_before_this(&mut element);
        shown.unmount();
        *shown = element;
    }
}
