//! New records: their default content, and the edit that adds them.

use taskloom::document::{
    Action, Agent, Block, BlockId, CompoundTask, Condition, Edit, Fact, Goal, Kind, Name, Object,
    Point, PrimitiveTask, Record, Scenario, Type,
};

/// The position of a new method's Begin block.
const FIRST_BLOCK: Point = Point { x: 40, y: 160 };

/// Returns the default content of a new record of a kind, and its provisional name.
pub fn fresh(kind: Kind) -> (&'static str, Record) {
    let object = || Name::new("object").unwrap_or_else(|_| unreachable!("'object' is a name"));
    let none = String::new;
    match kind {
        Kind::Type => {
            let (parent, title, note) = (object(), none(), none());
            (
                "thing",
                Record::Type(
                    Type {
                        parent,
                        title,
                        note,
                    }
                    .into(),
                ),
            )
        }
        Kind::Object => {
            let (of, title, note) = (object(), none(), none());
            ("thing", Record::Object(Object { of, title, note }.into()))
        }
        Kind::Fact => ("fact", Record::Fact(Fact::default().into())),
        Kind::Condition => ("condition", Record::Condition(Condition::default().into())),
        Kind::Action => {
            let action = Action {
                duration: "1".to_owned(),
                ..Action::default()
            };
            ("Action", Record::Action(action.into()))
        }
        Kind::PrimitiveTask => (
            "task",
            Record::PrimitiveTask(PrimitiveTask::default().into()),
        ),
        Kind::CompoundTask => (
            "compound",
            Record::CompoundTask(CompoundTask::default().into()),
        ),
        Kind::Goal => {
            // With priority 0 it would have no value.
            let goal = Goal {
                priority: 1,
                ..Goal::default()
            };
            ("goal", Record::Goal(goal.into()))
        }
        Kind::Agent => ("agent", Record::Agent(Agent::default().into())),
        Kind::Scenario => ("scenario", Record::Scenario(Scenario::default().into())),
    }
}

/// Returns the edit that adds a record. Every method has a start: a new compound task's method gets
/// a Begin block with the id `begin`.
pub fn addition(name: Name, record: Record, begin: BlockId) -> Edit {
    let method = matches!(record, Record::CompoundTask(_)).then(|| Edit::AddBlock {
        task: name.clone(),
        id: begin,
        block: Block::Begin {},
        at: FIRST_BLOCK,
    });
    let mut edits = vec![Edit::Add(name, record)];
    edits.extend(method);
    Edit::Batch(edits)
}
