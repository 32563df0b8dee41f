//! The program as its user sees it: output, errors and exit status.
//!
//! Files are written below the target folder, so that messages name them alike on every machine.

mod documents;
mod fixture;
mod mistakes;
mod numbers;
mod plans;
mod reading;
mod running;
mod writing;
