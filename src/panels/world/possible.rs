//! The tasks that the shown character could do now, by its beliefs.

use leptos::prelude::*;
use taskloom_document::Name;
use taskloom_domain::Domain;
use taskloom_domain::world::Possible;
use taskloom_planner::plan::{GroundTask, World};

use super::states::Row;
use crate::page::Link;
use crate::session::{LinkTarget, Session};

/// The maximum number of argument combinations that are tried.
const MAX_TRIED: usize = 5_000;

/// The maximum number of tasks that are listed.
const MAX_LISTED: usize = 200;

/// A list that is computed only when it is opened.
#[component]
pub fn PossibleNow(rows: Memo<Vec<Row>>) -> impl IntoView {
    let session = Session::expect();
    let is_open = RwSignal::new(false);
    let list = move || {
        let (domain, rows) = (session.domain_untracked(), rows.get());
        let found = session.plan.answer.with(|answer| {
            let answer = answer.as_ref()?;
            possible(&domain, &answer.scenario, answer.character, &rows)
        });
        let found = found.unwrap_or_default();
        let left = found.tasks.len().saturating_sub(MAX_LISTED);
        let hint = match (found.tasks.len(), found.is_cut) {
            (0, false) => Some("No action is possible now.".to_owned()),
            (_, true) => Some("Too many object combinations to list.".to_owned()),
            _ => (left > 0).then(|| format!("{left} more not listed.")),
        };
        let row = |(task, cost): &(GroundTask, f64)| {
            let target = LinkTarget::Task(task.task.clone());
            view! { <li><Link target text=task.to_string()/><span class="dim">{format!("costs {cost}")}</span></li> }
        };
        let tasks = found.tasks.iter().take(MAX_LISTED).map(row).collect_view();
        view! {
            <ul>{tasks}</ul>
            {hint.map(|hint| view! { <p class="hint">{hint}</p> })}
        }
    };
    view! {
        <details class="possible" on:toggle=move |_| is_open.update(|open| *open = !*open)>
            <summary>"Possible actions"</summary>
            <Show when=move || is_open.get()>{list}</Show>
        </details>
    }
}

/// Returns the tasks that are possible for a character of a scenario in the world as it believes it
/// to be.
fn possible(domain: &Domain, scenario: &Name, character: usize, rows: &[Row]) -> Option<Possible> {
    let scene = domain.scene(scenario)?;
    let mut world = World::initial(domain, scene).played_by(scene.actor(character).clone());
    for row in rows {
        let believed = row.believed.as_ref().map(|belief| &belief.value);
        // A value that is listed is one that its fact can have.
        let _ = world.set(&row.atom, believed.unwrap_or(&row.after).clone());
    }
    Some(world.possible(MAX_TRIED))
}
