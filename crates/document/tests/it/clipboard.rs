//! Copying and pasting blocks and records, within a document and between documents.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use std::collections::BTreeSet;
use taskloom_document::{BlockId, Clip, Document, Edit, Frame, Name, Pasted, Point, RecordRef};
use testkit::domain::{document, example};

const TWO_ROOMS: &str = "
type place
object shed: place
fact at(?p: place)
fact lit
condition near(?p: place): at(?p) or lit
action Walk(?p: place) 3
primitive walk(?p: place) = Walk(?p)
  pre not near(?p)
  eff at(?p)
compound go(?to: place)
  block b begin
  block q branch lit
  block w task walk(?to)
  block g task go(shed)
  block e end
  wire b.out -> q
  wire q.true -> w
  wire q.false -> g
  wire w.out -> e
  wire g.out -> e
";

fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

fn blocks(ids: &str) -> BTreeSet<BlockId> {
    ids.split(' ')
        .map(|id| id.parse().expect("an id"))
        .collect()
}

fn records(refs: &str) -> BTreeSet<RecordRef> {
    refs.split(' ')
        .map(|r| r.parse().expect("a record"))
        .collect()
}

/// Returns the clip after a round trip through the clipboard.
fn over_clipboard(clip: Option<Clip>) -> Clip {
    let clip = clip.expect("something to copy");
    let read = Clip::from_text(&clip.to_text()).expect("what was written is read");
    assert_eq!(read, clip);
    read
}

fn paste(into: &Document, clip: &Clip, task: Option<&str>, keep: bool) -> (Document, Pasted) {
    let mut count = 0;
    let fresh = &mut || {
        count += 1;
        format!("n{count}").parse().expect("an id")
    };
    let at = Some(Point { x: 1000, y: 0 });
    let pasted = into.paste(clip, task.map(name).as_ref(), at, keep, fresh);
    let pasted = pasted.expect("it can be pasted");
    let after = into.apply(&Edit::Batch(pasted.edits.clone()));
    (after.expect("an edit that can be made"), pasted)
}

/// Returns the text of a method, one line per block and wire.
fn method(document: &Document, task: &str) -> String {
    let task = name(task);
    let method = &document.compound_tasks[&task].method;
    let blocks = method.blocks.iter().map(|(id, block)| {
        let muted = if method.muted.contains(id) {
            " muted"
        } else {
            ""
        };
        format!(
            "{id} {block:?} at {}{muted}",
            document.layout.block(&task, id)
        )
    });
    let wires = method.wires.iter().map(|wire| wire.to_string());
    blocks.chain(wires).collect::<Vec<_>>().join("\n")
}

fn words(all: &[RecordRef]) -> String {
    let all: Vec<String> = all.iter().map(RecordRef::to_string).collect();
    all.join(" ")
}

#[test]
fn blocks_get_new_ids_and_keep_the_wires_between_them() {
    let before = document(TWO_ROOMS);
    let go = name("go");
    let mute = Edit::Mute(go.clone(), vec!["w".parse().expect("an id")], true);
    let before = before.apply(&mute).expect("w can be muted");
    let clip = before.copy_blocks(&go, &blocks("b q w"), &BTreeSet::new());
    let clip = over_clipboard(clip);
    assert_eq!(clip.words(), "2 blocks", "a method begins once");
    let (after, pasted) = paste(&before, &clip, Some("go"), false);
    assert_eq!(pasted.blocks, blocks("n1 n2"));
    expect![[r#"
        b Begin at 0,0
        e End at 0,0
        g Task { call: "go(shed)", repeat: None, repeat_while: "", timeout: None, retry: None, background: false, on_abort: "" } at 0,0
        n1 Branch { condition: "lit" } at 1000,0
        n2 Task { call: "walk(?to)", repeat: None, repeat_while: "", timeout: None, retry: None, background: false, on_abort: "" } at 1000,0 muted
        q Branch { condition: "lit" } at 0,0
        w Task { call: "walk(?to)", repeat: None, repeat_while: "", timeout: None, retry: None, background: false, on_abort: "" } at 0,0 muted
        b.out -> q
        q.true -> w
        q.false -> g
        w.out -> e
        g.out -> e
        n1.true -> n2"#]]
    .assert_eq(&method(&after, "go"));

    let (after, _) = paste(&before, &clip, Some("go"), true);
    let wires = &after.compound_tasks[&go].method.wires;
    let last = wires.last().map(ToString::to_string);
    assert_eq!(last.as_deref(), Some("b.out -> n1"), "the incoming wire");
}

#[test]
fn pastes_missing_dependencies() {
    let before = document(TWO_ROOMS);
    let clip = before.copy_blocks(&name("go"), &blocks("w"), &BTreeSet::new());
    let clip = over_clipboard(clip);
    let other = document("fact lit\nfact at\ncompound home\n  block b begin");
    let (after, pasted) = paste(&other, &clip, Some("home"), true);
    assert_eq!(
        words(&pasted.brought),
        "type:place condition:near action:Walk primitive:walk"
    );
    assert_eq!(words(&pasted.others), "fact:at", "it has parameters there");
    assert_eq!(pasted.unbound, [name("to")]);
    expect![[r#"
        b Begin at 0,0
        n1 Task { call: "walk(?to)", repeat: None, repeat_while: "", timeout: None, retry: None, background: false, on_abort: "" } at 1000,0"#]]
    .assert_eq(&method(&after, "home"));
    let again = after.paste(&clip, Some(&name("home")), None, true, &mut || {
        "again".parse().expect("an id")
    });
    let again = again.expect("it can be pasted");
    assert_eq!(words(&again.brought), "", "it is all there now");
}

#[test]
fn pasted_records_get_free_names_and_keep_their_references() {
    let before = document(TWO_ROOMS);
    let both = records("compound:go primitive:walk");
    let clip = over_clipboard(before.copy_records(&both));
    let (after, pasted) = paste(&before, &clip, None, false);
    assert_eq!(pasted.records, records("compound:go-2 primitive:walk-2"));
    assert_eq!(words(&pasted.brought) + &words(&pasted.others), "");
    expect![[r#"
        b Begin at 0,0
        e End at 0,0
        g Task { call: "go-2(shed)", repeat: None, repeat_while: "", timeout: None, retry: None, background: false, on_abort: "" } at 0,0
        q Branch { condition: "lit" } at 0,0
        w Task { call: "walk-2(?to)", repeat: None, repeat_while: "", timeout: None, retry: None, background: false, on_abort: "" } at 0,0
        b.out -> q
        q.true -> w
        q.false -> g
        w.out -> e
        g.out -> e"#]]
    .assert_eq(&method(&after, "go-2"));
    let (_, again) = paste(&after, &clip, None, false);
    assert_eq!(again.records, records("compound:go-3 primitive:walk-3"));

    let (empty, pasted) = paste(&Document::default(), &clip, None, false);
    assert_eq!(pasted.records, both, "where a name is free it stays");
    assert_eq!(empty.compound_tasks, before.compound_tasks);
    assert_eq!(empty.layout, before.layout);
}

#[test]
fn pastes_frames_without_exact_overlap() {
    let go = name("go");
    let frame = Frame {
        at: Point { x: -20, y: -60 },
        size: Point { x: 300, y: 200 },
        title: "by foot".to_owned(),
        ..Frame::default()
    };
    let id = |text: &str| text.parse::<BlockId>().expect("an id");
    let aside = vec![(id("g"), Point { x: 900, y: 0 })];
    let edit = Edit::Batch(vec![
        Edit::SetFrame(Some(go.clone()), id("f"), Some(frame)),
        Edit::MoveBlocks(go.clone(), aside),
    ]);
    let before = document(TWO_ROOMS).apply(&edit).expect("a frame");
    let clip = before.copy_blocks(&go, &blocks("e g q w"), &blocks("f"));
    let clip = over_clipboard(clip);
    assert_eq!(clip.words(), "4 blocks");
    let mut count = 0;
    let fresh = &mut || {
        count += 1;
        id(&format!("n{count}"))
    };
    let pasted = before.paste(&clip, Some(&go), None, false, fresh);
    let pasted = pasted.expect("it can be pasted");
    assert_eq!(pasted.frames, blocks("n5"));
    let after = before.apply(&Edit::Batch(pasted.edits)).expect("an edit");
    let frame = after.layout.frames(Some(&go)).get(&id("n5"));
    assert_eq!(frame.map(|frame| frame.at), Some(Point { x: 20, y: -20 }));
    assert_eq!(after.layout.block(&go, &id("n2")), Point { x: 940, y: 40 });
    assert_eq!(after.layout.block(&go, &id("n1")), Point { x: 40, y: 40 });
}

fn refused(text: &str, expected: Expect) {
    let error = Clip::from_text(text).expect_err("it is refused");
    expected.assert_eq(&error.to_string());
}

#[test]
fn timeouts_of_blocks_copied_by_an_older_version_keep_their_meaning() {
    let text = r#"{ "taskloom_clip": 1, "document": { "taskloom": 3 }, "blocks":
        { "method": { "blocks": { "a": { "kind": "task", "call": "rest", "timeout": 5 } } }, "at": { "a": "1,2" } } }"#;
    let written = Clip::from_text(text).expect("a clip").to_text();
    assert!(written.contains("\"timeout\": 4"), "{written}");
}

#[test]
fn rejects_invalid_clips_with_the_reason() {
    let ours = "The clipboard has nothing copied from Taskloom.";
    for text in ["", "walk(box)", "{}", "[1, 2", "{ \"taskloom\": 4 }"] {
        let error = Clip::from_text(text).expect_err("it is refused");
        assert_eq!(error.to_string(), ours, "{text}");
    }
    refused(
        r#"{ "taskloom_clip": 1, "records": ["#,
        expect![
            "The clipboard content is damaged: line 1, column 35: the text ends inside a list, before its ']'."
        ],
    );
    refused(
        r#"{ "taskloom_clip": 2, "document": { "taskloom": 4 } }"#,
        expect!["The clipboard content is damaged: it comes from a newer version of Taskloom."],
    );
    refused(
        r#"{ "taskloom_clip": 1, "records": ["fact:at"], "document": { "taskloom": 4 } }"#,
        expect!["The clipboard content is damaged: In records: fact:at does not exist."],
    );
    refused(
        r#"{ "taskloom_clip": 1, "records": 7, "document": { "taskloom": 4 } }"#,
        expect![
            "The clipboard content is damaged: In records: invalid type: integer `7`, expected a list, [ ... ]."
        ],
    );
    refused(
        r#"{ "taskloom_clip": 1, "document": { "taskloom": 4, "facts": { "and": {} } } }"#,
        expect!["The clipboard content is damaged: 'and' is a reserved word and cannot be a name."],
    );
    refused(
        r#"{ "taskloom_clip": 1, "document": { "taskloom": 4 },
             "blocks": { "method": { "blocks": { "a": { "kind": "end" } } }, "at": { "z": "1,2" } } }"#,
        expect!["The clipboard content is damaged: In blocks: there is no block z."],
    );
}

#[test]
fn blocks_need_an_open_method() {
    let before = document(TWO_ROOMS);
    let clip = before.copy_blocks(&name("go"), &blocks("w"), &BTreeSet::new());
    let refusal = before.paste(&over_clipboard(clip), None, None, false, &mut || {
        "new".parse().expect("an id")
    });
    let message = refusal.expect_err("there is no method").message;
    assert_eq!(
        message,
        "Open the method of a compound task to paste blocks into it."
    );
    assert!(
        before
            .copy_blocks(&name("go"), &blocks("b"), &BTreeSet::new())
            .is_none()
    );
    assert!(before.copy_records(&records("fact:gone")).is_none());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is copied from an example and pasted anywhere leaves a valid document in which the
    /// copies have the meaning of the originals.
    #[test]
    fn any_records_can_be_pasted_anywhere(numbers in prop::collection::vec(any::<usize>(), 1..6), guard: bool) {
        let (ball, night) = (example("ball-in-the-box"), example("night-guard"));
        let all: Vec<RecordRef> = ball.records().collect();
        let chosen = numbers.iter().map(|n| all[n % all.len()].clone()).collect();
        let clip = over_clipboard(ball.copy_records(&chosen));
        let into = if guard { &night } else { &ball };
        let (after, pasted) = paste(into, &clip, None, false);
        prop_assert_eq!(after.invariants(), Ok(()));
        prop_assert_eq!(pasted.records.len(), chosen.len());
        prop_assert!(pasted.records.iter().all(|r| after.contains(r) && !into.contains(r)));
        if !guard {
            prop_assert!(pasted.brought.is_empty() && pasted.others.is_empty());
        }
    }
}

#[test]
fn renamed_records_are_renamed_in_all_parts_of_a_clip() {
    let document = document(TWO_ROOMS);
    let clip = document.copy_blocks(&name("go"), &blocks("q w g"), &BTreeSet::new());
    let mut clip = over_clipboard(clip.map(|clip| clip.with_source("abc")));
    assert_eq!(clip.source(), Some("abc"));
    for (record, to) in [
        ("primitive:walk", "stroll"),
        ("compound:go", "travel"),
        ("object:shed", "hut"),
        ("fact:lit", "bright"),
    ] {
        clip.rename(&record.parse().expect("a record"), &name(to))
            .expect("a free name");
    }
    let mut renamed = document;
    for (record, to) in [
        ("primitive:walk", "stroll"),
        ("compound:go", "travel"),
        ("object:shed", "hut"),
        ("fact:lit", "bright"),
    ] {
        let edit = Edit::Rename(record.parse().expect("a record"), name(to));
        renamed = renamed.apply(&edit).expect("a free name");
    }
    let expected = renamed.copy_blocks(&name("travel"), &blocks("q w g"), &BTreeSet::new());
    assert_eq!(
        over_clipboard(Some(clip.clone())),
        expected.expect("blocks").with_source("abc")
    );
    let unchanged = clip.clone();
    clip.rename(
        &records("type:nobody").first().expect("one").clone(),
        &name("place"),
    )
    .expect("it isn't in the clip");
    assert!(
        clip.rename(
            &records("fact:bright").first().expect("one").clone(),
            &name("near")
        )
        .is_err()
    );
    assert_eq!(clip, unchanged);
}
