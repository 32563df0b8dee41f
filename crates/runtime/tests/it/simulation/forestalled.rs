//! Steps whose precondition another actor makes false at the tick at which they would act.

use expect_test::expect;

use super::check_text;

/// Two thieves after the same gem. The lines are those of the task, of the agent and of the scenario.
fn thieves(task: &str, agent: &str, scenario: &str) -> String {
    format!(
        "
type person
type gem
object ann: person
object bob: person
object ruby: gem
sensor fact free(?g: gem)
fact has(?p: person, ?g: gem)
fact alarm
action Grab 3
action Run 1
primitive take(?g: gem) = Grab
  pre free(?g)
  eff not free(?g)
  eff has(?me, ?g)
{task}primitive flee = Run
compound steal
  block a begin
  block b choice take, flee
  block c task take(ruby)
  block d task flee
  wire a.out -> b
  wire b.1 -> c
  wire b.2 -> d
goal rich: exists ?g: gem. has(?me, ?g)
  priority 1
agent thief: person
{agent}
scenario s
  cast ann as thief
{scenario}  initial free(ruby)"
    )
}

const BOTH: &str = "  does steal\n  cast bob as thief\n  does steal\n";

#[test]
fn only_the_first_of_several_actors_acts() {
    check_text(
        &thieves("", "", BOTH),
        expect![[r#"
        0 A plans: take(ruby)
        0 A take(ruby) Complete acted at 3 ended at 3: free(ruby) = false, has(ann, ruby) = true
        0 B plans: take(ruby)
        0 B take(ruby) Failed ended at 3: 'ann' acted first, so a precondition is false: free(ruby)
        4 B plans, as take(ruby) failed: flee
        4 B flee Complete acted at 5 ended at 5
        5 Complete"#]],
    );
    check_text(
        &thieves("", "  cheapest", BOTH),
        expect![[r#"
        0 A plans: take(ruby)
        0 A take(ruby) Complete acted at 3 ended at 3: free(ruby) = false, has(ann, ruby) = true
        0 B plans: take(ruby)
        0 B take(ruby) Failed ended at 3: 'ann' acted first, so a precondition is false: free(ruby)
        4 B plans, as take(ruby) failed: flee
        4 B flee Complete acted at 5 ended at 5
        5 Complete"#]],
    );
    check_text(
        &thieves("", "  task steal\n  reactive", "  cast bob as thief\n"),
        expect![[r#"
            0 A plans: take(ruby)
            0 A take(ruby) Complete acted at 3 ended at 3: free(ruby) = false, has(ann, ruby) = true
            0 B plans: take(ruby)
            0 B take(ruby) Failed ended at 3: 'ann' acted first, so a precondition is false: free(ruby)
            4 B plans, as take(ruby) failed: flee
            4 B flee Complete acted at 5 ended at 5
            5 Complete"#]],
    );
    check_text(
        &thieves("", "  wants rich", "  cast bob as thief\n"),
        expect![[r#"
            0 A plans: take(ruby)
            0 A take(ruby) Complete acted at 3 ended at 3: free(ruby) = false, has(ann, ruby) = true
            0 B plans: take(ruby)
            0 B take(ruby) Failed ended at 3: 'ann' acted first, so a precondition is false: free(ruby)
            4 A goes on
            4 B plans, as take(ruby) failed: NoPlan
            5 B tries again: NoPlan
            5 Failed"#]],
    );
}

#[test]
fn actor_learns_that_another_one_acted_first() {
    check_text(
        &thieves("", "  sense free 1 when alarm", BOTH),
        expect![[r#"
            0 A plans: take(ruby)
            0 A take(ruby) Complete acted at 3 ended at 3: free(ruby) = false, has(ann, ruby) = true
            0 B plans: take(ruby)
            0 B take(ruby) Failed ended at 3: 'ann' acted first, so a precondition is false: free(ruby); learns free(ruby) = false
            4 B plans, as take(ruby) failed: flee
            4 B flee Complete acted at 5 ended at 5
            5 Complete"#]],
    );
}

#[test]
fn claim_avoids_the_failure() {
    check_text(
        &thieves("  claims ?g\n", "", BOTH),
        expect![[r#"
        0 A plans: take(ruby)
        0 A take(ruby) Complete acted at 3 ended at 3: free(ruby) = false, has(ann, ruby) = true
        0 B plans: flee
        0 B flee Complete acted at 1 ended at 1
        3 Complete"#]],
    );
}

#[test]
fn what_was_false_before_is_no_reason() {
    // Nobody is first: an event makes the precondition false.
    let late = "  does steal\n  cast bob as thief\n  does flee\n  event 2 not free(ruby)\n";
    check_text(
        &thieves("", "", late),
        expect![[r#"
        0 A plans: take(ruby)
        0 A take(ruby) Complete acted at 3 ended at 3: has(ann, ruby) = true
        0 B plans: flee
        0 B flee Complete acted at 1 ended at 1
        2 event 0: free(ruby) = false
        3 Complete"#]],
    );
}
