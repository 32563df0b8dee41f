//! The elements that the canvas writes to: its own, and those of nodes and wires.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use leptos::web_sys::{Element, HtmlCanvasElement, HtmlElement, SvgElement};

use super::curve::Curve;
use super::geometry::{Vec2, translation};
use super::scene::{End, Node, Scene, Selected, Wire};
use taskloom_document::sort::set_of;

/// The canvas's own elements.
#[derive(Clone)]
pub struct Elements {
    /// Receives the events; its corner is the origin of screen coordinates.
    pub root: HtmlElement,
    /// Carries the camera's transform.
    pub world: HtmlElement,
    /// The wire being drawn.
    pub loose: SvgElement,
    /// The marquee: three nested panes.
    pub marquee: [HtmlElement; 3],
    /// Shows everything that has no elements.
    pub far: HtmlCanvasElement,
    /// Shows the dots, and contains `far`.
    pub grid: HtmlElement,
    /// The minimap, and the frame of the visible part on it.
    pub map: HtmlCanvasElement,
    pub map_window: HtmlElement,
}

/// The elements of nodes and wires, and the state last written to them.
#[derive(Default)]
pub struct Placed {
    /// The nodes' elements.
    pub nodes: BTreeMap<Node, HtmlElement>,
    /// The wires' paths: the visible one, and the one for hit tests.
    pub wires: BTreeMap<Wire, Vec<SvgElement>>,
    /// The scene that they were placed by.
    scene: Arc<Scene>,
    /// The nodes and wires marked as selected.
    marked: Selected,
    /// The nodes that the designer looks at, whose wires are marked, and the nodes at the other ends
    /// of those wires.
    looked_at: BTreeSet<Node>,
    linked: BTreeSet<Node>,
}

impl Placed {
    /// Registers a node's element, and places it.
    pub fn mount_node(&mut self, node: Node, element: HtmlElement, scene: &Scene, selected: bool) {
        if let Some(shape) = scene.nodes.get(&node) {
            put(&element, shape.rect.corner());
        }
        show_selected(&element, selected);
        if self.linked.contains(&node) {
            set_class(&element, "linked", true);
        }
        self.nodes.insert(node, element);
    }

    /// Unregisters a node's element, unless it has been replaced by another one.
    pub fn unmount_node(&mut self, node: &Node, element: Option<&HtmlElement>) {
        if self.nodes.get(node) == element {
            self.nodes.remove(node);
        }
    }

    /// Registers a wire's paths, and draws them.
    pub fn mount_wire(
        &mut self,
        wire: Wire,
        paths: Vec<SvgElement>,
        scene: &Scene,
        selected: bool,
    ) {
        if let Some(curve) = scene.curve(&wire) {
            draw(&paths, &curve);
        }
        paths.iter().for_each(|path| show_selected(path, selected));
        let near = self.is_near(&wire);
        if near {
            mark_near(&paths, true);
        }
        self.wires.insert(wire, paths);
        if near {
            self.mark_linked();
        }
    }

    /// Unregisters a wire's paths.
    pub fn unmount_wire(&mut self, wire: &Wire) {
        self.wires.remove(wire);
        if self.is_near(wire) {
            self.mark_linked();
        }
    }

    /// Marks the wires of the nodes that the designer looks at, and the nodes that these wires lead
    /// to. No other element changes.
    pub fn look_at(&mut self, now: BTreeSet<Node>) {
        if self.looked_at == now {
            return;
        }
        let before = std::mem::replace(&mut self.looked_at, now);
        for (wire, paths) in &self.wires {
            let was = before.contains(&wire.from.node) || before.contains(&wire.to.node);
            let is = self.is_near(wire);
            if was != is {
                mark_near(paths, is);
            }
        }
        self.mark_linked();
    }

    fn is_near(&self, wire: &Wire) -> bool {
        let looked_at = &self.looked_at;
        looked_at.contains(&wire.from.node) || looked_at.contains(&wire.to.node)
    }

    fn mark_linked(&mut self) {
        let wires = self.wires.keys().filter(|wire| self.is_near(wire));
        let ends = wires.flat_map(|wire| [&wire.from.node, &wire.to.node]);
        let others = ends.filter(|node| !self.looked_at.contains(*node));
        let now = set_of(others.cloned());
        for node in self.linked.symmetric_difference(&now) {
            if let Some(element) = self.nodes.get(node) {
                set_class(element, "linked", now.contains(node));
            }
        }
        self.linked = now;
    }

    /// Places the elements whose positions have changed.
    pub fn place(&mut self, scene: Arc<Scene>) {
        let before = std::mem::replace(&mut self.scene, scene);
        let scene = &self.scene;
        for (node, element) in &self.nodes {
            let corner = |scene: &Scene| scene.nodes.get(node).map(|s| s.rect.corner());
            if let Some(at) = corner(scene).filter(|at| corner(&before) != Some(*at)) {
                put(element, at);
            }
        }
        for (wire, paths) in &self.wires {
            if let Some(curve) = scene.curve(wire)
                && before.curve(wire).as_ref() != Some(&curve)
            {
                draw(paths, &curve);
            }
        }
    }

    /// Marks the selection.
    pub fn mark(&mut self, now: Selected) {
        let before = std::mem::replace(&mut self.marked, now);
        let now = &self.marked;
        for node in before.nodes.symmetric_difference(&now.nodes) {
            if let Some(element) = self.nodes.get(node) {
                show_selected(element, now.nodes.contains(node));
            }
        }
        for wire in before.wires.symmetric_difference(&now.wires) {
            for path in self.wires.get(wire).into_iter().flatten() {
                show_selected(path, now.wires.contains(wire));
            }
        }
    }

    /// Returns a node's description.
    pub fn words(&self, node: &Node) -> String {
        let element = self.nodes.get(node);
        let label = element.and_then(|element| element.get_attribute("aria-label"));
        // One without an element, since it is far away or folded, has at least its name.
        label.unwrap_or_else(|| node.name())
    }

    /// Returns the element of a port.
    pub fn port(&self, end: &End) -> Option<Element> {
        let key = end.port.key();
        let mut ports = ports(self.nodes.get(&end.node)?);
        ports.find(|port| port.get_attribute("data-port").as_ref() == Some(&key))
    }
}

/// Returns the ports of a node's element.
pub fn ports(element: &HtmlElement) -> impl Iterator<Item = Element> + use<> {
    let ports = element.get_elements_by_class_name("port");
    (0..ports.length()).filter_map(move |index| ports.item(index))
}

/// Moves an element to a position.
pub fn put(element: &HtmlElement, at: Vec2) {
    let transform = translation(at.x, at.y);
    let _ = element.style().set_property("transform", &transform);
}

/// Draws the paths of a wire.
pub fn draw(paths: &[SvgElement], curve: &Curve) {
    let d = curve.path();
    for path in paths {
        let _ = path.set_attribute("d", &d);
    }
}

/// Adds a class to an element, or removes it.
pub fn set_class(element: &Element, class: &str, on: bool) {
    let _ = element.class_list().toggle_with_force(class, on);
}

fn mark_near(paths: &[SvgElement], near: bool) {
    paths.iter().for_each(|path| set_class(path, "near", near));
}

fn show_selected(element: &Element, selected: bool) {
    set_class(element, "selected", selected);
    if selected {
        let _ = element.set_attribute("aria-current", "true");
    } else {
        let _ = element.remove_attribute("aria-current");
    }
}
