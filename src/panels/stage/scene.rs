//! The places of things at a moment, and where characters wrongly believe them to be.

use std::collections::{BTreeMap, BTreeSet};

use taskloom_document::sort::{CompactSort, map_of};
use taskloom_document::{Name, Scenario};
use taskloom_planner::plan::{Atom, Value};
use taskloom_runtime::{Entry, Moment, TimeCursor, ValueTimelines};

use super::departures::Departure;
use super::maps::reads;
use super::meters::Level;
use super::play::{Play, Positions, State, is_absent, positions};
use crate::panels::world::states::Span;
use crate::session::{Cursor, Happened};

/// The name of who believes something, and the tick at which it was seen last.
type Sighting = (String, Option<u32>);

/// The maximum number of facts that are shown in a place.
const MAX_TAGS: usize = 3;

/// A thing in a place.
#[derive(Debug, Clone, PartialEq)]
pub struct Token {
    /// The object.
    pub thing: Name,
    /// The index of the actor that it is.
    pub actor: Option<usize>,
    /// The index among the places where it is at once.
    pub number: usize,
    /// Its place; `None` if it is nowhere.
    pub place: Option<Name>,
    /// The belief that puts it there; `None` if it is there.
    pub ghost: Option<Ghost>,
    /// Its numbers.
    pub meters: Vec<Level>,
    /// The object that carries it; its token is drawn below that object's.
    pub carrier: Option<Name>,
    /// Its fate, if it left its last place without going to another one.
    pub departure: Option<Departure>,
}

/// A wrong belief about the place of a thing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ghost {
    /// The character that believes it, or several: `anna and 2 more`.
    pub believer: String,
    /// The number of characters that believe it.
    pub count: usize,
    /// The tick since which it does; `None` if it always did.
    pub since: Option<u32>,
}

impl Ghost {
    /// Returns the wrong belief that these characters share, each with the tick since which it has
    /// it.
    fn of(believers: &[(String, Option<u32>)]) -> Option<Self> {
        let (first, since) = believers.first()?;
        let is_since = |(_, tick): &(String, Option<u32>)| tick == since;
        Some(Self {
            believer: match believers {
                [_] => first.clone(),
                [_, (second, _)] => format!("{first} and {second}"),
                _ => format!("{first} and {} more", believers.len() - 1),
            },
            count: believers.len(),
            since: since.filter(|_| believers.iter().all(is_since)),
        })
    }

    /// Returns the verb that fits the number of believers.
    pub fn verb(&self) -> &'static str {
        match self.count {
            1 => "believes",
            _ => "believe",
        }
    }
}

/// All things in their places.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scene {
    /// Sorted by the names of the things, actual places before believed ones.
    pub tokens: Vec<Token>,
    /// The facts that are true of places, in a few words.
    pub tags: BTreeMap<Name, Vec<String>>,
}

impl Scene {
    /// Returns what is in a place, or nowhere; what is really there comes first.
    pub fn in_place<'s>(&'s self, place: Option<&'s Name>) -> impl Iterator<Item = &'s Token> {
        let tokens = self.tokens.iter();
        tokens.filter(move |token| token.place.as_ref() == place)
    }

    /// Returns what stands in a place, without what is carried.
    pub fn standing<'s>(&'s self, place: Option<&'s Name>) -> impl Iterator<Item = &'s Token> {
        self.in_place(place).filter(|token| token.carrier.is_none())
    }

    /// Returns the scene without wrong beliefs.
    pub fn without_ghosts(mut self) -> Self {
        self.tokens.retain(|token| token.ghost.is_none());
        self
    }
}

impl Play {
    /// Returns everything at the cursor.
    pub fn scene(&self, cursor: Cursor) -> Scene {
        let state = self.state(cursor);
        let positions = positions(&self.maps, &state);
        let scenario = self.domain.scene(&self.answer.scenario);
        let mut tokens = vec![];
        let ghosts = self.ghosts(cursor, &positions);
        for thing in &self.occupancy.things {
            let meters =
                scenario.map_or_else(Vec::new, |scene| self.levels(&scene.record, &state, thing));
            let actor = self.actor_of(thing);
            let token = |number: usize, place: Option<&Name>, ghost: Option<&Ghost>| Token {
                thing: thing.clone(),
                actor,
                number,
                place: place.cloned(),
                ghost: ghost.cloned(),
                meters: if ghost.is_none() {
                    meters.clone()
                } else {
                    vec![]
                },
                carrier: None,
                departure: None,
            };
            match positions.get(thing) {
                _ if is_absent(self.domain.document(), &state, thing) => {}
                Some(places) => {
                    let places = places.iter().enumerate();
                    tokens.extend(places.map(|(number, place)| token(number, Some(place), None)));
                }
                None => {
                    let carrier = self.drawn_carrier(&state, &positions, thing);
                    let departure = self.departures.departure(&state, thing);
                    let place = match (&carrier, &departure) {
                        (Some(carrier), _) => self.last_place(cursor, &positions, carrier),
                        (None, Some(_)) => self.last_place(cursor, &positions, thing),
                        (None, None) => None,
                    };
                    tokens.push(Token {
                        departure: departure.filter(|_| carrier.is_none()),
                        carrier,
                        ..token(0, place.as_ref(), None)
                    });
                }
            }
            let ghosts = ghosts.iter().filter(|(_, of, _)| of == thing).enumerate();
            tokens.extend(
                ghosts.map(|(number, (believer, _, place))| {
                    token(number, Some(place), Some(believer))
                }),
            );
        }
        tokens.compact_sort_by_key(|token| token.ghost.is_some());
        let tags = self.places.iter().filter_map(|place| {
            let tags = self.tags(&state, place);
            (!tags.is_empty()).then(|| (place.clone(), tags))
        });
        Scene {
            tags: map_of(tags),
            tokens,
        }
    }

    /// Returns who carries a thing, if that is on the map.
    fn drawn_carrier(&self, state: &State, positions: &Positions, thing: &Name) -> Option<Name> {
        let carrier = self.departures.carrier(&self.maps, state, thing)?;
        let is_carried = |thing| self.departures.carrier(&self.maps, state, thing).is_some();
        let is_drawn = self.occupancy.things.contains(&carrier)
            && !is_absent(self.domain.document(), state, &carrier)
            && (positions.contains_key(&carrier) || !is_carried(&carrier));
        is_drawn.then_some(carrier)
    }

    /// Returns the place of a thing, or the last one where it was.
    fn last_place(&self, cursor: Cursor, positions: &Positions, thing: &Name) -> Option<Name> {
        if let Some(place) = positions.get(thing).and_then(BTreeSet::first) {
            return Some(place.clone());
        }
        let span = Span::of(&self.answer, cursor);
        let planned = span.planned().filter_map(|change| {
            match reads(&self.maps, &change.atom, &change.after)? {
                (of, Some(place), true) if of == thing => Some(place.clone()),
                _ => None,
            }
        });
        let arrived = || {
            let tick = self.tick(cursor)?;
            let mut arrivals = self.arrivals.get(thing)?.iter().rev();
            let last = arrivals.find(|(at, _)| *at <= tick)?;
            Some(last.1.clone())
        };
        let first = || {
            let first = super::play::positions(&self.maps, &self.initial);
            first.get(thing)?.first().cloned()
        };
        planned.last().or_else(arrived).or_else(first)
    }

    /// Returns the values that are shown at the cursor.
    fn state(&self, cursor: Cursor) -> State {
        let span = Span::of(&self.answer, cursor);
        let until = self.answer.run.as_ref().map(|run| run.cursor(span.to));
        let mut state = after(&self.initial, &self.world, until);
        for change in span.planned() {
            state.insert(change.atom.clone(), change.after.clone());
        }
        state
    }

    /// Returns the tick of the run at the cursor.
    pub fn tick(&self, cursor: Cursor) -> Option<u32> {
        match cursor.happened? {
            Happened::Tick(tick) => Some(tick),
            Happened::Line(entry) => self.answer.run.as_ref()?.tick_of(entry),
        }
    }

    /// Returns who believes which thing to be where it isn't.
    fn ghosts(&self, cursor: Cursor, positions: &Positions) -> Vec<(Ghost, Name, Name)> {
        let Some(moment) = moment(cursor) else {
            return vec![];
        };
        let until = self.answer.run.as_ref().map(|run| run.cursor(moment));
        let tick = self.tick(cursor);
        let mut ghosts: BTreeMap<(Name, Name), Vec<Sighting>> = BTreeMap::new();
        for believer in &self.believers {
            let state = after(&believer.initial, &believer.observed, until);
            for (atom, value) in &state {
                let Some((thing, Some(place), true)) = reads(&self.maps, atom, value) else {
                    continue;
                };
                let places = positions.get(thing);
                if places.is_some_and(|places| places.contains(place)) {
                    continue;
                }
                let timeline = believer.observed.get(atom);
                let since = timeline.zip(tick).and_then(|(timeline, tick)| {
                    let values = timeline.by_tick().into_iter();
                    let ticks = values.map(|(at, _)| at);
                    ticks.filter(|at| *at <= tick).max()
                });
                let believers = ghosts.entry((thing.clone(), place.clone()));
                let believers: &mut Vec<_> = believers.or_default();
                believers.push((believer.name.clone(), since));
            }
        }
        let ghosts = ghosts.into_iter();
        let ghosts = ghosts
            .filter_map(|((thing, place), believers)| Some((Ghost::of(&believers)?, thing, place)));
        ghosts.collect()
    }

    fn levels(&self, scenario: &Scenario, state: &State, thing: &Name) -> Vec<Level> {
        let document = self.domain.document();
        let own = scenario.objects.get(thing);
        let Some(object) = own.or_else(|| document.objects.get(thing)) else {
            return vec![];
        };
        let meters = self.meters.iter();
        let meters = meters.filter(|meter| document.is_kind_of(&object.of, &meter.of));
        meters.map(|meter| meter.level(state, thing)).collect()
    }

    fn tags(&self, state: &State, place: &Name) -> Vec<String> {
        let tag = |fact: &Name| {
            let atom = Atom {
                fact: fact.clone(),
                args: vec![place.clone()],
            };
            match state.get(&atom)? {
                Value::Bool(true) => Some(fact.to_string()),
                Value::Number(number) if *number != 0.0 => Some(format!("{fact} {number}")),
                _ => None,
            }
        };
        let tags = self.about_places.iter().filter_map(tag);
        tags.take(MAX_TAGS).collect()
    }
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
pub fn moment(cursor: Cursor) -> Option<Moment> {
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
