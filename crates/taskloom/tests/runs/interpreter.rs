//! A plain and slow interpreter, written from docs/semantics.md, section 5: it looks at
//! every tick, and shares nothing with the simulator but the planner and what plans are.

use std::collections::BTreeSet;

use taskloom::document::{BlockId, Source};
use taskloom::planner::plan::{Outcome, Plan};
use taskloom::runtime::TaskState;

use super::chance::seed;
use super::depends::depends;
use super::mind::Mind;
use super::model::{Atom, Call, Domain, Env, Object};
use super::record::{Asked, Cause, End, Planned, Record, Step, Why};
use super::state::{Changed, State};
use super::tree::{self, Link};
use super::{goals, wishes};

/// So many steps a character goes on to at one tick that looks no further than a step.
const MOST_STEPS_AT_TICK: usize = 100;

/// What a character is doing.
#[derive(Debug)]
pub enum Doing {
    /// It has to plan, at a tick or later.
    HasToPlan(u32, Cause),
    /// It has found no plan, and waits for something to change.
    Waits,
    /// A step has failed, and it waits for something to change, or for another trigger.
    Recovers,
    /// It follows a plan: its number, and the next step or the one in progress.
    Follows(usize, usize),
    /// It looks no further than a step, which is complete: what is left.
    GoesOn(Vec<Left>),
    /// All that it wants is so.
    Content,
    /// Its tasks are complete.
    Done,
}

/// A task that is yet to be decomposed.
#[derive(Debug, Clone)]
pub struct Left {
    pub call: Call,
    /// What it is part of, the root first.
    pub above: Vec<Link>,
    /// Which block called it.
    pub block: Option<BlockId>,
    /// Which of the character's tasks it belongs to.
    pub root: usize,
}

/// A goal for which there was no plan.
#[derive(Debug)]
pub struct Barred {
    pub goal: usize,
    /// When it may be tried again.
    pub until: u32,
    /// Whether anything that is believed has changed since.
    pub is_stale: bool,
}

/// One of the cast.
pub struct Character<'d> {
    pub number: usize,
    pub me: Option<Object>,
    pub mind: Mind<'d>,
    /// What is not complete.
    pub tasks: Vec<Call>,
    pub doing: Doing,
    /// The step in progress.
    pub current: Option<Step>,
    /// What its plan is a part of, and what is left besides, if it looks no further than a step.
    pub within: Option<Left>,
    pub rest: Vec<Left>,
    /// What the plan that it follows depends on.
    pub depends: BTreeSet<Atom>,
    /// Goals that are not planned for now.
    pub barred: Vec<Barred>,
    /// Whether anything that it believes has changed since its last turn began: by others, or its
    /// senses; and by itself.
    pub hears: bool,
    pub stirs: bool,
    /// The last plan that was followed.
    last: Option<usize>,
    /// How many plans have failed since its tasks were last complete.
    pub failed: usize,
    /// How often the action of each of the scenario's failures was over.
    pub over: Vec<u32>,
}

/// A run in progress.
pub struct Run<'d> {
    pub domain: &'d Domain,
    pub world: State,
    pub cast: Vec<Character<'d>>,
    pub record: Record,
    pub tick: u32,
    /// Whether anything has changed at this tick.
    pub changed: bool,
    /// The last tick at which anything did, or somebody learned by what it did itself.
    pub changed_at: u32,
}

/// Runs a domain until a tick. `plan` plans.
pub fn run(
    domain: &Domain,
    last_tick: u32,
    most_plans: usize,
    plan: &mut dyn FnMut(Asked) -> Outcome,
) -> Record {
    let character = |number| Character {
        number,
        me: domain.me(number),
        mind: Mind::new(domain, number),
        tasks: domain.tasks(number).to_vec(),
        doing: Doing::HasToPlan(0, Cause::Start),
        current: None,
        within: None,
        rest: vec![],
        depends: BTreeSet::new(),
        barred: vec![],
        hears: false,
        stirs: false,
        last: None,
        failed: 0,
        over: vec![0; domain.failures.len()],
    };
    let mut run = Run {
        domain,
        world: State::new(&domain.initial),
        cast: (0..domain.characters()).map(character).collect(),
        record: Record::default(),
        tick: 0,
        changed: false,
        changed_at: 0,
    };
    for tick in 0..=last_tick {
        run.tick = tick;
        run.changed = false;
        run.happen();
        for number in 0..run.cast.len() {
            if run.record.end.is_none() {
                run.turn(number, most_plans, plan);
            }
        }
        if run.changed {
            run.changed_at = tick;
        }
        if run.record.end.is_none() && run.is_over() {
            run.record.end = Some(run.finish().unwrap_or(End::Failed));
        }
        if run.record.end.is_none() && tick == last_tick {
            run.record.end = Some(run.cut_off());
        }
        run.remember_tick();
        if run.record.end.is_some() {
            break;
        }
    }
    let running = run.cast.iter_mut().filter_map(|one| one.current.take());
    run.record.steps.extend(running);
    run.record
}

impl Run<'_> {
    /// The events of a tick.
    fn happen(&mut self) {
        for (number, event) in self.domain.events.iter().enumerate() {
            let since = self.tick.checked_sub(event.at);
            let has_happened = self.record.events.iter().any(|e| e.1 == number);
            let is_due = since.is_some_and(|since| match (event.every, event.when) {
                (Some(every), _) => since % every == 0,
                (None, None) => since == 0,
                (None, Some(_)) => !has_happened,
            });
            let env = Env::default();
            if is_due && event.when.is_none_or(|when| self.world.holds(when, env)) {
                let writes = self.world.writes(&[event.change], env);
                let happening = (self.tick, number, writes.is_some());
                self.record.events.push(happening);
                self.write(None, &writes.unwrap_or_default());
            }
        }
    }

    /// Writes values into the world: an event does, or a character.
    pub fn write(&mut self, who: Option<usize>, writes: &[(Atom, i32)]) {
        let before = self.world.clone();
        let beliefs = self.beliefs();
        for (atom, value) in writes {
            let is_memory = self.domain.source(*atom) == Source::Memory;
            let own = who.map(|who| self.cast[who].mind.actual(&before).value(*atom));
            if !is_memory || own != Some(*value) {
                self.world.set(*atom, *value);
            }
            for one in &mut self.cast {
                let is_own = who == Some(one.number);
                match self.domain.source(*atom) {
                    Source::Memory if is_own || who.is_none() => one.mind.remember(*atom, *value),
                    Source::Sensor if is_own => {
                        let is_new = before.value(*atom) != *value;
                        one.mind.believe(*atom, *value, (self.tick, is_new));
                    }
                    Source::Memory | Source::Sensor | Source::Blackboard => {}
                }
            }
        }
        self.changed |= before != self.world;
        let after = self.beliefs();
        for (one, (before, after)) in self.cast.iter_mut().zip(beliefs.iter().zip(&after)) {
            let changes = before.changes_to(after);
            // What is believed of sensor facts is not the world's.
            let is_so = |change: &Changed| self.domain.source(change.0) != Source::Sensor;
            self.changed |= changes.iter().any(is_so);
            if who == Some(one.number) {
                if !changes.is_empty() {
                    one.stirs = true;
                    self.changed_at = self.tick;
                }
            } else {
                one.hears |= !changes.is_empty();
                one.mind.noticed.extend(changes.iter().map(|c| c.0));
            }
        }
    }

    fn beliefs(&self) -> Vec<State> {
        let cast = self.cast.iter();
        cast.map(|one| one.mind.believed(&self.world)).collect()
    }

    /// A character's turn.
    fn turn(&mut self, number: usize, most_plans: usize, plan: &mut dyn FnMut(Asked) -> Outcome) {
        let tick = self.tick;
        let one = &mut self.cast[number];
        if matches!(one.doing, Doing::Done) {
            return;
        }
        let perceived = one.mind.look(&self.world, tick);
        one.hears |= !perceived.is_empty();
        if !perceived.is_empty() {
            self.record.perceptions.push((tick, number, perceived));
        }
        let mut why = self.why_plan(number);
        for _ in 0..=MOST_STEPS_AT_TICK {
            if let Some(cause) = why {
                if self.cast[number].failed == most_plans
                    && !matches!(self.cast[number].doing, Doing::Follows(..))
                {
                    self.record.end = Some(End::OutOfPlans);
                    return;
                }
                self.plan(number, cause, plan);
            }
            self.follow(number);
            if !matches!(self.cast[number].doing, Doing::GoesOn(_)) {
                return;
            }
            why = Some(Cause::Onward);
        }
    }

    /// Why a character plans at its turn, if it does.
    fn why_plan(&mut self, number: usize) -> Option<Cause> {
        let believed = self.cast[number].mind.believed(&self.world);
        let one = &mut self.cast[number];
        let hears = std::mem::take(&mut one.hears);
        let changed = std::mem::take(&mut one.stirs) || hears;
        let tried_again = wishes::lift(one, self.tick, changed);
        let one = &self.cast[number];
        let agent = self.domain.agent(number);
        let wants = goals::wants(self.domain, number, &believed);
        let every = agent.and_then(|agent| agent.every);
        let is_time = self.tick > 0 && every.is_some_and(|every| self.tick.is_multiple_of(every));
        match &one.doing {
            Doing::HasToPlan(at, cause) if *at <= self.tick => Some(*cause),
            Doing::GoesOn(_) => Some(Cause::Onward),
            Doing::Waits | Doing::Recovers if !one.mind.noticed.is_empty() => Some(Cause::Event),
            Doing::Content if wants.iter().any(|want| want.is_wanted()) => Some(Cause::Event),
            Doing::Recovers if is_time => Some(Cause::Every),
            Doing::Follows(followed, _) => {
                let plan = self.record.plan(*followed);
                let looks = hears && agent.is_some_and(|agent| agent.alternative);
                if agent.is_some_and(|a| a.perception)
                    && !one.mind.noticed.is_disjoint(&one.depends)
                {
                    Some(Cause::Perception)
                } else if is_time {
                    Some(Cause::Every)
                } else if changed && wishes::turns(self.domain, one, plan, &wants) {
                    Some(Cause::Goal)
                } else if wishes::is_better(plan, &wants, &tried_again) {
                    Some(Cause::Retry)
                } else {
                    looks.then_some(Cause::Alternative)
                }
            }
            _ => None,
        }
    }

    fn plan(&mut self, number: usize, cause: Cause, plan: &mut dyn FnMut(Asked) -> Outcome) {
        let one = &mut self.cast[number];
        let believed = one.mind.believed(&self.world);
        let mut tasks = one.tasks.clone();
        let (mut within, mut rest) = (None, vec![]);
        match &one.doing {
            Doing::Follows(followed, step) => {
                let done = tree::done_before(self.record.plan(*followed), *step);
                tasks.drain(..done);
            }
            Doing::GoesOn(left) => {
                tasks = vec![left[0].call];
                within = Some(left[0].clone());
                rest = left[1..].to_vec();
            }
            _ => {}
        }
        if !matches!(one.doing, Doing::Follows(..)) {
            one.barred.retain(|barred| !barred.is_stale);
        }
        let part = format!("plan {number} {}", self.tick);
        let outcome = plan(Asked {
            character: number,
            believed: &believed,
            tasks: &tasks,
            seed: seed(u64::from(self.domain.seed), &part),
            barred: one.barred.iter().map(|barred| barred.goal).collect(),
        });
        if cause == Cause::Alternative && self.keeps(number, &outcome) {
            self.record.kept += 1;
            return;
        }
        let one = &mut self.cast[number];
        if cause == Cause::Onward {
            one.failed = 0;
        }
        one.mind.noticed.clear();
        let wants = goals::wants(self.domain, number, &believed);
        wishes::bar(self.domain, one, &outcome, &wants, self.tick);
        let new = self.record.plans.len();
        if let Outcome::Plan(plan) = &outcome {
            if !matches!(one.doing, Doing::GoesOn(_)) {
                one.tasks = tasks;
            }
            (one.within, one.rest) = (within, rest);
            one.depends = depends(self.domain, number, plan, &believed);
            one.last = Some(new);
            if let Some(current) = &mut one.current {
                let old = self.record.plan(current.plan);
                let task = &old.steps[current.step].task;
                let goes_on = plan.steps.first().is_some_and(|s| s.task == *task);
                if goes_on {
                    current.plan = new;
                    current.step = 0;
                    self.record.continued += 1;
                } else {
                    current.state = TaskState::Failed;
                    current.end = Some(self.tick);
                    current.why = Some(Why::Interrupted);
                    self.record.interrupted += 1;
                    self.record.steps.extend(one.current.take());
                }
            }
            one.doing = Doing::Follows(new, 0);
        } else if !matches!(one.doing, Doing::Follows(..)) {
            one.doing = Doing::Waits;
        }
        self.record.plans.push(Planned {
            character: number,
            tick: self.tick,
            cause,
            wants,
            outcome,
        });
    }

    /// Whether a character keeps to its plan, as another one is no earlier alternative.
    fn keeps(&self, number: usize, outcome: &Outcome) -> bool {
        let one = &self.cast[number];
        let (Doing::Follows(followed, step), Outcome::Plan(new)) = (&one.doing, outcome) else {
            return true;
        };
        let plan = self.record.plan(*followed);
        let way = self.links(number, plan, plan.steps[*step].node);
        !tree::is_earlier(self.domain, &way, new)
    }

    /// The compound tasks above a node of the plan that a character follows, the root first.
    pub fn links(&self, number: usize, plan: &Plan, node: usize) -> Vec<Link> {
        let mut links = tree::links(self.domain, plan, node);
        let Some(within) = &self.cast[number].within else {
            return links;
        };
        if let Some(first) = links.first_mut() {
            first.block.clone_from(&within.block);
        }
        [within.above.clone(), links].concat()
    }

    /// Whether nothing can happen any more.
    fn is_over(&self) -> bool {
        let sees = |one: &Character| self.tick < self.changed_at + one.mind.patience();
        let is_idle = |one: &Character| match one.doing {
            Doing::Done => true,
            Doing::Content => !one.hears && !sees(one),
            Doing::Waits | Doing::Recovers => {
                let agent = self.domain.agent(one.number);
                let thinks = matches!(one.doing, Doing::Recovers)
                    && agent.is_some_and(|agent| agent.every.is_some());
                one.mind.noticed.is_empty() && !thinks && !sees(one)
            }
            Doing::Follows(..) | Doing::HasToPlan(..) | Doing::GoesOn(_) => false,
        };
        let is_left = self
            .domain
            .events
            .iter()
            .enumerate()
            .any(|(number, event)| {
                let has_happened = self.record.events.iter().any(|e| e.1 == number);
                let may_hold_next = event.when.is_some() && !has_happened && self.changed;
                event.at > self.tick || event.every.is_some() || may_hold_next
            });
        let settles = self.cast.len() > 1 && self.changed;
        self.cast.iter().all(is_idle) && !is_left && !settles
    }

    /// How a run ends that is cut off after its last tick.
    fn cut_off(&self) -> End {
        let begins_again = |one: &Character| self.domain.begins_again(one.number);
        let is_complete = |one: &Character| matches!(one.doing, Doing::Done | Doing::Content);
        let is_done = |one: &Character| begins_again(one) || is_complete(one);
        if self.cast.iter().any(begins_again) && self.cast.iter().all(is_done) {
            End::Endless
        } else {
            End::OutOfTicks
        }
    }

    /// Notes how everything is at the end of a tick.
    fn remember_tick(&mut self) {
        self.record.worlds.push(self.world.clone());
        let beliefs = self.beliefs();
        self.record.beliefs.push(beliefs);
        let states = self.cast.iter().map(|one| {
            let number = one.last?;
            let plan = self.record.plan(number);
            let steps = self.record.steps.iter().chain(&one.current);
            Some((number, tree::states(plan, number, steps)))
        });
        let states = states.collect();
        self.record.states.push(states);
    }
}
