//! The trees of HDDL. Names are as they stand in the file; variables are without
//! their question mark.

/// A typed list's element: `?place - place`, `box - place`, `place - object`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Typed {
    /// The variable, constant or type.
    pub name: String,
    /// Its type, or the type it is a kind of.
    pub of: String,
}

/// A predicate, function or task with its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub params: Vec<Typed>,
}

/// A variable or a constant.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Term {
    /// `?place`
    Variable(String),
    /// `box`
    Constant(String),
}

/// A predicate, function or task with arguments.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Atom {
    /// Its name.
    pub name: String,
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
}

impl Formula {
    /// What holds always.
    pub const TRUE: Self = Self::And(vec![]);
    /// What never holds.
    pub const FALSE: Self = Self::Or(vec![]);

    /// Whether it is [`Self::TRUE`].
    pub fn is_true(&self) -> bool {
        *self == Self::TRUE
    }

    /// Whether it is [`Self::FALSE`].
    pub fn is_false(&self) -> bool {
        *self == Self::FALSE
    }
}

/// What an action changes.
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

/// A change and when it happens: `(when a c)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// The condition in the state before; true: always.
    pub when: Formula,
    /// The change.
    pub change: Change,
}

/// A task network.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Network {
    /// The tasks. Their labels in the file are `t1`, `t2` and so on.
    pub tasks: Vec<Atom>,
    /// Which task, by position, comes before which.
    pub order: Vec<(usize, usize)>,
}

/// A method: how a compound task may be decomposed.
#[derive(Debug, Clone, PartialEq)]
pub struct Method {
    /// A line for readers, above the method.
    pub comment: String,
    /// Name and parameters: those of the task and more.
    pub signature: Signature,
    /// The compound task.
    pub task: Atom,
    /// What holds where it is decomposed.
    pub precondition: Formula,
    /// What it is decomposed into.
    pub network: Network,
}

/// An action: a primitive task.
#[derive(Debug, Clone, PartialEq)]
pub struct Action {
    /// A line for readers, above the action.
    pub comment: String,
    /// Name and parameters.
    pub signature: Signature,
    /// What holds where it starts.
    pub precondition: Formula,
    /// What it changes.
    pub effects: Vec<Effect>,
}

/// A planning domain.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Domain {
    /// Lines for readers, at the top.
    pub comment: Vec<String>,
    /// Its name.
    pub name: String,
    /// What a planner has to support: `:typing`.
    pub requirements: Vec<&'static str>,
    /// Types and their parents.
    pub types: Vec<Typed>,
    /// Objects that the domain names.
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
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// Lines for readers, at the top.
    pub comment: Vec<String>,
    /// Its name.
    pub name: String,
    /// The domain's name.
    pub domain: String,
    /// Objects that the domain does not name.
    pub objects: Vec<Typed>,
    /// What is to be done.
    pub network: Network,
    /// What is true at the start.
    pub facts: Vec<Atom>,
    /// Numbers at the start.
    pub numbers: Vec<(Atom, f64)>,
    /// What holds at the end; true: nothing in particular.
    pub goal: Formula,
    /// The function to minimise.
    pub minimize: Option<Atom>,
}
