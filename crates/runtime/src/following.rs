//! A plan that is carried out: which of its steps are complete, and which are in progress.

use std::sync::Arc;

use super::beside::Beside;
use super::open::Progressed;
use super::run::{Cause, Execution, Reason, TaskState};
use super::scene::Scene;
use taskloom_domain::validate::Remains;
use taskloom_planner::plan::{GroundTask, NodeKind, Plan, World};

/// The execution of a plan.
#[derive(Debug, Clone)]
pub struct Following {
    /// The plan.
    pub plan: Arc<Plan>,
    /// Which of the plannings it came of.
    pub number: usize,
    /// Why it looks for another one.
    pub reconsiders: Option<Cause>,
    /// The first step that was done, before this plan was made, of each of its first nodes that is a
    /// task under way.
    begun: Vec<Option<GroundTask>>,
    /// The tick at which its steps that were over had their turn before all others.
    settled: Option<u32>,
    /// Which steps are complete.
    complete: Vec<bool>,
    /// The first that is not.
    step: usize,
    /// The steps in progress, in the plan's order, and when each was looked at last.
    running: Vec<(Execution, u32)>,
    order: Order,
}

/// In which order steps are executed.
#[derive(Debug, Clone)]
enum Order {
    /// It has not been asked yet.
    Unknown,
    /// One after the other.
    Sequence,
    /// Some of them side by side.
    Beside(Arc<Beside>),
}

impl Order {
    fn of(world: &World, plan: &Plan) -> Self {
        match Beside::of(world, plan) {
            Some(beside) => Self::Beside(Arc::new(beside)),
            None => Self::Sequence,
        }
    }
}

impl Following {
    /// Begins to carry out a plan.
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

    /// Goes on with those steps in progress that can come first in this plan, too; the others are
    /// given back, interrupted.
    pub fn take_over(&mut self, old: &mut Self, world: &World, tick: u32) -> Vec<Execution> {
        let mut interrupted = vec![];
        self.order = Order::of(world, &self.plan);
        self.settled = old.settled;
        let first = self.startable();
        for (mut execution, seen) in std::mem::take(&mut old.running) {
            let task = old.plan.steps.get(execution.step).map(|step| &step.task);
            let is_free = |step: &usize| self.running.iter().all(|(other, _)| other.step != *step);
            let mut alike = first.iter().copied().filter(is_free);
            let same = alike.find(|step| Some(&self.plan.steps[*step].task) == task);
            match same {
                Some(step) => {
                    (execution.plan, execution.step) = (self.number, step);
                    self.run(execution, seen);
                }
                None => interrupted.push(ended(execution, Reason::Interrupted, tick)),
            }
        }
        interrupted
    }

    /// The plan as far as it has been executed.
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

    /// How far each step has come at a tick.
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

    /// The first step that is not complete.
    pub fn step(&self) -> usize {
        self.step
    }

    /// The steps that are in progress, by their numbers; if there is none, the next one.
    pub fn steps(&self) -> Vec<usize> {
        match &*self.running {
            [] => vec![self.step],
            running => running
                .iter()
                .map(|(execution, _)| execution.step)
                .collect(),
        }
    }

    /// The steps in progress, in the plan's order.
    pub fn running(&self) -> impl Iterator<Item = &Execution> {
        self.running.iter().map(|(execution, _)| execution)
    }

    /// Returns `true` if there are tasks in its tree that are yet to be planned.
    pub fn is_part_of_the_tasks(&self) -> bool {
        self.plan
            .nodes
            .iter()
            .any(|node| node.kind == NodeKind::Pending)
    }

    /// Whether all steps are complete.
    pub fn is_done(&self) -> bool {
        self.step >= self.plan.steps.len()
    }

    /// The number of the character's tasks that are complete. They are a sequence.
    pub fn complete_tasks(&self) -> usize {
        if self.plan.aim.is_some() {
            return 0;
        }
        let complete = self.progressed().complete_nodes();
        let roots = self.plan.roots.iter();
        roots.take_while(|root| complete[**root]).count()
    }

    /// Carries on the steps whose duration is over, up to the end of one. Returns what became of it.
    pub fn settle(&mut self, scene: &mut Scene, tick: u32) -> Option<Execution> {
        self.settled = Some(tick);
        let over = self.running.iter();
        let over = over.filter(|(execution, seen)| execution.due <= tick && *seen != tick);
        let steps = over.map(|(execution, _)| execution.step).collect();
        self.carry_steps(steps, scene, tick)
    }

    /// Carries the steps of the plan on as far as this tick allows, up to the end of one. Returns what
    /// became of it.
    pub fn carry_out(&mut self, scene: &mut Scene, tick: u32) -> Option<Execution> {
        if let Order::Unknown = self.order {
            self.order = Order::of(scene.world, &self.plan);
        }
        let is_alone = matches!(self.order, Order::Sequence) && self.settled != Some(tick);
        let unseen = self
            .running
            .iter()
            .filter(|(_, seen)| is_alone || *seen != tick);
        let mut steps: Vec<usize> = unseen.map(|(execution, _)| execution.step).collect();
        steps.extend(self.startable());
        steps.sort_unstable();
        self.carry_steps(steps, scene, tick)
    }

    fn carry_steps(
        &mut self,
        steps: Vec<usize>,
        scene: &mut Scene,
        tick: u32,
    ) -> Option<Execution> {
        for step in steps {
            let begun = self
                .running
                .iter()
                .position(|(other, _)| other.step == step);
            let mut execution = match begun {
                Some(at) => self.running.remove(at).0,
                None => Execution {
                    plan: self.number,
                    step,
                    start: tick,
                    due: tick,
                    acted: None,
                    end: None,
                    state: TaskState::Planned,
                    reason: None,
                    changes: vec![],
                    learned: vec![],
                },
            };
            match carry_on(&self.plan, &mut execution, scene, tick) {
                Ok(Some(waits)) => {
                    execution.reason = Some(waits);
                    self.run(execution, tick);
                }
                Ok(None) => {
                    execution.state = TaskState::Complete;
                    execution.reason = None;
                    execution.end = Some(tick);
                    self.complete[step] = true;
                    let left = self.complete.iter().skip(self.step);
                    self.step += left.take_while(|complete| **complete).count();
                    return Some(execution);
                }
                Err(reason) => return Some(ended(execution, reason, tick)),
            }
        }
        None
    }

    /// Stops the steps in progress, as what remains of the plan is no longer possible.
    pub fn stop(&mut self, why: &str, tick: u32) -> Vec<Execution> {
        let running = std::mem::take(&mut self.running).into_iter();
        let stopped = |execution| ended(execution, Reason::Impossible(why.to_owned()), tick);
        running.map(|(execution, _)| stopped(execution)).collect()
    }

    /// The node of a task above a step, or its own.
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

    /// Interrupts the steps in progress, as another one has failed.
    pub fn interrupt(&mut self, failed: usize, tick: u32) -> Vec<Execution> {
        let task = &self.plan.steps[failed].task;
        let running = std::mem::take(&mut self.running).into_iter();
        let beside = |execution| ended(execution, Reason::Beside(task.clone()), tick);
        running.map(|(execution, _)| beside(execution)).collect()
    }

    /// The next tick at which a step goes on by itself.
    pub fn next_tick(&self, tick: u32) -> Option<u32> {
        let next = self
            .running()
            .filter_map(|execution| match &execution.reason {
                Some(Reason::Duration(over)) => Some(*over),
                // Its effects may have broken an integrity rule.
                _ => (execution.acted == Some(tick)).then_some(tick.saturating_add(1)),
            });
        next.min()
    }

    /// The steps that can start now: those that wait for none that is not complete.
    fn startable(&self) -> Vec<usize> {
        match &self.order {
            Order::Beside(beside) => {
                let is_running = |step: usize| self.running().any(|other| other.step == step);
                beside.startable(&self.plan, self.step, &self.complete, &is_running)
            }
            Order::Sequence | Order::Unknown => {
                let next = Some(self.step).filter(|_| self.running.is_empty() && !self.is_done());
                next.into_iter().collect()
            }
        }
    }

    /// A step is in progress.
    fn run(&mut self, execution: Execution, seen: u32) {
        let at = self
            .running
            .partition_point(|(other, _)| other.step < execution.step);
        self.running.insert(at, (execution, seen));
    }
}

/// A step that has failed.
fn ended(mut execution: Execution, reason: Reason, tick: u32) -> Execution {
    execution.state = TaskState::Failed;
    execution.reason = Some(reason);
    execution.end = Some(tick);
    execution
}

/// Carries a step on as far as this tick allows: what it waits for, or nothing where
/// it is complete.
///
/// # Errors
/// Why it fails.
fn carry_on(
    plan: &Plan,
    execution: &mut Execution,
    scene: &mut Scene,
    tick: u32,
) -> Result<Option<Reason>, Reason> {
    let Some(step) = plan.steps.get(execution.step) else {
        return Ok(None);
    };
    let args = &step.task.args;
    let domain = scene.world.domain().clone();
    let Some(task) = domain.primitive(&step.task.task) else {
        let reason = format!("'{}' is not a primitive task", step.task.task);
        return Err(Reason::Precondition(reason));
    };
    let params = &task.record.params;
    if execution.state == TaskState::Planned {
        execution.state = TaskState::InProgress;
        let rules = &task.preconditions;
        if let Some(rule) = scene.believed().first_violation(rules, params, args) {
            return Err(Reason::Precondition(rule));
        }
        if scene.belief.is_some()
            && let Some(rule) = scene.world.first_violation(rules, params, args)
        {
            let broken = scene.world.read_in_violation(rules, params, args);
            execution.learned = scene.correct(broken);
            return Err(Reason::Denied(rule));
        }
        execution.due = tick.saturating_add(scene.world.duration(task, args));
    }
    keep_integrity(scene.believed(), plan, step.node)?;
    if execution.acted.is_none() {
        if tick < execution.due {
            return Ok(Some(Reason::Duration(execution.due)));
        }
        if (scene.fails)(&step.task) {
            return Err(Reason::Action);
        }
        // The game brings about what is only planned, and what is only executed.
        let changes = scene.world.changes(task, args, |_| true);
        execution.changes = changes.map_err(Reason::Effects)?;
        execution.acted = Some(tick);
        let written = match scene.belief {
            Some(_) => scene.world.written(task, args),
            None => vec![],
        };
        scene.apply(&execution.changes);
        execution.learned = scene.learn(written);
    }
    let completion = &domain.execution_rules(task).completion;
    let waits = scene.believed().first_violation(completion, params, args);
    Ok(waits.map(Reason::Completion))
}

/// Checks the integrity rules of a step's task and of every compound task above it,
/// from the step upwards.
///
/// # Errors
/// The first rule that does not hold.
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
