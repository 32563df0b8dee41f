//! The widgets that panels and diagrams are built from, independent of documents.

pub mod anchor;
pub mod anchored;
pub mod avatar;
pub mod cloned;
pub mod context_menu;
pub mod count;
pub mod drag;
pub mod entry;
pub mod fixed;
pub mod floating;
pub mod focus;
pub mod fuzzy;
pub mod icon;
pub mod in_browser;
pub mod list;
pub mod live;
pub mod long_press;
pub mod menu;
pub mod more;
pub mod rename;
pub mod row_keys;
pub mod rows;
pub mod select;
pub mod sortable;
pub mod splitter;
pub mod state_mark;
