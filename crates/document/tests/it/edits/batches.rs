//! Edits of a batch that are applied together: the result is that of one after the other.

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::sample::{Index, subsequence};
use taskloom_document::{Block, Document, Edit, Name, Point, RecordRef, Wire};

use super::{BALL, block, name, record};

const GUARD: &str = include_str!("../../../../../public/examples/night-guard.taskloom.json");
const HUNTER: &str = include_str!("../../../../../public/examples/hunter.taskloom.json");

fn example(number: usize) -> Document {
    let text = [BALL, GUARD, HUNTER][number % 3];
    Document::from_json(text).expect("the file opens")
}

/// Returns the result of applying edits one after the other.
fn one_by_one(document: &Document, edits: &[Edit]) -> Result<Document, String> {
    let mut document = document.clone();
    for edit in edits {
        document = document.apply(edit).map_err(|error| error.message)?;
    }
    Ok(document)
}

fn check_batch(document: &Document, edits: Vec<Edit>) -> Result<(), TestCaseError> {
    let expected = one_by_one(document, &edits);
    let together = document
        .apply(&Edit::Batch(edits))
        .map_err(|error| error.message);
    prop_assert_eq!(together, expected);
    Ok(())
}

/// The task whose method is changed.
fn tangle() -> Name {
    name("tangle")
}

/// Returns a document with a method of these wires between eight blocks.
fn tangled(wires: &[Wire]) -> Document {
    let task = record("compound:tangle");
    let empty = Document::from_json(r#"{ "taskloom": 3, "compound_tasks": { "tangle": {} } }"#);
    let mut document = empty.expect("a document");
    assert!(document.contains(&task));
    for number in 0..8 {
        let edit = Edit::AddBlock {
            task: tangle(),
            id: block(&format!("b{number}")),
            block: Block::Branch {
                condition: String::new(),
            },
            at: Point::default(),
        };
        document = document.apply(&edit).expect("an edit");
    }
    for wire in wires {
        let next = document.apply(&Edit::Connect(tangle(), wire.clone()));
        document = next.unwrap_or(document);
    }
    document
}

fn any_wire() -> impl Strategy<Value = Wire> {
    (0..9, 0..9, prop::bool::ANY).prop_map(|(from, to, port)| {
        let wire = format!("b{from}.{port} -> b{to}");
        wire.parse().expect("a wire")
    })
}

fn any_wires() -> impl Strategy<Value = Vec<Wire>> {
    prop::collection::vec(any_wire(), 0..24)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn wires_are_drawn_like_one_by_one(before in any_wires(), drawn in any_wires()) {
        let edits = drawn.into_iter().map(|wire| Edit::Connect(tangle(), wire));
        check_batch(&tangled(&before), edits.collect())?;
    }

    #[test]
    fn wires_are_drawn_all_if_they_close_no_cycle(order in subsequence((0..8).collect::<Vec<_>>(), 1..8)) {
        let wires = order.windows(2).map(|pair| format!("b{}.true -> b{}", pair[0], pair[1]));
        let edits = wires.map(|wire| Edit::Connect(tangle(), wire.parse().expect("a wire")));
        let edits: Vec<Edit> = edits.collect();
        prop_assert!(one_by_one(&tangled(&[]), &edits).is_ok());
        check_batch(&tangled(&[]), edits)?;
    }

    #[test]
    fn wires_are_bent_and_removed_like_one_by_one(
        wires in any_wires(),
        chosen in prop::collection::vec(any::<Index>(), 0..6),
        strange in prop::option::of(any_wire()),
    ) {
        let document = tangled(&wires);
        let known = &document.compound_tasks[&tangle()].method.wires;
        let chosen = chosen.iter().filter(|_| !known.is_empty());
        let mut chosen: Vec<Wire> = chosen.map(|index| index.get(known).clone()).collect();
        let bend = |(n, wire): (usize, &Wire)| {
            let points = vec![Point { x: n as i32, y: 7 }; n % 3];
            Edit::Bend(tangle(), wire.clone(), points)
        };
        let bends: Vec<Edit> = chosen.iter().chain(&strange).enumerate().map(bend).collect();
        check_batch(&document, bends)?;
        chosen.extend(strange);
        let edits = chosen.into_iter().map(|wire| Edit::Disconnect(tangle(), wire));
        check_batch(&document, edits.collect())?;
    }

    #[test]
    fn blocks_are_removed_like_one_by_one(wires in any_wires(), order in Just((0..9).collect::<Vec<_>>()).prop_shuffle(), count in 0..9usize) {
        let document = tangled(&wires);
        let ids = order.iter().take(count).map(|number| block(&format!("b{number}")));
        let ids: Vec<_> = ids.collect();
        let single: Vec<Edit> = ids
            .iter()
            .map(|id| Edit::RemoveBlocks(tangle(), vec![id.clone()]))
            .collect();
        let expected = one_by_one(&document, &single);
        let together = document.apply(&Edit::RemoveBlocks(tangle(), ids));
        prop_assert_eq!(together.map_err(|error| error.message), expected);
    }

    #[test]
    fn records_are_removed_like_one_by_one(number in 0..3usize, chosen in prop::collection::vec(any::<Index>(), 1..8)) {
        let document = example(number);
        let all: Vec<RecordRef> = document.records().collect();
        let chosen: Vec<RecordRef> = chosen.iter().map(|index| index.get(&all).clone()).collect();
        let edits = chosen.iter().cloned().map(Edit::RemoveWithUses);
        check_batch(&document, edits.collect())?;
        let distinct: BTreeSet<RecordRef> = chosen.into_iter().collect();
        let edits = distinct.into_iter().map(Edit::RemoveWithUses);
        check_batch(&document, edits.collect())?;
    }
}

#[test]
fn uses_of_many_records_are_those_of_each() {
    for number in 0..3 {
        let document = example(number);
        let all: Vec<RecordRef> = document.records().collect();
        let each: Vec<_> = all.iter().map(|record| document.uses(record)).collect();
        assert_eq!(document.uses_of_each(&all), each);
    }
}

#[test]
fn all_records_are_removed_like_one_by_one() {
    for number in 0..3 {
        let document = example(number);
        let mut all: Vec<Edit> = document.records().map(Edit::RemoveWithUses).collect();
        check_batch(&document, all.clone()).expect("the same result");
        all.reverse();
        check_batch(&document, all).expect("the same result");
    }
}
