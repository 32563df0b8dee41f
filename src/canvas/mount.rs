//! Chooses what has elements: everything in a small graph; in a large one whatever is near,
//! selected or focused. The canvas behind draws the rest.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::camera::{Camera, FAR};
use super::geometry::{Rect, Vec2};
use super::scene::{Node, Scene, Selected, Wire};
use taskloom_document::sort::set_of;

/// The maximum number of nodes that are all mounted.
const ALL: usize = 150;
/// The margin around the visible part, in graph units, in which nodes are mounted, and in which
/// they must be.
const MARGIN: f64 = 200.0;
const MIN_MARGIN: f64 = 60.0;
/// The number of wires above which they are drawn, not mounted.
const WIRES: usize = 400;
/// The length of a wire, in graph units, above which it is drawn: its element would be an image of
/// its whole length.
const LONG: f64 = 4000.0;
/// The number of selected nodes that stay mounted wherever they are.
const KEPT: usize = 60;

/// The nodes and wires with elements, if some have none.
#[derive(Debug, Clone, PartialEq)]
pub struct Mounted {
    /// Nodes.
    pub nodes: BTreeSet<Node>,
    /// Wires.
    pub wires: BTreeSet<Wire>,
    /// The part of the graph whose nodes are mounted; `None` seen from afar, when only the selected
    /// ones are.
    pub region: Option<Rect>,
}

/// Chooses what has elements.
pub struct Mounting {
    /// The mounted nodes and wires; `None` if all are.
    mounted: Option<Arc<Mounted>>,
    /// The part of the graph whose nodes are mounted.
    covered: Rect,
    /// `true` if the choice must be repeated.
    stale: bool,
}

impl Default for Mounting {
    fn default() -> Self {
        Self {
            mounted: None,
            covered: Rect::default(),
            stale: true,
        }
    }
}

/// The inputs of the choice.
pub struct MountContext<'a> {
    /// The nodes and wires.
    pub scene: &'a Scene,
    /// The selection.
    pub selected: &'a Selected,
    /// The focused node, and the one under the pointer.
    pub focused: Option<Node>,
    pub hovered: Option<Node>,
    /// The camera, and the canvas's size in pixels.
    pub camera: Camera,
    pub size: Vec2,
    /// `true` during an activity that new elements would delay.
    pub busy: bool,
}

/// Returns `true` if all nodes of a scene have elements.
pub fn is_small(scene: &Scene) -> bool {
    scene.nodes.len() <= ALL
}

impl Mounting {
    /// Returns the mounted nodes and wires, or `None` if all are.
    pub fn mounted(&self) -> Option<Arc<Mounted>> {
        self.mounted.clone()
    }

    /// Returns `true` if a node is drawn because it has no element.
    pub fn is_drawn(&self, node: &Node) -> bool {
        let mounted = self.mounted.as_ref();
        mounted.is_some_and(|m| !m.nodes.contains(node))
    }

    /// Repeats the choice with the next frame.
    pub fn forget(&mut self) {
        self.stale = true;
    }

    /// Repeats the choice if necessary. Returns `true` if it has changed.
    pub fn choose(&mut self, context: &MountContext<'_>) -> bool {
        if is_small(context.scene) {
            self.stale = false;
            return self.mounted.take().is_some();
        }
        let window = context.camera.window(context.size);
        let far = context.camera.zoom < FAR;
        let enough = if far {
            self.covered == Rect::default()
        } else {
            self.covered.encloses(&window.grown(MIN_MARGIN))
        };
        if self.mounted.is_some() && !self.stale && (enough || context.busy) {
            return false;
        }
        self.stale = false;
        self.covered = if far {
            Rect::default()
        } else {
            window.grown(MARGIN)
        };
        let now = context.chosen((!far).then_some(self.covered));
        let changed = self.mounted.as_deref() != Some(&now);
        if changed {
            self.mounted = Some(Arc::new(now));
        }
        changed
    }
}

impl MountContext<'_> {
    /// Returns everything that is selected, focused or in this region.
    fn chosen(&self, region: Option<Rect>) -> Mounted {
        let (scene, selected) = (self.scene, self.selected);
        let mut nodes = set_of(selected.nodes.iter().take(KEPT).cloned());
        nodes.extend(self.focused.clone());
        let mut wires = set_of(selected.wires.iter().take(KEPT).cloned());
        let looked_at = self.hovered.as_ref();
        if looked_at.is_some() || !nodes.is_empty() {
            let near = |node: &Node| nodes.contains(node) || looked_at == Some(node);
            let touching = scene.wires.keys();
            let touching = touching.filter(|wire| near(&wire.from.node) || near(&wire.to.node));
            wires.extend(touching.take(WIRES).cloned());
        }
        // There are few, and their titles are legible from far away, too.
        nodes.extend(scene.frames().map(|(frame, _)| frame.clone()));
        if let Some(region) = region {
            nodes.extend(scene.nodes_near(&region).map(|(node, _)| node.clone()));
            let is_short = |wire: &&Wire| {
                let bounds = scene.curve(wire).map(|curve| curve.bounds());
                bounds.is_some_and(|bounds| bounds.w.max(bounds.h) <= LONG)
            };
            let near = scene.wires_near(&region).map(|(wire, _)| wire);
            let near: Vec<_> = near.filter(is_short).collect();
            if near.len() <= WIRES {
                wires.extend(near.into_iter().cloned());
            }
        }
        Mounted {
            nodes,
            wires,
            region,
        }
    }
}
