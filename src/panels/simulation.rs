//! The simulation panel: the plan, the reasons for it, and the run.

use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::Element;

use super::frame::FoldButton;
use super::plan::{CharacterSelect, OutdatedNote, StrategySelect};
use super::results::Results;
use super::world::World;
use super::world::states::Seen;
use super::{problems, tab_content};
use crate::session::{Desk, Following, Part, Session, Tab};
use crate::ui::focus::rove;
use crate::ui::icon::{Icon, Lucide};
use crate::ui::typed_key::TypedKey;

/// The panel at the bottom.
#[component]
pub fn Panel() -> impl IntoView {
    let session = Session::expect();
    Seen::provide(session);
    let desk = session.desk;
    let tab = desk.tab;
    let old = Memo::new(move |_| session.plan.is_old());
    let results = Results::expect();
    let problems = Memo::new(move |_| problems::count(session, results));
    let key = move |event: KeyboardEvent| next_tab(desk, &event);
    let body = NodeRef::<html::Div>::new();
    // Each tab begins at its top, as the first one does without a layout of the whole page.
    Effect::new(move |is_open: Option<()>| {
        tab.track();
        if let (Some(()), Some(body)) = (is_open, body.get_untracked()) {
            body.set_scroll_top(0.0);
        }
    });
    view! {
        <footer class="panel" class:old=move || old.get() aria-label="Simulation">
            <section class="answers">
                <div class="tabs">
                    <div role="tablist" aria-label="Simulation" on:keydown=key>
                    {Tab::ALL
                        .into_iter()
                        .map(|t| {
                            let chosen = move || tab.get() == t;
                            view! {
                                <button
                                    role="tab"
                                    class="tab"
                                    aria-selected=move || chosen().to_string()
                                    tabindex=move || if chosen() { "0" } else { "-1" }
                                    on:click=move |_| desk.show_tab(t)
                                >
                                    {t.name()}
                                    {(t == Tab::Problems)
                                        .then(|| {
                                            view! {
                                                <span
                                                    class="badge"
                                                    class:some=move || problems.get().0 != 0
                                                    class:bad=move || problems.get().1
                                                >
                                                    {move || problems.get().0}
                                                </span>
                                            }
                                        })}
                                </button>
                            }
                        })
                        .collect_view()}
                    </div>
                    <span class="grow"></span>
                    <OutdatedNote/>
                    <CharacterSelect/>
                    <StrategySelect/>
                    <Stepper/>
                    <FoldButton part=Part::Panel/>
                </div>
                <LogStrip/>
                <div class="tab-body" role="tabpanel" tabindex="0" node_ref=body aria-label=move || tab.get().name()>
                    {move || tab_content(tab.get())}
                </div>
            </section>
            <World/>
        </footer>
    }
}

/// Says which log the shown run is from.
#[component]
fn LogStrip() -> impl IntoView {
    let session = Session::expect();
    // A log that is followed changes often, what is said about it rarely.
    let said = Memo::new(move |_| {
        let log = session.plan.shown.with(|shown| shown.log().cloned())?;
        let [before, after] = match log.following {
            None => ["This is the run of the log ", ""],
            Some(Following::Growing) => ["Following the log ", ""],
            Some(Following::Ended) => ["This is the run of the log ", ", which has ended"],
            Some(Following::ServerStopped) => {
                ["No longer following the log ", ": its server has stopped"]
            }
            Some(Following::Unreadable) => [
                "No longer following the log ",
                ": it can't be read any more",
            ],
        };
        let version = match log.is_of_this_version() {
            true => "",
            false => ", written for another version of this document",
        };
        let others = match log.others() {
            [] => String::new(),
            [one] => format!(" {one}, which the game created, isn't shown."),
            [first, ..] => {
                let count = log.others().len();
                format!(
                    " {first} and {} others, which the game created, aren't shown.",
                    count - 1
                )
            }
        };
        Some((
            before,
            log.file.clone(),
            format!("{after}{version}.{others}"),
        ))
    });
    let strip = move || {
        let (before, file, after) = said.get()?;
        Some(view! {
            <p class="log-strip" role="status" aria-label="Log">
                <span>{before} <b>{file}</b> {after}</span>
                <button on:click=move |_| session.close_log()>"Close the log"</button>
            </p>
        })
    };
    view! { {strip} }
}

/// Opens the tab beside the open one if an arrow key was pressed.
fn next_tab(desk: Desk, event: &KeyboardEvent) {
    let at = Tab::ALL
        .iter()
        .position(|t| *t == desk.tab.get_untracked())
        .unwrap_or(0);
    let count = Tab::ALL.len();
    let next = match event.typed_key().as_str() {
        "ArrowRight" => (at + 1) % count,
        "ArrowLeft" => (at + count - 1) % count,
        _ => return,
    };
    event.prevent_default();
    if let Some(next) = Tab::ALL.get(next) {
        desk.show_tab(*next);
    }
    let list = event.current_target();
    if let Some(list) = list.and_then(|list| list.dyn_into::<Element>().ok()) {
        rove(&list, "[role=tab]", |_, _| next);
    }
}

/// The buttons that step backward and forward through the plan.
#[component]
fn Stepper() -> impl IntoView {
    let session = Session::expect();
    let place = move || {
        let count = session.step_count();
        let cursor = session.desk.cursor.get();
        if cursor.happened.is_some() {
            return session
                .tick()
                .map_or(String::new(), |tick| format!("tick {tick}"));
        }
        match (cursor.step, count) {
            (_, 0) => String::new(),
            (Some(at), count) => format!("step {} of {count}", at + 1),
            (None, 1) => "start, 1 step".to_owned(),
            (None, count) => format!("start, {count} steps"),
        }
    };
    view! {
        <div class="stepper" role="group" aria-label="Step through the plan">
            <span class="dim">{place}</span>
            <button aria-label="Step back" title="Step back (,)" on:click=move |_| session.move_cursor(-1)><Icon name=Lucide::StepBack size=14/></button>
            <button aria-label="Step forward" title="Step forward (.)" on:click=move |_| session.move_cursor(1)><Icon name=Lucide::StepForward size=14/></button>
        </div>
    }
}
