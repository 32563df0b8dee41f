//! Checks of names that stand for two things at once.
//!
//! ```text
//! object ball, fact ball        'ball' in a formula is the fact
//! ```

use taskloom_document::{Field, Kind};

use super::findings::Findings;

pub(super) fn check_object(findings: &mut Findings) {
    let (document, name) = (findings.document, &findings.record.name);
    let twin = if document.facts.contains_key(name) {
        Kind::Fact
    } else if document.conditions.contains_key(name) {
        Kind::Condition
    } else {
        return;
    };
    let message = format!(
        "A {} is also named '{name}', and formulas refer to that one. Rename one of them.",
        twin.label()
    );
    findings.warning("ambiguous-name", Field::Whole, message);
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::check::fixture::check;

    #[test]
    fn reports_ambiguous_names() {
        check(
            r#"{
                "objects": { "lit": { "type": "object" }, "safe": { "type": "object" } },
                "facts": { "lit": {} },
                "conditions": { "Safe": { "formula": "lit" } }
            }"#,
            expect![[r#"
                warning[ambiguous-name] object:lit whole: A fact is also named 'lit', and formulas refer to that one. Rename one of them.
                warning[ambiguous-name] object:safe whole: A condition is also named 'safe', and formulas refer to that one. Rename one of them.
            "#]],
        );
    }
}
