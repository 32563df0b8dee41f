//! Actors and objects that come and go.

use crate::reference::simulate;
use expect_test::{Expect, expect};
use taskloom_domain::Domain;
use taskloom_planner::plan::Budget;
use taskloom_runtime::{Moment, world_at};

use super::{document, name, report};

const CAMP: &str = "
type person
object ann: person
object ben: person
sensor fact away(?p: person) absence
sensor fact greeted(?p: person)
sensor number hits integer 0..99
action Train 3
action Walk 4
action Greet 1
primitive train(?p: person) = Train
  pre away(?p)
  eff not away(?p)
primitive patrol = Walk
  eff hits += 1
primitive greet(?p: person) = Greet
  pre not greeted(?p)
  eff greeted(?p)
compound train-one
  block a begin
  block b bind ?p: person where away(?p)
  block c task train(?p)
  wire a.out -> b
  wire b.out -> c
goal all-greeted: forall ?p: person. greeted(?p)
  priority 1
agent captain: person
agent guard: person
  task patrol
  task patrol
agent host: person
  wants all-greeted
scenario s
";

fn check(scenario: &str, expected: Expect) {
    let document = document(&format!("{CAMP}{scenario}"));
    let domain = Domain::from(&document);
    let run = simulate(&domain, &name("s"), Budget::default(), 100);
    let scene = domain.scene(&name("s")).expect("a scenario");
    let end = world_at(&domain, scene, &run, Moment::Tick(run.ticks));
    let values = end.as_initial_values().join(", ");
    expected.assert_eq(&format!("{}\n{values}", report(&run)));
}

#[test]
fn trained_actor_acts_as_soon_as_it_is_present() {
    check(
        "  cast ann as captain\n  does train-one\n  cast ben as guard\n  initial away(ben)\n",
        expect![[r#"
            0 A plans: train(ben)
            0 A train(ben) Complete acted at 3 ended at 3: away(ben) = false
            3 B plans: patrol, patrol
            3 B patrol Complete acted at 7 ended at 7: hits = 1
            7 B patrol Complete acted at 11 ended at 11: hits = 2
            11 Complete
            hits = 2"#]],
    );
}

#[test]
fn actor_that_disappears_fails_its_step_and_is_not_expected_to_finish() {
    check(
        "  cast ann as guard\n  cast ben as guard\n  event 2 away(ben)\n",
        expect![[r#"
            0 A plans: patrol, patrol
            0 A patrol Complete acted at 4 ended at 4: hits = 1
            0 B plans: patrol, patrol
            0 B patrol Failed ended at 2: integrity rule of patrol: not away(?me) (away(ben) is true)
            2 event 0: away(ben) = true
            4 A patrol Complete acted at 8 ended at 8: hits = 2
            9 Complete
            away(ben), hits = 2"#]],
    );
}

#[test]
fn actor_continues_when_it_is_present_again() {
    check(
        "  cast ann as guard\n  event 2 away(ann)\n  event 20 not away(ann)\n",
        expect![[r#"
            0 plans: patrol, patrol
            0 patrol Failed ended at 2: integrity rule of patrol: not away(?me) (away(ann) is true)
            2 event 0: away(ann) = true
            20 event 1: away(ann) = false
            20 plans, as patrol failed: patrol, patrol
            20 patrol Complete acted at 24 ended at 24: hits = 1
            24 patrol Complete acted at 28 ended at 28: hits = 2
            28 Complete
            hits = 2"#]],
    );
}

#[test]
fn goals_count_only_who_is_present() {
    check(
        "  cast ann as host\n  event 1 away(ben)\n",
        expect![[r#"
            0 plans: greet(ann), greet(ben)
            0 greet(ann) Complete acted at 1 ended at 1: greeted(ann) = true
            1 event 0: away(ben) = true
            1 greet(ben) Failed ended at 1: precondition is false: not away(ben)
            2 plans, as greet(ben) failed
            2 Complete
            away(ben), greeted(ann)"#]],
    );
}
