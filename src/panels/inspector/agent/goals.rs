//! The goals of an agent, highest priority first.

use std::sync::Arc;

use leptos::prelude::*;
use taskloom_document::sort::CompactSort;
use taskloom_document::{
    Agent, Document, Edit, Field, Goal, Kind, Name, Planning, Record, RecordRef,
};
use taskloom_domain::dependencies::goal_added;

use crate::expression::Messages;
use crate::panels::inspector::edited::Edited;
use crate::panels::inspector::fields::Adder;
use crate::panels::inspector::goal_value::CurrentValue;
use crate::panels::inspector::heading::Heading;
use crate::session::Session;
use crate::ui::icon::{Icon, Lucide};
use crate::ui::keyed::Keyed;
use crate::ui::sortable::{Grip, Sorting, shift};

/// A goal in the list.
#[derive(Debug, Clone, PartialEq)]
struct Listed {
    /// Its index in the agent's own list.
    at: usize,
    name: Name,
    /// `None` if there is no such goal.
    goal: Option<Arc<Goal>>,
}

/// Returns an agent's goals by priority; those that don't exist come last.
fn listed(document: &Document, goals: &[Name]) -> Vec<Listed> {
    let listed = goals.iter().enumerate().map(|(at, name)| Listed {
        at,
        name: name.clone(),
        goal: document.goals.get(name).cloned(),
    });
    let mut listed: Vec<Listed> = listed.collect();
    let rank = |listed: &Listed| listed.goal.as_ref().map(|goal| goal.priority);
    listed.compact_sort_by_key(|listed| std::cmp::Reverse(rank(listed)));
    listed
}

/// Returns priorities for goals in a new order: the numbers that they had, highest first, raised
/// where two would be equal.
fn priorities(had: &[i32]) -> Vec<i32> {
    let mut given = had.to_vec();
    given.compact_sort_by(|a, b| b.cmp(a));
    for at in (1..given.len()).rev() {
        given[at - 1] = given[at - 1].max(given[at].saturating_add(1));
    }
    given
}

/// Returns the edit that reorders goals: it changes their priorities and the agent's list.
fn moved(document: &Document, agent: &Name, from: usize, to: usize) -> Option<Edit> {
    let mut data = Agent::clone(document.agents.get(agent)?);
    let Planning::Goals { goals, .. } = &mut data.planning else {
        return None;
    };
    let mut order = listed(document, goals);
    shift(&mut order, from, to);
    *goals = order.iter().map(|listed| listed.name.clone()).collect();
    let known: Vec<&Listed> = order
        .iter()
        .filter(|listed| listed.goal.is_some())
        .collect();
    let had: Vec<i32> = known
        .iter()
        .flat_map(|l| &l.goal)
        .map(|goal| goal.priority)
        .collect();
    let mut edits = vec![Edit::Replace(agent.clone(), Record::Agent(data.into()))];
    for (listed, priority) in known.into_iter().zip(priorities(&had)) {
        edits.extend(raised(listed.goal.as_ref()?, &listed.name, priority));
    }
    Some(Edit::Batch(edits))
}

/// Returns the edit that gives a goal another priority; `None` if it already has that one.
fn raised(goal: &Goal, name: &Name, priority: i32) -> Option<Edit> {
    let changed = Goal {
        priority,
        ..goal.clone()
    };
    (goal.priority != priority).then(|| Edit::Replace(name.clone(), Record::Goal(changed.into())))
}

/// Shows the goals as rows.
#[component]
pub fn Goals(agent: Edited<Agent>) -> impl IntoView {
    let session = Session::expect();
    let names = agent.memo(|agent| match &agent.planning {
        Planning::Goals { goals, .. } => goals.clone(),
        _ => vec![],
    });
    let rows = Memo::new(move |_| names.with(|names| listed(&session.document(), names)));
    let count = Memo::new(move |_| rows.with(Vec::len));
    let sorting = Sorting::new(move |from, to| {
        let name = agent.name();
        if let Some(edit) = moved(&session.document_untracked(), &name, from, to) {
            session.commit(&format!("Move a goal of {name}"), edit);
        }
    });
    let all = session.open.names(Kind::Goal);
    let free = Memo::new(move |_| {
        let mut all = all.get();
        names.with(|names| all.retain(|name| !names.contains(name)));
        all
    });
    let add = Callback::new(move |goal: Name| {
        let (document, name) = (session.document_untracked(), agent.name());
        let data = document.goals.get(&goal);
        if let Some(edit) = data.and_then(|data| goal_added(&document, &name, &goal, data)) {
            session.commit(&format!("Add goal {goal} to {name}"), edit);
        }
    });
    let new = move |_| {
        let (document, name) = (session.document_untracked(), agent.name());
        let goal = document.fresh_name(Kind::Goal, "goal");
        let data = Goal {
            priority: 1,
            ..Goal::default()
        };
        let first = Edit::Add(goal.clone(), Record::Goal(data.clone().into()));
        let Some(then) = goal_added(&document, &name, &goal, &data) else {
            return;
        };
        if session.commit(
            &format!("Add a goal to {name}"),
            Edit::Batch(vec![first, then]),
        ) {
            let record = RecordRef::new(Kind::Goal, goal);
            session.select(record.clone());
            session.desk.begin_renaming(record);
        }
    };
    view! {
        <section class="section" aria-label="Goals">
            <Heading title="Goals">
                <button class="bare add" aria-label="New goal" title="A new goal of this agent" on:click=new><Icon name=Lucide::Plus size=14/></button>
            </Heading>
            <Show when=move || count.get() == 0>
                <p class="hint">"No goals yet, so the agent plans nothing."</p>
            </Show>
            <Keyed each=move || 0..count.get() key=|at| *at children=move |at| view! { <Row agent rows at count sorting/> }/>
            <Adder one="goal" names=free add/>
        </section>
    }
}

#[component]
fn Row(
    agent: Edited<Agent>,
    rows: Memo<Vec<Listed>>,
    at: usize,
    count: Memo<usize>,
    sorting: Sorting,
) -> impl IntoView {
    let session = Session::expect();
    let row = Memo::new(move |_| rows.with(|rows| rows.get(at).cloned()));
    let name = move || {
        row.get()
            .map(|row| row.name.to_string())
            .unwrap_or_default()
    };
    let priority = move || row.get()?.goal.map(|goal| goal.priority.to_string());
    let condition = move || match row.get()?.goal {
        Some(goal) if goal.condition.trim().is_empty() => Some("no condition yet".to_owned()),
        Some(goal) => Some(goal.condition.clone()),
        None => Some("unknown goal".to_owned()),
    };
    let open = move |_| {
        if let Some(row) = row.get_untracked().filter(|row| row.goal.is_some()) {
            session.select(RecordRef::new(Kind::Goal, row.name));
        }
    };
    let remove = move |_| {
        if let Some(row) = row.get_untracked() {
            agent.change("Remove a goal of", |agent| {
                if let Planning::Goals { goals, .. } = &mut agent.planning
                    && row.at < goals.len()
                {
                    goals.remove(row.at);
                }
            });
        }
    };
    let findings = session.open.findings(move |place| {
        let own = row.with(|row| row.as_ref().map(|row| Field::AgentGoal(row.at)));
        place.record == agent.record() && own.as_ref() == Some(&place.field)
    });
    view! {
        <div class="boxed" data-sorted="" data-drag=move || sorting.state(at)>
            <div class="row">
                <Grip sorting at count one="goal"/>
                <span class="badge" title="Priority. Drag the row, or edit it in the goal's inspector.">{priority}</span>
                <button class="link fixed" title="Show this goal" on:click=open>{name}</button>
                <button class="bare remove" aria-label=move || format!("Remove goal {}", name()) on:click=remove><Icon name=Lucide::X size=14/></button>
            </div>
            <p class="said code" title=condition>{condition}</p>
            <CurrentValue goal=Signal::derive(move || row.get().map(|row| row.name))/>
            <Messages findings/>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document() -> Document {
        let text = r#"{ "taskloom": 4,
            "goals": { "fed": { "priority": 3 }, "safe": { "priority": 7 }, "rich": { "priority": 1 },
                "warm": { "priority": 7 } },
            "agents": { "guard": { "planning": { "goals": { "goals": ["fed", "gone", "rich", "safe"] } } } } }"#;
        Document::from_json(text).unwrap()
    }

    /// `safe 7, fed 3, rich 1, gone`
    fn order(document: &Document) -> String {
        let Planning::Goals { goals, .. } = &document.agents[&guard()].planning else {
            return String::new();
        };
        let row = |row: &Listed| match &row.goal {
            Some(goal) => format!("{} {}", row.name, goal.priority),
            None => row.name.to_string(),
        };
        let rows = listed(document, goals);
        rows.iter().map(row).collect::<Vec<_>>().join(", ")
    }

    fn guard() -> Name {
        "guard".parse().unwrap()
    }

    #[test]
    fn moved_goals_take_the_priorities_of_their_new_positions() {
        let document = document();
        assert_eq!(order(&document), "safe 7, fed 3, rich 1, gone");
        let after = |from, to| {
            let edit = moved(&document, &guard(), from, to).unwrap();
            order(&document.apply(&edit).unwrap())
        };
        assert_eq!(after(2, 0), "rich 7, safe 3, fed 1, gone");
        assert_eq!(after(0, 1), "fed 7, safe 3, rich 1, gone");
        assert_eq!(
            after(3, 0),
            "safe 7, fed 3, rich 1, gone",
            "what is not there has no priority"
        );
        assert_eq!(priorities(&[2, 2, 2]), [4, 3, 2]);
        assert_eq!(priorities(&[0, 9]), [9, 0]);
    }

    #[test]
    fn detects_added_goals() {
        let document = document();
        let with = |name: &str| {
            let name: Name = name.parse().unwrap();
            let edit = goal_added(&document, &guard(), &name, &document.goals[&name]).unwrap();
            order(&document.apply(&edit).unwrap())
        };
        assert_eq!(with("warm"), "warm 8, safe 7, fed 3, rich 1, gone");
    }
}
