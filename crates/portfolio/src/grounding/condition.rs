//! Ground conditions, simplified by evaluating whatever never changes.

use std::cell::Cell;

use super::fixpoint::Fixpoint;
use crate::lifted::condition::Condition as Lifted;
use crate::lifted::model::Model;
use crate::relation::Relation;
use taskloom_planner::search_kit::Condition;

/// A literal: twice the atom's number, plus one if it is negative.
pub type Literal = u32;

/// A condition over numbered atoms.
pub type GroundCondition = Condition<Literal>;

/// A conjunction: sorted literals, and any other conditions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Need {
    /// The literals, ascending and distinct.
    pub literals: Vec<Literal>,
    /// The conjuncts that are not literals.
    pub rest: Vec<GroundCondition>,
}

impl Need {
    /// Converts a condition; returns `None` if it is false.
    pub fn new(condition: GroundCondition) -> Option<Self> {
        let mut need = Self::default();
        match condition {
            GroundCondition::Constant(true) => {}
            GroundCondition::Constant(false) => return None,
            GroundCondition::All(parts) => parts.into_iter().for_each(|p| need.push(p)),
            condition => need.push(condition),
        }
        need.literals.sort_unstable();
        need.literals.dedup();
        // An atom required to be both true and false.
        let contradicts = need.literals.windows(2).any(|w| w[0] ^ 1 == w[1]);
        (!contradicts).then_some(need)
    }

    /// Returns the heap memory use in bytes.
    pub fn memory(&self) -> usize {
        let rest = self
            .rest
            .iter()
            .map(|condition| condition.memory_by(&|_| 0));
        self.literals.capacity() * size_of::<Literal>()
            + self.rest.capacity() * size_of::<GroundCondition>()
            + rest.sum::<usize>()
    }

    /// Returns the condition that never holds.
    pub fn never() -> Self {
        Self {
            literals: vec![],
            rest: vec![GroundCondition::Constant(false)],
        }
    }

    fn push(&mut self, part: GroundCondition) {
        match part {
            GroundCondition::Literal(literal) => self.literals.push(literal),
            part => self.rest.push(part),
        }
    }

    /// Substitutes a condition for each literal; returns `None` if that makes the condition false.
    pub fn substituted(&self, literal: &impl Fn(&Literal) -> GroundCondition) -> Option<Self> {
        let literals = self.literals.iter().map(literal);
        let rest = self
            .rest
            .iter()
            .map(|condition| condition.substituted(literal));
        Self::new(GroundCondition::all(literals.chain(rest)))
    }

    /// Returns `true` if the condition holds, given the truth of its literals.
    pub fn holds(&self, literal: &impl Fn(&Literal) -> bool) -> bool {
        self.literals.iter().all(literal)
            && self
                .rest
                .iter()
                .all(|condition| condition.holds_by(literal))
    }

    /// Visits every literal.
    pub fn each_literal(&self, visit: &mut impl FnMut(&Literal)) {
        self.literals.iter().for_each(&mut *visit);
        self.rest
            .iter()
            .for_each(|condition| condition.each_literal(visit));
    }
}

/// The atoms that may become true, numbered across all predicates that change.
#[derive(Debug)]
pub struct Atoms {
    /// The first number of each predicate's atoms.
    first: Vec<u32>,
    /// The number of atoms.
    pub len: u32,
    /// The maximum number of parts of a condition, and how many remain for the one being expanded.
    most: usize,
    left: Cell<usize>,
    is_too_large: Cell<bool>,
}

impl Atoms {
    /// Creates the numbering. Each condition may use `memory` bytes.
    pub fn new(model: &Model, fixpoint: &Fixpoint, memory: usize) -> Self {
        let mut first = vec![];
        let mut len = 0;
        for (predicate, relation) in model.predicates.iter().zip(&fixpoint.relations) {
            first.push(len);
            if !predicate.is_static() {
                len += relation.len();
            }
        }
        Self {
            first,
            len,
            most: memory / size_of::<GroundCondition>(),
            left: Cell::new(usize::MAX),
            is_too_large: Cell::new(false),
        }
    }

    /// Returns `true` if some condition was too large to expand.
    pub fn is_too_large(&self) -> bool {
        self.is_too_large.get()
    }

    /// Counts a part of a condition. Returns `true` if expansion must end.
    fn is_over(&self, model: &Model) -> bool {
        let Some(left) = self.left.get().checked_sub(1) else {
            self.is_too_large.set(true);
            return true;
        };
        self.left.set(left);
        model.problem.stop().after(1)
    }

    /// Returns the number of a predicate's tuple.
    pub fn number(&self, predicate: u32, tuple: u32) -> u32 {
        self.first[predicate as usize] + tuple
    }

    /// Returns which atoms are true initially.
    pub fn initial(&self, model: &Model, fixpoint: &Fixpoint) -> Vec<bool> {
        let mut initial = vec![false; self.len as usize];
        for (number, predicate) in model.predicates.iter().enumerate() {
            if !predicate.is_static() {
                let start = self.first[number] as usize;
                initial[start..start + fixpoint.initial[number] as usize].fill(true);
            }
        }
        initial
    }

    /// Grounds a condition under a binding of all its variables except the quantified ones.
    /// Recurses as deep as formulas are, which compiling limits.
    pub fn ground(
        &self,
        model: &Model,
        relations: &[Relation],
        cond: &Lifted,
        binding: &mut [u32],
    ) -> GroundCondition {
        if self.is_over(model) {
            return GroundCondition::Constant(false);
        }
        match cond {
            Lifted::Atom(atom, positive) => {
                let tuple: smallvec::SmallVec<[u32; 8]> =
                    atom.args.iter().map(|a| a.object(binding)).collect();
                let found = relations[atom.predicate as usize].find(&tuple);
                match found {
                    None => GroundCondition::Constant(!positive),
                    Some(_) if model.predicates[atom.predicate as usize].is_static() => {
                        GroundCondition::Constant(*positive)
                    }
                    Some(number) => {
                        let number = self.number(atom.predicate, number);
                        GroundCondition::Literal(number << 1 | u32::from(!positive))
                    }
                }
            }
            Lifted::Same(a, b, same) => {
                GroundCondition::Constant((a.object(binding) == b.object(binding)) == *same)
            }
            Lifted::All(parts) | Lifted::Any(parts) => {
                let is_all = matches!(cond, Lifted::All(_));
                let parts = parts.iter();
                let parts = parts.map(|part| self.ground(model, relations, part, binding));
                GroundCondition::join(parts, is_all)
            }
            Lifted::Quantified(quantified) => {
                let objects = model.types[quantified.ty as usize].iter();
                let objects = objects.take_while(|_| self.left.get() > 0);
                let objects = objects.take_while(|_| !model.problem.stop().is_cancelled());
                let parts = objects.map(|object| {
                    binding[quantified.variable as usize] = *object;
                    self.ground(model, relations, &quantified.body, binding)
                });
                GroundCondition::join(parts, quantified.is_universal)
            }
        }
    }

    /// Grounds the conjunction of these conditions under a binding; returns `None` if it cannot
    /// hold.
    pub fn need(
        &self,
        model: &Model,
        relations: &[Relation],
        conds: &[Lifted],
        binding: &mut [u32],
    ) -> Option<Need> {
        self.left.set(self.most);
        let parts = conds
            .iter()
            .map(|c| self.ground(model, relations, c, binding));
        Need::new(GroundCondition::all(parts))
    }
}
