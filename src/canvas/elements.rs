//! The elements that the canvas writes to: its own, and those of nodes and wires.

use std::collections::BTreeMap;
use std::sync::Arc;

use leptos::web_sys::{Element, HtmlCanvasElement, HtmlElement, SvgElement};

use super::curve::Curve;
use super::geometry::{Vec2, translation};
use super::scene::{End, Node, Scene, Selected, Wire};

/// The canvas's own elements.
#[derive(Clone)]
pub struct Elements {
    /// Takes the events; its corner is the origin of screen coordinates.
    pub root: HtmlElement,
    /// Carries the camera's transform.
    pub world: HtmlElement,
    /// The wire being drawn.
    pub loose: SvgElement,
    /// The rectangle being drawn: three panes, one in the other.
    pub marquee: [HtmlElement; 3],
    /// Shows what has no elements.
    pub far: HtmlCanvasElement,
    /// Has the dots, and holds `far`.
    pub grid: HtmlElement,
    /// The minimap, and on it the frame of what is seen.
    pub map: HtmlCanvasElement,
    pub map_window: HtmlElement,
}

/// The elements of nodes and wires, and what was written to them last.
#[derive(Default)]
pub struct Placed {
    /// The nodes' elements.
    pub nodes: BTreeMap<Node, HtmlElement>,
    /// The wires' paths: the one that is seen, and what the pointer meets.
    pub wires: BTreeMap<Wire, Vec<SvgElement>>,
    /// The scene by which they were placed.
    scene: Arc<Scene>,
    /// What is marked as selected.
    marked: Selected,
}

impl Placed {
    /// Takes a node's element, and places it.
    pub fn mount_node(&mut self, node: Node, element: HtmlElement, scene: &Scene, selected: bool) {
        if let Some(shape) = scene.nodes.get(&node) {
            put(&element, shape.rect.corner());
        }
        show_selected(&element, selected);
        self.nodes.insert(node, element);
    }

    /// Forgets a node's element, unless it is already another one's.
    pub fn unmount_node(&mut self, node: &Node, element: Option<&HtmlElement>) {
        if self.nodes.get(node) == element {
            self.nodes.remove(node);
        }
    }

    /// Takes a wire's paths, and draws them.
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
        self.wires.insert(wire, paths);
    }

    /// Places what stands elsewhere than before.
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

    /// Marks what is selected.
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

    /// What a node is, in words.
    pub fn words(&self, node: &Node) -> String {
        let element = self.nodes.get(node);
        let label = element.and_then(|element| element.get_attribute("aria-label"));
        label.unwrap_or_default()
    }

    /// The element of a port.
    pub fn port(&self, end: &End) -> Option<Element> {
        let key = end.port.key();
        let mut ports = ports(self.nodes.get(&end.node)?);
        ports.find(|port| port.get_attribute("data-port").as_ref() == Some(&key))
    }
}

/// The ports of a node's element.
pub fn ports(element: &HtmlElement) -> impl Iterator<Item = Element> + use<> {
    let ports = element.get_elements_by_class_name("port");
    (0..ports.length()).filter_map(move |index| ports.item(index))
}

/// Puts an element somewhere.
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

/// Gives an element a class, or takes it away.
pub fn set_class(element: &Element, class: &str, on: bool) {
    let _ = element.class_list().toggle_with_force(class, on);
}

fn show_selected(element: &Element, selected: bool) {
    set_class(element, "selected", selected);
    if selected {
        let _ = element.set_attribute("aria-current", "true");
    } else {
        let _ = element.remove_attribute("aria-current");
    }
}
