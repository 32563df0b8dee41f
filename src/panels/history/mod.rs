//! The history of the open document, and its restore points.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::documents::when;
use crate::session::Session;
use crate::session::library::Version;
use crate::ui::more::{More, ROWS};

/// The steps, newest first, and the restore points.
#[component]
pub fn HistoryList() -> impl IntoView {
    let session = Session::expect();
    let steps = Memo::new(move |_| session.open.steps());
    let shown = RwSignal::new(ROWS);
    let rows = move || {
        let (labels, at) = steps.get();
        let numbered: Vec<(usize, String)> = labels.into_iter().enumerate().collect();
        let newest = numbered.into_iter().rev().take(shown.get());
        newest
            .map(|(position, label)| {
                let class = if position > at { "past-step future" } else { "past-step" };
                let current = (position == at).then_some("step");
                view! {
                    <li>
                        <button class=class aria-current=current on:click=move |_| session.go_to(position)>{label}</button>
                    </li>
                }
            })
            .collect_view()
    };
    let count = Signal::derive(move || steps.with(|(labels, _)| labels.len()));
    view! {
        <div class="drawer-body">
            <p class="hint">"Click a step to go there. Steps after it stay until the next edit."</p>
            <ol class="past" aria-label="Steps">{rows}</ol>
            <More shown all=count/>
            <RestorePoints/>
        </div>
    }
}

#[component]
fn RestorePoints() -> impl IntoView {
    let session = Session::expect();
    let versions = RwSignal::new(vec![]);
    let refresh = move || {
        spawn_local(async move {
            if let Ok(points) = session.versions().await {
                versions.try_set(points);
            }
        });
    };
    Effect::new(move || {
        session.storage.saved.track();
        refresh();
    });
    let keep = move |_| {
        spawn_local(async move {
            if let Err(reason) = session.keep_restore_point("created manually").await {
                session.complain(format!("Couldn't create a restore point: {reason}"));
            }
            refresh();
        });
    };
    let rows = move || {
        let newest = versions.get().into_iter().rev();
        newest
            .map(|version: Version| {
                let time = when(version.time);
                let label = format!("Restore the document from {time}");
                let note = version.label.clone();
                let restore = move |_| restore(session, version.clone());
                view! {
                    <li class="kept">
                        <span class="kept-title">{time}</span>
                        <div class="kept-foot">
                            <span class="dim">{note}</span>
                            <button class="bare" aria-label=label on:click=restore>"Restore"</button>
                        </div>
                    </li>
                }
            })
            .collect_view()
    };
    view! {
        <h3>"Restore points"<button class="bare" on:click=keep>"Create now"</button></h3>
        <p class="hint">"Created while you work, and before another document is opened. You can undo a restore."</p>
        <ul class="kept-list" aria-label="Restore points">{rows}</ul>
    }
}

fn restore(session: Session, version: Version) {
    spawn_local(async move {
        let label = format!("Restore the document from {}", when(version.time));
        if let Err(reason) = session.restore(&version, &label).await {
            session.complain(reason);
        }
    });
}
