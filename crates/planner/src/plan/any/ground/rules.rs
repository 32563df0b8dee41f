//! Relaxed reachability as Horn rules: which tasks are called, which of them can
//! be done, which atoms may become true.
//!
//! - A compound task that is called calls the first subtasks of its methods,
//!   where their preconditions may hold.
//! - A subtask is called once those before it can be done.
//! - An action can be done once its precondition may hold, a compound task once
//!   all subtasks of an instance of a method can.
//! - An action that can be done makes its added atoms true.
//!
//! Deletes are ignored, and a negative literal may hold unless its atom is true
//! at first and never deleted.

use super::super::model::{Action, Arg, Atom, Cond, Method, Model, Subtask, TaskKind};
use super::implied;

/// What a rule's tuples have to satisfy beyond its atoms.
#[derive(Debug, Clone)]
pub enum Filter {
    /// Same object, or not.
    Same(Arg, Arg, bool),
    /// Not true at first; nothing ever deletes atoms of it.
    Absent(Atom),
    /// What else may hold or not; known of it is what never changes.
    Possible(Cond),
}

/// A tuple of a relation for all values of the variables that make the body true.
#[derive(Debug, Clone)]
pub struct Rule {
    /// The relation that gets the tuple.
    pub head: u32,
    /// The tuple.
    pub args: Vec<Arg>,
    /// Relations and tuples that have to be there.
    pub body: Vec<(u32, Vec<Arg>)>,
    /// What else.
    pub filters: Vec<Filter>,
    /// Types of the variables that no body atom vouches for.
    pub types: Vec<(u32, u32)>,
    /// How many variables there are.
    pub frame: u32,
}

/// All rules of a model.
#[derive(Debug, Default)]
pub struct Program {
    /// Length of the tuples of each relation; the predicates come first.
    pub arities: Vec<usize>,
    /// The rules.
    pub rules: Vec<Rule>,
    /// Of each task: the relation of the arguments that it is called with.
    pub called: Vec<u32>,
    /// Of each task: the relation of the arguments that it can be done with.
    pub done: Vec<u32>,
    /// Of each method: the relation of the values of its variables for which all
    /// its subtasks can be done. None where there are none.
    pub instances: Vec<Option<u32>>,
}

/// Variables 0, 1, 2 and so on.
fn variables(count: usize) -> Vec<Arg> {
    (0..count as u32).map(Arg::Variable).collect()
}

impl Program {
    /// The rules of a model.
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
            sort(model, cond, &mut body, &mut filters);
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
            sort(model, &effect.when, &mut body, &mut filters);
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
        implied: &[Option<Vec<Cond>>],
    ) -> Option<u32> {
        let statics = implied::of_method(model, method, implied)?;
        let (mut atoms, mut filters) = (vec![], vec![]);
        let own = method.precondition.iter();
        let inherited = statics.iter().filter(|s| !method.precondition.contains(s));
        for cond in own.chain(inherited) {
            sort(model, cond, &mut atoms, &mut filters);
        }
        let mut chain = Chain::new(method, filters);
        let params = model.tasks[method.task as usize].params.len();
        let called = self.called[method.task as usize];
        let mut body = vec![(called, variables(params))];
        // Whoever calls it has seen to its parameters' types.
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

/// All subtasks that come before one, directly or not.
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

/// Tells what binds variables from what is only asked.
fn sort(model: &Model, cond: &Cond, atoms: &mut Vec<(u32, Vec<Arg>)>, filters: &mut Vec<Filter>) {
    match cond {
        Cond::Atom(atom, true) => atoms.push((atom.predicate, atom.args.to_vec())),
        Cond::Atom(atom, false) if model.predicates[atom.predicate as usize].deleted => {}
        Cond::Atom(atom, false) => filters.push(Filter::Absent(atom.clone())),
        Cond::Same(a, b, same) => filters.push(Filter::Same(*a, *b, *same)),
        Cond::All(parts) => parts.iter().for_each(|p| sort(model, p, atoms, filters)),
        other => filters.push(Filter::Possible(other.clone())),
    }
}

/// The variables of a filter that are not its own.
pub fn filter_variables(filter: &Filter, found: &mut Vec<u32>) {
    fn arg(arg: &Arg, hidden: &[u32], found: &mut Vec<u32>) {
        if let Arg::Variable(v) = arg
            && !hidden.contains(v)
        {
            found.push(*v);
        }
    }
    fn cond(of: &Cond, hidden: &mut Vec<u32>, found: &mut Vec<u32>) {
        match of {
            Cond::Atom(atom, _) => atom.args.iter().for_each(|a| arg(a, hidden, found)),
            Cond::Same(a, b, _) => {
                arg(a, hidden, found);
                arg(b, hidden, found);
            }
            Cond::All(parts) | Cond::Any(parts) => {
                parts.iter().for_each(|p| cond(p, hidden, found));
            }
            Cond::Every(v, _, body) | Cond::Some(v, _, body) => {
                hidden.push(*v);
                cond(body, hidden, found);
                hidden.pop();
            }
        }
    }
    match filter {
        Filter::Same(a, b, _) => {
            arg(a, &[], found);
            arg(b, &[], found);
        }
        Filter::Absent(atom) => atom.args.iter().for_each(|a| arg(a, &[], found)),
        Filter::Possible(of) => cond(of, &mut vec![], found),
    }
}

/// The rules of one method, each going on from the tuples of the one before.
struct Chain<'a> {
    method: &'a Method,
    is_bound: Vec<bool>,
    /// Filters that no rule has asked yet.
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

    /// Counts the variables of these atoms as bound, and those that have to be the
    /// same as what is; those that were not, with their types.
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

    /// A variable that is not bound and has to be the same as what is.
    fn implied(&self) -> Option<Arg> {
        let is_bound = |arg: &Arg| match arg {
            Arg::Object(_) => true,
            Arg::Variable(v) => self.is_bound[*v as usize],
        };
        self.filters.iter().find_map(|filter| match filter {
            Filter::Same(a, b, true) if is_bound(a) && !is_bound(b) => Some(*b),
            Filter::Same(a, b, true) if is_bound(b) && !is_bound(a) => Some(*a),
            _ => None,
        })
    }

    /// A rule for the tuples of all that is bound with this body. The last one
    /// binds everything.
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
            let mut asked = vec![];
            for filter in &self.filters {
                filter_variables(filter, &mut asked);
            }
            // What may hold or not is no filter, and asked all the same.
            for cond in &self.method.precondition {
                filter_variables(&Filter::Possible(cond.clone()), &mut asked);
            }
            for (variable, of) in (0u32..).zip(&self.method.vars) {
                if std::mem::replace(&mut self.is_bound[variable as usize], true) {
                    continue;
                }
                // What nothing mentions may be any object of its type.
                match model.types[*of as usize].first() {
                    Some(any) if !asked.contains(&variable) => idle.push((variable, *any)),
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

    /// A rule that calls a subtask. An action some of whose arguments are still
    /// open is called only where its precondition may hold.
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
                let Cond::Atom(_, true) = cond else { continue };
                if let Cond::Atom(atom, _) = implied::applied(cond, &subtask.args) {
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
