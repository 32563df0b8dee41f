//! The reasons why characters with goals replan, and when they give up.

use expect_test::expect;

use super::{check_text, name, report};
use crate::reference::simulate;
use taskloom_document::Expectation;
use taskloom_domain::Domain;
use taskloom_planner::plan::Budget;
use taskloom_runtime::{Verdict, default_planner, run_test};
use testkit::domain::document;

/// A character with the scenario's goals, and additional lines for its agent.
pub fn text(agent: &str, scenario: &str) -> String {
    format!(
        "sensor fact fed
sensor fact warm
sensor fact wood
sensor fact lit
sensor number wish integer 0..9
type person
object ann: person
object ben: person
action Slow 4
action Quick 1
primitive eat = Slow
  eff fed
primitive chop = Quick
  eff wood
  eff wish += 5
primitive burn = Quick
  pre wood
  pre lit
  eff warm
primitive rest = Slow
primitive call = Quick
  eff wish += 5
goal meal: fed
  priority 1
  bias wish
goal heat: warm
  priority 3
agent one: person
  uses eat
  uses burn
  wants meal
  wants heat
{agent}agent other: person
  task rest
  task call
scenario s
  cast ann as one
{scenario}"
    )
}

#[test]
fn waits_for_a_change_when_goals_are_unreachable() {
    // Retrying would have the same outcome as long as nothing has changed.
    check_text(
        &text("", "  initial fed\n"),
        expect![[r#"
            0 plans: NoPlan
            0 Failed"#]],
    );
    // As soon as there is wood and light, there is a plan, however long the retry would take.
    check_text(
        &text(
            "  retry 50\n",
            "  initial fed\n  event 2 wood\n  event 7 lit\n",
        ),
        expect![[r#"
            0 plans: NoPlan
            2 event 0: wood = true
            2 plans after an event: NoPlan
            7 event 1: lit = true
            7 plans after an event: burn
            7 burn Complete acted at 8 ended at 8: warm = true
            9 goes on
            9 Complete"#]],
    );
}

#[test]
fn retries_goals_during_execution_only_after_a_change() {
    check_text(
        &text("  retry 2\n", "  event 3 wood\n  event 3 lit\n"),
        expect![[r#"
            0 plans: eat
            0 eat Failed ended at 3: interrupted by a new plan
            3 event 0: wood = true
            3 event 1: lit = true
            3 tries again: burn
            3 burn Complete acted at 4 ended at 4: warm = true
            5 goes on: eat
            5 eat Complete acted at 9 ended at 9: fed = true
            10 goes on
            10 Complete"#]],
    );
    check_text(
        &text("  retry 2\n", ""),
        expect![[r#"
            0 plans: eat
            0 eat Complete acted at 4 ended at 4: fed = true
            5 goes on: NoPlan
            5 Failed"#]],
    );
}

#[test]
fn own_effects_can_raise_another_goals_value() {
    check_text(
        &text("  uses chop\n  margin 1\n", "  initial lit\n").replace("Quick 1", "Quick 3"),
        expect![[r#"
            0 plans: chop, burn
            0 chop Complete acted at 3 ended at 3: wish = 5, wood = true
            3 plans for what is worth more: eat
            3 eat Complete acted at 7 ended at 7: fed = true
            8 goes on: burn
            8 burn Complete acted at 11 ended at 11: warm = true
            12 goes on
            12 Complete"#]],
    );
}

#[test]
fn reports_the_first_of_several_causes() {
    // The change of the wood, which her plan depends on, takes precedence over his call to eat.
    check_text(
        &text(
            "  perception\n  margin 0\n",
            "  initial wood\n  initial lit\n  event 1 not wood\n  event 1 wish := 9\n",
        )
        .replace("Quick 1", "Quick 3"),
        expect![[r#"
            0 plans: burn
            0 burn Failed ended at 1: interrupted by a new plan
            1 event 0: wood = false
            1 event 1: wish = 9
            1 plans, noticing wood: eat
            1 eat Complete acted at 5 ended at 5: fed = true
            6 goes on: NoPlan
            6 Failed"#]],
    );
}

#[test]
fn characters_with_tasks_do_not_pursue_goals() {
    // It no longer observes once they are complete, and begins them again if its agent's trigger
    // says so.
    let own = "  does eat\n  cast ben as other\n  event 9 wood\n";
    check_text(
        &text("  sense wood 1\n", own),
        expect![[r#"
        0 A plans: eat
        0 A eat Complete acted at 4 ended at 4: fed = true
        0 B plans: rest, call
        0 B rest Complete acted at 4 ended at 4
        4 B call Complete acted at 5 ended at 5: wish = 5
        5 Complete"#]],
    );
    let document = document(&text("  again\n", "  does eat\n"));
    let run = simulate(&Domain::from(&document), &name("s"), Budget::default(), 11);
    expect![[r#"
        0 plans: eat
        0 eat Complete acted at 4 ended at 4: fed = true
        5 plans again: eat
        5 eat Complete acted at 9 ended at 9
        10 plans again: eat
        10 eat InProgress: runs until tick 14
        11 Endless"#]]
    .assert_eq(&report(&run));
}

#[test]
fn run_continues_while_a_goal_may_still_be_observed() {
    // According to her beliefs, none of her goals is active. He is done at tick 1; she looks every
    // 8 ticks.
    check_text(
        &text(
            "  sense fed 8\n",
            "  initial fed\n  initial warm\n  initial lit\n  cast ben as other\n  does starve\n",
        )
        .replace(
            "primitive rest",
            "primitive starve = Quick\n  eff not fed\nprimitive rest",
        ),
        expect![[r#"
            0 A plans
            0 B plans: starve
            0 B starve Complete acted at 1 ended at 1: fed = false
            8 A perceives: fed = false
            8 A plans after an event: eat
            8 A eat Complete acted at 12 ended at 12: fed = true
            13 A goes on
            20 Complete"#]],
    );
}

#[test]
fn retries_all_due_goals_at_the_retry_tick() {
    // Both have value 3. The fire comes first, and there is no plan for it at tick 0.
    check_text(
        &text(
            "  retry 20\n",
            "  initial wish = 2\n  event 2 wood\n  event 2 lit\n",
        )
        .replace("  wants meal\n  wants heat", "  wants heat\n  wants meal"),
        expect![[r#"
            0 plans: eat
            0 eat Complete acted at 4 ended at 4: fed = true
            2 event 0: wood = true
            2 event 1: lit = true
            5 goes on: burn
            5 burn Complete acted at 6 ended at 6: warm = true
            7 goes on
            7 Complete"#]],
    );
}

#[test]
fn knowledge_from_own_steps_can_be_forgotten() {
    // She turns on a light that is already on, and so learns that it is on; 6 ticks later, long
    // after the last change in the world, she forgets it, and turns it on again.
    let text = "sensor fact lit
sensor fact seen
type person
object ann: person
action Quick 1
primitive put-on = Quick
  eff lit
goal light: lit
  priority 1
agent one: person
  wants light
  sense lit 3 forget 6 when seen
scenario s
  initial lit
  cast ann as one
  believes not lit
  event 9 seen";
    check_text(
        text,
        expect![[r#"
        0 plans: put-on
        0 put-on Complete acted at 1 ended at 1: learns lit = true
        2 goes on
        7 perceives: lit = false
        7 plans after an event: put-on
        7 put-on Complete acted at 8 ended at 8: learns lit = true
        9 event 0: seen = true
        9 goes on
        15 Complete"#]],
    );
}

#[test]
fn partial_plan_depends_on_its_goal() {
    check_text(
        &text(
            "  depth 1\n  perception\n  uses chop\n",
            "  initial fed\n  initial lit\n  event 2 warm\n",
        )
        .replace("Quick 1", "Quick 6"),
        expect![[r#"
            0 plans: chop
            0 chop Failed ended at 2: interrupted by a new plan
            2 event 0: warm = true
            2 plans, noticing warm
            2 Complete"#]],
    );
}

#[test]
fn plans_not_executed_add_no_dependencies() {
    // When the ladder comes, she looks for an earlier alternative. She finds a later step with the
    // ladder, but no earlier alternative to the one in progress, so she doesn't depend on the
    // ladder, and its disappearance changes nothing.
    let text = "fact ladder
type person
object ann: person
action Slow 9
primitive walk = Slow
primitive climb = Slow
  pre ladder
compound leave
  block k0 begin
  block k1 choice up, down
  wire k0.out -> k1
  block k2 task climb
  wire k1.1 -> k2
  block k3 task walk
  wire k1.2 -> k3
agent one: person
  task walk
  task leave
  perception
  alternative
scenario s
  cast ann as one
  event 2 ladder
  event 4 not ladder";
    check_text(
        text,
        expect![[r#"
            0 plans: walk, walk
            0 walk Complete acted at 9 ended at 9
            2 event 0: ladder = true
            2 plans, as something better is possible: walk, climb
            4 event 1: ladder = false
            4 plans, noticing ladder: walk, walk
            9 walk Complete acted at 18 ended at 18
            18 Complete"#]],
    );
}

/// A character with goals for warmth and for quiet, and the rest of the scenario.
fn noisy(scenario: &str) -> String {
    format!(
        "fact warm
fact quiet
type person
object ann: person
action Quick 1
primitive heat = Quick
  eff warm
  eff not quiet
primitive hush = Quick
  eff quiet
  EFFECT
goal heated: warm
  priority 2
goal calm: quiet
  priority 1
agent one: person
  wants heated
  wants calm
scenario s
  cast ann as one
{scenario}"
    )
}

#[test]
fn reports_oscillating_goals_of_a_cut_off_run() {
    let oscillation = |text: &str| {
        let run = simulate(
            &Domain::from(&document(text)),
            &name("s"),
            Budget::default(),
            60,
        );
        let goals = run.oscillating_goals();
        goals.map(|[one, other]| format!("{one}, {other}"))
    };
    let both = noisy("").replace("EFFECT", "eff not warm");
    assert_eq!(oscillation(&both), Some("calm, heated".to_owned()));
    let mut both = document(&both);
    let scenario = both.scenarios.get_mut(&name("s")).unwrap();
    std::sync::Arc::make_mut(scenario).expect = vec![Expectation::Recovers];
    let mut plan = default_planner(Budget::default());
    let verdicts = run_test(&Domain::from(&both), &name("s"), &mut plan, 60).verdicts;
    let expected = "the run was cut off at tick 60: the goals 'calm' and 'heated' undo each other";
    assert_eq!(verdicts, [Verdict::Missed(expected.to_owned())]);
    // A sequence that ends, or that others undo, is not reported.
    let one = noisy("").replace("EFFECT", "eff quiet");
    assert_eq!(oscillation(&one), None);
    let other = noisy("  event 0+4 not quiet\n").replace("EFFECT", "eff quiet");
    assert_eq!(oscillation(&other), None);
}

#[test]
fn goals_that_read_the_time_are_compared_at_every_change() {
    check_text(
        "sensor fact lit
sensor fact away
type person
object ann: person
action Quick 1
primitive go = Quick
  eff away
goal gone: away or time < 5
  priority 1
agent one: person
  uses go
  wants gone
scenario s
  cast ann as one
  event 3 lit
  event 6 not lit
",
        expect![[r#"
            0 plans
            3 event 0: lit = true
            6 event 1: lit = false
            6 plans after an event: go
            6 go Complete acted at 7 ended at 7: away = true
            8 goes on
            8 Complete"#]],
    );
}
