//! Finding the objects for a rule's variables: its conditions are put in an order
//! in which each one narrows most what is still open, and worked off one by one,
//! by index, with a cursor for each so that the next answer can be asked for.

use smallvec::SmallVec;

use super::facts::Facts;
use super::model::{Arg, Atom, Cond, Model};

/// A variable without an object.
pub const UNBOUND: u32 = u32::MAX;

/// A condition whose variables are all bound when it is looked at.
#[derive(Debug)]
pub enum Test {
    Atom(Atom, bool),
    Same(Arg, Arg, bool),
    All(Vec<Test>),
    Any(Vec<Test>),
    /// `Every` (true) or `Some` (false): variable, type, which atoms say for which
    /// objects the body has to be looked at, body.
    Quantified(bool, u32, u32, Option<Driver>, Box<Test>),
}

/// The atoms that matter to a quantified body: for `Some` it can hold only where
/// one of them is true, for `Every` it can fail only there.
#[derive(Debug)]
pub struct Driver {
    index: u32,
    key: Box<[Arg]>,
    /// The place in the atom where the variable stands.
    place: u8,
}

/// A step of a join.
#[derive(Debug)]
enum Step {
    /// Atoms of an index; which of their objects go to which variables, and which
    /// have to be those of variables bound by this very atom.
    Match {
        index: u32,
        key: Box<[Arg]>,
        bind: Box<[(u8, u32)]>,
        same: Box<[(u8, u32)]>,
    },
    /// Objects of a variable's type.
    Each { variable: u32 },
    /// A condition.
    Test(Test),
}

/// The conditions of a rule in the order in which they are worked off.
#[derive(Debug)]
pub struct Join {
    steps: Vec<Step>,
    /// Types of the variables to be bound.
    types: Box<[u32]>,
    /// How many variables there are, with those of quantifiers.
    pub frame: u32,
}

/// What of a model the joins read while they run.
#[derive(Debug)]
pub struct Types {
    lists: Vec<Vec<u32>>,
    /// A bit for each object and type; none where every object is of the type.
    members: Vec<Option<Box<[u64]>>>,
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
        }
    }

    pub fn has(&self, of: u32, object: u32) -> bool {
        let Some(bits) = &self.members[of as usize] else {
            return true;
        };
        let word = bits.get(object as usize / 64);
        word.is_some_and(|word| word >> (object % 64) & 1 == 1)
    }
}

/// Reads an argument.
pub fn object(arg: Arg, slots: &[u32]) -> u32 {
    match arg {
        Arg::Object(object) => object,
        Arg::Variable(variable) => slots[variable as usize],
    }
}

fn tuple(atom: &Atom, slots: &[u32]) -> SmallVec<[u32; 8]> {
    let objects = atom.args.iter().map(|arg| object(*arg, slots));
    std::iter::once(atom.predicate).chain(objects).collect()
}

/// Whether every variable of a condition is bound, or one of its own.
fn is_bound(cond: &Cond, bound: &mut Vec<bool>) -> bool {
    let arg = |arg: &Arg, bound: &[bool]| match arg {
        Arg::Object(_) => true,
        Arg::Variable(variable) => bound[*variable as usize],
    };
    match cond {
        Cond::Atom(atom, _) => atom.args.iter().all(|a| arg(a, bound)),
        Cond::Same(a, b, _) => arg(a, bound) && arg(b, bound),
        Cond::All(parts) | Cond::Any(parts) => parts.iter().all(|part| is_bound(part, bound)),
        Cond::Every(variable, _, body) | Cond::Some(variable, _, body) => {
            bound[*variable as usize] = true;
            let answer = is_bound(body, bound);
            bound[*variable as usize] = false;
            answer
        }
    }
}

/// Makes tests of conditions, with drivers for their quantifiers.
pub fn test(cond: &Cond, bound: &mut Vec<bool>, facts: &mut Facts) -> Test {
    match cond {
        Cond::Atom(atom, value) => Test::Atom(atom.clone(), *value),
        Cond::Same(a, b, value) => Test::Same(*a, *b, *value),
        Cond::All(parts) => Test::All(parts.iter().map(|p| test(p, bound, facts)).collect()),
        Cond::Any(parts) => Test::Any(parts.iter().map(|p| test(p, bound, facts)).collect()),
        Cond::Every(variable, of, body) | Cond::Some(variable, of, body) => {
            let every = matches!(cond, Cond::Every(..));
            let driver = driver(*variable, body, !every, bound, facts);
            bound[*variable as usize] = true;
            let body = Box::new(test(body, bound, facts));
            bound[*variable as usize] = false;
            Test::Quantified(every, *variable, *of, driver, body)
        }
    }
}

/// An atom with the variable in it that stands in every way to make the body true
/// (`value`), or whose opposite stands in every way to make it false.
fn driver(
    variable: u32,
    body: &Cond,
    value: bool,
    bound: &[bool],
    facts: &mut Facts,
) -> Option<Driver> {
    match body {
        Cond::Atom(atom, positive) if *positive == value => {
            let place = atom
                .args
                .iter()
                .position(|a| *a == Arg::Variable(variable))?;
            let (mut places, mut key) = (vec![], vec![]);
            for (n, arg) in (0u8..).zip(&atom.args) {
                let known = match arg {
                    Arg::Object(_) => true,
                    Arg::Variable(v) => bound[*v as usize],
                };
                if known {
                    places.push(n);
                    key.push(*arg);
                }
            }
            Some(Driver {
                index: facts.index(atom.predicate, &places),
                key: key.into(),
                place: place as u8,
            })
        }
        Cond::All(parts) if value => {
            let mut parts = parts.iter();
            parts.find_map(|p| driver(variable, p, value, bound, facts))
        }
        Cond::Any(parts) if !value => {
            let mut parts = parts.iter();
            parts.find_map(|p| driver(variable, p, value, bound, facts))
        }
        Cond::Every(_, _, body) if !value => driver(variable, body, value, bound, facts),
        Cond::Some(_, _, body) if value => driver(variable, body, value, bound, facts),
        _ => None,
    }
}

impl Test {
    /// Whether it holds. The recursion is as deep as the condition.
    pub fn holds(&self, facts: &Facts, types: &Types, slots: &mut [u32]) -> bool {
        match self {
            Self::Atom(atom, value) => facts.holds(&tuple(atom, slots)) == *value,
            Self::Same(a, b, value) => (object(*a, slots) == object(*b, slots)) == *value,
            Self::All(parts) => parts.iter().all(|p| p.holds(facts, types, slots)),
            Self::Any(parts) => parts.iter().any(|p| p.holds(facts, types, slots)),
            Self::Quantified(every, variable, of, driver, body) => {
                let mut breaks = |o: u32| {
                    slots[*variable as usize] = o;
                    body.holds(facts, types, slots) != *every
                };
                let found = match driver {
                    None => types.lists[*of as usize].iter().any(|o| breaks(*o)),
                    Some(driver) => {
                        let key = driver.key.iter();
                        let key: SmallVec<[u32; 8]> = key.map(|a| object(*a, slots)).collect();
                        let list = facts.list(driver.index, &key);
                        list.iter().any(|atom| {
                            let o = facts.atom(*atom)[driver.place as usize + 1];
                            facts.is_true(*atom) && types.has(*of, o) && {
                                slots[*variable as usize] = o;
                                body.holds(facts, types, slots) != *every
                            }
                        })
                    }
                };
                found != *every
            }
        }
    }
}

impl Join {
    /// Orders the conditions of a rule. `bound` says how many of its variables,
    /// the first ones, are known before.
    pub fn new(
        conditions: &[Cond],
        variables: &[u32],
        frame: u32,
        known: usize,
        model: &Model,
        facts: &mut Facts,
    ) -> Self {
        let mut bound = vec![false; frame.max(variables.len() as u32) as usize];
        bound[..known].fill(true);
        let mut open: Vec<&Cond> = conditions.iter().collect();
        let mut steps = vec![];
        loop {
            // What can be looked at narrows for nothing: that comes first, and of
            // it the cheap before the quantified.
            let mut ready: Vec<&Cond> = vec![];
            open.retain(|cond| {
                let now = is_bound(cond, &mut bound);
                if now {
                    ready.push(cond);
                }
                !now
            });
            ready.sort_by_key(|cond| !matches!(cond, Cond::Atom(..) | Cond::Same(..)));
            for cond in ready {
                steps.push(Step::Test(test(cond, &mut bound, facts)));
            }
            if let Some(step) = next_match(&mut open, variables, &mut bound, facts) {
                steps.push(step);
                continue;
            }
            // Nothing binds what is left: go through the objects of a type, the
            // smallest one first that some condition waits for.
            let unbound = (known..variables.len()).filter(|v| !bound[*v]);
            let waiting = |v: usize| open.iter().any(|cond| mentions(cond, v as u32));
            let next = unbound.min_by_key(|v| {
                let objects = model.types[variables[*v] as usize].len();
                (!waiting(*v), objects)
            });
            let Some(variable) = next else {
                break;
            };
            bound[variable] = true;
            steps.push(Step::Each {
                variable: variable as u32,
            });
        }
        Self {
            steps,
            types: variables.into(),
            frame,
        }
    }

    /// Every tuple of objects of some variables.
    pub fn over(variables: &[(u32, u32)], frame: u32) -> Self {
        let mut types = vec![0; frame as usize];
        for (variable, of) in variables {
            types[*variable as usize] = *of;
        }
        let variables = variables.iter().map(|(variable, _)| *variable);
        Self {
            steps: variables.map(|variable| Step::Each { variable }).collect(),
            types: types.into(),
            frame,
        }
    }

    /// How many cursors it needs.
    pub fn cursors(&self) -> usize {
        self.steps.len()
    }

    #[allow(
        clippy::too_many_arguments,
        reason = "the borrows are of one search's parts"
    )]
    /// Finds the next answer. `slots` has the known variables' objects, and those
    /// of the last answer; `cursors` is where the last answer stood, or all 0 and
    /// `fresh` for the first. `start` turns the lists, so that restarts see them
    /// in another order. Work is counted.
    pub fn next(
        &self,
        facts: &Facts,
        types: &Types,
        slots: &mut [u32],
        cursors: &mut [u32],
        fresh: bool,
        turn: u32,
        work: &mut u64,
    ) -> bool {
        let mut step = 0;
        if !fresh {
            // Go back to the last step that has a choice.
            match self.last_choice(self.steps.len()) {
                Some(last) => step = last,
                None => return false,
            }
        }
        while let Some(current) = self.steps.get(step) {
            *work += 1;
            let found = match current {
                Step::Test(test) => test.holds(facts, types, slots),
                Step::Each { variable } => {
                    let list = &types.lists[self.types[*variable as usize] as usize];
                    let cursor = &mut cursors[step];
                    let found = list.get(turned(*cursor, turn, list.len()));
                    let found = found.filter(|_| (*cursor as usize) < list.len());
                    *cursor += 1;
                    if let Some(object) = found {
                        slots[*variable as usize] = *object;
                    }
                    found.is_some()
                }
                Step::Match {
                    index,
                    key,
                    bind,
                    same,
                } => {
                    let key: SmallVec<[u32; 8]> = key.iter().map(|a| object(*a, slots)).collect();
                    let list = facts.list(*index, &key);
                    let cursor = &mut cursors[step];
                    let mut found = false;
                    while !found && (*cursor as usize) < list.len() {
                        *work += 1;
                        let number = list[turned(*cursor, turn, list.len())];
                        *cursor += 1;
                        if !facts.is_true(number) {
                            continue;
                        }
                        let atom = facts.atom(number);
                        found = bind.iter().all(|(place, variable)| {
                            let o = atom[*place as usize + 1];
                            slots[*variable as usize] = o;
                            types.has(self.types[*variable as usize], o)
                        }) && same.iter().all(|(place, variable)| {
                            atom[*place as usize + 1] == slots[*variable as usize]
                        });
                    }
                    found
                }
            };
            if found {
                step += 1;
                if let Some(cursor) = cursors.get_mut(step) {
                    *cursor = 0;
                }
                continue;
            }
            match self.last_choice(step) {
                Some(last) => step = last,
                None => return false,
            }
        }
        true
    }

    fn last_choice(&self, before: usize) -> Option<usize> {
        let mut steps = self.steps[..before].iter();
        steps.rposition(|s| !matches!(s, Step::Test(_)))
    }
}

/// A position in a list that is read from another start. Lists grow at their ends
/// between two looks, so only a list's power of two is turned.
fn turned(cursor: u32, turn: u32, len: usize) -> usize {
    let cursor = cursor as usize;
    if turn == 0 || len < 2 || cursor >= len {
        return cursor;
    }
    let half = 1usize << (usize::BITS - 1 - len.leading_zeros());
    match cursor < half {
        true => (cursor.wrapping_mul(2 * (turn as usize >> 8) + 1) + turn as usize) % half,
        false => cursor,
    }
}

fn mentions(cond: &Cond, variable: u32) -> bool {
    let is = |arg: &Arg| *arg == Arg::Variable(variable);
    match cond {
        Cond::Atom(atom, _) => atom.args.iter().any(is),
        Cond::Same(a, b, _) => is(a) || is(b),
        Cond::All(parts) | Cond::Any(parts) => parts.iter().any(|p| mentions(p, variable)),
        Cond::Every(_, _, body) | Cond::Some(_, _, body) => mentions(body, variable),
    }
}

/// Takes the positive atom that is expected to match least often.
fn next_match(
    open: &mut Vec<&Cond>,
    variables: &[u32],
    bound: &mut [bool],
    facts: &mut Facts,
) -> Option<Step> {
    let mut best: Option<(f64, usize, u32)> = None;
    for (n, cond) in open.iter().enumerate() {
        let Cond::Atom(atom, true) = cond else {
            continue;
        };
        let places = known_places(atom, bound);
        let index = facts.index(atom.predicate, &places);
        let (lists, atoms) = facts.size(index);
        // A predicate that is empty at first may fill up: take it for not small.
        let expected = match lists {
            0 => 4.0,
            lists => atoms as f64 / lists as f64,
        };
        if best.is_none_or(|(least, ..)| expected < least) {
            best = Some((expected, n, index));
        }
    }
    let (_, n, index) = best?;
    let Cond::Atom(atom, _) = open.remove(n) else {
        return None;
    };
    let places = known_places(atom, bound);
    let key = places.iter().map(|p| atom.args[*p as usize]).collect();
    let (mut bind, mut same) = (vec![], vec![]);
    for (place, arg) in (0u8..).zip(&atom.args) {
        if let (false, Arg::Variable(variable)) = (places.contains(&place), *arg) {
            match bind.iter().any(|(_, v)| *v == variable) {
                true => same.push((place, variable)),
                false => bind.push((place, variable)),
            }
        }
    }
    for (_, variable) in &bind {
        bound[*variable as usize] = true;
    }
    debug_assert!(bind.iter().all(|(_, v)| (*v as usize) < variables.len()));
    Some(Step::Match {
        index,
        key,
        bind: bind.into(),
        same: same.into(),
    })
}

fn known_places(atom: &Atom, bound: &[bool]) -> Vec<u8> {
    let places = (0u8..).zip(&atom.args);
    let known = places.filter(|(_, arg)| match arg {
        Arg::Object(_) => true,
        Arg::Variable(variable) => bound[*variable as usize],
    });
    known.map(|(place, _)| place).collect()
}
