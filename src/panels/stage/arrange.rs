//! The positions of places and tokens on the map, in pixels at 100 %.

use std::collections::BTreeMap;

use taskloom_document::sort::{map_of, set_of};
use taskloom_document::{Name, Point};

use super::play::Play;
use super::scene::{Ghost, Scene, Token};

/// The size of a place that holds only a few things.
const CELL: Point = Point { x: 240, y: 150 };
/// The gap between places.
const GAP: i32 = 12;
/// The room above the tokens of a place, for its name.
const HEADING: i32 = 30;
/// The room below them, for the place's facts.
const FOOTING: i32 = 24;
/// The room for the name of the area of what is nowhere, on the left of its tokens, and the room above
/// and below them.
const ASIDE: i32 = 140;
const EDGE: i32 = 4;
/// The size of an actor with its name.
const ACTOR: Point = Point { x: 74, y: 64 };
/// The diameter of an actor's head.
pub const HEAD: i32 = 42;
/// The size of an object.
const OBJECT: Point = Point { x: 104, y: 28 };
/// The additional height for each number.
const METER: i32 = 5;
/// The size of a thing that is carried, and the height of a line below the name of a token.
const CARRIED: Point = Point { x: 70, y: 18 };
const LINE: i32 = 20;
/// The maximum number of actors side by side in a place.
const ACROSS: usize = 12;

/// A place or another box on the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rect {
    /// Its upper left corner.
    pub at: Point,
    /// Its width.
    pub width: i32,
    /// Its height.
    pub height: i32,
}

impl Rect {
    /// Returns its center.
    pub fn center(&self) -> Point {
        Point {
            x: self.at.x + self.width / 2,
            y: self.at.y + self.height / 2,
        }
    }

    /// Returns `true` if it contains a point.
    pub fn contains(&self, point: Point) -> bool {
        let (x, y) = (point.x - self.at.x, point.y - self.at.y);
        (0..self.width).contains(&x) && (0..self.height).contains(&y)
    }

    /// Returns its part that lies this far from its left, upper and lower edges.
    fn inside(&self, left: i32, top: i32, bottom: i32) -> Self {
        Self {
            at: Point {
                x: self.at.x + left,
                y: self.at.y + top,
            },
            width: self.width - left,
            height: self.height - top - bottom,
        }
    }

    /// Returns `true` if it shares an area with another one.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.at.x < other.at.x + other.width
            && other.at.x < self.at.x + self.width
            && self.at.y < other.at.y + other.height
            && other.at.y < self.at.y + self.height
    }
}

/// The identity of a token: the thing, the index among the places where it is, and who believes it.
pub type Key = (Name, usize, Option<String>);

/// Returns the key of a token.
pub fn key(token: &Token) -> Key {
    let believer = |ghost: &Ghost| ghost.believer.clone();
    (
        token.thing.clone(),
        token.number,
        token.ghost.as_ref().map(believer),
    )
}

/// The positions of everything.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Arrangement {
    /// The places; last, without a name, the area for what is nowhere, if anything is.
    pub places: BTreeMap<Option<Name>, Rect>,
    /// The positions that the places would have if they held only a few things, which the designer
    /// chooses.
    pub small: BTreeMap<Name, Point>,
    /// The boxes of tokens.
    pub tokens: BTreeMap<Key, Rect>,
    /// The box around everything.
    pub bounds: Rect,
}

impl Arrangement {
    /// Returns the place at a point.
    pub fn place_at(&self, point: Point) -> Option<&Name> {
        let mut places = self.places.iter();
        let found = places.find(|(name, rect)| name.is_some() && rect.contains(point));
        found.and_then(|(name, _)| name.as_ref())
    }

    /// Returns the center of an actor's head.
    pub fn head(&self, key: &Key) -> Option<Point> {
        let rect = self.tokens.get(key)?;
        Some(Point {
            x: rect.at.x + rect.width / 2,
            y: rect.at.y + HEAD / 2,
        })
    }
}

/// Arranges a scene. `placed` holds the designer's positions of places; of the others, those with
/// coordinates are in their cells, and the rest form a grid, by name.
pub fn arrange(play: &Play, scene: &Scene, placed: &BTreeMap<Name, Point>) -> Arrangement {
    let meters = METER * pixels(play.meters.len());
    let extra = Extra {
        meters,
        lines: LINE * pixels(play.occupancy.lines),
    };
    let size = size_of_places(play, scene, extra);
    let cell = |column: f64, line: f64| Point {
        x: (column * f64::from(CELL.x + GAP)).round() as i32,
        y: (line * f64::from(CELL.y + GAP)).round() as i32,
    };
    let lowest = play.coordinates.values().map(|(_, y)| *y + 1.0);
    let below = lowest.fold(0.0, f64::max).ceil();
    let rest = play
        .places
        .iter()
        .filter(|place| !play.coordinates.contains_key(*place));
    let columns = columns(rest.clone().count());
    let in_grid = map_of(rest.enumerate().map(|(at, place)| {
        let (column, line) = ((at % columns) as f64, (at / columns) as f64);
        (place, (column, below + line))
    }));
    let mut arranged = Arrangement::default();
    for place in &play.places {
        let at = play.coordinates.get(place).or_else(|| in_grid.get(place));
        let (column, line) = at.copied().unwrap_or_default();
        let at = placed.get(place).copied();
        let at = at.unwrap_or_else(|| cell(column, line));
        arranged.small.insert(place.clone(), at);
    }
    for (place, at) in spread(&arranged.small, size) {
        let rect = Rect {
            at,
            width: size.x,
            height: size.y,
        };
        arranged.places.insert(Some(place), rect);
    }
    add_nowhere(play, scene, &mut arranged, extra);
    for (place, rect) in &arranged.places {
        let tokens: Vec<&Token> = scene.standing(place.as_ref()).collect();
        let inside = match place {
            Some(_) => rect.inside(0, HEADING, FOOTING),
            None => rect.inside(ASIDE, EDGE, EDGE),
        };
        let slots = Slots::new(&tokens, inside.width, extra);
        for (token, rect) in tokens.iter().zip(slots.in_box(&inside)) {
            arranged.tokens.insert(key(token), rect);
        }
    }
    add_carried(scene, &mut arranged, extra);
    arranged.bounds = around(arranged.places.values());
    arranged
}

/// Returns the size of all places: as wide as makes the most crowded one the least out of
/// proportion.
fn size_of_places(play: &Play, scene: &Scene, extra: Extra) -> Point {
    // The size hardly depends on the moment, so that nothing jumps.
    let crowd = play
        .places
        .iter()
        .filter_map(|place| play.occupancy.most.get(place));
    let crowd = crowd.copied().max().unwrap_or(0);
    let size = |across: usize| {
        let width = (pixels(across) * ACTOR.x + 8).max(CELL.x);
        let worst = pixels(crowd.div_ceil(across)) * (ACTOR.y + extra.of_actors());
        let now = play.places.iter().map(|place| {
            let tokens: Vec<&Token> = scene.standing(Some(place)).collect();
            Slots::new(&tokens, width, extra).height
        });
        let height = HEADING + now.max().unwrap_or(0).max(worst) + FOOTING;
        Point {
            x: width,
            y: height.max(CELL.y),
        }
    };
    let least = usize::try_from((CELL.x - 8) / ACTOR.x).unwrap_or(1).max(1);
    let stretched = |size: &Point| {
        let (x, y) = (
            f64::from(size.x) / f64::from(CELL.x),
            f64::from(size.y) / f64::from(CELL.y),
        );
        x.max(y)
    };
    let sizes = (least..=ACROSS).map(size);
    let best = sizes.min_by(|one, other| stretched(one).total_cmp(&stretched(other)));
    best.unwrap_or(CELL)
}

/// Moves places apart that are larger than those at these positions, so that they don't cover each
/// other.
fn spread(placed: &BTreeMap<Name, Point>, size: Point) -> BTreeMap<Name, Point> {
    let xs = stretch(placed.values().map(|at| at.x), CELL.x, size.x);
    let ys = stretch(placed.values().map(|at| at.y), CELL.y, size.y);
    let moved = |at: &Point| Point {
        x: xs.get(&at.x).copied().unwrap_or(at.x),
        y: ys.get(&at.y).copied().unwrap_or(at.y),
    };
    map_of(placed.iter().map(|(name, at)| (name.clone(), moved(at))))
}

/// Returns where each position on an axis moves if what was of one length there has another one:
/// those that were clear of another one still are.
fn stretch(all: impl Iterator<Item = i32>, before: i32, now: i32) -> BTreeMap<i32, i32> {
    let mut moved: BTreeMap<i32, i32> = BTreeMap::new();
    for at in set_of(all) {
        let clear = moved.range(..=at - before).next_back();
        let last = moved.iter().next_back();
        let to = match (clear, last) {
            (Some((other, to)), _) => {
                let distance = at - other;
                to + distance.max(now + (distance - before).min(GAP))
            }
            (None, Some((other, to))) => to + (at - other),
            (None, None) => at,
        };
        // The order stays the same.
        let least = last.map_or(to, |(_, to)| to + 1);
        moved.insert(at, to.max(least));
    }
    moved
}

/// Adds what is carried, below its carriers.
fn add_carried(scene: &Scene, arranged: &mut Arrangement, extra: Extra) {
    let mut lines: BTreeMap<&Name, i32> = BTreeMap::new();
    let marked = scene
        .tokens
        .iter()
        .filter(|token| token.departure.is_some());
    lines.extend(marked.map(|token| (&token.thing, 1)));
    for token in &scene.tokens {
        let Some(carrier) = &token.carrier else {
            continue;
        };
        let Some(own) = arranged.tokens.get(&(carrier.clone(), 0, None)) else {
            continue;
        };
        let line = lines.entry(carrier).or_default();
        let rect = Rect {
            at: Point {
                x: own.at.x + (own.width - CARRIED.x) / 2,
                y: own.at.y + ACTOR.y - 4 + extra.meters + *line * LINE,
            },
            width: CARRIED.x,
            height: CARRIED.y,
        };
        *line += 1;
        arranged.tokens.insert(key(token), rect);
    }
}

/// The additional heights of tokens.
#[derive(Debug, Clone, Copy, Default)]
struct Extra {
    /// For their numbers.
    meters: i32,
    /// For the lines below the names of actors.
    lines: i32,
}

impl Extra {
    fn of_actors(self) -> i32 {
        self.meters + self.lines
    }
}

/// Adds the area for what is nowhere, below the map, as low as possible. There is room for it if
/// anything is nowhere at any time.
fn add_nowhere(play: &Play, scene: &Scene, arranged: &mut Arrangement, extra: Extra) {
    if play.occupancy.nowhere == 0 && scene.standing(None).next().is_none() {
        return;
    }
    let map = around(arranged.places.values());
    let width = map.width.max(CELL.x);
    let inside = width - ASIDE;
    let across = ((inside - 8) / ACTOR.x).max(1);
    let tokens: Vec<&Token> = scene.standing(None).collect();
    let rows = pixels(play.occupancy.nowhere).div_euclid(across) + 1;
    let room = (rows * ACTOR.y + extra.of_actors()).max(Slots::new(&tokens, inside, extra).height);
    let at = Point {
        x: map.at.x,
        y: map.at.y + map.height + GAP,
    };
    let rect = Rect {
        at,
        width,
        height: room + 2 * EDGE,
    };
    arranged.places.insert(None, rect);
}

/// The boxes of the tokens of a place, from the corner of the first.
struct Slots {
    boxes: Vec<Rect>,
    height: i32,
}

impl Slots {
    /// Arranges tokens in rows: first the actors, in the middle, then the objects.
    fn new(tokens: &[&Token], width: i32, extra: Extra) -> Self {
        let mut boxes = vec![Rect::default(); tokens.len()];
        let mut y = 0;
        for (size, is_actor, extra) in [
            (ACTOR, true, extra.of_actors()),
            (OBJECT, false, extra.meters),
        ] {
            let of_kind = tokens.iter().enumerate();
            let of_kind = of_kind.filter(|(_, token)| token.actor.is_some() == is_actor);
            let all: Vec<usize> = of_kind.map(|(at, _)| at).collect();
            let across = usize::try_from((width - 8) / size.x).unwrap_or(1).max(1);
            for row in all.chunks(across) {
                let left = match is_actor {
                    true => (width - pixels(row.len()) * size.x) / 2,
                    false => 12,
                };
                for (column, at) in row.iter().enumerate() {
                    boxes[*at] = Rect {
                        at: Point {
                            x: left + pixels(column) * size.x,
                            y,
                        },
                        width: size.x - 4,
                        height: size.y + extra - 4,
                    };
                }
                y += size.y + extra;
            }
        }
        Self { boxes, height: y }
    }

    /// Moves them into a box, in the middle of its height.
    fn in_box(self, rect: &Rect) -> impl Iterator<Item = Rect> {
        let free = rect.height - self.height;
        let top = rect.at.y + (free / 2).max(0);
        let left = rect.at.x;
        self.boxes.into_iter().map(move |own| Rect {
            at: Point {
                x: left + own.at.x,
                y: top + own.at.y,
            },
            ..own
        })
    }
}

/// Returns the box around others.
pub fn around<'r>(rects: impl Iterator<Item = &'r Rect> + Clone) -> Rect {
    let left = rects.clone().map(|rect| rect.at.x).min().unwrap_or(0);
    let top = rects.clone().map(|rect| rect.at.y).min().unwrap_or(0);
    let right = rects.clone().map(|rect| rect.at.x + rect.width).max();
    let bottom = rects.map(|rect| rect.at.y + rect.height).max();
    Rect {
        at: Point { x: left, y: top },
        width: right.unwrap_or(0) - left,
        height: bottom.unwrap_or(0) - top,
    }
}

/// Returns the number of columns of a grid, which is somewhat wider than high.
fn columns(count: usize) -> usize {
    (1..=count + 1)
        .find(|columns| columns * columns * 2 >= count * 3)
        .unwrap_or(1)
}

fn pixels(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX / 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(thing: &str, actor: Option<usize>) -> Token {
        Token {
            thing: thing.parse().unwrap(),
            actor,
            number: 0,
            place: None,
            ghost: None,
            meters: vec![],
            carrier: None,
            departure: None,
        }
    }

    #[test]
    fn tokens_of_a_place_do_not_overlap() {
        let names = ["a", "b", "c", "d", "e", "f", "g"];
        let tokens: Vec<Token> = names
            .iter()
            .enumerate()
            .map(|(at, name)| token(name, (at % 3 != 0).then_some(at)))
            .collect();
        let tokens: Vec<&Token> = tokens.iter().collect();
        let extra = Extra {
            meters: METER,
            lines: 0,
        };
        let slots = Slots::new(&tokens, CELL.x, extra);
        for (at, one) in slots.boxes.iter().enumerate() {
            assert!(one.at.x >= 0 && one.at.x + one.width <= CELL.x);
            assert!(one.at.y + one.height <= slots.height);
            for other in &slots.boxes[at + 1..] {
                assert!(!one.overlaps(other), "{one:?} and {other:?}");
            }
        }
    }

    #[test]
    fn larger_places_keep_their_distances() {
        let moved = |at: &[i32], now| {
            let moved = stretch(at.iter().copied(), 150, now);
            moved.into_values().collect::<Vec<_>>()
        };
        assert_eq!(moved(&[0, 162, 324], 150), [0, 162, 324]);
        assert_eq!(moved(&[0, 162, 324], 250), [0, 262, 524]);
        // Half a place lower, and one that overlapped before.
        assert_eq!(moved(&[0, 75, 162], 250), [0, 75, 262]);
        // There is room enough.
        assert_eq!(moved(&[0, 216], 182), [0, 216]);
    }

    #[test]
    fn grids_are_wider_than_high() {
        assert_eq!(
            [1, 2, 3, 4, 6, 12, 120].map(columns),
            [2, 2, 3, 3, 3, 5, 14]
        );
    }
}
