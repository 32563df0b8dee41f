//! The facts that a plan depends on.

use std::collections::BTreeSet;

use taskloom_planner::plan::{NodeKind, Plan};

use super::domain::{Domain, Goal};
use super::evaluate::Evaluation;
use super::goals;
use super::names::{Atom, Ground};
use super::state::State;
use super::tree;

/// Returns the ground facts that a character's plan from a state depends on.
pub fn depends(domain: &Domain, character: usize, plan: &Plan, from: &State) -> BTreeSet<Atom> {
    let mut reads = BTreeSet::new();
    let mut state = from.clone();
    let mut states = vec![];
    for at in 0..=plan.steps.len() {
        for (number, node) in plan.nodes.iter().enumerate() {
            let NodeKind::Decomposed(decomposed) = &node.kind else {
                continue;
            };
            if decomposed.at == at {
                let task = tree::task(domain, plan, number);
                let compound = domain.compound(task.task);
                let env = &domain.env(character, task);
                let read_all = |state: &State, reads: &mut BTreeSet<Atom>| {
                    let goal = compound.goal.iter();
                    reads.extend(goal.flat_map(|goal| state.read(goal, env)));
                };
                let pre = domain.tasks[task.task].pre.iter();
                reads.extend(pre.flat_map(|one| state.read(one, env)));
                read_all(&state, &mut reads);
                let mut evaluation = Evaluation::noting(&state);
                if !decomposed.blocks.is_empty() {
                    let taken = compound.method.taken(domain, decomposed);
                    compound.method.asked(Some(&taken), &mut evaluation, env);
                    reads.extend(evaluation.atoms());
                    continue;
                }
                if !decomposed.children.is_empty() && compound.method.is_drawn() {
                    compound.method.asked(None, &mut evaluation, env);
                    reads.extend(evaluation.atoms());
                }
                let mut state = state.clone();
                for child in &decomposed.children {
                    let step = tree::task(domain, plan, *child);
                    execute(domain, character, &mut state, step, &mut reads);
                }
                read_all(&state, &mut reads);
            }
        }
        states.push(state.clone());
        if let Some(step) = plan.steps.get(at) {
            let task = tree::task(domain, plan, step.node);
            let cost = domain.primitive(task.task).cost.iter();
            let env = domain.env(character, task);
            reads.extend(cost.flat_map(|cost| state.read_number(cost, &env)));
            execute(domain, character, &mut state, task, &mut reads);
        }
    }
    if let Some(goal) = goal(domain, character, plan) {
        if goals::is_served(plan) {
            // The calls are evaluated up to that of the task.
            let root = tree::task(domain, plan, plan.roots[0]);
            let env = domain.env_of(character);
            for call in &goal.tasks {
                reads.extend(from.read_terms(&call.args, &env));
                let args = from.objects(&call.args, &env);
                if args.map(|args| Ground::new(call.task, &args)) == Some(root) {
                    break;
                }
            }
        }
        reads.extend(goals::read(domain, character, &goal, &states));
    }
    reads
}

/// Executes a step as planned, and adds what that reads.
fn execute(
    domain: &Domain,
    character: usize,
    state: &mut State,
    task: Ground,
    reads: &mut BTreeSet<Atom>,
) {
    let primitive = domain.primitive(task.task);
    let env = &domain.env(character, task);
    let pre = domain.tasks[task.task].pre.iter();
    reads.extend(pre.flat_map(|one| state.read(one, env)));
    reads.extend(state.read_terms(&primitive.claims, env));
    let planned = primitive.effects.iter().filter(|one| one.is_planned());
    let mut evaluation = Evaluation::noting(state);
    let writes = evaluation.writes(planned.map(|one| &one.effect), env);
    reads.extend(evaluation.atoms());
    let mut evaluation = Evaluation::noting(state);
    let ticks = goals::duration_in(primitive, &mut evaluation, env);
    if domain.plans_by_time(character) {
        reads.extend(evaluation.atoms());
    }
    for (atom, value) in writes.expect("a plan") {
        state.set(atom, value);
    }
    if domain.has_clock {
        state.time += ticks;
    }
}

/// Returns the goal of a plan; `None` if it is reactive.
pub fn goal(domain: &Domain, character: usize, plan: &Plan) -> Option<Goal> {
    if let Some(goal) = tree::goal(domain, plan) {
        return Some(domain.goals[goal].clone());
    }
    let looks_so_far = !domain.is_reactive(character) || plan.target.is_some();
    let goal = domain.goal(character).filter(|_| looks_so_far);
    goal.cloned().map(Goal::of_scenario)
}
