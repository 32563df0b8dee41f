//! Goals that make a character look for another plan.

use taskloom::planner::plan::{Outcome, Plan};

use super::goals::wanted;
use super::interpreter::{Barred, Character};
use super::model::Domain;
use super::record::Wanted;
use super::tree;

/// Excludes the goals that were tried before there was a plan.
pub fn bar(domain: &Domain, one: &mut Character, outcome: &Outcome, wants: &[Wanted], tick: u32) {
    let Some(pursuit) = domain.pursues(one.number) else {
        return;
    };
    let goal = match outcome {
        Outcome::Plan(plan) => pursued(plan),
        _ => None,
    };
    for want in wanted(wants.to_vec()) {
        if Some(want.goal) == goal {
            break;
        }
        if one.barred.iter().all(|barred| barred.goal != want.goal) {
            one.barred.push(Barred {
                goal: want.goal,
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
pub fn lift(one: &mut Character, tick: u32, changed: bool) -> Vec<usize> {
    let mut lifted = vec![];
    for barred in &mut one.barred {
        barred.is_stale |= changed;
    }
    one.barred.retain(|barred| {
        let is_time = barred.until <= tick && barred.is_stale;
        lifted.extend(is_time.then_some(barred.goal));
        !is_time
    });
    lifted
}

/// Returns `true` if another goal should be pursued, by the current values.
pub fn turns(domain: &Domain, one: &Character, plan: &Plan, wants: &[Wanted]) -> bool {
    let agent = domain.agent(one.number);
    let Some((margin, goal)) = agent.and_then(|agent| agent.margin).zip(pursued(plan)) else {
        return false;
    };
    let own = wants
        .iter()
        .find(|want| want.goal == goal)
        .expect("its own");
    let is_barred = |want: &Wanted| one.barred.iter().any(|barred| barred.goal == want.goal);
    let is_better = |want: &Wanted| {
        want.is_wanted() && !is_barred(want) && f64::from(want.worth - own.worth) > margin
    };
    !own.is_wanted() || wants.iter().any(is_better)
}

/// Returns `true` if one of the retried goals has a higher value than that of a plan.
pub fn is_better(plan: &Plan, wants: &[Wanted], tried_again: &[usize]) -> bool {
    let own = wants.iter().find(|want| Some(want.goal) == pursued(plan));
    own.is_some_and(|own| {
        wants.iter().any(|want| {
            want.is_wanted() && tried_again.contains(&want.goal) && want.worth > own.worth
        })
    })
}
