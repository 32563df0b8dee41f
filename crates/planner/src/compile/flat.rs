//! A flat domain: everything has an index, and names are only used for output.

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::code::{Code, FormulaId, List, NumberId, Read, Term};
use super::relevance::Relevance;
use crate::plan::{AtomKey, State, Statics};
use taskloom_document::{GoalSearch, Name, Policy};
use taskloom_domain::flow::Chart;
use taskloom_domain::ground::{Atom, GroundTask};
use taskloom_domain::world::World;

/// The index of a task and those of its arguments.
pub type Root = (u32, Vec<u32>);

/// The part that all problems of a domain share, wherever they start.
#[derive(Debug)]
pub struct Flat {
    /// The scenario.
    pub scenario: Name,
    /// The names of the objects, in object order.
    pub objects: Vec<Name>,
    /// The index of each object.
    pub numbers: Arc<FxHashMap<Name, u32>>,
    /// The objects of each type, in object order.
    pub types: Vec<Vec<u32>>,
    /// Sorted by name, with the hidden ones last: the time, and the claimed objects.
    pub facts: Vec<FlatFact>,
    /// The index of the hidden fact for the time, which the reported changes of a step omit; `None`
    /// if nothing reads it.
    pub time: Option<u32>,
    /// The index of the hidden fact for the objects that other actors claim; `None` if no task has claims.
    pub claimed: Option<u32>,
    /// The tasks, primitive ones first.
    pub tasks: Vec<FlatTask>,
    /// The trees of all texts.
    pub code: Code,
    /// The names of the queries.
    pub queries: Vec<Name>,
    /// The scenario's goal.
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
    /// `true` if a task has integrity rules.
    pub has_rules: bool,
    /// The facts on which the instances of tasks depend, once they are needed.
    pub(super) statics: OnceLock<Statics>,
    /// The ground facts that its texts can be about, once they are needed.
    pub(super) relevance: OnceLock<Relevance>,
}

/// A goal of a character without tasks.
#[derive(Debug)]
pub struct FlatGoal {
    /// The name of the agent's goal; `None` for the scenario's.
    pub name: Option<Name>,
    /// The subgoals to achieve in sequence; the goal itself comes last.
    pub stages: Vec<Vec<Conjunct>>,
    /// The number of slots that the stages need.
    pub frame: u32,
    /// The goal's priority.
    pub priority: f64,
    /// The goal's relevance; `None` if it is invalid.
    pub relevance: Option<NumberId>,
    /// The goal's bias; `None` if it is invalid.
    pub bias: Option<NumberId>,
}

impl Flat {
    /// Returns for each goal the tasks that serve it in a world. A call that is invalid or has an
    /// undefined argument is left out.
    pub(super) fn goal_tasks(&self, world: &World) -> Vec<Vec<Root>> {
        let tasks = |goal: &FlatGoal| {
            let tasks = goal.name.iter().flat_map(|name| world.tasks_of_goal(name));
            tasks.filter_map(|task| self.task_numbers(&task)).collect()
        };
        self.goals.iter().map(tasks).collect()
    }
}

/// Returns the index of a name among things sorted by name.
fn index_of<T>(things: &[T], of: impl Fn(&T) -> &Name, name: &Name) -> Option<u32> {
    let index = things.binary_search_by(|thing| of(thing).cmp(name));
    index.ok().map(|index| index as u32)
}

impl Flat {
    /// Returns the facts on which the instances of tasks depend.
    pub fn statics(&self) -> &Statics {
        self.statics.get_or_init(|| Statics::of(self))
    }

    /// Returns the ground instances of a fact that its texts can be about; `None` if they may be any.
    pub fn relevant(&self, fact: &Name) -> Option<&[Atom]> {
        let number = self.fact(fact);
        number.map_or(Some(&[]), |number| self.relevance().instances(number))
    }

    fn relevance(&self) -> &Relevance {
        self.relevance.get_or_init(|| Relevance::of(self))
    }

    /// Adds the relevant ground facts to a state, as far as they are listed.
    pub fn add_relevant(&self, state: &mut State) {
        for (number, fact) in (0u32..).zip(&self.facts) {
            let is_boolean = matches!(fact.value, FlatValue::Boolean);
            let listed = self.relevance().instances(number).into_iter().flatten();
            for atom in listed.filter_map(|atom| self.atom(atom)) {
                state.add(&atom, is_boolean);
            }
        }
    }

    fn fact(&self, name: &Name) -> Option<u32> {
        let hidden = usize::from(self.time.is_some()) + usize::from(self.claimed.is_some());
        let facts = &self.facts[..self.facts.len() - hidden];
        index_of(facts, |fact| &fact.name, name)
    }

    pub(super) fn object(&self, name: &Name) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    /// Returns the indices of a ground fact, if it belongs to this domain.
    pub fn atom(&self, atom: &Atom) -> Option<AtomKey> {
        let fact = self.fact(&atom.fact);
        let args = atom.args.iter().map(|arg| self.object(arg));
        std::iter::once(fact).chain(args).collect()
    }

    /// Returns the index of a task, if it belongs to this domain. Primitive tasks come first.
    pub(super) fn task_number(&self, name: &Name) -> Option<u32> {
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

/// A fact.
#[derive(Debug)]
pub struct FlatFact {
    /// Its name.
    pub name: Name,
    /// The kind of its values.
    pub value: FlatValue,
}

/// A kind of values.
#[derive(Debug, Clone, Copy)]
pub enum FlatValue {
    /// True or false.
    Boolean,
    /// A number.
    Number {
        /// `true` if it has no fraction.
        integer: bool,
        /// The least value.
        min: f64,
        /// The greatest value.
        max: f64,
    },
    /// An object, or undefined.
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

/// A task.
#[derive(Debug)]
pub struct FlatTask {
    /// Its name.
    pub name: Name,
    /// The types of its parameters.
    pub params: Vec<u32>,
    /// The number of slots in its frame: parameters first, then the variables of Bind blocks and of
    /// quantifiers.
    pub frame: u32,
    /// The preconditions, all of which have to hold.
    pub preconditions: Vec<Conjunct>,
    /// The integrity rules, which have to hold if a plan begins with the task, or with a step of it: it would fail at
    /// once.
    pub rules: Vec<Conjunct>,
    /// The part that depends on its kind.
    pub kind: FlatKind,
}

/// The part of a task that depends on its kind.
#[derive(Debug)]
pub enum FlatKind {
    /// A primitive task.
    Primitive {
        /// The effects used in planning.
        effects: Vec<FlatEffect>,
        /// The cost; `None` means 1.
        cost: Option<NumberId>,
    },
    /// A compound task.
    Compound {
        /// The flowchart; `None` if it has no resolutions.
        chart: Option<Arc<Chart>>,
        /// The blocks, indexed by position in the chart.
        blocks: Vec<FlatBlock>,
        /// The condition that it achieves, if it has one.
        goal: Option<Vec<Conjunct>>,
    },
}

/// A part of a condition that can fail separately.
#[derive(Debug)]
pub struct Conjunct {
    /// The formula; `None` if it is invalid, so that it does not hold.
    pub formula: Option<FormulaId>,
    /// The text as typed.
    pub text: Box<str>,
    /// The variables in it and their slots.
    pub variables: Arc<[(Name, u32)]>,
}

/// A block of a flowchart.
#[derive(Debug)]
pub struct FlatBlock {
    /// The variables of Bind blocks that its texts use.
    pub imports: Vec<Import>,
    /// The code by the block's kind.
    pub code: BlockCode,
}

/// A variable bound by Bind blocks upstream: the last one present applies.
#[derive(Debug)]
pub struct Import {
    /// The slot that the block's texts read.
    pub slot: u32,
    /// The slots of the Bind blocks, the last one first.
    pub from: Vec<u32>,
    /// The slot of a parameter of the same name.
    pub otherwise: Option<u32>,
}

/// The code of a block.
#[derive(Debug)]
pub enum BlockCode {
    /// Begin and End.
    Pass,
    /// A Choice.
    Choice {
        /// The outputs, for display.
        labels: Vec<Box<str>>,
        /// The order of the outputs.
        order: ChoiceOrder,
    },
    /// A call of a task.
    Task {
        /// The text as typed.
        text: Box<str>,
        /// The task and its arguments; `None` if the call is invalid.
        call: Option<(u32, List)>,
    },
    /// A Branch on a condition.
    Branch(Vec<Conjunct>),
    /// A Bind.
    Bind {
        /// The variable.
        variable: Name,
        /// The variable's slot.
        slot: u32,
        /// The type of the objects.
        of: u32,
        /// The name of that type.
        type_name: Name,
        /// The condition on the objects.
        condition: Vec<Conjunct>,
        /// The number by which the objects are ordered, if any.
        order: Option<NumberId>,
        /// The query, by its number, and its arguments.
        query: Option<(u32, List)>,
    },
}

/// The order in which the outputs of a Choice are tried.
#[derive(Debug)]
pub enum ChoiceOrder {
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

/// An effect.
#[derive(Debug)]
pub struct FlatEffect {
    /// Slots and types of the quantified variables.
    pub forall: Vec<(u32, u32)>,
    /// The condition of the effect, if any.
    pub when: Option<FormulaId>,
    /// The fact that it changes.
    pub target: Read,
    /// The change.
    pub change: FlatChange,
}

/// The change that an effect makes.
#[derive(Debug, Clone, Copy)]
pub enum FlatChange {
    /// The fact becomes false, or undefined.
    Unset,
    /// The fact becomes true.
    Set,
    /// The fact gets an object as its value.
    Object(Term),
    /// The fact gets a number as its value.
    Assign(NumberId),
    /// The fact increases by a number.
    Increase(NumberId),
    /// The fact decreases by a number.
    Decrease(NumberId),
}
