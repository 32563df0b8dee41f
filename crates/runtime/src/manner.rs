//! A scenario's characters planning in the other manner: ahead where they are reactive, and the
//! other way round.

use taskloom_document::{
    Agent, CastMember, Document, Edit, Kind, Name, Planning as Plans, Record, Scenario,
};
use taskloom_domain::Player;

/// In which manner a character plans (semantics, section 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// It decomposes its tasks down to the last step before it takes the first.
    Ahead,
    /// It decomposes its tasks down to the next step.
    Reactive,
    /// Its agent looks for steps that lead to a goal; there is no other manner of doing so.
    Goals,
}

/// In which manner each character of a scenario plans, in the order of its cast.
pub fn manners(document: &Document, scenario: &Name) -> Vec<Manner> {
    let Some(scenario) = document.scenarios.get(scenario) else {
        return vec![];
    };
    let players = Player::all(document, scenario).into_iter();
    let manner = |player: Player| {
        let planning = player.agent.map(|(_, agent)| &agent.planning);
        match planning {
            Some(Plans::Reactive { .. }) => Manner::Reactive,
            Some(Plans::Goals { .. }) => Manner::Goals,
            // The scenario's goal alone is looked for among primitive tasks.
            _ if player.tasks(scenario).is_empty() => Manner::Goals,
            _ => Manner::Ahead,
        }
    };
    players.map(manner).collect()
}

/// The document in which the characters of a scenario plan in the other manner, each for the same
/// tasks; who plans for goals goes on to do so. None where no character can plan otherwise.
pub fn in_other_manner(document: &Document, scenario: &Name) -> Option<Document> {
    let manners = manners(document, scenario);
    if manners.iter().all(|manner| *manner == Manner::Goals) {
        return None;
    }
    let record = document.scenarios.get(scenario)?;
    let edit = if record.cast.is_empty() {
        reactive_alone(document, scenario, record)
    } else {
        let cast = record.cast.iter().zip(manners);
        let swapped = cast.filter(|(_, manner)| *manner != Manner::Goals);
        let swapped = swapped.filter_map(|(member, _)| swapped_agent(document, member));
        Edit::Batch(swapped.collect())
    };
    document.apply(&edit).ok()
}

/// The agent of a member of the cast, planning in the other manner. It is the same edit for all
/// who play it.
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

/// A scenario without a cast plans ahead: it is given a character that is no object, and reactive.
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
