//! The record of a run as JSON, described in docs/run.md, which a test compares with it.

use serde::Serialize;
use taskloom_document::{Name, Scenario};
use taskloom_domain::ground::{Change, Value};
use taskloom_domain::{Actor, Scene};
use taskloom_planner::plan::{GoalValue, Outcome};
use taskloom_runtime::{
    Abort, Cause, EventOccurrence, Perception, Planning, Run, RunEnd, StepExecution, TaskState,
};

use crate::search::budget_of;

/// The version of this format. It increases if a name or a meaning changes, not if something is
/// added.
const FORMAT: u32 = 1;

/// The complete record of a run.
#[derive(Debug, Serialize)]
pub struct Record {
    format: u32,
    pub scenario: String,
    /// The cast, in order; other parts refer to a character by its index here.
    pub characters: Vec<CharacterRecord>,
    /// `complete`, `endless`, `goal-missed`, `failed`, `out-of-ticks`, `out-of-plans` or `stopped`.
    pub end: &'static str,
    /// The part of the goal that is not met in the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missed: Option<String>,
    /// The tick at which it ended.
    pub ticks: u32,
    /// In chronological order.
    pub plannings: Vec<PlanningRecord>,
    /// In the order in which they ended; those in progress come last.
    pub steps: Vec<StepRecord>,
    /// In chronological order.
    pub events: Vec<EventRecord>,
    /// The observations and forgotten values of the characters, in chronological order.
    pub observations: Vec<ObservationRecord>,
}

#[derive(Debug, Serialize)]
pub struct CharacterRecord {
    /// The character's object, or else its agent; `None` if the scenario has no cast.
    pub name: Option<String>,
    agent: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct PlanningRecord {
    pub character: usize,
    pub tick: u32,
    /// `start`, `failure`, `change`, `again`, `observation`, `periodic`, `onward`, `goal`, `retry`, `alternative` or
    /// `background`.
    pub cause: &'static str,
    /// The index of the step that failed, if that is the cause.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed_step: Option<usize>,
    /// The fact whose change it noticed, if that is the cause.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub noticed: Option<String>,
    /// Its agent's goals, if any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub goals: Vec<GoalRecord>,
    /// The aborted tasks that the plan cleans up after, or whose cleanups it drops.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aborted: Vec<AbortRecord>,
    /// `plan`, `no-plan`, `gave-up`, `stopped`, `not-planned` or `invalid`.
    pub outcome: &'static str,
    /// The budget that ran out, or the reason why there is no plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// The tasks of the plan, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<Vec<String>>,
}

#[derive(Debug, Serialize)]
pub struct AbortRecord {
    task: String,
    cleanup: String,
    is_dropped: bool,
}

#[derive(Debug, Serialize)]
pub struct GoalRecord {
    pub goal: String,
    /// `None` if its relevance or bias is undefined.
    value: Option<f64>,
    is_true: bool,
    /// The number of ticks until it may be pursued again.
    #[serde(skip_serializing_if = "Option::is_none")]
    cooldown: Option<u32>,
}

#[derive(Debug, Serialize)]
pub struct StepRecord {
    pub character: usize,
    /// The index of the planning that produced its plan.
    planning: usize,
    /// The index in that plan.
    step: usize,
    pub task: String,
    pub start: u32,
    /// The tick at which its effects were applied.
    acted: Option<u32>,
    /// The tick at which it completed or failed.
    pub end: Option<u32>,
    /// `in-progress`, `complete` or `failed`.
    pub state: &'static str,
    /// The objects that it has claimed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    claims: Vec<String>,
    /// The tasks that its actor gives up because of its failure.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    gave_up: Vec<String>,
    /// The reason why it failed, or what it waits for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Its changes to the world.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changes: Vec<ChangeRecord>,
    /// The changes of its character's beliefs because of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub learned: Vec<ChangeRecord>,
}

#[derive(Debug, Serialize)]
pub struct EventRecord {
    pub tick: u32,
    /// The index among the scenario's events; `None` if it isn't one of them any more.
    event: Option<usize>,
    /// Its effect, as written in the scenario.
    pub effect: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<ChangeRecord>,
    /// The reason why it couldn't occur.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct ObservationRecord {
    pub character: usize,
    pub tick: u32,
    pub changes: Vec<ChangeRecord>,
}

/// A fact's value before and after: a boolean, a number, an object's name or null.
#[derive(Debug, Serialize)]
pub struct ChangeRecord {
    pub fact: String,
    before: serde_json::Value,
    after: serde_json::Value,
}

impl Record {
    /// Creates the record of a run of a scenario.
    pub fn of((name, scene): (&Name, &Scene), run: &Run) -> Self {
        let characters = scene.cast.iter();
        let (end, missed) = end(&run.end);
        Self {
            format: FORMAT,
            scenario: name.to_string(),
            characters: characters.map(|actor| CharacterRecord::of(actor)).collect(),
            end,
            missed,
            ticks: run.ticks,
            plannings: run.plans.iter().map(PlanningRecord::of).collect(),
            steps: run
                .executed
                .iter()
                .map(|s| StepRecord::of(s, run))
                .collect(),
            events: run
                .events
                .iter()
                .map(|e| EventRecord::of(e, &scene.record))
                .collect(),
            observations: run.perceptions.iter().map(ObservationRecord::of).collect(),
        }
    }
}

fn end(end: &RunEnd) -> (&'static str, Option<String>) {
    match end {
        RunEnd::Complete => ("complete", None),
        RunEnd::GoalMissed(part) => ("goal-missed", Some(part.clone())),
        RunEnd::Failed => ("failed", None),
        RunEnd::OutOfTicks => ("out-of-ticks", None),
        RunEnd::OutOfPlans => ("out-of-plans", None),
        RunEnd::Endless => ("endless", None),
        RunEnd::Stopped => ("stopped", None),
    }
}

impl CharacterRecord {
    fn of(actor: &Actor) -> Self {
        Self {
            name: actor.name().map(Name::to_string),
            agent: actor.agent.as_ref().map(|(name, _)| name.to_string()),
        }
    }
}

impl PlanningRecord {
    fn of(planning: &Planning) -> Self {
        let (cause, failed_step) = match planning.cause {
            Cause::Start => ("start", None),
            Cause::Failure(step) => ("failure", Some(step)),
            Cause::Event => ("change", None),
            Cause::Again => ("again", None),
            Cause::Perception => ("observation", None),
            Cause::Every => ("periodic", None),
            Cause::Onward => ("onward", None),
            Cause::Goal => ("goal", None),
            Cause::Retry => ("retry", None),
            Cause::Alternative => ("alternative", None),
            Cause::Background => ("background", None),
        };
        let (outcome, reason) = match &planning.outcome {
            Ok(Outcome::Plan(plan)) if plan.is_partial() => ("partial-plan", None),
            Ok(Outcome::Plan(_)) => ("plan", None),
            Ok(Outcome::NoPlan) => ("no-plan", None),
            Ok(Outcome::GaveUp(limit)) => ("gave-up", Some(budget_of(*limit).0.to_owned())),
            Ok(Outcome::Stopped) => ("stopped", None),
            Ok(Outcome::NotPlanned(why)) => ("not-planned", Some(why.to_string())),
            Err(why) => ("invalid", Some(why.clone())),
        };
        let plan = planning.plan();
        Self {
            character: planning.character,
            tick: planning.tick,
            cause,
            failed_step,
            noticed: planning.noticed.as_ref().map(ToString::to_string),
            goals: planning.goal_values.iter().map(GoalRecord::of).collect(),
            aborted: planning.aborts.iter().map(AbortRecord::of).collect(),
            outcome,
            reason,
            cost: plan.map(|plan| plan.cost),
            plan: plan.map(|plan| plan.steps.iter().map(|s| s.task.to_string()).collect()),
        }
    }
}

impl AbortRecord {
    fn of(abort: &Abort) -> Self {
        Self {
            task: abort.task.to_string(),
            cleanup: abort.cleanup.to_string(),
            is_dropped: abort.is_dropped,
        }
    }
}

impl GoalRecord {
    fn of(goal_value: &GoalValue) -> Self {
        Self {
            goal: goal_value.goal.to_string(),
            value: goal_value.value,
            is_true: goal_value.holds,
            cooldown: Some(goal_value.cooldown).filter(|ticks| *ticks > 0),
        }
    }
}

impl StepRecord {
    fn of(execution: &StepExecution, run: &Run) -> Self {
        let planning = run.plans.get(execution.plan);
        let step = planning.and_then(|planning| planning.plan()?.steps.get(execution.step));
        Self {
            character: planning.map_or(0, |planning| planning.character),
            planning: execution.plan,
            step: execution.step,
            task: step.map(|step| step.task.to_string()).unwrap_or_default(),
            start: execution.start,
            acted: execution.acted,
            end: execution.end,
            state: match execution.state {
                TaskState::Planned => "planned",
                TaskState::InProgress => "in-progress",
                TaskState::Complete => "complete",
                TaskState::Failed => "failed",
                TaskState::Stopped => "stopped",
            },
            claims: execution.claims.iter().map(ToString::to_string).collect(),
            gave_up: execution.gave_up.iter().map(ToString::to_string).collect(),
            reason: execution.reason.as_ref().map(ToString::to_string),
            changes: changes(&execution.changes),
            learned: changes(&execution.learned),
        }
    }
}

impl EventRecord {
    fn of(happening: &EventOccurrence, scenario: &Scenario) -> Self {
        let event = scenario.events.get(happening.event);
        Self {
            tick: happening.tick,
            event: event.map(|_| happening.event),
            effect: event.map(|event| event.effect.clone()).unwrap_or_default(),
            changes: changes(&happening.changes),
            refused: happening.refused.clone(),
        }
    }
}

impl ObservationRecord {
    fn of(perception: &Perception) -> Self {
        Self {
            character: perception.character,
            tick: perception.tick,
            changes: changes(&perception.changes),
        }
    }
}

fn changes(changes: &[Change]) -> Vec<ChangeRecord> {
    let change = |change: &Change| ChangeRecord {
        fact: change.atom.to_string(),
        before: json(&change.before),
        after: json(&change.after),
    };
    changes.iter().map(change).collect()
}

fn json(value: &Value) -> serde_json::Value {
    match value {
        Value::Bool(value) => (*value).into(),
        Value::Number(value) => (*value).into(),
        Value::Object(value) => value.as_ref().map(Name::as_str).into(),
    }
}

impl ChangeRecord {
    /// Returns the change in words: `at(key): shed -> none`.
    pub fn shown(&self) -> String {
        let word = |value: &serde_json::Value| match value {
            serde_json::Value::String(object) => object.clone(),
            serde_json::Value::Null => "none".to_owned(),
            value => value.to_string(),
        };
        format!(
            "{}: {} -> {}",
            self.fact,
            word(&self.before),
            word(&self.after)
        )
    }
}
