//! A bounded recorder of a search's events, with names instead of numbers.

use super::evaluate::{Evaluation, Frames};
use super::memory::MemoryUse;
use super::state::{AtomKey, State};
use crate::compile::{Conjunct, Flat, FlatValue};
use crate::plan::rows::NONE;
use crate::plan::{Atom, GroundTask, Trace, TraceEvent, TraceKind, Value};
use taskloom_document::{BlockId, Name};

/// Keeps the first events and counts the others. With a bound of 0, it does neither.
#[derive(Debug)]
pub struct Tracer {
    bound: usize,
    trace: Trace,
}

impl Tracer {
    /// Creates a tracer that keeps at most `bound` events.
    pub fn new(bound: usize) -> Self {
        Self {
            bound,
            trace: Trace::default(),
        }
    }

    /// Returns `true` if events are recorded.
    pub fn is_on(&self) -> bool {
        self.bound > 0
    }

    /// Returns `true` if the next event is kept.
    pub fn has_room(&self) -> bool {
        self.trace.events.len() < self.bound
    }

    /// Returns the trace.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// Records an event and returns its number; [`NONE`] if it isn't kept.
    pub fn add(&mut self, event: impl FnOnce() -> TraceEvent) -> u32 {
        if self.bound == 0 {
            return NONE;
        }
        if self.trace.events.len() >= self.bound {
            self.trace.dropped += 1;
            return NONE;
        }
        self.trace.events.push(event());
        self.trace.events.len() as u32 - 1
    }

    /// Returns the approximate memory use: an event uses about its own size on the heap.
    pub fn memory_use(&self) -> MemoryUse {
        let events = &self.trace.events;
        MemoryUse::of_vec(events) + MemoryUse::fixed(events.len() * size_of::<TraceEvent>())
    }
}

/// Returns the index of an event that is the parent of others, by its number.
pub fn parent(event: u32) -> Option<usize> {
    (event != NONE).then_some(event as usize)
}

impl Flat {
    fn named(&self, objects: &[u32]) -> Vec<Name> {
        let names = objects.iter().map(|o| self.objects[*o as usize].clone());
        names.collect()
    }

    /// Returns a ground task by its tuple.
    pub fn ground_task(&self, tuple: &[u32]) -> GroundTask {
        let (task, args) = (tuple[0], &tuple[1..]);
        GroundTask {
            task: self.tasks[task as usize].name.clone(),
            args: self.named(args),
        }
    }

    /// Returns a ground fact by its tuple.
    pub fn ground_atom(&self, tuple: &[u32]) -> Atom {
        let (fact, args) = (tuple[0], &tuple[1..]);
        Atom {
            fact: self.facts[fact as usize].name.clone(),
            args: self.named(args),
        }
    }

    /// Returns a value of a ground fact of this kind, by its bits.
    pub fn value(&self, fact: u32, payload: u64) -> Value {
        match self.facts[fact as usize].value {
            FlatValue::Boolean => Value::Bool(payload != 0),
            FlatValue::Number { .. } => Value::Number(f64::from_bits(payload)),
            FlatValue::Object => Value::Object(
                payload
                    .checked_sub(1)
                    .and_then(|o| self.objects.get(o as usize))
                    .cloned(),
            ),
        }
    }

    /// Returns a ground fact with its value in a state.
    pub fn seen(&self, state: &State, atom: &AtomKey) -> (Atom, Value) {
        let payload = match self.facts[atom[0] as usize].value {
            FlatValue::Boolean => u64::from(state.holds(atom)),
            _ => state.value(atom),
        };
        (self.ground_atom(atom), self.value(atom[0], payload))
    }
}

/// Returns the failure of a conjunct: its text with objects for variables, and the facts that it
/// read.
pub fn explain(
    flat: &Flat,
    state: &State,
    frames: &mut Frames,
    base: usize,
    conjunct: &Conjunct,
    block: Option<BlockId>,
) -> TraceKind {
    let mut saw = vec![];
    let mut evaluation = Evaluation {
        flat,
        state,
        frames,
        base,
        saw: Some(&mut saw),
    };
    evaluation.conjunct(conjunct);
    TraceKind::Failed {
        block,
        variable: None,
        conjunct: with_objects(flat, frames, base, conjunct),
        saw: saw.iter().map(|atom| flat.seen(state, atom)).collect(),
    }
}

/// Returns the text of a conjunct with objects for the variables that have one.
fn with_objects(flat: &Flat, frames: &Frames, base: usize, conjunct: &Conjunct) -> String {
    let mut out = String::with_capacity(conjunct.text.len());
    let mut rest = &*conjunct.text;
    while let Some(mark) = rest.find('?') {
        let (before, after) = rest.split_at(mark);
        out.push_str(before);
        let end = after[1..]
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-'))
            .map_or(after.len(), |n| n + 1);
        let (variable, behind) = after.split_at(end);
        let object = conjunct
            .variables
            .iter()
            .find(|(name, _)| *name == variable[1..])
            .and_then(|(_, slot)| frames.slots.get(base + *slot as usize))
            .and_then(|object| flat.objects.get(*object as usize));
        match object {
            Some(object) => out.push_str(object.as_str()),
            None => out.push_str(variable),
        }
        rest = behind;
    }
    out.push_str(rest);
    out
}
