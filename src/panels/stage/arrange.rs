//! The positions of places and tokens on the map, in pixels at 100 %.

use std::collections::BTreeMap;

use taskloom_document::sort::map_of;
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
    let height = |place: &Name| {
        // The height hardly depends on the moment, so that nothing jumps.
        let crowd = play.occupancy.most.get(place).copied().unwrap_or(0);
        let across = usize::try_from((CELL.x - 8) / ACTOR.x).unwrap_or(1).max(1);
        let tokens: Vec<&Token> = scene.in_place(Some(place)).collect();
        let worst = pixels(crowd.div_ceil(across)) * (ACTOR.y + meters);
        HEADING + worst.max(Slots::new(&tokens, CELL.x, meters).height) + FOOTING
    };
    let heights = play.places.iter().map(height);
    let row = heights.max().unwrap_or(0).max(CELL.y);
    let cell = |column: f64, line: f64| Rect {
        at: Point {
            x: (column * f64::from(CELL.x + GAP)).round() as i32,
            y: (line * f64::from(row + GAP)).round() as i32,
        },
        width: CELL.x,
        height: row,
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
        let mut rect = cell(column, line);
        rect.at = placed.get(place).copied().unwrap_or(rect.at);
        arranged.places.insert(Some(place.clone()), rect);
    }
    add_nowhere(play, scene, &mut arranged, meters);
    for (place, rect) in &arranged.places {
        let tokens: Vec<&Token> = scene.in_place(place.as_ref()).collect();
        let inside = match place {
            Some(_) => rect.inside(0, HEADING, FOOTING),
            None => rect.inside(ASIDE, EDGE, EDGE),
        };
        let slots = Slots::new(&tokens, inside.width, meters);
        for (token, rect) in tokens.iter().zip(slots.in_box(&inside)) {
            arranged.tokens.insert(key(token), rect);
        }
    }
    arranged.bounds = around(arranged.places.values());
    arranged
}

/// Adds the area for what is nowhere, below the map, as low as possible. There is room for it if
/// anything is nowhere at any time.
fn add_nowhere(play: &Play, scene: &Scene, arranged: &mut Arrangement, meters: i32) {
    if play.occupancy.nowhere == 0 && scene.in_place(None).next().is_none() {
        return;
    }
    let map = around(arranged.places.values());
    let width = map.width.max(CELL.x);
    let inside = width - ASIDE;
    let across = ((inside - 8) / ACTOR.x).max(1);
    let tokens: Vec<&Token> = scene.in_place(None).collect();
    let rows = pixels(play.occupancy.nowhere).div_euclid(across) + 1;
    let room = (rows * ACTOR.y + meters).max(Slots::new(&tokens, inside, meters).height);
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
    fn new(tokens: &[&Token], width: i32, meters: i32) -> Self {
        let mut boxes = vec![Rect::default(); tokens.len()];
        let mut y = 0;
        for (size, is_actor) in [(ACTOR, true), (OBJECT, false)] {
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
                        height: size.y + meters - 4,
                    };
                }
                y += size.y + meters;
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
        let slots = Slots::new(&tokens, CELL.x, METER);
        for (at, one) in slots.boxes.iter().enumerate() {
            assert!(one.at.x >= 0 && one.at.x + one.width <= CELL.x);
            assert!(one.at.y + one.height <= slots.height);
            for other in &slots.boxes[at + 1..] {
                assert!(!one.overlaps(other), "{one:?} and {other:?}");
            }
        }
    }

    #[test]
    fn grids_are_wider_than_high() {
        assert_eq!(
            [1, 2, 3, 4, 6, 12, 120].map(columns),
            [2, 2, 3, 3, 3, 5, 14]
        );
    }
}
