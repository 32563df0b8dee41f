//! A domain, and the worlds of it that a game owns.

use std::fmt;
use std::sync::Arc;

use taskloom_document::stop::Stop;
use taskloom_document::{Document, Name, Scenario};
use taskloom_domain::Scene;
use taskloom_domain::lang::typed::Call;
use taskloom_domain::lang::{Env, World as _, read_formula};
use taskloom_planner::compile::{Problem, compile_cancellable};
use taskloom_planner::plan::{Atom, Budget, GoalValue, Strategy, Validator, Value};

use crate::{Error, Planning};

/// A domain: its objects, facts, tasks and methods, read once. Clones share it.
#[derive(Debug, Clone)]
pub struct Domain {
    document: Arc<Document>,
    domain: taskloom_domain::Domain,
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
        let document = Arc::new(document);
        Self {
            domain: document.clone().into(),
            document,
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
        let (name, scene) = self.scene(scenario)?;
        Ok(self.world_of_nth(&name, scene, 0))
    }

    /// Returns the initial world of a scenario for one character of its cast, which is named by its object or, if it has
    /// none, by its agent. See [`Self::world`].
    ///
    /// # Errors
    /// Returns an error if there is no such scenario, or no such character in its cast.
    pub fn world_of(&self, scenario: &str, character: &str) -> Result<World, Error> {
        let (name, scene) = self.scene(scenario)?;
        let cast = scene.cast.iter();
        let names: Vec<&str> = cast
            .map(|actor| actor.name().map_or("", Name::as_str))
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
                    format!("scenario '{name}' has no cast, so it has no actor '{character}'")
                }
                names => format!(
                    "scenario '{name}' has no actor '{character}'; its cast is {}",
                    names.join(", ")
                ),
            })
        })?;
        Ok(self.world_of_nth(&name, scene, number))
    }

    fn scene(&self, name: &str) -> Result<(Name, &Arc<Scene>), Error> {
        let name = Name::new(name).map_err(|error| Error(error.to_string()))?;
        let scene = self.domain.scene(&name);
        let scene = scene.ok_or_else(|| Error(format!("there is no scenario '{name}'")))?;
        Ok((name, scene))
    }

    fn world_of_nth(&self, name: &Name, scene: &Arc<Scene>, number: usize) -> World {
        let actor = scene.actor(number).clone();
        let strategy = actor.policy().into();
        let problem = compile_cancellable(&self.domain, (name, number), &Stop::default());
        let world = NamedWorld::initial(&self.domain, scene).believed_by(actor);
        World {
            level: Arc::new(Level {
                validator: Validator::new(world.clone()),
                problem: problem.expect("nothing cancels it"),
                strategy,
            }),
            inner: world,
        }
    }
}

type NamedWorld = taskloom_domain::world::World;

/// The data that all worlds of a scenario share.
#[derive(Debug)]
pub(crate) struct Level {
    /// The validator of the character's plans.
    pub validator: Validator,
    pub problem: Problem,
    /// The strategy of the character's agent.
    pub strategy: Strategy,
}

/// The values of all facts at one moment, as a game makes them known to its characters. The game
/// owns it and [sets](Self::set) what they sense.
#[derive(Clone)]
pub struct World {
    pub(crate) level: Arc<Level>,
    /// The world from the character's point of view.
    pub(crate) inner: NamedWorld,
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
    /// Returns the scenario that the world was created from.
    pub fn scenario(&self) -> &Scenario {
        &self.inner.scene().record
    }

    /// Returns the tasks that the character has in the scenario: its own, else the scenario's, else its agent's. Empty if
    /// it plans for a goal of the scenario or of its agent: [planning](Self::plan) without tasks does that.
    pub fn tasks(&self) -> &[String] {
        self.inner.actor().tasks()
    }

    /// Returns `true` if one of the character's goals is active: it is still false and has a value.
    pub(crate) fn has_active_goal(&self) -> bool {
        let problem = self.level.problem.with_state(&self.inner, Some(&[]));
        problem.goal_values().iter().any(GoalValue::is_active)
    }

    /// Returns the ground fact that a text names, such as `at(box)`. Read it once and
    /// [set](Self::set) it as often as you like.
    ///
    /// # Errors
    /// Returns an error if there is no such fact, or it doesn't accept these objects.
    pub fn atom(&self, text: &str) -> Result<Atom, Error> {
        self.inner.atom(text).map_err(Error)
    }

    /// Returns the value of a ground fact.
    pub fn value(&self, atom: &Atom) -> Value {
        self.inner.value(atom)
    }

    /// Sets a ground fact. Returns `true` if that changed its value.
    ///
    /// # Errors
    /// Returns an error if there is no such ground fact, or it can't have the value.
    pub fn set(&mut self, atom: &Atom, value: impl Into<Value>) -> Result<bool, Error> {
        self.inner.set(atom, value.into()).map_err(Error)
    }

    /// Sets `time` in the domain's texts to a tick; it is 0 at first. A character that
    /// [acts](crate::Character::act) sets it too. The passing of time doesn't count as a change of a fact.
    pub fn set_time(&mut self, tick: u32) {
        self.inner.set_time(f64::from(tick));
    }

    /// Returns every fact that was set, in order. All others have their defaults: false, 0, undefined.
    pub fn facts(&self) -> Vec<(Atom, Value)> {
        self.inner.assigned_atoms()
    }

    /// Returns `true` if a formula such as `at(box) and not carrying` is true.
    ///
    /// # Errors
    /// Returns an error if it can't be parsed or evaluated.
    pub fn holds(&self, formula: &str) -> Result<bool, Error> {
        let (domain, scope) = (self.inner.domain(), self.inner.scenario_scope());
        let read = domain.read(formula, &scope, read_formula);
        self.inner.holds(&read, &Env::new()).map_err(Error)
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
        let ground = calls
            .iter()
            .map(|call| self.inner.ground(call, &Env::new()));
        let ground: Result<_, _> = ground.collect();
        Ok(Planning::new(self, Some(ground.map_err(Error)?), budget))
    }

    pub(crate) fn read_tasks(&self, tasks: &[impl AsRef<str>]) -> Result<Vec<Call>, Error> {
        let tasks = tasks.iter().map(|text| self.inner.task(text.as_ref()));
        let tasks: Result<_, _> = tasks.collect();
        tasks.map_err(Error)
    }
}
