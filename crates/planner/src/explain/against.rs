//! What stands against a plan, at the moment where it does.

use std::collections::{BTreeMap, BTreeSet};

use taskloom_document::stop::Stop;
use taskloom_document::{BlockId, Document, Name};
use taskloom_domain::elaborate::Domain;
use taskloom_domain::lang::typed::Change;

use super::{Reason, reason};
use crate::plan::{TraceEvent, TraceKind, Value};

/// The reasons that a search met after so many steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Against {
    /// The length of the plan at that moment.
    pub steps: usize,
    /// What was wrong then, each once, in the order of the search.
    pub obstacles: Vec<Obstacle>,
}

/// One reason against a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Obstacle {
    /// `leave: open does not hold`
    pub text: String,
    /// The facts that it read, and their values.
    pub seen: Vec<String>,
    /// The primitive tasks that make something else of one of these facts, in the document's order.
    pub changed_by: Vec<Name>,
}

/// What stood against a plan in a search, the moment furthest along first, at most so many obstacles in all. A condition
/// of a block that led on by another way is none: at a Branch one of two conditions never holds.
pub fn against(document: &Document, events: &[TraceEvent], most: usize) -> Vec<Against> {
    let mut led_on: BTreeSet<(Option<usize>, &BlockId)> = BTreeSet::new();
    for event in events {
        if let TraceKind::Alternative { blocks, .. } = &event.kind {
            led_on.extend(blocks.iter().map(|block| (event.parent, block)));
        }
    }
    let changes = changes(document);
    let mut known = BTreeSet::new();
    let mut moments: BTreeMap<usize, Vec<Obstacle>> = BTreeMap::new();
    for event in events {
        if let TraceKind::Failed {
            block: Some(block), ..
        } = &event.kind
            && led_on.contains(&(event.parent, block))
        {
            continue;
        }
        let Some(Reason { text, seen }) = reason(&event.kind) else {
            continue;
        };
        let text = match event.kind {
            // The goal is the scenario's, and no task's.
            TraceKind::GoalFailed { .. } => text,
            _ => format!("{}: {text}", event.task),
        };
        if known.insert((event.step, text.clone())) {
            let changed_by = changed_by(&event.kind, &changes);
            let obstacle = Obstacle {
                text,
                seen,
                changed_by,
            };
            moments.entry(event.step).or_default().push(obstacle);
        }
    }
    let mut left = most;
    let mut all = vec![];
    for (steps, mut obstacles) in moments.into_iter().rev() {
        obstacles.truncate(left);
        left -= obstacles.len();
        if obstacles.is_empty() {
            break;
        }
        all.push(Against { steps, obstacles });
    }
    all
}

/// A fact that a primitive task changes, and for a boolean one what it becomes.
type Changed = (Name, Option<bool>);

/// What each primitive task changes.
fn changes(document: &Document) -> Vec<(Name, Vec<Changed>)> {
    let domain = Domain::new(document, &Stop::default());
    let tasks = document.primitive_tasks.keys();
    let changes = |name: &Name| {
        let effects = domain.primitive(name).map(|task| &task.effects);
        let effects = effects.into_iter().flatten();
        let read = effects.filter_map(|(_, effect)| effect.value.as_ref());
        read.map(|effect| {
            let becomes = match &effect.change {
                Change::Set(..) => Some(true),
                Change::Unset(..) => Some(false),
                Change::Number(..) | Change::Object(..) => None,
            };
            (effect.change.fact().clone(), becomes)
        })
        .collect()
    };
    tasks.map(|name| (name.clone(), changes(name))).collect()
}

/// Who makes something else of what a failed condition read.
fn changed_by(kind: &TraceKind, changes: &[(Name, Vec<Changed>)]) -> Vec<Name> {
    let (TraceKind::Failed { saw, .. } | TraceKind::GoalFailed { saw, .. }) = kind else {
        return vec![];
    };
    let helps = |(fact, becomes): &Changed| {
        saw.iter().any(|(atom, value)| {
            let is_another = match value {
                Value::Bool(value) => *becomes == Some(!value),
                Value::Number(_) | Value::Object(_) => true,
            };
            atom.fact == *fact && is_another
        })
    };
    let helpful = changes
        .iter()
        .filter(|(_, changes)| changes.iter().any(helps));
    helpful.map(|(name, _)| name.clone()).collect()
}
