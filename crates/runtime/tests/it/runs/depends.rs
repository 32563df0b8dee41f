//! The facts that a plan depends on.

use std::collections::BTreeSet;

use taskloom_document::ChoicePolicy;
use taskloom_planner::plan::{Decomposed, NodeKind, Plan};

use super::goals;
use super::model::{
    Arg, Atom, Change, Domain, Effect, Env, Goal, Method, Object, PRIMITIVES, Score, Test,
};
use super::state::State;
use super::tree;

/// Returns the ground facts that a character's plan from a state depends on.
pub fn depends(domain: &Domain, character: usize, plan: &Plan, from: &State) -> BTreeSet<Atom> {
    let mut reads = BTreeSet::new();
    let me = domain.me(character);
    let env = |object| Env {
        param: Some(object),
        me,
        found: None,
    };
    let mut state = from.clone();
    let mut states = vec![];
    for at in 0..=plan.steps.len() {
        for (number, node) in plan.nodes.iter().enumerate() {
            let NodeKind::Decomposed(decomposed) = &node.kind else {
                continue;
            };
            if decomposed.at == at {
                let (task, object) = tree::task(plan, number);
                let compound = &domain.compounds[task - PRIMITIVES];
                let env = env(object);
                reads.extend(compound.pre.iter().flat_map(|test| state.read(*test, env)));
                let goal = |state: &State, reads: &mut BTreeSet<Atom>| {
                    for test in &compound.goal {
                        reads.extend(state.read(*test, env));
                        if !state.holds(*test, env) {
                            break;
                        }
                    }
                };
                goal(&state, &mut reads);
                if decomposed.blocks.is_empty() {
                    let mut state = state.clone();
                    if !decomposed.children.is_empty() {
                        all_ways(domain, &compound.method, &state, env, &mut reads);
                    }
                    for child in &decomposed.children {
                        let step = tree::task(plan, *child);
                        execute(domain, character, &mut state, step, &mut reads);
                    }
                    goal(&state, &mut reads);
                    continue;
                }
                asked(
                    domain,
                    &compound.method,
                    decomposed,
                    &state,
                    env,
                    &mut reads,
                );
            }
        }
        states.push(state.clone());
        if let Some(step) = plan.steps.get(at) {
            let (task, object) = tree::task(plan, step.node);
            let primitive = &domain.primitives[task];
            reads.extend(primitive.cost.iter().flat_map(|cost| read(domain, *cost)));
            execute(domain, character, &mut state, (task, object), &mut reads);
        }
    }
    if let Some(goal) = goal(domain, character, plan) {
        if goals::is_served(plan) {
            // The calls are evaluated up to that of the task.
            let root = tree::task(plan, plan.roots[0]);
            for (task, arg) in &goal.tasks {
                if *arg == Arg::Held {
                    reads.insert(Atom::Held);
                }
                let object = from.object(*arg, env(root.1));
                if object.map(|object| (*task, object)) == Some(root) {
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
    (task, object): (usize, Object),
    reads: &mut BTreeSet<Atom>,
) {
    let primitive = &domain.primitives[task];
    let env = Env {
        param: Some(object),
        me: domain.me(character),
        found: None,
    };
    reads.extend(primitive.pre.iter().flat_map(|test| state.read(*test, env)));
    if primitive.claims.contains(&Arg::Held) {
        reads.insert(Atom::Held);
    }
    let planned = |effect: &&Effect| effect.timing != "executed";
    let mut changes = vec![];
    for effect in primitive.effects.iter().filter(planned) {
        reads.extend(effect.when.iter().flat_map(|when| state.read(*when, env)));
        if effect.when.is_none_or(|when| state.holds(when, env)) {
            match effect.change {
                Change::Add(_) => _ = reads.insert(Atom::Number),
                Change::Of(Arg::Held, _) => _ = reads.insert(Atom::Held),
                Change::Of(..) | Change::Plain(..) | Change::Hold(_) => {}
            }
            changes.push(effect.change);
        }
    }
    let ticks = if domain.has_clock() {
        goals::duration(primitive, state)
    } else {
        0
    };
    if primitive.depends && domain.plans_by_time(character) {
        reads.insert(Atom::Number);
    }
    for (atom, value) in state.writes(&changes, env).expect("a plan") {
        state.set(atom, value);
    }
    state.time += ticks;
}

/// Returns the goal of a plan; `None` if it is reactive.
pub fn goal(domain: &Domain, character: usize, plan: &Plan) -> Option<Goal> {
    let pursued = plan.target.as_ref().and_then(|target| target.goal.as_ref());
    if let Some(name) = pursued {
        return Some(domain.goals[tree::number(name)].clone());
    }
    let looks_so_far = !domain.is_reactive(character) || plan.target.is_some();
    let goal = domain.goal(character).filter(|_| looks_so_far);
    goal.map(|goal| Goal {
        subgoals: vec![],
        condition: vec![goal],
        tasks: vec![],
        priority: 1,
        relevance: None,
        bias: None,
        cooldown: 0,
    })
}

/// Returns what a score reads.
fn read(domain: &Domain, score: Score) -> Vec<Atom> {
    match score {
        Score::Is(_) => vec![],
        Score::Number => vec![Atom::Number],
        Score::Count => (0..domain.objects()).map(Atom::Of).collect(),
    }
}

/// Adds what a method evaluates if none of its resolutions is possible.
fn all_ways(domain: &Domain, method: &Method, state: &State, env: Env, reads: &mut BTreeSet<Atom>) {
    match method {
        Method::Sequence(_) | Method::Unordered(_) => {}
        Method::Branch(test, ..) | Method::While(test, _) => {
            reads.extend(state.read(*test, env));
        }
        Method::Bind(tests, _) => {
            for object in 0..domain.objects() {
                bound_to(tests, object, state, env, reads);
            }
        }
        Method::Choice(policy, alternatives) => {
            if matches!(policy, ChoicePolicy::Highest | ChoicePolicy::Random) {
                let scores = alternatives.iter().filter_map(|one| one.score);
                reads.extend(scores.flat_map(|score| read(domain, score)));
            }
            let guards = alternatives.iter().filter_map(|one| one.guard);
            reads.extend(guards.flat_map(|guard| state.read(guard, env)));
        }
    }
}

/// Adds what the condition of a Bind reads for an object.
fn bound_to(tests: &[Test], object: Object, state: &State, env: Env, reads: &mut BTreeSet<Atom>) {
    let env = Env {
        found: Some(object),
        ..env
    };
    for test in tests {
        reads.extend(state.read(*test, env));
        if !state.holds(*test, env) {
            break;
        }
    }
}

/// Adds what a method evaluates until the selected resolution.
fn asked(
    domain: &Domain,
    method: &Method,
    taken: &Decomposed,
    state: &State,
    env: Env,
    reads: &mut BTreeSet<Atom>,
) {
    match method {
        Method::Sequence(_) | Method::Unordered(_) => {}
        Method::Branch(test, ..) | Method::While(test, _) => {
            reads.extend(state.read(*test, env));
        }
        Method::Bind(tests, _) => {
            let found = tree::object(&taken.bindings[0].2);
            for object in 0..=found {
                bound_to(tests, object, state, env, reads);
            }
        }
        Method::Choice(policy, alternatives) => {
            let chosen = tree::output(method, taken);
            // An output without a wire is as good as another.
            let is_chosen = |alternative: &usize| match alternatives[chosen].calls.is_empty() {
                true => alternatives[*alternative].calls.is_empty(),
                false => *alternative == chosen,
            };
            let mut ways: Vec<usize> = (0..alternatives.len()).collect();
            if matches!(policy, ChoicePolicy::Highest | ChoicePolicy::Random) {
                let scores = alternatives
                    .iter()
                    .filter_map(|alternative| alternative.score);
                reads.extend(scores.flat_map(|score| read(domain, score)));
            }
            if *policy == ChoicePolicy::Highest {
                let value = |score: Score| goals::value(domain, score, state);
                // Alternatives with an undefined score come last.
                ways.sort_by_key(|alternative| -alternatives[*alternative].score.map_or(-1, value));
            }
            for alternative in ways {
                let guard: Option<Test> = alternatives[alternative].guard;
                reads.extend(guard.iter().flat_map(|guard| state.read(*guard, env)));
                if is_chosen(&alternative) && *policy != ChoicePolicy::Random {
                    break;
                }
            }
        }
    }
}
