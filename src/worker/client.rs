//! The page's side: does in the browser what the [`Planner`] commands.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use gloo::timers::callback::{Interval, Timeout};
use leptos::prelude::*;
use taskloom::document::{Document, Name, Point};
use taskloom::layout::Graph;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::Worker;

use super::Import;
use super::message::{Answer, Event, Exported, Findings, Format, Imported, Request, TextFile};
use super::planner::{Command, Input, Planner, Planning, Wish};
use super::port::Port;
use crate::web::worker::WorkerProgram;

/// How often the page looks what the worker is at, in milliseconds.
const WATCH: u32 = 1_000;

type Done<T> = Box<dyn FnOnce(Result<T, String>)>;

struct Inner {
    machine: Planner,
    program: Option<WorkerProgram>,
    worker: Option<Hired>,
    export: Option<Done<Exported>>,
    layout: Option<Done<Vec<Point>>>,
    status: RwSignal<Planning>,
    answer: RwSignal<Option<Arc<Answer>>>,
}

/// The page's handle of the planning worker.
#[derive(Clone)]
pub struct Client(Rc<RefCell<Inner>>);

fn now() -> f64 {
    window().performance().map_or(0.0, |p| p.now())
}

impl Client {
    /// Loads the worker's program and starts it; answers go into the signal.
    pub fn start(status: RwSignal<Planning>, answer: RwSignal<Option<Arc<Answer>>>) -> Self {
        let client = Self(Rc::new(RefCell::new(Inner {
            machine: Planner::default(),
            program: None,
            worker: None,
            export: None,
            layout: None,
            status,
            answer,
        })));
        let watched = client.clone();
        Interval::new(WATCH, move || watched.hear(Input::Look)).forget();
        let starting = client.clone();
        spawn_local(async move {
            starting.hear(match WorkerProgram::load().await {
                Ok(program) => {
                    starting.0.borrow_mut().program = Some(program);
                    Input::Loaded
                }
                Err(_) => Input::Missing("The planner could not be loaded. Reload the page."),
            });
        });
        client
    }

    /// Asks for a plan; whatever was asked before is of no interest any more.
    pub fn plan(&self, wish: Wish) {
        self.hear(Input::Plan(wish));
    }

    /// Ends the planning that runs; of this revision there is nothing to plan.
    pub fn forget(&self, revision: u64) {
        self.hear(Input::Forget(revision));
    }

    /// Ends the planning that runs, whatever it is at.
    pub fn stop(&self) {
        self.hear(Input::Stop);
    }

    /// Writes files for another program. A later export replaces one that waits.
    pub fn export(
        &self,
        document: &Document,
        scenario: Option<Name>,
        format: Format,
        done: impl FnOnce(Result<Exported, String>) + 'static,
    ) {
        self.0.borrow_mut().export = Some(Box::new(done));
        self.hear(Input::Ask(Request::Export {
            document: document.to_json(),
            scenario,
            format,
        }));
    }

    /// Lays out a flowchart; a later layout replaces one that waits.
    pub fn layout(
        &self,
        graph: Graph,
        at: Vec<Option<Point>>,
        movable: Vec<bool>,
        done: impl FnOnce(Result<Vec<Point>, String>) + 'static,
    ) {
        self.0.borrow_mut().layout = Some(Box::new(done));
        self.hear(Input::Ask(Request::Layout { graph, at, movable }));
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

    /// Tells the machine what happens, and does what it commands.
    fn hear(&self, input: Input) {
        let (commands, planning, status) = {
            let mut inner = self.0.borrow_mut();
            let commands = inner.machine.step(input, now());
            (commands, inner.machine.status().clone(), inner.status)
        };
        if status.with_untracked(|status| *status != planning) {
            status.set(planning);
        }
        for command in commands {
            self.perform(command);
        }
    }

    fn perform(&self, command: Command) {
        match command {
            Command::Start => self.hire(),
            Command::Post(request) => {
                if let Some(worker) = &self.0.borrow().worker {
                    worker.port.post(&request);
                }
            }
            Command::Grace(revision, millis) => self.later(millis, Input::GraceOver(revision)),
            Command::Age(millis) => self.later(millis, Input::Old),
            Command::Show(answer) => {
                let signal = self.0.borrow().answer;
                signal.set(Some(answer));
            }
            Command::Exported(result) => {
                let done = self.0.borrow_mut().export.take();
                if let Some(done) = done {
                    done(result);
                }
            }
            Command::LaidOut(result) => {
                let done = self.0.borrow_mut().layout.take();
                if let Some(done) = done {
                    done(result);
                }
            }
        }
    }

    fn later(&self, millis: u32, input: Input) {
        let client = self.clone();
        Timeout::new(millis, move || client.hear(input)).forget();
    }

    fn hire(&self) {
        let old = self.0.borrow_mut().worker.take();
        drop(old);
        let (hearer, failing) = (self.clone(), self.clone());
        let hired = self.0.borrow().program.as_ref().map(|program| {
            Hired::start(
                program,
                move |event| hearer.hear(Input::Heard(event)),
                move || failing.hear(Input::Failed),
            )
        });
        match hired.flatten() {
            Some(worker) => self.0.borrow_mut().worker = Some(worker),
            None => self.hear(Input::Missing(
                "This browser starts no worker; there is no planning.",
            )),
        }
    }
}

/// A worker that works until this is dropped.
pub struct Hired {
    /// What it is asked by.
    pub port: Port<Worker, Request, Event>,
    _failed: Closure<dyn FnMut(web_sys::Event)>,
}

impl Hired {
    /// A worker that tells `hear` what it says; `fail` hears of it when it breaks. None where
    /// the browser starts none.
    pub fn start(
        program: &WorkerProgram,
        hear: impl FnMut(Event) + 'static,
        mut fail: impl FnMut() + 'static,
    ) -> Option<Self> {
        let worker = program.start().ok()?;
        let failed = Closure::<dyn FnMut(web_sys::Event)>::new(move |event: web_sys::Event| {
            event.prevent_default();
            fail();
        });
        worker.set_onerror(Some(failed.as_ref().unchecked_ref()));
        Some(Self {
            port: Port::new(worker, hear),
            _failed: failed,
        })
    }
}

impl Drop for Hired {
    fn drop(&mut self) {
        self.port.channel.set_onerror(None);
        self.port.channel.terminate();
    }
}
