//! Names that every HDDL reader accepts. Readers differ in whether kinds share a namespace and
//! whether case matters, so these names form one case-insensitive namespace.

use std::collections::{BTreeMap, BTreeSet};

use crate::syntax::ast::Ident;
use taskloom_document::{Kind, Name};

/// Reserved words of PDDL or of one of its readers.
const RESERVED: &[&str] = &[
    "all",
    "and",
    "assign",
    "at-end",
    "at-start",
    "decrease",
    "define",
    "domain",
    "either",
    "end",
    "exists",
    "forall",
    "imply",
    "increase",
    "maximize",
    "minimize",
    "not",
    "number",
    "object",
    "or",
    "over",
    "problem",
    "scale-down",
    "scale-up",
    "start",
    "total-cost",
    "total-time",
    "when",
];

/// The names in use.
#[derive(Debug, Clone, Default)]
pub struct Names {
    taken: BTreeSet<String>,
    given: BTreeMap<(Kind, Name), Ident>,
    changed: Vec<String>,
}

impl Names {
    /// Returns a unique name: the preferred one, or that one with a number.
    pub fn unique(&mut self, preferred: &str) -> String {
        let free = |name: &str| {
            let folded = name.to_ascii_lowercase();
            !self.taken.contains(&folded) && !RESERVED.contains(&folded.as_str())
        };
        let mut name = preferred.to_owned();
        let mut number = 2;
        while !free(&name) {
            name = format!("{preferred}_{number}");
            number += 1;
        }
        self.taken.insert(name.to_ascii_lowercase());
        name
    }

    /// Gives a record its name; if that is taken, appends its kind.
    pub fn give(&mut self, kind: Kind, name: &Name) {
        let own = name.as_str();
        let is_free = !self.taken.contains(&own.to_ascii_lowercase())
            && !RESERVED.contains(&own.to_ascii_lowercase().as_str());
        let given = if is_free {
            self.unique(own)
        } else {
            let kind_word = kind.label().replace(' ', "-");
            let given = self.unique(&format!("{own}_{kind_word}"));
            self.changed
                .push(format!("{given} is the {} {name}.", kind.label()));
            given
        };
        self.given.insert((kind, name.clone()), given.into());
    }

    /// Returns the name that a record was given.
    pub fn of(&self, kind: Kind, name: &Name) -> Ident {
        match self.given.get(&(kind, name.clone())) {
            Some(given) => given.clone(),
            None => name.as_str().into(),
        }
    }

    /// Returns the records whose name differs from the document, one line each.
    pub fn changed(&self) -> &[String] {
        &self.changed
    }
}

/// Returns a variable name that isn't taken: the preferred one, or that one with a number.
pub fn free_variable(preferred: &str, taken: impl Fn(&str) -> bool) -> String {
    let mut name = preferred.to_owned();
    let mut number = 2;
    while taken(&name) {
        name = format!("{preferred}_{number}");
        number += 1;
    }
    name
}
