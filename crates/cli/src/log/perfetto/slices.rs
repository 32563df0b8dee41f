//! The slices of a trace: the steps, and the compound tasks above them.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use taskloom_runtime::log::{LoggedPlan, StepEntry, StepState};
use taskloom_runtime::{LogEntry, LogFile};

/// A slice. Slices of one lane are nested or disjoint, and those above come first.
pub struct Slice {
    pub actor: usize,
    pub lane: usize,
    pub task: String,
    pub category: &'static str,
    pub start: u32,
    pub end: u32,
    pub args: Value,
}

/// A compound task above a step: its plan, its depth and number in the plan, and its text.
#[derive(Clone, PartialEq)]
struct Above {
    plan: usize,
    /// Its index in the plan's tasks, if the log has them.
    node: Option<usize>,
    task: String,
    /// The block above it, if the log has no tasks.
    block: Option<String>,
}

/// A step with the tasks above it, from the root down.
struct Done {
    step: StepEntry,
    above: Vec<Above>,
    end: u32,
}

/// Returns the slices of a log.
pub fn slices(log: &LogFile) -> Vec<Slice> {
    let mut slices = vec![];
    for (actor, mut steps) in steps(log) {
        steps.sort_by_key(|done| (done.step.start, done.end));
        for (lane, steps) in lanes(steps).into_iter().enumerate() {
            nest((actor, lane), &steps, &mut slices);
        }
    }
    slices
}

/// Returns the steps of each actor.
fn steps(log: &LogFile) -> BTreeMap<usize, Vec<Done>> {
    let mut plans: BTreeMap<(usize, usize), &LoggedPlan> = BTreeMap::new();
    let mut running: Vec<StepEntry> = vec![];
    let mut all: BTreeMap<usize, Vec<Done>> = BTreeMap::new();
    let mut last = log.start.tick;
    let is_same = |one: &StepEntry, other: &StepEntry| {
        (one.actor, one.start, &one.task) == (other.actor, other.start, &other.task)
    };
    let mut done = |step: StepEntry, end: u32, plans: &BTreeMap<(usize, usize), &LoggedPlan>| {
        let plan = plans.get(&(step.actor, step.plan)).copied();
        let above = plan.map_or_else(Vec::new, |plan| above(plan, &step));
        all.entry(step.actor)
            .or_default()
            .push(Done { step, above, end });
    };
    for (_, entry) in &log.entries {
        last = last.max(entry.tick());
        match entry {
            LogEntry::Plan(plan) => {
                if let Some(found) = &plan.plan {
                    plans.insert((plan.actor, plan.number), found);
                }
            }
            LogEntry::ActorSnapshot(snapshot) => {
                if let Some(current) = &snapshot.plan {
                    plans.insert((snapshot.actor, current.number), &current.plan);
                }
            }
            LogEntry::Step(step) => {
                if let Some(at) = running.iter().position(|one| is_same(one, step)) {
                    running.remove(at);
                }
                match step.state {
                    StepState::Started | StepState::Acted | StepState::Running => {
                        running.push(step.clone());
                    }
                    StepState::Succeeded | StepState::Failed | StepState::Stopped => {
                        done(step.clone(), step.tick, &plans);
                    }
                }
            }
            _ => {}
        }
    }
    for step in running {
        done(step, last, &plans);
    }
    all
}

/// Returns the tasks above a step.
fn above(plan: &LoggedPlan, step: &StepEntry) -> Vec<Above> {
    let Some(planned) = plan.steps.get(step.step) else {
        return vec![];
    };
    if let Some(node) = planned.node.filter(|_| !plan.tasks.is_empty()) {
        let parent = |node: usize| plan.tasks.get(node)?.parent;
        let parents = std::iter::successors(parent(node), |node| parent(*node));
        let mut all: Vec<Above> = parents
            .map(|node| Above {
                plan: step.plan,
                node: Some(node),
                task: plan.tasks[node].task.clone(),
                block: None,
            })
            .collect();
        all.reverse();
        return all;
    }
    let blocks = planned.path.iter().map(|above| above.block.clone());
    // The block of a task is in the flowchart of the one above it.
    let blocks = [None].into_iter().chain(blocks);
    let path = planned.path.iter().zip(blocks);
    path.map(|(above, block)| Above {
        plan: step.plan,
        node: None,
        task: above.task.clone(),
        block,
    })
    .collect()
}

/// Distributes steps, in the order of their starts, over lanes in which they don't overlap.
fn lanes(steps: Vec<Done>) -> Vec<Vec<Done>> {
    let mut lanes: Vec<Vec<Done>> = vec![];
    for step in steps {
        let is_free = |lane: &Vec<Done>| {
            let last = lane.last();
            last.is_none_or(|last| last.end <= step.step.start)
        };
        match lanes.iter().position(is_free) {
            Some(lane) => lanes[lane].push(step),
            None => lanes.push(vec![step]),
        }
    }
    lanes
}

/// Adds the slices of a lane: neighbouring steps of the same compound task are in one slice of it.
fn nest((actor, lane): (usize, usize), steps: &[Done], slices: &mut Vec<Slice>) {
    // The indices of the slices of the tasks above the last step.
    let mut open: Vec<(Above, usize)> = vec![];
    for done in steps {
        let same = open.iter().zip(&done.above);
        let shared = same.take_while(|((open, _), above)| open == *above).count();
        open.truncate(shared);
        for (_, slice) in &open {
            slices[*slice].end = done.end;
        }
        for above in &done.above[shared..] {
            open.push((above.clone(), slices.len()));
            slices.push(Slice {
                actor,
                lane,
                task: above.task.clone(),
                category: "task",
                start: done.step.start,
                end: done.end,
                args: json!({ "plan": above.plan }),
            });
        }
        let step = &done.step;
        slices.push(Slice {
            actor,
            lane,
            task: step.task.clone(),
            category: match step.state {
                StepState::Succeeded => "step",
                StepState::Failed => "failed step",
                StepState::Stopped => "stopped step",
                StepState::Started | StepState::Acted | StepState::Running => "running step",
            },
            start: step.start,
            end: done.end,
            args: json!({
                "state": step.state, "plan": step.plan, "step": step.step, "reason": step.reason,
                "changes": step.changes, "learned": step.learned,
            }),
        });
    }
}
