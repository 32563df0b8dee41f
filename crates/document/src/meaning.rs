//! Comparison of documents by what a planner reads of them.

use std::sync::Arc;

use super::{
    Action, Agent, CompoundTask, Condition, Document, Fact, Goal, Name, Object, PrimitiveTask,
    Scenario, Table, Type,
};

impl Document {
    /// Returns `true` if planning, validating and simulating a scenario has the same result in both
    /// documents, for the same kind of plan. Positions, frames, titles, notes and other scenarios
    /// are ignored. Records that two versions of a document share are compared by pointer only.
    pub fn same_meaning(&self, other: &Self, scenario: &Name) -> bool {
        let planned = |document: &Self| {
            let found = document.scenarios.get_key_value(scenario);
            found.map(|(name, scenario)| (name.clone(), scenario.clone()))
        };
        let same_scenario = match (planned(self), planned(other)) {
            (Some((name, one)), Some((other, two))) => {
                name.same_spelling(&other) && same_record(&one, &two)
            }
            (None, None) => true,
            _ => false,
        };
        same_scenario
            && same_table(&self.types, &other.types)
            && same_table(&self.objects, &other.objects)
            && same_table(&self.facts, &other.facts)
            && same_table(&self.conditions, &other.conditions)
            && same_table(&self.actions, &other.actions)
            && same_table(&self.primitive_tasks, &other.primitive_tasks)
            && same_table(&self.compound_tasks, &other.compound_tasks)
            && same_table(&self.goals, &other.goals)
            && same_table(&self.agents, &other.agents)
    }
}

/// A record with parts that only the designer reads.
trait Described: Clone + PartialEq {
    /// Clears the parts that only the designer reads.
    fn bare(&mut self);
}

macro_rules! described {
    ($($record:ident),*) => {$(
        impl Described for $record {
            fn bare(&mut self) {
                self.title.clear();
                self.note.clear();
            }
        }
    )*};
}
described!(
    Type,
    Object,
    Fact,
    Condition,
    Action,
    PrimitiveTask,
    CompoundTask,
    Goal,
    Agent,
    Scenario
);

fn same_table<R: Described>(one: &Table<R>, other: &Table<R>) -> bool {
    one.len() == other.len()
        && one.iter().zip(other).all(|((name, record), (other, two))| {
            name.same_spelling(other) && same_record(record, two)
        })
}

fn same_record<R: Described>(one: &Arc<R>, other: &Arc<R>) -> bool {
    if Arc::ptr_eq(one, other) {
        return true;
    }
    let bare = |record: &R| {
        let mut record = record.clone();
        record.bare();
        record
    };
    bare(one) == bare(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlockId, Edit, Field, Frame, Info, Point, Record, RecordRef};

    const BALL: &str = include_str!("../../../public/examples/ball-in-the-box.taskloom.json");

    fn same_after(edit: impl FnOnce(&Document) -> Edit) -> bool {
        let before = Document::from_json(BALL).unwrap();
        let after = before.apply(&edit(&before)).unwrap();
        assert_ne!(before, after);
        let scenario = before.scenarios.keys().next().unwrap();
        before.same_meaning(&after, scenario)
    }

    fn method(document: &Document) -> (Name, BlockId) {
        let task: Name = "get-ball".parse().unwrap();
        let begin = document.compound_tasks[&task].method.blocks.keys().next();
        (task, begin.unwrap().clone())
    }

    #[test]
    fn what_only_the_designer_reads_means_nothing() {
        assert!(same_after(|document| {
            let (task, block) = method(document);
            Edit::MoveBlocks(task, vec![(block, Point { x: 7, y: 9 })])
        }));
        assert!(same_after(|_| Edit::SetInfo(Info::default())));
        assert!(same_after(|_| {
            let frame = Frame::default();
            Edit::SetFrame(None, BlockId::new("f").unwrap(), Some(frame))
        }));
        assert!(same_after(|document| {
            let (task, _) = method(document);
            let mut record = CompoundTask::clone(&document.compound_tasks[&task]);
            record.title += "!";
            record.note += "!";
            Edit::Replace(task, Record::CompoundTask(record.into()))
        }));
        assert!(same_after(|document| {
            let other = document.scenarios.keys().last().unwrap().clone();
            Edit::Remove(RecordRef::new(crate::Kind::Scenario, other))
        }));
    }

    #[test]
    fn what_is_planned_by_means_something() {
        assert!(!same_after(|document| {
            let (task, block) = method(document);
            Edit::RemoveBlocks(task, vec![block])
        }));
        assert!(!same_after(|document| {
            let scenario = document.scenarios.keys().next().unwrap().clone();
            let scenario = RecordRef::new(crate::Kind::Scenario, scenario);
            Edit::SetText(scenario, Field::Goal, "box_open".into())
        }));
        assert!(!same_after(|document| {
            let task = document.compound_tasks.keys().next().unwrap().clone();
            let task = RecordRef::new(crate::Kind::CompoundTask, task);
            Edit::Rename(task, "Other".parse().unwrap())
        }));
    }
}
