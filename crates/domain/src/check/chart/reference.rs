//! A naive reference for the definite assignment of variables: a walk back from each block, and an
//! enumeration of all resolutions. Random flowcharts, with forks, unreachable blocks and shared
//! variable names, must give the same results.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

use super::definite_assignment::Known;
use super::graph::Graph;
use crate::Domain;
use crate::check::fixture;
use taskloom_document::{Block, Document, Field, Name, Port};

const BLOCKS: usize = 10;

/// A flowchart: the kind of each block after Begin; wires to later blocks by number and output; and
/// `true` if outputs may have several wires.
type Chart = (Vec<u8>, Vec<(usize, usize, bool)>, bool);

fn document((kinds, wires, forks): &Chart) -> Document {
    let mut blocks = vec![r#""b0": { "kind": "begin" }"#.to_owned()];
    for (at, kind) in kinds.iter().enumerate() {
        let at = at + 1;
        blocks.push(match kind {
            0 => format!(r#""b{at}": {{ "kind": "bind", "variable": "?x: t{at}" }}"#),
            1 => format!(
                r#""b{at}": {{ "kind": "bind", "variable": "?y: t{at}", "condition": "f(?x)" }}"#
            ),
            2 | 3 => format!(r#""b{at}": {{ "kind": "branch", "condition": "c{at}" }}"#),
            4 | 5 => format!(
                r#""b{at}": {{ "kind": "choice", "alternatives": ["1 l{at}", "2 r{at}"] }}"#
            ),
            6 | 7 => format!(r#""b{at}": {{ "kind": "task", "call": "go(?x)" }}"#),
            _ => format!(r#""b{at}": {{ "kind": "task", "call": "go(?x, ?y)" }}"#),
        });
    }
    let (mut drawn, mut outputs) = (BTreeSet::new(), BTreeSet::new());
    for (from, to, first) in wires {
        let (from, to) = (from.min(to), from.max(to));
        if from == to || *to > kinds.len() {
            continue;
        }
        let port = match (from.checked_sub(1).map(|at| kinds[at]), first) {
            (Some(2 | 3), first) => first.to_string(),
            (Some(4 | 5), true) => "1".to_owned(),
            (Some(4 | 5), false) => "2".to_owned(),
            _ => "out".to_owned(),
        };
        if outputs.insert((from, port.clone())) || *forks {
            drawn.insert(format!(r#""b{from}.{port} -> b{to}""#));
        }
    }
    let wires: Vec<String> = drawn.into_iter().collect();
    let (blocks, wires) = (blocks.join(", "), wires.join(", "));
    fixture::read(&format!(
        r#"{{ "compound_tasks": {{ "go": {{ "method": {{ "blocks": {{ {blocks} }}, "wires": [{wires}] }} }} }} }}"#
    ))
}

/// Returns the blocks that lead to a block, including itself.
fn leading(graph: &Graph, end: usize) -> BTreeSet<usize> {
    let (mut met, mut stack) = (BTreeSet::new(), vec![end]);
    while let Some(block) = stack.pop() {
        if met.insert(block) {
            stack.extend(&graph.entering[block]);
        }
    }
    met
}

/// Returns the decisions of each resolution in which a block is present and no Bind of a variable
/// precedes it.
fn paths(graph: &Graph, end: usize, name: &Name) -> Vec<BTreeSet<String>> {
    let before = leading(graph, end);
    let order = graph.walk.iter().copied().filter(|b| before.contains(b));
    let order: Vec<usize> = order.collect();
    // For each deciding block, its options and their descriptions.
    let mut options: BTreeMap<usize, Vec<(Option<Port>, String)>> = BTreeMap::new();
    for &at in order.iter().filter(|at| **at != end) {
        let of = graph.blocks[at].1;
        let described = |port: Port| match (of, port) {
            (Block::Branch { condition }, side) => format!("'{condition}' is {side}"),
            (Block::Choice { alternatives, .. }, Port::Alternative(id)) => {
                format!(
                    "the Choice takes '{}'",
                    alternatives[usize::from(id) - 1].label
                )
            }
            _ => unreachable!(),
        };
        if !matches!(of, Block::Branch { .. } | Block::Choice { .. }) {
            continue;
        }
        let to = |port: Port| {
            let wires = graph.leaving[at].iter();
            wires.filter(move |(own, _)| *own == port).map(|(_, to)| to)
        };
        let (mut all, mut elsewhere) = (vec![], false);
        for port in of.ports() {
            if to(port).any(|to| before.contains(to)) {
                all.push((Some(port), described(port)));
            } else {
                elsewhere |= matches!(of, Block::Choice { .. }) || to(port).next().is_some();
            }
        }
        if elsewhere {
            all.push((None, format!("{} leads elsewhere", super::label(of))));
        }
        options.insert(at, all);
    }
    let mut found = vec![];
    let count: usize = options.values().map(Vec::len).product();
    for resolution in 0..count {
        let mut rest = resolution;
        let mut taken = BTreeMap::new();
        for (at, options) in &options {
            taken.insert(*at, &options[rest % options.len()]);
            rest /= options.len();
        }
        let mut present: BTreeSet<usize> = graph.begin.into_iter().collect();
        let (mut bound, mut described) = (BTreeSet::new(), BTreeSet::new());
        for at in order.iter().copied().filter(|at| *at != end) {
            if !present.contains(&at) {
                continue;
            }
            if graph.blocks[at]
                .1
                .binds()
                .is_some_and(|own| own.name == *name)
            {
                bound.insert(at);
            }
            let port = match taken.get(&at) {
                Some((port, text)) => {
                    described.insert(text.clone());
                    *port
                }
                None => Some(Port::Out),
            };
            for (_, to) in graph.leaving[at]
                .iter()
                .filter(|(own, _)| Some(*own) == port)
            {
                present.insert(*to);
                if bound.contains(&at) {
                    bound.insert(*to);
                }
            }
        }
        if present.contains(&end) && !bound.contains(&end) {
            found.push(described);
        }
    }
    found
}

#[derive(Debug, Default)]
struct Counts {
    charts: u32,
    always: u32,
    missing: u32,
    around: u32,
    around_without_forks: u32,
    hidden: u32,
}

fn compare(chart: &Chart, counts: &mut Counts) -> Result<(), TestCaseError> {
    let document = document(chart);
    let task = document.compound_tasks.values().next().expect("a task");
    let checked = Domain::from(&document);
    let findings = crate::check::check(&checked);
    let name = document.compound_tasks.keys().next().expect("a task");
    let method = checked.compound(name).and_then(|task| checked.method(task));
    let graph = Graph::new(&task.method, method);
    let known = Known::new(&graph);
    counts.charts += 1;
    let (mut unbound, mut hidden) = (BTreeSet::new(), BTreeSet::new());
    for (number, (id, block)) in graph.blocks.iter().enumerate() {
        let before = leading(&graph, number);
        let binds = |name: &Name| -> Vec<usize> {
            let binds = graph.binds.iter().enumerate();
            let own = binds.filter(|(_, (_, bound))| bound.name == *name);
            own.map(|(bind, _)| bind).collect()
        };
        for name in ["x", "y"].map(|name| Name::new(name).expect("a name")) {
            let all = binds(&name);
            prop_assert_eq!(known.binds(&name), &all);
            let mut leading = all.clone();
            leading.retain(|bind| before.contains(&graph.binds[*bind].0));
            prop_assert_eq!(known.bind(&name, number), leading.last().copied());
            let is_own = |own: &taskloom_document::Param| own.name == name;
            if block.binds().is_some_and(is_own) {
                if leading.len() > 1 {
                    hidden.insert((*id).clone());
                    counts.hidden += 1;
                }
                continue;
            }
            let used = block
                .texts()
                .any(|(.., text)| text.contains(&format!("?{name}")));
            let used = used && graph.is_reached(number) && !all.is_empty();
            if leading.is_empty() {
                counts.missing += u32::from(used);
                if used {
                    unbound.insert(((*id).clone(), name));
                }
                continue;
            }
            if !graph.is_reached(number) {
                continue;
            }
            let paths = paths(&graph, number, &name);
            let path = known.around(&name, number);
            prop_assert_eq!(path.is_some(), !paths.is_empty(), "{} at {}", name, id);
            if let Some(path) = path {
                if graph.has_forks() {
                    counts.around += 1;
                } else {
                    counts.around_without_forks += 1;
                }
                let described = path.when();
                let described = described.strip_prefix(", when ").unwrap_or_default();
                let described: BTreeSet<String> = described
                    .split(" and ")
                    .filter(|s| !s.is_empty())
                    .map(str::to_owned)
                    .collect();
                prop_assert!(
                    paths.iter().any(|path| described.is_subset(path)),
                    "{} at {}: {:?} is none of {:?}",
                    name,
                    id,
                    described,
                    paths
                );
                if used {
                    unbound.insert(((*id).clone(), name));
                }
            } else {
                counts.always += 1;
            }
        }
    }
    // Texts are typed the same, no matter who asks first.
    let unchecked = Domain::from(&document);
    let contents = |domain: &Domain| -> Vec<String> {
        let task = domain.compound(name);
        let method = task.and_then(|task| domain.method(task)).expect("a method");
        let positions = 0..method.chart.blocks.len() as u32;
        let contents = positions.map(|at| format!("{:?}", domain.content(method, at)));
        contents.collect()
    };
    prop_assert_eq!(contents(&checked), contents(&unchecked));
    // The findings match.
    let (mut unbound_found, mut hidden_found) = (BTreeSet::new(), BTreeSet::new());
    for found in findings {
        match (found.code, &found.place.field) {
            ("unbound-variable", Field::BlockText(id)) => {
                let name = found
                    .message
                    .get(2..3)
                    .and_then(|name| Name::new(name).ok());
                unbound_found.insert((id.clone(), name.expect("a name")));
            }
            ("hidden-variable", Field::BlockVariable(id)) => {
                hidden_found.insert(id.clone());
            }
            _ => {}
        }
    }
    prop_assert_eq!(unbound_found, unbound);
    prop_assert_eq!(hidden_found, hidden);
    Ok(())
}

#[test]
fn definite_assignment_matches_enumeration_of_resolutions() {
    const CASES: u32 = 4_000;
    let config = ProptestConfig {
        cases: CASES,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    // Every run has the same cases, so that the counts are deterministic.
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let counts = std::cell::RefCell::new(Counts::default());
    let kinds = prop::collection::vec(0_u8..9, 3..BLOCKS);
    let wire = (0..BLOCKS, 0..BLOCKS, any::<bool>());
    let charts = (kinds, prop::collection::vec(wire, 4..24), any::<bool>());
    runner
        .run(&charts, |chart| compare(&chart, &mut counts.borrow_mut()))
        .unwrap_or_else(|failure| panic!("{failure}"));
    let counts = counts.into_inner();
    assert_eq!(counts.charts, CASES);
    let least = [
        counts.always,
        counts.missing,
        counts.around,
        counts.around_without_forks,
        counts.hidden,
    ];
    assert!(least.iter().all(|count| *count > 200), "{counts:?}");
}
