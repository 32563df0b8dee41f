//! The places of things at a moment, and where characters wrongly believe them to be.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use taskloom::document::{Document, Name, Object, Scenario};
use taskloom::domain::Domain;
use taskloom::planner::plan::{Atom, Change, Value, World};
use taskloom::runtime::{Entry, Moment, Run, TimeCursor, ValueTimelines, believed_at_first};

use super::maps::{Map, maps, shown};
use super::meters::{Level, Meter, meters};
use crate::panels::world::states::Span;
use crate::session::{Cursor, Happened};
use crate::worker::Answer;

/// The maximum number of places that are drawn: more couldn't be found again, and would slow the
/// page down.
const MAX_PLACES: usize = 120;

/// Values of the ground facts that the stage shows.
pub type State = BTreeMap<Atom, Value>;

/// A thing in a place.
#[derive(Debug, Clone, PartialEq)]
pub struct Token {
    /// The object.
    pub thing: Name,
    /// The index among the places where it is at once.
    pub number: usize,
    /// Its place; `None` if it is nowhere.
    pub place: Option<Name>,
    /// The character that wrongly believes it to be there; `None` if it is there.
    pub ghost: Option<String>,
    /// Its numbers.
    pub meters: Vec<Level>,
}

/// All things in their places.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scene {
    /// Sorted by the names of the things, actual places before believed ones.
    pub tokens: Vec<Token>,
}

impl Scene {
    /// Returns what is in a place, or nowhere; what is really there comes first.
    pub fn in_place<'s>(&'s self, place: Option<&'s Name>) -> impl Iterator<Item = &'s Token> {
        let tokens = self.tokens.iter();
        tokens.filter(move |token| token.place.as_ref() == place)
    }
}

/// The part of an answer that a map can show.
pub struct Play {
    document: Arc<Document>,
    answer: Arc<Answer>,
    /// The fact that makes the map.
    pub map: Map,
    /// Its places, in order.
    pub places: Vec<Name>,
    /// The number of places that are left out.
    pub omitted: usize,
    /// The maximum number of things in a place.
    pub crowds: BTreeMap<Name, usize>,
    /// The numbers that things have.
    pub meters: Vec<Meter>,
    /// The things that are somewhere at any time.
    things: BTreeSet<Name>,
    initial: State,
    world: ValueTimelines,
    believers: Vec<Believer>,
}

/// A character that may be wrong.
struct Believer {
    name: String,
    initial: State,
    observed: ValueTimelines,
}

impl Play {
    /// Returns the map of an answer; `None` without a fact that says where things are.
    pub fn new(domain: &Domain, answer: Arc<Answer>) -> Option<Self> {
        let document = domain.document();
        let scene = domain.scene(&answer.scenario)?;
        let changes = all_changes(&answer);
        let changed = changes.iter().map(|change| change.atom.fact.clone());
        let maps = maps(document);
        let choice = document.layout.stage.fact.as_ref();
        let map = shown(&maps, choice, &changed.collect())?.clone();
        let objects = scene.record.all_objects(&document.objects);
        let world = World::initial(domain, scene);
        let all = world.assigned_atoms();
        let meters = meters(document, &map, &all, &changes);
        let is_shown = |atom: &Atom| {
            atom.fact == map.fact || meters.iter().any(|meter| meter.fact == atom.fact)
        };
        let relevant = |state: Vec<(Atom, Value)>| -> State {
            state
                .into_iter()
                .filter(|(atom, _)| is_shown(atom))
                .collect()
        };
        let initial = relevant(all);
        let names = scene.cast.iter();
        let names = names.map(|actor| actor.name().map(ToString::to_string));
        let believers = names.enumerate().filter(|_| map.is_seen);
        let believers = believers.filter_map(|(character, name)| {
            let believed = believed_at_first(domain, scene, character)?;
            let run = answer.run.as_ref();
            let observed = run.map(|run| run.believed_timelines(document, character));
            Some(Believer {
                name: name.unwrap_or_else(|| "the actor".to_owned()),
                initial: relevant(believed.assigned_atoms()),
                observed: observed.unwrap_or_default().only(is_shown),
            })
        });
        let believers: Vec<Believer> = believers.collect();
        let run = answer.run.as_ref();
        let timelines = run.map(Run::timelines).unwrap_or_default().only(is_shown);
        let (things, crowds) = crowds(&map, &initial, &believers, &changes);
        let (places, omitted) = places(document, &map, &objects, &crowds);
        Some(Self {
            map,
            places,
            omitted,
            crowds,
            meters,
            things,
            initial,
            world: timelines,
            believers,
            document: document.clone(),
            answer: answer.clone(),
        })
    }

    /// Returns everything at the cursor.
    pub fn scene(&self, cursor: Cursor) -> Scene {
        let span = Span::of(&self.answer, cursor);
        let until = self.answer.run.as_ref().map(|run| run.cursor(span.to));
        let mut state = after(&self.initial, &self.world, until);
        for change in span.planned() {
            state.insert(change.atom.clone(), change.after.clone());
        }
        let positions = positions(&self.map, &state);
        let scenario = self.document.scenarios.get(&self.answer.scenario);
        let mut tokens = vec![];
        let ghosts = self.ghosts(cursor, &positions);
        for thing in &self.things {
            let meters =
                scenario.map_or_else(Vec::new, |scenario| self.levels(scenario, &state, thing));
            let token = |number: usize, place: Option<&Name>, ghost: Option<&String>| Token {
                thing: thing.clone(),
                number,
                place: place.cloned(),
                ghost: ghost.cloned(),
                meters: if ghost.is_none() {
                    meters.clone()
                } else {
                    vec![]
                },
            };
            match positions.get(thing) {
                Some(places) => {
                    let places = places.iter().enumerate();
                    tokens.extend(places.map(|(number, place)| token(number, Some(place), None)));
                }
                None => tokens.push(token(0, None, None)),
            }
            let ghosts = ghosts.iter().filter(|(_, of, _)| of == thing).enumerate();
            tokens.extend(
                ghosts.map(|(number, (believer, _, place))| {
                    token(number, Some(place), Some(believer))
                }),
            );
        }
        tokens.sort_by_key(|token| token.ghost.is_some());
        Scene { tokens }
    }

    /// Returns who believes which thing to be where it isn't.
    fn ghosts(&self, cursor: Cursor, positions: &Positions) -> Vec<(String, Name, Name)> {
        let Some(moment) = moment(cursor) else {
            return vec![];
        };
        let until = self.answer.run.as_ref().map(|run| run.cursor(moment));
        let mut ghosts = vec![];
        for believer in &self.believers {
            let state = after(&believer.initial, &believer.observed, until);
            for (thing, places) in self::positions(&self.map, &state) {
                let is_so = |place: &Name| {
                    let places = positions.get(&thing);
                    places.is_some_and(|places| places.contains(place))
                };
                let wrong = places.into_iter().filter(|place| !is_so(place));
                ghosts.extend(wrong.map(|place| (believer.name.clone(), thing.clone(), place)));
            }
        }
        ghosts
    }

    fn levels(&self, scenario: &Scenario, state: &State, thing: &Name) -> Vec<Level> {
        let own = scenario.objects.get(thing);
        let Some(object) = own.or_else(|| self.document.objects.get(thing)) else {
            return vec![];
        };
        let meters = self.meters.iter();
        let meters = meters.filter(|meter| self.document.is_kind_of(&object.of, &meter.of));
        meters.map(|meter| meter.level(state, thing)).collect()
    }
}

/// Returns the places of each thing that is anywhere.
type Positions = BTreeMap<Name, BTreeSet<Name>>;

fn positions(map: &Map, state: &State) -> Positions {
    let mut positions = Positions::new();
    for (atom, value) in state {
        if let Some((thing, Some(place), true)) = map.reads(atom, value) {
            let places = positions.entry(thing.clone()).or_default();
            places.insert(place.clone());
        }
    }
    positions
}

/// A state at a moment of a run.
fn after(initial: &State, timelines: &ValueTimelines, until: Option<TimeCursor>) -> State {
    let mut state = initial.clone();
    let values = timelines.iter().filter_map(|(atom, timeline)| {
        let value = timeline.at(until.as_ref()?)?;
        Some((atom.clone(), value.clone()))
    });
    state.extend(values);
    state
}

/// The moment of the run at the cursor; `None` for a planned step.
fn moment(cursor: Cursor) -> Option<Moment> {
    Some(match (cursor.happened, cursor.plan, cursor.step) {
        (Some(Happened::Tick(tick)), ..) => Moment::Tick(tick),
        (Some(Happened::Line(Entry::Event(at))), ..) => Moment::AfterEvent(at),
        (Some(Happened::Line(Entry::Perception(at))), ..) => Moment::Perception(at),
        (Some(Happened::Line(Entry::Planning(at))), ..) => Moment::Planning(at),
        (Some(Happened::Line(Entry::Step(at))), ..) => Moment::StepEnd(at),
        (None, Some(plan), None) => Moment::Planning(plan),
        (None, None, None) => Moment::Start,
        (None, _, Some(_)) => return None,
    })
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

/// Returns what is somewhere at any time, in the world or in a belief, and the maximum number of
/// things in each place.
fn crowds(
    map: &Map,
    initial: &State,
    believers: &[Believer],
    changes: &[&Change],
) -> (BTreeSet<Name>, BTreeMap<Name, usize>) {
    let mut now = positions(map, initial);
    let mut things: BTreeSet<Name> = now.keys().cloned().collect();
    let mut counts: BTreeMap<Name, usize> = BTreeMap::new();
    for place in now.values().flatten() {
        *counts.entry(place.clone()).or_default() += 1;
    }
    let mut crowds = counts.clone();
    for change in changes {
        let Some((thing, place, is_there)) = map.reads(&change.atom, &change.after) else {
            continue;
        };
        let places = now.entry(thing.clone()).or_default();
        let was = places.clone();
        match (place, is_there) {
            (Some(place), true) if change.atom.args.len() > 1 => drop(places.insert(place.clone())),
            (Some(place), true) => *places = [place.clone()].into(),
            (Some(place), false) => drop(places.remove(place)),
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
            let most = crowds.entry(come.clone()).or_default();
            *most = (*most).max(*count);
            things.insert(thing.clone());
        }
    }
    for believer in believers {
        for (thing, places) in positions(map, &believer.initial) {
            things.insert(thing);
            for place in places {
                crowds.entry(place).or_default();
            }
        }
    }
    (things, crowds)
}

/// Returns the places of a map, and how many are left out. If any object can be a place, only those
/// with something in them are.
fn places(
    document: &Document,
    map: &Map,
    objects: &BTreeMap<&Name, &Arc<Object>>,
    crowds: &BTreeMap<Name, usize>,
) -> (Vec<Name>, usize) {
    let is_any = map.places == "object";
    let of_type = objects
        .iter()
        .filter(|(_, object)| !is_any && document.is_kind_of(&object.of, &map.places))
        .map(|(name, _)| Name::clone(name));
    let mut places: BTreeSet<Name> = crowds.keys().cloned().collect();
    let all: BTreeSet<Name> = of_type.chain(places.iter().cloned()).collect();
    let room = MAX_PLACES.saturating_sub(places.len());
    let empty: Vec<Name> = all.difference(&places).take(room).cloned().collect();
    places.extend(empty);
    let omitted = all.len() - places.len().min(MAX_PLACES);
    (places.into_iter().take(MAX_PLACES).collect(), omitted)
}
