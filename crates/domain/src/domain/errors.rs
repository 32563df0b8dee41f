//! The errors that prevent exporting a domain.

use super::Domain;
use crate::check::on_cycles;
use crate::lang::PlainReads;
use crate::method::Content;
use crate::scene::{InitialValue, Scene};
use crate::text::TypedText;
use taskloom_document::diagnostic::{Diagnostic, Place, Severity};
use taskloom_document::{BlockId, BlockText, Field, Kind, Name, Port, RecordRef};

impl Domain {
    /// Returns an error for each invalid text of a condition, a task or the scenario's first
    /// character, for each flowchart without a Begin block, and for types with an unknown parent or
    /// among their own ancestors. Without errors, all these texts have values. This reads all of
    /// them; the result is meaningless if the stop was triggered.
    pub fn errors(&self, scenario: Option<&Name>) -> Vec<Diagnostic> {
        let mut found = vec![];
        let scene = scenario.map(|name| (name, self.scene(name)));
        if let Some((name, None)) = scene {
            Errors::of(Kind::Scenario, name, &mut found).add(Field::Whole, "no such scenario");
        }
        self.errors_of_types(&mut found);
        for name in self.document().conditions.keys() {
            let mut errors = Errors::of(Kind::Condition, name, &mut found);
            errors.texts(|_| Field::Formula, self.condition(name));
        }
        for (name, primitive) in self.primitives() {
            let mut errors = Errors::of(Kind::PrimitiveTask, name, &mut found);
            let rules = self.execution_rules(primitive);
            let effects = primitive.effects.iter().map(|(_, effect)| effect);
            errors.texts(Field::Effect, effects);
            errors.texts(|_| Field::Action, &rules.action);
            errors.texts(|_| Field::Cost, &primitive.cost);
            errors.texts(Field::Precondition, &primitive.preconditions);
            errors.texts(Field::Integrity, &rules.integrity);
            errors.texts(Field::Completion, &rules.completion);
            errors.texts(Field::Claim, &primitive.claims);
        }
        for (name, compound) in self.compounds() {
            let mut errors = Errors::of(Kind::CompoundTask, name, &mut found);
            errors.texts(Field::Precondition, &compound.preconditions);
            errors.texts(|_| Field::Goal, &compound.goal);
            errors.texts(Field::Integrity, self.integrity(compound));
            let Some(method) = self.method(compound) else {
                if compound.goal.is_none() {
                    errors.add(Field::Method, "its flowchart has no Begin block");
                }
                continue;
            };
            for (position, block) in (0u32..).zip(&method.chart.blocks) {
                errors.block(&block.id, self.content(method, position));
            }
        }
        if let Some((name, Some(scene))) = scene {
            self.errors_of_scenario(scene, Errors::of(Kind::Scenario, name, &mut found));
        }
        found
    }

    fn errors_of_types(&self, found: &mut Vec<Diagnostic>) {
        let types = &self.document().types;
        let parent = |name: &Name| types.get(name).map(|of| &of.parent);
        let cycles = on_cycles(types.keys(), parent);
        for (name, record) in types {
            let mut errors = Errors::of(Kind::Type, name, found);
            if record.parent != "object" && !types.contains_key(&record.parent) {
                let message = format!("there is no type '{}'", record.parent);
                errors.add(Field::Type, &message);
            }
            if cycles.contains(name) {
                errors.add(Field::Type, "cyclic type hierarchy");
            }
        }
    }

    fn errors_of_scenario(&self, scene: &Scene, mut errors: Errors) {
        let (actor, texts) = (scene.actor(0), self.texts());
        let mut reads = PlainReads::default();
        for (at, crowd) in scene.crowds(texts).iter().enumerate() {
            errors.texts(|n| Field::CrowdInitial(at, n), &crowd.initial);
        }
        for number in 0..scene.record.initial.len() {
            let Some(InitialValue::Typed(text)) = scene.initial(texts, number, &mut reads) else {
                continue;
            };
            match scene.initial_field(number) {
                field @ Field::Initial(_) => errors.texts(|_| field.clone(), [text]),
                field if text.value.is_none() && !errors.has(&field) => {
                    let message = format!("'{}' is invalid for this actor", text.text);
                    errors.add(field, &message);
                }
                _ => {}
            }
        }
        let belief = |number| match scene.crowd_of(0) {
            Some(crowd) => Field::CrowdBelief(crowd, number),
            None => Field::Belief(0, number),
        };
        errors.texts(belief, actor.initial_beliefs(texts));
        errors.texts(Field::Task, actor.calls(texts));
        errors.texts(|_| Field::Goal, actor.goal_formula(texts));
    }
}

/// The errors of one record, added to those found before.
struct Errors<'f> {
    record: RecordRef,
    found: &'f mut Vec<Diagnostic>,
}

impl<'f> Errors<'f> {
    fn of(kind: Kind, name: &Name, found: &'f mut Vec<Diagnostic>) -> Self {
        let record = RecordRef::new(kind, name.clone());
        Self { record, found }
    }

    fn add(&mut self, field: Field, message: &str) {
        let record = self.record.clone();
        self.found.push(Diagnostic {
            severity: Severity::Error,
            code: "export",
            place: Place {
                record,
                field,
                span: None,
            },
            message: message.to_owned(),
            fixes: vec![],
        });
    }

    /// Returns `true` if an error in this field was found before.
    fn has(&self, field: &Field) -> bool {
        let place = |place: &Place| place.field == *field && place.record == self.record;
        self.found.iter().any(|found| place(&found.place))
    }

    /// Adds the errors of texts, each in the field that `field` returns for its number.
    fn texts<'t, T: 't>(
        &mut self,
        field: impl Fn(usize) -> Field,
        texts: impl IntoIterator<Item = &'t TypedText<T>>,
    ) {
        for (number, text) in texts.into_iter().enumerate() {
            let before = self.found.len();
            let mistakes = text.mistakes.iter();
            let errors = mistakes.filter(|mistake| mistake.severity == Severity::Error);
            self.found.extend(errors.map(|mistake| Diagnostic {
                severity: mistake.severity,
                code: mistake.code,
                place: Place {
                    record: self.record.clone(),
                    field: field(number),
                    span: Some(mistake.span),
                },
                message: mistake.message.clone(),
                fixes: vec![],
            }));
            if text.value.is_none() && self.found.len() == before {
                self.add(field(number), "invalid expression");
            }
        }
    }

    fn block(&mut self, id: &BlockId, content: &Content) {
        let main = |_| BlockText::Main.field(id);
        match content {
            Content::Pass => {}
            Content::Task {
                call,
                repeat_while,
                on_abort,
            } => {
                self.texts(main, [call]);
                self.texts(|_| BlockText::While.field(id), repeat_while);
                self.texts(|_| BlockText::Abort.field(id), on_abort);
            }
            Content::Branch(formula) => self.texts(main, [formula]),
            Content::Choice {
                alternatives,
                scores,
                ..
            } => {
                for (output, score) in alternatives.iter().zip(scores) {
                    let port = Port::Alternative(output.id);
                    self.texts(|_| BlockText::Score(port).field(id), score);
                }
            }
            Content::Bind {
                condition,
                order_by,
                query,
                ..
            } => {
                self.texts(main, condition);
                self.texts(|_| BlockText::Order.field(id), order_by);
                self.texts(|_| BlockText::Query.field(id), query);
            }
        }
    }
}
