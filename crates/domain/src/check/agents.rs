//! Checks of agents: what they plan for, may use and sense.
//!
//! ```text
//! senses: ammo              'ammo' is memory, which can't be sensed
//! two goals of priority 1   the agent can't tell which comes first
//! ```

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::calls::{called, called_task, tasks_below};
use crate::records;
use taskloom_document::{
    Agent, Edit, Fact, Field, Kind, Name, Planning, Record, RecordRef, Sense, Source,
};

use super::findings::Findings;
use super::texts;
use super::types;
use super::unknown::{self, UnknownName};

pub(super) fn check(findings: &mut Findings, typed: &records::Agent) {
    let agent = &*typed.record;
    if let Planning::Goals { goals, .. } = &agent.planning {
        check_goals(findings, goals);
        check_serving_tasks(findings, agent, goals);
    }
    texts::list(findings, Field::Task, &typed.tasks);
    check_type_and_triggers(findings, agent);
    check_margin(findings, agent);
    check_repertoire(findings, agent);
    check_background(findings, agent);
    check_senses(findings, typed);
}

/// Checks that the agent's type exists and that its triggers don't fire after 0 ticks.
fn check_type_and_triggers(findings: &mut Findings, agent: &Agent) {
    types::unknown(findings, Field::Type, &agent.of);
    if agent.triggers.failure == Some(0) || agent.triggers.every == Some(0) {
        let mut mended = agent.clone();
        for ticks in [&mut mended.triggers.failure, &mut mended.triggers.every] {
            *ticks = ticks.map(|ticks| ticks.max(1));
        }
        let message = "A trigger after 0 ticks would replan endlessly within one tick.";
        let edit = Edit::Replace(
            findings.record.name.clone(),
            Record::Agent(Arc::new(mended)),
        );
        findings
            .error("endless-trigger", Field::Whole, message.into())
            .fix("Wait 1 tick", edit);
    }
}

fn check_margin(findings: &mut Findings, agent: &Agent) {
    if agent.triggers.goal.is_none_or(|margin| margin >= 0.0) {
        return;
    }
    let mut mended = agent.clone();
    mended.triggers.goal = Some(0.0);
    let edit = Edit::Replace(
        findings.record.name.clone(),
        Record::Agent(Arc::new(mended)),
    );
    let message = "A margin below 0 lets the agent switch to a goal with a lower value.";
    findings
        .warning("negative-margin", Field::Whole, message.into())
        .fix("Set the margin to 0", edit);
}

fn check_goals(findings: &mut Findings, goals: &[Name]) {
    let (document, name) = (findings.document, &findings.record.name);
    if goals.is_empty() {
        let message = format!("'{name}' has no goals, so there is nothing to plan.");
        findings.warning("nothing-to-plan", Field::Whole, message);
    }
    // Goals of equal priority are tried as listed.
    let mut listed: FxHashSet<&Name> = FxHashSet::default();
    for (at, goal) in goals.iter().enumerate() {
        let field = Field::AgentGoal(at);
        if !document.goals.contains_key(goal) {
            let sought = UnknownName {
                code: "unknown-goal",
                what: "goal",
                field,
                name: goal,
            };
            unknown::report(findings, sought, document.goals.keys());
        } else if !listed.insert(goal) {
            let message = format!("The goal '{goal}' is listed twice.");
            findings.warning("duplicate-goal", field, message);
        }
    }
}

/// Warns of tasks that serve a goal of the agent but aren't in its repertoire.
fn check_serving_tasks(findings: &mut Findings, agent: &Agent, goals: &[Name]) {
    let document = findings.document;
    for (at, goal) in goals.iter().enumerate() {
        let record = document.goals.get(goal);
        let calls = record.into_iter().flat_map(|record| &record.tasks);
        for task in calls.filter_map(|call| called(call)) {
            let kinds = [Kind::PrimitiveTask, Kind::CompoundTask];
            let mut records = kinds
                .map(|kind| RecordRef::new(kind, task.clone()))
                .into_iter();
            let found = records.find(|record| document.contains(record));
            if found.is_some_and(|record| !document.may_use(agent, &record)) {
                let message = format!(
                    "'{task}', which serves the goal '{goal}', is not in the repertoire of '{}'.",
                    findings.record.name
                );
                findings.warning("task-not-in-repertoire", Field::AgentGoal(at), message);
            }
        }
    }
}

fn check_repertoire(findings: &mut Findings, agent: &Agent) {
    let document = findings.document;
    for (at, task) in agent.uses.iter().enumerate() {
        if document.primitive_tasks.contains_key(task) || document.compound_tasks.contains_key(task)
        {
            continue;
        }
        let sought = UnknownName {
            code: "unknown-task",
            what: "task",
            field: Field::Uses(at),
            name: task,
        };
        let (primitive, compound) = (&document.primitive_tasks, &document.compound_tasks);
        let names = primitive.keys().chain(compound.keys());
        unknown::report(findings, sought, names);
    }
}

/// Checks that a reactive agent's tasks don't lead to a task in the background: it has one step at a time.
fn check_background(findings: &mut Findings, agent: &Agent) {
    let Planning::Reactive { tasks } = &agent.planning else {
        return;
    };
    let document = findings.document;
    let called = tasks.iter().filter_map(|task| called(task));
    let mut below = tasks_below(document, called, findings.domain.stop());
    let found = below.find_map(|name| {
        let mut blocks = document.compound_tasks.get(&name)?.method.blocks.values();
        let task = called_task(blocks.find(|block| block.is_background())?)?;
        Some((name, task))
    });
    if let Some((name, task)) = found {
        let message = format!(
            "'{}' is reactive and does one step at a time, so it does '{task}' of '{name}' \
             in turn with the other tasks. Let it plan ahead.",
            findings.record.name
        );
        findings.warning("reactive-background", Field::Whole, message);
    }
}

fn check_senses(findings: &mut Findings, typed: &records::Agent) {
    let agent = &*typed.record;
    // A fix replaces the whole agent, so one copy with every interval repaired serves all senses.
    let mut mended = Agent::clone(agent);
    for sense in &mut mended.senses {
        sense.every = sense.every.max(1);
    }
    let mended = Record::Agent(Arc::new(mended));
    for (at, (sense, when)) in agent.senses.iter().zip(&typed.senses).enumerate() {
        check_sense(findings, &mended, at, sense);
        texts::optional(findings, Field::Sense(at), when.as_ref());
        if agent.senses[..at].contains(sense) {
            let message = format!("'{}' already has an identical sense.", sense.fact);
            findings.warning("duplicate-sense", Field::Sense(at), message);
        }
    }
}

fn check_sense(findings: &mut Findings, mended: &Record, at: usize, sense: &Sense) {
    let (document, name) = (findings.document, &findings.record.name);
    let field = Field::Sense(at);
    match document.facts.get(&sense.fact) {
        None => {
            let sought = UnknownName {
                code: "unknown-name",
                what: "fact",
                field: field.clone(),
                name: &sense.fact,
            };
            unknown::report(findings, sought, document.facts.keys());
        }
        Some(fact) if fact.source != Source::Sensor => {
            let what = match fact.source {
                Source::Blackboard => "on the blackboard, which everyone can read",
                Source::Memory | Source::Sensor => "memory, which only effects write",
            };
            let message = format!(
                "'{}' is {what}. Make it a sensor, or remove the sense.",
                sense.fact
            );
            let sensor = Fact {
                source: Source::Sensor,
                ..(**fact).clone()
            };
            let edit = Edit::Replace(sense.fact.clone(), Record::Fact(Arc::new(sensor)));
            findings
                .error("senses-memory", field.clone(), message)
                .fix(format!("Make '{}' a sensor", sense.fact), edit);
        }
        Some(_) => {}
    }
    if sense.every == 0 {
        let message = format!("'{}' is sensed every 0 ticks, so never.", sense.fact);
        let edit = Edit::Replace(name.clone(), mended.clone());
        findings
            .error("never-sensed", field, message)
            .fix("Sense every tick", edit);
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::check::fixture::check;

    #[test]
    fn checks_tasks_and_goals() {
        check(
            r#"{
                "facts": { "dark": {} },
                "primitive_tasks": { "rest": {} },
                "goals": {
                    "hide": { "condition": "dark", "priority": 1 },
                    "wait": { "condition": "dark", "priority": 1 }
                },
                "agents": {
                    "idle": {},
                    "worker": { "planning": { "decomposition": { "tasks": ["rset", ""] } }, "uses": ["rest", "dig"] },
                    "thinker": { "planning": { "goals": { "goals": ["hide", "hied", "wait"] } } }
                }
            }"#,
            expect![[r#"
                error[unknown-goal] agent:thinker agent_goal 1: There is no goal 'hied'; did you mean 'hide'?
                    Change to 'hide'
                error[unknown-name] agent:worker task 0 0..4: There is no task 'rset'; did you mean 'rest'?
                    Change to 'rest'
                error[empty] agent:worker task 1: This entry is empty.
                    Remove the entry
                error[unknown-task] agent:worker uses 1: There is no task 'dig'.
            "#]],
        );
    }

    #[test]
    fn checks_the_tasks_that_serve_goals() {
        check(
            r#"{
                "facts": { "warm": {} },
                "primitive_tasks": { "rest": {}, "light": { "params": ["?what: object"] } },
                "compound_tasks": { "camp": { "method": { "blocks": { "a": { "kind": "begin" } } } } },
                "goals": { "warm": { "condition": "warm", "priority": 1, "tasks": ["camp", "ligt(?me)", "light", "rest"] } },
                "agents": { "camper": { "planning": { "goals": { "goals": ["warm"] } }, "uses": ["light"] } }
            }"#,
            expect![[r#"
                warning[empty-method] compound:camp block a: Nothing follows Begin, so 'camp' completes at once without doing anything.
                error[unknown-name] goal:warm task 1 0..4: There is no task 'ligt'; did you mean 'light'?
                    Change to 'light'
                error[wrong-arity] goal:warm task 2 0..5: 'light' takes 1 argument (?what: object), but none is given.
                warning[task-not-in-repertoire] agent:camper agent_goal 0: 'rest', which serves the goal 'warm', is not in the repertoire of 'camper'.
            "#]],
        );
    }

    #[test]
    fn checks_senses_and_triggers() {
        check(
            r#"{
                "facts": { "dark": { "source": "sensor" }, "tired": {} },
                "primitive_tasks": { "rest": {} },
                "agents": {
                    "captain": { "type": "offcer", "planning": { "reactive": { "tasks": ["rest"] } }, "triggers": { "every": 0, "goal": -2.0 } },
                    "guard": { "planning": { "reactive": { "tasks": ["rest"] } },
                        "senses": [{ "fact": "tired", "every": 1 }, { "fact": "drak", "every": 0 },
                                   { "fact": "dark", "every": 1, "when": "not" }, { "fact": "dark", "every": 2 }] },
                    "soldier": { "planning": { "reactive": { "tasks": ["rest"] } } }
                }
            }"#,
            expect![[r#"
                error[endless-trigger] agent:captain whole: A trigger after 0 ticks would replan endlessly within one tick.
                    Wait 1 tick
                warning[negative-margin] agent:captain whole: A margin below 0 lets the agent switch to a goal with a lower value.
                    Set the margin to 0
                error[unknown-type] agent:captain type: There is no type 'offcer'.
                    Add a type 'offcer'
                error[senses-memory] agent:guard sense 0: 'tired' is memory, which only effects write. Make it a sensor, or remove the sense.
                    Make 'tired' a sensor
                error[never-sensed] agent:guard sense 1: 'drak' is sensed every 0 ticks, so never.
                    Sense every tick
                error[unknown-name] agent:guard sense 1: There is no fact 'drak'; did you mean 'dark'?
                    Change to 'dark'
                error[syntax] agent:guard sense 2 3..3: Expected a formula after 'not', found the end.
            "#]],
        );
    }
}
