//! Edits by keys, which are merged into undo steps.

use taskloom_document::{Edit, Fact, Info, Kind, Record, RecordRef};

use super::*;
use crate::session::Selection;

/// Makes an edit in a series, as an arrow key does.
fn nudges(tab: &Tab, key: &str) {
    let note = format!("{}.", tab.session.document_untracked().info.note);
    let info = Info {
        title: "A".to_owned(),
        note,
    };
    tab.does(|session, _| session.commit_in_series("Move block", key, Edit::SetInfo(info)));
}

fn steps(tab: &Tab) -> usize {
    tab.session.open.steps().0.len() - 1
}

#[test]
fn series_ends_with_a_pause_or_another_selection() {
    let world = World::new(1);
    let tab = Tab::open(&world, 1, 1);
    tab.opens_text("A");
    let fact = |name: &str| RecordRef::new(Kind::Fact, name.parse().unwrap());
    for name in ["a", "b"] {
        let record = Record::Fact(Fact::default().into());
        let edit = Edit::Add(name.parse().unwrap(), record);
        tab.does(|session, _| session.commit("Add a fact", edit));
    }
    let before = steps(&tab);
    let steps = |tab: &Tab| steps(tab) - before;
    let card = |name: &str| Selection::record(fact(name));
    tab.does(|session, _| session.open.select(card("a")));
    for _ in 0..5 {
        nudges(&tab, "nudge a");
        executor::advance(300);
    }
    assert_eq!(steps(&tab), 1);
    executor::advance(3_000);
    nudges(&tab, "nudge a");
    assert_eq!(steps(&tab), 2, "after a pause");
    // Selecting the same again changes nothing.
    tab.does(|session, _| session.open.select(card("a")));
    nudges(&tab, "nudge a");
    assert_eq!(steps(&tab), 2);
    tab.does(|session, _| session.open.select(card("b")));
    tab.does(|session, _| session.open.select(card("a")));
    nudges(&tab, "nudge a");
    assert_eq!(steps(&tab), 3, "after another selection");
    nudges(&tab, "nudge b");
    assert_eq!(steps(&tab), 4, "another thing");
}
