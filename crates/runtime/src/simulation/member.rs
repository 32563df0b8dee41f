//! A member of a scenario's cast in a run: its actor, and the numbers of its entries in the record.

use crate::actor::{Actor, ActorEvent};
use crate::body::{ActionStatus, Body, ByDurations, StepRef};
use crate::chance::Failures;
use crate::mind::Mind;
use crate::run::{Cause, Perception, Planning, Reason, Run, StepExecution};

/// A member of the cast.
pub struct Member {
    pub actor: Actor,
    /// Its plannings, by their indices in the run.
    plannings: Vec<usize>,
    /// Its steps that have ended, by their indices in the run.
    ended: Vec<usize>,
}

impl Member {
    /// Creates a member that has done nothing yet.
    pub fn new(actor: Actor) -> Self {
        Self {
            actor,
            plannings: vec![],
            ended: vec![],
        }
    }

    /// Creates a member from a saved state.
    pub fn loaded(actor: Actor, plannings: Vec<usize>, ended: Vec<usize>) -> Self {
        Self {
            actor,
            plannings,
            ended,
        }
    }

    /// Returns the indices of its plannings and of its ended steps in the run.
    pub fn numbers(&self) -> (Vec<usize>, Vec<usize>) {
        (self.plannings.clone(), self.ended.clone())
    }

    /// Adapts the indices to a record whose plannings and steps have other ones.
    pub fn number_again(&mut self, plannings: &[Option<usize>], steps: &[Option<usize>]) {
        let adapt = |index: &mut usize, to: &[Option<usize>]| {
            *index = to.get(*index).copied().flatten().unwrap_or(*index);
        };
        let own = self.plannings.iter_mut();
        own.for_each(|index| adapt(index, plannings));
        self.ended.iter_mut().for_each(|index| adapt(index, steps));
    }

    /// Returns what its actor knows and decides by.
    pub fn mind(&self) -> &Mind {
        &self.actor.mind
    }

    /// Records what has happened at a tick.
    pub fn record(
        &mut self,
        (character, tick): (usize, u32),
        events: Vec<ActorEvent>,
        run: &mut Run,
    ) {
        for event in events {
            match event {
                ActorEvent::Perceived(changes) => run.perceptions.push(Perception {
                    tick,
                    character,
                    changes,
                }),
                ActorEvent::Planned(planning) => {
                    self.plannings.push(run.plans.len());
                    let cause = match planning.cause {
                        Cause::Failure(own) => {
                            Cause::Failure(self.ended.get(own).copied().unwrap_or(own))
                        }
                        cause => cause,
                    };
                    run.plans.push(Planning { cause, ..*planning });
                }
                ActorEvent::Ended(execution) => {
                    self.ended.push(run.executed.len());
                    run.executed.push(self.numbered(*execution));
                }
                // Nobody gives orders in a scenario.
                ActorEvent::Refused(_) => {}
            }
        }
    }

    /// Returns a step with the index of its planning in the run.
    pub fn numbered(&self, execution: StepExecution) -> StepExecution {
        let own = execution.plan;
        StepExecution {
            plan: self.plannings.get(own).copied().unwrap_or(own),
            ..execution
        }
    }
}

/// A body that takes the durations of its actions from the document, and their failures from a scenario.
pub struct ScenarioBody<'s> {
    pub failures: &'s mut Failures,
    pub character: usize,
}

impl ScenarioBody<'_> {
    fn status(&mut self, step: &StepRef) -> ActionStatus {
        let status = ByDurations::status(step);
        let is_over = status == ActionStatus::Succeeded;
        match is_over && self.failures.fails(self.character, step.task, step.tick) {
            true => ActionStatus::Failed(Reason::Action),
            false => status,
        }
    }
}

impl Body for ScenarioBody<'_> {
    fn start(&mut self, step: &StepRef) -> ActionStatus {
        self.status(step)
    }

    fn tick(&mut self, step: &StepRef) -> ActionStatus {
        self.status(step)
    }

    fn stop(&mut self, _step: &StepRef, _why: &Reason) {}

    fn is_simulated(&self) -> bool {
        true
    }
}
