//! From a way through states and networks to the plan.

use super::super::assemble::assemble;
use super::super::progression::{Phase, Progression};
use super::super::state::State;
use super::{EQUAL, Path};
use crate::plan::{Budget, Plan};

/// The first plan in the designer's order that passes through the states and
/// networks of a path and pays no more. The decisions that it takes to find it
/// count as those of the search that found the path. None where the stop was heard.
///
/// What follows a state and network depends on nothing else, so that the first
/// decision that leads from each to the next is never taken back.
pub fn replay(from: &mut Progression, initial: State, path: &Path, cost: f64) -> Option<Plan> {
    let budget = Budget {
        nodes: u64::MAX,
        depth: u32::MAX,
        memory: u64::MAX,
    };
    let mut progression = from.again(budget, initial);
    let mut phase = Phase::Enter;
    loop {
        if progression.is_stopped() {
            return None;
        }
        phase = match phase {
            Phase::Enter => match path.get(progression.stack.len()) {
                Some((key, paid)) => {
                    let fits = !progression.network.is_done()
                        && is_at_most(progression.paid, *paid)
                        && progression.key() == *key;
                    if fits {
                        progression.push(*key)
                    } else {
                        Phase::Back
                    }
                }
                None => {
                    if progression.network.is_done()
                        && is_at_most(progression.paid, cost)
                        && progression.goal_holds()
                    {
                        from.statistics.nodes += progression.statistics.nodes;
                        return assemble(&mut progression);
                    }
                    Phase::Back
                }
            },
            Phase::Leave => {
                progression.stack.pop();
                Phase::Back
            }
            Phase::Done => return None,
            phase => progression.advance(phase),
        };
    }
}

fn is_at_most(paid: f64, most: f64) -> bool {
    paid <= most + most.abs() * EQUAL
}
