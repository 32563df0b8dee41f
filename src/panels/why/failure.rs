//! The reason why an alternative fails for certain in the world of a decision: all paths through it
//! end at a condition that is false there.

use taskloom_document::{BlockId, Name};
use taskloom_domain::lang::typed::{Formula, Query};
use taskloom_domain::lang::{Env, explain};
use taskloom_domain::method::{Content, Method};
use taskloom_domain::text::TypedText;
use taskloom_domain::world::World;
use taskloom_planner::compile::{GroundQuery, QueryAnswer};
use taskloom_planner::explain::no_answer;
use taskloom_planner::plan::{Atom, GroundTask, Value};

/// The maximum number of blocks visited while looking for a failed condition.
const MAX_BLOCKS: u32 = 400;

/// The maximum nesting of tasks in which a failed condition is looked for.
const MAX_DEPTH: u32 = 5;

/// The maximum number of objects tried at a Bind.
const MAX_OBJECTS: usize = 24;

/// A condition that is false.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// The task that has the condition.
    pub task: Name,
    /// The block that has it; `None` for a precondition.
    pub block: Option<BlockId>,
    /// The condition as typed.
    pub condition: String,
    /// The reason why it is false.
    pub why: WhyFalse,
    /// The facts that were read, with their values.
    pub seen: Vec<(Atom, Value)>,
}

/// The reason why a condition is false.
#[derive(Debug, Clone, PartialEq)]
pub enum WhyFalse {
    /// A part of it is false: here with objects in place of variables.
    Part(String),
    /// Another one, in words.
    Words(String),
}

/// The world and the answers that a decision depends on.
#[derive(Clone, Copy)]
pub struct Situation<'w> {
    pub world: &'w World,
    pub answers: &'w [QueryAnswer],
}

/// The method of a task.
#[derive(Clone, Copy)]
pub struct Place<'w> {
    pub task: &'w Name,
    pub method: &'w Method,
}

impl<'w> Place<'w> {
    /// Returns the positions of the blocks that an output leads to.
    pub fn targets(self, position: u32, option: u32) -> impl Iterator<Item = u32> + use<'w> {
        let chart = &self.method.chart;
        let wires = chart
            .wires_from(position)
            .map(|at| &chart.wires[at as usize]);
        wires
            .filter(move |wire| wire.option == option)
            .map(|wire| wire.to)
    }
}

/// A bounded search for a condition without which an alternative fails for certain.
pub struct Search<'w> {
    situation: Situation<'w>,
    /// The number of blocks that may still be visited.
    left: u32,
    /// If `true`, tasks are entered: nothing has changed before them.
    enters_tasks: bool,
}

impl<'w> Search<'w> {
    /// Starts a search. It enters the first tasks if nothing has changed before them.
    pub fn new(situation: Situation<'w>, enters_tasks: bool) -> Self {
        Self {
            situation,
            left: MAX_BLOCKS,
            enters_tasks,
        }
    }

    /// Returns the false part of a condition; `None` if it is true or invalid.
    pub fn failed(
        &self,
        (task, block): (&Name, Option<&BlockId>),
        condition: &TypedText<Formula>,
        env: &Env,
    ) -> Option<Failure> {
        if self.situation.world.holds(condition, env) != Ok(false) {
            return None;
        }
        let parts =
            explain(condition.value.as_ref()?, self.situation.world, env).unwrap_or_default();
        let part = parts.into_iter().next();
        let (part, seen) = part.map_or_else(
            || (condition.text.trim().to_owned(), vec![]),
            |part| (part.text, part.saw),
        );
        Some(Failure {
            task: task.clone(),
            block: block.cloned(),
            condition: condition.text.trim().to_owned(),
            why: WhyFalse::Part(part),
            seen,
        })
    }

    /// Returns the reason why an output fails: one of the blocks that it leads to does.
    pub fn option(
        &mut self,
        place: Place<'w>,
        position: u32,
        option: u32,
        env: &Env,
        depth: u32,
    ) -> Option<Failure> {
        let enters_tasks = self.enters_tasks;
        // What runs in parallel may change what a task requires.
        self.enters_tasks &= place.targets(position, option).nth(1).is_none();
        let mut targets = place.targets(position, option);
        let failure = targets.find_map(|to| self.block(place, to, env, depth));
        self.enters_tasks = enters_tasks;
        failure
    }

    fn block(&mut self, place: Place<'w>, position: u32, env: &Env, depth: u32) -> Option<Failure> {
        self.left = self.left.checked_sub(1)?;
        let id = &place.method.chart.blocks[position as usize].id;
        match self
            .situation
            .world
            .domain()
            .content(place.method, position)
        {
            Content::Pass => self.option(place, position, 0, env, depth),
            // What comes after a task depends on it.
            Content::Task { call, .. } => {
                let task = self
                    .situation
                    .world
                    .ground(call.value.as_ref()?, env)
                    .ok()?;
                self.task(&task, depth + 1)
            }
            Content::Branch(condition) => {
                let holds = self.situation.world.holds(condition, env).ok()?;
                let option = u32::from(!holds);
                if place.targets(position, option).next().is_none() {
                    return match holds {
                        true => Some(Failure {
                            task: place.task.clone(),
                            block: Some(id.clone()),
                            condition: format!("not ({})", condition.text.trim()),
                            why: WhyFalse::Words(format!("{} is true", condition.text.trim())),
                            seen: vec![],
                        }),
                        false => self.failed((place.task, Some(id)), condition, env),
                    };
                }
                self.option(place, position, option, env, depth)
            }
            Content::Bind { .. } => self.bind(place, position, env, depth),
            Content::Choice { alternatives, .. } => {
                let mut first = None;
                for option in 0..alternatives.len() as u32 {
                    let failure = self.option(place, position, option, env, depth)?;
                    first.get_or_insert(failure);
                }
                first
            }
        }
    }

    /// Returns the reason why a Bind has no object, or why the path fails with each of its objects.
    fn bind(&mut self, place: Place<'w>, position: u32, env: &Env, depth: u32) -> Option<Failure> {
        let world = self.situation.world;
        let Content::Bind {
            variable,
            condition,
            query,
            ..
        } = world.domain().content(place.method, position)
        else {
            return None;
        };
        let id = &place.method.chart.blocks[position as usize].id;
        let none = |condition: &str, why: String| Failure {
            task: place.task.clone(),
            block: Some(id.clone()),
            condition: condition.trim().to_owned(),
            why: WhyFalse::Words(why),
            seen: vec![],
        };
        let mut objects = world.scene().objects_of(world.document(), &variable.of);
        if let Some(query) = query
            && let Some((asked, answer)) = self.answer(query.value.as_ref()?, env)
        {
            objects.retain(|object| answer.contains(object));
            if objects.is_empty() {
                return Some(none(&query.text, no_answer(asked, &variable.of)));
            }
        }
        let mut first = None;
        for (at, object) in objects.into_iter().enumerate() {
            if at == MAX_OBJECTS {
                return None;
            }
            let mut bound = env.clone();
            bound.bind(variable.name.clone(), object);
            let fits = match condition {
                Some(condition) => world.holds(condition, &bound).ok()?,
                None => true,
            };
            if fits {
                let failure = self.option(place, position, 0, &bound, depth)?;
                first.get_or_insert(failure);
            }
        }
        Some(first.unwrap_or_else(|| match condition {
            Some(condition) => none(
                &condition.text,
                format!("no object of type {} makes it true", variable.of),
            ),
            None => none(
                &variable.to_string(),
                format!("there is no object of type {}", variable.of),
            ),
        }))
    }

    /// Returns a query with the objects that the game answered it with.
    fn answer(&self, query: &Query, env: &Env) -> Option<(&'w GroundQuery, &'w [Name])> {
        let Situation { world, answers } = self.situation;
        let args = world.arguments(&query.args, env).ok()?;
        let is_asked =
            |known: &&QueryAnswer| known.query.name == query.name && known.query.args == args;
        let known = answers.iter().find(is_asked)?;
        Some((&known.query, known.objects.as_deref()?))
    }

    fn task(&mut self, task: &GroundTask, depth: u32) -> Option<Failure> {
        if !self.enters_tasks || depth > MAX_DEPTH {
            return None;
        }
        let world = self.situation.world;
        let owner = (&task.task, None);
        if let Some(primitive) = world.primitive(task) {
            let env = Env::bound(&primitive.record.params, &task.args);
            let mut conditions = primitive.preconditions.iter();
            return conditions.find_map(|condition| self.failed(owner, condition, &env));
        }
        let compound = world.compound(task)?;
        let env = Env::bound(&compound.record.params, &task.args);
        let mut conditions = compound.preconditions.iter();
        if let Some(failure) = conditions.find_map(|condition| self.failed(owner, condition, &env))
        {
            return Some(failure);
        }
        let (name, _) = world.document().compound_tasks.get_key_value(&task.task)?;
        let method = world.domain().method(compound)?;
        self.block(Place { task: name, method }, 0, &env, depth)
    }
}
