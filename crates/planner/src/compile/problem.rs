//! A problem over a flat domain: where its searches start, and what they leave out.

use std::sync::Arc;

use super::flat::{Conjunct, Flat, FlatGoal, FlatKind, FlatValue, Root};
use super::queries::Answers;
use super::steps::compile_texts;
use crate::plan::{AtomKey, KeptInstances, State, Value, World};
use taskloom_document::stop::Stop;
use taskloom_document::{Name, Policy};
use taskloom_domain::ground::{Atom, GroundTask};
use taskloom_domain::lang::World as _;
use taskloom_domain::plan::RootOrder;

/// A state, an initial task network and a goal over a flat domain, with the stop token of its
/// searches. Cloning it only counts references.
#[derive(Debug, Clone)]
pub struct Problem {
    pub(super) flat: Arc<Flat>,
    pub(super) start: Arc<Start>,
    pub(super) stop: Stop,
}

impl Problem {
    /// Returns the problem with the same domain, objects and goal, but with the world's state and
    /// other tasks, in sequence. Replanning therefore compiles nothing. `tasks` is `None` if one of
    /// them is invalid.
    ///
    /// The world must belong to the document and scenario that this problem was compiled from.
    /// Unknown facts and objects in it are ignored; an unknown task counts as invalid.
    #[must_use]
    pub fn with_state(&self, world: &World, tasks: Option<&[GroundTask]>) -> Self {
        let base = self.start.world.as_ref();
        let mut values: Vec<(AtomKey, Value)> = vec![];
        let mut add = |atom: &Atom, value: &Value| {
            let known = self.flat.atom(atom);
            values.extend(known.map(|atom| (atom, value.clone())));
        };
        let relevant = |fact: &Name| self.flat.relevant(fact);
        let is_based = base.is_some_and(|base| world.each_change_since(base, &relevant, &mut add));
        let mut state = match is_based {
            true => self.start.state.clone(),
            false => State::default(),
        };
        if !is_based {
            for (atom, value) in world.assigned_atoms() {
                add(&atom, &value);
            }
        }
        // The indices that new ground facts get in the state don't depend on the order in which they come.
        values.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        for (atom, value) in values {
            state.put_value(&atom, &value, |object| self.flat.object(object));
        }
        if let Some(time) = self.flat.time {
            state.assign(&[time], world.time().to_bits());
        }
        let claimed = self
            .flat
            .claimed
            .into_iter()
            .flat_map(|_| world.claimed().iter());
        let claimed =
            claimed.filter_map(|(object, by)| Some((self.flat.object(object)?, by.clone())));
        let claimed: Vec<(u32, Option<Name>)> = claimed.collect();
        let has_same_claims = is_based && claimed == self.start.claimed;
        if let Some(fact) = self.flat.claimed.filter(|_| !has_same_claims) {
            // The base has those that were claimed when it was made.
            for (object, _) in &self.start.claimed {
                state.set(&[fact, *object], false);
            }
            for (object, _) in &claimed {
                state.set(&[fact, *object], true);
            }
        }
        let reads = &self.flat.statics().reads;
        let has_same_statics = is_based && !state.has_changed(|fact| reads[fact as usize]);
        state.settle();
        let numbers = tasks.map(|tasks| tasks.iter().map(|task| self.flat.task_numbers(task)));
        Self {
            flat: self.flat.clone(),
            start: Arc::new(Start {
                roots: numbers.and_then(Iterator::collect),
                claimed,
                goal_tasks: self.flat.goal_tasks(world),
                instances: match has_same_statics {
                    true => self.start.instances.clone(),
                    false => KeptInstances::default(),
                },
                ..Start::of(state, self.start.seed)
            }),
            stop: self.stop.clone(),
        }
    }

    /// Returns the same problem for another version of its scene: that of a world, with its actor. It has no
    /// tasks. Takes time for the domain's texts, and for what has values.
    #[must_use]
    pub fn in_scene(&self, world: &World) -> Self {
        let scene = (&self.flat.scenario, world.scene());
        let flat = compile_texts(world.domain(), scene, world.actor());
        let objects = self.flat.objects.iter();
        let objects: Vec<Option<u32>> = objects.map(|object| flat.object(object)).collect();
        let has_objects = |fact: u32| {
            let fact = self.flat.facts.get(fact as usize);
            fact.is_some_and(|fact| matches!(fact.value, FlatValue::Object))
        };
        let claimed = self.start.claimed.iter();
        let claimed = claimed
            .filter_map(|(object, by)| Some((objects[*object as usize]?, by.clone())))
            .collect();
        let base = self.start.world.clone().map(|mut base| {
            base.enter(world.scene(), world.actor());
            base
        });
        let state = self.start.state.renumbered(&objects, has_objects);
        let start = Start {
            world: base,
            claimed,
            ..Start::of(state, self.start.seed)
        };
        Self {
            flat,
            start: Arc::new(start),
            stop: self.stop.clone(),
        }
    }

    /// Returns `true` if it is the base for problems in versions of this world.
    pub fn is_base_of(&self, world: &World) -> bool {
        let base = self.start.world.as_ref();
        base.is_some_and(|base| world.is_version_of(base))
    }

    /// Returns the problem with the world's state and no tasks, as the base for problems in later versions
    /// of the world: [`with_state`](Self::with_state) takes time for what has changed since only.
    #[must_use]
    pub fn based_on(&self, world: &World) -> Self {
        let mut problem = self.with_state(world, None);
        let start = Arc::make_mut(&mut problem.start);
        start.world = Some(world.clone());
        // Later states share the numbers of the ground facts, since they rarely have to add one.
        self.flat.add_relevant(&mut start.state);
        problem
    }

    /// Returns the problem with another order of its tasks than a sequence: for each of them, all earlier
    /// ones that it waits for, by their indices. Only planning by the designer's order or by minimum cost
    /// supports that.
    #[must_use]
    pub fn ordered(mut self, order: Arc<RootOrder>) -> Self {
        if self.roots().is_some_and(|roots| roots.len() == order.len()) {
            Arc::make_mut(&mut self.start).order = Some(order);
        }
        self
    }

    /// Returns the problem with another random seed.
    #[must_use]
    pub fn seeded(mut self, seed: u64) -> Self {
        Arc::make_mut(&mut self.start).seed = seed;
        self
    }

    /// Returns the problem as it is after `steps` steps of a plan made with the same seed, so that
    /// its random draws are those of that plan's later steps.
    #[must_use]
    pub fn after_steps(mut self, steps: usize) -> Self {
        Arc::make_mut(&mut self.start).steps_before = steps;
        self
    }

    /// Returns the problem without plans for these goals of the agent.
    #[must_use]
    pub fn excluding_goals(mut self, goals: &[Name]) -> Self {
        if !goals.is_empty() {
            Arc::make_mut(&mut self.start).excluded_goals = goals.to_vec();
        }
        self
    }

    /// Returns the problem whose first tasks, this many, clean up before the others.
    #[must_use]
    pub fn after_cleanups(mut self, count: usize) -> Self {
        if count > 0 {
            Arc::make_mut(&mut self.start).cleanups = count;
        }
        self
    }

    /// Returns the problem without plans that contain one of these ground primitive tasks.
    #[must_use]
    pub fn excluding<'t>(mut self, tasks: impl IntoIterator<Item = &'t GroundTask>) -> Self {
        let tasks = tasks.into_iter();
        let excluded: Vec<Root> = tasks
            .filter_map(|task| self.flat.task_numbers(task))
            .collect();
        if !excluded.is_empty() {
            Arc::make_mut(&mut self.start).excluded = excluded;
        }
        self
    }

    /// Returns `true` if there are no tasks, but goals to plan for.
    pub fn is_for_goals(&self) -> bool {
        self.roots().is_some_and(<[_]>::is_empty) && !self.flat.goals.is_empty()
    }

    /// Returns the problem without plans that contain one of these tasks or are for one of these goals,
    /// which are cooling down: each with the number of ticks until it may be planned again.
    #[must_use]
    pub fn cooling_down(mut self, tasks: &[(Name, u32)], goals: &[(Name, u32)]) -> Self {
        if !tasks.is_empty() || !goals.is_empty() {
            let numbers = tasks
                .iter()
                .filter_map(|(name, ticks)| Some((self.flat.task_number(name)?, *ticks)));
            let start = Arc::make_mut(&mut self.start);
            start.cooling = numbers.collect();
            start.cooling_goals = goals.to_vec();
        }
        self
    }

    /// Returns the problem of reaching the goal of a ground compound task from a state, before which the plan has
    /// begun or not.
    pub(crate) fn achieving(&self, tuple: &[u32], state: &State, begins_later: bool) -> Self {
        let mut state = state.clone();
        state.settle();
        let target = tuple.split_first();
        // Of the static facts, only the time changes during a plan.
        let reads = &self.flat.statics().reads;
        let is_timed = self.flat.time.is_some_and(|time| reads[time as usize]);
        let start = Start {
            roots: Some(vec![]),
            excluded: self.start.excluded.clone(),
            cooling: self.start.cooling.clone(),
            claimed: self.start.claimed.clone(),
            target: target.map(|(task, args)| (*task, args.to_vec())),
            begins_later,
            instances: match is_timed {
                true => KeptInstances::default(),
                false => self.start.instances.clone(),
            },
            ..Start::of(state, self.start.seed)
        };
        Self {
            start: Arc::new(start),
            ..self.clone()
        }
    }

    /// Returns the problem of doing this task so that a goal of the agent, given by its index, is
    /// reached.
    pub(crate) fn serving(&self, goal: usize, task: Root) -> Self {
        let start = Start {
            roots: Some(vec![task]),
            serves: Some(goal),
            ..(*self.start).clone()
        };
        Self {
            start: Arc::new(start),
            ..self.clone()
        }
    }

    /// Returns the agent's goal to which its tasks have to lead.
    pub(crate) fn served_goal(&self) -> Option<&FlatGoal> {
        self.flat.goals.get(self.start.serves?)
    }

    /// Returns the tasks that serve a goal of the agent, given by its index.
    pub(crate) fn tasks_of_goal(&self, goal: usize) -> &[Root] {
        self.start.goal_tasks.get(goal).map_or(&[], Vec::as_slice)
    }

    /// Returns the goal to reach instead of the agent's goals, with the number of slots that it
    /// needs, of which the first are the arguments.
    pub(crate) fn target(&self) -> Option<Target<'_>> {
        let (task, args) = self.start.target.as_ref()?;
        let task = self.flat.tasks.get(*task as usize)?;
        match &task.kind {
            FlatKind::Compound {
                goal: Some(goal), ..
            } => Some((goal, (task.frame, args))),
            _ => None,
        }
    }

    /// Returns the planning policy of the character that the problem was compiled for.
    pub fn policy(&self) -> Policy {
        self.flat.policy
    }

    /// Returns `true` if plans look no further than the next step.
    pub fn is_reactive(&self) -> bool {
        self.flat.is_reactive
    }

    /// Returns the goals that are currently excluded from planning.
    pub(crate) fn excluded_goals(&self) -> &[Name] {
        &self.start.excluded_goals
    }

    /// Returns the same problem with another stop token, which ends its searches with
    /// [`Outcome::Stopped`](crate::plan::Outcome).
    pub fn with_stop(&self, stop: &Stop) -> Self {
        Self {
            stop: stop.clone(),
            ..self.clone()
        }
    }

    pub(crate) fn flat(&self) -> &Arc<Flat> {
        &self.flat
    }

    /// Returns the initial state.
    pub(crate) fn initial(&self) -> &State {
        &self.start.state
    }

    /// Returns, for each task, all earlier ones that it waits for; `None` if they are a sequence.
    pub(crate) fn root_order(&self) -> Option<&RootOrder> {
        self.start.order.as_deref()
    }

    /// Returns the direct orderings of the tasks, as pairs of indices.
    pub(crate) fn direct_root_order(&self) -> Vec<(u32, u32)> {
        let Some(order) = self.root_order() else {
            let last = (self.roots().unwrap_or_default().len() as u32).saturating_sub(1);
            return (0..last).map(|n| (n, n + 1)).collect();
        };
        let mut direct = vec![];
        for (to, before) in order.iter().enumerate() {
            let is_direct =
                |from: &&usize| before.iter().all(|other| !order[*other].contains(from));
            let from = before.iter().filter(is_direct);
            direct.extend(from.map(|from| (*from as u32, to as u32)));
        }
        direct.sort_unstable();
        direct
    }

    /// Returns the tasks in the designer's order, or `None` if one of them is invalid.
    pub(crate) fn roots(&self) -> Option<&[Root]> {
        self.start.roots.as_deref()
    }

    /// Returns the random seed.
    pub(crate) fn seed(&self) -> u64 {
        self.start.seed
    }

    /// Returns the number of steps before this problem's first one, for random draws.
    pub(crate) fn steps_before(&self) -> usize {
        self.start.steps_before
    }

    /// Returns a hash of the state in which it starts: 128 bits that depend on every value.
    pub fn hash_of_state(&self) -> u128 {
        self.start.state.hash()
    }

    /// Returns `true` if it starts after steps of a plan, and not in the state of the planning.
    pub(crate) fn begins_later(&self) -> bool {
        self.start.begins_later
    }

    /// Returns the number of the first tasks that clean up.
    pub(crate) fn cleanups(&self) -> usize {
        self.start.cleanups
    }

    /// Returns `true` if a task has integrity rules.
    pub fn has_rules(&self) -> bool {
        self.flat.has_rules
    }

    /// Returns `true` if no plan may contain this ground task, given as its index and its
    /// arguments.
    pub(crate) fn excludes(&self, tuple: &[u32]) -> bool {
        let mut excluded = self.start.excluded.iter();
        excluded.any(|(task, args)| tuple.split_first() == Some((task, &args[..])))
            || tuple.first().is_some_and(|task| self.cooldown(*task) > 0)
    }

    /// Returns the number of ticks until a task, given by its index, may be planned again.
    pub(crate) fn cooldown(&self, task: u32) -> u32 {
        let mut cooling = self.start.cooling.iter();
        let found = cooling.find(|(cooling, _)| *cooling == task);
        found.map_or(0, |(_, ticks)| *ticks)
    }

    /// Returns the number of ticks until a goal may be pursued again.
    pub(crate) fn goal_cooldown(&self, goal: &Name) -> u32 {
        let mut cooling = self.start.cooling_goals.iter();
        let found = cooling.find(|(cooling, _)| cooling == goal);
        found.map_or(0, |(_, ticks)| *ticks)
    }

    /// Returns the place for the instances of its tasks.
    pub(crate) fn kept_instances(&self) -> &KeptInstances {
        &self.start.instances
    }

    /// Returns the stop token of its searches.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }
}

/// A goal, with the number of its slots and the arguments in the first of them.
pub(crate) type Target<'p> = (&'p [Conjunct], (u32, &'p [u32]));

/// The starting point of a [`Problem`].
#[derive(Debug, Clone)]
pub(crate) struct Start {
    pub state: State,
    /// The world that the state is of, if other states are made from it.
    pub world: Option<World>,
    /// In the designer's order; `None` if one of them is invalid.
    pub roots: Option<Vec<Root>>,
    /// Their order; `None` if they are a sequence.
    pub order: Option<Arc<RootOrder>>,
    /// The random seed.
    pub seed: u64,
    /// The number of steps before the first one, for random draws.
    pub steps_before: usize,
    /// Goals excluded from planning.
    pub excluded_goals: Vec<Name>,
    /// Ground primitive tasks that no plan contains.
    pub excluded: Vec<Root>,
    /// Tasks that are cooling down, by their indices, with the number of ticks until they may be
    /// planned again.
    pub cooling: Vec<(u32, u32)>,
    /// Goals that are cooling down.
    pub cooling_goals: Vec<(Name, u32)>,
    /// The objects that other actors claim, by their indices, each with the name of the actor.
    pub claimed: Vec<(u32, Option<Name>)>,
    /// The ground compound task whose goal is to be reached, instead of those of the agent.
    pub target: Option<Root>,
    /// The number of the first tasks that clean up.
    pub cleanups: usize,
    /// `true` if the plan has steps before the state.
    pub begins_later: bool,
    /// For each goal of the agent, the tasks that serve it, in the order in which they are tried.
    pub goal_tasks: Vec<Vec<Root>>,
    /// The goal, by its index, to which the tasks have to lead.
    pub serves: Option<usize>,
    /// The answers to queries; `None` if queries don't count.
    pub answers: Option<Arc<Answers>>,
    /// The instances of tasks, which are the same in all states with the same static facts.
    pub instances: KeptInstances,
}

impl Start {
    /// Creates the starting point in a state, with a random seed: without tasks, and with nothing excluded,
    /// cooling down or claimed.
    pub fn of(state: State, seed: u64) -> Self {
        Self {
            state,
            world: None,
            roots: None,
            order: None,
            seed,
            steps_before: 0,
            excluded_goals: vec![],
            excluded: vec![],
            cooling: vec![],
            cooling_goals: vec![],
            claimed: vec![],
            target: None,
            cleanups: 0,
            begins_later: false,
            goal_tasks: vec![],
            serves: None,
            answers: None,
            instances: KeptInstances::default(),
        }
    }
}
