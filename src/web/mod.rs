//! All that touches the browser outside Leptos.

pub mod panic;
pub mod random;
pub mod worker;
