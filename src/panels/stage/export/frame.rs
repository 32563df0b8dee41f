//! The Stage at a moment of the run, and between two ticks.

use std::collections::{BTreeMap, BTreeSet};

use taskloom_document::sort::map_of;
use taskloom_document::{Name, Point};

use crate::panels::stage::arrange::{Arrangement, Rect, around, arrange, key};
use crate::panels::stage::bubbles::{Bubble, bubbles};
use crate::panels::stage::layers::Layer;
use crate::panels::stage::lines::{Path, key_of, paths};
use crate::panels::stage::play::Play;
use crate::panels::stage::scene::{Scene, Token};
use crate::panels::stage::state::drawn;
use crate::session::{Cursor, Happened};

/// The content of a picture of the Stage, apart from the moment.
pub struct Shot {
    /// The layers that are shown.
    pub layers: Vec<Layer>,
    /// The actor that is shown.
    pub character: usize,
    /// The designer's positions of places.
    pub placed: BTreeMap<Name, Point>,
    /// The words above the map.
    pub title: String,
}

/// Everything on the Stage at a moment.
#[derive(Clone)]
pub struct Frame {
    /// The things and where they are.
    pub scene: Scene,
    /// Their positions.
    pub arranged: Arrangement,
    /// The paths of the actors.
    pub paths: Vec<Path>,
    /// The bubbles.
    pub bubbles: Vec<Bubble>,
    /// The places that actors observe.
    pub observed: BTreeMap<usize, BTreeSet<Name>>,
    /// The words above the map.
    pub caption: String,
    /// The tick of the run; `None` before it, and for a planned step.
    pub tick: Option<u32>,
}

impl Frame {
    /// Computes the frame at the cursor.
    pub fn new(play: &Play, shot: &Shot, cursor: Cursor) -> Self {
        let shows = |layer| shot.layers.contains(&layer);
        let scene = match shows(Layer::Beliefs) {
            true => play.scene(cursor),
            false => play.scene(cursor).without_ghosts(),
        };
        let arranged = arrange(play, &scene, &shot.placed);
        let drawn = drawn(play.actors.len(), shot.character);
        let paths = match shows(Layer::Plans) {
            true => paths(play, &arranged, cursor, drawn.iter().copied()),
            false => vec![],
        };
        let seen = |actor: &usize| (*actor, play.observed(cursor, *actor));
        let observed = match shows(Layer::Senses) {
            true => map_of(drawn.iter().map(seen)),
            false => BTreeMap::new(),
        };
        let tick = play.tick(cursor);
        let bubbles = match tick.filter(|_| shows(Layer::Bubbles)) {
            Some(tick) => bubbles(play, &scene, &arranged, (tick, shot.character), 1.0),
            None => vec![],
        };
        let caption = match (tick, cursor.step) {
            (Some(tick), _) => format!("{} · tick {tick}", shot.title),
            (None, Some(step)) => format!("{} · step {}", shot.title, step + 1),
            (None, None) => format!("{} · start", shot.title),
        };
        Self {
            scene,
            arranged,
            paths,
            bubbles,
            observed,
            caption,
            tick,
        }
    }

    /// Computes the frame at a tick of the run.
    pub fn at_tick(play: &Play, shot: &Shot, tick: u32) -> Self {
        let cursor = Cursor {
            happened: Some(Happened::Tick(tick)),
            ..Cursor::default()
        };
        Self::new(play, shot, cursor)
    }

    /// Returns the box around everything.
    pub fn bounds(&self) -> Rect {
        let places = self.arranged.places.values();
        let tokens = self.arranged.tokens.values();
        let bubbles = self.bubbles.iter().map(|bubble| &bubble.rect);
        around(places.chain(tokens).chain(bubbles))
    }

    /// Returns this frame with everything that also exists in the next one on its way there.
    pub fn toward(&self, play: &Play, next: &Self, part: f64) -> Self {
        let mut frame = self.clone();
        for (key, rect) in &mut frame.arranged.tokens {
            if let Some(to) = next.arranged.tokens.get(key) {
                rect.at = between(rect.at, to.at, part);
            }
        }
        let head = |arranged: &Arrangement, actor| arranged.head(&key_of(play, actor)?);
        for path in &mut frame.paths {
            let Some(now) = head(&frame.arranged, path.actor) else {
                continue;
            };
            if let Some(first) = path.points.first_mut() {
                *first = now;
            }
            if let Some((_, to)) = &mut path.trail {
                *to = now;
            }
        }
        for bubble in &mut frame.bubbles {
            let is_same = |other: &&Bubble| other.actor == bubble.actor;
            let next = next.bubbles.iter().find(is_same);
            let before = head(&self.arranged, bubble.actor);
            bubble.rect.at = match (next, before, head(&frame.arranged, bubble.actor)) {
                (Some(next), ..) => between(bubble.rect.at, next.rect.at, part),
                (None, Some(before), Some(now)) => Point {
                    x: bubble.rect.at.x + now.x - before.x,
                    y: bubble.rect.at.y + now.y - before.y,
                },
                _ => bubble.rect.at,
            };
        }
        frame
    }

    /// Returns the tokens with their boxes.
    pub fn tokens(&self) -> impl Iterator<Item = (&Token, Rect)> {
        let tokens = self.scene.tokens.iter();
        tokens.filter_map(|token| Some((token, *self.arranged.tokens.get(&key(token))?)))
    }
}

fn between(from: Point, to: Point, part: f64) -> Point {
    let on_way = |from: i32, to: i32| from + (f64::from(to - from) * part).round() as i32;
    Point {
        x: on_way(from.x, to.x),
        y: on_way(from.y, to.y),
    }
}
