//! Records at random, with references that may lead nowhere.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use taskloom::document::{
    Agent, CompoundTask, Effect, EffectTiming, Event, Fact, Flowchart, Goal, Object, Planning,
    PrimitiveTask, Record, Scenario, Sense, Source, Type, ValueKind,
};

use crate::edits::{block, expectation, name, param, text, wire};

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
    let source = select(vec![Source::Sensor, Source::Memory]);
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
    let rest = (vec(param(), 0..3), text(), vec(effect, 0..3), text());
    (lists, rest).prop_map(|((preconditions, integrity, completion), rest)| {
        let (params, action, effects, cost) = rest;
        let task = PrimitiveTask {
            params,
            action,
            preconditions,
            integrity,
            completion,
            effects,
            cost,
            ..Default::default()
        };
        Record::PrimitiveTask(task.into())
    })
}

/// A compound task whose flowchart is often none.
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
    (vec(param(), 0..3), vec(text(), 0..2), method).prop_map(|(params, preconditions, method)| {
        let task = CompoundTask {
            params,
            preconditions,
            method,
            ..Default::default()
        };
        Record::CompoundTask(task.into())
    })
}

pub fn goal() -> impl Strategy<Value = Record> {
    let bias = prop_oneof![9 => -1.0..1.0f64, 1 => Just(f64::NEG_INFINITY)];
    (text(), any::<i32>(), bias, text()).prop_map(|(condition, priority, bias, relevance)| {
        let goal = Goal {
            condition,
            priority,
            bias,
            relevance,
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
        vec(name(), 0..3).prop_map(|goals| Planning::Goals { goals }),
    ];
    let sense = (name(), any::<u32>(), text());
    let sense = sense.prop_map(|(fact, every, when)| Sense { fact, every, when });
    let rest = (vec(name(), 0..3), vec(sense, 0..2), option::of(name()));
    (planning, rest).prop_map(|(planning, (tasks, senses, superior))| {
        let agent = Agent {
            planning,
            tasks,
            senses,
            superior,
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
    let event = (any::<u32>(), text()).prop_map(|(at, effect)| Event { at, effect });
    let texts = (vec(text(), 0..3), vec(text(), 0..3), text());
    let rest = (
        vec(name(), 0..2),
        vec(event, 0..2),
        vec(expectation(), 0..3),
    );
    (objects, texts, rest).prop_map(|(objects, (initial, tasks, goal), rest)| {
        let (agents, events, expect) = rest;
        let scenario = Scenario {
            objects: objects.into_iter().collect(),
            initial,
            agents,
            tasks,
            goal,
            events,
            expect,
            ..Default::default()
        };
        Record::Scenario(scenario.into())
    })
}
