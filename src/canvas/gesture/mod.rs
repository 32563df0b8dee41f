//! The pointer's gestures: a state machine fed with presses, moves and releases that shows a
//! preview in the meantime and results in a single intent. Nothing is committed before the
//! release, and Escape leaves no trace.

mod moving;
mod wiring;

use std::collections::BTreeSet;

use super::camera::Camera;
use super::geometry::{Rect, Vec2};
use super::intent::Intent;
use super::presets::Drags;
use super::scene::{End, Hit, Node, Scene, Selected, Side, Wire};
pub use moving::Move;
pub use wiring::Loose;

/// The distance, in pixels, that the pointer moves before a press becomes a drag.
const SLACK: f64 = 4.0;
/// The distance, in pixels, within which a port or a wire is hit.
const REACH: f64 = 7.0;
/// The grid, in graph units, to which dragged nodes snap.
pub const SNAP: f64 = 10.0;
/// The minimum side of a frame, in graph units.
const MIN_FRAME_SIDE: f64 = 60.0;

/// A button of the pointer. One finger is `Touch`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Button {
    /// The left one, or the pen's tip.
    Primary,
    /// The left one while the space bar is down, or the middle one.
    Pan,
    /// The right one.
    Secondary,
    /// One finger.
    Touch,
}

/// The pointer position, in pixels from the canvas's corner, and the modifier keys.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Pointer {
    /// The position.
    pub at: Vec2,
    /// Shift.
    pub shift: bool,
    /// Ctrl or Cmd.
    pub ctrl: bool,
    /// Alt.
    pub alt: bool,
}

/// See [`Context::targets`].
pub type Targets<'a> = dyn Fn(&End, Option<&Wire>) -> BTreeSet<End> + 'a;
/// See [`Context::inserts`].
pub type Inserts<'a> = dyn Fn(&Node) -> bool + 'a;

/// The machine's environment, which it only borrows.
pub struct Context<'a> {
    /// The nodes and wires.
    pub scene: &'a Scene,
    /// The camera.
    pub camera: Camera,
    /// The selection.
    pub selected: &'a Selected,
    /// Returns the ports that can take a wire from this one, ignoring one wire: the one whose end
    /// is being dragged.
    pub targets: &'a Targets<'a>,
    /// Returns `true` if a node can be inserted on a wire.
    pub inserts: &'a Inserts<'a>,
    /// The actions of the buttons.
    pub drags: Drags,
}

/// The state of the pointer's gesture.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Gesture {
    /// No gesture.
    #[default]
    Idle,
    /// Pressed, not yet moved.
    Press {
        /// The target under the pointer.
        hit: Hit,
        /// The button.
        button: Button,
        /// The position, with the modifier keys.
        start: Pointer,
        /// `true` if the press has selected the node.
        fresh: bool,
    },
    /// Dragging the canvas; with `Secondary`, the movement suppresses the menu.
    Pan(Vec2),
    /// Drawing a rectangle, both corners in graph units.
    Marquee(Vec2, Vec2),
    /// Dragging nodes.
    Move(Move),
    /// Dragging the loose end of a wire.
    Wire(Loose),
    /// Dragging the corner of a frame.
    Resize {
        /// The frame.
        frame: Node,
        /// The position where the pointer grabbed it, in graph units.
        from: Vec2,
        /// The displacement of the corner, snapped.
        by: Vec2,
    },
    /// Drawing a line, in graph units, that cuts the wires it crosses.
    Cut(Vec<Vec2>),
}

impl Gesture {
    /// Returns `true` if a button is held, as opposed to a wire waiting for a tap on another port.
    pub fn is_held(&self) -> bool {
        match self {
            Self::Idle => false,
            Self::Wire(loose) => !loose.tapped,
            _ => true,
        }
    }

    /// Handles a press of the pointer.
    pub fn press(
        &mut self,
        context: &Context<'_>,
        button: Button,
        pointer: Pointer,
    ) -> Option<Intent> {
        if button == Button::Pan {
            *self = Self::Pan(pointer.at);
            return None;
        }
        let zoom = context.camera.zoom;
        let reach = if button == Button::Touch {
            2.0 * REACH
        } else {
            REACH
        };
        let p = context.camera.to_graph(pointer.at);
        let hit = context.scene.hit(p, reach / zoom, &context.selected.nodes);
        if let Self::Wire(mut loose) = std::mem::take(self) {
            // A port was tapped before: this tap says where its wire leads.
            loose.drag(context, p);
            if loose.target.is_some() {
                return loose.release(context, pointer);
            }
            if matches!(&hit, Hit::Socket(end) if *end == loose.fixed) {
                return None;
            }
        }
        if let (Hit::Socket(end), true) = (&hit, pointer.alt) {
            *self = Self::Idle;
            return Some(Intent::Break(end.clone()));
        }
        // A pressed node is selected at once, so that a drag moves what is visibly selected;
        // narrowing several nodes to one waits for the release.
        let select = match &hit {
            Hit::Node(node)
                if button != Button::Touch && !context.selected.nodes.contains(node) =>
            {
                let mut selected = if pointer.shift || pointer.ctrl {
                    context.selected.clone()
                } else {
                    Selected::default()
                };
                selected.nodes.insert(node.clone());
                Some(Intent::Select(selected))
            }
            _ => None,
        };
        *self = Self::Press {
            hit,
            button,
            start: pointer,
            fresh: select.is_some(),
        };
        select
    }

    /// Handles a move of the pointer.
    pub fn drag(&mut self, context: &Context<'_>, pointer: Pointer) -> Option<Intent> {
        let p = context.camera.to_graph(pointer.at);
        if let Self::Press { start, button, .. } = self {
            let inert = *button == Button::Secondary && !start.ctrl && !context.drags.right_pans;
            if inert || (pointer.at - start.at).length() < SLACK {
                return None;
            }
            self.start(context);
        }
        match self {
            Self::Pan(last) => {
                let by = pointer.at - *last;
                *last = pointer.at;
                Some(Intent::Pan(by))
            }
            Self::Marquee(_, to) => {
                *to = p;
                None
            }
            Self::Move(moving) => {
                moving.drag(context, p, pointer.alt);
                None
            }
            Self::Wire(loose) => {
                loose.drag(context, p);
                None
            }
            Self::Resize { frame, from, by } => {
                if let Some(shape) = context.scene.nodes.get(frame) {
                    let to = (p - *from).snapped(SNAP);
                    let least = |by: f64, side: f64| by.max(MIN_FRAME_SIDE - side);
                    *by = Vec2::new(least(to.x, shape.rect.w), least(to.y, shape.rect.h));
                }
                None
            }
            Self::Cut(line) => {
                line.push(p);
                None
            }
            Self::Idle | Self::Press { .. } => None,
        }
    }

    /// Turns a press into a drag.
    fn start(&mut self, context: &Context<'_>) {
        let Self::Press {
            hit, button, start, ..
        } = std::mem::take(self)
        else {
            return;
        };
        let p = context.camera.to_graph(start.at);
        if button == Button::Secondary && start.ctrl {
            *self = Self::Cut(vec![p]);
            return;
        }
        let pans = match (button, &hit) {
            (Button::Primary, Hit::Empty) => context.drags.left_pans && !start.shift,
            (Button::Secondary | Button::Pan, _) => true,
            (Button::Touch, Hit::Socket(..)) => false,
            (Button::Touch, Hit::Node(node) | Hit::Corner(node)) => {
                !context.selected.nodes.contains(node)
            }
            (Button::Touch, _) => true,
            (Button::Primary, _) => false,
        };
        *self = if pans {
            Self::Pan(start.at)
        } else {
            match hit {
                Hit::Empty => Self::Marquee(p, p),
                Hit::Node(held) => {
                    let mut nodes = context.selected.nodes.clone();
                    nodes.insert(held.clone());
                    if start.shift {
                        nodes = context.scene.downstream(&nodes);
                    }
                    if !start.alt {
                        nodes = context.scene.with_contents(&nodes);
                    }
                    Self::Move(Move {
                        held,
                        nodes,
                        from: p,
                        by: Vec2::default(),
                        onto: None,
                        guides: vec![],
                    })
                }
                Hit::Corner(frame) => Self::Resize {
                    frame,
                    from: p,
                    by: Vec2::default(),
                },
                Hit::Socket(end) if end.port.side() == Side::Output => {
                    Self::loose(context, end, None, p)
                }
                Hit::Socket(end) => {
                    // An incoming wire is detached; the selected one first.
                    let arriving = || context.scene.wires_at(&end);
                    let chosen = arriving().find(|w| context.selected.wires.contains(*w));
                    match chosen.or_else(|| arriving().last()).cloned() {
                        Some(wire) => Self::detached(context, wire, Side::Input, p),
                        None => Self::loose(context, end, None, p),
                    }
                }
                Hit::WireEnd(wire, side) => Self::detached(context, wire, side, p),
                Hit::Wire(wire) => {
                    let near_end = context.scene.curve(&wire).is_some_and(|curve| {
                        (p - curve.to()).length() <= (p - curve.from()).length()
                    });
                    let side = if near_end { Side::Input } else { Side::Output };
                    Self::detached(context, wire, side, p)
                }
            }
        };
    }

    fn detached(context: &Context<'_>, wire: Wire, side: Side, p: Vec2) -> Self {
        match side {
            Side::Input => Self::loose(context, wire.from.clone(), Some(wire), p),
            Side::Output => Self::loose(context, wire.to.clone(), Some(wire), p),
        }
    }

    fn loose(context: &Context<'_>, fixed: End, instead_of: Option<Wire>, at: Vec2) -> Self {
        let targets = (context.targets)(&fixed, instead_of.as_ref());
        Self::Wire(Loose {
            fixed,
            instead_of,
            at,
            targets,
            target: None,
            tapped: false,
        })
    }

    /// Handles a release of the pointer.
    pub fn release(&mut self, context: &Context<'_>, pointer: Pointer) -> Option<Intent> {
        match std::mem::take(self) {
            Self::Idle | Self::Pan(_) => None,
            Self::Press {
                button: Button::Secondary,
                start,
                hit,
                ..
            } => Some(menu(hit, start.at)),
            Self::Press {
                hit, start, fresh, ..
            } => {
                if let Hit::Socket(end) = &hit
                    && !start.shift
                    && !start.ctrl
                {
                    let at = context.camera.to_graph(start.at);
                    *self = Self::loose(context, end.clone(), None, at);
                    if let Self::Wire(loose) = self {
                        loose.tapped = true;
                    }
                }
                click(context, hit, start, fresh)
            }
            Self::Marquee(from, to) => {
                let touched = context.scene.touching(&Rect::between(from, to));
                let mut selected = Selected::default();
                if pointer.shift || pointer.ctrl {
                    selected = context.selected.clone();
                }
                for node in touched.nodes {
                    // Ctrl toggles, as with a click.
                    if !selected.nodes.insert(node.clone()) && pointer.ctrl {
                        selected.nodes.remove(&node);
                    }
                }
                if selected.nodes.is_empty() {
                    selected.wires.extend(touched.wires);
                }
                Some(Intent::Select(selected))
            }
            Self::Move(moving) => (moving.by != Vec2::default()).then_some(Intent::Move {
                nodes: moving.nodes,
                by: moving.by,
                onto: moving.onto,
            }),
            Self::Resize { frame, by, .. } => {
                (by != Vec2::default()).then_some(Intent::Resize(frame, by))
            }
            Self::Wire(loose) if loose.tapped => {
                *self = Self::Wire(loose);
                None
            }
            Self::Wire(loose) => loose.release(context, pointer),
            Self::Cut(line) => {
                let wires = context.scene.crossed(&line);
                (!wires.is_empty()).then_some(Intent::Cut(wires))
            }
        }
    }

    /// Handles a finger that has rested where it was pressed.
    pub fn hold(&mut self) -> Option<Intent> {
        match std::mem::take(self) {
            Self::Press {
                button: Button::Touch,
                start,
                hit,
                ..
            } => Some(menu(hit, start.at)),
            other => {
                *self = other;
                None
            }
        }
    }

    /// Cancels the gesture. Returns `true` if there was one.
    pub fn cancel(&mut self) -> bool {
        !matches!(std::mem::take(self), Self::Idle)
    }
}

fn menu(hit: Hit, at: Vec2) -> Intent {
    let target = match hit {
        Hit::Node(node) | Hit::Corner(node) => Selected::node(node),
        Hit::Socket(end) => Selected::node(end.node),
        Hit::Wire(wire) | Hit::WireEnd(wire, _) => Selected::wire(wire),
        Hit::Empty => Selected::default(),
    };
    Intent::Commands(target, at)
}

fn click(context: &Context<'_>, hit: Hit, start: Pointer, fresh: bool) -> Option<Intent> {
    let before = context.selected;
    let mut selected = if start.shift || start.ctrl {
        before.clone()
    } else {
        Selected::default()
    };
    match hit {
        Hit::Node(node) | Hit::Corner(node) => {
            if start.ctrl && !fresh && before.nodes.contains(&node) {
                selected.nodes.remove(&node);
            } else {
                selected.nodes.insert(node);
            }
        }
        Hit::Wire(wire) | Hit::WireEnd(wire, _) => {
            if !selected.wires.insert(wire.clone()) && start.ctrl {
                selected.wires.remove(&wire);
            }
        }
        Hit::Socket(end) => {
            selected.nodes.insert(end.node);
        }
        Hit::Empty if start.shift || start.ctrl => return None,
        Hit::Empty => {}
    }
    (selected != *before).then_some(Intent::Select(selected))
}

#[cfg(test)]
mod tests;
