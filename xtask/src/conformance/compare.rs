//! Compares a log with the expected one, line by line, as JSON values.

use serde_json::Value;

/// The result of comparing two logs.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    /// They are the same.
    Identical,
    /// They differ, first here.
    Different(String),
}

/// Numbers may differ by this part of them.
const TOLERANCE: f64 = 1e-9;

/// Compares the output of a runner with the expected lines.
pub fn verdict(expected: &[Value], output: &str) -> Verdict {
    let mut lines = output.lines().filter(|line| !line.trim().is_empty());
    let mut number = 0;
    for expected in expected {
        number += 1;
        let Some(line) = lines.next() else {
            return Verdict::Different(format!("line {number} is missing: {expected}"));
        };
        let Ok(found) = serde_json::from_str::<Value>(line) else {
            return Verdict::Different(format!("line {number} is not JSON: {line}"));
        };
        if !equals(expected, &found) {
            let why = format!("line {number}:\n  expected {expected}\n  found    {found}");
            return Verdict::Different(why);
        }
    }
    match lines.next() {
        Some(line) => Verdict::Different(format!("line {} is not expected: {line}", number + 1)),
        None => Verdict::Identical,
    }
}

/// Returns `true` if two values are equal, apart from sentences for people.
fn equals(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            let is_compared = |name: &&String| *name != "why";
            let names =
                |value: &serde_json::Map<String, Value>| value.keys().filter(is_compared).count();
            let mut own = one.iter().filter(|(name, _)| is_compared(name));
            names(one) == names(other)
                && own.all(|(name, value)| other.get(name).is_some_and(|also| equals(value, also)))
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equals(one, other))
        }
        (Value::Number(one), Value::Number(other)) => match (one.as_f64(), other.as_f64()) {
            (Some(one), Some(other)) => {
                (one - other).abs() <= TOLERANCE * one.abs().max(other.abs())
            }
            _ => one == other,
        },
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn logs_are_compared_as_values_without_sentences() {
        let expected = [
            json!({ "entry": "plan", "cost": 2, "steps": [{ "task": "a" }] }),
            json!({ "entry": "step", "reason": { "kind": "effects", "why": "a number is undefined" } }),
        ];
        let first = r#"{"steps": [{"task":"a"}], "cost": 2.0000000001, "entry": "plan"}"#;
        let second = r#"{"entry":"step","reason":{"kind":"effects"}}"#;
        let both = format!("{first}\n\n{second}\n");
        assert_eq!(verdict(&expected, &both), Verdict::Identical);
        for (output, why) in [
            (first.to_owned(), "line 2 is missing"),
            (format!("{both}{first}"), "line 3 is not expected"),
            (format!("{first}\nplan"), "line 2 is not JSON"),
            (both.replace("2.0000000001", "2.1"), "line 1:"),
            (both.replace("\"a\"", "\"b\""), "line 1:"),
            (both.replace("[{", "[{}, {"), "line 1:"),
            (both.replace("effects", "denied"), "line 2:"),
            (both.replace("\"cost\"", "\"price\""), "line 1:"),
        ] {
            let Verdict::Different(found) = verdict(&expected, &output) else {
                panic!("{output} is different");
            };
            assert!(found.starts_with(why), "{found}");
        }
    }
}
