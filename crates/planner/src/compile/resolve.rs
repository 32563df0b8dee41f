//! Resolves a flowchart: chooses a side for every Branch, an output for every Choice and a value
//! for every Bind, one resolution after the other (semantics, section 3).
//!
//! Decisions are made in the chart's order, each as soon as it is reached, and backtracking takes
//! the last one back first: resolutions come in lexicographic order.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::plan::MemoryUse;
use taskloom_document::BlockKind;
use taskloom_document::{BlockId, Wire};
use taskloom_domain::flow::Chart;

/// Provides the options of each block that is present.
pub trait Decider {
    /// Returns `true` if a Begin, Task or End block can be passed.
    fn pass(&mut self, position: u32) -> bool;
    /// Returns the next option of a Branch (0: true, 1: false), a Choice (the index of its output)
    /// or a Bind (any number) after the previous one, or `None` if there are no more.
    fn next(&mut self, position: u32, kind: BlockKind, before: Option<u32>) -> Option<u32>;
}

/// A decision made during resolution.
#[derive(Debug, Clone, Copy)]
pub struct Decision {
    /// The block, by position.
    pub position: u32,
    /// The option chosen.
    pub option: u32,
    /// The number of wires present before the decision.
    wires: u32,
}

/// The blocks that are present in a resolution, and the wires between them.
pub type Path = (Arc<[BlockId]>, Arc<[Wire]>);

/// A stack of resolutions in progress, stored together so that a search with thousands of them
/// allocates only a few times.
#[derive(Debug, Clone, Default)]
pub struct Resolutions {
    decisions: Vec<Decision>,
    wires: Vec<u32>,
    /// The number of present wires that enter each block.
    entering: Vec<u32>,
}

/// One resolution in progress: the offsets of its parts in [`Resolutions`].
#[derive(Debug, Clone, Copy)]
pub struct Resolution {
    decisions: u32,
    wires: u32,
    entering: u32,
    position: u32,
}

/// The result of [`Resolutions::advance`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// There is more to do.
    Working,
    /// A resolution is complete.
    Resolved,
    /// There are no more resolutions.
    Exhausted,
}

impl Resolutions {
    /// Starts to resolve a chart.
    pub fn start(&mut self, chart: &Chart) -> Resolution {
        let resolution = Resolution {
            decisions: self.decisions.len() as u32,
            wires: self.wires.len() as u32,
            entering: self.entering.len() as u32,
            position: 0,
        };
        let blocks = self.entering.len() + chart.blocks.len();
        self.entering.resize(blocks, 0);
        resolution
    }

    /// Discards all resolutions.
    pub fn clear(&mut self) {
        self.decisions.clear();
        self.wires.clear();
        self.entering.clear();
    }

    /// Discards the newest resolution.
    pub fn end(&mut self, resolution: &Resolution) {
        self.decisions.truncate(resolution.decisions as usize);
        self.wires.truncate(resolution.wires as usize);
        self.entering.truncate(resolution.entering as usize);
    }

    /// Continues the newest resolution by at most one decision.
    pub fn advance(
        &mut self,
        resolution: &mut Resolution,
        chart: &Chart,
        decider: &mut impl Decider,
    ) -> Move {
        while let Some(block) = chart.blocks.get(resolution.position as usize) {
            let position = resolution.position;
            let entered = self.entering[(resolution.entering + position) as usize];
            if position > 0 && entered == 0 {
                resolution.position += 1;
                continue;
            }
            if block.kind.decides() {
                self.decisions.push(Decision {
                    position,
                    option: u32::MAX,
                    wires: self.wires.len() as u32,
                });
                return self.retry(resolution, chart, decider, None);
            }
            if !decider.pass(position) {
                return self.take_back(resolution, chart, decider);
            }
            self.connect(resolution, chart, position, 0);
            resolution.position += 1;
        }
        Move::Resolved
    }

    /// Takes back the newest decision and continues with its next option.
    pub fn take_back(
        &mut self,
        resolution: &mut Resolution,
        chart: &Chart,
        decider: &mut impl Decider,
    ) -> Move {
        if self.decisions.len() as u32 == resolution.decisions {
            return Move::Exhausted;
        }
        let before = self.decisions.last().map(|d| d.option);
        self.retry(resolution, chart, decider, before)
    }

    /// Gives the newest decision the option after `before`, or if there is none, drops it and takes
    /// back the one before.
    fn retry(
        &mut self,
        resolution: &mut Resolution,
        chart: &Chart,
        decider: &mut impl Decider,
        mut before: Option<u32>,
    ) -> Move {
        while self.decisions.len() as u32 > resolution.decisions {
            let Some(decision) = self.decisions.last().copied() else {
                break;
            };
            for wire in self.wires.drain(decision.wires as usize..) {
                let to = chart.wires[wire as usize].to;
                self.entering[(resolution.entering + to) as usize] -= 1;
            }
            let kind = chart.blocks[decision.position as usize].kind;
            if let Some(option) = decider.next(decision.position, kind, before) {
                if let Some(decision) = self.decisions.last_mut() {
                    decision.option = option;
                }
                let output = if kind.chooses_output() { option } else { 0 };
                let connected = self.connect(resolution, chart, decision.position, output);
                if kind.needs_wire() && !connected {
                    before = Some(option);
                    continue;
                }
                resolution.position = decision.position + 1;
                return Move::Working;
            }
            self.decisions.pop();
            before = self.decisions.last().map(|d| d.option);
        }
        Move::Exhausted
    }

    /// Makes the wires of an output present. Returns `false` if it has none.
    fn connect(
        &mut self,
        resolution: &Resolution,
        chart: &Chart,
        position: u32,
        option: u32,
    ) -> bool {
        let mut connected = false;
        for number in chart.wires_from(position) {
            let wire = &chart.wires[number as usize];
            if wire.option == option {
                self.wires.push(number);
                self.entering[(resolution.entering + wire.to) as usize] += 1;
                connected = true;
            }
        }
        connected
    }

    /// Returns the decisions of a resolution that ends where `next` starts.
    pub fn decisions(&self, resolution: &Resolution, next: Option<&Resolution>) -> &[Decision] {
        let end = next.map_or(self.decisions.len(), |n| n.decisions as usize);
        &self.decisions[resolution.decisions as usize..end]
    }

    /// Returns the present wires as indices into the chart's list, in its order.
    pub fn wires(&self, resolution: &Resolution, next: Option<&Resolution>) -> &[u32] {
        let end = next.map_or(self.wires.len(), |n| n.wires as usize);
        &self.wires[resolution.wires as usize..end]
    }

    /// Returns `true` if the block at a position is present.
    pub fn is_present(&self, resolution: &Resolution, position: u32) -> bool {
        position == 0 || self.entering[(resolution.entering + position) as usize] > 0
    }

    /// Returns the blocks that are present in a resolution, and its wires, as drawn: each block once,
    /// even if it repeats.
    pub fn path(&self, chart: &Chart, resolution: &Resolution, next: Option<&Resolution>) -> Path {
        let blocks = (0u32..).zip(&chart.blocks);
        let drawn = blocks.filter(|(_, block)| block.repetition == 0);
        let present = drawn.filter(|(position, _)| self.is_present(resolution, *position));
        let wires = self.wires(resolution, next).iter();
        let wires = wires.map(|wire| &chart.wires[*wire as usize]);
        let drawn = wires.filter(|wire| chart.blocks[wire.to as usize].repetition == 0);
        (
            present.map(|(_, block)| block.id.clone()).collect(),
            drawn.map(|wire| wire.wire.clone()).collect(),
        )
    }

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        MemoryUse::of_vec(&self.decisions)
            + MemoryUse::of_vec(&self.wires)
            + MemoryUse::of_vec(&self.entering)
    }
}

/// The ordering of the tasks in a resolution: the direct predecessors of each Task block present,
/// transitively reduced.
#[derive(Debug, Clone, Default)]
pub struct TaskOrder {
    reach: Vec<u64>,
    words: usize,
}

impl TaskOrder {
    /// Computes the ordering given by the present wires.
    pub fn set(&mut self, chart: &Chart, wires: &[u32]) {
        self.words = chart.tasks.len().div_ceil(64);
        self.reach.clear();
        self.reach.resize(self.words * chart.blocks.len(), 0);
        for number in wires {
            let wire = &chart.wires[*number as usize];
            let (from, to) = (wire.from as usize, wire.to as usize);
            for word in 0..self.words {
                self.reach[to * self.words + word] |= self.reach[from * self.words + word];
            }
            if let Some(task) = chart.blocks[from].task
                && chart.is_awaited(wire)
            {
                self.reach[to * self.words + task as usize / 64] |= 1 << (task % 64);
            }
        }
    }

    fn before(&self, position: u32) -> &[u64] {
        let start = position as usize * self.words;
        &self.reach[start..start + self.words]
    }

    /// Returns `true` if a Task block, given by its index, precedes the block at a position.
    pub fn is_before(&self, task: u32, position: u32) -> bool {
        let word = self.before(position).get(task as usize / 64);
        word.is_some_and(|w| w >> (task % 64) & 1 == 1)
    }

    /// Returns the indices of the Task blocks directly before the block at a position, in the
    /// chart's order. The number of steps is, for each block found, the number of words in a row of
    /// tasks.
    pub fn direct(&self, chart: &Chart, position: u32) -> impl Iterator<Item = u32> + use<> {
        // From the last task back: predecessors of a task already found are implied.
        let mut direct: SmallVec<[u64; 4]> = self.before(position).into();
        for word in (0..direct.len()).rev() {
            let mut below = u64::MAX;
            while let open @ 1.. = direct[word] & below {
                let bit = open.ilog2();
                below = (1 << bit) - 1;
                let task = chart.tasks[word * 64 + bit as usize];
                for (own, before) in direct.iter_mut().zip(self.before(task)) {
                    *own &= !before;
                }
            }
        }
        (0u32..)
            .zip(direct)
            .flat_map(|(number, word)| bits(number, word))
    }

    /// Returns the memory use in bytes.
    pub fn memory(&self) -> usize {
        self.reach.capacity() * 8
    }
}

/// Returns the indices of the bits set in a word, given the word's index.
fn bits(number: u32, word: u64) -> impl Iterator<Item = u32> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let bit = (rest != 0).then(|| rest.trailing_zeros())?;
        rest &= rest - 1;
        Some(number * 64 + bit)
    })
}
