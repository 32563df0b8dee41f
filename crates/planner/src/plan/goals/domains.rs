//! The values that variables can have in any reachable state, as far as the effects alone determine
//! them.

use taskloom_document::stop::Stop;

use super::formula::{Case, Cond, Num, Obj};
use super::task::{Change, Kind, Task};
use crate::plan::evaluate::UNDEFINED;
use crate::plan::interval::Interval;

/// For each variable, its sorted objects, with [`UNDEFINED`] last; empty for a number.
#[derive(Debug, Default)]
pub struct Domains {
    objects: Vec<Vec<u32>>,
    /// The work done, in effects and sets of objects.
    pub work: u64,
}

impl Domains {
    /// Computes the domains of a task that starts in a state.
    pub fn new(task: &Task, from: &[u64], stop: &Stop) -> Self {
        let values = task.values(from);
        let mut sets: Vec<Set> = vec![];
        let mut work = task.kinds.len() as u64;
        for (variable, kind) in (0..).zip(&task.kinds) {
            let mut set = Set::default();
            if *kind == Kind::Object {
                set.insert(values.object(variable));
            }
            sets.push(set);
        }
        // Constant assignments come first, then those of other variables' values.
        let mut copies: Vec<(u32, u32)> = vec![];
        let mut sources = vec![];
        for effect in task.actions.iter().flat_map(|action| &action.effects) {
            work += 1;
            if stop.after(1) {
                break;
            }
            let Change::Object(object) = &effect.change else {
                continue;
            };
            let set = &mut sets[effect.variable as usize];
            leaves(object, &mut |leaf| match leaf {
                Obj::Object(object) if *object != UNDEFINED => set.insert(*object),
                Obj::Var(variable) => sources.push(*variable),
                Obj::Object(_) | Obj::Case(_) => {}
            });
            copies.extend(sources.drain(..).map(|source| (source, effect.variable)));
        }
        copies.sort_unstable();
        copies.dedup();
        let mut has_changed = true;
        while has_changed && !stop.is_cancelled() {
            has_changed = false;
            for (from, to) in &copies {
                work += 1 + task.objects as u64 / 64;
                if from != to {
                    let source = sets[*from as usize].clone();
                    has_changed |= sets[*to as usize].extend(&source);
                }
                if stop.after(1 + task.objects / 64) {
                    break;
                }
            }
        }
        Self {
            objects: sets.iter().map(Set::objects).collect(),
            work,
        }
    }

    /// Returns the objects that a variable can be, with [`UNDEFINED`] last.
    pub fn of(&self, variable: u32) -> &[u32] {
        &self.objects[variable as usize]
    }

    /// Returns `true` if a variable can be an object, or [`UNDEFINED`].
    pub fn may_be(&self, variable: u32, object: u32) -> bool {
        self.of(variable).binary_search(&object).is_ok()
    }

    /// Returns the numbers that an expression can evaluate to.
    pub fn interval(&self, task: &Task, number: &Num) -> Interval {
        match number {
            Num::Constant(number) => Interval::of(*number),
            Num::Var(variable) => match task.kinds[*variable as usize] {
                Kind::Object => Interval::ANY,
                Kind::Number { min, max, .. } => Interval::new(min, max),
            },
            Num::Case(case) => {
                let parts = self.cases(case);
                let parts = parts.map(|part| self.interval(task, part));
                parts.reduce(Interval::or).unwrap_or(Interval::UNDEFINED)
            }
            Num::Negative(of) => self.interval(task, of).negated(),
            Num::Arithmetic(operator, both) => {
                let (a, b) = (self.interval(task, &both.0), self.interval(task, &both.1));
                Interval::calculate(*operator, a, b)
            }
            Num::Function(function, both) => {
                let (a, b) = (self.interval(task, &both.0), self.interval(task, &both.1));
                Interval::call(*function, a, b)
            }
            Num::Aggregate(aggregate, parts) => {
                let parts = parts.iter().map(|(cond, number)| {
                    let is_always = *cond == Cond::Constant(true);
                    (is_always, self.interval(task, number))
                });
                Interval::aggregate(*aggregate, parts)
            }
        }
    }

    fn cases<'a, T>(&'a self, case: &'a Case<T>) -> Box<dyn Iterator<Item = &'a T> + 'a> {
        match &case.selector {
            Obj::Object(object) => Box::new(std::iter::once(case.select(*object))),
            Obj::Var(variable) => {
                Box::new(self.of(*variable).iter().map(|object| case.select(*object)))
            }
            Obj::Case(_) => Box::new(case.by.iter()),
        }
    }

    /// Returns the memory use in bytes.
    pub fn memory(&self) -> usize {
        let sets = self.objects.iter();
        sets.map(|set| size_of::<Vec<u32>>() + set.capacity() * size_of::<u32>())
            .sum()
    }
}

/// Calls `note` for each constant and variable that an object expression can evaluate to.
fn leaves(object: &Obj, note: &mut dyn FnMut(&Obj)) {
    match object {
        Obj::Object(_) | Obj::Var(_) => note(object),
        Obj::Case(case) => case.by.iter().for_each(|part| leaves(part, note)),
    }
}

/// A set of objects as bits, and [`UNDEFINED`].
#[derive(Debug, Clone, Default)]
struct Set {
    bits: Vec<u64>,
    has_nothing: bool,
}

impl Set {
    fn insert(&mut self, object: u32) {
        if object == UNDEFINED {
            self.has_nothing = true;
            return;
        }
        let word = object as usize / 64;
        if self.bits.len() <= word {
            self.bits.resize(word + 1, 0);
        }
        self.bits[word] |= 1 << (object % 64);
    }

    /// Adds the objects of another set. Returns `true` if one of them is new.
    fn extend(&mut self, other: &Self) -> bool {
        if self.bits.len() < other.bits.len() {
            self.bits.resize(other.bits.len(), 0);
        }
        let mut has_changed = false;
        for (word, more) in self.bits.iter_mut().zip(&other.bits) {
            has_changed |= more & !*word != 0;
            *word |= more;
        }
        has_changed
    }

    fn objects(&self) -> Vec<u32> {
        let words = (0u32..).zip(&self.bits);
        let objects = words.flat_map(|(word, bits)| {
            let bit = move |bit: &u32| bits >> bit & 1 == 1;
            (0..64).filter(bit).map(move |bit| word * 64 + bit)
        });
        objects
            .chain(self.has_nothing.then_some(UNDEFINED))
            .collect()
    }
}
