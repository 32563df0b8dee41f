//! The page's side: one request in flight and the newest one pending, and no answer
//! shown that a newer edit has overtaken. A worker that does not listen, because a slice
//! of its work is a long one or it is stuck, is ended, and another takes its place.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use gloo::timers::callback::{Interval, Timeout};
use js_sys::Uint8Array;
use leptos::prelude::*;
use taskloom::document::{Document, Name, Point};
use taskloom::layout::Graph;
use taskloom::planner::plan::{Outcome, Strategy};
use wasm_bindgen_futures::spawn_local;
use web_sys::Worker;

use super::Import;
use super::message::{
    Answer, Event, Exported, Findings, Format, Imported, Request, Stage, TextFile, Wanted,
};
use crate::web::worker::WorkerProgram;

mod worker;

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
/// How often the page looks what the worker is at, in milliseconds.
const WATCH: u32 = 1_000;

/// What the planner is doing.
#[derive(Debug, Clone, PartialEq)]
pub enum Planning {
    /// The worker's program is being loaded.
    Starting,
    /// It waits for an edit.
    Idle,
    /// It plans, for so many seconds already.
    Busy(Stage, u32),
    /// It cannot plan, and this is why.
    Broken(String),
}

type ExportDone = Box<dyn FnOnce(Result<Exported, String>)>;
type LayoutDone = Box<dyn FnOnce(Result<Vec<Point>, String>)>;

/// A request beside planning that is not answered yet.
struct Asked<D> {
    request: Request,
    /// Whether a worker that is gone was asked before.
    again: bool,
    done: D,
}

impl<D> Asked<D> {
    fn new(request: Request, done: D) -> Self {
        Self {
            request,
            again: false,
            done,
        }
    }
}

/// A request that is not answered yet.
struct Flight {
    revision: u64,
    scenario: Name,
    strategy: Strategy,
    sent: f64,
    stage: Stage,
    /// It was told to stop.
    stopping: bool,
}

struct Inner {
    program: Option<WorkerProgram>,
    worker: Option<Worker>,
    ready: bool,
    in_flight: Option<Flight>,
    pending: Option<Pending>,
    overtake: Option<Timeout>,
    /// Looks since the worker last said something.
    silent: u32,
    export: Option<Asked<ExportDone>>,
    layout: Option<Asked<LayoutDone>>,
    status: RwSignal<Planning>,
    answer: RwSignal<Option<Arc<Answer>>>,
    newest: u64,
    _watch: Option<Interval>,
}

/// A request that waits for its turn.
struct Pending {
    revision: u64,
    document: Arc<Document>,
    scenario: Name,
    strategy: Strategy,
}

/// The page's handle of the planning worker.
#[derive(Clone)]
pub struct Planner(Rc<RefCell<Inner>>);

fn now() -> f64 {
    window().performance().map_or(0.0, |p| p.now())
}

impl Planner {
    /// Loads the worker's program and starts it; answers go into the signal.
    pub fn start(status: RwSignal<Planning>, answer: RwSignal<Option<Arc<Answer>>>) -> Self {
        let planner = Self(Rc::new(RefCell::new(Inner {
            program: None,
            worker: None,
            ready: false,
            in_flight: None,
            pending: None,
            overtake: None,
            silent: 0,
            export: None,
            layout: None,
            status,
            answer,
            newest: 0,
            _watch: None,
        })));
        let watched = planner.clone();
        planner.0.borrow_mut()._watch = Some(Interval::new(WATCH, move || watched.watch()));
        let starting = planner.clone();
        spawn_local(async move {
            match WorkerProgram::load().await {
                Ok(program) => {
                    starting.0.borrow_mut().program = Some(program);
                    starting.spawn();
                }
                Err(_) => starting.is_broken("The planner could not be loaded. Reload the page."),
            }
        });
        planner
    }

    /// Asks for a plan; whatever was asked before is of no interest any more.
    pub fn plan(&self, revision: u64, document: Arc<Document>, scenario: Name, strategy: Strategy) {
        {
            let mut inner = self.0.borrow_mut();
            inner.newest = revision;
            inner.pending = Some(Pending {
                revision,
                document,
                scenario,
                strategy,
            });
        }
        self.pump();
    }

    /// Ends the planning that runs; of this revision there is nothing to plan.
    pub fn forget(&self, revision: u64) {
        self.0.borrow_mut().newest = revision;
        self.stop();
    }

    /// Ends the planning that runs, whatever it is at.
    pub fn stop(&self) {
        self.0.borrow_mut().pending = None;
        self.end_flight();
    }

    /// Has the request in flight end soon: the worker may hear that it shall stop, and
    /// otherwise ends itself.
    fn end_flight(&self) {
        let revision = {
            let mut inner = self.0.borrow_mut();
            let Some(flight) = inner.in_flight.as_mut().filter(|f| !f.stopping) else {
                return;
            };
            flight.stopping = true;
            let revision = flight.revision;
            inner.post(&Request::Stop);
            revision
        };
        let impatient = self.clone();
        Timeout::new(GRACE, move || {
            let inner = impatient.0.borrow();
            let waits = inner
                .in_flight
                .as_ref()
                .is_some_and(|f| f.revision == revision);
            drop(inner);
            if waits {
                impatient.abandon(Outcome::Stopped);
            }
        })
        .forget();
    }

    /// Writes files for another program. A later export replaces one that waits.
    pub fn export(
        &self,
        document: &Document,
        scenario: Option<Name>,
        format: Format,
        done: impl FnOnce(Result<Exported, String>) + 'static,
    ) {
        let status = self.0.borrow().status;
        if let Planning::Broken(reason) = status.get_untracked()
            && self.0.borrow().worker.is_none()
        {
            return done(Err(reason));
        }
        let request = Request::Export {
            document: document.to_json(),
            scenario,
            format,
        };
        let mut inner = self.0.borrow_mut();
        inner.ask(&request);
        inner.export = Some(Asked::new(request, Box::new(done)));
    }

    /// Lays out a flowchart; a later layout replaces one that waits.
    pub fn layout(
        &self,
        graph: Graph,
        at: Vec<Option<Point>>,
        movable: Vec<bool>,
        done: impl FnOnce(Result<Vec<Point>, String>) + 'static,
    ) {
        let mut inner = self.0.borrow_mut();
        let request = Request::Layout { graph, at, movable };
        inner.ask(&request);
        inner.layout = Some(Asked::new(request, Box::new(done)));
    }

    /// Reads planning files; ends when what it returns is dropped.
    pub fn import(
        &self,
        domain: TextFile,
        problem: Option<TextFile>,
        done: impl Fn(Result<Imported, Findings>) + Clone + 'static,
    ) -> Result<Import, String> {
        let inner = self.0.borrow();
        let program = inner.program.as_ref();
        let program = program.ok_or_else(|| "The worker has not started yet.".to_owned())?;
        Import::start(program, domain, problem, done)
    }

    /// Sends what is pending, once nothing is in flight; what is has to end soon.
    fn pump(&self) {
        let mut inner = self.0.borrow_mut();
        if !inner.ready || inner.pending.is_none() {
            return;
        }
        if let Some(flight) = &inner.in_flight {
            let age = now() - flight.sent;
            if age >= OVERTAKE {
                drop(inner);
                return self.end_flight();
            }
            if inner.overtake.is_none() {
                let later = self.clone();
                inner.overtake = Some(Timeout::new((OVERTAKE - age) as u32 + 1, move || {
                    later.0.borrow_mut().overtake = None;
                    later.pump();
                }));
            }
            return;
        }
        if let Some(pending) = inner.pending.take() {
            let Pending {
                revision,
                document,
                scenario,
                strategy,
            } = pending;
            inner.silent = 0;
            inner.in_flight = Some(Flight {
                revision,
                scenario: scenario.clone(),
                strategy,
                sent: now(),
                stage: Stage::Reading,
                stopping: false,
            });
            inner.post(&Request::Plan(Wanted {
                revision,
                document: document.to_json(),
                scenario,
                strategy,
                millis: match strategy {
                    Strategy::First => SEARCH_MILLIS,
                    Strategy::Cheapest | Strategy::Any => LONG_SEARCH_MILLIS,
                },
                trace_bound: TRACE_BOUND,
            }));
            let status = inner.status;
            drop(inner);
            // A search that ends within a frame or two must not make the status flicker.
            if !matches!(status.get_untracked(), Planning::Idle | Planning::Busy(..)) {
                status.set(Planning::Idle);
            }
        }
    }

    fn hear(&self, event: Event) {
        self.0.borrow_mut().silent = 0;
        match event {
            Event::Ready => {
                {
                    let mut inner = self.0.borrow_mut();
                    inner.ready = true;
                    let layout = inner.layout.as_ref().map(|asked| &asked.request);
                    let export = inner.export.as_ref().map(|asked| &asked.request);
                    layout
                        .into_iter()
                        .chain(export)
                        .for_each(|request| inner.post(request));
                }
                self.pump();
            }
            Event::Progress { revision, stage } => {
                let mut inner = self.0.borrow_mut();
                if let Some(flight) = inner.in_flight.as_mut().filter(|f| f.revision == revision) {
                    flight.stage = stage;
                    drop(inner);
                    self.show_progress();
                }
            }
            Event::Answer(answer) => {
                let (status, signal, fresh, idle) = {
                    let mut inner = self.0.borrow_mut();
                    if inner.in_flight.as_ref().map(|f| f.revision) != Some(answer.revision) {
                        return;
                    }
                    if answer.ended {
                        inner.in_flight = None;
                    }
                    let fresh = answer.revision == inner.newest;
                    let idle = answer.ended && inner.pending.is_none();
                    (inner.status, inner.answer, fresh, idle)
                };
                let ended = answer.ended;
                if idle {
                    status.set(Planning::Idle);
                }
                if fresh {
                    signal.set(Some(Arc::new(*answer)));
                }
                if ended {
                    self.pump();
                }
            }
            Event::Exported(result) => {
                let done = self.0.borrow_mut().export.take();
                if let Some(asked) = done {
                    (asked.done)(result);
                }
            }
            Event::LaidOut(points) => {
                let done = self.0.borrow_mut().layout.take();
                if let Some(asked) = done {
                    (asked.done)(Ok(points));
                }
            }
            // Files are read by workers of their own.
            Event::Imported(_) => {}
        }
    }

    /// Tells what the worker is at, and for how long.
    fn show_progress(&self) {
        let inner = self.0.borrow();
        let Some(flight) = &inner.in_flight else {
            return;
        };
        let seconds = ((now() - flight.sent) / 1_000.0) as u32;
        let (status, stage) = (inner.status, flight.stage);
        drop(inner);
        status.set(Planning::Busy(stage, seconds));
    }
}

impl Inner {
    /// Sends a request, now or when there is a worker.
    fn ask(&mut self, request: &Request) {
        if self.ready {
            self.silent = 0;
            self.post(request);
        }
    }

    fn post(&self, request: &Request) {
        if let Some(worker) = &self.worker {
            post(worker, request);
        }
    }
}

/// Sends a request to a worker.
pub fn post(worker: &Worker, request: &Request) {
    let Ok(bytes) = postcard::to_stdvec(request) else {
        return;
    };
    let array = Uint8Array::from(bytes.as_slice());
    let transfer = js_sys::Array::of1(&array.buffer());
    let _ = worker.post_message_with_transfer(&array, &transfer);
}
