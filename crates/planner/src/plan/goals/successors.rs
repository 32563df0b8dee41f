//! A successor generator: a decision tree over the literals that actions require (Helmert 2006),
//! which visits only a fraction of the actions of a state.

use rustc_hash::FxHashMap;

use super::formula::Values;
use super::literals::Literal;
use super::task::Task;
use crate::plan::memory::MemoryUse;
use crate::plan::rows::NONE;

/// A decision on the value of one variable.
#[derive(Debug)]
struct Node {
    /// The variable; `None` for a leaf.
    variable: Option<Variable>,
    /// The actions whose literals are all decided, as a range of `actions`.
    actions: (u32, u32),
    /// The children for the variable's values, as a range of `edges`.
    edges: (u32, u32),
    /// The child for any value; [`NONE`] if there is none.
    otherwise: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Variable {
    Boolean(u32),
    Object(u32),
}

fn decided(literal: Literal) -> (Variable, u32) {
    match literal {
        Literal::Is(variable, expected) => (Variable::Boolean(variable), u32::from(expected)),
        Literal::Object(variable, object) => (Variable::Object(variable), object),
    }
}

/// The decision tree.
#[derive(Debug, Default)]
pub struct Successors {
    nodes: Vec<Node>,
    edges: Vec<(u32, u32)>,
    actions: Vec<u32>,
}

impl Successors {
    /// Builds the tree over the actions of a task.
    pub fn new(task: &Task) -> Self {
        let mut tree = Self::default();
        // For each action, the number of its literals that are decided, in their order.
        let mut depths = vec![0; task.actions.len()];
        let all: Vec<u32> = (0..task.actions.len() as u32).collect();
        let root = tree.reserve();
        let mut open = vec![(root, all)];
        while let Some((node, actions)) = open.pop() {
            let next = |action: u32, depths: &[usize]| {
                let literals = &task.actions[action as usize].literals;
                literals.get(depths[action as usize]).map(|l| decided(*l))
            };
            let first = tree.actions.len() as u32;
            let mut variable: Option<Variable> = None;
            for action in &actions {
                match next(*action, &depths) {
                    None => tree.actions.push(*action),
                    Some((own, _)) => {
                        variable = Some(variable.map_or(own, |variable| variable.min(own)));
                    }
                }
            }
            tree.nodes[node as usize].actions = (first, tree.actions.len() as u32);
            let Some(variable) = variable else {
                continue;
            };
            let mut by_value: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
            let mut otherwise = vec![];
            for action in actions {
                match next(action, &depths) {
                    Some((own, value)) if own == variable => {
                        depths[action as usize] += 1;
                        by_value.entry(value).or_default().push(action);
                    }
                    Some(_) => otherwise.push(action),
                    None => {}
                }
            }
            let mut by_value = Vec::from_iter(by_value);
            by_value.sort_unstable();
            let first = tree.edges.len() as u32;
            for (value, actions) in by_value {
                let child = tree.reserve();
                tree.edges.push((value, child));
                open.push((child, actions));
            }
            let edges = (first, tree.edges.len() as u32);
            let child = if otherwise.is_empty() {
                NONE
            } else {
                let child = tree.reserve();
                open.push((child, otherwise));
                child
            };
            let node = &mut tree.nodes[node as usize];
            (node.variable, node.edges, node.otherwise) = (Some(variable), edges, child);
        }
        tree
    }

    fn reserve(&mut self) -> u32 {
        self.nodes.push(Node {
            variable: None,
            actions: (0, 0),
            edges: (0, 0),
            otherwise: NONE,
        });
        self.nodes.len() as u32 - 1
    }

    /// Collects the applicable actions of a state, in their order.
    pub fn possible(&self, task: &Task, values: Values<'_>, into: &mut Vec<u32>) {
        into.clear();
        let mut open = vec![0];
        while let Some(node) = open.pop() {
            let node = &self.nodes[node as usize];
            let (first, end) = node.actions;
            let actions = self.actions[first as usize..end as usize].iter();
            into.extend(actions.filter(|action| {
                let mut needs = task.actions[**action as usize].needs.iter();
                needs.all(|need| need.holds(values))
            }));
            let value = match node.variable {
                None => continue,
                Some(Variable::Boolean(variable)) => u32::from(values.is(variable)),
                Some(Variable::Object(variable)) => values.object(variable),
            };
            let edges = &self.edges[node.edges.0 as usize..node.edges.1 as usize];
            if let Ok(edge) = edges.binary_search_by_key(&value, |edge| edge.0) {
                open.push(edges[edge].1);
            }
            if node.otherwise != NONE {
                open.push(node.otherwise);
            }
        }
        into.sort_unstable();
    }

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        MemoryUse::fixed(
            self.nodes.capacity() * size_of::<Node>()
                + self.edges.capacity() * size_of::<(u32, u32)>()
                + self.actions.capacity() * size_of::<u32>(),
        )
    }
}
