//! What the search box of a method offers: blocks, tasks by name, new tasks,
//! and wires to blocks that are there.

use taskloom::document::{
    Alternative, Block, BlockId, CompoundTask, Document, Kind, Name, Param, Policy, Port, Source,
};

use super::chart::{Look, face, targets, wire_between};
use crate::canvas::scene::{End, Side, Slot};
use crate::canvas::search::Entry;
use crate::views::pick::Pick;

/// The blocks that a method can get. `side` is that of the port from which a
/// wire comes: only blocks that can take it are offered.
pub fn blocks(document: &Document, task: &Name, side: Option<Side>) -> Vec<Entry<Pick>> {
    let method = document.compound_tasks.get(task);
    let has_begin = method.is_some_and(|t| has_begin(t));
    let mut entries = vec![];
    let mut offer = |look: Look, label: &str, detail: &str, block: Block| {
        let fits = match side {
            Some(Side::Output) => block.has_input(),
            Some(Side::Input) => !block.ports().is_empty(),
            None => true,
        };
        if fits {
            entries.push(Entry {
                label: label.to_owned(),
                detail: detail.to_owned(),
                class: look.class(),
                preferred: false,
                value: Pick::Block(block),
            });
        }
    };
    if !has_begin {
        offer(
            Look::Begin,
            "Begin",
            "where the method starts",
            Block::Begin {},
        );
    }
    offer(
        Look::Branch,
        "Branch",
        "a condition, yes or no",
        Block::Branch {
            condition: String::new(),
        },
    );
    offer(
        Look::Choice,
        "Choice",
        "alternatives, tried in order",
        Block::Choice {
            policy: Policy::First,
            alternatives: [1, 2].map(unnamed).into(),
        },
    );
    if let Some(variable) = fresh_variable(document, method.map(|m| &**m)) {
        offer(
            Look::Bind,
            "Bind",
            "an object such that a condition holds",
            Block::Bind {
                variable,
                condition: String::new(),
                order_by: String::new(),
            },
        );
    }
    offer(Look::End, "End", "the method is complete", Block::End {});
    for (name, task) in &document.compound_tasks {
        let block = Block::Task {
            call: call(name, &task.params),
        };
        offer(Look::Compound, name.as_str(), "compound task", block);
    }
    for (name, task) in &document.primitive_tasks {
        let block = Block::Task {
            call: call(name, &task.params),
        };
        offer(Look::Primitive, name.as_str(), "primitive task", block);
    }
    entries
}

/// What is offered for a text that names no task: to make one. A call with
/// arguments of a task that is there is offered as it was typed.
pub fn fresh(document: &Document, typed: &str) -> Vec<Entry<Pick>> {
    let head = typed.split('(').next().unwrap_or_default().trim();
    let Ok(name) = Name::new(head) else {
        return vec![];
    };
    let compound = document.compound_tasks.contains_key(&name);
    if compound || document.primitive_tasks.contains_key(&name) {
        let look = if compound {
            Look::Compound
        } else {
            Look::Primitive
        };
        let whole = typed.contains('(') && typed.ends_with(')');
        return whole
            .then(|| Entry {
                label: typed.to_owned(),
                detail: "as typed".into(),
                class: look.class(),
                preferred: false,
                value: Pick::Block(Block::Task { call: typed.into() }),
            })
            .into_iter()
            .collect();
    }
    let entry = |look: Look, words: &str, kind| Entry {
        label: format!("New {words} ‘{name}’"),
        detail: String::new(),
        class: look.class(),
        preferred: false,
        value: Pick::New(kind, Source::Memory, Some(name.clone())),
    };
    vec![
        entry(Look::Primitive, "primitive task", Kind::PrimitiveTask),
        entry(Look::Compound, "compound task", Kind::CompoundTask),
    ]
}

/// The wires that these ports can get, for who draws them by keyboard.
pub fn wires(document: &Document, task: &Name, ends: &[End]) -> Vec<Entry<Pick>> {
    let Some(record) = document.compound_tasks.get(task) else {
        return vec![];
    };
    let faced = |end: &End| {
        let face = face(document, record.method.blocks.get(end.node.block()?)?);
        let row = face
            .rows
            .iter()
            .find(|(port, _)| end.port == Slot::Out(*port));
        let row = row.map(|(_, label)| label.clone());
        Some((face, row))
    };
    let mut entries = vec![];
    for end in ends {
        let own = faced(end).and_then(|(_, row)| row);
        for target in targets(&record.method, end, None) {
            let Some((other, row)) = faced(&target) else {
                continue;
            };
            let (label, wire) = if end.port == Slot::In {
                let row = row.map_or(String::new(), |row| format!(" {row}"));
                (
                    format!("{}{row} →", other.title),
                    wire_between(&target, end),
                )
            } else {
                let own = own.as_ref().map_or(String::new(), |row| format!("{row} "));
                (
                    format!("{own}→ {}", other.title),
                    wire_between(end, &target),
                )
            };
            entries.extend(wire.map(|wire| Entry {
                label,
                detail: other.full,
                class: other.look.class(),
                preferred: true,
                value: Pick::Wire(wire),
            }));
        }
    }
    entries
}

/// The outputs of a block that have no wire, or all where every one has.
pub fn open_output(document: &Document, task: &Name, from: &BlockId) -> Option<Port> {
    let record = document.compound_tasks.get(task)?;
    let ports = record.method.blocks.get(from)?.ports();
    let wired = |port: &Port| {
        let mut wires = record.method.wires.iter();
        wires.any(|wire| wire.from == *from && wire.port == *port)
    };
    let open = ports.iter().find(|port| !wired(port));
    open.or(ports.first()).copied()
}

/// Whether a method has a Begin.
fn has_begin(task: &CompoundTask) -> bool {
    let mut blocks = task.method.blocks.values();
    blocks.any(|block| matches!(**block, Block::Begin {}))
}

/// An alternative without a label.
pub fn unnamed(id: u16) -> Alternative {
    Alternative {
        id,
        label: String::new(),
    }
}

/// A call with the task's own parameters for arguments, as a start.
fn call(name: &Name, params: &[Param]) -> String {
    if params.is_empty() {
        return name.to_string();
    }
    let args: Vec<String> = params.iter().map(|p| format!("?{}", p.name)).collect();
    format!("{name}({})", args.join(", "))
}

/// A variable for a new Bind block: of the first type that there is, with a
/// name that the method does not use yet.
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
    use super::super::chart::tests::{example, id};
    use super::*;
    use crate::canvas::scene::Node;

    fn labels(entries: &[Entry<Pick>]) -> String {
        let labels: Vec<&str> = entries.iter().map(|e| e.label.as_str()).collect();
        labels.join(", ")
    }

    #[test]
    fn only_blocks_that_fit_the_wire_are_offered() {
        let document = example();
        let go = "go".parse().unwrap();
        let offered = |side| labels(&blocks(&document, &go, side));
        assert_eq!(offered(None), "Branch, Choice, Bind, End, go, walk-to");
        assert_eq!(
            offered(Some(Side::Input)),
            "Branch, Choice, Bind, go, walk-to"
        );
        let calls: Vec<_> = blocks(&document, &go, None)
            .into_iter()
            .filter_map(|entry| match entry.value {
                Pick::Block(Block::Task { call }) => Some(call),
                _ => None,
            })
            .collect();
        assert_eq!(calls, ["go", "walk-to(?to)"]);
    }

    #[test]
    fn a_new_name_offers_new_tasks_and_a_known_one_its_call() {
        let document = example();
        let offered = |typed| labels(&fresh(&document, typed));
        assert_eq!(
            offered("fly"),
            "New primitive task ‘fly’, New compound task ‘fly’"
        );
        assert_eq!(offered("walk-to(box)"), "walk-to(box)");
        assert_eq!(offered("walk-to"), "");
        assert_eq!(offered("3 men"), "");
    }

    #[test]
    fn wires_by_keyboard_name_the_output_and_the_block() {
        let document = example();
        let go = "go".parse().unwrap();
        let end = |block, port| End {
            node: Node::Block(id(block)),
            port,
        };
        let ends = [Port::True, Port::False].map(|port| end("q", Slot::Out(port)));
        assert_eq!(
            labels(&wires(&document, &go, &ends)),
            "yes → End, yes → walk-to, no → End, no → go"
        );
        let into = wires(&document, &go, &[end("e", Slot::In)]);
        assert_eq!(labels(&into), "Begin →, Branch yes →, Branch no →, go →");
        assert_eq!(open_output(&document, &go, &id("y")), Some(Port::Out));
        assert_eq!(open_output(&document, &go, &id("e")), None);
    }
}
