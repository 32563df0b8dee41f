//! Planning for goals: the minimum cost equals that of an exhaustive search, in either direction
//! and with every heuristic; plans are valid, and partial plans report the remaining cost.

use expect_test::{Expect, expect};
use fastrand::Rng;
use goal_benchmark::{Pddl, classical, rovers};
use taskloom_document::{Agent, Document, Effect, EffectTiming, GoalSearch, Name, Planning};
use taskloom_domain::Domain;
use taskloom_domain::check::check as findings;
use taskloom_hddl::import::read_planning_files;
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, Outcome, Plan, Progress, Strategy, validate};
use testkit::domain;

mod anytime;
mod dijkstra;
mod growing;
mod instances;
mod limits;
mod optimal;
mod regression;
mod slices;
mod states;

pub use regression::back;

pub fn name(text: &str) -> Name {
    Name::new(text).unwrap()
}

/// Sets the scenario's character's search options.
fn searching(document: &Document, search: GoalSearch) -> Document {
    let mut document = document.clone();
    let agent = Agent {
        planning: Planning::Goals {
            goals: vec![],
            search,
        },
        ..Agent::default()
    };
    document.agents.insert(name("seeker"), agent.into());
    let mut scenario = (*document.scenarios[&name("s")]).clone();
    scenario.cast = vec![taskloom_document::CastMember::playing(name("seeker"))];
    document.scenarios.insert(name("s"), scenario.into());
    document
}

fn outcome(document: &Document, strategy: Strategy) -> Outcome {
    let problem = compile(&Domain::from(document), &name("s"));
    let mut search = strategy.search(&problem, Budget::default(), 0);
    while search.step(64) == Progress::Running {}
    search.outcome().unwrap()
}

pub fn cost(document: &Document, strategy: Strategy, text: &str) -> Option<f64> {
    match outcome(document, strategy) {
        Outcome::Plan(plan) => {
            let valid = validate(&Domain::from(document), &name("s"), &plan);
            assert_eq!(valid, Ok(()), "{plan:#?}\n{text}");
            Some(plan.cost)
        }
        Outcome::NoPlan => None,
        other => panic!("{other:?}\n{text}"),
    }
}

/// A soldier has the goals to be safe and not to be hungry; their values change.
const SOLDIER: &str = r#"{
  "taskloom": 4,
  "types": { "place": { "parent": "object" } },
  "objects": { "field": { "type": "place" }, "camp": { "type": "place" }, "den": { "type": "place" } },
  "facts": {
    "place": { "value": { "object": "place" } },
    "hungry": {}, "afraid": {}, "seen": {},
    "food": { "value": { "number": { "integer": true, "min": 0, "max": 9 } } },
    "wish": { "value": { "number": {} }, "source": "blackboard" }
  },
  "primitive_tasks": {
    "go": { "params": ["?to: place"], "preconditions": ["place != ?to"], "effects": [{ "text": "place := ?to" }], "cost": "2" },
    "gather": { "preconditions": ["place = field"], "effects": [{ "text": "food += 1" }] },
    "eat": { "preconditions": ["food >= 3"], "effects": [{ "text": "food -= 3" }, { "text": "not hungry" }] },
    "hide": { "preconditions": ["place = den"], "effects": [{ "text": "not afraid" }] }
  },
  "goals": {
    "fed": { "condition": "not hungry", "priority": 1, "bias": "wish" },
    "safe": { "condition": "not afraid", "priority": 2, "relevance": "count ?p: place. (place != ?p)" },
    "calm": { "condition": "not seen", "priority": 9 }
  },
  "agents": { "soldier": { "planning": { "goals": { "goals": ["fed", "safe"] } } } },
  "scenarios": {
    "s": { "initial": ["hungry", "place = camp"], "cast": [{ "agent": "soldier" }] }
  }
}"#;

/// Returns the soldier's plan, with changed initial values.
fn soldier(change: impl Fn(&mut Document)) -> String {
    let mut document = Document::from_json(SOLDIER).unwrap();
    change(&mut document);
    match outcome(&document, Strategy::First) {
        Outcome::Plan(plan) => {
            assert_eq!(
                validate(&Domain::from(&document), &name("s"), &plan),
                Ok(())
            );
            shown(&plan)
        }
        other => format!("{other:?}"),
    }
}

fn shown(plan: &Plan) -> String {
    let aim = plan.target.clone().unwrap();
    let steps: Vec<String> = plan
        .steps
        .iter()
        .map(|step| step.task.to_string())
        .collect();
    let goal = aim
        .goal
        .map_or("nothing".to_owned(), |goal| goal.to_string());
    let left = aim
        .remaining_estimate
        .map_or(String::new(), |left| format!(", {left} left"));
    format!("{goal}: {} (cost {}{left})", steps.join(", "), plan.cost)
}

fn initial(document: &mut Document, texts: &[&str]) {
    let mut scenario = (*document.scenarios[&name("s")]).clone();
    scenario.initial = texts.iter().map(|text| (*text).to_owned()).collect();
    document.scenarios.insert(name("s"), scenario.into());
}

fn check(actual: String, expected: Expect) {
    expected.assert_eq(&actual);
}

#[test]
fn plans_for_the_highest_value_unmet_goal() {
    check(
        soldier(|_| {}),
        expect!["fed: go(field), gather, gather, gather, eat (cost 6)"],
    );
    check(
        soldier(|document| initial(document, &["hungry", "afraid", "place = camp"])),
        expect!["safe: go(den), hide (cost 3)"],
    );
    check(
        soldier(|document| initial(document, &["hungry", "afraid", "place = camp", "wish = 9"])),
        expect!["fed: go(field), gather, gather, gather, eat (cost 6)"],
    );
    check(
        soldier(|document| initial(document, &["place = camp"])),
        expect!["nothing:  (cost 0)"],
    );
    check(
        soldier(|document| initial(document, &["hungry", "place = camp", "wish = -2"])),
        expect!["nothing:  (cost 0)"],
    );
}

#[test]
fn tries_the_next_goal_without_a_plan() {
    let without_den = |document: &mut Document| {
        initial(document, &["hungry", "afraid", "place = camp"]);
        document.objects.remove(&name("den"));
    };
    check(
        soldier(without_den),
        expect!["fed: go(field), gather, gather, gather, eat (cost 6)"],
    );
    let document = Document::from_json(SOLDIER).unwrap();
    assert_eq!(findings(&Domain::from(&document)), []);
}

fn effect(text: &str) -> Effect {
    Effect {
        text: text.into(),
        timing: EffectTiming::default(),
    }
}

#[test]
fn added_tasks_and_goals_take_effect_at_once() {
    let shop = |document: &mut Document| {
        let task = taskloom_document::PrimitiveTask {
            preconditions: vec!["place = camp".into()],
            effects: vec![effect("food := 3")],
            ..Default::default()
        };
        document.primitive_tasks.insert(name("shop"), task.into());
    };
    check(soldier(shop), expect!["fed: shop, eat (cost 2)"]);
    let warned = |document: &mut Document| {
        initial(document, &["hungry", "seen", "place = camp"]);
        let mut hide = (*document.primitive_tasks[&name("hide")]).clone();
        hide.effects.push(effect("not seen"));
        document.primitive_tasks.insert(name("hide"), hide.into());
        let mut agent = (*document.agents[&name("soldier")]).clone();
        if let Planning::Goals { goals, .. } = &mut agent.planning {
            goals.push(name("calm"));
        }
        document.agents.insert(name("soldier"), agent.into());
    };
    check(soldier(warned), expect!["calm: go(den), hide (cost 3)"]);
}

fn with_search(document: &mut Document, search: GoalSearch) {
    let mut agent = (*document.agents[&name("soldier")]).clone();
    if let Planning::Goals { goals, .. } = agent.planning {
        agent.planning = Planning::Goals { goals, search };
    }
    document.agents.insert(name("soldier"), agent.into());
}

#[test]
fn partial_plan_gets_as_close_as_possible_at_a_limit() {
    let limited = |nodes, depth| GoalSearch {
        nodes,
        depth,
        ..GoalSearch::default()
    };
    check(
        soldier(|document| with_search(document, limited(Some(4), None))),
        expect!["fed: go(field), gather (cost 3, 3 left)"],
    );
    check(
        soldier(|document| with_search(document, limited(None, Some(3)))),
        expect!["fed: go(field), gather, gather (cost 4, 2 left)"],
    );
    // No state is closer than the current one.
    check(
        soldier(|document| with_search(document, limited(Some(1), None))),
        expect!["GaveUp(Nodes)"],
    );
}

#[test]
fn subgoals_are_reached_one_after_the_other() {
    let by_the_den = |document: &mut Document| {
        let mut goal = (*document.goals[&name("fed")]).clone();
        goal.subgoals = vec!["place = den".into(), "place = camp and food >= 4".into()];
        document.goals.insert(name("fed"), goal.into());
    };
    check(
        soldier(by_the_den),
        expect!["fed: go(field), gather, gather, gather, gather, go(den), go(camp), eat (cost 11)"],
    );
    let mut document = Document::from_json(SOLDIER).unwrap();
    by_the_den(&mut document);
    let Outcome::Plan(plan) = outcome(&document, Strategy::First) else {
        panic!("there is a plan");
    };
    let mut straight = document.clone();
    let mut goal = (*straight.goals[&name("fed")]).clone();
    goal.subgoals.push("place = field and food = 2".into());
    straight.goals.insert(name("fed"), goal.into());
    let why = validate(&Domain::from(&straight), &name("s"), &plan)
        .unwrap_err()
        .to_string();
    check(
        why,
        expect!["the subgoal 'place = field and food = 2' was not reached"],
    );
}

/// Problems with several hundred to a few thousand ground actions, like the first ones of
/// competitions.
#[test]
fn solves_classical_problems_quickly() {
    let random = &mut Rng::with_seed(3);
    let problems = [
        ("6 blocks", classical::blocks(random, 6)),
        ("15 blocks", classical::blocks(random, 15)),
        ("25 blocks", classical::blocks(random, 25)),
        ("4 packages", classical::logistics(random, 2, 2, 4)),
        ("8 packages", classical::logistics(random, 3, 3, 8)),
        ("15 packages", classical::logistics(random, 5, 4, 15)),
        ("6 balls", classical::gripper(6, 2)),
        ("40 balls", classical::gripper(40, 4)),
        ("5 x 5 cells", classical::grid(random, 5)),
        ("8 x 8 cells", classical::grid(random, 8)),
        ("2 rovers", rovers::rovers(random, rovers::SIZES[3])),
    ];
    for (title, Pddl { domain, problem }) in problems {
        let imported = read_planning_files(&domain, Some(&problem)).expect("a document");
        assert_eq!(imported.diagnostics, []);
        let (document, scenario) = (&imported.document, &imported.scenario);
        let start = std::time::Instant::now();
        let budget = Budget {
            nodes: 3_000,
            ..Budget::default()
        };
        let mut search =
            Strategy::Fastest.search(&compile(&Domain::from(document), scenario), budget, 0);
        while search.step(64) == Progress::Running {}
        let statistics = search.statistics();
        let Some(Outcome::Plan(plan)) = search.outcome() else {
            panic!("{title}: {:?} {statistics:?}", search.outcome());
        };
        println!(
            "{title}: {} steps, {} states, {:?}",
            plan.steps.len(),
            statistics.nodes,
            start.elapsed()
        );
        assert_eq!(
            validate(&Domain::from(document), scenario, &plan),
            Ok(()),
            "{title}"
        );
    }
}

#[test]
fn search_can_be_cancelled() {
    let Pddl { domain, problem } = classical::blocks(&mut Rng::with_seed(5), 30);
    let imported = read_planning_files(&domain, Some(&problem)).expect("a document");
    let asked = std::sync::atomic::AtomicU32::new(0);
    let after = move || asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= 3;
    let stop = taskloom_document::stop::Stop::when(after);
    let problem = compile(&Domain::from(&imported.document), &imported.scenario).with_stop(&stop);
    let mut search = Strategy::Cheapest.search(&problem, Budget::default(), 0);
    assert_eq!(search.step(u64::MAX), Progress::Done);
    assert_eq!(search.outcome(), Some(Outcome::Stopped));
}
