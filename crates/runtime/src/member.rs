//! One of a scenario's cast in a run: what it does, believes and notices.

use std::mem;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use taskloom_document::stop::{Stop, Stopped};
use taskloom_document::{Goal, Name, Source, Triggers, WhenComplete};
use taskloom_domain::Player;
use taskloom_domain::elaborate::Text;
use taskloom_domain::ground::Atom;
use taskloom_domain::lang::Clock;
use taskloom_domain::lang::typed::{Call, Formula, Number};
use taskloom_domain::lang::{Env, eval_number, read_formula, read_number};
use taskloom_domain::world::Reads;
use taskloom_planner::compile::Problem;
use taskloom_planner::plan::{Change, GroundTask, Limit, Outcome, Want, World, validate_from};

use super::beside::footprint;
use super::character::Character;
use super::clock::plans_by_time;
use super::deliberation::{Deliberation, Verdict, improvements, recheck};
use super::following::Following;
use super::footprint::Footprint;
use super::open::Attempt;
use super::pursuit::Pursuit;
use super::run::{Cause, Execution};
use super::senses::Senses;

/// A character of a scenario in a run.
pub struct Member<'a> {
    /// Who it is.
    pub player: Player<'a>,
    /// What it has to do, and how far it is.
    pub character: Character,
    /// The world, but for the values, which are the run's while another one acts; with its memory.
    pub world: World<'a>,
    /// What it believes, and how it comes to; none: it sees everything.
    pub belief: Option<(World<'a>, Senses<'a>)>,
    /// What planning it was compiled to.
    pub problem: Problem,
    /// Its plannings, by their numbers in the run.
    pub plannings: Vec<usize>,
    /// Its steps that have ended, by their numbers in the run.
    pub ended: Vec<usize>,
    /// How many plans of it have failed since all its tasks were complete.
    pub plans: usize,
    triggers: Triggers,
    /// What the document asks the time for.
    clock: Clock,
    /// Whether what it plans depends on the time, so that each tick is a change.
    plans_by_time: bool,
    /// Its goals.
    pub pursuit: Pursuit,
    /// Whether it has no tasks, but goals of its agent's.
    has_goals: bool,
    /// The ground facts that its plan depends on, where it wants to know,
    reads: FxHashSet<Atom>,
    /// and those that the plan depends on which was validated last.
    reads_of_new: FxHashSet<Atom>,
    /// Whether others or its senses have changed anything that it believes since its last turn.
    has_changed: bool,
    /// Whether it has itself.
    pub has_changed_itself: bool,
    /// What it has noticed since it last planned.
    noticed: Option<Atom>,
    /// What it looks for at this turn.
    pub deliberation: Option<Deliberation>,
    /// Its goals, where it pursues any.
    wishes: Vec<Wish>,
    /// Tasks that have failed, and are not tried again for now.
    failed: Vec<Failed>,
    /// The tick of its last planning that did not go on from a step: later draws depend on its seed.
    drawn_at: u32,
}

/// A goal of its agent, read.
struct Wish {
    goal: Name,
    condition: Text<Formula>,
    priority: f64,
    relevance: Text<Number>,
    bias: Text<Number>,
}

impl Wish {
    /// The goals that a character pursues.
    fn all(world: &World, player: Player) -> Vec<Self> {
        let scope = world.scenario_scope();
        let domain = world.domain();
        let goals = player.goals().iter();
        let goals = goals.filter_map(|name| Some((name, world.document().goals.get(name)?)));
        let wish = |(name, goal): (&Name, &Arc<Goal>)| Self {
            goal: name.clone(),
            condition: domain.read(&goal.condition, &scope, read_formula),
            priority: f64::from(goal.priority),
            relevance: domain.read(&goal.relevance, &scope, read_number),
            bias: domain.read(&goal.bias, &scope, read_number),
        };
        goals.map(wish).collect()
    }
}

/// A task that has failed for a reason that planning does not foresee.
struct Failed {
    task: GroundTask,
    footprint: Footprint,
    /// The tick at which it may be tried again; none: nothing has been planned without it.
    until: Option<u32>,
}

impl<'a> Member<'a> {
    /// One that has done nothing, in a scenario's world as it is at first.
    pub fn new(player: Player<'a>, world: World<'a>, problem: Problem, is_alone: bool) -> Self {
        let world = world.played_by(player);
        // What nobody else remembers otherwise can stay in the world.
        let world = if is_alone && player.beliefs().is_empty() {
            world
        } else {
            world.with_own_memory()
        };
        let believed = world.clone().believed_by(player);
        let world = world.remembering(&believed);
        let agent = player.agent.map(|(_, agent)| agent);
        let scenario = world.scenario();
        let has_goals = player.has_goals()
            && player.tasks(scenario).is_empty()
            && player.goal(scenario).is_empty();
        let senses = agent.filter(|agent| !agent.senses.is_empty());
        let mut member = Self {
            player,
            character: Character::new(None),
            belief: None,
            problem,
            plannings: vec![],
            ended: vec![],
            plans: 0,
            triggers: agent
                .map(|agent| agent.triggers.clone())
                .unwrap_or_default(),
            clock: world.domain().clock(),
            plans_by_time: plans_by_time(&world, player, scenario),
            pursuit: Pursuit::new(&player),
            has_goals,
            reads: FxHashSet::default(),
            reads_of_new: FxHashSet::default(),
            has_changed: false,
            has_changed_itself: false,
            noticed: None,
            deliberation: None,
            failed: vec![],
            wishes: if has_goals {
                Wish::all(&world, player)
            } else {
                vec![]
            },
            drawn_at: 0,
            world,
        };
        if let Some(agent) = senses {
            let senses = Senses::new(&agent.senses, &believed);
            member.belief = Some((believed, senses));
        }
        member.character = Character::new(member.calls());
        member
    }

    /// Its tasks, as they are called; none where one cannot be read.
    fn calls(&self) -> Option<Vec<Call>> {
        let tasks = self.player.tasks(self.world.scenario()).iter();
        tasks.map(|text| self.world.task(text).ok()).collect()
    }

    /// What it believes, while it is its turn.
    pub fn believed(&self) -> &World<'a> {
        self.belief
            .as_ref()
            .map_or(&self.world, |(belief, _)| belief)
    }

    /// Whether it begins again whenever its tasks are complete.
    pub fn is_endless(&self) -> bool {
        self.triggers.complete == WhenComplete::Again && !self.has_goals
    }

    /// Whether it looks: not once its tasks are complete.
    fn has_eyes(&self) -> bool {
        !self.character.is_complete() || self.character.is_content()
    }

    /// What a step of its has changed or learned at this tick, it has seen.
    pub fn remember_seen(&mut self, step: &Execution, tick: u32) {
        let Some((_, senses)) = &mut self.belief else {
            return;
        };
        if step.acted.or(step.end) == Some(tick) {
            let changes = step.changes.iter().chain(&step.learned);
            senses.remember(changes.map(|change| &change.atom), tick);
        }
    }

    /// Whether it forgets what it does not see.
    pub fn forgets(&self) -> bool {
        let belief = self.belief.as_ref().filter(|_| self.has_eyes());
        belief.is_some_and(|(_, senses)| senses.forget())
    }

    /// Whether it remembers something else than what a change writes.
    pub fn remembers_otherwise(&self, change: &Change) -> bool {
        self.world.remembers_otherwise(&change.atom, &change.after)
    }

    /// A turn of a tick begins, which it knows.
    pub fn set_time(&mut self, tick: u32) {
        if self.clock.runs
            && let Some((belief, _)) = &mut self.belief
        {
            belief.set_time(f64::from(tick));
        }
    }

    /// Returns `true` if it pursues goals of its agent.
    pub fn has_goals(&self) -> bool {
        self.has_goals
    }

    /// Whether it follows a plan.
    pub fn is_busy(&self) -> bool {
        self.character.plan().is_some()
    }

    /// Looks at the world; what it believes otherwise now.
    pub fn look(&mut self, tick: u32) -> Vec<Change> {
        let has_eyes = self.has_eyes();
        let Some((belief, senses)) = self.belief.as_mut().filter(|_| has_eyes) else {
            return vec![];
        };
        let changes = senses.look(&self.world, belief, tick);
        self.notice(&changes);
        changes
    }

    /// What somebody else has changed, on the blackboard or, where it is an event, in its memory.
    pub fn hear(&mut self, changes: &[Change], is_event: bool) {
        let document = self.world.document();
        let source = |change: &&Change| document.facts.get(&change.atom.fact).map(|f| f.source);
        let concerns = |wanted: Source| {
            let heard = changes
                .iter()
                .filter(move |change| source(change) == Some(wanted));
            heard.cloned().collect::<Vec<Change>>()
        };
        let mut heard = concerns(Source::Blackboard);
        if is_event {
            let mut remembered = concerns(Source::Memory);
            // What it remembers already is no news.
            let is_own = self.world.has_own_memory();
            remembered.retain(|change| !is_own || self.remembers_otherwise(change));
            self.world.remember(&remembered);
            heard.extend(remembered);
        }
        let mut sensed = concerns(Source::Sensor);
        if let Some((belief, senses)) = &mut self.belief {
            sensed.retain(|change| !senses.cover(&change.atom.fact));
            belief.apply(&heard);
            belief.apply(&sensed);
        }
        heard.extend(sensed);
        self.notice(&heard);
    }

    /// What it believes has changed: without a plan it plans again, and where its plan depends on
    /// it and it wants to, too.
    fn notice(&mut self, changes: &[Change]) {
        if !changes.is_empty() {
            self.has_changed = true;
            self.character.notice();
            self.lift_failed(changes.iter());
        }
        let read = changes
            .iter()
            .find(|change| self.reads.contains(&change.atom));
        if let Some(change) = read.filter(|_| self.triggers.perception) {
            self.noticed = Some(change.atom.clone());
        }
    }

    /// Begins to plan at its turn of a tick, if there is a reason to. The first reason counts.
    pub fn begin_turn(&mut self, tick: u32) {
        self.character.wake(tick);
        let has_changed = mem::take(&mut self.has_changed);
        let is_new = mem::take(&mut self.has_changed_itself) || has_changed;
        let passes = self.plans_by_time;
        let failed = self.failed.len();
        self.failed
            .retain(|one| one.until.is_none_or(|until| tick < until));
        let may_retry = self.failed.len() < failed;
        if is_new || passes || may_retry {
            self.pursuit.stir();
        }
        if may_retry {
            self.character.try_anew(Cause::Retry);
        }
        let is_time = self.thinks_at(tick);
        let tried_again = self.pursuit.try_again(tick);
        if self.noticed.is_some() {
            self.character.reconsider(Cause::Perception);
        } else if is_time
            && (self.character.may_reconsider() || passes && self.character.is_waiting())
        {
            self.character.reconsider(Cause::Every);
            if passes {
                // As time has passed, there may be a plan now.
                self.character.try_anew(Cause::Every);
            }
        } else if self.character.is_content() {
            if (is_new || passes && is_time) && self.wants().iter().any(Want::is_wanted) {
                self.character.want();
            }
        } else if !self.weigh(is_new || passes, &tried_again)
            && self.triggers.alternative
            && (has_changed || passes)
        {
            self.character.reconsider(Cause::Alternative);
        }
    }

    /// Returns `true` if it plans again at this tick as time goes by.
    fn thinks_at(&self, tick: u32) -> bool {
        let every = self.triggers.every;
        tick > 0 && every.is_some_and(|every| tick.is_multiple_of(every.max(1)))
    }

    /// Whether its goals make it look for another plan, where anything that it believes `is_new`
    /// and some goals may be tried again.
    fn weigh(&mut self, is_new: bool, tried_again: &[Name]) -> bool {
        let minds = is_new && self.pursuit.minds();
        let Some((plan, _)) = self
            .character
            .plan()
            .filter(|_| minds || !tried_again.is_empty())
        else {
            return false;
        };
        let wants = self.wants();
        if minds && self.pursuit.turns(plan, &wants) {
            self.character.reconsider(Cause::Goal);
        } else if self.pursuit.is_better(plan, &wants, tried_again) {
            self.character.reconsider(Cause::Retry);
        } else {
            return false;
        }
        true
    }

    /// What its goals are worth now.
    fn wants(&self) -> Vec<Want> {
        let world = self.believed();
        let domain = world.domain();
        let number = |read: &Text<Number>, otherwise: f64| {
            if read.text.trim().is_empty() {
                return Some(otherwise);
            }
            let number = read.value.as_ref();
            let number = number.filter(|number| domain.number_is_readable(number))?;
            eval_number(number, world, &Env::new()).ok()
        };
        let want = |wish: &Wish| {
            let worth = || {
                let worth =
                    wish.priority * number(&wish.relevance, 1.0)? + number(&wish.bias, 0.0)?;
                worth.is_finite().then_some(worth)
            };
            Want {
                goal: wish.goal.clone(),
                worth: worth(),
                holds: world.holds(&wish.condition, &Env::new()) == Ok(true),
            }
        };
        self.wishes.iter().map(want).collect()
    }

    /// Begins to deliberate, for the reason that its character needs a plan.
    ///
    /// # Errors
    /// The time is over.
    pub fn deliberate(&mut self, tick: u32, stop: &Stop) -> Result<(), Limit> {
        let is_reactive = self.player.is_reactive();
        let domain = self.world.domain().clone();
        let has_rules = |task: &GroundTask| {
            let task = domain.compound(&task.task);
            task.is_some_and(|task| !domain.integrity(task).is_empty())
        };
        let believed = self.believed();
        let attempts = || {
            let attempts = self.character.attempts(believed, is_reactive, &has_rules);
            self.with_and_without_failed(attempts)
        };
        let deliberation = match self.character.following() {
            None => Deliberation::first(attempts()),
            Some(followed) => {
                let goal = followed.plan.aim.as_ref().and_then(|aim| aim.goal.as_ref());
                let wants = goal.map(|_| self.wants()).unwrap_or_default();
                let want = wants.iter().find(|want| Some(&want.goal) == goal);
                let checked = match want {
                    Some(want) if !want.is_wanted() => {
                        Err(format!("the goal '{}' is not wanted any more", want.goal))
                    }
                    _ => recheck(believed, followed, tick, stop)?,
                };
                match checked {
                    Err(why) => Deliberation::repair(attempts(), why),
                    Ok(cost) => {
                        let calls = self.character.tasks(believed);
                        let attempts = improvements(
                            self.world.document(),
                            &followed.progressed(),
                            &self.character.steps(),
                            self.player.policy(),
                            is_reactive,
                            calls.as_deref(),
                            &has_rules,
                        );
                        let is_retry = self.character.needs_plan() == Some(Cause::Retry);
                        let margin = self.triggers.goal.filter(|_| !is_retry).unwrap_or(0.0);
                        let worth = want.and_then(|want| want.worth);
                        Deliberation::improve(attempts, cost, worth, margin)
                    }
                }
            }
        };
        self.deliberation = Some(deliberation);
        Ok(())
    }

    /// Searches without the tasks that have failed; and where no goals are pursued, in the end with
    /// them.
    fn with_and_without_failed(&self, attempts: Vec<Attempt>) -> Vec<Attempt> {
        if self.failed.is_empty() || self.has_goals {
            return attempts;
        }
        let again = attempts.iter().cloned().map(|attempt| Attempt {
            excludes: false,
            ..attempt
        });
        let again: Vec<Attempt> = again.collect();
        attempts.into_iter().chain(again).collect()
    }

    /// What is to be planned next; none where no search is left.
    ///
    /// Decisions that are made one by one draw as those of one plan for all of them would.
    pub fn ask(&mut self, tick: u32, seed_at: impl Fn(u32) -> u64) -> Option<Problem> {
        let (seed, steps_before) = match self.character.is_going_on() {
            true => (seed_at(self.drawn_at), self.character.steps_before()),
            false => (seed_at(tick), 0),
        };
        if self.character.plan().is_none() {
            // Only who follows a plan does not look up so soon.
            self.pursuit.lift_stale();
        }
        let attempt = self.deliberation.as_mut()?.next()?.clone();
        let problem = self.problem.anew(self.believed(), attempt.tasks.as_deref());
        self.pursuit.wants = problem.wants();
        let problem = problem.seeded(seed).after_steps(steps_before);
        let problem = problem.without(&self.pursuit.barred());
        if !attempt.excludes {
            return Some(problem);
        }
        if self.has_goals {
            let until = tick.saturating_add(self.pursuit.retry());
            self.failed
                .iter_mut()
                .for_each(|one| _ = one.until.get_or_insert(until));
        }
        Some(problem.excluding(self.failed.iter().map(|one| &one.task)))
    }

    /// Judges what the search came to that it has asked for.
    pub fn judge(&self, outcome: &Result<Outcome, String>) -> Verdict {
        let Some(deliberation) = &self.deliberation else {
            return match outcome {
                Ok(Outcome::Plan(_) | Outcome::Stopped) => Verdict::Follow,
                _ => Verdict::Wait,
            };
        };
        let old = self.character.following().map(Following::progressed);
        let wants = &self.pursuit.wants;
        deliberation.judge(outcome, self.world.document(), old.as_ref(), wants)
    }

    /// The search that it follows the plan of, once.
    pub fn end_deliberation(&mut self) -> Option<Attempt> {
        self.deliberation
            .take()
            .and_then(|deliberation| deliberation.current)
    }

    /// A task of its has failed for a reason that planning does not foresee: it is not tried again
    /// until something has changed that it reads or writes.
    pub fn exclude(&mut self, task: &GroundTask) {
        let footprint = footprint(&self.world, task);
        self.failed.retain(|one| one.task != *task);
        self.failed.push(Failed {
            task: task.clone(),
            footprint,
            until: None,
        });
    }

    /// What it believes has changed: tasks that have failed may be tried again that have to do with it.
    pub fn lift_failed<'c>(&mut self, changes: impl Iterator<Item = &'c Change> + Clone) {
        self.failed.retain(|failed| {
            let touches = |change: &Change| {
                let Footprint { reads, changes } = &failed.footprint;
                reads.contains(&change.atom) || changes.contains(&change.atom)
            };
            !changes.clone().any(touches)
        });
    }

    /// What it noticed, once.
    pub fn take_noticed(&mut self) -> Option<Atom> {
        self.noticed.take()
    }

    /// Whether the outcome of a planning that was asked for is right: a plan is validated.
    pub fn validated(&mut self, outcome: Outcome, stop: &Stop) -> Result<Outcome, String> {
        let Outcome::Plan(plan) = &outcome else {
            return Ok(outcome);
        };
        let reads = Reads::default();
        let attempt = self
            .deliberation
            .as_ref()
            .and_then(|one| one.current.as_ref());
        let believed = self.believed();
        let mut world = believed.with_values(believed.values().clone(), stop.clone());
        if self.triggers.perception {
            world = world.noting(reads.clone());
        }
        let tasks = match attempt {
            Some(attempt) => attempt.tasks.clone(),
            None => self.character.tasks(believed),
        };
        let tasks = tasks.ok_or("a task of the scenario cannot be read")?;
        match validate_from(world, &tasks, plan) {
            Ok(Ok(())) => {
                if let Ok(mut reads) = reads.lock() {
                    self.reads_of_new = mem::take(&mut reads);
                }
                Ok(outcome)
            }
            Ok(Err(invalid)) => Err(invalid.to_string()),
            Err(Stopped) => Ok(Outcome::GaveUp(Limit::Time)),
        }
    }

    /// A planning has ended whose outcome counts.
    pub fn note_draws(&mut self, tick: u32) {
        if !self.character.is_going_on() {
            self.drawn_at = tick;
        }
    }

    /// It follows the plan that was validated last.
    pub fn depend(&mut self) {
        self.reads = mem::take(&mut self.reads_of_new);
    }

    /// Whether the plan that is known from elsewhere has to be validated once more, to know what it
    /// depends on.
    pub fn wants_reads(&self) -> bool {
        self.triggers.perception
    }

    /// A step has failed.
    pub fn recover(&mut self, tick: u32) {
        self.character.recover(tick, self.triggers.failure);
    }

    /// Its tasks are complete: it begins them again at the next tick, if it is like that.
    pub fn complete(&mut self, tick: u32) {
        self.plans = 0;
        if self.has_goals {
            self.character.rest();
            self.pursuit.lift_all();
        } else if self.is_endless() {
            let calls = self.calls();
            self.character.begin_again(calls, tick.saturating_add(1));
        }
    }

    /// Returns `true` if it has no plan, and there may be one once time has passed.
    fn may_try(&self) -> bool {
        self.plans_by_time && (self.character.is_waiting() || self.character.is_content())
    }

    /// The next tick at which it has anything to do, if nobody else changes the world.
    pub fn next_tick(&self, tick: u32, changed_at: u32) -> Option<u32> {
        let own = self.character.next_tick(tick);
        let thinks = self
            .triggers
            .every
            .filter(|_| self.character.may_reconsider() || self.may_try());
        let thinks = thinks.and_then(|every| tick.checked_add(every.max(1) - tick % every.max(1)));
        let looks = self.belief.as_ref().and_then(|(_, senses)| {
            let next = tick.checked_add(1)?;
            (next <= changed_at.saturating_add(senses.patience())).then_some(next)
        });
        let looks = looks.filter(|_| self.has_eyes());
        let minds = self.minds_at().map(|at| at.max(tick.saturating_add(1)));
        let retries = self.failed.iter().filter_map(|one| one.until).min();
        let retries = retries.filter(|_| !self.character.is_complete());
        let retries = retries.map(|at| at.max(tick.saturating_add(1)));
        [own, thinks, looks, minds, retries]
            .into_iter()
            .flatten()
            .min()
    }

    /// From which tick on its goals may make it look for another plan, if nobody else changes
    /// anything.
    fn minds_at(&self) -> Option<u32> {
        if !self.has_goals || self.character.plan().is_none() {
            return None;
        }
        let is_new = self.has_changed_itself;
        let minds = (is_new && self.pursuit.minds()).then_some(0);
        minds.or_else(|| self.pursuit.next_tick(is_new || self.plans_by_time))
    }
}
