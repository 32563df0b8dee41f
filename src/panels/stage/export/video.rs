//! The dialog that exports a run as a video.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use leptos::html::Canvas;
use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::HtmlCanvasElement;

use super::Subject;
use super::frame::Frame;
use super::record::record;
use crate::canvas::geometry::Rect;
use crate::page::Page;
use crate::panels::stage::arrange::around;
use crate::session::{SPEEDS, Session, last_of};
use crate::ui::icon::{Icon, Lucide};
use crate::web::files;
use crate::web::recorder::format;

/// The largest size of a video, in pixels.
const SIZE: (f64, f64) = (1_280.0, 720.0);
/// The largest magnification of the map.
const ZOOM: f64 = 2.0;
/// The time for which the last tick is shown, in seconds.
const REST: f64 = 1.0;
/// The index of the speed that is chosen at first.
const SPEED: usize = 1;

/// The ticks of a video, and their speed.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Cut {
    from: u32,
    to: u32,
    /// In ticks per second.
    speed: u32,
}

impl Cut {
    /// Returns the length of the video in seconds.
    fn seconds(self) -> f64 {
        f64::from(self.to - self.from) / f64::from(self.speed) + REST
    }

    /// Returns the tick that is shown after some seconds, and the part of the way to the next one.
    fn at(self, seconds: f64) -> (u32, f64) {
        let ticks = (seconds * f64::from(self.speed)).min(f64::from(self.to - self.from));
        (self.from + ticks.floor() as u32, ticks.fract())
    }
}

/// The state of the export.
#[derive(Debug, Clone, PartialEq)]
enum Phase {
    /// Nothing is being recorded.
    Ready,
    /// The recorded part, from 0 to 1.
    Recording(f64),
    /// The recording has failed, for this reason.
    Failed(String),
}

/// Opens the dialog.
pub fn open(page: &Page) -> bool {
    page.sheet.set(Some(crate::page::Sheet::Video));
    true
}

/// Builds the content of the dialog.
pub fn inside(page: Page) -> AnyView {
    let session = page.session;
    let run_end = session.plan.answer.with_untracked(|answer| {
        let answer = answer.as_ref().filter(|answer| answer.run.is_some());
        answer.map(|answer| last_of(answer))
    });
    let content = match (format(), run_end) {
        (None, _) => {
            let note = "This browser can't record videos. Export a picture instead.";
            view! { <p class="video-note">{note}</p> }.into_any()
        }
        (_, None) => {
            let note = "There is no run to record yet. Choose a scenario with a plan.";
            view! { <p class="video-note">{note}</p> }.into_any()
        }
        (Some(format), Some(last)) => view! { <Editor page format last/> }.into_any(),
    };
    view! {
        <header class="sheet-head">
            <h2>"Video of the run"</h2>
            <span class="grow"></span>
            <button type="button" class="bare" aria-label="Close" on:click=move |_| page.close_sheet()><Icon name=Lucide::X size=14/></button>
        </header>
        {content}
    }
    .into_any()
}

/// The preview with the settings of the video, and its progress.
#[component]
fn Editor(page: Page, format: (&'static str, &'static str), last: u32) -> impl IntoView {
    let session = page.session;
    let (from, to) = (RwSignal::new(0), RwSignal::new(last));
    let speed = RwSignal::new(SPEEDS[SPEED]);
    let phase = RwSignal::new(Phase::Ready);
    let canvas = NodeRef::<Canvas>::new();
    let subject = StoredValue::new_local(None::<Rc<Subject>>);
    let is_cancelled = StoredValue::new_local(Rc::new(Cell::new(false)));
    // Progress alone must not replace the button that cancels.
    let is_recording = Memo::new(move |_| phase.with(|p| matches!(p, Phase::Recording(_))));
    let cut = move || Cut {
        from: from.get().min(to.get()),
        to: to.get(),
        speed: speed.get(),
    };
    let cancel = move || is_cancelled.with_value(|cancelled| cancelled.set(true));
    on_cleanup(cancel);
    let loading = RwSignal::new(true);
    spawn_local(async move {
        let made = Subject::new(session).await;
        // The dialog may be closed by now.
        if loading.is_disposed() {
            return;
        }
        match made {
            Ok(made) => subject.set_value(Some(Rc::new(made))),
            Err(reason) => phase.set(Phase::Failed(reason)),
        }
        loading.set(false);
    });
    Effect::new(move || {
        let cut = cut();
        if loading.get() || is_recording.get() {
            return;
        }
        if let (Some(canvas), Some(subject)) = (canvas.get(), subject.get_value()) {
            Film::new(subject, cut, &canvas).show(0.0);
        }
    });
    let start = move |_| {
        let (Some(canvas), Some(subject)) = (canvas.get_untracked(), subject.get_value()) else {
            return;
        };
        let token = Rc::new(Cell::new(false));
        is_cancelled.set_value(token.clone());
        phase.set(Phase::Recording(0.0));
        let film = Film::new(subject, untrack(cut), &canvas);
        spawn_local(export(page, film, canvas, format, phase, token));
    };
    view! {
        <div class="video-body">
            <canvas node_ref=canvas class="video-preview" role="img" aria-label="Preview"></canvas>
            <fieldset class="video-fields" disabled=move || is_recording.get()>
                <TickField label="From tick" value=from least=0.into() most=to.into()/>
                <TickField label="To tick" value=to least=from.into() most=Signal::stored(last)/>
                <label>
                    <span>"Speed"</span>
                    <SpeedSelect speed/>
                </label>
                <span class="dim">{move || length(cut())}</span>
            </fieldset>
            {move || match phase.get() {
                Phase::Failed(reason) => Some(view! { <p class="video-failed" role="alert">{reason}</p> }),
                _ => None,
            }}
        </div>
        <div class="sheet-foot video-foot">
            {move || match is_recording.get() {
                true => view! { <RecordingView phase cancel/> }.into_any(),
                false => {
                    view! {
                        <span>"The file is saved when the recording ends."</span>
                        <span class="grow"></span>
                        <button class="primary" autofocus=true disabled=move || loading.get() on:click=start>"Record"</button>
                    }
                        .into_any()
                }
            }}
        </div>
    }
}

/// The progress of a recording, and the button that cancels it.
#[component]
fn RecordingView(
    phase: RwSignal<Phase>,
    cancel: impl Fn() + Copy + Send + 'static,
) -> impl IntoView {
    let part = move || {
        phase.with(|phase| match phase {
            Phase::Recording(part) => *part,
            _ => 0.0,
        })
    };
    view! {
        <progress aria-label="Recording" max="1" value=move || format!("{:.3}", part())></progress>
        <span class="video-percent">{move || format!("{:.0} %", part() * 100.0)}</span>
        <button on:click=move |_| cancel()>"Cancel"</button>
    }
}

/// Describes the length of a video.
fn length(cut: Cut) -> String {
    match cut.seconds().ceil() as u32 {
        seconds @ ..120 => format!("Takes {seconds} s to record"),
        seconds => format!("Takes {} min to record", seconds.div_ceil(60)),
    }
}

/// A field for a tick between two others.
#[component]
fn TickField(
    label: &'static str,
    value: RwSignal<u32>,
    least: Signal<u32>,
    most: Signal<u32>,
) -> impl IntoView {
    let change = move |event| {
        let typed: u32 = event_target_value(&event)
            .parse()
            .unwrap_or(value.get_untracked());
        let (least, most) = (least.get_untracked(), most.get_untracked());
        // Even if it is the same: the field shows the valid number again.
        value.set(typed.clamp(least, most.max(least)));
    };
    view! {
        <label>
            <span>{label}</span>
            <input
                type="number"
                min=move || least.get()
                max=move || most.get()
                prop:value=move || value.get().to_string()
                on:change=change
            />
        </label>
    }
}

#[component]
fn SpeedSelect(speed: RwSignal<u32>) -> impl IntoView {
    let choose = move |event| {
        speed.set(event_target_value(&event).parse().unwrap_or(SPEEDS[SPEED]));
    };
    let option = move |each: u32| {
        let text = if each == 1 {
            "1 tick per second".to_owned()
        } else {
            format!("{each} ticks per second")
        };
        view! { <option value=each selected=each == SPEEDS[SPEED]>{text}</option> }
    };
    view! { <select on:change=choose>{SPEEDS.map(option).collect_view()}</select> }
}

/// The frames of a video on a canvas.
struct Film {
    subject: Rc<Subject>,
    cut: Cut,
    area: Rect,
    scale: f64,
    canvas: HtmlCanvasElement,
    /// The tick that was shown last, and the one after it.
    shown: Option<(u32, Arc<Frame>, Arc<Frame>)>,
}

impl Film {
    /// Prepares the canvas for the largest of the frames.
    fn new(subject: Rc<Subject>, cut: Cut, canvas: &HtmlCanvasElement) -> Self {
        let ticks = cut.from..=cut.to;
        // Bubbles are where there is room: a sample of a long run is enough.
        let step = (ticks.end() - ticks.start()) as usize / 60 + 1;
        let frames = ticks.step_by(step);
        let boxes = frames.map(|tick| Frame::at_tick(&subject.play, &subject.shot, tick).bounds());
        let boxes: Vec<_> = boxes.collect();
        let area = subject.area(around(boxes.iter()));
        let scale = (SIZE.0 / area.w).min(SIZE.1 / area.h).min(ZOOM);
        // Video encoders need even sizes.
        let even = |length: f64| ((length * scale / 2.0).floor() as u32).max(1) * 2;
        let (width, height) = (even(area.w), even(area.h));
        if (canvas.width(), canvas.height()) != (width, height) {
            canvas.set_width(width);
            canvas.set_height(height);
        }
        Self {
            subject,
            cut,
            area,
            scale,
            canvas: canvas.clone(),
            shown: None,
        }
    }

    /// Draws what is shown after some seconds. Returns `false` if that is after the end.
    fn show(&mut self, seconds: f64) -> bool {
        if seconds > self.cut.seconds() {
            return false;
        }
        let (tick, part) = self.cut.at(seconds);
        let subject = self.subject.clone();
        let at = |tick| Arc::new(Frame::at_tick(&subject.play, &subject.shot, tick));
        let (now, next) = match self.shown.take() {
            Some((shown, now, next)) if shown == tick => (now, next),
            Some((shown, _, now)) if shown + 1 == tick => {
                let next = at((tick + 1).min(self.cut.to));
                (now, next)
            }
            _ => (at(tick), at((tick + 1).min(self.cut.to))),
        };
        let frame = now.toward(&subject.play, &next, part);
        let _ = subject
            .draw(&frame, self.area)
            .paint(&self.canvas, self.scale);
        self.shown = Some((tick, now, next));
        true
    }
}

/// Records a film and saves it as a file.
async fn export(
    page: Page,
    mut film: Film,
    canvas: HtmlCanvasElement,
    (kind, extension): (&'static str, &'static str),
    phase: RwSignal<Phase>,
    is_cancelled: Rc<Cell<bool>>,
) {
    let name = format!("{}.{extension}", film.subject.name);
    let length = film.cut.seconds();
    let show = |seconds: f64| {
        if let Some(mut phase) = phase.try_write() {
            *phase = Phase::Recording((seconds / length).min(1.0));
        }
        film.show(seconds)
    };
    let recorded = record(&canvas, kind, is_cancelled, show).await;
    let saved = match recorded {
        Ok(Some(blob)) => files::download_blob(&name, &blob).map(|()| true),
        Ok(None) => Ok(false),
        Err(reason) => Err(reason),
    };
    match saved {
        Ok(true) => {
            page.close_sheet();
            say_saved(page.session, &name);
        }
        // The dialog may be closed.
        Ok(false) => drop(phase.try_set(Phase::Ready)),
        Err(reason) => drop(phase.try_set(Phase::Failed(reason))),
    }
}

fn say_saved(session: Session, name: &str) {
    session.toast(format!("Saved {name}."), None);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_pass_at_the_chosen_speed() {
        let cut = Cut {
            from: 2,
            to: 6,
            speed: 2,
        };
        assert_eq!(cut.seconds(), 3.0);
        assert_eq!(cut.at(0.0), (2, 0.0));
        assert_eq!(cut.at(0.75), (3, 0.5));
        assert_eq!(cut.at(2.0), (6, 0.0));
        assert_eq!(cut.at(9.0), (6, 0.0), "the last tick is shown for a while");
        assert_eq!(length(cut), "Takes 3 s to record");
        assert_eq!(
            length(Cut {
                to: 602,
                speed: 1,
                ..cut
            }),
            "Takes 11 min to record"
        );
    }
}
