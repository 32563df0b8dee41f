//! The program as users see it: output, errors and exit status.
//!
//! Files are written below the target folder, so that messages name them the same on every machine.

mod documents;
mod fixture;
mod logging;
mod mistakes;
mod numbers;
mod partial;
mod planning_files;
mod plans;
mod reading;
mod running;
mod saving;
mod watching;
mod writing;
