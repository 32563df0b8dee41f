//! The run along its ticks: lanes of executed steps, marks for events and replanning, and value
//! histories of its numbers, all under one slider.

use std::sync::Arc;

use super::axis::{Scale, fit};
use super::chart::{Chart, Numbers};
use super::compare::{CompareButton, Comparison, OtherLanes};
use super::lanes::Lanes;
use super::scrubber::{Controls, Slider};
use super::zoom::{Timeline, TimelineView, Zoom, ZoomButtons};
use crate::session::{Session, last_of};
use crate::worker::Answer;
use leptos::prelude::*;
use taskloom_runtime::Run;

/// The timeline of an answer's run, with its cursor.
#[component]
pub fn RunTimeline(
    /// The answer, which has a run.
    answer: Arc<Answer>,
    /// The names of the characters, if there are several.
    names: Vec<String>,
    /// The number that is plotted.
    chart: Chart,
    /// The number of visible ticks; `None` for as many as fit.
    zoom: Zoom,
) -> impl IntoView {
    let session = Session::expect();
    let Some(run) = &answer.run else {
        return ().into_any();
    };
    let last = last_of(&answer);
    let fits = answer.run.iter().chain(&answer.compared).map(fit).max();
    let fits = fits.unwrap_or(1).min(last.max(1));
    let timeline = Timeline::new(last, fits, zoom);
    let axis = timeline.axis;
    let events = 0..run
        .events
        .iter()
        .filter(|event| event.event != Run::SET_BY_GAME)
        .map(|event| event.event + 1)
        .max()
        .unwrap_or(0);
    let by_hand = |event| {
        session
            .event(&answer, event)
            .is_some_and(|(_, by_hand)| by_hand)
    };
    let by_hand: Vec<bool> = events.map(by_hand).collect();
    let compares = answer.experiment.compares;
    let (other, table) = (answer.clone(), answer.clone());
    let (other_names, table_names) = (names.clone(), names.clone());
    let other_by_hand = by_hand.clone();
    let other = compares.then(|| {
        view! { <OtherLanes answer=other names=other_names axis by_hand=other_by_hand/> }
    });
    let table = compares.then(|| view! { <Comparison answer=table names=table_names/> });
    view! {
        <Controls last>
            <ZoomButtons timeline/>
            <ContinueButton/>
            <CompareButton/>
        </Controls>
        <TimelineView timeline>
            <div class="course-ruler">
                <Scale axis/>
                <Slider last/>
            </div>
            <Lanes answer names axis by_hand is_shown=true/>
            {other}
            <Numbers chart axis/>
        </TimelineView>
        {table}
    }
    .into_any()
}

/// Makes a scenario of the shown tick.
#[component]
fn ContinueButton() -> impl IntoView {
    let session = Session::expect();
    view! {
        <button
            title="Add a scenario that begins with the world and the beliefs at the end of this tick"
            disabled=move || session.tick().is_none()
            on:click=move |_| {
                session.continue_from_here();
            }
        >
            "Start from here"
        </button>
    }
}
