//! Reconstructs the plan from a path of states and networks.

use super::super::assemble::assemble;
use super::super::assembly::Unassembled;
use super::super::decomposer::{Decomposer, Key, Phase};
use super::super::memory::{MemoryQuota, MemoryUse};
use super::super::state::State;
use super::incumbent::{EQUAL, MEMORY_INTERVAL, Path};
use crate::plan::{Budget, Plan};

/// Returns the first plan in the designer's order that passes through the states and networks of a
/// path at no higher cost. The decisions made to find it count toward the search that found the
/// path.
///
/// The successors of a state and network depend on nothing else, so the first decision that leads
/// from each to the next is never taken back.
///
/// # Errors
/// Returns an error if the stop token was triggered, if there is no such plan, or if it needs more
/// memory than allowed.
pub fn replay(
    from: &mut Decomposer,
    initial: State,
    path: &Path,
    cost: f64,
    memory: &mut MemoryQuota,
) -> Result<Plan, Unassembled> {
    let budget = Budget {
        nodes: u64::MAX,
        depth: u32::MAX,
        memory: u64::MAX,
    };
    let mut decomposer = from.again(budget, initial);
    let of_path = path.capacity() * size_of::<(Key, f64)>();
    memory.reserve(of_path)?;
    let mut taken = MemoryUse::default();
    let mut phase = Phase::Enter;
    for decision in 0u64.. {
        if decomposer.is_stopped() {
            return Err(Unassembled::Stopped);
        }
        if decision.is_multiple_of(MEMORY_INTERVAL) {
            let before = std::mem::replace(&mut taken, decomposer.memory_use());
            memory.sample(before, taken)?;
        }
        phase = match phase {
            Phase::Enter => match path.get(decomposer.stack.len()) {
                Some((key, paid)) => {
                    let fits = !decomposer.network.is_done()
                        && is_at_most(decomposer.paid, *paid)
                        && decomposer.exact_key() == *key;
                    if fits {
                        decomposer.push(*key)
                    } else {
                        Phase::Back
                    }
                }
                None => {
                    if decomposer.network.is_done()
                        && is_at_most(decomposer.paid, cost)
                        && decomposer.goal_holds()
                    {
                        from.statistics.nodes += decomposer.statistics.nodes;
                        let plan = assemble(&mut decomposer, memory)?;
                        memory.release(of_path + taken.bytes as usize);
                        return Ok(plan);
                    }
                    Phase::Back
                }
            },
            Phase::Leave => {
                decomposer.stack.pop();
                Phase::Back
            }
            Phase::Done => break,
            phase => decomposer.advance(phase),
        };
    }
    Err(Unassembled::Wrong)
}

fn is_at_most(paid: f64, most: f64) -> bool {
    paid <= most + most.abs() * EQUAL
}
