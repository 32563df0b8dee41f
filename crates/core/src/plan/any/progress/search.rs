//! Best-first search through pairs of a state and a task network, each of which
//! is searched once.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::super::found::Found;
use super::super::ground::Ground;
use super::super::ground::relation::{NONE, Relation};
use super::relax::Relaxed;
use super::replay::{Nothing, Record, Replay};

/// How far a search got.
#[derive(Debug)]
pub enum Progress {
    /// There is more to search.
    Working,
    /// A plan.
    Found(Found),
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
    /// Whether the heuristic looks at a node only when it is expanded, and its
    /// children go by what it said of their tasks then.
    pub deferred: bool,
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

    /// Lets the heuristic look at a network. None where it is a dead end.
    fn call(
        &self,
        ground: &Ground,
        relaxed: &mut Relaxed,
        network: u32,
        window: u32,
    ) -> Option<Measure>;

    /// How many tasks the heuristic does not look at.
    fn rest(&self, network: u32, window: u32) -> u32;

    /// Bytes that they take.
    fn memory(&self) -> usize;

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
    key: Key,
    /// The first choice that has not been tried.
    next: u32,
}

/// A best-first search.
#[derive(Debug)]
pub struct Search<N> {
    config: Config,
    networks: N,
    relaxed: Relaxed,
    /// Bits of the states.
    states: Relation,
    /// State and network of each node.
    visited: Relation,
    nodes: Vec<Node>,
    queue: BinaryHeap<(Reverse<Key>, u32)>,
    scratch: Vec<u32>,
    /// The state that the heuristic looked at last.
    looked_at: u32,
    /// How many nodes were expanded.
    pub expanded: u64,
    /// How many nodes the heuristic looked at.
    pub evaluated: u64,
}

impl<N: Networks> Search<N> {
    /// Starts at the initial state and network.
    pub fn new(ground: &Ground, networks: N, config: Config) -> Self {
        let mut search = Self {
            config,
            relaxed: Relaxed::new(ground),
            states: Relation::new(ground.initial.len()),
            visited: Relation::new(2),
            nodes: vec![],
            queue: BinaryHeap::new(),
            scratch: vec![],
            looked_at: NONE,
            networks,
            expanded: 0,
            evaluated: 0,
        };
        search.states.insert(&ground.initial);
        let network = search.networks.root();
        search.visited.insert(&[0, network]);
        let key = (u64::MAX, 0);
        search.nodes.push(Node {
            state: 0,
            network,
            parent: NONE,
            choice: NONE,
            key,
            next: 0,
        });
        search.queue.push((Reverse(key), 0));
        search
    }

    /// Bytes that it takes.
    pub fn memory(&self) -> usize {
        self.relaxed.memory()
            + self.networks.memory()
            + self.states.memory()
            + self.visited.memory()
            + self.nodes.capacity() * size_of::<Node>()
            + self.queue.capacity() * 24
    }

    /// Operators that were looked at, and what a node costs beside them.
    pub fn effort(&self) -> u64 {
        self.relaxed.effort + self.networks.effort() + 16 * self.expanded
    }

    /// Searches with about so much effort.
    pub fn step(&mut self, ground: &Ground, effort: u64) -> Progress {
        let until = self.effort() + effort;
        while self.effort() < until {
            let Some((_, number)) = self.queue.pop() else {
                return Progress::Unsolvable;
            };
            self.expanded += 1;
            if let Some(found) = self.expand(ground, number) {
                return Progress::Found(found);
            }
        }
        Progress::Working
    }

    /// Tries a node's choices until one leads to a better value; the others wait
    /// in the queue.
    fn expand(&mut self, ground: &Ground, number: u32) -> Option<Found> {
        let Node {
            state,
            network,
            key,
            next,
            ..
        } = self.nodes[number as usize];
        if self.config.deferred && self.look(ground, state, network).is_none() {
            return None;
        }
        let choices = self.networks.choices(ground, network);
        let mut scratch = std::mem::take(&mut self.scratch);
        let mut found = None;
        for choice in next..choices {
            scratch.clear();
            scratch.extend_from_slice(self.states.tuple(state));
            let networks = &mut self.networks;
            let network = match networks.take(ground, &mut scratch, network, choice, &mut Nothing) {
                Taken::Dead => continue,
                Taken::Done => {
                    found = Some(self.found(ground, number, choice));
                    break;
                }
                Taken::Open(network) => network,
            };
            let value = self.child(ground, &scratch, network, number, choice);
            let is_better = !self.config.deferred && value.is_some_and(|v| v < key.0);
            if is_better && choice + 1 < choices {
                self.nodes[number as usize].next = choice + 1;
                self.queue.push((Reverse(key), number));
                break;
            }
        }
        self.scratch = scratch;
        found
    }

    /// Makes a node. Its value; none where it is dead or known.
    fn child(
        &mut self,
        ground: &Ground,
        state: &[u32],
        network: u32,
        parent: u32,
        choice: u32,
    ) -> Option<u64> {
        let number = self.states.insert(state);
        let number = number.or_else(|| self.states.find(state))?;
        self.visited.insert(&[number, network])?;
        if !self.config.deferred {
            self.looked_at = NONE;
            self.look(ground, number, network)?;
        }
        let value = self.value(ground, network, parent)?;
        let order = self.nodes.len() as u32;
        let tie = match self.config.newest_first {
            true => u32::MAX - order,
            false => order,
        };
        let key = (value, tie);
        self.nodes.push(Node {
            state: number,
            network,
            parent,
            choice,
            key,
            next: 0,
        });
        self.queue.push((Reverse(key), order));
        Some(value)
    }

    /// Lets the heuristic look at a node. None where it is a dead end.
    fn look(&mut self, ground: &Ground, state: u32, network: u32) -> Option<Measure> {
        if !self.config.share || state != self.looked_at {
            self.evaluated += 1;
            self.looked_at = state;
            self.relaxed.start(ground, self.states.tuple(state));
        }
        self.relaxed.ask_nothing();
        let window = self.config.window;
        self.networks
            .call(ground, &mut self.relaxed, network, window)
    }

    /// The heuristic value of a node's child by what was said of the state looked
    /// at; none where it is a dead end.
    fn value(&mut self, ground: &Ground, network: u32, parent: u32) -> Option<u64> {
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
            Some(measure) => {
                let size = match additive {
                    true => measure.sum,
                    false => self.relaxed.relaxed_plan(ground, action, method),
                };
                size.saturating_add(measure.count * open)
            }
            // Tasks may have been done that the heuristic has not looked at, so
            // that it does not know what they brought about.
            None if rest < networks.rest(self.nodes[parent as usize].network, window) => 0,
            None => return None,
        };
        Some(u64::from(rest) << 32 | u64::from(value))
    }

    /// Goes the way to a node again, and one choice further.
    fn found(&mut self, ground: &Ground, parent: u32, choice: u32) -> Found {
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
            let networks = &mut self.networks;
            match networks.take(ground, &mut state, network, choice, &mut replay) {
                Taken::Open(next) => network = next,
                Taken::Done | Taken::Dead => break,
            }
        }
        replay.found
    }
}
