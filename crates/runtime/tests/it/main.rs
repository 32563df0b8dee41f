//! Runs of scenarios.

mod actors;
mod editing_while_planning;
mod expectations;
mod players;
mod random_edits;
mod runs;
mod simulation;
