//! Evaluation of conditions whose variables are bound. Where possible, quantifiers iterate over the
//! relevant atoms by index.

use std::sync::Arc;

use smallvec::SmallVec;

use super::condition::{Arg, Condition, Driver, Quantified};
use super::facts::Facts;
use super::model::Model;
use taskloom_document::stop::Stop;

/// The objects of types.
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

    pub fn has(&self, ty: u32, object: u32) -> bool {
        let Some(bits) = &self.members[ty as usize] else {
            return true;
        };
        let word = bits.get(object as usize / 64);
        word.is_some_and(|word| word >> (object % 64) & 1 == 1)
    }
}

impl Condition {
    /// Returns the condition with drivers for its quantifiers, creating the indexes they need.
    pub fn indexed(&self, bound: &mut Vec<bool>, facts: &mut Facts) -> Self {
        let mut parts = |parts: &[Self]| {
            let parts = parts.iter().map(|part| part.indexed(bound, facts));
            parts.collect()
        };
        match self {
            Self::Atom(..) | Self::Same(..) => self.clone(),
            Self::All(of) => Self::All(parts(of)),
            Self::Any(of) => Self::Any(parts(of)),
            Self::Quantified(quantified) => {
                let Quantified { variable, body, .. } = &**quantified;
                let driver = driver(*variable, body, !quantified.is_universal, bound, facts);
                bound[*variable as usize] = true;
                let body = body.indexed(bound, facts);
                bound[*variable as usize] = false;
                Self::Quantified(Box::new(Quantified {
                    driver,
                    body,
                    ..**quantified
                }))
            }
        }
    }

    /// Returns `true` if the condition holds. Recurses as deep as the condition.
    pub fn holds(&self, facts: &Facts, types: &Types, slots: &mut [u32]) -> bool {
        match self {
            Self::Atom(atom, value) => {
                let objects = atom.args.iter().map(|arg| arg.object(slots));
                let tuple: SmallVec<[u32; 8]> =
                    std::iter::once(atom.predicate).chain(objects).collect();
                facts.holds(&tuple) == *value
            }
            Self::Same(a, b, value) => (a.object(slots) == b.object(slots)) == *value,
            Self::All(parts) => parts.iter().all(|part| part.holds(facts, types, slots)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(facts, types, slots)),
            Self::Quantified(quantified) => quantified.holds(facts, types, slots),
        }
    }
}

impl Quantified {
    fn holds(&self, facts: &Facts, types: &Types, slots: &mut [u32]) -> bool {
        let key = self.driver.iter().flat_map(|driver| &driver.key);
        let key: SmallVec<[u32; 8]> = key.map(|arg| arg.object(slots)).collect();
        let mut decides = |object: u32| {
            slots[self.variable as usize] = object;
            self.body.holds(facts, types, slots) != self.is_universal
        };
        let is_decided = match &self.driver {
            None => {
                let mut objects = types.lists[self.ty as usize].iter();
                objects.any(|object| types.stop.after(1) || decides(*object))
            }
            Some(driver) => facts.list(driver.index, &key).iter().any(|atom| {
                let object = facts.atom(*atom)[driver.place as usize + 1];
                types.stop.after(1)
                    || facts.is_true(*atom) && types.has(self.ty, object) && decides(object)
            }),
        };
        is_decided != self.is_universal
    }
}

/// Finds an atom with the variable that occurs in every disjunct that makes the body true
/// (`value`), or whose negation occurs in every disjunct that makes it false.
fn driver(
    variable: u32,
    body: &Condition,
    value: bool,
    bound: &[bool],
    facts: &mut Facts,
) -> Option<Driver> {
    let mut any = |parts: &[Condition]| {
        let mut parts = parts.iter();
        parts.find_map(|part| driver(variable, part, value, bound, facts))
    };
    match body {
        Condition::Atom(atom, positive) if *positive == value => {
            let mut args = atom.args.iter();
            let place = args.position(|arg| *arg == Arg::Variable(variable))?;
            let places = known_places(&atom.args, bound);
            Some(Driver {
                index: facts.index(atom.predicate, &places),
                key: places
                    .iter()
                    .map(|place| atom.args[*place as usize])
                    .collect(),
                place: place as u8,
            })
        }
        Condition::All(parts) if value => any(parts),
        Condition::Any(parts) if !value => any(parts),
        Condition::Quantified(inner) if inner.is_universal != value => {
            driver(variable, &inner.body, value, bound, facts)
        }
        _ => None,
    }
}

/// Returns the positions of the arguments that are objects or bound variables.
pub fn known_places(args: &[Arg], bound: &[bool]) -> Vec<u8> {
    let places = (0u8..).zip(args);
    let known = places.filter(|(_, arg)| arg.is_bound(bound));
    known.map(|(place, _)| place).collect()
}
