//! Draws a frame as the Stage shows it, in the colours of the page.

use std::collections::BTreeSet;

use taskloom_document::Name;

use super::frame::Frame;
use super::marks::{Drawing, Image, Ink, Mark, Shape, Words};
use crate::canvas::geometry::{Rect, Vec2};
use crate::diagram::picture::Probe;
use crate::panels::stage::arrange::{self, HEAD};
use crate::panels::stage::bubbles::Bubble;
use crate::panels::stage::departures::Departure;
use crate::panels::stage::lines::Path;
use crate::panels::stage::scene::{Scene, Token};
use crate::panels::stage::token::belief;
use crate::ui::avatar::{COUNT, eyes, head};

/// The margin around the map.
const MARGIN: f64 = 20.0;
/// The room above the map, for the caption.
const CAPTION: f64 = 28.0;
/// The weight and size of titles, of steps, and of details.
const TITLE: (u16, f64) = (600, 12.0);
const STEP: (u16, f64) = (600, 13.0);
const DETAIL: (u16, f64) = (400, 11.0);
/// The magnification of an avatar's path, which has 24 units.
const AVATAR: f64 = HEAD as f64 / 24.0;

/// The colours of the page.
pub struct Palette {
    probe: Probe,
    ground: String,
    raised: String,
    panel: String,
    line: String,
    strong: String,
    ink: String,
    dim: String,
    no: String,
    accent: String,
    sans: String,
    actors: Vec<String>,
}

impl Palette {
    /// Reads the colours.
    pub fn new() -> Option<Self> {
        let probe = Probe::new()?;
        let colour = |name: &str| probe.resolved("color", name);
        let actor = |number| colour(&format!("--actor-{number}"));
        Some(Self {
            ground: colour("--bg"),
            raised: colour("--raised"),
            panel: colour("--panel"),
            line: colour("--line"),
            strong: colour("--line-strong"),
            ink: colour("--ink"),
            dim: colour("--dim"),
            no: colour("--no"),
            accent: colour("--accent"),
            sans: probe.resolved("font-family", "--sans"),
            actors: (1..=COUNT).map(actor).collect(),
            probe,
        })
    }

    fn actor(&self, number: usize) -> &String {
        &self.actors[number % COUNT]
    }
}

/// Returns the area of a drawing with this content.
pub fn area(content: arrange::Rect) -> Rect {
    let inner = boxed(&content).grown(MARGIN);
    Rect {
        y: inner.y - CAPTION,
        h: inner.h + CAPTION,
        ..inner
    }
}

/// Draws a frame; an image, if there is one, is below the map at its box, with its opacity.
pub fn draw(
    frame: &Frame,
    palette: &Palette,
    area: Rect,
    image: Option<(Image, Rect, f64)>,
) -> Drawing {
    let mut pen = Pen {
        palette,
        marks: vec![],
    };
    pen.shape(Shape::rounded(area, 0.0).filled(&palette.ground));
    if let Some((_, rect, opacity)) = &image {
        pen.marks.push(Mark::Image(*rect, *opacity));
    }
    let caption = Vec2::new(area.x + MARGIN, area.y + MARGIN + 8.0);
    let room = area.w - 2.0 * MARGIN;
    pen.words(
        caption,
        &frame.caption,
        &palette.dim,
        (400, 12.0),
        Some(room),
        false,
    );
    for (name, rect) in &frame.arranged.places {
        pen.place(frame, name.as_ref(), boxed(rect), image.is_some());
    }
    for path in &frame.paths {
        pen.path(path);
    }
    for (token, rect) in frame.tokens() {
        pen.token(&frame.scene, token, boxed(&rect));
    }
    for bubble in &frame.bubbles {
        pen.bubble(bubble);
    }
    Drawing {
        area,
        marks: pen.marks,
        sans: palette.sans.clone(),
        image: image.map(|(image, ..)| image),
    }
}

fn boxed(rect: &arrange::Rect) -> Rect {
    Rect::at(rect.at.into(), rect.width.into(), rect.height.into())
}

struct Pen<'p> {
    palette: &'p Palette,
    marks: Vec<Mark>,
}

impl Pen<'_> {
    fn shape(&mut self, shape: Shape) {
        self.marks.push(Mark::Shape(shape));
    }

    /// Draws a line of text, truncated to the room that it has.
    fn words(
        &mut self,
        at: Vec2,
        text: &str,
        ink: &str,
        font: (u16, f64),
        room: Option<f64>,
        is_centered: bool,
    ) {
        let (weight, size) = font;
        let css = format!("{weight} {size}px {}", self.palette.sans);
        let text = match room {
            Some(room) => self.palette.probe.fitted(text, &css, room),
            None => text.to_owned(),
        };
        self.marks.push(Mark::Words(Words {
            at,
            text,
            ink: ink.to_owned(),
            font,
            is_centered,
        }));
    }

    fn place(&mut self, frame: &Frame, name: Option<&Name>, rect: Rect, has_image: bool) {
        let palette = self.palette;
        let shape = Shape::rounded(rect, 12.0).stroked(&palette.strong, 1.5);
        self.shape(match name {
            // As in stage.css: the image shows through.
            Some(_) if has_image => shape.filled(Ink(palette.raised.clone(), 0.35)),
            Some(_) => shape.filled(&palette.raised),
            None => shape.dashed(4.0, 5.0),
        });
        let sees = |seen: &BTreeSet<Name>| name.is_some_and(|name| seen.contains(name));
        for (actor, _) in frame.observed.iter().filter(|(_, seen)| sees(seen)) {
            let light = Ink(palette.actor(*actor).clone(), 0.1);
            self.shape(Shape::rounded(rect, 12.0).filled(light));
        }
        let room = Some(rect.w - 24.0);
        let title = name.map_or("Nowhere", Name::as_str);
        let at = Vec2::new(rect.x + 12.0, rect.y + 21.0);
        self.words(at, title, &palette.ink, TITLE, room, false);
        if let Some(tags) = name.and_then(|name| frame.scene.tags.get(name)) {
            let at = Vec2::new(rect.x + 12.0, rect.bottom() - 11.0);
            self.words(at, &tags.join(" · "), &palette.dim, DETAIL, room, false);
        }
    }

    fn path(&mut self, path: &Path) {
        let palette = self.palette;
        let colour = palette.actor(path.actor);
        if let Some((from, to)) = path.trail {
            let line = Shape::line([Vec2::from(from), Vec2::from(to)]);
            self.shape(line.stroked(Ink(colour.clone(), 0.3), 3.0));
        }
        if path.points.len() > 1 {
            let line = Shape::line(path.points.iter().map(|point| Vec2::from(*point)));
            self.shape(line.stroked(colour, 2.5).dashed(0.1, 7.0));
        }
        for stop in &path.stops {
            let at = stop.at();
            let circle = Shape::circle(at, 9.0).filled(&palette.raised);
            self.shape(circle.stroked(colour, 1.5));
            let at = Vec2::new(at.x, at.y + 4.0);
            self.words(
                at,
                &stop.step.to_string(),
                &palette.ink,
                (600, 11.0),
                None,
                true,
            );
        }
    }

    fn token(&mut self, scene: &Scene, token: &Token, rect: Rect) {
        let palette = self.palette;
        let middle = rect.center().x;
        let is_ghost = token.ghost.is_some();
        let name = match is_ghost {
            true => format!("{}?", token.thing),
            false => token.thing.to_string(),
        };
        let mut below = rect.bottom() + 8.0;
        match token.actor {
            Some(actor) => {
                let head = Vec2::new(middle, rect.y + f64::from(HEAD) / 2.0);
                self.avatar(actor, head, is_ghost);
                if let Some(departure) = &token.departure {
                    self.cover(head, departure);
                }
                let at = Vec2::new(middle, rect.y + f64::from(HEAD) + 11.0);
                self.words(at, &name, &palette.ink, TITLE, Some(rect.w), true);
                self.meters(
                    token,
                    rect,
                    rect.y + f64::from(HEAD) + 15.0,
                    palette.actor(actor),
                );
            }
            None => {
                let shape = Shape::rounded(
                    Rect {
                        h: rect.h - 2.0,
                        ..rect
                    },
                    14.0,
                );
                let shape = shape.stroked(&palette.strong, 1.0);
                self.shape(match is_ghost {
                    true => shape.dashed(3.0, 4.0),
                    false => shape.filled(&palette.panel),
                });
                let base = if token.carrier.is_some() { 13.0 } else { 15.0 };
                let at = Vec2::new(middle, rect.y + base);
                self.words(at, &name, &palette.ink, DETAIL, Some(rect.w - 14.0), true);
                self.meters(token, rect, rect.y + 21.0, &palette.accent);
                below += 4.0;
            }
        }
        if let Some(departure) = &token.departure {
            let at = Vec2::new(middle, rect.y + f64::from(HEAD) + 29.0);
            self.words(at, &departure.text, &palette.ink, DETAIL, None, true);
        }
        if let Some(belief) = belief(scene, token) {
            let at = Vec2::new(middle, below);
            self.words(at, &belief, &palette.dim, DETAIL, None, true);
        }
    }

    fn avatar(&mut self, actor: usize, at: Vec2, is_ghost: bool) {
        let palette = self.palette;
        let colour = palette.actor(actor);
        let shape = Shape::new(head(actor)).placed(at, AVATAR);
        self.shape(match is_ghost {
            true => shape
                .filled(&palette.raised)
                .stroked(colour, 1.2)
                .dashed(1.0, 3.4),
            false => shape.filled(colour).stroked(colour, 2.0),
        });
        let ink = if is_ghost { colour } else { &palette.panel };
        for side in [-3.6, 3.6] {
            let eye = Shape::circle(Vec2::new(side, eyes(actor)), 2.1);
            self.shape(eye.placed(at, AVATAR).filled(ink));
        }
    }

    /// Draws what happened to an actor over its head: as in stage.css, one that left is pale, and one
    /// that another actor took out is behind bars.
    fn cover(&mut self, head: Vec2, departure: &Departure) {
        let palette = self.palette;
        let side = f64::from(HEAD);
        let box_ = Rect::at(
            Vec2::new(head.x - side / 2.0, head.y - side / 2.0),
            side,
            side,
        );
        if departure.is_own {
            let veil = Ink(palette.raised.clone(), 0.6);
            self.shape(Shape::rounded(box_, side / 2.0).filled(veil));
            return;
        }
        for bar in [-14.0, -7.0, 0.0, 7.0, 14.0] {
            let ends = [box_.y, box_.bottom()].map(|y| Vec2::new(head.x + bar, y));
            self.shape(Shape::line(ends).stroked(&palette.ink, 2.0));
        }
    }

    fn meters(&mut self, token: &Token, rect: Rect, from: f64, colour: &String) {
        for (at, level) in token.meters.iter().enumerate() {
            let bar = Rect {
                x: rect.x + 8.0,
                y: from + 5.0 * at as f64,
                w: rect.w - 16.0,
                h: 3.0,
            };
            self.shape(Shape::rounded(bar, 1.5).filled(&self.palette.strong));
            let w = bar.w * level.part;
            self.shape(Shape::rounded(Rect { w, ..bar }, 1.5).filled(colour));
        }
    }

    fn bubble(&mut self, bubble: &Bubble) {
        let palette = self.palette;
        let rect = boxed(&bubble.rect);
        let colour = palette.actor(bubble.actor);
        let outline = Shape::rounded(rect, 10.0).filled(&palette.raised);
        self.shape(outline.stroked(&palette.line, 1.0));
        let edge = Rect {
            y: rect.y + 5.0,
            w: 3.0,
            h: rect.h - 10.0,
            ..rect
        };
        self.shape(Shape::rounded(edge, 1.5).filled(colour));
        let room = Some(rect.w - 20.0);
        let x = rect.x + 13.0;
        let ink = if bubble.is_failed {
            &palette.no
        } else {
            &palette.ink
        };
        let last = Vec2::new(x, rect.bottom() - 10.0);
        self.words(last, &bubble.step, ink, STEP, room, false);
        if !bubble.purpose.is_empty() {
            let first = Vec2::new(x, rect.y + 17.0);
            self.words(first, &bubble.purpose, &palette.dim, DETAIL, room, false);
        }
    }
}
