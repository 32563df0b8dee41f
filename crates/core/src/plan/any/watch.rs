//! Watching, during a search, whether what has to hold at the end can still come
//! to hold.

use super::facts::Facts;
use super::model::{Arg, Cond, Model};
use super::prospect::Prospects;
use crate::plan::table::TupleTable;

/// The atoms of the goal, and for each how many open tasks may bring it about.
#[derive(Debug)]
pub struct Watch {
    prospects: Prospects,
    /// Atoms, their numbers, and whether they have to be true or false.
    goals: Vec<(Box<[u32]>, u32, bool)>,
    able: Vec<u32>,
    /// For each ground task by number the goals that it may bring about.
    of_task: Vec<Option<Box<[u32]>>>,
}

impl Watch {
    /// Watches the ground atoms of a model's goal.
    pub fn new(model: &Model, facts: &mut Facts) -> Self {
        let mut goals = vec![];
        for cond in &model.goal {
            let Cond::Atom(atom, value) = cond else {
                continue;
            };
            let objects = atom.args.iter().map(|arg| match arg {
                Arg::Object(object) => Some(*object),
                Arg::Variable(_) => None,
            });
            let tuple: Option<Box<[u32]>> = std::iter::once(Some(atom.predicate))
                .chain(objects)
                .collect();
            if let Some(tuple) = tuple {
                let number = facts.number(&tuple);
                goals.push((tuple, number, *value));
            }
        }
        Self {
            prospects: Prospects::new(model),
            able: vec![0; goals.len()],
            goals,
            of_task: vec![],
        }
    }

    /// No task is open.
    pub fn clear(&mut self) {
        self.able.fill(0);
    }

    /// A ground task, by number, was opened (`true`) or is no longer open.
    pub fn open(&mut self, ground: u32, table: &TupleTable, open: bool) {
        if self.goals.is_empty() {
            return;
        }
        let number = ground as usize;
        if self.of_task.len() <= number {
            self.of_task.resize(number + 1, None);
        }
        let (prospects, goals) = (&self.prospects, &self.goals);
        let of_task = self.of_task[number].get_or_insert_with(|| {
            let task = table.tuple(ground);
            let able = (0u32..).zip(goals);
            let able = able.filter(|(_, (atom, _, value))| prospects.may(task, atom, *value));
            able.map(|(goal, _)| goal).collect()
        });
        for goal in of_task {
            let able = &mut self.able[*goal as usize];
            *able = if open { *able + 1 } else { *able - 1 };
        }
    }

    /// Whether a goal does not hold and no open task can change that.
    pub fn is_lost(&self, facts: &Facts) -> bool {
        let goals = self.goals.iter().zip(&self.able);
        goals
            .into_iter()
            .any(|((_, number, value), able)| *able == 0 && facts.is_true(*number) != *value)
    }
}
