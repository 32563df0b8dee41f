//! A character's turn: it observes, its steps whose duration is over act, and it executes its plan.

use super::{MAX_STEPS, MAX_STEPS_AT_TICK, Next, Phase, Simulation};
use crate::character::{Character, Progress};
use crate::execution_context::ExecutionContext;
use crate::member::Member;
use crate::run::{Perception, Reason, RunEnd, StepExecution, TaskState};
use taskloom_planner::plan::GroundTask;

impl Simulation {
    /// Begins a turn.
    pub(super) fn observe(&mut self) {
        self.phase = Phase::Settle;
        let (turn, tick) = (self.turn, self.tick);
        let member = &mut self.members[turn];
        member.world.swap_values(&mut self.world);
        member.set_time(tick);
        let changes = member.observe(tick);
        member.world.swap_values(&mut self.world);
        if !changes.is_empty() {
            self.run.perceptions.push(Perception {
                tick,
                character: turn,
                changes,
            });
        }
    }

    /// Ends the turn.
    pub(super) fn end_turn(&mut self) {
        self.turn += 1;
        self.steps_at_tick = 0;
        self.phase = if self.turn < self.members.len() {
            Phase::Observe
        } else {
            Phase::Advance
        };
    }

    /// Executes a step whose duration is over; after the last one, there may be reasons to
    /// plan.
    pub(super) fn settle(&mut self) {
        if let Progress::Ended { execution, .. } = self.act(Character::settle) {
            self.step_ended(execution);
            return;
        }
        let turn = self.turn;
        self.broadcast_acted();
        let member = &mut self.members[turn];
        member.world.swap_values(&mut self.world);
        member.begin_turn(self.tick);
        member.world.swap_values(&mut self.world);
        self.phase = Phase::Plan;
    }

    /// Executes the plan.
    pub(super) fn execute(&mut self) -> Next {
        match self.act(Character::act_in) {
            Progress::Ended { execution, .. } => self.step_ended(execution),
            Progress::Waiting if self.members[self.turn].character.is_between_steps() => {
                self.plan_next_step();
            }
            Progress::Waiting => {
                self.broadcast_acted();
                self.end_turn();
            }
            Progress::Complete => {
                self.members[self.turn].complete(self.tick);
                // One of its goals may become active again.
                let has_no_active_goal = |member: &Member| member.character.has_no_active_goal();
                if self.is_complete() && !self.members.iter().any(has_no_active_goal) {
                    let end = self.finish();
                    return self.end(end);
                }
                self.end_turn();
            }
            Progress::Stopped => return self.end(RunEnd::Stopped),
        }
        if self.run.executed.len() >= MAX_STEPS {
            return self.end(RunEnd::OutOfTicks);
        }
        Next::More
    }

    /// Lets the current character act.
    pub(super) fn act(
        &mut self,
        act: fn(&mut Character, &mut ExecutionContext, u32) -> Progress,
    ) -> Progress {
        let (turn, tick) = (self.turn, self.tick);
        let member = &mut self.members[turn];
        let failures = &mut self.failures;
        member.world.swap_values(&mut self.world);
        let before = member.world.revision();
        let (belief, senses) = member.belief.as_mut().map(|(b, s)| (b, &*s)).unzip();
        let domain = member.world.domain().clone();
        let mut context = ExecutionContext {
            world: &mut member.world,
            belief,
            senses,
            fails: &mut |task: &GroundTask| failures.fails(turn, task, tick),
            has_rules: &|task| {
                let task = domain.compound(&task.task);
                task.is_some_and(|task| !domain.integrity(task).is_empty())
            },
            beliefs_changed: false,
        };
        let progress = act(&mut member.character, &mut context, tick);
        if context.beliefs_changed {
            member.news.by_itself = true;
            self.changes.last = tick;
        }
        self.changes.at_tick |= member.world.revision() != before;
        member.world.swap_values(&mut self.world);
        progress
    }

    /// Records the end of a step of the current character.
    pub(super) fn push(&mut self, execution: StepExecution) {
        let member = &mut self.members[self.turn];
        member.log.ended.push(self.run.executed.len());
        self.run.executed.push(numbered(member, execution));
    }

    /// Handles the end of a step of the current character.
    pub(super) fn step_ended(&mut self, execution: StepExecution) {
        let (turn, tick) = (self.turn, self.tick);
        self.broadcast(&execution);
        let reason = execution.reason.clone();
        let task = self.members[turn].character.task_of(&execution);
        let has_failed = execution.state == TaskState::Failed;
        self.push(execution);
        if !has_failed {
            return;
        }
        for aborted in self.members[turn].character.take_interrupted() {
            self.broadcast(&aborted);
            self.push(aborted);
        }
        let member = &mut self.members[turn];
        let is_unforeseen = match reason {
            Some(Reason::Effects(_) | Reason::Denied(_)) => true,
            // A character that decomposes tasks has waited as long as its trigger says.
            Some(Reason::Action) => member.has_goals(),
            _ => false,
        };
        if let Some(task) = task.filter(|_| is_unforeseen) {
            member.exclude(&task);
        }
        member.log.failed_plans += 1;
        member.take_noticed();
        member.recover(tick);
        self.end_turn();
    }

    /// Broadcasts the changes of steps that acted at this tick and now wait.
    pub(super) fn broadcast_acted(&mut self) {
        let tick = self.tick;
        let running = self.members[self.turn].character.executions();
        let acted = running.filter(|step| step.acted == Some(tick)).cloned();
        for step in acted.collect::<Vec<StepExecution>>() {
            self.broadcast(&step);
        }
    }

    /// Lets a reactive character plan its next step at the same tick, but not endlessly.
    pub(super) fn plan_next_step(&mut self) {
        self.steps_at_tick += 1;
        if self.steps_at_tick <= MAX_STEPS_AT_TICK {
            self.phase = Phase::Plan;
        } else {
            self.end_turn();
        }
    }

    /// Broadcasts the changes of a step at this tick to the others, and records that its own character has
    /// seen them.
    pub(super) fn broadcast(&mut self, step: &StepExecution) {
        self.members[self.turn].remember_seen(step, self.tick);
        if step.acted.or(step.end) == Some(self.tick) {
            let own = step.changes.iter().chain(&step.learned);
            self.members[self.turn].clear_failed(own);
        }
        if step.acted != Some(self.tick) {
            return;
        }
        // From outside, its memory is visible, too.
        self.world.apply(&step.changes);
        for (number, member) in self.members.iter_mut().enumerate() {
            if number != self.turn {
                member.receive(&step.changes, false);
            }
        }
    }
}

/// Returns a step with the index of its planning in the run.
pub(super) fn numbered(member: &Member, execution: StepExecution) -> StepExecution {
    StepExecution {
        plan: member
            .log
            .plannings
            .get(execution.plan)
            .copied()
            .unwrap_or(execution.plan),
        ..execution
    }
}
