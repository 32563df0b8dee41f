//! Solves planning files in slices, so that the caller can check a clock.

use taskloom_domain::Domain;
use taskloom_hddl::import::read_planning_files;
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, Engine, Outcome, Progress, Strategy};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen::prelude::*;

/// A search for a plan for two planning files.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
pub struct Solving(Box<dyn Engine>);

#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
impl Solving {
    /// Reads the files and starts a search: `first`, `cheapest` or `any`, with a memory limit in
    /// bytes. `None` if that fails.
    #[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
    pub fn start(domain: &str, problem: &str, strategy: &str, memory: f64) -> Option<Solving> {
        let read = read_planning_files(domain, Some(problem)).ok()?;
        let problem = compile(&Domain::from(&read.document), &read.scenario);
        let budget = Budget {
            nodes: u64::MAX,
            depth: u32::MAX,
            memory: memory as u64,
        };
        let strategy = match strategy {
            "first" => Strategy::First,
            "cheapest" => Strategy::Cheapest,
            "any" => Strategy::Fastest,
            _ => return None,
        };
        let search = taskloom_portfolio::search(strategy, &problem, budget, 0);
        Some(Self(search))
    }

    /// Takes about `nodes` more decisions; returns `true` if the search has ended.
    #[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
    pub fn step(&mut self, nodes: u32) -> bool {
        self.0.step(u64::from(nodes)) == Progress::Done
    }

    /// Returns the result in one line, which starts with the plan's steps and cost; the best plan
    /// so far if it has not ended or gave up.
    #[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
    pub fn answer(&self) -> String {
        let (outcome, best) = (self.0.outcome(), self.0.best());
        let plan = match &outcome {
            Some(Outcome::Plan(plan)) => Some(plan),
            _ => best,
        };
        let ended = match &outcome {
            Some(Outcome::Plan(_)) => "plan".to_owned(),
            Some(other) => format!("{other:?}"),
            None => "not ended".to_owned(),
        };
        let Some(plan) = plan else {
            return ended;
        };
        let steps: Vec<String> = plan.steps.iter().map(|s| s.task.to_string()).collect();
        format!(
            "{ended}, {} steps, cost {}: {}",
            plan.steps.len(),
            plan.cost,
            steps.join(", ")
        )
    }
}
