//! Removing a record together with everything that cannot exist without it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::sort::{CompactSort, map_of, set_of};
use crate::syntax::{TextRole, TokenKind, lex};

use super::edit_error::EditError;
use super::mentions::{Meaning, Mention, mentions};
use super::record::{Field, Kind, Record, RecordRef, RecordView};
use super::rename::Renames;
use super::{Document, Name};

impl Document {
    /// Removes records with their uses, one after the other. Uses of a removed type get its parent
    /// type. Task blocks, effects, initial values and other list entries are removed; formulas lose
    /// the clauses that name the record, and entries without remaining clauses are removed; other
    /// texts become empty.
    pub(super) fn remove_with_uses(&mut self, records: &[RecordRef]) -> Result<(), EditError> {
        let uses = self.uses_of_each(records).into_iter();
        let users = uses.map(|uses| uses.into_iter().map(|(user, _)| user));
        let users = records.iter().cloned().zip(users.map(set_of));
        let mut users: FxHashMap<RecordRef, BTreeSet<RecordRef>> = users.collect();
        let removed: FxHashSet<&RecordRef> = records.iter().collect();
        for record in records {
            let value = self.exists(record)?;
            let of_record = users.remove(record).unwrap_or_default();
            if let Record::Type(of) = &value {
                let parent = match of.parent == record.name {
                    true => Name::root(),
                    false => of.parent.clone(),
                };
                let to_parent = Renames::new([(record.clone(), parent.clone())]);
                self.rename_uses(of_record.iter().cloned().collect(), &to_parent);
                let parent = RecordRef::new(record.kind, parent);
                users.entry(parent).or_default().extend(of_record);
            } else {
                // Nobody will read what is removed itself.
                for user in of_record.iter().filter(|user| !removed.contains(user)) {
                    self.remove_uses_in(user, record);
                }
            }
            self.take(record);
            self.layout.forget(record);
        }
        match records.iter().all(|record| record.kind == Kind::Type) {
            true => self.prune_stage(),
            false => self.prune_layout(),
        }
        Ok(())
    }

    /// Removes from a record everything that can't exist without another one.
    fn remove_uses_in(&mut self, user: &RecordRef, of: &RecordRef) {
        let Some(before) = self.get(user) else {
            return;
        };
        let view = before.view();
        let mut fields: Vec<Field> = self.uses_in(view, of);
        fields = fields.into_iter().map(whole_plan).collect();
        fields.compact_sort();
        fields.dedup();
        let references = set_of(view.references_to(of));
        let roles: BTreeMap<Field, TextRole> = map_of(view.text_fields());
        let mut current = before.clone();
        let mut blocks = vec![];
        // From the last to the first, so that indices in lists stay valid.
        for field in fields.iter().rev() {
            match (field, roles.get(field).copied()) {
                (Field::BlockText(id), Some(TextRole::TaskCall)) => blocks.push(id.clone()),
                (field, role) => {
                    let refers = references.contains(field);
                    self.remove_use(of, view, (field, role), refers, &mut current);
                }
            }
        }
        if let Record::CompoundTask(task) = &mut current
            && !blocks.is_empty()
        {
            Arc::make_mut(task).method.remove_blocks(&blocks);
        }
        self.put(user.name.clone(), current);
    }

    /// Removes one use, other than a block that calls the record.
    fn remove_use(
        &self,
        of: &RecordRef,
        user: RecordView,
        (field, role): (&Field, Option<TextRole>),
        refers: bool,
        current: &mut Record,
    ) {
        match (field, role) {
            (_, Some(role @ TextRole::Formula)) if !refers => {
                let Some(text) = current.text_mut(field) else {
                    return;
                };
                let means_it = |mention: &Mention| {
                    self.meaning(user.own_objects(), &mention.name, mention.position)
                        == Some(Meaning::Record(of.clone()))
                };
                let mut named = mentions(text, role);
                named.retain(means_it);
                *text = without_clauses(text, &named);
                if text.is_empty() && field.is_entry() && !matches!(field, Field::Sense(_)) {
                    current.remove_entry(field);
                }
            }
            _ if field.is_entry() => drop(current.remove_entry(field)),
            _ => {
                if let Some(text) = current.text_mut(field) {
                    text.clear();
                }
            }
        }
    }
}

/// An expected plan is one use as a whole: without one of its steps it would be another
/// expectation.
fn whole_plan(field: Field) -> Field {
    match field {
        Field::ExpectedStep(n, _) => Field::Expectation(n),
        field => field,
    }
}

/// Returns a formula without the clauses, joined by `and`, that contain one of these names. A
/// formula that is not a conjunction is a single clause.
fn without_clauses(text: &str, named: &[Mention]) -> String {
    let mut depth = 0usize;
    let mut cuts = vec![];
    for token in lex(text) {
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth = depth.saturating_sub(1),
            TokenKind::And if depth == 0 => cuts.push(token.span.range()),
            TokenKind::Or | TokenKind::Imply if depth == 0 => {
                cuts.clear();
                break;
            }
            // A quantifier's scope extends as far right as possible.
            TokenKind::Forall | TokenKind::Exists if depth == 0 => break,
            _ => {}
        }
    }
    let mut kept: Vec<&str> = vec![];
    let mut start = 0;
    for cut in cuts.into_iter().chain(Some(text.len()..text.len())) {
        let holds = |mention: &Mention| (start..cut.start).contains(&mention.range.start);
        if !named.iter().any(holds) {
            kept.extend(text.get(start..cut.start).map(str::trim));
        }
        start = cut.end;
    }
    kept.join(" and ")
}

impl Field {
    /// Returns `true` if it is an entry of a list.
    fn is_entry(&self) -> bool {
        matches!(
            self,
            Self::Precondition(_)
                | Self::Integrity(_)
                | Self::Completion(_)
                | Self::Claim(_)
                | Self::Effect(_)
                | Self::Task(_)
                | Self::Initial(_)
                | Self::Event(_)
                | Self::Expectation(_)
                | Self::Subgoal(_)
                | Self::Cast(_)
                | Self::CastObject(_)
                | Self::CastTask(..)
                | Self::Belief(..)
                | Self::Crowd(_)
                | Self::CrowdInitial(..)
                | Self::CrowdTask(..)
                | Self::CrowdBelief(..)
                | Self::Failure(_)
                | Self::Sense(_)
                | Self::Uses(_)
                | Self::AgentGoal(_)
        )
    }
}
