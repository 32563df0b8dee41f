//! Best-first search through pairs of a state and a task network, each of which
//! is searched once.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::super::decomposition::Decomposition;
use super::super::ground::Ground;
use super::super::ground::relation::{NONE, Relation};
use super::relax::{Relaxed, Unknown};
use super::replay::{Nothing, Record, Replay};
use super::tables::Tables;
use crate::plan::held::Footprint;

/// How far a search got.
#[derive(Debug)]
pub enum Reached {
    /// There is more to search.
    Working,
    /// A plan.
    Found(Decomposition),
    /// Everything was searched: no plan exists.
    Unsolvable,
}

/// What a search goes by.
#[derive(Debug, Clone, Copy)]
pub struct Config {
    /// Whether the costs of all tasks are added up, rather than those of one plan.
    pub additive: bool,
    /// Of nodes with equal values, the newest or the oldest first.
    pub newest_first: bool,
    /// What an action counts.
    pub action: u32,
    /// What a method counts.
    pub method: u32,
    /// What an open task counts.
    pub open: u32,
    /// How many of the tasks that were open at first the heuristic looks at; how
    /// many are behind them comes before all else.
    pub window: u32,
    /// Whether a node with the state of the one looked at last goes by what was
    /// said then.
    pub share: bool,
}

/// What the heuristic says of a network.
#[derive(Debug, Clone, Copy, Default)]
pub struct Measure {
    /// What all tasks cost that were looked at.
    pub sum: u32,
    /// How many these are.
    pub count: u32,
}

/// Where a choice led, with all that it leaves no choice in.
#[derive(Debug, Clone, Copy)]
pub enum Taken {
    /// Nowhere: something cannot be done.
    Dead,
    /// To a network with a choice.
    Open(u32),
    /// To the end: nothing is left to do.
    Done,
}

/// Task networks, which have numbers: equal ones the same.
pub trait Networks {
    /// The initial network.
    fn root(&self) -> u32;

    /// How many choices a network has.
    fn choices(&self, ground: &Ground, network: u32) -> u32;

    /// Takes a choice in a state, which becomes the state after all that then
    /// leaves no choice. None where the choice cannot be taken.
    fn take(
        &mut self,
        ground: &Ground,
        state: &mut [u32],
        network: u32,
        choice: u32,
        record: &mut impl Record,
    ) -> Taken;

    /// Lets the heuristic look at a network. [`Unknown::Never`] where it is a dead
    /// end.
    fn call(
        &self,
        ground: &Ground,
        relaxed: &mut Relaxed,
        network: u32,
        window: u32,
    ) -> Result<Measure, Unknown>;

    /// How many tasks the heuristic does not look at.
    fn rest(&self, network: u32, window: u32) -> u32;

    /// Notes which tasks of a network the heuristic does not look at, for
    /// [`Self::has_crossed`].
    fn set_border(&mut self, network: u32, window: u32);

    /// Whether the choice taken last went on to tasks behind the border: the
    /// heuristic then does not know what they brought about.
    fn has_crossed(&self) -> bool;

    /// What they take.
    fn footprint(&self) -> Footprint;

    /// What was done so far, in the heuristic's unit.
    fn effort(&self) -> u64;
}

/// Tasks not looked at and the heuristic value, and the number that breaks ties.
type Key = (u64, u32);

#[derive(Debug, Clone, Copy)]
struct Node {
    state: u32,
    network: u32,
    parent: u32,
    /// The choice of the parent's that led here.
    choice: u32,
}

/// A node that is being expanded.
#[derive(Debug, Clone, Copy)]
enum Expansion {
    /// The heuristic has begun to look at it.
    Look(u32),
    /// It has looked, and the choices from one on have yet to be taken.
    Take(u32, u32),
}

/// A best-first search. The heuristic looks at a node only when it is expanded;
/// its children go by what it said of their tasks then.
#[derive(Debug)]
pub struct BestFirst<N> {
    config: Config,
    networks: N,
    relaxed: Relaxed,
    /// Bits of the states.
    states: Relation,
    /// State and network of each node.
    visited: Relation,
    nodes: Vec<Node>,
    queue: BinaryHeap<(Reverse<Key>, u32)>,
    expanding: Option<Expansion>,
    scratch: Vec<u32>,
    /// The state that the heuristic looked at last.
    looked_at: u32,
    /// How many nodes were expanded.
    pub expanded: u64,
    /// How many nodes the heuristic looked at.
    pub evaluated: u64,
}

impl<N: Networks> BestFirst<N> {
    /// Starts at the initial state and network.
    pub fn new(ground: &Ground, tables: Arc<Tables>, networks: N, config: Config) -> Self {
        let mut search = Self {
            config,
            relaxed: Relaxed::new(ground, tables),
            states: Relation::new(ground.initial.len()),
            visited: Relation::new(2),
            nodes: vec![],
            queue: BinaryHeap::new(),
            expanding: None,
            scratch: vec![],
            looked_at: NONE,
            networks,
            expanded: 0,
            evaluated: 0,
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

    /// What it takes.
    pub fn footprint(&self) -> Footprint {
        self.relaxed.footprint()
            + self.networks.footprint()
            + self.states.footprint()
            + self.visited.footprint()
            + Footprint::of_vec(&self.nodes)
            + Footprint::of_heap(&self.queue)
    }

    /// Operators that were looked at, and what a node costs beside them.
    pub fn effort(&self) -> u64 {
        self.relaxed.effort + self.networks.effort() + 16 * self.expanded
    }

    /// Searches with about so much effort.
    pub fn step(&mut self, ground: &Ground, effort: u64) -> Reached {
        let until = self.effort().saturating_add(effort);
        while self.effort() < until && !ground.stop.after(4) {
            let expansion = match self.expanding.take() {
                Some(expansion) => expansion,
                None => {
                    let Some((_, node)) = self.queue.pop() else {
                        // Every node was expanded, or is a dead end even if nothing
                        // is ever undone; `visited` keeps nodes as they are.
                        return Reached::Unsolvable;
                    };
                    self.expanded += 1;
                    let state = self.nodes[node as usize].state;
                    if !self.config.share || state != self.looked_at {
                        self.evaluated += 1;
                        self.looked_at = state;
                        self.relaxed.start(ground, self.states.tuple(state));
                    }
                    Expansion::Look(node)
                }
            };
            let found = match expansion {
                Expansion::Look(node) => {
                    self.look(ground, node, until);
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

    /// Lets the heuristic look at a node, which is not expanded if it is a dead end.
    fn look(&mut self, ground: &Ground, node: u32, until: u64) {
        self.relaxed.ask_nothing();
        self.relaxed.pause_at = self.relaxed.effort + until.saturating_sub(self.effort());
        let (window, network) = (self.config.window, self.nodes[node as usize].network);
        let relaxed = &mut self.relaxed;
        self.expanding = match self.networks.call(ground, relaxed, network, window) {
            Ok(_) => Some(Expansion::Take(node, 0)),
            Err(Unknown::NotYet) => Some(Expansion::Look(node)),
            Err(Unknown::Never) => None,
        };
        self.relaxed.pause_at = u64::MAX;
    }

    /// Takes a node's choices from one on.
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
            match networks.take(ground, &mut scratch, network, choice, &mut Nothing) {
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

    /// Makes a node, unless it is dead or known.
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

    /// The heuristic value of a node's child by what was said of the state looked
    /// at; none where it is a dead end.
    fn value(&mut self, ground: &Ground, network: u32) -> Option<u64> {
        let Config {
            additive,
            action,
            method,
            open,
            window,
            ..
        } = self.config;
        self.relaxed.ask_nothing();
        let networks = &self.networks;
        let rest = networks.rest(network, window);
        let value = match networks.call(ground, &mut self.relaxed, network, window) {
            Ok(measure) => {
                let size = match additive {
                    true => measure.sum,
                    false => self.relaxed.relaxed_plan(ground, action, method),
                };
                size.saturating_add(measure.count * open)
            }
            Err(_) if networks.has_crossed() => 0,
            // All that was done was part of what the heuristic has looked at, and so
            // are the tasks it looks at now: what it cannot reach is out of reach.
            Err(_) => return None,
        };
        Some(u64::from(rest) << 32 | u64::from(value))
    }

    /// Goes the way to a node again, and one choice further.
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
