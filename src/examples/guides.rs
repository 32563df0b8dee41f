//! The guides to the examples: how each is shown when it opens, and three things to try in it.

use taskloom::document::Name;

use crate::session::View;

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
    /// A value of the run is overridden, or the scenario is edited.
    Change,
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
    /// The scenario that is planned.
    pub scenario: &'static str,
    /// Its story, in two lines.
    pub story: &'static str,
    /// Three things to try.
    pub steps: [Step; 3],
}

/// The button that plays a run.
const PLAY: &[&str] = &["[data-anchor='play']", ".play"];

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

const fn change(text: &'static str, anchors: &'static [&'static str]) -> Step {
    Step {
        title: "Change the situation",
        text,
        completion: Completion::Change,
        anchors,
    }
}

pub(super) const HUNTER: Guide = Guide {
    opening: Opening::Stage,
    scenario: "case-2-the-wrong-room",
    story: "Rook hunts Wren through a house at night. He believes she is in the kitchen.",
    steps: [
        watch("Play until tick 3: Rook goes to the wrong room.", 3),
        open(
            "Double-click Rook to see why he does that. Then choose Show in method.",
            None,
            &[
                "[data-actor='rook']",
                ".stage-token[data-thing='rook']:not(.ghost)",
                "[data-record='compound:hunt']",
            ],
        ),
        change(
            "Click a value and set another, such as the light in the hall. Does she get away?",
            &[
                "[data-fact='lit(hall)'] button",
                "[data-fact='lit(hall)']",
                ".world button.value",
            ],
        ),
    ],
};

pub(super) const BALL: Guide = Guide {
    opening: Opening::Method("get-ball"),
    scenario: "case-3-key-in-the-drawer",
    story: "A robot wants the ball in a locked box. The key is in the drawer, a hammer in the shed.",
    steps: [
        watch("Play until tick 3, and follow the flowchart.", 3),
        open(
            "Double-click the block get-key to see where the key comes from.",
            Some("get-key"),
            &["[data-block]:has([title^='get-key'])"],
        ),
        change(
            "Click a value and set another, such as box_locked. The rest of the run changes.",
            &["[data-fact='box_locked'] button", ".world button.value"],
        ),
    ],
};

pub(super) const NIGHT_GUARD: Guide = Guide {
    opening: Opening::Method("patrol"),
    scenario: "night-01-quiet",
    story: "A museum, and a guard who checks the most precious rooms first. Two of them are dark.",
    steps: [
        watch("Play until tick 5, and follow the flowchart.", 5),
        open(
            "Double-click the block check-room to see what he does in a room.",
            Some("check-room"),
            &["[data-block]:has([title^='check-room'])"],
        ),
        change(
            "Click a value and set another, such as the power. What does he do in the dark?",
            &["[data-fact='power'] button", ".world button.value"],
        ),
    ],
};

pub(super) const OFFICE: Guide = Guide {
    opening: Opening::Stage,
    scenario: "case-3-the-wrong-man",
    story: "Mallory wants the customers' file. She has heard that Ben gives away his password.",
    steps: [
        watch("Play until tick 8: she picks the wrong man.", 8),
        open(
            "Double-click Mallory to see why she does that. Then choose Show in method.",
            None,
            &[
                "[data-actor='mallory']",
                ".stage-token[data-thing='mallory']:not(.ghost)",
                "[data-record='compound:get-the-file']",
            ],
        ),
        change(
            "Click a value and set another, such as where Anna is. Does Mallory get the file?",
            &["[data-fact='place_of(anna)'] button", ".world button.value"],
        ),
    ],
};

pub(super) const RTS: Guide = Guide {
    opening: Opening::Stage,
    scenario: "case-2-an-empty-larder",
    story: "Captain Hugo asks for food. Max is digging: who helps depends on what each values most.",
    steps: [
        watch("Play until tick 9: Max drops the pick.", 9),
        open(
            "Double-click Hugo to see why he does that. Then choose Show in method.",
            None,
            &[
                "[data-actor='hugo']",
                ".stage-token[data-thing='hugo']:not(.ghost)",
                "[data-record='compound:decide']",
            ],
        ),
        change(
            "Click a value and set another, such as the food in store. Who changes course?",
            &["[data-fact='stock(food)'] button", ".world button.value"],
        ),
    ],
};

pub(super) const SENTRY: Guide = Guide {
    opening: Opening::Stage,
    scenario: "case-2-into-sight",
    story: "Gwen has four goals and no written task. At tick 5 somebody drops into the yard.",
    steps: [
        watch("Play until tick 5: her goal changes.", 5),
        Step {
            title: "Open a goal",
            text: "Press Ctrl+K and type intruder-stopped. Its value depends on what she believes.",
            completion: Completion::Select("goal", "intruder-stopped"),
            anchors: &[
                "[data-record='goal:intruder-stopped']",
                ".all-commands",
                "[data-anchor='commands']",
            ],
        },
        change(
            "Click a value and set another, such as where she is. What is her plan now?",
            &["[data-fact='place_of(gwen)'] button", ".world button.value"],
        ),
    ],
};

pub(super) const OPENING: Guide = Guide {
    opening: Opening::Board,
    scenario: "case-1-the-commander",
    story: "The first minutes of a strategy game, in numbers. A commander has a list of goals.",
    steps: [
        watch("Play until tick 5. Workers come first.", 5),
        Step {
            title: "Open a goal",
            text: "Click the goal first-tank on the Board, and read its subgoals.",
            completion: Completion::Select("goal", "first-tank"),
            anchors: &["[data-record='goal:first-tank']"],
        },
        change(
            "Click a value and set another, such as minerals. Which plan is next?",
            &["[data-fact='minerals'] button", ".world button.value"],
        ),
    ],
};

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use taskloom::document::{Document, Kind, Name, RecordRef};

    use super::*;
    use crate::examples::ALL;

    fn has(document: &Document, kind: Kind, name: &str) -> bool {
        document.contains(&RecordRef::new(kind, Name::new(name).expect("a name")))
    }

    /// Returns the words of a text in quotes of a selector: `rook` in `[data-actor='rook']`.
    fn quoted(text: &str) -> Vec<&str> {
        text.split('\'').skip(1).step_by(2).collect()
    }

    /// Returns `true` if a word of a selector or a text names something in the document.
    fn is_known(document: &Document, scenario: &str, word: &str) -> bool {
        let name = word.split_once(':').map_or(word, |(_, name)| name);
        let fact = name.split('(').next().unwrap_or_default();
        let cast = &document.scenarios[&Name::new(scenario).expect("a name")].cast;
        let acts = cast
            .iter()
            .any(|member| format!("{member:?}").contains(name));
        acts || Kind::ALL.into_iter().any(|kind| has(document, kind, fact))
    }

    #[test]
    fn guides_name_what_their_examples_contain() {
        for example in &ALL {
            let (document, guide) = (example.document(), &example.guide);
            let title = example.title;
            assert!(has(&document, Kind::Scenario, guide.scenario), "{title}");
            if let Opening::Method(task) = guide.opening {
                assert!(has(&document, Kind::CompoundTask, task), "{title}");
            }
            for step in &guide.steps {
                match step.completion {
                    Completion::Open(Some(task)) => {
                        assert!(has(&document, Kind::CompoundTask, task), "{title}");
                        assert_ne!(guide.opening, Opening::Method(task), "{title} opens there");
                        assert!(step.text.contains(task), "{title}: {}", step.text);
                    }
                    Completion::Open(None) => {
                        assert!(!matches!(guide.opening, Opening::Method(_)), "{title}");
                    }
                    Completion::Select(kind, name) => {
                        let kind = Kind::ALL.into_iter().find(|k| k.label() == kind);
                        assert!(has(&document, kind.expect("a kind"), name), "{title}");
                        assert!(step.text.contains(name), "{title}: {}", step.text);
                    }
                    Completion::Watch(tick) => {
                        let words = format!("tick {tick}");
                        assert!(step.text.contains(&words), "{title}: {}", step.text);
                    }
                    Completion::Change => {}
                }
                for word in step.anchors.iter().flat_map(|anchor| quoted(anchor)) {
                    if !["play", "commands"].contains(&word) {
                        assert!(is_known(&document, guide.scenario, word), "{title}: {word}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_guide_watches_opens_and_changes() {
        for example in &ALL {
            let completions = example.guide.steps.each_ref().map(|step| step.completion);
            assert!(
                matches!(
                    completions,
                    [
                        Completion::Watch(_),
                        Completion::Open(_) | Completion::Select(..),
                        Completion::Change
                    ]
                ),
                "{}: {completions:?}",
                example.title
            );
        }
    }
}
