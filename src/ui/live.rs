//! Views that follow signals.

use leptos::prelude::*;

/// Returns a view that is computed again when a signal that it reads has changed.
///
/// The code that keeps a view up to date is compiled once for the closures that are written inside
/// a `view!`, but again for each closure that has a name or is a component's result: 2 kB each time
/// in the page. Here, all of them share it.
pub fn live<V: IntoView + 'static>(mut view: impl FnMut() -> V + Send + 'static) -> AnyView {
    let view: Box<dyn FnMut() -> AnyView + Send> = Box::new(move || view().into_any());
    view.into_any()
}
