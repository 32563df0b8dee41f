//! The code to time: the same natively (`main.rs`) and in WebAssembly (`run.mjs`).

use taskloom_document::{Document, Name};
use taskloom_domain::Domain;
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, Engine, Outcome, Progress, Search, cheapest, plan};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen::prelude::*;

mod crowd;
mod settlement;
mod solving;

pub use crowd::Crowd;
pub use settlement::Settlement;
pub use solving::Solving;

/// The number of search events that the page keeps.
const TRACE_BOUND: usize = 2_000;

/// A scenario of a document.
#[derive(Debug)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
pub struct Subject {
    document: Document,
    scenario: Name,
    problem: taskloom_planner::compile::Problem,
}

/// Returns the names of the scenarios in a document's file; empty if it is unreadable.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
pub fn scenarios(text: &str) -> Vec<String> {
    let document = Document::from_json(text).unwrap_or_default();
    document.scenarios.keys().map(Name::to_string).collect()
}

fn length(outcome: &Outcome) -> i32 {
    match outcome {
        Outcome::Plan(plan) => plan.steps.len() as i32,
        Outcome::NoPlan => -1,
        Outcome::GaveUp(_) | Outcome::Stopped | Outcome::NotPlanned(_) => -2,
    }
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
impl Subject {
    /// Reads a scenario of a document's file.
    #[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
    pub fn open(text: &str, scenario: &str) -> Option<Subject> {
        let document = Document::from_json(text).ok()?;
        let scenario = Name::new(scenario).ok()?;
        let problem = compile(&Domain::from(&document), &scenario);
        Some(Self {
            document,
            scenario,
            problem,
        })
    }

    /// Searches for the first plan in the designer's order; returns its number of steps, -1 if
    /// there is provably no plan, -2 if the search gave up.
    #[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
    pub fn first(&self) -> i32 {
        length(&plan(&self.problem, Budget::default()))
    }

    /// Like `first`, with a trace.
    #[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
    pub fn traced(&self) -> i32 {
        let mut search = Search::new(&self.problem, Budget::default(), TRACE_BOUND);
        while search.step(u64::MAX) == Progress::Running {}
        length(&search.outcome().unwrap_or(Outcome::Stopped))
    }

    /// Like `first`, including compilation, as after each edit.
    #[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
    pub fn compiled(&self) -> i32 {
        let problem = compile(&Domain::from(&self.document), &self.scenario);
        length(&plan(&problem, Budget::default()))
    }

    /// Searches for the cheapest plan, and proves that it is optimal.
    #[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
    pub fn cheapest(&self) -> i32 {
        length(&cheapest(&self.problem, Budget::default()).0)
    }
}

/// Returns the size of the module's memory in bytes, which never shrinks.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
pub fn bytes_held() -> f64 {
    core::arch::wasm32::memory_size::<0>() as f64 * 65_536.0
}
