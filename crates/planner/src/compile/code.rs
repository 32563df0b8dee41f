//! Formulas, numbers and terms as compact trees in one arena, with indices for names and slots of a
//! frame for variables.

use taskloom_domain::lang::ast::{Aggregate, Comparison, Function, Operator};

/// A formula's index in [`Code`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FormulaId(pub u32);

/// A number's index in [`Code`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumberId(pub u32);

/// A slice of one of [`Code`]'s lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct List {
    /// The index of the first element.
    pub start: u32,
    /// The number of elements.
    pub len: u32,
}

impl List {
    /// Returns the range for slicing.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }
}

/// A fact applied to terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Read {
    /// The fact's index.
    pub fact: u32,
    /// The arguments in [`Code::terms`].
    pub args: List,
}

/// An expression that denotes an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Term {
    /// A constant object.
    Object(u32),
    /// The object in a slot of the frame.
    Slot(u32),
    /// The value of an object fact.
    Fact(Read),
}

/// A boolean expression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Formula {
    /// A constant.
    Constant(bool),
    /// A boolean fact.
    Holds(Read),
    /// Negation.
    Not(FormulaId),
    /// A conjunction of formulas in [`Code::lists`].
    All(List),
    /// A disjunction of formulas in [`Code::lists`].
    Any(List),
    /// Implication: the first implies the second.
    Imply(FormulaId, FormulaId),
    /// A comparison of numbers.
    Compare(Comparison, NumberId, NumberId),
    /// Equality of two terms in [`Code::terms`].
    Same(List),
    /// Universal quantification: slot, type and body.
    Every(u32, u32, FormulaId),
    /// Existential quantification: slot, type and body.
    Some(u32, u32, FormulaId),
    /// A named condition: its index and its arguments in [`Code::terms`].
    Condition(u32, List),
}

/// A numeric expression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// A constant.
    Constant(f64),
    /// The value of a number fact.
    Fact(Read),
    /// A binary operation.
    Arithmetic(Operator, NumberId, NumberId),
    /// Negation.
    Negative(NumberId),
    /// A function of two numbers, or of one number, which is then given twice.
    Function(Function, NumberId, NumberId),
    /// An aggregate in [`Code::aggregates`].
    Aggregate(u32),
}

/// An aggregate over objects.
#[derive(Debug, Clone)]
pub struct AggregateCode {
    /// The kind of aggregate.
    pub aggregate: Aggregate,
    /// Slots and types of the variables; the last one varies fastest.
    pub binders: Box<[(u32, u32)]>,
    /// The number to aggregate.
    pub value: NumberId,
    /// The filter, if any.
    pub of: Option<FormulaId>,
}

/// A named condition: its arguments fill the first slots of its own frame.
#[derive(Debug, Clone, Copy)]
pub struct ConditionCode {
    /// The body, or `None` if it is invalid.
    pub body: Option<FormulaId>,
    /// The number of slots in its frame.
    pub frame: u32,
}

/// All trees of a problem.
#[derive(Debug, Clone, Default)]
pub struct Code {
    /// Indexed by [`FormulaId`].
    pub formulas: Vec<Formula>,
    /// Indexed by [`NumberId`].
    pub numbers: Vec<Number>,
    /// Indexed by [`Number::Aggregate`].
    pub aggregates: Vec<AggregateCode>,
    /// The arguments.
    pub terms: Vec<Term>,
    /// Parts of conjunctions and disjunctions.
    pub lists: Vec<FormulaId>,
    /// Indexed by the condition's number.
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

    /// Adds formulas to the lists.
    pub fn list(&mut self, parts: impl IntoIterator<Item = FormulaId>) -> List {
        let start = self.lists.len() as u32;
        self.lists.extend(parts);
        List {
            start,
            len: self.lists.len() as u32 - start,
        }
    }
}
