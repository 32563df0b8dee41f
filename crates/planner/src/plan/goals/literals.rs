//! Which literals have to be reached before something can happen: they are counted, so that
//! nothing is looked at before all of its own are there.

use super::formula::{Cond, Obj};
use super::task::{Kind, Task};
use crate::plan::evaluate::NOTHING;

/// That a variable has a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Literal {
    /// A boolean one is so.
    Is(u32, bool),
    /// It is this object.
    Object(u32, u32),
}

impl Literal {
    /// A condition that says just that.
    pub fn of(cond: &Cond) -> Option<Self> {
        match cond {
            Cond::Is(variable, so) => Some(Self::Is(*variable, *so)),
            Cond::Same(both, true) => match **both {
                (Obj::Var(variable), Obj::Object(object))
                | (Obj::Object(object), Obj::Var(variable))
                    if object != NOTHING =>
                {
                    Some(Self::Object(variable, object))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The same as a condition.
    pub fn condition(self) -> Cond {
        match self {
            Self::Is(variable, so) => Cond::Is(variable, so),
            Self::Object(variable, object) => {
                Cond::Same(Box::new((Obj::Var(variable), Obj::Object(object))), true)
            }
        }
    }

    /// Whether both are of one variable.
    pub fn shares(self, other: Self) -> bool {
        match (self, other) {
            (Self::Is(a, _), Self::Is(b, _)) | (Self::Object(a, _), Self::Object(b, _)) => a == b,
            _ => false,
        }
    }
}

/// Numbers for all values of all variables that are not numbers.
#[derive(Debug)]
pub struct Numbering {
    /// By variable that is not boolean: where its values begin, of which nothing comes first.
    first: Vec<u32>,
    /// How many there are.
    pub len: usize,
}

impl Numbering {
    /// Of a task's variables.
    pub fn new(task: &Task) -> Self {
        let mut len = 2 * task.booleans.len();
        let first = task.kinds.iter().map(|kind| {
            let first = len;
            if let Kind::Object = kind {
                len += task.objects + 1;
            }
            first as u32
        });
        Self {
            first: first.collect(),
            len,
        }
    }

    /// That a boolean variable is so.
    pub fn is(&self, variable: u32, so: bool) -> usize {
        2 * variable as usize + usize::from(so)
    }

    /// That another is an object, or none.
    pub fn object(&self, variable: u32, object: u32) -> usize {
        (self.first[variable as usize] + object.wrapping_add(1)) as usize
    }

    /// Of a literal.
    pub fn of(&self, literal: Literal) -> usize {
        match literal {
            Literal::Is(variable, so) => self.is(variable, so),
            Literal::Object(variable, object) => self.object(variable, object),
        }
    }
}

/// What of the conditions of units is literals.
#[derive(Debug, Default)]
pub struct Literals {
    /// By unit: how many it has.
    pub counts: Vec<u32>,
    /// By unit: whether it has no other conditions.
    pub are_all: Vec<bool>,
    /// The literals of one unit after those of another,
    own: Vec<u32>,
    /// and where those of each end.
    ends: Vec<u32>,
    /// By literal: where its units begin.
    first: Vec<u32>,
    units: Vec<u32>,
}

impl Literals {
    /// Adds a unit. Whether these are all of its conditions?
    pub fn add(&mut self, mut literals: Vec<u32>, are_all: bool) {
        literals.sort_unstable();
        literals.dedup();
        self.counts.push(literals.len() as u32);
        self.are_all.push(are_all);
        self.own.extend(literals);
        self.ends.push(self.own.len() as u32);
    }

    /// All units have been added, and there are so many literals.
    pub fn settle(&mut self, literals: usize) {
        self.first = vec![0; literals + 1];
        for literal in &self.own {
            self.first[*literal as usize + 1] += 1;
        }
        for literal in 0..literals {
            self.first[literal + 1] += self.first[literal];
        }
        let mut next = self.first.clone();
        self.units = vec![0; self.own.len()];
        for unit in 0..self.counts.len() as u32 {
            for place in self.places(unit) {
                let next = &mut next[self.own[place] as usize];
                self.units[*next as usize] = unit;
                *next += 1;
            }
        }
    }

    fn places(&self, unit: u32) -> std::ops::Range<usize> {
        let end = self.ends[unit as usize];
        (end - self.counts[unit as usize]) as usize..end as usize
    }

    /// The literals that a unit has.
    pub fn of(&self, unit: u32) -> &[u32] {
        &self.own[self.places(unit)]
    }

    /// The units that have a literal.
    pub fn readers(&self, literal: usize) -> &[u32] {
        &self.units[self.first[literal] as usize..self.first[literal + 1] as usize]
    }
}

/// The literals that a condition is made of, all of which have to hold; none where it is more.
pub fn plain(cond: &Cond) -> Option<Vec<Literal>> {
    match cond {
        Cond::Constant(true) => Some(vec![]),
        Cond::All(parts) => {
            let parts = parts.iter().map(plain);
            Some(parts.collect::<Option<Vec<_>>>()?.concat())
        }
        cond => Literal::of(cond).map(|literal| vec![literal]),
    }
}
