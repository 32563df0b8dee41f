//! A search that is interrupted does the same as one that isn't, and each call does at most the work that it
//! is allowed, and one indivisible step.

use super::name;
use fastrand::Rng;
use goal_benchmark::classical;
use taskloom_domain::Domain;
use taskloom_hddl::import::read_planning_files;
use taskloom_planner::compile::{Problem, compile};
use taskloom_planner::plan::{Budget, Outcome, Progress, Strategy};
use testkit::counts::{on_all_cores, seeds};
use testkit::domain::document;
use testkit::random::Random;

const STRATEGIES: [Strategy; 3] = [Strategy::First, Strategy::Cheapest, Strategy::Fastest];

/// The result of a search in slices.
struct Sliced {
    outcome: Option<Outcome>,
    states: u64,
    spent: u64,
    /// The maximum number of decisions that a call took beyond those it was allowed.
    excess: u64,
}

fn search(problem: &Problem, strategy: Strategy, nodes: u64, slice: u64) -> Sliced {
    let budget = Budget {
        nodes,
        ..Budget::default()
    };
    let mut search = strategy.search(problem, budget, 0);
    let mut excess = 0;
    loop {
        let before = search.spent();
        let progress = search.step(slice);
        let spent = search.spent() - before;
        excess = excess.max(spent.saturating_sub(slice));
        if progress == Progress::Done {
            return Sliced {
                outcome: search.outcome(),
                states: search.statistics().nodes,
                spent: search.spent(),
                excess,
            };
        }
        assert!(spent > 0, "a call does something");
    }
}

/// Checks that the slices make no difference. Returns the maximum excess.
fn check(problem: &Problem, strategy: Strategy, nodes: u64, context: &str) -> u64 {
    let whole = search(problem, strategy, nodes, u64::MAX);
    let mut excess = 0;
    for slice in [1, 7, 300] {
        let sliced = search(problem, strategy, nodes, slice);
        assert_eq!(
            sliced.outcome, whole.outcome,
            "slices of {slice}, {context}"
        );
        assert_eq!(sliced.states, whole.states, "slices of {slice}, {context}");
        assert_eq!(sliced.spent, whole.spent, "slices of {slice}, {context}");
        excess = excess.max(sliced.excess);
    }
    excess
}

#[test]
fn slices_make_no_difference() {
    let excesses = on_all_cores(seeds(1_000), |seed| {
        let text = testkit::goals::domain(&mut Random(seed + 1));
        let problem = compile(&Domain::from(&document(&text)), &name("s"));
        let checked = STRATEGIES.map(|strategy| {
            let nodes = if seed % 4 == 0 { 20 } else { 2_000 };
            check(
                &problem,
                strategy,
                nodes,
                &format!("seed {seed}, {strategy:?}\n{text}"),
            )
        });
        checked.into_iter().max().unwrap_or(0)
    });
    let most = excesses.into_iter().max().unwrap_or(0);
    assert!(most < 400, "a step took {most} decisions");
}

#[test]
fn steps_of_larger_problems_are_short() {
    let random = &mut Rng::with_seed(3);
    let problems = [
        ("15 blocks", classical::blocks(random, 15)),
        ("8 packages", classical::logistics(random, 3, 3, 8)),
        ("40 balls", classical::gripper(40, 4)),
        ("8 x 8 cells", classical::grid(random, 8)),
    ];
    for (title, files) in problems {
        let imported = read_planning_files(&files.domain, Some(&files.problem));
        let imported = imported.expect("a document");
        let domain = Domain::from(&imported.document);
        let problem = compile(&domain, &imported.scenario);
        let excess = check(&problem, Strategy::Fastest, 3_000, title);
        println!("{title}: {excess} decisions");
        assert!(excess < 2_000, "{title}: a step took {excess} decisions");
    }
}
