//! Regression of requirements through an action.

use super::formula::{Cond, Num, Obj, Test};
use super::require::{Bits, MAX_DISJUNCTS, Numbers, Requirement, Set};
use super::task::{Action, Change, Effect, Kind, Task};
use taskloom_domain::lang::decimal::rounded;

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
enum EffectMatch {
    /// The effect is on another variable.
    Unrelated,
    /// The effect reaches the requirement if these conditions hold.
    ReachesIf(Vec<Cond>),
    /// The effect replaces the requirement by another one; `true` if that is easier to reach.
    Replaces(Requirement, bool),
    /// The effect violates the requirement.
    Violates,
    /// The relation can't be expressed.
    Unknown,
}

/// Returns the cases of what has to hold before an action that reaches a part of a set, and `true`
/// if they are incomplete: at most [`MAX_DISJUNCTS`] are kept.
pub fn regress(action: &Action, set: &[Requirement], numbers: &Numbers) -> (Vec<Before>, bool) {
    let affects = |effect: &Effect| set.iter().any(|r| affects(effect, *r));
    if !action.effects.iter().any(affects) {
        return (vec![], false);
    }
    let mut is_incomplete = false;
    let mut all = vec![Before {
        rest: vec![],
        conditions: vec![],
        is_useful: false,
    }];
    for requirement in set {
        let treatments = treatments(action, *requirement, numbers, &mut is_incomplete);
        let pairs = all.iter().flat_map(|before| {
            let treatments = treatments.iter();
            treatments.map(move |treatment| Before {
                rest: [&before.rest[..], treatment.remains.as_slice()].concat(),
                conditions: [&before.conditions[..], &treatment.conditions].concat(),
                is_useful: before.is_useful || treatment.is_useful,
            })
        });
        is_incomplete |= all.len() * treatments.len() > MAX_DISJUNCTS;
        all = pairs.take(MAX_DISJUNCTS).collect();
    }
    all.retain(|before| before.is_useful);
    (all, is_incomplete)
}

/// Returns the cases of regressing a requirement through an action, starting with those that reach
/// it.
fn treatments(
    action: &Action,
    of: Requirement,
    numbers: &Numbers,
    is_incomplete: &mut bool,
) -> Vec<Treatment> {
    let mut all = vec![];
    let mut requirement = of;
    let mut conditions: Vec<Cond> = vec![];
    let mut is_nearer = false;
    let reached_if = |conditions: &[Cond], more: &[Cond]| Treatment {
        remains: None,
        conditions: [conditions, more].concat(),
        is_useful: true,
    };
    // The last effect wins. A conditional effect may reach the requirement, or not happen.
    for effect in action.effects.iter().rev() {
        let happens = &effect.when;
        let is_always = *happens == Cond::Constant(true);
        match match_effect(effect, requirement) {
            EffectMatch::Unrelated => {}
            EffectMatch::Violates if is_always => return all,
            EffectMatch::Violates => conditions.push(happens.negated()),
            EffectMatch::ReachesIf(more) if is_always => {
                all.push(reached_if(&conditions, &more));
                return all;
            }
            EffectMatch::ReachesIf(more) => {
                let with = [&more[..], std::slice::from_ref(happens)].concat();
                all.push(reached_if(&conditions, &with));
                if !more.is_empty() {
                    let meets = Cond::all(more);
                    conditions.push(Cond::any([happens.negated(), meets]));
                }
            }
            EffectMatch::Replaces(other, nearer) if is_always => {
                *is_incomplete |= !numbers.is_exact(requirement) || !numbers.is_exact(other);
                requirement = other;
                is_nearer |= nearer;
            }
            EffectMatch::Unknown if is_always => {
                *is_incomplete = true;
                all.push(reached_if(&conditions, &[]));
                return all;
            }
            EffectMatch::Replaces(..) | EffectMatch::Unknown => {
                *is_incomplete = true;
                all.push(reached_if(&conditions, std::slice::from_ref(happens)));
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

/// Returns, for each number that an action changes, the conditions that keep it in its range; `None` if they can't be
/// expressed.
pub fn in_ranges(
    task: &Task,
    action: &Action,
    numbers: &Numbers,
) -> impl Iterator<Item = Option<Vec<Cond>>> {
    // Only the number after all changes has to be in its range.
    let mut totals: Vec<(u32, Option<Effect>)> = vec![];
    let is_number = |effect: &&Effect| matches!(effect.change, Change::Number(_) | Change::Add(_));
    for effect in action.effects.iter().filter(is_number) {
        let mut known = totals.iter_mut();
        match known.find(|(variable, _)| *variable == effect.variable) {
            None => totals.push((effect.variable, Some(effect.clone()))),
            Some((_, total)) => *total = total.take().and_then(|total| sum(&total, effect)),
        }
    }
    let totals = totals.into_iter().map(|(_, total)| total);
    totals.map(|total| in_range(task, &total?, numbers))
}

/// Returns the effect that two additions to the same number have together; `None` if it can't be expressed.
fn sum(first: &Effect, second: &Effect) -> Option<Effect> {
    let (Change::Add(Num::Constant(a)), Change::Add(Num::Constant(b))) =
        (&first.change, &second.change)
    else {
        return None;
    };
    (first.when == second.when).then(|| Effect {
        change: Change::Add(Num::Constant(rounded(a + b))),
        ..first.clone()
    })
}

/// Returns the conditions that keep a number in its range after its only change; `None` if they can't be expressed.
fn in_range(task: &Task, effect: &Effect, numbers: &Numbers) -> Option<Vec<Cond>> {
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
                let bound = Bits::of(rounded(bound - by));
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

fn affects(effect: &Effect, requirement: Requirement) -> bool {
    !matches!(match_effect(effect, requirement), EffectMatch::Unrelated)
}

fn match_effect(effect: &Effect, requirement: Requirement) -> EffectMatch {
    match (requirement, &effect.change) {
        (Requirement::Is(variable, expected), Change::Is(to)) if variable == effect.variable => {
            if expected == *to {
                EffectMatch::ReachesIf(vec![])
            } else {
                EffectMatch::Violates
            }
        }
        (Requirement::Is(..), _) | (_, Change::Is(_)) => EffectMatch::Unrelated,
        (Requirement::Object(variable, object), Change::Object(to))
            if variable == effect.variable =>
        {
            match to {
                Obj::Object(to) if *to == object => EffectMatch::ReachesIf(vec![]),
                Obj::Object(_) => EffectMatch::Violates,
                to => {
                    let both = Box::new((to.clone(), Obj::Object(object)));
                    EffectMatch::ReachesIf(vec![Cond::Literal(Test::Same(both, true))])
                }
            }
        }
        (Requirement::Not(variable, object), Change::Object(to)) if variable == effect.variable => {
            match to {
                Obj::Object(to) if *to != object => EffectMatch::ReachesIf(vec![]),
                Obj::Object(_) => EffectMatch::Violates,
                to => {
                    let both = Box::new((to.clone(), Obj::Object(object)));
                    EffectMatch::ReachesIf(vec![Cond::Literal(Test::Same(both, false))])
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
        _ => EffectMatch::Unrelated,
    }
}

fn number(
    change: &Change,
    bound: f64,
    at_least: bool,
    requirement: impl Fn(f64) -> Requirement,
) -> EffectMatch {
    match change {
        Change::Number(Num::Constant(to)) if at_least && *to >= bound => {
            EffectMatch::ReachesIf(vec![])
        }
        Change::Number(Num::Constant(to)) if !at_least && *to <= bound => {
            EffectMatch::ReachesIf(vec![])
        }
        Change::Number(Num::Constant(_)) => EffectMatch::Violates,
        Change::Add(Num::Constant(by)) => EffectMatch::Replaces(
            requirement(rounded(bound - by)),
            if at_least { *by > 0.0 } else { *by < 0.0 },
        ),
        Change::Number(_) | Change::Add(_) => EffectMatch::Unknown,
        Change::Is(_) | Change::Object(_) => EffectMatch::Unrelated,
    }
}
