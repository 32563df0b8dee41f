//! Files that must open, with their content unchanged.

use std::fs;
use std::path::{Path, PathBuf};

use expect_test::{Expect, expect};
use taskloom_document::diagnostic::Span;
use taskloom_document::{Document, FilePlaces, VERSION};

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
fn examples_round_trip_unchanged() {
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

/// A task with blocks that time out after 0, 1 and 3 ticks, in a file of a version.
fn timed(version: u64) -> String {
    let blocks = [0, 1, 3].map(|ticks| {
        format!(r#""b{ticks}": {{ "kind": "task", "call": "rest", "timeout": {ticks} }}"#)
    });
    let blocks = blocks.join(", ");
    format!(
        r#"{{ "taskloom": {version}, "compound_tasks": {{ "go": {{ "method": {{ "blocks": {{ {blocks} }} }} }} }} }}"#
    )
}

#[test]
fn timeouts_of_older_files_keep_their_meaning() {
    let timeouts = |version| {
        let document = Document::from_json(&timed(version)).expect("a document");
        let task = document.compound_tasks.values().next().expect("a task");
        let blocks = task.method.blocks.values();
        blocks.map(|block| block.timeout()).collect::<Vec<_>>()
    };
    // A task that took as many ticks as its timeout failed, and a timeout of 0 counted as 1.
    for version in 1..4 {
        assert_eq!(timeouts(version), [Some(0), Some(0), Some(2)]);
    }
    assert_eq!(timeouts(4), [Some(0), Some(1), Some(3)]);
}

#[test]
fn merge_conflicts_are_named() {
    check(
        "{\n  \"taskloom\": 4,\n  \"info\": {},\n<<<<<<< HEAD\n  \"types\": {}\n=======\n>>>>>>> b\n}",
        expect![
            "line 4, column 1: this file has unresolved merge conflicts (line 4: <<<<<<< HEAD)"
        ],
    );
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
        "\u{feff}{\"taskloom\":4}",
        expect![[r#"
        {
          "taskloom": 4,
          "info": {
            "title": ""
          },
          "layout": {}
        }
    "#]],
    );
}

#[test]
fn rejects_other_files_with_the_reason() {
    check(
        "",
        expect!["line 1, column 1: the text ends where a value is expected"],
    );
    check("[]", expect!["a Taskloom file is a JSON object: { ... }"]);
    check(
        "{}",
        expect![[r#"this is not a Taskloom file: it does not begin with "taskloom": 4"#]],
    );
    check(
        "{\n  \"taskloom\": 4,\n}",
        expect!["line 3, column 1: expected a key in quotes"],
    );
    check(
        r#"{ "taskloom": "1" }"#,
        expect![[
            r#"line 1, column 15: "taskloom" must be the file's version, a whole number from 1; found string "1""#
        ]],
    );
    check(
        r#"{ "taskloom": 99 }"#,
        expect![
            "line 1, column 15: the file has version 99, but this Taskloom reads only up to version 4: open it with a newer Taskloom"
        ],
    );
    check(
        &"[".repeat(100_000),
        expect!["line 1, column 128: nested too deeply"],
    );
    check(
        &format!(r#"{{ "taskloom": 4, "info": {}"#, "{\"a\":".repeat(100_000)),
        expect!["line 1, column 656: nested too deeply"],
    );
}

#[test]
fn rejects_mismatched_values_with_their_location() {
    let file = |rest: &str| format!(r#"{{ "taskloom": 4, {rest} }}"#);
    let method = |rest: &str| {
        file(&format!(
            r#""compound_tasks": {{ "go": {{ "method": {{ {rest} }} }} }}"#
        ))
    };
    check(
        &file(r#""tasks": {}"#),
        expect![
            "line 1, column 18: In tasks: unknown field `tasks`, expected one of `info`, `types`, `objects`, `facts`, `conditions`, `actions`, `primitive_tasks`, `compound_tasks`, `goals`, `agents`, `scenarios`, `layout`"
        ],
    );
    check(
        &file(r#""facts": { "at": {}, "at": {} }"#),
        expect!["line 1, column 39: 'at' occurs twice"],
    );
    check(
        &file(r#""facts": { "at": {}, "AT": {} }"#),
        expect![
            "line 1, column 29: In fact 'at': 'AT' and 'at' are the same name: names are case-insensitive"
        ],
    );
    check(
        &file(r#""facts": { "2nd": {} }"#),
        expect![
            "line 1, column 29: In fact '2nd': '2nd' is not a name: a name is a letter, then letters, digits, '_' or '-'"
        ],
    );
    check(
        &file(r#""facts": { "at": { "params": ["?a: place", "b"] } }"#),
        expect![
            "line 1, column 61: In fact 'at', params[1]: 'b' is not a variable: it starts with '?'"
        ],
    );
    check(
        &file(r#""actions": { "Go": { "duration": -1 } }"#),
        expect![
            "line 1, column 51: In action 'Go', duration: invalid type: integer `-1`, expected a string in quotes"
        ],
    );
    check(
        &file(r#""facts": { "at": {} }, "conditions": { "At": {} }"#),
        expect!["line 1, column 57: 'At' is both a fact and a condition"],
    );
    check(
        &file(r#""objects": { "and": { "type": "object" } }"#),
        expect!["line 1, column 31: 'and' is a reserved word and cannot be a name"],
    );
    check(
        &method(r#""blocks": { "a": { "kind": "loop" } }"#),
        expect![
            "line 1, column 85: In compound task 'go', method.blocks.a.kind: unknown variant `loop`, expected one of `begin`, `task`, `branch`, `choice`, `bind`, `end`"
        ],
    );
    check(
        &method(r#""blocks": { "a": { "kind": "begin" }, "b": { "kind": "begin" } }"#),
        expect!["line 1, column 96: In compound task 'go', the flowchart has two Begin blocks"],
    );
    check(
        &method(r#""wires": ["a.out -> b"]"#),
        expect![
            "line 1, column 68: In compound task 'go', the wire a.out -> b ends at block a, which does not exist"
        ],
    );
    check(
        &method(r#""wires": ["a to b"]"#),
        expect![
            "line 1, column 68: In compound task 'go', method.wires[0]: 'a to b' is not a wire: 'block.output -> block'"
        ],
    );
    check(
        &method(
            r#""blocks": { "a": { "kind": "task", "call": "" }, "b": { "kind": "task", "call": "" } },
               "wires": ["a.out -> b", "b.out -> a"]"#,
        ),
        expect![
            "line 2, column 16: In compound task 'go', the wires of the flowchart form a cycle"
        ],
    );
    check(
        &file(r#""scenarios": { "s": { "expect": [{ "cost_at_most": 1e999 }] } }"#),
        expect!["line 1, column 69: not a number, or too large"],
    );
}

#[test]
fn drops_positions_of_removed_records() {
    check(
        r#"{ "taskloom": 4, "layout": { "board": { "fact:gone": "1,2" }, "methods": { "gone": { "a": "1,2" } } } }"#,
        expect![[r#"
            {
              "taskloom": 4,
              "info": {
                "title": ""
              },
              "layout": {}
            }
        "#]],
    );
}

#[test]
fn version_1_files_keep_their_meaning() {
    let text = r#"{
      "taskloom": 1,
      "actions": { "Run": { "duration": 3 }, "Wave": { "duration": 0 } },
      "goals": { "win": { "bias": 0.5 }, "rest": { "bias": 0.0 } },
      "agents": {
        "boss": { "planning": { "decomposition": { "tasks": [], "policy": "first" } } },
        "clerk": { "planning": { "decomposition": { "tasks": [], "policy": "cheapest" } },
                   "tasks": ["go"], "superior": "boss", "note": "Types." }
      },
      "scenarios": { "alone": { "agents": ["boss"] }, "both": { "agents": ["boss", "Clerk"], "note": "Busy." } }
    }"#;
    let document = Document::from_json(text).expect("a file of version 1");
    expect![[r#"
        {
          "taskloom": 4,
          "info": {
            "title": ""
          },
          "actions": {
            "Run": {
              "duration": "3"
            },
            "Wave": {}
          },
          "goals": {
            "rest": {
              "condition": "",
              "priority": 0
            },
            "win": {
              "condition": "",
              "priority": 0,
              "bias": "0.5"
            }
          },
          "agents": {
            "boss": {
              "planning": {
                "decomposition": {
                  "tasks": [],
                  "policy": "first"
                }
              }
            },
            "clerk": {
              "planning": {
                "decomposition": {
                  "tasks": [],
                  "policy": "cheapest"
                }
              },
              "uses": [
                "go"
              ],
              "note": "Types.\nObeys 'boss'."
            }
          },
          "scenarios": {
            "alone": {
              "cast": [
                {
                  "agent": "boss"
                }
              ]
            },
            "both": {
              "cast": [
                {
                  "agent": "Clerk"
                }
              ],
              "note": "Busy.\nAlso in play: 'boss'."
            }
          },
          "layout": {}
        }
    "#]]
    .assert_eq(&document.to_json());
    for (wrong, reason) in [
        (
            r#""scenarios": { "s": { "agents": "boss" } }"#,
            "unknown field `agents`",
        ),
        (
            r#""agents": { "a": { "tasks": [], "uses": [] } }"#,
            "unknown field `tasks`",
        ),
        (
            r#""actions": { "a": { "duration": [3] } }"#,
            "expected a string in quotes",
        ),
    ] {
        let text = format!(r#"{{ "taskloom": 1, {wrong} }}"#);
        let error = Document::from_json(&text).expect_err(wrong).to_string();
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn version_2_files_keep_their_meaning() {
    for file in files("tests/files/v2") {
        let text = fs::read_to_string(&file).expect("a frozen file is UTF-8");
        let current = text.replace(r#""taskloom": 2"#, &format!(r#""taskloom": {VERSION}"#));
        let document = Document::from_json(&text).expect("a file of version 2");
        assert_eq!(Document::from_json(&current).as_ref(), Ok(&document));
        assert_eq!(document.to_json(), current);
    }
}

#[test]
fn locates_every_text_in_any_file_layout() {
    let mut found = 0;
    let all = [files("public/examples"), files("tests/files/v3")].concat();
    for file in all {
        let text = fs::read_to_string(&file).expect("an example is UTF-8");
        // Escaped as another program might do it, and all on one line.
        let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let compact = value
            .to_string()
            .replace('?', "\\u003f")
            .replace('>', "\\u003e");
        let document = Document::from_json(&text).expect("an example opens");
        assert_eq!(Document::from_json(&compact).as_ref(), Ok(&document));
        for text in [&text, &compact] {
            let places = FilePlaces::of(text);
            let read = |span: Span| -> String {
                let quoted = format!("\"{}\"", &text[span.range()]);
                serde_json::from_str(&quoted).expect("a part of a string")
            };
            document.visit_texts(|record, field, _, expected| {
                let middle = Span::new(expected.len() / 3, expected.len() - expected.len() / 3);
                let whole = Span::new(0, expected.len());
                for part in [whole, middle] {
                    let span = places.span(record, field, Some(part));
                    let span = span.unwrap_or_else(|| panic!("{record} {field:?}"));
                    if !expected.is_empty() {
                        assert_eq!(read(span), expected[part.range()], "{record} {field:?}");
                        found += 1;
                    }
                }
            });
        }
    }
    assert!(found > 1_000, "{found}");
}

/// Returns a variant of the text for each value that is no list, object or variant's name, replaced
/// by `value`.
fn with_leaves(tree: &mut serde_json::Value, key: &str, value: &serde_json::Value) {
    match tree {
        serde_json::Value::Object(members) => {
            let inner = members.iter_mut();
            inner.for_each(|(key, member)| with_leaves(member, key, value));
        }
        serde_json::Value::Array(items) => {
            items
                .iter_mut()
                .for_each(|item| with_leaves(item, "", value));
        }
        leaf if key != "kind" && key != "taskloom" => *leaf = value.clone(),
        _ => {}
    }
}

#[test]
fn reports_every_malformed_value_with_its_line() {
    const WRONG: &str = "<<wrong>>";
    for file in files("tests/files/v3") {
        let text = fs::read_to_string(&file).expect("a frozen file is UTF-8");
        let mut value = serde_json::from_str(&text).expect("JSON");
        with_leaves(&mut value, "", &WRONG.into());
        let text = serde_json::to_string_pretty(&value).expect("JSON");
        let text = text.replace(&format!("\"{WRONG}\""), "[]");
        let lines = (1..).zip(text.lines());
        let wrong: Vec<usize> = lines
            .filter(|(_, line)| line.contains("[]"))
            .map(|(n, _)| n)
            .collect();
        assert!(wrong.len() > 100, "{}", wrong.len());
        let error = Document::from_json(&text).expect_err("nothing of it is right");
        let report = error.mistakes.iter().map(|mistake| {
            let span = mistake.span.unwrap_or_else(|| panic!("{mistake:?}"));
            assert!(!text[span.range()].is_empty());
            mistake.position.expect("a position").0
        });
        assert_eq!(report.collect::<Vec<_>>(), wrong);
    }
}

#[test]
fn reports_all_format_errors_at_once() {
    let text = r#"{
  "taskloom": 4,
  "facts": { "lit": { "valu": "boolean" }, "2nd": { "params": ["b"] }, "LIT": {} },
  "actions": { "go": { "duration": -1.5, "titel": "Go" } },
  "compound_tasks": {
    "go": { "method": { "blocks": {
      "a1": { "kind": "choice" },
      "b2": { "kind": "choose" },
      "c3": { "kind": "task", "call": 7, "colour": "red" }
    }, "wires": ["a1.out to b2", "b2 -> a1"] } }
  },
  "scenarios": { "s": { "expect": [{ "plan": "go" }, "planless", { "plan": [], "no_plan": null }] } },
  "tasks": []
}"#;
    let error = Document::from_json(text).expect_err("much is wrong with it");
    let report = error.mistakes.iter().map(|mistake| {
        let (line, column) = mistake.position.expect("a position");
        format!("{line}:{column}: {}\n", mistake.message)
    });
    expect![[r#"
        3:14: In fact 'lit': 'LIT' and 'lit' are the same name: names are case-insensitive
        3:23: In fact 'lit', valu: unknown field `valu`, expected one of `params`, `value`, `source`, `absence`, `title`, `note`
        3:44: In fact '2nd': '2nd' is not a name: a name is a letter, then letters, digits, '_' or '-'
        3:64: In fact '2nd', params[0]: 'b' is not a variable: it starts with '?'
        4:36: In action 'go', duration: invalid type: floating point `-1.5`, expected a string in quotes
        4:42: In action 'go', titel: unknown field `titel`, expected one of `params`, `duration`, `executor`, `title`, `note`
        7:7: In compound task 'go', method.blocks.a1: missing field `alternatives`
        8:23: In compound task 'go', method.blocks.b2.kind: unknown variant `choose`, expected one of `begin`, `task`, `branch`, `choice`, `bind`, `end`
        9:39: In compound task 'go', method.blocks.c3.call: invalid type: integer `7`, expected a string in quotes
        9:42: In compound task 'go', method.blocks.c3.colour: unknown field `colour`, expected one of `call`, `repeat`, `repeat_while`, `timeout`, `retry`, `background`, `on_abort`
        10:18: In compound task 'go', method.wires[0]: 'a1.out to b2' is not a wire: 'block.output -> block'
        10:34: In compound task 'go', method.wires[1]: 'b2 -> a1' is not a wire: 'block.output -> block'
        12:46: In scenario 's', expect[0].plan: invalid type: string "go", expected a list, [ ... ]
        12:54: In scenario 's', expect[1]: unknown variant `planless`, expected one of `plan_exists`, `no_plan`, `plan`, `contains`, `cost_at_most`, `finally`, `recovers`
        12:66: In scenario 's', expect[2]: invalid type: object, expected a single key, one of plan_exists, no_plan, plan, contains, cost_at_most, finally, recovers
        13:3: In tasks: unknown field `tasks`, expected one of `info`, `types`, `objects`, `facts`, `conditions`, `actions`, `primitive_tasks`, `compound_tasks`, `goals`, `agents`, `scenarios`, `layout`
    "#]].assert_eq(&report.collect::<String>());
    // A text of the right form may still not be a document.
    let text = r#"{
  "taskloom": 4,
  "facts": { "go": {} },
  "conditions": { "Go": { "formula": "" }, "and": { "formula": "" } },
  "compound_tasks": { "go": { "method": {
    "blocks": { "a": { "kind": "begin" }, "b": { "kind": "begin" }, "c": { "kind": "choice", "alternatives": ["1 x", "1 y"] } },
    "wires": ["a.out -> b", "a.out -> c", "a.out -> c", "a.true -> c", "c.1 -> gone"]
  } } },
  "scenarios": { "s": { "objects": { "when": { "type": "object" } } } }
}"#;
    let error = Document::from_json(text).expect_err("it is no document");
    let report = error.mistakes.iter().map(|mistake| {
        let (line, column) = mistake.position.expect("a position");
        format!("{line}:{column}: {}\n", mistake.message)
    });
    expect![[r#"
        4:19: 'Go' is both a fact and a condition
        4:44: 'and' is a reserved word and cannot be a name
        6:43: In compound task 'go', the flowchart has two Begin blocks
        6:69: In compound task 'go', block c has two alternatives 1
        7:15: In compound task 'go', the wire a.out -> b enters a Begin block, which has no input
        7:43: In compound task 'go', the wire a.out -> c is drawn twice
        7:57: In compound task 'go', the wire a.true -> c leaves an output that its block does not have
        7:72: In compound task 'go', the wire c.1 -> gone ends at block gone, which does not exist
        9:38: In scenario 's', 'when' is a reserved word and cannot be a name
    "#]].assert_eq(&report.collect::<String>());
    expect!["line 4, column 19: 'Go' is both a fact and a condition (and 8 more errors)"]
        .assert_eq(&error.to_string());
}

/// Each mistake takes another pass over the record.
#[test]
fn reports_only_the_first_errors_of_a_large_record() {
    let mistakes = |wires: usize| {
        let wires = vec![r#""nowhere""#; wires].join(",");
        let method = format!(r#"{{ "blocks": {{}}, "wires": [{wires}] }}"#);
        let file = format!(
            r#"{{ "taskloom": 4, "compound_tasks": {{ "go": {{ "method": {method} }} }} }}"#
        );
        let error = Document::from_json(&file).expect_err("none of these is a wire");
        error.mistakes.len()
    };
    assert_eq!(mistakes(150), 150);
    assert_eq!(mistakes(300), 200);
    assert_eq!(mistakes(20_000), 49);
}
