//! The dependencies between records, read from their texts, so that the Board's wires are never
//! saved and never out of date. Drawing or removing a wire edits those texts.

mod agents;
mod edits;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use taskloom_document::sort::set_of;
use taskloom_document::syntax::ast::{Expr, ExprKind};
use taskloom_document::syntax::parse_expr;
use taskloom_document::{Document, Field, Kind, Name, Record, RecordRef};

use crate::calls::{called, called_tasks};

pub use agents::{goal_added, roles_of};
pub use edits::{connected, disconnected};

/// The role in which a record needs another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// The formula of a condition or a goal.
    Formula,
    /// A condition that holds when the task starts.
    Precondition,
    /// A condition that holds while it runs.
    Integrity,
    /// A condition that holds when it ends.
    Completion,
    /// An object-valued fact that tells what the task claims. Its wire isn't drawn by hand: a claim
    /// is written in the inspector, with the fact's arguments.
    Claim,
    /// The action that a primitive task calls.
    Action,
    /// A task of a compound task's method.
    Subtask,
    /// A task that an agent plans for, or that serves a goal.
    Task,
    /// A goal that an agent plans for.
    Goal,
    /// A task that an agent may use.
    Repertoire,
    /// A fact that an agent senses.
    Sense,
}

impl Role {
    /// All roles, in the order of the legend.
    pub const ALL: [Self; 11] = [
        Self::Precondition,
        Self::Integrity,
        Self::Completion,
        Self::Claim,
        Self::Formula,
        Self::Action,
        Self::Subtask,
        Self::Task,
        Self::Goal,
        Self::Repertoire,
        Self::Sense,
    ];

    /// Returns the name of the role.
    pub fn label(self) -> &'static str {
        match self {
            Self::Formula => "formula",
            Self::Precondition => "precondition",
            Self::Integrity => "integrity",
            Self::Completion => "completion",
            Self::Claim => "claims",
            Self::Action => "action",
            Self::Subtask => "subtasks",
            Self::Task => "task",
            Self::Goal => "goal",
            Self::Repertoire => "repertoire",
            Self::Sense => "sense",
        }
    }

    /// Returns the needs of a kind of record that wires drawn by hand can meet.
    pub fn of(kind: Kind) -> &'static [Self] {
        match kind {
            Kind::Condition => &[Self::Formula],
            Kind::Goal => &[Self::Formula, Self::Task],
            Kind::PrimitiveTask => &[
                Self::Precondition,
                Self::Integrity,
                Self::Completion,
                Self::Action,
            ],
            Kind::CompoundTask => &[Self::Precondition, Self::Integrity, Self::Subtask],
            Kind::Agent => &[Self::Task, Self::Goal, Self::Repertoire, Self::Sense],
            _ => &[],
        }
    }

    /// Returns `true` if agents have this need.
    pub fn is_of_agents(self) -> bool {
        Self::of(Kind::Agent).contains(&self)
    }

    /// Returns `true` if a kind of record can meet the need.
    pub fn takes(self, kind: Kind) -> bool {
        match self {
            Self::Action => kind == Kind::Action,
            Self::Subtask | Self::Task | Self::Repertoire => {
                matches!(kind, Kind::PrimitiveTask | Kind::CompoundTask)
            }
            Self::Goal => kind == Kind::Goal,
            Self::Claim | Self::Sense => kind == Kind::Fact,
            _ => matches!(kind, Kind::Fact | Kind::Condition),
        }
    }
}

/// A dependency of one record on another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Link {
    /// The record that is needed.
    pub from: RecordRef,
    /// The record that needs it.
    pub to: RecordRef,
    /// The role of the need.
    pub role: Role,
}

/// The names that each record's texts mention. A record that is the same object in memory as in the
/// last call isn't read again, and links that are still the same are not resolved again.
#[derive(Debug, Clone, Default)]
pub struct Reader {
    read: BTreeMap<RecordRef, (Record, Mentions)>,
    last: Option<(Document, Arc<BTreeSet<Link>>)>,
}

/// Names, each with the role of the text that mentions it.
type Mentions = Vec<(Name, Role)>;

impl Reader {
    /// Returns all links of a document. If they are those of the last one, they are the same object in memory.
    pub fn links(&mut self, document: &Document) -> Arc<BTreeSet<Link>> {
        let known = self.last.take().and_then(|(last, links)| {
            let changed = document.changed_since(&last)?;
            Some(self.updated(document, links, changed))
        });
        let links = known.unwrap_or_else(|| Arc::new(self.resolved(document)));
        self.last = Some((document.clone(), links.clone()));
        links
    }

    /// Replaces the links to records that have changed since the last call, whose names mean the same.
    fn updated(
        &mut self,
        document: &Document,
        mut links: Arc<BTreeSet<Link>>,
        changed: Vec<RecordRef>,
    ) -> Arc<BTreeSet<Link>> {
        for to in changed {
            let (Some(now), Some((read, known))) = (document.get(&to), self.read.get_mut(&to))
            else {
                continue;
            };
            let mentions = mentions(&now);
            let [before, after] = [&*known, &mentions].map(|mentions| {
                set_of(mentions.iter().filter_map(|(name, role)| {
                    Some(Link {
                        from: resolve(document, name, *role)?,
                        to: to.clone(),
                        role: *role,
                    })
                }))
            });
            if before != after {
                let links = Arc::make_mut(&mut links);
                links.retain(|link| link.to != to);
                links.extend(after);
            }
            (*read, *known) = (now, mentions);
        }
        links
    }

    /// Reads what it doesn't know, and resolves all names.
    fn resolved(&mut self, document: &Document) -> BTreeSet<Link> {
        let mut before = std::mem::take(&mut self.read);
        let mut links = BTreeSet::new();
        for kind in Kind::ALL
            .into_iter()
            .filter(|kind| !Role::of(*kind).is_empty())
        {
            for name in document.names(kind) {
                let to = RecordRef::new(kind, name.clone());
                let Some(record) = document.get(&to) else {
                    continue;
                };
                let mentions = match before.get_mut(&to) {
                    Some((old, mentions)) if old.is_same(&record) => std::mem::take(mentions),
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

/// Returns the record that a name means in a text of this role.
fn resolve(document: &Document, name: &Name, role: Role) -> Option<RecordRef> {
    let kinds = Kind::ALL.into_iter().filter(|kind| role.takes(*kind));
    let mut records = kinds.map(|kind| RecordRef::new(kind, name.clone()));
    records.find(|record| document.contains(record))
}

fn mentions(record: &Record) -> Mentions {
    let mut found = vec![];
    let view = record.view();
    for (field, _) in view.text_fields() {
        let text = view.text(&field).unwrap_or_default();
        let role = match field {
            Field::Formula | Field::Subgoal(_) | Field::Goal => Role::Formula,
            Field::Precondition(_) => Role::Precondition,
            Field::Integrity(_) => Role::Integrity,
            Field::Completion(_) => Role::Completion,
            Field::Claim(_) => Role::Claim,
            Field::Action => {
                found.extend(called(text).map(|name| (name, Role::Action)));
                continue;
            }
            _ => continue,
        };
        names_in(&parse_expr(text).value, &mut |name| {
            found.push((name.clone(), role));
        });
    }
    match record {
        Record::CompoundTask(task) => {
            let blocks = task.method.blocks.values();
            let called = blocks.flat_map(|block| called_tasks(block));
            found.extend(called.map(|name| (name, Role::Subtask)));
        }
        Record::Goal(goal) => {
            let tasks = goal.tasks.iter().filter_map(|call| called(call));
            found.extend(tasks.map(|name| (name, Role::Task)));
        }
        Record::Agent(agent) => found.extend(agents::mentions(agent)),
        _ => {}
    }
    found
}

/// Visits every name that could be a fact's or a condition's. The parser limits how deeply a text
/// nests.
fn names_in(expr: &Expr, visit: &mut impl FnMut(&Name)) {
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
        ExprKind::Aggregate(_, _, a, of) => {
            names_in(a, visit);
            if let Some(of) = of {
                names_in(of, visit);
            }
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

/// Returns `true` if adding this link would make a condition part of its own formula.
fn closes_cycle(links: &BTreeSet<Link>, link: &Link) -> bool {
    let formulas = links.iter().filter(|link| link.role == Role::Formula);
    let mut users: BTreeMap<&RecordRef, Vec<&RecordRef>> = BTreeMap::new();
    for formula in formulas {
        users.entry(&formula.from).or_default().push(&formula.to);
    }
    let mut reached = BTreeSet::from([&link.to]);
    let mut open = vec![&link.to];
    while let Some(condition) = open.pop() {
        for &next in users.get(condition).into_iter().flatten() {
            if reached.insert(next) {
                open.push(next);
            }
        }
    }
    reached.contains(&link.from)
}

/// Returns `true` if a link can be added: the record can meet the need, doesn't meet it already,
/// and no condition becomes part of its own formula. `without` is ignored.
pub fn is_possible(links: &BTreeSet<Link>, link: &Link, without: Option<&Link>) -> bool {
    let new = without == Some(link) || !links.contains(link);
    new && link.role.takes(link.from.kind)
        && Role::of(link.to.kind).contains(&link.role)
        && !(link.role == Role::Formula && closes_cycle(links, link))
}

/// Returns the first need of a kind of record that another kind can meet.
pub fn first_role(needing: Kind, offered: Kind) -> Option<Role> {
    let mut roles = Role::of(needing).iter();
    roles.find(|role| role.takes(offered)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn example() -> Document {
        let text = include_str!("../../../../public/examples/ball-in-the-box.taskloom.json");
        Document::from_json(text).unwrap()
    }

    #[test]
    fn records_connect_only_to_roles_they_can_fill() {
        let links = Reader::default().links(&example());
        let possible = |from: &str, role, to: &str| {
            let (from, to) = (from.parse().unwrap(), to.parse().unwrap());
            is_possible(&links, &Link { from, to, role }, None)
        };
        let task = "primitive:smash-box";
        assert!(possible("fact:box_open", Role::Completion, task));
        assert!(!possible("fact:box_open", Role::Action, task));
        assert!(!possible("fact:box_open", Role::Subtask, task));
        assert!(possible("action:OpenBox", Role::Action, task));
        let own = "condition:key_at";
        assert!(!possible(own, Role::Formula, own), "no formula in itself");
        let [from, to] = ["fact:item_at", own].map(|record| record.parse().unwrap());
        let link = Link {
            from,
            to,
            role: Role::Formula,
        };
        assert!(!is_possible(&links, &link, None), "no need is met twice");
        assert!(is_possible(&links, &link, Some(&link)));
    }

    #[test]
    fn wires_match_the_texts_of_the_example() {
        let document = example();
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
