//! The steps of the tour: what to do, and the state of the session that shows that it is done.

use leptos::prelude::*;
use taskloom::document::{Block, CompoundTask};
use taskloom::planner::plan::Outcome;

use crate::session::{Session, View};

/// A step of the tour.
pub struct Step {
    /// Its title.
    pub title: &'static str,
    /// The reason for it.
    pub why: &'static str,
    /// The way to do it.
    pub text: &'static str,
    /// Selectors of the element to use, the best one first.
    pub anchors: &'static [&'static str],
    /// Returns `true` when it is done. Tracked.
    pub is_done: fn(Session) -> bool,
}

/// All steps, in order.
pub static STEPS: &[Step] = &[
    Step {
        title: "Make a fact",
        why: "A fact is something that can be true in the world.",
        text: "Press + next to Facts in the outline. Type door_open and press Enter.",
        anchors: &[
            ".outline [aria-label='Add a fact']",
            "[aria-label='Add a fact']",
        ],
        is_done: |session| is_named(session) && !session.document().facts.is_empty(),
    },
    Step {
        title: "Make a primitive task",
        why: "A primitive task is one step of a plan.",
        text: "Press + next to Primitive tasks. Type open-door and press Enter.",
        anchors: &[
            ".outline [aria-label='Add a primitive task']",
            "[aria-label='Add a primitive task']",
        ],
        is_done: |session| is_named(session) && !session.document().primitive_tasks.is_empty(),
    },
    Step {
        title: "Give it an effect",
        why: "An effect is what the step changes.",
        text: "In the inspector, type door_open as the first effect, then press Escape.",
        anchors: &[
            ".inspector [aria-label='Effect 1']",
            ".outline .item[aria-selected='true']",
        ],
        is_done: |session| {
            let document = session.document();
            let mut tasks = document.primitive_tasks.values();
            tasks.any(|task| {
                let mut effects = task.effects.iter();
                effects.any(|effect| {
                    let text = effect.text.trim().trim_start_matches("not ");
                    document
                        .facts
                        .keys()
                        .any(|fact| text.starts_with(fact.as_str()))
                })
            })
        },
    },
    Step {
        title: "Make a compound task",
        why: "A compound task is a job that is made of smaller ones.",
        text: "Press + next to Compound tasks. Type enter-house and press Enter.",
        anchors: &[
            ".outline [aria-label='Add a compound task']",
            "[aria-label='Add a compound task']",
        ],
        is_done: |session| is_named(session) && !session.document().compound_tasks.is_empty(),
    },
    Step {
        title: "Open its method",
        why: "The method is a flowchart: how the task is done.",
        text: "Double-click the compound task in the outline.",
        anchors: &[
            ".outline .kind-compound-task.item",
            ".outline .item[aria-selected='true']",
        ],
        is_done: |session| {
            session
                .open
                .view
                .with(|view| matches!(view, View::Method(_)))
        },
    },
    Step {
        title: "Add a block",
        why: "Blocks are done in the order of the wires.",
        text: "Drag from the dot at the right of Begin to an empty place. Type open-door and press Enter.",
        anchors: &["[data-block] [data-port='out']", ".canvas"],
        is_done: |session| {
            let document = session.document();
            document
                .compound_tasks
                .values()
                .any(|task| begins_with_task(task))
        },
    },
    Step {
        title: "Make a scenario",
        why: "A scenario is a situation to plan for.",
        text: "Press + next to Scenarios. Type evening and press Enter.",
        anchors: &[
            ".outline [aria-label='Add a scenario']",
            "[aria-label='Add a scenario']",
        ],
        is_done: |session| is_named(session) && !session.document().scenarios.is_empty(),
    },
    Step {
        title: "Say what is to be done",
        why: "The planner decomposes the scenario's tasks.",
        text: "In the inspector, type enter-house as the first task, then press Escape.",
        anchors: &[
            ".inspector [aria-label='Task 1']",
            ".outline .item[aria-selected='true']",
        ],
        is_done: |session| {
            let document = session.document();
            let mut scenarios = document.scenarios.values();
            scenarios.any(|scenario| {
                let mut tasks = scenario.tasks.iter();
                tasks.any(|task| {
                    let mut names = document.compound_tasks.keys();
                    names.any(|name| task.trim().starts_with(name.as_str()))
                })
            })
        },
    },
    Step {
        title: "Step through the plan",
        why: "The planner has found a plan while you typed.",
        text: "Press the right arrow of the stepper. The flowchart and the world follow.",
        anchors: &["[aria-label='Step forward']"],
        is_done: |session| {
            let cursor = session.desk.cursor.get();
            let is_moved = cursor.step.is_some() || cursor.happened.is_some();
            is_moved
                && session.plan.answer.with(|answer| {
                    let outcome = answer.as_ref().map(|answer| &answer.outcome);
                    matches!(outcome, Some(Outcome::Plan(plan)) if !plan.steps.is_empty())
                })
        },
    },
    Step {
        title: "Play it on the Stage",
        why: "A run executes the plan, tick by tick.",
        text: "Open the Stage at the top, then press Play.",
        anchors: &[
            ".stage-tab [data-anchor='play']",
            ".stage-tab .play",
            "[data-anchor='play']",
            ".view-switch",
        ],
        is_done: |session| {
            session.open.view.with(|view| *view == View::Stage) && session.tick().is_some()
        },
    },
];

/// Returns `true` if no new record waits for its name. Tracked.
fn is_named(session: Session) -> bool {
    session.desk.renaming.with(Option::is_none)
}

/// Returns `true` if a wire leads from Begin to a task.
fn begins_with_task(task: &CompoundTask) -> bool {
    let method = &task.method;
    let block = |id| method.blocks.get(id).map(|block| &**block);
    method.wires.iter().any(|wire| {
        matches!(block(&wire.from), Some(Block::Begin {}))
            && matches!(block(&wire.to), Some(Block::Task { .. }))
    })
}
