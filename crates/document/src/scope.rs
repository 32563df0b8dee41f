//! The variables in scope in a field of the document.

use std::collections::BTreeMap;

use super::record::{Field, RecordRef, RecordView};
use super::tasks::CompoundTask;
use super::wire::BlockId;
use super::{Agent, Document, Kind, Name, Param, Planning};
use crate::sort::map_of;

impl Document {
    /// Returns the variables in scope in a field: the record's parameters; in a flowchart also
    /// those of the Bind blocks from which wires lead to the field's block; in a Bind block its
    /// own; and in a sense those of its fact. If two have the same name, only the inner one is
    /// returned.
    pub fn scope(&self, record: &RecordRef, field: &Field) -> Vec<Param> {
        let Some(view) = self.view(record) else {
            return vec![];
        };
        let mut scope = vec![];
        let inner = match (view, field) {
            (
                RecordView::CompoundTask(task),
                Field::Block(id)
                | Field::BlockText(id)
                | Field::BlockWhile(id)
                | Field::BlockAbort(id)
                | Field::BlockQuery(id)
                | Field::BlockOrder(id)
                | Field::BlockScore(id, _)
                | Field::BlockVariable(id),
            ) => bound_above(task, id),
            (RecordView::Agent(agent), Field::Sense(at)) => {
                let sense = agent.senses.get(*at);
                let fact = sense.and_then(|sense| self.facts.get(&sense.fact));
                fact.map_or_else(Vec::new, |fact| fact.params.iter().collect())
            }
            _ => vec![],
        };
        for param in view.params().iter().chain(inner) {
            scope.retain(|known: &Param| known.name != param.name);
            scope.push(param.clone());
        }
        scope
    }
}

impl Document {
    /// Returns the type of `?me`, the acting character, in texts that any agent may use: the
    /// nearest common supertype of all agents. None if there are no agents.
    pub fn type_of_me(&self) -> Option<Name> {
        self.common_type(self.agents.values().map(|agent| &agent.of))
    }

    /// Returns the nearest common supertype of these types; none if there are none.
    fn common_type<'n>(&self, mut types: impl Iterator<Item = &'n Name>) -> Option<Name> {
        let first = types.next()?;
        Some(types.fold(first.clone(), |all, of| self.nearest_common_type(all, of)))
    }

    /// Returns the nearest common supertype of two types.
    pub fn nearest_common_type(&self, one: Name, other: &Name) -> Name {
        let mut common = one;
        for _ in 0..=self.types.len() {
            if self.is_kind_of(other, &common) {
                return common;
            }
            match self.types.get(&common) {
                Some(record) => common = record.parent.clone(),
                None => break,
            }
        }
        Name::root()
    }

    /// Returns the task of the document that a task is a part of, or itself.
    fn whole(&self, task: &RecordRef) -> RecordRef {
        let compound = self.compound_tasks.get(&task.name);
        let compound = compound.filter(|_| task.kind == Kind::CompoundTask);
        match compound.and_then(|compound| compound.part_of.clone()) {
            Some(whole) => RecordRef::new(Kind::CompoundTask, whole),
            None => task.clone(),
        }
    }

    /// Returns `true` if an agent's repertoire includes a task. An agent that lists no tasks of a
    /// kind may use all of that kind.
    pub fn may_use(&self, agent: &Agent, task: &RecordRef) -> bool {
        let task = &self.whole(task);
        let tasks_of = |kind: Kind| {
            let listed = agent.uses.iter();
            listed.filter(move |name| self.contains(&RecordRef::new(kind, (*name).clone())))
        };
        let mut listed = tasks_of(task.kind).peekable();
        listed.peek().is_none() || listed.any(|name| *name == task.name)
    }
}

/// The types of `?me`, the acting character, in the texts of the domain: in a goal the nearest
/// common supertype of the agents that list it, in a task that of the agents whose repertoire
/// includes it. If there are none, and in all other texts, that of all agents.
#[derive(Debug, PartialEq, Eq)]
pub struct TypesOfMe {
    any: Option<Name>,
    /// The type in tasks that no agent lists: that of the agents that list no tasks of the kind.
    primitive: Option<Name>,
    compound: Option<Name>,
    /// The types in the goals and tasks that some agent lists.
    narrower: BTreeMap<RecordRef, Name>,
}

impl TypesOfMe {
    /// Computes the types for a document.
    pub fn new(document: &Document) -> Self {
        let mut types: BTreeMap<RecordRef, Vec<&Name>> = BTreeMap::new();
        let mut note = |kind, name: &Name, of| {
            types
                .entry(RecordRef::new(kind, name.clone()))
                .or_default()
                .push(of);
        };
        let kinds = [Kind::PrimitiveTask, Kind::CompoundTask];
        // The types of the agents that may use all tasks of a kind.
        let mut free: [Vec<&Name>; 2] = Default::default();
        for agent in document.agents.values() {
            if let Planning::Goals { goals, .. } = &agent.planning {
                goals
                    .iter()
                    .for_each(|goal| note(Kind::Goal, goal, &agent.of));
            }
            for (kind, free) in kinds.into_iter().zip(&mut free) {
                let is_there =
                    |name: &&Name| document.contains(&RecordRef::new(kind, (*name).clone()));
                let mut listed = agent.uses.iter().filter(is_there).peekable();
                if listed.peek().is_none() {
                    free.push(&agent.of);
                }
                listed.for_each(|task| note(kind, task, &agent.of));
            }
        }
        let free = free.map(|types| document.common_type(types.into_iter()));
        let common = |(record, types): (RecordRef, Vec<&Name>)| {
            let kind = kinds.iter().position(|kind| *kind == record.kind);
            let free = kind.and_then(|kind| free[kind].as_ref());
            let of = document.common_type(types.into_iter().chain(free))?;
            Some((record, of))
        };
        let narrower = types.into_iter().filter_map(common);
        let mut narrower = map_of(narrower);
        for (name, task) in &document.compound_tasks {
            let of = |name: &Name| RecordRef::new(Kind::CompoundTask, name.clone());
            let whole = task.part_of.as_ref();
            if let Some(of_me) = whole.and_then(|whole| narrower.get(&of(whole))) {
                narrower.insert(of(name), of_me.clone());
            }
        }
        let [primitive, compound] = free;
        Self {
            any: document.type_of_me(),
            primitive,
            compound,
            narrower,
        }
    }

    /// Returns the type in the texts of a record.
    pub fn of(&self, record: &RecordRef) -> Option<&Name> {
        let free = match record.kind {
            Kind::PrimitiveTask => self.primitive.as_ref(),
            Kind::CompoundTask => self.compound.as_ref(),
            _ => None,
        };
        let narrower = self.narrower.get(record);
        narrower.or(free).or(self.any.as_ref())
    }
}

/// Returns the variables of the Bind blocks before a block, in the order of the wires, then its
/// own.
fn bound_above<'a>(task: &'a CompoundTask, block: &BlockId) -> Vec<&'a Param> {
    let upstream = task.method.upstream(block);
    let order = task.method.order().unwrap_or_default();
    order
        .into_iter()
        .filter(|id| upstream.contains(id))
        .chain(task.method.blocks.get_key_value(block).map(|(id, _)| id))
        .filter_map(|id| task.method.blocks.get(id)?.binds())
        .collect()
}
