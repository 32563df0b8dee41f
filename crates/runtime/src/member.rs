//! One of a scenario's cast in a run: what it does, believes and notices.

use std::mem;

use rustc_hash::FxHashSet;
use taskloom_document::stop::{Stop, Stopped};
use taskloom_document::{Name, Source, Triggers, WhenComplete};
use taskloom_domain::Player;
use taskloom_domain::ground::Atom;
use taskloom_domain::lang::Clock;
use taskloom_domain::lang::typed::Call;
use taskloom_domain::world::Reads;
use taskloom_planner::compile::Problem;
use taskloom_planner::plan::{Change, GroundTask, Limit, Outcome, Want, World, validate_from};

use super::alternative::is_earlier;
use super::character::Character;
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
    /// The tasks that a plan was asked for.
    asked: Option<Vec<GroundTask>>,
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
            pursuit: Pursuit::new(&player),
            has_goals,
            reads: FxHashSet::default(),
            reads_of_new: FxHashSet::default(),
            has_changed: false,
            has_changed_itself: false,
            noticed: None,
            asked: None,
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
        match &mut self.belief {
            Some((belief, _)) => belief.apply(&heard),
            None => heard.extend(concerns(Source::Sensor)),
        }
        self.notice(&heard);
    }

    /// What it believes has changed: without a plan it plans again, and where its plan depends on
    /// it and it wants to, too.
    fn notice(&mut self, changes: &[Change]) {
        if !changes.is_empty() {
            self.has_changed = true;
            self.character.notice();
        }
        let read = changes
            .iter()
            .find(|change| self.reads.contains(&change.atom));
        if let Some(change) = read.filter(|_| self.triggers.perception) {
            self.noticed = Some(change.atom.clone());
        }
    }

    /// Begins its turn of a tick: what makes it look for another plan. The first reason counts.
    pub fn begin_turn(&mut self, tick: u32) {
        self.character.wake(tick);
        let has_changed = mem::take(&mut self.has_changed);
        let is_new = mem::take(&mut self.has_changed_itself) || has_changed;
        if is_new {
            self.pursuit.stir();
        }
        // Where what is planned asks for the time, each tick is a change.
        let passes = self.clock.plans;
        let tried_again = self.pursuit.try_again(tick);
        if self.noticed.is_some() {
            self.character.reconsider(Cause::Perception);
        } else if let Some(every) = self.triggers.every
            && tick > 0
            && tick.is_multiple_of(every.max(1))
            && (self.character.may_reconsider() || passes && self.character.is_waiting())
        {
            self.character.reconsider(Cause::Every);
            if passes {
                // As time has passed, there may be a plan now.
                self.character.try_anew(Cause::Every);
            }
        } else if !self.weigh(is_new || passes, &tried_again)
            && self.triggers.alternative
            && (has_changed || passes)
        {
            // Last, as of what is found for it only an earlier alternative is followed.
            self.character.reconsider(Cause::Alternative);
        }
    }

    /// Whether its goals make it look for another plan, where anything that it believes `is_new`
    /// and some goals may be tried again.
    fn weigh(&mut self, is_new: bool, tried_again: &[Name]) -> bool {
        if self.character.is_content() && is_new {
            if self.wants().iter().any(Want::is_wanted) {
                self.character.want();
            }
            return true;
        }
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
        self.problem.anew(self.believed(), Some(&[])).wants()
    }

    /// What is to be planned now.
    pub fn ask(&mut self, seed: u64) -> Problem {
        if self.character.plan().is_none() {
            // Only who follows a plan does not look up so soon.
            self.pursuit.lift_stale();
        }
        self.asked = self.character.tasks(self.believed());
        let problem = self.problem.anew(self.believed(), self.asked.as_deref());
        self.pursuit.wants = problem.wants();
        problem.seeded(seed).without(&self.pursuit.barred())
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
        let asked = self.asked.take();
        let believed = self.believed();
        let mut world = believed.with_values(believed.values().clone(), stop.clone());
        if self.triggers.perception {
            world = world.noting(reads.clone());
        }
        let tasks = match asked {
            Some(tasks) => tasks,
            None => self
                .character
                .tasks(believed)
                .ok_or("a task of the scenario cannot be read")?,
        };
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

    /// Whether it keeps to its plan, as what it found in looking for an earlier alternative is none.
    pub fn keeps_to_its_plan(&self, outcome: &Result<Outcome, String>) -> bool {
        let Some((plan, _)) = self.character.plan() else {
            return false;
        };
        let Ok(Outcome::Plan(new)) = outcome else {
            return true;
        };
        let mut steps = self.character.steps().into_iter();
        !steps.any(|step| is_earlier(self.world.document(), plan, step, new))
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

    /// Whether it waits, and there may be a plan once time has passed.
    fn may_try(&self) -> bool {
        self.clock.plans && self.character.is_waiting()
    }

    /// The next tick at which it has anything to do, if nobody else changes the world.
    pub fn next_tick(&self, tick: u32, changed_at: u32) -> Option<u32> {
        let own = self.character.next_tick(tick);
        let thinks = self
            .triggers
            .every
            .filter(|_| self.character.may_reconsider() || self.may_try());
        let thinks = thinks.map(|every| tick + every.max(1) - tick % every.max(1));
        let looks = self.belief.as_ref().and_then(|(_, senses)| {
            let next = tick.checked_add(1)?;
            (next <= changed_at.saturating_add(senses.patience())).then_some(next)
        });
        let looks = looks.filter(|_| self.has_eyes());
        let minds = self.minds_at().map(|at| at.max(tick.saturating_add(1)));
        [own, thinks, looks, minds].into_iter().flatten().min()
    }

    /// From which tick on its goals may make it look for another plan, if nobody else changes
    /// anything.
    fn minds_at(&self) -> Option<u32> {
        if !self.has_goals || self.character.plan().is_none() {
            return None;
        }
        let is_new = self.has_changed_itself;
        let minds = (is_new && self.pursuit.minds()).then_some(0);
        minds.or_else(|| self.pursuit.next_tick(is_new))
    }
}
