//! The browser's services other than elements.

pub mod browser;
mod database;
mod disk_file;
pub mod error;
pub mod files;
pub mod fonts;
pub mod history;
pub mod image;
pub mod live;
mod locks;
pub mod page;
pub mod panic;
pub mod platform;
pub mod random;
pub mod recorder;
pub mod share;
pub mod storage;
pub mod typing;
pub mod update;
pub mod watched;
pub mod worker;
