//! The edit that adds a record.

use taskloom_document::{Block, BlockId, Edit, Name, Point, Record};

/// The position of a new method's Begin block.
const FIRST_BLOCK: Point = Point { x: 40, y: 160 };

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
