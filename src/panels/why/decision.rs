//! The decisions at a compound task: the facts that decided, the alternative taken, and those that
//! were not taken, each with the condition that failed if that is certain.

use taskloom_document::sort::CompactSort;
use taskloom_document::{BlockId, ChoicePolicy, Name};
use taskloom_domain::lang::typed::Formula;
use taskloom_domain::lang::{Env, evidence, explain};
use taskloom_domain::method::Content;
use taskloom_domain::text::TypedText;
use taskloom_domain::world::World;
use taskloom_planner::compile::QueryAnswer;
use taskloom_planner::plan::{Atom, Decomposed, Node, Value};

use super::failure::{Failure, Place, Search, Situation};

/// The decisions on the path by which a task was decomposed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Path {
    /// The choices between alternatives, in order.
    pub decisions: Vec<Decision>,
    /// The conditions and variables on the path, in order.
    pub grounds: Vec<Ground>,
}

/// A decision at a Branch or Choice on a plan's path, or by the goal of a task.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// The compound task.
    pub task: Name,
    /// The Branch or Choice; `None` for a decision by the goal.
    pub block: Option<BlockId>,
    /// The alternative taken: `no`, `2 of 3, “with the key”`, or `Search for the goal has(salt)`.
    pub taken: String,
    /// The outputs before it, each with the reason if it fails for certain.
    pub rejected: Vec<(String, Option<Failure>)>,
    /// The outputs after it, which are tried only if those before them lead to no plan.
    pub later: Vec<String>,
}

/// A condition or a variable that a decision depended on: `shelf < 2`, or `?t = nick`.
#[derive(Debug, Clone, PartialEq)]
pub struct Ground {
    /// The compound task.
    pub task: Name,
    /// The Branch or Bind.
    pub block: BlockId,
    /// The condition or variable, with the value if the condition was false.
    pub text: String,
    /// The ground facts that were read, with their values.
    pub seen: Vec<(Atom, Value)>,
}

/// Returns the decisions on the path by which a task was decomposed, in the world in which it was,
/// and with the game's answers to queries.
pub fn decisions(world: &World, node: &Node, answers: &[QueryAnswer]) -> Path {
    let decided = || {
        let decomposed = node.decomposed()?;
        let compound = world.compound(&node.task)?;
        if decomposed.is_by_goal() {
            return Some(Path {
                decisions: vec![by_goal(node, decomposed, &compound.record.goal)],
                grounds: vec![],
            });
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
        rejected: vec![],
        later: vec![],
    }
}

fn on_path(situation: Situation, place: Place, decomposed: &Decomposed, mut env: Env) -> Path {
    let Situation { world, .. } = situation;
    let chart = &place.method.chart;
    let mut path = Path::default();
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
        // Tasks before the decision change what later tasks require.
        let mut search = Search::new(situation, !after_task);
        let decision = |taken: String, rejected| Decision {
            task: place.task.clone(),
            block: Some(block.id.clone()),
            taken,
            rejected,
            later: vec![],
        };
        let ground = |text: String, seen| Ground {
            task: place.task.clone(),
            block: block.id.clone(),
            text,
            seen,
        };
        match (world.domain().content(place.method, position), taken) {
            (Content::Task { .. }, _) => after_task = true,
            (
                Content::Bind {
                    variable,
                    condition,
                    ..
                },
                _,
            ) => {
                let mut bindings = decomposed.bindings.iter();
                if let Some((.., object)) = bindings.find(|(id, ..)| *id == block.id) {
                    env.bind(variable.name.clone(), object.clone());
                    let mut seen = condition
                        .as_ref()
                        .map_or_else(Vec::new, |condition| read(world, condition, &env));
                    seen.compact_sort_by_key(|(atom, _)| !atom.args.contains(object));
                    let text = format!("?{} = {object}", variable.name);
                    path.grounds.push(ground(text, seen));
                }
            }
            (Content::Branch(condition), Some(option)) => {
                let text = condition.text.trim();
                let seen = read(world, condition, &env);
                if option == 0 {
                    path.grounds.push(ground(text.to_owned(), seen));
                    path.decisions.push(decision("yes".to_owned(), vec![]));
                    continue;
                }
                path.grounds.push(ground(format!("{text} is false"), seen));
                let other = place.targets(position, 0).next();
                let owner = (place.task, Some(&block.id));
                let failure = other.and_then(|_| search.failed(owner, condition, &env));
                let rejected = failure.map(|failure| ("yes".to_owned(), Some(failure)));
                let rejected = rejected.into_iter().collect();
                path.decisions.push(decision("no".to_owned(), rejected));
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
                let count = u32::try_from(alternatives.len()).unwrap_or(u32::MAX);
                let is_in_order = *policy == ChoicePolicy::First;
                let before = if is_in_order { option } else { 0 };
                let after = if is_in_order { option + 1 } else { count };
                let tried = (0..before)
                    .map(|other| (name(other), search.option(place, position, other, &env, 0)));
                let rejected = tried.collect();
                let label = name(option).replacen(',', &format!(" of {count},"), 1);
                let label = match label.contains(" of ") {
                    true => label,
                    false => format!("{label} of {count}"),
                };
                path.decisions.push(Decision {
                    later: (after..count).map(name).collect(),
                    ..decision(label, rejected)
                });
            }
            _ => {}
        }
    }
    path
}

/// Returns the ground facts that make a condition true, or false.
fn read(world: &World, condition: &TypedText<Formula>, env: &Env) -> Vec<(Atom, Value)> {
    let facts = || {
        let formula = condition.value.as_ref()?;
        let facts = evidence(formula, world, env).ok()?;
        if !facts.is_empty() {
            return Some(facts);
        }
        let parts = explain(formula, world, env).ok()?;
        Some(parts.into_iter().next()?.saw)
    };
    facts().unwrap_or_default()
}
