//! HDDL and PDDL, the standard planning languages: their [`syntax`], the [`import`] of planning
//! files as documents, and the [`export`] of documents.

pub mod export;
pub mod import;
pub mod syntax;
