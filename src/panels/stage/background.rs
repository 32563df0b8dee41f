//! The image below the map: chosen from a file, and aligned by its corners.

use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::html::Input;
use leptos::prelude::*;
use taskloom_document::Point;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, File};

use super::arrange::Rect;
use super::map_menu::MENU;
use super::picture::stride;
use super::state::{Stage, moved};
use super::token::shift;
use crate::canvas::geometry::Vec2;
use crate::session::{Background, Session};
use crate::ui::drag::{Drag, drag};
use crate::ui::live::live;
use crate::ui::typed_key::TypedKey;
use crate::web::image::scaled_down;

/// The opacity of a new image.
const OPACITY: f64 = 0.6;
/// The smallest width and height of an image on the map.
const SMALLEST: i32 = 40;

/// The image, below everything else.
#[component]
pub fn BackgroundView() -> impl IntoView {
    let session = Session::expect();
    let background = session.open.background;
    let address = Memo::new(move |_| {
        background.with(|image| image.as_ref().map(|image| image.address.clone()))
    });
    let of = move |read: fn(&Background) -> String| {
        background.with(|image| image.as_ref().map(|image| read(image)).unwrap_or_default())
    };
    live(move || {
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
    })
}

/// Changes the image.
fn change(session: Session, change: impl FnOnce(&mut Background)) {
    preview(session, change);
    session.write_background();
}

/// Changes the image without storing it yet.
fn preview(session: Session, change: impl FnOnce(&mut Background)) {
    let background = session.open.background.get_untracked();
    if let Some(mut background) = background.map(|image| (*image).clone()) {
        change(&mut background);
        session.preview_background(background);
    }
}

/// Returns the position and size of an image that is as large as fits into a box, in its middle.
fn fitted(size: Point, bounds: Rect) -> (Point, Point) {
    let (x, y) = (f64::from(size.x.max(1)), f64::from(size.y.max(1)));
    let scale = (f64::from(bounds.width) / x).min(f64::from(bounds.height) / y);
    let (width, height) = ((x * scale).round() as i32, (y * scale).round() as i32);
    let at = Point {
        x: bounds.at.x + (bounds.width - width) / 2,
        y: bounds.at.y + (bounds.height - height) / 2,
    };
    (
        at,
        Point {
            x: width,
            y: height,
        },
    )
}

/// The commands about the image.
#[component]
pub fn BackgroundItems(stage: Stage) -> impl IntoView {
    let background = stage.session.open.background;
    let input = NodeRef::<Input>::new();
    let has_one = Memo::new(move |_| background.with(Option::is_some));
    let chosen = move |_| {
        let input = input.get_untracked();
        let file = input.as_ref().and_then(|input| input.files()?.get(0));
        if let (Some(input), Some(file)) = (input, file) {
            // The same file can be chosen again.
            input.set_value("");
            spawn_local(show(stage, file));
        }
    };
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
            <ImageItems stage/>
        </Show>
    }
}

/// Returns the box of the map.
fn bounds(stage: Stage) -> Rect {
    stage.stands.with_untracked(|stands| stands.bounds)
}

/// Shows an image file below the map, as large as fits.
async fn show(stage: Stage, file: File) {
    let session = stage.session;
    let opened = session.storage.opened.get_untracked();
    let read = scaled_down(&file).await;
    if session.storage.opened.get_untracked() != opened {
        return;
    }
    match read {
        Ok((address, (width, height))) => {
            let size = Point {
                x: width,
                y: height,
            };
            let (at, size) = fitted(size, bounds(stage));
            session.set_background(Some(Background {
                address,
                at,
                size,
                opacity: OPACITY,
            }));
        }
        Err(reason) => {
            let name = file.name();
            session.complain(format!("Couldn't use {name} as a background: {reason}"));
        }
    }
}

/// The commands that change the image.
#[component]
fn ImageItems(stage: Stage) -> impl IntoView {
    let session = stage.session;
    let background = session.open.background;
    let percent =
        move || background.with(|image| image.as_ref().map_or(0.0, |image| image.opacity * 100.0));
    let fade = move |event| {
        if let Ok(percent) = event_target_value(&event).parse::<f64>() {
            change(session, |image| {
                image.opacity = (percent / 100.0).clamp(0.0, 1.0)
            });
        }
    };
    let fit = move |_| {
        change(session, |image| {
            (image.at, image.size) = fitted(image.size, bounds(stage))
        });
    };
    let remove = move |_| {
        stage.is_aligning.set(false);
        session.set_background(None);
    };
    view! {
        <label>
            <span>"Opacity"</span>
            <input
                type="range"
                min="10"
                max="100"
                step="5"
                aria-label="Opacity of the background image"
                prop:value=move || percent().round().to_string()
                on:change=fade
            />
        </label>
        <button popovertarget=MENU popovertargetaction="hide" on:click=move |_| stage.is_aligning.set(true)>
            "Align the image…"
        </button>
        <button on:click=fit>"Fit the image to the map"</button>
        <button on:click=remove>"Remove the image"</button>
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
    moved(one, other)
}

/// Follows a press on a part of the image.
fn press(stage: Stage, grip: Grip, event: &PointerEvent) {
    let target = event.current_target();
    let target = target.and_then(|target| target.dyn_into::<Element>().ok());
    let background = stage.session.open.background.get_untracked();
    let (Some(target), Some(image), 0) = (target, background, event.button()) else {
        return;
    };
    event.stop_propagation();
    let (session, at, size) = (stage.session, image.at, image.size);
    let (x, y) = (event.client_x(), event.client_y());
    drag(&target, event, move |step| match step {
        Drag::Moved(event) => {
            let by = Vec2::new(event.client_x() - x, event.client_y() - y);
            let by = (by * (1.0 / stage.camera.get_untracked().zoom)).to_point();
            let moved = grip.moved(at, size, by);
            preview(session, |image| (image.at, image.size) = moved);
        }
        Drag::Cancelled => preview(session, |image| (image.at, image.size) = (at, size)),
        Drag::Released => session.write_background(),
    });
}

/// Handles the keys of a part of the image: arrows move it.
fn key(stage: Stage, grip: Grip, event: &KeyboardEvent) {
    match (event.typed_key().as_str(), stride(event)) {
        ("Escape", _) => stage.is_aligning.set(false),
        (_, Some(by)) => change(stage.session, |image| {
            (image.at, image.size) = grip.moved(image.at, image.size, by);
        }),
        _ => return,
    }
    event.prevent_default();
    event.stop_propagation();
}

/// The frame around the image while it is being aligned, with its corners.
#[component]
pub fn Alignment(stage: Stage) -> impl IntoView {
    let background = stage.session.open.background;
    let shape = move || {
        background.with(|image| {
            let shape = image.as_ref().map(|image| (image.at, image.size));
            shape.unwrap_or_default()
        })
    };
    let corner = move |grip: Grip, class: &'static str, label: &'static str| {
        view! {
            <button
                class=class
                aria-label=label
                title="Drag, or move with the arrow keys"
                on:pointerdown=move |event| press(stage, grip, &event)
                on:keydown=move |event| key(stage, grip, &event)
            ></button>
        }
    };
    view! {
        <div
            class="stage-align"
            role="group"
            aria-label="Background image"
            style:transform=move || shift(shape().0)
            style:width=move || format!("{}px", shape().1.x)
            style:height=move || format!("{}px", shape().1.y)
            style:--unzoom=move || (1.0 / stage.camera.get().zoom).to_string()
            on:pointerdown=move |event| press(stage, Grip::All, &event)
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
            let (at, size) = fitted(point(x, y), bounds);
            (at.x, at.y, size.x, size.y)
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
