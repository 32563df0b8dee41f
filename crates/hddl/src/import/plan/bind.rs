//! Checks whether a network is applicable in a world, and with which bindings.

use super::pattern::{Arg, Pattern};
use taskloom_document::stop::Stopped;
use taskloom_document::{BlockId, Name, Param, Port};
use taskloom_domain::lang::typed::{Formula, Term};
use taskloom_domain::lang::{Env, World as _, eval_formula, eval_term, explain};
use taskloom_domain::records::Compound;
use taskloom_domain::text::TypedText;
use taskloom_planner::plan::{GroundTask, World};

/// The maximum number of bindings tried for one plan,
const MAX_ATTEMPTS: u64 = 3_000_000;
/// plus this number for each decomposition: a long plan isn't a hard one.
const MORE_ATTEMPTS: u64 = 1_000;

/// The number of attempts so far.
#[derive(Default)]
pub struct Attempts {
    bindings: u64,
    decompositions: u64,
}

/// A condition for a network to be applicable.
enum Part<'a> {
    /// A condition takes this branch.
    Side(&'a BlockId, bool),
    /// The variable of a Bind block, by number, is bound to a matching object.
    Bind(usize, &'a BlockId, &'a Param),
    /// A state-dependent argument of a subtask equals the one in the plan.
    Argument(&'a BlockId, &'a Term, &'a Name),
}

/// The bindings of one decomposition: block, variable, object.
pub type Bindings = Vec<(BlockId, Name, Name)>;

impl Attempts {
    /// Returns the first bindings for which a network is applicable: the `known` ones by number,
    /// and for the others the first matching objects. `stated` has the subtasks according to the
    /// plan.
    ///
    /// # Errors
    /// The reason why there are none, as the end of a sentence.
    pub fn bindings(
        &mut self,
        world: &World,
        task: &GroundTask,
        pattern: &Pattern,
        known: &[Option<Name>],
        stated: &[&GroundTask],
    ) -> Result<Bindings, String> {
        self.decompositions += 1;
        let compound = world.compound(task).ok_or("there is no such task")?;
        let record = &compound.record;
        for (param, object) in record.params.iter().zip(&task.args) {
            if !world.has_object(object, &param.of) {
                return Err(format!("'{object}' is not a {}", param.of));
            }
        }
        let env = Env::bound(&record.params, &task.args);
        for precondition in &compound.preconditions {
            if !holds(precondition, world, &env) {
                return Err(why_not(precondition, world, &env));
            }
        }
        if let Some(goal) = &compound.goal {
            match (holds(goal, world, &env), pattern.is_by_goal) {
                (true, true) if stated.is_empty() => {}
                (true, _) => return Err("its goal is true, so it has no subtasks".to_owned()),
                (false, true) if stated.is_empty() => return Err(why_not(goal, world, &env)),
                (false, _) => {}
            }
        }
        if pattern.is_by_goal {
            return Ok(vec![]);
        }
        let parts = parts(compound, pattern, stated);
        let mut search = Search {
            attempts: self,
            world,
            compound,
            pattern,
            known,
            env,
            bound: vec![None; pattern.binds.len()],
            furthest: None,
        };
        search.run(&parts)
    }
}

/// Returns the conditions of a network.
fn parts<'a>(
    compound: &'a Compound,
    pattern: &'a Pattern,
    stated: &[&'a GroundTask],
) -> Vec<Part<'a>> {
    let mut parts = vec![];
    let resolution = pattern.resolution.iter();
    for id in resolution.flat_map(|resolution| resolution.blocks.iter()) {
        let Some((id, block)) = compound.record.method.blocks.get_key_value(id) else {
            continue;
        };
        let outputs = pattern.resolution.iter().flat_map(|r| &r.outputs);
        let taken = outputs.into_iter().find(|(block, _)| block == id);
        if let Some((_, side @ (Port::True | Port::False))) = taken {
            parts.push(Part::Side(id, *side == Port::True));
        }
        let number = pattern.binds.iter().position(|(bind, _)| bind == id);
        let bind = |variable| Part::Bind(number.unwrap_or(usize::MAX), id, variable);
        parts.extend(block.binds().map(bind));
    }
    for (subtask, stated) in pattern.subtasks.iter().zip(stated) {
        for (arg, object) in subtask.args.iter().zip(&stated.args) {
            if let (Arg::Value(term), Some(block)) = (arg, &subtask.block) {
                parts.push(Part::Argument(block, term, object));
            }
        }
    }
    parts
}

fn holds(read: &TypedText<Formula>, world: &World, env: &Env) -> bool {
    let formula = read.value.as_ref();
    formula.is_some_and(|formula| eval_formula(formula, world, env) == Ok(true))
}

/// Returns the reason why a condition is false, with objects for variables.
fn why_not(read: &TypedText<Formula>, world: &World, env: &Env) -> String {
    let Some(formula) = &read.value else {
        return "a condition cannot be read".to_owned();
    };
    let text = read.text.trim();
    match eval_formula(formula, world, env) {
        Ok(true) => format!("'{text}' holds, but the method needs it to be false"),
        Ok(false) => {
            let parts = explain(formula, world, env).unwrap_or_default();
            let part = parts.into_iter().next().map(|part| part.text);
            format!("'{}' does not hold", part.as_deref().unwrap_or(text))
        }
        Err(error) => format!("'{text}': {error}"),
    }
}

struct Search<'s> {
    attempts: &'s mut Attempts,
    world: &'s World,
    compound: &'s Compound,
    pattern: &'s Pattern,
    known: &'s [Option<Name>],
    /// The task's arguments.
    env: Env,
    /// The values of the variables of Bind blocks, by number.
    bound: Vec<Option<Name>>,
    /// The furthest part reached, with the first reason for its failure.
    furthest: Option<(usize, Failed)>,
}

/// The reason why a part failed.
enum Failed {
    Condition(BlockId, Env),
    Argument(String),
}

/// A Bind block on the stack of the search.
struct Choice {
    part: usize,
    objects: std::vec::IntoIter<Name>,
}

impl Search<'_> {
    /// Searches depth first through the Bind blocks, trying each object in turn.
    fn run(&mut self, parts: &[Part]) -> Result<Bindings, String> {
        let mut stack: Vec<Choice> = vec![];
        let mut at = 0;
        while let Some(part) = parts.get(at) {
            let goes_on = match part {
                Part::Side(id, side) => {
                    let env = self.env_at(id);
                    let is_taken = self.holds(id, &env) == *side;
                    if !is_taken {
                        self.failed(at, Failed::Condition((*id).clone(), env));
                    }
                    is_taken
                }
                Part::Argument(id, term, object) => self.is_argument(at, id, term, object),
                Part::Bind(number, _, variable) => {
                    stack.push(Choice {
                        part: at,
                        objects: self.objects(*number, variable).into_iter(),
                    });
                    false
                }
            };
            if goes_on {
                at += 1;
                continue;
            }
            // Advance the last Bind block that has another object.
            loop {
                let Some(choice) = stack.last_mut() else {
                    return Err(self.why_not());
                };
                let part = choice.part;
                let Some(Part::Bind(number, id, variable)) = parts.get(part) else {
                    return Err("a Bind block is missing".to_owned());
                };
                let object = choice.objects.next();
                if let Some(slot) = self.bound.get_mut(*number) {
                    slot.clone_from(&object);
                }
                let Some(object) = object else {
                    stack.pop();
                    continue;
                };
                if self.world.stop().after(1) {
                    return Err(Stopped.to_string());
                }
                self.attempts.bindings += 1;
                let more = self.attempts.decompositions * MORE_ATTEMPTS;
                if self.attempts.bindings > MAX_ATTEMPTS + more {
                    return Err("there are too many bindings of its variables".to_owned());
                }
                let mut env = self.env_at(id);
                env.bind(variable.name.clone(), object);
                if self.holds(id, &env) {
                    at = part + 1;
                    break;
                }
                self.failed(part, Failed::Condition((*id).clone(), env));
            }
        }
        let bound = self.pattern.binds.iter().zip(&self.bound);
        let bindings = bound.filter_map(|((id, variable), object)| {
            Some((id.clone(), variable.name.clone(), object.clone()?))
        });
        Ok(bindings.collect())
    }

    /// Returns the values of the variables at a block.
    fn env_at(&self, id: &BlockId) -> Env {
        let mut env = self.env.clone();
        for number in self.pattern.known_at(id) {
            let bind = self.pattern.binds.get(*number);
            if let (Some((_, variable)), Some(Some(object))) = (bind, self.bound.get(*number)) {
                env.bind(variable.name.clone(), object.clone());
            }
        }
        env
    }

    fn is_argument(&mut self, at: usize, id: &BlockId, term: &Term, object: &Name) -> bool {
        let env = self.env_at(id);
        let value = eval_term(term, self.world, &env);
        if value.as_ref() == Ok(&Some(object.clone())) {
            return true;
        }
        let why = match value {
            Ok(Some(other)) => format!("the plan says '{object}', but it is '{other}'"),
            Ok(None) => format!("the plan says '{object}', but there is no value"),
            Err(error) => error.to_string(),
        };
        self.failed(at, Failed::Argument(why));
        false
    }

    fn objects(&self, number: usize, variable: &Param) -> Vec<Name> {
        match self.known.get(number) {
            Some(Some(object)) if self.world.has_object(object, &variable.of) => {
                vec![object.clone()]
            }
            Some(Some(_)) => vec![],
            _ => self.world.objects(&variable.of),
        }
    }

    /// Returns the condition of a block; `None` if it has none.
    fn condition(&self, id: &BlockId) -> Option<&TypedText<Formula>> {
        let domain = self.world.domain();
        let method = domain.method(self.compound)?;
        domain.content(method, method.position(id)?).condition()
    }

    fn holds(&self, id: &BlockId, env: &Env) -> bool {
        let condition = self.condition(id);
        condition.is_none_or(|condition| holds(condition, self.world, env))
    }

    fn failed(&mut self, at: usize, why: Failed) {
        let furthest = self.furthest.as_ref().map(|(furthest, ..)| *furthest);
        if furthest.is_none_or(|furthest| at > furthest) {
            self.furthest = Some((at, why));
        }
    }

    fn why_not(&self) -> String {
        let why = self.furthest.as_ref().and_then(|(_, why)| match why {
            Failed::Argument(why) => Some(why.clone()),
            Failed::Condition(id, env) => {
                let condition = self.condition(id)?;
                Some(why_not(condition, self.world, env))
            }
        });
        why.unwrap_or_else(|| "no object can be bound".to_owned())
    }
}
