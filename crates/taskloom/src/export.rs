//! Documents for other programs: planners and games.

pub use taskloom_export::{Export, File, Target, export};
