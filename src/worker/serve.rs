//! The worker's side: plans in stages and slices, so that newer requests and stops
//! get in between, tells how far it is, and answers.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use taskloom::document::{Document, Name};
use taskloom::layout;
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageChannel, MessageEvent, MessagePort};

use super::attempt::until;
use super::message::{Event, Request};
use super::planning::{Job, Next};
use super::port::{Port, post};

/// How long a slice may take before messages get in, in milliseconds.
const SLICE: f64 = 8.0;
/// How long a planning may be silent, in milliseconds.
const QUIET: f64 = 100.0;
/// How often a long slice sends a sign of life, in milliseconds.
const BEAT: f64 = 500.0;
/// How long writing files for another program may take, in milliseconds.
const EXPORT: f64 = 30_000.0;
/// A document's text of so many bytes takes long enough to tell of each stage.
const LARGE: usize = 200_000;

/// The worker's state.
struct Server {
    page: Port<DedicatedWorkerGlobalScope, Event, Request>,
    planning: Option<Planning>,
    /// Posts to itself: what is queued behind runs first, unlike with a timer's delay.
    again: MessagePort,
}

/// The planning in progress.
struct Planning {
    job: Job,
    /// Whether each stage may take long.
    large: bool,
    /// When the page last heard of it.
    told: f64,
}

/// Starts to serve; returns at once.
pub fn serve(scope: &DedicatedWorkerGlobalScope) -> Result<(), JsValue> {
    let channel = MessageChannel::new()?;
    let server = Rc::new_cyclic(|server: &Weak<RefCell<Server>>| {
        let server = server.clone();
        let handle = move |request| {
            if let Some(server) = server.upgrade() {
                server.borrow_mut().handle(request);
            }
        };
        RefCell::new(Server {
            page: Port::new(scope.clone(), handle),
            planning: None,
            again: channel.port1(),
        })
    });

    let slices = server.clone();
    let on_again = Closure::<dyn FnMut(MessageEvent)>::new(move |_| slices.borrow_mut().go_on());
    channel
        .port2()
        .set_onmessage(Some(on_again.as_ref().unchecked_ref()));
    on_again.forget();

    server.borrow().page.post(&Event::Ready);
    Ok(())
}

thread_local! {
    /// When a clock was last looked at and the page received a sign of life.
    static BEATEN: Cell<f64> = const { Cell::new(0.0) };
}

/// The worker's time in milliseconds. Whatever takes long looks at it from time to time, and
/// so proves to the page that the worker is alive, even within a slice.
fn now() -> f64 {
    let scope: &DedicatedWorkerGlobalScope = &js_sys::global().unchecked_into();
    let time = scope.performance().map_or(0.0, |p| p.now());
    if time - BEATEN.get() >= BEAT {
        BEATEN.set(time);
        post(scope, &Event::Working);
    }
    time
}

impl Server {
    fn handle(&mut self, request: Request) {
        match request {
            Request::Stop => {
                if let Some(planning) = self.planning.take() {
                    self.page.post(&Event::Answer(planning.job.stop(now)));
                }
            }
            Request::Plan(wanted) => {
                let started = now();
                let large = wanted.document.len() >= LARGE;
                let job = Job::new(wanted, started);
                if large {
                    self.tell(&job);
                }
                self.planning = Some(Planning {
                    job,
                    large,
                    told: started,
                });
                if large {
                    // The page has to hear of it before the stage begins.
                    self.again();
                } else {
                    self.go_on();
                }
            }
            Request::Export {
                document,
                scenario,
                format,
            } => {
                let result = export(&document, scenario, format);
                self.page.post(&Event::Exported(result));
            }
            Request::Check {
                document,
                scenarios,
            } => {
                let page = &self.page;
                let working = || page.post(&Event::Working);
                let result = super::checking::check(&document, &scenarios, now, working);
                page.post(&Event::Checked(result));
            }
            Request::Layout { graph, at, movable } => {
                self.page
                    .post(&Event::LaidOut(layout::tidy(&graph, &at, &movable)));
            }
            Request::Ping(ping) => {
                let is_busy = self.planning.is_some();
                self.page.post(&Event::Alive { ping, is_busy });
            }
            Request::Import { domain, problem } => {
                let result = super::import::import(&domain, problem.as_ref());
                self.page.post(&Event::Imported(result));
            }
        }
    }

    fn tell(&self, job: &Job) {
        self.page.post(&Event::Progress {
            revision: job.revision,
            stage: job.stage(),
        });
    }

    fn again(&self) {
        let _ = self.again.post_message(&JsValue::NULL);
    }

    /// Plans for a while; answers, or posts itself the next slice.
    fn go_on(&mut self) {
        let Some(Planning {
            mut job,
            large,
            mut told,
        }) = self.planning.take()
        else {
            return;
        };
        let begun = now();
        loop {
            let before = std::mem::discriminant(&job.stage());
            match job.step(now) {
                Next::Answer(answer) => return self.page.post(&Event::Answer(answer)),
                Next::Meanwhile(answer) => self.page.post(&Event::Answer(answer)),
                Next::More => {}
            }
            let time = now();
            let moved_on = std::mem::discriminant(&job.stage()) != before;
            let slow = large || time - job.started >= QUIET;
            if moved_on && slow || time - told >= QUIET {
                told = time;
                self.tell(&job);
            }
            if moved_on && slow || time - begun >= SLICE {
                break;
            }
        }
        self.planning = Some(Planning { job, large, told });
        self.again();
    }
}

fn export(
    document: &str,
    scenario: Option<Name>,
    format: super::Format,
) -> Result<super::message::Exported, String> {
    let document = Document::from_json(document).map_err(|error| error.to_string())?;
    let stop = until(now, now() + EXPORT);
    super::export::export(&document, scenario, format, &stop)
}
