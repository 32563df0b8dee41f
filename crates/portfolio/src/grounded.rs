//! The grounded engine: grounds the model, then runs best-first searches with several heuristics
//! that alternate. A partially ordered model is also tried in a linearized variant.

use std::sync::Arc;

use crate::grounding::ground::Ground;
use crate::grounding::split::Split;
use crate::grounding::{Grounder, Grounding};
use crate::lifted::decomposition::{Answer, Decomposition, DecompositionNode};
use crate::lifted::linear::Linear;
use crate::lifted::model::Model;
use crate::progression::{BestFirst, Config, Partial, Reached, ReaderCollector, Relaxed, Sequence};
use taskloom_planner::search_kit::{MemoryUse, Rows};

/// Tuples that grounding may process per unit of work.
const TUPLES_PER_WORK: u64 = 4;

/// Operators that a search may process per unit of work.
const EFFORT_PER_WORK: u64 = 6;

/// Adds up the costs of all open tasks.
const ALL: Config = Config {
    additive: true,
    newest_first: true,
    window: u32::MAX,
    share: false,
};

/// Considers only the first open task, whatever follows.
const FIRST: Config = Config {
    window: 1,
    share: true,
    ..ALL
};

/// Counts the operators of a single plan for all open tasks.
const PLAN: Config = Config {
    additive: false,
    newest_first: false,
    ..ALL
};

#[derive(Debug)]
enum Engine {
    Sequence(BestFirst<Sequence>),
    Partial(BestFirst<Partial>),
}

impl Engine {
    fn step(&mut self, ground: &Ground, effort: u64) -> Reached {
        match self {
            Self::Sequence(search) => search.step(ground, effort),
            Self::Partial(search) => search.step(ground, effort),
        }
    }

    fn effort(&self) -> u64 {
        match self {
            Self::Sequence(search) => search.effort(),
            Self::Partial(search) => search.effort(),
        }
    }

    fn expanded(&self) -> u64 {
        match self {
            Self::Sequence(search) => search.expanded,
            Self::Partial(search) => search.expanded,
        }
    }

    fn memory_use(&self) -> MemoryUse {
        match self {
            Self::Sequence(search) => search.memory_use(),
            Self::Partial(search) => search.memory_use(),
        }
    }
}

/// A ground problem and its searches.
#[derive(Debug)]
struct Searching {
    ground: Box<Ground>,
    readers: Arc<Rows>,
    engines: Vec<Engine>,
}

#[derive(Debug)]
enum Phase {
    Grounding(Box<Grounder>),
    Preparing(Box<Ground>, Box<ReaderCollector>),
    Searching(Searching),
    Lost,
}

/// The grounding of one model and its searches.
#[derive(Debug)]
struct Variant {
    split: Split,
    /// The positions of subtasks in the original methods, if the model was linearized.
    places: Option<Vec<Vec<u32>>>,
    phase: Phase,
    work: u64,
    /// The memory use of the model, in bytes.
    model_bytes: usize,
}

/// Grounding and search in slices.
#[derive(Debug)]
pub struct Grounded {
    variants: Vec<Variant>,
    /// The number of nodes expanded.
    pub nodes: u64,
    /// Work so far, in the unit of the lifted search.
    pub work: u64,
}

impl Grounded {
    /// Starts with a limit of `memory` bytes.
    pub fn new(model: &Model, memory: usize) -> Self {
        let is_partial = model.methods.iter().any(|m| !m.is_sequence);
        let mut variants = vec![];
        if is_partial {
            let linear = Linear::new(model, 0);
            variants.push(Variant::new(linear.model, Some(linear.places), memory / 2));
        }
        variants.push(Variant::new(model.clone(), None, memory / 2));
        Self {
            variants,
            nodes: 0,
            work: 0,
        }
    }

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        self.variants.iter().map(Variant::memory_use).sum()
    }

    /// Performs about `work` units of work.
    pub fn step(&mut self, work: u64) -> Option<Answer> {
        let left = self.variants.iter_mut();
        let left = left.filter(|c| !matches!(c.phase, Phase::Lost));
        let Some(variant) = left.min_by_key(|c| c.work) else {
            return Some(Answer::Lost);
        };
        let (before, nodes) = (variant.work, variant.nodes());
        let answer = variant.step(work);
        self.work += variant.work - before;
        self.nodes += variant.nodes().saturating_sub(nodes);
        answer
    }
}

impl Variant {
    fn new(model: Model, places: Option<Vec<Vec<u32>>>, memory: usize) -> Self {
        let split = Split::new(model);
        Self {
            phase: Phase::Grounding(Box::new(Grounder::new(&split.model, memory))),
            model_bytes: split.model.memory(),
            split,
            places,
            work: 0,
        }
    }

    fn memory_use(&self) -> MemoryUse {
        let phase = match &self.phase {
            Phase::Grounding(grounder) => grounder.memory_use(),
            Phase::Preparing(ground, collector) => ground.memory_use() + collector.memory_use(),
            Phase::Searching(searching) => searching.memory_use(),
            Phase::Lost => MemoryUse::default(),
        };
        MemoryUse::fixed(self.model_bytes) + phase
    }

    fn nodes(&self) -> u64 {
        match &self.phase {
            Phase::Searching(searching) => searching.engines.iter().map(Engine::expanded).sum(),
            _ => 0,
        }
    }

    fn step(&mut self, work: u64) -> Option<Answer> {
        let own = &self.split.model;
        let progress = match &mut self.phase {
            Phase::Grounding(grounder) => {
                self.work += work.max(1);
                match grounder.step(own, work.saturating_mul(TUPLES_PER_WORK)) {
                    Grounding::Working => Reached::Working,
                    Grounding::Unsolvable => Reached::Unsolvable,
                    Grounding::TooLarge => {
                        self.phase = Phase::Lost;
                        Reached::Working
                    }
                    Grounding::Ground(ground) => {
                        let collector = ReaderCollector::new(&ground);
                        self.phase = Phase::Preparing(ground, Box::new(collector));
                        Reached::Working
                    }
                }
            }
            Phase::Preparing(ground, collector) => {
                self.work += work.max(1);
                let left = work.saturating_mul(TUPLES_PER_WORK);
                let mut left = i64::try_from(left).unwrap_or(i64::MAX);
                if let Some(readers) = collector.step(ground, &mut left) {
                    self.phase = Phase::Searching(Searching {
                        ground: std::mem::take(ground),
                        readers: Arc::new(readers),
                        engines: vec![],
                    });
                }
                Reached::Working
            }
            Phase::Searching(searching) => {
                if let Some(engine) = searching.next_engine(own) {
                    searching.engines.push(engine);
                }
                let engines = searching.engines.iter_mut();
                let engine = engines.min_by_key(|e| e.effort())?;
                let before = engine.effort();
                let effort = work.saturating_mul(EFFORT_PER_WORK);
                let progress = engine.step(&searching.ground, effort);
                self.work += (engine.effort() - before) / EFFORT_PER_WORK + 1;
                progress
            }
            Phase::Lost => return Some(Answer::Lost),
        };
        match (progress, &self.places) {
            (Reached::Working, _) => None,
            (Reached::Found(found), places) => {
                let found = self.split.joined(found);
                Some(Answer::Found(match places {
                    Some(places) => with_original_positions(found, places),
                    None => found,
                }))
            }
            (Reached::Unsolvable, None) => Some(Answer::Unsolvable),
            // Other linearizations may have a plan.
            (Reached::Unsolvable, Some(_)) => {
                self.phase = Phase::Lost;
                None
            }
        }
    }
}

impl Searching {
    /// Returns the configuration of the next search, if there is one.
    fn next_config(&self) -> Option<Config> {
        let configs: &[Config] = match self.ground.is_total {
            true => &[ALL, FIRST, PLAN],
            false => &[ALL, PLAN],
        };
        configs.get(self.engines.len()).copied()
    }

    /// Creates the next search, if there is one.
    fn next_engine(&self, model: &Model) -> Option<Engine> {
        let (ground, readers) = (&*self.ground, self.readers.clone());
        let config = self.next_config()?;
        Some(match ground.is_total {
            true => {
                let networks = Sequence::new(ground);
                Engine::Sequence(BestFirst::new(ground, readers, networks, config))
            }
            false => {
                let networks = Partial::new(ground, model);
                Engine::Partial(BestFirst::new(ground, readers, networks, config))
            }
        })
    }

    fn memory_use(&self) -> MemoryUse {
        let next = self.next_config().map(|_| Relaxed::expected(&self.ground));
        let engines = self.engines.iter().map(Engine::memory_use);
        self.ground.memory_use()
            + self.readers.memory_use()
            + engines.sum()
            + MemoryUse::growing(0, next.unwrap_or(0))
    }
}

/// Converts a decomposition of a linearized model to the subtask positions of the original methods.
fn with_original_positions(mut found: Decomposition, places: &[Vec<u32>]) -> Decomposition {
    let place = |parent: u32, position: u32| {
        let by = found.nodes[parent as usize].by.as_ref();
        let places = by.and_then(|by| places.get(by.method as usize));
        let place = places.and_then(|p| p.get(position as usize));
        place.copied().unwrap_or(position)
    };
    // The tasks of a network are adjacent.
    let moved = (0u32..)
        .zip(&found.nodes)
        .map(|(node, of)| match of.parent {
            Some((parent, position)) => node - position + place(parent, position),
            None => node,
        });
    let moved: Vec<u32> = moved.collect();
    let mut nodes = vec![DecompositionNode::default(); moved.len()];
    for (number, node) in found.nodes.iter_mut().enumerate() {
        let to = moved[number];
        if let Some((parent, position)) = &mut node.parent {
            *position = *position + to - number as u32;
            *parent = moved[*parent as usize];
        }
        nodes[to as usize] = std::mem::take(node);
    }
    found.nodes = nodes;
    let steps = found.steps.iter_mut();
    steps.for_each(|step| *step = moved[*step as usize]);
    found
}
