//! The characters of a scenario (semantics, section 6).

use std::sync::{Arc, OnceLock};

use taskloom_document::sort::CompactSort;
use taskloom_document::{
    Agent, CastMember, Document, Kind, Name, Planning, Policy, RecordRef, Scenario, Source,
};

use crate::ground::Atom;
use crate::lang::typed::{Call, Formula, Initial};
use crate::lang::{Me, Near, Scope, read_formula, read_initial, read_task_call};
use crate::text::{LazyTexts, TextReader, TypedText};

/// A character of a scenario: a member of its cast or, in a scenario without a cast, the only
/// character, which has no object and no agent.
#[derive(Debug)]
pub struct Actor {
    scenario: Arc<Scenario>,
    /// The index of names similar to those of the scenario's texts.
    near: Arc<Near>,
    /// Its description, if it is a member of a cast, or described like one.
    member: Option<CastMember>,
    /// The agent that it is an instance of, if that exists.
    pub agent: Option<(Name, Arc<Agent>)>,
    /// The object that it is, with its type, if that exists.
    object: Option<(Name, Name)>,
    /// The ground facts that say that its object is absent.
    absences: Vec<Atom>,
    calls: OnceLock<LazyTexts<Call>>,
    initial_beliefs: OnceLock<Vec<TypedText<Initial>>>,
    goal_formula: OnceLock<Option<TypedText<Formula>>>,
}

impl Actor {
    /// Returns all characters of a scenario, in the order of its cast.
    pub(crate) fn all(
        document: &Document,
        scenario: &Arc<Scenario>,
        near: &Arc<Near>,
    ) -> Vec<Arc<Self>> {
        let cast = scenario.cast.iter();
        let cast = cast.map(|member| Arc::new(Self::of(document, scenario, near, member)));
        cast.collect()
    }

    /// Returns the character that a member of a cast describes.
    pub(crate) fn of(
        document: &Document,
        scenario: &Arc<Scenario>,
        near: &Arc<Near>,
        member: &CastMember,
    ) -> Self {
        let agent = document.agents.get_key_value(&member.agent);
        let object = member.object.as_ref().and_then(|name| {
            let own = scenario.objects.get_key_value(name);
            own.or_else(|| document.objects.get_key_value(name))
        });
        let absences = object.map(|(name, object)| {
            let atom = |fact: &Name| Atom {
                fact: fact.clone(),
                args: vec![name.clone()],
            };
            document.absences_of(&object.of).map(atom).collect()
        });
        Self {
            absences: absences.unwrap_or_default(),
            member: Some(member.clone()),
            agent: agent.map(|(name, agent)| (name.clone(), agent.clone())),
            object: object.map(|(name, object)| (name.clone(), object.of.clone())),
            ..Self::nobody(scenario, near)
        }
    }

    /// Returns the default character of a scenario, which has no object and no agent.
    pub(crate) fn nobody(scenario: &Arc<Scenario>, near: &Arc<Near>) -> Self {
        Self {
            scenario: scenario.clone(),
            near: near.clone(),
            member: None,
            agent: None,
            object: None,
            absences: vec![],
            calls: OnceLock::new(),
            initial_beliefs: OnceLock::new(),
            goal_formula: OnceLock::new(),
        }
    }

    /// Returns its description, if it is a member of a cast, or described like one.
    pub fn member(&self) -> Option<&CastMember> {
        self.member.as_ref()
    }

    fn planning(&self) -> Option<&Planning> {
        self.agent.as_ref().map(|(_, agent)| &agent.planning)
    }

    /// Returns the object that it is: `?me`.
    pub fn me(&self) -> Option<&Name> {
        self.object.as_ref().map(|(name, _)| name)
    }

    /// Returns the ground facts that say that its object is absent, if they are true.
    pub fn absences(&self) -> &[Atom] {
        &self.absences
    }

    /// Returns the type of `?me` in the scenario's texts about it.
    pub fn type_of_me(&self) -> Option<&Name> {
        let of_agent = || self.agent.as_ref().map(|(_, agent)| &agent.of);
        self.object.as_ref().map(|(_, of)| of).or_else(of_agent)
    }

    /// Returns the name used for it in output.
    pub fn name(&self) -> Option<&Name> {
        self.me().or(self.member().map(|member| &member.agent))
    }

    /// Returns the tasks that it plans for, as typed: its own, else the scenario's, else its
    /// agent's.
    pub fn tasks(&self) -> &[String] {
        let scenario = &self.scenario;
        match self.member() {
            Some(member) if !member.tasks.is_empty() => &member.tasks,
            _ if !scenario.tasks.is_empty() || !scenario.goal.trim().is_empty() => &scenario.tasks,
            _ => self.planning().map_or(&[], Planning::tasks),
        }
    }

    /// Returns the policy of its plans: the cheapest, if its agent decomposes its tasks by that
    /// policy.
    pub fn policy(&self) -> Policy {
        match self.planning() {
            Some(Planning::Decomposition { policy, .. }) => *policy,
            _ => Policy::First,
        }
    }

    /// Returns `true` if it looks no further than the next step.
    pub fn is_reactive(&self) -> bool {
        matches!(self.planning(), Some(Planning::Reactive { .. }))
    }

    /// Returns the goals that it plans for: those of its agent, used if it has neither tasks nor
    /// another goal.
    pub fn goals(&self) -> &[Name] {
        match self.planning() {
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
    pub fn goal(&self) -> &str {
        match self.member() {
            Some(member) if !member.tasks.is_empty() => "",
            _ => self.scenario.goal.trim(),
        }
    }

    /// Returns its initial beliefs that differ from the world, as initial values.
    pub fn beliefs(&self) -> &[String] {
        self.member().map_or(&[], |member| &member.beliefs)
    }

    fn sense(&self, is_meant: impl FnMut(&taskloom_document::Sense) -> bool) -> bool {
        let senses = self.agent.iter().flat_map(|(_, agent)| &agent.senses);
        senses.into_iter().any(is_meant)
    }

    /// Returns `true` if its agent has a sense for this fact, so that its belief about it may
    /// differ from the world.
    pub fn senses(&self, fact: &Name) -> bool {
        self.sense(|sense| sense.fact == *fact)
    }

    /// Returns the facts for which its agent has a sense, by name.
    pub fn sensed(&self) -> Vec<Name> {
        let senses = self.agent.iter().flat_map(|(_, agent)| &agent.senses);
        let mut facts: Vec<Name> = senses.map(|sense| sense.fact.clone()).collect();
        facts.compact_sort();
        facts.dedup();
        facts
    }

    /// Returns `true` if one of its senses says that this fact is unknown to it at first.
    pub fn is_unknown_at_first(&self, fact: &Name) -> bool {
        self.sense(|sense| sense.unknown && sense.fact == *fact)
    }

    /// Returns `true` if anything is unknown to it at first.
    pub fn has_unknown(&self) -> bool {
        self.sense(|sense| sense.unknown)
    }

    /// Returns `true` if its repertoire includes a task.
    pub fn may_use(&self, document: &Document, kind: Kind, task: &Name) -> bool {
        self.agent.as_ref().is_none_or(|(_, agent)| {
            agent.uses.is_empty() || document.may_use(agent, &RecordRef::new(kind, task.clone()))
        })
    }

    /// Returns the scope of the scenario's texts about it.
    pub fn scope<'a>(&'a self, document: &'a Document) -> Scope<'a> {
        let me = self.type_of_me().map(|of| Me {
            of: of.clone(),
            object: self.me().cloned(),
        });
        Scope {
            me,
            ..Scope::of_scenario(document, &self.scenario).with(&self.near)
        }
    }

    /// Returns its [`tasks`](Self::tasks), typed.
    pub fn calls<'a>(&'a self, texts: &'a TextReader) -> impl Iterator<Item = &'a TypedText<Call>> {
        let numbers = 0..self.tasks().len();
        numbers.filter_map(move |number| self.call(texts, number))
    }

    /// Returns the n-th of its [`tasks`](Self::tasks), typed.
    pub fn call(&self, texts: &TextReader, number: usize) -> Option<&TypedText<Call>> {
        let tasks = self.tasks();
        let text = tasks.get(number)?;
        let calls = self.calls.get_or_init(|| LazyTexts::new(tasks.len()));
        let read = || texts.read(text, &self.scope(texts.document()), read_task_call);
        calls.get(number, read)
    }

    /// Returns its [`goal`](Self::goal), typed.
    pub fn goal_formula(&self, texts: &TextReader) -> Option<&TypedText<Formula>> {
        let scope = || self.scope(texts.document());
        let goal = || texts.read_optional(self.goal(), &scope(), read_formula);
        self.goal_formula.get_or_init(goal).as_ref()
    }

    /// Returns its [`beliefs`](Self::beliefs), typed.
    pub fn initial_beliefs(&self, texts: &TextReader) -> &[TypedText<Initial>] {
        let scope = || self.scope(texts.document());
        let beliefs = || texts.read_all(self.beliefs(), &scope(), read_initial);
        self.initial_beliefs.get_or_init(beliefs)
    }

    /// Returns the beliefs that count: those about memory, and about sensor facts for which it has
    /// a sense. About all other facts it believes what is true.
    pub fn counting_beliefs(&self, texts: &TextReader) -> impl Iterator<Item = &Initial> {
        let facts = texts.document().clone();
        let beliefs = self.initial_beliefs(texts).iter();
        let beliefs = beliefs.filter_map(|belief| belief.value.as_ref());
        beliefs.filter(move |belief| {
            let name = &belief.atom.fact;
            let source = facts.facts.get(name).map(|fact| fact.source);
            match source {
                Some(Source::Memory) => true,
                Some(Source::Sensor) => self.senses(name),
                Some(Source::Blackboard) | None => false,
            }
        })
    }
}
