//! The colours of drawings, by their names in the style sheet.

/// A colour of the theme. Colours drawn on top of others come later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Colour {
    /// The page.
    Background,
    /// The background of boxes.
    Panel,
    /// Text.
    Ink,
    /// Secondary text.
    Dim,
    /// Rules.
    Line,
    /// Edges and plain wires.
    LineStrong,
    /// Active elements.
    Accent,
    /// Facts.
    Fact,
    /// Conditions, and blocks that have one.
    Condition,
    /// Actions.
    Action,
    /// Primitive tasks.
    Primitive,
    /// Compound tasks.
    Compound,
    /// Goals.
    Goal,
    /// Agents.
    Agent,
    /// Success.
    Ok,
    /// Failure.
    No,
    /// A warning.
    Warn,
    /// Selected elements that are drawn from afar.
    Selected,
}

impl Colour {
    /// Returns its custom property.
    pub fn property(self) -> &'static str {
        match self {
            Self::Background => "--bg",
            Self::Panel => "--panel",
            Self::Ink => "--ink",
            Self::Dim => "--dim",
            Self::Line => "--line",
            Self::LineStrong => "--line-strong",
            Self::Accent => "--accent",
            Self::Selected => "--selected",
            Self::Ok => "--ok",
            Self::No => "--no",
            Self::Warn => "--warn",
            Self::Fact => "--fact",
            Self::Condition => "--cond",
            Self::Action => "--action",
            Self::Primitive => "--prim",
            Self::Compound => "--comp",
            Self::Goal => "--goal",
            Self::Agent => "--agent",
        }
    }
}
