//! The world and the tasks in the record of a run.

use super::{name, report};
use crate::reference::simulate;
use expect_test::expect;
use taskloom_document::Document;
use taskloom_domain::Domain;
use taskloom_planner::plan::{Budget, World};
use taskloom_runtime::{Moment, Run, world_at};
use testkit::domain::document;

/// Returns the world at every moment, as its differences from the moment before.
fn worlds(document: &Document, run: &Run, moments: &[Moment]) -> String {
    let domain = Domain::from(document);
    let scene = domain.scene_or_empty(&name("s"));
    let line = |moment: &Moment| {
        let world: World = world_at(&domain, &scene, run, *moment);
        format!("{moment:?} {}", world.as_initial_values().join(", "))
            .trim_end()
            .to_owned()
    };
    moments.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn record_reconstructs_the_world() {
    let text = "
number n
fact shut
action Count 2
primitive count = Count
  integrity not shut
  eff n += 1
scenario s
  task count
  task count
  event 2 n += 10
  event 3 shut
  event 4 not shut";
    let document = document(text);
    let run = simulate(&Domain::from(&document), &name("s"), Budget::default(), 200);
    expect![[r#"
        0 plans: count, count
        0 count Complete acted at 2 ended at 2: n = 11
        2 event 0: n = 10
        2 count Failed ended at 3: integrity rule of count: not shut
        3 event 1: shut = true
        4 event 2: shut = false
        4 plans, as count failed: count
        4 count Complete acted at 6 ended at 6: n = 12
        6 Complete"#]]
    .assert_eq(&report(&run));
    let moments = [
        Moment::Start,
        Moment::StepStart(0),
        Moment::BeforeEvent(0),
        Moment::AfterEvent(0),
        Moment::StepEnd(0),
        Moment::StepStart(1),
        Moment::Tick(2),
        Moment::StepEnd(1),
        Moment::Planning(1),
        Moment::StepStart(2),
        Moment::StepEnd(2),
        Moment::Tick(run.ticks),
    ];
    expect![[r#"
        Start
        StepStart(0)
        BeforeEvent(0)
        AfterEvent(0) n = 10
        StepEnd(0) n = 11
        StepStart(1) n = 11
        Tick(2) n = 11
        StepEnd(1) n = 11, shut
        Planning(1) n = 11
        StepStart(2) n = 11
        StepEnd(2) n = 12
        Tick(6) n = 12"#]]
    .assert_eq(&worlds(&document, &run, &moments));
}

#[test]
fn tasks_are_planned_in_progress_complete_or_failed() {
    let text = "
fact shut
action Walk 2
primitive walk = Walk
  integrity not shut
compound rest
  block a begin
compound trip
  sequence walk; rest; walk
scenario s
  task trip
  task rest
  event 3 shut
  event 4 not shut";
    let document = document(text);
    let run = simulate(&Domain::from(&document), &name("s"), Budget::default(), 200);
    let mut lines = vec![];
    for (number, planning) in run.plans.iter().enumerate() {
        let plan = planning.plan().expect("a plan");
        for tick in 0..=run.ticks {
            let states = run.states(number, tick);
            let nodes = plan.nodes.iter().zip(states);
            let nodes = nodes.map(|(node, state)| format!("{} {state:?}", node.task));
            let nodes: Vec<_> = nodes.collect();
            lines.push(format!("{number} at {tick}: {}", nodes.join(", ")));
        }
    }
    expect![[r#"
        0 at 0: trip InProgress, rest Planned, walk InProgress, rest Planned, walk Planned
        0 at 1: trip InProgress, rest Planned, walk InProgress, rest Planned, walk Planned
        0 at 2: trip InProgress, rest Planned, walk Complete, rest Complete, walk InProgress
        0 at 3: trip Failed, rest Planned, walk Complete, rest Complete, walk Failed
        0 at 4: trip Failed, rest Planned, walk Complete, rest Complete, walk Failed
        0 at 5: trip Failed, rest Planned, walk Complete, rest Complete, walk Failed
        0 at 6: trip Failed, rest Planned, walk Complete, rest Complete, walk Failed
        0 at 7: trip Failed, rest Planned, walk Complete, rest Complete, walk Failed
        0 at 8: trip Failed, rest Planned, walk Complete, rest Complete, walk Failed
        1 at 0: trip Planned, rest Planned, walk Planned, rest Planned, walk Planned
        1 at 1: trip Planned, rest Planned, walk Planned, rest Planned, walk Planned
        1 at 2: trip Planned, rest Planned, walk Planned, rest Planned, walk Planned
        1 at 3: trip Planned, rest Planned, walk Planned, rest Planned, walk Planned
        1 at 4: trip InProgress, rest Planned, walk InProgress, rest Planned, walk Planned
        1 at 5: trip InProgress, rest Planned, walk InProgress, rest Planned, walk Planned
        1 at 6: trip InProgress, rest Planned, walk Complete, rest Complete, walk InProgress
        1 at 7: trip InProgress, rest Planned, walk Complete, rest Complete, walk InProgress
        1 at 8: trip Complete, rest Complete, walk Complete, rest Complete, walk Complete"#]]
    .assert_eq(&lines.join("\n"));
}
