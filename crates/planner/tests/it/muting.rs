//! Muted blocks are in the diagram and are ignored.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use taskloom_document::{BlockId, Document, Edit, Flowchart, Name};
use taskloom_domain::Domain;
use taskloom_domain::check::check;
use taskloom_planner::compile::{compile, methods};
use taskloom_planner::plan::{Budget, Outcome, plan, validate};
use testkit::domain::{document, example};

fn muted(text: &str, ids: &str) -> Document {
    let ids = ids.split_whitespace().map(|id| id.parse().expect("an id"));
    let go = Name::new("go").expect("a name");
    let edit = Edit::Mute(go, ids.collect(), true);
    document(text).apply(&edit).expect("they can be muted")
}

fn flow(document: &Document) -> &Flowchart {
    &document.compound_tasks[&Name::new("go").expect("a name")].method
}

/// Returns the effective flowchart, one line per block and wire.
fn passes(text: &str, ids: &str, expected: Expect) {
    let document = muted(text, ids);
    let counts = flow(&document).without_muted();
    assert_eq!(counts.invariants(), Ok(()));
    let blocks = counts
        .blocks
        .iter()
        .map(|(id, block)| format!("{id} {block:?}"));
    let wires = counts.wires.iter().map(|wire| {
        let drawn: Vec<String> = flow(&document)
            .drawn_for(wire)
            .iter()
            .map(|w| w.to_string())
            .collect();
        format!("{wire} by {}", drawn.join(", "))
    });
    let lines: Vec<String> = blocks.chain(wires).collect();
    expected.assert_eq(&lines.join("\n"));
}

const WALK: &str = "
fact lit
primitive a
primitive c
compound go
  block b begin
  block q branch lit
  block x task a
  block y task c
  block z task a
  wire b.out -> q
  wire q.true -> x
  wire q.false -> y
  wire x.out -> z
";

#[test]
fn muted_tasks_pass_through_and_paths_may_end_at_one() {
    passes(
        WALK,
        "x z",
        expect![[r#"
            b Begin
            q Branch { condition: "lit" }
            y Task { call: "c", repeat: None, repeat_while: "", timeout: None, retry: None, background: false, on_abort: "" }
            z End
            b.out -> q by b.out -> q
            q.true -> z by x.out -> z, q.true -> x
            q.false -> y by q.false -> y"#]],
    );
}

#[test]
fn muted_branch_continues_at_its_first_connected_output() {
    passes(
        WALK,
        "q",
        expect![[r#"
            b Begin
            x Task { call: "a", repeat: None, repeat_while: "", timeout: None, retry: None, background: false, on_abort: "" }
            y Task { call: "c", repeat: None, repeat_while: "", timeout: None, retry: None, background: false, on_abort: "" }
            z Task { call: "a", repeat: None, repeat_while: "", timeout: None, retry: None, background: false, on_abort: "" }
            b.out -> x by q.true -> x, b.out -> q
            x.out -> z by x.out -> z"#]],
    );
}

#[test]
fn planner_validator_and_checks_ignore_muted_blocks() {
    let text = "
fact lit
primitive a
  pre lit
primitive c
compound go
  block b begin
  block x task a
  block y task c
  block u task gone(?nobody)
  wire b.out -> x
  wire x.out -> y
  wire y.out -> u
scenario s
  task go
";
    let steps = |document: &Document| {
        let scenario = Name::new("s").expect("a name");
        let problem = compile(&Domain::from(document), &scenario);
        match plan(&problem, Budget::default()) {
            Outcome::Plan(plan) => {
                validate(&Domain::from(document), &scenario, &plan).expect("a plan that holds");
                plan.steps.iter().map(|s| s.task.to_string()).collect()
            }
            other => vec![format!("{other:?}")],
        }
    };
    assert_eq!(steps(&muted(text, "x u")), ["c"]);
    assert_ne!(steps(&muted(text, "u")), ["a", "c"], "a is not possible");
    assert!(
        check(&Domain::from(&muted(text, "")))
            .iter()
            .any(|d| d.message.contains("gone"))
    );
    assert!(
        !check(&Domain::from(&muted(text, "u")))
            .iter()
            .any(|d| d.message.contains("gone"))
    );
}

#[test]
fn begin_and_end_cannot_be_muted_and_a_file_says_so() {
    let edit = |id: &str| {
        let ids = vec![id.parse().expect("an id")];
        Edit::Mute(Name::new("go").expect("a name"), ids, true)
    };
    let refusal = document(WALK).apply(&edit("b")).expect_err("it is Begin");
    assert_eq!(refusal.message, "Begin and End cannot be muted");
    let text = muted(WALK, "x").to_json();
    let read = Document::from_json(&text).expect("it opens");
    assert_eq!(read.to_json(), text);
    let wrong = text.replace(
        "\"muted\": [\n          \"x\"",
        "\"muted\": [\n          \"b\"",
    );
    let refusal = Document::from_json(&wrong).expect_err("b is Begin");
    assert_eq!(
        refusal.to_string(),
        "line 46, column 9: In compound task 'go', block b cannot be muted"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Muting anything anywhere leaves a flowchart that can be resolved, and in which the other
    /// blocks keep their order.
    #[test]
    fn any_blocks_can_be_muted(numbers in prop::collection::vec(any::<usize>(), 1..12)) {
        for document in [example("ball-in-the-box"), example("night-guard")] {
            for task in document.compound_tasks.values() {
                let all: Vec<&BlockId> = task.method.blocks.keys().collect();
                let mut chart = task.method.clone();
                let chosen = numbers.iter().map(|n| all[n % all.len()].clone());
                chart.muted = chosen.filter(|id| chart.can_mute(id)).collect();
                let counts = chart.without_muted();
                prop_assert_eq!(counts.invariants(), Ok(()));
                prop_assert!(methods(&counts).is_some_and(|mut all| all.next().is_some()));
                for wire in &counts.wires {
                    let drawn = chart.drawn_for(wire);
                    prop_assert!(drawn.iter().all(|w| chart.wires.contains(w)));
                    prop_assert_eq!(drawn.last().map(|w| (&w.from, w.port)), Some((&wire.from, wire.port)));
                    prop_assert_eq!(drawn.first().map(|w| &w.to), Some(&wire.to));
                }
            }
        }
    }
}
