//! The part of an answer that a map can show.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use taskloom_document::sort::{CompactSort, map_of, set_of};
use taskloom_document::{Axes, Document, Name, Object, ValueKind};
use taskloom_domain::{Domain, Scene};
use taskloom_planner::plan::{Atom, Change, Value, World};
use taskloom_runtime::{Moment, Run, ValueTimelines, believed_at_first};

use super::coordinates::{Coordinates, automatic, axes, cells};
use super::departures::Departures;
use super::maps::{Map, maps, only_actor, reads, shown, with_others};
use super::meters::{Meter, meters};
use crate::worker::Answer;

/// The maximum number of places that are drawn: more couldn't be found again, and would slow the
/// page down.
const MAX_PLACES: usize = 120;

/// Values of the ground facts that the stage shows.
pub type State = BTreeMap<Atom, Value>;

/// An actor of the scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StageActor {
    /// Its name.
    pub name: String,
    /// The thing on the map that it is.
    pub thing: Option<Name>,
}

/// The part of an answer that a map can show.
pub struct Play {
    /// The domain that the answer belongs to.
    pub domain: Domain,
    /// The answer.
    pub answer: Arc<Answer>,
    /// All facts that say where things are; the main one comes first.
    pub maps: Vec<Map>,
    /// The facts about things that are in no place.
    pub departures: Departures,
    /// The places, in order.
    pub places: Vec<Name>,
    /// The number of places that are left out.
    pub omitted: usize,
    /// The things that are somewhere at any time, and how many come together.
    pub occupancy: Occupancy,
    /// The numbers that things have.
    pub meters: Vec<Meter>,
    /// The facts about places.
    pub about_places: Vec<Name>,
    /// The actors, by their index in the cast.
    pub actors: Vec<StageActor>,
    /// The cells of the places that have coordinates.
    pub coordinates: Coordinates,
    /// The initial values.
    pub initial: State,
    /// The changes of the world.
    pub world: ValueTimelines,
    /// The arrivals of each thing in places, with their ticks.
    pub arrivals: BTreeMap<Name, Vec<(u32, Name)>>,
    /// The characters that may be wrong.
    pub believers: Vec<Believer>,
}

/// A character that may be wrong.
pub struct Believer {
    /// Its name.
    pub name: String,
    /// Its initial beliefs.
    pub initial: State,
    /// Their changes.
    pub observed: ValueTimelines,
}

impl Play {
    /// Returns the map of an answer; `None` without a fact that says where things are.
    pub fn new(domain: &Domain, answer: Arc<Answer>) -> Option<Self> {
        let document = domain.document();
        let scene = domain.scene(&answer.scenario)?;
        let changes = all_changes(&answer);
        let changed = changes.iter().map(|change| change.atom.fact.clone());
        let only_actor = only_actor(document, scene);
        let all_maps = maps(domain, only_actor.as_ref());
        let choice = document.layout.stage.fact.as_ref();
        let map = shown(&all_maps, choice, &set_of(changed))?.clone();
        // A fact that the designer chose is shown alone.
        let mut maps = match choice == Some(&map.fact) {
            true => vec![map.clone()],
            false => with_others(domain, &map, &all_maps),
        };
        let objects = scene.record.all_objects(&document.objects);
        let carriers = carriers(document, scene, &map, &objects);
        for map in &mut maps {
            map.carriers.clone_from(&carriers);
        }
        let departures = Departures::of(domain, &maps);
        let all = World::initial(domain, scene).assigned_atoms();
        let meters = meters(document, &map, &all, &changes);
        let axes = axes(document, &map);
        let mut about_places = about_places(document, &map, &axes);
        about_places.retain(|fact| maps.iter().all(|map| map.fact != *fact));
        let absences: Vec<&Name> = document.absences().map(|(fact, _)| fact).collect();
        let is_shown = |atom: &Atom| {
            absences.contains(&&atom.fact)
                || maps.iter().any(|map| atom.fact == map.fact)
                || meters.iter().any(|meter| meter.fact == atom.fact)
                || about_places.contains(&atom.fact)
                || departures.contains(&atom.fact)
        };
        let relevant = |state: Vec<(Atom, Value)>| -> State {
            let state = state.into_iter();
            map_of(state.filter(|(atom, _)| is_shown(atom)))
        };
        let values: State = map_of(all.iter().cloned());
        let initial = relevant(all);
        let actors = scene.cast.iter().map(|actor| StageActor {
            name: actor.name().map(ToString::to_string).unwrap_or_default(),
            thing: actor.me().cloned().or(only_actor.clone()),
        });
        let actors: Vec<StageActor> = actors.collect();
        let can_be_wrong = maps.iter().any(|map| map.is_seen);
        let believers = actors.iter().enumerate().filter(|_| can_be_wrong);
        let believers = believers.filter_map(|(character, actor)| {
            let believed = believed_at_first(domain, scene, character)?;
            let run = answer.run.as_ref();
            let observed = run.map(|run| run.believed_timelines(document, character));
            let is_nameless = actor.name.is_empty();
            Some(Believer {
                name: if is_nameless {
                    "the actor".to_owned()
                } else {
                    actor.name.clone()
                },
                initial: relevant(believed.assigned_atoms()),
                observed: observed.unwrap_or_default().only(is_shown),
            })
        });
        let believers: Vec<Believer> = believers.collect();
        let run = answer.run.as_ref();
        let world = run.map(Run::timelines).unwrap_or_default().only(is_shown);
        let occupancy = Occupancy::new(&maps, &initial, &believers, &changes);
        let things = actors.iter().filter_map(|actor| actor.thing.clone());
        let first = initial.iter();
        let first = first.filter_map(|(atom, value)| departures.carried(&maps, atom, value));
        let later = changes.iter();
        let later =
            later.filter_map(|change| departures.carried(&maps, &change.atom, &change.after));
        let carried = first.chain(later).map(|(thing, _)| thing.clone());
        let mut occupancy = occupancy.with(things.chain(carried));
        let things = occupancy.things.iter();
        (occupancy.lines, occupancy.nowhere) =
            departures.survey(document, &maps, things, &initial, &world);
        let (places, omitted) = places(document, &map, &objects, &occupancy.most);
        let coordinates = cells(&axes, &places, &values);
        Some(Self {
            domain: domain.clone(),
            answer: answer.clone(),
            arrivals: arrivals(&maps, &world),
            maps,
            departures,
            places,
            omitted,
            occupancy,
            meters,
            about_places,
            actors,
            coordinates,
            initial,
            world,
            believers,
        })
    }

    /// Returns the main map.
    pub fn map(&self) -> Option<&Map> {
        self.maps.first()
    }

    /// Returns the index of the actor that a thing is.
    pub fn actor_of(&self, thing: &Name) -> Option<usize> {
        let mut actors = self.actors.iter();
        actors.position(|actor| actor.thing.as_ref() == Some(thing))
    }
}

/// Returns the objects that carry what a location fact gives them as its place: actors, and others
/// that are located themselves and aren't places.
fn carriers(
    document: &Document,
    scene: &Scene,
    map: &Map,
    objects: &BTreeMap<&Name, &Arc<Object>>,
) -> BTreeSet<Name> {
    let actors = scene.cast.iter().filter_map(|actor| actor.me().cloned());
    let is_carrier = |object: &Object| {
        document.is_kind_of(&object.of, &map.things)
            && !document.is_kind_of(&object.of, &map.places)
    };
    let others = objects.iter().filter(|(_, object)| is_carrier(object));
    set_of(actors.chain(others.map(|(name, _)| Name::clone(name))))
}

/// Returns `true` if a fact says that a thing is absent.
pub fn is_absent(document: &Document, state: &State, thing: &Name) -> bool {
    document.absences().any(|(fact, _)| {
        let atom = Atom {
            fact: fact.clone(),
            args: vec![thing.clone()],
        };
        state.get(&atom) == Some(&Value::Bool(true))
    })
}

/// Returns the places of each thing that is anywhere.
pub type Positions = BTreeMap<Name, BTreeSet<Name>>;

/// Returns the places of everything in a state.
pub fn positions(maps: &[Map], state: &State) -> Positions {
    let mut positions = Positions::new();
    for (atom, value) in state {
        if let Some((thing, Some(place), true)) = reads(maps, atom, value) {
            let places = positions.entry(thing.clone()).or_default();
            places.insert(place.clone());
        }
    }
    positions
}

/// Returns the facts about single places that can be told in a few letters. Coordinates are seen,
/// or were turned off.
fn about_places(document: &Document, map: &Map, axes: &Axes) -> Vec<Name> {
    let automatic = automatic(document, map);
    let coordinates = [&axes.x, &axes.y, &automatic.x, &automatic.y];
    let facts = document.facts.iter().filter(|(name, fact)| {
        let is_axis = coordinates.iter().any(|fact| fact.as_ref() == Some(*name));
        let is_short = matches!(fact.value, ValueKind::Boolean | ValueKind::Number { .. });
        let is_about = fact.params.len() == 1
            && map.places != "object"
            && fact.params.iter().all(|param| {
                param.of != "object"
                    && (document.is_kind_of(&param.of, &map.places)
                        || document.is_kind_of(&map.places, &param.of))
            });
        is_short && is_about && !is_axis
    });
    facts.map(|(name, _)| name.clone()).collect()
}

/// Returns the arrivals of each thing, in order.
fn arrivals(maps: &[Map], world: &ValueTimelines) -> BTreeMap<Name, Vec<(u32, Name)>> {
    let mut arrivals: BTreeMap<Name, Vec<(u32, Name)>> = BTreeMap::new();
    for (atom, timeline) in world.iter() {
        for (tick, value) in timeline.by_tick() {
            if let Some((thing, Some(place), true)) = reads(maps, atom, value) {
                let of = arrivals.entry(thing.clone()).or_default();
                of.push((tick, place.clone()));
            }
        }
    }
    for of in arrivals.values_mut() {
        of.compact_sort();
    }
    arrivals
}

/// Returns all that changes in the run or, without one, by the plan.
fn all_changes(answer: &Answer) -> Vec<&Change> {
    match &answer.run {
        Some(run) => run.changes_until(Moment::Tick(u32::MAX)).collect(),
        None => {
            let plan = answer.plan_at(None);
            let steps = plan.map_or(&[][..], |plan| &plan.steps);
            steps.iter().flat_map(|step| &step.changes).collect()
        }
    }
}

/// The things that are ever in a place, in the world or in a belief, and the maximum number of
/// things in each place.
pub struct Occupancy {
    /// The things that are somewhere at any time.
    pub things: BTreeSet<Name>,
    /// The maximum number of things in each place.
    pub most: BTreeMap<Name, usize>,
    /// The maximum number of things that are nowhere.
    pub nowhere: usize,
    /// The maximum number of lines below the name of a token.
    pub lines: usize,
}

impl Occupancy {
    /// Adds things that may be nowhere all the time.
    fn with(mut self, things: impl Iterator<Item = Name>) -> Self {
        for thing in things {
            self.things.insert(thing);
        }
        self
    }

    fn new(maps: &[Map], initial: &State, believers: &[Believer], changes: &[&Change]) -> Self {
        let mut now = positions(maps, initial);
        let mut things: BTreeSet<Name> = set_of(now.keys().cloned());
        let mut counts: BTreeMap<Name, usize> = BTreeMap::new();
        for place in now.values().flatten() {
            *counts.entry(place.clone()).or_default() += 1;
        }
        let mut most = counts.clone();
        for change in changes {
            let Some((thing, place, is_there)) = reads(maps, &change.atom, &change.after) else {
                continue;
            };
            let places = now.entry(thing.clone()).or_default();
            let was = places.clone();
            match (place, is_there) {
                (Some(place), true) if change.atom.args.len() > 1 => {
                    places.extend([place.clone()]);
                }
                (Some(place), true) => *places = [place.clone()].into(),
                (Some(place), false) => places.retain(|other| other != place),
                (None, _) => places.clear(),
            }
            for left in was.difference(places) {
                if let Some(count) = counts.get_mut(left) {
                    *count = count.saturating_sub(1);
                }
            }
            for come in places.difference(&was) {
                let count = counts.entry(come.clone()).or_default();
                *count += 1;
                let most = most.entry(come.clone()).or_default();
                *most = (*most).max(*count);
                things.insert(thing.clone());
            }
        }
        for believer in believers {
            for (thing, places) in positions(maps, &believer.initial) {
                things.insert(thing);
                for place in places {
                    most.entry(place).or_default();
                }
            }
        }
        Self {
            things,
            most,
            nowhere: 0,
            lines: 0,
        }
    }
}

/// Returns the places of a map, and how many are left out. If any object can be a place, only those
/// with something in them are.
fn places(
    document: &Document,
    map: &Map,
    objects: &BTreeMap<&Name, &Arc<Object>>,
    occupancy: &BTreeMap<Name, usize>,
) -> (Vec<Name>, usize) {
    let is_any = map.places == "object";
    let of_type = objects
        .iter()
        .filter(|(_, object)| !is_any && document.is_kind_of(&object.of, &map.places))
        .map(|(name, _)| Name::clone(name));
    let mut places = set_of(occupancy.keys().cloned());
    let all = set_of(of_type.chain(places.iter().cloned()));
    let room = MAX_PLACES.saturating_sub(places.len());
    let empty: Vec<Name> = all.difference(&places).take(room).cloned().collect();
    places.extend(empty);
    let omitted = all.len() - places.len().min(MAX_PLACES);
    (places.into_iter().take(MAX_PLACES).collect(), omitted)
}
