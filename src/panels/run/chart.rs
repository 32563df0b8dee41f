//! A number's value history, drawn along the ticks of the run.

use leptos::prelude::*;

use super::super::world::states::Seen;
use super::axis::Axis;
use super::lanes::Now;
use super::number::{HEIGHT, NumberTimeline, WIDTH};
use crate::session::Session;

/// The number that is plotted: `None` for the first that changes, empty for no number.
pub type Chart = RwSignal<Option<String>>;

/// Plots one of the numbers that change in the run, with a selector; nothing if none does.
#[component]
pub fn Numbers(chart: Chart, axis: Axis) -> impl IntoView {
    let session = Session::expect();
    let seen = Seen::expect();
    let numbers = StoredValue::new(seen.numbers());
    if numbers.with_value(Vec::is_empty) {
        return ().into_any();
    }
    let shown = Memo::new(move |_| {
        let choice = chart.get();
        numbers.with_value(|numbers| {
            let chosen = |number: &&NumberTimeline| {
                let name = Some(number.atom.to_string());
                choice == name
            };
            match choice.as_deref() {
                Some("") => None,
                _ => numbers.iter().find(chosen).or(numbers.first()).cloned(),
            }
        })
    });
    let name = move || shown.with(|shown| shown.as_ref().map(|s| s.atom.to_string()));
    let options = numbers.with_value(|numbers| {
        let names = numbers.iter().map(|number| number.atom.to_string());
        let option = |text: String| {
            let (value, own) = (text.clone(), text.clone());
            let chosen = move || name().as_ref() == Some(&own);
            view! { <option value=value prop:selected=chosen>{text}</option> }
        };
        names.map(option).collect_view()
    });
    let last = axis.last;
    let now = move || session.tick().map(|tick| tick.min(last));
    let value = move || shown.get().map(|number| value_at(&number, now()));
    let drawing = move || {
        let number = shown.get()?;
        let width = (WIDTH * axis.width() / 100.0).round();
        let (label, path) = (number.words(), number.path(last, width));
        let view_box = format!("0 -2 {width} {}", HEIGHT + 4.0);
        Some(view! {
            <div class="number-chart">
                <svg role="img" aria-label=label viewBox=view_box preserveAspectRatio="none">
                    <path d=path/>
                </svg>
                <Now last/>
            </div>
        })
    };
    view! {
        <div class="number-course" role="group" aria-label="Value history">
            <div class="number-head">
                <select
                    aria-label="Plotted value"
                    title="Numbers that change in this run"
                    on:change=move |event| chart.set(Some(event_target_value(&event)))
                >
                    {options}
                    <option value="" prop:selected=move || name().is_none()>"no number"</option>
                </select>
                {move || value().map(|text| view! { <span class="number-now">{text}</span> })}
            </div>
            {drawing}
        </div>
    }
    .into_any()
}

/// Describes a number's value at a tick, or before the run, and its range.
fn value_at(number: &NumberTimeline, tick: Option<u32>) -> String {
    let (least, most) = number.range();
    let range = match least < most {
        true => format!(", {least} to {most} in the run"),
        false => String::new(),
    };
    let atom = &number.atom;
    match tick {
        Some(tick) => format!("{atom} is {} at tick {tick}{range}", number.at(tick)),
        None => format!("{atom} is {} before the run{range}", number.before),
    }
}
