//! Names that every HDDL reader takes. Readers differ in whether kinds share one
//! space of names and whether case counts, so ours are one space without case.

use std::collections::{BTreeMap, BTreeSet};

use crate::syntax::ast::Ident;
use taskloom_document::{Kind, Name};

/// Words that PDDL, or a reader of it, keeps for itself.
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

/// The names given so far.
#[derive(Debug, Default)]
pub struct Names {
    taken: BTreeSet<String>,
    given: BTreeMap<(Kind, Name), Ident>,
    changed: Vec<String>,
}

impl Names {
    /// A name that nothing else has: the one wanted, or that and more.
    pub fn unique(&mut self, wanted: &str) -> String {
        let free = |name: &str| {
            let folded = name.to_ascii_lowercase();
            !self.taken.contains(&folded) && !RESERVED.contains(&folded.as_str())
        };
        let mut name = wanted.to_owned();
        let mut number = 2;
        while !free(&name) {
            name = format!("{wanted}_{number}");
            number += 1;
        }
        self.taken.insert(name.to_ascii_lowercase());
        name
    }

    /// Gives a record its name; where that is taken, with its kind behind it.
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

    /// The name that a record was given.
    pub fn of(&self, kind: Kind, name: &Name) -> Ident {
        match self.given.get(&(kind, name.clone())) {
            Some(given) => given.clone(),
            None => name.as_str().into(),
        }
    }

    /// Which records have another name than in the document, a line each.
    pub fn changed(&self) -> &[String] {
        &self.changed
    }
}
