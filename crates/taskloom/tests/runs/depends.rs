//! What a plan depends on.

use std::collections::BTreeSet;

use taskloom::document::{ChoicePolicy, Port};
use taskloom::planner::plan::{Decomposed, NodeKind, Plan};

use super::model::{Atom, Change, Domain, Effect, Env, Method, PRIMITIVES, Score, Test};
use super::state::{State, read};
use super::tree;

/// The ground facts that a character's plan from a state depends on.
pub fn depends(domain: &Domain, character: usize, plan: &Plan, from: &State) -> BTreeSet<Atom> {
    let mut reads = BTreeSet::new();
    let me = domain.me(character);
    let env = |object| Env {
        param: Some(object),
        me,
        found: None,
    };
    let mut state = from.clone();
    for at in 0..=plan.steps.len() {
        for (number, node) in plan.nodes.iter().enumerate() {
            let NodeKind::Decomposed(decomposed) = &node.kind else {
                continue;
            };
            if decomposed.at == at {
                let (task, object) = tree::task(plan, number);
                let compound = &domain.compounds[task - PRIMITIVES];
                let env = env(object);
                reads.extend(compound.pre.iter().map(|test| read(*test, env)));
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
        if let Some(step) = plan.steps.get(at) {
            let (task, object) = tree::task(plan, step.node);
            let primitive = &domain.primitives[task];
            let env = env(object);
            reads.extend(primitive.pre.iter().map(|test| read(*test, env)));
            let planned = |effect: &&Effect| effect.timing != "executed";
            let mut changes = vec![];
            for effect in primitive.effects.iter().filter(planned) {
                reads.extend(effect.when.map(|when| read(when, env)));
                if effect.when.is_none_or(|when| state.holds(when, env)) {
                    if let Change::Add(_) = effect.change {
                        reads.insert(Atom::Number);
                    }
                    changes.push(effect.change);
                }
            }
            for (atom, value) in state.writes(&changes, env).expect("a plan") {
                state.set(atom, value);
            }
        }
    }
    let goal = domain.goal(character);
    reads.extend(goal.map(|goal| read(goal, Env::default())));
    reads
}

/// What a method asks until the way is found that was taken.
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
        Method::Branch(test, ..) => _ = reads.insert(read(*test, env)),
        Method::Bind(test, _) => {
            let found = tree::object(&taken.bindings[0].2);
            for object in 0..=found {
                let env = Env {
                    found: Some(object),
                    ..env
                };
                reads.insert(read(*test, env));
            }
        }
        Method::Choice(policy, alternatives) => {
            let from_choice = taken
                .wires
                .iter()
                .find(|wire| wire.from.to_string() == "k1");
            // One without a wire is complete.
            let is_chosen = |way: &usize| match from_choice.map(|wire| wire.port) {
                Some(Port::Alternative(port)) => usize::from(port) == way + 1,
                _ => alternatives[*way].calls.is_empty(),
            };
            let mut ways: Vec<usize> = (0..alternatives.len()).collect();
            if matches!(policy, ChoicePolicy::Highest | ChoicePolicy::Random) {
                for way in &ways {
                    match alternatives[*way].score {
                        None | Some(Score::Is(_)) => {}
                        Some(Score::Number) => _ = reads.insert(Atom::Number),
                        Some(Score::Count) => reads.extend((0..domain.objects()).map(Atom::Of)),
                    }
                }
            }
            if *policy == ChoicePolicy::Highest {
                let value = |score: Score| match score {
                    Score::Is(k) => k,
                    Score::Number => state.value(Atom::Number),
                    Score::Count => {
                        let of = (0..domain.objects()).map(|object| state.value(Atom::Of(object)));
                        of.sum()
                    }
                };
                // What has no score comes last.
                ways.sort_by_key(|way| -alternatives[*way].score.map_or(-1, value));
            }
            for way in ways {
                let guard: Option<Test> = alternatives[way].guard;
                reads.extend(guard.map(|guard| read(guard, env)));
                if is_chosen(&way) && *policy != ChoicePolicy::Random {
                    break;
                }
            }
        }
    }
}
