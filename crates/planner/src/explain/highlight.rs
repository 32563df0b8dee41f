//! The plan on the flowchart: the path taken, and which alternatives were rejected and why.

use std::collections::{BTreeMap, BTreeSet};

use taskloom_document::sort::set_of;
use taskloom_document::{BlockId, Flowchart, Name, Wire};

use super::failures::{Blame, Failures, Furthest};
use crate::plan::{Decomposed, NodeKind, Outcome, Plan, Trace, TraceEvent, TraceKind};

/// The search's result for a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mark {
    /// On the plan's path, with the value of the variable if it bound one.
    Taken(Option<String>),
    /// Tried and rejected, with the reason if it failed at this block.
    Rejected(Option<String>),
    /// Not reached.
    Unreached,
}

/// The search's result for a flowchart.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Highlight {
    /// All its blocks.
    pub blocks: BTreeMap<BlockId, Mark>,
    /// The wires of the path taken.
    pub taken: BTreeSet<Wire>,
    /// The wires to rejected blocks.
    pub rejected: BTreeSet<Wire>,
    /// The block whose call leads to the inspected step.
    pub current: Option<BlockId>,
    /// The index in the plan's nodes of the decomposition shown, if there is a plan.
    pub node: Option<usize>,
}

impl Highlight {
    /// Keeps only the path: what failed then may succeed now.
    pub fn clear_failures(&mut self) {
        for (_, mark) in self.blocks.iter_mut() {
            if matches!(mark, Mark::Rejected(_)) {
                *mark = Mark::Unreached;
            }
        }
        self.rejected.clear();
    }
}

/// Marks the flowchart of `task` with the outcome and course of a search.
///
/// If the plan decomposes the task several times, shows the decomposition that contains `step`, the
/// inspected step, or else the first one. Returns `None` if the plan has nothing to show for the
/// task.
pub fn highlight(
    task: &Name,
    flow: &Flowchart,
    outcome: &Outcome,
    trace: &Trace,
    step: Option<usize>,
) -> Option<Highlight> {
    // Parts that a stopped search did not reach have not failed.
    if *outcome == Outcome::Stopped {
        return None;
    }
    let mut highlight = Highlight::default();
    let mut chosen = None;
    let mut at = None;
    if let Outcome::Plan(plan) = outcome {
        let (index, below) = node_of(task, plan, step)?;
        let node = plan.nodes.get(index)?;
        let NodeKind::Decomposed(decomposed) = &node.kind else {
            return None;
        };
        highlight_path(&mut highlight, flow, decomposed);
        let called = below.and_then(|below| plan.nodes.get(below));
        highlight.node = Some(index);
        highlight.current = called.and_then(|node| node.block.clone());
        at = Some((&node.task, decomposed.at));
        chosen = Some(set_of(decomposed.blocks.iter()));
    }
    // The search may have reached the task several times: use the last time that it chose this
    // path, or the first time if there is no plan.
    let tries = |event: &TraceEvent| {
        matches!(event.kind, TraceKind::Task { .. })
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
            let same = set_of(blocks) == *path;
            (same && trace.events.get(parent).is_some_and(tries)).then_some(parent)
        }),
    };
    if let Some(index) = tried {
        highlight_failures(&mut highlight, trace, index, chosen.as_ref());
    } else if chosen.is_none() {
        return None;
    }
    for id in flow.blocks.keys() {
        highlight
            .blocks
            .entry(id.clone())
            .or_insert(Mark::Unreached);
    }
    for wire in &flow.wires {
        let leads_to_rejected = matches!(highlight.blocks.get(&wire.to), Some(Mark::Rejected(_)));
        let from_unreached = matches!(highlight.blocks.get(&wire.from), Some(Mark::Unreached));
        let passed = !from_unreached || highlight.taken.is_empty();
        if leads_to_rejected && passed && !highlight.taken.contains(wire) {
            highlight.rejected.insert(wire.clone());
        }
    }
    Some(highlight)
}

/// Returns the decomposition of `task` that contains the step and the child node that leads to the
/// step, or else the first decomposition.
fn node_of(task: &Name, plan: &Plan, step: Option<usize>) -> Option<(usize, Option<usize>)> {
    let is_it = |index: usize| {
        plan.nodes.get(index).is_some_and(|node| {
            node.task.task == *task && matches!(node.kind, NodeKind::Decomposed(_))
        })
    };
    let mut above = step.and_then(|step| plan.steps.get(step)).map(|s| s.node);
    let mut below = None;
    // Parents precede their children, so this terminates.
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

fn highlight_path(highlight: &mut Highlight, flow: &Flowchart, decomposed: &Decomposed) {
    for id in decomposed.blocks.iter() {
        highlight.blocks.insert(id.clone(), Mark::Taken(None));
    }
    for (block, variable, object) in &decomposed.bindings {
        let note = format!("?{variable} = {object}");
        highlight
            .blocks
            .insert(block.clone(), Mark::Taken(Some(note)));
    }
    for wire in decomposed.wires.iter() {
        if flow.wires.contains(wire) {
            highlight.taken.insert(wire.clone());
        } else {
            // This wire represents the wires to and from muted blocks.
            highlight
                .taken
                .extend(flow.drawn_for(wire).into_iter().cloned());
        }
    }
}

/// The rejected blocks of a flowchart, each with the reason furthest along if it failed there.
#[derive(Default)]
struct Rejections(BTreeMap<BlockId, Option<(Option<Furthest>, String)>>);

impl Rejections {
    fn add(&mut self, block: &BlockId, at: Option<Furthest>, why: String) {
        let known = self.0.entry(block.clone()).or_default();
        if known.as_ref().is_none_or(|(known, _)| *known < at) {
            *known = Some((at, why));
        }
    }
}

fn highlight_failures(
    highlight: &mut Highlight,
    trace: &Trace,
    tried: usize,
    chosen: Option<&BTreeSet<&BlockId>>,
) {
    let is_taken = |id: &BlockId| chosen.is_some_and(|blocks| blocks.contains(id));
    let under = || {
        let events = trace.events.iter().enumerate().skip(tried);
        events.filter(move |(_, event)| event.parent == Some(tried))
    };
    // If every alternative failed, the blocks that all of them share explain nothing, unless one of
    // them failed.
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
    let distinguishes = |id: &BlockId| !(is_taken(id) || several && shared.contains(id));
    let failures = Failures::of(&trace.events);
    let mut rejections = Rejections::default();
    for (index, event) in under() {
        if let TraceKind::Alternative { blocks, .. } = &event.kind {
            if chosen.is_some_and(|c| set_of(blocks) == *c) {
                continue;
            }
            let own = || blocks.iter().filter(|id| distinguishes(id));
            for block in own() {
                rejections.0.entry(block.clone()).or_default();
            }
            let blame = failures.blame(index);
            // Put the reason on the block that calls the task that failed, or else on the first
            // block that only this alternative has; on the last one if a later task failed.
            let failed = blame.as_ref().and_then(|blame| blame.block);
            let is_later = blame.as_ref().is_some_and(|blame| blame.is_later);
            let place = failed
                .filter(|id| !is_taken(id))
                .or_else(|| match is_later {
                    true => own().next_back(),
                    false => own().next(),
                })
                .or_else(|| blocks.iter().rev().find(|id| !is_taken(id)));
            if let Some(place) = place {
                let at = blame.as_ref().map(|blame| blame.at);
                rejections.add(place, at, explained(&failures, trace, blame.as_ref()));
            }
        } else if let Some(block) = event.kind.block()
            && !is_taken(block)
            && let Some(why) = failures.summary(index)
        {
            rejections.add(block, Some(failures.at(index)), why);
        }
    }
    for (block, why) in rejections.0 {
        let why = why.map(|(_, why)| why);
        highlight.blocks.insert(block, Mark::Rejected(why));
    }
}

/// Explains the failure that an alternative led to.
fn explained(failures: &Failures, trace: &Trace, blame: Option<&Blame>) -> String {
    let explained = || {
        let blame = blame?;
        let why = failures.summary(blame.at.event)?;
        let event = trace.events.get(blame.at.event)?;
        Some(match event.kind {
            // The goal belongs to the scenario, not to a task.
            TraceKind::GoalFailed { .. } => why,
            _ if blame.is_later => format!("later, {}: {why}", event.task),
            _ => format!("{}: {why}", event.task),
        })
    };
    explained().unwrap_or_else(|| "led to no plan".to_owned())
}

#[cfg(test)]
mod tests;
