//! The colours of what is drawn, by their names in the style sheet.

/// A colour that the theme gives. What lies over the others comes later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Colour {
    /// The page.
    Background,
    /// What boxes stand on.
    Panel,
    /// Text.
    Ink,
    /// Text that steps back.
    Dim,
    /// Rules.
    Line,
    /// Edges and plain wires.
    LineStrong,
    /// What is active.
    Accent,
    /// Sensor facts.
    Sensor,
    /// Memory facts.
    Fact,
    /// Conditions, and blocks that have one.
    Condition,
    /// Actions.
    Action,
    /// Primitive tasks.
    Primitive,
    /// Compound tasks.
    Compound,
    /// Agents and goals.
    Character,
    /// What went well.
    Ok,
    /// What did not.
    No,
    /// A warning.
    Warn,
    /// What is selected, drawn from afar.
    Selected,
}

impl Colour {
    /// Its custom property.
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
            Self::Sensor => "--sensor",
            Self::Fact => "--fact",
            Self::Condition => "--cond",
            Self::Action => "--action",
            Self::Primitive => "--prim",
            Self::Compound => "--comp",
            Self::Character => "--scenario",
        }
    }
}
