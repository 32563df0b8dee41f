//! Claims of other actors, known to planning.

use std::sync::Arc;

use expect_test::{Expect, expect};
use taskloom_document::Name;
use taskloom_domain::Domain;
use taskloom_planner::compile::compile;
use taskloom_planner::explain::obstacles;
use taskloom_planner::plan::{Budget, Outcome, Progress, Strategy, World, plan_by, validate_from};
use testkit::domain::document;

const SMITHS: &str = "
type person
type tool
object ann: person
object hammer: tool
object tongs: tool
object bench: tool
memory value held(?p: person): tool
memory fact forged
primitive take(?t: tool)
  eff held(?me) := ?t
primitive forge
  pre exists ?t: tool. held(?me) = ?t and ?t != bench
  claims held(?me)
  eff forged
  cost 2
compound work
  block a begin
  block b bind ?t: tool
  block c task take(?t)
  block d task forge
  wire a.out -> b
  wire b.out -> c
  wire c.out -> d
goal busy: forged
  priority 1
";

/// Plans by all strategies for a scenario whose actor has these lines, while others claim these objects.
fn check(agent: &str, scenario: &str, claimed: &[(&str, Option<&str>)], expected: Expect) {
    let name = |text: &str| Name::new(text).expect("a name");
    let text =
        format!("{SMITHS}agent smith: person\n{agent}scenario s\n  cast ann as smith\n{scenario}");
    let domain = Domain::from(&document(&text));
    let scene = domain.scene(&name("s")).expect("a scenario");
    let mut world = World::initial(&domain, scene).believed_by(scene.actor(0).clone());
    let claimed = claimed.iter();
    let claimed = claimed.map(|(object, by)| (name(object), by.map(name)));
    world.set_claimed(&Arc::new(claimed.collect()));
    let calls = scene.actor(0).calls(domain.texts());
    let calls = calls.map(|call| call.value.as_ref().expect("a valid call"));
    let tasks: Vec<_> = calls
        .map(|call| world.ground(call, &Default::default()).expect("objects"))
        .collect();
    let problem = compile(&domain, &name("s")).with_state(&world, Some(&tasks));
    let outcome = plan_by(problem.policy(), &problem, Budget::default());
    let mut text = match &outcome {
        Outcome::Plan(plan) => {
            assert_eq!(validate_from(world.clone(), &tasks, plan), Ok(Ok(())));
            let steps: Vec<String> = plan.steps.iter().map(|s| s.task.to_string()).collect();
            steps.join(", ")
        }
        other => format!("{other:?}"),
    };
    let mut search = Strategy::from(problem.policy()).search(&problem, Budget::default(), 1_000);
    while search.step(u64::MAX) == Progress::Running {}
    if let (Outcome::NoPlan, Some(trace)) = (&outcome, search.trace()) {
        for at in obstacles(&domain, &trace.events, 9) {
            for obstacle in at.obstacles {
                let task = obstacle.task.map(|task| task.to_string());
                text += &format!("\n{}: {}", task.unwrap_or_default(), obstacle.text);
            }
        }
    }
    for other in [Strategy::First, Strategy::Cheapest, Strategy::Fastest] {
        let mut search = taskloom_portfolio::search(other, &problem, Budget::default(), 0);
        while search.step(u64::MAX) == Progress::Running {}
        let is_plan = matches!(search.outcome(), Some(Outcome::Plan(_)));
        assert_eq!(is_plan, matches!(outcome, Outcome::Plan(_)), "{other:?}");
    }
    expected.assert_eq(&text);
}

#[test]
fn plans_avoid_what_others_claim() {
    let all = [("hammer", Some("bob")), ("tongs", None)];
    let tasks = "  does work\n";
    check("", tasks, &[], expect!["take(hammer), forge"]);
    check("", tasks, &all[..1], expect!["take(tongs), forge"]);
    check(
        "",
        tasks,
        &all,
        expect![[r#"
        NoPlan
        forge: exists ?t: tool. held(?me) = ?t and ?t != bench does not hold
        forge: 'hammer' is claimed by 'bob' until its step ends
        forge: 'tongs' is claimed by another actor until its step ends"#]],
    );
    check(
        "  cheapest\n",
        tasks,
        &all[..1],
        expect!["take(tongs), forge"],
    );
    let held = "  does forge\n  initial held(ann) = tongs\n";
    check(
        "  reactive\n",
        held,
        &all,
        expect![[r#"
        NoPlan
        forge: 'tongs' is claimed by another actor until its step ends"#]],
    );
}

#[test]
fn plans_for_goals_avoid_what_others_claim() {
    let all = [("hammer", Some("bob")), ("tongs", None)];
    let goals = "  wants busy\n";
    check(goals, "", &[], expect!["take(hammer), forge"]);
    check(goals, "", &all[..1], expect!["take(tongs), forge"]);
    check(goals, "", &all, expect!["NoPlan"]);
    for heuristic in ["blind", "hmax", "hadd", "ff", "unmet"] {
        for direction in ["", "  regressive\n"] {
            let agent = format!("  wants busy\n{direction}  heuristic {heuristic}\n");
            check(&agent, "", &all[..1], expect!["take(tongs), forge"]);
            check(&agent, "", &all, expect!["NoPlan"]);
        }
    }
}
