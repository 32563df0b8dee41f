//! The popover with an explanation.

use gloo::events::{EventListener, EventListenerOptions};
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::KeyboardEvent;

use super::explanation::{EarlyEnd, Explanation, FailedCondition, Rejected, explain};
use super::failure::WhyFalse;
use super::place::place;
use super::worlds::Belief;
use crate::page::{Link, Linked};
use crate::session::{LinkTarget, LinkedText, Question, Session};
use crate::ui::anchor::window_size;
use crate::ui::avatar::Avatar;
use crate::ui::icon::{Icon, Lucide};
use crate::ui::live::live;

/// The popover of the question that was asked last.
#[component]
pub fn WhyPopover() -> impl IntoView {
    let session = Session::expect();
    let question = session.desk.boxes.question;
    // Another answer may no longer have what was asked about.
    let explained = Memo::new(move |_| {
        let question = question.get()?;
        let answer = session.plan.answer.get()?;
        let explanation = explain(&session.domain_untracked(), &answer, question.subject)?;
        Some((question, explanation))
    });
    live(move || {
        let (question, explanation) = explained.get()?;
        Some(view! { <Popover question explanation/> })
    })
}

#[component]
fn Popover(question: Question, explanation: Explanation) -> impl IntoView {
    let session = Session::expect();
    let element = NodeRef::<html::Div>::new();
    // The browser closes it on Escape and on a press outside, and returns the focus.
    Effect::new(move || {
        if let Some(popover) = element.get() {
            show(&popover, question);
        }
    });
    let toggled = move |_| {
        let popover = element.get_untracked();
        let is_open = |popover: &web_sys::HtmlDivElement| popover.matches(":popover-open");
        if !popover.is_some_and(|popover| is_open(&popover).unwrap_or(false)) {
            session.desk.end_question(question);
        }
    };
    let close = move || {
        if let Some(popover) = element.get_untracked() {
            // A popover that is already closed stays closed.
            let _ = popover.hide_popover();
        }
    };
    on_escape(close);
    let key = move |event: KeyboardEvent| {
        // The keys of the page are not meant.
        event.stop_propagation();
    };
    let is_old = move || session.plan.is_old();
    let actor = explanation
        .character
        .map(|number| view! { <Avatar number size=28/> });
    let Explanation {
        title,
        position,
        outcome,
        reason,
        path,
        decided_at,
        grounds,
        taken,
        rejected,
        beliefs,
        answers,
        more_answers,
        block,
        tick,
        ..
    } = explanation;
    let label = title.clone();
    view! {
        <div
            class="why"
            popover="auto"
            role="dialog"
            aria-label=label
            tabindex="-1"
            node_ref=element
            on:toggle=toggled
            on:keydown=key
        >
            <div class="why-head">
                {actor}
                <div>
                    <h2>{title}</h2>
                    <span class="dim">{position}</span>
                </div>
                <button class="bare" aria-label="Close" title="Close (Esc)" on:click=move |_| close()><Icon name=Lucide::X size=14/></button>
            </div>
            <div class="why-body">
                {move || is_old().then(|| view! { <p class="dim">"From before your last change."</p> })}
                {outcome.map(|(kind, text)| outcome_view(kind, text))}
                <section>
                    <h3>"Reason"</h3>
                    <p><Linked text=reason/></p>
                    {(!path.is_empty()).then(|| path_view(path))}
                </section>
                {decided_at
                    .map(|tick| {
                        let text = LinkedText::from("Decided at tick ").tick(tick).text(".");
                        view! { <p class="dim"><Linked text/></p> }
                    })}
                {(!grounds.is_empty()).then(|| grounds_view(grounds))}
                {taken
                    .map(|text| {
                        view! {
                            <section class="taken">
                                <h3>"Alternative taken"</h3>
                                <p><Linked text/></p>
                            </section>
                        }
                    })}
                {(!rejected.is_empty()).then(|| rejected_view(rejected))}
                {(!beliefs.is_empty()).then(|| beliefs_view(beliefs))}
                {(!answers.is_empty()).then(|| answers_view(answers, more_answers))}
            </div>
            <Buttons block tick close=Callback::new(move |()| close())/>
        </div>
    }
}

/// Shows a popover beside what the question is about.
fn show(popover: &web_sys::HtmlDivElement, question: Question) {
    // A popover that is already open stays open.
    let _ = popover.show_popover();
    let rect = popover.get_bounding_client_rect();
    let own = (rect.width(), rect.height());
    let position = place(question.anchor, own, window_size());
    let style = web_sys::HtmlElement::style(popover);
    for (name, at) in [
        ("left", position.left),
        ("top", position.top),
        ("--why-arrow", position.arrow),
    ] {
        // Lengths in pixels are always valid.
        let _ = style.set_property(name, &format!("{at:.0}px"));
    }
    let _ = popover.set_attribute("data-side", position.side);
    // A question asked by mouse leaves the focus where it is.
    let focused = document().active_element();
    if focused.is_some_and(|focused| focused.matches(":focus-visible").unwrap_or(false)) {
        // An element that can't be focused keeps the focus where it is.
        let _ = popover.focus();
    }
}

/// Calls `close` on Escape: before the page's own keys, wherever the focus is.
fn on_escape(close: impl Fn() + 'static) {
    let first = EventListenerOptions {
        passive: false,
        ..EventListenerOptions::run_in_capture_phase()
    };
    let escape = EventListener::new_with_options(&window(), "keydown", first, move |event| {
        let key = event.dyn_ref::<KeyboardEvent>().map(KeyboardEvent::key);
        if key.as_deref() == Some("Escape") {
            event.prevent_default();
            event.stop_propagation();
            close();
        }
    });
    let escape = StoredValue::new_local(Some(escape));
    on_cleanup(move || {
        // A listener whose owner is gone is gone, too.
        let _ = escape.try_update_value(Option::take);
    });
}

/// The buttons that show the block and the tick.
#[component]
fn Buttons(block: Option<LinkTarget>, tick: Option<u32>, close: Callback<()>) -> impl IntoView {
    let block = block.map(|target| {
        view! { <Link target text="Show in method" class="" before=close/> }
    });
    let tick = tick.map(|tick| {
        let text = format!("Go to tick {tick}");
        view! { <Link target=LinkTarget::Tick(tick) text class="" before=close/> }
    });
    (block.is_some() || tick.is_some())
        .then(|| view! { <div class="why-foot">{block} {tick}</div> })
}

fn outcome_view(kind: EarlyEnd, text: LinkedText) -> impl IntoView {
    let (class, title) = match kind {
        EarlyEnd::Failed => ("failed", "Failed"),
        EarlyEnd::Interrupted => ("interrupted", "Interrupted"),
        EarlyEnd::Stopped => ("interrupted", "Stopped"),
    };
    view! {
        <section class=class>
            <h3>{title}</h3>
            <p><Linked text/></p>
        </section>
    }
}

fn path_view(path: Vec<LinkedText>) -> impl IntoView {
    let tasks = path
        .into_iter()
        .map(|text| view! { <li><Linked text/></li> });
    view! { <ol class="why-path" aria-label="Tasks above it">{tasks.collect_view()}</ol> }
}

fn grounds_view(grounds: Vec<LinkedText>) -> impl IntoView {
    let rows = grounds.into_iter();
    let rows = rows.map(|text| view! { <li><Linked text/></li> });
    view! {
        <section class="grounds">
            <h3>"Because"</h3>
            <ul>{rows.collect_view()}</ul>
        </section>
    }
}

fn rejected_view(rejected: Vec<Rejected>) -> impl IntoView {
    let row = |Rejected { text, failure }| {
        view! {
            <li>
                <Linked text/>
                {failure.map(condition_view)}
            </li>
        }
    };
    view! {
        <section class="rejected">
            <h3>"Not taken"</h3>
            <ul>{rejected.into_iter().map(row).collect_view()}</ul>
        </section>
    }
}

fn condition_view(failed: FailedCondition) -> impl IntoView {
    let why = match failed.why {
        WhyFalse::Part(part) => view! { <code>{part}</code> <span>"is false"</span> }.into_any(),
        WhyFalse::Words(why) => view! { <span>{why}</span> }.into_any(),
    };
    let seen = failed.seen;
    let seen = (!seen.is_empty()).then(|| view! { <span><Linked text=seen/></span> });
    view! {
        <p class="why-condition">
            {why}
            {seen}
        </p>
    }
}

fn beliefs_view(beliefs: Vec<Belief>) -> impl IntoView {
    let is_wrong = beliefs.iter().any(Belief::is_wrong);
    let row = |belief: Belief| {
        let fact = LinkedText::default().atom(&belief.atom);
        view! {
            <tr class:why-wrong=belief.is_wrong()>
                <th scope="row"><Linked text=fact/></th>
                <td>{belief.believed.to_string()}</td>
                <td>{belief.actual.to_string()}</td>
            </tr>
        }
    };
    view! {
        <section class:why-wrong=is_wrong class="beliefs">
            <h3>{if is_wrong { "Wrong belief behind it" } else { "Belief behind it" }}</h3>
            <table>
                <thead>
                    <tr>
                        <th scope="col">"Fact"</th>
                        <th scope="col">"Believed"</th>
                        <th scope="col">"World"</th>
                    </tr>
                </thead>
                <tbody>{beliefs.into_iter().map(row).collect_view()}</tbody>
            </table>
        </section>
    }
}

fn answers_view(answers: Vec<(String, String)>, more: usize) -> impl IntoView {
    let row = |(query, objects)| view! { <tr><th scope="row">{query}</th><td>{objects}</td></tr> };
    let more = (more > 0).then(|| view! { <p class="dim">{format!("and {more} more")}</p> });
    view! {
        <section class="answers">
            <h3>"Answers of the game"</h3>
            <table>
                <thead>
                    <tr>
                        <th scope="col">"Query"</th>
                        <th scope="col">"Objects"</th>
                    </tr>
                </thead>
                <tbody>{answers.into_iter().map(row).collect_view()}</tbody>
            </table>
            {more}
        </section>
    }
}
