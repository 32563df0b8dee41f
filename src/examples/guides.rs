//! The guides to the examples: how each is shown when it opens, and three things to try in it.

use taskloom_document::Name;
use taskloom_runtime::{Run, StepExecution, TaskState};

use crate::session::{View, task_of};

/// The view that shows an example best.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opening {
    /// The run on its map.
    Stage,
    /// All records, in columns.
    Board,
    /// The method of this compound task.
    Method(&'static str),
}

impl Opening {
    /// Returns the view.
    pub fn view(self) -> View {
        match self {
            Self::Stage => View::Stage,
            Self::Board => View::Board,
            Self::Method(task) => Name::new(task).map_or(View::Board, View::Method),
        }
    }
}

/// The condition that completes a step of a guide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completion {
    /// The run is at this tick, or later.
    Watch(u32),
    /// A method is open: of this task, or of any.
    Open(Option<&'static str>),
    /// The record of this kind and name is selected.
    Select(&'static str, &'static str),
    /// A value of the run is overridden, or the scenario is edited, and this happens.
    Change(Claim),
}

/// The announcement of a guide's step: whether a step of the run ends in a certain way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    /// The actor; empty if the scenario has only one.
    pub actor: &'static str,
    /// The task of the run's step.
    pub task: &'static str,
    /// The state in which the step ends.
    pub end: TaskState,
    /// `false` if no step may end like this.
    pub happens: bool,
    /// The text about the outcome if the announcement isn't true.
    pub otherwise: &'static str,
}

impl Claim {
    /// Returns `true` if a run shows it from a tick on. `name` returns the name of an actor.
    pub fn is_true(&self, run: &Run, from: u32, name: impl Fn(usize) -> String) -> bool {
        let is_ours = |step: &StepExecution| {
            let planning = run.plans.get(step.plan);
            self.actor.is_empty()
                || planning.is_some_and(|planning| name(planning.character) == self.actor)
        };
        let is_it = |step: &StepExecution| {
            let task = task_of(run, step).map(ToString::to_string);
            step.state == self.end
                && step.end.is_some_and(|end| end >= from)
                && task.as_deref() == Some(self.task)
                && is_ours(step)
        };
        run.executed.iter().any(is_it) == self.happens
    }
}

/// Something to try in an example.
pub struct Step {
    /// Its title, an invitation.
    pub title: &'static str,
    /// The way to do it.
    pub text: &'static str,
    /// The condition that completes it.
    pub completion: Completion,
    /// Selectors of the element to use, the best one first.
    pub anchors: &'static [&'static str],
}

/// The guide to an example.
pub struct Guide {
    /// The view that opens.
    pub opening: Opening,
    /// Its story, in two lines.
    pub story: &'static str,
    /// Three things to try.
    pub steps: [Step; 3],
}

impl Guide {
    /// Returns the tick at which playback stops, and at which the situation is to be changed.
    pub fn tick(&self) -> Option<u32> {
        self.steps.iter().find_map(|step| match step.completion {
            Completion::Watch(tick) => Some(tick),
            _ => None,
        })
    }
}

/// The button that plays a run, or the tab that has it.
const PLAY: &[&str] = &[".play", ".panel [role='tab']:nth-of-type(3)"];

/// Returns the step that plays the run up to a tick.
const fn watch(text: &'static str, tick: u32) -> Step {
    Step {
        title: "Watch the plan",
        text,
        completion: Completion::Watch(tick),
        anchors: PLAY,
    }
}

const fn open(
    text: &'static str,
    task: Option<&'static str>,
    anchors: &'static [&'static str],
) -> Step {
    Step {
        title: "Open the task",
        text,
        completion: Completion::Open(task),
        anchors,
    }
}

const fn change(text: &'static str, anchors: &'static [&'static str], claim: Claim) -> Step {
    Step {
        title: "Change the situation",
        text,
        completion: Completion::Change(claim),
        anchors,
    }
}

pub(super) const HUNTER: Guide = Guide {
    opening: Opening::Stage,
    story: "Rook hunts Wren through a house at night. He believes she is in the kitchen.",
    steps: [
        watch(
            "Press Play at the bottom: it stops at tick 4, with Rook in the wrong room.",
            4,
        ),
        open(
            "Double-click rook on the Stage. Choose Show in method.",
            None,
            &[".stage-token[data-thing='rook']:not(.ghost)"],
        ),
        change(
            "Click the value of lit(hall) in World. Press Set: in the dark, she gets away.",
            &["[data-fact='lit(hall)'] button"],
            Claim {
                actor: "wren",
                task: "slip-out",
                end: TaskState::Complete,
                happens: true,
                otherwise: "This time Rook catches her.",
            },
        ),
    ],
};

pub(super) const BALL: Guide = Guide {
    opening: Opening::Method("get-ball"),
    story: "A robot wants the ball in a locked box. The key is in the drawer, a hammer in the shed.",
    steps: [
        watch(
            "Open the tab Run. Press Play: it stops at tick 3, with the robot at the box.",
            3,
        ),
        open(
            "Double-click the block get-key: where does the key come from?",
            Some("get-key"),
            &["[data-block]:has([title^='get-key'])"],
        ),
        change(
            "Click the value of item_at(key, drawer) in World. Press Set: now it takes the hammer.",
            &["[data-fact='item_at(key, drawer)'] button"],
            Claim {
                actor: "",
                task: "smash-box",
                end: TaskState::Complete,
                happens: true,
                otherwise: "This time it takes the key.",
            },
        ),
    ],
};

pub(super) const NIGHT_GUARD: Guide = Guide {
    opening: Opening::Method("patrol"),
    story: "A museum, and a guard who checks the most precious rooms first. Two of them are dark.",
    steps: [
        watch(
            "Open the tab Run. Press Play: it stops at tick 4, while he looks around the vault.",
            4,
        ),
        open(
            "Double-click the block check-room: what does he do in a room?",
            Some("check-room"),
            &["[data-block]:has([title^='check-room'])"],
        ),
        change(
            "Click the value of power in World. Press Set: no switch works, and he plans again.",
            &["[data-fact='power'] button"],
            Claim {
                actor: "",
                task: "switch-on(gallery)",
                end: TaskState::Failed,
                happens: true,
                otherwise: "This time the switch works.",
            },
        ),
    ],
};

pub(super) const OFFICE: Guide = Guide {
    opening: Opening::Stage,
    story: "Mallory wants the customers' file. She has heard that Ben gives away his password.",
    steps: [
        watch(
            "Press Play at the bottom: it stops at tick 3, when Ben has told her nothing.",
            3,
        ),
        open(
            "Double-click mallory on the Stage. Choose Show in method.",
            None,
            &[".stage-token[data-thing='mallory']:not(.ghost)"],
        ),
        change(
            "Click the value of where_is(ben-badge) in World. Choose office and press Set: she leaves with nothing.",
            &["[data-fact='where_is(ben-badge)'] button"],
            Claim {
                actor: "mallory",
                task: "give-up",
                end: TaskState::Complete,
                happens: true,
                otherwise: "This time she gets the file.",
            },
        ),
    ],
};

pub(super) const RTS: Guide = Guide {
    opening: Opening::Stage,
    story: "Captain Hugo asks for food. Max is digging: who helps depends on what each values most.",
    steps: [
        watch(
            "Press Play at the bottom: it stops at tick 8, when Max drops the pick.",
            8,
        ),
        open(
            "Double-click hugo on the Stage. Choose Show in method.",
            None,
            &[".stage-token[data-thing='hugo']:not(.ghost)"],
        ),
        change(
            "Click the value of wish(food) in World. Type 0 and press Set: Max keeps digging.",
            &["[data-fact='wish(food)'] button"],
            Claim {
                actor: "max",
                task: "dig",
                end: TaskState::Failed,
                happens: false,
                otherwise: "This time Max drops the pick.",
            },
        ),
    ],
};

pub(super) const SENTRY: Guide = Guide {
    opening: Opening::Stage,
    story: "Gwen has four goals and no written task. At tick 5 somebody drops into the yard.",
    steps: [
        watch(
            "Press Play at the bottom: it stops at tick 5, when her goal changes.",
            5,
        ),
        Step {
            title: "Open a goal",
            text: "Press Ctrl+K. Type intruder-stopped and press Enter: its value depends on her health.",
            completion: Completion::Select("goal", "intruder-stopped"),
            anchors: &["[data-record='goal:intruder-stopped']", ".command-field"],
        },
        change(
            "Click the value of place_of(ivo) in World. Choose keep and press Set: she doesn't see him.",
            &["[data-fact='place_of(ivo)'] button"],
            Claim {
                actor: "",
                task: "shoot(ivo)",
                end: TaskState::Complete,
                happens: false,
                otherwise: "This time she sees him.",
            },
        ),
    ],
};

pub(super) const OPENING: Guide = Guide {
    opening: Opening::Board,
    story: "The first minutes of a strategy game, in numbers. A commander has a list of goals.",
    steps: [
        watch(
            "Open the tab Run. Press Play: it stops at tick 3, when a worker is trained.",
            3,
        ),
        Step {
            title: "Open a goal",
            text: "Press Ctrl+K. Type first-tank and press Enter: its subgoals lead to it.",
            completion: Completion::Select("goal", "first-tank"),
            anchors: &["[data-record='goal:first-tank']", ".command-field"],
        },
        change(
            "Click the value of minerals in World. Type 200 and press Set: nobody needs to mine.",
            &["[data-fact='minerals'] button"],
            Claim {
                actor: "",
                task: "mine",
                end: TaskState::Complete,
                happens: false,
                otherwise: "This time they mine.",
            },
        ),
    ],
};

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;
