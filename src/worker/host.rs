//! The environment of the [`Client`](super::client::Client): workers, a clock and timers.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gloo::timers::callback::Timeout;
use leptos::prelude::window;
use taskloom_worker::{Event, Port, Program, Request};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::Worker;

use crate::web::worker::WorkerProgram;

/// Starts workers and timers: the browser on the page, a fake in tests.
pub trait Host: 'static {
    /// A worker, which ends when this is dropped. No message from it arrives after that.
    type Worker: Post;
    /// A timer, which is cancelled when this is dropped.
    type Timer;

    /// Returns the time in milliseconds.
    fn now(&self) -> f64;
    /// Loads a program, then calls `done`, with `true` if workers can run it.
    fn load(&self, program: Program, done: Box<dyn FnOnce(bool)>);
    /// Starts a worker of a loaded program, with a name. `on_message` receives its messages in order,
    /// and `fail` is called when it crashes. Returns `None` if no worker can be started.
    fn start(
        &self,
        program: Program,
        name: &str,
        on_message: Box<dyn FnMut(Event)>,
        fail: Box<dyn FnMut()>,
    ) -> Option<Self::Worker>;
    /// Calls `run` after this many milliseconds.
    fn timer(&self, millis: u32, run: Box<dyn FnOnce()>) -> Self::Timer;
}

/// The end of a worker that requests are sent to.
pub trait Post {
    /// Sends a request. If the worker is dead, the request is lost without a notification.
    fn post(&self, request: &Request);
}

/// The browser.
#[derive(Default)]
pub struct Browser {
    planner: Rc<RefCell<Option<WorkerProgram>>>,
    jobs: Rc<RefCell<Option<WorkerProgram>>>,
}

impl Browser {
    fn loaded(&self, program: Program) -> &Rc<RefCell<Option<WorkerProgram>>> {
        match program {
            Program::Planner => &self.planner,
            Program::Jobs => &self.jobs,
        }
    }
}

impl Host for Browser {
    type Worker = WorkerHandle;
    type Timer = Timer;

    fn now(&self) -> f64 {
        window().performance().map_or(0.0, |p| p.now())
    }

    fn load(&self, program: Program, done: Box<dyn FnOnce(bool)>) {
        let place = self.loaded(program).clone();
        spawn_local(async move {
            let loaded = WorkerProgram::load(program).await.ok();
            let is_loaded = loaded.is_some();
            place.replace(loaded);
            done(is_loaded);
        });
    }

    fn start(
        &self,
        program: Program,
        name: &str,
        on_message: Box<dyn FnMut(Event)>,
        mut fail: Box<dyn FnMut()>,
    ) -> Option<WorkerHandle> {
        let worker = self.loaded(program).borrow().as_ref()?.start(name).ok()?;
        let failed = Closure::<dyn FnMut(web_sys::Event)>::new(move |event: web_sys::Event| {
            event.prevent_default();
            fail();
        });
        worker.set_onerror(Some(failed.as_ref().unchecked_ref()));
        Some(WorkerHandle {
            port: Port::new(worker, on_message),
            _failed: failed,
        })
    }

    fn timer(&self, millis: u32, run: Box<dyn FnOnce()>) -> Timer {
        let timer = Timer(Rc::default());
        let is_cancelled = timer.0.clone();
        let run = move || {
            if !is_cancelled.get() {
                run();
            }
        };
        Timeout::new(millis, run).forget();
        timer
    }
}

/// A timer of the browser. Instead of being cleared, it does nothing once it is cancelled, because
/// it may be dropped within its own callback.
pub struct Timer(Rc<Cell<bool>>);

impl Drop for Timer {
    fn drop(&mut self) {
        self.0.set(true);
    }
}

/// A worker of the browser.
pub struct WorkerHandle {
    port: Port<Worker, Request, Event>,
    _failed: Closure<dyn FnMut(web_sys::Event)>,
}

impl Post for WorkerHandle {
    fn post(&self, request: &Request) {
        self.port.post(request);
    }
}

impl Drop for WorkerHandle {
    fn drop(&mut self) {
        self.port.channel.set_onerror(None);
        self.port.channel.terminate();
    }
}
