//! Predicates and functions, and the static facts that represent types.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::names::Namespace;
use super::types::Set;
use super::{Importer, Variable};
use crate::syntax::ast::Signature;
use taskloom_document::Name;
use taskloom_document::diagnostic::Severity;

/// A fact under construction.
#[derive(Debug)]
pub struct FactDraft {
    pub original: Arc<str>,
    pub name: Name,
    pub params: Vec<Variable>,
    pub is_number: bool,
    /// The types, in the tree, of the arguments it is used with.
    pub uses: Vec<Set>,
    /// The types of the arguments in initial facts.
    pub initial: Vec<Set>,
}

/// All facts. In HDDL, predicates with different numbers of arguments may share a name.
#[derive(Debug, Default)]
pub struct Facts {
    all: Vec<FactDraft>,
    numbers: FxHashMap<(Arc<str>, usize), usize>,
    by_name: FxHashMap<Arc<str>, usize>,
    names: Namespace,
    memberships: BTreeMap<usize, Name>,
}

impl Facts {
    /// Returns the names in use.
    pub fn names(&self) -> Namespace {
        self.names.clone()
    }

    /// Keeps names for facts and objects that are called so in the files.
    fn reserve<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) {
        self.names.reserve(names);
    }

    /// Returns a name that no fact or object of the files has.
    pub fn new_name(&self, preferred: &str) -> String {
        let mut numbered = (2..).map(|number: u64| format!("{preferred}-{number}"));
        let mut name = preferred.to_owned();
        while !self.names.is_new(&name)
            && let Some(next) = numbered.next()
        {
            name = next;
        }
        name
    }

    /// Adds the name of an object, which no fact may have.
    pub fn take(&mut self, object: &Name) {
        self.names.take(object.as_str());
    }

    /// Returns all facts except type memberships.
    pub fn all(&self) -> &[FactDraft] {
        &self.all
    }

    /// Returns the types represented by static facts.
    pub fn memberships(&self) -> impl Iterator<Item = (usize, &Name)> {
        self.memberships.iter().map(|(of, name)| (*of, name))
    }

    /// Returns the fact of this name with this number of arguments.
    pub fn get(&self, name: &Arc<str>, arity: usize) -> Option<&FactDraft> {
        let number = self.numbers.get(&(name.clone(), arity))?;
        self.all.get(*number)
    }

    /// Returns the fact of this name, with any number of arguments.
    pub fn named(&self, name: &str) -> Option<&FactDraft> {
        self.all.get(*self.by_name.get(name)?)
    }

    /// Records the type of an argument of a fact.
    pub fn seen(&mut self, name: &Arc<str>, arity: usize, at: usize, of: usize) {
        let number = self.numbers.get(&(name.clone(), arity));
        let fact = number.and_then(|number| self.all.get_mut(*number));
        if let Some(uses) = fact.and_then(|fact| fact.uses.get_mut(at)) {
            uses.grow_and_insert(of);
        }
    }

    /// Declares the types recorded so far as those of the initial facts.
    pub fn initial_noted(&mut self) {
        for fact in &mut self.all {
            fact.initial.clone_from(&fact.uses);
        }
    }

    /// Returns the static fact that states whether an object is of a type.
    pub fn membership(&mut self, of: usize, type_name: &Name) -> Name {
        if let Some(name) = self.memberships.get(&of) {
            return name.clone();
        }
        let name = self.names.give(&format!("is-{type_name}"), "type");
        self.memberships.insert(of, name.clone());
        name
    }

    /// Adds a fact; returns `false` if there is one of this name with as many parameters.
    pub fn add(&mut self, signature: &Signature, params: Vec<Variable>, is_number: bool) -> bool {
        let key = (signature.name.text().clone(), params.len());
        if self.numbers.contains_key(&key) {
            return false;
        }
        let number = self.all.len();
        self.numbers.insert(key, number);
        self.by_name
            .entry(signature.name.text().clone())
            .or_insert(number);
        let draft = FactDraft {
            original: signature.name.text().clone(),
            name: self.names.give(&signature.name, "fact"),
            uses: vec![Set::default(); params.len()],
            initial: vec![],
            params,
            is_number,
        };
        self.all.push(draft);
        true
    }
}

impl Importer<'_> {
    pub fn read_facts(&mut self) {
        let domain = self.domain;
        let signatures = domain.predicates.iter().chain(&domain.functions);
        let written = signatures.map(|signature| signature.name.as_str());
        self.facts.reserve(written);
        // Facts and objects share a namespace.
        let of_problem = self.problem.iter().flat_map(|problem| &problem.objects);
        let objects = domain.constants.iter().chain(of_problem);
        self.facts
            .reserve(objects.map(|object| object.name.as_str()));
        for predicate in domain.predicates.iter().filter(|p| p.name != *"=") {
            let params = self.params(&predicate.params, Severity::Warning);
            if !self.facts.add(predicate, params, false) {
                let message = format!("duplicate predicate '{}'", predicate.name);
                self.warning(predicate.name.span, message);
            }
        }
        for function in &domain.functions {
            if self
                .costs
                .replace(function.name.text(), function.params.len())
            {
                continue;
            }
            let params = self.params(&function.params, Severity::Warning);
            if !self.facts.add(function, params, true) {
                let message = format!("duplicate fact '{}'", function.name);
                self.error(function.name.span, message);
            }
        }
        self.add_weights();
    }
}
