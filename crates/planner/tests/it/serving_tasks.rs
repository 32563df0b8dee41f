//! Goals of agents with tasks that serve them (semantics, section 4).

use expect_test::{Expect, expect};
use taskloom_document::Name;
use taskloom_domain::Domain;
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{
    Budget, GroundTask, Outcome, Plan, Progress, Strategy, plan, validate,
};
use testkit::domain::document;

/// A camper who wants to be warm. The lines are those of the goal, of the agent, of others, and of the
/// scenario.
fn camp(goal: &str, agent: &str, others: &str, scenario: &str) -> Domain {
    let domain = Domain::from(&document(&format!(
        "
type person
type place
object ann: person
object bob: person
object tent: place
object wood: place
fact warm
fact logs
fact fire
fact axe
fact tired
value at: place
value camp_of(?p: person): place
primitive go(?p: place)
  pre at != ?p
  eff at := ?p
primitive chop
  pre axe
  pre at = wood
  eff logs
primitive gather
  pre at = wood
  eff logs
  eff tired
  cost 5
primitive light
  pre logs
  eff fire
primitive sit
  pre fire
  eff warm
primitive dance
  eff warm
  cost 50
compound firewood(?p: place)
  block a begin
  block b choice chop, pick
  block c task go(wood)
  block d task chop
  block e task go(wood)
  block f task gather
  block g task go(?p)
  wire a.out -> b
  wire b.1 -> c
  wire c.out -> d
  wire d.out -> g
  wire b.2 -> e
  wire e.out -> f
  wire f.out -> g
compound campfire(?p: place)
  block a begin
  block b task firewood(?p)
  block c task light
  block d task sit
  wire a.out -> b
  wire b.out -> c
  wire c.out -> d
goal warm: warm
  priority 1
{goal}
agent camper: person
  wants warm
{agent}
{others}
scenario s
  initial at := tent
  initial camp_of(ann) := tent
  cast ann as camper
{scenario}
"
    )));
    assert_eq!(domain.errors(Some(&name())), vec![]);
    domain
}

fn name() -> Name {
    Name::new("s").expect("a name")
}

fn planned(domain: &Domain) -> Plan {
    match plan(&compile(domain, &name()), Budget::default()) {
        Outcome::Plan(plan) => {
            assert_eq!(validate(domain, &name(), &plan), Ok(()));
            (*plan).clone()
        }
        other => panic!("{other:?}"),
    }
}

/// Returns the roots of the plan, with its steps.
fn words(domain: &Domain) -> String {
    let plan = planned(domain);
    let list = |tasks: &mut dyn Iterator<Item = &GroundTask>| {
        let tasks = tasks.map(ToString::to_string);
        tasks.collect::<Vec<_>>().join(", ")
    };
    let roots = list(&mut plan.roots.iter().map(|root| &plan.nodes[*root].task));
    let steps = list(&mut plan.steps.iter().map(|step| &step.task));
    let goal = plan.target.and_then(|target| target.goal);
    format!("{roots} for {}: {steps}", goal.expect("it is for a goal"))
}

fn check(domain: &Domain, expected: Expect) {
    expected.assert_eq(&words(domain));
}

#[test]
fn a_task_that_serves_a_goal_comes_before_any_search() {
    check(
        &camp("  task campfire(camp_of(?me))\n", "", "", ""),
        expect!["campfire(tent) for warm: go(wood), gather, go(tent), light, sit"],
    );
    // The first way of the task is tried first, although the search would find another plan.
    check(
        &camp("  task campfire(tent)\n", "", "", "  initial axe\n"),
        expect!["campfire(tent) for warm: go(wood), chop, go(tent), light, sit"],
    );
    // Without tasks the search finds the cheapest plan.
    check(
        &camp("", "", "", ""),
        expect!["go(wood), gather, light, sit for warm: go(wood), gather, light, sit"],
    );
}

#[test]
fn tasks_are_tried_in_order_and_have_to_lead_to_the_goal() {
    // Firewood is possible, but warms nobody.
    check(
        &camp("  task firewood(tent)\n  task dance\n", "", "", ""),
        expect!["dance for warm: dance"],
    );
    // If no task leads to the goal, it is searched for.
    check(
        &camp("  task firewood(tent)\n", "", "", ""),
        expect!["go(wood), gather, light, sit for warm: go(wood), gather, light, sit"],
    );
    // A call with an undefined argument is skipped.
    check(
        &camp("  task campfire(camp_of(bob))\n  task dance\n", "", "", ""),
        expect!["dance for warm: dance"],
    );
}

#[test]
fn subgoals_are_true_in_sequence_on_the_way() {
    check(
        &camp(
            "  task campfire(tent)\n  subgoal logs\n  subgoal fire\n",
            "",
            "",
            "",
        ),
        expect!["campfire(tent) for warm: go(wood), gather, go(tent), light, sit"],
    );
    // The task lights the fire only after it is back at the tent.
    check(
        &camp(
            "  task campfire(tent)\n  subgoal fire\n  subgoal at = wood\n",
            "",
            "",
            "",
        ),
        expect!["go(wood), gather, light, sit for warm: go(wood), gather, light, sit"],
    );
    // Only the second way leads through the subgoal.
    check(
        &camp(
            "  task campfire(tent)\n  subgoal tired\n",
            "",
            "",
            "  initial axe\n",
        ),
        expect!["campfire(tent) for warm: go(wood), gather, go(tent), light, sit"],
    );
}

#[test]
fn goals_are_tried_by_value_each_with_its_tasks() {
    let others = "goal dry: logs and warm and not fire\n  priority 9\n  task campfire(tent)\n";
    check(
        &camp("  task campfire(tent)\n", "  wants dry\n", others, ""),
        expect!["go(wood), gather, dance for dry: go(wood), gather, dance"],
    );
    // The repertoire counts.
    check(
        &camp("  task campfire(tent)\n", "  uses firewood\n", "", ""),
        expect!["go(wood), gather, light, sit for warm: go(wood), gather, light, sit"],
    );
}

#[test]
fn rejects_plans_of_tasks_that_do_not_serve_the_goal() {
    let domain = camp("  task campfire(tent)\n", "", "", "");
    let plan = planned(&domain);
    let without = camp("  task firewood(tent)\n", "", "", "");
    let invalid = validate(&without, &name(), &plan).expect_err("another task");
    expect!["'campfire(tent)' doesn't serve the goal 'warm'"].assert_eq(&invalid.to_string());
    let unreached = camp("  task campfire(tent)\n  subgoal axe\n", "", "", "");
    let invalid = validate(&unreached, &name(), &plan).expect_err("a subgoal");
    expect!["the subgoal 'axe' was not reached"].assert_eq(&invalid.to_string());
    let others = "goal cold: warm and not fire\n  priority 2\n";
    let cold = camp("", "  wants cold\n", others, "");
    let mut wrong = plan.clone();
    if let Some(target) = &mut wrong.target {
        target.goal = Some(Name::new("cold").expect("a name"));
    }
    assert!(validate(&cold, &name(), &wrong).is_err());
    let forbidden = camp("  task campfire(tent)\n", "  uses firewood\n", "", "");
    let invalid = validate(&forbidden, &name(), &plan).expect_err("the repertoire");
    assert!(invalid.to_string().contains("repertoire"), "{invalid}");
}

#[test]
fn a_search_in_slices_gives_the_same_plan() {
    let domain = camp("  task firewood(tent)\n  task campfire(tent)\n", "", "", "");
    let mut search = Strategy::First.search(&compile(&domain, &name()), Budget::default(), 0);
    while search.step(1) == Progress::Running {}
    match search.outcome() {
        Some(Outcome::Plan(found)) => assert_eq!(*found, planned(&domain)),
        other => panic!("{other:?}"),
    }
}
