//! A run of a scenario, tick by tick.
//!
//! At each tick, in this order: the scenario's events of the tick happen; then each character of
//! the cast has its turn: it looks at the world, plans where it has to, and carries its plan out
//! ([`Character::act_in`](crate::Character::act_in)). Where a plan fails it plans again at a later
//! tick, from what it believes then, for the tasks that are not complete. Where there is no plan,
//! it waits until what it believes changes.

use std::mem;

use crate::chance::Failures;
use crate::events::Happenings;
use crate::member::Member;
use crate::run::{Run, RunEnd};
use taskloom_document::stop::Stop;
use taskloom_document::{Document, Name, Scenario};
use taskloom_domain::Player;
use taskloom_domain::lang::Clock;
use taskloom_planner::compile::{Compilation, Problem};
use taskloom_planner::plan::{Change, Outcome, World};

mod passing;
mod planning;
mod turn;

use turn::numbered;

/// How many plans of a character may fail until its tasks are complete; one that it gives up for
/// another has not failed.
pub const MOST_PLANS: usize = 20;

/// The last tick of a run, where nothing else is asked for.
pub const MOST_TICKS: u32 = 10_000;

/// The last tick of a run in which a character begins again whenever its tasks are complete.
pub const MOST_TICKS_OF_ENDLESS: u32 = 500;

/// So many steps a character goes on to at one tick that looks no further than a step.
const MOST_STEPS_AT_TICK: usize = 100;

/// The number of steps after which a run is cut off: its record has to end somewhere, however many of
/// them take no time.
pub const MOST_STEPS: usize = 100_000;

/// A run of a scenario in progress: each step of it is short, and it asks for the plans
/// that it needs.
pub struct Simulation<'a> {
    document: &'a Document,
    name: Name,
    scenario: &'a Scenario,
    /// The character whose problem is compiled, if any is.
    compiling: Option<(usize, Box<Compilation<'a>>)>,
    /// What planning the situation as it stands comes to for the first character, where that is
    /// known.
    first: Option<Outcome>,
    max_ticks: u32,
    world: World<'a>,
    members: Vec<Member<'a>>,
    /// Whose turn it is.
    turn: usize,
    tick: u32,
    /// How far it is in this tick.
    phase: Phase,
    happenings: Happenings<'a>,
    /// What the document asks the time for.
    clock: Clock,
    failures: Failures,
    /// Whether anything has changed at this tick.
    has_changed: bool,
    /// The last tick at which anything did, or somebody learned by what it did itself.
    changed_at: u32,
    /// How many steps somebody has gone on to at this tick who looks no further.
    steps_at_tick: usize,
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
    /// What the characters plan is compiled.
    Prepare,
    /// The events of this tick happen.
    Happen,
    /// A character's turn begins: it looks.
    Look,
    /// Its steps whose duration is over act.
    Settle,
    /// It plans, where it has to.
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
    /// is what the scenario was compiled to for its first character. `first` is what planning that
    /// comes to as it stands, validated, where that is known; it is of no use if events or
    /// perceptions change the first tick.
    pub fn new(
        document: &'a Document,
        scenario: &Name,
        problem: &Problem,
        first: Option<Outcome>,
        max_ticks: u32,
    ) -> Option<Self> {
        let (name, scenario) = document.scenarios.get_key_value(scenario)?;
        let scenario = &**scenario;
        let world = World::initial(document, scenario);
        let players = Player::all(document, scenario);
        let is_alone = players.len() == 1;
        let sensed = players.iter().map(Player::sensed).collect();
        // The problems of the others are compiled in steps.
        let member = |player| Member::new(player, world.clone(), problem.clone(), is_alone);
        let members: Vec<Member> = players.into_iter().map(member).collect();
        let is_endless = members.iter().any(Member::is_endless);
        Some(Self {
            scenario,
            first,
            max_ticks: if is_endless {
                max_ticks.min(MOST_TICKS_OF_ENDLESS)
            } else {
                max_ticks
            },
            clock: world.domain().clock(),
            happenings: Happenings::new(&world),
            failures: Failures::new(scenario),
            has_changed: false,
            changed_at: 0,
            steps_at_tick: 0,
            members,
            turn: 0,
            world,
            tick: 0,
            phase: Phase::Prepare,
            document,
            name: name.clone(),
            compiling: None,
            run: Run {
                senses: sensed,
                ..Run::default()
            },
        })
    }

    /// Goes on by the events of a tick, by a step of a plan, or to the next tick.
    pub fn step(&mut self) -> Next {
        match self.phase {
            Phase::Prepare => self.prepare(),
            Phase::Happen => self.happen(),
            Phase::Look => self.look(),
            Phase::Settle => self.settle(),
            Phase::Plan => return self.plan(),
            Phase::Follow => return self.follow(),
            Phase::Pass => return self.pass(),
            Phase::Over => return self.end(RunEnd::Stopped),
        }
        Next::More
    }

    /// Ends the run where it is, and returns what has happened so far.
    pub fn stop(&mut self) -> Run {
        self.ended(RunEnd::Stopped)
    }

    fn end(&mut self, end: RunEnd) -> Next {
        Next::Ended(Box::new(self.ended(end)))
    }

    fn ended(&mut self, end: RunEnd) -> Run {
        self.phase = Phase::Over;
        let mut run = mem::take(&mut self.run);
        for member in &self.members {
            let running = member.character.executions().cloned();
            let running = running.map(|execution| numbered(member, execution));
            run.executed.extend(running);
        }
        run.end = end;
        run.ticks = self.tick;
        run
    }

    /// Compiles a part of what the characters plan but for the first one, whose problem is known.
    fn prepare(&mut self) {
        let next = |number| {
            let compilation =
                Compilation::new(self.document, (&self.name, number), &Stop::default());
            (number, Box::new(compilation))
        };
        let (number, mut compilation) = match self.compiling.take() {
            Some(compiling) => compiling,
            None if self.members.len() > 1 => next(1),
            None => {
                self.phase = Phase::Happen;
                return;
            }
        };
        match compilation.step() {
            None => self.compiling = Some((number, compilation)),
            Some(problem) => {
                self.members[number].problem = problem;
                if number + 1 < self.members.len() {
                    self.compiling = Some(next(number + 1));
                } else {
                    self.phase = Phase::Happen;
                }
            }
        }
    }

    /// The events of this tick.
    fn happen(&mut self) {
        self.has_changed = false;
        if self.clock.runs {
            self.world.set_time(f64::from(self.tick));
        }
        let (has_changed, members) = (&mut self.has_changed, &mut self.members);
        let mut hear = |writes: &mut Vec<Change>| {
            // What is so already, some may remember otherwise.
            writes.retain(|write| {
                let mut members = members.iter();
                write.before != write.after || members.any(|one| one.remembers_otherwise(write))
            });
            if !writes.is_empty() {
                *has_changed = true;
                for member in &mut *members {
                    member.hear(writes, true);
                }
            }
        };
        let record = &mut self.run.events;
        self.happenings
            .happen(&mut self.world, self.tick, record, &mut hear);
        self.turn = 0;
        self.phase = Phase::Look;
    }
}
