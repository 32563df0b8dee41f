//! In which order a method's variables are bound, and which condition stands where.

use crate::syntax::ast::{Formula, Number, Term};
use taskloom_document::Param;

/// How much conditions say about a variable: an equation leaves one object, a
/// fact few.
pub const EQUAL: u32 = 16;
pub const ATOM: u32 = 4;
pub const OTHER: u32 = 1;

/// A condition of a method, and which of the variables that have to be bound it
/// mentions.
pub struct Conjunct {
    pub text: String,
    pub binds: Vec<usize>,
    /// How much it says about the last of them to be bound.
    pub weight: u32,
}

/// The order in which variables are bound: always the one of which the bound ones
/// say most. Where that leaves it open, as declared.
pub fn ordered(binds: Vec<Param>, conjuncts: Vec<Conjunct>) -> Vec<(Param, Vec<String>)> {
    let mut bound: Vec<usize> = vec![];
    let mut texts: Vec<Option<Conjunct>> = conjuncts.into_iter().map(Some).collect();
    let mut written = vec![];
    while bound.len() < binds.len() {
        let score = |bind: usize| {
            let about = texts.iter().flatten().filter(|c| c.binds.contains(&bind));
            let score = about.map(|conjunct| {
                let open = conjunct.binds.iter().filter(|b| !bound.contains(b)).count();
                match open {
                    1 => 8 * conjunct.weight,
                    open if open < conjunct.binds.len() => conjunct.weight,
                    _ => 0,
                }
            });
            score.sum::<u32>()
        };
        let mut best: Option<(usize, u32)> = None;
        for bind in (0..binds.len()).filter(|bind| !bound.contains(bind)) {
            let score = score(bind);
            if best.is_none_or(|(_, most)| score > most) {
                best = Some((bind, score));
            }
        }
        let Some((bind, _)) = best else { break };
        bound.push(bind);
        let mut own = vec![];
        for slot in &mut texts {
            let is_decided = slot
                .as_ref()
                .is_some_and(|c| c.binds.iter().all(|b| bound.contains(b)));
            if is_decided {
                own.extend(slot.take().map(|conjunct| conjunct.text));
            }
        }
        written.extend(binds.get(bind).cloned().map(|param| (param, own)));
    }
    written
}

/// Calls back with each variable that a formula mentions and does not bind.
pub fn mentions<'f>(formula: &'f Formula, inner: &mut Vec<&'f str>, found: &mut dyn FnMut(&str)) {
    fn term(term: &Term, inner: &[&str], found: &mut dyn FnMut(&str)) {
        if let Term::Variable(name) = term
            && !inner.contains(&name.as_str())
        {
            found(name);
        }
    }
    fn number(value: &Number, inner: &[&str], found: &mut dyn FnMut(&str)) {
        match value {
            Number::Constant(_) => {}
            Number::Function(atom) => atom.args.iter().for_each(|a| term(a, inner, found)),
            Number::Arithmetic(_, a, b) => {
                number(a, inner, found);
                number(b, inner, found);
            }
            Number::Negative(a) => number(a, inner, found),
        }
    }
    match formula {
        Formula::Atom(atom) => atom.args.iter().for_each(|a| term(a, inner, found)),
        Formula::Equal(a, b) => {
            term(a, inner, found);
            term(b, inner, found);
        }
        Formula::OfType(a, _) => term(a, inner, found),
        Formula::Compare(_, a, b) => {
            number(a, inner, found);
            number(b, inner, found);
        }
        Formula::Not(part) => mentions(part, inner, found),
        Formula::And(parts) | Formula::Or(parts) => {
            for part in parts {
                mentions(part, inner, found);
            }
        }
        Formula::Imply(a, b) => {
            mentions(a, inner, found);
            mentions(b, inner, found);
        }
        Formula::Forall(variables, body) | Formula::Exists(variables, body) => {
            let outer = inner.len();
            inner.extend(variables.iter().map(|v| v.name.as_str()));
            mentions(body, inner, found);
            inner.truncate(outer);
        }
    }
}
