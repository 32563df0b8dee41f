//! Converts a walk into a plan, for the validator.

use taskloom_document::{BlockId, Name, Wire};
use taskloom_planner::plan::{self, Atom, Change, Decomposed, GroundTask, NodeKind, Plan, Value};

use super::domain::{Call, Domain, wires};
use super::walk::Walk;
use super::world::State;

fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

fn object(object: u8) -> Name {
    name(&format!("o{object}"))
}

fn ground(domain: &Domain, (task, of): Call) -> GroundTask {
    GroundTask {
        task: name(&domain.task(task)),
        args: vec![object(of)],
    }
}

/// Returns the differences between two states.
fn changes(before: &State, after: &State) -> Vec<Change> {
    let mut changes = vec![];
    let mut differ = |fact: String, args: Vec<u8>, before: Value, after: Value| {
        if before != after {
            let args = args.into_iter().map(object).collect();
            let fact = name(&fact);
            changes.push(Change {
                atom: Atom { fact, args },
                before,
                after,
            });
        }
    };
    for f in before.plain.union(&after.plain) {
        let [b, a] = [before, after].map(|s| Value::Bool(s.plain.contains(f)));
        differ(format!("f{f}"), vec![], b, a);
    }
    for atom in before.of.union(&after.of) {
        let [b, a] = [before, after].map(|s| Value::Bool(s.of.contains(atom)));
        differ(format!("g{}", atom.0), vec![atom.1], b, a);
    }
    for atom in before.pairs.union(&after.pairs) {
        let [b, a] = [before, after].map(|s| Value::Bool(s.pairs.contains(atom)));
        differ("r".to_owned(), vec![atom.0, atom.1], b, a);
    }
    let [b, a] = [before, after].map(|s| Value::Object(s.at.map(object)));
    differ("at".to_owned(), vec![], b, a);
    let [b, a] = [before, after].map(|s| Value::Number(f64::from(s.n)));
    differ("n".to_owned(), vec![], b, a);
    changes
}

/// A set of steps, as bits.
type Steps = Vec<u64>;

fn join(into: &mut Steps, from: &Steps) {
    into.iter_mut().zip(from).for_each(|(a, b)| *a |= b);
}

/// Returns the steps that must come before each step; none for plans so large that the validator
/// does not check them.
fn before(domain: &Domain, walk: &Walk) -> Vec<Vec<usize>> {
    let (count, words) = (walk.nodes.len(), walk.steps.len().div_ceil(64));
    if count * words > 1 << 20 {
        return vec![vec![]; walk.steps.len()];
    }
    let mut below = vec![vec![0; words]; count];
    for (step, node) in walk.steps.iter().enumerate() {
        below[*node][step / 64] |= 1 << (step % 64);
    }
    for node in (0..count).rev() {
        if let Some(parent) = walk.nodes[node].parent {
            let own = below[node].clone();
            join(&mut below[parent], &own);
        }
    }
    let mut before = vec![vec![0; words]; count];
    for root in 1..domain.roots.len() {
        before[root] = before[root - 1].clone();
        join(&mut before[root], &below[root - 1]);
    }
    for (node, own) in walk.nodes.iter().enumerate() {
        let Some(decomposition) = &own.decomposition else {
            continue;
        };
        let compound = &domain.compounds[own.call.0 as usize - domain.primitives.len()];
        let method = &compound.methods[decomposition.method];
        for child in 0..method.tasks.len() {
            let mut all = before[node].clone();
            for (from, _) in method.order.iter().filter(|(_, to)| *to == child) {
                // An earlier step's predecessors are already complete, since pairs ascend.
                join(&mut all, &before[decomposition.first_child + from]);
                join(&mut all, &below[decomposition.first_child + from]);
            }
            before[decomposition.first_child + child] = all;
        }
    }
    let of_step = walk.steps.iter().map(|node| {
        let row = &before[*node];
        let all = 0..walk.steps.len();
        all.filter(|s| row[s / 64] >> (s % 64) & 1 == 1).collect()
    });
    of_step.collect()
}

/// Returns the plan of a walk.
pub fn plan(domain: &Domain, walk: &Walk) -> Plan {
    let mut steps = vec![];
    let mut number_of = vec![None; walk.nodes.len()];
    let mut state = domain.initial.clone();
    for (node, after) in walk.steps.iter().zip(before(domain, walk)) {
        let (task, of) = walk.nodes[*node].call;
        let primitive = &domain.primitives[task as usize];
        let next = state
            .after(domain, primitive, of)
            .expect("a step that was done");
        let (constant, of_n) = primitive.cost;
        number_of[*node] = Some(steps.len());
        steps.push(plan::Step {
            task: ground(domain, (task, of)),
            node: *node,
            cost: f64::from(constant) + f64::from(of_n) * f64::from(state.n),
            after,
            changes: changes(&state, &next),
        });
        state = next;
    }
    let nodes = walk.nodes.iter().enumerate().map(|(number, node)| {
        let kind = match (&node.decomposition, number_of[number]) {
            (Some(decomposition), _) => {
                let compound = &domain.compounds[node.call.0 as usize - domain.primitives.len()];
                let method = &compound.methods[decomposition.method];
                let blocks = domain.blocks(decomposition.method, method);
                let blocks = ["a", "b"]
                    .into_iter()
                    .map(str::to_owned)
                    .chain(blocks.into_iter().map(|b| b.0));
                let wires = std::iter::once("a.out -> b".to_owned())
                    .chain(wires(decomposition.method, method));
                let wires: Vec<Wire> = wires.map(|w| w.parse().expect("a wire")).collect();
                let bound = decomposition.bound.map(|o| {
                    (
                        id(&format!("v{}", decomposition.method)),
                        name("b"),
                        object(o),
                    )
                });
                NodeKind::Decomposed(Decomposed {
                    blocks: blocks.map(|b| id(&b)).collect(),
                    wires: wires.into(),
                    bindings: bound.into_iter().collect(),
                    children: (decomposition.first_child
                        ..decomposition.first_child + method.tasks.len())
                        .collect(),
                    at: decomposition.at,
                })
            }
            (None, step) => NodeKind::Step(step.expect("a task that was done")),
        };
        let block = node.parent.map(|parent| {
            let decomposition = walk.nodes[parent]
                .decomposition
                .as_ref()
                .expect("a decomposed task");
            id(&format!(
                "t{}x{}",
                decomposition.method,
                number - decomposition.first_child
            ))
        });
        plan::Node {
            task: ground(domain, node.call),
            parent: node.parent,
            block,
            is_background: false,
            kind,
        }
    });
    Plan {
        nodes: nodes.collect(),
        roots: (0..domain.roots.len()).collect(),
        cost: steps.iter().map(|step: &plan::Step| step.cost).sum(),
        steps,
        target: None,
    }
}

fn id(text: &str) -> BlockId {
    BlockId::new(text).expect("a block id")
}
