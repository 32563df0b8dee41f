//! The values of facts, and the evaluation of tests and changes.

use std::collections::BTreeMap;

use super::model::{Arg, Atom, Change, Env, FACTS, MOST, Object, THINGS, Test, is_near};
use super::written;

/// The maximum number of characters.
const MAX_CAST: usize = 4;
const MAX_ATOMS: usize = FACTS + THINGS + MAX_CAST + 2;

/// The values of ground facts: 0 or 1, the number's value, and the object that `v` is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct State {
    values: [i8; MAX_ATOMS],
    pub time: u32,
}

/// A ground fact with its old and its new value.
pub type Changed = (Atom, i32, i32);

/// The index of a ground fact, in their order.
fn place(atom: Atom) -> usize {
    match atom {
        Atom::Plain(fact) => fact,
        Atom::Of(object) => FACTS + object,
        Atom::Number => MAX_ATOMS - 2,
        Atom::Held => MAX_ATOMS - 1,
    }
}

fn atoms() -> impl Iterator<Item = Atom> {
    let of = (0..THINGS + MAX_CAST).map(Atom::Of);
    let plain = (0..FACTS).map(Atom::Plain);
    plain.chain(of).chain([Atom::Number, Atom::Held])
}

impl State {
    pub fn new(values: &[(Atom, i32)]) -> Self {
        let mut state = Self::default();
        for (atom, value) in values {
            state.set(*atom, *value);
        }
        state
    }

    /// Creates a state in which no fact has a value, at a tick.
    pub fn at(time: u32) -> Self {
        Self {
            time,
            ..Self::default()
        }
    }

    /// Returns `true` if the values are equal, at any ticks.
    pub fn timeless(self) -> Self {
        Self { time: 0, ..self }
    }

    pub fn value(&self, atom: Atom) -> i32 {
        i32::from(self.values[place(atom)])
    }

    pub fn set(&mut self, atom: Atom, value: i32) {
        self.values[place(atom)] = value as i8;
    }

    /// Returns everything that is not 0, in the order of ground facts.
    pub fn values(&self) -> Vec<(Atom, i32)> {
        let values = atoms().map(|atom| (atom, self.value(atom)));
        values.filter(|(_, value)| *value != 0).collect()
    }

    /// Returns the object that an argument stands for; `None` if `v` is undefined.
    pub fn object(&self, arg: Arg, env: Env) -> Option<Object> {
        let object = match arg {
            Arg::Object(object) => Some(object),
            Arg::Param => env.param,
            Arg::Found => env.found,
            Arg::Me => env.me,
            Arg::Held => return (self.value(Atom::Held) as usize).checked_sub(1),
        };
        Some(object.expect("a value"))
    }

    /// Returns the state as initial values.
    pub fn written(&self) -> Vec<String> {
        self.values().into_iter().map(written::value).collect()
    }

    pub fn holds(&self, test: Test, env: Env) -> bool {
        match test {
            Test::Plain(fact, is) => (self.value(Atom::Plain(fact)) != 0) == is,
            Test::Of(of, is) => {
                let object = self.object(of, env);
                object.is_some_and(|object| self.value(Atom::Of(object)) != 0) == is
            }
            Test::AtLeast(k, is) => (self.value(Atom::Number) >= k) == is,
            Test::Late(k, is) => (self.time as i32 >= k) == is,
            Test::Near(arg) => {
                let both = self.object(arg, env).zip(env.found);
                both.is_some_and(|(from, to)| is_near(from, to))
            }
            Test::Holds(arg, is) => {
                let (held, object) = (self.object(Arg::Held, env), self.object(arg, env));
                (held.is_some() && held == object) == is
            }
        }
    }

    /// Returns the ground facts that a test reads.
    pub fn read(&self, test: Test, env: Env) -> Vec<Atom> {
        match test {
            Test::Plain(fact, _) => vec![Atom::Plain(fact)],
            Test::Late(..) | Test::Near(_) => vec![],
            Test::AtLeast(..) => vec![Atom::Number],
            Test::Holds(..) => vec![Atom::Held],
            Test::Of(arg, _) => {
                let held = matches!(arg, Arg::Held).then_some(Atom::Held);
                let of = self.object(arg, env).map(Atom::Of);
                held.into_iter().chain(of).collect()
            }
        }
    }

    /// Returns the first of some rules that is false.
    pub fn first_broken(&self, rules: &[Test], env: Env) -> Option<Test> {
        rules.iter().copied().find(|rule| !self.holds(*rule, env))
    }

    /// Returns the same in words, with the values that the rule reads, if it does not contain them.
    pub fn broken(&self, rules: &[Test], env: Env) -> Option<String> {
        let rule = self.first_broken(rules, env)?;
        // Variables are printed as their objects.
        let ground = |arg: Arg| match arg {
            Arg::Param | Arg::Found => Arg::Object(self.object(arg, env).expect("a value")),
            Arg::Object(_) | Arg::Me | Arg::Held => arg,
        };
        let (text, says) = match rule {
            Test::Plain(..) => (written::test(rule), true),
            Test::Late(..) => {
                return Some(format!("{} (time is {})", written::test(rule), self.time));
            }
            Test::AtLeast(..) => (written::test(rule), false),
            Test::Near(_) => unreachable!("only a Bind reads it"),
            Test::Of(arg, is) => (
                written::test(Test::Of(ground(arg), is)),
                !matches!(arg, Arg::Me | Arg::Held),
            ),
            Test::Holds(arg, is) => (written::test(Test::Holds(ground(arg), is)), false),
        };
        let is = |atom: Atom| format!("{} is {}", written::atom(atom), self.describe(atom));
        let read: Vec<String> = self.read(rule, env).into_iter().map(is).collect();
        Some(match says {
            true => text,
            false => format!("{text} ({})", read.join(", ")),
        })
    }

    /// Returns a value in words.
    fn describe(&self, atom: Atom) -> String {
        let value = self.value(atom);
        match atom {
            Atom::Plain(_) | Atom::Of(_) => (value != 0).to_string(),
            Atom::Number => value.to_string(),
            Atom::Held => {
                let held = self.object(Arg::Held, Env::default());
                held.map_or("none".to_owned(), written::object)
            }
        }
    }

    /// Returns the values that some changes write; `None` if the number leaves its range, or a
    /// written value is undefined.
    pub fn writes(&self, changes: &[Change], env: Env) -> Option<Vec<(Atom, i32)>> {
        let mut written = BTreeMap::new();
        // Unsetting changes come before setting ones.
        for sets in [false, true] {
            for change in changes {
                match *change {
                    Change::Plain(fact, is) if is == sets => {
                        written.insert(Atom::Plain(fact), i32::from(is));
                    }
                    Change::Of(arg, is) if is == sets => {
                        written.insert(Atom::Of(self.object(arg, env)?), i32::from(is));
                    }
                    Change::Add(n) if sets => {
                        written.insert(Atom::Number, self.value(Atom::Number) + n);
                    }
                    Change::Hold(arg) if sets => {
                        let object = self.object(arg, env)?;
                        written.insert(Atom::Held, object as i32 + 1);
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

    /// Returns the differences in another state, in the order of ground facts.
    pub fn changes_to(&self, other: &Self) -> Vec<Changed> {
        let changed = atoms().map(|atom| (atom, self.value(atom), other.value(atom)));
        changed
            .filter(|(_, before, after)| before != after)
            .collect()
    }
}
