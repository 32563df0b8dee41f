//! Goals that make a character look for another plan.

use taskloom_planner::plan::{Outcome, Plan};

use super::goals::wanted;
use super::interpreter::{Character, ExcludedGoal};
use super::model::Domain;
use super::record::GoalRecord;
use super::tree;

/// Excludes the goals that were tried before there was a plan.
pub fn exclude(
    domain: &Domain,
    one: &mut Character,
    outcome: &Outcome,
    goal_values: &[GoalRecord],
    tick: u32,
) {
    let Some(pursuit) = domain.pursues(one.number) else {
        return;
    };
    let goal = match outcome {
        Outcome::Plan(plan) => pursued(plan),
        _ => None,
    };
    for goal_value in wanted(goal_values.to_vec()) {
        if Some(goal_value.goal) == goal {
            break;
        }
        if one
            .excluded_goals
            .iter()
            .all(|excluded| excluded.goal != goal_value.goal)
        {
            one.excluded_goals.push(ExcludedGoal {
                goal: goal_value.goal,
                until: tick + pursuit.retry,
                is_stale: false,
            });
        }
    }
}

/// Returns the goal of a plan.
fn pursued(plan: &Plan) -> Option<usize> {
    let goal = plan.target.as_ref().and_then(|target| target.goal.as_ref());
    goal.map(tree::number)
}

/// Takes the excluded goals that are due for a retry, if any belief has changed since.
pub fn take_retries(one: &mut Character, tick: u32, changed: bool) -> Vec<usize> {
    let mut lifted = vec![];
    for excluded in &mut one.excluded_goals {
        excluded.is_stale |= changed;
    }
    one.excluded_goals.retain(|excluded| {
        let is_time = excluded.until <= tick && excluded.is_stale;
        lifted.extend(is_time.then_some(excluded.goal));
        !is_time
    });
    lifted
}

/// Returns `true` if another goal should be pursued, by the current values.
pub fn should_switch(
    domain: &Domain,
    one: &Character,
    plan: &Plan,
    goal_values: &[GoalRecord],
) -> bool {
    let agent = domain.agent(one.number);
    let Some((margin, goal)) = agent.and_then(|agent| agent.margin).zip(pursued(plan)) else {
        return false;
    };
    let own = goal_values
        .iter()
        .find(|goal_value| goal_value.goal == goal)
        .expect("its own");
    let is_excluded = |goal_value: &GoalRecord| {
        one.excluded_goals
            .iter()
            .any(|excluded| excluded.goal == goal_value.goal)
    };
    let is_better = |goal_value: &GoalRecord| {
        goal_value.is_active()
            && !is_excluded(goal_value)
            && f64::from(goal_value.value - own.value) > margin
    };
    !own.is_active() || goal_values.iter().any(is_better)
}

/// Returns `true` if one of the retried goals has a higher value than that of a plan.
pub fn is_better(plan: &Plan, goal_values: &[GoalRecord], tried_again: &[usize]) -> bool {
    let own = goal_values
        .iter()
        .find(|goal_value| Some(goal_value.goal) == pursued(plan));
    own.is_some_and(|own| {
        goal_values.iter().any(|goal_value| {
            goal_value.is_active()
                && tried_again.contains(&goal_value.goal)
                && goal_value.value > own.value
        })
    })
}
