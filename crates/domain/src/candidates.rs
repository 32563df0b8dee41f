//! The blocks, typed calls and wires that can be added to a method, and the order in which its
//! blocks are read.

use std::collections::{BTreeMap, BTreeSet};

use taskloom_document::sort::{map_of, set_of};
use taskloom_document::{
    Alternative, Block, BlockId, CompoundTask, Document, Flowchart, Name, Param, Port, Wire,
};

use crate::calls::name_and_arguments;
use crate::lang::{Arguments, Scope};

/// A block that can be added to a method.
#[derive(Debug, Clone, PartialEq)]
pub struct CandidateBlock {
    /// The label by which it is found.
    pub label: String,
    /// A description, if the label isn't enough.
    pub detail: &'static str,
    /// The block.
    pub block: Block,
}

/// Returns the blocks that can be added to a task's method.
pub fn blocks(document: &Document, task: &Name) -> Vec<CandidateBlock> {
    let method = document.compound_tasks.get(task).map(|task| &**task);
    let params = method.map(|task| task.params.clone()).unwrap_or_default();
    let scope = Scope::of_domain(document, params);
    let mut candidates = vec![];
    let mut add = |label: &str, detail, block| {
        let label = label.to_owned();
        candidates.push(CandidateBlock {
            label,
            detail,
            block,
        });
    };
    if !method.is_some_and(has_begin) {
        add("Begin", "where the method starts", Block::Begin {});
    }
    let condition = String::new();
    add(
        "Branch",
        "a condition, yes or no",
        Block::Branch { condition },
    );
    let choice = Block::choice([1, 2].map(unnamed).into());
    add("Choice", "alternatives, tried in order", choice);
    if let Some(variable) = fresh_variable(document, method) {
        let bind = Block::Bind {
            variable,
            condition: String::new(),
            order_by: String::new(),
            query: String::new(),
        };
        add("Bind", "an object that satisfies a condition", bind);
    }
    add("End", "the method is complete", Block::End {});
    for (name, task) in &document.compound_tasks {
        add(
            name.as_str(),
            "compound task",
            call(name, &task.params, &scope),
        );
    }
    for (name, task) in &document.primitive_tasks {
        add(
            name.as_str(),
            "primitive task",
            call(name, &task.params, &scope),
        );
    }
    candidates
}

/// The meaning of a text typed to search for a block.
#[derive(Debug, Clone, PartialEq)]
pub enum TypedBlock {
    /// A call, with arguments, of an existing task.
    Call(Block),
    /// The name of a task that doesn't exist yet.
    New(Name),
}

/// Interprets a text typed to search for a block. Returns `None` if it is just the name of an
/// existing task, or not a name.
pub fn typed(document: &Document, text: &str) -> Option<TypedBlock> {
    let (head, _) = name_and_arguments(text);
    let name = Name::new(head).ok()?;
    let known =
        document.compound_tasks.contains_key(&name) || document.primitive_tasks.contains_key(&name);
    match (known, text.contains('(')) {
        (true, true) => {
            let count = |sign| text.matches(sign).count();
            let missing = count('(').saturating_sub(count(')'));
            let call = format!("{text}{}", ")".repeat(missing));
            Some(TypedBlock::Call(Block::task(call)))
        }
        (true, false) => None,
        (false, _) => Some(TypedBlock::New(name)),
    }
}

/// Returns the wires that can be connected to the input of a block, or to this output of it: those
/// that exist already or would close a cycle are excluded. `without` is ignored.
pub fn wires(
    flow: &Flowchart,
    block: &BlockId,
    output: Option<Port>,
    without: Option<&Wire>,
) -> Vec<Wire> {
    let present: Vec<&Wire> = flow.wires.iter().filter(|w| Some(*w) != without).collect();
    // For an input, a block after this one would close a cycle if it came before it; for an output,
    // the other way round.
    let mut next: BTreeMap<&BlockId, Vec<&BlockId>> = BTreeMap::new();
    for wire in &present {
        let (near, far) = if output.is_none() {
            (&wire.from, &wire.to)
        } else {
            (&wire.to, &wire.from)
        };
        next.entry(near).or_default().push(far);
    }
    let mut closed = BTreeSet::from([block]);
    let mut open = vec![block];
    while let Some(id) = open.pop() {
        for far in next.get(id).into_iter().flatten() {
            if closed.insert(far) {
                open.push(far);
            }
        }
    }
    let others = flow.blocks.iter().filter(|(id, _)| !closed.contains(id));
    let wires = others.flat_map(|(id, other)| match output {
        Some(port) => {
            let wire = other.has_input().then(|| Wire {
                from: block.clone(),
                port,
                to: id.clone(),
            });
            wire.into_iter().collect::<Vec<_>>()
        }
        None => {
            let wire = |port| Wire {
                from: id.clone(),
                port,
                to: block.clone(),
            };
            other.ports().into_iter().map(wire).collect()
        }
    });
    wires.filter(|wire| !present.contains(&wire)).collect()
}

/// Returns the first output of a block without a wire, or its first output if all have one.
pub fn open_output(flow: &Flowchart, from: &BlockId) -> Option<Port> {
    let ports = flow.blocks.get(from)?.ports();
    let wired = |port: &Port| {
        let mut wires = flow.wires.iter();
        wires.any(|wire| wire.from == *from && wire.port == *port)
    };
    let open = ports.iter().find(|port| !wired(port));
    open.or(ports.first()).copied()
}

/// Returns the blocks in topological order; among those that could come next, the one with the
/// lowest `place` comes first.
pub fn reading_order<P: Ord>(flow: &Flowchart, place: impl Fn(&BlockId) -> P) -> Vec<BlockId> {
    let mut waiting: BTreeMap<&BlockId, usize> = map_of(flow.blocks.keys().map(|id| (id, 0)));
    for wire in &flow.wires {
        if let Some(count) = waiting.get_mut(&wire.to) {
            *count += 1;
        }
    }
    let first = waiting.iter().filter(|(_, count)| **count == 0);
    let mut ready: BTreeSet<(P, &BlockId)> = set_of(first.map(|(id, _)| (place(id), *id)));
    let mut order = vec![];
    while let Some((_, id)) = ready.pop_first() {
        order.push(id.clone());
        waiting.remove(id);
        for wire in flow.wires.iter().filter(|wire| wire.from == *id) {
            if let Some(count) = waiting.get_mut(&wire.to) {
                *count = count.saturating_sub(1);
                if *count == 0 {
                    ready.insert((place(&wire.to), &wire.to));
                }
            }
        }
    }
    // A file may contain a cycle, which `check` reports: its blocks come last.
    order.extend(waiting.into_keys().cloned());
    order
}

fn has_begin(task: &CompoundTask) -> bool {
    let mut blocks = task.method.blocks.values();
    blocks.any(|block| block.kind().starts())
}

/// Creates an alternative without a label.
pub fn unnamed(id: u16) -> Alternative {
    Alternative {
        id,
        label: String::new(),
    }
}

/// Creates a call with proposed arguments: the method's parameters of the same types, or else the
/// only object of a type.
fn call(name: &Name, params: &[Param], scope: &Scope) -> Block {
    let arguments = Arguments::propose(params, scope, &[]).text;
    let call = match params {
        [] => name.to_string(),
        _ => format!("{name}({arguments})"),
    };
    Block::task(call)
}

/// Returns a variable for a new Bind block: of the first type, with a name that the method doesn't
/// use yet.
fn fresh_variable(document: &Document, task: Option<&CompoundTask>) -> Option<Param> {
    let object = Name::new("object").ok()?;
    let of = document.types.keys().next().unwrap_or(&object).clone();
    let params = task.into_iter().flat_map(|t| &t.params).map(|p| &p.name);
    let blocks = task.into_iter().flat_map(|t| t.method.blocks.values());
    let bound = blocks.filter_map(|block| Some(&block.binds()?.name));
    let used: Vec<&Name> = params.chain(bound).collect();
    let mut numbered = (2..).map(|n| Name::new(&format!("{of}{n}")).ok());
    let mut name = of.clone();
    while used.contains(&&name) {
        name = numbered.next()??;
    }
    Some(Param { name, of })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use taskloom_document::PrimitiveTask;

    use super::*;

    fn id(text: &str) -> BlockId {
        text.parse().unwrap()
    }

    fn go() -> Name {
        "go".parse().unwrap()
    }

    /// Begin -> Branch -> yes: go, no: walk-to -> End, the method of `go`.
    fn example() -> Document {
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
        let method = Flowchart {
            blocks: blocks
                .into_iter()
                .map(|(name, block)| (id(name), Arc::new(block)))
                .collect(),
            wires: wires.iter().map(|wire| wire.parse().unwrap()).collect(),
            ..Flowchart::default()
        };
        let walk = PrimitiveTask {
            params: vec!["?to: place".parse().unwrap()],
            ..PrimitiveTask::default()
        };
        let go_task = CompoundTask {
            method,
            ..CompoundTask::default()
        };
        let mut document = Document::default();
        let walk_to = "walk-to".parse().unwrap();
        document.primitive_tasks.insert(walk_to, Arc::new(walk));
        document.compound_tasks.insert(go(), Arc::new(go_task));
        document
    }

    fn flow(document: &Document) -> &Flowchart {
        &document.compound_tasks[&go()].method
    }

    #[test]
    fn offers_one_begin_other_blocks_and_calls() {
        let document = example();
        let candidates = blocks(&document, &go());
        let labels: Vec<&str> = candidates.iter().map(|o| o.label.as_str()).collect();
        assert_eq!(labels, ["Branch", "Choice", "Bind", "End", "go", "walk-to"]);
        let calls = candidates.iter().filter_map(|add| match &add.block {
            Block::Task { call, .. } => Some(call.as_str()),
            _ => None,
        });
        assert_eq!(calls.collect::<Vec<_>>(), ["go", "walk-to()"]);
        let none = blocks(&Document::default(), &go());
        assert_eq!(none[0].block, Block::Begin {});
    }

    #[test]
    fn new_names_create_tasks_and_known_ones_become_calls() {
        let document = example();
        let call = "walk-to(box)".to_owned();
        assert_eq!(
            typed(&document, "fly"),
            Some(TypedBlock::New("fly".parse().unwrap()))
        );
        assert_eq!(
            typed(&document, "walk-to(box)"),
            Some(TypedBlock::Call(Block::task(call)))
        );
        assert_eq!(
            typed(&document, "walk-to(box"),
            typed(&document, "walk-to(box)")
        );
        assert_eq!(typed(&document, "walk-to"), None);
        assert_eq!(typed(&document, "3 men"), None);
    }

    #[test]
    fn offers_no_duplicate_or_cyclic_wires() {
        let document = example();
        let from = |block, port: Option<Port>, without: Option<&str>| {
            let without: Option<Wire> = without.map(|w| w.parse().unwrap());
            let wires = wires(flow(&document), &id(block), port, without.as_ref());
            let wires: Vec<String> = wires.iter().map(Wire::to_string).collect();
            wires.join(", ")
        };
        let out = Some(Port::Out);
        assert_eq!(from("n", out, None), "n.out -> y");
        assert_eq!(from("y", out, None), "y.out -> e, y.out -> n");
        let yes = Some(Port::True);
        assert_eq!(from("q", yes, None), "q.true -> e, q.true -> n");
        assert_eq!(
            from("q", yes, Some("q.true -> y")),
            "q.true -> e, q.true -> n, q.true -> y"
        );
        assert_eq!(from("b", out, None), "b.out -> e, b.out -> n, b.out -> y");
        assert_eq!(
            from("e", None, None),
            "b.out -> e, q.true -> e, q.false -> e, y.out -> e"
        );
    }

    #[test]
    fn finds_the_first_unconnected_output() {
        let document = example();
        assert_eq!(open_output(flow(&document), &id("y")), Some(Port::Out));
        assert_eq!(open_output(flow(&document), &id("e")), None);
    }

    #[test]
    fn reading_order_follows_the_wires_even_with_cycles() {
        let ids = |flow: &Flowchart| {
            let order = reading_order(flow, |id| std::cmp::Reverse(id.clone()));
            order.iter().map(BlockId::to_string).collect::<String>()
        };
        let document = example();
        assert_eq!(ids(flow(&document)), "bqyne");
        let mut cycle = flow(&document).clone();
        cycle.wires.push("y.out -> q".parse().unwrap());
        assert_eq!(ids(&cycle), "benqy", "what waits for itself comes last");
    }
}
