//! Sums of decimals in a run: ten times 0.1 is exactly 1 (semantics, section 1).

use expect_test::{Expect, expect};

use super::check_text;

fn check(agent: &str, expected: Expect) {
    check_text(
        &format!(
            "
type person
object ann: person
sensor number level
memory fact full
action Pour 1
primitive pour = Pour
  pre level < 0.3
  eff level += 0.1
primitive close
  pre level = 0.3
  eff full
compound fill
  block a begin
  block b branch level = 0.3
  block c task close
  block d task pour
  block e task fill
  wire a.out -> b
  wire b.true -> c
  wire b.false -> d
  wire d.out -> e
agent waiter: person
{agent}scenario s
  cast ann as waiter
  does fill
  event 2 level -= 0.2
"
        ),
        expected,
    );
}

#[test]
fn actors_add_decimals_exactly() {
    check(
        "",
        expect![[r#"
        0 plans: pour, pour, pour, close
        0 pour Complete acted at 1 ended at 1: level = 0.1
        1 pour Complete acted at 2 ended at 2: level = 0
        2 event 0: level = -0.1
        2 pour Complete acted at 3 ended at 3: level = 0.1
        3 close Failed ended at 3: precondition is false: level = 0.3 (level is 0.1)
        4 plans, as close failed: pour, pour, close
        4 pour Complete acted at 5 ended at 5: level = 0.2
        5 pour Complete acted at 6 ended at 6: level = 0.3
        6 close Complete acted at 6 ended at 6: full = true
        6 Complete"#]],
    );
    check(
        "  reactive\n",
        expect![[r#"
        0 plans: pour
        0 pour Complete acted at 1 ended at 1: level = 0.1
        1 goes on: pour
        1 pour Complete acted at 2 ended at 2: level = 0
        2 event 0: level = -0.1
        2 goes on: pour
        2 pour Complete acted at 3 ended at 3: level = 0.1
        3 goes on: pour
        3 pour Complete acted at 4 ended at 4: level = 0.2
        4 goes on: pour
        4 pour Complete acted at 5 ended at 5: level = 0.3
        5 goes on: close
        5 close Complete acted at 5 ended at 5: full = true
        5 Complete"#]],
    );
}
