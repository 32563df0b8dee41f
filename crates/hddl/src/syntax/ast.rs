//! The trees of HDDL, for reading and for writing. Variables are without their
//! question mark.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use taskloom_document::diagnostic::Span;

/// A name, and where it stands in the text that it was read from. Where it
/// stands makes no difference to what it is.
#[derive(Clone)]
pub struct Ident {
    text: Arc<str>,
    /// Where it stands; empty in a tree that was not read.
    pub span: Span,
}

impl Ident {
    /// A name that was read.
    pub fn new(text: Arc<str>, span: Span) -> Self {
        Self { text, span }
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The name, shared.
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
    /// Its type, or the type it is a kind of; several: `(either a b)`; none:
    /// `object`.
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
    /// It with its own parameters as arguments.
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
    /// `(sortof ?p - place)`, of constraints: one of the types.
    OfType(Term, Vec<Ident>),
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

impl Change {
    /// The fact or function that changes.
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

/// A change and when it happens: `(forall (?p - place) (when a c))`.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// For every object of these.
    pub forall: Vec<Typed>,
    /// The condition in the state before; true: always.
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
    /// Which task, by position, comes before which.
    pub order: Vec<(usize, usize)>,
    /// What its variables have to satisfy; true: nothing.
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
    pub name: Ident,
    /// What a planner has to support: `:typing`.
    pub requirements: Vec<Ident>,
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
    pub name: Ident,
    /// The domain's name.
    pub domain: Ident,
    /// Objects that the domain does not name.
    pub objects: Vec<Typed>,
    /// What is to be done; none in PDDL, where the goal alone says it.
    pub network: Option<Network>,
    /// What is true at the start.
    pub facts: Vec<Atom>,
    /// What is said to be false at the start, as all is that is not said to be true.
    pub denied: Vec<Atom>,
    /// Numbers at the start.
    pub numbers: Vec<(Atom, f64)>,
    /// What holds at the end; true: nothing in particular.
    pub goal: Formula,
    /// The function to minimise.
    pub minimize: Option<Atom>,
}
