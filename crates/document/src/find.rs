//! Find and replace in names and texts.

use std::ops::Range;

use super::edit::Edit;
use super::edit_error::EditError;
use super::record::{Field, RecordRef, RecordView};
use super::{Document, Name};

/// A text to find, and its replacement.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pattern {
    /// The text to find; an empty one matches nothing.
    pub find: String,
    /// The replacement.
    pub replace: String,
    /// If `true`, the search is case-sensitive.
    pub case: bool,
}

/// A match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The name or text that matches.
    pub place: FoundPlace,
    /// The name or text before the replacement.
    pub before: String,
    /// The name or text after the replacement.
    pub after: String,
}

/// The location of a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FoundPlace {
    /// The name of a record.
    Name(RecordRef),
    /// The name of a variable that a record declares.
    Variable(RecordRef, Name),
    /// A text of a record.
    Text(RecordRef, Field),
}

impl Pattern {
    /// Returns the matches in a text.
    fn ranges(&self, text: &str) -> Vec<Range<usize>> {
        let (bytes, needle) = (text.as_bytes(), self.find.as_bytes());
        let same = |at: usize| {
            let part = bytes.get(at..at + needle.len());
            part.is_some_and(|part| match self.case {
                true => part == needle,
                false => part.eq_ignore_ascii_case(needle),
            })
        };
        let mut found = vec![];
        let mut at = 0;
        while !needle.is_empty() && at + needle.len() <= bytes.len() {
            if text.is_char_boundary(at) && same(at) {
                found.push(at..at + needle.len());
                at += needle.len();
            } else {
                at += 1;
            }
        }
        found
    }

    /// Returns a text after the replacement; none if nothing matches.
    fn replaced(&self, text: &str) -> Option<String> {
        let ranges = self.ranges(text);
        let mut replaced = text.to_owned();
        for range in ranges.iter().rev() {
            replaced.replace_range(range.clone(), &self.replace);
        }
        (!ranges.is_empty()).then_some(replaced)
    }
}

impl Document {
    /// Returns every name and text that matches a pattern, in the order of the file.
    pub fn find(&self, pattern: &Pattern) -> Vec<Found> {
        let mut found = vec![];
        let mut look = |place: FoundPlace, before: &str| {
            found.extend(pattern.replaced(before).map(|after| Found {
                place,
                before: before.to_owned(),
                after,
            }));
        };
        for (record, view) in self.views() {
            look(FoundPlace::Name(record.clone()), record.name.as_str());
            for name in declared(view) {
                let place = FoundPlace::Variable(record.clone(), name.clone());
                look(place, name.as_str());
            }
            for (field, _) in view.text_fields() {
                if let Some(text) = view.text(&field) {
                    look(FoundPlace::Text(record.clone(), field), text);
                }
            }
        }
        found
    }

    /// Returns the edits, to be committed as one step, that replace the matches. Records and
    /// variables are renamed in all their uses.
    ///
    /// # Errors
    /// Returns an error if a name cannot be changed to the new one.
    pub fn replace_found(&self, found: &[Found]) -> Result<Vec<Edit>, EditError> {
        let mut edits = vec![];
        let mut now = self.clone();
        let mut renamed: Vec<(RecordRef, Name)> = vec![];
        let name = |text: &str| Name::new(text).map_err(|e| EditError::new(e.to_string()));
        let mut make = |now: &mut Self, edit: Edit| -> Result<(), EditError> {
            *now = now.apply(&edit)?;
            edits.push(edit);
            Ok(())
        };
        for one in found {
            if let FoundPlace::Name(record) = &one.place {
                let to = name(&one.after)?;
                make(&mut now, Edit::Rename(record.clone(), to.clone()))?;
                renamed.push((record.clone(), to));
            }
        }
        let current = |record: &RecordRef| {
            let mut renamed = renamed.iter();
            match renamed.find(|(before, _)| before == record) {
                Some((_, to)) => RecordRef::new(record.kind, to.clone()),
                None => record.clone(),
            }
        };
        for one in found {
            if let FoundPlace::Variable(record, from) = &one.place {
                let edit = Edit::RenameVariable(current(record), from.clone(), name(&one.after)?);
                make(&mut now, edit)?;
            }
        }
        for one in found {
            if let FoundPlace::Text(record, field) = &one.place {
                let record = current(record);
                // Renaming has changed most of them already.
                if now.text(&record, field) != Some(&one.after) {
                    make(
                        &mut now,
                        Edit::SetText(record, field.clone(), one.after.clone()),
                    )?;
                }
            }
        }
        Ok(edits)
    }
}

/// Returns the variables that a record declares, without duplicates.
fn declared(view: RecordView<'_>) -> Vec<&Name> {
    let mut names: Vec<&Name> = view.params().iter().map(|param| &param.name).collect();
    if let RecordView::CompoundTask(task) = view {
        for block in task.method.blocks.values() {
            if let Some(variable) = block.binds()
                && !names.contains(&&variable.name)
            {
                names.push(&variable.name);
            }
        }
    }
    names
}
