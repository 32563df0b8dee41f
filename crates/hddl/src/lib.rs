//! HDDL and PDDL, the languages of the field's planners: their [`syntax`], the
//! [`import`] of planning files as documents, and the [`export`] of documents.

pub mod export;
pub mod import;
pub mod syntax;
