//! Playback of the run that is shown: the cursor moves tick by tick, whichever panel shows it.

use leptos::prelude::*;
use taskloom_runtime::{Run, RunEnd};

use super::Session;
use super::kept::Kept;
use super::open::Resets;
use crate::worker::Answer;

/// The playback speeds, in ticks per second.
pub const SPEEDS: [u32; 5] = [1, 2, 4, 10, 30];

/// The state of playback, beside the cursor.
#[derive(Clone, Copy)]
pub struct Playback {
    /// `true` while the run is being played.
    pub playing: Kept<RwSignal<bool>>,
    /// The speed, in ticks per second.
    pub speed: Kept<RwSignal<u32>>,
    /// The tick at which it pauses; `None` for the end of the run.
    stop: StoredValue<Option<u32>>,
    /// The number of timers started so far: only the newest one moves the cursor.
    timers: StoredValue<u32>,
    /// The number of controls on the screen. Without any, nobody could pause.
    controls: StoredValue<usize>,
}

impl Playback {
    /// Creates the state before anything is played.
    pub(super) fn new(resets: &mut Resets) -> Self {
        Self {
            playing: resets.signal(false),
            speed: Kept::new(SPEEDS[2]),
            stop: StoredValue::new(None),
            timers: StoredValue::new(0),
            controls: StoredValue::new(0),
        }
    }

    /// Registers playback controls, for as long as the current owner lives.
    pub fn show_controls(&self) {
        let controls = self.controls;
        controls.update_value(|count| *count += 1);
        on_cleanup(move || controls.update_value(|count| *count -= 1));
    }

    /// Makes it pause at a tick, whenever it gets there.
    pub fn stop_at(&self, tick: Option<u32>) {
        self.stop.set_value(tick);
    }

    /// Pauses.
    pub(super) fn pause(&self) {
        if self.playing.get_untracked() {
            self.playing.set(false);
        }
    }
}

impl Session {
    /// Plays the run from the cursor on, or from its first tick if the cursor is at its end; or pauses.
    pub fn toggle_playback(&self) {
        let playback = self.desk.playback;
        if playback.playing.get_untracked() {
            return playback.pause();
        }
        let Some(last) = self.last_tick() else { return };
        if untrack(|| self.tick()).is_none_or(|tick| tick >= last) {
            self.show_tick(0);
        }
        playback.playing.set(true);
        self.beat();
    }

    /// Sets the playback speed, in ticks per second.
    pub fn set_playback_speed(&self, speed: u32) {
        let playback = self.desk.playback;
        playback
            .speed
            .set(speed.clamp(SPEEDS[0], SPEEDS[SPEEDS.len() - 1]));
        if playback.playing.get_untracked() {
            self.beat();
        }
    }

    /// Moves the cursor to the next tick after a while, again and again.
    fn beat(&self) {
        let (session, playback) = (*self, self.desk.playback);
        let number = playback.timers.get_value() + 1;
        playback.timers.set_value(number);
        let next = move || {
            if playback.timers.get_value() == number && playback.playing.get_untracked() {
                session.play_tick();
            }
        };
        let pause = 1_000 / playback.speed.get_untracked();
        self.platform().clock.after(pause, Box::new(next));
    }

    fn play_tick(&self) {
        let playback = self.desk.playback;
        let tick = untrack(|| self.tick());
        match self.last_tick() {
            Some(last)
                if playback.controls.get_value() > 0 && tick.is_none_or(|tick| tick < last) =>
            {
                let next = tick.map_or(0, |tick| tick + 1);
                // What is shown may end the wish to stop there.
                let is_stop = playback.stop.get_value() == Some(next);
                self.show_tick(next);
                match is_stop {
                    true => playback.pause(),
                    false => self.beat(),
                }
            }
            _ => playback.pause(),
        }
    }

    /// Returns the last tick of the run that is shown.
    fn last_tick(&self) -> Option<u32> {
        self.plan.answer.with_untracked(|answer| {
            let answer = answer.as_ref().filter(|answer| answer.run.is_some())?;
            Some(last_of(answer))
        })
    }
}

/// Returns the last tick of an answer that is shown, that of the longer of two runs.
pub fn last_of(answer: &Answer) -> u32 {
    let runs = answer.run.iter().chain(&answer.compared);
    runs.map(last_shown_tick).max().unwrap_or(0)
}

/// Returns the last tick of a run that is shown. If it was cut off while it waited, most of the
/// waiting is left out.
pub fn last_shown_tick(run: &Run) -> u32 {
    if run.end != RunEnd::OutOfTicks {
        return run.ticks;
    }
    let events = run.events.iter().map(|event| event.tick);
    let plans = run.plans.iter().map(|planning| planning.tick);
    let steps = run.executed.iter();
    let steps = steps.map(|step| step.end.or(step.acted).unwrap_or(step.start));
    let busy = events.chain(plans).chain(steps).max().unwrap_or(0);
    run.ticks.min(busy + busy / 4 + 1)
}
