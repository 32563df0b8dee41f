//! Names of files as names of records. HDDL's may begin with a digit, be words of
//! the expression language, or be shared by kinds of things that the document
//! keeps apart; a record whose name had to change has the old one as its title.

use rustc_hash::FxHashSet;

use taskloom_document::Name;

/// The names that are taken among records, or variables, that share them.
#[derive(Debug, Clone, Default)]
pub struct Namespace {
    taken: FxHashSet<String>,
}

impl Namespace {
    /// A name like this one that nothing else has, and that nothing else gets.
    pub fn give(&mut self, wanted: &str, what: &str) -> Name {
        let name = self.free(wanted, what);
        self.take(name.as_str());
        name
    }

    /// A name like this one that nothing else has. Where it cannot be had, the
    /// word for what it names stands behind it.
    pub fn free(&self, wanted: &str, what: &str) -> Name {
        let legal = legal(wanted, what);
        let mut name = legal.clone();
        if !self.is_free(&name) && !what.is_empty() {
            name = format!("{legal}-{what}");
        }
        let mut number = 2;
        while !self.is_free(&name) {
            name = format!("{legal}-{number}");
            number += 1;
        }
        Name::new(&name).unwrap_or_else(|_| fallback())
    }

    /// Keeps a name from being given.
    pub fn take(&mut self, name: &str) {
        self.taken.insert(name.to_ascii_lowercase());
    }

    fn is_free(&self, name: &str) -> bool {
        !self.taken.contains(&name.to_ascii_lowercase())
    }
}

/// What [`legal`] always is.
fn fallback() -> Name {
    Name::new("x").unwrap_or_else(|_| unreachable!("'x' is a name"))
}

/// A text as a name: other characters become `_`, and a letter stands first.
pub fn legal(text: &str, what: &str) -> String {
    let kept = |c: char| match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-' => c,
        _ => '_',
    };
    let mut name: String = text.chars().map(kept).collect();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name.insert(0, 'n');
    }
    // Variables have a question mark that tells them from words.
    if !what.is_empty() && taskloom_domain::lang::is_keyword(&name) {
        name = format!("{name}-{what}");
    }
    name
}

/// The title of a record that was called so in the file: empty where it still is.
pub fn title(original: &str, name: &Name) -> String {
    match original == name.as_str() {
        true => String::new(),
        false => original.to_owned(),
    }
}
