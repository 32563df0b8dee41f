//! The records of a document with their texts read.

use std::sync::{Arc, OnceLock};

use crate::lang::absence::{in_effect, mentions, presences};
use crate::lang::typed::{Call, Effect, Formula, Number, Term};
use crate::lang::{
    Me, Scope, read_action_call, read_effect, read_formula, read_number, read_object,
    read_task_call,
};
use crate::method::Method;
use crate::text::{TextReader, TypedText, values};
use taskloom_document::{
    self as document, CompoundTask, EffectTiming, Kind, Name, PrimitiveTask, Sense,
};

/// A primitive task with its texts read.
#[derive(Debug)]
pub struct Primitive {
    /// The record.
    pub record: Arc<PrimitiveTask>,
    /// The conditions that must hold when it starts.
    pub preconditions: Vec<TypedText<Formula>>,
    /// The objects that its actor claims while it executes the task.
    pub claims: Vec<TypedText<Term>>,
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

impl Primitive {
    pub(crate) fn read(texts: &TextReader, name: &Name, record: &Arc<PrimitiveTask>) -> Self {
        let me = texts.me_in(Kind::PrimitiveTask, name);
        let scope = &texts.scope_with(&me, record.params.clone());
        let effects = record.effects.iter();
        let effects =
            effects.map(|effect| (effect.timing, texts.read(&effect.text, scope, read_effect)));
        let mut preconditions = texts.read_all(&record.preconditions, scope, read_formula);
        let present = presences(texts.document(), &objects(scope), |fact, object| {
            values(&preconditions).any(|one| mentions(texts.document(), one, fact, object))
        });
        preconditions.extend(present.into_iter().map(TypedText::implied));
        Self {
            preconditions,
            claims: texts.read_all(&record.claims, scope, read_object),
            effects: effects.collect(),
            cost: texts.read_optional(&record.cost, scope, read_number),
            rules: OnceLock::new(),
            record: record.clone(),
            me,
        }
    }

    /// Returns the type of `?me` in its texts.
    pub fn type_of_me(&self) -> Option<&Name> {
        self.me.as_ref().map(|me| &me.of)
    }

    /// Returns the parts that matter only during execution, if they have been read.
    pub(crate) fn rules_if_read(&self) -> Option<&ExecutionRules> {
        self.rules.get()
    }

    pub(crate) fn rules(&self, texts: &TextReader) -> &ExecutionRules {
        self.rules.get_or_init(|| {
            let record = &self.record;
            let scope = &texts.scope_with(&self.me, record.params.clone());
            let mut integrity = texts.read_all(&record.integrity, scope, read_formula);
            let completion = texts.read_all(&record.completion, scope, read_formula);
            let typed = || values(&self.preconditions[..record.preconditions.len()]);
            let present = presences(texts.document(), &objects(scope), |fact, object| {
                let conditions = typed().chain(values(&integrity)).chain(values(&completion));
                let mut effects = values(self.effects.iter().map(|(_, effect)| effect));
                effects.any(|effect| in_effect(texts.document(), effect, fact, object))
                    || conditions
                        .into_iter()
                        .any(|one| mentions(texts.document(), one, fact, object))
            });
            integrity.extend(present.into_iter().map(TypedText::implied));
            ExecutionRules {
                action: texts.read_optional(&record.action, scope, read_action_call),
                integrity,
                completion,
            }
        })
    }
}

/// Returns the objects of a primitive task, each with its type: its actor and its arguments.
fn objects<'s>(scope: &'s Scope) -> Vec<(&'s Name, Term)> {
    let me = scope.me.iter().map(|me| (&me.of, Term::Me));
    let params = scope.variables.iter();
    let params = params.map(|param| (&param.of, Term::Variable(param.name.clone())));
    me.chain(params).collect()
}

/// A compound task with its texts read; its flowchart is read on first use.
#[derive(Debug)]
pub struct Compound {
    /// The record.
    pub record: Arc<CompoundTask>,
    /// The conditions that must hold when it is decomposed.
    pub preconditions: Vec<TypedText<Formula>>,
    /// The condition that it achieves, if one is given.
    pub goal: Option<TypedText<Formula>>,
    /// The meaning of `?me` in its texts.
    pub(crate) me: Option<Me>,
    integrity: OnceLock<Vec<TypedText<Formula>>>,
    method: OnceLock<Option<Method>>,
}

impl Compound {
    pub(crate) fn read(texts: &TextReader, name: &Name, record: &Arc<CompoundTask>) -> Self {
        let me = texts.me_in(Kind::CompoundTask, name);
        let scope = &texts.scope_with(&me, record.params.clone());
        Self {
            preconditions: texts.read_all(&record.preconditions, scope, read_formula),
            goal: texts.read_optional(&record.goal, scope, read_formula),
            integrity: OnceLock::new(),
            method: OnceLock::new(),
            record: record.clone(),
            me,
        }
    }

    /// Returns the type of `?me` in its texts.
    pub fn type_of_me(&self) -> Option<&Name> {
        self.me.as_ref().map(|me| &me.of)
    }

    /// Returns its integrity rules, if they have been read.
    pub(crate) fn integrity_if_read(&self) -> Option<&[TypedText<Formula>]> {
        self.integrity.get().map(Vec::as_slice)
    }

    /// Returns its flowchart, if it has one that has been read.
    pub(crate) fn method_if_read(&self) -> Option<&Method> {
        self.method.get()?.as_ref()
    }

    pub(crate) fn integrity(&self, texts: &TextReader) -> &[TypedText<Formula>] {
        self.integrity.get_or_init(|| {
            let scope = texts.scope_with(&self.me, self.record.params.clone());
            texts.read_all(&self.record.integrity, &scope, read_formula)
        })
    }

    pub(crate) fn method(&self, texts: &TextReader) -> Option<&Method> {
        let method = || Method::new(&self.record, &self.me, texts.stop());
        self.method.get_or_init(method).as_ref()
    }
}

/// A goal with its texts read.
#[derive(Debug)]
pub struct Goal {
    /// The record.
    pub record: Arc<document::Goal>,
    /// The condition to achieve.
    pub condition: TypedText<Formula>,
    /// The conditions to achieve first, one after the other.
    pub subgoals: Vec<TypedText<Formula>>,
    /// The tasks that serve it, in the order in which they are tried.
    pub tasks: Vec<TypedText<Call>>,
    /// The factor of its value; `None` means 1.
    pub relevance: Option<TypedText<Number>>,
    /// The summand of its value; `None` means 0.
    pub bias: Option<TypedText<Number>>,
}

impl Goal {
    pub(crate) fn read(texts: &TextReader, name: &Name, record: &Arc<document::Goal>) -> Self {
        let me = texts.me_in(Kind::Goal, name);
        let scope = &texts.scope_with(&me, vec![]);
        Self {
            condition: texts.read(&record.condition, scope, read_formula),
            subgoals: texts.read_all(&record.subgoals, scope, read_formula),
            tasks: texts.read_all(&record.tasks, scope, read_task_call),
            relevance: texts.read_optional(&record.relevance, scope, read_number),
            bias: texts.read_optional(&record.bias, scope, read_number),
            record: record.clone(),
        }
    }
}

/// An agent with its texts read.
#[derive(Debug)]
pub struct Agent {
    /// The record.
    pub record: Arc<document::Agent>,
    /// The tasks of its characters without their own.
    pub tasks: Vec<TypedText<Call>>,
    /// For each of its senses, the condition under which the fact is seen; `None` means always.
    pub senses: Vec<Option<TypedText<Formula>>>,
}

impl Agent {
    pub(crate) fn read(texts: &TextReader, record: &Arc<document::Agent>) -> Self {
        let scope = |variables| {
            let scope = texts.scope(variables);
            scope.played_by(record.of.clone())
        };
        let when = |sense: &Sense| {
            let fact = texts.document().facts.get(&sense.fact);
            let params = fact.map(|fact| fact.params.clone()).unwrap_or_default();
            texts.read_optional(&sense.when, &scope(params), read_formula)
        };
        Self {
            tasks: texts.read_all(record.planning.tasks(), &scope(vec![]), read_task_call),
            senses: record.senses.iter().map(when).collect(),
            record: record.clone(),
        }
    }
}
