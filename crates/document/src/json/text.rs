//! Parsing and writing JSON texts (RFC 8259).

use std::fmt;
use std::io::{self, Write};

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::error::Category;
use serde_json::ser::{Formatter, PrettyFormatter, Serializer};
use serde_json::{Map, Number, Value};

use crate::stop::{Stop, Stopped};

/// The reason why a text is not a JSON value, and its location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonError {
    /// The message.
    pub message: String,
    /// The byte offset in the text.
    pub at: usize,
}

/// Parses a text that is one value. The result is undefined if it was stopped.
///
/// # Errors
/// Returns the first syntax error, including duplicate keys, and lists and objects nested deeper
/// than 127.
pub fn parse(text: &str, stop: &Stop) -> Result<Value, JsonError> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Unambiguous { stop }.deserialize(&mut reader);
    let value = value.and_then(|value| reader.end().map(|()| value));
    value.map_err(|error| JsonError::of(text, &error))
}

impl JsonError {
    fn of(text: &str, error: &serde_json::Error) -> Self {
        let lines = text.split_inclusive('\n').map(str::len);
        let before: usize = lines.take(error.line().saturating_sub(1)).sum();
        let mut at = (before + error.column()).saturating_sub(1).min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let place = format!(" at line {} column {}", error.line(), error.column());
        let original = error.to_string();
        let original = original.strip_suffix(&place).unwrap_or(&original);
        let (message, at) = match error.classify() {
            Category::Eof => (at_the_end(original, text), text.len()),
            // A duplicate key rejected by `Unambiguous`: it has just been read.
            Category::Data => (original, key_before(text, at)),
            Category::Syntax | Category::Io => within(original, text, at),
        };
        Self {
            message: message.to_owned(),
            at,
        }
    }
}

/// Translates an error of `serde_json` at the end of the text.
fn at_the_end<'a>(original: &'a str, text: &str) -> &'a str {
    let is_begun = text.ends_with(|c: char| c.is_ascii_alphanumeric() || "+-.".contains(c));
    match original {
        "EOF while parsing a value" if is_begun => "the text ends inside a value",
        "EOF while parsing a value" => "the text ends where a value is expected",
        "EOF while parsing a string" => "the text ends where '\"' is expected",
        "EOF while parsing a list" => "the text ends inside a list, before its ']'",
        "EOF while parsing an object" => "the text ends inside an object, before its '}'",
        other => other,
    }
}

/// Translates an error of `serde_json` before the end of the text, and finds its start.
fn within<'a>(original: &'a str, text: &str, at: usize) -> (&'a str, usize) {
    let start_of = |part: fn(char) -> bool| text[..at].trim_end_matches(part).len();
    match original {
        "expected value" => ("expected a value", at),
        "expected ident" => ("expected a value", start_of(|c| c.is_ascii_alphabetic())),
        "trailing comma" if text[at..].starts_with(']') => ("expected a value", at),
        "trailing comma" | "key must be a string" => ("expected a key in quotes", at),
        "expected `:`" => ("expected ':'", at),
        "expected `,` or `]`" => ("expected ',' or ']'", at),
        "expected `,` or `}`" => ("expected ',' or '}'", at),
        "invalid number" | "number out of range" => {
            let start = start_of(|c| c.is_ascii_digit() || "+-.eE".contains(c));
            ("not a number, or too large", start)
        }
        "invalid escape"
        | "invalid unicode code point"
        | "lone leading surrogate in hex escape"
        | "unexpected end of hex escape" => {
            let upto = text.get(..=at).unwrap_or(text);
            let start = upto.rfind('\\').unwrap_or(at);
            let has_code = text[start..].starts_with("\\u");
            let message = if has_code {
                "invalid character code"
            } else {
                "unknown escape sequence"
            };
            (message, start)
        }
        "control character (\\u0000-\\u001F) found while parsing a string" => {
            ("control characters must be escaped", at)
        }
        "recursion limit exceeded" => ("nested too deeply", at),
        other => (other, at),
    }
}

/// Returns the start of the quoted key that ends at or before a position.
fn key_before(text: &str, at: usize) -> usize {
    let upto = |end| text.get(..end).unwrap_or_default();
    let key = upto(upto(at + 1).rfind('"').unwrap_or_default());
    let mut quotes = key.rmatch_indices('"').map(|(quote, _)| quote);
    // Inside a string a quote is escaped, preceded by an odd number of backslashes.
    let is_start = |&quote: &usize| {
        let before = upto(quote);
        (before.len() - before.trim_end_matches('\\').len()) % 2 == 0
    };
    quotes.find(is_start).unwrap_or(at)
}

/// Reads a value without duplicate keys; `serde_json` on its own takes the last.
#[derive(Clone, Copy)]
struct Unambiguous<'s> {
    stop: &'s Stop,
}

impl Unambiguous<'_> {
    /// Counts a value that was read.
    fn counted<E: Error>(self, value: Value) -> Result<Value, E> {
        if self.stop.after(1) {
            return Err(E::custom(Stopped));
        }
        Ok(value)
    }
}

impl<'de> DeserializeSeed<'de> for Unambiguous<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Unambiguous<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }
    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        self.counted(Value::Null)
    }
    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        self.counted(value.into())
    }
    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        self.counted(value.into())
    }
    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        self.counted(value.into())
    }
    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        self.counted(Number::from_f64(value).into())
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        self.counted(text.into())
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut items = vec![];
        while let Some(item) = access.next_element_seed(self)? {
            items.push(item);
        }
        self.counted(items.into())
    }
    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some(key) = access.next_key::<String>()? {
            if members.contains_key(&key) {
                return Err(A::Error::custom(format_args!("'{key}' occurs twice")));
            }
            let value = access.next_value_seed(self)?;
            members.insert(key, value);
        }
        self.counted(members.into())
    }
}

/// Returns the text of a record with one line per member, suitable for diffs.
pub fn write(record: &impl serde::Serialize) -> String {
    let mut bytes = vec![];
    let mut writer = Serializer::with_formatter(&mut bytes, Lines::default());
    let written = record.serialize(&mut writer);
    written.expect("the keys of records are texts, and memory takes every byte");
    String::from_utf8(bytes).expect("JSON is written as UTF-8")
}

/// The line layout of `serde_json`, but numbers as Rust writes them: `1e-5` and not `0.00001`,
/// which a release of its float writer may change.
#[derive(Default)]
struct Lines(PrettyFormatter<'static>);

impl Formatter for Lines {
    fn write_f64<W: ?Sized + Write>(&mut self, to: &mut W, value: f64) -> io::Result<()> {
        write!(to, "{value:?}")
    }
    fn begin_array<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.0.begin_array(to)
    }
    fn end_array<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.0.end_array(to)
    }
    fn begin_array_value<W: ?Sized + Write>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(to, first)
    }
    fn end_array_value<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.0.end_array_value(to)
    }
    fn begin_object<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.0.begin_object(to)
    }
    fn end_object<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.0.end_object(to)
    }
    fn begin_object_key<W: ?Sized + Write>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(to, first)
    }
    fn begin_object_value<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.0.begin_object_value(to)
    }
    fn end_object_value<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.0.end_object_value(to)
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use expect_test::expect;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn reports_invalid_json_with_its_location() {
        let mut reports = String::new();
        for text in [
            "",
            "[",
            "[1",
            "{",
            "{\"a\"",
            "{\"a\":",
            "{\"a\":1",
            "\"a",
            "nul",
            "nulx",
            "?",
            "[1 2]",
            "[1,]",
            "[,1]",
            "{\"a\":1,}",
            "{\"a\" 1}",
            "{a:1}",
            "{\"a\":1 \"b\":2}",
            "01",
            "-",
            "-x",
            "1.",
            "[1e999]",
            "\"\\x\"",
            "\"\\u12\"",
            "\"\\u{1b}\"",
            "\"\\ude00\"",
            "\"\\ud83d\"",
            "\"\\ud83dé\"",
            "\"\\é\"",
            "\"\u{1}\"",
            "1 1",
            "\u{feff}1",
            "[\né]",
            "{\"é\\\"\":1,\n \"é\\\"\" \n:2}",
            "{\"a\":[{\"b\":1,\"b\"}]}",
        ] {
            let error = parse(text, &Stop::default()).expect_err(text);
            reports += &format!("{text:?} {}: {}\n", error.at, error.message);
            assert!(text.is_char_boundary(error.at), "{text}");
        }
        expect![[r#"
            "" 0: the text ends where a value is expected
            "[" 1: the text ends inside a list, before its ']'
            "[1" 2: the text ends inside a list, before its ']'
            "{" 1: the text ends inside an object, before its '}'
            "{\"a\"" 4: the text ends inside an object, before its '}'
            "{\"a\":" 5: the text ends where a value is expected
            "{\"a\":1" 6: the text ends inside an object, before its '}'
            "\"a" 2: the text ends where '"' is expected
            "nul" 3: the text ends inside a value
            "nulx" 0: expected a value
            "?" 0: expected a value
            "[1 2]" 3: expected ',' or ']'
            "[1,]" 3: expected a value
            "[,1]" 1: expected a value
            "{\"a\":1,}" 7: expected a key in quotes
            "{\"a\" 1}" 5: expected ':'
            "{a:1}" 1: expected a key in quotes
            "{\"a\":1 \"b\":2}" 7: expected ',' or '}'
            "01" 0: not a number, or too large
            "-" 1: the text ends inside a value
            "-x" 0: not a number, or too large
            "1." 2: the text ends inside a value
            "[1e999]" 1: not a number, or too large
            "\"\\x\"" 1: unknown escape sequence
            "\"\\u12\"" 6: the text ends where '"' is expected
            "\"\\u{1b}\"" 1: invalid character code
            "\"\\ude00\"" 1: invalid character code
            "\"\\ud83d\"" 1: invalid character code
            "\"\\ud83dé\"" 1: invalid character code
            "\"\\é\"" 1: unknown escape sequence
            "\"\u{1}\"" 1: control characters must be escaped
            "1 1" 2: trailing characters
            "\u{feff}1" 0: expected a value
            "[\né]" 2: expected a value
            "{\"é\\\"\":1,\n \"é\\\"\" \n:2}" 12: 'é"' occurs twice
            "{\"a\":[{\"b\":1,\"b\"}]}" 13: 'b' occurs twice
        "#]]
        .assert_eq(&reports);
    }

    proptest! {
        #[test]
        fn numbers_round_trip(bits in any::<u64>(), small in -1e-3..1e-3, power in -30..30i32) {
            for number in [f64::from_bits(bits), small, small * 10f64.powi(power), 10f64.powi(power)] {
                let written = write(&number);
                if number.is_finite() {
                    prop_assert_eq!(&written, &format!("{number:?}"));
                    let read = parse(&written, &Stop::default()).ok().and_then(|value| value.as_f64());
                    prop_assert_eq!(read.map(f64::to_bits), Some(number.to_bits()));
                } else {
                    prop_assert_eq!(written, "null");
                }
            }
        }

        #[test]
        fn any_text_is_parsed_or_rejected_with_a_location_in_it(text in r#"([{}\[\],:" é]|true|null|"a"|"[a-z\\u0-9]{0,7}"|-?[0-9]{1,3}|[-+.eE0-9]){0,12}"#) {
            let expected = serde_json::from_str::<Value>(&text).ok();
            match parse(&text, &Stop::default()) {
                Ok(value) => prop_assert_eq!(Some(value), expected),
                Err(error) => {
                    prop_assert!(text.is_char_boundary(error.at) && error.at <= text.len());
                    prop_assert!(expected.is_none() || error.message.ends_with("occurs twice"));
                }
            }
        }
    }
}
