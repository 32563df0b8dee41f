//! The core of Taskloom: documents, the expression language, checks, compiler,
//! planner, simulator and exporters for hierarchical task network domains.
//!
//! The core knows no screen, no clock, no randomness and no input or output;
//! it runs the same natively and as WebAssembly. Folders show the pipeline:
//! [`document`] is what the designer edits, [`lang`] reads the texts in it,
//! [`plan`] and [`simulate`] answer what it does.

pub use taskloom_document as document;
pub use taskloom_document::{diagnostic, stop};
pub use taskloom_domain::{check, lang, refactor};
pub use taskloom_export as export;
pub use taskloom_hddl::import;
pub use taskloom_hddl::syntax as hddl;
pub use taskloom_layout as layout;
pub use taskloom_planner::{compile, plan};
pub use taskloom_runtime as simulate;
