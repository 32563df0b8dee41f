//! Types of records and parameters.
//!
//! ```text
//! type tool: itme               unknown type; did you mean 'item'?
//! type a: b, type b: a          a type cannot be a kind of itself
//! walk(?to: place, ?to: place)  two parameters of one name
//! ```

use std::sync::Arc;

use crate::document::{Edit, Field, Name, Object, Param, Record, Type};

use super::findings::Findings;
use super::unknown::{self, Sought};

pub(super) fn check_type(findings: &mut Findings, of: &Type) {
    let name = &findings.record.name;
    let parent = |parent: Name| {
        let mut changed = of.clone();
        changed.parent = parent;
        Some(Edit::Replace(name.clone(), Record::Type(Arc::new(changed))))
    };
    if unknown(findings, Field::Type, &of.parent, parent) {
        return;
    }
    let types = &findings.document.types;
    let mut ancestor = &of.parent;
    for _ in 0..types.len() {
        if ancestor == name {
            let message = match of.parent == *name {
                true => format!("'{name}' is a kind of itself."),
                false => format!(
                    "'{name}' is a kind of '{}', which is a kind of '{name}' in turn.",
                    of.parent
                ),
            };
            let finding = findings.error("type-cycle", Field::Type, message);
            if let Some(edit) = Name::new("object").ok().and_then(parent) {
                finding.fix("Make it a kind of 'object'", edit);
            }
            return;
        }
        match types.get(ancestor) {
            Some(next) => ancestor = &next.parent,
            None => return,
        }
    }
}

pub(super) fn check_object(findings: &mut Findings, object: &Object) {
    let name = &findings.record.name;
    unknown(findings, Field::Type, &object.of, |of| {
        let mut changed = object.clone();
        changed.of = of;
        Some(Edit::Replace(
            name.clone(),
            Record::Object(Arc::new(changed)),
        ))
    });
}

pub(super) fn check_params(findings: &mut Findings, params: &[Param]) {
    for (at, param) in params.iter().enumerate() {
        let (document, record) = (findings.document, findings.record);
        unknown(findings, Field::Param(at), &param.of, |of| {
            let changed = with_param_type(document.get(record)?, at, of)?;
            Some(Edit::Replace(record.name.clone(), changed))
        });
        if params[..at].iter().any(|p| p.name == param.name) {
            let message = format!(
                "There are two parameters '?{}'. Give one of them another name.",
                param.name
            );
            findings.error("duplicate-parameter", Field::Param(at), message);
        }
    }
}

/// Reports a type that does not exist, and says whether it did; `mended` gives
/// the change to another one.
pub(super) fn unknown(
    findings: &mut Findings,
    field: Field,
    of: &Name,
    mended: impl Fn(Name) -> Option<Edit>,
) -> bool {
    let types = &findings.document.types;
    if *of == "object" || types.contains_key(of) {
        return false;
    }
    let root = Name::new("object").ok();
    let sought = Sought {
        code: "unknown-type",
        what: "type",
        field,
        name: of,
    };
    let finding = unknown::report(findings, sought, types.keys().chain(&root), mended);
    if let Some(parent) = root {
        let new = Record::Type(Arc::new(Type {
            parent,
            title: String::new(),
            note: String::new(),
        }));
        finding.fix(format!("Add a type '{of}'"), Edit::Add(of.clone(), new));
    }
    true
}

/// The record with another type for its n-th parameter.
fn with_param_type(mut record: Record, at: usize, of: Name) -> Option<Record> {
    let params = match &mut record {
        Record::Fact(r) => &mut Arc::make_mut(r).params,
        Record::Condition(r) => &mut Arc::make_mut(r).params,
        Record::Action(r) => &mut Arc::make_mut(r).params,
        Record::PrimitiveTask(r) => &mut Arc::make_mut(r).params,
        Record::CompoundTask(r) => &mut Arc::make_mut(r).params,
        _ => return None,
    };
    params.get_mut(at)?.of = of;
    Some(record)
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
