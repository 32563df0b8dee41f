//! Primitive tasks as actions.
//!
//! Many hierarchical planners know no conditional effects. So a task that has
//! some becomes a compound task with one action for each case: a value of a
//! parameter that conditions ask for, or a side of a condition. An object fact that
//! gets another value has one more parameter, the value before.

use std::collections::BTreeMap;

use super::formula::{Bindings, Lowering, Place, and, not, or};
use super::free_variable;
use super::numbers::settle;
use crate::syntax::ast::{Atom, Change, Effect, Formula, Ident, Number, Term};
use taskloom_document::{EffectTiming, Field, Name, RecordRef, ValueKind};
use taskloom_domain::lang::typed::{self, Assignment};
use taskloom_domain::model::Primitive;

use rustc_hash::FxHashMap;

/// A task may become so many actions. Beyond that its effects stay conditional.
const MOST_CASES: usize = 1_000;

/// A task is split by so many conditions of the state. Beyond that its effects
/// stay conditional.
const MOST_CONDITIONS: usize = 6;

/// One case of a primitive task.
#[derive(Debug, Clone)]
pub struct Case {
    /// The objects that the task's parameters stand for, where the case says so.
    pub fixed: BTreeMap<Name, Name>,
    /// Parameters beside the task's own: values before.
    pub before: Vec<(String, Name)>,
    /// What makes it this case beside the objects.
    pub side: Formula,
    /// What holds where it starts.
    pub precondition: Formula,
    /// What it changes.
    pub effects: Vec<Effect>,
}

/// What an object fact was before it gets a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Another object, which becomes a parameter.
    Another,
    /// The same object.
    Same,
    /// None.
    Nothing,
}

/// What makes a case.
#[derive(Debug, Clone, Default)]
struct Choice {
    fixed: BTreeMap<Name, Name>,
    /// One for each object fact that gets a value, in the order of effects.
    before: Vec<Before>,
}

/// All cases of a primitive task; a task without conditional effects is one.
pub fn cases(lowering: &Lowering, at: &RecordRef, primitive: &Primitive, costs: bool) -> Vec<Case> {
    let mut found = vec![];
    let mut open = vec![Choice::default()];
    while let Some(choice) = open.pop() {
        let (case, is_decided) = lower(lowering, at, primitive, &choice, costs);
        if lowering.is_too_large() {
            return vec![];
        }
        if case.precondition.is_false() {
            continue;
        }
        // Last in, first out: of what is pushed, the last comes first.
        if !is_decided {
            for before in [Before::Nothing, Before::Same, Before::Another] {
                let mut choice = choice.clone();
                choice.before.push(before);
                open.push(choice);
            }
            continue;
        }
        let parameter = primitive.record.params.iter().find(|param| {
            let asked = |e: &Effect| asks_for(&e.when, param.name.as_str());
            !choice.fixed.contains_key(&param.name) && case.effects.iter().any(asked)
        });
        let objects: Vec<&Name> = match parameter {
            Some(param) => lowering.model.objects_of(&param.of).collect(),
            None => vec![],
        };
        match parameter {
            Some(param) if found.len() + open.len() + objects.len() <= MOST_CASES => {
                for object in objects.into_iter().rev() {
                    let mut choice = choice.clone();
                    choice.fixed.insert(param.name.clone(), object.clone());
                    open.push(choice);
                }
            }
            _ => {
                let sides = sides(lowering, case).into_iter();
                found.extend(sides.map(|case| settle(lowering, case)));
            }
        }
    }
    found.retain(|case| !case.precondition.is_false());
    found
}

/// Whether a formula compares a variable.
fn asks_for(formula: &Formula, variable: &str) -> bool {
    let is = |term: &Term| matches!(term, Term::Variable(name) if *name == *variable);
    match formula {
        Formula::Equal(a, b) => is(a) || is(b),
        Formula::OfType(a, _) => is(a),
        Formula::Not(part) | Formula::Forall(_, part) | Formula::Exists(_, part) => {
            asks_for(part, variable)
        }
        Formula::And(parts) | Formula::Or(parts) => parts.iter().any(|p| asks_for(p, variable)),
        Formula::Imply(a, b) => asks_for(a, variable) || asks_for(b, variable),
        Formula::Atom(_) | Formula::Compare(..) => false,
    }
}

/// A case for each side of the conditions of its effects.
fn sides(lowering: &Lowering, case: Case) -> Vec<Case> {
    let mut conditions: Vec<Formula> = vec![];
    for effect in &case.effects {
        let known = conditions
            .iter()
            .any(|c| *c == effect.when || not(c.clone()) == effect.when);
        if !effect.when.is_true() && !known {
            conditions.push(effect.when.clone());
        }
        if conditions.len() > MOST_CONDITIONS {
            return vec![case];
        }
    }
    if conditions.is_empty() {
        return vec![case];
    }
    let sides = 1usize << conditions.len();
    if !lowering.spend(sides.saturating_mul(case.effects.len() + conditions.len())) {
        return vec![];
    }
    let mut all = vec![];
    for mask in 0..sides {
        let holds = |condition: &Formula| {
            let at = conditions.iter().position(|c| c == condition);
            at.map(|at| mask >> at & 1 == 0)
        };
        let side = and(conditions.iter().map(|c| match holds(c) {
            Some(true) => c.clone(),
            _ => not(c.clone()),
        }));
        let effects = case.effects.iter().filter(|e| {
            let opposite = || holds(&not(e.when.clone())).is_some_and(|held| !held);
            e.when.is_true() || holds(&e.when).unwrap_or_else(opposite)
        });
        all.push(Case {
            fixed: case.fixed.clone(),
            before: case.before.clone(),
            precondition: and([case.precondition.clone(), side.clone()]),
            side,
            effects: effects
                .map(|e| Effect {
                    forall: vec![],
                    when: Formula::TRUE,
                    change: e.change.clone(),
                })
                .collect(),
        });
    }
    all
}

/// A task in the case of some choices, and whether they are all that there are.
fn lower(
    lowering: &Lowering,
    at: &RecordRef,
    primitive: &Primitive,
    choice: &Choice,
    costs: bool,
) -> (Case, bool) {
    let bindings: Bindings = BTreeMap::from_iter(primitive.record.params.iter().map(|param| {
        let place = match choice.fixed.get(&param.name) {
            Some(object) => lowering.object(object),
            None => Place {
                term: Term::Variable(param.name.as_str().into()),
                of: param.of.clone(),
            },
        };
        (param.name.clone(), vec![(Formula::TRUE, place)])
    }));
    let mut made = Made {
        lowering,
        params: primitive
            .record
            .params
            .iter()
            .map(|p| p.name.as_str())
            .collect(),
        choices: choice.before.iter().copied(),
        is_decided: true,
        before: vec![],
        needs: vec![],
        effects: vec![],
        changed: FxHashMap::default(),
    };
    for (number, formula) in primitive.preconditions.iter().enumerate() {
        lowering.begin(at.clone(), Field::Precondition(number));
        let formula = lowering.formula(formula, &bindings);
        made.needs.push(formula);
    }
    for (number, (effect, timing)) in primitive.effects.iter().enumerate() {
        lowering.begin(at.clone(), Field::Effect(number));
        if *timing != EffectTiming::Executed {
            made.effect(effect, &bindings);
        }
    }
    made.deletes_before_adds();
    if costs {
        made.cost(primitive, &bindings);
    }
    let case = Case {
        fixed: choice.fixed.clone(),
        before: made.before,
        side: Formula::TRUE,
        precondition: and(made.needs),
        effects: made.effects,
    };
    (case, made.is_decided)
}

/// Preconditions and effects so far.
struct Made<'m> {
    lowering: &'m Lowering<'m>,
    /// The task's own parameters.
    params: Vec<&'m str>,
    /// Choices yet to be used.
    choices: std::iter::Copied<std::slice::Iter<'m, Before>>,
    /// Whether there was a choice for every object fact that gets a value.
    is_decided: bool,
    before: Vec<(String, Name)>,
    needs: Vec<Formula>,
    effects: Vec<Effect>,
    /// The effects that add or delete an atom, by number.
    changed: FxHashMap<(bool, Atom), Vec<usize>>,
}

impl Made<'_> {
    fn push(&mut self, when: Formula, change: Change) {
        let effect = Effect {
            forall: vec![],
            when,
            change,
        };
        if effect.when.is_false() {
            return;
        }
        // To add or delete twice is to do it once; to increase is not.
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

    fn effect(&mut self, effect: &typed::Effect, bindings: &Bindings) {
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

    /// Where `when` holds, one of these must: otherwise the change has no
    /// argument or no value, and the task cannot be done.
    fn need_one_of(&mut self, when: &Formula, guards: impl IntoIterator<Item = Formula>) {
        self.needs.push(or([not(when.clone()), or(guards)]));
    }

    fn change(&mut self, change: &typed::Change, when: Formula, bindings: &Bindings) {
        let lowering = self.lowering;
        match change {
            typed::Change::Set(fact, args) | typed::Change::Unset(fact, args) => {
                let atoms = lowering.atoms(fact, args, bindings);
                self.need_one_of(&when, atoms.iter().map(|(guard, _)| guard.clone()));
                for (guard, atom) in atoms {
                    let change = match change {
                        typed::Change::Set(..) => Change::Add(atom),
                        _ => Change::Delete(atom),
                    };
                    self.push(and([when.clone(), guard]), change);
                }
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
                let Some(ValueKind::Object(of)) = lowering.model.fact(fact).map(|f| &f.value)
                else {
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
                    for (also, value) in &values {
                        let when = and([when.clone(), guard.clone(), also.clone()]);
                        for other in lowering.objects_of(of) {
                            let differs = not(lowering.same(&other, value));
                            let when = and([when.clone(), differs]);
                            self.push(when, Change::Delete(with(target, &other)));
                        }
                        self.push(when, Change::Add(with(target, value)));
                    }
                }
            }
        }
    }

    /// An object fact gets a value, in the case that is next.
    fn get_value(&mut self, of: &Name, fact: &Name, target: &Atom, value: &Place) {
        let Some(case) = self.choices.next() else {
            self.is_decided = false;
            return;
        };
        let holds = Formula::Atom(with(target, value));
        match case {
            Before::Another => {
                let is_taken = |name: &str| {
                    self.params.contains(&name) || self.before.iter().any(|(n, _)| n == name)
                };
                let name = free_variable("before", is_taken);
                self.before.push((name.clone(), of.clone()));
                let before = Place {
                    term: Term::Variable(name.into()),
                    of: of.clone(),
                };
                let had = with(target, &before);
                self.needs.push(Formula::Atom(had.clone()));
                self.needs.push(not(self.lowering.same(&before, value)));
                self.push(Formula::TRUE, Change::Delete(had));
                self.push(Formula::TRUE, Change::Add(with(target, value)));
            }
            Before::Same => self.needs.push(holds),
            // What has a value once always has one.
            Before::Nothing if self.lowering.always_has_value(fact) => {
                self.needs.push(Formula::FALSE);
            }
            Before::Nothing => {
                for other in self.lowering.objects_of(of) {
                    self.needs.push(not(Formula::Atom(with(target, &other))));
                }
                self.push(Formula::TRUE, Change::Add(with(target, value)));
            }
        }
    }

    /// What is both deleted and added stays: the delete is left out there, for
    /// planners disagree on what it would mean.
    fn deletes_before_adds(&mut self) {
        // Of atoms that name objects alone only the same ones are the same.
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
            near.sort_unstable();
            // What they come to is compared with one another.
            let compared = near.len().saturating_mul(1 + near.len().min(64) / 8);
            if !self.lowering.spend(compared) {
                return;
            }
            let mut whens = vec![effect.when.clone()];
            for (when, added) in near.iter().filter_map(|number| adds.get(*number)) {
                // Where the value before is a parameter, it is another one.
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

    fn cost(&mut self, primitive: &Primitive, bindings: &Bindings) {
        let total = Atom {
            name: "total-cost".into(),
            args: vec![],
        };
        let costs = match &primitive.cost {
            Some(cost) => self.lowering.number(cost, bindings),
            None => vec![(Formula::TRUE, Number::Constant(1.0))],
        };
        for (guard, cost) in costs {
            self.push(guard, Change::Increase(total.clone(), cost));
        }
    }
}

/// An object fact with a value.
fn with(target: &Atom, value: &Place) -> Atom {
    let mut atom = target.clone();
    atom.args.push(value.term.clone());
    atom
}

/// Whether two terms of atoms of one predicate are the same.
fn same_term((a, b): (&Term, &Term)) -> Formula {
    match (a, b) {
        _ if a == b => Formula::TRUE,
        (Term::Constant(_), Term::Constant(_)) => Formula::FALSE,
        _ => Formula::Equal(a.clone(), b.clone()),
    }
}
