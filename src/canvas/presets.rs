//! The canvas controls: the user can choose what differs between other editors.

use leptos::prelude::*;

use crate::web::storage;

/// A setting.
pub struct Choice {
    key: &'static str,
    /// The name of the setting.
    pub title: &'static str,
    /// Its options; the first is the default.
    pub options: &'static [&'static str],
}

/// All settings.
pub static CHOICES: [Choice; 4] = [
    Choice {
        key: "taskloom.wheel",
        title: "Mouse wheel",
        options: &[
            "Zoom with a mouse, pan with a trackpad",
            "Zoom",
            "Pan; zoom with Ctrl",
        ],
    },
    Choice {
        key: "taskloom.right-drag",
        title: "Drag with the right button",
        options: &["Pan", "Do nothing"],
    },
    Choice {
        key: "taskloom.left-drag",
        title: "Drag on empty canvas",
        options: &["Select", "Pan; select with Shift"],
    },
    Choice {
        key: "taskloom.minimap",
        title: "Minimap",
        options: &["Hidden", "Shown"],
    },
];

/// The chosen options, provided as context.
#[derive(Debug, Clone, Copy)]
pub struct Presets([RwSignal<usize>; 4]);

/// The action of the wheel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wheel {
    /// Depends on whether the device seems to be a mouse or a trackpad.
    ByDevice,
    /// Zooms.
    Zooms,
    /// Pans; zooms with Ctrl or Cmd.
    Pans,
}

/// The action of dragging.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drags {
    /// If `true`, the right button pans.
    pub right_pans: bool,
    /// If `true`, the left button pans on empty canvas, and selects with Shift.
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
    /// Provides the settings stored in the browser to the components below.
    pub fn provide() {
        provide_context(Self(CHOICES.each_ref().map(|choice| {
            let kept = storage::get(choice.key).and_then(|text| text.parse().ok());
            RwSignal::new(kept.unwrap_or(0))
        })));
    }

    /// Returns the settings that an ancestor provided.
    pub fn expect() -> Self {
        use_context().expect("the page provides it")
    }

    /// Returns the index of a setting's chosen option.
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

    /// Returns the action of the wheel.
    pub fn wheel(&self) -> Wheel {
        match self.0[0].get_untracked() {
            1 => Wheel::Zooms,
            2 => Wheel::Pans,
            _ => Wheel::ByDevice,
        }
    }

    /// Returns `true` if the minimap is shown. Tracked.
    pub fn minimap(&self) -> bool {
        self.0[3].get() == 1
    }

    /// Shows or hides the minimap.
    pub fn toggle_minimap(&self) {
        self.choose(3, usize::from(self.0[3].get_untracked() != 1));
    }

    /// Returns the action of dragging.
    pub fn drags(&self) -> Drags {
        Drags {
            right_pans: self.0[1].get_untracked() != 1,
            left_pans: self.0[2].get_untracked() == 1,
        }
    }
}
