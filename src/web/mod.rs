//! What the browser offers besides elements.

pub mod database;
pub mod error;
pub mod files;
pub mod live;
pub mod locks;
pub mod page;
pub mod panic;
pub mod random;
pub mod share;
pub mod storage;
pub mod typing;
pub mod update;
pub mod worker;
