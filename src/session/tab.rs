//! The tabs of the simulation panel.

/// A tab of the simulation panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tab {
    /// The steps of the plan.
    Plan,
    /// The tree of decompositions.
    Decomposition,
    /// The run on its timeline.
    Run,
    /// The course of the search.
    Search,
    /// The diagnostics.
    Problems,
}

impl Tab {
    /// All tabs, in order.
    pub const ALL: [Self; 5] = [
        Self::Plan,
        Self::Decomposition,
        Self::Run,
        Self::Search,
        Self::Problems,
    ];

    /// Returns the tab's label.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plan => "Plan",
            Self::Decomposition => "Decomposition",
            Self::Run => "Run",
            Self::Search => "Search",
            Self::Problems => "Problems",
        }
    }
}
