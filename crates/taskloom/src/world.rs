//! A domain, and the worlds in it that a game owns.

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
use taskloom_planner::compile::{Problem, compile_until};
use taskloom_planner::plan::{Atom, Budget, Strategy, Validator, Value, Want, policy};

use crate::{Error, Planning};

/// What there is, what can be done, and how: read once. Clones share it.
#[derive(Debug, Clone)]
pub struct Domain {
    document: Arc<Document>,
}

impl Domain {
    /// Reads a file of Taskloom's.
    ///
    /// # Errors
    /// What is wrong with the file. Texts in it that mean nothing, such as a condition that
    /// is half typed, are not: [`check`](crate::domain::check::check) tells of those.
    pub fn read(text: &str) -> Result<Self, Error> {
        let document = Document::from_json(text).map_err(|error| Error(error.to_string()))?;
        Ok(Self::new(document))
    }

    /// The domain of a document, wherever that comes from.
    pub fn new(document: Document) -> Self {
        Self {
            document: Arc::new(document),
        }
    }

    /// The document that it was read from.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The world in which a scenario starts, as the first character of its cast goes by it: who that is (`?me`), what
    /// it believes, and which tasks and goals it has. Its objects are those of the domain and of the scenario.
    ///
    /// It reads the scenario and compiles the domain for these objects; that is for the time when a level loads.
    /// [Clones](Clone) of the world share all that.
    ///
    /// # Errors
    /// Where there is no such scenario.
    pub fn world(&self, scenario: &str) -> Result<World, Error> {
        let (name, scenario) = self.scenario(scenario)?;
        Ok(self.world_of_nth(&name, scenario, 0))
    }

    /// The world in which a scenario starts, as one of its cast goes by it: a character is called by its object, or else
    /// by its agent. See [`Self::world`].
    ///
    /// # Errors
    /// Where there is no such scenario, or nobody of this name in its cast.
    pub fn world_of(&self, scenario: &str, character: &str) -> Result<World, Error> {
        let (name, scenario) = self.scenario(scenario)?;
        let cast = Player::all(&self.document, &scenario);
        let names: Vec<&str> = cast
            .iter()
            .map(|of| of.name().map_or("", Name::as_str))
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
        let problem = compile_until(&self.document, (name, number), &Stop::default());
        let problem = problem.expect("nothing stops it");
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

/// What worlds of one scenario share.
#[derive(Debug)]
pub(crate) struct Level {
    /// What values mean, and what plans are checked against.
    texts: Texts,
    scenario: Arc<Scenario>,
    /// The tasks of who plays.
    tasks: Vec<String>,
    pub problem: Problem,
    /// How who plays wants its plans.
    pub strategy: Strategy,
}

impl Level {
    /// What these values amount to.
    pub fn with<R>(&self, values: Arc<Values>, ask: impl FnOnce(NamedWorld) -> R) -> R {
        self.validate(|validator| ask(validator.world().with_values(values, Stop::default())))
    }

    /// What plans are checked against.
    pub fn validate<R>(&self, step: impl FnOnce(&Validator) -> R) -> R {
        self.texts.with_dependent(|_, validator| step(validator))
    }
}

/// The values of all facts at one moment: what a game lets its characters know. The game
/// owns it, and [sets](Self::set) what they sense.
#[derive(Clone)]
pub struct World {
    pub(crate) level: Arc<Level>,
    /// None only while [`Self::change`] has them.
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
    /// The values at this moment: a snapshot, which costs nothing.
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

    /// A number that grows whenever a fact changes.
    pub(crate) fn revision(&self) -> u64 {
        self.values.as_ref().map_or(0, |values| values.revision())
    }

    /// The scenario that it began as.
    pub fn scenario(&self) -> &Scenario {
        &self.level.scenario
    }

    /// The tasks that its character has in the scenario: its own, or the scenario's, or its agent's. None where it plans
    /// for a goal, of the scenario's or its agent's: [planning](Self::plan) for no tasks looks for that.
    pub fn tasks(&self) -> &[String] {
        &self.level.tasks
    }

    /// Returns `true` if its character's agent has goals.
    pub(crate) fn has_goals(&self) -> bool {
        self.level
            .validate(|validator| validator.world().player().has_goals())
    }

    /// Returns `true` if its character wants something that is not true yet, of the goals that its agent has.
    pub(crate) fn wants_something(&self) -> bool {
        let wants = self.ask(|world| self.level.problem.anew(&world, Some(&[])).wants());
        wants.iter().any(Want::is_wanted)
    }

    /// The ground fact that a text names, such as `at(box)`: read it once, and
    /// [set](Self::set) it as often as you like.
    ///
    /// # Errors
    /// Where there is no such fact, or it does not take these objects.
    pub fn atom(&self, text: &str) -> Result<Atom, Error> {
        self.ask(|world| world.atom(text)).map_err(Error)
    }

    /// The value of a ground fact.
    pub fn value(&self, atom: &Atom) -> Value {
        self.ask(|world| world.value(atom))
    }

    /// Gives a ground fact a value; whether that changed it.
    ///
    /// # Errors
    /// Where there is no such ground fact, or it cannot have the value.
    pub fn set(&mut self, atom: &Atom, value: impl Into<Value>) -> Result<bool, Error> {
        let value = value.into();
        self.change(|world| world.set(atom, value)).map_err(Error)
    }

    /// Says what `time` is in the domain's texts: a tick, at first 0. A character that
    /// [acts](crate::Character::act) at a tick says so itself. That time passes is no change of a fact.
    pub fn set_time(&mut self, tick: u32) {
        self.change(|world| world.set_time(f64::from(tick)));
    }

    /// Every fact that was set, in order. All others have their defaults: false, 0, nothing.
    pub fn facts(&self) -> Vec<(Atom, Value)> {
        self.ask(|world| world.set_atoms())
    }

    /// Whether a formula holds, such as `at(box) and not carrying`.
    ///
    /// # Errors
    /// Where it cannot be read, or has no value.
    pub fn holds(&self, formula: &str) -> Result<bool, Error> {
        self.ask(|world| {
            let read = world
                .domain()
                .read(formula, &world.scenario_scope(), read_formula);
            world.holds(&read, &Env::new()).map_err(Error)
        })
    }

    /// Looks for a plan that starts in this world, as it is now, and does some tasks in
    /// sequence, such as `["fetch(ball)", "go-home"]`, or its character's [own](Self::tasks).
    /// It is looked for as its agent wants it: the first plan in the designer's order, or the
    /// cheapest. Without tasks it is a plan for a goal: the scenario's, or of its agent's the
    /// one of the highest value that can be reached.
    ///
    /// # Errors
    /// What is wrong with a task.
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
