//! An actor's lines in its world's log.

use std::mem;
use std::time::Duration;

use taskloom_planner::compile::Problem;
use taskloom_planner::explain::obstacles;
use taskloom_planner::plan::{Budget, Plan, Progress, Strategy, Trace};

use super::{Actor, ActorEvent, Phase};
use crate::log::{
    ActorSnapshotEntry, CurrentPlan, LogEntry, LogLevel, LoggedPlan, PlanEntry, SenseEntry,
    StepEntry, StepMoment, StepState, TextEntry, changes, rejected, text, values,
};
use crate::run::{Planning, StepExecution};
use crate::world::World;

/// The limits of the search for the alternatives that were rejected, and of their number.
const BUDGET: u64 = 2_000;
const EVENTS: usize = 5_000;
const REJECTED: usize = 20;

impl Actor {
    /// Writes a message about it to the log of its world, if there is one.
    pub fn say(&self, world: &mut World, message: &str) {
        let entry = TextEntry {
            tick: world.tick(),
            actor: self.seed.0,
            text: message.to_owned(),
        };
        world.introduce(self.seed.0, &self.mind.actor);
        world.write_log(&LogEntry::Say(entry));
    }

    /// Prepares for a part of a turn: keeps what its lines will need.
    pub(super) fn prepare_log(&mut self, world: &World) {
        if world.log_level() == LogLevel::Off {
            return;
        }
        let execution = self.mind.character.plan_execution();
        if let Some(execution) = execution {
            let tasks = || tasks_of(&execution.plan);
            self.log.keep_plan(execution.number, tasks);
        }
    }

    /// Makes the lines of a part of a turn, and writes them if the turn is over.
    pub(super) fn log_events(&mut self, world: &mut World, events: &[ActorEvent]) {
        let level = world.log_level();
        if level == LogLevel::Off {
            return;
        }
        let is_planned = |event: &&ActorEvent| matches!(event, ActorEvent::Planned(_));
        let has_ended = |event: &&ActorEvent| matches!(event, ActorEvent::Ended(_));
        let (plannings, ended) = self.mind.character.counts();
        let mut planning = plannings.saturating_sub(events.iter().filter(is_planned).count());
        let mut number = ended.saturating_sub(events.iter().filter(has_ended).count());
        for event in events {
            match event {
                ActorEvent::Perceived(seen) => {
                    if level == LogLevel::All {
                        let sense = SenseEntry {
                            tick: world.tick(),
                            actor: self.seed.0,
                            changes: changes(seen),
                        };
                        self.log.lines.push(LogEntry::Sense(sense));
                    }
                }
                ActorEvent::Planned(planned) => {
                    self.log_planning(planned, planning, level);
                    planning += 1;
                }
                ActorEvent::Ended(execution) => {
                    self.log_ended(world, execution, number);
                    number += 1;
                }
                ActorEvent::Refused(why) => {
                    let refused = TextEntry {
                        tick: world.tick(),
                        actor: self.seed.0,
                        text: why.clone(),
                    };
                    self.log.lines.push(LogEntry::Refused(refused));
                }
            }
        }
        self.log.lost.clear();
        if self.turn.phase == Phase::Over {
            self.write_log(world);
        }
    }

    fn log_planning(&mut self, planning: &Planning, number: usize, level: LogLevel) {
        if let Some(plan) = planning.plan() {
            self.log.keep_plan(number, || tasks_of(plan));
        }
        let mut entry = PlanEntry::new(planning, number, level);
        if !self.log.searches.is_empty() {
            let search = self.log.searches.remove(0);
            (entry.rejected, entry.effort) = (search.rejected, search.effort);
        }
        self.log.lines.push(LogEntry::Plan(entry));
    }

    fn log_ended(&mut self, world: &World, execution: &StepExecution, number: usize) {
        let tick = world.tick();
        // The start of a step has a line at the end of the turn, unless it ends before that.
        if execution.start == tick && self.log.written != Some(tick) {
            self.log_step(world, execution, (StepState::Started, None));
        }
        let state = StepState::of_ended(execution);
        self.log_step(world, execution, (state, Some(number)));
    }

    fn log_step(
        &mut self,
        world: &World,
        execution: &StepExecution,
        moment: (StepState, Option<usize>),
    ) {
        let entry = self.step_entry(world, execution, moment);
        self.log.lines.push(LogEntry::Step(entry));
    }

    fn step_entry(
        &self,
        world: &World,
        execution: &StepExecution,
        (state, number): (StepState, Option<usize>),
    ) -> StepEntry {
        let moment = StepMoment {
            actor: self.seed.0,
            tick: world.tick(),
            task: self.log.task(execution.plan, execution.step),
            state,
            number,
        };
        StepEntry::new(execution, moment, world.log_level())
    }

    /// Writes the lines of its turn.
    pub(crate) fn write_log(&mut self, world: &mut World) {
        let (tick, level) = (world.tick(), world.log_level());
        if level == LogLevel::Off {
            return;
        }
        // Another call in the same tick only follows orders.
        let is_first = self.log.written.replace(tick) != Some(tick);
        self.prepare_log(world);
        if is_first {
            let running: Vec<StepExecution> = self.mind.character.executions().cloned().collect();
            for execution in &running {
                if execution.start == tick {
                    self.log_step(world, execution, (StepState::Started, None));
                }
                if execution.acted == Some(tick) && level == LogLevel::All {
                    self.log_step(world, execution, (StepState::Acted, None));
                }
            }
        }
        world.introduce(self.seed.0, &self.mind.actor);
        for line in mem::take(&mut self.log.lines) {
            world.write_log(&line);
        }
        if is_first && world.has_snapshot() {
            let snapshot = self.snapshot(world);
            world.write_log(&LogEntry::ActorSnapshot(snapshot));
        }
    }

    /// Writes its steps in progress, at the end of a run.
    pub(crate) fn log_running(&mut self, world: &mut World) {
        for step in self.running_entries(world) {
            world.write_log(&LogEntry::Step(step));
        }
    }

    fn running_entries(&self, world: &World) -> Vec<StepEntry> {
        let running = self.mind.character.executions();
        let entry = |execution| self.step_entry(world, execution, (StepState::Running, None));
        running.map(entry).collect()
    }

    fn snapshot(&self, world: &World) -> ActorSnapshotEntry {
        let mind = &self.mind;
        let (own, public) = (mind.world.assigned_atoms(), world.facts());
        let remembered = match mind.world.has_own_memory() {
            true => own,
            false => public,
        };
        let remembered = remembered.iter();
        let memory = remembered.filter(|(atom, _)| mind.world.is_memory(&atom.fact));
        let beliefs = mind.belief.as_ref().map(|(belief, _)| {
            let believed = belief.assigned_atoms();
            values(believed.iter().map(|(atom, value)| (atom, value)))
        });
        let plan = mind
            .character
            .plan_execution()
            .map(|execution| CurrentPlan {
                number: execution.number,
                plan: LoggedPlan::new(&execution.plan, &execution.under_way(), LogLevel::All),
            });
        ActorSnapshotEntry {
            tick: world.tick(),
            actor: self.seed.0,
            beliefs,
            memory: values(memory.map(|(atom, value)| (atom, value))),
            plan,
            running: self.running_entries(world),
        }
    }

    /// Keeps the alternatives that the search for a plan rejected.
    pub(super) fn log_search(&mut self, world: &World, problem: &Problem) {
        if world.log_level() == LogLevel::All {
            let domain = self.mind.world.domain();
            let trace = trace(problem);
            self.log.search.rejected = trace.map_or_else(Vec::new, |trace| {
                rejected(obstacles(domain, &trace.events, REJECTED))
            });
        }
    }

    /// Keeps the work of a part of a search that began at this time with this many decisions.
    pub(super) fn log_effort(&mut self, world: &World, began: Option<Duration>, decisions: u64) {
        if let Some((began, ended)) = began.zip(world.log_time()) {
            self.log.add_effort(decisions, ended.saturating_sub(began));
        }
    }
}

/// Searches again for a bounded number of decisions, with a trace: the search for the plan may have run
/// elsewhere.
fn trace(problem: &Problem) -> Option<Trace> {
    let budget = Budget {
        nodes: BUDGET,
        ..Budget::default()
    };
    let strategy = Strategy::from(problem.policy());
    let mut search = strategy.search(problem, budget, EVENTS);
    while search.step(u64::MAX) == Progress::Running {}
    search.trace().cloned()
}

fn tasks_of(plan: &Plan) -> Vec<String> {
    plan.steps.iter().map(|step| text(&step.task)).collect()
}
