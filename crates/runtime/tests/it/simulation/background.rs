//! Tasks in the background, in a run: they end when the main branch of the task above them is complete.

use expect_test::expect;

use crate::reference::simulate;
use taskloom_domain::Domain;
use taskloom_planner::plan::Budget;

use super::{check_text, document, name};

/// A guard who walks, sings and watches with legs, voice and eyes; the lines are those of the blocks after
/// Begin `a` of his patrol, of the agent, and of the scenario.
pub fn guard(method: &str, agent: &str, scenario: &str) -> String {
    format!(
        "
type person
type place
object bob: person
object eve: person
object yard: place
object gate: place
object lamp: object
sensor fact dark
fact tired
fact calm
number verses
number steps
fact seen
action Walk 4 by legs
action Sing 3 by voice
action Watch 9 by eyes
action Rest 2 by legs
primitive walk(?to: place) = Walk
  eff steps += 1
primitive sing = Sing
  integrity not dark
  eff verses += 1
primitive hum = Sing
  cooldown 20
  eff calm
primitive watch = Watch
  eff seen
primitive lit-watch = Watch
  claims lamp
primitive guard-post = Watch
  uninterruptible
primitive march = Watch
primitive rest = Rest
primitive report = Rest
  pre seen
primitive yawn = Rest
  pre not seen
compound song
  cooldown 30
  block a begin
  block b task sing
  block c task sing
  wire a.out -> b
  wire b.out -> c
compound nothing
  block a begin
compound patrol
  block a begin
{method}
compound afterwards
  block a begin
  block c choice report, yawn
  block d task report
  block e task yawn
  wire a.out -> c
  wire c.1 -> d
  wire c.2 -> e
compound night
  block a begin
  block b task patrol
  block c task afterwards
  wire a.out -> b
  wire b.out -> c
agent guard: person
{agent}
scenario s
  cast bob as guard
  does patrol
{scenario}"
    )
}

pub const SING: &str = "  block b task sing repeat 3 background
  block c task walk(yard)
  wire a.out -> b
  wire b.out -> c
";

#[test]
fn step_in_the_background_is_stopped_when_the_main_branch_is_complete() {
    check_text(
        &guard(SING, "", ""),
        expect![[r#"
        0 plans: sing, sing, sing, walk(yard)
        0 sing Complete acted at 3 ended at 3: verses = 1
        0 walk(yard) Complete acted at 4 ended at 4: steps = 1
        3 sing Stopped ended at 4: stopped because the main branch of patrol is complete
        4 Complete"#]],
    );
}

#[test]
fn background_that_is_complete_earlier_changes_nothing() {
    check_text(
        &guard(&SING.replace(" repeat 3", ""), "", ""),
        expect![[r#"
            0 plans: sing, walk(yard)
            0 sing Complete acted at 3 ended at 3: verses = 1
            0 walk(yard) Complete acted at 4 ended at 4: steps = 1
            4 Complete"#]],
    );
}

#[test]
fn failure_in_the_background_fails_the_plan_and_what_is_left_is_planned_in_parallel_again() {
    check_text(
        &guard(SING, "", "  event 1 dark\n  event 2 not dark\n"),
        expect![[r#"
            0 plans: sing, sing, sing, walk(yard)
            0 sing Failed ended at 1: integrity rule of sing: not dark
            0 walk(yard) Failed ended at 1: aborted because sing failed in parallel
            1 event 0: dark = true
            2 event 1: dark = false
            2 plans, as sing failed: sing, sing, sing, walk(yard)
            2 sing Complete acted at 5 ended at 5: verses = 1
            2 walk(yard) Complete acted at 6 ended at 6: steps = 1
            5 sing Stopped ended at 6: stopped because the main branch of patrol is complete
            6 Complete"#]],
    );
}

#[test]
fn failure_of_the_main_branch_leaves_the_background_open() {
    check_text(
        &guard(SING, "", "  fail walk time 1\n"),
        expect![[r#"
        0 plans: sing, sing, sing, walk(yard)
        0 sing Complete acted at 3 ended at 3: verses = 1
        0 walk(yard) Failed ended at 4: the scenario makes this action fail
        3 sing Failed ended at 4: aborted because walk(yard) failed in parallel
        5 plans, as walk(yard) failed: sing, sing, walk(yard)
        5 sing Complete acted at 8 ended at 8: verses = 2
        5 walk(yard) Complete acted at 9 ended at 9: steps = 1
        8 sing Stopped ended at 9: stopped because the main branch of patrol is complete
        9 Complete"#]],
    );
}

#[test]
fn uninterruptible_step_in_the_background_is_waited_for() {
    let method = "  block b task guard-post repeat 2 background
  block c task walk(yard)
  block d task sing repeat 5 background
  wire a.out -> b
  wire a.out -> c
  wire a.out -> d
";
    check_text(
        &guard(method, "", "  does rest\n"),
        expect![[r#"
        0 plans: guard-post, guard-post, walk(yard), sing, sing, sing, sing, sing, rest
        0 guard-post Complete acted at 9 ended at 9
        0 walk(yard) Complete acted at 4 ended at 4: steps = 1
        0 sing Complete acted at 3 ended at 3: verses = 1
        3 sing Stopped ended at 4: stopped because the main branch of patrol is complete
        9 rest Complete acted at 11 ended at 11
        11 Complete"#]],
    );
}

#[test]
fn task_without_a_main_branch_is_complete_with_its_background() {
    let method = "  block b task sing background
  block c task watch background
  wire a.out -> b
  wire a.out -> c
";
    check_text(
        &guard(method, "", "  does rest\n"),
        expect![[r#"
        0 plans: sing, watch, rest
        0 sing Complete acted at 3 ended at 3: verses = 1
        0 watch Complete acted at 9 ended at 9: seen = true
        9 rest Complete acted at 11 ended at 11
        11 Complete"#]],
    );
}

#[test]
fn main_branch_without_steps_skips_the_background() {
    let method = "  block b task sing background
  block c task nothing
  wire a.out -> b
  wire a.out -> c
";
    check_text(
        &guard(method, "", "  does rest\n"),
        expect![[r#"
        0 plans: sing, rest
        0 rest Complete acted at 2 ended at 2
        2 Complete"#]],
    );
}

pub const WATCH: &str = "  block b task watch background
  block c task walk(yard)
  wire a.out -> b
  wire b.out -> c
";

#[test]
fn what_follows_the_task_waits_for_its_main_branch() {
    check_text(
        &guard(SING, "", "  does rest\n  does sing\n"),
        expect![[r#"
            0 plans: sing, sing, sing, walk(yard), rest, sing
            0 sing Complete acted at 3 ended at 3: verses = 1
            0 walk(yard) Complete acted at 4 ended at 4: steps = 1
            3 sing Stopped ended at 4: stopped because the main branch of patrol is complete
            4 rest Complete acted at 6 ended at 6
            6 sing Complete acted at 9 ended at 9: verses = 2
            9 Complete"#]],
    );
}

#[test]
fn background_that_shares_the_executor_takes_its_turn() {
    let method = "  block b task rest background
  block c task walk(yard)
  block d task rest background
  wire a.out -> b
  wire b.out -> c
  wire a.out -> d
";
    check_text(
        &guard(method, "", ""),
        expect![[r#"
        0 plans: rest, rest, walk(yard)
        0 rest Complete acted at 2 ended at 2
        2 rest Complete acted at 4 ended at 4
        4 walk(yard) Complete acted at 8 ended at 8: steps = 1
        8 Complete"#]],
    );
}

#[test]
fn claims_of_a_stopped_step_are_released() {
    let method = "  block b task lit-watch background
  block c task walk(yard)
  wire a.out -> b
  wire b.out -> c
";
    check_text(
        &guard(method, "", "  cast eve as guard\n  does lit-watch\n"),
        expect![[r#"
            0 A plans: lit-watch, walk(yard)
            0 A lit-watch Stopped ended at 4: stopped because the main branch of patrol is complete
            0 A walk(yard) Complete acted at 4 ended at 4: steps = 1
            0 B plans: NoPlan
            4 B plans after an event: lit-watch
            4 B lit-watch Complete acted at 13 ended at 13
            13 Complete"#]],
    );
}

#[test]
fn stopped_and_skipped_tasks_cool_down_if_they_had_begun() {
    let method = "  block b task song background
  block c task walk(yard)
  block d task hum background
  wire a.out -> b
  wire b.out -> c
  wire a.out -> d
";
    // The song may be planned again at tick 34, but that would be too many verses.
    check_text(
        &guard(method, "  again\n", "").replace("verses\n", "verses integer 0..2\n"),
        expect![[r#"
            0 plans: sing, sing, hum, walk(yard)
            0 sing Complete acted at 3 ended at 3: verses = 1
            0 walk(yard) Complete acted at 4 ended at 4: steps = 1
            3 sing Stopped ended at 4: stopped because the main branch of patrol is complete
            5 plans again: NoPlan
            34 tries again: NoPlan
            34 Failed"#]],
    );
}

#[test]
fn stop_is_no_failed_attempt() {
    let method = WATCH.replace("background", "background retry 0");
    check_text(
        &guard(&method, "", "  does patrol\n"),
        expect![[r#"
        0 plans: watch, walk(yard), watch, walk(yard)
        0 watch Stopped ended at 4: stopped because the main branch of patrol is complete
        0 walk(yard) Complete acted at 4 ended at 4: steps = 1
        4 watch Stopped ended at 8: stopped because the main branch of patrol is complete
        4 walk(yard) Complete acted at 8 ended at 8: steps = 2
        8 Complete"#]],
    );
}

#[test]
fn timeouts_count_until_the_end() {
    let method = WATCH.replace("background", "background timeout 2");
    check_text(
        &guard(&method, "  failure never\n", ""),
        expect![[r#"
        0 plans: watch, walk(yard)
        0 watch Failed ended at 3: watch timed out after 2 ticks
        0 walk(yard) Failed ended at 3: aborted because watch failed in parallel
        3 Failed"#]],
    );
}

#[test]
fn failure_after_the_main_branch_leaves_nothing_of_the_task() {
    let method = WATCH.replace("watch", "guard-post");
    check_text(
        &guard(&method, "", "  does rest\n  fail guard-post time 1\n"),
        expect![[r#"
            0 plans: guard-post, walk(yard), rest
            0 guard-post Failed ended at 9: the scenario makes this action fail
            0 walk(yard) Complete acted at 4 ended at 4: steps = 1
            10 plans, as guard-post failed: rest
            10 rest Complete acted at 12 ended at 12
            12 Complete"#]],
    );
}

/// The guard sings until he is calm, and rests afterwards.
fn sings_until_calm(options: &str, scenario: &str) -> String {
    let method = format!(
        "  block b task calm-down background{options}
  block c task walk(yard)
  wire a.out -> b
  wire b.out -> c
"
    );
    let calm = "compound calm-down
  goal calm
compound night
";
    guard(&method, "", scenario).replace("compound night\n", calm)
}

#[test]
fn goal_search_in_the_background_ends_with_the_main_branch() {
    check_text(
        &sings_until_calm("", "  does rest\n"),
        expect![[r#"
        0 plans: hum, walk(yard), rest
        0 hum Complete acted at 3 ended at 3: calm = true
        0 walk(yard) Complete acted at 4 ended at 4: steps = 1
        4 rest Complete acted at 6 ended at 6
        6 Complete"#]],
    );
    // A task without steps ends, too: a failure after it doesn't lead back to it.
    check_text(
        &sings_until_calm(
            " repeat 2",
            "  initial calm\n  event 3 not calm\n  fail rest time 1\n  does rest\n",
        ),
        expect![[r#"
            0 plans: walk(yard), rest
            0 walk(yard) Complete acted at 4 ended at 4: steps = 1
            3 event 0: calm = false
            4 rest Failed ended at 6: the scenario makes this action fail
            7 plans, as rest failed: rest
            7 rest Complete acted at 9 ended at 9
            9 Complete"#]],
    );
}

#[test]
fn task_that_ends_in_the_background_is_not_aborted() {
    let method = SING.replace("sing repeat 3 background", "song background abort rest");
    check_text(
        &guard(&method, "", ""),
        expect![[r#"
        0 plans: sing, sing, walk(yard)
        0 sing Complete acted at 3 ended at 3: verses = 1
        0 walk(yard) Complete acted at 4 ended at 4: steps = 1
        3 sing Stopped ended at 4: stopped because the main branch of patrol is complete
        4 Complete"#]],
    );
}

#[test]
fn task_in_the_background_is_aborted_if_it_fails_or_the_main_branch_does() {
    let method = SING.replace("sing repeat 3 background", "song background abort rest");
    check_text(
        &guard(&method, "", "  event 2 dark\n  event 3 not dark\n"),
        expect![[r#"
            0 plans: sing, sing, walk(yard)
            0 sing Failed ended at 2: integrity rule of sing: not dark
            0 walk(yard) Failed ended at 2: aborted because sing failed in parallel
            2 event 0: dark = true
            3 event 1: dark = false
            3 plans, as sing failed: NoPlan
            32 tries again: rest, sing, sing, walk(yard); aborts song by rest
            32 rest Complete acted at 34 ended at 34
            34 sing Complete acted at 37 ended at 37: verses = 1
            34 walk(yard) Complete acted at 38 ended at 38: steps = 1
            37 sing Stopped ended at 38: stopped because the main branch of patrol is complete
            38 Complete"#]],
    );
    let method = method.replace("walk(yard)", "walk(yard) retry 0");
    check_text(
        &guard(&method, "", "  fail walk time 1\n"),
        expect![[r#"
        0 plans: sing, sing, walk(yard)
        0 sing Complete acted at 3 ended at 3: verses = 1
        0 walk(yard) Failed ended at 4: the scenario makes this action fail
        3 sing Failed ended at 4: aborted because walk(yard) failed in parallel
        5 plans, as walk(yard) failed: NoPlan
        34 tries again: NoPlan
        34 Failed"#]],
    );
}

#[test]
fn cleanup_with_a_background_of_its_own_ends_with_its_main_branch() {
    let method = "  block b task walk(yard) abort tidy
  wire a.out -> b
";
    let tidy = "compound tidy
  block a begin
  block b task song background
  block c task rest
  wire a.out -> b
  wire b.out -> c
compound night
";
    let text = guard(method, "", "  fail walk time 1\n").replace("compound night\n", tidy);
    check_text(
        &text,
        expect![[r#"
        0 plans: walk(yard)
        0 walk(yard) Failed ended at 4: the scenario makes this action fail
        5 plans, as walk(yard) failed: sing, sing, rest, walk(yard); aborts walk(yard) by tidy
        5 sing Stopped ended at 7: stopped because the main branch of tidy is complete
        5 rest Complete acted at 7 ended at 7
        7 walk(yard) Complete acted at 11 ended at 11: steps = 1
        11 Complete"#]],
    );
}

#[test]
fn background_of_a_task_that_serves_a_goal_ends_with_its_main_branch() {
    let pursuing = |condition: &str| {
        let goal =
            format!("goal done: {condition}\n  priority 1\n  task patrol\nagent guard: person\n");
        guard(SING, "  wants done\n", "")
            .replace("agent guard: person\n", &goal)
            .replace("  does patrol\n", "")
    };
    check_text(
        &pursuing("steps = 1"),
        expect![[r#"
        0 plans: sing, sing, sing, walk(yard)
        0 sing Complete acted at 3 ended at 3: verses = 1
        0 walk(yard) Complete acted at 4 ended at 4: steps = 1
        3 sing Stopped ended at 4: stopped because the main branch of patrol is complete
        5 goes on
        5 Complete"#]],
    );
    // What is skipped was to make the goal true.
    check_text(
        &pursuing("verses = 3"),
        expect![[r#"
            0 plans: sing, sing, sing, walk(yard)
            0 sing Complete acted at 3 ended at 3: verses = 1
            0 walk(yard) Complete acted at 4 ended at 4: steps = 1
            3 sing Complete acted at 6 ended at 6: verses = 2
            6 sing Complete acted at 9 ended at 9: verses = 3
            10 goes on
            10 Complete"#]],
    );
}

#[test]
fn record_has_the_states_of_stopped_and_skipped_tasks() {
    let method = "  block b task song background
  block c task walk(yard)
  block d task watch background
  wire a.out -> b
  wire b.out -> c
  wire a.out -> d
";
    let document = document(&guard(method, "", "  does rest\n"));
    let run = simulate(&Domain::from(&document), &name("s"), Budget::default(), 200);
    let plan = run.plans[0].plan().expect("a plan");
    let states = |tick: u32| {
        let states = run.states(0, tick).into_iter().zip(&plan.nodes);
        let states = states.map(|(state, node)| format!("{} {state:?}", node.task));
        format!("{tick}: {}", states.collect::<Vec<_>>().join(", "))
    };
    let all: Vec<String> = [0, 3, 4, 6].map(states).into();
    expect![[r#"
        0: patrol InProgress, rest Planned, song InProgress, watch InProgress, walk(yard) InProgress, sing InProgress, sing Planned
        3: patrol InProgress, rest Planned, song InProgress, watch InProgress, walk(yard) InProgress, sing Complete, sing InProgress
        4: patrol Complete, rest InProgress, song Stopped, watch Stopped, walk(yard) Complete, sing Complete, sing Stopped
        6: patrol Complete, rest Complete, song Stopped, watch Stopped, walk(yard) Complete, sing Complete, sing Stopped"#]].assert_eq(&all.join("\n"));
}

#[test]
fn reactive_actor_does_the_background_in_its_turn() {
    check_text(
        &guard(SING, "  reactive\n", ""),
        expect![[r#"
        0 plans: sing
        0 sing Complete acted at 3 ended at 3: verses = 1
        3 goes on: sing
        3 sing Complete acted at 6 ended at 6: verses = 2
        6 goes on: sing
        6 sing Complete acted at 9 ended at 9: verses = 3
        9 goes on: walk(yard)
        9 walk(yard) Complete acted at 13 ended at 13: steps = 1
        13 Complete"#]],
    );
    let later = "  block b task walk(yard)
  block c task sing background
  wire a.out -> b
  wire a.out -> c
";
    check_text(
        &guard(later, "  reactive\n", "  does rest\n"),
        expect![[r#"
            0 plans: walk(yard)
            0 walk(yard) Complete acted at 4 ended at 4: steps = 1
            4 goes on: rest
            4 rest Complete acted at 6 ended at 6
            6 Complete"#]],
    );
}
