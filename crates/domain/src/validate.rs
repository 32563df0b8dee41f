//! Checks a plan against the document, with nothing of the compiler or the search:
//! only typed trees and what they amount to in a state.
//!
//! A plan is a solution where its tree decomposes the scenario's tasks, each
//! compound task by a resolution of its flowchart whose conditions hold in the
//! state in which it was decomposed; where its steps are the tree's primitive
//! tasks, in an order that the flowcharts' wires allow; where each step's
//! preconditions hold when it starts; and where the goal holds at the end.

use std::fmt;

use crate::elaborate::Text;
use crate::ground::{Atom, Change, GroundTask, Value};
use crate::lang::typed::Formula;
use crate::lang::{Env, read_formula, read_task_call};
use crate::plan::{Decomposed, Node, NodeKind, Plan, Step};
use crate::world::World;
use taskloom_document::stop::{Stop, Stopped};
use taskloom_document::{Document, EffectTiming, Name, Param, Scenario};

mod method;
mod order;
mod path;
mod resolution;
mod rows;

/// The first thing wrong with a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invalid {
    /// What is wrong, in a sentence.
    pub message: String,
    /// The step that it concerns, where it concerns one.
    pub step: Option<usize>,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.step {
            Some(step) => write!(f, "step {}: {}", step + 1, self.message),
            None => f.write_str(&self.message),
        }
    }
}
impl std::error::Error for Invalid {}

impl Invalid {
    fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            step: None,
        }
    }

    fn at(step: usize, message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            step: Some(step),
        }
    }
}

/// Replays a plan of a scenario against the document, and says the first thing
/// that is wrong with it. A scenario that does not exist has nothing to do.
pub fn validate(document: &Document, scenario: &Name, plan: &Plan) -> Result<(), Invalid> {
    check(document, scenario, plan, &Stop::default())
}

/// The same, unless it is stopped.
///
/// # Errors
/// Where the stop was heard.
pub fn validate_until(
    document: &Document,
    scenario: &Name,
    plan: &Plan,
    stop: &Stop,
) -> Result<Result<(), Invalid>, Stopped> {
    stop.unless_heard(check(document, scenario, plan, stop))
}

/// What it says means nothing where the stop was heard.
fn check(document: &Document, scenario: &Name, plan: &Plan, stop: &Stop) -> Result<(), Invalid> {
    let document = &*document.without_muted();
    let nothing = Scenario::default();
    let scenario = document.scenarios.get(scenario);
    let scenario = scenario.map_or(&nothing, |s| &**s);
    let world = World::initial_until(document, scenario, stop.clone());
    let scope = world.scenario_scope();
    let task = |text: &String| match read_task_call(text, &scope).value {
        Some(call) => world.ground(&call, &Env::new()),
        None => Err(format!("'{}' cannot be read", text.trim())),
    };
    let tasks: Vec<_> = scenario.tasks.iter().map(task).collect();
    check_from(world, tasks.into_iter(), plan, stop)
}

/// Replays a plan that starts in a world and does these tasks, in sequence, and then
/// brings about the scenario's goal; unless it is stopped. The world's document has no
/// muted blocks; see [`Document::without_muted`].
///
/// # Errors
/// Where the stop was heard.
pub fn validate_from(
    world: World,
    tasks: &[GroundTask],
    plan: &Plan,
    stop: &Stop,
) -> Result<Result<(), Invalid>, Stopped> {
    let tasks = tasks.iter().cloned().map(Ok);
    stop.unless_heard(check_from(world, tasks, plan, stop))
}

fn check_from(
    world: World,
    tasks: impl ExactSizeIterator<Item = Result<GroundTask, String>>,
    plan: &Plan,
    stop: &Stop,
) -> Result<(), Invalid> {
    check_tree(plan)?;
    check_roots(tasks, plan)?;
    let methods = method::Methods::new(world.document(), stop);
    order::check(&methods, plan)?;
    replay(&methods, world, plan)
}

fn decomposition(node: &Node) -> Option<&Decomposed> {
    match &node.kind {
        NodeKind::Decomposed(decomposed) => Some(decomposed),
        NodeKind::Step(_) => None,
    }
}

/// Whether steps, nodes, parents and children fit together.
fn check_tree(plan: &Plan) -> Result<(), Invalid> {
    for (number, step) in plan.steps.iter().enumerate() {
        let node = plan.nodes.get(step.node);
        let fits = node.is_some_and(|n| n.kind == NodeKind::Step(number) && n.task == step.task);
        if !fits {
            return Err(Invalid::at(
                number,
                "its node in the tree is another task's",
            ));
        }
    }
    let mut children = vec![0; plan.nodes.len()];
    let mut roots = vec![];
    for (number, node) in plan.nodes.iter().enumerate() {
        match node.parent {
            None => roots.push(number),
            Some(parent) if parent < number => children[parent] += 1,
            Some(_) => {
                let message = format!("'{}' stands before its parent", node.task);
                return Err(Invalid::new(message));
            }
        }
        if let NodeKind::Step(step) = node.kind
            && plan.steps.get(step).is_none_or(|s| s.node != number)
        {
            let message = format!("'{}' of the tree is not among the steps", node.task);
            return Err(Invalid::new(message));
        }
    }
    if roots != plan.roots {
        return Err(Invalid::new("the roots are not the tasks without a parent"));
    }
    for (number, node) in plan.nodes.iter().enumerate() {
        let stated = decomposition(node).map_or(&[][..], |d| &d.children);
        let is_child = |child: &usize| {
            let child = plan.nodes.get(*child);
            child.is_some_and(|child| child.parent == Some(number))
        };
        if stated.len() != children[number]
            || !stated.iter().all(is_child)
            || !stated.is_sorted_by(|a, b| a < b)
        {
            let message = format!("the subtasks of '{}' are not its children", node.task);
            return Err(Invalid::new(message));
        }
        if decomposition(node).is_some_and(|d| d.at > plan.steps.len()) {
            let message = format!("'{}' is decomposed after the end", node.task);
            return Err(Invalid::new(message));
        }
    }
    Ok(())
}

/// Why a plan of a scenario without tasks that has steps is refused.
pub const NO_TASK: &str = "the scenario has no task, so its only plan is the empty one: Taskloom does not plan for a \
                                  goal alone yet";

fn check_roots(
    tasks: impl ExactSizeIterator<Item = Result<GroundTask, String>>,
    plan: &Plan,
) -> Result<(), Invalid> {
    if plan.roots.len() != tasks.len() {
        if tasks.len() == 0 {
            return Err(Invalid::new(NO_TASK));
        }
        let (roots, tasks) = (plan.roots.len(), tasks.len());
        return Err(Invalid::new(format!(
            "the plan does {roots} tasks, the scenario has {tasks}"
        )));
    }
    for (root, task) in plan.roots.iter().zip(tasks) {
        let task = task.map_err(Invalid::new)?;
        if plan.nodes[*root].task != task {
            let found = &plan.nodes[*root].task;
            return Err(Invalid::new(format!(
                "the plan does '{found}', the scenario says '{task}'"
            )));
        }
    }
    Ok(())
}

/// A task's parameters bound to its objects, which have to be of their types.
fn bind(world: &World, params: &[Param], task: &GroundTask) -> Result<Env, String> {
    if params.len() != task.args.len() {
        return Err(format!("'{task}' has {} arguments", task.args.len()));
    }
    for (param, object) in params.iter().zip(&task.args) {
        if !world.fits(object, &param.of) {
            return Err(format!("'{object}' is no {}", param.of));
        }
    }
    Ok(Env::bound(params, &task.args))
}

fn replay(methods: &method::Methods, mut world: World, plan: &Plan) -> Result<(), Invalid> {
    let mut cost = 0.0;
    let mut decomposed: Vec<(usize, &Node)> = plan
        .nodes
        .iter()
        .filter_map(|node| Some((decomposition(node)?.at, node)))
        .collect();
    decomposed.sort_by_key(|(at, _)| *at);
    let mut decomposed = decomposed.into_iter().peekable();
    for number in 0..=plan.steps.len() {
        if methods.stop.after(1) {
            break;
        }
        while let Some((_, node)) = decomposed.next_if(|(at, _)| *at == number) {
            resolution::check(methods, &world, plan, node)
                .map_err(|why| Invalid::new(format!("decomposition of '{}': {why}", node.task)))?;
        }
        if let Some(step) = plan.steps.get(number) {
            check_step(&world, step).map_err(|why| Invalid::at(number, why))?;
            world.apply(&step.changes);
            cost += step.cost;
        }
    }
    if !is_near(cost, plan.cost) {
        let message = format!("the steps cost {cost}, the plan says {}", plan.cost);
        return Err(Invalid::new(message));
    }
    let goal = &world.scenario().goal;
    if !goal.trim().is_empty() {
        let scope = world.scenario_scope();
        let goal = world.domain().read(goal, &scope, read_formula);
        let goal = check_all(&world, &[goal], &Env::new());
        goal.map_err(|why| Invalid::new(format!("at the end, {why}")))?;
    }
    Ok(())
}

fn is_near(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

/// The first of some formulas that does not hold, as a reason.
fn check_all(world: &World, formulas: &[Text<Formula>], env: &Env) -> Result<(), String> {
    for read in formulas {
        if !world.holds(read, env)? {
            return Err(format!("'{}' does not hold", read.text.trim()));
        }
    }
    Ok(())
}

fn check_step(world: &World, step: &Step) -> Result<(), String> {
    let task = world.primitive(&step.task);
    let task = task.ok_or_else(|| format!("'{}' is no primitive task", step.task.task))?;
    let env = bind(world, &task.record.params, &step.task)?;
    check_all(world, &task.preconditions, &env)?;
    let cost = world.cost(task, &step.task.args);
    if !is_near(cost, step.cost) {
        return Err(format!("it costs {cost}, not {}", step.cost));
    }
    let planned = |timing| timing != EffectTiming::Executed;
    let changes = world.changes(task, &step.task.args, planned)?;
    let mut stated: Vec<&Change> = step.changes.iter().collect();
    stated.sort_by_key(|change| &change.atom);
    if !changes.iter().eq(stated.iter().copied()) {
        let list = |changes: &mut dyn Iterator<Item = &Change>| {
            let shown = changes.map(|c| format!("{} = {}", c.atom, c.after));
            shown.collect::<Vec<_>>().join(", ")
        };
        let found = list(&mut changes.iter());
        let said = list(&mut stated.into_iter());
        return Err(format!("it changes '{found}', not '{said}'"));
    }
    Ok(())
}

/// The state in which a scenario starts, by ground fact: all that have another
/// value than the default, and of facts with few ground instances every one.
pub fn initial_state(document: &Document, scenario: &Name) -> Vec<(Atom, Value)> {
    listing(document, scenario, &Stop::default())
}

/// The same, unless it is stopped.
///
/// # Errors
/// Where the stop was heard.
pub fn initial_state_until(
    document: &Document,
    scenario: &Name,
    stop: &Stop,
) -> Result<Vec<(Atom, Value)>, Stopped> {
    stop.unless_heard(listing(document, scenario, stop))
}

fn listing(document: &Document, scenario: &Name, stop: &Stop) -> Vec<(Atom, Value)> {
    match document.scenarios.get(scenario) {
        Some(record) => World::initial_until(document, record, stop.clone()).listing(),
        None => vec![],
    }
}
