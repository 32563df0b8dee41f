//! The states of a plan's tasks at the cursor's moment of the run.

use std::sync::Arc;

use leptos::prelude::*;
use taskloom_planner::plan::Plan;
use taskloom_runtime::{Entry, Run, TaskState};

use crate::session::{Cursor, Happened, Session};
use crate::worker::Answer;

/// The states of the shown plan's nodes; `None` before the run, when all of them are planned.
pub type States = Option<Arc<Vec<TaskState>>>;

impl Session {
    /// Returns a memo of the states at the cursor.
    pub fn task_states(&self) -> Memo<States> {
        let session = *self;
        Memo::new(move |_| {
            let answer = session.plan.answer.get()?;
            states_at(&answer, session.desk.cursor.get()).map(Arc::new)
        })
    }
}

/// Returns the states of all nodes of the plan at a cursor.
pub fn states_at(answer: &Answer, cursor: Cursor) -> Option<Vec<TaskState>> {
    let run = answer.run.as_ref()?;
    let tick = tick(run, cursor.happened?)?;
    let plan = match cursor.plan {
        Some(plan) => plan,
        // The scenario's plan is shown, which may be the run's first.
        None => {
            let mut plans = run.plans.iter();
            let first = plans.position(|p| p.character == answer.character)?;
            (!answer.is_another_plan(first)).then_some(first)?
        }
    };
    Some(run.states(plan, tick))
}

/// Returns the last tick at the cursor: the outcome of a step is part of it.
fn tick(run: &Run, happened: Happened) -> Option<u32> {
    match happened {
        Happened::Tick(tick) => Some(tick),
        Happened::Line(Entry::Step(at)) => Some(run.executed.get(at)?.end.unwrap_or(run.ticks)),
        Happened::Line(entry) => run.tick_of(entry),
    }
}

/// Returns the state of a node.
pub fn of_node(states: &States, node: usize) -> TaskState {
    let state = states.as_ref().and_then(|states| states.get(node));
    state.copied().unwrap_or(TaskState::Planned)
}

/// Returns the state of a step.
pub fn of_step(states: &States, plan: &Plan, step: usize) -> TaskState {
    let node = plan.steps.get(step).map(|step| step.node);
    node.map_or(TaskState::Planned, |node| of_node(states, node))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::state_mark::word;
    use taskloom_document::Document;
    use taskloom_domain::Domain;
    use taskloom_planner::plan::{Budget, Strategy};
    use taskloom_runtime::{default_planner, run_test};

    /// The ball's box slams shut at tick 4, while the ball is being taken.
    fn answer() -> Answer {
        let text = include_str!("../../public/examples/ball-in-the-box.taskloom.json");
        let document = Document::from_json(text).unwrap();
        let scenario = "case-5-the-box-slams-shut".parse().unwrap();
        let mut plan = default_planner(Budget::default());
        let test = run_test(&Domain::from(&document), &scenario, &mut plan, 100);
        let outcome = test.outcome.unwrap();
        let mut answer = Answer::without_plan(1, (scenario, 0), Strategy::First, outcome);
        answer.run = test.run;
        answer
    }

    fn described(answer: &Answer, cursor: Cursor) -> String {
        let states = states_at(answer, cursor).map(Arc::new);
        let plan = answer.plan_at(cursor.plan).unwrap();
        let nodes = plan.nodes.iter().enumerate();
        let nodes = nodes.map(|(at, node)| {
            let state = of_node(&states, at);
            format!("{} {}", node.task, word(state).1)
        });
        nodes.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn every_task_has_its_state_at_each_tick() {
        let answer = answer();
        let run = answer.run.as_ref().unwrap();
        let at = |tick| described(&answer, Cursor::at_tick(run, tick, 0));
        assert_eq!(
            described(&answer, Cursor::default()),
            "get-ball planned, walk-to(box) planned, take-ball planned"
        );
        assert_eq!(
            at(1),
            "get-ball in progress, walk-to(box) in progress, take-ball planned"
        );
        assert_eq!(
            at(3),
            "get-ball in progress, walk-to(box) complete, take-ball in progress"
        );
        assert_eq!(
            at(4),
            "get-ball failed, walk-to(box) complete, take-ball failed"
        );
        assert_eq!(
            at(5),
            "get-ball in progress, open-box in progress, take-ball planned"
        );
        assert_eq!(
            at(8),
            "get-ball complete, open-box complete, take-ball complete"
        );
    }

    #[test]
    fn step_lines_show_their_outcome() {
        let answer = answer();
        let run = answer.run.as_ref().unwrap();
        let failed = Cursor::at_entry(run, Entry::Step(1), 0);
        assert_eq!(
            described(&answer, failed),
            "get-ball failed, walk-to(box) complete, take-ball failed"
        );
        let plan = answer.plan_at(failed.plan).unwrap();
        let states = states_at(&answer, failed).map(Arc::new);
        assert_eq!(of_step(&states, plan, 0), TaskState::Complete);
        assert_eq!(of_step(&states, plan, 1), TaskState::Failed);
    }
}
