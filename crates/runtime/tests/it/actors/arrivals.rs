//! Games on random documents that add and remove objects at random.

use taskloom_document::{CastMember, Document, Name};
use taskloom_domain::Domain;
use taskloom_planner::plan::{Atom, Value};
use taskloom_runtime::{Actor, ActorEvent, Reason, Status, TickBudget, World};
use testkit::counts::{is_sample, on_all_cores, seeds};
use testkit::random::Random;

use super::objects::name;
use super::protocol::{Erratic, budget};
use super::saved::reloaded;
use crate::runs::random_document;

pub const TICKS: u32 = 40;

/// The number of each kind of event, over all games.
#[derive(Debug, Default, Clone, Copy)]
struct Counts {
    added: usize,
    removed: usize,
    created: usize,
    left: usize,
    /// The steps that failed because of an object that was removed.
    failed: usize,
    /// The steps that were started for an object that was added.
    for_added: usize,
}

/// Returns a random one of all ground facts; `None` if there are no facts.
fn some_atom(world: &World, random: &mut Random, document: &Document) -> Option<Atom> {
    let facts: Vec<&Name> = document.facts.keys().collect();
    let fact = *facts.get(random.below(facts.len().max(1)))?;
    let (object, _) = random.pick(world.objects());
    let text = match document.facts[fact].params.len() {
        0 => fact.to_string(),
        _ => format!("{fact}({object})"),
    };
    world.atom(&text).ok()
}

/// Sets a random ground fact, unless it can't have the value.
pub fn set_some(world: &mut World, random: &mut Random, document: &Document) {
    let Some(atom) = some_atom(world, random, document) else {
        return;
    };
    let value = match world.value(&atom) {
        Value::Bool(is) => Value::Bool(!is),
        Value::Number(_) => Value::Number(random.below(4) as f64),
        Value::Object(_) => Value::Object(Some(random.pick(world.objects()).0.clone())),
    };
    let _ = world.set(&atom, value);
}

/// Returns the types of a document.
pub fn types(document: &Document) -> Vec<Name> {
    document.types.keys().cloned().collect()
}

/// A game whose objects come and go.
struct Game {
    document: Document,
    domain: Domain,
    world: World,
    actors: Vec<(Actor, Erratic)>,
    random: Random,
    /// The number of objects and actors that came.
    came: u64,
    counts: Counts,
    context: String,
}

impl Game {
    fn new(seed: u64) -> Self {
        let document = random_document(seed);
        let domain = Domain::from(&document);
        let mut world = World::new(&domain, &name("s")).expect("a scenario");
        let cast = &domain.scene(&name("s")).expect("a scenario").cast;
        let actors = cast.iter().enumerate().map(|(number, role)| {
            let actor = Actor::new(&mut world, number).expect("an actor");
            let random = Random(seed + 1 + ((number as u64 + 1) << 32));
            let body = Erratic::new(random, &actor, role.tasks(), &[]);
            (actor, body)
        });
        Self {
            actors: actors.collect(),
            document,
            world,
            random: Random(seed + 1),
            came: 0,
            counts: Counts::default(),
            context: format!("seed {seed}"),
            domain,
        }
    }

    /// Adds, removes and sets something, or nothing.
    fn change(&mut self) {
        match self.random.below(8) {
            0 | 1 => {
                self.came += 1;
                // A name may come again.
                let object = format!("x{}", self.random.below(4));
                let of = self.random.pick(&types(&self.document)).clone();
                let added = self.world.add(&object, of.as_str());
                self.counts.added += usize::from(added.is_ok());
                let task = format!("p{}({object})", self.random.below(4));
                for (_, body) in &mut self.actors {
                    body.tasks = vec![task.clone()];
                }
            }
            2 => {
                let object = self.some_object();
                let removed = self.world.remove(object.as_str());
                self.counts.removed += usize::from(removed.is_ok());
            }
            3 => self.create(),
            4 | 5 => set_some(&mut self.world, &mut self.random, &self.document),
            _ => {}
        }
        let facts = self.world.facts().into_iter();
        let atoms: Vec<Atom> = facts.map(|(atom, _)| atom).collect();
        for (_, body) in &mut self.actors {
            body.atoms.clone_from(&atoms);
        }
    }

    /// Returns a random object: one that a step in progress is about, if there is any.
    fn some_object(&mut self) -> Name {
        let running = self
            .actors
            .iter()
            .flat_map(|(actor, _)| actor.running_steps());
        let named: Vec<&Name> = running.flat_map(|(step, _)| &step.task.args).collect();
        match named.is_empty() || self.random.below(3) == 0 {
            true => self.random.pick(self.world.objects()).0.clone(),
            false => (*self.random.pick(&named)).clone(),
        }
    }

    /// Creates an actor for an object that was added, if an agent is of its type.
    fn create(&mut self) {
        let agents: Vec<Name> = self.document.agents.keys().cloned().collect();
        if agents.is_empty() {
            return;
        }
        let (object, _) = self.random.pick(self.world.objects()).clone();
        let is_it = |(actor, _): &(Actor, Erratic)| actor.name() == Some(object.as_str());
        if !object.as_str().starts_with('x') || self.actors.iter().any(is_it) {
            return;
        }
        let member = CastMember {
            object: Some(object),
            ..CastMember::playing(self.random.pick(&agents).clone())
        };
        if let Ok(actor) = Actor::create(&mut self.world, &member) {
            self.came += 1;
            let body = Erratic::new(Random(self.came << 40), &actor, &[], &[]);
            self.actors.push((actor, body));
            self.counts.created += 1;
        }
    }

    /// Gives all actors their turns. Returns what has happened.
    fn turns(&mut self, budget: &mut dyn FnMut() -> TickBudget<'static>) -> Vec<Vec<ActorEvent>> {
        let Self {
            world,
            actors,
            counts,
            context,
            ..
        } = self;
        let mut events = vec![];
        actors.retain_mut(|(actor, body)| {
            let done = actor.tick(world, body, budget());
            assert_ne!(done.status, Status::Unfinished, "{context}");
            let failed = done.events.iter().filter(|event| is_removed(event));
            counts.failed += failed.count();
            events.push(done.events);
            let running = actor.running_steps();
            let acting = running.filter(|(_, execution)| execution.acted.is_none());
            assert_eq!(acting.count(), body.running.len(), "{context}");
            for (step, _) in actor.running_steps() {
                let objects = world.objects();
                let exists = |arg: &Name| objects.iter().any(|(object, _)| object == arg);
                assert!(
                    step.task.args.iter().all(exists),
                    "{context}: {}",
                    step.task
                );
                let added = step
                    .task
                    .args
                    .iter()
                    .any(|arg| arg.as_str().starts_with('x'));
                counts.for_added += usize::from(added);
            }
            if done.status == Status::Removed {
                check_body(body, context);
                counts.left += 1;
            }
            done.status != Status::Removed
        });
        events
    }

    fn save_and_load(&mut self) {
        let (actors, bodies): (Vec<Actor>, Vec<Erratic>) = self.actors.drain(..).unzip();
        let (world, actors) = reloaded(&self.domain, &self.world, &actors);
        self.world = world;
        let actors = actors.into_iter().zip(bodies);
        self.actors = actors
            .map(|(actor, mut body)| {
                body.orders = actor.orders();
                (actor, body)
            })
            .collect();
    }

    fn end(mut self) -> Counts {
        for (actor, body) in &mut self.actors {
            actor.orders().remove();
            actor.tick(&mut self.world, body, TickBudget::unlimited());
            let done = actor.tick(&mut self.world, body, TickBudget::unlimited());
            assert_eq!(done.status, Status::Removed, "{}", self.context);
            check_body(body, &self.context);
        }
        self.counts
    }
}

/// Checks that each start of a body was ended once.
fn check_body(body: &Erratic, context: &str) {
    assert!(body.running.is_empty(), "{context}");
    let counts = body.counts;
    let ended = counts.succeeded + counts.failed + counts.stopped;
    assert_eq!(counts.started, ended, "{context}");
}

fn is_removed(event: &ActorEvent) -> bool {
    matches!(event, ActorEvent::Ended(step) if matches!(step.reason, Some(Reason::Removed(_))))
}

#[test]
fn each_start_is_ended_once_while_objects_come_and_go() {
    let games = seeds(10_000);
    let all = on_all_cores(games.clone(), |seed| {
        let mut game = Game::new(seed);
        let (mut budgets, mut saves) = (Random(seed + 2), Random(seed + 3));
        for tick in 0..TICKS {
            game.world.advance_to(tick);
            game.change();
            // Some have yet to learn of that.
            if saves.below(6) == 0 {
                game.save_and_load();
            }
            game.turns(&mut || budget(&mut budgets));
            if saves.below(6) == 0 {
                game.save_and_load();
            }
        }
        game.end()
    });
    let sum = |count: fn(&Counts) -> usize| all.iter().map(count).sum::<usize>();
    let enough = games.len() / 10;
    let counts = [
        (sum(|counts| counts.added), 20 * enough),
        (sum(|counts| counts.removed), 10 * enough),
        (sum(|counts| counts.created), enough),
        (sum(|counts| counts.left), 2 * enough),
        (sum(|counts| counts.failed), enough / 5),
        (sum(|counts| counts.for_added), 2 * enough),
    ];
    assert!(
        is_sample() || counts.iter().all(|(count, least)| 2 * count > *least),
        "{counts:?}"
    );
}

#[test]
fn saved_game_continues_alike_while_objects_come_and_go() {
    on_all_cores(seeds(2_000), |seed| {
        let (mut game, mut saved) = (Game::new(seed), Game::new(seed));
        let mut saves = Random(seed + 3);
        for tick in 0..TICKS {
            for game in [&mut game, &mut saved] {
                game.world.advance_to(tick);
                game.change();
            }
            if saves.below(4) == 0 {
                saved.save_and_load();
            }
            let turns = |game: &mut Game| game.turns(&mut TickBudget::unlimited);
            let [events, again] = [&mut game, &mut saved].map(turns);
            assert_eq!(events, again, "seed {seed}, tick {tick}");
            if saves.below(4) == 0 {
                saved.save_and_load();
            }
        }
    });
}
