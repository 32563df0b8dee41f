//! The parts of a [`Plan`], and the reasons for having none.

pub use taskloom_planner::plan::{
    Change, Decomposed, Node, NodeKind, Plan, PlanTarget, Step, Unplanned,
};
