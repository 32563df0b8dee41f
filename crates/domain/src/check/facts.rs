//! Checks of the values of facts.
//!
//! ```text
//! number from 5 to 1     no number is in the range
//! integer from 0.5       no integer starts there
//! ```

use std::sync::Arc;

use super::findings::Findings;
use super::types;
use taskloom_document::{Edit, Fact, Field, Record, ValueKind};

pub(super) fn check(findings: &mut Findings, fact: &Fact) {
    check_absence(findings, fact);
    let name = &findings.record.name;
    let with = |value| {
        let mut changed = fact.clone();
        changed.value = value;
        Edit::Replace(name.clone(), Record::Fact(Arc::new(changed)))
    };
    match &fact.value {
        ValueKind::Boolean => {}
        ValueKind::Object(of) => {
            types::unknown(findings, Field::Type, of);
        }
        &ValueKind::Number { integer, min, max } => {
            if let (Some(min), Some(max)) = (min, max)
                && min > max
            {
                let message = format!("The minimum {min} is above the maximum {max}. Swap them.");
                let swapped = ValueKind::Number {
                    integer,
                    min: Some(max),
                    max: Some(min),
                };
                findings.error("empty-range", Field::Type, message).fix(
                    format!("Set minimum {max} and maximum {min}"),
                    with(swapped),
                );
            }
            for bound in [min, max].into_iter().flatten() {
                if integer && bound.fract() != 0.0 {
                    let message =
                        format!("The values are whole numbers, but the bound {bound} isn't.");
                    findings.warning("fractional-bound", Field::Type, message);
                }
            }
        }
    }
}

/// Checks that a fact that makes objects absent is true or false for one object each.
fn check_absence(findings: &mut Findings, fact: &Fact) {
    if !fact.absence || fact.absent_type().is_some() {
        return;
    }
    let message = match (&fact.value, fact.params.len()) {
        (ValueKind::Boolean, 0) => {
            "Only a fact with a parameter can make objects absent. Give it one.".to_owned()
        }
        (ValueKind::Boolean, count) => {
            format!("Only a fact with one parameter can make objects absent. This one has {count}.")
        }
        _ => "Only a fact that is true or false can make objects absent.".to_owned(),
    };
    let present = Fact {
        absence: false,
        ..fact.clone()
    };
    let name = findings.record.name.clone();
    findings
        .error("not-an-absence", Field::Type, message.to_owned())
        .fix(
            "Make no object absent",
            Edit::Replace(name, Record::Fact(Arc::new(present))),
        );
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::check::fixture::check;

    #[test]
    fn checks_that_absence_is_about_one_object() {
        check(
            r#"{ "facts": {
                "dead": { "params": ["?who: object"], "absence": true },
                "gone": { "absence": true },
                "left": { "params": ["?who: object", "?from: object"], "absence": true },
                "lost": { "params": ["?who: object"], "value": { "number": {} }, "absence": true }
            } }"#,
            expect![[r#"
                error[not-an-absence] fact:gone type: Only a fact with a parameter can make objects absent. Give it one.
                    Make no object absent
                error[not-an-absence] fact:left type: Only a fact with one parameter can make objects absent. This one has 2.
                    Make no object absent
                error[not-an-absence] fact:lost type: Only a fact that is true or false can make objects absent.
                    Make no object absent
            "#]],
        );
    }

    #[test]
    fn checks_ranges() {
        check(
            r#"{ "facts": {
                "ammo": { "value": { "number": { "integer": true, "min": 6, "max": 0 } } },
                "half": { "value": { "number": { "integer": true, "min": 0, "max": 2.5 } } },
                "well": { "value": { "number": { "min": -0.5, "max": 2.5 } } }
            } }"#,
            expect![[r#"
                error[empty-range] fact:ammo type: The minimum 6 is above the maximum 0. Swap them.
                    Set minimum 0 and maximum 6
                warning[fractional-bound] fact:half type: The values are whole numbers, but the bound 2.5 isn't.
            "#]],
        );
    }
}
