//! Task blocks that do their task several times, in a run.

use expect_test::expect;

use super::check_text;

/// A cook who stirs three times; the lines are those of the blocks after Begin `a`, of the agent, and of
/// the scenario.
fn cook(method: &str, agent: &str, scenario: &str) -> String {
    format!(
        "
type person
object ann: person
object pan: object
object pot: object
sensor fact hot(?x: object)
blackboard number stirred
action Stir 2
action Sing 3 by voice
primitive stir(?x: object) = Stir
  pre hot(?x)
  eff stirred += 1
primitive sing = Sing
primitive serve
  pre stirred >= 3
compound cook
  block a begin
{method}
agent cook: person
{agent}
scenario s
  cast ann as cook
  initial hot(pan)
  does cook
{scenario}"
    )
}

const STIR: &str = "  block b task stir(pan) repeat 3
  block c task serve
  wire a.out -> b
  wire b.out -> c
";

#[test]
fn repeated_steps_are_executed_one_after_the_other() {
    check_text(
        &cook(STIR, "", ""),
        expect![[r#"
        0 plans: stir(pan), stir(pan), stir(pan), serve
        0 stir(pan) Complete acted at 2 ended at 2: stirred = 1
        2 stir(pan) Complete acted at 4 ended at 4: stirred = 2
        4 stir(pan) Complete acted at 6 ended at 6: stirred = 3
        6 serve Complete acted at 6 ended at 6
        6 Complete"#]],
    );
}

#[test]
fn only_the_remaining_repetitions_are_done_after_a_failure() {
    check_text(
        &cook(STIR, "", "  fail stir time 2\n"),
        expect![[r#"
        0 plans: stir(pan), stir(pan), stir(pan), serve
        0 stir(pan) Complete acted at 2 ended at 2: stirred = 1
        2 stir(pan) Failed ended at 4: the scenario makes this action fail
        5 plans, as stir(pan) failed: stir(pan), stir(pan), serve
        5 stir(pan) Complete acted at 7 ended at 7: stirred = 2
        7 stir(pan) Complete acted at 9 ended at 9: stirred = 3
        9 serve Complete acted at 9 ended at 9
        9 Complete"#]],
    );
}

#[test]
fn reactive_actor_repeats_a_task_with_the_object_that_was_bound() {
    // The pot is hot later, but the task has been decomposed by then.
    let method = "  block b bind ?x: object where hot(?x) by 0
  block c task stir(?x) repeat 3
  block d task serve
  wire a.out -> b
  wire b.out -> c
  wire c.out -> d
";
    check_text(
        &cook(method, "  reactive\n", "  event 3 hot(pot)\n"),
        expect![[r#"
            0 plans: stir(pan)
            0 stir(pan) Complete acted at 2 ended at 2: stirred = 1
            2 goes on: stir(pan)
            2 stir(pan) Complete acted at 4 ended at 4: stirred = 2
            3 event 0: hot(pot) = true
            4 goes on: stir(pan)
            4 stir(pan) Complete acted at 6 ended at 6: stirred = 3
            6 goes on: serve
            6 serve Complete acted at 6 ended at 6
            6 Complete"#]],
    );
}

#[test]
fn repetitions_run_in_parallel_with_other_executors() {
    let method = "  block b task stir(pan) repeat 3
  block c task sing repeat 2
  block d task serve
  wire a.out -> b
  wire a.out -> c
  wire b.out -> d
  wire c.out -> d
";
    check_text(
        &cook(method, "", ""),
        expect![[r#"
        0 plans: stir(pan), stir(pan), stir(pan), sing, sing, serve
        0 stir(pan) Complete acted at 2 ended at 2: stirred = 1
        0 sing Complete acted at 3 ended at 3
        2 stir(pan) Complete acted at 4 ended at 4: stirred = 2
        3 sing Complete acted at 6 ended at 6
        4 stir(pan) Complete acted at 6 ended at 6: stirred = 3
        6 serve Complete acted at 6 ended at 6
        6 Complete"#]],
    );
}
