//! Which literals have to be reached before something can happen: they are counted, so that
//! nothing is looked at before all of its own are there.

use super::formula::Cond;

/// What of the conditions of units is literals.
#[derive(Debug, Default)]
pub struct Literals {
    /// By unit: how many it has.
    pub counts: Vec<u32>,
    /// By unit: whether it has no other conditions.
    pub are_all: Vec<bool>,
    /// Literals, twice the variable and one if it is to be true, and the units that have them.
    pairs: Vec<(u32, u32)>,
    /// By literal: where its units begin.
    first: Vec<u32>,
    units: Vec<u32>,
}

impl Literals {
    /// Adds a unit. Whether these are all of its conditions?
    pub fn add(&mut self, literals: impl IntoIterator<Item = (u32, bool)>, are_all: bool) {
        let unit = self.counts.len() as u32;
        let literals = literals.into_iter();
        let mut literals: Vec<u32> = literals.map(|(v, so)| number(v, so)).collect();
        literals.sort_unstable();
        literals.dedup();
        self.counts.push(literals.len() as u32);
        self.are_all.push(are_all);
        self.pairs.extend(literals.into_iter().map(|l| (l, unit)));
    }

    /// All units have been added, of which none reads more variables.
    pub fn settle(&mut self, variables: usize) {
        let mut pairs = std::mem::take(&mut self.pairs);
        pairs.sort_unstable();
        self.first = vec![0; 2 * variables + 1];
        for (literal, _) in &pairs {
            self.first[*literal as usize + 1] += 1;
        }
        for literal in 0..2 * variables {
            self.first[literal + 1] += self.first[literal];
        }
        self.units = pairs.into_iter().map(|(_, unit)| unit).collect();
    }

    /// The units that have a literal.
    pub fn readers(&self, variable: u32, so: bool) -> &[u32] {
        let literal = number(variable, so) as usize;
        &self.units[self.first[literal] as usize..self.first[literal + 1] as usize]
    }
}

fn number(variable: u32, so: bool) -> u32 {
    2 * variable + u32::from(so)
}

/// The literals that a condition is made of, all of which have to hold; none where it is more.
pub fn plain(cond: &Cond) -> Option<Vec<(u32, bool)>> {
    match cond {
        Cond::Constant(true) => Some(vec![]),
        Cond::Is(variable, so) => Some(vec![(*variable, *so)]),
        Cond::All(parts) => {
            let parts = parts.iter().map(plain);
            Some(parts.collect::<Option<Vec<_>>>()?.concat())
        }
        _ => None,
    }
}
