//! Converts the simulator's record into the interpreter's types.

use std::sync::Arc;
use taskloom_document::Source;

use taskloom_planner::plan::{Change, GoalValue};
use taskloom_runtime::{Abort, Cause, Reason, Run, RunEnd};

use super::domain::Domain;
use super::found;
use super::names::Atom;
use super::record::{self, Aborted, End, GoalRecord, Planned, Step, Why};
use super::state::{Changed, State};

/// Returns the steps that were started.
pub fn steps(domain: &Domain, run: &Run) -> Vec<Step> {
    let why = |reason: &Reason| match reason.clone() {
        Reason::Precondition(rule) => Why::Precondition(rule),
        Reason::Denied(rule) => Why::Denied(rule),
        Reason::Forestalled(rule, _) => Why::Forestalled(rule),
        Reason::Claimed(..) => Why::Claimed(reason.to_string()),
        Reason::Interrupted => Why::Interrupted,
        Reason::Impossible(_) => Why::Impossible,
        Reason::Integrity(task, rule) => Why::Integrity(task.to_string(), rule),
        Reason::MissedGoal(task, goal) => Why::MissedGoal(task.to_string(), goal),
        Reason::Timeout(task, ticks) => Why::Timeout(task.to_string(), ticks),
        Reason::Effects(_) => Why::Effects,
        Reason::Action | Reason::Body(_) | Reason::Ordered | Reason::Removed(_) => Why::Action,
        Reason::Duration(_) => Why::Duration,
        Reason::Completion(rule) => Why::Completion(rule),
        Reason::ParallelFailure(_) => Why::ParallelFailure,
        Reason::MainBranchEnded(task) => Why::MainBranchEnded(task.to_string()),
    };
    let steps = run.executed.iter().map(|one| Step {
        plan: one.plan,
        step: one.step,
        start: one.start,
        due: one.due,
        acted: one.acted,
        end: one.end,
        state: one.state,
        claims: one
            .claims
            .iter()
            .map(|one| domain.names.object(one))
            .collect(),
        gave_up: one.gave_up.iter().map(ToString::to_string).collect(),
        why: one.reason.as_ref().map(why),
    });
    steps.collect()
}

pub fn end(run: &Run) -> End {
    match &run.end {
        RunEnd::Complete => End::Complete,
        RunEnd::GoalMissed(part) => End::GoalMissed(part.clone()),
        RunEnd::Failed => End::Failed,
        RunEnd::OutOfTicks => End::OutOfTicks,
        RunEnd::OutOfPlans => End::OutOfPlans,
        RunEnd::Endless => End::Endless,
        RunEnd::Stopped => panic!("nobody stopped it"),
    }
}

fn cause(cause: Cause) -> record::Cause {
    match cause {
        Cause::Start => record::Cause::Start,
        Cause::Failure(step) => record::Cause::Failure(step),
        Cause::Event => record::Cause::Event,
        Cause::Again => record::Cause::Again,
        Cause::Perception => record::Cause::Perception,
        Cause::Every => record::Cause::Every,
        Cause::Onward => record::Cause::Onward,
        Cause::Goal => record::Cause::Goal,
        Cause::Retry => record::Cause::Retry,
        Cause::Alternative => record::Cause::Alternative,
        Cause::Background => record::Cause::Background,
    }
}

/// Returns the plannings.
pub fn plans(domain: &Domain, run: &Run) -> Vec<Planned> {
    let plans = run.plans.iter().map(|planned| Planned {
        character: planned.character,
        tick: planned.tick,
        cause: cause(planned.cause),
        goal_values: goal_values(domain, &planned.goal_values),
        outcome: found::outcome(planned),
        above: found::above(domain, planned),
        aborts: planned
            .aborts
            .iter()
            .map(|one| aborted(domain, one))
            .collect(),
    });
    plans.collect()
}

/// Returns a task that was aborted.
fn aborted(domain: &Domain, abort: &Abort) -> Aborted {
    let [task, cleanup] = [&abort.task, &abort.cleanup].map(|task| domain.names.ground(task));
    (task, cleanup, abort.is_dropped)
}

/// Returns the values of goals.
fn goal_values(domain: &Domain, goal_values: &[GoalValue]) -> Vec<GoalRecord> {
    let goal_value = |goal_value: &GoalValue| GoalRecord {
        goal: domain.names.goal(&goal_value.goal),
        value: goal_value.value,
        holds: goal_value.holds,
        cooldown: goal_value.cooldown,
    };
    goal_values.iter().map(goal_value).collect()
}

/// Converts the simulator's changes into the interpreter's types.
pub fn changed(domain: &Domain, changes: &[Change]) -> Vec<Changed> {
    let changed = changes.iter().map(|change| {
        let atom = domain.names.recorded(&change.atom);
        let [before, after] = [&change.before, &change.after].map(|one| domain.names.value(one));
        (atom, before, after)
    });
    changed.collect()
}

/// Returns each character's beliefs at the end of each tick, using only the record.
pub fn beliefs(domain: &Arc<Domain>, run: &Run) -> Vec<Vec<State>> {
    let set = |state: &mut State, changes: &[Change], counts: &dyn Fn(Atom) -> bool| {
        for (atom, _, after) in changed(domain, changes) {
            if counts(atom) {
                state.set(atom, after);
            }
        }
    };
    let senses = |number: usize| domain.agent(number).map_or(&[][..], |a| &a.senses);
    let errs =
        |number: usize, atom: Atom| senses(number).iter().any(|s| s.fact == domain.fact(atom));
    let first = |number: usize| {
        let mut state = State::new(domain, &domain.initial);
        for atom in domain.atoms() {
            let mut of = senses(number)
                .iter()
                .filter(|sense| sense.fact == domain.fact(atom));
            if of.any(|sense| sense.unknown) {
                state.set(atom, 0.0);
            }
        }
        for (atom, value) in &domain.cast[number].beliefs {
            let counts = match domain.source(*atom) {
                Source::Memory => true,
                Source::Sensor => errs(number, *atom),
                Source::Blackboard => false,
            };
            if counts {
                state.set(*atom, *value);
            }
        }
        state
    };
    let mut now: Vec<State> = (0..domain.characters()).map(first).collect();
    let mut all = vec![];
    for tick in 0..=run.ticks {
        for event in run.events.iter().filter(|event| event.tick == tick) {
            for (number, state) in now.iter_mut().enumerate() {
                set(state, &event.changes, &|atom| !errs(number, atom));
            }
        }
        for number in 0..now.len() {
            for perception in &run.perceptions {
                if (perception.tick, perception.character) == (tick, number) {
                    set(&mut now[number], &perception.changes, &|_| true);
                }
            }
            for step in &run.executed {
                if run.plans[step.plan].character != number {
                    continue;
                }
                if step.acted == Some(tick) {
                    for (other, state) in now.iter_mut().enumerate() {
                        set(state, &step.changes, &|atom| match domain.source(atom) {
                            Source::Blackboard => true,
                            Source::Memory => other == number,
                            Source::Sensor => other == number || !errs(other, atom),
                        });
                    }
                }
                if step.acted.or(step.end) == Some(tick) {
                    set(&mut now[number], &step.learned, &|_| true);
                }
            }
        }
        all.push(now.clone());
    }
    all
}
