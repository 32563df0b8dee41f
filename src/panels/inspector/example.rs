//! Examples in a document's own names, shown in empty fields.

use taskloom::document::{Document, Name, Source, ValueKind};

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
    let all = document.facts.iter();
    let (sensed, others): (Vec<_>, Vec<_>) =
        all.partition(|(_, fact)| fact.source == Source::Sensor);
    let mut examples = sensed.into_iter().chain(others).filter_map(|(name, fact)| {
        let args = fact.params.iter().map(|param| object(document, &param.of));
        let args: Option<Vec<&str>> = args.map(|name| Some(name?.as_str())).collect();
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
            r#"{ "taskloom": 3, "types": { "item": { "parent": "object" }, "ghost": { "parent": "object" } },
            "objects": { "bread": { "type": "item" } },
            "facts": { "haunts": { "params": ["?g: ghost"], "source": "sensor" },
                "stocked": { "params": ["?i: item"], "source": "sensor" }, "coins": { "value": { "number": {} } } },
            "primitive_tasks": { "sell": {} } }"#,
        );
        assert_eq!(value(&shop), "e.g. stocked(bread)");
        assert_eq!(task(&shop), "e.g. sell");
        let empty = document(r#"{ "taskloom": 3 }"#);
        assert_eq!(value(&empty), "fact, or fact = value");
        assert_eq!(task(&empty), "task to do");
    }
}
