//! The expression language of formulas, numbers, effects and calls (semantics, section 1).
//!
//! Text -> [`lex`] -> [`parse_expr`] and the like -> [`ast`], which always succeed and report
//! errors separately; `print_expr` and the like give the canonical text of a tree. [`read_formula`]
//! and the like produce [`typed`] trees with all names resolved; [`eval_formula`] and the like
//! evaluate these in a state.

pub(crate) mod absence;
mod complete;
mod eval;
#[cfg(test)]
mod fixture;
#[cfg(test)]
mod fuzz;
mod plain;
mod time;
pub mod typed;
mod typing;

pub use complete::{Arguments, Candidate, CandidateKind, complete};
pub(crate) use eval::with_atom;
pub use eval::{
    Env, EvalError, Explanation, Repeated, World, eval_effects, eval_formula, eval_number,
    eval_term, evidence, explain,
};
pub use plain::{PlainInitial, PlainReads};
pub use taskloom_document::syntax::*;
pub use time::{Clock, asks_for_time};
pub(crate) use typing::sort_by_place;
pub use typing::{
    Me, Mistake, Near, Scope, Suggestion, Typed, condition_calls, mistakes, read_action_call,
    read_effect, read_formula, read_initial, read_number, read_object, read_query, read_task_call,
    recursive_condition, type_effect, type_formula, type_initial, type_number,
};
