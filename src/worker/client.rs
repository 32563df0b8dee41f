//! The page's side of its workers: executes the decisions of [`Planner`] and [`Jobs`].

use std::cell::RefCell;
use std::rc::{Rc, Weak};
use std::sync::Arc;

use leptos::prelude::*;
use taskloom_document::{Document, Name, Point};
use taskloom_layout::Graph;
use taskloom_worker::{
    Answer, Checks, Event, Exported, Findings, Format, Imported, LoggedRun, PLANNER, Program,
    Request, SearchReport, TextFile,
};

use super::host::{Browser, Host, Post};
use super::jobs::{Done, End, Ended, Jobs};
use super::planner::{Command, Input, LOOK, PlanRequest, Planner, Planning};

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;

/// Returns the reason why no worker can run a program, and what to do.
fn not_loaded(program: Program) -> &'static str {
    match program {
        Program::Planner => {
            "The planner isn't loaded. Check the connection to the server, then press Search again."
        }
        Program::Jobs => {
            "This part of the editor isn't loaded. Check the connection to the server, then try again."
        }
    }
}

/// The state of planning that the page displays.
#[derive(Debug, Clone, Copy)]
pub struct Shown {
    /// The planner's current activity.
    pub status: RwSignal<Planning>,
    /// The reason why its worker was replaced since the latest request, if it was.
    pub note: RwSignal<Option<&'static str>>,
    /// The latest answer.
    pub answer: RwSignal<Option<Arc<Answer>>>,
    /// The revision being planned: that of the latest request.
    pub revision: RwSignal<u64>,
}

impl Shown {
    /// Creates the state before anything was planned.
    pub fn new() -> Self {
        Self {
            status: RwSignal::new(Planning::Starting),
            note: RwSignal::new(None),
            answer: RwSignal::new(None),
            revision: RwSignal::new(0),
        }
    }
}

struct Inner<H: Host> {
    host: Rc<H>,
    planner: Planner,
    /// The planning worker.
    worker: Option<H::Worker>,
    jobs: Jobs<H>,
    /// For each program: whether workers can run it; `None` until that is known.
    loaded: [Option<Result<(), &'static str>>; 2],
    /// `true` once the program for jobs is being loaded, which waits for the planner's.
    has_begun_jobs: bool,
    /// The time of the next check of the jobs' workers.
    next_look: f64,
    /// The time of the next wake-up, with its timer.
    alarm: Option<(f64, H::Timer)>,
    /// The last request, apart from its revision.
    asked: Option<PlanRequest>,
    /// A document with the answers that were stored with it.
    stored: Option<(Arc<Document>, Vec<Answer>)>,
    shown: Shown,
}

impl<H: Host> Inner<H> {
    /// Returns the stored answer to a request, if there is one.
    fn stored_answer(&self, request: &PlanRequest, revision: u64) -> Option<Box<Answer>> {
        let (document, answers) = self.stored.as_ref()?;
        if !Arc::ptr_eq(document, &request.document) || request.is_for_all {
            return None;
        }
        let mut answers = answers.iter().filter(|answer| {
            (&answer.scenario, answer.character) == (&request.scenario, request.character)
                && (answer.strategy, &answer.experiment) == (request.strategy, &request.experiment)
        });
        let mut answer = answers.next()?.clone();
        answer.revision = revision;
        Some(Box::new(answer))
    }
}

/// The page's handle to its workers.
pub struct Client<H: Host = Browser>(Rc<RefCell<Inner<H>>>);

impl<H: Host> Clone for Client<H> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl Client {
    /// Loads the workers' programs and starts the planner; answers go into the signals.
    pub fn start(shown: Shown) -> Self {
        let client = Self::new(Rc::new(Browser::default()), shown);
        client.load(Program::Planner);
        client
    }
}

impl<H: Host> Client<H> {
    fn new(host: Rc<H>, shown: Shown) -> Self {
        Self(Rc::new(RefCell::new(Inner {
            host,
            planner: Planner::default(),
            worker: None,
            jobs: Jobs::default(),
            loaded: [None; 2],
            has_begun_jobs: false,
            next_look: 0.0,
            alarm: None,
            asked: None,
            stored: None,
            shown,
        })))
    }

    /// Loads a program. Requests and jobs that need it wait.
    fn load(&self, program: Program) {
        self.0.borrow_mut().loaded[program as usize] = None;
        self.handle(Input::Loading(program));
        let loaded = self.answering(move |client, is_loaded| client.loaded(program, is_loaded));
        let host = self.0.borrow().host.clone();
        host.load(program, loaded);
    }

    /// Loads the programs again whose loading has failed.
    fn load_missing(&self, is_needed: impl Fn(Program) -> bool) {
        for program in [Program::Planner, Program::Jobs] {
            let loaded = self.0.borrow().loaded[program as usize];
            if matches!(loaded, Some(Err(_))) && is_needed(program) {
                self.load(program);
            }
        }
    }

    /// Records that workers can run a program from now on, or can't.
    fn loaded(&self, program: Program, is_loaded: bool) {
        let loaded = if is_loaded {
            Ok(())
        } else {
            Err(not_loaded(program))
        };
        self.0.borrow_mut().loaded[program as usize] = Some(loaded);
        self.handle(match loaded {
            Ok(()) => Input::Loaded(program),
            Err(reason) => Input::Missing(program, reason),
        });
        self.start_job_workers();
        if !std::mem::replace(&mut self.0.borrow_mut().has_begun_jobs, true) {
            self.load(Program::Jobs);
        }
    }

    /// Repeats the last request, as after a stop. Loads the workers' programs again if that failed.
    pub fn search_again(&self) {
        self.load_missing(|_| true);
        self.plan_again();
    }

    /// Requests a plan, unless the request equals the previous one: a change that is irrelevant to
    /// the planner doesn't interrupt a search or invalidate its answer.
    pub fn want(&self, request: Option<PlanRequest>) {
        let is_same = match (&self.0.borrow().asked, &request) {
            (Some(asked), Some(request)) => asked.is_same(request),
            _ => false,
        };
        if !is_same {
            self.0.borrow_mut().asked = request;
            self.plan_again();
        }
    }

    /// Repeats the last request, as after a stop.
    pub fn plan_again(&self) {
        let (asked, shown) = {
            let inner = self.0.borrow();
            (inner.asked.clone(), inner.shown)
        };
        let revision = shown.revision.get_untracked() + 1;
        shown.revision.set(revision);
        match asked {
            Some(request) => {
                let known = self.0.borrow().stored_answer(&request, revision);
                self.handle(Input::Plan(PlanRequest {
                    revision,
                    ..request
                }));
                if let Some(answer) = known {
                    self.handle(Input::Known(answer));
                }
            }
            None => {
                shown.answer.set(None);
                self.handle(Input::Forget(revision));
            }
        }
    }

    /// Shows the answers that were stored with a document as soon as they are requested. The planner
    /// confirms them.
    pub fn know(&self, document: Arc<Document>, answers: Vec<Answer>) {
        self.0.borrow_mut().stored = Some((document, answers));
    }

    /// Drops the last request, since another document is being opened.
    pub fn close(&self) {
        self.0.borrow_mut().asked = None;
        self.0.borrow_mut().stored = None;
        self.plan_again();
    }

    /// Stops planning.
    pub fn stop(&self) {
        self.handle(Input::Stop);
    }

    /// Exports files for another program.
    pub fn export(
        &self,
        document: &Document,
        scenario: Option<Name>,
        format: Format,
        done: impl FnOnce(Result<Exported, String>) + 'static,
    ) {
        let request = Request::Export {
            document: document.to_json(),
            scenario,
            format,
        };
        self.assign(request, move |result| match result {
            Ok(Event::Exported(exported)) => done(exported),
            other => done(Err(unexpected(other))),
        });
    }

    /// Checks scenarios for as long as the returned value lives. Their runs are returned, too, if
    /// `with_runs` is `true`.
    pub fn check(
        &self,
        document: &Document,
        scenarios: Vec<Name>,
        with_runs: bool,
        done: impl FnOnce(Result<Checks, String>) + 'static,
    ) -> JobHandle<H> {
        let request = Request::Check {
            document: document.to_json(),
            scenarios,
            with_runs,
        };
        let number = self.assign(request, move |result| match result {
            Ok(Event::Checked(checks)) => done(checks),
            other => done(Err(unexpected(other))),
        });
        self.handle_of(number)
    }

    /// Repeats the search of a planning in the run of the last request, with a trace, for as long as
    /// the returned value lives. Returns `None` without a request.
    pub fn trace(
        &self,
        planning: usize,
        done: impl FnOnce(Result<Option<SearchReport>, String>) + 'static,
    ) -> Option<JobHandle<H>> {
        let wanted = self.0.borrow().asked.as_ref()?.to_wanted(None);
        let request = Request::Trace { wanted, planning };
        let number = self.assign(request, move |result| match result {
            Ok(Event::Traced(report)) => done(report),
            other => done(Err(unexpected(other))),
        });
        Some(self.handle_of(number))
    }

    /// Lays out a flowchart.
    pub fn layout(
        &self,
        graph: Graph,
        at: Vec<Option<Point>>,
        movable: Vec<bool>,
        done: impl FnOnce(Result<Vec<Point>, String>) + 'static,
    ) {
        let request = Request::Layout { graph, at, movable };
        self.assign(request, move |result| match result {
            Ok(Event::LaidOut(points)) => done(Ok(points)),
            other => done(Err(unexpected(other))),
        });
    }

    /// Reads planning files for as long as the returned value lives.
    pub fn import(
        &self,
        domain: TextFile,
        problem: Option<TextFile>,
        done: impl FnOnce(Result<Imported, Findings>) + 'static,
    ) -> JobHandle<H> {
        let request = Request::Import { domain, problem };
        let number = self.assign(request, move |result| match result {
            Ok(Event::Imported(imported)) => done(imported),
            other => done(Err(unexpected(other).into())),
        });
        self.handle_of(number)
    }

    /// Reads the log of a run of one of a document's scenarios, for as long as the returned value lives.
    pub fn read_log(
        &self,
        document: String,
        log: TextFile,
        done: impl FnOnce(Result<Box<LoggedRun>, String>) + 'static,
    ) -> JobHandle<H> {
        let request = Request::ReadLog { document, log };
        let number = self.assign(request, move |result| match result {
            Ok(Event::LogRead(read)) => done(read),
            other => done(Err(unexpected(other))),
        });
        self.handle_of(number)
    }

    fn handle_of(&self, number: u64) -> JobHandle<H> {
        JobHandle {
            client: self.clone(),
            number,
        }
    }

    /// Assigns a request to a separate worker.
    fn assign(&self, request: Request, done: impl FnOnce(Result<Event, String>) + 'static) -> u64 {
        let (done, program): (Done, _) = (Box::new(done), request.program());
        let number = self.0.borrow_mut().jobs.add(request, done);
        self.load_missing(|missing| missing == program);
        self.start_job_workers();
        number
    }

    /// Starts workers for waiting jobs, up to the limit.
    fn start_job_workers(&self) {
        loop {
            let (host, loaded) = (self.0.borrow().host.clone(), self.0.borrow().loaded);
            let is_loading = |program: Program| loaded[program as usize].is_none();
            let Some(next) = self.0.borrow().jobs.next(is_loading) else {
                break;
            };
            let job = next.job;
            let loaded = loaded[next.program as usize].unwrap_or(Ok(()));
            let worker = loaded.and_then(|()| {
                let on_message = self.answering(move |client, event| {
                    let ended = client.0.borrow_mut().jobs.handle(job, event);
                    client.tell(ended);
                });
                let mut fail =
                    self.answering(move |client, ()| client.end_job_worker(job, End::Crashed));
                let fail = Box::new(move || fail(()));
                let worker = host.start(next.program, next.worker_name, on_message, fail);
                worker.ok_or("This browser doesn't start web workers.")
            });
            match worker {
                Ok(worker) => {
                    let mut inner = self.0.borrow_mut();
                    if inner.jobs.is_idle() {
                        inner.next_look = host.now() + LOOK;
                    }
                    inner.jobs.hand_over(job.0, worker);
                }
                Err(reason) => {
                    let ended = self.0.borrow_mut().jobs.refuse(job.0, reason);
                    ended.into_iter().for_each(Ended::tell);
                }
            }
        }
        self.settle();
    }

    /// Returns a callback for a worker; it doesn't keep the client alive.
    fn answering<T>(&self, mut act: impl FnMut(&Self, T) + 'static) -> Box<dyn FnMut(T)> {
        let client: Weak<_> = Rc::downgrade(&self.0);
        Box::new(move |what| {
            if let Some(client) = client.upgrade() {
                act(&Self(client), what);
            }
        })
    }

    /// Handles the end of a job's worker.
    fn end_job_worker(&self, job: (u64, u32), end: End) {
        let ended = self.0.borrow_mut().jobs.fail(job, end);
        self.tell(ended);
    }

    fn tell(&self, ended: Option<Ended>) {
        ended.into_iter().for_each(Ended::tell);
        self.start_job_workers();
    }

    /// Passes an input to the planner, and executes the resulting commands.
    fn handle(&self, input: Input) {
        let commands = {
            let mut inner = self.0.borrow_mut();
            let now = inner.host.now();
            inner.planner.step(input, now)
        };
        for command in commands {
            self.perform(command);
        }
        self.settle();
    }

    fn perform(&self, command: Command) {
        match command {
            Command::Start(program) => self.start_planning_worker(program),
            Command::End => {
                let old = self.0.borrow_mut().worker.take();
                drop(old);
            }
            Command::Post(request) => {
                if let Some(worker) = &self.0.borrow().worker {
                    worker.post(&request);
                }
            }
            Command::Show(answer) => {
                let shown = self.0.borrow().shown;
                shown.answer.set(Some(answer));
            }
        }
    }

    /// Starts a planning worker that replaces the last one.
    fn start_planning_worker(&self, program: Program) {
        self.perform(Command::End);
        let host = self.0.borrow().host.clone();
        let on_message = self.answering(|client, event| client.handle(Input::Heard(event)));
        let mut fail = self.answering(|client, ()| client.handle(Input::Failed));
        let fail = Box::new(move || fail(()));
        let worker = host.start(program, PLANNER, on_message, fail);
        let is_missing = worker.is_none();
        self.0.borrow_mut().worker = worker;
        if is_missing {
            let reason = "Planning needs web workers, which this browser doesn't allow.";
            self.handle(Input::Missing(program, reason));
        }
    }

    /// Shows the status, and schedules a wake-up for when it changes by itself or something is due.
    fn settle(&self) {
        let mut inner = self.0.borrow_mut();
        let (now, shown) = (inner.host.now(), inner.shown);
        let (status, note) = (inner.planner.status(now), inner.planner.note());
        let look = (!inner.jobs.is_idle()).then_some(inner.next_look);
        let due = inner.planner.due(now).into_iter().chain(look);
        let due = due.min_by(f64::total_cmp);
        if inner.alarm.as_ref().map(|(due, _)| *due) != due {
            inner.alarm = due.map(|due| {
                let mut ring = self.answering(|client, ()| client.wake());
                let millis = (due - now).max(0.0).ceil() as u32;
                (due, inner.host.timer(millis, Box::new(move || ring(()))))
            });
        }
        drop(inner);
        if shown.status.with_untracked(|before| *before != status) {
            shown.status.set(status);
        }
        if shown.note.get_untracked() != note {
            shown.note.set(note);
        }
    }

    fn wake(&self) {
        let silent = {
            let mut inner = self.0.borrow_mut();
            inner.alarm = None;
            let now = inner.host.now();
            if now >= inner.next_look && !inner.jobs.is_idle() {
                inner.next_look = now + LOOK;
                inner.jobs.look()
            } else {
                vec![]
            }
        };
        for job in silent {
            self.end_job_worker(job, End::Silent);
        }
        self.handle(Input::Wake);
    }
}

/// Returns the reason why a job has no result of the expected kind.
fn unexpected(result: Result<Event, String>) -> String {
    result
        .err()
        .unwrap_or_else(|| "It didn't respond. Please try again.".to_owned())
}

/// A job that is cancelled when this is dropped, unless it has ended.
pub struct JobHandle<H: Host = Browser> {
    client: Client<H>,
    number: u64,
}

impl<H: Host> Drop for JobHandle<H> {
    fn drop(&mut self) {
        let ended = self.client.0.borrow_mut().jobs.cancel(self.number);
        drop(ended);
        self.client.start_job_workers();
    }
}
