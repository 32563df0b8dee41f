//! A character's planning at its turn: one search after the other, until a plan is accepted.

use std::mem;
use std::sync::Arc;

use taskloom_document::Name;
use taskloom_document::stop::Stop;
use taskloom_domain::world::Reads;
use taskloom_planner::compile::Problem;
use taskloom_planner::plan::{
    Change, GroundTask, Invalid, Limit, Outcome, Plan, Validation, Validator, World,
};

use super::Mind;
use crate::aborts::cleanup_of;
use crate::access::StepAccess;
use crate::deliberation::{Deliberation, Verdict, improvements, recheck};
use crate::open::{Attempt, Replanning};
use crate::parallel::task_access;
use crate::plan_execution::PlanExecution;
use crate::run::Cause;
use crate::task_options::Guard;

/// The validation of a plan, in steps.
pub struct PlanCheck {
    plan: Arc<Plan>,
    validator: Validator,
    validation: Validation,
    /// Counts its work, or cancels it.
    stop: Stop,
    /// The facts that the plan depends on.
    reads: Reads,
}

impl PlanCheck {
    /// Checks this many more pieces of the plan. Returns the result once all are checked.
    pub fn step(&mut self, pieces: u64) -> Option<Result<(), Invalid>> {
        self.validation.step(&self.validator, &self.plan, pieces)
    }

    /// Returns the work done so far, in parts of conditions.
    pub fn work(&self) -> u64 {
        self.stop.work()
    }
}

/// A task that is excluded from planning, because it has failed for a reason that planning doesn't
/// anticipate, or as often as its block allows.
pub(super) struct Failed {
    pub(super) task: GroundTask,
    pub(super) access: StepAccess,
    /// The tick at which it may be retried; `None` if nothing has been planned without it yet.
    pub(super) until: Option<u32>,
    /// `true` if it was given up: it isn't planned even if there is no other plan.
    pub(super) is_given_up: bool,
}

/// Returns the position of a plan for a goal among the tasks that serve it; those that the search for the
/// goal finds come after all.
fn rank(believed: &World, plan: &Plan) -> usize {
    let target = plan.target.as_ref();
    let goal = target.and_then(|target| target.goal.as_ref());
    let task = match plan.roots.as_slice() {
        [root] => goal.zip(plan.nodes.get(*root)),
        _ => None,
    };
    let place = task.and_then(|(goal, node)| {
        let mut tasks = believed.tasks_of_goal(goal);
        tasks.position(|task| task == node.task)
    });
    place.unwrap_or(usize::MAX)
}

impl Mind {
    /// Starts the deliberation, because its character needs a plan.
    ///
    /// # Errors
    /// Returns the limit if the time is over.
    pub fn deliberate(&mut self, tick: u32, stop: &Stop) -> Result<(), Limit> {
        let believed = self.believed();
        let calls = self.character.incomplete_tasks(believed);
        let replanning = Replanning {
            calls: calls.as_deref(),
            is_reactive: self.actor.is_reactive(),
            guard: &|plan, node| Guard::of(believed.domain(), plan, node),
            cleanup: &|plan, node| cleanup_of(believed, plan, node),
        };
        let attempts = || self.with_and_without_failed(self.character.attempts(replanning));
        let deliberation = match self.character.plan_execution() {
            None if self.character.is_between_steps() => Deliberation::next_step(attempts()),
            None => Deliberation::first(attempts()),
            Some(execution) => {
                let goal = execution
                    .plan
                    .target
                    .as_ref()
                    .and_then(|target| target.goal.as_ref());
                let goal_values = goal.map(|_| self.goal_values(tick)).unwrap_or_default();
                let goal_value = goal_values
                    .iter()
                    .find(|goal_value| Some(&goal_value.goal) == goal);
                let checked = match goal_value {
                    Some(goal_value) if !goal_value.is_active() => Err(format!(
                        "the goal '{}' is no longer active",
                        goal_value.goal
                    )),
                    _ => recheck(believed, execution, tick, stop)?,
                };
                match checked {
                    Err(why) => Deliberation::repair(attempts(), why),
                    Ok(cost) => {
                        let (document, policy) = (self.world.document(), self.actor.policy());
                        let cause = self.character.needs_plan();
                        let attempts = match cause {
                            // It asks only whether the plan is still possible.
                            Some(Cause::Background) => vec![],
                            _ => improvements(document, execution, policy, replanning),
                        };
                        let is_retry = cause == Some(Cause::Retry);
                        let margin = self.triggers.goal.filter(|_| !is_retry).unwrap_or(0.0);
                        let value = goal_value.and_then(|goal_value| goal_value.value);
                        Deliberation::improve(attempts, cost, value, margin)
                    }
                }
            }
        };
        self.deliberation = Some(deliberation);
        Ok(())
    }

    /// Returns the searches without the tasks that have failed and, unless goals are pursued, finally
    /// the same searches with them.
    fn with_and_without_failed(&self, attempts: Vec<Attempt>) -> Vec<Attempt> {
        if self.failed.iter().all(|one| one.is_given_up) || self.has_goals {
            return attempts;
        }
        let again = attempts.iter().cloned().map(|attempt| Attempt {
            excludes: false,
            ..attempt
        });
        let again: Vec<Attempt> = again.collect();
        attempts.into_iter().chain(again).collect()
    }

    /// Returns the next problem to plan; `None` if no search is left.
    ///
    /// The random draws of a reactive character's decisions are the same as in one lookahead plan.
    pub fn next_problem(&mut self, tick: u32, seed_at: impl Fn(u32) -> u64) -> Option<Problem> {
        let (seed, steps_before) = match self.character.is_between_steps() {
            true => (seed_at(self.counts.drawn_at), self.character.steps_before()),
            false => (seed_at(tick), 0),
        };
        if self.character.plan().is_none() {
            // While it has a plan, goals are retried only after their delay.
            self.goal_selection.clear_stale();
        }
        let attempt = self.deliberation.as_mut()?.next()?.clone();
        let cleanups = attempt.cleanups();
        if mem::take(&mut self.is_problem_outdated) {
            let problem = self.problem.in_scene(self.believed());
            self.problem = problem.based_on(self.believed());
        } else if !self.problem.is_base_of(self.believed()) {
            self.problem = self.problem.based_on(self.believed());
        }
        let problem = self
            .problem
            .with_state(self.believed(), attempt.tasks.as_deref());
        let problem = match attempt.order {
            Some(order) => problem.ordered(order),
            None => problem,
        };
        let problem = self.cooling_down(problem, tick);
        self.goal_selection.goal_values = problem.goal_values();
        let problem = problem.seeded(seed).after_steps(steps_before);
        let is_better = self
            .deliberation
            .as_ref()
            .is_some_and(Deliberation::is_improvement);
        let only = self.committed().filter(|_| is_better).cloned();
        let problem = problem.excluding_goals(&self.goal_selection.excluded(only));
        if self.has_goals && attempt.excludes {
            let until = tick.saturating_add(self.goal_selection.retry());
            let failed = self.failed.iter_mut().filter(|one| !one.is_given_up);
            failed.for_each(|one| _ = one.until.get_or_insert(until));
        }
        let failed = self.failed.iter();
        let excluded = failed.filter(|one| attempt.excludes || one.is_given_up);
        let problem = problem.excluding(excluded.map(|one| &one.task));
        Some(problem.after_cleanups(cleanups))
    }

    /// Decides what to do with the outcome of its search, which began with these beliefs.
    pub fn decide(
        &mut self,
        outcome: &Result<Outcome, String>,
        believed: Option<&World>,
    ) -> Verdict {
        let Some(deliberation) = &mut self.deliberation else {
            return match outcome {
                Ok(Outcome::Plan(_) | Outcome::Stopped) => Verdict::Follow,
                _ => Verdict::Wait,
            };
        };
        let execution = self.character.plan_execution();
        let old = execution.map(PlanExecution::progressed);
        let goal_values = &self.goal_selection.goal_values;
        let (world, document) = (&self.world, self.world.document());
        let is_kept_by = |attempt: &Attempt, plan: &Arc<Plan>| {
            execution.is_some_and(|execution| execution.is_kept_by(attempt, plan, world))
        };
        let rank = |plan: &Plan| believed.map_or(usize::MAX, |believed| rank(believed, plan));
        let old = old.as_ref();
        deliberation.decide(outcome, document, old, goal_values, rank, is_kept_by)
    }

    /// Ends the deliberation. Returns the search whose plan was accepted.
    pub fn end_deliberation(&mut self) -> Option<Attempt> {
        self.news.concerns_goals = true;
        self.deliberation
            .take()
            .and_then(|deliberation| deliberation.current)
    }

    /// Drops its search for a plan, because it has other tasks now. What has changed during the search no
    /// longer matters: nothing was planned without it.
    pub fn drop_search(&mut self) {
        self.forget_plan();
        self.deliberation = None;
        self.news.while_searching.clear();
        self.news.changed_while_searching = false;
        self.news.concerns_goals = true;
    }

    /// Excludes a task that has failed for a reason that planning doesn't anticipate, until something
    /// that it reads or changes has changed.
    pub fn exclude(&mut self, task: &GroundTask) {
        self.exclude_as(task, false);
    }

    /// Excludes a task that has failed as often as its block allows, until something that it, or a task
    /// that it may lead to, reads or changes has changed.
    pub fn give_up(&mut self, task: &GroundTask) {
        self.exclude_as(task, true);
    }

    fn exclude_as(&mut self, task: &GroundTask, is_given_up: bool) {
        let access = task_access(&self.world, task);
        // It may be excluded for both reasons, of which only one ends after a number of ticks.
        self.failed
            .retain(|one| one.task != *task || one.is_given_up != is_given_up);
        self.failed.push(Failed {
            task: task.clone(),
            access,
            until: None,
            is_given_up,
        });
    }

    /// Returns the tasks that it has given up.
    pub fn given_up(&self) -> impl Iterator<Item = &GroundTask> {
        let failed = self.failed.iter().filter(|one| one.is_given_up);
        failed.map(|one| &one.task)
    }

    /// Allows retrying the failed tasks that read or change one of these facts.
    pub fn clear_failed<'c>(&mut self, changes: impl Iterator<Item = &'c Change> + Clone) {
        self.failed.retain(|failed| {
            let touches = |change: &Change| {
                let StepAccess { reads, changes } = &failed.access;
                reads.contains(&change.atom) || changes.contains(&change.atom)
            };
            !changes.clone().any(touches)
        });
    }

    /// Validates the outcome of a planning, if it is a plan.
    /// `believed` are its beliefs when it asked for the plan.
    pub fn validated(
        &mut self,
        outcome: Outcome,
        believed: &World,
        stop: &Stop,
    ) -> Result<Outcome, String> {
        let Outcome::Plan(plan) = &outcome else {
            return Ok(outcome);
        };
        let mut check = self.begin_check(plan.clone(), believed, stop)?;
        loop {
            if let Some(checked) = check.step(u64::MAX) {
                return self.end_check(check, checked);
            }
        }
    }

    /// Begins to validate a plan.
    ///
    /// # Errors
    /// Returns a sentence if its tasks are invalid.
    pub fn begin_check(
        &self,
        plan: Arc<Plan>,
        believed: &World,
        stop: &Stop,
    ) -> Result<PlanCheck, String> {
        let reads = Reads::default();
        let attempt = self
            .deliberation
            .as_ref()
            .and_then(|one| one.current.as_ref());
        let mut world = believed.with_values(believed.values().clone(), stop.clone());
        if self.triggers.perception {
            world = world.recording_reads(reads.clone(), self.plans_by_time);
        }
        let tasks = match attempt {
            Some(attempt) => attempt.tasks.clone(),
            None => self.character.tasks(believed),
        };
        let tasks = tasks.ok_or("a task of the scenario is invalid")?;
        let tasks = tasks.into_iter().map(Ok).collect();
        let cleanups = attempt.map_or(0, Attempt::cleanups);
        let validation = Validation::new(&plan, world.values().clone(), tasks);
        let validation = validation.after_cleanups(cleanups);
        Ok(PlanCheck {
            validation: match attempt.and_then(|attempt| attempt.order.clone()) {
                Some(order) => validation.ordered(order),
                None => validation,
            },
            validator: Validator::new(world),
            stop: stop.clone(),
            reads,
            plan,
        })
    }

    /// Receives the result of a validation.
    ///
    /// # Errors
    /// Returns a sentence if the plan is invalid.
    pub fn end_check(
        &mut self,
        check: PlanCheck,
        checked: Result<(), Invalid>,
    ) -> Result<Outcome, String> {
        if check.stop.is_cancelled() {
            return Ok(Outcome::GaveUp(Limit::Time));
        }
        checked.map_err(|invalid| invalid.to_string())?;
        if let Ok(mut reads) = check.reads.lock() {
            self.news.reads_of_new = mem::take(&mut reads);
        }
        Ok(Outcome::Plan(check.plan))
    }

    /// Records the tick of a planning that has ended, for later random draws.
    pub fn note_draws(&mut self, tick: u32) {
        if !self.character.is_between_steps() {
            self.counts.drawn_at = tick;
        }
    }

    /// Adopts the dependencies of the plan that was validated last.
    pub fn adopt_reads(&mut self) {
        self.news.reads = mem::take(&mut self.news.reads_of_new);
        if self.is_problem_outdated {
            // Objects may have been removed during the search.
            let scene = self.world.scene();
            let exists = |arg: &Name| scene.type_of(arg).is_some();
            let reads = &mut self.news.reads;
            reads.retain(|atom| atom.args.iter().all(exists));
        }
    }

    /// Reacts to what has changed while it searched for the plan that it has now, or for one that it didn't
    /// find.
    pub fn notice_after_search(&mut self) {
        let changed = mem::take(&mut self.news.while_searching);
        let released = mem::take(&mut self.news.changed_while_searching);
        if released || !changed.is_empty() {
            self.character.notice();
        }
        let mut changed = changed.into_iter();
        let read = changed.find(|atom| self.news.reads.contains(atom));
        if let Some(atom) = read.filter(|_| self.triggers.perception) {
            self.news.noticed = Some(atom);
        }
    }

    /// Returns `true` if a plan from elsewhere must be validated once more, to find what it
    /// depends on.
    pub fn needs_reads(&self) -> bool {
        self.triggers.perception
    }
}
