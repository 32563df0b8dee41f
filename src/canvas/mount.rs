//! What has elements: all of a small graph; of a large one what is near, selected or focused. The canvas behind draws
//! the rest.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::camera::{Camera, FAR};
use super::geometry::{Rect, Vec2};
use super::scene::{Node, Scene, Selected, Wire};

/// Up to so many nodes are all mounted.
const ALL: usize = 400;
/// Graph units around what is seen in which nodes are mounted, and in which they have to be.
const MARGIN: f64 = 200.0;
const LEAST_MARGIN: f64 = 60.0;
/// More wires than these are drawn, not mounted.
const WIRES: usize = 400;
/// A wire that is longer, in graph units, is drawn: as an element it is a picture of its whole length.
const LONG: f64 = 4000.0;
/// So many of what is selected stays mounted wherever it is.
const KEPT: usize = 60;
/// What has elements, where not everything has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mounted {
    /// Nodes.
    pub nodes: BTreeSet<Node>,
    /// Wires.
    pub wires: BTreeSet<Wire>,
}

/// Chooses what has elements.
pub struct Mounting {
    /// What is mounted, where not everything is.
    mounted: Option<Arc<Mounted>>,
    /// The part of the graph whose nodes are mounted.
    covered: Rect,
    /// Whether it has to be chosen anew.
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

/// What the choice depends on.
pub struct Sight<'a> {
    /// The nodes and wires.
    pub scene: &'a Scene,
    /// What is selected.
    pub selected: &'a Selected,
    /// What has the focus, and what is under the pointer.
    pub focused: Option<Node>,
    pub hovered: Option<Node>,
    /// From where the canvas is looked at, and its size in pixels.
    pub camera: Camera,
    pub size: Vec2,
    /// Whether something is under way that new elements would hold up.
    pub busy: bool,
}

/// Whether all nodes of a scene have elements.
pub fn is_small(scene: &Scene) -> bool {
    scene.nodes.len() <= ALL
}

impl Mounting {
    /// What is mounted, where not everything is.
    pub fn mounted(&self) -> Option<Arc<Mounted>> {
        self.mounted.clone()
    }

    /// Whether a node is drawn, for want of an element.
    pub fn is_drawn(&self, node: &Node) -> bool {
        let mounted = self.mounted.as_ref();
        mounted.is_some_and(|m| !m.nodes.contains(node))
    }

    /// It is chosen anew with the next frame.
    pub fn forget(&mut self) {
        self.stale = true;
    }

    /// Chooses anew what is mounted, where it has to; tells whether that has changed.
    pub fn choose(&mut self, sight: &Sight<'_>) -> bool {
        if is_small(sight.scene) {
            self.stale = false;
            return self.mounted.take().is_some();
        }
        let window = sight.camera.window(sight.size);
        let far = sight.camera.zoom < FAR;
        let enough = if far {
            self.covered == Rect::default()
        } else {
            self.covered.encloses(&window.grown(LEAST_MARGIN))
        };
        if self.mounted.is_some() && !self.stale && (enough || sight.busy) {
            return false;
        }
        self.stale = false;
        self.covered = if far {
            Rect::default()
        } else {
            window.grown(MARGIN)
        };
        let now = sight.chosen((!far).then_some(self.covered));
        let changed = self.mounted.as_deref() != Some(&now);
        if changed {
            self.mounted = Some(Arc::new(now));
        }
        changed
    }
}

impl Sight<'_> {
    /// What is selected, looked at or in this region.
    fn chosen(&self, region: Option<Rect>) -> Mounted {
        let (scene, selected) = (self.scene, self.selected);
        let mut nodes = BTreeSet::from_iter(selected.nodes.iter().take(KEPT).cloned());
        nodes.extend(self.focused.clone());
        let mut wires = BTreeSet::from_iter(selected.wires.iter().take(KEPT).cloned());
        let looked_at = self.hovered.as_ref();
        if looked_at.is_some() || !nodes.is_empty() {
            let near = |node: &Node| nodes.contains(node) || looked_at == Some(node);
            let touching = scene.wires.keys();
            let touching = touching.filter(|wire| near(&wire.from.node) || near(&wire.to.node));
            wires.extend(touching.take(WIRES).cloned());
        }
        // There are few, and what they say is read from far away, too.
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
        Mounted { nodes, wires }
    }
}
