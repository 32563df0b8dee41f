//! Copied parts, whose names follow their document.

use std::collections::BTreeSet;

use taskloom_document::{Clip, Document, Edit, Kind, Name, RecordRef};
use testkit::domain::document;

use super::*;
use crate::session::Clipboard;

const ROOMS: &str = "
type place
object shed: place
fact at(?p: place)
action Walk(?p: place) 3
primitive walk(?p: place) = Walk(?p)
  eff at(?p)
compound go(?to: place)
  block b begin
  block w task walk(shed)
  block g task go(shed)
  wire b.out -> w
  wire w.out -> g
";

fn name(text: &str) -> Name {
    text.parse().unwrap()
}

fn task(text: &str) -> RecordRef {
    RecordRef::new(Kind::PrimitiveTask, name(text))
}

impl Tab {
    fn with_rooms(world: &World) -> Self {
        let tab = Self::open(world, 1, 1);
        tab.does(|session, _| session.open_document(document(ROOMS)));
        rest();
        tab
    }

    /// Copies the block that calls `walk`. Returns the text in the clipboard.
    fn copies(&self) -> String {
        let document = self.session.document_untracked();
        let blocks = BTreeSet::from(["w".parse().unwrap()]);
        let clip = document.copy_blocks(&name("go"), &blocks, &BTreeSet::new());
        self.does(|session, _| session.note_copied(clip.unwrap()))
    }

    fn renames(&self, from: &str, to: &str) {
        self.does(|session, _| session.rename(&task(from), to).unwrap());
    }

    /// Returns the calls of the method after pasting, and the records that were pasted, too.
    fn pastes(&self, clip: &Clip) -> (Vec<String>, Vec<String>) {
        let document = self.session.document_untracked();
        let fresh = &mut || "n".parse().unwrap();
        let pasted = document.paste(clip, Some(&name("go")), None, false, fresh);
        let pasted = pasted.unwrap();
        let after = document.apply(&Edit::Batch(pasted.edits)).unwrap();
        let brought = pasted.brought.iter().map(ToString::to_string).collect();
        (calls(&after), brought)
    }

    fn reads(&self, text: &str) -> Clipboard {
        self.session.read_clipboard(text).unwrap()
    }
}

/// Returns the texts of the calls in the method.
fn calls(document: &Document) -> Vec<String> {
    let blocks = document.compound_tasks[&name("go")].method.blocks.values();
    let texts = blocks.flat_map(|block| block.texts().map(|(.., text)| text.to_owned()));
    texts.filter(|text| !text.is_empty()).collect()
}

#[test]
fn pasted_block_calls_the_task_that_was_renamed_since_copying() {
    let world = World::new(1);
    let tab = Tab::with_rooms(&world);
    let text = tab.copies();
    tab.renames("walk", "stroll");
    let object = RecordRef::new(Kind::Object, name("shed"));
    tab.does(|session, _| session.rename(&object, "hut").unwrap());
    let expected = ["go(hut)", "stroll(hut)", "stroll(hut)"].map(str::to_owned);
    let newest = tab.session.newest_copied().unwrap();
    let (mut called, brought) = tab.pastes(&newest.clip);
    called.sort();
    assert_eq!((called, brought), (expected.to_vec(), vec![]));
    // The window lost the focus, so the clipboard is read.
    tab.does(|session, _| session.doubt_copied());
    assert!(tab.session.newest_copied().is_none());
    let read = tab.reads(&text.replace('\n', "\r\n"));
    assert!(read.is_current);
    assert_eq!(read.clip, newest.clip);
    // Another task has got the old name since.
    tab.renames("stroll", "amble");
    tab.does(|session, _| {
        let fresh = session.document_untracked().get(&task("amble")).unwrap();
        session.commit("Add walk", Edit::Add(name("walk"), fresh));
    });
    let (called, brought) = tab.pastes(&tab.reads(&text).clip);
    assert!(called.contains(&"amble(hut)".to_owned()) && brought.is_empty());
    assert!(
        !called.iter().any(|call| call.starts_with("walk")),
        "{called:?}"
    );
}

#[test]
fn copied_block_follows_undo_and_redo_of_a_rename() {
    let world = World::new(1);
    let tab = Tab::with_rooms(&world);
    let text = tab.copies();
    let pastes = |call: &str| {
        let (called, brought) = tab.pastes(&tab.reads(&text).clip);
        let count = called.iter().filter(|called| *called == call).count();
        assert_eq!((count, brought), (2, vec![]), "{call} in {called:?}");
    };
    tab.renames("walk", "stroll");
    tab.does(|session, _| session.undo());
    pastes("walk(shed)");
    tab.does(|session, _| session.redo());
    pastes("stroll(shed)");
    // A deleted task is pasted, too.
    tab.does(|session, _| session.commit("Delete", Edit::Remove(task("stroll"))));
    let (_, brought) = tab.pastes(&tab.reads(&text).clip);
    assert_eq!(brought, ["primitive:stroll"]);
}

#[test]
fn renames_elsewhere_are_not_followed() {
    let world = World::new(1);
    let tab = Tab::with_rooms(&world);
    let text = tab.copies();
    let first = tab.id();
    tab.renames("walk", "stroll");
    tab.does(|session, _| session.open_document(document(ROOMS)));
    tab.renames("walk", "run");
    let read = tab.reads(&text);
    assert!(read.is_current, "another document has its own names");
    assert!(
        tab.pastes(&read.clip)
            .0
            .contains(&"stroll(shed)".to_owned())
    );
    // Nobody followed the document while it was closed.
    rest();
    tab.does(|session, _| session.open_kept(first));
    rest();
    assert!(!tab.reads(&text).is_current);
    let (world, slot) = (tab.world.clone(), tab.slot);
    world.leave(tab.number);
    tab.crashes();
    let tab = Tab::open(&world, 2, slot);
    let read = tab.reads(&text);
    assert!(!read.is_current, "after a reload");
    assert_eq!(tab.pastes(&read.clip).1, ["primitive:walk"]);
}
