use super::*;
use std::sync::Arc;

use crate::plan::{GroundTask, Node, Pruned, Step};
use taskloom_document::Block;

fn id(text: &str) -> BlockId {
    text.parse().unwrap()
}

/// Begin -> Branch -> yes: go, no: walk-to -> End, the method of `go`.
fn example() -> Flowchart {
    let task = |call: &str| Block::task(call);
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

fn reached(block: Option<&str>) -> TraceKind {
    TraceKind::Task {
        block: block.map(id),
    }
}

fn failed(block: Option<&str>, conjunct: &str) -> TraceKind {
    TraceKind::Failed {
        block: block.map(id),
        variable: None,
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
                is_background: false,
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
                is_background: false,
                kind: NodeKind::Step(0),
            },
        ],
        roots: vec![0],
        cost: 1.0,
        target: None,
    }
}

fn shown(outcome: &Outcome, events: Vec<TraceEvent>, step: Option<usize>) -> String {
    let trace = Trace {
        events,
        ..Trace::default()
    };
    let go = "go".parse().unwrap();
    let Some(highlight) = highlight(&go, &example(), outcome, &trace, step) else {
        return "nothing".into();
    };
    let mut lines: Vec<String> = highlight
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
    lines.extend(highlight.taken.iter().map(|w| format!("taken {w}")));
    lines.extend(highlight.rejected.iter().map(|w| format!("rejected {w}")));
    lines.extend(highlight.current.iter().map(|id| format!("current {id}")));
    lines.join("\n")
}

#[test]
fn highlights_the_path_and_explains_rejected_alternatives() {
    let events = vec![
        event(None, "go", reached(None)),
        event(Some(0), "go", alternative(&["b", "q", "y"])),
        event(Some(1), "walk-to", reached(Some("y"))),
        event(Some(2), "walk-to", failed(None, "box_open")),
        event(Some(0), "go", alternative(&["b", "q", "n", "e"])),
    ];
    let highlight = shown(&Outcome::Plan(plan().into()), events, Some(0));
    assert_eq!(
        highlight,
        "b taken\ne taken\nn taken ?p = shed\nq taken\n\
         y rejected, walk-to: box_open does not hold\n\
         taken b.out -> q\ntaken n.out -> e\ntaken q.false -> n\nrejected q.true -> y\n\
         current n"
    );
}

#[test]
fn whole_plan_has_no_current_block() {
    let highlight = shown(&Outcome::Plan(plan().into()), vec![], None);
    assert!(
        highlight.contains("n taken") && !highlight.contains("current"),
        "{highlight}"
    );
}

#[test]
fn explains_failing_blocks_without_a_plan() {
    let events = vec![
        event(None, "go", reached(None)),
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
fn stopped_search_rejects_nothing() {
    let events = vec![
        event(None, "go", reached(None)),
        event(Some(0), "go", alternative(&["b", "q", "y"])),
        event(Some(1), "walk-to", reached(Some("y"))),
        event(Some(2), "walk-to", failed(None, "box_open")),
    ];
    assert_eq!(shown(&Outcome::Stopped, events, None), "nothing");
}

#[test]
fn explains_each_failed_alternative_at_its_failing_block() {
    let events = vec![
        event(None, "go", reached(None)),
        event(Some(0), "go", alternative(&["b", "q", "y"])),
        event(Some(1), "go", reached(Some("y"))),
        event(Some(2), "go", failed(None, "box_open")),
        event(Some(0), "go", alternative(&["b", "q", "n", "e"])),
        event(Some(4), "walk-to", reached(Some("n"))),
        event(Some(5), "walk-to", failed(None, "way(box)")),
    ];
    assert_eq!(
        shown(&Outcome::NoPlan, events, None),
        "b unreached\ne rejected\nn rejected, walk-to: way(box) does not hold\n\
         q unreached\ny rejected, go: box_open does not hold\nrejected n.out -> e\nrejected q.true -> y\nrejected q.false -> n"
    );
}

#[test]
fn explains_unmet_goals_empty_types_and_cycles() {
    let goal = TraceKind::GoalFailed {
        conjunct: "rich".into(),
        saw: vec![],
    };
    let tried = |reason: TraceEvent| {
        let events = vec![
            event(None, "go", reached(None)),
            event(Some(0), "go", alternative(&["b", "q", "y"])),
            reason,
            event(Some(0), "go", TraceKind::Backtrack),
        ];
        let highlight = shown(&Outcome::NoPlan, events, None);
        let lines = highlight.lines().filter(|line| line.contains(", "));
        lines.map(str::to_owned).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(
        tried(event(None, "day", goal)),
        "y rejected, the tasks succeed, but the goal rich does not hold at the end"
    );
    let circle = TraceKind::Pruned {
        why: Pruned::Circle,
        block: Some(id("y")),
    };
    assert_eq!(
        tried(event(Some(1), "go", circle)),
        "y rejected, go: leads back to itself without changing anything"
    );
    let (block, of) = (id("y"), "coin".parse().unwrap());
    let events = vec![
        event(None, "go", reached(None)),
        event(Some(0), "go", TraceKind::NoObject { block, of }),
        event(Some(0), "go", TraceKind::Backtrack),
    ];
    let highlight = shown(&Outcome::NoPlan, events, None);
    assert!(
        highlight.contains("y rejected, there is no object of type coin"),
        "{highlight}"
    );
}

#[test]
fn tasks_outside_the_plan_are_not_highlighted() {
    let empty = Plan {
        steps: vec![],
        nodes: vec![],
        roots: vec![],
        cost: 0.0,
        target: None,
    };
    assert_eq!(
        shown(&Outcome::Plan(empty.into()), vec![], Some(3)),
        "nothing"
    );
}
