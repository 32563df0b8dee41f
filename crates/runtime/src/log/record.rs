//! The record of a run, from its log.

use std::collections::BTreeMap;
use std::sync::Arc;

use taskloom_document::Name;
use taskloom_planner::plan::{Change, Outcome};

use super::entry::{
    ActorSnapshotEntry, FactChange, LogEntry, LogLevel, PlanEntry, SetEntry, StepEntry, StepState,
};
use super::read::{LogError, LogFile};
use super::steps::read_end;
use super::texts::{parse_all, read_changes};
use crate::run::{Cause, EventOccurrence, Perception, Planning, Run, RunEnd, StepExecution};

impl LogFile {
    /// Returns the record of the logged run. If the log has no end, the run was stopped at its last line; if
    /// it begins in the middle of a run, so does the record. A fact that a game has set is an event with the
    /// index [`Run::SET_BY_GAME`].
    ///
    /// # Errors
    /// Returns an error if the log isn't of the level [`All`](LogLevel::All), or one of its lines
    /// contradicts the others.
    pub fn run(&self) -> Result<Run, LogError> {
        self.run_of(usize::MAX, &|_| false)
    }

    /// Returns the record of the first actors. What the others have changed is an event with the index
    /// [`Run::SET_BY_GAME`], except for facts in their own memory.
    pub(super) fn run_of(
        &self,
        actors: usize,
        is_memory: &dyn Fn(&Name) -> bool,
    ) -> Result<Run, LogError> {
        if self.start.level != LogLevel::All {
            let why = "the log has only decisions; write it with the level 'all'";
            return Err(LogError::new(1, why));
        }
        let senses = self.start.actors.iter();
        let senses = senses.map(|actor| parse_all::<Name>(&actor.senses));
        let mut reading = Reading {
            run: Run {
                senses: senses
                    .collect::<Result<_, _>>()
                    .map_err(|why| LogError::new(1, why))?,
                end: RunEnd::Stopped,
                ticks: self.start.tick,
                ..Run::default()
            },
            plans: BTreeMap::new(),
            ended: BTreeMap::new(),
            running: vec![],
        };
        for (line, entry) in &self.entries {
            let read = match entry.actor() {
                Some(actor) if actor >= actors => reading.read_other(entry, is_memory),
                _ => reading.read(entry),
            };
            read.map_err(|why| LogError::new(*line, why))?;
        }
        reading.run.events.sort_by_key(|event| event.tick);
        reading
            .run
            .executed
            .extend(reading.running.into_iter().map(|running| running.execution));
        Ok(reading.run)
    }
}

/// The maximum number of an actor. A larger one is a mistake, which should not use up the memory.
const MAX_ACTORS: usize = 1_000_000;

/// A record in progress.
struct Reading {
    run: Run,
    /// The indices in the record of plannings, by actor and number.
    plans: BTreeMap<(usize, usize), usize>,
    /// The indices in the record of steps that have ended, by actor and number.
    ended: BTreeMap<(usize, usize), usize>,
    /// The steps in progress, in the order in which they started.
    running: Vec<Running>,
}

/// A step in progress.
struct Running {
    actor: usize,
    task: String,
    execution: StepExecution,
}

impl Reading {
    /// Reads a line about an actor that isn't shown.
    fn read_other(
        &mut self,
        entry: &LogEntry,
        is_memory: &dyn Fn(&Name) -> bool,
    ) -> Result<(), String> {
        self.run.ticks = self.run.ticks.max(entry.tick());
        if let LogEntry::Step(step) = entry
            && step.acted == Some(step.tick)
            && step.state != StepState::Running
        {
            let mut changes = read_changes(&step.changes)?;
            changes.retain(|change| !is_memory(&change.atom.fact));
            // Events come first at a tick, so what comes after a step of the cast counts from the next one.
            let (later, now) = changes
                .into_iter()
                .partition(|change| self.has_changed(change, step.tick));
            self.set(step.tick, now);
            self.set(step.tick.saturating_add(1), later);
        }
        Ok(())
    }

    /// Returns `true` if a step in the record has changed the same ground fact at this tick.
    fn has_changed(&self, other: &Change, tick: u32) -> bool {
        let ended = self.run.executed.iter().rev();
        let ended = ended.take_while(|step| step.end >= Some(tick));
        let running = self.running.iter().map(|running| &running.execution);
        let mut acted = ended.chain(running).filter(|step| step.acted == Some(tick));
        acted.any(|step| step.changes.iter().any(|change| change.atom == other.atom))
    }

    /// Adds changes that no actor in the record has made, if there are any.
    fn set(&mut self, tick: u32, changes: Vec<Change>) {
        if !changes.is_empty() {
            self.run.events.push(EventOccurrence {
                tick,
                event: Run::SET_BY_GAME,
                changes,
                refused: None,
            });
        }
    }

    fn read(&mut self, entry: &LogEntry) -> Result<(), String> {
        self.run.ticks = self.run.ticks.max(entry.tick());
        match entry {
            LogEntry::Event(event) => self.run.events.push(EventOccurrence {
                tick: event.tick,
                event: event.event,
                changes: read_changes(&event.changes)?,
                refused: event.refused.clone(),
            }),
            LogEntry::Set(SetEntry { tick, change }) => {
                self.set(
                    *tick,
                    read_changes(std::slice::from_ref::<FactChange>(change))?,
                );
            }
            LogEntry::Object(object) => {
                self.set(object.tick, read_changes(&object.changes)?);
            }
            LogEntry::Sense(sense) => self.run.perceptions.push(Perception {
                tick: sense.tick,
                character: sense.actor,
                changes: read_changes(&sense.changes)?,
            }),
            LogEntry::Plan(plan) => self.planning(plan)?,
            LogEntry::Step(step) => self.step(step)?,
            LogEntry::Actor(entry) => {
                let actor = &entry.actor;
                if actor.number > MAX_ACTORS {
                    return Err(format!("there can't be an actor {}", actor.number));
                }
                let all = &mut self.run.senses;
                all.resize(all.len().max(actor.number + 1), vec![]);
                all[actor.number] = parse_all(&actor.senses)?;
            }
            LogEntry::End(end) => {
                self.run.end = read_end(end.end, end.missed.as_ref());
            }
            LogEntry::ActorSnapshot(snapshot) => self.snapshot(snapshot)?,
            LogEntry::Snapshot(_)
            | LogEntry::Refused(_)
            | LogEntry::Say(_)
            | LogEntry::Start(_) => {}
        }
        Ok(())
    }

    fn planning(&mut self, plan: &PlanEntry) -> Result<(), String> {
        let failed = plan.failed_step;
        let failed = failed.and_then(|number| self.ended.get(&(plan.actor, number)).copied());
        let index = self.run.plans.len();
        self.plans.insert((plan.actor, plan.number), index);
        self.run.plans.push(plan.read(failed)?);
        Ok(())
    }

    /// Adds the plan and the steps in progress that a log in the middle of a run begins with.
    fn snapshot(&mut self, snapshot: &ActorSnapshotEntry) -> Result<(), String> {
        let Some(current) = &snapshot.plan else {
            return Ok(());
        };
        let actor = snapshot.actor;
        if self.has_planned(actor) {
            return Ok(());
        }
        self.plans
            .insert((actor, current.number), self.run.plans.len());
        self.run.plans.push(Planning {
            character: actor,
            tick: snapshot.tick,
            cause: Cause::Start,
            noticed: None,
            goal_values: vec![],
            aborts: vec![],
            answers: vec![],
            under_way: current.plan.under_way.clone(),
            outcome: Ok(Outcome::Plan(Arc::new(current.plan.read()?))),
        });
        snapshot
            .running
            .iter()
            .try_for_each(|step| self.running_step(step))
    }

    /// Returns `true` if there is a planning of an actor.
    fn has_planned(&self, actor: usize) -> bool {
        let mut own = self.plans.range((actor, 0)..=(actor, usize::MAX));
        own.next().is_some()
    }

    fn running_step(&mut self, step: &StepEntry) -> Result<(), String> {
        let plan = self.plans.get(&(step.actor, step.plan)).copied();
        let plan = plan.ok_or("a step in progress is of another plan")?;
        self.running.push(Running {
            actor: step.actor,
            task: step.task.clone(),
            execution: step.read(plan)?,
        });
        Ok(())
    }

    fn step(&mut self, step: &StepEntry) -> Result<(), String> {
        let plan = self.plans.get(&(step.actor, step.plan)).copied();
        let plan = match plan {
            Some(plan) => plan,
            // The log begins in the middle of the step's plan.
            None if !self.has_planned(step.actor) => return Ok(()),
            None => {
                let (actor, plan) = (step.actor, step.plan);
                return Err(format!(
                    "actor {actor} has no planning {plan} before this line"
                ));
            }
        };
        let execution = step.read(plan)?;
        // A new plan may continue a step, so its start and its task identify it.
        let is_same = |running: &Running| {
            running.actor == step.actor
                && running.task == step.task
                && running.execution.start == step.start
        };
        let known = self.running.iter().position(is_same);
        let known = known.map(|at| self.running.remove(at));
        if execution.end.is_some() {
            if let Some(number) = step.number {
                let index = self.run.executed.len();
                self.ended.insert((step.actor, number), index);
            }
            self.run.executed.push(execution);
            return Ok(());
        }
        if step.state != StepState::Started && known.is_none() {
            return Err(format!("{} hasn't started before this line", step.task));
        }
        self.running_step(step)
    }
}
