//! Converts names of files to names of records. HDDL names may begin with a digit, be keywords of
//! the expression language, or be shared by kinds that have separate namespaces in HDDL; a record
//! whose name had to change has the original as its title.

use rustc_hash::FxHashSet;

use taskloom_document::Name;

/// The names in use among records or variables that share a namespace.
#[derive(Debug, Clone, Default)]
pub struct Namespace {
    taken: FxHashSet<String>,
    /// Names that may be given only where they are preferred.
    reserved: FxHashSet<String>,
}

impl Namespace {
    /// Returns and reserves a unique name like this one.
    pub fn give(&mut self, preferred: &str, what: &str) -> Name {
        let name = self.free(preferred, what);
        self.take(name.as_str());
        name
    }

    /// Returns a unique name like this one. If it is taken, appends the word for its kind.
    pub fn free(&self, preferred: &str, what: &str) -> Name {
        let legal = legal(preferred, what);
        let mut name = legal.clone();
        if !self.is_free(&name, preferred) && !what.is_empty() {
            name = valid(&format!("{legal}-{what}"));
        }
        let mut number = 2;
        while !self.is_free(&name, preferred) {
            name = valid(&format!("{legal}-{number}"));
            number += 1;
        }
        name
    }

    /// Keeps names for what is called so in the file, so that something else whose name has to
    /// change doesn't get one of them.
    pub fn reserve<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) {
        let names = names.into_iter().map(str::to_ascii_lowercase);
        self.reserved.extend(names);
    }

    /// Reserves a name.
    pub fn take(&mut self, name: &str) {
        self.taken.insert(name.to_ascii_lowercase());
    }

    /// Returns `true` if nothing has a name, and nothing is called so in the file.
    pub fn is_new(&self, name: &str) -> bool {
        !self.taken.contains(name) && !self.reserved.contains(name)
    }

    fn is_free(&self, name: &Name, preferred: &str) -> bool {
        let small = name.as_str().to_ascii_lowercase();
        let is_own = || name.as_str().eq_ignore_ascii_case(preferred);
        !self.taken.contains(&small) && (!self.reserved.contains(&small) || is_own())
    }
}

/// Returns a text that is a name.
fn valid(text: &str) -> Name {
    Name::new(text).unwrap_or_else(|error| unreachable!("{error}"))
}

/// Returns a text as a name: invalid characters become `_`, and a letter comes first.
pub fn legal(text: &str, what: &str) -> Name {
    let kept = |c: char| match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-' => c,
        _ => '_',
    };
    let mut name: String = text.chars().map(kept).collect();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name.insert(0, 'n');
    }
    // Variables have a question mark, which distinguishes them from keywords.
    if !what.is_empty() && taskloom_domain::lang::is_keyword(&name) {
        name = format!("{name}-{what}");
    }
    valid(&name)
}

/// Returns the title of a record with this name in the file: empty if the name is unchanged.
pub fn title(original: &str, name: &Name) -> String {
    match original == name.as_str() {
        true => String::new(),
        false => original.to_owned(),
    }
}
