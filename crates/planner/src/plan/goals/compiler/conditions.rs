//! Compilation of conditions: a conjunction becomes a set of propositions, a disjunction one
//! proposition that axioms reach.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::{Alternatives, Compiler, Conjunction};
use crate::plan::evaluate::UNDEFINED;
use crate::plan::goals::formula::{Case, Cond, Num, Obj, Test, calculate};
use crate::plan::goals::literals::Literal;
use crate::plan::rows::NONE;

/// The maximum number of alternatives.
const MAX_SPLITS: usize = 1024;

impl Compiler {
    /// Adds the propositions that a condition requires; returns `false` if it can never hold.
    pub(super) fn require(&mut self, cond: &Cond, into: &mut Conjunction) -> bool {
        if let Some(literal) = Literal::of(cond) {
            let proposition = self.literal(literal);
            into.extend(proposition);
            return proposition.is_some();
        }
        match cond {
            Cond::Constant(value) => *value,
            Cond::All(parts) => parts.iter().all(|part| self.require(part, into)),
            cond => {
                let proposition = self.derived(cond);
                into.extend(proposition);
                proposition.is_some()
            }
        }
    }

    /// Returns the proposition of a condition that isn't a conjunction of literals.
    pub(super) fn derived(&mut self, cond: &Cond) -> Option<u32> {
        let mut hasher = FxHasher::default();
        cond.hash(&mut hasher);
        let hash = hasher.finish();
        let known = self.known.get(&hash).into_iter().flatten();
        if let Some((_, known)) = known.clone().find(|(known, _)| known == cond) {
            return Some(*known).filter(|known| *known != NONE);
        }
        let disjuncts = self.disjuncts(cond);
        let proposition = match disjuncts {
            Some(disjuncts) if disjuncts.is_empty() => NONE,
            Some(disjuncts) => {
                let derived = self.proposition(None);
                for disjunct in disjuncts {
                    self.operator(NONE, 0.0, &disjunct, &[derived], &[]);
                }
                derived
            }
            None => self.evaluated(cond),
        };
        self.bytes += 2 * size_of::<(Cond, u32)>() + cond.memory();
        let known = self.known.entry(hash).or_default();
        known.push((cond.clone(), proposition));
        Some(proposition).filter(|proposition| *proposition != NONE)
    }

    /// Returns the disjuncts of a condition; `None` if it has to be evaluated.
    pub(super) fn disjuncts(&mut self, cond: &Cond) -> Option<Vec<Conjunction>> {
        let mut disjuncts = vec![];
        match cond {
            Cond::Any(parts) => {
                for part in parts {
                    let mut disjunct = Conjunction::new();
                    if self.require(part, &mut disjunct) {
                        disjuncts.push(disjunct);
                    }
                }
            }
            Cond::Literal(Test::Case(case)) => {
                let Obj::Var(variable) = case.selector else {
                    return None;
                };
                for object in self.built.propositions.domains.of(variable).to_vec() {
                    let mut disjunct = Conjunction::new();
                    disjunct.extend(self.literal(Literal::Object(variable, object)));
                    if self.require(case.select(object), &mut disjunct) {
                        disjuncts.push(disjunct);
                    }
                }
            }
            Cond::Literal(Test::IsDefined(object)) => {
                self.disjuncts_of(object, &|object| object != UNDEFINED, &mut disjuncts)?
            }
            Cond::Literal(Test::Same(both, expected)) => match (&both.0, &both.1) {
                (object, Obj::Object(value)) | (Obj::Object(value), object) => {
                    self.disjuncts_of(
                        object,
                        &|object| (object == *value) == *expected,
                        &mut disjuncts,
                    )?;
                }
                (Obj::Var(a), Obj::Var(b)) if a == b => {
                    self.disjuncts_of(
                        &both.0,
                        &|object| (object != UNDEFINED) == *expected,
                        &mut disjuncts,
                    )?;
                }
                (Obj::Var(a), Obj::Var(b)) if *expected => {
                    for object in self.built.propositions.domains.of(*a).to_vec() {
                        let is_shared = object != UNDEFINED
                            && self.built.propositions.domains.may_be(*b, object);
                        if is_shared {
                            let both = [Literal::Object(*a, object), Literal::Object(*b, object)];
                            let literals = both.map(|literal| self.literal(literal));
                            disjuncts.push(literals.into_iter().flatten().collect());
                        }
                    }
                }
                _ => return None,
            },
            Cond::Constant(_)
            | Cond::Literal(Test::Is(..))
            | Cond::All(_)
            | Cond::Literal(Test::Compare(..)) => return None,
        }
        Some(disjuncts)
    }

    /// Adds the disjuncts of the condition that an object is one of those wanted.
    pub(super) fn disjuncts_of(
        &mut self,
        object: &Obj,
        is_wanted: &dyn Fn(u32) -> bool,
        disjuncts: &mut Vec<Conjunction>,
    ) -> Option<()> {
        let alternatives = self.alternatives(object)?;
        let wanted = alternatives
            .into_iter()
            .filter(|(_, object)| is_wanted(*object));
        disjuncts.extend(wanted.map(|(disjunct, _)| disjunct));
        Some(())
    }

    /// Returns the objects that an expression can evaluate to, and what each one requires; `None`
    /// if there are too many.
    pub(super) fn alternatives(&mut self, object: &Obj) -> Option<Alternatives<u32>> {
        match object {
            Obj::Object(object) => Some(vec![(Conjunction::new(), *object)]),
            Obj::Var(variable) => {
                let mut all = vec![];
                for object in self.built.propositions.domains.of(*variable).to_vec() {
                    let literal = self.literal(Literal::Object(*variable, object));
                    all.push((literal.into_iter().collect(), object));
                }
                Some(all)
            }
            Obj::Case(case) => self.cases(case, &mut |this, object| this.alternatives(object)),
        }
    }

    /// Returns the numbers that an expression can evaluate to, and what each one requires; `None`
    /// if there are too many, or they depend on numbers that change.
    pub(super) fn numbers(&mut self, number: &Num) -> Option<Alternatives<f64>> {
        match number {
            Num::Constant(number) => Some(vec![(Conjunction::new(), *number)]),
            Num::Case(case) => self.cases(case, &mut |this, number| this.numbers(number)),
            Num::Negative(of) => {
                let all = self.numbers(of)?.into_iter();
                Some(
                    all.map(|(conditions, number)| (conditions, -number))
                        .collect(),
                )
            }
            Num::Arithmetic(operator, both) => {
                let (a, b) = (self.numbers(&both.0)?, self.numbers(&both.1)?);
                if a.len() * b.len() > MAX_SPLITS {
                    return None;
                }
                let pairs = a.iter().flat_map(|a| b.iter().map(move |b| (a, b)));
                let pairs = pairs.map(|((conditions, a), (more, b))| {
                    let conditions = conditions.iter().chain(more).copied().collect();
                    (conditions, calculate(*operator, *a, *b))
                });
                Some(pairs.collect())
            }
            Num::Var(_) | Num::Function(..) | Num::Aggregate(..) => None,
        }
    }

    pub(super) fn cases<T, V>(
        &mut self,
        case: &Case<T>,
        of_case: &mut dyn FnMut(&mut Self, &T) -> Option<Alternatives<V>>,
    ) -> Option<Alternatives<V>> {
        let mut all = vec![];
        for (conditions, object) in self.alternatives(&case.selector)? {
            for (more, value) in of_case(self, case.select(object))? {
                all.push((conditions.iter().copied().chain(more).collect(), value));
            }
            if all.len() > MAX_SPLITS {
                return None;
            }
        }
        Some(all)
    }

    /// Returns the proposition of a condition that is evaluated, and watches its variables.
    pub(super) fn evaluated(&mut self, cond: &Cond) -> u32 {
        let mut variables = vec![];
        cond.reads(&mut |variable, boolean| variables.push((variable, boolean)));
        self.watch(variables);
        let proposition = self.proposition(None);
        let condition = self.built.evaluated.conditions.len() as u32;
        self.built
            .evaluated
            .conditions
            .push((cond.clone(), proposition));
        self.built
            .evaluated
            .condition_of
            .insert(proposition, condition);
        proposition
    }
}
