//! The domains for comparing runs: small, with few facts, and in which much goes wrong.

use taskloom_document::{ChoicePolicy, Direction, Heuristic, Policy, Source};

/// Objects that aren't characters.
pub const THINGS: usize = 2;
/// Facts without parameters.
pub const FACTS: usize = 3;
/// The greatest value of the number.
pub const MOST: i32 = 3;
pub const PRIMITIVES: usize = 4;
pub const COMPOUNDS: usize = 3;
/// The maximum number of calls in a method.
pub const CALLS: usize = 9;

/// Returns an object by its number: first the things, then the characters, in the order of their
/// names.
pub type Object = usize;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arg {
    Object(Object),
    /// The task's parameter, or that of the sensed fact.
    Param,
    /// The variable of a Bind.
    Found,
    Me,
    /// The object that `v` is.
    Held,
}

/// `f0`, `g(?x)`, `n >= 2` or `v = ?x`, or its negation.
#[derive(Debug, Clone, Copy)]
pub enum Test {
    Plain(usize, bool),
    Of(Arg, bool),
    AtLeast(i32, bool),
    Holds(Arg, bool),
    /// `time >= 7`
    Late(i32, bool),
    /// `near(?x, ?y)`, of the variable of a Bind: a fact that never changes, or the answer of a game.
    Near(Arg),
}

/// Returns `true` if one object is near another.
pub fn is_near(from: Object, to: Object) -> bool {
    !(from * 5 + to * 3 + from * to).is_multiple_of(3)
}

impl Test {
    /// Returns its argument, if it has one.
    pub fn arg(self) -> Option<Arg> {
        match self {
            Self::Of(arg, _) | Self::Holds(arg, _) | Self::Near(arg) => Some(arg),
            Self::Plain(..) | Self::AtLeast(..) | Self::Late(..) => None,
        }
    }

    /// Returns the same test about another argument.
    pub fn with_arg(self, other: impl Fn(Arg) -> Arg) -> Self {
        match self {
            Self::Of(arg, is) => Self::Of(other(arg), is),
            Self::Holds(arg, is) => Self::Holds(other(arg), is),
            Self::Near(arg) => Self::Near(other(arg)),
            Self::Plain(..) | Self::AtLeast(..) | Self::Late(..) => self,
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub enum Change {
    Plain(usize, bool),
    Of(Arg, bool),
    Add(i32),
    /// `v := ?x`
    Hold(Arg),
}

#[derive(Debug, Clone, Copy)]
pub struct Effect {
    pub change: Change,
    pub when: Option<Test>,
    /// `eff`, `planned` or `executed`.
    pub timing: &'static str,
}

#[derive(Debug, Clone)]
pub struct Primitive {
    pub pre: Vec<Test>,
    pub integrity: Vec<Test>,
    pub done: Vec<Test>,
    pub effects: Vec<Effect>,
    pub duration: u32,
    /// The executor, by its number.
    pub executor: usize,
    /// `true` if it takes the number's value in additional ticks.
    pub depends: bool,
    pub cost: Option<Score>,
    pub uninterruptible: bool,
    pub cooldown: u32,
    pub claims: Vec<Arg>,
}

/// A task and its argument; compound tasks come after the primitive ones.
pub type Call = (usize, Arg);

/// An alternative of a Choice.
#[derive(Debug, Clone)]
pub struct Alternative {
    pub score: Option<Score>,
    pub guard: Option<Test>,
    pub calls: Vec<Call>,
}

#[derive(Debug, Clone, Copy)]
pub enum Score {
    Is(i32),
    Number,
    /// The number of objects for which `g` is true.
    Count,
}

#[derive(Debug, Clone)]
pub enum Method {
    Sequence(Vec<Call>),
    Unordered(Vec<Call>),
    Choice(ChoicePolicy, Vec<Alternative>),
    Branch(Test, Vec<Call>, Vec<Call>),
    Bind(Vec<Test>, Vec<Call>),
    /// The call if a test is true, otherwise nothing: a repetition of a Task block.
    While(Test, Call),
}

/// The options of a Task block.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// The number of times that the task is done.
    pub repeat: usize,
    /// The test that must be true for each of them.
    pub repeat_while: Option<Test>,
    /// The number of ticks after its start at which it fails.
    pub timeout: Option<u32>,
    /// The maximum number of retries.
    pub retry: Option<u32>,
    /// `true` if the task ends with the other ones.
    pub background: bool,
    /// The task that cleans up after it.
    pub on_abort: Option<Call>,
}

#[derive(Debug, Clone)]
pub struct Compound {
    pub pre: Vec<Test>,
    /// The condition that it achieves; empty: none.
    pub goal: Vec<Test>,
    pub integrity: Vec<Test>,
    pub cooldown: u32,
    pub method: Method,
    /// The options of the method's calls, in the order in which the method lists them.
    pub options: Vec<Options>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            repeat: 1,
            repeat_while: None,
            timeout: None,
            retry: None,
            background: false,
            on_abort: None,
        }
    }
}

impl Method {
    /// Returns its calls, in the order in which it lists them.
    pub fn calls_mut(&mut self) -> Vec<&mut Call> {
        match self {
            Self::Sequence(calls) | Self::Unordered(calls) | Self::Bind(_, calls) => {
                calls.iter_mut().collect()
            }
            Self::Branch(_, yes, no) => yes.iter_mut().chain(no).collect(),
            Self::While(_, call) => vec![call],
            Self::Choice(_, ways) => ways.iter_mut().flat_map(|one| &mut one.calls).collect(),
        }
    }
}

/// A ground fact, in the order of ground facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Atom {
    Plain(usize),
    Of(Object),
    Number,
    /// `v`: an object's number plus one, or 0 for undefined.
    Held,
}

/// The number of facts: the plain ones, `g`, `n`, `v`.
pub const ALL_FACTS: usize = FACTS + 3;

/// A fact, by its number.
pub fn fact(atom: Atom) -> usize {
    match atom {
        Atom::Plain(fact) => fact,
        Atom::Of(_) => FACTS,
        Atom::Number => FACTS + 1,
        Atom::Held => FACTS + 2,
    }
}

#[derive(Debug, Clone)]
pub struct Sense {
    /// The fact's number.
    pub fact: usize,
    pub every: u32,
    pub forget: Option<u32>,
    pub unknown: bool,
    pub when: Option<Test>,
}

/// A goal of agents.
#[derive(Debug, Clone)]
pub struct Goal {
    pub subgoals: Vec<Test>,
    pub condition: Vec<Test>,
    /// The tasks that serve it.
    pub tasks: Vec<Call>,
    pub priority: i32,
    pub relevance: Option<Score>,
    pub bias: Option<Score>,
    pub cooldown: u32,
}

/// The options of an agent's planning for its goals, given by their numbers.
#[derive(Debug, Clone)]
pub struct Pursuit {
    pub goals: Vec<usize>,
    pub heuristic: Heuristic,
    pub direction: Direction,
    pub depth: Option<u32>,
    pub retry: u32,
    pub commitment: u32,
}

#[derive(Debug, Clone)]
pub enum Planning {
    Decomposition(Policy),
    Reactive,
    Goals(Pursuit),
}

#[derive(Debug, Clone)]
pub struct Agent {
    pub planning: Planning,
    /// Tasks, by their numbers.
    pub uses: Vec<usize>,
    /// `None` if it has goals.
    pub tasks: Vec<Call>,
    pub senses: Vec<Sense>,
    pub failure: Option<u32>,
    pub again: bool,
    pub perception: bool,
    pub every: Option<u32>,
    pub alternative: bool,
    /// The margin by which another goal's value must be higher.
    pub margin: Option<f64>,
}

/// A member of the cast: the object with its number after the things.
#[derive(Debug, Clone)]
pub struct Member {
    pub agent: usize,
    pub tasks: Vec<Call>,
    pub beliefs: Vec<(Atom, i32)>,
}

#[derive(Debug, Clone)]
pub struct Event {
    pub at: u32,
    pub every: Option<u32>,
    pub when: Option<Test>,
    pub change: Change,
}

/// An action that fails.
#[derive(Debug, Clone)]
pub struct Failure {
    pub task: usize,
    pub object: Option<Object>,
    pub time: Option<u32>,
    pub chance: Option<f64>,
}

#[derive(Debug, Clone)]
pub struct Domain {
    pub sources: [Source; ALL_FACTS],
    /// `true` if objects for which `g` is true are absent.
    pub has_absence: bool,
    pub primitives: Vec<Primitive>,
    pub compounds: Vec<Compound>,
    pub goals: Vec<Goal>,
    pub agents: Vec<Agent>,
    pub initial: Vec<(Atom, i32)>,
    pub cast: Vec<Member>,
    /// If `true`, the document describes the cast, whose members then differ only in their names,
    /// as a crowd. The interpreter reads only the cast.
    pub is_crowd: bool,
    pub tasks: Vec<Call>,
    pub goal: Option<Test>,
    pub events: Vec<Event>,
    pub failures: Vec<Failure>,
    pub seed: u32,
}

impl Domain {
    /// Returns the number of characters.
    pub fn characters(&self) -> usize {
        self.cast.len().max(1)
    }

    /// Returns `true` if Bind blocks find objects near something.
    pub fn finds_near(&self) -> bool {
        let is_near = |test: &Test| matches!(test, Test::Near(_));
        let methods = self.compounds.iter().map(|compound| &compound.method);
        let mut binds = methods.filter_map(|method| match method {
            Method::Bind(tests, _) => Some(tests),
            _ => None,
        });
        binds.any(|tests| tests.iter().any(is_near))
    }

    /// Returns `true` if any task calls itself.
    pub fn is_recursive(&self) -> bool {
        let compounds = self.compounds.iter().enumerate();
        let mut compounds = compounds.map(|(number, one)| (PRIMITIVES + number, one));
        compounds.any(|(task, one)| {
            let mut method = one.method.clone();
            let mut calls = method.calls_mut().into_iter();
            calls.any(|call| call.0 == task)
        })
    }

    /// Returns the number of objects.
    pub fn objects(&self) -> usize {
        THINGS + self.cast.len()
    }

    /// Returns the object of a character, if it has one.
    pub fn me(&self, character: usize) -> Option<Object> {
        (character < self.cast.len()).then_some(THINGS + character)
    }

    /// Returns the tasks of a character.
    pub fn tasks(&self, character: usize) -> &[Call] {
        match self.cast.get(character) {
            Some(member) if !member.tasks.is_empty() => &member.tasks,
            Some(member) if self.has_nothing() => &self.agents[member.agent].tasks,
            _ => &self.tasks,
        }
    }

    /// Returns `true` if the scenario has nothing to do for characters without tasks.
    fn has_nothing(&self) -> bool {
        self.tasks.is_empty() && self.goal.is_none()
    }

    /// Returns the goal of a character.
    pub fn goal(&self, character: usize) -> Option<Test> {
        let has_own = self.cast.get(character);
        let has_own = has_own.is_some_and(|member| !member.tasks.is_empty());
        self.goal.filter(|_| !has_own)
    }
}
