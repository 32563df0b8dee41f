//! Documents as short texts, and diagnostics as text to compare.

use std::fmt::Write;

use expect_test::Expect;

use crate::Domain;
use taskloom_document::Document;

/// Checks a document, written as a file without its version, and compares the diagnostics.
#[track_caller]
pub fn check(document: &str, expect: Expect) {
    let document = read(document);
    expect.assert_eq(&report(&document));
    assert_fixes_work(&document);
}

/// Checks a document with a scenario `s`, written as `world` and `scenario`, and compares the
/// diagnostics.
#[track_caller]
pub fn check_scenario(world: &str, scenario: &str, expect: Expect) {
    let document = format!(r#"{{ {world}, "scenarios": {{ "s": {scenario} }} }}"#);
    check(&document, expect);
}

/// Applies each fix separately and asserts that its diagnostic is gone.
#[track_caller]
fn assert_fixes_work(document: &Document) {
    for finding in super::check(&Domain::from(document)) {
        for fix in &finding.fixes {
            let mended = document
                .apply(&fix.edit)
                .unwrap_or_else(|refused| panic!("'{}': {refused}", fix.label));
            let left = super::check_record(&Domain::from(&mended), &finding.place.record);
            let stays = left.iter().any(|f| {
                (f.code, &f.place, &f.message) == (finding.code, &finding.place, &finding.message)
            });
            assert!(!stays, "'{}' does not fix: {finding}", fix.label);
        }
    }
}

/// Checks a method and compares the diagnostics. Each line is a block or a wire:
///
/// ```text
/// b: begin
/// t: task walk(box)              (or: task walk(box) | repeat 3 | on_abort rest)
/// q: branch lit
/// c: choice 1 left, 2 right      (or: cheapest 1 left, 2 right)
/// v: bind ?p: place | near(?p) | distance(?p)
/// e: end
/// b.out -> t
/// ```
#[track_caller]
pub fn check_method(method: &str, expect: Expect) {
    let mut blocks = serde_json::Map::new();
    let mut wires = vec![];
    for line in method.lines().map(str::trim).filter(|l| !l.is_empty()) {
        if line.contains("->") {
            wires.push(line);
            continue;
        }
        let (id, block) = line.split_once(": ").expect("'id: block'");
        let (kind, rest) = block.split_once(' ').unwrap_or((block, ""));
        let mut parts = rest.split(" | ");
        let mut part = || parts.next().unwrap_or("");
        let block = match kind {
            "task" => {
                let mut block = serde_json::json!({ "kind": kind, "call": part() });
                for option in parts {
                    let Some((option, value)) = option.split_once(' ') else {
                        block[option] = true.into();
                        continue;
                    };
                    let number = value.parse::<u32>();
                    block[option] = number.map_or_else(|_| value.into(), serde_json::Value::from);
                }
                block
            }
            "branch" => serde_json::json!({ "kind": kind, "condition": rest }),
            "choice" | "cheapest" => {
                let policy = if kind == "choice" { "first" } else { kind };
                let outputs: Vec<_> = rest.split(", ").filter(|o| !o.is_empty()).collect();
                serde_json::json!({ "kind": "choice", "policy": policy, "alternatives": outputs })
            }
            "bind" => serde_json::json!({
                "kind": kind, "variable": part(), "condition": part(), "order_by": part()
            }),
            _ => serde_json::json!({ "kind": kind }),
        };
        blocks.insert(id.to_owned(), block);
    }
    let document = serde_json::json!({
        "types": { "place": { "parent": "object" } },
        "objects": { "box": { "type": "place" }, "shed": { "type": "place" } },
        "facts": {
            "lit": {}, "near": { "params": ["?p: place"] },
            "distance": { "params": ["?p: place"], "value": { "number": {} } },
        },
        "primitive_tasks": { "walk": { "params": ["?to: place"] }, "rest": {} },
        "compound_tasks": { "go": {
            "params": ["?to: place"], "method": { "blocks": blocks, "wires": wires },
        } },
    });
    check(&document.to_string(), expect);
}

/// Reads a document written as a file without its version.
pub fn read(document: &str) -> Document {
    let tables = document.trim().strip_prefix('{').expect("a JSON object");
    Document::from_json(&format!(r#"{{ "taskloom": 4, {tables}"#)).expect("a document")
}

/// Formats the diagnostics: one per line, with its place, and its fixes below it.
pub fn report(document: &Document) -> String {
    let mut report = String::new();
    for finding in super::check(&Domain::from(document)) {
        let (head, message) = (finding.to_string(), &finding.message);
        let head = head.strip_suffix(message.as_str()).unwrap_or(&head);
        let field = serde_json::to_string(&finding.place.field).expect("a field is JSON");
        let field = field.replace(['"', '{', '}'], "").replace(':', " ");
        let head = head.trim_end().trim_end_matches(':');
        let _ = write!(report, "{head} {field}");
        if let Some(span) = finding.place.span {
            let _ = write!(report, " {}..{}", span.start, span.end);
        }
        let _ = writeln!(report, ": {message}");
        for fix in &finding.fixes {
            let _ = writeln!(report, "    {}", fix.label);
        }
    }
    report
}
