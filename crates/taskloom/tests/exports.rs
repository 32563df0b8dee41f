//! Exports, proven: what another planner and a C# program make of them.

mod domain;
mod exports {
    mod cheapest;
    mod csharp;
    mod domains;
    mod features;
    mod hddl;
    mod host;
    mod left_out;
    mod names;
    mod planners;
    mod random;
    mod rich;
    mod runs;
    mod tools;
    mod valueless;
}
