//! A document with the meaning of its texts, each read and typed only once.
//!
//! A [`Domain`] is immutable and cheap to share. It reads a record when it is first requested, so a
//! caller that needs little of a large document doesn't wait for the rest.

mod conditions;

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use crate::call_cycles::CallCycles;
use crate::check::check_all;
use crate::diagnostic_sink::DiagnosticSink;
use crate::lang::typed::{Call, Effect, Formula, Number};
use crate::lang::{
    Clock, Me, Mistake, Near, Scope, Typed, read_action_call, read_effect, read_formula,
    read_number,
};
use crate::lazy_table::LazyTable;
use crate::method::{Above, Content, Method};
use crate::player::Player;
use conditions::Condition;
use taskloom_document::diagnostic::Diagnostic;
use taskloom_document::stop::Stop;
use taskloom_document::{
    self, Action, BlockText, CompoundTask, Document, EffectTiming, Field, Kind, Name, Param, Port,
    PrimitiveTask, RecordRef, Table, TypesOfMe,
};

/// A parsed and typed text.
#[derive(Debug, Clone)]
pub struct TypedText<T> {
    /// The text as typed by the designer.
    pub text: String,
    /// Its meaning; `None` if it is invalid.
    pub value: Option<T>,
    /// Its mistakes.
    pub mistakes: Vec<Mistake>,
}

impl<T> TypedText<T> {
    fn new(text: &str, typed: Typed<T>) -> Self {
        Self {
            text: text.to_owned(),
            value: typed.value,
            mistakes: typed.mistakes,
        }
    }
}

/// Returns the values of the valid texts.
pub fn values<'t, T: 't>(
    texts: impl IntoIterator<Item = &'t TypedText<T>>,
) -> impl Iterator<Item = &'t T> {
    texts.into_iter().filter_map(|text| text.value.as_ref())
}

/// A primitive task with its texts read.
#[derive(Debug)]
pub struct Primitive {
    /// The record.
    pub record: Arc<PrimitiveTask>,
    /// The conditions that must hold when it starts.
    pub preconditions: Vec<TypedText<Formula>>,
    /// The effects, and when they apply.
    pub effects: Vec<(EffectTiming, TypedText<Effect>)>,
    /// The cost, if one is given.
    pub cost: Option<TypedText<Number>>,
    /// The meaning of `?me` in its texts.
    pub(crate) me: Option<Me>,
    rules: OnceLock<ExecutionRules>,
}

/// The parts of a primitive task that matter only during execution: planning never uses them.
#[derive(Debug)]
pub struct ExecutionRules {
    /// The action that it calls, if one is given.
    pub action: Option<TypedText<Call>>,
    /// The conditions that must hold while it is being executed.
    pub integrity: Vec<TypedText<Formula>>,
    /// The conditions that must hold for it to be complete.
    pub completion: Vec<TypedText<Formula>>,
}

/// A compound task with its texts read; its flowchart is read on first use.
#[derive(Debug)]
pub struct Compound {
    /// The record.
    pub record: Arc<CompoundTask>,
    /// The conditions that must hold when it is decomposed.
    pub preconditions: Vec<TypedText<Formula>>,
    /// The meaning of `?me` in its texts.
    pub(crate) me: Option<Me>,
    integrity: OnceLock<Vec<TypedText<Formula>>>,
    method: OnceLock<Option<Method>>,
}

fn shared<R>(table: &Table<R>) -> impl Iterator<Item = (&Name, Arc<R>)> {
    table.iter().map(|(name, record)| (name, record.clone()))
}

/// A document and the meaning of its texts.
#[derive(Debug)]
pub struct Domain<'a> {
    document: Cow<'a, Document>,
    /// The meaning of `?me`, if texts are read for one character only.
    me: Option<Me>,
    /// The type of `?me` in each record, if any character may act.
    types_of_me: OnceLock<TypesOfMe>,
    stop: Stop,
    /// The index of similar names.
    near: Near,
    clock: OnceLock<Clock>,
    call_cycles: OnceLock<CallCycles>,
    /// `true` for each condition that is valid together with all conditions it calls.
    readable: LazyTable<(), bool>,
    conditions: LazyTable<Arc<taskloom_document::Condition>, Condition>,
    primitives: LazyTable<Arc<PrimitiveTask>, Primitive>,
    compounds: LazyTable<Arc<CompoundTask>, Compound>,
    durations: LazyTable<Arc<Action>, Option<TypedText<Number>>>,
}

impl<'a> Domain<'a> {
    /// Reads a whole document. Returns it with its diagnostics.
    pub fn elaborate(document: &'a Document) -> (Self, Vec<Diagnostic>) {
        let mut domain = Self::new(document, &Stop::default());
        let diagnostics = check_all(&mut domain, |_, _| {});
        (domain, diagnostics)
    }

    /// Creates a domain without reading anything yet. Muted blocks are left out. Its results are
    /// meaningless once the stop was triggered.
    pub fn new(document: &'a Document, stop: &Stop) -> Self {
        let document = document.without_muted();
        Self {
            near: Near::default(),
            clock: OnceLock::new(),
            call_cycles: OnceLock::new(),
            readable: LazyTable::new(document.conditions.keys().map(|name| (name, ()))),
            conditions: LazyTable::new(shared(&document.conditions)),
            primitives: LazyTable::new(shared(&document.primitive_tasks)),
            compounds: LazyTable::new(shared(&document.compound_tasks)),
            durations: LazyTable::new(shared(&document.actions)),
            document,
            me: None,
            types_of_me: OnceLock::new(),
            stop: stop.clone(),
        }
    }

    /// Returns the same domain, not read yet, for one character only: `?me` is its object.
    #[must_use]
    pub fn played_by(self, player: Player) -> Self {
        let me = player.me().zip(player.type_of_me());
        Self {
            me: me.map(|(object, of)| Me {
                of: of.clone(),
                object: Some(object.clone()),
            }),
            ..self
        }
    }

    /// Discards what was read of a task that is no longer needed.
    pub(crate) fn forget(&mut self, record: &RecordRef) {
        match record.kind {
            Kind::PrimitiveTask => self.primitives.forget(&record.name),
            Kind::CompoundTask => self.compounds.forget(&record.name),
            Kind::Type
            | Kind::Object
            | Kind::Fact
            | Kind::Condition
            | Kind::Action
            | Kind::Goal
            | Kind::Agent
            | Kind::Scenario => {}
        }
    }

    /// Returns the document, without muted blocks.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Returns the stop that ends all reading.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Returns the parts of the document that depend on the time.
    pub fn clock(&self) -> Clock {
        *self.clock.get_or_init(|| Clock::of(&self.document))
    }

    /// Returns the scope outside any scenario, with these variables.
    pub fn scope(&self, variables: Vec<Param>) -> Scope<'_> {
        let scope = Scope::of_domain(&self.document, variables).with(&self.near);
        match &self.me {
            Some(me) => Scope {
                me: Some(me.clone()),
                ..scope
            },
            None => scope,
        }
    }

    /// Returns the meaning of `?me` in the texts of a record.
    pub(crate) fn me_in(&self, kind: Kind, name: &Name) -> Option<Me> {
        let types = || TypesOfMe::new(&self.document);
        self.me.clone().or_else(|| {
            let types = self.types_of_me.get_or_init(types);
            let of = types.of(&RecordRef::new(kind, name.clone()));
            of.cloned().map(Me::any)
        })
    }

    /// Returns the scope with this meaning of `?me` and these variables.
    pub(crate) fn scope_with(&self, me: &Option<Me>, variables: Vec<Param>) -> Scope<'_> {
        Scope {
            me: me.clone(),
            ..self.scope(variables)
        }
    }

    /// Returns the index of similar names, for texts outside any scenario.
    pub(crate) fn near(&self) -> &Near {
        &self.near
    }

    /// Reads a text in a scope of this document.
    pub fn read<T>(
        &self,
        text: &str,
        scope: &Scope,
        read: fn(&str, &Scope) -> Typed<T>,
    ) -> TypedText<T> {
        let nothing = Typed {
            value: None,
            mistakes: vec![],
        };
        let typed = if self.stop.after(text.len()) {
            nothing
        } else {
            read(text, scope)
        };
        TypedText::new(text, typed)
    }

    fn formulas(&self, texts: &[String], scope: &Scope) -> Vec<TypedText<Formula>> {
        texts
            .iter()
            .map(|text| self.read(text, scope, read_formula))
            .collect()
    }

    /// Returns a primitive task.
    pub fn primitive(&self, name: &Name) -> Option<&Primitive> {
        self.primitives
            .get(name, |record| self.read_primitive(name, record))
    }

    fn read_primitive(&self, name: &Name, record: &Arc<PrimitiveTask>) -> Primitive {
        let me = self.me_in(Kind::PrimitiveTask, name);
        let scope = &self.scope_with(&me, record.params.clone());
        let said = |text: &String| !text.trim().is_empty();
        let effects = record
            .effects
            .iter()
            .map(|effect| (effect.timing, self.read(&effect.text, scope, read_effect)));
        let cost = Some(&record.cost).filter(|text| said(text));
        Primitive {
            preconditions: self.formulas(&record.preconditions, scope),
            effects: effects.collect(),
            cost: cost.map(|text| self.read(text, scope, read_number)),
            rules: OnceLock::new(),
            record: record.clone(),
            me,
        }
    }

    /// Returns the parts of a primitive task that matter only during execution.
    pub fn execution_rules<'d>(&self, primitive: &'d Primitive) -> &'d ExecutionRules {
        primitive.rules.get_or_init(|| {
            let record = &primitive.record;
            let scope = &self.scope_with(&primitive.me, record.params.clone());
            let action = Some(&record.action).filter(|text| !text.trim().is_empty());
            let action = action.map(|text| self.read(text, scope, read_action_call));
            ExecutionRules {
                integrity: self.formulas(&record.integrity, scope),
                completion: self.formulas(&record.completion, scope),
                action,
            }
        })
    }

    /// Returns the duration of an action in ticks, if one is given.
    pub fn duration(&self, action: &Name) -> Option<&TypedText<Number>> {
        let duration = self.durations.get(action, |record| {
            let text = Some(&record.duration).filter(|text| !text.trim().is_empty());
            text.map(|text| self.read(text, &self.scope(record.params.clone()), read_number))
        });
        duration?.as_ref()
    }

    /// Returns the conditions that must hold while a task below a compound one is being executed.
    pub fn integrity<'d>(&self, compound: &'d Compound) -> &'d [TypedText<Formula>] {
        compound.integrity.get_or_init(|| {
            let record = &compound.record;
            let scope = self.scope_with(&compound.me, record.params.clone());
            self.formulas(&record.integrity, &scope)
        })
    }

    /// Returns a compound task.
    pub fn compound(&self, name: &Name) -> Option<&Compound> {
        self.compounds.get(name, |record| {
            let me = self.me_in(Kind::CompoundTask, name);
            let scope = &self.scope_with(&me, record.params.clone());
            Compound {
                preconditions: self.formulas(&record.preconditions, scope),
                integrity: OnceLock::new(),
                method: OnceLock::new(),
                record: record.clone(),
                me,
            }
        })
    }

    /// Returns the flowchart of a compound task, or `None` if it has no Begin block.
    pub fn method<'d>(&self, compound: &'d Compound) -> Option<&'d Method> {
        let method = || Method::new(&compound.record, &compound.me, &self.stop);
        compound.method.get_or_init(method).as_ref()
    }

    /// Returns the content of the block at a position of a flowchart.
    pub fn content<'d>(&self, method: &'d Method, position: u32) -> &'d Content {
        method.content(self, position, &Above(method, position))
    }

    /// Returns the mistakes in the texts of conditions and tasks, record by record. This reads all
    /// of them.
    pub(crate) fn diagnostics(&self) -> Vec<Diagnostic> {
        let mut found = DiagnosticSink::default();
        for name in self.document.conditions.keys() {
            if let Some(condition) = self.condition(name) {
                let record = RecordRef::new(Kind::Condition, name.clone());
                found.add(&record, Field::Formula, condition);
            }
        }
        for name in self.document.primitive_tasks.keys() {
            if let Some(primitive) = self.primitive(name) {
                let record = RecordRef::new(Kind::PrimitiveTask, name.clone());
                found.primitive(&record, primitive, self.execution_rules(primitive));
            }
        }
        for name in self.document.compound_tasks.keys() {
            let Some(compound) = self.compound(name) else {
                continue;
            };
            let record = RecordRef::new(Kind::CompoundTask, name.clone());
            found.list(&record, Field::Precondition, &compound.preconditions);
            found.list(&record, Field::Integrity, self.integrity(compound));
            match self.method(compound) {
                Some(method) => {
                    for (position, block) in (0u32..).zip(&method.chart.blocks) {
                        let text = |which: BlockText| which.field(&block.id);
                        match self.content(method, position) {
                            Content::Pass => {}
                            Content::Choice {
                                alternatives,
                                scores,
                                ..
                            } => {
                                for (output, score) in alternatives.iter().zip(scores) {
                                    let port = Port::Alternative(output.id);
                                    if let Some(score) = score {
                                        found.add(&record, text(BlockText::Score(port)), score);
                                    }
                                }
                            }
                            Content::Task(call) => found.add(&record, text(BlockText::Main), call),
                            Content::Branch(formula) => {
                                found.add(&record, text(BlockText::Main), formula);
                            }
                            Content::Bind {
                                condition,
                                order_by,
                                ..
                            } => {
                                if let Some(condition) = condition {
                                    found.add(&record, text(BlockText::Main), condition);
                                }
                                if let Some(order_by) = order_by {
                                    found.add(&record, text(BlockText::Order), order_by);
                                }
                            }
                        }
                    }
                }
                None => {
                    found.error(&record, Field::Method, "its flowchart has no Begin block");
                }
            }
        }
        found.0
    }
}
