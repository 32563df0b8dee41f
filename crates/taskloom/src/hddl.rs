//! Planning files in HDDL and PDDL.

pub use taskloom_hddl::import::{
    ImportNames, Imported, SourceDiagnostic, SourceFile, file_of_plan, read_planning_files,
};
pub use taskloom_hddl::syntax::{PlanFile, Position, position, write_plan};
