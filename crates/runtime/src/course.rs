//! The values of ground facts in the course of a run, each fact's by itself: what is so at a moment
//! is looked up, rather than worked out from the start of the run.

use std::collections::BTreeMap;

use super::history::{Moment, Place};
use super::run::Run;
use taskloom_document::Document;
use taskloom_planner::plan::{Atom, Change, Value};

/// The courses of all ground facts that a run changes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Courses(BTreeMap<Atom, Course>);

/// The values of a ground fact in the course of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    first: Value,
    changes: Vec<(Place, Value)>,
}

/// A moment of a run, looked up there once for many facts.
#[derive(Debug, Clone, Copy)]
pub struct Until(Option<Place>);

impl Run {
    /// The courses of what changes in the world.
    pub fn courses(&self) -> Courses {
        let made = self.made().into_iter();
        Courses::of(made.flat_map(|(place, changes)| changes.iter().map(move |c| (place, c))))
    }

    /// The courses of what a character believes otherwise than at first. Of one without senses they
    /// say nothing but its memory.
    pub fn believed_courses(&self, document: &Document, character: usize) -> Courses {
        let heard = self.heard(document, character).into_iter();
        Courses::of(heard.flat_map(|(place, changes)| changes.into_iter().map(move |c| (place, c))))
    }

    /// A moment, to look facts up at.
    pub fn until(&self, moment: Moment) -> Until {
        Until(self.place(moment))
    }
}

impl Courses {
    /// `changes` are in the order in which they happened.
    fn of<'c>(changes: impl Iterator<Item = (Place, &'c Change)>) -> Self {
        let mut courses: BTreeMap<Atom, Course> = BTreeMap::new();
        for (place, change) in changes {
            let after = change.after.clone();
            if let Some(course) = courses.get_mut(&change.atom) {
                course.changes.push((place, after));
            } else {
                let course = Course {
                    first: change.before.clone(),
                    changes: vec![(place, after)],
                };
                courses.insert(change.atom.clone(), course);
            }
        }
        Self(courses)
    }

    /// The course of a ground fact; none of one that does not change.
    pub fn get(&self, atom: &Atom) -> Option<&Course> {
        self.0.get(atom)
    }

    /// All of them, by their facts.
    pub fn iter(&self) -> impl Iterator<Item = (&Atom, &Course)> {
        self.0.iter()
    }

    /// Those of some facts alone.
    pub fn only(mut self, mut is_wanted: impl FnMut(&Atom) -> bool) -> Self {
        self.0.retain(|atom, _| is_wanted(atom));
        self
    }
}

impl Course {
    /// The value before the first change.
    pub fn first(&self) -> &Value {
        &self.first
    }

    /// The value at a moment; none where nothing has changed it yet.
    pub fn at(&self, until: &Until) -> Option<&Value> {
        let count = match &until.0 {
            Some(until) => self.changes.partition_point(|(place, _)| place < until),
            None => self.changes.len(),
        };
        let last = count.checked_sub(1)?;
        self.changes.get(last).map(|(_, value)| value)
    }

    /// The values at the ends of the ticks at which it changes, with these ticks.
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
