//! The syntax of the expression language in which formulas, numbers, effects and
//! calls are written (semantics, section 1).
//!
//! text -> [`lex`] -> [`parse_expr`] and its like -> [`ast`], always, with what
//! was wrong beside it; [`print_expr`] and its like give the canonical text of a
//! tree.

pub mod ast;
mod lexer;
mod operators;
mod parser;
mod print;
mod variables;

pub use lexer::{Token, TokenClass, TokenKind, highlight, is_keyword, lex};
pub use parser::{parse_call, parse_effect, parse_expr, parse_initial};
pub use print::{print_effect, print_expr, print_initial, print_reference};
pub use variables::{FreeVariable, Scopes, free_variables};

/// What a text is for, and so how it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextRole {
    /// A precondition, a Branch, a goal.
    Formula,
    /// A cost, an ordering, a relevance.
    Number,
    /// An effect or an event.
    Effect,
    /// A call of a primitive or compound task.
    TaskCall,
    /// A call of an action.
    ActionCall,
    /// An initial value.
    Initial,
}
