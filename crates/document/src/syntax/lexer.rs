//! Texts to tokens.

use crate::diagnostic::Span;

use super::ast::{Aggregate, Comparison};

/// A word, sign or number of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
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
    /// `count`, `sum`, `min` and `max` before a variable; else they are names.
    Aggregate(Aggregate),
    /// `of` behind what an aggregate goes over; else it is a name.
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
    /// A character that belongs to nothing.
    Unknown,
    /// The end of the text; no token of [`lex`] has this kind.
    End,
}

/// Colours of syntax highlighting.
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
    /// What belongs to nothing.
    Error,
}

impl TokenKind {
    /// Whether an operand may end with it.
    pub fn ends_operand(self) -> bool {
        matches!(
            self,
            Self::Name | Self::Variable | Self::Number | Self::True | Self::False | Self::Close
        )
    }

    /// The colour it is shown in.
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

/// Signs; one that begins with another stands before it.
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

/// Whether a word is the language's own, in any case, so that no record of this
/// name could be written in a text.
pub fn is_keyword(word: &str) -> bool {
    keyword(word).is_some()
}

fn keyword(word: &str) -> Option<TokenKind> {
    let found = KEYWORDS.iter().find(|(k, _)| k.eq_ignore_ascii_case(word));
    found.map(|(_, kind)| *kind)
}

/// The tokens of a text. Blanks between them belong to none; everything else
/// belongs to one, so nothing that was typed is passed over.
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

/// The token that a text, not blank at its beginning, starts with, and its
/// length in bytes, at least that of the first character.
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
    // Most signs begin with another byte: that is seen faster than compared as texts.
    let byte = rest.as_bytes().first();
    let begins = |sign: &str| sign.as_bytes().first() == byte && rest.starts_with(sign);
    let sign = SIGNS.iter().find(|(sign, _)| begins(sign));
    match sign {
        Some((sign, kind)) => (*kind, sign.len()),
        None => (TokenKind::Unknown, first.len_utf8()),
    }
}

/// The length of the name at the beginning; 0 where there is none. A minus that
/// begins `->` or `-=` is no part of a name.
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

/// Digits, then a dot and digits where both are there.
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

/// The colours of a text: every token and its class, in order.
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
    fn a_minus_belongs_to_a_name_unless_it_begins_a_sign() {
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
    fn the_words_of_aggregates_are_names_elsewhere() {
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
    fn what_belongs_to_nothing_is_kept_as_an_error() {
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
