//! Hierarchical task network domains for games and servers: read a domain, plan in it, carry the plan out, export it.
//!
//! This crate is one name for the crates that do so. They know no screen, no clock, no randomness and no input or
//! output, and run the same natively and as WebAssembly. The list shows the pipeline: [`document`] is what the designer
//! edits, [`domain`] says what it means, [`planner`] finds plans and [`runtime`] carries them out.

pub use taskloom_document as document;
pub use taskloom_domain as domain;
pub use taskloom_export as export;
pub use taskloom_hddl as hddl;
pub use taskloom_layout as layout;
pub use taskloom_planner as planner;
pub use taskloom_runtime as runtime;
