//! Decomposes a compound task by its goal (semantics, section 3): into nothing if the goal is true,
//! and otherwise, once no drawn way is possible, into the primitive tasks that a search for the goal
//! finds. No other plan for the goal is tried.

use rustc_hash::FxHashMap;

use super::super::goals;
use super::super::memory::MemoryUse;
use super::super::network::Child;
use super::{Decomposer, Doing, Phase};
use crate::compile::{FlatKind, Problem};
use crate::plan::rows::NONE;
use crate::plan::{Budget, Engine, Limit, Outcome, Progress, TraceKind};

/// The values copied for a search that count as one decision.
const VALUES_PER_DECISION: u64 = 512;

/// A ground task, a state, and `true` if there are steps before it.
type Key = (u32, u128, bool);

/// The ground primitive tasks that lead to a goal, or the limit that ended the search if it found
/// none.
type Found = Result<Box<[u32]>, Option<Limit>>;

/// The searches for goals of tasks.
#[derive(Debug, Default)]
pub struct Achieving {
    /// The current search, with the decisions of it that are counted.
    search: Option<(Key, Box<goals::Search>, u64)>,
    /// The results, so that a state and a task always have the same one.
    known: FxHashMap<Key, Found>,
    /// The limit that ended a search that found nothing.
    limit: Option<Limit>,
}

impl Achieving {
    /// Returns the same results, without a search.
    pub fn again(&self) -> Self {
        Self {
            known: self.known.clone(),
            ..Self::default()
        }
    }

    /// Returns the limit because of which a plan may have been missed.
    pub fn limit(&self) -> Option<Limit> {
        self.limit
    }

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        let search = self
            .search
            .as_ref()
            .map(|(_, search, _)| search.memory_use());
        let found = self.known.values().flatten().map(|tasks| tasks.len() * 4);
        MemoryUse::of_map(&self.known) + MemoryUse::fixed(found.sum()) + search.unwrap_or_default()
    }
}

impl Decomposer {
    /// Starts to search for a sequence of primitive tasks that leads to the goal of the top frame's
    /// task.
    pub(super) fn begin_to_achieve(&mut self, task: u32) -> Phase {
        let ground = self.network.task(task).ground;
        let has_begun = self.has_begun() || self.steps > 0 && self.cleans_up(task);
        let key = (ground, self.state.hash(), has_begun);
        if let Some(found) = self.achieving.known.get(&key).cloned() {
            return self.achieved(task, found);
        }
        let left = self.budget.nodes.saturating_sub(self.spent());
        let memory = self.budget.memory;
        let budget = Budget {
            // Other alternatives need a part of the budget, too.
            nodes: left.div_ceil(2),
            memory: memory.saturating_sub(self.memory_use().bytes).div_ceil(2),
            ..self.budget
        };
        self.statistics.nodes += self.state.len() as u64 / VALUES_PER_DECISION;
        let problem = self
            .problem
            .achieving(self.ground.tuple(ground), &self.state, has_begun);
        let search = goals::Search::new(&problem, budget, goals::Mode::Configured, 0);
        self.achieving.search = Some((key, Box::new(search), 0));
        Phase::Achieve
    }

    /// Continues the search for a goal by about one decision.
    pub(super) fn achieve(&mut self) -> Phase {
        let Some(task) = self.stack.last().map(|frame| frame.task) else {
            return Phase::Done;
        };
        let Some((key, search, counted)) = &mut self.achieving.search else {
            return Phase::Back;
        };
        let progress = search.step(1);
        let spent = search.spent();
        self.statistics.nodes += spent.saturating_sub(*counted);
        *counted = spent;
        let (key, outcome) = (*key, search.outcome());
        if progress == Progress::Running {
            return Phase::Achieve;
        }
        self.achieving.search = None;
        let found = match outcome {
            Some(Outcome::Plan(plan)) => {
                let problem = self.problem.clone();
                let steps = plan.steps.iter();
                let tasks = steps.filter_map(|step| self.ground_task(&problem, &step.task));
                Ok(tasks.collect())
            }
            Some(Outcome::GaveUp(limit)) => Err(Some(limit)),
            _ => Err(None),
        };
        self.achieving.known.insert(key, found.clone());
        self.achieved(task, found)
    }

    /// Returns the goal of a task, as typed.
    fn goal_text(&self, task: u32) -> String {
        let tuple = self.ground.tuple(self.network.task(task).ground);
        let goal = match &self.problem.flat().tasks[tuple[0] as usize].kind {
            FlatKind::Compound { goal, .. } => goal.as_deref().unwrap_or_default(),
            FlatKind::Primitive { .. } => &[],
        };
        let parts: Vec<&str> = goal.iter().map(|part| &*part.text).collect();
        parts.join(" and ")
    }

    fn ground_task(&mut self, problem: &Problem, task: &crate::plan::GroundTask) -> Option<u32> {
        let (number, args) = problem.flat().task_numbers(task)?;
        self.tuple.clear();
        self.tuple.push(number);
        self.tuple.extend(args);
        Some(self.ground.intern(&self.tuple))
    }

    /// Replaces the top frame's task with what was found for its goal.
    fn achieved(&mut self, task: u32, found: Found) -> Phase {
        match found {
            Ok(tasks) => self.expand_by_goal(task, &tasks, "a plan for the goal"),
            Err(limit) => {
                if self.tracer.is_on() {
                    let goal = self.goal_text(task);
                    let why = match limit {
                        None => format!("no plan leads to its goal {goal}"),
                        Some(_) => format!("no plan for its goal {goal} within the budget"),
                    };
                    self.note_choice(TraceKind::Inapplicable { why, saw: vec![] });
                }
                self.note_choice(TraceKind::Backtrack);
                self.achieving.limit = self.achieving.limit.or(limit);
                if let Some(frame) = self.stack.last_mut() {
                    frame.cut |= limit.is_some();
                }
                self.next_task()
            }
        }
    }

    /// Replaces the top frame's task with these ground tasks, in sequence.
    pub(super) fn expand_by_goal(&mut self, task: u32, tasks: &[u32], label: &str) -> Phase {
        self.statistics.nodes += 1;
        if self.tracer.is_on() {
            let alternative = self.note_choice(TraceKind::Alternative {
                label: label.to_owned(),
                blocks: vec![],
            });
            self.network.set_event(task, alternative);
        }
        if let Some(frame) = self.stack.last_mut() {
            frame.done = Doing::ByGoal {
                first_child: self.network.len(),
            };
        }
        let children = tasks.iter().map(|ground| Child {
            ground: *ground,
            position: NONE,
        });
        let children: Vec<Child> = children.collect();
        let last = (children.len() as u32).saturating_sub(1);
        let order: Vec<(u32, u32)> = (0..last).map(|n| (n, n + 1)).collect();
        self.network.expand(task, &children, &order);
        Phase::Enter
    }
}
