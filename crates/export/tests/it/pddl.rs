//! Goals without tasks in PDDL: the text, the same meaning when it is read back, and no cheaper
//! plan by Fast Downward than ours.

use std::fs;
use std::process::Command;
use std::sync::Arc;

use expect_test::{expect, expect_file};
use taskloom_document::{
    Agent, CastMember, Direction, Document, GoalSearch, Heuristic, Info, Name, Planning,
};
use taskloom_domain::Domain;
use taskloom_export::{Export, Target, export};
use taskloom_hddl::import::read_planning_files;
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, Outcome, Progress, Strategy, validate};

use super::classical;
use super::tools::{folder, output, program, root};
use testkit::counts::{is_sample, on_all_cores, seeds_of_each_run};
use testkit::domain::document;
use testkit::goals;
use testkit::random::Random;

fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

fn written(document: &Document) -> Result<Export, String> {
    let export = export(document, Some(&name("s")), Target::Pddl);
    export.map_err(|errors| {
        let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
        lines.join("\n")
    })
}

/// Returns the domain and the problem.
fn files(export: &Export) -> (&str, &str) {
    match export.files.as_slice() {
        [domain, problem] => (&domain.text, &problem.text),
        files => panic!("{} files", files.len()),
    }
}

/// Returns the document, with the agent's search options set.
fn searching(document: &Document, goals: &[&str], search: GoalSearch) -> Document {
    let mut document = document.clone();
    let goals = goals.iter().map(|goal| name(goal)).collect();
    let agent = Agent {
        planning: Planning::Goals { goals, search },
        ..Agent::default()
    };
    document.agents.insert(name("seeker"), agent.into());
    let mut scenario = (*document.scenarios[&name("s")]).clone();
    scenario.cast = vec![CastMember::playing(name("seeker"))];
    document.scenarios.insert(name("s"), scenario.into());
    document
}

/// Returns the cost of the cheapest plan: an inner `None` if there is no plan, an outer one if
/// unknown.
fn least_cost(document: &Document, scenario: &Name, budget: Budget) -> Option<Option<f64>> {
    let problem = compile(&Domain::from(document), scenario);
    let mut search = Strategy::Cheapest.search(&problem, budget, 0);
    while search.step(64) == Progress::Running {}
    match search.outcome() {
        Some(Outcome::Plan(plan)) => {
            assert_eq!(
                validate(&Domain::from(document), scenario, &plan),
                Ok(()),
                "{plan:?}"
            );
            Some(Some(plan.cost))
        }
        Some(Outcome::NoPlan) => Some(None),
        _ => None,
    }
}

fn least(document: &Document) -> Option<Option<f64>> {
    let budget = Budget {
        nodes: 20_000,
        ..Budget::default()
    };
    least_cost(document, &name("s"), budget)
}

/// A keeper with two goals: the lamp is lit, and the boat is at home.
const LIGHTHOUSE: &str = "\
type place: object
object tower: place
object shed: place
object quay: place
fact lit
fact broken(?p: place)
fact wet
value at: place
value boat: place
number oil integer 0..5
number steps(?p: place, ?q: place) integer 0..99
condition ready: oil >= 2 and not wet
primitive walk(?to: place)
  pre at != ?to
  eff at := ?to
  eff wet when ?to = quay
  cost steps(at, ?to)
primitive row(?to: place)
  pre at = boat and ?to != boat
  eff boat := ?to
  eff at := ?to
  cost 2 * steps(boat, ?to) + 1
primitive fill
  pre at = shed
  eff oil += 2
primitive dry
  pre at = tower
  eff not wet
  cost 3
primitive light
  pre at = tower and ready and (forall ?p: place. not broken(?p))
  eff lit
  eff oil -= 2
primitive mend(?p: place)
  pre at = ?p and broken(?p)
  eff not broken(?p)
  eff oil -= 1 when oil > 0
compound rest
  block a begin
scenario s
  initial at = quay
  initial boat = quay
  initial wet
  initial broken(shed)
  initial steps(tower, shed) = 4
  initial steps(shed, tower) = 4
  initial steps(quay, shed) = 7
  initial steps(shed, quay) = 6
  initial steps(quay, tower) = 10
  initial steps(tower, quay) = 9
";

const GOALS: &str = r#"{
  "shining": { "condition": "lit", "priority": 2 },
  "home": { "condition": "boat = shed", "priority": 1, "bias": "2" },
  "calm": { "condition": "not lit", "priority": 9 }
}"#;

fn lighthouse() -> Document {
    let mut document = document(LIGHTHOUSE);
    document.info = Arc::new(Info {
        title: "The lighthouse".to_owned(),
        note: String::new(),
    });
    document.goals = serde_json::from_str(GOALS).expect("goals");
    document
}

#[test]
fn the_lighthouse_in_pddl() {
    let document = searching(
        &lighthouse(),
        &["shining", "home", "calm"],
        GoalSearch::default(),
    );
    let export = written(&document).expect("an export");
    let (domain, problem) = files(&export);
    expect_file!["../../../../tests/golden/lighthouse/domain.pddl"].assert_eq(domain);
    expect_file!["../../../../tests/golden/lighthouse/problem.pddl"].assert_eq(problem);
    assert_eq!(export.files[0].path, "domain.pddl");
    expect![[r#"
        the goal is 'home', which has the highest value of 3 goals in the initial state
        the cost of row is computed from numbers: planners that support only action costs can't read it
        numbers in conditions, effects or costs: these files require a planner with numeric fluents (PDDL 2.1), such as ENHSP or Metric-FF; Fast Downward can't read them"#]]
    .assert_eq(&export.warnings.join("\n"));
    // The part that other planners read has the same cost as here.
    for goal in ["shining", "home", "calm"] {
        let document = searching(&lighthouse(), &[goal], GoalSearch::default());
        let cost = read_back(&document);
        assert_eq!(cost, least(&document), "{goal}");
        assert!(cost.flatten().is_some(), "{goal}");
    }
}

/// Returns the cost of the cheapest plan after reading an export back.
fn read_back(document: &Document) -> Option<Option<f64>> {
    let export = written(document).expect("an export");
    let (domain, problem) = files(&export);
    let imported = read_planning_files(domain, Some(problem)).expect("a document");
    assert_eq!(imported.diagnostics, [], "{domain}\n{problem}");
    let budget = Budget::default();
    least_cost(&imported.document, &imported.scenario, budget)
}

#[test]
fn pddl_export_rejects_unsupported_features() {
    let refused = |change: &dyn Fn(&mut Document)| {
        let mut document = lighthouse();
        change(&mut document);
        written(&document).map(|_| ()).unwrap_err()
    };
    let mut shown = vec![refused(&|_| {})];
    shown.push(refused(&|document| {
        let mut scenario = (*document.scenarios[&name("s")]).clone();
        scenario.tasks = vec!["fill".into(), "light".into()];
        document.scenarios.insert(name("s"), scenario.into());
    }));
    shown.push(refused(&|document| {
        let mut goal = (*document.goals[&name("home")]).clone();
        goal.subgoals = vec!["lit".into()];
        document.goals.insert(name("home"), goal.into());
        *document = searching(document, &["home"], GoalSearch::default());
    }));
    shown.push(refused(&|document| {
        let mut goal = (*document.goals[&name("home")]).clone();
        goal.condition = "(count ?p: place. broken(?p)) > 1".into();
        document.goals.insert(name("home"), goal.into());
        *document = searching(document, &["home"], GoalSearch::default());
    }));
    expect![[r#"
        error[export] scenario:s: 's' has neither a goal nor an agent with goals
        error[export] scenario:s: 's' is planned by decomposing tasks, which PDDL can't express: export to 'hddl'
        error[export] goal:home: 'home' has subgoals in sequence, which PDDL can't express
        error[export] goal:home: the goal of goal 'home' can't be exported: PDDL can't express aggregates such as 'count' and 'sum'"#]].assert_eq(&shown.join("\n"));
    // Costs that it can't express are omitted.
    let mut document = lighthouse();
    let mut walk = (*document.primitive_tasks[&name("walk")]).clone();
    walk.cost = "max(steps(at, ?to), 2)".into();
    document.primitive_tasks.insert(name("walk"), walk.into());
    let document = searching(&document, &["calm"], GoalSearch::default());
    let export = written(&document).expect("an export");
    expect![[r#"
        all goals of the actor already hold: the exported goal is empty
        the cost of walk uses aggregates, functions or the time, which PDDL can't express: all costs are omitted
        numbers in conditions, effects or costs: these files require a planner with numeric fluents (PDDL 2.1), such as ENHSP or Metric-FF; Fast Downward can't read them"#]].assert_eq(&export.warnings.join("\n"));
    assert!(files(&export).1.contains("(:goal (and))"));
}

#[test]
fn an_agent_exports_its_repertoire() {
    let mut document = searching(&lighthouse(), &["shining"], GoalSearch::default());
    let mut agent = (*document.agents[&name("seeker")]).clone();
    agent.uses = ["walk", "mend", "fill", "light"].map(name).to_vec();
    document.agents.insert(name("seeker"), agent.into());
    let export = written(&document).expect("an export");
    assert!(!files(&export).0.contains("dry"));
    assert_eq!(read_back(&document), Some(None));
}

#[test]
fn only_the_sum_of_additions_has_to_be_in_range() {
    // Each of the additions alone leaves the range.
    for (additions, cost) in [
        ("  eff m(?u) -= 1\n  eff forall ?x: thing. m(?x) += 1", 3.0),
        ("  eff m(?u) -= 1\n  eff m(a) += 1 when ?u = a", 3.0),
        ("  eff m(?u) -= 1\n  eff m(?t) += 1 when ?u = b", 3.0),
        ("  eff m(?u) -= 1\n  eff m(?t) := 2", 3.0),
        ("  eff m(?t) := 2\n  eff m(?u) := 1\n  eff m(a) += 1", 3.0),
    ] {
        let document = document(&format!(
            "type thing
object a: thing
object b: thing
number m(?t: thing) integer 0..2
fact done
primitive swap(?t: thing, ?u: thing)
{additions}
  eff done
  cost 3
scenario s
  goal done"
        ));
        assert_eq!(least(&document), Some(Some(cost)), "{additions}");
        assert_eq!(read_back(&document), Some(Some(cost)), "{additions}");
    }
}

#[test]
fn exported_problems_keep_their_costs() {
    let drawn = on_all_cores(seeds_of_each_run(150), |seed| {
        let mut random = Random::seeded(seed);
        let mut refused = 0;
        loop {
            let text = goals::domain(&mut random);
            let document = document(&text);
            let Some(cost) = least(&document) else {
                continue;
            };
            if cost.is_none_or(|cost| cost < 2.0) && random.below(40) > 0 {
                continue;
            }
            // PDDL can't express some, or not their costs.
            if written(&document).is_ok_and(|export| !export.warnings.join("").contains("omitted"))
            {
                assert_eq!(read_back(&document), Some(cost), "{text}");
                return (cost, refused);
            }
            refused += 1;
        }
    });
    let plans = drawn.iter().filter(|(cost, _)| cost.is_some()).count();
    let refused: usize = drawn.iter().map(|(_, refused)| refused).sum();
    assert!(is_sample() || plans > 80, "{plans} plans");
    assert!(is_sample() || refused < 300, "{refused} refused");
}

#[test]
fn fast_downward_finds_the_same_minimum_cost() {
    const TEST: &str = "fast_downward_finds_the_same_minimum_cost";
    let Some(python) = program("TASKLOOM_PYTHON", TEST) else {
        return;
    };
    let folder = folder(TEST);
    let known = on_all_cores(seeds_of_each_run(200), |seed| {
        // Most random goals are reached quickly, or are out of reach. Every eighth is out of reach.
        let drawn = (0..).find_map(|turn| {
            let text = classical::domain(seed + (turn << 32));
            let cost = least(&document(&text))?;
            let is_wanted = match cost {
                None => seed.is_multiple_of(8),
                Some(cost) => !seed.is_multiple_of(8) && (cost >= 3.0 || turn % 40 == 39),
            };
            is_wanted.then_some((text, cost))
        });
        let (text, cost) = drawn.expect("numbers don't end");
        let document = document(&text);
        for direction in [Direction::Forward, Direction::Regressive] {
            let search = GoalSearch {
                direction,
                heuristic: Heuristic::Hmax,
                ..GoalSearch::default()
            };
            let document = searching(&document, &[], search);
            assert_eq!(least(&document), Some(cost), "{direction:?}\n{text}");
        }
        let export = written(&document).unwrap_or_else(|why| panic!("{why}\n{text}"));
        let (domain, problem) = files(&export);
        for (kind, text) in [("domain", domain), ("problem", problem)] {
            let file = folder.join(format!("{seed}-{kind}.pddl"));
            fs::write(file, text).expect("a file can be written");
        }
        (text, cost)
    });
    let plans = known.iter().filter(|(_, cost)| cost.is_some()).count();
    assert!(is_sample() || (150..190).contains(&plans), "{plans} plans");
    let mut command = Command::new(&python);
    command.arg(root().join("tests/exports/least.py"));
    let answers = output(command.arg(&folder));
    let answers: Vec<&str> = answers.lines().collect();
    assert_eq!(answers.len(), known.len());
    for (number, ((text, cost), answer)) in known.iter().zip(answers).enumerate() {
        let found = answer.parse::<f64>().ok();
        assert!(found.is_some() || answer == "none", "{answer}");
        assert_eq!(found, *cost, "{number} in {}\n{text}", folder.display());
    }
}
