//! The report on errors and warnings in files that were opened or written.

use leptos::prelude::*;

use crate::page::FileState;
use crate::session::{Session, shortened};
use crate::ui::icon::{Icon, Lucide};
use crate::ui::live::live;
use crate::ui::typed_key::TypedKey;
use crate::worker::{Finding, Findings};

/// The number of characters of a title that are shown.
const SHOWN_TITLE: usize = 80;

/// Shows the report over the canvas until it is dismissed.
#[component]
pub fn ReportSheet() -> impl IntoView {
    let files = FileState::expect();
    let session = Session::expect();
    // Otherwise the plan status next to it could be mistaken for that of the file.
    let open = move || match session.document().info.title.as_str() {
        "" => "Your previous document stays open.".to_owned(),
        title => format!("“{}” stays open.", shortened(title, SHOWN_TITLE)),
    };
    let dismiss = move || files.report.set(None);
    live(move || {
        files.report.get().map(|report| {
            let Findings { rows, more } = report.findings;
            view! {
                <section
                    class="report"
                    class:failed=report.failed
                    aria-label="Report"
                    on:keydown=move |event| {
                        if event.typed_key() == "Escape" {
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
                            <Icon name=Lucide::X size=14/>
                        </button>
                    </header>
                    {report.failed.then(|| view! { <p class="dim">{open}</p> })}
                    <ul tabindex="0" aria-label="Details">
                        {rows.into_iter().map(row).collect_view()}
                        {(more > 0).then(|| view! { <li class="dim">{format!("and {more} more")}</li> })}
                    </ul>
                </section>
            }
        })
    })
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
