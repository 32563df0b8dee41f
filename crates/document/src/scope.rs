//! Which variables a place of the document knows.

use super::flowchart::BlockId;
use super::record::{Field, RecordRef, RecordView};
use super::tasks::CompoundTask;
use super::{Agent, Document, Kind, Name, Param};

impl Document {
    /// The variables in scope at a place: the record's parameters; in a flowchart
    /// also those of the Bind blocks from which wires lead to the place's block;
    /// in a Bind block its own; and in a sense those of its fact. Where two have one name, the
    /// inner one alone.
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
    /// The type of `?me`, the character that plays, in the texts of the domain: the nearest type that
    /// all agents' are kinds of. None where there are no agents.
    pub fn type_of_me(&self) -> Option<Name> {
        let mut types = self.agents.values().map(|agent| &agent.of);
        let first = types.next()?;
        Some(types.fold(first.clone(), |all, of| self.nearest_common_type(all, of)))
    }

    /// The nearest type that two are kinds of.
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

    /// Whether an agent's repertoire has a task. Of a kind of task of which it lists none it has all.
    pub fn may_use(&self, agent: &Agent, task: &RecordRef) -> bool {
        let tasks_of = |kind: Kind| {
            let listed = agent.uses.iter();
            listed.filter(move |name| self.contains(&RecordRef::new(kind, (*name).clone())))
        };
        let mut listed = tasks_of(task.kind).peekable();
        listed.peek().is_none() || listed.any(|name| *name == task.name)
    }
}

impl<'a> RecordView<'a> {
    /// Its parameters; none where its kind has none.
    pub fn params(self) -> &'a [Param] {
        match self {
            Self::Fact(record) => &record.params,
            Self::Condition(record) => &record.params,
            Self::Action(record) => &record.params,
            Self::PrimitiveTask(record) => &record.params,
            Self::CompoundTask(record) => &record.params,
            Self::Type(_)
            | Self::Object(_)
            | Self::Goal(_)
            | Self::Agent(_)
            | Self::Scenario(_) => &[],
        }
    }
}

/// The variables of Bind blocks that come before a block, in the order of the
/// wires, then its own.
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
