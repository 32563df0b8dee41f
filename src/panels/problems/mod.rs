//! Everything that is wrong with the document.

use leptos::prelude::*;
use taskloom::document::diagnostic::{Diagnostic, Severity};

use crate::expression::FixButton;
use crate::session::Session;
use crate::ui::rows::Rows;

/// Rows that are drawn at most.
const MOST: usize = 300;

/// The diagnostics; a click goes to the place.
#[component]
pub fn Problems() -> impl IntoView {
    let session = Session::expect();
    view! {
        <div class="problems">
            {move || {
                let all = session.diagnostics.get();
                if all.is_empty() {
                    return view! { <p class="hint">"No problems."</p> }.into_any();
                }
                let mut sorted: Vec<Diagnostic> = all.iter().take(MOST).cloned().collect();
                sorted.sort_by_key(|d| d.severity);
                let keys = Rows::new();
                let rows = sorted.into_iter().enumerate();
                let rows = rows.map(|(at, finding)| view! { <Problem finding at rows=keys/> });
                view! {
                    <div role="list" aria-label="Problems" on:keydown=move |event| keys.key(&event)>
                        {rows.collect_view()}
                    </div>
                }
                    .into_any()
            }}
        </div>
    }
}

#[component]
fn Problem(finding: Diagnostic, at: usize, rows: Rows) -> impl IntoView {
    let session = Session::expect();
    let bad = finding.severity == Severity::Error;
    let record = &finding.place.record;
    let place = format!("{} {}", record.kind.label(), record.name);
    let target = finding.place.clone();
    let fix = finding.fixes.first().cloned();
    view! {
        <div class="problem" class:bad=bad role="listitem">
            <button
                class="bare go"
                data-row=""
                tabindex=move || rows.stop(at)
                on:focus=move |_| rows.reach(at)
                on:click=move |_| session.show(target.clone())
            >
                <span class="mark" aria-label=if bad { "error" } else { "warning" }>
                    {if bad { "●" } else { "▲" }}
                </span>
                <span class="text">{finding.message}</span>
                <span class="dim">{place}</span>
            </button>
            {fix.map(|fix| view! { <FixButton fix/> })}
        </div>
    }
}
