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
mod tests {
    use super::*;
    use std::sync::Arc;

    use crate::plan::{GroundTask, Node, Pruned, Step};
    use taskloom_document::Block;

    fn id(text: &str) -> BlockId {
        text.parse().unwrap()
    }

    /// Begin -> Branch -> yes: go, no: walk-to -> End, the method of `go`.
    fn example() -> Flowchart {
        let task = |call: &str| Block::Task { call: call.into() };
        let condition = "at(box)".to_owned();
        let blocks = [
            ("b", Block::Begin {}),
            ("q", Block::Branch { condition }),
            ("y", task("go")),
            ("n", task("walk-to(box)")),
            ("e", Block::End {}),
        ];
        let wires = ["b.out -> q", "q.true -> y", "q.false -> n", "n.out -> e"];
        Flowchart {
            blocks: blocks
                .into_iter()
                .map(|(name, block)| (id(name), Arc::new(block)))
                .collect(),
            wires: wires.iter().map(|wire| wire.parse().unwrap()).collect(),
            ..Flowchart::default()
        }
    }

    fn ground(name: &str) -> GroundTask {
        GroundTask {
            task: name.parse().unwrap(),
            args: vec![],
        }
    }

    fn event(parent: Option<usize>, task: &str, kind: TraceKind) -> TraceEvent {
        TraceEvent {
            parent,
            task: ground(task),
            step: 0,
            kind,
        }
    }

    fn failed(block: Option<&str>, conjunct: &str) -> TraceKind {
        TraceKind::Failed {
            block: block.map(id),
            conjunct: conjunct.into(),
            saw: vec![],
        }
    }

    fn alternative(blocks: &[&str]) -> TraceKind {
        TraceKind::Alternative {
            label: String::new(),
            blocks: blocks.iter().map(|b| id(b)).collect(),
        }
    }

    /// The path b q n e was taken, by one step.
    fn plan() -> Plan {
        let wires = ["b.out -> q", "q.false -> n", "n.out -> e"];
        Plan {
            steps: vec![Step {
                task: ground("walk-to"),
                node: 1,
                cost: 1.0,
                after: vec![],
                changes: vec![],
            }],
            nodes: vec![
                Node {
                    task: ground("go"),
                    parent: None,
                    block: None,
                    kind: NodeKind::Decomposed(Decomposed {
                        blocks: ["b", "q", "n", "e"].map(id).into(),
                        wires: wires.iter().map(|w| w.parse().unwrap()).collect(),
                        bindings: vec![(id("n"), "p".parse().unwrap(), "shed".parse().unwrap())],
                        children: vec![1],
                        at: 0,
                    }),
                },
                Node {
                    task: ground("walk-to"),
                    parent: Some(0),
                    block: Some(id("n")),
                    kind: NodeKind::Step(0),
                },
            ],
            roots: vec![0],
            cost: 1.0,
        }
    }

    fn shown(outcome: &Outcome, events: Vec<TraceEvent>, step: Option<usize>) -> String {
        let trace = Trace { events, dropped: 0 };
        let go = "go".parse().unwrap();
        let Some(light) = light(&go, &example(), outcome, &trace, step) else {
            return "nothing".into();
        };
        let mut lines: Vec<String> = light
            .blocks
            .iter()
            .map(|(id, mark)| match mark {
                Mark::Taken(None) => format!("{id} taken"),
                Mark::Taken(Some(note)) => format!("{id} taken {note}"),
                Mark::Rejected(None) => format!("{id} rejected"),
                Mark::Rejected(Some(why)) => format!("{id} rejected, {why}"),
                Mark::Unreached => format!("{id} unreached"),
            })
            .collect();
        lines.extend(light.taken.iter().map(|w| format!("taken {w}")));
        lines.extend(light.rejected.iter().map(|w| format!("rejected {w}")));
        lines.extend(light.current.iter().map(|id| format!("current {id}")));
        lines.join("\n")
    }

    #[test]
    fn the_path_is_lit_and_the_rejected_alternative_says_why() {
        let events = vec![
            event(None, "go", TraceKind::Task),
            event(Some(0), "go", alternative(&["b", "q", "y"])),
            event(Some(1), "walk-to", TraceKind::Task),
            event(Some(2), "walk-to", failed(None, "box_open")),
            event(Some(0), "go", alternative(&["b", "q", "n", "e"])),
        ];
        let light = shown(&Outcome::Plan(plan().into()), events, Some(0));
        assert_eq!(
            light,
            "b taken\ne taken\nn taken ?p = shed\nq taken\n\
             y rejected, walk-to: box_open does not hold\n\
             taken b.out -> q\ntaken n.out -> e\ntaken q.false -> n\nrejected q.true -> y\n\
             current n"
        );
    }

    #[test]
    fn the_plan_as_a_whole_has_no_current_block() {
        let light = shown(&Outcome::Plan(plan().into()), vec![], None);
        assert!(
            light.contains("n taken") && !light.contains("current"),
            "{light}"
        );
    }

    #[test]
    fn without_a_plan_the_failing_blocks_say_why() {
        let events = vec![
            event(None, "go", TraceKind::Task),
            event(Some(0), "go", failed(Some("q"), "at(box)")),
            event(Some(0), "go", TraceKind::Backtrack),
        ];
        assert_eq!(
            shown(&Outcome::NoPlan, events, None),
            "b unreached\ne unreached\nn unreached\nq rejected, at(box) does not hold\ny unreached\nrejected b.out -> q"
        );
        assert_eq!(shown(&Outcome::NoPlan, vec![], None), "nothing");
    }

    #[test]
    fn a_search_that_was_stopped_has_rejected_nothing() {
        let events = vec![
            event(None, "go", TraceKind::Task),
            event(Some(0), "go", alternative(&["b", "q", "y"])),
            event(Some(1), "walk-to", TraceKind::Task),
            event(Some(2), "walk-to", failed(None, "box_open")),
        ];
        assert_eq!(shown(&Outcome::Stopped, events, None), "nothing");
    }

    #[test]
    fn where_every_alternative_failed_each_says_why_at_the_block_that_did() {
        let events = vec![
            event(None, "go", TraceKind::Task),
            event(Some(0), "go", alternative(&["b", "q", "y"])),
            event(Some(1), "go", TraceKind::Task),
            event(Some(2), "go", failed(None, "box_open")),
            event(Some(0), "go", alternative(&["b", "q", "n", "e"])),
            event(Some(4), "walk-to", TraceKind::Task),
            event(Some(5), "walk-to", failed(None, "way(box)")),
        ];
        assert_eq!(
            shown(&Outcome::NoPlan, events, None),
            "b unreached\ne rejected\nn rejected, walk-to: way(box) does not hold\n\
             q unreached\ny rejected, go: box_open does not hold\nrejected n.out -> e\nrejected q.true -> y\nrejected q.false -> n"
        );
    }

    #[test]
    fn a_goal_that_does_not_hold_at_the_end_an_empty_type_and_a_circle_are_reasons() {
        let goal = TraceKind::GoalFailed {
            conjunct: "rich".into(),
            saw: vec![],
        };
        let tried = |reason: TraceEvent| {
            let events = vec![
                event(None, "go", TraceKind::Task),
                event(Some(0), "go", alternative(&["b", "q", "y"])),
                reason,
                event(Some(0), "go", TraceKind::Backtrack),
            ];
            let light = shown(&Outcome::NoPlan, events, None);
            let lines = light.lines().filter(|line| line.contains(", "));
            lines.map(str::to_owned).collect::<Vec<_>>().join("\n")
        };
        assert_eq!(
            tried(event(None, "day", goal)),
            "b rejected, the tasks can be done, but the goal rich does not hold at the end"
        );
        let circle = TraceKind::Pruned(Pruned::Circle);
        assert_eq!(
            tried(event(Some(1), "go", circle)),
            "y rejected, go: leads back to itself without changing anything"
        );
        let (block, of) = (id("y"), "coin".parse().unwrap());
        let events = vec![
            event(None, "go", TraceKind::Task),
            event(Some(0), "go", TraceKind::NoObject { block, of }),
            event(Some(0), "go", TraceKind::Backtrack),
        ];
        let light = shown(&Outcome::NoPlan, events, None);
        assert!(
            light.contains("y rejected, there is no object of type coin"),
            "{light}"
        );
    }

    #[test]
    fn a_task_that_the_plan_does_not_decompose_is_not_lit() {
        let empty = Plan {
            steps: vec![],
            nodes: vec![],
            roots: vec![],
            cost: 0.0,
        };
        assert_eq!(
            shown(&Outcome::Plan(empty.into()), vec![], Some(3)),
            "nothing"
        );
    }
}
