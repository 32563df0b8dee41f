//! Best-first search over pairs of a state and a task network, each expanded at most once.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::relax::{Relaxed, Unknown};
use super::replay::{Ignore, Record, Replay};
use crate::grounding::ground::Ground;
use crate::lifted::decomposition::Decomposition;
use crate::relation::Relation;
use taskloom_planner::search_kit::{MemoryUse, NONE, Rows};

/// The progress of a search.
#[derive(Debug)]
pub enum Reached {
    /// There is more to search.
    Working,
    /// A plan.
    Found(Decomposition),
    /// Everything was searched: no plan exists.
    Unsolvable,
}

/// The configuration of a search.
#[derive(Debug, Clone, Copy)]
pub struct Config {
    /// If `true`, adds up the costs of all tasks; otherwise uses the size of one relaxed plan.
    pub additive: bool,
    /// If `true`, nodes with equal values are expanded newest first; otherwise oldest first.
    pub newest_first: bool,
    /// The number of initially open tasks that the heuristic considers; the number of those after
    /// them takes precedence over its value.
    pub window: u32,
    /// If `true`, a node with the same state as the last one evaluated reuses that evaluation.
    pub share: bool,
}

/// The result of a choice, including all forced moves after it.
#[derive(Debug, Clone, Copy)]
pub enum Taken {
    /// A dead end: something is impossible.
    Dead,
    /// A network with a choice.
    Open(u32),
    /// Complete: nothing is left to do.
    Done,
}

/// Numbered task networks; equal ones have the same number.
pub trait Networks {
    /// Returns the initial network.
    fn root(&self) -> u32;

    /// Returns the number of choices in a network.
    fn choices(&self, ground: &Ground, network: u32) -> u32;

    /// Makes a choice in a state, followed by all forced moves, and updates the state. Returns
    /// [`Taken::Dead`] if the choice is impossible.
    fn take(
        &mut self,
        ground: &Ground,
        state: &mut [u32],
        network: u32,
        choice: u32,
        record: &mut impl Record,
    ) -> Taken;

    /// Evaluates a network with the heuristic. Returns the sum of the costs of the tasks
    /// considered, or [`Unknown::Never`] if it is a dead end.
    fn call(
        &self,
        ground: &Ground,
        relaxed: &mut Relaxed,
        network: u32,
        window: u32,
    ) -> Result<u32, Unknown>;

    /// Returns the number of tasks that the heuristic ignores.
    fn rest(&self, network: u32, window: u32) -> u32;

    /// Records which tasks of a network the heuristic ignores, for [`Self::has_crossed`].
    fn set_border(&mut self, network: u32, window: u32);

    /// Returns `true` if the last choice went on to tasks beyond the border, whose effects the
    /// heuristic does not know.
    fn has_crossed(&self) -> bool;

    /// Returns the memory use.
    fn memory_use(&self) -> MemoryUse;

    /// Returns the effort so far, in the heuristic's unit.
    fn effort(&self) -> u64;
}

/// The ignored tasks and heuristic value, and a number that breaks ties.
type Key = (u64, u32);

#[derive(Debug, Clone, Copy)]
struct Node {
    state: u32,
    network: u32,
    parent: u32,
    /// The parent's choice that led here.
    choice: u32,
}

/// A node being expanded.
#[derive(Debug, Clone, Copy)]
enum Expansion {
    /// The heuristic is evaluating it.
    Evaluate(u32),
    /// It is evaluated; the choices from this index on remain.
    Take(u32, u32),
}

/// A best-first search with deferred evaluation: a node is only evaluated when it is expanded; its
/// children use the costs that the heuristic then computed for their tasks.
#[derive(Debug)]
pub struct BestFirst<N> {
    config: Config,
    networks: N,
    relaxed: Relaxed,
    /// The states, as bits.
    states: Relation,
    /// The state and network of each node.
    visited: Relation,
    nodes: Vec<Node>,
    queue: BinaryHeap<(Reverse<Key>, u32)>,
    expanding: Option<Expansion>,
    scratch: Vec<u32>,
    /// The last state that was evaluated.
    evaluated_state: u32,
    /// The number of nodes expanded.
    pub expanded: u64,
}

impl<N: Networks> BestFirst<N> {
    /// Starts at the initial state and network.
    pub fn new(ground: &Ground, readers: Arc<Rows>, networks: N, config: Config) -> Self {
        let mut search = Self {
            config,
            relaxed: Relaxed::new(ground, readers),
            states: Relation::new(ground.initial.len()),
            visited: Relation::new(2),
            nodes: vec![],
            queue: BinaryHeap::new(),
            expanding: None,
            scratch: vec![],
            evaluated_state: NONE,
            networks,
            expanded: 0,
        };
        search.states.insert(&ground.initial);
        let network = search.networks.root();
        search.visited.insert(&[0, network]);
        search.nodes.push(Node {
            state: 0,
            network,
            parent: NONE,
            choice: NONE,
        });
        search.queue.push((Reverse((u64::MAX, 0)), 0));
        search
    }

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        self.relaxed.memory_use()
            + self.networks.memory_use()
            + self.states.memory_use()
            + self.visited.memory_use()
            + MemoryUse::of_vec(&self.nodes)
            + MemoryUse::of_heap(&self.queue)
    }

    /// Returns the number of operators processed, plus the additional effort per node.
    pub fn effort(&self) -> u64 {
        self.relaxed.effort + self.networks.effort() + 16 * self.expanded
    }

    /// Searches with about `effort` effort.
    pub fn step(&mut self, ground: &Ground, effort: u64) -> Reached {
        let until = self.effort().saturating_add(effort);
        while self.effort() < until && !ground.stop.after(4) {
            let expansion = match self.expanding.take() {
                Some(expansion) => expansion,
                None => {
                    let Some((_, node)) = self.queue.pop() else {
                        // Every node was expanded, or is a dead end even if nothing is ever undone;
                        // `visited` stores nodes exactly.
                        return Reached::Unsolvable;
                    };
                    self.expanded += 1;
                    let state = self.nodes[node as usize].state;
                    if !self.config.share || state != self.evaluated_state {
                        self.evaluated_state = state;
                        self.relaxed.start(ground, self.states.tuple(state));
                    }
                    Expansion::Evaluate(node)
                }
            };
            let found = match expansion {
                Expansion::Evaluate(node) => {
                    self.evaluate(ground, node, until);
                    None
                }
                Expansion::Take(node, choice) => self.take(ground, node, choice, until),
            };
            if let Some(found) = found {
                return Reached::Found(found);
            }
        }
        Reached::Working
    }

    /// Evaluates a node, which is not expanded if it is a dead end.
    fn evaluate(&mut self, ground: &Ground, node: u32, until: u64) {
        self.relaxed.clear_targets();
        self.relaxed.pause_at = self.relaxed.effort + until.saturating_sub(self.effort());
        let (window, network) = (self.config.window, self.nodes[node as usize].network);
        let relaxed = &mut self.relaxed;
        self.expanding = match self.networks.call(ground, relaxed, network, window) {
            Ok(_) => Some(Expansion::Take(node, 0)),
            Err(Unknown::NotYet) => Some(Expansion::Evaluate(node)),
            Err(Unknown::Never) => None,
        };
        self.relaxed.pause_at = u64::MAX;
    }

    /// Makes the choices of a node from index `first` on.
    fn take(
        &mut self,
        ground: &Ground,
        node: u32,
        first: u32,
        until: u64,
    ) -> Option<Decomposition> {
        let Node { state, network, .. } = self.nodes[node as usize];
        let choices = self.networks.choices(ground, network);
        self.networks.set_border(network, self.config.window);
        let mut scratch = std::mem::take(&mut self.scratch);
        let mut found = None;
        for choice in first..choices {
            let is_over = self.effort() >= until || ground.stop.after(4);
            if choice > first && is_over {
                self.expanding = Some(Expansion::Take(node, choice));
                break;
            }
            scratch.clear();
            scratch.extend_from_slice(self.states.tuple(state));
            let networks = &mut self.networks;
            match networks.take(ground, &mut scratch, network, choice, &mut Ignore) {
                Taken::Dead => {}
                Taken::Done => {
                    found = Some(self.found(ground, node, choice));
                    break;
                }
                Taken::Open(network) => self.child(ground, &scratch, network, node, choice),
            }
        }
        self.scratch = scratch;
        found
    }

    /// Adds a node, unless it is a dead end or known.
    fn child(&mut self, ground: &Ground, state: &[u32], network: u32, parent: u32, choice: u32) {
        let number = self.states.insert(state);
        let Some(number) = number.or_else(|| self.states.find(state)) else {
            return;
        };
        if self.visited.insert(&[number, network]).is_none() {
            return;
        }
        let Some(value) = self.value(ground, network) else {
            return;
        };
        let order = self.nodes.len() as u32;
        let tie = match self.config.newest_first {
            true => u32::MAX - order,
            false => order,
        };
        self.nodes.push(Node {
            state: number,
            network,
            parent,
            choice,
        });
        self.queue.push((Reverse((value, tie)), order));
    }

    /// Returns the heuristic value of a node's child, using the costs computed for the last
    /// evaluated state, or `None` if it is a dead end.
    fn value(&mut self, ground: &Ground, network: u32) -> Option<u64> {
        let Config {
            additive, window, ..
        } = self.config;
        self.relaxed.clear_targets();
        let networks = &self.networks;
        let rest = networks.rest(network, window);
        let value = match networks.call(ground, &mut self.relaxed, network, window) {
            Ok(sum) if additive => sum,
            Ok(_) => self.relaxed.relaxed_plan(ground),
            Err(_) if networks.has_crossed() => 0,
            // All tasks completed were among those the heuristic considered, and so are the tasks
            // it considers now: what it cannot reach is unreachable.
            Err(_) => return None,
        };
        Some(u64::from(rest) << 32 | u64::from(value))
    }

    /// Replays the path to a node, and one more choice.
    fn found(&mut self, ground: &Ground, parent: u32, choice: u32) -> Decomposition {
        let mut choices = vec![choice];
        let mut at = parent;
        while at != NONE {
            let node = self.nodes[at as usize];
            choices.push(node.choice);
            at = node.parent;
        }
        choices.pop();
        let mut replay = Replay::new(ground);
        let mut state = ground.initial.clone();
        let mut network = self.networks.root();
        for choice in choices.into_iter().rev() {
            if ground.stop.after(4) {
                break;
            }
            let networks = &mut self.networks;
            match networks.take(ground, &mut state, network, choice, &mut replay) {
                Taken::Open(next) => network = next,
                Taken::Done | Taken::Dead => break,
            }
        }
        replay.found
    }
}
