//! The steps of the tour: what to do, and the state of the session that shows that it is done.
//!
//! A journey does what the texts say, and nothing else: each sentence of a text is an instruction
//! that tests/e2e/instructions.mjs understands. What isn't an instruction belongs to `why`.

use leptos::prelude::*;
use taskloom_document::{Block, Name, Port};
use taskloom_planner::plan::Outcome;

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
    /// The position of the card.
    pub card: Place,
    /// Returns `true` when it is done. Tracked.
    pub is_done: fn(Session) -> bool,
}

/// The position of the card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Beside the element to use.
    Beside,
    /// In a corner of the canvas, out of the way of what is dragged.
    Aside,
}

/// All steps, in order.
pub static STEPS: &[Step] = &[
    Step {
        title: "Make a fact",
        why: "A fact is something that can be true in the world.",
        text: "Press + next to Facts. Type door_open and press Enter.",
        anchors: &[
            ".outline [aria-label='Add a fact']",
            "[aria-label='Add a fact']",
        ],
        card: Place::Beside,
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
        card: Place::Beside,
        is_done: |session| is_named(session) && !session.document().primitive_tasks.is_empty(),
    },
    Step {
        title: "Give it an effect",
        why: "An effect is what the task changes. The inspector shows the new task.",
        text: "Press + next to What it changes. Type door_open and press Escape.",
        anchors: &[
            ".inspector [aria-label='Add an effect']",
            ".outline .kind-primitive-task.item",
        ],
        card: Place::Beside,
        is_done: has_effect,
    },
    Step {
        title: "Make a compound task",
        why: "A compound task is a job that is made of smaller ones.",
        text: "Press + next to Compound tasks. Type enter-house and press Enter.",
        anchors: &[
            ".outline [aria-label='Add a compound task']",
            "[aria-label='Add a compound task']",
        ],
        card: Place::Beside,
        is_done: |session| is_named(session) && !session.document().compound_tasks.is_empty(),
    },
    Step {
        title: "Open its method",
        why: "The method is a flowchart: how the task is done.",
        text: "Double-click enter-house in the outline.",
        anchors: &[
            ".outline .kind-compound-task.item",
            ".outline .item[aria-selected='true']",
        ],
        card: Place::Beside,
        is_done: |session| {
            let is_method = |view: &View| matches!(view, View::Method(_));
            session.open.view.with(is_method)
        },
    },
    Step {
        title: "Add a Branch",
        why: "Nobody opens a door that is open: the task depends on the world.",
        text: "Drag from the dot of Begin to an empty place on the right. Type branch and press Enter.",
        anchors: &[".block:has(> .begin) [data-port='out']", ".canvas"],
        card: Place::Aside,
        is_done: |session| {
            let is_there = |from: &Block, _: Port, to: &Block| {
                matches!(from, Block::Begin {}) && matches!(to, Block::Branch { .. })
            };
            has_wire(session, is_there)
        },
    },
    Step {
        title: "Ask a question",
        why: "A Branch has a condition. A double click on the Branch opens its field again.",
        text: "Type door_open and press Enter.",
        anchors: &[".in-place", ".block:has(> .branch)"],
        card: Place::Aside,
        is_done: |session| {
            let document = session.document();
            let is_asked = |block: &Block| match block {
                Block::Branch { condition } => names_one(condition, document.facts.keys()),
                _ => false,
            };
            let mut tasks = document.compound_tasks.values();
            tasks.any(|task| task.method.blocks.values().any(|block| is_asked(block)))
        },
    },
    Step {
        title: "If the door is open",
        why: "Then there is nothing to do, and the task ends.",
        text: "Drag from the dot of yes to an empty place on the right. Type end and press Enter.",
        anchors: &[".block:has(> .branch) [data-port='true']", ".canvas"],
        card: Place::Aside,
        is_done: |session| {
            let ends = |_: &Block, port: Port, to: &Block| {
                port == Port::True && matches!(to, Block::End {})
            };
            has_wire(session, ends)
        },
    },
    Step {
        title: "If it is shut",
        why: "Then the primitive task opens it.",
        text: "Drag from the dot of no to an empty place below. Type open-door and press Enter.",
        anchors: &[".block:has(> .branch) [data-port='false']", ".canvas"],
        card: Place::Aside,
        is_done: |session| {
            let opens = |_: &Block, port: Port, to: &Block| {
                port == Port::False && matches!(to, Block::Task { .. })
            };
            has_wire(session, opens)
        },
    },
    Step {
        title: "Make a scenario",
        why: "A scenario is a situation to plan for. In this one, the door is shut.",
        text: "Press + next to Scenarios. Type evening and press Enter.",
        anchors: &[
            ".outline [aria-label='Add a scenario']",
            "[aria-label='Add a scenario']",
        ],
        card: Place::Beside,
        is_done: |session| is_named(session) && !session.document().scenarios.is_empty(),
    },
    Step {
        title: "Set its task",
        why: "The planner decomposes the scenario's tasks into steps.",
        text: "Press + next to Tasks. Type enter-house and press Escape.",
        anchors: &[
            ".inspector [aria-label='Add a task']",
            ".outline .kind-scenario.item",
        ],
        card: Place::Beside,
        is_done: |session| {
            let document = session.document();
            let scenarios = document.scenarios.values();
            let mut tasks = scenarios.flat_map(|scenario| &scenario.tasks);
            tasks.any(|task| names_one(task, document.compound_tasks.keys()))
        },
    },
    Step {
        title: "Step through the plan",
        why: "The plan is there: one step, by way of no. Flowchart and world follow.",
        text: "Press Step forward next to the number of steps.",
        anchors: &["[aria-label='Step forward']"],
        card: Place::Beside,
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
        text: "Press Stage at the top. Press Play at the bottom.",
        anchors: &[
            ".stage-tab [data-anchor='play']",
            ".stage-tab .play",
            ".view-switch",
        ],
        card: Place::Beside,
        is_done: |session| {
            session.open.view.with(|view| *view == View::Stage) && session.tick().is_some()
        },
    },
];

/// Returns `true` if no new record waits for its name. Tracked.
fn is_named(session: Session) -> bool {
    session.desk.renaming.with(Option::is_none)
}

/// Returns `true` if a primitive task changes a fact. Tracked.
fn has_effect(session: Session) -> bool {
    let document = session.document();
    let tasks = document.primitive_tasks.values();
    let mut effects = tasks.flat_map(|task| &task.effects);
    effects.any(|effect| names_one(&effect.text, document.facts.keys()))
}

/// Returns `true` if a text begins with one of these names, after any `not`.
fn names_one<'a>(text: &str, mut names: impl Iterator<Item = &'a Name>) -> bool {
    let text = text.trim().trim_start_matches("not ");
    names.any(|name| text.starts_with(name.as_str()))
}

/// Returns `true` if a method has a wire between two blocks of which this is true. Tracked.
fn has_wire(session: Session, is_it: impl Fn(&Block, Port, &Block) -> bool) -> bool {
    let document = session.document();
    document.compound_tasks.values().any(|task| {
        let method = &task.method;
        method.wires.iter().any(|wire| {
            let from = method.blocks.get(&wire.from);
            let to = method.blocks.get(&wire.to);
            from.zip(to)
                .is_some_and(|(from, to)| is_it(from, wire.port, to))
        })
    })
}
