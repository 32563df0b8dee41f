//! The positions of places and tokens on the map, in pixels.

use std::collections::BTreeMap;

use taskloom::document::{Name, Point};

use super::scene::{Play, Scene, Token};

/// The width of a token.
pub const TOKEN_WIDTH: i32 = 104;
/// The height of a token without numbers.
const TOKEN_HEIGHT: i32 = 22;
/// The additional height for each number.
const METER_HEIGHT: i32 = 5;
/// The gap between tokens, and to the edges of their place.
const GAP: i32 = 5;
/// The height of a place's name.
const HEADING: i32 = 20;
/// The gap between places.
const BETWEEN: i32 = 12;
/// The maximum number of places side by side, as long as nobody arranges them.
const MAX_COLUMNS: usize = 7;

/// A place on the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rect {
    /// Its upper left corner.
    pub at: Point,
    /// Its width.
    pub width: i32,
    /// Its height.
    pub height: i32,
}

/// The identity of a token: the thing, the index among the places where it is, and who believes it.
pub type Key = (Name, usize, Option<String>);

/// Returns the key of a token.
pub fn key(token: &Token) -> Key {
    (token.thing.clone(), token.number, token.ghost.clone())
}

/// The positions of everything.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Arrangement {
    /// The places; last, without a name, the area for what is nowhere, if anything is.
    pub places: BTreeMap<Option<Name>, Rect>,
    /// The upper left corners of tokens.
    pub tokens: BTreeMap<Key, Point>,
    /// The total size.
    pub size: Point,
}

/// Arranges a scene. `placed` holds the designer's positions of places; others form a grid, by
/// name.
pub fn arrange(play: &Play, scene: &Scene, placed: &BTreeMap<Name, Point>) -> Arrangement {
    let meters = i32::try_from(play.meters.len()).unwrap_or(0);
    let token_height = TOKEN_HEIGHT + METER_HEIGHT * meters;
    let size = |place: Option<&Name>| {
        let crowd = place.and_then(|place| play.crowds.get(place)).copied();
        // The width doesn't depend on the moment, so that nothing jumps.
        let across = across(crowd.unwrap_or(1));
        let count = scene.in_place(place).count();
        let rows = count.max(crowd.unwrap_or(0)).max(1).div_ceil(across);
        Rect {
            at: Point::default(),
            width: GAP + pixels(across) * (TOKEN_WIDTH + GAP),
            height: HEADING + pixels(rows) * (token_height + GAP),
        }
    };
    let sizes: Vec<Rect> = play.places.iter().map(|place| size(Some(place))).collect();
    let mut arranged = Arrangement::default();
    for ((place, at), size) in play.places.iter().zip(grid(&sizes)).zip(&sizes) {
        let at = placed.get(place).copied().unwrap_or(at);
        arranged
            .places
            .insert(Some(place.clone()), Rect { at, ..*size });
    }
    let bottom = |places: &BTreeMap<Option<Name>, Rect>| {
        let bottoms = places.values().map(|rect| rect.at.y + rect.height);
        bottoms.max().unwrap_or(0)
    };
    if scene.in_place(None).next().is_some() {
        let y = bottom(&arranged.places) + BETWEEN;
        let at = Point { x: 0, y };
        let count = scene.in_place(None).count();
        let across = count.min(MAX_COLUMNS);
        let rect = Rect {
            at,
            width: GAP + pixels(across) * (TOKEN_WIDTH + GAP),
            height: HEADING + pixels(count.div_ceil(across)) * (token_height + GAP),
        };
        arranged.places.insert(None, rect);
    }
    for (place, rect) in &arranged.places {
        let across = usize::try_from(rect.width / (TOKEN_WIDTH + GAP)).unwrap_or(1);
        for (at, token) in scene.in_place(place.as_ref()).enumerate() {
            let across = across.max(1);
            let point = Point {
                x: rect.at.x + GAP + pixels(at % across) * (TOKEN_WIDTH + GAP),
                y: rect.at.y + HEADING + pixels(at / across) * (token_height + GAP),
            };
            arranged.tokens.insert(key(token), point);
        }
    }
    let rights = arranged.places.values().map(|rect| rect.at.x + rect.width);
    arranged.size = Point {
        x: rights.max().unwrap_or(0),
        y: bottom(&arranged.places),
    };
    arranged
}

/// Returns the number of tokens side by side in a place that holds a number of them.
fn across(crowd: usize) -> usize {
    match crowd {
        0 | 1 => 1,
        2..=4 => 2,
        _ => 3,
    }
}

/// Returns the corners of boxes in rows and columns, each as large as its largest box.
fn grid(sizes: &[Rect]) -> Vec<Point> {
    // The panel is about three times as wide as it is high.
    let columns = (1..MAX_COLUMNS).find(|columns| columns * columns >= 3 * sizes.len());
    let columns = columns.unwrap_or(MAX_COLUMNS);
    let largest = |length: fn(&Rect) -> i32, rects: &mut dyn Iterator<Item = &Rect>| {
        rects.map(length).max().unwrap_or(0)
    };
    let mut corners = vec![Point::default(); sizes.len()];
    let mut x = 0;
    for column in 0..columns {
        for corner in corners.iter_mut().skip(column).step_by(columns) {
            corner.x = x;
        }
        let mut rects = sizes.iter().skip(column).step_by(columns);
        x += largest(|rect| rect.width, &mut rects) + BETWEEN;
    }
    let mut y = 0;
    for (corners, rects) in corners.chunks_mut(columns).zip(sizes.chunks(columns)) {
        for corner in corners {
            corner.y = y;
        }
        y += largest(|rect| rect.height, &mut rects.iter()) + BETWEEN;
    }
    corners
}

fn pixels(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX / 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_form_a_grid_without_overlap() {
        let sizes: Vec<Rect> = (0..10)
            .map(|number| Rect {
                at: Point::default(),
                width: 50 + 10 * (number % 3),
                height: 40 + 5 * (number % 4),
            })
            .collect();
        let corners = grid(&sizes);
        assert_eq!(corners[0], Point { x: 0, y: 0 });
        assert_eq!(corners[6].x, corners[0].x, "six side by side");
        for (at, (one, size)) in corners.iter().zip(&sizes).enumerate() {
            for other in &corners[at + 1..] {
                let is_apart_in_x = other.x >= one.x + size.width || other.x < one.x;
                let is_below = other.y >= one.y + size.height;
                assert!(is_apart_in_x || is_below, "{one} and {other}");
            }
        }
    }
}
