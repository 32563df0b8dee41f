//! The state of the world during a search.
//!
//! Ground facts are numbered when they first get a value other than their default, so that the size
//! of a state depends on the facts that were ever changed, not on all possible ones. Changes are
//! recorded on a trail and undone from it.

use std::sync::Arc;

use smallvec::SmallVec;

use super::memory::MemoryUse;
use super::table::TupleTable;
use taskloom_document::Name;
use taskloom_domain::ground::Value;

/// A ground fact: the numbers of the fact and of its objects.
pub type AtomKey = SmallVec<[u32; 6]>;

/// The bits of a value that isn't boolean: those of an `f64` for a number, and the object's number
/// plus 1 for an object. 0 is the default of both: the number 0, or an undefined object.
pub type Payload = u64;

/// A change that can be undone.
#[derive(Debug, Clone, Copy)]
struct Undo {
    /// The number in its table, times two, plus one for facts that aren't boolean.
    atom: u32,
    before: Payload,
}

/// A value for every ground fact. A ground fact is the tuple of its fact's number and its objects'
/// numbers.
#[derive(Debug, Clone, Default)]
pub struct State {
    /// The numbers of the ground facts, which copies share until one of them adds another ground fact.
    booleans: Arc<TupleTable>,
    bits: Vec<u64>,
    valued: Arc<TupleTable>,
    values: Vec<Payload>,
    trail: Vec<Undo>,
    hash: u128,
}

/// The saved values of a [`State`].
#[derive(Debug)]
pub struct Saved {
    bits: Box<[u64]>,
    values: Box<[Payload]>,
    hash: u128,
}

impl Saved {
    /// Returns the memory use in bytes.
    pub fn memory(&self) -> usize {
        size_of::<Self>() + (self.bits.len() + self.values.len()) * size_of::<u64>()
    }
}

/// Mixes a pair into 128 bits, each of which depends on each bit of the pair. A sum of these
/// distinguishes sets of pairs as well as 128 random bits would (Bellare and Micciancio, "A New
/// Paradigm for Collision-Free Hashing", 1997; here against chance, not against an adversary). Both
/// halves are finalized as in SplitMix64 (Steele, Lea and Flood 2014).
pub fn mix(a: u64, b: u64) -> u128 {
    fn spread(mut x: u64) -> u64 {
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }
    let low = spread(
        a.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .wrapping_add(spread(b.wrapping_add(0x2545_f491_4f6c_dd1d))),
    );
    let high = spread(
        b.wrapping_mul(0xd6e8_feb8_6659_fd93)
            .wrapping_add(spread(a ^ 0xa076_1d64_78bd_642f))
            ^ low.rotate_left(23),
    );
    u128::from(high) << 64 | u128::from(low)
}

impl State {
    /// Returns `true` if a ground boolean fact is true.
    pub fn holds(&self, atom: &[u32]) -> bool {
        self.booleans
            .find(atom)
            .is_some_and(|n| self.bits[n as usize / 64] >> (n % 64) & 1 == 1)
    }

    /// Returns the value of a ground fact that isn't boolean.
    pub fn value(&self, atom: &[u32]) -> Payload {
        self.valued
            .find(atom)
            .map_or(0, |n| self.values[n as usize])
    }

    /// Sets a ground boolean fact. Returns `true` if it changed.
    pub fn set(&mut self, atom: &[u32], to: bool) -> bool {
        let number = match self.booleans.find(atom) {
            Some(number) => number,
            None if !to => return false,
            None => Arc::make_mut(&mut self.booleans).intern(atom),
        };
        if self.bits.len() * 64 <= number as usize {
            self.bits.push(0);
        }
        let changes = self.bits[number as usize / 64] >> (number % 64) & 1 != u64::from(to);
        if changes {
            self.trail.push(Undo {
                atom: number * 2,
                before: u64::from(!to),
            });
            self.put(number * 2, u64::from(to));
        }
        changes
    }

    /// Sets a ground fact that isn't boolean. Returns `true` if it changed.
    pub fn assign(&mut self, atom: &[u32], to: Payload) -> bool {
        let number = match self.valued.find(atom) {
            Some(number) => number,
            None if to == 0 => return false,
            None => Arc::make_mut(&mut self.valued).intern(atom),
        };
        if self.values.len() <= number as usize {
            self.values.push(0);
        }
        let before = self.values[number as usize];
        if before != to {
            self.trail.push(Undo {
                atom: number * 2 + 1,
                before,
            });
            self.put(number * 2 + 1, to);
        }
        before != to
    }

    /// Adds a ground fact without changing its value.
    pub fn add(&mut self, atom: &[u32], is_boolean: bool) {
        if is_boolean {
            Arc::make_mut(&mut self.booleans).intern(atom);
            self.bits.resize(self.booleans.len().div_ceil(64), 0);
        } else {
            Arc::make_mut(&mut self.valued).intern(atom);
            self.values.resize(self.valued.len(), 0);
        }
    }

    /// Sets a ground fact to a named value.
    pub fn put_value(
        &mut self,
        atom: &[u32],
        value: &Value,
        object: impl Fn(&Name) -> Option<u32>,
    ) {
        match value {
            Value::Bool(value) => self.set(atom, *value),
            Value::Number(value) => self.assign(atom, (value + 0.0).to_bits()),
            Value::Object(value) => {
                let object = value.as_ref().and_then(object);
                self.assign(atom, object.map_or(0, |object| u64::from(object) + 1))
            }
        };
    }

    fn put(&mut self, atom: u32, to: Payload) {
        let number = (atom / 2) as usize;
        let place = if atom.is_multiple_of(2) {
            let bit = 1 << (number % 64);
            let word = &mut self.bits[number / 64];
            let before = u64::from(*word & bit != 0);
            *word = if to == 0 { *word & !bit } else { *word | bit };
            before
        } else {
            std::mem::replace(&mut self.values[number], to)
        };
        for (value, sign) in [(place, false), (to, true)] {
            if value != 0 {
                let part = mix(u64::from(atom), value);
                self.hash = match sign {
                    true => self.hash.wrapping_add(part),
                    false => self.hash.wrapping_sub(part),
                };
            }
        }
    }

    /// Returns the ground boolean facts that are true, and the defined ground object facts with the
    /// numbers of their values as a last argument. Number facts aren't included.
    pub fn listing(&self) -> Vec<Box<[u32]>> {
        let tuples = 0..self.booleans.len() as u32;
        let tuples = tuples.map(|n| self.booleans.tuple(n));
        let set = tuples.filter(|atom| self.holds(atom)).map(Box::from);
        let valued = 0..self.valued.len() as u32;
        let valued = valued.map(|n| (self.valued.tuple(n), self.values[n as usize]));
        let valued = valued.filter(|(_, value)| *value > 0);
        let valued = valued.map(|(atom, value)| [atom, &[(value - 1) as u32]].concat().into());
        set.chain(valued).collect()
    }

    /// Returns the state with other numbers of the objects: those by their current numbers, `None` for one that
    /// doesn't exist any more. `has_objects` returns `true` for a fact whose values are objects.
    #[must_use]
    pub fn renumbered(&self, objects: &[Option<u32>], has_objects: impl Fn(u32) -> bool) -> Self {
        let number = |object: u32| objects.get(object as usize).copied().flatten();
        let renumbered = |atom: &[u32]| -> Option<AtomKey> {
            let (fact, args) = atom.split_first()?;
            let args = args.iter().map(|object| number(*object));
            std::iter::once(Some(*fact)).chain(args).collect()
        };
        let mut state = Self::default();
        for n in 0..self.booleans.len() as u32 {
            let atom = self.booleans.tuple(n);
            if self.holds(atom)
                && let Some(atom) = renumbered(atom)
            {
                state.set(&atom, true);
            }
        }
        for (n, value) in (0..self.valued.len() as u32).zip(&self.values) {
            let atom = self.valued.tuple(n);
            let value = match atom.first() {
                Some(fact) if *value > 0 && has_objects(*fact) => {
                    number((value - 1) as u32).map(|object| u64::from(object) + 1)
                }
                _ => Some(*value),
            };
            if let Some((atom, value)) = renumbered(atom).zip(value) {
                state.assign(&atom, value);
            }
        }
        state.settle();
        state
    }

    /// Returns the current position of the trail.
    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Undoes all changes since a mark.
    pub fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            if let Some(undo) = self.trail.pop() {
                self.put(undo.atom, undo.before);
            }
        }
    }

    /// Undoes all changes since a mark, and returns the net changes in order of their first change:
    /// the ground fact, and its values before and after.
    pub fn take_back(&mut self, mark: usize) -> Vec<(AtomKey, Payload, Payload)> {
        let mut atoms: Vec<u32> = vec![];
        for undo in &self.trail[mark..] {
            if !atoms.contains(&undo.atom) {
                atoms.push(undo.atom);
            }
        }
        let get = |state: &Self, atom: u32| {
            let number = atom / 2;
            match atom % 2 {
                0 => state.bits[number as usize / 64] >> (number % 64) & 1,
                _ => state.values[number as usize],
            }
        };
        let after: Vec<Payload> = atoms.iter().map(|a| get(self, *a)).collect();
        self.undo(mark);
        let changes = atoms.into_iter().zip(after).map(|(atom, after)| {
            let table = [&self.booleans, &self.valued][(atom % 2) as usize];
            let key = AtomKey::from_slice(table.tuple(atom / 2));
            (key, get(self, atom), after)
        });
        changes
            .filter(|(_, before, after)| before != after)
            .collect()
    }

    /// Returns the ground facts that aren't at their default, with their values.
    pub fn atoms(&self) -> impl Iterator<Item = (&[u32], Payload)> {
        let bit = |n: usize| self.bits.get(n / 64).map_or(0, |word| word >> (n % 64) & 1);
        let booleans = (0..self.booleans.len()).map(move |n| (&*self.booleans, n, bit(n)));
        let values = (0..self.valued.len()).zip(&self.values);
        let values = values.map(|(n, value)| (&*self.valued, n, *value));
        let all = booleans.chain(values).filter(|(.., value)| *value != 0);
        all.map(|(table, n, value)| (table.tuple(n as u32), value))
    }

    /// Returns the number of ground facts that have had a value.
    #[expect(clippy::len_without_is_empty, reason = "no search asks for that")]
    pub fn len(&self) -> usize {
        self.booleans.len() + self.valued.len()
    }

    /// Saves all values for [`Self::load`].
    pub fn save(&self) -> Saved {
        Saved {
            bits: self.bits.as_slice().into(),
            values: self.values.as_slice().into(),
            hash: self.hash,
        }
    }

    /// Restores values that were saved from this state.
    pub fn load(&mut self, saved: &Saved) {
        self.trail.clear();
        self.bits.fill(0);
        self.bits[..saved.bits.len()].copy_from_slice(&saved.bits);
        self.values.fill(0);
        self.values[..saved.values.len()].copy_from_slice(&saved.values);
        self.hash = saved.hash;
    }

    /// Returns `true` if a ground fact of one of these facts has changed since the trail was cleared.
    pub fn has_changed(&self, is_one: impl Fn(u32) -> bool) -> bool {
        self.trail.iter().any(|undo| {
            let table = [&self.booleans, &self.valued][(undo.atom % 2) as usize];
            table
                .tuple(undo.atom / 2)
                .first()
                .is_some_and(|fact| is_one(*fact))
        })
    }

    /// Clears the trail, so that changes can no longer be undone.
    pub fn settle(&mut self) {
        self.trail.clear();
    }

    /// Returns a hash that equal states share, and others in practice don't.
    pub fn hash(&self) -> u128 {
        self.hash
    }

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        self.booleans.memory_use()
            + self.valued.memory_use()
            + MemoryUse::of_vec(&self.bits)
            + MemoryUse::of_vec(&self.values)
            + MemoryUse::of_vec(&self.trail)
    }
}

#[cfg(test)]
mod tests {
    use super::mix;

    /// Counts how often each bit of the result changes with each bit of a pair: half the time, even
    /// for numbers as small as those of facts and objects.
    #[test]
    fn every_bit_changes_every_bit() {
        const PAIRS: u64 = 4096;
        for bit in 0..128 {
            let mut changed = [0u32; 128];
            for pair in 0..PAIRS {
                let (a, b) = (pair % 64, pair / 64);
                let other = match bit {
                    0..64 => mix(a ^ 1 << bit, b),
                    _ => mix(a, b ^ 1 << (bit - 64)),
                };
                let difference = mix(a, b) ^ other;
                for (n, count) in changed.iter_mut().enumerate() {
                    *count += (difference >> n & 1) as u32;
                }
            }
            // The standard deviation is 32; a deviation of five times that has a probability of one
            // in a million.
            let least = changed.iter().min().copied().unwrap_or(0);
            let most = changed.iter().max().copied().unwrap_or(0);
            assert!(least > 2048 - 180, "bit {bit}: {least}");
            assert!(most < 2048 + 180, "bit {bit}: {most}");
        }
    }

    /// Mixes sums for many sets of few atoms, of which 40 bits each are compared: by chance, there
    /// are half a pair of equal ones among 2^20.
    #[test]
    fn sums_of_different_sets_differ() {
        let sums = (0..1u64 << 20).map(|set| {
            let atoms = (0..20).filter(|atom| set >> atom & 1 == 1);
            atoms.fold(0u128, |sum, atom| sum.wrapping_add(mix(2 * atom, 1)))
        });
        let sums: Vec<u128> = sums.collect();
        for shift in [0, 32, 64, 88] {
            let mut part: Vec<u64> = sums
                .iter()
                .map(|s| (s >> shift) as u64 & 0xff_ffff_ffff)
                .collect();
            part.sort_unstable();
            let same = part.windows(2).filter(|w| w[0] == w[1]).count();
            assert!(same < 8, "{same} at {shift}");
        }
    }
}
