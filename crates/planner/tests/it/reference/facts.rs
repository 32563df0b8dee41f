//! The meaning of tests and effects of random domains.

use std::collections::{BTreeMap, BTreeSet};
use testkit::networks::{Arg, Primitive, Test};

/// The facts that are true, with their objects, and the number.
pub type State = (BTreeSet<(u8, Option<u8>)>, i8);

/// The parameter's object, and those of the visible Bind blocks.
pub type Env = (u8, BTreeMap<usize, u8>);

pub fn object(arg: Arg, env: &Env) -> Option<u8> {
    match arg {
        Arg::Object(object) => Some(object),
        Arg::Param => Some(env.0),
        Arg::Bound(block) => env.1.get(&block).copied(),
    }
}

/// Returns the fact of a test, and the value that it requires.
pub fn atom(test: Test, env: &Env) -> Option<((u8, Option<u8>), bool)> {
    match test {
        Test::Plain(fact, is) => Some(((fact, None), is)),
        Test::Of(fact, arg, is) => Some(((fact, Some(object(arg, env)?)), is)),
        Test::AtLeast(..) => None,
    }
}

/// Returns `None` if a variable is undefined.
pub fn holds(test: Test, (facts, n): &State, env: &Env) -> Option<bool> {
    match test {
        Test::AtLeast(k, is) => Some((*n >= k as i8) == is),
        _ => atom(test, env).map(|(atom, is)| facts.contains(&atom) == is),
    }
}

pub fn all_hold(tests: &[Test], state: &State, env: &Env) -> bool {
    tests.iter().all(|t| holds(*t, state, env) == Some(true))
}

/// Applies deletes before adds. Returns `None` if the number leaves its range.
pub fn after(task: &Primitive, (facts, n): &State, env: &Env) -> Option<State> {
    let mut facts = facts.clone();
    let effects: Vec<_> = task.effects.iter().filter_map(|e| atom(*e, env)).collect();
    facts.retain(|fact| !effects.contains(&(*fact, false)));
    facts.extend(effects.iter().filter(|(_, is)| *is).map(|(atom, _)| *atom));
    let n = n + task.adds;
    (0..=3).contains(&n).then_some((facts, n))
}
