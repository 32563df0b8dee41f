//! What the tests and effects of random domains mean.

use std::collections::{BTreeMap, BTreeSet};

use super::random::{Arg, Primitive, Test};

/// What holds, with the object that it is about, and the number.
pub type State = (BTreeSet<(u8, Option<u8>)>, i8);

/// The parameter's object, and those of the Bind blocks that can be seen.
pub type Env = (u8, BTreeMap<usize, u8>);

pub fn object(arg: Arg, env: &Env) -> Option<u8> {
    match arg {
        Arg::Object(object) => Some(object),
        Arg::Param => Some(env.0),
        Arg::Bound(block) => env.1.get(&block).copied(),
    }
}

/// What a test is about, and whether it is to hold.
pub fn atom(test: Test, env: &Env) -> Option<((u8, Option<u8>), bool)> {
    match test {
        Test::Plain(fact, is) => Some(((fact, None), is)),
        Test::Of(fact, arg, is) => Some(((fact, Some(object(arg, env)?)), is)),
        Test::AtLeast(..) => None,
    }
}

/// Nothing where a variable has no value.
pub fn holds(test: Test, (facts, n): &State, env: &Env) -> Option<bool> {
    match test {
        Test::AtLeast(k, is) => Some((*n >= k as i8) == is),
        _ => atom(test, env).map(|(atom, is)| facts.contains(&atom) == is),
    }
}

pub fn all_hold(tests: &[Test], state: &State, env: &Env) -> bool {
    tests.iter().all(|t| holds(*t, state, env) == Some(true))
}

/// Deletes come before adds. Nothing where the number leaves its range.
pub fn after(task: &Primitive, (facts, n): &State, env: &Env) -> Option<State> {
    let mut facts = facts.clone();
    let effects: Vec<_> = task.effects.iter().filter_map(|e| atom(*e, env)).collect();
    facts.retain(|fact| !effects.contains(&(*fact, false)));
    facts.extend(effects.iter().filter(|(_, is)| *is).map(|(atom, _)| *atom));
    let n = n + task.adds;
    (0..=3).contains(&n).then_some((facts, n))
}
