//! Watching, during a search, whether what has to hold at the end can still come
//! to hold.
//!
//! A goal that does not hold has to be brought about by an action, and what all
//! such actions need has to hold before that: if it does not hold now, it has to
//! be brought about in its turn, and so on.

use smallvec::SmallVec;

use super::facts::Facts;
use super::model::{Action, Arg, Atom, Cond, Effect, Model};
use super::prospect::Prospects;
use crate::plan::held::Footprint;
use crate::plan::table::TupleTable;

/// So many atoms that goals need are watched besides the goals.
const MAX_NEEDS: usize = 32;

/// An atom that is watched.
#[derive(Debug)]
struct Watched {
    atom: Box<[u32]>,
    number: u32,
    /// Whether it has to be true or false.
    value: bool,
    /// What every action needs that brings it about.
    needs: SmallVec<[u32; 4]>,
    /// How many open tasks may bring it about.
    able: u32,
}

/// The atoms of the goal, then those that they need.
#[derive(Debug)]
pub struct Watch {
    prospects: Prospects,
    atoms: Vec<Watched>,
    /// How many are the goal's.
    goals: usize,
    /// The atoms that have been looked at, and those that have yet to be.
    seen: Vec<bool>,
    open: Vec<u32>,
    /// For each ground task by number the goals that it may bring about.
    of_task: Vec<Option<Box<[u32]>>>,
    /// Bytes of these.
    able: usize,
}

impl Watch {
    /// Watches the ground atoms of a model's goal.
    pub fn new(model: &Model, facts: &mut Facts) -> Self {
        let mut atoms: Vec<Watched> = vec![];
        let watch = |tuple: Box<[u32]>, value, facts: &mut Facts| Watched {
            number: facts.number(&tuple),
            atom: tuple,
            value,
            needs: SmallVec::new(),
            able: 0,
        };
        for cond in &model.goal {
            if let Cond::Atom(atom, value) = cond
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
            prospects: Prospects::new(model),
            seen: vec![false; atoms.len()],
            atoms,
            goals,
            open: vec![],
            of_task: vec![],
            able: 0,
        }
    }

    /// What it takes, but for what it knows of the model's tasks.
    pub fn footprint(&self) -> Footprint {
        Footprint::of_vec(&self.of_task) + Footprint::fixed(self.able)
    }

    /// No task is open.
    pub fn clear(&mut self) {
        self.atoms.iter_mut().for_each(|w| w.able = 0);
    }

    /// A ground task, by number, was opened (`true`) or is no longer open.
    pub fn open(&mut self, ground: u32, table: &TupleTable, open: bool) {
        if self.atoms.is_empty() {
            return;
        }
        let number = ground as usize;
        if self.of_task.len() <= number {
            self.of_task.resize(number + 1, None);
        }
        let (prospects, atoms, bytes) = (&self.prospects, &self.atoms, &mut self.able);
        let of_task = self.of_task[number].get_or_insert_with(|| {
            let task = table.tuple(ground);
            let able = (0u32..).zip(atoms);
            let able = able.filter(|(_, w)| prospects.may(task, &w.atom, w.value));
            let able: Box<[u32]> = able.map(|(number, _)| number).collect();
            *bytes += size_of_val(&*able);
            able
        });
        for number in of_task {
            let able = &mut self.atoms[*number as usize].able;
            *able = if open { *able + 1 } else { *able - 1 };
        }
    }

    /// Whether something has to be brought about that no open task can.
    pub fn is_lost(&mut self, facts: &Facts) -> bool {
        let is_missing = |w: &Watched| facts.is_true(w.number) != w.value;
        let goals = self.atoms[..self.goals].iter();
        if goals.clone().any(|w| w.able == 0 && is_missing(w)) {
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
                if watched.able == 0 {
                    return true;
                }
                self.open.extend(&watched.needs);
            }
        }
        false
    }
}

/// An atom with objects for its variables, if all of them have one.
fn ground(atom: &Atom, binding: &[Option<u32>]) -> Option<Box<[u32]>> {
    let objects = atom.args.iter().map(|arg| match arg {
        Arg::Object(object) => Some(*object),
        Arg::Variable(variable) => *binding.get(*variable as usize)?,
    });
    std::iter::once(Some(atom.predicate))
        .chain(objects)
        .collect()
}

/// The atoms that every action needs which makes an atom true. None are told of
/// an atom that nothing makes true.
fn needs(model: &Model, atom: &[u32]) -> Vec<Box<[u32]>> {
    let mut common: Option<Vec<Box<[u32]>>> = None;
    for action in &model.actions {
        for effect in &action.effects {
            let Some(binding) = unified(model, action, effect, atom) else {
                continue;
            };
            let conds = action.precondition.iter().chain([&effect.when]);
            let own = conds.filter_map(|cond| match cond {
                Cond::Atom(need, true)
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

/// The objects of an action's variables for which an effect makes an atom true.
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
