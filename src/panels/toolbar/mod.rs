//! The toolbar: document, history, views, commands, scenario, plan, export, theme.

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
use crate::ui::icon::{Icon, Lucide};
use crate::ui::menu::{Menu, MenuItem, MenuNote};
use crate::worker::Format;
use report::ReportSheet;
pub use scenario::new_scenario;
use scenario::{ScenarioSelect, edit_scenario};
use status::PlanStatus;
use theme::ThemeSwitch;
pub use view_switch::SWITCHES;
use view_switch::ViewSwitch;

/// The bar at the top of the page.
#[component]
pub fn Toolbar() -> impl IntoView {
    let page = Page::expect();
    view! {
        <header class="toolbar">
            <div class="toolbar-part">
                <h1 class="brand"><Mark/><span class="unseen">"Taskloom"</span></h1>
                <DocumentTitle/>
                <FileMenu/>
                <SavedState/>
                <Steps/>
                <ViewSwitch/>
            </div>
            <button
                class="command-field"
                title=move || format!("Find any command, record, block or scenario ({})", shown("palette"))
                on:click=move |_| page.command("palette")
            >
                <Icon name=Lucide::Search/>
                <span>"Search or run a command"</span>
                <kbd>{move || shown("palette").replace('+', " ")}</kbd>
            </button>
            <div class="toolbar-part end">
                <ScenarioSelect/>
                <PlanStatus/>
                <ExportMenu/>
                <ThemeSwitch/>
                <button
                    class="icon help"
                    aria-label="Help"
                    title=move || format!("Help: first steps, pages and keys ({})", shown("help"))
                    on:click=move |_| page.command("help")
                >
                    <Icon name=Lucide::CircleQuestionMark/>
                </button>
                <MoreMenu/>
            </div>
            <ReportSheet/>
        </header>
    }
}

/// The mark of the program: threads of a loom.
#[component]
fn Mark() -> impl IntoView {
    view! {
        <svg class="mark" viewBox="0 0 22 22" aria-hidden="true">
            <rect width="22" height="22" rx="5.5"/>
            <path d="M4 8h14M4 14h14M8 4v14M14 4v14"/>
        </svg>
    }
}

/// The title of the document, which is edited in place.
#[component]
fn DocumentTitle() -> impl IntoView {
    let session = Session::expect();
    let title = Memo::new(move |_| session.document().info.title.clone());
    view! {
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
    }
}

/// Undo, redo, and the list of all steps.
#[component]
fn Steps() -> impl IntoView {
    let session = Session::expect();
    view! {
        <div class="steps-taken" role="group" aria-label="Steps">
            <button
                class="icon"
                aria-label="Undo"
                disabled=move || session.open.undo_label().is_none()
                title=move || hint("Undo", session.open.undo_label(), &shown("undo"))
                on:click=move |_| session.undo()
            >
                <Icon name=Lucide::Undo2/>
            </button>
            <button
                class="icon"
                aria-label="Redo"
                disabled=move || session.open.redo_label().is_none()
                title=move || hint("Redo", session.open.redo_label(), &shown("redo"))
                on:click=move |_| session.redo()
            >
                <Icon name=Lucide::Redo2/>
            </button>
            <button
                class="icon history"
                aria-label="History"
                title=move || format!("All steps and restore points ({})", shown("history"))
                on:click=move |_| session.desk.show_drawer(Drawer::History)
            >
                <Icon name=Lucide::History/>
            </button>
        </div>
    }
}

/// The commands that a narrow toolbar has no room for.
#[component]
fn MoreMenu() -> impl IntoView {
    let session = Session::expect();
    let page = Page::expect();
    view! {
        <Menu label="More" right=true class="more-menu" face=view! { <Icon name=Lucide::Ellipsis/> }.into_any()>
            <MenuItem label="Undo" keys=|| shown("undo") run=move || page.command("undo")/>
            <MenuItem label="Redo" keys=|| shown("redo") run=move || page.command("redo")/>
            <MenuItem label="History…" keys=|| shown("history") run=move || page.command("history")/>
            <hr/>
            <MenuItem label="Edit the scenario" run=move || edit_scenario(session)/>
            <MenuItem label="New scenario" run=move || page.command("new-scenario")/>
            <hr/>
            <MenuItem label="Export as JSON" run=move || page.command("json")/>
            <MenuItem label="Export as HDDL" run=move || page.command("hddl")/>
            <MenuItem label="Export as PDDL" run=move || page.command("pddl")/>
            <MenuItem label="Export as a C# agent" run=move || page.command("csharp")/>
            <MenuItem label="Export the Stage as PNG" run=move || page.command("stage-png")/>
            <MenuItem label="Export the run as a video…" run=move || page.command("video")/>
            <hr/>
            <MenuItem label="Change the theme" run=move || page.command("theme")/>
            <MenuItem label="Help" keys=|| shown("help") run=move || page.command("help")/>
        </Menu>
    }
}

#[component]
fn FileMenu() -> impl IntoView {
    let session = Session::expect();
    let files = FileState::expect();
    let page = Page::expect();
    view! {
        <Menu label="File" class="file-menu" face=view! { <Icon name=Lucide::ChevronDown/> }.into_any()>
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
    let page = Page::expect();
    view! {
        <Menu label="Export" right=true class="export-menu" face=view! { <Icon name=Lucide::Upload/> }.into_any()>
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
            <hr/>
            <MenuNote text="The Stage"/>
            <MenuItem label="Picture (SVG)" run=move || page.command("stage-svg")/>
            <MenuItem label="Picture (PNG)" run=move || page.command("stage-png")/>
            <MenuItem label="Video of the run…" run=move || page.command("video")/>
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
