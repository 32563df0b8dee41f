//! The selector of the search strategy.

use leptos::prelude::*;
use taskloom_document::{Agent, Edit, Name, Planning, Policy, Record};
use taskloom_domain::Domain;
use taskloom_planner::plan::{Strategy, policy};

use crate::session::Session;
use crate::web::storage;

/// The strategies with their names and purposes.
pub const CHOICES: &[(Strategy, &str, &str)] = &[
    (
        Strategy::First,
        "First in your order",
        "The first plan in the order of your blocks and alternatives: the usual choice for games.",
    ),
    (
        Strategy::Cheapest,
        "Cheapest plan",
        "The plan with the lowest total cost. Shows the best so far until it is proven optimal.",
    ),
    (
        Strategy::Fastest,
        "Any plan (fastest)",
        "Whatever plan is found first, in no particular order: for large planning problems.",
    ),
];

const KEY: &str = "taskloom.search";

/// Selects the strategy. The document stores the choice if a scenario has agents that plan by
/// decomposition; otherwise the browser does, until another document opens.
#[component]
pub fn StrategySelect() -> impl IntoView {
    let session = Session::expect();
    let kept = storage::get(KEY);
    let kept = CHOICES.iter().find(|c| kept.as_deref() == Some(c.1));
    session.plan.set_strategy(kept.map(|choice| choice.0));
    Effect::new(move || {
        let requested = session.plan.strategy.get();
        let choice = CHOICES.iter().find(|c| requested == Some(c.0));
        match choice {
            Some((_, name, _)) => storage::set(KEY, name),
            None => storage::remove(KEY),
        }
    });
    // The document's strategy, if an agent in play sets one.
    let text = Memo::new(move |_| {
        let (domain, scenario) = (session.domain(), session.plan.scenario.get()?);
        let character = session.desk.character.get();
        let decides = deciding(&domain, &scenario, character).is_some();
        decides.then(|| Strategy::from(policy(&domain, &scenario, character)))
    });
    let chosen = Memo::new(move |_| {
        session
            .plan
            .strategy
            .get()
            .or_else(|| text.get())
            .unwrap_or_default()
    });
    let sentences = CHOICES.iter().map(|c| format!("{}: {}", c.1, c.2));
    let title = sentences.collect::<Vec<_>>().join("\n");
    view! {
        <select
            class="strategy"
            aria-label="Search strategy"
            title=format!("Search strategy\n{title}")
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
                    let text = move || match text.get() {
                        Some(text) if text == *strategy => format!("{name} (document setting)"),
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

/// Selects a strategy: in the document if the agent of the shown character sets one.
pub fn choose(session: Session, strategy: Strategy) {
    let policy = match strategy {
        Strategy::First => Policy::First,
        Strategy::Cheapest => Policy::Cheapest,
        Strategy::Fastest => return session.plan.set_strategy(Some(strategy)),
    };
    let domain = session.domain_untracked();
    let scenario = session.plan.scenario.get_untracked();
    let character = session.desk.character.get_untracked();
    let deciding = scenario.and_then(|scenario| deciding(&domain, &scenario, character));
    let Some((name, mut agent)) = deciding else {
        return session.plan.set_strategy(Some(strategy));
    };
    if let Planning::Decomposition { policy: own, .. } = &mut agent.planning {
        *own = policy;
    }
    let label = match policy {
        Policy::First => "Plan in the designer's order",
        Policy::Cheapest => "Plan for the lowest cost",
    };
    if session.commit(label, Edit::Replace(name, Record::Agent(agent.into()))) {
        session.plan.set_strategy(None);
    }
}

/// Returns the agent of a character, if it sets the strategy.
fn deciding(domain: &Domain, scenario: &Name, character: usize) -> Option<(Name, Agent)> {
    let member = domain.scene(scenario)?.record.cast.get(character)?;
    let (name, agent) = domain.document().agents.get_key_value(&member.agent)?;
    let decides = matches!(agent.planning, Planning::Decomposition { .. });
    decides.then(|| (name.clone(), Agent::clone(agent)))
}
