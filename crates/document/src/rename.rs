//! Renaming a record or a variable with all its uses.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::syntax::{free_variables, lex};

use super::edit_error::EditError;
use super::mentions::{Meaning, Position, mentions};
use super::record::{Kind, Record, RecordRef, RecordView};
use super::uses::contains_ignoring_case;
use super::{Document, Name, Param};

/// New names of records, which they get at the same time.
pub(super) struct Renames(FxHashMap<RecordRef, Name>);

/// The number of new names for which each text is searched for the names, before it is read.
const FEW: usize = 4;

impl Renames {
    pub(super) fn new(renames: impl IntoIterator<Item = (RecordRef, Name)>) -> Self {
        Self(renames.into_iter().collect())
    }

    /// Returns the new name for a reference to a record of one of these kinds.
    pub(super) fn of_reference(&self, kinds: &[Kind], name: &Name) -> Option<&Name> {
        let mut kinds = kinds.iter();
        kinds.find_map(|kind| self.0.get(&RecordRef::new(*kind, name.clone())))
    }

    /// Returns a record's reference after the renaming.
    pub(super) fn renamed(&self, record: RecordRef) -> RecordRef {
        match self.0.get(&record) {
            Some(to) => RecordRef::new(record.kind, to.clone()),
            None => record,
        }
    }

    /// Moves the entries of records of a kind to their new names, all at the same time.
    pub(super) fn move_entries<V>(&self, kind: Kind, entries: &mut BTreeMap<Name, V>) {
        let of_kind = self.0.iter().filter(|(from, _)| from.kind == kind);
        let moved =
            of_kind.filter_map(|(from, to)| Some((to.clone(), entries.remove(&from.name)?)));
        let moved = Vec::from_iter(moved);
        entries.extend(moved);
    }

    /// Returns `true` if a text may contain one of the old names, or of the new ones if `is_new` is
    /// `true`. Most don't, which is quick to check for few names.
    fn may_be_in(&self, text: &str, is_new: bool) -> bool {
        let contains = |name: &Name| contains_ignoring_case(text, name.as_str());
        let mut renames = self.0.iter();
        self.0.len() > FEW
            || renames.any(|(from, to)| contains(&from.name) || is_new && contains(to))
    }
}

impl Document {
    /// Renames records at the same time, with all their uses.
    pub(super) fn rename(&mut self, renames: &[(RecordRef, Name)]) -> Result<(), EditError> {
        let before = self.clone();
        let new_names = Renames::new(renames.iter().cloned());
        self.rename_uses(self.records().collect(), &new_names);
        let mut renamed = vec![];
        for (record, to) in renames {
            let new = RecordRef::new(record.kind, to.clone());
            let value = self.exists(record)?;
            self.take(record);
            renamed.push((new, value));
        }
        self.layout.rename(&new_names);
        for (record, value) in renamed {
            self.check_name_is_free(&record)?;
            self.put(record.name, value);
        }
        let Some(user) = self.changed_meaning(&before, &new_names) else {
            return Ok(());
        };
        Err(EditError::new(match renames {
            [(_, to)] => format!(
                "cannot use the name '{to}': it would change the meaning of the {} '{}'",
                user.kind.label(),
                user.name
            ),
            _ => format!(
                "cannot use these names: they would change the meaning of the {} '{}'",
                user.kind.label(),
                user.name
            ),
        }))
    }

    /// Changes the uses of records in these records to their new names.
    pub(super) fn rename_uses(&mut self, users: Vec<RecordRef>, renames: &Renames) {
        let changed = users.into_iter().filter_map(|user| {
            let record = self.with_uses_renamed(self.view(&user)?, renames)?;
            Some((user.name, record))
        });
        for (name, record) in Vec::from_iter(changed) {
            self.put(name, record);
        }
    }

    /// Returns a record with new names in its references and texts; none if nothing changes.
    fn with_uses_renamed(&self, view: RecordView, renames: &Renames) -> Option<Record> {
        let mut record = None;
        if view.refers_to_any(renames) {
            let redirected = record.get_or_insert_with(|| view.to_record());
            redirected.redirect_references(renames);
        }
        for (field, role) in view.text_fields() {
            let text = view.text(&field).unwrap_or_default();
            if !renames.may_be_in(text, false) {
                continue;
            }
            for mention in mentions(text, role).into_iter().rev() {
                let meaning = self.meaning(view.own_objects(), &mention.name, mention.position);
                let Some(Meaning::Record(meant)) = meaning else {
                    continue;
                };
                if let Some(to) = renames.0.get(&meant)
                    && let Some(text) = record
                        .get_or_insert_with(|| view.to_record())
                        .text_mut(&field)
                {
                    text.replace_range(mention.range, to.as_str());
                }
            }
        }
        record
    }

    /// Returns the first record in which a name in a text changes its meaning, except for uses of
    /// the renamed records. A name that had no meaning may gain one.
    fn changed_meaning(&self, before: &Self, renames: &Renames) -> Option<RecordRef> {
        let mut users = before.views();
        let changed = users.find(|(user, old)| {
            let Some(new) = self.view(&renames.renamed(user.clone())) else {
                return true;
            };
            old.text_fields().into_iter().any(|(field, role)| {
                let (Some(was), Some(is)) = (old.text(&field), new.text(&field)) else {
                    return true;
                };
                if !renames.may_be_in(was, true) {
                    return false;
                }
                let (was, is) = (mentions(was, role), mentions(is, role));
                was.len() != is.len()
                    || was.iter().zip(&is).any(|(was, is)| {
                        let meant = before.meaning(old.own_objects(), &was.name, was.position);
                        let means = self.meaning(new.own_objects(), &is.name, is.position);
                        match meant {
                            Some(Meaning::Record(record)) => {
                                means != Some(Meaning::Record(renames.renamed(record)))
                            }
                            Some(own) => means != Some(own),
                            // It called a function.
                            None if matches!(was.position, Position::Called(_)) => means.is_some(),
                            // It was the time.
                            None if was.name == Name::time() => means.is_some(),
                            None => false,
                        }
                    })
            })
        });
        changed.map(|(user, _)| user)
    }

    pub(super) fn rename_variable(
        &mut self,
        reference: &RecordRef,
        from: &Name,
        to: &Name,
    ) -> Result<(), EditError> {
        let mut record = self.exists(reference)?;
        let view = record.view();
        let variables = variables(view);
        if !variables.iter().any(|variable| variable.name == *from) {
            return Err(EditError::new(format!(
                "'{}' has no variable '?{from}'",
                reference.name
            )));
        }
        if from != to && variables.iter().any(|variable| variable.name == *to) {
            return Err(EditError::new(format!(
                "'{}' already has a variable '?{to}'",
                reference.name
            )));
        }
        let mut texts = vec![];
        for (field, _) in view.text_fields() {
            let text = view.text(&field).unwrap_or_default();
            let renamed = with_variable_renamed(text, from, to).ok_or_else(|| {
                EditError::new(format!(
                    "cannot use the name '?{to}': '{text}' has a quantifier over '?{to}'"
                ))
            })?;
            if renamed != text {
                texts.push((field, renamed));
            }
        }
        for (field, renamed) in texts {
            if let Some(text) = record.text_mut(&field) {
                *text = renamed;
            }
        }
        rename_declarations(&mut record, from, to);
        self.put(reference.name.clone(), record);
        Ok(())
    }
}

/// Returns the parameters of a record and the variables of its Bind blocks.
fn variables(view: RecordView<'_>) -> Vec<&Param> {
    let mut all: Vec<&Param> = view.params().iter().collect();
    if let RecordView::CompoundTask(task) = view {
        all.extend(
            task.method
                .blocks
                .values()
                .filter_map(|block| block.binds()),
        );
    }
    all
}

fn rename_declarations(record: &mut Record, from: &Name, to: &Name) {
    let rename = |param: &mut Param| {
        if param.name == *from {
            param.name = to.clone();
        }
    };
    for param in record.params_mut().into_iter().flatten() {
        rename(param);
    }
    if let Record::CompoundTask(task) = record {
        for block in Arc::make_mut(task).method.blocks.values_mut() {
            if block.binds().is_some_and(|variable| variable.name == *from) {
                Arc::make_mut(block).binds_mut().map(rename);
            }
        }
    }
}

/// Renames a free variable in a text; none if a quantifier over the new name would capture it.
fn with_variable_renamed(text: &str, from: &Name, to: &Name) -> Option<String> {
    let mut renamed = text.to_owned();
    for variable in free_variables(text).into_iter().rev() {
        if variable.name != *from {
            continue;
        }
        if from != to && variable.within.contains(to) {
            return None;
        }
        renamed.replace_range(variable.range, to.as_str());
    }
    // A minus at the end of a name may merge with the token after it.
    (lex(&renamed).len() == lex(text).len()).then_some(renamed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Objects, facts and tasks, two of each, with everything that is drawn.
    const PAIRS: &str = r#"{ "taskloom": 4,
      "objects": { "{hall}": { "type": "object" }, "{yard}": { "type": "object" } },
      "facts": { "{at}": { "params": ["?o: object"] }, "{near}": { "params": ["?o: object"] } },
      "compound_tasks": {
        "{go}": { "method": { "blocks": { "g": { "kind": "task", "call": "{stay}" } } } },
        "{stay}": { "method": { "blocks": { "s": { "kind": "task", "call": "{go}" } } } } },
      "scenarios": { "s": { "tasks": ["{go}"], "initial": ["{at}({hall})", "{near}({yard})"] } },
      "layout": {
        "board": { "compound:{go}": "1,1", "compound:{stay}": "2,2", "object:{hall}": "3,3" },
        "methods": { "{go}": { "g": "4,4" }, "{stay}": { "s": "5,5" } },
        "collapsed_cards": ["compound:{go}"],
        "drawings": { "{stay}": { "collapsed": ["s"] } },
        "stage": { "fact": "{at}", "axes": { "x": "{near}", "y": "{at}" },
          "places": { "{hall}": "6,6", "{yard}": "7,7" } } } }"#;

    /// Returns the document with these names in place of `go`, `stay`, `hall`, `yard`, `at` and `near`.
    fn document(names: [&str; 6]) -> Document {
        let slots = ["{go}", "{stay}", "{hall}", "{yard}", "{at}", "{near}"];
        let slots = slots.into_iter().zip(names);
        let text = slots.fold(PAIRS.to_owned(), |text, (slot, name)| {
            text.replace(slot, name)
        });
        Document::from_json(&text).unwrap()
    }

    #[test]
    fn records_exchange_their_names_with_everything_drawn() {
        let mut exchanged = document(["go", "stay", "hall", "yard", "at", "near"]);
        let renames = [
            ("compound:go", "stay"),
            ("compound:stay", "go"),
            ("object:hall", "yard"),
            ("object:yard", "hall"),
            ("fact:at", "near"),
            ("fact:near", "at"),
        ];
        let renames: [(RecordRef, Name); 6] =
            renames.map(|(from, to)| (from.parse().unwrap(), to.parse().unwrap()));
        exchanged.rename(&renames).unwrap();
        let expected = document(["stay", "go", "yard", "hall", "near", "at"]);
        assert_eq!(exchanged.to_json(), expected.to_json());
    }
}
