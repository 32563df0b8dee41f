//! A fast reader of the simplest initial values, `at(box, shed)`, without syntax trees: planning
//! problems have a hundred thousand of them.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::ground::Atom;
use taskloom_document::{Document, Name, Scenario, ValueKind};

use super::is_keyword;

/// A boolean fact.
#[derive(Debug, Clone)]
struct Plain {
    number: u32,
    params: Vec<Name>,
}

/// Facts and objects by the exact spelling of their names.
#[derive(Debug, Clone)]
pub struct PlainInitial {
    facts: Vec<Name>,
    /// `None` for one that was removed.
    objects: Vec<Option<Name>>,
    plain: FxHashMap<Box<str>, Plain>,
    /// The index of each object, and of its type.
    spelled: FxHashMap<Box<str>, (u32, u32)>,
    types: Vec<Name>,
}

/// The results of a reader of initial values, for reuse by its next reads.
#[derive(Debug, Default)]
pub struct PlainReads {
    /// The types of objects that fit the parameters of facts: fact, parameter and type.
    fits: FxHashMap<(u32, u32, u32), bool>,
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

impl PlainInitial {
    /// Creates a reader for the initial values of a scenario.
    pub fn new(document: &Document, scenario: &Scenario) -> Self {
        let plain = (0u32..).zip(&document.facts).filter(|(_, (name, fact))| {
            fact.value == ValueKind::Boolean && !is_keyword(name.as_str())
        });
        let plain = plain.map(|(number, (name, fact))| {
            let params = fact.params.iter().map(|param| param.of.clone()).collect();
            (name.as_str().into(), Plain { number, params })
        });
        let plain = plain.collect();
        let objects = scenario.all_objects(&document.objects);
        let mut types: Vec<Name> = vec![];
        let mut numbers: FxHashMap<&Name, u32> = FxHashMap::default();
        let spelled = (0u32..).zip(&objects).map(|(number, (name, object))| {
            let of = *numbers.entry(&object.of).or_insert_with(|| {
                types.push(object.of.clone());
                types.len() as u32 - 1
            });
            (name.as_str().into(), (number, of))
        });
        let spelled = spelled.collect();
        Self {
            facts: document.facts.keys().cloned().collect(),
            objects: objects.into_keys().cloned().map(Some).collect(),
            plain,
            spelled,
            types,
        }
    }

    /// Returns `true` if there is an object of this name.
    pub fn has(&self, object: &Name) -> bool {
        self.objects.iter().flatten().any(|other| other == object)
    }

    /// Removes an object. The indices of all others stay the same.
    pub fn remove(&mut self, object: &Name) {
        let is_it = |other: &Option<Name>| other.as_ref() == Some(object);
        if let Some(at) = self.objects.iter().position(is_it)
            && let Some(removed) = self.objects[at].take()
        {
            self.spelled.remove(removed.as_str());
        }
    }

    /// Returns the index of a boolean fact, in the document's order.
    pub fn number(&self, fact: &Name) -> Option<u32> {
        let at = self.facts.iter().position(|other| other == fact)?;
        let plain = self.plain.get(self.facts[at].as_str())?;
        Some(plain.number)
    }

    /// Returns the index of the fact, in the document's order, and the indices of its arguments, in
    /// the order of the scenario's objects, if a text sets the fact and is spelled exactly as
    /// declared. Returns `None` if the text must be read in full.
    pub fn read<'r>(
        &self,
        document: &Document,
        text: &str,
        reads: &'r mut PlainReads,
    ) -> Option<&'r [u32]> {
        let (name, args) = match split_at(text, b'(') {
            (name, Some(args)) => (name, args.strip_suffix(')')?),
            (name, None) => (name, ""),
        };
        let fact = self.plain.get(name)?;
        let PlainReads { fits, atom } = reads;
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
                let wanted = fact.params.get(at as usize)?;
                let is = self.types.get(of as usize)?;
                let fits = fits.entry((fact.number, at, of));
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
    pub fn numbers(&self, atom: &Atom) -> Option<SmallVec<[u32; 8]>> {
        let mut numbers = SmallVec::new();
        numbers.push(match self.plain.get(atom.fact.as_str()) {
            Some(plain) => plain.number,
            None => self.facts.binary_search(&atom.fact).ok()? as u32,
        });
        for arg in &atom.args {
            numbers.push(self.spelled.get(arg.as_str())?.0);
        }
        Some(numbers)
    }

    /// Converts the result of [`Self::read`] to names.
    pub fn atom(&self, numbers: &[u32]) -> Option<Atom> {
        let fact = numbers.first()?;
        let mut atom = Atom {
            fact: (*self.facts.get(*fact as usize)?).clone(),
            args: Vec::with_capacity(numbers.len() - 1),
        };
        self.read_args(numbers, &mut atom).then_some(atom)
    }

    /// Replaces the arguments of a ground fact by those of the result of [`Self::read`]. Returns `true` if
    /// they exist.
    pub fn read_args(&self, numbers: &[u32], atom: &mut Atom) -> bool {
        atom.args.clear();
        let args = numbers.iter().skip(1);
        let args = args.filter_map(|arg| self.objects.get(*arg as usize)?.clone());
        atom.args.extend(args);
        atom.args.len() + 1 == numbers.len()
    }
}
