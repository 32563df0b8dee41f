//! Runs of scenarios.

mod actors;
mod conformance;
mod continuation;
mod editing_while_planning;
mod expectations;
mod logs;
mod players;
mod random_edits;
mod reference;
mod runs;
mod simulation;
