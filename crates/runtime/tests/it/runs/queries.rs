//! Queries of Bind blocks in random documents: games that answer them run as those in which the same objects
//! are found by a condition.

use std::sync::Arc;

use taskloom_document::{Block, Document, Fact, Name, Param, Scenario, Source};
use taskloom_domain::Domain;
use taskloom_planner::compile::GroundQuery;
use taskloom_runtime::{
    ActionStatus, Actor, Body, ByDurations, Reason, StepRef, TickBudget, World,
};
use testkit::counts::{cases, on_all_cores};
use testkit::random::Random;

use super::random_document;

const TICKS: u32 = 20;

/// The arguments of queries.
const ARGS: [&str; 3] = ["?x", "o0", "z-1"];

/// Returns `true` if the answer for one object has another.
fn is_near(seed: u64, from: &Name, to: &Name) -> bool {
    let text = format!("{seed} {from} {to}");
    let sum: u64 = text
        .bytes()
        .fold(7, |sum, byte| sum.wrapping_mul(31) + u64::from(byte));
    Random(sum | 1).below(3) > 0
}

/// A game that answers queries.
struct Near {
    seed: u64,
    objects: Vec<Name>,
    asked: usize,
}

impl Body for Near {
    fn start(&mut self, step: &StepRef) -> ActionStatus {
        ByDurations::status(step)
    }

    fn tick(&mut self, step: &StepRef) -> ActionStatus {
        ByDurations::status(step)
    }

    fn stop(&mut self, _: &StepRef, _: &Reason) {}

    fn query(&mut self, query: &GroundQuery) -> Option<Vec<Name>> {
        self.asked += 1;
        let [from] = &query.args[..] else {
            panic!("one argument");
        };
        let near = self
            .objects
            .iter()
            .filter(|to| is_near(self.seed, from, to));
        Some(near.cloned().collect())
    }
}

/// Gives the Bind blocks of a document a query. Returns the same document with conditions instead, and these
/// with the ones before.
fn ask(document: &mut Document, objects: &[Name], seed: u64) -> (Document, Vec<(String, String)>) {
    let mut changed = vec![];
    // Texts of the domain don't know the objects of crowds.
    let has_z = document
        .objects
        .keys()
        .any(|object| object.as_str() == "z-1");
    let mut random = Random(seed + 1);
    // What a plan depends on is less precise with a query: more may be noticed.
    for agent in document.agents.values_mut() {
        Arc::make_mut(agent).triggers.perception = false;
    }
    let mut found = document.clone();
    for (name, task) in &mut document.compound_tasks {
        let other = found.compound_tasks.get_mut(name).expect("the same task");
        for (id, block) in &mut Arc::make_mut(task).method.blocks {
            let Block::Bind { query, .. } = Arc::make_mut(block) else {
                continue;
            };
            let arg = *random.pick(&ARGS);
            let arg = if arg == "z-1" && !has_z { "o1" } else { arg };
            *query = format!("near({arg})");
            let block = Arc::make_mut(other)
                .method
                .blocks
                .get_mut(id)
                .expect("the same block");
            let Block::Bind {
                condition,
                order_by,
                ..
            } = Arc::make_mut(block)
            else {
                panic!("a Bind block");
            };
            // Whatever the answer, the conditions of all objects count.
            "0".clone_into(order_by);
            let before = condition.clone();
            *condition = match condition.trim() {
                "" => format!("near({arg}, ?y)"),
                _ => format!("({condition}) and near({arg}, ?y)"),
            };
            changed.push((condition.clone(), before));
        }
    }
    let param = |name: &str| Param {
        name: name.parse().expect("a name"),
        of: "thing".parse().expect("a name"),
    };
    let near = Fact {
        params: vec![param("a"), param("b")],
        source: Source::Sensor,
        ..Fact::default()
    };
    found
        .facts
        .insert("near".parse().expect("a name"), Arc::new(near));
    let pairs = objects
        .iter()
        .flat_map(|from| objects.iter().map(move |to| (from, to)));
    let near = pairs.filter(|(from, to)| is_near(seed, from, to));
    let near: Vec<String> = near
        .map(|(from, to)| format!("near({from}, {to})"))
        .collect();
    let name = "s".parse().expect("a name");
    let scenario = found.scenarios.get_mut(&name).expect("a scenario");
    let scenario: &mut Scenario = Arc::make_mut(scenario);
    scenario.initial.extend(near);
    (found, changed)
}

/// Plays a game. Returns what the actors did, and how often the game was asked.
fn play(document: &Document, objects: &[Name], seed: u64) -> (Vec<String>, usize) {
    let domain = Domain::from(document);
    let name = "s".parse().expect("a name");
    let mut world = World::new(&domain, &name).expect("a scenario");
    let cast = domain.scene(&name).expect("a scenario").cast.len();
    let actors = (0..cast.max(1)).filter_map(|number| Actor::new(&mut world, number));
    let mut actors: Vec<Actor> = actors.collect();
    let mut body = Near {
        seed,
        objects: objects.to_vec(),
        asked: 0,
    };
    let mut random = Random(seed + 2);
    let mut did = vec![];
    for tick in 0..TICKS {
        for (number, actor) in actors.iter_mut().enumerate() {
            let done = actor.tick(&mut world, &mut body, TickBudget::unlimited());
            let events = done
                .events
                .iter()
                .map(|event| format!("{tick} {number} {event:?}"));
            did.extend(events);
        }
        let fact = *random.pick(&["f0", "f1", "f2", "g(o0)", "g(o1)"]);
        let atom = world.atom(fact).expect("a fact");
        world.set(&atom, random.below(2) == 0).expect("a value");
        world.advance();
    }
    (did, body.asked)
}

#[test]
fn answers_are_as_conditions() {
    let documents = cases(10_000);
    let asked = on_all_cores(0..documents, |seed| {
        let mut document = random_document(seed);
        let domain = Domain::from(&document);
        let scene = domain
            .scene(&"s".parse().expect("a name"))
            .expect("a scenario");
        let objects: Vec<Name> = scene
            .objects()
            .iter()
            .map(|(name, _)| name.clone())
            .collect();
        let (found, changed) = ask(&mut document, &objects, seed);
        let (did, asked) = play(&document, &objects, seed);
        let (expected, never) = play(&found, &objects, seed);
        assert_eq!(never, 0);
        for (did, expected) in did.iter().zip(&expected) {
            // Messages contain conditions.
            let texts = changed.iter();
            let expected = texts.fold(expected.clone(), |text, (new, old)| text.replace(new, old));
            assert_eq!(*did, expected, "seed {seed}\n{}", document.to_json());
        }
        assert_eq!(did.len(), expected.len(), "seed {seed}");
        asked
    });
    let asked: usize = asked.iter().sum();
    assert!(asked > documents as usize, "{asked} queries");
}
