//! The engines of the strategy `any`, taking turns within one budget.

use super::assemble::assemble;
use super::descend::Descend;
use super::found::Answer;
use super::model::Model;
use crate::compile::Problem;
use crate::plan::answer::{Budget, Limit, Outcome, Statistics};
use crate::plan::search::{self, Progress};

/// Work of the lifted search that counts as a decision.
const WORK_PER_NODE: u64 = 4;

#[derive(Debug)]
enum Engines {
    /// The problem counts: the search for the first plan does it.
    First(Box<search::Search>),
    Lifted {
        model: Box<Model>,
        descend: Box<Descend>,
    },
    Done,
}

/// A search that is run in slices.
#[derive(Debug)]
pub struct Search {
    engines: Engines,
    budget: Budget,
    outcome: Option<Outcome>,
    statistics: Statistics,
}

impl Search {
    /// Starts a search.
    pub fn new(problem: &Problem, budget: Budget) -> Self {
        let mut outcome = None;
        let engines = match Model::new(problem) {
            Ok(Some(model)) => Engines::Lifted {
                descend: Box::new(Descend::new(&model)),
                model: Box::new(model),
            },
            Ok(None) => {
                outcome = Some(Outcome::NoPlan);
                Engines::Done
            }
            Err(_) => Engines::First(Box::new(search::Search::new(problem, budget, 0))),
        };
        Self {
            engines,
            budget,
            outcome,
            statistics: Statistics::default(),
        }
    }

    /// Takes about so many more decisions.
    pub fn step(&mut self, nodes: u64) -> Progress {
        match &mut self.engines {
            Engines::Done => {}
            Engines::First(search) => {
                if search.step(nodes) == Progress::Done {
                    self.outcome = search.outcome();
                }
                self.statistics = search.statistics();
            }
            Engines::Lifted { model, descend } => {
                let answer = descend.step(nodes.saturating_mul(WORK_PER_NODE));
                self.statistics.nodes = descend.nodes;
                self.statistics.memory = self.statistics.memory.max(descend.memory() as u64);
                self.outcome = match answer {
                    Some(Answer::Found(found)) => assemble(model, &found).map(Outcome::Plan),
                    Some(Answer::Unsolvable) => Some(Outcome::NoPlan),
                    Some(Answer::Lost) => Some(Outcome::GaveUp(Limit::Depth)),
                    None if self.statistics.memory > self.budget.memory => {
                        Some(Outcome::GaveUp(Limit::Memory))
                    }
                    None if descend.nodes > self.budget.nodes => {
                        Some(Outcome::GaveUp(Limit::Nodes))
                    }
                    None => None,
                };
            }
        }
        match self.outcome {
            Some(_) => {
                self.engines = Engines::Done;
                Progress::Done
            }
            None => Progress::Running,
        }
    }

    /// How it ended; `None` while it runs. The plan has yet to be validated.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome.clone()
    }

    /// What it used so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }
}
