//! Types, constants, objects and tasks of planning files.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::names::{Namespace, title};
use super::types::Range;
use super::{Constant, Importer, SourceFile, Task};
use crate::syntax::ast::{Ident, Term, Typed};
use taskloom_document::Name;
use taskloom_document::diagnostic::Severity;

impl<'a> Importer<'a> {
    /// Reads the types that are declared, and those that are only mentioned.
    pub(super) fn read_types(&mut self) {
        let domain = self.domain;
        let mut seen: FxHashSet<(&Ident, &[Ident])> = FxHashSet::default();
        for declared in &domain.types {
            if self.stop.after(1 + declared.of.len()) {
                return;
            }
            if !seen.insert((&declared.name, &declared.of)) {
                let message = format!("the type '{}' is declared twice", declared.name);
                self.warning(declared.name.span, message);
            }
            self.types.declare(declared);
        }
        for cycle in cycles(&domain.types) {
            let names: Vec<String> = cycle.iter().map(|name| format!("'{name}'")).collect();
            let first = names.first().cloned().unwrap_or_default();
            let at = cycle.first().map(|name| name.span).unwrap_or_default();
            let message = format!(
                "the types form a cycle: {first} is a subtype of {}",
                names
                    .iter()
                    .skip(1)
                    .chain([&first])
                    .cloned()
                    .collect::<Vec<_>>()
                    .join(", a subtype of ")
            );
            self.error(at, message);
        }
        let signatures = domain.predicates.iter().chain(&domain.functions);
        let signatures = signatures.chain(&domain.tasks);
        let signatures = signatures.chain(domain.methods.iter().map(|m| &m.signature));
        let signatures = signatures.chain(domain.actions.iter().map(|a| &a.signature));
        let in_domain = signatures.flat_map(|s| &s.params).chain(&domain.constants);
        self.add_named(in_domain);
        if let Some(problem) = self.problem {
            self.file = self.problem_file;
            let params = problem.network.iter().flat_map(|n| &n.params);
            self.add_named(problem.objects.iter().chain(params));
            self.file = SourceFile::Domain;
        }
        self.types.settle();
    }

    fn add_named<'t>(&mut self, typed: impl Iterator<Item = &'t Typed>) {
        for of in typed.flat_map(|typed| &typed.of) {
            if self.stop.after(1) {
                return;
            }
            if self.types.number(of).is_none() {
                let message = format!("the type '{of}' is not declared in ':types'");
                self.warning(of.span, message);
                self.types.add(of);
            }
        }
    }

    /// Returns the numbers of types; reports unknown ones.
    pub(super) fn type_numbers(&mut self, of: &[Ident]) -> Vec<usize> {
        let mut numbers = vec![];
        for of in of {
            match self.types.number(of) {
                Some(number) => numbers.push(number),
                None => self.error(of.span, format!("no type is called '{of}'")),
            }
        }
        numbers
    }

    pub(super) fn range(&mut self, typed: &Typed) -> Range {
        let of = self.type_numbers(&typed.of);
        self.types.range(&of)
    }

    pub(super) fn read_objects(&mut self) {
        let mut names = self.facts.names();
        for object in self.declared_objects() {
            if self.stop.after(object.of.len()) {
                break;
            }
            let of = match object.of.as_slice() {
                [one] => *one,
                several => self.types.joint(several),
            };
            let name = names.give(object.name, "object");
            let constant = Constant {
                title: title(object.spelled, &name),
                name,
                of,
                is_of_domain: object.is_of_domain,
            };
            self.facts.take(&constant.name);
            self.objects.insert(object.name.text().clone(), constant);
        }
        self.types.settle();
        let mut names = Namespace::default();
        names.take("object");
        names.reserve(self.types.names.iter().map(Ident::as_str));
        for (number, of) in self.types.names.iter().enumerate() {
            let name = match number {
                0 => Name::root(),
                _ => names.give(of, "type"),
            };
            self.type_names.push(name);
        }
        self.read_uses_in_initial_facts();
    }

    /// Reads the declarations of objects. An object may be declared several times, with several
    /// types.
    fn declared_objects(&mut self) -> Vec<DeclaredObject<'a>> {
        let (domain, problem) = (self.domain, self.problem);
        let of_problem = problem.map_or(&[][..], |p| &p.objects);
        let of_domain = domain.constants.iter().map(|object| (object, true));
        let all = of_domain.chain(of_problem.iter().map(|object| (object, false)));
        let mut places: FxHashMap<&Arc<str>, usize> = FxHashMap::default();
        let mut declared: Vec<DeclaredObject> = vec![];
        for (object, is_of_domain) in all {
            if self.stop.after(1 + object.of.len()) {
                break;
            }
            self.file = match is_of_domain {
                true => SourceFile::Domain,
                false => self.problem_file,
            };
            let mut of = self.type_numbers(&object.of);
            if of.is_empty() {
                of.push(0);
            }
            let place = places.get(object.name.text()).copied();
            let Some(known) = place.and_then(|place| declared.get_mut(place)) else {
                places.insert(object.name.text(), declared.len());
                declared.push(DeclaredObject {
                    name: &object.name,
                    spelled: self.spelled(&object.name),
                    of,
                    is_of_domain,
                });
                continue;
            };
            of.retain(|of| !known.of.contains(of));
            let as_well = match of.is_empty() {
                true => "",
                false => ", with two types, and has both",
            };
            known.of.extend(of);
            let message = format!("the object '{}' is declared twice{as_well}", object.name);
            self.warning(object.name.span, message);
        }
        declared
    }

    /// Records the types of arguments in initial facts: a fact's parameters cover the objects it is
    /// used with, which may go beyond its declared types.
    fn read_uses_in_initial_facts(&mut self) {
        for fact in self.problem.iter().flat_map(|problem| &problem.facts) {
            if self.stop.after(1) {
                break;
            }
            for (at, arg) in fact.args.iter().enumerate() {
                if let Term::Constant(object) = arg
                    && let Some(object) = self.objects.get(object.text())
                {
                    let (of, arity) = (object.of, fact.args.len());
                    self.facts.seen(fact.name.text(), arity, at, of);
                }
            }
        }
        self.facts.initial_noted();
    }

    /// Reads the actions and tasks that are declared.
    pub(super) fn read_tasks(&mut self) {
        let domain = self.domain;
        self.file = SourceFile::Domain;
        let actions = domain.actions.iter().map(|action| &action.signature);
        let signatures = actions.chain(&domain.tasks);
        let written = signatures.clone().map(|signature| signature.name.as_str());
        self.task_names.reserve(written);
        for (number, signature) in signatures.enumerate() {
            let name = &signature.name;
            if self.tasks.contains_key(name.text()) {
                let mut actions = domain.actions.iter();
                let message = if number < domain.actions.len() {
                    format!("duplicate action '{name}'")
                } else if actions.any(|action| action.signature.name == *name) {
                    format!("the task '{name}' has the name of an action")
                } else {
                    format!("duplicate task '{name}'")
                };
                self.error(name.span, message);
                continue;
            }
            let task = Task {
                name: self.task_names.give(&signature.name, "task"),
                params: self.params(&signature.params, Severity::Error),
            };
            self.tasks.insert(signature.name.text().clone(), task);
        }
    }
}

/// An object as the files declare it.
struct DeclaredObject<'a> {
    name: &'a Ident,
    spelled: &'a str,
    /// Its types.
    of: Vec<usize>,
    is_of_domain: bool,
}

/// Returns the cycles of the subtype relation.
fn cycles(types: &[Typed]) -> Vec<Vec<&Ident>> {
    let mut above: FxHashMap<&Ident, Vec<&Ident>> = FxHashMap::default();
    let mut order: Vec<&Ident> = vec![];
    for declared in types {
        let own = above.entry(&declared.name).or_insert_with(|| {
            order.push(&declared.name);
            vec![]
        });
        own.extend(&declared.of);
    }
    // A type whose parents are in no cycle is in none.
    let mut waits: FxHashMap<&Ident, usize> = FxHashMap::default();
    let mut below: FxHashMap<&Ident, Vec<&Ident>> = FxHashMap::default();
    for (own, of) in &above {
        let open = of.iter().filter(|of| above.contains_key(**of));
        for of in open {
            *waits.entry(own).or_default() += 1;
            below.entry(of).or_default().push(own);
        }
    }
    let mut free: Vec<&Ident> = order
        .iter()
        .copied()
        .filter(|own| !waits.contains_key(own))
        .collect();
    while let Some(own) = free.pop() {
        for below in below.get(own).into_iter().flatten() {
            if let Some(open) = waits.get_mut(below) {
                *open -= 1;
                if *open == 0 {
                    waits.remove(below);
                    free.push(below);
                }
            }
        }
    }
    // From any other type, following parents leads into a cycle.
    let mut cycles = vec![];
    let mut seen: FxHashSet<&Ident> = FxHashSet::default();
    for start in order {
        let mut path: Vec<&Ident> = vec![];
        let mut at = waits.contains_key(start).then_some(start);
        while let Some(own) = at.filter(|own| seen.insert(own)) {
            path.push(own);
            at = above
                .get(own)
                .and_then(|of| of.iter().find(|of| waits.contains_key(**of)))
                .and_then(|of| above.get_key_value(*of))
                .map(|(own, _)| *own);
        }
        let entered = at.and_then(|own| path.iter().position(|other| *other == own));
        cycles.extend(entered.map(|from| path.split_off(from)));
    }
    cycles
}
