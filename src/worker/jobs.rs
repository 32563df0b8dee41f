//! Work other than planning: exports, checks, layouts and imports. Each job has its own worker,
//! which no edit ends, and gets exactly one result.

use std::collections::BTreeMap;

use taskloom_worker::{Event, Program, Request};

use super::host::{Host, Post};
use super::planner::BYTES_PER_LOOK;

/// The maximum number of jobs with a worker at a time; the others wait.
const MAX_ACTIVE: usize = 3;
/// The number of consecutive checks at which a job's worker may be silent: most of a job is one
/// long slice.
const PATIENCE: u32 = 20;

/// Receives the result of a job.
pub type Done = Box<dyn FnOnce(Result<Event, String>)>;

struct Job<H: Host> {
    request: Request,
    done: Done,
    /// `None` while it waits for one.
    worker: Option<H::Worker>,
    /// The number of workers started for it.
    tries: u32,
    /// The number of consecutive checks without a message.
    silent: u32,
}

/// A job that may get a worker.
pub struct Next {
    /// Its number, and that of the try.
    pub job: (u64, u32),
    /// The program that it needs.
    pub program: Program,
    /// The name of its worker.
    pub worker_name: &'static str,
}

/// The unfinished jobs, by number.
pub struct Jobs<H: Host> {
    all: BTreeMap<u64, Job<H>>,
    last: u64,
}

impl<H: Host> Default for Jobs<H> {
    fn default() -> Self {
        Self {
            all: BTreeMap::new(),
            last: 0,
        }
    }
}

/// The reason why a job's worker ended before there was a result.
#[derive(Debug, Clone, Copy)]
pub enum End {
    /// It crashed.
    Crashed,
    /// It didn't answer.
    Silent,
}

impl<H: Host> Jobs<H> {
    /// Adds a job, which waits for a worker. Returns its number.
    pub fn add(&mut self, request: Request, done: Done) -> u64 {
        self.last += 1;
        let job = Job {
            request,
            done,
            worker: None,
            tries: 0,
            silent: 0,
        };
        self.all.insert(self.last, job);
        self.last
    }

    /// Returns `true` if no job has a worker.
    pub fn is_idle(&self) -> bool {
        self.all.values().all(|job| job.worker.is_none())
    }

    /// Ends a job whose result is no longer needed.
    pub fn cancel(&mut self, number: u64) -> Option<Ended> {
        self.end(number, Err(String::new()))
    }

    /// Returns the next job that may get a worker, with the number of the try. Jobs whose program is
    /// still being loaded wait.
    pub fn next(&self, is_loading: impl Fn(Program) -> bool) -> Option<Next> {
        let at_work = self.all.values().filter(|job| job.worker.is_some());
        if at_work.count() >= MAX_ACTIVE {
            return None;
        }
        let mut waiting = self.all.iter().filter(|(_, job)| job.worker.is_none());
        let (number, job) = waiting.find(|(_, job)| !is_loading(job.request.program()))?;
        Some(Next {
            job: (*number, job.tries + 1),
            program: job.request.program(),
            worker_name: job.request.worker_name(),
        })
    }

    /// Assigns a worker to a job and sends it the request.
    pub fn hand_over(&mut self, number: u64, worker: H::Worker) {
        if let Some(job) = self.all.get_mut(&number) {
            worker.post(&job.request);
            job.worker = Some(worker);
            job.tries += 1;
            job.silent = 0;
        }
    }

    /// Processes a message from a job's worker. Returns the job's result if this is it.
    pub fn handle(&mut self, (number, try_number): (u64, u32), event: Event) -> Option<Ended> {
        let job = self
            .all
            .get_mut(&number)
            .filter(|job| job.tries == try_number)?;
        job.silent = 0;
        match event {
            Event::Ready | Event::Working | Event::Progress { .. } | Event::Answer(_) => None,
            // The ping was sent after the request: the result should have arrived first.
            Event::Alive { .. } => self.fail((number, try_number), End::Silent),
            event => self.end(number, Ok(event)),
        }
    }

    /// Handles the end of a job's worker. The first time, the job is assigned to another one.
    pub fn fail(&mut self, (number, try_number): (u64, u32), end: End) -> Option<Ended> {
        let job = self
            .all
            .get_mut(&number)
            .filter(|job| job.tries == try_number)?;
        job.worker = None;
        if job.tries < 2 {
            return None;
        }
        let reason = match end {
            End::Crashed => "It crashed twice. It may be too much for this browser's memory.",
            End::Silent => "It didn't respond. Please try again.",
        };
        self.end(number, Err(reason.to_owned()))
    }

    /// Fails a job because no worker can be started for it.
    pub fn refuse(&mut self, number: u64, reason: &str) -> Option<Ended> {
        self.end(number, Err(reason.to_owned()))
    }

    fn end(&mut self, number: u64, result: Result<Event, String>) -> Option<Ended> {
        let job = self.all.remove(&number)?;
        Some(Ended {
            done: job.done,
            result,
        })
    }

    /// Checks the workers, once a second. Returns those that have been silent for too long.
    pub fn look(&mut self) -> Vec<(u64, u32)> {
        let mut silent = vec![];
        for (number, job) in &mut self.all {
            let Some(worker) = &job.worker else {
                continue;
            };
            job.silent += 1;
            let bytes = job.request.size();
            if job.silent > PATIENCE + (bytes / BYTES_PER_LOOK) as u32 {
                silent.push((*number, job.tries));
            } else {
                worker.post(&Request::Ping(0));
            }
        }
        silent
    }
}

/// A finished job. Its result is passed on once nothing is borrowed any more.
pub struct Ended {
    done: Done,
    result: Result<Event, String>,
}

impl Ended {
    /// Passes the result on.
    pub fn tell(self) {
        (self.done)(self.result);
    }
}
