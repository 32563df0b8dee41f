//! A character's knowledge: its memory, its beliefs, and its observations.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use taskloom_document::Source;

use super::domain::{Domain, Sense};
use super::evaluate::Env;
use super::names::{Atom, Object};
use super::state::{Changed, State};
use super::touch::reads_time;

/// More ticks than any run has.
const NEVER: u32 = 1_000_000;

/// The knowledge of a character.
#[derive(Debug)]
pub struct Knowledge<'d> {
    domain: &'d Arc<Domain>,
    me: Option<Object>,
    /// Facts without a sense are always visible.
    senses: &'d [Sense],
    /// The values of memory facts.
    memory: State,
    /// Its beliefs about sensor facts, if it has senses.
    belief: State,
    /// The tick at which each ground fact was last seen.
    seen: BTreeMap<Atom, u32>,
    /// The beliefs that have changed since this was last emptied, by others and by senses.
    pub noticed: BTreeSet<Atom>,
}

impl<'d> Knowledge<'d> {
    pub fn new(domain: &'d Arc<Domain>, character: usize) -> Self {
        let mut state = State::new(domain, &domain.initial);
        let senses: &[Sense] = domain.agent(character).map_or(&[], |agent| &agent.senses);
        for atom in domain.atoms() {
            let mut senses = senses
                .iter()
                .filter(|sense| sense.fact == domain.fact(atom));
            if senses.any(|sense| sense.unknown) {
                state.set(atom, 0.0);
            }
        }
        for (atom, value) in &domain.cast[character].beliefs {
            state.set(*atom, *value);
        }
        let of = |source: Source| {
            let values = state.values().into_iter();
            let values: Vec<_> = values
                .filter(|(atom, _)| domain.source(*atom) == source)
                .collect();
            State::new(domain, &values)
        };
        Self {
            domain,
            me: domain.me(character),
            senses,
            memory: of(Source::Memory),
            belief: of(Source::Sensor),
            seen: BTreeMap::new(),
            noticed: BTreeSet::new(),
        }
    }

    fn senses_of(&self, atom: Atom) -> impl Iterator<Item = &'d Sense> + Clone + use<'d> {
        let (senses, fact) = (self.senses, self.domain.fact(atom));
        senses.iter().filter(move |sense| sense.fact == fact)
    }

    /// Returns `true` if the belief about a ground fact may differ from the world.
    pub fn may_err(&self, atom: Atom) -> bool {
        self.senses_of(atom).next().is_some()
    }

    /// Returns `true` if it can see a ground fact now, due or not.
    pub fn perceives(&self, world: &State, atom: Atom) -> bool {
        let actual = self.actual(world);
        self.senses_of(atom)
            .any(|sense| self.sees(&actual, sense, atom))
    }

    fn sees(&self, actual: &State, sense: &Sense, atom: Atom) -> bool {
        let (_, objects) = &self.domain.names.atoms[atom.0];
        let params = &self.domain.names.fact_of(atom).params;
        let env = Env::of(self.me).with(params, objects.iter().copied());
        sense
            .when
            .as_ref()
            .is_none_or(|when| actual.holds(when, &env))
    }

    /// Returns the world with its memory.
    pub fn actual(&self, world: &State) -> State {
        self.view(world, |_| false)
    }

    /// Returns its beliefs.
    pub fn believed(&self, world: &State) -> State {
        self.view(world, |atom| self.may_err(atom))
    }

    fn view(&self, world: &State, is_believed: impl Fn(Atom) -> bool) -> State {
        let mut view = State::at(self.domain, world.time);
        for atom in self.domain.atoms() {
            let value = if self.domain.source(atom) == Source::Memory {
                self.memory.value(atom)
            } else if is_believed(atom) {
                self.belief.value(atom)
            } else {
                world.value(atom)
            };
            view.set(atom, value);
        }
        view
    }

    pub fn remember(&mut self, atom: Atom, value: f64) {
        self.memory.set(atom, value);
    }

    /// Sets a belief about a sensor fact that it has changed or learned.
    pub fn believe(&mut self, atom: Atom, value: f64, (tick, is_new): (u32, bool)) {
        if is_new || self.belief.value(atom) != value {
            self.seen.insert(atom, tick);
        }
        self.belief.set(atom, value);
    }

    /// Observes the world. Returns the changes of its beliefs.
    pub fn look(&mut self, world: &State, tick: u32) -> Vec<Changed> {
        let actual = self.actual(world);
        let before = self.believed(world);
        for atom in self.domain.atoms() {
            let senses = self.senses_of(atom);
            let sees =
                |sense: &Sense| tick.is_multiple_of(sense.every) && self.sees(&actual, sense, atom);
            let forget = senses.clone().filter_map(|sense| sense.forget).min();
            if senses.clone().any(sees) {
                self.seen.insert(atom, tick);
                self.belief.set(atom, actual.value(atom));
            } else if let Some(forget) = forget {
                let last = self.seen.get(&atom).copied().unwrap_or(0);
                if tick - last >= forget {
                    self.belief.set(atom, 0.0);
                }
            }
        }
        let changes = before.changes_to(&self.believed(world));
        self.noticed.extend(changes.iter().map(|change| change.0));
        changes
    }

    /// Returns the number of ticks after the last change of the world in which it may still notice
    /// something.
    pub fn patience(&self) -> u32 {
        let ticks = self.senses.iter();
        let ticks = ticks.map(|sense| {
            let same = self.senses.iter().filter(|other| other.fact == sense.fact);
            let forget = same
                .filter_map(|other| other.forget)
                .min()
                .unwrap_or(sense.every);
            // If it forgets before it looks again, it sees and forgets alternately.
            let is_timed = sense
                .when
                .as_ref()
                .is_some_and(|when| reads_time(self.domain, when));
            if forget < sense.every || is_timed {
                NEVER
            } else {
                forget
            }
        });
        ticks.max().unwrap_or(0)
    }
}
