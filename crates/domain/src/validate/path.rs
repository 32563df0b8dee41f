//! The path through a flowchart that a decomposition chose: whether its blocks and wires are
//! connected, starting at Begin, and which of its tasks come before others. It is computed once, no
//! matter how often a flowchart is decomposed that way.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::method::Method;
use super::rows::Rows;
use crate::plan::Decomposed;
use taskloom_document::sort::CompactSort;
use taskloom_document::{Block, BlockId, Name, Port, Wire};

/// The paths chosen by a plan's decompositions, by task, sorted.
#[derive(Debug, Default)]
pub struct Paths(FxHashMap<Name, Vec<Arc<Path>>>);

impl Paths {
    /// Returns the path of a decomposition.
    ///
    /// # Errors
    /// Returns a sentence if its blocks and wires aren't connected.
    pub fn get(&mut self, method: &Method, stated: &Decomposed) -> Result<Arc<Path>, String> {
        let paths = self.0.entry(method.task.clone()).or_default();
        let place = paths.binary_search_by(|path| path.compare(stated));
        if let Err(place) = place {
            paths.insert(place, Arc::new(Path::new(method, stated)?));
        }
        let (Ok(place) | Err(place)) = place;
        Ok(paths[place].clone())
    }
}

/// A path through a flowchart.
#[derive(Debug)]
pub struct Path {
    /// The stated blocks and wires.
    ids: Arc<[BlockId]>,
    wires: Arc<[Wire]>,
    /// The numbers of the blocks.
    pub blocks: Vec<usize>,
    /// The outputs of the wires that leave each block on the path, by index in the path.
    pub taken: Vec<Vec<Port>>,
    /// The bindings visible at each block, by index in the path: those of the Bind blocks before
    /// it, the later ones hiding the earlier.
    pub known: Vec<Vec<usize>>,
    /// The numbers of the Bind blocks on the path.
    pub binds: Vec<usize>,
    /// The number of subtasks: the Task blocks on the path, each as often as it repeats.
    pub tasks: usize,
    /// For each subtask, by number, the subtasks that come after it.
    pub after: Rows,
}

impl Path {
    /// Compares the path with a decomposition, for lookup.
    fn compare(&self, stated: &Decomposed) -> std::cmp::Ordering {
        let blocks = self.ids.cmp(&stated.blocks);
        blocks.then_with(|| self.wires.cmp(&stated.wires))
    }

    /// Builds the path of a decomposition.
    ///
    /// # Errors
    /// Returns a sentence if its blocks and wires aren't connected.
    fn new(method: &Method, stated: &Decomposed) -> Result<Self, String> {
        let mut path = Self {
            ids: stated.blocks.clone(),
            wires: stated.wires.clone(),
            blocks: vec![],
            taken: vec![vec![]; stated.blocks.len()],
            known: vec![],
            binds: vec![],
            tasks: 0,
            after: Rows::new(0, 0),
        };
        let mut places = vec![None; method.blocks.len()];
        for (place, id) in stated.blocks.iter().enumerate() {
            if let Some(block) = method.number(id) {
                places[block].get_or_insert(place);
            }
        }
        let joined = path.join(method, &places)?;
        let mut entered = vec![false; stated.blocks.len()];
        for (_, to) in &joined {
            entered[*to] = true;
        }
        for (place, id) in stated.blocks.iter().enumerate() {
            let block = method.number(id);
            if block.is_some_and(|block| places[block] != Some(place)) {
                return Err(format!("block {id} occurs twice"));
            }
            let block = block.filter(|block| *block == method.begin || entered[place]);
            path.blocks
                .push(block.ok_or_else(|| format!("no wire leads to block {id}"))?);
        }
        if places[method.begin].is_none() {
            return Err("Begin is missing".to_owned());
        }
        path.find_known(method);
        path.find_after(method, joined);
        Ok(path)
    }

    /// Returns the pairs of indices that the wires connect, and records the outputs that they
    /// leave.
    fn join(
        &mut self,
        method: &Method,
        places: &[Option<usize>],
    ) -> Result<Vec<(usize, usize)>, String> {
        let mut joined = vec![];
        let mut used = vec![0; method.wires.len()];
        for wire in &*self.wires {
            let first = method.wires.partition_point(|(other, ..)| other < wire);
            let alike = method.wires[first..].iter();
            let alike = alike.take_while(|(other, ..)| other == wire).count();
            let Some((_, from, to)) = method.wires.get(first).filter(|_| alike > 0) else {
                return Err(format!("there is no wire '{wire}'"));
            };
            used[first] += 1;
            if used[first] > alike {
                return Err(format!("the wire '{wire}' occurs twice"));
            }
            match (places[*from], places[*to]) {
                (Some(from), Some(to)) if from < to => {
                    self.taken[from].push(wire.port);
                    joined.push((from, to));
                }
                _ => {
                    return Err(format!(
                        "the wire '{wire}' doesn't connect two blocks in order"
                    ));
                }
            }
        }
        Ok(joined)
    }

    /// Finds the Bind blocks on the path, and those before each block.
    fn find_known(&mut self, method: &Method) {
        let mut numbers = vec![None; method.blocks.len()];
        for block in &self.blocks {
            let before = method.blocks[*block].binds.iter();
            self.known
                .push(before.filter_map(|bind| numbers[*bind]).collect());
            if method.blocks[*block].block.binds().is_some() {
                numbers[*block] = Some(self.binds.len());
                self.binds.push(*block);
            }
        }
    }

    /// Finds what comes after each subtask, given the pairs of indices that wires connect.
    fn find_after(&mut self, method: &Method, mut joined: Vec<(usize, usize)>) {
        // The last blocks come first, so that their successors are known.
        joined.compact_sort_by(|(a, _), (b, _)| b.cmp(a));
        let mut behind = Rows::new(self.blocks.len(), self.blocks.len());
        let words = self.blocks.len() / 64 + 1;
        for (from, to) in joined {
            if method.stop.after(words) {
                break;
            }
            behind.insert(from, to);
            behind.join_own(from, to);
        }
        let is_task = |block: usize| Block::call(&method.blocks[block].block).is_some();
        let places = 0..self.blocks.len();
        let tasks = places.filter(|place| is_task(self.blocks[*place]));
        let tasks = tasks.flat_map(|place| {
            let times = method.blocks[self.blocks[place]].block.repetitions();
            std::iter::repeat_n(place, times as usize)
        });
        let tasks: Vec<usize> = tasks.collect();
        self.tasks = tasks.len();
        self.after = Rows::new(tasks.len(), tasks.len());
        for (first, from) in tasks.iter().enumerate() {
            if method.stop.after(tasks.len() / 8) {
                break;
            }
            for (second, to) in tasks.iter().enumerate() {
                let is_later_repetition = from == to && first < second;
                // Nothing waits for a task in the background.
                let is_awaited = !method.blocks[self.blocks[*from]].block.is_background();
                if is_later_repetition || is_awaited && behind.contains(*from, *to) {
                    self.after.insert(first, second);
                }
            }
        }
    }
}
