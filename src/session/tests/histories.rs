//! The undo history across a reload.

use super::*;
use crate::web::platform::Value;

/// Opens a tab with a saved document that got these titles, one after the other.
fn titled(world: &World, titles: &[&str]) -> Tab {
    let tab = Tab::open(world, 1, 1);
    tab.opens_text(titles[0]);
    for title in &titles[1..] {
        tab.sets_title(title);
        tab.does(|session, _| session.open.seal());
    }
    rest();
    assert_eq!(tab.saved(), Saved::Yes);
    tab
}

/// Reloads a tab.
fn reloaded(tab: Tab, number: usize) -> Tab {
    let (world, slot) = (tab.world.clone(), tab.slot);
    world.leave(tab.number);
    tab.crashes();
    let tab = Tab::open(&world, number, slot);
    rest();
    tab
}

/// Undoes everything. Returns the title after each step, the current one first.
fn undone(tab: &Tab) -> Vec<String> {
    let mut titles = vec![tab.title()];
    while tab.session.open.undo_label().is_some() {
        tab.does(|session, _| session.undo());
        titles.push(tab.title());
    }
    titles
}

#[test]
fn undo_and_redo_continue_after_a_reload() {
    let world = World::new(1);
    let tab = titled(&world, &["A", "B", "C", "D"]);
    tab.does(|session, _| session.undo());
    rest();
    let steps = tab.session.open.steps();
    let tab = reloaded(tab, 2);
    assert_eq!(tab.session.open.steps(), steps);
    tab.does(|session, _| session.redo());
    assert_eq!(undone(&tab), ["D", "C", "B", "A"]);
    rest();
    let tab = reloaded(tab, 3);
    assert_eq!(
        (tab.title(), tab.session.open.undo_label()),
        ("A".to_owned(), None)
    );
    tab.does(|session, _| session.redo());
    assert_eq!(tab.title(), "B");
}

#[test]
fn reopened_and_taken_over_documents_keep_their_history() {
    let world = World::new(1);
    let tab = titled(&world, &["A", "B"]);
    let id = tab.id();
    tab.opens_text("other");
    rest();
    tab.does(|session, _| session.open_kept(id));
    rest();
    assert_eq!(undone(&tab), ["B", "A"]);
    rest();
    let other = Tab::open(&world, 2, 2);
    rest();
    other.does(|session, _| session.take_over());
    rest();
    other.does(|session, _| session.redo());
    assert_eq!(other.title(), "B");
}

#[test]
fn renaming_in_the_list_is_a_step_of_the_history() {
    let world = World::new(1);
    let tab = titled(&world, &["A", "B"]);
    let id = tab.id();
    tab.opens_text("other");
    rest();
    let renamed = id.clone();
    tab.begins(|session| async move {
        session.rename_kept(&renamed, "C".to_owned()).await.unwrap();
    });
    rest();
    tab.does(|session, _| session.open_kept(id));
    rest();
    assert_eq!(undone(&tab), ["C", "B", "A"]);
}

#[test]
fn history_gives_way_to_the_text_when_storage_is_full() {
    let world = World::new(1);
    let tab = titled(&world, &["A", "B"]);
    assert_eq!(world.keys("history-").len(), 1);
    world.set_short(true);
    tab.sets_title("C");
    rest();
    assert_eq!(tab.saved(), Saved::Yes);
    assert!(world.keys("history-").is_empty());
    let tab = reloaded(tab, 2);
    assert_eq!(undone(&tab), ["C"]);
    world.set_short(false);
    tab.sets_title("D");
    rest();
    assert_eq!(undone(&reloaded(tab, 3)), ["D", "C"]);
}

#[test]
fn histories_of_other_texts_and_versions_are_dropped() {
    let older_editor = |world: &World, id: &str| {
        world.put(&format!("text-{id}"), Value::Text(file("X")));
    };
    let newer_editor = |world: &World, id: &str| {
        let value = vec![Value::Number(2.0), Value::Text("{}".to_owned())];
        world.put(&format!("history-{id}"), Value::List(value));
    };
    for (change, title) in [
        (&older_editor as &dyn Fn(&World, &str), "X"),
        (&newer_editor, "B"),
    ] {
        let world = World::new(1);
        let tab = titled(&world, &["A", "B"]);
        change(&world, &tab.id());
        let tab = reloaded(tab, 2);
        assert_eq!(undone(&tab), [title]);
        tab.sets_title("C");
        rest();
        assert_eq!(undone(&reloaded(tab, 3)), ["C", title]);
    }
}

#[test]
fn edit_before_a_quick_reload_is_one_more_step() {
    for seed in 0..20 {
        let world = World::new(seed);
        let tab = titled(&world, &["A", "B", "C"]);
        tab.sets_title("D");
        let tab = reloaded(tab, 2);
        assert_eq!(undone(&tab), ["D", "C", "B", "A"]);
    }
}

#[test]
fn text_that_could_not_be_written_is_one_more_step() {
    let world = World::new(1);
    let tab = titled(&world, &["A", "B"]);
    tab.sets_title("C");
    tab.sets_title("D");
    world.set_full(true);
    let tab = reloaded(tab, 2);
    let label = tab.session.open.undo_label();
    assert_eq!(label.as_deref(), Some("Before reload"));
    assert_eq!(undone(&tab), ["D", "B", "A"]);
    while tab.session.open.redo_label().is_some() {
        tab.does(|session, _| session.redo());
    }
    assert_eq!(tab.title(), "D");
    world.set_full(false);
    executor::advance(60_000);
    assert_eq!(tab.saved(), Saved::Yes);
    assert_eq!(undone(&reloaded(tab, 3)), ["D", "B", "A"]);
}

#[test]
fn undo_and_redo_before_a_quick_reload_lose_no_step() {
    let world = World::new(1);
    let tab = titled(&world, &["A", "B", "C"]);
    let steps = |tab: &Tab| tab.session.open.steps().0;
    let before = steps(&tab);
    world.set_full(true);
    tab.does(|session, _| session.undo());
    tab.does(|session, _| session.undo());
    let tab = reloaded(tab, 2);
    assert_eq!((tab.title(), steps(&tab)), ("A".to_owned(), before.clone()));
    tab.does(|session, _| session.redo());
    let tab = reloaded(tab, 3);
    assert_eq!((tab.title(), steps(&tab)), ("B".to_owned(), before));
}

#[test]
fn first_edit_before_a_quick_reload_can_be_undone() {
    let world = World::new(1);
    let tab = titled(&world, &["A"]);
    world.set_full(true);
    tab.sets_title("B");
    assert_eq!(undone(&reloaded(tab, 2)), ["B", "A"]);
}

#[test]
fn text_that_a_closed_tab_left_keeps_its_history_in_the_list() {
    let world = World::new(1);
    let tab = titled(&world, &["A", "B"]);
    let id = tab.id();
    world.set_full(true);
    tab.sets_title("C");
    world.leave(tab.number);
    tab.crashes();
    world.set_full(false);
    let other = Tab::open(&world, 2, 2);
    other.opens_text("other");
    rest();
    let renamed = id.clone();
    other.begins(|session| async move {
        session.rename_kept(&renamed, "D".to_owned()).await.unwrap();
    });
    rest();
    other.does(|session, _| session.open_kept(id));
    rest();
    assert_eq!(undone(&other), ["D", "C", "B", "A"]);
}
