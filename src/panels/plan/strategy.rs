//! Which plan is looked for.

use leptos::prelude::*;
use taskloom::document::{Agent, Document, Edit, Name, Planning, Policy, Record};
use taskloom::planner::plan::{Strategy, policy};

use crate::session::Session;
use crate::web::storage;

/// The strategies, what they are called and what they are for.
const CHOICES: &[(Strategy, &str, &str)] = &[
    (
        Strategy::First,
        "First in your order",
        "The first plan in the order of your blocks and alternatives: what a game wants.",
    ),
    (
        Strategy::Cheapest,
        "Cheapest plan",
        "A plan of least total cost. The best so far is shown until it is proved that none is cheaper.",
    ),
    (
        Strategy::Any,
        "Any plan, soonest",
        "Whatever plan is found soonest, in no particular order: for large planning problems.",
    ),
];

const KEY: &str = "taskloom.search";

/// Chooses between them. The document keeps the choice where a scenario has agents
/// that plan by decomposition, and otherwise the browser, until another one opens.
#[component]
pub fn StrategySelect() -> impl IntoView {
    let session = Session::expect();
    let kept = storage::get(KEY);
    let kept = CHOICES.iter().find(|c| kept.as_deref() == Some(c.1));
    session.wish.set(kept.map(|choice| choice.0));
    Effect::new(move || {
        let wish = session.wish.get();
        let choice = CHOICES.iter().find(|c| wish == Some(c.0));
        match choice {
            Some((_, name, _)) => storage::set(KEY, name),
            None => storage::remove(KEY),
        }
    });
    // What the document says, where an agent in play says something.
    let said = Memo::new(move |_| {
        let (document, scenario) = (session.document(), session.scenario.get()?);
        let decides = !deciding(&document, &scenario).is_empty();
        decides.then(|| Strategy::from(policy(&document, &scenario, 0)))
    });
    let chosen = Memo::new(move |_| {
        session
            .wish
            .get()
            .or_else(|| said.get())
            .unwrap_or_default()
    });
    let sentences = CHOICES.iter().map(|c| format!("{}: {}", c.1, c.2));
    let title = sentences.collect::<Vec<_>>().join("\n");
    view! {
        <select
            class="strategy"
            aria-label="Search for"
            title=format!("Which plan is searched for\n{title}")
            on:change=move |event| {
                let name = event_target_value(&event);
                if let Some(choice) = CHOICES.iter().find(|c| c.1 == name) {
                    choose(session, choice.0);
                }
            }
        >
            {CHOICES
                .iter()
                .map(|(strategy, name, _)| {
                    let text = move || match said.get() {
                        Some(said) if said == *strategy => format!("{name}, as the document says"),
                        _ => (*name).to_owned(),
                    };
                    view! {
                        <option value=*name prop:selected=move || chosen.get() == *strategy>{text}</option>
                    }
                })
                .collect_view()}
        </select>
    }
}

/// Wants another kind of plan: of the document, where an agent in play says which.
pub fn choose(session: Session, strategy: Strategy) {
    let policy = match strategy {
        Strategy::First => Policy::First,
        Strategy::Cheapest => Policy::Cheapest,
        Strategy::Any => return session.wish.set(Some(strategy)),
    };
    let document = session.document_untracked();
    let scenario = session.scenario.get_untracked();
    let deciding = scenario
        .map(|scenario| deciding(&document, &scenario))
        .unwrap_or_default();
    if deciding.is_empty() {
        return session.wish.set(Some(strategy));
    }
    let edits = deciding.into_iter().map(|(name, mut agent)| {
        if let Planning::Decomposition { policy: own, .. } = &mut agent.planning {
            *own = policy;
        }
        Edit::Replace(name, Record::Agent(agent.into()))
    });
    let label = match policy {
        Policy::First => "Plan in the designer's order",
        Policy::Cheapest => "Plan for the least cost",
    };
    if session.commit(label, Edit::Batch(edits.collect())) {
        session.wish.set(None);
    }
}

/// The agents in play that say which plan is wanted.
fn deciding(document: &Document, scenario: &Name) -> Vec<(Name, Agent)> {
    let scenario = document.scenarios.get(scenario);
    let first = scenario.and_then(|scenario| scenario.cast.first());
    first
        .into_iter()
        .filter_map(|member| {
            let (name, agent) = document.agents.get_key_value(&member.agent)?;
            let decides = matches!(agent.planning, Planning::Decomposition { .. });
            decides.then(|| (name.clone(), Agent::clone(agent)))
        })
        .collect()
}
