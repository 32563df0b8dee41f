//! A flowchart as a scene: how large each block is, and where its ports are.

use std::collections::{BTreeMap, BTreeSet};

use taskloom::document::{Block, BlockId, Document, Flowchart, Name, Point, Port, Wire};

use super::bends;
use super::route::route;
use crate::canvas::geometry::{Rect, Vec2};
pub use crate::canvas::scene::wire_of;
use crate::canvas::scene::{self, End, Node, Scene, Shape, Side, Slot, Socket};
use crate::canvas::text::wrap;
use crate::views::frames;

/// Width of a block, in graph units.
pub const WIDTH: f64 = 200.0;
const PILL: f64 = 80.0;
/// Height of a block's head; its input is at the middle of it.
const HEAD: f64 = 36.0;
const LINE: f64 = 16.0;
const PADDING: f64 = 12.0;
const ROW: f64 = 24.0;
/// Letters a line of the monospace font at its size.
const COLUMNS: usize = 25;

/// What a block is, for its colour and for words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// Begin.
    Begin,
    /// A call of a primitive task.
    Primitive,
    /// A call of a compound task.
    Compound,
    /// A call of nothing that exists.
    Unknown,
    /// Branch.
    Branch,
    /// Choice.
    Choice,
    /// Bind.
    Bind,
    /// End.
    End,
}

impl Look {
    /// The class of its element.
    pub fn class(self) -> &'static str {
        match self {
            Self::Begin => "begin",
            Self::Primitive => "primitive",
            Self::Compound => "compound",
            Self::Unknown => "unknown",
            Self::Branch => "branch",
            Self::Choice => "choice",
            Self::Bind => "bind",
            Self::End => "end",
        }
    }

    /// The custom property of its colour.
    pub fn tint(self) -> &'static str {
        match self {
            Self::Begin | Self::End => "--dim",
            Self::Primitive => "--prim",
            Self::Compound => "--comp",
            Self::Unknown => "--no",
            Self::Branch | Self::Choice | Self::Bind => "--cond",
        }
    }

    /// What it is, in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Begin => "Begin",
            Self::Primitive => "primitive task",
            Self::Compound => "compound task",
            Self::Unknown => "unknown task",
            Self::Branch => "Branch",
            Self::Choice => "Choice",
            Self::Bind => "Bind",
            Self::End => "End",
        }
    }
}

/// What is written on a block.
#[derive(Debug, Clone, PartialEq)]
pub struct Face {
    /// What it is.
    pub look: Look,
    /// In its head.
    pub title: String,
    /// Below, in the monospace font where it is a text of the expression language.
    pub lines: Vec<String>,
    /// Whether the lines only say what the block is.
    pub plain: bool,
    /// All of the text, where the lines may leave some out.
    pub full: String,
    /// The outputs that have a row of their own, and their labels.
    pub rows: Vec<(Port, String)>,
    /// Whether the title alone is shown.
    pub collapsed: bool,
}

impl Face {
    /// How wide and how high it is.
    pub fn size(&self) -> Vec2 {
        match self.look {
            Look::Begin | Look::End => Vec2::new(PILL, HEAD),
            _ if self.collapsed => Vec2::new(WIDTH, HEAD),
            _ => Vec2::new(
                WIDTH,
                self.rows_top() + ROW * self.rows.len() as f64 + self.foot(),
            ),
        }
    }

    fn rows_top(&self) -> f64 {
        if self.lines.is_empty() {
            HEAD
        } else {
            HEAD + PADDING + LINE * self.lines.len() as f64
        }
    }

    fn foot(&self) -> f64 {
        if self.rows.is_empty() { 0.0 } else { 4.0 }
    }

    /// Its ports.
    pub fn sockets(&self) -> Vec<Socket> {
        let size = self.size();
        let mut sockets = vec![];
        if self.look != Look::Begin {
            sockets.push(Socket {
                port: Slot::In,
                side: Side::Input,
                at: Vec2::new(0.0, HEAD / 2.0),
            });
        }
        let out = |port, y| Socket {
            port: Slot::Out(port),
            side: Side::Output,
            at: Vec2::new(size.x, y),
        };
        match self.look {
            Look::End => {}
            Look::Branch | Look::Choice => {
                let (top, step) = match self.collapsed {
                    false => (self.rows_top() + ROW / 2.0, ROW),
                    true => {
                        let step = HEAD / (self.rows.len() as f64 + 1.0);
                        (step, step)
                    }
                };
                let rows = self.rows.iter().enumerate();
                sockets.extend(rows.map(|(i, (port, _))| out(*port, top + step * i as f64)));
            }
            _ => sockets.push(out(Port::Out, HEAD / 2.0)),
        }
        sockets
    }
}

/// What is written on a block of a document.
pub fn face(document: &Document, block: &Block) -> Face {
    let face = |look, title: &str, full: String, rows| Face {
        look,
        title: title.to_owned(),
        lines: wrap(&full, COLUMNS, 3),
        plain: false,
        full,
        rows,
        collapsed: false,
    };
    match block {
        Block::Begin {} => face(Look::Begin, "Begin", String::new(), vec![]),
        Block::End {} => face(Look::End, "End", String::new(), vec![]),
        Block::Task { call } => task_face(document, call),
        Block::Branch { condition } => {
            let rows = vec![(Port::True, "yes".into()), (Port::False, "no".into())];
            let empty = condition.trim().is_empty();
            let mut shown = face(Look::Branch, "Branch", condition.clone(), rows);
            if empty {
                shown.lines = vec!["no condition yet".into()];
                shown.plain = true;
            }
            shown
        }
        Block::Choice { alternatives, .. } => {
            let rows = alternatives.iter().enumerate().map(|(i, alternative)| {
                let label = format!("{} {}", i + 1, alternative.label);
                (Port::Alternative(alternative.id), label.trim().to_owned())
            });
            face(Look::Choice, "Choice", String::new(), rows.collect())
        }
        Block::Bind {
            variable,
            condition,
            order_by,
        } => {
            let mut shown = face(Look::Bind, &variable.to_string(), condition.clone(), vec![]);
            if condition.trim().is_empty() {
                shown.lines = vec![format!("any {}", variable.of)];
                shown.plain = true;
            }
            if !order_by.trim().is_empty() {
                shown
                    .lines
                    .extend(wrap(&format!("by {order_by}"), COLUMNS, 1));
                shown.full = format!("{condition}\nordered by {order_by}");
            }
            shown
        }
    }
}

fn task_face(document: &Document, call: &str) -> Face {
    let (head, arguments) = match call.split_once('(') {
        Some((head, rest)) => {
            let rest = rest.trim_end();
            (head.trim(), rest.strip_suffix(')').unwrap_or(rest).trim())
        }
        None => (call.trim(), ""),
    };
    let name = Name::new(head).ok();
    let primitive = name.as_ref().and_then(|n| document.primitive_tasks.get(n));
    let compound = name.as_ref().and_then(|n| document.compound_tasks.get(n));
    let look = match (primitive, compound) {
        (Some(_), _) => Look::Primitive,
        (None, Some(_)) => Look::Compound,
        (None, None) => Look::Unknown,
    };
    let title = primitive
        .map(|task| task.title.as_str())
        .or(compound.map(|task| task.title.as_str()))
        .filter(|title| !title.is_empty());
    let (lines, plain) = match (title, arguments) {
        (Some(_), _) => (wrap(call, COLUMNS, 3), false),
        (None, "") => (vec![look.words().to_owned()], true),
        (None, arguments) => (wrap(arguments, COLUMNS, 3), false),
    };
    let fallback = if head.is_empty() { "no task yet" } else { head };
    Face {
        look,
        title: title.unwrap_or(fallback).to_owned(),
        lines,
        plain,
        full: call.to_owned(),
        rows: vec![],
        collapsed: false,
    }
}

/// What is written on a block of a method, as it is drawn there.
pub fn drawn(document: &Document, task: &Name, id: &BlockId, block: &Block) -> Face {
    let collapsed = document.layout.drawing(task).collapsed.contains(id);
    Face {
        collapsed,
        ..face(document, block)
    }
}

/// The blocks of a method, as written and as placed.
pub fn scene(document: &Document, task: &Name) -> Scene {
    let Some(record) = document.compound_tasks.get(task) else {
        return Scene::default();
    };
    let blocks = record.method.blocks.iter().map(|(id, block)| {
        let face = drawn(document, task, id, block);
        let size = face.size();
        let shape = Shape {
            rect: Rect::at(document.layout.block(task, id).into(), size.x, size.y),
            sockets: face.sockets(),
            tint: face.look.tint(),
        };
        (Node::Block(id.clone()), shape)
    });
    let bends = &document.layout.drawing(task).bends;
    let nodes = frames::nodes(document, Some(task)).into_iter();
    let nodes = nodes.chain(blocks).chain(bends::nodes(bends));
    let wires = record.method.wires.iter();
    let wires = wires.map(|wire| (drawn_wire(wire), "--line-strong"));
    let mut scene = Scene::new(BTreeMap::from_iter(nodes), BTreeMap::from_iter(wires));
    let places = |points: &[Point]| points.iter().map(|point| (*point).into()).collect();
    let bends = bends.iter();
    scene.bends =
        BTreeMap::from_iter(bends.map(|(wire, points)| (drawn_wire(wire), places(points))));
    route(&mut scene);
    scene
}

/// The input of a block.
pub fn input(block: &BlockId) -> End {
    End {
        node: Node::Block(block.clone()),
        port: Slot::In,
    }
}

/// An output of a block.
pub fn output(block: &BlockId, port: Port) -> End {
    End {
        node: Node::Block(block.clone()),
        port: Slot::Out(port),
    }
}

/// A wire on the canvas.
pub fn drawn_wire(wire: &Wire) -> scene::Wire {
    scene::Wire {
        from: output(&wire.from, wire.port),
        to: input(&wire.to),
    }
}

/// The blocks such that none comes before one that it waits for; of those that
/// could come next, the upper left one.
pub fn reading_order(flow: &Flowchart, scene: &Scene) -> Vec<BlockId> {
    let mut waiting: BTreeMap<&BlockId, usize> =
        BTreeMap::from_iter(flow.blocks.keys().map(|id| (id, 0)));
    for wire in &flow.wires {
        if let Some(count) = waiting.get_mut(&wire.to) {
            *count += 1;
        }
    }
    let place = |id: &BlockId| {
        let shape = scene.nodes.get(&Node::Block(id.clone()));
        let corner = shape.map_or(Vec2::default(), |s| s.rect.corner());
        let point = corner.to_point();
        (point.x, point.y)
    };
    let first = waiting.iter().filter(|(_, count)| **count == 0);
    let mut ready: BTreeSet<((i32, i32), &BlockId)> =
        BTreeSet::from_iter(first.map(|(id, _)| (place(id), *id)));
    let mut order = vec![];
    while let Some((_, id)) = ready.pop_first() {
        order.push(id.clone());
        waiting.remove(id);
        for wire in flow.wires.iter().filter(|wire| wire.from == *id) {
            if let Some(count) = waiting.get_mut(&wire.to) {
                *count = count.saturating_sub(1);
                if *count == 0 {
                    ready.insert((place(&wire.to), &wire.to));
                }
            }
        }
    }
    // A file may hold a cycle, which `check` reports: its blocks come last.
    order.extend(waiting.into_keys().cloned());
    order
}

/// The ports that can take a wire from this one: no cycle, no second wire
/// between the same two. `without` is left out of account.
pub fn targets(flow: &Flowchart, from: &End, without: Option<&Wire>) -> BTreeSet<End> {
    let Some(own) = from.node.block() else {
        return BTreeSet::new();
    };
    let wires: Vec<&Wire> = flow.wires.iter().filter(|w| Some(*w) != without).collect();
    let forwards = from.port == Slot::In;
    // Behind an input, whatever comes after the block would close a cycle if
    // it came before it; before an output, the other way round.
    let mut next: BTreeMap<&BlockId, Vec<&BlockId>> = BTreeMap::new();
    for wire in &wires {
        let (near, far) = if forwards {
            (&wire.from, &wire.to)
        } else {
            (&wire.to, &wire.from)
        };
        next.entry(near).or_default().push(far);
    }
    let mut closed = BTreeSet::from([own]);
    let mut open = vec![own];
    while let Some(id) = open.pop() {
        for far in next.get(id).into_iter().flatten() {
            if closed.insert(far) {
                open.push(far);
            }
        }
    }
    let mut ends = BTreeSet::new();
    for (id, block) in flow.blocks.iter().filter(|(id, _)| !closed.contains(id)) {
        let slots: Vec<End> = if forwards {
            let ports = block.ports().into_iter();
            ports.map(|port| output(id, port)).collect()
        } else {
            block.has_input().then(|| input(id)).into_iter().collect()
        };
        for end in slots {
            let drawn = if forwards {
                wire_between(&end, from)
            } else {
                wire_between(from, &end)
            };
            if drawn.is_some_and(|wire| !wires.contains(&&wire)) {
                ends.insert(end);
            }
        }
    }
    ends
}

/// The wire from an output to an input.
pub fn wire_between(from: &End, to: &End) -> Option<Wire> {
    let (from, to) = (from.clone(), to.clone());
    wire_of(&scene::Wire { from, to })
}

#[cfg(test)]
#[path = "chart_tests.rs"]
pub mod tests;
