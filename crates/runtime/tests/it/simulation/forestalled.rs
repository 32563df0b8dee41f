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

/// A task that ends when the thieves grab, and changes something of the kind of this effect.
fn beside(effect: &str) -> String {
    format!("action Beside 3\nprimitive beside = Beside\n  eff {effect}\n")
}

const BESIDE: &str = "  does beside\n  cast bob as thief\n  does steal\n";

#[test]
fn what_was_false_before_is_no_reason() {
    // Nobody is first: an event makes the precondition false. The other one changes something else.
    let text = |more: &str| thieves(&beside("alarm"), "", &format!("{BESIDE}{more}"));
    check_text(
        &text("  event 2 not free(ruby)\n"),
        expect![[r#"
        0 A plans: beside
        0 A beside Complete acted at 3 ended at 3: alarm = true
        0 B plans: take(ruby)
        0 B take(ruby) Complete acted at 3 ended at 3: has(bob, ruby) = true
        2 event 0: free(ruby) = false
        3 Complete"#]],
    );
    check_text(
        &text(""),
        expect![[r#"
        0 A plans: beside
        0 A beside Complete acted at 3 ended at 3: alarm = true
        0 B plans: take(ruby)
        0 B take(ruby) Complete acted at 3 ended at 3: free(ruby) = false, has(bob, ruby) = true
        3 Complete"#]],
    );
}

#[test]
fn what_another_act_has_made_true_again_is_no_reason() {
    let text = "  does take(ruby)\n  cast eve as thief\n  does beside\n  cast bob as thief\n  does take(ruby)\n";
    let text = thieves(&beside("free(ruby)"), "", text);
    check_text(
        &text.replace("object ruby", "object eve: person\nobject ruby"),
        expect![[r#"
        0 A plans: take(ruby)
        0 A take(ruby) Complete acted at 3 ended at 3: free(ruby) = false, has(ann, ruby) = true
        0 B plans: beside
        0 B beside Complete acted at 3 ended at 3: free(ruby) = true
        0 C plans: take(ruby)
        0 C take(ruby) Complete acted at 3 ended at 3: free(ruby) = false, has(bob, ruby) = true
        3 Complete"#]],
    );
}
