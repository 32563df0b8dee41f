//! Files that must open, and open as they were written.

use std::fs;
use std::path::{Path, PathBuf};

use expect_test::{Expect, expect};
use taskloom_core::document::{Document, VERSION};

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(folder);
    let entries = fs::read_dir(&folder).expect("the folder is there");
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.to_string_lossy().ends_with(".taskloom.json"));
    files.sort();
    assert!(!files.is_empty(), "no file in {}", folder.display());
    files
}

#[test]
fn examples_are_written_as_they_are_kept() {
    for file in files("public/examples") {
        let text = fs::read_to_string(&file).expect("an example is UTF-8");
        let document = Document::from_json(&text)
            .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        assert!(
            document.to_json() == text,
            "{} is not as it is written",
            file.display()
        );
    }
}

#[test]
fn files_of_every_version_open() {
    for version in 1..=VERSION {
        for file in files(&format!("tests/files/v{version}")) {
            let text = fs::read_to_string(&file).expect("a frozen file is UTF-8");
            let document = Document::from_json(&text)
                .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            if version == VERSION {
                assert_eq!(document.to_json(), text, "{}", file.display());
            }
        }
    }
}

fn check(text: &str, expected: Expect) {
    match Document::from_json(text) {
        Ok(document) => expected.assert_eq(&document.to_json()),
        Err(error) => expected.assert_eq(&error.to_string()),
    }
}

#[test]
fn a_byte_order_mark_and_missing_parts_are_read() {
    check(
        "\u{feff}{\"taskloom\":1}",
        expect![[r#"
        {
          "taskloom": 1,
          "info": {
            "title": ""
          },
          "layout": {}
        }
    "#]],
    );
}

#[test]
fn what_is_no_file_is_refused_with_the_reason() {
    check(
        "",
        expect!["line 1, column 1: the text ends where a value is expected"],
    );
    check("[]", expect!["a Taskloom file is a JSON object: { ... }"]);
    check(
        "{}",
        expect![[r#"this is no Taskloom file: it does not begin with "taskloom": 1"#]],
    );
    check(
        "{\n  \"taskloom\": 1,\n}",
        expect!["line 3, column 1: expected a key in quotes"],
    );
    check(
        r#"{ "taskloom": "1" }"#,
        expect![[
            r#""taskloom" is the version of the file, a whole number from 1; found string "1""#
        ]],
    );
    check(
        r#"{ "taskloom": 99 }"#,
        expect![
            "the file is of version 99, and this Taskloom reads up to version 1: open it with a newer Taskloom"
        ],
    );
    check(
        &"[".repeat(100_000),
        expect!["line 1, column 128: nested too deep"],
    );
    check(
        &format!(r#"{{ "taskloom": 1, "info": {}"#, "{\"a\":".repeat(100_000)),
        expect!["line 1, column 656: nested too deep"],
    );
}

#[test]
fn what_does_not_fit_is_refused_with_its_place() {
    let file = |rest: &str| format!(r#"{{ "taskloom": 1, {rest} }}"#);
    let method = |rest: &str| {
        file(&format!(
            r#""compound_tasks": {{ "go": {{ "method": {{ {rest} }} }} }}"#
        ))
    };
    check(
        &file(r#""tasks": {}"#),
        expect![
            "In tasks: unknown field `tasks`, expected one of `info`, `types`, `objects`, `facts`, `conditions`, `actions`, `primitive_tasks`, `compound_tasks`, `goals`, `agents`, `scenarios`, `layout`"
        ],
    );
    check(
        &file(r#""facts": { "at": {}, "at": {} }"#),
        expect!["line 1, column 39: 'at' stands twice"],
    );
    check(
        &file(r#""facts": { "at": {}, "AT": {} }"#),
        expect!["In facts: 'AT' and 'at' are the same name; case does not distinguish names"],
    );
    check(
        &file(r#""facts": { "2nd": {} }"#),
        expect![
            "In fact '2nd': '2nd' is not a name: a name is a letter, then letters, digits, '_' or '-'"
        ],
    );
    check(
        &file(r#""facts": { "at": { "params": ["?a: place", "b"] } }"#),
        expect!["In fact 'at', params[1]: 'b' is not a variable: it starts with '?'"],
    );
    check(
        &file(r#""actions": { "Go": { "duration": -1 } }"#),
        expect![
            "In action 'Go', duration: invalid value: integer `-1`, expected a whole number from 0"
        ],
    );
    check(
        &file(r#""facts": { "at": {} }, "conditions": { "At": {} }"#),
        expect!["'at' is both a condition and a fact"],
    );
    check(
        &file(r#""objects": { "and": { "type": "object" } }"#),
        expect!["'and' is a word of the formula language and cannot be a name"],
    );
    check(
        &method(r#""blocks": { "a": { "kind": "loop" } }"#),
        expect![
            "In compound task 'go', method.blocks.a.kind: unknown variant `loop`, expected one of `begin`, `task`, `branch`, `choice`, `bind`, `end`"
        ],
    );
    check(
        &method(r#""blocks": { "a": { "kind": "begin" }, "b": { "kind": "begin" } }"#),
        expect!["In compound task 'go', the flowchart has two Begin blocks"],
    );
    check(
        &method(r#""wires": ["a.out -> b"]"#),
        expect!["In compound task 'go', the wire a.out -> b ends at block a, which does not exist"],
    );
    check(
        &method(r#""wires": ["a to b"]"#),
        expect![
            "In compound task 'go', method.wires[0]: 'a to b' is not a wire: 'block.output -> block'"
        ],
    );
    check(
        &method(
            r#""blocks": { "a": { "kind": "task", "call": "" }, "b": { "kind": "task", "call": "" } },
               "wires": ["a.out -> b", "b.out -> a"]"#,
        ),
        expect!["In compound task 'go', the wires of the flowchart form a cycle"],
    );
    check(
        &file(r#""scenarios": { "s": { "expect": [{ "cost_at_most": 1e999 }] } }"#),
        expect!["line 1, column 69: this is no number, or too large"],
    );
}

#[test]
fn positions_of_what_is_gone_are_left_out() {
    check(
        r#"{ "taskloom": 1, "layout": { "board": { "fact:gone": "1,2" }, "methods": { "gone": { "a": "1,2" } } } }"#,
        expect![[r#"
            {
              "taskloom": 1,
              "info": {
                "title": ""
              },
              "layout": {}
            }
        "#]],
    );
}
