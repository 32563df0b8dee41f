//! A character's deliberation at its turn: checks whether its plan is still possible, selects the
//! searches to run, and decides which of the plans found to execute.

use std::collections::VecDeque;
use std::sync::Arc;

use taskloom_document::sort::CompactSort;
use taskloom_document::stop::{Stop, Stopped};
use taskloom_document::{ChoicePolicy, Document, Policy};
use taskloom_domain::lang::decimal::rounded;
use taskloom_domain::validate::validate_rest;
use taskloom_planner::plan::{
    Decomposed, GoalValue, GroundTask, Limit, NodeKind, Outcome, Plan, Step, World,
};

use super::alternative;
use super::open::{Attempt, Differs, Open, Progressed, Replanning};
use super::plan_execution::PlanExecution;

/// A character's search for a plan, as a sequence of searches.
#[derive(Debug)]
pub struct Deliberation {
    /// The searches that have not been run, in order.
    attempts: VecDeque<Attempt>,
    /// The search that is running.
    pub current: Option<Attempt>,
    purpose: Purpose,
}

/// The reason why a character looks for a plan.
#[derive(Debug)]
enum Purpose {
    /// It has no plan.
    First,
    /// It continues from a step.
    Continue,
    /// Its plan is no longer possible, with the reason.
    Repair(String),
    /// Its plan is still possible, at this cost: only a better one replaces it.
    Improve {
        cost: f64,
        /// The value of the plan's goal.
        value: Option<f64>,
        /// The margin by which another goal's value must be higher.
        margin: f64,
    },
}

/// The decision after a search.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Execute the plan.
    Follow,
    /// Run the next search.
    Next,
    /// No plan was found: the character waits.
    Wait,
    /// No replacement was found for a plan that is no longer possible; with the reason for that.
    Stop(String),
    /// The character keeps its plan.
    Keep,
}

impl Deliberation {
    /// Creates the search of a character without a plan.
    pub fn first(attempts: Vec<Attempt>) -> Self {
        Self::new(attempts, Purpose::First)
    }

    /// Creates the search for the next step of a character.
    pub fn next_step(attempts: Vec<Attempt>) -> Self {
        Self::new(attempts, Purpose::Continue)
    }

    /// Creates the search for a replacement of a plan that is no longer possible.
    pub fn repair(attempts: Vec<Attempt>, why: String) -> Self {
        Self::new(attempts, Purpose::Repair(why))
    }

    /// Creates the search for a better plan than one that is still possible, at this cost.
    pub fn improve(attempts: Vec<Attempt>, cost: f64, value: Option<f64>, margin: f64) -> Self {
        Self::new(
            attempts,
            Purpose::Improve {
                cost,
                value,
                margin,
            },
        )
    }

    fn new(attempts: Vec<Attempt>, purpose: Purpose) -> Self {
        Self {
            attempts: attempts.into(),
            current: None,
            purpose,
        }
    }

    /// Returns `true` if only a better plan replaces the current one.
    pub fn is_improvement(&self) -> bool {
        matches!(self.purpose, Purpose::Improve { .. })
    }

    /// Starts the next search.
    pub fn next(&mut self) -> Option<&Attempt> {
        self.current = self.attempts.pop_front();
        self.current.as_ref()
    }

    /// Decides what to do with the outcome of the running search. `rank` returns the position of a plan among
    /// those for the same goal, by the task that serves it, and `is_kept_by` returns `true` if a plan keeps the
    /// tasks that it must keep.
    pub fn decide(
        &mut self,
        outcome: &Result<Outcome, String>,
        document: &Document,
        old: Option<&Progressed>,
        goal_values: &[GoalValue],
        rank: impl Fn(&Plan) -> usize,
        is_kept_by: impl Fn(&Attempt, &Arc<Plan>) -> bool,
    ) -> Verdict {
        let plan = match outcome {
            Ok(Outcome::Plan(plan)) => Some(plan),
            Ok(Outcome::Stopped) => return Verdict::Follow,
            _ => None,
        };
        let is_wanted = |plan: &&Arc<Plan>| match self.purpose {
            Purpose::First | Purpose::Repair(_) => true,
            Purpose::Continue => {
                let begins = |attempt| first_step(plan, attempt);
                let current = self.current.as_ref();
                let before = current.and_then(|current| current.again_after.as_ref());
                before.is_none() || current.and_then(begins) != before
            }
            Purpose::Improve { .. } => {
                old.is_some_and(|old| self.is_better(document, old, plan, goal_values, &rank))
            }
        };
        let wanted = plan.filter(is_wanted);
        if let (Some(plan), Some(current)) = (wanted, &mut self.current) {
            if current.keeps.is_empty() || is_kept_by(current, plan) {
                return Verdict::Follow;
            }
            if let Some(attempt) = current.otherwise.take() {
                self.attempts.push_front(*attempt);
            }
        }
        match self.attempts.is_empty() {
            true => self.without_search(),
            false => Verdict::Next,
        }
    }

    /// Returns the decision if no search is left.
    pub fn without_search(&self) -> Verdict {
        match &self.purpose {
            Purpose::First | Purpose::Continue => Verdict::Wait,
            Purpose::Repair(why) => Verdict::Stop(why.clone()),
            Purpose::Improve { .. } => Verdict::Keep,
        }
    }

    fn is_better(
        &self,
        document: &Document,
        old: &Progressed,
        plan: &Plan,
        goal_values: &[GoalValue],
        rank: &dyn Fn(&Plan) -> usize,
    ) -> bool {
        let (
            Purpose::Improve {
                cost,
                value,
                margin,
            },
            Some(attempt),
        ) = (&self.purpose, &self.current)
        else {
            return false;
        };
        match attempt.differs {
            Differs::At(node) => return leaves_at(document, old, node, attempt, plan),
            Differs::Below => return comes_first(document, old, attempt, plan),
            Differs::Already => return true,
            Differs::Anyhow => {}
        }
        let goal = |plan: &Plan| plan.target.as_ref().and_then(|target| target.goal.clone());
        let left = |plan: &Plan| {
            plan.target
                .as_ref()
                .and_then(|target| target.remaining_estimate)
        };
        if goal(plan) != goal(&old.plan) {
            let goal_value = goal_values
                .iter()
                .find(|goal_value| Some(&goal_value.goal) == goal(plan).as_ref());
            let other = goal_value.and_then(|goal_value| goal_value.value);
            return other
                .zip(*value)
                .is_some_and(|(other, own)| other > rounded(own + margin));
        }
        match (left(&old.plan), left(plan)) {
            (Some(_), None) => true,
            (Some(old), Some(new)) => new < old,
            (None, Some(_)) => false,
            (None, None) if rank(plan) != rank(&old.plan) => rank(plan) < rank(&old.plan),
            (None, None) if plan.target.is_some() && !plan.is_by_search() => {
                match old.plan.roots.as_slice() {
                    [root] if old.first_done(*root).is_some() => {
                        leaves_at(document, old, *root, attempt, plan)
                    }
                    _ => comes_first(document, old, attempt, plan),
                }
            }
            (None, None) => *cost - plan.cost > 1e-9 * cost.abs().max(plan.cost.abs()),
        }
    }
}

/// Returns `true` if a plan decomposes a task under way by an earlier alternative, and does not begin
/// with the step of it that was done first.
fn leaves_at(
    document: &Document,
    old: &Progressed,
    node: usize,
    attempt: &Attempt,
    plan: &Plan,
) -> bool {
    let place = match &attempt.open {
        // If it isn't open, it comes after the cleanups.
        Some(open) if open.roots() == 0 => Some(open.cleanup_leaves()),
        Some(open) => open.place_of(node),
        None => Some(0),
    };
    let new = place.and_then(|place| plan.nodes.get(*plan.roots.get(place)?));
    let begins = first_step(plan, attempt);
    let is_again = old
        .first_done(node)
        .is_some_and(|done| begins == Some(&done));
    let (own, Some(new)) = (&old.plan.nodes[node], new) else {
        return false;
    };
    let places = alternative::place(document, new).zip(alternative::place(document, own));
    new.task == own.task && !is_again && places.is_some_and(|(new, own)| new < own)
}

/// Returns the task of the first step after the cleanups.
fn first_step<'p>(plan: &'p Plan, attempt: &Attempt) -> Option<&'p GroundTask> {
    let cleanups = attempt.open.as_ref().map_or(0, Open::cleanup_leaves);
    let cleanups = &plan.roots[..cleanups.min(plan.roots.len())];
    let root = |node: usize| std::iter::successors(Some(node), |node| plan.nodes[*node].parent);
    let mut steps = plan.steps.iter();
    let is_own = |step: &&Step| {
        root(step.node)
            .last()
            .is_none_or(|root| !cleanups.contains(&root))
    };
    steps.find(is_own).map(|step| &step.task)
}

/// Returns `true` if a plan for the open tasks comes before the rest of the old one in the designer's
/// order, by their first difference. Random decisions are kept.
fn comes_first(document: &Document, old: &Progressed, attempt: &Attempt, plan: &Plan) -> bool {
    let mut roots = old.open_roots();
    if let (Some(first), Some(remains)) = (roots.first_mut(), attempt.remains) {
        *first = remains;
    }
    let roots = roots.into_iter().map(Some);
    let own: Vec<Option<usize>> = match &attempt.open {
        Some(open) => {
            let sources = open.sources().iter().copied();
            sources.chain(roots.skip(open.roots())).collect()
        }
        None => roots.collect(),
    };
    let pairs = own.into_iter().zip(plan.roots.iter().copied());
    let pairs = pairs.filter_map(|(own, new)| Some((own?, new)));
    let mut open: Vec<(usize, usize)> = pairs.collect();
    open.reverse();
    while let Some((own, new)) = open.pop() {
        let (own, new) = (&old.plan.nodes[own], &plan.nodes[new]);
        if own.task != new.task {
            return true;
        }
        let (Some(was), Some(is)) = (own.decomposed(), new.decomposed()) else {
            continue;
        };
        let is_same = was.blocks == is.blocks && was.bindings == is.bindings;
        let is_by = |policies| alternative::is_chosen_by(document, own, policies);
        if !is_same && is_by(&[ChoicePolicy::Random]) {
            return false;
        }
        if !is_same && is_by(&[ChoicePolicy::Highest, ChoicePolicy::Cheapest]) {
            return true;
        }
        let is_found = |one: &Decomposed| one.is_by_goal() && !one.children.is_empty();
        if is_found(was) && is_found(is) {
            // The search for a goal has no order, only costs.
            let [before, now] = [cost(&old.plan, was), cost(plan, is)];
            if before - now > 1e-9 * before.abs().max(now.abs()) {
                return true;
            }
            continue;
        }
        let places = alternative::place(document, new).zip(alternative::place(document, own));
        let Some((place, before)) = places else {
            return false;
        };
        if place != before || was.bindings != is.bindings {
            return place <= before;
        }
        let children = was
            .children
            .iter()
            .copied()
            .zip(is.children.iter().copied());
        let children: Vec<(usize, usize)> = children.collect();
        open.extend(children.into_iter().rev());
    }
    false
}

/// Returns the cost of the steps that a task was decomposed into.
fn cost(plan: &Plan, decomposed: &Decomposed) -> f64 {
    let children = decomposed.children.iter();
    let steps = children.filter_map(|child| match plan.nodes.get(*child)?.kind {
        NodeKind::Step(step) => plan.steps.get(step),
        NodeKind::Decomposed(_) | NodeKind::Pending => None,
    });
    steps.map(|step| step.cost).sum()
}

/// Returns the compound tasks above a step, the root first.
fn path_to(plan: &Plan, step: usize) -> Vec<usize> {
    let step = plan
        .steps
        .get(step)
        .and_then(|step| plan.nodes.get(step.node));
    let above = std::iter::successors(step.and_then(|node| node.parent), |number| {
        plan.nodes.get(*number)?.parent
    });
    let mut path: Vec<usize> = above.collect();
    path.reverse();
    path
}

/// Returns the searches for a better plan than one that is still possible.
pub fn improvements(
    document: &Document,
    execution: &PlanExecution,
    policy: Policy,
    replanning: Replanning,
) -> Vec<Attempt> {
    let (plan, progressed) = (&execution.plan, execution.progressed());
    if plan.target.is_some() {
        return vec![Attempt::alone(replanning.calls.map(<[_]>::to_vec))];
    }
    if policy == Policy::Cheapest && !replanning.is_reactive {
        return progressed.improvements(None, Differs::Anyhow, replanning);
    }
    // From the roots down: the tasks under way for which there is an earlier alternative. Cleanups aren't
    // decomposed again.
    let mut under_way: Vec<(usize, usize)> = vec![];
    let nodes = progressed.nodes_under_way(replanning);
    let steps = execution.steps().into_iter();
    for step in steps.filter(|step| execution.cleanup_of_step(*step).is_none()) {
        let path = path_to(plan, step).into_iter().enumerate();
        let begun = path.take_while(|(_, node)| progressed.first_done(*node).is_some());
        under_way.extend(begun.filter(|(_, node)| {
            let place = alternative::place(document, &plan.nodes[*node]);
            place.is_some_and(|place| place > 0) && nodes.contains(node)
        }));
    }
    under_way.compact_sort();
    under_way.dedup();
    let attempts = under_way
        .into_iter()
        .flat_map(|(_, node)| progressed.improvements(Some(node), Differs::At(node), replanning));
    let below = progressed.improvements(None, Differs::Below, replanning);
    attempts.chain(below).collect()
}

/// Checks whether the rest of a plan is still possible. Returns its cost, or the reason why not.
///
/// # Errors
/// Returns [`Limit::Time`] if it was cancelled.
pub fn recheck(
    believed: &World,
    execution: &PlanExecution,
    tick: u32,
    stop: &Stop,
) -> Result<Result<f64, String>, Limit> {
    let world = believed.with_values(believed.values().clone(), stop.clone());
    let remains = execution.remains(tick);
    let is_under_way = |node| execution.was_begun(node);
    match validate_rest(world, &execution.plan, &remains, &is_under_way) {
        Ok(checked) => Ok(checked.map_err(|invalid| invalid.message)),
        Err(Stopped) => Err(Limit::Time),
    }
}
