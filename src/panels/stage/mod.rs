//! The world as a map: where everything is at the cursor, and where it is wrongly believed to be.

mod activities;
mod arrange;
mod maps;
mod meters;
mod picture;
mod scene;
#[cfg(test)]
mod tests;
mod words;

use std::sync::Arc;

use leptos::prelude::*;
use taskloom::document::{Edit, Name};

use self::activities::ActivityList;
use self::maps::{Map, maps};
use self::picture::Picture;
use self::scene::{Play, Scene};
use self::words::{When, moves};
use super::run::{Scrubber, last_of};
use crate::session::Session;

/// The hint that says what a map needs.
const NO_MAP: &str = "No location fact yet. The stage needs a fact of one parameter with an object as its value, \
    such as place_of(?who: person) with a room as its value; or a boolean fact of two parameters, who and where, \
    such as at(?who: person, ?where: room).";

/// The play that is shown, with the answer that it belongs to.
pub type Shown = Option<Arc<Play>>;

/// The map, with playback controls above it and movements described below.
#[component]
pub fn StageView() -> impl IntoView {
    let session = Session::expect();
    let all = Memo::new(move |_| maps(&session.document()));
    let choice = Memo::new(move |_| session.document().layout.stage.fact.clone());
    // The rest of the document is that of the answer: no edit is shown before it is planned.
    let play = Memo::new_with_compare(
        move |_| {
            choice.track();
            let answer = session.plan.answer.get()?;
            Play::new(&session.domain_untracked(), answer).map(Arc::new)
        },
        |one: Option<&Shown>, other| match (one.and_then(Option::as_ref), other) {
            (Some(one), Some(Some(other))) => !Arc::ptr_eq(one, other),
            _ => true,
        },
    );
    let scene = Memo::new(move |_| {
        let cursor = session.desk.cursor.get();
        let play = play.get();
        play.map_or_else(Scene::default, |play| play.scene(cursor))
    });
    let end = move || {
        session.plan.answer.with(|answer| {
            let answer = answer.as_ref().filter(|answer| answer.run.is_some());
            answer.map(|answer| last_of(answer))
        })
    };
    let end = Memo::new(move |_| end());
    view! {
        <div class="stage-tab">
            {move || {
                if all.with(Vec::is_empty) {
                    return view! {
                        <div class="stage-bar">
                            {move || end.get().map(|last| view! { <Scrubber last/> })}
                        </div>
                        <ActivityList/>
                        <p class="hint">{NO_MAP}</p>
                    }
                        .into_any();
                }
                let shown = Memo::new(move |_| play.with(|play| play.as_ref().map(|play| play.map.fact.clone())));
                view! {
                    <div class="stage-bar">
                        {move || end.get().map(|last| view! { <Scrubber last/> })}
                        <MapSelect all choice shown/>
                        <TidyButton/>
                    </div>
                    <ActivityList/>
                    {move || match play.get() {
                        Some(play) => view! { <Picture play scene/> }.into_any(),
                        None => view! { <p class="hint">"There is no scenario to show yet."</p> }.into_any(),
                    }}
                    <Movements play scene/>
                }
                    .into_any()
            }}
        </div>
    }
}

/// Selects the fact that makes the map.
#[component]
fn MapSelect(
    all: Memo<Vec<Map>>,
    choice: Memo<Option<Name>>,
    shown: Memo<Option<Name>>,
) -> impl IntoView {
    let session = Session::expect();
    let choose = move |event| {
        let fact = Name::new(&event_target_value(&event)).ok();
        let label = match &fact {
            Some(fact) => format!("Show the map of {fact}"),
            None => "Pick the map automatically".to_owned(),
        };
        session.commit(&label, Edit::ChooseMap(fact));
    };
    let by_itself = move || match shown.get() {
        Some(fact) if choice.get().is_none() => format!("Map: {fact} (automatic)"),
        _ => "Map: automatic".to_owned(),
    };
    view! {
        <select aria-label="Location fact" title="The fact that says where things are" on:change=choose>
            <option value="" prop:selected=move || choice.get().is_none()>
                {by_itself}
            </option>
            {move || {
                all.get()
                    .into_iter()
                    .map(|map| {
                        let fact = map.fact.clone();
                        let selected = move || choice.get().as_ref() == Some(&fact);
                        view! {
                            <option value=map.fact.to_string() prop:selected=selected>
                                {map.signature}
                            </option>
                        }
                    })
                    .collect_view()
            }}
        </select>
    }
}

/// Puts all places back into their grid.
#[component]
fn TidyButton() -> impl IntoView {
    let session = Session::expect();
    let places = move || {
        session
            .document()
            .layout
            .stage
            .places
            .keys()
            .cloned()
            .collect::<Vec<Name>>()
    };
    let places = Memo::new(move |_| places());
    let tidy = move |_| {
        let moves = places.get_untracked().into_iter();
        let moves = moves.map(|place| (place, None)).collect();
        session.commit("Tidy the map", Edit::MovePlaces(moves));
    };
    view! {
        <button
            title="Arrange all places in rows, by name"
            disabled=move || places.with(Vec::is_empty)
            on:click=tidy
        >
            "Tidy the map"
        </button>
    }
}

/// Says what has moved since the previous position of the cursor.
#[component]
fn Movements(play: Memo<Shown>, scene: Memo<Scene>) -> impl IntoView {
    let session = Session::expect();
    let when = move || match (session.tick(), session.desk.cursor.get().step) {
        (Some(tick), _) => When::Tick(tick),
        (None, Some(step)) => When::Step(step + 1),
        (None, None) => When::Start,
    };
    let movements = RwSignal::new(String::new());
    Effect::new(move |before: Option<(Shown, When, Scene)>| {
        let now = (play.get(), when(), scene.get());
        let same = |one: &Shown| match (one, &now.0) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            _ => false,
        };
        // In another run nothing has moved.
        if let Some((shown, when, scene)) = before {
            if same(&shown) {
                if when != now.1 || scene != now.2 {
                    movements.set(moves((when, &scene), (now.1, &now.2)));
                }
            } else {
                movements.set(String::new());
            }
        }
        now
    });
    view! {
        <p class="stage-told" role="status" aria-label="Movements">
            {movements}
        </p>
    }
}
