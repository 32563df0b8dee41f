//! Whatever a body and its game do, each start of an action is ended exactly once.

use std::collections::BTreeSet;

use taskloom_document::Name;
use taskloom_domain::Domain;
use taskloom_planner::plan::{Atom, Budget, Value, plan_by};
use taskloom_runtime::{
    ActionStatus, Actor, ActorEvent, Body, Orders, PlanRequest, Readings, Reason, Status, StepRef,
    TickBudget, World,
};
use testkit::counts::{is_sample, on_all_cores, seeds};
use testkit::random::Random;

use super::saved::reloaded;
use crate::runs::random_document;

const TICKS: u32 = 40;

/// A body that performs its actions at random, and calls back.
pub struct Erratic {
    random: Random,
    pub orders: Orders,
    /// The tasks of the scenario.
    pub tasks: Vec<String>,
    /// The ground facts that its sensors set.
    pub atoms: Vec<Atom>,
    pub running: BTreeSet<u64>,
    pub begun: BTreeSet<u64>,
    pub counts: Counts,
}

#[derive(Default, Clone, Copy)]
pub struct Counts {
    pub started: usize,
    pub succeeded: usize,
    pub failed: usize,
    pub stopped: usize,
    ordered: usize,
    searching: usize,
    handed_over: usize,
    refused: usize,
}

impl Erratic {
    /// Creates the body of an actor.
    pub fn new(random: Random, actor: &Actor, tasks: &[String], atoms: &[Atom]) -> Self {
        Self {
            random,
            orders: actor.orders(),
            tasks: tasks.to_vec(),
            atoms: atoms.to_vec(),
            running: BTreeSet::new(),
            begun: BTreeSet::new(),
            counts: Counts::default(),
        }
    }

    fn calls_back(&mut self) {
        if self.random.below(12) == 0 {
            self.counts.ordered += 1;
            match self.random.below(8) {
                0 => self.orders.stop(),
                1 if self.random.below(8) == 0 => self.orders.remove(),
                _ => self.orders.assign(&self.tasks),
            }
        }
    }

    fn status(&mut self, step: &StepRef) -> ActionStatus {
        self.calls_back();
        let status = match self.random.below(6) {
            0 | 1 => ActionStatus::Succeeded,
            2 => ActionStatus::failed("the path is blocked"),
            _ => ActionStatus::Running,
        };
        match status {
            ActionStatus::Running => {
                self.running.insert(step.id);
            }
            ActionStatus::Succeeded => {
                self.running.remove(&step.id);
                self.counts.succeeded += 1;
            }
            ActionStatus::Failed(_) => {
                self.running.remove(&step.id);
                self.counts.failed += 1;
            }
        }
        status
    }
}

impl Body for Erratic {
    fn start(&mut self, step: &StepRef) -> ActionStatus {
        self.counts.started += 1;
        assert!(self.begun.insert(step.id), "each start has its own number");
        assert_eq!(step.start, step.tick);
        self.status(step)
    }

    fn tick(&mut self, step: &StepRef) -> ActionStatus {
        assert!(self.running.contains(&step.id), "it has ended");
        assert!(step.start < step.tick, "it is not continued as it starts");
        self.status(step)
    }

    fn stop(&mut self, step: &StepRef, why: &Reason) {
        assert!(self.running.remove(&step.id), "it has ended: {why}");
        self.counts.stopped += 1;
        self.calls_back();
    }

    fn sense(&mut self, readings: &mut Readings) {
        if self.random.below(4) == 0 && !self.atoms.is_empty() {
            let atom = self.random.pick(&self.atoms).clone();
            if let Value::Bool(is) = readings.value(&atom) {
                readings.set(&atom, !is).expect("a value");
            }
        }
    }
}

pub fn budget(random: &mut Random) -> TickBudget<'static> {
    match random.below(4) {
        0 => TickBudget::unlimited(),
        1 => TickBudget::decisions(0),
        _ => TickBudget::decisions(1 + random.below(6) as u64),
    }
}

/// The calls that a game makes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Game {
    /// Each search ends in the tick in which it begins.
    Patient,
    /// A game that is also saved and loaded at random ticks.
    PatientAndSaved,
    /// Searches are cut short or run elsewhere, and the game is saved and loaded at random ticks.
    Impatient,
}

/// Plays a random document. Returns the counts of all bodies, and what has happened.
fn play(seed: u64, game: Game) -> (Counts, Vec<Vec<ActorEvent>>) {
    let document = random_document(seed);
    let domain = Domain::from(&document);
    let name = Name::new("s").expect("a name");
    let scene = domain.scene(&name).expect("a scenario");
    let mut world = World::new(&domain, &name).expect("a scenario");
    let mut random = Random(seed + 1);
    let atoms: Vec<Atom> = world.facts().into_iter().map(|(atom, _)| atom).collect();
    let number = scene.cast.len();
    let actor = |number| Actor::new(&mut world, number).expect("an actor");
    let mut actors: Vec<Actor> = (0..number).map(actor).collect();
    let body = |(number, actor): (usize, &Actor)| {
        let random = Random(seed + 1 + ((number as u64 + 1) << 32));
        Erratic::new(random, actor, scene.cast[number].tasks(), &atoms)
    };
    let mut bodies: Vec<Erratic> = actors.iter().enumerate().map(body).collect();
    // Searched for later, whatever happens in between.
    let mut requests: Vec<Option<PlanRequest>> = vec![None; number];
    let mut saves = Random(seed + 2);
    let mut events = vec![];
    for tick in 0..TICKS {
        world.advance_to(tick);
        let turns = actors.iter_mut().zip(&mut bodies).zip(&mut requests);
        for ((actor, body), requested) in turns {
            if game == Game::Impatient && random.below(3) == 0 {
                if let Some(request) = requested.take() {
                    let outcome = plan_by(
                        request.problem().policy(),
                        request.problem(),
                        Budget::default(),
                    );
                    let is_wanted = actor.wanted_plan().as_ref() == Some(&request);
                    let is_taken = actor.hand_over(&request, outcome);
                    assert_eq!(is_taken, is_wanted, "seed {seed}, {tick}");
                    body.counts.handed_over += usize::from(is_taken);
                    body.counts.refused += usize::from(!is_taken);
                }
                *requested = actor.wanted_plan();
            }
            let budget = match game {
                Game::Impatient => budget(&mut random),
                Game::Patient | Game::PatientAndSaved => TickBudget::unlimited(),
            };
            let done = actor.tick(&mut world, body, budget);
            events.push(done.events);
            assert_ne!(done.status, Status::Unfinished, "seed {seed}");
            body.counts.searching += usize::from(done.status == Status::Searching);
            let running = actor.running_steps();
            let running = running.filter(|(_, execution)| execution.acted.is_none());
            assert_eq!(running.count(), body.running.len(), "seed {seed}, {tick}");
            if random.below(10) == 0 {
                // A second turn at the same tick does nothing.
                let begun = body.begun.len();
                actor.tick(&mut world, body, TickBudget::unlimited());
                assert_eq!(body.begun.len(), begun, "seed {seed}");
            }
        }
        if game != Game::Patient && saves.below(4) == 0 {
            (world, actors) = reloaded(&domain, &world, &actors);
            for (actor, body) in actors.iter().zip(&mut bodies) {
                body.orders = actor.orders();
            }
        }
    }
    let mut all = Counts::default();
    for (actor, body) in actors.iter_mut().zip(&mut bodies) {
        actor.orders().remove();
        actor.tick(&mut world, body, TickBudget::unlimited());
        let done = actor.tick(&mut world, body, TickBudget::unlimited());
        assert_eq!(done.status, Status::Removed, "seed {seed}");
        assert!(body.running.is_empty(), "seed {seed}");
        let Counts {
            started,
            succeeded,
            failed,
            stopped,
            ..
        } = body.counts;
        assert_eq!(started, succeeded + failed + stopped, "seed {seed}");
        all.started += started;
        all.succeeded += succeeded;
        all.failed += failed;
        all.stopped += stopped;
        all.ordered += body.counts.ordered;
        all.searching += body.counts.searching;
        all.handed_over += body.counts.handed_over;
        all.refused += body.counts.refused;
    }
    (all, events)
}

#[test]
fn each_start_is_ended_once() {
    let bodies = seeds(10_000);
    let all = on_all_cores(bodies.clone(), |seed| play(seed, Game::Impatient).0);
    let sum = |count: fn(&Counts) -> usize| all.iter().map(count).sum::<usize>();
    let enough = bodies.len() / 10;
    let counts = [
        (sum(|counts| counts.succeeded), enough),
        (sum(|counts| counts.failed), enough),
        (sum(|counts| counts.stopped), enough),
        (sum(|counts| counts.ordered), enough),
        (sum(|counts| counts.searching), enough),
        (sum(|counts| counts.handed_over), enough / 10),
        (sum(|counts| counts.refused), enough / 10),
    ];
    assert!(
        is_sample() || counts.iter().all(|(count, least)| 2 * count > *least),
        "{counts:?}"
    );
}

#[test]
fn a_game_that_was_saved_and_loaded_continues_alike() {
    let games = seeds(1_000);
    let all = on_all_cores(games.clone(), |seed| {
        let (counts, events) = play(seed, Game::Patient);
        let (_, saved) = play(seed, Game::PatientAndSaved);
        for (number, (events, saved)) in events.iter().zip(&saved).enumerate() {
            assert_eq!(events, saved, "seed {seed}, turn {number}");
        }
        counts.started
    });
    assert!(is_sample() || all.iter().sum::<usize>() > games.len());
}
