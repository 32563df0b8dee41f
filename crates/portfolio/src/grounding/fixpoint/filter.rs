//! Conditions on a rule's variables that do not bind any.

use super::super::rules::Filter;
use super::Fixpoint;
use crate::lifted::condition::Condition;
use crate::lifted::model::Model;

impl Fixpoint {
    pub(super) fn may_hold(&mut self, model: &Model, filter: &Filter) -> bool {
        match filter {
            Filter::Same(a, b, same) => (self.value(*a) == self.value(*b)) == *same,
            Filter::Absent(atom) => {
                let mut tuple = std::mem::take(&mut self.scratch.tuple);
                tuple.clear();
                tuple.extend(atom.args.iter().map(|a| self.value(*a)));
                let predicate = atom.predicate as usize;
                let found = self.relations[predicate].find(&tuple);
                self.scratch.tuple = tuple;
                found.is_none_or(|n| n >= self.initial[predicate])
            }
            Filter::Possible(cond) => {
                let mut binding = std::mem::take(&mut self.scratch.binding);
                let holds = self.possible(model, cond, &mut binding);
                self.scratch.binding = binding;
                holds
            }
        }
    }

    /// Returns `true` if a condition holds, assuming that everything changeable has the required
    /// value.
    fn possible(&self, model: &Model, cond: &Condition, binding: &mut [u32]) -> bool {
        if model.problem.stop().after(1) {
            return false;
        }
        match cond {
            Condition::Atom(atom, positive) => {
                let predicate = &model.predicates[atom.predicate as usize];
                if (*positive && predicate.added) || (!*positive && predicate.deleted) {
                    return true;
                }
                let tuple: smallvec::SmallVec<[u32; 8]> =
                    atom.args.iter().map(|a| a.object(binding)).collect();
                let found = self.relations[atom.predicate as usize].find(&tuple);
                let at_first = found.is_some_and(|n| n < self.initial[atom.predicate as usize]);
                at_first == *positive
            }
            Condition::Same(a, b, same) => (a.object(binding) == b.object(binding)) == *same,
            Condition::All(parts) => parts.iter().all(|p| self.possible(model, p, binding)),
            Condition::Any(parts) => parts.iter().any(|p| self.possible(model, p, binding)),
            Condition::Quantified(quantified) => {
                let is_universal = quantified.is_universal;
                let mut objects = model.types[quantified.ty as usize].iter();
                let is_decided = objects.any(|object| {
                    if model.problem.stop().is_cancelled() {
                        return true;
                    }
                    binding[quantified.variable as usize] = *object;
                    self.possible(model, &quantified.body, binding) != is_universal
                });
                is_decided != is_universal
            }
        }
    }
}
