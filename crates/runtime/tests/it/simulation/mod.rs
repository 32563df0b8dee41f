//! The simulator's behaviour, tick by tick, and its record.

use crate::reference::simulate;
use expect_test::Expect;
use taskloom_document::{Document, Name};
use taskloom_domain::Domain;
use taskloom_planner::plan::{Budget, Change};
use taskloom_runtime::{Cause, Entry, Planning, Run};
use testkit::domain;

mod absence;
mod background;
mod beginnings;
mod cast;
mod chance;
mod claims;
mod cleanups;
mod commitment;
mod cooldowns;
mod crowds;
mod decimals;
mod endless;
mod events;
mod forestalled;
mod goal_selection;
mod goals;
mod knowledge;
mod memories;
mod missed_goals;
mod needed_background;
mod noticing;
mod parallel;
mod parallel_random;
mod plans;
mod rechecking;
mod record;
mod recursion;
mod repeated_plans;
mod repeating_while;
mod repeats;
mod retries;
mod saved;
mod serving_tasks;
mod shipped;
mod shipped_goals;
mod shipped_opening;
mod sight;
mod squads;
mod steps;
mod task_goals;
mod thrashing;
mod time;
mod timelines;
mod timeouts;
mod uninterruptible;

use testkit::domain::document;

fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

fn changed(changes: &[Change]) -> String {
    let changes = changes.iter().map(|c| format!("{} = {}", c.atom, c.after));
    changes.collect::<Vec<_>>().join(", ")
}

/// Returns a run in words: everything that began, by tick, in order.
fn report(run: &Run) -> String {
    let several = run.plans.iter().any(|planning| planning.character > 0);
    let line = |entry: &Entry| {
        let tick = run.tick_of(*entry).expect("it is of the run");
        let (what, detail) = match entry {
            Entry::Planning(at) => planning(run, &run.plans[*at]),
            Entry::Event(at) => {
                let event = &run.events[*at];
                let detail = match &event.refused {
                    Some(reason) => format!("refused, {reason}"),
                    None => changed(&event.changes),
                };
                (format!("event {}", event.event), detail)
            }
            Entry::Perception(at) => {
                let changes = changed(&run.perceptions[*at].changes);
                ("perceives".to_owned(), changes)
            }
            Entry::Step(at) => step(run, *at),
        };
        let who = run.character_of(*entry).filter(|_| several);
        let who = who.map(|who| format!("{} ", ["A", "B", "C", "D"][who]));
        let what = who.unwrap_or_default() + &what;
        format!("{tick} {what}: {detail}")
            .trim_end_matches(": ")
            .to_owned()
    };
    let mut lines: Vec<String> = run.entries().iter().map(line).collect();
    lines.push(format!("{} {:?}", run.ticks, run.end));
    lines.join("\n")
}

fn planning(run: &Run, planning: &Planning) -> (String, String) {
    let cause = match planning.cause {
        Cause::Start => "plans".to_owned(),
        Cause::Failure(at) => format!("plans, as {} failed", step_of(run, at)),
        Cause::Event => "plans after an event".to_owned(),
        Cause::Again => "plans again".to_owned(),
        Cause::Every => "plans as time goes by".to_owned(),
        Cause::Onward => "goes on".to_owned(),
        Cause::Goal => "plans for what is worth more".to_owned(),
        Cause::Retry => "tries again".to_owned(),
        Cause::Alternative => "plans, as something better is possible".to_owned(),
        Cause::Background => "plans without the background".to_owned(),
        Cause::Perception => {
            let noticed = planning.noticed.as_ref().expect("it noticed something");
            format!("plans, noticing {noticed}")
        }
    };
    let found = match (&planning.outcome, planning.plan()) {
        (_, Some(plan)) => {
            let steps = plan.steps.iter().map(|step| step.task.to_string());
            let aborts = planning.aborts.iter().map(|abort| {
                let how = if abort.is_dropped { "dropping" } else { "by" };
                format!("; aborts {} {how} {}", abort.task, abort.cleanup)
            });
            steps.collect::<Vec<_>>().join(", ") + &aborts.collect::<String>()
        }
        (Ok(other), None) => format!("{other:?}"),
        (Err(fault), None) => format!("refused: {fault}"),
    };
    (cause, found)
}

/// Returns when a step acted and when it ended, and why it failed.
fn step(run: &Run, at: usize) -> (String, String) {
    let one = &run.executed[at];
    let tick = |word: &str, tick: Option<u32>| tick.map(|tick| format!(" {word} at {tick}"));
    let (acted, ended) = (tick("acted", one.acted), tick("ended", one.end));
    let times = acted.unwrap_or_default() + &ended.unwrap_or_default();
    let parts = one.reason.as_ref().map(ToString::to_string);
    let changes = Some(changed(&one.changes)).filter(|text| !text.is_empty());
    let learned = Some(changed(&one.learned)).filter(|text| !text.is_empty());
    let learned = learned.map(|learned| format!("learns {learned}"));
    let parts: Vec<String> = parts.into_iter().chain(changes).chain(learned).collect();
    (
        format!("{} {:?}{times}", step_of(run, at), one.state),
        parts.join("; "),
    )
}

/// Returns the task of an executed step, from its plan.
fn step_of(run: &Run, executed: usize) -> String {
    let one = &run.executed[executed];
    let plan = run.plans[one.plan].plan().expect("it is of a plan");
    plan.steps[one.step].task.to_string()
}

fn check(document: &Document, scenario: &str, expected: Expect) {
    let run = simulate(
        &Domain::from(document),
        &name(scenario),
        Budget::default(),
        200,
    );
    expected.assert_eq(&report(&run));
}

/// Checks the scenario `s` of a domain written as text, like [`check`].
fn check_text(text: &str, expected: Expect) {
    check(&document(text), "s", expected);
}
