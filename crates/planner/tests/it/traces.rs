//! The record of a search: what it tried, why that failed, and the obstacles to a plan.

use expect_test::expect;
use taskloom_document::{Document, Name};
use taskloom_domain::Domain;
use taskloom_planner::compile::compile;
use taskloom_planner::explain::obstacles;
use taskloom_planner::plan::{Budget, Engine, Progress, Search, Trace, TraceKind};
use testkit::domain::{document, example};

/// Records up to `bound` events of the search for a scenario's plan.
fn trace(document: &Document, scenario: &str, bound: usize) -> Trace {
    let problem = compile(
        &Domain::from(document),
        &Name::new(scenario).expect("a name"),
    );
    let mut search = Search::new(&problem, Budget::default(), bound);
    while search.step(u64::MAX) == Progress::Running {}
    search.trace().unwrap().clone()
}

fn happened(kind: &TraceKind) -> String {
    match kind {
        TraceKind::Task { .. } => "Task".to_owned(),
        TraceKind::Alternative { label, .. } => format!("tries '{label}'"),
        TraceKind::Failed {
            conjunct,
            saw,
            block,
            ..
        } => {
            let saw: Vec<String> = saw.iter().map(|(a, v)| format!("{a} = {v}")).collect();
            let place = if block.is_some() { "block" } else { "task" };
            format!("{place} fails: '{conjunct}', saw {}", saw.join(", "))
        }
        TraceKind::Pruned { why, .. } => format!("Pruned({why:?})"),
        other => format!("{other:?}"),
    }
}

#[test]
fn obstacles_have_their_moment_and_possible_achievers() {
    let document = example("ball-in-the-box");
    let trace = trace(&document, "case-6-no-way-in", 1_000);
    let mut shown = String::new();
    for moment in obstacles(&Domain::from(&document), &trace.events, 20) {
        shown += &format!("after {} steps\n", moment.steps);
        for obstacle in moment.obstacles {
            let helpers: Vec<String> = obstacle.changed_by.iter().map(Name::to_string).collect();
            let seen: Vec<String> = obstacle.seen.iter().map(ToString::to_string).collect();
            let task = obstacle
                .task
                .map_or_else(String::new, |task| format!("{task}: "));
            let (text, seen, helpers) = (obstacle.text, seen.join(", "), helpers.join(", "));
            shown += &format!("  {task}{text} [{seen}] changed by [{helpers}]\n");
        }
    }
    expect![[r#"
        after 1 steps
          get-key: no ?place fits: key_at(box) is false, and 3 more [item_at(key, box) is false, item_at(key, drawer) is false, item_at(key, shed) is false, item_at(key, table) is false] changed by []
          get-hammer: no ?place fits: hammer_at(box) is false, and 3 more [item_at(hammer, box) is false, item_at(hammer, drawer) is false, item_at(hammer, shed) is false, item_at(hammer, table) is false] changed by []
    "#]].assert_eq(&shown);
}

#[test]
fn trace_records_failures_with_their_values() {
    let document = example("ball-in-the-box");
    let shown = |bound| {
        let trace = trace(&document, "case-6-no-way-in", bound);
        let mut out = String::new();
        for event in &trace.events {
            let mut depth = 0;
            let mut up = event.parent;
            while let Some(parent) = up {
                depth += 1;
                up = trace.events[parent].parent;
            }
            out += &format!(
                "{}{}: {}\n",
                "  ".repeat(depth),
                event.task,
                happened(&event.kind)
            );
        }
        format!("{out}and {} more", trace.dropped)
    };
    expect![[r#"
        get-ball: Task
          get-ball: tries 'no, no, yes, 1 with the key'
            walk-to(box): Task
            get-key: Task
              get-key: block fails: 'key_at(box)', saw item_at(key, box) = false
              get-key: block fails: 'key_at(drawer)', saw item_at(key, drawer) = false
              get-key: block fails: 'key_at(shed)', saw item_at(key, shed) = false
              get-key: block fails: 'key_at(table)', saw item_at(key, table) = false
              get-key: Backtrack
          get-ball: tries 'no, no, yes, 2 with the hammer'
            walk-to(box): Task
            get-hammer: Task
              get-hammer: block fails: 'hammer_at(box)', saw item_at(hammer, box) = false
              get-hammer: block fails: 'hammer_at(drawer)', saw item_at(hammer, drawer) = false
              get-hammer: block fails: 'hammer_at(shed)', saw item_at(hammer, shed) = false
              get-hammer: block fails: 'hammer_at(table)', saw item_at(hammer, table) = false
              get-hammer: Backtrack
          get-ball: Backtrack
        and 0 more"#]]
    .assert_eq(&shown(1000));
    expect![[r#"
        get-ball: Task
          get-ball: tries 'no, no, yes, 1 with the key'
        and 16 more"#]]
    .assert_eq(&shown(2));
    expect!["and 0 more"].assert_eq(&shown(0));
}

#[test]
fn failed_blocks_name_their_unmet_condition() {
    let text = "
fact a
fact b(?x)
object o
primitive step(?x)
compound closed
  block s begin
  block t branch a and b(o)
  block u end
  wire s.out -> t
  wire t.false -> u
compound missing
  block s begin
  block t task step(
  wire s.out -> t
compound open(?x)
  block s begin
  block t branch a and not b(?x)
  block u end
  wire s.out -> t
  wire t.true -> u
scenario closed
  initial a
  initial b(o)
  task closed
scenario missing
  task missing
scenario open
  initial a
  initial b(o)
  task open(o)
";
    let document = document(text);
    let failed = ["closed", "missing", "open"].map(|scenario| {
        let events = trace(&document, scenario, 10).events;
        let failed = events.iter().map(|e| &e.kind);
        let failed = failed.filter(|k| matches!(k, TraceKind::Failed { .. }));
        failed.map(happened).collect::<Vec<_>>().join("\n")
    });
    expect![[r#"
        block fails: 'not (a and b(o))', saw a = true, b(o) = true
        block fails: 'step(', saw 
        block fails: 'not b(o)', saw b(o) = true"#]]
    .assert_eq(&failed.join("\n"));
}

#[test]
fn each_kind_of_failure_is_recorded() {
    let text = "
type coin
fact open
number ammo integer 0..3
primitive give(?c: coin)
primitive unlock
  eff open
primitive load
  eff ammo += 5
compound shop
  block s begin
  block t task shop
  wire s.out -> t
compound pay
  block s begin
  block t bind ?c: coin
  block u task give(?c)
  wire s.out -> t
  wire t.out -> u
scenario circle
  task shop
scenario coinless
  task pay
scenario dream
  task unlock
  goal not open
scenario overload
  task load
";
    let document = document(text);
    let report = ["circle", "coinless", "dream", "overload"].map(|scenario| {
        let events = trace(&document, scenario, 20).events;
        let events = events.iter().map(|event| &event.kind);
        let report = events.filter(|kind| {
            !matches!(
                kind,
                TraceKind::Task { .. } | TraceKind::Alternative { .. } | TraceKind::Backtrack
            )
        });
        let report = report.map(|kind| format!("{scenario}: {}", happened(kind)));
        report.collect::<Vec<_>>().join("\n")
    });
    expect![[r#"
        circle: Pruned(Circle)
        coinless: NoObject { block: BlockId("t"), of: "coin" }
        dream: GoalFailed { conjunct: "not open", saw: [(Atom { fact: "open", args: [] }, Bool(true))] }
        overload: Inapplicable { why: "ammo would be 5, outside its range 0 to 3", saw: [(Atom { fact: "ammo", args: [] }, Number(0.0))] }"#]].assert_eq(&report.join("\n"));
}
