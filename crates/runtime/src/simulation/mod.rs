//! A run of a scenario, tick by tick.
//!
//! At each tick, in this order: the scenario's events of the tick occur; then each character of the
//! cast has its turn ([`Actor::tick`]), with a body that takes the durations and failures of actions
//! from the document. If a plan fails, it replans at a later tick,
//! from its beliefs at that time, for the tasks that are not complete. If there is no plan, it waits
//! until its beliefs change.

use std::io;
use std::mem;
use std::sync::Arc;

use crate::actor::Actor;
use crate::chance::Failures;
use crate::events::EventSchedule;
use crate::log::Log;
use crate::run::{MAX_PLANS, Run, RunEnd};
use crate::world::World;
use serde::{Deserialize, Serialize};
use taskloom_document::Name;
use taskloom_document::stop::Stop;
use taskloom_domain::Domain;
use taskloom_domain::lang::Clock;
use taskloom_planner::compile::{Compilation, Problem};
use taskloom_planner::plan::{Change, Outcome};

mod logged;
mod member;
mod passing;
mod saved;
mod turn;

use member::Member;
pub use saved::SavedSimulation;

/// The default last tick of a run.
pub const MAX_TICKS: u32 = 10_000;

/// The tick after which a run ends in which all that is left are characters that begin again whenever their tasks are
/// complete.
pub const MAX_TICKS_OF_ENDLESS: u32 = 500;

/// The number of steps after which a run is cut off: its record must be finite, even if the steps take
/// no time.
pub const MAX_STEPS: usize = 100_000;

/// A run of a scenario in progress. Each step of it is short, and it requests the plans
/// that it needs.
pub struct Simulation {
    name: Name,
    /// The character whose problem is being compiled, if any.
    compiling: Option<(usize, Box<Compilation>)>,
    /// The outcome of planning the initial situation for the first character, if known.
    first: Option<Outcome>,
    max_ticks: u32,
    world: World,
    members: Vec<Member>,
    /// The index of the character whose turn it is.
    turn: usize,
    /// The current phase of the tick.
    phase: Phase,
    schedule: EventSchedule,
    /// The purposes for which the document reads the time.
    clock: Clock,
    failures: Failures,
    changes: Changes,
    part: Part,
    run: Run,
}

/// The part of a run that is simulated, if it is saved after a tick or continues from there.
#[derive(Default)]
struct Part {
    /// `true` if it continues: the events of its first tick have already occurred.
    continues: bool,
    /// The end of a run that was over when it was saved.
    over: Option<RunEnd>,
    /// The tick after which it stops, if that was requested.
    last_tick: Option<u32>,
    /// `true` if its state is kept when it ends.
    keeps_state: bool,
    /// The state that was kept.
    saved: Option<Box<SavedSimulation>>,
}

impl Part {
    /// Returns the phase that follows the preparation.
    fn first_phase(&self) -> Phase {
        match self.continues {
            true => Phase::Advance,
            false => Phase::Events,
        }
    }
}

/// The changes of a run that decide when it goes on.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Changes {
    /// `true` if anything has changed at this tick.
    at_tick: bool,
    /// The last tick at which anything has changed, or a character has learned by its own step.
    last: u32,
    /// `true` if the document has changed since the run was saved.
    #[serde(skip)]
    is_document_new: bool,
}

/// The result of a step of a [`Simulation`].
#[derive(Debug)]
pub enum Next {
    /// There are more steps.
    More,
    /// A plan is requested for this problem. Pass its outcome to [`Simulation::planned`].
    Plan(Problem),
    /// The run has ended, with this record. The records of further steps are empty.
    Ended(Box<Run>),
}

/// The phase of a tick.
#[derive(Debug, Clone, Copy)]
enum Phase {
    /// The characters' planning problems are compiled.
    Prepare,
    /// The events of this tick occur.
    Events,
    /// A character has its turn.
    Turn,
    /// The next tick begins.
    Advance,
    /// The run has ended.
    Over,
}

impl Simulation {
    /// Creates a run until tick `max_ticks`; `None` if there is no such scenario. `problem` is the
    /// compiled scenario for its first character. `first` is the validated outcome of planning the
    /// initial situation, if known; it is ignored if events or perceptions change the first tick.
    pub fn new(
        domain: &Domain,
        scenario: &Name,
        problem: &Problem,
        first: Option<Outcome>,
        max_ticks: u32,
    ) -> Option<Self> {
        let scene = domain.scene(scenario)?;
        let mut world = World::new(domain, scenario)?;
        let is_alone = scene.cast.len() == 1;
        let sensed = scene.cast.iter().map(|actor| actor.sensed()).collect();
        // The problems of the others are compiled in steps.
        let cast = scene.cast.iter().enumerate();
        let members = cast.map(|(number, role)| {
            let mut actor =
                Actor::with_problem(&mut world, (role, number), problem.clone(), is_alone);
            actor.give_up_after(MAX_PLANS);
            Member::new(actor)
        });
        let members: Vec<Member> = members.collect();
        Some(Self {
            first,
            part: Part::default(),
            max_ticks,
            clock: domain.clock(),
            schedule: EventSchedule::new(&world.facts),
            failures: Failures::new(&scene.record),
            changes: Changes::default(),
            members,
            turn: 0,
            world,
            phase: Phase::Prepare,
            name: scenario.clone(),
            compiling: None,
            run: Run {
                senses: sensed,
                ..Run::default()
            },
        })
    }

    /// Advances by the events of a tick, by a step of a plan, or to the next tick.
    pub fn step(&mut self) -> Next {
        match self.phase {
            Phase::Prepare => self.prepare(),
            Phase::Events => self.apply_events(),
            Phase::Turn => return self.take_turn(),
            Phase::Advance => return self.advance_tick(),
            Phase::Over => return self.end(RunEnd::Stopped),
        }
        Next::More
    }

    /// Makes it end as [stopped](RunEnd::Stopped) at the end of this tick, unless it ends earlier: not because it
    /// would go on endlessly, or is cut off.
    pub fn stop_after(&mut self, tick: u32) {
        self.part.last_tick = Some(tick);
    }

    /// Ends the run now, and returns its record so far.
    pub fn stop(&mut self) -> Run {
        self.ended(RunEnd::Stopped)
    }

    /// Returns the number of plannings that have ended, as in [`Run::plans`].
    pub fn planning_count(&self) -> usize {
        self.run.plans.len()
    }

    /// Starts a log of the run, which begins now: call this before the first [step](Self::step).
    pub fn start_log(&mut self, log: Log) {
        self.world.start_log(log);
    }

    /// Ends its log.
    ///
    /// # Errors
    /// Returns the first error of writing it.
    pub fn stop_log(&mut self) -> io::Result<()> {
        self.world.stop_log()
    }

    /// Ends the run for good, within a turn.
    fn end(&mut self, end: RunEnd) -> Next {
        if !matches!(self.phase, Phase::Over) && end != RunEnd::Stopped {
            self.remember(Some(&end));
        }
        Next::Ended(Box::new(self.ended(end)))
    }

    fn ended(&mut self, end: RunEnd) -> Run {
        self.log_end(&end);
        self.phase = Phase::Over;
        let mut run = mem::take(&mut self.run);
        for member in &self.members {
            let running = member.mind().character.executions().cloned();
            let running = running.map(|execution| member.numbered(execution));
            run.executed.extend(running);
        }
        run.end = end;
        run.ticks = self.world.tick();
        run
    }

    /// Compiles a part of the problems of all characters but the first, whose problem is known.
    fn prepare(&mut self) {
        let next = |number| {
            let compilation = Compilation::new(
                self.world.facts.domain(),
                (&self.name, number),
                &Stop::default(),
            );
            (number, Box::new(compilation))
        };
        let (number, mut compilation) = match self.compiling.take() {
            Some(compiling) => compiling,
            None if self.members.len() > 1 => next(1),
            None => {
                self.phase = self.part.first_phase();
                return;
            }
        };
        match compilation.step() {
            None => self.compiling = Some((number, compilation)),
            Some(problem) => {
                self.members[number].actor.mind.problem = problem;
                if number + 1 < self.members.len() {
                    self.compiling = Some(next(number + 1));
                } else {
                    self.phase = self.part.first_phase();
                }
            }
        }
    }

    /// Applies the events of this tick.
    fn apply_events(&mut self) {
        self.changes.at_tick = false;
        let (has_changed, members) = (&mut self.changes.at_tick, &mut self.members);
        let mut filter = |writes: &mut Vec<Change>| {
            // Even if the world doesn't change, a character's memory may differ.
            writes.retain(|write| {
                let mut members = members.iter();
                write.before != write.after || members.any(|one| one.mind().memory_differs(write))
            });
            if !writes.is_empty() {
                *has_changed = true;
                let writes: Arc<[Change]> = writes.as_slice().into();
                for member in &mut *members {
                    member.actor.mind.receive(&writes, true);
                }
            }
        };
        let (record, tick) = (&mut self.run.events, self.world.tick());
        let before = record.len();
        self.schedule
            .apply_due(&mut self.world.facts, tick, record, &mut filter);
        self.log_events(before);
        self.turn = 0;
        self.phase = Phase::Turn;
    }
}
