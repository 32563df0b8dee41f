//! Flowcharts that go round in a circle.
//!
//! ```text
//! t.out -> q, q.false -> t    repetition is said with recursion instead
//! ```

use taskloom_document::{Edit, Field};

use super::super::findings::Findings;
use super::graph::Graph;
use super::label;

/// So many cycles are reported in one flowchart.
const MOST: usize = 5;

pub(super) fn check(findings: &mut Findings, graph: &Graph) {
    if graph.is_acyclic() {
        return;
    }
    let mut cut = vec![];
    while cut.len() < MOST {
        let Some(cycle) = find(graph, &cut) else {
            return;
        };
        // The wire that was drawn last closed the cycle.
        let pairs = cycle.iter().zip(cycle.iter().cycle().skip(1));
        let wires = pairs.filter_map(|(&from, &to)| {
            let (position, wire) = graph.last_wire(from, to)?;
            Some((position, from, to, wire))
        });
        let Some((_, from, to, wire)) = wires.max_by_key(|(position, ..)| *position) else {
            return;
        };
        cut.push((from, to));
        let mut way: Vec<_> = cycle.iter().map(|b| label(graph.blocks[*b].1)).collect();
        let first = cycle.iter().position(|block| *block == to).unwrap_or(0);
        way.rotate_left(first);
        let name = findings.record.name.clone();
        let message = format!(
            "The wires go round in a circle: {}, and back. To repeat something, put the compound task '{name}' into its own method.",
            way.join(", ")
        );
        findings
            .error("cycle", Field::Block(wire.from.clone()), message)
            .fix(
                format!("Remove the wire back to {}", label(graph.blocks[to].1)),
                Edit::Disconnect(name, wire.clone()),
            );
    }
}

/// A cycle that goes by none of the wires in `cut`, by a depth-first walk from
/// the least id.
fn find(graph: &Graph, cut: &[(usize, usize)]) -> Option<Vec<usize>> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; graph.blocks.len()];
    for start in 0..graph.blocks.len() {
        if marks[start] != Mark::New {
            continue;
        }
        marks[start] = Mark::Open;
        let mut path = vec![(start, 0)];
        while let Some((block, next)) = path.last_mut() {
            let from = *block;
            let Some(&(_, to)) = graph.leaving[from].get(*next) else {
                marks[from] = Mark::Done;
                path.pop();
                continue;
            };
            *next += 1;
            if cut.contains(&(from, to)) {
                continue;
            }
            match marks[to] {
                Mark::New => {
                    marks[to] = Mark::Open;
                    path.push((to, 0));
                }
                Mark::Open => {
                    let way = path.iter().map(|(block, _)| *block);
                    return Some(way.skip_while(|block| *block != to).collect());
                }
                Mark::Done => {}
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::check::fixture::check_method;

    #[test]
    fn wires_in_a_circle() {
        check_method(
            "b: begin
             q: branch lit
             r: task rest
             w: task walk(box)
             x: task walk(shed)
             b.out -> q
             q.true -> r
             q.false -> w
             w.out -> x
             x.out -> q
             r.out -> r",
            expect![[r#"
                error[cycle] compound:go block r: The wires go round in a circle: Task 'rest', and back. To repeat something, put the compound task 'go' into its own method.
                    Remove the wire back to Task 'rest'
                error[cycle] compound:go block x: The wires go round in a circle: Branch 'lit', Task 'walk(box)', Task 'walk(shed)', and back. To repeat something, put the compound task 'go' into its own method.
                    Remove the wire back to Branch 'lit'
            "#]],
        );
    }
}
