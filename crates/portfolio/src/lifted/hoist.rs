//! Hoists preconditions: a condition that a subtask needs at its start, and that nothing before it
//! in the network can achieve, must already hold when the method is chosen. This rejects
//! inapplicable methods earlier (Magnaguagno et al., HyperTensioN, IPC 2020).

use super::condition::{Arg, Atom, Condition};
use super::model::{Method, Model, TaskKind};

/// The predicates that a task, including everything it may decompose into, may change.
#[derive(Debug, Clone, PartialEq)]
pub struct Changes {
    added: Vec<bool>,
    deleted: Vec<bool>,
}

impl Changes {
    fn new(model: &Model) -> Self {
        Self {
            added: vec![false; model.predicates.len()],
            deleted: vec![false; model.predicates.len()],
        }
    }

    /// Returns the changes of every task, by index.
    pub fn of_tasks(model: &Model) -> Vec<Self> {
        let mut changes = vec![Changes::new(model); model.tasks.len()];
        for action in &model.actions {
            let of = &mut changes[action.task as usize];
            for effect in &action.effects {
                let predicate = effect.atom.predicate as usize;
                match effect.add {
                    true => of.added[predicate] = true,
                    false => of.deleted[predicate] = true,
                }
            }
        }
        let stop = model.problem.stop();
        let mut changed = true;
        while changed {
            changed = false;
            for method in &model.methods {
                for subtask in &method.subtasks {
                    if stop.after(1 + model.predicates.len() / 16) {
                        return changes;
                    }
                    if subtask.task != method.task {
                        let of = changes[subtask.task as usize].clone();
                        changed |= changes[method.task as usize].join(&of);
                    }
                }
            }
        }
        changes
    }

    /// Adds another's changes. Returns `true` if that made a difference.
    fn join(&mut self, other: &Self) -> bool {
        let before = self.clone();
        for (mine, theirs) in [
            (&mut self.added, &other.added),
            (&mut self.deleted, &other.deleted),
        ] {
            for (a, b) in mine.iter_mut().zip(theirs) {
                *a |= b;
            }
        }
        *self != before
    }

    /// Returns `true` if a condition that holds may become false.
    pub fn may_destroy(&self, cond: &Condition) -> bool {
        match cond {
            Condition::Atom(atom, true) => self.deleted[atom.predicate as usize],
            Condition::Atom(atom, false) => self.added[atom.predicate as usize],
            Condition::Same(..) => false,
            Condition::All(parts) | Condition::Any(parts) => {
                parts.iter().any(|p| self.may_destroy(p))
            }
            Condition::Quantified(quantified) => self.may_destroy(&quantified.body),
        }
    }

    /// Returns `true` if a condition that does not hold may become true.
    pub fn may_achieve(&self, cond: &Condition) -> bool {
        match cond {
            Condition::Atom(atom, true) => self.added[atom.predicate as usize],
            Condition::Atom(atom, false) => self.deleted[atom.predicate as usize],
            Condition::Same(..) => false,
            Condition::All(parts) | Condition::Any(parts) => {
                parts.iter().any(|p| self.may_achieve(p))
            }
            Condition::Quantified(quantified) => self.may_achieve(&quantified.body),
        }
    }
}

/// Returns the preconditions of each method including the hoisted ones, and the number of variables
/// that they then use; `None` for methods without a finite decomposition.
pub fn hoisted(model: &Model) -> Vec<Option<(Vec<Condition>, u32)>> {
    let conditions = pull_up(model).0.into_iter().zip(&model.methods);
    let with_frame = conditions.map(|(conditions, method)| {
        let conditions = conditions?;
        let frames = conditions.iter().map(|cond| hidden(cond).1);
        let frame = frames.fold(method.frame, u32::max);
        Some((conditions, frame))
    });
    with_frame.collect()
}

/// Returns the known preconditions of every task, over its parameters, without those that have
/// variables of their own.
pub fn needs(model: &Model) -> Vec<Vec<Condition>> {
    let needs = pull_up(model).1.into_iter().map(Option::unwrap_or_default);
    needs
        .map(|own| {
            own.into_iter()
                .filter(Condition::is_quantifier_free)
                .collect()
        })
        .collect()
}

type Needs = Vec<Option<Vec<Condition>>>;

fn pull_up(model: &Model) -> (Needs, Needs) {
    let changes = Changes::of_tasks(model);
    // In a partially ordered problem other tasks may be interleaved.
    let sequential = model.methods.iter().all(|m| m.is_sequence);
    let mut anything = Changes::new(model);
    for task in &changes {
        anything.join(task);
    }
    let mut needs: Vec<Option<Vec<Condition>>> = vec![None; model.tasks.len()];
    for (task, need) in model.tasks.iter().zip(&mut needs) {
        if let TaskKind::Primitive(action) = task.kind {
            let conditions = model.actions[action as usize].precondition.iter();
            *need = Some(
                conditions
                    .filter(|c| c.is_quantifier_free())
                    .cloned()
                    .collect(),
            );
        }
    }
    // Every decomposition is finite, so this computes a greatest fixpoint: the needs common to all
    // methods of a task, including those of their subtasks, start as everything and shrink.
    let mut methods: Vec<Option<Vec<Condition>>> = vec![None; model.methods.len()];
    loop {
        let mut changed = false;
        for (number, method) in model.methods.iter().enumerate() {
            if model.problem.stop().after(1) {
                return (methods, needs);
            }
            methods[number] = with_subtasks(model, method, &needs, &changes, sequential, &anything);
        }
        for (number, task) in model.tasks.iter().enumerate() {
            let TaskKind::Compound(range) = &task.kind else {
                continue;
            };
            let own = range.clone().filter_map(|m| {
                let (conditions, method) =
                    (methods[m as usize].as_ref()?, &model.methods[m as usize]);
                let over = conditions
                    .iter()
                    .filter_map(|cond| over_params(model, method, cond));
                Some(over.collect())
            });
            let common = own.reduce(|mut common: Vec<Condition>, own: Vec<Condition>| {
                model.problem.stop().after(common.len() * own.len() / 8);
                common.retain(|c| own.contains(c));
                common
            });
            match (&mut needs[number], common) {
                // A method that swaps its task's parameters swaps conditions as well: their order would never settle.
                (Some(known), Some(common)) => {
                    let before = known.len();
                    known.retain(|c| common.contains(c));
                    changed |= known.len() < before;
                }
                (known, common) => {
                    changed |= *known != common;
                    *known = common;
                }
            }
        }
        if !changed {
            return (methods, needs);
        }
    }
}

fn with_subtasks(
    model: &Model,
    method: &Method,
    needs: &[Option<Vec<Condition>>],
    changes: &[Changes],
    sequential: bool,
    anything: &Changes,
) -> Option<Vec<Condition>> {
    let mut all = method.precondition.clone();
    let mut before = Changes::new(model);
    for subtask in &method.subtasks {
        for need in needs[subtask.task as usize].as_ref()? {
            if model.problem.stop().after(1 + all.len() / 8) {
                return None;
            }
            let need = need.substituted(&subtask.args, method.frame);
            let changing = if sequential { &before } else { anything };
            if !changing.may_achieve(&need) && !all.contains(&need) {
                all.push(need);
            }
        }
        if sequential {
            before.join(&changes[subtask.task as usize]);
        }
    }
    Some(all)
}

/// Rewrites a method's condition over the parameters of its task alone. For an atom that never
/// becomes true, existentially quantifies the other variables.
fn over_params(model: &Model, method: &Method, cond: &Condition) -> Option<Condition> {
    let params = model.tasks[method.task as usize].params.len();
    if cond.is_quantifier_free() && cond.all_free(&mut |v| (v as usize) < params) {
        return Some(cond.clone());
    }
    let (quantified, _) = hidden(cond);
    let mut inner = cond;
    while let Condition::Quantified(quantified) = inner
        && !quantified.is_universal
    {
        inner = &quantified.body;
    }
    let Condition::Atom(atom, true) = inner else {
        return None;
    };
    if model.predicates[atom.predicate as usize].added {
        return None;
    }
    // Variables are numbered in order of occurrence.
    let mut others: Vec<(u32, u32)> = vec![];
    let mut args = vec![];
    for arg in &atom.args {
        args.push(match *arg {
            Arg::Variable(v) if v as usize >= params => {
                let place = others.iter().position(|(other, _)| *other == v);
                let place = match place {
                    Some(place) => place,
                    None => {
                        let own = method.vars.get(v as usize).copied();
                        let bound = quantified.iter().find(|(other, _)| *other == v);
                        others.push((v, own.or(bound.map(|(_, of)| *of))?));
                        others.len() - 1
                    }
                };
                Arg::Variable((params + place) as u32)
            }
            arg => arg,
        });
    }
    let atom = Atom {
        predicate: atom.predicate,
        args: args.into(),
    };
    let others = (params as u32..).zip(others);
    Some(
        others.fold(Condition::Atom(atom, true), |body, (variable, (_, of))| {
            Condition::some(variable, of, body)
        }),
    )
}

/// Returns the variables of a condition's leading quantifiers, with their types, and the frame size
/// that they need.
fn hidden(cond: &Condition) -> (Vec<(u32, u32)>, u32) {
    let mut quantified = vec![];
    let mut inner = cond;
    while let Condition::Quantified(of) = inner
        && !of.is_universal
    {
        quantified.push((of.variable, of.ty));
        inner = &of.body;
    }
    let frame = quantified.iter().map(|(v, _)| v + 1).max();
    (quantified, frame.unwrap_or(0))
}
