//! The thin layer between gestures and elements. What is mounted never reacts
//! to the camera or to a drag: positions, wires and the one transform of the
//! camera are written here, at most once a frame.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use leptos::html::Div;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, HtmlCanvasElement, HtmlElement, SvgElement};

use super::camera::Camera;
use super::curve::Curve;
use super::far::{Drawn, Tints};
use super::geometry::{Rect, Vec2, translation};
use super::gesture::{Command, Gesture, Stage};
use super::mount::Mounted;
use super::presets::Presets;
use super::scene::{End, Node, Scene, Selected, Wire};

/// What a canvas shows and how it answers.
pub trait Rules {
    /// The nodes and wires.
    fn scene(&self) -> Memo<Arc<Scene>>;
    /// What is selected.
    fn selected(&self) -> Memo<Selected>;
    /// See [`Stage::targets`].
    fn targets(&self, end: &End, without: Option<&Wire>) -> BTreeSet<End>;
    /// See [`Stage::inserts`].
    fn inserts(&self, node: &Node, wire: &Wire) -> bool;
    /// Colours of what is drawn from far away, where they are not their own. Tracked.
    fn tints(&self) -> Tints;
    /// The nodes in the order in which Tab visits them.
    fn order(&self) -> Vec<Node>;
    /// From where the canvas is first looked at: given the rectangle around all
    /// nodes, and the canvas's size in pixels.
    fn opening(&self, content: Rect, size: Vec2) -> Camera;
    /// Whether the canvas takes the keyboard's focus when it opens, also where
    /// nothing on it is selected.
    fn takes_focus(&self) -> bool;
    /// Does what a gesture asks for.
    fn perform(&self, surface: Surface, command: Command);
}

/// A handle to a mounted canvas.
#[derive(Clone, Copy)]
pub struct Surface {
    state: StoredValue<Rc<State>, LocalStorage>,
    /// The zoom in percent, for reading.
    pub percent: RwSignal<i32>,
    /// The node under the pointer while no gesture is under way.
    pub hovered: RwSignal<Option<Node>>,
    /// What has elements, where not everything has.
    pub(super) mounted: RwSignal<Option<Arc<Mounted>>>,
}

/// The elements that the canvas writes to.
#[derive(Clone)]
pub(super) struct Elements {
    /// Takes the events; its corner is the origin of screen coordinates.
    pub root: HtmlElement,
    /// Carries the camera's transform.
    pub world: HtmlElement,
    /// The wire being drawn.
    pub loose: SvgElement,
    /// The rectangle being drawn.
    pub marquee: HtmlElement,
    /// Shows what has no elements.
    pub far: HtmlCanvasElement,
    /// Has the dots, and holds `far`.
    pub grid: HtmlElement,
    /// The minimap, and on it the frame of what is seen.
    pub map: HtmlCanvasElement,
    pub map_window: HtmlElement,
}

pub(super) struct State {
    pub rules: Rc<dyn Rules>,
    pub camera: Cell<Camera>,
    pub size: Cell<Vec2>,
    pub gesture: RefCell<Gesture>,
    pub elements: RefCell<Option<Elements>>,
    pub fingers: RefCell<BTreeMap<i32, Vec2>>,
    pub space: Cell<bool>,
    /// Where the pointer was last, while it is on the canvas.
    pub pointer: Cell<Option<Vec2>>,
    /// The port that got the keyboard's focus last, on the node that has it now.
    pub port: RefCell<Option<End>>,
    /// The node whose wires are being gone through by key.
    pub wire_home: RefCell<Option<Node>>,
    /// How the pointer works.
    pub presets: Presets,
    fitted: Cell<bool>,
    queued: Cell<bool>,
    /// The part of the graph whose nodes are mounted, where not all are.
    pub covered: Cell<Rect>,
    /// What is mounted, where not everything is.
    pub mounted: RefCell<Option<Arc<Mounted>>>,
    /// Whether what is mounted has to be chosen anew.
    pub stale: Cell<bool>,
    /// What the canvas behind shows, and whether that has changed.
    pub drawn: RefCell<Drawn>,
    pub redrawn: Cell<bool>,
    pub tints: RefCell<Tints>,
    /// From where the minimap shows the scene; none: it has to be drawn anew.
    pub map: Cell<Option<Camera>>,
    /// The camera that the elements were last placed by, and how often it has moved.
    pub shown: Cell<Option<Camera>>,
    pub moves: Cell<u32>,
    /// Whether the elements move as a picture.
    pub lifted: Cell<bool>,
    /// Changes of the zoom so far; whether one was just now, and another one just before.
    pub zooms: Cell<u32>,
    pub zoomed: Cell<bool>,
    pub zooming: Cell<bool>,
    pub hovered: RwSignal<Option<Node>>,
    /// The node that gets the focus when it is mounted.
    wanted: RefCell<Option<Node>>,
    pub nodes: RefCell<BTreeMap<Node, HtmlElement>>,
    pub wires: RefCell<BTreeMap<Wire, Vec<SvgElement>>>,
    /// The scene that the elements were last placed by.
    placed: RefCell<Arc<Scene>>,
    /// The nodes that a drag holds elsewhere than the scene says.
    pub displaced: RefCell<BTreeSet<Node>>,
    /// How far away they were put last; none: something was put elsewhere since.
    pub put_by: Cell<Option<Vec2>>,
    /// The frame that a drag holds larger or smaller than the scene says.
    pub resized: RefCell<Option<Node>>,
    /// The wire marked as the one to be inserted on.
    pub receiving: RefCell<Option<Wire>>,
    /// Whether ports are marked as fitting.
    pub wiring: Cell<bool>,
    /// The class and the path of the cut or the guides that are drawn.
    pub lined: RefCell<Option<(&'static str, String)>>,
    /// Whether a rectangle is drawn, and what is marked as being in it.
    pub boxed: Cell<bool>,
    pub caught: RefCell<BTreeSet<Node>>,
    /// Whether wires and edges are drawn for reading from afar.
    pub distant: Cell<bool>,
    /// Whether the pointer shows that it pans.
    pub panning: Cell<bool>,
    /// The canvas's corner on the page when the gesture under way began.
    pub corner: Cell<Vec2>,
    marked: RefCell<Selected>,
}

impl Surface {
    /// A canvas that is mounted by [`super::Canvas`].
    pub fn new(rules: Rc<dyn Rules>) -> Self {
        let hovered = RwSignal::new(None);
        let surface = Self {
            state: StoredValue::new_local(Rc::new(State {
                rules,
                camera: Cell::default(),
                size: Cell::default(),
                gesture: RefCell::new(Gesture::Idle),
                elements: RefCell::default(),
                fingers: RefCell::default(),
                space: Cell::default(),
                pointer: Cell::default(),
                port: RefCell::new(None),
                wire_home: RefCell::new(None),
                presets: Presets::expect(),
                fitted: Cell::default(),
                queued: Cell::default(),
                covered: Cell::default(),
                mounted: RefCell::default(),
                stale: Cell::new(true),
                drawn: RefCell::default(),
                redrawn: Cell::default(),
                tints: RefCell::default(),
                map: Cell::default(),
                shown: Cell::default(),
                moves: Cell::default(),
                lifted: Cell::default(),
                zooms: Cell::default(),
                zoomed: Cell::default(),
                zooming: Cell::default(),
                hovered,
                wanted: RefCell::new(None),
                nodes: RefCell::default(),
                wires: RefCell::default(),
                placed: RefCell::default(),
                displaced: RefCell::default(),
                put_by: Cell::default(),
                resized: RefCell::default(),
                receiving: RefCell::default(),
                wiring: Cell::default(),
                lined: RefCell::default(),
                boxed: Cell::default(),
                caught: RefCell::default(),
                distant: Cell::default(),
                panning: Cell::default(),
                corner: Cell::default(),
                marked: RefCell::default(),
            })),
            percent: RwSignal::new(100),
            hovered,
            mounted: RwSignal::new(None),
        };
        Effect::new(move |_| {
            if let Some(state) = surface.state() {
                state.rules.scene().track();
                state.map.set(None);
                state.place();
                surface.remount(&state);
            }
        });
        Effect::new(move |_| {
            if let Some(state) = surface.state() {
                state.rules.selected().track();
                state.mark();
                surface.remount(&state);
            }
        });
        Effect::new(move |_| {
            if let Some(state) = surface.state() {
                *state.tints.borrow_mut() = state.rules.tints();
                // A minimap that comes is drawn.
                state.presets.minimap();
                state.map.set(None);
                surface.remount(&state);
            }
        });
        Effect::new(move |_| {
            // A small graph has its wires mounted already.
            hovered.track();
            if let Some(state) = surface.state().filter(|s| s.mounted.borrow().is_some()) {
                state.stale.set(true);
                surface.redraw();
            }
        });
        surface
    }

    /// Chooses at the next frame anew what is mounted and what is drawn.
    fn remount(&self, state: &State) {
        state.stale.set(true);
        state.redrawn.set(true);
        self.redraw();
    }

    pub(super) fn state(&self) -> Option<Rc<State>> {
        self.state.try_get_value()
    }

    /// Registers the element of a node. It is placed at once.
    fn mount_node(&self, node: Node, element: HtmlElement) {
        let Some(state) = self.state() else { return };
        if let Some(shape) = state.scene().nodes.get(&node) {
            put(&element, shape.rect.corner());
        }
        let selected = state.selected().nodes.contains(&node);
        show_selected(&element, selected);
        if state.wanted.borrow().as_ref() == Some(&node) {
            *state.wanted.borrow_mut() = None;
            let _ = element.focus();
        }
        state.nodes.borrow_mut().insert(node, element);
        state.put_by.set(None);
    }

    /// For the element of a node, which is placed when it is mounted and
    /// forgotten when its component goes.
    pub fn node_ref(&self, node: Node) -> NodeRef<Div> {
        let surface = *self;
        let element = NodeRef::<Div>::new();
        let key = node.clone();
        Effect::new(move |_| {
            if let Some(element) = element.get() {
                surface.mount_node(key.clone(), element.unchecked_into());
            }
        });
        on_cleanup(move || {
            let mounted = element.try_get_untracked().flatten();
            let mounted = mounted.map(|e| e.unchecked_into::<HtmlElement>());
            surface.unmount_node(&node, mounted.as_ref());
        });
        element
    }

    /// Registers the paths of a wire.
    pub fn mount_wire(&self, wire: Wire, paths: Vec<SvgElement>) {
        let Some(state) = self.state() else { return };
        if let Some(curve) = state.scene().curve(&wire) {
            draw(&paths, &curve);
        }
        let selected = state.selected().wires.contains(&wire);
        paths.iter().for_each(|path| show_selected(path, selected));
        state.wires.borrow_mut().insert(wire, paths);
        state.put_by.set(None);
    }

    /// Forgets a node's element, unless it is already another one's.
    fn unmount_node(&self, node: &Node, element: Option<&HtmlElement>) {
        if let Some(state) = self.state() {
            let mut nodes = state.nodes.borrow_mut();
            if nodes.get(node) == element {
                nodes.remove(node);
            }
        }
    }

    /// Forgets a wire's paths.
    pub fn unmount_wire(&self, wire: &Wire) {
        if let Some(state) = self.state() {
            state.wires.borrow_mut().remove(wire);
        }
    }

    pub(super) fn attach(&self, elements: Elements) {
        if let Some(state) = self.state() {
            *state.elements.borrow_mut() = Some(elements);
            self.measure();
            // The canvas before took the focus with it; keys go on to work. A field
            // keeps it, and a page that has just loaded gives it to nobody.
            let active = document().active_element();
            let in_field = active.is_some_and(|element| {
                matches!(element.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT")
            });
            let entered = state.rules.takes_focus() || state.selected() != Selected::default();
            if entered && !in_field {
                self.focus(None);
            }
        }
    }

    /// Takes note of the canvas's size. The first time, all is fitted.
    pub(super) fn measure(&self) {
        let Some(state) = self.state() else { return };
        let Some(elements) = state.elements.borrow().clone() else {
            return;
        };
        let size = Vec2::new(
            f64::from(elements.root.client_width()),
            f64::from(elements.root.client_height()),
        );
        if size.x <= 0.0 || size.y <= 0.0 {
            return;
        }
        state.size.set(size);
        self.remount(&state);
        if state.fitted.get() {
            return;
        }
        state.fitted.set(true);
        if let Some(bounds) = state.scene().bounds(&BTreeSet::new()) {
            state.camera.set(state.rules.opening(bounds, size));
        }
        state.frame(self.percent);
    }

    /// Writes what has changed at the next frame.
    pub(super) fn redraw(&self) {
        let Some(state) = self.state() else { return };
        if state.queued.replace(true) {
            return;
        }
        let (percent, mounted) = (self.percent, self.mounted);
        request_animation_frame(move || {
            state.queued.set(false);
            state.lift();
            let changed = state.choose_mounted();
            if changed {
                state.redrawn.set(true);
            }
            state.frame(percent);
            if changed {
                let now = state.mounted.borrow().clone();
                mounted.try_set(now);
            }
        });
    }

    /// Does what a gesture asks for.
    pub(super) fn perform(&self, command: Command) {
        if let Some(state) = self.state() {
            state.rules.perform(*self, command);
        }
    }

    /// Runs a step of the gesture and does what it asks for.
    pub(super) fn advance(&self, step: impl FnOnce(&mut Gesture, &Stage<'_>) -> Option<Command>) {
        let Some(state) = self.state() else { return };
        let (scene, selected) = (state.scene(), state.selected());
        let rules = &state.rules;
        let stage = Stage {
            scene: &scene,
            camera: state.camera.get(),
            selected: &selected,
            targets: &|end, without| rules.targets(end, without),
            inserts: &|node, wire| rules.inserts(node, wire),
            drags: state.presets.drags(),
        };
        let command = step(&mut state.gesture.borrow_mut(), &stage);
        match command {
            Some(Command::Pan(by)) => state.camera.set(state.camera.get().panned(by)),
            Some(command) => self.perform(command),
            None => {}
        }
    }

    /// Gives a node, or the canvas itself, the keyboard's focus.
    pub fn focus(&self, node: Option<&Node>) {
        let Some(state) = self.state() else { return };
        // A node that is not mounted yet gets it from the canvas.
        *state.wanted.borrow_mut() = node.cloned().filter(|node| state.is_drawn(node));
        let element = node
            .and_then(|node| state.nodes.borrow().get(node).cloned())
            .or_else(|| state.elements.borrow().as_ref().map(|e| e.root.clone()));
        if let Some(element) = element {
            let _ = element.focus();
        }
    }

    /// The nodes that are selected, with what stands in the frames among them.
    pub fn whole(&self) -> BTreeSet<Node> {
        self.state().map_or(BTreeSet::new(), |state| {
            state.scene().with_contents(&state.selected().nodes)
        })
    }

    /// Whether a node is selected.
    pub fn is_selected(&self, node: &Node) -> bool {
        self.state()
            .is_some_and(|state| state.selected().nodes.contains(node))
    }
}

impl State {
    /// The scene; empty once the canvas is gone, which a frame or a timer that
    /// was asked for before may find.
    pub fn scene(&self) -> Arc<Scene> {
        self.rules.scene().try_get_untracked().unwrap_or_default()
    }

    /// What is selected.
    pub fn selected(&self) -> Selected {
        self.rules
            .selected()
            .try_get_untracked()
            .unwrap_or_default()
    }

    /// Places the elements of what stands elsewhere than before.
    fn place(&self) {
        let scene = self.scene();
        let before = std::mem::replace(&mut *self.placed.borrow_mut(), scene.clone());
        self.put_by.set(None);
        for (node, element) in self.nodes.borrow().iter() {
            let corner = |scene: &Scene| scene.nodes.get(node).map(|s| s.rect.corner());
            if let Some(at) = corner(&scene).filter(|at| corner(&before) != Some(*at)) {
                put(element, at);
            }
        }
        for (wire, paths) in self.wires.borrow().iter() {
            if let Some(curve) = scene.curve(wire)
                && before.curve(wire).as_ref() != Some(&curve)
            {
                draw(paths, &curve);
            }
        }
    }

    /// Marks what is selected.
    fn mark(&self) {
        let now = self.selected();
        let before = std::mem::replace(&mut *self.marked.borrow_mut(), now.clone());
        let nodes = self.nodes.borrow();
        for node in before.nodes.symmetric_difference(&now.nodes) {
            if let Some(element) = nodes.get(node) {
                show_selected(element, now.nodes.contains(node));
            }
        }
        let wires = self.wires.borrow();
        for wire in before.wires.symmetric_difference(&now.wires) {
            for path in wires.get(wire).into_iter().flatten() {
                show_selected(path, now.wires.contains(wire));
            }
        }
    }
}

pub(super) fn put(element: &HtmlElement, at: Vec2) {
    let transform = translation(at.x, at.y);
    let _ = element.style().set_property("transform", &transform);
}

pub(super) fn draw(paths: &[SvgElement], curve: &Curve) {
    let d = curve.path();
    for path in paths {
        let _ = path.set_attribute("d", &d);
    }
}

fn show_selected(element: &Element, selected: bool) {
    let _ = element.class_list().toggle_with_force("selected", selected);
    if selected {
        let _ = element.set_attribute("aria-current", "true");
    } else {
        let _ = element.remove_attribute("aria-current");
    }
}
