//! The menu of the map: the facts that make it, its background image, and its export.

use leptos::prelude::*;
use taskloom_document::{Axes, Edit, Name};

use super::background::BackgroundItems;
use super::coordinates::{automatic, numbers};
use super::maps::Map;
use super::state::Stage;
use crate::page::Page;
use crate::session::Session;
use crate::ui::icon::{Icon, Lucide};

/// The id of the menu.
pub const MENU: &str = "stage-map-menu";

/// The button that opens the menu, and the menu.
#[component]
pub fn MapMenu(all: Memo<Vec<Map>>, shown: Memo<Option<Name>>, stage: Stage) -> impl IntoView {
    let map = Memo::new(move |_| {
        let play = stage.play.get()?;
        play.map().cloned()
    });
    view! {
        <div class="stage-corner">
            <button class="with-icon" popovertarget=MENU>"Map" <Icon name=Lucide::ChevronDown size=14/></button>
            <div class="menu stage-menu" id=MENU popover="auto" role="group" aria-label="Map settings">
                <label>
                    <span>"Location"</span>
                    <MapSelect all shown/>
                </label>
                <AxisSelect axis=Axis::X map/>
                <AxisSelect axis=Axis::Y map/>
                <TidyButton/>
                <Show when=move || map.with(Option::is_some)>
                    <hr/>
                    <BackgroundItems stage/>
                    <hr/>
                    <ExportItems/>
                </Show>
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
        Some(fact) if choice.get().is_none() => format!("{fact} (automatic)"),
        _ => "Automatic".to_owned(),
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

/// An axis of the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Axis {
    X,
    Y,
}

impl Axis {
    fn of(self, axes: &Axes) -> Option<&Name> {
        match self {
            Self::X => axes.x.as_ref(),
            Self::Y => axes.y.as_ref(),
        }
    }

    /// Returns the axes with another fact on this one.
    fn with(self, axes: Axes, fact: Option<Name>) -> Axes {
        match self {
            Self::X => Axes { x: fact, ..axes },
            Self::Y => Axes { y: fact, ..axes },
        }
    }
}

/// The values of the options that are no facts; no fact has such a name.
const AUTOMATIC: &str = "";
const NONE: &str = "-";

/// Selects the fact that gives places their coordinate on an axis.
#[component]
fn AxisSelect(axis: Axis, map: Memo<Option<Map>>) -> impl IntoView {
    let session = Session::expect();
    let chosen = Memo::new(move |_| session.document().layout.stage.axes.clone());
    let facts = Memo::new(move |_| {
        let document = session.document();
        map.with(|map| map.as_ref().map(|map| numbers(&document, map)))
            .unwrap_or_default()
    });
    let by_name = Memo::new(move |_| {
        let document = session.document();
        map.with(|map| map.as_ref().map(|map| automatic(&document, map)))
            .unwrap_or_default()
    });
    let value = move || match chosen.get() {
        None => AUTOMATIC.to_owned(),
        Some(axes) => axis.of(&axes).map_or(NONE.to_owned(), Name::to_string),
    };
    let choose = move |event| {
        let value = event_target_value(&event);
        let before = chosen.get_untracked();
        let before = before.unwrap_or_else(|| by_name.get_untracked());
        let (label, axes) = match (value.as_str(), Name::new(&value).ok()) {
            (AUTOMATIC, _) => ("Pick the coordinates automatically".to_owned(), None),
            (_, Some(fact)) => (
                format!("Place by {fact}"),
                Some(axis.with(before, Some(fact))),
            ),
            (_, None) => (
                "Turn off a coordinate".to_owned(),
                Some(axis.with(before, None)),
            ),
        };
        session.commit(&label, Edit::ChooseAxes(axes));
    };
    let by_itself = move || match by_name.with(|axes| axis.of(axes).cloned()) {
        Some(fact) => format!("{fact} (automatic)"),
        None => "Automatic".to_owned(),
    };
    let option = move |fact: Name| {
        let own = fact.to_string();
        let selected = move || value() == own;
        view! { <option value=fact.to_string() prop:selected=selected>{fact.to_string()}</option> }
    };
    let (label, name, title) = match axis {
        Axis::X => (
            "Left to right",
            "Horizontal coordinate",
            "The fact that places from left to right",
        ),
        Axis::Y => (
            "Top to bottom",
            "Vertical coordinate",
            "The fact that places from top to bottom",
        ),
    };
    view! {
        <Show when=move || facts.with(|facts| !facts.is_empty())>
            <label>
                <span>{label}</span>
                <select aria-label=name title=title on:change=choose>
                    <option value=AUTOMATIC prop:selected=move || value() == AUTOMATIC>{by_itself}</option>
                    <option value=NONE prop:selected=move || value() == NONE>"None"</option>
                    {move || facts.get().into_iter().map(option).collect_view()}
                </select>
            </label>
        </Show>
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

/// Exports the map as a picture or a video.
#[component]
fn ExportItems() -> impl IntoView {
    let page = Page::expect();
    let item = move |label: &'static str, command: &'static str| {
        view! {
            <button popovertarget=MENU popovertargetaction="hide" on:click=move |_| page.command(command)>
                {label}
            </button>
        }
    };
    view! {
        {item("Export as SVG", "stage-svg")}
        {item("Export as PNG", "stage-png")}
        {item("Export a video…", "video")}
    }
}
