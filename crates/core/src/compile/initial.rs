//! Initial values in the plainest form, `at(box, shed)`, read without trees:
//! planning problems have a hundred thousand of them.

use rustc_hash::FxHashMap;

use crate::document::{Document, Name, Object, ValueKind};
use crate::lang::is_keyword;

/// A boolean fact, and for each parameter which types of objects it takes.
struct Plain<'a> {
    number: u32,
    params: Vec<&'a Name>,
    fits: FxHashMap<(u32, u32), bool>,
}

/// Numbers of facts and objects by the spelling of their names.
pub(super) struct PlainInitial<'a> {
    document: &'a Document,
    facts: FxHashMap<&'a str, Plain<'a>>,
    /// The number of each object, and of its type.
    objects: FxHashMap<&'a str, (u32, u32)>,
    types: Vec<&'a Name>,
}

impl<'a> PlainInitial<'a> {
    /// Reads values of these facts and, in their order, objects.
    pub fn new(
        document: &'a Document,
        objects: impl Iterator<Item = (&'a Name, &'a Object)>,
    ) -> Self {
        let plain = (0u32..).zip(&document.facts).filter(|(_, (name, fact))| {
            fact.value == ValueKind::Boolean && !is_keyword(name.as_str())
        });
        let facts = plain.map(|(number, (name, fact))| {
            let plain = Plain {
                number,
                params: fact.params.iter().map(|param| &param.of).collect(),
                fits: FxHashMap::default(),
            };
            (name.as_str(), plain)
        });
        let mut types: Vec<&Name> = vec![];
        let mut numbers: FxHashMap<&Name, u32> = FxHashMap::default();
        let objects = (0u32..).zip(objects).map(|(number, (name, object))| {
            let of = *numbers.entry(&object.of).or_insert_with(|| {
                types.push(&object.of);
                types.len() as u32 - 1
            });
            (name.as_str(), (number, of))
        });
        Self {
            document,
            facts: facts.collect(),
            objects: objects.collect(),
            types,
        }
    }

    /// The fact and its objects where a text says that it holds and is spelled as
    /// they are declared; nothing where it has to be read in full.
    pub fn atom(&mut self, text: &str) -> Option<Vec<u32>> {
        let (name, args) = match text.split_once('(') {
            Some((name, args)) => (name, args.strip_suffix(')')?),
            None => (text, ""),
        };
        let fact = self.facts.get_mut(name)?;
        let mut atom = Vec::with_capacity(1 + fact.params.len());
        atom.push(fact.number);
        if !args.is_empty() {
            for (at, arg) in (0u32..).zip(args.split(", ")) {
                let (object, of) = *self.objects.get(arg)?;
                let wanted = *fact.params.get(at as usize)?;
                let is = *self.types.get(of as usize)?;
                let document = self.document;
                let fits = fact.fits.entry((at, of));
                if !*fits.or_insert_with(|| document.is_kind_of(is, wanted)) {
                    return None;
                }
                atom.push(object);
            }
        }
        (atom.len() == 1 + fact.params.len()).then_some(atom)
    }
}
