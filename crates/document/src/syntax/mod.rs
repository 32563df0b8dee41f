//! The syntax of the expression language for formulas, numbers, effects and calls (semantics,
//! section 1).
//!
//! A text is split by [`lex`], and parsed by [`parse_expr`] and similar functions into an [`ast`],
//! always, with a list of errors; [`print_expr`] and similar functions print the canonical text of
//! a tree.

pub mod ast;
pub mod decimal;
mod lexer;
mod operators;
mod parser;
mod print;
mod variables;

pub use lexer::{Token, TokenClass, TokenKind, highlight, is_keyword, lex};
pub use parser::{parse_call, parse_effect, parse_expr, parse_initial};
pub use print::{print_effect, print_expr, print_initial, print_reference};
pub use variables::{FreeVariable, Scopes, free_variables};

/// The role of a text, which determines how it is parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextRole {
    /// A precondition, a Branch, a goal.
    Formula,
    /// A cost, an ordering, a relevance.
    Number,
    /// An object: a claim.
    Object,
    /// An effect or an event.
    Effect,
    /// A call of a primitive or compound task.
    TaskCall,
    /// A call of an action.
    ActionCall,
    /// A query of a Bind block.
    Query,
    /// An initial value.
    Initial,
}
