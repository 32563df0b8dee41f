//! The facts that a task reads and changes in any state, and the retrying of failed tasks.

use super::interpreter::Character;
use super::model::{Arg, Atom, Change, Domain, Object, Test};

/// Ground facts; `None` stands for any object.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Touch {
    Atom(Atom),
    OfAny,
}

impl Touch {
    /// Returns `true` if both may be the same ground fact.
    pub fn meets(self, other: Self) -> bool {
        match (self, other) {
            (Self::OfAny, Self::OfAny) => true,
            (Self::OfAny, Self::Atom(atom)) | (Self::Atom(atom), Self::OfAny) => {
                matches!(atom, Atom::Of(_))
            }
            (Self::Atom(a), Self::Atom(b)) => a == b,
        }
    }
}

/// Returns the object that an argument stands for; `None` if it depends on the state, or may be any
/// object.
pub type Bound<'b> = &'b dyn Fn(Arg) -> Option<Object>;

fn of(arg: Arg, bound: Bound) -> Touch {
    bound(arg).map_or(Touch::OfAny, |object| Touch::Atom(Atom::Of(object)))
}

/// Returns what a test reads.
pub fn read(test: Test, bound: Bound) -> Vec<Touch> {
    match test {
        Test::Plain(fact, _) => vec![Touch::Atom(Atom::Plain(fact))],
        Test::Of(Arg::Held, _) => vec![Touch::Atom(Atom::Held), Touch::OfAny],
        Test::Of(arg, _) => vec![of(arg, bound)],
        Test::AtLeast(..) => vec![Touch::Atom(Atom::Number)],
        Test::Holds(..) => vec![Touch::Atom(Atom::Held)],
        Test::Late(..) => vec![],
    }
}

/// Returns what a task reads, and what it changes.
pub fn touched(
    domain: &Domain,
    me: Option<Object>,
    (task, object): (usize, Object),
) -> (Vec<Touch>, Vec<Touch>) {
    let task = &domain.primitives[task];
    let bound = |arg: Arg| match arg {
        Arg::Object(object) => Some(object),
        Arg::Param => Some(object),
        Arg::Me => me,
        Arg::Found | Arg::Held => None,
    };
    let rules = [&task.pre, &task.integrity, &task.done];
    let mut reads: Vec<Touch> = rules
        .into_iter()
        .flatten()
        .flat_map(|t| read(*t, &bound))
        .collect();
    let mut changes = vec![];
    if task.claims.contains(&Arg::Held) {
        reads.push(Touch::Atom(Atom::Held));
    }
    if task.depends {
        reads.push(Touch::Atom(Atom::Number));
    }
    for effect in &task.effects {
        reads.extend(effect.when.iter().flat_map(|when| read(*when, &bound)));
        changes.push(match effect.change {
            Change::Plain(fact, _) => Touch::Atom(Atom::Plain(fact)),
            Change::Of(Arg::Held, _) => {
                reads.push(Touch::Atom(Atom::Held));
                Touch::OfAny
            }
            Change::Of(arg, _) => of(arg, &bound),
            Change::Add(_) => Touch::Atom(Atom::Number),
            Change::Hold(_) => Touch::Atom(Atom::Held),
        });
    }
    (reads, changes)
}

/// Allows retrying failed tasks after a change of a character's beliefs.
pub fn clear_excluded(domain: &Domain, one: &mut Character, changed: &[Atom]) {
    let me = one.me;
    one.excluded.retain(|(task, _)| {
        let (reads, changes) = touched(domain, me, *task);
        let mut touched = reads.into_iter().chain(changes);
        !touched.any(|touch| changed.iter().any(|atom| touch.meets(Touch::Atom(*atom))))
    });
}
