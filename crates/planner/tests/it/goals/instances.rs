//! The instances of tasks are kept for later searches of an actor, in other states of the world. That makes no
//! difference, not even to the work that each call of a search counts.

use super::name;
use taskloom_domain::Domain;
use taskloom_domain::lang::World as _;
use taskloom_planner::compile::{Problem, compile};
use taskloom_planner::plan::{Budget, Outcome, Progress, Strategy, Value, World};
use testkit::counts::{is_sample, on_all_cores, seeds};
use testkit::domain::document;
use testkit::random::Random;

/// Ground facts, with values that differ from the default.
const VALUES: [(&str, Value); 8] = [
    ("f0", Value::Bool(true)),
    ("f1", Value::Bool(true)),
    ("g(a)", Value::Bool(true)),
    ("g(b)", Value::Bool(true)),
    ("h(p1)", Value::Bool(true)),
    ("n", Value::Number(2.0)),
    ("m(a)", Value::Number(1.0)),
    ("far(p1, p2)", Value::Number(3.0)),
];

/// Searches in slices. Returns the outcome, and the decisions counted after each call.
fn search(problem: &Problem, nodes: u64, slice: u64) -> (Option<Outcome>, Vec<u64>) {
    let budget = Budget {
        nodes,
        ..Budget::default()
    };
    let mut search = Strategy::Fastest.search(problem, budget, 0);
    let mut spent = vec![];
    while search.step(slice) == Progress::Running {
        spent.push(search.spent());
    }
    spent.push(search.spent());
    (search.outcome(), spent)
}

#[test]
fn kept_instances_make_no_difference() {
    let domains = seeds(2_000);
    let plans = on_all_cores(domains.clone(), |seed| {
        let random = &mut Random(seed + 1);
        let text = testkit::goals::domain(random);
        let domain = Domain::from(&document(&text));
        let mut world = World::initial(&domain, domain.scene(&name("s")).expect("a scenario"));
        let compiled = compile(&domain, &name("s"));
        let mut base = compiled.based_on(&world);
        let mut plans = 0;
        for turn in 0..8 {
            let (atom, value) = random.pick(&VALUES).clone();
            let atom = world.atom(atom).expect("a fact");
            let is_set = world.value(&atom) == value;
            let value = if is_set { world.unset(&atom) } else { value };
            world.set(&atom, value).expect("a value");
            if random.below(4) == 0 {
                base = base.based_on(&world);
            }
            let slice = *random.pick(&[1, 2, 7, 300]);
            let nodes = *random.pick(&[3, 20, 2_000]);
            let context = format!("seed {seed}, turn {turn}\n{text}");
            let kept = search(&base.with_state(&world, Some(&[])), nodes, slice);
            let fresh = search(&compiled.with_state(&world, Some(&[])), nodes, slice);
            assert_eq!(kept, fresh, "{context}");
            plans += usize::from(matches!(kept.0, Some(Outcome::Plan(_))));
        }
        plans
    });
    let plans: usize = plans.into_iter().sum();
    assert!(is_sample() || plans > domains.len() / 2, "{plans} plans");
}
