//! Flowcharts as the validator sees them: which wires count, in which order blocks
//! are resolved, what leads to what. Worked out once a task.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::document::{Block, BlockId, Flowchart, Name, Port, Wire};

/// The flowcharts that were looked at, by task.
#[derive(Default)]
pub struct Shapes<'a>(FxHashMap<Name, Shape<'a>>);

impl<'a> Shapes<'a> {
    /// That of a task.
    pub fn of(&mut self, task: &Name, method: &'a Flowchart) -> &Shape<'a> {
        self.0
            .entry(task.clone())
            .or_insert_with(|| Shape::new(method))
    }
}

/// The shape of one flowchart.
pub struct Shape<'a> {
    /// Its Begin block.
    pub begin: Option<&'a BlockId>,
    /// Whether blocks that Begin reaches wait for each other.
    pub has_cycle: bool,
    /// The wires that count, which leave an output and enter an input that are
    /// there, and how often each is drawn.
    pub wires: FxHashMap<&'a Wire, usize>,
    /// How many of them leave an output.
    pub leaving: FxHashMap<(&'a BlockId, Port), usize>,
    entering: FxHashMap<&'a BlockId, Vec<&'a BlockId>>,
    /// When a block that Begin reaches is resolved: of those that wait for none the
    /// one that a breadth-first walk meets first.
    places: FxHashMap<&'a BlockId, usize>,
}

impl<'a> Shape<'a> {
    fn new(method: &'a Flowchart) -> Self {
        let mut blocks = method.blocks.iter();
        let begin = blocks.find(|(_, block)| matches!(***block, Block::Begin {}));
        let mut shape = Self {
            begin: begin.map(|(id, _)| id),
            has_cycle: false,
            wires: FxHashMap::default(),
            leaving: FxHashMap::default(),
            entering: FxHashMap::default(),
            places: FxHashMap::default(),
        };
        let mut following: FxHashMap<&BlockId, Vec<&BlockId>> = FxHashMap::default();
        let mut ports: FxHashMap<&BlockId, FxHashSet<Port>> = FxHashMap::default();
        for wire in &method.wires {
            let from = method.blocks.get(&wire.from);
            let to = method.blocks.get(&wire.to);
            let (Some(from), Some(to)) = (from, to) else {
                continue;
            };
            let ports = ports.entry(&wire.from);
            let ports = ports.or_insert_with(|| from.ports().into_iter().collect());
            if ports.contains(&wire.port) && to.has_input() {
                *shape.wires.entry(wire).or_default() += 1;
                *shape.leaving.entry((&wire.from, wire.port)).or_default() += 1;
                shape.entering.entry(&wire.to).or_default().push(&wire.from);
                following.entry(&wire.from).or_default().push(&wire.to);
            }
        }
        if let Some(begin) = shape.begin {
            shape.resolve(begin, &following);
        }
        shape
    }

    fn resolve(
        &mut self,
        begin: &'a BlockId,
        following: &FxHashMap<&'a BlockId, Vec<&'a BlockId>>,
    ) {
        let after = |id: &BlockId| following.get(id).into_iter().flatten().copied();
        let mut met: Vec<&BlockId> = vec![begin];
        let mut numbers: FxHashMap<&BlockId, usize> = FxHashMap::default();
        numbers.insert(begin, 0);
        let mut next = 0;
        while let Some(id) = met.get(next).copied() {
            for to in after(id) {
                if !numbers.contains_key(to) {
                    numbers.insert(to, met.len());
                    met.push(to);
                }
            }
            next += 1;
        }
        let mut waits: FxHashMap<&BlockId, usize> = FxHashMap::default();
        for to in met.iter().flat_map(|id| after(id)) {
            *waits.entry(to).or_default() += 1;
        }
        let mut ready: BTreeSet<usize> = BTreeSet::new();
        if !waits.contains_key(begin) {
            ready.insert(0);
        }
        while let Some(number) = ready.pop_first() {
            let Some(id) = met.get(number).copied() else {
                break;
            };
            self.places.insert(id, self.places.len());
            for to in after(id) {
                if let Some(count) = waits.get_mut(to) {
                    *count -= 1;
                    if *count == 0 {
                        ready.extend(numbers.get(to));
                    }
                }
            }
        }
        self.has_cycle = self.places.len() < met.len();
    }

    /// The blocks from which wires lead to one, itself included, in the order of
    /// resolution.
    pub fn upstream(&self, block: &BlockId) -> Vec<&'a BlockId> {
        let mut seen: FxHashSet<&BlockId> = FxHashSet::default();
        let mut found: Vec<(usize, &'a BlockId)> = vec![];
        let own = self.places.get_key_value(block).map(|(id, _)| *id);
        let mut open: Vec<&'a BlockId> = own.into_iter().collect();
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            found.extend(self.places.get(id).map(|place| (*place, id)));
            open.extend(self.entering.get(id).into_iter().flatten());
        }
        crate::order::sort_by_key(&mut found, |(place, _)| *place);
        found.into_iter().map(|(_, id)| id).collect()
    }
}
