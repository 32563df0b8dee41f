//! Checks of scenarios: objects, initial values, cast, tasks, events, failures, expectations.
//!
//! ```text
//! at(box), not at(box)      contradict each other
//! ammo = 3, ammo = 3        duplicate
//! no tasks, no goal         nothing to plan
//! no_plan with plan [...]   can't both be met
//! ```

use rustc_hash::{FxHashMap, FxHashSet};

use crate::actor::Actor;
use crate::ground::Value;
use crate::lang::typed::{Callee, Initial};
use crate::lang::{PlainReads, Scope, read_task_call};
use crate::scene::{InitialValue, Scene};
use crate::text::TypedText;
use taskloom_document::diagnostic::Severity;
use taskloom_document::{
    Agent, Edit, Expectation, Field, Name, Object, RecordRef, Scenario, Source,
};

use super::crowds;
use super::findings::Findings;
use super::texts::{self, Empty};
use super::types;
use super::unknown::{self, UnknownName};

pub(super) fn check(findings: &mut Findings, scene: &Scene) {
    let scenario = &*scene.written;
    let domain = findings.domain;
    for (name, object) in &scenario.objects {
        check_object(findings, name, object);
    }
    check_cast(findings, scene);
    crowds::check(findings, scene);
    check_initial(findings, scene);
    if scenario.tasks.is_empty() {
        without_a_task(findings, scene);
    }
    texts::list(findings, Field::Task, scene.tasks(domain.texts()));
    texts::optional(findings, Field::Goal, scene.goal(domain.texts()));
    check_events(findings, scene);
    let scope = &scene.scope(findings.document);
    check_failures(findings, scenario, scope);
    check_expectations(findings, scene, scope);
}

fn check_object(findings: &mut Findings, name: &Name, object: &Object) {
    let document = findings.document;
    let field = Field::Object(name.clone());
    types::unknown(findings, field.clone(), &object.of);
    if let Some(domain) = document.objects.get(name)
        && domain.of != object.of
    {
        let message = format!(
            "'{name}' is also an object of the domain, of type '{}' there and '{}' here.",
            domain.of, object.of
        );
        findings.warning("hidden-object", field, message);
    }
}

fn check_cast(findings: &mut Findings, scene: &Scene) {
    let (document, domain) = (findings.document, findings.domain);
    let scenario = &*scene.written;
    let mut in_play = FxHashSet::default();
    for (at, (member, actor)) in scenario.cast.iter().zip(&scene.cast).enumerate() {
        if actor.agent.is_none() {
            let sought = UnknownName {
                code: "unknown-agent",
                what: "agent",
                field: Field::Cast(at),
                name: &member.agent,
            };
            unknown::report(findings, sought, document.agents.keys());
        }
        check_object_in_play(findings, scene, at, actor);
        if let Some(object) = &member.object
            && !in_play.insert(object)
        {
            let message = format!("'{object}' is already an actor.");
            findings.error("duplicate-character", Field::CastObject(at), message);
        }
        if !member.tasks.is_empty() {
            let task = |n| Field::CastTask(at, n);
            texts::list(findings, task, actor.calls(domain.texts()));
        }
        let belief = |n| Field::Belief(at, n);
        let beliefs = actor.initial_beliefs(domain.texts());
        texts::list(findings, belief, beliefs);
        if let Some((_, agent)) = &actor.agent {
            check_beliefs(findings, belief, (&member.agent, agent), beliefs);
        }
    }
    let nameless = scenario
        .cast
        .iter()
        .filter(|member| member.object.is_none());
    if nameless.count() > 0 && scene.cast.len() > 1 {
        let message = "With several actors, each needs an object. Choose one for those without.";
        findings.error("character-without-object", Field::Whole, message.into());
    }
}

/// Warns of beliefs that don't count, because their actors know what is true.
pub(super) fn check_beliefs(
    findings: &mut Findings,
    field: impl Fn(usize) -> Field,
    (name, agent): (&Name, &Agent),
    beliefs: &[TypedText<Initial>],
) {
    for (number, belief) in beliefs.iter().enumerate() {
        let Some(fact) = belief.value.as_ref().map(|belief| &belief.atom.fact) else {
            continue;
        };
        let source = findings.document.facts.get(fact).map(|fact| fact.source);
        let message = match source {
            Some(Source::Sensor) if agent.senses.iter().all(|sense| sense.fact != *fact) => {
                format!(
                    "'{name}' has no sense for '{fact}', so it believes what is true, whatever is written here. Add a \
                 sense, or remove the belief."
                )
            }
            Some(Source::Blackboard) => format!(
                "Everybody knows what is on a blackboard, such as '{fact}', so this belief has no effect. Remove it."
            ),
            _ => continue,
        };
        findings.warning("belief-without-sense", field(number), message);
    }
}

/// Checks that a character's object exists and has its agent's type.
fn check_object_in_play(findings: &mut Findings, scene: &Scene, at: usize, actor: &Actor) {
    let document = findings.document;
    let Some(object) = scene
        .record
        .cast
        .get(at)
        .and_then(|member| member.object.as_ref())
    else {
        return;
    };
    let wanted = actor.agent.as_ref().map(|(_, agent)| &agent.of);
    match actor.type_of_me().filter(|_| actor.me().is_some()) {
        None => {
            let fitting = scene
                .objects()
                .iter()
                .filter(|(_, of)| wanted.is_none_or(|wanted| document.is_kind_of(of, wanted)));
            let sought = UnknownName {
                code: "unknown-object",
                what: "object",
                field: Field::CastObject(at),
                name: object,
            };
            unknown::report(findings, sought, fitting.map(|(name, _)| name));
        }
        Some(of) => {
            if let Some(wanted) = wanted.filter(|wanted| !document.is_kind_of(of, wanted)) {
                let message = format!(
                    "'{object}' is of type '{of}', but its agent requires type '{wanted}'."
                );
                findings.error("wrong-type", Field::CastObject(at), message);
            }
        }
    }
}

fn check_events(findings: &mut Findings, scene: &Scene) {
    let typed = scene.events(findings.domain.texts());
    for (at, (event, typed)) in scene.record.events.iter().zip(typed).enumerate() {
        texts::optional(findings, Field::EventWhen(at), typed.when.as_ref());
        // An event without an effect was just added, and does nothing.
        texts::check(findings, Field::Event(at), &typed.effect, Empty::Fine);
        if event.every == Some(0) {
            let message = "The event can't repeat every 0 ticks. Use at least 1.";
            findings.error("never-again", Field::Event(at), message.into());
        }
    }
}

fn check_failures(findings: &mut Findings, scenario: &Scenario, scope: &Scope) {
    for (at, failure) in scenario.failures.iter().enumerate() {
        let field = Field::Failure(at);
        if !is_task(findings, &failure.task) {
            let call = (field.clone(), &*failure.task, Empty::Fine);
            texts::read(findings, call, scope, read_task_call);
        }
        if failure.time == Some(0) {
            let message = "Occurrences are counted from 1.";
            findings.error("no-such-time", field.clone(), message.into());
        }
        if failure
            .chance
            .is_some_and(|chance| !(0.0..=1.0).contains(&chance))
        {
            let message = "The chance must be between 0 and 1.";
            findings.error("no-chance", field, message.into());
        }
    }
}

fn check_initial(findings: &mut Findings, scene: &Scene) {
    let (scenario, domain) = (&scene.record, findings.domain);
    let mut reads = PlainReads::default();
    let mut seen: FxHashMap<Vec<u32>, (usize, Value)> = FxHashMap::default();
    // The fields of crowds that have a finding already.
    let mut reported: FxHashSet<Field> = FxHashSet::default();
    for at in 0..scenario.initial.len() {
        if domain.stop().after(1) {
            break;
        }
        let (atom, value) = match scene.initial(domain.texts(), at, &mut reads) {
            Some(InitialValue::Plain(atom)) => (atom.to_vec(), Value::Bool(true)),
            Some(InitialValue::Typed(text)) => {
                // Those of crowds have been checked once for all actors.
                if let field @ Field::Initial(_) = scene.initial_field(at) {
                    texts::check(findings, field, text, Empty::Superfluous);
                }
                let initial = text.value.as_ref();
                let numbers =
                    |initial: &Initial| Some(scene.plain().numbers(&initial.atom)?.into_vec());
                match initial.and_then(|initial| Some((numbers(initial)?, initial.value.clone()))) {
                    Some(initial) => initial,
                    None => continue,
                }
            }
            None => continue,
        };
        let Some((first, before)) = seen.get(&atom) else {
            seen.insert(atom, (at, value));
            continue;
        };
        let (field, other) = (scene.initial_field(at), scene.initial_field(*first));
        let is_of_crowd = matches!(field, Field::CrowdInitial(..));
        if is_of_crowd && (field == other || !reported.insert(field.clone())) {
            continue;
        }
        let earlier = scenario.initial.get(*first).map_or("", |text| text.trim());
        let (severity, code, message) = match *before == value {
            true => (
                Severity::Warning,
                "duplicate-initial",
                format!("Duplicate of '{earlier}'."),
            ),
            false => (
                Severity::Error,
                "contradiction",
                format!("Conflicts with '{earlier}'. A fact has only one value."),
            ),
        };
        let edit = Edit::RemoveText(findings.record.clone(), field.clone());
        let finding = findings.report(severity, code, field, message);
        // Removing a crowd's would change the other actors, too.
        if !is_of_crowd {
            finding.fix("Remove this one", edit);
        }
    }
}

fn without_a_task(findings: &mut Findings, scene: &Scene) {
    let record: RecordRef = findings.record.clone();
    // Nothing is known about a character whose agent doesn't exist.
    let mut known = scene
        .cast
        .iter()
        .filter(|actor| actor.agent.is_some())
        .peekable();
    let has_own = |actor: &Actor| !actor.tasks().is_empty() || actor.has_goals();
    if known.peek().is_some() && known.all(|actor| has_own(actor)) {
        return;
    }
    let agents = scene.cast.iter().filter_map(|actor| actor.agent.as_ref());
    let tasks = agents.flat_map(|(_, agent)| agent.planning.tasks());
    let task = tasks.map(|task| task.trim()).find(|task| !task.is_empty());
    if !scene.record.goal.trim().is_empty() {
        return;
    }
    let idle = scene.cast.iter().find(|actor| !has_own(actor));
    let message = match idle.and_then(|actor| Some((actor.name()?, &actor.agent.as_ref()?.0))) {
        Some((name, agent)) if name == agent => {
            format!("The agent '{agent}' has neither a task nor a goal, so it has nothing to plan.")
        }
        Some((name, agent)) => format!(
            "'{name}' (agent '{agent}') has neither a task nor a goal, so it has nothing to plan."
        ),
        None => {
            "The scenario has neither a task nor a goal, so there is nothing to plan.".to_owned()
        }
    };
    let finding = findings.warning("nothing-to-plan", Field::Whole, message);
    if let Some(task) = task {
        let edit = Edit::SetText(record, Field::Task(0), task.to_owned());
        finding.fix(format!("Add the task '{task}'"), edit);
    }
}

fn check_expectations(findings: &mut Findings, scene: &Scene, scope: &Scope) {
    let scenario = &*scene.record;
    for (at, expectation) in scenario.expect.iter().enumerate() {
        let field = Field::Expectation(at);
        match expectation {
            Expectation::Plan(steps) => {
                for (step, text) in steps.iter().enumerate() {
                    check_step(findings, Field::ExpectedStep(at, step), text, scope);
                }
            }
            Expectation::Contains(text) if !is_task(findings, text) => {
                let call = (field, &**text, Empty::Fine);
                texts::read(findings, call, scope, read_task_call);
            }
            Expectation::Finally(_) => {
                if let Some(formula) = scene.finally(findings.domain.texts(), at) {
                    texts::check(findings, field, formula, Empty::Fine);
                }
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
        let message = "No plan is expected here, but another expectation needs one.";
        findings.error("contradiction", Field::Expectation(at), message.into());
    }
}

/// Returns `true` if a text is just the name of a task, without arguments.
fn is_task(findings: &Findings, text: &str) -> bool {
    let document = findings.document;
    Name::new(text.trim()).is_ok_and(|name| {
        document.primitive_tasks.contains_key(&name) || document.compound_tasks.contains_key(&name)
    })
}

/// Checks a step of an expected plan, which must be a primitive task.
fn check_step(findings: &mut Findings, field: Field, text: &str, scope: &Scope) {
    let call = (field.clone(), text, Empty::Superfluous);
    if let Some(call) = texts::read(findings, call, scope, read_task_call)
        && call.callee == Callee::CompoundTask
    {
        let message = format!(
            "'{}' is a compound task, but plan steps are primitive tasks.",
            call.name
        );
        findings.error("compound-step", field, message);
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::check::fixture::{self, check};

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
        fixture::check_scenario(WORLD, scenario, expect);
    }

    #[test]
    fn warns_of_beliefs_that_have_no_effect() {
        check(
            r#"{
                "types": { "person": { "parent": "object" } },
                "objects": { "ann": { "type": "person" }, "ben": { "type": "person" } },
                "facts": { "seen": { "source": "sensor" }, "heard": { "source": "sensor" },
                           "known": { "source": "memory" }, "open": { "source": "blackboard" } },
                "primitive_tasks": { "wait": {} },
                "agents": {
                    "guard": { "type": "person", "planning": { "decomposition": { "tasks": ["wait"] } },
                               "senses": [{ "fact": "heard", "every": 1, "when": "known" }] },
                    "thinker": { "type": "person", "planning": { "goals": { "goals": ["g", "h", "g"] } } }
                },
                "goals": { "g": { "condition": "known", "priority": 1 }, "h": { "condition": "open", "priority": 1 } },
                "scenarios": { "s": {
                    "cast": [{ "object": "ann", "agent": "guard", "beliefs": ["seen", "heard", "known", "open"] },
                             { "object": "ben", "agent": "thinker" }],
                    "crowds": [{ "name": "crowd", "count": 2, "agent": "guard", "beliefs": ["heard", "not seen"] }]
                } }
            }"#,
            expect![[r#"
                warning[duplicate-goal] agent:thinker agent_goal 2: The goal 'g' is listed twice.
                warning[belief-without-sense] scenario:s belief [0,0]: 'guard' has no sense for 'seen', so it believes what is true, whatever is written here. Add a sense, or remove the belief.
                warning[belief-without-sense] scenario:s belief [0,3]: Everybody knows what is on a blackboard, such as 'open', so this belief has no effect. Remove it.
                warning[belief-without-sense] scenario:s crowd_belief [0,1]: 'guard' has no sense for 'seen', so it believes what is true, whatever is written here. Add a sense, or remove the belief.
            "#]],
        );
    }

    #[test]
    fn reports_scenarios_without_a_task() {
        check_scenario(
            r#"{ "cast": [{ "agent": "robot" }, { "agent": "robto" }] }"#,
            expect![[r#"
                error[character-without-object] scenario:s whole: With several actors, each needs an object. Choose one for those without.
                error[unknown-agent] scenario:s cast 1: There is no agent 'robto'; did you mean 'robot'?
                    Change to 'robot'
            "#]],
        );
    }

    #[test]
    fn accepts_scenarios_with_only_a_goal() {
        check_scenario(
            r#"{ "cast": [{ "agent": "robot" }], "goal": "lit" }"#,
            expect![[r#""#]],
        );
        check_scenario(r#"{ "tasks": ["go"], "goal": "lit" }"#, expect![[r#""#]]);
    }

    #[test]
    fn checks_objects_and_initial_values() {
        check_scenario(
            r#"{
                "tasks": ["walk(attic)"],
                "objects": { "attic": { "type": "plaec" }, "box": { "type": "object" }, "shed": { "type": "place" } },
                "initial": ["at(shed)", "ammo = 3", "not at(Shed)", "ammo = 3", "ammo = -1", "lit = 2", "at(cellar)", ""]
            }"#,
            expect![[r#"
                error[contradiction] scenario:s initial 2: Conflicts with 'at(shed)'. A fact has only one value.
                    Remove this one
                warning[duplicate-initial] scenario:s initial 3: Duplicate of 'ammo = 3'.
                    Remove this one
                error[out-of-range] scenario:s initial 4 7..9: 'ammo' can't be less than 0.
                error[wrong-value] scenario:s initial 5 0..7: 'lit' is true or false: write 'lit' or 'not lit' as an initial value.
                    Change to 'lit'
                error[unknown-name] scenario:s initial 6 3..9: There is no object 'cellar'.
                error[empty] scenario:s initial 7: This entry is empty.
                    Remove the entry
                error[unknown-type] scenario:s object attic: There is no type 'plaec'; did you mean 'place'?
                    Change to 'place'
                    Add a type 'plaec'
                warning[hidden-object] scenario:s object box: 'box' is also an object of the domain, of type 'place' there and 'object' here.
            "#]],
        );
    }

    #[test]
    fn checks_tasks_events_and_expectations() {
        check_scenario(
            r#"{
                "tasks": ["wlak(box)", "go(box)"], "goal": "lit and",
                "events": [{ "at": 2, "effect": "not ammo" }],
                "expect": ["no_plan", "recovers", "plan_exists", { "plan": ["walk(box)", "go"] }, { "contains": "walk" },
                           { "contains": "fly" }, { "finally": "" }, { "cost_at_most": 3.0 }]
            }"#,
            expect![[r#"
                error[unknown-name] scenario:s task 0 0..4: There is no task 'wlak'; did you mean 'walk'?
                    Change to 'walk'
                error[wrong-arity] scenario:s task 1 0..7: 'go' takes no arguments, but 1 is given.
                error[syntax] scenario:s goal 7..7: Expected a formula after 'and', found the end.
                error[wrong-value] scenario:s event 0 4..8: 'ammo' is a number: 'not' works only with facts that are true or false.
                error[contradiction] scenario:s expectation 0: No plan is expected here, but another expectation needs one.
                error[unknown-name] scenario:s expectation 5 0..3: There is no task 'fly'.
                error[compound-step] scenario:s expected_step [3,1]: 'go' is a compound task, but plan steps are primitive tasks.
            "#]],
        );
    }
}
