//! The worker's life: it is started, and ended and replaced where it breaks, does not
//! listen, or is silent for too long.

use std::sync::Arc;

use js_sys::Uint8Array;
use leptos::prelude::*;
use taskloom::planner::plan::{Limit, Outcome};
use wasm_bindgen::prelude::*;
use web_sys::MessageEvent;

use super::super::message::Answer;
use super::{Planner, Planning};
use crate::web::worker::WorkerProgram;

/// So many looks in a row may find it silent. Counted rather than timed: a page that
/// was asleep has heard nothing either.
const MOST_SILENT: u32 = 120;

impl Planner {
    pub(super) fn spawn(&self) {
        let started = self.0.borrow().program.as_ref().map(WorkerProgram::start);
        let Some(Ok(worker)) = started else {
            return self.is_broken("This browser starts no worker; there is no planning.");
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
            let (planned, status) = {
                let inner = failing.0.borrow();
                (inner.in_flight.is_some(), inner.status)
            };
            failing.restart();
            if planned {
                status.set(Planning::Broken(
                    "The planner broke on this document; it was started anew and plans again when what it plans has changed."
                        .to_owned(),
                ));
            }
        });
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        on_error.forget();
        let mut inner = self.0.borrow_mut();
        inner.worker = Some(worker);
        inner.ready = false;
        inner.silent = 0;
    }

    /// There is no worker, and will be none.
    pub(super) fn is_broken(&self, reason: &str) {
        let status = self.0.borrow().status;
        status.set(Planning::Broken(reason.to_owned()));
        self.give_up(reason, |_| true);
    }

    /// Ends the worker and starts another, which is asked once more for what the old one
    /// still had to do. What two workers have not come through is given up.
    fn restart(&self) {
        {
            let mut inner = self.0.borrow_mut();
            if let Some(worker) = inner.worker.take() {
                worker.set_onmessage(None);
                worker.set_onerror(None);
                worker.terminate();
            }
            inner.in_flight = None;
            inner.ready = false;
        }
        self.give_up("The worker ended twice meanwhile.", |again| again);
        self.spawn();
    }

    /// Answers what is asked beside planning, where `which` says so of its having been asked
    /// again; the rest will be asked again.
    fn give_up(&self, reason: &str, which: impl Fn(bool) -> bool) {
        let (layout, export) = {
            let mut inner = self.0.borrow_mut();
            let layout = inner.layout.take_if(|asked| which(asked.again));
            let export = inner.export.take_if(|asked| which(asked.again));
            if let Some(asked) = &mut inner.layout {
                asked.again = true;
            }
            if let Some(asked) = &mut inner.export {
                asked.again = true;
            }
            (layout, export)
        };
        if let Some(asked) = layout {
            (asked.done)(Err(reason.to_owned()));
        }
        if let Some(asked) = export {
            (asked.done)(Err(reason.to_owned()));
        }
    }

    /// Ends a planning together with its worker. What it had found is kept.
    pub(super) fn abandon(&self, outcome: Outcome) {
        let (flight, status, signal, newest, idle) = {
            let mut inner = self.0.borrow_mut();
            let flight = inner.in_flight.take();
            let idle = inner.pending.is_none();
            (flight, inner.status, inner.answer, inner.newest, idle)
        };
        self.restart();
        if idle {
            status.set(Planning::Idle);
        }
        let Some(flight) = flight.filter(|f| f.revision == newest) else {
            return;
        };
        let found = signal.get_untracked();
        let answer = match found.filter(|a| a.revision == flight.revision) {
            Some(found) => Answer {
                ended: true,
                ..Answer::clone(&found)
            },
            None => {
                Answer::without_plan(flight.revision, flight.scenario, flight.strategy, outcome)
            }
        };
        signal.set(Some(Arc::new(answer)));
    }

    pub(super) fn watch(&self) {
        let (busy, plans, silent) = {
            let mut inner = self.0.borrow_mut();
            let plans = inner.in_flight.is_some();
            let busy = inner.ready && (plans || inner.export.is_some());
            inner.silent = if busy { inner.silent + 1 } else { 0 };
            (busy, plans, inner.silent)
        };
        if busy && silent > MOST_SILENT {
            self.abandon(Outcome::GaveUp(Limit::Time));
        } else if busy && plans {
            self.show_progress();
        }
    }
}
