//! Files on the disk, which other programs and other tabs change, too.

use super::*;
use crate::session::ChangedFile;

impl Tab {
    /// Opens the document of a file, and waits.
    fn with_file(world: &World, title: &str) -> (Self, usize) {
        let tab = Self::open(world, 1, 1);
        let disk = world.add_file(&file(title));
        tab.opens_file(Pick::File(disk));
        rest();
        assert_eq!(tab.title(), title);
        (tab, disk)
    }

    /// Returns the changed file that the user is asked about.
    pub fn asks_about(&self) -> Option<ChangedFile> {
        self.session.desk.boxes.changed_file.get_untracked()
    }

    /// Answers the question about the changed file, as its dialog does.
    pub fn answers(&self, act: impl FnOnce(Session, FileState, ChangedFile)) {
        let changed = self.asks_about().expect("a question");
        self.does(|session, files| {
            session.end_file_question();
            act(session, files, changed);
        });
    }

    /// Edits and saves the document, and waits.
    fn edits_and_saves(&self, title: &str) {
        self.sets_title(title);
        self.saves();
        rest();
    }
}

fn title_on(world: &World, disk: usize) -> String {
    title_in(&world.file(disk).text)
}

#[test]
fn file_that_another_program_changed_is_overwritten_only_on_request() {
    let world = World::new(1);
    let (tab, disk) = Tab::with_file(&world, "A");
    world.change_file(disk, &file("Pulled"));
    for _ in 0..2 {
        tab.edits_and_saves("A, edited");
        assert_eq!(title_on(&world, disk), "Pulled");
        let changed = tab.asks_about().expect("a question");
        assert_eq!(changed.name, "0.taskloom.json");
        tab.answers(|_, _, _| {});
    }
    tab.saves();
    rest();
    tab.answers(|session, files, changed| files.overwrite(session, changed));
    rest();
    assert_eq!(title_on(&world, disk), "A, edited");
    assert_eq!(tab.messages().last().unwrap(), "Saved to the file.");
    tab.edits_and_saves("A, edited again");
    assert_eq!(title_on(&world, disk), "A, edited again");
    assert_eq!(tab.asks_about(), None);
}

#[test]
fn file_that_changes_while_the_question_is_open_is_asked_about_again() {
    let world = World::new(1);
    let (tab, disk) = Tab::with_file(&world, "A");
    world.change_file(disk, &file("Pulled"));
    tab.edits_and_saves("A, edited");
    world.change_file(disk, &file("Pulled again"));
    tab.answers(|session, files, changed| files.overwrite(session, changed));
    rest();
    assert_eq!(title_on(&world, disk), "Pulled again");
    assert!(tab.asks_about().is_some());
}

#[test]
fn changed_file_is_opened_and_the_document_stays_in_the_list() {
    let world = World::new(1);
    let (tab, disk) = Tab::with_file(&world, "A");
    world.change_file(disk, &file("Pulled"));
    tab.edits_and_saves("A, edited");
    let id = tab.id();
    tab.answers(|session, files, _| files.open_changed(session));
    rest();
    assert_eq!(
        (tab.title(), title_on(&world, disk)),
        ("Pulled".to_owned(), "Pulled".to_owned())
    );
    assert_eq!(rows(&world), ["A, edited", "Pulled"]);
    tab.edits_and_saves("Pulled, edited");
    assert_eq!(title_on(&world, disk), "Pulled, edited");
    // The first document is still of the same file, which has changed since.
    tab.does(|session, _| session.open_kept(id));
    rest();
    tab.edits_and_saves("A, edited again");
    assert_eq!(title_on(&world, disk), "Pulled, edited");
    assert!(tab.asks_about().is_some());
}

#[test]
fn saving_elsewhere_leaves_the_changed_file_alone() {
    let world = World::new(1);
    let (tab, disk) = Tab::with_file(&world, "A");
    let other = world.add_file("");
    world.change_file(disk, &file("Pulled"));
    tab.edits_and_saves("A, edited");
    world.pick(Pick::File(other));
    tab.answers(|session, files, _| files.save(session, true));
    rest();
    tab.edits_and_saves("A, edited again");
    assert_eq!(title_on(&world, disk), "Pulled");
    assert_eq!(title_on(&world, other), "A, edited again");
}

#[test]
fn file_that_was_touched_but_not_changed_is_saved_without_a_question() {
    let world = World::new(1);
    let (tab, disk) = Tab::with_file(&world, "A");
    world.change_file(disk, &file("A"));
    tab.edits_and_saves("B");
    assert_eq!(title_on(&world, disk), "B");
    // Another program has already written the same.
    tab.sets_title("C");
    let text = tab.session.file_text();
    world.change_file(disk, &text);
    tab.saves();
    rest();
    assert_eq!(tab.asks_about(), None);
    tab.edits_and_saves("D");
    assert_eq!(title_on(&world, disk), "D");
}

#[test]
fn deleted_file_is_written_again() {
    let world = World::new(1);
    let (tab, disk) = Tab::with_file(&world, "A");
    world.delete_file(disk);
    tab.edits_and_saves("B");
    assert_eq!(title_on(&world, disk), "B");
}

#[test]
fn file_that_another_tab_saved_is_not_overwritten() {
    let world = World::new(1);
    let (first, disk) = Tab::with_file(&world, "A");
    let second = Tab::open(&world, 2, 2);
    second.opens_file(Pick::File(disk));
    rest();
    first.edits_and_saves("First");
    second.edits_and_saves("Second");
    assert_eq!(title_on(&world, disk), "First");
    assert!(second.asks_about().is_some());
}

#[test]
fn file_is_known_after_a_reload_once_its_use_is_allowed() {
    let world = World::new(1);
    let (tab, disk) = Tab::with_file(&world, "A");
    tab.edits_and_saves("A, edited");
    tab.crashes();
    let tab = Tab::open(&world, 2, 1);
    rest();
    world.deny_files(true);
    tab.edits_and_saves("A, denied");
    assert_eq!(title_on(&world, disk), "A, edited");
    let report = tab.files.report.get_untracked().expect("a report");
    assert_eq!(report.title, "Couldn't save a--denied.taskloom.json");
    world.deny_files(false);
    tab.edits_and_saves("A, allowed");
    assert_eq!(title_on(&world, disk), "A, allowed");
    world.change_file(disk, &file("Pulled"));
    tab.crashes();
    let tab = Tab::open(&world, 3, 1);
    rest();
    tab.edits_and_saves("A, edited again");
    assert_eq!(title_on(&world, disk), "Pulled");
    assert!(tab.asks_about().is_some());
}

#[test]
fn file_is_known_in_whichever_way_the_document_is_opened() {
    type Door = fn(&Tab, &str);
    let doors: [(&str, Door); 3] = [
        ("list", |tab, id| {
            tab.opens_text("B");
            rest();
            tab.does(|session, _| session.open_kept(id.to_owned()));
        }),
        ("list at once", |tab, id| {
            tab.opens_text("B");
            tab.does(|session, _| session.open_kept(id.to_owned()));
        }),
        ("bring back", |tab, _| {
            tab.opens_text("B");
            tab.does(|session, _| session.bring_back());
        }),
    ];
    for (door, open) in doors {
        let world = World::new(1);
        let (tab, disk) = Tab::with_file(&world, "A");
        open(&tab, &tab.id());
        rest();
        tab.edits_and_saves("A, edited");
        assert_eq!(title_on(&world, disk), "A, edited", "{door}");
    }
    let world = World::new(1);
    let (first, disk) = Tab::with_file(&world, "A");
    let second = Tab::open(&world, 2, 2);
    rest();
    second.does(|session, _| session.take_over());
    rest();
    second.edits_and_saves("A, taken over");
    assert_eq!(title_on(&world, disk), "A, taken over");
    // The edit of the tab that has lost the document becomes a copy, which is no file's.
    world.pick(Pick::Cancel);
    first.edits_and_saves("A, too late");
    assert_eq!(title_on(&world, disk), "A, taken over");
}

#[test]
fn duplicate_has_no_file() {
    let world = World::new(1);
    let (tab, disk) = Tab::with_file(&world, "A");
    let id = tab.id();
    tab.begins(|session| async move { session.duplicate_kept(&id).await.unwrap() });
    rest();
    assert_eq!(world.keys("file-").len(), 1);
    let ids: Vec<String> = world.keys("text-");
    let copy = ids.iter().find(|key| **key != format!("text-{}", tab.id()));
    let copy = copy.unwrap().trim_start_matches("text-").to_owned();
    tab.does(|session, _| session.open_kept(copy));
    rest();
    tab.edits_and_saves("B");
    assert_eq!(title_on(&world, disk), "A");
}

#[test]
fn document_is_stored_if_its_file_cannot_be() {
    let world = World::new(1);
    world.refuse_files(true);
    let (tab, disk) = Tab::with_file(&world, "A");
    tab.edits_and_saves("A, edited");
    assert_eq!(
        (tab.saved(), rows(&world)),
        (Saved::Yes, vec!["A, edited".to_owned()])
    );
    assert_eq!(title_on(&world, disk), "A, edited");
}

#[test]
fn second_tab_that_saves_to_a_file_makes_no_copy() {
    let world = World::new(1);
    let (first, _) = Tab::with_file(&world, "A");
    let second = Tab::open(&world, 2, 2);
    rest();
    let other = world.add_file("");
    second.saves_as(Pick::File(other));
    rest();
    assert_eq!((second.id(), second.hold()), (first.id(), Hold::Elsewhere));
    assert_eq!(title_on(&world, other), "A");
}

#[test]
fn question_about_a_file_ends_with_its_document() {
    let world = World::new(1);
    let (tab, disk) = Tab::with_file(&world, "A");
    world.change_file(disk, &file("Pulled"));
    tab.edits_and_saves("A, edited");
    assert!(tab.asks_about().is_some());
    tab.opens_text("B");
    assert_eq!(tab.asks_about(), None);
    // A question that comes too late is a report.
    let world = World::new(1);
    let (tab, disk) = Tab::with_file(&world, "A");
    world.change_file(disk, &file("Pulled"));
    tab.sets_title("A, edited");
    tab.saves();
    tab.opens_text("B");
    rest();
    assert_eq!(tab.asks_about(), None);
    assert!(tab.files.report.get_untracked().is_some());
    assert_eq!(title_on(&world, disk), "Pulled");
}
