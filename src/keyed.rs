//! Lists whose items keep their elements.

use std::fmt::Display;
use std::sync::Arc;

use leptos::prelude::{self, AnyView, IntoAny, IntoView, component, view};

/// An item's name, and what makes its elements where there are none of that name.
type Row = (String, Box<dyn FnOnce() -> AnyView + Send>);

/// As Leptos's component of that name. Of that one the program has an instance for each type of key and of element;
/// all lists share one by this.
#[component]
pub fn For<T, I, K, V>(
    /// The items. Signals that it reads are followed.
    each: impl Fn() -> I + Send + 'static,
    /// By which items are told apart, as a text.
    key: impl Fn(&T) -> K + Send + 'static,
    /// The elements of an item.
    children: impl Fn(T) -> V + Send + Sync + 'static,
) -> impl IntoView
where
    T: Send + 'static,
    I: IntoIterator<Item = T> + 'static,
    K: Display + 'static,
    V: IntoView + 'static,
{
    let children = Arc::new(children);
    rows(Box::new(move || {
        let row = |item: T| -> Row {
            let (name, children) = (key(&item).to_string(), children.clone());
            (name, Box::new(move || children(item).into_any()))
        };
        each().into_iter().map(row).collect()
    }))
}

fn rows(each: Box<dyn Fn() -> Vec<Row> + Send>) -> AnyView {
    let key = |(name, _): &Row| name.clone();
    view! { <prelude::For each key children=|(_, make): Row| make()/> }.into_any()
}
