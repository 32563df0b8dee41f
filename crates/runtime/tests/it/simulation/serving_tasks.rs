//! Goals with tasks that serve them in a run (semantics, sections 4 and 5).

use expect_test::expect;

use super::check_text;

/// A camper who wants to be warm. The lines are those of the goal, of the agent, and of the scenario.
fn camp(goal: &str, agent: &str, scenario: &str) -> String {
    format!(
        "
type person
type place
object ann: person
object tent: place
object wood: place
object den: place
sensor fact warm
sensor fact logs
sensor fact fire
sensor fact axe
sensor fact bear
sensor fact hidden
value at: place
action Walk 2
action Work 1
primitive go(?p: place) = Walk
  pre at != ?p
  eff at := ?p
primitive chop = Work
  pre axe
  pre at = wood
  eff logs
primitive gather = Work
  pre at = wood
  eff logs
primitive light = Work
  pre logs
  eff fire
primitive sit = Work
  pre fire
  eff warm
primitive dance = Work
  eff warm
  cost 50
primitive hide = Work
  eff hidden
  eff not bear
primitive rest = Work
compound firewood(?p: place)
  block a begin
  block b branch axe
  block c task go(wood)
  block d task chop
  block e task go(wood)
  block f task gather
  block g task go(?p)
  wire a.out -> b
  wire b.true -> c
  wire c.out -> d
  wire d.out -> g
  wire b.false -> e
  wire e.out -> f
  wire f.out -> g
compound campfire(?p: place)
  block a begin
  block b task firewood(?p)
  block c task light
  block d task sit
  block e task rest
  wire a.out -> b
  wire b.out -> c
  wire c.out -> d
  wire d.out -> e
compound warmth
  block a begin
  block b choice sit, make
  block c task sit
  block d task campfire(tent)
  wire a.out -> b
  wire b.1 -> c
  wire b.2 -> d
goal warm: warm
  priority 1
{goal}
goal safe: not bear
  priority 9
agent camper: person
  wants warm
  wants safe
{agent}
scenario s
  initial at := tent
  cast ann as camper
{scenario}"
    )
}

#[test]
fn a_plan_by_a_task_runs_to_its_end() {
    check_text(
        &camp("  task campfire(tent)\n", "", ""),
        expect![[r#"
        0 plans: go(wood), gather, go(tent), light, sit, rest
        0 go(wood) Complete acted at 2 ended at 2: at = wood
        2 gather Complete acted at 3 ended at 3: logs = true
        3 go(tent) Complete acted at 5 ended at 5: at = tent
        5 light Complete acted at 6 ended at 6: fire = true
        6 sit Complete acted at 7 ended at 7: warm = true
        7 rest Complete acted at 8 ended at 8
        9 goes on
        9 Complete"#]],
    );
}

#[test]
fn a_failed_step_leads_to_a_plan_by_another_task() {
    check_text(
        &camp(
            "  task campfire(tent)\n  task dance\n",
            "",
            "  fail chop\n  initial axe\n",
        ),
        expect![[r#"
            0 plans: go(wood), chop, go(tent), light, sit, rest
            0 go(wood) Complete acted at 2 ended at 2: at = wood
            2 chop Failed ended at 3: the scenario makes this action fail
            4 plans, as chop failed: dance
            4 dance Complete acted at 5 ended at 5: warm = true
            6 goes on
            6 Complete"#]],
    );
}

#[test]
fn a_goal_of_a_higher_value_interrupts_a_task() {
    check_text(
        &camp(
            "  task campfire(tent)\n",
            "  margin 0\n",
            "  event 3 bear\n",
        ),
        expect![[r#"
            0 plans: go(wood), gather, go(tent), light, sit, rest
            0 go(wood) Complete acted at 2 ended at 2: at = wood
            2 gather Complete acted at 3 ended at 3: logs = true
            3 event 0: bear = true
            3 plans for what is worth more: hide
            3 hide Complete acted at 4 ended at 4: bear = false, hidden = true
            5 goes on: light, sit
            5 light Complete acted at 6 ended at 6: fire = true
            6 sit Complete acted at 7 ended at 7: warm = true
            8 goes on
            8 Complete"#]],
    );
}

#[test]
fn an_earlier_task_of_the_list_is_better() {
    // Of the same task, an earlier alternative is better.
    check_text(
        &camp("  task warmth\n", "  alternative\n", "  event 1 fire\n"),
        expect![[r#"
            0 plans: go(wood), gather, go(tent), light, sit, rest
            0 go(wood) Failed ended at 1: interrupted by a new plan
            1 event 0: fire = true
            1 plans, as something better is possible: sit
            1 sit Complete acted at 2 ended at 2: warm = true
            3 goes on
            3 Complete"#]],
    );
    // A task that serves the goal is better than what its search found.
    check_text(
        &camp(
            "  task sit\n",
            "  alternative\n  margin 0\n",
            "  event 1 fire\n",
        ),
        expect![[r#"
            0 plans: go(wood), gather, light, sit
            0 go(wood) Failed ended at 1: interrupted by a new plan
            1 event 0: fire = true
            1 plans, as something better is possible: sit
            1 sit Complete acted at 2 ended at 2: warm = true
            3 goes on
            3 Complete"#]],
    );
    // A task that becomes possible is better than a later one, even if that costs less.
    check_text(
        &camp(
            "  task sit\n  task campfire(tent)\n",
            "  alternative\n",
            "  event 3 fire\n",
        ),
        expect![[r#"
            0 plans: go(wood), gather, go(tent), light, sit, rest
            0 go(wood) Complete acted at 2 ended at 2: at = wood
            2 gather Complete acted at 3 ended at 3: logs = true
            3 event 0: fire = true
            3 plans, as something better is possible: sit
            3 sit Complete acted at 4 ended at 4: warm = true
            5 goes on
            5 Complete"#]],
    );
}

#[test]
fn facts_that_its_decomposition_read_count_for_the_trigger_perception() {
    check_text(
        &camp(
            "  task campfire(tent)\n",
            "  perception\n",
            "  event 1 axe\n",
        ),
        expect![[r#"
            0 plans: go(wood), gather, go(tent), light, sit, rest
            0 go(wood) Complete acted at 2 ended at 2: at = wood
            1 event 0: axe = true
            1 plans, noticing axe: go(wood), chop, go(tent), light, sit, rest
            2 chop Complete acted at 3 ended at 3: logs = true
            3 go(tent) Complete acted at 5 ended at 5: at = tent
            5 light Complete acted at 6 ended at 6: fire = true
            6 sit Complete acted at 7 ended at 7: warm = true
            7 rest Complete acted at 8 ended at 8
            9 goes on
            9 Complete"#]],
    );
}
