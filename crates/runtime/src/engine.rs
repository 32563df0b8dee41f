//! A run of a scenario, tick by tick.
//!
//! At each tick, in this order: the scenario's events of the tick happen; the
//! character plans, where it has to; it carries its plan out ([`Character::act`]).
//! Where a plan fails it plans again at the next tick, from the world as it is then, for
//! the tasks that are not complete. Where there is no plan, it waits until an event
//! changes the world.

use std::mem;

use super::chance::Failures;
use super::character::{Character, Progress};
use super::events::Happenings;
use super::run::{Cause, Planning, Run, RunEnd, TaskState};
use taskloom_document::stop::{Stop, Stopped};
use taskloom_document::{Document, Name, Scenario};
use taskloom_domain::Player;
use taskloom_domain::chance::seed_of_planning;
use taskloom_planner::compile::Problem;
use taskloom_planner::plan::{GroundTask, Limit, Outcome, World, validate_from};

/// How many plans a run may make; plannings that find none do not count.
pub const MOST_PLANS: usize = 20;

/// The last tick of a run, where nothing else is asked for.
pub const MOST_TICKS: u32 = 10_000;

/// A run of a scenario in progress: each step of it is short, and it asks for the plans
/// that it needs.
pub struct Simulation<'a> {
    scenario: &'a Scenario,
    problem: Problem,
    /// What planning the situation as it stands comes to, where that is known.
    first: Option<Outcome>,
    max_ticks: u32,
    world: World<'a>,
    character: Character,
    /// The tasks that a plan was asked for; none where one of them cannot be read.
    asked: Option<Vec<GroundTask>>,
    tick: u32,
    /// How far it is in this tick.
    phase: Phase,
    happenings: Happenings<'a>,
    failures: Failures,
    /// Whether anything has changed at this tick.
    has_changed: bool,
    run: Run,
}

/// What comes next in a [`Simulation`].
#[derive(Debug)]
pub enum Next {
    /// Another step.
    More,
    /// [`Simulation::planned`]: a plan is wanted for the scenario as it is at this moment.
    Plan(Problem),
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
    /// The run has ended.
    Over,
}

impl<'a> Simulation<'a> {
    /// A run until tick `max_ticks` that has not begun, of a document without muted blocks
    /// (see [`Document::without_muted`]); none of a scenario that does not exist. `problem`
    /// is what the scenario was compiled to. `first` is what planning the scenario comes to
    /// as it stands, validated, where that is known; it is of no use if events change the
    /// first tick.
    pub fn new(
        document: &'a Document,
        scenario: &Name,
        problem: &Problem,
        first: Option<Outcome>,
        max_ticks: u32,
    ) -> Option<Self> {
        let scenario = &**document.scenarios.get(scenario)?;
        let player = Player::nth(document, scenario, 0);
        let world = World::initial(document, scenario).believed_by(player);
        let tasks = player.tasks(scenario).iter();
        let tasks = tasks.map(|text| world.task(text).ok());
        Some(Self {
            scenario,
            problem: problem.clone(),
            first,
            max_ticks,
            happenings: Happenings::new(&world),
            failures: Failures::new(scenario),
            has_changed: false,
            character: Character::new(tasks.collect()),
            world,
            asked: None,
            tick: 0,
            phase: Phase::Happen,
            run: Run::default(),
        })
    }

    /// Goes on by the events of a tick, by a step of the plan, or to the next tick.
    pub fn step(&mut self) -> Next {
        match self.phase {
            Phase::Happen => {
                let first = self.run.events.len();
                self.happenings
                    .happen(&mut self.world, self.tick, &mut self.run.events);
                let mut happened = self.run.events[first..].iter();
                self.has_changed = happened.any(|event| !event.changes.is_empty());
                if self.has_changed {
                    self.character.notice();
                }
                self.phase = Phase::Plan;
            }
            Phase::Plan => return self.plan(),
            Phase::Follow => return self.follow(),
            Phase::Pass => return self.pass(),
            Phase::Over => return self.end(RunEnd::Stopped),
        }
        Next::More
    }

    fn end(&mut self, end: RunEnd) -> Next {
        self.phase = Phase::Over;
        let mut run = mem::take(&mut self.run);
        run.end = end;
        run.ticks = self.tick;
        Next::Ended(Box::new(run))
    }

    /// Asks for a plan, where one is needed that is not known.
    fn plan(&mut self) -> Next {
        self.phase = Phase::Follow;
        let Some(cause) = self.character.needs_plan() else {
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
                self.note(cause, Ok(first));
                Next::More
            }
            None => {
                self.asked = self.character.tasks(&self.world);
                let problem = self.problem.anew(&self.world, self.asked.as_deref());
                let seed = seed_of_planning(self.scenario.seed, 0, self.tick);
                Next::Plan(problem.seeded(seed))
            }
        }
    }

    /// What planning came to that was asked for. A plan is validated, until the stop is
    /// heard; one that the validator refuses is a fault of the planner's, and not followed.
    pub fn planned(&mut self, outcome: Outcome, stop: &Stop) {
        let Some(cause) = self.character.needs_plan() else {
            return;
        };
        let outcome = match &outcome {
            Outcome::Plan(plan) => {
                let world = self
                    .world
                    .with_values(self.world.values().clone(), stop.clone());
                let tasks = self.asked.take();
                let valid = tasks.map(|tasks| validate_from(world, &tasks, plan));
                match valid {
                    Some(Ok(Ok(()))) => Ok(outcome),
                    Some(Ok(Err(invalid))) => Err(invalid.to_string()),
                    Some(Err(Stopped)) => Ok(Outcome::GaveUp(Limit::Time)),
                    None => Err("a task of the scenario cannot be read".to_owned()),
                }
            }
            _ => Ok(outcome),
        };
        self.note(cause, outcome);
    }

    fn note(&mut self, cause: Cause, outcome: Result<Outcome, String>) {
        self.character.planned(&outcome);
        self.run.plans.push(Planning {
            tick: self.tick,
            cause,
            outcome,
        });
    }

    /// Goes on with the plan.
    fn follow(&mut self) -> Next {
        let (failures, tick) = (&mut self.failures, self.tick);
        let mut fails = |task: &GroundTask| failures.fails(0, task, tick);
        let before = self.world.values().revision();
        let progress = self.character.act_unless(&mut self.world, tick, &mut fails);
        self.has_changed |= self.world.values().revision() != before;
        match progress {
            Progress::Ended { execution, .. } => {
                if execution.state == TaskState::Failed {
                    self.phase = Phase::Pass;
                }
                self.run.executed.push(execution);
            }
            Progress::Waiting => self.phase = Phase::Pass,
            Progress::Complete => {
                let end = self.finish();
                return self.end(end);
            }
            Progress::Stopped => return self.end(RunEnd::Stopped),
        }
        Next::More
    }

    /// Goes on to the next tick at which anything can happen.
    fn pass(&mut self) -> Next {
        self.phase = Phase::Happen;
        let next = self.next_tick();
        if next.is_none() && self.character.is_waiting() {
            return self.end(RunEnd::Failed);
        }
        match next.filter(|next| *next <= self.max_ticks) {
            Some(next) => {
                self.tick = next;
                Next::More
            }
            None => {
                self.tick = self.max_ticks;
                self.run
                    .executed
                    .extend(self.character.execution().cloned());
                self.end(RunEnd::OutOfTicks)
            }
        }
    }

    /// The next tick at which anything can happen: between events the world changes by
    /// the step in progress alone, so that nothing else has to be looked at.
    fn next_tick(&self) -> Option<u32> {
        let event = self.happenings.next_tick(self.tick, self.has_changed);
        match (event, self.character.next_tick(self.tick)) {
            (Some(event), Some(own)) => Some(event.min(own)),
            (event, own) => event.or(own),
        }
    }

    /// All tasks are complete.
    fn finish(&self) -> RunEnd {
        let goal = self.world.player().goal(self.scenario);
        let missed = (!goal.is_empty()).then(|| self.world.violation_of_scenario(goal));
        missed
            .flatten()
            .map_or(RunEnd::Complete, RunEnd::GoalMissed)
    }
}
