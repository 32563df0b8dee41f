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

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::check::fixture::check;

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
