//! A domain and a scenario, as the interpreter reads them: typed texts, and numbers instead of names.

use rustc_hash::FxHashMap;
use taskloom_document::{EffectTiming, Heuristic, Name, Param, Policy};
use taskloom_domain::lang::typed::{self, Formula, Number, Term};

use super::evaluate::Env;
use super::method::{Block, Method};
use super::names::{Atom, Ground, Names, Object};
use super::touch::reads_time;

#[derive(Debug, Clone)]
pub struct Effect {
    pub effect: typed::Effect,
    pub timing: EffectTiming,
}

impl Effect {
    pub fn is_planned(&self) -> bool {
        self.timing != EffectTiming::Executed
    }
}

/// The duration of an action, with its parameters and the arguments of its call.
#[derive(Debug, Clone)]
pub struct Duration {
    pub params: Vec<Param>,
    pub args: Vec<Term>,
    pub ticks: Number,
}

#[derive(Debug, Clone)]
pub struct Primitive {
    pub done: Vec<Formula>,
    pub effects: Vec<Effect>,
    pub duration: Option<Duration>,
    /// The executor, in lower case.
    pub executor: String,
    pub cost: Option<Number>,
    pub uninterruptible: bool,
    pub claims: Vec<Term>,
}

#[derive(Debug)]
pub struct Compound {
    /// The condition that it achieves.
    pub goal: Option<Formula>,
    pub method: Method,
}

#[derive(Debug)]
pub enum TaskKind {
    Primitive(Primitive),
    Compound(Compound),
}

#[derive(Debug)]
pub struct Task {
    pub params: Vec<Param>,
    pub pre: Vec<Formula>,
    pub integrity: Vec<Formula>,
    pub cooldown: u32,
    /// The task that the designer drew: itself, or the one of which it is a repetition.
    pub drawn: usize,
    pub kind: TaskKind,
}

/// A call of a task.
#[derive(Debug, Clone)]
pub struct Call {
    pub task: usize,
    pub args: Vec<Term>,
}

/// The options of a Task block.
#[derive(Debug, Clone)]
pub struct Options {
    /// The number of times that the task is done.
    pub repeat: usize,
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
pub struct Sense {
    /// The fact's number.
    pub fact: usize,
    pub every: u32,
    pub forget: Option<u32>,
    pub unknown: bool,
    pub when: Option<Formula>,
}

/// A goal of agents.
#[derive(Debug, Clone)]
pub struct Goal {
    pub subgoals: Vec<Formula>,
    pub condition: Formula,
    /// The tasks that serve it.
    pub tasks: Vec<Call>,
    pub priority: f64,
    pub relevance: Option<Number>,
    pub bias: Option<Number>,
    pub cooldown: u32,
}

impl Goal {
    /// Creates a goal of a scenario.
    pub fn of_scenario(condition: Formula) -> Self {
        Self {
            subgoals: vec![],
            condition,
            tasks: vec![],
            priority: 1.0,
            relevance: None,
            bias: None,
            cooldown: 0,
        }
    }
}

/// The options of an agent's planning for its goals, given by their numbers.
#[derive(Debug, Clone)]
pub struct Pursuit {
    pub goals: Vec<usize>,
    pub heuristic: Heuristic,
    /// `true` if the number of steps or states of a search is limited.
    pub is_limited: bool,
    pub retry: u32,
    pub commitment: u32,
}

impl Pursuit {
    /// `true` if its plans are optimal.
    pub fn is_least(&self) -> bool {
        matches!(self.heuristic, Heuristic::Blind | Heuristic::Hmax) && !self.is_limited
    }
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
    pub senses: Vec<Sense>,
    pub failure: Option<u32>,
    pub again: bool,
    pub perception: bool,
    pub every: Option<u32>,
    pub alternative: bool,
    /// The margin by which another goal's value must be higher.
    pub margin: Option<f64>,
}

/// A character: a member of the cast or, without one, the only character.
#[derive(Debug)]
pub struct Member {
    pub me: Option<Object>,
    /// The ground facts that say that it is absent.
    pub absences: Vec<Atom>,
    pub agent: Option<usize>,
    /// Its own tasks, or those of the scenario or its agent.
    pub tasks: Vec<Ground>,
    /// The goal of the scenario, if it has to reach that.
    pub goal: Option<Formula>,
    pub beliefs: Vec<(Atom, f64)>,
    /// `true` if the passing of time may change its plans.
    pub plans_by_time: bool,
}

#[derive(Debug)]
pub struct Event {
    pub at: u32,
    pub every: Option<u32>,
    pub when: Option<Formula>,
    pub effect: typed::Effect,
}

/// An action that fails.
#[derive(Debug)]
pub struct Failure {
    pub task: usize,
    /// Any, if not given.
    pub args: Option<Vec<Object>>,
    pub time: Option<u32>,
    pub chance: Option<f64>,
}

/// A named condition: its parameters, and its formula.
pub type Condition = (Vec<Param>, Formula);

#[derive(Debug)]
pub struct Domain {
    pub names: Names,
    pub conditions: FxHashMap<Name, Condition>,
    /// The tasks, the primitive ones first.
    pub tasks: Vec<Task>,
    pub goals: Vec<Goal>,
    pub agents: Vec<Agent>,
    pub initial: Vec<(Atom, f64)>,
    pub cast: Vec<Member>,
    pub events: Vec<Event>,
    pub failures: Vec<Failure>,
    pub seed: u32,
    /// `true` if a plan computes when each step would start, because a planned text reads the time.
    pub has_clock: bool,
}

impl Domain {
    pub fn is_primitive(&self, task: usize) -> bool {
        matches!(self.tasks[task].kind, TaskKind::Primitive(_))
    }

    pub fn primitive(&self, task: usize) -> &Primitive {
        match &self.tasks[task].kind {
            TaskKind::Primitive(primitive) => primitive,
            TaskKind::Compound(_) => panic!("task {task} is compound"),
        }
    }

    pub fn compound(&self, task: usize) -> &Compound {
        match &self.tasks[task].kind {
            TaskKind::Compound(compound) => compound,
            TaskKind::Primitive(_) => panic!("task {task} is primitive"),
        }
    }

    /// Returns the numbers of the primitive tasks.
    pub fn primitives(&self) -> impl Iterator<Item = usize> {
        (0..self.tasks.len()).filter(|task| self.is_primitive(*task))
    }

    /// Returns all ground primitive tasks that a character may use.
    pub fn operators(&self, character: usize) -> Vec<Ground> {
        let usable = self
            .primitives()
            .filter(|task| self.may_use(character, *task));
        let all = usable.flat_map(|task| {
            let tuples = self.names.tuples(&self.tasks[task].params).into_iter();
            tuples.map(move |args| Ground::new(task, &args))
        });
        all.collect()
    }

    /// Returns a ground task as a text.
    pub fn text(&self, task: Ground) -> String {
        self.names.planned(task).to_string()
    }

    /// Returns the bindings of a character's texts without variables.
    pub fn env_of(&self, character: usize) -> Env {
        Env::of(self.me(character))
    }

    /// Returns the bindings in the texts of a character's task.
    pub fn env(&self, character: usize, task: Ground) -> Env {
        let params = &self.tasks[task.task].params;
        self.env_of(character).with(params, task.args())
    }

    /// Returns the number of characters.
    pub fn characters(&self) -> usize {
        self.cast.len()
    }

    /// Returns all ground facts, in their order.
    pub fn atoms(&self) -> impl Iterator<Item = Atom> + use<> {
        (0..self.names.atoms.len()).map(Atom)
    }

    /// Returns the number of a ground fact's fact.
    pub fn fact(&self, atom: Atom) -> usize {
        self.names.atoms[atom.0].0
    }

    pub fn source(&self, atom: Atom) -> taskloom_document::Source {
        self.names.fact_of(atom).source
    }

    /// Returns the agent of a character, if it has one.
    pub fn agent(&self, character: usize) -> Option<&Agent> {
        self.cast[character].agent.map(|agent| &self.agents[agent])
    }

    /// Returns the object of a character, if it has one.
    pub fn me(&self, character: usize) -> Option<Object> {
        self.cast[character].me
    }

    /// Returns the tasks of a character.
    pub fn tasks_of(&self, character: usize) -> &[Ground] {
        &self.cast[character].tasks
    }

    /// Returns the goals that a character pursues, and their options.
    pub fn pursues(&self, character: usize) -> Option<&Pursuit> {
        let member = &self.cast[character];
        match &self.agents[member.agent?].planning {
            Planning::Goals(pursuit) if member.tasks.is_empty() && member.goal.is_none() => {
                Some(pursuit)
            }
            _ => None,
        }
    }

    fn reads_time_for(&self, character: usize) -> bool {
        let mut formulas: Vec<&Formula> = self.goal(character).into_iter().collect();
        let mut open: Vec<usize> = self
            .tasks_of(character)
            .iter()
            .map(|one| one.task)
            .collect();
        if open.is_empty() {
            open = self.primitives().collect();
            let wanted = self
                .pursues(character)
                .map_or(&[][..], |pursuit| &pursuit.goals);
            for goal in wanted.iter().map(|goal| &self.goals[*goal]) {
                formulas.extend(goal.subgoals.iter().chain([&goal.condition]));
                open.extend(goal.tasks.iter().map(|call| call.task));
            }
        }
        let mut seen = vec![];
        while let Some(task) = open.pop() {
            if !self.may_use(character, task) || seen.contains(&task) {
                continue;
            }
            seen.push(task);
            formulas.extend(
                self.tasks[task]
                    .pre
                    .iter()
                    .chain(&self.tasks[task].integrity),
            );
            match &self.tasks[task].kind {
                TaskKind::Primitive(primitive) => {
                    let planned = primitive.effects.iter().filter(|one| one.is_planned());
                    formulas.extend(planned.filter_map(|one| one.effect.when.as_ref()));
                }
                TaskKind::Compound(compound) => {
                    formulas.extend(&compound.goal);
                    if compound.goal.is_some() {
                        open.extend(self.primitives());
                    }
                    for block in &compound.method.blocks {
                        formulas.extend(block.condition());
                        open.extend(block.calls().map(|call| call.task));
                    }
                }
            }
        }
        formulas.into_iter().any(|one| reads_time(self, one))
    }

    /// Finds out what depends on the time.
    pub fn timed(mut self) -> Self {
        self.has_clock = self.reads_time();
        let timed = (0..self.characters()).map(|one| self.reads_time_for(one));
        let timed: Vec<bool> = timed.collect();
        for (member, plans_by_time) in self.cast.iter_mut().zip(timed) {
            member.plans_by_time = plans_by_time;
        }
        self
    }

    /// Returns `true` if the passing of time may change a character's plans.
    pub fn plans_by_time(&self, character: usize) -> bool {
        self.cast[character].plans_by_time
    }

    fn reads_time(&self) -> bool {
        let any = |formulas: &[Formula]| formulas.iter().any(|one| reads_time(self, one));
        let of_task = |task: &Task| {
            any(&task.pre)
                || any(&task.integrity)
                || match &task.kind {
                    TaskKind::Primitive(primitive) => {
                        let when = |one: &Effect| one.effect.when.clone();
                        any(&Vec::from_iter(primitive.effects.iter().filter_map(when)))
                    }
                    TaskKind::Compound(compound) => {
                        let blocks = compound.method.blocks.iter();
                        let conditions = blocks.filter_map(Block::condition);
                        let mut all = conditions.chain(&compound.goal);
                        all.any(|one| reads_time(self, one))
                    }
                }
        };
        let of_goal = |goal: &Goal| any(&goal.subgoals) || reads_time(self, &goal.condition);
        let mut of_scenario = self.cast.iter().filter_map(|member| member.goal.as_ref());
        self.tasks.iter().any(of_task)
            || self.goals.iter().any(of_goal)
            || of_scenario.any(|goal| reads_time(self, goal))
    }

    /// Returns `true` if a character is reactive.
    pub fn is_reactive(&self, character: usize) -> bool {
        let agent = self.agent(character);
        agent.is_some_and(|agent| matches!(agent.planning, Planning::Reactive))
    }

    /// Returns `true` if a character begins again whenever its tasks are complete.
    pub fn begins_again(&self, character: usize) -> bool {
        self.pursues(character).is_none() && self.agent(character).is_some_and(|agent| agent.again)
    }

    /// Returns `true` if a character may do a task.
    pub fn may_use(&self, character: usize, task: usize) -> bool {
        let task = self.tasks[task].drawn;
        let uses = self.agent(character).map_or(&[][..], |agent| &agent.uses);
        let mut alike = uses
            .iter()
            .filter(|used| self.is_primitive(**used) == self.is_primitive(task))
            .peekable();
        alike.peek().is_none() || alike.any(|used| *used == task)
    }

    /// Returns the goal of a character.
    pub fn goal(&self, character: usize) -> Option<&Formula> {
        self.cast[character].goal.as_ref()
    }
}
