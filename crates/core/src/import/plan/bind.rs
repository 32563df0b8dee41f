//! Whether a resolution is applicable in a world, and with which bindings.

use rustc_hash::FxHashMap;

use crate::compile;
use crate::document::{Block, BlockId, CompoundTask, Document, Name, Param, Port};
use crate::lang::typed::Formula;
use crate::lang::{Env, Scope, World as _, eval_formula, explain, read_formula};
use crate::plan::{GroundTask, World};

/// So many bindings are tried for one plan,
const MOST_TRIED: u64 = 3_000_000;
/// and so many more for each decomposition: a long plan is not a hard one.
const MORE_TRIED: u64 = 1_000;

/// A formula, with its text.
type Read = Option<(Formula, String)>;

/// What is read of flowcharts so far.
#[derive(Default)]
pub struct Conditions {
    preconditions: FxHashMap<Name, Vec<Read>>,
    blocks: FxHashMap<(Name, BlockId), Read>,
    tried: u64,
    decompositions: u64,
}

/// A part of a resolution that can fail.
enum Part<'a> {
    Side(&'a BlockId, bool),
    Bind(&'a BlockId, &'a Param),
}

/// The bindings of one decomposition: block, variable, object.
pub type Bindings = Vec<(BlockId, Name, Name)>;

fn read(text: &str, scope: &Scope) -> Read {
    let formula = read_formula(text, scope).value?;
    Some((formula, text.trim().to_owned()))
}

impl Conditions {
    /// The first bindings with which a resolution is applicable.
    ///
    /// # Errors
    /// Why there are none, as the end of a sentence.
    pub fn bindings(
        &mut self,
        document: &Document,
        world: &World,
        task: &GroundTask,
        resolution: &compile::Method,
        known: &[(Name, Name)],
    ) -> Result<Bindings, String> {
        self.decompositions += 1;
        let record = document.compound_tasks.get(&task.task);
        let record = record.ok_or("there is no such task")?;
        for (param, object) in record.params.iter().zip(&task.args) {
            if !world.has_object(object, &param.of) {
                return Err(format!("'{object}' is no {}", param.of));
            }
        }
        let env = Env::bound(&record.params, &task.args);
        let scope = world.scope(&record.params);
        let preconditions = self.preconditions.entry(task.task.clone());
        let preconditions = preconditions.or_insert_with(|| {
            record
                .preconditions
                .iter()
                .map(|t| read(t, &scope))
                .collect()
        });
        for precondition in preconditions {
            if !holds(precondition, world, &env) {
                return Err(why_not(precondition, world, &env));
            }
        }
        let parts = self.parts(record, task, resolution, &scope);
        let mut search = Search {
            conditions: self,
            world,
            task,
            known,
            furthest: None,
        };
        search.run(&parts, env)
    }

    /// The parts of a resolution, with their conditions read.
    fn parts<'a>(
        &mut self,
        record: &'a CompoundTask,
        task: &GroundTask,
        resolution: &compile::Method,
        scope: &Scope,
    ) -> Vec<Part<'a>> {
        let mut scope = scope.clone();
        let mut parts = vec![];
        for id in &resolution.blocks {
            let Some((id, block)) = record.method.blocks.get_key_value(id) else {
                continue;
            };
            let text = match &**block {
                Block::Branch { condition } => {
                    let taken = resolution.outputs.iter().find(|(block, _)| block == id);
                    let side = taken.is_some_and(|(_, port)| *port == Port::True);
                    parts.push(Part::Side(id, side));
                    condition
                }
                Block::Bind {
                    variable,
                    condition,
                    ..
                } => {
                    scope.variables.push(variable.clone());
                    parts.push(Part::Bind(id, variable));
                    match condition.trim().is_empty() {
                        true => "true",
                        false => condition,
                    }
                }
                _ => continue,
            };
            let key = (task.task.clone(), id.clone());
            self.blocks.entry(key).or_insert_with(|| read(text, &scope));
        }
        parts
    }
}

fn holds(read: &Read, world: &World, env: &Env) -> bool {
    let formula = read.as_ref().map(|(formula, _)| formula);
    formula.is_some_and(|formula| eval_formula(formula, world, env) == Ok(true))
}

/// Why a condition does not hold, with objects for variables.
fn why_not(read: &Read, world: &World, env: &Env) -> String {
    let Some((formula, text)) = read else {
        return "a condition cannot be read".to_owned();
    };
    match eval_formula(formula, world, env) {
        Ok(true) => format!("'{text}' holds, and its other side is wanted"),
        Ok(false) => {
            let parts = explain(formula, world, env).unwrap_or_default();
            let part = parts.into_iter().next().map(|part| part.text);
            format!("'{}' does not hold", part.as_ref().unwrap_or(text))
        }
        Err(error) => format!("'{text}': {error}"),
    }
}

struct Search<'s, 'w> {
    conditions: &'s mut Conditions,
    world: &'s World<'w>,
    task: &'s GroundTask,
    known: &'s [(Name, Name)],
    /// The part that it came to and not beyond, with the first bindings there.
    furthest: Option<(usize, BlockId, Env)>,
}

/// A Bind block on the stack of the search.
struct Choice {
    part: usize,
    objects: std::vec::IntoIter<Name>,
    env: Env,
}

impl Search<'_, '_> {
    /// Depth first through the Bind blocks, each object in turn.
    fn run(&mut self, parts: &[Part], env: Env) -> Result<Bindings, String> {
        let mut stack: Vec<Choice> = vec![];
        let mut bindings: Bindings = vec![];
        let mut at = 0;
        let mut env = env;
        while let Some(part) = parts.get(at) {
            let goes_on = match part {
                Part::Side(id, side) => {
                    let is_taken = self.holds(id, &env) == *side;
                    if !is_taken {
                        self.failed(at, id, &env);
                    }
                    is_taken
                }
                Part::Bind(_, variable) => {
                    stack.push(Choice {
                        part: at,
                        objects: self.objects(variable).into_iter(),
                        env: env.clone(),
                    });
                    false
                }
            };
            if goes_on {
                at += 1;
                continue;
            }
            // The next object of the last Bind block that has one.
            loop {
                let Some(choice) = stack.last_mut() else {
                    return Err(self.why_not());
                };
                bindings.truncate(stack_len(parts, choice.part));
                let Some(Part::Bind(id, variable)) = parts.get(choice.part) else {
                    return Err("a Bind block is missing".to_owned());
                };
                let Some(object) = choice.objects.next() else {
                    stack.pop();
                    continue;
                };
                self.conditions.tried += 1;
                let more = self.conditions.decompositions * MORE_TRIED;
                if self.conditions.tried > MOST_TRIED + more {
                    return Err("there are too many ways to bind its variables".to_owned());
                }
                env = choice.env.clone();
                env.bind(variable.name.clone(), object.clone());
                let part = choice.part;
                if self.holds(id, &env) {
                    bindings.push(((*id).clone(), variable.name.clone(), object));
                    at = part + 1;
                    break;
                }
                self.failed(part, id, &env);
            }
        }
        Ok(bindings)
    }

    fn objects(&self, variable: &Param) -> Vec<Name> {
        let known = self.known.iter().find(|(name, _)| *name == variable.name);
        match known {
            Some((_, object)) if self.world.has_object(object, &variable.of) => {
                vec![object.clone()]
            }
            Some(_) => vec![],
            None => self.world.objects(&variable.of),
        }
    }

    fn read(&self, id: &BlockId) -> Option<&Read> {
        let key = (self.task.task.clone(), id.clone());
        self.conditions.blocks.get(&key)
    }

    fn holds(&self, id: &BlockId, env: &Env) -> bool {
        let read = self.read(id);
        read.is_some_and(|read| holds(read, self.world, env))
    }

    fn failed(&mut self, at: usize, id: &BlockId, env: &Env) {
        let furthest = self.furthest.as_ref().map(|(furthest, ..)| *furthest);
        if furthest.is_none_or(|furthest| at > furthest) {
            self.furthest = Some((at, id.clone(), env.clone()));
        }
    }

    fn why_not(&self) -> String {
        let why = self.furthest.as_ref().and_then(|(_, id, env)| {
            let read = self.read(id)?;
            Some(why_not(read, self.world, env))
        });
        why.unwrap_or_else(|| "no object can be bound".to_owned())
    }
}

/// How many Bind blocks stand before a part.
fn stack_len(parts: &[Part], part: usize) -> usize {
    let before = parts.iter().take(part);
    before.filter(|p| matches!(p, Part::Bind(..))).count()
}
