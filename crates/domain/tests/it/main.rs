//! The meaning of documents.

mod checking;
