//! JSON values, and the reader of their texts (RFC 8259).

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

/// Lists and objects may be nested so deep.
const MAX_DEPTH: usize = 127;

/// So many letters of a string are shown in a message.
const MOST_SHOWN: usize = 60;

/// A JSON value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number; whole ones are exact up to 2⁵³.
    Number(f64),
    /// A string.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// An object.
    Object(Object),
}

/// The members of an object.
pub type Object = BTreeMap<String, Value>;

/// Why a text is no JSON value, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// What is wrong.
    pub message: String,
    /// The byte of the text where it is.
    pub at: usize,
}

/// What a value is, for messages.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "boolean `{value}`"),
            Self::Number(value) if value.fract() == 0.0 => write!(f, "integer `{value}`"),
            Self::Number(value) => write!(f, "floating point `{value}`"),
            Self::Text(text) => match text.char_indices().nth(MOST_SHOWN) {
                None => write!(f, "string \"{text}\""),
                Some((end, _)) => write!(f, "string \"{}…\"", &text[..end]),
            },
            Self::List(_) => f.write_str("sequence"),
            Self::Object(_) => f.write_str("map"),
        }
    }
}

impl Value {
    /// Reads a text that is one value.
    ///
    /// # Errors
    /// The first place where it is none: also where a key stands twice, or lists
    /// and objects are nested deeper than 127.
    pub fn parse(text: &str) -> Result<Self, SyntaxError> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value(0).and_then(|value| {
            reader.skip_blanks();
            match reader.rest() {
                "" => Ok(value),
                _ => Err("trailing characters".to_owned()),
            }
        });
        value.map_err(|message| SyntaxError {
            message,
            at: reader.at,
        })
    }
}

/// Reads from `at` on, which is where an error is.
pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, sign: &str) -> bool {
        let is_there = self.rest().starts_with(sign);
        if is_there {
            self.at += sign.len();
        }
        is_there
    }

    pub(super) fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn expected<T>(&self, what: &str) -> Result<T, String> {
        Err(match self.rest() {
            "" => format!("the text ends where {what} is expected"),
            _ => format!("expected {what}"),
        })
    }

    pub(super) fn value(&mut self, depth: usize) -> Result<Value, String> {
        self.skip_blanks();
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.list(depth),
            Some(b'"') => self.string().map(Value::Text),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ if self.take("true") => Ok(Value::Bool(true)),
            _ if self.take("false") => Ok(Value::Bool(false)),
            _ if self.take("null") => Ok(Value::Null),
            _ => self.expected("a value"),
        }
    }

    /// Whether another item comes, or else the bracket that ends the list or object.
    pub(super) fn goes_on(&mut self, is_first: bool, end: &str) -> Result<bool, String> {
        self.skip_blanks();
        if self.take(end) {
            return Ok(false);
        }
        if is_first || self.take(",") {
            return Ok(true);
        }
        self.expected(&format!("',' or '{end}'"))
    }

    /// Passes the bracket of a list or an object that lies in so many others.
    pub(super) fn open(&mut self, depth: usize) -> Result<(), String> {
        if depth >= MAX_DEPTH {
            return Err("nested too deep".to_owned());
        }
        self.at += 1;
        Ok(())
    }

    fn list(&mut self, depth: usize) -> Result<Value, String> {
        self.open(depth)?;
        let mut items = vec![];
        while self.goes_on(items.is_empty(), "]")? {
            items.push(self.value(depth + 1)?);
        }
        Ok(Value::List(items))
    }

    fn object(&mut self, depth: usize) -> Result<Value, String> {
        self.open(depth)?;
        let mut members = vec![];
        while self.goes_on(members.is_empty(), "}")? {
            let (place, key) = self.key()?;
            members.push((key, place.start, self.value(depth + 1)?));
        }
        members.sort_by(|(one, ..), (other, ..)| one.cmp(other));
        let twins = members.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        if let Some((key, start, _)) = twins.map(|pair| &pair[1]).min_by_key(|(_, start, _)| start)
        {
            self.at = *start;
            return Err(format!("'{key}' stands twice"));
        }
        let members = members.into_iter().map(|(key, _, value)| (key, value));
        Ok(Value::Object(members.collect()))
    }

    /// A key with its colon, and where the key stands.
    pub(super) fn key(&mut self) -> Result<(Range<usize>, String), String> {
        self.skip_blanks();
        let start = self.at;
        if self.peek() != Some(b'"') {
            return self.expected("a key in quotes");
        }
        let key = self.string()?;
        let place = start..self.at;
        self.skip_blanks();
        if !self.take(":") {
            return self.expected("':'");
        }
        Ok((place, key))
    }

    fn number(&mut self) -> Result<Value, String> {
        let start = self.at;
        let is_part = |b| matches!(b, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-');
        while self.peek().is_some_and(is_part) {
            self.at += 1;
        }
        let text = self.text.get(start..self.at).unwrap_or_default();
        let digits = text.strip_prefix('-').unwrap_or(text);
        // What RFC 8259 leaves out of the numbers that people write.
        let has_zero =
            digits.starts_with('0') && digits[1..].starts_with(|c: char| c.is_ascii_digit());
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
        let is_json =
            !has_zero && !whole.is_empty() && fraction.starts_with(|c: char| c.is_ascii_digit());
        match text
            .parse::<f64>()
            .ok()
            .filter(|n| is_json && n.is_finite())
        {
            Some(number) => Ok(Value::Number(number)),
            None => {
                self.at = start;
                Err("this is no number, or too large".to_owned())
            }
        }
    }

    pub(super) fn string(&mut self) -> Result<String, String> {
        self.at += 1;
        let mut string = String::new();
        loop {
            let rest = self.rest();
            let plain = rest.find(|c: char| c == '"' || c == '\\' || c < ' ');
            let Some(plain) = plain else {
                self.at = self.text.len();
                return self.expected("'\"'");
            };
            string.push_str(&rest[..plain]);
            self.at += plain;
            match rest.as_bytes()[plain] {
                b'"' => {
                    self.at += 1;
                    return Ok(string);
                }
                b'\\' => string.push(self.escaped()?),
                _ => return Err("a control character has to be escaped".to_owned()),
            }
        }
    }

    /// The next character of a string; none at its end.
    pub(super) fn character(&mut self) -> Result<Option<char>, String> {
        match self.rest().chars().next() {
            Some('\\') => self.escaped().map(Some),
            None | Some('"') => Ok(None),
            Some(c) => {
                self.at += c.len_utf8();
                Ok(Some(c))
            }
        }
    }

    /// A character behind a backslash.
    fn escaped(&mut self) -> Result<char, String> {
        self.at += 1;
        let letter = self.peek();
        self.at += 1;
        Ok(match letter {
            Some(sign @ (b'"' | b'\\' | b'/')) => sign.into(),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let code = match self.code() {
                    // The two halves of a character beyond 16 bits.
                    Some(high @ 0xd800..0xdc00) if self.take("\\u") => self
                        .code()
                        .filter(|low| (0xdc00..0xe000).contains(low))
                        .map(|low| 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00)),
                    code => code,
                };
                let character = code.and_then(char::from_u32);
                character.ok_or_else(|| "no character has this code".to_owned())?
            }
            _ => {
                self.at -= 1;
                return Err("no character is escaped so".to_owned());
            }
        })
    }

    /// Four hexadecimal digits.
    fn code(&mut self) -> Option<u32> {
        let digits = self.rest().get(..4)?;
        self.at += 4;
        let are_digits = digits.bytes().all(|b| b.is_ascii_hexdigit());
        u32::from_str_radix(digits, 16).ok().filter(|_| are_digits)
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::super::Writer;
    use super::*;
    use proptest::prelude::*;

    /// The value as `serde_json` has it.
    fn as_serde(value: &Value) -> serde_json::Value {
        match value {
            Value::Null => serde_json::Value::Null,
            Value::Bool(value) => (*value).into(),
            Value::Number(number) => (*number).into(),
            Value::Text(text) => text.as_str().into(),
            Value::List(items) => items.iter().map(as_serde).collect(),
            Value::Object(members) => members
                .iter()
                .map(|(key, value)| (key.clone(), as_serde(value)))
                .collect(),
        }
    }

    /// All numbers as floats, as [`Value`] has them.
    fn in_floats(value: serde_json::Value) -> serde_json::Value {
        match value {
            serde_json::Value::Number(number) => number.as_f64().into(),
            serde_json::Value::Array(items) => items.into_iter().map(in_floats).collect(),
            serde_json::Value::Object(members) => members
                .into_iter()
                .map(|(key, value)| (key, in_floats(value)))
                .collect(),
            other => other,
        }
    }

    fn check(text: &str) {
        let read = Value::parse(text);
        if matches!(&read, Err(error) if error.message.ends_with("stands twice")) {
            return;
        }
        let expected = serde_json::from_str(text).ok().map(in_floats);
        assert_eq!(read.ok().as_ref().map(as_serde), expected, "{text}");
    }

    #[test]
    fn texts_are_read_as_the_standard_says() {
        for text in [
            " { \"a\" : [ 1 , -2.5e3 , true , false , null , { } , [ ] ] } \r\n\t",
            "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00 é😀\"",
            "0",
            "-0",
            "-1.0E+2",
            "1e-999",
            "1e999",
            "01",
            "-",
            "1.",
            ".5",
            "+1",
            "1e",
            "0x1",
            "NaN",
            "\"\\ud83d\"",
            "\"\\ude00\"",
            "\"\\ud83d\\u0041\"",
            "\"\\u12\"",
            "\"\\u+123\"",
            "\"\\x\"",
            "\"a",
            "\"\u{1}\"",
            "\"\u{7f}\"",
            "[1,]",
            "[,1]",
            "[1 2]",
            "{\"a\":1,}",
            "{\"a\"}",
            "{a:1}",
            "{1:1}",
            "{,}",
            "[1",
            "{\"a\":",
            "]",
            "nul",
            "nulll",
            "truefalse",
            "1 1",
            "\u{feff}1",
            "",
            " ",
            "/**/1",
            "'a'",
        ] {
            check(text);
        }
        check(&format!("{}{}", "[".repeat(127), "]".repeat(127)));
        check(&format!("{}{}", "[".repeat(128), "]".repeat(128)));
    }

    proptest! {
        #[test]
        fn any_text_is_read_as_serde_does(text in r#"([{}\[\],:" ]|true|null|"a"|"[a-z\\u0-9]{0,7}"|-?[0-9]{1,3}|[-+.eE0-9]){0,12}"#) {
            check(&text);
        }

        #[test]
        fn strings_are_written_as_serde_does(text in any::<String>()) {
            prop_assert_eq!(Writer::write(&text), serde_json::to_string(&text).expect("a string"));
            check(&Writer::write(&text));
        }

        #[test]
        fn numbers_come_back(number in any::<f64>()) {
            let read = Value::parse(&Writer::write(&number));
            let expected = if number.is_finite() { Value::Number(number) } else { Value::Null };
            prop_assert_eq!(read, Ok(expected));
        }
    }
}
