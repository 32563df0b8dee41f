//! Work apart from planning: exports, layouts and imports. Each has a worker of its own,
//! which no edit ends, and gets exactly one result.

use std::collections::BTreeMap;

use super::host::{Host, Post};
use super::message::{Event, Request};
use super::planner::BYTES_PER_LOOK;

/// So many jobs have a worker at a time; the others wait.
const MOST_AT_WORK: usize = 3;
/// How many looks in a row may find a job's worker silent: most of a job is one long slice.
const PATIENCE: u32 = 20;

/// Receives the result of a job.
pub type Done = Box<dyn FnOnce(Result<Event, String>)>;

struct Job<H: Host> {
    request: Request,
    done: Done,
    /// None: it waits for one.
    worker: Option<H::Worker>,
    /// How many workers were started for it.
    tries: u32,
    /// Looks in a row without a message.
    silent: u32,
}

/// The jobs that have no result yet, by their numbers.
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

/// How the worker of a job ended before there was a result.
#[derive(Debug, Clone, Copy)]
pub enum End {
    /// It crashed.
    Crashed,
    /// It didn't answer.
    Silent,
}

impl<H: Host> Jobs<H> {
    /// Adds a job, which waits for a worker; returns its number.
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

    /// Ends a job; nobody waits for its result any longer.
    pub fn cancel(&mut self, number: u64) -> Option<Ended> {
        self.end(number, Err(String::new()))
    }

    /// The next job that may have a worker, and which try it is.
    pub fn next(&self) -> Option<(u64, u32)> {
        let at_work = self.all.values().filter(|job| job.worker.is_some());
        if at_work.count() >= MOST_AT_WORK {
            return None;
        }
        let mut waiting = self.all.iter().filter(|(_, job)| job.worker.is_none());
        waiting.next().map(|(number, job)| (*number, job.tries + 1))
    }

    /// Gives a job a worker, and the worker the job.
    pub fn hand_over(&mut self, number: u64, worker: H::Worker) {
        if let Some(job) = self.all.get_mut(&number) {
            worker.post(&job.request);
            job.worker = Some(worker);
            job.tries += 1;
            job.silent = 0;
        }
    }

    /// Takes in a message of a job's worker; returns the job's result, if this is it.
    pub fn hear(&mut self, (number, try_number): (u64, u32), event: Event) -> Option<Ended> {
        let job = self
            .all
            .get_mut(&number)
            .filter(|job| job.tries == try_number)?;
        job.silent = 0;
        match event {
            Event::Ready | Event::Working | Event::Progress { .. } | Event::Answer(_) => None,
            // The ping was sent after the request: the result should have come before.
            Event::Alive { .. } => self.fail((number, try_number), End::Silent),
            event => self.end(number, Ok(event)),
        }
    }

    /// The worker of a job has ended. The first time the job goes to another one.
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

    /// No worker can be started for this job.
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

    /// Looks at the workers, once a second; returns those that have been silent for too long.
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

/// A job that has ended. Its result is passed on once nothing is borrowed any longer.
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
