//! A part of a flowchart, and whether a separate task could replace it.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

use crate::calls::called_task;
use crate::flow::Chart;
use taskloom_document::sort::{map_of, set_of};
use taskloom_document::{BlockId, BlockKind, Document, Flowchart, Name, Port, Wire};

/// In flowcharts with more blocks, any two of them count as possible together.
const MAX_BLOCKS: usize = 2_000;

/// The wires between a part of a flowchart and the rest.
pub struct Region<'a> {
    flow: &'a Flowchart,
    inside: &'a BTreeSet<BlockId>,
    /// The outputs that lead into the part, in the order of their wires.
    pub entered_from: Vec<(&'a BlockId, Port)>,
    /// The blocks of the part that are entered, in the order of their wires.
    pub entries: Vec<&'a BlockId>,
    /// The blocks that the part leads to, in the order of its wires.
    pub exits: Vec<&'a BlockId>,
}

/// Removes duplicates, keeping the first occurrence of each item.
fn once<T: PartialEq>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut found = vec![];
    for item in items {
        if !found.contains(&item) {
            found.push(item);
        }
    }
    found
}

impl<'a> Region<'a> {
    /// Creates the part of a method that these blocks form, if a single task that is entered and
    /// left as a whole could replace it.
    ///
    /// # Errors
    /// Returns a sentence for the designer if that isn't possible.
    pub fn new(flow: &'a Flowchart, inside: &'a BTreeSet<BlockId>) -> Result<Self, String> {
        let within = |id: &BlockId| inside.contains(id);
        let mut inner = inside.iter().filter_map(|id| flow.blocks.get(id));
        if inner.any(|block| block.is_background()) {
            return Err(
                "The selection has a task in the background, which would end with the new task."
                    .into(),
            );
        }
        let entering = flow.wires.iter();
        let entering: Vec<&Wire> = entering
            .filter(|w| !within(&w.from) && within(&w.to))
            .collect();
        let leaving = flow.wires.iter();
        let leaving: Vec<&Wire> = leaving
            .filter(|w| within(&w.from) && !within(&w.to))
            .collect();
        let mut part = Self {
            flow,
            inside,
            entered_from: once(entering.iter().map(|w| (&w.from, w.port))),
            entries: once(entering.iter().map(|w| &w.to)),
            exits: once(leaving.iter().map(|w| &w.to)),
        };
        let has_wire = |(from, port): (&BlockId, Port), to: &BlockId| {
            let mut wires = flow.wires.iter();
            wires.any(|w| w.from == *from && w.port == port && w.to == *to)
        };
        for entry in &part.entries {
            if !part.entered_from.iter().all(|from| has_wire(*from, entry)) {
                return Err(
                    "The selection has several entry blocks with different predecessors, \
                     but a task has a single input."
                        .into(),
                );
            }
        }
        if part.entries.is_empty() {
            let entered = set_of(flow.wires.iter().map(|w| &w.to));
            let first = inside.iter().filter(|id| !entered.contains(id));
            part.entries = first.collect();
        }
        for from in once(leaving.iter().map(|w| (&w.from, w.port))) {
            if !part.exits.iter().all(|exit| has_wire(from, exit)) {
                return Err(
                    "The selection leads to different blocks, but a task has a single output."
                        .into(),
                );
            }
        }
        if !part.exits.is_empty() {
            part.has_no_dead_ends()?;
        }
        if part.reenters() {
            return Err(
                "A path leaves the selection and re-enters it. Select the blocks in between too."
                    .into(),
            );
        }
        Ok(part)
    }

    /// Checks that every path through the part leads on.
    fn has_no_dead_ends(&self) -> Result<(), String> {
        for id in self.inside {
            let Some(block) = self.flow.blocks.get(id) else {
                continue;
            };
            let wired = |port: &Port| {
                let mut wires = self.flow.wires.iter();
                wires.any(|w| w.from == *id && w.port == *port)
            };
            let ports = block.ports();
            let kind = block.kind();
            let ends = if kind.needs_wire() {
                // A side without a wire can't be taken.
                self.flow.muted.contains(id) && !ports.iter().any(wired)
            } else {
                kind.ends() || !ports.iter().all(wired)
            };
            if ends {
                return Err(
                    "One path ends inside the selection and another leaves it, but a task has \
                     a single output."
                        .into(),
                );
            }
        }
        Ok(())
    }

    fn reenters(&self) -> bool {
        let mut met: FxHashSet<&BlockId> = FxHashSet::default();
        let mut open = self.exits.clone();
        while let Some(id) = open.pop() {
            if self.inside.contains(id) {
                return true;
            }
            if met.insert(id) {
                let next = self.flow.wires.iter().filter(|w| w.from == *id);
                open.extend(next.map(|w| &w.to));
            }
        }
        false
    }

    /// Checks that deciding the part later, when a separate task is decomposed, gives the same
    /// plans in the same order.
    ///
    /// # Errors
    /// Returns a sentence for the designer if that isn't so.
    pub fn can_be_decided_later(&self, document: &Document, task: &Name) -> Result<(), String> {
        let Some(chart) = Chart::new(self.flow) else {
            return Err("The flowchart has no Begin.".into());
        };
        let numbers = chart.blocks.iter().enumerate();
        let numbers = map_of(numbers.map(|(number, block)| (&block.id, number)));
        let own = self.inside.iter().filter_map(|id| numbers.get(id).copied());
        let own: Vec<usize> = own.collect();
        let kind = |number: usize| chart.blocks.get(number).map(|block| block.kind);
        let is_task = |n: &usize| {
            chart
                .blocks
                .get(*n)
                .is_some_and(|b| b.block.call().is_some())
        };
        let decides = |n: &usize| kind(*n).is_some_and(BlockKind::decides);
        let is_open = |n: &usize| kind(*n).is_some_and(BlockKind::is_open);
        let others = || (0..chart.blocks.len()).filter(|n| !own.contains(n));
        let steps: Vec<Vec<(u32, usize)>> = (0..chart.blocks.len() as u32)
            .map(|n| {
                let wires = chart
                    .wires
                    .get(chart.wires_from(n).start as usize..chart.wires_from(n).end as usize);
                let wires = wires.unwrap_or_default().iter();
                wires.map(|w| (w.option, w.to as usize)).collect()
            })
            .collect();
        // The blocks that can be reached without passing through the part.
        let apart = reached(&steps, &own);

        let tasks: Vec<usize> = own.iter().copied().filter(is_task).collect();
        if let (Some(first), Some(last)) = (tasks.iter().min(), tasks.iter().max()) {
            let parallel = together(&steps, &tasks);
            let between = |n: &usize| is_task(n) && parallel[*n] && n > first && n < last;
            if others().any(|n| between(&n)) {
                return Err(
                    "Another task may run in between, and would be tried in a different order."
                        .into(),
                );
            }
        }
        let deciding: Vec<usize> = own.iter().copied().filter(decides).collect();
        if deciding.is_empty() {
            return Ok(());
        }
        let parallel = together(&steps, &deciding);
        if others().any(|n| is_task(&n) && parallel[n] && apart[n]) {
            return Err(
                "Its conditions and choices would be decided after another task of the \
                 method, and not before it as now."
                    .into(),
            );
        }
        let choosing: Vec<usize> = own.iter().copied().filter(is_open).collect();
        if let Some(first) = choosing.iter().min() {
            let parallel = together(&steps, &choosing);
            if others().any(|n| is_open(&n) && parallel[n] && n > *first) {
                return Err(
                    "Its alternatives would be tried in a different order: a Choice or Bind \
                     that comes later now would come first."
                        .into(),
                );
            }
        }
        match parallel_caller(document, task) {
            Some(caller) => Err(format!(
                "Its conditions and choices would be decided later, and '{caller}' lets other \
                 tasks run in between."
            )),
            None => Ok(()),
        }
    }
}

/// Returns, for each block, `true` if Begin, the first block, leads to it without passing through
/// these.
fn reached(steps: &[Vec<(u32, usize)>], without: &[usize]) -> Vec<bool> {
    let mut met = vec![false; steps.len()];
    let mut open = vec![0];
    while let Some(n) = open.pop() {
        if !without.contains(&n) && !std::mem::replace(&mut met[n], true) {
            open.extend(steps[n].iter().map(|(_, to)| *to));
        }
    }
    met
}

/// Returns, for each block, `true` if it can be present together with one of these. Every wire
/// leads from a lower number to a higher one. Two paths from Begin, of which the one that is behind
/// always advances, meet in every block that is on both, and must leave it by the same output.
fn together(steps: &[Vec<(u32, usize)>], these: &[usize]) -> Vec<bool> {
    let count = steps.len();
    if count > MAX_BLOCKS {
        return vec![true; count];
    }
    let mut leads_to = vec![false; count];
    for n in (0..count).rev() {
        leads_to[n] = these.contains(&n) || steps[n].iter().any(|(_, to)| leads_to[*to]);
    }
    let mut found = vec![false; count];
    let mut after = vec![false; count];
    let mut met = vec![false; count * count];
    let mut open = vec![(0, 0)];
    while let Some((a, b)) = open.pop() {
        let (low, high) = (a.min(b), a.max(b));
        if std::mem::replace(&mut met[low * count + high], true) {
            continue;
        }
        // One path may end at the lower block while the other continues.
        found[low] |= leads_to[high];
        after[high] |= these.contains(&low);
        if low == high {
            for (option, to) in &steps[low] {
                let same = steps[low].iter().filter(|(other, _)| other == option);
                open.extend(same.map(|(_, other)| (*to, *other)));
            }
        } else {
            open.extend(steps[low].iter().map(|(_, to)| (*to, high)));
        }
    }
    for n in 0..count {
        if after[n] {
            found[n] = true;
            for (_, to) in &steps[n] {
                after[*to] = true;
            }
        }
    }
    found
}

/// Returns a task whose method may let other tasks run between the steps of this one.
fn parallel_caller(document: &Document, task: &Name) -> Option<Name> {
    let mut callers: BTreeMap<&Name, Vec<Name>> = BTreeMap::new();
    let mut parallel: BTreeMap<Name, &Name> = BTreeMap::new();
    for (name, record) in &document.compound_tasks {
        let flow = &record.method;
        let mut outputs = FxHashSet::default();
        let splits = flow
            .wires
            .iter()
            .any(|w| !outputs.insert((&w.from, w.port)));
        for block in flow.blocks.values() {
            if let Some(called) = called_task(block) {
                if splits {
                    parallel.insert(called.clone(), name);
                }
                callers.entry(name).or_default().push(called);
            }
        }
    }
    let mut open: Vec<Name> = parallel.keys().cloned().collect();
    while let Some(name) = open.pop() {
        let by = parallel.get(&name).copied();
        for called in callers.get(&name).into_iter().flatten() {
            if let Some(by) = by.filter(|_| !parallel.contains_key(called)) {
                parallel.insert(called.clone(), by);
                open.push(called.clone());
            }
        }
    }
    parallel.get(task).map(|by| (*by).clone())
}
