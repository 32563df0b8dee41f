//! Exports, tested with other planners and as C# programs.

mod domain;
#[path = "goals/random.rs"]
mod goals;
mod xorshift;
mod exports {
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
    mod random;
    mod rich;
    mod runs;
    mod shipped;
    mod tools;
    mod valueless;
}
