//! A character's decisions: its tasks, beliefs and observations.

use std::sync::Arc;
use std::{iter, mem, slice};

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use taskloom_document::{Source, Triggers, WhenComplete};
use taskloom_domain::Actor;
use taskloom_domain::ground::Atom;
use taskloom_domain::lang::Clock;
use taskloom_domain::lang::typed::Call;
use taskloom_domain::world::Claimed;
use taskloom_planner::compile::Problem;
use taskloom_planner::plan::{Change, World};

use crate::access::AccessSet;
use crate::character::Character;
use crate::clock::plans_by_time;
use crate::deliberation::Deliberation;
use crate::goal_selection::GoalSelection;
use crate::run::StepExecution;
use crate::senses::Senses;

mod goals;
mod objects;
mod planning;
mod repeated;
mod saved;
mod turn;

use goals::goal_reads;
use planning::Failed;
pub use planning::PlanCheck;
pub use saved::SavedMind;

/// A character's tasks, beliefs, goals and triggers.
pub struct Mind {
    /// Its object and agent.
    pub actor: Arc<Actor>,
    /// Its tasks, and the progress of their execution.
    pub character: Character,
    /// The world with its memory, but without the values, which are in the run while another one acts.
    pub world: World,
    /// Its beliefs and senses; `None` if it sees everything.
    pub belief: Option<(World, Senses)>,
    /// Its compiled planning problem.
    pub problem: Problem,
    /// `true` if the problem has other objects than its world.
    pub is_problem_outdated: bool,
    /// The counts of its plans.
    pub counts: PlanCounts,
    triggers: Triggers,
    /// The purposes for which the document reads the time.
    clock: Clock,
    /// `true` if its planning depends on the time, so that each tick is a change.
    plans_by_time: bool,
    /// Its goal selection.
    pub goal_selection: GoalSelection,
    /// `true` if it has no tasks, but goals of its agent.
    has_goals: bool,
    /// The facts that the values of its goals depend on, if it pursues any.
    goal_reads: AccessSet,
    /// The changes of its beliefs that may make it plan.
    pub news: News,
    /// Its search for a plan at this turn.
    pub deliberation: Option<Deliberation>,
    /// Tasks that have failed, and are excluded for now.
    failed: Vec<Failed>,
}

/// The counts of a character's plans that its later plannings depend on.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct PlanCounts {
    /// The number of its plans that have failed since all its tasks were complete.
    pub failed_plans: usize,
    /// The tick of its last planning that wasn't a continuation: later draws depend on its seed.
    drawn_at: u32,
    /// The last plan.
    #[serde(default)]
    repeated: Repeated,
}

/// A plan that an actor has made again and again, from the same beliefs, without completing it in between.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Repeated {
    /// A hash of its steps and of the beliefs.
    plan: u64,
    /// The number of times that it was made.
    times: usize,
}

/// The changes of a character's beliefs that may make it plan.
#[derive(Debug, Default)]
pub struct News {
    /// `true` if others or its senses have changed any of its beliefs since its last turn.
    by_others: bool,
    /// `true` if it has changed any of its beliefs itself.
    pub by_itself: bool,
    /// `true` if the values of its goals, or which of them count, may have changed since they were last
    /// compared.
    pub concerns_goals: bool,
    /// The ground facts that its plan depends on, if it has a perception trigger.
    reads: FxHashSet<Atom>,
    /// The ground facts that the plan that was validated last depends on.
    reads_of_new: FxHashSet<Atom>,
    /// The change that it has noticed since it last planned.
    noticed: Option<Atom>,
    /// The ground facts that have changed while it searches for a plan.
    while_searching: Vec<Atom>,
    /// `true` if a claim was released, or objects were added or removed, while it searches for a plan.
    changed_while_searching: bool,
}

impl Mind {
    /// Creates a character that has done nothing yet, in the initial world of a scenario.
    pub fn new(actor: Arc<Actor>, world: World, problem: Problem, is_alone: bool) -> Self {
        let world = world.played_by(actor.clone());
        // Memory that nobody else shares can stay in the world.
        let world = if is_alone && actor.beliefs().is_empty() {
            world
        } else {
            world.with_own_memory()
        };
        let believed = world.clone().believed_by(actor.clone());
        let world = world.remembering(&believed);
        let agent = actor.agent.as_ref().map(|(_, agent)| agent);
        let has_goals = actor.has_goals() && actor.tasks().is_empty() && actor.goal().is_empty();
        let has_senses = agent.is_some_and(|agent| !agent.senses.is_empty());
        let mut member = Self {
            character: Character::new(None),
            belief: None,
            problem: problem.based_on(&believed),
            is_problem_outdated: false,
            counts: PlanCounts::default(),
            triggers: agent
                .map(|agent| agent.triggers.clone())
                .unwrap_or_default(),
            clock: world.domain().clock(),
            plans_by_time: false,
            goal_selection: GoalSelection::new(&actor),
            has_goals,
            goal_reads: AccessSet::default(),
            news: News::default(),
            deliberation: None,
            failed: vec![],
            world,
            actor,
        };
        if has_senses {
            let senses = Senses::new(&believed);
            member.belief = Some((believed, senses));
        }
        if has_goals {
            member.goal_reads = goal_reads(&member.world);
        }
        member.character = Character::new(member.calls());
        member.tasks_changed();
        member
    }

    /// Decides again whether it plans by the time, since it has other tasks now.
    pub fn tasks_changed(&mut self) {
        self.plans_by_time = plans_by_time(&self.world, self.character.calls());
    }

    /// Returns its tasks as calls; `None` if one is invalid.
    fn calls(&self) -> Option<Vec<Call>> {
        let calls = self.actor.calls(self.world.domain().texts());
        calls.map(|call| call.value.clone()).collect()
    }

    /// Reads tasks that it is given.
    ///
    /// # Errors
    /// Returns a sentence if one is invalid, or it pursues goals.
    pub fn read_tasks(&self, tasks: &[String]) -> Result<Vec<Call>, String> {
        if self.has_goals {
            return Err("an actor that pursues goals can't be given tasks".to_owned());
        }
        let tasks = tasks.iter().map(|task| self.world.task(task));
        tasks.collect()
    }

    /// Returns its beliefs, during its turn.
    pub fn believed(&self) -> &World {
        self.belief
            .as_ref()
            .map_or(&self.world, |(belief, _)| belief)
    }

    /// Returns what it believes in a world.
    pub fn believed_in(&self, facts: &World) -> World {
        match &self.belief {
            Some((belief, _)) => belief.clone(),
            None => {
                let mut own = self.world.clone();
                own.swap_values(&mut facts.clone());
                own
            }
        }
    }

    /// Returns `true` if it begins again whenever its tasks are complete.
    pub fn is_endless(&self) -> bool {
        self.triggers.complete == WhenComplete::Again && !self.has_goals
    }

    /// Returns `true` if it observes: not once its tasks are complete.
    fn observes(&self) -> bool {
        !self.character.is_complete() || self.character.has_no_active_goal()
    }

    /// Records that it has seen what one of its steps has changed or learned at this tick.
    pub fn remember_seen(&mut self, step: &StepExecution, tick: u32) {
        let Some((_, senses)) = &mut self.belief else {
            return;
        };
        if step.acted.or(step.end) == Some(tick) {
            let changes = step.changes.iter().chain(&step.learned);
            senses.remember(changes.map(|change| &change.atom), tick);
        }
    }

    /// Returns `true` if it forgets what it doesn't see.
    pub fn forgets(&self) -> bool {
        let belief = self.belief.as_ref().filter(|_| self.observes());
        belief.is_some_and(|(_, senses)| senses.forget())
    }

    /// Returns `true` if its memory differs from what a change writes.
    pub fn memory_differs(&self, change: &Change) -> bool {
        self.world.memory_differs(&change.atom, &change.after)
    }

    /// Sets the time of its beliefs at the beginning of a turn.
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

    /// Returns `true` if it has a plan.
    pub fn is_busy(&self) -> bool {
        self.character.plan().is_some()
    }

    /// Observes the world. Returns the changes of its beliefs.
    pub fn observe(&mut self, tick: u32) -> Vec<Change> {
        let observes = self.observes();
        let Some((belief, senses)) = self.belief.as_mut().filter(|_| observes) else {
            return vec![];
        };
        let changes = senses.observe(&self.world, belief, tick);
        let mut reads_one = false;
        for change in &changes {
            self.notice(change, &mut reads_one);
        }
        changes
    }

    /// Notes its own changes of the world or its beliefs, so that its senses look at them.
    pub fn note_own_changes(&mut self, changes: Vec<Change>) {
        if let Some((_, senses)) = self.belief.as_mut().filter(|_| !changes.is_empty()) {
            senses.note(&changes.into());
        }
    }

    /// Receives the claims of all other actors. One that was released is a change for it.
    pub fn receive_claims(&mut self, claimed: Claimed) {
        if **self.world.claimed() == claimed {
            return;
        }
        let mut before = self.world.claimed().keys();
        let released = before.any(|object| !claimed.contains_key(object));
        self.set_claimed(claimed);
        if released {
            self.news.by_others = true;
            self.news.concerns_goals = true;
            self.character.notice();
            self.news.changed_while_searching |= self.deliberation.is_some();
        }
    }

    /// Sets the objects that other actors claim.
    fn set_claimed(&mut self, claimed: Claimed) {
        let claimed = Arc::new(claimed);
        self.world.set_claimed(&claimed);
        if let Some((belief, _)) = &mut self.belief {
            belief.set_claimed(&claimed);
        }
    }

    /// Receives changes by somebody else: of the blackboard, of sensor facts or, by an event, of its memory.
    pub fn receive(&mut self, changes: &Arc<[Change]>, is_event: bool) {
        let document = self.world.document().clone();
        if let Some((_, senses)) = &mut self.belief {
            senses.note(changes);
        }
        let mut reads_one = false;
        for wanted in [Source::Blackboard, Source::Memory, Source::Sensor] {
            for change in changes.iter() {
                let fact = document.facts.get(&change.atom.fact);
                if fact.is_some_and(|fact| fact.source == wanted)
                    && self.concerns(change, wanted, is_event)
                {
                    if wanted == Source::Memory {
                        self.world.remember(slice::from_ref(change));
                    }
                    if let Some((belief, _)) = &mut self.belief {
                        belief.apply(slice::from_ref(change));
                    }
                    self.notice(change, &mut reads_one);
                }
            }
        }
    }

    /// Returns `true` if a change of such a fact by somebody else changes what it knows.
    fn concerns(&self, change: &Change, source: Source, is_event: bool) -> bool {
        match source {
            Source::Blackboard => true,
            // What it already remembers is not a change.
            Source::Memory if self.world.has_own_memory() => {
                is_event && self.memory_differs(change)
            }
            Source::Memory => is_event && change.before != change.after,
            Source::Sensor => {
                let senses = self.belief.as_ref().map(|(_, senses)| senses);
                !senses.is_some_and(|senses| senses.cover(&change.atom.fact))
            }
        }
    }

    /// Reacts to a change of its beliefs: it plans again if it has no plan, or if its plan depends on it
    /// and it has a perception trigger. Of several changes at once, it notices the first one that its plan
    /// reads.
    fn notice(&mut self, change: &Change, reads_one: &mut bool) {
        self.news.by_others = true;
        self.news.concerns_goals |= self.goal_reads.contains(&change.atom);
        self.character.notice();
        self.clear_failed(iter::once(change));
        if self.deliberation.is_some() {
            self.news.while_searching.push(change.atom.clone());
        }
        let reads = self.triggers.perception && self.news.reads.contains(&change.atom);
        if reads && !mem::replace(reads_one, true) {
            self.news.noticed = Some(change.atom.clone());
        }
    }

    /// Takes the change that it has noticed.
    pub fn take_noticed(&mut self) -> Option<Atom> {
        self.news.noticed.take()
    }

    /// Delays replanning after a step has failed.
    pub fn recover(&mut self, tick: u32) {
        self.character.recover(tick, self.triggers.failure);
    }

    /// Reacts to the completion of its tasks: it begins them again at the next tick, if its trigger says so.
    pub fn complete(&mut self, tick: u32) {
        self.counts.failed_plans = 0;
        if self.has_goals {
            self.character.satisfy();
            self.goal_selection.clear_all();
        } else if self.is_endless() {
            let calls = self.calls();
            self.character.restart_tasks(calls, tick.saturating_add(1));
        }
    }
}
