//! The failures of a search that count: those that it didn't get past, and for each alternative the
//! one furthest along.

use std::collections::{BTreeMap, BTreeSet};

use taskloom_document::{BlockId, Name};

use super::{Observed, Reason, reason};
use crate::plan::{TraceEvent, TraceKind};

/// A block where a task was decomposed: the event of the task, and the block.
type Place<'t> = (Option<usize>, &'t BlockId);

/// The failures of a search.
pub struct Failures<'t> {
    events: &'t [TraceEvent],
    /// The blocks on the path of an alternative: the search got past them.
    passed: BTreeSet<Place<'t>>,
    /// The events at each Bind block, one for each object that didn't fit.
    unfit: BTreeMap<Place<'t>, Vec<usize>>,
    /// The failure furthest along in the part of the search below each event.
    furthest: Vec<Option<Furthest>>,
}

/// A failure, ordered by the number of steps before it and then by the order of the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Furthest {
    /// The length of the plan at that moment.
    step: usize,
    /// The event.
    pub event: usize,
}

/// The reason why an alternative led to no plan.
pub struct Blame<'t> {
    /// The failure.
    pub at: Furthest,
    /// The block of the alternative that calls the task that failed.
    pub block: Option<&'t BlockId>,
    /// `true` if not one of its tasks failed, but a later one or the goal.
    pub is_later: bool,
}

impl Blame<'_> {
    fn later(at: Furthest) -> Self {
        Self {
            at,
            block: None,
            is_later: true,
        }
    }
}

impl<'t> Failures<'t> {
    /// Collects the failures of a search.
    pub fn of(events: &'t [TraceEvent]) -> Self {
        let mut passed = BTreeSet::new();
        let mut unfit: BTreeMap<Place, Vec<usize>> = BTreeMap::new();
        for (index, event) in events.iter().enumerate() {
            match &event.kind {
                TraceKind::Alternative { blocks, .. } => {
                    passed.extend(blocks.iter().map(|block| (event.parent, block)));
                }
                TraceKind::Failed {
                    block: Some(block),
                    variable: Some(_),
                    ..
                } => unfit.entry((event.parent, block)).or_default().push(index),
                _ => {}
            }
        }
        let mut failures = Self {
            events,
            passed,
            unfit,
            furthest: vec![],
        };
        failures.furthest = failures.find_furthest();
        failures
    }

    /// Returns the reason for a failure. The objects that don't fit a Bind block are one failure:
    /// its first event has the reason. Returns `None` if another alternative got past it.
    pub fn reason(&self, index: usize) -> Option<Reason> {
        let event = self.events.get(index)?;
        let TraceKind::Failed {
            block: Some(block),
            variable,
            conjunct,
            ..
        } = &event.kind
        else {
            return reason(&event.kind);
        };
        let place = (event.parent, block);
        if self.passed.contains(&place) {
            return None;
        }
        let Some(variable) = variable else {
            return reason(&event.kind);
        };
        let unfit = self.unfit.get(&place)?;
        (unfit.first() == Some(&index)).then(|| self.nothing_fits(variable, conjunct, unfit))
    }

    /// Returns the reason why no object fits a Bind block.
    fn nothing_fits(&self, variable: &Name, first: &str, unfit: &[usize]) -> Reason {
        let mut conditions = BTreeSet::new();
        let mut seen: Vec<Observed> = vec![];
        for event in unfit.iter().filter_map(|index| self.events.get(*index)) {
            if let TraceKind::Failed { conjunct, .. } = &event.kind
                && conditions.insert(conjunct)
            {
                seen.extend(reason(&event.kind).into_iter().flat_map(|why| why.seen));
            }
        }
        let more = match conditions.len() {
            0 | 1 => String::new(),
            all => format!(", and {} more", all - 1),
        };
        Reason {
            text: format!("no ?{variable} fits: {first} is false{more}"),
            seen,
        }
    }

    /// Formats the reason for a failure and the facts that were read, in one line.
    pub fn summary(&self, index: usize) -> Option<String> {
        let Reason { text, seen } = self.reason(index)?;
        let seen: Vec<String> = seen.iter().take(3).map(ToString::to_string).collect();
        let is_of_several = self.same(index).nth(1).is_some();
        Some(match seen.is_empty() || is_of_several {
            true => text,
            false => format!("{text}: {}", seen.join(", ")),
        })
    }

    /// Returns the events that are part of the same failure as this one.
    pub fn same(&self, index: usize) -> impl Iterator<Item = &'t TraceEvent> + use<'_, 't> {
        let event = self.events.get(index);
        let place = event.and_then(|event| Some((event.parent, event.kind.block()?)));
        let unfit = place.and_then(|place| self.unfit.get(&place));
        let is_one = unfit.is_some_and(|unfit| unfit.contains(&index));
        let others = unfit.filter(|_| is_one).into_iter().flatten();
        let alone = event.filter(|_| !is_one);
        alone
            .into_iter()
            .chain(others.filter_map(|other| self.events.get(*other)))
    }

    /// Computes the failure furthest along below each event. Parents come before their children.
    fn find_furthest(&self) -> Vec<Option<Furthest>> {
        let mut children: Vec<Vec<usize>> = vec![vec![]; self.events.len()];
        for (index, event) in self.events.iter().enumerate() {
            let above = event.parent.filter(|parent| *parent < index);
            if let Some(above) = above.and_then(|parent| children.get_mut(parent)) {
                above.push(index);
            }
        }
        let mut furthest: Vec<Option<Furthest>> = vec![None; self.events.len()];
        for (index, event) in self.events.iter().enumerate().rev() {
            let below = children.get(index).map_or(&[][..], Vec::as_slice);
            let of = |child: &usize| furthest.get(*child).copied().flatten();
            let found = match &event.kind {
                TraceKind::Task { .. } => below.iter().filter_map(of).max(),
                TraceKind::Alternative { .. } => self.last_reached(below, of).map(|(_, at)| at),
                _ => self.reason(index).map(|_| self.at(index)),
            };
            if let Some(own) = furthest.get_mut(index) {
                *own = found;
            }
        }
        furthest
    }

    /// Returns the place of an event in the order of failures.
    pub fn at(&self, event: usize) -> Furthest {
        let step = self.events.get(event).map_or(0, |event| event.step);
        Furthest { step, event }
    }

    /// Returns the last failed one of an alternative's tasks, in the order in which the search
    /// first reached them, and its failure furthest along. The search got past the tasks before it.
    fn last_reached(
        &self,
        tasks: &[usize],
        furthest: impl Fn(&usize) -> Option<Furthest>,
    ) -> Option<(usize, Furthest)> {
        let mut reached: Vec<(&TraceKind, usize, Option<Furthest>)> = vec![];
        for index in tasks {
            let Some(event) = self.events.get(*index) else {
                continue;
            };
            let found = furthest(index);
            let is_same = |(kind, first, _): &&mut (&TraceKind, usize, _)| {
                let task = self.events.get(*first).map(|event| &event.task);
                **kind == event.kind && task == Some(&event.task)
            };
            match reached.iter_mut().find(is_same) {
                Some((.., known)) => *known = (*known).max(found),
                None => reached.push((&event.kind, *index, found)),
            }
        }
        let mut failed = reached.into_iter().rev();
        failed.find_map(|(_, first, at)| Some((first, at?)))
    }

    /// Returns the reason why an alternative led to no plan: the failure of the last of its tasks
    /// that the search reached, or one furthest along after all of them.
    pub fn blame(&self, alternative: usize) -> Option<Blame<'t>> {
        let parent = self.events.get(alternative)?.parent;
        let mut within = BTreeSet::from([alternative]);
        let mut tasks = vec![];
        let mut later: Option<Furthest> = None;
        for (index, event) in self.events.iter().enumerate().skip(alternative + 1) {
            if parent.is_some() && event.parent == parent {
                break;
            }
            if event.parent == Some(alternative) {
                tasks.push(index);
            }
            if event.parent.is_some_and(|parent| within.contains(&parent)) {
                within.insert(index);
            } else if self.reason(index).is_some() {
                // The goal is evaluated when all tasks are done.
                if let TraceKind::GoalFailed { .. } = event.kind {
                    return Some(Blame::later(self.at(index)));
                }
                later = later.max(Some(self.at(index)));
            }
        }
        let own = self.last_reached(&tasks, |task| self.furthest.get(*task).copied().flatten());
        match (own, later) {
            (Some((task, at)), later) if later.is_none_or(|later| later.step < at.step) => {
                let block = match &self.events.get(task)?.kind {
                    TraceKind::Task { block } | TraceKind::Pruned { block, .. } => block.as_ref(),
                    _ => None,
                };
                Some(Blame {
                    at,
                    block,
                    is_later: false,
                })
            }
            (_, later) => later.map(Blame::later),
        }
    }
}
