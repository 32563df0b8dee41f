//! The faces of cards.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use taskloom::document::syntax::ast::Reference;
use taskloom::document::syntax::print_reference;
use taskloom::document::{
    Agent, Document, Flowchart, Kind, Name, Param, Planning, Policy, RecordRef, ValueKind,
};
use taskloom::domain::calls::called_task;
use taskloom::domain::dependencies::{Role, roles_of};

use crate::canvas::scene::Slot;
use crate::diagram::face::{CARD, Face, Look, Row};

fn signature(name: &Name, title: &str, params: &[Param]) -> String {
    if !title.is_empty() {
        return title.to_owned();
    }
    print_reference(&Reference::to_params(name, params))
}

/// Formats a count, or returns `none` for 0.
fn count(count: usize, noun: &str, none: &str) -> String {
    match count {
        0 => none.to_owned(),
        1 => format!("1 {noun}"),
        count => format!("{count} {noun}s"),
    }
}

/// Returns an agent's list for one need, goals by priority; if it is empty, returns what that
/// means.
fn listed_by(document: &Document, agent: &Agent, role: Role) -> String {
    let names: Vec<String> = match (role, &agent.planning) {
        (Role::Task, planning) => planning.tasks().to_vec(),
        (Role::Goal, Planning::Goals { goals, .. }) => {
            let mut goals: Vec<&Name> = goals.iter().collect();
            let priority = |name: &Name| document.goals.get(name).map(|goal| goal.priority);
            goals.sort_by_key(|name| Reverse(priority(name)));
            goals.into_iter().map(ToString::to_string).collect()
        }
        (Role::Repertoire, _) => agent.uses.iter().map(ToString::to_string).collect(),
        (Role::Sense, _) => {
            let senses = agent.senses.iter().map(|sense| &sense.fact);
            let facts: BTreeSet<&Name> = senses.collect();
            facts.into_iter().map(ToString::to_string).collect()
        }
        _ => vec![],
    };
    match role {
        Role::Repertoire if names.is_empty() => "all tasks".to_owned(),
        Role::Sense if names.is_empty() => "all sensors".to_owned(),
        _ => names.join(", "),
    }
}

/// Returns the tasks that a method's blocks call.
fn subtasks(method: &Flowchart) -> String {
    let called = method
        .blocks
        .values()
        .filter_map(|block| called_task(block));
    let called: BTreeSet<String> = called.map(|name| name.to_string()).collect();
    Vec::from_iter(called).join(", ")
}

/// Returns the face of a record's card; `None` for kinds without cards.
pub fn face(document: &Document, record: &RecordRef) -> Option<Face> {
    let name = &record.name;
    let look = Look::of_record(document, record)?;
    let face = |title: String, text: &str, aside: String, rows: Vec<(Slot, String)>| {
        let (rows, unmet): (Vec<_>, Vec<_>) =
            rows.into_iter().partition(|(_, text)| !text.is_empty());
        Face {
            aside,
            rows: rows
                .into_iter()
                .map(|(port, text)| Row { port, text })
                .collect(),
            // A record that changes nothing has no port for that.
            unmet: unmet
                .into_iter()
                .map(|(port, _)| port)
                .filter(|port| *port != Slot::Changes)
                .collect(),
            collapsed: document.layout.collapsed_cards.contains(record),
            ..Face::new(look, &CARD, &title, text.to_owned())
        }
    };
    let listed = |texts: &[String]| {
        let texts = texts.iter().map(|text| text.trim());
        Vec::from_iter(texts.filter(|text| !text.is_empty())).join(", ")
    };
    Some(match record.kind {
        Kind::Fact => {
            let fact = document.facts.get(name)?;
            let values = match &fact.value {
                ValueKind::Boolean => String::new(),
                ValueKind::Number { .. } => "number".to_owned(),
                ValueKind::Object(of) => of.to_string(),
            };
            let title = signature(name, &fact.title, &fact.params);
            face(title, "", values, vec![])
        }
        Kind::Condition => {
            let condition = document.conditions.get(name)?;
            let title = signature(name, &condition.title, &condition.params);
            face(title, &condition.formula, String::new(), vec![])
        }
        Kind::Action => {
            let action = document.actions.get(name)?;
            let ticks = match action.duration.trim() {
                "" => "0 ticks".to_owned(),
                "1" => "1 tick".to_owned(),
                ticks => format!("{ticks} ticks"),
            };
            let ticks = match action.executor.trim() {
                "" => ticks,
                executor => format!("{executor}, {ticks}"),
            };
            let title = signature(name, &action.title, &action.params);
            face(title, "", ticks, vec![])
        }
        Kind::PrimitiveTask => {
            let task = document.primitive_tasks.get(name)?;
            let cost = match task.cost.as_str() {
                "" => String::new(),
                cost => format!("cost {cost}"),
            };
            let effects = task.effects.iter().map(|effect| effect.text.trim());
            let effects = effects.filter(|text| !text.is_empty());
            let rows = vec![
                (Slot::Need(Role::Precondition), listed(&task.preconditions)),
                (Slot::Need(Role::Integrity), listed(&task.integrity)),
                (Slot::Need(Role::Completion), listed(&task.completion)),
                (Slot::Changes, Vec::from_iter(effects).join(", ")),
                (Slot::Need(Role::Action), task.action.trim().to_owned()),
            ];
            let title = signature(name, &task.title, &task.params);
            face(title, "", cost, rows)
        }
        Kind::CompoundTask => {
            let task = document.compound_tasks.get(name)?;
            let rows = vec![
                (Slot::Need(Role::Precondition), listed(&task.preconditions)),
                (Slot::Need(Role::Integrity), listed(&task.integrity)),
                (Slot::Need(Role::Subtask), subtasks(&task.method)),
            ];
            let title = signature(name, &task.title, &task.params);
            let blocks = count(task.method.blocks.len(), "block", "empty");
            face(title, "", blocks, rows)
        }
        Kind::Agent => {
            let agent = document.agents.get(name)?;
            let rows = roles_of(agent).into_iter();
            let rows = rows.map(|role| (Slot::Need(role), listed_by(document, agent, role)));
            let planning = match &agent.planning {
                Planning::Decomposition { policy, .. } => match policy {
                    Policy::First => "first plan",
                    Policy::Cheapest => "cheapest",
                },
                Planning::Reactive { .. } => "reactive",
                Planning::Goals { .. } => "goals",
            };
            let title = signature(name, &agent.title, &[]);
            face(title, "", planning.to_owned(), rows.collect())
        }
        Kind::Goal => {
            let goal = document.goals.get(name)?;
            let title = signature(name, &goal.title, &[]);
            let priority = format!("prio {}", goal.priority);
            face(title, &goal.condition, priority, vec![])
        }
        Kind::Type | Kind::Object | Kind::Scenario => return None,
    })
}
