//! The tick loop.
//!
//! At each tick, in this order: the scenario's events of the tick happen; if a
//! step is being executed, its integrity rules and those of every compound task
//! above it are checked; it completes once its action's duration is over and its
//! completion conditions hold, and its effects apply; the next step starts if
//! its preconditions hold. A step of duration `d` that starts at tick `t` thus
//! completes at tick `t + d`, and one without duration in the tick in which it
//! starts. Whatever fails fails the plan, and the agent plans again from the
//! world as it is then, for the tasks of the network that are not complete.

use super::{Execution, Run, RunEnd, TaskState};
use crate::compile::compile;
use crate::document::{Document, Name, Scenario};
use crate::plan::{Budget, NodeKind, Outcome, Plan, World, plan_by, policy};
use std::sync::Arc;

/// How often an agent plans again before the simulation ends.
const MOST_PLANS: usize = 20;

/// Plans a scenario and executes the plan in its world for at most `max_ticks`
/// ticks, planning again where a step fails.
///
/// `budget` is that of each planning. A scenario that does not exist gives a run
/// without plans that has failed.
pub fn simulate(document: &Document, scenario: &Name, budget: Budget, max_ticks: u32) -> Run {
    let mut plan = |document: &Document| {
        let problem = compile(document, scenario).problem;
        plan_by(policy(document, scenario), &problem, budget)
    };
    simulate_by(document, scenario, None, &mut plan, max_ticks)
}

/// As [`simulate`], by whichever planner: it is given the document with the scenario
/// as it is at that moment. `first` is what planning the scenario comes to as it
/// stands, where that is known; it is of no use if events change the first tick.
pub fn simulate_by(
    document: &Document,
    scenario: &Name,
    first: Option<Outcome>,
    plan: &mut dyn FnMut(&Document) -> Outcome,
    max_ticks: u32,
) -> Run {
    let mut run = Run {
        plans: vec![],
        executed: vec![],
        events: vec![],
        end: RunEnd::Failed,
        ticks: 0,
    };
    let Some(record) = document.scenarios.get(scenario) else {
        return run;
    };
    let mut simulation = Simulation {
        document,
        name: scenario,
        scenario: record,
        first: first.filter(|_| record.events.iter().all(|event| event.at > 0)),
        plan,
        world: World::initial(document, record),
        tasks: record.tasks.clone(),
        tick: 0,
        current: None,
    };
    run.end = simulation.run(max_ticks, &mut run);
    run.ticks = simulation.tick;
    run
}

struct Simulation<'a> {
    document: &'a Document,
    name: &'a Name,
    scenario: &'a Scenario,
    /// What the first planning comes to, where that is known.
    first: Option<Outcome>,
    plan: &'a mut dyn FnMut(&Document) -> Outcome,
    world: World<'a>,
    /// The calls of the initial network that are not complete.
    tasks: Vec<String>,
    tick: u32,
    current: Option<Execute>,
}

/// The execution of a plan.
struct Execute {
    plan: Plan,
    /// Its index in the run.
    number: usize,
    /// The step that is next, or being executed.
    step: usize,
    /// The tick at which that step started, once it has.
    started: Option<u32>,
}

/// What came of a tick's work on a plan.
enum Progress {
    Waiting,
    Complete,
    Failed,
}

impl Simulation<'_> {
    fn run(&mut self, max_ticks: u32, run: &mut Run) -> RunEnd {
        loop {
            self.happen(run);
            loop {
                let Some(mut current) = self.current.take() else {
                    if run.plans.len() >= MOST_PLANS {
                        return RunEnd::OutOfTime;
                    }
                    let outcome = self.plan_again();
                    run.plans.push((self.tick, outcome.clone()));
                    match outcome {
                        Outcome::Plan(plan) => {
                            let number = run.plans.len() - 1;
                            self.current = Some(Execute {
                                plan,
                                number,
                                step: 0,
                                started: None,
                            });
                        }
                        Outcome::NoPlan
                        | Outcome::GaveUp(_)
                        | Outcome::Stopped
                        | Outcome::NotPlanned(_) => {
                            return RunEnd::Failed;
                        }
                    }
                    continue;
                };
                match self.execute(&mut current, run) {
                    Progress::Waiting => {
                        self.current = Some(current);
                        break;
                    }
                    Progress::Complete => return RunEnd::Complete,
                    Progress::Failed => {
                        self.forget_complete_tasks(&current);
                        // Planning again at the same tick could go on for ever
                        // where a step fails as soon as it starts.
                        break;
                    }
                }
            }
            if self.tick >= max_ticks {
                return RunEnd::OutOfTime;
            }
            self.tick += 1;
        }
    }

    /// The events of this tick.
    fn happen(&mut self, run: &mut Run) {
        for (number, event) in self.scenario.events.iter().enumerate() {
            if event.at == self.tick {
                // An event that cannot be read has a diagnostic of its own.
                let changes = self.world.event_changes(&event.effect).unwrap_or_default();
                self.world.apply(&changes);
                run.events.push((self.tick, number, changes));
            }
        }
    }

    fn plan_again(&mut self) -> Outcome {
        if let Some(first) = self.first.take() {
            return first;
        }
        let mut document = self.document.clone();
        let mut scenario = self.scenario.clone();
        scenario.initial = self.world.as_initial_values();
        scenario.tasks = self.tasks.clone();
        document
            .scenarios
            .insert(self.name.clone(), Arc::new(scenario));
        (self.plan)(&document)
    }

    /// Takes the tasks off the network whose steps have all been executed.
    fn forget_complete_tasks(&mut self, current: &Execute) {
        let root_of = |mut node: usize| {
            while let Some(parent) = current.plan.nodes.get(node).and_then(|n| n.parent) {
                node = parent;
            }
            node
        };
        let failed = current
            .plan
            .steps
            .get(current.step)
            .map(|step| root_of(step.node));
        let position = current
            .plan
            .roots
            .iter()
            .position(|root| Some(*root) == failed);
        self.tasks
            .drain(..position.unwrap_or(0).min(self.tasks.len()));
    }

    /// Carries a plan on as far as this tick allows.
    fn execute(&mut self, current: &mut Execute, run: &mut Run) -> Progress {
        while let Some(step) = current.plan.steps.get(current.step) {
            let Some(task) = self.world.primitive(&step.task) else {
                return Progress::Failed;
            };
            let args = &step.task.args;
            let started = match current.started {
                Some(started) => started,
                None => {
                    let starts = &task.preconditions;
                    let violated = self.world.first_violation(starts, task.params, args);
                    current.started = Some(self.tick);
                    if let Some(reason) = violated {
                        return self.fail(current, format!("precondition {reason}"), run);
                    }
                    self.tick
                }
            };
            if let Some(reason) = self.broken_integrity(&current.plan, current.step) {
                return self.fail(current, reason, run);
            }
            let completes = &task.completion;
            let complete = self.tick - started >= task.duration
                && self
                    .world
                    .first_violation(completes, task.params, args)
                    .is_none();
            if !complete {
                return Progress::Waiting;
            }
            match self.world.changes(task, args, |_| true) {
                Ok(changes) => {
                    self.world.apply(&changes);
                    run.executed.push(Execution {
                        plan: current.number,
                        step: current.step,
                        start: started,
                        end: self.tick,
                        state: TaskState::Complete,
                        reason: None,
                        changes,
                    });
                }
                Err(reason) => return self.fail(current, reason, run),
            }
            current.step += 1;
            current.started = None;
        }
        Progress::Complete
    }

    fn fail(&self, current: &Execute, reason: String, run: &mut Run) -> Progress {
        run.executed.push(Execution {
            plan: current.number,
            step: current.step,
            start: current.started.unwrap_or(self.tick),
            end: self.tick,
            state: TaskState::Failed,
            reason: Some(reason),
            changes: vec![],
        });
        Progress::Failed
    }

    /// The first integrity rule that does not hold, of a step's task and of every
    /// compound task above it.
    fn broken_integrity(&self, plan: &Plan, step: usize) -> Option<String> {
        let mut node = plan.steps.get(step).map(|step| step.node);
        while let Some(current) = node.and_then(|n| plan.nodes.get(n)) {
            let task = &current.task;
            let rules = match current.kind {
                NodeKind::Step(_) => {
                    let read = self.world.primitive(task);
                    read.map(|read| (&read.integrity, read.params))
                }
                NodeKind::Decomposed(_) => {
                    let read = self.world.compound(task);
                    read.map(|read| (&read.integrity, read.params))
                }
            };
            let violated = rules
                .and_then(|(rules, params)| self.world.first_violation(rules, params, &task.args));
            if let Some(rule) = violated {
                return Some(format!("integrity rule of {task}: {rule}"));
            }
            node = current.parent;
        }
        None
    }
}
