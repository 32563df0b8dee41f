//! Access to records of every kind, and the namespaces of their names.

use super::{Document, Kind, Name, Record, RecordRef, RecordView};

/// Applies the same code to the table of a kind, whatever the type of its records.
macro_rules! with_table {
    ($document:expr, $kind:expr, $table:ident => $body:expr) => {
        match $kind {
            Kind::Type => {
                let $table = &$document.types;
                $body
            }
            Kind::Object => {
                let $table = &$document.objects;
                $body
            }
            Kind::Fact => {
                let $table = &$document.facts;
                $body
            }
            Kind::Condition => {
                let $table = &$document.conditions;
                $body
            }
            Kind::Action => {
                let $table = &$document.actions;
                $body
            }
            Kind::PrimitiveTask => {
                let $table = &$document.primitive_tasks;
                $body
            }
            Kind::CompoundTask => {
                let $table = &$document.compound_tasks;
                $body
            }
            Kind::Goal => {
                let $table = &$document.goals;
                $body
            }
            Kind::Agent => {
                let $table = &$document.agents;
                $body
            }
            Kind::Scenario => {
                let $table = &$document.scenarios;
                $body
            }
        }
    };
}

impl Kind {
    /// Returns the kinds that share a namespace with this kind: a formula could not distinguish a
    /// fact from a condition, nor a call a primitive from a compound task.
    pub fn namespace(self) -> &'static [Kind] {
        match self {
            Self::Fact | Self::Condition => &[Self::Fact, Self::Condition],
            Self::PrimitiveTask | Self::CompoundTask => &[Self::PrimitiveTask, Self::CompoundTask],
            Self::Type => &[Self::Type],
            Self::Object => &[Self::Object],
            Self::Action => &[Self::Action],
            Self::Goal => &[Self::Goal],
            Self::Agent => &[Self::Agent],
            Self::Scenario => &[Self::Scenario],
        }
    }
}

impl Document {
    /// Returns the record of a kind and name.
    pub fn get(&self, record: &RecordRef) -> Option<Record> {
        Some(self.view(record)?.to_record())
    }

    /// Borrows the record of a kind and name.
    pub fn view(&self, record: &RecordRef) -> Option<RecordView<'_>> {
        let name = &record.name;
        Some(match record.kind {
            Kind::Type => RecordView::Type(self.types.get(name)?),
            Kind::Object => RecordView::Object(self.objects.get(name)?),
            Kind::Fact => RecordView::Fact(self.facts.get(name)?),
            Kind::Condition => RecordView::Condition(self.conditions.get(name)?),
            Kind::Action => RecordView::Action(self.actions.get(name)?),
            Kind::PrimitiveTask => RecordView::PrimitiveTask(self.primitive_tasks.get(name)?),
            Kind::CompoundTask => RecordView::CompoundTask(self.compound_tasks.get(name)?),
            Kind::Goal => RecordView::Goal(self.goals.get(name)?),
            Kind::Agent => RecordView::Agent(self.agents.get(name)?),
            Kind::Scenario => RecordView::Scenario(self.scenarios.get(name)?),
        })
    }

    /// Returns `true` if the record exists.
    pub fn contains(&self, record: &RecordRef) -> bool {
        with_table!(self, record.kind, table => table.contains_key(&record.name))
    }

    /// Returns the reference with the spelling of the record's own name.
    pub fn spelled(&self, record: &RecordRef) -> Option<RecordRef> {
        let name = with_table!(self, record.kind, table => {
            table.get_key_value(&record.name).map(|(name, _)| name.clone())
        })?;
        Some(RecordRef::new(record.kind, name))
    }

    /// Returns the names of all records of a kind, in order.
    pub fn names(&self, kind: Kind) -> Vec<&Name> {
        with_table!(self, kind, table => table.keys().collect())
    }

    /// Iterates over all records, kind by kind in the order of the file.
    pub fn records(&self) -> impl Iterator<Item = RecordRef> + '_ {
        Kind::ALL.into_iter().flat_map(|kind| {
            let names = self.names(kind).into_iter();
            names.map(move |name| RecordRef::new(kind, name.clone()))
        })
    }

    /// Returns the record that already has this name in a kind's namespace.
    pub fn named(&self, kind: Kind, name: &Name) -> Option<RecordRef> {
        let mut kinds = kind.namespace().iter();
        kinds.find_map(|&kind| self.spelled(&RecordRef::new(kind, name.clone())))
    }

    /// Inserts a record into its table; replaces one of the same name.
    pub(super) fn put(&mut self, name: Name, record: Record) {
        match record {
            Record::Type(record) => drop(self.types.insert(name, record)),
            Record::Object(record) => drop(self.objects.insert(name, record)),
            Record::Fact(record) => drop(self.facts.insert(name, record)),
            Record::Condition(record) => drop(self.conditions.insert(name, record)),
            Record::Action(record) => drop(self.actions.insert(name, record)),
            Record::PrimitiveTask(record) => drop(self.primitive_tasks.insert(name, record)),
            Record::CompoundTask(record) => drop(self.compound_tasks.insert(name, record)),
            Record::Goal(record) => drop(self.goals.insert(name, record)),
            Record::Agent(record) => drop(self.agents.insert(name, record)),
            Record::Scenario(record) => drop(self.scenarios.insert(name, record)),
        }
    }

    /// Removes a record from its table.
    pub(super) fn take(&mut self, record: &RecordRef) -> Option<Record> {
        let name = &record.name;
        match record.kind {
            Kind::Type => self.types.remove(name).map(Record::Type),
            Kind::Object => self.objects.remove(name).map(Record::Object),
            Kind::Fact => self.facts.remove(name).map(Record::Fact),
            Kind::Condition => self.conditions.remove(name).map(Record::Condition),
            Kind::Action => self.actions.remove(name).map(Record::Action),
            Kind::PrimitiveTask => {
                let task = self.primitive_tasks.remove(name);
                task.map(Record::PrimitiveTask)
            }
            Kind::CompoundTask => self.compound_tasks.remove(name).map(Record::CompoundTask),
            Kind::Goal => self.goals.remove(name).map(Record::Goal),
            Kind::Agent => self.agents.remove(name).map(Record::Agent),
            Kind::Scenario => self.scenarios.remove(name).map(Record::Scenario),
        }
    }

    /// Returns a name that is free in the kind's namespace: `base`, or `base-2`, `base-3` ...
    /// Characters that are not allowed in names become `-`. Objects, facts and conditions avoid
    /// each other's names, since a formula may contain any of them.
    pub fn fresh_name(&self, kind: Kind, base: &str) -> Name {
        self.fresh_name_where(kind, base, |_| true)
    }

    /// Returns a free name like [`Document::fresh_name`], among those that `allowed` accepts.
    pub(super) fn fresh_name_where(
        &self,
        kind: Kind,
        base: &str,
        allowed: impl Fn(&RecordRef) -> bool,
    ) -> Name {
        let stem = stem(base).unwrap_or_else(|| kind.label().replace(' ', "-"));
        let kinds: &[Kind] = match kind {
            Kind::Object | Kind::Fact | Kind::Condition => {
                &[Kind::Object, Kind::Fact, Kind::Condition]
            }
            other => other.namespace(),
        };
        let is_free = |name: &Name| {
            let taken = |&kind: &Kind| {
                let record = RecordRef::new(kind, name.clone());
                self.contains(&record) || !allowed(&record)
            };
            !kinds.iter().any(taken) && !name.is_reserved()
        };
        let first = Name::new(base).ok().filter(is_free);
        let numbered = (1..).filter_map(|n: u64| match n {
            1 => Name::new(&stem).ok(),
            n => Name::new(&format!("{stem}-{n}")).ok(),
        });
        first
            .or_else(|| numbered.into_iter().find(is_free))
            .unwrap_or_else(|| Name::new("x").expect("a letter is a name"))
    }
}

/// Returns `base` as a name without a number at its end; none if nothing remains.
fn stem(base: &str) -> Option<String> {
    let mut text = String::new();
    for c in base.chars() {
        match c {
            c if c.is_ascii_alphanumeric() || c == '_' => text.push(c),
            _ if text.ends_with('-') => {}
            _ => text.push('-'),
        }
    }
    let text = text.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
    let text = text.trim_end_matches('-');
    let unnumbered = match text.rsplit_once('-') {
        Some((head, number)) if number.bytes().all(|b| b.is_ascii_digit()) => head,
        _ => text,
    };
    (!unnumbered.is_empty()).then(|| unnumbered.to_owned())
}

impl RecordView<'_> {
    /// Returns the record, sharing its content.
    pub fn to_record(self) -> Record {
        match self {
            Self::Type(record) => Record::Type(record.clone()),
            Self::Object(record) => Record::Object(record.clone()),
            Self::Fact(record) => Record::Fact(record.clone()),
            Self::Condition(record) => Record::Condition(record.clone()),
            Self::Action(record) => Record::Action(record.clone()),
            Self::PrimitiveTask(record) => Record::PrimitiveTask(record.clone()),
            Self::CompoundTask(record) => Record::CompoundTask(record.clone()),
            Self::Goal(record) => Record::Goal(record.clone()),
            Self::Agent(record) => Record::Agent(record.clone()),
            Self::Scenario(record) => Record::Scenario(record.clone()),
        }
    }
}

impl Record {
    /// Borrows the record.
    pub fn view(&self) -> RecordView<'_> {
        match self {
            Self::Type(record) => RecordView::Type(record),
            Self::Object(record) => RecordView::Object(record),
            Self::Fact(record) => RecordView::Fact(record),
            Self::Condition(record) => RecordView::Condition(record),
            Self::Action(record) => RecordView::Action(record),
            Self::PrimitiveTask(record) => RecordView::PrimitiveTask(record),
            Self::CompoundTask(record) => RecordView::CompoundTask(record),
            Self::Goal(record) => RecordView::Goal(record),
            Self::Agent(record) => RecordView::Agent(record),
            Self::Scenario(record) => RecordView::Scenario(record),
        }
    }
}
