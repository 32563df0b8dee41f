//! Formulas, numbers and terms as compact trees in one arena, with numbers for
//! every name and slots of a frame for variables.

use taskloom_domain::lang::ast::{Aggregate, Comparison, Function, Operator};

/// A formula in [`Code`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FormulaId(pub u32);

/// A number in [`Code`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NumberId(pub u32);

/// A part of one of [`Code`]'s lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct List {
    /// First element.
    pub start: u32,
    /// How many.
    pub len: u32,
}

impl List {
    /// As a range for slicing.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }
}

/// A fact applied to terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Read {
    /// The fact's number.
    pub fact: u32,
    /// Its arguments in [`Code::terms`].
    pub args: List,
}

/// What stands for an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Term {
    /// The object.
    Object(u32),
    /// The object in a slot of the frame.
    Slot(u32),
    /// The value of an object fact.
    Fact(Read),
}

/// What is true or false.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Formula {
    /// Itself.
    Constant(bool),
    /// A boolean fact.
    Holds(Read),
    /// The opposite.
    Not(FormulaId),
    /// Every one of these in [`Code::lists`].
    All(List),
    /// One of these in [`Code::lists`].
    Any(List),
    /// The second, where the first holds.
    Imply(FormulaId, FormulaId),
    /// A comparison of numbers.
    Compare(Comparison, NumberId, NumberId),
    /// Whether two terms in [`Code::terms`] are the same object.
    Same(List),
    /// The body for every object of a type in a slot.
    Every(u32, u32, FormulaId),
    /// The body for some object of a type in a slot.
    Some(u32, u32, FormulaId),
    /// A named condition: its number, its arguments in [`Code::terms`].
    Condition(u32, List),
}

/// What is a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    /// Itself.
    Constant(f64),
    /// The value of a number fact.
    Fact(Read),
    /// Two numbers.
    Arithmetic(Operator, NumberId, NumberId),
    /// The opposite.
    Negative(NumberId),
    /// A function of one number, which is there twice then, or of two.
    Function(Function, NumberId, NumberId),
    /// One of [`Code::aggregates`].
    Aggregate(u32),
}

/// One number of many objects.
#[derive(Debug, Clone)]
pub(crate) struct AggregateCode {
    /// Which.
    pub aggregate: Aggregate,
    /// Slots, and the types of the objects in them; the last changes fastest.
    pub binders: Box<[(u32, u32)]>,
    /// What each comes to.
    pub value: NumberId,
    /// Only of those for which this holds.
    pub of: Option<FormulaId>,
}

/// A named condition: its arguments fill the first slots of a frame of its own.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ConditionCode {
    /// Its body; none where it cannot be read.
    pub body: Option<FormulaId>,
    /// How many slots its frame has.
    pub frame: u32,
}

/// All trees of a problem.
#[derive(Debug, Clone, Default)]
pub(crate) struct Code {
    /// By [`FormulaId`].
    pub formulas: Vec<Formula>,
    /// By [`NumberId`].
    pub numbers: Vec<Number>,
    /// What numbers make of many objects.
    pub aggregates: Vec<AggregateCode>,
    /// Arguments.
    pub terms: Vec<Term>,
    /// Parts of conjunctions and disjunctions.
    pub lists: Vec<FormulaId>,
    /// By number.
    pub conditions: Vec<ConditionCode>,
}

impl Code {
    /// Adds a formula.
    pub fn formula(&mut self, formula: Formula) -> FormulaId {
        self.formulas.push(formula);
        FormulaId(self.formulas.len() as u32 - 1)
    }

    /// Adds a number.
    pub fn number(&mut self, number: Number) -> NumberId {
        self.numbers.push(number);
        NumberId(self.numbers.len() as u32 - 1)
    }

    /// Adds arguments.
    pub fn terms(&mut self, terms: impl IntoIterator<Item = Term>) -> List {
        let start = self.terms.len() as u32;
        self.terms.extend(terms);
        List {
            start,
            len: self.terms.len() as u32 - start,
        }
    }

    /// Adds parts.
    pub fn list(&mut self, parts: impl IntoIterator<Item = FormulaId>) -> List {
        let start = self.lists.len() as u32;
        self.lists.extend(parts);
        List {
            start,
            len: self.lists.len() as u32 - start,
        }
    }
}
