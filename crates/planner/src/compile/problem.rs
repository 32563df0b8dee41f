//! A problem over a flat domain: everything has an index, and names are only used for output.

use std::sync::Arc;

use super::code::{Code, FormulaId, List, NumberId, Read, Term};
use super::steps::compile_texts;
use crate::plan::{AtomKey, State, Value, World};
use taskloom_document::stop::Stop;
use taskloom_document::{GoalSearch, Name, Policy};
use taskloom_domain::flow::Chart;
use taskloom_domain::ground::{Atom, GroundTask};
use taskloom_domain::lang::World as _;

/// A state, an initial task network and a goal over a flat domain, with the stop token of its
/// searches. Cloning it only counts references.
#[derive(Debug, Clone)]
pub struct Problem {
    pub(super) flat: Arc<Flat>,
    pub(super) start: Arc<Start>,
    pub(super) stop: Stop,
}

impl Problem {
    /// Returns the problem with the same domain, objects and goal, but with the world's state and
    /// other tasks, in sequence. Replanning therefore compiles nothing. `tasks` is `None` if one of
    /// them is invalid.
    ///
    /// The world must belong to the document and scenario that this problem was compiled from.
    /// Unknown facts and objects in it are ignored; an unknown task counts as invalid.
    #[must_use]
    pub fn with_state(&self, world: &World, tasks: Option<&[GroundTask]>) -> Self {
        let base = self.start.world.as_ref();
        let differing = base.and_then(|base| world.differences(base));
        let (mut state, values) = match differing {
            Some(differing) => (self.start.state.clone(), differing),
            None => (State::default(), world.assigned_atoms()),
        };
        for (atom, value) in values {
            self.flat.set(&mut state, &atom, &value);
        }
        if let Some(time) = self.flat.time {
            state.assign(&[time], world.time().to_bits());
        }
        let claimed = self
            .flat
            .claimed
            .into_iter()
            .flat_map(|_| world.claimed().iter());
        let claimed =
            claimed.filter_map(|(object, by)| Some((self.flat.object(object)?, by.clone())));
        let claimed: Vec<(u32, Option<Name>)> = claimed.collect();
        if let Some(fact) = self.flat.claimed {
            // The base has those that were claimed when it was made.
            for (object, _) in &self.start.claimed {
                state.set(&[fact, *object], false);
            }
            for (object, _) in &claimed {
                state.set(&[fact, *object], true);
            }
        }
        state.settle();
        let numbers = tasks.map(|tasks| tasks.iter().map(|task| self.flat.task_numbers(task)));
        Self {
            flat: self.flat.clone(),
            start: Arc::new(Start {
                roots: numbers.and_then(Iterator::collect),
                claimed,
                ..Start::of(state, self.start.seed)
            }),
            stop: self.stop.clone(),
        }
    }

    /// Returns the same problem for another version of its scene: that of a world, with its actor. It has no
    /// tasks. Takes time for the domain's texts, and for what has values.
    #[must_use]
    pub fn in_scene(&self, world: &World) -> Self {
        let scene = (&self.flat.scenario, world.scene());
        let flat = compile_texts(world.domain(), scene, world.actor());
        let objects = self.flat.objects.iter();
        let objects: Vec<Option<u32>> = objects.map(|object| flat.object(object)).collect();
        let has_objects = |fact: u32| {
            let fact = self.flat.facts.get(fact as usize);
            fact.is_some_and(|fact| matches!(fact.value, FlatValue::Object))
        };
        let claimed = self.start.claimed.iter();
        let claimed = claimed
            .filter_map(|(object, by)| Some((objects[*object as usize]?, by.clone())))
            .collect();
        let base = self.start.world.clone().map(|mut base| {
            base.enter(world.scene(), world.actor());
            base
        });
        let state = self.start.state.renumbered(&objects, has_objects);
        let start = Start {
            world: base,
            claimed,
            ..Start::of(state, self.start.seed)
        };
        Self {
            flat,
            start: Arc::new(start),
            stop: self.stop.clone(),
        }
    }

    /// Returns `true` if it is the base for problems in versions of this world.
    pub fn is_base_of(&self, world: &World) -> bool {
        let base = self.start.world.as_ref();
        base.is_some_and(|base| world.is_version_of(base))
    }

    /// Returns the problem with the world's state and no tasks, as the base for problems in later versions
    /// of the world: [`with_state`](Self::with_state) takes time for what has changed since only.
    #[must_use]
    pub fn based_on(&self, world: &World) -> Self {
        let mut problem = self.with_state(world, None);
        Arc::make_mut(&mut problem.start).world = Some(world.clone());
        problem
    }

    /// Returns the problem with another random seed.
    #[must_use]
    pub fn seeded(mut self, seed: u64) -> Self {
        Arc::make_mut(&mut self.start).seed = seed;
        self
    }

    /// Returns the problem as it is after `steps` steps of a plan made with the same seed, so that
    /// its random draws are those of that plan's later steps.
    #[must_use]
    pub fn after_steps(mut self, steps: usize) -> Self {
        Arc::make_mut(&mut self.start).steps_before = steps;
        self
    }

    /// Returns the problem without plans for these goals of the agent.
    #[must_use]
    pub fn excluding_goals(mut self, goals: &[Name]) -> Self {
        if !goals.is_empty() {
            Arc::make_mut(&mut self.start).excluded_goals = goals.to_vec();
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

    /// Returns `true` if there are no tasks, but goals to plan for.
    pub fn is_for_goals(&self) -> bool {
        self.roots().is_some_and(<[_]>::is_empty) && !self.flat.goals.is_empty()
    }

    /// Returns the problem without plans that contain one of these tasks or are for one of these goals,
    /// which are cooling down: each with the number of ticks until it may be planned again.
    #[must_use]
    pub fn cooling_down(mut self, tasks: &[(Name, u32)], goals: &[(Name, u32)]) -> Self {
        if !tasks.is_empty() || !goals.is_empty() {
            let numbers = tasks
                .iter()
                .filter_map(|(name, ticks)| Some((self.flat.task_number(name)?, *ticks)));
            let start = Arc::make_mut(&mut self.start);
            start.cooling = numbers.collect();
            start.cooling_goals = goals.to_vec();
        }
        self
    }

    /// Returns the problem of reaching the goal of a ground compound task from a state.
    pub(crate) fn achieving(&self, tuple: &[u32], state: &State) -> Self {
        let mut state = state.clone();
        state.settle();
        let target = tuple.split_first();
        let start = Start {
            roots: Some(vec![]),
            excluded: self.start.excluded.clone(),
            cooling: self.start.cooling.clone(),
            claimed: self.start.claimed.clone(),
            target: target.map(|(task, args)| (*task, args.to_vec())),
            ..Start::of(state, self.start.seed)
        };
        Self {
            start: Arc::new(start),
            ..self.clone()
        }
    }

    /// Returns the goal to reach instead of the agent's goals, with the number of slots that it
    /// needs, of which the first are the arguments.
    pub(crate) fn target(&self) -> Option<Target<'_>> {
        let (task, args) = self.start.target.as_ref()?;
        let task = self.flat.tasks.get(*task as usize)?;
        match &task.kind {
            FlatKind::Compound {
                goal: Some(goal), ..
            } => Some((goal, (task.frame, args))),
            _ => None,
        }
    }

    /// Returns the planning policy of the character that the problem was compiled for.
    pub fn policy(&self) -> Policy {
        self.flat.policy
    }

    /// Returns `true` if plans look no further than the next step.
    pub fn is_reactive(&self) -> bool {
        self.flat.is_reactive
    }

    /// Returns the goals that are currently excluded from planning.
    pub(crate) fn excluded_goals(&self) -> &[Name] {
        &self.start.excluded_goals
    }

    /// Returns the same problem with another stop token, which ends its searches with
    /// [`Outcome::Stopped`](crate::plan::Outcome).
    pub fn with_stop(&self, stop: &Stop) -> Self {
        Self {
            stop: stop.clone(),
            ..self.clone()
        }
    }

    pub(crate) fn flat(&self) -> &Arc<Flat> {
        &self.flat
    }

    /// Returns the initial state.
    pub(crate) fn initial(&self) -> &State {
        &self.start.state
    }

    /// Returns the tasks, in sequence, or `None` if one of them is invalid.
    pub(crate) fn roots(&self) -> Option<&[Root]> {
        self.start.roots.as_deref()
    }

    /// Returns the random seed.
    pub(crate) fn seed(&self) -> u64 {
        self.start.seed
    }

    /// Returns the number of steps before this problem's first one, for random draws.
    pub(crate) fn steps_before(&self) -> usize {
        self.start.steps_before
    }

    /// Returns `true` if no plan may contain this ground task, given as its index and its
    /// arguments.
    pub(crate) fn excludes(&self, tuple: &[u32]) -> bool {
        let mut excluded = self.start.excluded.iter();
        excluded.any(|(task, args)| tuple.split_first() == Some((task, &args[..])))
            || tuple.first().is_some_and(|task| self.cooldown(*task) > 0)
    }

    /// Returns the number of ticks until a task, given by its index, may be planned again.
    pub(crate) fn cooldown(&self, task: u32) -> u32 {
        let mut cooling = self.start.cooling.iter();
        let found = cooling.find(|(cooling, _)| *cooling == task);
        found.map_or(0, |(_, ticks)| *ticks)
    }

    /// Returns the number of ticks until a goal may be pursued again.
    pub(crate) fn goal_cooldown(&self, goal: &Name) -> u32 {
        let mut cooling = self.start.cooling_goals.iter();
        let found = cooling.find(|(cooling, _)| cooling == goal);
        found.map_or(0, |(_, ticks)| *ticks)
    }

    pub(crate) fn stop(&self) -> &Stop {
        &self.stop
    }
}

/// A goal, with the number of its slots and the arguments in the first of them.
pub(crate) type Target<'p> = (&'p [Conjunct], (u32, &'p [u32]));

/// The index of a task and those of its arguments.
pub(crate) type Root = (u32, Vec<u32>);

/// The starting point of a [`Problem`].
#[derive(Debug, Clone)]
pub(crate) struct Start {
    pub state: State,
    /// The world that the state is of, if other states are made from it.
    pub world: Option<World>,
    /// In sequence; `None` if one of them is invalid.
    pub roots: Option<Vec<Root>>,
    /// The random seed.
    pub seed: u64,
    /// The number of steps before the first one, for random draws.
    pub steps_before: usize,
    /// Goals excluded from planning.
    pub excluded_goals: Vec<Name>,
    /// Ground primitive tasks that no plan contains.
    pub excluded: Vec<Root>,
    /// Tasks that are cooling down, by their indices, with the number of ticks until they may be
    /// planned again.
    pub cooling: Vec<(u32, u32)>,
    /// Goals that are cooling down.
    pub cooling_goals: Vec<(Name, u32)>,
    /// The objects that other actors claim, by their indices, each with the name of the actor.
    pub claimed: Vec<(u32, Option<Name>)>,
    /// The ground compound task whose goal is to be reached, instead of those of the agent.
    pub target: Option<Root>,
}

impl Start {
    /// Creates the starting point in a state, with a random seed: without tasks, and with nothing excluded,
    /// cooling down or claimed.
    pub fn of(state: State, seed: u64) -> Self {
        Self {
            state,
            world: None,
            roots: None,
            seed,
            steps_before: 0,
            excluded_goals: vec![],
            excluded: vec![],
            cooling: vec![],
            cooling_goals: vec![],
            claimed: vec![],
            target: None,
        }
    }
}

/// The part that all problems of a domain share, wherever they start.
#[derive(Debug)]
pub(crate) struct Flat {
    pub scenario: Name,
    /// The names of the objects, in object order.
    pub objects: Vec<Name>,
    /// The objects of each type, in object order.
    pub types: Vec<Vec<u32>>,
    /// Sorted by name, with the hidden ones last: the time, and the claimed objects.
    pub facts: Vec<FlatFact>,
    /// The index of the hidden fact for the time, which the reported changes of a step omit; `None`
    /// if nothing reads it.
    pub time: Option<u32>,
    /// The index of the hidden fact for the objects that other actors claim; `None` if no task has claims.
    pub claimed: Option<u32>,
    pub tasks: Vec<FlatTask>,
    pub code: Code,
    pub goal: Vec<Conjunct>,
    /// The number of slots that the goal needs.
    pub goal_frame: u32,
    /// The goals to plan for if there are no tasks.
    pub goals: Vec<FlatGoal>,
    /// The search settings for goals.
    pub goal_search: GoalSearch,
    /// `true` if plans look no further than the next step.
    pub is_reactive: bool,
    /// The planning policy.
    pub policy: Policy,
}

/// A goal of a character without tasks.
#[derive(Debug)]
pub(crate) struct FlatGoal {
    /// The name of the agent's goal; `None` for the scenario's.
    pub name: Option<Name>,
    /// The subgoals to achieve in sequence; the goal itself comes last.
    pub stages: Vec<Vec<Conjunct>>,
    /// The number of slots that the stages need.
    pub frame: u32,
    pub priority: f64,
    /// `None` if it is invalid.
    pub relevance: Option<NumberId>,
    /// `None` if it is invalid.
    pub bias: Option<NumberId>,
}

/// Returns the index of a name among things sorted by name.
fn index_of<T>(things: &[T], of: impl Fn(&T) -> &Name, name: &Name) -> Option<u32> {
    let index = things.binary_search_by(|thing| of(thing).cmp(name));
    index.ok().map(|index| index as u32)
}

impl Flat {
    fn object(&self, name: &Name) -> Option<u32> {
        index_of(&self.objects, |object| object, name)
    }

    /// Sets a ground fact, if it belongs to this domain.
    pub fn set(&self, state: &mut State, atom: &Atom, value: &Value) -> Option<()> {
        let hidden = usize::from(self.time.is_some()) + usize::from(self.claimed.is_some());
        let facts = &self.facts[..self.facts.len() - hidden];
        let fact = index_of(facts, |fact| &fact.name, &atom.fact);
        let args = atom.args.iter().map(|arg| self.object(arg));
        let numbers: AtomKey = std::iter::once(fact).chain(args).collect::<Option<_>>()?;
        state.put_value(&numbers, value, |object| self.object(object));
        Some(())
    }

    /// Returns the index of a task, if it belongs to this domain. Primitive tasks come first.
    fn task_number(&self, name: &Name) -> Option<u32> {
        let is_primitive = |task: &FlatTask| matches!(task.kind, FlatKind::Primitive { .. });
        let (primitive, compound) = self
            .tasks
            .split_at(self.tasks.partition_point(is_primitive));
        index_of(primitive, |task| &task.name, name).or_else(|| {
            let number = index_of(compound, |task| &task.name, name)?;
            Some(primitive.len() as u32 + number)
        })
    }

    /// Returns the indices of a ground task, if it belongs to this domain.
    pub fn task_numbers(&self, task: &GroundTask) -> Option<Root> {
        let number = self.task_number(&task.task)?;
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
    /// Returns `true` if a fact may take this number.
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
    /// The types of its parameters.
    pub params: Vec<u32>,
    /// The number of slots in its frame: parameters first, then the variables of Bind blocks and of
    /// quantifiers.
    pub frame: u32,
    pub preconditions: Vec<Conjunct>,
    pub kind: FlatKind,
}

#[derive(Debug)]
pub(crate) enum FlatKind {
    Primitive {
        /// The effects used in planning.
        effects: Vec<FlatEffect>,
        /// `None` means 1.
        cost: Option<NumberId>,
    },
    Compound {
        /// `None` if the flowchart has no resolutions.
        chart: Option<Arc<Chart>>,
        /// Indexed by position in the chart.
        blocks: Vec<FlatBlock>,
        /// The condition that it achieves, if it has one.
        goal: Option<Vec<Conjunct>>,
    },
}

/// A part of a condition that can fail separately.
#[derive(Debug)]
pub(crate) struct Conjunct {
    /// `None` if it is invalid; it then does not hold.
    pub formula: Option<FormulaId>,
    /// The text as typed.
    pub text: Box<str>,
    /// The variables in it and their slots.
    pub variables: Arc<[(Name, u32)]>,
}

#[derive(Debug)]
pub(crate) struct FlatBlock {
    /// The variables of Bind blocks that its texts use.
    pub imports: Vec<Import>,
    pub code: BlockCode,
}

/// A variable bound by Bind blocks upstream: the last one present applies.
#[derive(Debug)]
pub(crate) struct Import {
    pub slot: u32,
    /// The slots of the Bind blocks, the last one first.
    pub from: Vec<u32>,
    /// The slot of a parameter of the same name.
    pub otherwise: Option<u32>,
}

#[derive(Debug)]
pub(crate) enum BlockCode {
    /// Begin and End.
    Pass,
    Choice {
        /// The outputs, for display.
        labels: Vec<Box<str>>,
        order: ChoiceOrder,
    },
    Task {
        /// The text as typed.
        text: Box<str>,
        /// The task and its arguments; `None` if the call is invalid.
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

/// The order in which the outputs of a Choice are tried.
#[derive(Debug)]
pub(crate) enum ChoiceOrder {
    /// In the order drawn.
    Drawn,
    /// By these costs, lowest first.
    Lowest(Vec<Option<NumberId>>),
    /// By these scores, highest first.
    Highest(Vec<Option<NumberId>>),
    /// Random, with these weights.
    Random(Vec<Option<NumberId>>),
}

impl BlockCode {
    /// Returns the called task and its arguments, if it is a valid call.
    pub fn call(&self) -> Option<(u32, List)> {
        match self {
            Self::Task { call, .. } => *call,
            Self::Pass | Self::Choice { .. } | Self::Branch(_) | Self::Bind { .. } => None,
        }
    }

    /// Returns `false` for an invalid call, which makes every path through it inapplicable.
    pub fn is_passable(&self) -> bool {
        match self {
            Self::Task { call, .. } => call.is_some(),
            Self::Pass | Self::Choice { .. } | Self::Branch(_) | Self::Bind { .. } => true,
        }
    }

    /// Returns the display name of an option; that of a Bind is its variable's value.
    pub fn option_label(&self, option: u32) -> &str {
        match self {
            Self::Branch(_) if option == 0 => "yes",
            Self::Branch(_) => "no",
            Self::Choice { labels, .. } => labels.get(option as usize).map_or("", |label| label),
            Self::Pass | Self::Task { .. } | Self::Bind { .. } => "",
        }
    }

    /// Returns the variable that it binds, and its slot.
    pub fn binds(&self) -> Option<(&Name, u32)> {
        match self {
            Self::Bind { variable, slot, .. } => Some((variable, *slot)),
            Self::Pass | Self::Choice { .. } | Self::Task { .. } | Self::Branch(_) => None,
        }
    }
}

#[derive(Debug)]
pub(crate) struct FlatEffect {
    /// Slots and types of the quantified variables.
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
