//! Methods as paths through a flowchart.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::binding::{ATOM, Conjunct, EQUAL, OTHER, ordered};
use super::formula::arguments;
use super::names::legal;
use super::ranges::Unbound;
use super::scope::Scope;
use super::{Importer, Task, Variable, conjuncts, title};
use crate::syntax::ast::{Atom, Formula, Method, Network, Term, Typed};
use crate::syntax::mentions;
use taskloom_document::diagnostic::Span;
use taskloom_document::syntax::ast::{Expr, ExprKind, Reference};
use taskloom_document::{CompoundTask, Document, Param};

use super::{chart, order};

/// A method, ready to be drawn.
#[derive(Debug, Default)]
pub struct MethodPath {
    /// Its name.
    pub label: String,
    /// The conditions on the task's parameters alone.
    pub guard: Vec<Expr>,
    /// Its variables, each with the conditions to check once it is bound.
    pub binds: Vec<(Param, Vec<Expr>)>,
    /// Its subtasks, as declared.
    pub tasks: Vec<Reference>,
    /// The direct orderings of the subtasks.
    pub order: Vec<(usize, usize)>,
}

/// The outputs of a Choice block have 16-bit numbers.
const MAX_METHODS: usize = 60_000;

/// The contents of a method.
pub struct Source<'m> {
    pub label: &'m str,
    pub at: Span,
    pub params: &'m [Typed],
    pub precondition: &'m Formula,
    pub network: &'m Network,
}

impl<'m> Source<'m> {
    /// Returns the conjuncts of its conditions.
    pub fn conditions(&self) -> impl Iterator<Item = &'m Formula> + use<'m> {
        let written = [self.precondition, &self.network.constraints];
        written.into_iter().flat_map(conjuncts)
    }
}

impl<'a> Importer<'a> {
    /// Returns the methods of each task, in the order of the file.
    fn methods_by_task(&mut self) -> FxHashMap<&'a Arc<str>, Vec<&'a Method>> {
        let domain = self.domain;
        let mut methods: FxHashMap<&Arc<str>, Vec<&Method>> = FxHashMap::default();
        let mut named: FxHashSet<&Arc<str>> = FxHashSet::default();
        let actions = domain.actions.iter().map(|a| a.signature.name.text());
        let actions: FxHashSet<&Arc<str>> = actions.collect();
        for method in &domain.methods {
            if self.stop.after(1) {
                break;
            }
            let name = &method.signature.name;
            if !named.insert(name.text()) {
                let message = format!("duplicate method '{name}': plans refer to methods by name");
                self.warning(name.span, message);
            }
            let known = self.tasks.get(method.task.name.text());
            match known.map(|task| task.params.len()) {
                None => {
                    let message = format!("no task is called '{}'", method.task.name);
                    self.error(method.task.name.span, message);
                    continue;
                }
                Some(count) if count != method.task.args.len() => {
                    let message = format!(
                        "'{}' takes {}, found {}",
                        method.task.name,
                        arguments(count),
                        method.task.args.len()
                    );
                    self.error(method.task.name.span, message);
                    continue;
                }
                Some(_) => {}
            }
            if actions.contains(method.task.name.text()) {
                let message = format!("'{}' is an action and has no methods", method.task.name);
                self.error(method.task.name.span, message);
                continue;
            }
            methods
                .entry(method.task.name.text())
                .or_default()
                .push(method);
        }
        methods
    }

    pub fn read_compounds(&mut self, document: &mut Document) {
        let mut methods = self.methods_by_task();
        let domain = self.domain;
        for signature in &domain.tasks {
            let Some(task) = self.tasks.get(signature.name.text()).cloned() else {
                continue;
            };
            if document.compound_tasks.contains_key(&task.name)
                || document.primitive_tasks.contains_key(&task.name)
            {
                continue;
            }
            let mut own = methods.remove(signature.name.text()).unwrap_or_default();
            if own.len() > MAX_METHODS {
                let message = format!("a task can have at most {MAX_METHODS} methods");
                self.error(signature.name.span, message);
                own.truncate(MAX_METHODS);
            }
            if own.is_empty() {
                let message = format!("the task '{}' has no methods", signature.name);
                self.warning(signature.name.span, message);
            }
            let ways: Vec<MethodPath> = own.iter().map(|m| self.method(m, &task)).collect();
            if self.stop.is_cancelled() {
                return;
            }
            let (method, points) = chart::draw(&ways, self.stop);
            let record = CompoundTask {
                params: task.params.iter().map(|param| self.param(param)).collect(),
                method,
                title: title(self.spelled(&signature.name), &task.name),
                note: chart::note(&ways),
                ..CompoundTask::default()
            };
            document
                .layout
                .methods
                .insert(task.name.clone(), Arc::new(points));
            document.compound_tasks.insert(task.name, Arc::new(record));
        }
    }

    fn method(&mut self, method: &Method, task: &Task) -> MethodPath {
        let source = Source {
            label: self.spelled(&method.signature.name),
            at: method.signature.name.span,
            params: &method.signature.params,
            precondition: &method.precondition,
            network: &method.network,
        };
        self.path(&source, &method.task.args, &task.params)
    }

    /// Returns the path for a method of a task with these parameters, or for an initial task
    /// network.
    pub fn path(&mut self, source: &Source, head: &[Term], params: &[Variable]) -> MethodPath {
        let network = source.network;
        let mut path = MethodPath {
            label: source.label.to_owned(),
            ..MethodPath::default()
        };
        if self.stop.after(1) {
            return path;
        }
        let mut scope = Scope::default();
        for param in params {
            scope.take(param.name.as_str());
        }
        let (guard, ranges) = self.ranges(source, head, params);
        let Some(mut unbound) = self.unbound(source, ranges, params, &mut scope) else {
            path.guard = vec![ExprKind::Bool(false).into()];
            return path;
        };
        self.read_conditions(source, &mut unbound, &mut scope);
        let conjuncts = unbound.conjuncts.into_iter();
        let (decided, open): (Vec<_>, Vec<_>) =
            conjuncts.partition(|conjunct| conjunct.binds.is_empty());
        path.guard = guard;
        path.guard.extend(decided.into_iter().map(|c| c.condition));
        path.binds = ordered(unbound.params, open, self.stop);
        for task in &network.tasks {
            if self.stop.after(1 + scope.len() / 8) {
                break;
            }
            path.tasks.push(self.subtask(task, &scope));
        }
        match order::reduced(network.tasks.len(), &network.order, self.stop) {
            Some(order) => path.order = order,
            None => self.error(source.at, "the orderings of the subtasks form a cycle"),
        }
        path
    }

    /// Reads a method's precondition and constraints on its variables.
    fn read_conditions(&mut self, source: &Source, unbound: &mut Unbound, scope: &mut Scope) {
        for part in source.conditions() {
            if self.stop.after(1) {
                return;
            }
            let mut mentioned = vec![];
            mentions(part, &mut vec![], &mut |name| {
                let number = unbound.numbers.get(name).copied();
                mentioned.extend(number.filter(|n| !mentioned.contains(n)));
            });
            let condition = self.formula(part, scope);
            // Conditions implied by the types are omitted.
            if condition.kind == ExprKind::Bool(true) || self.is_sure(part, scope) {
                continue;
            }
            let weight = match part {
                Formula::Equal(..) => EQUAL,
                Formula::Atom(_) => ATOM,
                Formula::OfType(_, types) if types.len() == 1 => ATOM,
                _ => OTHER,
            };
            unbound.conjuncts.push(Conjunct {
                condition,
                binds: mentioned,
                weight,
            });
        }
    }

    /// Returns a subtask as a call.
    pub fn subtask(&mut self, subtask: &Atom, scope: &Scope) -> Reference {
        let args: Vec<Expr> = subtask.args.iter().map(|a| self.term(a, scope)).collect();
        let known = self.tasks.get(subtask.name.text());
        match known.map(|task| (task.name.clone(), task.params.len())) {
            Some((name, count)) => {
                if count != args.len() {
                    let message = format!(
                        "'{}' takes {}, found {}",
                        subtask.name,
                        arguments(count),
                        args.len()
                    );
                    self.error(subtask.name.span, message);
                }
                Reference::new(name, args)
            }
            None => {
                let message = format!("no task or action is called '{}'", subtask.name);
                self.error(subtask.name.span, message);
                Reference::new(legal(&subtask.name, "task"), args)
            }
        }
    }
}
