//! Agents and casts of domains for tests:
//!
//! ```text
//! memory fact tired      (also: sensor, blackboard)
//! agent guard: person
//!   uses walk
//!   task watch
//!   sense gold 3 forget 4 when lit(?r)
//!   failure 3            (or: never)
//!   again
//!   perception
//!   every 5
//! scenario s
//!   cast anna as guard
//!   does walk(box)
//!   believes gold(box)
//! ```

use taskloom::document::{Agent, CastMember, Planning, Scenario, Sense, Source, WhenComplete};

use super::name;

/// Where a fact that is declared behind such a word comes from.
pub fn source(word: &str) -> Option<Source> {
    match word {
        "sensor" => Some(Source::Sensor),
        "memory" => Some(Source::Memory),
        "blackboard" => Some(Source::Blackboard),
        _ => None,
    }
}

/// Reads a line of an agent's.
pub fn agent(agent: &mut Agent, key: &str, text: &str) {
    let number = || text.parse().expect("a number of ticks");
    match key {
        "uses" => agent.uses.push(name(text)),
        "task" => {
            if let Planning::Decomposition { tasks, .. } = &mut agent.planning {
                tasks.push(text.to_owned());
            }
        }
        "sense" => agent.senses.push(sense(text)),
        "failure" => {
            agent.triggers.failure = match text {
                "never" => None,
                _ => Some(number()),
            }
        }
        "again" => agent.triggers.complete = WhenComplete::Again,
        "perception" => agent.triggers.perception = true,
        "every" => agent.triggers.every = Some(number()),
        other => panic!("no agent has a '{other}'"),
    }
}

fn sense(text: &str) -> Sense {
    let (rest, when) = text.split_once(" when ").unwrap_or((text, ""));
    let (rest, forget) = rest.split_once(" forget ").unwrap_or((rest, ""));
    let (fact, every) = rest.split_once(' ').expect("a fact and an interval");
    Sense {
        fact: name(fact),
        every: every.trim().parse().expect("a number of ticks"),
        when: when.to_owned(),
        forget: forget.trim().parse().ok(),
    }
}

/// Reads a line of a scenario's cast.
pub fn cast(scenario: &mut Scenario, key: &str, text: &str) {
    if key == "cast" {
        let (object, agent) = text.split_once(" as ").expect("who plays what");
        scenario.cast.push(CastMember {
            object: Some(name(object)),
            ..CastMember::playing(name(agent))
        });
        return;
    }
    let member = scenario.cast.last_mut().expect("somebody in the cast");
    match key {
        "does" => member.tasks.push(text.to_owned()),
        _ => member.beliefs.push(text.to_owned()),
    }
}
