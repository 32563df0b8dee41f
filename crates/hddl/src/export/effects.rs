//! The preconditions and effects of one case of a primitive task: its effects one by one, and the
//! previous values.

use std::ops::Range;

use super::formula::Lowering;
use super::names::free_variable;
use super::simplify::{and, not, or};
use super::values::{Bindings, Place};
use crate::syntax::ast::{Atom, Change, Effect, Formula, Ident, Term};
use taskloom_document::sort::CompactSort;
use taskloom_document::{Name, ValueKind};
use taskloom_domain::lang::typed::{self, Assignment};

use rustc_hash::FxHashMap;

/// The previous value of an object fact that gets a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Before {
    /// A different object, which becomes a parameter.
    Another,
    /// The object that is assigned: no change.
    Same,
    /// No value.
    Nothing,
}

/// The preconditions and effects so far.
pub struct Made<'m> {
    pub lowering: &'m Lowering<'m>,
    /// The task's own parameters.
    pub params: Vec<&'m str>,
    /// The remaining choices.
    pub choices: std::iter::Copied<std::slice::Iter<'m, Before>>,
    /// `true` if there was a choice for every object fact that gets a value.
    pub is_decided: bool,
    pub before: Vec<(String, Name)>,
    /// The previous values of object facts decided so far; `None` for no value.
    pub known: Vec<(Atom, Option<Place>)>,
    pub needs: Vec<Formula>,
    pub effects: Vec<Effect>,
    /// The effects that assign each object fact.
    pub assigned: Vec<(Range<usize>, Atom)>,
    /// The indices of the effects that add or delete an atom.
    pub changed: FxHashMap<(bool, Atom), Vec<usize>>,
}

impl Made<'_> {
    pub fn push(&mut self, when: Formula, change: Change) {
        let effect = Effect {
            forall: vec![],
            when,
            change,
        };
        if effect.when.is_false() {
            return;
        }
        // Adding or deleting is idempotent; increasing is not.
        let once = match &effect.change {
            Change::Add(atom) => Some((true, atom.clone())),
            Change::Delete(atom) => Some((false, atom.clone())),
            _ => None,
        };
        if let Some(once) = once {
            let same = self.changed.entry(once).or_default();
            if !self.lowering.spend(1 + same.len() / 8) {
                return;
            }
            let mut known = same.iter().filter_map(|number| self.effects.get(*number));
            if known.any(|known| known.when == effect.when) {
                return;
            }
            same.push(self.effects.len());
        }
        self.effects.push(effect);
    }

    pub fn effect(&mut self, effect: &typed::Effect, bindings: &Bindings) {
        let mut all = vec![bindings.clone()];
        for param in &effect.forall {
            all = self.lowering.every_binding(all, &param.name, &param.of);
        }
        for bindings in &all {
            let when = match &effect.when {
                Some(formula) => self.lowering.formula(formula, bindings),
                None => Formula::TRUE,
            };
            if !when.is_false() {
                self.change(&effect.change, when, bindings);
            }
        }
    }

    /// Requires one of these guards where `when` holds: otherwise the change has an undefined
    /// argument or value, and the task isn't applicable.
    fn need_one_of(&mut self, when: &Formula, guards: impl IntoIterator<Item = Formula>) {
        self.needs.push(or([not(when.clone()), or(guards)]));
    }

    fn boolean(
        &mut self,
        (fact, args): (&Name, &[typed::Term]),
        change: fn(Atom) -> Change,
        when: &Formula,
        bindings: &Bindings,
    ) {
        let atoms = self.lowering.atoms(fact, args, bindings);
        self.need_one_of(when, atoms.iter().map(|(guard, _)| guard.clone()));
        for (guard, atom) in atoms {
            self.push(and([when.clone(), guard]), change(atom));
        }
    }

    fn change(&mut self, change: &typed::Change, when: Formula, bindings: &Bindings) {
        let lowering = self.lowering;
        match change {
            typed::Change::Set(fact, args) => {
                self.boolean((fact, args), Change::Add, &when, bindings);
            }
            typed::Change::Unset(fact, args) => {
                self.boolean((fact, args), Change::Delete, &when, bindings);
            }
            typed::Change::Number(assignment, fact, args, number) => {
                let atoms = lowering.atoms(fact, args, bindings);
                let numbers = lowering.number(number, bindings);
                self.need_one_of(&when, atoms.iter().map(|(guard, _)| guard.clone()));
                self.need_one_of(&when, numbers.iter().map(|(guard, _)| guard.clone()));
                for (guard, atom) in &atoms {
                    for (also, number) in &numbers {
                        let when = and([when.clone(), guard.clone(), also.clone()]);
                        let (atom, number) = (atom.clone(), number.clone());
                        let change = match assignment {
                            Assignment::Assign => Change::Assign(atom, number),
                            Assignment::Increase => Change::Increase(atom, number),
                            Assignment::Decrease => Change::Decrease(atom, number),
                        };
                        self.push(when, change);
                    }
                }
            }
            typed::Change::Object(fact, args, value) => {
                let Some(ValueKind::Object(of)) = lowering.fact(fact).map(|f| &f.value) else {
                    return;
                };
                let targets = lowering.atoms(fact, args, bindings);
                let values = lowering.term(value, bindings);
                self.need_one_of(&when, targets.iter().map(|(guard, _)| guard.clone()));
                self.need_one_of(&when, values.iter().map(|(guard, _)| guard.clone()));
                if let ([(guard, target)], [(also, value)]) =
                    (targets.as_slice(), values.as_slice())
                    && when.is_true()
                    && guard.is_true()
                    && also.is_true()
                {
                    return self.get_value(of, fact, target, value);
                }
                for (guard, target) in &targets {
                    let here = and([when.clone(), guard.clone()]);
                    self.overrides(target, &here);
                    let first = self.effects.len();
                    for (also, value) in &values {
                        let when = and([here.clone(), also.clone()]);
                        for other in lowering.objects_of(of) {
                            let differs = not(lowering.same(&other, value));
                            let when = and([when.clone(), differs]);
                            self.push(when, Change::Delete(with(target, &other)));
                        }
                        self.push(when, Change::Add(with(target, value)));
                    }
                    self.assigned
                        .push((first..self.effects.len(), target.clone()));
                }
            }
        }
    }

    /// If an object fact gets several values, the last one wins.
    fn overrides(&mut self, target: &Atom, when: &Formula) {
        for (effects, earlier) in &self.assigned {
            let args = earlier.args.iter().zip(&target.args);
            let same = and(args.map(same_term));
            let is_overridden = and([when.clone(), same]);
            if earlier.name != target.name || is_overridden.is_false() {
                continue;
            }
            for effect in &mut self.effects[effects.clone()] {
                if !self.lowering.spend(1) {
                    return;
                }
                effect.when = and([effect.when.clone(), not(is_overridden.clone())]);
            }
        }
    }

    /// Sets the value of an object fact, in the next case.
    fn get_value(&mut self, of: &Name, fact: &Name, target: &Atom, value: &Place) {
        let Some(case) = self.choices.next() else {
            self.is_decided = false;
            return;
        };
        let holds = Formula::Atom(with(target, value));
        let was = match case {
            Before::Another => Some(self.another("before", of)),
            Before::Same => Some(value.clone()),
            Before::Nothing => None,
        };
        self.known.push((target.clone(), was.clone()));
        self.overrides(target, &Formula::TRUE);
        let first = self.effects.len();
        match case {
            Before::Another => {
                let Some(before) = was else { return };
                let had = with(target, &before);
                self.needs.push(Formula::Atom(had.clone()));
                self.needs.push(not(self.lowering.same(&before, value)));
                self.push(Formula::TRUE, Change::Delete(had));
                self.push(Formula::TRUE, Change::Add(with(target, value)));
            }
            Before::Same => self.needs.push(holds),
            Before::Nothing => {
                self.need_nothing(of, fact, target);
                self.push(Formula::TRUE, Change::Add(with(target, value)));
            }
        }
        self.assigned
            .push((first..self.effects.len(), target.clone()));
    }

    /// Adds a parameter for an object.
    pub fn another(&mut self, name: &str, of: &Name) -> Place {
        let is_taken =
            |name: &str| self.params.contains(&name) || self.before.iter().any(|(n, _)| n == name);
        let name = free_variable(name, is_taken);
        self.before.push((name.clone(), of.clone()));
        Place {
            term: Term::Variable(name.into()),
            of: of.clone(),
        }
    }

    /// Requires that an object fact has no value.
    pub fn need_nothing(&mut self, of: &Name, fact: &Name, target: &Atom) {
        // A fact that never loses its value always has one.
        if self.lowering.always_has_value(fact) {
            self.needs.push(Formula::FALSE);
            return;
        }
        for other in self.lowering.objects_of(of) {
            self.needs.push(not(Formula::Atom(with(target, &other))));
        }
    }

    /// Removes deletes of atoms that are also added: the atom stays true, but planners disagree on
    /// the meaning of such a delete.
    pub fn deletes_before_adds(&mut self) {
        // Ground atoms are the same only if they are equal.
        let is_ground = |atom: &Atom| atom.args.iter().all(|a| matches!(a, Term::Constant(_)));
        let mut ground: FxHashMap<&Atom, Vec<usize>> = FxHashMap::default();
        let mut open: FxHashMap<&Ident, Vec<usize>> = FxHashMap::default();
        let mut all: FxHashMap<&Ident, Vec<usize>> = FxHashMap::default();
        let mut adds: Vec<(Formula, Atom)> = vec![];
        let before: Vec<Effect> = self.effects.clone();
        for effect in &before {
            if let Change::Add(atom) = &effect.change {
                let number = adds.len();
                adds.push((effect.when.clone(), atom.clone()));
                all.entry(&atom.name).or_default().push(number);
                if is_ground(atom) {
                    ground.entry(atom).or_default().push(number);
                } else {
                    open.entry(&atom.name).or_default().push(number);
                }
            }
        }
        for effect in &mut self.effects {
            let Change::Delete(deleted) = &effect.change else {
                continue;
            };
            let mut near: Vec<usize> = if is_ground(deleted) {
                let same = ground.get(deleted).into_iter();
                let same = same.chain(open.get(&deleted.name)).flatten();
                same.copied().collect()
            } else {
                all.get(&deleted.name).cloned().unwrap_or_default()
            };
            near.compact_sort();
            // The results are compared with one another.
            let compared = near.len().saturating_mul(1 + near.len().min(64) / 8);
            if !self.lowering.spend(compared) {
                return;
            }
            let mut whens = vec![effect.when.clone()];
            for (when, added) in near.iter().filter_map(|number| adds.get(*number)) {
                if self.lowering.stop.after(1) {
                    return;
                }
                // If the previous value is a parameter, it is a different object.
                let is_move = self.before.iter().any(|(name, _)| {
                    deleted.args.last() == Some(&Term::Variable(name.as_str().into()))
                        && deleted.args.len() == added.args.len()
                        && deleted.args.split_last().map(|s| s.1)
                            == added.args.split_last().map(|s| s.1)
                });
                if added.name == deleted.name && !is_move {
                    let same = and(added.args.iter().zip(&deleted.args).map(same_term));
                    let stays = and([when.clone(), same]);
                    whens.push(not(stays));
                }
            }
            effect.when = and(whens);
        }
        self.effects.retain(|effect| !effect.when.is_false());
    }
}

/// Returns an object fact with a value.
pub fn with(target: &Atom, value: &Place) -> Atom {
    let mut atom = target.clone();
    atom.args.push(value.term.clone());
    atom
}

/// Returns the condition under which two terms of atoms of the same predicate are equal.
pub fn same_term((a, b): (&Term, &Term)) -> Formula {
    match (a, b) {
        _ if a == b => Formula::TRUE,
        (Term::Constant(_), Term::Constant(_)) => Formula::FALSE,
        _ => Formula::Equal(a.clone(), b.clone()),
    }
}
