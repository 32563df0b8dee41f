//! What is written on the cards.

use taskloom::document::{Document, Kind, Name, Param, RecordRef, ValueKind};
use taskloom::domain::needs::Role;

use crate::canvas::scene::Slot;
use crate::diagram::face::{CARD, Face, Look, Row};

fn signature(name: &Name, title: &str, params: &[Param]) -> String {
    if !title.is_empty() {
        return title.to_owned();
    }
    if params.is_empty() {
        return name.to_string();
    }
    let names: Vec<String> = params.iter().map(|p| format!("?{}", p.name)).collect();
    format!("{name}({})", names.join(", "))
}

/// How many there are of something, or that there is none.
fn count(count: usize, noun: &str, none: &str) -> String {
    match count {
        0 => none.to_owned(),
        1 => format!("1 {noun}"),
        count => format!("{count} {noun}s"),
    }
}

/// What is written on a record's card; none for kinds that have no card.
pub fn face(document: &Document, record: &RecordRef) -> Option<Face> {
    let name = &record.name;
    let look = Look::of_record(document, record)?;
    let face = |title: String, text: &str, aside: String, rows: Vec<(Role, String)>| {
        let row = |(role, text)| Row {
            port: Slot::Need(role),
            text,
        };
        Face {
            aside,
            rows: rows.into_iter().map(row).collect(),
            collapsed: document.layout.collapsed_cards.contains(record),
            ..Face::new(look, &CARD, &title, text.to_owned())
        }
    };
    let listed = |texts: &[String]| texts.join(", ");
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
            let rows = vec![
                (Role::Precondition, listed(&task.preconditions)),
                (Role::Integrity, listed(&task.integrity)),
                (Role::Completion, listed(&task.completion)),
                (Role::Action, task.action.clone()),
            ];
            let title = signature(name, &task.title, &task.params);
            face(title, "", cost, rows)
        }
        Kind::CompoundTask => {
            let task = document.compound_tasks.get(name)?;
            let rows = vec![
                (Role::Precondition, listed(&task.preconditions)),
                (Role::Integrity, listed(&task.integrity)),
                (Role::Subtask, String::new()),
            ];
            let title = signature(name, &task.title, &task.params);
            let blocks = count(task.method.blocks.len(), "block", "empty");
            face(title, "", blocks, rows)
        }
        Kind::Type | Kind::Object | Kind::Goal | Kind::Agent | Kind::Scenario => return None,
    })
}
