//! Which variables a place of the document knows.

use super::flowchart::BlockId;
use super::record::{Field, RecordRef, RecordView};
use super::tasks::CompoundTask;
use super::{Document, Param};

impl Document {
    /// The variables in scope at a place: the record's parameters; in a flowchart
    /// also those of the Bind blocks from which wires lead to the place's block;
    /// and in a Bind block its own. Where two have one name, the inner one alone.
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
                | Field::BlockVariable(id),
            ) => bound_above(task, id),
            _ => vec![],
        };
        for param in view.params().iter().chain(inner) {
            scope.retain(|known: &Param| known.name != param.name);
            scope.push(param.clone());
        }
        scope
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
