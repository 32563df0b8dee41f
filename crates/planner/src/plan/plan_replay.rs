//! Execution of a plan step by step, to compute the costs and changes of its steps.

use super::effects::Writes;
use super::evaluate::{Evaluation, Frames, UNDEFINED};
use super::state::State;
use crate::compile::{Flat, FlatKind, Problem};
use crate::plan::Change;

/// The execution of a plan's steps in sequence.
#[derive(Debug)]
pub struct PlanReplay<'a> {
    flat: &'a Flat,
    state: State,
    /// The frames of its evaluations.
    pub frames: Frames,
    writes: Writes,
}

impl<'a> PlanReplay<'a> {
    /// Starts before the first step. The effects of a step may use `memory` bytes.
    pub fn new(problem: &'a Problem, memory: u64) -> Self {
        Self {
            flat: problem.flat(),
            state: problem.initial().clone(),
            frames: Frames::new(u64::MAX, problem.stop().clone()),
            writes: Writes::new(memory),
        }
    }

    /// Executes a step. Returns its cost and its changes; `None` if it is inapplicable.
    pub fn execute(&mut self, task: u32, args: &[u32]) -> Option<(f64, Vec<Change>)> {
        let flat = self.flat;
        let task = &flat.tasks[task as usize];
        let FlatKind::Primitive { effects, cost } = &task.kind else {
            return None;
        };
        self.frames.slots.clear();
        self.frames.slots.extend_from_slice(args);
        self.frames.slots.resize(task.frame as usize, UNDEFINED);
        let mut evaluation = Evaluation::new(flat, &self.state, &mut self.frames, 0);
        let cost = cost.map_or(1.0, |cost| evaluation.number(cost));
        self.writes.read(&mut evaluation, effects).ok()?;
        let mark = self.state.mark();
        self.writes.apply(flat, &mut self.state).ok()?;
        let mut changed = self.state.take_back(mark);
        self.writes.apply(flat, &mut self.state).ok()?;
        self.state.settle();
        changed.retain(|(atom, ..)| Some(atom[0]) != flat.time);
        let changes = changed.into_iter().map(|(atom, before, after)| Change {
            before: flat.value(atom[0], before),
            after: flat.value(atom[0], after),
            atom: flat.ground_atom(&atom),
        });
        let cost = if cost.is_finite() { cost } else { 1.0 };
        Some((cost, changes.collect()))
    }
}
