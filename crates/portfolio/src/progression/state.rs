//! States as bits: evaluates literals and applies actions.

use crate::grounding::condition::Need;
use crate::grounding::ground::Ground;

/// Returns `true` if a literal holds.
pub fn holds(state: &[u32], literal: u32) -> bool {
    let atom = literal >> 1;
    (state[atom as usize / 32] >> (atom % 32)) & 1 != literal & 1
}

fn all_hold(state: &[u32], need: &Need) -> bool {
    need.holds(&|literal| holds(state, *literal))
}

/// Returns `true` if the precondition of an action (by its number) or a method (numbered after the
/// actions) holds.
pub fn applies(ground: &Ground, state: &[u32], row: u32) -> bool {
    ground.needs(row).iter().all(|l| holds(state, *l))
        && ground.preconditions.others.row(row).iter().all(|rest| {
            ground.preconditions.conditions[*rest as usize].holds_by(&|l| holds(state, *l))
        })
}

/// Returns `true` if a method's precondition holds.
pub fn method_applies(ground: &Ground, state: &[u32], method: u32) -> bool {
    applies(ground, state, ground.actions + method)
}

/// Applies an action to a state.
pub fn apply(ground: &Ground, state: &mut [u32], action: u32) {
    let set = |state: &mut [u32], atom: u32, value: bool| {
        let word = &mut state[atom as usize / 32];
        match value {
            true => *word |= 1 << (atom % 32),
            false => *word &= !(1 << (atom % 32)),
        }
    };
    let conditional = ground.effects.conditional.row(action);
    // Conditions are evaluated before anything changes.
    let met: smallvec::SmallVec<[u32; 8]> = conditional
        .iter()
        .copied()
        .filter(|c| all_hold(state, ground.when(*c)))
        .collect();
    for atom in ground.effects.deletes.row(action) {
        set(state, *atom, false);
    }
    let changes = |add: bool| {
        let met = met
            .iter()
            .map(|c| &ground.effects.conditionals[*c as usize]);
        met.filter(move |c| c.add == add).map(|c| c.atom)
    };
    changes(false).for_each(|atom| set(state, atom, false));
    for atom in ground.effects.adds.row(action) {
        set(state, *atom, true);
    }
    changes(true).for_each(|atom| set(state, atom, true));
}
