//! How the canvas works: what other editors differ in, the designer chooses.

use leptos::prelude::*;

use crate::web::storage;

/// Something to choose.
pub struct Choice {
    key: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// What it can be; the first unless chosen otherwise.
    pub options: &'static [&'static str],
}

/// All that can be chosen.
pub static CHOICES: [Choice; 4] = [
    Choice {
        key: "taskloom.wheel",
        title: "The wheel",
        options: &[
            "zooms on a mouse, pans on a trackpad",
            "zooms",
            "pans; Ctrl+wheel zooms",
        ],
    },
    Choice {
        key: "taskloom.right-drag",
        title: "Dragging with the right button",
        options: &["pans", "does nothing"],
    },
    Choice {
        key: "taskloom.left-drag",
        title: "Dragging on empty canvas",
        options: &["selects", "pans; with Shift it selects"],
    },
    Choice {
        key: "taskloom.minimap",
        title: "The minimap",
        options: &["is hidden", "is shown"],
    },
];

/// What is chosen, provided as context.
#[derive(Debug, Clone, Copy)]
pub struct Presets([RwSignal<usize>; 4]);

/// What the wheel does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wheel {
    /// As the device seems to be a mouse or a trackpad.
    ByDevice,
    /// Zooms.
    Zooms,
    /// Pans; zooms with Ctrl or Cmd.
    Pans,
}

/// What dragging does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drags {
    /// The right button pans.
    pub right_pans: bool,
    /// The left one on empty canvas pans, and selects with Shift.
    pub left_pans: bool,
}

impl Default for Drags {
    fn default() -> Self {
        Self {
            right_pans: true,
            left_pans: false,
        }
    }
}

impl Presets {
    /// What is kept in the browser, for the components below.
    pub fn provide() {
        provide_context(Self(CHOICES.each_ref().map(|choice| {
            let kept = storage::get(choice.key).and_then(|text| text.parse().ok());
            RwSignal::new(kept.unwrap_or(0))
        })));
    }

    /// What an ancestor provided.
    pub fn expect() -> Self {
        use_context().expect("the page provides it")
    }

    /// Which option of a choice is chosen.
    pub fn chosen(&self, choice: usize) -> usize {
        self.0.get(choice).map_or(0, |signal| signal.get())
    }

    /// Chooses an option.
    pub fn choose(&self, choice: usize, option: usize) {
        if let (Some(signal), Some(choice)) = (self.0.get(choice), CHOICES.get(choice)) {
            signal.set(option);
            storage::set(choice.key, &option.to_string());
        }
    }

    /// What the wheel does.
    pub fn wheel(&self) -> Wheel {
        match self.0[0].get_untracked() {
            1 => Wheel::Zooms,
            2 => Wheel::Pans,
            _ => Wheel::ByDevice,
        }
    }

    /// Whether the minimap is shown. Tracked.
    pub fn minimap(&self) -> bool {
        self.0[3].get() == 1
    }

    /// Shows the minimap, or hides it.
    pub fn toggle_minimap(&self) {
        self.choose(3, usize::from(self.0[3].get_untracked() != 1));
    }

    /// What dragging does.
    pub fn drags(&self) -> Drags {
        Drags {
            right_pans: self.0[1].get_untracked() != 1,
            left_pans: self.0[2].get_untracked() == 1,
        }
    }
}
