//! The tour: from an empty document to a task with a Branch, its plan, and somebody who walks on the Stage. A card beside the
//! element to use says what to do, and the tour goes on when the session shows that it is done.

mod steps;

use leptos::html::Section;
use leptos::prelude::*;

use crate::page::{Page, help_pages};
use crate::session::View;
use crate::ui::anchor::{Bounds, bounds_of, follow, window_size};
use crate::ui::list::keep_in_sight;
use crate::ui::live::live;
use crate::web::storage;
use steps::{Place, STEPS};

/// The key under which the browser keeps the step.
const KEY: &str = "taskloom.tour";
/// The size of the card, and its distance from the element, in pixels.
const CARD: (f64, f64) = (308.0, 190.0);
const GAP: f64 = 14.0;
/// The distance of the card from the window's edges, in pixels.
const MARGIN: f64 = 12.0;

/// Continues the tour that was interrupted by leaving the page, and keeps its step.
pub fn restore(page: Page) {
    let kept = storage::get(KEY).and_then(|text| text.parse().ok());
    page.tour.set(kept.filter(|at| *at < STEPS.len()));
    Effect::new(move || {
        let at = page.tour.get();
        let text = at.map(|at| at.to_string()).unwrap_or_default();
        storage::set(KEY, &text);
        let step = at.and_then(|at| STEPS.get(at).map(|step| (at, step)));
        if let Some((number, step)) = step
            && (step.is_done)(page.session)
        {
            page.tour.set(Some(number + 1));
        }
    });
}

/// Starts the tour in a new document.
pub fn start(page: &Page) -> bool {
    page.tour.set(None);
    page.files.new_document(page.session);
    page.session.open.show_view(View::Board);
    page.tour.set(Some(0));
    true
}

/// The card and the ring around the element, while the tour is open.
#[component]
pub fn TourView() -> impl IntoView {
    let page = Page::expect();
    let is_open = Memo::new(move |_| page.tour.with(Option::is_some));
    live(move || is_open.get().then(|| view! { <Card page/> }))
}

#[component]
fn Card(page: Page) -> impl IntoView {
    let at = page.tour;
    let step = move || at.get().and_then(|at| STEPS.get(at));
    let anchors = Signal::derive(move || step().map_or(&[] as &[_], |step| step.anchors));
    let bounds = follow(anchors);
    // The element may be further down in a list.
    Effect::new(move || {
        let anchors = step().map_or(&[] as &[_], |step| step.anchors);
        request_animation_frame(move || {
            let find = |selector: &&str| document().query_selector(selector).ok().flatten();
            if let Some(element) = anchors.iter().find_map(find) {
                keep_in_sight(&element);
            }
        });
    });
    let (card, height) = (NodeRef::<Section>::new(), RwSignal::new(CARD.1));
    Effect::new(move || {
        at.track();
        request_animation_frame(move || {
            let shown = card.try_get_untracked().flatten();
            if let Some(shown) = shown.map(|card| f64::from(card.offset_height())) {
                height.maybe_update(|height| std::mem::replace(height, shown) != shown);
            }
        });
    });
    let corner = Memo::new(move |_| {
        let size = (CARD.0, height.get());
        let element = bounds.get();
        let aside = step().filter(|step| step.card == Place::Aside);
        match aside.and_then(|_| bounds_of(".canvas")) {
            Some(canvas) => aside_in(canvas, size, window_size()),
            None => corner(element, size, window_size()),
        }
    });
    let words = move || match step() {
        Some(step) => (step.title, step.why, step.text),
        None => (
            "Done",
            "You made a person, two rooms and a task with a Branch, and saw the person walk.",
            "The examples show what more there is: senses, goals, events, expectations.",
        ),
    };
    let count = move || match at.get() {
        Some(at) if at < STEPS.len() => format!("Tour, step {} of {}", at + 1, STEPS.len()),
        _ => "Tour".to_owned(),
    };
    view! {
        {move || bounds.get().map(ring)}
        <section
            class="tour-card"
            node_ref=card
            aria-label="Tour"
            style:left=move || format!("{}px", corner.get().0)
            style:top=move || format!("{}px", corner.get().1)
        >
            <div role="status">
                <span class="dim">{count}</span>
                <h2>{move || words().0}</h2>
                <p class="dim">{move || words().1}</p>
                <p>{move || words().2}</p>
            </div>
            <footer>
                {move || match step() {
                    Some(_) => view! {
                        <button type="button" on:click=move |_| at.update(|at| *at = at.map(|at| at + 1))>"Skip step"</button>
                        <button type="button" class="bare" on:click=move |_| at.set(None)>"Leave"</button>
                    }.into_any(),
                    None => view! { <Ending page/> }.into_any(),
                }}
            </footer>
        </section>
    }
}

/// The buttons after the last step.
#[component]
fn Ending(page: Page) -> impl IntoView {
    let examples = move |_| {
        page.tour.set(None);
        page.command("examples");
    };
    view! {
        <button type="button" class="primary" on:click=examples>"Show the examples"</button>
        <a href=help_pages::START target="_blank">"Open the help"</a>
        <button type="button" class="bare" on:click=move |_| page.tour.set(None)>"Leave"</button>
    }
}

fn ring(bounds: Bounds) -> impl IntoView {
    view! {
        <div
            class="tour-ring"
            aria-hidden="true"
            style:left=format!("{}px", bounds.left - 4.0)
            style:top=format!("{}px", bounds.top - 4.0)
            style:width=format!("{}px", bounds.width + 8.0)
            style:height=format!("{}px", bounds.height + 8.0)
        ></div>
    }
}

/// Returns the card's left top corner: beside the element, on the side with room, and inside the
/// window; at the right bottom if there is no element.
fn corner(bounds: Option<Bounds>, card: (f64, f64), (width, height): (f64, f64)) -> (f64, f64) {
    let last = (width - card.0 - MARGIN, height - card.1 - MARGIN);
    let inside = |at: f64, last: f64| at.min(last).max(MARGIN);
    let Some(of) = bounds else {
        return (inside(last.0, last.0), inside(last.1, last.1));
    };
    let (right, left) = (of.left + of.width + GAP, of.left - card.0 - GAP);
    let (below, above) = (of.top + of.height + GAP, of.top - card.1 - GAP);
    if right <= last.0 {
        (right, inside(of.top, last.1))
    } else if left >= MARGIN {
        (left, inside(of.top, last.1))
    } else if below <= last.1 {
        (inside(of.left, last.0), below)
    } else {
        (inside(of.left, last.0), inside(above, last.1))
    }
}

/// Returns the card's left top corner in the canvas's left bottom corner.
fn aside_in(canvas: Bounds, card: (f64, f64), (width, height): (f64, f64)) -> (f64, f64) {
    let left = canvas.left + MARGIN;
    let top = canvas.top + canvas.height - card.1 - MARGIN;
    (
        left.min(width - card.0 - MARGIN).max(MARGIN),
        top.min(height - card.1 - MARGIN).max(MARGIN),
    )
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;

    fn at(left: f64, top: f64, width: f64, height: f64) -> Option<Bounds> {
        Some(Bounds {
            left,
            top,
            width,
            height,
        })
    }

    #[test]
    fn the_card_stays_inside_the_window_and_off_the_element() {
        let window = (1280.0, 720.0);
        assert_eq!(
            corner(at(190.0, 100.0, 20.0, 20.0), CARD, window),
            (224.0, 100.0)
        );
        let left_of_inspector = corner(at(1000.0, 700.0, 260.0, 20.0), CARD, window);
        assert_eq!(left_of_inspector, (678.0, 518.0));
        let below_a_wide_bar = corner(at(0.0, 0.0, 1280.0, 48.0), CARD, window);
        assert_eq!(below_a_wide_bar, (12.0, 62.0));
        assert_eq!(corner(None, CARD, window), (960.0, 518.0));
        assert_eq!(corner(None, (CARD.0, 300.0), window), (960.0, 408.0));
    }

    #[test]
    fn the_card_is_in_the_corner_of_the_canvas_while_something_is_dragged() {
        let canvas = at(190.0, 48.0, 800.0, 400.0).expect("bounds");
        assert_eq!(aside_in(canvas, CARD, (1280.0, 720.0)), (202.0, 246.0));
        assert_eq!(aside_in(canvas, CARD, (390.0, 300.0)), (70.0, 98.0));
    }

    #[test]
    fn steps_say_what_to_press_or_type() {
        let verbs = ["Press ", "Type ", "Double-click ", "Drag ", "Click "];
        for step in STEPS {
            assert!(!step.anchors.is_empty(), "{}", step.title);
            let text = step.text.strip_suffix('.').expect(step.text);
            for sentence in text.split(". ") {
                let is_instruction = verbs.iter().any(|verb| sentence.starts_with(verb));
                assert!(is_instruction, "{}: {sentence}", step.title);
            }
        }
    }
}
