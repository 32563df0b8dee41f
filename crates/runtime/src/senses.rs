//! A character's observations of the world, and its forgetting (semantics, section 5).

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use taskloom_document::{Name, Sense};
use taskloom_domain::ground::Atom;
use taskloom_domain::lang::typed::Formula;
use taskloom_domain::lang::{Env, World as _};
use taskloom_domain::text::TypedText;
use taskloom_planner::plan::{Change, World};

use super::access::reads_time;
use super::execution_context::believe;

/// The senses of a character, with the times of its observations.
pub struct Senses {
    senses: Vec<Sensing>,
    /// The tick at which each ground fact that may be forgotten was last seen.
    seen: FxHashMap<Atom, u32>,
}

struct Sensing {
    sense: Sense,
    /// The condition on the fact's objects; `None` if the fact is seen of all objects.
    when: Option<TypedText<Formula>>,
    /// `true` if the condition reads the time, so that an unchanged fact may become visible later.
    is_timed: bool,
}

impl Senses {
    /// Creates the senses of the acting character, before anything has been seen.
    pub fn new(world: &World) -> Self {
        let agent = world.actor().agent.as_ref();
        let agent = agent.and_then(|(name, _)| world.domain().agent(name));
        let senses = agent.into_iter().flat_map(|agent| {
            let senses = agent.record.senses.iter().zip(&agent.senses);
            senses.map(|(sense, when)| Sensing {
                sense: sense.clone(),
                is_timed: when.as_ref().is_some_and(|when| reads_time(world, when)),
                when: when.clone(),
            })
        });
        Self {
            senses: senses.collect(),
            seen: FxHashMap::default(),
        }
    }

    /// Returns the ticks at which ground facts were last seen, by the facts' texts.
    pub fn save(&self) -> BTreeMap<String, u32> {
        let seen = self.seen.iter();
        seen.map(|(atom, tick)| (atom.to_string(), *tick)).collect()
    }

    /// Restores the ticks at which ground facts were last seen, as far as the facts still exist.
    pub fn load(&mut self, saved: &BTreeMap<String, u32>, world: &World) {
        let seen = saved.iter();
        let seen = seen.filter_map(|(text, tick)| Some((world.atom(text).ok()?, *tick)));
        self.seen = seen.collect();
    }

    /// Returns `true` if there is a sense for this fact; facts without a sense are always visible.
    pub fn cover(&self, fact: &Name) -> bool {
        self.senses
            .iter()
            .any(|sensing| sensing.sense.fact == *fact)
    }

    /// Returns `true` if the value of a ground fact can be observed now, due or not.
    pub fn perceive(&self, world: &World, atom: &Atom) -> bool {
        let mut of_fact = self.senses.iter().filter(|one| one.sense.fact == atom.fact);
        of_fact.any(|sensing| sensing.sees(world, atom))
    }

    /// Observes the world and updates the beliefs. Returns the changes, in the order of the ground facts.
    pub fn observe(&mut self, world: &World, belief: &mut World, tick: u32) -> Vec<Change> {
        let is_due = |sensing: &&Sensing| tick.is_multiple_of(sensing.sense.every.max(1));
        let mut facts: Vec<&Name> = self.senses.iter().map(|s| &s.sense.fact).collect();
        facts.sort_unstable();
        facts.dedup();
        let (mut seen, mut forgotten) = (vec![], vec![]);
        for fact in facts {
            let senses = self.senses.iter().filter(|s| s.sense.fact == *fact);
            let forget = senses.clone().filter_map(|s| s.sense.forget).min();
            let due: Vec<&Sensing> = senses.filter(is_due).collect();
            if due.is_empty() && forget.is_none() {
                continue;
            }
            let mut atoms: Vec<Atom> = world.atoms_of(fact).chain(belief.atoms_of(fact)).collect();
            atoms.sort_unstable();
            atoms.dedup();
            for atom in atoms {
                let value = world.value(&atom);
                let differs = belief.value(&atom) != value;
                // Only a difference can be learned; but forgetting needs the time of each observation.
                let is_seen = (differs || forget.is_some())
                    && due.iter().any(|sensing| sensing.sees(world, &atom));
                if is_seen && forget.is_some() {
                    self.seen.insert(atom.clone(), tick);
                }
                if is_seen {
                    seen.push((atom, value));
                } else if let Some(ticks) = forget {
                    let last = self.seen.get(&atom).copied().unwrap_or(0);
                    if tick.saturating_sub(last) >= ticks {
                        forgotten.push((atom.clone(), belief.unset(&atom)));
                    }
                }
            }
        }
        seen.extend(forgotten);
        seen.sort_by(|(a, _), (b, _)| a.cmp(b));
        believe(belief, seen.into_iter())
    }

    /// Records that ground facts were seen in another way than by a sense.
    pub fn remember<'s>(&mut self, atoms: impl Iterator<Item = &'s Atom>, tick: u32) {
        for atom in atoms {
            let mut senses = self.senses.iter().filter(|one| one.sense.fact == atom.fact);
            if senses.any(|one| one.sense.forget.is_some()) {
                self.seen.insert(atom.clone(), tick);
            }
        }
    }

    /// Returns `true` if anything that isn't seen is forgotten.
    pub fn forget(&self) -> bool {
        let mut senses = self.senses.iter();
        senses.any(|sensing| sensing.sense.forget.is_some())
    }

    /// Returns the number of ticks after the last change of the world in which it may still notice something.
    pub fn patience(&self) -> u32 {
        let ticks = self.senses.iter().map(|sensing| {
            let every = sensing.sense.every.max(1);
            let same = self
                .senses
                .iter()
                .filter(|other| other.sense.fact == sensing.sense.fact);
            if sensing.is_timed {
                return u32::MAX;
            }
            match same.filter_map(|other| other.sense.forget).min() {
                // If it forgets before it looks again, it sees and forgets alternately.
                Some(forget) if forget < every => u32::MAX,
                forget => every.max(forget.unwrap_or(0)),
            }
        });
        ticks.max().unwrap_or(0)
    }
}

impl Sensing {
    fn sees(&self, world: &World, atom: &Atom) -> bool {
        let Some(when) = &self.when else {
            return true;
        };
        let fact = world.document().facts.get(&atom.fact);
        let params = fact.map_or(&[][..], |fact| &fact.params);
        // An invalid condition sees nothing.
        world.holds(when, &Env::bound(params, &atom.args)) == Ok(true)
    }
}
