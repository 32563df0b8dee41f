//! Plan files with lines and ids in any order: a plan is read as one, and everything else is
//! refused.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use crate::examples::texts;
use taskloom_document::{Document, Name};
use taskloom_domain::Domain;
use taskloom_hddl::import::{ImportNames, file_of_plan, plan_of_file, read_planning_files};
use taskloom_hddl::syntax::{PlanFile, read_plan, write_plan};
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, NodeKind, Outcome, Plan, Progress, Strategy, validate};
use testkit::charts;
use testkit::counts::{is_sample, on_all_cores, seeds};
use testkit::domain;
use testkit::random::Random;

/// A document, one of its scenarios, and the names in its files.
pub struct Situation {
    pub document: Document,
    pub scenario: Name,
    pub names: ImportNames,
}

impl Situation {
    pub fn read(domain: &str, problem: &str) -> Self {
        let imported = read_planning_files(domain, Some(problem)).expect("a document");
        Self {
            document: imported.document,
            scenario: imported.scenario,
            names: imported.names,
        }
    }

    pub fn of(document: Document, scenario: Name) -> Self {
        let names = ImportNames::of(Domain::from(&document).executable().document(), &scenario);
        Self {
            document,
            scenario,
            names,
        }
    }

    fn plan(&self, strategy: Strategy) -> Option<Arc<Plan>> {
        let budget = Budget {
            nodes: 5_000,
            depth: 100,
            ..Budget::default()
        };
        let problem = compile(&Domain::from(&self.document), &self.scenario);
        let mut search = taskloom_portfolio::search(strategy, &problem, budget, 0);
        while search.step(u64::MAX) == Progress::Running {}
        match search.outcome() {
            Some(Outcome::Plan(plan)) => {
                validate(&Domain::from(&self.document), &self.scenario, &plan)
                    .expect("a valid plan");
                Some(plan)
            }
            _ => None,
        }
    }

    pub fn judge(&self, file: &PlanFile) -> Result<Plan, String> {
        let read = read_plan(&write_plan(file));
        if let Some(error) = read.errors.first() {
            return Err(error.message.clone());
        }
        assert_eq!(read.plan, *file);
        plan_of_file(
            file,
            &Domain::from(&self.document),
            &self.scenario,
            &self.names,
        )
        .map_err(|invalid| invalid.to_string())
    }
}

fn shuffle<T>(list: &mut [T], random: &mut Random) {
    for at in (1..list.len()).rev() {
        list.swap(at, random.below(at + 1));
    }
}

/// Returns the same plan with its lines, its ids and those of each line in another order.
pub fn shuffled(file: &PlanFile, random: &mut Random) -> PlanFile {
    let mut file = file.clone();
    let mut ids: Vec<u64> = file.steps.iter().map(|step| step.id).collect();
    ids.extend(file.decompositions.iter().map(|d| d.id));
    let mut others = ids.clone();
    shuffle(&mut others, random);
    let other: BTreeMap<u64, u64> = ids.into_iter().zip(others).collect();
    for step in &mut file.steps {
        step.id = other[&step.id];
    }
    for decomposition in &mut file.decompositions {
        decomposition.id = other[&decomposition.id];
        decomposition
            .subtasks
            .iter_mut()
            .for_each(|id| *id = other[id]);
        shuffle(&mut decomposition.subtasks, random);
    }
    file.roots.iter_mut().for_each(|id| *id = other[id]);
    shuffle(&mut file.roots, random);
    shuffle(&mut file.decompositions, random);
    file
}

/// Returns the content of a file, independently of its ids and the order of its lines: each task
/// with its subtree, and steps by their number.
fn content(file: &PlanFile) -> Vec<String> {
    let words = |task: &[taskloom_hddl::syntax::ast::Ident]| {
        let words: Vec<String> = task.iter().map(|w| w.to_ascii_lowercase()).collect();
        words.join(" ")
    };
    let steps = file.steps.iter().enumerate();
    let mut known: BTreeMap<u64, String> = steps
        .map(|(at, step)| (step.id, format!("{at} {}", words(&step.task))))
        .collect();
    let mut left: Vec<_> = file.decompositions.iter().collect();
    while !left.is_empty() {
        let before = left.len();
        left.retain(|d| {
            let below = d.subtasks.iter().map(|id| known.get(id).cloned());
            let Some(mut below) = below.collect::<Option<Vec<String>>>() else {
                return true;
            };
            below.sort();
            let method = d.method.to_ascii_lowercase();
            let text = format!("{} -> {method} [{}]", words(&d.task), below.join("; "));
            known.insert(d.id, text);
            false
        });
        assert!(left.len() < before, "a plan that was accepted has a circle");
    }
    let mut content: Vec<String> = file.roots.iter().map(|id| known[id].clone()).collect();
    content.sort();
    content
}

/// Returns `true` if the ids of each line are in an order that the wires allow.
fn is_linear(plan: &Plan, file: &PlanFile) -> bool {
    file.decompositions.iter().all(|decomposition| {
        let node = &plan.nodes[decomposition.id as usize];
        let NodeKind::Decomposed(by) = &node.kind else {
            return false;
        };
        if by.is_by_goal() {
            return decomposition.subtasks.is_sorted();
        }
        let mut passed: Vec<&taskloom_document::BlockId> = vec![];
        let blocks = decomposition.subtasks.iter();
        blocks
            .map(|id| plan.nodes[*id as usize].block.as_ref().expect("a block"))
            .all(|block| {
                // No later block has been passed.
                let mut behind = vec![block];
                let mut at = 0;
                while let Some(from) = behind.get(at).copied() {
                    let next = by.wires.iter().filter(|wire| wire.from == *from);
                    for wire in next {
                        if !behind.contains(&&wire.to) {
                            behind.push(&wire.to);
                        }
                    }
                    at += 1;
                }
                let fits = !behind[1..].iter().any(|later| passed.contains(later));
                passed.push(block);
                fits
            })
    })
}

/// Plans by all strategies, shuffled, are read as they are. Returns their number.
pub fn check_plans(situation: &Situation, random: &mut Random) -> usize {
    let mut count = 0;
    for strategy in [Strategy::First, Strategy::Cheapest, Strategy::Fastest] {
        let Some(plan) = situation.plan(strategy) else {
            continue;
        };
        // A reactive agent's plan, or one that only gets closer to its goal, is not a whole one.
        let target = plan.target.as_ref();
        if target.is_some_and(|target| target.remaining_estimate.is_some())
            || plan.nodes.iter().any(|node| node.kind == NodeKind::Pending)
        {
            continue;
        }
        let file = file_of_plan(&plan, &situation.names);
        assert!(is_linear(&plan, &file), "{}", write_plan(&file));
        for round in 0..4 {
            let other = match round {
                0 => file.clone(),
                _ => shuffled(&file, random),
            };
            let read = situation.judge(&other);
            let read = read.unwrap_or_else(|why| panic!("{why}\n{}", write_plan(&other)));
            let again = file_of_plan(&read, &situation.names);
            assert_eq!(content(&again), content(&file));
            assert_eq!(read.cost, plan.cost);
            let goal = |plan: &Plan| plan.target.as_ref().map(|target| target.goal.clone());
            assert_eq!(goal(&read), goal(&plan));
        }
        for _ in 0..12 {
            check_damaged(situation, &file, random);
        }
        count += 1;
    }
    count
}

/// Damages a plan in one place. Returns `true` if it can't be valid any more, in any domain.
fn damage(file: &mut PlanFile, random: &mut Random) -> bool {
    let lists = file.decompositions.len() + 1;
    let list = random.below(lists);
    fn ids(file: &mut PlanFile, list: usize) -> &mut Vec<u64> {
        match list.checked_sub(1) {
            None => &mut file.roots,
            Some(at) => &mut file.decompositions[at].subtasks,
        }
    }
    let steps = file.steps.len();
    match random.below(9) {
        0 if steps > 0 => {
            file.steps.remove(random.below(steps));
            true
        }
        1 if lists > 1 => {
            file.decompositions.remove(random.below(lists - 1));
            true
        }
        2 if !ids(file, list).is_empty() => {
            // One subtask is missing.
            let ids = ids(file, list);
            let at = random.below(ids.len());
            ids.remove(at);
            true
        }
        3 if !ids(file, list).is_empty() => {
            let ids = ids(file, list);
            let twice = ids[random.below(ids.len())];
            ids.push(twice);
            true
        }
        4 if lists > 1 => {
            // A task below itself.
            let at = random.below(lists - 1);
            let decomposition = &mut file.decompositions[at];
            decomposition.subtasks.push(decomposition.id);
            true
        }
        5 if steps > 1 => {
            let (a, b) = (random.below(steps), random.below(steps));
            file.steps.swap(a, b);
            false
        }
        6 if steps > 0 => {
            let other = file.steps[random.below(steps)].task.clone();
            file.steps[random.below(steps)].task = other;
            false
        }
        7 if lists > 1 => {
            let other = file.decompositions[random.below(lists - 1)].method.clone();
            file.decompositions[random.below(lists - 1)].method = other;
            false
        }
        _ if lists > 1 => {
            // A subtask moves in the tree.
            let moved = ids(file, list).pop();
            let to = random.below(lists);
            ids(file, to).extend(moved);
            false
        }
        _ => false,
    }
}

/// A damaged plan is refused, or its content has been checked exactly as written.
fn check_damaged(situation: &Situation, file: &PlanFile, random: &mut Random) {
    let mut file = shuffled(file, random);
    let is_broken = damage(&mut file, random);
    match situation.judge(&file) {
        Ok(plan) => {
            assert!(!is_broken, "{}", write_plan(&file));
            let again = file_of_plan(&plan, &situation.names);
            assert_eq!(content(&again), content(&file));
        }
        Err(why) => assert!(why.len() > 10, "{why}"),
    }
}

#[test]
fn plans_of_exported_files_are_valid_in_any_order() {
    let mut random = Random(1);
    let mut count = 0;
    for (domain, problem) in [
        ("museum", "problem-1"),
        ("bakery", "problem-1"),
        ("bakery", "problem-2"),
        ("orchestra", "problem-1"),
        ("canal", "problem-2"),
    ] {
        let (domain, problem) = texts(domain, problem);
        count += check_plans(&Situation::read(&domain, &problem), &mut random);
    }
    assert!(count >= 12, "{count} plans");
}

#[test]
fn plans_of_the_examples_are_valid_in_any_order() {
    let mut random = Random(2);
    for (file, enough) in [
        ("ball-in-the-box", 15),
        ("hunter", 10),
        ("night-guard", 15),
        ("office", 10),
        ("opening", 10),
        ("rts", 10),
        ("sentry", 10),
    ] {
        let document = domain::example(file);
        let mut count = 0;
        for scenario in document.scenarios.keys() {
            let situation = Situation::of(document.clone(), scenario.clone());
            count += check_plans(&situation, &mut random);
        }
        assert!(count >= enough, "{file}: {count} plans");
    }
}

#[test]
fn plans_of_random_domains_are_valid_in_any_order() {
    let counts = on_all_cores(seeds(4_000), |seed| {
        let document = domain::document(&charts::domain(seed));
        let scenario = Name::new("s").expect("a name");
        check_plans(
            &Situation::of(document, scenario),
            &mut Random::seeded(seed),
        )
    });
    let (count, of) = (counts.iter().sum::<usize>(), counts.len());
    assert!(
        is_sample() || count >= of / 3,
        "{count} plans of {of} domains"
    );
}

/// A domain whose methods have many subtasks that look the same: variables that only the conditions
/// distinguish, tasks without steps, partial orders.
fn alike(random: &mut Random) -> (String, String) {
    let mut domain = String::from(
        "(define (domain alike) (:types thing) (:predicates (on ?x - thing) (near ?x ?y - thing))
  (:task turn :parameters (?x - thing)) (:task round :parameters (?x - thing))
  (:method turn-on :parameters (?x - thing) :task (turn ?x) :precondition (not (on ?x))
    :ordered-subtasks (and (press ?x)))
  (:method leave-on :parameters (?x - thing) :task (turn ?x) :precondition (on ?x))
  (:action press :parameters (?x - thing) :precondition (not (on ?x)) :effect (on ?x))
  (:action release :parameters (?x - thing) :precondition (on ?x) :effect (not (on ?x)))\n",
    );
    let variables = ["?x", "?y", "?z"];
    let network = |random: &mut Random, tasks: &[&str]| {
        let mut subtasks = String::new();
        let count = 1 + random.below(6);
        for number in 0..count {
            let task = random.pick(tasks);
            let variable = random.pick(&variables);
            let _ = write!(subtasks, " (t{number} ({task} {variable}))");
        }
        let mut order = String::new();
        let many = random.below(4);
        for second in 1..count {
            for first in 0..second {
                if random.below(4) < many {
                    let _ = write!(order, " (< t{first} t{second})");
                }
            }
        }
        format!(":subtasks (and{subtasks}) :ordering (and{order})")
    };
    for number in 0..2 {
        let network = network(random, &["turn", "release", "turn", "press", "round"]);
        let _ = writeln!(
            domain,
            "  (:method m{number} :parameters (?x ?y ?z - thing) :task (round ?x)
    :precondition (and (near ?x ?y) (near ?y ?z)) {network})"
        );
    }
    domain += "  (:method none :parameters (?x - thing) :task (round ?x) :precondition (on ?x)))\n";
    let network = network(random, &["turn", "turn", "round"]);
    let mut initial = String::new();
    for a in ["a", "b", "c"] {
        if random.below(2) == 0 {
            let _ = write!(initial, " (on {a})");
        }
        for b in ["a", "b", "c"] {
            if random.below(2) == 0 {
                let _ = write!(initial, " (near {a} {b})");
            }
        }
    }
    let problem = format!(
        "(define (problem p) (:domain alike) (:objects a b c - thing)
  (:htn :parameters (?x ?y ?z - thing) {network})
  (:init{initial}))\n"
    );
    (domain, problem)
}

#[test]
fn plans_of_identical_subtasks_are_valid_in_any_order() {
    let checked = on_all_cores(seeds(1_000), |seed| {
        let mut random = Random::seeded(seed);
        let (domain, problem) = alike(&mut random);
        let situation = Situation::read(&domain, &problem);
        let count = check_plans(&situation, &mut random);
        let plan = situation.plan(Strategy::First);
        (count, plan.map_or(0, |plan| plan.nodes.len()))
    });
    let count: usize = checked.iter().map(|(count, _)| count).sum();
    let longest = checked.iter().map(|(_, tasks)| *tasks).max();
    assert!(is_sample() || count >= checked.len() / 2, "{count} plans");
    assert!(is_sample() || longest >= Some(12), "{longest:?} tasks");
}

/// Many subtasks of one kind, unordered, in sequence, and of which most have no steps.
#[test]
fn matches_many_identical_subtasks_quickly() {
    let mut random = Random(5);
    for (keyword, empty) in [
        (":subtasks", 0),
        (":ordered-subtasks", 0),
        (":subtasks", 150),
        (":ordered-subtasks", 150),
    ] {
        let domain = "(define (domain d) (:predicates (even))
  (:task go :parameters ())
  (:method once :parameters () :task (go) :ordered-subtasks (and (tick)))
  (:method never :parameters () :task (go) :ordered-subtasks ())
  (:action tick :parameters () :precondition () :effect ()))";
        let tasks = "(go)".repeat(200);
        let problem =
            format!("(define (problem p) (:domain d) (:htn {keyword} (and {tasks})) (:init))");
        let situation = Situation::read(domain, &problem);
        let mut text = String::from("==>\n");
        for id in empty..200 {
            let _ = writeln!(text, "{} tick", 1000 + id);
        }
        text += "root";
        (0..200).for_each(|id| text += &format!(" {id}"));
        text += "\n";
        for id in 0..200 {
            let _ = if id < empty {
                writeln!(text, "{id} go -> never")
            } else {
                writeln!(text, "{id} go -> once {}", 1000 + id)
            };
        }
        text += "<==\n";
        let file = read_plan(&text).plan;
        for _ in 0..3 {
            let plan = situation.judge(&shuffled(&file, &mut random));
            assert_eq!(plan.map(|plan| plan.steps.len()), Ok(200 - empty));
        }
    }
}
