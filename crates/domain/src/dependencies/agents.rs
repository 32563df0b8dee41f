//! The needs of an agent: the tasks and goals that it plans for, the tasks of its repertoire, and
//! the facts that it senses. These are entries of the agent's lists, so a wire is an entry of one.

use std::sync::Arc;

use taskloom_document::{
    Agent, Document, Edit, Field, Goal, Name, Planning, Record, RecordRef, Sense,
};

use super::edits::mention;
use super::{Link, Mentions, Role};
use crate::calls::called;

/// Returns everything that an agent's lists name.
pub(super) fn mentions(agent: &Agent) -> Mentions {
    let calls = agent.planning.tasks().iter();
    let tasks = calls.filter_map(|call| Some((called(call)?, Role::Task)));
    let named = |name: &Name, role| (name.clone(), role);
    let goals = goals(agent).iter().map(|name| named(name, Role::Goal));
    let uses = agent.uses.iter().map(|name| named(name, Role::Repertoire));
    let senses = agent.senses.iter();
    let senses = senses.map(|sense| named(&sense.fact, Role::Sense));
    tasks.chain(goals).chain(uses).chain(senses).collect()
}

/// Returns the goals that an agent lists.
fn goals(agent: &Agent) -> &[Name] {
    match &agent.planning {
        Planning::Goals { goals, .. } => goals,
        _ => &[],
    }
}

/// Returns the needs that an agent has: an agent that plans for tasks has no goals, and vice versa.
/// An agent that lists neither can get either.
pub fn roles_of(agent: &Agent) -> Vec<Role> {
    let is_for_goals = matches!(agent.planning, Planning::Goals { .. });
    let is_open = agent.planning.tasks().is_empty() && goals(agent).is_empty();
    let all = Role::of(taskloom_document::Kind::Agent).iter().copied();
    let has = |role: &Role| match role {
        Role::Task => is_open || !is_for_goals,
        Role::Goal => is_open || is_for_goals,
        _ => true,
    };
    all.filter(has).collect()
}

/// Returns the edit that adds what is needed to the agent's list.
pub(super) fn connected(document: &Document, agent: &Arc<Agent>, link: &Link) -> Option<Edit> {
    let Link { from, to, role } = link;
    if !roles_of(agent).contains(role) {
        return None;
    }
    let mut changed = Agent::clone(agent);
    match role {
        Role::Goal => {
            let goal = document.goals.get(&from.name)?;
            return goal_added(document, &to.name, &from.name, goal);
        }
        Role::Task => {
            let call = mention(document, from, to)?;
            if let Planning::Decomposition { tasks, .. } | Planning::Reactive { tasks } =
                &mut changed.planning
            {
                tasks.push(call);
            } else {
                changed.planning = Planning::Decomposition {
                    tasks: vec![call],
                    policy: Default::default(),
                };
            }
        }
        Role::Repertoire => changed.uses.push(from.name.clone()),
        Role::Sense => changed.senses.push(Sense {
            fact: from.name.clone(),
            every: 1,
            when: String::new(),
            forget: None,
            unknown: false,
        }),
        _ => return None,
    }
    Some(replaced(to, changed))
}

/// Returns the edit that removes what is needed from the agent's list.
pub(super) fn disconnected(agent: &Arc<Agent>, link: &Link) -> Option<Edit> {
    let Link { from, to, role } = link;
    let gone = &from.name;
    let mut changed = Agent::clone(agent);
    match role {
        Role::Task => return Some(without_calls(to, agent.planning.tasks(), link)),
        Role::Goal => {
            if let Planning::Goals { goals, .. } = &mut changed.planning {
                goals.retain(|goal| goal != gone);
            }
        }
        Role::Repertoire => changed.uses.retain(|task| task != gone),
        Role::Sense => changed.senses.retain(|sense| sense.fact != *gone),
        _ => return None,
    }
    Some(replaced(to, changed))
}

/// Returns the edit that removes the calls of what is needed from a record's tasks.
pub(super) fn without_calls(record: &RecordRef, tasks: &[String], link: &Link) -> Edit {
    let calls = tasks.iter().enumerate();
    let calls = calls.filter(|(_, call)| called(call).as_ref() == Some(&link.from.name));
    // The last one first, so that the others keep their indices.
    let removed = calls.rev();
    let removed = removed.map(|(at, _)| Edit::RemoveText(record.clone(), Field::Task(at)));
    Edit::Batch(removed.collect())
}

fn replaced(record: &RecordRef, agent: Agent) -> Edit {
    Edit::Replace(record.name.clone(), Record::Agent(agent.into()))
}

/// Returns the edit that adds a goal, which may be new, to an agent that plans for goals or lists
/// nothing yet. If another goal has its priority, the new one gets a higher one than all others:
/// priorities are distinct within an agent.
pub fn goal_added(document: &Document, agent: &Name, name: &Name, goal: &Goal) -> Option<Edit> {
    let mut changed = Agent::clone(document.agents.get(agent)?);
    if changed.planning.tasks().is_empty() && !matches!(changed.planning, Planning::Goals { .. }) {
        changed.planning = Planning::Goals {
            goals: vec![],
            search: Default::default(),
        };
    }
    let Planning::Goals { goals, .. } = &mut changed.planning else {
        return None;
    };
    let taken = goals.iter().filter_map(|name| document.goals.get(name));
    let taken: Vec<i32> = taken.map(|goal| goal.priority).collect();
    goals.push(name.clone());
    let mut edits = vec![Edit::Replace(agent.clone(), Record::Agent(changed.into()))];
    let most = taken.iter().max();
    if let Some(most) = most.filter(|_| taken.contains(&goal.priority)) {
        let raised = Goal {
            priority: most.saturating_add(1),
            ..goal.clone()
        };
        if raised != *goal {
            edits.push(Edit::Replace(name.clone(), Record::Goal(raised.into())));
        }
    }
    Some(Edit::Batch(edits))
}

#[cfg(test)]
mod tests {
    use super::super::{Reader, connected, disconnected};
    use super::*;
    use taskloom_document::Point;

    fn document() -> Document {
        let text = r#"{ "taskloom": 4,
            "types": { "guard": { "parent": "object" } },
            "facts": { "seen": { "params": ["?who: guard"] }, "loud": {} },
            "primitive_tasks": { "wait": {}, "go": { "params": ["?who: guard"] } },
            "goals": { "safe": { "condition": "not loud", "priority": 3 }, "calm": { "priority": 3 } },
            "agents": { "sentry": { "type": "guard", "planning": { "decomposition": { "tasks": ["wait"] } } },
                "scout": { "type": "guard", "planning": { "goals": { "goals": ["safe"] } }, "uses": ["wait"],
                    "senses": [{ "fact": "loud", "every": 3 }] },
                "idle": {} } }"#;
        Document::from_json(text).unwrap()
    }

    fn link(from: &str, role: Role, to: &str) -> Link {
        Link {
            from: from.parse().unwrap(),
            to: to.parse().unwrap(),
            role,
        }
    }

    fn drawn(document: &Document, link: &Link) -> Option<Document> {
        let edit = connected(
            document,
            link,
            ("fresh1".parse().unwrap(), Point::default()),
        )?;
        Some(document.apply(&edit).unwrap())
    }

    #[test]
    fn wires_match_agent_lists_and_goal_conditions() {
        let links = Reader::default().links(&document());
        let lines: Vec<String> = links
            .iter()
            .map(|link| format!("{} {} {}", link.to, link.role.label(), link.from))
            .collect();
        assert_eq!(
            lines,
            [
                "goal:safe formula fact:loud",
                "agent:scout sense fact:loud",
                "agent:scout repertoire primitive:wait",
                "agent:sentry task primitive:wait",
                "agent:scout goal goal:safe",
            ]
        );
    }

    #[test]
    fn drawing_and_removing_wires_edits_agent_lists() {
        for wanted in [
            link("primitive:go", Role::Task, "agent:sentry"),
            link("primitive:go", Role::Repertoire, "agent:scout"),
            link("fact:seen", Role::Sense, "agent:scout"),
            link("goal:calm", Role::Goal, "agent:scout"),
            link("goal:safe", Role::Goal, "agent:idle"),
            link("primitive:wait", Role::Task, "agent:idle"),
            link("fact:loud", Role::Formula, "goal:calm"),
        ] {
            let with = drawn(&document(), &wanted).expect("it can be drawn");
            assert!(
                Reader::default().links(&with).contains(&wanted),
                "{wanted:?}"
            );
            let without = with.apply(&disconnected(&with, &wanted).unwrap()).unwrap();
            assert!(
                !Reader::default().links(&without).contains(&wanted),
                "{wanted:?}"
            );
        }
    }

    #[test]
    fn drawn_tasks_take_the_agent_as_argument_and_goals_keep_their_priority() {
        let with = drawn(
            &document(),
            &link("primitive:go", Role::Task, "agent:sentry"),
        )
        .unwrap();
        let sentry = &with.agents[&"sentry".parse::<Name>().unwrap()];
        assert_eq!(sentry.planning.tasks(), ["wait", "go(?me)"]);
        let with = drawn(&document(), &link("goal:calm", Role::Goal, "agent:scout")).unwrap();
        assert_eq!(with.goals[&"calm".parse::<Name>().unwrap()].priority, 4);
    }

    #[test]
    fn agents_accept_only_entries_of_their_planning_mode() {
        let wanted = link("goal:calm", Role::Goal, "agent:sentry");
        assert_eq!(drawn(&document(), &wanted), None);
        let wanted = link("primitive:go", Role::Task, "agent:scout");
        assert_eq!(drawn(&document(), &wanted), None);
    }
}
