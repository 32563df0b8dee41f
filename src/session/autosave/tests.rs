use super::*;

const HOUR: f64 = 60.0 * 60.0 * 1000.0;

/// A state machine and its environment.
struct Tab {
    autosave: Autosave,
    now: Moment,
    persists: bool,
}

impl Tab {
    /// Creates a tab that has just opened document `a` and been granted its lock.
    fn new() -> Self {
        let mut tab = Self::asking();
        assert_eq!(tab.locked("a", true), [Command::Wait]);
        assert!(tab.receives(Input::Due).is_empty(), "nothing is unsaved");
        tab
    }

    fn asking() -> Self {
        let (autosave, commands) = Autosave::new(Entry::new("a".to_owned()), Ok(()));
        assert_eq!(commands, [Command::Acquire("a".to_owned(), RELOADED)]);
        let now = Moment {
            time: HOUR,
            title: "T".to_owned(),
            unused_id: "b".to_owned(),
            page_id: "page".to_owned(),
        };
        Self {
            autosave,
            now,
            persists: false,
        }
    }

    /// Returns the resulting commands; writes without their basis.
    fn receives(&mut self, input: Input) -> Vec<Command> {
        let mut commands = self.autosave.step(input, &self.now);
        for command in &mut commands {
            if let Command::Write { entry, basis, .. } = command {
                assert!(basis.writes(entry));
                *basis = Basis::of(&Entry::new(String::new()));
            }
        }
        commands
    }

    fn locked(&mut self, id: &str, granted: bool) -> Vec<Command> {
        let id = id.to_owned();
        self.receives(Input::Locked { id, granted })
    }

    /// Ends the write in progress.
    fn written(&mut self, commits: u64, result: Result<bool, &str>) -> Vec<Command> {
        let entry = self.autosave.entry().clone();
        self.receives(Input::Written {
            entry,
            commits,
            result: result.map_err(str::to_owned),
            is_image_missing: false,
        })
    }

    /// Returns the command that puts the entry's text into local storage, based on this written
    /// revision and these pending ones.
    fn left(&self, id: &str, seen: f64, pending: &[f64]) -> Command {
        Command::Leave(id.to_owned(), self.basis(seen, pending))
    }

    fn basis(&self, seen: f64, pending: &[f64]) -> Basis {
        let row = |revision: f64| Entry {
            revision,
            changed: self.now.time,
            writer: Some(self.now.page_id.clone()),
            ..Entry::new(String::new())
        };
        let mut basis = Basis::of(&row(seen));
        for revision in pending {
            basis.begin(&row(*revision));
        }
        basis
    }

    /// Makes an edit, and expects the resulting write.
    fn edited(&mut self) -> Vec<Command> {
        self.types();
        self.receives(Input::Due)
    }

    /// Makes an edit that is gathered. After the first one, the browser is asked for persistent
    /// storage.
    fn types(&mut self) {
        let commands = self.receives(Input::Edited);
        let persist = (!std::mem::replace(&mut self.persists, true)).then_some(Command::Persist);
        let expected: Vec<Command> = [Command::Wait].into_iter().chain(persist).collect();
        assert_eq!(commands, expected);
    }

    fn write(&self, id: &str, revision: f64, commits: u64, keep: Keep) -> Command {
        Command::Write {
            entry: Entry {
                title: self.now.title.clone(),
                changed: self.now.time,
                revision,
                writer: Some(self.now.page_id.clone()),
                ..Entry::new(id.to_owned())
            },
            basis: Basis::of(&Entry::new(String::new())),
            commits,
            keep,
            has_image: id != "a",
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
fn edits_during_a_write_are_saved_by_the_next_write() {
    let mut tab = Tab::new();
    let first = tab.write("a", 1.0, 1, Keep::Before);
    assert_eq!(tab.edited(), [first]);
    assert!(tab.edited().is_empty(), "one write at a time");
    assert!(tab.edited().is_empty());
    let second = tab.write("a", 2.0, 3, Keep::Nothing);
    assert_eq!(tab.written(1, Ok(true)), [second]);
    assert_eq!(tab.autosave.saved(), Saved::Writing);
    assert_eq!(tab.written(3, Ok(true)), forgotten("a"));
    assert_eq!(tab.autosave.saved(), Saved::Yes);
    assert!(tab.autosave.is_written());
}

#[test]
fn full_storage_is_reported_until_a_write_succeeds() {
    let mut tab = Tab::new();
    tab.edited();
    assert_eq!(tab.written(1, Err("full")), [Command::Retry(1_000)]);
    assert_eq!(tab.autosave.saved(), Saved::Failed("full".to_owned()));
    tab.types();
    assert_eq!(tab.autosave.saved(), Saved::Failed("full".to_owned()));
    let again = tab.write("a", 2.0, 2, Keep::Nothing);
    assert_eq!(tab.receives(Input::Due), [again]);
    assert_eq!(tab.written(2, Ok(true)), forgotten("a"));
    assert_eq!(tab.autosave.saved(), Saved::Yes);
}

#[test]
fn failed_writes_are_retried_with_growing_delays() {
    let mut tab = Tab::new();
    let first = tab.write("a", 1.0, 1, Keep::Before);
    assert_eq!(tab.edited(), [first]);
    for (revision, delay) in (2..).zip([1, 2, 4, 8, 16, 30, 30]) {
        assert_eq!(tab.written(1, Err("full")), [Command::Retry(delay * 1_000)]);
        assert!(!tab.autosave.is_writing());
        let again = tab.write("a", f64::from(revision), 1, Keep::Nothing);
        assert_eq!(tab.receives(Input::Retry), [again]);
    }
    // A write caused by an edit in the meantime requests no second timer.
    tab.written(1, Err("full"));
    tab.edited();
    assert!(tab.written(2, Err("full")).is_empty());
    tab.receives(Input::Retry);
    assert_eq!(tab.written(2, Ok(true)), forgotten("a"));
    assert_eq!(tab.autosave.saved(), Saved::Yes);
    tab.edited();
    assert_eq!(tab.written(3, Err("full")), [Command::Retry(1_000)]);
}

#[test]
fn hanging_writes_are_reported_until_they_end() {
    let mut tab = Tab::new();
    tab.edited();
    let first = tab.autosave.entry().clone();
    tab.receives(Input::Slow(first.clone()));
    assert!(matches!(tab.autosave.saved(), Saved::Failed(_)));
    tab.written(1, Ok(true));
    assert_eq!(tab.autosave.saved(), Saved::Yes);
    tab.edited();
    tab.receives(Input::Slow(first));
    assert_eq!(tab.autosave.saved(), Saved::Writing, "that one has ended");
}

#[test]
fn restore_points_can_be_created_manually() {
    let mut tab = Tab::new();
    tab.edited();
    let keep = Input::Keep("mine".to_owned());
    assert_eq!(
        tab.receives(keep),
        [Command::Wait],
        "after the write under way"
    );
    let write = tab.write("a", 2.0, 2, Keep::Now("mine".to_owned()));
    assert_eq!(tab.written(1, Ok(true)), [write]);
    assert_eq!(tab.written(2, Ok(true)), forgotten("a"));
}

#[test]
fn missing_storage_is_reported_and_nothing_is_written() {
    let (autosave, _) = Autosave::new(Entry::new("a".to_owned()), Err("none".to_owned()));
    let mut tab = Tab {
        autosave,
        ..Tab::asking()
    };
    tab.locked("a", true);
    assert!(tab.edited().is_empty());
    assert_eq!(tab.autosave.saved(), Saved::Failed("none".to_owned()));
    let left = tab.left("a", 0.0, &[]);
    assert_eq!(tab.receives(Input::Left), [left]);
    // Nor is the next document written.
    tab.receives(switched(false));
    tab.locked("c", true);
    assert_eq!(tab.autosave.saved(), Saved::Failed("none".to_owned()));
    assert!(tab.edited().is_empty());
    assert_eq!(tab.autosave.saved(), Saved::Failed("none".to_owned()));
}

#[test]
fn edits_become_a_copy_if_another_tab_has_written() {
    let mut tab = Tab::new();
    tab.edited();
    let mut expected = branched("b").to_vec();
    expected.push(tab.write("b", 1.0, 1, Keep::Nothing));
    assert_eq!(tab.written(1, Ok(false)), expected);
    assert_eq!(tab.autosave.hold(), Hold::Copy);
    tab.locked("b", true);
    assert_eq!(tab.autosave.hold(), Hold::Copy, "until the designer knows");
    assert_eq!(tab.written(1, Ok(true)), forgotten("b"));
    tab.receives(Input::CopyKnown);
    assert_eq!(tab.autosave.hold(), Hold::Here);
}

#[test]
fn writes_wait_for_the_lock_and_become_a_copy_if_denied() {
    let mut tab = Tab::asking();
    assert!(tab.edited().is_empty(), "it is asked for");
    assert_eq!(tab.locked("a", false), [Command::Wait]);
    assert_eq!(tab.autosave.hold(), Hold::Elsewhere);
    let mut expected = branched("b").to_vec();
    expected.push(tab.write("b", 1.0, 1, Keep::Nothing));
    assert_eq!(tab.receives(Input::Due), expected);
    // A copy is written even if it can't be locked.
    tab.locked("b", false);
    assert_eq!(tab.autosave.hold(), Hold::Copy);
}

#[test]
fn losing_the_lock_suspends_writing_until_the_next_edit() {
    let mut tab = Tab::new();
    tab.edited();
    tab.written(1, Ok(true));
    assert_eq!(tab.locked("a", false), [Command::Wait]);
    assert_eq!(tab.autosave.hold(), Hold::Elsewhere);
    assert!(tab.receives(Input::Due).is_empty(), "nothing is unsaved");
    assert_eq!(tab.autosave.entry().id, "a");
    tab.edited();
    assert_eq!(tab.autosave.entry().id, "b");
}

#[test]
fn pending_writes_end_before_the_document_becomes_a_copy() {
    let mut tab = Tab::new();
    tab.edited();
    tab.locked("a", false);
    assert!(tab.edited().is_empty());
    assert_eq!(tab.autosave.entry().id, "a");
    let mut expected = branched("b").to_vec();
    expected.push(tab.write("b", 1.0, 2, Keep::Nothing));
    assert_eq!(tab.written(1, Ok(true)), expected);
}

#[test]
fn document_is_written_before_another_tab_takes_it_over() {
    let mut tab = Tab::new();
    tab.types();
    assert!(tab.receives(Input::Wanted("other".to_owned())).is_empty());
    let write = tab.write("a", 1.0, 1, Keep::Before);
    assert_eq!(tab.receives(Input::Wanted("a".to_owned())), [write]);
    assert_eq!(tab.autosave.hold(), Hold::Here);
    let mut expected = forgotten("a");
    expected.extend([Command::Release, Command::Wait]);
    assert_eq!(tab.written(1, Ok(true)), expected);
    assert_eq!(tab.autosave.hold(), Hold::Elsewhere);
}

#[test]
fn closing_during_a_write_keeps_other_tabs_work_as_a_copy() {
    let mut tab = Tab::new();
    tab.edited();
    tab.locked("a", false);
    let commands = tab.receives(switched(false));
    let closes =
        |command: &Command| matches!(command, Command::Close { entry, .. } if entry.id == "b");
    assert!(commands.iter().any(closes), "{commands:?}");
}

#[test]
fn another_tab_gets_the_document_even_if_writing_fails() {
    let mut tab = Tab::new();
    tab.types();
    tab.receives(Input::Wanted("a".to_owned()));
    let expected = [Command::Retry(1_000), Command::Release, Command::Wait];
    assert_eq!(tab.written(1, Err("full")), expected);
    assert_eq!(tab.autosave.hold(), Hold::Elsewhere);
}

#[test]
fn leaving_the_page_saves_unsaved_text_synchronously() {
    let mut tab = Tab::new();
    assert!(tab.receives(Input::Left).is_empty(), "nothing is unsaved");
    tab.types();
    let left = tab.left("a", 0.0, &[1.0]);
    let write = tab.write("a", 1.0, 1, Keep::Before);
    assert_eq!(tab.receives(Input::Left), [left.clone(), write]);
    tab.receives(Input::Lost("full".to_owned()));
    assert_eq!(tab.autosave.saved(), Saved::Failed("full".to_owned()));
    // The write has not ended: again, the text in local storage is all there is.
    assert_eq!(tab.receives(Input::Left), [left]);
    assert_eq!(tab.written(1, Ok(true)), forgotten("a"));
    assert_eq!(tab.autosave.saved(), Saved::Yes);
}

#[test]
fn leaving_the_page_keeps_edits_of_a_locked_document_as_a_copy() {
    let mut tab = Tab::asking();
    tab.locked("a", false);
    tab.types();
    let mut expected = branched("b").to_vec();
    expected.push(tab.left("b", 0.0, &[1.0]));
    expected.push(tab.write("b", 1.0, 1, Keep::Nothing));
    assert_eq!(tab.receives(Input::Left), expected);
}

#[test]
fn restore_points_are_created_periodically() {
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
        tab.written(commits, Ok(true));
    }
    assert_eq!(kept, [1, 12, 23]);
}

fn switched(is_example: bool) -> Input {
    Input::Switch {
        next: Entry::new("c".to_owned()).into(),
        why: "before".to_owned(),
        is_example,
    }
}

#[test]
fn replaced_documents_are_kept_with_a_restore_point() {
    let mut tab = Tab::new();
    tab.edited();
    let under_way = tab.autosave.entry().clone();
    let closed = Entry {
        title: "T".to_owned(),
        changed: HOUR,
        revision: 2.0,
        writer: Some(tab.now.page_id.clone()),
        ..Entry::new("a".to_owned())
    };
    let acquire = Command::Acquire("c".to_owned(), RELOADED);
    let basis = tab.basis(0.0, &[1.0, 2.0]);
    let close = Command::Close {
        entry: closed.clone(),
        basis,
        keep: Keep::Now("before".to_owned()),
        has_image: false,
    };
    assert_eq!(tab.receives(switched(true)), [close, acquire]);
    let origin = Origin {
        entry: closed,
        basis: tab.basis(0.0, &[1.0, 2.0]),
    };
    assert_eq!(tab.autosave.closed(), Some(&origin));
    assert_eq!(tab.autosave.hold(), Hold::Asking);
    assert!(tab.autosave.is_written());
    // A write of the old document doesn't affect the new one.
    let ended = Input::Written {
        entry: under_way,
        commits: 1,
        result: Err("full".to_owned()),
        is_image_missing: false,
    };
    assert!(tab.receives(ended).is_empty());
    assert!(tab.locked("a", false).is_empty());
    assert_eq!(tab.autosave.saved(), Saved::No);
    tab.receives(Input::Lost("full".to_owned()));
    assert_eq!(tab.autosave.saved(), Saved::Failed("full".to_owned()));
}

#[test]
fn untouched_examples_are_discarded_and_unchanged_documents_kept() {
    let acquire = Command::Acquire("c".to_owned(), RELOADED);
    let discarded = Command::Discard(Entry::new("a".to_owned()));
    assert_eq!(
        Tab::new().receives(switched(true)),
        [discarded, acquire.clone()]
    );
    // Another tab may have edited it.
    let mut second = Tab::asking();
    second.locked("a", false);
    assert_eq!(
        second.receives(switched(true)),
        [Command::Release, acquire.clone()]
    );
    assert_eq!(
        Tab::new().receives(switched(false)),
        [Command::Release, acquire]
    );
}

#[test]
fn unsaved_closed_documents_are_reported() {
    let mut tab = Tab::new();
    tab.receives(switched(true));
    tab.locked("c", true);
    tab.receives(Input::Pending(Some("full".to_owned())));
    assert_eq!(tab.autosave.saved(), Saved::Failed("full".to_owned()));
    tab.edited();
    tab.written(1, Ok(true));
    assert_eq!(tab.autosave.saved(), Saved::Failed("full".to_owned()));
    tab.receives(Input::Pending(None));
    assert_eq!(tab.autosave.saved(), Saved::Yes);
}

fn taken_over(granted: bool) -> Input {
    let entry = Entry {
        revision: 7.0,
        ..Entry::new("a".to_owned())
    };
    Input::TakenOver { entry, granted }
}

#[test]
fn taken_over_documents_continue_from_the_other_tabs_state() {
    let mut tab = Tab::asking();
    tab.locked("a", false);
    assert!(tab.receives(Input::TakeOver).is_empty());
    assert!(tab.receives(taken_over(true)).is_empty());
    assert_eq!(tab.autosave.hold(), Hold::Here);
    assert_eq!(tab.edited(), [tab.write("a", 8.0, 1, Keep::Before)]);
}

#[test]
fn edits_before_a_takeover_are_kept_as_a_copy() {
    let mut tab = Tab::asking();
    tab.locked("a", false);
    tab.types();
    let left = tab.left("a", 0.0, &[]);
    assert_eq!(tab.receives(Input::TakeOver), std::slice::from_ref(&left));
    assert!(tab.receives(Input::TakeOver).is_empty(), "it goes on");
    tab.types();
    assert_eq!(tab.receives(Input::Due), [left], "no copy yet");
    let copy = Entry {
        title: "T".to_owned(),
        changed: HOUR,
        revision: 1.0,
        writer: Some(tab.now.page_id.clone()),
        ..Entry::new("b".to_owned())
    };
    let mut expected = vec![Command::KeepCopy(copy)];
    expected.extend(forgotten("a"));
    assert_eq!(tab.receives(taken_over(true)), expected);
    assert_eq!(tab.autosave.entry().id, "a");
    assert!(tab.receives(Input::Due).is_empty(), "nothing is unsaved");
    // If it can't be taken over, the copy continues.
    let mut tab = Tab::asking();
    tab.locked("a", false);
    tab.receives(Input::TakeOver);
    tab.types();
    assert_eq!(tab.receives(Input::NotTakenOver), [Command::Wait]);
    let mut expected = branched("b").to_vec();
    expected.push(tab.write("b", 1.0, 1, Keep::Nothing));
    assert_eq!(tab.receives(Input::Due), expected);
}

#[test]
fn image_is_written_with_the_text_until_that_succeeds() {
    let mut tab = Tab::new();
    let has_image = |commands: &[Command]| match commands {
        [Command::Write { has_image, .. }] => *has_image,
        other => panic!("{other:?}"),
    };
    tab.receives(Input::ImageUnsaved);
    assert!(has_image(&tab.edited()));
    tab.written(1, Err("full"));
    assert!(has_image(&tab.receives(Input::Retry)));
    // Changed again during a write.
    tab.receives(Input::ImageUnsaved);
    tab.types();
    assert!(has_image(&tab.written(1, Ok(true))));
    tab.written(2, Ok(true));
    assert!(!has_image(&tab.edited()), "it is stored");
}

#[test]
fn image_that_another_tab_owns_is_changed_in_a_copy() {
    let mut tab = Tab::asking();
    tab.locked("a", false);
    tab.receives(Input::ImageUnsaved);
    tab.types();
    let write = tab.write("b", 1.0, 1, Keep::Nothing);
    let [release, acquire] = branched("b");
    assert_eq!(tab.receives(Input::Flush), [release, acquire, write]);
}
