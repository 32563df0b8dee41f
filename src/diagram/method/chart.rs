//! A flowchart as a scene: the face and the position of each block.

use std::collections::BTreeSet;

use taskloom_document::sort::{map_of, set_of};
use taskloom_document::{
    Block, BlockId, ChoicePolicy, CompoundTask, Document, Flowchart, Kind, Name, Point, Port,
    PrimitiveTask, Wire,
};
use taskloom_domain::calls::name_and_arguments;
use taskloom_domain::candidates;
use taskloom_layout::task_marks;

use super::bends;
use super::route::route;
use crate::canvas::colour::Colour;
pub use crate::canvas::scene::wire_of;
use crate::canvas::scene::{self, End, Node, Scene, Slot};
use crate::diagram::face::{BLOCK, Face, Look, PILL, Row};
use crate::diagram::{frames, text};

/// Returns the face of a block of a document.
pub fn face(document: &Document, block: &Block) -> Face {
    let face = |look, title: &str, full: &str| Face::new(look, &BLOCK, title, full.to_owned());
    let row = |port, text: String| Row {
        port: Slot::Out(port),
        text,
    };
    match block {
        Block::Begin {} => Face::new(Look::Begin, &PILL, "Begin", String::new()),
        Block::End {} => Face::new(Look::End, &PILL, "End", String::new()),
        Block::Task { call, .. } => Face {
            aside: task_marks(block),
            ..task_face(document, call).with_words(&option_words(block))
        },
        Block::Branch { condition } => Face {
            rows: vec![row(Port::True, "yes".into()), row(Port::False, "no".into())],
            ..face(Look::Branch, "Branch", condition).with_fallback("no condition yet".into())
        },
        Block::Choice {
            policy,
            alternatives,
            scores,
        } => {
            let rows = alternatives.iter().enumerate().map(|(i, alternative)| {
                let port = Port::Alternative(alternative.id);
                let label = format!("{} {}", i + 1, alternative.label);
                let label = label.trim_end();
                let score = scores.get(&port).map(|score| score.trim());
                let score = score.filter(|score| policy.is_scored() && !score.is_empty());
                match score {
                    Some(score) => row(port, format!("{label} ({score})")),
                    None => row(port, label.to_owned()),
                }
            });
            let order = match policy {
                ChoicePolicy::First => "",
                ChoicePolicy::Cheapest => "cheapest first",
                ChoicePolicy::Highest => "highest first",
                ChoicePolicy::Random => "at random",
            };
            Face {
                rows: rows.collect(),
                ..face(Look::Choice, "Choice", order)
            }
        }
        Block::Bind {
            variable,
            condition,
            order_by,
            query,
        } => {
            let any = format!("any {}", variable.of);
            let mut face = face(Look::Bind, &variable.to_string(), condition).with_fallback(any);
            let more = [
                (query, "asks ", "from the answer to "),
                (order_by, "by ", "ordered by "),
            ];
            let mut full = condition.clone();
            for (text, before, words) in more {
                if !text.trim().is_empty() {
                    full = format!("{full}\n{words}{text}");
                    face = face.with_line(&format!("{before}{text}"));
                    face.full.clone_from(&full);
                }
            }
            face
        }
    }
}

/// Returns the options of a Task block in words: `in the background, repeat 3 times, fails after 10 ticks, gives up after
/// 2 retries, if aborted: put-down(?tool)`.
fn option_words(block: &Block) -> String {
    let Block::Task {
        repeat,
        timeout,
        retry,
        background,
        ..
    } = block
    else {
        return String::new();
    };
    let repetition = match (repeat, block.repeat_while()) {
        (Some(times), Some(formula)) => Some(format!("repeat {times} times while {formula}")),
        (Some(times), None) => Some(format!("repeat {times} times")),
        (None, Some(formula)) => Some(format!("only if {formula}")),
        (None, None) => None,
    };
    let words = [
        background.then(|| "in the background".to_owned()),
        repetition,
        timeout.map(|ticks| format!("fails after {ticks} ticks")),
        retry.map(|times| format!("gives up after {times} retries")),
        block.on_abort().map(|call| format!("if aborted: {call}")),
    ];
    Vec::from_iter(words.into_iter().flatten()).join(", ")
}

fn task_face(document: &Document, call: &str) -> Face {
    let (head, arguments) = name_and_arguments(call);
    let name = Name::new(head).ok();
    let primitive = name.as_ref().and_then(|n| document.primitive_tasks.get(n));
    let compound = name.as_ref().and_then(|n| document.compound_tasks.get(n));
    let look = match (primitive, compound) {
        (Some(_), _) => Look::Record(Kind::PrimitiveTask),
        (None, Some(_)) => Look::Record(Kind::CompoundTask),
        (None, None) => Look::Unknown,
    };
    let size = match (primitive, compound) {
        (Some(task), _) => time(document, task),
        (None, task) => task.map(|task| blocks(task)),
    };
    let title = primitive
        .map(|task| task.title.as_str())
        .or(compound.map(|task| task.title.as_str()))
        .filter(|title| !title.is_empty());
    let shown = if title.is_some() { call } else { arguments };
    let fallback = if head.is_empty() { "no task yet" } else { head };
    let title = title.unwrap_or(fallback);
    Face {
        full: call.to_owned(),
        ..Face::new(look, &BLOCK, title, shown.to_owned())
            .with_fallback(size.unwrap_or_else(|| look.words().to_owned()))
    }
}

/// Returns how long an action takes, if that is always the same.
fn time(document: &Document, task: &PrimitiveTask) -> Option<String> {
    let (action, _) = name_and_arguments(&task.action);
    let action = document.actions.get(&Name::new(action).ok()?)?;
    let is_constant = action.duration.trim().parse::<u32>().is_ok();
    is_constant.then(|| text::ticks(&action.duration))
}

/// Returns how many blocks a compound task's method has, or its goal if nothing is drawn.
fn blocks(task: &CompoundTask) -> String {
    let goal = task.goal.trim();
    let is_drawn = || {
        task.method
            .blocks
            .values()
            .any(|block| block.call().is_some())
    };
    match task.method.blocks.len() {
        _ if !goal.is_empty() && !is_drawn() => format!("goal {goal}"),
        1 => "1 block".to_owned(),
        count => format!("{count} blocks"),
    }
}

/// Returns the face of a block as drawn in its method.
pub fn drawn(document: &Document, task: &Name, id: &BlockId, block: &Block) -> Face {
    let collapsed = document.layout.drawing(task).collapsed.contains(id);
    Face {
        collapsed,
        ..face(document, block)
    }
}

/// Returns the blocks of a method, with their faces and positions.
pub fn scene(document: &Document, task: &Name) -> Scene {
    let Some(record) = document.compound_tasks.get(task) else {
        return Scene::default();
    };
    let blocks = record.method.blocks.iter().map(|(id, block)| {
        let face = drawn(document, task, id, block);
        let shape = face.shape(document.layout.block(task, id).into());
        (Node::Block(id.clone()), shape)
    });
    let bends = &document.layout.drawing(task).bends;
    let nodes = frames::nodes(document, Some(task)).into_iter();
    let nodes = nodes.chain(blocks).chain(bends::nodes(bends));
    let wires = record.method.wires.iter();
    let wires = wires.map(|wire| (drawn_wire(wire), Colour::LineStrong));
    let mut scene = Scene::new(map_of(nodes), map_of(wires));
    let places = |points: &[Point]| points.iter().map(|point| (*point).into()).collect();
    let bends = bends.iter();
    scene.bends = map_of(bends.map(|(wire, points)| (drawn_wire(wire), places(points))));
    route(&mut scene);
    scene
}

/// Returns the input of a block.
pub fn input(block: &BlockId) -> End {
    End {
        node: Node::Block(block.clone()),
        port: Slot::In,
    }
}

/// Returns an output of a block.
pub fn output(block: &BlockId, port: Port) -> End {
    End {
        node: Node::Block(block.clone()),
        port: Slot::Out(port),
    }
}

/// Returns a wire on the canvas.
pub fn drawn_wire(wire: &Wire) -> scene::Wire {
    scene::Wire {
        from: output(&wire.from, wire.port),
        to: input(&wire.to),
    }
}

/// Returns the blocks in the order of the wires; among those that could come next, the upper left
/// one first.
pub fn reading_order(flow: &Flowchart, scene: &Scene) -> Vec<BlockId> {
    candidates::reading_order(flow, |id| {
        let shape = scene.nodes.get(&Node::Block(id.clone()));
        let corner = shape.map_or(Point::default(), |s| s.rect.corner().to_point());
        (corner.x, corner.y)
    })
}

/// Returns the ports that can take a wire from this one, ignoring `without`.
pub fn targets(flow: &Flowchart, from: &End, without: Option<&Wire>) -> BTreeSet<End> {
    let (Some(block), port) = (from.node.block(), from.port) else {
        return BTreeSet::new();
    };
    let port = match port {
        Slot::Out(port) => Some(port),
        _ => None,
    };
    let wires = candidates::wires(flow, block, port, without).into_iter();
    let ends = wires.map(|wire| match port {
        Some(_) => input(&wire.to),
        None => output(&wire.from, wire.port),
    });
    set_of(ends)
}

/// Returns the wire from an output to an input.
pub fn wire_between(from: &End, to: &End) -> Option<Wire> {
    let (from, to) = (from.clone(), to.clone());
    wire_of(&scene::Wire { from, to })
}

#[cfg(test)]
#[path = "chart_tests.rs"]
pub mod tests;
