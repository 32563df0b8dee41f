//! The turn of a member of the cast, and the plans that it needs.

use super::member::ScenarioBody;
use super::{MAX_STEPS, Next, Phase, Simulation};
use crate::actor::{Status, TickBudget};
use crate::run::{Cause, RunEnd};
use taskloom_document::stop::Stop;
use taskloom_planner::plan::Outcome;

impl Simulation {
    /// Continues the turn of a member, up to the end of a step, or until it needs a plan.
    pub(super) fn take_turn(&mut self) -> Next {
        let (turn, tick) = (self.turn, self.world.tick());
        let member = &mut self.members[turn];
        let mut body = ScenarioBody {
            failures: &mut self.failures,
            character: turn,
        };
        let result = member
            .actor
            .tick(&mut self.world, &mut body, TickBudget::one_step());
        member.record((turn, tick), result.events, &mut self.run);
        self.changes.at_tick |= result.changes.world;
        if result.changes.beliefs {
            self.changes.last = tick;
        }
        if self.world.take_has_delivered() {
            for member in &mut self.members {
                member.actor.receive();
            }
        }
        match result.status {
            Status::Searching => return self.request_plan(),
            Status::OutOfPlans => return self.end(RunEnd::OutOfPlans),
            Status::Stopped => return self.end(RunEnd::Stopped),
            Status::Complete => {
                // One of its goals may become active again.
                let mut minds = self.members.iter().map(|member| member.mind());
                if self.is_complete() && !minds.any(|mind| mind.character.has_no_active_goal()) {
                    let end = self.finish();
                    return self.end(end);
                }
                self.end_turn();
            }
            Status::Unfinished => {}
            Status::Active | Status::Waiting | Status::Removed => self.end_turn(),
        }
        if self.run.executed.len() >= MAX_STEPS {
            return self.end(RunEnd::OutOfTicks);
        }
        Next::More
    }

    /// Ends the turn.
    fn end_turn(&mut self) {
        self.turn += 1;
        if self.turn == self.members.len() {
            self.phase = Phase::Advance;
        }
    }

    /// Requests the plan that the member needs, if it is not known yet.
    fn request_plan(&mut self) -> Next {
        let actor = &mut self.members[self.turn].actor;
        let is_untouched = actor.needs_plan() == Some(Cause::Start)
            && self.turn == 0
            && self.run.events.iter().all(|event| event.changes.is_empty())
            && self.run.perceptions.is_empty();
        if let Some(first) = self.first.take().filter(|_| is_untouched) {
            let is_valid = !actor.needs_reads();
            actor.hand_over_until(first, Stop::default(), is_valid);
            return Next::More;
        }
        match actor.wanted_plan() {
            Some(request) => Next::Plan(request.problem().clone()),
            None => Next::More,
        }
    }

    /// Receives the outcome of a requested planning. A plan is validated, unless cancelled by `stop`; if
    /// the validator rejects it, that is an internal error of the planner, and it is not executed.
    pub fn planned(&mut self, outcome: Outcome, stop: &Stop) {
        let actor = &mut self.members[self.turn].actor;
        actor.hand_over_until(outcome, stop.clone(), false);
    }
}
