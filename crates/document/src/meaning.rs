//! Comparison of documents by what a planner reads of them.

use super::{Document, Kind, Name, RecordRef};

impl Document {
    /// Returns `true` if planning, validating and simulating a scenario has the same result in both
    /// documents, for the same kind of plan. Positions, frames, titles, notes and other scenarios
    /// are ignored. Records that two versions of a document share are compared by pointer only.
    pub fn same_meaning(&self, other: &Self, scenario: &Name) -> bool {
        let same_table = |kind: Kind| {
            let (one, other) = (self.table(kind), other.table(kind));
            let mut pairs = one.iter().zip(&other);
            one.len() == other.len()
                && pairs.all(|((name, record), (other_name, other))| {
                    name.same_spelling(other_name) && record.same_meaning(*other)
                })
        };
        let scenario = RecordRef::new(Kind::Scenario, scenario.clone());
        let planned = |document: &Self| document.spelled(&scenario);
        let same_scenario = match (planned(self), planned(other)) {
            (Some(one), Some(two)) => {
                let views = self.view(&one).zip(other.view(&two));
                one.name.same_spelling(&two.name)
                    && views.is_some_and(|(one, two)| one.same_meaning(two))
            }
            (None, None) => true,
            _ => false,
        };
        let mut others = Kind::ALL.into_iter().filter(|kind| *kind != Kind::Scenario);
        same_scenario && others.all(same_table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlockId, CompoundTask, Edit, Field, Frame, Info, Point, Record};

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
    fn layout_and_notes_do_not_affect_meaning() {
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
            Edit::Remove(RecordRef::new(Kind::Scenario, other))
        }));
    }

    #[test]
    fn inputs_of_the_planner_affect_meaning() {
        assert!(!same_after(|document| {
            let (task, block) = method(document);
            Edit::RemoveBlocks(task, vec![block])
        }));
        assert!(!same_after(|document| {
            let scenario = document.scenarios.keys().next().unwrap().clone();
            let scenario = RecordRef::new(Kind::Scenario, scenario);
            Edit::SetText(scenario, Field::Goal, "box_open".into())
        }));
        assert!(!same_after(|document| {
            let task = document.compound_tasks.keys().next().unwrap().clone();
            let task = RecordRef::new(Kind::CompoundTask, task);
            Edit::Rename(task, "Other".parse().unwrap())
        }));
    }
}
