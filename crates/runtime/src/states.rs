//! The states of a plan's tasks over the time of a run.

use std::mem;

use super::run::{Run, StepExecution, TaskState};
use taskloom_planner::plan::{NodeKind, Plan};

impl Run {
    /// Returns the state of every node of one of [`Run::plans`] at the end of a tick; empty
    /// if there is no plan.
    ///
    /// A compound task has failed as soon as a task of its decomposition has, is
    /// complete once all of them are that aren't in the background, and is in progress if one of them is no
    /// longer just planned, or if it was begun before the plan was made. Without subtasks it is complete once the steps before it are. What is in the
    /// background of a complete task, and isn't complete itself, was stopped.
    pub fn states(&self, plan: usize, tick: u32) -> Vec<TaskState> {
        let Some(found) = self.plans.get(plan).and_then(|planning| planning.plan()) else {
            return vec![];
        };
        let mut steps = vec![TaskState::Planned; found.steps.len()];
        for (step, execution) in self.executed_of(plan) {
            if execution.start > tick {
                continue;
            }
            if let Some(state) = steps.get_mut(step) {
                let has_ended = execution.end.is_some_and(|end| end <= tick);
                *state = if has_ended {
                    execution.state
                } else {
                    TaskState::InProgress
                };
            }
        }
        let is_made = self.plans[plan].tick <= tick;
        let ended = match is_made {
            true => {
                let later = self.executed_of(plan).into_iter();
                let later = later.filter(|(_, execution)| execution.start > tick);
                let later = Vec::from_iter(later.map(|(step, _)| step));
                end_background(found, &mut steps, &later)
            }
            false => vec![false; found.nodes.len()],
        };
        let mut states = states_of(found, &steps, &ended, is_made);
        if is_made {
            for node in &self.plans[plan].under_way {
                if let Some(state @ TaskState::Planned) = states.get_mut(*node) {
                    *state = TaskState::InProgress;
                }
            }
        }
        states
    }

    /// Returns the steps of one of [`Run::plans`] that were started, by their indices in it: those that
    /// are recorded as its own, and those in progress that the next plan continued.
    fn executed_of(&self, plan: usize) -> Vec<(usize, &StepExecution)> {
        let character = self.plans[plan].character;
        let later = self.plans.iter().enumerate().skip(plan + 1);
        let next = later
            .filter(|(_, planning)| planning.character == character && planning.plan().is_some())
            .map(|(number, planning)| (number, planning.tick))
            .next();
        let own = self.executed.iter().filter(move |e| e.plan == plan);
        let continued = self.executed.iter().filter(move |execution| {
            next.is_some_and(|(next, tick)| {
                let of = self.plans.get(execution.plan);
                let is_its = of.is_some_and(|planning| planning.character == character);
                is_its && execution.plan >= next && execution.start < tick
            })
        });
        let mut found: Vec<(usize, &StepExecution)> =
            own.map(|execution| (execution.step, execution)).collect();
        let steps = self.plans[plan].plan().map_or(&[][..], |plan| &plan.steps);
        for execution in continued {
            let of = self
                .plans
                .get(execution.plan)
                .and_then(|planning| planning.plan());
            let task = of.and_then(|of| Some(&of.steps.get(execution.step)?.task));
            let is_left = |step: usize| found.iter().all(|(other, _)| *other != step);
            let mut alike = (0..steps.len()).filter(|step| is_left(*step));
            let same = alike.find(|step| Some(&steps[*step].task) == task);
            found.extend(same.map(|step| (step, execution)));
        }
        found
    }
}

/// Marks the steps that were skipped in the background as stopped, except for those that start later: the rest of the
/// plan needs them. Returns `true` for each node that has ended because the main branch above it is complete.
fn end_background(plan: &Plan, steps: &mut [TaskState], later: &[usize]) -> Vec<bool> {
    let mut ended = vec![false; plan.nodes.len()];
    if !plan.nodes.iter().any(|node| node.is_background) {
        return ended;
    }
    let mut is_needed = vec![false; plan.nodes.len()];
    for (at, node) in plan.nodes.iter().enumerate().rev() {
        is_needed[at] |= matches!(node.kind, NodeKind::Step(step) if later.contains(&step));
        if let Some(parent) = node.parent {
            is_needed[parent] |= is_needed[at];
        }
    }
    loop {
        let mut remains = vec![false; plan.nodes.len()];
        for (at, node) in plan.nodes.iter().enumerate().rev() {
            remains[at] |= match node.kind {
                NodeKind::Step(step) => steps.get(step).is_some_and(|state| !is_over(*state)),
                NodeKind::Pending => !ended[at],
                NodeKind::Decomposed(_) => false,
            };
            if let Some(parent) = node.parent {
                remains[parent] |= remains[at];
            }
        }
        let mut is_new = false;
        for (at, node) in plan.nodes.iter().enumerate() {
            let Some(parent) = node.parent else {
                continue;
            };
            let main = plan.nodes[parent].decomposed().into_iter();
            let mut main = main.flat_map(|one| &one.children);
            let goes_on = |child: &usize| !plan.nodes[*child].is_background && remains[*child];
            let ends = plan.is_in_background(at) && !main.any(goes_on) || ended[parent];
            if ends && !is_needed[at] && remains[at] && !mem::replace(&mut ended[at], true) {
                is_new = true;
                if let NodeKind::Step(step) = node.kind
                    && steps.get(step) == Some(&TaskState::Planned)
                {
                    steps[step] = TaskState::Stopped;
                }
            }
        }
        if !is_new {
            return ended;
        }
    }
}

fn is_over(state: TaskState) -> bool {
    matches!(state, TaskState::Complete | TaskState::Stopped)
}

/// Returns the states of a plan's nodes, given those of its steps, and which nodes have ended because the
/// main branch above them is complete.
fn states_of(plan: &Plan, steps: &[TaskState], ended: &[bool], is_made: bool) -> Vec<TaskState> {
    let over = steps.iter().take_while(|state| is_over(**state)).count();
    let mut states = vec![TaskState::Planned; plan.nodes.len()];
    // Children come after their parents.
    for (at, node) in plan.nodes.iter().enumerate().rev() {
        let state = match &node.kind {
            NodeKind::Step(step) => steps.get(*step).copied().unwrap_or(TaskState::Planned),
            NodeKind::Pending => TaskState::Planned,
            NodeKind::Decomposed(decomposed) if decomposed.children.is_empty() => {
                if is_made && over >= decomposed.at {
                    TaskState::Complete
                } else {
                    TaskState::Planned
                }
            }
            NodeKind::Decomposed(decomposed) => {
                let below = decomposed.children.iter().map(|child| {
                    let is_main = !plan.is_in_background(*child);
                    (
                        is_main,
                        states.get(*child).copied().unwrap_or(TaskState::Planned),
                    )
                });
                combined(below)
            }
        };
        states[at] = match state {
            TaskState::Planned if ended[at] => TaskState::Stopped,
            _ => state,
        };
    }
    states
}

/// Returns the state of a compound task from those of its subtasks, each with `true` if it isn't in the
/// background.
fn combined(states: impl Iterator<Item = (bool, TaskState)> + Clone) -> TaskState {
    let mut begun = states.clone().filter(|(_, s)| *s != TaskState::Planned);
    if states.clone().any(|(_, s)| s == TaskState::Failed) {
        TaskState::Failed
    } else if states.clone().all(|(_, s)| is_over(s)) {
        // What is in the background of this task itself is stopped when it is complete.
        match states
            .clone()
            .any(|state| state == (true, TaskState::Stopped))
        {
            true => TaskState::Stopped,
            false => TaskState::Complete,
        }
    } else if begun.next().is_some() {
        TaskState::InProgress
    } else {
        TaskState::Planned
    }
}
