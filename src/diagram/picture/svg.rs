//! A diagram as a self-contained SVG: colours and font families are resolved, and nothing refers to
//! anything outside.

use std::fmt::Write;
use std::sync::Arc;

use taskloom_document::{Frame, Port, Tint};

use super::probe::Probe;
use crate::canvas::colour::Colour;
use crate::canvas::geometry::{Rect, Vec2};
use crate::canvas::scene::{Slot, TITLE};
use crate::diagram::face::{CARD, CHANGES, Face, LINE, Row, need};
use crate::diagram::frames::rect;
use crate::ui::icon::Lucide;

/// The margin around the diagram, in graph units.
const MARGIN: f64 = 32.0;
/// The minimum width of a detail that yields to the title next to it, as in nodes.css.
const MIN_ASIDE_WIDTH: f64 = 40.0;
/// The side of the tile with a box's icon.
const TILE: f64 = 20.0;
/// The radius of a box's corners.
const CORNER: f64 = 8.0;

/// A wire.
pub struct Line {
    /// The `d` of an SVG path.
    pub path: String,
    /// Its colour.
    pub colour: Colour,
    /// The value of SVG's `stroke-dasharray`.
    pub dashes: &'static str,
}

/// The content of a picture.
#[derive(Default)]
pub struct Picture {
    /// Frames and notes, below everything else.
    pub frames: Vec<Arc<Frame>>,
    /// Wires, below the boxes.
    pub lines: Vec<Line>,
    /// Blocks or cards, with their positions.
    pub boxes: Vec<(Vec2, Face)>,
    /// Headings, with their places.
    pub captions: Vec<(Rect, String)>,
}

/// Returns a text as the content or an attribute of an SVG element.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// Returns the text of an SVG file, with its width and height.
pub fn svg(picture: &Picture) -> Option<(String, Vec2)> {
    let probe = Probe::new()?;
    let captions = picture.captions.iter().map(|(rect, _)| *rect);
    let frames = picture.frames.iter().map(|frame| rect(frame));
    let boxes = picture.boxes.iter();
    let boxes = boxes.map(|(at, face)| face.shape(*at).rect);
    let around = Rect::around(boxes.chain(captions).chain(frames))?;
    let area = around.grown(MARGIN);
    let sans = probe.resolved("font-family", "--sans");
    let mono = probe.resolved("font-family", "--mono");
    let mut out = String::new();
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"{x} {y} {w} {h}\" \
         font-family=\"{}\" font-size=\"13\"><rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" fill=\"{}\"/>",
        escaped(&sans),
        probe.colour(Colour::Background),
        x = area.x,
        y = area.y,
        w = area.w,
        h = area.h,
    );
    for frame in &picture.frames {
        draw_frame(&mut out, &probe, frame, &sans);
    }
    for line in &picture.lines {
        let _ = write!(
            out,
            "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\" stroke-dasharray=\"{}\"/>",
            line.path,
            probe.colour(line.colour),
            line.dashes,
        );
    }
    for (rect, text) in &picture.captions {
        let ink = probe.colour(Colour::Dim);
        words(
            &mut out,
            Vec2::new(rect.x + 2.0, rect.y + 0.6 * rect.h),
            text,
            &ink,
            "font-weight=\"600\"",
        );
    }
    let mut pen = Pen::new(&mut out, &probe, &mono, &sans);
    for (at, face) in &picture.boxes {
        pen.draw(*at, face);
    }
    out.push_str("</svg>\n");
    Some((out, Vec2::new(area.w, area.h)))
}

/// Draws a frame as in frames.css.
fn draw_frame(out: &mut String, probe: &Probe, frame: &Frame, sans: &str) {
    let Rect { x, y, w, h } = rect(frame);
    let tint = probe.colour(match frame.tint {
        Tint::Blue => Colour::Primitive,
        Tint::Green => Colour::Ok,
        Tint::Yellow => Colour::Warn,
        Tint::Red => Colour::No,
        Tint::Violet => Colour::Condition,
        Tint::Grey => Colour::Dim,
    });
    let ink = probe.colour(Colour::Ink);
    let _ = write!(
        out,
        "<path d=\"M{x} {y}h{w}v{h}h-{w}z\" fill=\"{tint}\" fill-opacity=\".08\" stroke=\"{tint}\" stroke-width=\"1.5\"/>\
         <path d=\"M{x} {y}h{w}v{TITLE}h-{w}z\" fill=\"{tint}\" fill-opacity=\".22\"/>"
    );
    let font = format!("600 13px {sans}");
    let name = probe.fitted(&frame.title, &font, w - 20.0);
    let bold = "font-weight=\"600\"";
    words(out, Vec2::new(x + 10.0, y + 19.5), &name, &ink, bold);
    let font = format!("12px {sans}");
    let mut base = y + TITLE + 19.0;
    for line in probe.wrapped(&frame.note, &font, w - 20.0) {
        if base > y + h {
            break;
        }
        words(
            out,
            Vec2::new(x + 10.0, base),
            &line,
            &ink,
            "font-size=\"12\"",
        );
        base += 17.0;
    }
}

fn words(out: &mut String, at: Vec2, text: &str, ink: &str, more: &str) {
    let Vec2 { x, y } = at;
    let text = escaped(text);
    let _ = write!(
        out,
        "<text x=\"{x}\" y=\"{y}\" fill=\"{ink}\" {more}>{text}</text>"
    );
}

/// Draws boxes.
struct Pen<'a> {
    out: &'a mut String,
    probe: &'a Probe,
    sans: &'a str,
    mono: &'a str,
    /// The attributes for text of the expression language.
    code: String,
    ink: String,
    dim: String,
    line: String,
    strong: String,
    panel: String,
}

impl<'a> Pen<'a> {
    fn new(out: &'a mut String, probe: &'a Probe, mono: &'a str, sans: &'a str) -> Self {
        Self {
            out,
            probe,
            sans,
            mono,
            code: format!("font-family=\"{}\" font-size=\"11\"", escaped(mono)),
            ink: probe.colour(Colour::Ink),
            dim: probe.colour(Colour::Dim),
            line: probe.colour(Colour::Line),
            strong: probe.colour(Colour::LineStrong),
            panel: probe.colour(Colour::Panel),
        }
    }

    fn draw(&mut self, at: Vec2, face: &Face) {
        let size = face.size();
        let rect = Rect::at(at, size.x, size.y);
        self.outline(&rect, face);
        if face.is_pill() {
            self.pill(&rect, face);
        } else {
            self.head(&rect, face);
            if !face.collapsed {
                self.lines(&rect, face);
                self.rows(&rect, face);
            }
        }
        self.ports(&rect, face);
    }

    fn outline(&mut self, rect: &Rect, face: &Face) {
        let Rect { x, y, w, h } = rect;
        let radius = if face.is_pill() { h / 2.0 } else { CORNER };
        let (panel, line) = (&self.panel, &self.line);
        let _ = write!(
            self.out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"{radius}\" fill=\"{panel}\" stroke=\"{line}\"/>"
        );
    }

    fn pill(&mut self, rect: &Rect, face: &Face) {
        let middle = Vec2::new(rect.center().x + 10.0, rect.center().y + 4.5);
        let style = "font-weight=\"600\" text-anchor=\"middle\"";
        words(self.out, middle, &face.title, &self.ink, style);
        let at = Vec2::new(rect.x + 12.0, rect.center().y - 7.0);
        let ink = self.dim.clone();
        self.icon(face.look.icon(), at, 14.0, &ink);
    }

    /// Draws an icon with its upper left corner at a position.
    fn icon(&mut self, icon: Lucide, at: Vec2, side: f64, ink: &str) {
        let (Vec2 { x, y }, d) = (at, icon.path());
        let scale = side / 24.0;
        let _ = write!(
            self.out,
            "<path transform=\"translate({x} {y}) scale({scale:.4})\" d=\"{d}\" fill=\"none\" stroke=\"{ink}\" \
             stroke-width=\"1.75\" stroke-linecap=\"round\" stroke-linejoin=\"round\"/>"
        );
    }

    /// Draws the head: the icon in the kind's colour, and its text.
    fn head(&mut self, rect: &Rect, face: &Face) {
        let Rect { x, y, w, .. } = *rect;
        let (head, kind) = (face.form.head, self.probe.colour(face.look.colour()));
        let top = y + (head - TILE) / 2.0;
        let from = x + 8.0;
        let _ = write!(
            self.out,
            "<rect x=\"{from}\" y=\"{top}\" width=\"{TILE}\" height=\"{TILE}\" rx=\"5\" fill=\"{kind}\" \
             fill-opacity=\".14\"/>"
        );
        let inside = Vec2::new(from + (TILE - 14.0) / 2.0, top + (TILE - 14.0) / 2.0);
        self.icon(face.look.icon(), inside, 14.0, &kind);
        let base = y + head / 2.0 + 4.5;
        let font = format!("600 13px {}", self.sans);
        let small = format!("11px {}", self.sans);
        let room = w - 46.0;
        let between = if face.aside.is_empty() { 0.0 } else { 8.0 };
        let mut least = self.probe.width(&face.aside, &small);
        if face.aside_yields() {
            least = least.min(MIN_ASIDE_WIDTH);
        }
        let left = room - between - least;
        let title = self.probe.fitted(&face.title, &font, left);
        let at = Vec2::new(from + TILE + 8.0, base);
        words(self.out, at, &title, &self.ink, "font-weight=\"600\"");
        let left = room - between - self.probe.width(&title, &font);
        let aside = self.probe.fitted(&face.aside, &small, left);
        let end = Vec2::new(x + w - 10.0, base);
        let style = "font-size=\"11\" text-anchor=\"end\"";
        words(self.out, end, &aside, &self.dim, style);
    }

    fn lines(&mut self, rect: &Rect, face: &Face) {
        if face.lines.is_empty() {
            return;
        }
        let top = rect.y + face.form.head;
        // A card's lines begin below its title.
        let [left, above] = match *face.form == CARD {
            true => [36.0, 11.0],
            false => [12.0, 14.0],
        };
        for (number, text) in face.lines.iter().enumerate() {
            let at = Vec2::new(rect.x + left, top + above + LINE * number as f64);
            words(self.out, at, text, &self.dim, &self.code);
        }
    }

    fn rows(&mut self, rect: &Rect, face: &Face) {
        if face.rows.is_empty() {
            return;
        }
        let top = rect.y + face.rows_top();
        let mut middle = top + face.form.around_rows[0] + face.form.row / 2.0;
        for row in &face.rows {
            self.row(rect, row, middle + 4.0);
            middle += face.form.row;
        }
    }

    fn row(&mut self, rect: &Rect, row: &Row, base: f64) {
        let Rect { x, w, .. } = *rect;
        let (colour, probe) = (self.probe.colour(row.colour()), self.probe);
        let fitted = |text: &str, font: &str, width| probe.fitted(text, font, width);
        match row.port {
            Slot::Need(_) | Slot::Changes => {
                let icon = match row.port {
                    Slot::Need(role) => need(role).icon,
                    _ => CHANGES.icon,
                };
                let text = fitted(&row.text, &format!("11px {}", self.mono), w - 46.0);
                self.icon(icon, Vec2::new(x + 11.0, base - 11.0), 14.0, &colour);
                let at = Vec2::new(x + 36.0, base);
                words(self.out, at, &text, &self.dim, &self.code);
            }
            Slot::Out(Port::True | Port::False) => {
                let text = fitted(&row.text, &format!("12px {}", self.sans), w - 28.0);
                let end = Vec2::new(x + w - 14.0, base);
                let style = "font-size=\"12\" text-anchor=\"end\"";
                words(self.out, end, &text, &colour, style);
            }
            _ => {
                let text = fitted(&row.text, &format!("11px {}", self.sans), w - 24.0);
                let at = Vec2::new(x + 12.0, base);
                words(self.out, at, &text, &colour, "font-size=\"11\"");
            }
        }
    }

    fn ports(&mut self, rect: &Rect, face: &Face) {
        let (panel, strong) = (&self.panel, &self.strong);
        let sockets = face.sockets().into_iter();
        for socket in sockets.filter(|socket| !face.unmet.contains(&socket.port)) {
            let Vec2 { x, y } = rect.corner() + socket.at;
            let _ = write!(
                self.out,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"4.5\" fill=\"{panel}\" stroke=\"{strong}\" stroke-width=\"2\"/>"
            );
        }
    }
}
