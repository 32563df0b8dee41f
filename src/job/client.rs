//! The page's side: one request in flight and the newest one pending, a watchdog
//! over the worker, and no answer shown that a newer edit has overtaken.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use gloo::timers::callback::{Interval, Timeout};
use js_sys::Uint8Array;
use leptos::prelude::*;
use taskloom_core::document::{Document, Name, Point};
use taskloom_core::layout::Graph;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::{MessageEvent, Worker};

use super::Import;
use super::message::{Answer, Event, Exported, Format, Imported, Request, TextFile};
use crate::web::worker::WorkerProgram;

/// Time for a search, in milliseconds.
const SEARCH_MILLIS: u32 = 10_000;
/// Events of a search that are kept.
const TRACE_BOUND: usize = 2_000;
/// How old a request in flight may grow before a newer one replaces it, in milliseconds.
const OVERTAKE: f64 = 60.0;
/// How many pings in a row a worker that has work may leave unanswered. Counted
/// rather than timed: on a machine that is slow for both, the page pings seldom.
const UNANSWERED: u32 = 5;
/// So many bytes of a document allow for one more ping, while it is read and compiled.
const SIZE_A_PING: usize = 100_000;
/// How often the watchdog looks, in milliseconds.
const WATCH: u32 = 1_000;

/// What the planner is doing.
#[derive(Debug, Clone, PartialEq)]
pub enum Planning {
    /// The worker's program is being loaded.
    Starting,
    /// It waits for an edit.
    Idle,
    /// A search runs; decisions taken so far, once it takes long enough to tell.
    Searching(Option<u64>),
    /// It cannot plan, and this is why.
    Broken(String),
}

type ExportDone = Box<dyn FnOnce(Result<Exported, String>)>;
type LayoutDone = Box<dyn FnOnce(Vec<Point>)>;

struct Inner {
    program: Option<WorkerProgram>,
    worker: Option<Worker>,
    ready: bool,
    in_flight: Option<(u64, f64)>,
    pending: Option<(u64, Request)>,
    overtake: Option<Timeout>,
    unanswered: u32,
    /// How many pings the newest document may leave unanswered.
    patience: u32,
    export: Option<ExportDone>,
    layout: Option<LayoutDone>,
    status: RwSignal<Planning>,
    answer: WriteSignal<Option<Arc<Answer>>>,
    newest: u64,
    _watch: Option<Interval>,
}

/// The page's handle of the planning worker.
#[derive(Clone)]
pub struct Planner(Rc<RefCell<Inner>>);

fn now() -> f64 {
    window().performance().map_or(0.0, |p| p.now())
}

impl Planner {
    /// Loads the worker's program and starts it; answers go into the signal.
    pub fn start(status: RwSignal<Planning>, answer: WriteSignal<Option<Arc<Answer>>>) -> Self {
        let planner = Self(Rc::new(RefCell::new(Inner {
            program: None,
            worker: None,
            ready: false,
            in_flight: None,
            pending: None,
            overtake: None,
            unanswered: 0,
            patience: UNANSWERED,
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
                Err(_) => status.set(Planning::Broken(
                    "The planner could not be loaded. Reload the page.".to_owned(),
                )),
            }
        });
        planner
    }

    /// Asks for a plan; whatever was asked before is of no interest any more.
    pub fn plan(&self, revision: u64, document: &Document, scenario: Name) {
        let document = document.to_json();
        let patience = UNANSWERED + (document.len() / SIZE_A_PING) as u32;
        let request = Request::Plan {
            revision,
            document,
            scenario,
            millis: SEARCH_MILLIS,
            trace_bound: TRACE_BOUND,
        };
        {
            let mut inner = self.0.borrow_mut();
            inner.newest = revision;
            inner.patience = patience;
            inner.pending = Some((revision, request));
        }
        self.pump();
    }

    /// Ends the search that runs.
    pub fn stop(&self) {
        let mut inner = self.0.borrow_mut();
        inner.pending = None;
        inner.post(&Request::Stop);
    }

    /// Writes files for another program. A later export replaces one that waits.
    pub fn export(
        &self,
        document: &Document,
        scenario: Option<Name>,
        format: Format,
        done: impl FnOnce(Result<Exported, String>) + 'static,
    ) {
        let mut inner = self.0.borrow_mut();
        if !inner.ready {
            drop(inner);
            return done(Err("The worker has not started yet.".to_owned()));
        }
        inner.export = Some(Box::new(done));
        inner.post(&Request::Export {
            document: document.to_json(),
            scenario,
            format,
        });
    }

    /// Lays out a flowchart, unless the worker is gone; a later layout replaces one
    /// that waits.
    pub fn layout(
        &self,
        graph: Graph,
        at: Vec<Option<Point>>,
        movable: Vec<bool>,
        done: impl FnOnce(Vec<Point>) + 'static,
    ) {
        let mut inner = self.0.borrow_mut();
        inner.layout = Some(Box::new(done));
        inner.post(&Request::Layout { graph, at, movable });
    }

    /// Reads planning files; ends when what it returns is dropped.
    pub fn import(
        &self,
        domain: TextFile,
        problem: Option<TextFile>,
        done: impl Fn(Result<Imported, String>) + Clone + 'static,
    ) -> Result<Import, String> {
        let inner = self.0.borrow();
        let program = inner.program.as_ref();
        let program = program.ok_or_else(|| "The worker has not started yet.".to_owned())?;
        Import::start(program, domain, problem, done)
    }

    /// Sends what is pending, unless a young request is in flight.
    fn pump(&self) {
        let mut inner = self.0.borrow_mut();
        if !inner.ready || inner.pending.is_none() {
            return;
        }
        if let Some((_, sent)) = inner.in_flight {
            let age = now() - sent;
            if age < OVERTAKE {
                if inner.overtake.is_none() {
                    let later = self.clone();
                    inner.overtake = Some(Timeout::new((OVERTAKE - age) as u32 + 1, move || {
                        later.0.borrow_mut().overtake = None;
                        later.pump();
                    }));
                }
                return;
            }
        }
        if let Some((revision, request)) = inner.pending.take() {
            if inner.in_flight.is_none() {
                inner.unanswered = 0;
            }
            inner.in_flight = Some((revision, now()));
            inner.post(&request);
            let status = inner.status;
            drop(inner);
            // A search that ends within a frame or two must not make the status flicker.
            if status.get_untracked() == Planning::Starting {
                status.set(Planning::Idle);
            }
        }
    }

    fn hear(&self, event: Event) {
        self.0.borrow_mut().unanswered = 0;
        match event {
            Event::Ready => {
                self.0.borrow_mut().ready = true;
                self.pump();
            }
            Event::Pong => {}
            Event::Progress {
                revision,
                statistics,
            } => {
                let (status, current) = {
                    let inner = self.0.borrow();
                    (inner.status, inner.in_flight.map(|f| f.0) == Some(revision))
                };
                if current {
                    status.set(Planning::Searching(Some(statistics.nodes)));
                }
            }
            Event::Answer(answer) => {
                let (status, signal, fresh) = {
                    let mut inner = self.0.borrow_mut();
                    if inner.in_flight.map(|f| f.0) != Some(answer.revision) {
                        return;
                    }
                    inner.in_flight = None;
                    (inner.status, inner.answer, answer.revision == inner.newest)
                };
                if fresh {
                    status.set(Planning::Idle);
                    signal.set(Some(Arc::new(*answer)));
                }
                self.pump();
            }
            Event::Exported(result) => {
                let done = self.0.borrow_mut().export.take();
                if let Some(done) = done {
                    done(result);
                }
            }
            Event::LaidOut(points) => {
                let done = self.0.borrow_mut().layout.take();
                if let Some(done) = done {
                    done(points);
                }
            }
            // Files are read by workers of their own.
            Event::Imported(_) => {}
        }
    }

    fn spawn(&self) {
        let started = self.0.borrow().program.as_ref().map(WorkerProgram::start);
        let Some(Ok(worker)) = started else {
            let status = self.0.borrow().status;
            return status.set(Planning::Broken(
                "This browser starts no worker; there is no planning.".to_owned(),
            ));
        };
        let hearer = self.clone();
        let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |message: MessageEvent| {
            let bytes = Uint8Array::new(&message.data()).to_vec();
            if let Ok(event) = postcard::from_bytes(&bytes) {
                hearer.hear(event);
            }
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        on_message.forget();
        let failing = self.clone();
        let on_error = Closure::<dyn FnMut(web_sys::Event)>::new(move |event: web_sys::Event| {
            event.prevent_default();
            failing.restart("The planner broke on this document");
        });
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        on_error.forget();
        let mut inner = self.0.borrow_mut();
        inner.worker = Some(worker);
        inner.ready = false;
        inner.unanswered = 0;
    }

    /// Ends the worker and starts another. What it broke on is not sent again;
    /// the next edit is.
    fn restart(&self, reason: &str) {
        let (status, export) = {
            let mut inner = self.0.borrow_mut();
            if let Some(worker) = inner.worker.take() {
                worker.set_onmessage(None);
                worker.set_onerror(None);
                worker.terminate();
            }
            inner.in_flight = None;
            inner.ready = false;
            (inner.status, inner.export.take())
        };
        status.set(Planning::Broken(format!(
            "{reason}; it was started anew and goes on with your next edit."
        )));
        if let Some(done) = export {
            done(Err(format!("{reason}.")));
        }
        self.spawn();
    }

    fn watch(&self) {
        let silent = {
            let mut inner = self.0.borrow_mut();
            let busy = inner.ready && (inner.in_flight.is_some() || inner.export.is_some());
            if busy {
                inner.post(&Request::Ping);
                inner.unanswered += 1;
            }
            busy && inner.unanswered > inner.patience
        };
        if silent {
            self.restart("The planner did not answer");
        }
    }
}

impl Inner {
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
