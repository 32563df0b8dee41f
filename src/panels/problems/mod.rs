//! All problems of the document.

use leptos::prelude::*;
use taskloom_document::Name;
use taskloom_document::diagnostic::{Diagnostic, Severity};
use taskloom_document::sort::CompactSort;

use super::results::{Outcome, Results, summary};
use crate::expression::FixButton;
use crate::session::{LinkTarget, Session};
use crate::ui::icon::{Icon, Lucide};
use crate::ui::rows::Rows;

/// The maximum number of rows that are drawn.
const MOST: usize = 300;

/// An expectation that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Failure {
    scenario: Name,
    at: usize,
    why: String,
    is_stale: bool,
}

/// Returns the failed expectations of all scenarios that were checked. Tracked.
fn failures(results: Results) -> Vec<Failure> {
    let failed = results.all().into_iter().map(|(scenario, tested)| {
        let Outcome::Failed(failures) = tested.outcome else {
            return vec![];
        };
        let failure = |(at, why)| Failure {
            scenario: scenario.clone(),
            at,
            why,
            is_stale: tested.is_stale,
        };
        failures.into_iter().map(failure).collect()
    });
    failed.flatten().collect()
}

/// Returns the number of problems, and whether there are errors or failed expectations. Tracked.
pub fn count(session: Session, results: Results) -> (usize, bool) {
    let failed = failures(results).len();
    let is_error = |d: &Diagnostic| d.severity == Severity::Error;
    session.open.diagnostics.with(|all| {
        let bad = failed > 0 || all.iter().any(is_error);
        (all.len() + failed, bad)
    })
}

/// The failed expectations and the diagnostics; a click goes to the place.
#[component]
pub fn Problems() -> impl IntoView {
    let session = Session::expect();
    let results = Results::expect();
    let failed = Memo::new(move |_| failures(results));
    view! {
        <div class="problems">
            <Scenarios/>
            {move || {
                let all = session.open.diagnostics.get();
                let failed = failed.get();
                if all.is_empty() && failed.is_empty() {
                    return view! { <p class="hint">"No problems."</p> }.into_any();
                }
                let mut sorted: Vec<Diagnostic> = all.iter().take(MOST).cloned().collect();
                sorted.compact_sort_by_key(|d| d.severity);
                let keys = Rows::new();
                let first = failed.len().min(MOST);
                let failed = failed.into_iter().take(MOST).enumerate();
                let failed = failed.map(|(at, failure)| view! { <FailedExpectation failure at rows=keys/> });
                let failed = failed.collect_view();
                let rows = sorted.into_iter().enumerate();
                let rows = rows.map(|(at, finding)| view! { <Problem finding at=first + at rows=keys/> });
                view! {
                    <div role="list" aria-label="Problems" on:keydown=move |event| keys.key(&event)>
                        {failed}
                        {rows.collect_view()}
                    </div>
                }
                    .into_any()
            }}
        </div>
    }
}

/// The results of the scenarios as tests, and the button that checks all of them.
#[component]
fn Scenarios() -> impl IntoView {
    let session = Session::expect();
    let results = Results::expect();
    let text = Memo::new(move |_| summary(&results.all()));
    let label = move || match results.is_checking.get() {
        true => "Checking…",
        false => "Check all scenarios",
    };
    view! {
        <Show when=move || text.with(|text| !text.is_empty())>
            <p class="scenario-results" role="status" aria-label="Scenarios">
                <span>{move || format!("Scenarios: {}.", text.get())}</span>
                <button disabled=move || results.is_checking.get() on:click=move |_| results.check_all(session)>
                    {label}
                </button>
            </p>
        </Show>
    }
}

#[component]
fn FailedExpectation(failure: Failure, at: usize, rows: Rows) -> impl IntoView {
    let session = Session::expect();
    let number = failure.at;
    let target = LinkTarget::Expectation(failure.scenario.clone(), number);
    let when = if failure.is_stale {
        " (before the last change)"
    } else {
        ""
    };
    view! {
        <div class="problem bad failed" class:stale=failure.is_stale role="listitem">
            <button
                class="bare go"
                data-row=""
                tabindex=move || rows.stop(at)
                on:focus=move |_| rows.reach(at)
                on:click=move |_| session.visit(target.clone())
            >
                <span class="mark" role="img" aria-label="failed expectation"><Icon name=Lucide::ListChecks/></span>
                <span class="text">{format!("Expectation {} fails: {}{when}", number + 1, failure.why)}</span>
                <span class="dim">{format!("scenario {}", failure.scenario)}</span>
            </button>
        </div>
    }
}

#[component]
fn Problem(finding: Diagnostic, at: usize, rows: Rows) -> impl IntoView {
    let session = Session::expect();
    let bad = finding.severity == Severity::Error;
    let record = &finding.place.record;
    let place = format!("{} {}", record.kind.label(), record.name);
    let target = LinkTarget::Place(finding.place.clone());
    let fix = finding.fixes.first().cloned();
    view! {
        <div class="problem" class:bad=bad role="listitem">
            <button
                class="bare go"
                data-row=""
                tabindex=move || rows.stop(at)
                on:focus=move |_| rows.reach(at)
                on:click=move |_| session.visit(target.clone())
            >
                <span class="mark" role="img" aria-label=if bad { "error" } else { "warning" }>
                    <Icon name=if bad { Lucide::CircleX } else { Lucide::TriangleAlert }/>
                </span>
                <span class="text">{finding.message}</span>
                <span class="dim">{place}</span>
            </button>
            {fix.map(|fix| view! { <FixButton fix/> })}
        </div>
    }
}
