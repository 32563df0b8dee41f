//! Compiles a document and a scenario to a problem, step by step.

use std::sync::{Arc, OnceLock};

use super::build::Compiler;
use super::code::NumberId;
use super::flat::{Flat, FlatFact, FlatGoal, FlatTask, FlatValue, Root};
use super::lower::{Lowering, Variables};
use super::problem::{Problem, Start};
use crate::plan::State;
use taskloom_document::stop::{Stop, Stopped};
use taskloom_document::{Document, Fact, GoalSearch, Name, Planning, Source as Lives, ValueKind};
use taskloom_domain::chance::seed_of_planning;
use taskloom_domain::lang::PlainReads;
use taskloom_domain::lang::typed::{Formula, Initial, Number};
use taskloom_domain::scene::{InitialValue, Scene};
use taskloom_domain::text::TypedText;
use taskloom_domain::{Actor, Domain};

/// The number of initial values or scenario tasks read in one step.
const STRIDE: usize = 256;

/// Compiles the problem of a scenario's first character. A scenario that does not exist has no
/// tasks, and an empty plan.
pub fn compile(domain: &Domain, scenario: &Name) -> Problem {
    compile_all(domain, (scenario, 0), &Stop::default())
}

/// Compiles the problem of the n-th character, unless stopped. Searches of the problem use the same
/// stop token.
///
/// # Errors
/// Returns [`Stopped`] if the stop token was triggered.
pub fn compile_cancellable(
    domain: &Domain,
    (scenario, actor): (&Name, usize),
    stop: &Stop,
) -> Result<Problem, Stopped> {
    stop.unless_cancelled(compile_all(domain, (scenario, actor), stop))
}

/// Compiles the problem of an actor in a scene of a scenario, which need not be in its cast. Its random
/// draws depend on the number.
pub fn compile_for(
    domain: &Domain,
    (scenario, scene): (&Name, &Arc<Scene>),
    (actor, number): (&Arc<Actor>, usize),
) -> Problem {
    let (scene, stop) = (scene.clone(), Stop::default());
    completed(Compilation::of(
        domain,
        (scenario, scene),
        (actor, number),
        &stop,
    ))
}

/// Compiles the texts of an actor's problem in a scene, without values and tasks.
pub(super) fn compile_texts(
    domain: &Domain,
    (scenario, scene): (&Name, &Arc<Scene>),
    actor: &Arc<Actor>,
) -> Arc<Flat> {
    let (scene, stop) = (scene.clone(), Stop::default());
    let mut compilation = Compilation::of(domain, (scenario, scene), (actor, 0), &stop);
    compilation.initial_read = None;
    compilation.calls_read = actor.tasks().len();
    completed(compilation).flat
}

/// Compiles the problem. The result is meaningless if the stop token was triggered.
fn compile_all(domain: &Domain, (scenario, actor): (&Name, usize), stop: &Stop) -> Problem {
    completed(Compilation::new(domain, (scenario, actor), stop))
}

fn completed(mut compilation: Compilation) -> Problem {
    loop {
        if let Some(problem) = compilation.step() {
            return problem;
        }
    }
}

/// A compilation in progress: each step reads a task of the document or some of the scenario's
/// texts.
pub struct Compilation {
    compiler: Compiler,
    scenario: Name,
    scene: Arc<Scene>,
    seed: u64,
    sources: std::vec::IntoIter<Source>,
    objects: Vec<Name>,
    facts: Vec<FlatFact>,
    tasks: Vec<FlatTask>,
    plain: PlainReads,
    /// For each fact, `true` if it is unknown to the actor at first.
    unknown: Vec<bool>,
    /// The numbers of initial values and of scenario tasks read so far; `None` once the actor's
    /// beliefs were read, too.
    initial_read: Option<usize>,
    calls_read: usize,
    initial: State,
    roots: Option<Vec<Root>>,
}

/// A task of the document.
enum Source {
    Primitive(Name),
    Compound(Name),
}

/// Returns the facts of a problem, in the document's order.
fn flat_facts(document: &Document) -> impl Iterator<Item = FlatFact> {
    document.facts.iter().map(|(name, fact)| FlatFact {
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
    })
}

/// Returns `true` for each fact that is unknown to a character at first.
fn unknown_at_first(document: &Document, actor: &Actor) -> Vec<bool> {
    let is_unknown = |(name, fact): (&Name, &Arc<Fact>)| {
        fact.source == Lives::Sensor && actor.is_unknown_at_first(name)
    };
    document.facts.iter().map(is_unknown).collect()
}

impl Compilation {
    /// Starts to compile the problem of the n-th character of a scenario.
    pub fn new(domain: &Domain, (scenario, actor): (&Name, usize), stop: &Stop) -> Self {
        let scene = domain.scene_or_empty(scenario);
        let role = scene.actor(actor).clone();
        Self::of(domain, (scenario, scene), (&role, actor), stop)
    }

    /// Starts to compile the problem of an actor.
    fn of(
        domain: &Domain,
        (scenario, scene): (&Name, Arc<Scene>),
        (actor, number): (&Arc<Actor>, usize),
        stop: &Stop,
    ) -> Self {
        let domain = domain.executable();
        let document = domain.document();
        let seed = seed_of_planning(scene.record.seed, number, 0);
        let actor = actor.clone();
        let primitive = document.primitive_tasks.keys().cloned();
        let primitive = primitive.map(Source::Primitive);
        let compound = document.compound_tasks.keys().cloned();
        let compound = compound.map(Source::Compound);
        let sources: Vec<Source> = primitive.chain(compound).collect();
        let time = (domain.clock().plans).then(|| FlatFact {
            name: Name::time(),
            value: FlatValue::Number {
                integer: true,
                min: 0.0,
                max: f64::INFINITY,
            },
        });
        let lowering = Lowering::new(domain, &scene, actor.me(), stop);
        let claimed = lowering.claimed.map(|_| FlatFact {
            name: Name::claimed(),
            value: FlatValue::Boolean,
        });
        Self {
            scenario: scenario.clone(),
            seed,
            facts: flat_facts(document).chain(time).chain(claimed).collect(),
            objects: scene
                .objects()
                .iter()
                .map(|(name, _)| name.clone())
                .collect(),
            tasks: Vec::with_capacity(sources.len()),
            sources: sources.into_iter(),
            plain: PlainReads::default(),
            unknown: unknown_at_first(document, &actor),
            initial_read: Some(0),
            calls_read: 0,
            initial: State::default(),
            roots: Some(vec![]),
            compiler: Compiler {
                lowering,
                actor,
                domain: domain.clone(),
                stop: stop.clone(),
            },
            scene,
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
            None => match self.initial_read {
                Some(read) => self.initial_read = self.initial(read),
                None if self.calls_read < self.compiler.actor.tasks().len() => self.roots(),
                None => return Some(self.problem()),
            },
        }
        None
    }

    /// Reads some of the initial values and, after the last one, the actor's beliefs. Returns the
    /// number of initial values read; `None` if there are no more.
    fn initial(&mut self, read: usize) -> Option<usize> {
        let (compiler, state) = (&mut self.compiler, &mut self.initial);
        let (domain, actor) = (compiler.domain.clone(), compiler.actor.clone());
        let count = self.scene.record.initial.len();
        let until = count.min(read + STRIDE);
        for number in read..until {
            if compiler.stop.after(1) {
                return None;
            }
            match self.scene.initial(domain.texts(), number, &mut self.plain) {
                Some(InitialValue::Plain(atom)) => {
                    let fact = atom.first().map(|fact| *fact as usize);
                    if fact.is_none_or(|fact| !self.unknown[fact]) {
                        state.set(atom, true);
                    }
                }
                Some(InitialValue::Typed(text)) => {
                    let initial = text.value.as_ref();
                    let is_known = |initial: &&Initial| {
                        let fact = compiler.lowering.facts.get(&initial.atom.fact);
                        fact.is_none_or(|fact| !self.unknown[*fact as usize])
                    };
                    if let Some(initial) = initial.filter(is_known) {
                        compiler.initial(initial, state);
                    }
                }
                None => {}
            }
        }
        if until < count {
            return Some(until);
        }
        for belief in actor.counting_beliefs(domain.texts()) {
            compiler.initial(belief, state);
        }
        None
    }

    fn roots(&mut self) {
        let actor = self.compiler.actor.clone();
        let domain = self.compiler.domain.clone();
        let until = actor.tasks().len().min(self.calls_read + STRIDE);
        for number in self.calls_read..until {
            self.calls_read += 1;
            let Some(call) = actor.call(domain.texts(), number) else {
                continue;
            };
            if self.compiler.stop.after(1 + call.text.len()) {
                return;
            }
            let call = call.value.as_ref();
            let root = call.and_then(|call| self.compiler.root(call, &self.initial));
            match (&mut self.roots, root) {
                (Some(roots), Some(root)) => roots.push(root),
                _ => self.roots = None,
            }
        }
    }

    /// Returns the problem with its goal, moving everything out of the compilation.
    fn problem(&mut self) -> Problem {
        let mut variables = Variables::default();
        let actor = self.compiler.actor.clone();
        let domain = self.compiler.domain.clone();
        let goal = match actor.goal_formula(domain.texts()) {
            Some(goal) => self.compiler.conjuncts(goal, &mut variables),
            None => vec![],
        };
        let goals = self.goals();
        let goal_tasks = goals.iter().map(|goal| self.goal_tasks(goal)).collect();
        let agent = actor.agent.as_ref().map(|(_, agent)| agent);
        let goal_search = match agent.map(|agent| &agent.planning) {
            Some(Planning::Goals { search, .. }) => search.clone(),
            _ => GoalSearch::default(),
        };
        self.initial.settle();
        let has_rules = self.tasks.iter().any(|task| !task.rules.is_empty());
        let lowering = &mut self.compiler.lowering;
        let flat = Flat {
            scenario: self.scenario.clone(),
            objects: std::mem::take(&mut self.objects),
            numbers: lowering.objects.clone(),
            types: std::mem::take(&mut lowering.types.objects),
            facts: std::mem::take(&mut self.facts),
            time: lowering.time,
            claimed: lowering.claimed,
            tasks: std::mem::take(&mut self.tasks),
            code: std::mem::take(&mut lowering.code),
            queries: std::mem::take(&mut lowering.queries),
            goal,
            goal_frame: variables.slots,
            goals,
            goal_search,
            is_reactive: actor.is_reactive(),
            policy: actor.policy(),
            has_rules,
            statics: OnceLock::new(),
            relevance: OnceLock::new(),
        };
        Problem {
            flat: Arc::new(flat),
            start: Arc::new(Start {
                roots: self.roots.take(),
                goal_tasks,
                ..Start::of(std::mem::take(&mut self.initial), self.seed)
            }),
            stop: self.compiler.stop.clone(),
        }
    }

    /// Returns the goals to plan for if there are no tasks: the scenario's goal, or those of the
    /// agent.
    fn goals(&mut self) -> Vec<FlatGoal> {
        let actor = self.compiler.actor.clone();
        let domain = self.compiler.domain.clone();
        if !actor.tasks().is_empty() {
            return vec![];
        }
        if let Some(goal) = actor.goal_formula(domain.texts()) {
            let mut variables = Variables::default();
            let stages = vec![self.compiler.conjuncts(goal, &mut variables)];
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
        let goals = actor.goals().iter();
        let goals = goals.filter_map(|name| Some((name, domain.goal(name)?)));
        let goals = goals.map(|(name, goal)| {
            let mut variables = Variables::default();
            let stages = goal.subgoals.iter().chain([&goal.condition]);
            let stages = stages.map(|formula: &TypedText<Formula>| {
                self.compiler.conjuncts(formula, &mut variables)
            });
            FlatGoal {
                name: Some(name.clone()),
                stages: stages.collect(),
                priority: f64::from(goal.record.priority),
                relevance: self.utility(goal.relevance.as_ref(), 1.0, &mut variables),
                bias: self.utility(goal.bias.as_ref(), 0.0, &mut variables),
                frame: variables.slots,
            }
        });
        goals.collect()
    }

    /// Returns the tasks that serve a goal in the initial state.
    fn goal_tasks(&mut self, goal: &FlatGoal) -> Vec<Root> {
        let goal = goal.name.as_ref();
        let domain = self.compiler.domain.clone();
        let goal = goal.and_then(|name| domain.goal(name));
        let calls = goal.into_iter().flat_map(|goal| &goal.tasks);
        let calls = calls.filter_map(|call| call.value.as_ref());
        let roots = calls.filter_map(|call| self.compiler.root(call, &self.initial));
        roots.collect()
    }

    /// Compiles a number used in a goal's value, or a default if nothing was typed.
    fn utility(
        &mut self,
        number: Option<&TypedText<Number>>,
        default: f64,
        variables: &mut Variables,
    ) -> Option<NumberId> {
        let Some(number) = number else {
            return self.constant(default);
        };
        let lowering = &mut self.compiler.lowering;
        lowering.number(number.value.as_ref()?, variables)
    }

    fn constant(&mut self, number: f64) -> Option<NumberId> {
        Some(self.compiler.lowering.constant(number))
    }
}
