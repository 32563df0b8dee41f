//! Explains in words what an actor does, why, and why it does nothing.

use std::fmt::Write as _;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use taskloom_domain::world::claimed_by;
use taskloom_planner::compile::{Problem, QueryAnswer};
use taskloom_planner::explain::{cooling_down, obstacles};
use taskloom_planner::plan::{
    Budget, GoalValue, GroundTask, Outcome, Plan, Progress, Strategy, World as Facts,
};

use super::{Actor, Status};
use crate::aborts::Abort;
use crate::character::Rest;
use crate::plan_execution::PlanExecution;
use crate::run::{Cause, MAX_PLANS, Planning, Reason, StepExecution};
use crate::world::World;

/// The limits of the search for the reason why there is no plan.
const BUDGET: u64 = 2_000;
const EVENTS: usize = 5_000;

/// An actor's memory of its last planning and its last failure.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Recollection {
    /// The tick of its last planning, and the reason for it.
    planned: Option<(u32, String)>,
    /// The reason why that found no plan.
    without_plan: Option<String>,
    /// The aborted tasks after which it doesn't clean up.
    #[serde(default)]
    dropped: Vec<Abort>,
    /// The game's answers to the queries of its last planning.
    #[serde(default)]
    pub query_answers: Vec<QueryAnswer>,
    /// The last step that failed, with the reason.
    failure: Option<String>,
}

impl Recollection {
    /// Remembers a planning.
    pub fn planning(&mut self, planning: &Planning) {
        let why = match planning.cause {
            Cause::Start => "it had none yet".to_owned(),
            Cause::Failure(_) => match &self.failure {
                Some(failure) => failure.clone(),
                None => "a step failed".to_owned(),
            },
            Cause::Event => "something changed".to_owned(),
            Cause::Again => "it begins its tasks again".to_owned(),
            Cause::Perception => match &planning.noticed {
                Some(fact) => format!("it noticed a change of {fact}"),
                None => "it noticed a change".to_owned(),
            },
            Cause::Every => "it replans at an interval".to_owned(),
            Cause::Onward => "the plan before was done".to_owned(),
            Cause::Goal => "another goal got a higher value".to_owned(),
            Cause::Retry => "it could retry what had failed or was cooling down".to_owned(),
            Cause::Alternative => "a better alternative may have become possible".to_owned(),
            Cause::Background => "its plan needs a task that was stopped".to_owned(),
        };
        self.planned = Some((planning.tick, why));
        let dropped = planning.aborts.iter().filter(|abort| abort.is_dropped);
        self.dropped = dropped.cloned().collect();
        self.without_plan = match &planning.outcome {
            Ok(Outcome::Plan(_)) => None,
            Ok(Outcome::NoPlan) => Some("no plan exists".to_owned()),
            Ok(Outcome::GaveUp(_)) => Some("the search reached its limits".to_owned()),
            Ok(Outcome::Stopped) => Some("the search was stopped".to_owned()),
            Ok(Outcome::NotPlanned(_)) => Some("one of its tasks is invalid".to_owned()),
            Err(why) => Some(format!("the planner found an invalid plan ({why})")),
        };
    }

    /// Remembers a step that failed.
    pub fn failure(&mut self, task: &GroundTask, execution: &StepExecution) {
        let reason = execution.reason.as_ref().map(Reason::to_string);
        self.failure = Some(match reason {
            Some(reason) => format!("{task} failed: {reason}"),
            None => format!("{task} failed"),
        });
    }
}

impl Actor {
    /// Explains in one paragraph what it is doing and why or, if it does nothing, why not. `world` is its
    /// world.
    ///
    /// If there is no plan, this searches for one again, with a bounded number of decisions, to find the
    /// reason.
    pub fn explain(&self, world: &World) -> String {
        let name = self.name().unwrap_or("The actor");
        if self.turn.status == Status::Removed {
            return format!("{name} was removed from the world.");
        }
        if self.rests(world) {
            let facts = self.mind.actor.absences();
            let facts = facts.iter().filter(|fact| world.facts.is_true(fact));
            let facts = list(&facts.collect::<Vec<_>>(), " and ");
            return format!("{name} does nothing because it is absent: {facts}.");
        }
        let running: Vec<&StepExecution> = self.mind.character.executions().collect();
        let mut text = match self.plan() {
            Some(plan) => self.explain_plan(name, plan, &running),
            None => self.explain_idleness(name, world),
        };
        match (&self.search, self.plan()) {
            (Some(_), Some(_)) => text.push_str(" It is searching for another plan."),
            (Some(_), None) => text.push_str(" It is searching for one."),
            (None, _) => {}
        }
        text
    }

    /// Explains what it does by its plan.
    fn explain_plan(&self, name: &str, plan: &Plan, running: &[&StepExecution]) -> String {
        let mut text = String::new();
        let steps = plan.steps.len();
        let next = self.mind.character.steps();
        for (number, step) in next.iter().enumerate() {
            let Some(planned) = plan.steps.get(*step) else {
                continue;
            };
            let execution = running.iter().find(|one| one.step == *step);
            let task = &planned.task;
            let subject = if number == 0 { name } else { "It also" };
            let doing = match (execution, number) {
                (Some(_), 0) => "is executing",
                (Some(_), _) => "executes",
                (None, _) => "is about to execute",
            };
            let _ = write!(
                text,
                "{subject} {doing} {task}, step {} of {steps}",
                step + 1
            );
            let of_plan = self.mind.character.plan_execution();
            let cleanup = of_plan.and_then(|plan| plan.cleanup_of_step(*step));
            text.push_str(&purpose(plan, planned.node));
            if let Some((_, aborted)) = cleanup {
                let _ = write!(text, ", to clean up after {aborted}, which was aborted");
            }
            if let Some(execution) = execution {
                let _ = write!(text, ", since tick {}", execution.start);
                let domain = self.mind.world.domain();
                let end = of_plan.and_then(|plan| plan.times_out_at(execution, domain));
                if let Some(end) = end {
                    let _ = write!(text, ", with a timeout at tick {end}");
                }
                if !execution.claims.is_empty() {
                    let _ = write!(text, ", claiming {}", list(&execution.claims, ", "));
                }
                if let Some(Reason::Completion(rule)) = &execution.reason {
                    let _ = write!(text, ", and waits until {rule}");
                }
            }
            text.push_str(". ");
        }
        if next.iter().all(|step| *step >= steps) {
            let _ = write!(text, "{name} has executed its plan. ");
        }
        if let Some((tick, why)) = &self.recollection.planned {
            let _ = write!(text, "It planned at tick {tick} because {why}.");
        }
        for abort in &self.recollection.dropped {
            let _ = write!(text, " It {abort}.");
        }
        let execution = self.mind.character.plan_execution();
        if let Some(step) = execution.and_then(PlanExecution::delays_replanning) {
            let _ = write!(
                text,
                " It replans when {step} ends, which is uninterruptible."
            );
        }
        text.trim_end().to_owned()
    }

    /// Explains why it has no plan.
    fn explain_idleness(&self, name: &str, world: &World) -> String {
        let believed = self.believed_in(world);
        let failure = self.recollection.failure.as_deref();
        if self.turn.status == Status::OutOfPlans && self.mind.is_stuck() {
            return format!(
                "{name} waits because it has made the same plan {MAX_PLANS} times without completing it. It replans when \
                 others change what it believes, or when it gets other tasks."
            );
        }
        match self.mind.character.rest() {
            Some(Rest::Done) => format!("{name} does nothing because all its tasks are complete."),
            Some(Rest::NoActiveGoal) => {
                let problem = self.mind.current_problem(&believed);
                let problem = problem.with_state(&believed, Some(&[]));
                let problem = self.mind.cooling_down(problem, world.tick());
                let goals: Vec<String> = problem.goal_values().iter().map(goal).collect();
                let goals = goals.join(", ");
                format!("{name} does nothing because none of its goals is active: {goals}.")
            }
            Some(Rest::Stopped) => {
                format!("{name} does nothing because its search for a plan was stopped.")
            }
            Some(Rest::Until(from)) => {
                let until = match from {
                    Some(tick) => format!("until tick {tick}"),
                    None => "until it notices a change".to_owned(),
                };
                let why = failure.unwrap_or("it begins its tasks again then");
                format!("{name} waits {until}, and then plans, because {why}.")
            }
            Some(Rest::Waiting) => {
                let tasks = self.mind.character.tasks(&believed);
                let aim = match tasks.as_deref() {
                    Some([]) if self.mind.has_goals() => "its goals".to_owned(),
                    Some([]) => "the goal of the scenario".to_owned(),
                    Some(tasks) => list(tasks, ", then "),
                    None => "its tasks".to_owned(),
                };
                let planned = &self.recollection;
                let why = planned.without_plan.as_deref().unwrap_or("no plan exists");
                let mut text =
                    format!("{name} does nothing because it has no plan for {aim}: {why}");
                if let Some((tick, _)) = &planned.planned {
                    let _ = write!(text, " (tick {tick})");
                }
                text.push_str(". ");
                let problem = self.mind.current_problem(&believed);
                let problem = problem.with_state(&believed, tasks.as_deref());
                let problem = problem.with_query_answers(&planned.query_answers);
                let problem = self.mind.cooling_down(problem, world.tick());
                let reason = reason(&problem, &believed);
                text.push_str(&reason);
                let cooling = self.mind.character.cooldowns.remaining(world.tick());
                for (task, ticks) in &cooling {
                    let why = cooling_down(*ticks);
                    if !reason.contains(&why) {
                        let _ = write!(text, "{task} is {why}. ");
                    }
                }
                for (object, actor) in believed.claimed().iter() {
                    let why = claimed_by(object, actor.as_ref());
                    if !reason.contains(&why) {
                        let _ = write!(text, "{why}. ");
                    }
                }
                for task in self.mind.given_up() {
                    let _ = write!(
                        text,
                        "It has given up {task} until something changes that this depends on. "
                    );
                }
                text.push_str("It replans when one of its beliefs changes");
                text.push_str(match (cooling.is_empty(), believed.claimed().is_empty()) {
                    (true, true) => ".",
                    (false, true) => ", or a task has cooled down.",
                    (true, false) => ", or a claim is released.",
                    (false, false) => ", a task has cooled down, or a claim is released.",
                });
                text
            }
            None if self.is_searching() => format!("{name} has no plan yet."),
            None => format!("{name} has no plan yet, and plans at its next turn."),
        }
    }

    /// Returns what it believes in a world.
    fn believed_in(&self, world: &World) -> Facts {
        let mut believed = self.mind.believed_in(&world.facts);
        believed.set_claimed(&Arc::new(self.others_claims(world)));
        believed
    }
}

/// Returns the tasks above a step, or its goal, as the end of a sentence.
fn purpose(plan: &Plan, node: usize) -> String {
    let target = plan.target.as_ref();
    if let Some(goal) = target.and_then(|target| target.goal.as_ref()) {
        return format!(" of its plan for the goal '{goal}'");
    }
    let parent = |node: usize| plan.nodes.get(node)?.parent;
    let above = std::iter::successors(parent(node), |node| parent(*node));
    let above = above.filter_map(|node| Some(plan.nodes.get(node)?.task.to_string()));
    let above: Vec<String> = above.collect();
    match above.as_slice() {
        [] => " of its plan".to_owned(),
        [only] => format!(" of its plan, to do {only}"),
        [first, .., root] => format!(" of its plan, to do {first} as a part of {root}"),
    }
}

fn goal(value: &GoalValue) -> String {
    let goal = &value.goal;
    match value.value {
        _ if value.holds => format!("'{goal}' holds already"),
        _ if value.cooldown > 0 => format!("'{goal}' is {}", cooling_down(value.cooldown)),
        Some(value) => format!("'{goal}' has the value {value}"),
        None => format!("the value of '{goal}' is undefined"),
    }
}

fn list(items: &[impl ToString], separator: &str) -> String {
    let items: Vec<String> = items.iter().map(ToString::to_string).collect();
    items.join(separator)
}

/// Returns the first obstacle to a plan that a search meets, as a sentence; empty if there is none.
fn reason(problem: &Problem, believed: &Facts) -> String {
    let budget = Budget {
        nodes: BUDGET,
        ..Budget::default()
    };
    let mut search = Strategy::from(problem.policy()).search(problem, budget, EVENTS);
    while search.step(u64::MAX) == Progress::Running {}
    let Some(trace) = search.trace() else {
        return String::new();
    };
    let found = obstacles(believed.domain(), &trace.events, 1);
    let Some(first) = found.into_iter().flat_map(|at| at.obstacles).next() else {
        return String::new();
    };
    let mut text = match &first.task {
        Some(task) => format!("{task} is not possible: {}", first.text),
        None => format!("The obstacle: {}", first.text),
    };
    let seen: Vec<String> = first.seen.iter().map(ToString::to_string).collect();
    if !seen.is_empty() {
        let _ = write!(text, " ({})", seen.join(", "));
    }
    text.push_str(". ");
    text
}
