//! An actor's search for a plan, by itself or elsewhere.

use std::sync::{Mutex, PoisonError};

use taskloom_document::stop::Stop;
use taskloom_domain::chance::seed_of_planning;
use taskloom_planner::compile::{Problem, QueryAnswer};
use taskloom_planner::plan::{Budget, Outcome, Progress, Strategy};

use super::pace::{decisions_of_check, decisions_of_copy};
use super::{Actor, ActorEvent, Phase, PlanRequest, Search, TickBudget};
use crate::body::Body;
use crate::deliberation::{Deliberation, Verdict};
use crate::log::{LogLevel, SearchLog};
use crate::mind::Mind;
use crate::run::{Cause, Planning};
use crate::world::World;

impl Actor {
    /// Returns `true` if it has to validate a plan even if that was done elsewhere, to find what it depends
    /// on.
    pub(crate) fn needs_reads(&self) -> bool {
        self.mind.needs_reads()
    }

    /// Plans, if it has to. Returns `false` if the turn pauses.
    pub(super) fn think(
        &mut self,
        world: &mut World,
        body: &mut dyn Body,
        left: &mut TickBudget,
    ) -> bool {
        self.turn.phase = Phase::Execute;
        if self.needs_plan().is_none() {
            if self.is_searching() {
                self.search = None;
                self.mind.end_deliberation();
                self.mind.notice_after_search();
            }
            return true;
        }
        let began = world.log_time().filter(|_| left.decisions > 0);
        let before = left.spent;
        if self.search.is_none() {
            if !self.may_begin(world.tick(), left) {
                return true;
            }
            let failed = self.mind.counts.failed_plans;
            let is_over = self.mind.deliberation.is_none() && self.plan_is_missing();
            let is_stuck = self.mind.deliberation.is_none() && self.mind.is_stuck();
            if is_stuck || is_over && self.limits.failed_plans == Some(failed) {
                self.give_up();
                return true;
            }
            self.ask(world, body, left);
        }
        let Some(search) = &mut self.search else {
            return true;
        };
        let outcome = match search.handed_over.take() {
            // The game's answers are part of the problem, for which there is no plan yet.
            Some(_) if search.answer_elsewhere(body) => return true,
            Some(found) if found.is_valid => Ok(found.outcome),
            Some(found) => {
                let believed = &search.believed;
                self.mind.validated(found.outcome, believed, &found.stop)
            }
            None if left.pauses => {
                self.turn.phase = Phase::Plan;
                return false;
            }
            None => {
                let mut outcome = self.find_plan(left);
                while outcome.is_none()
                    && self
                        .search
                        .as_mut()
                        .is_some_and(|search| search.answer(body))
                {
                    outcome = self.find_plan(left);
                }
                self.log_effort(world, began, left.spent - before);
                match outcome {
                    Some(outcome) => outcome,
                    None => return true,
                }
            }
        };
        let search = self.search.take();
        let (problem, believed) = search
            .map(|search| (search.problem, search.believed))
            .unzip();
        match (self.mind.decide(&outcome, believed.as_ref()), problem) {
            (Verdict::Next, _) => self.turn.phase = Phase::Plan,
            (verdict, problem) => {
                let mut answers = vec![];
                let beliefs = problem.as_ref().map_or(0, Problem::hash_of_state);
                if let Some(problem) = problem.filter(|_| verdict != Verdict::Keep) {
                    answers = problem.query_answers();
                    self.recollection.query_answers.clone_from(&answers);
                    self.log_search(world, &problem);
                }
                self.conclude(verdict, outcome, (answers, beliefs), world, body);
            }
        }
        true
    }

    /// Returns `true` if it may begin to plan, or to search for the next alternative.
    pub(super) fn may_begin(&self, tick: u32, left: &TickBudget) -> bool {
        let continues = self.is_searching() || self.mind.character.is_between_steps();
        (left.may_ask || left.stride() > 0) && (continues || self.pace.is_due(tick))
    }

    /// Returns `true` if it searches for a plan, or has yet to begin the next search for one.
    pub(super) fn is_searching(&self) -> bool {
        self.search.is_some() || self.mind.deliberation.is_some()
    }

    /// Continues its own search for a plan, and then validates the plan, as far as the budget allows.
    /// Returns the outcome once there is one.
    fn find_plan(&mut self, left: &mut TickBudget) -> Option<Result<Outcome, String>> {
        let search = self.search.as_mut()?;
        if search.check.is_none() {
            let plan = match search.advance(self.limits.search, left)? {
                Outcome::Plan(plan) => plan,
                other => return Some(Ok(other)),
            };
            let stop = Stop::counting();
            match self.mind.begin_check(plan, &search.believed, &stop) {
                Ok(check) => search.check = Some((Box::new(check), 0)),
                Err(why) => return Some(Err(why)),
            }
        }
        while left.stride() > 0 {
            let (check, counted) = search.check.as_mut()?;
            let checked = check.step(1);
            let decisions = decisions_of_check(check.work());
            left.spend(decisions - *counted);
            *counted = decisions;
            if let Some(checked) = checked {
                let (check, _) = search.check.take()?;
                return Some(self.mind.end_check(*check, checked));
            }
        }
        None
    }

    fn plan_is_missing(&self) -> bool {
        self.mind.character.plan().is_none()
    }

    /// Begins the next search; if there is none, it continues without a new plan.
    fn ask(&mut self, world: &mut World, body: &mut dyn Body, left: &mut TickBudget) {
        let tick = world.tick();
        let stop = Stop::counting();
        let (number, seed) = self.seed;
        let mind = &mut self.mind;
        mind.world.swap_values(&mut world.facts);
        let begun = match mind.deliberation {
            None => mind.deliberate(tick, &stop),
            Some(_) => Ok(()),
        };
        let seed_at = |tick| seed_of_planning(seed, number, tick);
        let is_outdated = mind.is_problem_outdated;
        let problem = begun.map(|()| mind.next_problem(tick, seed_at));
        let believed = mind.believed().clone();
        mind.world.swap_values(&mut world.facts);
        let problem = problem.map(|problem| match body.answers_queries() {
            true => problem.map(Problem::with_queries),
            false => problem,
        });
        let copied = decisions_of_copy(believed.values().count(), is_outdated);
        left.spend(decisions_of_check(stop.work()).saturating_add(copied));
        match problem {
            Ok(Some(problem)) => {
                self.search = Some(Search {
                    request: PlanRequest::new(&problem),
                    problem,
                    believed,
                    engine: None,
                    before: 0,
                    counted: 0,
                    check: None,
                    handed_over: None,
                });
            }
            Ok(None) => {
                let deliberation = mind.deliberation.as_ref();
                let verdict = deliberation.map(Deliberation::without_search);
                let verdict = verdict.unwrap_or(Verdict::Wait);
                self.conclude(verdict, Ok(Outcome::NoPlan), (vec![], 0), world, body);
            }
            Err(limit) => {
                let outcome = Ok(Outcome::GaveUp(limit));
                self.conclude(Verdict::Keep, outcome, (vec![], 0), world, body);
            }
        }
    }

    /// Ends the deliberation. `answers` are the game's to the queries of its last search, and `beliefs` the hash of the
    /// beliefs that it began with.
    fn conclude(
        &mut self,
        verdict: Verdict,
        outcome: Result<Outcome, String>,
        (answers, beliefs): (Vec<QueryAnswer>, u128),
        world: &World,
        body: &mut dyn Body,
    ) {
        let tick = world.tick();
        let mind = &mut self.mind;
        let attempt = mind.end_deliberation();
        let outcome = match (&verdict, outcome) {
            // The last search found a plan, but it begins with the same step as before.
            (Verdict::Wait, Ok(Outcome::Plan(_))) => Ok(Outcome::NoPlan),
            (_, outcome) => outcome,
        };
        let aborts = match (&attempt, &outcome) {
            (Some(attempt), Ok(Outcome::Plan(_))) => attempt.aborts.clone(),
            _ => vec![],
        };
        let Some(cause) = mind.character.needs_plan() else {
            return;
        };
        let noticed = mind.take_noticed();
        if let Ok(outcome) = &outcome {
            mind.goal_selection.planned(outcome, tick);
        }
        if verdict == Verdict::Keep {
            self.log.search = SearchLog::default();
            mind.character.keep();
            mind.notice_after_search();
            return;
        }
        let again = attempt
            .as_ref()
            .and_then(|attempt| attempt.again_after.as_ref());
        let is_again = again.is_some();
        if cause == Cause::Onward {
            // Decomposing a task again isn't progress.
            mind.counts.failed_plans = match &outcome {
                Ok(Outcome::Plan(_)) if is_again => mind.counts.failed_plans + 1,
                _ => 0,
            };
        }
        mind.note_draws(tick);
        let goal_values = mind.goal_selection.goal_values.clone();
        if let (Ok(Outcome::Plan(plan)), false) = (&outcome, matches!(verdict, Verdict::Stop(_))) {
            mind.pursue(plan, tick);
            mind.count_plan(plan, beliefs, (cause, is_again));
            mind.adopt_reads();
        } else if !matches!(outcome, Ok(Outcome::Stopped)) {
            mind.give_up_goal(tick);
        }
        let Mind {
            character,
            world: facts,
            ..
        } = mind;
        let ended = match (&verdict, &outcome) {
            (Verdict::Stop(why), _) => character.stop(why, (&*facts, tick), body),
            (_, Ok(Outcome::Plan(plan))) if character.plan().is_some() => {
                character.replanned(plan, attempt, (&*facts, tick), body)
            }
            _ => {
                character.planned(&outcome, attempt);
                vec![]
            }
        };
        mind.notice_after_search();
        for execution in ended {
            self.push(execution);
        }
        let executed = self.mind.character.plan_execution();
        let executed = executed.filter(|_| !matches!(verdict, Verdict::Stop(_)));
        let (outcome, under_way) = match (outcome, executed) {
            (Ok(Outcome::Plan(_)), Some(executed)) => {
                let plan = executed.plan.clone();
                (Ok(Outcome::Plan(plan)), executed.under_way())
            }
            (outcome, _) => (outcome, vec![]),
        };
        let planning = Planning {
            character: self.seed.0,
            tick,
            cause,
            noticed,
            goal_values,
            aborts: match verdict {
                Verdict::Stop(_) => vec![],
                _ => aborts,
            },
            answers,
            outcome,
            under_way,
        };
        self.recollection.planning(&planning);
        if world.log_level() != LogLevel::Off {
            self.log.end_search();
        }
        let event = ActorEvent::Planned(Box::new(planning));
        self.turn.events.push(event);
    }
}

impl Search {
    /// Continues the search as far as the budget allows. Returns its outcome once it has ended.
    fn advance(&mut self, budget: Budget, left: &mut TickBudget) -> Option<Outcome> {
        loop {
            let stride = left.stride();
            if stride == 0 {
                return None;
            }
            let strategy = Strategy::from(self.problem.policy());
            let problem = &self.problem;
            let budget = Budget {
                nodes: budget.nodes.saturating_sub(self.before),
                ..budget
            };
            let engine = self
                .engine
                .get_or_insert_with(|| Mutex::new(strategy.search(problem, budget, 0)));
            let engine = engine.get_mut().unwrap_or_else(PoisonError::into_inner);
            let progress = engine.step(stride);
            let spent = engine.spent();
            let is_running = progress == Progress::Running;
            // A call that continues counts, or a search that doesn't advance would never end.
            let new = spent.saturating_sub(self.counted);
            left.spend(new.max(u64::from(is_running)));
            self.counted = self.counted.max(spent);
            if self.problem.has_open_queries() {
                return None;
            }
            if !is_running {
                return Some(match (engine.outcome(), engine.best()) {
                    (Some(Outcome::GaveUp(_)), Some(best)) => Outcome::Plan(best.clone()),
                    (outcome, _) => outcome.unwrap_or(Outcome::Stopped),
                });
            }
        }
    }
}
