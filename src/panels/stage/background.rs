//! The image below the map: chosen from a file, and aligned by its corners.

use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::html::Input;
use leptos::prelude::*;
use taskloom::document::Point;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::Element;

use super::Stage;
use super::arrange::Rect;
use super::map_menu::MENU;
use super::picture::stride;
use super::token::shift;
use crate::session::{Background, Session};
use crate::ui::drag::{Drag, drag};
use crate::web::image::scaled_down;

/// The opacity of a new image.
const OPACITY: f64 = 0.6;
/// The smallest width and height of an image on the map.
const SMALLEST: i32 = 40;

/// The image, below everything else.
#[component]
pub fn BackgroundView() -> impl IntoView {
    let session = Session::expect();
    let background = session.storage.background;
    let address = Memo::new(move |_| {
        background.with(|image| image.as_ref().map(|image| image.address.clone()))
    });
    let of = move |read: fn(&Background) -> String| {
        background.with(|image| image.as_ref().map(|image| read(image)).unwrap_or_default())
    };
    move || {
        address.get().map(|address| {
            view! {
                <img
                    class="stage-image"
                    alt=""
                    draggable="false"
                    src=address
                    style:transform=move || of(|image| shift(image.at))
                    style:width=move || of(|image| format!("{}px", image.size.x))
                    style:height=move || of(|image| format!("{}px", image.size.y))
                    style:opacity=move || of(|image| image.opacity.to_string())
                />
            }
        })
    }
}

/// Changes the image.
fn change(session: Session, change: impl FnOnce(&mut Background)) {
    preview(session, change);
    session.write_background();
}

/// Changes the image without storing it yet.
fn preview(session: Session, change: impl FnOnce(&mut Background)) {
    let background = session.storage.background.get_untracked();
    if let Some(mut background) = background.map(|image| (*image).clone()) {
        change(&mut background);
        session.preview_background(background);
    }
}

/// Returns the largest box with these proportions in the middle of another one.
fn fitted(size: Point, bounds: Rect) -> Rect {
    let (x, y) = (f64::from(size.x.max(1)), f64::from(size.y.max(1)));
    let scale = (f64::from(bounds.width) / x).min(f64::from(bounds.height) / y);
    let (width, height) = ((x * scale).round() as i32, (y * scale).round() as i32);
    let at = Point {
        x: bounds.at.x + (bounds.width - width) / 2,
        y: bounds.at.y + (bounds.height - height) / 2,
    };
    Rect { at, width, height }
}

/// The commands about the image.
#[component]
pub fn BackgroundItems(stage: Stage) -> impl IntoView {
    let session = stage.session;
    let background = session.storage.background;
    let input = NodeRef::<Input>::new();
    let has_one = Memo::new(move |_| background.with(Option::is_some));
    let bounds = move || stage.stands.with_untracked(|stands| stands.bounds);
    let chosen = move |_| {
        let Some(input) = input.get_untracked() else {
            return;
        };
        let file = input.files().and_then(|files| files.get(0));
        // The same file can be chosen again.
        input.set_value("");
        let Some(file) = file else { return };
        let opened = session.storage.opened.get_untracked();
        spawn_local(async move {
            match scaled_down(&file).await {
                Ok(_) if session.storage.opened.get_untracked() != opened => {}
                Ok((address, (width, height))) => {
                    let size = Point {
                        x: width,
                        y: height,
                    };
                    let rect = fitted(size, bounds());
                    session.set_background(Some(Background {
                        address,
                        at: rect.at,
                        size: Point {
                            x: rect.width,
                            y: rect.height,
                        },
                        opacity: OPACITY,
                    }));
                }
                Err(reason) => {
                    session.complain(format!(
                        "Couldn't use {} as a background: {reason}",
                        file.name()
                    ));
                }
            }
        });
    };
    let fit = move |_| {
        change(session, |image| {
            let rect = fitted(image.size, bounds());
            image.at = rect.at;
            image.size = Point {
                x: rect.width,
                y: rect.height,
            };
        });
    };
    let fade = move |event| {
        if let Ok(percent) = event_target_value(&event).parse::<f64>() {
            change(session, |image| {
                image.opacity = (percent / 100.0).clamp(0.0, 1.0)
            });
        }
    };
    let percent =
        move || background.with(|image| image.as_ref().map_or(0.0, |image| image.opacity * 100.0));
    view! {
        <input
            type="file"
            hidden
            aria-label="Image file"
            accept="image/png,image/jpeg,image/webp,image/svg+xml"
            node_ref=input
            on:change=chosen
        />
        <button
            title="Shown below the map. It stays in this browser, and isn't part of the document's file."
            on:click=move |_| if let Some(input) = input.get_untracked() { input.click() }
        >
            {move || if has_one.get() { "Replace the background image…" } else { "Background image…" }}
        </button>
        <Show when=move || has_one.get()>
            <label>
                <span>"Opacity"</span>
                <input type="range" min="10" max="100" step="5" aria-label="Opacity of the background image" prop:value=move || percent().round().to_string() on:change=fade/>
            </label>
            <button popovertarget=MENU popovertargetaction="hide" on:click=move |_| stage.is_aligning.set(true)>
                "Align the image…"
            </button>
            <button on:click=fit>"Fit the image to the map"</button>
            <button on:click=move |_| { stage.is_aligning.set(false); session.set_background(None) }>
                "Remove the image"
            </button>
        </Show>
    }
}

/// The part of the image that is dragged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Grip {
    /// The image as a whole.
    All,
    /// The upper left corner.
    Start,
    /// The lower right corner.
    End,
}

impl Grip {
    /// Returns the box of an image whose part is moved.
    fn moved(self, at: Point, size: Point, by: Point) -> (Point, Point) {
        match self {
            Self::All => (plus(at, by), size),
            Self::Start => {
                let end = plus(at, size);
                let start = plus(at, by);
                let start = Point {
                    x: start.x.min(end.x - SMALLEST),
                    y: start.y.min(end.y - SMALLEST),
                };
                (
                    start,
                    Point {
                        x: end.x - start.x,
                        y: end.y - start.y,
                    },
                )
            }
            Self::End => {
                let size = plus(size, by);
                (
                    at,
                    Point {
                        x: size.x.max(SMALLEST),
                        y: size.y.max(SMALLEST),
                    },
                )
            }
        }
    }
}

fn plus(one: Point, other: Point) -> Point {
    super::moved(one, other)
}

/// The frame around the image while it is being aligned, with its corners.
#[component]
pub fn Alignment(stage: Stage) -> impl IntoView {
    let session = stage.session;
    let background = session.storage.background;
    let shape = move || {
        background.with(|image| {
            let image = image.as_ref()?;
            Some((image.at, image.size))
        })
    };
    let left = move || shape().map_or_else(Default::default, |(at, _)| at);
    let size = move || shape().map_or_else(Default::default, |(_, size)| size);
    let press = move |grip: Grip, event: PointerEvent| {
        let target = event
            .current_target()
            .and_then(|t| t.dyn_into::<Element>().ok());
        let (Some(target), Some((at, size)), 0) = (target, untrack(shape), event.button()) else {
            return;
        };
        event.stop_propagation();
        let (x, y) = (event.client_x(), event.client_y());
        drag(&target, &event, move |step| match step {
            Drag::Moved(event) => {
                let zoom = stage.camera.get_untracked().zoom;
                let by = Point {
                    x: ((event.client_x() - x) / zoom).round() as i32,
                    y: ((event.client_y() - y) / zoom).round() as i32,
                };
                let (at, size) = grip.moved(at, size, by);
                preview(session, |image| (image.at, image.size) = (at, size));
            }
            Drag::Cancelled => change(session, |image| (image.at, image.size) = (at, size)),
            Drag::Released => session.write_background(),
        });
    };
    let key = move |grip: Grip, event: KeyboardEvent| {
        if matches!(event.key().as_str(), "Escape") {
            event.prevent_default();
            event.stop_propagation();
            return stage.is_aligning.set(false);
        }
        let Some(by) = stride(&event) else { return };
        event.prevent_default();
        event.stop_propagation();
        change(session, |image| {
            (image.at, image.size) = grip.moved(image.at, image.size, by)
        });
    };
    let corner = move |grip: Grip, class: &'static str, label: &'static str| {
        view! {
            <button
                class=class
                aria-label=label
                title="Drag, or move with the arrow keys"
                on:pointerdown=move |event| press(grip, event)
                on:keydown=move |event| key(grip, event)
            ></button>
        }
    };
    view! {
        <div
            class="stage-align"
            role="group"
            aria-label="Background image"
            style:transform=move || shift(left())
            style:width=move || format!("{}px", size().x)
            style:height=move || format!("{}px", size().y)
            style:--unzoom=move || (1.0 / stage.camera.get().zoom).to_string()
            on:pointerdown=move |event| press(Grip::All, event)
        >
            {corner(Grip::Start, "stage-grip start", "Upper left corner of the image")}
            {corner(Grip::End, "stage-grip end", "Lower right corner of the image")}
            <button
                class="primary stage-aligned"
                autofocus=true
                on:pointerdown=|event| event.stop_propagation()
                on:click=move |_| stage.is_aligning.set(false)
            >
                "Done"
            </button>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(x: i32, y: i32) -> Point {
        Point { x, y }
    }

    #[test]
    fn images_fit_into_the_map() {
        let bounds = Rect {
            at: point(10, 20),
            width: 400,
            height: 300,
        };
        let fitted = |x, y| {
            let Rect { at, width, height } = fitted(point(x, y), bounds);
            (at.x, at.y, width, height)
        };
        assert_eq!(fitted(800, 600), (10, 20, 400, 300));
        assert_eq!(fitted(100, 100), (60, 20, 300, 300));
        assert_eq!(fitted(1000, 100), (10, 150, 400, 40));
    }

    #[test]
    fn corners_are_dragged_to_a_least_size() {
        let (at, size) = (point(10, 10), point(100, 80));
        assert_eq!(
            Grip::All.moved(at, size, point(5, -5)),
            (point(15, 5), size)
        );
        assert_eq!(
            Grip::Start.moved(at, size, point(20, 10)),
            (point(30, 20), point(80, 70))
        );
        assert_eq!(
            Grip::End.moved(at, size, point(20, 10)),
            (at, point(120, 90))
        );
        assert_eq!(
            Grip::End.moved(at, size, point(-999, -999)),
            (at, point(40, 40))
        );
        assert_eq!(
            Grip::Start.moved(at, size, point(999, 0)),
            (point(70, 10), point(40, 80))
        );
    }
}
