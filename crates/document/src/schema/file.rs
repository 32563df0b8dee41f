//! The file's JSON Schema, for editors and other programs. It is generated from the records and
//! kept in public/; `UPDATE_EXPECT=1` rewrites it.

use std::fs;
use std::path::Path;

use expect_test::expect_file;
use regex::Regex;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use crate::{Document, VERSION};

fn schema() -> Value {
    let settings = SchemaSettings::draft2020_12();
    let document = settings.into_generator().into_root_schema_for::<Document>();
    let mut schema = document.to_value();
    schema["title"] = json!("Taskloom document");
    schema["properties"]["taskloom"] = json!({
        "const": VERSION,
        "description": "The version of the file."
    });
    schema["required"] = json!(["taskloom"]);
    schema
}

#[test]
fn published_schema_is_current() {
    let mut text = serde_json::to_string_pretty(&schema()).expect("a schema is JSON");
    text.push('\n');
    expect_file!["../../../../public/taskloom.schema.json"].assert_eq(&text);
}

/// Returns the examples, and one file with every kind of record.
fn examples() -> Vec<String> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut texts = vec![];
    for folder in ["../../public/examples", "../../tests/files/v4"] {
        let files = fs::read_dir(package.join(folder)).expect("a folder of examples");
        let files = files.flatten().map(|file| file.path());
        let files = files.filter(|file| file.extension().is_some_and(|of| of == "json"));
        texts.extend(files.map(|file| fs::read_to_string(file).expect("an example is UTF-8")));
    }
    texts
}

/// Returns `true` if a value matches a schema. Supports the keywords that our own schema uses, and
/// panics at any other, so that none is ignored.
fn fits(root: &Value, schema: &Value, value: &Value) -> bool {
    let Value::Object(words) = schema else {
        return schema != &json!(false);
    };
    let is_type = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("unknown type {other}"),
    };
    let any = |list: &Value| {
        let list = list.as_array().expect("a list of schemas");
        list.iter().filter(|s| fits(root, s, value)).count()
    };
    words.iter().all(|(word, given)| match word.as_str() {
        "$schema" | "$defs" | "default" | "description" | "title" | "format" => true,
        "patternProperties" | "additionalProperties" => true, // see "properties"
        "$ref" => {
            let path = given.as_str().and_then(|path| path.strip_prefix('#'));
            let target = path.and_then(|path| root.pointer(path));
            fits(root, target.expect("the schema that is referred to"), value)
        }
        "const" => given == value,
        "type" => match given {
            Value::Array(types) => types.iter().filter_map(Value::as_str).any(is_type),
            one => one.as_str().is_some_and(is_type),
        },
        "oneOf" => any(given) == 1,
        "anyOf" => any(given) > 0,
        "minimum" => value.as_f64().is_none_or(|n| Some(n) >= given.as_f64()),
        "maximum" => value.as_f64().is_none_or(|n| Some(n) <= given.as_f64()),
        "pattern" => value.as_str().is_none_or(|text| matches(given, text)),
        "items" => value
            .as_array()
            .is_none_or(|items| items.iter().all(|item| fits(root, given, item))),
        "required" => {
            let names = given.as_array().expect("a list of names");
            let mut names = names.iter().filter_map(Value::as_str);
            names.all(|name| value.get(name).is_some())
        }
        "properties" => true,
        other => panic!("the schema says '{other}', which is not known here"),
    }) && value.as_object().is_none_or(|object| {
        object.iter().all(|(key, value)| {
            let named = words.get("properties").and_then(|all| all.get(key));
            let patterns = words.get("patternProperties").and_then(Value::as_object);
            let by_pattern = || {
                let mut patterns = patterns.into_iter().flatten();
                patterns.find(|(pattern, _)| matches(&json!(pattern), key))
            };
            let schema = named.or_else(|| by_pattern().map(|(_, schema)| schema));
            let schema = schema.or_else(|| words.get("additionalProperties"));
            schema.is_none_or(|schema| fits(root, schema, value))
        })
    })
}

fn matches(pattern: &Value, text: &str) -> bool {
    let pattern = pattern.as_str().expect("a pattern is a string");
    Regex::new(pattern).expect("a pattern").is_match(text)
}

#[test]
fn written_documents_match_the_schema() {
    let schema = schema();
    for text in examples() {
        let value: Value = serde_json::from_str(&text).expect("an example is JSON");
        assert!(fits(&schema, &schema, &value), "{text}");
        let document = Document::from_json(&text).expect("an example opens");
        let written: Value = serde_json::from_str(&document.to_json()).expect("JSON");
        assert!(fits(&schema, &schema, &written));
    }
    for wrong in [
        json!({}),
        json!({ "taskloom": VERSION, "fact": {} }),
        json!({ "taskloom": VERSION, "facts": { "2nd": {} } }),
        json!({ "taskloom": VERSION, "facts": { "f": { "params": ["x"] } } }),
        json!({ "taskloom": VERSION, "layout": { "board": { "fact:f": "1;2" } } }),
    ] {
        assert!(!fits(&schema, &schema, &wrong), "{wrong}");
    }
}
