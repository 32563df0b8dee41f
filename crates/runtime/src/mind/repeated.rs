//! Counts how often a character makes the same plan from the same beliefs, without completing it: nothing that it does
//! leads any further.

use std::hash::Hasher;

use rustc_hash::FxHasher;
use taskloom_planner::plan::Plan;

use super::{Mind, Repeated};
use crate::run::{Cause, MAX_PLANS};

impl Mind {
    /// Counts a plan that it begins to execute, made from beliefs with this hash. It is a new one if the character has
    /// done what it planned before.
    pub fn count_plan(&mut self, plan: &Plan, beliefs: u128, (cause, is_again): (Cause, bool)) {
        let mut hasher = FxHasher::default();
        hasher.write(&beliefs.to_le_bytes());
        for step in &plan.steps {
            hasher.write(step.task.to_string().as_bytes());
            hasher.write_u8(0);
        }
        let plan = hasher.finish();
        let goes_on = match cause {
            Cause::Onward => !is_again,
            cause => matches!(cause, Cause::Start | Cause::Again),
        };
        let before = self.counts.repeated;
        let times = match before.plan == plan && !goes_on {
            true => before.times + 1,
            false => 1,
        };
        self.counts.repeated = Repeated { plan, times };
    }

    /// Returns `true` if its last plan leads no further.
    pub fn is_stuck(&self) -> bool {
        self.counts.repeated.times >= MAX_PLANS
    }

    /// Forgets its last plan, because others have changed its beliefs or it has other tasks.
    pub fn forget_plan(&mut self) {
        self.counts.repeated = Repeated::default();
    }
}
