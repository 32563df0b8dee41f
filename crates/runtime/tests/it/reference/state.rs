//! The values of facts.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use taskloom_domain::lang::typed::{self, Formula, Number, Term};

use super::domain::Domain;
use super::evaluate::{Env, Evaluation, Part, Read, parts};
use super::names::{Atom, Object};

/// The values of ground facts: 0 or 1, a number, or an object's number plus one, 0 being undefined.
#[derive(Debug, Clone)]
pub struct State {
    pub domain: Arc<Domain>,
    values: Vec<f64>,
    pub time: u32,
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.values == other.values && self.time == other.time
    }
}

/// No value is NaN.
impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.time.hash(hasher);
        for value in &self.values {
            // 0 has two signs.
            (value + 0.0).to_bits().hash(hasher);
        }
    }
}

/// A ground fact with its old and its new value.
pub type Changed = (Atom, f64, f64);

impl State {
    pub fn new(domain: &Arc<Domain>, values: &[(Atom, f64)]) -> Self {
        let mut state = Self::at(domain, 0);
        for (atom, value) in values {
            state.set(*atom, *value);
        }
        state
    }

    /// Creates a state in which no fact has a value, at a tick.
    pub fn at(domain: &Arc<Domain>, time: u32) -> Self {
        Self {
            domain: domain.clone(),
            values: vec![0.0; domain.names.atoms.len()],
            time,
        }
    }

    /// Returns `true` if the values are equal, at any ticks.
    pub fn timeless(self) -> Self {
        Self { time: 0, ..self }
    }

    pub fn value(&self, atom: Atom) -> f64 {
        self.values[atom.0]
    }

    pub fn set(&mut self, atom: Atom, value: f64) {
        self.values[atom.0] = value;
    }

    /// Returns everything that is not 0, in the order of ground facts.
    pub fn values(&self) -> Vec<(Atom, f64)> {
        let values = self.values.iter().copied().zip(0..);
        let values = values.map(|(value, atom)| (Atom(atom), value));
        values.filter(|(_, value)| *value != 0.0).collect()
    }

    /// Returns the object that a term stands for; `None` if it is undefined.
    pub fn object(&self, term: &Term, env: &Env) -> Option<Object> {
        Evaluation::new(self).object(term, env)
    }

    pub fn objects(&self, terms: &[Term], env: &Env) -> Option<Vec<Object>> {
        Evaluation::new(self).objects(terms, env)
    }

    pub fn number(&self, number: &Number, env: &Env) -> Option<f64> {
        Evaluation::new(self).number(number, env)
    }

    pub fn holds(&self, formula: &Formula, env: &Env) -> bool {
        Evaluation::new(self).formula(formula, env)
    }

    /// Returns the ground facts that the evaluation of a formula reads.
    pub fn read(&self, formula: &Formula, env: &Env) -> Vec<Atom> {
        let mut evaluation = Evaluation::noting(self);
        evaluation.formula(formula, env);
        evaluation.atoms()
    }

    /// Returns the ground facts that the evaluation of a number reads.
    pub fn read_number(&self, number: &Number, env: &Env) -> Vec<Atom> {
        let mut evaluation = Evaluation::noting(self);
        evaluation.number(number, env);
        evaluation.atoms()
    }

    /// Returns the ground facts that the evaluation of terms reads.
    pub fn read_terms(&self, terms: &[Term], env: &Env) -> Vec<Atom> {
        let mut evaluation = Evaluation::noting(self);
        evaluation.objects(terms, env);
        evaluation.atoms()
    }

    /// Returns the first of some rules that is false.
    pub fn first_broken<'f>(&self, rules: &'f [Formula], env: &Env) -> Option<&'f Formula> {
        rules.iter().find(|rule| !self.holds(rule, env))
    }

    /// Returns the same in words, with the values that the rule reads, if it does not contain them.
    pub fn broken(&self, rules: &[Formula], env: &Env) -> Option<String> {
        let rule = self.first_broken(rules, env)?;
        let parts = parts(self, rule, true, env);
        Some(parts[0].describe(self))
    }

    /// Returns the ground facts that the parts of a false rule read which make it false.
    pub fn read_in_broken(&self, rule: &Formula, env: &Env) -> Vec<Atom> {
        let parts = parts(self, rule, true, env);
        let reads = parts.into_iter().flat_map(|Part { reads, .. }| reads);
        let atoms = reads.filter_map(|read| match read {
            Read::Atom(atom) => Some(atom),
            Read::Time => None,
        });
        atoms.collect()
    }

    /// Returns the values that effects write; `None` if one needs an undefined value, or would leave
    /// the range of a fact.
    pub fn writes<'e>(
        &self,
        effects: impl IntoIterator<Item = &'e typed::Effect>,
        env: &Env,
    ) -> Option<Vec<(Atom, f64)>> {
        Evaluation::new(self).writes(effects, env)
    }

    /// Returns the differences in another state, in the order of ground facts.
    pub fn changes_to(&self, other: &Self) -> Vec<Changed> {
        let atoms = (0..self.values.len()).map(Atom);
        let changed = atoms.map(|atom| (atom, self.value(atom), other.value(atom)));
        changed
            .filter(|(_, before, after)| before != after)
            .collect()
    }
}
