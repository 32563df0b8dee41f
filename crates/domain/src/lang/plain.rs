//! A fast reader of the simplest initial values, `at(box, shed)`, without syntax trees: planning
//! problems have a hundred thousand of them.

use rustc_hash::FxHashMap;

use crate::ground::Atom;
use taskloom_document::{Document, Name, Scenario, ValueKind};

use super::is_keyword;

/// A boolean fact; for each parameter, the types of objects that fit are cached.
#[derive(Debug)]
struct Plain<'a> {
    number: u32,
    params: Vec<&'a Name>,
    fits: FxHashMap<(u32, u32), bool>,
}

/// Facts and objects by the exact spelling of their names.
#[derive(Debug)]
pub struct PlainInitial<'a> {
    document: &'a Document,
    facts: Vec<&'a Name>,
    objects: Vec<&'a Name>,
    plain: FxHashMap<&'a str, Plain<'a>>,
    /// The index of each object, and of its type.
    spelled: FxHashMap<&'a str, (u32, u32)>,
    types: Vec<&'a Name>,
    /// The result of the last read.
    atom: Vec<u32>,
}

/// Splits a text at the first such byte. Texts here are a few bytes long: less than the standard
/// library's search needs to set up.
fn split_at(text: &str, byte: u8) -> (&str, Option<&str>) {
    match text.bytes().position(|other| other == byte) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    }
}

impl<'a> PlainInitial<'a> {
    /// Creates a reader for the initial values of a scenario.
    pub fn new(document: &'a Document, scenario: &'a Scenario) -> Self {
        let facts: Vec<&Name> = document.facts.keys().collect();
        let plain = (0u32..).zip(&document.facts).filter(|(_, (name, fact))| {
            fact.value == ValueKind::Boolean && !is_keyword(name.as_str())
        });
        let plain = plain.map(|(number, (name, fact))| {
            let plain = Plain {
                number,
                params: fact.params.iter().map(|param| &param.of).collect(),
                fits: FxHashMap::default(),
            };
            (name.as_str(), plain)
        });
        let plain = plain.collect();
        let objects = scenario.all_objects(&document.objects);
        let mut types: Vec<&Name> = vec![];
        let mut numbers: FxHashMap<&Name, u32> = FxHashMap::default();
        let spelled = (0u32..).zip(&objects).map(|(number, (name, object))| {
            let of = *numbers.entry(&object.of).or_insert_with(|| {
                types.push(&object.of);
                types.len() as u32 - 1
            });
            (name.as_str(), (number, of))
        });
        let spelled = spelled.collect();
        Self {
            document,
            facts,
            objects: objects.into_keys().collect(),
            plain,
            spelled,
            types,
            atom: vec![],
        }
    }

    /// Returns the index of the fact, in the document's order, and the indices of its arguments, in
    /// the order of the scenario's objects, if a text sets the fact and is spelled exactly as
    /// declared. Returns `None` if the text must be read in full.
    pub fn read(&mut self, text: &str) -> Option<&[u32]> {
        let (name, args) = match split_at(text, b'(') {
            (name, Some(args)) => (name, args.strip_suffix(')')?),
            (name, None) => (name, ""),
        };
        let fact = self.plain.get_mut(name)?;
        let atom = &mut self.atom;
        atom.clear();
        atom.push(fact.number);
        if !args.is_empty() {
            let mut rest = Some(args);
            let mut at = 0;
            while let Some(args) = rest {
                let (arg, more) = split_at(args, b',');
                rest = match more {
                    Some(more) => Some(more.strip_prefix(' ')?),
                    None => None,
                };
                let (object, of) = *self.spelled.get(arg)?;
                let wanted = *fact.params.get(at as usize)?;
                let is = *self.types.get(of as usize)?;
                let document = self.document;
                let fits = fact.fits.entry((at, of));
                if !*fits.or_insert_with(|| document.is_kind_of(is, wanted)) {
                    return None;
                }
                atom.push(object);
                at += 1;
            }
        }
        (atom.len() == 1 + fact.params.len()).then_some(atom.as_slice())
    }

    /// Returns the indices of an atom that was read in full.
    pub fn numbers(&self, atom: &Atom) -> Option<Vec<u32>> {
        let mut numbers = Vec::with_capacity(1 + atom.args.len());
        numbers.push(match self.plain.get(atom.fact.as_str()) {
            Some(plain) => plain.number,
            None => self.facts.binary_search(&&atom.fact).ok()? as u32,
        });
        for arg in &atom.args {
            numbers.push(self.spelled.get(arg.as_str())?.0);
        }
        Some(numbers)
    }

    /// Converts the result of [`Self::read`] to names.
    pub fn atom(&self, numbers: &[u32]) -> Option<Atom> {
        let (fact, args) = numbers.split_first()?;
        let args = args
            .iter()
            .map(|arg| self.objects.get(*arg as usize).copied().cloned());
        Some(Atom {
            fact: (*self.facts.get(*fact as usize)?).clone(),
            args: args.collect::<Option<_>>()?,
        })
    }
}
