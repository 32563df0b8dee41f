//! The execution of a plan: which of its steps are complete, and which are in progress.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::body::{Body, StepRef, action_args, action_of};
use super::execution_context::ExecutionContext;
use super::open::{Joined, Progressed};
use super::parallel::ParallelSchedule;
use super::run::{Cause, Reason, StepExecution, TaskState};
use taskloom_document::Name;
use taskloom_domain::Domain;
use taskloom_domain::validate::Remains;
use taskloom_planner::plan::{GroundTask, NodeKind, Plan, World};

mod attempts;
mod background;
mod cleanups;
mod clocks;
mod cooldowns;
mod goals;
mod objects;
mod saved;
mod step;
mod uninterruptible;

pub use background::EndedBackground;
use clocks::Clocks;
pub use cooldowns::Ended;
pub use saved::Abandoned;
use step::advance_step;
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
    /// The aborted tasks that its first roots clean up after.
    #[serde(default)]
    cleanups: Vec<GroundTask>,
    /// The starts of its tasks.
    #[serde(default)]
    clocks: Clocks,
    /// The tick at which the steps whose duration was over had their turn before all others.
    settled: Option<u32>,
    /// For each step, `true` if it is complete, or was ended in the background.
    complete: Vec<bool>,
    /// For each of the first nodes, `true` if it was ended because the main branch above it is complete.
    #[serde(default)]
    over: Vec<bool>,
    /// The first step that is not complete.
    step: usize,
    /// The steps in progress, in the plan's order.
    running: Vec<RunningStep>,
    /// Depends on the plan and the document only.
    #[serde(skip)]
    order: Order,
    /// The nodes in the background. Depends on the plan only.
    #[serde(skip)]
    background: Option<Vec<usize>>,
    /// `true` if no step has ended since it was checked whether anything in the background ends.
    #[serde(skip)]
    background_is_checked: bool,
    /// `true` if, when the last step ended, the rest of the plan was possible only with what remains in the background
    /// of tasks whose main branch is complete.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    needs_background: bool,
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
    /// The object that its task names and that was removed: it fails at its next turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lost: Option<Name>,
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
            let args = action_args(world, &plan.steps[self.execution.step].task);
            let step = step_ref(plan, &self.execution, (id, &args), (world, tick));
            body.stop(&step, &reason);
        }
        fail(self.execution, reason, tick)
    }
}

/// Returns a step as its body sees it.
fn step_ref<'s>(
    plan: &'s Plan,
    execution: &StepExecution,
    (id, args): (u64, &'s [Option<Name>]),
    at: (&'s World, u32),
) -> StepRef<'s> {
    let task = &plan.steps[execution.step].task;
    StepRef {
        id,
        task,
        action: action_of(at.0, task),
        args,
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
    pub fn new(joined: Joined, number: usize) -> Self {
        let Joined {
            plan,
            begun,
            started,
            cleanups,
        } = joined;
        Self {
            begun,
            cleanups,
            clocks: Clocks::new(&plan, started),
            settled: None,
            complete: vec![false; plan.steps.len()],
            over: vec![],
            step: 0,
            running: vec![],
            order: Order::Unknown,
            background: None,
            background_is_checked: false,
            needs_background: false,
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
        let continued = self.continued(old);
        for (mut running, same) in std::mem::take(&mut old.running).into_iter().zip(continued) {
            match same {
                Some(step) => {
                    let execution = &mut running.execution;
                    (execution.plan, execution.step) = (self.number, step);
                    let node = self.plan.steps[step].node;
                    self.clocks.start(&self.plan, node, execution.start);
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

    /// Returns, for each step in progress of the old plan, the step that continues it.
    fn continued(&self, old: &Self) -> Vec<Option<usize>> {
        let mut ready = self.ready_steps();
        let continued = old.running().map(|execution| {
            let task = old.plan.steps.get(execution.step).map(|step| &step.task);
            let mut alike = ready.iter();
            let at = alike.position(|step| Some(&self.plan.steps[*step].task) == task)?;
            Some(ready.remove(at))
        });
        continued.collect()
    }

    /// Returns the plan with the progress of its execution.
    pub fn progressed(&self) -> Progressed {
        let started = self.clocks.started();
        let next = self.plan.steps.get(self.step).map(|step| step.node);
        let has_started = next.and_then(|node| *started.get(node)?).is_some();
        Progressed {
            plan: self.plan.clone(),
            begun: self.begun.clone(),
            started: started.to_vec(),
            complete: self.complete.clone(),
            over: self.over.clone(),
            step: self.step,
            has_started,
            broken: None,
            cleanups: self.cleanups.clone(),
            failed_cleanup: None,
        }
    }

    /// Returns `true` if a step of a node was done before this plan was made.
    pub fn was_begun(&self, node: usize) -> bool {
        self.begun.get(node).is_some_and(Option::is_some)
    }

    /// Returns the nodes of the tasks under way: they were decomposed by earlier plans.
    pub fn under_way(&self) -> Vec<usize> {
        let nodes = 0..self.plan.nodes.len();
        nodes.filter(|node| self.was_begun(*node)).collect()
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
        let mut nodes = self.plan.nodes.iter().enumerate();
        nodes.any(|(number, node)| node.kind == NodeKind::Pending && !self.is_over(number))
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
        let open = self.progressed().open_roots();
        let mut own = self.plan.roots.iter().skip(self.cleanups.len());
        let first = own.position(|root| open.first() == Some(root));
        first.unwrap_or(self.own_roots())
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
        self.clocks.prepare(context.world.domain(), &self.plan);
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
                    lost: None,
                    checked: [None; 2],
                },
            };
            running.seen = tick;
            match advance_step((&*self.plan, &mut self.clocks), &mut running, context, tick) {
                Ok(false) => self.run(running),
                Ok(true) => {
                    self.background_may_end();
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
                    self.background_is_checked = false;
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
            gave_up: vec![],
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

    /// Returns the first tick at which a step in progress fails because a task times out.
    pub fn times_out_at(&self, execution: &StepExecution, domain: &Domain) -> Option<u32> {
        let step = self.plan.steps.get(execution.step)?;
        let mut clocks = self.clocks.clone();
        clocks.prepare(domain, &self.plan);
        clocks.next(&self.plan, step.node)
    }

    /// Returns the node of the task because of which a step has failed, if that is a task with an
    /// integrity rule or a timeout.
    pub fn broken_by(&self, execution: &StepExecution, tick: u32) -> Option<usize> {
        match &execution.reason {
            Some(Reason::Integrity(task, _) | Reason::MissedGoal(task, _)) => {
                self.node_of(execution.step, task)
            }
            Some(Reason::Timeout(..)) => {
                let step = self.plan.steps.get(execution.step)?;
                let expired = self.clocks.expired(&self.plan, step.node, tick)?;
                Some(expired.node)
            }
            _ => None,
        }
    }

    /// Returns the node of a task above a step, or of the step itself.
    fn node_of(&self, step: usize, task: &GroundTask) -> Option<usize> {
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
        let next = self.running().flat_map(|execution| {
            let own = match &execution.reason {
                Some(Reason::Duration(over)) => Some(*over),
                // Its effects may have violated an integrity rule.
                _ => (execution.acted == Some(tick)).then_some(tick.saturating_add(1)),
            };
            let step = self.plan.steps.get(execution.step);
            let times_out = step.and_then(|step| self.clocks.next(&self.plan, step.node));
            own.into_iter().chain(times_out)
        });
        // A reason to replan may wait for the next turn.
        let replans = self.replans().map(|_| tick.saturating_add(1));
        next.chain(replans).min()
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
