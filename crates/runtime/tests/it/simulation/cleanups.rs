//! Tasks that are aborted, and the tasks that clean up after them.

use expect_test::expect;

use super::{check_text, simulate};
use taskloom_document::Name;
use taskloom_domain::Domain;
use taskloom_planner::plan::Budget;
use taskloom_runtime::Run;
use testkit::domain::document;

/// A smith who takes a tool and works with it, and flees if there is an alarm. The lines are those of the
/// block that uses the tool, of the block that takes it, of the agent, and of the scenario.
fn smith([using, taking]: [&str; 2], agent: &str, scenario: &str) -> String {
    format!(
        "
type thing
object hammer: thing
object ann: thing
sensor fact alarm
sensor fact stuck
blackboard fact holding(?t: thing)
blackboard fact warm
blackboard fact done
action Take 2
action Work 4
action Put 1
primitive take(?t: thing) = Take
  pre not holding(?t)
  eff holding(?t)
primitive heat = Work
  eff warm
primitive work(?t: thing) = Work
  pre holding(?t)
  eff done
primitive put-down(?t: thing) = Put
  pre holding(?t)
  pre not stuck
  eff not holding(?t)
primitive cool = Put
  pre warm
  eff not warm
primitive flee = Put
  pre alarm
compound use(?t: thing)
  integrity not alarm
  block a begin
  block b task take(?t) {taking}
  block c task heat
  block d task work(?t)
  wire a.out -> b
  wire b.out -> c
  wire c.out -> d
compound job
  block a begin
  block b choice flee, use
  block c task flee
  block d bind ?t: thing where ?t != ann
  block e task use(?t) {using}
  wire a.out -> b
  wire b.1 -> c
  wire b.2 -> d
  wire d.out -> e
agent smith: thing
  task job
{agent}
scenario s
  cast ann as smith
{scenario}"
    )
}

const CLEANUP: &str = "abort put-down(?t)";

#[test]
fn aborted_task_is_cleaned_up_before_the_new_plan() {
    check_text(
        &smith([CLEANUP, ""], "", "  event 4 alarm\n"),
        expect![[r#"
        0 plans: take(hammer), heat, work(hammer)
        0 take(hammer) Complete acted at 2 ended at 2: holding(hammer) = true
        2 heat Failed ended at 4: integrity rule of use(hammer): not alarm
        4 event 0: alarm = true
        5 plans, as heat failed: put-down(hammer), flee; aborts use(hammer) by put-down(hammer)
        5 put-down(hammer) Complete acted at 6 ended at 6: holding(hammer) = false
        6 flee Complete acted at 7 ended at 7
        7 Complete"#]],
    );
}

#[test]
fn failure_below_a_task_that_goes_on_aborts_nothing() {
    check_text(
        &smith([CLEANUP, ""], "", "  fail heat time 1\n"),
        expect![[r#"
            0 plans: take(hammer), heat, work(hammer)
            0 take(hammer) Complete acted at 2 ended at 2: holding(hammer) = true
            2 heat Failed ended at 6: the scenario makes this action fail
            7 plans, as heat failed: heat, work(hammer)
            7 heat Complete acted at 11 ended at 11: warm = true
            11 work(hammer) Complete acted at 15 ended at 15: done = true
            15 Complete"#]],
    );
}

#[test]
fn task_that_has_not_started_is_not_aborted() {
    // A precondition of its first step turns out to be false.
    let text = smith(
        [CLEANUP, CLEANUP],
        "  sense stuck 90 when alarm\n",
        "  event 0 stuck\n  event 1 alarm\n",
    );
    let text = text.replace("  pre not holding(?t)\n", "  pre not stuck\n");
    check_text(
        &text,
        expect![[r#"
        0 event 0: stuck = true
        0 plans: take(hammer), heat, work(hammer)
        0 take(hammer) Failed ended at 0: precondition is false in the world: not stuck; learns stuck = true
        1 event 1: alarm = true
        1 plans, as take(hammer) failed: flee
        1 flee Complete acted at 2 ended at 2
        2 Complete"#]],
    );
}

#[test]
fn inner_tasks_are_cleaned_up_first_and_each_cleanup_is_done_once() {
    let text = smith([CLEANUP, ""], "", "  event 8 alarm\n")
        .replace("task heat", "task heat abort cool")
        .replace("task work(?t)", "task work(?t) abort put-down(?t)");
    // The block of a task that is complete doesn't count.
    check_text(
        &text,
        expect![[r#"
        0 plans: take(hammer), heat, work(hammer)
        0 take(hammer) Complete acted at 2 ended at 2: holding(hammer) = true
        2 heat Complete acted at 6 ended at 6: warm = true
        6 work(hammer) Failed ended at 8: integrity rule of use(hammer): not alarm
        8 event 0: alarm = true
        9 plans, as work(hammer) failed: put-down(hammer), flee; aborts work(hammer) by put-down(hammer)
        9 put-down(hammer) Complete acted at 10 ended at 10: holding(hammer) = false
        10 flee Complete acted at 11 ended at 11
        11 Complete"#]],
    );
    let text = text.replace(
        "compound job",
        "compound heat-up\n  block a begin\n  block b task heat\n  block c task work(hammer) abort cool\n  \
         wire a.out -> b\n  wire b.out -> c\ncompound job",
    );
    let text = text.replace("task heat abort cool", "task heat-up");
    check_text(
        &text,
        expect![[r#"
        0 plans: take(hammer), heat, work(hammer), work(hammer)
        0 take(hammer) Complete acted at 2 ended at 2: holding(hammer) = true
        2 heat Complete acted at 6 ended at 6: warm = true
        6 work(hammer) Failed ended at 8: integrity rule of use(hammer): not alarm
        8 event 0: alarm = true
        9 plans, as work(hammer) failed: cool, put-down(hammer), flee; aborts work(hammer) by cool; aborts use(hammer) by put-down(hammer)
        9 cool Complete acted at 10 ended at 10: warm = false
        10 put-down(hammer) Complete acted at 11 ended at 11: holding(hammer) = false
        11 flee Complete acted at 12 ended at 12
        12 Complete"#]],
    );
}

#[test]
fn cleanup_without_a_plan_is_dropped() {
    let scenario = "  event 4 alarm\n  event 3 stuck\n";
    check_text(
        &smith([CLEANUP, ""], "", scenario),
        expect![[r#"
        0 plans: take(hammer), heat, work(hammer)
        0 take(hammer) Complete acted at 2 ended at 2: holding(hammer) = true
        2 heat Failed ended at 4: integrity rule of use(hammer): not alarm
        3 event 1: stuck = true
        4 event 0: alarm = true
        5 plans, as heat failed: flee; aborts use(hammer) dropping put-down(hammer)
        5 flee Complete acted at 6 ended at 6
        6 Complete"#]],
    );
}

#[test]
fn cleanup_that_fails_is_not_repeated() {
    let scenario = "  event 4 alarm\n  fail put-down time 1\n";
    check_text(
        &smith([CLEANUP, ""], "", scenario),
        expect![[r#"
        0 plans: take(hammer), heat, work(hammer)
        0 take(hammer) Complete acted at 2 ended at 2: holding(hammer) = true
        2 heat Failed ended at 4: integrity rule of use(hammer): not alarm
        4 event 0: alarm = true
        5 plans, as heat failed: put-down(hammer), flee; aborts use(hammer) by put-down(hammer)
        5 put-down(hammer) Failed ended at 6: the scenario makes this action fail
        7 plans, as put-down(hammer) failed: flee
        7 flee Complete acted at 8 ended at 8
        8 Complete"#]],
    );
}

#[test]
fn cleanup_that_is_cooling_down_is_dropped() {
    let text = smith(
        [CLEANUP, ""],
        "",
        "  event 4 alarm\n  event 9 not alarm\n  event 13 alarm\n",
    )
    .replace(
        "primitive put-down(?t: thing) = Put",
        "primitive put-down(?t: thing) = Put\n  cooldown 30",
    );
    let text = text.replace("  task job\n", "  task job\n  again\n");
    let run = run(&text);
    let aborts: Vec<String> = run
        .plans
        .iter()
        .flat_map(|planning| &planning.aborts)
        .map(|abort| format!("{abort:?}"))
        .collect();
    expect![[r#"
        Abort { task: GroundTask { task: "use", args: ["hammer"] }, cleanup: GroundTask { task: "put-down", args: ["hammer"] }, is_dropped: false }
        Abort { task: GroundTask { task: "use", args: ["hammer"] }, cleanup: GroundTask { task: "put-down", args: ["hammer"] }, is_dropped: true }"#]].assert_eq(&aborts.join("\n"));
}

#[test]
fn task_that_is_decomposed_again_is_cleaned_up() {
    check_text(
        &smith(["abort cool", ""], "", "  event 5 not holding(hammer)\n"),
        expect![[r#"
            0 plans: take(hammer), heat, work(hammer)
            0 take(hammer) Complete acted at 2 ended at 2: holding(hammer) = true
            2 heat Complete acted at 6 ended at 6: warm = true
            5 event 0: holding(hammer) = false
            6 work(hammer) Failed ended at 6: precondition is false: holding(hammer)
            7 plans, as work(hammer) failed: cool, take(hammer), heat, work(hammer); aborts use(hammer) by cool
            7 cool Complete acted at 8 ended at 8: warm = false
            8 take(hammer) Complete acted at 10 ended at 10: holding(hammer) = true
            10 heat Complete acted at 14 ended at 14: warm = true
            14 work(hammer) Complete acted at 18 ended at 18: done = true
            18 Complete"#]],
    );
}

#[test]
fn pending_cleanup_waits_for_a_plan() {
    let scenario = "  event 4 alarm\n  event 4 stuck\n  event 20 not stuck\n";
    let text = smith([CLEANUP, ""], "", scenario).replace(
        "primitive flee = Put\n",
        "primitive flee = Put\n  pre not stuck\n",
    );
    check_text(
        &text,
        expect![[r#"
        0 plans: take(hammer), heat, work(hammer)
        0 take(hammer) Complete acted at 2 ended at 2: holding(hammer) = true
        2 heat Failed ended at 4: integrity rule of use(hammer): not alarm
        4 event 0: alarm = true
        4 event 1: stuck = true
        5 plans, as heat failed: NoPlan
        20 event 2: stuck = false
        20 plans after an event: put-down(hammer), flee; aborts use(hammer) by put-down(hammer)
        20 put-down(hammer) Complete acted at 21 ended at 21: holding(hammer) = false
        21 flee Complete acted at 22 ended at 22
        22 Complete"#]],
    );
}

#[test]
fn better_plan_begins_with_cleanups() {
    check_text(
        &smith([CLEANUP, ""], "  alternative\n", "  event 4 alarm\n")
            .replace("  integrity not alarm\n", ""),
        expect![[r#"
            0 plans: take(hammer), heat, work(hammer)
            0 take(hammer) Complete acted at 2 ended at 2: holding(hammer) = true
            2 heat Failed ended at 4: interrupted by a new plan
            4 event 0: alarm = true
            4 plans, as something better is possible: put-down(hammer), flee; aborts use(hammer) by put-down(hammer)
            4 put-down(hammer) Complete acted at 5 ended at 5: holding(hammer) = false
            5 flee Complete acted at 6 ended at 6
            6 Complete"#]],
    );
    // While the first step is in progress, only its task can be aborted.
    check_text(
        &smith(
            ["", "abort cool"],
            "  alternative\n",
            "  initial warm\n  event 1 alarm\n",
        )
        .replace("  integrity not alarm\n", ""),
        expect![[r#"
            0 plans: take(hammer), heat, work(hammer)
            0 take(hammer) Failed ended at 1: interrupted by a new plan
            1 event 0: alarm = true
            1 plans, as something better is possible: cool, flee; aborts take(hammer) by cool
            1 cool Complete acted at 2 ended at 2: warm = false
            2 flee Complete acted at 3 ended at 3
            3 Complete"#]],
    );
}

#[test]
fn new_plan_that_continues_the_first_step_aborts_nothing() {
    let text = |agent| {
        let text = smith(
            ["abort cool", "abort cool"],
            agent,
            "  initial warm\n  event 1 stuck\n",
        );
        text.replace(
            "compound job",
            "primitive hurry = Put\ncompound finish\n  block a begin\n  block b choice slowly, fast\n  \
             block c branch not stuck\n  block d task heat\n  block e task hurry\n  wire a.out -> b\n  \
             wire b.1 -> c\n  wire b.2 -> e\n  wire c.true -> d\ncompound job",
        )
        .replace("task heat\n  block d task work(?t)", "task finish\n  block d task work(?t)")
    };
    check_text(
        &text("  perception\n"),
        expect![[r#"
        0 plans: take(hammer), heat, work(hammer)
        0 take(hammer) Complete acted at 2 ended at 2: holding(hammer) = true
        1 event 0: stuck = true
        1 plans, noticing stuck: take(hammer), hurry, work(hammer)
        2 hurry Complete acted at 3 ended at 3
        3 work(hammer) Complete acted at 7 ended at 7: done = true
        7 Complete"#]],
    );
    // Another first step doesn't continue it.
    let other = text("  perception\n").replace(
        "block b task take(?t) abort cool\n",
        "block b choice one, other\n  block f branch not stuck\n  block g task take(?t) abort cool\n  \
         block h task hurry\n  wire b.1 -> f\n  wire f.true -> g\n  wire b.2 -> h\n  wire g.out -> c\n  \
         wire h.out -> c\n",
    );
    let other = other.replace("  wire b.out -> c\n", "");
    check_text(
        &other.replace("  pre holding(?t)\n  eff done", "  eff done"),
        expect![[r#"
        0 plans: take(hammer), heat, work(hammer)
        0 take(hammer) Failed ended at 1: interrupted by a new plan
        1 event 0: stuck = true
        1 plans, noticing stuck: cool, hurry, hurry, work(hammer); aborts take(hammer) by cool
        1 cool Complete acted at 2 ended at 2: warm = false
        2 hurry Complete acted at 3 ended at 3
        3 hurry Complete acted at 4 ended at 4
        4 work(hammer) Complete acted at 8 ended at 8: done = true
        8 Complete"#]],
    );
}

#[test]
fn reactive_actor_cleans_up_before_its_next_step() {
    check_text(
        &smith([CLEANUP, ""], "  reactive\n", "  event 4 alarm\n"),
        expect![[r#"
            0 plans: take(hammer)
            0 take(hammer) Complete acted at 2 ended at 2: holding(hammer) = true
            2 goes on: heat
            2 heat Failed ended at 4: integrity rule of use(hammer): not alarm
            4 event 0: alarm = true
            5 plans, as heat failed: put-down(hammer); aborts use(hammer) by put-down(hammer)
            5 put-down(hammer) Complete acted at 6 ended at 6: holding(hammer) = false
            6 goes on: flee
            6 flee Complete acted at 7 ended at 7
            7 Complete"#]],
    );
    check_text(
        &smith(
            [CLEANUP, ""],
            "  reactive\n  alternative\n",
            "  event 4 alarm\n",
        )
        .replace("  integrity not alarm\n", ""),
        expect![[r#"
            0 plans: take(hammer)
            0 take(hammer) Complete acted at 2 ended at 2: holding(hammer) = true
            2 goes on: heat
            2 heat Failed ended at 4: interrupted by a new plan
            4 event 0: alarm = true
            4 plans, as something better is possible: put-down(hammer); aborts use(hammer) by put-down(hammer)
            4 put-down(hammer) Complete acted at 5 ended at 5: holding(hammer) = false
            5 goes on: flee
            5 flee Complete acted at 6 ended at 6
            6 Complete"#]],
    );
}

#[test]
fn task_that_times_out_or_is_given_up_is_cleaned_up() {
    let text = smith(
        ["timeout 3 abort put-down(?t)", ""],
        "",
        "  event 3 alarm\n",
    )
    .replace("  integrity not alarm\n", "");
    check_text(
        &text,
        expect![[r#"
            0 plans: take(hammer), heat, work(hammer)
            0 take(hammer) Complete acted at 2 ended at 2: holding(hammer) = true
            2 heat Failed ended at 4: use(hammer) timed out after 3 ticks
            3 event 0: alarm = true
            5 plans, as heat failed: put-down(hammer), flee; aborts use(hammer) by put-down(hammer)
            5 put-down(hammer) Complete acted at 6 ended at 6: holding(hammer) = false
            6 flee Complete acted at 7 ended at 7
            7 Complete"#]],
    );
    let text = smith(
        ["retry 0 abort put-down(?t)", ""],
        "",
        "  event 3 alarm\n  fail heat time 1\n",
    )
    .replace("  integrity not alarm\n", "");
    check_text(
        &text,
        expect![[r#"
        0 plans: take(hammer), heat, work(hammer)
        0 take(hammer) Complete acted at 2 ended at 2: holding(hammer) = true
        2 heat Failed ended at 6: the scenario makes this action fail
        3 event 0: alarm = true
        7 plans, as heat failed: put-down(hammer), flee; aborts use(hammer) by put-down(hammer)
        7 put-down(hammer) Complete acted at 8 ended at 8: holding(hammer) = false
        8 flee Complete acted at 9 ended at 9
        9 Complete"#]],
    );
}

#[test]
fn claims_are_released_before_the_cleanup() {
    let text = smith([CLEANUP, ""], "", "  event 4 alarm\n")
        .replace(
            "primitive heat = Work",
            "primitive heat = Work\n  claims hammer",
        )
        .replace(
            "primitive put-down(?t: thing) = Put",
            "primitive put-down(?t: thing) = Put\n  claims ?t",
        );
    check_text(
        &text,
        expect![[r#"
        0 plans: take(hammer), heat, work(hammer)
        0 take(hammer) Complete acted at 2 ended at 2: holding(hammer) = true
        2 heat Failed ended at 4: integrity rule of use(hammer): not alarm
        4 event 0: alarm = true
        5 plans, as heat failed: put-down(hammer), flee; aborts use(hammer) by put-down(hammer)
        5 put-down(hammer) Complete acted at 6 ended at 6: holding(hammer) = false
        6 flee Complete acted at 7 ended at 7
        7 Complete"#]],
    );
}

fn run(text: &str) -> Run {
    let name = Name::new("s").expect("a name");
    simulate(&Domain::from(&document(text)), &name, Budget::default(), 60)
}

/// A carrier whose task is aborted, and who then has to do it in another way, of which there are three: below the task
/// that was aborted, above it, or none.
fn carrier(agent: &str, inner: &str, outer: &str) -> String {
    format!(
        "
type person
object ann: person
sensor fact safe
memory fact has
memory fact tidy
action Pick 1
action Walk 3
action Drop 1
action Hand 7
primitive pick = Pick
  eff has
primitive walk = Walk
  pre has
primitive drop = Drop
  eff not has
primitive sweep = Drop
  eff tidy
primitive hand = Hand
compound carry
  integrity safe
  sequence pick; walk
compound safely
  pre safe
  block a begin
  block b task carry {inner}
  wire a.out -> b
compound bring
  block a begin
  block c choice carry, hand
  block b task safely {outer}
  block d task hand
  wire a.out -> c
  wire c.1 -> b
  wire c.2 -> d
agent one: person
{agent}
scenario s
  initial safe
  cast ann as one
  does bring
  event 2 not safe"
    )
}

/// The steps that were complete, each with its end.
fn complete(text: &str) -> String {
    let run = simulate(
        &Domain::from(&document(text)),
        &Name::new("s").expect("a name"),
        Budget::default(),
        200,
    );
    let mut steps: Vec<(u32, String)> = vec![];
    for step in &run.executed {
        if step.state == taskloom_runtime::TaskState::Complete {
            let end = step.end.expect("it is complete");
            let plan = run.plans[step.plan].plan().expect("it was planned");
            let task = &plan.steps[step.step].task;
            steps.push((end, format!("{task}@{end}")));
        }
    }
    steps.sort();
    let steps: Vec<String> = steps.into_iter().map(|(_, text)| text).collect();
    format!("{} {:?}", steps.join(" "), run.end)
}

#[test]
fn after_a_cleanup_an_actor_tries_another_way_however_it_plans() {
    for (inner, outer) in [
        ("", ""),
        ("abort drop", ""),
        ("", "abort drop"),
        ("abort drop", "abort sweep"),
        ("abort walk", ""),
    ] {
        let ahead = complete(&carrier("", inner, outer));
        let reactive = complete(&carrier("  reactive", inner, outer));
        assert!(ahead.contains("hand@"), "{ahead}");
        assert_eq!(reactive, ahead, "{inner}, {outer}");
    }
}
