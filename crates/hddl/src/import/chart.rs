//! Draws methods as one flowchart.
//!
//! Block ids encode their roles, so that the document preserves them: `m2t3` is the third subtask,
//! in declared order, of the second method.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::formula::text_of;
use super::methods::MethodPath;
use taskloom_document::sort::map_of;
use taskloom_document::stop::Stop;
use taskloom_document::syntax::ast::ExprKind;
use taskloom_document::syntax::print_reference;
use taskloom_document::{Alternative, Block, BlockId, ChoicePolicy, Flowchart, Point, Port, Wire};

/// The prefix of a note that names a task's only method.
const METHOD: &str = "Its method is called ";

/// Returns the note of a task with these methods: a single one has no output to be labelled.
pub fn note(ways: &[MethodPath]) -> String {
    match ways {
        [one] => format!("{METHOD}{}.", one.label),
        _ => String::new(),
    }
}

/// Returns the name of a task's only method according to a note.
pub fn method_in(note: &str) -> Option<&str> {
    note.strip_prefix(METHOD)?.strip_suffix('.')
}

/// Returns the number of a subtask's block, in declared order within its method.
pub fn subtask_number(id: &BlockId) -> Option<usize> {
    let (method, number) = id.as_str().strip_prefix('m')?.split_once('t')?;
    method.parse::<usize>().ok()?;
    number.parse().ok()
}

#[derive(Default)]
struct Drawing {
    blocks: Vec<(BlockId, Arc<Block>)>,
    wires: Vec<Wire>,
}

/// Draws the methods of one task; without methods, it can't be decomposed. The drawing is
/// meaningless if stopped.
pub fn draw(ways: &[MethodPath], stop: &Stop) -> (Flowchart, BTreeMap<BlockId, Point>) {
    let mut drawing = Drawing::default();
    let begin = drawing.block("begin".to_owned(), Block::Begin {});
    let start = (begin, Port::Out);
    match ways {
        [] => {
            let never = MethodPath {
                guard: vec![ExprKind::Bool(false).into()],
                ..MethodPath::default()
            };
            drawing.path(1, &never, start);
        }
        [one] => drawing.path(1, one, start),
        several => {
            let numbered = (1u16..).zip(several);
            let choice = Block::Choice {
                policy: ChoicePolicy::First,
                scores: Default::default(),
                alternatives: numbered
                    .clone()
                    .map(|(id, path)| Alternative {
                        id,
                        label: path.label.clone(),
                    })
                    .collect(),
            };
            let choice = drawing.block("choice".to_owned(), choice);
            drawing.wire(start, choice.clone());
            for (id, path) in numbered {
                if stop.after(1 + path.binds.len() + path.tasks.len()) {
                    break;
                }
                let from = (choice.clone(), Port::Alternative(id));
                drawing.path(id.into(), path, from);
            }
        }
    }
    let chart = Flowchart {
        blocks: map_of(drawing.blocks),
        wires: drawing.wires,
        ..Flowchart::default()
    };
    let points = taskloom_layout::draw(&chart, stop);
    (chart, points)
}

impl Drawing {
    fn block(&mut self, id: String, block: Block) -> BlockId {
        let id = BlockId::new(&id)
            .or_else(|_| BlockId::new("b"))
            .unwrap_or_else(|_| unreachable!("'b' is a block id"));
        self.blocks.push((id.clone(), Arc::new(block)));
        id
    }

    fn wire(&mut self, (from, port): (BlockId, Port), to: BlockId) {
        self.wires.push(Wire { from, port, to });
    }

    /// Draws one method from an output.
    fn path(&mut self, number: usize, path: &MethodPath, mut from: (BlockId, Port)) {
        if !path.guard.is_empty() {
            let condition = text_of(path.guard.clone());
            let branch = self.block(format!("m{number}if"), Block::Branch { condition });
            self.wire(from, branch.clone());
            from = (branch, Port::True);
        }
        for (at, (variable, conditions)) in path.binds.iter().enumerate() {
            let block = Block::Bind {
                variable: variable.clone(),
                condition: text_of(conditions.clone()),
                order_by: String::new(),
                query: String::new(),
            };
            let bind = self.block(format!("m{number}v{}", at + 1), block);
            self.wire(from, bind.clone());
            from = (bind, Port::Out);
        }
        if path.tasks.is_empty() {
            let end = self.block(format!("m{number}end"), Block::End {});
            self.wire(from, end);
            return;
        }
        self.tasks(number, path, &from);
    }

    /// Draws the network of a method.
    fn tasks(&mut self, number: usize, path: &MethodPath, from: &(BlockId, Port)) {
        let calls = path.tasks.iter().enumerate();
        let blocks: Vec<BlockId> = calls
            .map(|(at, call)| {
                let block = Block::task(print_reference(call));
                self.block(format!("m{number}t{}", at + 1), block)
            })
            .collect();
        let waits: FxHashSet<usize> = path.order.iter().map(|(_, after)| *after).collect();
        for (at, block) in blocks.iter().enumerate() {
            if !waits.contains(&at) {
                self.wire(from.clone(), block.clone());
            }
        }
        for (before, after) in &path.order {
            if let (Some(before), Some(after)) = (blocks.get(*before), blocks.get(*after)) {
                self.wire((before.clone(), Port::Out), after.clone());
            }
        }
    }
}
