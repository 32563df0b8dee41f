//! The tour: ten steps from an empty document to a run. A card beside the element to use says what
//! to do, and the tour goes on when the session shows that it is done.

mod steps;

use leptos::prelude::*;

use crate::page::{Page, help_pages};
use crate::session::{Session, View};
use crate::ui::anchor::{Bounds, follow, window_size};
use crate::web::storage;
use steps::STEPS;

/// The key under which the browser keeps the step.
const KEY: &str = "taskloom.tour";
/// The size of the card, and its distance from the element, in pixels.
const CARD: (f64, f64) = (308.0, 190.0);
const GAP: f64 = 14.0;
/// The distance of the card from the window's edges, in pixels.
const MARGIN: f64 = 12.0;

/// The state of the tour, provided as context.
#[derive(Clone, Copy)]
pub struct Tour {
    session: Session,
    /// The current step; the number of steps after the last one; `None` outside the tour.
    at: RwSignal<Option<usize>>,
}

impl Tour {
    /// Continues the tour that was interrupted by leaving the page, and provides it.
    pub fn provide(session: Session) {
        let kept = storage::get(KEY).and_then(|text| text.parse().ok());
        let at = RwSignal::new(kept.filter(|at| *at < STEPS.len()));
        let tour = Self { session, at };
        Effect::new(move || {
            let at = at.get();
            let text = at.map(|at| at.to_string()).unwrap_or_default();
            storage::set(KEY, &text);
            let step = at.and_then(|at| STEPS.get(at).map(|step| (at, step)));
            if let Some((number, step)) = step
                && (step.is_done)(session)
            {
                tour.at.set(Some(number + 1));
            }
        });
        provide_context(tour);
    }

    /// Returns the tour that an ancestor provided.
    pub fn expect() -> Self {
        use_context().expect("the page provides it")
    }

    /// Returns the current step. Tracked.
    pub fn step(self) -> Option<usize> {
        self.at.get()
    }

    /// Starts the tour in a new document.
    pub fn start(self, page: Page) {
        self.at.set(None);
        page.files.new_document(self.session);
        self.session.open.show_view(View::Board);
        self.at.set(Some(0));
    }

    fn skip(self) {
        self.at.update(|at| *at = at.map(|at| at + 1));
    }

    fn leave(self) {
        self.at.set(None);
    }
}

/// The card and the ring around the element, while the tour is open.
#[component]
pub fn TourView() -> impl IntoView {
    let tour = Tour::expect();
    let is_open = Memo::new(move |_| tour.at.get().is_some());
    move || is_open.get().then(|| view! { <Card tour/> })
}

#[component]
fn Card(tour: Tour) -> impl IntoView {
    let step = move || tour.at.get().and_then(|at| STEPS.get(at));
    let anchors = Signal::derive(move || step().map_or(&[] as &[_], |step| step.anchors));
    let bounds = follow(anchors);
    let corner = Memo::new(move |_| corner(bounds.get(), window_size()));
    let words = move || match step() {
        Some(step) => (step.title, step.why, step.text),
        None => (
            "Done",
            "You made a fact, tasks, a method and a scenario, and saw the plan and its run.",
            "The examples show what more there is: senses, goals, events, expectations.",
        ),
    };
    let count = move || match tour.at.get() {
        Some(at) if at < STEPS.len() => format!("Tour, step {} of {}", at + 1, STEPS.len()),
        _ => "Tour".to_owned(),
    };
    view! {
        {move || bounds.get().map(ring)}
        <section
            class="tour-card"
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
                        <button type="button" on:click=move |_| tour.skip()>"Skip step"</button>
                        <button type="button" class="bare" on:click=move |_| tour.leave()>"Leave"</button>
                    }.into_any(),
                    None => view! { <Ending tour/> }.into_any(),
                }}
            </footer>
        </section>
    }
}

/// The buttons after the last step.
#[component]
fn Ending(tour: Tour) -> impl IntoView {
    let page = Page::expect();
    let examples = move |_| {
        tour.leave();
        page.command("examples");
    };
    view! {
        <button type="button" class="primary" on:click=examples>"Show the examples"</button>
        <a href=help_pages::START target="_blank">"Open the help"</a>
        <button type="button" class="bare" on:click=move |_| tour.leave()>"Leave"</button>
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
fn corner(bounds: Option<Bounds>, (width, height): (f64, f64)) -> (f64, f64) {
    let last = (width - CARD.0 - MARGIN, height - CARD.1 - MARGIN);
    let inside = |at: f64, last: f64| at.min(last).max(MARGIN);
    let Some(of) = bounds else {
        return (inside(last.0, last.0), inside(last.1, last.1));
    };
    let (right, left) = (of.left + of.width + GAP, of.left - CARD.0 - GAP);
    let (below, above) = (of.top + of.height + GAP, of.top - CARD.1 - GAP);
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
        assert_eq!(corner(at(190.0, 100.0, 20.0, 20.0), window), (224.0, 100.0));
        let beside_inspector = corner(at(1000.0, 700.0, 260.0, 20.0), window);
        assert_eq!(beside_inspector, (678.0, 518.0));
        let below_a_wide_bar = corner(at(0.0, 0.0, 1280.0, 48.0), window);
        assert_eq!(below_a_wide_bar, (12.0, 62.0));
        assert_eq!(corner(None, window), (960.0, 518.0));
    }

    #[test]
    fn steps_name_what_they_ask_to_type() {
        assert_eq!(STEPS.len(), 10);
        for step in STEPS {
            assert!(!step.anchors.is_empty(), "{}", step.title);
            assert!(step.text.ends_with('.'), "{}", step.title);
        }
    }
}
