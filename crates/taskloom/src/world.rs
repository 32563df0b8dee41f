//! A domain, and the worlds of it that a game owns.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use self_cell::self_cell;
use taskloom_document::stop::Stop;
use taskloom_document::{Document, Name, Scenario};
use taskloom_domain::Player;
use taskloom_domain::lang::typed::Call;
use taskloom_domain::lang::{Env, World as _, read_formula};
use taskloom_domain::world::Values;
use taskloom_planner::compile::{Problem, compile_cancellable};
use taskloom_planner::plan::{Atom, Budget, GoalValue, Strategy, Validator, Value, policy};

use crate::{Error, Planning};

/// A domain: its objects, facts, tasks and methods, read once. Clones share it.
#[derive(Debug, Clone)]
pub struct Domain {
    document: Arc<Document>,
}

impl Domain {
    /// Reads a Taskloom file.
    ///
    /// # Errors
    /// Returns an error if the file is malformed. Invalid texts in it, such as a half-typed condition, are no error:
    /// [`check`](crate::domain::check::check) reports those.
    pub fn read(text: &str) -> Result<Self, Error> {
        let document = Document::from_json(text).map_err(|error| Error(error.to_string()))?;
        Ok(Self::new(document))
    }

    /// Creates a domain from a document of any origin.
    pub fn new(document: Document) -> Self {
        Self {
            document: Arc::new(document),
        }
    }

    /// Returns the document that the domain was created from.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Returns the initial world of a scenario for the first character of its cast: its object (`?me`), its beliefs,
    /// tasks and goals. The objects are those of the domain and of the scenario.
    ///
    /// This reads the scenario and compiles the domain for these objects, so call it at level load. [Clones](Clone) of
    /// the world share all of that.
    ///
    /// # Errors
    /// Returns an error if there is no such scenario.
    pub fn world(&self, scenario: &str) -> Result<World, Error> {
        let (name, scenario) = self.scenario(scenario)?;
        Ok(self.world_of_nth(&name, scenario, 0))
    }

    /// Returns the initial world of a scenario for one character of its cast, which is named by its object or, if it has
    /// none, by its agent. See [`Self::world`].
    ///
    /// # Errors
    /// Returns an error if there is no such scenario, or no such character in its cast.
    pub fn world_of(&self, scenario: &str, character: &str) -> Result<World, Error> {
        let (name, scenario) = self.scenario(scenario)?;
        let cast = Player::all(&self.document, &scenario);
        let names: Vec<&str> = cast
            .iter()
            .map(|player| player.name().map_or("", Name::as_str))
            .collect();
        let number = names
            .iter()
            .position(|name| name.eq_ignore_ascii_case(character));
        let number = number.ok_or_else(|| {
            let names: Vec<_> = names
                .iter()
                .copied()
                .filter(|name| !name.is_empty())
                .collect();
            Error(match names.as_slice() {
                [] => {
                    format!("scenario '{name}' has no cast, so it has no character '{character}'")
                }
                names => format!(
                    "scenario '{name}' has no character '{character}'; its cast is {}",
                    names.join(", ")
                ),
            })
        })?;
        Ok(self.world_of_nth(&name, scenario, number))
    }

    fn scenario(&self, name: &str) -> Result<(Name, Arc<Scenario>), Error> {
        let name = Name::new(name).map_err(|error| Error(error.to_string()))?;
        let scenario = self.document.scenarios.get(&name).cloned();
        let scenario = scenario.ok_or_else(|| Error(format!("there is no scenario '{name}'")))?;
        Ok((name, scenario))
    }

    fn world_of_nth(&self, name: &Name, scenario: Arc<Scenario>, number: usize) -> World {
        let problem = compile_cancellable(&self.document, (name, number), &Stop::default());
        let problem = problem.expect("nothing cancels it");
        let strategy = policy(&self.document, name, number).into();
        let whole = match self.document.without_muted() {
            Cow::Borrowed(_) => self.document.clone(),
            Cow::Owned(whole) => Arc::new(whole),
        };
        let texts = Texts::new((whole, scenario.clone()), |(document, scenario)| {
            let player = Player::nth(document, scenario, number);
            Validator::new(NamedWorld::initial(document, scenario).believed_by(player))
        });
        let (values, tasks) = texts.with_dependent(|(_, scenario), validator| {
            let world = validator.world();
            (
                world.values().clone(),
                world.player().tasks(scenario).to_vec(),
            )
        });
        World {
            level: Arc::new(Level {
                texts,
                scenario,
                tasks,
                problem,
                strategy,
            }),
            values: Some(values),
        }
    }
}

type NamedWorld<'a> = taskloom_domain::world::World<'a>;

self_cell!(
    struct Texts {
        owner: (Arc<Document>, Arc<Scenario>),
        #[not_covariant]
        dependent: Validator,
    }

    impl { Debug }
);

/// The data that all worlds of a scenario share.
#[derive(Debug)]
pub(crate) struct Level {
    /// The validator, which also evaluates texts in a world's values.
    texts: Texts,
    scenario: Arc<Scenario>,
    /// The character's tasks.
    tasks: Vec<String>,
    pub problem: Problem,
    /// The strategy of the character's agent.
    pub strategy: Strategy,
}

impl Level {
    /// Calls a function with a world that has these values.
    pub fn with<R>(&self, values: Arc<Values>, ask: impl FnOnce(NamedWorld) -> R) -> R {
        self.validate(|validator| ask(validator.world().with_values(values, Stop::default())))
    }

    /// Calls a function with the validator of the scenario's plans.
    pub fn validate<R>(&self, step: impl FnOnce(&Validator) -> R) -> R {
        self.texts.with_dependent(|_, validator| step(validator))
    }
}

/// The values of all facts at one moment, as a game makes them known to its characters. The game
/// owns it and [sets](Self::set) what they sense.
#[derive(Clone)]
pub struct World {
    pub(crate) level: Arc<Level>,
    /// `None` only while [`Self::change`] has taken them.
    values: Option<Arc<Values>>,
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut map = f.debug_map();
        for (atom, value) in self.facts() {
            map.key(&format_args!("{atom}"));
            map.value(&format_args!("{value}"));
        }
        map.finish()
    }
}

impl World {
    /// Returns a snapshot of the current values, which costs nothing.
    pub(crate) fn values(&self) -> Arc<Values> {
        self.values.clone().unwrap_or_default()
    }

    pub(crate) fn ask<R>(&self, ask: impl FnOnce(NamedWorld) -> R) -> R {
        self.level.with(self.values(), ask)
    }

    pub(crate) fn change<R>(&mut self, change: impl FnOnce(&mut NamedWorld) -> R) -> R {
        let values = self.values.take().unwrap_or_default();
        let (values, result) = self.level.with(values, |mut world| {
            let result = change(&mut world);
            (world.into_values(), result)
        });
        self.values = Some(values);
        result
    }

    /// Returns a revision number that grows whenever a fact changes.
    pub(crate) fn revision(&self) -> u64 {
        self.values.as_ref().map_or(0, |values| values.revision())
    }

    /// Returns the scenario that the world was created from.
    pub fn scenario(&self) -> &Scenario {
        &self.level.scenario
    }

    /// Returns the tasks that the character has in the scenario: its own, else the scenario's, else its agent's. Empty if
    /// it plans for a goal of the scenario or of its agent: [planning](Self::plan) without tasks does that.
    pub fn tasks(&self) -> &[String] {
        &self.level.tasks
    }

    /// Returns `true` if the character's agent has goals.
    pub(crate) fn has_goals(&self) -> bool {
        self.level
            .validate(|validator| validator.world().player().has_goals())
    }

    /// Returns `true` if one of the character's goals is active: it is still false and has a value.
    pub(crate) fn wants_something(&self) -> bool {
        let goal_values = self.ask(|world| {
            self.level
                .problem
                .with_state(&world, Some(&[]))
                .goal_values()
        });
        goal_values.iter().any(GoalValue::is_active)
    }

    /// Returns the ground fact that a text names, such as `at(box)`. Read it once and
    /// [set](Self::set) it as often as you like.
    ///
    /// # Errors
    /// Returns an error if there is no such fact, or it doesn't accept these objects.
    pub fn atom(&self, text: &str) -> Result<Atom, Error> {
        self.ask(|world| world.atom(text)).map_err(Error)
    }

    /// Returns the value of a ground fact.
    pub fn value(&self, atom: &Atom) -> Value {
        self.ask(|world| world.value(atom))
    }

    /// Sets a ground fact. Returns `true` if that changed its value.
    ///
    /// # Errors
    /// Returns an error if there is no such ground fact, or it can't have the value.
    pub fn set(&mut self, atom: &Atom, value: impl Into<Value>) -> Result<bool, Error> {
        let value = value.into();
        self.change(|world| world.set(atom, value)).map_err(Error)
    }

    /// Sets `time` in the domain's texts to a tick; it is 0 at first. A character that
    /// [acts](crate::Character::act) sets it too. The passing of time doesn't count as a change of a fact.
    pub fn set_time(&mut self, tick: u32) {
        self.change(|world| world.set_time(f64::from(tick)));
    }

    /// Returns every fact that was set, in order. All others have their defaults: false, 0, undefined.
    pub fn facts(&self) -> Vec<(Atom, Value)> {
        self.ask(|world| world.assigned_atoms())
    }

    /// Returns `true` if a formula such as `at(box) and not carrying` is true.
    ///
    /// # Errors
    /// Returns an error if it can't be parsed or evaluated.
    pub fn holds(&self, formula: &str) -> Result<bool, Error> {
        self.ask(|world| {
            let read = world
                .domain()
                .read(formula, &world.scenario_scope(), read_formula);
            world.holds(&read, &Env::new()).map_err(Error)
        })
    }

    /// Starts a search for a plan from the world's current state that does tasks in sequence,
    /// such as `["fetch(ball)", "go-home"]` or the character's [own](Self::tasks). The agent's
    /// policy decides which plan: the first in the designer's order, or the cheapest. Without
    /// tasks it plans for a goal: the scenario's, or the agent's highest-value goal that can be
    /// reached.
    ///
    /// # Errors
    /// Returns an error if a task is invalid.
    pub fn plan(&self, tasks: &[impl AsRef<str>], budget: Budget) -> Result<Planning, Error> {
        let calls = self.read_tasks(tasks)?;
        let ground = self.ask(|world| {
            let ground = calls.iter().map(|call| world.ground(call, &Env::new()));
            ground.collect::<Result<_, _>>()
        });
        Ok(Planning::new(self, Some(ground.map_err(Error)?), budget))
    }

    pub(crate) fn read_tasks(&self, tasks: &[impl AsRef<str>]) -> Result<Vec<Call>, Error> {
        let read = self.ask(|world| {
            let tasks = tasks.iter().map(|text| world.task(text.as_ref()));
            tasks.collect::<Result<_, _>>()
        });
        read.map_err(Error)
    }
}
