//! Checks of tasks for which actors compete: several may start one, but only the first succeeds.

use std::sync::Arc;

use taskloom_document::{Edit, Field, Kind, Name, PrimitiveTask, Record, RecordRef, Scenario};

use super::findings::Findings;
use crate::lang::typed::{Change, Formula, FormulaKind, Term};
use crate::records::Primitive;
use crate::text::values;

/// Warns if several actors may start the same task, and the first one's effects make the others' precondition false.
pub(super) fn check(findings: &mut Findings, task: &Primitive) {
    let record = &task.record;
    if record.action.trim().is_empty() || !record.claims.is_empty() {
        return;
    }
    let typed = task.preconditions.iter().take(record.preconditions.len());
    let contested = typed.enumerate().find_map(|(at, read)| {
        let object = contested(findings, task, read.value.as_ref()?)?;
        Some((at, read.text.trim().to_owned(), object.clone()))
    });
    let Some((at, rule, object)) = contested else {
        return;
    };
    let mut scenarios = findings.document.scenarios.iter();
    let Some((scenario, _)) = scenarios.find(|(_, one)| has_rivals(findings, one)) else {
        return;
    };
    let message = format!(
        "Actors of '{scenario}' may compete for ?{object}: what one does makes '{rule}' false for the others. Claim \
         ?{object}."
    );
    let claimed = PrimitiveTask {
        claims: vec![format!("?{object}")],
        ..PrimitiveTask::clone(record)
    };
    let edit = Edit::Replace(
        findings.record.name.clone(),
        Record::PrimitiveTask(Arc::new(claimed)),
    );
    let finding = findings.warning("contested", Field::Precondition(at), message);
    finding.fix(format!("Claim ?{object}"), edit);
}

/// Returns the parameter by whose object actors compete: a precondition is about it, and an effect of the task makes
/// the precondition false for everybody.
fn contested<'t>(findings: &Findings, task: &Primitive, rule: &'t Formula) -> Option<&'t Name> {
    let (fact, args) = match &rule.kind {
        FormulaKind::Fact(fact, args) => (fact, args),
        FormulaKind::Not(inner) => match &inner.kind {
            FormulaKind::Fact(fact, args) => (fact, args),
            _ => return None,
        },
        FormulaKind::Same(Term::Fact(fact, args), Term::Object(_)) => (fact, args),
        _ => return None,
    };
    let is_own = args.contains(&Term::Me) || findings.domain.is_memory(fact);
    let object = args.iter().find_map(|arg| match arg {
        Term::Variable(name) => Some(name),
        _ => None,
    })?;
    let mut effects = values(task.effects.iter().map(|(_, effect)| effect));
    let ends = |change: &Change| match (&rule.kind, change) {
        (FormulaKind::Fact(..), Change::Unset(of, at))
        | (FormulaKind::Not(_), Change::Set(of, at)) => of == fact && at == args,
        (FormulaKind::Same(_, before), Change::Object(of, at, after)) => {
            of == fact && at == args && before != after
        }
        _ => false,
    };
    let is_ended = effects.any(|effect| effect.when.is_none() && ends(&effect.change));
    (!is_own && is_ended).then_some(object)
}

/// Returns `true` if several actors of a scenario play the same agent, and its repertoire includes the checked task.
fn has_rivals(findings: &Findings, scenario: &Scenario) -> bool {
    let mut met: Vec<&Name> = vec![];
    let single = scenario.cast.iter().map(|member| (&member.agent, 1));
    let crowds = scenario.crowds.iter();
    let mut all = single.chain(crowds.map(|crowd| (&crowd.agent, crowd.count)));
    let task = RecordRef::new(Kind::PrimitiveTask, findings.record.name.clone());
    all.any(|(name, count)| {
        let is_second = count > 1 || met.contains(&name);
        met.push(name);
        let agent = findings.document.agents.get(name);
        is_second && agent.is_some_and(|agent| findings.document.may_use(agent, &task))
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::check::fixture::check;

    #[test]
    fn advises_a_claim_where_only_one_actor_can_succeed() {
        check(
            r#"{
                "types": { "gem": { "parent": "object" }, "person": { "parent": "object" }, "place": { "parent": "object" } },
                "objects": { "ruby": { "type": "gem" }, "case": { "type": "place" }, "bag": { "type": "place" },
                    "ann": { "type": "person" }, "bob": { "type": "person" }, "cid": { "type": "person" } },
                "facts": {
                    "free": { "params": ["?gem: gem"], "source": "sensor" },
                    "in": { "params": ["?gem: gem"], "value": { "object": "place" }, "source": "sensor" },
                    "known": { "params": ["?gem: gem"], "source": "memory" },
                    "loud": { "source": "sensor" }
                },
                "actions": { "Grab": { "duration": "2" } },
                "primitive_tasks": {
                    "claimed": { "params": ["?gem: gem"], "action": "Grab", "preconditions": ["free(?gem)"],
                        "effects": [{ "text": "not free(?gem)" }], "claims": ["?gem"] },
                    "instant": { "params": ["?gem: gem"], "preconditions": ["free(?gem)"],
                        "effects": [{ "text": "not free(?gem)" }] },
                    "learn": { "params": ["?gem: gem"], "action": "Grab", "preconditions": ["not known(?gem)"],
                        "effects": [{ "text": "known(?gem)" }] },
                    "move": { "params": ["?gem: gem"], "action": "Grab", "preconditions": ["in(?gem) = case"],
                        "effects": [{ "text": "in(?gem) := bag" }] },
                    "shout": { "action": "Grab", "preconditions": ["not loud"], "effects": [{ "text": "loud" }] },
                    "take": { "params": ["?gem: gem"], "action": "Grab", "preconditions": ["not loud", "free(?gem)"],
                        "effects": [{ "text": "not free(?gem)" }] },
                    "use": { "params": ["?gem: gem"], "action": "Grab", "preconditions": ["free(?gem)"] }
                },
                "agents": {
                    "guard": { "type": "person", "planning": { "decomposition": { "tasks": ["shout"] } } },
                    "thief": { "type": "person", "planning": { "decomposition": { "tasks": ["take(ruby)"] } } }
                },
                "scenarios": {
                    "alone": { "cast": [{ "object": "ann", "agent": "thief" }, { "object": "bob", "agent": "guard" }] },
                    "together": { "cast": [{ "object": "ann", "agent": "thief" }, { "object": "bob", "agent": "guard" },
                        { "object": "cid", "agent": "thief" }] }
                }
            }"#,
            expect![[r#"
                warning[contested] primitive:move precondition 0: Actors of 'together' may compete for ?gem: what one does makes 'in(?gem) = case' false for the others. Claim ?gem.
                    Claim ?gem
                warning[contested] primitive:take precondition 1: Actors of 'together' may compete for ?gem: what one does makes 'free(?gem)' false for the others. Claim ?gem.
                    Claim ?gem
            "#]],
        );
    }
}
