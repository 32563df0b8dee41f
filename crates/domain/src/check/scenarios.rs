//! Scenarios: objects, initial values, agents, tasks, events, expectations.
//!
//! ```text
//! at(box), not at(box)      contradict each other
//! ammo = 3, ammo = 3        said twice
//! no tasks, no goal         nothing to plan
//! a goal, no tasks          not planned for yet
//! no_plan with plan [...]   cannot both be met
//! ```

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ground::Value;
use crate::lang::typed::Callee;
use crate::lang::{PlainInitial, Scope, read_effect, read_formula, read_initial, read_task_call};
use crate::plan::Unplanned;
use taskloom_document::diagnostic::Severity;
use taskloom_document::{Edit, Expectation, Field, Name, Object, Planning, RecordRef, Scenario};

use super::findings::Findings;
use super::texts::{self, Empty};
use super::types;
use super::unknown::{self, Sought};

pub(super) fn check(findings: &mut Findings, scenario: &Scenario) {
    for (name, object) in &scenario.objects {
        check_object(findings, name, object);
    }
    check_agents(findings, scenario);
    let scope = &Scope::of_scenario(findings.document, scenario).with(findings.near);
    check_initial(findings, scenario, scope);
    if scenario.tasks.is_empty() {
        without_a_task(findings, scenario);
    }
    for (at, task) in scenario.tasks.iter().enumerate() {
        let call = (Field::Task(at), &**task, Empty::Superfluous);
        texts::read(findings, call, scope, read_task_call);
    }
    let goal = (Field::Goal, &*scenario.goal, Empty::Fine);
    texts::read(findings, goal, scope, read_formula);
    for (at, event) in scenario.events.iter().enumerate() {
        let effect = (Field::Event(at), &*event.effect, Empty::Superfluous);
        texts::read(findings, effect, scope, read_effect);
    }
    check_expectations(findings, scenario, scope);
}

fn check_object(findings: &mut Findings, name: &Name, object: &Object) {
    let document = findings.document;
    let field = Field::Object(name.clone());
    types::unknown(findings, field.clone(), &object.of);
    if let Some(domain) = document.objects.get(name)
        && domain.of != object.of
    {
        let message = format!(
            "'{name}' is an object of the domain too, of type '{}' there and '{}' in this scenario.",
            domain.of, object.of
        );
        findings.warning("hidden-object", field, message);
    }
}

fn check_agents(findings: &mut Findings, scenario: &Scenario) {
    let document = findings.document;
    let mut in_play = FxHashSet::default();
    for (at, agent) in scenario.agents.iter().enumerate() {
        let field = Field::Agent(at);
        if !document.agents.contains_key(agent) {
            let sought = Sought {
                code: "unknown-agent",
                what: "agent",
                field,
                name: agent,
            };
            unknown::report(findings, sought, document.agents.keys());
        } else if !in_play.insert(agent) {
            let message = format!("'{agent}' is in play already.");
            findings.warning("duplicate-agent", field, message);
        }
    }
}

fn check_initial(findings: &mut Findings, scenario: &Scenario, scope: &Scope) {
    let mut plain = PlainInitial::new(findings.document, scenario);
    let mut said: FxHashMap<Vec<u32>, (usize, Value)> = FxHashMap::default();
    for (at, text) in scenario.initial.iter().enumerate() {
        if findings.domain.stop().after(1) {
            break;
        }
        let (atom, value) = match plain.read(text) {
            Some(atom) => (atom.to_vec(), Value::Bool(true)),
            None => {
                let initial = (Field::Initial(at), &**text, Empty::Superfluous);
                let initial = texts::read(findings, initial, scope, read_initial);
                let Some(initial) = initial else {
                    continue;
                };
                match plain.numbers(&initial.atom) {
                    Some(atom) => (atom, initial.value),
                    None => continue,
                }
            }
        };
        let Some((first, before)) = said.get(&atom) else {
            said.insert(atom, (at, value));
            continue;
        };
        let earlier = scenario.initial.get(*first).map_or("", |text| text.trim());
        let (severity, code, message) = match *before == value {
            true => (
                Severity::Warning,
                "duplicate-initial",
                format!("'{earlier}' says so already."),
            ),
            false => (
                Severity::Error,
                "contradiction",
                format!("'{earlier}' says otherwise, and a fact has one value."),
            ),
        };
        let edit = Edit::RemoveText(findings.record.clone(), Field::Initial(at));
        findings
            .report(severity, code, Field::Initial(at), message)
            .fix("Remove this one", edit);
    }
}

fn without_a_task(findings: &mut Findings, scenario: &Scenario) {
    let record: RecordRef = findings.record.clone();
    let agents = &findings.document.agents;
    let plannings = scenario.agents.iter().filter_map(|name| agents.get(name));
    let tasks = plannings.flat_map(|agent| match &agent.planning {
        Planning::Decomposition { tasks, .. } | Planning::Reactive { tasks } => tasks.as_slice(),
        Planning::Goals { .. } => &[],
    });
    let task = tasks.map(|task| task.trim()).find(|task| !task.is_empty());
    let finding = if scenario.goal.trim().is_empty() {
        let message = "The scenario has neither a task nor a goal, so there is nothing to plan.";
        findings.warning("nothing-to-plan", Field::Whole, message.into())
    } else {
        let message = Unplanned::GoalAlone.to_string();
        findings.warning("goal-alone", Field::Goal, message)
    };
    if let Some(task) = task {
        let edit = Edit::SetText(record, Field::Task(0), task.to_owned());
        finding.fix(format!("Add the task '{task}'"), edit);
    }
}

fn check_expectations(findings: &mut Findings, scenario: &Scenario, scope: &Scope) {
    for (at, expectation) in scenario.expect.iter().enumerate() {
        let field = Field::Expectation(at);
        match expectation {
            Expectation::Plan(steps) => {
                for (step, text) in steps.iter().enumerate() {
                    check_step(findings, Field::ExpectedStep(at, step), text, scope);
                }
            }
            Expectation::Contains(text) if !is_task(findings, text) => {
                let missing = Empty::Missing("The expectation names no task yet.");
                texts::read(findings, (field, &**text, missing), scope, read_task_call);
            }
            Expectation::Finally(text) => {
                let missing = Empty::Missing("The expectation has no formula yet.");
                texts::read(findings, (field, &**text, missing), scope, read_formula);
            }
            Expectation::Contains(_)
            | Expectation::PlanExists
            | Expectation::NoPlan
            | Expectation::CostAtMost(_)
            | Expectation::Recovers => {}
        }
    }
    let wants_plan = |e: &&Expectation| !matches!(e, Expectation::NoPlan | Expectation::Recovers);
    let none = (0..)
        .zip(&scenario.expect)
        .find(|(_, e)| **e == Expectation::NoPlan);
    if let (Some((at, _)), Some(_)) = (none, scenario.expect.iter().find(wants_plan)) {
        let message = "No plan is expected here, and another expectation needs one.";
        findings.error("contradiction", Field::Expectation(at), message.into());
    }
}

/// Whether a text is just the name of a task, whatever its arguments.
fn is_task(findings: &Findings, text: &str) -> bool {
    let document = findings.document;
    Name::new(text.trim()).is_ok_and(|name| {
        document.primitive_tasks.contains_key(&name) || document.compound_tasks.contains_key(&name)
    })
}

/// A step of a plan is a primitive task.
fn check_step(findings: &mut Findings, field: Field, text: &str, scope: &Scope) {
    let call = (field.clone(), text, Empty::Superfluous);
    if let Some(call) = texts::read(findings, call, scope, read_task_call)
        && call.callee == Callee::CompoundTask
    {
        let message = format!(
            "'{}' is a compound task, and the steps of a plan are primitive tasks.",
            call.name
        );
        findings.error("compound-step", field, message);
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::check::fixture::check;

    const WORLD: &str = r#"
        "types": { "place": { "parent": "object" } },
        "objects": { "box": { "type": "place" } },
        "facts": { "at": { "params": ["?p: place"] }, "lit": {},
                   "ammo": { "value": { "number": { "integer": true, "min": 0 } } } },
        "primitive_tasks": { "walk": { "params": ["?to: place"] } },
        "compound_tasks": { "go": { "method": {
            "blocks": { "b": { "kind": "begin" }, "e": { "kind": "end" } }, "wires": ["b.out -> e"] } } },
        "agents": { "robot": { "planning": { "decomposition": { "tasks": ["go"] } } } }
    "#;

    #[track_caller]
    fn check_scenario(scenario: &str, expect: expect_test::Expect) {
        check(
            &format!(r#"{{ {WORLD}, "scenarios": {{ "s": {scenario} }} }}"#),
            expect,
        );
    }

    #[test]
    fn a_scenario_without_a_task() {
        check_scenario(
            r#"{ "agents": ["robot", "robto", "robot"] }"#,
            expect![[r#"
                warning[nothing-to-plan] scenario:s whole: The scenario has neither a task nor a goal, so there is nothing to plan.
                    Add the task 'go'
                error[unknown-agent] scenario:s agent 1: No agent is called 'robto'; did you mean 'robot'?
                    Change to 'robot'
                warning[duplicate-agent] scenario:s agent 2: 'robot' is in play already.
            "#]],
        );
    }

    #[test]
    fn a_goal_without_a_task() {
        check_scenario(
            r#"{ "agents": ["robot"], "goal": "lit" }"#,
            expect![[r#"
                warning[goal-alone] scenario:s goal: The scenario has a goal and no task. Taskloom plans by decomposing tasks; it does not search for a plan for a goal alone yet. Add a task to do.
                    Add the task 'go'
            "#]],
        );
        check_scenario(r#"{ "tasks": ["go"], "goal": "lit" }"#, expect![[r#""#]]);
    }

    #[test]
    fn objects_and_initial_values() {
        check_scenario(
            r#"{
                "tasks": ["walk(attic)"],
                "objects": { "attic": { "type": "plaec" }, "box": { "type": "object" }, "shed": { "type": "place" } },
                "initial": ["at(shed)", "ammo = 3", "not at(Shed)", "ammo = 3", "ammo = -1", "lit = 2", "at(cellar)", ""]
            }"#,
            expect![[r#"
                error[contradiction] scenario:s initial 2: 'at(shed)' says otherwise, and a fact has one value.
                    Remove this one
                warning[duplicate-initial] scenario:s initial 3: 'ammo = 3' says so already.
                    Remove this one
                error[out-of-range] scenario:s initial 4 7..9: 'ammo' is never less than 0.
                error[wrong-value] scenario:s initial 5 0..7: 'lit' is true or false: write 'lit' or 'not lit' as an initial value.
                    Change to 'lit'
                error[unknown-name] scenario:s initial 6 3..9: No object is called 'cellar'.
                error[empty] scenario:s initial 7: This entry is empty.
                    Remove the entry
                error[unknown-type] scenario:s object attic: No type is called 'plaec'; did you mean 'place'?
                    Change to 'place'
                    Add a type 'plaec'
                warning[hidden-object] scenario:s object box: 'box' is an object of the domain too, of type 'place' there and 'object' in this scenario.
            "#]],
        );
    }

    #[test]
    fn tasks_events_and_expectations() {
        check_scenario(
            r#"{
                "tasks": ["wlak(box)", "go(box)"], "goal": "lit and",
                "events": [{ "at": 2, "effect": "not ammo" }],
                "expect": ["no_plan", "recovers", "plan_exists", { "plan": ["walk(box)", "go"] }, { "contains": "walk" },
                           { "contains": "fly" }, { "finally": "" }, { "cost_at_most": 3.0 }]
            }"#,
            expect![[r#"
                error[unknown-name] scenario:s task 0 0..4: No task is called 'wlak'; did you mean 'walk'?
                    Change to 'walk'
                error[wrong-arity] scenario:s task 1 0..7: 'go' takes no arguments, and 1 is given.
                error[syntax] scenario:s goal 7..7: Expected a formula after 'and', found the end.
                error[wrong-value] scenario:s event 0 4..8: 'ammo' is a number, and only what is true or false can be unset.
                error[contradiction] scenario:s expectation 0: No plan is expected here, and another expectation needs one.
                error[unknown-name] scenario:s expectation 5 0..3: No task is called 'fly'.
                error[empty] scenario:s expectation 6: The expectation has no formula yet.
                error[compound-step] scenario:s expected_step [3,1]: 'go' is a compound task, and the steps of a plan are primitive tasks.
            "#]],
        );
    }
}
