//! The static conditions that every decomposition of a task requires, so that they can be tested
//! before any subtask is considered.

use crate::lifted::condition::Condition;
use crate::lifted::model::{Method, Model, TaskKind};

/// Returns the static conditions of each task over its parameters: literals of predicates that no
/// action changes, and equalities. `None` for a task without a finite decomposition.
pub fn implied(model: &Model) -> Vec<Option<Vec<Condition>>> {
    let mut implied: Vec<Option<Vec<Condition>>> = model
        .tasks
        .iter()
        .map(|task| match task.kind {
            TaskKind::Primitive(action) => {
                let action = &model.actions[action as usize];
                let params = action.params.len() as u32;
                let mut own = vec![];
                statics(model, &action.precondition, &mut own);
                own.retain(|cond| cond.all_free(&mut |v| v < params));
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
            let mut common: Option<Vec<Condition>> = None;
            for method in &model.methods[range.start as usize..range.end as usize] {
                let Some(mut own) = of_method(model, method, &implied) else {
                    continue;
                };
                own.retain(|cond| cond.all_free(&mut |v| v < params));
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
    implied: &[Option<Vec<Condition>>],
) -> Option<Vec<Condition>> {
    let mut own = vec![];
    statics(model, &method.precondition, &mut own);
    let vars = method.vars.len() as u32;
    own.retain(|cond| cond.all_free(&mut |v| v < vars));
    for subtask in &method.subtasks {
        for cond in implied[subtask.task as usize].as_ref()? {
            if model.problem.stop().after(1 + own.len() / 8) {
                return None;
            }
            let cond = cond.substituted(&subtask.args, method.frame);
            if !own.contains(&cond) {
                own.push(cond);
            }
        }
    }
    Some(own)
}

fn statics(model: &Model, conds: &[Condition], into: &mut Vec<Condition>) {
    for cond in conds {
        let is_static = match cond {
            Condition::Atom(atom, _) => model.predicates[atom.predicate as usize].is_static(),
            Condition::Same(..) => true,
            _ => false,
        };
        if is_static && !into.contains(cond) {
            into.push(cond.clone());
        }
    }
}
