//! Checks of the types of records and parameters.
//!
//! ```text
//! type tool: itme               unknown type; did you mean 'item'?
//! type a: b, type b: a          cyclic type hierarchy
//! walk(?to: place, ?to: place)  two parameters with the same name
//! ```

use std::sync::Arc;

use rustc_hash::FxHashSet;

use taskloom_document::{Edit, Field, Name, Object, Param, Record, Type};

use super::findings::Findings;
use super::unknown::{self, UnknownName};

pub(super) fn check_type(findings: &mut Findings, of: &Type) {
    let (document, name) = (findings.document, &findings.record.name);
    if unknown(findings, Field::Type, &of.parent)
        || !findings.shared.is_own_ancestor(document, name)
    {
        return;
    }
    let message = if of.parent == *name {
        format!("'{name}' can't be its own parent.")
    } else {
        format!(
            "Cyclic type hierarchy: '{name}' descends from '{}', which descends from '{name}'.",
            of.parent
        )
    };
    let edit = Edit::SetName(findings.record.clone(), Field::Type, Name::root());
    findings
        .error("type-cycle", Field::Type, message)
        .fix("Set the parent to 'object'", edit);
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
                "Two parameters are named '?{}'. Rename one of them.",
                param.name
            );
            findings.error("duplicate-parameter", Field::Param(at), message);
        }
    }
}

/// Reports a type that doesn't exist. Returns `true` if it did.
pub(super) fn unknown(findings: &mut Findings, field: Field, of: &Name) -> bool {
    let types = &findings.document.types;
    if *of == "object" || types.contains_key(of) {
        return false;
    }
    let root = Name::root();
    let sought = UnknownName {
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
    fn reports_unknown_types() {
        check(
            r#"{
                "types": { "item": { "parent": "object" }, "tool": { "parent": "itme" } },
                "objects": { "key": { "type": "tol" }, "ball": { "type": "sphere" } },
                "facts": { "has": { "params": ["?what: iten"] }, "held": { "value": { "object": "items" } } }
            }"#,
            expect![[r#"
                error[unknown-type] type:tool type: There is no type 'itme'; did you mean 'item'?
                    Change to 'item'
                    Add a type 'itme'
                error[unknown-type] object:ball type: There is no type 'sphere'.
                    Add a type 'sphere'
                error[unknown-type] object:key type: There is no type 'tol'; did you mean 'tool'?
                    Change to 'tool'
                    Add a type 'tol'
                error[unknown-type] fact:has param 0: There is no type 'iten'; did you mean 'item'?
                    Change to 'item'
                    Add a type 'iten'
                error[unknown-type] fact:held type: There is no type 'items'; did you mean 'item'?
                    Change to 'item'
                    Add a type 'items'
            "#]],
        );
    }

    #[test]
    fn reports_cyclic_types() {
        check(
            r#"{ "types": {
                "a": { "parent": "b" }, "b": { "parent": "a" }, "c": { "parent": "c" },
                "below": { "parent": "a" }
            } }"#,
            expect![[r#"
                error[type-cycle] type:a type: Cyclic type hierarchy: 'a' descends from 'b', which descends from 'a'.
                    Set the parent to 'object'
                error[type-cycle] type:b type: Cyclic type hierarchy: 'b' descends from 'a', which descends from 'b'.
                    Set the parent to 'object'
                error[type-cycle] type:c type: 'c' can't be its own parent.
                    Set the parent to 'object'
            "#]],
        );
    }

    #[test]
    fn reports_duplicate_parameters() {
        check(
            r#"{ "facts": { "near": { "params": ["?a: object", "?b: object", "?A: object"] } } }"#,
            expect![[r#"
                error[duplicate-parameter] fact:near param 2: Two parameters are named '?A'. Rename one of them.
            "#]],
        );
    }
}
