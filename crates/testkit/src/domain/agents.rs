//! Agents and casts of domains for tests:
//!
//! ```text
//! memory fact tired      (also: sensor, blackboard)
//! agent guard: person
//!   uses walk
//!   task watch
//!   reactive             (or: cheapest)
//!   sense gold 3 unknown forget 4 when lit(?r)
//!   failure 3            (or: never)
//!   again
//!   perception
//!   every 5
//!   alternative
//! goal fed: not hungry(?me)
//!   priority 2
//!   subgoal food >= 2
//!   task eat
//!   relevance 3
//!   bias wish
//!   cooldown 5
//! agent hunter: person
//!   wants fed
//!   retry 4
//!   commitment 6
//!   depth 7
//!   heuristic ff         (blind, unmet, hmax, hadd)
//!   regressive
//!   margin 1.5
//! scenario s
//!   cast anna as guard
//!   does walk(box)
//!   believes gold(box)
//!   crowd 12 clerk as guard
//!   starts at(?me, box)
//!   does / believes: as above
//! ```

use taskloom_document::{
    Agent, CastMember, Crowd, Direction, Goal, GoalSearch, Heuristic, Name, Planning, Policy,
    Scenario, Sense, Source, WhenComplete,
};

use super::name;

/// Returns the source of a fact that is declared after such a word.
pub fn source(word: &str) -> Option<Source> {
    match word {
        "sensor" => Some(Source::Sensor),
        "memory" => Some(Source::Memory),
        "blackboard" => Some(Source::Blackboard),
        _ => None,
    }
}

/// Parses a line of an agent.
pub fn agent(agent: &mut Agent, key: &str, text: &str) {
    let number = || text.parse().expect("a number of ticks");
    match key {
        "uses" => agent.uses.push(name(text)),
        "task" => match &mut agent.planning {
            Planning::Decomposition { tasks, .. } | Planning::Reactive { tasks } => {
                tasks.push(text.to_owned());
            }
            Planning::Goals { .. } => panic!("it has goals"),
        },
        "cheapest" => {
            if let Planning::Decomposition { policy, .. } = &mut agent.planning {
                *policy = Policy::Cheapest;
            }
        }
        "reactive" => {
            let tasks = agent.planning.tasks().to_vec();
            agent.planning = Planning::Reactive { tasks };
        }
        "wants" => search(agent).0.push(name(text)),
        "retry" => search(agent).1.retry = number(),
        "commitment" => search(agent).1.commitment = number(),
        "depth" => search(agent).1.depth = Some(number()),
        "regressive" => search(agent).1.direction = Direction::Regressive,
        "heuristic" => {
            search(agent).1.heuristic = match text {
                "blind" => Heuristic::Blind,
                "unmet" => Heuristic::Unmet,
                "hmax" => Heuristic::Hmax,
                "hadd" => Heuristic::Hadd,
                "ff" => Heuristic::Ff,
                other => panic!("no heuristic is called '{other}'"),
            }
        }
        "margin" => agent.triggers.goal = Some(text.parse().expect("a number")),
        "alternative" => agent.triggers.alternative = true,
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

/// The goals of an agent, and its search options.
fn search(agent: &mut Agent) -> (&mut Vec<Name>, &mut GoalSearch) {
    if agent.planning.tasks().is_empty() && !matches!(agent.planning, Planning::Goals { .. }) {
        agent.planning = Planning::Goals {
            goals: vec![],
            search: GoalSearch::default(),
        };
    }
    match &mut agent.planning {
        Planning::Goals { goals, search } => (goals, search),
        _ => panic!("it has tasks"),
    }
}

/// Parses a line of a goal.
pub fn goal(goal: &mut Goal, key: &str, text: &str) {
    match key {
        "priority" => goal.priority = text.parse().expect("a number"),
        "subgoal" => goal.subgoals.push(text.to_owned()),
        "task" => goal.tasks.push(text.to_owned()),
        "relevance" => text.clone_into(&mut goal.relevance),
        "cooldown" => goal.cooldown = text.parse().expect("a number of ticks"),
        "bias" => text.clone_into(&mut goal.bias),
        other => panic!("no goal has a '{other}'"),
    }
}

fn sense(text: &str) -> Sense {
    let (rest, when) = text.split_once(" when ").unwrap_or((text, ""));
    let (rest, forget) = rest.split_once(" forget ").unwrap_or((rest, ""));
    let (fact, every) = rest.split_once(' ').expect("a fact and an interval");
    let known = every.strip_suffix("unknown");
    Sense {
        fact: name(fact),
        every: known
            .unwrap_or(every)
            .trim()
            .parse()
            .expect("a number of ticks"),
        when: when.to_owned(),
        forget: forget.trim().parse().ok(),
        unknown: known.is_some(),
    }
}

/// Parses a line of a scenario's cast.
pub fn cast(scenario: &mut Scenario, key: &str, text: &str) {
    if key == "cast" {
        let (object, agent) = text.split_once(" as ").expect("who plays what");
        scenario.cast.push(CastMember {
            object: Some(name(object)),
            ..CastMember::playing(name(agent))
        });
        return;
    }
    if key == "crowd" {
        let (count, rest) = text.split_once(' ').expect("a count");
        let (stem, agent) = rest.split_once(" as ").expect("who plays what");
        let count = count.parse().expect("a count");
        let crowd = Crowd::playing(count, name(stem), name(agent));
        return scenario.crowds.push(crowd);
    }
    let (tasks, beliefs) = match scenario.crowds.last_mut() {
        Some(crowd) if key == "starts" => return crowd.initial.push(text.to_owned()),
        Some(crowd) => (&mut crowd.tasks, &mut crowd.beliefs),
        None => {
            let member = scenario.cast.last_mut().expect("somebody in the cast");
            (&mut member.tasks, &mut member.beliefs)
        }
    };
    match key {
        "does" => tasks.push(text.to_owned()),
        _ => beliefs.push(text.to_owned()),
    }
}
