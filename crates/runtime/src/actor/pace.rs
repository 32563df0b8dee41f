//! The pace of an actor's planning: the ticks at which it begins, and the budget of a call.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The units of work that count as one decision when a plan is checked.
const CHECKS_PER_DECISION: u64 = 8;

/// The values copied that count as one decision.
const VALUES_PER_DECISION: u64 = 512;

/// The number of times that renumbering the objects of a value takes longer than copying it.
const RENUMBERING: u64 = 4;

/// The work that one call of [`Actor::tick`](super::Actor::tick) may do to plan, in decisions as they are
/// counted by [`Engine::spent`](taskloom_planner::plan::Engine::spent).
///
/// All planning counts: grounding, relevance analysis, the search, checking the rest of the current plan, and
/// validating a new one. Work that a call does beyond its budget is at most one indivisible step, and is
/// deducted from the budgets of the next calls: over any number of ticks an actor does at most the sum of its
/// budgets, and one step. A step is the evaluation of a state, an application of a method, a pass over the
/// ground actions that are relevant for its goals, or the check of a plan.
///
/// Senses, triggers and the execution of the plan don't count: they take time in proportion to what the
/// actor senses, to its goals, and to its steps in progress.
#[derive(Clone, Copy)]
pub struct TickBudget<'c> {
    pub(super) decisions: u64,
    /// The number of steps that may end in the call.
    pub(super) steps: usize,
    /// `true` if the turn pauses until the plan that it needs is handed over.
    pub(super) pauses: bool,
    /// `true` if it may ask for a plan that is searched for elsewhere.
    pub(super) may_ask: bool,
    /// The deadline.
    is_over: Option<&'c (dyn Fn() -> bool + Sync)>,
    /// The decisions taken so far.
    pub(super) spent: u64,
}

impl fmt::Debug for TickBudget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TickBudget")
            .field("decisions", &self.decisions)
            .field("has_deadline", &self.is_over.is_some())
            .finish_non_exhaustive()
    }
}

impl TickBudget<'static> {
    /// Creates a budget of this many decisions. A search that needs more continues at the next tick;
    /// meanwhile, the actor's steps in progress continue, and no others start. With 0, the actor asks for
    /// plans, but never searches: see [`Actor::wanted_plan`](super::Actor::wanted_plan).
    pub fn decisions(decisions: u64) -> Self {
        Self {
            decisions,
            steps: usize::MAX,
            pauses: false,
            may_ask: decisions == 0,
            is_over: None,
            spent: 0,
        }
    }

    /// Creates a budget without planning: the actor doesn't even ask for a plan. It executes the plan that
    /// it has. A call with this budget is cheap, for example when other actors have used up a budget that
    /// they share.
    pub fn without_planning() -> Self {
        Self {
            may_ask: false,
            ..Self::decisions(0)
        }
    }

    /// Creates a budget in which each search ends in the tick in which it begins.
    pub fn unlimited() -> Self {
        Self::decisions(u64::MAX)
    }

    /// Creates the budget of one step of a plan that is found elsewhere.
    pub(crate) fn one_step() -> Self {
        Self {
            steps: 1,
            pauses: true,
            ..Self::decisions(0)
        }
    }
}

impl<'c> TickBudget<'c> {
    /// The decisions between two looks at the clock.
    const STRIDE: u64 = 16;

    /// Creates a budget that lasts until `is_over` returns `true`, for example because a clock has passed a
    /// deadline. It is called before planning begins, and after every few decisions. What an actor does then
    /// depends on the clock; to replay a game, record the [`decisions`](super::Tick::decisions) of each tick.
    pub fn until(is_over: &'c (dyn Fn() -> bool + Sync)) -> Self {
        TickBudget::unlimited().or_until(is_over)
    }

    /// Returns the budget with a deadline in addition.
    #[must_use]
    pub fn or_until<'d>(self, is_over: &'d (dyn Fn() -> bool + Sync)) -> TickBudget<'d>
    where
        'c: 'd,
    {
        TickBudget {
            is_over: Some(is_over),
            ..self
        }
    }

    /// Returns the decisions that may be taken until the deadline is checked again; 0 if there are none.
    pub(super) fn stride(&self) -> u64 {
        match self.is_over {
            Some(is_over) if self.decisions > 0 && is_over() => 0,
            Some(_) => self.decisions.min(Self::STRIDE),
            None => self.decisions,
        }
    }

    /// Counts decisions.
    pub(super) fn spend(&mut self, decisions: u64) {
        self.spent = self.spent.saturating_add(decisions);
        self.decisions = self.decisions.saturating_sub(decisions);
    }
}

/// Returns the decisions that this work to check a plan counts as.
pub(super) fn decisions_of_check(work: u64) -> u64 {
    1 + work / CHECKS_PER_DECISION
}

/// Returns the decisions that copying this many values counts as, or renumbering their objects.
pub(super) fn decisions_of_copy(values: usize, is_renumbered: bool) -> u64 {
    let times = if is_renumbered { RENUMBERING } else { 1 };
    times * values as u64 / VALUES_PER_DECISION
}

/// The ticks at which an actor may begin to plan, and the work that it has done beyond its budgets.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Pace {
    /// It begins to plan every this many ticks.
    every: u32,
    /// The remainder of those ticks.
    phase: u32,
    /// The decisions beyond the budgets of its calls so far. Part of a search, so it isn't saved.
    #[serde(skip)]
    debt: u64,
}

impl Default for Pace {
    fn default() -> Self {
        Self::new(1, 0)
    }
}

impl Pace {
    /// Creates a pace without debt.
    pub fn new(every: u32, phase: u32) -> Self {
        let every = every.max(1);
        Self {
            every,
            phase: phase % every,
            debt: 0,
        }
    }

    /// Returns `true` if it may begin to plan at a tick.
    pub fn is_due(&self, tick: u32) -> bool {
        tick % self.every == self.phase
    }

    /// Deducts the debt from a budget.
    pub fn deduct(&mut self, budget: &mut TickBudget) {
        let deducted = self.debt.min(budget.decisions);
        self.debt -= deducted;
        budget.decisions -= deducted;
    }

    /// Records the decisions of a call that had this budget, after the deduction.
    pub fn record(&mut self, budget: u64, spent: u64) {
        // Plans that are searched for elsewhere have no budget.
        if budget > 0 {
            self.debt = self.debt.saturating_add(spent.saturating_sub(budget));
        }
    }
}
