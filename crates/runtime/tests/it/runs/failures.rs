//! The facts that a task reads and changes in any state, and the retrying of failed tasks.

use super::interpreter::Character;
use super::model::{Arg, Atom, Change, Domain, Method, Object, PRIMITIVES, Score, Test};

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
        Test::Late(..) | Test::Near(_) => vec![],
    }
}

/// Returns what a task reads, and what it changes.
pub fn touched(
    domain: &Domain,
    me: Option<Object>,
    (task, object): (usize, Object),
) -> (Vec<Touch>, Vec<Touch>) {
    let bound = |arg: Arg| match arg {
        Arg::Object(object) => Some(object),
        Arg::Param => Some(object),
        Arg::Me => me,
        Arg::Found | Arg::Held => None,
    };
    touched_by(domain, &bound, task)
}

fn touched_by(domain: &Domain, bound: Bound, task: usize) -> (Vec<Touch>, Vec<Touch>) {
    let task = &domain.primitives[task];
    let rules = [&task.pre, &task.integrity, &task.done];
    let mut reads: Vec<Touch> = rules
        .into_iter()
        .flatten()
        .flat_map(|t| read(*t, bound))
        .collect();
    let mut changes = vec![];
    if task.claims.contains(&Arg::Held) {
        reads.push(Touch::Atom(Atom::Held));
    }
    if task.depends {
        reads.push(Touch::Atom(Atom::Number));
    }
    for effect in &task.effects {
        reads.extend(effect.when.iter().flat_map(|when| read(*when, bound)));
        changes.push(match effect.change {
            Change::Plain(fact, _) => Touch::Atom(Atom::Plain(fact)),
            Change::Of(Arg::Held, _) => {
                reads.push(Touch::Atom(Atom::Held));
                Touch::OfAny
            }
            Change::Of(arg, _) => of(arg, bound),
            Change::Add(_) => Touch::Atom(Atom::Number),
            Change::Hold(_) => Touch::Atom(Atom::Held),
        });
    }
    (reads, changes)
}

/// Returns what a task, and every task that it may lead to, reads or changes; `None` as its object stands
/// for any.
fn touched_below(
    domain: &Domain,
    (character, me): (usize, Option<Object>),
    of: (usize, Option<Object>),
) -> Vec<Touch> {
    let mut touched: Vec<Touch> = vec![];
    let mut seen = vec![];
    let mut open = vec![of];
    while let Some((task, param)) = open.pop() {
        if seen.contains(&(task, param)) {
            continue;
        }
        seen.push((task, param));
        let bound = |arg: Arg| match arg {
            Arg::Object(object) => Some(object),
            Arg::Param => param,
            Arg::Me => me,
            Arg::Found | Arg::Held => None,
        };
        let Some(compound) = task.checked_sub(PRIMITIVES) else {
            let (reads, changes) = touched_by(domain, &bound, task);
            touched.extend(reads.into_iter().chain(changes));
            continue;
        };
        let compound = &domain.compounds[compound];
        let mut tests: Vec<Test> =
            [&compound.pre[..], &compound.goal, &compound.integrity].concat();
        let mut calls = vec![];
        if !compound.goal.is_empty() {
            let all = (0..PRIMITIVES).filter(|task| domain.may_use(character, *task));
            open.extend(all.map(|task| (task, None)));
        }
        match &compound.method {
            Method::Sequence(own) | Method::Unordered(own) => calls.extend(own),
            Method::Branch(test, yes, no) => {
                tests.push(*test);
                calls.extend(yes.iter().chain(no));
            }
            Method::While(test, call) => {
                tests.push(*test);
                calls.push(*call);
            }
            Method::Bind(all, own) => {
                tests.extend(all);
                calls.extend(own);
            }
            Method::Choice(_, ways) => {
                for one in ways {
                    tests.extend(one.guard);
                    calls.extend(&one.calls);
                    match one.score {
                        Some(Score::Number) => touched.push(Touch::Atom(Atom::Number)),
                        Some(Score::Count) => touched.push(Touch::OfAny),
                        Some(Score::Is(_)) | None => {}
                    }
                }
            }
        }
        touched.extend(tests.into_iter().flat_map(|test| read(test, &bound)));
        for (task, arg) in calls {
            if arg == Arg::Held {
                touched.push(Touch::Atom(Atom::Held));
            }
            open.push((task, bound(arg)));
        }
    }
    touched
}

/// Allows retrying failed tasks after a change of a character's beliefs.
pub fn clear_excluded(domain: &Domain, one: &mut Character, changed: &[Atom]) {
    let (number, me) = (one.number, one.me);
    one.excluded.retain(|(task, _)| {
        let (reads, changes) = touched(domain, me, *task);
        let mut touched = reads.into_iter().chain(changes);
        !touched.any(|touch| changed.iter().any(|atom| touch.meets(Touch::Atom(*atom))))
    });
    let before = one.given_up.len();
    one.given_up.retain(|(task, object)| {
        let touched = touched_below(domain, (number, me), (*task, Some(*object)));
        let is_changed = |touch: &Touch| changed.iter().any(|atom| touch.meets(Touch::Atom(*atom)));
        !touched.iter().any(is_changed)
    });
    one.resumed += before - one.given_up.len();
}
