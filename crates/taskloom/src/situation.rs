//! The knowledge of one character, for planning without execution.

use std::fmt;
use std::sync::Arc;

use taskloom_document::Scenario;
use taskloom_domain::lang::{Env, World as _, read_formula, read_task_call};
use taskloom_planner::compile::Problem;
use taskloom_planner::plan::{Atom, Budget, GroundTask, Strategy, Validator, Value};

use crate::{Error, Planning};

type NamedWorld = taskloom_domain::world::World;

/// The data that all situations of an actor share.
#[derive(Debug)]
pub(crate) struct Level {
    /// The validator of the actor's plans.
    pub validator: Validator,
    pub problem: Problem,
    /// The strategy of the actor's agent.
    pub strategy: Strategy,
}

/// The values of all facts at one moment, as one actor believes them, to [plan](Self::plan) from. Clones
/// share everything that was read and compiled.
///
/// To execute plans, use an [`Actor`](crate::Actor).
#[derive(Clone)]
pub struct Situation {
    pub(crate) level: Arc<Level>,
    /// The world from the actor's point of view.
    pub(crate) inner: NamedWorld,
}

impl fmt::Debug for Situation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut map = f.debug_map();
        for (atom, value) in self.facts() {
            map.key(&format_args!("{atom}"));
            map.value(&format_args!("{value}"));
        }
        map.finish()
    }
}

impl Situation {
    /// Returns the scenario that it was created from.
    pub fn scenario(&self) -> &Scenario {
        &self.inner.scene().record
    }

    /// Returns the tasks that the actor has in the scenario: its own, else the scenario's, else its agent's. Empty if
    /// it plans for a goal of the scenario or of its agent: [planning](Self::plan) without tasks does that.
    pub fn tasks(&self) -> &[String] {
        self.inner.actor().tasks()
    }

    /// Returns the ground fact that a text names, such as `at(box)`. Read it once and
    /// [set](Self::set) it as often as you like.
    ///
    /// # Errors
    /// Returns an error if there is no such fact, or it doesn't accept these objects.
    pub fn atom(&self, text: &str) -> Result<Atom, Error> {
        self.inner.atom(text).map_err(|message| Error::InvalidFact {
            text: text.to_owned(),
            message,
        })
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
        let set = self.inner.set(atom, value.into());
        set.map_err(|message| Error::InvalidValue {
            fact: atom.to_string(),
            message,
        })
    }

    /// Sets `time` in the domain's texts to a tick; it is 0 at first.
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
        let holds = self.inner.holds(&read, &Env::new());
        holds.map_err(|message| Error::invalid_text(formula, &read.mistakes, message))
    }

    /// Starts a search for a plan from the current values that does tasks in sequence,
    /// such as `["fetch(ball)", "go-home"]` or the character's [own](Self::tasks). The agent's
    /// policy decides which plan: the first in the designer's order, or the cheapest. Without
    /// tasks it plans for a goal: the scenario's, or the agent's highest-value goal that can be
    /// reached.
    ///
    /// # Errors
    /// Returns an error if a task is invalid.
    pub fn plan(&self, tasks: &[impl AsRef<str>], budget: Budget) -> Result<Planning, Error> {
        let ground = tasks.iter().map(|text| self.task(text.as_ref()));
        let ground: Vec<GroundTask> = ground.collect::<Result<_, _>>()?;
        Ok(Planning::new(self, ground, budget))
    }

    fn task(&self, text: &str) -> Result<GroundTask, Error> {
        let (domain, scope) = (self.inner.domain(), self.inner.scenario_scope());
        let read = domain.read(text, &scope, read_task_call);
        let Some(call) = &read.value else {
            let message = format!("'{text}' is invalid");
            return Err(Error::invalid_text(text, &read.mistakes, message));
        };
        let ground = self.inner.ground(call, &Env::new());
        ground.map_err(|message| Error::invalid_text(text, &[], message))
    }
}
