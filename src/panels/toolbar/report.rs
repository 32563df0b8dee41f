//! What is wrong or doubtful in files that were opened or written.

use leptos::prelude::*;

use super::FileState;
use crate::session::{Session, shortened};
use crate::worker::{Finding, Findings};

/// Characters of a title that are shown.
const SHOWN_TITLE: usize = 80;

/// What came of opening or writing files.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// What happened.
    pub title: String,
    /// Why, or what is doubtful.
    pub findings: Findings,
    /// Whether nothing came of it.
    pub failed: bool,
}

/// The report over the canvas. It stays until it is dismissed.
#[component]
pub fn ReportSheet() -> impl IntoView {
    let files = FileState::expect();
    let session = Session::expect();
    // Else the status beside it might be taken for that of the file.
    let open = move || match session.document().info.title.as_str() {
        "" => "The open document is the one before.".to_owned(),
        title => format!("“{}” stays open.", shortened(title, SHOWN_TITLE)),
    };
    let dismiss = move || files.report.set(None);
    move || {
        files.report.get().map(|report| {
            let Findings { rows, more } = report.findings;
            view! {
                <section
                    class="report"
                    class:failed=report.failed
                    aria-label="Report"
                    on:keydown=move |event| {
                        if event.key() == "Escape" {
                            event.stop_propagation();
                            dismiss();
                        }
                    }
                >
                    <header>
                        <div role="alert">
                            <h2>{report.title}</h2>
                        </div>
                        <button class="bare" aria-label="Dismiss" title="Dismiss" on:click=move |_| dismiss()>
                            "✕"
                        </button>
                    </header>
                    {report.failed.then(|| view! { <p class="dim">{open}</p> })}
                    <ul tabindex="0" aria-label="Findings">
                        {rows.into_iter().map(row).collect_view()}
                        {(more > 0).then(|| view! { <li class="dim">{format!("and {more} more")}</li> })}
                    </ul>
                </section>
            }
        })
    }
}

fn row(finding: Finding) -> impl IntoView {
    let Finding {
        place,
        message,
        snippet,
        caret,
    } = finding;
    let marked = format!("{snippet}\n{}▲", " ".repeat(caret));
    view! {
        <li>
            <code>{place}</code>
            <span>{message}</span>
            {(!snippet.is_empty()).then(|| view! { <pre>{marked}</pre> })}
        </li>
    }
}
