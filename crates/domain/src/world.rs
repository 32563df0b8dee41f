//! The world of a scenario as it is at one moment, by name: what the validator
//! replays plans in and the simulator executes them in. Shares nothing with the
//! search's own state.

use std::sync::{Arc, Mutex};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::elaborate::{Compound, Domain, Primitive, Text};
use crate::ground::{Atom, GroundTask, Value};
use crate::lang::typed::{Call, Formula};
use crate::lang::{Env, PlainInitial, Scope, eval_formula, eval_term, read_initial};
use crate::once::Once;
use crate::player::Player;
use taskloom_document::stop::Stop;
use taskloom_document::{Document, Name, Param, Scenario, ValueKind};

mod changes;
mod listing;
mod memory;
mod possible;
mod reasons;
mod setting;

pub use possible::Possible;

/// What a scenario's world can be asked, whatever values its ground facts have: texts,
/// each read once, and objects. Worlds share it.
#[derive(Debug)]
pub struct Texts<'a> {
    document: &'a Document,
    domain: Arc<Domain<'a>>,
    scenario: &'a Scenario,
    /// Names and types of the objects, by name.
    objects: Vec<(&'a Name, &'a Name)>,
    /// The objects of each type.
    fitting: Once<(), Vec<Name>>,
    /// What holds at first and is said in the plainest form: a planning problem says
    /// it of a hundred thousand ground facts, most of which nobody asks for.
    plain: PlainInitial<'a>,
}

/// The values of all ground facts of a scenario's world.
#[derive(Debug, Clone, Default)]
pub struct Values {
    /// What holds at first and is said in the plainest form, by numbers.
    held: FxHashSet<Box<[u32]>>,
    /// All other values at first, and whatever changed since.
    set: FxHashMap<Atom, Value>,
    /// How many changes were made to them.
    revision: u64,
    /// The tick.
    time: f64,
}

impl Values {
    /// A number that grows whenever a value changes.
    pub fn revision(&self) -> u64 {
        self.revision
    }
}

/// The values of all ground facts at one moment, and what they amount to.
#[derive(Debug, Clone)]
pub struct World<'a> {
    texts: Arc<Texts<'a>>,
    values: Arc<Values>,
    /// What the one who asks remembers, apart from the world; none: the world's values say that, too.
    memory: Option<Arc<Values>>,
    /// Who asks.
    player: Player<'a>,
    /// Where the ground facts are noted that are read.
    reads: Option<Reads>,
    /// Whether those are noted, too, that only durations read.
    notes_durations: bool,
    /// Ends whatever is asked of it.
    stop: Stop,
}

/// Ground facts that were read of a world, by whoever asked it.
pub type Reads = Arc<Mutex<FxHashSet<Atom>>>;

impl crate::lang::World for World<'_> {
    fn value(&self, atom: &Atom) -> Value {
        if let Some(Ok(mut reads)) = self.reads.as_ref().map(|reads| reads.lock()) {
            reads.insert(atom.clone());
        }
        self.present(atom)
    }

    fn objects(&self, of: &Name) -> Vec<Name> {
        let fitting = || {
            let all = self.texts.objects.iter();
            let fitting = all.filter(|(_, t)| self.texts.document.is_kind_of(t, of));
            fitting.map(|(name, _)| (*name).clone()).collect()
        };
        match self.texts.fitting.get(of, |_| fitting()) {
            Some(objects) => objects.clone(),
            None => fitting(),
        }
    }

    fn condition(&self, name: &Name) -> Option<(&[Param], &Formula)> {
        let formula = self.texts.domain.condition(name)?.value.as_ref()?;
        Some((&self.texts.document.conditions.get(name)?.params, formula))
    }

    fn me(&self) -> Option<&Name> {
        self.player.me()
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

impl<'a> World<'a> {
    /// The world in which a scenario starts. Initial values that cannot be read
    /// have diagnostics of their own, and count for nothing here.
    pub fn initial(document: &'a Document, scenario: &'a Scenario) -> Self {
        Self::initial_until(document, scenario, Stop::default())
    }

    /// The same with what stops all that is asked of it: once that is heard, no
    /// answer means anything.
    pub fn initial_until(document: &'a Document, scenario: &'a Scenario, stop: Stop) -> Self {
        let objects = scenario.all_objects(&document.objects);
        let mut plain = PlainInitial::new(document, scenario);
        let mut values = Values::default();
        let scope = Scope::of_scenario(document, scenario);
        for text in &scenario.initial {
            if stop.after(text.len()) {
                break;
            }
            if let Some(numbers) = plain.read(text).map(Box::<[u32]>::from) {
                // Of two texts on one ground fact the later counts.
                if !values.set.is_empty()
                    && let Some(atom) = plain.atom(&numbers)
                {
                    values.set.remove(&atom);
                }
                values.held.insert(numbers);
            } else if let Some(initial) = read_initial(text, &scope).value {
                values.set.insert(initial.atom, initial.value);
            }
        }
        let texts = Texts {
            document,
            scenario,
            objects: objects
                .into_iter()
                .map(|(name, object)| (name, &object.of))
                .collect(),
            fitting: Once::new(document.types.keys().map(|name| (name, ()))),
            domain: Arc::new(Domain::new(document, &stop)),
            plain,
        };
        Self {
            texts: Arc::new(texts),
            values: Arc::new(values),
            memory: None,
            player: Player::default(),
            reads: None,
            notes_durations: false,
            stop,
        }
    }

    /// The world of the same scenario with these values.
    pub fn with_values(&self, values: Arc<Values>, stop: Stop) -> Self {
        Self {
            texts: self.texts.clone(),
            values,
            memory: self.memory.clone(),
            player: self.player,
            reads: self.reads.clone(),
            notes_durations: self.notes_durations,
            stop,
        }
    }

    /// The same world, asked by one who plays in it: the object that it is, is `?me`.
    #[must_use]
    pub fn played_by(self, player: Player<'a>) -> Self {
        Self { player, ..self }
    }

    /// The same world, which notes from now on what is read of it. What the durations of a plan's steps
    /// read is noted only if it `notes_durations`: they matter to a plan that depends on the time.
    #[must_use]
    pub fn noting(self, reads: Reads, notes_durations: bool) -> Self {
        Self {
            reads: Some(reads),
            notes_durations,
            ..self
        }
    }

    /// Changes places with the values of another world of the same scenario; memory that is
    /// somebody's own stays with whose it is.
    pub fn swap_values(&mut self, other: &mut Self) {
        std::mem::swap(&mut self.values, &mut other.values);
    }

    /// Whether it notes what is read of it.
    pub fn is_noting(&self) -> bool {
        self.reads.is_some()
    }

    /// A ground fact's value, of which nobody takes note.
    fn present(&self, atom: &Atom) -> Value {
        let memory = self.memory.as_ref();
        if let Some(memory) = memory.filter(|_| self.is_memory(&atom.fact)) {
            let set = memory.set.get(atom).cloned();
            return set.unwrap_or_else(|| default_value(self.texts.document, &atom.fact));
        }
        if let Some(set) = self.values.set.get(atom) {
            return set.clone();
        }
        if self.is_held(atom) {
            Value::Bool(true)
        } else {
            default_value(self.texts.document, &atom.fact)
        }
    }

    /// A number that grows whenever a value changes.
    pub fn revision(&self) -> u64 {
        let memory = self.memory.as_ref();
        self.values.revision() + memory.map_or(0, |memory| memory.revision())
    }

    /// Sets the time, which is the tick. It is no fact: the revision stays.
    pub fn set_time(&mut self, time: f64) {
        if self.values.time != time {
            Arc::make_mut(&mut self.values).time = time;
        }
    }

    /// Lets so many ticks pass.
    pub fn pass(&mut self, ticks: f64) {
        self.set_time(self.values.time + ticks);
    }

    /// Who asks.
    pub fn player(&self) -> Player<'a> {
        self.player
    }

    /// The values.
    pub fn values(&self) -> &Arc<Values> {
        &self.values
    }

    /// The values, without what they mean.
    pub fn into_values(self) -> Arc<Values> {
        self.values
    }

    /// The document that says what they mean.
    pub fn document(&self) -> &'a Document {
        self.texts.document
    }

    /// The scenario whose objects, goal and tasks these are.
    pub fn scenario(&self) -> &'a Scenario {
        self.texts.scenario
    }

    /// What can be named in a text of the domain with these variables.
    pub fn scope(&self, variables: &[Param]) -> Scope<'a> {
        Scope::of_domain(self.texts.document, variables.to_vec())
    }

    /// What can be named in a text of the scenario.
    pub fn scenario_scope(&self) -> Scope<'a> {
        self.player.scope(self.texts.document, self.texts.scenario)
    }

    /// The document with what its texts mean.
    pub fn domain(&self) -> &Arc<Domain<'a>> {
        &self.texts.domain
    }

    /// The primitive task that a ground task names.
    pub fn primitive(&self, task: &GroundTask) -> Option<&Primitive> {
        self.texts.domain.primitive(&task.task)
    }

    /// The compound task that a ground task names.
    pub fn compound(&self, task: &GroundTask) -> Option<&Compound> {
        self.texts.domain.compound(&task.task)
    }

    /// A call with the objects that its arguments stand for.
    ///
    /// # Errors
    /// A sentence where an argument is undefined.
    pub fn ground(&self, call: &Call, env: &Env) -> Result<GroundTask, String> {
        let args = call
            .args
            .iter()
            .map(|term| match eval_term(term, self, env) {
                Ok(Some(object)) => Ok(object),
                Ok(None) => Err("an argument is undefined".to_owned()),
                Err(error) => Err(error.to_string()),
            });
        Ok(GroundTask {
            task: call.name.clone(),
            args: args.collect::<Result<_, _>>()?,
        })
    }

    /// Whether a formula holds.
    ///
    /// # Errors
    /// A sentence where it means nothing: it, or a condition that it calls,
    /// cannot be read.
    pub fn holds(&self, read: &Text<Formula>, env: &Env) -> Result<bool, String> {
        let text = read.text.trim();
        let formula = read.value.as_ref();
        let formula = formula.filter(|formula| self.domain().calls_are_readable(formula));
        let formula = formula.ok_or_else(|| format!("'{text}' is invalid"))?;
        eval_formula(formula, self, env).map_err(|error| format!("'{text}': {error}"))
    }

    /// Whether an object is there and can be an argument of a type. Of types that
    /// do not exist nothing is known, so anything goes.
    pub fn fits(&self, object: &Name, of: &Name) -> bool {
        let is_known = |t: &Name| *t == "object" || self.texts.document.types.contains_key(t);
        let found = self.type_of(object);
        found
            .is_some_and(|t| !is_known(t) || !is_known(of) || self.texts.document.is_kind_of(t, of))
    }

    /// Whether an object is there and of a type.
    pub fn has_object(&self, object: &Name, of: &Name) -> bool {
        let found = self.type_of(object);
        found.is_some_and(|t| self.texts.document.is_kind_of(t, of))
    }

    /// The type of an object that is there.
    fn type_of(&self, object: &Name) -> Option<&'a Name> {
        let found = self
            .texts
            .objects
            .binary_search_by(|(name, _)| (*name).cmp(object));
        let (_, of) = self.texts.objects.get(found.ok()?)?;
        Some(of)
    }

    fn is_held(&self, atom: &Atom) -> bool {
        let numbers = self.texts.plain.numbers(atom);
        numbers.is_some_and(|numbers| self.values.held.contains(&numbers[..]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::Change;
    use crate::lang::World as _;

    #[test]
    fn of_two_texts_on_one_ground_fact_the_later_counts() {
        let text = r#"{ "taskloom": 2, "objects": { "a": { "type": "object" } },
            "facts": { "at": { "params": ["?x: object"], "value": "boolean", "source": "memory" },
                       "lit": { "value": "boolean", "source": "memory" } },
            "scenarios": { "s": { "initial": ["not lit", "at(a)", "lit", "at( a )", "not at(a)"] } } }"#;
        let document = Document::from_json(text).unwrap();
        let scenario = document.scenarios.values().next().unwrap();
        let mut world = World::initial(&document, scenario);
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
