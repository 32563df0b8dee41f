//! Detects why a run that was cut off made no progress: a character alternates between two goals or
//! keeps replanning, or two characters undo each other's changes.

use super::history::Entry;
use super::run::{Cause, Run, RunEnd};
use taskloom_document::Name;
use taskloom_document::sort::CompactSort;
use taskloom_planner::plan::{Atom, Value};

/// The number of consecutive switches between two goals that counts as thrashing.
const ALTERNATIONS: usize = 8;

/// The number of consecutively abandoned plans that counts as thrashing.
const SWITCHES: usize = 10;

/// The number of changes back and forth that counts as thrashing.
const TURNS: usize = 8;

/// The reason why a run made no progress.
#[derive(Debug, Clone, PartialEq)]
pub enum Thrashing {
    /// At the end, a character, given by its index in the cast, has switched back and forth between two
    /// goals without reaching one of them.
    Alternates(usize, [Name; 2]),
    /// At the end, a character has started one new plan after another without completing a step.
    Switches(usize),
    /// At the end, two characters have changed a ground fact back and forth.
    Undoes([usize; 2], Atom),
}

impl Run {
    /// Returns why a run that was cut off made no progress, if that is known.
    pub fn thrashing(&self) -> Option<Thrashing> {
        if !matches!(self.end, RunEnd::OutOfTicks | RunEnd::Endless) {
            return None;
        }
        let members = self.plans.iter().map(|planning| planning.character);
        let members = members.max().map_or(0, |last| last + 1);
        let mut alternating = (0..members).filter_map(|character| self.alternates(character));
        let mut switching = (0..members).filter(|character| self.switches(*character));
        let switches = || switching.next().map(Thrashing::Switches);
        let alternates = alternating.next().or_else(switches);
        alternates.or_else(|| self.undone())
    }

    /// Returns the goals between which a character has switched at the end, if it does nothing else.
    fn alternates(&self, character: usize) -> Option<Thrashing> {
        let own = self.plans.iter().rev();
        let own = own.filter(|planning| planning.character == character);
        let goals = own.take(ALTERNATIONS).map(|planning| {
            let target = planning.plan()?.target.as_ref()?;
            target.goal.as_ref().filter(|_| is_switch(planning.cause))
        });
        let goals: Vec<&Name> = goals.collect::<Option<_>>()?;
        let by_turns = goals.len() == ALTERNATIONS
            && goals[0] != goals[1]
            && goals.iter().zip(&goals[2..]).all(|(a, b)| a == b);
        let mut both = [goals.first()?, goals.get(1)?].map(|goal| (*goal).clone());
        both.compact_sort();
        by_turns.then_some(Thrashing::Alternates(character, both))
    }

    fn switches(&self, character: usize) -> bool {
        let own = self.plans.iter().rev();
        let own = own.filter(|planning| planning.character == character);
        let last: Vec<_> = own.take(SWITCHES).collect();
        let are_switches = last.len() == SWITCHES
            && last
                .iter()
                .all(|planning| planning.plan().is_some() && is_switch(planning.cause));
        let since = last.last().map_or(0, |planning| planning.tick);
        let mut own = self.executed.iter().enumerate();
        are_switches
            && !own.any(|(at, step)| {
                let is_own = self.character_of(Entry::Step(at)) == Some(character);
                is_own && step.acted.is_some_and(|acted| acted > since)
            })
    }

    fn undone(&self) -> Option<Thrashing> {
        // The last changes by steps, the newest first.
        let mut changed: Vec<(&Atom, Vec<(usize, &Value)>)> = vec![];
        for (at, step) in self.executed.iter().enumerate().rev().take(TURNS * TURNS) {
            let character = self.character_of(Entry::Step(at)).unwrap_or(0);
            for change in &step.changes {
                let found = changed.iter().position(|(atom, _)| **atom == change.atom);
                let found = found.unwrap_or_else(|| {
                    changed.push((&change.atom, vec![]));
                    changed.len() - 1
                });
                changed[found].1.push((character, &change.after));
            }
        }
        changed.into_iter().find_map(|(atom, turns)| {
            let turns = turns.get(..TURNS)?;
            let by_turns = turns[0].0 != turns[1].0
                && turns[0].1 != turns[1].1
                && turns.iter().zip(&turns[2..]).all(|(a, b)| a == b);
            by_turns.then(|| {
                let (one, other) = (turns[0].0, turns[1].0);
                Thrashing::Undoes([one.min(other), one.max(other)], atom.clone())
            })
        })
    }
}

/// Returns `true` if a plan that was made for this reason replaced another one.
fn is_switch(cause: Cause) -> bool {
    matches!(
        cause,
        Cause::Perception
            | Cause::Every
            | Cause::Goal
            | Cause::Retry
            | Cause::Alternative
            | Cause::Background
    )
}
