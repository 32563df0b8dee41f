//! Tidying a canvas: the worker lays it out, and the page moves its nodes accordingly.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use gloo::timers::callback::Timeout;
use leptos::prelude::*;
use taskloom_document::sort::CompactSort;
use taskloom_document::{Block, BlockId, Document, Edit, Name};
use taskloom_layout::{Edge, Graph, Node};

use super::method::chart;
use crate::canvas::scene::{self, End, blocks};
use crate::session::Session;

/// The duration of the animated movement, in milliseconds.
const GLIDE: u32 = 360;

/// The part of a method to lay out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The selected blocks if there are two or more, otherwise all.
    Selection,
    /// The blocks that were never placed.
    Unplaced,
}

/// Lays out a task's method. Returns `true` if there was anything to do.
pub fn method(session: Session, task: &Name, scope: Scope) -> bool {
    let document = session.document_untracked();
    let (ids, graph) = graph(&document, task);
    let placed = document.layout.methods.get(task);
    let at = |id: &BlockId| placed.and_then(|placed| placed.get(id)).copied();
    let selected = session.open.selection.with_untracked(|s| s.blocks.clone());
    let movable = |id: &BlockId| match scope {
        Scope::Selection => selected.len() < 2 || selected.contains(id),
        Scope::Unplaced => at(id).is_none(),
    };
    let movable: Vec<bool> = ids.iter().map(movable).collect();
    if !movable.contains(&true) {
        return false;
    }
    let label = match (scope, movable.contains(&false)) {
        (Scope::Unplaced, _) => "Place blocks",
        (_, true) => "Tidy selected blocks",
        (_, false) => "Tidy method",
    };
    let points = ids.iter().map(at).collect();
    let (task, before) = (task.clone(), document.clone());
    let opened = session.storage.opened.get_untracked();
    session
        .plan
        .client()
        .layout(graph, points, movable, move |points| {
            let points = match points {
                Ok(points) => points,
                Err(reason) => return session.complain(format!("Couldn't tidy: {reason}")),
            };
            if session.storage.opened.get_untracked() != opened {
                return;
            }
            let now = session.document_untracked();
            if !is_same_method(&before, &now, &task) {
                return session.complain("Couldn't tidy: the method has changed. Try again.");
            }
            let moved = ids.into_iter().zip(points).collect();
            glide();
            session.commit(label, Edit::MoveBlocks(task, moved));
        });
    true
}

/// Returns the blocks of a method, Begin first, and their graph.
fn graph(document: &Document, task: &Name) -> (Vec<BlockId>, Graph) {
    let scene = chart::scene(document, task);
    let method = document.compound_tasks.get(task).map(|task| &task.method);
    let block = |id: &BlockId| Some(&**method?.blocks.get(id)?);
    let mut ids: Vec<BlockId> = blocks(scene.nodes.keys()).into_iter().collect();
    // Reading starts at Begin, which has no input.
    ids.compact_sort_by_key(|id| Reverse(block(id).map(|block| !block.has_input())));
    let mut graph = Graph::default();
    let mut places: BTreeMap<&BlockId, usize> = BTreeMap::new();
    for (index, id) in ids.iter().enumerate() {
        places.insert(id, index);
        let node = scene::Node::Block(id.clone());
        graph.nodes.extend(scene.nodes.get(&node).map(|shape| Node {
            width: shape.rect.w as i32,
            height: shape.rect.h as i32,
        }));
        if let Some(Block::Choice { .. }) = block(id) {
            graph.ranked.push(index);
        }
    }
    for wire in scene.wires.keys() {
        let place = |end: &End| places.get(end.node.block()?).copied();
        // Measured from the block's upper edge.
        let port = |end: &End| {
            let at = scene.socket(end)?;
            Some((at.y - scene.nodes.get(&end.node)?.rect.y) as i32)
        };
        if let (Some(from), Some(to)) = (place(&wire.from), place(&wire.to)) {
            graph.edges.push(Edge {
                from,
                to,
                out: port(&wire.from).unwrap_or(0),
                into: port(&wire.to).unwrap_or(0),
            });
        }
    }
    (ids, graph)
}

/// Returns `true` if two versions of a document have the same method of a task, at the same
/// positions.
fn is_same_method(before: &Document, now: &Document, task: &Name) -> bool {
    let method = |document: &Document| document.compound_tasks.get(task).map(|t| t.method.clone());
    let positions = |document: &Document| document.layout.methods.get(task).cloned();
    method(before) == method(now) && positions(before) == positions(now)
}

/// Returns all cards of the Board to their columns. Returns `true` if there was anything to do.
pub fn board(session: Session) -> bool {
    let document = session.document_untracked();
    let placed = document.layout.board.keys();
    let moved: Vec<_> = placed.map(|record| (record.clone(), None)).collect();
    if moved.is_empty() {
        return false;
    }
    glide();
    session.commit("Tidy the Board", Edit::MoveCards(moved))
}

/// Animates the next movement, unless reduced motion is preferred (the style sheet checks that).
pub(super) fn glide() {
    let Ok(Some(canvas)) = document().query_selector(".canvas-area .canvas") else {
        return;
    };
    let classes = canvas.class_list();
    let _ = classes.add_1("gliding");
    Timeout::new(GLIDE, move || {
        let _ = classes.remove_1("gliding");
    })
    .forget();
}

#[cfg(test)]
mod tests {
    use super::*;
    use taskloom_document::{Kind, Point, RecordRef};

    #[test]
    fn the_methods_of_the_examples_are_as_wide_as_a_canvas_and_few_are_taller() {
        let mut tall = vec![];
        for example in &crate::examples::ALL {
            let document = example.document();
            for task in document.compound_tasks.keys() {
                let (ids, graph) = graph(&document, task);
                let points = ids.iter().map(|id| document.layout.block(task, id));
                let extent = taskloom_layout::extent(&graph, &Vec::from_iter(points));
                assert!(
                    extent.width <= taskloom_layout::ROOM.width,
                    "{task}: {extent:?}"
                );
                if extent.height > taskloom_layout::ROOM.height {
                    tall.push(task.to_string());
                }
            }
        }
        assert_eq!(tall, ["get-away", "get-the-file", "keep-house"]);
    }

    #[test]
    fn layouts_apply_unless_their_method_was_edited() {
        let before = Document::from_json(
            r#"{
              "taskloom": 4,
              "facts": { "lit": { "source": "sensor" } },
              "compound_tasks": {
                "go": { "method": { "blocks": { "a": { "kind": "begin" }, "b": { "kind": "end" } } } },
                "stay": { "method": { "blocks": { "c": { "kind": "begin" } } } }
              },
              "layout": { "methods": { "go": { "a": "0,0", "b": "90,0" }, "stay": { "c": "0,0" } } }
            }"#,
        )
        .unwrap();
        let name = |text: &str| Name::new(text).unwrap();
        let block = |id: &str| id.parse::<BlockId>().unwrap();
        let at = Point { x: 40, y: 40 };
        let card = RecordRef::new(Kind::Fact, name("lit"));
        let moved = |task: &str, id: &str| Edit::MoveBlocks(name(task), vec![(block(id), at)]);
        for (edit, fits) in [
            (Edit::MoveCards(vec![(card, Some(at))]), true),
            (moved("stay", "c"), true),
            (moved("go", "b"), false),
            (Edit::RemoveBlocks(name("go"), [block("b")].into()), false),
            (
                Edit::RemoveWithUses(RecordRef::new(Kind::CompoundTask, name("go"))),
                false,
            ),
        ] {
            let now = before.apply(&edit).unwrap();
            assert_eq!(is_same_method(&before, &now, &name("go")), fits, "{edit:?}");
        }
    }
}
