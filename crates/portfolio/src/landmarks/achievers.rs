//! The atoms that a task may still achieve, given the objects it is called with: a goal that does
//! not hold and that no open task can achieve will never hold, and a subtask whose precondition no
//! earlier one can achieve will never start.

use rustc_hash::FxHashSet;

use crate::lifted::condition::{Arg, Atom};
use crate::lifted::model::Model;

/// A task with more patterns than this is assumed to affect all atoms of their predicates.
const MAX_PATTERNS: usize = 100;

/// A position of an atom that a task may make true or false.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    /// The task's parameter with this number.
    Param(u32),
    Object(u32),
    Any,
}

/// Atoms that a task may make true (`add`) or false.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Pattern {
    predicate: u32,
    add: bool,
    places: Box<[Place]>,
}

/// The patterns of every task, including everything it may decompose into.
#[derive(Debug)]
pub struct Achievers(Vec<Vec<Pattern>>);

impl Achievers {
    /// Collects the patterns up to a fixpoint.
    pub fn new(model: &Model) -> Self {
        let mut of_task: Vec<FxHashSet<Pattern>> = vec![FxHashSet::default(); model.tasks.len()];
        for action in &model.actions {
            let params = action.params.len();
            for effect in &action.effects {
                of_task[action.task as usize].insert(Pattern {
                    predicate: effect.atom.predicate,
                    add: effect.add,
                    places: places(&effect.atom, params),
                });
            }
        }
        // Tasks with too many patterns to tell apart: only their predicates are kept.
        let mut wide = vec![false; model.tasks.len()];
        loop {
            let mut changed = false;
            for method in &model.methods {
                let params = model.tasks[method.task as usize].params.len();
                for subtask in &method.subtasks {
                    if model
                        .problem
                        .stop()
                        .after(1 + of_task[subtask.task as usize].len())
                    {
                        break;
                    }
                    let task = method.task as usize;
                    let called = of_task[subtask.task as usize].iter();
                    let called: Vec<Pattern> = called
                        .map(|pattern| match wide[task] {
                            true => pattern.widened(),
                            false => pattern.called_with(&subtask.args, params),
                        })
                        .collect();
                    let own = &mut of_task[task];
                    let before = own.len();
                    own.extend(called);
                    changed |= own.len() > before;
                    if own.len() > MAX_PATTERNS && !wide[task] {
                        wide[task] = true;
                        *own = own.iter().map(Pattern::widened).collect();
                    }
                }
            }
            if !changed || model.problem.stop().is_cancelled() {
                break;
            }
        }
        Self(
            of_task
                .into_iter()
                .map(|own| own.into_iter().collect())
                .collect(),
        )
    }

    /// Returns `true` if a ground task may make an atom true (`add`) or false.
    pub fn may_set(&self, task: &[u32], atom: &[u32], add: bool) -> bool {
        self.0[task[0] as usize].iter().any(|pattern| {
            pattern.predicate == atom[0]
                && pattern.add == add
                && pattern
                    .places
                    .iter()
                    .zip(&atom[1..])
                    .all(|(place, object)| match place {
                        Place::Param(param) => task[*param as usize + 1] == *object,
                        Place::Object(other) => other == object,
                        Place::Any => true,
                    })
        })
    }
}

impl Pattern {
    fn called_with(&self, args: &[Arg], params: usize) -> Self {
        let places = self.places.iter().map(|place| match place {
            Place::Param(param) => of_arg(args[*param as usize], params),
            place => *place,
        });
        Self {
            places: places.collect(),
            ..*self
        }
    }

    fn widened(&self) -> Self {
        Self {
            places: vec![Place::Any; self.places.len()].into(),
            ..*self
        }
    }
}

fn places(atom: &Atom, params: usize) -> Box<[Place]> {
    atom.args.iter().map(|arg| of_arg(*arg, params)).collect()
}

fn of_arg(arg: Arg, params: usize) -> Place {
    match arg {
        Arg::Object(object) => Place::Object(object),
        Arg::Variable(variable) if (variable as usize) < params => Place::Param(variable),
        Arg::Variable(_) => Place::Any,
    }
}
