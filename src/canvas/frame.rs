//! What one frame writes: the camera's transform, and what a gesture shows
//! before it is done.

use std::collections::BTreeSet;
use std::fmt::Write;

use leptos::prelude::*;
use leptos::web_sys::{Element, HtmlElement};

use super::camera::Camera;
use super::curve::Curve;
use super::geometry::{Rect, Vec2, pixels, translation};
use super::gesture::Gesture;
use super::scene::{End, Node, Side};
use super::surface::{Elements, State, draw, put};

/// Below this zoom wires and edges are drawn thicker and titles larger, so that they do not fade.
const DISTANT: f64 = 0.6;
/// Up to so many nodes are layers of their own while they are dragged.
const FEW: usize = 8;

impl State {
    /// Writes the camera and the gesture under way.
    pub fn frame(&self, percent: RwSignal<i32>) {
        let elements = self.elements.borrow();
        let Some(elements) = elements.as_ref() else {
            return;
        };
        let camera = self.camera.get();
        let zoom = camera.zoom;
        self.show_far(elements);
        if self.shown.replace(Some(camera)) != Some(camera) {
            let Vec2 { x, y } = camera.offset;
            let transform = format!("{} scale({zoom:.7})", translation(x, y));
            let _ = elements.world.style().set_property("transform", &transform);
            let distant = zoom < DISTANT;
            if self.distant.replace(distant) != distant {
                let classes = elements.root.class_list();
                let _ = classes.toggle_with_force("distant", distant);
            }
        }
        let shown = (zoom * 100.0).round() as i32;
        if percent.try_get_untracked().is_some_and(|p| p != shown) {
            percent.set(shown);
        }
        self.show_minimap(elements);

        let gesture = self.gesture.borrow();
        self.show_move(elements, &gesture);
        self.show_resize(&gesture);
        self.show_loose(elements, &gesture);
        self.show_marquee(elements, camera, &gesture);
        let panning = matches!(*gesture, Gesture::Pan(_));
        if self.panning.replace(panning) != panning {
            let classes = elements.root.class_list();
            let _ = classes.toggle_with_force("panning", panning);
        }
    }

    fn show_move(&self, elements: &Elements, gesture: &Gesture) {
        let scene = self.scene();
        let nodes = self.nodes.borrow();
        let wires = self.wires.borrow();
        let none = BTreeSet::new();
        let (moving, by, onto) = match gesture {
            Gesture::Move(m) => (&m.nodes, m.by, m.onto.as_ref()),
            _ => (&none, Vec2::default(), None),
        };
        let before = std::mem::replace(&mut *self.displaced.borrow_mut(), moving.clone());
        // On the grid a slow hand moves nothing in most frames.
        let still = self.put_by.replace(Some(by)) == Some(by) && before == *moving;
        let offset = |node: &Node| {
            if moving.contains(node) {
                by
            } else {
                Vec2::default()
            }
        };
        let idle = before.is_empty() && moving.is_empty();
        if !(still || idle) {
            let touched = |node: &Node| before.contains(node) || moving.contains(node);
            let bent = before
                .union(moving)
                .any(|node| matches!(node, Node::Bend(..)));
            let few = moving.len() <= FEW;
            if before.is_empty() != moving.is_empty() {
                let classes = elements.world.class_list();
                let _ = classes.toggle_with_force("holding", !moving.is_empty());
            }
            for node in before.union(moving) {
                if let (Some(element), Some(shape)) = (nodes.get(node), scene.nodes.get(node)) {
                    put(element, shape.rect.corner() + offset(node));
                    let held = moving.contains(node);
                    let classes = element.class_list();
                    let _ = classes.toggle_with_force("held", held);
                    let _ = classes.toggle_with_force("moving", held && few);
                }
            }
            for (wire, paths) in wires.iter() {
                let bent = bent && scene.bends.contains_key(wire);
                if (bent || touched(&wire.from.node) || touched(&wire.to.node))
                    && let Some(curve) = scene.curve_moved(wire, &offset)
                {
                    // What the pointer meets can wait until it is let go.
                    let shown = if moving.is_empty() { paths.len() } else { 1 };
                    draw(paths.get(..shown).unwrap_or_default(), &curve);
                }
            }
        }
        let mut receiving = self.receiving.borrow_mut();
        if receiving.as_ref() != onto {
            for (wire, on) in [(receiving.as_ref(), false), (onto, true)] {
                for path in wire.and_then(|w| wires.get(w)).into_iter().flatten() {
                    let _ = path.class_list().toggle_with_force("receiving", on);
                }
            }
            *receiving = onto.cloned();
        }
    }

    fn show_resize(&self, gesture: &Gesture) {
        let now = match gesture {
            Gesture::Resize { frame, by, .. } => Some((frame.clone(), *by)),
            _ => None,
        };
        let before = self
            .resized
            .replace(now.as_ref().map(|(frame, _)| frame.clone()));
        // One that is let go is as large as the scene says.
        let before = before.map(|frame| (frame, Vec2::default()));
        let scene = self.scene();
        for (frame, by) in before.into_iter().chain(now) {
            if let (Some(element), Some(shape)) =
                (self.nodes.borrow().get(&frame), scene.nodes.get(&frame))
            {
                let style = element.style();
                let _ = style.set_property("width", &pixels(shape.rect.w + by.x));
                let _ = style.set_property("height", &pixels(shape.rect.h + by.y));
            }
        }
    }

    fn show_loose(&self, elements: &Elements, gesture: &Gesture) {
        let line = match gesture {
            Gesture::Cut(points) => Some(("wire loose cut", polyline(points))),
            Gesture::Move(moving) if !moving.guides.is_empty() => {
                let lines = moving
                    .guides
                    .iter()
                    .map(|(from, to)| polyline(&[*from, *to]));
                Some(("wire loose guide", lines.collect()))
            }
            _ => None,
        };
        if *self.lined.borrow() != line {
            let (class, d) = line.clone().unwrap_or(("wire loose", String::new()));
            let _ = elements.loose.set_attribute("class", class);
            let _ = elements.loose.set_attribute("d", &d);
            *self.lined.borrow_mut() = line;
        }
        let Gesture::Wire(loose) = gesture else {
            if self.wiring.replace(false) {
                let _ = elements.root.class_list().remove_1("wiring");
                let _ = elements.loose.set_attribute("d", "");
                for element in self.nodes.borrow().values() {
                    each_port(element, |port| {
                        let _ = port.class_list().remove_2("fits", "target");
                    });
                }
                for paths in self.wires.borrow().values() {
                    for path in paths {
                        let _ = path.class_list().remove_1("detached");
                    }
                }
            }
            return;
        };
        let scene = self.scene();
        if !self.wiring.replace(true) {
            let _ = elements.root.class_list().add_1("wiring");
            for end in loose.targets.iter().chain([&loose.fixed]) {
                self.with_port(end, |port| {
                    let _ = port.class_list().add_1("fits");
                });
            }
            let detached = loose.instead_of.as_ref();
            for path in detached
                .and_then(|w| self.wires.borrow().get(w).cloned())
                .into_iter()
                .flatten()
            {
                let _ = path.class_list().add_1("detached");
            }
        }
        for end in &loose.targets {
            let on = loose.target.as_ref() == Some(end);
            self.with_port(end, |port| {
                let _ = port.class_list().toggle_with_force("target", on);
            });
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

    fn show_marquee(&self, elements: &Elements, camera: Camera, gesture: &Gesture) {
        let style = elements.marquee.style();
        let Gesture::Marquee(a, b) = gesture else {
            if self.boxed.replace(false) {
                let _ = style.set_property("display", "none");
                self.catch(None);
            }
            return;
        };
        let rect = Rect::between(camera.to_screen(*a), camera.to_screen(*b));
        if !self.boxed.replace(true) {
            let _ = style.set_property("display", "block");
        }
        put(&elements.marquee, rect.corner());
        let _ = style.set_property("width", &pixels(rect.w));
        let _ = style.set_property("height", &pixels(rect.h));
        self.catch(Some(&Rect::between(*a, *b)));
    }

    /// Marks what a marquee would take, as far as it has elements.
    fn catch(&self, rect: Option<&Rect>) {
        let scene = self.scene();
        let mut caught = self.caught.borrow_mut();
        for (node, element) in self.nodes.borrow().iter() {
            let now = rect.is_some_and(|rect| scene.takes(rect, node));
            if now != caught.contains(node) {
                if now {
                    caught.insert(node.clone());
                } else {
                    caught.remove(node);
                }
                let _ = element.class_list().toggle_with_force("caught", now);
            }
        }
        if rect.is_none() {
            caught.clear();
        }
    }

    pub(super) fn with_port(&self, end: &End, act: impl Fn(&Element)) {
        let key = end.port.key();
        if let Some(element) = self.nodes.borrow().get(&end.node) {
            each_port(element, |port| {
                if port.get_attribute("data-port").as_ref() == Some(&key) {
                    act(port);
                }
            });
        }
    }
}

/// As the `d` of an SVG path.
fn polyline(points: &[Vec2]) -> String {
    let mut d = String::new();
    for (at, point) in points.iter().enumerate() {
        let command = if at == 0 { 'M' } else { 'L' };
        let _ = write!(d, "{command}{:.1} {:.1}", point.x, point.y);
    }
    d
}

fn each_port(element: &HtmlElement, act: impl Fn(&Element)) {
    let ports = element.get_elements_by_class_name("port");
    for index in 0..ports.length() {
        if let Some(port) = ports.item(index) {
            act(&port);
        }
    }
}
