//! The tasks of an actor or a crowd that override those of its agent, and its false beliefs.

use leptos::prelude::*;
use taskloom_document::{Document, Field, Kind, Name, Planning, Scenario};

use super::edited::Edited;
use super::example;
use super::texts::TextList;
use crate::page::Linked;
use crate::session::{LinkedText, Session};

/// Returns what an actor of an agent does if nothing overrides it, and where that is said:
/// `from agent guard: patrol`.
fn inherited(document: &Document, scenario: &Scenario, agent: &Name) -> LinkedText {
    let calls = |tasks: &[String]| tasks.join(", ");
    let goal = scenario.goal.trim();
    if !scenario.tasks.is_empty() {
        return format!("From this scenario: {}", calls(&scenario.tasks)).into();
    }
    if !goal.is_empty() {
        return format!("From this scenario, the goal: {goal}").into();
    }
    let from = LinkedText::from("From agent ").record(Kind::Agent, agent);
    match document.agents.get(agent).map(|agent| &agent.planning) {
        Some(Planning::Goals { goals, .. }) if !goals.is_empty() => {
            let goals = goals
                .iter()
                .map(|goal| LinkedText::default().record(Kind::Goal, goal));
            let word = if goals.len() == 1 { "goal" } else { "goals" };
            from.text(format!(", {word}: "))
                .then(LinkedText::joined(goals, ", "))
        }
        Some(planning) if !planning.tasks().is_empty() => {
            from.text(format!(": {}", calls(planning.tasks())))
        }
        _ => LinkedText::from("Agent ")
            .record(Kind::Agent, agent)
            .text(" has no tasks or goals, so it does nothing."),
    }
}

/// The tasks and goals of an actor: those of its agent, or the tasks that override them.
#[component]
pub fn OwnTasks(
    scenario: Edited<Scenario>,
    /// The name of their owner: `actor 2`.
    #[prop(into)]
    who: String,
    /// The agent.
    agent: Memo<Option<Name>>,
    /// The number of tasks that override the agent's.
    tasks: Memo<usize>,
    /// Returns the field of the n-th of them.
    field: fn(usize, usize) -> Field,
    /// The index of the actor.
    at: usize,
    /// Removes all of them.
    clear: Callback<()>,
) -> impl IntoView {
    let session = Session::expect();
    let data = session.open.follow::<Scenario>(scenario.name());
    let begun = RwSignal::new(false);
    let overrides = Memo::new(move |_| begun.get() || tasks.get() > 0);
    let from = Memo::new(move |_| {
        let document = session.document();
        data.with(|data| Some(inherited(&document, data.as_deref()?, &agent.get()?)))
    });
    let override_it = move |_| {
        begun.set(true);
        scenario.focus(field(at, 0));
    };
    let inherit = move |_| {
        begun.set(false);
        if tasks.get_untracked() > 0 {
            clear.run(());
        }
    };
    let example = StoredValue::new(example::task(&session.document_untracked()));
    let who = StoredValue::new(who);
    view! {
        <Show
            when=move || overrides.get()
            fallback=move || view! {
                <p class="inherited">
                    <span>{move || from.get().map(|text| view! { <Linked text/> })}</span>
                    <button class="fix" aria-label=format!("Override the tasks of {}", who.get_value())
                        title=format!("Give {} other tasks in this scenario", who.get_value()) on:click=override_it>"Override"</button>
                </p>
            }
        >
            <TextList record=scenario.record() title="Tasks" one="task" whose=format!(" of {}", who.get_value())
                field=move |task| field(at, task) count=tasks placeholder=example.get_value() ordered=true
                above=view! {
                    <p class="inherited">
                        <span>{move || from.get().map(|text| view! { "Overrides: " <s><Linked text/></s> })}</span>
                        <button class="fix" aria-label=format!("Remove the override of {}", who.get_value()) on:click=inherit>"Remove override"</button>
                    </p>
                }.into_any()/>
        </Show>
    }
}

/// The false beliefs of an actor.
#[component]
pub fn OwnBeliefs(
    scenario: Edited<Scenario>,
    /// The name of their owner: `actor 2`.
    #[prop(into)]
    who: String,
    /// The number of beliefs.
    beliefs: Memo<usize>,
    /// Returns the field of the n-th belief.
    #[prop(into)]
    field: Callback<usize, Field>,
    /// An example, shown in the empty row.
    example: String,
) -> impl IntoView {
    let summary = move || match beliefs.get() {
        0 => "False beliefs".to_owned(),
        beliefs => format!("False beliefs ({beliefs})"),
    };
    let open = beliefs.get_untracked() > 0;
    view! {
        <details open=open>
            <summary>{summary}</summary>
            <TextList record=scenario.record() title="False beliefs" one="belief" whose=format!(" of {who}")
                field count=beliefs placeholder=example/>
        </details>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_where_the_tasks_of_an_actor_come_from() {
        let text = r#"{ "taskloom": 4, "goals": { "fed": {}, "safe": {} },
            "agents": { "guard": { "planning": { "decomposition": { "tasks": ["patrol", "rest"] } } },
                "thief": { "planning": { "goals": { "goals": ["fed", "safe"] } } }, "cat": {} } }"#;
        let document = Document::from_json(text).unwrap();
        let from = |scenario: &Scenario, agent: &str| {
            inherited(&document, scenario, &agent.parse().unwrap()).to_string()
        };
        let mut scenario = Scenario::default();
        assert_eq!(from(&scenario, "guard"), "From agent guard: patrol, rest");
        assert_eq!(
            from(&scenario, "thief"),
            "From agent thief, goals: fed, safe"
        );
        let nothing = "Agent cat has no tasks or goals, so it does nothing.";
        assert_eq!(from(&scenario, "cat"), nothing);
        scenario.goal = "fed".into();
        assert_eq!(
            from(&scenario, "guard"),
            "From this scenario, the goal: fed"
        );
        scenario.tasks = vec!["sleep".into()];
        assert_eq!(from(&scenario, "guard"), "From this scenario: sleep");
    }
}
