//! Exports, tested with other planners and as C# programs.

mod cheapest;
mod classical;
mod csharp;
mod domains;
mod features;
mod hddl;
mod host;
mod limitations;
mod names;
mod orders;
mod pddl;
mod planners;
mod rich;
mod runs;
mod shipped;
mod stopping;
mod tools;
mod valueless;
