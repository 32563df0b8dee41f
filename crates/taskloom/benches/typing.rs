//! Measures what a keystroke costs in a large document: `cargo bench -p taskloom --bench typing`.

use std::fmt::Write;
use std::sync::Arc;

use divan::Bencher;
use taskloom_document::{Document, Edit, Field, Kind, Name, RecordRef};
use taskloom_domain::Domain;
use taskloom_domain::check::{check, check_record};

/// Returns a document with this many records, most of them tasks that use ten facts.
fn document(records: usize) -> Document {
    let mut text = r#"{ "taskloom": 4, "facts": {"#.to_owned();
    for fact in 0..10 {
        let comma = if fact == 0 { "" } else { "," };
        let _ = write!(text, r#"{comma} "f{fact}": {{ "value": "boolean" }}"#);
    }
    text += r#" }, "primitive_tasks": {"#;
    for task in 0..records - 10 {
        let (needed, set) = (task % 10, (task + 1) % 10);
        let comma = if task == 0 { "" } else { "," };
        let _ = write!(
            text,
            r#"{comma} "t{task}": {{ "preconditions": ["f{needed} and not f{set}"], "effects": [{{ "text": "f{set}" }}] }}"#
        );
    }
    text += " } }";
    Document::from_json(&text).expect("a document")
}

/// The task whose precondition is typed.
fn edited() -> RecordRef {
    let name: Name = "t7".parse().expect("a name");
    RecordRef::new(Kind::PrimitiveTask, name)
}

/// Returns a document with its meaning, all of it read, and the document after a keystroke.
fn typed(records: usize) -> (Domain, Arc<Document>) {
    let document = Arc::new(document(records));
    let domain = Domain::from(document.clone());
    assert!(check(&domain).is_empty());
    let edit = Edit::SetText(edited(), Field::Precondition(0), "f7 or f8".to_owned());
    let after = Arc::new(document.apply(&edit).expect("an edit"));
    (domain, after)
}

const RECORDS: [usize; 3] = [100, 1_000, 5_000];

fn main() {
    divan::main();
}

/// Types the edited record again, and keeps the meaning of all others.
#[divan::bench(args = RECORDS)]
fn keystroke(bencher: Bencher, records: usize) {
    let (domain, after) = typed(records);
    bencher.bench(|| check_record(&domain.edited(after.clone()), &edited()));
}

/// Checks all records after a keystroke, as the editor does.
#[divan::bench(args = RECORDS)]
fn keystroke_and_check(bencher: Bencher, records: usize) {
    let (domain, after) = typed(records);
    bencher.bench(|| check(&domain.edited(after.clone())));
}

/// Reads and checks the whole document.
#[divan::bench(args = RECORDS)]
fn whole(bencher: Bencher, records: usize) {
    let (_, after) = typed(records);
    bencher.bench(|| check(&Domain::from(after.clone())));
}
