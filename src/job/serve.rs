//! The worker's side: runs a search in slices, so that newer requests and stops
//! get in between, and answers.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::Uint8Array;
use taskloom_core::compile::compile;
use taskloom_core::document::{Document, Name};
use taskloom_core::layout;
use taskloom_core::plan::{self, Budget, Engine, Limit, Outcome, Progress};
use taskloom_core::simulate::{judge, simulate};
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageChannel, MessageEvent, MessagePort};

use super::message::{Answer, Event, Request};

/// How long a slice may take before messages get in, in milliseconds.
const SLICE: f64 = 8.0;
/// How long a search runs before the page hears of it, in milliseconds.
const QUIET: f64 = 100.0;
/// Decisions between two looks at the clock.
const STRIDE: u64 = 256;
/// Ticks that a simulated run may take.
const MAX_TICKS: u32 = 10_000;

/// A planning in progress.
struct Job {
    revision: u64,
    document: Document,
    scenario: Name,
    search: Box<dyn Engine>,
    started: f64,
    deadline: f64,
    last_progress: f64,
}

/// The worker's state.
struct Server {
    scope: DedicatedWorkerGlobalScope,
    job: Option<Job>,
    /// Posts to itself: what is queued behind runs first, unlike with a timer's delay.
    again: MessagePort,
}

/// Starts to serve; returns at once.
pub fn serve(scope: &DedicatedWorkerGlobalScope) -> Result<(), JsValue> {
    let channel = MessageChannel::new()?;
    let server = Rc::new(RefCell::new(Server {
        scope: scope.clone(),
        job: None,
        again: channel.port1(),
    }));

    let slices = server.clone();
    let on_again = Closure::<dyn FnMut(MessageEvent)>::new(move |_| slices.borrow_mut().slice());
    channel
        .port2()
        .set_onmessage(Some(on_again.as_ref().unchecked_ref()));
    on_again.forget();

    let requests = server.clone();
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |message: MessageEvent| {
        let bytes = Uint8Array::new(&message.data()).to_vec();
        if let Ok(request) = postcard::from_bytes(&bytes) {
            requests.borrow_mut().handle(request);
        }
    });
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget();

    server.borrow().send(&Event::Ready);
    Ok(())
}

impl Server {
    fn send(&self, event: &Event) {
        let Ok(bytes) = postcard::to_stdvec(event) else {
            return;
        };
        let array = Uint8Array::from(bytes.as_slice());
        let transfer = js_sys::Array::of1(&array.buffer());
        // A page that has gone away hears nothing, and that is no failure.
        let _ = self.scope.post_message_with_transfer(&array, &transfer);
    }

    fn now(&self) -> f64 {
        self.scope.performance().map_or(0.0, |p| p.now())
    }

    fn handle(&mut self, request: Request) {
        match request {
            Request::Ping => self.send(&Event::Pong),
            Request::Stop => {
                if let Some(job) = self.job.take() {
                    self.answer(job, Outcome::Stopped);
                }
            }
            Request::Plan {
                revision,
                document,
                scenario,
                millis,
                trace_bound,
            } => self.begin(revision, &document, scenario, millis, trace_bound),
            Request::Export {
                document,
                scenario,
                format,
            } => {
                let result = Document::from_json(&document)
                    .map_err(|e| e.to_string())
                    .and_then(|document| super::export::export(&document, scenario, format));
                self.send(&Event::Exported(result));
            }
            Request::Layout { graph, at, movable } => {
                self.send(&Event::LaidOut(layout::tidy(&graph, &at, &movable)));
            }
            Request::Import { domain, problem } => {
                let result = super::import::import(&domain, problem.as_ref());
                self.send(&Event::Imported(result));
            }
        }
    }

    fn begin(
        &mut self,
        revision: u64,
        document: &str,
        scenario: Name,
        millis: u32,
        trace_bound: usize,
    ) {
        self.job = None;
        let started = self.now();
        let Ok(document) = Document::from_json(document) else {
            return;
        };
        let compiled = compile(&document, &scenario);
        let policy = plan::policy(&document, &scenario);
        let budget = Budget::default();
        let search = plan::search(policy, &compiled.problem, budget, trace_bound);
        self.job = Some(Job {
            revision,
            document,
            scenario,
            search,
            started,
            deadline: started + f64::from(millis),
            last_progress: started,
        });
        self.slice();
    }

    /// Searches for a while; answers, or posts itself the next slice.
    fn slice(&mut self) {
        let Some(mut job) = self.job.take() else {
            return;
        };
        let begun = self.now();
        loop {
            let progress = job.search.step(STRIDE);
            let now = self.now();
            if progress == Progress::Done {
                let outcome = job.search.outcome().unwrap_or(Outcome::NoPlan);
                return self.answer(job, outcome);
            }
            if now >= job.deadline {
                return self.answer(job, Outcome::GaveUp(Limit::Time));
            }
            if now - begun >= SLICE {
                if now - job.last_progress >= QUIET {
                    job.last_progress = now;
                    self.send(&Event::Progress {
                        revision: job.revision,
                        statistics: job.search.statistics(),
                    });
                }
                break;
            }
        }
        self.job = Some(job);
        let _ = self.again.post_message(&JsValue::NULL);
    }

    fn answer(&self, job: Job, outcome: Outcome) {
        let outcome = match (outcome, job.search.best()) {
            (Outcome::GaveUp(_) | Outcome::Stopped, Some(best)) => Outcome::Plan(best.clone()),
            (outcome, _) => outcome,
        };
        let micros = ((self.now() - job.started) * 1000.0) as u64;
        let invalid = match &outcome {
            Outcome::Plan(found) => plan::validate(&job.document, &job.scenario, found)
                .err()
                .map(|e| e.to_string()),
            _ => None,
        };
        let statistics = job.search.statistics();
        let run = matches!(outcome, Outcome::Plan(_)).then(|| {
            // Replanning may search as long as the first planning did, and some more.
            let budget = Budget {
                nodes: statistics.nodes * 4 + 20_000,
                ..Budget::default()
            };
            simulate(&job.document, &job.scenario, budget, MAX_TICKS)
        });
        let verdicts = judge(&job.document, &job.scenario, &outcome, run.as_ref());
        self.send(&Event::Answer(Box::new(Answer {
            revision: job.revision,
            initial: plan::initial_state(&job.document, &job.scenario),
            scenario: job.scenario,
            outcome,
            invalid,
            statistics,
            trace: job.search.trace().cloned().unwrap_or_default(),
            run,
            verdicts,
            micros,
        })));
    }
}
