//! From a state to a goal: A* over ground actions (Hart, Nilsson and Raphael 1968), or best first
//! by the estimate alone. That is of the state before, so that most states are never estimated; and
//! what is done in the relaxed plan comes first (Richter and Helmert 2009). Where a limit ends it, the state that is estimated to be nearest to the
//! goal is the answer: a partial plan leads there.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};

use super::aim::Aim;
use super::relax::Cost;
use super::task::Task;
use crate::plan::Limit;
use crate::plan::Progress;
use crate::plan::held::Footprint;

/// No node.
const NONE: u32 = u32::MAX;

/// In which order nodes are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// By what it takes from the start through them to the goal.
    Least,
    /// By what it takes from them to the goal.
    Soonest,
}

/// What is known of a state by the one before.
#[derive(Debug, Clone, Copy)]
enum From {
    /// What it takes from there at least.
    Least(f64),
    /// How far it was from there, and whether the relaxed plan led here.
    Soonest(f64, bool),
}

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum End {
    /// At a node where the goal holds.
    Found(u32),
    /// Everything was looked at; whether something was left out that is too deep.
    Exhausted { cut: bool },
    /// There was not enough of something.
    Limit(Limit),
}

/// A state on the way, and how it was got to.
#[derive(Debug, Clone, Copy)]
pub struct Node {
    /// Where it came from, and by which action.
    pub parent: u32,
    pub action: u32,
    /// How many actions it took, and what they cost.
    pub depth: u32,
    pub cost: f64,
    /// What it takes to the goal at least; below 0: not estimated yet.
    pub left: f64,
    /// Whether what can be done there has been looked at.
    pub is_closed: bool,
    /// Whether it was expanded before.
    was_expanded: bool,
    /// The next node whose state has the same hash.
    next: u32,
}

/// An entry of the open list: f, h, the steps so far, the node, and its cost when it was inserted.
type Open = Reverse<(Cost, Cost, u32, u32, Cost)>;

/// Nodes that are got to soonest: by estimate, and in the order in which they came.
#[derive(Debug, Default)]
struct Soonest {
    /// All of them; and those that a relaxed plan leads to.
    open: [BinaryHeap<Reverse<(Cost, u32, u32)>>; 2],
    /// How often one was taken from each; the one that was taken from less comes next.
    taken: [i64; 2],
    /// What the next one is numbered.
    next: u32,
}

/// So often those of relaxed plans come first whenever a search has come nearer.
const BOOST: i64 = 1000;

impl Soonest {
    fn put(&mut self, node: u32, left: f64, is_preferred: bool) {
        let place = Reverse((Cost(left), self.next, node));
        self.next += 1;
        self.open[0].push(place);
        if is_preferred {
            self.open[1].push(place);
        }
    }

    fn take(&mut self) -> Option<u32> {
        let is_preferred =
            !self.open[1].is_empty() && (self.open[0].is_empty() || self.taken[1] <= self.taken[0]);
        let from = usize::from(is_preferred);
        self.taken[from] += 1;
        let Reverse((_, _, node)) = self.open[from].pop()?;
        Some(node)
    }
}

/// A search that is run in slices.
#[derive(Debug)]
pub struct Forward {
    order: Order,
    depth: u32,
    /// What a plan has to cost less than.
    below: f64,
    words: usize,
    states: Vec<u64>,
    pub nodes: Vec<Node>,
    open: BinaryHeap<Open>,
    soonest: Soonest,
    known: FxHashMap<u64, u32>,
    after: Vec<u64>,
    cut: bool,
    /// The node that is estimated to be nearest to the goal.
    nearest: (f64, u32),
    /// How many nodes were looked at.
    pub looked_at: u64,
}

impl Forward {
    /// Starts where the aim does.
    pub fn new(task: &Task, aim: &Aim, order: Order, depth: u32) -> Self {
        let mut search = Self {
            order,
            depth,
            below: f64::INFINITY,
            words: task.words(),
            states: vec![],
            nodes: vec![],
            open: BinaryHeap::new(),
            soonest: Soonest::default(),
            known: FxHashMap::default(),
            after: aim.from.clone(),
            cut: false,
            nearest: (f64::INFINITY, 0),
            looked_at: 0,
        };
        aim.advance(task, &mut search.after);
        let from = match order {
            Order::Least => From::Least(0.0),
            Order::Soonest => From::Soonest(0.0, false),
        };
        search.reach(NONE, NONE, 0.0, 0, from);
        search
    }

    /// The same, where only plans that cost less than this are of interest.
    pub fn below(mut self, cost: f64) -> Self {
        self.below = cost;
        self
    }

    /// The words of a node's state.
    pub fn state(&self, node: u32) -> &[u64] {
        let first = node as usize * self.words;
        &self.states[first..first + self.words]
    }

    /// Looks at so many more nodes.
    pub fn step(&mut self, task: &Task, aim: &mut Aim, nodes: u64) -> Result<Progress, End> {
        let until = self.looked_at + nodes;
        if self.order == Order::Soonest {
            while self.looked_at < until {
                self.soonest(task, aim)?;
            }
            return Ok(Progress::Running);
        }
        while self.looked_at < until {
            let Some(Reverse((_, _, _, node, cost))) = self.open.pop() else {
                return Err(End::Exhausted { cut: self.cut });
            };
            let Node {
                cost: least,
                left,
                is_closed,
                depth,
                ..
            } = self.nodes[node as usize];
            if is_closed || cost.0 > least {
                continue;
            }
            if left < 0.0 {
                let state = self.state(node).to_vec();
                let left = aim.estimate(task, &state);
                self.looked_at += 1;
                self.nodes[node as usize].left = left;
                if left == f64::INFINITY {
                    self.nodes[node as usize].is_closed = true;
                    continue;
                }
                if left < self.nearest.0 {
                    self.nearest = (left, node);
                }
                self.put(node, left);
                continue;
            }
            if least + left >= self.below {
                return Err(End::Exhausted { cut: self.cut });
            }
            if aim.is_reached(task, self.state(node)) {
                return Err(End::Found(node));
            }
            let expanded = &mut self.nodes[node as usize];
            expanded.is_closed = true;
            // A node that was reached more cheaply is expanded again.
            self.looked_at += u64::from(expanded.was_expanded);
            expanded.was_expanded = true;
            if depth >= self.depth {
                self.cut = true;
                continue;
            }
            self.expand(task, aim, node);
        }
        Ok(Progress::Running)
    }

    /// Looks at a node that has not been looked at, and at what can be done there.
    fn soonest(&mut self, task: &Task, aim: &mut Aim) -> Result<(), End> {
        let node = self.soonest.take();
        let number = node.ok_or(End::Exhausted { cut: self.cut })?;
        let node = self.nodes[number as usize];
        if node.is_closed || node.cost >= self.below {
            return Ok(());
        }
        self.looked_at += 1;
        let state = self.state(number).to_vec();
        if aim.is_reached(task, &state) {
            return Err(End::Found(number));
        }
        let left = aim.estimate(task, &state);
        let node = &mut self.nodes[number as usize];
        node.left = left;
        node.is_closed = true;
        let depth = node.depth;
        if left == f64::INFINITY {
            return Ok(());
        }
        if left < self.nearest.0 {
            self.nearest = (left, number);
            self.soonest.taken[1] -= BOOST;
        }
        if depth >= self.depth {
            self.cut = true;
            return Ok(());
        }
        self.expand(task, aim, number);
        Ok(())
    }

    fn expand(&mut self, task: &Task, aim: &Aim, node: u32) {
        let before = self.state(node).to_vec();
        let values = task.values(&before);
        let Node {
            depth, cost, left, ..
        } = self.nodes[node as usize];
        // What costs nothing is not for nothing.
        let steps: f64 = aim.plan().iter().map(|(_, times)| f64::from(*times)).sum();
        let mut plan = aim.plan().iter().peekable();
        for (number, action) in (0..).zip(&task.actions) {
            let is_planned = plan.next_if(|(action, _)| *action == number).is_some();
            if !action.is_possible(values) {
                continue;
            }
            let mut after = std::mem::take(&mut self.after);
            let applies = task.apply(action, &before, &mut after);
            self.after = after;
            if applies {
                aim.advance(task, &mut self.after);
                let costs = action.cost(values);
                let from = match self.order {
                    Order::Least => From::Least((left - costs).max(0.0)),
                    Order::Soonest => From::Soonest(left + steps, is_planned),
                };
                self.reach(node, number, cost + costs, depth + 1, from);
            }
        }
    }

    /// The state in `after` was got to.
    fn reach(&mut self, parent: u32, action: u32, cost: f64, depth: u32, from: From) {
        let mut hasher = FxHasher::default();
        self.after.iter().for_each(|word| hasher.write_u64(*word));
        let hash = hasher.finish();
        let first = self.known.get(&hash).copied().unwrap_or(NONE);
        let mut node = first;
        while node != NONE && self.state(node) != self.after {
            node = self.nodes[node as usize].next;
        }
        if node == NONE {
            node = self.nodes.len() as u32;
            self.states.extend_from_slice(&self.after);
            self.nodes.push(Node {
                parent,
                action,
                depth,
                cost,
                left: -1.0,
                is_closed: false,
                was_expanded: false,
                next: first,
            });
            self.known.insert(hash, node);
        } else {
            let known = &mut self.nodes[node as usize];
            // Where there shall be a plan soon, nothing is looked at twice.
            let is_better = (Cost(cost), depth) < (Cost(known.cost), known.depth);
            if !is_better || known.is_closed && self.order == Order::Soonest {
                return;
            }
            known.parent = parent;
            known.action = action;
            known.depth = depth;
            known.cost = cost;
            known.is_closed = known.left == f64::INFINITY;
            if known.is_closed {
                return;
            }
        }
        let left = self.nodes[node as usize].left;
        match from {
            From::Least(at_least) => self.put(node, if left < 0.0 { at_least } else { left }),
            From::Soonest(left, is_preferred) => self.soonest.put(node, left, is_preferred),
        }
    }

    fn put(&mut self, node: u32, left: f64) {
        let Node { cost, depth, .. } = self.nodes[node as usize];
        let place = (Cost(cost + left), Cost(left), depth, node, Cost(cost));
        self.open.push(Reverse(place));
    }

    /// The actions that led to a node.
    pub fn actions(&self, mut node: u32) -> Vec<u32> {
        let mut actions = vec![];
        while let Node { parent, action, .. } = self.nodes[node as usize]
            && parent != NONE
        {
            actions.push(action);
            node = parent;
        }
        actions.reverse();
        actions
    }

    /// The node that is estimated to be nearest to the goal, and how far it is from there; none
    /// where that is the start.
    pub fn nearest(&self) -> Option<(u32, f64)> {
        let (left, node) = self.nearest;
        (node != 0).then_some((node, left))
    }

    /// What it takes.
    pub fn footprint(&self) -> Footprint {
        Footprint::of_rows(&self.states, self.words * 8)
            + Footprint::of_rows(&self.nodes, 8)
            + Footprint::of_heap(&self.open)
            + Footprint::of_heap(&self.soonest.open[0])
            + Footprint::of_heap(&self.soonest.open[1])
            + Footprint::of_map(&self.known)
    }
}
