//! The plan of least total cost.
//!
//! Two searches take turns, and share the cheapest plan found so far and the
//! bounds on what tasks cost at least ([`bounds`]):
//!
//! - [`descent`] is depth first with branch and bound. It soon has a plan, and
//!   ever cheaper ones: the best so far is there at any time.
//! - [`frontier`] is A*. It looks at each state and network in the order of what
//!   a plan through it costs at least, which is what it takes to prove that no
//!   plan is cheaper.
//!
//! Together they have what neither has alone: on the first problems of the 33
//! domains of the 2020 competition, with two seconds each, A* alone proves 25
//! plans to be the cheapest and elsewhere has none, the descent alone 20; in turns
//! they prove 24, with some plan where there is no proof.
//!
//! Either of them may end first. Of equally cheap plans the first in the
//! designer's order is the answer, if it is found in as many decisions as it took
//! to find what the cheapest plan costs. Costs that differ by less than a part in
//! 10^9 count as equal.
//!
//! That no plan exists is proved when one of them has nothing left, has cut nothing
//! off for its depth, and never had a plan: the descent as the search for the first
//! plan proves it, A* since each state and network that it met was expanded. What
//! bounds rule out is then no matter of cost, for without a plan any cost will do:
//! they are infinite only for tasks that have no finite decomposition, by facts that
//! never change.
//!
//! Where a step may cost less than nothing no bound is known. Then everything is
//! searched, and a state and network are looked at again when a cheaper way to
//! them is found: should the problem have a circle that earns, the search ends
//! with its budget.

mod bounds;
mod descent;
mod frontier;
mod guide;
mod statics;

use std::sync::Arc;

use super::held::{Allowance, Footprint, Held};
use super::progression::{Key, Progression};
use super::search::Progress;
use crate::compile::Problem;
use crate::plan::{Budget, Limit, Outcome, Plan, Statistics, Trace};
use taskloom_document::stop::Stop;

use bounds::{Bounds, sum};
use descent::Descent;
use frontier::Frontier;

/// So many decisions are one search's first turn; each pair of turns is twice as
/// long as the one before, but no longer than the last.
const FIRST_TURN: u64 = 16;
const TURN: u64 = 1024;
/// So many decisions between two looks at the memory held.
const MEMORY_INTERVAL: u64 = 64;
/// Costs this close to each other, relatively, are equal.
const EQUAL: f64 = 1e-9;

/// A way to a plan: the states and networks on it, and what was paid to get there.
type Path = Vec<(Key, f64)>;

/// What a turn of one of the searches came to.
enum Turn {
    /// Its decisions are taken.
    Over,
    /// A plan of less cost was found, or one that comes before in the designer's order.
    Found(Plan),
    /// A plan was found that would take more memory than there is left.
    Full,
    /// It has nothing left to search.
    Ended,
}

/// What is known of the cheapest plan; both searches look at it.
#[derive(Debug)]
struct Incumbent {
    plan: Option<Arc<Plan>>,
    /// Bytes that it holds.
    memory: usize,
    /// Infinite where there is no plan.
    cost: f64,
    /// Whether it comes before all others of its cost.
    first: bool,
    /// Whether steps may cost less than nothing.
    negative: bool,
}

impl Incumbent {
    /// A plan of this cost is no better.
    fn limit(&self) -> f64 {
        match self.cost.is_finite() {
            true => self.cost - self.cost.abs() * EQUAL,
            false => f64::INFINITY,
        }
    }

    /// A plan of this cost is no better for a search in the designer's order.
    fn limit_in_order(&self) -> f64 {
        match self.cost.is_finite() && !self.first {
            true => self.cost + self.cost.abs() * EQUAL + f64::MIN_POSITIVE,
            false => self.limit(),
        }
    }

    /// Whether no plan is better, where what was not searched costs `cut` at least.
    fn is_all_but(&self, cut: f64) -> bool {
        cut == f64::INFINITY || !self.negative && cut >= self.limit()
    }

    /// Whether what has been paid and what is ahead at least come to too much.
    fn rules_out(&self, paid: f64, ahead: f64, limit: f64) -> bool {
        ahead == f64::INFINITY || !self.negative && sum(paid, ahead) >= limit
    }
}

/// A search for the cheapest plan, run in slices.
#[derive(Debug)]
pub struct Cheapest {
    budget: Budget,
    bounds: Bounds,
    incumbent: Incumbent,
    descent: Descent,
    /// None once it has ended, or was given up for the sake of memory.
    frontier: Option<Frontier>,
    /// What a plan that is not known yet costs at least.
    floor: f64,
    /// Whether it is the frontier's turn, and how many decisions are left of it.
    turn: (bool, u64),
    /// How long a turn is.
    length: u64,
    /// The decisions after which the first of the cheapest plans is not sought
    /// any longer; set when their cost is known.
    patience: Option<u64>,
    /// What a search used that is gone, but for memory.
    extra: Statistics,
    held: Held,
    /// Bytes that were not held at the last look.
    left: u64,
    outcome: Option<Outcome>,
    stop: Stop,
}

impl Cheapest {
    /// Starts a search. At most `trace_bound` events, of its depth-first part,
    /// are kept; 0 costs nothing.
    pub fn new(problem: &Problem, budget: Budget, trace_bound: usize) -> Self {
        let mut bounds = Bounds::new(problem);
        let descent = Descent::new(problem, budget, trace_bound, &mut bounds);
        let incumbent = Incumbent {
            plan: None,
            memory: 0,
            cost: f64::INFINITY,
            first: false,
            negative: bounds.may_be_negative(),
        };
        let readable = problem.roots().is_some();
        Self {
            budget,
            floor: match incumbent.negative && readable {
                true => f64::NEG_INFINITY,
                false if readable => descent.least(),
                false => f64::INFINITY,
            },
            bounds,
            incumbent,
            frontier: Some(Frontier::new(problem, budget, descent.least())),
            descent,
            turn: (false, FIRST_TURN),
            length: FIRST_TURN,
            patience: None,
            extra: Statistics::default(),
            held: Held::default(),
            left: budget.memory,
            outcome: (!readable).then(|| Outcome::exhausted(problem)),
            stop: problem.stop().clone(),
        }
    }

    /// Takes about so many more decisions.
    pub fn step(&mut self, nodes: u64) -> Progress {
        let until = self.spent().saturating_add(nodes);
        while self.outcome.is_none() {
            let spent = self.spent();
            if spent >= until {
                return Progress::Running;
            }
            if self.stop.after(1) {
                self.outcome = Some(Outcome::Stopped);
                break;
            }
            if spent >= self.budget.nodes {
                self.give_up(Limit::Nodes);
                break;
            }
            if self.is_memory_full() {
                self.give_up(Limit::Memory);
                break;
            }
            let left = until.min(self.budget.nodes) - spent;
            self.take_turn(left.min(MEMORY_INTERVAL));
        }
        Progress::Done
    }

    fn take_turn(&mut self, most: u64) {
        let before = self.spent();
        let (bounds, incumbent) = (&mut self.bounds, &mut self.incumbent);
        let nodes = most.min(self.turn.1);
        let frontier = self.frontier.as_mut().filter(|_| self.turn.0);
        let in_order = frontier.is_none();
        let mut memory = Allowance::new(self.left);
        let turn = match frontier {
            Some(frontier) => {
                let turn = frontier.step(nodes, bounds, incumbent, &mut memory);
                self.floor = self.floor.max(frontier.floor().min(frontier.cut()));
                turn
            }
            None => self.descent.step(nodes, bounds, incumbent, &mut memory),
        };
        if memory.most > 0 {
            let held = self.budget.memory.saturating_sub(self.left);
            self.held.note(held + memory.most);
        }
        if self.stop.is_heard() {
            // What the turn came to means nothing.
            self.outcome = Some(Outcome::Stopped);
            return;
        }
        if self.progressions().any(Progression::is_cut_short) {
            let is_full = self.progressions().any(|search| search.frames.is_full);
            return self.give_up(if is_full { Limit::Memory } else { Limit::Nodes });
        }
        self.turn.1 = self.turn.1.saturating_sub(self.spent() - before);
        match turn {
            Turn::Over if self.turn.1 == 0 => {
                if self.turn.0 {
                    self.length = TURN.min(2 * self.length);
                }
                self.turn = (!self.turn.0, self.length);
            }
            Turn::Over => {}
            Turn::Found(plan) => self.found(plan, memory.taken, in_order),
            Turn::Full => match self.frontier {
                // Without it there may be enough, and the descent is where it was.
                Some(_) => self.give_frontier_up(),
                None => self.give_up(Limit::Memory),
            },
            Turn::Ended if in_order => self.settle(self.descent.cut()),
            Turn::Ended => {
                let cut = self.frontier.take().map_or(f64::INFINITY, |frontier| {
                    self.extra.nodes += frontier.progression.spent();
                    frontier.cut()
                });
                self.turn = (false, self.length);
                if !self.incumbent.is_all_but(cut) {
                    // The descent may find more, nearer to the root.
                } else if self.incumbent.first || self.incumbent.plan.is_none() {
                    self.settle(cut);
                } else {
                    self.floor = self.incumbent.cost;
                    self.patience = Some(self.spent().saturating_mul(2));
                }
            }
        }
        if self
            .patience
            .is_some_and(|patience| self.spent() >= patience)
        {
            self.settle(f64::INFINITY);
        }
    }

    fn found(&mut self, plan: Plan, memory: u64, in_order: bool) {
        self.incumbent.cost = plan.cost;
        self.incumbent.plan = Some(Arc::new(plan));
        self.incumbent.memory = memory as usize;
        self.incumbent.first = in_order;
        if self.patience.is_some() {
            self.settle(f64::INFINITY);
        }
    }

    /// All was searched but for what is nested too deep and costs `cut` at least.
    fn settle(&mut self, cut: f64) {
        if !self.incumbent.is_all_but(cut) {
            return self.give_up(Limit::Depth);
        }
        self.floor = self.incumbent.cost;
        self.outcome = Some(match &self.incumbent.plan {
            Some(plan) => Outcome::Plan(plan.clone()),
            None => Outcome::exhausted(self.bounds.problem()),
        });
    }

    fn give_up(&mut self, limit: Limit) {
        match self.patience {
            Some(_) => self.settle(f64::INFINITY),
            None => self.outcome = Some(Outcome::GaveUp(limit)),
        }
    }

    /// How it ended; `None` while it runs. A plan is proved to be the cheapest.
    /// Where it gave up, [`Self::best`] may still have a plan.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome.clone()
    }

    /// The cheapest plan so far. It has yet to be validated.
    pub fn best(&self) -> Option<&Arc<Plan>> {
        self.incumbent.plan.as_ref()
    }

    /// What every plan costs at least; infinite where there is none.
    pub fn bound(&self) -> f64 {
        self.floor.min(self.incumbent.cost)
    }

    /// What it used so far.
    pub fn statistics(&self) -> Statistics {
        let mut all = Statistics {
            memory: self.held.most(self.footprint()),
            nodes: self.extra.nodes,
            ..Statistics::default()
        };
        for Progression { statistics, .. } in self.progressions() {
            all.nodes += statistics.nodes;
            all.backtracks += statistics.backtracks;
            all.depth = all.depth.max(statistics.depth);
        }
        all
    }

    /// What its depth-first part did so far.
    pub fn trace(&self) -> &Trace {
        self.descent.progression.tracer.trace()
    }

    /// Where its parts stand.
    fn progressions(&self) -> impl Iterator<Item = &Progression> {
        let frontier = self.frontier.as_ref().map(|part| &part.progression);
        [&self.descent.progression].into_iter().chain(frontier)
    }

    fn spent(&self) -> u64 {
        let spent = self.progressions().map(Progression::spent);
        spent.sum::<u64>() + self.extra.nodes
    }

    fn footprint(&self) -> Footprint {
        let frontier = self.frontier.as_ref().map(Frontier::footprint);
        self.descent.footprint()
            + frontier.unwrap_or_default()
            + self.bounds.footprint()
            + Footprint::fixed(self.incumbent.memory)
    }

    /// Notes the memory held. Gives the frontier up before it needs too much.
    fn is_memory_full(&mut self) -> bool {
        let footprint = self.footprint();
        self.held.look(footprint);
        self.left = self.budget.memory.saturating_sub(footprint.held);
        let is_full = footprint.ahead() > self.budget.memory;
        if is_full && self.frontier.is_some() {
            self.give_frontier_up();
            return false;
        }
        is_full
    }

    fn give_frontier_up(&mut self) {
        if let Some(frontier) = self.frontier.take() {
            self.extra.nodes += frontier.progression.spent();
        }
        self.turn = (false, self.length);
    }
}

/// Searches to the end of the budget: the outcome, and where it gave up the
/// cheapest plan that it found. The plan has yet to be validated.
pub fn cheapest(problem: &Problem, budget: Budget) -> (Outcome, Option<Arc<Plan>>) {
    let mut search = Cheapest::new(problem, budget, 0);
    while search.step(u64::MAX) == Progress::Running {}
    let outcome = search.outcome().unwrap_or(Outcome::Stopped);
    (outcome, search.incumbent.plan)
}
