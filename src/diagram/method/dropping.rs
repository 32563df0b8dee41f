//! Drops on a method: tasks become calls, facts and conditions Branches, and blocks are added.

use leptos::prelude::*;
use taskloom_document::syntax::free_variables;
use taskloom_document::{Block, BlockKind, CompoundTask, Document, Kind, Name, Param, RecordRef};

use super::adding::{Origin, PORT_OFFSET};
use super::chart;
use super::flow::Method;
use crate::canvas::geometry::Vec2;
use crate::canvas::scene::Hit;
use crate::diagram::model::{Dragged, DropOffer, OpenDiagram};
use crate::kinds;

/// The distance, in graph units, within which a record is dropped on a wire.
const REACH: f64 = 12.0;

impl Method {
    /// Returns what a drop at a point of the graph would do, or why it is refused.
    pub(super) fn offer_of(&self, dragged: &Dragged, at: Vec2) -> Result<DropOffer, String> {
        let document = self.document();
        let owner = self.owner().ok_or("The method no longer exists.")?;
        let kind = match dragged {
            Dragged::Record(record) => block_for(&document, &owner, record)?.kind(),
            Dragged::Block(kind) => *kind,
        };
        let scene = self.scene.get_untracked();
        let wire = match scene.hit(at, REACH, &Default::default()) {
            Hit::Wire(wire) | Hit::WireEnd(wire, _) if !kind.ends() => Some(wire),
            _ => None,
        };
        let what = match kind {
            BlockKind::Task => "a Task block".to_owned(),
            BlockKind::End => "an End".to_owned(),
            kind => format!("a {}", kind.title()),
        };
        let words = match wire {
            Some(_) => format!("Insert {what} on the wire"),
            None => format!("Add {what}"),
        };
        Ok(DropOffer { words, wire })
    }

    /// Adds a block for what is dropped at a point of the graph.
    pub(super) fn take_dropped(&self, open: OpenDiagram, dragged: &Dragged, at: Vec2) {
        let Some(owner) = self.owner() else { return };
        let wire = match self.offer_of(dragged, at) {
            Ok(offer) => offer.wire.as_ref().and_then(chart::wire_of),
            Err(reason) => return self.session.toast(reason, None),
        };
        let origin = wire.map_or(Origin::Nothing, Origin::Wire);
        let place = at - PORT_OFFSET;
        match dragged {
            Dragged::Record(record) => {
                let Ok(block) = block_for(&self.document(), &owner, record) else {
                    return;
                };
                if self.add((&origin, place), None, block).is_some() {
                    open.surface.focus(None);
                }
            }
            Dragged::Block(kind) => self.add_kind(open, *kind, (origin, place)),
        }
    }
}

/// Returns the block that a record becomes in a task's method, or why it can't be one.
fn block_for(
    document: &Document,
    owner: &CompoundTask,
    record: &RecordRef,
) -> Result<Block, String> {
    let view = document
        .view(record)
        .ok_or("The record no longer exists.")?;
    let call = call(document, owner, &record.name, view.params());
    match record.kind {
        Kind::PrimitiveTask | Kind::CompoundTask => Ok(Block::task(call)),
        Kind::Fact | Kind::Condition => Ok(Block::Branch { condition: call }),
        kind => Err(format!(
            "{} can't be blocks. Drop a task, a fact or a condition.",
            kinds::of(kind).title
        )),
    }
}

/// Returns the parameters of a task and the variables of its method.
fn variables(owner: &CompoundTask) -> impl Iterator<Item = &Param> {
    let blocks = owner.method.blocks.values();
    let bound = blocks.filter_map(|block| block.binds());
    owner.params.iter().chain(bound)
}

/// Returns `true` if a call names only variables that its method has.
pub(super) fn is_bound(owner: &CompoundTask, call: &str) -> bool {
    let known = |name: &Name| variables(owner).any(|variable| variable.name == *name);
    free_variables(call)
        .iter()
        .all(|variable| known(&variable.name))
}

/// Returns a call whose arguments are the method's variables: each that has the name of a parameter
/// and fits it, or else the only one that fits. Any other argument has the parameter's own name.
fn call(document: &Document, owner: &CompoundTask, name: &Name, params: &[Param]) -> String {
    if params.is_empty() {
        return name.to_string();
    }
    let mut free: Vec<&Param> = variables(owner).collect();
    let mut argument = |param: &Param| {
        let fits = |variable: &&Param| is_a(document, &variable.of, &param.of);
        let fitting: Vec<&Param> = free.iter().copied().filter(fits).collect();
        let same = fitting
            .iter()
            .find(|variable| variable.name == param.name)
            .copied();
        let only = match fitting.as_slice() {
            [only] => Some(*only),
            _ => None,
        };
        let chosen = same.or(only);
        if let Some(chosen) = chosen {
            free.retain(|variable| variable.name != chosen.name);
        }
        format!("?{}", chosen.map_or(&param.name, |chosen| &chosen.name))
    };
    let arguments: Vec<String> = params.iter().map(&mut argument).collect();
    format!("{name}({})", arguments.join(", "))
}

/// Returns `true` if a type is another one, or a subtype of it.
fn is_a(document: &Document, of: &Name, ancestor: &Name) -> bool {
    let parent = |name: &Name| {
        let parent = document.types.get(name)?.parent.clone();
        Some(parent).filter(|parent| parent != name)
    };
    let ancestors = std::iter::successors(Some(of.clone()), parent);
    // A file may contain a cycle, which `check` reports.
    let mut ancestors = ancestors.take(document.types.len() + 2);
    *ancestor == Name::root() || ancestors.any(|name| name == *ancestor)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the block for a record of the example in the method of a task with a parameter
    /// `?goal` of this type.
    fn block(kind: Kind, name: &str, of: &str) -> Result<Block, String> {
        let text = include_str!("../../../public/examples/ball-in-the-box.taskloom.json");
        let document = Document::from_json(text).unwrap();
        let owner = CompoundTask {
            params: vec![Param {
                name: "goal".parse().unwrap(),
                of: of.parse().unwrap(),
            }],
            ..CompoundTask::default()
        };
        block_for(
            &document,
            &owner,
            &RecordRef::new(kind, name.parse().unwrap()),
        )
    }

    fn call_of(name: &str, of: &str) -> String {
        let block = block(Kind::PrimitiveTask, name, of).unwrap();
        block.call().unwrap().to_owned()
    }

    #[test]
    fn arguments_are_the_methods_variables_if_unambiguous() {
        assert_eq!(call_of("walk-to", "place"), "walk-to(?goal)");
        let own = call_of("walk-to", "item");
        assert!(!own.contains("?goal"), "{own}");
        assert_eq!(call_of("take-ball", "place"), "take-ball");
    }

    #[test]
    fn facts_become_branches_and_objects_are_refused() {
        let branch = block(Kind::Fact, "box_open", "place").unwrap();
        let condition = "box_open".to_owned();
        assert_eq!(branch, Block::Branch { condition });
        assert_eq!(
            block(Kind::Object, "box", "place").unwrap_err(),
            "Objects can't be blocks. Drop a task, a fact or a condition."
        );
    }

    #[test]
    fn calls_with_unknown_variables_are_incomplete() {
        let owner = CompoundTask::default();
        assert!(is_bound(&owner, "go"));
        assert!(!is_bound(&owner, "go(?a)"));
    }
}
