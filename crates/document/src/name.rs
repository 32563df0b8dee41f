//! Identifiers: case is preserved but ignored in comparisons.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use std::sync::Arc;

use rustc_hash::FxHasher;
use serde_with::{DeserializeFromStr, SerializeDisplay};

/// The identifier of a record or a variable: an ASCII letter, then letters, digits, `_` and `-`. As
/// in HDDL, case is preserved, but `Key` and `key` are equal.
///
/// The name of a variable is stored without its question mark.
#[derive(Clone, SerializeDisplay, DeserializeFromStr)]
pub struct Name(Arc<Spelling>);

/// The text of a name and its hash, which is computed only once: worlds look up values by name all the time.
struct Spelling {
    text: Box<str>,
    /// The hash of the text in lower case.
    hash: u64,
}

/// The reason why a text is not a [`Name`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameError {
    /// The rejected text.
    pub text: String,
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.text.is_empty() {
            return f.write_str("a name cannot be empty");
        }
        write!(
            f,
            "'{}' is not a name: a name is a letter, then letters, digits, '_' or '-'",
            self.text
        )
    }
}

impl std::error::Error for NameError {}

impl Name {
    /// Validates and wraps an identifier.
    pub fn new(text: &str) -> Result<Self, NameError> {
        let mut bytes = text.bytes();
        let starts = bytes.next().is_some_and(|b| b.is_ascii_alphabetic());
        let continues = bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        if starts && continues {
            Ok(Self::of(text.into()))
        } else {
            Err(NameError {
                text: text.to_owned(),
            })
        }
    }

    /// Wraps a text that is known to be a valid name.
    pub(crate) fn known(text: &'static str) -> Self {
        debug_assert!(Self::new(text).is_ok(), "'{text}' is not a name");
        Self::of(text.into())
    }

    fn of(text: Box<str>) -> Self {
        let mut hasher = FxHasher::default();
        for byte in folded(&text) {
            hasher.write_u8(byte);
        }
        let hash = hasher.finish();
        Self(Arc::new(Spelling { text, hash }))
    }

    /// Returns `object`: the root of all types, which cannot be the name of a record.
    pub fn root() -> Self {
        Self::known("object")
    }

    /// Returns `me`: the predeclared variable that stands for the acting character.
    pub fn me() -> Self {
        Self::known("me")
    }

    /// Returns `time`: the word for the current tick.
    pub fn time() -> Self {
        Self::known("time")
    }

    /// Returns `claimed`: the hidden fact of the objects that other actors claim.
    pub fn claimed() -> Self {
        Self::known("claimed")
    }

    /// Returns the name with a number: `clerk-3`.
    pub(crate) fn numbered(&self, number: u32) -> Self {
        Self::of(format!("{self}-{number}").into())
    }

    /// Returns the identifier as it was written.
    pub fn as_str(&self) -> &str {
        &self.0.text
    }

    /// Returns `true` if two names are spelled the same, including case.
    pub fn same_spelling(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

fn folded(text: &str) -> impl Iterator<Item = u8> + '_ {
    text.bytes().map(|b| b.to_ascii_lowercase())
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.hash == other.0.hash && *self == *other.as_str()
    }
}
impl Eq for Name {}
impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        self.as_str().eq_ignore_ascii_case(other)
    }
}
impl PartialEq<&str> for Name {
    fn eq(&self, other: &&str) -> bool {
        self.as_str().eq_ignore_ascii_case(other)
    }
}
impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Name {
    fn cmp(&self, other: &Self) -> Ordering {
        if Arc::ptr_eq(&self.0, &other.0) {
            return Ordering::Equal;
        }
        // Most bytes of two compared names are identical: case matters only where they differ.
        let (own, others) = (self.as_str(), other.as_str());
        let pairs = own.bytes().zip(others.bytes());
        for (a, b) in pairs.filter(|(a, b)| a != b) {
            match a.to_ascii_lowercase().cmp(&b.to_ascii_lowercase()) {
                Ordering::Equal => {}
                apart => return apart,
            }
        }
        own.len().cmp(&others.len())
    }
}
impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}
impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}
impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
impl FromStr for Name {
    type Err = NameError;
    fn from_str(text: &str) -> Result<Self, NameError> {
        Self::new(text)
    }
}
impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}
/// Returns `true` if Windows treats a file of this name as a device, whatever its extension.
pub fn is_device(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let port = name.strip_prefix("com").or(name.strip_prefix("lpt"));
    let is_port = port.is_some_and(|n| matches!(n.as_bytes(), [b'0'..=b'9']));
    is_port || matches!(name.as_str(), "aux" | "con" | "nul" | "prn")
}

/// Converts a title to the name of a file or a domain: `The ball!` becomes `the-ball`, and `Con`
/// becomes `con-domain`, since Windows allows no files called `con`.
pub fn kebab(title: &str, otherwise: &str) -> String {
    let words: Vec<String> = title
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    let name = words.join("-");
    if is_device(&name) {
        format!("{name}-{otherwise}")
    } else if name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name
    } else {
        otherwise.to_owned()
    }
}

#[cfg(test)]
super::schema::schema_of_text!(
    Name,
    r"^[A-Za-z][A-Za-z0-9_-]*$",
    "A letter, then letters, digits, '_' or '-'; case-insensitive."
);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn titles_become_portable_file_names() {
        for (title, name) in [
            ("The ball!", "the-ball"),
            ("Con", "con-domain"),
            ("NUL", "nul-domain"),
            ("COM1", "com1-domain"),
            ("com10", "com10"),
            ("Console", "console"),
            ("3 balls", "domain"),
        ] {
            assert_eq!(kebab(title, "domain"), name);
        }
    }

    proptest! {
        #[test]
        fn names_are_ordered_case_insensitively(a in "[a-cA-C][a-cA-C0_-]{0,4}", b in "[a-cA-C][a-cA-C0_-]{0,4}") {
            let ordered = Name::new(&a).unwrap().cmp(&Name::new(&b).unwrap());
            prop_assert_eq!(ordered, a.to_ascii_lowercase().cmp(&b.to_ascii_lowercase()));
        }
    }
}
