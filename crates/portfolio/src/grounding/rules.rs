//! Relaxed reachability as Horn rules: which tasks are called, which of them are possible, which
//! atoms may become true.
//!
//! - A compound task that is called calls the first subtasks of its methods, if their preconditions
//!   may hold.
//! - A subtask is called once those before it are possible.
//! - An action is possible once its precondition may hold, a compound task once all subtasks of an
//!   instance of a method are.
//! - A possible action makes its added atoms true.
//!
//! Deletes are ignored, and a negative literal may hold unless its atom is true initially and never
//! deleted.

use super::implied;
use crate::lifted::condition::{Arg, Atom, Condition};
use crate::lifted::model::{Action, Method, Model, Subtask, TaskKind};

/// A condition on a rule's tuples in addition to its atoms.
#[derive(Debug, Clone)]
pub enum Filter {
    /// The two are the same object, or not.
    Same(Arg, Arg, bool),
    /// The atom is not true initially; its predicate's atoms are never deleted.
    Absent(Atom),
    /// A condition that may hold or not; only its static parts are known.
    Possible(Condition),
}

/// A rule: derives a tuple of a relation for all values of the variables that make the body true.
#[derive(Debug, Clone)]
pub struct Rule {
    /// The relation of the derived tuple.
    pub head: u32,
    /// The derived tuple.
    pub args: Vec<Arg>,
    /// The required relations and tuples.
    pub body: Vec<(u32, Vec<Arg>)>,
    /// The additional conditions.
    pub filters: Vec<Filter>,
    /// The types of the variables whose type no body atom guarantees.
    pub types: Vec<(u32, u32)>,
    /// The number of variables.
    pub frame: u32,
}

/// All rules of a model.
#[derive(Debug, Default)]
pub struct Program {
    /// The tuple length of each relation; the predicates come first.
    pub arities: Vec<usize>,
    /// The rules.
    pub rules: Vec<Rule>,
    /// For each task, the relation of the arguments with which it is called.
    pub called: Vec<u32>,
    /// For each task, the relation of the arguments with which it is possible.
    pub done: Vec<u32>,
    /// For each method, the relation of the values of its variables for which all its subtasks are
    /// possible. `None` if there are none.
    pub instances: Vec<Option<u32>>,
}

/// Returns the variables 0, 1, 2 and so on.
fn variables(count: usize) -> Vec<Arg> {
    (0..count as u32).map(Arg::Variable).collect()
}

impl Program {
    /// Creates the rules of a model.
    pub fn new(model: &Model) -> Self {
        let mut program = Self {
            arities: model.predicates.iter().map(|p| p.arity).collect(),
            ..Self::default()
        };
        for task in &model.tasks {
            let (called, done) = (
                program.relation(task.params.len()),
                program.relation(task.params.len()),
            );
            program.called.push(called);
            program.done.push(done);
        }
        for action in &model.actions {
            program.action(model, action);
        }
        let implied = implied::implied(model);
        for method in &model.methods {
            let instances = program.method(model, method, &implied);
            program.instances.push(instances);
        }
        program
    }

    fn relation(&mut self, arity: usize) -> u32 {
        self.arities.push(arity);
        self.arities.len() as u32 - 1
    }

    fn action(&mut self, model: &Model, action: &Action) {
        let own = variables(action.params.len());
        let mut body = vec![(self.called[action.task as usize], own.clone())];
        let mut filters = vec![];
        for cond in &action.precondition {
            classify(model, cond, &mut body, &mut filters);
        }
        let done = self.done[action.task as usize];
        self.rules.push(Rule {
            head: done,
            args: own.clone(),
            body,
            filters,
            types: vec![],
            frame: action.frame,
        });
        for effect in action.effects.iter().filter(|e| e.add) {
            let mut body = vec![(done, own.clone())];
            let mut filters = vec![];
            classify(model, &effect.when, &mut body, &mut filters);
            self.rules.push(Rule {
                head: effect.atom.predicate,
                args: effect.atom.args.to_vec(),
                body,
                filters,
                types: effect.forall.clone(),
                frame: action.frame,
            });
        }
    }

    fn method(
        &mut self,
        model: &Model,
        method: &Method,
        implied: &[Option<Vec<Condition>>],
    ) -> Option<u32> {
        let statics = implied::of_method(model, method, implied)?;
        let (mut atoms, mut filters) = (vec![], vec![]);
        let own = method.precondition.iter();
        let inherited = statics.iter().filter(|s| !method.precondition.contains(s));
        for cond in own.chain(inherited) {
            classify(model, cond, &mut atoms, &mut filters);
        }
        let mut chain = Chain::new(method, filters);
        let params = model.tasks[method.task as usize].params.len();
        let called = self.called[method.task as usize];
        let mut body = vec![(called, variables(params))];
        // The caller guarantees its parameters' types.
        chain.is_bound[..params].fill(true);
        body.extend(atoms);
        let mut last = chain.extend(model, self, body, method.subtasks.is_empty());
        if method.is_sequence {
            for (number, subtask) in method.subtasks.iter().enumerate() {
                if model.problem.stop().after(1 + method.vars.len()) {
                    return None;
                }
                chain.call(model, self, subtask, vec![last.clone()]);
                let done = (self.done[subtask.task as usize], subtask.args.to_vec());
                let is_last = number + 1 == method.subtasks.len();
                last = chain.extend(model, self, vec![last, done], is_last);
            }
        } else if !method.subtasks.is_empty() {
            let done: Vec<_> = method
                .subtasks
                .iter()
                .map(|s| (self.done[s.task as usize], s.args.to_vec()))
                .collect();
            for (number, subtask) in (0u32..).zip(&method.subtasks) {
                if model.problem.stop().after(method.order.len()) {
                    return None;
                }
                let mut body = vec![last.clone()];
                body.extend(before(method, number).map(|b| done[b as usize].clone()));
                chain.call(model, self, subtask, body);
            }
            let mut body = vec![last];
            body.extend(done);
            last = chain.extend(model, self, body, true);
        }
        self.rules.push(Rule {
            head: self.done[method.task as usize],
            args: variables(params),
            body: vec![last.clone()],
            filters: vec![],
            types: vec![],
            frame: method.frame,
        });
        Some(last.0)
    }
}

/// Returns all direct and indirect predecessors of a subtask.
fn before(method: &Method, subtask: u32) -> impl Iterator<Item = u32> {
    let mut is_before = vec![false; method.subtasks.len()];
    let mut open = vec![subtask];
    while let Some(next) = open.pop() {
        for (from, _) in method.order.iter().filter(|(_, to)| *to == next) {
            if !std::mem::replace(&mut is_before[*from as usize], true) {
                open.push(*from);
            }
        }
    }
    (0..).zip(is_before).filter(|(_, b)| *b).map(|(n, _)| n)
}

/// Separates the atoms that bind variables from the conditions that are only tested.
fn classify(
    model: &Model,
    cond: &Condition,
    atoms: &mut Vec<(u32, Vec<Arg>)>,
    filters: &mut Vec<Filter>,
) {
    match cond {
        Condition::Atom(atom, true) => atoms.push((atom.predicate, atom.args.to_vec())),
        Condition::Atom(atom, false) if model.predicates[atom.predicate as usize].deleted => {}
        Condition::Atom(atom, false) => filters.push(Filter::Absent(atom.clone())),
        Condition::Same(a, b, same) => filters.push(Filter::Same(*a, *b, *same)),
        Condition::All(parts) => parts
            .iter()
            .for_each(|p| classify(model, p, atoms, filters)),
        other => filters.push(Filter::Possible(other.clone())),
    }
}

/// Collects the variables of a filter, except its own quantified ones.
pub fn filter_variables(filter: &Filter, found: &mut Vec<u32>) {
    let mut note = |variable| {
        found.push(variable);
        true
    };
    let mut arg = |arg: &Arg| {
        if let Arg::Variable(variable) = arg {
            note(*variable);
        }
    };
    match filter {
        Filter::Same(a, b, _) => {
            arg(a);
            arg(b);
        }
        Filter::Absent(atom) => atom.args.iter().for_each(arg),
        Filter::Possible(condition) => {
            condition.all_free(&mut note);
        }
    }
}

/// The rules of one method, each extending the tuples of the one before.
struct Chain<'a> {
    method: &'a Method,
    is_bound: Vec<bool>,
    /// Filters that no rule has tested yet.
    filters: Vec<Filter>,
}

impl<'a> Chain<'a> {
    fn new(method: &'a Method, filters: Vec<Filter>) -> Self {
        Self {
            method,
            is_bound: vec![false; method.vars.len()],
            filters,
        }
    }

    /// Marks the variables of these atoms as bound, and those that must equal something bound.
    /// Returns the newly bound ones with their types.
    fn bind(&mut self, body: &[(u32, Vec<Arg>)]) -> Vec<(u32, u32)> {
        let mut types = vec![];
        let mut args = body.iter().flat_map(|(_, args)| args);
        loop {
            let arg = args.next().copied().or_else(|| self.implied());
            let Some(arg) = arg else { return types };
            if let Arg::Variable(v) = arg
                && !std::mem::replace(&mut self.is_bound[v as usize], true)
            {
                types.push((v, self.method.vars[v as usize]));
            }
        }
    }

    /// Returns an unbound variable that must equal something bound.
    fn implied(&self) -> Option<Arg> {
        let is_bound = |arg: &Arg| arg.is_bound(&self.is_bound);
        self.filters.iter().find_map(|filter| match filter {
            Filter::Same(a, b, true) if is_bound(a) && !is_bound(b) => Some(*b),
            Filter::Same(a, b, true) if is_bound(b) && !is_bound(a) => Some(*a),
            _ => None,
        })
    }

    /// Adds a rule for the tuples of all bound variables with this body. The last rule binds
    /// everything.
    fn extend(
        &mut self,
        model: &Model,
        program: &mut Program,
        body: Vec<(u32, Vec<Arg>)>,
        is_last: bool,
    ) -> (u32, Vec<Arg>) {
        let mut types = self.bind(&body);
        let mut idle = vec![];
        if is_last {
            let mut mentioned = vec![];
            for filter in &self.filters {
                filter_variables(filter, &mut mentioned);
            }
            // Conditions that may hold or not are not filters, but their variables are needed.
            for cond in &self.method.precondition {
                filter_variables(&Filter::Possible(cond.clone()), &mut mentioned);
            }
            for (variable, of) in (0u32..).zip(&self.method.vars) {
                if std::mem::replace(&mut self.is_bound[variable as usize], true) {
                    continue;
                }
                // A variable that nothing mentions may be any object of its type.
                match model.types[*of as usize].first() {
                    Some(any) if !mentioned.contains(&variable) => idle.push((variable, *any)),
                    _ => types.push((variable, *of)),
                }
            }
        }
        let is_bound = &self.is_bound;
        let (now, later) = std::mem::take(&mut self.filters)
            .into_iter()
            .partition(|f| {
                let mut found = vec![];
                filter_variables(f, &mut found);
                found.iter().all(|v| is_bound[*v as usize])
            });
        self.filters = later;
        let bound = (0u32..).zip(&self.is_bound).filter(|(_, b)| **b);
        let args = bound.map(|(v, _)| match idle.iter().find(|i| i.0 == v) {
            Some((_, any)) => Arg::Object(*any),
            None => Arg::Variable(v),
        });
        let args: Vec<Arg> = args.collect();
        let head = program.relation(args.len());
        program.rules.push(Rule {
            head,
            args: args.clone(),
            body,
            filters: now,
            types,
            frame: self.method.frame,
        });
        (head, args)
    }

    /// Adds a rule that calls a subtask. An action with unbound arguments is only called if its
    /// precondition may hold.
    fn call(
        &self,
        model: &Model,
        program: &mut Program,
        subtask: &Subtask,
        mut body: Vec<(u32, Vec<Arg>)>,
    ) {
        let mut types = vec![];
        for arg in &*subtask.args {
            if let Arg::Variable(v) = arg
                && !self.is_bound[*v as usize]
                && !types.iter().any(|(other, _)| other == v)
            {
                types.push((*v, self.method.vars[*v as usize]));
            }
        }
        if !types.is_empty()
            && let TaskKind::Primitive(action) = model.tasks[subtask.task as usize].kind
        {
            let action = &model.actions[action as usize];
            for cond in &action.precondition {
                let Condition::Atom(_, true) = cond else {
                    continue;
                };
                if let Condition::Atom(atom, _) = cond.substituted(&subtask.args, action.frame) {
                    body.push((atom.predicate, atom.args.to_vec()));
                }
            }
        }
        program.rules.push(Rule {
            head: program.called[subtask.task as usize],
            args: subtask.args.to_vec(),
            body,
            filters: vec![],
            types,
            frame: self.method.frame,
        });
    }
}
