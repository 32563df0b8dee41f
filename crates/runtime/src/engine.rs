//! The tick loop.
//!
//! At each tick, in this order: the scenario's events of the tick happen; the
//! character plans, where it has to; if a step is in progress, its integrity rules
//! and those of every compound task above it are checked; once its action's
//! duration is over its effects apply; it is complete as soon as its completion
//! conditions hold after that; the next step starts if its preconditions hold.
//! Whatever fails fails the plan, and the character plans again at the next tick,
//! from the world as it is then, for the tasks that are not complete. Where there is
//! no plan, it waits until an event changes the world.

use std::mem;
use std::sync::Arc;

use super::run::{Cause, Execution, Happening, Planning, Reason, Run, RunEnd, TaskState};
use taskloom_document::{Document, Name, Scenario};
use taskloom_planner::plan::{NodeKind, Outcome, Plan, World};

/// How many plans a run may make; plannings that find none do not count.
pub const MOST_PLANS: usize = 20;

/// The last tick of a run, where nothing else is asked for.
pub const MOST_TICKS: u32 = 10_000;

/// A run of a scenario in progress: each step of it is short, and it asks for the plans
/// that it needs.
pub struct Simulation<'a> {
    document: &'a Document,
    name: Name,
    scenario: &'a Scenario,
    /// What planning the situation as it stands comes to, where that is known.
    first: Option<Outcome>,
    max_ticks: u32,
    world: World<'a>,
    /// The calls of the initial network that are not complete.
    tasks: Vec<String>,
    tick: u32,
    /// How far it is in this tick.
    phase: Phase,
    doing: Doing,
    run: Run,
}

/// What comes next in a [`Simulation`].
#[derive(Debug)]
pub enum Next {
    /// Another step.
    More,
    /// [`Simulation::planned`]: a plan is wanted for the document with the scenario as it
    /// is at this moment.
    Plan(Box<Document>),
    /// Nothing: this is what happened. Further steps tell of nothing.
    Ended(Box<Run>),
}

/// What a tick does next.
#[derive(Debug, Clone, Copy)]
enum Phase {
    /// The events of this tick happen.
    Happen,
    /// The character plans, where it has to.
    Plan,
    /// It carries its plan on.
    Follow,
    /// The next tick begins.
    Pass,
}

/// What the character is about.
enum Doing {
    /// It has to plan.
    Planning(Cause),
    /// It has no plan, and waits for the world to change.
    Waiting,
    /// It follows a plan.
    Following(Box<Following>),
    /// Its planner was stopped.
    Nothing,
}

/// The execution of a plan.
struct Following {
    plan: Arc<Plan>,
    /// Its index in the run.
    number: usize,
    /// The step that is next, or in progress.
    step: usize,
    /// The execution of that step, once it has started.
    execution: Option<Execution>,
}

/// What came of work on a plan.
enum Progress {
    /// A step is complete.
    Going,
    /// At this tick there is no more to do.
    Waiting,
    Complete,
    Failed,
}

impl<'a> Simulation<'a> {
    /// A run until tick `max_ticks` that has not begun; none of a scenario that does not
    /// exist. `first` is what planning the scenario comes to as it stands, validated, where
    /// that is known; it is of no use if events change the first tick.
    pub fn new(
        document: &'a Document,
        scenario: &Name,
        first: Option<Outcome>,
        max_ticks: u32,
    ) -> Option<Self> {
        let record = &**document.scenarios.get(scenario)?;
        Some(Self {
            document,
            name: scenario.clone(),
            scenario: record,
            first,
            max_ticks,
            world: World::initial(document, record),
            tasks: record.tasks.clone(),
            tick: 0,
            phase: Phase::Happen,
            doing: Doing::Planning(Cause::Start),
            run: Run::default(),
        })
    }

    /// Goes on by the events of a tick, by a step of the plan, or to the next tick.
    pub fn step(&mut self) -> Next {
        match self.phase {
            Phase::Happen => {
                let changed = self.happen();
                if changed && matches!(self.doing, Doing::Waiting) {
                    self.doing = Doing::Planning(Cause::Event);
                }
                self.phase = Phase::Plan;
            }
            Phase::Plan => return self.plan(),
            Phase::Follow => return self.follow(),
            Phase::Pass => return self.pass(),
        }
        Next::More
    }

    fn end(&mut self, end: RunEnd) -> Next {
        (self.phase, self.doing) = (Phase::Follow, Doing::Nothing);
        let mut run = mem::take(&mut self.run);
        run.end = end;
        run.ticks = self.tick;
        Next::Ended(Box::new(run))
    }

    /// Asks for a plan, where one is needed that is not known.
    fn plan(&mut self) -> Next {
        self.phase = Phase::Follow;
        let Doing::Planning(cause) = self.doing else {
            return Next::More;
        };
        let plans = self.run.plans.iter().filter_map(Planning::plan);
        if plans.count() == MOST_PLANS {
            return self.end(RunEnd::OutOfPlans);
        }
        let untouched =
            cause == Cause::Start && self.run.events.iter().all(|event| event.changes.is_empty());
        match self.first.take().filter(|_| untouched) {
            Some(first) => {
                self.planned(Ok(first));
                Next::More
            }
            None => Next::Plan(Box::new(self.situation())),
        }
    }

    /// What planning came to that was asked for, its plan validated; or why the validator
    /// refuses the plan, which is a fault of the planner's.
    pub fn planned(&mut self, outcome: Result<Outcome, String>) {
        let Doing::Planning(cause) = self.doing else {
            return;
        };
        self.doing = match &outcome {
            Ok(Outcome::Plan(plan)) => Doing::Following(Box::new(Following {
                plan: plan.clone(),
                number: self.run.plans.len(),
                step: 0,
                execution: None,
            })),
            // With the world unchanged the answer would be the same.
            Ok(Outcome::NoPlan | Outcome::GaveUp(_) | Outcome::NotPlanned(_)) | Err(_) => {
                Doing::Waiting
            }
            Ok(Outcome::Stopped) => Doing::Nothing,
        };
        self.run.plans.push(Planning {
            tick: self.tick,
            cause,
            outcome,
        });
    }

    /// Goes on with the plan.
    fn follow(&mut self) -> Next {
        let mut doing = mem::replace(&mut self.doing, Doing::Nothing);
        self.phase = Phase::Pass;
        match &mut doing {
            Doing::Nothing => return self.end(RunEnd::Stopped),
            Doing::Planning(_) | Doing::Waiting => {}
            Doing::Following(following) => match self.carry_out(following) {
                Progress::Going => self.phase = Phase::Follow,
                Progress::Waiting => {}
                Progress::Complete => {
                    let end = self.finish();
                    return self.end(end);
                }
                Progress::Failed => {
                    self.forget_complete_tasks(following);
                    // Planning again at the same tick could go on for ever
                    // where a step fails as soon as it starts.
                    let failed = self.run.executed.len().saturating_sub(1);
                    doing = Doing::Planning(Cause::Failure(failed));
                }
            },
        }
        self.doing = doing;
        Next::More
    }

    /// Goes on to the next tick at which anything can happen.
    fn pass(&mut self) -> Next {
        self.phase = Phase::Happen;
        let next = self.next_tick();
        if next.is_none() && matches!(self.doing, Doing::Waiting) {
            return self.end(RunEnd::Failed);
        }
        match next.filter(|next| *next <= self.max_ticks) {
            Some(next) => {
                self.tick = next;
                Next::More
            }
            None => {
                self.tick = self.max_ticks;
                if let Doing::Following(following) = &mut self.doing {
                    self.run.executed.extend(following.execution.take());
                }
                self.end(RunEnd::OutOfTicks)
            }
        }
    }

    /// The events of this tick; whether they changed the world.
    fn happen(&mut self) -> bool {
        let mut changed = false;
        for (event, record) in self.scenario.events.iter().enumerate() {
            if record.at != self.tick {
                continue;
            }
            let (changes, refused) = match self.world.event_changes(&record.effect) {
                Ok(changes) => (changes, None),
                Err(reason) => (vec![], Some(reason)),
            };
            self.world.apply(&changes);
            changed |= !changes.is_empty();
            self.run.events.push(Happening {
                tick: self.tick,
                event,
                changes,
                refused,
            });
        }
        changed
    }

    /// The next tick at which anything can happen: between events the world changes by
    /// the step in progress alone, so that nothing else has to be looked at.
    fn next_tick(&self) -> Option<u32> {
        let later = self.scenario.events.iter().map(|event| event.at);
        let event = later.filter(|at| *at > self.tick).min();
        let own = match &self.doing {
            Doing::Planning(_) => Some(self.tick + 1),
            Doing::Nothing | Doing::Waiting => None,
            Doing::Following(following) => {
                let execution = following.execution.as_ref();
                execution.and_then(|execution| match &execution.reason {
                    Some(Reason::Duration(over)) => Some(*over),
                    // Its effects may have broken an integrity rule.
                    _ => (execution.acted == Some(self.tick)).then_some(self.tick + 1),
                })
            }
        };
        match (event, own) {
            (Some(event), Some(own)) => Some(event.min(own)),
            (event, own) => event.or(own),
        }
    }

    /// The document with the tasks that are not complete, in the world as it is.
    fn situation(&self) -> Document {
        let mut situation = self.document.clone();
        let mut scenario = self.scenario.clone();
        scenario.initial = self.world.as_initial_values();
        scenario.tasks = self.tasks.clone();
        situation
            .scenarios
            .insert(self.name.clone(), Arc::new(scenario));
        situation
    }

    /// Takes the tasks off the network that are complete. They are a sequence, so those
    /// before the one that failed are, and that one is to be done anew.
    fn forget_complete_tasks(&mut self, following: &Following) {
        let plan = &following.plan;
        let mut node = plan.steps.get(following.step).map(|step| step.node);
        while let Some(parent) = node.and_then(|n| plan.nodes.get(n)?.parent) {
            node = Some(parent);
        }
        let position = plan.roots.iter().position(|root| Some(*root) == node);
        let complete = position.unwrap_or(0).min(self.tasks.len());
        self.tasks.drain(..complete);
    }

    /// All tasks are complete.
    fn finish(&self) -> RunEnd {
        let goal = self.scenario.goal.trim();
        let missed = (!goal.is_empty()).then(|| self.world.violation_of_scenario(goal));
        missed
            .flatten()
            .map_or(RunEnd::Complete, RunEnd::GoalMissed)
    }

    /// Carries the next step of a plan on as far as this tick allows.
    fn carry_out(&mut self, following: &mut Following) -> Progress {
        if following.step >= following.plan.steps.len() {
            return Progress::Complete;
        }
        let mut execution = match following.execution.take() {
            Some(execution) => execution,
            None => Execution {
                plan: following.number,
                step: following.step,
                start: self.tick,
                acted: None,
                end: None,
                state: TaskState::Planned,
                reason: None,
                changes: vec![],
            },
        };
        match self.carry_on(&following.plan, &mut execution) {
            Ok(Some(waits)) => {
                execution.reason = Some(waits);
                following.execution = Some(execution);
                return Progress::Waiting;
            }
            Ok(None) => {
                execution.state = TaskState::Complete;
                execution.reason = None;
            }
            Err(reason) => {
                execution.state = TaskState::Failed;
                execution.reason = Some(reason);
            }
        }
        let failed = execution.state == TaskState::Failed;
        execution.end = Some(self.tick);
        self.run.executed.push(execution);
        if failed {
            return Progress::Failed;
        }
        following.step += 1;
        Progress::Going
    }

    /// Carries a step on as far as this tick allows: what it waits for, or nothing where
    /// it is complete.
    ///
    /// # Errors
    /// Why it fails.
    fn carry_on(
        &mut self,
        plan: &Plan,
        execution: &mut Execution,
    ) -> Result<Option<Reason>, Reason> {
        let Some(step) = plan.steps.get(execution.step) else {
            return Ok(None);
        };
        let args = &step.task.args;
        let Some(task) = self.world.primitive(&step.task) else {
            let reason = format!("'{}' is not a primitive task", step.task.task);
            return Err(Reason::Precondition(reason));
        };
        let violated = |rules| self.world.first_violation(rules, &task.record.params, args);
        if execution.state == TaskState::Planned {
            execution.state = TaskState::InProgress;
            if let Some(rule) = violated(&task.preconditions) {
                return Err(Reason::Precondition(rule));
            }
        }
        self.keep_integrity(plan, step.node)?;
        if execution.acted.is_none() {
            let over = execution.start.saturating_add(task.duration);
            if self.tick < over {
                return Ok(Some(Reason::Duration(over)));
            }
            // The game brings about what is only planned, and what is only executed.
            let changes = self.world.changes(task, args, |_| true);
            execution.changes = changes.map_err(Reason::Effects)?;
            execution.acted = Some(self.tick);
            self.world.apply(&execution.changes);
        }
        let Some(task) = self.world.primitive(&step.task) else {
            return Ok(None);
        };
        let completion = &task.completion;
        let waits = self
            .world
            .first_violation(completion, &task.record.params, args);
        Ok(waits.map(Reason::Completion))
    }

    /// Checks the integrity rules of a step's task and of every compound task above it,
    /// from the step upwards.
    ///
    /// # Errors
    /// The first rule that does not hold.
    fn keep_integrity(&self, plan: &Plan, node: usize) -> Result<(), Reason> {
        let mut node = plan.nodes.get(node);
        while let Some(current) = node {
            let task = &current.task;
            let rules = match current.kind {
                NodeKind::Step(_) => {
                    let read = self.world.primitive(task);
                    read.map(|read| (&read.integrity, &read.record.params))
                }
                NodeKind::Decomposed(_) => {
                    let read = self.world.compound(task);
                    read.map(|read| (&read.integrity, &read.record.params))
                }
            };
            let violated = rules
                .and_then(|(rules, params)| self.world.first_violation(rules, params, &task.args));
            if let Some(rule) = violated {
                return Err(Reason::Integrity(task.clone(), rule));
            }
            node = current.parent.and_then(|parent| plan.nodes.get(parent));
        }
        Ok(())
    }
}
