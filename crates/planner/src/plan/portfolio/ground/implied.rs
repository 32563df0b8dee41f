//! The static conditions that every decomposition of a task requires, so that they can be tested
//! before any subtask is considered.

use super::super::model::{Arg, Atom, Cond, Method, Model, TaskKind};

/// Returns the static conditions of each task over its parameters: literals of predicates that no
/// action changes, and equalities. `None` for a task without a finite decomposition.
pub fn implied(model: &Model) -> Vec<Option<Vec<Cond>>> {
    let mut implied: Vec<Option<Vec<Cond>>> = model
        .tasks
        .iter()
        .map(|task| match task.kind {
            TaskKind::Primitive(action) => {
                let action = &model.actions[action as usize];
                let params = action.params.len() as u32;
                let mut own = vec![];
                statics(model, &action.precondition, &mut own);
                own.retain(|cond| is_within(cond, params));
                Some(own)
            }
            TaskKind::Compound(_) => None,
        })
        .collect();
    // A greatest fixpoint: from everything down to what all methods share.
    loop {
        let mut changed = false;
        for (number, task) in model.tasks.iter().enumerate() {
            if model.problem.stop().after(1) {
                return implied;
            }
            let TaskKind::Compound(range) = &task.kind else {
                continue;
            };
            let params = task.params.len() as u32;
            let mut common: Option<Vec<Cond>> = None;
            for method in &model.methods[range.start as usize..range.end as usize] {
                let Some(mut own) = of_method(model, method, &implied) else {
                    continue;
                };
                own.retain(|cond| is_within(cond, params));
                match &mut common {
                    Some(common) => common.retain(|cond| own.contains(cond)),
                    None => common = Some(own),
                }
            }
            if common.as_ref().map(Vec::len) != implied[number].as_ref().map(Vec::len) {
                implied[number] = common;
                changed = true;
            }
        }
        if !changed {
            return implied;
        }
    }
}

/// Returns the static conditions of a method and of its subtasks, over its variables, or `None` if
/// a subtask has no finite decomposition.
pub fn of_method(
    model: &Model,
    method: &Method,
    implied: &[Option<Vec<Cond>>],
) -> Option<Vec<Cond>> {
    let mut own = vec![];
    statics(model, &method.precondition, &mut own);
    let vars = method.vars.len() as u32;
    own.retain(|cond| is_within(cond, vars));
    for subtask in &method.subtasks {
        for cond in implied[subtask.task as usize].as_ref()? {
            if model.problem.stop().after(1 + own.len() / 8) {
                return None;
            }
            let cond = applied(cond, &subtask.args);
            if !own.contains(&cond) {
                own.push(cond);
            }
        }
    }
    Some(own)
}

/// Substitutes arguments for the variables of a literal.
pub fn applied(cond: &Cond, args: &[Arg]) -> Cond {
    let arg = |arg: &Arg| match arg {
        Arg::Variable(v) => args.get(*v as usize).copied().unwrap_or(*arg),
        Arg::Object(_) => *arg,
    };
    match cond {
        Cond::Atom(atom, positive) => {
            let args = atom.args.iter().map(arg).collect();
            let predicate = atom.predicate;
            Cond::Atom(Atom { predicate, args }, *positive)
        }
        Cond::Same(a, b, positive) => Cond::Same(arg(a), arg(b), *positive),
        other => other.clone(),
    }
}

fn statics(model: &Model, conds: &[Cond], into: &mut Vec<Cond>) {
    for cond in conds {
        let is_static = match cond {
            Cond::Atom(atom, _) => model.predicates[atom.predicate as usize].is_static(),
            Cond::Same(..) => true,
            _ => false,
        };
        if is_static && !into.contains(cond) {
            into.push(cond.clone());
        }
    }
}

/// Returns `true` if a literal has no variables beyond the first `vars`.
fn is_within(cond: &Cond, vars: u32) -> bool {
    let is_within = |arg: &Arg| !matches!(arg, Arg::Variable(v) if *v >= vars);
    match cond {
        Cond::Atom(atom, _) => atom.args.iter().all(is_within),
        Cond::Same(a, b, _) => is_within(a) && is_within(b),
        _ => false,
    }
}
