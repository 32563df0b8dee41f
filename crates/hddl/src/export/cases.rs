//! Primitive tasks as actions.
//!
//! Many hierarchical planners don't support conditional effects. A task that has them becomes a
//! compound task with one action per case: a value of a parameter that the conditions depend on, or
//! a branch of a condition. An object fact that gets a new value adds a parameter for its previous
//! value.

use std::collections::BTreeMap;

use super::effects::{Before, Made};
use super::formula::Lowering;
use super::numbers::settle;
use super::simplify::{and, not};
use super::values::{Bindings, Place};
use crate::syntax::ast::{Effect, Formula, Term};
use taskloom_document::sort::map_of;
use taskloom_document::{EffectTiming, Field, Name, RecordRef};
use taskloom_domain::records::Primitive;
use taskloom_domain::text::values;

use rustc_hash::FxHashMap;

/// The maximum number of actions per task. Beyond it, effects stay conditional.
const MAX_CASES: usize = 1_000;

/// The maximum number of state conditions that split a task. Beyond it, effects stay conditional.
const MAX_CONDITIONS: usize = 6;

/// One case of a primitive task.
#[derive(Debug, Clone)]
pub struct Case {
    /// The objects fixed for the task's parameters in this case.
    pub fixed: BTreeMap<Name, Name>,
    /// Extra parameters for previous values.
    pub before: Vec<(String, Name)>,
    /// The condition of this case, apart from the fixed objects.
    pub side: Formula,
    /// The precondition.
    pub precondition: Formula,
    /// The effects.
    pub effects: Vec<Effect>,
}

/// The choices that define a case.
#[derive(Debug, Clone, Default)]
struct Choice {
    fixed: BTreeMap<Name, Name>,
    /// One for each object fact that gets a value, in the order of effects, and for each other one
    /// that the cost reads.
    before: Vec<Before>,
}

/// Returns all cases of a primitive task; a task without conditional effects is a single case.
pub fn cases(lowering: &Lowering, at: &RecordRef, primitive: &Primitive, costs: bool) -> Vec<Case> {
    let mut found = vec![];
    let mut open = vec![Choice::default()];
    while let Some(choice) = open.pop() {
        let (case, is_decided) = lower(lowering, at, primitive, &choice, costs);
        if lowering.has_ended() {
            return vec![];
        }
        if case.precondition.is_false() {
            continue;
        }
        // Last in, first out: the last one pushed comes first.
        if !is_decided {
            for before in [Before::Nothing, Before::Same, Before::Another] {
                let mut choice = choice.clone();
                choice.before.push(before);
                open.push(choice);
            }
            continue;
        }
        let parameter = primitive.record.params.iter().find(|param| {
            let asked = |e: &Effect| compares(&e.when, param.name.as_str());
            !choice.fixed.contains_key(&param.name) && case.effects.iter().any(asked)
        });
        let objects = match parameter {
            Some(param) => lowering.names_of(&param.of),
            None => vec![],
        };
        match parameter {
            Some(param) if found.len() + open.len() + objects.len() <= MAX_CASES => {
                for object in objects.into_iter().rev() {
                    let mut choice = choice.clone();
                    choice.fixed.insert(param.name.clone(), object);
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

/// Returns `true` if a formula compares a variable.
fn compares(formula: &Formula, variable: &str) -> bool {
    let is = |term: &Term| matches!(term, Term::Variable(name) if *name == *variable);
    match formula {
        Formula::Equal(a, b) => is(a) || is(b),
        Formula::OfType(a, _) => is(a),
        Formula::Not(part) | Formula::Forall(_, part) | Formula::Exists(_, part) => {
            compares(part, variable)
        }
        Formula::And(parts) | Formula::Or(parts) => parts.iter().any(|p| compares(p, variable)),
        Formula::Imply(a, b) => compares(a, variable) || compares(b, variable),
        Formula::Atom(_) | Formula::Compare(..) => false,
    }
}

/// Returns a case for each branch of the conditions of its effects.
fn sides(lowering: &Lowering, case: Case) -> Vec<Case> {
    let mut conditions: Vec<Formula> = vec![];
    for effect in &case.effects {
        let known = conditions
            .iter()
            .any(|c| *c == effect.when || not(c.clone()) == effect.when);
        if !effect.when.is_true() && !known {
            conditions.push(effect.when.clone());
        }
        if conditions.len() > MAX_CONDITIONS {
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
            let opposite = || holds(&not(e.when.clone())).is_some_and(|holds| !holds);
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

/// Returns a task in the case of some choices, and `true` if these are all the choices.
fn lower(
    lowering: &Lowering,
    at: &RecordRef,
    primitive: &Primitive,
    choice: &Choice,
    costs: bool,
) -> (Case, bool) {
    let bindings: Bindings = map_of(primitive.record.params.iter().map(|param| {
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
        known: vec![],
        needs: vec![],
        effects: vec![],
        assigned: vec![],
        changed: FxHashMap::default(),
    };
    for (number, formula) in values(&primitive.preconditions).enumerate() {
        lowering.begin(at.clone(), Field::Precondition(number));
        let formula = lowering.formula(formula, &bindings);
        made.needs.push(formula);
    }
    for (number, (timing, effect)) in primitive.effects.iter().enumerate() {
        lowering.begin(at.clone(), Field::Effect(number));
        if let Some(effect) = &effect.value
            && *timing != EffectTiming::Executed
        {
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
