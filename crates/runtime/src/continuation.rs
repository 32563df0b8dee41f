//! A scenario that continues a run of another one from a tick.

use std::sync::Arc;

use taskloom_document::sort::CompactSort;
use taskloom_document::{Document, Expectation, Name, Scenario};
use taskloom_domain::lang::World as _;
use taskloom_domain::world::as_initial_value;
use taskloom_domain::{Domain, Scene};
use taskloom_planner::plan::{Atom, Value, World};

use crate::history::{Moment, world_at};
use crate::run::Run;

/// Returns a scenario that begins at the end of a tick of a run: with the values of the world, and each actor's
/// beliefs and memory. The events after that tick keep their distance from it. The actors begin their tasks
/// again. Expectations about the plan are dropped, since the plan differs, and so is the note. `None` if there
/// is no such scenario.
///
/// A document can't express the belief that a fact has no object as its value. An actor that believes that
/// believes what is true instead, unless the fact is unknown to it at first. Nor can it express what an actor is
/// in the middle of: no task or goal is cooling down at first, nothing is claimed, and no actor is committed to a
/// goal.
pub fn continuation(domain: &Domain, scenario: &Name, run: &Run, tick: u32) -> Option<Scenario> {
    let scene = domain.scene(scenario)?;
    let moment = Moment::Tick(tick);
    let world = world_at(domain, scene, run, moment);
    let has_cast = !scene.record.cast.is_empty();
    let mut next = Scenario::clone(&scene.record);
    next.initial = match has_cast {
        // Each actor has a memory of its own, which is part of its beliefs.
        true => without_memory(&world),
        false => world.as_initial_values(),
    };
    next.note.clear();
    for member in &mut next.cast {
        member.beliefs.clear();
    }
    next.events.retain_mut(|event| {
        let later = event.at.checked_sub(tick.saturating_add(1));
        event.at = later.unwrap_or(0);
        later.is_some()
    });
    let is_of_end = |expectation: &Expectation| {
        matches!(expectation, Expectation::Finally(_) | Expectation::Recovers)
    };
    next.expect.retain(is_of_end);
    let plain = with_scenario(domain.document(), scenario, next.clone());
    let plain_scene = plain.scene(scenario)?.clone();
    for (at, member) in next.cast.iter_mut().enumerate() {
        let believed = beliefs_at(domain, scene, run, (at, moment));
        let without =
            World::initial(&plain, &plain_scene).believed_by(plain_scene.cast.get(at)?.clone());
        member.beliefs = differences(&without, &believed);
    }
    Some(next)
}

/// Returns the beliefs of an actor at a moment of a run; of one without senses, only the memory is meaningful.
fn beliefs_at(
    domain: &Domain,
    scene: &Arc<Scene>,
    run: &Run,
    (actor, moment): (usize, Moment),
) -> World {
    let mut believed = World::initial(domain, scene).believed_by(scene.actor(actor).clone());
    for change in run.believed_until(domain.document(), actor, moment) {
        believed.apply(std::slice::from_ref(change));
    }
    believed
}

/// Returns the values of a world, without those of memory facts.
fn without_memory(world: &World) -> Vec<String> {
    let set = world.assigned_atoms().into_iter();
    let set = set.filter(|(atom, _)| !world.is_memory(&atom.fact));
    set.filter_map(|(atom, value)| as_initial_value(&atom, &value))
        .collect()
}

/// Returns the beliefs that turn an actor's beliefs into others. Those about facts that it has no sense for
/// don't count, so they do no harm.
fn differences(from: &World, to: &World) -> Vec<String> {
    let mut atoms: Vec<Atom> = [from, to]
        .iter()
        .flat_map(|world| world.assigned_atoms())
        .map(|(atom, _)| atom)
        .collect();
    atoms.compact_sort();
    atoms.dedup();
    let texts = atoms.iter().filter_map(|atom| {
        let value = to.value(atom);
        match value {
            _ if from.value(atom) == value => None,
            Value::Bool(false) => Some(format!("not {atom}")),
            value => as_initial_value(atom, &value),
        }
    });
    texts.collect()
}

/// Returns a domain in which a scenario is another one.
fn with_scenario(document: &Document, name: &Name, scenario: Scenario) -> Domain {
    let mut document = document.clone();
    document.scenarios.insert(name.clone(), scenario.into());
    Domain::from(Arc::new(document))
}
