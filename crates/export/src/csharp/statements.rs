//! Functions in C#, line by line.

/// What a line of a function is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Statement {
    /// A comment.
    Comment,
    /// Does the next block if the text holds.
    If,
    /// Does the next block if the `if` before it did not.
    Else,
    /// Does the next block for each of the things that the text gives.
    Foreach,
    /// Begins a block.
    Open,
    /// Ends a block.
    Close,
    /// Names what the text gives.
    Set,
    /// Yields the network that the text gives, together with the lines behind it.
    Yield,
    /// Goes on with a `Yield`.
    More,
    /// Yields what a function yields for the arguments in the text.
    Go,
    /// A statement, as it is.
    Plain,
}

/// A line of a function.
#[derive(Debug, Clone)]
pub struct Line {
    /// Blanks before it.
    pub indent: String,
    /// What it is.
    pub statement: Statement,
    /// Its text: a condition, an expression.
    pub text: String,
    /// Of a `Foreach` and a `Set` the variable, of a `Go` the function.
    pub name: String,
}

/// A function of a decomposition.
#[derive(Debug, Clone)]
pub struct Function {
    /// Its name; empty: the method itself.
    pub name: String,
    /// What it goes on from, for readers.
    pub doc: String,
    /// Parameters beside the state.
    pub params: String,
    /// Its body.
    pub lines: Vec<Line>,
    /// Whether the body yields nothing at all.
    pub is_empty: bool,
}

impl Function {
    /// A function of these lines.
    pub fn new(name: String, doc: String, params: String, lines: Vec<Line>) -> Self {
        Self {
            name,
            doc,
            params,
            is_empty: !yields(&lines),
            lines,
        }
    }
}

/// Whether code yields anything.
pub fn yields(lines: &[Line]) -> bool {
    lines
        .iter()
        .any(|l| matches!(l.statement, Statement::Yield | Statement::Go))
}

/// A text without its line breaks.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
