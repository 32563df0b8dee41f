//! Damaged files, by bytes and by values: reading one returns a document or a reason, and never
//! panics.

use serde_json::{Map, Value, json};
use taskloom_document::{Document, VERSION};
use testkit::counts::{on_all_cores, seeds};
use testkit::random::Random;

const EVERY_KIND: &str = include_str!("../../../../tests/files/v4/every-kind.taskloom.json");

/// The number of files that are damaged with the same seed.
const FILES: usize = 1_000;

/// The whole file, and a small file of each of its tables, which are faster to read.
fn originals() -> Vec<Value> {
    let whole: Value = serde_json::from_str(EVERY_KIND).expect("the file is JSON");
    let tables = whole.as_object().expect("a file is an object");
    let mut originals = vec![whole.clone()];
    for (key, table) in tables.iter().filter(|(key, _)| *key != "taskloom") {
        originals.push(json!({ "taskloom": VERSION, key: table }));
    }
    originals
}

fn mutate_bytes(bytes: &mut Vec<u8>, random: &mut Random) {
    const SIGNS: &[u8] = b"{}[]\",:.->?0159eE+ntf\\u/ \n\xff\x00";
    for _ in 0..=random.below(3) {
        let place = random.below(bytes.len());
        match random.below(6) {
            0 if !bytes.is_empty() => drop(bytes.remove(place)),
            1 => bytes.insert(place, *random.pick(SIGNS)),
            2 if !bytes.is_empty() => bytes[place] = *random.pick(SIGNS),
            3 if !bytes.is_empty() => bytes[place] ^= 1 << random.below(8),
            4 => bytes.truncate(place),
            _ => {
                let end = (place + random.below(40)).min(bytes.len());
                let part = bytes[place..end].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, part);
            }
        }
    }
}

fn mutate_value(value: &mut Value, random: &mut Random) {
    let mut target = value;
    // Descends some levels, at random.
    for _ in 0..random.below(9) {
        let deeper = match target {
            Value::Array(items) => !items.is_empty(),
            Value::Object(members) => !members.is_empty(),
            _ => false,
        };
        if !deeper {
            break;
        }
        target = match target {
            Value::Array(items) => {
                let place = random.below(items.len());
                &mut items[place]
            }
            Value::Object(members) => {
                let place = random.below(members.len());
                members.values_mut().nth(place).expect("a member")
            }
            _ => return,
        };
    }
    match target {
        Value::Object(members) if random.below(3) > 0 => mutate_members(members, random),
        Value::Array(items) if random.below(3) > 0 => {
            let twin = items.get(random.below(items.len())).cloned();
            match random.below(2) {
                0 => items.extend(twin),
                _ => drop(items.pop()),
            }
        }
        target => *target = another(random),
    }
}

fn mutate_members(members: &mut Map<String, Value>, random: &mut Random) {
    let key = members.keys().nth(random.below(members.len())).cloned();
    let value = key.and_then(|key| match random.below(2) {
        0 => members.remove(&key),
        _ => members.get(&key).cloned(),
    });
    let names = [
        "", "A1", "a1", "x", "AND", "kind", "text", "number", "fact:lit", "lit",
    ];
    if random.below(3) > 0 {
        let value = value.unwrap_or_else(|| another(random));
        members.insert((*random.pick(&names)).to_owned(), value);
    }
}

fn another(random: &mut Random) -> Value {
    random
        .pick(&[
            json!(null),
            json!(true),
            json!(0),
            json!(-1),
            json!(1e300),
            json!(u64::MAX),
            json!(""),
            json!("a1.out -> g7"),
            json!("g7.out -> a1"),
            json!("?a: b"),
            json!("1 x"),
            json!("9,9"),
            json!("begin"),
            json!("lit"),
            json!([]),
            json!({}),
            json!({ "kind": "begin" }),
            json!({ "type": "object" }),
        ])
        .clone()
}

/// Reads damaged files. Returns the number of files that opened.
fn read_damaged(originals: &[Value], seed: u64) -> usize {
    let texts: Vec<String> = originals.iter().map(Value::to_string).collect();
    let mut random = Random::seeded(seed);
    let mut opened = 0;
    for _ in 0..FILES {
        // The whole file is by far the largest, so it is used less often.
        let which = match random.below(64) {
            0 => 0,
            _ => 1 + random.below(texts.len() - 1),
        };
        let text = match random.below(2) {
            0 => {
                let mut bytes = texts[which].clone().into_bytes();
                mutate_bytes(&mut bytes, &mut random);
                String::from_utf8_lossy(&bytes).into_owned()
            }
            _ => {
                let mut value = originals[which].clone();
                (0..=random.below(2)).for_each(|_| mutate_value(&mut value, &mut random));
                value.to_string()
            }
        };
        if let Ok(document) = Document::from_json(&text) {
            opened += 1;
            assert_eq!(document.invariants(), Ok(()));
            if opened % 16 == 0 {
                let again = Document::from_json(&document.to_json());
                assert_eq!(again.as_ref(), Ok(&document), "{text}");
            }
        }
    }
    opened
}

#[test]
fn damaged_files_open_or_are_rejected() {
    let originals = originals();
    let opened = on_all_cores(seeds(1_000), |seed| read_damaged(&originals, seed));
    let count = opened.len() * FILES;
    let opened = opened.into_iter().sum::<usize>();
    let part = opened as f64 / count as f64;
    assert!((0.05..0.95).contains(&part), "{opened} of {count} opened");
}
