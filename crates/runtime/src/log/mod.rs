//! Logs: what the actors of a world decide and do, as JSON Lines.
//!
//! A world that has a [`Log`] writes to it, and so do all its actors, in the simulator as in a game. The
//! [`entry`] module has the lines. Each is one JSON object, and is flushed as soon as it is written. An
//! actor's lines of a tick are written at the end of its turn.

mod entry;
mod number;
mod plans;
mod read;
mod record;
mod scenario;
#[cfg(test)]
mod schema;
mod steps;
mod texts;

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::mem;
use std::time::Duration;

use taskloom_document::{Document, Name};
use taskloom_domain::Actor as Role;
use taskloom_planner::plan::Change;

pub use entry::*;
pub(crate) use plans::rejected;
pub use read::{LogError, LogFile};
pub use scenario::ScenarioRun;
pub(crate) use steps::{StepMoment, logged_end};
pub(crate) use texts::{changes, text, values};

use crate::world::World;

/// The default number of ticks between two snapshots.
const SNAPSHOT_INTERVAL: u32 = 100;

/// A log, to which a [`World`] and its actors write what they decide and do.
///
/// ```
/// # use taskloom_document::{Document, Name};
/// # use taskloom_domain::Domain;
/// # use taskloom_runtime::{Log, LogLevel, World};
/// # let document = Document::from_json(r#"{ "taskloom": 2, "scenarios": { "s": {} } }"#).unwrap();
/// # let mut world = World::new(&Domain::from(&document), &Name::new("s").unwrap()).unwrap();
/// # let file: Vec<u8> = vec![];
/// let log = Log::new(&document, file).with_level(LogLevel::Decisions);
/// world.start_log(log);
/// ```
pub struct Log {
    sink: Box<dyn Write + Send + Sync>,
    level: LogLevel,
    snapshot_interval: Option<u32>,
    ticks_per_second: Option<f64>,
    clock: Option<Box<Clock>>,
    title: String,
    hash: String,
}

/// A clock: the time since any fixed moment.
type Clock = dyn Fn() -> Duration + Send + Sync;

impl Log {
    /// Creates a log of the level [`All`](LogLevel::All), with a snapshot every 100 ticks. The document is the
    /// one that the world's domain was created from.
    pub fn new(document: &Document, sink: impl Write + Send + Sync + 'static) -> Self {
        Self {
            sink: Box::new(sink),
            level: LogLevel::All,
            snapshot_interval: Some(SNAPSHOT_INTERVAL),
            ticks_per_second: None,
            clock: None,
            title: document.info.title.clone(),
            hash: document.hash(),
        }
    }

    /// Sets the level.
    #[must_use]
    pub fn with_level(mut self, level: LogLevel) -> Self {
        self.level = level;
        self
    }

    /// Sets the number of ticks between two snapshots; with `None`, there is only the first one.
    #[must_use]
    pub fn with_snapshot_interval(mut self, ticks: Option<u32>) -> Self {
        self.snapshot_interval = ticks;
        self
    }

    /// Sets the tick rate of the game, for readers that show times.
    #[must_use]
    pub fn with_tick_rate(mut self, ticks_per_second: f64) -> Self {
        self.ticks_per_second = Some(ticks_per_second);
        self
    }

    /// Sets a clock, which returns the time since any fixed moment. With it, plannings have the time and the
    /// decisions that their searches took. Without it, the same run always gives the same log.
    #[must_use]
    pub fn with_clock(mut self, clock: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        self.clock = Some(Box::new(clock));
        self
    }
}

/// The log of a world, with what has been written.
pub(crate) struct Logger {
    log: Log,
    /// The tick of the last snapshot.
    snapshot: u32,
    /// The actors that aren't in the cast and have a line.
    introduced: BTreeSet<usize>,
    /// The first error.
    error: Option<io::Error>,
}

impl Logger {
    /// Writes a line, unless an earlier one couldn't be written.
    fn write(&mut self, entry: &LogEntry) {
        if self.error.is_none()
            && let Err(error) = self.try_write(entry)
        {
            self.error = Some(error);
        }
    }

    fn try_write(&mut self, entry: &LogEntry) -> io::Result<()> {
        let mut line = serde_json::to_vec(entry)?;
        line.push(b'\n');
        self.log.sink.write_all(&line)?;
        self.log.sink.flush()
    }
}

impl World {
    /// Starts a log of itself and all its actors. It replaces an earlier one.
    ///
    /// An error ends the writing, but not the game: see [`log_error`](Self::log_error).
    pub fn start_log(&mut self, log: Log) {
        if log.level == LogLevel::Off {
            self.logger = None;
            return;
        }
        let scene = self.facts.scene();
        let start = StartEntry {
            format: LOG_FORMAT,
            level: log.level,
            title: log.title.clone(),
            document: log.hash.clone(),
            scenario: self.scenario().to_string(),
            tick: self.tick(),
            ticks_per_second: log.ticks_per_second,
            actors: scene
                .cast
                .iter()
                .enumerate()
                .map(|(number, role)| logged_actor(number, role))
                .collect(),
        };
        self.logger = Some(Box::new(Logger {
            log,
            snapshot: self.tick(),
            introduced: BTreeSet::new(),
            error: None,
        }));
        self.write_log(&LogEntry::Start(start));
        self.log_changed_objects();
        self.write_snapshot();
    }

    /// Ends its log.
    ///
    /// # Errors
    /// Returns the first error of writing it.
    pub fn stop_log(&mut self) -> io::Result<()> {
        match self.logger.take().and_then(|logger| logger.error) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Returns the error that has ended the writing of its log, if there was one.
    pub fn log_error(&self) -> Option<&io::Error> {
        self.logger.as_ref()?.error.as_ref()
    }

    /// Returns the level of its log: [`Off`](LogLevel::Off) if it has none.
    pub fn log_level(&self) -> LogLevel {
        let logger = self.logger.as_ref();
        logger.map_or(LogLevel::Off, |logger| logger.log.level)
    }

    /// Returns the time of its log's clock, if it has one.
    pub(crate) fn log_time(&self) -> Option<Duration> {
        let clock = self.logger.as_ref()?.log.clock.as_ref()?;
        Some(clock())
    }

    /// Writes a line to its log, if it has one.
    pub(crate) fn write_log(&mut self, entry: &LogEntry) {
        if let Some(logger) = &mut self.logger {
            logger.write(entry);
        }
    }

    /// Writes the changes of a fact that the game has set.
    pub(crate) fn log_set(&mut self, change: &Change) {
        if self.log_level() == LogLevel::All {
            let (tick, change) = (self.tick(), change.into());
            self.write_log(&LogEntry::Set(SetEntry { tick, change }));
        }
    }

    /// Writes a line about an object that was added, with its type, or removed, with the values that it took
    /// with it.
    pub(crate) fn log_object(&mut self, object: &Name, of: Option<&Name>, gone: &[Change]) {
        let changes = match self.log_level() {
            LogLevel::All => changes(gone),
            LogLevel::Decisions | LogLevel::Off => vec![],
        };
        self.write_log(&LogEntry::Object(ObjectEntry {
            tick: self.tick(),
            object: text(object),
            of: of.map(text),
            changes,
        }));
    }

    /// Writes a line about an actor that isn't in the cast, unless it has one.
    pub(crate) fn introduce(&mut self, number: usize, role: &Role) {
        let tick = self.tick();
        let cast = self.facts.scene().cast.len();
        let Some(logger) = &mut self.logger else {
            return;
        };
        if number >= cast && logger.introduced.insert(number) {
            let actor = logged_actor(number, role);
            logger.write(&LogEntry::Actor(ActorEntry { tick, actor }));
        }
    }

    /// Writes a snapshot if the last one is old enough.
    pub(crate) fn snapshot_if_due(&mut self) {
        let tick = self.tick();
        let Some(logger) = &mut self.logger else {
            return;
        };
        let age = tick - logger.snapshot;
        if logger
            .log
            .snapshot_interval
            .is_some_and(|ticks| age >= ticks.max(1))
        {
            logger.snapshot = tick;
            self.write_snapshot();
        }
    }

    /// Returns `true` if there is a snapshot at this tick.
    pub(crate) fn has_snapshot(&self) -> bool {
        let logger = self.logger.as_ref();
        self.log_level() == LogLevel::All
            && logger.is_some_and(|logger| logger.snapshot == self.tick())
    }

    fn write_snapshot(&mut self) {
        if self.log_level() == LogLevel::All {
            let facts = self.facts();
            let facts = values(facts.iter().map(|(atom, value)| (atom, value)));
            let tick = self.tick();
            self.write_log(&LogEntry::Snapshot(SnapshotEntry { tick, facts }));
        }
    }
}

/// Returns an actor as it is logged.
fn logged_actor(number: usize, role: &Role) -> LoggedActor {
    LoggedActor {
        number,
        name: role.name().map(text),
        agent: role.agent.as_ref().map(|(name, _)| text(name)),
        senses: texts::texts(&role.sensed()),
    }
}

/// An actor's lines of a turn, and what they are made from. It is empty without a log.
#[derive(Debug, Default)]
pub(crate) struct TurnLog {
    /// The lines that are not written yet.
    pub lines: Vec<LogEntry>,
    /// The tick of the last turn whose lines were written.
    pub written: Option<u32>,
    /// The texts of the tasks of the last plans, by the plans' numbers.
    pub plans: Vec<(usize, Vec<String>)>,
    /// The tasks of steps whose plans no longer exist, by the plans' numbers and the steps.
    pub lost: Vec<((usize, usize), String)>,
    /// The search that is running.
    pub search: SearchLog,
    /// The searches of the plannings that have no line yet.
    pub searches: Vec<SearchLog>,
}

/// The findings of a search, for a log.
#[derive(Debug, Default)]
pub(crate) struct SearchLog {
    /// The alternatives that it rejected.
    pub rejected: Vec<Rejected>,
    /// The work that it took, if it was measured.
    pub effort: Option<Effort>,
}

/// The number of plans whose tasks are kept: steps may end that are of an earlier plan than the last.
const PLANS_KEPT: usize = 4;

impl TurnLog {
    /// Keeps the tasks of a plan.
    pub fn keep_plan(&mut self, number: usize, tasks: impl FnOnce() -> Vec<String>) {
        if self.plans.iter().all(|(known, _)| *known != number) {
            if self.plans.len() == PLANS_KEPT {
                self.plans.remove(0);
            }
            self.plans.push((number, tasks()));
        }
    }

    /// Returns the text of the task of a step.
    pub fn task(&self, plan: usize, step: usize) -> String {
        let lost = self.lost.iter().find(|(known, _)| *known == (plan, step));
        let of_plan = || {
            let (_, tasks) = self.plans.iter().find(|(known, _)| *known == plan)?;
            tasks.get(step)
        };
        let task = lost.map(|(_, task)| task).or_else(of_plan);
        task.cloned().unwrap_or_default()
    }

    /// Adds the work of a part of a search.
    pub fn add_effort(&mut self, decisions: u64, time: Duration) {
        let effort = self.search.effort.get_or_insert(Effort {
            decisions: 0,
            microseconds: 0,
        });
        effort.decisions += decisions;
        effort.microseconds += u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    }

    /// Ends the search of a planning.
    pub fn end_search(&mut self) {
        let search = mem::take(&mut self.search);
        self.searches.push(search);
    }
}
