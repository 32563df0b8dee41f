//! Objects that actors claim for their steps.

use expect_test::expect;

use super::check_text;

/// Two smiths with one hammer. Each forges; the lines are those of the task, of the agent, and of the
/// scenario.
fn smiths(lines: [&str; 2], scenario: &str) -> String {
    let [forge, agent] = lines;
    format!(
        "
type person
type tool
object ann: person
object bob: person
object hammer: tool
object tongs: tool
value held(?p: person): tool
blackboard fact forged
blackboard fact fire
action Forge 4
action Sing 2 by voice
action Rest 1
primitive forge(?t: tool) = Forge
  claims ?t
{forge}
primitive sing(?t: tool) = Sing
  claims ?t
primitive grip = Forge
  claims held(?me)
primitive rest = Rest
compound work(?t: tool)
  block a begin
  block b choice forge, rest
  block c task forge(?t)
  block d task rest
  wire a.out -> b
  wire b.1 -> c
  wire b.2 -> d
compound both(?t: tool)
  block a begin
  block b task forge(?t)
  block c task sing(?t)
  wire a.out -> b
  wire a.out -> c
agent smith: person
{agent}
scenario s
  cast ann as smith
{scenario}"
    )
}

#[test]
fn claimed_object_makes_another_actor_wait_until_it_is_released() {
    // The first actor of the cast has its turn first.
    check_text(
        &smiths(
            ["", ""],
            "  does forge(hammer)\n  cast bob as smith\n  does forge(hammer)\n",
        ),
        expect![[r#"
            0 A plans: forge(hammer)
            0 A forge(hammer) Complete acted at 4 ended at 4
            0 B plans: NoPlan
            4 B plans after an event: forge(hammer)
            4 B forge(hammer) Complete acted at 8 ended at 8
            8 Complete"#]],
    );
    // An actor that had its turn before the release notices it at the next tick.
    check_text(
        &smiths(
            ["", ""],
            "  does rest\n  does forge(hammer)\n  cast bob as smith\n  does forge(hammer)\n",
        ),
        expect![[r#"
            0 A plans: rest, forge(hammer)
            0 A rest Complete acted at 1 ended at 1
            0 B plans: forge(hammer)
            0 B forge(hammer) Complete acted at 4 ended at 4
            1 A forge(hammer) Failed ended at 1: 'hammer' is claimed by 'bob' until its step ends
            2 A plans, as forge(hammer) failed: NoPlan
            5 A plans after an event: forge(hammer)
            5 A forge(hammer) Complete acted at 9 ended at 9
            9 Complete"#]],
    );
    // Other objects are free.
    check_text(
        &smiths(
            ["", ""],
            "  does forge(hammer)\n  cast bob as smith\n  does forge(tongs)\n",
        ),
        expect![[r#"
            0 A plans: forge(hammer)
            0 A forge(hammer) Complete acted at 4 ended at 4
            0 B plans: forge(tongs)
            0 B forge(tongs) Complete acted at 4 ended at 4
            4 Complete"#]],
    );
}

#[test]
fn step_whose_object_was_claimed_in_the_meantime_fails_before_it_starts() {
    check_text(
        &smiths(
            ["  cooldown 9", ""],
            "  does rest\n  does rest\n  does forge(hammer)\n  cast bob as smith\n  does rest\n  does forge(hammer)\n",
        ),
        expect![[r#"
            0 A plans: rest, rest, forge(hammer)
            0 A rest Complete acted at 1 ended at 1
            0 B plans: rest, forge(hammer)
            0 B rest Complete acted at 1 ended at 1
            1 A rest Complete acted at 2 ended at 2
            1 B forge(hammer) Complete acted at 5 ended at 5
            2 A forge(hammer) Failed ended at 2: 'hammer' is claimed by 'bob' until its step ends
            3 A plans, as forge(hammer) failed: NoPlan
            6 A plans after an event: forge(hammer)
            6 A forge(hammer) Complete acted at 10 ended at 10
            10 Complete"#]],
    );
}

#[test]
fn alternative_is_taken_while_an_object_is_claimed() {
    check_text(
        &smiths(
            ["", "  alternative"],
            "  does forge(hammer)\n  cast bob as smith\n  does work(hammer)\n  does work(hammer)\n",
        ),
        expect![[r#"
            0 A plans: forge(hammer)
            0 A forge(hammer) Complete acted at 4 ended at 4
            0 B plans: rest, rest
            0 B rest Complete acted at 1 ended at 1
            1 B rest Complete acted at 2 ended at 2
            4 Complete"#]],
    );
    check_text(
        &smiths(
            ["", "  reactive"],
            "  does forge(hammer)\n  cast bob as smith\n  does work(hammer)\n  does forge(hammer)\n",
        ),
        expect![[r#"
            0 A plans: forge(hammer)
            0 A forge(hammer) Complete acted at 4 ended at 4
            0 B plans: rest
            0 B rest Complete acted at 1 ended at 1
            1 B goes on: NoPlan
            4 B plans after an event: forge(hammer)
            4 B forge(hammer) Complete acted at 8 ended at 8
            8 Complete"#]],
    );
}

#[test]
fn failed_step_releases_its_claims() {
    check_text(
        &smiths(
            ["  integrity fire", "  failure never"],
            "  does forge(hammer)\n  cast bob as smith\n  does rest\n  does sing(hammer)\n  initial fire\n  event 2 not fire\n",
        ),
        expect![[r#"
            0 A plans: forge(hammer)
            0 A forge(hammer) Failed ended at 2: integrity rule of forge(hammer): fire
            0 B plans: NoPlan
            2 event 0: fire = false
            2 B plans after an event: rest, sing(hammer)
            2 B rest Complete acted at 3 ended at 3
            3 B sing(hammer) Complete acted at 5 ended at 5
            6 A plans after an event: NoPlan
            6 Failed"#]],
    );
}

#[test]
fn parallel_steps_of_one_actor_may_claim_the_same_object() {
    check_text(
        &smiths(
            ["", ""],
            "  does both(hammer)\n  cast bob as smith\n  does sing(hammer)\n",
        ),
        expect![[r#"
            0 A plans: forge(hammer), sing(hammer)
            0 A forge(hammer) Complete acted at 4 ended at 4
            0 A sing(hammer) Complete acted at 2 ended at 2
            0 B plans: NoPlan
            4 B plans after an event: sing(hammer)
            4 B sing(hammer) Complete acted at 6 ended at 6
            6 Complete"#]],
    );
}

#[test]
fn claims_depend_on_the_state_and_may_be_undefined() {
    check_text(
        &smiths(
            ["", ""],
            "  does grip\n  cast bob as smith\n  does grip\n  initial held(ann) = tongs\n  initial held(bob) = tongs\n",
        ),
        expect![[r#"
            0 A plans: grip
            0 A grip Complete acted at 4 ended at 4
            0 B plans: NoPlan
            4 B plans after an event: grip
            4 B grip Complete acted at 8 ended at 8
            8 Complete"#]],
    );
    check_text(
        &smiths(["", ""], "  does grip\n  cast bob as smith\n  does grip\n"),
        expect![[r#"
            0 A plans: grip
            0 A grip Complete acted at 4 ended at 4
            0 B plans: grip
            0 B grip Complete acted at 4 ended at 4
            4 Complete"#]],
    );
}

#[test]
fn plans_for_goals_respect_claims() {
    check_text(
        &smiths(
            ["  eff forged", "  wants busy\n  heuristic hmax"],
            "  does forge(hammer)\n  does forge(hammer)\n  cast bob as smith\n",
        )
        .replace(
            "agent smith",
            "goal busy: forged\n  priority 1\nagent smith",
        ),
        expect![[r#"
            0 A plans: forge(hammer), forge(hammer)
            0 A forge(hammer) Complete acted at 4 ended at 4: forged = true
            0 B plans: forge(tongs)
            0 B forge(tongs) Complete acted at 4 ended at 4
            4 A forge(hammer) Complete acted at 8 ended at 8
            5 B goes on
            9 Complete"#]],
    );
}
