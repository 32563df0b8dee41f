//! A document with the meaning of its texts, each read and typed only once.

mod conditions;
mod edited;
mod errors;
mod executable;

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashSet;

use crate::actor::Actor;
use crate::call_cycles::CallCycles;
use crate::lang::typed::{Formula, Number};
use crate::lang::{Clock, Me, Near, Scope, read_number};
use crate::lazy_table::LazyTable;
use crate::method::{Above, Content, Method};
use crate::records::{Agent, Compound, ExecutionRules, Goal, Primitive};
use crate::scene::Scene;
use crate::text::{Read, TextReader, TypedText};
use taskloom_document::stop::Stop;
use taskloom_document::{
    self as document, Action, CompoundTask, Condition, Document, Field, Kind, Name, Param,
    PrimitiveTask, RecordRef, Scenario, Source, Table,
};

/// A document and the meaning of its texts. Muted blocks are left out.
///
/// A domain is immutable, and clones share it. It reads a record when it is first requested, so a
/// caller that needs little of a large document doesn't wait for the rest.
#[derive(Debug, Clone)]
pub struct Domain(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    texts: TextReader,
    clock: OnceLock<Clock>,
    /// The facts of which actors have their own values.
    memory: OnceLock<FxHashSet<Name>>,
    conditions: LazyTable<Arc<Condition>, TypedText<Formula>>,
    /// The conditions that call themselves, each with that mistake; `None` for all others.
    recursive: LazyTable<(), Option<TypedText<Formula>>>,
    call_cycles: OnceLock<CallCycles>,
    /// `true` for each condition that is valid together with all conditions it calls.
    readable: LazyTable<(), bool>,
    durations: LazyTable<Arc<Action>, Option<TypedText<Number>>>,
    primitives: LazyTable<Arc<PrimitiveTask>, Primitive>,
    compounds: LazyTable<Arc<CompoundTask>, Compound>,
    goals: LazyTable<Arc<document::Goal>, Goal>,
    agents: LazyTable<Arc<document::Agent>, Agent>,
    scenes: LazyTable<Arc<Scenario>, Scene>,
    /// The domain as it is planned and run, if that is another one.
    executable: OnceLock<Option<Domain>>,
    /// The executable domain of the version from which this one was edited, if it was needed.
    executable_before: Option<Domain>,
}

fn shared<R>(table: &Table<R>) -> impl Iterator<Item = (&Name, Arc<R>)> {
    table.iter().map(|(name, record)| (name, record.clone()))
}

impl From<&Document> for Domain {
    fn from(document: &Document) -> Self {
        Self::from(Arc::new(document.clone()))
    }
}

impl From<Arc<Document>> for Domain {
    fn from(document: Arc<Document>) -> Self {
        Self::new(document, &Stop::default())
    }
}

impl Domain {
    /// Creates a domain without reading anything yet. Its results are meaningless once the stop was
    /// triggered.
    pub fn new(document: Arc<Document>, stop: &Stop) -> Self {
        let document = document.shared_without_muted();
        Self::of_texts(TextReader::new(document, None, stop.clone()))
    }

    fn of_texts(texts: TextReader) -> Self {
        let document = texts.document();
        let conditions = || document.conditions.keys();
        Self(Arc::new(Inner {
            clock: OnceLock::new(),
            memory: OnceLock::new(),
            call_cycles: OnceLock::new(),
            readable: LazyTable::new(conditions().map(|name| (name, ()))),
            recursive: LazyTable::new(conditions().map(|name| (name, ()))),
            conditions: LazyTable::new(shared(&document.conditions)),
            primitives: LazyTable::new(shared(&document.primitive_tasks)),
            compounds: LazyTable::new(shared(&document.compound_tasks)),
            durations: LazyTable::new(shared(&document.actions)),
            goals: LazyTable::new(shared(&document.goals)),
            agents: LazyTable::new(shared(&document.agents)),
            scenes: LazyTable::new(shared(&document.scenarios)),
            executable: OnceLock::new(),
            executable_before: None,
            texts,
        }))
    }

    /// Returns the same domain, not read yet, for one character only: `?me` is its object.
    #[must_use]
    pub fn played_by(&self, actor: &Actor) -> Self {
        let me = actor.me().zip(actor.type_of_me());
        let me = me.map(|(object, of)| Me {
            of: of.clone(),
            object: Some(object.clone()),
        });
        let (document, stop) = (self.document().clone(), self.stop().clone());
        Self::of_texts(TextReader::new(document, me, stop))
    }

    /// Returns the document, without muted blocks.
    pub fn document(&self) -> &Arc<Document> {
        self.0.texts.document()
    }

    /// Returns the reader of its texts.
    pub fn texts(&self) -> &TextReader {
        &self.0.texts
    }

    /// Returns the stop that ends all reading.
    pub fn stop(&self) -> &Stop {
        self.0.texts.stop()
    }

    /// Returns the index of similar names, for texts outside any scenario.
    pub(crate) fn near(&self) -> &Near {
        self.0.texts.near()
    }

    /// Returns the parts of the document that depend on the time.
    pub fn clock(&self) -> Clock {
        *self.0.clock.get_or_init(|| Clock::of(self.document()))
    }

    /// Returns `true` if actors have their own values of a fact.
    pub fn is_memory(&self, fact: &Name) -> bool {
        let facts = || {
            let facts = self.document().facts.iter();
            let memory = facts.filter(|(_, fact)| fact.source == Source::Memory);
            memory.map(|(name, _)| name.clone()).collect()
        };
        self.0.memory.get_or_init(facts).contains(fact)
    }

    /// Returns the scope outside any scenario, with these variables.
    pub fn scope(&self, variables: Vec<Param>) -> Scope<'_> {
        self.0.texts.scope(variables)
    }

    /// Returns the meaning of `?me` in a field; `None` if no character acts there.
    pub fn me_at(&self, record: &RecordRef, field: &Field) -> Option<Me> {
        let scene = || self.scene(&record.name);
        let of = match (record.kind, field) {
            (Kind::Agent, _) => self.document().agents.get(&record.name)?.of.clone(),
            (Kind::Scenario, Field::Belief(at, _) | Field::CastTask(at, _)) => {
                scene()?.actor(*at).type_of_me()?.clone()
            }
            (
                Kind::Scenario,
                Field::CrowdInitial(at, _) | Field::CrowdTask(at, _) | Field::CrowdBelief(at, _),
            ) => {
                let scenario = self.document().scenarios.get(&record.name)?;
                let agent = &scenario.crowds.get(*at)?.agent;
                self.document().agents.get(agent)?.of.clone()
            }
            (Kind::Scenario, Field::Task(_) | Field::Goal) => {
                scene()?.common_type_of_me(self.document())?
            }
            (Kind::Scenario, _) => return None,
            (kind, _) => return self.texts().me_in(kind, &record.name),
        };
        Some(Me::any(of))
    }

    /// Reads a text in a scope of this document.
    pub fn read<T>(&self, text: &str, scope: &Scope, read: Read<T>) -> TypedText<T> {
        self.0.texts.read(text, scope, read)
    }

    /// Returns a primitive task.
    pub fn primitive(&self, name: &Name) -> Option<&Primitive> {
        let read = |record: &_| Primitive::read(self.texts(), name, record);
        self.0.primitives.get(name, read)
    }

    /// Returns all primitive tasks, by name.
    pub fn primitives(&self) -> impl Iterator<Item = (&Name, &Primitive)> {
        let names = self.document().primitive_tasks.keys();
        names.filter_map(|name| Some((name, self.primitive(name)?)))
    }

    /// Returns the parts of a primitive task that matter only during execution.
    pub fn execution_rules<'d>(&self, primitive: &'d Primitive) -> &'d ExecutionRules {
        primitive.rules(self.texts())
    }

    /// Returns the duration of an action in ticks, if one is given.
    pub fn duration(&self, action: &Name) -> Option<&TypedText<Number>> {
        let duration = self.0.durations.get(action, |record| {
            let scope = self.scope(record.params.clone());
            let texts = self.texts();
            texts.read_optional(&record.duration, &scope, read_number)
        });
        duration?.as_ref()
    }

    /// Returns a compound task.
    pub fn compound(&self, name: &Name) -> Option<&Compound> {
        let read = |record: &_| Compound::read(self.texts(), name, record);
        self.0.compounds.get(name, read)
    }

    /// Returns all compound tasks, by name.
    pub fn compounds(&self) -> impl Iterator<Item = (&Name, &Compound)> {
        let names = self.document().compound_tasks.keys();
        names.filter_map(|name| Some((name, self.compound(name)?)))
    }

    /// Returns the conditions that must hold while a task below a compound one is being executed.
    pub fn integrity<'d>(&self, compound: &'d Compound) -> &'d [TypedText<Formula>] {
        compound.integrity(self.texts())
    }

    /// Returns the flowchart of a compound task, or `None` if it has no Begin block.
    pub fn method<'d>(&self, compound: &'d Compound) -> Option<&'d Method> {
        compound.method(self.texts())
    }

    /// Returns the flowchart of a compound task with the drawn ways of doing it: `None` if it has a
    /// goal and none of its blocks calls a task, so that only its goal says what to do.
    pub fn ways<'d>(&self, compound: &'d Compound) -> Option<&'d Method> {
        let is_drawn = |method: &&Method| compound.goal.is_none() || !method.chart.tasks.is_empty();
        self.method(compound).filter(is_drawn)
    }

    /// Returns the content of the block at a position of a flowchart.
    pub fn content<'d>(&self, method: &'d Method, position: u32) -> &'d Content {
        method.content(self.texts(), position, &Above(method, position))
    }

    /// Returns a goal.
    pub fn goal(&self, name: &Name) -> Option<&Goal> {
        let read = |record: &_| Goal::read(self.texts(), name, record);
        self.0.goals.get(name, read)
    }

    /// Returns an agent.
    pub fn agent(&self, name: &Name) -> Option<&Agent> {
        let read = |record: &_| Agent::read(self.texts(), record);
        self.0.agents.get(name, read)
    }

    /// Returns a scenario.
    pub fn scene(&self, name: &Name) -> Option<&Arc<Scene>> {
        let read = |record: &_| Scene::new(self.texts(), record);
        self.0.scenes.shared(name, read)
    }

    /// Returns a scenario; if there is none of this name, one without content.
    pub fn scene_or_empty(&self, name: &Name) -> Arc<Scene> {
        let empty = || Arc::new(self.scene_of(Scenario::default()));
        self.scene(name).cloned().unwrap_or_else(empty)
    }

    /// Returns the scene of a scenario that isn't in the document.
    pub fn scene_of(&self, scenario: Scenario) -> Scene {
        Scene::new(self.texts(), &Arc::new(scenario))
    }
}
