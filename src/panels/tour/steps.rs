//! The steps of the tour: what to do, and the state of the session that shows that it is done.
//!
//! A journey does what the texts say, and nothing else: each sentence of a text is an instruction
//! that tests/e2e/instructions.mjs understands. What isn't an instruction belongs to `why`.

use leptos::prelude::*;
use taskloom_document::{Block, Name, Port, ValueKind};
use taskloom_planner::plan::{Change, Outcome, Value};
use taskloom_runtime::{Run, StepExecution};

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
        title: "Make two types",
        why: "A type is a kind of thing. This world has people and rooms.",
        text: "Press + next to Types. Type person and press Enter. Press + next to Types. Type room and press Enter.",
        anchors: &[
            ".outline [aria-label='Add a type']",
            "[aria-label='Add a type']",
        ],
        card: Place::Beside,
        is_done: |session| is_named(session) && session.document().types.len() >= 2,
    },
    Step {
        title: "Make a person and two rooms",
        why: "An object is one thing of a type. The type follows the colon.",
        text: "Press + next to Objects. Type anna: person and press Enter. Press + next to Objects. Type hall: room and press Enter. Press + next to Objects. Type kitchen: room and press Enter.",
        anchors: &[
            ".outline [aria-label='Add an object']",
            "[aria-label='Add an object']",
        ],
        card: Place::Beside,
        is_done: |session| is_named(session) && session.document().objects.len() >= 3,
    },
    Step {
        title: "Make a fact",
        why: "A fact is something that can be true in the world. This one says in which room somebody is; the game reports it.",
        text: "Press + at Sensors on the Board. Type place_of(?who: person): room and press Enter.",
        anchors: &[
            "[aria-label='Add to sensors']",
            ".outline [aria-label='Add a fact']",
            "[aria-label='Add a fact']",
        ],
        card: Place::Beside,
        is_done: |session| is_named(session) && locates(session),
    },
    Step {
        title: "Make an agent",
        why: "An agent is a kind of character. It calls the object that it plays ?me.",
        text: "Press + next to Agents. Type guest: person and press Enter.",
        anchors: &[
            ".outline [aria-label='Add an agent']",
            "[aria-label='Add an agent']",
        ],
        card: Place::Beside,
        is_done: |session| is_named(session) && !session.document().agents.is_empty(),
    },
    Step {
        title: "Make an action",
        why: "An action is what the game does. Walking takes two ticks.",
        text: "Press + next to Actions. Type Walk and press Enter. Click the field Duration in ticks. Type 2 and press Enter.",
        anchors: &[
            ".inspector [aria-label='Duration in ticks']",
            ".outline [aria-label='Add an action']",
            "[aria-label='Add an action']",
        ],
        card: Place::Beside,
        is_done: |session| {
            let document = session.document();
            let mut actions = document.actions.values();
            is_named(session) && actions.any(|action| !action.duration.trim().is_empty())
        },
    },
    Step {
        title: "Make a primitive task",
        why: "A primitive task is one step of a plan.",
        text: "Press + next to Primitive tasks. Type walk(?to: room) and press Enter.",
        anchors: &[
            ".outline [aria-label='Add a primitive task']",
            "[aria-label='Add a primitive task']",
        ],
        card: Place::Beside,
        is_done: |session| is_named(session) && !session.document().primitive_tasks.is_empty(),
    },
    Step {
        title: "Give it its action",
        why: "The inspector shows the new task. The action executes it.",
        text: "Click the field Action. Type Walk and press Enter.",
        anchors: &[
            ".inspector [aria-label='Action']",
            ".outline .kind-primitive-task.item",
        ],
        card: Place::Beside,
        is_done: |session| {
            let document = session.document();
            let mut tasks = document.primitive_tasks.values();
            tasks.any(|task| names_one(&task.action, document.actions.keys()))
        },
    },
    Step {
        title: "Give it an effect",
        why: "An effect is what the task changes: where the walker is.",
        text: "Press + next to What it changes. Type place_of(?me) := ?to and press Escape.",
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
        text: "Press + next to Compound tasks. Type get-coffee and press Enter.",
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
        text: "Double-click get-coffee in the outline.",
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
        why: "Nobody walks to where they are: the task depends on the world.",
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
        text: "Type place_of(?me) = kitchen and press Enter.",
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
        title: "If the guest is there",
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
        title: "If not",
        why: "Then the primitive task leads there.",
        text: "Drag from the dot of no to an empty place below. Type walk(kitchen) and press Enter.",
        anchors: &[".block:has(> .branch) [data-port='false']", ".canvas"],
        card: Place::Aside,
        is_done: |session| {
            let walks = |_: &Block, port: Port, to: &Block| {
                port == Port::False && matches!(to, Block::Task { .. })
            };
            has_wire(session, walks)
        },
    },
    Step {
        title: "Give the agent its task",
        why: "The planner decomposes an agent's tasks into steps.",
        text: "Click guest in the outline. Press + next to Tasks. Type get-coffee and press Escape.",
        anchors: &[
            ".inspector [aria-label='Add a task']",
            ".outline .kind-agent.item",
        ],
        card: Place::Beside,
        is_done: |session| {
            let document = session.document();
            let mut tasks = document
                .agents
                .values()
                .flat_map(|agent| agent.planning.tasks());
            tasks.any(|task| names_one(task, document.compound_tasks.keys()))
        },
    },
    Step {
        title: "Make a scenario",
        why: "A scenario is a situation to plan for.",
        text: "Press + next to Scenarios. Type morning and press Enter.",
        anchors: &[
            ".outline [aria-label='Add a scenario']",
            "[aria-label='Add a scenario']",
        ],
        card: Place::Beside,
        is_done: |session| is_named(session) && !session.document().scenarios.is_empty(),
    },
    Step {
        title: "Add an actor",
        why: "An actor is a character of the scenario: here anna, as a guest.",
        text: "Press + next to Actors.",
        anchors: &[
            ".inspector [aria-label='Add an actor']",
            ".outline .kind-scenario.item",
        ],
        card: Place::Beside,
        is_done: |session| {
            let document = session.document();
            let mut scenarios = document.scenarios.values();
            scenarios.any(|scenario| !scenario.cast.is_empty())
        },
    },
    Step {
        title: "Say where she is",
        why: "What isn't said is unknown. In the morning, she is in the hall.",
        text: "Press + next to Initial values. Type place_of(anna) = hall and press Escape.",
        anchors: &[
            ".inspector [aria-label='Add an initial value']",
            ".outline .kind-scenario.item",
        ],
        card: Place::Beside,
        is_done: |session| {
            let document = session.document();
            let mut values = document
                .scenarios
                .values()
                .flat_map(|scenario| &scenario.initial);
            values.any(|value| names_one(value, document.facts.keys()) && value.contains('='))
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
        why: "A run executes the plan, tick by tick. The Stage shows where everybody is.",
        text: "Press Stage at the top. Press Play at the bottom.",
        anchors: &[
            ".stage-tab [data-anchor='play']",
            ".stage-tab .play",
            ".view-switch",
        ],
        card: Place::Beside,
        is_done: |session| {
            session.open.view.with(|view| *view == View::Stage) && has_walked(session)
        },
    },
];

/// Returns `true` if no new record waits for its name. Tracked.
fn is_named(session: Session) -> bool {
    session.desk.renaming.with(Option::is_none)
}

/// Returns `true` if a fact says where things are. Tracked.
fn locates(session: Session) -> bool {
    let document = session.document();
    let mut facts = document.facts.values();
    facts.any(|fact| fact.params.len() == 1 && matches!(fact.value, ValueKind::Object(_)))
}

/// Returns `true` if somebody has arrived in another place at the cursor's tick. Tracked.
fn has_walked(session: Session) -> bool {
    let tick = session.tick();
    session.plan.answer.with(|answer| {
        let run = answer.as_ref().and_then(|answer| answer.run.as_ref());
        let is_arrival = |run: &Run, step: &StepExecution| {
            let plan = run
                .plans
                .get(step.plan)
                .and_then(|planning| planning.plan());
            let planned = plan.and_then(|plan| plan.steps.get(step.step));
            let moves = |change: &Change| matches!(change.after, Value::Object(Some(_)));
            step.end.is_some_and(|end| tick >= Some(end))
                && planned.is_some_and(|step| step.changes.iter().any(moves))
        };
        run.is_some_and(|run| run.executed.iter().any(|step| is_arrival(run, step)))
    })
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
