//! Regression of requirements through an action.

use super::formula::{Cond, Num, Obj};
use super::require::{Bits, MOST, Numbers, Requirement, Set};
use super::task::{Action, Change, Effect, Kind, Task};

/// The part of a set that remains before an action, and the other conditions that have to hold
/// there.
#[derive(Debug, Clone)]
pub struct Before {
    pub rest: Set,
    pub conditions: Vec<Cond>,
    /// `true` if the action contributes to the set.
    is_useful: bool,
}

/// A case of regressing a requirement through an action: what remains of it, and under which
/// conditions.
#[derive(Debug, Clone)]
struct Treatment {
    remains: Option<Requirement>,
    conditions: Vec<Cond>,
    is_useful: bool,
}

/// The relation of an effect to a requirement.
enum Met {
    /// The effect is on another variable.
    Not,
    /// The effect reaches the requirement if these conditions hold.
    If(Vec<Cond>),
    /// The effect replaces the requirement by another one; `true` if that is easier to reach.
    Instead(Requirement, bool),
    /// The effect violates the requirement.
    Never,
    /// The relation can't be expressed.
    Unknown,
}

/// Returns the cases of what has to hold before an action that reaches a part of a set, and `true`
/// if they are incomplete: at most [`MOST`] are kept.
pub fn regress(action: &Action, set: &[Requirement], numbers: &Numbers) -> (Vec<Before>, bool) {
    let touches = |effect: &Effect| set.iter().any(|r| touches(effect, *r));
    if !action.effects.iter().any(touches) {
        return (vec![], false);
    }
    let mut is_relaxed = false;
    let mut all = vec![Before {
        rest: vec![],
        conditions: vec![],
        is_useful: false,
    }];
    for requirement in set {
        let treatments = treatments(action, *requirement, numbers, &mut is_relaxed);
        let pairs = all.iter().flat_map(|before| {
            let treatments = treatments.iter();
            treatments.map(move |treatment| Before {
                rest: [&before.rest[..], treatment.remains.as_slice()].concat(),
                conditions: [&before.conditions[..], &treatment.conditions].concat(),
                is_useful: before.is_useful || treatment.is_useful,
            })
        });
        is_relaxed |= all.len() * treatments.len() > MOST;
        all = pairs.take(MOST).collect();
    }
    all.retain(|before| before.is_useful);
    (all, is_relaxed)
}

/// Returns the cases of regressing a requirement through an action, starting with those that reach
/// it.
fn treatments(
    action: &Action,
    of: Requirement,
    numbers: &Numbers,
    is_relaxed: &mut bool,
) -> Vec<Treatment> {
    let mut all = vec![];
    let mut requirement = of;
    let mut conditions: Vec<Cond> = vec![];
    let mut is_nearer = false;
    let met_if = |conditions: &[Cond], more: &[Cond]| Treatment {
        remains: None,
        conditions: [conditions, more].concat(),
        is_useful: true,
    };
    // The last effect wins. A conditional effect may reach the requirement, or not happen.
    for effect in action.effects.iter().rev() {
        let happens = &effect.when;
        let is_always = *happens == Cond::Constant(true);
        match met(effect, requirement) {
            Met::Not => {}
            Met::Never if is_always => return all,
            Met::Never => conditions.push(happens.negated()),
            Met::If(more) if is_always => {
                all.push(met_if(&conditions, &more));
                return all;
            }
            Met::If(more) => {
                let with = [&more[..], std::slice::from_ref(happens)].concat();
                all.push(met_if(&conditions, &with));
                if !more.is_empty() {
                    let meets = Cond::all(more);
                    conditions.push(Cond::any([happens.negated(), meets]));
                }
            }
            Met::Instead(other, nearer) if is_always => {
                *is_relaxed |= !numbers.is_exact(requirement) || !numbers.is_exact(other);
                requirement = other;
                is_nearer |= nearer;
            }
            Met::Unknown if is_always => {
                *is_relaxed = true;
                all.push(met_if(&conditions, &[]));
                return all;
            }
            Met::Instead(..) | Met::Unknown => {
                *is_relaxed = true;
                all.push(met_if(&conditions, std::slice::from_ref(happens)));
            }
        }
    }
    all.push(Treatment {
        remains: Some(requirement),
        conditions,
        is_useful: is_nearer,
    });
    all
}

/// Returns the conditions that keep a number in its range; `None` if they can't be expressed.
pub fn in_range(task: &Task, effect: &Effect, numbers: &Numbers) -> Option<Vec<Cond>> {
    if let Change::Is(_) | Change::Object(_) | Change::Number(Num::Constant(_)) = effect.change {
        return Some(vec![]);
    }
    let Kind::Number { min, max, .. } = &task.kinds[effect.variable as usize] else {
        return None;
    };
    match &effect.change {
        Change::Add(Num::Constant(by)) => {
            let bounds = [(*by < 0.0, *min, true), (*by > 0.0, *max, false)];
            let needs = bounds
                .into_iter()
                .filter(|(matters, bound, _)| *matters && bound.is_finite());
            let needs = needs.map(|(_, bound, at_least)| {
                let bound = Bits::of(bound - by);
                let need = if at_least {
                    Requirement::AtLeast(effect.variable, bound)
                } else {
                    Requirement::AtMost(effect.variable, bound)
                };
                let is_exact = numbers.is_exact(need);
                is_exact.then(|| Cond::any([effect.when.negated(), need.condition()]))
            });
            needs.collect()
        }
        Change::Is(_) | Change::Object(_) | Change::Number(_) | Change::Add(_) => None,
    }
}

fn touches(effect: &Effect, requirement: Requirement) -> bool {
    !matches!(met(effect, requirement), Met::Not)
}

fn met(effect: &Effect, requirement: Requirement) -> Met {
    match (requirement, &effect.change) {
        (Requirement::Is(variable, so), Change::Is(to)) if variable == effect.variable => {
            if so == *to {
                Met::If(vec![])
            } else {
                Met::Never
            }
        }
        (Requirement::Is(..), _) | (_, Change::Is(_)) => Met::Not,
        (Requirement::Object(variable, object), Change::Object(to))
            if variable == effect.variable =>
        {
            match to {
                Obj::Object(to) if *to == object => Met::If(vec![]),
                Obj::Object(_) => Met::Never,
                to => {
                    let both = Box::new((to.clone(), Obj::Object(object)));
                    Met::If(vec![Cond::Same(both, true)])
                }
            }
        }
        (Requirement::Not(variable, object), Change::Object(to)) if variable == effect.variable => {
            match to {
                Obj::Object(to) if *to != object => Met::If(vec![]),
                Obj::Object(_) => Met::Never,
                to => {
                    let both = Box::new((to.clone(), Obj::Object(object)));
                    Met::If(vec![Cond::Same(both, false)])
                }
            }
        }
        (Requirement::AtLeast(variable, bound), change) if variable == effect.variable => {
            number(change, bound.number(), true, |bound| {
                Requirement::AtLeast(variable, Bits::of(bound))
            })
        }
        (Requirement::AtMost(variable, bound), change) if variable == effect.variable => {
            number(change, bound.number(), false, |bound| {
                Requirement::AtMost(variable, Bits::of(bound))
            })
        }
        _ => Met::Not,
    }
}

fn number(
    change: &Change,
    bound: f64,
    at_least: bool,
    requirement: impl Fn(f64) -> Requirement,
) -> Met {
    match change {
        Change::Number(Num::Constant(to)) if at_least && *to >= bound => Met::If(vec![]),
        Change::Number(Num::Constant(to)) if !at_least && *to <= bound => Met::If(vec![]),
        Change::Number(Num::Constant(_)) => Met::Never,
        Change::Add(Num::Constant(by)) => Met::Instead(
            requirement(bound - by),
            if at_least { *by > 0.0 } else { *by < 0.0 },
        ),
        Change::Number(_) | Change::Add(_) => Met::Unknown,
        Change::Is(_) | Change::Object(_) => Met::Not,
    }
}
