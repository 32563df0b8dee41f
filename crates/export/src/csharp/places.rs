//! The places of a flowchart: the blocks still to resolve, and the part of the path there that
//! still matters.

use std::collections::BTreeSet;

use taskloom_document::BlockKind;
use taskloom_document::Name;
use taskloom_document::stop::Stop;
use taskloom_domain::Domain;
use taskloom_domain::flow::ChartWire;
use taskloom_domain::method::{Content, Method};
use taskloom_domain::text::values;
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
    domain: &'m Domain,
    /// The flowchart, in the order of resolution.
    pub method: &'m Method,
    /// The variables that each block's texts use, by position.
    pub uses: Vec<BTreeSet<Name>>,
    /// The last block that uses the variable of each Bind block, by position.
    last_use: Vec<Option<u32>>,
    stop: &'m Stop,
}

impl<'m> Places<'m> {
    /// Creates the places of a flowchart; invalid if the stop was requested.
    pub fn new(domain: &'m Domain, method: &'m Method, stop: &'m Stop) -> Self {
        let chart = &method.chart;
        let positions = 0..chart.blocks.len() as u32;
        let contents = positions.map(|position| domain.content(method, position));
        let mut places = Self {
            domain,
            method,
            uses: contents.map(variables_used).collect(),
            last_use: vec![None; chart.blocks.len()],
            stop,
        };
        for (position, used) in (0u32..).zip(&places.uses) {
            if used.is_empty() || stop.after(chart.wires.len()) {
                continue;
            }
            for above in method.binds_above(position) {
                let variable = method.variable(above);
                if variable.is_some_and(|param| used.contains(&param.name))
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
        let blocks = self.method.chart.blocks.iter();
        let has_background = blocks.clone().any(|block| block.block.is_background());
        !has_background
            && (0..blocks.len() as u32).all(|position| {
                let mut seen = BTreeSet::new();
                let mut wires = self.wires(position).iter();
                wires.all(|wire| seen.insert(wire.option))
            })
    }

    pub fn kind(&self, position: u32) -> BlockKind {
        let block = self.method.chart.blocks.get(position as usize);
        block.map_or(BlockKind::End, |b| b.kind)
    }

    pub fn content(&self, position: u32) -> &'m Content {
        self.domain.content(self.method, position)
    }

    fn wires(&self, position: u32) -> &'m [ChartWire] {
        let chart = &self.method.chart;
        let wires = chart.wires_from(position);
        let wires = chart.wires.get(wires.start as usize..wires.end as usize);
        wires.unwrap_or_default()
    }

    /// Returns the blocks that the wires of an option enter.
    pub fn targets(&self, position: u32, option: u32) -> Vec<u32> {
        let wires = self.wires(position).iter();
        wires.filter(|w| w.option == option).map(|w| w.to).collect()
    }

    /// Returns the place with these blocks pending. Skips Begin and End blocks, which need no code,
    /// and drops variables that are no longer used.
    pub fn settled(&self, mut pending: BTreeSet<u32>, mut bound: BTreeSet<u32>) -> Place {
        while let Some(first) = pending.first().copied() {
            if !matches!(self.content(first), Content::Pass) {
                break;
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
            if self.method.variable(next).is_some() {
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

/// Returns the variables that a block's texts use.
fn variables_used(content: &Content) -> BTreeSet<Name> {
    let mut used = BTreeSet::new();
    match content {
        Content::Pass | Content::Choice { .. } => {}
        Content::Task { call, .. } => {
            values([call]).for_each(|call| in_terms(&call.args, &mut used))
        }
        Content::Branch(formula) => values([formula]).for_each(|f| in_formula(f, &mut used)),
        Content::Bind {
            variable,
            condition,
            order_by,
            ..
        } => {
            values(condition).for_each(|f| in_formula(f, &mut used));
            values(order_by).for_each(|n| in_number(n, &mut used));
            used.remove(&variable.name);
        }
    }
    used
}
