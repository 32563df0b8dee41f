//! The lines of the table of commands.

use super::Page;
use crate::session::View;

/// The place where a command applies.
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
    /// Returns `true` if the designer is there.
    pub fn is_open(self, view: Option<&View>) -> bool {
        match self {
            Self::Page => true,
            Self::Canvas => view.is_some_and(View::is_canvas),
            Self::Board => matches!(view, Some(View::Board)),
            Self::Method => matches!(view, Some(View::Method(_))),
        }
    }

    /// Returns `true` if a key can't have one meaning here and another there.
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
    /// Its identifier, under which its keys are stored.
    pub id: &'static str,
    /// Its description in the palette and the help sheet.
    pub title: &'static str,
    /// Its default keys, separated by spaces.
    pub keys: &'static str,
    /// The place where it applies.
    pub place: Place,
    /// Runs it, and returns `true` if there was something to do. Otherwise the key keeps its usual
    /// meaning.
    pub run: fn(&Page) -> bool,
}

impl PartialEq for Command {
    /// Compares the ids, which are unique.
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

/// Returns a line of the table.
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
    /// The commands.
    pub commands: &'static [Command],
}

/// Returns all commands of these groups.
pub fn commands(groups: &'static [Group]) -> impl Iterator<Item = &'static Command> {
    groups.iter().flat_map(|group| group.commands)
}

/// The kind of element that has the focus and takes keys for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// An element that takes no more than Space and Enter.
    None,
    /// A choice: letters and digits select the option that begins with them.
    Choice,
    /// A text.
    Text,
}
