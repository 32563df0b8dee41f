//! Documents, their files and their edits.

mod clipboard;
mod edits;
mod files;
mod finding;
mod mutated_files;
mod saving;
