//! The timeline's zoom: how many ticks of the run are visible, and which.

use leptos::ev::{KeyboardEvent, WheelEvent};
use leptos::html;
use leptos::prelude::*;

use super::axis::{Axis, zoomed};
use crate::session::Session;
use crate::ui::icon::{Icon, Lucide};
use crate::ui::typed_key::TypedKey;

/// The assumed width of the timeline in pixels until it is measured.
const FIRST_WIDTH: f64 = 1_000.0;

/// The number of visible ticks; `None` for as many as fit.
pub type Zoom = RwSignal<Option<u32>>;

/// The timeline of a run, with its visible part.
#[derive(Clone, Copy)]
pub struct Timeline {
    /// The axis and its visible range.
    pub axis: Axis,
    /// The number of ticks that shows all that happens.
    fits: u32,
    zoom: Zoom,
    /// The part of the whole axis to the left of the visible one.
    scrolled: RwSignal<f64>,
    view: NodeRef<html::Div>,
}

impl Timeline {
    /// Creates a timeline up to a tick, with the number of ticks that fit on the screen.
    pub fn new(last: u32, fits: u32, zoom: Zoom) -> Self {
        let scrolled = RwSignal::new(0.0);
        let visible = Memo::new(move |_| zoom.get().unwrap_or(fits).clamp(1, last.max(1)));
        // Scrolling redraws only after half a screen.
        let drawn = Memo::new(move |_| {
            let visible = visible.get();
            let half = f64::from(visible.div_ceil(2));
            let left = scrolled.get() * f64::from(last.max(1));
            let from = ((left / half).floor() * half) as u32;
            let from = from.saturating_sub(visible);
            (from, from.saturating_add(4 * visible))
        });
        let axis = Axis {
            last,
            visible,
            drawn,
            pixels: RwSignal::new(FIRST_WIDTH),
        };
        Self {
            axis,
            fits,
            zoom,
            scrolled,
            view: NodeRef::new(),
        }
    }

    /// Returns the center of the zoom: the cursor's tick, or else the first visible one.
    fn centre(self, session: Session) -> f64 {
        let now = untrack(|| session.tick()).map(|now| f64::from(now.min(self.axis.last)));
        now.unwrap_or_else(|| self.scrolled.get_untracked() * f64::from(self.axis.last))
    }

    /// Shows a number of ticks, and keeps a tick at its position on the screen.
    fn show(self, visible: Option<u32>, tick: f64) {
        let last = f64::from(self.axis.last.max(1));
        let Some(view) = self.view.get_untracked() else {
            return;
        };
        let (width, left) = (f64::from(view.client_width()), view.scroll_left());
        let before = width * last / f64::from(self.axis.visible.get_untracked().max(1));
        let at = (tick / last * before - left).clamp(0.0, width);
        self.zoom.set(visible);
        let visible = self.axis.visible;
        request_animation_frame(move || {
            // The timeline may be gone by then.
            let Some(visible) = visible.try_get_untracked() else {
                return;
            };
            let after = width * last / f64::from(visible.max(1));
            view.set_scroll_left(tick / last * after - at);
        });
    }

    fn step(self, is_in: bool, tick: f64) {
        let visible = self.axis.visible.get_untracked();
        self.show(Some(zoomed(visible, self.axis.last, is_in)), tick);
    }

    fn key(self, event: &KeyboardEvent, centre: f64) {
        if event.ctrl_key() || event.alt_key() || event.meta_key() {
            return;
        }
        match event.typed_key().as_str() {
            "+" | "=" => self.step(true, centre),
            "-" => self.step(false, centre),
            "0" => self.show(None, centre),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    }

    fn wheel(self, event: &WheelEvent) {
        // As on the web, the wheel scrolls without Ctrl.
        if !event.ctrl_key() {
            return;
        }
        event.prevent_default();
        event.stop_propagation();
        let Some(view) = self.view.get_untracked() else {
            return;
        };
        let rect = view.get_bounding_client_rect();
        let x = event.client_x() - rect.left() + view.scroll_left();
        let visible = f64::from(self.axis.visible.get_untracked());
        let tick = x / rect.width().max(1.0) * visible;
        self.step(event.delta_y() < 0.0, tick);
    }
}

/// The contents along the ticks. They scroll sideways if they don't fit.
#[component]
pub fn TimelineView(timeline: Timeline, children: Children) -> impl IntoView {
    let session = Session::expect();
    let view = timeline.view;
    let axis = timeline.axis;
    let scroll = move |_| {
        if let Some(view) = view.get_untracked() {
            let part = view.scroll_left() / f64::from(view.scroll_width().max(1));
            timeline.scrolled.set(part);
        }
    };
    let measure = move || {
        if let Some(view) = view.try_get_untracked().flatten() {
            let width = f64::from(view.client_width());
            if width > 0.0 && axis.pixels.get_untracked() != width {
                axis.pixels.set(width);
            }
        }
    };
    Effect::new(move || {
        view.track();
        request_animation_frame(measure);
    });
    let resized = window_event_listener(leptos::ev::resize, move |_| measure());
    on_cleanup(move || resized.remove());
    // The cursor's tick stays visible.
    let now = Memo::new(move |_| session.tick().map(|tick| tick.min(axis.last)));
    Effect::new(move || {
        let Some(now) = now.get() else { return };
        let visible = axis.visible.get_untracked();
        if visible >= axis.last {
            return;
        }
        if let Some(view) = view.get_untracked() {
            let width = f64::from(view.client_width());
            let at = f64::from(now) / f64::from(visible.max(1)) * width;
            let left = view.scroll_left();
            if at < left || at > left + width {
                view.set_scroll_left(at - width / 4.0);
            }
        }
    });
    let centre = move || timeline.centre(session);
    view! {
        <div
            class="course-view"
            role="group"
            aria-label="Timeline"
            node_ref=view
            on:scroll=scroll
            on:wheel=move |event| timeline.wheel(&event)
            on:keydown=move |event| timeline.key(&event, centre())
        >
            <div class="course-inner" style:width=move || format!("{:.3}%", axis.width())>
                {children()}
            </div>
        </div>
    }
}

/// The buttons that zoom.
#[component]
pub fn ZoomButtons(timeline: Timeline) -> impl IntoView {
    let session = Session::expect();
    let axis = timeline.axis;
    let centre = move || timeline.centre(session);
    let fits = timeline.fits;
    view! {
        <div class="joined" role="group" aria-label="Timeline zoom">
            <button
                aria-label="More ticks"
                title="Zoom out (-, Ctrl+wheel)"
                disabled=move || { axis.visible.get() >= axis.last }
                on:click=move |_| timeline.step(false, centre())
            >
                <Icon name=Lucide::Minus size=14/>
            </button>
            <button
                aria-label="Fewer ticks"
                title="Zoom in (+, Ctrl+wheel)"
                disabled=move || { axis.visible.get() <= 4 }
                on:click=move |_| timeline.step(true, centre())
            >
                <Icon name=Lucide::Plus size=14/>
            </button>
            <button
                title="Show everything that happens (0)"
                disabled=move || axis.visible.get() == fits
                on:click=move |_| timeline.show(None, 0.0)
            >
                "Fit"
            </button>
            {(fits < axis.last)
                .then(|| {
                    view! {
                        <button
                            title="Show the whole run"
                            disabled=move || axis.visible.get() == axis.last
                            on:click=move |_| timeline.show(Some(axis.last), 0.0)
                        >
                            "Whole run"
                        </button>
                    }
                })}
        </div>
    }
}
