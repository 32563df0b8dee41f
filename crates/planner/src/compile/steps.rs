//! Compiles a document and a scenario to a problem, step by step.

use std::sync::{Arc, LazyLock};

use super::build::Compiler;
use super::code::NumberId;
use super::lower::{Lowering, Variables};
use super::problem::{
    Conjunct, Flat, FlatFact, FlatGoal, FlatTask, FlatValue, Problem, Root, Start,
};
use crate::plan::State;
use taskloom_document::stop::{Stop, Stopped};
use taskloom_document::{
    Document, Goal, GoalSearch, Name, Planning, Scenario, Source as Lives, ValueKind,
};
use taskloom_domain::chance::seed_of_planning;
use taskloom_domain::lang::{PlainInitial, Scope, read_formula, read_initial, read_number};
use taskloom_domain::{Domain, Player};

/// The number of initial values or scenario tasks read in one step.
const STRIDE: usize = 256;

/// The content of a scenario that does not exist.
static EMPTY: LazyLock<Scenario> = LazyLock::new(Scenario::default);

/// Compiles the problem of a scenario's first character. A scenario that does not exist has no
/// tasks, and an empty plan.
pub fn compile(document: &Document, scenario: &Name) -> Problem {
    compile_all(document, (scenario, 0), &Stop::default())
}

/// Compiles the problem of the n-th character, unless stopped. Searches of the problem use the same
/// stop token.
///
/// # Errors
/// Returns [`Stopped`] if the stop token was triggered.
pub fn compile_cancellable(
    document: &Document,
    (scenario, player): (&Name, usize),
    stop: &Stop,
) -> Result<Problem, Stopped> {
    stop.unless_cancelled(compile_all(document, (scenario, player), stop))
}

/// Compiles the problem. The result is meaningless if the stop token was triggered.
fn compile_all(document: &Document, (scenario, player): (&Name, usize), stop: &Stop) -> Problem {
    let document = &*document.without_muted();
    let mut compilation = Compilation::new(document, (scenario, player), stop);
    loop {
        if let Some(problem) = compilation.step() {
            return problem;
        }
    }
}

/// A compilation in progress: each step reads a task of the document or some of the scenario's
/// texts.
pub struct Compilation<'a> {
    compiler: Compiler<'a>,
    scenario: Name,
    /// The initial values, with the player's beliefs last.
    texts: Vec<&'a String>,
    /// The tasks to do.
    calls: &'a [String],
    goal: &'a str,
    seed: u64,
    scope: Scope<'a>,
    plain: PlainInitial<'a>,
    sources: std::vec::IntoIter<Source>,
    objects: Vec<Name>,
    facts: Vec<FlatFact>,
    tasks: Vec<FlatTask>,
    /// The numbers of initial values and of scenario tasks read so far.
    read: (usize, usize),
    initial: State,
    roots: Option<Vec<Root>>,
}

/// Returns the initial values of a scenario except those unknown to one of its characters.
fn known_at_first<'a>(
    document: &'a Document,
    scenario: &'a Scenario,
    player: Player<'a>,
) -> impl Iterator<Item = &'a String> {
    let scope = player.scope(document, scenario);
    let has_unknown = player.has_unknown();
    scenario.initial.iter().filter(move |text| {
        let initial = has_unknown
            .then(|| read_initial(text, &scope).value)
            .flatten();
        initial.is_none_or(|initial| {
            let fact = &initial.atom.fact;
            let source = document.facts.get(fact).map(|fact| fact.source);
            source != Some(Lives::Sensor) || !player.is_unknown_at_first(fact)
        })
    })
}

/// A task of the document.
enum Source {
    Primitive(Name),
    Compound(Name),
}

impl<'a> Compilation<'a> {
    /// Starts to compile the problem of the n-th character of a scenario, for a document without
    /// muted blocks; see [`Document::without_muted`].
    pub fn new(document: &'a Document, (scenario, player): (&Name, usize), stop: &Stop) -> Self {
        let record = document.scenarios.get(scenario);
        let record = record.map_or(&*EMPTY, |record| &**record);
        let seed = seed_of_planning(record.seed, player, 0);
        let player = Player::nth(document, record, player);
        let objects = record.all_objects(&document.objects);
        let named = objects.iter().map(|(n, o)| ((*n).clone(), o.of.clone()));
        let primitive = document.primitive_tasks.keys().cloned();
        let primitive = primitive.map(Source::Primitive);
        let compound = document.compound_tasks.keys().cloned();
        let compound = compound.map(Source::Compound);
        let sources: Vec<Source> = primitive.chain(compound).collect();
        let facts = document.facts.iter().map(|(name, fact)| FlatFact {
            name: name.clone(),
            value: match fact.value {
                ValueKind::Boolean => FlatValue::Boolean,
                ValueKind::Number { integer, min, max } => FlatValue::Number {
                    integer,
                    min: min.unwrap_or(f64::NEG_INFINITY),
                    max: max.unwrap_or(f64::INFINITY),
                },
                ValueKind::Object(_) => FlatValue::Object,
            },
        });
        let domain = Arc::new(Domain::new(document, stop));
        let time = (domain.clock().plans).then(|| FlatFact {
            name: Name::time(),
            value: FlatValue::Number {
                integer: true,
                min: 0.0,
                max: f64::INFINITY,
            },
        });
        Self {
            compiler: Compiler {
                lowering: Lowering::new(&domain, named, player.me(), stop),
                player,
                domain,
                stop: stop.clone(),
            },
            scenario: scenario.clone(),
            texts: {
                let known = known_at_first(document, record, player);
                known
                    .chain(player.counting_beliefs(document, record))
                    .collect()
            },
            calls: player.tasks(record),
            goal: player.goal(record),
            seed,
            scope: player.scope(document, record),
            plain: PlainInitial::new(document, record),
            facts: facts.chain(time).collect(),
            objects: objects.into_keys().cloned().collect(),
            tasks: Vec::with_capacity(sources.len()),
            sources: sources.into_iter(),
            read: (0, 0),
            initial: State::default(),
            roots: Some(vec![]),
        }
    }

    /// Compiles the next part; returns the problem once it is complete. Must not be called again
    /// after that.
    ///
    /// If the stop token was triggered, returns a meaningless problem at once.
    pub fn step(&mut self) -> Option<Problem> {
        if self.compiler.stop.is_cancelled() {
            return Some(self.problem());
        }
        match self.sources.next() {
            Some(Source::Primitive(name)) => self.tasks.extend(self.compiler.primitive(&name)),
            Some(Source::Compound(name)) => self.tasks.extend(self.compiler.compound(&name)),
            None if self.read.0 < self.texts.len() => self.initial(),
            None if self.read.1 < self.calls.len() => self.roots(),
            None => return Some(self.problem()),
        }
        None
    }

    fn initial(&mut self) {
        let texts = self.texts.iter();
        for text in texts.skip(self.read.0).take(STRIDE) {
            self.read.0 += 1;
            if self.compiler.stop.after(1) {
                return;
            }
            if let Some(atom) = self.plain.read(text) {
                self.initial.set(atom, true);
                continue;
            }
            let (scope, state) = (&self.scope, &mut self.initial);
            self.compiler.initial(text, scope, state);
        }
    }

    fn roots(&mut self) {
        let texts = self.calls.iter();
        for text in texts.skip(self.read.1).take(STRIDE) {
            self.read.1 += 1;
            let root = self.compiler.root(text, &self.scope, &self.initial);
            match (&mut self.roots, root) {
                (Some(roots), Some(root)) => roots.push(root),
                _ => self.roots = None,
            }
        }
    }

    /// Returns the problem with its goal, moving everything out of the compilation.
    fn problem(&mut self) -> Problem {
        let mut variables = Variables::default();
        let goal = if self.goal.is_empty() {
            vec![]
        } else {
            let domain = &self.compiler.domain;
            let goal = domain.read(self.goal, &self.scope, read_formula);
            self.compiler.conjuncts(&goal, &mut variables)
        };
        let goals = self.goals();
        let planning = self.compiler.player.agent.map(|(_, agent)| &agent.planning);
        let goal_search = match planning {
            Some(Planning::Goals { search, .. }) => search.clone(),
            _ => GoalSearch::default(),
        };
        self.initial.settle();
        let lowering = &mut self.compiler.lowering;
        let flat = Flat {
            scenario: self.scenario.clone(),
            objects: std::mem::take(&mut self.objects),
            types: std::mem::take(&mut lowering.types),
            facts: std::mem::take(&mut self.facts),
            time: lowering.time,
            tasks: std::mem::take(&mut self.tasks),
            code: std::mem::take(&mut lowering.code),
            goal,
            goal_frame: variables.slots,
            goals,
            goal_search,
            is_reactive: self.compiler.player.is_reactive(),
            policy: self.compiler.player.policy(),
        };
        Problem {
            flat: Arc::new(flat),
            start: Arc::new(Start {
                state: std::mem::take(&mut self.initial),
                roots: self.roots.take(),
                seed: self.seed,
                steps_before: 0,
                excluded_goals: vec![],
                excluded: vec![],
            }),
            stop: self.compiler.stop.clone(),
        }
    }

    /// Returns the goals to plan for if there are no tasks: the scenario's goal, or those of the
    /// agent.
    fn goals(&mut self) -> Vec<FlatGoal> {
        let player = self.compiler.player;
        if !self.calls.is_empty() {
            return vec![];
        }
        if !self.goal.is_empty() {
            let mut variables = Variables::default();
            let stages = vec![self.conjuncts(self.goal, &mut variables)];
            let one = self.constant(1.0);
            return vec![FlatGoal {
                name: None,
                stages,
                frame: variables.slots,
                priority: 1.0,
                relevance: one,
                bias: self.constant(0.0),
            }];
        }
        let domain = self.compiler.domain.clone();
        let goals = &domain.document().goals;
        let named = |name: &'a Name| Some((name, &**goals.get(name)?));
        let goals: Vec<(&Name, &Goal)> = player.goals().iter().filter_map(named).collect();
        let goals = goals.into_iter().map(|(name, goal)| {
            let mut variables = Variables::default();
            let stages = goal.subgoals.iter().chain([&goal.condition]);
            let stages = stages.map(|text| self.conjuncts(text, &mut variables));
            FlatGoal {
                name: Some(name.clone()),
                stages: stages.collect(),
                priority: f64::from(goal.priority),
                relevance: self.utility(&goal.relevance, 1.0, &mut variables),
                bias: self.utility(&goal.bias, 0.0, &mut variables),
                frame: variables.slots,
            }
        });
        goals.collect()
    }

    fn conjuncts(&mut self, text: &str, variables: &mut Variables) -> Vec<Conjunct> {
        let read = self.compiler.domain.read(text, &self.scope, read_formula);
        self.compiler.conjuncts(&read, variables)
    }

    /// Compiles a number used in a goal's value, or a default if nothing was typed.
    fn utility(&mut self, text: &str, default: f64, variables: &mut Variables) -> Option<NumberId> {
        if text.trim().is_empty() {
            return self.constant(default);
        }
        let read = self.compiler.domain.read(text, &self.scope, read_number);
        self.compiler
            .lowering
            .number(read.value.as_ref()?, variables)
    }

    fn constant(&mut self, number: f64) -> Option<NumberId> {
        Some(self.compiler.lowering.constant(number))
    }
}
