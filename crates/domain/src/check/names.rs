//! Names that stand for two things at once.
//!
//! ```text
//! fact open, condition open     a formula cannot tell which 'open' it names
//! object ball, fact ball        'ball' in a formula is the fact
//! fact when                     a word of the expression language
//! ```

use taskloom_document::{Field, Kind, RecordRef};

use super::findings::Findings;

pub(super) fn check(findings: &mut Findings) {
    let RecordRef { kind, name } = findings.record;
    let document = findings.document;
    let twin = match kind {
        Kind::Condition if document.facts.contains_key(name) => Some(Kind::Fact),
        Kind::CompoundTask if document.primitive_tasks.contains_key(name) => {
            Some(Kind::PrimitiveTask)
        }
        _ => None,
    };
    if let Some(twin) = twin {
        let message = format!(
            "There is a {} '{name}' too, and a text could not tell them apart. Rename one of them.",
            twin.label()
        );
        findings.error("duplicate-name", Field::Whole, message);
    }
    if name.is_reserved() {
        let message = format!(
            "'{name}' is a word of the expression language. Rename this {}.",
            kind.label()
        );
        findings.error("reserved-name", Field::Whole, message);
    }
    if *kind == Kind::Type && *name == "object" {
        let message = "'object' is the type that all others are kinds of. Rename this type.";
        findings.error("reserved-name", Field::Whole, message.into());
    }
    if *kind == Kind::Object {
        let also = [Kind::Fact, Kind::Condition]
            .into_iter()
            .find(|kind| match kind {
                Kind::Fact => document.facts.contains_key(name),
                _ => document.conditions.contains_key(name),
            });
        if let Some(also) = also {
            let message = format!(
                "There is a {} '{name}' too, and a formula means that one. Rename one of them.",
                also.label()
            );
            findings.warning("ambiguous-name", Field::Whole, message);
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::check::fixture::check;

    #[test]
    fn a_name_for_two_things() {
        check(
            r#"{
                "objects": { "lit": { "type": "object" } },
                "facts": { "lit": {}, "open": {}, "when": {} },
                "conditions": { "Open": { "formula": "lit" } },
                "primitive_tasks": { "rest": {} },
                "compound_tasks": { "Rest": { "method": {
                    "blocks": { "b": { "kind": "begin" }, "e": { "kind": "end" } },
                    "wires": ["b.out -> e"] } } }
            }"#,
            expect![[r#"
                warning[ambiguous-name] object:lit whole: There is a fact 'lit' too, and a formula means that one. Rename one of them.
                error[reserved-name] fact:when whole: 'when' is a word of the expression language. Rename this fact.
                error[duplicate-name] condition:Open whole: There is a fact 'Open' too, and a text could not tell them apart. Rename one of them.
                error[duplicate-name] compound:Rest whole: There is a primitive task 'Rest' too, and a text could not tell them apart. Rename one of them.
            "#]],
        );
    }
}
