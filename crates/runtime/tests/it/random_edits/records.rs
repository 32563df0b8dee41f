//! Random records, with references that may be dangling.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use taskloom_document::{
    Agent, CastMember, CompoundTask, Crowd, Effect, EffectTiming, Event, Fact, Failure, Flowchart,
    Goal, GoalSearch, Object, Planning, PrimitiveTask, Record, Scenario, Sense, Source, Triggers,
    Type, ValueKind,
};

use super::edits::{block, expectation, name, param, text, wire};

pub fn object_like() -> impl Strategy<Value = Record> {
    let of = |parent| Type {
        parent,
        title: String::new(),
        note: "\"quoted\"\n\u{1f511}".to_owned(),
    };
    let object = |of| Object {
        of,
        title: "an object".to_owned(),
        note: String::new(),
    };
    prop_oneof![
        name().prop_map(move |parent| Record::Type(of(parent).into())),
        name().prop_map(move |of| Record::Object(object(of).into())),
    ]
}

pub fn fact() -> impl Strategy<Value = Record> {
    let limit = || option::of(prop_oneof![9 => -9.0..9.0f64, 1 => Just(f64::NAN)]);
    let value = prop_oneof![
        2 => Just(ValueKind::Boolean),
        1 => (any::<bool>(), limit(), limit()).prop_map(|(integer, min, max)| {
            ValueKind::Number { integer, min, max }
        }),
        1 => name().prop_map(ValueKind::Object),
    ];
    let source = select(vec![Source::Sensor, Source::Memory, Source::Blackboard]);
    (vec(param(), 0..3), value, source).prop_map(|(params, value, source)| {
        let fact = Fact {
            params,
            value,
            source,
            ..Default::default()
        };
        Record::Fact(fact.into())
    })
}

pub fn primitive_task() -> impl Strategy<Value = Record> {
    let timing = select(vec![
        EffectTiming::PlannedAndExecuted,
        EffectTiming::Planned,
        EffectTiming::Executed,
    ]);
    let effect = (text(), timing).prop_map(|(text, timing)| Effect { text, timing });
    let lists = (vec(text(), 0..3), vec(text(), 0..2), vec(text(), 0..2));
    let lists = (lists, vec(text(), 0..2));
    let rest = (vec(param(), 0..3), text(), vec(effect, 0..3), text());
    let commitment = (any::<bool>(), any::<u32>());
    (lists, rest, commitment).prop_map(
        |(((preconditions, integrity, completion), claims), rest, commitment)| {
            let (params, action, effects, cost) = rest;
            let (uninterruptible, cooldown) = commitment;
            let task = PrimitiveTask {
                params,
                action,
                preconditions,
                integrity,
                completion,
                claims,
                effects,
                cost,
                uninterruptible,
                cooldown,
                ..Default::default()
            };
            Record::PrimitiveTask(task.into())
        },
    )
}

/// Generates a compound task whose flowchart is often invalid.
pub fn compound_task() -> impl Strategy<Value = Record> {
    let blocks = vec(block(), 0..4);
    let chart = (blocks, vec(wire(), 0..2)).prop_map(|(blocks, wires)| {
        let ids = ["p", "q", "r", "s"].map(|id| id.parse().expect("a block id"));
        let blocks: BTreeMap<_, _> = ids
            .into_iter()
            .zip(blocks.into_iter().map(Arc::new))
            .collect();
        Flowchart {
            blocks,
            wires,
            ..Flowchart::default()
        }
    });
    let method = prop_oneof![Just(Flowchart::default()), chart];
    let rest = (vec(text(), 0..2), any::<u32>(), method);
    (vec(param(), 0..3), rest).prop_map(|(params, (preconditions, cooldown, method))| {
        let task = CompoundTask {
            params,
            preconditions,
            cooldown,
            method,
            ..Default::default()
        };
        Record::CompoundTask(task.into())
    })
}

pub fn goal() -> impl Strategy<Value = Record> {
    let texts = (text(), vec(text(), 0..3), text(), text());
    let numbers = (any::<i32>(), any::<u32>());
    (texts, numbers).prop_map(|(texts, (priority, cooldown))| {
        let (condition, subgoals, bias, relevance) = texts;
        let goal = Goal {
            condition,
            subgoals,
            priority,
            bias,
            relevance,
            cooldown,
            ..Default::default()
        };
        Record::Goal(goal.into())
    })
}

pub fn agent() -> impl Strategy<Value = Record> {
    let planning = prop_oneof![
        vec(text(), 0..3).prop_map(|tasks| Planning::Decomposition {
            tasks,
            policy: Default::default()
        }),
        vec(text(), 0..3).prop_map(|tasks| Planning::Reactive { tasks }),
        (vec(name(), 0..3), any::<u32>()).prop_map(|(goals, commitment)| Planning::Goals {
            goals,
            search: GoalSearch {
                commitment,
                ..GoalSearch::default()
            },
        }),
    ];
    let sense = (
        name(),
        any::<u32>(),
        text(),
        option::of(any::<u32>()),
        any::<bool>(),
    );
    let sense = sense.prop_map(|(fact, every, when, forget, unknown)| Sense {
        fact,
        every,
        when,
        forget,
        unknown,
    });
    let margin = prop_oneof![9 => -1.0..1.0f64, 1 => Just(f64::NEG_INFINITY)];
    let triggers = (option::of(any::<u32>()), any::<bool>(), option::of(margin));
    let triggers = triggers.prop_map(|(failure, perception, goal)| Triggers {
        failure,
        perception,
        goal,
        ..Triggers::default()
    });
    let rest = (name(), vec(name(), 0..3), vec(sense, 0..2), triggers);
    (planning, rest).prop_map(|(planning, (of, uses, senses, triggers))| {
        let agent = Agent {
            of,
            planning,
            uses,
            senses,
            triggers,
            ..Default::default()
        };
        Record::Agent(agent.into())
    })
}

pub fn scenario() -> impl Strategy<Value = Record> {
    let object = |of| {
        Arc::new(Object {
            of,
            title: String::new(),
            note: String::new(),
        })
    };
    let objects = proptest::collection::btree_map(name(), name().prop_map(object), 0..3);
    let event = (any::<u32>(), option::of(any::<u32>()), text(), text());
    let event = event.prop_map(|(at, every, when, effect)| Event {
        at,
        every,
        when,
        effect,
    });
    let member = (
        option::of(name()),
        name(),
        vec(text(), 0..2),
        vec(text(), 0..2),
    );
    let member = member.prop_map(|(object, agent, tasks, beliefs)| CastMember {
        object,
        agent,
        tasks,
        beliefs,
    });
    let own = (vec(text(), 0..2), vec(text(), 0..2), vec(text(), 0..2));
    let crowd = (0..4u32, name(), name(), own);
    let crowd = crowd.prop_map(|(count, name, agent, own)| {
        let (initial, tasks, beliefs) = own;
        Crowd {
            initial,
            tasks,
            beliefs,
            ..Crowd::playing(count, name, agent)
        }
    });
    let chance = prop_oneof![9 => 0.0..1.0f64, 1 => Just(f64::INFINITY)];
    let failure = (text(), option::of(any::<u32>()), option::of(chance));
    let failure = failure.prop_map(|(task, time, chance)| Failure { task, time, chance });
    let texts = (vec(text(), 0..3), vec(text(), 0..3), text());
    let rest = (
        (vec(member, 0..2), vec(crowd, 0..2)),
        vec(event, 0..2),
        vec(failure, 0..2),
        vec(expectation(), 0..3),
    );
    (objects, texts, rest).prop_map(|(objects, (initial, tasks, goal), rest)| {
        let ((cast, crowds), events, failures, expect) = rest;
        let scenario = Scenario {
            objects: objects.into_iter().collect(),
            initial,
            cast,
            crowds,
            tasks,
            goal,
            events,
            failures,
            expect,
            ..Default::default()
        };
        Record::Scenario(scenario.into())
    })
}
