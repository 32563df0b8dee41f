//! The selector of the scenario to plan.

use leptos::prelude::*;
use taskloom_document::{Kind, Name, Record, RecordRef, Scenario};

use crate::kinds;
use crate::panels::results::Results;
use crate::session::{Part, Session};
use crate::ui::icon::{Icon, Lucide};

/// Adds a scenario and shows it.
pub fn new_scenario(session: Session) {
    session.add("scenario", Record::Scenario(Scenario::default().into()));
}

/// Shows the scenario being planned in the inspector.
pub fn edit_scenario(session: Session) {
    if let Some(name) = session.plan.scenario.get_untracked() {
        session.select(RecordRef::new(Kind::Scenario, name));
        session.desk.folding.open(Part::Inspector);
    }
}

/// Switches between scenarios, and shows the chosen one in the inspector.
#[component]
pub fn ScenarioSelect() -> impl IntoView {
    let session = Session::expect();
    let results = Results::expect();
    let names = session.open.names(Kind::Scenario);
    let label = move |name: &Name| {
        let record = RecordRef::new(Kind::Scenario, name.clone());
        let title = kinds::shown_name(&session.document(), &record);
        match results.of(name) {
            // An option has no place for an icon.
            Some(tested) if tested.has_failed() => format!("✗ {title}"),
            _ => title,
        }
    };
    let chosen = move || {
        session
            .plan
            .scenario
            .with(|s| s.as_ref().map(ToString::to_string).unwrap_or_default())
    };
    view! {
        <div class="scenario">
            <select
                aria-label="Scenario"
                title="Scenario to plan"
                on:change=move |event| {
                    session.choose_scenario(Name::new(&event_target_value(&event)).ok());
                }
            >
                {move || {
                    let names = names.get();
                    let none = names.is_empty().then(|| view! { <option value="">"no scenario"</option> });
                    let options = names
                        .into_iter()
                        .map(|name| {
                            let value = name.to_string();
                            let own = value.clone();
                            let selected = move || chosen() == own;
                            view! {
                                <option value=value prop:selected=selected>
                                    {move || label(&name)}
                                </option>
                            }
                        })
                        .collect_view();
                    view! { {none} {options} }
                }}
            </select>
            <button
                class="icon"
                aria-label="Edit"
                title="Edit the scenario in the inspector"
                disabled=move || session.plan.scenario.with(Option::is_none)
                on:click=move |_| edit_scenario(session)
            >
                <Icon name=Lucide::Pencil/>
            </button>
        </div>
    }
}
