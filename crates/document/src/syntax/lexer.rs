//! The lexer: splits a text into tokens.

use crate::Name;
use crate::span::Span;

use super::ast::{Aggregate, Comparison};

/// A word, sign or number in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// Its kind.
    pub kind: TokenKind,
    /// Its span in the text.
    pub span: Span,
}

/// The kinds of token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// `box_open`
    Name,
    /// `?place`
    Variable,
    /// `3`, `0.25`
    Number,
    /// `true`
    True,
    /// `false`
    False,
    /// `and`
    And,
    /// `or`
    Or,
    /// `not`
    Not,
    /// `imply`
    Imply,
    /// `forall`
    Forall,
    /// `exists`
    Exists,
    /// `when`
    When,
    /// `count`, `sum`, `min` and `max` before a variable; otherwise they are names.
    Aggregate(Aggregate),
    /// `of` after the body of an aggregate; otherwise it is a name.
    Of,
    /// `= != < <= > >=`
    Compare(Comparison),
    /// `:=`
    Assign,
    /// `+=`
    Increase,
    /// `-=`
    Decrease,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Star,
    /// `/`
    Slash,
    /// `(`
    Open,
    /// `)`
    Close,
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// `.`
    Dot,
    /// An unrecognized character.
    Unknown,
    /// The end of the text; never returned by [`lex`].
    End,
}

/// The classes of tokens for syntax highlighting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenClass {
    /// `and`, `forall`, `true`
    Keyword,
    /// `box_open`
    Name,
    /// `?place`
    Variable,
    /// `3`
    Number,
    /// `<`, `+`, `:=`
    Operator,
    /// `( ) , : .`
    Punctuation,
    /// An unrecognized character.
    Error,
}

impl TokenKind {
    /// Returns `true` if it can be the last token of an operand.
    pub fn ends_operand(self) -> bool {
        matches!(
            self,
            Self::Name | Self::Variable | Self::Number | Self::True | Self::False | Self::Close
        )
    }

    /// Returns its class for syntax highlighting.
    pub fn class(self) -> TokenClass {
        match self {
            Self::Name => TokenClass::Name,
            Self::Variable => TokenClass::Variable,
            Self::Number => TokenClass::Number,
            Self::True
            | Self::False
            | Self::And
            | Self::Or
            | Self::Not
            | Self::Imply
            | Self::Forall
            | Self::Exists
            | Self::When
            | Self::Aggregate(_)
            | Self::Of => TokenClass::Keyword,
            Self::Compare(_)
            | Self::Assign
            | Self::Increase
            | Self::Decrease
            | Self::Plus
            | Self::Minus
            | Self::Star
            | Self::Slash => TokenClass::Operator,
            Self::Open | Self::Close | Self::Comma | Self::Colon | Self::Dot => {
                TokenClass::Punctuation
            }
            Self::Unknown | Self::End => TokenClass::Error,
        }
    }
}

const KEYWORDS: [(&str, TokenKind); 10] = [
    ("and", TokenKind::And),
    ("or", TokenKind::Or),
    ("not", TokenKind::Not),
    ("imply", TokenKind::Imply),
    ("implies", TokenKind::Imply),
    ("forall", TokenKind::Forall),
    ("exists", TokenKind::Exists),
    ("when", TokenKind::When),
    ("true", TokenKind::True),
    ("false", TokenKind::False),
];

/// Signs; those with a common prefix are sorted longest first.
const SIGNS: [(&str, TokenKind); 30] = [
    ("&&", TokenKind::And),
    ("&", TokenKind::And),
    ("||", TokenKind::Or),
    ("|", TokenKind::Or),
    ("->", TokenKind::Imply),
    ("=>", TokenKind::Imply),
    ("==", TokenKind::Compare(Comparison::Equal)),
    ("=", TokenKind::Compare(Comparison::Equal)),
    ("!=", TokenKind::Compare(Comparison::NotEqual)),
    ("≠", TokenKind::Compare(Comparison::NotEqual)),
    ("!", TokenKind::Not),
    ("<=", TokenKind::Compare(Comparison::LessOrEqual)),
    ("≤", TokenKind::Compare(Comparison::LessOrEqual)),
    ("<", TokenKind::Compare(Comparison::Less)),
    (">=", TokenKind::Compare(Comparison::GreaterOrEqual)),
    ("≥", TokenKind::Compare(Comparison::GreaterOrEqual)),
    (">", TokenKind::Compare(Comparison::Greater)),
    (":=", TokenKind::Assign),
    ("+=", TokenKind::Increase),
    ("-=", TokenKind::Decrease),
    ("+", TokenKind::Plus),
    ("-", TokenKind::Minus),
    ("*", TokenKind::Star),
    ("/", TokenKind::Slash),
    ("(", TokenKind::Open),
    (")", TokenKind::Close),
    (",", TokenKind::Comma),
    (":", TokenKind::Colon),
    (".", TokenKind::Dot),
    ("?", TokenKind::Unknown),
];

/// Returns `true` if a word is a keyword, in any case, so that a record of this name could not be
/// written in a text.
pub fn is_keyword(word: &str) -> bool {
    keyword(word).is_some()
}

impl Name {
    /// Returns `true` if it is a word of the expression language, such as `and`, which cannot be
    /// the name of a record.
    pub fn is_reserved(&self) -> bool {
        is_keyword(self.as_str())
    }
}

fn keyword(word: &str) -> Option<TokenKind> {
    let found = KEYWORDS.iter().find(|(k, _)| k.eq_ignore_ascii_case(word));
    found.map(|(_, kind)| *kind)
}

/// Splits a text into tokens. Whitespace between tokens is skipped; everything else is part of a
/// token, so no typed character is ignored.
pub fn lex(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = vec![];
    let mut has_aggregate = false;
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let first = rest.chars().next().unwrap_or(' ');
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (mut kind, length) = next_token(rest, first);
        if let Some(before) = tokens.last_mut() {
            match kind {
                TokenKind::Variable if before.kind == TokenKind::Name => {
                    let word = text.get(before.span.range()).and_then(Aggregate::of_word);
                    if let Some(aggregate) = word {
                        before.kind = TokenKind::Aggregate(aggregate);
                        has_aggregate = true;
                    }
                }
                TokenKind::Name
                    if has_aggregate
                        && before.kind.ends_operand()
                        && rest[..length].eq_ignore_ascii_case("of") =>
                {
                    kind = TokenKind::Of;
                }
                _ => {}
            }
        }
        tokens.push(Token {
            kind,
            span: Span::new(at, at + length),
        });
        at += length;
    }
    tokens
}

/// Returns the kind and the length in bytes of the first token of a text that does not start with
/// whitespace; the length is at least that of the first character.
fn next_token(rest: &str, first: char) -> (TokenKind, usize) {
    if first.is_ascii_alphabetic() {
        let length = name_length(rest);
        let kind = rest.get(..length).and_then(keyword);
        return (kind.unwrap_or(TokenKind::Name), length);
    }
    if first.is_ascii_digit() {
        return (TokenKind::Number, number_length(rest));
    }
    if let Some(name) = rest.strip_prefix('?') {
        let length = name_length(name);
        if length > 0 {
            return (TokenKind::Variable, 1 + length);
        }
    }
    // Most signs start with another byte, which is faster to see than comparing strings.
    let byte = rest.as_bytes().first();
    let begins = |sign: &str| sign.as_bytes().first() == byte && rest.starts_with(sign);
    let sign = SIGNS.iter().find(|(sign, _)| begins(sign));
    match sign {
        Some((sign, kind)) => (*kind, sign.len()),
        None => (TokenKind::Unknown, first.len_utf8()),
    }
}

/// Returns the length of the name at the start of a text; 0 if there is none. A minus that begins
/// `->` or `-=` is not part of a name.
fn name_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    if !bytes.first().is_some_and(u8::is_ascii_alphabetic) {
        return 0;
    }
    let end = bytes.iter().enumerate().position(|(i, b)| match b {
        b'-' => matches!(bytes.get(i + 1), Some(b'>' | b'=')),
        b => !b.is_ascii_alphanumeric() && *b != b'_',
    });
    end.unwrap_or(bytes.len())
}

/// Returns the length of digits, optionally followed by a dot and more digits.
fn number_length(text: &str) -> usize {
    let digits = |text: &str| {
        let end = text.bytes().position(|b| !b.is_ascii_digit());
        end.unwrap_or(text.len())
    };
    let whole = digits(text);
    let fraction = text
        .get(whole..)
        .and_then(|rest| rest.strip_prefix('.'))
        .map_or(0, digits);
    whole + if fraction > 0 { 1 + fraction } else { 0 }
}

/// Returns the span and the class of every token of a text, in order.
pub fn highlight(text: &str) -> Vec<(Span, TokenClass)> {
    lex(text)
        .into_iter()
        .map(|token| (token.span, token.kind.class()))
        .collect()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, expected: Expect) {
        let shown: Vec<String> = highlight(text)
            .into_iter()
            .map(|(span, class)| format!("{class:?} {}", &text[span.range()]))
            .collect();
        expected.assert_eq(&shown.join("\n"));
    }

    #[test]
    fn minus_is_part_of_a_name_unless_it_starts_an_operator() {
        check(
            "walk-to - a->b-=3.5.",
            expect![[r#"
                Name walk-to
                Operator -
                Name a
                Keyword ->
                Name b
                Operator -=
                Number 3.5
                Punctuation ."#]],
        );
    }

    #[test]
    fn aggregate_keywords_are_names_elsewhere() {
        check(
            "SUM ?u. of(?u) Of of + count + min(of, sum)",
            expect![[r#"
            Keyword SUM
            Variable ?u
            Punctuation .
            Name of
            Punctuation (
            Variable ?u
            Punctuation )
            Keyword Of
            Name of
            Operator +
            Name count
            Operator +
            Name min
            Punctuation (
            Name of
            Punctuation ,
            Name sum
            Punctuation )"#]],
        );
        check(
            "count of ?u",
            expect![[r#"
            Name count
            Name of
            Variable ?u"#]],
        );
    }

    #[test]
    fn unexpected_characters_become_error_tokens() {
        check(
            "AND ?p ? \"ü≤",
            expect![[r#"
                Keyword AND
                Variable ?p
                Error ?
                Error "
                Error ü
                Operator ≤"#]],
        );
    }
}
