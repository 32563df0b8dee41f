//! Widgets that panels and diagrams are made of; they know no document.

pub mod count;
pub mod entry;
pub mod focus;
pub mod fuzzy;
pub mod list;
pub mod menu;
pub mod more;
pub mod name;
pub mod rename;
pub mod rows;
pub mod sortable;
pub mod splitter;
