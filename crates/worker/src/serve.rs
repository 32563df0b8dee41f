//! The worker's side: plans in phases and slices, so that newer requests and stops get in between,
//! reports its progress, and answers.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use taskloom_planner::plan::StartSearch;
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageChannel, MessageEvent, MessagePort};

use crate::message::{Event, KnownDocument, Request};
use crate::planning::{Job, Next};
use crate::port::{Port, post};

/// The maximum time of a slice before messages are received, in milliseconds.
const SLICE: f64 = 8.0;
/// The time that planning may be silent, in milliseconds.
const QUIET: f64 = 100.0;
/// The interval of signs of life within a long slice, in milliseconds.
const BEAT: f64 = 500.0;
/// The size of a document's text, in bytes, from which each phase takes long enough to be reported.
const LARGE: usize = 200_000;

/// The worker's state.
struct Server {
    page: Port<DedicatedWorkerGlobalScope, Event, Request>,
    /// Starts the searches that this program has.
    start: StartSearch,
    perform: PerformJob,
    planning: Option<Planning>,
    /// The document of the last request, unless that is being planned.
    known: Option<KnownDocument>,
    /// The approximate size of that document, in bytes.
    size: usize,
    /// A port for messages to itself: what is already queued is processed first, without a timer's
    /// delay.
    again: MessagePort,
}

/// The planning request in progress.
struct Planning {
    job: Job,
    /// `true` if each phase may take long.
    large: bool,
    /// The time of the last message to the page.
    reported: f64,
}

/// Performs a request that isn't for planning, if the program can. The function returns the time in
/// milliseconds.
pub type PerformJob = fn(Request, fn() -> f64) -> Option<Event>;

/// Starts serving and returns at once. `start` starts the searches, and `perform` performs jobs: a
/// program consists of what these functions use.
pub fn serve(
    scope: &DedicatedWorkerGlobalScope,
    start: StartSearch,
    perform: PerformJob,
) -> Result<(), JsValue> {
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
            start,
            perform,
            planning: None,
            known: None,
            size: 0,
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
    /// The time at which a clock was last read and the page received a sign of life.
    static BEATEN: Cell<f64> = const { Cell::new(0.0) };
}

/// Returns the worker's time in milliseconds. Long computations call it periodically, which proves
/// to the page that the worker is alive even within a slice.
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
                if let Some(mut planning) = self.planning.take() {
                    self.known = planning.job.take_known();
                    self.page.post(&Event::Answer(planning.job.stop(now)));
                }
            }
            Request::Plan(wanted) => {
                let started = now();
                if let Some(mut planning) = self.planning.take() {
                    self.known = planning.job.take_known();
                }
                self.size = wanted.document.whole_size(self.size);
                let large = self.size >= LARGE;
                let job = Job::new(wanted, started, self.start).knowing(self.known.take());
                if large {
                    self.tell(&job);
                }
                self.planning = Some(Planning {
                    job,
                    large,
                    reported: started,
                });
                if large {
                    // The page must be notified before the phase begins.
                    self.again();
                } else {
                    self.go_on();
                }
            }
            Request::Check {
                document,
                scenarios,
                with_runs,
            } => {
                let page = &self.page;
                let working = || page.post(&Event::Working);
                let result = crate::checking::check(&document, &scenarios, with_runs, now, working);
                page.post(&Event::Checked(result));
            }
            Request::Trace { wanted, planning } => {
                let result = crate::tracing::traced(&wanted, planning, self.start, now);
                self.page.post(&Event::Traced(result));
            }
            Request::Ping(ping) => {
                let is_busy = self.planning.is_some();
                self.page.post(&Event::Alive { ping, is_busy });
            }
            job => {
                let event = (self.perform)(job, now);
                event.into_iter().for_each(|event| self.page.post(&event));
            }
        }
    }

    fn tell(&self, job: &Job) {
        self.page.post(&Event::Progress {
            revision: job.wanted.revision,
            phase: job.phase(),
        });
    }

    fn again(&self) {
        let _ = self.again.post_message(&JsValue::NULL);
    }

    /// Plans for a while, then answers or schedules the next slice.
    fn go_on(&mut self) {
        let Some(Planning {
            mut job,
            large,
            mut reported,
        }) = self.planning.take()
        else {
            return;
        };
        let begun = now();
        loop {
            let before = std::mem::discriminant(&job.phase());
            match job.step(now) {
                Next::Answer(answer) => {
                    self.known = job.take_known();
                    return self.page.post(&Event::Answer(answer));
                }
                Next::UnknownBase => {
                    return self.page.post(&Event::UnknownBase(job.wanted.revision));
                }
                Next::Meanwhile(answer) => self.page.post(&Event::Answer(answer)),
                Next::More => {}
            }
            let time = now();
            let moved_on = std::mem::discriminant(&job.phase()) != before;
            let slow = large || time - job.started >= QUIET;
            if moved_on && slow || time - reported >= QUIET {
                reported = time;
                self.tell(&job);
            }
            if moved_on && slow || time - begun >= SLICE {
                break;
            }
        }
        self.planning = Some(Planning {
            job,
            large,
            reported,
        });
        self.again();
    }
}
