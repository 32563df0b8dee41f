//! The plan on the flowchart: which path was taken, and which alternatives were
//! rejected, and why.

use std::collections::{BTreeMap, BTreeSet};

use taskloom_document::{BlockId, Flowchart, Name, Wire};
use taskloom_domain::calls::called_task;

use super::{Reason, reason};
use crate::plan::{Decomposed, NodeKind, Outcome, Plan, Trace, TraceEvent, TraceKind};

/// What the search made of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mark {
    /// It is on the path of the plan. Where it bound a variable: to what.
    Taken(Option<String>),
    /// It was tried and given up; why, where it is the place of the failure.
    Rejected(Option<String>),
    /// The plan did not come here.
    Unreached,
}

/// What the search made of a flowchart.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Light {
    /// All its blocks.
    pub blocks: BTreeMap<BlockId, Mark>,
    /// The wires of the path taken.
    pub taken: BTreeSet<Wire>,
    /// Wires to what was rejected.
    pub rejected: BTreeSet<Wire>,
    /// The block that calls what the step looked at is part of.
    pub current: Option<BlockId>,
    /// The index in the plan's nodes of the decomposition that is lit, where there is a plan.
    pub node: Option<usize>,
}

impl Light {
    /// Keeps the path alone: what failed may not fail any more.
    pub fn forget_failures(&mut self) {
        for (_, mark) in self.blocks.iter_mut() {
            if matches!(mark, Mark::Rejected(_)) {
                *mark = Mark::Unreached;
            }
        }
        self.rejected.clear();
    }
}

/// Lights the flowchart of `task` by an outcome and what the search did. `step`
/// is the step looked at: of several decompositions of the task in the plan, the
/// one that it is part of is shown, else the first. None where the plan has
/// nothing to say about the task.
pub fn light(
    task: &Name,
    flow: &Flowchart,
    outcome: &Outcome,
    trace: &Trace,
    step: Option<usize>,
) -> Option<Light> {
    // What a search that was stopped had not come to has not failed.
    if *outcome == Outcome::Stopped {
        return None;
    }
    let mut light = Light::default();
    let mut chosen = None;
    let mut at = None;
    if let Outcome::Plan(plan) = outcome {
        let (index, below) = node_of(task, plan, step)?;
        let node = plan.nodes.get(index)?;
        let NodeKind::Decomposed(decomposed) = &node.kind else {
            return None;
        };
        light_path(&mut light, flow, decomposed);
        let called = below.and_then(|below| plan.nodes.get(below));
        light.node = Some(index);
        light.current = called.and_then(|node| node.block.clone());
        at = Some((&node.task, decomposed.at));
        chosen = Some(BTreeSet::from_iter(decomposed.blocks.iter()));
    }
    // The search may have come to the task several times: the last time that it
    // chose this path is the one that counts; where there is no plan, the first.
    let tries = |event: &TraceEvent| {
        matches!(event.kind, TraceKind::Task)
            && event.task.task == *task
            && at.is_none_or(|(ground, step)| event.task == *ground && event.step == step)
    };
    let tried = match &chosen {
        None => trace.events.iter().position(tries),
        Some(path) => trace.events.iter().rev().find_map(|event| {
            let TraceKind::Alternative { blocks, .. } = &event.kind else {
                return None;
            };
            let parent = event.parent?;
            let same = BTreeSet::from_iter(blocks) == *path;
            (same && trace.events.get(parent).is_some_and(tries)).then_some(parent)
        }),
    };
    if let Some(index) = tried {
        light_failures(&mut light, flow, trace, index, chosen.as_ref());
    } else if chosen.is_none() {
        return None;
    }
    for id in flow.blocks.keys() {
        light.blocks.entry(id.clone()).or_insert(Mark::Unreached);
    }
    for wire in &flow.wires {
        let leads_to_rejected = matches!(light.blocks.get(&wire.to), Some(Mark::Rejected(_)));
        let from_unreached = matches!(light.blocks.get(&wire.from), Some(Mark::Unreached));
        let passed = !from_unreached || light.taken.is_empty();
        if leads_to_rejected && passed && !light.taken.contains(wire) {
            light.rejected.insert(wire.clone());
        }
    }
    Some(light)
}

/// The decomposition of `task` that the step is part of, and the node below it
/// that leads to the step; or the first.
fn node_of(task: &Name, plan: &Plan, step: Option<usize>) -> Option<(usize, Option<usize>)> {
    let is_it = |index: usize| {
        plan.nodes.get(index).is_some_and(|node| {
            node.task.task == *task && matches!(node.kind, NodeKind::Decomposed(_))
        })
    };
    let mut above = step.and_then(|step| plan.steps.get(step)).map(|s| s.node);
    let mut below = None;
    // A parent stands before its children, so this ends.
    while let Some(index) = above {
        if is_it(index) {
            return Some((index, below));
        }
        below = Some(index);
        let parent = plan.nodes.get(index).and_then(|node| node.parent);
        above = parent.filter(|parent| *parent < index);
    }
    let first = (0..plan.nodes.len()).find(|index| is_it(*index))?;
    Some((first, None))
}

fn light_path(light: &mut Light, flow: &Flowchart, decomposed: &Decomposed) {
    for id in decomposed.blocks.iter() {
        light.blocks.insert(id.clone(), Mark::Taken(None));
    }
    for (block, variable, object) in &decomposed.bindings {
        let note = format!("?{variable} = {object}");
        light.blocks.insert(block.clone(), Mark::Taken(Some(note)));
    }
    for wire in decomposed.wires.iter() {
        if flow.wires.contains(wire) {
            light.taken.insert(wire.clone());
        } else {
            // It stands for the wires to and from muted blocks.
            light
                .taken
                .extend(flow.drawn_for(wire).into_iter().cloned());
        }
    }
}

fn light_failures(
    light: &mut Light,
    flow: &Flowchart,
    trace: &Trace,
    tried: usize,
    chosen: Option<&BTreeSet<&BlockId>>,
) {
    let is_taken = |id: &BlockId| chosen.is_some_and(|blocks| blocks.contains(id));
    let under = || {
        let events = trace.events.iter().enumerate().skip(tried);
        events.filter(move |(_, event)| event.parent == Some(tried))
    };
    // Where all of it failed, what every alternative shares tells nothing.
    let mut paths = under().filter_map(|(_, event)| match &event.kind {
        TraceKind::Alternative { blocks, .. } => Some(blocks.iter().collect::<BTreeSet<_>>()),
        _ => None,
    });
    let first = paths.next().unwrap_or_default();
    let several = paths.clone().next().is_some();
    let shared = paths.fold(first, |mut shared, path| {
        shared.retain(|id| path.contains(id));
        shared
    });
    let tells = |id: &BlockId| !(is_taken(id) || several && shared.contains(id));
    for (index, event) in under() {
        match &event.kind {
            TraceKind::Failed {
                block: Some(block), ..
            }
            | TraceKind::NoObject { block, .. }
                if !is_taken(block) =>
            {
                let why = Mark::Rejected(reason(&event.kind).as_ref().map(told));
                light.blocks.entry(block.clone()).or_insert(why);
            }
            TraceKind::Alternative { blocks, .. } => {
                if chosen.is_some_and(|c| BTreeSet::from_iter(blocks) == *c) {
                    continue;
                }
                let below = failure_below(trace, index);
                let (failing, why) = below.unwrap_or((None, "led to no plan".into()));
                // The reason stands at the block that calls the task that failed,
                // else at the first that only this alternative has.
                let calls = |id: &&BlockId| failing.is_some_and(|task| calls_task(flow, id, task));
                let own = || blocks.iter().filter(|id| tells(id));
                let place = own().find(calls).or_else(|| own().next());
                for block in own() {
                    let here = place == Some(block);
                    let mark = Mark::Rejected(here.then(|| why.clone()));
                    light.blocks.entry(block.clone()).or_insert(mark);
                }
            }
            _ => {}
        }
    }
}

fn calls_task(flow: &Flowchart, id: &BlockId, task: &Name) -> bool {
    let block = flow.blocks.get(id);
    block.and_then(|block| called_task(block)).as_ref() == Some(task)
}

/// The first reason against an alternative: the task of the alternative in which it
/// came up, and what it is.
fn failure_below(trace: &Trace, alternative: usize) -> Option<(Option<&Name>, String)> {
    let mut within: BTreeMap<usize, Option<&Name>> = BTreeMap::from([(alternative, None)]);
    let beside = trace.events.get(alternative).and_then(|event| event.parent);
    for (index, later) in trace.events.iter().enumerate().skip(alternative + 1) {
        if beside.is_some() && later.parent == beside {
            break;
        }
        // The goal is the scenario's, and no task's.
        if let TraceKind::GoalFailed { .. } = later.kind {
            return reason(&later.kind).map(|why| (None, told(&why)));
        }
        let Some(task) = later.parent.and_then(|parent| within.get(&parent)) else {
            continue;
        };
        let task = task.unwrap_or(&later.task.task);
        if let Some(why) = reason(&later.kind) {
            return Some((Some(task), format!("{}: {}", later.task, told(&why))));
        }
        within.insert(index, Some(task));
    }
    None
}

/// A reason with what it read, in one line.
fn told(reason: &Reason) -> String {
    let seen: Vec<&str> = reason.seen.iter().take(3).map(String::as_str).collect();
    if seen.is_empty() {
        reason.text.clone()
    } else {
        format!("{}: {}", reason.text, seen.join(", "))
    }
}

#[cfg(test)]
mod tests;
