//! The world of a scenario at one moment, by name: the validator replays plans in it, and the
//! simulator executes them in it. Shares nothing with the search's own state.

use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashSet;

use crate::actor::Actor;
use crate::domain::Domain;
use crate::ground::{Atom, GroundTask, Value};
use crate::lang::typed::{Call, Formula, Term};
use crate::lang::{Env, PlainReads, Repeated, Scope, eval_formula, eval_term};
use crate::records::{Compound, Primitive};
use crate::scene::{InitialValue, Scene};
use crate::text::TypedText;
use taskloom_document::stop::Stop;
use taskloom_document::{Document, Name, Param, ValueKind};

mod assigned;
mod changes;
mod claims;
mod differences;
mod listing;
mod memory;
mod objects;
mod possible;
mod reasons;
mod setting;

use assigned::Assigned;
pub use assigned::Removal;
pub use claims::{Claimed, claimed_by};
pub use listing::as_initial_value;
pub use possible::Possible;

/// The values of all ground facts in a scenario's world.
#[derive(Debug, Clone, Default)]
pub struct Values {
    /// The facts set by the simplest initial values, by index.
    held: Arc<FxHashSet<Box<[u32]>>>,
    /// All other initial values, and everything that changed since.
    set: Assigned,
    /// The number of changes.
    revision: u64,
    /// The current tick.
    time: f64,
}

impl Values {
    /// Returns a number that grows whenever a value changes.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns the number of values that are stored, which includes all that aren't the defaults.
    pub fn count(&self) -> usize {
        self.held.len() + self.set.len()
    }
}

/// The values of all ground facts at one moment, with their meaning.
#[derive(Debug, Clone)]
pub struct World {
    domain: Domain,
    scene: Arc<Scene>,
    values: Arc<Values>,
    /// The character's own memory, separate from the world's values; `None` if the world's values
    /// include it.
    memory: Option<Arc<Values>>,
    /// The acting character.
    actor: Arc<Actor>,
    /// The objects that other actors claim.
    claimed: Arc<Claimed>,
    /// The set in which ground facts are recorded when they are read.
    reads: Option<Reads>,
    /// If `true`, ground facts read only by durations are recorded too.
    notes_durations: bool,
    /// Ends all evaluation in this world.
    stop: Stop,
}

/// The ground facts read from a world.
pub type Reads = Arc<Mutex<FxHashSet<Atom>>>;

impl crate::lang::World for World {
    fn value(&self, atom: &Atom) -> Value {
        if let Some(Ok(mut reads)) = self.reads.as_ref().map(|reads| reads.lock()) {
            reads.insert(atom.clone());
        }
        self.present(atom)
    }

    fn objects(&self, of: &Name) -> Vec<Name> {
        self.scene.objects_of(self.document(), of)
    }

    fn condition(&self, name: &Name) -> Option<(&[Param], &Formula)> {
        let formula = self.domain.condition(name)?.value.as_ref()?;
        Some((&self.document().conditions.get(name)?.params, formula))
    }

    fn me(&self) -> Option<&Name> {
        self.actor.me()
    }

    fn time(&self) -> f64 {
        self.values.time
    }

    fn stop(&self) -> Stop {
        self.stop.clone()
    }
}

fn default_value(document: &Document, fact: &Name) -> Value {
    match document.facts.get(fact).map(|f| &f.value) {
        Some(ValueKind::Number { .. }) => Value::Number(0.0),
        Some(ValueKind::Object(_)) => Value::Object(None),
        Some(ValueKind::Boolean) | None => Value::Bool(false),
    }
}

impl World {
    /// Returns the world in which a scenario starts. Invalid initial values have their own
    /// diagnostics and are ignored here.
    pub fn initial(domain: &Domain, scene: &Arc<Scene>) -> Self {
        Self::initial_cancellable(domain, scene, Stop::default())
    }

    /// Returns the initial world, with a stop that ends all evaluation in it: once it is triggered,
    /// no result is meaningful.
    pub fn initial_cancellable(domain: &Domain, scene: &Arc<Scene>, stop: Stop) -> Self {
        let plain = scene.plain();
        let mut values = Values::default();
        let mut held = FxHashSet::default();
        let mut reads = PlainReads::default();
        for (number, text) in scene.record.initial.iter().enumerate() {
            if stop.after(text.len()) {
                break;
            }
            match scene.initial(domain.texts(), number, &mut reads) {
                Some(InitialValue::Plain(numbers)) => {
                    // If two texts set the same ground fact, the later one counts.
                    if !values.set.is_empty()
                        && let Some(atom) = plain.atom(numbers)
                    {
                        values.set.remove(&atom);
                    }
                    held.insert(Box::from(numbers));
                }
                Some(InitialValue::Typed(text)) => {
                    if let Some(initial) = text.value.as_ref().filter(|one| !scene.is_past(one)) {
                        values.set.insert(&initial.atom, initial.value.clone());
                    }
                }
                None => {}
            }
        }
        values.held = Arc::new(held);
        Self {
            domain: domain.executable().clone(),
            scene: scene.clone(),
            values: Arc::new(values),
            memory: None,
            actor: scene.nobody.clone(),
            claimed: Arc::default(),
            reads: None,
            notes_durations: false,
            stop,
        }
    }

    /// Returns a world of the same scenario with these values.
    pub fn with_values(&self, values: Arc<Values>, stop: Stop) -> Self {
        Self {
            values,
            stop,
            ..self.clone()
        }
    }

    /// Returns the same world as seen by an acting character, whose object is `?me`.
    #[must_use]
    pub fn played_by(self, actor: Arc<Actor>) -> Self {
        Self { actor, ..self }
    }

    /// Returns the same world, recording from now on what is read. The reads of the durations of a
    /// plan's steps are recorded only if `notes_durations`: they matter to plans that depend on the
    /// time.
    #[must_use]
    pub fn recording_reads(self, reads: Reads, notes_durations: bool) -> Self {
        Self {
            reads: Some(reads),
            notes_durations,
            ..self
        }
    }

    /// Evaluates something without recording what it reads.
    pub fn unrecorded<T>(&self, evaluate: impl FnOnce(&Self) -> T) -> T {
        let reads = || {
            let reads = self.reads.as_ref()?.lock();
            Some(reads.unwrap_or_else(PoisonError::into_inner))
        };
        let before = reads().map(|mut reads| mem::take(&mut *reads));
        let result = evaluate(self);
        if let (Some(mut reads), Some(before)) = (reads(), before) {
            *reads = before;
        }
        result
    }

    /// Swaps values with another world of the same scenario; characters' own memories stay where
    /// they are.
    pub fn swap_values(&mut self, other: &mut Self) {
        mem::swap(&mut self.values, &mut other.values);
    }

    /// Returns `true` if reads are recorded.
    pub fn is_recording_reads(&self) -> bool {
        self.reads.is_some()
    }

    /// Returns a ground fact's value without recording the read.
    fn present(&self, atom: &Atom) -> Value {
        let memory = self.memory.as_ref();
        if let Some(memory) = memory.filter(|_| self.is_memory(&atom.fact)) {
            let set = memory.set.get(atom).cloned();
            return set.unwrap_or_else(|| default_value(self.document(), &atom.fact));
        }
        if let Some(set) = self.values.set.get(atom) {
            return set.clone();
        }
        if self.is_held(atom) {
            Value::Bool(true)
        } else {
            default_value(self.document(), &atom.fact)
        }
    }

    /// Returns a number that grows whenever a value changes.
    pub fn revision(&self) -> u64 {
        let memory = self.memory.as_ref();
        self.values.revision() + memory.map_or(0, |memory| memory.revision())
    }

    /// Sets the time, as a tick. It isn't a fact, so the revision stays the same.
    pub fn set_time(&mut self, time: f64) {
        if self.values.time != time {
            Arc::make_mut(&mut self.values).time = time;
        }
    }

    /// Advances the time by this many ticks.
    pub fn pass(&mut self, ticks: f64) {
        self.set_time(self.values.time + ticks);
    }

    /// Returns the acting character.
    pub fn actor(&self) -> &Arc<Actor> {
        &self.actor
    }

    /// Returns the values.
    pub fn values(&self) -> &Arc<Values> {
        &self.values
    }

    /// Returns the document that gives the values their meaning.
    pub fn document(&self) -> &Arc<Document> {
        self.domain.document()
    }

    /// Returns the document together with the meaning of its texts.
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// Returns the scenario whose objects and cast these are.
    pub fn scene(&self) -> &Arc<Scene> {
        &self.scene
    }

    /// Returns the scope of a text of the scenario.
    pub fn scenario_scope(&self) -> Scope<'_> {
        self.actor.scope(self.document())
    }

    /// Returns the primitive task that a ground task names.
    pub fn primitive(&self, task: &GroundTask) -> Option<&Primitive> {
        self.domain.primitive(&task.task)
    }

    /// Returns the compound task that a ground task names.
    pub fn compound(&self, task: &GroundTask) -> Option<&Compound> {
        self.domain.compound(&task.task)
    }

    /// Evaluates the arguments of a call to objects.
    ///
    /// # Errors
    /// Returns a sentence if an argument is undefined.
    pub fn ground(&self, call: &Call, env: &Env) -> Result<GroundTask, String> {
        Ok(GroundTask {
            task: call.name.clone(),
            args: self.arguments(&call.args, env)?,
        })
    }

    /// Evaluates the arguments of a task call or a query.
    ///
    /// # Errors
    /// Returns a sentence if one is undefined.
    pub fn arguments(&self, terms: &[Term], env: &Env) -> Result<Vec<Name>, String> {
        let args = terms.iter().map(|term| match eval_term(term, self, env) {
            Ok(Some(object)) => Ok(object),
            Ok(None) => Err("an argument is undefined".to_owned()),
            Err(error) => Err(error.to_string()),
        });
        args.collect()
    }

    /// Returns the tasks that serve a goal, in the order in which they are tried, without those whose
    /// calls are invalid or have an undefined argument.
    pub fn tasks_of_goal<'w>(&'w self, goal: &Name) -> impl Iterator<Item = GroundTask> + 'w {
        let goal = self.domain().goal(goal);
        let calls = goal.into_iter().flat_map(|goal| &goal.tasks);
        calls.filter_map(|call| self.ground(call.value.as_ref()?, &Env::new()).ok())
    }

    /// Returns the evaluation of a formula over parameters for many arguments; `None` if it, or a condition
    /// that it calls, is invalid.
    pub fn repeated<'w>(
        &'w self,
        read: &'w TypedText<Formula>,
        params: &'w [Param],
    ) -> Option<Repeated<'w>> {
        let formula = read.value.as_ref()?;
        let is_readable = self.domain().calls_are_readable(formula);
        is_readable.then(|| Repeated::new(formula, params, self))
    }

    /// Returns `true` if a formula holds.
    ///
    /// # Errors
    /// Returns a sentence if the formula, or a condition that it calls, is invalid.
    pub fn holds(&self, read: &TypedText<Formula>, env: &Env) -> Result<bool, String> {
        let text = read.text.trim();
        let formula = read.value.as_ref();
        let formula = formula.filter(|formula| self.domain().calls_are_readable(formula));
        let formula = formula.ok_or_else(|| format!("'{text}' is invalid"))?;
        eval_formula(formula, self, env).map_err(|error| format!("'{text}': {error}"))
    }

    /// Returns `true` if an object exists and can be an argument of a type. Unknown types accept
    /// any object.
    pub fn fits(&self, object: &Name, of: &Name) -> bool {
        let is_known = |t: &Name| *t == "object" || self.document().types.contains_key(t);
        let found = self.scene.type_of(object);
        found.is_some_and(|t| !is_known(t) || !is_known(of) || self.document().is_kind_of(t, of))
    }

    /// Returns `true` if an object exists and is of a type.
    pub fn has_object(&self, object: &Name, of: &Name) -> bool {
        let found = self.scene.type_of(object);
        found.is_some_and(|t| self.document().is_kind_of(t, of))
    }

    /// Returns `true` if a fact says that an actor is absent.
    pub fn is_absent(&self, actor: &Actor) -> bool {
        actor.absences().iter().any(|atom| self.is_true(atom))
    }

    /// Returns `true` if a ground fact is true.
    pub fn is_true(&self, atom: &Atom) -> bool {
        self.present(atom) == Value::Bool(true)
    }

    fn is_held(&self, atom: &Atom) -> bool {
        let numbers = self.scene.plain().numbers(atom);
        numbers.is_some_and(|numbers| self.values.held.contains(&numbers[..]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::Change;
    use crate::lang::World as _;

    #[test]
    fn later_text_about_a_ground_fact_wins() {
        let text = r#"{ "taskloom": 4, "objects": { "a": { "type": "object" } },
            "facts": { "at": { "params": ["?x: object"], "value": "boolean", "source": "memory" },
                       "lit": { "value": "boolean", "source": "memory" } },
            "scenarios": { "s": { "initial": ["not lit", "at(a)", "lit", "at( a )", "not at(a)"] } } }"#;
        let domain = Domain::from(&Document::from_json(text).unwrap());
        let scene = domain.scene(&"s".parse().unwrap()).unwrap();
        let mut world = World::initial(&domain, scene);
        assert_eq!(world.as_initial_values(), ["lit"]);
        let [at, lit] = [("at", vec!["a"]), ("lit", vec![])].map(|(fact, args)| Atom {
            fact: fact.parse().unwrap(),
            args: args.into_iter().map(|arg| arg.parse().unwrap()).collect(),
        });
        assert_eq!(world.value(&at), Value::Bool(false));
        assert_eq!(world.value(&lit), Value::Bool(true));
        assert_eq!(world.listing().len(), 2);
        let after = Value::Bool(false);
        world.apply(&[Change {
            atom: lit.clone(),
            before: Value::Bool(true),
            after,
        }]);
        assert_eq!(world.value(&lit), Value::Bool(false));
        assert_eq!(world.as_initial_values(), [""; 0]);
    }
}
