//! Checks of the rest of a plan when there is a reason to replan.

use expect_test::expect;

use super::check_text;

#[test]
fn finished_steps_complete_before_replanning() {
    let text = "
type person
object ann: person
blackboard fact alarm
memory fact rested
action Wait 5
action Run 2
primitive wait = Wait
  eff rested
primitive run = Run
compound live
  block a begin
  block b branch alarm
  block c task run
  block d task wait
  wire a.out -> b
  wire b.true -> c
  wire b.false -> d
agent guard: person
  perception
scenario s
  cast ann as guard
  does live
  does live
";
    check_text(
        &format!("{text}  event 5 alarm\n"),
        expect![[r#"
        0 plans: wait, wait
        0 wait Complete acted at 5 ended at 5: rested = true
        5 event 0: alarm = true
        5 plans, noticing alarm: run
        5 run Complete acted at 7 ended at 7
        7 Complete"#]],
    );
    check_text(
        &format!("{text}  event 4 alarm\n"),
        expect![[r#"
        0 plans: wait, wait
        0 wait Failed ended at 4: interrupted by a new plan
        4 event 0: alarm = true
        4 plans, noticing alarm: run, run
        4 run Complete acted at 6 ended at 6
        6 run Complete acted at 8 ended at 8
        8 Complete"#]],
    );
}

/// A patrol by a character that looks for another plan at an interval.
const PATROL: &str = "
type person
type place
object ann: person
object a: place
object b: place
object c: place
sensor fact blocked(?p: place)
sensor fact seen(?p: place)
sensor fact noise
action Walk 3
primitive walk(?p: place) = Walk
  pre not blocked(?p)
  eff seen(?p)
primitive climb(?p: place) = Walk
  eff seen(?p)
compound reach(?p: place)
  block z begin
  block x choice walk, climb
  block q task walk(?p)
  block r task climb(?p)
  wire z.out -> x
  wire x.1 -> q
  wire x.2 -> r
compound patrol
  sequence walk(a); reach(b); reach(c)
compound listen
  block z begin
  block x branch noise
  block q task walk(a)
  block r task walk(a)
  block s task walk(b)
  block t task walk(c)
  wire z.out -> x
  wire x.true -> q
  wire q.out -> s
  wire x.false -> r
  wire r.out -> s
  wire s.out -> t
agent one: person
  every 4
agent two: person
  perception
agent three: person
  alternative
scenario s
";

fn patrol(scenario: &str) -> String {
    format!("{PATROL}{scenario}")
}

#[test]
fn replanning_continues_with_remaining_tasks() {
    let text = patrol("  cast ann as one\n  does patrol\n");
    check_text(
        &text,
        expect![[r#"
        0 plans: walk(a), walk(b), walk(c)
        0 walk(a) Complete acted at 3 ended at 3: seen(a) = true
        3 walk(b) Complete acted at 6 ended at 6: seen(b) = true
        6 walk(c) Complete acted at 9 ended at 9: seen(c) = true
        9 Complete"#]],
    );
    let text = patrol("  cast ann as two\n  does listen\n  event 4 noise\n");
    check_text(
        &text,
        expect![[r#"
        0 plans: walk(a), walk(b), walk(c)
        0 walk(a) Complete acted at 3 ended at 3: seen(a) = true
        3 walk(b) Complete acted at 6 ended at 6: seen(b) = true
        4 event 0: noise = true
        6 walk(c) Complete acted at 9 ended at 9: seen(c) = true
        9 Complete"#]],
    );
}

#[test]
fn replans_only_open_tasks_when_the_rest_is_impossible() {
    let text = patrol("  cast ann as two\n  does patrol\n  event 4 blocked(c)\n");
    check_text(
        &text,
        expect![[r#"
        0 plans: walk(a), walk(b), walk(c)
        0 walk(a) Complete acted at 3 ended at 3: seen(a) = true
        3 walk(b) Complete acted at 6 ended at 6: seen(b) = true
        4 event 0: blocked(c) = true
        4 plans, noticing blocked(c): walk(b), climb(c)
        6 climb(c) Complete acted at 9 ended at 9: seen(c) = true
        9 Complete"#]],
    );
    // After a failure, too.
    let text = patrol("  cast ann as one\n  does patrol\n  event 5 blocked(c)\n");
    check_text(
        &text.replace("every 4", "failure 1"),
        expect![[r#"
        0 plans: walk(a), walk(b), walk(c)
        0 walk(a) Complete acted at 3 ended at 3: seen(a) = true
        3 walk(b) Complete acted at 6 ended at 6: seen(b) = true
        5 event 0: blocked(c) = true
        6 walk(c) Failed ended at 6: precondition is false: not blocked(c)
        7 plans, as walk(c) failed: climb(c)
        7 climb(c) Complete acted at 10 ended at 10: seen(c) = true
        10 Complete"#]],
    );
}

#[test]
fn switches_to_an_earlier_alternative_of_upcoming_tasks() {
    let text = patrol(
        "  initial blocked(c)\n  cast ann as three\n  does patrol\n  event 4 not blocked(c)\n",
    );
    check_text(
        &text,
        expect![[r#"
        0 plans: walk(a), walk(b), climb(c)
        0 walk(a) Complete acted at 3 ended at 3: seen(a) = true
        3 walk(b) Complete acted at 6 ended at 6: seen(b) = true
        4 event 0: blocked(c) = false
        4 plans, as something better is possible: walk(b), walk(c)
        6 walk(c) Complete acted at 9 ended at 9: seen(c) = true
        9 Complete"#]],
    );
}

#[test]
fn switches_to_an_earlier_alternative_of_any_task_under_way_in_parallel() {
    check_text(
        "
type person
object ann: person
sensor fact tiles
sensor fact roofed
sensor number stone integer 0..9
action Gather 4 by gatherer
action Build 4 by builder
primitive gather = Gather
  eff stone += 1
primitive cut = Build
primitive thatch = Build
  eff roofed
primitive tile = Build
  pre tiles
  eff roofed
compound supply
  sequence gather; gather
compound roof
  block a begin
  block b choice tiles, straw
  block c task tile
  block d task cut
  block e task thatch
  wire a.out -> b
  wire b.1 -> c
  wire b.2 -> d
  wire d.out -> e
compound camp
  block a begin
  block b task supply
  block c task roof
  wire a.out -> b
  wire a.out -> c
agent worker: person
  alternative
scenario s
  cast ann as worker
  does camp
  event 6 tiles
",
        expect![[r#"
            0 plans: gather, gather, cut, thatch
            0 gather Complete acted at 4 ended at 4: stone = 1
            0 cut Complete acted at 4 ended at 4
            4 thatch Failed ended at 6: interrupted by a new plan
            4 gather Complete acted at 8 ended at 8: stone = 2
            6 event 0: tiles = true
            6 plans, as something better is possible: gather, tile
            8 tile Complete acted at 12 ended at 12: roofed = true
            12 Complete"#]],
    );
}

#[test]
fn tasks_begun_before_a_failure_in_parallel_are_not_decided_again() {
    check_text(
        "
type person
object ann: person
sensor fact dry
action Fetch 3 by gatherer
action Build 2 by builder
primitive fetch = Fetch
primitive cut = Build
primitive thatch = Build
compound roof
  block a begin
  block b branch dry
  block c task cut
  block d task thatch
  wire a.out -> b
  wire b.true -> c
  wire c.out -> d
compound camp
  block a begin
  block b task fetch
  block c task roof
  wire a.out -> b
  wire a.out -> c
agent worker: person
  every 6
scenario s
  initial dry
  cast ann as worker
  does camp
  event 5 not dry
  fail fetch time 1
",
        expect![[r#"
            0 plans: fetch, cut, thatch
            0 fetch Failed ended at 3: the scenario makes this action fail
            0 cut Complete acted at 2 ended at 2
            2 thatch Failed ended at 3: aborted because fetch failed in parallel
            4 plans, as fetch failed: fetch, thatch
            4 fetch Complete acted at 7 ended at 7
            5 event 0: dry = false
            7 thatch Complete acted at 9 ended at 9
            9 Complete"#]],
    );
}

#[test]
fn violated_rules_of_a_later_task_leave_the_tasks_before_it_alone() {
    check_text(
        "
type person
object ann: person
sensor fact wet
action Work 2
primitive sow = Work
primitive reap = Work
compound pause
  block a begin
compound field
  sequence sow; pause
compound harvest
  integrity not wet
  sequence reap
agent farmer: person
scenario s
  cast ann as farmer
  does field
  does harvest
  event 2 wet
  event 4 not wet
",
        expect![[r#"
            0 plans: sow, reap
            0 sow Complete acted at 2 ended at 2
            2 event 0: wet = true
            2 reap Failed ended at 2: integrity rule of harvest: not wet
            3 plans, as reap failed: NoPlan
            4 event 1: wet = false
            4 plans after an event: reap
            4 reap Complete acted at 6 ended at 6
            6 Complete"#]],
    );
}

#[test]
fn stops_an_impossible_plan_without_an_alternative() {
    check_text(
        "
type person
type thing
object ann: person
object ben: person
object gem: thing
sensor fact lies(?t: thing)
sensor fact has(?p: person, ?t: thing)
action Take 1
action Walk 4
primitive walk = Walk
primitive take(?t: thing) = Take
  pre lies(?t)
  eff not lies(?t)
  eff has(?me, ?t)
agent alert: person
  perception
scenario s
  initial lies(gem)
  cast ann as alert
  does take(gem)
  cast ben as alert
  does walk
  does take(gem)
",
        expect![[r#"
            0 A plans: take(gem)
            0 A take(gem) Complete acted at 1 ended at 1: has(ann, gem) = true, lies(gem) = false
            0 B plans: walk, take(gem)
            0 B walk Failed ended at 1: the plan is no longer possible: 'take(gem)': 'lies(?t)' does not hold
            1 B plans, noticing lies(gem): NoPlan
            2 Failed"#]],
    );
}

/// A character that believes it has shots, and has none.
fn shooter(agent: &str, scenario: &str) -> String {
    format!(
        "
type person
object ann: person
sensor number ammo integer 0..9
sensor fact dead
action Shoot 1
primitive fire = Shoot
  eff ammo -= 1
  eff dead
primitive club = Shoot
  eff dead
  cost 9
compound kill
  block z begin
  block x choice fire, club
  block q task fire
  block r task club
  wire z.out -> x
  wire x.1 -> q
  wire x.2 -> r
compound shoot
  sequence fire
goal kill: dead
  priority 1
agent fool: person
  {agent}
  sense ammo 1 when false
scenario s
  cast ann as fool
  believes ammo = 5
{scenario}"
    )
}

#[test]
fn failed_tasks_are_retried_after_a_change_or_timeout() {
    check_text(
        &shooter("wants kill", ""),
        expect![[r#"
        0 plans: fire
        0 fire Failed ended at 1: ammo would fall to -1, below its range
        2 plans, as fire failed: club
        2 club Complete acted at 3 ended at 3: dead = true
        4 goes on
        4 Complete"#]],
    );
    check_text(
        &shooter("task kill", ""),
        expect![[r#"
        0 plans: fire
        0 fire Failed ended at 1: ammo would fall to -1, below its range
        2 plans, as fire failed: club
        2 club Complete acted at 3 ended at 3: dead = true
        3 Complete"#]],
    );
    // Without an alternative, the retry time must pass, or a fact that the step reads or changes
    // must change.
    let alone = "wants kill\n  uses fire\n  retry 4";
    check_text(
        &shooter(alone, "  event 7 ammo := 3\n"),
        expect![[r#"
        0 plans: fire
        0 fire Failed ended at 1: ammo would fall to -1, below its range
        2 plans, as fire failed: NoPlan
        6 tries again: fire
        6 fire Complete acted at 7 ended at 7: ammo = 2, dead = true
        7 event 0: ammo = 3
        8 goes on
        8 Complete"#]],
    );
    let alone = "wants kill\n  uses fire\n  retry 40";
    check_text(
        &shooter(
            alone,
            "  event 7 ammo := 3\n  event 9 dead\n  event 10 not dead\n",
        ),
        expect![[r#"
        0 plans: fire
        0 fire Failed ended at 1: ammo would fall to -1, below its range
        2 plans, as fire failed: NoPlan
        7 event 0: ammo = 3
        9 event 1: dead = true
        9 plans after an event
        10 event 2: dead = false
        10 plans after an event: fire
        10 fire Complete acted at 11 ended at 11: ammo = 2, dead = true
        12 goes on
        12 Complete"#]],
    );
}

#[test]
fn retries_at_once_without_an_alternative() {
    let text = shooter("task shoot", "  initial ammo = 2\n  fail fire time 1\n");
    check_text(
        &text,
        expect![[r#"
        0 plans: fire
        0 fire Failed ended at 1: the scenario makes this action fail
        2 plans, as fire failed: fire
        2 fire Complete acted at 3 ended at 3: ammo = 1, dead = true
        3 Complete"#]],
    );
}
