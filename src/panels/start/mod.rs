//! The start card of an example: its story, and three things to try, each completed by doing it.

mod progress;

use leptos::prelude::*;

use crate::examples::guides::Step;
use crate::examples::{self, Example};
use crate::page::Page;
use crate::session::View;
use crate::ui::anchor::follow;
pub use progress::{Progress, first_document};

/// The card, while the open document is an example and the card isn't closed.
#[component]
pub fn StartCard() -> impl IntoView {
    let progress = Progress::expect();
    let page = Page::expect();
    move || {
        let is_shown = !progress.is_closed.get() && page.tour.with(Option::is_none);
        let example = progress.example.get().filter(|(_, example)| {
            // Elsewhere it would cover what its steps lead to.
            let opening = example.guide.opening.view();
            is_shown
                && page
                    .session
                    .open
                    .view
                    .with(|view| *view == View::Stage || *view == opening)
        });
        example.map(|(at, example)| card(progress, page, at, example))
    }
}

fn card(progress: Progress, page: Page, at: usize, example: &'static Example) -> impl IntoView {
    let done = progress.done;
    // The first step that isn't done.
    let current = Memo::new(move |_| done.with(|done| done.iter().position(|done| !done)));
    let steps = example.guide.steps.iter().enumerate();
    let rows = steps.clone().map(|(at, step)| {
        let is_done = move || done.with(|done| done[at]);
        view! {
            <li class:done=is_done class:now=move || current.get() == Some(at)>
                <span class="guide-number" aria-hidden="true">{move || if is_done() { "✓".to_owned() } else { (at + 1).to_string() }}</span>
                <div>
                    <b>{step.title}</b>
                    <span class="unseen">{move || if is_done() { " (done)" } else { "" }}</span>
                    <p>{step.text}</p>
                </div>
            </li>
        }
    });
    let dots = steps.map(|(at, step)| {
        view! {
            <Show when=move || done.with(|done| !done[at])>
                <Dot at step/>
            </Show>
        }
    });
    view! {
        <section class="start-card" aria-label="Start">
            <header>
                <span class="dim">{format!("Example {} of {}", at + 1, examples::ALL.len())}</span>
                <button type="button" class="bare" aria-label="Close the start card" title="Close" on:click=move |_| progress.close()>"✕"</button>
            </header>
            <h2>{example.title}</h2>
            <p>{example.guide.story}</p>
            <ol>{rows.collect_view()}</ol>
            <footer>
                <button type="button" class="primary" on:click=move |_| page.command("tour")>
                    "Take the tour " <span>"5 min"</span>
                </button>
                <button type="button" on:click=move |_| page.files.new_document(page.session)>"New document"</button>
            </footer>
        </section>
        {dots.collect_view()}
    }
}

/// The number of a step beside the element to use; none while that isn't on the screen.
#[component]
fn Dot(at: usize, step: &'static Step) -> impl IntoView {
    let bounds = follow(Signal::stored(step.anchors));
    move || {
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
    }
}
