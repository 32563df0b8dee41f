//! Steps as they are logged, and back.

use super::entry::{LogLevel, LoggedEnd, StepEntry, StepReason, StepState};
use super::texts::{changes, parse, parse_all, read_changes, task, text, texts};
use crate::run::{Reason, RunEnd, StepExecution, TaskState};

/// The moment of a step that a line is about.
pub struct StepMoment {
    /// The actor.
    pub actor: usize,
    /// The tick.
    pub tick: u32,
    /// The text of its task.
    pub task: String,
    /// The state.
    pub state: StepState,
    /// Its number among the steps that have ended, if it has.
    pub number: Option<usize>,
}

impl StepEntry {
    /// Creates the line of a step.
    pub(crate) fn new(execution: &StepExecution, moment: StepMoment, level: LogLevel) -> Self {
        let is_full = level == LogLevel::All;
        let has_started_only = moment.state == StepState::Started;
        let has_changes = is_full && !has_started_only;
        let logged = |all| match has_changes {
            true => changes(all),
            false => vec![],
        };
        let reason = execution.reason.as_ref().filter(|_| !has_started_only);
        Self {
            tick: moment.tick,
            actor: moment.actor,
            state: moment.state,
            task: moment.task,
            plan: execution.plan,
            step: execution.step,
            number: moment.number,
            start: execution.start,
            due: is_full.then_some(execution.due),
            acted: execution.acted.filter(|_| has_changes),
            claims: texts(&execution.claims),
            gave_up: execution.gave_up.iter().map(text).collect(),
            reason: reason.map(StepReason::from),
            changes: logged(&execution.changes),
            learned: logged(&execution.learned),
        }
    }

    /// Reads the execution of the step. `plan` is the index in the record of its planning.
    ///
    /// # Errors
    /// Returns the reason if a part of it is missing or invalid.
    pub(crate) fn read(&self, plan: usize) -> Result<StepExecution, String> {
        let (state, has_ended) = match self.state {
            StepState::Started | StepState::Acted | StepState::Running => {
                (TaskState::InProgress, false)
            }
            StepState::Succeeded => (TaskState::Complete, true),
            StepState::Stopped if self.reason.as_ref().is_some_and(StepReason::is_no_failure) => {
                (TaskState::Stopped, true)
            }
            StepState::Failed | StepState::Stopped => (TaskState::Failed, true),
        };
        Ok(StepExecution {
            plan,
            step: self.step,
            start: self.start,
            due: self.due.ok_or("the end of a step's duration is missing")?,
            acted: self.acted,
            claims: parse_all(&self.claims)?,
            gave_up: self
                .gave_up
                .iter()
                .map(|one| task(one))
                .collect::<Result<_, _>>()?,
            end: has_ended.then_some(self.tick),
            state,
            reason: self.reason.as_ref().map(StepReason::read).transpose()?,
            changes: read_changes(&self.changes)?,
            learned: read_changes(&self.learned)?,
        })
    }
}

impl StepState {
    /// Returns the state of a step that has ended.
    pub(crate) fn of_ended(execution: &StepExecution) -> Self {
        match (execution.state, &execution.reason) {
            (TaskState::Complete, _) => Self::Succeeded,
            (TaskState::Stopped, _) => Self::Stopped,
            (
                _,
                Some(
                    Reason::Interrupted
                    | Reason::Impossible(_)
                    | Reason::ParallelFailure(_)
                    | Reason::Ordered,
                ),
            ) => Self::Stopped,
            _ => Self::Failed,
        }
    }
}

impl From<&Reason> for StepReason {
    fn from(reason: &Reason) -> Self {
        match reason.clone() {
            Reason::Precondition(rule) => Self::Precondition { rule },
            Reason::Denied(rule) => Self::Denied { rule },
            Reason::Forestalled(rule, actor) => Self::Forestalled {
                rule,
                by: actor.as_ref().map(text),
            },
            Reason::Claimed(object, actor) => Self::Claimed {
                object: text(&object),
                by: actor.as_ref().map(text),
            },
            Reason::Interrupted => Self::NewPlan,
            Reason::Impossible(why) => Self::Impossible { why },
            Reason::ParallelFailure(task) => Self::ParallelFailure { task: text(&task) },
            Reason::Integrity(task, rule) => Self::Integrity {
                task: text(&task),
                rule,
            },
            Reason::MissedGoal(task, goal) => Self::MissedGoal {
                task: text(&task),
                goal,
            },
            Reason::Timeout(task, ticks) => Self::Timeout {
                task: text(&task),
                ticks,
            },
            Reason::Effects(why) => Self::Effects { why },
            Reason::Action => Self::Scenario,
            Reason::Body(why) => Self::Body { why },
            Reason::Ordered => Self::Order,
            Reason::MainBranchEnded(task) => Self::MainBranchEnded { task: text(&task) },
            Reason::Removed(object) => Self::Removed {
                object: text(&object),
            },
            Reason::Duration(until) => Self::Duration { until },
            Reason::Completion(rule) => Self::Completion { rule },
        }
    }
}

impl StepReason {
    /// Returns `true` if a step that was stopped for this reason has not failed.
    fn is_no_failure(&self) -> bool {
        matches!(self, Self::MainBranchEnded { .. })
    }

    /// Reads the reason.
    ///
    /// # Errors
    /// Returns an error if a task in it is invalid.
    pub fn read(&self) -> Result<Reason, String> {
        Ok(match self.clone() {
            Self::Precondition { rule } => Reason::Precondition(rule),
            Self::Denied { rule } => Reason::Denied(rule),
            Self::Forestalled { rule, by } => {
                Reason::Forestalled(rule, by.as_deref().map(parse).transpose()?)
            }
            Self::Claimed { object, by } => {
                Reason::Claimed(parse(&object)?, by.as_deref().map(parse).transpose()?)
            }
            Self::NewPlan => Reason::Interrupted,
            Self::Impossible { why } => Reason::Impossible(why),
            Self::ParallelFailure { task: other } => Reason::ParallelFailure(task(&other)?),
            Self::Integrity { task: above, rule } => Reason::Integrity(task(&above)?, rule),
            Self::MissedGoal { task: above, goal } => Reason::MissedGoal(task(&above)?, goal),
            Self::Timeout { task: above, ticks } => Reason::Timeout(task(&above)?, ticks),
            Self::Effects { why } => Reason::Effects(why),
            Self::Scenario => Reason::Action,
            Self::Body { why } => Reason::Body(why),
            Self::Order => Reason::Ordered,
            Self::MainBranchEnded { task: above } => Reason::MainBranchEnded(task(&above)?),
            Self::Removed { object } => Reason::Removed(parse(&object)?),
            Self::Duration { until } => Reason::Duration(until),
            Self::Completion { rule } => Reason::Completion(rule),
        })
    }
}

/// Returns the end of a run as it is logged, with the part of the goal that is missed.
pub fn logged_end(end: &RunEnd) -> (LoggedEnd, Option<String>) {
    match end {
        RunEnd::Complete => (LoggedEnd::Complete, None),
        RunEnd::GoalMissed(part) => (LoggedEnd::GoalMissed, Some(part.clone())),
        RunEnd::Failed => (LoggedEnd::Failed, None),
        RunEnd::OutOfTicks => (LoggedEnd::OutOfTicks, None),
        RunEnd::OutOfPlans => (LoggedEnd::OutOfPlans, None),
        RunEnd::Endless => (LoggedEnd::Endless, None),
        RunEnd::Stopped => (LoggedEnd::Stopped, None),
    }
}

/// Reads the end of a run.
pub fn read_end(end: LoggedEnd, missed: Option<&String>) -> RunEnd {
    match end {
        LoggedEnd::Complete => RunEnd::Complete,
        LoggedEnd::GoalMissed => RunEnd::GoalMissed(missed.cloned().unwrap_or_default()),
        LoggedEnd::Failed => RunEnd::Failed,
        LoggedEnd::OutOfTicks => RunEnd::OutOfTicks,
        LoggedEnd::OutOfPlans => RunEnd::OutOfPlans,
        LoggedEnd::Endless => RunEnd::Endless,
        LoggedEnd::Stopped => RunEnd::Stopped,
    }
}
