//! Find and replace in names and texts.

use expect_test::{Expect, expect};
use taskloom_document::{Document, Edit, Found, Pattern};
use testkit::domain::{document, example};

const BOX: &str = "
object box
fact box_open
fact at(?boxed: object)
primitive open-box
  pre not box_open
  eff box_open
compound get
  block b begin
  block x task open-box
  block y branch at(box) and boxes
  wire b.out -> x
  wire x.out -> y
";

fn pattern(find: &str, replace: &str) -> Pattern {
    Pattern {
        find: find.to_owned(),
        replace: replace.to_owned(),
        case: false,
    }
}

fn listed(found: &[Found]) -> String {
    let lines = found
        .iter()
        .map(|f| format!("{:?}: {} -> {}", f.place, f.before, f.after));
    let short = |line: String| line.replace("RecordRef { kind: ", "").replace("name: ", "");
    lines.map(short).collect::<Vec<_>>().join("\n")
}

fn replace(document: &Document, found: &[Found]) -> Result<Document, String> {
    let edits = document.replace_found(found).map_err(|e| e.message)?;
    document.apply(&Edit::Batch(edits)).map_err(|e| e.message)
}

#[test]
fn finds_names_variables_and_texts() {
    let found = document(BOX).find(&pattern("BOX", "crate"));
    expect![[r#"
        Name(Object, "box" }): box -> crate
        Variable(Fact, "at" }, "boxed"): boxed -> crateed
        Name(Fact, "box_open" }): box_open -> crate_open
        Name(PrimitiveTask, "open-box" }): open-box -> open-crate
        Text(PrimitiveTask, "open-box" }, Precondition(0)): not box_open -> not crate_open
        Text(PrimitiveTask, "open-box" }, Effect(0)): box_open -> crate_open
        Text(CompoundTask, "get" }, BlockText(BlockId("x"))): open-box -> open-crate
        Text(CompoundTask, "get" }, BlockText(BlockId("y"))): at(box) and boxes -> at(crate) and cratees"#]].assert_eq(&listed(&found));
    assert!(document(BOX).find(&pattern("", "x")).is_empty());
    let exact = Pattern {
        case: true,
        ..pattern("BOX", "crate")
    };
    assert!(document(BOX).find(&exact).is_empty());
}

fn check(find: &str, to: &str, keep: fn(&Found) -> bool, expected: Expect) {
    let before = document(BOX);
    let mut found = before.find(&pattern(find, to));
    found.retain(keep);
    let shown = replace(&before, &found).map(|after| {
        assert_eq!(after.invariants(), Ok(()));
        let texts = after.texts().into_iter().map(|t| t.text);
        let texts: Vec<String> = texts.filter(|t| !t.is_empty()).collect();
        texts.join("\n")
    });
    expected.assert_eq(&shown.unwrap_or_else(|reason| reason));
}

#[test]
fn replaces_matches_and_renames_all_uses() {
    check(
        "box",
        "crate",
        |_| true,
        expect![[r#"
        not crate_open
        crate_open
        open-crate
        at(crate) and cratees"#]],
    );
    // Only the names: their uses follow, and all other text stays.
    let names = |f: &Found| f.before == "box" || f.before == "open-box";
    check(
        "box",
        "boxbox",
        names,
        expect![[r#"
        not box_open
        box_open
        open-boxbox
        at(boxbox) and boxes"#]],
    );
    check(
        "box",
        "2",
        |_| true,
        expect!["'2' is not a name: a name is a letter, then letters, digits, '_' or '-'"],
    );
    check(
        "open-box",
        "get",
        |_| true,
        expect!["there is already a compound task 'get'"],
    );
}

#[test]
fn replacing_back_and_forth_restores_the_file() {
    let before = example("ball-in-the-box");
    let exact = |find, replace| Pattern {
        case: true,
        ..pattern(find, replace)
    };
    let there = replace(&before, &before.find(&exact("box", "crate"))).expect("it can be");
    assert_ne!(there, before);
    assert!(there.find(&exact("box", "")).is_empty());
    let back = replace(&there, &there.find(&exact("crate", "box"))).expect("it can be");
    assert!(back.to_json() == before.to_json(), "not the same file");
}
