//! The places of a flowchart: the blocks still to resolve, and the part of the path there that
//! still matters.

use std::collections::BTreeSet;

use taskloom_document::BlockKind;
use taskloom_document::stop::Stop;
use taskloom_document::{Name, Param};
use taskloom_domain::flow::Chart;
use taskloom_domain::model::{BlockMeaning, Compound};
use taskloom_domain::variables::{in_formula, in_number, in_terms};

/// The maximum number of places in a flowchart at which decisions differ.
const MAX_PLACES: usize = 5_000;

/// A place in a chart: the next block to resolve, and the relevant part of the path that leads
/// there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The next block, by position; `None` if all are resolved.
    pub next: Option<u32>,
    /// Blocks that wires have reached and that aren't resolved yet.
    pub pending: BTreeSet<u32>,
    /// Bind blocks whose variables are used later.
    pub bound: BTreeSet<u32>,
}

/// The places of one flowchart.
pub struct Places<'m> {
    /// The flowchart, in the order of resolution.
    pub chart: &'m Chart,
    texts: &'m [BlockMeaning<'m>],
    /// The variables that each block's texts use, by position.
    pub uses: Vec<BTreeSet<Name>>,
    /// The last block that uses the variable of each Bind block, by position.
    last_use: Vec<Option<u32>>,
    stop: &'m Stop,
}

impl<'m> Places<'m> {
    /// Creates the places of a compound task's method; invalid if the stop was requested.
    pub fn new(compound: &'m Compound<'m>, stop: &'m Stop) -> Self {
        let chart = &compound.chart;
        let mut places = Self {
            chart,
            texts: &compound.blocks,
            uses: uses(compound),
            last_use: vec![None; chart.blocks.len()],
            stop,
        };
        for (position, used) in (0u32..).zip(&places.uses) {
            if used.is_empty() || stop.after(chart.wires.len()) {
                continue;
            }
            for above in compound.method.binds_above(position) {
                let is_used = |param: &Param| used.contains(&param.name);
                if variable(places.texts, above).is_some_and(is_used)
                    && let Some(last) = places.last_use.get_mut(above as usize)
                {
                    *last = Some(position);
                }
            }
        }
        places
    }

    /// Returns `true` if at most one block is ever pending.
    pub fn is_sequence(&self) -> bool {
        (0..self.chart.blocks.len() as u32).all(|position| {
            let wires = self.chart.wires_from(position);
            let wires = self
                .chart
                .wires
                .get(wires.start as usize..wires.end as usize);
            let mut seen = BTreeSet::new();
            let mut wires = wires.unwrap_or_default().iter();
            wires.all(|wire| seen.insert(wire.option))
        })
    }

    pub fn kind(&self, position: u32) -> BlockKind {
        let block = self.chart.blocks.get(position as usize);
        block.map_or(BlockKind::End, |b| b.kind)
    }

    pub fn text(&self, position: u32) -> &'m BlockMeaning<'m> {
        let text = self.texts.get(position as usize);
        text.unwrap_or(&BlockMeaning::Pass)
    }

    /// Returns the blocks that the wires of an option enter.
    pub fn targets(&self, position: u32, option: u32) -> Vec<u32> {
        let wires = self.chart.wires_from(position);
        let wires = self
            .chart
            .wires
            .get(wires.start as usize..wires.end as usize);
        let wires = wires.unwrap_or_default().iter();
        wires.filter(|w| w.option == option).map(|w| w.to).collect()
    }

    /// Returns a Bind block's variable.
    pub fn variable(&self, position: u32) -> Option<&'m Param> {
        variable(self.texts, position)
    }

    /// Returns the place with these blocks pending. Skips Begin and End blocks, which need no code,
    /// and drops variables that are no longer used.
    pub fn settled(&self, mut pending: BTreeSet<u32>, mut bound: BTreeSet<u32>) -> Place {
        while let Some(first) = pending.first().copied() {
            match self.text(first) {
                BlockMeaning::Pass => {}
                BlockMeaning::Task(_)
                | BlockMeaning::Branch { .. }
                | BlockMeaning::Choice(_)
                | BlockMeaning::Bind { .. } => break,
            }
            pending.remove(&first);
            pending.extend(self.targets(first, 0));
        }
        let next = pending.first().copied();
        bound.retain(|position| {
            let last = self.last_use.get(*position as usize).copied().flatten();
            next.is_some() && last >= next
        });
        Place {
            next,
            pending,
            bound,
        }
    }

    /// Returns the place to which each option of a place's next block leads; `None` for a closed
    /// option.
    pub fn options(&self, place: &Place) -> Vec<Option<Place>> {
        let Some(next) = place.next else {
            return vec![];
        };
        let kind = self.kind(next);
        let option = |option| {
            let targets = self.targets(next, option);
            if targets.is_empty() && kind.needs_wire() {
                return None;
            }
            let mut pending = place.pending.clone();
            pending.remove(&next);
            pending.extend(targets);
            let mut bound = place.bound.clone();
            if self.variable(next).is_some() {
                bound.insert(next);
            }
            Some(self.settled(pending, bound))
        };
        (0..kind.options()).map(option).collect()
    }

    /// Returns the places that several paths lead to; `None` if there are too many places.
    pub fn shared(&self, start: &Place) -> Option<BTreeSet<Place>> {
        let mut shared = BTreeSet::new();
        let mut met = BTreeSet::from([start.clone()]);
        let mut open = vec![start.clone()];
        while let Some(place) = open.pop() {
            if self.stop.after(1 + place.pending.len() + place.bound.len()) {
                return None;
            }
            for next in self.options(&place).into_iter().flatten() {
                if next.next.is_none() {
                    continue;
                }
                if met.contains(&next) {
                    shared.insert(next);
                } else {
                    met.insert(next.clone());
                    open.push(next);
                }
                if met.len() > MAX_PLACES {
                    return None;
                }
            }
        }
        Some(shared)
    }
}

fn variable<'m>(texts: &'m [BlockMeaning], position: u32) -> Option<&'m Param> {
    match texts.get(position as usize)? {
        BlockMeaning::Bind { variable, .. } => Some(variable),
        BlockMeaning::Pass
        | BlockMeaning::Task(_)
        | BlockMeaning::Branch { .. }
        | BlockMeaning::Choice(_) => None,
    }
}

/// The variables that each block's texts use, by position.
fn uses(compound: &Compound) -> Vec<BTreeSet<Name>> {
    let used = |text: &BlockMeaning| {
        let mut used = BTreeSet::new();
        match text {
            BlockMeaning::Pass | BlockMeaning::Choice(_) => {}
            BlockMeaning::Task(call) => in_terms(&call.args, &mut used),
            BlockMeaning::Branch { formula, .. } => in_formula(formula, &mut used),
            BlockMeaning::Bind {
                variable,
                condition,
                order_by,
                ..
            } => {
                condition.iter().for_each(|f| in_formula(f, &mut used));
                order_by.iter().for_each(|n| in_number(n, &mut used));
                used.remove(&variable.name);
            }
        }
        used
    };
    compound.blocks.iter().map(used).collect()
}
