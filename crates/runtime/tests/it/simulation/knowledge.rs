//! Observations, unknown facts, and learning by failing.

use expect_test::expect;

use super::check_text;

#[test]
fn facts_without_a_sense_stay_visible() {
    let text = "
type person
object ann: person
sensor fact lit
sensor fact noise
primitive act
  pre lit
agent one: person
  sense noise 1
scenario s
  cast ann as one
  does act
  event 2 lit
";
    check_text(
        text,
        expect![[r#"
            0 plans: NoPlan
            2 event 0: lit = true
            2 plans after an event: act
            2 act Complete acted at 2 ended at 2
            2 Complete"#]],
    );
}

#[test]
fn unknown_facts_become_known_by_observation_or_cast() {
    let text = "
type person
object ann: person
object ben: person
object cat: person
sensor fact here(?p: person)
sensor number x(?p: person)
blackboard fact shot(?p: person)
action Shoot 1
primitive shoot(?p: person) = Shoot
  pre here(?p)
  eff shot(?p)
goal hunt: forall ?p: person. (here(?p) imply shot(?p))
  priority 5
agent guard: person
  wants hunt
  sense here 3 unknown when x(?p) > 0
scenario s
  initial here(ann)
  initial here(ben)
  initial here(cat)
  cast ann as guard
  believes here(cat)
  event 2 x(ben) := 5
";
    check_text(
        text,
        expect![[r#"
            0 plans: shoot(cat)
            0 shoot(cat) Complete acted at 1 ended at 1: shot(cat) = true
            2 event 0: x(ben) = 5
            2 goes on
            3 perceives: here(ben) = true
            3 plans after an event: shoot(ben)
            3 shoot(ben) Complete acted at 4 ended at 4: shot(ben) = true
            5 goes on
            7 Complete"#]],
    );
}

/// Ann believes that Ben is in the hall, where she is; he is in the vault.
fn catch(sense: &str) -> String {
    format!(
        "
type person
type room
object ann: person
object ben: person
object hall: room
object vault: room
sensor value place_of(?p: person): room
sensor fact awake(?p: person)
sensor fact caught(?p: person)
action Walk 2
primitive walk(?r: room) = Walk
  pre place_of(?me) != ?r
  eff place_of(?me) := ?r
primitive catch(?p: person)
  pre awake(?p)
  pre place_of(?p) = place_of(?me)
  eff caught(?p)
goal got: caught(ben)
  priority 1
agent hunter: person
  wants got
  sense place_of 9 when {sense}
  sense awake 9 when false
scenario s
  initial place_of(ann) = hall
  initial place_of(ben) = vault
  initial awake(ben)
  cast ann as hunter
  believes place_of(ben) = hall
"
    )
}

#[test]
fn failing_makes_a_wrong_value_unknown_and_does_not_reveal_the_right_one() {
    check_text(
        &catch("place_of(?p) = place_of(?me)"),
        expect![[r#"
            0 plans: catch(ben)
            0 catch(ben) Failed ended at 0: precondition is false in the world: place_of(ben) = place_of(?me) (place_of(ben) is vault, place_of(ann) is hall); learns place_of(ben) = none
            1 plans, as catch(ben) failed: NoPlan
            2 tries again: NoPlan
            9 Failed"#]],
    );
}

#[test]
fn failing_reveals_the_right_value_where_it_can_be_seen() {
    // She looks only every 9 ticks, and at tick 2 she sees the one who is not there.
    let text = catch("true").replace("action Walk 2", "action Walk 2\nprimitive wait = Walk");
    let text = text.replace("= vault\n", "= hall\n").replace(
        "  believes place_of(ben) = hall\n",
        "  does wait\n  does catch(ben)\n  event 1 place_of(ben) := vault\n",
    );
    let text = text.replace("wants got", "failure 1");
    check_text(
        &text,
        expect![[r#"
        0 plans: wait, catch(ben)
        0 wait Complete acted at 2 ended at 2
        1 event 0: place_of(ben) = vault
        2 catch(ben) Failed ended at 2: precondition is false in the world: place_of(ben) = place_of(?me) (place_of(ben) is vault, place_of(ann) is hall); learns place_of(ben) = vault
        3 plans, as catch(ben) failed: NoPlan
        11 Failed"#]],
    );
}

#[test]
fn corrects_predicates_that_are_false_in_the_world() {
    let text = catch("false")
        .replace("  initial awake(ben)\n", "")
        .replace("  believes", "  believes awake(ben)\n  believes");
    check_text(
        &text,
        expect![[r#"
        0 plans: catch(ben)
        0 catch(ben) Failed ended at 0: precondition is false in the world: awake(ben); learns awake(ben) = false
        1 plans, as catch(ben) failed: NoPlan
        2 tries again: NoPlan
        9 Failed"#]],
    );
}
