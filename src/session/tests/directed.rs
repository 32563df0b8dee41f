//! Single cases, each of which once lost data.

use super::*;

fn world() -> World {
    World::new(1)
}

#[test]
fn saving_never_writes_another_document_to_a_file() {
    type Door = fn(&Tab, &str);
    let doors: [(&str, Door); 5] = [
        ("list", |tab, other| {
            tab.does(|session, _| session.open_kept(other.to_owned()));
        }),
        ("example or link", |tab, _| tab.opens_text("B")),
        ("new", |tab, _| {
            tab.does(|session, files| files.new_document(session))
        }),
        ("delete", |tab, other| {
            let (open, next) = (tab.id(), Some(other.to_owned()));
            tab.begins(|session| async move {
                session.delete_kept(&open, next).await.unwrap();
            });
        }),
        ("bring back", |tab, _| {
            tab.opens_text("C");
            tab.does(|session, _| session.bring_back());
            tab.opens_text("B");
        }),
    ];
    for (door, open) in doors {
        let world = world();
        let tab = tab_with(&world, 1, "B");
        let other = tab.id();
        let disk = world.add_file(&file("A"));
        tab.opens_file(Pick::File(disk));
        rest();
        assert_eq!(tab.title(), "A");
        tab.sets_title("A, edited");
        tab.saves();
        rest();
        assert_eq!(title_in(&world.file(disk).text), "A, edited", "{door}");
        open(&tab, &other);
        rest();
        assert_ne!(tab.title(), "A, edited", "{door}");
        world.pick(Pick::Cancel);
        tab.saves();
        rest();
        assert_eq!(title_in(&world.file(disk).text), "A, edited", "{door}");
    }
}

#[test]
fn late_picker_results_are_ignored_after_a_document_switch() {
    let world = world();
    let tab = tab_with(&world, 1, "A");
    let disk = world.add_file("");
    world.pick(Pick::File(disk));
    tab.saves();
    tab.opens_text("B");
    rest();
    assert_eq!(title_in(&world.file(disk).text), "A", "as it was asked for");
    world.pick(Pick::Cancel);
    tab.saves();
    rest();
    assert_eq!(title_in(&world.file(disk).text), "A");
}

#[test]
fn copies_are_not_saved_to_the_original_file() {
    let world = world();
    let tab = tab_with(&world, 1, "A");
    let disk = world.add_file("");
    tab.saves_as(Pick::File(disk));
    rest();
    tab.does(|session, _| session.work_on_copy());
    rest();
    world.pick(Pick::Cancel);
    tab.saves();
    rest();
    assert_eq!(title_in(&world.file(disk).text), "A");
}

#[test]
fn concurrent_saves_are_serialized() {
    for seed in 0..20 {
        let world = World::new(seed);
        let tab = tab_with(&world, 1, "A");
        let disk = world.add_file("");
        tab.saves_as(Pick::File(disk));
        rest();
        for title in ["one", "two", "three"] {
            tab.sets_title(title);
            tab.saves();
        }
        rest();
        assert_eq!(title_in(&world.file(disk).text), "three");
    }
}

#[test]
fn missing_storage_is_reported_and_leaving_asks() {
    let world = world();
    world.refuse(Some("denied"));
    let tab = Tab::open(&world, 1, 1);
    let failed = Saved::Failed("denied".to_owned());
    assert_eq!(tab.saved(), failed);
    tab.opens_text("A");
    rest();
    assert_eq!(tab.saved(), failed);
    tab.sets_title("A, edited");
    rest();
    assert_eq!(tab.saved(), failed);
    assert!(world.asks_before_leaving(1));
}

#[test]
fn full_storage_is_retried_without_an_edit() {
    let world = world();
    let tab = tab_with(&world, 1, "A");
    world.set_full(true);
    tab.sets_title("Too much");
    rest();
    assert!(matches!(tab.saved(), Saved::Failed(_)));
    world.set_full(false);
    executor::advance(60_000);
    assert_eq!(tab.saved(), Saved::Yes);
    assert_eq!(rows(&world), ["Too much"]);
}

#[test]
fn unresponsive_storage_is_reported() {
    let world = world();
    let tab = tab_with(&world, 1, "A");
    world.set_stalled(true);
    tab.sets_title("Late");
    executor::advance(12_000);
    assert!(matches!(tab.saved(), Saved::Failed(_)));
    world.set_stalled(false);
    executor::advance(60_000);
    assert_eq!(tab.saved(), Saved::Yes);
}

#[test]
fn flush_waits_for_the_retry_of_a_failed_write() {
    let world = world();
    let tab = tab_with(&world, 1, "A");
    world.set_full(true);
    tab.sets_title("B");
    executor::advance(400);
    assert!(matches!(tab.saved(), Saved::Failed(_)));
    world.set_full(false);
    let flushed = RwSignal::new(None);
    tab.begins(|session| async move { flushed.set(Some(session.flush().await)) });
    assert_eq!(flushed.get_untracked(), None);
    executor::advance(100);
    assert_eq!(flushed.get_untracked(), Some(true));
}

#[test]
fn unsaved_closed_document_is_reported_until_written() {
    let world = world();
    let tab = tab_with(&world, 1, "A");
    tab.sets_title("Long");
    world.set_full(true);
    world.set_notes_full(true);
    tab.opens_text("B");
    rest();
    assert!(matches!(tab.saved(), Saved::Failed(_)));
    assert!(world.asks_before_leaving(1));
    world.set_full(false);
    executor::advance(60_000);
    assert_eq!(tab.saved(), Saved::Yes);
    assert_eq!(rows(&world), ["B", "Long"]);
}

#[test]
fn last_clicked_document_opens() {
    for seed in 0..20 {
        let world = World::new(seed);
        let tab = tab_with(&world, 1, "A");
        let first = tab.id();
        tab.opens_text("B");
        rest();
        let second = tab.id();
        tab.opens_text("C");
        rest();
        tab.does(|session, _| session.open_kept(first));
        tab.does(|session, _| session.open_kept(second));
        rest();
        assert_eq!(tab.title(), "B");
    }
}

#[test]
fn late_restore_point_does_not_replace_a_newly_opened_document() {
    let world = world();
    let tab = tab_with(&world, 1, "A");
    tab.begins(|session| async move { session.keep_restore_point("first").await.unwrap() });
    rest();
    tab.sets_title("A, edited");
    rest();
    let versions = RwSignal::new(vec![]);
    tab.begins(|session| async move { versions.set(session.versions().await.unwrap()) });
    rest();
    let point = versions.get_untracked().remove(0);
    tab.begins(|session| async move { session.restore(&point, "Restore").await.unwrap() });
    tab.opens_text("B");
    rest();
    assert_eq!(tab.title(), "B");
    assert_eq!(rows(&world), ["A, edited", "B"]);
}

#[test]
fn document_changed_by_another_tab_opens_in_its_current_state() {
    let world = world();
    let tab = tab_with(&world, 1, "X");
    let x = tab.id();
    tab.opens_text("A");
    rest();
    let other = Tab::open(&world, 2, 2);
    let id = x.clone();
    other.does(|session, _| session.open_kept(id));
    rest();
    other.sets_title("X, edited");
    rest();
    other.opens_text("Y");
    rest();
    tab.does(|session, _| session.open_kept(x));
    rest();
    assert_eq!(tab.title(), "X, edited");
    tab.sets_title("X, edited again");
    rest();
    assert_eq!(tab.hold(), Hold::Here, "no copy");
    assert_eq!(rows(&world), ["A", "X, edited again", "Y"]);
}

#[test]
fn list_is_reloaded_after_another_tab_writes() {
    let world = world();
    let tab = tab_with(&world, 1, "A");
    let other = tab_with(&world, 2, "B");
    let listed = tab.session.listed();
    other.sets_title("B, edited");
    rest();
    assert!(tab.session.listed() > listed);
}

#[test]
fn typing_during_a_takeover_is_kept() {
    let world = world();
    let tab = tab_with(&world, 1, "A");
    let other = Tab::open(&world, 2, 2);
    rest();
    assert_eq!(other.hold(), Hold::Elsewhere);
    tab.sets_title("A, edited there");
    other.sets_title("typed before");
    other.does(|session, _| session.take_over());
    executor::advance(20);
    other.sets_title("typed meanwhile");
    rest();
    assert_eq!(other.title(), "A, edited there");
    assert_eq!(other.hold(), Hold::Here);
    assert!(
        other
            .messages()
            .iter()
            .any(|text| text.contains("Your changes here"))
    );
    rest();
    assert_eq!(rows(&world), ["A, edited there", "typed meanwhile"]);
}

#[test]
fn renaming_keeps_another_tabs_latest_write() {
    for seed in 0..40 {
        let world = World::new(seed);
        let tab = tab_with(&world, 1, "X");
        let x = tab.id();
        let other = tab_with(&world, 2, "B");
        tab.does(|session, _| {
            session.add("fact", taskloom_document::Record::Fact(Default::default()));
        });
        executor::advance(world.below(150));
        // The tab closes while the other one renames.
        other.begins(|session| async move {
            let _ = session.rename_kept(&x, "Renamed".to_owned()).await;
        });
        executor::advance(world.below(100));
        world.leave(1);
        tab.crashes();
        rest();
        let next = Tab::open(&world, 3, 1);
        rest();
        let facts = next.session.document_untracked().facts.len();
        assert_eq!(facts, 1, "seed {seed}");
    }
}

#[test]
fn renaming_keeps_what_was_edited_here_meanwhile() {
    let mut edited = 0;
    for seed in 0..200 {
        let world = World::new(seed);
        let tab = tab_with(&world, 1, "X");
        let x = tab.id();
        tab.opens_text("B");
        rest();
        let renamed = x.clone();
        tab.begins(|session| async move {
            let _ = session.rename_kept(&renamed, "Renamed".to_owned()).await;
        });
        executor::advance(world.below(60));
        // It is opened again, edited and closed.
        tab.does(|session, _| session.open_kept(x.clone()));
        executor::advance(world.below(150));
        if tab.id() != x {
            continue;
        }
        edited += 1;
        tab.sets_title("Edited");
        tab.opens_text("C");
        executor::advance(world.below(100));
        world.leave(1);
        tab.crashes();
        let texts = world.texts().into_iter().map(|(_, text)| text);
        let is_kept = texts
            .chain(world.notes())
            .any(|text| text.contains("Edited"));
        assert!(is_kept, "seed {seed}");
    }
    assert!(edited > 50, "{edited}");
}

#[test]
fn documents_changed_elsewhere_are_not_discarded_as_untouched_examples() {
    let world = world();
    let tab = Tab::open(&world, 1, 1);
    tab.does(|session, _| session.open_document(crate::examples::first()));
    rest();
    let other = Tab::open(&world, 2, 2);
    rest();
    assert_eq!(other.hold(), Hold::Elsewhere);
    tab.sets_title("Mine");
    rest();
    tab.crashes();
    other.opens_text("B");
    rest();
    assert_eq!(rows(&world), ["B", "Mine"]);
}

#[test]
fn discarded_document_that_is_brought_back_keeps_its_edits_when_the_page_is_left() {
    for seed in 0..200 {
        let world = World::new(seed);
        let tab = tab_with(&world, 1, "A");
        tab.does(|session, files| files.new_document(session));
        rest();
        assert_eq!(tab.saved(), Saved::Yes);
        // The empty document is removed, but brought back before that has ended.
        tab.opens_text("D");
        tab.does(|session, _| session.bring_back());
        tab.sets_title("B");
        tab.opens_text("C");
        executor::advance(world.below(40));
        world.leave(1);
        tab.crashes();
        let tab = Tab::open(&world, 2, 1);
        rest();
        assert_eq!(tab.title(), "C");
        // It is in the database, or in local storage until it is opened.
        let left = world.notes().into_iter().any(|note| note.contains("\"B\""));
        assert!(
            left || rows(&world).contains(&"B".to_owned()),
            "seed {seed}"
        );
    }
}

#[test]
fn left_text_does_not_replace_later_writes_of_other_tabs() {
    let world = world();
    let tab = tab_with(&world, 1, "A");
    let other = Tab::open(&world, 2, 2);
    rest();
    other.sets_title("typed");
    other.does(|session, _| session.take_over());
    other.crashes();
    tab.sets_title("A, edited");
    rest();
    tab.crashes();
    let next = Tab::open(&world, 3, 1);
    rest();
    assert_eq!(next.title(), "A, edited");
    assert_eq!(rows(&world), ["A, edited", "typed"]);
}

#[test]
fn failed_writes_do_not_let_a_tab_overwrite_another() {
    let world = world();
    let tab = tab_with(&world, 1, "X");
    let x = tab.id();
    let other = tab_with(&world, 2, "B");
    world.set_full(true);
    world.set_notes_full(true);
    tab.sets_title("X, typed");
    executor::advance(60_000);
    tab.opens_text("Y");
    executor::advance(1_000);
    world.set_full(false);
    other.does(|session, _| session.open_kept(x));
    executor::advance(500);
    other.sets_title("X of the other");
    rest();
    rest();
    assert_eq!(other.hold(), Hold::Here);
    assert_eq!(rows(&world), ["B", "X of the other", "X, typed", "Y"]);
}

#[test]
fn restoring_a_document_does_not_overwrite_another_tab() {
    let world = world();
    let tab = tab_with(&world, 1, "X");
    let x = tab.id();
    let other = tab_with(&world, 2, "B");
    world.set_full(true);
    tab.sets_title("X, typed");
    tab.opens_text("Y");
    executor::advance(100);
    world.set_full(false);
    other.does(|session, _| session.open_kept(x));
    executor::advance(500);
    other.sets_title("X of the other");
    executor::advance(300);
    other.opens_text("C");
    executor::advance(300);
    tab.does(|session, _| session.bring_back());
    rest();
    assert_eq!(tab.title(), "X, typed");
    let rows = rows(&world);
    for title in ["X of the other", "X, typed"] {
        assert!(rows.iter().any(|row| row == title), "{title}: {rows:?}");
    }
}

#[test]
fn breadcrumbs_follow_renames_and_removals() {
    use super::super::{View, addition};
    use taskloom_document::{CompoundTask, Kind, Name, Record, RecordRef};
    let world = world();
    let tab = tab_with(&world, 1, "A");
    let name = |text: &str| Name::new(text).unwrap();
    let task = |text: &str| RecordRef::new(Kind::CompoundTask, name(text));
    let crumbs = || -> Vec<String> {
        let path = tab.session.open.path();
        path.iter().map(ToString::to_string).collect()
    };
    tab.does(|session, _| {
        for text in ["a", "b", "c"] {
            let record = Record::CompoundTask(CompoundTask::default().into());
            session.commit(
                "Add",
                addition(name(text), record, session.fresh_block_id()),
            );
            session.open.enter(name(text));
        }
    });
    assert_eq!(crumbs(), ["a", "b", "c"]);
    tab.does(|session, _| session.rename(&task("a"), "first").unwrap());
    assert_eq!(crumbs(), ["first", "b", "c"]);
    tab.does(|session, _| session.delete([task("b")], vec![]));
    assert_eq!(crumbs(), ["c"]);
    tab.opens_text("B");
    assert!(crumbs().is_empty());
    tab.does(|session, _| session.open.show_view(View::Method(name("c"))));
    assert_eq!(crumbs(), ["c"]);
}

#[test]
fn document_without_any_room_survives_a_reload_and_closing_is_asked_about() {
    let world = world();
    let tab = Tab::open(&world, 1, 1);
    rest();
    world.set_full(true);
    world.set_notes_full(true);
    tab.sets_title("Edited");
    world.leave(1);
    tab.crashes();
    let tab = Tab::open(&world, 2, 1);
    rest();
    assert_eq!(tab.title(), "Edited");
    assert!(world.asks_before_leaving(2));
    // Even if another document is open.
    tab.opens_text("B");
    world.leave(2);
    tab.crashes();
    let tab = Tab::open(&world, 3, 1);
    rest();
    assert!(world.asks_before_leaving(3));
    world.set_full(false);
    world.leave(3);
    tab.crashes();
    let _tab = Tab::open(&world, 4, 1);
    rest();
    assert!(
        rows(&world).contains(&"Edited".to_owned()),
        "{:?}",
        rows(&world)
    );
    assert!(!world.asks_before_leaving(4));
}

#[test]
fn edit_of_a_closed_document_without_room_to_leave_it_survives_a_reload_and_closing() {
    let world = world();
    let tab = tab_with(&world, 1, "A");
    rest();
    world.set_notes_full(true);
    tab.sets_title("A, edited");
    tab.opens_text("B");
    world.leave(1);
    tab.crashes();
    let tab = Tab::open(&world, 2, 1);
    rest();
    assert!(!world.asks_before_leaving(2));
    tab.crashes();
    world.close(1);
    let _tab = Tab::open(&world, 3, 3);
    rest();
    assert!(
        rows(&world).contains(&"A, edited".to_owned()),
        "{:?}",
        rows(&world)
    );
}

#[test]
fn edit_without_room_to_leave_it_survives_a_reload_and_closing_is_asked_about() {
    let world = world();
    let tab = tab_with(&world, 1, "A");
    assert!(!world.asks_before_leaving(1));
    world.set_notes_full(true);
    tab.sets_title("A, edited");
    assert!(world.asks_before_leaving(1));
    world.leave(1);
    tab.crashes();
    let tab = Tab::open(&world, 2, 1);
    assert_eq!(tab.title(), "A, edited");
    rest();
    assert_eq!(rows(&world), ["A, edited"]);
    assert!(!world.asks_before_leaving(2));
    // Nothing older comes back.
    tab.sets_title("A, edited again");
    rest();
    tab.crashes();
    let tab = Tab::open(&world, 3, 1);
    rest();
    assert_eq!(
        (tab.title(), rows(&world)),
        (
            "A, edited again".to_owned(),
            vec!["A, edited again".to_owned()]
        )
    );
}
