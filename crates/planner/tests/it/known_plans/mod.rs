//! No planner may call a problem impossible that has a plan.
//!
//! Random domains are walked forward, and the steps of the walk become the problem, so that it has
//! a plan by construction. In addition, small random problems, most of which have no plan, are
//! searched exhaustively.

use std::collections::BTreeMap;

use taskloom_document::diagnostic::Severity;
use taskloom_document::{Document, Name};
use taskloom_domain::Domain as Typed;
use taskloom_domain::check::check;
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, Cheapest, Engine, Outcome, Progress, Search, validate};

mod domain;
mod naive;
mod plan;
mod walk;
mod world;

use domain::{Domain, Formula, Shape};
use testkit::counts::{is_sample, on_all_cores, seeds};
use testkit::random::Random;
use walk::Walk;
use world::State;

fn chance(random: &mut Random, of: usize) -> bool {
    random.below(of) == 0
}

fn random_state(random: &mut Random, domain: &Domain) -> State {
    let mut state = State::default();
    for f in 0..2 {
        if chance(random, 2) {
            state.plain.insert(f);
        }
    }
    for a in 0..domain.objects {
        for g in 0..2 {
            if chance(random, 2) {
                state.of.insert((g, a));
            }
        }
        for b in 0..domain.objects {
            if chance(random, 3) {
                state.pairs.insert((a, b));
            }
        }
    }
    if !chance(random, 3) {
        state.at = Some(random.below(domain.objects as usize) as u8);
    }
    if domain.counts {
        state.n = random.below(4) as i8;
    }
    state
}

fn random_roots(random: &mut Random, domain: &mut Domain, most: usize) {
    let (primitives, compounds) = (domain.primitives.len(), domain.compounds.len());
    domain.roots = (0..1 + random.below(most))
        .map(|_| {
            let task = if chance(random, 6) {
                random.below(primitives)
            } else {
                primitives + random.below(compounds)
            };
            (task as u8, random.below(domain.objects as usize) as u8)
        })
        .collect();
}

/// Generates formulas that are true in a state.
fn true_goal(random: &mut Random, domain: &Domain, state: &State, most: usize) -> Vec<Formula> {
    let formulas = (0..random.below(most + 1)).map(|_| {
        let formula = domain::random_goal(random, domain);
        if state.holds(domain, &formula, &vec![]) {
            formula
        } else {
            Formula::Not(Box::new(formula))
        }
    });
    formulas.collect()
}

/// The planner, by name.
const ENGINES: [&str; 4] = ["first", "cheapest", "any", "grounded"];

fn search(engine: &str, document: &Document, budget: Budget) -> Outcome {
    let scenario = Name::new("s").expect("a name");
    let problem = compile(&Typed::from(document), &scenario);
    let mut search: Box<dyn Engine> = match engine {
        "first" => Box::new(Search::new(&problem, budget, 0)),
        "cheapest" => Box::new(Cheapest::new(&problem, budget, 0)),
        "any" => Box::new(taskloom_portfolio::Search::new(&problem, budget)),
        _ => Box::new(taskloom_portfolio::Search::grounded(&problem, budget)),
    };
    while search.step(1000) == Progress::Running {}
    let best = search.best().cloned();
    let outcome = search.outcome().expect("it has ended");
    let outcome = match (outcome, best) {
        (Outcome::GaveUp(_), Some(best)) => Outcome::Plan(best),
        (outcome, _) => outcome,
    };
    if let Outcome::Plan(plan) = &outcome {
        let verdict = validate(&Typed::from(document), &scenario, plan);
        assert_eq!(verdict, Ok(()), "{engine} is wrong");
    }
    outcome
}

/// Counts by word.
#[derive(Debug, Default)]
struct Counts(BTreeMap<String, usize>);

impl Counts {
    fn add(&mut self, word: impl Into<String>) {
        *self.0.entry(word.into()).or_default() += 1;
    }

    fn of(&self, word: &str) -> usize {
        self.0.get(word).copied().unwrap_or(0)
    }
}

/// Returns the document, after asserting that it has no errors.
fn document(text: &str) -> Document {
    let document = testkit::domain::document(text);
    let mut found = check(&Typed::from(&document)).into_iter();
    let error = found.find(|d| d.severity == Severity::Error);
    assert_eq!(error, None, "{text}");
    document
}

/// Checks a problem with a known plan.
fn check_known(domain: &Domain, walk: &Walk, budget: Budget, counts: &mut Counts) {
    let text = domain.written();
    let document = document(&text);
    let scenario = Name::new("s").expect("a name");
    let known = plan::plan(domain, walk);
    assert_eq!(
        validate(&Typed::from(&document), &scenario, &known),
        Ok(()),
        "{text}"
    );
    for engine in ENGINES {
        match search(engine, &document, budget) {
            Outcome::Plan(plan) => {
                counts.add(format!("{engine} solved"));
                let least = plan.cost <= known.cost + 1e-9;
                if engine == "cheapest" && !least {
                    counts.add("dearer than known");
                }
            }
            Outcome::GaveUp(_) => counts.add(format!("{engine} gave up")),
            other => panic!(
                "{engine} says {other:?} of what has a plan of {} steps:\n{text}",
                known.steps.len()
            ),
        }
    }
}

/// The budget of a planner for a small problem.
const SMALL: Budget = Budget {
    nodes: 1_000,
    depth: 100,
    memory: 64 << 20,
};

/// Draws a problem for each seed, at most `times` times until there is one. The problems of each test are different,
/// since `first` is. The generator of problems receives the seed as well.
fn draw(
    (seeds, times): (Vec<u64>, usize),
    first: u64,
    problem: impl Fn(&mut Random, u64, &mut Counts) -> Option<()> + Sync,
) -> Counts {
    let each = on_all_cores(seeds, |seed| {
        let mut counts = Counts::default();
        let random = &mut Random::seeded(seed + first);
        let is_found = (0..times).any(|_| problem(random, seed, &mut counts).is_some());
        assert!(is_found, "no problem: {counts:?}");
        counts
    });
    let mut counts = Counts::default();
    for (word, count) in each.into_iter().flat_map(|counts| counts.0) {
        *counts.0.entry(word).or_default() += count;
    }
    println!("{counts:?}");
    counts
}

/// Generates a random domain with at most this many tasks from a random state.
fn random_domain(random: &mut Random, shape: Shape, roots: usize) -> Domain {
    let mut domain = domain::random(random, shape);
    random_roots(random, &mut domain, roots);
    domain.initial = random_state(random, &domain);
    domain
}

/// Asserts that each planner has done something often enough.
fn each_engine(counts: &Counts, word: &str, least: usize) {
    for engine in ENGINES {
        let count = counts.of(&format!("{engine} {word}"));
        assert!(is_sample() || count > least, "{engine}: {counts:?}");
    }
}

#[test]
fn solvable_problems_are_never_reported_unsolvable() {
    let seeds = seeds(10_000);
    let wanted = seeds.len();
    let counts = draw((seeds, 1_000), 0, |random, _, counts| {
        let shape = Shape {
            needs: 2 + random.below(3),
            recursive: chance(random, 2),
        };
        let mut domain = random_domain(random, shape, 3);
        let enough = random.below(10);
        let Some(walk) = walk::walk(&domain, random, enough) else {
            counts.add("no walk");
            return None;
        };
        domain.goal = true_goal(random, &domain, &walk.last, 3);
        let is_partial = domain
            .compounds
            .iter()
            .flat_map(|c| &c.methods)
            .any(|m| m.order.len() + 1 < m.tasks.len());
        counts.add(if is_partial {
            "partially ordered"
        } else {
            "totally ordered"
        });
        if domain.counts {
            counts.add("counting");
        }
        if !domain.goal.is_empty() {
            counts.add("goal");
        }
        if walk.steps.len() > 3 {
            counts.add("more than 3 steps");
        }
        check_known(&domain, &walk, SMALL, counts);
        Some(())
    });
    for kind in [
        "partially ordered",
        "totally ordered",
        "counting",
        "goal",
        "more than 3 steps",
    ] {
        let count = counts.of(kind);
        assert!(is_sample() || count > wanted / 30, "{kind}: {counts:?}");
    }
    each_engine(&counts, "solved", wanted * 2 / 3);
}

#[test]
fn problems_with_long_plans_are_never_reported_unsolvable() {
    let seeds = seeds(100);
    let wanted = seeds.len();
    let counts = draw((seeds, 10_000), 1 << 40, |random, seed, counts| {
        let shape = Shape {
            needs: 3,
            recursive: true,
        };
        let mut domain = random_domain(random, shape, 3);
        // 10 to 30,000 steps, each power of ten equally often. A decision may take time in proportion to the open
        // tasks, if some that can't be told apart wait for several others.
        // Some seeds rarely draw a long walk: they try shorter ones in the end.
        let power = (seed % 4).saturating_sub(counts.of("no walk") as u64 / 300);
        let enough =
            10usize.pow(power as u32 + 1) * (1 + random.below(if power < 3 { 9 } else { 3 }));
        let walk = walk::walk(&domain, random, enough);
        let Some(walk) = walk.filter(|w| w.steps.len() >= enough) else {
            counts.add("no walk");
            return None;
        };
        domain.goal = true_goal(random, &domain, &walk.last, 2);
        counts.add(format!("10^{} steps", walk.steps.len().ilog10()));
        let budget = Budget {
            nodes: 2_000 + 2 * walk.nodes.len() as u64,
            depth: 5_000,
            memory: 256 << 20,
        };
        check_known(&domain, &walk, budget, counts);
        Some(())
    });
    if wanted >= 40 {
        for power in 1..5 {
            let word = format!("10^{power} steps");
            assert!(counts.of(&word) > wanted / 20, "{word}: {counts:?}");
        }
    }
    each_engine(&counts, "solved", wanted / 5);
}

#[test]
fn unsolvable_problems_are_reported() {
    let seeds = seeds(10_000);
    let wanted = seeds.len();
    let counts = draw((seeds, 1_000), 1 << 41, |random, _, counts| {
        let shape = Shape {
            needs: 2 + random.below(4),
            recursive: chance(random, 3),
        };
        let mut domain = random_domain(random, shape, 2);
        domain.goal = (0..random.below(2))
            .map(|_| domain::random_goal(random, &domain))
            .collect();
        let Ok(has_plan) = naive::has_plan(&domain) else {
            counts.add("too much to list");
            return None;
        };
        counts.add(if has_plan { "a plan" } else { "no plan" });
        let text = domain.written();
        let document = document(&text);
        for engine in ENGINES {
            let outcome = search(engine, &document, SMALL);
            match &outcome {
                Outcome::Plan(_) => assert!(has_plan, "{engine} has a plan of\n{text}"),
                Outcome::NoPlan => assert!(!has_plan, "{engine} has no plan of\n{text}"),
                Outcome::GaveUp(_) => {}
                other => panic!("{engine} says {other:?} of\n{text}"),
            }
            let word = match outcome {
                Outcome::GaveUp(_) => "gave up",
                _ => "answered",
            };
            counts.add(format!("{engine} {word}"));
        }
        Some(())
    });
    for kind in ["a plan", "no plan"] {
        let count = counts.of(kind);
        assert!(is_sample() || count > wanted / 8, "{kind}: {counts:?}");
    }
    each_engine(&counts, "answered", wanted * 3 / 4);
}
