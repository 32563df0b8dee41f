//! The meaning of documents.

mod checking;
mod naming;
