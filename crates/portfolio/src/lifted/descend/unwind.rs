//! Converts a completed network to its decomposition.

use super::super::decomposition::{ChosenMethod, Decomposition, DecompositionNode};
use super::super::model::TaskKind;
use super::act::turn;
use super::{Descend, Frame};

impl Descend {
    /// Reads the decomposition from the stack, with subtasks at their positions in the original
    /// methods.
    pub(super) fn found(&self) -> Decomposition {
        let mut place: Vec<u32> = (0..self.position.network.len())
            .map(|number| self.position.network.task(number).position)
            .collect();
        if let Some(places) = &self.prepared.places {
            for frame in &self.stack {
                if let Some(method) = self.method_of(frame) {
                    let children = frame.first_child as usize..;
                    let places = &places[method as usize];
                    place[children][..places.len()].copy_from_slice(places);
                }
            }
        }
        // The tasks of a network have consecutive numbers.
        let node = |number: u32| {
            number + place[number as usize] - self.position.network.task(number).position - 1
        };
        let mut order: Vec<u32> = (1..self.position.network.len()).collect();
        order.sort_by_key(|number| node(*number));
        let nodes = order.into_iter().map(|number| {
            let task = self.position.network.task(number);
            let tuple = self.ground.tuple(task.ground);
            DecompositionNode {
                task: tuple[0],
                args: tuple[1..].into(),
                parent: (task.parent > 0).then(|| (node(task.parent), place[number as usize])),
                by: None,
            }
        });
        let mut found = Decomposition {
            nodes: nodes.collect(),
            steps: vec![],
        };
        for frame in &self.stack {
            let Some(method) = self.method_of(frame) else {
                found.steps.push(node(frame.task));
                continue;
            };
            let vars = self.prepared.model.methods[method as usize].vars.len();
            let base = frame.slots as usize;
            found.nodes[node(frame.task) as usize].by = Some(ChosenMethod {
                method,
                objects: self.bindings.slots[base..base + vars].into(),
                at: frame.steps,
            });
        }
        found
    }

    /// Returns the method that decomposed a frame's task, or `None` for a primitive task.
    fn method_of(&self, frame: &Frame) -> Option<u32> {
        let ground = self.position.network.task(frame.task).ground;
        let task = self.ground.tuple(ground)[0];
        match &self.prepared.model.tasks[task as usize].kind {
            TaskKind::Primitive(_) => None,
            TaskKind::Compound(range) => {
                let count = range.end - range.start;
                Some(range.start + turn(self.options.seed, ground, frame.method, count))
            }
        }
    }
}
