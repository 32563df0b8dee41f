//! Goals that make a character look for another plan.

use taskloom_planner::plan::{Outcome, Plan};

use super::domain::Domain;
use super::evaluate::rounded;
use super::goals::wanted;
use super::interpreter::{Activity, Character, ExcludedGoal};
use super::record::GoalRecord;
use super::tree;

/// Excludes the goals that were tried before there was a plan. The search was for `only` one, if
/// given.
pub fn exclude(
    domain: &Domain,
    one: &mut Character,
    (outcome, only): (&Outcome, Option<usize>),
    goal_values: &[GoalRecord],
    tick: u32,
) {
    let Some(pursuit) = domain.pursues(one.number) else {
        return;
    };
    let goal = match outcome {
        Outcome::Plan(plan) => tree::goal(domain, plan),
        _ => None,
    };
    let mut tried = wanted(goal_values.to_vec());
    tried.retain(|goal_value| only.is_none_or(|only| goal_value.goal == only));
    for goal_value in tried {
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

/// Returns the goals that are excluded from a search, which is for `only` one if given.
pub fn excluded(goal_values: &[GoalRecord], one: &Character, only: Option<usize>) -> Vec<usize> {
    let excluded = one.excluded_goals.iter().map(|excluded| excluded.goal);
    let others = goal_values.iter().map(|goal_value| goal_value.goal);
    let others = others.filter(|goal| only.is_some_and(|only| only != *goal));
    excluded.chain(others).collect()
}

/// Takes the excluded goals that are due for a retry, if any belief has changed since.
pub fn take_retries(one: &mut Character, tick: u32, changed: bool) -> Vec<usize> {
    let mut lifted = vec![];
    for excluded in &mut one.excluded_goals {
        excluded.is_stale |= changed;
    }
    if is_committed(one) {
        return lifted;
    }
    one.excluded_goals.retain(|excluded| {
        let is_time = excluded.until <= tick && excluded.is_stale;
        lifted.extend(is_time.then_some(excluded.goal));
        !is_time
    });
    lifted
}

/// Returns `true` if a character may not switch from its goal to another one yet.
pub fn is_committed(one: &Character) -> bool {
    matches!(one.activity, Activity::Follows(_)) && one.committed.is_some()
}

/// Ends a commitment that is over. Returns `true` if it was not over before.
pub fn end_commitment(one: &mut Character, tick: u32) -> bool {
    let is_over = one.committed.is_some_and(|until| until <= tick);
    if is_over {
        one.committed = None;
    }
    is_over
}

/// Commits a character to the goal of its new plan, if it did not pursue it before. Plans for the
/// scenario's goal, or for none, are not kept to.
pub fn commit(domain: &Domain, one: &mut Character, old: Option<&Plan>, new: &Plan, tick: u32) {
    let goal = tree::goal(domain, new);
    if old.is_some_and(|old| tree::goal(domain, old) == goal) {
        return;
    }
    let ticks = domain.pursues(one.number).map_or(0, |one| one.commitment);
    one.committed = goal.filter(|_| ticks > 0).map(|_| tick + ticks);
}

/// Returns `true` if another goal should be pursued, by the current values.
pub fn should_switch(
    domain: &Domain,
    one: &Character,
    plan: &Plan,
    goal_values: &[GoalRecord],
) -> bool {
    let agent = domain.agent(one.number);
    let Some((margin, goal)) = agent
        .and_then(|agent| agent.margin)
        .zip(tree::goal(domain, plan))
    else {
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
            && goal_value.worth() > rounded(own.worth() + margin)
    };
    !own.is_active() || !is_committed(one) && goal_values.iter().any(is_better)
}

/// Returns `true` if one of the retried goals has a higher value than that of a plan.
pub fn is_better(
    domain: &Domain,
    plan: &Plan,
    goal_values: &[GoalRecord],
    tried_again: &[usize],
) -> bool {
    let own = goal_values
        .iter()
        .find(|goal_value| Some(goal_value.goal) == tree::goal(domain, plan));
    own.is_some_and(|own| {
        goal_values.iter().any(|goal_value| {
            goal_value.is_active()
                && tried_again.contains(&goal_value.goal)
                && goal_value.worth() > own.worth()
        })
    })
}
