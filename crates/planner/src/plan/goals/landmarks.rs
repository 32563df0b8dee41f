//! Landmarks: propositions, and disjunctions of them, that every plan reaches, and the orders in
//! which it does (Porteous, Sebastia and Hoffmann 2001; Richter and Westphal 2010). The number of
//! landmarks still to be reached is a heuristic.
//!
//! They are found backward from the goal: the preconditions that all possible first achievers of a
//! landmark share are landmarks, too.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use taskloom_document::stop::Stop;

use super::formula::Values;
use super::literals::Literal;
use super::operators::Operators;
use super::task::Task;
use crate::plan::memory::MemoryUse;

/// The maximum number of propositions of a disjunctive landmark.
const MAX_DISJUNCTS: usize = 4;

/// The maximum work to find landmarks, in operators visited.
const MAX_WORK: usize = 20_000_000;

/// A landmark.
#[derive(Debug)]
struct Landmark {
    /// The literals, at least one of which has to hold.
    literals: SmallVec<[Literal; MAX_DISJUNCTS]>,
    propositions: SmallVec<[u32; MAX_DISJUNCTS]>,
    /// `true` if it has to hold at the end.
    is_goal: bool,
    /// The landmarks that are reached before it.
    before: Vec<u32>,
    /// The landmarks directly before which it has to hold.
    needed_by: Vec<u32>,
}

/// The landmarks of a goal.
#[derive(Debug, Default)]
pub struct Landmarks {
    all: Vec<Landmark>,
    /// For each proposition, the landmark that it is, alone or in a disjunction.
    by_proposition: FxHashMap<u32, u32>,
}

impl Landmarks {
    /// Adds a goal. One that isn't a literal contributes what all its achievers share.
    fn add_goal(&mut self, tables: &Operators, proposition: u32, is_goal: bool) {
        let mut open = vec![proposition];
        let mut known = FxHashSet::default();
        while let Some(proposition) = open.pop() {
            if let Some(literal) = tables.propositions.literals[proposition as usize] {
                let landmark = self.add(&[(proposition, literal)]);
                self.all[landmark as usize].is_goal |= is_goal;
            } else if known.insert(proposition) {
                let axioms = tables.achievers.row(proposition).iter();
                open.extend(shared(axioms.map(|axiom| tables.preconditions.row(*axiom))));
            }
        }
    }

    fn add(&mut self, propositions: &[(u32, Literal)]) -> u32 {
        if let [(proposition, _)] = propositions
            && let Some(known) = self.by_proposition.get(proposition)
            && self.all[*known as usize].propositions.len() == 1
        {
            return *known;
        }
        let number = self.all.len() as u32;
        for (proposition, _) in propositions {
            self.by_proposition.insert(*proposition, number);
        }
        self.all.push(Landmark {
            literals: propositions.iter().map(|(_, literal)| *literal).collect(),
            propositions: propositions
                .iter()
                .map(|(proposition, _)| *proposition)
                .collect(),
            is_goal: false,
            before: vec![],
            needed_by: vec![],
        });
        number
    }

    fn order(&mut self, before: u32, after: u32, is_needed: bool) {
        if before == after {
            return;
        }
        let orders = &mut self.all[after as usize].before;
        if !orders.contains(&before) {
            orders.push(before);
        }
        let needed_by = &mut self.all[before as usize].needed_by;
        if is_needed && !needed_by.contains(&after) {
            needed_by.push(after);
        }
    }

    /// Returns the number of words that store the accepted landmarks of a state.
    pub fn words(&self) -> usize {
        self.all.len().div_ceil(64)
    }

    /// Accepts the landmarks that a state reaches, given those accepted before.
    pub fn accept(&self, state: Values<'_>, is_first: bool, accepted: &mut [u64]) {
        let is_accepted = |accepted: &[u64], n: u32| accepted[n as usize / 64] >> (n % 64) & 1 == 1;
        let mut new: SmallVec<[u32; 16]> = SmallVec::new();
        for (number, landmark) in (0u32..).zip(&self.all) {
            let mut before = landmark.before.iter();
            let is_reached = !is_accepted(accepted, number)
                && landmark.holds(state)
                && (is_first || before.all(|before| is_accepted(accepted, *before)));
            if is_reached {
                new.push(number);
            }
        }
        for number in new {
            accepted[number as usize / 64] |= 1 << (number % 64);
        }
    }

    /// Returns the number of landmarks still to be reached, for the first time or again.
    pub fn count(&self, state: Values<'_>, accepted: &[u64]) -> u32 {
        let is_accepted = |n: u32| accepted[n as usize / 64] >> (n % 64) & 1 == 1;
        let mut count = 0;
        for (number, landmark) in (0u32..).zip(&self.all) {
            let is_open = !is_accepted(number) || {
                let mut needed_by = landmark.needed_by.iter();
                (landmark.is_goal || needed_by.any(|after| !is_accepted(*after)))
                    && !landmark.holds(state)
            };
            count += u32::from(is_open);
        }
        count
    }

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        let landmarks = self.all.iter();
        let orders = landmarks.map(|one| one.before.capacity() + one.needed_by.capacity());
        MemoryUse::fixed(
            self.all.capacity() * size_of::<Landmark>()
                + orders.sum::<usize>() * size_of::<u32>()
                + self.by_proposition.capacity() * 12,
        )
    }
}

impl Landmark {
    fn holds(&self, state: Values<'_>) -> bool {
        let mut literals = self.literals.iter();
        literals.any(|literal| literal.holds(state))
    }
}

/// Returns the propositions that all of these rows contain.
pub fn shared<'a>(mut rows: impl Iterator<Item = &'a [u32]>) -> Vec<u32> {
    let Some(first) = rows.next() else {
        return vec![];
    };
    let mut shared = first.to_vec();
    for row in rows {
        shared.retain(|proposition| row.binary_search(proposition).is_ok());
        if shared.is_empty() {
            break;
        }
    }
    shared
}

/// The search for landmarks, one after the other.
#[derive(Debug)]
pub struct Discovery {
    landmarks: Landmarks,
    /// The next landmark to explain.
    next: u32,
    /// The operators visited, by the estimate that [`MAX_WORK`] limits.
    estimated_work: usize,
    /// The work done so far, in propositions and operators.
    pub work: u64,
    /// The propositions that hold initially, and those of evaluated conditions, which may hold.
    initial: Vec<u32>,
    is_initial: Vec<bool>,
    /// The propositions that are reachable without a landmark.
    is_reached: Vec<bool>,
    missing: Vec<u32>,
}

impl Discovery {
    /// Starts with goals that are reached in order. The last ones have to hold at the end.
    pub fn new(tables: &Operators, task: &Task, from: Values<'_>, stages: &[Vec<u32>]) -> Self {
        let mut landmarks = Landmarks::default();
        for (number, stage) in stages.iter().enumerate() {
            for proposition in stage {
                let is_last = number + 1 == stages.len();
                landmarks.add_goal(tables, *proposition, is_last);
            }
        }
        let mut initial = vec![];
        tables
            .propositions
            .of_state(task, from, &mut |proposition| initial.push(proposition));
        let mut is_initial = vec![false; tables.propositions.len()];
        for proposition in &initial {
            is_initial[*proposition as usize] = true;
        }
        initial.extend(
            tables
                .evaluated
                .conditions
                .iter()
                .map(|(_, proposition)| *proposition),
        );
        Self {
            landmarks,
            next: 0,
            estimated_work: 0,
            work: is_initial.len() as u64,
            initial,
            is_initial,
            is_reached: vec![],
            missing: vec![],
        }
    }

    /// Finds what has to hold before the next landmark. Returns `false` once there is none.
    pub fn step(&mut self, tables: &Operators, task: &Task, stop: &Stop) -> bool {
        if self.next as usize >= self.landmarks.all.len() {
            return false;
        }
        self.estimated_work += tables.len() as usize;
        if self.estimated_work > MAX_WORK || stop.after(tables.len() as usize / 4) {
            return false;
        }
        let mut landmarks = std::mem::take(&mut self.landmarks);
        self.explain((tables, task), &mut landmarks, self.next);
        self.landmarks = landmarks;
        self.next += 1;
        true
    }

    /// Returns the landmarks found.
    pub fn finish(self) -> Landmarks {
        self.landmarks
    }

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        self.landmarks.memory_use()
            + MemoryUse::fixed(2 * self.is_initial.len() + self.missing.len() * size_of::<u32>())
    }

    /// Finds everything that is reachable before any of these propositions.
    fn reach_without(&mut self, tables: &Operators, excluded: &[u32]) {
        self.work += tables.propositions.len() as u64 + u64::from(tables.len());
        self.is_reached.clear();
        self.is_reached.resize(tables.propositions.len(), false);
        let rows = (0..tables.len()).map(|operator| tables.preconditions.row(operator).len());
        self.missing.clear();
        self.missing.extend(rows.map(|len| len as u32));
        let mut open = vec![];
        for proposition in &self.initial {
            if !std::mem::replace(&mut self.is_reached[*proposition as usize], true) {
                open.push(*proposition);
            }
        }
        let reach = |operator: u32, is_reached: &mut [bool], open: &mut Vec<u32>| {
            for add in tables.adds.row(operator) {
                let is_new = !is_reached[*add as usize] && !excluded.contains(add);
                if is_new {
                    is_reached[*add as usize] = true;
                    open.push(*add);
                }
            }
        };
        for operator in &tables.unconditional {
            reach(*operator, &mut self.is_reached, &mut open);
        }
        while let Some(proposition) = open.pop() {
            let readers = tables.readers.row(proposition);
            self.work += readers.len() as u64;
            for operator in readers {
                self.missing[*operator as usize] -= 1;
                if self.missing[*operator as usize] == 0 {
                    reach(*operator, &mut self.is_reached, &mut open);
                }
            }
        }
    }

    /// Finds what has to hold before a landmark is first reached.
    fn explain(
        &mut self,
        (tables, task): (&Operators, &Task),
        landmarks: &mut Landmarks,
        number: u32,
    ) {
        let propositions = landmarks.all[number as usize].propositions.clone();
        let is_initial = |proposition: &u32| self.is_initial[*proposition as usize];
        if propositions.iter().any(is_initial) {
            return;
        }
        self.reach_without(tables, &propositions);
        for (other, landmark) in (0..).zip(&mut landmarks.all) {
            let mut own = landmark.propositions.iter();
            let is_later = other != number && own.all(|p| !self.is_reached[*p as usize]);
            if is_later && !landmark.before.contains(&number) {
                landmark.before.push(number);
            }
        }
        let mut known: FxHashSet<u32> = FxHashSet::default();
        let mut open: Vec<Vec<u32>> = vec![propositions.to_vec()];
        while let Some(targets) = open.pop() {
            let achievers = targets.iter().flat_map(|p| tables.achievers.row(*p));
            let is_first = |operator: &&u32| {
                let mut preconditions = tables.preconditions.row(**operator).iter();
                preconditions.all(|p| self.is_reached[*p as usize])
            };
            let achievers: Vec<u32> = achievers.filter(is_first).copied().collect();
            let rows = achievers.iter();
            let rows = rows.map(|operator| tables.preconditions.row(*operator));
            let common = shared(rows.clone());
            for proposition in &common {
                match tables.propositions.literals[*proposition as usize] {
                    Some(literal) => {
                        let before = landmarks.add(&[(*proposition, literal)]);
                        landmarks.order(before, number, true);
                    }
                    // Axioms are replaced by what they require.
                    None if known.insert(*proposition) => open.push(vec![*proposition]),
                    None => {}
                }
            }
            self.work += (achievers.len() * (2 + common.len())) as u64;
            self.disjunctions((tables, task), landmarks, number, (&achievers, &common));
        }
    }

    /// Adds disjunctive landmarks: if each of these operators requires a proposition of the same
    /// fact, one of those has to hold.
    fn disjunctions(
        &self,
        (tables, task): (&Operators, &Task),
        landmarks: &mut Landmarks,
        number: u32,
        (operators, common): (&[u32], &[u32]),
    ) {
        let mut by_fact: FxHashMap<u32, (usize, usize, Vec<u32>)> = FxHashMap::default();
        for (place, operator) in operators.iter().enumerate() {
            for proposition in tables.preconditions.row(*operator) {
                let fact = match tables.propositions.literals[*proposition as usize] {
                    Some(Literal::Is(variable, true)) => task.booleans.tuple(variable)[0],
                    Some(Literal::Object(variable, _)) => task.valued.tuple(variable)[0],
                    _ => continue,
                };
                if common.contains(proposition) {
                    continue;
                }
                let (count, last, all) = by_fact.entry(fact).or_insert((0, usize::MAX, vec![]));
                if *last != place {
                    (*count, *last) = (*count + 1, place);
                }
                if all.len() <= MAX_DISJUNCTS && !all.contains(proposition) {
                    all.push(*proposition);
                }
            }
        }
        let mut found: Vec<Vec<u32>> = vec![];
        for (count, _, mut all) in by_fact.into_values() {
            let is_new = |p: &u32| {
                !self.is_initial[*p as usize] && !landmarks.by_proposition.contains_key(p)
            };
            if count == operators.len() && all.len() <= MAX_DISJUNCTS && all.iter().all(is_new) {
                all.sort_unstable();
                found.push(all);
            }
        }
        found.sort_unstable();
        for all in found {
            let literals = all.iter().filter_map(|proposition| {
                let literal = tables.propositions.literals[*proposition as usize]?;
                Some((*proposition, literal))
            });
            let literals: Vec<(u32, Literal)> = literals.collect();
            let before = landmarks.add(&literals);
            landmarks.order(before, number, true);
        }
    }
}
