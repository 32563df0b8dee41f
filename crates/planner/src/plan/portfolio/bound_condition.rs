//! Conditions whose variables are bound, prepared for evaluation in a state. Where possible,
//! quantifiers iterate over the relevant atoms by index.

use std::sync::Arc;

use smallvec::SmallVec;

use super::facts::Facts;
use super::model::{Arg, Atom, Cond, Model};
use taskloom_document::stop::Stop;

/// A condition whose variables are all bound when it is evaluated.
#[derive(Debug)]
pub enum BoundCondition {
    Atom(Atom, bool),
    Same(Arg, Arg, bool),
    All(Vec<BoundCondition>),
    Any(Vec<BoundCondition>),
    /// `Every` (true) or `Some` (false): variable, type, the atoms whose objects the body must be
    /// evaluated for, body.
    Quantified(bool, u32, u32, Option<Driver>, Box<BoundCondition>),
}

/// The atoms that matter to a quantified body: for `Some` it can hold only where one of them is
/// true, for `Every` it can fail only there.
#[derive(Debug)]
pub struct Driver {
    index: u32,
    key: Box<[Arg]>,
    /// The position of the variable in the atom.
    place: u8,
}

/// The parts of a model that joins read while they run.
#[derive(Debug)]
pub struct Types {
    pub lists: Arc<Vec<Vec<u32>>>,
    /// A bit for each object of each type; `None` if every object has the type.
    members: Vec<Option<Box<[u64]>>>,
    /// Cancels evaluation, whose results are then meaningless.
    pub stop: Stop,
}

impl Types {
    pub fn new(model: &Model) -> Self {
        let members = model.types.iter().map(|list| {
            if list.len() == model.objects as usize {
                return None;
            }
            let mut bits = vec![0u64; (model.objects as usize).div_ceil(64)];
            for object in list {
                bits[*object as usize / 64] |= 1 << (object % 64);
            }
            Some(bits.into())
        });
        Self {
            members: members.collect(),
            lists: model.types.clone(),
            stop: model.problem.stop().clone(),
        }
    }

    /// Returns the memory use in bytes, excluding parts shared with the model.
    pub fn memory(&self) -> usize {
        let bits = self.members.iter().flatten();
        bits.map(|bits| size_of_val(&**bits)).sum()
    }

    pub fn has(&self, of: u32, object: u32) -> bool {
        let Some(bits) = &self.members[of as usize] else {
            return true;
        };
        let word = bits.get(object as usize / 64);
        word.is_some_and(|word| word >> (object % 64) & 1 == 1)
    }
}

/// Returns the object of an argument.
pub fn object(arg: Arg, slots: &[u32]) -> u32 {
    match arg {
        Arg::Object(object) => object,
        Arg::Variable(variable) => slots[variable as usize],
    }
}

fn tuple(atom: &Atom, slots: &[u32]) -> SmallVec<[u32; 8]> {
    let objects = atom.args.iter().map(|arg| object(*arg, slots));
    std::iter::once(atom.predicate).chain(objects).collect()
}

/// Returns `true` if every variable of a condition is bound, or its own.
pub fn is_bound(cond: &Cond, bound: &mut Vec<bool>) -> bool {
    let arg = |arg: &Arg, bound: &[bool]| match arg {
        Arg::Object(_) => true,
        Arg::Variable(variable) => bound[*variable as usize],
    };
    match cond {
        Cond::Atom(atom, _) => atom.args.iter().all(|a| arg(a, bound)),
        Cond::Same(a, b, _) => arg(a, bound) && arg(b, bound),
        Cond::All(parts) | Cond::Any(parts) => parts.iter().all(|part| is_bound(part, bound)),
        Cond::Every(variable, _, body) | Cond::Some(variable, _, body) => {
            bound[*variable as usize] = true;
            let answer = is_bound(body, bound);
            bound[*variable as usize] = false;
            answer
        }
    }
}

/// Builds tests from conditions, with drivers for their quantifiers.
pub fn bind(cond: &Cond, bound: &mut Vec<bool>, facts: &mut Facts) -> BoundCondition {
    match cond {
        Cond::Atom(atom, value) => BoundCondition::Atom(atom.clone(), *value),
        Cond::Same(a, b, value) => BoundCondition::Same(*a, *b, *value),
        Cond::All(parts) => {
            BoundCondition::All(parts.iter().map(|p| bind(p, bound, facts)).collect())
        }
        Cond::Any(parts) => {
            BoundCondition::Any(parts.iter().map(|p| bind(p, bound, facts)).collect())
        }
        Cond::Every(variable, of, body) | Cond::Some(variable, of, body) => {
            let every = matches!(cond, Cond::Every(..));
            let driver = driver(*variable, body, !every, bound, facts);
            bound[*variable as usize] = true;
            let body = Box::new(bind(body, bound, facts));
            bound[*variable as usize] = false;
            BoundCondition::Quantified(every, *variable, *of, driver, body)
        }
    }
}

/// Finds an atom with the variable that occurs in every disjunct that makes the body true
/// (`value`), or whose negation occurs in every disjunct that makes it false.
fn driver(
    variable: u32,
    body: &Cond,
    value: bool,
    bound: &[bool],
    facts: &mut Facts,
) -> Option<Driver> {
    match body {
        Cond::Atom(atom, positive) if *positive == value => {
            let place = atom
                .args
                .iter()
                .position(|a| *a == Arg::Variable(variable))?;
            let (mut places, mut key) = (vec![], vec![]);
            for (n, arg) in (0u8..).zip(&atom.args) {
                let known = match arg {
                    Arg::Object(_) => true,
                    Arg::Variable(v) => bound[*v as usize],
                };
                if known {
                    places.push(n);
                    key.push(*arg);
                }
            }
            Some(Driver {
                index: facts.index(atom.predicate, &places),
                key: key.into(),
                place: place as u8,
            })
        }
        Cond::All(parts) if value => {
            let mut parts = parts.iter();
            parts.find_map(|p| driver(variable, p, value, bound, facts))
        }
        Cond::Any(parts) if !value => {
            let mut parts = parts.iter();
            parts.find_map(|p| driver(variable, p, value, bound, facts))
        }
        Cond::Every(_, _, body) if !value => driver(variable, body, value, bound, facts),
        Cond::Some(_, _, body) if value => driver(variable, body, value, bound, facts),
        _ => None,
    }
}

impl BoundCondition {
    /// Returns `true` if the condition holds. Recurses as deep as the condition.
    pub fn holds(&self, facts: &Facts, types: &Types, slots: &mut [u32]) -> bool {
        match self {
            Self::Atom(atom, value) => facts.holds(&tuple(atom, slots)) == *value,
            Self::Same(a, b, value) => (object(*a, slots) == object(*b, slots)) == *value,
            Self::All(parts) => parts.iter().all(|p| p.holds(facts, types, slots)),
            Self::Any(parts) => parts.iter().any(|p| p.holds(facts, types, slots)),
            Self::Quantified(every, variable, of, driver, body) => {
                let mut breaks = |o: u32| {
                    if types.stop.after(1) {
                        return true;
                    }
                    slots[*variable as usize] = o;
                    body.holds(facts, types, slots) != *every
                };
                let found = match driver {
                    None => types.lists[*of as usize].iter().any(|o| breaks(*o)),
                    Some(driver) => {
                        let key = driver.key.iter();
                        let key: SmallVec<[u32; 8]> = key.map(|a| object(*a, slots)).collect();
                        let list = facts.list(driver.index, &key);
                        list.iter().any(|atom| {
                            let o = facts.atom(*atom)[driver.place as usize + 1];
                            types.stop.after(1)
                                || facts.is_true(*atom) && types.has(*of, o) && {
                                    slots[*variable as usize] = o;
                                    body.holds(facts, types, slots) != *every
                                }
                        })
                    }
                };
                found != *every
            }
        }
    }
}
