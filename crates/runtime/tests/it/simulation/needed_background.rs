//! Tasks in the background that the rest of the plan needs: they go on after the main branch.

use expect_test::expect;

use taskloom_domain::Domain;
use taskloom_planner::plan::Budget;

use super::background::{SING, WATCH, guard};
use super::{check_text, document, name};
use crate::reference::simulate;

#[test]
fn background_that_the_rest_of_the_plan_needs_goes_on() {
    let night = guard(WATCH, "", "").replace("  does patrol", "  does night");
    check_text(
        &night,
        expect![[r#"
            0 plans: watch, walk(yard), report
            0 watch Complete acted at 9 ended at 9: seen = true
            0 walk(yard) Complete acted at 4 ended at 4: steps = 1
            9 report Complete acted at 11 ended at 11
            11 Complete"#]],
    );
    // What it doesn't need is no reason to plan.
    let night = night.replace("  pre seen", "  pre not dark");
    check_text(
        &night,
        expect![[r#"
        0 plans: watch, walk(yard), report
        0 watch Stopped ended at 4: stopped because the main branch of patrol is complete
        0 walk(yard) Complete acted at 4 ended at 4: steps = 1
        4 report Complete acted at 6 ended at 6
        6 Complete"#]],
    );
}

#[test]
fn background_goes_on_until_the_rest_of_the_plan_is_possible() {
    let method =
        SING.replace("  wire", "  block d task hum background\n  wire") + "  wire a.out -> d\n";
    let needs_two = method
        .replace("repeat 3", "repeat 9")
        .replace("hum", "watch");
    let night = |pre: &str, scenario: &str| {
        let text = guard(&needs_two, "", scenario).replace("  does patrol", "  does night");
        text.replace("  pre seen", pre)
    };
    // Nine verses were planned, two are enough, and he no longer watches then.
    check_text(
        &night("  pre verses >= 2", ""),
        expect![[r#"
        0 plans: sing, sing, sing, sing, sing, sing, sing, sing, sing, watch, walk(yard), report
        0 sing Complete acted at 3 ended at 3: verses = 1
        0 watch Stopped ended at 6: stopped because the main branch of patrol is complete
        0 walk(yard) Complete acted at 4 ended at 4: steps = 1
        3 sing Complete acted at 6 ended at 6: verses = 2
        6 report Complete acted at 8 ended at 8
        8 Complete"#]],
    );
    // All of it ends if it doesn't help.
    check_text(
        &night("  pre verses >= 2\n  pre not dark", "  event 4 dark\n"),
        expect![[r#"
        0 plans: sing, sing, sing, sing, sing, sing, sing, sing, sing, watch, walk(yard), report
        0 sing Complete acted at 3 ended at 3: verses = 1
        0 watch Stopped ended at 4: stopped because the main branch of patrol is complete
        0 walk(yard) Complete acted at 4 ended at 4: steps = 1
        3 sing Stopped ended at 4: stopped because the main branch of patrol is complete
        4 event 0: dark = true
        4 plans without the background: yawn
        4 yawn Complete acted at 6 ended at 6
        6 Complete"#]],
    );
    // It goes on if somebody else does what it was for, until a step ends.
    check_text(
        &night("  pre calm or verses >= 9", "  event 5 calm\n"),
        expect![[r#"
        0 plans: sing, sing, sing, sing, sing, sing, sing, sing, sing, watch, walk(yard), report
        0 sing Complete acted at 3 ended at 3: verses = 1
        0 watch Stopped ended at 6: stopped because the main branch of patrol is complete
        0 walk(yard) Complete acted at 4 ended at 4: steps = 1
        3 sing Complete acted at 6 ended at 6: verses = 2
        5 event 0: calm = true
        6 report Complete acted at 8 ended at 8
        8 Complete"#]],
    );
}

#[test]
fn failure_leaves_a_needed_background_open() {
    let night = guard(WATCH, "", "  fail watch time 1\n").replace("  does patrol", "  does night");
    check_text(
        &night,
        expect![[r#"
        0 plans: watch, walk(yard), report
        0 watch Failed ended at 9: the scenario makes this action fail
        0 walk(yard) Complete acted at 4 ended at 4: steps = 1
        10 plans, as watch failed: watch, report
        10 watch Complete acted at 19 ended at 19: seen = true
        19 report Complete acted at 21 ended at 21
        21 Complete"#]],
    );
    // Its failures count until it is complete.
    let retry = WATCH.replace("background", "background retry 1");
    let night = guard(&retry, "", "  fail watch\n").replace("  does patrol", "  does night");
    check_text(
        &night,
        expect![[r#"
        0 plans: watch, walk(yard), report
        0 watch Failed ended at 9: the scenario makes this action fail
        0 walk(yard) Complete acted at 4 ended at 4: steps = 1
        10 plans, as watch failed: watch, report
        10 watch Failed ended at 19: the scenario makes this action fail
        20 plans, as watch failed: NoPlan
        20 Failed"#]],
    );
}

#[test]
fn task_is_in_progress_until_its_background_ends() {
    let night = guard(WATCH, "", "").replace("  does patrol", "  does night");
    let domain = Domain::from(&document(&night));
    let run = simulate(&domain, &name("s"), Budget::default(), 200);
    let plan = run.plans[0].plan().expect("a plan");
    let states = |tick: u32| {
        let states = run.states(0, tick).into_iter().zip(&plan.nodes);
        let states = states.map(|(state, node)| format!("{} {state:?}", node.task));
        format!("{tick}: {}", states.collect::<Vec<_>>().join(", "))
    };
    let all: Vec<String> = [3, 4, 8, 9].map(states).into();
    expect![[r#"
        3: night InProgress, patrol InProgress, afterwards Planned, watch InProgress, walk(yard) InProgress, report Planned
        4: night InProgress, patrol InProgress, afterwards Planned, watch InProgress, walk(yard) Complete, report Planned
        8: night InProgress, patrol InProgress, afterwards Planned, watch InProgress, walk(yard) Complete, report Planned
        9: night InProgress, patrol Complete, afterwards InProgress, watch Complete, walk(yard) Complete, report InProgress"#]].assert_eq(&all.join("\n"));
}
