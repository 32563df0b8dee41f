//! The run of a scenario, tick by tick, and the turns of its characters.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use taskloom_document::Source;
use taskloom_planner::plan::Outcome;
use taskloom_runtime::{MAX_PLANS, MAX_TICKS_OF_ENDLESS};

use super::claims::Claimed;
use super::domain::Domain;
use super::evaluate::Env;
use super::knowledge::Knowledge;
use super::names::{Atom, Ground, Object};
use super::open::{Left, Open};
use super::options::Key;
use super::record::{Asked, Cause, End, Record, Step};
use super::state::{Changed, State};
use super::touch::reads_time;
use super::{cooldowns, failures, goal_selection, tree};

/// The maximum number of steps that a reactive character starts at one tick.
const MAX_STEPS_AT_TICK: usize = 100;

/// The state of a character.
#[derive(Debug)]
pub enum Activity {
    /// It has to plan, at a tick or later.
    HasToPlan(u32, Cause),
    /// It has found no plan, and waits for a change.
    Waits,
    /// A step has failed, and it waits for a change, or for another trigger.
    Recovers,
    /// It executes a plan, by its number.
    Follows(usize),
    /// It is reactive, and its step is complete: the open tasks.
    GoesOn(Vec<Left>),
    /// None of its goals is active.
    Content,
    /// Its tasks are complete.
    Done,
}

/// A goal for which there was no plan.
#[derive(Debug)]
pub struct ExcludedGoal {
    pub goal: usize,
    /// The tick at which it may be retried.
    pub until: u32,
    /// `true` if any belief has changed since.
    pub is_stale: bool,
}

/// A member of the cast.
pub struct Character<'d> {
    pub number: usize,
    pub me: Option<Object>,
    pub knowledge: Knowledge<'d>,
    /// Its tasks that are not complete.
    pub tasks: Vec<Ground>,
    pub activity: Activity,
    /// The steps in progress, in the plan's order, each with the tick of its last turn.
    pub running: Vec<(Step, Option<u32>)>,
    /// The steps of its plan that are complete, or were ended in the background.
    pub complete: BTreeSet<usize>,
    /// `true` if what is in the background was needed when the last of those was complete.
    pub needs_background: bool,
    /// The nodes of its plan without nodes below them that were ended in the background.
    pub ended: BTreeSet<usize>,
    /// The tasks above the first roots of its plan, and the other open tasks.
    pub within: Vec<Left>,
    pub rest: Vec<Left>,
    /// The open tasks of its abandoned plan.
    pub open: Open,
    /// Tasks that have failed, each with the tick of its retry.
    pub excluded: Vec<(Ground, Option<u32>)>,
    /// The numbers of failures of the tasks of blocks, by the compound task, the block, and the task.
    pub attempts: BTreeMap<Key, u32>,
    /// The tasks that it has given up.
    pub given_up: Vec<Ground>,
    /// The number of those that might be planned again later.
    pub resumed: usize,
    /// The reason to look for another plan that waits for an uninterruptible step.
    pub pending: Option<Cause>,
    /// The facts that its current plan depends on.
    pub depends: BTreeSet<Atom>,
    /// The goals that are excluded.
    pub excluded_goals: Vec<ExcludedGoal>,
    /// The tasks and the goals that are cooling down, each with the tick from which it may be planned.
    pub cooling: BTreeMap<usize, u32>,
    pub cooling_goals: BTreeMap<usize, u32>,
    /// The goal that it pursues.
    pub pursued: Option<usize>,
    /// The tick from which it may switch from its goal to another one, if it may not yet.
    pub committed: Option<u32>,
    /// `true` if any of its beliefs has changed since its last turn began: by others or its senses;
    /// and by itself.
    pub is_notified: bool,
    pub has_changes: bool,
    /// The objects that others claim, and `true` if any was released since its last turn began.
    pub claimed: Claimed,
    pub is_freed: bool,
    /// Its last plan.
    pub last: Option<usize>,
    /// The number of plans that have failed since its tasks were last complete.
    pub failed: usize,
    /// Its last plan with the beliefs that it was made from, and how often it has made it without completing it.
    pub repeated: Option<(Vec<Ground>, State, Claimed)>,
    pub times: usize,
    /// The tick of its last planning that wasn't a continuation, and the number of steps since.
    pub drawn: (u32, usize),
    /// For each of the scenario's failures, the number of times that its action was over.
    pub over: Vec<u32>,
}

/// A run in progress.
pub struct Run<'d> {
    pub domain: &'d Arc<Domain>,
    pub world: State,
    pub cast: Vec<Character<'d>>,
    pub record: Record,
    pub tick: u32,
    /// The changes of steps at this tick, each with the character and the value before.
    pub acts: Vec<(usize, Atom, f64)>,
    /// `true` if anything has changed at this tick.
    pub changed: bool,
    /// The last tick at which anything has changed, or a character has learned by its own step.
    pub changed_at: u32,
}

/// Runs a domain until a tick. `plan` is the planner.
pub fn run(
    domain: &Arc<Domain>,
    last_tick: u32,
    most_plans: usize,
    plan: &mut dyn FnMut(Asked) -> Outcome,
) -> Record {
    let character = |number| Character {
        number,
        me: domain.me(number),
        knowledge: Knowledge::new(domain, number),
        tasks: domain.tasks_of(number).to_vec(),
        activity: Activity::HasToPlan(0, Cause::Start),
        running: vec![],
        complete: BTreeSet::new(),
        needs_background: false,
        ended: BTreeSet::new(),
        within: vec![],
        rest: vec![],
        open: Open::default(),
        excluded: vec![],
        attempts: BTreeMap::new(),
        given_up: vec![],
        resumed: 0,
        pending: None,
        depends: BTreeSet::new(),
        excluded_goals: vec![],
        cooling: BTreeMap::new(),
        cooling_goals: BTreeMap::new(),
        pursued: None,
        committed: None,
        is_notified: false,
        has_changes: false,
        claimed: Claimed::new(),
        is_freed: false,
        last: None,
        failed: 0,
        repeated: None,
        times: 0,
        drawn: (0, 0),
        over: vec![0; domain.failures.len()],
    };
    let mut run = Run {
        domain,
        world: State::new(domain, &domain.initial),
        cast: (0..domain.characters()).map(character).collect(),
        record: Record::default(),
        tick: 0,
        acts: vec![],
        changed: false,
        changed_at: 0,
    };
    for tick in 0..=last_tick {
        run.tick = tick;
        run.acts.clear();
        run.world.time = tick;
        run.changed = false;
        run.happen();
        for number in 0..run.cast.len() {
            if run.record.end.is_none() {
                let claims = run.own_claims(number);
                run.turn(number, most_plans, plan);
                let after = run.own_claims(number);
                run.changed |= claims.iter().any(|object| !after.contains(object));
            }
        }
        if run.changed {
            run.changed_at = tick;
        }
        if run.record.end.is_none() && run.is_over() {
            run.record.end = Some(run.finish_among_present().unwrap_or(End::Failed));
        }
        if run.record.end.is_none() && tick >= last_tick.min(MAX_TICKS_OF_ENDLESS) {
            run.record.end = match run.goes_on_endlessly() {
                true => Some(End::Endless),
                false => (tick == last_tick).then_some(End::OutOfTicks),
            };
        }
        run.remember_tick();
        if run.record.end.is_some() {
            break;
        }
    }
    for one in &mut run.cast {
        let running = std::mem::take(&mut one.running).into_iter();
        run.record.steps.extend(running.map(|(step, _)| step));
    }
    run.record
}

impl Run<'_> {
    /// Applies the events of a tick.
    fn happen(&mut self) {
        for (number, event) in self.domain.events.iter().enumerate() {
            let since = self.tick.checked_sub(event.at);
            let has_occurred = self.record.events.iter().any(|e| e.1 == number);
            let env = &Env::default();
            let is_due = since.is_some_and(|since| match (event.every, &event.when) {
                (Some(every), _) => since % every == 0,
                (None, None) => since == 0,
                (None, Some(_)) => !has_occurred,
            });
            let is_due = is_due && {
                let when = event.when.as_ref();
                when.is_none_or(|when| self.world.holds(when, env))
            };
            if is_due {
                let writes = self.world.writes([&event.effect], env);
                let occurrence = (self.tick, number, writes.is_some());
                self.record.events.push(occurrence);
                self.write(None, &writes.unwrap_or_default());
            }
        }
    }

    /// Writes values into the world, for an event or a character.
    pub fn write(&mut self, who: Option<usize>, writes: &[(Atom, f64)]) {
        let before = self.world.clone();
        let own_before = who.map(|who| self.cast[who].knowledge.actual(&before));
        let own_before = own_before.unwrap_or_else(|| before.clone());
        let beliefs = self.beliefs();
        for (atom, value) in writes {
            let is_memory = self.domain.source(*atom) == Source::Memory;
            let own = who.map(|who| self.cast[who].knowledge.actual(&before).value(*atom));
            if !is_memory || own != Some(*value) {
                self.world.set(*atom, *value);
            }
            for one in &mut self.cast {
                let is_own = who == Some(one.number);
                match self.domain.source(*atom) {
                    Source::Memory if is_own || who.is_none() => {
                        one.knowledge.remember(*atom, *value)
                    }
                    Source::Sensor if is_own => {
                        let is_new = before.value(*atom) != *value;
                        one.knowledge.believe(*atom, *value, (self.tick, is_new));
                    }
                    Source::Memory | Source::Sensor | Source::Blackboard => {}
                }
            }
        }
        if let Some(who) = who {
            let shared = writes.iter().map(|(atom, _)| *atom).filter(|atom| {
                self.domain.source(*atom) != Source::Memory
                    && before.value(*atom) != self.world.value(*atom)
            });
            self.acts
                .extend(shared.map(|atom| (who, atom, before.value(atom))));
        }
        self.changed |= before != self.world;
        let after = self.beliefs();
        for (one, (before, after)) in self.cast.iter_mut().zip(beliefs.iter().zip(&after)) {
            let changes = before.changes_to(after);
            // Beliefs about sensor facts are not part of the world.
            let is_in_world = |change: &Changed| self.domain.source(change.0) != Source::Sensor;
            self.changed |= changes.iter().any(is_in_world);
            if who == Some(one.number) {
                if !changes.is_empty() {
                    one.has_changes = true;
                    self.changed_at = self.tick;
                }
                let made = own_before.changes_to(&one.knowledge.actual(&self.world));
                let all: Vec<Atom> = changes.iter().chain(&made).map(|c| c.0).collect();
                failures::clear_excluded(self.domain, one, &all);
            } else {
                let all: Vec<Atom> = changes.iter().map(|c| c.0).collect();
                failures::clear_excluded(self.domain, one, &all);
                one.is_notified |= !changes.is_empty();
                one.knowledge.noticed.extend(changes.iter().map(|c| c.0));
            }
        }
    }

    fn beliefs(&self) -> Vec<State> {
        let cast = self.cast.iter();
        cast.map(|one| one.knowledge.believed(&self.world))
            .collect()
    }

    /// Runs a character's turn.
    fn turn(&mut self, number: usize, most_plans: usize, plan: &mut dyn FnMut(Asked) -> Outcome) {
        let tick = self.tick;
        let one = &mut self.cast[number];
        if matches!(one.activity, Activity::Done) || self.rests(&self.cast[number]) {
            return;
        }
        self.notice_claims(number);
        let one = &mut self.cast[number];
        let perceived = one.knowledge.look(&self.world, tick);
        one.is_notified |= !perceived.is_empty();
        let all: Vec<Atom> = perceived.iter().map(|change| change.0).collect();
        failures::clear_excluded(self.domain, one, &all);
        if !perceived.is_empty() {
            self.record.perceptions.push((tick, number, perceived));
        }
        if self.settle(number) {
            return;
        }
        let mut why = self.why_plan(number);
        for _ in 0..=MAX_STEPS_AT_TICK {
            if let Some(cause) = why {
                let one = &self.cast[number];
                let has_failed =
                    one.failed == most_plans && !matches!(one.activity, Activity::Follows(_));
                if has_failed || one.times == MAX_PLANS {
                    self.record.end = Some(End::OutOfPlans);
                    return;
                }
                self.plan(number, cause, plan);
            }
            self.follow(number);
            // What remains of the plan has to be checked, once a turn.
            if let Some(cause) = self.take_pending(number) {
                if self.cast[number].times == MAX_PLANS {
                    self.record.end = Some(End::OutOfPlans);
                    return;
                }
                self.plan(number, cause, plan);
                self.follow(number);
            }
            if !matches!(self.cast[number].activity, Activity::GoesOn(_)) {
                return;
            }
            why = Some(Cause::Onward);
        }
    }

    /// Returns why a character should plan, if it should.
    pub fn reason(&mut self, number: usize) -> Option<Cause> {
        let believed = self.cast[number].knowledge.believed(&self.world);
        let one = &mut self.cast[number];
        let is_notified = std::mem::take(&mut one.is_notified);
        let passes = self.domain.plans_by_time(number);
        let has_changes = std::mem::take(&mut one.has_changes) || is_notified;
        if is_notified {
            (one.repeated, one.times) = (None, 0);
        }
        let changed = has_changes || passes;
        let failed = one.excluded.len();
        let tick = self.tick;
        one.excluded
            .retain(|(_, until)| until.is_none_or(|until| tick < until));
        let have_cooled = !cooldowns::take_over(&mut one.cooling, tick).is_empty();
        let may_retry = one.excluded.len() < failed || have_cooled;
        let may_switch = goal_selection::end_commitment(one, tick);
        let mut tried_again = goal_selection::take_retries(one, self.tick, changed || may_retry);
        let mut may_pursue = false;
        if !goal_selection::is_committed(one) {
            let cooled = cooldowns::take_over(&mut one.cooling_goals, tick);
            may_pursue = !cooled.is_empty();
            tried_again.extend(cooled);
        }
        self.record.activated += usize::from(may_pursue || have_cooled);
        let one = &self.cast[number];
        let agent = self.domain.agent(number);
        let goal_values = self.goal_values(number, &believed);
        let every = agent.and_then(|agent| agent.every);
        let is_time = self.tick > 0 && every.is_some_and(|every| self.tick.is_multiple_of(every));
        match &one.activity {
            Activity::HasToPlan(at, cause) if *at <= self.tick => Some(*cause),
            Activity::GoesOn(_) => Some(Cause::Onward),
            Activity::Waits | Activity::Recovers
                if one.is_freed || !one.knowledge.noticed.is_empty() =>
            {
                Some(Cause::Event)
            }
            Activity::Content if has_changes || passes && is_time || may_pursue => {
                let is_active = goal_values.iter().any(|goal_value| goal_value.is_active());
                is_active.then_some(Cause::Event)
            }
            Activity::Waits | Activity::Recovers if may_retry || may_pursue => Some(Cause::Retry),
            Activity::Recovers if is_time => Some(Cause::Every),
            Activity::Waits if is_time && passes => Some(Cause::Every),
            Activity::Follows(followed)
                if self.first_open(number, self.record.plan(*followed))
                    == self.record.plan(*followed).steps.len() =>
            {
                None
            }
            Activity::Follows(followed) => {
                let plan = self.record.plan(*followed);
                let looks = (is_notified || passes || have_cooled)
                    && agent.is_some_and(|agent| agent.alternative);
                if agent.is_some_and(|a| a.perception)
                    && !one.knowledge.noticed.is_disjoint(&one.depends)
                {
                    Some(Cause::Perception)
                } else if is_time {
                    Some(Cause::Every)
                } else if (changed || may_switch)
                    && goal_selection::should_switch(self.domain, one, plan, &goal_values)
                {
                    self.record.switched += usize::from(may_switch);
                    Some(Cause::Goal)
                } else if goal_selection::is_better(self.domain, plan, &goal_values, &tried_again) {
                    Some(Cause::Retry)
                } else {
                    looks.then_some(Cause::Alternative)
                }
            }
            _ => None,
        }
    }

    /// Returns `true` if nothing can happen any more.
    fn is_over(&self) -> bool {
        let sees = |one: &Character| self.tick < self.changed_at + one.knowledge.patience();
        let plans_on = |one: &Character| {
            let agent = self.domain.agent(one.number);
            agent.is_some_and(|agent| agent.every.is_some())
                && self.domain.plans_by_time(one.number)
        };
        let is_idle = |one: &Character| match one.activity {
            Activity::Done => true,
            _ if self.rests(one) => true,
            _ if cooldowns::may_cool_down(one) => false,
            Activity::Content => !one.is_notified && !sees(one) && !plans_on(one),
            Activity::Waits | Activity::Recovers => {
                let agent = self.domain.agent(one.number);
                let thinks = matches!(one.activity, Activity::Recovers)
                    && agent.is_some_and(|agent| agent.every.is_some())
                    || plans_on(one);
                let retries = one.excluded.iter().any(|(_, until)| until.is_some());
                one.knowledge.noticed.is_empty() && !thinks && !sees(one) && !retries
            }
            Activity::Follows(_) | Activity::HasToPlan(..) | Activity::GoesOn(_) => false,
        };
        let is_left = self
            .domain
            .events
            .iter()
            .enumerate()
            .any(|(number, event)| {
                let has_occurred = self.record.events.iter().any(|e| e.1 == number);
                let when = event.when.as_ref();
                let is_timed = when.is_some_and(|when| reads_time(self.domain, when));
                let may_hold_next =
                    event.when.is_some() && !has_occurred && (self.changed || is_timed);
                event.at > self.tick || event.every.is_some() || may_hold_next
            });
        let settles = self.cast.len() > 1 && self.changed;
        self.cast.iter().all(is_idle) && !is_left && !settles
    }

    /// Returns `true` if a character is absent, with no step in progress: it has no turn.
    fn rests(&self, one: &Character) -> bool {
        self.is_absent(one) && one.running.is_empty()
    }

    /// Returns `true` if some begin again whenever their tasks are complete, and nothing else is left.
    fn goes_on_endlessly(&self) -> bool {
        let begins_again = |one: &Character| self.domain.begins_again(one.number);
        let is_complete =
            |one: &Character| matches!(one.activity, Activity::Done | Activity::Content);
        let is_done = |one: &Character| begins_again(one) || is_complete(one);
        let mut events = self.domain.events.iter().enumerate();
        let is_left = events.any(|(number, event)| {
            let has_occurred = self.record.events.iter().any(|e| e.1 == number);
            let when = event.when.as_ref();
            let is_timed = when.is_some_and(|when| reads_time(self.domain, when));
            event.at > self.tick || is_timed && !has_occurred && event.every.is_none()
        });
        self.cast.iter().any(begins_again) && self.cast.iter().all(is_done) && !is_left
    }

    /// Records the state at the end of a tick.
    fn remember_tick(&mut self) {
        self.record.resumed = self.cast.iter().map(|one| one.resumed).sum();
        self.record.worlds.push(self.world.clone().timeless());
        let beliefs = self.beliefs().into_iter().map(State::timeless).collect();
        self.record.beliefs.push(beliefs);
        let states = self.cast.iter().map(|one| {
            let number = one.last?;
            let plan = self.record.plan(number);
            let running = one.running.iter().map(|(step, _)| step);
            let steps = self.record.steps.iter().chain(running);
            Some((number, tree::states(self.domain, plan, number, steps)))
        });
        let states = states.collect();
        self.record.states.push(states);
    }
}
