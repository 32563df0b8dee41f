//! The pattern of a task network: the calls of its subtasks, and their order.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use taskloom_document::stop::{Stop, Stopped};
use taskloom_document::{BlockId, Name, Param};
use taskloom_domain::Domain;
use taskloom_domain::lang::typed::{Call, Term};
use taskloom_domain::method::Content;
use taskloom_domain::records::Compound;
use taskloom_domain::text::TypedText;
use taskloom_planner::compile;
use taskloom_planner::plan::GroundTask;

/// A task network: one resolution of a flowchart, the tasks found for a task's goal, or the tasks of a scenario.
#[derive(Debug)]
pub struct Pattern {
    /// `None` if it isn't drawn: its tasks are a sequence.
    pub resolution: Option<compile::Method>,
    /// `true` if its tasks were found by a search for the goal of the task that owns it.
    pub is_by_goal: bool,
    /// Its subtasks, in an order consistent with its orderings.
    pub subtasks: Vec<Subtask>,
    /// The direct orderings of the subtasks.
    pub order: Vec<(u32, u32)>,
    /// The direct predecessors and direct successors of each.
    pub before: Vec<Vec<u32>>,
    pub after: Vec<Vec<u32>>,
    /// Its Bind blocks and their variables, in order of resolution.
    pub binds: Vec<(BlockId, Param)>,
    /// The Bind blocks before each block: later variables shadow earlier ones and the task's
    /// parameters.
    known: FxHashMap<BlockId, Vec<usize>>,
    /// The best order for matching its subtasks: those with known arguments first.
    pub matching: Vec<u32>,
    /// The last earlier subtask that is interchangeable with each.
    pub twin: Vec<Option<u32>>,
    /// The first later subtask that is interchangeable with each.
    pub next_twin: Vec<Option<u32>>,
    /// `true` for each subtask if others than its twins, matched later, do the same task.
    pub is_shared: Vec<bool>,
}

/// A required subtask.
#[derive(Debug, Clone, PartialEq)]
pub struct Subtask {
    /// `None` if it isn't drawn.
    pub block: Option<BlockId>,
    /// `true` if that block is in the background.
    pub is_background: bool,
    /// The call as typed.
    pub text: String,
    pub task: Name,
    pub args: Vec<Arg>,
}

/// An argument of a subtask.
#[derive(Debug, Clone, PartialEq)]
pub enum Arg {
    Object(Name),
    /// A parameter of the task that owns the network.
    Param(usize),
    /// The variable of a Bind block, by number.
    Variable(usize),
    /// Its value depends on the state.
    Value(Term),
}

impl Pattern {
    /// Returns the network of a resolution.
    ///
    /// # Errors
    /// A message if a call is invalid.
    pub fn of_resolution(
        domain: &Domain,
        compound: &Compound,
        resolution: compile::Method,
        stop: &Stop,
    ) -> Result<Self, String> {
        let record = &compound.record;
        let method = domain.method(compound);
        let binds = resolution.blocks.iter().filter_map(|id| {
            let (id, block) = record.method.blocks.get_key_value(id)?;
            Some((id.clone(), block.binds()?.clone()))
        });
        let binds: Vec<(BlockId, Param)> = binds.collect();
        let known = known(&resolution, &binds);
        let mut subtasks = vec![];
        for id in &resolution.tasks {
            if stop.after(8) {
                return Err(Stopped.to_string());
            }
            let content = method.and_then(|method| {
                let position = method.position(id)?;
                Some(domain.content(method, position))
            });
            let Some(call) = content.and_then(Content::call) else {
                continue;
            };
            let own = known.get(id).map(Vec::as_slice).unwrap_or_default();
            let mut subtask = subtask(call, |variable| {
                let is_it = |bind: &&usize| {
                    let bind = binds.get(**bind);
                    bind.is_some_and(|(_, param)| param.name == *variable)
                };
                match own.iter().rev().find(is_it) {
                    Some(bind) => Some(Arg::Variable(*bind)),
                    None => {
                        let at = record.params.iter().position(|p| p.name == *variable);
                        at.map(Arg::Param)
                    }
                }
            })?;
            subtask.block = Some(id.clone());
            let block = record.method.blocks.get(id);
            subtask.is_background = block.is_some_and(|block| block.is_background());
            subtasks.push(subtask);
        }
        let order = resolution.order.iter();
        let order = order.map(|(a, b)| (*a as u32, *b as u32)).collect();
        let mut pattern = Self::new(subtasks, order);
        pattern.resolution = Some(resolution);
        pattern.binds = binds;
        pattern.known = known;
        Ok(pattern)
    }

    /// Returns the network of an actor's tasks.
    ///
    /// # Errors
    /// A message if a call is invalid.
    pub fn of_calls<'c>(calls: impl Iterator<Item = &'c TypedText<Call>>) -> Result<Self, String> {
        let subtasks = calls.map(|call| subtask(call, |_| None));
        Ok(Self::sequence(subtasks.collect::<Result<_, _>>()?))
    }

    /// Returns the network of exactly these tasks.
    pub fn of_tasks<'t>(tasks: impl Iterator<Item = &'t GroundTask>) -> Self {
        let subtasks = tasks.map(|task| Subtask {
            block: None,
            is_background: false,
            text: task.to_string(),
            task: task.task.clone(),
            args: task.args.iter().cloned().map(Arg::Object).collect(),
        });
        Self::sequence(subtasks.collect())
    }

    fn sequence(subtasks: Vec<Subtask>) -> Self {
        let last = (subtasks.len() as u32).saturating_sub(1);
        Self::new(subtasks, (0..last).map(|n| (n, n + 1)).collect())
    }

    fn new(subtasks: Vec<Subtask>, order: Vec<(u32, u32)>) -> Self {
        let mut before = vec![vec![]; subtasks.len()];
        let mut after = vec![vec![]; subtasks.len()];
        for (first, second) in &order {
            if let Some(after) = after.get_mut(*first as usize) {
                after.push(*second);
            }
            if let Some(before) = before.get_mut(*second as usize) {
                before.push(*first);
            }
        }
        for list in before.iter_mut().chain(&mut after) {
            list.sort_unstable();
        }
        let mut pattern = Self {
            resolution: None,
            is_by_goal: false,
            matching: matching(&subtasks),
            twin: vec![None; subtasks.len()],
            next_twin: vec![None; subtasks.len()],
            is_shared: vec![false; subtasks.len()],
            subtasks,
            order,
            before,
            after,
            binds: vec![],
            known: FxHashMap::default(),
        };
        pattern.find_twins();
        pattern.find_shared();
        pattern
    }

    fn find_shared(&mut self) {
        // The first twin of each.
        let mut first: Vec<usize> = vec![];
        for (number, twin) in self.twin.iter().enumerate() {
            let of = twin.and_then(|twin| first.get(twin as usize).copied());
            first.push(of.unwrap_or(number));
        }
        // For each task, a later subtask that does it, and one that isn't its twin.
        let mut later: FxHashMap<&Name, (usize, Option<usize>)> = FxHashMap::default();
        for number in self.matching.iter().rev() {
            let number = *number as usize;
            let (Some(subtask), Some(own)) = (self.subtasks.get(number), first.get(number)) else {
                continue;
            };
            let known = later.entry(&subtask.task).or_insert((*own, None));
            if known.0 != *own {
                known.1 = Some(*own);
            }
            if let Some(shared) = self.is_shared.get_mut(number) {
                *shared = known.0 != *own || known.1.is_some();
            }
        }
    }

    /// Finds interchangeable subtasks: those with the same call, the same predecessors and the same
    /// successors.
    fn find_twins(&mut self) {
        type Place<'p> = (&'p Name, &'p [u32], &'p [u32]);
        let mut alike: FxHashMap<Place, Vec<u32>> = FxHashMap::default();
        let subtasks = self.subtasks.iter().zip(&self.before).zip(&self.after);
        for (number, ((subtask, before), after)) in (0u32..).zip(subtasks) {
            let same = alike.entry((&subtask.task, before, after)).or_default();
            // Where many are alike they are adjacent: only the last ones are checked.
            let is_twin = |other: &&u32| {
                let other = self.subtasks.get(**other as usize);
                other.is_some_and(|other| other.args == subtask.args)
            };
            let twin = same.iter().rev().take(64).find(is_twin).copied();
            if let (Some(twin), Some(own)) = (twin, self.twin.get_mut(number as usize)) {
                *own = Some(twin);
                if let Some(next) = self.next_twin.get_mut(twin as usize) {
                    *next = Some(number);
                }
            }
            same.push(number);
        }
    }

    /// Returns the Bind blocks whose variables are known at a block, by number.
    pub fn known_at(&self, block: &BlockId) -> &[usize] {
        self.known.get(block).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns `true` if its subtasks are a sequence.
    pub fn is_sequence(&self) -> bool {
        let pairs = (0u32..).zip(1u32..);
        self.order.len() + 1 == self.subtasks.len()
            && self.order.iter().copied().eq(pairs.take(self.order.len()))
    }
}

fn subtask(
    read: &TypedText<Call>,
    variable: impl Fn(&Name) -> Option<Arg>,
) -> Result<Subtask, String> {
    let text = read.text.trim();
    let unreadable = || format!("'{text}' is invalid");
    let call = read.value.as_ref().ok_or_else(unreadable)?;
    let args = call.args.iter().map(|arg| match arg {
        Term::Object(name) => Some(Arg::Object(name.clone())),
        Term::Variable(name) => variable(name),
        Term::Me | Term::Fact(..) => Some(Arg::Value(arg.clone())),
    });
    Ok(Subtask {
        block: None,
        is_background: false,
        text: text.to_owned(),
        task: call.name.clone(),
        args: args.collect::<Option<_>>().ok_or_else(unreadable)?,
    })
}

/// Returns the Bind blocks before each block of a resolution, by number.
fn known(
    resolution: &compile::Method,
    binds: &[(BlockId, Param)],
) -> FxHashMap<BlockId, Vec<usize>> {
    let mut known: FxHashMap<BlockId, Vec<usize>> = FxHashMap::default();
    if binds.is_empty() {
        return known;
    }
    let mut wires: FxHashMap<&BlockId, Vec<&BlockId>> = FxHashMap::default();
    for wire in &*resolution.wires {
        wires.entry(&wire.from).or_default().push(&wire.to);
    }
    for id in &*resolution.blocks {
        let mut passed = known.get(id).cloned().unwrap_or_default();
        passed.extend(binds.iter().position(|(bind, _)| bind == id));
        if passed.is_empty() {
            continue;
        }
        for to in wires.get(id).into_iter().flatten() {
            let own = known.entry((*to).clone()).or_default();
            own.extend(passed.iter().copied());
            own.sort_unstable();
            own.dedup();
        }
    }
    known
}

/// Returns the matching order: fully known subtasks first, then always the one most determined by
/// those before.
fn matching(subtasks: &[Subtask]) -> Vec<u32> {
    let mut order = vec![];
    // The occurrences of each variable; and for each subtask, the numbers of its unbound and bound
    // variable occurrences.
    let mut places: FxHashMap<usize, Vec<u32>> = FxHashMap::default();
    let mut scores: Vec<(usize, usize)> = vec![];
    // The next one has the smallest key: the first one among equals.
    let key = |(free, joined): (usize, usize), number: u32| (free, usize::MAX - joined, number);
    let mut open = BTreeSet::new();
    for (number, subtask) in (0u32..).zip(subtasks) {
        let mut free = 0;
        for arg in &subtask.args {
            if let Arg::Variable(variable) = arg {
                free += 1;
                places.entry(*variable).or_default().push(number);
            }
        }
        scores.push((free, 0));
        let mut args = subtask.args.iter();
        if args.all(|arg| matches!(arg, Arg::Object(_) | Arg::Param(_))) {
            order.push(number);
        } else {
            open.insert(key((free, 0), number));
        }
    }
    while let Some((_, _, number)) = open.pop_first() {
        order.push(number);
        let own = subtasks.get(number as usize).into_iter();
        for arg in own.flat_map(|subtask| &subtask.args) {
            let Arg::Variable(variable) = arg else {
                continue;
            };
            for place in places.remove(variable).into_iter().flatten() {
                let Some(score) = scores.get_mut(place as usize) else {
                    continue;
                };
                let was_open = open.remove(&key(*score, place));
                *score = (score.0 - 1, score.1 + 1);
                if was_open {
                    open.insert(key(*score, place));
                }
            }
        }
    }
    order
}
