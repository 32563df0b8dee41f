//! The planner's answer: the scenario's plan, and those that its run made.

use serde::{Deserialize, Serialize};
use taskloom_document::Name;
use taskloom_planner::plan::{Atom, Engine, Outcome, Plan, Statistics, Strategy, Trace, Value};
use taskloom_runtime::{Run, Verdict};

use crate::experiment::Experiment;

/// The maximum number of ground facts that an answer lists: displaying more would take long and be
/// of no use.
pub const MAX_FACTS: usize = 4_000;

/// The worker's answer for one revision of the document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The requested revision.
    pub revision: u64,
    /// The planned scenario.
    pub scenario: Name,
    /// The character that the plan is for, by its index in the cast. The run includes all
    /// characters.
    pub character: usize,
    /// The requested strategy.
    pub strategy: Strategy,
    /// The experiments: the run is that of a scenario in which the overrides are the last events.
    pub experiment: Experiment,
    /// `true` if planning has ended. Otherwise there is a plan, and a better one or its run may
    /// follow.
    pub ended: bool,
    /// The plan, or the reason why there is none.
    pub outcome: Outcome,
    /// The reason why validation rejects the plan: a bug in the planner, reported as such.
    pub invalid: Option<String>,
    /// The ground facts before the first step, at most [`MAX_FACTS`].
    pub initial: Vec<(Atom, Value)>,
    /// The number of ground facts that aren't listed.
    pub unlisted: usize,
    /// The search for the plan.
    pub search: SearchReport,
    /// The simulator's run of the scenario; `None` if there is nothing to run.
    pub run: Option<Run>,
    /// The run in which all characters use the other planning mode (see
    /// [`taskloom_runtime::with_other_mode`]), if a comparison was requested and there is another
    /// mode.
    pub compared: Option<Run>,
    /// The verdicts on the scenario's expectations, in their order.
    pub verdicts: Vec<Verdict>,
}

/// The result of a search: its bounds, statistics and trace.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SearchReport {
    /// `true` if the plan is proven optimal. Only set if the cheapest plan was requested.
    pub proved: bool,
    /// A lower bound on the cost of every plan, if known.
    pub bound: Option<f64>,
    /// The statistics of the search.
    pub statistics: Statistics,
    /// The trace of the search.
    pub trace: Trace,
    /// The time from the request to the answer, in microseconds.
    pub micros: u64,
}

impl SearchReport {
    /// Describes a search.
    pub(crate) fn of(engine: &dyn Engine, proved: bool, micros: u64) -> Self {
        Self {
            proved,
            bound: engine.bound().filter(|bound| bound.is_finite()),
            statistics: engine.statistics(),
            trace: engine.trace().cloned().unwrap_or_default(),
            micros,
        }
    }
}

impl Answer {
    /// Creates the answer to a request that resulted only in a reason why there is no plan.
    pub fn without_plan(
        revision: u64,
        (scenario, character): (Name, usize),
        strategy: Strategy,
        outcome: Outcome,
    ) -> Self {
        Self {
            revision,
            scenario,
            character,
            strategy,
            experiment: Experiment::default(),
            ended: true,
            outcome,
            invalid: None,
            initial: vec![],
            unlisted: 0,
            search: SearchReport::default(),
            run: None,
            compared: None,
            verdicts: vec![],
        }
    }

    /// Returns one of the run's plans, by index, or the scenario's plan.
    pub fn plan_at(&self, plan: Option<usize>) -> Option<&Plan> {
        match (plan, &self.outcome) {
            (Some(plan), _) => self.run.as_ref()?.plans.get(plan)?.plan(),
            (None, Outcome::Plan(plan)) => Some(plan),
            (None, _) => None,
        }
    }

    /// Returns one of the run's plans, by index, or otherwise the scenario's plan.
    pub fn plan_at_or_own(&self, plan: Option<usize>) -> Option<&Plan> {
        self.plan_at(plan).or_else(|| self.plan_at(None))
    }

    /// Returns the plan of the first character: the answer's own, or the run's first one.
    pub fn plan_of_first(&self) -> Option<&Plan> {
        if self.character == 0 {
            return self.plan_at(None);
        }
        let mut plans = self.run.as_ref()?.plans.iter();
        plans.find(|planning| planning.character == 0)?.plan()
    }

    /// Returns `true` if one of the run's plans differs from the scenario's plan.
    pub fn is_another_plan(&self, plan: usize) -> bool {
        let plans = self.run.as_ref().map_or(&[][..], |run| &run.plans);
        let first = plans.iter().position(|p| p.character == self.character);
        Some(plan) != first || self.plan_at(Some(plan)) != self.plan_at(None)
    }

    /// Returns the tick at which the longer of its runs ended.
    pub fn last_tick(&self) -> u32 {
        let runs = self.run.iter().chain(&self.compared);
        runs.map(|run| run.ticks).max().unwrap_or(0)
    }
}
