//! Where a character acts: the world, which decides what its actions do, and what it believes of
//! it, by which it decides.

use taskloom_domain::ground::{Atom, Value};
use taskloom_domain::lang::World as _;
use taskloom_planner::plan::{Change, GroundTask, World};

use super::senses::Senses;

/// The world and a character's belief.
pub struct Scene<'s, 'a> {
    /// The world as it is, with the character's own memory.
    pub world: &'s mut World<'a>,
    /// What it believes; none: it sees everything, and believes what is so.
    pub belief: Option<&'s mut World<'a>>,
    /// What it can observe; none: everything.
    pub senses: Option<&'s Senses<'a>>,
    /// Whether an action that is over fails by itself.
    pub fails: &'s mut dyn FnMut(&GroundTask) -> bool,
    /// Whether a compound task has integrity rules.
    pub has_rules: &'s dyn Fn(&GroundTask) -> bool,
    /// Whether it has come to believe anything otherwise.
    pub is_news: bool,
}

impl<'a> Scene<'_, 'a> {
    /// What it believes.
    pub fn believed(&self) -> &World<'a> {
        self.belief.as_deref().unwrap_or(self.world)
    }

    /// Makes changes, of which it knows.
    pub fn apply(&mut self, changes: &[Change]) {
        self.world.apply(changes);
        if let Some(belief) = &mut self.belief {
            let differs = |change: &Change| belief.value(&change.atom) != change.after;
            self.is_news |= changes.iter().any(differs);
            belief.apply(changes);
        } else {
            self.is_news |= !changes.is_empty();
        }
    }

    /// Corrects what is believed of these ground facts, as the world has denied what depends on them.
    ///
    /// What can be observed here is believed as it is, and so is a predicate: it is false that it
    /// holds. Any other value is unknown from now on: failing does not reveal the right one.
    pub fn correct(&mut self, atoms: impl IntoIterator<Item = Atom>) -> Vec<Change> {
        let (world, senses) = (&*self.world, self.senses);
        let Some(belief) = &mut self.belief else {
            return vec![];
        };
        let corrected = atoms.into_iter().filter_map(|atom| {
            let actual = world.value(&atom);
            let is_wrong = belief.value(&atom) != actual;
            let is_revealed = matches!(actual, Value::Bool(_))
                || senses.is_none_or(|senses| senses.perceive(world, &atom));
            let value = if is_revealed {
                actual
            } else {
                belief.unset(&atom)
            };
            is_wrong.then_some((atom, value))
        });
        let corrected: Vec<(Atom, Value)> = corrected.collect();
        let learned = believe(belief, corrected.into_iter());
        self.is_news |= !learned.is_empty();
        learned
    }

    /// Believes of these ground facts what is so; what changed by that.
    pub fn learn(&mut self, atoms: impl IntoIterator<Item = Atom>) -> Vec<Change> {
        let world = &*self.world;
        let Some(belief) = &mut self.belief else {
            return vec![];
        };
        let values = atoms.into_iter().map(|atom| (world.value(&atom), atom));
        let learned = believe(belief, values.map(|(value, atom)| (atom, value)));
        self.is_news |= !learned.is_empty();
        learned
    }
}

/// Believes these values; what changed by that.
pub fn believe(belief: &mut World, values: impl Iterator<Item = (Atom, Value)>) -> Vec<Change> {
    let mut changes = vec![];
    for (atom, after) in values {
        let before = belief.value(&atom);
        if before != after {
            let change = Change {
                atom,
                before,
                after,
            };
            belief.apply(std::slice::from_ref(&change));
            changes.push(change);
        }
    }
    changes
}
