//! The run along its ticks: lanes of executed steps, marks for events and replanning, and value
//! histories of its numbers, all under one slider.

use std::sync::Arc;

use leptos::prelude::*;
use taskloom::runtime::{Run, RunEnd};

use super::axis::{Scale, fit};
use super::chart::{Chart, Numbers};
use super::compare::{CompareButton, Comparison, OtherLanes};
use super::lanes::Lanes;
use super::scrubber::{Controls, Slider};
use super::zoom::{Timeline, TimelineView, Zoom, ZoomButtons};
use crate::session::Session;
use crate::worker::Answer;

/// The timeline of an answer's run, with its cursor.
#[component]
pub fn Course(
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
            <CompareButton/>
        </Controls>
        <TimelineView timeline>
            <Slider last/>
            <Scale axis/>
            <Lanes answer names axis by_hand is_shown=true/>
            {other}
            <Numbers chart axis/>
        </TimelineView>
        {table}
    }
    .into_any()
}

/// Returns the last tick of an answer that is shown, that of the longer of two runs.
pub fn last_of(answer: &Answer) -> u32 {
    let runs = answer.run.iter().chain(&answer.compared);
    runs.map(last).max().unwrap_or(0)
}

/// Returns the last tick of a run that is shown. If it was cut off while it waited, most of the
/// waiting is left out.
pub fn last(run: &Run) -> u32 {
    if run.end != RunEnd::OutOfTicks {
        return run.ticks;
    }
    let events = run.events.iter().map(|event| event.tick);
    let plans = run.plans.iter().map(|planning| planning.tick);
    let steps = run.executed.iter();
    let steps = steps.map(|step| step.end.or(step.acted).unwrap_or(step.start));
    let busy = events.chain(plans).chain(steps).max().unwrap_or(0);
    run.ticks.min(busy + busy / 4 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_waits_until_it_is_cut_off_is_shown_as_far_as_something_happens() {
        let run = Run {
            end: RunEnd::OutOfTicks,
            ticks: 10_000,
            ..Run::default()
        };
        assert_eq!(last(&run), 1);
    }
}
