//! Plans that are searched for elsewhere, for example on another thread.

use std::sync::Arc;

use taskloom_document::Name;
use taskloom_document::stop::Stop;
use taskloom_planner::compile::Problem;
use taskloom_planner::plan::Outcome;

use super::{Actor, HandedOver, Search};
use crate::body::Body;

/// A plan that an actor needs. Anybody may search for it, at any time, and [hand over](Actor::hand_over) what
/// was found. Two requests are equal if they are for the same search of the same actor. Cloning one only counts
/// references.
#[derive(Debug, Clone)]
pub struct PlanRequest {
    problem: Problem,
    /// Shared by what is equal.
    id: Arc<()>,
}

impl PlanRequest {
    pub(super) fn new(problem: &Problem) -> Self {
        Self {
            problem: problem.clone().apart(),
            id: Arc::default(),
        }
    }

    /// Returns the problem to find a plan for.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }
}

impl PartialEq for PlanRequest {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.id, &other.id)
    }
}

impl Eq for PlanRequest {}

impl Actor {
    /// Returns the plan that it needs, if it searches for one: it may be searched for elsewhere, for example on
    /// another thread, and [handed over](Self::hand_over). If Bind blocks have queries, that search ends at the
    /// first one without an answer; hand its outcome over all the same: the next tick asks the body, and the
    /// next request has the answer.
    pub fn wanted_plan(&self) -> Option<PlanRequest> {
        self.search.as_ref().map(|search| search.request.clone())
    }

    /// Receives the outcome of planning for a [request](Self::wanted_plan); its next tick validates the plan.
    /// Returns `false` if that isn't what it needs any more: the outcome is ignored.
    pub fn hand_over(&mut self, request: &PlanRequest, outcome: Outcome) -> bool {
        let is_wanted = |search: &Search| search.request == *request;
        self.search.as_ref().is_some_and(is_wanted)
            && self.hand_over_until(outcome, Stop::default(), false)
    }

    /// Receives the outcome for its current request. `stop` cancels its validation, which is skipped if it
    /// `is_valid`.
    pub(crate) fn hand_over_until(&mut self, outcome: Outcome, stop: Stop, is_valid: bool) -> bool {
        let Some(search) = &mut self.search else {
            return false;
        };
        search.handed_over = Some(HandedOver {
            outcome,
            stop,
            is_valid,
        });
        true
    }
}

impl Search {
    /// Has a body answer the queries that its own search has met, and begins it again with the answers.
    /// Returns `false` if there are none.
    pub(super) fn answer(&mut self, body: &mut dyn Body) -> bool {
        self.answer_open_of(self.problem.clone(), body)
    }

    /// Does the same for the queries of the search elsewhere whose outcome was handed over.
    pub(super) fn answer_elsewhere(&mut self, body: &mut dyn Body) -> bool {
        self.answer_open_of(self.request.problem.clone(), body)
    }

    fn answer_open_of(&mut self, problem: Problem, body: &mut dyn Body) -> bool {
        if !problem.has_open_queries() {
            return false;
        }
        let queries = problem.open_queries();
        let answers: Vec<Option<Vec<Name>>> =
            queries.iter().map(|query| body.query(query)).collect();
        self.problem = problem.answered(&answers);
        self.request = PlanRequest::new(&self.problem);
        // The searches before it count, too.
        self.before += self.counted;
        self.engine = None;
        self.counted = 0;
        true
    }
}
