//! The syntax trees of HDDL, for reading and for writing. Variables have no question mark.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use taskloom_document::diagnostic::Span;

/// A name and its span in the text. The span doesn't affect comparisons.
#[derive(Clone)]
pub struct Ident {
    text: Arc<str>,
    /// Its span; empty in a tree that was not read.
    pub span: Span,
}

impl Ident {
    /// Creates a name that was read.
    pub fn new(text: Arc<str>, span: Span) -> Self {
        Self { text, span }
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the name, shared.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }
}
impl std::ops::Deref for Ident {
    type Target = str;
    fn deref(&self) -> &str {
        &self.text
    }
}
impl Default for Ident {
    fn default() -> Self {
        Self::from("")
    }
}
impl From<&str> for Ident {
    fn from(text: &str) -> Self {
        Self::new(text.into(), Span::default())
    }
}
impl From<String> for Ident {
    fn from(text: String) -> Self {
        Self::new(text.into(), Span::default())
    }
}
impl PartialEq for Ident {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}
impl Eq for Ident {}
impl PartialEq<str> for Ident {
    fn eq(&self, other: &str) -> bool {
        *self.text == *other
    }
}
impl PartialEq<&str> for Ident {
    fn eq(&self, other: &&str) -> bool {
        *self.text == **other
    }
}
impl PartialOrd for Ident {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Ident {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.text.cmp(&other.text)
    }
}
impl Hash for Ident {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}
impl fmt::Display for Ident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
impl fmt::Debug for Ident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.text, f)
    }
}

/// A typed list's element: `?place - place`, `box - place`, `place - object`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Typed {
    /// The variable, constant or type.
    pub name: Ident,
    /// Its type or parent types; several for `(either a b)`, none for `object`.
    pub of: Vec<Ident>,
}

/// A predicate, function or task with its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// Its name.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<Typed>,
}

impl Signature {
    /// Returns its atom with its own parameters as arguments.
    pub fn atom(&self) -> Atom {
        let variables = self.params.iter().map(|p| Term::Variable(p.name.clone()));
        Atom {
            name: self.name.clone(),
            args: variables.collect(),
        }
    }
}

/// A variable or a constant.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Term {
    /// `?place`
    Variable(Ident),
    /// `box`
    Constant(Ident),
}

/// A predicate, function or task with arguments.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Atom {
    /// Its name.
    pub name: Ident,
    /// Its arguments.
    pub args: Vec<Term>,
}

/// Comparisons of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

/// A numeric expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Number {
    /// `3`
    Constant(f64),
    /// `(ammo)`
    Function(Atom),
    /// `(+ a b)`: one of `+ - * /`.
    Arithmetic(char, Box<Number>, Box<Number>),
    /// `(- a)`
    Negative(Box<Number>),
}

/// A goal description.
#[derive(Debug, Clone, PartialEq)]
pub enum Formula {
    /// `(at ?place)`
    Atom(Atom),
    /// `(= ?a ?b)` of objects.
    Equal(Term, Term),
    /// `(>= (ammo) 3)`
    Compare(Comparison, Number, Number),
    /// `(not a)`
    Not(Box<Formula>),
    /// `(and a b)`; without parts it is true.
    And(Vec<Formula>),
    /// `(or a b)`; without parts it is false.
    Or(Vec<Formula>),
    /// `(imply a b)`
    Imply(Box<Formula>, Box<Formula>),
    /// `(forall (?p - place) a)`
    Forall(Vec<Typed>, Box<Formula>),
    /// `(exists (?p - place) a)`
    Exists(Vec<Typed>, Box<Formula>),
    /// `(sortof ?p - place)` in constraints: one of the types.
    OfType(Term, Vec<Ident>),
}

impl Default for Formula {
    fn default() -> Self {
        Self::TRUE
    }
}

impl Formula {
    /// Always true.
    pub const TRUE: Self = Self::And(vec![]);
    /// Always false.
    pub const FALSE: Self = Self::Or(vec![]);

    /// Returns `true` if it is [`Self::TRUE`].
    pub fn is_true(&self) -> bool {
        *self == Self::TRUE
    }

    /// Returns `true` if it is [`Self::FALSE`].
    pub fn is_false(&self) -> bool {
        *self == Self::FALSE
    }
}

impl Change {
    /// Returns the fact or function that changes.
    pub fn target(&self) -> &Atom {
        match self {
            Self::Add(atom)
            | Self::Delete(atom)
            | Self::Assign(atom, _)
            | Self::Increase(atom, _)
            | Self::Decrease(atom, _) => atom,
        }
    }
}

/// A single change of an action.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// `(at ?place)`
    Add(Atom),
    /// `(not (at ?place))`
    Delete(Atom),
    /// `(assign (ammo) 3)`
    Assign(Atom, Number),
    /// `(increase (ammo) 3)`
    Increase(Atom, Number),
    /// `(decrease (ammo) 3)`
    Decrease(Atom, Number),
}

/// A change and its condition: `(forall (?p - place) (when a c))`.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// The quantified variables.
    pub forall: Vec<Typed>,
    /// The condition on the previous state; true for an unconditional change.
    pub when: Formula,
    /// The change.
    pub change: Change,
}

/// A task network.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    /// Variables of an initial task network; a method's are its own.
    pub params: Vec<Typed>,
    /// The tasks. Their labels in a written file are `t1`, `t2` and so on.
    pub tasks: Vec<Atom>,
    /// The orderings: pairs of task positions.
    pub order: Vec<(usize, usize)>,
    /// The constraints on its variables; true for none.
    pub constraints: Formula,
}

impl Default for Network {
    fn default() -> Self {
        Self {
            params: vec![],
            tasks: vec![],
            order: vec![],
            constraints: Formula::TRUE,
        }
    }
}

/// A method: a possible decomposition of a compound task.
#[derive(Debug, Clone, PartialEq)]
pub struct Method {
    /// A comment above it.
    pub comment: String,
    /// Its name and parameters, including those of the task.
    pub signature: Signature,
    /// The compound task.
    pub task: Atom,
    /// The precondition of the decomposition.
    pub precondition: Formula,
    /// The network of subtasks.
    pub network: Network,
}

/// An action: a primitive task.
#[derive(Debug, Clone, PartialEq)]
pub struct Action {
    /// A comment above it.
    pub comment: String,
    /// Its name and parameters.
    pub signature: Signature,
    /// The precondition.
    pub precondition: Formula,
    /// The effects.
    pub effects: Vec<Effect>,
}

/// A planning domain.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Domain {
    /// Comment lines at the top.
    pub comment: Vec<String>,
    /// Its name.
    pub name: Ident,
    /// The features that a planner has to support, such as `:typing`.
    pub requirements: Vec<Ident>,
    /// Types and their parents.
    pub types: Vec<Typed>,
    /// Objects that the domain defines.
    pub constants: Vec<Typed>,
    /// Boolean facts.
    pub predicates: Vec<Signature>,
    /// Numbers.
    pub functions: Vec<Signature>,
    /// Compound tasks.
    pub tasks: Vec<Signature>,
    /// Their methods.
    pub methods: Vec<Method>,
    /// Primitive tasks.
    pub actions: Vec<Action>,
}

/// A planning problem.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Problem {
    /// Comment lines at the top.
    pub comment: Vec<String>,
    /// Its name.
    pub name: Ident,
    /// The domain's name.
    pub domain: Ident,
    /// Objects that the domain doesn't define.
    pub objects: Vec<Typed>,
    /// The initial tasks; `None` in PDDL, which has only a goal.
    pub network: Option<Network>,
    /// The facts that are initially true.
    pub facts: Vec<Atom>,
    /// Facts declared false initially, which is the default.
    pub denied: Vec<Atom>,
    /// Initial numbers.
    pub numbers: Vec<(Atom, f64)>,
    /// The goal; true for none.
    pub goal: Formula,
    /// The metrics. A file should have at most one.
    pub metrics: Vec<Metric>,
}

/// A metric: `minimize (total-cost)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Metric {
    /// `minimize` or `maximize`.
    pub direction: Ident,
    /// The number, computed from the state at the end of a plan.
    pub value: Number,
}

impl Metric {
    /// Returns the metric that minimises `total-cost`.
    pub fn total_cost() -> Self {
        Self::minimize("total-cost")
    }

    /// Returns the metric that minimises the number of steps.
    pub fn steps() -> Self {
        Self::minimize("total-time")
    }

    fn minimize(function: &str) -> Self {
        let function = Atom {
            name: Ident::from(function),
            args: vec![],
        };
        Self {
            direction: Ident::from("minimize"),
            value: Number::Function(function),
        }
    }
}
