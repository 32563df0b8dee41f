//! The cheapest plan found so far, which both searches have to improve on.

use std::sync::Arc;

use super::bounds::sum;
use crate::plan::Plan;
use crate::plan::decomposer::Key;

/// Decisions between memory checks.
pub const MEMORY_INTERVAL: u64 = 64;
/// Costs whose relative difference is at most this are equal.
pub const EQUAL: f64 = 1e-9;

/// A path to a plan: its states and networks, with the cost paid to reach each.
pub type Path = Vec<(Key, f64)>;

/// The result of a turn of one of the searches.
pub enum Turn {
    /// Its decisions are used up.
    Over,
    /// It found a cheaper plan, or one that comes earlier in the designer's order.
    Found(Plan),
    /// It found a plan that needs more memory than is left.
    QuotaExceeded,
    /// It has nothing left to search.
    Ended,
}

/// The cheapest plan known, shared by both searches.
#[derive(Debug)]
pub struct Incumbent {
    pub plan: Option<Arc<Plan>>,
    /// Its memory use in bytes.
    pub memory: usize,
    /// Infinite without a plan.
    pub cost: f64,
    /// `true` if it comes before all others of its cost.
    pub first: bool,
    /// `true` if steps may have a negative cost.
    pub negative: bool,
}

impl Incumbent {
    /// Returns the cost from which a plan is not better.
    pub fn limit(&self) -> f64 {
        match self.cost.is_finite() {
            true => self.cost - self.cost.abs() * EQUAL,
            false => f64::INFINITY,
        }
    }

    /// Returns the cost from which a plan is not better, for a search in the designer's order.
    pub fn limit_in_order(&self) -> f64 {
        match self.cost.is_finite() && !self.first {
            true => self.cost + self.cost.abs() * EQUAL + f64::MIN_POSITIVE,
            false => self.limit(),
        }
    }

    /// Returns `true` if no plan is better, given that the parts not searched cost at least `cut`.
    pub fn is_all_but(&self, cut: f64) -> bool {
        cut == f64::INFINITY || !self.negative && cut >= self.limit()
    }

    /// Returns `true` if the cost paid and the remaining cost are too high together.
    pub fn rules_out(&self, paid: f64, ahead: f64, limit: f64) -> bool {
        ahead == f64::INFINITY || !self.negative && sum(paid, ahead) >= limit
    }
}
