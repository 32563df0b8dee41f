//! From a goal back: A* over sets of requirements (regression; Ghallab, Nau and Traverso 2004,
//! section 4.3). What an action's effects require where they happen is put in the place of what
//! they bring about. How far it is from the start to a requirement is worked out once, and holds
//! for all sets (Bonet and Geffner 2001, HSPr).
//!
//! What requirements cannot express is left out, so that a way back may lead nowhere; each is
//! carried out forward before it counts, and [`Regression::is_relaxed`] says that there may be
//! others.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::aim::{Aim, Estimate, unmet};
use super::formula::{Cond, Num, Obj};
use super::forward::End;
use super::relax::{Cost, Relaxed};
use super::require::{Bits, Expressing, Requirement, Set, both};
use super::task::{Action, Change, Effect, Kind, Task};
use crate::plan::Progress;
use crate::plan::held::Footprint;
use taskloom_document::Heuristic;

const NONE: u32 = u32::MAX;

/// A set of requirements, and what is done from there to the goal.
#[derive(Debug)]
pub struct Node {
    pub set: Set,
    pub parent: u32,
    pub action: u32,
    depth: u32,
    pub cost: f64,
    pub left: f64,
    pub is_closed: bool,
}

type Open = Reverse<(Cost, Cost, Reverse<u32>, Cost)>;

/// A search that is run in slices.
#[derive(Debug)]
pub struct Regression {
    estimate: Estimate,
    depth: u32,
    pub nodes: Vec<Node>,
    known: FxHashMap<Set, u32>,
    open: BinaryHeap<Open>,
    /// By action: what it requires, one way of meeting that each.
    needs: Vec<Vec<Set>>,
    /// By action: what it costs at least.
    costs: Vec<f64>,
    /// The cheapest way that was carried out, and where it begins.
    best: Option<(f64, Vec<u32>, u32)>,
    cut: bool,
    /// Whether something was left out that requirements cannot express.
    pub is_relaxed: bool,
    /// How many sets were looked at.
    pub looked_at: u64,
    held: usize,
}

impl Regression {
    /// Starts at the end of an aim without stages.
    pub fn new(task: &Task, aim: &mut Aim, estimate: Estimate, depth: u32) -> Self {
        let goal = aim.last().clone();
        let mut expressing = Expressing {
            task,
            is_relaxed: false,
        };
        let ends = expressing.ways(&goal);
        let mut needs = vec![];
        for action in &task.actions {
            let literals = action.literals.iter();
            let literals = literals.map(|literal| literal.condition());
            let mut all: Vec<Cond> = literals.chain(action.needs.iter().cloned()).collect();
            for effect in &action.effects {
                match in_range(task, effect) {
                    Some(need) => all.extend(need),
                    None => expressing.is_relaxed = true,
                }
            }
            needs.push(expressing.all(all.iter()));
        }
        // Where costs change, so does what a way costs with the order of what is done.
        let has_changing_costs = |action: &Action| !matches!(action.cost, Num::Constant(_));
        let is_relaxed = expressing.is_relaxed || task.actions.iter().any(has_changing_costs);
        let relaxed = aim.reached(task);
        let costs = task.actions.iter().map(|action| {
            let cost = relaxed.interval(&action.cost);
            let least = if cost.nothing {
                cost.low.min(1.0)
            } else {
                cost.low
            };
            least.max(0.0)
        });
        let mut search = Self {
            estimate,
            depth,
            nodes: vec![],
            known: FxHashMap::default(),
            open: BinaryHeap::new(),
            needs,
            costs: costs.collect(),
            best: None,
            cut: false,
            is_relaxed,
            looked_at: 0,
            held: 0,
        };
        for end in ends {
            search.reach(task, aim, end, NONE, NONE, 0.0, 0);
        }
        search
    }

    /// Looks at so many more sets.
    pub fn step(&mut self, task: &Task, aim: &Aim, sets: u64) -> Result<Progress, End> {
        let until = self.looked_at + sets;
        while self.looked_at < until {
            let least = self.best.as_ref().map_or(f64::INFINITY, |(cost, ..)| *cost);
            let Some(Reverse((first, _, Reverse(number), cost))) = self.open.pop() else {
                return Err(End::Exhausted { cut: self.cut });
            };
            if first.0 >= least {
                return Err(End::Exhausted { cut: self.cut });
            }
            let node = &mut self.nodes[number as usize];
            if node.is_closed || cost.0 > node.cost {
                continue;
            }
            node.is_closed = true;
            self.looked_at += 1;
            let (set, depth) = (node.set.clone(), node.depth);
            let start = task.values(&aim.from);
            if set.iter().all(|requirement| requirement.holds(start)) {
                self.carry_out(task, aim, number);
            }
            if depth >= self.depth {
                self.cut = true;
                continue;
            }
            for action in 0..task.actions.len() as u32 {
                let mut before = vec![];
                let mut regressing = Regressing {
                    action: &task.actions[action as usize],
                    is_relaxed: false,
                    ways: &mut before,
                };
                regressing.start(&set);
                self.is_relaxed |= regressing.is_relaxed;
                for (rest, conds) in before {
                    self.before(task, aim, number, action, &rest, &conds);
                }
            }
        }
        Ok(Progress::Running)
    }

    /// The cheapest way that was carried out: what it costs, its actions, and where it begins.
    pub fn best(&self) -> Option<&(f64, Vec<u32>, u32)> {
        self.best.as_ref()
    }

    /// What has to hold before an action that meets a part of a set.
    fn before(
        &mut self,
        task: &Task,
        aim: &Aim,
        of: u32,
        action: u32,
        rest: &[Requirement],
        conds: &[Cond],
    ) {
        let mut expressing = Expressing {
            task,
            is_relaxed: false,
        };
        let more = expressing.all(conds.iter());
        self.is_relaxed |= expressing.is_relaxed;
        let node = &self.nodes[of as usize];
        let cost = node.cost + self.costs[action as usize];
        let depth = node.depth + 1;
        let needs = std::mem::take(&mut self.needs[action as usize]);
        for way in &needs {
            let Some(set) = both(rest, way) else {
                continue;
            };
            for more in &more {
                if let Some(set) = both(&set, more) {
                    self.reach(task, aim, set, of, action, cost, depth);
                }
            }
        }
        self.needs[action as usize] = needs;
    }

    #[expect(clippy::too_many_arguments, reason = "a node's parts")]
    fn reach(
        &mut self,
        task: &Task,
        aim: &Aim,
        set: Set,
        parent: u32,
        action: u32,
        cost: f64,
        depth: u32,
    ) {
        let number = match self.known.get(&set) {
            Some(known) => {
                let node = &mut self.nodes[*known as usize];
                if cost >= node.cost {
                    return;
                }
                (node.parent, node.action) = (parent, action);
                (node.cost, node.depth) = (cost, depth);
                node.is_closed = false;
                *known
            }
            None => {
                let left = self.left(task, aim, &set);
                let number = self.nodes.len() as u32;
                self.held += 2 * size_of_val(&*set);
                self.known.insert(set.clone(), number);
                self.nodes.push(Node {
                    set,
                    parent,
                    action,
                    depth,
                    cost,
                    left,
                    is_closed: false,
                });
                number
            }
        };
        let left = self.nodes[number as usize].left;
        if left < f64::INFINITY {
            let place = (Cost(cost + left), Cost(left), Reverse(number), Cost(cost));
            self.open.push(Reverse(place));
        }
    }

    /// How far it is from the start to a set.
    fn left(&self, task: &Task, aim: &Aim, set: &[Requirement]) -> f64 {
        let start = task.values(&aim.from);
        let relaxed: &Relaxed = aim.relaxed();
        let costs = set.iter().map(|requirement| requirement.cost(relaxed));
        if costs.clone().any(|cost| cost == f64::INFINITY) {
            return f64::INFINITY;
        }
        let together = || Cond::all(set.iter().map(|requirement| requirement.condition()));
        match self.estimate.0 {
            Heuristic::Blind => 0.0,
            Heuristic::Hmax => costs.fold(0.0, f64::max),
            Heuristic::Hadd => costs.sum(),
            Heuristic::Unmet => f64::from(unmet(&together(), &|part| part.holds(start))),
            Heuristic::Ff => relaxed.plan_cost(task, start, &together()),
        }
    }

    /// Does forward what leads from a set that holds at the start to the goal.
    fn carry_out(&mut self, task: &Task, aim: &Aim, number: u32) {
        let mut actions = vec![];
        let mut node = &self.nodes[number as usize];
        while node.parent != NONE {
            actions.push(node.action);
            node = &self.nodes[node.parent as usize];
        }
        let mut state = aim.from.clone();
        let mut after = state.clone();
        let mut cost = 0.0;
        for action in &actions {
            let action = &task.actions[*action as usize];
            let values = task.values(&state);
            if !action.is_possible(values) || !task.apply(action, &state, &mut after) {
                return;
            }
            cost += action.cost(values);
            std::mem::swap(&mut state, &mut after);
        }
        let is_better = self.best.as_ref().is_none_or(|(best, ..)| cost < *best);
        if is_better && aim.last().holds(task.values(&state)) {
            self.best = Some((cost, actions, number));
        }
    }

    /// What it takes.
    pub fn footprint(&self) -> Footprint {
        Footprint::fixed(self.held)
            + Footprint::of_vec(&self.nodes)
            + Footprint::of_heap(&self.open)
            + Footprint::of_map(&self.known)
    }
}

/// What is left of a set before an action, and what has to hold besides.
type Before = (Set, Vec<Cond>);

/// A set of requirements before an action, in each way in which the action can meet some of it.
struct Regressing<'a> {
    action: &'a Action,
    is_relaxed: bool,
    ways: &'a mut Vec<Before>,
}

/// What an effect does to a requirement.
enum Met {
    /// It is not of its variable.
    Not,
    /// It meets it, where these hold.
    If(Vec<Cond>),
    /// It makes another one of it: does that come nearer?
    Instead(Requirement, bool),
    /// It undoes it.
    Never,
    /// That cannot be said.
    Unknown,
}

impl Regressing<'_> {
    fn start(&mut self, set: &[Requirement]) {
        let touches = |effect: &Effect| set.iter().any(|r| touches(effect, *r));
        if self.action.effects.iter().any(touches) {
            self.go_on(set, vec![], vec![], false);
        }
    }

    /// The first of these requirements, and then the others.
    fn go_on(&mut self, set: &[Requirement], rest: Set, mut conds: Vec<Cond>, useful: bool) {
        let Some((first, others)) = set.split_first() else {
            if useful && let Some(rest) = both(&rest, &[]) {
                self.ways.push((rest, conds));
            }
            return;
        };
        // The last of the effects counts. What happens under a condition may meet it, or not happen.
        let mut requirement = *first;
        let mut nearer = false;
        for effect in self.action.effects.iter().rev() {
            let happens = &effect.when;
            let always = *happens == Cond::Constant(true);
            match met(effect, requirement) {
                Met::Not => {}
                Met::Never if always => return,
                Met::Never => conds.push(happens.negated()),
                Met::If(more) if always => {
                    let conds = [conds, more].concat();
                    return self.go_on(others, rest, conds, true);
                }
                Met::If(more) => {
                    let with = [&conds[..], &more, std::slice::from_ref(happens)].concat();
                    self.go_on(others, rest.clone(), with, true);
                    if !more.is_empty() {
                        let meets = Cond::all(more);
                        conds.push(Cond::any([happens.negated(), meets]));
                    }
                }
                Met::Instead(other, is_nearer) if always => {
                    requirement = other;
                    nearer |= is_nearer;
                }
                Met::Unknown if always => {
                    self.is_relaxed = true;
                    return self.go_on(others, rest, conds, true);
                }
                Met::Instead(..) | Met::Unknown => {
                    self.is_relaxed = true;
                    let with = [&conds[..], std::slice::from_ref(happens)].concat();
                    self.go_on(others, rest.clone(), with, true);
                }
            }
        }
        let mut rest = rest;
        rest.push(requirement);
        self.go_on(others, rest, conds, useful || nearer);
    }
}

/// What keeps a number in its range; nothing where that cannot be said.
fn in_range(task: &Task, effect: &Effect) -> Option<Vec<Cond>> {
    if let Change::Is(_) | Change::Object(_) | Change::Number(Num::Constant(_)) = effect.change {
        return Some(vec![]);
    }
    let Kind::Number { min, max, .. } = &task.kinds[effect.variable as usize] else {
        return None;
    };
    match &effect.change {
        Change::Add(Num::Constant(by)) => {
            let bounds = [(*by < 0.0, *min, true), (*by > 0.0, *max, false)];
            let needs = bounds
                .into_iter()
                .filter(|(matters, bound, _)| *matters && bound.is_finite());
            let needs = needs.map(|(_, bound, at_least)| {
                let bound = Bits::of(bound - by);
                let need = if at_least {
                    Requirement::AtLeast(effect.variable, bound)
                } else {
                    Requirement::AtMost(effect.variable, bound)
                };
                Cond::any([effect.when.negated(), need.condition()])
            });
            Some(needs.collect())
        }
        Change::Is(_) | Change::Object(_) | Change::Number(_) | Change::Add(_) => None,
    }
}

fn touches(effect: &Effect, requirement: Requirement) -> bool {
    !matches!(met(effect, requirement), Met::Not)
}

fn met(effect: &Effect, requirement: Requirement) -> Met {
    match (requirement, &effect.change) {
        (Requirement::Is(variable, so), Change::Is(to)) if variable == effect.variable => {
            if so == *to {
                Met::If(vec![])
            } else {
                Met::Never
            }
        }
        (Requirement::Is(..), _) | (_, Change::Is(_)) => Met::Not,
        (Requirement::Object(variable, object), Change::Object(to))
            if variable == effect.variable =>
        {
            match to {
                Obj::Object(to) if *to == object => Met::If(vec![]),
                Obj::Object(_) => Met::Never,
                to => {
                    let both = Box::new((to.clone(), Obj::Object(object)));
                    Met::If(vec![Cond::Same(both, true)])
                }
            }
        }
        (Requirement::Not(variable, object), Change::Object(to)) if variable == effect.variable => {
            match to {
                Obj::Object(to) if *to != object => Met::If(vec![]),
                Obj::Object(_) => Met::Never,
                to => {
                    let both = Box::new((to.clone(), Obj::Object(object)));
                    Met::If(vec![Cond::Same(both, false)])
                }
            }
        }
        (Requirement::AtLeast(variable, bound), change) if variable == effect.variable => {
            number(change, bound.number(), true, |bound| {
                Requirement::AtLeast(variable, Bits::of(bound))
            })
        }
        (Requirement::AtMost(variable, bound), change) if variable == effect.variable => {
            number(change, bound.number(), false, |bound| {
                Requirement::AtMost(variable, Bits::of(bound))
            })
        }
        _ => Met::Not,
    }
}

fn number(
    change: &Change,
    bound: f64,
    at_least: bool,
    requirement: impl Fn(f64) -> Requirement,
) -> Met {
    match change {
        Change::Number(Num::Constant(to)) if at_least && *to >= bound => Met::If(vec![]),
        Change::Number(Num::Constant(to)) if !at_least && *to <= bound => Met::If(vec![]),
        Change::Number(Num::Constant(_)) => Met::Never,
        Change::Add(Num::Constant(by)) => Met::Instead(
            requirement(bound - by),
            if at_least { *by > 0.0 } else { *by < 0.0 },
        ),
        Change::Number(_) | Change::Add(_) => Met::Unknown,
        Change::Is(_) | Change::Object(_) => Met::Not,
    }
}
