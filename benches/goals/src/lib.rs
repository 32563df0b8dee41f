//! Generated problems with a goal and no tasks: classical ones as PDDL, and documents with numbers,
//! object-valued facts and conditional effects, which PDDL planners can't read.

pub mod camp;
pub mod classical;
pub mod errands;
pub mod rovers;

use fastrand::Rng;

/// A problem with a unique name, such as `gripper-08`.
#[derive(Debug)]
pub struct Problem {
    /// The family and the size.
    pub name: String,
    /// The planner's input.
    pub input: Input,
    /// The optimal cost of a plan, if known.
    pub optimal: Option<f64>,
    /// Seconds of CPU time within which a plan should be found.
    pub target: Option<f64>,
}

/// The planner's input.
#[derive(Debug)]
pub enum Input {
    /// A domain and a problem, which other planners can read, too.
    Pddl(Pddl),
    /// A Taskloom document with one scenario.
    Document(String),
}

/// A planning domain and a problem in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pddl {
    /// Types, predicates and actions.
    pub domain: String,
    /// Objects, initial state and goal.
    pub problem: String,
}

impl Pddl {
    fn new(domain: &str, name: &str, objects: &str, initial: &str, goal: &str) -> Self {
        Self {
            domain: domain.to_owned(),
            problem: format!(
                "(define (problem p) (:domain {name})\n(:objects {objects})\n(:init {initial})\n(:goal (and {goal})))\n"
            ),
        }
    }
}

/// Returns every problem of the benchmark, the same ones on each call.
pub fn problems() -> Vec<Problem> {
    let mut all = vec![];
    let mut classical = |family: &str, size: String, files: Pddl, optimal: Option<f64>| {
        all.push(Problem {
            name: format!("{family}-{size}"),
            input: Input::Pddl(files),
            optimal,
            target: None,
        });
    };
    for balls in [4, 8, 14, 20, 26, 32, 38, 42] {
        // Two balls per trip, without the trip back after the last one.
        let optimal = (3 * balls - 1) as f64;
        let files = classical::gripper(balls, 2);
        classical("gripper", format!("{balls:02}"), files, Some(optimal));
    }
    let cities = [(2, 2, 4), (2, 3, 6), (3, 3, 8), (4, 3, 10), (5, 3, 12)];
    let larger = [(5, 4, 15), (6, 4, 20), (8, 4, 25), (10, 5, 30), (12, 6, 40)];
    for (cities, places, packages) in cities.into_iter().chain(larger) {
        let random = &mut Rng::with_seed(packages as u64);
        let files = classical::logistics(random, cities, places, packages);
        classical("logistics", format!("{packages:02}"), files, None);
    }
    for blocks in [4, 6, 8, 10, 12, 15, 18, 21, 25, 30, 35] {
        let files = classical::blocks(&mut Rng::with_seed(blocks as u64), blocks);
        classical("blocks", format!("{blocks:02}"), files, None);
    }
    for size in rovers::SIZES {
        let files = rovers::rovers(&mut Rng::with_seed(size.places as u64), size);
        let name = format!("{}x{:02}", size.rovers, size.places);
        classical("rovers", name, files, None);
    }
    for size in [3, 5, 6, 8, 10, 12] {
        let files = classical::grid(&mut Rng::with_seed(size as u64), size);
        classical("grid", format!("{size:02}"), files, None);
    }
    for objects in [10, 20, 30, 40, 50, 60] {
        all.push(camp::camp(&mut Rng::with_seed(objects as u64), objects));
    }
    for (parcels, target) in [(6, 1.0), (10, 2.0), (20, 5.0), (60, 20.0)] {
        all.push(errands::parcels(parcels, target));
    }
    for heuristic in ["unmet", "hmax", "hadd", "ff"] {
        all.push(errands::lamps(60, heuristic));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn generates_the_same_problems_each_time_with_unique_names() {
        let text = || format!("{:?}", problems());
        assert_eq!(text(), text());
        let all = problems();
        let names: BTreeSet<&str> = all.iter().map(|problem| &*problem.name).collect();
        assert_eq!(names.len(), all.len());
    }
}
