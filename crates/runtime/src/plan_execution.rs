//! The execution of a plan: which of its steps are complete, and which are in progress.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::body::{ActionStatus, Body, StepRef, action_of};
use super::execution_context::ExecutionContext;
use super::open::Progressed;
use super::parallel::ParallelSchedule;
use super::run::{Cause, Reason, StepExecution, TaskState};
use taskloom_document::EffectTiming;
use taskloom_domain::validate::Remains;
use taskloom_planner::plan::{GroundTask, NodeKind, Plan, World};

mod cooldowns;
mod saved;
mod uninterruptible;

pub use cooldowns::Ended;
pub use saved::Abandoned;
use uninterruptible::is_uninterruptible;

/// The execution of a plan.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PlanExecution {
    /// The plan.
    pub plan: Arc<Plan>,
    /// The index of its planning.
    pub number: usize,
    /// The reason for looking for another plan, if any.
    pub reconsiders: Option<Cause>,
    /// For each of the first nodes: if it is a task under way, its first step that was done before this
    /// plan was made.
    begun: Vec<Option<GroundTask>>,
    /// The tick at which the steps whose duration was over had their turn before all others.
    settled: Option<u32>,
    /// For each step, `true` if it is complete.
    complete: Vec<bool>,
    /// The first step that is not complete.
    step: usize,
    /// The steps in progress, in the plan's order.
    running: Vec<RunningStep>,
    /// Depends on the plan and the document only.
    #[serde(skip)]
    order: Order,
}

/// A step in progress.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct RunningStep {
    execution: StepExecution,
    /// The tick of its last turn.
    seen: u32,
    /// The number of its start, until its action has ended.
    action: Option<u64>,
    /// `true` if the actor doesn't replan before it ends.
    #[serde(default)]
    is_uninterruptible: bool,
    /// The revisions of the beliefs when its integrity rules, and its completion conditions, were last
    /// checked.
    #[serde(skip)]
    checked: [Option<u64>; 2],
}

impl RunningStep {
    /// Ends it as failed, and stops its action.
    fn fail(
        self,
        plan: &Plan,
        reason: Reason,
        at: (&World, u32),
        body: &mut dyn Body,
    ) -> StepExecution {
        let (world, tick) = at;
        if let Some(id) = self.action {
            body.stop(&step_ref(plan, &self.execution, id, (world, tick)), &reason);
        }
        fail(self.execution, reason, tick)
    }
}

/// Returns a step as its body sees it.
fn step_ref<'s>(
    plan: &'s Plan,
    execution: &StepExecution,
    id: u64,
    at: (&'s World, u32),
) -> StepRef<'s> {
    let task = &plan.steps[execution.step].task;
    StepRef {
        id,
        task,
        action: action_of(at.0, task),
        start: execution.start,
        due: execution.due,
        tick: at.1,
    }
}

/// The indices of a few steps.
pub type Steps = SmallVec<[usize; 8]>;

/// The order in which steps are executed.
#[derive(Debug, Clone, Default)]
enum Order {
    /// Not computed yet.
    #[default]
    Unknown,
    /// One after the other.
    Sequence,
    /// Some steps in parallel.
    Parallel(Arc<ParallelSchedule>),
}

impl Order {
    fn of(world: &World, plan: &Plan) -> Self {
        match ParallelSchedule::of(world, plan) {
            Some(schedule) => Self::Parallel(Arc::new(schedule)),
            None => Self::Sequence,
        }
    }
}

impl PlanExecution {
    /// Begins the execution of a plan.
    pub fn new(plan: Arc<Plan>, begun: Vec<Option<GroundTask>>, number: usize) -> Self {
        Self {
            begun,
            settled: None,
            complete: vec![false; plan.steps.len()],
            step: 0,
            running: vec![],
            order: Order::Unknown,
            reconsiders: None,
            plan,
            number,
        }
    }

    /// Continues the steps in progress of the old plan that can also start this one. Returns the other
    /// steps, which are interrupted.
    pub fn take_over(
        &mut self,
        old: &mut Self,
        (world, tick): (&World, u32),
        body: &mut dyn Body,
    ) -> Vec<StepExecution> {
        let mut interrupted = vec![];
        self.order = Order::of(world, &self.plan);
        self.settled = old.settled;
        let first = self.ready_steps();
        for mut running in std::mem::take(&mut old.running) {
            let execution = &mut running.execution;
            let task = old.plan.steps.get(execution.step).map(|step| &step.task);
            let is_free = |step: &usize| self.running().all(|other| other.step != *step);
            let mut alike = first.iter().copied().filter(is_free);
            let same = alike.find(|step| Some(&self.plan.steps[*step].task) == task);
            match same {
                Some(step) => {
                    (execution.plan, execution.step) = (self.number, step);
                    running.checked = [None; 2];
                    self.run(running);
                }
                None => {
                    let reason = Reason::Interrupted;
                    interrupted.push(running.fail(&old.plan, reason, (world, tick), body));
                }
            }
        }
        interrupted
    }

    /// Returns the plan with the progress of its execution.
    pub fn progressed(&self) -> Progressed {
        Progressed {
            plan: self.plan.clone(),
            begun: self.begun.clone(),
            complete: self.complete.clone(),
            step: self.step,
            has_started: self.running().any(|execution| execution.step == self.step),
            broken: None,
        }
    }

    /// Returns `true` if a step of a node was done before this plan was made.
    pub fn was_begun(&self, node: usize) -> bool {
        self.begun.get(node).is_some_and(Option::is_some)
    }

    /// Returns what remains of each step at a tick.
    pub fn remains(&self, tick: u32) -> Vec<Remains> {
        let mut remains: Vec<Remains> = self
            .complete
            .iter()
            .map(|complete| match complete {
                true => Remains::Nothing,
                false => Remains::All,
            })
            .collect();
        for execution in self.running() {
            remains[execution.step] = match execution.acted {
                Some(_) => Remains::Nothing,
                None => Remains::Effects(execution.due.saturating_sub(tick)),
            };
        }
        remains
    }

    /// Returns the first step that is not complete.
    pub fn step(&self) -> usize {
        self.step
    }

    /// Returns the indices of the steps in progress or, if there are none, of the next step.
    pub fn steps(&self) -> Vec<usize> {
        match &*self.running {
            [] => vec![self.step],
            _ => self.running().map(|execution| execution.step).collect(),
        }
    }

    /// Returns the steps in progress, in the plan's order.
    pub fn running(&self) -> impl Iterator<Item = &StepExecution> {
        self.running.iter().map(|running| &running.execution)
    }

    /// Returns `true` if tasks in its tree are still to be planned.
    pub fn has_unplanned_tasks(&self) -> bool {
        self.plan
            .nodes
            .iter()
            .any(|node| node.kind == NodeKind::Pending)
    }

    /// Returns `true` if all steps are complete.
    pub fn is_done(&self) -> bool {
        self.step >= self.plan.steps.len()
    }

    /// Returns the number of the character's tasks that are complete. The tasks are a sequence.
    pub fn complete_tasks(&self) -> usize {
        if self.plan.target.is_some() {
            return 0;
        }
        let complete = self.progressed().complete_nodes();
        let roots = self.plan.roots.iter();
        roots.take_while(|root| complete[**root]).count()
    }

    /// Executes the steps whose duration is over, up to the end of one. Returns that one's result.
    pub fn settle(&mut self, context: &mut ExecutionContext, tick: u32) -> Option<StepExecution> {
        self.settled = Some(tick);
        let over = self.running.iter();
        let over = over.filter(|one| one.execution.due <= tick && one.seen != tick);
        let steps: Steps = over.map(|one| one.execution.step).collect();
        self.advance_steps(steps, context, tick)
    }

    /// Executes the steps of the plan as far as this tick allows, up to the end of one. Returns that
    /// one's result.
    pub fn advance(&mut self, context: &mut ExecutionContext, tick: u32) -> Option<StepExecution> {
        if let Order::Unknown = self.order {
            self.order = Order::of(context.world, &self.plan);
        }
        let is_alone = matches!(self.order, Order::Sequence) && self.settled != Some(tick);
        let unseen = self
            .running
            .iter()
            .filter(|one| is_alone || one.seen != tick);
        let mut steps: Steps = unseen.map(|one| one.execution.step).collect();
        if context.may_start {
            // A reason to replan waits for no other uninterruptible step.
            let waits = self.reconsiders.is_some();
            let ready = self.ready_steps().into_iter();
            steps.extend(ready.filter(|step| {
                let task = &self.plan.steps[*step].task;
                !(waits && is_uninterruptible(context.world, task))
            }));
        }
        steps.sort_unstable();
        self.advance_steps(steps, context, tick)
    }

    fn advance_steps(
        &mut self,
        steps: Steps,
        context: &mut ExecutionContext,
        tick: u32,
    ) -> Option<StepExecution> {
        for step in steps {
            let begun = self.running.iter();
            let begun = begun
                .map(|one| one.execution.step)
                .position(|one| one == step);
            let mut running = match begun {
                Some(at) => self.running.remove(at),
                None => RunningStep {
                    execution: self.planned(step, tick),
                    seen: tick,
                    action: None,
                    is_uninterruptible: is_uninterruptible(
                        context.world,
                        &self.plan.steps[step].task,
                    ),
                    checked: [None; 2],
                },
            };
            running.seen = tick;
            match advance_step(&self.plan, &mut running, context, tick) {
                Ok(false) => self.run(running),
                Ok(true) => {
                    let mut execution = running.execution;
                    execution.state = TaskState::Complete;
                    execution.reason = None;
                    execution.end = Some(tick);
                    self.complete[step] = true;
                    let left = self.complete.iter().skip(self.step);
                    self.step += left.take_while(|complete| **complete).count();
                    return Some(execution);
                }
                Err(reason) => {
                    let at = (&*context.world, tick);
                    let body = &mut *context.performance.body;
                    return Some(running.fail(&self.plan, reason, at, body));
                }
            }
        }
        None
    }

    fn planned(&self, step: usize, tick: u32) -> StepExecution {
        StepExecution {
            plan: self.number,
            step,
            start: tick,
            due: tick,
            acted: None,
            end: None,
            state: TaskState::Planned,
            claims: vec![],
            reason: None,
            changes: vec![],
            learned: vec![],
        }
    }

    /// Ends the steps in progress as failed, for this reason.
    pub fn stop(
        &mut self,
        reason: &Reason,
        at: (&World, u32),
        body: &mut dyn Body,
    ) -> Vec<StepExecution> {
        let running = std::mem::take(&mut self.running).into_iter();
        let ended = running.map(|one| one.fail(&self.plan, reason.clone(), at, body));
        ended.collect()
    }

    /// Returns the node of a task above a step, or of the step itself.
    pub fn node_of(&self, step: usize, task: &GroundTask) -> Option<usize> {
        let mut node = self.plan.steps.get(step).map(|step| step.node);
        while let Some(number) = node {
            let found = self.plan.nodes.get(number)?;
            if found.task == *task {
                return Some(number);
            }
            node = found.parent;
        }
        None
    }

    /// Returns the next tick at which a step continues without a change of the world.
    pub fn next_tick(&self, tick: u32) -> Option<u32> {
        let next = self
            .running()
            .filter_map(|execution| match &execution.reason {
                Some(Reason::Duration(over)) => Some(*over),
                // Its effects may have violated an integrity rule.
                _ => (execution.acted == Some(tick)).then_some(tick.saturating_add(1)),
            });
        next.min()
    }

    /// Returns the steps that can start now: those that don't have to wait for an incomplete step.
    fn ready_steps(&self) -> Steps {
        match &self.order {
            Order::Parallel(schedule) => {
                let is_running = |step: usize| self.running().any(|other| other.step == step);
                schedule.ready_steps(&self.plan, self.step, &self.complete, &is_running)
            }
            Order::Sequence | Order::Unknown => {
                let next = Some(self.step).filter(|_| self.running.is_empty() && !self.is_done());
                next.into_iter().collect()
            }
        }
    }

    /// Adds a step in progress.
    fn run(&mut self, running: RunningStep) {
        let step = running.execution.step;
        let at = self
            .running
            .partition_point(|other| other.execution.step < step);
        self.running.insert(at, running);
    }
}

/// Marks a step as failed.
fn fail(mut execution: StepExecution, reason: Reason, tick: u32) -> StepExecution {
    execution.state = TaskState::Failed;
    execution.reason = Some(reason);
    execution.end = Some(tick);
    execution
}

/// Executes a step as far as this tick allows. Returns `true` if it is complete; otherwise, its execution
/// states what it waits for.
///
/// # Errors
/// Returns the reason if the step fails.
fn advance_step(
    plan: &Plan,
    running: &mut RunningStep,
    context: &mut ExecutionContext,
    tick: u32,
) -> Result<bool, Reason> {
    let execution = &mut running.execution;
    let Some(step) = plan.steps.get(execution.step) else {
        return Ok(true);
    };
    let args = &step.task.args;
    let domain = context.world.domain().clone();
    let Some(task) = domain.primitive(&step.task.task) else {
        let reason = format!("'{}' is not a primitive task", step.task.task);
        return Err(Reason::Precondition(reason));
    };
    let params = &task.record.params;
    if execution.state == TaskState::Planned {
        execution.state = TaskState::InProgress;
        let rules = &task.preconditions;
        if let Some(rule) = context.believed().first_violation(rules, params, args) {
            return Err(Reason::Precondition(rule));
        }
        if context.belief.is_some()
            && let Some(rule) = context.world.first_violation(rules, params, args)
        {
            let broken = context.world.read_in_violation(rules, params, args);
            execution.learned = context.correct(broken);
            return Err(Reason::Denied(rule));
        }
        let believed = context.believed();
        let claims = believed.claims(task, args).map_err(Reason::Precondition)?;
        if let Some((object, actor)) = believed.claimed_among(&claims) {
            return Err(Reason::Claimed(object.clone(), actor.cloned()));
        }
        execution.claims = claims;
        execution.due = tick.saturating_add(context.world.duration(task, args));
    }
    let is_steady = !domain.clock().runs;
    let revision = Some(context.believed().revision()).filter(|_| is_steady);
    if revision.is_none() || running.checked[0] != revision {
        keep_integrity(context.believed(), plan, step.node)?;
        running.checked[0] = revision;
    }
    let execution = &mut running.execution;
    if execution.acted.is_none() {
        match perform(plan, running, context, tick) {
            ActionStatus::Running => {
                running.execution.reason = Some(Reason::Duration(running.execution.due));
                return Ok(false);
            }
            ActionStatus::Succeeded => {}
            ActionStatus::Failed(reason) => return Err(reason),
        }
        let is_executed: fn(EffectTiming) -> bool = if context.performance.body.is_simulated() {
            |_| true
        } else {
            |timing| timing != EffectTiming::Planned
        };
        let changes = context.world.changes(task, args, is_executed);
        let execution = &mut running.execution;
        execution.changes = changes.map_err(Reason::Effects)?;
        execution.acted = Some(tick);
        let written = match context.belief {
            Some(_) => context.world.written(task, args),
            None => vec![],
        };
        context.apply(&execution.changes);
        execution.learned = context.learn(written);
    }
    let completion = &domain.execution_rules(task).completion;
    let revision = Some(context.believed().revision()).filter(|_| is_steady);
    if revision.is_some() && running.checked[1] == revision {
        return Ok(false);
    }
    let waits = context.believed().first_violation(completion, params, args);
    let is_complete = waits.is_none();
    running.execution.reason = waits.map(Reason::Completion);
    running.checked[1] = revision;
    Ok(is_complete)
}

/// Starts or continues the action of a step.
fn perform(
    plan: &Plan,
    running: &mut RunningStep,
    context: &mut ExecutionContext,
    tick: u32,
) -> ActionStatus {
    let ExecutionContext {
        world, performance, ..
    } = context;
    let begun = running.action;
    let id = begun.unwrap_or(*performance.next_id);
    let step = step_ref(plan, &running.execution, id, (&**world, tick));
    let status = if begun.is_some() {
        performance.body.tick(&step)
    } else {
        *performance.next_id += 1;
        performance.body.start(&step)
    };
    running.action = (status == ActionStatus::Running).then_some(id);
    status
}

/// Checks the integrity rules of a step's task and of every compound task above it,
/// from the step upwards.
///
/// # Errors
/// Returns the first rule that is violated.
fn keep_integrity(world: &World, plan: &Plan, node: usize) -> Result<(), Reason> {
    let mut node = plan.nodes.get(node);
    while let Some(current) = node {
        let task = &current.task;
        let rules = match current.kind {
            NodeKind::Step(_) => {
                let read = world.primitive(task);
                let rules = |read| &*world.domain().execution_rules(read).integrity;
                read.map(|read| (rules(read), &read.record.params))
            }
            NodeKind::Decomposed(_) | NodeKind::Pending => {
                let read = world.compound(task);
                let rules = |read| world.domain().integrity(read);
                read.map(|read| (rules(read), &read.record.params))
            }
        };
        let violated =
            rules.and_then(|(rules, params)| world.first_violation(rules, params, &task.args));
        if let Some(rule) = violated {
            return Err(Reason::Integrity(task.clone(), rule));
        }
        node = current.parent.and_then(|parent| plan.nodes.get(parent));
    }
    Ok(())
}
