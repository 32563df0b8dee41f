//! All that touches the browser outside Leptos.

pub mod database;
pub mod files;
pub mod live;
pub mod panic;
pub mod random;
pub mod storage;
pub mod worker;
