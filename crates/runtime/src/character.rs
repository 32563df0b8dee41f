//! A character in play: the execution of its plan tick by tick, in a world that the caller owns.
//!
//! At each tick, the integrity rules of each step in progress and of every compound task
//! above it are checked; once its action's duration is over, its effects apply; it is
//! complete as soon as its completion conditions are true after that; the next step starts
//! if its preconditions are true. Steps of different executors may run in parallel. If
//! anything fails, the plan fails: the character needs another one, from the current world,
//! for the tasks that are not complete.

use std::collections::VecDeque;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::aborts::CleanupOf;
use super::body::Body;
use super::cooldowns::Cooldowns;
use super::execution_context::ExecutionContext;
use super::failed_attempts::FailedAttempts;
use super::open::{Open, Progressed};
use super::plan_execution::{Ended, EndedBackground, PlanExecution};
use super::run::{Cause, Reason, StepExecution, TaskState};
use super::task_options::GuardOf;
use taskloom_document::Name;
use taskloom_domain::lang::Env;
use taskloom_domain::lang::typed::Call;
use taskloom_planner::plan::{GroundTask, Plan, World};

mod objects;
mod planning;
mod saved;

pub use objects::{Loss, Lost};
pub use saved::SavedCharacter;

/// A character with its tasks and the progress of their execution.
#[derive(Debug, Clone)]
pub struct Character {
    /// The tasks that are not complete, in sequence; `None` if one of them is invalid.
    tasks: Option<Vec<Call>>,
    state: State,
    /// The number of plannings so far.
    plannings: usize,
    /// The number of steps that have ended.
    ended: usize,
    /// The progress of its last plan, if a task is under way.
    progressed: Option<Progressed>,
    /// The number of steps that it has done since its last planning that wasn't a continuation.
    steps_before: usize,
    /// Steps that were ended by the end of another one, and that are not reported yet.
    interrupted: VecDeque<(GroundTask, StepExecution)>,
    /// Its tasks that are cooling down.
    pub cooldowns: Cooldowns,
    /// The failures of its tasks.
    attempts: FailedAttempts,
    /// The goal that its plan has just reached.
    reached: Option<Name>,
}

/// The state of a character.
#[derive(Debug, Clone, Serialize, Deserialize)]
enum State {
    /// It has to plan.
    Planning(Cause),
    /// It has no plan, and waits for the world to change.
    Waiting,
    /// It is reactive, and its step is complete; with the open tasks of its plan.
    AwaitingNextStep(Box<Open>),
    /// It has to plan from this tick on or, if `None`, once it notices something or looks for another plan.
    Recovering(Option<u32>, Cause),
    /// It executes a plan.
    Executing(Box<PlanExecution>),
    /// All its tasks are complete.
    Done,
    /// None of its goals is active.
    Satisfied,
    /// Its planner was stopped.
    Stopped,
}

/// The result of a slice of a character's execution.
#[derive(Debug, Clone, PartialEq)]
pub enum Progress {
    /// A step has ended: it is complete, or it has failed, and the plan with it. There may be
    /// more to do at the same tick.
    Ended {
        /// The step's task.
        task: GroundTask,
        /// The step's execution.
        execution: Box<StepExecution>,
    },
    /// There is nothing more to do at this tick.
    Waiting,
    /// The rest of the plan has to be checked before it continues.
    Reconsidering,
    /// All tasks are complete.
    Complete,
    /// The character's planner was stopped.
    Stopped,
}

/// The reason why a character neither has a plan nor looks for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    /// It waits for the world to change.
    Waiting,
    /// It waits for this tick or, if `None`, until it notices something.
    Until(Option<u32>),
    /// All its tasks are complete.
    Done,
    /// None of its goals is active.
    NoActiveGoal,
    /// Its planner was stopped.
    Stopped,
}

impl Character {
    /// Creates a character that has these tasks to do, in sequence, and no plan yet; `None` if
    /// one of them is invalid.
    pub fn new(tasks: Option<Vec<Call>>) -> Self {
        Self {
            tasks,
            state: State::Planning(Cause::Start),
            plannings: 0,
            ended: 0,
            progressed: None,
            steps_before: 0,
            interrupted: VecDeque::new(),
            cooldowns: Cooldowns::default(),
            attempts: FailedAttempts::default(),
            reached: None,
        }
    }

    /// Starts the cooldowns of tasks that have ended at a tick.
    fn cool_down(&mut self, ended: Vec<Ended>, tick: u32) {
        for (task, cooldown) in ended {
            self.cooldowns.start(task, tick, cooldown);
        }
    }

    /// Takes the goal that its plan has just reached.
    pub fn take_reached(&mut self) -> Option<Name> {
        self.reached.take()
    }

    /// Returns why it needs a plan, or `None` if it has one, or waits.
    pub fn needs_plan(&self) -> Option<Cause> {
        match self.state {
            State::Planning(cause) => Some(cause),
            State::Executing(ref plan_execution) => plan_execution.replans(),
            State::AwaitingNextStep(_) => Some(Cause::Onward),
            _ => None,
        }
    }

    /// Returns the reason why it neither has a plan nor looks for one.
    pub fn rest(&self) -> Option<Rest> {
        Some(match self.state {
            State::Waiting => Rest::Waiting,
            State::Recovering(from, _) => Rest::Until(from),
            State::Done => Rest::Done,
            State::Satisfied => Rest::NoActiveGoal,
            State::Stopped => Rest::Stopped,
            State::Planning(_) | State::AwaitingNextStep(_) | State::Executing(_) => return None,
        })
    }

    /// Returns `true` if all its tasks are complete, or none of its goals is active.
    pub fn is_complete(&self) -> bool {
        matches!(self.state, State::Done | State::Satisfied)
    }

    /// Returns `true` if none of its goals is active, as long as nothing changes.
    pub fn has_no_active_goal(&self) -> bool {
        matches!(self.state, State::Satisfied)
    }

    /// Returns `true` if it is reactive and its step is complete.
    pub fn is_between_steps(&self) -> bool {
        matches!(self.state, State::AwaitingNextStep(_))
    }

    /// Returns the number of its plannings so far, and that of its steps that have ended.
    pub fn counts(&self) -> (usize, usize) {
        (self.plannings, self.ended)
    }

    /// Returns the number of steps before the one that it plans next, when it continues.
    pub fn steps_before(&self) -> usize {
        self.steps_before
    }

    /// Returns `true` if an uninterruptible step is in progress.
    pub fn is_uninterruptible(&self) -> bool {
        let execution = self.plan_execution();
        execution.is_some_and(PlanExecution::is_uninterruptible)
    }

    /// Returns the execution of its plan.
    pub fn plan_execution(&self) -> Option<&PlanExecution> {
        match &self.state {
            State::Executing(plan_execution) => Some(plan_execution),
            _ => None,
        }
    }

    /// Abandons the rest of its plan, because it is no longer possible and there is no other plan.
    /// Returns the steps that were in progress.
    pub fn stop(
        &mut self,
        why: &str,
        at: (&World, u32),
        body: &mut dyn Body,
    ) -> Vec<StepExecution> {
        self.plannings += 1;
        let State::Executing(old) = &mut self.state else {
            return vec![];
        };
        let stopped = old.stop(&Reason::Impossible(why.to_owned()), at, body);
        let over = old.ended_with_all(&stopped, at.0);
        self.ended += stopped.len();
        let (progressed, complete) = (old.progressed(), old.complete_tasks());
        self.give_up(progressed, complete);
        self.cool_down(over, at.1);
        self.state = State::Waiting;
        stopped
    }

    /// Drops its plan and its tasks for this reason, and gives it others to do, before which it cleans up;
    /// `None` if it is to do nothing. Returns the steps that were in progress.
    pub fn reassign(
        &mut self,
        tasks: Option<(Vec<Call>, (GuardOf, CleanupOf))>,
        reason: &Reason,
        at: (&World, u32),
        body: &mut dyn Body,
    ) -> Vec<StepExecution> {
        let (mut stopped, mut over) = (vec![], vec![]);
        let progressed = match &mut self.state {
            State::Executing(old) => {
                stopped = old.stop(reason, at, body);
                over = old.ended_with_all(&stopped, at.0);
                Some(old.progressed())
            }
            State::AwaitingNextStep(open) => Some((**open).clone().into_progressed()),
            _ => self.progressed.take(),
        };
        self.cool_down(over, at.1);
        self.ended += stopped.len();
        self.steps_before = 0;
        self.progressed = None;
        self.state = State::Done;
        let mut own = vec![];
        if let Some((tasks, (guard, cleanup))) = tasks {
            self.progressed = progressed.and_then(|one| one.cleanups_only(guard, cleanup));
            self.state = State::Planning(Cause::Start);
            own = tasks;
        }
        self.tasks = Some(own);
        stopped
    }

    /// Stores the progress of an abandoned plan, of which this many of the character's tasks are
    /// complete.
    fn give_up(&mut self, progressed: Progressed, complete: usize) {
        if let Some(tasks) = &mut self.tasks {
            tasks.drain(..complete.min(tasks.len()));
        }
        self.progressed = Some(progressed);
    }

    /// Returns `true` if it has no plan and waits for the world to change.
    pub fn is_waiting(&self) -> bool {
        matches!(self.state, State::Waiting | State::Recovering(None, _))
    }

    /// Returns its tasks, as far as its previous plans haven't completed them.
    pub fn calls(&self) -> &[Call] {
        self.tasks.as_deref().unwrap_or_default()
    }

    /// Returns the tasks that are not complete, with their arguments evaluated in this
    /// world; `None` if one of them is invalid, or an argument is undefined.
    pub fn tasks(&self, world: &World) -> Option<Vec<GroundTask>> {
        match &self.state {
            State::AwaitingNextStep(open) => open.next().map(|next| vec![next.clone()]),
            _ => self.incomplete_tasks(world),
        }
    }

    /// Returns its tasks that are not complete, with their current arguments.
    pub fn incomplete_tasks(&self, world: &World) -> Option<Vec<GroundTask>> {
        let complete = match &self.state {
            State::Executing(plan_execution) => plan_execution.complete_tasks(),
            _ => 0,
        };
        let tasks = self.tasks.as_ref()?.iter().skip(complete);
        let ground = tasks.map(|call| world.ground(call, &Env::new()).ok());
        ground.collect()
    }

    /// Returns its plan, and the first step of it that is not complete.
    pub fn plan(&self) -> Option<(&Arc<Plan>, usize)> {
        match &self.state {
            State::Executing(plan_execution) => Some((&plan_execution.plan, plan_execution.step())),
            _ => None,
        }
    }

    /// Returns the indices of the steps in progress or, if there are none, of the next step.
    pub fn steps(&self) -> Vec<usize> {
        match &self.state {
            State::Executing(plan_execution) => plan_execution.steps(),
            _ => vec![],
        }
    }

    /// Returns the task of a step of its current plan, or of the one just abandoned.
    pub fn task_of(&self, execution: &StepExecution) -> Option<GroundTask> {
        let plan = match &self.state {
            State::Executing(plan_execution) => &plan_execution.plan,
            _ => &self.progressed.as_ref()?.plan,
        };
        Some(plan.steps.get(execution.step)?.task.clone())
    }

    /// Returns the steps in progress, in the order of the plan.
    pub fn executions(&self) -> impl Iterator<Item = &StepExecution> {
        let plan_execution = match &self.state {
            State::Executing(plan_execution) => Some(plan_execution),
            _ => None,
        };
        plan_execution
            .into_iter()
            .flat_map(|plan_execution| plan_execution.running())
    }

    /// Takes the steps that were ended by the end of another one.
    pub fn take_interrupted(&mut self) -> Vec<StepExecution> {
        self.interrupted
            .drain(..)
            .map(|(_, execution)| execution)
            .collect()
    }

    /// Notifies it that the world has changed: if it has no plan, it plans again.
    pub fn notice(&mut self) {
        if self.is_waiting() {
            self.state = State::Planning(Cause::Event);
        }
    }

    /// Executes the steps whose duration is over, up to the end of one.
    pub fn settle(&mut self, context: &mut ExecutionContext, tick: u32) -> Progress {
        let State::Executing(plan_execution) = &mut self.state else {
            return Progress::Waiting;
        };
        match plan_execution.settle(context, tick) {
            Some(execution) => self.end_step(execution, context, tick),
            None => Progress::Waiting,
        }
    }

    /// Executes the plan, up to the end of a step or of this tick.
    pub fn act(&mut self, context: &mut ExecutionContext, tick: u32) -> Progress {
        let is_relied_on = self.end_background(context, tick);
        if let Some((task, execution)) = self.interrupted.pop_front() {
            return Progress::Ended {
                task,
                execution: Box::new(execution),
            };
        }
        let plan_execution = match &mut self.state {
            State::Planning(_)
            | State::Recovering(..)
            | State::Waiting
            | State::AwaitingNextStep(_) => {
                return Progress::Waiting;
            }
            State::Done | State::Satisfied => return Progress::Complete,
            State::Stopped => return Progress::Stopped,
            State::Executing(plan_execution) => plan_execution,
        };
        if plan_execution.is_done() {
            let progressed = plan_execution.progressed();
            let over = plan_execution.ended_without_steps(context.world);
            plan_execution.count_completion_without_steps(&mut self.attempts);
            for (task, cooldown) in over {
                self.cooldowns.start(task, tick, cooldown);
            }
            if plan_execution.has_unplanned_tasks()
                && let Some(open) = progressed.open(context.guard)
            {
                self.steps_before += plan_execution.plan.steps.len();
                let complete = plan_execution.own_roots() - open.roots();
                if let Some(tasks) = &mut self.tasks {
                    tasks.drain(..complete.min(tasks.len()));
                }
                self.state = State::AwaitingNextStep(Box::new(open));
                return Progress::Waiting;
            }
            if plan_execution.plan.is_intermediate() {
                let target = plan_execution.plan.target.as_ref();
                let whole = target.filter(|target| target.remaining_estimate.is_none());
                self.reached = whole.and_then(|target| target.goal.clone());
                self.state = State::Recovering(Some(tick.saturating_add(1)), Cause::Onward);
                return Progress::Waiting;
            }
            self.state = State::Done;
            if let Some(tasks) = &mut self.tasks {
                tasks.clear();
            }
            return Progress::Complete;
        }
        if is_relied_on {
            return Progress::Reconsidering;
        }
        match plan_execution.advance(context, tick) {
            Some(execution) => self.end_step(execution, context, tick),
            None => Progress::Waiting,
        }
    }

    /// Ends a step of its plan, and the plan with it if the step has failed.
    fn end_step(
        &mut self,
        mut execution: StepExecution,
        context: &mut ExecutionContext,
        tick: u32,
    ) -> Progress {
        let State::Executing(plan_execution) = &mut self.state else {
            return Progress::Waiting;
        };
        let task = plan_execution.plan.steps[execution.step].task.clone();
        let number = self.ended;
        self.ended += 1;
        if execution.state == TaskState::Complete {
            self.end_background(context, tick);
        }
        let State::Executing(plan_execution) = &mut self.state else {
            return Progress::Waiting;
        };
        if execution.state == TaskState::Complete {
            plan_execution.check_goals(&mut execution, context.believed());
        }
        let mut over = plan_execution.ended_with(&execution, context.world);
        if execution.state == TaskState::Failed {
            let reason = Reason::ParallelFailure(task.clone());
            let (at, body) = ((&*context.world, tick), &mut *context.performance.body);
            let stopped = plan_execution.stop(&reason, at, body);
            over.extend(plan_execution.ended_with_all(&stopped, at.0));
            for aborted in stopped {
                let task = plan_execution.plan.steps[aborted.step].task.clone();
                self.interrupted.push_back((task, aborted));
                self.ended += 1;
            }
            // An uninterruptible step may have been all that remained of a task.
            let rest = plan_execution.end_background(at, None, &mut *context.performance.body);
            over.extend(rest.over);
            let complete = plan_execution.complete_tasks();
            let mut progressed = plan_execution.progressed();
            let broken = plan_execution.broken_by(&execution, tick);
            let domain = context.world.domain();
            let attempts = &mut self.attempts;
            let given_up = plan_execution.count_failure(&mut execution, broken, domain, attempts);
            for node in rest.complete {
                attempts.complete(&plan_execution.plan, node);
            }
            progressed.broken =
                given_up.or_else(|| plan_execution.redone_above(&execution, broken, context.guard));
            let cleanup = plan_execution.cleanup_of_step(execution.step);
            progressed.failed_cleanup = cleanup.map(|(root, _)| root);
            self.give_up(progressed, complete);
            // Replanning at the same tick could continue endlessly if a step fails as soon as it
            // starts, so it happens at the next tick.
            self.state = State::Planning(Cause::Failure(number));
        }
        if let State::Executing(plan_execution) = &self.state {
            plan_execution.count_completion(&execution, &mut self.attempts);
        }
        self.cool_down(over, tick);
        Progress::Ended {
            task,
            execution: Box::new(execution),
        }
    }

    /// Ends the tasks in the background of tasks whose main branch is complete. Returns `true` if the rest of
    /// the plan may depend on what was skipped.
    fn end_background(&mut self, context: &mut ExecutionContext, tick: u32) -> bool {
        let State::Executing(plan_execution) = &mut self.state else {
            return false;
        };
        let believed = context.belief.as_deref().unwrap_or(context.world);
        let (at, body) = ((&*context.world, tick), &mut *context.performance.body);
        let EndedBackground {
            stopped,
            over,
            complete,
            is_relied_on,
        } = plan_execution.end_background(at, Some(believed), body);
        for node in complete {
            self.attempts.complete(&plan_execution.plan, node);
        }
        self.ended += stopped.len();
        let plan = plan_execution.plan.clone();
        let stopped = stopped.into_iter();
        self.interrupted
            .extend(stopped.map(|one| (plan.steps[one.step].task.clone(), one)));
        self.cool_down(over, tick);
        is_relied_on
    }

    /// Returns the next tick at which it has anything to do, if nobody else changes the world.
    pub fn next_tick(&self, tick: u32) -> Option<u32> {
        match &self.state {
            State::Planning(_) | State::AwaitingNextStep(_) => Some(tick.saturating_add(1)),
            State::Recovering(from, _) => *from,
            State::Done | State::Satisfied | State::Waiting | State::Stopped => None,
            State::Executing(plan_execution) => plan_execution.next_tick(tick),
        }
    }
}
