//! The expression language in which formulas, numbers, effects and calls are
//! written (semantics, section 1).

pub mod ast;
