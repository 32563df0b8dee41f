//! The methods of a flowchart equal those of a naive enumeration.

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;
use taskloom_document::{Alternative, Block, BlockId, Flowchart, Port, Wire};
use taskloom_planner::compile::{Method, methods};

/// Returns the blocks that Begin reaches, by breadth-first search.
fn reached(chart: &Flowchart, wires: &[&Wire]) -> Vec<BlockId> {
    let begin = chart
        .blocks
        .iter()
        .find(|(_, b)| matches!(***b, Block::Begin {}));
    let mut met: Vec<BlockId> = begin.map(|(id, _)| id.clone()).into_iter().collect();
    let mut next = 0;
    while let Some(id) = met.get(next).cloned() {
        for wire in wires.iter().filter(|w| w.from == id) {
            if !met.contains(&wire.to) {
                met.push(wire.to.clone());
            }
        }
        next += 1;
    }
    met
}

/// Returns the blocks in topological order; of those that are ready, the one first reached comes
/// first.
fn ordered(chart: &Flowchart) -> Vec<BlockId> {
    let wires: Vec<&Wire> = chart.wires.iter().collect();
    let mut left = reached(chart, &wires);
    let mut order: Vec<BlockId> = vec![];
    while !left.is_empty() {
        let waits = |id: &BlockId| {
            let mut entering = wires.iter().filter(|w| w.to == *id);
            entering.any(|w| left.contains(&w.from))
        };
        let next = left.iter().position(|id| !waits(id)).expect("acyclic");
        order.push(left.remove(next));
    }
    order
}

/// Returns every combination of outputs, and the remaining flowchart of each.
fn naive(chart: &Flowchart) -> Vec<Method> {
    let order = ordered(chart);
    let decisions: Vec<(&BlockId, Vec<Port>)> = order
        .iter()
        .filter(|id| {
            matches!(
                *chart.blocks[*id],
                Block::Branch { .. } | Block::Choice { .. }
            )
        })
        .map(|id| (id, chart.blocks[id].ports()))
        .collect();
    let mut found: Vec<Method> = vec![];
    let total: usize = decisions.iter().map(|(_, ports)| ports.len()).product();
    for number in 0..total {
        let mut rest = number;
        let mut chosen = vec![];
        for (id, ports) in decisions.iter().rev() {
            chosen.push(((*id).clone(), ports[rest % ports.len()]));
            rest /= ports.len();
        }
        chosen.reverse();
        let open = |wire: &&Wire| {
            chosen
                .iter()
                .all(|(id, port)| *id != wire.from || *port == wire.port)
        };
        let wires: Vec<&Wire> = chart.wires.iter().filter(open).collect();
        let present = reached(chart, &wires);
        let wires: Vec<&Wire> = wires
            .into_iter()
            .filter(|w| present.contains(&w.from))
            .collect();
        let outputs: Vec<(BlockId, Port)> = chosen
            .into_iter()
            .filter(|(id, _)| present.contains(id))
            .collect();
        let leads_nowhere = |(id, port): &(BlockId, Port)| {
            let branch = matches!(*chart.blocks[id], Block::Branch { .. });
            branch && !wires.iter().any(|w| w.from == *id && w.port == *port)
        };
        if outputs.iter().any(leads_nowhere) || found.iter().any(|m| m.outputs == outputs) {
            continue;
        }
        let blocks: Vec<BlockId> = order
            .iter()
            .filter(|id| present.contains(id))
            .cloned()
            .collect();
        let is_task = |id: &&BlockId| matches!(*chart.blocks[*id], Block::Task { .. });
        let repeated = blocks.iter().filter(is_task).flat_map(|id| {
            let times = chart.blocks[id].repetitions() as usize;
            std::iter::repeat_n(id.clone(), times)
        });
        let tasks: Vec<BlockId> = repeated.collect();
        let leads = |a: &BlockId, b: &BlockId| {
            let mut open = vec![a.clone()];
            let mut seen = BTreeSet::new();
            while let Some(id) = open.pop() {
                for wire in wires.iter().filter(|w| w.from == id) {
                    if seen.insert(wire.to.clone()) {
                        open.push(wire.to.clone());
                    }
                }
            }
            seen.contains(b)
        };
        let before = |from: usize, to: usize| {
            let (a, b) = (&tasks[from], &tasks[to]);
            leads(a, b) || a == b && from < to
        };
        let mut orderings = vec![];
        for to in 0..tasks.len() {
            for from in 0..tasks.len() {
                let between = |other: usize| before(from, other) && before(other, to);
                if before(from, to) && !(0..tasks.len()).any(between) {
                    orderings.push((from, to));
                }
            }
        }
        let mut leaving = vec![];
        for id in &order {
            leaving.extend(wires.iter().filter(|w| w.from == *id).map(|w| (*w).clone()));
        }
        found.push(Method {
            blocks: blocks.into(),
            wires: leaving.into(),
            outputs,
            tasks,
            order: orderings,
        });
    }
    found
}

fn block(kind: u8, outputs: u16) -> Block {
    match kind {
        0..=2 => Block::task("wait"),
        3 => Block::task("wait").with_repeat(Some(u32::from(outputs))),
        4 | 5 => Block::Branch {
            condition: "true".into(),
        },
        6 => Block::choice(
            (1..=outputs)
                .map(|id| Alternative {
                    id,
                    label: String::new(),
                })
                .collect(),
        ),
        7 => Block::Bind {
            variable: "?x".parse().expect("a parameter"),
            condition: String::new(),
            order_by: String::new(),
            query: String::new(),
        },
        _ => Block::End {},
    }
}

prop_compose! {
    fn charts()(
        kinds in prop::collection::vec((0u8..9, 1u16..4), 0..9),
        names in Just((0..10).map(|n| format!("b{n}")).collect::<Vec<_>>()).prop_shuffle(),
        wires in prop::collection::vec((0usize..10, 0usize..10, 0usize..3), 0..24),
    ) -> Flowchart {
        let id = |n: usize| BlockId::new(&names[n]).expect("an id");
        let mut blocks = vec![Block::Begin {}];
        blocks.extend(kinds.into_iter().map(|(kind, outputs)| block(kind, outputs)));
        let mut chart = Flowchart::default();
        for (a, b, port) in wires {
            let (from, to) = (a.min(b), a.max(b));
            if from == to || to >= blocks.len() {
                continue;
            }
            let ports = blocks[from].ports();
            if let Some(port) = ports.get(port % ports.len().max(1)) {
                let wire = Wire { from: id(from), port: *port, to: id(to) };
                if !chart.wires.contains(&wire) {
                    chart.wires.push(wire);
                }
            }
        }
        chart.blocks = blocks.into_iter().enumerate().map(|(n, b)| (id(n), Arc::new(b))).collect();
        chart
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn methods_equal_a_naive_enumeration(chart in charts()) {
        let listed: Vec<Method> = methods(&chart).expect("an acyclic chart with a Begin").collect();
        prop_assert_eq!(listed, naive(&chart));
    }
}

#[test]
fn flowchart_without_begin_has_no_method() {
    let chart = Flowchart::default();
    assert!(methods(&chart).is_none());
}
