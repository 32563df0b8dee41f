//! Random sequences of edits: the document's invariants hold after each one, undo and redo give the
//! same bytes, a written document is read back unchanged, and an edited domain has the same meaning
//! as one that is read from the whole document.

use std::cell::RefCell;
use std::collections::BTreeMap;

use meaning::Meanings;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use taskloom_document::{Document, Edit, History};
use taskloom_domain::Domain;
use testkit::counts::{is_sample, on_all_cores, seeds};
use testkit::properties;

mod edited;
mod edits;
mod meaning;
mod records;
mod targeting;

/// A file with something of every kind to edit.
const EVERY_KIND: &str = include_str!("../../../../../tests/files/v1/every-kind.taskloom.json");

fn variant(edit: &Edit) -> String {
    let text = format!("{edit:?}");
    let end = text.find(|c: char| !c.is_alphanumeric());
    text[..end.unwrap_or(text.len())].to_owned()
}

/// The number of times that each variant was made and refused.
type Counts = BTreeMap<String, [u32; 2]>;

fn run(
    start: Document,
    edits: &[(Edit, Option<u16>)],
    counts: &mut Counts,
    meanings: &mut Meanings,
) -> Result<(), TestCaseError> {
    let first = start.to_json();
    let mut history = History::new("open", start);
    let mut domain = Domain::from(history.current().clone());
    for (edit, number) in edits {
        let before = history.current().clone();
        let edit = match number {
            Some(number) => targeting::aim(edit, &before, usize::from(*number)),
            None => edit.clone(),
        };
        let result = before.apply(&edit);
        counts.entry(variant(&edit)).or_default()[usize::from(result.is_err())] += 1;
        if let Ok(next) = result {
            prop_assert_eq!(next.invariants(), Ok(()));
            meaning::look(&before, &next, &edit, meanings)?;
            history.commit("edit", next);
            edited::look(&mut domain, history.current(), &edit)?;
        }
    }
    let last = history.current().to_json();
    let read = Document::from_json(&last);
    prop_assert_eq!(read.as_ref(), Ok(&**history.current()));
    let written_again = read.map(|document| document.to_json());
    prop_assert_eq!(written_again.as_ref(), Ok(&last));
    while history.undo().is_some() {}
    prop_assert_eq!(history.current().to_json(), first);
    while history.redo().is_some() {}
    prop_assert_eq!(history.current().to_json(), last);
    Ok(())
}

/// Runs a sequence of edits, and counts the results.
fn run_sequence(every_kind: &Document, seed: u64) -> (Counts, Meanings) {
    let counts = RefCell::new((Counts::new(), Meanings::default()));
    let step = (edits::edit(), option::weighted(0.8, any::<u16>()));
    let sequences = (any::<bool>(), vec(step, 1..16));
    properties::check(seed, &sequences, |(empty, edits)| {
        let start = match empty {
            true => Document::default(),
            false => every_kind.clone(),
        };
        let (counts, meanings) = &mut *counts.borrow_mut();
        run(start, &edits, counts, meanings)
    });
    counts.into_inner()
}

#[test]
fn edited_domains_match_new_ones() {
    let every_kind = Document::from_json(EVERY_KIND).expect("the file opens");
    let runs = on_all_cores(seeds(10_000), |seed| run_sequence(&every_kind, seed));
    // Some edits are rarely refused.
    let are_many = runs.len() >= 5_000;
    let (mut counts, mut meanings) = (Counts::new(), Meanings::default());
    for (some, of_some) in runs {
        meanings.kept += of_some.kept;
        meanings.changed += of_some.changed;
        for (edit, [made, refused]) in some {
            let total = counts.entry(edit).or_default();
            *total = [total[0] + made, total[1] + refused];
        }
    }
    if is_sample() {
        return;
    }
    assert_eq!(counts.len(), 26, "an edit was never tried: {counts:?}");
    for (edit, [made, refused]) in &counts {
        assert!(*made > 5, "{edit} was made {made} times: {counts:?}");
        assert!(
            *refused > 0 || edit == "SetInfo" || !are_many,
            "{edit} was never refused"
        );
    }
    let Meanings { kept, changed } = meanings;
    assert!(
        kept > 100 && changed > 100,
        "kept {kept}, changed {changed}"
    );
    println!("meanings kept: {kept}, changed: {changed}");
    println!("made and refused: {counts:?}");
}
