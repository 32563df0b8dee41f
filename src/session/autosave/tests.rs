use super::*;

const HOUR: f64 = 60.0 * 60.0 * 1000.0;

/// A machine, and the world around it.
struct Tab {
    autosave: Autosave,
    now: Moment,
}

impl Tab {
    /// One that has just opened document `a`, and been granted its lock.
    fn new() -> Self {
        let mut tab = Self::asking();
        assert_eq!(tab.locked("a", true), [Command::Wait]);
        assert!(tab.hears(Input::Due).is_empty(), "nothing is unsaved");
        tab
    }

    fn asking() -> Self {
        let (autosave, commands) = Autosave::new(Entry::new("a".to_owned()), Ok(()));
        assert_eq!(commands, [Command::Acquire("a".to_owned(), RELOADED)]);
        let now = Moment {
            time: HOUR,
            title: "T".to_owned(),
            unused_id: "b".to_owned(),
        };
        Self { autosave, now }
    }

    fn hears(&mut self, input: Input) -> Vec<Command> {
        self.autosave.step(input, &self.now)
    }

    fn locked(&mut self, id: &str, granted: bool) -> Vec<Command> {
        let id = id.to_owned();
        self.hears(Input::Locked { id, granted })
    }

    fn written(&mut self, id: &str, commits: u64, result: Result<bool, &str>) -> Vec<Command> {
        self.hears(Input::Written {
            id: id.to_owned(),
            commits,
            result: result.map_err(str::to_owned),
        })
    }

    /// An edit, and the write that it leads to.
    fn edited(&mut self) -> Vec<Command> {
        assert_eq!(self.hears(Input::Edited), [Command::Wait]);
        self.hears(Input::Due)
    }

    fn write(&self, id: &str, revision: f64, commits: u64, keep: Keep) -> Command {
        Command::Write {
            entry: Entry {
                title: self.now.title.clone(),
                changed: self.now.time,
                revision,
                ..Entry::new(id.to_owned())
            },
            commits,
            keep,
        }
    }
}

fn forgotten(id: &str) -> Vec<Command> {
    vec![Command::ForgetLeft(id.to_owned())]
}

fn branched(id: &str) -> [Command; 2] {
    [Command::Release, Command::Acquire(id.to_owned(), 0)]
}

#[test]
fn what_is_edited_while_a_write_is_under_way_is_written_by_the_next() {
    let mut tab = Tab::new();
    let first = tab.write("a", 1.0, 1, Keep::Before);
    assert_eq!(tab.edited(), [first]);
    assert!(tab.edited().is_empty(), "one write at a time");
    assert!(tab.edited().is_empty());
    let second = tab.write("a", 2.0, 3, Keep::Nothing);
    assert_eq!(tab.written("a", 1, Ok(true)), [second]);
    assert_eq!(*tab.autosave.saved(), Saved::Writing);
    assert_eq!(tab.written("a", 3, Ok(true)), forgotten("a"));
    assert_eq!(*tab.autosave.saved(), Saved::Yes);
    assert!(tab.autosave.is_written());
}

#[test]
fn a_full_storage_is_told_until_a_write_succeeds() {
    let mut tab = Tab::new();
    tab.edited();
    assert!(tab.written("a", 1, Err("full")).is_empty());
    assert_eq!(*tab.autosave.saved(), Saved::Failed("full".to_owned()));
    assert_eq!(tab.hears(Input::Edited), [Command::Wait]);
    assert_eq!(*tab.autosave.saved(), Saved::Failed("full".to_owned()));
    let again = tab.write("a", 2.0, 2, Keep::Nothing);
    assert_eq!(tab.hears(Input::Due), [again]);
    assert_eq!(tab.written("a", 2, Ok(true)), forgotten("a"));
    assert_eq!(*tab.autosave.saved(), Saved::Yes);
}

#[test]
fn without_storage_nothing_is_written_and_that_is_told() {
    let (autosave, _) = Autosave::new(Entry::new("a".to_owned()), Err("none".to_owned()));
    let mut tab = Tab {
        autosave,
        ..Tab::asking()
    };
    tab.locked("a", true);
    assert!(tab.edited().is_empty());
    assert_eq!(*tab.autosave.saved(), Saved::Failed("none".to_owned()));
    assert_eq!(tab.hears(Input::Left), [Command::Leave("a".to_owned())]);
}

#[test]
fn where_another_tab_has_written_what_is_edited_here_becomes_a_copy() {
    let mut tab = Tab::new();
    tab.edited();
    let mut expected = branched("b").to_vec();
    expected.push(tab.write("b", 1.0, 1, Keep::Nothing));
    assert_eq!(tab.written("a", 1, Ok(false)), expected);
    assert_eq!(tab.autosave.hold(), Hold::Copy);
    tab.locked("b", true);
    assert_eq!(tab.autosave.hold(), Hold::Copy, "until the designer knows");
    assert_eq!(tab.written("b", 1, Ok(true)), forgotten("b"));
    tab.hears(Input::CopyKnown);
    assert_eq!(tab.autosave.hold(), Hold::Here);
}

#[test]
fn nothing_is_written_before_the_lock_is_granted_and_a_copy_where_it_is_refused() {
    let mut tab = Tab::asking();
    assert!(tab.edited().is_empty(), "it is asked for");
    assert_eq!(tab.locked("a", false), [Command::Wait]);
    assert_eq!(tab.autosave.hold(), Hold::Elsewhere);
    let mut expected = branched("b").to_vec();
    expected.push(tab.write("b", 1.0, 1, Keep::Nothing));
    assert_eq!(tab.hears(Input::Due), expected);
    // A copy that cannot even be locked is written all the same.
    tab.locked("b", false);
    assert_eq!(tab.autosave.hold(), Hold::Copy);
}

#[test]
fn a_lock_that_is_taken_away_ends_the_writing_until_something_is_edited() {
    let mut tab = Tab::new();
    tab.edited();
    tab.written("a", 1, Ok(true));
    assert_eq!(tab.locked("a", false), [Command::Wait]);
    assert_eq!(tab.autosave.hold(), Hold::Elsewhere);
    assert!(tab.hears(Input::Due).is_empty(), "nothing is unsaved");
    assert_eq!(tab.autosave.entry().id, "a");
    tab.edited();
    assert_eq!(tab.autosave.entry().id, "b");
}

#[test]
fn a_write_under_way_ends_before_what_lost_its_lock_becomes_a_copy() {
    let mut tab = Tab::new();
    tab.edited();
    tab.locked("a", false);
    assert!(tab.edited().is_empty());
    assert_eq!(tab.autosave.entry().id, "a");
    let mut expected = branched("b").to_vec();
    expected.push(tab.write("b", 1.0, 2, Keep::Nothing));
    assert_eq!(tab.written("a", 1, Ok(true)), expected);
}

#[test]
fn another_tab_gets_the_document_once_it_is_written() {
    let mut tab = Tab::new();
    tab.hears(Input::Edited);
    assert!(tab.hears(Input::Wanted("other".to_owned())).is_empty());
    let write = tab.write("a", 1.0, 1, Keep::Before);
    assert_eq!(tab.hears(Input::Wanted("a".to_owned())), [write]);
    assert_eq!(tab.autosave.hold(), Hold::Here);
    let mut expected = forgotten("a");
    expected.extend([Command::Release, Command::Wait]);
    assert_eq!(tab.written("a", 1, Ok(true)), expected);
    assert_eq!(tab.autosave.hold(), Hold::Elsewhere);
}

#[test]
fn another_tab_gets_the_document_even_where_it_cannot_be_written() {
    let mut tab = Tab::new();
    tab.hears(Input::Edited);
    tab.hears(Input::Wanted("a".to_owned()));
    let expected = [Command::Release, Command::Wait];
    assert_eq!(tab.written("a", 1, Err("full")), expected);
    assert_eq!(tab.autosave.hold(), Hold::Elsewhere);
}

#[test]
fn a_page_that_is_left_keeps_what_is_unsaved_where_that_needs_no_time() {
    let mut tab = Tab::new();
    assert!(tab.hears(Input::Left).is_empty(), "nothing is unsaved");
    tab.hears(Input::Edited);
    let left = Command::Leave("a".to_owned());
    let write = tab.write("a", 1.0, 1, Keep::Before);
    assert_eq!(tab.hears(Input::Left), [left.clone(), write]);
    tab.hears(Input::Lost("full".to_owned()));
    assert_eq!(*tab.autosave.saved(), Saved::Failed("full".to_owned()));
    // The write has not ended: once more the text is all that is kept.
    assert_eq!(tab.hears(Input::Left), [left]);
    assert_eq!(tab.written("a", 1, Ok(true)), forgotten("a"));
    assert_eq!(*tab.autosave.saved(), Saved::Yes);
}

#[test]
fn a_page_that_is_left_keeps_what_another_tab_has_as_a_copy() {
    let mut tab = Tab::asking();
    tab.locked("a", false);
    tab.hears(Input::Edited);
    let mut expected = branched("b").to_vec();
    expected.push(Command::Leave("b".to_owned()));
    expected.push(tab.write("b", 1.0, 1, Keep::Nothing));
    assert_eq!(tab.hears(Input::Left), expected);
}

#[test]
fn a_restore_point_is_kept_at_intervals() {
    let mut tab = Tab::new();
    let mut kept = vec![];
    for commits in 1..=25 {
        tab.now.time += 60_000.0;
        let commands = tab.edited();
        let [Command::Write { keep, .. }] = commands.as_slice() else {
            panic!("{commands:?}");
        };
        if *keep == Keep::Before {
            kept.push(commits);
        }
        tab.written("a", commits, Ok(true));
    }
    assert_eq!(kept, [1, 12, 23]);
}

fn switched(is_example: bool) -> Input {
    Input::Switch {
        next: Entry::new("c".to_owned()),
        why: "before".to_owned(),
        is_example,
    }
}

#[test]
fn another_document_gets_the_place_of_one_that_is_kept_with_a_restore_point() {
    let mut tab = Tab::new();
    tab.edited();
    let closed = Entry {
        title: "T".to_owned(),
        changed: HOUR,
        revision: 2.0,
        ..Entry::new("a".to_owned())
    };
    let acquire = Command::Acquire("c".to_owned(), RELOADED);
    let close = Command::Close(closed.clone(), Keep::Now("before".to_owned()));
    assert_eq!(tab.hears(switched(true)), [close, acquire]);
    assert_eq!(tab.autosave.closed(), Some(&closed));
    assert_eq!(tab.autosave.hold(), Hold::Asking);
    assert!(tab.autosave.is_written());
    // What was under way for the old one says nothing of the new one.
    assert!(tab.written("a", 1, Err("full")).is_empty());
    assert!(tab.locked("a", false).is_empty());
    assert_eq!(*tab.autosave.saved(), Saved::No);
    tab.hears(Input::Lost("full".to_owned()));
    assert_eq!(*tab.autosave.saved(), Saved::Failed("full".to_owned()));
}

#[test]
fn an_untouched_example_leaves_the_list_and_what_is_unchanged_stays_as_it_is() {
    let acquire = Command::Acquire("c".to_owned(), RELOADED);
    let discarded = Command::Discard("a".to_owned());
    assert_eq!(
        Tab::new().hears(switched(true)),
        [discarded, acquire.clone()]
    );
    assert_eq!(
        Tab::new().hears(switched(false)),
        [Command::Release, acquire]
    );
}

#[test]
fn a_document_that_is_taken_over_is_written_on_as_it_was_there() {
    let mut tab = Tab::asking();
    tab.locked("a", false);
    let entry = Entry {
        revision: 7.0,
        ..Entry::new("a".to_owned())
    };
    let granted = true;
    assert!(tab.hears(Input::TakenOver { entry, granted }).is_empty());
    assert_eq!(tab.autosave.hold(), Hold::Here);
    assert_eq!(tab.edited(), [tab.write("a", 8.0, 1, Keep::Before)]);
}
