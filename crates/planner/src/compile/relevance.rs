//! The ground facts that a domain's texts can be about.

use super::code::{Code, Formula, Number, Read, Term};
use super::flat::{Flat, FlatChange, FlatKind};
use taskloom_document::Name;
use taskloom_domain::ground::Atom;

/// The maximum number of ground instances of a fact that are listed: with more, all of them count.
const MAX_LISTED: usize = 16;

/// For each fact, the ground instances that a domain's texts read or change; `None` if they may be any. To an
/// actor, only its own hunger matters, not that of a hundred others.
#[derive(Debug)]
pub(crate) struct Relevance(Vec<Option<Vec<Atom>>>);

impl Relevance {
    /// Finds the ground facts of a domain.
    pub fn of(flat: &Flat) -> Self {
        let code = &flat.code;
        let mut relevance = Self(flat.facts.iter().map(|_| Some(vec![])).collect());
        let formulas = code.formulas.iter().filter_map(|formula| match formula {
            Formula::Holds(read) => Some(*read),
            _ => None,
        });
        let numbers = code.numbers.iter().filter_map(|number| match number {
            Number::Fact(read) => Some(*read),
            _ => None,
        });
        let terms = code.terms.iter().filter_map(read_of);
        let effects = flat.tasks.iter().flat_map(|task| match &task.kind {
            FlatKind::Primitive { effects, .. } => &effects[..],
            FlatKind::Compound { .. } => &[],
        });
        let changed = effects.flat_map(|effect| {
            let object = match &effect.change {
                FlatChange::Object(term) => read_of(term),
                _ => None,
            };
            [Some(effect.target), object].into_iter().flatten()
        });
        let all = formulas.chain(numbers).chain(terms).chain(changed);
        all.for_each(|read| relevance.add(flat, read));
        relevance
    }

    /// Returns the relevant ground instances of a fact; `None` if they may be any.
    pub fn instances(&self, fact: u32) -> Option<&[Atom]> {
        self.0.get(fact as usize)?.as_deref()
    }

    fn add(&mut self, flat: &Flat, read: Read) {
        let listed = &mut self.0[read.fact as usize];
        let Some(atoms) = listed else {
            return;
        };
        let atom = constants(&flat.code, read).map(|objects| {
            let names = objects.iter().map(|object| &flat.objects[*object as usize]);
            Atom {
                fact: flat.facts[read.fact as usize].name.clone(),
                args: names.cloned().collect::<Vec<Name>>(),
            }
        });
        match atom {
            Some(atom) if atoms.contains(&atom) => {}
            Some(atom) if atoms.len() < MAX_LISTED => atoms.push(atom),
            _ => *listed = None,
        }
    }
}

fn read_of(term: &Term) -> Option<Read> {
    match term {
        Term::Fact(read) => Some(*read),
        Term::Object(_) | Term::Slot(_) => None,
    }
}

/// Returns the arguments of a fact if all of them are constants.
fn constants(code: &Code, read: Read) -> Option<Vec<u32>> {
    let args = code.terms[read.args.range()].iter();
    let objects = args.map(|arg| match arg {
        Term::Object(object) => Some(*object),
        Term::Slot(_) | Term::Fact(_) => None,
    });
    objects.collect()
}
