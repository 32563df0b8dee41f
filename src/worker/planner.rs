//! Decides what the page requests from its planning worker, and when: a state machine of inputs and
//! commands that knows neither browser nor clock.
//!
//! One request is in flight and the newest one pending. A worker that doesn't respond, because it
//! is in a long slice, stuck or dead, is ended and replaced.

use std::sync::Arc;

use taskloom_planner::plan::Outcome;
use taskloom_worker::{Answer, Event, KnownDocument, Phase, Program, Request};

mod messages;
#[cfg(test)]
mod tests;

pub use messages::{Command, Input, PlanRequest, Planning};

/// The age at which a request in flight is replaced by a newer one, in milliseconds.
const OVERTAKE: f64 = 60.0;
/// The time the worker may take to notice that it has to stop, in milliseconds: six of its slices.
/// Anyone who stops it waits for less than a tenth of a second.
const GRACE: f64 = 50.0;
/// The time before the page shows that planning is in progress, in milliseconds: a status that
/// changes at each keystroke would flicker.
const QUIET: f64 = 100.0;
/// The time between two checks of the worker, in milliseconds. Each check sends it a ping.
pub const LOOK: f64 = 1_000.0;
/// The number of consecutive checks at which an idle worker may be silent. They are counted rather
/// than timed because a page that was asleep or busy hasn't received any messages either.
const IDLE_PATIENCE: u32 = 3;
/// The maximum number of such checks for a worker that is planning or being started. It sends a
/// sign of life whenever it looks at its clock, which is at least once a second on slow machines.
const BUSY_PATIENCE: u32 = 8;
/// The number of bytes of a document that earn the worker one more check, since reading a document
/// has no clock.
pub const BYTES_PER_LOOK: usize = 100_000;
/// The number of consecutive workers that may die before doing anything. After that, none is
/// started until something is requested.
const MAX_DEATHS: u32 = 3;

const CRASHED: Death = Death {
    note: "The planner crashed and was restarted.",
    twice: "The planner crashed twice. Change the document, or search again.",
};
const SILENT: Death = Death {
    note: "The planner stopped responding and was restarted.",
    twice: "The planner doesn't respond. Change the document, or search again.",
};

/// The ways in which a worker ends unexpectedly, in words.
#[derive(Debug, Clone, Copy)]
struct Death {
    note: &'static str,
    twice: &'static str,
}

/// A request for a plan that isn't answered yet.
#[derive(Debug)]
struct Flight {
    request: PlanRequest,
    /// `true` if another worker has already died of it.
    is_retry: bool,
    sent: f64,
    /// The last ping before it.
    ping: u32,
    /// The number of consecutive checks at which the worker may be silent.
    patience: u32,
    phase: Phase,
    /// The time at which the worker was told to stop.
    stopped: Option<f64>,
}

/// The known state of the worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Worker {
    /// Its program is not loaded yet.
    Loading,
    /// No worker of its program can be started.
    Missing,
    /// It was ended; another one is started for the next request.
    Ended,
    Started,
    Ready,
}

/// The known state of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Load {
    Pending,
    Loaded,
    /// No worker can run it, for this reason.
    Missing(&'static str),
}

/// The state machine.
#[derive(Debug)]
pub struct Planner {
    worker: Worker,
    /// The program of the worker.
    program: Program,
    /// The programs of [`Program::Planner`] and [`Program::Jobs`].
    loads: [Load; 2],
    /// `true` once a worker has been ready.
    has_begun: bool,
    flight: Option<Flight>,
    /// The document of the last request to the worker, which keeps it.
    known: Option<KnownDocument>,
    /// The approximate size of that document, in bytes.
    size: usize,
    /// The newest request while it is not in flight, and whether a worker has died of it.
    pending: Option<(PlanRequest, bool)>,
    /// The reason why the newest revision is neither in flight nor pending.
    rest: Planning,
    /// The time when the newest answer became outdated.
    outdated: f64,
    /// The time until which nothing is shown about it.
    quiet: f64,
    shown: Option<Arc<Answer>>,
    newest: u64,
    /// The number of consecutive checks without a message from the worker.
    silent: u32,
    next_look: f64,
    ping: u32,
    /// The number of consecutive workers that died before doing anything.
    deaths: u32,
    note: Option<&'static str>,
}

impl Default for Planner {
    fn default() -> Self {
        Self {
            worker: Worker::Loading,
            program: Program::Planner,
            loads: [Load::Pending; 2],
            has_begun: false,
            flight: None,
            known: None,
            size: 0,
            pending: None,
            rest: Planning::Idle,
            outdated: 0.0,
            quiet: 0.0,
            shown: None,
            newest: 0,
            silent: 0,
            next_look: 0.0,
            ping: 0,
            deaths: 0,
            note: None,
        }
    }
}

impl Planner {
    /// Returns the current activity, at a time in milliseconds.
    pub fn status(&self, now: f64) -> Planning {
        if let (Worker::Missing, reason @ Planning::Broken(_)) = (self.worker, &self.rest) {
            return reason.clone();
        }
        if !self.has_begun {
            // The worker confirms a known answer silently.
            return match self.is_known() {
                true => Planning::Idle,
                false => Planning::Starting,
            };
        }
        if !self.is_planning() {
            return self.rest.clone();
        }
        if now < self.quiet {
            return Planning::Sent;
        }
        let (phase, since) = match &self.flight {
            Some(flight) => (flight.phase, flight.sent),
            None => (Phase::Reading, self.outdated),
        };
        Planning::Busy(phase, ((now - since) / 1_000.0) as u32)
    }

    /// Returns the reason why the worker was replaced since the newest request, if it was.
    pub fn note(&self) -> Option<&'static str> {
        self.note
    }

    /// Returns the time of the next wake-up, in milliseconds.
    pub fn due(&self, now: f64) -> Option<f64> {
        let flight = self.flight.as_ref();
        let grace = flight.and_then(|flight| Some(flight.stopped? + GRACE));
        let overtake = flight
            .filter(|flight| self.pending.is_some() && flight.stopped.is_none())
            .map(|flight| flight.sent + OVERTAKE);
        let quiet = Some(self.quiet).filter(|end| self.is_planning() && now < *end);
        let look = self.is_watched().then_some(self.next_look);
        let all = [grace, overtake, quiet, look].into_iter().flatten();
        all.min_by(f64::total_cmp)
    }

    /// Processes an input at a time in milliseconds. Returns the resulting commands.
    pub fn step(&mut self, input: Input, now: f64) -> Vec<Command> {
        let mut todo = vec![];
        match input {
            Input::Loading(program) => {
                self.loads[program as usize] = Load::Pending;
                if program == self.program && self.worker == Worker::Missing {
                    self.worker = Worker::Loading;
                }
            }
            Input::Loaded(program) => self.learn(program, Load::Loaded, now, &mut todo),
            Input::Missing(program, reason) => {
                self.learn(program, Load::Missing(reason), now, &mut todo);
            }
            Input::Plan(request) => self.plan(request, now, &mut todo),
            Input::Known(answer) if answer.revision == self.newest => self.show(*answer, &mut todo),
            Input::Known(_) => {}
            Input::Forget(revision) => {
                self.newest = revision;
                self.pending = None;
                self.rest_at(Planning::Idle);
                self.end_flight(now, &mut todo);
            }
            Input::Stop => {
                if self.pending.take().is_some() {
                    self.end_pending(&mut todo);
                }
                self.end_flight(now, &mut todo);
            }
            Input::Heard(event) => self.handle(event, now, &mut todo),
            Input::Failed => self.replace(CRASHED, now, &mut todo),
            Input::Wake => self.wake(now, &mut todo),
        }
        todo
    }

    /// Returns `true` if the newest revision will be answered.
    fn is_planning(&self) -> bool {
        self.pending.is_some() || self.is_in_flight(self.newest)
    }

    /// Returns `true` if the newest revision has its final answer, although no worker has begun.
    fn is_known(&self) -> bool {
        let shown = self.shown.as_ref();
        shown.is_some_and(|answer| answer.ended && answer.revision == self.newest)
    }

    /// Returns `true` if there is a worker that may die.
    fn is_watched(&self) -> bool {
        matches!(self.worker, Worker::Started | Worker::Ready)
    }

    fn is_in_flight(&self, revision: u64) -> bool {
        let flight = self.flight.as_ref();
        flight.is_some_and(|flight| flight.request.revision == revision)
    }

    /// Sets the state of the newest revision. Has no effect without a worker.
    fn rest_at(&mut self, rest: Planning) {
        if self.worker != Worker::Missing {
            self.rest = rest;
        }
    }

    fn plan(&mut self, request: PlanRequest, now: f64, todo: &mut Vec<Command>) {
        if !self.is_planning() {
            self.outdated = now;
            // What is already marked as old stays so.
            let is_marked = self.rest != Planning::Idle;
            self.quiet = if is_marked { now } else { now + QUIET };
        }
        self.newest = request.revision;
        let is_other = request.program() != self.program;
        if self.worker == Worker::Missing && !is_other {
            return;
        }
        self.note = None;
        self.pending = Some((request, false));
        match self.worker {
            Worker::Ended => {
                self.deaths = 0;
                self.start(now, todo);
            }
            Worker::Loading | Worker::Missing if is_other => self.start(now, todo),
            _ => {}
        }
        self.pump(now, todo);
    }

    /// Records whether a program can be run, and starts the worker that waits for it.
    fn learn(&mut self, program: Program, load: Load, now: f64, todo: &mut Vec<Command>) {
        self.loads[program as usize] = load;
        let is_at_work = self.is_watched() || self.worker == Worker::Ended;
        let is_missing = matches!(load, Load::Missing(_));
        if program == self.program && (is_missing || !is_at_work) {
            self.start(now, todo);
        }
    }

    /// Sends the pending request, unless one is in flight, which then has to end soon.
    fn pump(&mut self, now: f64, todo: &mut Vec<Command>) {
        if self.worker != Worker::Ready || self.pending.is_none() {
            return;
        }
        if let Some(flight) = &self.flight {
            if now - flight.sent >= OVERTAKE {
                self.end_flight(now, todo);
            }
            return;
        }
        let Some((request, is_retry)) = self.pending.take() else {
            return;
        };
        if request.program() != self.program {
            self.pending = Some((request, is_retry));
            return self.start(now, todo);
        }
        let wanted = request.to_wanted(self.known.as_ref());
        self.known = Some((request.revision, request.document.clone()));
        self.size = wanted.document.whole_size(self.size);
        self.silent = 0;
        self.flight = Some(Flight {
            is_retry,
            sent: now,
            ping: self.ping,
            patience: BUSY_PATIENCE + (self.size / BYTES_PER_LOOK) as u32,
            phase: Phase::Reading,
            stopped: None,
            request,
        });
        todo.push(Command::Post(Request::Plan(wanted)));
    }

    /// Tells the worker to end the request in flight. If it doesn't, the worker itself is ended.
    fn end_flight(&mut self, now: f64, todo: &mut Vec<Command>) {
        if let Some(flight) = self.flight.as_mut().filter(|f| f.stopped.is_none()) {
            flight.stopped = Some(now);
            todo.push(Command::Post(Request::Stop));
        }
    }

    fn handle(&mut self, event: Event, now: f64, todo: &mut Vec<Command>) {
        self.silent = 0;
        if !matches!(event, Event::Ready) {
            self.deaths = 0;
        }
        match event {
            Event::Ready => {
                self.worker = Worker::Ready;
                self.has_begun = true;
                self.known = None;
                self.pump(now, todo);
            }
            Event::Progress { revision, phase } => {
                if let Some(flight) = self
                    .flight
                    .as_mut()
                    .filter(|f| f.request.revision == revision)
                {
                    flight.phase = phase;
                }
            }
            Event::Answer(answer) if self.is_in_flight(answer.revision) => {
                let (ended, is_newest) = (answer.ended, answer.revision == self.newest);
                if ended {
                    self.flight = None;
                }
                if is_newest {
                    if ended {
                        self.rest_at(Planning::Idle);
                    }
                    self.show(*answer, todo);
                }
                if ended {
                    self.pump(now, todo);
                }
            }
            Event::UnknownBase(revision) if self.is_in_flight(revision) => {
                self.known = None;
                self.send_again(now, todo);
            }
            Event::Alive { ping, is_busy } => {
                // Messages keep their order: an answer sent before would have arrived.
                let is_lost = |flight: &Flight| !is_busy && ping > flight.ping;
                if self.flight.as_ref().is_some_and(is_lost) {
                    self.replace(SILENT, now, todo);
                }
            }
            // A sign of life, an outdated answer, or one to a job's request.
            _ => {}
        }
    }

    /// Sends the request in flight again, unless it was stopped or there is a newer one.
    fn send_again(&mut self, now: f64, todo: &mut Vec<Command>) {
        let Some(flight) = self.flight.take() else {
            return;
        };
        if flight.request.revision == self.newest {
            match flight.stopped {
                Some(_) => self.end_with_best(flight, todo),
                None => self.pending = Some((flight.request, flight.is_retry)),
            }
        }
        self.pump(now, todo);
    }

    fn show(&mut self, answer: Answer, todo: &mut Vec<Command>) {
        let answer = Arc::new(answer);
        self.shown = Some(answer.clone());
        todo.push(Command::Show(answer));
    }

    /// Starts a worker of the program that the pending request needs, as soon as that is loaded.
    fn start(&mut self, now: f64, todo: &mut Vec<Command>) {
        let before = self.is_watched().then_some(self.program);
        if let Some((request, _)) = &self.pending {
            self.program = request.program();
        }
        match self.loads[self.program as usize] {
            Load::Loaded => {
                self.worker = Worker::Started;
                self.silent = 0;
                self.next_look = now + LOOK;
                todo.push(Command::Start(self.program));
                return;
            }
            Load::Pending => self.worker = Worker::Loading,
            Load::Missing(reason) => {
                (self.flight, self.pending) = (None, None);
                self.worker = Worker::Ended;
                self.give_up(reason, todo);
                self.worker = Worker::Missing;
            }
        }
        if before.is_some_and(|before| before != self.program) {
            todo.push(Command::End);
        }
    }

    /// Replaces a worker that has died. Its request is sent once more, and given up if the next
    /// worker dies of it, too.
    fn replace(&mut self, death: Death, now: f64, todo: &mut Vec<Command>) {
        if !self.is_watched() {
            return;
        }
        self.note = Some(death.note);
        self.deaths += 1;
        let flight = self.flight.take();
        if let Some(flight) = flight.filter(|f| f.request.revision == self.newest) {
            if flight.stopped.is_some() {
                self.end_with_best(flight, todo);
            } else if flight.is_retry {
                self.give_up(death.twice, todo);
            } else {
                self.pending = Some((flight.request, true));
            }
        }
        if self.deaths < MAX_DEATHS {
            return self.start(now, todo);
        }
        self.worker = Worker::Ended;
        todo.push(Command::End);
        self.has_begun = true;
        if self.pending.take().is_some() {
            self.give_up(
                "The planner can't start. Search again, or reload the page.",
                todo,
            );
        }
    }

    /// Leaves the newest revision unanswered, or with a preliminary answer.
    fn give_up(&mut self, reason: &str, todo: &mut Vec<Command>) {
        self.rest_at(Planning::Broken(reason.to_owned()));
        if let Some(answer) = self.best() {
            self.show(answer, todo);
        }
    }

    /// Returns the preliminary answer to the newest revision as its final one.
    fn best(&self) -> Option<Answer> {
        let shown = self.shown.as_ref();
        let shown = shown.filter(|answer| answer.revision == self.newest && !answer.ended)?;
        Some(Answer {
            ended: true,
            ..Answer::clone(shown)
        })
    }

    /// Answers a request that was stopped.
    fn end_with_best(&mut self, flight: Flight, todo: &mut Vec<Command>) {
        self.rest_at(Planning::Idle);
        let answer = self.best().unwrap_or_else(|| {
            let PlanRequest {
                revision,
                scenario,
                character,
                strategy,
                ..
            } = flight.request;
            Answer::without_plan(revision, (scenario, character), strategy, Outcome::Stopped)
        });
        self.show(answer, todo);
    }

    /// Ends the newest request, which was stopped before it was sent. If it was about to be sent
    /// again because a worker died of it, that worker's best answer remains.
    fn end_pending(&mut self, todo: &mut Vec<Command>) {
        match self.best() {
            Some(answer) => {
                self.rest_at(Planning::Idle);
                self.show(answer, todo);
            }
            None => self.rest_at(Planning::Stopped),
        }
    }

    fn wake(&mut self, now: f64, todo: &mut Vec<Command>) {
        let stopped = self.flight.as_ref().and_then(|flight| flight.stopped);
        if stopped.is_some_and(|at| now >= at + GRACE) {
            // It is in a long slice: neither an error nor anything to report.
            if let Some(flight) = self.flight.take() {
                self.start(now, todo);
                if flight.request.revision == self.newest {
                    self.end_with_best(flight, todo);
                }
            }
        } else if self.is_watched() && now >= self.next_look {
            self.look(now, todo);
        }
        self.pump(now, todo);
    }

    /// Checks the worker, once a second.
    fn look(&mut self, now: f64, todo: &mut Vec<Command>) {
        self.next_look = now + LOOK;
        self.silent += 1;
        let patience = match &self.flight {
            Some(flight) => flight.patience,
            None if self.worker == Worker::Started => BUSY_PATIENCE,
            None => IDLE_PATIENCE,
        };
        if self.silent > patience {
            return self.replace(SILENT, now, todo);
        }
        if self.worker == Worker::Ready {
            self.ping += 1;
            todo.push(Command::Post(Request::Ping(self.ping)));
        }
    }
}
