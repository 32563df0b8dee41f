//! The browser's Back and Forward buttons: they go through the views that were open.

use std::collections::BTreeMap;

use leptos::prelude::*;

use crate::session::{Session, View};
use crate::web::history;

/// The view of each entry of the browser's history, and the current entry.
struct Visited {
    views: BTreeMap<u32, View>,
    at: u32,
}

impl Visited {
    /// Records that a view is open. Returns the number of its new entry; `None` if it is that of
    /// the current one.
    fn open(&mut self, view: &View) -> Option<u32> {
        if self.views.get(&self.at) == Some(view) {
            return None;
        }
        // Those that were ahead are gone.
        self.views.retain(|entry, _| *entry <= self.at);
        self.at += 1;
        self.views.insert(self.at, view.clone());
        Some(self.at)
    }

    /// Goes to an entry, and returns its view. Entries from before a reload are the Board's.
    fn go(&mut self, entry: u32) -> View {
        self.at = entry;
        self.views.entry(entry).or_default().clone()
    }
}

/// Adds an entry to the browser's history whenever another view is opened, and opens the view
/// of the entry that the designer goes to.
pub fn follow_browser(session: Session) {
    let at = history::number();
    let first = session.open.view.get_untracked();
    let visited = StoredValue::new_local(Visited {
        views: [(at, first)].into(),
        at,
    });
    Effect::new(move || {
        let view = session.open.view.get();
        let entry = visited.try_update_value(|visited| visited.open(&view));
        if let Some(number) = entry.flatten() {
            history::push(number);
        }
    });
    let gone = window_event_listener(leptos::ev::popstate, move |_| {
        let view = visited.try_update_value(|visited| visited.go(history::number()));
        let document = session.document_untracked();
        let exists = |view: &View| {
            let mut task = view.method().into_iter();
            task.all(|task| document.compound_tasks.contains_key(task))
        };
        let view = view.filter(exists).unwrap_or_default();
        visited.try_update_value(|visited| visited.views.insert(visited.at, view.clone()));
        session.open.show_view(view);
    });
    on_cleanup(move || gone.remove());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn going_back_adds_no_entry_and_opening_another_view_drops_those_ahead() {
        let method = |name: &str| View::Method(name.parse().unwrap());
        let mut visited = Visited {
            views: [(4, View::Board)].into(),
            at: 4,
        };
        assert_eq!(visited.open(&View::Board), None);
        assert_eq!(visited.open(&method("a")), Some(5));
        assert_eq!(visited.open(&method("b")), Some(6));
        assert_eq!(visited.go(5), method("a"));
        assert_eq!(
            visited.open(&method("a")),
            None,
            "it was shown by going back"
        );
        assert_eq!(visited.open(&method("c")), Some(6));
        assert_eq!(visited.go(6), method("c"));
        assert_eq!(visited.go(2), View::Board, "from before a reload");
    }
}
