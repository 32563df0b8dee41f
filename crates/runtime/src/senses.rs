//! A character's observations of the world, and its forgetting (semantics, section 5).

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use taskloom_document::sort::{CompactSort, map_of};
use taskloom_document::{Name, Sense};
use taskloom_domain::ground::{Atom, Value};
use taskloom_domain::lang::typed::Formula;
use taskloom_domain::lang::{Repeated, World as _};
use taskloom_domain::text::TypedText;
use taskloom_planner::plan::{Change, World};

use super::access::AccessSet;
use super::execution_context::believe;

/// The maximum number of changes that a sense looks at one by one.
const MAX_CHANGED: usize = 32;

/// The senses of a character, with the times of its observations.
pub struct Senses {
    /// In the order of their facts.
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
    /// The facts that the condition reads.
    reads: AccessSet,
    /// `true` if it has to look at all ground facts when it is due.
    looks_at_all: bool,
    /// Otherwise, the changes whose ground facts it has to look at, by index.
    changed: Vec<(Arc<[Change]>, usize)>,
}

impl Senses {
    /// Creates the senses of the acting character, before anything has been seen.
    pub fn new(world: &World) -> Self {
        let agent = world.actor().agent.as_ref();
        let agent = agent.and_then(|(name, _)| world.domain().agent(name));
        let senses = agent.into_iter().flat_map(|agent| {
            let senses = agent.record.senses.iter().zip(&agent.senses);
            senses.map(|(sense, when)| {
                let mut reads = AccessSet::default();
                if let Some(when) = when.as_ref().and_then(|when| when.value.as_ref()) {
                    reads.formula(world, when, &Rc::default());
                }
                Sensing {
                    sense: sense.clone(),
                    is_timed: reads.time,
                    when: when.clone(),
                    reads,
                    looks_at_all: true,
                    changed: Vec::with_capacity(MAX_CHANGED),
                }
            })
        });
        let mut senses: Vec<Sensing> = senses.collect();
        senses.compact_sort_by(|a, b| a.sense.fact.cmp(&b.sense.fact));
        Self {
            senses,
            seen: FxHashMap::default(),
        }
    }

    /// Returns the ticks at which ground facts were last seen, by the facts' texts.
    pub fn save(&self) -> BTreeMap<String, u32> {
        let seen = self.seen.iter();
        map_of(seen.map(|(atom, tick)| (atom.to_string(), *tick)))
    }

    /// Restores the ticks at which ground facts were last seen, as far as the facts still exist.
    pub fn load(&mut self, saved: &BTreeMap<String, u32>, world: &World) {
        let seen = saved.iter();
        let seen = seen.filter_map(|(text, tick)| Some((world.atom(text).ok()?, *tick)));
        self.seen = seen.collect();
    }

    /// Forgets when ground facts were last seen.
    pub fn forget_atoms(&mut self, is_meant: &dyn Fn(&Atom) -> bool) {
        self.seen.retain(|atom, _| !is_meant(atom));
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
        of_fact.any(|sensing| sensing.sight(world).shows(&atom.args))
    }

    /// Notes changes of the world or of the beliefs: the senses that they concern look again when they are due.
    pub fn note(&mut self, changes: &Arc<[Change]>) {
        for sensing in &mut self.senses {
            for (number, change) in changes.iter().enumerate() {
                if sensing.looks_at_all {
                    break;
                }
                let is_of_fact = change.atom.fact == sensing.sense.fact;
                if sensing.reads.contains(&change.atom)
                    || is_of_fact && sensing.changed.len() == MAX_CHANGED
                {
                    sensing.look_again();
                } else if is_of_fact {
                    sensing.changed.push((changes.clone(), number));
                }
            }
        }
    }

    /// Makes all senses look again when they are due, because there are other objects.
    pub fn look_again(&mut self) {
        self.senses.iter_mut().for_each(Sensing::look_again);
    }

    /// Observes the world and updates the beliefs. Returns the changes, in the order of the ground facts.
    pub fn observe(&mut self, world: &World, belief: &mut World, tick: u32) -> Vec<Change> {
        let (mut seen, mut forgotten) = (vec![], vec![]);
        let believed = &*belief;
        let times = &mut self.seen;
        for of_fact in self.senses.chunk_by(|a, b| a.sense.fact == b.sense.fact) {
            observe_fact(
                of_fact,
                (world, believed),
                tick,
                times,
                |atom, value| match value {
                    Some(value) => seen.push((atom, value)),
                    None => forgotten.push((believed.unset(&atom), atom)),
                },
            );
        }
        for sensing in self.senses.iter_mut().filter(|one| one.is_due(tick)) {
            sensing.changed.clear();
            // What it sees may change with the time.
            sensing.looks_at_all = sensing.is_timed;
        }
        seen.extend(forgotten.into_iter().map(|(value, atom)| (atom, value)));
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

/// Observes a fact by its senses. Calls `note` with each ground fact whose value is seen, and with `None`
/// for each one that is forgotten.
fn observe_fact(
    senses: &[Sensing],
    (world, belief): (&World, &World),
    tick: u32,
    times: &mut FxHashMap<Atom, u32>,
    mut note: impl FnMut(Atom, Option<Value>),
) {
    let [Sensing { sense: first, .. }, ..] = senses else {
        return;
    };
    let forget = senses.iter().filter_map(|one| one.sense.forget).min();
    let due = || senses.iter().filter(move |one: &&Sensing| one.is_due(tick));
    let mut sights: SmallVec<[Sight; 4]> = due().map(|one| one.sight(world)).collect();
    let mut look = |atom: &Atom| {
        // Most of what has changed in a large world can't be seen.
        let is_visible = sights.iter_mut().any(|sight| sight.shows(&atom.args));
        // Only a difference can be learned; but forgetting needs the time of each observation.
        let counts = |value: &Value| forget.is_some() || belief.value(atom) != *value;
        let value = is_visible.then(|| world.value(atom)).filter(counts);
        if let Some(value) = value {
            match times.get_mut(atom).filter(|_| forget.is_some()) {
                Some(seen) => *seen = tick,
                None if forget.is_some() => _ = times.insert(atom.clone(), tick),
                None => {}
            }
            note(atom.clone(), Some(value));
        } else if let Some(ticks) = forget {
            let last = times.get(atom).copied().unwrap_or(0);
            if tick.saturating_sub(last) >= ticks {
                note(atom.clone(), None);
            }
        }
    };
    // What was seen before is known, as long as nothing has changed.
    if forget.is_none() && due().all(|one| !one.looks_at_all) {
        for (changes, number) in due().flat_map(|one| &one.changed) {
            look(&changes[*number].atom);
        }
        return;
    }
    if forget.is_none() {
        world.each_difference_of(belief, &first.fact, &mut look);
        return;
    }
    // What is set in both is looked at twice, with the same result.
    world.each_atom_of(&first.fact, &mut look);
    belief.each_atom_of(&first.fact, &mut look);
}

impl Sensing {
    /// Makes it look at everything when it is due.
    fn look_again(&mut self) {
        self.looks_at_all = true;
        self.changed.clear();
    }

    /// Returns `true` if it looks at a tick.
    fn is_due(&self, tick: u32) -> bool {
        tick.is_multiple_of(self.sense.every.max(1))
    }

    /// Returns the ground facts that it sees now.
    fn sight<'w>(&'w self, world: &'w World) -> Sight<'w> {
        let fact = world.document().facts.get(&self.sense.fact);
        let params = fact.map_or(&[][..], |fact| &fact.params);
        let condition = self.when.as_ref().map(|when| world.repeated(when, params));
        Sight {
            sees_all: condition.is_none(),
            condition: condition.flatten(),
        }
    }
}

/// The ground facts that a sense sees now.
struct Sight<'w> {
    /// `true` if there is no condition.
    sees_all: bool,
    /// `None` if it is invalid: then nothing is seen.
    condition: Option<Repeated<'w>>,
}

impl Sight<'_> {
    /// Returns `true` if it sees the fact of these objects.
    fn shows(&mut self, args: &[Name]) -> bool {
        let condition = self.condition.as_mut();
        self.sees_all || condition.is_some_and(|condition| condition.holds(args) == Ok(true))
    }
}
