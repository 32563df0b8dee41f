//! The API for games and servers, the shipped examples, and rules for the whole workspace.

mod examples;
mod games;
mod notes;
mod sources;
mod styles;
mod tidy;
