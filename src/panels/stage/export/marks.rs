//! A drawing as a list of marks: the same for an SVG file and for a canvas.

use std::fmt::Write;

use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, HtmlImageElement};

use crate::canvas::geometry::{Rect, Vec2};
use crate::diagram::picture::escaped;
use crate::web::recorder::CanvasPath;

/// A colour with an opacity from 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Ink(pub String, pub f64);

impl From<&String> for Ink {
    fn from(colour: &String) -> Self {
        Self(colour.clone(), 1.0)
    }
}

/// A path that is filled, stroked or both.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// The `d` of an SVG path.
    path: String,
    /// The position of the path's origin.
    at: Vec2,
    /// The factor by which the path is magnified.
    scale: f64,
    fill: Option<Ink>,
    stroke: Option<Ink>,
    /// The width of the stroke, before it is magnified.
    width: f64,
    /// The lengths of dashes and gaps; 0 for a solid stroke.
    dashes: (f64, f64),
}

impl Shape {
    /// Creates a shape without fill and stroke.
    pub fn new(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            at: Vec2::default(),
            scale: 1.0,
            fill: None,
            stroke: None,
            width: 1.0,
            dashes: (0.0, 0.0),
        }
    }

    /// Creates a rectangle with round corners.
    pub fn rounded(rect: Rect, radius: f64) -> Self {
        let r = radius.min(rect.w / 2.0).min(rect.h / 2.0);
        let (w, h) = (rect.w - 2.0 * r, rect.h - 2.0 * r);
        Self::new(format!(
            "M{} {}h{w}a{r} {r} 0 0 1 {r} {r}v{h}a{r} {r} 0 0 1-{r} {r}h-{w}a{r} {r} 0 0 1-{r}-{r}v-{h}a{r} {r} 0 0 1 {r}-{r}z",
            rect.x + r,
            rect.y,
        ))
    }

    /// Creates a circle.
    pub fn circle(center: Vec2, r: f64) -> Self {
        let (x, y, d) = (center.x - r, center.y, 2.0 * r);
        Self::new(format!("M{x} {y}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0-{d} 0z"))
    }

    /// Creates a line through points.
    pub fn line(points: impl IntoIterator<Item = Vec2>) -> Self {
        let mut path = String::new();
        for point in points {
            let command = if path.is_empty() { 'M' } else { 'L' };
            let _ = write!(path, "{command}{} {}", point.x, point.y);
        }
        Self::new(path)
    }

    /// Moves and magnifies the path.
    pub fn placed(mut self, at: Vec2, scale: f64) -> Self {
        (self.at, self.scale) = (at, scale);
        self
    }

    /// Fills the path.
    pub fn filled(mut self, ink: impl Into<Ink>) -> Self {
        self.fill = Some(ink.into());
        self
    }

    /// Strokes the path.
    pub fn stroked(mut self, ink: impl Into<Ink>, width: f64) -> Self {
        (self.stroke, self.width) = (Some(ink.into()), width);
        self
    }

    /// Strokes the path with dashes.
    pub fn dashed(mut self, dash: f64, gap: f64) -> Self {
        self.dashes = (dash, gap);
        self
    }
}

/// A line of text.
#[derive(Debug, Clone, PartialEq)]
pub struct Words {
    /// The start of its baseline, or the middle.
    pub at: Vec2,
    /// The text.
    pub text: String,
    /// Its colour.
    pub ink: String,
    /// Its weight and size.
    pub font: (u16, f64),
    /// `true` if it is centered at its position.
    pub is_centered: bool,
}

/// A part of a drawing.
#[derive(Debug, Clone, PartialEq)]
pub enum Mark {
    /// A path.
    Shape(Shape),
    /// A line of text.
    Words(Words),
    /// The drawing's image, with its opacity.
    Image(Rect, f64),
}

/// The image in a drawing.
#[derive(Clone)]
pub struct Image {
    /// Its `data:` address.
    pub address: String,
    /// The loaded image.
    pub element: HtmlImageElement,
}

/// Marks, the lowest first, in an area.
pub struct Drawing {
    /// The visible area.
    pub area: Rect,
    /// The marks.
    pub marks: Vec<Mark>,
    /// The font.
    pub sans: String,
    /// The image below the map.
    pub image: Option<Image>,
}

impl Drawing {
    /// Returns the text of an SVG file, which refers to nothing outside.
    pub fn svg(&self) -> String {
        let Rect { x, y, w, h } = self.area;
        let mut out = String::new();
        let _ = write!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"{x} {y} {w} {h}\" \
             font-family=\"{}\">",
            escaped(&self.sans),
        );
        for mark in &self.marks {
            match mark {
                Mark::Shape(shape) => write_shape(&mut out, shape),
                Mark::Words(words) => write_words(&mut out, words),
                Mark::Image(rect, opacity) => {
                    let address = self.image.as_ref().map_or("", |image| &image.address);
                    let _ = write!(
                        out,
                        "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" opacity=\"{opacity}\" \
                         preserveAspectRatio=\"none\" href=\"{}\"/>",
                        rect.x,
                        rect.y,
                        rect.w,
                        rect.h,
                        escaped(address),
                    );
                }
            }
        }
        out.push_str("</svg>\n");
        out
    }

    /// Draws on a canvas, magnified.
    pub fn paint(&self, canvas: &HtmlCanvasElement, scale: f64) -> Option<()> {
        let context = canvas.get_context("2d").ok()??;
        let context: CanvasRenderingContext2d = context.dyn_into().ok()?;
        let origin = Vec2::new(-self.area.x, -self.area.y) * scale;
        let place = |at: Vec2, by: f64| {
            let (at, by) = (origin + at * scale, scale * by);
            let _ = context.set_transform(by, 0.0, 0.0, by, at.x, at.y);
        };
        for mark in &self.marks {
            match mark {
                Mark::Shape(shape) => {
                    place(shape.at, shape.scale);
                    paint_shape(&context, shape);
                }
                Mark::Words(words) => {
                    place(Vec2::default(), 1.0);
                    let (weight, size) = words.font;
                    context.set_font(&format!("{weight} {size}px {}", self.sans));
                    context.set_text_align(if words.is_centered { "center" } else { "start" });
                    context.set_fill_style_str(&words.ink);
                    let _ = context.fill_text(&words.text, words.at.x, words.at.y);
                }
                Mark::Image(rect, opacity) => {
                    place(Vec2::default(), 1.0);
                    let Some(image) = &self.image else { continue };
                    context.set_global_alpha(*opacity);
                    let _ = context.draw_image_with_html_image_element_and_dw_and_dh(
                        &image.element,
                        rect.x,
                        rect.y,
                        rect.w,
                        rect.h,
                    );
                    context.set_global_alpha(1.0);
                }
            }
        }
        Some(())
    }
}

fn write_shape(out: &mut String, shape: &Shape) {
    let _ = write!(out, "<path d=\"{}\"", shape.path);
    if shape.scale != 1.0 || shape.at != Vec2::default() {
        let (at, scale) = (shape.at, shape.scale);
        let _ = write!(
            out,
            " transform=\"translate({} {}) scale({scale})\"",
            at.x, at.y
        );
    }
    match &shape.fill {
        Some(Ink(colour, opacity)) => {
            let _ = write!(out, " fill=\"{colour}\" fill-opacity=\"{opacity}\"");
        }
        None => out.push_str(" fill=\"none\""),
    }
    if let Some(Ink(colour, opacity)) = &shape.stroke {
        let _ = write!(
            out,
            " stroke=\"{colour}\" stroke-opacity=\"{opacity}\" stroke-width=\"{}\" stroke-linecap=\"round\" \
             stroke-linejoin=\"round\"",
            shape.width,
        );
        if shape.dashes.1 > 0.0 {
            let _ = write!(
                out,
                " stroke-dasharray=\"{} {}\"",
                shape.dashes.0, shape.dashes.1
            );
        }
    }
    out.push_str("/>");
}

fn write_words(out: &mut String, words: &Words) {
    let anchor = if words.is_centered {
        " text-anchor=\"middle\""
    } else {
        ""
    };
    let (weight, size) = words.font;
    let _ = write!(
        out,
        "<text x=\"{}\" y=\"{}\" fill=\"{}\" font-weight=\"{weight}\" font-size=\"{size}\"{anchor}>{}</text>",
        words.at.x,
        words.at.y,
        words.ink,
        escaped(&words.text),
    );
}

fn paint_shape(context: &CanvasRenderingContext2d, shape: &Shape) {
    let Some(path) = CanvasPath::new(&shape.path) else {
        return;
    };
    if let Some(Ink(colour, opacity)) = &shape.fill {
        context.set_global_alpha(*opacity);
        context.set_fill_style_str(colour);
        path.fill(context);
    }
    if let Some(Ink(colour, opacity)) = &shape.stroke {
        context.set_global_alpha(*opacity);
        context.set_stroke_style_str(colour);
        context.set_line_width(shape.width);
        context.set_line_cap("round");
        context.set_line_join("round");
        let (dash, gap) = shape.dashes;
        let dashes = match gap > 0.0 {
            true => js_sys::Array::of2(&dash.into(), &gap.into()),
            false => js_sys::Array::new(),
        };
        let _ = context.set_line_dash(&dashes);
        path.stroke(context);
    }
    context.set_global_alpha(1.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_valid_svg() {
        let mut out = String::new();
        let box_ = Rect {
            x: 1.0,
            y: 2.0,
            w: 20.0,
            h: 10.0,
        };
        let ink = Ink("red".to_owned(), 0.5);
        write_shape(&mut out, &Shape::rounded(box_, 9.0).filled(ink.clone()));
        assert_eq!(
            out,
            "<path d=\"M6 2h10a5 5 0 0 1 5 5v0a5 5 0 0 1-5 5h-10a5 5 0 0 1-5-5v-0a5 5 0 0 1 5-5z\" \
             fill=\"red\" fill-opacity=\"0.5\"/>"
        );
        out.clear();
        let points = [Vec2::new(1.0, 2.0), Vec2::new(3.0, 4.0)];
        write_shape(
            &mut out,
            &Shape::line(points).stroked(ink, 2.0).dashed(0.1, 7.0),
        );
        assert_eq!(
            out,
            "<path d=\"M1 2L3 4\" fill=\"none\" stroke=\"red\" stroke-opacity=\"0.5\" stroke-width=\"2\" \
             stroke-linecap=\"round\" stroke-linejoin=\"round\" stroke-dasharray=\"0.1 7\"/>"
        );
    }

    #[test]
    fn words_are_escaped() {
        let mut out = String::new();
        let words = Words {
            at: Vec2::new(1.0, 2.0),
            text: "a < b & c".to_owned(),
            ink: "black".to_owned(),
            font: (600, 12.0),
            is_centered: true,
        };
        write_words(&mut out, &words);
        assert!(out.ends_with("text-anchor=\"middle\">a &lt; b &amp; c</text>"));
    }
}
