//! The context in which a character acts: the world, which determines the effects of its actions, and
//! its beliefs, on which it bases its decisions.

use taskloom_domain::ground::{Atom, Value};
use taskloom_domain::lang::World as _;
use taskloom_planner::plan::{Change, World};

use super::body::Body;
use super::senses::Senses;
use super::task_options::GuardOf;
use super::world::OthersActs;

/// The body that performs a character's actions, and the number of its next start.
pub struct Performance<'s> {
    /// The body.
    pub body: &'s mut dyn Body,
    /// The number of the next start.
    pub next_id: &'s mut u64,
}

/// The world and a character's belief.
pub struct ExecutionContext<'s> {
    /// The current world, with the character's own memory.
    pub world: &'s mut World,
    /// The character's beliefs; `None` if it sees everything, and so believes what is true.
    pub belief: Option<&'s mut World>,
    /// The character's senses; `None` if it observes everything.
    pub senses: Option<&'s Senses>,
    /// Performs its actions.
    pub performance: Performance<'s>,
    /// `false` if only the steps in progress may continue.
    pub may_start: bool,
    /// Returns the guard of a node of a plan.
    pub guard: GuardOf<'s>,
    /// The changes that others have made at this tick.
    pub acts: OthersActs<'s>,
    /// `true` if any of its beliefs has changed.
    pub beliefs_changed: bool,
    /// Its changes of the world and of its beliefs, if it has senses.
    pub changes: Vec<Change>,
}

impl ExecutionContext<'_> {
    /// Returns the character's beliefs.
    pub fn believed(&self) -> &World {
        self.belief.as_deref().unwrap_or(self.world)
    }

    /// Applies changes that the character knows about.
    pub fn apply(&mut self, changes: &[Change]) {
        self.world.apply(changes);
        if let Some(belief) = &mut self.belief {
            let differs = |change: &Change| belief.value(&change.atom) != change.after;
            self.beliefs_changed |= changes.iter().any(differs);
            belief.apply(changes);
            self.changes.extend_from_slice(changes);
        } else {
            self.beliefs_changed |= !changes.is_empty();
        }
    }

    /// Corrects the beliefs about ground facts, after a condition that reads them turned out to be false.
    ///
    /// Values that can be observed here, and predicates, get their true values. Any other value is
    /// unknown from now on: the failure doesn't reveal the correct one.
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
        self.beliefs_changed |= !learned.is_empty();
        self.changes.extend_from_slice(&learned);
        learned
    }

    /// Sets the beliefs about ground facts to their true values. Returns the changes.
    pub fn learn(&mut self, atoms: impl IntoIterator<Item = Atom>) -> Vec<Change> {
        let world = &*self.world;
        let Some(belief) = &mut self.belief else {
            return vec![];
        };
        let values = atoms.into_iter().map(|atom| (world.value(&atom), atom));
        let learned = believe(belief, values.map(|(value, atom)| (atom, value)));
        self.beliefs_changed |= !learned.is_empty();
        self.changes.extend_from_slice(&learned);
        learned
    }
}

/// Sets beliefs to values. Returns the changes.
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
