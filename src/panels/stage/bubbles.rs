//! The bubbles beside the actors, with their goals and steps.

use leptos::prelude::*;
use taskloom_document::Point;
use taskloom_layout::line_width;
use taskloom_runtime::TaskState;

use super::activities::{Activity, activities};
use super::arrange::{Arrangement, HEAD, Rect, around, key};
use super::layers::{Layer, is_brief};
use super::lines::key_of;
use super::play::Play;
use super::scene::Scene;
use super::state::Stage;
use super::token::{belief, shift};
use crate::ui::avatar::colour;
use crate::ui::live::live;

/// The maximum number of actors that all have bubbles; of more, only the shown one has.
const MAX_BUBBLES: usize = 6;
/// The smallest and the largest width of a bubble.
const WIDTHS: (i32, i32) = (64, 176);
/// The height of a bubble with one line, and that of each other line.
const HEIGHTS: (i32, i32) = (28, 15);
/// The room beside the text of a bubble.
const PADDING: f64 = 25.0;
/// The part by which semibold text is wider than the approximate width.
const BOLD: f64 = 1.08;
/// The size of the font in place names, steps and details.
const FONTS: (f64, f64, f64) = (12.0, 13.0, 11.0);
/// The distances at which a bubble without a free place beside its actor is tried.
const RINGS: std::ops::RangeInclusive<i32> = 1..=26;
/// The distance between two rings, and the number of positions on one.
const RING: (i32, usize) = (16, 24);

/// The steps of the enlargement.
const ENLARGEMENTS: f64 = 4.0;
/// The distance by which a bubble may stand out of the map.
const MARGIN: i32 = 16;

/// A goal and a step, beside an actor.
#[derive(Debug, Clone, PartialEq)]
pub struct Bubble {
    /// The actor.
    pub actor: usize,
    /// Its box.
    pub rect: Rect,
    /// The purpose of the step.
    pub purpose: String,
    /// The step.
    pub step: String,
    /// `true` if the step has failed.
    pub is_failed: bool,
}

/// Draws the bubbles.
#[component]
pub fn Bubbles(stage: Stage) -> impl IntoView {
    let scale =
        Memo::new(move |_| (stage.camera.enlargement() * ENLARGEMENTS).round() / ENLARGEMENTS);
    let bubbles = Memo::new(move |_| {
        let play = stage.play.get();
        let (Some(play), Some(tick)) = (play, stage.session.tick()) else {
            return vec![];
        };
        if !stage.layers.shows(Layer::Bubbles) {
            return vec![];
        }
        let shown = stage.session.desk.character.get();
        stage.arranged.with(|arranged| {
            let scene = stage.scene.get();
            bubbles(&play, &scene, arranged, (tick, shown), scale.get())
        })
    });
    let bubble = move |bubble: Bubble| {
        view! {
            <div
                class="stage-bubble"
                class:failed=bubble.is_failed
                aria-hidden="true"
                style:--actor=colour(bubble.actor)
                style:--enlargement=move || scale.get().to_string()
                style:width=format!("{}px", bubble.rect.width)
                style:transform=shift(bubble.rect.at)
            >
                {(!bubble.purpose.is_empty()).then(|| view! { <span>{bubble.purpose}</span> })}
                <b>{bubble.step}</b>
            </div>
        }
    };
    live(move || bubbles.get().into_iter().map(bubble).collect_view())
}

/// Returns the bubbles at a tick, where they hide no other bubble, no actor or object and no name
/// of a place, and if possible no other words either. Their texts are enlarged by a factor.
pub fn bubbles(
    play: &Play,
    scene: &Scene,
    arranged: &Arrangement,
    (tick, shown): (u32, usize),
    scale: f64,
) -> Vec<Bubble> {
    let Some(run) = &play.answer.run else {
        return vec![];
    };
    let all = activities(run, tick, play.actors.len());
    let has_bubble = |activity: &&Activity| {
        let is_few = play.actors.len() <= MAX_BUBBLES;
        (is_few || activity.character == shown) && !activity.steps.is_empty()
    };
    let mut room = Room::new(scene, arranged, scale);
    let mut bubbles = vec![];
    for activity in all.iter().filter(has_bubble) {
        let key = key_of(play, activity.character);
        let own = key.and_then(|key| arranged.tokens.get(&key));
        let (Some(own), Some(step)) = (own, activity.steps.first()) else {
            continue;
        };
        let purpose = match is_brief(scale) {
            true => String::new(),
            false => activity.why.clone(),
        };
        let rect = room.place(own, size(&purpose, &step.task, scale));
        bubbles.push(Bubble {
            actor: activity.character,
            rect,
            purpose,
            step: step.task.clone(),
            is_failed: step.state == TaskState::Failed,
        });
    }
    bubbles
}

/// Returns the size of a bubble with two lines.
fn size(purpose: &str, step: &str, scale: f64) -> Point {
    let (_, of_step, of_details) = FONTS;
    let widest = line_width(purpose, of_details).max(line_width(step, of_step) * BOLD);
    let lines = i32::from(!purpose.is_empty());
    let width = ((widest + PADDING).ceil() as i32).clamp(WIDTHS.0, WIDTHS.1);
    Point {
        x: scaled(width, scale),
        y: scaled(HEIGHTS.0 + lines * HEIGHTS.1, scale),
    }
}

fn scaled(length: i32, scale: f64) -> i32 {
    (f64::from(length) * scale).ceil() as i32
}

/// The free room of a map.
struct Room {
    /// The boxes that no bubble may hide.
    kept: Vec<Rect>,
    /// The boxes that a bubble hides only if there is no other position nearby.
    minor: Vec<Rect>,
    /// The box that a bubble leaves only if there is no other position.
    bounds: Rect,
    /// The factor by which texts are enlarged.
    scale: f64,
}

impl Room {
    fn new(scene: &Scene, arranged: &Arrangement, scale: f64) -> Self {
        let names = arranged.places.iter().map(|(name, rect)| {
            let name = name.as_ref().map_or("Nowhere", |name| name.as_str());
            let width = (line_width(name, FONTS.0) * BOLD * scale).ceil() as i32 + 14;
            let at = moved(rect.at, 6, 4);
            boxed(at, width.min(rect.width - 12), scaled(20, scale) + 4)
        });
        let tokens = arranged.tokens.values().copied();
        let kept = names.chain(tokens).collect();
        let tags = scene.tags.iter().filter_map(|(place, tags)| {
            let rect = arranged.places.get(&Some(place.clone()))?;
            let width = (line_width(&tags.join(" · "), FONTS.2) * scale).ceil() as i32 + 14;
            let height = scaled(18, scale) + 4;
            let at = moved(rect.at, 6, rect.height - height - 4);
            Some(boxed(at, width.min(rect.width - 12), height))
        });
        // The words below a wrongly believed position are wider than its head.
        let believed = scene.tokens.iter().filter(|_| !is_brief(scale));
        let beliefs = believed.filter_map(|token| {
            let words = belief(scene, token)?;
            let rect = arranged.tokens.get(&key(token))?;
            let width = (line_width(&words, FONTS.2) * scale).ceil() as i32 + 8;
            let at = moved(rect.at, (rect.width - width) / 2, rect.height - 4);
            Some(boxed(at, width, scaled(18, scale)))
        });
        let minor = tags.chain(beliefs).collect();
        let map = around(arranged.places.values());
        let bounds = boxed(
            moved(map.at, -MARGIN, -MARGIN),
            map.width + 2 * MARGIN,
            map.height + 2 * MARGIN,
        );
        Self {
            kept,
            minor,
            bounds,
            scale,
        }
    }

    /// Takes the room for a bubble: above, right, left or below its actor; or else as near as
    /// possible.
    fn place(&mut self, own: &Rect, size: Point) -> Rect {
        let center = own.center();
        let middle = center.x - size.x / 2;
        let level = own.at.y + (HEAD - size.y) / 2;
        let at_the_sides = [
            (middle, own.at.y - size.y - 8),
            (own.at.x + own.width + 2, level),
            (own.at.x - size.x - 2, level),
            (middle, own.at.y + own.height + 4),
        ];
        let scale = self.scale;
        let around = RINGS.flat_map(|ring| {
            let far = f64::from(ring * RING.0) * scale;
            (0..RING.1).map(move |step| {
                let angle = std::f64::consts::TAU * step as f64 / RING.1 as f64;
                // Above first; a bubble is wider than high.
                let (x, y) = (far * angle.sin() * 1.5, -far * angle.cos());
                let at = moved(center, x.round() as i32, y.round() as i32);
                (at.x - size.x / 2, at.y - size.y / 2)
            })
        });
        let boxes = at_the_sides.into_iter().chain(around);
        let boxes: Vec<Rect> = boxes
            .map(|(x, y)| boxed(Point { x, y }, size.x, size.y))
            .collect();
        let hides = |rect: &Rect, others: &[Rect]| {
            others.iter().filter(|other| other.overlaps(rect)).count()
        };
        let fewest = boxes.iter().enumerate().min_by_key(|(at, rect)| {
            let kept = hides(rect, &self.kept);
            // Nearby, no words are hidden either.
            let is_near = *at < at_the_sides.len() + RING.1 * 7;
            let is_out = !contains(&self.bounds, rect);
            (kept, is_out, !is_near, hides(rect, &self.minor), *at)
        });
        let chosen = fewest.map_or(boxed(own.at, size.x, size.y), |(_, rect)| *rect);
        self.kept.push(chosen);
        chosen
    }
}

fn contains(whole: &Rect, part: &Rect) -> bool {
    let (whole_end, end) = (
        moved(whole.at, whole.width, whole.height),
        moved(part.at, part.width, part.height),
    );
    part.at.x >= whole.at.x
        && part.at.y >= whole.at.y
        && end.x <= whole_end.x
        && end.y <= whole_end.y
}

fn boxed(at: Point, width: i32, height: i32) -> Rect {
    Rect { at, width, height }
}

fn moved(at: Point, x: i32, y: i32) -> Point {
    Point {
        x: at.x + x,
        y: at.y + y,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Places bubbles for actors at these corners, and returns their centers relative to those.
    fn check(actors: &[(i32, i32)], kept: &[Rect]) -> Vec<Rect> {
        let owns = actors
            .iter()
            .map(|(x, y)| boxed(Point { x: *x, y: *y }, 70, 60));
        let owns: Vec<Rect> = owns.collect();
        let mut room = Room {
            kept: owns.iter().chain(kept).copied().collect(),
            minor: vec![],
            bounds: boxed(Point { x: -900, y: -900 }, 2_000, 2_000),
            scale: 1.0,
        };
        let bubbles: Vec<Rect> = owns
            .iter()
            .map(|own| room.place(own, Point { x: 176, y: 43 }))
            .collect();
        for (at, rect) in bubbles.iter().enumerate() {
            for other in owns.iter().chain(kept).chain(&bubbles[at + 1..]) {
                assert!(!rect.overlaps(other), "{rect:?} hides {other:?}");
            }
        }
        bubbles
    }

    #[test]
    fn bubbles_are_above_their_actors_or_at_their_sides() {
        assert_eq!(check(&[(100, 200)], &[])[0].at, Point { x: 47, y: 149 });
        let name = boxed(Point { x: 60, y: 160 }, 100, 24);
        assert_eq!(
            check(&[(100, 200)], &[name])[0].at,
            Point { x: 172, y: 200 }
        );
        check(&[(100, 200), (100, 130), (174, 200), (26, 200)], &[name]);
    }

    #[test]
    fn bubbles_in_a_crowd_are_shifted() {
        let all: Vec<(i32, i32)> = (0..6).map(|at| (at % 3 * 74, at / 3 * 64)).collect();
        let names: Vec<Rect> = (0..9)
            .map(|at| {
                boxed(
                    Point {
                        x: at % 3 * 252 - 240,
                        y: at / 3 * 190 - 220,
                    },
                    220,
                    24,
                )
            })
            .collect();
        check(&all, &names);
    }

    #[test]
    fn bubbles_are_as_wide_as_their_text() {
        assert_eq!(size("", "rest", 1.0), Point { x: 64, y: 28 });
        assert!(size("for patrol", "walk-to(vault)", 1.0).x > 100);
        assert_eq!(
            size("for get-away(garden, cellar, attic, hall)", "x", 1.0).x,
            WIDTHS.1
        );
        assert_eq!(size("", "rest", 2.0), Point { x: 128, y: 56 });
    }

    #[test]
    fn bubbles_stay_on_the_map() {
        let mut room = Room {
            kept: vec![],
            minor: vec![],
            bounds: boxed(Point { x: 0, y: 0 }, 400, 300),
            scale: 1.0,
        };
        for (x, y) in [(330, 10), (0, 10), (330, 240)] {
            let own = boxed(Point { x, y }, 70, 60);
            let rect = room.place(&own, Point { x: 176, y: 43 });
            assert!(contains(&room.bounds, &rect), "{rect:?}");
        }
    }
}
