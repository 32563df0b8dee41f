//! The search for one goal: a first plan, then better ones as long as the budget lasts.
//!
//! A short run of A* first proves optimal plans of small problems at once. Then greedy search finds
//! any plan. With its cost as an upper bound, A* resumes, or regression does if the agent asks for
//! it, until nothing cheaper remains or the allowed work is done.

use taskloom_document::Direction;
use taskloom_document::stop::Stop;

use super::astar::Astar;
use super::greedy::Greedy;
use super::grounded::Grounded;
use super::landmarks::Discovery;
use super::objective::{Estimate, Objective};
use super::regress::Regression;
use super::task::Task;
use super::{End, Mode, Slice, is_cheaper};
use crate::plan::memory::MemoryUse;
use taskloom_domain::lang::decimal::rounded;

/// The work of the first, short run, in propositions, operators and successors.
const FIRST_WORK: u64 = 300_000;

/// The work spent on improving a plan in the mode [`Mode::Configured`].
const IMPROVEMENT_WORK: u64 = 15_000_000;

/// The maximum length of a plan from which redundant actions are removed.
const MAX_STEPS: usize = 400;

/// The current phase of the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// A short run of regression.
    TryRegression,
    /// A short run of A*.
    TryAstar,
    /// Greedy search for any plan.
    Greedy,
    /// Improvement by regression.
    ImproveByRegression,
    /// Improvement by A*.
    ImproveByAstar,
}

/// The result of the search for a goal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ended {
    /// The best plan so far, which may or may not be proven optimal.
    Plan { is_optimal: bool },
    /// No plan exists.
    NoPlan,
    /// There is no plan within the depth limit.
    TooDeep,
}

/// A plan: its cost, its actions, and the search and state that found it.
pub type Best = (f64, Vec<u32>, Found);

/// The search that found a plan, and the plan's final state in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    Astar(u32),
    Greedy(u32),
    Regression,
}

/// The search for a goal, in slices.
#[derive(Debug)]
pub struct Anytime {
    mode: Mode,
    depth: u32,
    phase: Phase,
    objective: Objective,
    is_admissible: bool,
    /// A lower bound of the cost of all plans.
    lower_bound: f64,
    pub astar: Astar,
    /// The search for the landmarks that greedy search uses.
    discovery: Option<Discovery>,
    pub greedy: Option<Greedy>,
    pub regression: Option<Regression>,
    has_regression_ended: bool,
    /// The best plan so far.
    pub best: Option<Best>,
    /// The work in addition to that of the searches.
    other_work: u64,
}

impl Anytime {
    /// Starts a search for the objective of a goal.
    pub fn new(
        grounded: &Grounded,
        mut objective: Objective,
        (estimate, direction): (Estimate, Direction),
        mode: Mode,
        (depth, memory): (u32, u64),
    ) -> Self {
        let is_regressive = direction == Direction::Regressive && !objective.has_stages();
        let regression = is_regressive
            .then(|| Regression::new(grounded, &mut objective, estimate, depth, memory));
        let is_admissible = estimate.is_admissible();
        Self {
            phase: match mode {
                Mode::Satisficing => Phase::Greedy,
                _ if is_regressive => Phase::TryRegression,
                _ => Phase::TryAstar,
            },
            mode,
            depth,
            astar: Astar::new(grounded, &objective, is_admissible, depth),
            is_admissible,
            lower_bound: objective.lower_bound(&grounded.task, &objective.from),
            objective,
            discovery: None,
            greedy: None,
            regression,
            has_regression_ended: false,
            best: None,
            // The estimates' tables, and the first estimate.
            other_work: 2 * grounded.tables.size(),
        }
    }

    /// Evaluates more states, of at most `max_states` in total.
    pub fn step(
        &mut self,
        grounded: &Grounded,
        slice: &mut Slice,
        max_states: u64,
        stop: &Stop,
    ) -> Option<Ended> {
        if std::mem::take(&mut slice.is_interrupted) {
            return self.continue_step(grounded, slice, stop);
        }
        // The short run leaves most of a small budget to greedy search.
        let is_first_over =
            |work: u64, evaluated: u64| work > FIRST_WORK || evaluated >= max_states / 4;
        match self.phase {
            Phase::TryRegression | Phase::ImproveByRegression => {
                let is_over = match &self.regression {
                    None => true,
                    Some(regression) if self.phase == Phase::TryRegression => {
                        is_first_over(regression.work, regression.expanded)
                    }
                    Some(regression) => self.is_improvement_done(2 * regression.work),
                };
                if is_over {
                    self.phase = if self.phase == Phase::ImproveByRegression {
                        Phase::ImproveByAstar
                    } else {
                        Phase::Greedy
                    };
                    return None;
                }
                self.search_backward(grounded, slice, stop)
            }
            Phase::TryAstar if is_first_over(self.work_forward(), self.astar.evaluated) => {
                self.phase = Phase::Greedy;
                None
            }
            Phase::ImproveByAstar if self.is_proven() => self.plan(true),
            Phase::ImproveByAstar if self.is_improvement_done(self.work_forward()) => {
                self.plan(false)
            }
            Phase::TryAstar | Phase::ImproveByAstar | Phase::Greedy => {
                self.continue_step(grounded, slice, stop)
            }
        }
    }

    /// Continues a step that was interrupted, or begins it.
    fn continue_step(
        &mut self,
        grounded: &Grounded,
        slice: &mut Slice,
        stop: &Stop,
    ) -> Option<Ended> {
        match self.phase {
            Phase::TryRegression | Phase::ImproveByRegression => {
                self.search_backward(grounded, slice, stop)
            }
            Phase::TryAstar | Phase::ImproveByAstar => self.search_forward(grounded, slice),
            Phase::Greedy => self.search_greedily(grounded, slice, stop),
        }
    }

    /// Returns the work done so far, in propositions, operators, words of states and successors.
    pub fn work(&self) -> u64 {
        let greedy = self.greedy.as_ref().map_or(0, Greedy::work);
        let discovery = self.discovery.as_ref().map_or(0, |search| search.work);
        let regression = self.regression.as_ref();
        let regression = regression.map_or(0, |search| search.work + search.taken);
        self.work_forward() + self.astar.taken + greedy + discovery + regression + self.other_work
    }

    /// Returns `true` if the best plan is proven optimal.
    fn is_proven(&self) -> bool {
        let best = self.best.as_ref();
        best.is_some_and(|(cost, ..)| !is_cheaper(self.bound(), *cost))
    }

    fn work_forward(&self) -> u64 {
        self.astar.work() + self.objective.work()
    }

    /// Returns `true` if the work allowed for improving a plan is done.
    fn is_improvement_done(&self, work: u64) -> bool {
        self.mode == Mode::Configured && self.best.is_some() && work > IMPROVEMENT_WORK
    }

    fn plan(&self, is_optimal: bool) -> Option<Ended> {
        Some(Ended::Plan { is_optimal })
    }

    /// Records a plan if it is better than the best one so far.
    fn record_plan(&mut self, grounded: &Grounded, actions: Vec<u32>, by: Found) {
        let (shorter, work) = without_redundant(&grounded.task, &self.objective, &actions);
        self.other_work += work;
        let cost = |actions: &[u32]| execute(&grounded.task, &self.objective, actions);
        let (actions, cost) = match (cost(&shorter), cost(&actions)) {
            (Some(cost), _) => (shorter, cost),
            (None, Some(cost)) => (actions, cost),
            (None, None) => return,
        };
        let is_better = self.best.as_ref().is_none_or(|(best, known, _)| {
            is_cheaper(cost, *best) || !is_cheaper(*best, cost) && actions.len() < known.len()
        });
        if is_better {
            self.astar.below = self.astar.below.min(cost);
            if let Some(regression) = &mut self.regression {
                regression.below = regression.below.min(cost);
            }
            self.best = Some((cost, actions, by));
        }
    }

    fn search_forward(&mut self, grounded: &Grounded, slice: &mut Slice) -> Option<Ended> {
        match self.astar.step(grounded, &mut self.objective, slice) {
            Ok(()) => None,
            Err(End::Found(node)) => {
                let actions = self.astar.states.actions(node);
                self.record_plan(grounded, actions, Found::Astar(node));
                if self.is_admissible {
                    // A cheaper plan may have more steps than are allowed.
                    return self.plan(!self.astar.cut);
                }
                self.phase = Phase::ImproveByAstar;
                None
            }
            Err(End::Exhausted { cut }) => match (&self.best, cut) {
                (Some(_), _) => self.plan(!cut),
                (None, true) => Some(Ended::TooDeep),
                (None, false) => Some(Ended::NoPlan),
            },
        }
    }

    fn search_greedily(
        &mut self,
        grounded: &Grounded,
        slice: &mut Slice,
        stop: &Stop,
    ) -> Option<Ended> {
        let Some(greedy) = &mut self.greedy else {
            let objective = &self.objective;
            let discovery = self.discovery.take();
            let mut discovery = discovery.unwrap_or_else(|| Greedy::discovery(grounded, objective));
            if discovery.step(&grounded.tables, &grounded.task, stop) {
                self.discovery = Some(discovery);
            } else {
                self.other_work += discovery.work;
                self.greedy = Some(Greedy::new(grounded, discovery.finish(), self.depth));
            }
            return None;
        };
        match greedy.step(grounded, &self.objective, slice) {
            Ok(()) => return None,
            Err(End::Found(node)) => {
                let actions = greedy.states.actions(node);
                self.record_plan(grounded, actions, Found::Greedy(node));
                if self.mode == Mode::Satisficing {
                    return self.plan(false);
                }
            }
            Err(End::Exhausted { cut: false }) => return Some(Ended::NoPlan),
            Err(End::Exhausted { cut: true }) if self.mode == Mode::Satisficing => {
                return Some(Ended::TooDeep);
            }
            Err(End::Exhausted { cut: true }) => {}
        }
        self.phase = if self.regression.is_some() && !self.has_regression_ended {
            Phase::ImproveByRegression
        } else {
            Phase::ImproveByAstar
        };
        None
    }

    fn search_backward(
        &mut self,
        grounded: &Grounded,
        slice: &mut Slice,
        stop: &Stop,
    ) -> Option<Ended> {
        let Some(regression) = &mut self.regression else {
            self.phase = Phase::TryAstar;
            return None;
        };
        let end = regression.step(grounded, &mut self.objective, slice, stop);
        if slice.is_interrupted {
            return None;
        }
        let is_incomplete = regression.is_incomplete;
        if let Some((cost, actions, _)) = regression.best()
            && is_cheaper(*cost, regression.below)
        {
            let actions = actions.clone();
            self.record_plan(grounded, actions, Found::Regression);
        }
        let is_first = self.phase == Phase::TryRegression;
        match end {
            Ok(()) => return None,
            Err(End::Exhausted { cut: false }) if !is_incomplete => {
                return match &self.best {
                    Some(_) => self.plan(true),
                    None => Some(Ended::NoPlan),
                };
            }
            // Forward search handles what regression can't express or finish.
            Err(_) => {}
        }
        self.has_regression_ended = true;
        self.phase = match (&self.best, is_first) {
            (None, _) | (_, true) => Phase::TryAstar,
            (Some(_), false) => Phase::ImproveByAstar,
        };
        None
    }

    /// Returns the actions to the state nearest to the goal, and the estimated cost from there.
    pub fn partial(&self) -> Option<(Vec<u32>, f64, Found)> {
        let greedy = self.greedy.as_ref().and_then(|greedy| {
            let (node, h) = greedy.nearest()?;
            Some((greedy.states.actions(node), h, Found::Greedy(node)))
        });
        greedy.or_else(|| {
            let (node, h) = self.astar.nearest()?;
            Some((self.astar.states.actions(node), h, Found::Astar(node)))
        })
    }

    /// Returns a lower bound of the cost of all plans.
    pub fn bound(&self) -> f64 {
        let best = self.best.as_ref().map_or(f64::INFINITY, |(cost, ..)| *cost);
        best.min(self.astar.bound().max(self.lower_bound))
    }

    /// Returns the number of states evaluated.
    pub fn evaluated(&self) -> u64 {
        self.astar.evaluated
            + self.greedy.as_ref().map_or(0, |greedy| greedy.evaluated)
            + self
                .regression
                .as_ref()
                .map_or(0, |regression| regression.expanded)
    }

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        let greedy = self.greedy.as_ref().map(Greedy::memory_use);
        let discovery = self.discovery.as_ref().map(Discovery::memory_use);
        let regression = self.regression.as_ref().map(Regression::memory_use);
        self.objective.memory_use()
            + self.astar.memory_use()
            + greedy.unwrap_or_default()
            + discovery.unwrap_or_default()
            + regression.unwrap_or_default()
    }
}

/// Returns the cost of a sequence of actions; `None` if it doesn't reach the goal.
fn execute(task: &Task, objective: &Objective, actions: &[u32]) -> Option<f64> {
    let mut state = objective.from.clone();
    objective.advance(task, &mut state);
    let mut after = state.clone();
    let mut cost = 0.0;
    for action in actions {
        let action = &task.actions[*action as usize];
        let values = task.values(&state);
        if !action.is_possible(values) || !task.apply(action, &state, &mut after) {
            return None;
        }
        cost = rounded(cost + action.cost(values));
        objective.advance(task, &mut after);
        std::mem::swap(&mut state, &mut after);
    }
    objective.is_reached(task, &state).then_some(cost)
}

/// Removes actions, together with those that depend on them, while the plan still reaches the goal
/// at no higher cost (action elimination; Nakhost and Müller 2010). Also returns the number of actions
/// tried.
fn without_redundant(task: &Task, objective: &Objective, actions: &[u32]) -> (Vec<u32>, u64) {
    let mut actions = actions.to_vec();
    let mut work = actions.len() as u64;
    if actions.len() > MAX_STEPS {
        return (actions, work);
    }
    let mut cost = execute(task, objective, &actions);
    let mut first = 0;
    while first < actions.len() {
        let mut state = objective.from.clone();
        objective.advance(task, &mut state);
        let mut after = state.clone();
        let mut kept = vec![];
        work += 2 * actions.len() as u64;
        for (number, action) in actions.iter().enumerate() {
            let possible = &task.actions[*action as usize];
            let is_kept = number != first
                && possible.is_possible(task.values(&state))
                && task.apply(possible, &state, &mut after);
            if is_kept {
                objective.advance(task, &mut after);
                std::mem::swap(&mut state, &mut after);
                kept.push(*action);
            } else if number < first {
                break;
            }
        }
        let shorter = execute(task, objective, &kept);
        if shorter.is_some() && (cost.is_none() || shorter <= cost) {
            (actions, cost) = (kept, shorter);
        } else {
            first += 1;
        }
    }
    (actions, work)
}
