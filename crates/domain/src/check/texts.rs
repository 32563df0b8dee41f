//! Checks of texts in the expression language: syntax, names, types and arity.
//!
//! ```text
//! at(bxo)        there is no such object; did you mean 'box'?
//! has(key, ball) one argument too many
//! box_open and   a formula is missing
//! (nothing)      an empty precondition
//! ```

use crate::lang::typed::{Formula, Number};
use crate::lang::{Mistake, Scope};
use crate::records::{Compound, Goal, Primitive};
use crate::text::{Read, TypedText};
use taskloom_document::{Edit, Field, Planning};

use super::findings::Findings;

/// The meaning of an empty text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Empty {
    /// The text is optional.
    Fine,
    /// An entry of a list that may be removed.
    Superfluous,
    /// Something is missing; the message says what.
    Missing(&'static str),
}

/// Reports the mistakes in one text.
pub(super) fn check<T>(findings: &mut Findings, field: Field, text: &TypedText<T>, empty: Empty) {
    if !text.text.trim().is_empty() {
        for mistake in &text.mistakes {
            report(findings, &field, &text.text, mistake);
        }
        return;
    }
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
}

/// Reports the mistakes in an optional text.
pub(super) fn optional<T>(findings: &mut Findings, field: Field, text: Option<&TypedText<T>>) {
    if let Some(text) = text {
        check(findings, field, text, Empty::Fine);
    }
}

/// Reads a text that belongs to no task and no condition, and reports its mistakes.
pub(super) fn read<T>(
    findings: &mut Findings,
    (field, text, empty): (Field, &str, Empty),
    scope: &Scope,
    read: Read<T>,
) -> Option<T> {
    let text = findings.domain.read(text, scope, read);
    check(findings, field, &text, empty);
    text.value
}

fn report(findings: &mut Findings, field: &Field, text: &str, mistake: &Mistake) {
    let record = findings.record;
    let finding = findings.report(
        mistake.severity,
        mistake.code,
        field.clone(),
        sentence(&mistake.message),
    );
    finding.at(mistake.span);
    for suggestion in &mistake.suggestions {
        if text.get(mistake.span.range()).is_some() {
            let (record, field) = (record.clone(), field.clone());
            let edit = Edit::ReplaceText(record, field, mistake.span, suggestion.text.clone());
            finding.fix(suggestion.label.clone(), edit);
        }
    }
}

/// Makes a sentence of a message: adds a capital letter and a full stop.
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

pub(super) fn check_condition(findings: &mut Findings, formula: &TypedText<Formula>) {
    let missing = Empty::Missing("The condition has no formula yet.");
    check(findings, Field::Formula, formula, missing);
}

pub(super) fn check_goal(findings: &mut Findings, goal: &Goal) {
    let missing = Empty::Missing("The goal has no condition yet, so nothing can satisfy it.");
    check(findings, Field::Formula, &goal.condition, missing);
    list(findings, Field::Subgoal, &goal.subgoals);
    list(findings, Field::Task, &goal.tasks);
    optional(findings, Field::Bias, goal.bias.as_ref());
    optional(findings, Field::Relevance, goal.relevance.as_ref());
}

pub(super) fn check_duration(findings: &mut Findings, duration: &TypedText<Number>) {
    check(findings, Field::Duration, duration, Empty::Fine);
    let ticks = duration.value.as_ref().and_then(constant);
    if let Some(ticks) = ticks.filter(|ticks| *ticks < 0.0) {
        let message = format!("A duration of {ticks} ticks is negative and counts as 0.");
        findings.warning("negative-duration", Field::Duration, message);
    }
}

pub(super) fn check_primitive(findings: &mut Findings, task: &Primitive) {
    let rules = findings.domain.execution_rules(task);
    optional(findings, Field::Action, rules.action.as_ref());
    list(findings, Field::Precondition, &task.preconditions);
    list(findings, Field::Integrity, &rules.integrity);
    list(findings, Field::Completion, &rules.completion);
    list(findings, Field::Claim, &task.claims);
    for (at, (_, effect)) in task.effects.iter().enumerate() {
        check(findings, Field::Effect(at), effect, Empty::Superfluous);
    }
    optional(findings, Field::Cost, task.cost.as_ref());
    let cost = task.cost.as_ref().and_then(|cost| cost.value.as_ref());
    let is_negative = cost.and_then(constant).is_some_and(|cost| cost < 0.0);
    if is_negative && has_goals(findings) {
        let message = "A cost below 0 counts as 0 in plans for goals.".to_owned();
        findings.warning("negative-cost", Field::Cost, message);
    }
}

/// Returns `true` if an agent plans for goals.
fn has_goals(findings: &Findings) -> bool {
    let mut agents = findings.document.agents.values();
    agents.any(|agent| matches!(agent.planning, Planning::Goals { .. }))
}

/// Returns the value of a number that is the same in every state, or `None` if it depends on the
/// state.
pub(super) fn constant(number: &Number) -> Option<f64> {
    match number {
        Number::Constant(number) => Some(*number),
        Number::Negative(of) => constant(of).map(|of| -of),
        Number::Arithmetic(operator, a, b) => operator.apply(constant(a)?, constant(b)?),
        Number::Fact(..) | Number::Aggregate(..) | Number::Function(..) | Number::Time => None,
    }
}

/// Checks the texts of a compound task outside its flowchart.
pub(super) fn check_compound(findings: &mut Findings, task: &Compound) {
    let integrity = findings.domain.integrity(task);
    list(findings, Field::Precondition, &task.preconditions);
    optional(findings, Field::Goal, task.goal.as_ref());
    list(findings, Field::Integrity, integrity);
}

/// Reports the mistakes in the texts of a list.
pub(super) fn list<'t, T: 't>(
    findings: &mut Findings,
    field: impl Fn(usize) -> Field,
    texts: impl IntoIterator<Item = &'t TypedText<T>>,
) {
    for (at, text) in texts.into_iter().enumerate() {
        check(findings, field(at), text, Empty::Superfluous);
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::check::fixture::check;

    #[test]
    fn reports_negative_durations() {
        check(
            r#"{
                "facts": { "pace": { "value": { "number": {} } } },
                "actions": {
                    "a": { "duration": "0-5" },
                    "b": { "duration": "-(2 * 3)" },
                    "c": { "duration": "5 - 2" },
                    "d": { "duration": "pace - 5" }
                }
            }"#,
            expect![[r#"
                warning[negative-duration] action:a duration: A duration of -5 ticks is negative and counts as 0.
                warning[negative-duration] action:b duration: A duration of -6 ticks is negative and counts as 0.
            "#]],
        );
    }

    #[test]
    fn checks_names_types_and_arity() {
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
                    "claims": ["kye", "ammo", "?me", "box", "?to and", "at(box)"],
                    "effects": [{ "text": "ammo := key" }, { "text": "" }],
                    "cost": "has(key) + 1"
                } }
            }"#,
            expect![[r#"
                error[unknown-name] primitive:walk action 0..4: There is no action 'Wakl'; did you mean 'Walk'?
                    Change to 'Walk'
                error[unknown-name] primitive:walk precondition 0 3..6: There is no object 'bxo'; did you mean 'box'?
                    Change to 'box'
                error[unknown-variable] primitive:walk precondition 0 16..20: Variable '?too' isn't bound here; did you mean '?to'?
                    Change to '?to'
                error[wrong-type] primitive:walk precondition 1 4..7: 'box' is of type 'place', but 'item' is expected.
                    Change to 'key'
                error[wrong-arity] primitive:walk precondition 2 0..12: 'at' takes 1 argument (?p: place), but 2 are given.
                error[not-a-formula] primitive:walk precondition 3 0..4: 'ammo' is a number, but a formula is expected: compare it, as in 'ammo > 0'.
                    Change to 'ammo > 0'
                error[empty] primitive:walk precondition 4: This entry is empty.
                    Remove the entry
                error[syntax] primitive:walk integrity 0 3..3: Expected a formula after 'not', found the end.
                error[syntax] primitive:walk completion 0 2..3: The ')' for this '(' is missing.
                error[unknown-name] primitive:walk claim 0 0..3: There is no object 'kye'; did you mean 'key'?
                    Change to 'key'
                error[not-an-object] primitive:walk claim 1 0..4: 'ammo' is a number, but an object is expected.
                error[unknown-variable] primitive:walk claim 2 0..3: Variable '?me' isn't bound here.
                error[not-an-object] primitive:walk claim 4 0..7: This is true or false, but an object is expected.
                error[syntax] primitive:walk claim 4 7..7: Expected a formula after 'and', found the end.
                error[not-an-object] primitive:walk claim 5 0..7: 'at' is true or false, but an object is expected.
                error[unknown-name] primitive:walk effect 0 8..11: 'key' is an object, not a number fact.
                error[empty] primitive:walk effect 1: This entry is empty.
                    Remove the entry
                error[not-a-number] primitive:walk cost 0..8: 'has' is true or false, but a number is expected.
            "#]],
        );
    }

    #[test]
    fn warns_of_negative_costs_in_goal_planning() {
        check(
            r#"{
                "facts": { "rich": {}, "loot": { "value": { "number": {} } } },
                "primitive_tasks": {
                    "rob": { "effects": [{ "text": "rich" }], "cost": "2 - 5" },
                    "buy": { "effects": [{ "text": "rich" }], "cost": "-1" },
                    "give": { "effects": [{ "text": "rich" }], "cost": "0 - loot" },
                    "work": { "effects": [{ "text": "rich" }], "cost": "1" }
                },
                "goals": { "wealth": { "condition": "rich" } },
                "agents": { "miser": { "planning": { "goals": { "goals": ["wealth"] } } } }
            }"#,
            expect![[r#"
                warning[negative-cost] primitive:buy cost: A cost below 0 counts as 0 in plans for goals.
                warning[negative-cost] primitive:rob cost: A cost below 0 counts as 0 in plans for goals.
            "#]],
        );
    }

    #[test]
    fn checks_conditions_and_goals() {
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
                error[unknown-name] condition:fine formula 8..12: There is no fact or condition 'drak'; did you mean 'dark'?
                    Change to 'dark'
                error[empty] condition:new formula: The condition has no formula yet.
                error[recursive-condition] condition:safe formula 13..19: 'safe' calls itself: safe, danger, safe.
                error[recursive-condition] condition:still formula 4..9: 'still' calls itself.
                error[not-a-number] goal:hide relevance 0..4: 'dark' is true or false, but a number is expected.
                error[empty] goal:rest formula: The goal has no condition yet, so nothing can satisfy it.
            "#]],
        );
    }
}
