//! Requests the plans that the characters need, and handles the outcomes.

use super::{MAX_PLANS, Next, Phase, Simulation};
use crate::deliberation::{Deliberation, Verdict};
use crate::member::Member;
use crate::run::{Cause, Planning, RunEnd};
use taskloom_document::stop::Stop;
use taskloom_domain::chance::seed_of_planning;
use taskloom_planner::plan::Outcome;

impl Simulation {
    /// Requests a plan, if one is needed and not known yet.
    pub(super) fn plan(&mut self) -> Next {
        self.phase = Phase::Execute;
        let turn = self.turn;
        let member = &mut self.members[turn];
        let Some(cause) = member.character.needs_plan() else {
            return Next::More;
        };
        if member.log.failed_plans == MAX_PLANS && member.character.plan().is_none() {
            return self.end(RunEnd::OutOfPlans);
        }
        let is_untouched = cause == Cause::Start
            && turn == 0
            && self.run.events.iter().all(|event| event.changes.is_empty())
            && self.run.perceptions.is_empty();
        match self.first.take().filter(|_| is_untouched) {
            Some(first) if !member.needs_reads() => {
                member.goal_selection.goal_values = member.problem.goal_values();
                self.note(Ok(first));
                Next::More
            }
            Some(first) => {
                member.goal_selection.goal_values = member.problem.goal_values();
                self.planned(first, &Stop::default());
                Next::More
            }
            None => self.request_plan(),
        }
    }

    /// Requests the next search; if there is none, the character continues without a new plan.
    pub(super) fn request_plan(&mut self) -> Next {
        let (turn, tick) = (self.turn, self.tick);
        let member = &mut self.members[turn];
        member.world.swap_values(&mut self.world);
        let is_new = member.deliberation.is_none();
        let begun = match is_new {
            true => member.deliberate(tick, &Stop::default()),
            false => Ok(()),
        };
        let seed = self.world.scene().record.seed;
        let problem =
            begun.map(|()| member.next_problem(tick, |tick| seed_of_planning(seed, turn, tick)));
        member.world.swap_values(&mut self.world);
        match problem {
            Ok(Some(problem)) => return Next::Plan(problem),
            Ok(None) => {
                let verdict = member
                    .deliberation
                    .as_ref()
                    .map(Deliberation::without_search);
                self.conclude(verdict.unwrap_or(Verdict::Wait), Ok(Outcome::NoPlan));
            }
            Err(limit) => self.conclude(Verdict::Keep, Ok(Outcome::GaveUp(limit))),
        }
        Next::More
    }

    /// Receives the outcome of a requested planning. A plan is validated, unless cancelled by `stop`; if
    /// the validator rejects it, that is an internal error of the planner, and it is not executed.
    pub fn planned(&mut self, outcome: Outcome, stop: &Stop) {
        let member = &mut self.members[self.turn];
        if member.character.needs_plan().is_none() {
            return;
        }
        member.world.swap_values(&mut self.world);
        let outcome = member.validated(outcome, stop);
        member.world.swap_values(&mut self.world);
        self.note(outcome);
    }

    pub(super) fn note(&mut self, outcome: Result<Outcome, String>) {
        let member = &mut self.members[self.turn];
        match member.decide(&outcome) {
            Verdict::Next => self.phase = Phase::Plan,
            verdict => self.conclude(verdict, outcome),
        }
    }

    /// Ends the deliberation of the character whose turn it is.
    pub(super) fn conclude(&mut self, verdict: Verdict, outcome: Result<Outcome, String>) {
        let (turn, tick) = (self.turn, self.tick);
        let member = &mut self.members[turn];
        let attempt = member.end_deliberation();
        let Some(cause) = member.character.needs_plan() else {
            return;
        };
        let noticed = member.take_noticed();
        if let Ok(outcome) = &outcome {
            member.goal_selection.planned(outcome, tick);
        }
        if verdict == Verdict::Keep {
            member.character.keep();
            return;
        }
        let cause = match cause {
            Cause::Failure(own) => member
                .log
                .ended
                .get(own)
                .map_or(cause, |at| Cause::Failure(*at)),
            _ => cause,
        };
        if cause == Cause::Onward {
            member.log.failed_plans = 0;
        }
        member.note_draws(tick);
        member.log.plannings.push(self.run.plans.len());
        let goal_values = member.goal_selection.goal_values.clone();
        let ended = match (&verdict, &outcome) {
            (Verdict::Stop(why), _) => member.character.stop(why, tick),
            (_, Ok(Outcome::Plan(plan))) => {
                member.adopt_reads();
                let Member {
                    character, world, ..
                } = member;
                if character.plan().is_some() {
                    character.replanned(plan, attempt, world, tick)
                } else {
                    character.planned(&outcome, attempt);
                    vec![]
                }
            }
            _ => {
                member.character.planned(&outcome, attempt);
                vec![]
            }
        };
        for execution in ended {
            self.push(execution);
        }
        self.run.plans.push(Planning {
            character: turn,
            tick,
            cause,
            noticed,
            goal_values,
            outcome,
        });
    }
}
