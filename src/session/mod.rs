//! The open document with its history and selection, its planning, and the desk around it: the only
//! place that commits edits. Leptos holds one signal of the document; records stay plain data.

mod addition;
mod announce;
pub mod autosave;
mod background;
mod character;
mod commit;
mod cursor;
mod deletion;
mod desk;
mod documents;
mod ending;
mod folding;
mod follow;
mod kept;
mod last_types;
pub mod library;
mod link;
mod mentions;
mod messages;
mod navigate;
mod open;
mod place;
mod plan;
mod question;
mod request;
mod saver;
mod selection;
mod signature;
mod state;
mod storage;
mod tab;
mod task_states;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;
mod trail;
mod typed;

pub use addition::addition;
pub use announce::announce;
pub use background::Background;
pub use character::names;
pub use cursor::{Cursor, Happened, task_of};
pub use deletion::Deletion;
pub use desk::{Desk, Drawer, OpenCanvas};
pub use documents::{Listed, Opening};
pub use ending::Ending;
pub use folding::{Folding, Part, Room};
pub use kept::Kept;
pub use link::{LinkTarget, LinkedText, TextPart, shortened};
pub use mentions::mentions;
pub use messages::Offer;
pub use question::{Anchor, Question, Subject};
pub use selection::{Selection, View};
pub use state::Session;
pub use tab::Tab;
pub use task_states::{States, of_node, of_step, states_at};
