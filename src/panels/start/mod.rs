//! The start card of an example: its story, and three things to try, each completed by doing it.

mod progress;

use leptos::prelude::*;

use crate::examples::guides::Step;
use crate::examples::{self, Example};
use crate::page::Page;
use crate::panels::stage::StageCamera;
use crate::session::{Room, View};
use crate::ui::anchor::follow;
use crate::ui::icon::{Icon, Lucide};
use crate::ui::live::live;
use progress::CardState;
use progress::Help;
pub use progress::{Progress, first_document};

/// The width of the Stage's left side that the open card covers, in pixels; see style/panels/start.css.
const COVER: f64 = 312.0;

/// The card, while the open document is an example and the card isn't closed. Over a diagram it is
/// a line, since the whole would cover what its steps lead to.
#[component]
pub fn StartCard() -> impl IntoView {
    let progress = Progress::expect();
    let page = Page::expect();
    let stage = StageCamera::expect();
    let view = page.session.open.view;
    let is_unfolded = RwSignal::new(false);
    // Over a diagram it is unfolded only until something else is shown.
    Effect::new(move || {
        view.track();
        is_unfolded.set(false);
    });
    let form = Memo::new(move |_| {
        let is_shown = progress.example.with(Option::is_some) && page.tour.with(Option::is_none);
        let (view, card) = (view.get(), progress.card.get());
        if !is_shown || card == CardState::Closed || view == View::Scenarios {
            return None;
        }
        let (place, is_folded) = match view {
            View::Stage => ("on-stage", card == CardState::Folded),
            View::Board => ("on-board", !is_unfolded.get()),
            _ => ("on-method", !is_unfolded.get()),
        };
        Some(Form { is_folded, place })
    });
    Effect::new(move || {
        let covers = form.get().is_some_and(|form| !form.is_folded);
        let is_sheet = page.session.desk.folding.room() == Room::Phone;
        stage.set_cover(if covers && !is_sheet { COVER } else { 0.0 });
    });
    let fold = Callback::new(move |folds: bool| {
        if view.with_untracked(|view| *view != View::Stage) {
            is_unfolded.set(!folds);
        } else if folds {
            progress.set_card(CardState::Folded);
        } else {
            progress.set_card(CardState::Open);
        }
    });
    live(move || {
        let (form, (at, example)) = form.get().zip(progress.example.get())?;
        let card = match form.is_folded {
            true => line(progress, example, form, fold).into_any(),
            false => whole(progress, page, (at, example), form, fold).into_any(),
        };
        Some(card)
    })
}

/// The form of the card: what it shows, and the class that places it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Form {
    is_folded: bool,
    place: &'static str,
}

/// Returns the first step that isn't done. Tracked.
fn current(progress: Progress) -> Option<usize> {
    progress
        .done
        .with(|done| done.iter().position(|done| !done))
}

/// The buttons of the card's corner: one folds or opens it, the other closes it.
fn corner(progress: Progress, is_folded: bool, fold: Callback<bool>) -> impl IntoView {
    let (label, icon) = match is_folded {
        true => ("Show the steps", Lucide::ChevronDown),
        false => ("Fold to a line", Lucide::ChevronUp),
    };
    view! {
        <button
            type="button" class="bare" aria-label=label title=label aria-expanded=(!is_folded).to_string()
            on:click=move |_| fold.run(!is_folded)
        >
            <Icon name=icon/>
        </button>
        <button
            type="button" class="bare" aria-label="Close the start card" title="Close"
            on:click=move |_| progress.set_card(CardState::Closed)
        >
            <Icon name=Lucide::X size=14/>
        </button>
    }
}

/// The number of a step; a check once it is done.
fn number(at: Option<usize>) -> impl IntoView {
    let content = match at {
        Some(at) => (at + 1).to_string().into_any(),
        None => view! { <Icon name=Lucide::Check size=14/> }.into_any(),
    };
    view! { <span class="guide-number" aria-hidden="true">{content}</span> }
}

/// The folded card: the current step.
fn line(
    progress: Progress,
    example: &'static Example,
    form: Form,
    fold: Callback<bool>,
) -> impl IntoView {
    let current = Memo::new(move |_| current(progress));
    let steps = &example.guide.steps;
    let step = move || current.get().and_then(|at| steps.get(at));
    // What happened instead of what the step announces has its place.
    let happened = Memo::new(move |_| progress.help(step()?, example.guide.tick())?.happened);
    view! {
        <section class=format!("start-card folded {}", form.place) aria-label="Start">
            {move || number(current.get())}
            <p title=move || step().map(|step| step.text) class:unseen=move || happened.get().is_some()>
                {move || step().map_or("All steps done", |step| step.text)}
            </p>
            {move || step().map(|step| help(progress, example, step))}
            {corner(progress, true, fold)}
        </section>
        {dots(progress, example)}
    }
}

/// The card with all steps.
fn whole(
    progress: Progress,
    page: Page,
    (at, example): (usize, &'static Example),
    form: Form,
    fold: Callback<bool>,
) -> impl IntoView {
    let done = progress.done;
    let current = Memo::new(move |_| current(progress));
    let steps = example.guide.steps.iter().enumerate();
    let rows = steps.map(|(at, step)| {
        let is_done = move || done.with(|done| done[at]);
        view! {
            <li class:done=is_done class:now=move || current.get() == Some(at)>
                {move || number((!is_done()).then_some(at))}
                <div>
                    <b>{step.title}</b>
                    <span class="unseen">{move || if is_done() { " (done)" } else { "" }}</span>
                    <p>{step.text}</p>
                    {move || (current.get() == Some(at)).then(|| help(progress, example, step))}
                </div>
            </li>
        }
    });
    view! {
        <section class=format!("start-card {}", form.place) aria-label="Start">
            <header>
                <h2>{example.title}</h2>
                <span class="grow"></span>
                <span class="dim" title="Example">{format!("{} of {}", at + 1, examples::ALL.len())}</span>
                {corner(progress, false, fold)}
            </header>
            <p>{example.guide.story}</p>
            <ol>{rows.collect_view()}</ol>
            <footer>
                <button type="button" class="primary" on:click=move |_| page.command("tour")>
                    "Take the tour " <span>"7 min"</span>
                </button>
                <button type="button" on:click=move |_| page.files.new_document(page.session)>"New document"</button>
            </footer>
        </section>
        {dots(progress, example)}
    }
}

/// Tells the outcome if it isn't the announced one, with a button that goes to the tick at which to try
/// again.
fn help(progress: Progress, example: &'static Example, step: &'static Step) -> impl IntoView {
    let help = Memo::new(move |_| progress.help(step, example.guide.tick()));
    live(move || {
        help.get().map(|Help { happened, tick }| {
            let button = match happened {
                Some(_) => format!("Try again at tick {tick}"),
                None => format!("Go to tick {tick}"),
            };
            let words = happened.map(|words| view! { <span>{words}</span> });
            view! {
                <div class="guide-help" role="status">
                    {words}
                    <button type="button" on:click=move |_| progress.go_back(tick)>{button}</button>
                </div>
            }
        })
    })
}

/// The numbers beside the elements that the remaining steps use.
fn dots(progress: Progress, example: &'static Example) -> impl IntoView {
    let steps = example.guide.steps.iter().enumerate();
    let dots = steps.map(|(at, step)| {
        view! {
            <Show when=move || progress.done.with(|done| !done[at])>
                <Dot at step/>
            </Show>
        }
    });
    dots.collect_view()
}

/// The number of a step beside the element to use; none while that isn't on the screen.
#[component]
fn Dot(at: usize, step: &'static Step) -> impl IntoView {
    let bounds = follow(Signal::stored(step.anchors));
    live(move || {
        bounds.get().map(|bounds| {
            view! {
                <span
                    class="guide-dot"
                    aria-hidden="true"
                    style:left=format!("{}px", bounds.left + bounds.width - 8.0)
                    style:top=format!("{}px", bounds.top - 10.0)
                >
                    {at + 1}
                </span>
            }
        })
    })
}
