//! The uses of a record: by name in texts, and by reference elsewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::agents::Planning;
use super::mentions::{Meaning, mentions};
use super::record::{Field, Kind, Record, RecordRef, RecordView};
use super::rename::Renames;
use super::scenario::Scenario;
use super::world::ValueKind;
use super::{Document, Name};

/// Calls `$visit` with every name by which a record refers to others outside its texts, by
/// reference or by mutable reference. Any task is passed as a compound one, whichever it is.
macro_rules! visit_references {
    ($enum:ident, $record:expr, $visit:expr, $inner:path, $iter:ident, $binds:ident $(, $m:ident)?) => {{
        macro_rules! params {
            ($list:expr) => {
                for (n, param) in $list.$iter().enumerate() {
                    $visit(Field::Param(n), Kind::Type, &$($m)? param.of);
                }
            };
        }
        match $record {
            $enum::Type(r) => $visit(Field::Type, Kind::Type, &$($m)? $inner(r).parent),
            $enum::Object(r) => $visit(Field::Type, Kind::Type, &$($m)? $inner(r).of),
            $enum::Fact(r) => {
                let fact = $inner(r);
                params!(fact.params);
                if let ValueKind::Object(of) = &$($m)? fact.value {
                    $visit(Field::Type, Kind::Type, of);
                }
            }
            $enum::Condition(r) => params!($inner(r).params),
            $enum::Action(r) => params!($inner(r).params),
            $enum::PrimitiveTask(r) => params!($inner(r).params),
            $enum::CompoundTask(r) => {
                let task = $inner(r);
                params!(task.params);
                for (id, block) in task.method.blocks.$iter() {
                    if block.binds().is_none() {
                        continue;
                    }
                    if let Some(variable) = $inner(block).$binds() {
                        $visit(Field::BlockVariable(id.clone()), Kind::Type, &$($m)? variable.of);
                    }
                }
            }
            $enum::Goal(_) => {}
            $enum::Agent(r) => {
                let agent = $inner(r);
                $visit(Field::Type, Kind::Type, &$($m)? agent.of);
                if let Planning::Goals { goals, .. } = &$($m)? agent.planning {
                    for (n, goal) in goals.$iter().enumerate() {
                        $visit(Field::AgentGoal(n), Kind::Goal, goal);
                    }
                }
                for (n, task) in agent.uses.$iter().enumerate() {
                    $visit(Field::Uses(n), Kind::CompoundTask, task);
                }
                for (n, sense) in agent.senses.$iter().enumerate() {
                    $visit(Field::Sense(n), Kind::Fact, &$($m)? sense.fact);
                }
            }
            $enum::Scenario(r) => {
                let scenario = $inner(r);
                for (name, object) in scenario.objects.$iter() {
                    let field = Field::Object(name.clone());
                    $visit(field, Kind::Type, &$($m)? $inner(object).of);
                }
                let Scenario { cast, crowds, objects, .. } = scenario;
                for (n, member) in cast.$iter().enumerate() {
                    $visit(Field::Cast(n), Kind::Agent, &$($m)? member.agent);
                    if let Some(object) = &$($m)? member.object
                        && !objects.contains_key(object)
                    {
                        $visit(Field::CastObject(n), Kind::Object, object);
                    }
                }
                for (n, crowd) in crowds.$iter().enumerate() {
                    $visit(Field::Crowd(n), Kind::Agent, &$($m)? crowd.agent);
                }
            }
        }
    }};
}

fn shared<R>(record: &Arc<R>) -> &R {
    record
}

impl RecordView<'_> {
    /// Returns the fields, other than texts, that refer to a record.
    pub(super) fn references_to(self, to: &RecordRef) -> Vec<Field> {
        let mut found = vec![];
        let mut visit = |field: Field, kind: Kind, name: &Name| {
            if *name == to.name && kind.namespace().contains(&to.kind) {
                found.push(field);
            }
        };
        visit_references!(RecordView, self, visit, shared, iter, binds);
        found
    }

    /// Returns `true` if it refers to one of the renamed records, other than in texts.
    pub(super) fn refers_to_any(self, renames: &Renames) -> bool {
        let mut refers = false;
        let mut visit = |_: Field, kind: Kind, name: &Name| {
            refers |= renames.of_reference(kind.namespace(), name).is_some();
        };
        visit_references!(RecordView, self, visit, shared, iter, binds);
        refers
    }
}

impl Document {
    /// Returns the records that a record names, in texts and elsewhere.
    pub(super) fn named_in(&self, view: RecordView) -> BTreeSet<RecordRef> {
        let mut found = BTreeSet::new();
        let mut visit = |_: Field, kind: Kind, name: &Name| found.extend(self.named(kind, name));
        visit_references!(RecordView, view, visit, shared, iter, binds);
        self.visit_mentioned(
            view,
            |_| true,
            |_, record| {
                found.insert(record);
            },
        );
        found
    }

    /// Calls `visit` with each record that a record's texts name, in the order of the texts, if `is_searched` accepts
    /// the name.
    fn visit_mentioned(
        &self,
        view: RecordView,
        is_searched: impl Fn(&Name) -> bool,
        mut visit: impl FnMut(&Field, RecordRef),
    ) {
        for (field, role) in view.text_fields() {
            for mention in mentions(view.text(&field).unwrap_or_default(), role) {
                if !is_searched(&mention.name) {
                    continue;
                }
                let meaning = self.meaning(view.own_objects(), &mention.name, mention.position);
                if let Some(Meaning::Record(record)) = meaning {
                    visit(&field, record);
                }
            }
        }
    }
}

impl Record {
    /// Changes every reference to renamed records outside of texts to their new names.
    pub(super) fn redirect_references(&mut self, renames: &Renames) {
        let visit = |_: Field, kind: Kind, name: &mut Name| {
            if let Some(to) = renames.of_reference(kind.namespace(), name) {
                *name = to.clone();
            }
        };
        visit_references!(Record, self, visit, Arc::make_mut, iter_mut, binds_mut, mut);
    }
}

impl Document {
    /// Returns every field that uses a record, without duplicates, in the order of the file.
    pub fn uses(&self, of: &RecordRef) -> Vec<(RecordRef, Field)> {
        let mut uses = vec![];
        for (user, view) in self.views() {
            let fields = self.uses_in(view, of).into_iter();
            uses.extend(fields.map(|field| (user.clone(), field)));
        }
        uses
    }

    /// Returns the fields of a record that use another, without duplicates.
    pub(super) fn uses_in(&self, view: RecordView, of: &RecordRef) -> Vec<Field> {
        let mut fields = view.references_to(of);
        let references = fields.len();
        for field in self.text_uses(view, of) {
            if !fields[..references].contains(&field) {
                fields.push(field);
            }
        }
        fields
    }

    /// Returns the [uses](Self::uses) of each of these records, which are read together.
    pub fn uses_of_each(&self, of: &[RecordRef]) -> Vec<Vec<(RecordRef, Field)>> {
        if let [of] = of {
            return vec![self.uses(of)];
        }
        let mut numbers: FxHashMap<&Name, Vec<usize>> = FxHashMap::default();
        for (number, record) in of.iter().enumerate() {
            numbers.entry(&record.name).or_default().push(number);
        }
        let of_name = |name: &Name| {
            let numbers = numbers.get(name).into_iter().flatten().copied();
            numbers.map(move |number| (number, &of[number]))
        };
        let mut uses = vec![vec![]; of.len()];
        for (user, view) in self.views() {
            let mut fields: BTreeMap<usize, Vec<Field>> = BTreeMap::new();
            let mut visit = |field: Field, kind: Kind, name: &Name| {
                for (number, of) in of_name(name) {
                    if kind.namespace().contains(&of.kind) {
                        fields.entry(number).or_default().push(field.clone());
                    }
                }
            };
            visit_references!(RecordView, view, visit, shared, iter, binds);
            let references: BTreeMap<usize, usize> = fields
                .iter()
                .map(|(number, of)| (*number, of.len()))
                .collect();
            let is_searched = |name: &Name| numbers.contains_key(name);
            self.visit_mentioned(view, is_searched, |field, meant| {
                for (number, _) in of_name(&meant.name).filter(|(_, of)| meant == **of) {
                    let known = fields.entry(number).or_default();
                    let references = references.get(&number).copied().unwrap_or_default();
                    if known.last() != Some(field) && !known[..references].contains(field) {
                        known.push(field.clone());
                    }
                }
            });
            for (number, fields) in fields {
                let fields = fields.into_iter();
                uses[number].extend(fields.map(|field| (user.clone(), field)));
            }
        }
        uses
    }

    /// Returns the texts of a record that name another.
    pub(super) fn text_uses(&self, view: RecordView, of: &RecordRef) -> Vec<Field> {
        let meant = Meaning::Record(of.clone());
        self.text_fields_with(view, &of.name, |_| true, |meaning| *meaning == meant)
    }

    /// Returns the texts of a record that have a name with a certain meaning.
    fn text_fields_with(
        &self,
        view: RecordView,
        name: &Name,
        is_searched: fn(&Field) -> bool,
        is_meant: impl Fn(&Meaning) -> bool,
    ) -> Vec<Field> {
        let mut fields = vec![];
        for (field, role) in view.text_fields() {
            if !is_searched(&field) {
                continue;
            }
            let text = view.text(&field).unwrap_or_default();
            // Most texts do not contain the name at all, which is quick to check.
            if contains_ignoring_case(text, name.as_str())
                && mentions(text, role).iter().any(|mention| {
                    let meaning = self.meaning(view.own_objects(), name, mention.position);
                    mention.name == *name && meaning.as_ref().is_some_and(&is_meant)
                })
            {
                fields.push(field);
            }
        }
        fields
    }
}

impl Document {
    /// Returns the texts in certain fields of a scenario that name an object, its own or the document's.
    pub fn texts_with_object(
        &self,
        scenario: &Arc<Scenario>,
        object: &Name,
        is_searched: fn(&Field) -> bool,
    ) -> Vec<Field> {
        let view = RecordView::Scenario(scenario);
        let own = Meaning::OwnObject(object.clone());
        let of_document = Meaning::Record(RecordRef::new(Kind::Object, object.clone()));
        let is_meant = |meaning: &Meaning| *meaning == own || *meaning == of_document;
        self.text_fields_with(view, object, is_searched, is_meant)
    }
}

pub(super) fn contains_ignoring_case(text: &str, part: &str) -> bool {
    let (text, part) = (text.as_bytes(), part.as_bytes());
    let mut windows = text.windows(part.len().max(1));
    windows.any(|window| window.eq_ignore_ascii_case(part))
}
