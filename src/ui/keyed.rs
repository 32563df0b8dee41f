//! Lists of views that follow a list of items.

use std::any::Any;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use leptos::prelude::*;

/// Shows a view for each item. When the items change, those with the same key keep their views.
///
/// It does what [`For`] does. That is compiled again for every type of items, keys and views, 4 kB
/// each time in the page; here, all lists share it.
#[component]
pub fn Keyed<IF, I, T, EF, N, KF, K>(
    /// Returns the items; tracked.
    each: IF,
    /// Returns the key of an item, which no other item has.
    key: KF,
    /// Returns the view of an item.
    children: EF,
) -> impl IntoView
where
    IF: Fn() -> I + Send + 'static,
    I: IntoIterator<Item = T>,
    EF: Fn(T) -> N + Send + Sync + 'static,
    N: IntoView + 'static,
    KF: Fn(&T) -> K + Send + 'static,
    K: Eq + Hash + Send + Sync + 'static,
    T: Send + 'static,
{
    let children = Arc::new(children);
    list(Box::new(move || {
        let row = |item: T| {
            let (key, children) = (Key(Arc::new(key(&item))), children.clone());
            let view: NewView = Box::new(move || children(item).into_any());
            Row { key, view }
        };
        each().into_iter().map(row).collect()
    }))
}

type NewView = Box<dyn FnOnce() -> AnyView + Send>;

/// A row, whose view is only created if there is none with its key.
struct Row {
    key: Key,
    view: NewView,
}

fn list(rows: Box<dyn Fn() -> Vec<Row> + Send>) -> AnyView {
    view! { <For each=rows key=|row| row.key.clone() children=|row: Row| (row.view)()/> }.into_any()
}

/// A key of any type.
#[derive(Clone)]
struct Key(Arc<dyn AnyKey>);

trait AnyKey: Any + Send + Sync {
    fn equals(&self, other: &dyn AnyKey) -> bool;

    fn hash(&self, hasher: &mut dyn Hasher);
}

impl<K: Eq + Hash + Send + Sync + 'static> AnyKey for K {
    fn equals(&self, other: &dyn AnyKey) -> bool {
        (other as &dyn Any).downcast_ref() == Some(self)
    }

    fn hash(&self, mut hasher: &mut dyn Hasher) {
        Hash::hash(self, &mut hasher);
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals(&*other.0)
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        AnyKey::hash(&*self.0, hasher);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn keys_are_equal_if_their_types_and_values_are() {
        let key = |key: u32| Key(Arc::new(key));
        let text = |key: &str| Key(Arc::new(key.to_owned()));
        assert!(key(1) == key(1) && text("1") == text("1"));
        assert!(key(1) != key(2) && key(1) != text("1") && key(1) != Key(Arc::new(1_u64)));
        let keys = HashSet::from([key(1), key(1), key(2), text("1"), text("1")]);
        assert_eq!(keys.len(), 3);
    }
}
