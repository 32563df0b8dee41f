//! The states of a plan's tasks over the time of a run.

use super::run::{Run, StepExecution, TaskState};
use taskloom_planner::plan::NodeKind;

impl Run {
    /// Returns the state of every node of one of [`Run::plans`] at the end of a tick; empty
    /// if there is no plan.
    ///
    /// A compound task has failed as soon as a task of its decomposition has, is
    /// complete once all of them are, and is in progress if one of them is no longer
    /// just planned. Without subtasks it is complete once the steps before it are.
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
        let complete = steps.iter().take_while(|s| **s == TaskState::Complete);
        let complete = complete.count();
        let is_made = self.plans[plan].tick <= tick;
        let mut states = vec![TaskState::Planned; found.nodes.len()];
        // Children come after their parents.
        for (at, node) in found.nodes.iter().enumerate().rev() {
            states[at] = match &node.kind {
                NodeKind::Step(step) => steps.get(*step).copied().unwrap_or(TaskState::Planned),
                NodeKind::Pending => TaskState::Planned,
                NodeKind::Decomposed(decomposed) if decomposed.children.is_empty() => {
                    if is_made && complete >= decomposed.at {
                        TaskState::Complete
                    } else {
                        TaskState::Planned
                    }
                }
                NodeKind::Decomposed(decomposed) => {
                    let below = decomposed.children.iter();
                    combined(below.filter_map(|child| states.get(*child).copied()))
                }
            };
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

/// Returns the state of a compound task from those of its subtasks.
fn combined(states: impl Iterator<Item = TaskState> + Clone) -> TaskState {
    let mut begun = states.clone().filter(|s| *s != TaskState::Planned);
    if states.clone().any(|s| s == TaskState::Failed) {
        TaskState::Failed
    } else if states.clone().all(|s| s == TaskState::Complete) {
        TaskState::Complete
    } else if begun.next().is_some() {
        TaskState::InProgress
    } else {
        TaskState::Planned
    }
}
