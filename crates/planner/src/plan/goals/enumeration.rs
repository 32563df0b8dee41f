//! The enumeration of a task's instances that static conditions allow.

use std::sync::Arc;

use super::ground::{Grounding, Stage, effects_of};
use super::instances::Instances;
use super::reachable::Reachable;
use super::survey::Survey;
use crate::compile::{Flat, FlatKind, FlatTask, FormulaId};
use crate::plan::evaluate::UNDEFINED;
use crate::plan::state::AtomKey;

/// The instances of a task, enumerated in the order in which its parameters are joined.
#[derive(Debug)]
pub struct Enumeration {
    /// The parameters in the order in which they are joined.
    pub order: Vec<usize>,
    /// For each number of joined parameters, the static conditions to check then.
    pub early: Vec<Vec<FormulaId>>,
    /// The conditions that aren't static.
    pub late: Vec<FormulaId>,
    /// For each joined parameter, the index of its object. The last one changes fastest.
    pub chosen: Vec<usize>,
    /// The index of the next parameter's next object.
    pub next: usize,
    /// The instances found so far.
    pub tuples: Vec<AtomKey>,
    /// `true` once all are found.
    pub is_complete: bool,
    /// The number of instances that were processed after that.
    pub added: usize,
}

impl Enumeration {
    /// Starts without instances; `None` if a precondition is unreadable, so that there are none.
    pub fn new(flat: &Flat, task: &FlatTask, changes: &[bool]) -> Option<Self> {
        let (mut fixed, mut late) = (vec![], vec![]);
        for conjunct in &task.preconditions {
            let formula = conjunct.formula?;
            let mut survey = Survey::new(flat, changes, task.params.len() as u32);
            survey.formula(formula);
            if survey.is_static {
                fixed.push((formula, survey.used));
            } else {
                late.push(formula);
            }
        }
        let sizes = task.params.iter();
        let sizes = sizes.map(|of| flat.types[*of as usize].len());
        let (order, early) = join_order(&fixed, &sizes.collect::<Vec<_>>());
        Some(Self {
            order,
            early,
            late,
            chosen: vec![],
            next: 0,
            tuples: vec![],
            is_complete: false,
            added: 0,
        })
    }

    /// Ends the enumeration: the instances are then in the order of their objects, regardless of the
    /// order in which parameters are joined.
    pub fn finish(&mut self) {
        self.tuples.sort_unstable();
        self.is_complete = true;
    }
}

impl Grounding {
    /// Returns `true` if the enumeration is to be interrupted.
    fn should_pause(&mut self, until: u64) -> bool {
        let work = self.work();
        self.effort.may_pause(work);
        work >= until
    }

    /// Enumerates instances of a task.
    pub(super) fn enumerate(
        &mut self,
        flat: &Flat,
        (number, enumeration): (usize, Option<Box<Enumeration>>),
        mut reachable: Reachable,
        until: u64,
    ) {
        let Some(task) = flat.tasks.get(number) else {
            let instances = Arc::new(Instances {
                tuples: std::mem::take(&mut self.tuples),
                late: std::mem::take(&mut self.late),
                readers: reachable.requires.transposed(reachable.atoms.len()),
                reachable,
                effort: std::mem::take(&mut self.effort).complete(
                    self.frames.work,
                    self.other_work,
                    self.parts,
                ),
            });
            self.problem.kept_instances().keep(&instances);
            self.reach(flat, &instances);
            return;
        };
        let mut enumeration = enumeration.or_else(|| {
            self.other_work += 1;
            let is_primitive = matches!(task.kind, FlatKind::Primitive { .. });
            let changes = &flat.statics().changes;
            let started = is_primitive.then(|| Enumeration::new(flat, task, changes));
            let started = Box::new(started.flatten()?);
            self.frames.slots.clear();
            self.frames.slots.resize(task.frame as usize, UNDEFINED);
            Some(started)
        });
        let is_done = match &mut enumeration {
            Some(enumeration) => {
                self.instances(flat, task, enumeration, until)
                    && self.add(flat, number, enumeration, &mut reachable, until)
            }
            None => true,
        };
        self.stage = if is_done {
            let late = enumeration.map(|enumeration| enumeration.late);
            self.late.push(late.unwrap_or_default());
            Stage::Enumerate(number + 1, None, reachable)
        } else {
            Stage::Enumerate(number, enumeration, reachable)
        };
    }

    /// Enumerates the objects for which the static conditions of a task hold. Returns `true` if that is
    /// done.
    fn instances(
        &mut self,
        flat: &Flat,
        task: &FlatTask,
        all: &mut Enumeration,
        until: u64,
    ) -> bool {
        while !all.is_complete {
            if self.should_pause(until) {
                return false;
            }
            self.other_work += 1;
            let depth = all.chosen.len();
            let may_begin = depth > 0 || all.next > 0 || self.all_hold(flat, &all.early[0]);
            if depth == all.order.len() {
                if may_begin {
                    let slots = &self.frames.slots[..all.order.len()];
                    all.tuples.push(AtomKey::from_slice(slots));
                }
            } else {
                let objects = &flat.types[task.params[all.order[depth]] as usize];
                if let Some(object) = objects.get(all.next).filter(|_| may_begin) {
                    let parts = self.parts + all.tuples.len() as u64;
                    if self.frames.is_over() || parts > self.max_parts {
                        self.parts = parts;
                        return false;
                    }
                    self.frames.slots[all.order[depth]] = *object;
                    all.chosen.push(all.next);
                    all.next = 0;
                    if self.all_hold(flat, &all.early[depth + 1]) {
                        continue;
                    }
                }
            }
            match all.chosen.pop() {
                Some(last) => all.next = last + 1,
                None => {
                    all.finish();
                    self.other_work += all.tuples.len() as u64;
                    self.parts += all.tuples.len() as u64;
                }
            }
        }
        true
    }

    /// Adds the instances of a task to the reachability analysis. Returns `true` if that is done.
    fn add(
        &mut self,
        flat: &Flat,
        number: usize,
        all: &mut Enumeration,
        reachable: &mut Reachable,
        until: u64,
    ) -> bool {
        let effects = effects_of(&flat.tasks[number]);
        while let Some(tuple) = all.tuples.get(all.added).cloned() {
            if self.should_pause(until) || self.frames.is_over() {
                return false;
            }
            all.added += 1;
            self.other_work += (effects.len() + all.late.len()) as u64;
            reachable.add(flat, effects, &all.late, &tuple);
            self.tuples.push((number as u32, tuple));
        }
        true
    }
}

/// Returns the order in which to join the parameters, so that static conditions can be checked as
/// early as possible; and for each number of joined parameters, the conditions to check then.
fn join_order(
    fixed: &[(FormulaId, Vec<bool>)],
    sizes: &[usize],
) -> (Vec<usize>, Vec<Vec<FormulaId>>) {
    let mut order: Vec<usize> = vec![];
    let mut is_chosen = vec![false; sizes.len()];
    let is_known = |used: &[bool], is_chosen: &[bool]| {
        let mut pairs = used.iter().zip(is_chosen);
        pairs.all(|(used, chosen)| !used || *chosen)
    };
    let mut early = vec![vec![]; sizes.len() + 1];
    let mut open: Vec<&(FormulaId, Vec<bool>)> = fixed.iter().collect();
    loop {
        open.retain(|(formula, used)| {
            let is_known = is_known(used, &is_chosen);
            if is_known {
                early[order.len()].push(*formula);
            }
            !is_known
        });
        let candidates = (0..sizes.len()).filter(|param| !is_chosen[*param]);
        let best = candidates.min_by_key(|param| {
            let mut with = is_chosen.clone();
            with[*param] = true;
            let completed = open
                .iter()
                .filter(|(_, used)| is_known(used, &with))
                .count();
            let is_joined = open.iter().any(|(_, used)| used[*param]);
            (std::cmp::Reverse(completed), !is_joined, sizes[*param])
        });
        let Some(best) = best else {
            return (order, early);
        };
        is_chosen[best] = true;
        order.push(best);
    }
}
