//! A problem over a flat domain: everything has a number, and names are looked
//! up only to tell somebody.

use std::sync::Arc;

use super::code::{Code, FormulaId, List, NumberId, Read, Term};
use crate::plan::State;
use taskloom_document::Name;
use taskloom_document::stop::Stop;
use taskloom_domain::flow::Chart;

/// A state, an initial task network and a goal over a flat domain, and who may
/// stop the searches of it. Cloning it counts references.
#[derive(Debug, Clone)]
pub struct Problem {
    pub(super) flat: Arc<Flat>,
    pub(super) stop: Stop,
}

impl Problem {
    /// The same problem, whose searches end when this stop is heard: with
    /// [`Outcome::Stopped`](crate::plan::Outcome).
    pub fn until(&self, stop: &Stop) -> Self {
        Self {
            flat: self.flat.clone(),
            stop: stop.clone(),
        }
    }

    pub(crate) fn flat(&self) -> &Arc<Flat> {
        &self.flat
    }

    pub(crate) fn stop(&self) -> &Stop {
        &self.stop
    }
}

/// The contents of a [`Problem`].
#[derive(Debug)]
pub(crate) struct Flat {
    pub scenario: Name,
    /// Names of the objects, in object order.
    pub objects: Vec<Name>,
    /// The objects of each type, in object order.
    pub types: Vec<Vec<u32>>,
    pub facts: Vec<FlatFact>,
    pub tasks: Vec<FlatTask>,
    pub code: Code,
    pub initial: State,
    /// The scenario's tasks, in sequence; none where one of them cannot be read.
    pub roots: Option<Vec<(u32, Vec<u32>)>>,
    pub goal: Vec<Conjunct>,
    /// How many slots the goal needs.
    pub goal_frame: u32,
}

#[derive(Debug)]
pub(crate) struct FlatFact {
    pub name: Name,
    pub value: FlatValue,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum FlatValue {
    Boolean,
    Number { integer: bool, min: f64, max: f64 },
    Object,
}

impl FlatValue {
    /// Whether a fact may take this number.
    pub fn allows(self, number: f64) -> bool {
        match self {
            Self::Number { integer, min, max } => {
                number.is_finite()
                    && number >= min
                    && number <= max
                    && (!integer || number.fract() == 0.0)
            }
            Self::Boolean | Self::Object => true,
        }
    }
}

#[derive(Debug)]
pub(crate) struct FlatTask {
    pub name: Name,
    /// Types of its parameters.
    pub params: Vec<u32>,
    /// How many slots its frame has: parameters first, then the variables of
    /// Bind blocks and of quantifiers.
    pub frame: u32,
    pub preconditions: Vec<Conjunct>,
    pub kind: FlatKind,
}

#[derive(Debug)]
pub(crate) enum FlatKind {
    Primitive {
        /// Those of the planner's forecast.
        effects: Vec<FlatEffect>,
        /// None: 1.
        cost: Option<NumberId>,
    },
    Compound {
        /// None: the flowchart has no resolutions.
        chart: Option<Chart>,
        /// By position in the chart.
        blocks: Vec<FlatBlock>,
    },
}

/// A part of a condition that can fail by itself.
#[derive(Debug)]
pub(crate) struct Conjunct {
    /// None: it cannot be read, and counts as not holding.
    pub formula: Option<FormulaId>,
    /// As typed.
    pub text: Box<str>,
    /// The variables in it and their slots.
    pub variables: Arc<[(Name, u32)]>,
}

#[derive(Debug)]
pub(crate) struct FlatBlock {
    /// Variables of Bind blocks that its texts use.
    pub imports: Vec<Import>,
    pub code: BlockCode,
}

/// A variable that Bind blocks upstream bind: the last one present counts.
#[derive(Debug)]
pub(crate) struct Import {
    pub slot: u32,
    /// Slots of the Bind blocks, the last one first.
    pub from: Vec<u32>,
    /// The slot of a parameter of the same name.
    pub otherwise: Option<u32>,
}

#[derive(Debug)]
pub(crate) enum BlockCode {
    /// Begin and End.
    Pass,
    /// The outputs, for reading.
    Choice(Vec<Box<str>>),
    Task {
        /// As typed.
        text: Box<str>,
        /// The task and its arguments; none: they cannot be read.
        call: Option<(u32, List)>,
    },
    Branch(Vec<Conjunct>),
    Bind {
        variable: Name,
        slot: u32,
        of: u32,
        type_name: Name,
        condition: Vec<Conjunct>,
        order: Option<NumberId>,
    },
}

#[derive(Debug)]
pub(crate) struct FlatEffect {
    /// Slots and types of the variables that it runs over.
    pub forall: Vec<(u32, u32)>,
    pub when: Option<FormulaId>,
    pub target: Read,
    pub change: FlatChange,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum FlatChange {
    Unset,
    Set,
    Object(Term),
    Assign(NumberId),
    Increase(NumberId),
    Decrease(NumberId),
}
