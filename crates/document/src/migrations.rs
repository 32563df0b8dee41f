//! Migrations of files of older versions: on JSON values, never on today's records.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

type Object = Map<String, Value>;

/// Upgrades a file by one version. Leaves anything that it does not understand unchanged: the
/// reader reports errors there.
pub(super) type Migration = fn(&mut Object);

/// `MIGRATIONS[n]` migrates version n + 1 to version n + 2. A released migration never changes;
/// each version keeps a frozen example in tests/files that must still open.
pub(super) const MIGRATIONS: &[Migration] = &[characters, commitments, timeouts];

/// Migrates to version 2: durations and biases become texts, an agent's tasks become what it
/// `uses`, and agents are played by a cast. A superior, which had no effect, is mentioned in the
/// agent's note.
///
/// In version 1 all agents in play were one character, which looked for the cheapest plan if one of
/// them did: that character is kept, and the scenario's note mentions the others.
fn characters(file: &mut Object) {
    for action in records(file, "actions") {
        number_to_text(action, "duration");
    }
    for goal in records(file, "goals") {
        number_to_text(goal, "bias");
    }
    for agent in records(file, "agents") {
        rename(agent, "tasks", "uses");
        if let Some(Value::String(superior)) = agent.get("superior") {
            let remark = format!("Obeys '{superior}'.");
            if remark_in_note(agent, &remark) {
                agent.remove("superior");
            }
        }
    }
    let cheapest = cheapest_agents(file);
    for scenario in records(file, "scenarios") {
        cast(scenario, &cheapest);
    }
}

/// Migrates to version 3, which only adds optional members: a file of version 2 has the same meaning
/// without them. The new version makes an older program report that it is too old, instead of an
/// unknown member.
fn commitments(_: &mut Object) {}

/// Migrates to version 4, in which a task fails when it has taken more ticks than its block's timeout;
/// until then, it also failed when it had taken as many. So timeouts become one tick shorter, and a task
/// that failed after 1 tick fails after 0: unless it is complete at the tick at which it starts. A timeout
/// of 0 was a mistake, and counted as 1.
fn timeouts(file: &mut Object) {
    for task in records(file, "compound_tasks") {
        shorten_timeouts(task);
    }
}

/// Upgrades the method of a record that was copied from a file of a version.
pub(super) fn migrate_method(copied: &mut Object, version: u64) {
    if version < 4 {
        shorten_timeouts(copied);
    }
}

fn shorten_timeouts(task: &mut Object) {
    let method = task.get_mut("method");
    let blocks = method.and_then(|method| method.get_mut("blocks")?.as_object_mut());
    let blocks = blocks.into_iter().flat_map(Map::values_mut);
    for timeout in blocks.filter_map(|block| block.get_mut("timeout")) {
        let ticks = timeout.as_f64();
        if let Some(ticks) = ticks.filter(|ticks| *ticks >= 1.0 && ticks.fract() == 0.0) {
            *timeout = json!(ticks as u64 - 1);
        }
    }
}

/// Iterates over the records of a table.
fn records<'a>(file: &'a mut Object, table: &str) -> impl Iterator<Item = &'a mut Object> {
    let table = file.get_mut(table).and_then(Value::as_object_mut);
    table
        .into_iter()
        .flat_map(|table| table.values_mut().filter_map(Value::as_object_mut))
}

/// Converts a number to a text; removes 0.
fn number_to_text(record: &mut Object, key: &str) {
    let Some(number @ Value::Number(_)) = record.get(key) else {
        return;
    };
    let text = number.to_string();
    if number.as_f64() == Some(0.0) {
        record.remove(key);
    } else if let Some(value) = record.get_mut(key) {
        *value = Value::String(text);
    }
}

/// Renames a member, unless one of the new name exists.
fn rename(record: &mut Object, from: &str, to: &str) {
    if !record.contains_key(to)
        && let Some(value) = record.remove(from)
    {
        record.insert(to.to_owned(), value);
    }
}

/// Adds a line to a note; returns `true` if the note is a text.
fn remark_in_note(record: &mut Object, remark: &str) -> bool {
    match record.get_mut("note") {
        None => drop(record.insert("note".to_owned(), json!(remark))),
        Some(Value::String(note)) if note.is_empty() => remark.clone_into(note),
        Some(Value::String(note)) => {
            note.push('\n');
            note.push_str(remark);
        }
        Some(_) => return false,
    }
    true
}

/// Returns the lowercase names of the agents that decompose their tasks at minimum cost.
fn cheapest_agents(file: &Object) -> HashSet<String> {
    let agents = file.get("agents").and_then(Value::as_object);
    let is_cheapest = |agent: &Value| {
        let policy = agent.pointer("/planning/decomposition/policy");
        policy.and_then(Value::as_str) == Some("cheapest")
    };
    agents
        .into_iter()
        .flatten()
        .filter(|(_, agent)| is_cheapest(agent))
        .map(|(name, _)| name.to_ascii_lowercase())
        .collect()
}

fn cast(scenario: &mut Object, cheapest: &HashSet<String>) {
    let Some(Value::Array(agents)) = scenario.get("agents") else {
        return;
    };
    let agents = agents.clone();
    let names: Option<Vec<&str>> = agents.iter().map(Value::as_str).collect();
    let Some(names) = names.filter(|_| !scenario.contains_key("cast")) else {
        return;
    };
    let is_cheapest = |name: &&&str| cheapest.contains(&name.to_ascii_lowercase());
    let player = names.iter().find(is_cheapest).or(names.first());
    let others = names.iter().filter(|name| Some(**name) != player.copied());
    let others: Vec<String> = others.map(|name| format!("'{name}'")).collect();
    if others.is_empty()
        || remark_in_note(scenario, &format!("Also in play: {}.", others.join(", ")))
    {
        scenario.remove("agents");
        if let Some(player) = player {
            scenario.insert("cast".to_owned(), json!([{ "agent": player }]));
        }
    }
}
