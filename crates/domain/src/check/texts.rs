//! Texts of the expression language: syntax, names, types and arity.
//!
//! ```text
//! at(bxo)        no object is called so; did you mean 'box'?
//! has(key, ball) one argument too many
//! box_open and   a formula is missing
//! (nothing)      a precondition that says nothing
//! ```

use crate::lang::{Mistake, Role, Scope, mistakes, read_condition};
use taskloom_document::{CompoundTask, Condition, Edit, Field, Goal, PrimitiveTask, RecordRef};

use super::findings::Findings;

/// What an empty text means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Empty {
    /// The text may be left out.
    Fine,
    /// An entry of a list that says nothing; taking it out mends it.
    Superfluous,
    /// Something is missing, in a sentence.
    Missing(&'static str),
}

/// Reports what is wrong with one text.
pub(super) fn check(
    findings: &mut Findings,
    field: Field,
    text: (&str, Role, Empty),
    scope: &Scope,
) {
    check_in(findings, field, text, scope, None);
}

/// As [`check`], in a scope of what the text names; where something is wrong with
/// it, the wider scope, if there is one, says what could be meant instead.
pub(super) fn check_among<'a>(
    findings: &mut Findings,
    field: Field,
    text: (&str, Role, Empty),
    named: &Scope,
    wider: &dyn Fn() -> Option<Scope<'a>>,
) {
    check_in(findings, field, text, named, Some(wider));
}

fn check_in<'a>(
    findings: &mut Findings,
    field: Field,
    (text, role, empty): (&str, Role, Empty),
    scope: &Scope,
    wider: Option<&dyn Fn() -> Option<Scope<'a>>>,
) {
    if text.trim().is_empty() {
        match empty {
            Empty::Fine => {}
            Empty::Superfluous => {
                let edit = Edit::RemoveText(findings.record.clone(), field.clone());
                let message = "This entry is empty.".to_owned();
                findings
                    .error("empty", field, message)
                    .fix("Remove the entry", edit);
            }
            Empty::Missing(message) => {
                findings.error("empty", field, message.to_owned());
            }
        }
        return;
    }
    if findings.shared.stop.after(text.len()) {
        return;
    }
    let mut found = mistakes(text, role, scope);
    if let Some(wider) = wider
        && !found.is_empty()
        && let Some(scope) = wider()
    {
        found = mistakes(text, role, &scope);
    }
    for mistake in found {
        report(findings, &field, text, mistake);
    }
}

fn report(findings: &mut Findings, field: &Field, text: &str, mistake: Mistake) {
    let record: RecordRef = findings.record.clone();
    let finding = findings.report(
        mistake.severity,
        mistake.code,
        field.clone(),
        sentence(&mistake.message),
    );
    finding.at(mistake.span);
    for suggestion in mistake.suggestions {
        if text.get(mistake.span.range()).is_some() {
            let (record, field) = (record.clone(), field.clone());
            let edit = Edit::ReplaceText(record, field, mistake.span, suggestion.text);
            finding.fix(suggestion.label, edit);
        }
    }
}

/// A message with a capital letter and a full stop.
fn sentence(message: &str) -> String {
    let mut sentence = message.to_owned();
    if let Some(first) = sentence.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    if !sentence.ends_with(['.', '?', '!']) {
        sentence.push('.');
    }
    sentence
}

pub(super) fn check_condition(findings: &mut Findings, condition: &Condition) {
    let text = &condition.formula;
    if text.trim().is_empty() {
        let message = "The condition has no formula yet.".to_owned();
        findings.error("empty", Field::Formula, message);
        return;
    }
    let (document, name) = (findings.document, &findings.record.name);
    let cycle = findings.shared.condition_cycle(document, name);
    let scope = findings.scope(condition.params.clone());
    for mistake in read_condition(&scope, name, cycle).mistakes {
        report(findings, &Field::Formula, text, mistake);
    }
}

pub(super) fn check_goal(findings: &mut Findings, goal: &Goal) {
    let scope = findings.scope(vec![]);
    let missing = Empty::Missing("The goal has no condition yet, so nothing can satisfy it.");
    let formula = (&*goal.condition, Role::Formula, missing);
    check(findings, Field::Formula, formula, &scope);
    let relevance = (&*goal.relevance, Role::Number, Empty::Fine);
    check(findings, Field::Relevance, relevance, &scope);
}

pub(super) fn check_primitive(findings: &mut Findings, task: &PrimitiveTask) {
    let scope = findings.scope(task.params.clone());
    let action = (&*task.action, Role::ActionCall, Empty::Fine);
    check(findings, Field::Action, action, &scope);
    list(findings, Field::Precondition, &task.preconditions, &scope);
    list(findings, Field::Integrity, &task.integrity, &scope);
    list(findings, Field::Completion, &task.completion, &scope);
    for (at, effect) in task.effects.iter().enumerate() {
        let effect = (&*effect.text, Role::Effect, Empty::Superfluous);
        check(findings, Field::Effect(at), effect, &scope);
    }
    let cost = (&*task.cost, Role::Number, Empty::Fine);
    check(findings, Field::Cost, cost, &scope);
}

/// The texts of a compound task outside of its flowchart.
pub(super) fn check_compound(findings: &mut Findings, task: &CompoundTask) {
    let scope = findings.scope(task.params.clone());
    list(findings, Field::Precondition, &task.preconditions, &scope);
    list(findings, Field::Integrity, &task.integrity, &scope);
}

fn list(findings: &mut Findings, field: fn(usize) -> Field, formulas: &[String], scope: &Scope) {
    for (at, formula) in formulas.iter().enumerate() {
        let formula = (&**formula, Role::Formula, Empty::Superfluous);
        check(findings, field(at), formula, scope);
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::check::fixture::check;

    #[test]
    fn names_types_and_arity() {
        check(
            r#"{
                "types": { "place": { "parent": "object" }, "item": { "parent": "object" } },
                "objects": { "box": { "type": "place" }, "key": { "type": "item" } },
                "facts": { "at": { "params": ["?p: place"] }, "has": { "params": ["?i: item"] },
                           "ammo": { "value": { "number": {} } } },
                "actions": { "Walk": { "params": ["?to: place"] } },
                "primitive_tasks": { "walk": {
                    "params": ["?to: place"], "action": "Wakl(?to)",
                    "preconditions": ["at(bxo) and has(?too)", "has(box)", "at(box, box)", "ammo", " "],
                    "integrity": ["not"],
                    "completion": ["at(?to"],
                    "effects": [{ "text": "ammo := key" }, { "text": "" }],
                    "cost": "has(key) + 1"
                } }
            }"#,
            expect![[r#"
                error[unknown-name] primitive:walk action 0..4: No action is called 'Wakl'; did you mean 'Walk'?
                    Change to 'Walk'
                error[unknown-name] primitive:walk precondition 0 3..6: No object is called 'bxo'; did you mean 'box'?
                    Change to 'box'
                error[unknown-variable] primitive:walk precondition 0 16..20: No variable '?too' is bound here; did you mean '?to'?
                    Change to '?to'
                error[wrong-type] primitive:walk precondition 1 4..7: 'box' is of type 'place', and 'item' is expected.
                    Change to 'key'
                error[wrong-arity] primitive:walk precondition 2 0..12: 'at' takes 1 argument (?p: place), and 2 are given.
                error[not-a-formula] primitive:walk precondition 3 0..4: 'ammo' is a number, and a formula is expected: compare it, as in 'ammo > 0'.
                    Change to 'ammo > 0'
                error[empty] primitive:walk precondition 4: This entry is empty.
                    Remove the entry
                error[syntax] primitive:walk integrity 0 3..3: Expected a formula after 'not', found the end.
                error[syntax] primitive:walk completion 0 2..3: The ')' for this '(' is missing.
                error[unknown-name] primitive:walk effect 0 8..11: 'key' is an object: no number fact is called so.
                error[empty] primitive:walk effect 1: This entry is empty.
                    Remove the entry
                error[not-a-number] primitive:walk cost 0..8: 'has' is true or false, and a number is expected.
            "#]],
        );
    }

    #[test]
    fn conditions_and_goals() {
        check(
            r#"{
                "facts": { "dark": {} },
                "conditions": {
                    "safe": { "formula": "dark and not danger" },
                    "danger": { "formula": "exists ?o: object. safe or dark" },
                    "still": { "formula": "not still" },
                    "fine": { "formula": "safe or drak" },
                    "new": {}
                },
                "goals": { "rest": {}, "hide": { "condition": "dark", "relevance": "dark" } }
            }"#,
            expect![[r#"
                error[recursive-condition] condition:danger formula 19..23: 'danger' calls itself: danger, safe, danger.
                error[unknown-name] condition:fine formula 8..12: No fact or condition is called 'drak'; did you mean 'dark'?
                    Change to 'dark'
                error[empty] condition:new formula: The condition has no formula yet.
                error[recursive-condition] condition:safe formula 13..19: 'safe' calls itself: safe, danger, safe.
                error[recursive-condition] condition:still formula 4..9: 'still' calls itself.
                error[not-a-number] goal:hide relevance 0..4: 'dark' is true or false, and a number is expected.
                error[empty] goal:rest formula: The goal has no condition yet, so nothing can satisfy it.
            "#]],
        );
    }
}
