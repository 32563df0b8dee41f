//! The obstacles to a plan, grouped by the step at which they occurred.

use std::collections::{BTreeMap, BTreeSet};

use taskloom_document::{BlockId, Name};
use taskloom_domain::Domain;
use taskloom_domain::lang::typed::Change;

use super::failures::Failures;
use super::{Observed, Reason};
use crate::plan::{Atom, GroundTask, TraceEvent, TraceKind, Value};

/// The reasons for failure that a search met after a given number of steps.
#[derive(Debug, Clone, PartialEq)]
pub struct ObstaclesAtStep {
    /// The length of the plan at that point.
    pub steps: usize,
    /// The distinct obstacles at that point, in search order.
    pub obstacles: Vec<Obstacle>,
}

/// One reason against a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Obstacle {
    /// The task that it prevents; `None` for the scenario's goal.
    pub task: Option<GroundTask>,
    /// The block that has the failed condition, if it isn't the task's own.
    pub block: Option<BlockId>,
    /// The reason, such as `open does not hold`.
    pub text: String,
    /// The facts that were read.
    pub seen: Vec<Observed>,
    /// The primitive tasks that give one of these facts a different value, in document order.
    pub changed_by: Vec<Name>,
}

/// Lists the obstacles to a plan in a search, at most `most` in all, starting at the point furthest
/// along.
///
/// Skips the condition of a block that another alternative got past: of a Branch's two conditions,
/// one always fails. The objects that don't fit a Bind block are one obstacle.
pub fn obstacles(domain: &Domain, events: &[TraceEvent], most: usize) -> Vec<ObstaclesAtStep> {
    let failures = Failures::of(events);
    let changes = changes(domain);
    let mut known = BTreeSet::new();
    let mut moments: BTreeMap<usize, Vec<Obstacle>> = BTreeMap::new();
    for (index, event) in events.iter().enumerate() {
        let Some(Reason { text, seen }) = failures.reason(index) else {
            continue;
        };
        let task = match event.kind {
            TraceKind::GoalFailed { .. } => None,
            _ => Some(event.task.clone()),
        };
        if known.insert((event.step, task.clone(), text.clone())) {
            let read: Vec<_> = failures
                .same(index)
                .flat_map(|event| saw(&event.kind))
                .collect();
            let changed_by = changed_by(&read, &changes);
            let obstacle = Obstacle {
                task,
                block: event.kind.block().cloned(),
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
        all.push(ObstaclesAtStep { steps, obstacles });
    }
    all
}

/// A fact that a primitive task changes and, if boolean, its new value.
type Changed = (Name, Option<bool>);

/// Returns the changes of each primitive task.
fn changes(domain: &Domain) -> Vec<(Name, Vec<Changed>)> {
    let tasks = domain.document().primitive_tasks.keys();
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

/// Returns what a failed condition read.
fn saw(kind: &TraceKind) -> &[(Atom, Value)] {
    match kind {
        TraceKind::Failed { saw, .. } | TraceKind::GoalFailed { saw, .. } => saw,
        _ => &[],
    }
}

/// Lists the tasks that change what failed conditions read.
fn changed_by(saw: &[&(Atom, Value)], changes: &[(Name, Vec<Changed>)]) -> Vec<Name> {
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
