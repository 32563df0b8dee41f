//! The characters of a scenario (semantics, section 6).

use taskloom_document::{
    Agent, CastMember, Document, Kind, Name, Planning, Policy, RecordRef, Scenario, Source,
};

use crate::lang::{Me, Scope, read_initial};

/// A character of a scenario: a member of its cast or, in a scenario without a cast, the only
/// character, which has no object and no agent.
#[derive(Debug, Clone, Copy, Default)]
pub struct Player<'a> {
    member: Option<&'a CastMember>,
    /// The agent that it is an instance of, if that exists.
    pub agent: Option<(&'a Name, &'a Agent)>,
    /// The object that it is, with its type, if that exists.
    object: Option<(&'a Name, &'a Name)>,
}

impl<'a> Player<'a> {
    /// Returns all characters of a scenario, in the order of its cast.
    pub fn all(document: &'a Document, scenario: &'a Scenario) -> Vec<Self> {
        let member = |member| Self::of_member(document, scenario, member);
        if scenario.cast.is_empty() {
            vec![Self::default()]
        } else {
            scenario.cast.iter().map(member).collect()
        }
    }

    /// Returns the n-th character of a scenario; if there is none, the default one without an
    /// agent.
    pub fn nth(document: &'a Document, scenario: &'a Scenario, number: usize) -> Self {
        let member = scenario.cast.get(number);
        member.map_or_else(Self::default, |member| {
            Self::of_member(document, scenario, member)
        })
    }

    fn of_member(document: &'a Document, scenario: &'a Scenario, member: &'a CastMember) -> Self {
        let agent = document.agents.get_key_value(&member.agent);
        let object = member.object.as_ref().and_then(|name| {
            let own = scenario.objects.get_key_value(name);
            own.or_else(|| document.objects.get_key_value(name))
        });
        Self {
            member: Some(member),
            agent: agent.map(|(name, agent)| (name, &**agent)),
            object: object.map(|(name, object)| (name, &object.of)),
        }
    }

    /// Returns the object that it is: `?me`.
    pub fn me(&self) -> Option<&'a Name> {
        self.object.map(|(name, _)| name)
    }

    /// Returns the type of `?me` in the scenario's texts about it.
    pub fn type_of_me(&self) -> Option<&'a Name> {
        let of_agent = || self.agent.map(|(_, agent)| &agent.of);
        self.object.map(|(_, of)| of).or_else(of_agent)
    }

    /// Returns the name used for it in output.
    pub fn name(&self) -> Option<&'a Name> {
        self.me().or(self.member.map(|member| &member.agent))
    }

    /// Returns the tasks that it plans for, as typed: its own, else the scenario's, else its
    /// agent's.
    pub fn tasks(&self, scenario: &'a Scenario) -> &'a [String] {
        match self.member {
            Some(member) if !member.tasks.is_empty() => &member.tasks,
            _ if !scenario.tasks.is_empty() || !scenario.goal.trim().is_empty() => &scenario.tasks,
            _ => self.agent.map_or(&[], |(_, agent)| agent.planning.tasks()),
        }
    }

    /// Returns the policy of its plans: the cheapest, if its agent decomposes its tasks by that
    /// policy.
    pub fn policy(&self) -> Policy {
        match self.agent.map(|(_, agent)| &agent.planning) {
            Some(Planning::Decomposition { policy, .. }) => *policy,
            _ => Policy::First,
        }
    }

    /// Returns `true` if it looks no further than the next step.
    pub fn is_reactive(&self) -> bool {
        let planning = self.agent.map(|(_, agent)| &agent.planning);
        planning.is_some_and(|planning| matches!(planning, Planning::Reactive { .. }))
    }

    /// Returns the goals that it plans for: those of its agent, used if it has neither tasks nor
    /// another goal.
    pub fn goals(&self) -> &'a [Name] {
        match self.agent.map(|(_, agent)| &agent.planning) {
            Some(Planning::Goals { goals, .. }) => goals,
            _ => &[],
        }
    }

    /// Returns `true` if it plans for its agent's goals.
    pub fn has_goals(&self) -> bool {
        !self.goals().is_empty()
    }

    /// Returns the goal that its plan must reach in addition to doing its tasks: the scenario's,
    /// unless it has its own tasks.
    pub fn goal(&self, scenario: &'a Scenario) -> &'a str {
        match self.member {
            Some(member) if !member.tasks.is_empty() => "",
            _ => scenario.goal.trim(),
        }
    }

    /// Returns its initial beliefs that differ from the world, as initial values.
    pub fn beliefs(&self) -> &'a [String] {
        self.member.map_or(&[], |member| &member.beliefs)
    }

    /// Returns `true` if its agent has a sense for this fact, so that its belief about it may
    /// differ from the world.
    pub fn senses(&self, fact: &Name) -> bool {
        self.agent
            .is_some_and(|(_, agent)| agent.senses.iter().any(|sense| sense.fact == *fact))
    }

    /// Returns the facts for which its agent has a sense, by name.
    pub fn sensed(&self) -> Vec<Name> {
        let senses = self.agent.map_or(&[][..], |(_, agent)| &agent.senses);
        let mut facts: Vec<Name> = senses.iter().map(|sense| sense.fact.clone()).collect();
        facts.sort_unstable();
        facts.dedup();
        facts
    }

    /// Returns `true` if one of its senses says that this fact is unknown to it at first.
    pub fn is_unknown_at_first(&self, fact: &Name) -> bool {
        self.agent.is_some_and(|(_, agent)| {
            let mut senses = agent.senses.iter();
            senses.any(|sense| sense.unknown && sense.fact == *fact)
        })
    }

    /// Returns `true` if anything is unknown to it at first.
    pub fn has_unknown(&self) -> bool {
        self.agent
            .is_some_and(|(_, agent)| agent.senses.iter().any(|sense| sense.unknown))
    }

    /// Returns the beliefs that count: those about memory, and about sensor facts for which it has
    /// a sense. About all other facts it believes what is true.
    pub fn counting_beliefs(
        &self,
        document: &'a Document,
        scenario: &'a Scenario,
    ) -> impl Iterator<Item = &'a String> + use<'a> {
        let (player, scope) = (*self, self.scope(document, scenario));
        self.beliefs().iter().filter(move |text| {
            let belief = read_initial(text, &scope).value;
            let fact = belief.map(|belief| belief.atom.fact);
            fact.is_some_and(|name| {
                let fact = document.facts.get(&name);
                fact.is_some_and(|fact| match fact.source {
                    Source::Memory => true,
                    Source::Sensor => player.senses(&name),
                    Source::Blackboard => false,
                })
            })
        })
    }

    /// Returns `true` if its repertoire includes a task.
    pub fn may_use(&self, document: &Document, kind: Kind, task: &Name) -> bool {
        self.agent.is_none_or(|(_, agent)| {
            agent.uses.is_empty() || document.may_use(agent, &RecordRef::new(kind, task.clone()))
        })
    }

    /// Returns the scope of the scenario's texts about it.
    pub fn scope(&self, document: &'a Document, scenario: &'a Scenario) -> Scope<'a> {
        let me = self.type_of_me().map(|of| Me {
            of: of.clone(),
            object: self.me().cloned(),
        });
        Scope {
            me,
            ..Scope::of_scenario(document, scenario)
        }
    }
}
