//! Switches a scenario's characters to the other planning mode: from reactive to lookahead, and
//! vice versa.

use std::sync::Arc;

use taskloom_document::{
    Agent, CastMember, Document, Edit, Kind, Name, Planning as Plans, Record, Scenario,
};
use taskloom_domain::{Actor, Domain};

/// The planning mode of a character (semantics, section 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanningMode {
    /// Lookahead: it decomposes its tasks down to the last step before it starts the first.
    Ahead,
    /// Reactive: it decomposes its tasks down to the next step.
    Reactive,
    /// It plans for goals; there is no other mode for that.
    Goals,
}

/// Returns the planning mode of each character of a scenario, in the order of its cast.
pub fn planning_modes(domain: &Domain, scenario: &Name) -> Vec<PlanningMode> {
    let Some(scene) = domain.scene(scenario) else {
        return vec![];
    };
    let mode = |actor: &Arc<Actor>| {
        let planning = actor.agent.as_ref().map(|(_, agent)| &agent.planning);
        match planning {
            Some(Plans::Reactive { .. }) => PlanningMode::Reactive,
            Some(Plans::Goals { .. }) => PlanningMode::Goals,
            // A scenario's goal without tasks is planned for with primitive tasks.
            _ if actor.tasks().is_empty() => PlanningMode::Goals,
            _ => PlanningMode::Ahead,
        }
    };
    scene.cast.iter().map(mode).collect()
}

/// Returns the document with the characters of a scenario in the other planning mode, each with the
/// same tasks; characters that plan for goals stay as they are. `None` if no character can switch.
pub fn with_other_mode(domain: &Domain, scenario: &Name) -> Option<Document> {
    let document = domain.document();
    let modes = planning_modes(domain, scenario);
    if modes.iter().all(|mode| *mode == PlanningMode::Goals) {
        return None;
    }
    let record = &domain.scene(scenario)?.record;
    let edit = if record.cast.is_empty() {
        reactive_alone(document, scenario, record)
    } else {
        let cast = record.cast.iter().zip(modes);
        let swapped = cast.filter(|(_, mode)| *mode != PlanningMode::Goals);
        let swapped = swapped.filter_map(|(member, _)| swapped_agent(document, member));
        Edit::Batch(swapped.collect())
    };
    document.apply(&edit).ok()
}

/// Returns the edit that switches the agent of a member of the cast to the other planning mode. It
/// is the same edit for all members with this agent.
fn swapped_agent(document: &Document, member: &CastMember) -> Option<Edit> {
    let (name, agent) = document.agents.get_key_value(&member.agent)?;
    let tasks = agent.planning.tasks().to_vec();
    let planning = match &agent.planning {
        Plans::Reactive { .. } => Plans::Decomposition {
            tasks,
            policy: Default::default(),
        },
        Plans::Decomposition { .. } | Plans::Goals { .. } => Plans::Reactive { tasks },
    };
    let agent = Agent {
        planning,
        ..Agent::clone(agent)
    };
    Some(Edit::Replace(name.clone(), Record::Agent(agent.into())))
}

/// Gives a scenario without a cast, which plans ahead, a reactive character without an object.
fn reactive_alone(document: &Document, name: &Name, scenario: &Scenario) -> Edit {
    let agent = document.fresh_name(Kind::Agent, "reactive");
    let record = Agent {
        planning: Plans::Reactive { tasks: vec![] },
        ..Agent::default()
    };
    let scenario = Scenario {
        cast: vec![CastMember::playing(agent.clone())],
        ..scenario.clone()
    };
    Edit::Batch(vec![
        Edit::Add(agent, Record::Agent(record.into())),
        Edit::Replace(name.clone(), Record::Scenario(scenario.into())),
    ])
}
