//! Which record needs which: read from their texts, so that the Board's wires
//! are never saved and never out of date.

use std::collections::{BTreeMap, BTreeSet};

use taskloom::document::{Block, Document, Kind, Name, Record, RecordRef};
use taskloom::domain::lang::ast::{Expr, ExprKind};
use taskloom::domain::lang::{parse_call, parse_expr};

use crate::canvas::role::Role;

/// One record needs another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Link {
    /// What is needed.
    pub from: RecordRef,
    /// What needs it.
    pub to: RecordRef,
    /// As what.
    pub role: Role,
}

/// The names that each record's texts mention. A record that is the same in
/// memory as at the last look is not read again.
#[derive(Debug, Clone, Default)]
pub struct Reader {
    read: BTreeMap<RecordRef, (Record, Mentions)>,
}

/// Names and the role of the text in which each stands.
type Mentions = Vec<(Name, Role)>;

/// Whether two records are one in memory.
fn same(a: &Record, b: &Record) -> bool {
    match (a, b) {
        (Record::Condition(a), Record::Condition(b)) => std::sync::Arc::ptr_eq(a, b),
        (Record::PrimitiveTask(a), Record::PrimitiveTask(b)) => std::sync::Arc::ptr_eq(a, b),
        (Record::CompoundTask(a), Record::CompoundTask(b)) => std::sync::Arc::ptr_eq(a, b),
        _ => false,
    }
}

impl Reader {
    /// All links of a document.
    pub fn links(&mut self, document: &Document) -> BTreeSet<Link> {
        let mut before = std::mem::take(&mut self.read);
        let mut links = BTreeSet::new();
        for kind in [Kind::Condition, Kind::PrimitiveTask, Kind::CompoundTask] {
            for name in document.names(kind) {
                let to = RecordRef::new(kind, name.clone());
                let Some(record) = document.get(&to) else {
                    continue;
                };
                let mentions = match before.get_mut(&to) {
                    Some((old, mentions)) if same(old, &record) => std::mem::take(mentions),
                    _ => mentions(&record),
                };
                for (name, role) in &mentions {
                    links.extend(resolve(document, name, *role).map(|from| Link {
                        from,
                        to: to.clone(),
                        role: *role,
                    }));
                }
                self.read.insert(to, (record, mentions));
            }
        }
        links
    }
}

/// The record that a name means in a text of this role.
fn resolve(document: &Document, name: &Name, role: Role) -> Option<RecordRef> {
    let kind = match role {
        Role::Action => document.actions.contains_key(name).then_some(Kind::Action),
        Role::Subtask if document.primitive_tasks.contains_key(name) => Some(Kind::PrimitiveTask),
        Role::Subtask => {
            let known = document.compound_tasks.contains_key(name);
            known.then_some(Kind::CompoundTask)
        }
        _ if document.facts.contains_key(name) => Some(Kind::Fact),
        _ => {
            let known = document.conditions.contains_key(name);
            known.then_some(Kind::Condition)
        }
    };
    kind.map(|kind| RecordRef::new(kind, name.clone()))
}

fn mentions(record: &Record) -> Mentions {
    let mut found = vec![];
    let mut formulas = |texts: &[String], role| {
        for text in texts {
            names_in(&parse_expr(text).value, &mut |name| {
                found.push((name.clone(), role));
            });
        }
    };
    match record {
        Record::Condition(condition) => {
            formulas(std::slice::from_ref(&condition.formula), Role::Formula);
        }
        Record::PrimitiveTask(task) => {
            formulas(&task.preconditions, Role::Precondition);
            formulas(&task.integrity, Role::Integrity);
            formulas(&task.completion, Role::Completion);
            let action = parse_call(&task.action).value;
            found.extend(action.map(|call| (call.name, Role::Action)));
        }
        Record::CompoundTask(task) => {
            formulas(&task.preconditions, Role::Precondition);
            formulas(&task.integrity, Role::Integrity);
            for block in task.method.blocks.values() {
                if let Block::Task { call } = &**block {
                    let called = parse_call(call).value;
                    found.extend(called.map(|call| (call.name, Role::Subtask)));
                }
            }
        }
        _ => {}
    }
    found
}

/// Visits every name that could be a fact's or a condition's. The parser bounds
/// how deep a text nests.
pub fn names_in(expr: &Expr, visit: &mut impl FnMut(&Name)) {
    match &expr.kind {
        ExprKind::Reference(reference) => {
            visit(&reference.name);
            for arg in &reference.args {
                names_in(arg, visit);
            }
        }
        ExprKind::Not(a) | ExprKind::Negative(a) | ExprKind::Quantified(_, _, a) => {
            names_in(a, visit);
        }
        ExprKind::And(all) | ExprKind::Or(all) => {
            for part in all {
                names_in(part, visit);
            }
        }
        ExprKind::Imply(a, b) | ExprKind::Compare(_, a, b) | ExprKind::Arithmetic(_, a, b) => {
            names_in(a, visit);
            names_in(b, visit);
        }
        ExprKind::Bool(_) | ExprKind::Number(_) | ExprKind::Variable(_) | ExprKind::Missing => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wires_follow_from_the_texts_of_the_example() {
        let document = crate::examples::first();
        let links = Reader::default().links(&document);
        let of = |to: &str| {
            let wanted = links.iter().filter(|link| link.to.to_string() == to);
            let lines: Vec<String> = wanted
                .map(|link| format!("{} {}", link.role.label(), link.from))
                .collect();
            lines.join("\n")
        };
        assert_eq!(of("condition:key_at"), "formula fact:item_at");
        assert_eq!(
            of("primitive:open-box"),
            "precondition fact:at\nprecondition fact:box_locked\naction action:OpenBox"
        );
        assert!(of("compound:get-ball").contains("subtasks compound:get-ball"));
    }
}
