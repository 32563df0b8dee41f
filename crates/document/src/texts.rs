//! The texts of the expression language inside records: their fields and roles, and access to them.

use std::sync::Arc;

use super::Document;
use super::agents::Planning;
use super::block::BlockText;
use super::record::{Field, Record, RecordRef, RecordView};
use super::scenario::Expectation;
use crate::syntax::TextRole;

/// A text of the document and its location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The record.
    pub record: RecordRef,
    /// The field of the record.
    pub field: Field,
    /// Its role.
    pub role: TextRole,
    /// The text, as typed.
    pub text: String,
}

impl Field {
    /// Returns the role of the text in this field, if the field alone determines it.
    fn role(&self) -> Option<TextRole> {
        Some(match self {
            Self::Formula
            | Self::Precondition(_)
            | Self::Integrity(_)
            | Self::Completion(_)
            | Self::Goal
            | Self::Subgoal(_)
            | Self::EventWhen(_)
            | Self::BlockWhile(_)
            | Self::Sense(_) => TextRole::Formula,
            Self::Claim(_) => TextRole::Object,
            Self::BlockQuery(_) => TextRole::Query,
            Self::Action => TextRole::ActionCall,
            Self::Effect(_) | Self::Event(_) => TextRole::Effect,
            Self::Cost
            | Self::Duration
            | Self::Relevance
            | Self::Bias
            | Self::BlockOrder(_)
            | Self::BlockScore(..) => TextRole::Number,
            Self::BlockAbort(_)
            | Self::Task(_)
            | Self::CastTask(..)
            | Self::CrowdTask(..)
            | Self::Failure(_)
            | Self::ExpectedStep(..) => TextRole::TaskCall,
            Self::Initial(_)
            | Self::Belief(..)
            | Self::CrowdInitial(..)
            | Self::CrowdBelief(..) => TextRole::Initial,
            _ => return None,
        })
    }
}

impl RecordView<'_> {
    /// Returns the fields of all its texts, with the role of each, in the order of the file.
    pub fn text_fields(self) -> Vec<(Field, TextRole)> {
        let mut fields = vec![];
        let mut add = |field: Field| {
            if let Some(role) = field.role() {
                fields.push((field, role));
            }
        };
        match self {
            Self::Type(_) | Self::Object(_) | Self::Fact(_) => {}
            Self::Action(_) => add(Field::Duration),
            Self::Condition(_) => add(Field::Formula),
            Self::PrimitiveTask(task) => {
                add(Field::Action);
                (0..task.preconditions.len()).for_each(|n| add(Field::Precondition(n)));
                (0..task.integrity.len()).for_each(|n| add(Field::Integrity(n)));
                (0..task.completion.len()).for_each(|n| add(Field::Completion(n)));
                (0..task.claims.len()).for_each(|n| add(Field::Claim(n)));
                (0..task.effects.len()).for_each(|n| add(Field::Effect(n)));
                add(Field::Cost);
            }
            Self::CompoundTask(task) => {
                (0..task.preconditions.len()).for_each(|n| add(Field::Precondition(n)));
                add(Field::Goal);
                (0..task.integrity.len()).for_each(|n| add(Field::Integrity(n)));
                for (id, block) in &task.method.blocks {
                    fields.extend(block.texts().map(|(text, role, _)| (text.field(id), role)));
                }
            }
            Self::Goal(goal) => {
                add(Field::Formula);
                (0..goal.subgoals.len()).for_each(|n| add(Field::Subgoal(n)));
                (0..goal.tasks.len()).for_each(|n| add(Field::Task(n)));
                add(Field::Bias);
                add(Field::Relevance);
            }
            Self::Agent(agent) => {
                if let Planning::Decomposition { tasks, .. } | Planning::Reactive { tasks } =
                    &agent.planning
                {
                    (0..tasks.len()).for_each(|n| add(Field::Task(n)));
                }
                (0..agent.senses.len()).for_each(|n| add(Field::Sense(n)));
            }
            Self::Scenario(scenario) => {
                (0..scenario.initial.len()).for_each(|n| add(Field::Initial(n)));
                for (n, member) in scenario.cast.iter().enumerate() {
                    (0..member.tasks.len()).for_each(|task| add(Field::CastTask(n, task)));
                    (0..member.beliefs.len()).for_each(|belief| add(Field::Belief(n, belief)));
                }
                for (n, crowd) in scenario.crowds.iter().enumerate() {
                    (0..crowd.initial.len()).for_each(|value| add(Field::CrowdInitial(n, value)));
                    (0..crowd.tasks.len()).for_each(|task| add(Field::CrowdTask(n, task)));
                    (0..crowd.beliefs.len()).for_each(|belief| add(Field::CrowdBelief(n, belief)));
                }
                (0..scenario.tasks.len()).for_each(|n| add(Field::Task(n)));
                add(Field::Goal);
                for n in 0..scenario.events.len() {
                    add(Field::EventWhen(n));
                    add(Field::Event(n));
                }
                (0..scenario.failures.len()).for_each(|n| add(Field::Failure(n)));
                for (n, expectation) in scenario.expect.iter().enumerate() {
                    match expectation {
                        Expectation::Plan(steps) => {
                            let step = |s| (Field::ExpectedStep(n, s), TextRole::TaskCall);
                            fields.extend((0..steps.len()).map(step));
                        }
                        Expectation::Contains(_) => {
                            fields.push((Field::Expectation(n), TextRole::TaskCall));
                        }
                        Expectation::Finally(_) => {
                            fields.push((Field::Expectation(n), TextRole::Formula));
                        }
                        Expectation::PlanExists
                        | Expectation::NoPlan
                        | Expectation::CostAtMost(_)
                        | Expectation::Recovers => {}
                    }
                }
            }
        }
        fields
    }
}

/// Finds a text, by reference or by mutable reference.
macro_rules! find_text {
    ($enum:ident, $record:expr, $field:expr, $inner:path, $get:ident, $text:ident $(, $m:ident)?) => {
        match ($record, $field) {
            ($enum::Condition(r), Field::Formula) => Some(&$($m)? $inner(r).formula),
            ($enum::Action(r), Field::Duration) => Some(&$($m)? $inner(r).duration),
            ($enum::Goal(r), Field::Formula) => Some(&$($m)? $inner(r).condition),
            ($enum::Goal(r), Field::Relevance) => Some(&$($m)? $inner(r).relevance),
            ($enum::Goal(r), Field::Bias) => Some(&$($m)? $inner(r).bias),
            ($enum::Goal(r), Field::Subgoal(n)) => $inner(r).subgoals.$get(*n),
            ($enum::Goal(r), Field::Task(n)) => $inner(r).tasks.$get(*n),
            ($enum::PrimitiveTask(r), field) => {
                let task = $inner(r);
                match field {
                    Field::Action => Some(&$($m)? task.action),
                    Field::Cost => Some(&$($m)? task.cost),
                    Field::Precondition(n) => task.preconditions.$get(*n),
                    Field::Integrity(n) => task.integrity.$get(*n),
                    Field::Completion(n) => task.completion.$get(*n),
                    Field::Claim(n) => task.claims.$get(*n),
                    Field::Effect(n) => task.effects.$get(*n).map(|e| &$($m)? e.text),
                    _ => None,
                }
            }
            ($enum::CompoundTask(r), field) => {
                let task = $inner(r);
                match field {
                    Field::Precondition(n) => task.preconditions.$get(*n),
                    Field::Goal => Some(&$($m)? task.goal),
                    Field::Integrity(n) => task.integrity.$get(*n),
                    Field::BlockText(id) => {
                        $inner(task.method.blocks.$get(id)?).$text(BlockText::Main)
                    }
                    Field::BlockWhile(id) => {
                        $inner(task.method.blocks.$get(id)?).$text(BlockText::While)
                    }
                    Field::BlockAbort(id) => {
                        $inner(task.method.blocks.$get(id)?).$text(BlockText::Abort)
                    }
                    Field::BlockQuery(id) => {
                        $inner(task.method.blocks.$get(id)?).$text(BlockText::Query)
                    }
                    Field::BlockOrder(id) => {
                        $inner(task.method.blocks.$get(id)?).$text(BlockText::Order)
                    }
                    Field::BlockScore(id, port) => {
                        $inner(task.method.blocks.$get(id)?).$text(BlockText::Score(*port))
                    }
                    _ => None,
                }
            }
            ($enum::Agent(r), Field::Task(n)) => match &$($m)? $inner(r).planning {
                Planning::Decomposition { tasks, .. } | Planning::Reactive { tasks } => {
                    tasks.$get(*n)
                }
                Planning::Goals { .. } => None,
            },
            ($enum::Agent(r), Field::Sense(n)) => {
                $inner(r).senses.$get(*n).map(|s| &$($m)? s.when)
            }
            ($enum::Scenario(r), field) => {
                let scenario = $inner(r);
                match field {
                    Field::Initial(n) => scenario.initial.$get(*n),
                    Field::Task(n) => scenario.tasks.$get(*n),
                    Field::Goal => Some(&$($m)? scenario.goal),
                    Field::CastTask(n, task) => scenario.cast.$get(*n)?.tasks.$get(*task),
                    Field::Belief(n, belief) => scenario.cast.$get(*n)?.beliefs.$get(*belief),
                    Field::CrowdInitial(n, value) => {
                        scenario.crowds.$get(*n)?.initial.$get(*value)
                    }
                    Field::CrowdTask(n, task) => scenario.crowds.$get(*n)?.tasks.$get(*task),
                    Field::CrowdBelief(n, belief) => {
                        scenario.crowds.$get(*n)?.beliefs.$get(*belief)
                    }
                    Field::Event(n) => scenario.events.$get(*n).map(|e| &$($m)? e.effect),
                    Field::EventWhen(n) => scenario.events.$get(*n).map(|e| &$($m)? e.when),
                    Field::Failure(n) => scenario.failures.$get(*n).map(|f| &$($m)? f.task),
                    Field::Expectation(n) => match scenario.expect.$get(*n)? {
                        Expectation::Contains(text) | Expectation::Finally(text) => Some(text),
                        _ => None,
                    },
                    Field::ExpectedStep(n, step) => match scenario.expect.$get(*n)? {
                        Expectation::Plan(steps) => steps.$get(*step),
                        _ => None,
                    },
                    _ => None,
                }
            }
            _ => None,
        }
    };
}

fn shared<R>(record: &Arc<R>) -> &R {
    record
}

impl<'a> RecordView<'a> {
    /// Returns one of its texts; none if the field is not a text of this record.
    pub fn text(self, field: &Field) -> Option<&'a str> {
        let text: Option<&'a String> = find_text!(RecordView, self, field, shared, get, text);
        text.map(String::as_str)
    }
}

impl Record {
    pub(super) fn text_mut(&mut self, field: &Field) -> Option<&mut String> {
        find_text!(Record, self, field, Arc::make_mut, get_mut, text_mut, mut)
    }
}

impl Document {
    /// Returns every text of the document, including empty ones, in the order of the file.
    pub fn texts(&self) -> Vec<Text> {
        let mut texts = vec![];
        self.visit_texts(|record, field, role, text| {
            texts.push(Text {
                record: record.clone(),
                field: field.clone(),
                role,
                text: text.to_owned(),
            });
        });
        texts
    }

    /// Calls `visit` with every text of the document, without copying any.
    pub fn visit_texts(&self, mut visit: impl FnMut(&RecordRef, &Field, TextRole, &str)) {
        for (reference, record) in self.views() {
            for (field, role) in record.text_fields() {
                if let Some(text) = record.text(&field) {
                    visit(&reference, &field, role, text);
                }
            }
        }
    }

    /// Returns one text of the document; none if the field does not exist or is not a text.
    pub fn text(&self, record: &RecordRef, field: &Field) -> Option<&str> {
        self.view(record)?.text(field)
    }
}
