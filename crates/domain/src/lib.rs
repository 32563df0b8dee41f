//! The meaning of a document: the expression [`lang`]uage with its names resolved, the [`check`]s,
//! the [`flow`] of a method, a [`Domain`] with every text read, [`refactor`]ings, and the [`world`]
//! in which texts are evaluated. [`dependencies`] and [`offers`] determine what records and blocks can be
//! wired to. [`validate`] replays a plan. Nothing here searches.

mod adjacency_list;
mod call_cycles;
pub mod calls;
pub mod chance;
pub mod check;
pub mod dependencies;
mod diagnostic_sink;
pub mod elaborate;
pub mod flow;
pub mod ground;
pub mod lang;
mod lazy_table;
pub mod method;
pub mod model;
pub mod offers;
pub mod plan;
mod player;
pub mod refactor;
pub mod validate;
pub mod variables;
pub mod world;

pub use elaborate::Domain;
pub use player::Player;
