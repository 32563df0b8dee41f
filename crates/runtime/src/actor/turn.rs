//! An actor's turn: it observes, its steps whose duration is over act, it plans, and executes its plan.

use std::mem;
use std::sync::PoisonError;

use super::{Actor, ActorEvent, MAX_STEPS_AT_TICK, Phase, Status, Tick, TickBudget};
use crate::body::{Body, Readings};
use crate::character::{Character, Progress};
use crate::execution_context::{ExecutionContext, Performance};
use crate::run::{Reason, StepExecution, TaskState};
use crate::task_options::Guard;
use crate::world::World;

impl Actor {
    /// Does its turn at the world's current tick. If the turn is over already, it does nothing.
    ///
    /// Orders that were given before or during the turn are followed at its end.
    pub fn tick(&mut self, world: &mut World, body: &mut dyn Body, budget: TickBudget) -> Tick {
        let mut left = budget;
        self.pace.deduct(&mut left);
        let available = left.decisions;
        if self.turn.status != Status::Removed {
            self.prepare_log(world);
            self.meet_objects(world, body);
            self.end_abandoned(world.tick(), body);
            if self.turn.status != Status::Removed {
                self.continue_turn(world, body, &mut left);
            }
            if self.turn.phase == Phase::Over {
                self.follow_orders(world, body);
                self.turn.changes.world |= self.publish_claims(world);
            }
        }
        self.pace.record(available, left.spent);
        let events = mem::take(&mut self.turn.events);
        self.log_events(world, &events);
        Tick {
            decisions: left.spent,
            status: match self.turn.phase {
                Phase::Over => self.turn.status,
                Phase::Plan if self.search.is_some() => Status::Searching,
                _ => Status::Unfinished,
            },
            events,
            changes: mem::take(&mut self.turn.changes),
        }
    }

    fn continue_turn(&mut self, world: &mut World, body: &mut dyn Body, left: &mut TickBudget) {
        if self.turn.tick != Some(world.tick()) {
            self.turn.tick = Some(world.tick());
            self.turn.steps_at_tick = 0;
            self.turn.has_rechecked = false;
            self.turn.phase = Phase::Sense;
        }
        while self.turn.phase != Phase::Over && left.steps > 0 {
            match self.turn.phase {
                Phase::Sense => self.sense(world, body),
                Phase::Settle => self.settle(world, body, left),
                Phase::Plan => {
                    if !self.think(world, body, left) {
                        return;
                    }
                }
                Phase::Execute => self.execute(world, body, left),
                Phase::Over => {}
            }
        }
    }

    /// Begins the turn.
    fn sense(&mut self, world: &mut World, body: &mut dyn Body) {
        body.sense(&mut Readings(world));
        self.receive();
        if self.rests(world) {
            return self.end_turn();
        }
        self.turn.phase = Phase::Settle;
        self.turn.awaits_order =
            self.mind.character.is_uninterruptible() && self.orders.has_tasks();
        let tick = world.tick();
        self.learn_claims(world);
        self.mind.world.swap_values(&mut world.facts);
        self.mind.set_time(tick);
        let changes = self.mind.observe(tick);
        self.mind.world.swap_values(&mut world.facts);
        if !changes.is_empty() {
            self.turn.events.push(ActorEvent::Perceived(changes));
        }
    }

    /// Returns `true` if it is absent, and no step of it is in progress: it has no turns until it is
    /// present again.
    pub(crate) fn rests(&self, world: &World) -> bool {
        world.facts.is_absent(&self.mind.actor)
            && self.mind.character.executions().next().is_none()
            && !self.is_searching()
    }

    /// Receives what others have changed since it last did.
    pub(crate) fn receive(&mut self) {
        let mut inbox = self.inbox.lock().unwrap_or_else(PoisonError::into_inner);
        for (changes, is_event) in inbox.changes.drain(..) {
            self.mind.receive(&changes, is_event);
        }
    }

    /// Executes a step whose duration is over; after the last one, evaluates the triggers.
    fn settle(&mut self, world: &mut World, body: &mut dyn Body, left: &mut TickBudget) {
        if let Progress::Ended { execution, .. } = self.act(Character::settle, world, body) {
            left.steps -= 1;
            self.step_ended(*execution, world);
            return;
        }
        self.broadcast_acted(world);
        self.turn.phase = Phase::Plan;
        // What has changed during a search counts once it is over.
        if !self.is_searching() {
            self.mind.world.swap_values(&mut world.facts);
            self.mind.begin_turn(world.tick());
            self.mind.world.swap_values(&mut world.facts);
        }
    }

    /// Executes the plan.
    fn execute(&mut self, world: &mut World, body: &mut dyn Body, left: &mut TickBudget) {
        match self.act(Character::act, world, body) {
            Progress::Ended { execution, .. } => {
                left.steps -= 1;
                self.step_ended(*execution, world);
                let execution = self.mind.character.plan_execution();
                if self.search.is_none() && execution.is_some_and(|one| one.replans().is_some()) {
                    // A reason to replan has waited for this step.
                    self.recheck(world);
                }
            }
            Progress::Waiting
                if self.mind.character.is_between_steps()
                    && !self.is_searching()
                    && self.may_begin(world.tick(), left) =>
            {
                self.turn.steps_at_tick += 1;
                if self.turn.steps_at_tick <= MAX_STEPS_AT_TICK {
                    self.turn.phase = Phase::Plan;
                } else {
                    self.end_turn();
                }
            }
            Progress::Waiting => {
                self.broadcast_acted(world);
                self.end_turn();
            }
            Progress::Reconsidering => {
                self.restart_search();
                self.recheck(world);
            }
            Progress::Complete => {
                self.mind.complete(world.tick());
                self.end_turn();
                self.turn.status = Status::Complete;
            }
            Progress::Stopped => {
                self.end_turn();
                self.turn.status = Status::Stopped;
            }
        }
    }

    /// Plans again before the plan continues; the second time in a turn, at the next one. Otherwise steps
    /// without duration could go on endlessly.
    fn recheck(&mut self, world: &mut World) {
        if mem::replace(&mut self.turn.has_rechecked, true) {
            self.broadcast_acted(world);
            self.end_turn();
        } else {
            self.turn.phase = Phase::Plan;
        }
    }

    /// Ends the turn.
    pub(super) fn end_turn(&mut self) {
        self.turn.phase = Phase::Over;
        self.turn.status = if self.is_searching() {
            Status::Searching
        } else if self.mind.is_busy() {
            Status::Active
        } else {
            Status::Waiting
        };
    }

    /// Lets the character act.
    fn act(
        &mut self,
        act: fn(&mut Character, &mut ExecutionContext, u32) -> Progress,
        world: &mut World,
        body: &mut dyn Body,
    ) -> Progress {
        let tick = world.tick();
        let is_searching = self.is_searching();
        let mind = &mut self.mind;
        mind.world.swap_values(&mut world.facts);
        let before = mind.world.revision();
        let (belief, senses) = mind.belief.as_mut().map(|(b, s)| (b, &*s)).unzip();
        let domain = mind.world.domain().clone();
        let mut context = ExecutionContext {
            world: &mut mind.world,
            belief,
            senses,
            performance: Performance {
                body,
                next_id: &mut self.turn.next_id,
            },
            may_start: !is_searching && !self.turn.awaits_order,
            guard: &|plan, node| Guard::of(&domain, plan, node),
            acts: world.acts_of_others(self.seed.0),
            beliefs_changed: false,
            changes: vec![],
        };
        let progress = act(&mut mind.character, &mut context, tick);
        let (beliefs_changed, changes) = (context.beliefs_changed, context.changes);
        mind.note_reached(tick);
        if beliefs_changed {
            mind.news.by_itself = true;
            mind.news.concerns_goals = true;
            self.turn.changes.beliefs = true;
        }
        let has_changed = mind.world.revision() != before;
        self.turn.changes.world |= has_changed;
        mind.note_own_changes(changes);
        mind.world.swap_values(&mut world.facts);
        progress
    }

    /// Records the end of a step.
    pub(super) fn push(&mut self, execution: StepExecution) {
        self.turn
            .events
            .push(ActorEvent::Ended(Box::new(execution)));
    }

    /// Handles the end of a step.
    fn step_ended(&mut self, execution: StepExecution, world: &mut World) {
        let tick = world.tick();
        self.broadcast(&execution, world);
        let (reason, gave_up) = (execution.reason.clone(), execution.gave_up.clone());
        let task = self.mind.character.task_of(&execution);
        let has_failed = execution.state == TaskState::Failed;
        if let Some(task) = task.as_ref().filter(|_| has_failed) {
            self.recollection.failure(task, &execution);
        }
        self.push(execution);
        self.restart_search();
        for ended in self.mind.character.take_interrupted() {
            self.broadcast(&ended, world);
            self.push(ended);
        }
        if !has_failed {
            return;
        }
        let mind = &mut self.mind;
        let is_removed = matches!(reason, Some(Reason::Removed(_)));
        let is_unforeseen = match reason {
            Some(Reason::Effects(_) | Reason::Denied(_) | Reason::Forestalled(..)) => true,
            // A character that decomposes tasks has waited as long as its trigger says.
            Some(Reason::Action | Reason::Body(_)) => mind.has_goals(),
            _ => false,
        };
        if let Some(task) = task.filter(|_| is_unforeseen) {
            mind.exclude(&task);
        }
        for task in &gave_up {
            mind.give_up(task);
        }
        mind.counts.failed_plans += 1;
        mind.take_noticed();
        // That an object was removed is a change after which it replans.
        if !is_removed {
            mind.recover(tick);
        }
        self.end_turn();
    }

    /// Drops a search whose open tasks have changed. It begins again if there is still a reason.
    pub(super) fn restart_search(&mut self) {
        if self.is_searching() {
            self.search = None;
            self.mind.end_deliberation();
            self.mind.notice_after_search();
            let character = &mut self.mind.character;
            if character
                .plan_execution()
                .is_some_and(|plan| plan.is_done())
            {
                character.keep();
            }
            if self.turn.phase == Phase::Execute {
                self.turn.phase = Phase::Plan;
            }
        }
    }

    /// Broadcasts the changes of steps that acted at this tick and now wait.
    fn broadcast_acted(&mut self, world: &mut World) {
        let tick = world.tick();
        let running = self.mind.character.executions();
        let acted = running.filter(|step| step.acted == Some(tick)).cloned();
        for step in acted.collect::<Vec<StepExecution>>() {
            self.broadcast(&step, world);
        }
    }

    /// Broadcasts the changes of a step at this tick to the others, and records that its own character has
    /// seen them.
    fn broadcast(&mut self, step: &StepExecution, world: &mut World) {
        let tick = world.tick();
        self.mind.remember_seen(step, tick);
        if step.acted.or(step.end) == Some(tick) {
            let own = step.changes.iter().chain(&step.learned);
            self.mind.clear_failed(own);
        }
        if step.acted != Some(tick) {
            return;
        }
        // From outside, its memory is visible, too.
        world.facts.apply(&step.changes);
        world.record_act(self.seed.0, self.mind.actor.name(), &step.changes);
        world.deliver(&step.changes, false, Some(&self.inbox));
    }

    /// Sets the status of an actor that has given up.
    pub(super) fn give_up(&mut self) {
        self.end_turn();
        self.turn.status = Status::OutOfPlans;
    }
}
