//! The possible objects of a method's variables, and the variables that have to be bound.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::binding::{ATOM, Conjunct, EQUAL, OTHER};
use super::formula::{equal, variable};
use super::methods::Source;
use super::scope::Scope;
use super::types::{Guard, Range};
use super::{Importer, Variable};
use crate::syntax::ast::{Formula, Term};
use taskloom_document::Param;
use taskloom_document::syntax::ast::Expr;

/// A variable of a method, and its range.
pub struct Ranged {
    /// Its name in the file.
    original: Arc<str>,
    /// The task's parameter that it is, if it occurs in the method's head.
    param: Option<usize>,
    range: Range,
}

fn find<'r>(ranges: &'r mut [Ranged], name: &Arc<str>) -> Option<&'r mut Ranged> {
    ranges.iter_mut().find(|ranged| ranged.original == *name)
}

/// The variables that have to be bound.
#[derive(Default)]
pub struct Unbound {
    /// In order of first mention.
    pub params: Vec<Param>,
    /// Their indices, by their names in the file.
    pub numbers: FxHashMap<Arc<str>, usize>,
    /// The conditions on them.
    pub conjuncts: Vec<Conjunct>,
}

impl Importer<'_> {
    /// Reads a method's head: its conditions on the task's parameters, and the method's variables.
    pub fn ranges(
        &mut self,
        source: &Source,
        head: &[Term],
        params: &[Variable],
    ) -> (Vec<Expr>, Vec<Ranged>) {
        let mut guard = vec![];
        let mut ranges = vec![];
        for (at, (arg, param)) in head.iter().zip(params).enumerate() {
            match arg {
                Term::Constant(_) => {
                    guard.extend(self.guards(param));
                    let object = self.term(arg, &Scope::default());
                    guard.push(equal(variable(&param.name), object));
                }
                Term::Variable(name) => {
                    if let Some(ranged) = find(&mut ranges, name.text()) {
                        guard.extend(self.guards(param));
                        self.types.narrow(&mut ranged.range, &param.range);
                        let first = ranged.param.and_then(|first| params.get(first));
                        let first = first.map(|first| variable(&first.name));
                        guard.extend(first.map(|first| equal(first, variable(&param.name))));
                        continue;
                    }
                    if !source.params.iter().any(|typed| typed.name == *name) {
                        let message = format!("'?{name}' is not among the method's ':parameters'");
                        self.error(name.span, message);
                    }
                    ranges.push(Ranged {
                        original: name.text().clone(),
                        param: Some(at),
                        range: param.range.clone(),
                    });
                }
            }
        }
        let mut declared: Vec<&Arc<str>> = vec![];
        for typed in source.params {
            if self.stop.after(1 + ranges.len() / 8) {
                break;
            }
            let name = typed.name.text();
            if declared.contains(&name) {
                let message = format!("duplicate parameter '?{}'", typed.name);
                self.error(typed.name.span, message);
                continue;
            }
            declared.push(name);
            let range = self.range(typed);
            match find(&mut ranges, name) {
                Some(ranged) => self.types.narrow(&mut ranged.range, &range),
                None => ranges.push(Ranged {
                    original: name.clone(),
                    param: None,
                    range,
                }),
            }
        }
        (guard, ranges)
    }

    /// Determines for each variable whether it is a parameter or has to be bound. `None` if a
    /// variable has no possible object.
    pub fn unbound(
        &mut self,
        source: &Source,
        mut ranges: Vec<Ranged>,
        params: &[Variable],
        scope: &mut Scope,
    ) -> Option<Unbound> {
        let fits = self.narrow(source, &mut ranges);
        let mut unbound = Unbound::default();
        scope.reserve(ranges.iter().map(|ranged| &*ranged.original));
        for ranged in ranges {
            let Ranged {
                original, range, ..
            } = ranged;
            let param = ranged.param.and_then(|at| params.get(at));
            let Some(of) = self.types.cover(&range.set).filter(|_| fits) else {
                let message = if fits {
                    format!("no object can be '?{original}', so this never applies")
                } else {
                    "a subtask's argument has the wrong type, so this never applies".to_owned()
                };
                self.warning(source.at, message);
                return None;
            };
            let name = match param {
                Some(param) if param.of == of => param.name.clone(),
                _ => {
                    let name = scope.fresh(&original);
                    let number = unbound.params.len();
                    unbound.numbers.insert(original.clone(), number);
                    if let Some(param) = param {
                        unbound.conjuncts.push(Conjunct {
                            condition: equal(variable(&name), variable(&param.name)),
                            binds: vec![number],
                            weight: EQUAL,
                        });
                    }
                    unbound.params.push(Param {
                        name: name.clone(),
                        of: self.type_name(of),
                    });
                    name
                }
            };
            let number = unbound.numbers.get(&original);
            for part in &self.types.guards(&range, of) {
                let weight = match part {
                    Guard::OneOf(types) if types.len() == 1 => ATOM,
                    _ => OTHER,
                };
                unbound.conjuncts.push(Conjunct {
                    condition: self.guard(part, &variable(&name)),
                    binds: number.copied().into_iter().collect(),
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
        Some(unbound)
    }

    /// Narrows variables to what their uses allow; `false` if a constant can't be an argument of a
    /// subtask.
    fn narrow(&mut self, source: &Source, ranges: &mut [Ranged]) -> bool {
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
                        if let Some(ranged) = find(ranges, name.text()) {
                            self.types.narrow(&mut ranged.range, &param.range);
                        }
                    }
                    Term::Constant(name) => {
                        let object = self.objects.get(name.text());
                        fits &= object.is_none_or(|o| param.range.set.contains(o.of));
                    }
                }
            }
        }
        for part in source.conditions() {
            let (of_type, holds) = match part {
                Formula::Not(inner) => (&**inner, false),
                other => (other, true),
            };
            match of_type {
                Formula::OfType(Term::Variable(name), types) => {
                    let types = self.type_numbers(types);
                    let by = self.types.range(&types);
                    if let Some(Ranged { range, .. }) = find(ranges, name.text()) {
                        if holds {
                            self.types.narrow(range, &by);
                        } else {
                            self.types.exclude(range, &types);
                        }
                    }
                }
                // A fact that holds has arguments of the predicate's types.
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
                        if let (Some((param, initial)), Some(ranged)) =
                            (param, find(ranges, name.text()))
                            && ranged.param.is_none()
                            && initial.is_subset(&param.range.set)
                        {
                            self.types.narrow(&mut ranged.range, &param.range);
                        }
                    }
                }
                _ => {}
            }
        }
        fits
    }
}
