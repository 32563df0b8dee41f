//! Adding and removing entries of the lists in records.

use std::sync::Arc;

use super::Name;
use super::agents::{Planning, Sense};
use super::crowds::Crowd;
use super::record::{Field, Record};
use super::scenario::{CastMember, Event, Expectation, Failure};
use super::tasks::Effect;

/// An entry of a list.
trait Entry: Sized {
    /// Returns the entry with this text; none if an entry is more than a text.
    fn of_text(_: &str) -> Option<Self> {
        None
    }
}

impl Entry for String {
    fn of_text(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }
}
impl Entry for Effect {
    fn of_text(text: &str) -> Option<Self> {
        Some(Self {
            text: text.to_owned(),
            ..Self::default()
        })
    }
}
impl Entry for Event {
    fn of_text(text: &str) -> Option<Self> {
        Some(Self {
            effect: text.to_owned(),
            ..Self::default()
        })
    }
}
impl Entry for Name {}
impl Entry for Sense {}
impl Entry for CastMember {}
impl Entry for Crowd {}
impl Entry for Failure {}
impl Entry for Expectation {}

/// A list, whatever the type of its entries.
trait Entries {
    /// Inserts an entry before the one at `index`, or at the end; returns `true` if it did.
    fn insert_at(&mut self, index: usize, text: &str) -> bool;
    /// Returns the number of entries.
    fn count(&self) -> usize;
    /// Removes an entry; returns `true` if it existed.
    fn remove_at(&mut self, index: usize) -> bool;
}

impl<T: Entry> Entries for Vec<T> {
    fn insert_at(&mut self, index: usize, text: &str) -> bool {
        let entry = T::of_text(text).filter(|_| index <= self.len());
        entry.map(|entry| self.insert(index, entry)).is_some()
    }

    fn count(&self) -> usize {
        self.len()
    }

    fn remove_at(&mut self, index: usize) -> bool {
        let exists = index < self.len();
        if exists {
            self.remove(index);
        }
        exists
    }
}

impl Record {
    /// Appends a text to a list, if the field is just past its end.
    pub(super) fn append_text(&mut self, field: &Field, text: &str) -> bool {
        let list = self.list(field);
        list.is_some_and(|(list, index)| index == list.count() && list.insert_at(index, text))
    }

    /// Inserts a text into a list before the entry of this field, or at its end.
    pub(super) fn insert_text(&mut self, field: &Field, text: &str) -> bool {
        let list = self.list(field);
        list.is_some_and(|(list, index)| list.insert_at(index, text))
    }

    /// Removes an entry from a list; returns `true` if it existed.
    pub(super) fn remove_entry(&mut self, field: &Field) -> bool {
        let list = self.list(field);
        list.is_some_and(|(list, index)| list.remove_at(index))
    }

    /// Returns the list that a field is an entry of, and its index there.
    fn list(&mut self, field: &Field) -> Option<(&mut dyn Entries, usize)> {
        let (list, index): (&mut dyn Entries, &usize) = match self {
            Self::PrimitiveTask(r) => {
                let task = Arc::make_mut(r);
                match field {
                    Field::Precondition(n) => (&mut task.preconditions, n),
                    Field::Integrity(n) => (&mut task.integrity, n),
                    Field::Completion(n) => (&mut task.completion, n),
                    Field::Claim(n) => (&mut task.claims, n),
                    Field::Effect(n) => (&mut task.effects, n),
                    _ => return None,
                }
            }
            Self::CompoundTask(r) => {
                let task = Arc::make_mut(r);
                match field {
                    Field::Precondition(n) => (&mut task.preconditions, n),
                    Field::Integrity(n) => (&mut task.integrity, n),
                    _ => return None,
                }
            }
            Self::Goal(r) => {
                let goal = Arc::make_mut(r);
                match field {
                    Field::Subgoal(n) => (&mut goal.subgoals, n),
                    Field::Task(n) => (&mut goal.tasks, n),
                    _ => return None,
                }
            }
            Self::Agent(r) => {
                let agent = Arc::make_mut(r);
                match (field, &mut agent.planning) {
                    (
                        Field::Task(n),
                        Planning::Decomposition { tasks, .. } | Planning::Reactive { tasks },
                    ) => (tasks, n),
                    (Field::AgentGoal(n), Planning::Goals { goals, .. }) => (goals, n),
                    (Field::Uses(n), _) => (&mut agent.uses, n),
                    (Field::Sense(n), _) => (&mut agent.senses, n),
                    _ => return None,
                }
            }
            Self::Scenario(r) => {
                let scenario = Arc::make_mut(r);
                match field {
                    Field::CastTask(n, task) => (&mut scenario.cast.get_mut(*n)?.tasks, task),
                    Field::Belief(n, belief) => (&mut scenario.cast.get_mut(*n)?.beliefs, belief),
                    Field::CrowdInitial(n, value) => {
                        (&mut scenario.crowds.get_mut(*n)?.initial, value)
                    }
                    Field::CrowdTask(n, task) => (&mut scenario.crowds.get_mut(*n)?.tasks, task),
                    Field::CrowdBelief(n, belief) => {
                        (&mut scenario.crowds.get_mut(*n)?.beliefs, belief)
                    }
                    Field::Failure(n) => (&mut scenario.failures, n),
                    Field::Initial(n) => (&mut scenario.initial, n),
                    Field::Task(n) => (&mut scenario.tasks, n),
                    Field::Cast(n) | Field::CastObject(n) => (&mut scenario.cast, n),
                    Field::Crowd(n) => (&mut scenario.crowds, n),
                    Field::Event(n) => (&mut scenario.events, n),
                    Field::Expectation(n) => (&mut scenario.expect, n),
                    Field::ExpectedStep(n, step) => match scenario.expect.get_mut(*n)? {
                        Expectation::Plan(steps) => (steps, step),
                        _ => return None,
                    },
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some((list, *index))
    }
}
