//! C# functions, line by line.

/// The kind of a line of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Statement {
    /// A comment.
    Comment,
    /// Executes the next block if the text is true.
    If,
    /// Executes the next block if the preceding `if` was false.
    Else,
    /// Executes the next block for each item of the text.
    Foreach,
    /// Begins a block.
    Open,
    /// Ends a block.
    Close,
    /// Assigns the text to a variable.
    Set,
    /// Yields the network that the text and the lines after it evaluate to.
    Yield,
    /// Continues a `Yield`.
    More,
    /// Yields the results of a function for the arguments in the text.
    Go,
    /// Any other statement, verbatim.
    Plain,
}

/// A line of a function.
#[derive(Debug, Clone)]
pub struct Line {
    /// Its indentation.
    pub indent: String,
    /// Its kind.
    pub statement: Statement,
    /// Its text, such as a condition or an expression.
    pub text: String,
    /// The variable of a `Foreach` or `Set`, or the function of a `Go`.
    pub name: String,
}

/// A function that is part of a decomposition.
#[derive(Debug, Clone)]
pub struct Function {
    /// Its name; empty for the method itself.
    pub name: String,
    /// A comment on where it continues from.
    pub doc: String,
    /// The parameters other than the state.
    pub params: String,
    /// Its body.
    pub lines: Vec<Line>,
    /// `true` if the body yields nothing.
    pub is_empty: bool,
}

impl Function {
    /// Creates a function of these lines.
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

/// Returns `true` if the code yields anything.
pub fn yields(lines: &[Line]) -> bool {
    lines
        .iter()
        .any(|l| matches!(l.statement, Statement::Yield | Statement::Go))
}

/// Returns a text without line breaks.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
