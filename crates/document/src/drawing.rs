//! The drawn elements other than blocks: frames with a title or a note, the collapsing of blocks to
//! their titles, and bends of wires. A planner ignores all of it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::Document;
use super::edit_error::EditError;
use super::flowchart::Flowchart;
use super::json::unique;
use super::name::Name;
use super::point::Point;
use super::record::RecordRef;
use super::wire::{BlockId, Wire};

/// A rectangle behind the blocks. Blocks inside the frame move with it; a frame around nothing is a
/// note. Only a canvas can tell which blocks are inside, since a document does not know block
/// sizes.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Frame {
    /// Its upper left corner.
    pub at: Point,
    /// Its width and height, in graph units.
    pub size: Point,
    /// Shown on its upper edge.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Free text, shown inside.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Its colour.
    #[serde(default, skip_serializing_if = "Tint::is_default")]
    pub tint: Tint,
}

/// The colour of a frame; the exact shade depends on the theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Tint {
    /// No colour.
    #[default]
    Grey,
    /// Blue.
    Blue,
    /// Green.
    Green,
    /// Yellow.
    Yellow,
    /// Red.
    Red,
    /// Violet.
    Violet,
}

impl Tint {
    /// All colours.
    pub const ALL: [Self; 6] = [
        Self::Grey,
        Self::Blue,
        Self::Green,
        Self::Yellow,
        Self::Red,
        Self::Violet,
    ];

    /// Returns its name, as in a file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Grey => "grey",
            Self::Blue => "blue",
            Self::Green => "green",
            Self::Yellow => "yellow",
            Self::Red => "red",
            Self::Violet => "violet",
        }
    }

    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// The frames, collapsed blocks and bends of one method.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Drawing {
    /// Blocks that show only their title.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub collapsed: BTreeSet<BlockId>,
    /// Frames, by their own ids.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub frames: BTreeMap<BlockId, Arc<Frame>>,
    /// The points that wires pass through, in wire direction.
    #[serde(
        default,
        skip_serializing_if = "BTreeMap::is_empty",
        deserialize_with = "unique"
    )]
    pub bends: BTreeMap<Wire, Vec<Point>>,
}

impl Drawing {
    pub(super) const NOTHING: Self = Self {
        collapsed: BTreeSet::new(),
        frames: BTreeMap::new(),
        bends: BTreeMap::new(),
    };

    /// Returns `true` if it refers only to blocks and wires of a method.
    pub(super) fn fits(&self, method: &Flowchart) -> bool {
        let mut collapsed = self.collapsed.iter();
        let is_drawn = self.drawn_wires(method);
        collapsed.all(|id| method.blocks.contains_key(id)) && self.bends.keys().all(is_drawn)
    }

    /// Drops blocks and wires that a method does not have.
    pub(super) fn prune(&mut self, method: &Flowchart) {
        self.collapsed.retain(|id| method.blocks.contains_key(id));
        let is_drawn = self.drawn_wires(method);
        self.bends.retain(|wire, _| is_drawn(wire));
    }

    /// Returns a predicate for wires with bends: `true` if a method has the wire.
    fn drawn_wires<'m>(&self, method: &'m Flowchart) -> impl Fn(&Wire) -> bool + use<'m> {
        let wires = method.wires.iter().filter(|_| !self.bends.is_empty());
        let wires: FxHashSet<&Wire> = wires.collect();
        move |wire| wires.contains(wire)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.collapsed.is_empty() && self.frames.is_empty() && self.bends.is_empty()
    }
}

impl Document {
    /// Changes the drawing of a method; removes it if it becomes empty.
    fn redraw(&mut self, task: &Name, change: impl FnOnce(&mut Drawing)) -> Result<(), EditError> {
        let known = self.compound_tasks.get_key_value(task);
        let (name, _) =
            known.ok_or_else(|| EditError::new(format!("there is no compound task '{task}'")))?;
        let drawing = self.layout.drawings.entry(name.clone()).or_default();
        change(Arc::make_mut(drawing));
        if drawing.is_empty() {
            self.layout.drawings.remove(task);
        }
        Ok(())
    }

    /// Drops what refers to blocks and wires that a method no longer has.
    pub(super) fn prune_drawing(&mut self, task: &Name) {
        let method = self.compound_tasks.get(task).cloned();
        let drawing = self.layout.drawings.get(task);
        if let (Some(record), Some(drawing)) = (method, drawing)
            && !drawing.fits(&record.method)
        {
            // The task exists, so this cannot fail.
            let _ = self.redraw(task, |drawing| drawing.prune(&record.method));
        }
    }

    pub(super) fn collapse(
        &mut self,
        task: &Name,
        ids: &[BlockId],
        on: bool,
    ) -> Result<(), EditError> {
        self.check_has_blocks(task, ids)?;
        self.redraw(task, |drawing| {
            for id in ids {
                match on {
                    true => drawing.collapsed.insert(id.clone()),
                    false => drawing.collapsed.remove(id),
                };
            }
        })
    }

    pub(super) fn collapse_cards(
        &mut self,
        records: &[RecordRef],
        on: bool,
    ) -> Result<(), EditError> {
        for record in records {
            let spelled = self.spelled(record).ok_or_else(|| {
                EditError::new(format!("there is no card for {record} to collapse"))
            })?;
            match on {
                true => self.layout.collapsed_cards.insert(spelled),
                false => self.layout.collapsed_cards.remove(&spelled),
            };
        }
        Ok(())
    }

    pub(super) fn set_frame(
        &mut self,
        sheet: Option<&Name>,
        id: &BlockId,
        frame: Option<&Frame>,
    ) -> Result<(), EditError> {
        if frame.is_none() && !self.layout.frames(sheet).contains_key(id) {
            return Err(EditError::new("there is no such frame"));
        }
        let set = |frames: &mut BTreeMap<BlockId, Arc<Frame>>| match frame {
            Some(frame) => drop(frames.insert(id.clone(), Arc::new(frame.clone()))),
            None => drop(frames.remove(id)),
        };
        match sheet {
            None => set(&mut self.layout.board_frames),
            Some(task) => self.redraw(task, |drawing| set(&mut drawing.frames))?,
        }
        Ok(())
    }

    pub(super) fn bend<'a>(
        &mut self,
        task: &Name,
        bends: impl Iterator<Item = (&'a Wire, &'a [Point])>,
    ) -> Result<(), EditError> {
        let bends = Vec::from_iter(bends);
        let method = &self.compound_task(task)?.method;
        let known: FxHashSet<&Wire> = method.wires.iter().collect();
        if let Some((wire, _)) = bends.iter().find(|(wire, _)| !known.contains(wire)) {
            return Err(EditError::new(format!("'{task}' has no wire {wire}")));
        }
        self.redraw(task, |drawing| {
            for (wire, points) in bends {
                match points {
                    [] => drop(drawing.bends.remove(wire)),
                    points => drop(drawing.bends.insert(wire.clone(), points.to_vec())),
                }
            }
        })
    }

    /// Moves the bends of wires between moved blocks if both ends move by the same distance.
    pub(super) fn carry_bends(&mut self, task: &Name, moves: &[(BlockId, Point)]) {
        if self.layout.drawing(task).bends.is_empty() {
            return;
        }
        // The first move of a block counts.
        let mut targets = FxHashMap::default();
        for (id, to) in moves {
            targets.entry(id).or_insert(to);
        }
        let by = |id: &BlockId| {
            let to = targets.get(id)?;
            let from = self.layout.block(task, id);
            Some((to.x.wrapping_sub(from.x), to.y.wrapping_sub(from.y)))
        };
        let carried = |wire: &Wire| by(&wire.from).filter(|by_from| by(&wire.to) == Some(*by_from));
        let bends = self.layout.drawing(task).bends.iter();
        let moved: Vec<(Wire, Vec<Point>)> = bends
            .filter_map(|(wire, points)| {
                let (x, y) = carried(wire)?;
                let shift = |p: &Point| Point {
                    x: p.x.wrapping_add(x),
                    y: p.y.wrapping_add(y),
                };
                Some((wire.clone(), points.iter().map(shift).collect()))
            })
            .collect();
        // The drawing exists, so this cannot fail.
        let _ = self.redraw(task, |drawing| drawing.bends.extend(moved));
    }

    /// Checks that a method has all of these blocks.
    pub(super) fn check_has_blocks(
        &mut self,
        task: &Name,
        ids: &[BlockId],
    ) -> Result<(), EditError> {
        let method = &self.compound_task(task)?.method;
        match ids.iter().find(|id| !method.blocks.contains_key(*id)) {
            Some(id) => Err(EditError::new(format!("'{task}' has no block {id}"))),
            None => Ok(()),
        }
    }
}
