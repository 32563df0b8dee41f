//! The grounded engine: grounds the model, then searches best first.

use super::found::Answer;
use super::ground::{Ground, Grounder, Grounding};
use super::model::Model;
use super::progress::{Config, Partial, Progress, Search, Sequence};

/// Tuples that grounding may look at for each unit of work.
const TUPLES_PER_WORK: u64 = 4;

/// What a relaxed plan's parts count.
const CONFIG: Config = Config {
    additive: false,
    newest_first: false,
    action: 1,
    method: 1,
    open: 0,
    window: u32::MAX,
    deferred: true,
    share: false,
};

#[derive(Debug)]
enum Phase {
    Grounding(Box<Grounder>),
    Sequence(Box<Ground>, Box<Search<Sequence>>),
    Partial(Box<Ground>, Box<Search<Partial>>),
    Lost,
}

/// Grounding and search in slices.
#[derive(Debug)]
pub struct Grounded {
    phase: Phase,
    /// How many nodes were evaluated.
    pub nodes: u64,
    /// Work so far, in the lifted search's unit.
    pub work: u64,
    /// What a node's evaluation costs in that unit.
    per_node: u64,
}

impl Grounded {
    /// Starts; `memory` is how many bytes it may take.
    pub fn new(model: &Model, memory: usize) -> Self {
        Self {
            phase: Phase::Grounding(Box::new(Grounder::new(model, memory))),
            nodes: 0,
            work: 0,
            per_node: 1,
        }
    }

    /// Bytes that it takes.
    pub fn memory(&self) -> usize {
        match &self.phase {
            Phase::Grounding(grounder) => grounder.memory(),
            Phase::Sequence(ground, search) => ground.memory() + search.memory(),
            Phase::Partial(ground, search) => ground.memory() + search.memory(),
            Phase::Lost => 0,
        }
    }

    /// Does about so much work, over the same model as ever.
    pub fn step(&mut self, model: &Model, work: u64) -> Option<Answer> {
        let before = self.nodes;
        let nodes = (work / self.per_node).max(1);
        self.work += match self.phase {
            Phase::Grounding(_) => work,
            _ => 0,
        };
        let progress = match &mut self.phase {
            Phase::Grounding(grounder) => {
                match grounder.step(model, work.saturating_mul(TUPLES_PER_WORK)) {
                    Grounding::Working => Progress::Working,
                    Grounding::Unsolvable => Progress::Unsolvable,
                    Grounding::TooLarge => {
                        self.phase = Phase::Lost;
                        Progress::Working
                    }
                    Grounding::Ground(ground) => {
                        self.search(model, ground);
                        Progress::Working
                    }
                }
            }
            Phase::Sequence(ground, search) => {
                let progress = search.step(ground, nodes);
                self.nodes = search.evaluated;
                progress
            }
            Phase::Partial(ground, search) => {
                let progress = search.step(ground, nodes);
                self.nodes = search.evaluated;
                progress
            }
            Phase::Lost => return Some(Answer::Lost),
        };
        self.work += (self.nodes - before) * self.per_node;
        match progress {
            Progress::Working => None,
            Progress::Found(found) => Some(Answer::Found(found)),
            Progress::Unsolvable => Some(Answer::Unsolvable),
        }
    }

    fn search(&mut self, model: &Model, ground: Box<Ground>) {
        self.per_node = 20 + (ground.actions as u64 + ground.task_of.len() as u64) / 8;
        self.phase = if ground.is_total {
            let networks = Sequence::new(&ground);
            let search = Search::new(&ground, networks, CONFIG);
            Phase::Sequence(ground, Box::new(search))
        } else {
            let networks = Partial::new(&ground, model);
            let search = Search::new(&ground, networks, CONFIG);
            Phase::Partial(ground, Box::new(search))
        };
    }
}
