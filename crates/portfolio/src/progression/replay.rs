//! Replays a path through the search to build its decomposition.

use crate::grounding::ground::{GOAL, Ground};
use crate::lifted::decomposition::{ChosenMethod, Decomposition, DecompositionNode};
use taskloom_planner::search_kit::NONE;

/// Observes moves. It assigns tags to open tasks.
pub trait Record {
    /// Returns `true` if it needs tags; otherwise all tags may be the same.
    fn needs_tags(&self) -> bool;

    /// Returns the tag of a root.
    fn root(&mut self, position: u32) -> u32;

    /// Reports that an action was executed.
    fn act(&mut self, tag: u32);

    /// Reports that a task was decomposed. Returns the first subtask's tag; the others' follow.
    fn decompose(&mut self, tag: u32, method: u32) -> u32;

    /// Reports that the condition of the method that decomposed a task was met.
    fn meet(&mut self, tag: u32);
}

/// Ignores all moves.
#[derive(Debug)]
pub struct Ignore;

impl Record for Ignore {
    fn needs_tags(&self) -> bool {
        false
    }

    fn root(&mut self, _: u32) -> u32 {
        0
    }

    fn act(&mut self, _: u32) {}

    fn decompose(&mut self, _: u32, _: u32) -> u32 {
        0
    }

    fn meet(&mut self, _: u32) {}
}

/// Builds the decomposition. Tags are nodes.
#[derive(Debug)]
pub struct Replay<'a> {
    ground: &'a Ground,
    pub found: Decomposition,
}

impl<'a> Replay<'a> {
    pub fn new(ground: &'a Ground) -> Self {
        let mut replay = Self {
            ground,
            found: Decomposition::default(),
        };
        for root in &ground.roots {
            if ground.names.row(*root)[0] != GOAL {
                replay.node(*root, None);
            }
        }
        replay
    }

    fn node(&mut self, task: u32, parent: Option<(u32, u32)>) {
        let name = self.ground.names.row(task);
        self.found.nodes.push(DecompositionNode {
            task: name[0],
            args: name[1..].into(),
            parent,
            by: None,
        });
    }
}

impl Record for Replay<'_> {
    fn needs_tags(&self) -> bool {
        true
    }

    fn root(&mut self, position: u32) -> u32 {
        let name = self.ground.names.row(self.ground.roots[position as usize]);
        // The goal's action is not a task.
        if name[0] == GOAL { NONE } else { position }
    }

    fn act(&mut self, tag: u32) {
        if tag != NONE {
            self.found.steps.push(tag);
        }
    }

    fn decompose(&mut self, tag: u32, method: u32) -> u32 {
        let first = self.found.nodes.len() as u32;
        if let Some(node) = self.found.nodes.get_mut(tag as usize) {
            node.by = Some(ChosenMethod {
                method: self.ground.methods.lifted[method as usize],
                objects: self.ground.methods.objects.row(method).into(),
                at: self.found.steps.len() as u32,
            });
        }
        for (position, task) in (0u32..).zip(self.ground.subtasks(method)) {
            self.node(*task, Some((tag, position)));
        }
        first
    }

    fn meet(&mut self, tag: u32) {
        let at = self.found.steps.len() as u32;
        let node = self.found.nodes.get_mut(tag as usize);
        if let Some(by) = node.and_then(|n| n.by.as_mut()) {
            by.at = at;
        }
    }
}
