//! A mounted canvas: it applies gestures, camera and scene to the elements, at most once per frame.
//! Mounted components never react to the camera or to a drag.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use leptos::prelude::*;
use leptos::web_sys;

use super::camera::Camera;
use super::elements::{Elements, Placed};
use super::far::{Far, Tints};
use super::geometry::{Rect, Vec2};
use super::gesture::{Context, Gesture};
use super::hand::Hand;
use super::intent::Intent;
use super::minimap::Minimap;
use super::mount::{MountContext, Mounted, Mounting};
use super::painter::{Frame, Painter};
use super::presets::Presets;
use super::scene::{End, Node, Scene, Selected, Wire};
use super::viewport::Viewport;

/// The minimum time without camera movement before it counts as resting.
const RESTING: Duration = Duration::from_millis(160);
/// The time after a zoom during which another one is expected.
const IN_FLIGHT: Duration = Duration::from_millis(120);

/// The content and behaviour of a canvas.
pub trait Content {
    /// Returns the nodes and wires.
    fn scene(&self) -> Memo<Arc<Scene>>;
    /// Returns the selection.
    fn selected(&self) -> Memo<Selected>;
    /// See [`Context::targets`].
    fn targets(&self, end: &End, without: Option<&Wire>) -> BTreeSet<End>;
    /// See [`Context::inserts`].
    fn inserts(&self, node: &Node) -> bool;
    /// Returns `true` if wires are faint unless the designer looks at a node at one of their ends.
    fn fades(&self) -> bool;
    /// Returns the colours of drawings from far away, if they differ from the elements' own.
    /// Tracked.
    fn tints(&self) -> Tints;
    /// Returns the nodes in the order in which Tab visits them.
    fn order(&self) -> Vec<Node>;
    /// Returns the initial camera of a canvas of this size in pixels; `None` if it is empty.
    fn opening(&self, size: Vec2) -> Option<Camera>;
    /// Returns `true` if the canvas takes the keyboard focus when it opens, even if nothing on it
    /// is selected.
    fn takes_focus(&self) -> bool;
}

/// Performs an intent that concerns the content. Returns `true` if there was something to do.
pub type Perform = dyn Fn(Surface, Intent) -> bool;

/// A handle to a mounted canvas.
#[derive(Clone, Copy)]
pub struct Surface {
    state: StoredValue<Rc<State>, LocalStorage>,
    /// The zoom in percent, for display.
    pub percent: RwSignal<i32>,
    /// The node under the pointer while no gesture is in progress.
    pub hovered: RwSignal<Option<Node>>,
    /// The mounted nodes and wires, if some have no elements.
    pub(super) mounted: RwSignal<Option<Arc<Mounted>>>,
}

/// The parts of a canvas, each with its own state.
pub(super) struct State {
    pub content: Rc<dyn Content>,
    pub perform: Box<Perform>,
    /// The settings for the pointer.
    pub presets: Presets,
    pub elements: RefCell<Option<Elements>>,
    pub placed: RefCell<Placed>,
    pub viewport: RefCell<Viewport>,
    pub hand: RefCell<Hand>,
    pub focus: RefCell<Focus>,
    mounting: RefCell<Mounting>,
    pub painter: RefCell<Painter>,
    far: RefCell<Far>,
    pub minimap: RefCell<Minimap>,
    tints: RefCell<Tints>,
    /// `true` if a frame is requested.
    asked: Cell<bool>,
}

/// The keyboard focus, as far as the page doesn't know it.
#[derive(Default)]
pub(super) struct Focus {
    /// The last focused port, on the node that has the focus now.
    pub port: Option<End>,
    /// The node whose wires are being traversed by keyboard.
    pub wire_home: Option<Node>,
    /// The node that is focused when it is mounted.
    pub wanted: Option<Node>,
}

impl Surface {
    /// Creates a canvas, which [`super::Canvas`] mounts.
    pub fn new(content: Rc<dyn Content>, perform: Box<Perform>) -> Self {
        let surface = Self {
            state: StoredValue::new_local(Rc::new(State {
                content,
                perform,
                presets: Presets::expect(),
                elements: RefCell::default(),
                placed: RefCell::default(),
                viewport: RefCell::default(),
                hand: RefCell::default(),
                focus: RefCell::default(),
                mounting: RefCell::default(),
                painter: RefCell::default(),
                far: RefCell::default(),
                minimap: RefCell::default(),
                tints: RefCell::default(),
                asked: Cell::default(),
            })),
            percent: RwSignal::new(100),
            hovered: RwSignal::new(None),
            mounted: RwSignal::new(None),
        };
        Effect::new(move || {
            if let Some(state) = surface.state() {
                state.content.scene().track();
                state.minimap.borrow_mut().forget();
                state.painter.borrow_mut().forget_places();
                state.placed.borrow_mut().place(state.scene());
                surface.remount(&state);
            }
        });
        Effect::new(move || {
            if let Some(state) = surface.state() {
                state.content.selected().track();
                state.placed.borrow_mut().mark(state.selected());
                surface.remount(&state);
            }
        });
        Effect::new(move || {
            if let Some(state) = surface.state() {
                *state.tints.borrow_mut() = state.content.tints();
                // A minimap that appears is drawn.
                state.presets.minimap();
                state.minimap.borrow_mut().forget();
                surface.remount(&state);
            }
        });
        Effect::new(move || {
            let state = surface.state();
            if let Some(state) = state.filter(|state| state.content.fades()) {
                let looked_at = match surface.hovered.get() {
                    Some(node) => [node].into(),
                    None => {
                        let selected = state.content.selected();
                        selected.with(|selected| selected.solid())
                    }
                };
                state.placed.borrow_mut().look_at(looked_at);
            }
        });
        Effect::new(move || {
            surface.hovered.track();
            // A small graph already has its wires mounted.
            let state = surface.state();
            if let Some(state) = state.filter(|s| s.mounting.borrow().mounted().is_some()) {
                state.mounting.borrow_mut().forget();
                surface.redraw();
            }
        });
        surface
    }

    /// Chooses again what is mounted and what is drawn, at the next frame.
    fn remount(&self, state: &State) {
        state.mounting.borrow_mut().forget();
        state.far.borrow_mut().forget();
        self.redraw();
    }

    pub(super) fn state(&self) -> Option<Rc<State>> {
        self.state.try_get_value()
    }

    pub(super) fn attach(&self, elements: Elements) {
        if let Some(state) = self.state() {
            *state.elements.borrow_mut() = Some(elements);
            self.measure();
            // The previous canvas lost the focus when it was removed, so this one takes it for keys
            // to continue to work. A field keeps the focus, and a page that has just loaded gives
            // it to nobody.
            let active = document().active_element();
            let in_field = active.is_some_and(|element| {
                matches!(element.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT")
            });
            let entered = state.content.takes_focus() || state.selected() != Selected::default();
            if entered && !in_field {
                self.focus(None);
            }
        }
    }

    /// Measures the canvas. The first time, its initial camera is set.
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
        let first = state.viewport.borrow_mut().resize(size);
        self.remount(&state);
        if first {
            let before = state.viewport.borrow().before;
            if let Some(camera) = before.or_else(|| state.content.opening(size)) {
                state.viewport.borrow_mut().look(camera);
            }
            self.paint(&state, &elements);
        }
    }

    /// Sets the camera.
    pub fn look(&self, camera: Camera) {
        let Some(state) = self.state() else { return };
        if state.viewport.borrow_mut().look(camera) {
            let surface = *self;
            let rest = move || {
                if let Some(state) = surface.state() {
                    state.viewport.borrow_mut().rest();
                    surface.redraw();
                }
            };
            let timer = set_timeout_with_handle(rest, IN_FLIGHT).ok();
            state.viewport.borrow_mut().zoomed(timer);
        }
        self.redraw();
    }

    /// Writes all changes at the next frame.
    pub(super) fn redraw(&self) {
        let Some(state) = self.state() else { return };
        if state.asked.replace(true) {
            return;
        }
        let surface = *self;
        request_animation_frame(move || {
            state.asked.set(false);
            let Some(elements) = state.elements.borrow().clone() else {
                return;
            };
            surface.begin_compositing(&state, &elements);
            let changed = state.choose(surface.hovered.try_get_untracked().flatten());
            if changed {
                state.far.borrow_mut().forget();
            }
            surface.paint(&state, &elements);
            if changed {
                let now = state.mounting.borrow().mounted();
                surface.mounted.try_set(now);
            }
        });
    }

    /// Moves the elements as one image while the camera moves.
    fn begin_compositing(&self, state: &Rc<State>, elements: &Elements) {
        let camera = state.viewport.borrow().camera();
        if state.painter.borrow().shows(camera) {
            return;
        }
        let (resting, world) = (state.clone(), elements.clone());
        let end_compositing = move || resting.painter.borrow_mut().end_compositing(&world);
        let timer = set_timeout_with_handle(end_compositing, RESTING).ok();
        state
            .painter
            .borrow_mut()
            .begin_compositing(elements, timer);
    }

    /// Writes a frame.
    fn paint(&self, state: &State, elements: &Elements) {
        let (scene, selected) = (state.scene(), state.selected());
        let mounted = state.mounting.borrow().mounted();
        let (hand, viewport) = (state.hand.borrow(), state.viewport.borrow());
        let frame = Frame {
            elements,
            scene: &scene,
            selected: &selected,
            gesture: &hand.gesture,
            mounted: mounted.as_deref(),
            camera: viewport.camera(),
            size: viewport.size(),
            at_rest: viewport.is_at_rest(),
        };
        let tints = state.tints.borrow();
        state.far.borrow_mut().paint(&frame, &tints);
        if untrack(|| state.presets.minimap()) {
            state.minimap.borrow_mut().paint(&frame, &tints);
        }
        let mut painter = state.painter.borrow_mut();
        painter.paint(&frame, &state.placed.borrow());
        let percent = (frame.camera.zoom * 100.0).round() as i32;
        let is_shown = viewport.shows_zoom();
        drop((hand, viewport, tints, painter));
        let shown = self.percent.try_get_untracked();
        if is_shown && shown.is_some_and(|shown| shown != percent) {
            self.percent.set(percent);
        }
    }

    /// Runs a step of the gesture and performs its intent.
    pub(super) fn advance(&self, step: impl FnOnce(&mut Gesture, &Context<'_>) -> Option<Intent>) {
        let Some(state) = self.state() else { return };
        let (scene, selected) = (state.scene(), state.selected());
        let camera = state.viewport.borrow().camera();
        let context = Context {
            scene: &scene,
            camera,
            selected: &selected,
            targets: &|end, without| state.content.targets(end, without),
            inserts: &|node| state.content.inserts(node),
            drags: state.presets.drags(),
        };
        let intent = step(&mut state.hand.borrow_mut().gesture, &context);
        if let Some(intent) = intent {
            self.perform(intent);
        }
    }

    /// Gives a node, or the canvas itself, the keyboard focus.
    pub fn focus(&self, node: Option<&Node>) {
        let Some(state) = self.state() else { return };
        // A node that is not mounted yet gets it from the canvas.
        let is_drawn = |node: &Node| state.mounting.borrow().is_drawn(node);
        state.focus.borrow_mut().wanted = node.cloned().filter(is_drawn);
        let element = node.and_then(|node| state.placed.borrow().nodes.get(node).cloned());
        let root = || state.elements.borrow().as_ref().map(|e| e.root.clone());
        if let Some(element) = element.or_else(root) {
            let _ = element.focus();
        }
    }

    /// Returns the selected nodes, including the contents of selected frames.
    pub fn whole(&self) -> BTreeSet<Node> {
        self.state().map_or(BTreeSet::new(), |state| {
            state.scene().with_contents(&state.selected().nodes)
        })
    }

    /// Returns the bounds of the selected nodes, if there are any.
    pub fn selected_bounds(&self) -> Option<Rect> {
        let state = self.state()?;
        let nodes = state.selected().nodes;
        let bounds = state.scene().bounds(&nodes);
        bounds.filter(|_| !nodes.is_empty())
    }

    /// Returns the selection.
    pub fn selected(&self) -> Selected {
        self.state()
            .map_or_else(Selected::default, |state| state.selected())
    }
}

impl State {
    /// Returns the scene; empty once the canvas is gone, which can happen in a frame or a timer
    /// that was requested before.
    pub fn scene(&self) -> Arc<Scene> {
        let scene = self.content.scene();
        scene.try_get_untracked().unwrap_or_default()
    }

    /// Returns the selection.
    pub fn selected(&self) -> Selected {
        let selected = self.content.selected();
        selected.try_get_untracked().unwrap_or_default()
    }

    /// Returns a mounted node's description.
    pub fn words(&self, node: &Node) -> String {
        self.placed.borrow().words(node)
    }

    /// Chooses again what is mounted. Returns `true` if that has changed.
    fn choose(&self, hovered: Option<Node>) -> bool {
        let viewport = self.viewport.borrow();
        let moving = matches!(self.hand.borrow().gesture, Gesture::Move(_));
        let context = MountContext {
            scene: &self.scene(),
            selected: &self.selected(),
            focused: self.focused(),
            hovered,
            camera: viewport.camera(),
            size: viewport.size(),
            busy: viewport.is_zooming() || moving,
        };
        self.mounting.borrow_mut().choose(&context)
    }

    /// Returns the node that has the keyboard focus, or a field of which has it.
    fn focused(&self) -> Option<Node> {
        let active = document().active_element()?;
        let active: &web_sys::Node = active.as_ref();
        let placed = self.placed.borrow();
        let mut nodes = placed.nodes.iter();
        let (node, _) = nodes.find(|(_, element)| element.contains(Some(active)))?;
        Some(node.clone())
    }
}
