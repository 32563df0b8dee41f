//! The domain as it is planned and run: each repetition of a task *while* a formula is true is a compound task
//! of its own, which evaluates the formula when it is decomposed.

use std::sync::Arc;

use super::Domain;
use crate::lang::{FreeVariable, free_variables};
use crate::method::{Above, Binds, Method};
use crate::records::Compound;
use crate::text::TextReader;
use taskloom_document::diagnostic::Diagnostic;
use taskloom_document::{
    Block, BlockId, CompoundTask, Document, Field, Flowchart, Kind, Name, Param, Port, Wire,
};

impl Domain {
    /// Returns the domain as it is planned and run. A Task block that repeats *while* a formula is true calls
    /// a compound task there, with the method *if the formula is true, the task that the block calls*, so the
    /// formula is evaluated in the state in which each repetition is decomposed. Without such blocks, it is
    /// the same domain.
    pub fn executable(&self) -> &Self {
        let guarded = || {
            let document = Arc::new(self.with_guards()?);
            let before = self.0.executable_before.as_ref();
            Some(before.map_or_else(
                || {
                    let (me, stop) = (self.texts().me().clone(), self.stop().clone());
                    Self::of_texts(TextReader::new(document.clone(), me, stop))
                },
                |before| before.edited(document.clone()),
            ))
        };
        self.0
            .executable
            .get_or_init(guarded)
            .as_ref()
            .unwrap_or(self)
    }

    /// Returns the executable domain of this one, or of the version that it was edited from, if it was needed.
    pub(super) fn executable_so_far(&self) -> Option<&Self> {
        let own = self.0.executable.get();
        own.map_or(self.0.executable_before.as_ref(), Option::as_ref)
    }

    /// Returns the block, with its task, from which a task of the executable domain was made; `None` for a
    /// task of the document.
    pub fn drawn_block(&self, task: &Name) -> Option<(Name, BlockId)> {
        let task = self.executable().document().compound_tasks.get(task)?;
        let whole = task.part_of.clone()?;
        let mut blocks = task.method.blocks.iter();
        let (id, _) = blocks.find(|(_, block)| block.call().is_some())?;
        Some((whole, id.clone()))
    }

    /// Returns diagnostics of an executable domain with their places in the document from which it was made.
    pub fn drawn(&self, mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
        for diagnostic in &mut diagnostics {
            let place = &mut diagnostic.place;
            let of_task = place.record.kind == Kind::CompoundTask;
            let block = self.drawn_block(&place.record.name).filter(|_| of_task);
            if let Some((task, id)) = block {
                place.record.name = task;
                place.field = match &place.field {
                    Field::BlockText(block) if *block == id => Field::BlockText(id),
                    _ => Field::BlockWhile(id),
                };
            }
        }
        diagnostics
    }

    fn with_guards(&self) -> Option<Document> {
        let is_guarded = |block: &Arc<Block>| block.repeat_while().is_some();
        let tasks = self.document().compound_tasks.iter();
        let mut tasks = tasks
            .filter(|(_, task)| task.method.blocks.values().any(is_guarded))
            .peekable();
        tasks.peek()?;
        let mut document = Document::clone(self.document());
        for (name, task) in tasks {
            let mut changed = CompoundTask::clone(task);
            let compound = self.compound(name);
            for (id, block) in &task.method.blocks {
                if !is_guarded(block) {
                    continue;
                }
                let read = compound.and_then(|compound| Some((compound, self.method(compound)?)));
                // What isn't reached is never done.
                let guard = read.and_then(|read| guard(&document, read, (name, id)));
                let block = match guard {
                    Some((guard, task)) => {
                        let params = task.params.iter().map(|param| format!("?{}", param.name));
                        let params: Vec<String> = params.collect();
                        let call = format!("{guard}({})", params.join(", "));
                        document.compound_tasks.insert(guard, Arc::new(task));
                        calling(block, call)
                    }
                    None => block.with_repeat_while(""),
                };
                changed.method.blocks.insert(id.clone(), Arc::new(block));
            }
            let tasks = &mut document.compound_tasks;
            tasks.insert(name.clone(), Arc::new(changed));
        }
        Some(document)
    }
}

/// Returns a Task block that calls another task, without its formula.
fn calling(block: &Block, task: String) -> Block {
    let mut block = block.with_repeat_while("");
    if let Block::Task { call, .. } = &mut block {
        *call = task;
    }
    block
}

/// Returns the compound task for a repetition of a block, with an unused name.
fn guard(
    document: &Document,
    (compound, method): (&Compound, &Method),
    (task, id): (&Name, &BlockId),
) -> Option<(Name, CompoundTask)> {
    let block = compound.record.method.blocks.get(id)?;
    let (call, formula) = (block.call()?, block.repeat_while()?);
    let above = Above(method, method.position(id)?);
    let params = variables([call, formula], &compound.record.params, &above);
    // The block keeps its id.
    let part = |word: &str| match id.as_str() == word {
        true => BlockId::new(&format!("{word}0")).ok(),
        false => BlockId::new(word).ok(),
    };
    let (begin, branch, end) = (part("begin")?, part("while")?, part("end")?);
    let wire = |from: &BlockId, port, to: &BlockId| Wire {
        from: from.clone(),
        port,
        to: to.clone(),
    };
    let wires = vec![
        wire(&begin, Port::Out, &branch),
        wire(&branch, Port::True, id),
        wire(&branch, Port::False, &end),
    ];
    let condition = formula.to_owned();
    let blocks = [
        (begin, Block::Begin {}),
        (branch, Block::Branch { condition }),
        (end, Block::End {}),
        (id.clone(), Block::task(call)),
    ];
    let blocks = blocks.map(|(id, block)| (id, Arc::new(block)));
    let guard = CompoundTask {
        params,
        method: Flowchart {
            blocks: blocks.into(),
            wires,
            ..Flowchart::default()
        },
        part_of: Some(task.clone()),
        ..CompoundTask::default()
    };
    let is_unused = |name: &Name| {
        !document.compound_tasks.contains_key(name) && !document.primitive_tasks.contains_key(name)
    };
    let mut names = (1..).map(|number| match number {
        1 => format!("{task}-while-{id}"),
        number => format!("{task}-while-{id}-{number}"),
    });
    let name = names.find_map(|name| Name::new(&name).ok().filter(is_unused))?;
    Some((name, guard))
}

/// Returns the variables that texts use, each once, with their types.
fn variables(texts: [&str; 2], params: &[Param], above: &Above) -> Vec<Param> {
    let mut found: Vec<Param> = vec![];
    let used = texts.map(free_variables).into_iter().flatten();
    for FreeVariable { name, .. } in used {
        let of_task = || params.iter().find(|param| param.name == name);
        let known = above.named(&name).or_else(of_task).cloned();
        // `?me` is the actor, which is known everywhere, unless a parameter or a Bind has this name.
        let is_actor = known.is_none() && name == Name::me();
        if is_actor || found.iter().any(|param| param.name == name) {
            continue;
        }
        // One that isn't bound makes the whole method impossible, as in any other block.
        found.push(known.unwrap_or_else(|| Param {
            name,
            of: Name::root(),
        }));
    }
    found
}
