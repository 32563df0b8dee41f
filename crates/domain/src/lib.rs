//! The meaning of a document: the expression [`lang`]uage with its names resolved, the [`check`]s,
//! the [`flow`] of a method, a [`Domain`] with every text read, [`refactor`]ings, and the [`world`]
//! in which texts are evaluated. [`needs`] and [`offers`] determine what records and blocks can be
//! wired to. [`validate`] replays a plan. Nothing here searches.

pub mod calls;
pub mod chance;
pub mod check;
mod circles;
pub mod elaborate;
pub mod flow;
mod found;
pub mod ground;
pub mod lang;
mod lists;
pub mod method;
pub mod model;
pub mod needs;
pub mod offers;
mod once;
pub mod plan;
mod player;
pub mod refactor;
pub mod validate;
pub mod variables;
pub mod world;

pub use elaborate::Domain;
pub use player::Player;
