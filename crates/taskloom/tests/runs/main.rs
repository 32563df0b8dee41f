//! The simulator agrees with a plain interpreter, tick for tick, on random domains.
#![cfg(not(target_arch = "wasm32"))]

use taskloom::document::{Document, Name};
use taskloom::planner::compile::compile;
use taskloom::planner::plan::{Budget, Outcome, plan};
use taskloom::runtime::{
    Cause, MOST_PLANS, Moment, Reason, Run, RunEnd, TaskState, simulate, world_at,
};

#[path = "../domain/mod.rs"]
mod domain;
mod interpreter;
mod random;
#[path = "../xorshift/mod.rs"]
mod xorshift;

use interpreter::{End, Record, State, Step, Why};
use random::{Domain, scenario, written};

const LAST_TICK: u32 = 40;

/// How often each thing happened that has to be met often enough.
#[derive(Debug, Default)]
struct Counts {
    preconditions: usize,
    own_integrity: usize,
    integrity_above: usize,
    integrity_while_waiting: usize,
    effects: usize,
    replans: usize,
    waits: usize,
    plans_after_waiting: usize,
    completion_waits: usize,
    completed_after_waiting: usize,
    planned_only: usize,
    executed_only: usize,
    failing_actions: usize,
    repeated_events: usize,
    awaited_events: usize,
    events: usize,
    refused_events: usize,
    first_plan_changed: usize,
    complete: usize,
    goal_missed: usize,
    failed: usize,
    out_of_ticks: usize,
    out_of_plans: usize,
    tasks_kept: usize,
}

impl Counts {
    /// What came up too seldom has not been tested.
    fn assert_enough(&self) {
        for (count, least) in [
            (self.preconditions, 5),
            (self.own_integrity, 1_000),
            (self.integrity_above, 500),
            (self.integrity_while_waiting, 3),
            (self.effects, 100),
            (self.replans, 2_000),
            (self.waits, 1_000),
            (self.plans_after_waiting, 50),
            (self.completion_waits, 100),
            (self.completed_after_waiting, 15),
            (self.planned_only, 300),
            (self.executed_only, 300),
            (self.failing_actions, 150),
            (self.repeated_events, 300),
            (self.awaited_events, 100),
            (self.events, 3_000),
            (self.refused_events, 200),
            (self.first_plan_changed, 100),
            (self.complete, 500),
            (self.goal_missed, 5),
            (self.failed, 500),
            (self.out_of_ticks, 100),
            (self.out_of_plans, 50),
            (self.tasks_kept, 500),
        ] {
            assert!(count >= least, "{count} instead of {least} of {self:#?}");
        }
    }
}

fn document(domain: &Domain, initial: &[String], tasks: &[random::Call]) -> Document {
    domain::document(&(written(domain) + &scenario(domain, initial, tasks)))
}

/// What the simulator's record says, in the interpreter's words.
fn steps(run: &Run) -> Vec<Step> {
    let why = |reason: &Reason| match reason.clone() {
        Reason::Precondition(rule) => Why::Precondition(rule),
        Reason::Integrity(task, rule) => Why::Integrity(task.to_string(), rule),
        Reason::Effects(_) => Why::Effects,
        Reason::Action => Why::Action,
        Reason::Denied(_) | Reason::Interrupted => panic!("it sees everything, and thinks once"),
        Reason::Duration(_) => Why::Duration,
        Reason::Completion(rule) => Why::Completion(rule),
    };
    let steps = run.executed.iter().map(|one| Step {
        plan: one.plan,
        step: one.step,
        start: one.start,
        acted: one.acted,
        end: one.end,
        state: one.state,
        why: one.reason.as_ref().map(why),
    });
    steps.collect()
}

fn end(run: &Run) -> End {
    match &run.end {
        RunEnd::Complete => End::Complete,
        RunEnd::GoalMissed(part) => End::GoalMissed(part.clone()),
        RunEnd::Failed => End::Failed,
        RunEnd::OutOfTicks => End::OutOfTicks,
        RunEnd::OutOfPlans => End::OutOfPlans,
        RunEnd::Endless | RunEnd::Stopped => panic!("nobody stopped it or begins again"),
    }
}

fn cause(cause: Cause) -> interpreter::Cause {
    match cause {
        Cause::Start => interpreter::Cause::Start,
        Cause::Failure(step) => interpreter::Cause::Failure(step),
        Cause::Event => interpreter::Cause::Event,
        other => panic!("it has no triggers: {other:?}"),
    }
}

fn compare(seed: u64, counts: &mut Counts) {
    let domain = random::domain(seed);
    let name = Name::new("s").expect("a name");
    let start = document(&domain, &State::initial(&domain).written(), &domain.tasks);
    let run = simulate(&start, &name, Budget::default(), LAST_TICK);
    let mut tasks_kept = 0;
    let record = interpreter::run(&domain, LAST_TICK, MOST_PLANS, |state, tasks| {
        tasks_kept += domain.tasks.len() - tasks.len();
        let situation = document(&domain, &state.written(), tasks);
        plan(&compile(&situation, &name), Budget::default())
    });
    let told = || format!("seed {seed}\n{}", start.to_json());
    let plans = run.plans.iter().map(|p| {
        let found = p.outcome.clone().expect("the validator refuses nothing");
        (p.tick, cause(p.cause), found)
    });
    let plans: Vec<_> = plans.collect();
    assert_eq!(plans, record.plans, "{}", told());
    assert_eq!(steps(&run), record.steps, "{}", told());
    let events = run.events.iter();
    let events: Vec<_> = events
        .map(|e| (e.tick, e.event, e.refused.is_none()))
        .collect();
    assert_eq!(events, record.events, "{}", told());
    assert_eq!(Some(end(&run)), record.end, "{}", told());
    assert_eq!(run.ticks as usize + 1, record.worlds.len(), "{}", told());
    for (tick, expected) in (0..).zip(&record.worlds) {
        let world = world_at(&start, &start.scenarios[&name], &run, Moment::Tick(tick));
        let mut values = world.as_initial_values();
        values.retain(|text| text != "n = 0");
        assert_eq!(values, expected.written(), "tick {tick}, {}", told());
    }
    for (tick, expected) in (0..).zip(&record.states) {
        if let Some((plan, expected)) = expected {
            assert_eq!(
                run.states(*plan, tick),
                *expected,
                "tick {tick}, {}",
                told()
            );
        }
    }
    count(&domain, &run, &record, counts);
    counts.tasks_kept += tasks_kept;
}

fn count(domain: &Domain, run: &Run, record: &Record, counts: &mut Counts) {
    let acts = |step: &Step, timing| {
        let plan = run.plans[step.plan].plan().expect("a plan");
        let task = plan.steps[step.step].task.task.as_str();
        let task = &domain.primitives[task[1..].parse::<usize>().expect("a number")];
        step.acted.is_some() && task.effects.iter().any(|e| e.timing == timing)
    };
    for step in &record.steps {
        counts.planned_only += usize::from(acts(step, "planned"));
        counts.executed_only += usize::from(acts(step, "executed"));
        match &step.why {
            Some(Why::Precondition(_)) => counts.preconditions += 1,
            Some(Why::Integrity(..)) if step.acted.is_some() => counts.integrity_while_waiting += 1,
            Some(Why::Integrity(task, _)) if task.starts_with('c') => counts.integrity_above += 1,
            Some(Why::Integrity(..)) => counts.own_integrity += 1,
            Some(Why::Effects) => counts.effects += 1,
            Some(Why::Action) => counts.failing_actions += 1,
            Some(Why::Completion(_)) => counts.completion_waits += 1,
            Some(Why::Duration) | None => {}
        }
        let waited = step.state == TaskState::Complete && step.acted != step.end;
        counts.completed_after_waiting += usize::from(waited);
    }
    for (_, cause, found) in &record.plans {
        let is_plan = matches!(found, Outcome::Plan(_));
        counts.waits += usize::from(!is_plan);
        match cause {
            interpreter::Cause::Start => {}
            interpreter::Cause::Failure(_) => counts.replans += 1,
            interpreter::Cause::Event => counts.plans_after_waiting += usize::from(is_plan),
        }
    }
    counts.events += record.events.len();
    for (tick, number, _) in &record.events {
        let event = &domain.events[*number];
        counts.repeated_events += usize::from(event.every.is_some() && *tick > event.at);
        let is_late = event.every.is_none() && *tick > event.at;
        counts.awaited_events += usize::from(is_late);
    }
    counts.refused_events += record.events.iter().filter(|e| !e.2).count();
    let name = Name::new("s").expect("a name");
    if record.events.first().is_some_and(|event| event.0 == 0) {
        let stands = document(domain, &State::initial(domain).written(), &domain.tasks);
        let stands = plan(&compile(&stands, &name), Budget::default());
        counts.first_plan_changed += usize::from(stands != record.plans[0].2);
    }
    match record.end.as_ref().expect("it has ended") {
        End::Complete => counts.complete += 1,
        End::GoalMissed(_) => counts.goal_missed += 1,
        End::Failed => counts.failed += 1,
        End::OutOfTicks => counts.out_of_ticks += 1,
        End::OutOfPlans => counts.out_of_plans += 1,
    }
}

/// A quarter of the domains, and how much of each thing has to be among them.
fn quarter(number: u64) {
    let mut counts = Counts::default();
    for seed in number * 2_500..(number + 1) * 2_500 {
        compare(seed, &mut counts);
    }
    counts.assert_enough();
}

#[test]
fn the_first_quarter_of_runs_is_as_the_semantics_say() {
    quarter(0);
}

#[test]
fn the_second_quarter_of_runs_is_as_the_semantics_say() {
    quarter(1);
}

#[test]
fn the_third_quarter_of_runs_is_as_the_semantics_say() {
    quarter(2);
}

#[test]
fn the_fourth_quarter_of_runs_is_as_the_semantics_say() {
    quarter(3);
}
