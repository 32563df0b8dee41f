//! A diagram as SVG that stands alone: colours and fonts are resolved, nothing
//! refers to anything outside.

use std::fmt::Write;
use std::sync::Arc;

use leptos::prelude::*;
use taskloom::document::{Frame, Tint};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, BlobPropertyBag, CanvasRenderingContext2d, HtmlCanvasElement, HtmlElement,
    HtmlImageElement, OffscreenCanvas, OffscreenCanvasRenderingContext2d, Url,
};

use crate::canvas::geometry::{Rect, Vec2};
use crate::canvas::scene::TITLE;

/// Around the diagram, in graph units.
const MARGIN: f64 = 32.0;
const HEAD: f64 = 36.0;
const LINE: f64 = 16.0;
/// The radius of a box's corners.
const CORNER: f64 = 8.0;

/// A row of a box, with its own port or need.
pub struct Row {
    /// What is written, in front and behind.
    pub texts: [String; 2],
    /// The custom property of its colour.
    pub colour: &'static str,
    /// How high it is.
    pub height: f64,
    /// Whether the text stands at the right.
    pub right: bool,
}

/// A block or a card.
pub struct Drawn {
    /// Where it stands.
    pub rect: Rect,
    /// The custom property of its kind's colour.
    pub colour: &'static str,
    /// In its head: a mark, the name, and what stands at the right.
    pub head: [String; 3],
    /// Whether it is a card of the Board.
    pub card: bool,
    /// Whether the head is all there is, in a rounded box.
    pub pill: bool,
    /// Below the head.
    pub lines: Vec<String>,
    /// Below the lines.
    pub rows: Vec<Row>,
    /// The ports, from its corner.
    pub ports: Vec<Vec2>,
}

/// A wire.
pub struct Line {
    /// As of SVG's paths.
    pub path: String,
    /// The custom property of its colour.
    pub colour: &'static str,
    /// As of SVG's `stroke-dasharray`.
    pub dashes: &'static str,
}

/// All that is drawn.
#[derive(Default)]
pub struct Picture {
    /// Frames and notes, below all else.
    pub frames: Vec<Arc<Frame>>,
    /// Wires, below the boxes.
    pub lines: Vec<Line>,
    /// Blocks or cards.
    pub boxes: Vec<Drawn>,
    /// Headings.
    pub captions: Vec<(Vec2, &'static str)>,
}

/// Asks the page what a style comes to.
struct Probe {
    element: HtmlElement,
    measure: Option<CanvasRenderingContext2d>,
}

impl Probe {
    fn new() -> Option<Self> {
        let element: HtmlElement = document().create_element("i").ok()?.dyn_into().ok()?;
        document().body()?.append_child(&element).ok()?;
        let canvas = document().create_element("canvas").ok();
        let canvas = canvas.and_then(|c| c.dyn_into::<HtmlCanvasElement>().ok());
        let measure = canvas.and_then(|c| c.get_context("2d").ok()??.dyn_into().ok());
        Some(Self { element, measure })
    }

    /// What a property comes to where it is set to the custom property `name`.
    fn resolved(&self, property: &str, name: &str) -> String {
        let value = format!("var(--{name})");
        let _ = self.element.style().set_property(property, &value);
        let style = window().get_computed_style(&self.element).ok().flatten();
        let value = style.and_then(|style| style.get_property_value(property).ok());
        value.unwrap_or_default()
    }

    fn colour(&self, name: &str) -> String {
        self.resolved("color", name)
    }

    /// A text cut to a width.
    fn fitted(&self, text: &str, font: &str, width: f64) -> String {
        let Some(measure) = &self.measure else {
            return text.to_owned();
        };
        measure.set_font(font);
        let fits = |text: &str| measure.measure_text(text).is_ok_and(|m| m.width() <= width);
        if fits(text) {
            return text.to_owned();
        }
        let letters: Vec<char> = text.chars().collect();
        let (mut low, mut high) = (0, letters.len());
        while low < high {
            let middle = (low + high).div_ceil(2);
            let cut: String = letters.iter().take(middle).collect();
            if fits(&format!("{cut}…")) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        let cut: String = letters.iter().take(low).collect();
        format!("{cut}…")
    }
}

impl Probe {
    /// A text in lines of a width; a word that is wider is cut.
    fn wrapped(&self, text: &str, font: &str, width: f64) -> Vec<String> {
        let mut lines = vec![];
        for paragraph in text.lines() {
            let mut line = String::new();
            for word in paragraph.split(' ') {
                let longer = format!("{line}{word}");
                if !line.is_empty() && self.fitted(&longer, font, width) != longer {
                    lines.push(std::mem::take(&mut line));
                }
                line.push_str(word);
                line.push(' ');
            }
            lines.push(line);
        }
        let cut = |line: String| self.fitted(line.trim_end(), font, width);
        lines.into_iter().map(cut).collect()
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        self.element.remove();
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// The text of an SVG file, and its width and height.
pub fn svg(picture: &Picture) -> Option<(String, Vec2)> {
    let probe = Probe::new()?;
    let captions = picture
        .captions
        .iter()
        .map(|(at, _)| Rect::at(*at, 190.0, 40.0));
    let frames = picture.frames.iter().map(|frame| place(frame));
    let boxes = picture.boxes.iter().map(|b| b.rect);
    let around = Rect::around(boxes.chain(captions).chain(frames))?;
    let area = around.grown(MARGIN);
    let sans = probe.resolved("font-family", "sans");
    let mono = probe.resolved("font-family", "mono");
    let mut out = String::new();
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"{x} {y} {w} {h}\" \
         font-family=\"{}\" font-size=\"13\"><rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" fill=\"{}\"/>",
        escaped(&sans),
        probe.colour("bg"),
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
    for (at, text) in &picture.captions {
        let ink = probe.colour("dim");
        words(
            &mut out,
            Vec2::new(at.x + 2.0, at.y + 24.0),
            text,
            &ink,
            "font-weight=\"600\"",
        );
    }
    for drawn in &picture.boxes {
        draw(&mut out, &probe, drawn, &mono, &sans);
    }
    out.push_str("</svg>\n");
    Some((out, Vec2::new(area.w, area.h)))
}

fn place(frame: &Frame) -> Rect {
    let size = Vec2::from(frame.size);
    Rect::at(frame.at.into(), size.x, size.y)
}

/// As in frames.css.
fn draw_frame(out: &mut String, probe: &Probe, frame: &Frame, sans: &str) {
    let Rect { x, y, w, h } = place(frame);
    let tint = probe.colour(match frame.tint {
        Tint::Blue => "prim",
        Tint::Green => "ok",
        Tint::Yellow => "warn",
        Tint::Red => "no",
        Tint::Violet => "cond",
        Tint::Grey => "fact",
    });
    let ink = probe.colour("ink");
    let _ = write!(
        out,
        "<path d=\"M{x} {y}h{w}v{h}h-{w}z\" fill=\"{tint}\" fill-opacity=\".08\" stroke=\"{tint}\" stroke-width=\"1.5\"/>\
         <path d=\"M{x} {y}h{w}v{TITLE}h-{w}z\" fill=\"{tint}\" fill-opacity=\".22\"/>"
    );
    let font = format!("600 13px {sans}");
    let name = probe.fitted(&frame.title, &font, w - 20.0);
    let bold = "font-weight=\"600\"";
    words(out, Vec2::new(x + 10.0, y + 19.5), &name, &ink, bold);
    let font = format!("12.5px {sans}");
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
            "font-size=\"12.5\"",
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

fn draw(out: &mut String, probe: &Probe, drawn: &Drawn, mono: &str, sans: &str) {
    let Rect { x, y, w, h } = drawn.rect;
    let (ink, dim, line) = (
        probe.colour("ink"),
        probe.colour("dim"),
        probe.colour("line"),
    );
    let (panel, strong) = (probe.colour("panel"), probe.colour("line-strong"));
    let kind = probe.colour(drawn.colour);
    let radius = if drawn.pill { h / 2.0 } else { CORNER };
    let _ = write!(
        out,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"{radius}\" fill=\"{panel}\" stroke=\"{strong}\"/>"
    );
    let head = if drawn.card { 34.0 } else { HEAD };
    let base = y + head / 2.0 + 4.5;
    let [mark, name, aside] = &drawn.head;
    if drawn.pill {
        let middle = Vec2::new(x + w / 2.0, base);
        words(
            out,
            middle,
            name,
            &ink,
            "font-weight=\"600\" text-anchor=\"middle\"",
        );
    } else {
        let tinge = format!("fill=\"{kind}\" fill-opacity=\".18\"/>");
        if h <= head {
            let _ = write!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"{radius}\" {tinge}"
            );
        } else {
            let [from, across, down] = [y + CORNER, w - 2.0 * CORNER, head - CORNER];
            let _ = write!(
                out,
                "<path d=\"M{x} {from}a8 8 0 0 1 8 -8h{across}a8 8 0 0 1 8 8v{down}h-{w}z\" {tinge}"
            );
        }
        let from = x + 12.0;
        if mark.is_empty() {
            let _ = write!(
                out,
                "<rect x=\"{from}\" y=\"{}\" width=\"10\" height=\"10\" rx=\"3\" fill=\"{kind}\"/>",
                y + head / 2.0 - 5.0
            );
        } else {
            words(
                out,
                Vec2::new(from - 1.0, base),
                mark,
                &kind,
                "font-size=\"15\"",
            );
        }
        let room = w - 40.0 - 6.2 * aside.chars().count() as f64;
        let name = probe.fitted(name, &format!("600 13px {sans}"), room);
        words(
            out,
            Vec2::new(from + 18.0, base),
            &name,
            &ink,
            "font-weight=\"600\"",
        );
        let end = Vec2::new(x + w - 10.0, base);
        words(
            out,
            end,
            aside,
            &dim,
            "font-size=\"11.5\" text-anchor=\"end\"",
        );
    }
    let rule = |out: &mut String, at: f64| {
        let _ = write!(out, "<path d=\"M{x} {at}h{w}\" stroke=\"{line}\"/>");
    };
    let code = format!("font-family=\"{}\" font-size=\"11.5\"", escaped(mono));
    let mut below = y + head;
    if !drawn.lines.is_empty() && !drawn.pill {
        rule(out, below);
        for (at, text) in drawn.lines.iter().enumerate() {
            let at = Vec2::new(x + 12.0, below + 17.0 + LINE * at as f64);
            words(out, at, text, &dim, &code);
        }
        let padding = if drawn.card { 8.0 } else { 12.0 };
        below += padding + LINE * drawn.lines.len() as f64;
    }
    if !drawn.rows.is_empty() {
        rule(out, below);
        below += if drawn.card { 3.0 } else { 0.0 };
    }
    for row in &drawn.rows {
        let base = below + row.height / 2.0 + 4.0;
        let colour = probe.colour(row.colour);
        let [first, second] = &row.texts;
        if row.right {
            let first = probe.fitted(first, &format!("12px {sans}"), w - 28.0);
            let end = Vec2::new(x + w - 14.0, base);
            words(
                out,
                end,
                &first,
                &colour,
                "font-size=\"12\" text-anchor=\"end\"",
            );
        } else {
            let room = if second.is_empty() { w - 24.0 } else { 44.0 };
            let first = probe.fitted(first, &format!("11.5px {sans}"), room);
            words(
                out,
                Vec2::new(x + 12.0, base),
                &first,
                &colour,
                "font-size=\"11.5\"",
            );
            let second = probe.fitted(second, &format!("11px {mono}"), w - 68.0);
            words(out, Vec2::new(x + 58.0, base), &second, &dim, &code);
        }
        below += row.height;
    }
    for port in &drawn.ports {
        let [cx, cy] = [x + port.x, y + port.y];
        let _ = write!(
            out,
            "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"4.5\" fill=\"{panel}\" stroke=\"{strong}\" stroke-width=\"2\"/>"
        );
    }
}

/// The bytes of a PNG file, twice as fine as the screen where that is not too
/// large for the browser.
pub async fn png(svg: &str, size: Vec2) -> Option<Blob> {
    let scale = (16_000.0 / size.x.max(size.y))
        .min((120e6 / (size.x * size.y)).sqrt())
        .min(2.0);
    let parts = js_sys::Array::of1(&svg.into());
    let options = BlobPropertyBag::new();
    options.set_type("image/svg+xml");
    let blob = Blob::new_with_str_sequence_and_options(&parts, &options).ok()?;
    let address = Url::create_object_url_with_blob(&blob).ok()?;
    let image = HtmlImageElement::new().ok()?;
    image.set_src(&address);
    let decoded = JsFuture::from(image.decode()).await;
    let _ = Url::revoke_object_url(&address);
    decoded.ok()?;
    let (w, h) = ((size.x * scale).floor(), (size.y * scale).floor());
    let canvas = OffscreenCanvas::new(w as u32, h as u32).ok()?;
    let context = canvas.get_context("2d").ok()??;
    let context: OffscreenCanvasRenderingContext2d = context.dyn_into().ok()?;
    context
        .draw_image_with_html_image_element_and_dw_and_dh(&image, 0.0, 0.0, w, h)
        .ok()?;
    let blob = JsFuture::from(canvas.convert_to_blob().ok()?).await.ok()?;
    blob.dyn_into().ok()
}
