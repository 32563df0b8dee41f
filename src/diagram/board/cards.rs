//! The faces of cards.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use taskloom_document::sort::{CompactSort, set_of};
use taskloom_document::syntax::ast::Reference;
use taskloom_document::syntax::print_reference;
use taskloom_document::{
    Action, Agent, Document, Flowchart, Name, Param, Planning, Policy, PrimitiveTask, RecordRef,
    RecordView, ValueKind,
};
use taskloom_domain::calls::called_tasks;
use taskloom_domain::dependencies::{Role, roles_of};

use crate::canvas::scene::Slot;
use crate::diagram::face::{CARD, Face, Look, Row};
use crate::diagram::text::ticks;

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
            goals.compact_sort_by_key(|name| Reverse(priority(name)));
            goals.into_iter().map(ToString::to_string).collect()
        }
        (Role::Repertoire, _) => agent.uses.iter().map(ToString::to_string).collect(),
        (Role::Sense, _) => {
            let senses = agent.senses.iter().map(|sense| &sense.fact);
            let facts: BTreeSet<&Name> = set_of(senses);
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
    let called = method.blocks.values().flat_map(|block| called_tasks(block));
    let called: BTreeSet<String> = set_of(called.map(|name| name.to_string()));
    Vec::from_iter(called).join(", ")
}

/// Returns the face of a record's card; `None` for kinds without cards.
pub fn face(document: &Document, record: &RecordRef) -> Option<Face> {
    let look = Look::of_card(document, record)?;
    let words = words(document, &record.name, document.view(record)?)?;
    let (rows, unmet): (Vec<_>, Vec<_>) = words
        .rows
        .into_iter()
        .partition(|(_, text)| !text.is_empty());
    let rows = rows.into_iter().map(|(port, text)| Row { port, text });
    let unmet = unmet.into_iter().map(|(port, _)| port);
    let mut face = Face::new(look, &CARD, &words.title, words.text);
    if !words.note.is_empty() {
        face = face.with_fallback(words.note);
    }
    Some(Face {
        aside: words.aside,
        rows: rows.collect(),
        // A wire can't be drawn to these, so without a text they have no port.
        unmet: unmet
            .filter(|port| {
                !matches!(
                    port,
                    Slot::Changes | Slot::Need(Role::Claim | Role::Formula)
                )
            })
            .collect(),
        collapsed: document.layout.collapsed_cards.contains(record),
        ..face
    })
}

/// The words on a card.
#[derive(Default)]
struct Words {
    title: String,
    text: String,
    /// A description in words, shown if there is no text.
    note: String,
    aside: String,
    /// The rows, each with its port; those without text are ports only.
    rows: Vec<(Slot, String)>,
}

fn words(document: &Document, name: &Name, view: RecordView) -> Option<Words> {
    Some(match view {
        RecordView::Fact(fact) => Words {
            title: signature(name, &fact.title, &fact.params),
            aside: match &fact.value {
                ValueKind::Boolean => String::new(),
                ValueKind::Number { .. } => "number".to_owned(),
                ValueKind::Object(of) => of.to_string(),
            },
            ..Words::default()
        },
        RecordView::Condition(condition) => Words {
            title: signature(name, &condition.title, &condition.params),
            text: condition.formula.clone(),
            ..Words::default()
        },
        RecordView::Action(action) => Words {
            title: signature(name, &action.title, &action.params),
            aside: time_and_executor(action),
            ..Words::default()
        },
        RecordView::PrimitiveTask(task) => Words {
            title: signature(name, &task.title, &task.params),
            aside: match task.cost.as_str() {
                "" => String::new(),
                cost => format!("cost {cost}"),
            },
            note: interruption(task.uninterruptible, task.cooldown),
            rows: primitive_rows(task),
            ..Words::default()
        },
        RecordView::CompoundTask(task) => Words {
            title: signature(name, &task.title, &task.params),
            note: interruption(false, task.cooldown),
            aside: match task.goal.trim() {
                "" => count(task.method.blocks.len(), "block", "empty"),
                _ => count(task.method.blocks.len(), "block", ""),
            },
            rows: vec![
                (Slot::Need(Role::Precondition), listed(&task.preconditions)),
                (Slot::Need(Role::Formula), task.goal.trim().to_owned()),
                (Slot::Need(Role::Integrity), listed(&task.integrity)),
                (Slot::Need(Role::Subtask), subtasks(&task.method)),
            ],
            ..Words::default()
        },
        RecordView::Agent(agent) => agent_words(document, name, agent),
        RecordView::Goal(goal) => Words {
            title: signature(name, &goal.title, &[]),
            text: goal.condition.clone(),
            aside: match goal.cooldown {
                0 => format!("prio {}", goal.priority),
                ticks => format!("prio {}, cooldown {ticks}", goal.priority),
            },
            rows: vec![(Slot::Need(Role::Task), listed(&goal.tasks))],
            ..Words::default()
        },
        RecordView::Type(_) | RecordView::Object(_) | RecordView::Scenario(_) => return None,
    })
}

/// Formats the time that an action takes, and its executor.
fn time_and_executor(action: &Action) -> String {
    let ticks = ticks(&action.duration);
    match action.executor.trim() {
        "" => ticks,
        executor => format!("{executor}, {ticks}"),
    }
}

/// Describes when a task can't be interrupted, and for how long it isn't repeated.
fn interruption(uninterruptible: bool, cooldown: u32) -> String {
    let cooldown = (cooldown > 0).then(|| format!("cooldown {cooldown}"));
    let uninterruptible = uninterruptible.then(|| "uninterruptible".to_owned());
    Vec::from_iter(uninterruptible.into_iter().chain(cooldown)).join(", ")
}

/// Lists the texts that aren't empty.
fn listed(texts: &[String]) -> String {
    let texts = texts.iter().map(|text| text.trim());
    Vec::from_iter(texts.filter(|text| !text.is_empty())).join(", ")
}

fn primitive_rows(task: &PrimitiveTask) -> Vec<(Slot, String)> {
    let effects = task.effects.iter().map(|effect| effect.text.clone());
    vec![
        (Slot::Need(Role::Precondition), listed(&task.preconditions)),
        (Slot::Need(Role::Integrity), listed(&task.integrity)),
        (Slot::Need(Role::Completion), listed(&task.completion)),
        (Slot::Need(Role::Claim), listed(&task.claims)),
        (Slot::Changes, listed(&Vec::from_iter(effects))),
        (Slot::Need(Role::Action), task.action.trim().to_owned()),
    ]
}

fn agent_words(document: &Document, name: &Name, agent: &Agent) -> Words {
    let planning = match &agent.planning {
        Planning::Decomposition { policy, .. } => match policy {
            Policy::First => "first plan",
            Policy::Cheapest => "cheapest",
        },
        Planning::Reactive { .. } => "reactive",
        Planning::Goals { .. } => "goals",
    };
    let rows = roles_of(agent).into_iter();
    let rows = rows.map(|role| (Slot::Need(role), listed_by(document, agent, role)));
    Words {
        title: signature(name, &agent.title, &[]),
        aside: planning.to_owned(),
        rows: rows.collect(),
        ..Words::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_and_goals_show_all_their_options() {
        let document = Document::from_json(
            r#"{ "taskloom": 4,
                "facts": { "tool_of": { "params": ["?who: object"], "value": { "object": "object" } } },
                "primitive_tasks": {
                    "rest": {},
                    "work": { "cost": "2", "uninterruptible": true, "cooldown": 20,
                        "claims": ["tool_of(?me)", "?me"], "effects": [{ "text": "not tired" }] } },
                "compound_tasks": { "day": { "cooldown": 5 } },
                "goals": { "done": { "condition": "true", "priority": 3, "cooldown": 7, "tasks": ["work", "day"] } } }"#,
        )
        .unwrap();
        let shown = |record: &str| {
            let face = face(&document, &record.parse().unwrap()).unwrap();
            let rows = face
                .rows
                .iter()
                .map(|row| format!("{}: {}", row.port.key(), row.text));
            let texts = [face.title, face.aside]
                .into_iter()
                .chain(face.lines)
                .chain(rows);
            Vec::from_iter(texts.filter(|text| !text.is_empty())).join(" | ")
        };
        assert_eq!(shown("primitive:rest"), "rest");
        assert_eq!(
            shown("primitive:work"),
            "work | cost 2 | uninterruptible, cooldown 20 | claims: tool_of(?me), ?me | effects: not tired"
        );
        assert_eq!(shown("compound:day"), "day | empty | cooldown 5");
        assert_eq!(
            shown("goal:done"),
            "done | prio 3, cooldown 7 | true | task: work, day"
        );
    }
}
