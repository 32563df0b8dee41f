//! Runs of scenarios.

mod editing_while_planning;
mod expectations;
mod players;
mod random_edits;
mod runs;
mod simulation;
