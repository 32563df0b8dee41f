//! The progress of the guide to an example: which of its steps are done, and its first playback.

use std::sync::Arc;

use gloo::timers::callback::Interval;
use leptos::ev;
use leptos::prelude::*;
use taskloom_document::{Document, Kind, Name, RecordRef};

use crate::examples::guides::{Completion, Step};
use crate::examples::{self, Example};
use crate::page::Page;
use crate::session::{Room, Session, View, last_of};
use crate::web::{live, storage};
use crate::worker::Answer;

/// The key under which the browser keeps the progress.
const KEY: &str = "taskloom.guide";
/// The time of a tick during the first playback, in milliseconds.
const BEAT: u32 = 900;
/// The time that the first example may take to load, in milliseconds.
const PATIENCE: u32 = 5_000;

/// The state of the card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CardState {
    /// Whole; in a narrow window it is folded at first.
    #[default]
    Open,
    /// Only a line: the current step.
    Folded,
    /// Gone, for other examples too.
    Closed,
}

impl CardState {
    /// All states, each with the word under which it is stored.
    const WORDS: [(Self, &'static str); 3] = [
        (Self::Open, "open"),
        (Self::Folded, "folded"),
        (Self::Closed, "closed"),
    ];

    fn parse(text: &str) -> Option<Self> {
        let state = Self::WORDS.iter().find(|(_, word)| *word == text)?;
        Some(state.0)
    }

    fn word(self) -> &'static str {
        let state = Self::WORDS.iter().find(|(state, _)| *state == self);
        state.map_or("open", |(_, word)| word)
    }

    /// Returns the state in which the card appears: in a narrow window, the whole would hide the
    /// view.
    fn at_first(room: Room) -> Self {
        match room {
            Room::Phone | Room::Narrow => Self::Folded,
            Room::Wide => Self::Open,
        }
    }
}

/// The example of the guide, the steps done, and the state of the card, as stored.
#[derive(Debug, Clone, PartialEq, Default)]
struct Kept {
    name: String,
    done: [bool; 3],
    card: CardState,
}

impl Kept {
    fn restore() -> Option<Self> {
        Self::parse(&storage::get(KEY)?)
    }

    /// Parses `hunter 101 open`.
    fn parse(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let (name, bits, state) = (words.next()?, words.next()?, words.next()?);
        let mut bits = bits.chars().map(|bit| bit == '1');
        Some(Self {
            name: name.to_owned(),
            done: std::array::from_fn(|_| bits.next().unwrap_or(false)),
            card: CardState::parse(state)?,
        })
    }

    fn text(&self) -> String {
        let bits: String = self
            .done
            .map(|done| if done { '1' } else { '0' })
            .iter()
            .collect();
        format!("{} {bits} {}", self.name, self.card.word())
    }
}

/// Returns the document of the first start, with its stored answers: the example whose guide was open
/// last, or the first.
pub async fn first_document() -> (Document, Vec<Answer>) {
    let kept = Kept::restore().map(|kept| kept.name);
    let mut all = examples::ALL.iter();
    let example = all.find(|example| kept.as_deref() == Some(example.name));
    let example = example.unwrap_or(&examples::ALL[0]);
    let fetched = example.fetch(PATIENCE).await;
    fetched.unwrap_or_else(|| (examples::first(), vec![]))
}

/// The guide to the open document, if that is an example. Provided as context.
#[derive(Clone, Copy)]
pub struct Progress {
    session: Session,
    /// The example and its index.
    pub example: RwSignal<Option<(usize, &'static Example)>>,
    /// The steps that are done.
    pub done: RwSignal<[bool; 3]>,
    /// The state of the card.
    pub card: RwSignal<CardState>,
    is_playing: RwSignal<bool>,
    opened: StoredValue<Arc<Document>>,
    /// `true` if what a step announces has happened since the situation was changed, and `false` if
    /// the run shows something else; `None` while nothing is changed or the run isn't known.
    verdict: Memo<Option<bool>>,
}

impl Progress {
    /// Creates the guide to the open document and provides it. On the first start the example opens
    /// in its best view, and plays.
    pub fn provide(page: Page, is_first: bool) {
        let session = page.session;
        let kept = Kept::restore();
        let is_new = kept.is_none();
        let room = untrack(|| session.desk.folding.room());
        let kept = kept.unwrap_or_else(|| Kept {
            card: CardState::at_first(room),
            ..Kept::default()
        });
        let (example, done) = (RwSignal::new(None), RwSignal::new([false; 3]));
        let opened = StoredValue::new(session.document_untracked());
        let progress = Self {
            session,
            example,
            done,
            card: RwSignal::new(kept.card),
            is_playing: RwSignal::new(false),
            opened,
            verdict: Memo::new(move |_| {
                // A restart begins with what is there.
                done.track();
                verdict(session, example.get()?.1, opened)
            }),
        };
        provide_context(progress);
        progress.follow_documents(kept.name, kept.done);
        progress.follow_session();
        progress.stop_playback();
        Effect::new(move |before: Option<()>| {
            page.guide_requests.track();
            if before.is_some() {
                progress.restart();
            }
        });
        let shown = progress.example.get_untracked().filter(|_| is_first);
        if let Some((_, example)) = shown.filter(|_| kept.card != CardState::Closed) {
            session.present(example);
            progress.keep();
            if is_new && !prefers_stillness() {
                progress.play();
            }
        }
    }

    /// Returns the guide that an ancestor provided.
    pub fn expect() -> Self {
        use_context().expect("the page provides it")
    }

    /// Shows the card again, with nothing done.
    fn restart(self) {
        self.opened.set_value(self.session.document_untracked());
        self.done.set([false; 3]);
        let room = untrack(|| self.session.desk.folding.room());
        self.card.set(CardState::at_first(room));
        self.keep();
    }

    /// Opens, folds or closes the card.
    pub fn set_card(self, card: CardState) {
        if card == CardState::Closed {
            self.is_playing.set(false);
        }
        self.card.set(card);
        self.keep();
    }

    fn keep(self) {
        if let Some((_, example)) = self.example.get_untracked() {
            let kept = Kept {
                name: example.name.to_owned(),
                done: self.done.get_untracked(),
                card: self.card.get_untracked(),
            };
            storage::set(KEY, &kept.text());
        }
    }

    /// Finds the example that is open, now and whenever another document opens.
    fn follow_documents(self, name: String, done: [bool; 3]) {
        let session = self.session;
        let find = move || {
            let document = session.document_untracked();
            let example = examples::titled(&document.info.title);
            self.opened.set_value(document);
            self.is_playing.set(false);
            self.done.set([false; 3]);
            self.example.set(example);
        };
        find();
        let is_same = |(_, example): &(usize, &'static Example)| example.name == name;
        if self
            .example
            .with_untracked(|example| example.as_ref().is_some_and(is_same))
        {
            self.done.set(done);
        }
        Effect::new(move |before: Option<()>| {
            session.storage.opened.track();
            if before.is_some() {
                find();
            }
        });
    }

    /// Marks the steps that the session shows to be complete.
    fn follow_session(self) {
        Effect::new(move || {
            let Some((_, example)) = self.example.get() else {
                return;
            };
            if self.card.get() == CardState::Closed {
                return;
            }
            let now = example
                .guide
                .steps
                .each_ref()
                .map(|step| self.is_done(step.completion));
            let before = self.done.get();
            let all = std::array::from_fn(|at| before[at] || now[at]);
            if all == before {
                return;
            }
            self.done.set(all);
            self.keep();
            let tick = example.guide.tick();
            let changes_next = all.iter().position(|done| !done).is_some_and(|at| {
                matches!(example.guide.steps[at].completion, Completion::Change(_))
            });
            if let Some(tick) = tick.filter(|_| changes_next) {
                // The situation is changed from the tick at the cursor on.
                self.session.show_tick(tick);
            }
            let new = (0..3).find(|at| all[*at] && !before[*at]);
            if let Some(at) = new {
                live::say(&format!(
                    "Step {} of 3 done: {}",
                    at + 1,
                    example.guide.steps[at].title
                ));
            }
        });
        let touched = move || {
            if self.is_playing.get_untracked() {
                self.is_playing.set(false);
            }
        };
        let press = window_event_listener(ev::pointerdown, move |_| touched());
        let key = window_event_listener(ev::keydown, move |_| touched());
        let wheel = window_event_listener(ev::wheel, move |_| touched());
        on_cleanup(move || {
            press.remove();
            key.remove();
            wheel.remove();
        });
    }

    /// Returns `true` if a condition is met. Tracked.
    fn is_done(self, completion: Completion) -> bool {
        let session = self.session;
        match completion {
            Completion::Watch(tick) => !self.is_playing.get() && session.tick() >= Some(tick),
            Completion::Open(task) => session.open.view.with(|view| match view {
                View::Method(open) => task.is_none_or(|task| open.as_str() == task),
                _ => false,
            }),
            Completion::Select(kind, name) => {
                let kind = Kind::ALL.into_iter().find(|one| one.label() == kind);
                let record = kind.zip(Name::new(name).ok());
                let record = record.map(|(kind, name)| RecordRef::new(kind, name));
                let selection = session.open.selection;
                record.is_some_and(|record| selection.with(|all| all.records.contains(&record)))
            }
            Completion::Change(_) => self.verdict.get() == Some(true),
        }
    }

    /// Makes playback stop at the tick that a step asks for, until that is done.
    fn stop_playback(self) {
        Effect::new(move || {
            let is_open = self.card.get() != CardState::Closed;
            let stop = self
                .example
                .get()
                .filter(|_| is_open)
                .and_then(|(_, example)| {
                    let steps = example.guide.steps.iter().zip(self.done.get());
                    let mut undone = steps.filter(|(_, done)| !done);
                    undone.find_map(|(step, _)| match step.completion {
                        Completion::Watch(tick) => Some(tick),
                        _ => None,
                    })
                });
            self.session.desk.playback.stop_at(stop);
        });
    }

    /// Returns the help with a step that changes the situation: what happened instead, if that isn't
    /// what the step announces, and the tick to go to. Tracked.
    pub fn help(self, step: &Step, tick: Option<u32>) -> Option<Help> {
        let Completion::Change(claim) = step.completion else {
            return None;
        };
        match self.verdict.get() {
            Some(true) => None,
            Some(false) => Some(Help {
                happened: Some(claim.otherwise),
                tick: tick?,
            }),
            None => {
                let is_changed = self.session.plan.interventions.with(|all| !all.is_empty());
                let is_there = self.session.tick() == tick;
                (!is_changed && !is_there).then_some(Help {
                    happened: None,
                    tick: tick?,
                })
            }
        }
    }

    /// Removes all overrides and goes to a tick.
    pub fn go_back(self, tick: u32) {
        let plan = self.session.plan;
        let count = plan.interventions.with_untracked(Vec::len);
        (0..count).for_each(|_| plan.take_back(0));
        self.session.show_tick(tick);
    }

    /// Plays the run to its end, slowly, until anything is touched.
    fn play(self) {
        let session = self.session;
        self.is_playing.set(true);
        let timer = StoredValue::new_local(None::<Interval>);
        let expected = StoredValue::new(None::<u32>);
        let beat = move || {
            let last = session.plan.answer.with_untracked(|answer| {
                let answer = answer.as_ref().filter(|answer| answer.run.is_some());
                answer.map(|answer| last_of(answer))
            });
            let Some(last) = last else {
                return;
            };
            let now = untrack(|| session.tick());
            if now != expected.get_value() || now >= Some(last) {
                self.is_playing.set(false);
                return;
            }
            let next = now.map_or(0, |tick| tick + 1);
            session.show_tick(next);
            expected.set_value(Some(next));
        };
        timer.set_value(Some(Interval::new(BEAT, beat)));
        Effect::new(move || {
            if !self.is_playing.get() {
                timer.set_value(None);
            }
        });
    }
}

/// The help for a step that changes the situation and isn't done yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Help {
    /// The text about the outcome, if it isn't the announced one.
    pub happened: Option<&'static str>,
    /// The tick at which to change the situation.
    pub tick: u32,
}

/// Returns `true` if the run shows what the example's guide announces for a change, and `None` if
/// nothing is changed or the run isn't known yet. Tracked.
fn verdict(
    session: Session,
    example: &'static Example,
    opened: StoredValue<Arc<Document>>,
) -> Option<bool> {
    let mut steps = example.guide.steps.iter();
    let claim = steps.find_map(|step| match step.completion {
        Completion::Change(claim) => Some(claim),
        _ => None,
    })?;
    let is_edited = opened.with_value(|opened| opened.scenarios != session.document().scenarios);
    let is_overridden = session.plan.interventions.with(|all| !all.is_empty());
    if !(is_edited || is_overridden) || session.plan.is_old() {
        return None;
    }
    let answer = session.plan.answer.get()?;
    let run = answer.run.as_ref()?;
    let domain = session.domain();
    let scene = domain.scene(&answer.scenario)?;
    let name = |character: usize| {
        let actor = scene.cast.get(character).and_then(|actor| actor.name());
        actor.map(ToString::to_string).unwrap_or_default()
    };
    let from = example.guide.tick().unwrap_or(0);
    Some(claim.is_true(run, from, name))
}

/// Returns `true` if the user has asked the system for less motion.
fn prefers_stillness() -> bool {
    let query = window().match_media("(prefers-reduced-motion: reduce)");
    query.ok().flatten().is_some_and(|query| query.matches())
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;

    #[test]
    fn progress_survives_storage() {
        for (card, word) in CardState::WORDS {
            let kept = Kept {
                name: "hunter".to_owned(),
                done: [true, false, true],
                card,
            };
            assert_eq!(kept.text(), format!("hunter 101 {word}"));
            assert_eq!(Kept::parse(&kept.text()), Some(kept));
        }
        assert_eq!(Kept::parse("hunter"), None);
        assert_eq!(Kept::parse("hunter 101 torn"), None);
    }
}
