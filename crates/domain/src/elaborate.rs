//! A document with what its texts mean: each text read and typed once, whoever asks.
//!
//! A [`Domain`] is immutable, and cheap to share. It reads a record when it is first asked
//! for it, so whoever needs little of a large document waits for little.

mod conditions;

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use crate::check::check_all;
use crate::circles::Circles;
use crate::found::Found;
use crate::lang::typed::{Call, Effect, Formula, Number};
use crate::lang::{
    Clock, Me, Mistake, Near, Scope, Typed, read_action_call, read_effect, read_formula,
    read_number,
};
use crate::method::{Above, Content, Method};
use crate::once::Once;
use crate::player::Player;
use conditions::Condition;
use taskloom_document::diagnostic::Diagnostic;
use taskloom_document::stop::Stop;
use taskloom_document::{
    self, Action, BlockText, CompoundTask, Document, EffectTiming, Field, Kind, Name, Param, Port,
    PrimitiveTask, RecordRef, Table, TypesOfMe,
};

/// A text, read.
#[derive(Debug, Clone)]
pub struct Text<T> {
    /// As typed.
    pub text: String,
    /// What it means; nothing where it cannot be read.
    pub value: Option<T>,
    /// What is wrong with it.
    pub mistakes: Vec<Mistake>,
}

impl<T> Text<T> {
    fn new(text: &str, typed: Typed<T>) -> Self {
        Self {
            text: text.to_owned(),
            value: typed.value,
            mistakes: typed.mistakes,
        }
    }
}

/// What texts mean, without those that cannot be read.
pub fn values<'t, T: 't>(
    texts: impl IntoIterator<Item = &'t Text<T>>,
) -> impl Iterator<Item = &'t T> {
    texts.into_iter().filter_map(|text| text.value.as_ref())
}

/// A primitive task, read.
#[derive(Debug)]
pub struct Primitive {
    /// The record.
    pub record: Arc<PrimitiveTask>,
    /// What has to hold when it starts.
    pub preconditions: Vec<Text<Formula>>,
    /// What it changes, and when that counts.
    pub effects: Vec<(EffectTiming, Text<Effect>)>,
    /// What it costs; none where that is not said.
    pub cost: Option<Text<Number>>,
    /// What `?me` is in its texts.
    pub(crate) me: Option<Me>,
    rules: OnceLock<ExecutionRules>,
}

/// What counts of a primitive task only while it is carried out: planning never asks for it.
#[derive(Debug)]
pub struct ExecutionRules {
    /// What it calls; none where that is not said.
    pub action: Option<Text<Call>>,
    /// What has to hold while it is being executed.
    pub integrity: Vec<Text<Formula>>,
    /// What has to hold for it to be complete.
    pub completion: Vec<Text<Formula>>,
}

/// A compound task, read; its flowchart only once it is asked for.
#[derive(Debug)]
pub struct Compound {
    /// The record.
    pub record: Arc<CompoundTask>,
    /// What has to hold where it is decomposed.
    pub preconditions: Vec<Text<Formula>>,
    /// What `?me` is in its texts.
    pub(crate) me: Option<Me>,
    integrity: OnceLock<Vec<Text<Formula>>>,
    method: OnceLock<Option<Method>>,
}

fn shared<R>(table: &Table<R>) -> impl Iterator<Item = (&Name, Arc<R>)> {
    table.iter().map(|(name, record)| (name, record.clone()))
}

/// A document, and what its texts mean.
#[derive(Debug)]
pub struct Domain<'a> {
    document: Cow<'a, Document>,
    /// What `?me` is, where texts are read for one character alone.
    me: Option<Me>,
    /// What it is a kind of where anybody may play.
    types_of_me: OnceLock<TypesOfMe>,
    stop: Stop,
    /// Looks for names that may have been meant.
    near: Near,
    clock: OnceLock<Clock>,
    circles: OnceLock<Circles>,
    /// Whether each condition, and all that it calls, can be read.
    readable: Once<(), bool>,
    conditions: Once<Arc<taskloom_document::Condition>, Condition>,
    primitives: Once<Arc<PrimitiveTask>, Primitive>,
    compounds: Once<Arc<CompoundTask>, Compound>,
    durations: Once<Arc<Action>, Option<Text<Number>>>,
}

impl<'a> Domain<'a> {
    /// Reads a document whole: what it means, and everything that is wrong with it.
    pub fn elaborate(document: &'a Document) -> (Self, Vec<Diagnostic>) {
        let mut domain = Self::new(document, &Stop::default());
        let diagnostics = check_all(&mut domain, |_, _| {});
        (domain, diagnostics)
    }

    /// A document of which nothing is read yet. Muted blocks are left out. Nothing that it says means anything once
    /// the stop was heard.
    pub fn new(document: &'a Document, stop: &Stop) -> Self {
        let document = document.without_muted();
        Self {
            near: Near::default(),
            clock: OnceLock::new(),
            circles: OnceLock::new(),
            readable: Once::new(document.conditions.keys().map(|name| (name, ()))),
            conditions: Once::new(shared(&document.conditions)),
            primitives: Once::new(shared(&document.primitive_tasks)),
            compounds: Once::new(shared(&document.compound_tasks)),
            durations: Once::new(shared(&document.actions)),
            document,
            me: None,
            types_of_me: OnceLock::new(),
            stop: stop.clone(),
        }
    }

    /// The same, of which nothing is read yet, for one character alone: `?me` is the object that it is.
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

    /// Forgets what a task means, for whoever is done with it.
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

    /// The document, without muted blocks.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// What ends all that is asked of it.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// What the document asks the time for.
    pub fn clock(&self) -> Clock {
        *self.clock.get_or_init(|| Clock::of(&self.document))
    }

    /// What can be named outside of any scenario, with these variables.
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

    /// What `?me` is in the texts of a record.
    pub(crate) fn me_in(&self, kind: Kind, name: &Name) -> Option<Me> {
        let types = || TypesOfMe::new(&self.document);
        self.me.clone().or_else(|| {
            let types = self.types_of_me.get_or_init(types);
            let of = types.of(&RecordRef::new(kind, name.clone()));
            of.cloned().map(Me::any)
        })
    }

    /// What can be named where `?me` is this, with these variables.
    pub(crate) fn scope_with(&self, me: &Option<Me>, variables: Vec<Param>) -> Scope<'_> {
        Scope {
            me: me.clone(),
            ..self.scope(variables)
        }
    }

    /// What looks for names that may have been meant, in texts outside of any scenario.
    pub(crate) fn near(&self) -> &Near {
        &self.near
    }

    /// What a text means in a scope of this document.
    pub fn read<T>(
        &self,
        text: &str,
        scope: &Scope,
        read: fn(&str, &Scope) -> Typed<T>,
    ) -> Text<T> {
        let nothing = Typed {
            value: None,
            mistakes: vec![],
        };
        let typed = if self.stop.after(text.len()) {
            nothing
        } else {
            read(text, scope)
        };
        Text::new(text, typed)
    }

    fn formulas(&self, texts: &[String], scope: &Scope) -> Vec<Text<Formula>> {
        texts
            .iter()
            .map(|text| self.read(text, scope, read_formula))
            .collect()
    }

    /// A primitive task.
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

    /// What counts of a primitive task only while it is carried out.
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

    /// How many ticks an action takes; none where that is not said.
    pub fn duration(&self, action: &Name) -> Option<&Text<Number>> {
        let duration = self.durations.get(action, |record| {
            let text = Some(&record.duration).filter(|text| !text.trim().is_empty());
            text.map(|text| self.read(text, &self.scope(record.params.clone()), read_number))
        });
        duration?.as_ref()
    }

    /// What has to hold while a task below a compound one is being executed.
    pub fn integrity<'d>(&self, compound: &'d Compound) -> &'d [Text<Formula>] {
        compound.integrity.get_or_init(|| {
            let record = &compound.record;
            let scope = self.scope_with(&compound.me, record.params.clone());
            self.formulas(&record.integrity, &scope)
        })
    }

    /// A compound task.
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

    /// The flowchart of a compound task; none where it has no Begin block.
    pub fn method<'d>(&self, compound: &'d Compound) -> Option<&'d Method> {
        let method = || Method::new(&compound.record, &compound.me, &self.stop);
        compound.method.get_or_init(method).as_ref()
    }

    /// What stands in the block at a position of a flowchart.
    pub fn content<'d>(&self, method: &'d Method, position: u32) -> &'d Content {
        method.content(self, position, &Above(method, position))
    }

    /// What is wrong with the texts of conditions and tasks, record by record. All of them are read then.
    pub(crate) fn diagnostics(&self) -> Vec<Diagnostic> {
        let mut found = Found::default();
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
