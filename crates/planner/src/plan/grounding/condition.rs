//! Ground conditions, simplified by evaluating whatever never changes.

use std::cell::Cell;

use super::fixpoint::Fixpoint;
use crate::plan::lifted::condition::Condition;
use crate::plan::lifted::model::Model;
use crate::plan::relation::Relation;

/// A literal: twice the atom's number, plus one if it is negative.
pub type Literal = u32;

/// A condition over numbered atoms. An empty [`Tree::All`] is true, an empty [`Tree::Any`] is
/// false.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Tree {
    /// The literal holds.
    Literal(Literal),
    /// A conjunction.
    All(Vec<Tree>),
    /// A disjunction.
    Any(Vec<Tree>),
}

impl Tree {
    pub fn is_false(&self) -> bool {
        matches!(self, Self::Any(parts) if parts.is_empty())
    }

    /// Returns the heap memory use in bytes.
    pub fn memory(&self) -> usize {
        match self {
            Self::Literal(_) => 0,
            Self::All(parts) | Self::Any(parts) => {
                let below = parts.iter().map(Self::memory);
                parts.capacity() * size_of::<Self>() + below.sum::<usize>()
            }
        }
    }

    fn constant(value: bool) -> Self {
        if value {
            Self::All(vec![])
        } else {
            Self::Any(vec![])
        }
    }

    fn all(parts: impl Iterator<Item = Self>) -> Self {
        Self::list(parts, true)
    }

    fn any(parts: impl Iterator<Item = Self>) -> Self {
        Self::list(parts, false)
    }

    /// Creates a conjunction or disjunction. Flattens nested ones of the same kind, and unwraps a
    /// single part.
    fn list(parts: impl Iterator<Item = Self>, is_all: bool) -> Self {
        let decisive = Self::constant(!is_all);
        let mut list = vec![];
        for part in parts {
            match part {
                Self::All(inner) if is_all => list.extend(inner),
                Self::Any(inner) if !is_all => list.extend(inner),
                part if part == decisive => return part,
                part => list.push(part),
            }
        }
        match list.len() {
            1 => list.remove(0),
            _ if is_all => Self::All(list),
            _ => Self::Any(list),
        }
    }

    /// Replaces each literal by another one or by its truth value.
    pub fn replaced(&self, with: &impl Fn(Literal) -> Result<Literal, bool>) -> Self {
        match self {
            Self::Literal(literal) => match with(*literal) {
                Ok(literal) => Self::Literal(literal),
                Err(holds) => Self::constant(holds),
            },
            Self::All(parts) => Self::all(parts.iter().map(|p| p.replaced(with))),
            Self::Any(parts) => Self::any(parts.iter().map(|p| p.replaced(with))),
        }
    }

    /// Returns `true` if the condition holds, given the truth of its literals.
    pub fn holds(&self, literal: &impl Fn(Literal) -> bool) -> bool {
        match self {
            Self::Literal(of) => literal(*of),
            Self::All(parts) => parts.iter().all(|p| p.holds(literal)),
            Self::Any(parts) => parts.iter().any(|p| p.holds(literal)),
        }
    }

    /// Visits every literal.
    pub fn each_literal(&self, visit: &mut impl FnMut(Literal)) {
        match self {
            Self::Literal(literal) => visit(*literal),
            Self::All(parts) | Self::Any(parts) => {
                parts.iter().for_each(|p| p.each_literal(visit));
            }
        }
    }
}

/// A conjunction: sorted literals, and any other conditions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Need {
    /// The literals, ascending and distinct.
    pub literals: Vec<Literal>,
    /// The conjuncts that are not literals.
    pub rest: Vec<Tree>,
}

impl Need {
    /// Converts a tree; returns `None` if it is false.
    pub fn new(tree: Tree) -> Option<Self> {
        let mut need = Self::default();
        match tree {
            tree if tree.is_false() => return None,
            Tree::All(parts) => parts.into_iter().for_each(|p| need.push(p)),
            tree => need.push(tree),
        }
        need.literals.sort_unstable();
        need.literals.dedup();
        // An atom required to be both true and false.
        let contradicts = need.literals.windows(2).any(|w| w[0] ^ 1 == w[1]);
        (!contradicts).then_some(need)
    }

    /// Returns the heap memory use in bytes.
    pub fn memory(&self) -> usize {
        let rest = self.rest.iter().map(Tree::memory);
        self.literals.capacity() * size_of::<Literal>()
            + self.rest.capacity() * size_of::<Tree>()
            + rest.sum::<usize>()
    }

    /// Returns the condition that never holds.
    pub fn never() -> Self {
        Self {
            literals: vec![],
            rest: vec![Tree::constant(false)],
        }
    }

    fn push(&mut self, part: Tree) {
        match part {
            Tree::Literal(literal) => self.literals.push(literal),
            part => self.rest.push(part),
        }
    }

    /// Replaces each literal; returns `None` if that makes the condition false.
    pub fn replaced(&self, with: &impl Fn(Literal) -> Result<Literal, bool>) -> Option<Self> {
        let literals = self.literals.iter().map(|l| Tree::Literal(*l));
        let rest = self.rest.iter().cloned();
        let parts = literals.chain(rest).map(|p| p.replaced(with));
        Self::new(Tree::all(parts))
    }

    /// Returns `true` if the condition holds, given the truth of its literals.
    pub fn holds(&self, literal: &impl Fn(Literal) -> bool) -> bool {
        self.literals.iter().all(|l| literal(*l)) && self.rest.iter().all(|t| t.holds(literal))
    }

    /// Visits every literal.
    pub fn each_literal(&self, visit: &mut impl FnMut(Literal)) {
        self.literals.iter().for_each(|l| visit(*l));
        self.rest.iter().for_each(|t| t.each_literal(visit));
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
            most: memory / size_of::<Tree>(),
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
    pub fn tree(
        &self,
        model: &Model,
        relations: &[Relation],
        cond: &Condition,
        binding: &mut [u32],
    ) -> Tree {
        if self.is_over(model) {
            return Tree::constant(false);
        }
        match cond {
            Condition::Atom(atom, positive) => {
                let tuple: smallvec::SmallVec<[u32; 8]> =
                    atom.args.iter().map(|a| a.object(binding)).collect();
                let found = relations[atom.predicate as usize].find(&tuple);
                match found {
                    None => Tree::constant(!positive),
                    Some(_) if model.predicates[atom.predicate as usize].is_static() => {
                        Tree::constant(*positive)
                    }
                    Some(number) => {
                        let number = self.number(atom.predicate, number);
                        Tree::Literal(number << 1 | u32::from(!positive))
                    }
                }
            }
            Condition::Same(a, b, same) => {
                Tree::constant((a.object(binding) == b.object(binding)) == *same)
            }
            Condition::All(parts) => Tree::all(
                parts
                    .iter()
                    .map(|p| self.tree(model, relations, p, binding)),
            ),
            Condition::Any(parts) => Tree::any(
                parts
                    .iter()
                    .map(|p| self.tree(model, relations, p, binding)),
            ),
            Condition::Quantified(quantified) => {
                let objects = model.types[quantified.ty as usize].iter();
                let objects = objects.take_while(|_| self.left.get() > 0);
                let objects = objects.take_while(|_| !model.problem.stop().is_cancelled());
                let parts = objects.map(|object| {
                    binding[quantified.variable as usize] = *object;
                    self.tree(model, relations, &quantified.body, binding)
                });
                match quantified.is_universal {
                    true => Tree::all(parts),
                    false => Tree::any(parts),
                }
            }
        }
    }

    /// Grounds the conjunction of these conditions under a binding; returns `None` if it cannot
    /// hold.
    pub fn need(
        &self,
        model: &Model,
        relations: &[Relation],
        conds: &[Condition],
        binding: &mut [u32],
    ) -> Option<Need> {
        self.left.set(self.most);
        let trees = conds
            .iter()
            .map(|c| self.tree(model, relations, c, binding));
        Need::new(Tree::all(trees))
    }
}
