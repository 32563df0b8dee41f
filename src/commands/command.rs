//! What a line of the table of commands is.

use super::page::Page;
use crate::session::View;

/// Where a command applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Everywhere on the page.
    Page,
    /// On either canvas.
    Canvas,
    /// On the Board.
    Board,
    /// On a method.
    Method,
}

impl Place {
    /// Whether it is where the designer is.
    pub fn is_open(self, view: Option<&View>) -> bool {
        match self {
            Self::Page => true,
            Self::Canvas => view.is_some(),
            Self::Board => matches!(view, Some(View::Board)),
            Self::Method => matches!(view, Some(View::Method(_))),
        }
    }

    /// Whether a key cannot mean one thing here and another there.
    pub fn overlaps(self, other: Self) -> bool {
        !matches!(
            (self, other),
            (Self::Board, Self::Method) | (Self::Method, Self::Board)
        )
    }
}

/// Something that the designer can do.
#[derive(Debug, Clone)]
pub struct Command {
    /// Under which name its keys are kept.
    pub id: &'static str,
    /// What it does, as the palette and the help sheet say it.
    pub title: &'static str,
    /// Its keys, separated by blanks, unless the designer chooses others.
    pub keys: &'static str,
    /// Where it applies.
    pub place: Place,
    /// Does it; tells whether there was something to do. Where there was not, the
    /// key keeps its usual meaning.
    pub run: fn(&Page) -> bool,
}

impl PartialEq for Command {
    /// An id is one command's.
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

/// A line of the table.
pub const fn command(
    id: &'static str,
    title: &'static str,
    keys: &'static str,
    place: Place,
    run: fn(&Page) -> bool,
) -> Command {
    Command {
        id,
        title,
        keys,
        place,
        run,
    }
}

/// Commands under a heading.
#[derive(Debug, PartialEq)]
pub struct Group {
    /// The heading.
    pub title: &'static str,
    /// Whether a block's own menu offers them.
    pub is_of_blocks: bool,
    /// The commands.
    pub commands: &'static [Command],
}

/// All commands of these groups.
pub fn commands(groups: &'static [Group]) -> impl Iterator<Item = &'static Command> {
    groups.iter().flat_map(|group| group.commands)
}

/// What has the focus and takes keys for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// Nothing that takes more than Space and Enter.
    None,
    /// A choice: letters and digits choose what begins with them.
    Choice,
    /// A text.
    Text,
}
