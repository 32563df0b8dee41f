//! Waiting for the time, and rules that the time violates.

use expect_test::expect;

use super::check_text;

#[test]
fn event_occurs_when_its_time_condition_holds() {
    check_text(
        "
fact dark
action Watch 9
primitive watch = Watch
scenario s
  task watch
  event 2 if time * 2 > 8 : dark",
        expect![[r#"
            0 plans: watch
            0 watch Complete acted at 9 ended at 9
            5 event 0: dark = true
            9 Complete"#]],
    );
}

#[test]
fn step_waits_for_a_time_and_may_miss_it() {
    let text = "
fact home
action Read 2
primitive read = Read
  done time >= 6
primitive go-home
  eff home
scenario s
  task read
  task go-home";
    check_text(
        text,
        expect![[r#"
        0 plans: read, go-home
        0 read Complete acted at 2 ended at 6
        6 go-home Complete acted at 6 ended at 6: home = true
        6 Complete"#]],
    );
    let hurried = text.replace(
        "  done time >= 6",
        "  done time >= 6\n  integrity time < 4\n  pre time < 4",
    );
    check_text(
        &hurried,
        expect![[r#"
        0 plans: read, go-home
        0 read Failed acted at 2 ended at 4: integrity rule of read: time < 4 (time is 4)
        5 plans, as read failed: NoPlan
        5 Failed"#]],
    );
}

#[test]
fn long_step_is_interrupted_at_the_exact_tick() {
    check_text(
        "
fact late
action Walk 20
primitive walk = Walk
  integrity time < 7
  pre not late
primitive run
  eff late
compound go
  block a begin
  block b branch time < 7
  block c task walk
  block d task run
  wire a.out -> b
  wire b.true -> c
  wire b.false -> d
scenario s
  task go",
        expect![[r#"
            0 plans: walk
            0 walk Failed ended at 7: integrity rule of walk: time < 7 (time is 7)
            8 plans, as walk failed: run
            8 run Complete acted at 8 ended at 8: late = true
            8 Complete"#]],
    );
}

/// Cheaper actions at night are done at night: no event has to count the time.
#[test]
fn costs_depend_on_the_time() {
    let text = "
fact fed
action Go 3
action Sleep 4
primitive hunt = Go
  eff fed
  cost 10 - time
primitive harvest = Go
  eff fed
  cost 4 + time
scenario s
  goal fed
  event 5 not fed";
    check_text(
        text,
        expect![[r#"
        0 plans: harvest
        0 harvest Complete acted at 3 ended at 3: fed = true
        3 Complete"#]],
    );
    let asleep = text.replace(
        "scenario s\n  goal fed",
        "primitive sleep = Sleep\n  cost 1\nscenario s\n  goal fed and time > 6",
    );
    check_text(
        &asleep,
        expect![[r#"
        0 plans: sleep, sleep, sleep, hunt
        0 sleep Complete acted at 4 ended at 4
        4 sleep Complete acted at 8 ended at 8
        5 event 0
        8 sleep Complete acted at 12 ended at 12
        12 hunt Complete acted at 15 ended at 15: fed = true
        15 Complete"#]],
    );
}

#[test]
fn interval_trigger_finds_a_time_dependent_plan() {
    let text = "
object anna
agent guard: object
  task open
  every 3
fact is_open
primitive open
  pre time >= 7
  eff is_open
scenario s
  cast anna as guard";
    check_text(
        text,
        expect![[r#"
        0 plans: NoPlan
        3 plans as time goes by: NoPlan
        6 plans as time goes by: NoPlan
        9 plans as time goes by: open
        9 open Complete acted at 9 ended at 9: is_open = true
        9 Complete"#]],
    );
    // Otherwise none of its beliefs changes, and it waits for nothing.
    check_text(
        &text.replace("  every 3\n", ""),
        expect![[r#"
        0 plans: NoPlan
        0 Failed"#]],
    );
}

#[test]
fn sense_observes_at_its_time() {
    check_text(
        "
object anna
agent guard: object
  task leave
  sense gold 1 when time >= 5
sensor fact gold
primitive leave
  pre gold
scenario s
  cast anna as guard
  believes not gold
  initial gold",
        expect![[r#"
            0 plans: NoPlan
            5 perceives: gold = true
            5 plans after an event: leave
            5 leave Complete acted at 5 ended at 5
            5 Complete"#]],
    );
}

/// A later plan starts from its tick.
#[test]
fn a_plan_starts_at_the_tick_at_which_it_is_made() {
    check_text(
        "
fact key
action Go 2
primitive early = Go
  pre time <= 2
  pre key
primitive late = Go
  pre key
compound go
  block a begin
  block b choice early, late
  block c task early
  block d task late
  wire a.out -> b
  wire b.1 -> c
  wire b.2 -> d
scenario s
  task go
  task go
  event 1 key",
        expect![[r#"
            0 plans: NoPlan
            1 event 0: key = true
            1 plans after an event: early, late
            1 early Complete acted at 3 ended at 3
            3 late Complete acted at 5 ended at 5
            5 Complete"#]],
    );
}

/// A character whose goal is to ring, at a certain time, and that replans every 3 ticks.
fn ring(who: &str) -> String {
    format!(
        "
type person
object ann: person
sensor fact rang
primitive ring
  pre time >= 5
  eff rang
goal g: rang
  priority 1
agent one: person
  {who}
  every 3
"
    )
}

#[test]
fn time_dependent_goal_becomes_active_over_time() {
    let text = ring("wants g") + "scenario s\n  cast ann as one\n";
    let found = expect![[r#"
        0 plans: NoPlan
        3 plans as time goes by: NoPlan
        6 plans as time goes by: ring
        6 ring Complete acted at 6 ended at 6: rang = true
        7 goes on
        200 OutOfTicks"#]];
    check_text(&text, found);
    let text = ring("task ring") + "scenario s\n  cast ann as one\n";
    let found = expect![[r#"
        0 plans: NoPlan
        3 plans as time goes by: NoPlan
        6 plans as time goes by: ring
        6 ring Complete acted at 6 ended at 6: rang = true
        6 Complete"#]];
    check_text(&text, found);
}

/// A character that looks for alternatives, and finds one because of its own step, with some other
/// records.
fn enter(others: &str) -> String {
    format!(
        "{others}
type person
object ann: person
sensor fact key
action A 2
primitive find = A
  eff key
primitive open = A
  pre key
primitive rest = A
primitive smash = A
compound enter
  block a begin
  block b choice key, smash
  block c branch key
  block d task open
  block e task find
  block f task rest
  block g task smash
  wire a.out -> b
  wire b.1 -> c
  wire c.true -> d
  wire b.2 -> e
  wire e.out -> f
  wire f.out -> g
agent one: person
  alternative
scenario s
  cast ann as one
  does enter
"
    )
}

#[test]
fn time_matters_only_to_time_dependent_planners() {
    let object = "type idea\nobject time: idea\nprimitive ponder(?i: idea)\n  pre ?i != time\n";
    let unrelated = "primitive hit\n  pre time >= 5\n";
    for others in ["", object, unrelated] {
        check_text(
            &enter(others),
            expect![[r#"
                0 plans: find, rest, smash
                0 find Complete acted at 2 ended at 2: key = true
                2 rest Complete acted at 4 ended at 4
                4 smash Complete acted at 6 ended at 6
                6 Complete"#]],
        );
    }
}

#[test]
fn plans_depend_on_durations_only_if_they_depend_on_the_time() {
    let slows = "sensor number slow integer 0..3\n";
    let slower = |text: String, perceives: &str| {
        let text = text.replace("action A 2", "action A 2 + slow");
        text.replace("  alternative\n", perceives)
    };
    let unrelated = format!("{slows}primitive hit\n  pre time >= 5\n");
    for others in [slows, &unrelated] {
        let text = slower(enter(others), "  perception\n") + "  event 3 slow += 1\n";
        check_text(
            &text,
            expect![[r#"
                0 plans: find, rest, smash
                0 find Complete acted at 2 ended at 2: key = true
                2 rest Complete acted at 4 ended at 4
                3 event 0: slow = 1
                4 smash Complete acted at 7 ended at 7
                7 Complete"#]],
        );
    }
    let late = "type person
object ann: person
sensor number slow integer 0..3
action A 2 + slow
primitive walk = A
primitive sing
primitive cry
compound show
  block a begin
  block b choice late, early
  block c branch time >= 5
  block d task sing
  block e task cry
  wire a.out -> b
  wire b.1 -> c
  wire c.true -> d
  wire b.2 -> e
agent one: person
  perception
scenario s
  cast ann as one
  does walk
  does walk
  does show
  event 1 slow += 1
";
    check_text(
        late,
        expect![[r#"
            0 plans: walk, walk, cry
            0 walk Complete acted at 2 ended at 2
            1 event 0: slow = 1
            1 plans, noticing slow: walk, walk, sing
            2 walk Complete acted at 5 ended at 5
            5 sing Complete acted at 5 ended at 5
            5 Complete"#]],
    );
}

#[test]
fn maximum_interval_never_elapses() {
    let text = enter("").replace("  alternative\n", "  every 4294967295\n");
    check_text(
        &text,
        expect![[r#"
            0 plans: find, rest, smash
            0 find Complete acted at 2 ended at 2: key = true
            2 rest Complete acted at 4 ended at 4
            4 smash Complete acted at 6 ended at 6
            6 Complete"#]],
    );
}
