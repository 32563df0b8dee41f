//! Types of records and parameters.
//!
//! ```text
//! type tool: itme               unknown type; did you mean 'item'?
//! type a: b, type b: a          a type cannot be a kind of itself
//! walk(?to: place, ?to: place)  two parameters of one name
//! ```

use std::sync::Arc;

use rustc_hash::FxHashSet;

use taskloom_document::{Edit, Field, Name, Object, Param, Record, Type};

use super::findings::Findings;
use super::unknown::{self, Sought};

pub(super) fn check_type(findings: &mut Findings, of: &Type) {
    let (document, name) = (findings.document, &findings.record.name);
    if unknown(findings, Field::Type, &of.parent)
        || !findings.shared.is_own_ancestor(document, name)
    {
        return;
    }
    let message = if of.parent == *name {
        format!("'{name}' is a kind of itself.")
    } else {
        format!(
            "'{name}' is a kind of '{}', which is a kind of '{name}' in turn.",
            of.parent
        )
    };
    let edit = Edit::SetName(findings.record.clone(), Field::Type, Name::root());
    findings
        .error("type-cycle", Field::Type, message)
        .fix("Make it a kind of 'object'", edit);
}

pub(super) fn check_object(findings: &mut Findings, object: &Object) {
    unknown(findings, Field::Type, &object.of);
}

pub(super) fn check_params(findings: &mut Findings, params: &[Param]) {
    let mut known = FxHashSet::default();
    for (at, param) in params.iter().enumerate() {
        unknown(findings, Field::Param(at), &param.of);
        if !known.insert(&param.name) {
            let message = format!(
                "There are two parameters '?{}'. Give one of them another name.",
                param.name
            );
            findings.error("duplicate-parameter", Field::Param(at), message);
        }
    }
}

/// Reports a type that does not exist, and says whether it did.
pub(super) fn unknown(findings: &mut Findings, field: Field, of: &Name) -> bool {
    let types = &findings.document.types;
    if *of == "object" || types.contains_key(of) {
        return false;
    }
    let root = Name::root();
    let sought = Sought {
        code: "unknown-type",
        what: "type",
        field,
        name: of,
    };
    let new = Record::Type(Arc::new(Type {
        parent: root.clone(),
        title: String::new(),
        note: String::new(),
    }));
    unknown::report(findings, sought, types.keys().chain([&root]))
        .fix(format!("Add a type '{of}'"), Edit::Add(of.clone(), new));
    true
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::check::fixture::check;

    #[test]
    fn unknown_types() {
        check(
            r#"{
                "types": { "item": { "parent": "object" }, "tool": { "parent": "itme" } },
                "objects": { "key": { "type": "tol" }, "ball": { "type": "sphere" } },
                "facts": { "has": { "params": ["?what: iten"] }, "held": { "value": { "object": "items" } } }
            }"#,
            expect![[r#"
                error[unknown-type] type:tool type: No type is called 'itme'; did you mean 'item'?
                    Change to 'item'
                    Add a type 'itme'
                error[unknown-type] object:ball type: No type is called 'sphere'.
                    Add a type 'sphere'
                error[unknown-type] object:key type: No type is called 'tol'; did you mean 'tool'?
                    Change to 'tool'
                    Add a type 'tol'
                error[unknown-type] fact:has param 0: No type is called 'iten'; did you mean 'item'?
                    Change to 'item'
                    Add a type 'iten'
                error[unknown-type] fact:held type: No type is called 'items'; did you mean 'item'?
                    Change to 'item'
                    Add a type 'items'
            "#]],
        );
    }

    #[test]
    fn types_in_a_circle() {
        check(
            r#"{ "types": {
                "a": { "parent": "b" }, "b": { "parent": "a" }, "c": { "parent": "c" },
                "below": { "parent": "a" }
            } }"#,
            expect![[r#"
                error[type-cycle] type:a type: 'a' is a kind of 'b', which is a kind of 'a' in turn.
                    Make it a kind of 'object'
                error[type-cycle] type:b type: 'b' is a kind of 'a', which is a kind of 'b' in turn.
                    Make it a kind of 'object'
                error[type-cycle] type:c type: 'c' is a kind of itself.
                    Make it a kind of 'object'
            "#]],
        );
    }

    #[test]
    fn parameters_of_one_name() {
        check(
            r#"{ "facts": { "near": { "params": ["?a: object", "?b: object", "?A: object"] } } }"#,
            expect![[r#"
                error[duplicate-parameter] fact:near param 2: There are two parameters '?A'. Give one of them another name.
            "#]],
        );
    }
}
