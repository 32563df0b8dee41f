//! The menus of a canvas: which commands are possible for what was right-clicked. The page knows
//! their titles, keys and actions.

use leptos::prelude::UnsyncCallback;

use crate::canvas::geometry::Vec2;
use crate::canvas::intent::Intent;
use crate::canvas::surface::Surface;

/// An entry of a canvas's menu.
#[derive(Debug, Clone, PartialEq)]
pub enum Choice {
    /// The command with this id, under this label.
    Command(&'static str, &'static str),
    /// An intent at the position of the menu: its label, and the command whose keys do the same.
    At(&'static str, &'static str, Box<Intent>),
}

impl Choice {
    /// Creates an entry with an intent at the position of the menu.
    pub fn at(label: &'static str, command: &'static str, intent: Intent) -> Self {
        Self::At(label, command, intent.into())
    }
}

/// Entries under a heading, which may be empty.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// The heading.
    pub heading: &'static str,
    /// The entries.
    pub choices: Vec<Choice>,
}

impl Section {
    /// Creates a section.
    pub fn new(heading: &'static str, choices: impl IntoIterator<Item = Choice>) -> Self {
        Self {
            heading,
            choices: choices.into_iter().collect(),
        }
    }
}

/// A menu that a canvas wants to be opened.
pub struct MenuRequest {
    /// Its accessible name.
    pub label: String,
    /// The canvas.
    pub surface: Surface,
    /// Its position, in pixels of the canvas.
    pub at: Vec2,
    /// Its sections.
    pub sections: Vec<Section>,
}

/// Opens a menu.
pub type Menu = UnsyncCallback<(MenuRequest,)>;

/// Returns the commands of the clipboard, and for deleting.
pub fn editing(is_copyable: bool, delete: &'static str) -> Section {
    let copy = [
        Choice::Command("cut", "Cut"),
        Choice::Command("copy", "Copy"),
    ];
    let paste = Choice::Command("paste", "Paste");
    let duplicate = Choice::Command("duplicate", "Duplicate");
    let delete = Choice::Command("delete", delete);
    let copy = copy.into_iter().filter(|_| is_copyable);
    let duplicate = Some(duplicate).filter(|_| is_copyable);
    Section::new("Edit", copy.chain([paste]).chain(duplicate).chain([delete]))
}

/// Returns the commands that arrange several nodes; empty for fewer than two.
pub fn arranging(count: usize) -> Section {
    let all = [
        Choice::Command("align-left", "Left"),
        Choice::Command("align-center", "Centers"),
        Choice::Command("align-right", "Right"),
        Choice::Command("align-top", "Top"),
        Choice::Command("align-middle", "Middles"),
        Choice::Command("align-bottom", "Bottom"),
        Choice::Command("distribute-across", "Distribute horizontally"),
        Choice::Command("distribute-down", "Distribute vertically"),
    ];
    // Two nodes have only one gap.
    let most = match count {
        0 | 1 => 0,
        2 => 6,
        _ => all.len(),
    };
    Section::new("Align", all.into_iter().take(most))
}
