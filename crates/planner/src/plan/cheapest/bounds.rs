//! Lower bounds on the cost of tasks, independent of the state.
//!
//! A primitive task costs at least the lower end of its cost's range, a compound one at least the
//! cost of its cheapest resolution, which is that of its tasks. The least solution of these
//! equations over the tasks that a task can lead to is computed by Knuth's algorithm (A
//! Generalization of Dijkstra's Algorithm, 1977), so recursion is no problem and a task that never
//! ends costs infinity.
//!
//! Tasks are ground as far as they are known: the variables of Bind blocks are not. Alternatives
//! ruled out by facts that never change are dropped.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::super::evaluate::UNDEFINED;
use super::super::memory::MemoryUse;
use super::super::table::TupleTable;
use super::statics::{ANY, Estimate, Statics};
use crate::compile::{
    BlockCode, BlockKind, Chart, Decider, FlatBlock, FlatKind, Move, Problem, Resolutions,
};

/// A task with more resolutions than this is assumed to cost nothing.
const MAX_RESOLUTIONS: usize = 256;
/// Beyond this number of tasks, new ones are treated without their objects.
const MAX_TASKS: usize = 20_000;
/// Beyond this number of options tried, new tasks are assumed to cost nothing: a bound must be
/// available at once, between two slices of a search.
const MAX_TRIED: u32 = 500_000;

/// Lower bounds on the cost of tasks; see the module.
#[derive(Debug)]
pub struct Bounds {
    problem: Problem,
    statics: Statics,
    /// Tasks with objects and [`ANY`].
    tasks: TupleTable,
    /// The lower bounds, indexed by number in [`Self::tasks`].
    least: Vec<f64>,
    /// `true` if a step may have a negative cost.
    negative: bool,
    resolutions: Resolutions,
    /// Options tried so far.
    tried: u32,
}

/// Lower bounds on the cost of each task in a search's own table of ground tasks.
#[derive(Debug, Default)]
pub struct Known(Vec<f64>);

impl Known {
    /// Returns a lower bound on the cost of a ground task; infinite if it is impossible.
    pub fn least(&mut self, bounds: &mut Bounds, ground: &TupleTable, task: u32) -> f64 {
        if self.0.len() <= task as usize {
            self.0.resize(ground.len(), f64::NAN);
        }
        let least = &mut self.0[task as usize];
        if least.is_nan() {
            *least = bounds.least(ground.tuple(task));
        }
        *least
    }

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        MemoryUse::of_vec(&self.0)
    }
}

/// Adds two costs. The sum is infinite only if something is impossible; otherwise an overflow is
/// clamped.
pub fn sum(a: f64, b: f64) -> f64 {
    if a == f64::INFINITY || b == f64::INFINITY {
        f64::INFINITY
    } else {
        (a + b).clamp(f64::MIN, f64::MAX)
    }
}

/// A method of a task, while lower bounds are computed.
struct Alternative {
    task: u32,
    /// The sum of the costs known so far.
    cost: f64,
    /// The number of its tasks whose cost is not known yet.
    open: u32,
}

impl Bounds {
    /// Analyzes a problem's facts and costs.
    pub fn new(problem: &Problem) -> Self {
        let flat = problem.flat();
        let statics = Statics::new(problem);
        let estimate = Estimate {
            flat,
            initial: problem.initial(),
            statics: &statics,
            slots: &[],
        };
        let negative = flat.tasks.iter().any(|task| match &task.kind {
            FlatKind::Primitive {
                cost: Some(cost), ..
            } => estimate.number(*cost).low < 0.0,
            _ => false,
        });
        Self {
            problem: problem.clone(),
            statics,
            tasks: TupleTable::default(),
            least: vec![],
            negative,
            resolutions: Resolutions::default(),
            tried: 0,
        }
    }

    /// Returns the number of options tried so far.
    pub fn work(&self) -> u64 {
        u64::from(self.tried)
    }

    /// Returns the problem.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Returns `true` if a step may have a negative cost. A bound is then 0, or infinite for
    /// impossible tasks, and says nothing about the cost.
    pub fn may_be_negative(&self) -> bool {
        self.negative
    }

    /// Returns a lower bound on the cost of a ground task; infinite if it is impossible.
    fn least(&mut self, tuple: &[u32]) -> f64 {
        let number = self.number(tuple) as usize;
        if number >= self.least.len() {
            self.settle();
        }
        self.least[number]
    }

    /// Returns the number of a task with its objects, or without them if there are too many tasks.
    fn number(&mut self, tuple: &[u32]) -> u32 {
        match self.tasks.find(tuple) {
            Some(number) => number,
            None if self.tasks.len() < MAX_TASKS => self.tasks.intern(tuple),
            None => {
                let mut any = vec![ANY; tuple.len()];
                any[0] = tuple[0];
                self.tasks.intern(&any)
            }
        }
    }

    /// Computes the costs of the newest tasks and of all that they lead to.
    fn settle(&mut self) {
        let problem = self.problem.clone();
        let first = self.least.len();
        let mut alternatives: Vec<Alternative> = vec![];
        // The alternatives that wait for a task, once for each occurrence of the task in them.
        let mut waiting: Vec<Vec<u32>> = vec![];
        let mut heap: BinaryHeap<(Reverse<Cost>, u32)> = BinaryHeap::new();
        let mut calls = vec![];
        while self.least.len() < self.tasks.len() {
            if problem.stop().after(8) {
                self.least.resize(self.tasks.len(), 0.0);
                return;
            }
            let task = self.least.len() as u32;
            self.least.push(f64::INFINITY);
            calls.clear();
            let ends = self.alternatives(&problem, task, &mut calls);
            let mut start = 0;
            for (end, own) in ends {
                let number = alternatives.len() as u32;
                let mut alternative = Alternative {
                    task,
                    cost: own,
                    open: 0,
                };
                for call in &calls[start..end] {
                    let call = *call as usize;
                    match call.checked_sub(first) {
                        None => alternative.cost = sum(alternative.cost, self.least[call]),
                        Some(new) => {
                            if waiting.len() <= new {
                                waiting.resize(new + 1, vec![]);
                            }
                            waiting[new].push(number);
                            alternative.open += 1;
                        }
                    }
                }
                start = end;
                if alternative.open == 0 && alternative.cost.is_finite() {
                    heap.push((Reverse(Cost(alternative.cost)), task));
                }
                alternatives.push(alternative);
            }
        }
        while let Some((Reverse(Cost(cost)), task)) = heap.pop() {
            let least = &mut self.least[task as usize];
            if least.is_finite() {
                continue;
            }
            *least = cost;
            let new = task as usize - first;
            for number in waiting.get_mut(new).map(std::mem::take).unwrap_or_default() {
                let alternative = &mut alternatives[number as usize];
                alternative.cost = sum(alternative.cost, cost);
                alternative.open -= 1;
                if alternative.open == 0 && alternative.cost.is_finite() {
                    heap.push((Reverse(Cost(alternative.cost)), alternative.task));
                }
            }
        }
    }

    /// Lists the alternatives of a task: the end of each one's tasks in `calls`, and its cost
    /// without them.
    fn alternatives(
        &mut self,
        problem: &Problem,
        task: u32,
        calls: &mut Vec<u32>,
    ) -> Vec<(usize, f64)> {
        let flat = problem.flat();
        let tuple: Vec<u32> = self.tasks.tuple(task).to_vec();
        let code = &flat.tasks[tuple[0] as usize];
        let slots = &tuple[1..];
        let mut alternatives = vec![];
        let statics = std::mem::take(&mut self.statics);
        let estimate = Estimate {
            flat,
            initial: problem.initial(),
            statics: &statics,
            slots,
        };
        match &code.kind {
            _ if !estimate.may_hold(&code.preconditions) => {}
            FlatKind::Primitive { cost, .. } => {
                let least = match cost {
                    _ if self.negative => 0.0,
                    None => 1.0,
                    Some(cost) => {
                        // An undefined cost counts as 1.
                        let range = estimate.number(*cost);
                        match range.may_be_undefined {
                            true if range.low.is_nan() => 1.0,
                            true => range.low.min(1.0),
                            false => range.low,
                        }
                    }
                };
                alternatives.push((0, least));
            }
            // What a search for the goal may find isn't known.
            FlatKind::Compound { goal: Some(_), .. } => alternatives.push((0, 0.0)),
            FlatKind::Compound { chart: None, .. } => {}
            FlatKind::Compound {
                chart: Some(chart),
                blocks,
                ..
            } => self.resolve(&estimate, chart, blocks, &mut alternatives, calls),
        }
        self.statics = statics;
        alternatives
    }

    fn resolve(
        &mut self,
        estimate: &Estimate<'_>,
        chart: &Chart,
        blocks: &[FlatBlock],
        alternatives: &mut Vec<(usize, f64)>,
        calls: &mut Vec<u32>,
    ) {
        let mut possible = Possible {
            estimate,
            blocks,
            tried: 0,
        };
        let most = (8 * MAX_RESOLUTIONS as u32).min(MAX_TRIED.saturating_sub(self.tried));
        let mut tuple = vec![];
        let mut resolutions = std::mem::take(&mut self.resolutions);
        let mut resolution = resolutions.start(chart);
        let mut next = resolutions.advance(&mut resolution, chart, &mut possible);
        while next != Move::Exhausted && !self.problem.stop().after(chart.tasks.len() / 4) {
            if next == Move::Resolved {
                for position in &chart.tasks {
                    let Some((callee, args)) = blocks[*position as usize].code.call() else {
                        continue;
                    };
                    if !resolutions.is_present(&resolution, *position) {
                        continue;
                    }
                    tuple.clear();
                    tuple.push(callee);
                    let args = &estimate.flat.code.terms[args.range()];
                    tuple.extend(args.iter().map(|term| estimate.term(*term)));
                    calls.push(self.number(&tuple));
                }
                alternatives.push((calls.len(), 0.0));
            }
            if possible.tried > most || alternatives.len() > MAX_RESOLUTIONS {
                alternatives.clear();
                calls.clear();
                alternatives.push((0, 0.0));
                break;
            }
            next = match next {
                Move::Resolved => resolutions.take_back(&mut resolution, chart, &mut possible),
                _ => resolutions.advance(&mut resolution, chart, &mut possible),
            };
        }
        resolutions.end(&resolution);
        self.tried += possible.tried;
        self.resolutions = resolutions;
    }

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        MemoryUse::fixed(self.statics.memory())
            + self.tasks.memory_use()
            + MemoryUse::of_vec(&self.least)
            + self.resolutions.memory_use()
    }
}

/// A cost that is never NaN, ordered by size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost(pub f64);

impl Eq for Cost {}

impl PartialOrd for Cost {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cost {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// The options that are possible in some state.
struct Possible<'a> {
    estimate: &'a Estimate<'a>,
    blocks: &'a [FlatBlock],
    /// Options tried.
    tried: u32,
}

impl Decider for Possible<'_> {
    fn pass(&mut self, position: u32) -> bool {
        let code = &self.blocks[position as usize].code;
        let args = code.call().map_or(&[][..], |(_, args)| {
            &self.estimate.flat.code.terms[args.range()]
        });
        code.is_passable() && args.iter().all(|t| self.estimate.term(*t) != UNDEFINED)
    }

    fn next(&mut self, position: u32, kind: BlockKind, before: Option<u32>) -> Option<u32> {
        self.tried += 1;
        let option = before.map_or(0, |b| b + 1);
        match &self.blocks[position as usize].code {
            BlockCode::Branch(condition) => {
                let readable = condition.iter().all(|c| c.formula.is_some());
                let holds = condition.iter().map(|c| {
                    let formula = c.formula?;
                    self.estimate.holds(formula)
                });
                let mut all = Some(true);
                for holds in holds {
                    match holds {
                        Some(true) => {}
                        Some(false) => {
                            all = Some(false);
                            break;
                        }
                        None => all = None,
                    }
                }
                (option..2).find(|side| readable && all.is_none_or(|all| u32::from(!all) == *side))
            }
            BlockCode::Bind { of, condition, .. } => {
                let objects = &self.estimate.flat.types[*of as usize];
                let possible = !objects.is_empty() && self.estimate.may_hold(condition);
                (option == 0 && possible).then_some(0)
            }
            BlockCode::Choice { .. } => Some(option).filter(|o| *o < kind.options()),
            BlockCode::Pass | BlockCode::Task { .. } => None,
        }
    }
}
