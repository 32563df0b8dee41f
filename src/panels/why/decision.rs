//! The decisions at a compound task: the alternative taken, and the first one before it that could
//! not be taken, with the condition that failed.
//!
//! A reason is only given if the alternative fails for certain in the world of the decision: all
//! paths through it end at a condition that is false there.

use taskloom_document::{BlockId, ChoicePolicy, Name};
use taskloom_domain::lang::typed::{Formula, Query};
use taskloom_domain::lang::{Env, explain};
use taskloom_domain::method::{Content, Method};
use taskloom_domain::text::TypedText;
use taskloom_domain::world::World;
use taskloom_planner::compile::{GroundQuery, QueryAnswer};
use taskloom_planner::explain::no_answer;
use taskloom_planner::plan::{Atom, Decomposed, GroundTask, Node, Value};

/// The maximum number of blocks visited while looking for a failed condition.
const MAX_BLOCKS: u32 = 400;

/// The maximum nesting of tasks in which a failed condition is looked for.
const MAX_DEPTH: u32 = 5;

/// The maximum number of objects tried at a Bind.
const MAX_OBJECTS: usize = 24;

/// A decision at a Branch or Choice on a plan's path, or by the goal of a task.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// The compound task.
    pub task: Name,
    /// The Branch or Choice; `None` for a decision by the goal.
    pub block: Option<BlockId>,
    /// The alternative taken: `no`, `2 of 3, “with the key”`, or `Search for the goal has(salt)`.
    pub taken: String,
    /// The first output before it that fails for certain, with the reason.
    pub rejected: Option<(String, Failure)>,
}

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

/// Returns the decisions on the path by which a task was decomposed, in order, in the world in
/// which it was, and with the game's answers to queries.
pub fn decisions(world: &World, node: &Node, answers: &[QueryAnswer]) -> Vec<Decision> {
    let decided = || {
        let decomposed = node.decomposed()?;
        let compound = world.compound(&node.task)?;
        if decomposed.is_by_goal() {
            return Some(vec![by_goal(node, decomposed, &compound.record.goal)]);
        }
        let method = world.domain().method(compound)?;
        let env = Env::bound(&compound.record.params, &node.task.args);
        let place = Place {
            task: &node.task.task,
            method,
        };
        let situation = Situation { world, answers };
        Some(on_path(situation, place, decomposed, env))
    };
    decided().unwrap_or_default()
}

/// Returns the decision to decompose a task by its goal.
fn by_goal(node: &Node, decomposed: &Decomposed, goal: &str) -> Decision {
    let goal = goal.trim();
    Decision {
        task: node.task.task.clone(),
        block: None,
        taken: match decomposed.children.is_empty() {
            true => format!("Nothing to do, since the goal {goal} was true,"),
            false => format!("Search for the goal {goal}"),
        },
        rejected: None,
    }
}

/// The world and the answers that a decision depends on.
#[derive(Clone, Copy)]
struct Situation<'w> {
    world: &'w World,
    answers: &'w [QueryAnswer],
}

/// The method of a task.
#[derive(Clone, Copy)]
struct Place<'w> {
    task: &'w Name,
    method: &'w Method,
}

fn on_path(
    situation: Situation,
    place: Place,
    decomposed: &Decomposed,
    mut env: Env,
) -> Vec<Decision> {
    let Situation { world, .. } = situation;
    let chart = &place.method.chart;
    let mut decisions = vec![];
    let mut after_task = false;
    for (position, block) in (0..).zip(&chart.blocks) {
        if !decomposed.blocks.contains(&block.id) {
            continue;
        }
        let mut wires = chart
            .wires_from(position)
            .map(|at| &chart.wires[at as usize]);
        let taken = wires.find(|wire| decomposed.wires.contains(&wire.wire));
        let taken = taken.map(|wire| wire.option);
        let mut search = Search {
            situation,
            left: MAX_BLOCKS,
            // Tasks before the decision change what later tasks require.
            enters_tasks: !after_task,
        };
        let decision = |taken: String, rejected| Decision {
            task: place.task.clone(),
            block: Some(block.id.clone()),
            taken,
            rejected,
        };
        match (world.domain().content(place.method, position), taken) {
            (Content::Task { .. }, _) => after_task = true,
            (Content::Bind { variable, .. }, _) => {
                let mut bindings = decomposed.bindings.iter();
                if let Some((.., object)) = bindings.find(|(id, ..)| *id == block.id) {
                    env.bind(variable.name.clone(), object.clone());
                }
            }
            (Content::Branch(_), Some(0)) => decisions.push(decision("yes".to_owned(), None)),
            (Content::Branch(condition), Some(_)) => {
                let other = place.targets(position, 0).next();
                let owner = (place.task, Some(&block.id));
                let failure = other.and_then(|_| search.failed(owner, condition, &env));
                let rejected = failure.map(|failure| ("yes".to_owned(), failure));
                decisions.push(decision("no".to_owned(), rejected));
            }
            (
                Content::Choice {
                    alternatives,
                    policy,
                    ..
                },
                Some(option),
            ) => {
                let name = |option: u32| {
                    let label = alternatives
                        .get(option as usize)
                        .map(|one| one.label.trim());
                    match label.unwrap_or_default() {
                        "" => (option + 1).to_string(),
                        label => format!("{}, “{label}”", option + 1),
                    }
                };
                let before = if *policy == ChoicePolicy::First {
                    option
                } else {
                    0
                };
                let rejected = (0..before).find_map(|other| {
                    let failure = search.option(place, position, other, &env, 0)?;
                    Some((name(other), failure))
                });
                let label = name(option).replacen(',', &format!(" of {},", alternatives.len()), 1);
                let label = match label.contains(" of ") {
                    true => label,
                    false => format!("{label} of {}", alternatives.len()),
                };
                decisions.push(decision(label, rejected));
            }
            _ => {}
        }
    }
    decisions
}

impl<'w> Place<'w> {
    /// Returns the positions of the blocks that an output leads to.
    fn targets(self, position: u32, option: u32) -> impl Iterator<Item = u32> + use<'w> {
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
struct Search<'w> {
    situation: Situation<'w>,
    /// The number of blocks that may still be visited.
    left: u32,
    /// If `true`, tasks are entered: nothing has changed before them.
    enters_tasks: bool,
}

impl<'w> Search<'w> {
    /// Returns the false part of a condition; `None` if it is true or invalid.
    fn failed(
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
    fn option(
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
