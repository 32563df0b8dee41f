//! From the events of a successful search to the decomposition that it found.

use super::super::found::{Found, FoundMethod, FoundNode};
use super::super::ground::{GOAL, Ground};
use super::Event;

/// Reads a decomposition off the events that led to it. Each event says where in
/// the list of open tasks it takes place; the subtasks of a decomposed task take
/// its place.
pub fn found(ground: &Ground, events: &[Event]) -> Found {
    let mut found = Found::default();
    let mut open = vec![];
    for root in &ground.roots {
        if ground.names.row(*root)[0] != GOAL {
            open.push(found.nodes.len() as u32);
            found.nodes.push(node(ground, *root, None));
        }
    }
    open.reverse();
    for event in events {
        match *event {
            Event::Act { .. } => {
                // The goal's action has no node, and comes last.
                if let Some(node) = open.pop() {
                    found.steps.push(node);
                }
            }
            Event::Decompose { method, .. } => {
                let Some(parent) = open.pop() else { break };
                decompose(ground, &mut found, parent, method);
                let first = found.nodes.len() as u32;
                let count = ground.subtasks.row(method).len() as u32;
                open.extend((first - count..first).rev());
            }
        }
    }
    found
}

/// Adds the subtasks of a node that a method decomposes.
pub fn decompose(ground: &Ground, found: &mut Found, parent: u32, method: u32) {
    found.nodes[parent as usize].by = Some(FoundMethod {
        method: ground.method_of[method as usize],
        objects: ground.objects.row(method).into(),
        at: found.steps.len() as u32,
    });
    for (position, task) in (0u32..).zip(ground.subtasks.row(method)) {
        let node = node(ground, *task, Some((parent, position)));
        found.nodes.push(node);
    }
}

fn node(ground: &Ground, task: u32, parent: Option<(u32, u32)>) -> FoundNode {
    let name = ground.names.row(task);
    FoundNode {
        task: name[0],
        args: name[1..].into(),
        parent,
        by: None,
    }
}
