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

use std::sync::Arc;

use super::run::{Cause, Execution, Happening, Planning, Reason, Run, RunEnd, TaskState};
use taskloom_document::{Document, Name, Scenario};
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, NodeKind, Outcome, Plan, World, plan_by, policy, validate};

/// How many plans a run may make; plannings that find none do not count.
pub const MOST_PLANS: usize = 20;

/// The last tick of a run, where nothing else is asked for.
pub const MOST_TICKS: u32 = 10_000;

/// Plans a scenario and executes the plan in its world until tick `max_ticks`, planning
/// again where a step fails.
///
/// `budget` is that of each planning. A scenario that does not exist gives a run
/// without plans that has failed.
pub fn simulate(document: &Document, scenario: &Name, budget: Budget, max_ticks: u32) -> Run {
    let mut plan = by_policy(scenario, budget);
    simulate_by(document, scenario, None, &mut plan, max_ticks)
}

/// Plans a scenario as its agents in play want it.
pub fn by_policy(scenario: &Name, budget: Budget) -> impl FnMut(&Document) -> Outcome {
    move |document| {
        let problem = compile(document, scenario).problem;
        plan_by(policy(document, scenario), &problem, budget)
    }
}

/// As [`simulate`], by whichever planner: it is given the document with the scenario
/// as it is at that moment. `first` is what planning the scenario comes to as it
/// stands, validated, where that is known; it is of no use if events change the first tick.
pub fn simulate_by(
    document: &Document,
    scenario: &Name,
    first: Option<Outcome>,
    plan: &mut dyn FnMut(&Document) -> Outcome,
    max_ticks: u32,
) -> Run {
    let run = Run {
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
        first,
        plan,
        world: World::initial(document, record),
        tasks: record.tasks.clone(),
        tick: 0,
        run,
    };
    simulation.run.end = simulation.run(max_ticks);
    simulation.run.ticks = simulation.tick;
    simulation.run
}

struct Simulation<'a> {
    document: &'a Document,
    name: &'a Name,
    scenario: &'a Scenario,
    /// What planning the situation as it stands comes to, where that is known.
    first: Option<Outcome>,
    plan: &'a mut dyn FnMut(&Document) -> Outcome,
    world: World<'a>,
    /// The calls of the initial network that are not complete.
    tasks: Vec<String>,
    tick: u32,
    run: Run,
}

/// What the character is about.
enum Doing {
    /// It has to plan.
    Planning(Cause),
    /// It has no plan, and waits for the world to change.
    Waiting,
    /// It follows a plan.
    Following(Box<Following>),
}

/// The execution of a plan.
struct Following {
    plan: Plan,
    /// Its index in the run.
    number: usize,
    /// The step that is next, or in progress.
    step: usize,
    /// The execution of that step, once it has started.
    execution: Option<Execution>,
}

/// What came of a tick's work on a plan.
enum Progress {
    Waiting,
    Complete,
    Failed,
}

impl Simulation<'_> {
    fn run(&mut self, max_ticks: u32) -> RunEnd {
        let mut doing = Doing::Planning(Cause::Start);
        loop {
            let changed = self.happen();
            if changed && matches!(doing, Doing::Waiting) {
                doing = Doing::Planning(Cause::Event);
            }
            if let Doing::Planning(cause) = doing {
                let plans = self.run.plans.iter().filter_map(Planning::plan);
                if plans.count() == MOST_PLANS {
                    return RunEnd::OutOfPlans;
                }
                doing = match self.plan_anew(cause) {
                    Some(doing) => doing,
                    None => return RunEnd::Stopped,
                };
            }
            if let Doing::Following(following) = &mut doing {
                match self.follow(following) {
                    Progress::Waiting => {}
                    Progress::Complete => return self.finish(),
                    Progress::Failed => {
                        self.forget_complete_tasks(following);
                        // Planning again at the same tick could go on for ever
                        // where a step fails as soon as it starts.
                        let failed = self.run.executed.len().saturating_sub(1);
                        doing = Doing::Planning(Cause::Failure(failed));
                    }
                }
            }
            let next = self.next_tick(&doing);
            if next.is_none() && matches!(doing, Doing::Waiting) {
                return RunEnd::Failed;
            }
            let Some(next) = next.filter(|next| *next <= max_ticks) else {
                self.tick = max_ticks;
                if let Doing::Following(following) = doing {
                    self.run.executed.extend(following.execution);
                }
                return RunEnd::OutOfTicks;
            };
            self.tick = next;
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
    fn next_tick(&self, doing: &Doing) -> Option<u32> {
        let later = self.scenario.events.iter().map(|event| event.at);
        let event = later.filter(|at| *at > self.tick).min();
        let own = match doing {
            Doing::Planning(_) => Some(self.tick + 1),
            Doing::Waiting => None,
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

    /// Plans for the tasks that are not complete, in the world as it is; nothing where
    /// the planner was stopped.
    fn plan_anew(&mut self, cause: Cause) -> Option<Doing> {
        let untouched =
            cause == Cause::Start && self.run.events.iter().all(|event| event.changes.is_empty());
        let first = self.first.take().filter(|_| untouched);
        let outcome = match first {
            Some(first) => Ok(first),
            None => self.plan_situation(),
        };
        let doing = match &outcome {
            Ok(Outcome::Plan(plan)) => Some(Doing::Following(Box::new(Following {
                plan: plan.clone(),
                number: self.run.plans.len(),
                step: 0,
                execution: None,
            }))),
            // With the world unchanged the answer would be the same.
            Ok(Outcome::NoPlan | Outcome::GaveUp(_) | Outcome::NotPlanned(_)) | Err(_) => {
                Some(Doing::Waiting)
            }
            Ok(Outcome::Stopped) => None,
        };
        self.run.plans.push(Planning {
            tick: self.tick,
            cause,
            outcome,
        });
        doing
    }

    fn plan_situation(&mut self) -> Result<Outcome, String> {
        let mut situation = self.document.clone();
        let mut scenario = self.scenario.clone();
        scenario.initial = self.world.as_initial_values();
        scenario.tasks = self.tasks.clone();
        situation
            .scenarios
            .insert(self.name.clone(), Arc::new(scenario));
        let outcome = (self.plan)(&situation);
        if let Outcome::Plan(plan) = &outcome {
            validate(&situation, self.name, plan).map_err(|invalid| invalid.to_string())?;
        }
        Ok(outcome)
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

    /// Carries a plan on as far as this tick allows.
    fn follow(&mut self, following: &mut Following) -> Progress {
        while following.step < following.plan.steps.len() {
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
        }
        Progress::Complete
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
        let violated = |rules| self.world.first_violation(rules, task.params, args);
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
        let waits = self.world.first_violation(completion, task.params, args);
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
                return Err(Reason::Integrity(task.clone(), rule));
            }
            node = current.parent.and_then(|parent| plan.nodes.get(parent));
        }
        Ok(())
    }
}
