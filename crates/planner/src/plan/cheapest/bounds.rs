//! What a task costs at least, whatever the state.
//!
//! A primitive task costs at least the low end of its cost's range, a compound
//! one at least its cheapest resolution, whose cost is that of its tasks. The
//! least solution of these equations over the tasks that a task can lead to is
//! found as by Knuth (A Generalization of Dijkstra's Algorithm, 1977), so that
//! recursion is no difficulty and a task that never ends costs infinitely much.
//!
//! Tasks are ground as far as they are known: the variables of Bind blocks are
//! not. Ways that facts which never change rule out are left out.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::super::evaluate::NOTHING;
use super::super::held::Footprint;
use super::super::table::TupleTable;
use super::statics::{ANY, Estimate, Statics};
use crate::compile::{
    BlockCode, BlockKind, Chart, Decider, FlatBlock, FlatKind, Move, Problem, Resolutions,
};

/// A task of more resolutions than this is taken to cost nothing.
const MOST_RESOLUTIONS: usize = 256;
/// Once there are so many tasks, new ones are looked at without their objects.
const MOST_TASKS: usize = 20_000;
/// Once so many options were tried, new tasks are taken to cost nothing: a bound
/// has to be there at once, between two slices of a search.
const MOST_TRIED: u32 = 500_000;

/// See the module.
#[derive(Debug)]
pub struct Bounds {
    problem: Problem,
    statics: Statics,
    /// Tasks with objects and [`ANY`].
    tasks: TupleTable,
    /// By number in [`Self::tasks`].
    least: Vec<f64>,
    /// Whether a step may cost less than nothing.
    negative: bool,
    resolutions: Resolutions,
    /// Options tried so far.
    tried: u32,
}

/// What each task of a search's own table of ground tasks costs at least.
#[derive(Debug, Default)]
pub struct Known(Vec<f64>);

impl Known {
    /// What a ground task costs at least; infinitely much where it cannot be done.
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

    /// What it takes.
    pub fn footprint(&self) -> Footprint {
        Footprint::of_vec(&self.0)
    }
}

/// What two costs come to. Only what cannot be done costs infinitely much, not what
/// is too much for a number.
pub fn sum(a: f64, b: f64) -> f64 {
    if a == f64::INFINITY || b == f64::INFINITY {
        f64::INFINITY
    } else {
        (a + b).clamp(f64::MIN, f64::MAX)
    }
}

/// A way to do a task, while the least costs are worked out.
struct Way {
    task: u32,
    /// The sum of what is known of it.
    cost: f64,
    /// How many of its tasks are not known yet.
    open: u32,
}

impl Bounds {
    /// Looks at a problem's facts and costs.
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

    /// The problem.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Whether a step may cost less than nothing: then a bound is 0, or infinite
    /// for what cannot be done, and says nothing about the cost.
    pub fn may_be_negative(&self) -> bool {
        self.negative
    }

    /// What a ground task costs at least; infinitely much where it cannot be done.
    fn least(&mut self, tuple: &[u32]) -> f64 {
        let number = self.number(tuple) as usize;
        if number >= self.least.len() {
            self.settle();
        }
        self.least[number]
    }

    /// The number of a task, with its objects or, where there are too many, without.
    fn number(&mut self, tuple: &[u32]) -> u32 {
        match self.tasks.find(tuple) {
            Some(number) => number,
            None if self.tasks.len() < MOST_TASKS => self.tasks.intern(tuple),
            None => {
                let mut any = vec![ANY; tuple.len()];
                any[0] = tuple[0];
                self.tasks.intern(&any)
            }
        }
    }

    /// Works out the costs of the newest tasks and of all that they lead to.
    fn settle(&mut self) {
        let problem = self.problem.clone();
        let first = self.least.len();
        let mut ways: Vec<Way> = vec![];
        // Which ways wait for a task; once for each time that they have it.
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
            let ends = self.ways(&problem, task, &mut calls);
            let mut start = 0;
            for (end, own) in ends {
                let number = ways.len() as u32;
                let mut way = Way {
                    task,
                    cost: own,
                    open: 0,
                };
                for call in &calls[start..end] {
                    let call = *call as usize;
                    match call.checked_sub(first) {
                        None => way.cost = sum(way.cost, self.least[call]),
                        Some(new) => {
                            if waiting.len() <= new {
                                waiting.resize(new + 1, vec![]);
                            }
                            waiting[new].push(number);
                            way.open += 1;
                        }
                    }
                }
                start = end;
                if way.open == 0 && way.cost.is_finite() {
                    heap.push((Reverse(Cost(way.cost)), task));
                }
                ways.push(way);
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
                let way = &mut ways[number as usize];
                way.cost = sum(way.cost, cost);
                way.open -= 1;
                if way.open == 0 && way.cost.is_finite() {
                    heap.push((Reverse(Cost(way.cost)), way.task));
                }
            }
        }
    }

    /// The ways to do a task: where in `calls` the tasks of each end, and what it
    /// costs without them.
    fn ways(&mut self, problem: &Problem, task: u32, calls: &mut Vec<u32>) -> Vec<(usize, f64)> {
        let flat = problem.flat();
        let tuple: Vec<u32> = self.tasks.tuple(task).to_vec();
        let code = &flat.tasks[tuple[0] as usize];
        let slots = &tuple[1..];
        let mut ways = vec![];
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
                        // A cost without a value counts as 1.
                        let range = estimate.number(*cost);
                        match range.may_be_undefined {
                            true if range.low.is_nan() => 1.0,
                            true => range.low.min(1.0),
                            false => range.low,
                        }
                    }
                };
                ways.push((0, least));
            }
            FlatKind::Compound { chart: None, .. } => {}
            FlatKind::Compound {
                chart: Some(chart),
                blocks,
            } => self.resolve(&estimate, chart, blocks, &mut ways, calls),
        }
        self.statics = statics;
        ways
    }

    fn resolve(
        &mut self,
        estimate: &Estimate<'_>,
        chart: &Chart,
        blocks: &[FlatBlock],
        ways: &mut Vec<(usize, f64)>,
        calls: &mut Vec<u32>,
    ) {
        let mut possible = Possible {
            estimate,
            blocks,
            tried: 0,
        };
        let most = (8 * MOST_RESOLUTIONS as u32).min(MOST_TRIED.saturating_sub(self.tried));
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
                ways.push((calls.len(), 0.0));
            }
            if possible.tried > most || ways.len() > MOST_RESOLUTIONS {
                ways.clear();
                calls.clear();
                ways.push((0, 0.0));
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

    /// What they take.
    pub fn footprint(&self) -> Footprint {
        Footprint::fixed(self.statics.memory())
            + self.tasks.footprint()
            + Footprint::of_vec(&self.least)
            + self.resolutions.footprint()
    }
}

/// A cost, which is never without a value, by size.
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

/// The options that some state may have.
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
        code.is_passable() && args.iter().all(|t| self.estimate.term(*t) != NOTHING)
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
