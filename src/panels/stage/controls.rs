//! The floating controls of the Stage: its layers, its zoom, and the menu of the map.

use leptos::prelude::*;
use taskloom::document::{Edit, Name};

use super::arrange::Arrangement;
use super::layers::{Layer, Layers, StageCamera};
use super::maps::Map;
use crate::session::Session;

/// The factor by which the buttons zoom.
const STEP: f64 = 1.25;

/// The buttons that show and hide layers.
#[component]
pub fn LayerButtons(layers: Layers) -> impl IntoView {
    let button = move |layer: Layer| {
        view! {
            <button
                title=layer.title()
                aria-pressed=move || layers.shows(layer).to_string()
                on:click=move |_| layers.toggle(layer)
            >
                {layer.name()}
            </button>
        }
    };
    view! {
        <div class="stage-float stage-layers" role="group" aria-label="Layers">
            {Layer::ALL.map(button).collect_view()}
        </div>
    }
}

/// The buttons that zoom, and fit the map into the view.
#[component]
pub fn ZoomButtons(arranged: Memo<Arrangement>) -> impl IntoView {
    let camera = StageCamera::expect();
    let percent = move || format!("{:.0} %", camera.get().zoom * 100.0);
    view! {
        <div class="stage-float stage-zoom" role="group" aria-label="Zoom">
            <button aria-label="Zoom out" title="Zoom out" on:click=move |_| camera.zoom(None, 1.0 / STEP)>
                "−"
            </button>
            <span class="percent">{percent}</span>
            <button aria-label="Zoom in" title="Zoom in" on:click=move |_| camera.zoom(None, STEP)>
                "+"
            </button>
            <button
                title="Fit the map into the view"
                on:click=move |_| camera.fit(arranged.with_untracked(|arranged| arranged.bounds))
            >
                "Fit"
            </button>
        </div>
    }
}

/// The menu of the map: the fact that makes it, and what can be done with it.
#[component]
pub fn MapMenu(all: Memo<Vec<Map>>, shown: Memo<Option<Name>>) -> impl IntoView {
    view! {
        <div class="stage-corner">
            <button popovertarget="stage-map-menu">"Map" <span class="chevron" aria-hidden="true">"▾"</span></button>
            <div class="menu stage-menu" id="stage-map-menu" popover="auto" role="group" aria-label="Map settings">
                <MapSelect all shown/>
                <TidyButton/>
            </div>
        </div>
    }
}

/// Selects the fact that makes the map.
#[component]
fn MapSelect(all: Memo<Vec<Map>>, shown: Memo<Option<Name>>) -> impl IntoView {
    let session = Session::expect();
    let choice = Memo::new(move |_| session.document().layout.stage.fact.clone());
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
    let option = move |map: Map| {
        let fact = map.fact.clone();
        let selected = move || choice.get().as_ref() == Some(&fact);
        view! {
            <option value=map.fact.to_string() prop:selected=selected>
                {map.signature}
            </option>
        }
    };
    view! {
        <select aria-label="Location fact" title="The fact that says where things are" on:change=choose>
            <option value="" prop:selected=move || choice.get().is_none()>
                {by_itself}
            </option>
            {move || all.get().into_iter().map(option).collect_view()}
        </select>
    }
}

/// Puts all places back into their cells.
#[component]
fn TidyButton() -> impl IntoView {
    let session = Session::expect();
    let places = move || {
        let document = session.document();
        let places = document.layout.stage.places.keys();
        places.cloned().collect::<Vec<Name>>()
    };
    let places = Memo::new(move |_| places());
    let tidy = move |_| {
        let moves = places.get_untracked().into_iter();
        let moves = moves.map(|place| (place, None)).collect();
        session.commit("Tidy the map", Edit::MovePlaces(moves));
    };
    view! {
        <button
            title="Arrange all places by their coordinates, or in rows by name"
            disabled=move || places.with(Vec::is_empty)
            on:click=tidy
        >
            "Tidy the map"
        </button>
    }
}
