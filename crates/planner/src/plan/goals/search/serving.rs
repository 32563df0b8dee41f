//! Plans for a goal by the tasks that serve it (semantics, section 4): each is decomposed as a task of
//! its own, in order, and has to lead to the goal. Only then the goal is searched for.

use std::collections::VecDeque;
use std::sync::Arc;

use super::{PendingGoal, Phase, Search};
use crate::compile::Root;
use crate::plan::goals::WORK_PER_DECISION;
use crate::plan::goals::ground::Grounding;
use crate::plan::memory::MemoryUse;
use crate::plan::search::Search as Decomposition;
use crate::plan::{Budget, Engine, Outcome, Plan, PlanTarget, Progress};

/// The index of a goal and the tasks that serve it; `None` if there are none to try.
pub(super) type ServingTasks = Option<(usize, VecDeque<Root>)>;

/// The search for a decomposition of a task that serves a goal.
#[derive(Debug)]
pub(super) struct Serving {
    goal: usize,
    search: Decomposition,
    /// The tasks to try after it.
    tasks: VecDeque<Root>,
    /// The goal to search for after the last task; `None` before the preparation.
    then: Option<PendingGoal>,
}

impl Serving {
    /// Returns the work done in the current search.
    pub(super) fn work(&self) -> u64 {
        WORK_PER_DECISION * self.search.spent()
    }

    /// Returns the number of decisions of the current search.
    pub(super) fn decisions(&self) -> u64 {
        self.search.statistics().nodes
    }

    /// Returns the memory use of the current search.
    pub(super) fn memory_use(&self) -> MemoryUse {
        self.search.memory_use()
    }
}

impl Search {
    /// Returns the first phase: the tasks that serve the first goal, which need no preparation.
    pub(super) fn begin(&mut self) -> Phase {
        if self.problem.target().is_none() {
            let mut goals = self.problem.active_goals().into_iter();
            let first = goals.find(|(_, goal)| !self.problem.is_excluded(goal));
            if let Some((goal, _)) = first {
                let tasks = self.problem.tasks_of_goal(goal).to_vec();
                return self.serve((goal, tasks.into()), None);
            }
        }
        self.prepare()
    }

    /// Returns the phase that prepares the search for goals.
    fn prepare(&self) -> Phase {
        let decisions = self.budget.nodes.saturating_sub(self.served);
        let work = decisions.saturating_mul(WORK_PER_DECISION);
        let memory = self.budget.memory;
        Phase::Ground(Box::new(Grounding::new(&self.problem, memory, work)))
    }

    /// Starts to decompose the next of the tasks that serve a goal; after the last one, continues with
    /// the search for the goal.
    pub(super) fn serve(
        &mut self,
        (goal, mut tasks): (usize, VecDeque<Root>),
        then: Option<PendingGoal>,
    ) -> Phase {
        let Some(task) = tasks.pop_front() else {
            return match then {
                Some(pending) => {
                    self.pending.push(pending);
                    Phase::Next
                }
                None => self.prepare(),
            };
        };
        let left = self
            .budget
            .nodes
            .saturating_sub(self.served + self.evaluated);
        let budget = Budget {
            // The other tasks and the search for the goal need a part of the budget, too.
            nodes: left.div_ceil(2),
            memory: self
                .budget
                .memory
                .saturating_sub(self.tables.bytes)
                .div_ceil(2),
            ..self.budget
        };
        let problem = self.problem.serving(goal, task);
        let search = Decomposition::new(&problem, budget, self.tracing.bound());
        Phase::Serve(Box::new(Serving {
            goal,
            search,
            tasks,
            then,
        }))
    }

    /// Continues the decomposition of a task that serves a goal, for about this much work.
    pub(super) fn continue_serving(&mut self, mut serving: Box<Serving>, work: u64) -> Phase {
        let progress = serving.search.step((work / WORK_PER_DECISION).max(1));
        if progress == Progress::Running {
            return Phase::Serve(serving);
        }
        self.work += serving.work();
        self.served += serving.search.spent();
        self.meter.sample(serving.memory_use() + self.tables);
        match serving.search.outcome() {
            Some(Outcome::Plan(plan)) => {
                let goal = self.problem.flat().goals.get(serving.goal);
                let target = PlanTarget {
                    goal: goal.and_then(|goal| goal.name.clone()),
                    remaining_estimate: None,
                    is_optimal: false,
                };
                self.served_trace = serving.search.trace().cloned();
                self.answer(Ok(Plan {
                    target: Some(target),
                    ..Arc::unwrap_or_clone(plan)
                }))
            }
            Some(Outcome::Stopped) => self.end(Outcome::Stopped),
            outcome => {
                if let Some(Outcome::GaveUp(limit)) = outcome {
                    self.limit = Some(limit);
                }
                let Serving {
                    goal, tasks, then, ..
                } = *serving;
                self.serve((goal, tasks), then)
            }
        }
    }
}
