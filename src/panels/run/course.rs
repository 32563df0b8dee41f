//! The run along its ticks: lanes of what was carried out, what came between, and the courses of
//! its numbers, all under one slider.

use std::sync::Arc;

use leptos::prelude::*;
use taskloom::runtime::{Run, RunEnd};

use super::chart::{Chart, Numbers};
use super::compare::{CompareButton, Comparison};
use super::lanes::Lanes;
use super::scrubber::Scrubber;
use crate::session::Session;
use crate::worker::Answer;

/// The course of an answer's run, and the tick of it that is looked at.
#[component]
pub fn Course(
    /// With a run.
    answer: Arc<Answer>,
    /// What the characters are called, where there are several.
    names: Vec<String>,
    /// The number whose course is drawn.
    chart: Chart,
) -> impl IntoView {
    let session = Session::expect();
    let Some(run) = &answer.run else {
        return ().into_any();
    };
    let last = last_of(&answer);
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
    view! {
        <Scrubber last>
            <CompareButton/>
        </Scrubber>
        <Lanes answer=answer.clone() names=names.clone() last by_hand=by_hand.clone() is_shown=true/>
        {answer.experiment.compares.then(|| view! { <Comparison answer=answer.clone() names last by_hand/> })}
        <Numbers chart last/>
    }
    .into_any()
}

/// The last tick of an answer that is shown; of two runs that of the longer one.
pub fn last_of(answer: &Answer) -> u32 {
    let runs = answer.run.iter().chain(&answer.compared);
    runs.map(last).max().unwrap_or(0)
}

/// The last tick of a run that is shown. One that was cut off while it waited is not shown waiting for long.
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
