//! The comparison of two scenarios, below the table.

use std::time::Duration;

use leptos::html;
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use taskloom_document::Name;
use taskloom_domain::Domain;
use web_sys::{ScrollIntoViewOptions, ScrollLogicalPosition};

use super::comparison::{Bar, Contrast, Difference, Lane, causes, differences, effects, lanes};
use super::rows::{actors, ending, title};
use super::state::Table;
use crate::ui::avatar::colour;
use crate::ui::icon::{Icon, Lucide};
use crate::worker::{Check, JobHandle};

/// The pause after an edit before both scenarios are run again.
const PAUSE: Duration = Duration::from_millis(700);
/// The minimum width of a tick, in pixels.
const TICK: u32 = 10;
/// The maximum number of labels on the scale.
const LABELS: u32 = 14;
/// The maximum width of the lanes, in pixels.
const WIDEST: u32 = 8_000;

/// Both runs, compared.
#[derive(Debug, Clone, PartialEq)]
struct Compared {
    sides: [Side; 2],
    /// The last tick of the longer run.
    last: u32,
    differences: Vec<Difference>,
    causes: Vec<Contrast>,
    effects: Vec<Contrast>,
}

/// One of the runs.
#[derive(Debug, Clone, PartialEq)]
struct Side {
    title: String,
    ending: String,
    lanes: Vec<Lane>,
}

impl Compared {
    /// Compares the runs of two scenarios.
    ///
    /// # Errors
    /// Returns the reason if a scenario has no run.
    fn new(domain: &Domain, names: [&Name; 2], checks: &[(Name, Check)]) -> Result<Self, String> {
        let document = domain.document();
        let of = |name: &Name| {
            let scenario = document.scenarios.get(name);
            let check = checks.iter().find(|(checked, _)| checked == name);
            let run = check.and_then(|(_, check)| check.run.as_ref());
            scenario
                .zip(run)
                .ok_or_else(|| format!("The scenario {name} couldn't be run."))
        };
        let ((first, first_run), (second, second_run)) = (of(names[0])?, of(names[1])?);
        let who = names.map(|name| match actors(domain, name) {
            nobody if nobody.is_empty() => vec!["actor".to_owned()],
            actors => actors,
        });
        let runs = [first_run, second_run];
        let side = |at: usize, title: String| Side {
            title,
            ending: format!("{}, tick {}", ending(&runs[at].end), runs[at].ticks),
            lanes: lanes(runs[at], &who[at]),
        };
        Ok(Self {
            sides: [
                side(0, title(names[0], first)),
                side(1, title(names[1], second)),
            ],
            last: first_run.ticks.max(second_run.ticks).max(1),
            differences: differences((first_run, &who[0]), (second_run, &who[1])),
            causes: causes(first, second),
            effects: effects(domain, names, runs),
        })
    }

    /// Returns the position of a tick, or a length in ticks.
    fn percent(&self, ticks: u32) -> String {
        format!("{:.3}%", f64::from(ticks) / f64::from(self.last) * 100.0)
    }

    /// Returns the labelled ticks.
    fn scale(&self) -> impl Iterator<Item = u32> {
        let steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];
        let step = steps.into_iter().find(|step| self.last / step <= LABELS);
        (0..=self.last).step_by(step.unwrap_or(5_000) as usize)
    }
}

/// Runs two scenarios, again after each edit, and shows what differs.
#[component]
pub fn Compare(table: Table, names: [Name; 2]) -> impl IntoView {
    let session = table.session;
    let compared = RwSignal::new(None::<Result<Compared, String>>);
    let at = RwSignal::new(0_usize);
    let job = StoredValue::new_local(None::<JobHandle>);
    let timer = StoredValue::new(None::<TimeoutHandle>);
    let titles = {
        let names = names.clone();
        move || {
            let document = session.document();
            let titles = names.each_ref().map(|name| {
                let scenario = document.scenarios.get(name);
                scenario.map_or_else(|| name.to_string(), |scenario| title(name, scenario))
            });
            titles.join(" and ")
        }
    };
    Effect::new(move |is_again: Option<()>| {
        let (domain, names) = (session.domain(), names.clone());
        let ask = move || {
            let document = domain.document().clone();
            let client = session.plan.client();
            let both = names.to_vec();
            let asked = client.check(&document, both, true, move |checks| {
                let result = checks
                    .and_then(|checks| Compared::new(&domain, [&names[0], &names[1]], &checks));
                at.try_set(0);
                compared.try_set(Some(result));
            });
            job.set_value(Some(asked));
        };
        timer.with_value(|timer| timer.iter().for_each(TimeoutHandle::clear));
        match is_again {
            None => ask(),
            Some(()) => timer.set_value(set_timeout_with_handle(ask, PAUSE).ok()),
        }
    });
    on_cleanup(move || {
        timer.with_value(|timer| timer.iter().for_each(TimeoutHandle::clear));
        job.set_value(None);
    });
    view! {
        <section class="scenario-compare" aria-label="Compare">
            <header>
                <h3>"Compare"</h3>
                <span class="dim">{titles}</span>
                <span class="grow"></span>
                <Steps compared at/>
                <button
                    class="bare"
                    aria-label="Close the comparison"
                    title="Close"
                    on:click=move |_| table.compared.set(None)
                >
                    <Icon name=Lucide::X size=14/>
                </button>
            </header>
            {move || match compared.get() {
                None => view! { <p class="hint">"Running both…"</p> }.into_any(),
                Some(Err(reason)) => view! { <p class="message bad">{reason}</p> }.into_any(),
                Some(Ok(compared)) => view! {
                    <div class="compare-body">
                        <Lanes compared=compared.clone() at/>
                        <Contrasts compared/>
                    </div>
                }
                    .into_any(),
            }}
        </section>
    }
}

/// The current difference, and the buttons to the others.
#[component]
fn Steps(
    compared: RwSignal<Option<Result<Compared, String>>>,
    at: RwSignal<usize>,
) -> impl IntoView {
    let count = Memo::new(move |_| {
        compared.with(|compared| match compared {
            Some(Ok(compared)) => compared.differences.len(),
            _ => 0,
        })
    });
    let words = move || {
        let at = at.get();
        compared.with(|compared| match compared {
            Some(Ok(compared)) => match compared.differences.get(at) {
                Some(difference) => format!(
                    "{} at tick {}: {}",
                    place(at, compared.differences.len()),
                    difference.tick,
                    difference.words()
                ),
                None => "The runs are the same.".to_owned(),
            },
            _ => String::new(),
        })
    };
    view! {
        <span class="difference-words" role="status" aria-label="Difference" title=words>{words}</span>
        <button
            disabled=move || at.get() == 0
            on:click=move |_| at.update(|at| *at = at.saturating_sub(1))
        >
            "Previous difference"
        </button>
        <button
            disabled=move || { at.get() + 1 >= count.get() }
            on:click=move |_| at.update(|at| *at += 1)
        >
            "Next difference"
        </button>
    }
}

/// Returns the words for a difference by its index.
fn place(at: usize, count: usize) -> String {
    match at {
        0 => "First difference".to_owned(),
        at => format!("Difference {} of {count}", at + 1),
    }
}

/// Both runs on one scale, with a line at the current difference.
#[component]
fn Lanes(compared: Compared, at: RwSignal<usize>) -> impl IntoView {
    let line = NodeRef::<html::Div>::new();
    Effect::new(move || {
        at.track();
        let options = ScrollIntoViewOptions::new();
        options.set_block(ScrollLogicalPosition::Nearest);
        options.set_inline(ScrollLogicalPosition::Nearest);
        if let Some(line) = line.get() {
            line.scroll_into_view_with_scroll_into_view_options(&options);
        }
    });
    let width = format!("{}px", (compared.last * TICK).min(WIDEST));
    let scale = compared.scale().map(|tick| {
        view! { <span style:left=compared.percent(tick)>{tick}</span> }
    });
    let scale = scale.collect_view();
    let sides = compared.sides.iter().map(|side| side_view(&compared, side));
    let sides = sides.collect_view();
    let count = compared.differences.len();
    let marker = move || {
        let at = at.get();
        let difference = compared.differences.get(at)?;
        let words = format!("{}, tick {}", place(at, count), difference.tick);
        let is_late = difference.tick > compared.last / 2;
        Some(view! {
            <div class="difference-line" class:late=is_late style:left=compared.percent(difference.tick) node_ref=line>
                <i>{words}</i>
            </div>
        })
    };
    view! {
        <div class="compare-lanes" tabindex="0" role="group" aria-label="Runs">
            <div class="compare-scale" style:min-width=width>
                <div class="compare-axis" aria-hidden="true">{scale}</div>
                {sides}
                <div class="difference-lines" aria-hidden="true">{marker}</div>
            </div>
        </div>
    }
}

fn side_view(compared: &Compared, side: &Side) -> impl IntoView + use<> {
    let lane = |(number, lane): (usize, &Lane)| {
        let colour = colour(number);
        let height = format!("{}px", 24 * lane.lines() + 2);
        let bars = lane.bars.iter().map(|bar| bar_view(compared, bar));
        let bars = bars.collect_view();
        let label = format!("Steps of {}, {}", lane.name, side.title);
        let role = (!lane.bars.is_empty()).then_some("list");
        view! {
            <div class="compare-lane" style:--actor=colour>
                <span class="who" title=lane.name.clone()>{lane.name.clone()}</span>
                <div class="track" role=role aria-label=role.map(|_| label) style:height=height>{bars}</div>
            </div>
        }
    };
    let lanes = side.lanes.iter().enumerate().map(lane).collect_view();
    view! {
        <div class="compare-side">
            <p><b>{side.title.clone()}</b> <span class="count">{side.ending.clone()}</span></p>
            {lanes}
        </div>
    }
}

fn bar_view(compared: &Compared, bar: &Bar) -> impl IntoView + use<> {
    let title = format!("{}, ticks {} to {}", bar.text, bar.start, bar.end);
    let title = match bar.has_failed {
        true => format!("{title}, failed"),
        false => title,
    };
    view! {
        <div
            class="compare-bar"
            class:failed=bar.has_failed
            role="listitem"
            title=title
            style:left=compared.percent(bar.start)
            style:width=compared.percent(bar.end.saturating_sub(bar.start))
            style:top=format!("{}px", 24 * bar.line)
        >
            {bar.text.clone()}
        </div>
    }
}

/// The differences between the scenarios, and their consequences.
#[component]
fn Contrasts(compared: Compared) -> impl IntoView {
    let titles = compared.sides.each_ref().map(|side| side.title.clone());
    let list = |title: &'static str, none: &'static str, all: Vec<Contrast>| {
        let none = all.is_empty().then(|| view! { <p class="hint">{none}</p> });
        let rows = all
            .into_iter()
            .map(|contrast| contrast_view(contrast, &titles));
        let rows = rows.collect_view();
        view! {
            <h4>{title}</h4>
            {none}
            <dl>{rows}</dl>
        }
    };
    view! {
        <div class="contrasts" tabindex="0" role="group" aria-label="Differences">
            {list("What differs", "The scenarios are the same.", compared.causes.clone())}
            {list("What follows", "Both runs end the same way.", compared.effects.clone())}
        </div>
    }
}

fn contrast_view(contrast: Contrast, titles: &[String; 2]) -> impl IntoView + use<> {
    let value = match (contrast.first, contrast.second) {
        (Some(first), Some(second)) => {
            view! { <span>{format!("{first} / {second}")}</span> }.into_any()
        }
        (Some(only), None) => only_in(only, &titles[0]),
        (None, Some(only)) => only_in(only, &titles[1]),
        (None, None) => ().into_any(),
    };
    view! {
        <dt>{contrast.what}</dt>
        <dd>{value}</dd>
    }
}

fn only_in(text: String, title: &str) -> AnyView {
    view! {
        <code>{text}</code>
        <span class="dim">{format!("only in “{title}”")}</span>
    }
    .into_any()
}
