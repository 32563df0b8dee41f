//! The values of facts, and what tests and changes mean in them.

use std::collections::{BTreeMap, BTreeSet};

use super::model::{Arg, Atom, Change, Env, MOST, Test};
use super::written;

/// The values of ground facts: 0 or 1, and the number's.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct State(BTreeMap<Atom, i32>);

/// A ground fact with the value that it had and the one that it has.
pub type Changed = (Atom, i32, i32);

impl State {
    pub fn new(values: &[(Atom, i32)]) -> Self {
        let mut state = Self::default();
        for (atom, value) in values {
            state.set(*atom, *value);
        }
        state
    }

    pub fn value(&self, atom: Atom) -> i32 {
        self.0.get(&atom).copied().unwrap_or(0)
    }

    pub fn set(&mut self, atom: Atom, value: i32) {
        if value == 0 {
            self.0.remove(&atom);
        } else {
            self.0.insert(atom, value);
        }
    }

    /// All that is not 0, in the order of ground facts.
    pub fn values(&self) -> Vec<(Atom, i32)> {
        self.0.iter().map(|(atom, value)| (*atom, *value)).collect()
    }

    /// As initial values.
    pub fn written(&self) -> Vec<String> {
        self.values().into_iter().map(written::value).collect()
    }

    pub fn holds(&self, test: Test, env: Env) -> bool {
        let value = self.value(read(test, env));
        match test {
            Test::Plain(_, is) | Test::Of(_, is) => (value != 0) == is,
            Test::AtLeast(k, is) => (value >= k) == is,
        }
    }

    /// The first of some rules that does not hold.
    pub fn first_broken(&self, rules: &[Test], env: Env) -> Option<Test> {
        rules.iter().copied().find(|rule| !self.holds(*rule, env))
    }

    /// The same in words, with the value of what it reads where it does not say it itself.
    pub fn broken(&self, rules: &[Test], env: Env) -> Option<String> {
        let rule = self.first_broken(rules, env)?;
        Some(match rule {
            Test::AtLeast(..) => {
                let is = self.value(Atom::Number);
                format!("{} (n is {is})", written::test(rule))
            }
            Test::Of(Arg::Me, is) => {
                let atom = written::atom(read(rule, env));
                format!("{} ({atom} is {})", written::test(rule), !is)
            }
            Test::Of(arg, is) => {
                let ground = Arg::Object(env.object(arg));
                written::test(Test::Of(ground, is))
            }
            Test::Plain(..) => written::test(rule),
        })
    }

    /// What some changes amount to: the value of all that they write; nothing where the number
    /// leaves its range.
    pub fn writes(&self, changes: &[Change], env: Env) -> Option<Vec<(Atom, i32)>> {
        let mut written = BTreeMap::new();
        // What is unset goes before what is set.
        for sets in [false, true] {
            for change in changes {
                match *change {
                    Change::Plain(fact, is) if is == sets => {
                        written.insert(Atom::Plain(fact), i32::from(is));
                    }
                    Change::Of(arg, is) if is == sets => {
                        written.insert(Atom::Of(env.object(arg)), i32::from(is));
                    }
                    Change::Add(n) if sets => {
                        written.insert(Atom::Number, self.value(Atom::Number) + n);
                    }
                    _ => {}
                }
            }
        }
        let number = written.get(&Atom::Number).copied().unwrap_or(0);
        (0..=MOST)
            .contains(&number)
            .then(|| written.into_iter().collect())
    }

    /// What is different in another state, in the order of ground facts.
    pub fn changes_to(&self, other: &Self) -> Vec<Changed> {
        let atoms: BTreeSet<Atom> = self.0.keys().chain(other.0.keys()).copied().collect();
        let changed = atoms.into_iter();
        let changed = changed.map(|atom| (atom, self.value(atom), other.value(atom)));
        changed
            .filter(|(_, before, after)| before != after)
            .collect()
    }
}

/// The ground fact that a test reads.
pub fn read(test: Test, env: Env) -> Atom {
    match test {
        Test::Plain(fact, _) => Atom::Plain(fact),
        Test::Of(arg, _) => Atom::Of(env.object(arg)),
        Test::AtLeast(..) => Atom::Number,
    }
}
