//! The axis of a run: the visible range of its ticks, and its labels.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use leptos::prelude::*;
use taskloom_runtime::{Entry, Run, RunEnd};

use super::lanes::Now;
use crate::session::{last_shown_tick, task_of};
use crate::ui::keyed::Keyed;
use taskloom_document::sort::CompactSort;

/// The minimum distance between labels along the axis, in pixels.
const LABEL: f64 = 48.0;

/// The minimum number of visible ticks.
const FEWEST: u32 = 4;

/// The axis and its visible range.
#[derive(Clone, Copy)]
pub struct Axis {
    /// The last tick.
    pub last: u32,
    /// The number of ticks visible at a time.
    pub visible: Memo<u32>,
    /// The ticks near the visible ones: what is outside isn't drawn.
    pub drawn: Memo<(u32, u32)>,
    /// The width of the visible part, in pixels.
    pub pixels: RwSignal<f64>,
}

impl Axis {
    /// Returns the width of the whole axis, with the visible part being 100.
    pub fn width(self) -> f64 {
        100.0 * f64::from(self.last.max(1)) / f64::from(self.visible.get().max(1))
    }
}

/// Returns the number of ticks that shows all that happens; of an endless run, until it repeats
/// itself.
pub fn fit(run: &Run) -> u32 {
    let last = last_shown_tick(run);
    let busy = match run.end {
        RunEnd::Endless | RunEnd::OutOfTicks => repeats(run).or(last_change(run)),
        _ => None,
    };
    // Some extra room shows that it goes on.
    busy.map_or(last, |busy| last.min(busy + busy / 20 + 1))
        .max(1)
}

/// Returns the end of the second repetition of what a run repeats until its end, if it repeats it
/// at least three times.
fn repeats(run: &Run) -> Option<u32> {
    let begun = begun(run);
    let ticks = begun.len();
    let mut best: Option<u32> = None;
    for period in 1..=ticks / 3 {
        // A longer period cannot end earlier.
        if best.is_some_and(|best| best as usize <= 2 * period) {
            break;
        }
        if begun[ticks - period..].iter().all(|hash| *hash == 0) {
            continue;
        }
        let same = (period..ticks).rev();
        let same = same
            .take_while(|at| begun[*at] == begun[at - period])
            .count();
        if same < 2 * period {
            continue;
        }
        let prefix = ticks - same - period;
        let end = u32::try_from(prefix + 2 * period).ok()?;
        best = Some(best.map_or(end, |best| best.min(end)));
    }
    best
}

/// Returns the last tick at which a value of the world or of a belief changed.
fn last_change(run: &Run) -> Option<u32> {
    let events = run.events.iter().filter(|event| !event.changes.is_empty());
    let events = events.map(|event| event.tick);
    let steps = run.executed.iter().filter(|step| !step.changes.is_empty());
    let steps = steps.filter_map(|step| step.acted);
    let seen = run.perceptions.iter().map(|seen| seen.tick);
    events.chain(steps).chain(seen).max()
}

/// Returns by tick a hash of what began at it; 0 if nothing did.
fn begun(run: &Run) -> Vec<u64> {
    let mut by_tick: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
    for (at, step) in run.executed.iter().enumerate() {
        let mut hasher = DefaultHasher::new();
        run.character_of(Entry::Step(at)).hash(&mut hasher);
        task_of(run, step)
            .map(ToString::to_string)
            .hash(&mut hasher);
        by_tick.entry(step.start).or_default().push(hasher.finish());
    }
    for event in &run.events {
        let mut hasher = DefaultHasher::new();
        ("event", event.event).hash(&mut hasher);
        by_tick.entry(event.tick).or_default().push(hasher.finish());
    }
    let mut begun = vec![0; run.ticks as usize + 1];
    for (tick, mut all) in by_tick {
        all.compact_sort();
        let mut hasher = DefaultHasher::new();
        all.hash(&mut hasher);
        if let Some(slot) = begun.get_mut(tick as usize) {
            *slot = hasher.finish() | 1;
        }
    }
    begun
}

/// Returns the next number of visible ticks when zooming in or out.
pub fn zoomed(visible: u32, last: u32, is_in: bool) -> u32 {
    let next = if is_in {
        visible * 2 / 3
    } else {
        visible + visible / 2 + 1
    };
    next.clamp(FEWEST.min(last.max(1)), last.max(1))
}

/// Returns the distance between labels for a number of visible ticks on a width in pixels: 1, 2 or 5
/// times a power of ten.
pub fn stride(visible: u32, pixels: f64) -> u32 {
    let tick = pixels / f64::from(visible.max(1));
    let mut power = 1_u32;
    loop {
        for factor in [1, 2, 5] {
            let stride = power.saturating_mul(factor);
            if f64::from(stride) * tick >= LABEL || stride >= visible.max(1) {
                return stride;
            }
        }
        power = power.saturating_mul(10);
    }
}

/// Draws the labels of an axis with a line between two of them, and the cursor's handle. The slider
/// lies over them.
#[component]
pub fn Scale(axis: Axis) -> impl IntoView {
    let left = move |tick: f64| format!("{:.3}%", tick / f64::from(axis.last.max(1)) * 100.0);
    let labels = move || {
        let stride = stride(axis.visible.get(), axis.pixels.get());
        let (from, to) = axis.drawn.get();
        let first = from.div_ceil(stride);
        (first..=to.min(axis.last) / stride).map(move |at| (at * stride, stride))
    };
    let label = move |(tick, stride): (u32, u32)| {
        let half = f64::from(tick) + f64::from(stride) / 2.0;
        let minor = (half <= f64::from(axis.last)).then(|| view! { <i style:left=left(half)></i> });
        view! {
            <span class:first=tick == 0 style:left=left(f64::from(tick))>{tick}</span>
            {minor}
        }
    };
    view! {
        <div class="course-scale" aria-hidden="true">
            <Keyed each=labels key=|label| *label children=label/>
            <Now last=axis.last has_handle=true/>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taskloom_document::Document;
    use taskloom_domain::Domain;
    use taskloom_planner::plan::Budget;
    use taskloom_runtime::{MAX_TICKS, simulate};

    /// A bell that rings every four ticks; a walk before that takes ten.
    fn run(again: &str) -> Run {
        let text = format!(
            r#"{{ "taskloom": 4, "facts": {{ "here": {{ "source": "memory" }} }},
            "actions": {{ "Walk": {{ "duration": "10" }}, "Ring": {{ "duration": "4" }} }},
            "primitive_tasks": {{
              "walk": {{ "action": "Walk", "effects": [{{ "text": "here" }}] }},
              "ring": {{ "action": "Ring" }} }},
            "compound_tasks": {{ "serve": {{ "method": {{
              "blocks": {{ "a": {{ "kind": "begin" }}, "b": {{ "kind": "branch", "condition": "here" }},
                "c": {{ "kind": "task", "call": "ring" }}, "d": {{ "kind": "task", "call": "walk" }} }},
              "wires": ["a.out -> b", "b.true -> c", "b.false -> d"] }} }} }},
            "agents": {{ "bell": {{ "planning": {{ "decomposition": {{ "tasks": ["serve"] }} }},
              "triggers": {{ {again} }} }} }},
            "scenarios": {{ "s": {{ "cast": [{{ "agent": "bell" }}] }} }} }}"#
        );
        let document = Document::from_json(&text).unwrap();
        let scenario = "s".parse().unwrap();
        simulate(
            &Domain::from(&document),
            &scenario,
            Budget::default(),
            MAX_TICKS,
        )
    }

    #[test]
    fn endless_runs_are_shown_until_they_repeat() {
        let endless = run(r#""complete": "again""#);
        assert_eq!(endless.end, RunEnd::Endless);
        assert!(endless.ticks >= 200, "{}", endless.ticks);
        let fit = fit(&endless);
        assert!((14..=24).contains(&fit), "{fit} of {}", endless.ticks);
    }

    #[test]
    fn finite_runs_are_shown_in_full() {
        assert_eq!(fit(&run("")), 10);
    }

    #[test]
    fn labels_are_few_round_numbers() {
        let strides = [1, 8, 10, 25, 100, 500, 10_000].map(|visible| stride(visible, 1_000.0));
        assert_eq!(strides, [1, 1, 1, 2, 5, 50, 500]);
    }

    #[test]
    fn zoom_is_limited_to_the_whole_run_and_a_few_ticks() {
        let mut visible = 500;
        for _ in 0..50 {
            visible = zoomed(visible, 500, true);
        }
        assert_eq!(visible, 4);
        for _ in 0..50 {
            visible = zoomed(visible, 500, false);
        }
        assert_eq!(visible, 500);
        assert_eq!(zoomed(1, 0, true), 1);
    }

    #[test]
    fn waiting_runs_are_shown_up_to_their_last_event() {
        let run = Run {
            end: RunEnd::OutOfTicks,
            ticks: 10_000,
            ..Run::default()
        };
        assert_eq!(last_shown_tick(&run), 1);
    }
}
