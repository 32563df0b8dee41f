//! Writes one frame to the page: the camera's transform, and the preview of a gesture.

use std::collections::BTreeSet;
use std::fmt::Write;

use leptos::prelude::*;

use super::camera::Camera;
use super::curve::Curve;
use super::elements::{Elements, Placed, draw, ports, put, set_class};
use super::geometry::{Rect, Vec2, pixels, translation};
use super::gesture::{Gesture, Loose};
use super::mount::Mounted;
use super::scene::{Node, Scene, Selected, Side, Wire};
use taskloom_document::sort::set_of;

/// The zoom below which wires and edges are drawn thicker and titles larger, so that they do not
/// fade.
const DISTANT: f64 = 0.6;
/// The maximum number of nodes that become separate layers while they are dragged.
const FEW: usize = 8;

/// The content of a frame.
pub struct Frame<'a> {
    /// The elements to write to.
    pub elements: &'a Elements,
    /// The nodes and wires.
    pub scene: &'a Scene,
    /// The selection.
    pub selected: &'a Selected,
    /// The gesture in progress.
    pub gesture: &'a Gesture,
    /// The mounted nodes and wires, if some have no elements.
    pub mounted: Option<&'a Mounted>,
    /// The camera.
    pub camera: Camera,
    /// The canvas's size in pixels.
    pub size: Vec2,
    /// `true` if the zoom has not changed for a while.
    pub at_rest: bool,
}

/// The state that was last written.
#[derive(Default)]
pub struct Painter {
    /// The camera that the elements were last placed by.
    camera: Option<Camera>,
    /// The timer that ends moving the elements as one image.
    compositing: Option<TimeoutHandle>,
    /// The nodes that a drag has displaced from their positions in the scene.
    displaced: BTreeSet<Node>,
    /// Their last displacement; `None` if something was placed elsewhere since.
    put_by: Option<Vec2>,
    /// The frame whose size a drag has changed from that in the scene.
    resized: Option<Node>,
    /// The wire marked as the insertion target.
    receiving: Option<Wire>,
    /// `true` if the ports that fit are marked.
    wiring: bool,
    /// The class and the path of the cut or the guides.
    line: Option<(&'static str, String)>,
    /// The nodes marked as being inside the marquee, if there is one.
    caught: Option<BTreeSet<Node>>,
    /// `true` if wires and edges are drawn for reading from afar.
    distant: bool,
    /// `true` if the pointer shows that it pans.
    panning: bool,
}

impl Painter {
    /// Returns `true` if the elements are placed by this camera.
    pub fn shows(&self, camera: Camera) -> bool {
        self.camera == Some(camera)
    }

    /// Turns the elements into a layer that moves as one image with the camera, until this timer
    /// calls `end_compositing`.
    pub fn begin_compositing(&mut self, elements: &Elements, timer: Option<TimeoutHandle>) {
        match std::mem::replace(&mut self.compositing, timer) {
            Some(before) => before.clear(),
            None => set_class(&elements.world, "moving", true),
        }
    }

    /// Ends moving the elements as one image: at rest they are sharp again.
    pub fn end_compositing(&mut self, elements: &Elements) {
        self.compositing = None;
        set_class(&elements.world, "moving", false);
    }

    /// Forgets the written positions: something was placed elsewhere than the gesture has put it.
    pub fn forget_places(&mut self) {
        self.put_by = None;
    }

    /// Writes the camera and the gesture in progress.
    pub fn paint(&mut self, frame: &Frame<'_>, placed: &Placed) {
        let Frame {
            elements, gesture, ..
        } = frame;
        self.show_camera(frame);
        self.show_move(frame, placed);
        self.show_resize(frame, placed);
        self.show_line(elements, gesture);
        match gesture {
            Gesture::Wire(loose) => self.show_loose(frame, placed, loose),
            _ => self.end_loose(elements, placed),
        }
        self.show_marquee(frame, placed);
        let panning = matches!(gesture, Gesture::Pan(_));
        if std::mem::replace(&mut self.panning, panning) != panning {
            set_class(&elements.root, "panning", panning);
        }
    }

    fn show_camera(&mut self, frame: &Frame<'_>) {
        let Frame {
            elements, camera, ..
        } = frame;
        if self.camera.replace(*camera) == Some(*camera) {
            return;
        }
        let Camera { offset, zoom } = *camera;
        let transform = format!("{} scale({zoom:.7})", translation(offset.x, offset.y));
        let _ = elements.world.style().set_property("transform", &transform);
        let distant = zoom < DISTANT;
        if std::mem::replace(&mut self.distant, distant) != distant {
            set_class(&elements.root, "distant", distant);
        }
    }

    fn show_move(&mut self, frame: &Frame<'_>, placed: &Placed) {
        let none = BTreeSet::new();
        let (moving, by, onto) = match frame.gesture {
            Gesture::Move(m) => (&m.nodes, m.by, m.onto.as_ref()),
            _ => (&none, Vec2::default(), None),
        };
        let before = std::mem::replace(&mut self.displaced, moving.clone());
        // On the grid, a slow drag moves nothing in most frames.
        let still = self.put_by.replace(by) == Some(by) && before == *moving;
        let idle = before.is_empty() && moving.is_empty();
        if !(still || idle) {
            put_moved(frame, placed, &before, moving, by);
        }
        if self.receiving.as_ref() != onto {
            for (wire, on) in [(self.receiving.as_ref(), false), (onto, true)] {
                for path in wire.and_then(|w| placed.wires.get(w)).into_iter().flatten() {
                    set_class(path, "receiving", on);
                }
            }
            self.receiving = onto.cloned();
        }
    }

    fn show_resize(&mut self, frame: &Frame<'_>, placed: &Placed) {
        let now = match frame.gesture {
            Gesture::Resize { frame, by, .. } => Some((frame.clone(), *by)),
            _ => None,
        };
        let resized = now.as_ref().map(|(frame, _)| frame.clone());
        let before = std::mem::replace(&mut self.resized, resized);
        // When it is released, its size is that in the scene.
        let before = before.map(|frame| (frame, Vec2::default()));
        for (node, by) in before.into_iter().chain(now) {
            if let (Some(element), Some(shape)) =
                (placed.nodes.get(&node), frame.scene.nodes.get(&node))
            {
                let style = element.style();
                let _ = style.set_property("width", &pixels(shape.rect.w + by.x));
                let _ = style.set_property("height", &pixels(shape.rect.h + by.y));
            }
        }
    }

    /// Shows the line that cuts, or the guides along which a node is aligned with others.
    fn show_line(&mut self, elements: &Elements, gesture: &Gesture) {
        let line = match gesture {
            Gesture::Cut(points) => Some(("wire loose cut", polyline(points))),
            Gesture::Move(moving) if !moving.guides.is_empty() => {
                let guides = moving.guides.iter();
                let lines = guides.map(|(from, to)| polyline(&[*from, *to]));
                Some(("wire loose guide", lines.collect()))
            }
            _ => None,
        };
        if self.line != line {
            let (class, d) = line.clone().unwrap_or(("wire loose", String::new()));
            let _ = elements.loose.set_attribute("class", class);
            let _ = elements.loose.set_attribute("d", &d);
            self.line = line;
        }
    }

    fn show_loose(&mut self, frame: &Frame<'_>, placed: &Placed, loose: &Loose) {
        let Frame {
            elements, scene, ..
        } = frame;
        if !std::mem::replace(&mut self.wiring, true) {
            set_class(&elements.root, "wiring", true);
            for end in loose.targets.iter().chain([&loose.fixed]) {
                if let Some(port) = placed.port(end) {
                    set_class(&port, "fits", true);
                }
            }
            let detached = loose.instead_of.as_ref();
            let paths = detached.and_then(|wire| placed.wires.get(wire));
            for path in paths.into_iter().flatten() {
                set_class(path, "detached", true);
            }
        }
        for end in &loose.targets {
            if let Some(port) = placed.port(end) {
                set_class(&port, "target", loose.target.as_ref() == Some(end));
            }
        }
        let snapped = loose.target.as_ref().and_then(|end| scene.socket(end));
        let free = snapped.unwrap_or(loose.at);
        if let Some(fixed) = scene.socket(&loose.fixed) {
            let curve = match loose.fixed.port.side() {
                Side::Output => Curve::between(fixed, free),
                Side::Input => Curve::between(free, fixed),
            };
            let _ = elements.loose.set_attribute("d", &curve.path());
        }
    }

    fn end_loose(&mut self, elements: &Elements, placed: &Placed) {
        if !std::mem::replace(&mut self.wiring, false) {
            return;
        }
        set_class(&elements.root, "wiring", false);
        let _ = elements.loose.set_attribute("d", "");
        for port in placed.nodes.values().flat_map(ports) {
            let _ = port.class_list().remove_2("fits", "target");
        }
        for path in placed.wires.values().flatten() {
            set_class(path, "detached", false);
        }
    }

    /// Shows the marquee by three nested panes as large as the canvas, each clipping its content:
    /// the first begins where the rectangle does, the second ends where it does, the third begins
    /// with the first. So nothing changes its size, which would cost a millisecond per frame.
    fn show_marquee(&mut self, frame: &Frame<'_>, placed: &Placed) {
        let [begin, end, edge] = &frame.elements.marquee;
        let Gesture::Marquee(a, b) = frame.gesture else {
            if let Some(caught) = self.caught.take() {
                let _ = begin.style().set_property("display", "none");
                mark_caught(placed, &caught, &BTreeSet::new());
            }
            return;
        };
        let rect = Rect::between(frame.camera.to_screen(*a), frame.camera.to_screen(*b));
        if self.caught.is_none() {
            let _ = begin.style().set_property("display", "block");
        }
        let cut = Vec2::new(rect.w, rect.h) - frame.size;
        put(begin, rect.corner());
        put(end, cut);
        put(edge, cut * -1.0);
        let rect = Rect::between(*a, *b);
        let taken = placed.nodes.keys();
        let taken = taken.filter(|node| frame.scene.takes(&rect, node)).cloned();
        let now = set_of(taken);
        mark_caught(
            placed,
            self.caught.as_ref().unwrap_or(&BTreeSet::new()),
            &now,
        );
        self.caught = Some(now);
    }
}

/// Places the nodes that a drag moves or no longer moves, and draws their wires.
fn put_moved(
    frame: &Frame<'_>,
    placed: &Placed,
    before: &BTreeSet<Node>,
    moving: &BTreeSet<Node>,
    by: Vec2,
) {
    let scene = frame.scene;
    let offset = |node: &Node| {
        if moving.contains(node) {
            by
        } else {
            Vec2::default()
        }
    };
    let touched = |node: &Node| before.contains(node) || moving.contains(node);
    let bent = before
        .union(moving)
        .any(|node| matches!(node, Node::Bend(..)));
    let few = moving.len() <= FEW;
    if before.is_empty() != moving.is_empty() {
        set_class(&frame.elements.world, "holding", !moving.is_empty());
    }
    for node in before.union(moving) {
        if let (Some(element), Some(shape)) = (placed.nodes.get(node), scene.nodes.get(node)) {
            put(element, shape.rect.corner() + offset(node));
            let held = moving.contains(node);
            set_class(element, "held", held);
            set_class(element, "moving", held && few);
        }
    }
    for (wire, paths) in &placed.wires {
        let bent = bent && scene.bends.contains_key(wire);
        if (bent || touched(&wire.from.node) || touched(&wire.to.node))
            && let Some(curve) = scene.curve_moved(wire, &offset)
        {
            // The path for hit tests can wait until the drag ends.
            let shown = if moving.is_empty() { paths.len() } else { 1 };
            draw(paths.get(..shown).unwrap_or_default(), &curve);
        }
    }
}

/// Marks the mounted nodes that a marquee would select.
fn mark_caught(placed: &Placed, before: &BTreeSet<Node>, now: &BTreeSet<Node>) {
    for node in before.symmetric_difference(now) {
        if let Some(element) = placed.nodes.get(node) {
            set_class(element, "caught", now.contains(node));
        }
    }
}

/// Returns the points as the `d` of an SVG path.
fn polyline(points: &[Vec2]) -> String {
    let mut d = String::new();
    for (at, point) in points.iter().enumerate() {
        let command = if at == 0 { 'M' } else { 'L' };
        let _ = write!(d, "{command}{:.1} {:.1}", point.x, point.y);
    }
    d
}
