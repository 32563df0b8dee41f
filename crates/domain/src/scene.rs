//! A scenario with its objects, its cast and its texts read.

mod objects;

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use crate::actor::Actor;
use crate::crowd::{self, TypedCrowd};
use crate::ground::Value;
use crate::lang::typed::{Call, Effect, Formula, Initial};
use crate::lang::{
    Near, PlainInitial, PlainReads, Scope, read_effect, read_formula, read_initial, read_task_call,
};
use crate::lazy_table::LazyTable;
use crate::text::{LazyTexts, TextReader, TypedText};
use taskloom_document::{
    CastMember, Document, Event, Expansion, Expectation, Field, Name, Scenario,
};

/// A scenario with its objects, its cast and its texts read.
#[derive(Debug)]
pub struct Scene {
    /// The record as it is in the document.
    pub written: Arc<Scenario>,
    /// The record with the actors of its crowds, and with the objects that a game has added.
    pub record: Arc<Scenario>,
    /// The objects of the record that a game has removed.
    removed: BTreeSet<Name>,
    /// The number of actors of each crowd.
    sizes: Vec<u32>,
    /// The crowds and their values that the last initial values are from.
    origins: Vec<(usize, usize)>,
    /// The characters in play, in the order of the cast: at least one.
    pub cast: Vec<Arc<Actor>>,
    /// The default character, from whose view nothing is private.
    pub(crate) nobody: Arc<Actor>,
    /// The names and types of the objects, sorted by name.
    objects: Vec<(Name, Name)>,
    /// The index of each object.
    numbers: Arc<FxHashMap<Name, u32>>,
    /// The objects of each type of the document.
    of_types: LazyTable<(), Vec<Name>>,
    /// The reader of the simplest initial values: a planning problem sets a hundred thousand ground
    /// facts with them, most of which are never read.
    plain: Arc<PlainInitial>,
    /// All other initial values, by their indices.
    initial: LazyTexts<Initial>,
    tasks: OnceLock<Vec<TypedText<Call>>>,
    goal: OnceLock<Option<TypedText<Formula>>>,
    events: OnceLock<Vec<TypedEvent>>,
    finally: OnceLock<Vec<Option<TypedText<Formula>>>>,
    crowds: OnceLock<Vec<TypedCrowd>>,
    /// The index of names similar to those of its texts.
    near: Arc<Near>,
}

/// The texts of an event, read.
#[derive(Debug)]
pub struct TypedEvent {
    /// The condition, if one is given.
    pub when: Option<TypedText<Formula>>,
    /// The effect.
    pub effect: TypedText<Effect>,
}

/// An initial value of a scenario.
#[derive(Debug)]
pub enum InitialValue<'s> {
    /// A ground fact that is set to true, as the index of the fact, in the document's order, and the
    /// indices of its objects, in the scenario's order.
    Plain(&'s [u32]),
    /// Any other value.
    Typed(&'s TypedText<Initial>),
}

impl Scene {
    /// Creates the scene of a scenario, without reading its texts.
    pub(crate) fn new(texts: &TextReader, written: &Arc<Scenario>) -> Self {
        let document = texts.document();
        let expansion = document.expanded(written);
        let plain = Arc::new(PlainInitial::new(document, &expansion.scenario));
        Self::of(texts, written, expansion, plain)
    }

    fn of(
        texts: &TextReader,
        written: &Arc<Scenario>,
        Expansion {
            scenario: record,
            sizes,
            origins,
        }: Expansion,
        plain: Arc<PlainInitial>,
    ) -> Self {
        let document = texts.document();
        let objects = record.all_objects(&document.objects).into_iter();
        let objects = objects.map(|(name, object)| (name.clone(), object.of.clone()));
        let objects: Vec<(Name, Name)> = objects.collect();
        let numbers = (0u32..).zip(&objects);
        let numbers = numbers.map(|(number, (name, _))| (name.clone(), number));
        let near = Arc::new(texts.near().among_others());
        let nobody = Arc::new(Actor::nobody(&record, &near));
        let mut cast = Actor::all(document, &record, &near);
        if cast.is_empty() {
            cast.push(nobody.clone());
        }
        Self {
            cast,
            nobody,
            near,
            numbers: Arc::new(numbers.collect()),
            objects,
            of_types: LazyTable::new(document.types.keys().map(|name| (name, ()))),
            plain,
            initial: LazyTexts::new(record.initial.len()),
            tasks: OnceLock::new(),
            goal: OnceLock::new(),
            events: OnceLock::new(),
            finally: OnceLock::new(),
            crowds: OnceLock::new(),
            sizes,
            origins,
            written: written.clone(),
            removed: BTreeSet::new(),
            record,
        }
    }

    /// Returns the n-th character in play; if there is none, the default one.
    pub fn actor(&self, number: usize) -> &Arc<Actor> {
        self.cast.get(number).unwrap_or(&self.nobody)
    }

    /// Returns a character that isn't in the cast, but described like a member of it.
    pub fn role(&self, document: &Document, member: &CastMember) -> Arc<Actor> {
        Arc::new(Actor::of(document, &self.record, &self.near, member))
    }

    /// Returns the names and types of all objects, including the document's, sorted by name.
    pub fn objects(&self) -> &[(Name, Name)] {
        &self.objects
    }

    /// Returns the index of each object in that list.
    pub fn numbers(&self) -> &Arc<FxHashMap<Name, u32>> {
        &self.numbers
    }

    /// Returns the objects of a type and its subtypes, in object order.
    pub fn objects_of(&self, document: &Document, of: &Name) -> Vec<Name> {
        let fitting = || {
            let all = self.objects.iter();
            let fitting = all.filter(|(_, t)| document.is_kind_of(t, of));
            fitting.map(|(name, _)| name.clone()).collect()
        };
        match self.of_types.get(of, |()| fitting()) {
            Some(objects) => objects.clone(),
            None => fitting(),
        }
    }

    /// Returns the type of an object, if it exists.
    pub fn type_of(&self, object: &Name) -> Option<&Name> {
        let number = self.numbers.get(object)?;
        let (_, of) = self.objects.get(*number as usize)?;
        Some(of)
    }

    /// Returns the reader of the simplest initial values.
    pub(crate) fn plain(&self) -> &PlainInitial {
        &self.plain
    }

    /// Returns an initial value by its index.
    pub fn initial<'s>(
        &'s self,
        texts: &TextReader,
        number: usize,
        reads: &'s mut PlainReads,
    ) -> Option<InitialValue<'s>> {
        let document = texts.document();
        let text = self.record.initial.get(number)?;
        if let Some(numbers) = self.plain.read(document, text, reads) {
            return Some(InitialValue::Plain(numbers));
        }
        let typed = || texts.read(text, &self.scope(document), read_initial);
        self.initial.get(number, typed).map(InitialValue::Typed)
    }

    /// Returns its valid initial values.
    pub fn initial_values(&self, texts: &TextReader) -> Vec<Initial> {
        let mut reads = PlainReads::default();
        let value = |number| match self.initial(texts, number, &mut reads)? {
            InitialValue::Plain(numbers) => Some(Initial {
                atom: self.plain.atom(numbers)?,
                value: Value::Bool(true),
            }),
            InitialValue::Typed(text) => text.value.clone(),
        };
        (0..self.record.initial.len()).filter_map(value).collect()
    }

    /// Returns the scope of its texts that concern no particular character.
    pub fn scope<'a>(&'a self, document: &'a Document) -> Scope<'a> {
        Scope::of_scenario(document, &self.record).with(&self.near)
    }

    /// Returns the type of `?me` in its texts that concern every character: the nearest that they
    /// have in common.
    pub(crate) fn common_type_of_me(&self, document: &Document) -> Option<Name> {
        let mut types = self.cast.iter().filter_map(|actor| actor.type_of_me());
        let first = types.next()?.clone();
        Some(types.fold(first, |common, of| document.nearest_common_type(common, of)))
    }

    /// Returns the scope of its texts that concern every character.
    fn scope_of_all<'a>(&'a self, document: &'a Document) -> Scope<'a> {
        let scope = self.scope(document);
        match self.common_type_of_me(document) {
            Some(of) => scope.played_by(of),
            None => scope,
        }
    }

    /// Returns its tasks, typed for every character; see [`Actor::calls`].
    pub(crate) fn tasks(&self, texts: &TextReader) -> &[TypedText<Call>] {
        self.tasks.get_or_init(|| {
            let scope = self.scope_of_all(texts.document());
            texts.read_all(&self.record.tasks, &scope, read_task_call)
        })
    }

    /// Returns its goal, typed for every character; see [`Actor::goal_formula`].
    pub(crate) fn goal(&self, texts: &TextReader) -> Option<&TypedText<Formula>> {
        let goal = self.goal.get_or_init(|| {
            let scope = self.scope_of_all(texts.document());
            texts.read_optional(&self.record.goal, &scope, read_formula)
        });
        goal.as_ref()
    }

    /// Returns its crowds with their texts, each read once for all its actors.
    pub(crate) fn crowds(&self, texts: &TextReader) -> &[TypedCrowd] {
        let scope = || self.scope(texts.document());
        let all = || crowd::read_all(texts, &self.written.crowds, &scope());
        self.crowds.get_or_init(all)
    }

    /// Returns the number of actors of each crowd.
    pub fn crowd_sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// Returns the field of an initial value, by its index: that of a crowd's is the same for all
    /// its actors.
    pub(crate) fn initial_field(&self, number: usize) -> Field {
        let Some(rest) = number.checked_sub(self.written.initial.len()) else {
            return Field::Initial(number);
        };
        match self.origins.get(rest) {
            Some((crowd, value)) => Field::CrowdInitial(*crowd, *value),
            None => Field::Whole,
        }
    }

    /// Returns the index of the crowd that the n-th character in play belongs to; `None` if it is
    /// a member of the cast.
    pub fn crowd_of(&self, number: usize) -> Option<usize> {
        let mut rest = number.checked_sub(self.written.cast.len())?;
        self.sizes.iter().position(|size| {
            let is_in = rest < *size as usize;
            rest = rest.saturating_sub(*size as usize);
            is_in
        })
    }

    /// Returns the texts of its events.
    pub fn events(&self, texts: &TextReader) -> &[TypedEvent] {
        self.events.get_or_init(|| {
            let scope = &self.scope(texts.document());
            let typed = |event: &Event| TypedEvent {
                when: texts.read_optional(&event.when, scope, read_formula),
                effect: texts.read(&event.effect, scope, read_effect),
            };
            self.record.events.iter().map(typed).collect()
        })
    }

    /// Returns the formula that an expectation requires at the end of a run, by the expectation's
    /// index; `None` if it requires something else.
    pub fn finally(&self, texts: &TextReader, number: usize) -> Option<&TypedText<Formula>> {
        let all = self.finally.get_or_init(|| {
            let scope = &self.scope(texts.document());
            let typed = |expectation: &Expectation| match expectation {
                Expectation::Finally(text) => Some(texts.read(text, scope, read_formula)),
                _ => None,
            };
            self.record.expect.iter().map(typed).collect()
        });
        all.get(number)?.as_ref()
    }
}
