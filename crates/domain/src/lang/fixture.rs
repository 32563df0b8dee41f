//! The small domain of this module's tests.

use std::sync::Arc;

use taskloom_document::{
    Action, CompoundTask, Condition, Document, Fact, Name, Object, Param, PrimitiveTask, Type,
    ValueKind,
};

/// Parses a valid name.
pub fn name(text: &str) -> Name {
    Name::new(text).unwrap()
}

pub fn params(text: &str) -> Vec<Param> {
    let parts = text.split(',').filter(|part| !part.is_empty());
    parts.map(|part| part.trim().parse().unwrap()).collect()
}

/// Returns a document with places and items; `box` is a place, `key` an item, `gate` a place of the
/// scenario.
pub fn document() -> Document {
    let mut document = Document::default();
    for of in ["place", "item", "agent"] {
        let parent = name("object");
        let record = Type {
            parent,
            title: String::new(),
            note: String::new(),
        };
        document.types.insert(name(of), Arc::new(record));
    }
    for (object, of) in [
        ("box", "place"),
        ("shed", "place"),
        ("key", "item"),
        ("guard", "agent"),
    ] {
        document.objects.insert(name(object), object_of(of));
    }
    let number = ValueKind::Number {
        integer: true,
        min: Some(0.0),
        max: Some(10.0),
    };
    let distance = ValueKind::Number {
        integer: false,
        min: None,
        max: None,
    };
    for (fact, of, value) in [
        ("at", "?place: place", ValueKind::Boolean),
        ("has", "?item: item", ValueKind::Boolean),
        ("box_open", "", ValueKind::Boolean),
        ("near", "?a: place, ?b: place", ValueKind::Boolean),
        ("ammo", "", number),
        ("distance", "?a: place, ?b: place", distance),
        (
            "place_of",
            "?agent: agent",
            ValueKind::Object(name("place")),
        ),
    ] {
        let params = params(of);
        let fact_record = Fact {
            params,
            value,
            ..Fact::default()
        };
        document.facts.insert(name(fact), Arc::new(fact_record));
    }
    for (condition, of, formula) in [
        ("can_open", "?p: place", "at(?p) and has(key)"),
        ("loops", "", "box_open or round"),
        ("round", "", "not loops"),
        ("self", "", "self"),
    ] {
        let formula = formula.to_owned();
        let record = Condition {
            params: params(of),
            formula,
            ..Condition::default()
        };
        document
            .conditions
            .insert(name(condition), Arc::new(record));
    }
    let walk = PrimitiveTask {
        params: params("?to: place"),
        ..PrimitiveTask::default()
    };
    document
        .primitive_tasks
        .insert(name("walk-to"), Arc::new(walk));
    let get = CompoundTask {
        params: params("?item: item"),
        ..CompoundTask::default()
    };
    document.compound_tasks.insert(name("get"), Arc::new(get));
    let act = Action {
        params: params("?to: place"),
        ..Action::default()
    };
    document.actions.insert(name("WalkTo"), Arc::new(act));
    document
}

pub fn object_of(of: &str) -> Arc<Object> {
    let (title, note) = (String::new(), String::new());
    Arc::new(Object {
        of: name(of),
        title,
        note,
    })
}
