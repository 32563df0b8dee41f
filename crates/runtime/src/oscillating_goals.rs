//! Detects whether a run that was cut off would have continued endlessly because goals undo each other.

use super::run::{Cause, Run, RunEnd};
use taskloom_document::Name;

/// The number of plans for two goals alternately that counts as oscillation.
const TURNS: usize = 6;

impl Run {
    /// Returns two goals of a character that undo each other, for a run that was cut off. At the end it
    /// has reached them alternately, and nobody else has changed anything in the meantime.
    pub fn oscillating_goals(&self) -> Option<[&Name; 2]> {
        let members = self.plans.iter().map(|planning| planning.character);
        let last = members.max().filter(|_| self.end == RunEnd::OutOfTicks)?;
        (0..=last).find_map(|character| self.oscillating_goals_of(character))
    }

    fn oscillating_goals_of(&self, character: usize) -> Option<[&Name; 2]> {
        let own = self.plans.iter().rev();
        let own = own.filter(|planning| planning.character == character);
        let turns: Vec<_> = own.take(TURNS).collect();
        let reached = turns.iter().map(|planning| {
            let aim = planning.plan()?.target.as_ref()?;
            let is_whole = planning.cause == Cause::Onward && aim.remaining_estimate.is_none();
            aim.goal.as_ref().filter(|_| is_whole)
        });
        let goals: Vec<&Name> = reached.collect::<Option<_>>()?;
        let by_turns = goals.len() == TURNS
            && goals[0] != goals[1]
            && goals.iter().zip(&goals[2..]).all(|(a, b)| a == b);
        let since = turns.last()?.tick;
        let has_help = self.executed.iter().any(|step| {
            let by_others = self.plans[step.plan].character != character;
            by_others && step.acted >= Some(since)
        });
        let mut events = self.events.iter().filter(|event| event.tick >= since);
        let is_alone = !has_help && events.all(|event| event.changes.is_empty());
        (by_turns && is_alone).then(|| [goals[1], goals[0]])
    }
}
