//! Exports, proven: what another planner and a C# program make of them.

mod exports {
    mod hddl;
    mod tools;
}
