//! A problem over a flat domain: everything has a number, and names are looked
//! up only to tell somebody.

use std::sync::Arc;

use super::code::{Code, FormulaId, List, NumberId, Read, Term};
use crate::plan::{AtomKey, State, Value, World};
use taskloom_document::stop::Stop;
use taskloom_document::{GoalSearch, Name, Policy};
use taskloom_domain::flow::Chart;
use taskloom_domain::ground::{Atom, GroundTask};
use taskloom_domain::lang::World as _;

/// A state, an initial task network and a goal over a flat domain, and who may
/// stop the searches of it. Cloning it counts references.
#[derive(Debug, Clone)]
pub struct Problem {
    pub(super) flat: Arc<Flat>,
    pub(super) start: Arc<Start>,
    pub(super) stop: Stop,
}

impl Problem {
    /// The same domain, objects and goal from another state, the world's, and with other
    /// tasks, in sequence: planning anew compiles nothing. No tasks at all: one of them
    /// cannot be read.
    ///
    /// The world has to be one of the document and scenario that this was compiled from.
    /// What else it names counts for nothing, and a task that does not exist like one that
    /// cannot be read.
    #[must_use]
    pub fn anew(&self, world: &World, tasks: Option<&[GroundTask]>) -> Self {
        let mut state = State::default();
        for (atom, value) in world.set_atoms() {
            self.flat.set(&mut state, &atom, &value);
        }
        if let Some(time) = self.flat.time {
            state.assign(&[time], world.time().to_bits());
        }
        state.settle();
        let numbers = tasks.map(|tasks| tasks.iter().map(|task| self.flat.task_numbers(task)));
        Self {
            flat: self.flat.clone(),
            start: Arc::new(Start {
                state,
                roots: numbers.and_then(Iterator::collect),
                seed: self.start.seed,
                steps_before: 0,
                barred: vec![],
                excluded: vec![],
            }),
            stop: self.stop.clone(),
        }
    }

    /// Returns the problem with another seed for its draws.
    #[must_use]
    pub fn seeded(mut self, seed: u64) -> Self {
        Arc::make_mut(&mut self.start).seed = seed;
        self
    }

    /// Returns the problem as it is after `steps` steps of a plan that was made with the same seed: its
    /// draws are those of that plan's later steps.
    #[must_use]
    pub fn after_steps(mut self, steps: usize) -> Self {
        Arc::make_mut(&mut self.start).steps_before = steps;
        self
    }

    /// Returns the problem without plans for these goals of the agent.
    #[must_use]
    pub fn without(mut self, goals: &[Name]) -> Self {
        if !goals.is_empty() {
            Arc::make_mut(&mut self.start).barred = goals.to_vec();
        }
        self
    }

    /// Returns the problem without plans that contain one of these ground primitive tasks.
    #[must_use]
    pub fn excluding<'t>(mut self, tasks: impl IntoIterator<Item = &'t GroundTask>) -> Self {
        let tasks = tasks.into_iter();
        let excluded: Vec<Root> = tasks
            .filter_map(|task| self.flat.task_numbers(task))
            .collect();
        if !excluded.is_empty() {
            Arc::make_mut(&mut self.start).excluded = excluded;
        }
        self
    }

    /// Whether there are no tasks to be done, and goals to plan for.
    pub fn is_for_goals(&self) -> bool {
        self.roots().is_some_and(<[_]>::is_empty) && !self.flat.goals.is_empty()
    }

    /// Which plan the character wants that it was compiled for.
    pub fn policy(&self) -> Policy {
        self.flat.policy
    }

    /// Whether plans look no further than the next step.
    pub fn is_reactive(&self) -> bool {
        self.flat.is_reactive
    }

    /// The goals for which there are no plans now.
    pub(crate) fn barred(&self) -> &[Name] {
        &self.start.barred
    }

    /// The same problem, whose searches end when this stop is heard: with
    /// [`Outcome::Stopped`](crate::plan::Outcome).
    pub fn until(&self, stop: &Stop) -> Self {
        Self {
            stop: stop.clone(),
            ..self.clone()
        }
    }

    pub(crate) fn flat(&self) -> &Arc<Flat> {
        &self.flat
    }

    /// The state in which it starts.
    pub(crate) fn initial(&self) -> &State {
        &self.start.state
    }

    /// The tasks, in sequence; none where one of them cannot be read.
    pub(crate) fn roots(&self) -> Option<&[Root]> {
        self.start.roots.as_deref()
    }

    /// What chance depends on.
    pub(crate) fn seed(&self) -> u64 {
        self.start.seed
    }

    /// The number of steps that come before this problem's first one, for draws.
    pub(crate) fn steps_before(&self) -> usize {
        self.start.steps_before
    }

    /// Returns `true` if no plan may contain this ground task, given as its number and its arguments.
    pub(crate) fn excludes(&self, tuple: &[u32]) -> bool {
        let mut excluded = self.start.excluded.iter();
        excluded.any(|(task, args)| tuple.split_first() == Some((task, &args[..])))
    }

    pub(crate) fn stop(&self) -> &Stop {
        &self.stop
    }
}

/// A task's number and those of its arguments.
pub(crate) type Root = (u32, Vec<u32>);

/// Where a [`Problem`] starts.
#[derive(Debug, Clone)]
pub(crate) struct Start {
    pub state: State,
    /// In sequence; none where one of them cannot be read.
    pub roots: Option<Vec<Root>>,
    /// What chance depends on.
    pub seed: u64,
    /// The number of steps that come before the first one, for draws.
    pub steps_before: usize,
    /// Goals that are not planned for.
    pub barred: Vec<Name>,
    /// Ground primitive tasks that no plan contains.
    pub excluded: Vec<Root>,
}

/// What all problems of a domain have in common that differ in where they start.
#[derive(Debug)]
pub(crate) struct Flat {
    pub scenario: Name,
    /// Names of the objects, in object order.
    pub objects: Vec<Name>,
    /// The objects of each type, in object order.
    pub types: Vec<Vec<u32>>,
    /// In the order of their names; the time comes last.
    pub facts: Vec<FlatFact>,
    /// The number that is the time, which no change of a step tells of; none: nothing asks for it.
    pub time: Option<u32>,
    pub tasks: Vec<FlatTask>,
    pub code: Code,
    pub goal: Vec<Conjunct>,
    /// How many slots the goal needs.
    pub goal_frame: u32,
    /// What is planned for where there are no tasks.
    pub goals: Vec<FlatGoal>,
    /// How plans for goals are looked for.
    pub goal_search: GoalSearch,
    /// Whether plans look no further than the next step.
    pub is_reactive: bool,
    /// Which plan is wanted.
    pub policy: Policy,
}

/// What a character without tasks plans for.
#[derive(Debug)]
pub(crate) struct FlatGoal {
    /// One of its agent's; none: the scenario's.
    pub name: Option<Name>,
    /// What is to hold, one after the other; the last one in the end.
    pub stages: Vec<Vec<Conjunct>>,
    /// How many slots these need.
    pub frame: u32,
    pub priority: f64,
    /// None: it cannot be read.
    pub relevance: Option<NumberId>,
    /// None: it cannot be read.
    pub bias: Option<NumberId>,
}

/// The place of a name among those of things in the order of their names.
fn place<T>(things: &[T], of: impl Fn(&T) -> &Name, name: &Name) -> Option<u32> {
    let place = things.binary_search_by(|thing| of(thing).cmp(name));
    place.ok().map(|place| place as u32)
}

impl Flat {
    fn object(&self, name: &Name) -> Option<u32> {
        place(&self.objects, |object| object, name)
    }

    /// Gives a ground fact a value, if it is one of this domain.
    pub fn set(&self, state: &mut State, atom: &Atom, value: &Value) -> Option<()> {
        let facts = self
            .time
            .map_or(&*self.facts, |time| &self.facts[..time as usize]);
        let fact = place(facts, |fact| &fact.name, &atom.fact);
        let args = atom.args.iter().map(|arg| self.object(arg));
        let numbers: AtomKey = std::iter::once(fact).chain(args).collect::<Option<_>>()?;
        state.put_value(&numbers, value, |object| self.object(object));
        Some(())
    }

    /// The numbers of a ground task, if it is one of this domain. Primitive tasks come first.
    fn task_numbers(&self, task: &GroundTask) -> Option<Root> {
        let is_primitive = |task: &FlatTask| matches!(task.kind, FlatKind::Primitive { .. });
        let (primitive, compound) = self
            .tasks
            .split_at(self.tasks.partition_point(is_primitive));
        let number = place(primitive, |task| &task.name, &task.task).or_else(|| {
            let number = place(compound, |task| &task.name, &task.task)?;
            Some(primitive.len() as u32 + number)
        })?;
        let args = task.args.iter().map(|arg| self.object(arg));
        let args: Vec<u32> = args.collect::<Option<_>>()?;
        let params = self.tasks[number as usize].params.len();
        (args.len() == params).then_some((number, args))
    }
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
        chart: Option<Arc<Chart>>,
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
    Choice {
        /// The outputs, for reading.
        labels: Vec<Box<str>>,
        order: ChoiceOrder,
    },
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

/// In which order the outputs of a Choice are tried.
#[derive(Debug)]
pub(crate) enum ChoiceOrder {
    /// As drawn.
    Drawn,
    /// By these costs, the lowest first.
    Lowest(Vec<Option<NumberId>>),
    /// By these scores, the highest first.
    Highest(Vec<Option<NumberId>>),
    /// By chance, with these weights.
    Random(Vec<Option<NumberId>>),
}

impl BlockCode {
    /// The task that it calls, and the arguments; nothing where they cannot be read.
    pub fn call(&self) -> Option<(u32, List)> {
        match self {
            Self::Task { call, .. } => *call,
            Self::Pass | Self::Choice { .. } | Self::Branch(_) | Self::Bind { .. } => None,
        }
    }

    /// Whether it is no call that cannot be read: that makes each way through it inapplicable.
    pub fn is_passable(&self) -> bool {
        match self {
            Self::Task { call, .. } => call.is_some(),
            Self::Pass | Self::Choice { .. } | Self::Branch(_) | Self::Bind { .. } => true,
        }
    }

    /// What one of its options is called, for reading. That of a Bind is its variable's value.
    pub fn option_label(&self, option: u32) -> &str {
        match self {
            Self::Branch(_) if option == 0 => "yes",
            Self::Branch(_) => "no",
            Self::Choice { labels, .. } => labels.get(option as usize).map_or("", |label| label),
            Self::Pass | Self::Task { .. } | Self::Bind { .. } => "",
        }
    }

    /// The variable that it binds, and its slot.
    pub fn binds(&self) -> Option<(&Name, u32)> {
        match self {
            Self::Bind { variable, slot, .. } => Some((variable, *slot)),
            Self::Pass | Self::Choice { .. } | Self::Task { .. } | Self::Branch(_) => None,
        }
    }
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
