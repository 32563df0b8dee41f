//! Boxes and wires drawn on one canvas, if they are too many or too small to have elements.

use std::collections::BTreeMap;

use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{
    CanvasRenderingContext2d, CssStyleDeclaration, HtmlCanvasElement, HtmlElement,
    ImageBitmapRenderingContext, OffscreenCanvas,
};

use super::camera::Camera;
use super::colour::Colour;
use super::curve::Curve;
use super::geometry::{Rect, Vec2, pixels, translation};
use super::gesture::Gesture;
use super::mount::Mounted;
use super::painter::Frame;
use super::scene::{Node, Scene, Selected, Slot, Wire};

/// The number of pixels by which the canvas exceeds the visible part on each side, and so the
/// distance it can move before it is redrawn.
const PAD: f64 = 200.0;
/// The factor by which it is stretched or shrunk before it is redrawn; the elements are scaled,
/// too, until the zoom rests.
const STRETCH: f64 = 1.6;
/// The maximum number of pixels of a canvas.
const PIXELS: f64 = 8e6;
/// The distance of the background's dots, in graph units.
const GRID: f64 = 20.0;
/// The number of wires from which on those that only pass through are omitted.
const CROWD: usize = 1000;
/// The zoom below which wires overlap so much that they are drawn fainter, and their opacity then.
const DISTANT: f64 = 0.3;
const DISTANT_STRENGTH: f64 = 0.45;
/// The height in pixels below which a box's head isn't drawn separately.
const MIN_HEAD: f64 = 7.0;
/// The proportion of its kind's colour in a box.
const TINGE: f64 = 0.3;

/// Colours that replace those of nodes and wires.
#[derive(Debug, Clone, PartialEq)]
pub struct Tints {
    /// The colours of nodes.
    pub nodes: BTreeMap<Node, Colour>,
    /// The colours of wires.
    pub wires: BTreeMap<Wire, Colour>,
    /// The opacity of wires that are not selected, when they are close enough to be distinguished; 0
    /// hides them.
    pub strength: f64,
}

impl Default for Tints {
    fn default() -> Self {
        Self {
            nodes: BTreeMap::new(),
            wires: BTreeMap::new(),
            strength: 0.8,
        }
    }
}

/// The content of a drawing.
pub struct Picture<'a> {
    /// Nodes and wires.
    pub scene: &'a Scene,
    /// The replaced colours.
    pub tints: &'a Tints,
    /// The selection.
    pub selected: &'a Selected,
    /// The nodes and wires to omit.
    pub without: Option<&'a Mounted>,
    /// Returns the offset of a node from its position in the scene.
    pub moved: &'a dyn Fn(&Node) -> Vec2,
}

impl Picture<'_> {
    /// Draws what a viewport of `size` pixels shows. `style` provides the colours.
    pub fn draw(
        &self,
        context: &CanvasRenderingContext2d,
        style: &CssStyleDeclaration,
        camera: Camera,
        size: Vec2,
    ) {
        let window = camera.window(size);
        let mut strokes: ByColour<Curve> = BTreeMap::new();
        // Among very many wires, those that only pass through convey nothing and take the longest
        // to draw.
        let near: Vec<_> = self.scene.wires_near(&window).collect();
        let crowded = near.len() > CROWD;
        for (wire, colour) in near {
            let is_mounted = self.without.is_some_and(|m| m.wires.contains(wire));
            if is_mounted || wire.to.port == Slot::Changes {
                continue;
            }
            let is_visible = self.tints.strength > 0.0 || self.selected.wires.contains(wire);
            if !is_visible {
                continue;
            }
            let Some(curve) = self.scene.curve_moved(wire, self.moved) else {
                continue;
            };
            if crowded && !window.contains(curve.from()) && !window.contains(curve.to()) {
                continue;
            }
            let colour = if self.selected.wires.contains(wire) {
                Colour::Selected
            } else {
                self.tints.wires.get(wire).copied().unwrap_or(colour)
            };
            strokes.entry(colour).or_default().push(curve);
        }
        let mut boxes: ByColour<(Rect, f64)> = BTreeMap::new();
        for (node, shape) in self.scene.nodes_near(&window) {
            if self.without.is_some_and(|m| m.nodes.contains(node)) {
                continue;
            }
            let colour = if self.selected.nodes.contains(node) {
                Colour::Selected
            } else {
                let tint = self.tints.nodes.get(node);
                tint.copied().unwrap_or(shape.colour)
            };
            let rect = shape.rect.moved((self.moved)(node));
            boxes.entry(colour).or_default().push((rect, shape.head));
        }
        paint(
            context,
            camera,
            style,
            &strokes,
            self.tints.strength,
            &boxes,
        );
    }
}

/// Items by colour.
type ByColour<T> = BTreeMap<Colour, Vec<T>>;

fn paint(
    context: &CanvasRenderingContext2d,
    camera: Camera,
    style: &CssStyleDeclaration,
    strokes: &ByColour<Curve>,
    strength: f64,
    boxes: &ByColour<(Rect, f64)>,
) {
    let resolved = |colour: Colour| {
        let value = style.get_property_value(colour.property());
        value.unwrap_or_default()
    };
    let zoom = camera.zoom;
    context.set_line_width((1.8 * zoom).max(0.8));
    for (colour, curves) in strokes {
        context.set_global_alpha(match *colour {
            Colour::Selected if zoom >= DISTANT => 1.0,
            Colour::Selected => DISTANT_STRENGTH,
            _ if zoom < DISTANT => strength.min(DISTANT_STRENGTH),
            _ => strength,
        });
        context.set_stroke_style_str(&resolved(*colour));
        context.begin_path();
        for piece in curves.iter().flat_map(Curve::pieces) {
            let [a, b, c, d] = piece.map(|p| camera.to_screen(p));
            context.move_to(a.x, a.y);
            // A short one is nearly straight.
            if (d.x - a.x).abs() + (d.y - a.y).abs() < 16.0 {
                context.line_to(d.x, d.y);
            } else {
                context.bezier_curve_to(b.x, b.y, c.x, c.y, d.x, d.y);
            }
        }
        context.stroke();
    }
    context.set_global_alpha(1.0);
    context.set_stroke_style_str(&resolved(Colour::LineStrong));
    context.set_line_width(1.0);
    let panel = resolved(Colour::Panel);
    for (colour, rects) in boxes {
        let colour = resolved(*colour);
        context.set_fill_style_str(&colour);
        for (rect, head) in rects {
            let head = head * zoom;
            let at = camera.to_screen(rect.corner());
            let (w, h) = (rect.w * zoom, rect.h * zoom);
            if head < MIN_HEAD {
                context.fill_rect(at.x, at.y, w.max(1.5), h.max(1.5));
                continue;
            }
            // Looks like a blank page: a head of its colour, and nothing below.
            context.set_fill_style_str(&panel);
            context.fill_rect(at.x, at.y, w, h);
            context.stroke_rect(at.x, at.y, w, h);
            context.set_fill_style_str(&colour);
            context.set_global_alpha(TINGE);
            context.fill_rect(at.x, at.y, w, head.min(h));
            context.set_global_alpha(1.0);
            let side = head * 0.35;
            context.fill_rect(
                at.x + side,
                at.y + side,
                (w - 2.0 * side).min(120.0 * zoom),
                side,
            );
        }
    }
}

/// The background behind the elements: the dots, and the canvas.
#[derive(Default)]
pub struct Far {
    /// The camera that it was drawn with, and the size of the visible part then.
    from: Option<(Camera, Vec2)>,
    /// The canvas that it is drawn on before it is shown.
    sheet: Option<OffscreenCanvas>,
    /// `true` if its content has changed since.
    stale: bool,
}

impl Far {
    /// Marks it to be redrawn with the next frame.
    pub fn forget(&mut self) {
        self.stale = true;
    }

    /// Redraws the background if the previous drawing, which moves with the elements, no longer
    /// suffices.
    pub fn paint(&mut self, frame: &Frame<'_>, tints: &Tints) {
        let Frame {
            elements,
            gesture,
            mounted,
            camera,
            size,
            ..
        } = *frame;
        let is_drawn = |node: &Node| mounted.is_some_and(|m| !m.nodes.contains(node));
        let moving = match gesture {
            Gesture::Move(moving) => moving.nodes.iter().any(is_drawn),
            _ => false,
        };
        if !std::mem::take(&mut self.stale) && !moving && self.serves(frame) {
            return;
        }
        self.from = Some((camera, size));
        let canvas = &elements.far;
        if let Some(mounted) = mounted {
            let picture = Picture {
                scene: frame.scene,
                tints,
                selected: frame.selected,
                without: Some(mounted),
                moved: &|node| match gesture {
                    Gesture::Move(moving) if moving.nodes.contains(node) => moving.by,
                    _ => Vec2::default(),
                },
            };
            draw_padded(&picture, canvas, &mut self.sheet, camera, size);
        } else if canvas.width() > 0 {
            canvas.set_width(0);
        }
        // Drawing reads colours, which is fast as long as no style has been written.
        put_behind(&elements.grid, camera, size);
    }

    /// Returns `true` if the drawing covers the visible part, and is sharp or still moving.
    fn serves(&self, frame: &Frame<'_>) -> bool {
        let Frame { camera, size, .. } = *frame;
        let Some((from, before)) = self.from else {
            return false;
        };
        let scale = camera.zoom / from.zoom;
        // The current positions of its corners on the screen.
        let near = camera.to_screen(from.to_graph(Vec2::new(-PAD, -PAD)));
        let far = camera.to_screen(from.to_graph(size + Vec2::new(PAD, PAD)));
        let covers = near.x <= 0.0 && near.y <= 0.0 && far.x >= size.x && far.y >= size.y;
        let crisp = scale == 1.0 || !frame.at_rest;
        covers && crisp && before == size && (1.0 / STRETCH..STRETCH).contains(&scale)
    }
}

/// Places the background in the world, so that it needs no update while the camera moves, at its
/// current size on the screen.
fn put_behind(grid: &HtmlElement, camera: Camera, size: Vec2) {
    let at = camera.to_graph(Vec2::new(-PAD, -PAD));
    let scale = format!("{:.7}", 1.0 / camera.zoom);
    // From far away, every second, fourth ... dot is enough.
    let mut step = GRID * camera.zoom;
    while step < 12.0 {
        step *= 2.0;
    }
    let first = |offset: f64| pixels((offset + PAD).rem_euclid(step));
    let first = format!("{} {}", first(camera.offset.x), first(camera.offset.y));
    let transform = format!("{} scale({scale})", translation(at.x, at.y));
    let style = grid.style();
    for (name, value) in [
        ("width", pixels(size.x + 2.0 * PAD)),
        ("height", pixels(size.y + 2.0 * PAD)),
        ("background-size", format!("{0} {0}", pixels(step))),
        ("background-position", first),
        ("transform", transform),
    ] {
        let _ = style.set_property(name, &value);
    }
}

/// Draws offscreen and transfers a bitmap to the canvas: a canvas that is drawn on may be copied
/// whenever anything on the page moves.
fn draw_padded(
    picture: &Picture<'_>,
    canvas: &HtmlCanvasElement,
    sheet: &mut Option<OffscreenCanvas>,
    camera: Camera,
    size: Vec2,
) {
    let all = size + Vec2::new(2.0 * PAD, 2.0 * PAD);
    let ratio = density(all);
    let (w, h) = (
        (all.x * ratio).round() as u32,
        (all.y * ratio).round() as u32,
    );
    if sheet.is_none() || (canvas.width(), canvas.height()) != (w, h) {
        canvas.set_width(w);
        canvas.set_height(h);
        *sheet = OffscreenCanvas::new(w, h).ok();
    }
    let (Some(sheet), Ok(Some(style))) = (sheet, window().get_computed_style(canvas)) else {
        return;
    };
    let (Ok(Some(context)), Ok(Some(shown))) = (
        sheet.get_context("2d"),
        canvas.get_context("bitmaprenderer"),
    ) else {
        return;
    };
    // It has all methods of the other type that are called here.
    let context: CanvasRenderingContext2d = context.unchecked_into();
    let _ = context.set_transform(ratio, 0.0, 0.0, ratio, 0.0, 0.0);
    context.clear_rect(0.0, 0.0, all.x, all.y);
    picture.draw(&context, &style, camera.panned(Vec2::new(PAD, PAD)), all);
    if let Ok(bitmap) = sheet.transfer_to_image_bitmap() {
        let shown: ImageBitmapRenderingContext = shown.unchecked_into();
        shown.transfer_from_image_bitmap(&bitmap);
    }
}

/// Returns the number of a canvas's pixels per CSS pixel, at this size.
fn density(all: Vec2) -> f64 {
    let ratio = window().device_pixel_ratio();
    ratio.min((PIXELS / (all.x * all.y)).sqrt())
}

/// Resizes a canvas to this many pixels and clears it.
pub(super) fn sized(canvas: &HtmlCanvasElement, all: Vec2) -> Option<CanvasRenderingContext2d> {
    let ratio = density(all);
    let (w, h) = ((all.x * ratio).round(), (all.y * ratio).round());
    let context = canvas.get_context("2d").ok().flatten()?;
    let context = context.dyn_into::<CanvasRenderingContext2d>().ok()?;
    if (f64::from(canvas.width()), f64::from(canvas.height())) != (w, h) {
        canvas.set_width(w as u32);
        canvas.set_height(h as u32);
        let style = HtmlElement::style(canvas);
        let _ = style.set_property("width", &pixels(all.x));
        let _ = style.set_property("height", &pixels(all.y));
    }
    let _ = context.set_transform(ratio, 0.0, 0.0, ratio, 0.0, 0.0);
    context.clear_rect(0.0, 0.0, all.x, all.y);
    Some(context)
}
