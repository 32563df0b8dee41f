//! Removing a record together with everything that cannot exist without it.

use std::sync::Arc;

use crate::sort::CompactSort;
use crate::syntax::{TextRole, TokenKind, lex};

use super::edit_error::EditError;
use super::mentions::{Meaning, Mention, mentions};
use super::record::{Field, Record, RecordRef};
use super::{Document, Name};

impl Document {
    /// Removes a record with its uses. Uses of a removed type get its parent type. Task blocks,
    /// effects, initial values and other list entries are removed; formulas lose the clauses that
    /// name the record, and entries without remaining clauses are removed; other texts become
    /// empty.
    pub(super) fn remove_with_uses(&mut self, record: &RecordRef) -> Result<(), EditError> {
        let value = self.exists(record)?;
        if let Record::Type(removed) = &value {
            let parent = match removed.parent == record.name {
                true => Name::root(),
                false => removed.parent.clone(),
            };
            self.rename_uses(record, &parent);
            return self.remove(record);
        }
        let before = self.clone();
        let mut uses: Vec<_> = before.uses(record).into_iter().map(whole_plan).collect();
        uses.compact_sort();
        uses.dedup();
        // From the last to the first, so that indices in lists stay valid.
        for (user, field) in uses.iter().rev().filter(|(user, _)| user != record) {
            if let Some(mut current) = self.get(user) {
                before.remove_use(record, user, field, &mut current);
                self.put(user.name.clone(), current);
            }
        }
        self.remove(record)?;
        self.prune_layout();
        Ok(())
    }

    fn remove_use(&self, of: &RecordRef, user: &RecordRef, field: &Field, current: &mut Record) {
        let Some(view) = self.view(user) else {
            return;
        };
        let refers = view.references_to(of).contains(field);
        let role = view.text_fields().into_iter().find(|(f, _)| f == field);
        match (field, role.map(|(_, role)| role)) {
            (Field::BlockText(id), Some(TextRole::TaskCall)) => {
                if let Record::CompoundTask(task) = current {
                    Arc::make_mut(task).method.remove_block(id);
                }
            }
            (_, Some(role @ TextRole::Formula)) if !refers => {
                let Some(text) = current.text_mut(field) else {
                    return;
                };
                let means_it = |mention: &Mention| {
                    self.meaning(view.own_objects(), &mention.name, mention.position)
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
fn whole_plan((user, field): (RecordRef, Field)) -> (RecordRef, Field) {
    match field {
        Field::ExpectedStep(n, _) => (user, Field::Expectation(n)),
        field => (user, field),
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
