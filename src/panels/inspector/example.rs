//! Examples in a document's own names, shown in empty fields.

use taskloom_document::{Document, Name, Source, ValueKind};

/// Returns the name of the first object of a type.
fn object<'a>(document: &'a Document, of: &Name) -> Option<&'a Name> {
    let mut objects = document.objects.iter();
    let found = objects.find(|(_, object)| document.is_kind_of(&object.of, of));
    found.map(|(name, _)| name)
}

/// Returns a value of a fact: `at(box)`, `ammo = 3`, or `place_of(guard) = gate`; a fact that can
/// be sensed is preferred. Without a fact whose parameters and value have objects, it describes
/// what to type.
pub fn value(document: &Document) -> String {
    value_where(document, |of| object(document, of).map(Name::as_str))
}

/// Returns a value of a fact about an actor of an agent, where possible: `place_of(?me) = gate`.
pub fn value_of_me(document: &Document, agent: &Name) -> String {
    let agent = document.agents.get(agent);
    let is_me = |of: &Name| agent.is_some_and(|agent| document.is_kind_of(&agent.of, of));
    value_where(document, |of| match is_me(of) {
        true => Some("?me"),
        false => object(document, of).map(Name::as_str),
    })
}

/// Returns a value of a fact like [`value`], with these arguments for parameters of each type.
fn value_where<'d>(document: &'d Document, argument: impl Fn(&Name) -> Option<&'d str>) -> String {
    let all = document.facts.iter();
    let (sensed, others): (Vec<_>, Vec<_>) =
        all.partition(|(_, fact)| fact.source == Source::Sensor);
    let mut examples = sensed.into_iter().chain(others).filter_map(|(name, fact)| {
        let args = fact.params.iter().map(|param| argument(&param.of));
        let args: Option<Vec<&str>> = args.collect();
        let args = args?.join(", ");
        let atom = match args.is_empty() {
            true => name.to_string(),
            false => format!("{name}({args})"),
        };
        Some(match &fact.value {
            ValueKind::Boolean => atom,
            ValueKind::Number { .. } => format!("{atom} = 3"),
            ValueKind::Object(of) => format!("{atom} = {}", object(document, of)?),
        })
    });
    let example = examples.next().map(|example| format!("e.g. {example}"));
    example.unwrap_or_else(|| "fact, or fact = value".to_owned())
}

/// Returns the name of a task to do, the first compound one if there is any.
pub fn task(document: &Document) -> String {
    let mut names = document
        .compound_tasks
        .keys()
        .chain(document.primitive_tasks.keys());
    let example = names.next().map(|name| format!("e.g. {name}"));
    example.unwrap_or_else(|| "task to do".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_use_the_documents_names() {
        let document = |text: &str| Document::from_json(text).unwrap();
        let shop = document(
            r#"{ "taskloom": 4, "types": { "item": { "parent": "object" }, "ghost": { "parent": "object" } },
            "objects": { "bread": { "type": "item" } },
            "facts": { "haunts": { "params": ["?g: ghost"], "source": "sensor" },
                "stocked": { "params": ["?i: item"], "source": "sensor" }, "coins": { "value": { "number": {} } } },
            "primitive_tasks": { "sell": {} } }"#,
        );
        assert_eq!(value(&shop), "e.g. stocked(bread)");
        assert_eq!(task(&shop), "e.g. sell");
        let ghosts = document(
            r#"{ "taskloom": 4, "types": { "ghost": { "parent": "object" } }, "objects": { "attic": { "type": "place" } },
            "facts": { "at": { "params": ["?g: ghost"], "value": { "object": "place" }, "source": "sensor" } },
            "agents": { "spook": { "type": "ghost" } } }"#,
        );
        let of_spook = value_of_me(&ghosts, &"spook".parse().unwrap());
        assert_eq!(of_spook, "e.g. at(?me) = attic");
        let empty = document(r#"{ "taskloom": 4 }"#);
        assert_eq!(value(&empty), "fact, or fact = value");
        assert_eq!(task(&empty), "task to do");
    }
}
