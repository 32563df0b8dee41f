//! Objects that are absent (semantics, section 1).

use taskloom_document::Name;
use taskloom_domain::Domain;
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, Outcome, Progress, Strategy, validate};
use testkit::domain::document;

const CAMP: &str = "
type unit
type soldier: unit
object ann: soldier
object ben: soldier
object cid: soldier
object flag: unit
sensor fact dead(?u: unit) absence
sensor fact tired(?s: soldier)
memory number strength
memory fact praised(?s: soldier)
primitive praise(?s: soldier)
  pre not praised(?s)
  eff praised(?s)
primitive bury(?s: soldier)
  pre dead(?s)
  eff praised(?s)
primitive train(?s: soldier)
  pre dead(?s)
  eff not dead(?s)
primitive count-all
  eff strength := count ?s: soldier. (not tired(?s))
primitive rest-all
  eff forall ?s: soldier. not tired(?s)
primitive call-all
  pre forall ?s: soldier. not tired(?s)
compound praise-one
  block a begin
  block b bind ?s: soldier
  block c task praise(?s)
  wire a.out -> b
  wire b.out -> c
compound train-one
  block a begin
  block b bind ?s: soldier where dead(?s)
  block c task train(?s)
  wire a.out -> b
  wire b.out -> c
";

/// Plans for a scenario with these lines by all strategies.
fn check(scenario: &str, expected: &str) {
    check_text(&format!("{CAMP}scenario s\n{scenario}"), expected);
}

/// Plans for the scenario `s` of a document by all strategies.
pub fn check_text(text: &str, expected: &str) {
    let domain = Domain::from(&document(text));
    let name = Name::new("s").expect("a name");
    assert_eq!(domain.errors(Some(&name)), vec![]);
    let problem = compile(&domain, &name);
    let mut found = vec![];
    for strategy in [Strategy::First, Strategy::Cheapest, Strategy::Fastest] {
        let mut search = taskloom_portfolio::search(strategy, &problem, Budget::default(), 0);
        while search.step(u64::MAX) == Progress::Running {}
        found.push(match search.outcome() {
            Some(Outcome::Plan(plan)) => {
                assert!(validate(&domain, &name, &plan).is_ok(), "{strategy:?}");
                let steps = plan.steps.iter().map(|step| step.task.to_string());
                steps.collect::<Vec<_>>().join(", ")
            }
            other => format!("{:?}", other.expect("an outcome")),
        });
    }
    for one in &found {
        assert_eq!(one, expected, "{text}");
    }
}

#[test]
fn variables_range_over_present_objects() {
    check("  task praise-one\n", "praise(ann)");
    check("  initial dead(ann)\n  task praise-one\n", "praise(ben)");
    check("  initial tired(ann)\n  task call-all\n", "NoPlan");
    let tired_and_dead = "  initial dead(ann)\n  initial tired(ann)\n  task call-all\n";
    check(tired_and_dead, "call-all");
    let all = "  initial dead(ann)\n  initial dead(ben)\n  initial dead(cid)\n";
    check(&format!("{all}  task praise-one\n"), "NoPlan");
    // The flag isn't a soldier, but it is a unit.
    check("  initial dead(flag)\n  task praise-one\n", "praise(ann)");
}

#[test]
fn aggregates_and_effects_skip_absent_objects() {
    let count = |strength: i32| format!("  task count-all\n  goal strength = {strength}\n");
    check(&count(3), "count-all");
    check(&format!("  initial dead(ann)\n{}", count(3)), "NoPlan");
    check(&format!("  initial dead(ann)\n{}", count(2)), "count-all");
    let rest = "  initial tired(ann)\n  initial tired(ben)\n  task rest-all\n";
    check(&format!("{rest}  goal not tired(ann)\n"), "rest-all");
    let rest = format!("  initial dead(ann)\n{rest}");
    check(
        &format!("{rest}  goal tired(ann) and not tired(ben)\n"),
        "rest-all",
    );
}

#[test]
fn absent_objects_are_no_arguments_unless_a_precondition_asks() {
    check("  task praise(ann)\n", "praise(ann)");
    check("  initial dead(ann)\n  task praise(ann)\n", "NoPlan");
    check("  initial dead(ann)\n  task bury(ann)\n", "bury(ann)");
    check("  task bury(ann)\n", "NoPlan");
}

#[test]
fn effects_make_objects_appear_for_later_steps() {
    let train = "  task train-one\n  task praise(ann)\n";
    check(
        &format!("  initial dead(ann)\n{train}"),
        "train(ann), praise(ann)",
    );
    check(train, "NoPlan");
}

#[test]
fn goals_are_reached_with_present_objects() {
    let praised = "  goal exists ?s: soldier. praised(?s)\n";
    check(
        &format!("  initial dead(ann)\n  initial dead(ben)\n{praised}"),
        "praise(cid)",
    );
    let all = "  goal forall ?s: soldier. praised(?s)\n";
    check(
        &format!("  initial dead(ben)\n{all}"),
        "praise(ann), praise(cid)",
    );
}

#[test]
fn nobody_is_absent_in_a_scenario_without_actors() {
    let agents = format!("{CAMP}agent private: soldier\nscenario s\n");
    let plan = "  initial dead(ann)\n  task praise-one\n";
    check_text(&format!("{agents}{plan}"), "praise(ben)");
    check_text(
        &format!("{agents}  cast ben as private\n{plan}"),
        "praise(ben)",
    );
    let dead = "  cast ann as private\n";
    check_text(&format!("{agents}{dead}{plan}"), "NoPlan");
}
