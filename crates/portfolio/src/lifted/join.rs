//! Finds objects for a rule's variables. Conditions are evaluated one by one, by index, in an order
//! in which each one narrows the remaining candidates most, with a cursor for each so that the
//! search for the next result can be resumed.

use smallvec::SmallVec;

use super::condition::{Arg, Condition};
use super::evaluation::{Types, known_places};
use super::facts::Facts;
use super::model::Model;

/// A variable without an object.
pub const UNBOUND: u32 = u32::MAX;

/// A step of a join.
#[derive(Debug)]
enum Step {
    /// Iterates over matching atoms.
    Match(Pattern),
    /// Iterates over the objects of a variable's type.
    Each { variable: u32 },
    /// Assigns a variable the only possible object.
    Assign { variable: u32, from: Arg },
    /// Tests a condition.
    Test(Condition),
}

/// The atoms of an index: which of their objects are assigned to which variables, and which must
/// equal variables bound by the same atom.
#[derive(Debug)]
struct Pattern {
    index: u32,
    key: Box<[Arg]>,
    bind: Box<[(u8, u32)]>,
    same: Box<[(u8, u32)]>,
}

/// The input and position of a join.
#[derive(Debug)]
pub struct Run<'a> {
    pub facts: &'a Facts,
    pub types: &'a Types,
    /// The objects of the known variables, and those of the last result.
    pub slots: &'a mut [u32],
    /// The position within each step, followed by the next step; all 0 initially.
    pub cursors: &'a mut [u32],
    /// Rotates the lists, so that restarts see them in a different order.
    pub turn: u32,
    /// The work counter.
    pub work: &'a mut u64,
    /// The amount of work at which the join pauses.
    pub pause_at: u64,
}

/// The outcome of searching for a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JoinResult {
    /// The variables have the objects of the next result.
    Found,
    /// There are no more results.
    Nothing,
    /// The work limit was reached.
    Paused,
}

/// The conditions of a rule in the order of evaluation.
#[derive(Debug)]
pub struct Join {
    steps: Vec<Step>,
    /// The types of the variables to be bound.
    types: Box<[u32]>,
    /// The number of variables, including those of quantifiers.
    pub frame: u32,
}

impl Join {
    /// Orders the conditions of a rule. The first `known` variables are bound beforehand.
    pub fn new(
        conditions: &[Condition],
        variables: &[u32],
        frame: u32,
        known: usize,
        model: &Model,
        facts: &mut Facts,
    ) -> Self {
        let mut bound = vec![false; frame.max(variables.len() as u32) as usize];
        bound[..known].fill(true);
        let mut open: Vec<&Condition> = conditions.iter().collect();
        let mut steps = vec![];
        loop {
            // Conditions that are fully bound narrow for free: they come first, the cheap ones
            // before the quantified ones.
            let mut ready: Vec<&Condition> = vec![];
            open.retain(|cond| {
                let now = cond.is_bound(&bound);
                if now {
                    ready.push(cond);
                }
                !now
            });
            ready.sort_by_key(|cond| !matches!(cond, Condition::Atom(..) | Condition::Same(..)));
            for cond in ready {
                steps.push(Step::Test(cond.indexed(&mut bound, facts)));
            }
            if let Some(step) = next_assignment(&mut open, &mut bound) {
                steps.push(step);
                continue;
            }
            if let Some(step) = next_match(&mut open, variables, &mut bound, facts) {
                steps.push(step);
                continue;
            }
            // Nothing else binds the rest: enumerate the objects of a type, preferably for a
            // variable that a condition needs, the smallest type first.
            let unbound = (known..variables.len()).filter(|v| !bound[*v]);
            let waiting = |v: usize| open.iter().any(|cond| cond.mentions(v as u32));
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

    /// Creates a join over every tuple of objects of some variables.
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

    /// Returns the number of cursors that it needs.
    pub fn cursors(&self) -> usize {
        self.steps.len() + 1
    }

    /// Finds the next result.
    pub fn next(&self, run: &mut Run<'_>) -> JoinResult {
        let count = self.steps.len();
        let mut step = run.cursors[count] as usize;
        if step > count {
            // Backtrack to the last step with a choice.
            match self.last_choice(count) {
                Some(last) => step = last,
                None => return JoinResult::Nothing,
            }
        }
        // Always makes some progress, whatever the work so far.
        let mut may_pause = false;
        while let Some(current) = self.steps.get(step) {
            if may_pause && *run.work >= run.pause_at {
                run.cursors[count] = step as u32;
                return JoinResult::Paused;
            }
            may_pause = true;
            if run.types.stop.after(1) {
                return JoinResult::Nothing;
            }
            *run.work += 1;
            let found = match current {
                Step::Test(test) => test.holds(run.facts, run.types, run.slots),
                Step::Each { variable } => self.next_object(*variable, step, run),
                Step::Assign { variable, from } => {
                    let object = from.object(run.slots);
                    run.slots[*variable as usize] = object;
                    run.types.has(self.types[*variable as usize], object)
                }
                Step::Match(pattern) => match self.next_atom(pattern, step, run) {
                    JoinResult::Paused => {
                        run.cursors[count] = step as u32;
                        return JoinResult::Paused;
                    }
                    result => result == JoinResult::Found,
                },
            };
            if found {
                step += 1;
                run.cursors[step] = 0;
                continue;
            }
            match self.last_choice(step) {
                Some(last) => step = last,
                None => return JoinResult::Nothing,
            }
        }
        run.cursors[count] = count as u32 + 1;
        JoinResult::Found
    }

    /// Assigns a variable the next object of its type, if there is one.
    #[inline]
    fn next_object(&self, variable: u32, step: usize, run: &mut Run<'_>) -> bool {
        let list = &run.types.lists[self.types[variable as usize] as usize];
        let cursor = &mut run.cursors[step];
        let next = list.get(turned(*cursor, run.turn, list.len()));
        let next = next.filter(|_| (*cursor as usize) < list.len());
        *cursor += 1;
        if let Some(object) = next {
            run.slots[variable as usize] = *object;
        }
        next.is_some()
    }

    /// Assigns variables the objects of the next true atom that matches. If the stop token was
    /// triggered, also finds nothing; the join then ends at its next step.
    #[inline]
    fn next_atom(&self, pattern: &Pattern, step: usize, run: &mut Run<'_>) -> JoinResult {
        let key = pattern.key.iter().map(|arg| arg.object(run.slots));
        let key: SmallVec<[u32; 8]> = key.collect();
        let list = run.facts.list(pattern.index, &key);
        let cursor = &mut run.cursors[step];
        while (*cursor as usize) < list.len() {
            if run.types.stop.after(1) {
                return JoinResult::Nothing;
            }
            *run.work += 1;
            let number = list[turned(*cursor, run.turn, list.len())];
            *cursor += 1;
            if !run.facts.is_true(number) {
                if *run.work >= run.pause_at {
                    return JoinResult::Paused;
                }
                continue;
            }
            let atom = run.facts.atom(number);
            let fits = pattern.bind.iter().all(|(place, variable)| {
                let object = atom[*place as usize + 1];
                run.slots[*variable as usize] = object;
                run.types.has(self.types[*variable as usize], object)
            }) && pattern.same.iter().all(|(place, variable)| {
                atom[*place as usize + 1] == run.slots[*variable as usize]
            });
            if fits {
                return JoinResult::Found;
            }
        }
        JoinResult::Nothing
    }

    fn last_choice(&self, before: usize) -> Option<usize> {
        let mut steps = self.steps[..before].iter();
        steps.rposition(|s| matches!(s, Step::Match(_) | Step::Each { .. }))
    }
}

/// Maps a position to a rotated list. Lists may grow at the end between two reads, so only the
/// largest power of two of their length is rotated.
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

/// Takes an equality between an unbound variable and something known.
fn next_assignment(open: &mut Vec<&Condition>, bound: &mut [bool]) -> Option<Step> {
    let mut conds = open.iter().enumerate();
    let (at, variable, from) = conds.find_map(|(at, cond)| match **cond {
        Condition::Same(Arg::Variable(v), from, true) if from.is_bound(bound) => {
            Some((at, v, from))
        }
        Condition::Same(from, Arg::Variable(v), true) if from.is_bound(bound) => {
            Some((at, v, from))
        }
        _ => None,
    })?;
    open.remove(at);
    bound[variable as usize] = true;
    Some(Step::Assign { variable, from })
}

/// Takes the positive atom with the fewest expected matches.
fn next_match(
    open: &mut Vec<&Condition>,
    variables: &[u32],
    bound: &mut [bool],
    facts: &mut Facts,
) -> Option<Step> {
    let mut best: Option<(f64, usize)> = None;
    for (n, cond) in open.iter().enumerate() {
        let Condition::Atom(atom, true) = cond else {
            continue;
        };
        let places = known_places(&atom.args, bound);
        // An initially empty predicate may fill up, so do not assume that it is small.
        let expected = facts.fan_out(atom.predicate, &places).unwrap_or(4.0);
        if best.is_none_or(|(least, _)| expected < least) {
            best = Some((expected, n));
        }
    }
    let (_, n) = best?;
    let Condition::Atom(atom, _) = open.remove(n) else {
        return None;
    };
    let places = known_places(&atom.args, bound);
    let index = facts.index(atom.predicate, &places);
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
    Some(Step::Match(Pattern {
        index,
        key,
        bind: bind.into(),
        same: same.into(),
    }))
}
