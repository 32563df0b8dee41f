//! When a character plans, and what it does with the outcome.

use std::sync::Arc;

use taskloom_domain::lang::typed::Call;
use taskloom_planner::plan::{Outcome, Plan, World};

use super::{Character, State};
use crate::body::Body;
use crate::open::{Attempt, Joined, Replanning};
use crate::plan_execution::PlanExecution;
use crate::run::{Cause, StepExecution};

impl Character {
    /// Sets the state in which none of its goals is active.
    pub fn satisfy(&mut self) {
        self.state = State::Satisfied;
    }

    /// Makes it plan again, because one of its goals is active again.
    pub fn request_plan(&mut self) {
        if self.has_no_active_goal() {
            self.state = State::Planning(Cause::Event);
        }
    }

    /// If it has no plan, makes it plan again, because time has passed.
    pub fn replan(&mut self, cause: Cause) {
        if self.is_waiting() {
            self.state = State::Planning(cause);
        }
    }

    /// Begins a tick, at which its delay before replanning may be over.
    pub fn wake(&mut self, tick: u32) {
        if let State::Recovering(Some(from), cause) = self.state
            && from <= tick
        {
            self.state = State::Planning(cause);
        }
    }

    /// After a step has failed, delays planning by this many ticks or, if `None`, until it notices
    /// something.
    pub fn recover(&mut self, tick: u32, wait: Option<u32>) {
        if let State::Planning(cause @ Cause::Failure(_)) = self.state {
            let from = wait.map(|wait| tick.saturating_add(wait.max(1)));
            self.state = State::Recovering(from, cause);
        }
    }

    /// Makes it do its tasks again from this tick on, after they are complete.
    pub fn restart_tasks(&mut self, tasks: Option<Vec<Call>>, from: u32) {
        self.tasks = tasks;
        self.progressed = None;
        self.state = State::Recovering(Some(from), Cause::Again);
    }

    /// Makes it look for an alternative to its current plan, or to the one that has failed.
    pub fn reconsider(&mut self, cause: Cause) {
        match &mut self.state {
            State::Executing(plan_execution) if plan_execution.is_done() => {}
            // The first reason counts, but not before one for which better plans count, too.
            State::Executing(plan_execution) => {
                let known = &mut plan_execution.reconsiders;
                if known.is_none_or(|known| known == Cause::Background) {
                    *known = Some(cause);
                }
            }
            // Other reasons count only while it has a plan.
            State::Recovering(None, _) if cause == Cause::Every => {
                self.state = State::Planning(cause);
            }
            _ => {}
        }
    }

    /// Ends the search for another plan.
    pub fn keep(&mut self) {
        if let State::Executing(plan_execution) = &mut self.state {
            plan_execution.reconsiders = None;
        }
    }

    /// Returns `true` if there is a plan, or was one, that another may replace.
    pub fn may_reconsider(&self) -> bool {
        matches!(self.state, State::Executing(_) | State::Recovering(None, _))
    }

    /// Returns the searches to run next, in the order in which they are tried.
    pub fn attempts(&self, replanning: Replanning) -> Vec<Attempt> {
        let (progressed, is_executing) = match &self.state {
            State::AwaitingNextStep(open) => return open.attempts(replanning),
            State::Executing(plan_execution) => (Some(plan_execution.progressed()), true),
            _ => (self.progressed.clone(), false),
        };
        match progressed.filter(|progressed| progressed.plan.target.is_none()) {
            Some(progressed) => progressed.attempts(replanning, is_executing),
            None => vec![Attempt::alone(replanning.calls.map(<[_]>::to_vec))],
        }
    }

    /// Receives the outcome of planning, with a validated plan; or the reason why the validator
    /// rejected the plan, which is an internal error of the planner.
    pub fn planned(&mut self, outcome: &Result<Outcome, String>, attempt: Option<Attempt>) {
        let is_searched = attempt.is_some();
        let mut open = attempt.and_then(|attempt| attempt.open);
        match std::mem::replace(&mut self.state, State::Waiting) {
            State::AwaitingNextStep(rest) => {
                self.progressed = Some((*rest).clone().into_progressed());
                if !is_searched {
                    open = Some(*rest);
                }
            }
            _ => self.steps_before = 0,
        }
        self.state = match outcome {
            Ok(Outcome::Plan(plan)) => {
                self.progressed = None;
                let joined = Joined::new(open, plan);
                State::Executing(Box::new(PlanExecution::new(joined, self.plannings)))
            }
            // As long as the world is unchanged, the outcome would be the same.
            Ok(Outcome::NoPlan | Outcome::GaveUp(_) | Outcome::NotPlanned(_)) | Err(_) => {
                State::Waiting
            }
            Ok(Outcome::Stopped) => State::Stopped,
        };
        self.plannings += 1;
    }

    /// Replaces its plan by another, validated one. If the new plan begins with steps in progress, it
    /// continues them. Returns the other steps, which are interrupted. `world` is used to evaluate
    /// texts.
    pub fn replanned(
        &mut self,
        plan: &Arc<Plan>,
        attempt: Option<Attempt>,
        at: (&World, u32),
        body: &mut dyn Body,
    ) -> Vec<StepExecution> {
        let number = self.plannings;
        self.plannings += 1;
        let State::Executing(old) = &mut self.state else {
            return vec![];
        };
        self.steps_before = 0;
        let complete = old.complete_tasks();
        let joined = Joined::new(attempt.and_then(|attempt| attempt.open), plan);
        let mut plan_execution = PlanExecution::new(joined, number);
        let interrupted = plan_execution.take_over(old, at, body);
        let over = old.ended_with_all(&interrupted, at.0);
        self.ended += interrupted.len();
        **old = plan_execution;
        if let Some(tasks) = &mut self.tasks {
            tasks.drain(..complete.min(tasks.len()));
        }
        self.cool_down(over, at.1);
        interrupted
    }
}
