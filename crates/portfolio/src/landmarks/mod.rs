//! Monitors during a search whether the goal can still be achieved.
//!
//! A goal that does not hold must be achieved by an action, and whatever all such actions require
//! is a landmark that must hold before: if it does not hold now, it must be achieved in turn, and
//! so on. [`achievers`] determines what a task may achieve.

mod achievers;

use smallvec::SmallVec;

use crate::lifted::condition::{Arg, Atom, Condition};
use crate::lifted::facts::Facts;
use crate::lifted::model::{Action, Effect, Model};
use achievers::Achievers;
use taskloom_planner::search_kit::{MemoryUse, TupleTable};

/// The maximum number of landmarks monitored in addition to the goals.
const MAX_NEEDS: usize = 32;

/// A monitored atom.
#[derive(Debug)]
struct Watched {
    atom: Box<[u32]>,
    number: u32,
    /// The value that it must have.
    value: bool,
    /// The atoms that every action achieving it requires.
    needs: SmallVec<[u32; 4]>,
    /// The number of open tasks that may achieve it.
    open_achievers: u32,
}

/// The atoms of the goal, followed by their landmarks.
#[derive(Debug)]
pub struct LandmarkMonitor {
    achievers: Achievers,
    atoms: Vec<Watched>,
    /// The number of goal atoms.
    goals: usize,
    /// The atoms visited, and those to be visited.
    seen: Vec<bool>,
    open: Vec<u32>,
    /// For each ground task, by number, the monitored atoms that it may achieve.
    of_task: Vec<Option<Box<[u32]>>>,
    /// The memory use of these, in bytes.
    bytes: usize,
}

impl LandmarkMonitor {
    /// Monitors the ground atoms of a model's goal.
    pub fn new(model: &Model, facts: &mut Facts) -> Self {
        let mut atoms: Vec<Watched> = vec![];
        let watch = |tuple: Box<[u32]>, value, facts: &mut Facts| Watched {
            number: facts.number(&tuple),
            atom: tuple,
            value,
            needs: SmallVec::new(),
            open_achievers: 0,
        };
        for cond in &model.goal {
            if let Condition::Atom(atom, value) = cond
                && let Some(tuple) = ground(atom, &[])
            {
                atoms.push(watch(tuple, *value, facts));
            }
        }
        let goals = atoms.len();
        let mut at = 0;
        while let Some(Watched { atom, value, .. }) = atoms.get(at) {
            if model
                .problem
                .stop()
                .after(model.actions.len() + atoms.len())
            {
                break;
            }
            let needs = match value {
                true => needs(model, atom),
                false => vec![],
            };
            for need in needs {
                let known = atoms.iter().position(|w| w.value && w.atom == need);
                let known = known.or_else(|| {
                    (atoms.len() < goals + MAX_NEEDS).then(|| {
                        atoms.push(watch(need, true, facts));
                        atoms.len() - 1
                    })
                });
                atoms[at].needs.extend(known.map(|known| known as u32));
            }
            at += 1;
        }
        Self {
            achievers: Achievers::new(model),
            seen: vec![false; atoms.len()],
            atoms,
            goals,
            open: vec![],
            of_task: vec![],
            bytes: 0,
        }
    }

    /// Returns the memory use, excluding what it stores about the model's tasks.
    pub fn memory_use(&self) -> MemoryUse {
        MemoryUse::of_vec(&self.of_task) + MemoryUse::fixed(self.bytes)
    }

    /// Resets to no open tasks.
    pub fn clear(&mut self) {
        self.atoms.iter_mut().for_each(|w| w.open_achievers = 0);
    }

    /// Reports that a ground task, by number, was opened (`true`) or is no longer open.
    pub fn open(&mut self, ground: u32, table: &TupleTable, open: bool) {
        if self.atoms.is_empty() {
            return;
        }
        let number = ground as usize;
        if self.of_task.len() <= number {
            self.of_task.resize(number + 1, None);
        }
        let (achievers, atoms, bytes) = (&self.achievers, &self.atoms, &mut self.bytes);
        let of_task = self.of_task[number].get_or_insert_with(|| {
            let task = table.tuple(ground);
            let achievable = (0u32..).zip(atoms);
            let achievable = achievable.filter(|(_, w)| achievers.may_set(task, &w.atom, w.value));
            let achievable: Box<[u32]> = achievable.map(|(number, _)| number).collect();
            *bytes += size_of_val(&*achievable);
            achievable
        });
        for number in of_task {
            let count = &mut self.atoms[*number as usize].open_achievers;
            *count = if open { *count + 1 } else { *count - 1 };
        }
    }

    /// Returns `true` if something must be achieved that no open task can achieve.
    pub fn is_lost(&mut self, facts: &Facts) -> bool {
        let is_missing = |w: &Watched| facts.is_true(w.number) != w.value;
        let goals = self.atoms[..self.goals].iter();
        if goals
            .clone()
            .any(|w| w.open_achievers == 0 && is_missing(w))
        {
            return true;
        }
        if self.goals == self.atoms.len() {
            return false;
        }
        self.seen.fill(false);
        self.open.clear();
        let missing = goals.filter(|w| is_missing(w));
        self.open.extend(missing.flat_map(|w| &w.needs));
        while let Some(number) = self.open.pop() {
            let watched = &self.atoms[number as usize];
            if !std::mem::replace(&mut self.seen[number as usize], true) && is_missing(watched) {
                if watched.open_achievers == 0 {
                    return true;
                }
                self.open.extend(&watched.needs);
            }
        }
        false
    }
}

/// Substitutes objects for an atom's variables; `None` if one is unbound.
fn ground(atom: &Atom, binding: &[Option<u32>]) -> Option<Box<[u32]>> {
    let objects = atom.args.iter().map(|arg| match arg {
        Arg::Object(object) => Some(*object),
        Arg::Variable(variable) => *binding.get(*variable as usize)?,
    });
    std::iter::once(Some(atom.predicate))
        .chain(objects)
        .collect()
}

/// Returns the atoms required by every action that makes an atom true; empty if nothing makes it
/// true.
fn needs(model: &Model, atom: &[u32]) -> Vec<Box<[u32]>> {
    let mut common: Option<Vec<Box<[u32]>>> = None;
    for action in &model.actions {
        for effect in &action.effects {
            let Some(binding) = unified(model, action, effect, atom) else {
                continue;
            };
            let conds = action.precondition.iter().chain([&effect.when]);
            let own = conds.filter_map(|cond| match cond {
                Condition::Atom(need, true)
                    if !model.predicates[need.predicate as usize].is_static() =>
                {
                    ground(need, &binding)
                }
                _ => None,
            });
            let own: Vec<Box<[u32]>> = own.collect();
            match &mut common {
                Some(common) => common.retain(|need| own.contains(need)),
                None => common = Some(own),
            }
        }
    }
    common.unwrap_or_default()
}

/// Returns the binding of an action's variables under which an effect makes an atom true.
fn unified(
    model: &Model,
    action: &Action,
    effect: &Effect,
    atom: &[u32],
) -> Option<Vec<Option<u32>>> {
    if !effect.add || effect.atom.predicate != atom[0] {
        return None;
    }
    let mut binding = vec![None; action.frame as usize];
    for (arg, object) in effect.atom.args.iter().zip(&atom[1..]) {
        let own = match arg {
            Arg::Object(own) => *own,
            Arg::Variable(variable) => *binding[*variable as usize].get_or_insert(*object),
        };
        if own != *object {
            return None;
        }
    }
    let params = action.params.iter().zip(&binding);
    let mut types = params.filter_map(|(of, object)| Some((*of, (*object)?)));
    let fits = types.all(|(of, o)| model.types[of as usize].binary_search(&o).is_ok());
    fits.then_some(binding)
}
