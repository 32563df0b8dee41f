//! Steps of different executors, in parallel.

use crate::reference::simulate;
use expect_test::expect;
use taskloom_document::Document;
use taskloom_domain::Domain;
use taskloom_planner::plan::Budget;
use taskloom_runtime::{Moment, TaskState, world_at};

use super::{check_text, document, name, report};

/// A builder and a gatherer execute one plan.
const CAMP: &str = "
object hut
object wall
number wood integer 0..9
number stone integer 0..9
fact stands(?b: object)
action Gather 3 by gatherer
action Build(?b: object) 5 by builder
primitive gather-wood = Gather
  eff wood += 2
primitive gather-stone = Gather
  eff stone += 2
primitive build(?b: object) = Build(?b)
  pre wood >= 2
  eff stands(?b)
primitive strengthen(?b: object) = Build(?b)
  pre stands(?b) and stone >= 4
  eff stone -= 4
compound camp
  block a begin
  block b task build(hut)
  block c task strengthen(hut)
  block d task gather-stone
  block e task gather-stone
  block f task build(wall)
  wire a.out -> b
  wire b.out -> c
  wire a.out -> d
  wire d.out -> e
  wire e.out -> c
  wire c.out -> f
scenario s
  initial wood = 2
  task camp
";

/// Returns the run of the scenario of a domain written as text.
fn record(text: &str) -> String {
    let run = simulate(
        &Domain::from(&document(text)),
        &name("s"),
        Budget::default(),
        200,
    );
    report(&run)
}

#[test]
fn builder_and_gatherer_work_in_parallel() {
    check_text(
        CAMP,
        expect![[r#"
        0 plans: build(hut), gather-stone, gather-stone, strengthen(hut), build(wall)
        0 build(hut) Complete acted at 5 ended at 5: stands(hut) = true
        0 gather-stone Complete acted at 3 ended at 3: stone = 2
        3 gather-stone Complete acted at 6 ended at 6: stone = 4
        6 strengthen(hut) Complete acted at 11 ended at 11: stone = 0
        11 build(wall) Complete acted at 16 ended at 16: stands(wall) = true
        16 Complete"#]],
    );
    let one = CAMP.replace(" by gatherer", "").replace(" by builder", "");
    check_text(
        &one,
        expect![[r#"
        0 plans: build(hut), gather-stone, gather-stone, strengthen(hut), build(wall)
        0 build(hut) Complete acted at 5 ended at 5: stands(hut) = true
        5 gather-stone Complete acted at 8 ended at 8: stone = 2
        8 gather-stone Complete acted at 11 ended at 11: stone = 4
        11 strengthen(hut) Complete acted at 16 ended at 16: stone = 0
        16 build(wall) Complete acted at 21 ended at 21: stands(wall) = true
        21 Complete"#]],
    );
    // Each executor does one step at a time.
    let same = CAMP.replace("by gatherer", "by Builder");
    assert_eq!(record(&same), record(&one));
    // The unnamed executor is one, too.
    let unnamed = CAMP.replace(" by gatherer", "");
    assert_eq!(record(&unnamed), record(CAMP));
}

#[test]
fn ordered_steps_stay_in_order() {
    let ordered = CAMP.replace("wire a.out -> d", "wire b.out -> d");
    check_text(
        &ordered,
        expect![[r#"
        0 plans: build(hut), gather-stone, gather-stone, strengthen(hut), build(wall)
        0 build(hut) Complete acted at 5 ended at 5: stands(hut) = true
        5 gather-stone Complete acted at 8 ended at 8: stone = 2
        8 gather-stone Complete acted at 11 ended at 11: stone = 4
        11 strengthen(hut) Complete acted at 16 ended at 16: stone = 0
        16 build(wall) Complete acted at 21 ended at 21: stands(wall) = true
        21 Complete"#]],
    );
}

/// One step changes what the other reads, or also changes.
#[test]
fn conflicting_steps_run_in_sequence() {
    let text = "
object anna
object door
object window
value at: object
fact open(?x: object)
fact said
number noise
action Open(?x: object) 4 by hands
action Say 2 by voice
primitive push(?x: object) = Open(?x)
  eff open(?x)
primitive shout = Say
  RULE
compound go
  block a begin
  block b task push(door)
  block c task shout
  wire a.out -> b
  wire a.out -> c
scenario s
  initial at = window
  task go
";
    let rule = |rule: &str| document(&text.replace("RULE", rule));
    let is_parallel = |rule_text: &str| {
        let run = simulate(
            &Domain::from(&rule(rule_text)),
            &name("s"),
            Budget::default(),
            50,
        );
        assert_eq!(run.executed.len(), 2, "{rule_text}");
        run.executed.iter().all(|step| step.start == 0)
    };
    for parallel in [
        "eff said",
        "eff open(window)",
        "pre not open(window)",
        "integrity not open(window)",
        "executed open(window) when not said",
    ] {
        assert!(is_parallel(parallel), "{parallel}");
    }
    for sequential in [
        "pre open(door)",
        "pre not open(at)",
        "pre exists ?x: object. open(?x)",
        "pre count ?x: object. open(?x) = 1",
        "done open(door)",
        "integrity open(door)",
        "eff said when open(door)",
        "eff noise += count ?x: object. open(?x)",
        "eff not open(door)",
        "eff forall ?x: object. not open(?x)",
        "eff open(at)",
        "cost 2\n  executed open(door)",
    ] {
        assert!(!is_parallel(sequential), "{sequential}");
    }
    // Conditions and durations are considered.
    let named = text.replace(
        "number noise",
        "number noise\ncondition wide(?x: object): open(?x)",
    );
    let run = |text: &str| {
        simulate(
            &Domain::from(&document(text)),
            &name("s"),
            Budget::default(),
            50,
        )
    };
    let sequential = run(&named.replace("RULE", "pre wide(door)"));
    assert_eq!(sequential.executed[1].start, 4);
    let parallel = run(&named.replace("RULE", "pre not wide(window)"));
    assert_eq!(parallel.executed[1].start, 0);
    let variable_duration = text.replace("Say 2", "Say 2 * count ?x: object. open(?x)");
    assert_eq!(
        run(&variable_duration.replace("RULE", "eff said")).executed[1].start,
        4
    );
}

/// Facts that selected a step's resolution, or that a rule above it reads, do not change meanwhile.
#[test]
fn conditions_that_chose_a_step_precede_it() {
    let text = "
fact lit
fact read
action Light 3 by hands
action Read 2 by eyes
primitive light = Light
  eff lit
primitive look = Read
  eff read
compound study
  block a begin
  block b branch lit
  block c task look
  wire a.out -> b
  wire b.true -> c
compound evening
  block a begin
  block b task light
  block c task study
  wire a.out -> b
  wire a.out -> c
scenario s
  task evening
";
    check_text(
        text,
        expect![[r#"
        0 plans: light, look
        0 light Complete acted at 3 ended at 3: lit = true
        3 look Complete acted at 5 ended at 5: read = true
        5 Complete"#]],
    );
    let ruled = text.replace(
        "  block b branch lit\n",
        "  integrity lit\n  block b choice way\n",
    );
    check_text(
        &ruled.replace("b.true", "b.1"),
        expect![[r#"
        0 plans: light, look
        0 light Complete acted at 3 ended at 3: lit = true
        3 look Complete acted at 5 ended at 5: read = true
        5 Complete"#]],
    );
}

#[test]
fn parallel_steps_are_aborted_when_one_fails() {
    let failing = CAMP.replace("task camp\n", "task camp\n  fail gather-stone time 1\n");
    check_text(
        &failing,
        expect![[r#"
        0 plans: build(hut), gather-stone, gather-stone, strengthen(hut), build(wall)
        0 build(hut) Failed ended at 3: aborted because gather-stone failed in parallel
        0 gather-stone Failed ended at 3: the scenario makes this action fail
        4 plans, as gather-stone failed: build(hut), gather-stone, gather-stone, strengthen(hut), build(wall)
        4 build(hut) Complete acted at 9 ended at 9: stands(hut) = true
        4 gather-stone Complete acted at 7 ended at 7: stone = 2
        7 gather-stone Complete acted at 10 ended at 10: stone = 4
        10 strengthen(hut) Complete acted at 15 ended at 15: stone = 0
        15 build(wall) Complete acted at 20 ended at 20: stands(wall) = true
        20 Complete"#]],
    );
    // A step that has acted at that very tick has acted.
    let waiting = CAMP
        .replace("  eff stands(?b)\n", "  eff stands(?b)\n  done wood > 5\n")
        .replace("Build(?b: object) 5", "Build(?b: object) 3")
        .replace(
            "task camp\n",
            "task camp\n  fail gather-stone time 1\n  event 5 wood := 9\n",
        );
    check_text(
        &waiting,
        expect![[r#"
        0 plans: build(hut), gather-stone, gather-stone, strengthen(hut), build(wall)
        0 build(hut) Failed acted at 3 ended at 3: aborted because gather-stone failed in parallel; stands(hut) = true
        0 gather-stone Failed ended at 3: the scenario makes this action fail
        4 plans, as gather-stone failed: build(hut), gather-stone, gather-stone, strengthen(hut), build(wall)
        4 build(hut) Complete acted at 7 ended at 7
        4 gather-stone Complete acted at 7 ended at 7: stone = 2
        5 event 0: wood = 9
        7 gather-stone Complete acted at 10 ended at 10: stone = 4
        10 strengthen(hut) Complete acted at 13 ended at 13: stone = 0
        13 build(wall) Complete acted at 16 ended at 16: stands(wall) = true
        16 Complete"#]],
    );
}

/// A new plan that begins with the steps in progress continues them.
#[test]
fn new_plan_continues_all_running_steps() {
    let text = "
object anna
agent worker: object
  task go
  every 2
  uses sing
  uses walk
  uses rest
fact late
fact there
fact heard
action Walk 5 by legs
action Sing 7 by voice
action Rest 1
primitive walk = Walk
  eff there
primitive sing = Sing
  eff heard
primitive rest = Rest
compound get-there
  block a begin
  block b branch there
  block c end
  block d task walk
  wire a.out -> b
  wire b.true -> c
  wire b.false -> d
compound go
  block a begin
  block b task get-there
  block c choice quiet, loud
  block d branch late
  block e task rest
  block f task sing
  wire a.out -> b
  wire a.out -> c
  wire c.1 -> d
  wire d.true -> e
  wire c.2 -> f
scenario s
  cast anna as worker
";
    check_text(
        text,
        expect![[r#"
            0 plans: walk, sing
            0 walk Complete acted at 5 ended at 5: there = true
            0 sing Complete acted at 7 ended at 7: heard = true
            7 Complete"#]],
    );
    // The song is no longer part of the new plan, and the walk is.
    check_text(
        &format!("{text}  event 3 late\n"),
        expect![[r#"
            0 plans: walk, sing
            0 sing Failed ended at 4: interrupted by a new plan
            0 walk Complete acted at 5 ended at 5: there = true
            3 event 0: late = true
            4 plans as time goes by: walk, rest
            4 rest Complete acted at 5 ended at 5
            5 Complete"#]],
    );
}

/// The steps of a plan for a goal have no designed order.
#[test]
fn goal_steps_run_in_causal_order() {
    let text = "
number wood integer 0..9
number food integer 0..9
fact warm
fact fed
action Chop 4 by axe
action Fish 3 by rod
action Cook 2 by pot
primitive chop = Chop
  eff wood += 1
primitive fish = Fish
  eff food += 1
primitive burn = Cook
  pre wood >= 1
  eff wood -= 1
  eff warm
primitive eat = Cook
  pre food >= 1 and warm
  eff food -= 1
  eff fed
scenario s
  goal fed
";
    check_text(
        text,
        expect![[r#"
            0 plans: chop, burn, fish, eat
            0 chop Complete acted at 4 ended at 4: wood = 1
            0 fish Complete acted at 3 ended at 3: food = 1
            4 burn Complete acted at 6 ended at 6: warm = true, wood = 0
            6 eat Complete acted at 8 ended at 8: fed = true, food = 0
            8 Complete"#]],
    );
}

/// The record of a run has the world at every moment, and the states of all steps.
#[test]
fn record_shows_parallel_running_steps() {
    let document = document(CAMP);
    let run = simulate(&Domain::from(&document), &name("s"), Budget::default(), 200);
    let plan = run.plans[0].plan().expect("a plan");
    let in_progress = |tick: u32| {
        let states = run.states(0, tick);
        let steps = plan
            .steps
            .iter()
            .filter(|step| states[step.node] == TaskState::InProgress);
        steps
            .map(|step| step.task.to_string())
            .collect::<Vec<_>>()
            .join(" | ")
    };
    expect![[r#"
        0 build(hut) | gather-stone
        1 build(hut) | gather-stone
        2 build(hut) | gather-stone
        3 build(hut) | gather-stone
        4 build(hut) | gather-stone
        5 gather-stone
        6 strengthen(hut)
        7 strengthen(hut)
        8 strengthen(hut)
        9 strengthen(hut)
        10 strengthen(hut)
        11 build(wall)
        12 build(wall)
        13 build(wall)
        14 build(wall)
        15 build(wall)
        16
        17"#]]
    .assert_eq(
        &(0..18)
            .map(|tick| {
                format!("{tick} {}", in_progress(tick))
                    .trim_end()
                    .to_owned()
            })
            .collect::<Vec<_>>()
            .join("\n"),
    );
    let domain = Domain::from(&document);
    let scene = domain.scene_or_empty(&name("s"));
    let at = |tick| {
        world_at(&domain, &scene, &run, Moment::Tick(tick))
            .as_initial_values()
            .join(", ")
    };
    expect![[r#"
        wood = 2
        stone = 2, wood = 2
        stands(hut), stone = 2, wood = 2
        stands(hut), stone = 4, wood = 2
        stands(hut), stone = 0, wood = 2"#]]
    .assert_eq(&[2, 3, 5, 6, 11].map(at).join("\n"));
    // If cut off, it reports the steps in progress.
    let cut = simulate(&Domain::from(&document), &name("s"), Budget::default(), 2);
    let left: Vec<TaskState> = cut.executed.iter().map(|step| step.state).collect();
    assert_eq!(left, [TaskState::InProgress; 2]);
}

#[test]
fn step_effects_are_observed_at_once() {
    check_text(
        "
object anna
object ben
agent worker: object
  task both
agent watcher: object
  task wait
blackboard fact heard
fact there
action Walk 5 by legs
action Sing 3 by voice
primitive walk = Walk
  eff there
primitive sing = Sing
  done there
  eff heard
primitive sit
  pre heard
primitive sing-again = Sing
compound both
  block a begin
  block b task walk
  block c task sing-again
  block d task sing
  wire a.out -> b
  wire a.out -> c
  wire b.out -> d
  wire c.out -> d
compound wait
  block a begin
  block b task sit
  wire a.out -> b
scenario s
  cast anna as worker
  cast ben as watcher
",
        expect![[r#"
            0 A plans: walk, sing-again, sing
            0 A walk Complete acted at 5 ended at 5: there = true
            0 A sing-again Complete acted at 3 ended at 3
            0 B plans: NoPlan
            5 A sing Complete acted at 8 ended at 8: heard = true
            8 B plans after an event: sit
            8 B sit Complete acted at 8 ended at 8
            8 Complete"#]],
    );
}

#[test]
fn characters_without_executors_have_one_lane() {
    for text in [
        include_str!("../../../../../public/examples/ball-in-the-box.taskloom.json"),
        include_str!("../../../../../public/examples/rts.taskloom.json"),
        include_str!("../../../../../public/examples/hunter.taskloom.json"),
    ] {
        let document = Document::from_json(text).expect("an example opens");
        for scenario in document.scenarios.keys() {
            let run = simulate(&Domain::from(&document), scenario, Budget::default(), 500);
            let lines = run.lanes();
            assert!(lines.iter().all(|line| *line == 0), "{scenario}: {lines:?}");
        }
    }
}
