//! Renaming a record or a variable with all its uses.

use std::sync::Arc;

use crate::syntax::{free_variables, lex};

use super::edit_error::EditError;
use super::mentions::{Meaning, Position, mentions};
use super::record::{Record, RecordRef, RecordView};
use super::uses::contains_ignoring_case;
use super::{Document, Name, Param};

impl Document {
    pub(super) fn rename(&mut self, record: &RecordRef, to: &Name) -> Result<(), EditError> {
        self.exists(record)?;
        let renamed = RecordRef::new(record.kind, to.clone());
        if *to != record.name {
            self.check_name_is_free(&renamed)?;
        }
        let before = self.clone();
        self.rename_uses(record, to);
        if let Some(value) = self.take(record) {
            self.put(to.clone(), value);
        }
        self.layout.rename(record, &renamed);
        match self.changed_meaning(&before, record, &renamed) {
            None => Ok(()),
            Some(user) => Err(EditError::new(format!(
                "cannot use the name '{to}': it would change the meaning of the {} '{}'",
                user.kind.label(),
                user.name
            ))),
        }
    }

    /// Changes every use of a record to a new name.
    pub(super) fn rename_uses(&mut self, from: &RecordRef, to: &Name) {
        let before = self.clone();
        for (user, view) in before.views() {
            let refers = !view.references_to(from).is_empty();
            let texts = before.text_uses(view, from);
            if !refers && texts.is_empty() {
                continue;
            }
            let mut record = view.to_record();
            if refers {
                record.redirect_references(from, to);
            }
            for (field, role) in view.text_fields() {
                if !texts.contains(&field) {
                    continue;
                }
                let Some(text) = record.text_mut(&field) else {
                    continue;
                };
                for mention in mentions(text, role).into_iter().rev() {
                    let scenario = view.own_objects();
                    let meaning = before.meaning(scenario, &mention.name, mention.position);
                    if mention.name == from.name && meaning == Some(Meaning::Record(from.clone())) {
                        text.replace_range(mention.range, to.as_str());
                    }
                }
            }
            self.put(user.name.clone(), record);
        }
    }

    /// Returns the first record in which a name in a text changes its meaning, except for uses of
    /// the renamed record. A name that had no meaning may gain one.
    fn changed_meaning(
        &self,
        before: &Self,
        from: &RecordRef,
        to: &RecordRef,
    ) -> Option<RecordRef> {
        let now = |reference: RecordRef| {
            if reference == *from {
                to.clone()
            } else {
                reference
            }
        };
        let mut users = before.views();
        let changed = users.find(|(user, old)| {
            let Some(new) = self.view(&now(user.clone())) else {
                return true;
            };
            old.text_fields().into_iter().any(|(field, role)| {
                let (Some(was), Some(is)) = (old.text(&field), new.text(&field)) else {
                    return true;
                };
                let touched = |name: &Name| contains_ignoring_case(was, name.as_str());
                if !touched(&from.name) && !touched(&to.name) {
                    return false;
                }
                let (was, is) = (mentions(was, role), mentions(is, role));
                was.len() != is.len()
                    || was.iter().zip(&is).any(|(was, is)| {
                        let meant = before.meaning(old.own_objects(), &was.name, was.position);
                        let means = self.meaning(new.own_objects(), &is.name, is.position);
                        match meant {
                            Some(Meaning::Record(record)) => {
                                means != Some(Meaning::Record(now(record)))
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
