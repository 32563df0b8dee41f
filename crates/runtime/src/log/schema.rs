//! The JSON Schema of a log's lines. It is generated from them and kept in public/; `UPDATE_EXPECT=1`
//! rewrites it.

use std::collections::BTreeSet;

use expect_test::expect_file;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use super::{LOG_FORMAT, LogEntry};

fn schema() -> Value {
    let generator = SchemaSettings::draft2020_12().into_generator();
    let mut schema = generator.into_root_schema_for::<LogEntry>().to_value();
    schema["title"] = json!("Line of a Taskloom log");
    schema["$comment"] = json!(format!("Format {LOG_FORMAT}"));
    schema
}

#[test]
fn published_schema_of_logs_is_current() {
    let mut text = serde_json::to_string_pretty(&schema()).expect("a schema is JSON");
    text.push('\n');
    expect_file!["../../../../public/taskloom-log.schema.json"].assert_eq(&text);
}

/// Collects the names of all members, and all words that a member may have, in a schema.
fn names(schema: &Value, found: &mut BTreeSet<String>) {
    match schema {
        Value::Object(words) => {
            for (word, value) in words {
                match (word.as_str(), value) {
                    ("properties", Value::Object(members)) => {
                        found.extend(members.keys().cloned());
                        members.values().for_each(|member| names(member, found));
                    }
                    ("const", Value::String(word)) => drop(found.insert(word.clone())),
                    ("enum", Value::Array(all)) => {
                        found.extend(all.iter().filter_map(Value::as_str).map(str::to_owned));
                    }
                    (_, value) => names(value, found),
                }
            }
        }
        Value::Array(all) => all.iter().for_each(|one| names(one, found)),
        _ => {}
    }
}

#[test]
fn documentation_names_all_members_of_the_lines() {
    let mut found = BTreeSet::new();
    names(&schema(), &mut found);
    // A log of this level is not written.
    found.remove("off");
    let docs = include_str!("../../../../docs/log.md");
    let lacks = found
        .iter()
        .filter(|name| !docs.contains(&format!("`{name}`")));
    let lacks: Vec<&String> = lacks.collect();
    assert!(found.len() > 80, "{} names", found.len());
    assert!(lacks.is_empty(), "docs/log.md lacks {lacks:?}");
}
