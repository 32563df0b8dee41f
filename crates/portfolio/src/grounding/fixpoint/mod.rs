//! Computes all tuples derived by the rules, joining each new one once with the existing ones
//! (semi-naive evaluation).

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

mod filter;
mod plan;

use super::rules::{Filter, Program};
use crate::lifted::condition::Arg;
use crate::lifted::model::Model;
use crate::relation::Relation;
use taskloom_planner::search_kit::{MemoryUse, NONE};

/// The role of a tuple position for the variables.
#[derive(Debug, Clone, Copy)]
enum Place {
    /// Assigns a variable its value.
    Bind(u32, u32),
    /// Must equal an object or a variable bound before.
    Equal(u32, Arg),
}

/// A step of a join. It either tests a condition or iterates over alternatives.
#[derive(Debug)]
enum Step {
    /// Iterates over tuples that match the key in an index's positions.
    Each {
        relation: u32,
        index: u32,
        key: Box<[Arg]>,
        rest: Box<[Place]>,
    },
    /// Requires a tuple to exist.
    Test(u32, Box<[Arg]>),
    /// Iterates over the objects of a type.
    Object(u32, u32),
    /// Assigns a variable the only possible object.
    Assign(u32, Arg),
    /// Tests the type of the variable's object.
    Type(u32, u32),
    Filter(Filter),
}

/// A join of a new tuple of one body atom with the others.
#[derive(Debug)]
struct Join {
    rule: u32,
    start: Box<[Place]>,
    steps: Vec<Step>,
}

/// The rules and their tuples.
#[derive(Debug)]
pub struct Fixpoint {
    pub program: Program,
    pub relations: Vec<Relation>,
    /// For each predicate, the number of tuples that are true initially.
    pub initial: Vec<u32>,
    /// Type membership: by type, then object.
    is_of: Vec<Vec<bool>>,
    /// By relation: the joins that its new tuples start.
    joins: Vec<Vec<Join>>,
    /// For each relation, the number of tuples that have been joined.
    joined: Vec<u32>,
    /// Relations with new tuples.
    pending: VecDeque<u32>,
    is_pending: Vec<bool>,
    running: Running,
    scratch: Scratch,
    /// Cached fan-outs of the relations' tuples, by their positions.
    fan_outs: FxHashMap<(u32, Vec<u32>), f64>,
}

/// The position within the joins of the current tuple; the variables' values and the steps' cursors
/// are in the scratch memory.
#[derive(Debug, Default)]
struct Running {
    /// The index among the joins that the tuple's relation starts.
    join: usize,
    has_begun: bool,
    /// The step to try, and `true` if it is tried for the first time.
    depth: usize,
    first: bool,
    /// The number of tuples examined.
    examined: u64,
}

#[derive(Debug, Default)]
struct Scratch {
    binding: Vec<u32>,
    cursors: Vec<u32>,
    tuple: Vec<u32>,
}

/// The approximate memory use of a rule and its joins.
const BYTES_A_RULE: usize = 600;

/// The maximum number of tuples that the join of one tuple may examine.
const LONGEST_JOIN: u64 = 50_000_000;

/// A join takes too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLarge;

impl Fixpoint {
    pub fn new(model: &Model) -> Self {
        let program = Program::new(model);
        let arities = program.arities.iter();
        let mut relations: Vec<Relation> = arities.map(|a| Relation::new(*a)).collect();
        for atom in &*model.initial {
            relations[atom[0] as usize].insert(&atom[1..]);
        }
        let initial: Vec<u32> = relations[..model.predicates.len()]
            .iter()
            .map(Relation::len)
            .collect();
        let is_of = model.types.iter().map(|objects| {
            let mut is_of = vec![false; model.objects as usize];
            objects.iter().for_each(|o| is_of[*o as usize] = true);
            is_of
        });
        let mut fixpoint = Self {
            is_of: is_of.collect(),
            joins: relations.iter().map(|_| vec![]).collect(),
            joined: vec![0; relations.len()],
            is_pending: vec![false; relations.len()],
            pending: VecDeque::new(),
            relations,
            program,
            initial,
            running: Running::default(),
            scratch: Scratch::default(),
            fan_outs: FxHashMap::default(),
        };
        fixpoint.plan(model);
        // Initially true tuples are joined with every task when it is called.
        for (joined, initial) in fixpoint.joined.iter_mut().zip(&fixpoint.initial) {
            *joined = *initial;
        }
        for (task, args) in &model.roots {
            let called = fixpoint.program.called[*task as usize];
            if fixpoint.relations[called as usize].insert(args).is_some() {
                fixpoint.wake(called);
            }
        }
        fixpoint
    }

    /// Returns the approximate memory use. Recomputes the sum over all relations.
    pub fn memory_use(&self) -> MemoryUse {
        let relations = self.relations.iter().map(Relation::memory_use);
        let rules = self.program.rules.len() * BYTES_A_RULE;
        MemoryUse::of_vec(&self.relations) + relations.sum() + MemoryUse::fixed(rules)
    }

    fn wake(&mut self, relation: u32) {
        if !std::mem::replace(&mut self.is_pending[relation as usize], true) {
            self.pending.push_back(relation);
        }
    }

    /// Joins new tuples until the budget `left` is used up. Returns `true` once all are done.
    pub fn step(&mut self, model: &Model, left: &mut i64) -> Result<bool, TooLarge> {
        while let Some(relation) = self.pending.front().copied() {
            let of = relation as usize;
            if self.joined[of] == self.relations[of].len() {
                self.pending.pop_front();
                self.is_pending[of] = false;
                continue;
            }
            if *left <= 0 {
                return Ok(false);
            }
            *left -= 1;
            // Joins are moved out while they run, since they add tuples.
            let joins = std::mem::take(&mut self.joins[of]);
            let result = self.run(model, relation, &joins, left);
            self.joins[of] = joins;
            if !result? {
                return Ok(false);
            }
            self.joined[of] += 1;
        }
        Ok(true)
    }

    fn value(&self, arg: Arg) -> u32 {
        arg.object(&self.scratch.binding)
    }

    fn fits(&mut self, relation: u32, number: u32, places: &[Place]) -> bool {
        let tuple = self.relations[relation as usize].tuple(number);
        for place in places {
            match *place {
                Place::Bind(at, variable) => {
                    self.scratch.binding[variable as usize] = tuple[at as usize];
                }
                Place::Equal(at, arg) => {
                    let value = match arg {
                        Arg::Object(object) => object,
                        Arg::Variable(v) => self.scratch.binding[v as usize],
                    };
                    if value != tuple[at as usize] {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Runs all joins of the next new tuple of a relation. Returns `true` once done.
    fn run(
        &mut self,
        model: &Model,
        relation: u32,
        joins: &[Join],
        left: &mut i64,
    ) -> Result<bool, TooLarge> {
        while let Some(join) = joins.get(self.running.join) {
            if !self.running.has_begun {
                let frame = self.program.rules[join.rule as usize].frame as usize;
                let binding = &mut self.scratch.binding;
                binding.resize(binding.len().max(frame), NONE);
                self.scratch.cursors.clear();
                let number = self.joined[relation as usize];
                if !self.fits(relation, number, &join.start) {
                    self.running.join += 1;
                    continue;
                }
                (self.running.has_begun, self.running.first) = (true, true);
            }
            if !self.run_join(model, join, left)? {
                return Ok(false);
            }
            self.running = Running {
                join: self.running.join + 1,
                ..Running::default()
            };
        }
        self.running = Running::default();
        Ok(true)
    }

    /// Continues a join, with an explicit stack of cursors. Returns `true` once done.
    fn run_join(&mut self, model: &Model, join: &Join, left: &mut i64) -> Result<bool, TooLarge> {
        let mut cursors = std::mem::take(&mut self.scratch.cursors);
        let Running {
            mut depth,
            mut first,
            mut examined,
            ..
        } = self.running;
        let result = loop {
            let advanced = match join.steps.get(depth) {
                None => {
                    self.derive(join.rule as usize);
                    false
                }
                Some(step) => {
                    if *left <= 0 || model.problem.stop().is_cancelled() {
                        break Ok(false);
                    }
                    *left -= 1;
                    examined += 1;
                    if examined > LONGEST_JOIN {
                        break Err(TooLarge);
                    }
                    if first {
                        cursors.push(NONE);
                    }
                    let advanced = self.advance(model, step, &mut cursors[depth], first);
                    if !advanced {
                        cursors.pop();
                    }
                    advanced
                }
            };
            if advanced {
                (depth, first) = (depth + 1, true);
            } else if depth == 0 {
                break Ok(true);
            } else {
                (depth, first) = (depth - 1, false);
            }
        };
        self.scratch.cursors = cursors;
        let running = &mut self.running;
        (running.depth, running.first, running.examined) = (depth, first, examined);
        result
    }

    /// Moves a step to its first or next alternative. Returns `false` if there is none.
    fn advance(&mut self, model: &Model, step: &Step, cursor: &mut u32, first: bool) -> bool {
        match step {
            Step::Each {
                relation,
                index,
                key,
                rest,
            } => {
                *cursor = if first {
                    let mut tuple = std::mem::take(&mut self.scratch.tuple);
                    tuple.clear();
                    tuple.extend(key.iter().map(|a| self.value(*a)));
                    let found = self.relations[*relation as usize].first(*index, &tuple);
                    self.scratch.tuple = tuple;
                    found
                } else {
                    self.relations[*relation as usize].next(*index, *cursor)
                };
                while *cursor != NONE {
                    if self.fits(*relation, *cursor, rest) {
                        return true;
                    }
                    if model.problem.stop().after(1) {
                        return false;
                    }
                    *cursor = self.relations[*relation as usize].next(*index, *cursor);
                }
                false
            }
            Step::Object(variable, of) => {
                *cursor = if first { 0 } else { *cursor + 1 };
                let object = model.types[*of as usize].get(*cursor as usize);
                if let Some(object) = object {
                    self.scratch.binding[*variable as usize] = *object;
                }
                object.is_some()
            }
            _ if !first => false,
            Step::Test(relation, args) => {
                let mut tuple = std::mem::take(&mut self.scratch.tuple);
                tuple.clear();
                tuple.extend(args.iter().map(|a| self.value(*a)));
                let found = self.relations[*relation as usize].find(&tuple).is_some();
                self.scratch.tuple = tuple;
                found
            }
            Step::Assign(variable, from) => {
                self.scratch.binding[*variable as usize] = self.value(*from);
                true
            }
            Step::Type(variable, of) => {
                let object = self.scratch.binding[*variable as usize];
                let is_of = self.is_of[*of as usize].get(object as usize);
                is_of.copied().unwrap_or(false)
            }
            Step::Filter(filter) => self.may_hold(model, filter),
        }
    }

    fn derive(&mut self, rule: usize) {
        let mut tuple = std::mem::take(&mut self.scratch.tuple);
        let rule = &self.program.rules[rule];
        let head = rule.head;
        tuple.clear();
        tuple.extend(rule.args.iter().map(|a| self.value(*a)));
        let relation = &mut self.relations[head as usize];
        if tuple.len() == relation.arity() && relation.insert(&tuple).is_some() {
            self.wake(head);
        }
        self.scratch.tuple = tuple;
    }
}
