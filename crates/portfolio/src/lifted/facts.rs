//! The state of a lifted search: the atoms that are true, with indexes that let a join find
//! matches.
//!
//! Atoms are numbered when they first become true. An index lists, for the objects in some of a
//! predicate's positions, every atom that was ever true; readers of a list skip those that are not
//! true now. So lists only grow, and positions in them remain valid while the search backtracks.

use smallvec::SmallVec;

use super::model::Model;
use taskloom_planner::search_kit::{MemoryUse, TupleTable, mix};

/// The atoms of a predicate by the objects in some of its positions.
#[derive(Debug, Default)]
struct Index {
    places: SmallVec<[u8; 4]>,
    keys: TupleTable,
    lists: Vec<SmallVec<[u32; 4]>>,
    /// The heap memory of the lists, in bytes.
    spilled: usize,
}

impl Index {
    fn add(&mut self, number: u32, atom: &[u32]) {
        let key: SmallVec<[u32; 8]> = self.places.iter().map(|p| atom[*p as usize + 1]).collect();
        let key = self.keys.intern(&key) as usize;
        if self.lists.len() <= key {
            self.lists.resize(key + 1, SmallVec::new());
        }
        let list = &mut self.lists[key];
        let before = list.capacity();
        list.push(number);
        if list.capacity() != before {
            let elsewhere = if before > 4 { before } else { 0 };
            self.spilled += (list.capacity() - elsewhere) * size_of::<u32>();
        }
    }

    fn memory_use(&self) -> MemoryUse {
        self.keys.memory_use() + MemoryUse::of_vec(&self.lists) + MemoryUse::fixed(self.spilled)
    }
}

/// The state of a lifted search; see the module.
#[derive(Debug)]
pub struct Facts {
    atoms: TupleTable,
    truth: Vec<u64>,
    /// The numbers of atoms whose truth changed.
    trail: Vec<u32>,
    hash: u128,
    indexes: Vec<Index>,
    of_predicate: Vec<OfPredicate>,
}

/// The atoms and indexes of one predicate.
#[derive(Debug, Default)]
struct OfPredicate {
    /// The numbers of its atoms, and of its indexes.
    atoms: Vec<u32>,
    indexes: Vec<u32>,
    /// By positions: the average number of atoms that agree there, computed on first use.
    fan_outs: Vec<(SmallVec<[u8; 4]>, f64)>,
}

impl Facts {
    /// Returns the initial state of a model.
    pub fn new(model: &Model) -> Self {
        let mut facts = Self {
            atoms: TupleTable::default(),
            truth: vec![],
            trail: vec![],
            hash: 0,
            indexes: vec![],
            of_predicate: vec![],
        };
        let predicates = model.predicates.len();
        facts
            .of_predicate
            .resize_with(predicates, OfPredicate::default);
        for atom in &*model.initial {
            facts.set(atom, true);
        }
        facts.trail.clear();
        facts
    }

    /// Returns the number of a predicate's index on these positions, creating it if necessary.
    /// Atoms are added to it from now on.
    pub fn index(&mut self, predicate: u32, places: &[u8]) -> u32 {
        let of = &mut self.of_predicate[predicate as usize];
        let mut known = of.indexes.iter();
        if let Some(index) = known.find(|i| self.indexes[**i as usize].places[..] == *places) {
            return *index;
        }
        let mut index = Index {
            places: places.into(),
            ..Index::default()
        };
        for number in &of.atoms {
            index.add(*number, self.atoms.tuple(*number));
        }
        self.indexes.push(index);
        let number = self.indexes.len() as u32 - 1;
        of.indexes.push(number);
        number
    }

    /// Returns the average number of atoms of a predicate that agree in these positions, or `None`
    /// if it has no atoms.
    pub fn fan_out(&mut self, predicate: u32, places: &[u8]) -> Option<f64> {
        let of = &mut self.of_predicate[predicate as usize];
        let first = self.atoms.tuple(*of.atoms.first()?);
        if places.len() + 1 == first.len() {
            return Some(1.0);
        }
        if let Some((_, known)) = of.fan_outs.iter().find(|(p, _)| p[..] == *places) {
            return Some(*known);
        }
        let mut keys = TupleTable::default();
        let mut key = vec![];
        for number in &of.atoms {
            let atom = self.atoms.tuple(*number);
            key.clear();
            key.extend(places.iter().map(|p| atom[*p as usize + 1]));
            keys.intern(&key);
        }
        let fan_out = of.atoms.len() as f64 / keys.len() as f64;
        of.fan_outs.push((places.into(), fan_out));
        Some(fan_out)
    }

    /// Returns the atoms that an index lists for a key; they are not necessarily true.
    pub fn list(&self, index: u32, key: &[u32]) -> &[u32] {
        let index = &self.indexes[index as usize];
        match index.keys.find(key) {
            Some(key) => &index.lists[key as usize],
            None => &[],
        }
    }

    /// Returns the predicate and objects of an atom.
    pub fn atom(&self, number: u32) -> &[u32] {
        self.atoms.tuple(number)
    }

    /// Returns `true` if the atom with this number is true.
    pub fn is_true(&self, number: u32) -> bool {
        self.truth[number as usize / 64] >> (number % 64) & 1 == 1
    }

    /// Returns `true` if an atom is true.
    pub fn holds(&self, atom: &[u32]) -> bool {
        self.atoms.find(atom).is_some_and(|n| self.is_true(n))
    }

    /// Makes an atom true or false.
    pub fn set(&mut self, atom: &[u32], to: bool) {
        let number = match self.atoms.find(atom) {
            Some(number) => number,
            None if !to => return,
            None => self.number(atom),
        };
        if self.is_true(number) != to {
            self.trail.push(number);
            self.flip(number);
        }
    }

    /// Returns the number of an atom, assigning one if necessary.
    pub fn number(&mut self, atom: &[u32]) -> u32 {
        if let Some(number) = self.atoms.find(atom) {
            return number;
        }
        let number = self.atoms.intern(atom);
        if self.truth.len() * 64 <= number as usize {
            self.truth.push(0);
        }
        let of = &mut self.of_predicate[atom[0] as usize];
        of.atoms.push(number);
        for index in &of.indexes {
            self.indexes[*index as usize].add(number, atom);
        }
        number
    }

    fn flip(&mut self, number: u32) {
        let word = &mut self.truth[number as usize / 64];
        *word ^= 1 << (number % 64);
        let part = mix(u64::from(number), 1);
        self.hash = match *word >> (number % 64) & 1 {
            1 => self.hash.wrapping_add(part),
            _ => self.hash.wrapping_sub(part),
        };
    }

    /// Returns the current position in the trail.
    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Undoes every change since a mark.
    pub fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            if let Some(number) = self.trail.pop() {
                self.flip(number);
            }
        }
    }

    /// Returns a hash that is the same for equal states and in practice differs for others.
    pub fn hash(&self) -> u128 {
        self.hash
    }

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        let indexes = self.indexes.iter().map(Index::memory_use);
        let of_predicate = self.of_predicate.iter();
        let of_predicate = of_predicate.map(|of| MemoryUse::of_vec(&of.atoms));
        self.atoms.memory_use()
            + MemoryUse::of_vec(&self.truth)
            + MemoryUse::of_vec(&self.trail)
            + indexes.sum()
            + of_predicate.sum()
    }
}
