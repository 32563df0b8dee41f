//! The meaning of a document: the expression [`lang`]uage with its names resolved, the [`check`]s,
//! the [`flow`] of a method, a [`Domain`] with every text read, [`refactor`]ings, and the [`world`]
//! in which texts are evaluated. [`dependencies`] and [`candidates`] determine what records and blocks can be
//! wired to. [`validate`] replays a plan. Nothing here searches.

mod actor;
mod adjacency_list;
mod call_cycles;
pub mod calls;
pub mod candidates;
pub mod chance;
pub mod check;
mod crowd;
pub mod dependencies;
mod domain;
pub mod flow;
pub mod ground;
pub mod lang;
mod lazy_table;
pub mod method;
pub mod plan;
pub mod records;
pub mod refactor;
pub mod scene;
pub mod text;
pub mod validate;
pub mod variables;
pub mod world;

pub use actor::Actor;
pub use domain::Domain;
pub use scene::Scene;
