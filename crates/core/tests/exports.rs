//! Exports, proven: what another planner and a C# program make of them.

mod exports {
    mod csharp;
    mod hddl;
    mod tools;
}
