//! The expression language in which formulas, numbers, effects and calls are
//! written (semantics, section 1).
//!
//! text -> [`lex`] -> [`parse_expr`] and its like -> [`ast`], always, with what
//! was wrong beside it; [`print`] gives the canonical text of a tree.

pub mod ast;
mod lexer;
mod parser;
mod print;

pub use lexer::{Token, TokenClass, TokenKind, highlight, is_keyword, lex};
pub use parser::{parse_call, parse_effect, parse_expr, parse_initial};
pub use print::{print_effect, print_expr, print_initial, print_reference};
