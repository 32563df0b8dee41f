//! Methods as ways through a flowchart.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::binding::{ATOM, Conjunct, EQUAL, OTHER, mentions, ordered};
use super::text::{Around, Scope, applied, arguments};
use super::types::{Guard, Range};
use super::{Importer, Task, Variable, conjuncts, title};
use crate::syntax::ast::{Atom, Formula, Method, Network, Term, Typed};
use taskloom_document::diagnostic::Span;
use taskloom_document::{CompoundTask, Document, Param};

use super::{chart, order};

/// A method, ready to be drawn.
#[derive(Debug, Default)]
pub struct Way {
    /// Its name.
    pub label: String,
    /// What the task's parameters alone decide.
    pub guard: Vec<String>,
    /// Its variables, and what each has to satisfy once it is bound.
    pub binds: Vec<(Param, Vec<String>)>,
    /// Its subtasks, as declared.
    pub tasks: Vec<String>,
    /// Which of them is directly before which.
    pub order: Vec<(usize, usize)>,
}

/// The outputs of a Choice block have numbers of 16 bits.
const MOST_METHODS: usize = 60_000;

/// What a method says.
pub struct Source<'m> {
    pub label: &'m str,
    pub at: Span,
    pub params: &'m [Typed],
    pub precondition: &'m Formula,
    pub network: &'m Network,
}

impl Importer<'_> {
    pub fn read_compounds(&mut self, document: &mut Document) {
        let domain = self.domain;
        let mut methods: FxHashMap<&Arc<str>, Vec<&Method>> = FxHashMap::default();
        let mut named: FxHashSet<&Arc<str>> = FxHashSet::default();
        let actions = domain.actions.iter().map(|a| a.signature.name.text());
        let actions: FxHashSet<&Arc<str>> = actions.collect();
        for method in &domain.methods {
            if self.stop.after(1) {
                return;
            }
            let name = &method.signature.name;
            if !named.insert(name.text()) {
                let message = format!("there is another method '{name}': plans name them");
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
            if own.len() > MOST_METHODS {
                let message = format!("a task has at most {MOST_METHODS} methods here");
                self.error(signature.name.span, message);
                own.truncate(MOST_METHODS);
            }
            if own.is_empty() {
                let message = format!("the task '{}' has no methods", signature.name);
                self.warning(signature.name.span, message);
            }
            let ways: Vec<Way> = own.iter().map(|m| self.method(m, &task)).collect();
            if self.stop.is_heard() {
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

    fn method(&mut self, method: &Method, task: &Task) -> Way {
        let source = Source {
            label: self.spelled(&method.signature.name),
            at: method.signature.name.span,
            params: &method.signature.params,
            precondition: &method.precondition,
            network: &method.network,
        };
        self.way(&source, &method.task.args, &task.params)
    }

    /// A method of a task with these parameters, or an initial task network.
    pub fn way(&mut self, source: &Source, head: &[Term], params: &[Variable]) -> Way {
        let network = source.network;
        let mut way = Way {
            label: source.label.to_owned(),
            ..Way::default()
        };
        if self.stop.after(1) {
            return way;
        }
        let mut scope = Scope::default();
        for param in params {
            scope.take(param.name.as_str());
        }
        let mut guard = vec![];
        // Variables in the head, with the parameter that each is; the others.
        let mut ranges: Vec<(Arc<str>, Option<usize>, Range)> = vec![];
        for (at, (arg, param)) in head.iter().zip(params).enumerate() {
            match arg {
                Term::Constant(_) => {
                    guard.extend(self.guards(param));
                    let object = self.term(arg, &scope);
                    guard.push(format!("?{} = {object}", param.name));
                }
                Term::Variable(name) => {
                    let known = ranges.iter_mut().find(|(n, ..)| n == name.text());
                    if let Some((_, first, range)) = known {
                        guard.extend(self.guards(param));
                        self.types.narrow(range, &param.range);
                        let first = first.and_then(|first| params.get(first));
                        let first = first.map(|first| &first.name);
                        guard.extend(first.map(|first| format!("?{first} = ?{}", param.name)));
                        continue;
                    }
                    if !source.params.iter().any(|typed| typed.name == *name) {
                        let message = format!("'?{name}' is not among the method's ':parameters'");
                        self.error(name.span, message);
                    }
                    ranges.push((name.text().clone(), Some(at), param.range.clone()));
                }
            }
        }
        let mut declared: Vec<&Arc<str>> = vec![];
        for typed in source.params {
            if self.stop.after(1 + ranges.len() / 8) {
                return way;
            }
            if declared.contains(&typed.name.text()) {
                let message = format!("there are two parameters '?{}'", typed.name);
                self.error(typed.name.span, message);
                continue;
            }
            declared.push(typed.name.text());
            let range = self.range(typed);
            let known = ranges.iter_mut().find(|(n, ..)| n == typed.name.text());
            match known {
                Some((_, _, own)) => self.types.narrow(own, &range),
                None => ranges.push((typed.name.text().clone(), None, range)),
            }
        }
        let fits = self.narrow(source, &mut ranges);

        // Each variable is a parameter, or has to be bound.
        let mut binds: Vec<Param> = vec![];
        let mut conjuncts_found: Vec<Conjunct> = vec![];
        let mut numbers: FxHashMap<Arc<str>, usize> = FxHashMap::default();
        for (original, param, range) in ranges {
            let param = param.and_then(|at| params.get(at));
            let Some(of) = self.types.cover(&range.set).filter(|_| fits) else {
                let message = match fits {
                    true => format!("no object can be '?{original}', so this is never applied"),
                    false => "a subtask's argument is of a wrong type, so this is never applied"
                        .to_owned(),
                };
                self.warning(source.at, message);
                way.guard = vec!["false".to_owned()];
                return way;
            };
            let guards = self.types.guards(&range, of);
            let name = match param {
                Some(param) if param.of == of => param.name.clone(),
                _ => {
                    let name = scope.fresh(&original);
                    let number = binds.len();
                    numbers.insert(original.clone(), number);
                    if let Some(param) = param {
                        conjuncts_found.push(Conjunct {
                            text: format!("?{name} = ?{}", param.name),
                            binds: vec![number],
                            weight: EQUAL,
                        });
                    }
                    binds.push(Param {
                        name: name.clone(),
                        of: self.type_name(of),
                    });
                    name
                }
            };
            let term = format!("?{name}");
            for part in &guards {
                let weight = match part {
                    Guard::OneOf(types) if types.len() == 1 => ATOM,
                    _ => OTHER,
                };
                let text = self.guard(part, &term);
                conjuncts_found.push(Conjunct {
                    text,
                    binds: numbers.get(&original).copied().into_iter().collect(),
                    weight,
                });
            }
            scope.push(Variable {
                original,
                name,
                range,
                of,
            });
        }
        let written = [source.precondition, &network.constraints];
        for part in written.into_iter().flat_map(conjuncts) {
            if self.stop.after(1) {
                return way;
            }
            let mut mentioned = vec![];
            mentions(part, &mut vec![], &mut |name| {
                let number = numbers.get(name).copied();
                mentioned.extend(number.filter(|n| !mentioned.contains(n)));
            });
            let text = self.formula(part, &mut scope, Around::And);
            // What the types say already is not said again.
            if text == "true" || self.is_sure(part, &scope) {
                continue;
            }
            let weight = match part {
                Formula::Equal(..) => EQUAL,
                Formula::Atom(_) => ATOM,
                Formula::OfType(_, types) if types.len() == 1 => ATOM,
                _ => OTHER,
            };
            conjuncts_found.push(Conjunct {
                text,
                binds: mentioned,
                weight,
            });
        }
        let (decided, open): (Vec<_>, Vec<_>) = conjuncts_found
            .into_iter()
            .partition(|conjunct| conjunct.binds.is_empty());
        way.guard = guard;
        way.guard.extend(decided.into_iter().map(|c| c.text));
        way.binds = ordered(binds, open, self.stop);
        for task in &network.tasks {
            if self.stop.after(1 + scope.len() / 8) {
                break;
            }
            way.tasks.push(self.subtask(task, &scope));
        }
        match order::reduced(network.tasks.len(), &network.order, self.stop) {
            Some(order) => way.order = order,
            None => self.error(source.at, "the orderings of the subtasks go in a circle"),
        }
        way
    }

    /// Narrows variables to what their uses allow; false where a constant is no
    /// argument of a subtask.
    fn narrow(&mut self, source: &Source, ranges: &mut [(Arc<str>, Option<usize>, Range)]) -> bool {
        let mut fits = true;
        for subtask in &source.network.tasks {
            let Some(task) = self.tasks.get(subtask.name.text()) else {
                continue;
            };
            for (arg, param) in subtask.args.iter().zip(&task.params) {
                if self.stop.after(1 + ranges.len() / 8) {
                    return false;
                }
                match arg {
                    Term::Variable(name) => {
                        let own = ranges.iter_mut().find(|(n, ..)| n == name.text());
                        if let Some((_, _, range)) = own {
                            self.types.narrow(range, &param.range);
                        }
                    }
                    Term::Constant(name) => {
                        let object = self.objects.get(name.text());
                        fits &= object.is_none_or(|o| param.range.set.contains(o.of));
                    }
                }
            }
        }
        let written = [source.precondition, &source.network.constraints];
        for part in written.into_iter().flat_map(conjuncts) {
            let (of_type, holds) = match part {
                Formula::Not(inner) => (&**inner, false),
                other => (other, true),
            };
            match of_type {
                Formula::OfType(Term::Variable(name), types) => {
                    let types = self.type_numbers(types);
                    let by = self.types.range(&types);
                    let own = ranges.iter_mut().find(|(n, ..)| n == name.text());
                    if let Some((_, _, range)) = own {
                        match holds {
                            true => self.types.narrow(range, &by),
                            false => self.types.exclude(range, &types),
                        }
                    }
                }
                // What holds is about objects of the predicate's types.
                Formula::Atom(atom) if holds => {
                    let Some(fact) = self.facts.get(atom.name.text(), atom.args.len()) else {
                        continue;
                    };
                    if self.stop.after(1 + ranges.len() / 8) {
                        return false;
                    }
                    for (at, arg) in atom.args.iter().enumerate() {
                        let Term::Variable(name) = arg else { continue };
                        let param = fact.params.get(at).zip(fact.initial.get(at));
                        let own = ranges.iter_mut().find(|(n, ..)| n == name.text());
                        if let (Some((param, initial)), Some((_, None, range))) = (param, own)
                            && initial.is_subset(&param.range.set)
                        {
                            self.types.narrow(range, &param.range);
                        }
                    }
                }
                _ => {}
            }
        }
        fits
    }

    /// A subtask as a call.
    pub fn subtask(&mut self, subtask: &Atom, scope: &Scope) -> String {
        let args: Vec<String> = subtask.args.iter().map(|a| self.term(a, scope)).collect();
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
                applied(name.as_str(), &args)
            }
            None => {
                let message = format!("no task or action is called '{}'", subtask.name);
                self.error(subtask.name.span, message);
                applied(&super::names::legal(&subtask.name, "task"), &args)
            }
        }
    }
}
