//! The toolbar: file, history, plan, scenario, export, theme.

mod report;
mod scenario;
mod status;
mod theme;
mod view_switch;

use leptos::prelude::*;

use crate::diagram::picture;
use crate::page::{FileState, LONGEST_TITLE, Page, shown};
use crate::session::autosave::Saved;
use crate::session::{Drawer, Session};
use crate::ui::menu::{Menu, MenuItem, MenuNote};
use crate::worker::Format;
use report::ReportSheet;
use scenario::ScenarioSelect;
pub use scenario::new_scenario;
use status::PlanStatus;
use theme::ThemeSwitch;
use view_switch::ViewSwitch;

/// The bar at the top of the page.
#[component]
pub fn Toolbar() -> impl IntoView {
    let session = Session::expect();
    let page = Page::expect();
    let title = Memo::new(move |_| session.document().info.title.clone());
    view! {
        <header class="toolbar">
            <h1 class="brand">"Taskloom"</h1>
            <input
                class="doc-title"
                aria-label="Title of the document"
                placeholder="Untitled"
                maxlength=LONGEST_TITLE.to_string()
                title=move || title.get()
                prop:value=move || title.get()
                on:input=move |event| session.set_title(&event_target_value(&event))
                on:blur=move |_| session.open.seal()
            />
            <SavedState/>
            <FileMenu/>
            <div class="joined">
                <button
                    disabled=move || session.open.undo_label().is_none()
                    title=move || hint("Undo", session.open.undo_label(), &shown("undo"))
                    on:click=move |_| session.undo()
                >
                    "Undo"
                </button>
                <button
                    disabled=move || session.open.redo_label().is_none()
                    title=move || hint("Redo", session.open.redo_label(), &shown("redo"))
                    on:click=move |_| session.redo()
                >
                    "Redo"
                </button>
                <button title=move || format!("All steps and restore points ({})", shown("history")) on:click=move |_| session.desk.show_drawer(Drawer::History)>
                    "History"
                </button>
            </div>
            <ViewSwitch/>
            <button
                class="all-commands"
                title=move || format!("Find any command, record, block or scenario ({})", shown("palette"))
                on:click=move |_| page.command("palette")
            >
                "Commands"
            </button>
            <span class="grow"></span>
            <PlanStatus/>
            <ScenarioSelect/>
            <ExportMenu/>
            <ThemeSwitch/>
            <button
                aria-label="Help"
                title=move || format!("Keys and gestures ({})", shown("help"))
                on:click=move |_| page.command("help")
            >
                "?"
            </button>
            <ReportSheet/>
        </header>
    }
}

#[component]
fn FileMenu() -> impl IntoView {
    let session = Session::expect();
    let files = FileState::expect();
    let page = Page::expect();
    view! {
        <Menu label="File">
            <MenuItem label="New" run=move || files.new_document(session)/>
            <MenuItem label="Open…" keys=|| shown("open") run=move || files.open(session)/>
            <MenuItem label="Examples…" keys=|| shown("examples") run=move || page.command("examples")/>
            <MenuItem label="Documents…" keys=|| shown("documents") run=move || session.desk.show_drawer(Drawer::Documents)/>
            <MenuItem label="Save" keys=|| shown("save") run=move || files.save(session, false)/>
            <MenuItem label="Save as…" keys=|| shown("save-as") run=move || files.save(session, true)/>
            <MenuItem label="Share a link…" keys=|| shown("share") run=move || session.desk.show_drawer(Drawer::Share)/>
        </Menu>
    }
}

#[component]
fn ExportMenu() -> impl IntoView {
    let session = Session::expect();
    let files = FileState::expect();
    view! {
        <Menu label="Export" right=true>
            <MenuItem label="JSON: the document" run=move || files.export(session, Format::Json)/>
            <MenuItem
                label="HDDL: domain and this scenario's problem"
                run=move || files.export(session, Format::Hddl)
            />
            <MenuItem
                label="PDDL: actions and this scenario's goal"
                run=move || files.export(session, Format::Pddl)
            />
            <MenuItem label="C# agent" run=move || files.export(session, Format::CSharp)/>
            <hr/>
            <MenuNote text="This diagram"/>
            <MenuItem label="SVG" run=move || picture::export(session, picture::Kind::Svg)/>
            <MenuItem label="PNG" run=move || picture::export(session, picture::Kind::Png)/>
            <MenuItem label="Print…" keys=|| shown("print") run=picture::print/>
        </Menu>
    }
}

fn hint(verb: &str, what: Option<String>, key: &str) -> String {
    match what {
        Some(what) => format!("{verb}: {what} ({key})"),
        None => format!("Nothing to {} ({key})", verb.to_ascii_lowercase()),
    }
}

/// Shows whether the document is saved.
#[component]
fn SavedState() -> impl IntoView {
    let session = Session::expect();
    let files = FileState::expect();
    view! {
        <span class="saved" role="status" aria-label="Saved state">
            {move || match session.storage.saved.get() {
                Saved::No => view! { "" }.into_any(),
                Saved::Writing => view! { "saving…" }.into_any(),
                Saved::Yes => {
                    view! { <span title="Saved in this browser; Ctrl+S saves a file">"saved"</span> }
                        .into_any()
                }
                Saved::Failed(reason) => {
                    view! {
                        <button class="alarm" title=reason.clone() on:click=move |_| files.save(session, false)>
                            {format!("Not saved: {reason}. Save to a file now")}
                        </button>
                    }
                        .into_any()
                }
            }}
        </span>
    }
}
