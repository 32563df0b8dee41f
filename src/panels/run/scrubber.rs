//! Playback of a run: buttons, and a slider for its tick.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use crate::session::{SPEEDS, Session};
use crate::ui::icon::{Icon, Lucide};
use crate::ui::typed_key::TypedKey;

/// Plays the run, and has a slider for its tick.
#[component]
pub fn Scrubber(
    /// The last tick that is shown.
    last: u32,
) -> impl IntoView {
    view! {
        <Controls last/>
        <Slider last/>
    }
}

/// The buttons that play the run and go to its ends.
#[component]
pub fn Controls(
    /// The last tick that is shown.
    last: u32,
    /// More controls beside the buttons.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let session = Session::expect();
    let now = move || session.tick().map(|tick| tick.min(last));
    let go = move |tick: u32| session.show_tick(tick.min(last));
    view! {
        <div class="course-bar">
            <button
                aria-label="Before the run"
                title="Before the run"
                disabled=move || now().is_none()
                on:click=move |_| session.show_start()
            >
                <Icon name=Lucide::SkipBack size=14/>
            </button>
            <PlayButton/>
            <button
                aria-label="End of the run"
                title="End of the run"
                disabled=move || now() == Some(last)
                on:click=move |_| go(last)
            >
                <Icon name=Lucide::SkipForward size=14/>
            </button>
            <span class="dim course-tick">
                {move || now().map_or(format!("{last} ticks"), |tick| format!("tick {tick} of {last}"))}
            </span>
            <span class="grow"></span>
            {children.map(|children| children())}
        </div>
    }
}

/// The slider for the cursor's tick. The position before its first tick is the time before the run.
#[component]
pub fn Slider(
    /// The last tick that is shown.
    last: u32,
) -> impl IntoView {
    let session = Session::expect();
    let now = move || session.tick().map(|tick| tick.min(last));
    let key = move |event: KeyboardEvent| {
        if event.ctrl_key() || event.alt_key() || event.meta_key() {
            return;
        }
        let now = untrack(now);
        match (event.typed_key().as_str(), now) {
            ("ArrowLeft" | "ArrowDown" | "PageDown", None | Some(0)) => session.show_start(),
            ("ArrowRight" | "ArrowUp", None) | ("Home", _) => session.show_tick(0),
            ("End", _) => session.show_tick(last),
            _ => return,
        }
        event.prevent_default();
    };
    view! {
        <input
            type="range"
            class="course-slider"
            aria-label="Tick of the run"
            aria-valuetext=move || now().map_or("before the run".to_owned(), |tick| format!("tick {tick}"))
            min="0"
            max=last
            step="1"
            prop:value=move || now().unwrap_or(0).to_string()
            on:keydown=key
            on:input=move |event| session.show_tick(event_target_value(&event).parse().unwrap_or(0).min(last))
        />
    }
}

/// The button that plays the run, tick by tick, and the speed.
#[component]
fn PlayButton() -> impl IntoView {
    let session = Session::expect();
    let playback = session.desk.playback;
    playback.show_controls();
    let choose = move |event| {
        let speed = event_target_value(&event).parse();
        speed
            .into_iter()
            .for_each(|speed| session.set_playback_speed(speed));
    };
    view! {
        <button class="play with-icon" on:click=move |_| session.toggle_playback()>
            {move || {
                let (icon, text) = match playback.playing.get() {
                    true => (Lucide::Pause, "Pause"),
                    false => (Lucide::Play, "Play"),
                };
                view! { <Icon name=icon size=14/> {text} }
            }}
        </button>
        <select aria-label="Speed" title="Playback speed" on:change=choose>
            {SPEEDS
                .map(|each| {
                    view! {
                        <option value=each prop:selected=move || playback.speed.get() == each>
                            {if each == 1 { "1 tick per second".to_owned() } else { format!("{each} ticks per second") }}
                        </option>
                    }
                })
                .collect_view()}
        </select>
    }
}
