//! Measures pasting and deleting everything in a large document:
//! `cargo bench -p taskloom --bench bulk`.

use std::collections::BTreeSet;
use std::fmt::Write;

use divan::Bencher;
use taskloom_document::{BlockId, Clip, Document, Edit, Name, RecordRef};

const SIZES: [usize; 3] = [1_000, 2_000, 4_000];

/// Returns a document with this many facts and tasks, and a method of as many blocks in a row.
fn document(size: usize) -> Document {
    let mut text = r#"{ "taskloom": 3, "facts": {"#.to_owned();
    let comma = |number: usize| if number == 0 { "" } else { "," };
    for fact in 0..size / 2 {
        let _ = write!(text, r#"{} "f-{fact}": {{}}"#, comma(fact));
    }
    text += r#" }, "primitive_tasks": {"#;
    for task in 0..size / 2 {
        let _ = write!(
            text,
            r#"{} "t-{task}": {{ "preconditions": ["f-{task} or f-0"], "effects": [{{ "text": "f-{task}" }}] }}"#,
            comma(task)
        );
    }
    text += r#" }, "compound_tasks": { "go": { "method": { "blocks": {"#;
    for block in 0..size {
        let _ = write!(
            text,
            r#"{} "b{block}": {{ "kind": "task", "call": "t-{}" }}"#,
            comma(block),
            block % (size / 2)
        );
    }
    text += r#" }, "wires": ["#;
    for wire in 1..size {
        let _ = write!(
            text,
            r#"{} "b{}.out -> b{wire}""#,
            comma(wire - 1),
            wire - 1
        );
    }
    text += "] } } } }";
    Document::from_json(&text).expect("a document")
}

fn go() -> Name {
    "go".parse().expect("a name")
}

fn blocks(document: &Document) -> BTreeSet<BlockId> {
    let blocks = &document.compound_tasks[&go()].method.blocks;
    blocks.keys().cloned().collect()
}

fn records(document: &Document) -> BTreeSet<RecordRef> {
    document.records().collect()
}

/// Pastes a clip into its document.
fn paste(document: &Document, clip: &Clip) -> Document {
    let mut number = 0;
    let fresh = &mut || {
        number += 1;
        BlockId::new(&format!("n{number}")).expect("an id")
    };
    let pasted = document.paste(clip, Some(&go()), None, false, fresh);
    let edits = pasted.expect("it can be pasted").edits;
    document.apply(&Edit::Batch(edits)).expect("an edit")
}

fn main() {
    divan::main();
}

#[divan::bench(args = SIZES, sample_count = 5)]
fn paste_blocks(bencher: Bencher, size: usize) {
    let document = document(size);
    let clip = document.copy_blocks(&go(), &blocks(&document), &BTreeSet::new());
    let clip = clip.expect("blocks");
    bencher.bench(|| paste(&document, &clip));
}

#[divan::bench(args = SIZES, sample_count = 5)]
fn delete_blocks(bencher: Bencher, size: usize) {
    let document = document(size);
    let edit = Edit::RemoveBlocks(go(), blocks(&document).into_iter().collect());
    bencher.bench(|| document.apply(&edit));
}

#[divan::bench(args = SIZES, sample_count = 5)]
fn paste_records(bencher: Bencher, size: usize) {
    let document = document(size);
    let clip = document.copy_records(&records(&document)).expect("records");
    bencher.bench(|| paste(&document, &clip));
}

#[divan::bench(args = SIZES, sample_count = 5)]
fn delete_records(bencher: Bencher, size: usize) {
    let document = document(size);
    let records = records(&document).into_iter();
    let edit = Edit::Batch(records.map(Edit::RemoveWithUses).collect());
    bencher.bench(|| document.apply(&edit));
}

/// Deletes all facts, whose uses have to be removed from the tasks that remain.
#[divan::bench(args = SIZES, sample_count = 5)]
fn delete_used_records(bencher: Bencher, size: usize) {
    let document = document(size);
    let is_fact = |record: &RecordRef| record.name.as_str().starts_with("f-");
    let records = records(&document).into_iter().filter(is_fact);
    let edit = Edit::Batch(records.map(Edit::RemoveWithUses).collect());
    bencher.bench(|| document.apply(&edit));
}
