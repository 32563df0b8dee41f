//! Timelines of a run, and the run in the other planning mode.

use std::collections::BTreeMap;
use std::fs;

use crate::reference::simulate;
use expect_test::expect;
use taskloom_document::Document;
use taskloom_domain::Domain;
use taskloom_planner::plan::{Atom, Budget, Change, Value};
use taskloom_runtime::{
    Moment, PlanningMode, Run, ValueTimelines, planning_modes, with_other_mode,
};

use super::{name, report};

fn moments(run: &Run) -> Vec<Moment> {
    let events =
        (0..run.events.len()).flat_map(|at| [Moment::BeforeEvent(at), Moment::AfterEvent(at)]);
    let seen = (0..run.perceptions.len()).map(Moment::Perception);
    let plans = (0..run.plans.len()).map(Moment::Planning);
    let steps = (0..run.executed.len()).flat_map(|at| [Moment::StepStart(at), Moment::StepEnd(at)]);
    let ticks = (0..=run.ticks.min(60)).map(Moment::Tick);
    let all = events.chain(seen).chain(plans).chain(steps).chain(ticks);
    [Moment::Start].into_iter().chain(all).collect()
}

/// Returns the values after changes.
fn left<'c>(changes: impl IntoIterator<Item = &'c Change>) -> BTreeMap<&'c Atom, &'c Value> {
    let changes = changes.into_iter();
    changes
        .map(|change| (&change.atom, &change.after))
        .collect()
}

fn looked_up<'c>(
    timelines: &'c ValueTimelines,
    run: &Run,
    moment: Moment,
) -> BTreeMap<&'c Atom, &'c Value> {
    let until = run.cursor(moment);
    let values = timelines.iter();
    let values = values.filter_map(|(atom, course)| Some((atom, course.at(&until)?)));
    values.collect()
}

#[test]
fn timelines_match_the_record_at_every_moment() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../public/examples");
    let mut looked = 0;
    let files = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path());
    for file in files.filter(|file| file.extension().is_some_and(|of| of == "json")) {
        let text = fs::read_to_string(file).unwrap();
        let document = Document::from_json(&text).unwrap();
        for (scenario, record) in &document.scenarios {
            let run = simulate(&Domain::from(&document), scenario, Budget::default(), 300);
            let timelines = run.timelines();
            for moment in moments(&run) {
                let made = left(run.changes_until(moment));
                assert_eq!(
                    looked_up(&timelines, &run, moment),
                    made,
                    "{scenario}, {moment:?}"
                );
                looked += 1;
            }
            for character in 0..record.cast.len() {
                let timelines = run.believed_timelines(&document, character);
                for moment in moments(&run) {
                    let believed = left(run.believed_until(&document, character, moment));
                    assert_eq!(
                        looked_up(&timelines, &run, moment),
                        believed,
                        "{scenario}, {moment:?}"
                    );
                }
            }
        }
    }
    assert!(looked > 1_000, "{looked} moments");
}

/// A character that walks to the gate at once arrives there without the key. `CAST` is the
/// scenario's.
const GATE: &str = r#"{ "taskloom": 4, "facts": { "key": { "source": "memory" }, "in": { "source": "memory" } },
    "actions": { "Act": { "duration": "2" } },
    "primitive_tasks": {
        "walk": { "action": "Act" },
        "fetch": { "action": "Act", "effects": [{ "text": "key" }] },
        "open": { "action": "Act", "preconditions": ["key"], "effects": [{ "text": "in" }] } },
    "compound_tasks": { "enter": { "method": { "blocks": {
        "a": { "kind": "begin" }, "b": { "kind": "choice", "alternatives": ["1", "2"] },
        "c": { "kind": "task", "call": "walk" }, "d": { "kind": "task", "call": "open" },
        "e": { "kind": "task", "call": "fetch" }, "f": { "kind": "task", "call": "walk" },
        "g": { "kind": "task", "call": "open" } },
        "wires": ["a.out -> b", "b.1 -> c", "c.out -> d", "b.2 -> e", "e.out -> f", "f.out -> g"] } } },
    "goals": { "inside": { "condition": "in", "priority": 1 } },
    "agents": {
        "ahead": {}, "eager": { "planning": { "reactive": { "tasks": [] } } },
        "wishful": { "planning": { "goals": { "goals": ["inside"] } } } },
    "scenarios": { "s": { "tasks": TASKS, "cast": CAST } } }"#;

fn gate(tasks: &str, cast: &str) -> Document {
    let text = GATE.replace("TASKS", tasks).replace("CAST", cast);
    Document::from_json(&text).unwrap()
}

fn run(document: &Document) -> String {
    report(&simulate(
        &Domain::from(document),
        &name("s"),
        Budget::default(),
        100,
    ))
}

#[test]
fn planning_mode_switches_and_back() {
    let ahead = gate(r#"["enter"]"#, "[]");
    assert_eq!(
        planning_modes(&Domain::from(&ahead), &name("s")),
        [PlanningMode::Ahead]
    );
    expect![[r#"
        0 plans: fetch, walk, open
        0 fetch Complete acted at 2 ended at 2: key = true
        2 walk Complete acted at 4 ended at 4
        4 open Complete acted at 6 ended at 6: in = true
        6 Complete"#]]
    .assert_eq(&run(&ahead));
    let reactive = with_other_mode(&Domain::from(&ahead), &name("s")).unwrap();
    assert_eq!(
        planning_modes(&Domain::from(&reactive), &name("s")),
        [PlanningMode::Reactive]
    );
    expect![[r#"
        0 plans: walk
        0 walk Complete acted at 2 ended at 2
        2 goes on: NoPlan
        2 Failed"#]]
    .assert_eq(&run(&reactive));
    let back = with_other_mode(&Domain::from(&reactive), &name("s")).unwrap();
    assert_eq!(run(&back), run(&ahead));
}

#[test]
fn goal_planning_has_no_other_mode() {
    let cast = r#"[{ "agent": "wishful" }, { "agent": "eager", "tasks": ["enter"] }, { "agent": "ahead", "tasks": ["fetch"] }]"#;
    let document = gate("[]", cast);
    let before = [
        PlanningMode::Goals,
        PlanningMode::Reactive,
        PlanningMode::Ahead,
    ];
    assert_eq!(planning_modes(&Domain::from(&document), &name("s")), before);
    let other = with_other_mode(&Domain::from(&document), &name("s")).unwrap();
    let after = [
        PlanningMode::Goals,
        PlanningMode::Ahead,
        PlanningMode::Reactive,
    ];
    assert_eq!(planning_modes(&Domain::from(&other), &name("s")), after);
    let alone = gate("[]", r#"[{ "agent": "wishful" }]"#);
    assert_eq!(with_other_mode(&Domain::from(&alone), &name("s")), None);
}
