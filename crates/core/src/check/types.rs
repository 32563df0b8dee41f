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
use super::spelling::{closest, did_you_mean};

pub(super) fn check_type(findings: &mut Findings, of: &Type) {
    let parent = |parent: Name| {
        let mut changed = of.clone();
        changed.parent = parent;
        Record::Type(Arc::new(changed))
    };
    if unknown(findings, Field::Type, &of.parent, parent) {
        return;
    }
    let types = &findings.document.types;
    let name = &findings.record.name;
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
            let root = Name::new("object").ok();
            let finding = findings.error("type-cycle", Field::Type, message);
            if let Some(root) = root {
                let label = "Make it a kind of 'object'";
                let record = parent(root);
                let edit = Edit::Replace(finding.place.record.name.clone(), record);
                finding.fix(label, edit);
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
    unknown(findings, Field::Type, &object.of, |of| {
        let mut changed = object.clone();
        changed.of = of;
        Record::Object(Arc::new(changed))
    });
}

pub(super) fn check_params(findings: &mut Findings, params: &[Param]) {
    for (at, param) in params.iter().enumerate() {
        let record = findings.document.get(findings.record);
        unknown_in(findings, Field::Param(at), &param.of, |of| {
            with_param_type(record?, at, of)
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

/// Reports a type that does not exist; `mended` gives the record with another one.
pub(super) fn unknown(
    findings: &mut Findings,
    field: Field,
    of: &Name,
    mended: impl FnOnce(Name) -> Record,
) -> bool {
    unknown_in(findings, field, of, |of| Some(mended(of)))
}

fn unknown_in(
    findings: &mut Findings,
    field: Field,
    of: &Name,
    mended: impl FnOnce(Name) -> Option<Record>,
) -> bool {
    let types = &findings.document.types;
    if *of == "object" || types.contains_key(of) {
        return false;
    }
    let root = Name::new("object").ok();
    let meant = closest(of.as_str(), types.keys().chain(&root)).cloned();
    let message = format!("There is no type '{of}'.{}", did_you_mean(meant.as_ref()));
    let finding = findings.error("unknown-type", field, message);
    let name = finding.place.record.name.clone();
    if let Some(meant) = meant
        && let Some(record) = mended(meant.clone())
    {
        finding.fix(format!("Change to '{meant}'"), Edit::Replace(name, record));
    }
    let new = Record::Type(Arc::new(Type {
        parent: match root {
            Some(root) => root,
            None => return true,
        },
        title: String::new(),
        note: String::new(),
    }));
    finding.fix(format!("Add a type '{of}'"), Edit::Add(of.clone(), new));
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
                error[unknown-type] type:tool type: There is no type 'itme'. Did you mean 'item'?
                    Change to 'item'
                    Add a type 'itme'
                error[unknown-type] object:ball type: There is no type 'sphere'.
                    Add a type 'sphere'
                error[unknown-type] object:key type: There is no type 'tol'. Did you mean 'tool'?
                    Change to 'tool'
                    Add a type 'tol'
                error[unknown-type] fact:has param 0: There is no type 'iten'. Did you mean 'item'?
                    Change to 'item'
                    Add a type 'iten'
                error[unknown-type] fact:held type: There is no type 'items'. Did you mean 'item'?
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
