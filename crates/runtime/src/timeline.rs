//! The values of each ground fact over the time of a run: the value at a moment is looked up instead
//! of being computed from the start of the run.

use std::collections::BTreeMap;

use super::history::{Moment, TimeKey};
use super::run::Run;
use taskloom_document::Document;
use taskloom_planner::plan::{Atom, Change, Value};

/// The timelines of all ground facts that a run changes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ValueTimelines(BTreeMap<Atom, ValueTimeline>);

/// The timeline of a ground fact: its values over the time of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueTimeline {
    first: Value,
    changes: Vec<(TimeKey, Value)>,
}

/// A cursor at a moment of a run, located once for looking up many facts.
#[derive(Debug, Clone, Copy)]
pub struct TimeCursor(Option<TimeKey>);

impl Run {
    /// Returns the timelines of all changes of the world.
    pub fn timelines(&self) -> ValueTimelines {
        let changes = self.world_changes().into_iter();
        ValueTimelines::of(
            changes.flat_map(|(place, changes)| changes.iter().map(move |c| (place, c))),
        )
    }

    /// Returns the timelines of a character's beliefs that change. For a character without senses they
    /// are meaningful only for its memory.
    pub fn believed_timelines(&self, document: &Document, character: usize) -> ValueTimelines {
        let changes = self.belief_changes(document, character).into_iter();
        ValueTimelines::of(
            changes.flat_map(|(place, changes)| changes.into_iter().map(move |c| (place, c))),
        )
    }

    /// Returns a cursor for looking up facts at a moment.
    pub fn cursor(&self, moment: Moment) -> TimeCursor {
        TimeCursor(self.time_key(moment))
    }
}

impl ValueTimelines {
    /// Creates timelines from changes in chronological order.
    fn of<'c>(changes: impl Iterator<Item = (TimeKey, &'c Change)>) -> Self {
        let mut timelines: BTreeMap<Atom, ValueTimeline> = BTreeMap::new();
        for (place, change) in changes {
            let after = change.after.clone();
            if let Some(timeline) = timelines.get_mut(&change.atom) {
                timeline.changes.push((place, after));
            } else {
                let timeline = ValueTimeline {
                    first: change.before.clone(),
                    changes: vec![(place, after)],
                };
                timelines.insert(change.atom.clone(), timeline);
            }
        }
        Self(timelines)
    }

    /// Returns the timeline of a ground fact; `None` if it does not change.
    pub fn get(&self, atom: &Atom) -> Option<&ValueTimeline> {
        self.0.get(atom)
    }

    /// Returns all timelines, ordered by their facts.
    pub fn iter(&self) -> impl Iterator<Item = (&Atom, &ValueTimeline)> {
        self.0.iter()
    }

    /// Keeps only the timelines of some facts.
    pub fn only(mut self, mut is_wanted: impl FnMut(&Atom) -> bool) -> Self {
        self.0.retain(|atom, _| is_wanted(atom));
        self
    }
}

impl ValueTimeline {
    /// Returns the value before the first change.
    pub fn first(&self) -> &Value {
        &self.first
    }

    /// Returns the value at a moment; `None` if nothing has changed it yet.
    pub fn at(&self, cursor: &TimeCursor) -> Option<&Value> {
        let count = match &cursor.0 {
            Some(cursor) => self.changes.partition_point(|(place, _)| place < cursor),
            None => self.changes.len(),
        };
        let last = count.checked_sub(1)?;
        self.changes.get(last).map(|(_, value)| value)
    }

    /// Returns the values at the ends of the ticks at which it changes, with these ticks.
    pub fn by_tick(&self) -> Vec<(u32, &Value)> {
        let mut values: Vec<(u32, &Value)> = vec![];
        for ((tick, ..), value) in &self.changes {
            match values.last_mut() {
                Some((last, latest)) if last == tick => *latest = value,
                _ => values.push((*tick, value)),
            }
        }
        values
    }
}
