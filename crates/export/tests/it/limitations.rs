//! Exported C# lists what it doesn't support of a document, by record.

use std::sync::Arc;

use expect_test::{Expect, expect};
use taskloom_document::{
    Agent, Block, ChoicePolicy, CompoundTask, Document, Fact, Goal, GoalSearch, Kind, Planning,
    Policy, Sense, Source, Triggers,
};
use taskloom_export::{Target, export};
use testkit::domain::document;

/// An agent that decomposes tasks, for each policy named.
fn with_agents(mut document: Document, policies: &[(&str, Policy)]) -> Document {
    for (name, policy) in policies {
        let agent = Agent {
            planning: Planning::Decomposition {
                tasks: vec![],
                policy: *policy,
            },
            ..Agent::default()
        };
        let name = name.parse().expect("a name");
        document.agents.insert(name, Arc::new(agent));
    }
    document
}

/// Returns the warnings, which the file also contains, and its text on goals and policies.
fn check(document: &Document, expected: Expect) {
    let export = export(document, None, Target::CSharp).expect("an export");
    let text = &export.files[0].text;
    for warning in &export.warnings {
        assert!(text.contains(&format!("// - {warning}\n")), "{warning}");
    }
    let mut report = export.warnings.clone();
    let says = |line: &&str| {
        let goal =
            line.starts_with("public static bool") && line.ends_with("(global::Taskloom.State s)");
        goal || *line == "Cheapest = true;"
    };
    report.extend(text.lines().map(str::trim).filter(says).map(str::to_owned));
    expected.assert_eq(&report.join("\n"));
}

#[test]
fn reports_nothing_when_everything_is_supported() {
    check(
        &document("fact a\nprimitive one\n  eff a\n  cost 2\n"),
        expect![""],
    );
}

#[test]
fn reports_time_and_parallel_steps() {
    check(
        &document("action Go 2 by legs\nprimitive go = Go\n  pre time > 3\n"),
        expect![[r#"
            time: the game sets it as the agent's Now; it is constant within a plan
            action:Go: not exported: its executor; steps run one at a time"#]],
    );
}

#[test]
fn reports_that_complete_subtasks_are_done_again_after_a_failure() {
    check(
        &document("fact a\nprimitive one\n  eff a\ncompound go\n  sequence one; one\n"),
        expect![[r#"
            failures: the agent does the whole task again that failed, with its complete subtasks; the editor plans only what remains of it"#]],
    );
}

#[test]
fn reports_the_search_for_goals_of_tasks() {
    check(
        &document("fact a\nprimitive one\n  eff a\ncompound go\n  goal a\n  sequence one\n"),
        expect!["compound:go: not exported: the search for its goal; it is done only as drawn"],
    );
}

#[test]
fn reports_uninterruptible_tasks_claims_and_cooldowns() {
    check(
        &document(
            "object boots
action Jump 2
primitive jump = Jump
  uninterruptible
  claims boots
  cooldown 5
compound flee
  cooldown 9
  sequence jump
",
        ),
        expect![[r#"
            primitive:jump: not exported: that it is uninterruptible; a new plan interrupts it
            primitive:jump: not exported: its claims; several agents may use the objects at once
            primitive:jump: not exported: its cooldown; it may be planned again at once
            compound:flee: not exported: its cooldown; it may be planned again at once"#]],
    );
}

#[test]
fn reports_limits_of_task_blocks() {
    check(
        &document(
            "action Jump 2
primitive jump = Jump
compound flee
  block a begin
  block b task jump repeat 3 timeout 9 retry 2 abort jump
  wire a.out -> b
",
        ),
        expect![[r#"
            compound:flee: not exported: the timeout of 'jump' after 9 ticks
            compound:flee: not exported: that 'jump' is given up after 2 retries
            compound:flee: not exported: 'jump' after an aborted 'jump'
            failures: the agent does the whole task again that failed, with its complete subtasks; the editor plans only what remains of it"#]],
    );
}

#[test]
fn reports_unsupported_agents_goals_and_scenarios() {
    let mut document = document(
        "fact seen
primitive one
compound go
  block a begin
  block b choice left, right
  block c task one
  wire a.out -> b
  wire b.1 -> c
scenario s
  initial seen
  event 3 not seen
scenario t
scenario u
scenario v
scenario w
",
    );
    let go = "go".parse().expect("a name");
    let task: &mut CompoundTask =
        Arc::make_mut(document.compound_tasks.get_mut(&go).expect("the task"));
    for block in task.method.blocks.values_mut() {
        if let Block::Choice { policy, .. } = Arc::make_mut(block) {
            *policy = ChoicePolicy::Cheapest;
        }
    }
    let goal = "wish".parse().expect("a name");
    document.goals.insert(goal, Arc::new(Goal::default()));
    let agents = [
        Agent {
            planning: Planning::Reactive {
                tasks: vec!["go".to_owned()],
            },
            triggers: Triggers {
                every: Some(5),
                ..Triggers::default()
            },
            ..Agent::default()
        },
        Agent {
            planning: Planning::Goals {
                goals: vec![],
                search: GoalSearch::default(),
            },
            uses: vec!["one".parse().expect("a name")],
            senses: vec![Sense {
                fact: "seen".parse().expect("a name"),
                every: 2,
                when: String::new(),
                forget: None,
                unknown: false,
            }],
            ..Agent::default()
        },
    ];
    for (name, agent) in ["ant", "bee"].into_iter().zip(agents) {
        let name = name.parse().expect("a name");
        document.agents.insert(name, Arc::new(agent));
    }
    check(
        &document,
        expect![[r#"
            compound:go: not exported: the costs of the Choice 'left, right'; its alternatives are tried in order
            goal:wish: not exported: agents don't select goals
            agent:ant: not exported: its reactive planning, its tasks, its triggers
            agent:bee: not exported: its planning for goals, its repertoire, its senses
            scenario:s, scenario:t, scenario:u and 2 more: not exported: objects, initial values, tasks, events and expectations"#]],
    );
}

#[test]
fn exports_supported_scenario_goals() {
    let document = document(
        "type thing
object ball: thing
fact has(?t: thing)
number n
scenario s
  goal has(ball) or n > 2
scenario t
  object key: thing
  goal has(key)
scenario u
  goal hass(ball
",
    );
    check(
        &document,
        expect![[r#"
            scenario:t: not exported: its goal, since there is no object 'key'
            scenario:u: not exported: its goal, since there is no fact or condition 'hass'; did you mean 'has'?
            scenario:s, scenario:t, scenario:u: not exported: objects, initial values, tasks, events and expectations
            public static bool S(global::Taskloom.State s)"#]],
    );
}

const COSTS: &str = "number n integer 0..5\nnumber any\nprimitive one\n  cost n + 2\n\
                     primitive two\n  cost 2 - n\nprimitive three\n  cost any\n";

#[test]
fn exports_policy_cheapest_when_all_agents_use_it() {
    let agents = [("a", Policy::Cheapest), ("b", Policy::Cheapest)];
    check(
        &with_agents(document(COSTS), &agents),
        expect![[r#"
        primitive:three: its cost may be negative, given the ranges of its facts: a cheaper plan may be missed
        primitive:two: its cost may be negative, given the ranges of its facts: a cheaper plan may be missed
        Cheapest = true;"#]],
    );
}

#[test]
fn reports_policy_cheapest_when_only_some_agents_use_it() {
    let agents = [("a", Policy::Cheapest), ("b", Policy::First)];
    check(
        &with_agents(document(COSTS), &agents),
        expect![
            "agent:a: not exported: its policy 'cheapest', as other agents use 'first'; set Cheapest in its class"
        ],
    );
}

#[test]
fn reports_effects_that_are_never_applied() {
    let mut document = document(
        "fact seen
fact known
action look 2
primitive done-by-an-action = look
  eff seen
primitive not-counted-on = look
  executed seen
primitive without-an-action
  eff seen
  eff known
primitive by-the-game
  planned seen
",
    );
    let seen = "seen".parse().expect("a name");
    let fact: &mut Fact = Arc::make_mut(document.facts.get_mut(&seen).expect("the fact"));
    fact.source = Source::Sensor;
    assert_eq!(document.names(Kind::PrimitiveTask).len(), 4);
    check(
        &document,
        expect![[r#"
            primitive:not-counted-on: the game must apply 'seen', which a sensor observes
            primitive:without-an-action: the game must apply 'seen', which a sensor observes"#]],
    );
}
