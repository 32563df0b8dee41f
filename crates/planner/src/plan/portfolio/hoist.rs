//! Hoists preconditions: a condition that a subtask needs at its start, and that nothing before it
//! in the network can achieve, must already hold when the method is chosen. This rejects
//! inapplicable methods earlier (Magnaguagno et al., HyperTensioN, IPC 2020).

use super::model::{Arg, Atom, Cond, Method, Model, TaskKind};

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
    pub fn may_destroy(&self, cond: &Cond) -> bool {
        match cond {
            Cond::Atom(atom, true) => self.deleted[atom.predicate as usize],
            Cond::Atom(atom, false) => self.added[atom.predicate as usize],
            Cond::Same(..) => false,
            Cond::All(parts) | Cond::Any(parts) => parts.iter().any(|p| self.may_destroy(p)),
            Cond::Every(_, _, body) | Cond::Some(_, _, body) => self.may_destroy(body),
        }
    }

    /// Returns `true` if a condition that does not hold may become true.
    pub fn may_achieve(&self, cond: &Cond) -> bool {
        match cond {
            Cond::Atom(atom, true) => self.added[atom.predicate as usize],
            Cond::Atom(atom, false) => self.deleted[atom.predicate as usize],
            Cond::Same(..) => false,
            Cond::All(parts) => parts.iter().any(|p| self.may_achieve(p)),
            Cond::Any(parts) => parts.iter().any(|p| self.may_achieve(p)),
            Cond::Every(_, _, body) | Cond::Some(_, _, body) => self.may_achieve(body),
        }
    }
}

/// Returns the preconditions of each method including the hoisted ones, and the number of variables
/// that they then use; `None` for methods without a finite decomposition.
pub fn hoisted(model: &Model) -> Vec<Option<(Vec<Cond>, u32)>> {
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
pub fn needs(model: &Model) -> Vec<Vec<Cond>> {
    let needs = pull_up(model).1.into_iter().map(Option::unwrap_or_default);
    needs
        .map(|own| own.into_iter().filter(is_simple).collect())
        .collect()
}

type Needs = Vec<Option<Vec<Cond>>>;

fn pull_up(model: &Model) -> (Needs, Needs) {
    let changes = Changes::of_tasks(model);
    // In a partially ordered problem other tasks may be interleaved.
    let sequential = model.methods.iter().all(|m| m.is_sequence);
    let mut anything = Changes::new(model);
    for task in &changes {
        anything.join(task);
    }
    let mut needs: Vec<Option<Vec<Cond>>> = vec![None; model.tasks.len()];
    for (task, need) in model.tasks.iter().zip(&mut needs) {
        if let TaskKind::Primitive(action) = task.kind {
            let conditions = model.actions[action as usize].precondition.iter();
            *need = Some(conditions.filter(|c| is_simple(c)).cloned().collect());
        }
    }
    // Every decomposition is finite, so this computes a greatest fixpoint: the needs common to all
    // methods of a task, including those of their subtasks, start as everything and shrink.
    let mut methods: Vec<Option<Vec<Cond>>> = vec![None; model.methods.len()];
    loop {
        let mut changed = false;
        for (number, method) in model.methods.iter().enumerate() {
            if model.problem.stop().after(1) {
                return (methods, needs);
            }
            let all = with_subtasks(model, method, &needs, &changes, sequential, &anything);
            changed |= all != methods[number];
            methods[number] = all;
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
            let common = own.reduce(|mut common: Vec<Cond>, own: Vec<Cond>| {
                model.problem.stop().after(common.len() * own.len() / 8);
                common.retain(|c| own.contains(c));
                common
            });
            changed |= common != needs[number];
            needs[number] = common;
        }
        if !changed {
            return (methods, needs);
        }
    }
}

fn with_subtasks(
    model: &Model,
    method: &Method,
    needs: &[Option<Vec<Cond>>],
    changes: &[Changes],
    sequential: bool,
    anything: &Changes,
) -> Option<Vec<Cond>> {
    let mut all = method.precondition.clone();
    let mut before = Changes::new(model);
    for subtask in &method.subtasks {
        for need in needs[subtask.task as usize].as_ref()? {
            if model.problem.stop().after(1 + all.len() / 8) {
                return None;
            }
            let need = substituted(need, &subtask.args, method.frame);
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

/// Returns `true` if a condition has no variables of its own, so that arguments can be substituted.
fn is_simple(cond: &Cond) -> bool {
    match cond {
        Cond::Atom(..) | Cond::Same(..) => true,
        Cond::All(parts) | Cond::Any(parts) => parts.iter().all(is_simple),
        Cond::Every(..) | Cond::Some(..) => false,
    }
}

fn is_over(cond: &Cond, params: usize) -> bool {
    let is = |arg: &Arg| match arg {
        Arg::Object(_) => true,
        Arg::Variable(variable) => (*variable as usize) < params,
    };
    match cond {
        Cond::Atom(atom, _) => atom.args.iter().all(is),
        Cond::Same(a, b, _) => is(a) && is(b),
        Cond::All(parts) | Cond::Any(parts) => parts.iter().all(|p| is_over(p, params)),
        Cond::Every(..) | Cond::Some(..) => false,
    }
}

/// Rewrites a method's condition over the parameters of its task alone. For an atom that never
/// becomes true, existentially quantifies the other variables.
fn over_params(model: &Model, method: &Method, cond: &Cond) -> Option<Cond> {
    let params = model.tasks[method.task as usize].params.len();
    if is_simple(cond) && is_over(cond, params) {
        return Some(cond.clone());
    }
    let (quantified, _) = hidden(cond);
    let mut inner = cond;
    while let Cond::Some(_, _, body) = inner {
        inner = body;
    }
    let Cond::Atom(atom, true) = inner else {
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
        others.fold(Cond::Atom(atom, true), |body, (variable, (_, of))| {
            Cond::Some(variable, of, Box::new(body))
        }),
    )
}

/// Returns the variables of a condition's leading quantifiers, with their types, and the frame size
/// that they need.
fn hidden(cond: &Cond) -> (Vec<(u32, u32)>, u32) {
    let mut quantified = vec![];
    let mut inner = cond;
    while let Cond::Some(variable, of, body) = inner {
        quantified.push((*variable, *of));
        inner = body;
    }
    let frame = quantified.iter().map(|(v, _)| v + 1).max();
    (quantified, frame.unwrap_or(0))
}

/// Substitutes arguments into a condition over parameters; its own variables are numbered from
/// `frame` on.
fn substituted(cond: &Cond, args: &[Arg], frame: u32) -> Cond {
    let own = |variable: u32| frame + variable - args.len() as u32;
    let put = |arg: &Arg| match arg {
        Arg::Variable(variable) => match args.get(*variable as usize) {
            Some(arg) => *arg,
            None => Arg::Variable(own(*variable)),
        },
        object => *object,
    };
    let all = |parts: &[Cond]| {
        let parts = parts.iter().map(|p| substituted(p, args, frame));
        parts.collect()
    };
    match cond {
        Cond::Atom(atom, value) => Cond::Atom(
            Atom {
                predicate: atom.predicate,
                args: atom.args.iter().map(put).collect(),
            },
            *value,
        ),
        Cond::Same(a, b, value) => Cond::Same(put(a), put(b), *value),
        Cond::All(parts) => Cond::All(all(parts)),
        Cond::Any(parts) => Cond::Any(all(parts)),
        Cond::Some(variable, of, body) => Cond::Some(
            own(*variable),
            *of,
            Box::new(substituted(body, args, frame)),
        ),
        cond => cond.clone(),
    }
}
