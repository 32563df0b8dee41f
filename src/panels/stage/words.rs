//! Descriptions of movements.

use std::collections::{BTreeMap, BTreeSet};

use taskloom_document::Name;
use taskloom_document::sort::set_of;

use super::scene::{Scene, Token};

/// The maximum number of moves that are described; for more, only their number is given.
const MAX_DESCRIBED: usize = 4;

/// A moment, as it is described.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// Before anything happened.
    Start,
    /// After a step of a plan, counted from 1.
    Step(usize),
    /// At a tick of the run.
    Tick(u32),
}

impl When {
    /// Returns `true` if it comes earlier; a tick and a step of a plan have no order.
    fn is_before(self, other: Self) -> bool {
        match (self, other) {
            (Self::Tick(one), Self::Tick(other)) => one < other,
            (Self::Step(one), Self::Step(other)) => one < other,
            (one, other) => one == Self::Start && other != Self::Start,
        }
    }
}

impl std::fmt::Display for When {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Start => f.write_str("start"),
            Self::Step(at) => write!(f, "step {at}"),
            Self::Tick(tick) => write!(f, "tick {tick}"),
        }
    }
}

/// Describes what has moved: `tick 12: guard moves from hall to vault`. Empty if nothing has.
pub fn moves(before: (When, &Scene), after: (When, &Scene)) -> String {
    let is_back = after.0.is_before(before.0);
    let (was, is) = (places(before.1), places(after.1));
    let none = BTreeSet::new();
    let things = set_of(was.keys().chain(is.keys()).copied());
    let taken: BTreeMap<&Name, String> = match is_back {
        true => BTreeMap::new(),
        false => taken(before.1, after.1).collect(),
    };
    let others = things
        .into_iter()
        .filter(|thing| !taken.contains_key(thing));
    let moved = others.filter_map(|thing| {
        let was = was.get(thing).unwrap_or(&none);
        let is = is.get(thing).unwrap_or(&none);
        let (left, come) = (list(was.difference(is)), list(is.difference(was)));
        Some(match (left.as_str(), come.as_str()) {
            ("", "") => return None,
            (left, "") if is_back => format!("{thing} is not yet in {left}"),
            (_, come) if is_back => format!("{thing} is back in {come}"),
            ("", come) => format!("{thing} comes to {come}"),
            (left, "") => format!("{thing} leaves {left}"),
            (left, come) => format!("{thing} moves from {left} to {come}"),
        })
    });
    let mut described: Vec<String> = moved.collect();
    described.splice(0..0, taken.into_values());
    if described.is_empty() {
        return String::new();
    }
    let more = described.len().saturating_sub(MAX_DESCRIBED);
    described.truncate(MAX_DESCRIBED);
    let more = match more {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}: {}{more}", after.0, described.join(", "))
}

/// Describes what is carried, and what happened to whom, since an earlier scene: `anna takes key`,
/// `ben: caught`.
fn taken<'s>(
    before: &'s Scene,
    after: &'s Scene,
) -> impl Iterator<Item = (&'s Name, String)> + use<'s> {
    let is_new = move |token: &&Token| {
        let mut earlier = before.tokens.iter().filter(|other| other.ghost.is_none());
        let earlier = earlier.find(|other| other.thing == token.thing);
        earlier.is_none_or(|other| {
            (&other.carrier, &other.departure) != (&token.carrier, &token.departure)
        })
    };
    let new = after.tokens.iter().filter(is_new);
    new.filter_map(|token| {
        let words = match (&token.carrier, &token.departure) {
            (Some(carrier), _) => format!("{carrier} takes {}", token.thing),
            (None, Some(departure)) => format!("{}: {}", token.thing, departure.text),
            (None, None) => return None,
        };
        Some((&token.thing, words))
    })
}

/// Returns the places of each thing that is in one.
fn places(scene: &Scene) -> BTreeMap<&Name, BTreeSet<&Name>> {
    let mut places: BTreeMap<&Name, BTreeSet<&Name>> = BTreeMap::new();
    let is_there = |token: &&Token| {
        token.ghost.is_none() && token.carrier.is_none() && token.departure.is_none()
    };
    for token in scene.tokens.iter().filter(is_there) {
        let of = places.entry(&token.thing).or_default();
        of.extend(&token.place);
    }
    places
}

fn list<'n>(names: impl Iterator<Item = &'n &'n Name>) -> String {
    let names: Vec<String> = names.map(ToString::to_string).collect();
    names.join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `guard hall, thief -`: the places of things.
    fn scene(text: &str) -> Scene {
        let token = |part: &str| {
            let (thing, place) = part.trim().split_once(' ').unwrap();
            Token {
                thing: thing.parse().unwrap(),
                actor: None,
                number: 0,
                place: place.parse().ok(),
                ghost: None,
                meters: vec![],
                carrier: None,
                departure: None,
            }
        };
        Scene {
            tokens: text.split(',').map(token).collect(),
            ..Scene::default()
        }
    }

    fn check(before: (When, &str), after: (When, &str), expected: &str) {
        let (was, is) = (scene(before.1), scene(after.1));
        assert_eq!(moves((before.0, &was), (after.0, &is)), expected);
    }

    #[test]
    fn moves_name_the_previous_place() {
        let hall = (When::Tick(11), "guard hall, thief -");
        check(hall, (When::Tick(12), "guard hall, thief -"), "");
        check(
            hall,
            (When::Tick(12), "guard vault, thief -"),
            "tick 12: guard moves from hall to vault",
        );
        check(
            hall,
            (When::Step(1), "guard -, thief vault"),
            "step 1: guard leaves hall, thief comes to vault",
        );
        check(
            (When::Start, "key hall, key vault"),
            (When::Tick(3), "key vault, key cellar, key shop"),
            "tick 3: key moves from hall to cellar and shop",
        );
    }

    #[test]
    fn stepping_back_announces_earlier_places() {
        check(
            (When::Tick(12), "guard vault, thief shop"),
            (When::Tick(3), "guard hall, thief -"),
            "tick 3: guard is back in hall, thief is not yet in shop",
        );
    }

    #[test]
    fn many_moves_are_counted() {
        check(
            (When::Start, "a x, b x, c x, d x, e x, f x"),
            (When::Tick(0), "a y, b y, c y, d y, e y, f y"),
            "tick 0: a moves from x to y, b moves from x to y, c moves from x to y, d moves from x to y and 2 more",
        );
    }
}
