//! Checks of the start of a method.
//!
//! ```text
//! no Begin block        nothing in the method has an effect
//! Begin, nothing after  the task is done by doing nothing
//! ```

use taskloom_document::sort::set_of;
use taskloom_document::{Block, BlockId, Edit, Field, Flowchart, Point, Port, Wire};

use super::super::findings::Findings;

/// Distance of a new Begin block from the leftmost block, in graph units.
const GAP: i32 = 280;

pub(super) fn check(findings: &mut Findings, method: &Flowchart) {
    let Some(begin) = method.begin() else {
        let fix = add_begin(findings, method);
        let message = "The method has no Begin block, so it cannot start.".into();
        let finding = findings.error("no-begin", Field::Method, message);
        if let Some(edit) = fix {
            finding.fix("Add a Begin block", edit);
        }
        return;
    };
    if !method.wires.iter().any(|wire| wire.from == *begin) {
        let name = &findings.record.name;
        let message =
            format!("Nothing follows Begin, so '{name}' completes at once without doing anything.");
        findings.warning("empty-method", Field::Block(begin.clone()), message);
    }
}

/// Returns an edit that adds a Begin block to the left of all others, wired to the only block
/// without incoming wires, if there is exactly one.
fn add_begin(findings: &Findings, method: &Flowchart) -> Option<Edit> {
    let task = &findings.record.name;
    let layout = &findings.document.layout;
    let places = method.blocks.keys().map(|id| layout.block(task, id));
    let leftmost = places.min_by_key(|place| place.x);
    let at = leftmost.map_or(Point::default(), |place| Point {
        x: place.x.saturating_sub(GAP),
        y: place.y,
    });
    // The id is deterministic, so two people who fix the same flowchart create the same block.
    let ids = std::iter::once("begin".to_owned()).chain((2..).map(|n: u32| format!("begin{n}")));
    let id = ids
        .map_while(|id| BlockId::new(&id).ok())
        .find(|id| !method.blocks.contains_key(id))?;
    let mut edits = vec![Edit::AddBlock {
        task: task.clone(),
        id: id.clone(),
        block: Block::Begin {},
        at,
    }];
    let entered = set_of(method.wires.iter().map(|wire| &wire.to));
    let mut roots = method.blocks.keys().filter(|id| !entered.contains(id));
    if let (Some(root), None) = (roots.next(), roots.next()) {
        let wire = Wire {
            from: id,
            port: Port::Out,
            to: root.clone(),
        };
        edits.push(Edit::Connect(task.clone(), wire));
    }
    Some(Edit::Batch(edits))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::check::fixture::check_method;

    #[test]
    fn reports_a_missing_begin_block() {
        check_method(
            "t: task rest",
            expect![[r#"
            error[no-begin] compound:go method: The method has no Begin block, so it cannot start.
                Add a Begin block
        "#]],
        );
        check_method(
            "",
            expect![[r#"
            error[no-begin] compound:go method: The method has no Begin block, so it cannot start.
                Add a Begin block
        "#]],
        );
    }

    #[test]
    fn warns_if_nothing_follows_begin() {
        check_method(
            "b: begin",
            expect![[r#"
            warning[empty-method] compound:go block b: Nothing follows Begin, so 'go' completes at once without doing anything.
        "#]],
        );
    }
}
