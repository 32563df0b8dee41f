//! Replays a plan: checks that each decomposition and each step is possible in the state in which
//! it happens.

use super::method::Methods;
use super::path::Paths;
use super::tree::NO_TASK;
use super::{Invalid, resolution};
use crate::ground::{Change, GroundTask};
use crate::lang::Env;
use crate::lang::typed::Formula;
use crate::plan::{Plan, PlanTarget, Step};
use crate::records::{Goal, Primitive};
use crate::text::TypedText;
use crate::world::World;
use taskloom_document::sort::CompactSort;
use taskloom_document::syntax::decimal::rounded;
use taskloom_document::{EffectTiming, Kind, Param};

/// Stands for no node.
const NONE: usize = usize::MAX;

/// The replay of a plan.
#[derive(Debug)]
pub struct Replay {
    /// The next step.
    step: usize,
    /// The number of the first tasks that clean up, and `true` once there was a step of another one.
    pub cleanups: usize,
    has_begun: bool,
    cost: f64,
    /// The first remaining decomposition before each step, and after the last one.
    first: Vec<usize>,
    /// The decomposition that follows each of them, by node.
    next: Vec<usize>,
    /// The number of subgoals that have been reached, one after the other.
    subgoals: usize,
}

impl Replay {
    /// Creates a replay before the first step.
    pub fn new(steps: usize, nodes: usize) -> Self {
        Self {
            step: 0,
            cleanups: 0,
            has_begun: false,
            cost: 0.0,
            first: vec![NONE; steps + 1],
            next: vec![NONE; nodes],
            subgoals: 0,
        }
    }

    /// Records when a node is decomposed. The last nodes come first.
    pub fn note(&mut self, plan: &Plan, number: usize) {
        if let Some(decomposed) = plan.nodes[number].decomposed() {
            let first = &mut self.first[decomposed.at];
            self.next[number] = std::mem::replace(first, number);
        }
    }

    /// Replays the next decomposition or step.
    pub fn advance(
        &mut self,
        methods: &Methods,
        paths: &mut Paths,
        world: &mut World,
        plan: &Plan,
    ) -> Result<(), Invalid> {
        self.reach_subgoals(world, plan)?;
        let number = self.first[self.step];
        if let Some(node) = plan.nodes.get(number) {
            self.first[self.step] = self.next[number];
            return resolution::check(methods, paths, world, plan, node)
                .map_err(|why| Invalid::new(format!("decomposition of '{}': {why}", node.task)));
        }
        if let Some(step) = plan.steps.get(self.step) {
            let mut checked = check_step(world, step);
            let cleans_up = self.cleanups > 0 && cleans_up(plan, step.node, self.cleanups);
            if self.step == 0 || !self.has_begun && !cleans_up {
                // A plan doesn't depend on them: they are checked while it is executed.
                let check = |world: &World| check_rules(world, plan, step.node);
                checked = checked.and_then(|()| world.unrecorded(check));
            }
            self.has_begun |= !cleans_up;
            checked.map_err(|why| Invalid::at(self.step, why))?;
            let ticks = world.ticks_in_plan(&step.task);
            world.apply(&step.changes);
            world.pass(ticks);
            self.cost = rounded(self.cost + step.cost);
            self.step += 1;
        }
        Ok(())
    }

    /// Counts the subgoals that hold now, provided that those before them have been reached.
    fn reach_subgoals(&mut self, world: &World, plan: &Plan) -> Result<(), Invalid> {
        let subgoals = pursued(world, plan)?.map_or(&[][..], |goal| &goal.subgoals);
        while let Some(subgoal) = subgoals.get(self.subgoals) {
            if check_one(world, subgoal, &Env::new()).is_err() {
                break;
            }
            self.subgoals += 1;
        }
        Ok(())
    }

    /// Checks that the steps cost what the plan says and reach the goal.
    pub fn check_end(&mut self, world: &World, plan: &Plan) -> Result<(), Invalid> {
        if !is_near(self.cost, plan.cost) {
            let (steps, stated) = (self.cost, plan.cost);
            let message = format!("the steps cost {steps}, but the plan says {stated}");
            return Err(Invalid::new(message));
        }
        if world.actor().is_reactive() && plan.target.is_none() {
            // A reactive plan doesn't look that far.
            return Ok(());
        }
        self.reach_subgoals(world, plan)?;
        if plan
            .target
            .as_ref()
            .is_some_and(|target| target.remaining_estimate.is_some())
        {
            // The plan doesn't claim to reach the goal, but depends on what the goal reads.
            if let Some(goal) = pursued(world, plan)? {
                let _ = check_one(world, &goal.condition, &Env::new());
            }
            return Ok(());
        }
        let goal = match pursued(world, plan)? {
            Some(goal) => {
                if let Some(subgoal) = goal.subgoals.get(self.subgoals) {
                    let subgoal = subgoal.text.trim();
                    let message = format!("the subgoal '{subgoal}' was not reached");
                    return Err(Invalid::new(message));
                }
                Some(&goal.condition)
            }
            None => world.actor().goal_formula(world.domain().texts()),
        };
        match goal.filter(|goal| !goal.is_blank()) {
            None if plan.target.is_some() && !plan.steps.is_empty() => {
                return Err(Invalid::new(NO_TASK));
            }
            None => {}
            Some(goal) => check_one(world, goal, &Env::new())
                .map_err(|why| Invalid::new(format!("at the end, {why}")))?,
        }
        Ok(())
    }
}

/// Returns the agent's goal that a plan pursues; it must be one that the agent has.
fn pursued<'w>(world: &'w World, plan: &Plan) -> Result<Option<&'w Goal>, Invalid> {
    let Some(PlanTarget {
        goal: Some(name), ..
    }) = &plan.target
    else {
        return Ok(None);
    };
    let has = world.actor().goals().contains(name);
    let goal = world.domain().goal(name).filter(|_| has);
    let goal =
        goal.ok_or_else(|| Invalid::new(format!("'{name}' is not one of the agent's goals")))?;
    Ok(Some(goal))
}

/// Returns `true` if a node is one of the first roots, this many, or below one.
fn cleans_up(plan: &Plan, node: usize, cleanups: usize) -> bool {
    let parent = |node: &usize| plan.nodes.get(*node)?.parent;
    let root = std::iter::successors(Some(node), parent).last();
    let mut first = plan.roots.iter().take(cleanups);
    first.any(|cleanup| Some(*cleanup) == root)
}

/// Checks the integrity rules of a plan's first step and of the tasks above it: if one is false, it fails at once.
fn check_rules(world: &World, plan: &Plan, node: usize) -> Result<(), String> {
    let domain = world.domain();
    let mut above = plan.nodes.get(node);
    while let Some(node) = above {
        let task = &node.task;
        let primitive = world.primitive(task).map(|read| {
            let rules = &*domain.execution_rules(read).integrity;
            (rules, &read.record.params)
        });
        let compound = || {
            let read = world.compound(task)?;
            Some((domain.integrity(read), &read.record.params))
        };
        if let Some((rules, params)) = primitive.or_else(compound) {
            check_all(world, rules, &bind(world, params, task)?)
                .map_err(|why| format!("an integrity rule of '{task}': {why}"))?;
        }
        above = node.parent.and_then(|parent| plan.nodes.get(parent));
    }
    Ok(())
}

/// Binds a task's parameters to its objects, which must be of their types.
pub fn bind(world: &World, params: &[Param], task: &GroundTask) -> Result<Env, String> {
    if params.len() != task.args.len() {
        return Err(format!(
            "'{task}' has the wrong number of arguments: {}",
            task.args.len()
        ));
    }
    for (param, object) in params.iter().zip(&task.args) {
        if !world.fits(object, &param.of) {
            return Err(format!("'{object}' is not a {}", param.of));
        }
    }
    Ok(Env::bound(params, &task.args))
}

fn is_near(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

/// Returns the first of these formulas that doesn't hold, as a reason.
pub fn check_all(world: &World, formulas: &[TypedText<Formula>], env: &Env) -> Result<(), String> {
    let mut formulas = formulas.iter();
    formulas.try_for_each(|formula| check_one(world, formula, env))
}

/// Returns a formula that doesn't hold, as a reason.
pub fn check_one(world: &World, formula: &TypedText<Formula>, env: &Env) -> Result<(), String> {
    if world.holds(formula, env)? {
        Ok(())
    } else {
        Err(format!("'{}' does not hold", formula.text.trim()))
    }
}

/// Checks that the acting character may use a task.
pub fn check_repertoire(world: &World, kind: Kind, task: &GroundTask) -> Result<(), String> {
    if world.actor().may_use(world.document(), kind, &task.task) {
        Ok(())
    } else {
        Err(format!("'{}' is not in the repertoire", task.task))
    }
}

/// Returns a primitive task that can start in a world, or why it can't.
pub fn startable<'w>(world: &'w World, task: &GroundTask) -> Result<&'w Primitive, String> {
    let read = primitive(world, task)?;
    check_repertoire(world, Kind::PrimitiveTask, task)?;
    let env = bind(world, &read.record.params, task)?;
    check_all(world, &read.preconditions, &env)?;
    world.check_claims(read, &task.args)?;
    Ok(read)
}

/// Returns a primitive task.
pub fn primitive<'w>(world: &'w World, task: &GroundTask) -> Result<&'w Primitive, String> {
    let read = world.primitive(task);
    read.ok_or_else(|| format!("'{}' is not a primitive task", task.task))
}

/// Returns the changes that a primitive task makes as planned.
pub fn planned_changes(
    world: &World,
    read: &Primitive,
    task: &GroundTask,
) -> Result<Vec<Change>, String> {
    world.changes(read, &task.args, |timing| timing != EffectTiming::Executed)
}

fn check_step(world: &World, step: &Step) -> Result<(), String> {
    let task = startable(world, &step.task)?;
    let cost = world.cost(task, &step.task.args);
    if !is_near(cost, step.cost) {
        return Err(format!("it costs {cost}, not {}", step.cost));
    }
    let changes = planned_changes(world, task, &step.task)?;
    let mut stated: Vec<&Change> = step.changes.iter().collect();
    stated.compact_sort_by_key(|change| &change.atom);
    if !changes.iter().eq(stated.iter().copied()) {
        let list = |changes: &mut dyn Iterator<Item = &Change>| {
            let shown = changes.map(|c| format!("{} = {}", c.atom, c.after));
            shown.collect::<Vec<_>>().join(", ")
        };
        let found = list(&mut changes.iter());
        let stated_list = list(&mut stated.into_iter());
        return Err(format!("it changes '{found}', not '{stated_list}'"));
    }
    Ok(())
}
