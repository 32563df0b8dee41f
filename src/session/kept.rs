//! Signals that live as long as the page and are read by short-lived views.

use leptos::prelude::*;
use leptos::reactive::computed::ArcMemo;
use leptos::reactive::graph::{AnySource, Observer, Source, ToAnySource};

/// A signal or memo that outlives its readers.
///
/// Leptos unsubscribes a reader from its sources when it runs again, not when it is disposed: a
/// view that reads a signal of the session once would stay in that signal's subscriber list
/// forever, at some hundred bytes for each of its attributes. Readers of this type are unsubscribed
/// when their owner is cleaned up. Outside of the session, it can only be read.
#[derive(Clone, Copy)]
pub struct Kept<S: Lasting>(pub(super) S);

/// A reactive source that readers can be unsubscribed from.
pub trait Lasting: DefinedAt + Track {
    /// Returns the source that lists its readers.
    fn source(&self) -> AnySource;
}

impl<T: Send + Sync + 'static> Lasting for RwSignal<T> {
    fn source(&self) -> AnySource {
        self.to_any_source()
    }
}

impl<T: Send + Sync + 'static> Lasting for ReadSignal<T> {
    fn source(&self) -> AnySource {
        self.to_any_source()
    }
}

impl<T: Send + Sync + 'static> Lasting for Memo<T> {
    fn source(&self) -> AnySource {
        ArcMemo::from(*self).to_any_source()
    }
}

impl<T: Send + Sync + 'static> Kept<RwSignal<T>> {
    /// Creates a signal that lives as long as the page.
    pub(super) fn new(first: T) -> Self {
        Self(RwSignal::new(first))
    }

    /// Sets the value, and notifies the readers.
    pub(super) fn set(&self, value: T) {
        self.0.set(value);
    }

    /// Changes the value, and notifies the readers.
    pub(super) fn update(&self, change: impl FnOnce(&mut T)) {
        self.0.update(change);
    }
}

impl<S: Lasting> DefinedAt for Kept<S> {
    fn defined_at(&self) -> Option<&'static std::panic::Location<'static>> {
        self.0.defined_at()
    }
}

impl<S: Lasting> Track for Kept<S> {
    fn track(&self) {
        self.0.track();
        if let Some(reader) = Observer::get() {
            let source = self.0.source();
            on_cleanup(move || source.remove_subscriber(&reader));
        }
    }
}

impl<S: Lasting + ReadUntracked> ReadUntracked for Kept<S> {
    type Value = S::Value;

    fn try_read_untracked(&self) -> Option<S::Value> {
        self.0.try_read_untracked()
    }
}
