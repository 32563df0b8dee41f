//! Elements that are clones of others.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;

use leptos::attr::Attribute;
use leptos::attr::any_attribute::AnyAttribute;
use leptos::prelude::*;
use leptos::tachys::hydration::Cursor;
use leptos::tachys::view::{Position, PositionState};
use wasm_bindgen::JsCast;
use web_sys::Element;

thread_local! {
    static ORIGINALS: RefCell<HashMap<Cow<'static, str>, Element>> = RefCell::default();
}

/// An element without signals and handlers, given as HTML that is parsed once.
///
/// Leptos has `InertElement` for this. As of tachys 0.2.19, its search for a template clones each
/// template that it passes: the 1,000 icons of a large Board took 30,000 clones.
pub struct Cloned(pub Cow<'static, str>);

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

impl AddAnyAttr for Cloned {
    type Output<A: Attribute> = Self;

    /// The HTML has all attributes.
    fn add_any_attr<A: Attribute>(self, _: A) -> Self {
        self
    }
}

/// Pages are rendered by the browser alone.
impl RenderHtml for Cloned {
    type AsyncOutput = Self;
    type Owned = Self;

    const MIN_LENGTH: usize = 0;

    fn dry_resolve(&mut self) {}

    async fn resolve(self) -> Self {
        self
    }

    fn to_html_with_buf(
        self,
        html: &mut String,
        position: &mut Position,
        _escape: bool,
        _mark_branches: bool,
        _extra_attrs: Vec<AnyAttribute>,
    ) {
        html.push_str(&self.0);
        *position = Position::NextChild;
    }

    fn hydrate<const FROM_SERVER: bool>(self, _: &Cursor, _: &PositionState) -> Element {
        self.element()
    }

    fn into_owned(self) -> Self {
        self
    }
}
