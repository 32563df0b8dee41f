//! Tasks that are given up after they have failed too often.

use expect_test::expect;
use taskloom_document::{Edit, Name};

use super::{check, check_text};
use testkit::domain::document;

/// A thief who picks a lock or, if that is given up, climbs. The lines are those of the block that opens
/// the door, of the agent, and of the scenario.
fn thief([open, climb]: [&str; 2], agent: &str, scenario: &str) -> String {
    format!(
        "
type person
type door
object ann: person
object front: door
object back: door
sensor fact rusty(?d: door)
sensor fact dark
blackboard fact inside
action Walk 1
action Pick 2
action Climb 3
primitive walk = Walk
primitive pick(?d: door) = Pick
  pre not rusty(?d)
  eff inside
primitive climb = Climb
  eff inside
compound enter(?d: door)
  block a begin
  block b task walk
  block c task pick(?d)
  wire a.out -> b
  wire b.out -> c
compound rob
  block a begin
  block b choice door, window
  block c task enter(front) {open}
  block d task climb {climb}
  wire a.out -> b
  wire b.1 -> c
  wire b.2 -> d
agent thief: person
{agent}
scenario s
  cast ann as thief
  does rob
{scenario}"
    )
}

const FAILS: &str = "  fail pick time 1\n  fail pick time 2\n  fail pick time 3\n";

#[test]
fn task_that_fails_once_more_than_it_is_retried_gives_way_to_another_alternative() {
    // Only the open part of the task is retried.
    check_text(
        &thief(["retry 1", ""], "", FAILS),
        expect![[r#"
        0 plans: walk, pick(front)
        0 walk Complete acted at 1 ended at 1
        1 pick(front) Failed ended at 3: the scenario makes this action fail
        4 plans, as pick(front) failed: pick(front)
        4 pick(front) Failed ended at 6: the scenario makes this action fail
        7 plans, as pick(front) failed: climb
        7 climb Complete acted at 10 ended at 10: inside = true
        10 Complete"#]],
    );
    check_text(
        &thief(["retry 1", ""], "  reactive\n", FAILS),
        expect![[r#"
            0 plans: walk
            0 walk Complete acted at 1 ended at 1
            1 goes on: pick(front)
            1 pick(front) Failed ended at 3: the scenario makes this action fail
            4 plans, as pick(front) failed: pick(front)
            4 pick(front) Failed ended at 6: the scenario makes this action fail
            7 plans, as pick(front) failed: climb
            7 climb Complete acted at 10 ended at 10: inside = true
            10 Complete"#]],
    );
    // With more retries, it succeeds in the end.
    check_text(
        &thief(["retry 3", ""], "", FAILS),
        expect![[r#"
        0 plans: walk, pick(front)
        0 walk Complete acted at 1 ended at 1
        1 pick(front) Failed ended at 3: the scenario makes this action fail
        4 plans, as pick(front) failed: pick(front)
        4 pick(front) Failed ended at 6: the scenario makes this action fail
        7 plans, as pick(front) failed: pick(front)
        7 pick(front) Failed ended at 9: the scenario makes this action fail
        10 plans, as pick(front) failed: pick(front)
        10 pick(front) Complete acted at 12 ended at 12: inside = true
        12 Complete"#]],
    );
}

#[test]
fn without_another_plan_the_actor_waits_until_something_changes_that_the_task_reads() {
    let scenario = "  fail pick time 1\n  event 5 dark\n  event 8 rusty(back)\n  event 9 rusty(front)\n  \
                    event 11 not rusty(front)\n";
    let alone =
        thief(["retry 0", "retry 0"], "", scenario).replace("choice door, window", "choice door");
    let alone = alone
        .replace("  wire b.2 -> d\n", "")
        .replace("  block d task climb retry 0\n", "");
    check_text(
        &alone,
        expect![[r#"
        0 plans: walk, pick(front)
        0 walk Complete acted at 1 ended at 1
        1 pick(front) Failed ended at 3: the scenario makes this action fail
        4 plans, as pick(front) failed: NoPlan
        5 event 0: dark = true
        5 plans after an event: NoPlan
        8 event 1: rusty(back) = true
        8 plans after an event: NoPlan
        9 event 2: rusty(front) = true
        9 plans after an event: NoPlan
        11 event 3: rusty(front) = false
        11 plans after an event: walk, pick(front)
        11 walk Complete acted at 12 ended at 12
        12 pick(front) Complete acted at 14 ended at 14: inside = true
        14 Complete"#]],
    );
}

#[test]
fn failures_are_counted_for_each_ground_task_and_completions_forget_them() {
    let text = thief(
        ["", ""],
        "",
        "  fail pick time 1\n  fail pick time 3\n  fail pick time 5\n",
    );
    // The front door is picked twice: its second failure is the first one after a completion.
    let text = text.replace("does rob", "does rob-all").replace(
        "agent thief",
        "compound rob-all
  block a begin
  block b task rob-one(front) repeat 2
  block c task rob-one(back)
  wire a.out -> b
  wire b.out -> c
compound rob-one(?d: door)
  block a begin
  block b task pick(?d) retry 1
  wire a.out -> b
agent thief",
    );
    check_text(
        &text,
        expect![[r#"
        0 plans: pick(front), pick(front), pick(back)
        0 pick(front) Failed ended at 2: the scenario makes this action fail
        3 plans, as pick(front) failed: pick(front), pick(front), pick(back)
        3 pick(front) Complete acted at 5 ended at 5: inside = true
        5 pick(front) Failed ended at 7: the scenario makes this action fail
        8 plans, as pick(front) failed: pick(front), pick(back)
        8 pick(front) Complete acted at 10 ended at 10
        10 pick(back) Failed ended at 12: the scenario makes this action fail
        13 plans, as pick(back) failed: pick(back)
        13 pick(back) Complete acted at 15 ended at 15
        15 Complete"#]],
    );
}

#[test]
fn timeout_counts_as_a_failure_of_the_task_that_has_it() {
    check_text(
        &thief(["timeout 2 retry 0", ""], "", ""),
        expect![[r#"
            0 plans: walk, pick(front)
            0 walk Complete acted at 1 ended at 1
            1 pick(front) Failed ended at 3: enter(front) timed out after 2 ticks
            4 plans, as pick(front) failed: climb
            4 climb Complete acted at 7 ended at 7: inside = true
            7 Complete"#]],
    );
}

#[test]
fn muted_block_limits_nothing() {
    let text = thief(["retry 0", ""], "", "  fail climb time 1\n");
    let name = |text: &str| Name::new(text).expect("a name");
    let ids = vec!["c".parse().expect("an id")];
    let muted = document(&text).apply(&Edit::Mute(name("rob"), ids, true));
    check(
        &muted.expect("it can be muted"),
        "s",
        expect![[r#"
        0 plans
        0 Complete"#]],
    );
}
