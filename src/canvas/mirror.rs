//! Models of mounted elements, one signal each: an element is rendered again only when its own
//! model has changed.

use std::collections::BTreeMap;

use leptos::prelude::*;

/// Keyed models behind a [`Keyed`](crate::ui::keyed::Keyed).
pub struct Mirror<K: 'static, M: 'static> {
    /// The keys of the mounted models.
    pub keys: RwSignal<Vec<K>>,
    models: StoredValue<BTreeMap<K, ArcRwSignal<M>>>,
}

impl<K, M> Clone for Mirror<K, M> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<K, M> Copy for Mirror<K, M> {}

impl<K, M> Mirror<K, M>
where
    K: Clone + Ord + Send + Sync + 'static,
    M: PartialEq + Send + Sync + 'static,
{
    /// Creates a mirror of the models that `source` returns, in their order.
    pub fn of(source: impl Fn() -> Vec<(K, M)> + 'static) -> Self {
        let mirror = Self {
            keys: RwSignal::new(vec![]),
            models: StoredValue::new(BTreeMap::new()),
        };
        Effect::new(move |_| mirror.update(source()));
        mirror
    }

    /// Returns the model of a mounted key.
    pub fn model(&self, key: &K) -> Option<ArcRwSignal<M>> {
        self.models.with_value(|models| models.get(key).cloned())
    }

    fn update(&self, now: Vec<(K, M)>) {
        let keys: Vec<K> = now.iter().map(|(key, _)| key.clone()).collect();
        let mut before = self
            .models
            .try_update_value(std::mem::take)
            .unwrap_or_default();
        let mut changed = vec![];
        let mut models = BTreeMap::new();
        for (key, model) in now {
            let signal = match before.remove(&key) {
                None => ArcRwSignal::new(model),
                Some(signal) => {
                    if signal.with_untracked(|old| *old != model) {
                        changed.push((signal.clone(), model));
                    }
                    signal
                }
            };
            models.insert(key, signal);
        }
        self.models.set_value(models);
        for (signal, model) in changed {
            signal.set(model);
        }
        if self.keys.with_untracked(|old| *old != keys) {
            self.keys.set(keys);
        }
    }
}
