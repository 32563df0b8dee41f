//! Views of our own.

use leptos::attr::Attribute;
use leptos::attr::any_attribute::AnyAttribute;
use leptos::prelude::*;
use leptos::tachys::hydration::Cursor;
use leptos::tachys::view::{Position, PositionState};

/// A view that is only rendered in the browser: no server renders the page. All attributes of its elements
/// are part of it.
pub struct InBrowser<V>(pub V);

impl<V: Render> Render for InBrowser<V> {
    type State = V::State;

    fn build(self) -> Self::State {
        self.0.build()
    }

    fn rebuild(self, state: &mut Self::State) {
        self.0.rebuild(state);
    }
}

impl<V: Render + Send + 'static> AddAnyAttr for InBrowser<V> {
    type Output<A: Attribute> = AnyView;

    fn add_any_attr<A: Attribute>(self, _: A) -> AnyView {
        self.into_any()
    }
}

impl<V: Render + Send + 'static> RenderHtml for InBrowser<V> {
    type AsyncOutput = Self;
    type Owned = Self;

    const MIN_LENGTH: usize = 0;

    fn dry_resolve(&mut self) {}

    async fn resolve(self) -> Self {
        self
    }

    fn to_html_with_buf(
        self,
        _html: &mut String,
        _position: &mut Position,
        _escape: bool,
        _mark_branches: bool,
        _extra_attrs: Vec<AnyAttribute>,
    ) {
    }

    fn hydrate<const FROM_SERVER: bool>(self, _: &Cursor, _: &PositionState) -> Self::State {
        self.build()
    }

    fn into_owned(self) -> Self {
        self
    }
}
