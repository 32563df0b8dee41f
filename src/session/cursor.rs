//! The cursor: the step of a plan, or the moment of the run, that the whole page shows.

use taskloom_planner::plan::GroundTask;
use taskloom_runtime::{Entry, Run, StepExecution};

use crate::worker::Answer;

/// The current step of a plan, or the current line of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cursor {
    /// The index of a plan in the run; `None` for the plan of the initial situation.
    pub plan: Option<usize>,
    /// The step of that plan; `None` for the plan as a whole.
    pub step: Option<usize>,
    /// The current part of the run: what happened, rather than what was planned.
    pub happened: Option<Happened>,
}

/// A part of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Happened {
    /// A line of the run's log.
    Line(Entry),
    /// An entire tick.
    Tick(u32),
}

impl Cursor {
    /// Returns the line of the run, if one is current.
    pub fn entry(&self) -> Option<Entry> {
        match self.happened? {
            Happened::Line(entry) => Some(entry),
            Happened::Tick(_) => None,
        }
    }

    /// Returns the cursor at an entry of the run: its plan, and its step if it is one. For an
    /// event, it is the plan that this character was executing.
    pub fn at_entry(run: &Run, entry: Entry, character: usize) -> Self {
        let latest = |of: usize, before: u32| {
            let mut plans = run.plans.iter();
            plans.rposition(|planning| planning.character == of && planning.tick < before)
        };
        let has_plan = |plan: &usize| run.plans.get(*plan).is_some_and(|p| p.plan().is_some());
        let (plan, step) = match entry {
            Entry::Step(at) => {
                let step = run.executed.get(at);
                (step.map(|s| s.plan), step.map(|s| s.step))
            }
            Entry::Planning(at) => (Some(at), None),
            // Events happen before the planning of their tick.
            Entry::Event(at) => {
                let tick = run.events.get(at).map_or(0, |event| event.tick);
                (latest(character, tick), None)
            }
            Entry::Perception(at) => {
                let seen = run.perceptions.get(at);
                (seen.and_then(|s| latest(s.character, s.tick)), None)
            }
        };
        Self {
            plan: plan.filter(has_plan),
            step,
            happened: Some(Happened::Line(entry)),
        }
    }

    /// Returns the cursor at a tick of the run: the plan that a character was executing at its end,
    /// and the step in execution.
    pub fn at_tick(run: &Run, tick: u32, character: usize) -> Self {
        let mut plans = run.plans.iter();
        let plan = plans.rposition(|p| p.character == character && p.tick <= tick);
        let mut latest = run.executed.iter().rev();
        let step = latest
            .find(|step| Some(step.plan) == plan && step.start <= tick)
            .filter(|step| step.end.is_none_or(|end| end >= tick));
        Self {
            plan: plan.filter(|plan| run.plans[*plan].plan().is_some()),
            step: step.map(|step| step.step),
            happened: Some(Happened::Tick(tick)),
        }
    }

    /// Returns the cursor that corresponds to this one in a newer answer.
    pub(super) fn kept_in(self, answer: &Answer) -> Self {
        let character = answer.character;
        let kept = match self.happened {
            Some(Happened::Tick(tick)) => {
                let run = answer.run.as_ref().filter(|_| tick <= answer.last_tick());
                run.map(|run| Self::at_tick(run, tick, character))
            }
            Some(Happened::Line(entry)) => answer.run.as_ref().and_then(|run| {
                let is_there = run.entries().contains(&entry);
                is_there.then(|| Self::at_entry(run, entry, character))
            }),
            None => answer.plan_at(self.plan).map(|plan| Self {
                step: self.step.filter(|step| *step < plan.steps.len()),
                ..self
            }),
        };
        kept.unwrap_or_default()
    }

    /// Returns the cursor moved by a step or, if it is in the run, by an entry or tick. It stops at
    /// events and at the entries of a character. The start comes before the first.
    pub(super) fn moved(self, answer: Option<&Answer>, character: usize, by: isize) -> Self {
        let moved = |at: Option<usize>, count: usize| {
            let at = at.map_or(-1, |at| at as isize) + by;
            let at = usize::try_from(at).ok()?;
            (count > 0).then(|| at.min(count - 1))
        };
        let run = answer.and_then(|answer| answer.run.as_ref());
        let Some((run, happened)) = run.zip(self.happened) else {
            let plan = answer.and_then(|answer| answer.plan_at(self.plan));
            let step = moved(self.step, plan.map_or(0, |plan| plan.steps.len()));
            return Self { step, ..self };
        };
        let entry = match happened {
            Happened::Line(entry) => entry,
            Happened::Tick(tick) => {
                let next = tick.checked_add_signed(by as i32);
                let last = answer.map_or(0, Answer::last_tick);
                let next = next.map(|tick| Self::at_tick(run, tick.min(last), character));
                return next.unwrap_or_default();
            }
        };
        let mut entries = run.entries();
        entries.retain(|entry| run.character_of(*entry).is_none_or(|of| of == character));
        let at = entries.iter().position(|other| *other == entry);
        let next = moved(at, entries.len()).and_then(|at| entries.get(at));
        next.map_or(Self::default(), |entry| {
            Self::at_entry(run, *entry, character)
        })
    }
}

/// Returns the task of an executed step, from the plan that the step belongs to.
pub fn task_of<'r>(run: &'r Run, executed: &StepExecution) -> Option<&'r GroundTask> {
    let plan = run.plans.get(executed.plan)?.plan()?;
    Some(&plan.steps.get(executed.step)?.task)
}
