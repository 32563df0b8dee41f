//! Partially ordered networks: open tasks and their predecessors.
//!
//! A task is decomposed before it is known whether the method's condition will hold. The condition
//! becomes a task of its own before the subtasks, which is completed as soon as it holds. So the
//! order in which compound tasks are decomposed makes no difference, and only one is considered:
//! the one with the fewest methods. Only when no compound task is open, the applicable actions are
//! the choices.
//!
//! Forced moves are made at once: conditions that hold, tasks with one method, applicable actions
//! whose effects nothing ever undoes and no condition contradicts.
//!
//! Networks are stored in an order that depends only on their structure, so that equal ones get the
//! same number.

use smallvec::SmallVec;

mod canonical;

use super::best_first::{Networks, Taken};
use super::relax::{Relaxed, Unknown};
use super::replay::Record;
use super::state;
use crate::grounding::ground::Ground;
use crate::lifted::model::Model;
use taskloom_planner::search_kit::{MemoryUse, NONE, TupleTable};

/// The maximum number of forced moves in a row, before other nodes get their turn.
const FORCED: u32 = 10_000;

/// An open task.
#[derive(Debug, Clone)]
struct Item {
    /// A task, or, numbered after the tasks, the method whose condition must be met.
    code: u32,
    /// The positions of its predecessors.
    before: SmallVec<[u32; 4]>,
    tag: u32,
}

/// The networks reached so far.
#[derive(Debug)]
pub struct Partial {
    /// The encoded networks: for each task its code, the number of its predecessors, and their
    /// positions, which are smaller.
    networks: TupleTable,
    /// The direct orderings of the subtasks of each of the model's methods.
    orders: Vec<Vec<(u32, u32)>>,
    /// Actions that can safely be executed whenever they are applicable.
    is_harmless: Vec<bool>,
    root: u32,
    effort: u64,
    /// The tags of the last network reached, in its order.
    tags: Vec<u32>,
}

impl Partial {
    /// Creates the initial network: the roots in sequence.
    pub fn new(ground: &Ground, model: &Model) -> Self {
        let mut partial = Self {
            networks: TupleTable::default(),
            orders: model.methods.iter().map(|m| m.order.clone()).collect(),
            is_harmless: harmless(ground),
            root: 0,
            effort: 0,
            tags: vec![],
        };
        let roots = (0u32..).zip(&ground.roots).map(|(n, root)| Item {
            code: *root,
            before: n.checked_sub(1).into_iter().collect(),
            tag: 0,
        });
        partial.root = partial.write(roots.collect());
        partial.tags.clear();
        partial
    }

    fn read(&self, network: u32) -> Vec<Item> {
        let mut parts = self.networks.tuple(network).iter().copied();
        let mut items = vec![];
        while let (Some(code), Some(count)) = (parts.next(), parts.next()) {
            items.push(Item {
                code,
                before: parts.by_ref().take(count as usize).collect(),
                tag: self.tags.get(items.len()).copied().unwrap_or(NONE),
            });
        }
        items
    }

    /// Stores a network and returns its number; the tags follow its order.
    fn write(&mut self, items: Vec<Item>) -> u32 {
        let order = canonical::order(&items);
        let mut position = vec![0u32; items.len()];
        for (new, old) in (0u32..).zip(&order) {
            position[*old as usize] = new;
        }
        let mut parts = vec![];
        self.tags.clear();
        for old in order {
            let item = &items[old as usize];
            parts.push(item.code);
            parts.push(item.before.len() as u32);
            let from = parts.len();
            parts.extend(item.before.iter().map(|b| position[*b as usize]));
            parts[from..].sort();
            self.tags.push(item.tag);
        }
        self.networks.intern(&parts)
    }

    /// Replaces an open task by the network of a method.
    fn decompose(
        &self,
        ground: &Ground,
        items: &mut Vec<Item>,
        at: usize,
        method: u32,
        state: &[u32],
        record: &mut impl Record,
    ) {
        let tag = items[at].tag;
        let subtasks = ground.subtasks(method);
        let order = &self.orders[ground.methods.lifted[method as usize] as usize];
        let first_tag = record.decompose(tag, method);
        let waits = !state::method_applies(ground, state, method);
        // The task's position is reused for its condition or first subtask.
        let mut first = items.len() as u32;
        if waits {
            items[at] = Item {
                code: ground.tasks + method,
                before: SmallVec::new(),
                tag,
            };
        }
        for (number, task) in (0u32..).zip(subtasks) {
            let own = order.iter().filter(|(_, to)| *to == number);
            let mut before: SmallVec<[u32; 4]> = own.map(|(from, _)| first + from).collect();
            if before.is_empty() && waits {
                before.push(at as u32);
            }
            items.push(Item {
                code: *task,
                before,
                tag: first_tag + number,
            });
        }
        if subtasks.is_empty() {
            if !waits {
                remove(items, at);
            }
            return;
        }
        let count = subtasks.len() as u32;
        let last = (0..count).filter(|n| !order.iter().any(|(from, _)| from == n));
        let last: SmallVec<[u32; 4]> = last.map(|n| first + n).collect();
        for item in &mut items[..first as usize] {
            if let Some(place) = item.before.iter().position(|b| *b == at as u32) {
                item.before.remove(place);
                item.before.extend_from_slice(&last);
            }
        }
        first += count;
        debug_assert_eq!(first as usize, items.len());
        if !waits {
            remove(items, at);
        }
    }

    /// Makes all forced moves. The heuristic detects tasks that have become impossible.
    fn advance(
        &self,
        ground: &Ground,
        items: &mut Vec<Item>,
        state: &mut [u32],
        record: &mut impl Record,
    ) {
        let mut left = FORCED;
        let mut at = 0;
        // Loop until a full round changes nothing.
        while at < items.len() && left > 0 {
            let Item {
                code,
                ref before,
                tag,
                ..
            } = items[at];
            if ground.stop.after(1) {
                break;
            }
            if !before.is_empty() {
                at += 1;
                continue;
            }
            if let Some(method) = code.checked_sub(ground.tasks) {
                if state::method_applies(ground, state, method) {
                    record.meet(tag);
                    ground.stop.after(items.len() / 8);
                    remove(items, at);
                    (at, left) = (0, left - 1);
                    continue;
                }
            } else if code < ground.actions {
                if self.is_harmless[code as usize] && state::applies(ground, state, code) {
                    state::apply(ground, state, code);
                    record.act(tag);
                    ground.stop.after(items.len() / 8);
                    remove(items, at);
                    (at, left) = (0, left - 1);
                    continue;
                }
            } else {
                let methods = ground.methods_of(code);
                if methods.len() == 1 {
                    self.decompose(ground, items, at, methods.start, state, record);
                    (at, left) = (0, left - 1);
                    continue;
                }
            }
            at += 1;
        }
    }

    /// Returns the position of the open compound task to decompose.
    fn compound(&self, ground: &Ground, items: &[Item]) -> Option<usize> {
        let open = items.iter().enumerate();
        let open = open.filter(|(_, i)| i.before.is_empty());
        let open = open.filter(|(_, i)| (ground.actions..ground.tasks).contains(&i.code));
        open.min_by_key(|(_, i)| ground.methods_of(i.code).len())
            .map(|(at, _)| at)
    }
}

impl Networks for Partial {
    fn root(&self) -> u32 {
        self.root
    }

    fn choices(&self, ground: &Ground, network: u32) -> u32 {
        let items = self.read(network);
        match self.compound(ground, &items) {
            Some(at) => ground.methods_of(items[at].code).len() as u32,
            None => items.iter().filter(|i| i.before.is_empty()).count() as u32,
        }
    }

    fn take(
        &mut self,
        ground: &Ground,
        state: &mut [u32],
        network: u32,
        choice: u32,
        record: &mut impl Record,
    ) -> Taken {
        if network == self.root && record.needs_tags() && self.tags.is_empty() {
            let tags = (0..ground.roots.len() as u32).map(|r| record.root(r));
            self.tags = tags.collect();
        }
        let mut items = self.read(network);
        ground.stop.after(items.len());
        self.effort += 16 * items.len() as u64;
        match self.compound(ground, &items) {
            Some(at) => {
                let method = ground.methods_of(items[at].code).start + choice;
                self.decompose(ground, &mut items, at, method, state, record);
            }
            None => {
                let Some(at) = applicable(ground, state, &items, choice) else {
                    return Taken::Dead;
                };
                state::apply(ground, state, items[at].code);
                record.act(items[at].tag);
                remove(&mut items, at);
            }
        }
        self.advance(ground, &mut items, state, record);
        if items.is_empty() {
            return Taken::Done;
        }
        let network = self.write(items);
        if !record.needs_tags() {
            self.tags.clear();
        }
        Taken::Open(network)
    }

    fn call(
        &self,
        ground: &Ground,
        relaxed: &mut Relaxed,
        network: u32,
        _: u32,
    ) -> Result<u32, Unknown> {
        let items = self.read(network);
        let codes = items.iter().map(|i| i.code);
        let tasks = codes.clone().filter(|c| *c < ground.tasks);
        relaxed.call_all(tasks);
        let mut sum = 0u32;
        for code in codes {
            match code.checked_sub(ground.tasks) {
                Some(method) => {
                    for literal in ground.needs(ground.actions + method) {
                        sum = sum.saturating_add(relaxed.ask_literal(ground, *literal)?);
                    }
                }
                None => sum = sum.saturating_add(relaxed.call_task(ground, code)?),
            }
        }
        Ok(sum)
    }

    fn rest(&self, _: u32, _: u32) -> u32 {
        0
    }

    /// It always considers all tasks.
    fn set_border(&mut self, _: u32, _: u32) {}

    fn has_crossed(&self) -> bool {
        false
    }

    fn memory_use(&self) -> MemoryUse {
        self.networks.memory_use() + MemoryUse::fixed(self.is_harmless.len())
    }

    fn effort(&self) -> u64 {
        self.effort
    }
}

/// Returns the position of the open action of a choice, or `None` if it is not applicable or an
/// earlier choice is equivalent.
fn applicable(ground: &Ground, state: &[u32], items: &[Item], choice: u32) -> Option<usize> {
    let open = (0..items.len()).filter(|i| items[*i].before.is_empty());
    let at = open.clone().nth(choice as usize)?;
    let code = items[at].code;
    let is_repeated = || {
        open.take(choice as usize)
            .any(|o| is_equivalent(items, o, at))
    };
    let is_possible =
        code < ground.actions && !is_repeated() && state::applies(ground, state, code);
    is_possible.then_some(at)
}

/// Returns `true` if two open tasks are the same and have the same successors.
fn is_equivalent(items: &[Item], a: usize, b: usize) -> bool {
    items[a].code == items[b].code
        && items
            .iter()
            .all(|item| item.before.contains(&(a as u32)) == item.before.contains(&(b as u32)))
}

/// Removes an open task; the last one takes its position.
fn remove(items: &mut Vec<Item>, at: usize) {
    items.swap_remove(at);
    let moved = items.len() as u32;
    for item in items {
        item.before.retain(|b| *b != at as u32);
        for before in &mut item.before {
            if *before == moved {
                *before = at as u32;
            }
        }
    }
}

/// Returns the actions whose effects nothing ever undoes and no condition contradicts.
fn harmless(ground: &Ground) -> Vec<bool> {
    let atoms = ground.atoms as usize;
    let mut required = vec![false; atoms * 2];
    let mut require = |literal: &u32| required[*literal as usize] = true;
    for row in 0..ground.preconditions.literals.len() {
        ground.needs(row).iter().for_each(&mut require);
    }
    ground
        .preconditions
        .conditions
        .iter()
        .for_each(|t| t.each_literal(&mut require));
    let whens = ground.effects.conditionals.iter().map(|c| &c.when);
    whens.for_each(|w| w.each_literal(&mut require));
    let mut made = vec![false; atoms * 2];
    for action in 0..ground.actions {
        let adds = ground.effects.adds.row(action).iter().map(|a| a << 1);
        let deletes = ground
            .effects
            .deletes
            .row(action)
            .iter()
            .map(|a| a << 1 | 1);
        adds.chain(deletes).for_each(|l| made[l as usize] = true);
    }
    for effect in &ground.effects.conditionals {
        made[(effect.atom << 1 | u32::from(!effect.add)) as usize] = true;
    }
    (0..ground.actions)
        .map(|action| {
            let is_free = |literal: u32| {
                let other = literal as usize ^ 1;
                !required[other] && !made[other]
            };
            ground.effects.conditional.row(action).is_empty()
                && ground
                    .effects
                    .adds
                    .row(action)
                    .iter()
                    .all(|a| is_free(a << 1))
                && ground
                    .effects
                    .deletes
                    .row(action)
                    .iter()
                    .all(|a| is_free(a << 1 | 1))
        })
        .collect()
}
