//! Plans that get closer to a goal without reaching it.

use expect_test::expect;

use super::fixture::{check, folder};

/// A goal that steps of two and of four don't reach, with an agent that searches forward.
const ODD: &str = r#"{
  "taskloom": 4,
  "types": { "person": { "parent": "object" } },
  "objects": { "ann": { "type": "person" } },
  "facts": { "n": { "value": { "number": { "integer": true } }, "source": "memory" } },
  "primitive_tasks": {
    "two": { "effects": [{ "text": "n += 2" }] },
    "back": { "effects": [{ "text": "n -= 4" }] }
  },
  "goals": { "five": { "condition": "n = 5", "priority": 1 } },
  "agents": {
    "adder": {
      "type": "person",
      "planning": {
        "goals": { "goals": ["five"], "search": { "direction": "forward", "heuristic": "hmax", "nodes": 50 } }
      }
    }
  },
  "scenarios": {
    "odd": {
      "cast": [{ "object": "ann", "agent": "adder" }],
      "expect": ["plan_exists", { "contains": "two" }, { "cost_at_most": 3 }, { "plan": ["two"] }]
    }
  }
}"#;

#[test]
fn a_partial_plan_decides_nothing() {
    let folder = folder("partial", &[("odd.json", ODD)]);
    check(
        &folder,
        "test odd.json",
        expect![[r#"
        FAILED odd.json: odd
               not checked: a plan exists: the planner gave up: its plan doesn't reach the goal
               not checked: the plan contains two: the planner gave up: its plan doesn't reach the goal
               not checked: the cost is at most 3: the planner gave up: its plan doesn't reach the goal
               not checked: the plan is two: the planner gave up: its plan doesn't reach the goal
        0 passed, 0 failed, 4 not checked
        exit 3"#]],
    );
    check(
        &folder,
        "plan odd.json",
        expect![[r#"
        1  two
        2  two
        2 steps, cost 2
        ! this is a partial plan; the estimated remaining cost is 1
        exit 3"#]],
    );
    check(
        &folder,
        "run odd.json",
        expect![[r#"
        tick  end  who  what
           0       ann  plans     a partial plan of 2 steps, cost 2: two; two
           0    0  ann  complete  two
           0    0  ann  complete  two
           1       ann  plans     it continues: gave up: decisions limit reached
        failed at tick 1: no plan
        exit 1"#]],
    );
}
