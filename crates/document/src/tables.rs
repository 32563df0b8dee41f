//! Access to records of every kind, and free names.

use rustc_hash::FxHashMap;

use super::{Document, Kind, Name, Record, RecordRef, RecordView};

impl Document {
    /// Returns the record of a kind and name.
    pub fn get(&self, record: &RecordRef) -> Option<Record> {
        Some(self.view(record)?.to_record())
    }

    /// Returns `true` if the record exists.
    pub fn contains(&self, record: &RecordRef) -> bool {
        self.view(record).is_some()
    }

    /// Returns the names of all records of a kind, in order.
    pub fn names(&self, kind: Kind) -> Vec<&Name> {
        let records = self.table(kind).into_iter();
        records.map(|(name, _)| name).collect()
    }

    /// Iterates over all records, kind by kind in the order of the file.
    pub fn views(&self) -> impl Iterator<Item = (RecordRef, RecordView<'_>)> {
        Kind::ALL.into_iter().flat_map(|kind| {
            let records = self.table(kind).into_iter();
            records.map(move |(name, view)| (RecordRef::new(kind, name.clone()), view))
        })
    }

    /// Iterates over references to all records, in the same order.
    pub fn records(&self) -> impl Iterator<Item = RecordRef> + '_ {
        self.views().map(|(record, _)| record)
    }

    /// Returns the records that differ from those of an earlier version that has all the same names; `None` if it doesn't.
    /// Records that are shared are recognized without comparing them.
    pub fn changed_since(&self, earlier: &Self) -> Option<Vec<RecordRef>> {
        let mut changed = vec![];
        for kind in Kind::ALL {
            let (now, before) = (self.table(kind), earlier.table(kind));
            if now.len() != before.len() {
                return None;
            }
            for ((name, record), (known, earlier)) in now.into_iter().zip(before) {
                if !record.is_same(earlier) {
                    changed.push(RecordRef::new(kind, name.clone()));
                }
                if !name.same_spelling(known) {
                    return None;
                }
            }
        }
        Some(changed)
    }

    /// Returns the record that already has this name in a kind's namespace.
    pub fn named(&self, kind: Kind, name: &Name) -> Option<RecordRef> {
        let mut kinds = kind.namespace().iter();
        kinds.find_map(|&kind| self.spelled(&RecordRef::new(kind, name.clone())))
    }

    /// Returns a name that is free in the kind's namespace: `base`, or `base-2`, `base-3` ...
    /// Characters that are not allowed in names become `-`. Objects, facts and conditions avoid
    /// each other's names, since a formula may contain any of them.
    pub fn fresh_name(&self, kind: Kind, base: &str) -> Name {
        self.fresh_name_where(kind, base, &mut Numbers::default(), |_| true)
    }

    /// Returns a free name like [`Document::fresh_name`], among those that `allowed` accepts.
    /// When several names are chosen, `numbers` has the numbers tried so far, and `allowed` rejects
    /// the names chosen so far.
    pub(super) fn fresh_name_where(
        &self,
        kind: Kind,
        base: &str,
        numbers: &mut Numbers,
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
        let numbered = |n: u64| match n {
            1 => Name::new(&stem).ok(),
            n => Name::new(&format!("{stem}-{n}")).ok(),
        };
        let free = || {
            let next = numbers.0.entry((kinds[0], stem.to_ascii_lowercase()));
            let next = next.or_insert(1);
            loop {
                let name = numbered(*next).filter(is_free);
                *next += 1;
                if name.is_some() {
                    return name;
                }
            }
        };
        first
            .or_else(free)
            .unwrap_or_else(|| Name::new("x").expect("a letter is a name"))
    }
}

/// The next number to try for each name, since lower ones are taken. A key is the first kind of a namespace, and a
/// name without its number, in lower case.
#[derive(Default)]
pub(super) struct Numbers(FxHashMap<(Kind, String), u64>);

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
