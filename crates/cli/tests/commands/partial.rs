//! Plans that get closer to a goal without reaching it.

use expect_test::expect;

use super::fixture::{check, folder};

/// A goal that steps of two and of four don't reach, with an agent that searches forward.
const ODD: &str = r#"{
  "taskloom": 3,
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
      "expect": ["plan_exists", { "contains": "two" }, { "cost_at_most": 3 }, "no_plan", { "plan": ["two"] }]
    }
  }
}"#;

#[test]
fn a_partial_plan_decides_nothing() {
    let folder = folder("partial", &[("odd.json", ODD)]);
    check(&folder, "test odd.json", expect![[r#""#]]);
    check(&folder, "plan odd.json", expect![[r#""#]]);
    check(&folder, "run odd.json", expect![[r#""#]]);
}
