//! A reference interpreter: it executes scenarios as docs/semantics.md says in section 5, plainly and slowly.
//!
//! It reads a [`domain::Domain`], which is made from a document with typed texts, or directly from a random
//! model. [`evaluate`] and [`method`] give texts and flowcharts their meaning in a [`state`]; [`interpreter`]
//! visits every tick and writes a [`record`], which is compared with the simulator's. It shares nothing with
//! that except the planner, the type of plans, and typed texts.

use std::collections::BTreeMap;
use std::sync::Arc;

use taskloom_document::Name;
use taskloom_domain::{Domain as Typed, Scene};
use taskloom_planner::compile::Problem;
use taskloom_planner::plan::{NodeKind, Outcome};
use taskloom_runtime::{Moment, Run, world_at};

mod aborts;
mod alike;
mod background;
mod better;
mod chance;
pub mod claims;
mod cooldowns;
mod deliberate;
mod depends;
mod documents;
pub mod domain;
pub mod evaluate;
mod execution;
mod failures;
mod found;
mod goal_selection;
pub mod goals;
pub mod interpreter;
mod knowledge;
pub mod method;
pub mod names;
mod open;
mod options;
mod parallel;
pub mod reactive;
pub mod record;
mod reported;
pub mod state;
mod touch;
pub mod tree;
mod typed;
mod uninterruptible;

pub use documents::simulate;
use domain::Domain;
use record::{Asked, Planned, Record};
use state::State;

/// Checks that a run is as recorded by the interpreter.
pub fn check(domain: &Arc<Domain>, run: &Run, record: &Record, context: &str) {
    let plans = reported::plans(domain, run);
    let events = run.events.iter();
    let events: Vec<_> = events
        .map(|e| (e.tick, e.event, e.refused.is_none()))
        .collect();
    let perceptions = run.perceptions.iter();
    let perceptions: Vec<_> = perceptions
        .map(|p| (p.tick, p.character, reported::changed(domain, &p.changes)))
        .collect();
    let short = |plans: &[Planned]| short(domain, plans);
    assert_eq!(short(&plans), short(&record.plans), "{context}");
    let expected = record.plans.iter().map(found::detached);
    assert_eq!(plans, Vec::from_iter(expected), "{context}");
    assert_eq!(reported::steps(domain, run), record.steps, "{context}");
    assert_eq!(events, record.events, "{context}");
    assert_eq!(perceptions, record.perceptions, "{context}");
    assert_eq!(Some(reported::end(run)), record.end, "{context}");
    assert_eq!(run.ticks as usize + 1, record.worlds.len(), "{context}");
    for (tick, (found, expected)) in reported::beliefs(domain, run)
        .iter()
        .zip(&record.beliefs)
        .enumerate()
    {
        assert_eq!(found, expected, "tick {tick}, {context}");
    }
    for (tick, all) in (0..).zip(&record.states) {
        // When a background has ended that a plan needed isn't recorded.
        let all = all.iter().flatten();
        for (plan, expected) in all.filter(|(plan, _)| !record.needed.contains(plan)) {
            let found = found::states(&run.plans[*plan], &run.states(*plan, tick));
            let Some(found) = found else { continue };
            let expected = found::expected(record.plan(*plan), expected);
            assert_eq!(found, expected, "tick {tick}, plan {plan}, {context}");
        }
    }
}

/// Checks that the worlds of a run are as recorded by the interpreter.
pub fn check_worlds(
    domain: &Arc<Domain>,
    (typed, scene): (&Typed, &Arc<Scene>),
    run: &Run,
    record: &Record,
    context: &str,
) {
    for (tick, expected) in (0..).zip(&record.worlds) {
        let world = world_at(typed, scene, run, Moment::Tick(tick));
        let mut values = State::at(domain, 0);
        for (atom, value) in world.assigned_atoms() {
            values.set(domain.names.recorded(&atom), domain.names.value(&value));
        }
        assert_eq!(values.values(), expected.values(), "tick {tick}, {context}");
    }
}

/// Returns tasks or goals by their names.
fn named<'n>(cooling: &[(usize, u32)], name: impl Fn(usize) -> &'n Name) -> Vec<(Name, u32)> {
    let cooling = cooling.iter();
    let named = cooling.map(|(one, ticks)| (name(*one).clone(), *ticks));
    named.collect()
}

/// Returns the objects that others claim.
pub fn claimed(domain: &Domain, asked: &Asked) -> BTreeMap<Name, Option<Name>> {
    let name = |object: usize| domain.names.objects[object].clone();
    let claimed = asked.claimed.iter();
    let claimed = claimed.map(|(object, by)| (name(*object), domain.me(*by).map(name)));
    claimed.collect()
}

/// Returns a problem with everything else that a planning depends on.
pub fn problem(domain: &Domain, problem: Problem, asked: &Asked) -> Problem {
    let names = &domain.names;
    let problem = problem.seeded(asked.seed).after_steps(asked.steps_before);
    let problem = match asked.order.clone() {
        Some(order) => problem.ordered(Arc::new(order)),
        None => problem,
    };
    let goals = asked.excluded_goals.iter();
    let goals: Vec<Name> = goals.map(|goal| names.goals[*goal].clone()).collect();
    let excluded = asked.excluded.iter().map(|task| names.planned(*task));
    problem
        .excluding_goals(&goals)
        .excluding(&Vec::from_iter(excluded))
        .after_cleanups(asked.cleanups)
        .cooling_down(
            &named(&asked.cooling, |task| names.task_name(task)),
            &named(&asked.cooling_goals, |goal| &names.goals[goal]),
        )
}

/// Checks that no plan contains a task that is cooling down.
pub fn check_cooldowns(domain: &Domain, asked: &Asked, outcome: &Outcome) {
    let Outcome::Plan(plan) = outcome else { return };
    for (node, planned) in plan.nodes.iter().enumerate() {
        let task = tree::task(domain, plan, node);
        let is_planned = planned.kind != NodeKind::Pending;
        assert!(!(is_planned && asked.cools_down(task.task)), "{plan:?}");
    }
}

/// Plannings, one per line, so that differences are easy to see.
fn short(domain: &Domain, plans: &[Planned]) -> String {
    let line = |planned: &Planned| {
        let found = match &planned.outcome {
            Outcome::Plan(plan) => {
                let steps = plan.steps.iter().map(|step| step.task.to_string());
                steps.collect::<Vec<_>>().join(", ")
            }
            other => format!("{other:?}"),
        };
        let Planned {
            tick,
            character,
            cause,
            ..
        } = planned;
        let aborts = planned.aborts.iter().map(|(task, cleanup, is_dropped)| {
            let how = if *is_dropped { "dropping" } else { "by" };
            let [task, cleanup] = [task, cleanup].map(|task| domain.text(*task));
            format!("; aborts {task} {how} {cleanup}")
        });
        let aborts: String = aborts.collect();
        format!("{tick} {character} {cause:?}: {found}{aborts}")
    };
    plans.iter().map(line).collect::<Vec<_>>().join("\n")
}
