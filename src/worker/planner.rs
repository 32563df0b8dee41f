//! What the page asks of its worker, and when: a machine of inputs and commands, which
//! knows neither browser nor clock.
//!
//! There is one request in flight and the newest one pending, and no answer is shown
//! that a newer edit has overtaken. A worker that does not listen, because a slice of
//! its work is a long one or it is stuck, is ended, and another takes its place.

use std::sync::Arc;

use taskloom::document::Name;
use taskloom::planner::plan::{Limit, Outcome, Strategy};

use super::message::{Answer, Event, Request, Stage, Wanted};

mod messages;
#[cfg(test)]
mod tests;

pub use messages::{Command, Input, Planning, Wish};

/// Time for a search while the designer types, in milliseconds.
const SEARCH_MILLIS: u32 = 10_000;
/// Time for a search that looks for whatever plan there is.
const LONG_SEARCH_MILLIS: u32 = 60_000;
/// Events of a search that are kept.
const TRACE_BOUND: usize = 2_000;
/// How old a request in flight may grow before a newer one replaces it, in milliseconds.
const OVERTAKE: f64 = 60.0;
/// How long the worker may take to hear that it shall stop, in milliseconds: six of its
/// slices. Who stops it waits for less than a tenth of a second.
const GRACE: u32 = 50;
/// So many looks in a row may find it silent. Counted rather than timed: a page that
/// was asleep has heard nothing either.
const MOST_SILENT: u32 = 120;

/// A request for a plan that is not answered yet.
#[derive(Debug)]
struct Flight {
    revision: u64,
    scenario: Name,
    character: usize,
    strategy: Strategy,
    sent: f64,
    stage: Stage,
    /// It was told to stop.
    stopping: bool,
}

/// A request beside planning that is not answered yet.
#[derive(Debug)]
struct Aside {
    request: Request,
    /// Whether a worker that is gone was asked before.
    again: bool,
    /// Answers to requests that this one has replaced, which come first.
    replaced: u32,
}

/// What there is of a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Worker {
    None,
    Started,
    Ready,
}

/// The machine.
#[derive(Debug)]
pub struct Planner {
    worker: Worker,
    status: Planning,
    flight: Option<Flight>,
    /// The newest wish, while another is in flight.
    pending: Option<Wish>,
    /// Whether it will be told when the flight is old.
    aging: bool,
    /// Looks since the worker last said something.
    silent: u32,
    /// An export and a layout.
    asides: [Option<Aside>; 2],
    shown: Option<Arc<Answer>>,
    newest: u64,
}

/// Where the request waits among the asides; none where it is of another kind.
fn slot(request: &Request) -> Option<usize> {
    match request {
        Request::Export { .. } => Some(0),
        Request::Layout { .. } => Some(1),
        Request::Plan(_) | Request::Stop | Request::Import { .. } => None,
    }
}

fn refusal(request: &Request, reason: &str) -> Command {
    match request {
        Request::Layout { .. } => Command::LaidOut(Err(reason.to_owned())),
        _ => Command::Exported(Err(reason.to_owned())),
    }
}

impl Default for Planner {
    fn default() -> Self {
        Self {
            worker: Worker::None,
            status: Planning::Starting,
            flight: None,
            pending: None,
            aging: false,
            silent: 0,
            asides: [None, None],
            shown: None,
            newest: 0,
        }
    }
}

impl Planner {
    /// What it is doing.
    pub fn status(&self) -> &Planning {
        &self.status
    }

    /// Takes in what happens at a time in milliseconds; says what to do.
    pub fn step(&mut self, input: Input, now: f64) -> Vec<Command> {
        let mut todo = vec![];
        match input {
            Input::Loaded => self.start(&mut todo),
            Input::Missing(reason) => {
                self.worker = Worker::None;
                self.status = Planning::Broken(reason.to_owned());
                self.give_up(reason, |_| true, &mut todo);
            }
            Input::Plan(wish) => {
                self.newest = wish.revision;
                self.pending = Some(wish);
                self.pump(now, &mut todo);
            }
            Input::Forget(revision) => {
                self.newest = revision;
                self.pending = None;
                self.end_flight(&mut todo);
            }
            Input::Stop => {
                self.pending = None;
                self.end_flight(&mut todo);
            }
            Input::Ask(request) => self.ask(request, &mut todo),
            Input::Heard(event) => self.hear(event, now, &mut todo),
            Input::Failed => {
                let planned = self.flight.is_some();
                self.restart(&mut todo);
                if planned {
                    self.status = Planning::Broken(
                        "The planner broke on this document; it was started anew and plans again when what it plans has changed."
                            .to_owned(),
                    );
                }
            }
            Input::GraceOver(revision) => {
                if self.flies(revision) {
                    self.abandon(Outcome::Stopped, &mut todo);
                }
            }
            Input::Old => {
                self.aging = false;
                self.pump(now, &mut todo);
            }
            Input::Look => self.look(now, &mut todo),
        }
        todo
    }

    fn flies(&self, revision: u64) -> bool {
        let flight = self.flight.as_ref();
        flight.is_some_and(|flight| flight.revision == revision)
    }

    /// Has the request in flight end soon: the worker may hear that it shall stop, and
    /// otherwise ends itself.
    fn end_flight(&mut self, todo: &mut Vec<Command>) {
        if let Some(flight) = self.flight.as_mut().filter(|flight| !flight.stopping) {
            flight.stopping = true;
            let grace = Command::Grace(flight.revision, GRACE);
            todo.extend([Command::Post(Request::Stop), grace]);
        }
    }

    fn ask(&mut self, request: Request, todo: &mut Vec<Command>) {
        if let (Planning::Broken(reason), Worker::None) = (&self.status, self.worker) {
            return todo.push(refusal(&request, reason));
        }
        let Some(aside) = slot(&request).and_then(|slot| self.asides.get_mut(slot)) else {
            return;
        };
        let mut replaced = 0;
        if self.worker == Worker::Ready {
            self.silent = 0;
            replaced = aside.as_ref().map_or(0, |aside| aside.replaced + 1);
            todo.push(Command::Post(request.clone()));
        }
        *aside = Some(Aside {
            request,
            again: false,
            replaced,
        });
    }

    /// Sends what is pending, once nothing is in flight; what is has to end soon.
    fn pump(&mut self, now: f64, todo: &mut Vec<Command>) {
        if self.worker != Worker::Ready || self.pending.is_none() {
            return;
        }
        if let Some(flight) = &self.flight {
            let age = now - flight.sent;
            if age >= OVERTAKE {
                self.end_flight(todo);
            } else if !self.aging {
                self.aging = true;
                todo.push(Command::Age((OVERTAKE - age) as u32 + 1));
            }
            return;
        }
        let Some(wish) = self.pending.take() else {
            return;
        };
        self.silent = 0;
        self.flight = Some(Flight {
            revision: wish.revision,
            scenario: wish.scenario.clone(),
            character: wish.character,
            strategy: wish.strategy,
            sent: now,
            stage: Stage::Reading,
            stopping: false,
        });
        todo.push(Command::Post(Request::Plan(Wanted {
            revision: wish.revision,
            document: wish.document.to_json(),
            scenario: wish.scenario,
            character: wish.character,
            strategy: wish.strategy,
            is_for_all: wish.is_for_all,
            experiment: wish.experiment,
            millis: match wish.strategy {
                Strategy::First => SEARCH_MILLIS,
                Strategy::Cheapest | Strategy::Any => LONG_SEARCH_MILLIS,
            },
            trace_bound: TRACE_BOUND,
        })));
        // A search that ends within a frame or two must not make the status flicker.
        if !matches!(self.status, Planning::Busy(..)) {
            self.status = Planning::Idle;
        }
    }

    fn hear(&mut self, event: Event, now: f64, todo: &mut Vec<Command>) {
        self.silent = 0;
        match event {
            Event::Ready => {
                self.worker = Worker::Ready;
                if self.status == Planning::Starting {
                    self.status = Planning::Idle;
                }
                let asides = self.asides.iter().flatten();
                todo.extend(asides.map(|aside| Command::Post(aside.request.clone())));
                self.pump(now, todo);
            }
            Event::Progress { revision, stage } => {
                if let Some(flight) = self.flight.as_mut().filter(|f| f.revision == revision) {
                    flight.stage = stage;
                    self.show_progress(now);
                }
            }
            Event::Answer(answer) if self.flies(answer.revision) => {
                let ended = answer.ended;
                if ended {
                    self.flight = None;
                    self.rest();
                }
                if answer.revision == self.newest {
                    self.show(*answer, todo);
                }
                if ended {
                    self.pump(now, todo);
                }
            }
            Event::Exported(result) => {
                if self.is_answered(0) {
                    todo.push(Command::Exported(result));
                }
            }
            Event::LaidOut(points) => {
                if self.is_answered(1) {
                    todo.push(Command::LaidOut(Ok(points)));
                }
            }
            // An answer that is overtaken; files are read by workers of their own.
            Event::Answer(_) | Event::Imported(_) => {}
        }
    }

    /// Takes an aside away whose answer has come.
    fn is_answered(&mut self, slot: usize) -> bool {
        let Some(aside) = self.asides.get_mut(slot) else {
            return false;
        };
        match aside {
            Some(waiting) if waiting.replaced > 0 => {
                waiting.replaced -= 1;
                false
            }
            _ => aside.take().is_some(),
        }
    }

    /// Nothing is planned, unless something is pending.
    fn rest(&mut self) {
        if self.pending.is_none() {
            self.status = Planning::Idle;
        }
    }

    fn show(&mut self, answer: Answer, todo: &mut Vec<Command>) {
        let answer = Arc::new(answer);
        self.shown = Some(answer.clone());
        todo.push(Command::Show(answer));
    }

    /// Tells what the worker is at, and for how long.
    fn show_progress(&mut self, now: f64) {
        if let Some(flight) = &self.flight {
            let seconds = ((now - flight.sent) / 1_000.0) as u32;
            self.status = Planning::Busy(flight.stage, seconds);
        }
    }

    fn start(&mut self, todo: &mut Vec<Command>) {
        self.worker = Worker::Started;
        self.silent = 0;
        todo.push(Command::Start);
    }

    /// Ends the worker and starts another, which is asked once more for what the old one
    /// still had to do. What two workers have not come through is given up.
    fn restart(&mut self, todo: &mut Vec<Command>) {
        self.flight = None;
        self.give_up("The worker ended twice meanwhile.", |again| again, todo);
        self.start(todo);
    }

    /// Answers what is asked beside planning, where `which` says so of its having been asked
    /// again; the rest will be asked again.
    fn give_up(&mut self, reason: &str, which: impl Fn(bool) -> bool, todo: &mut Vec<Command>) {
        for slot in &mut self.asides {
            if let Some(aside) = slot.take_if(|aside| which(aside.again)) {
                todo.push(refusal(&aside.request, reason));
            }
            if let Some(aside) = slot {
                aside.again = true;
                aside.replaced = 0;
            }
        }
    }

    /// Ends a planning together with its worker. What it had found is kept.
    fn abandon(&mut self, outcome: Outcome, todo: &mut Vec<Command>) {
        let flight = self.flight.take();
        self.restart(todo);
        self.rest();
        let Some(flight) = flight.filter(|flight| flight.revision == self.newest) else {
            return;
        };
        let shown = self.shown.take();
        let answer = match shown.filter(|answer| answer.revision == flight.revision) {
            Some(answer) => Answer {
                ended: true,
                ..Answer::clone(&answer)
            },
            None => {
                let whose = (flight.scenario, flight.character);
                Answer::without_plan(flight.revision, whose, flight.strategy, outcome)
            }
        };
        self.show(answer, todo);
    }

    /// Looks what the worker is at.
    fn look(&mut self, now: f64, todo: &mut Vec<Command>) {
        let is_asked = self.flight.is_some() || self.asides.iter().any(Option::is_some);
        let is_busy = self.worker == Worker::Ready && is_asked;
        self.silent = if is_busy { self.silent + 1 } else { 0 };
        if self.silent > MOST_SILENT {
            self.abandon(Outcome::GaveUp(Limit::Time), todo);
        } else if is_busy {
            self.show_progress(now);
        }
    }
}
