//! The menus of a method.

use std::sync::Arc;

use taskloom_document::{Block, BlockId, CompoundTask, Document, Name};
use taskloom_domain::calls::called_task;

use super::chart;
use crate::canvas::geometry::Vec2;
use crate::canvas::intent::Intent;
use crate::canvas::scene::{Node, Selected};
use crate::diagram::menu::{Choice, Section, arranging, editing};

/// Returns the sections of the menu of a selection, at a position in pixels of the canvas and in
/// graph units; without a selection, of the canvas. `is_planned` says that the only selected block is
/// in the plan.
pub fn sections(
    document: &Document,
    task: &Name,
    selected: &Selected,
    (at, graph): (Vec2, Vec2),
    is_planned: bool,
) -> Vec<Section> {
    let Some(owner) = document.compound_tasks.get(task) else {
        return vec![];
    };
    let mut blocks = vec![];
    let (mut frames, mut bends) = (0, 0);
    for node in &selected.nodes {
        match node {
            Node::Block(id) => blocks.extend(owner.method.blocks.get_key_value(id)),
            Node::Frame(_) => frames += 1,
            Node::Bend(..) => bends += 1,
            Node::Card(_) => {}
        }
    }
    match (blocks.as_slice(), frames, bends) {
        ([], 0, 0) => match selected.wires.first() {
            Some(wire) => of_wire(wire, at, graph),
            None => of_canvas(at),
        },
        ([], 0, _) => vec![Section::new(
            "",
            [Choice::Command("delete", "Delete point")],
        )],
        ([], ..) => of_frames(frames),
        (blocks, ..) => {
            let why = Choice::Command("why", "Why is it in the plan?");
            let mut sections = of_blocks(document, task, owner, blocks);
            let first = sections.first_mut().filter(|_| is_planned);
            first
                .into_iter()
                .for_each(|first| first.choices.push(why.clone()));
            sections
        }
    }
}

fn of_wire(wire: &crate::canvas::scene::Wire, at: Vec2, graph: Vec2) -> Vec<Section> {
    let insert = Intent::Insert(wire.clone(), at);
    let mut choices = vec![];
    if chart::wire_of(wire).is_some() {
        let bend = Intent::Bend(Some((wire.clone(), graph)));
        choices.push(Choice::at("Insert a block…", "enter", insert));
        choices.push(Choice::at("Bend", "bend", bend));
    }
    let delete = Section::new("", [Choice::Command("delete", "Delete wire")]);
    vec![Section::new("", choices), delete]
}

fn of_canvas(at: Vec2) -> Vec<Section> {
    let add = [
        Choice::at("Add a block…", "add", Intent::Menu(at)),
        Choice::Command("frame", "Add a note"),
        Choice::Command("paste", "Paste"),
    ];
    let method = [
        Choice::Command("select-all", "Select all"),
        Choice::Command("tidy-method", "Tidy"),
        Choice::Command("fit", "Show all"),
        Choice::Command("leave", "Leave the method"),
    ];
    vec![Section::new("", add), Section::new("Method", method)]
}

fn of_frames(count: usize) -> Vec<Section> {
    let title = Choice::Command("rename", "Edit the title");
    let show = Choice::Command("fit-selection", "Show the selection");
    vec![
        Section::new("", Some(title).filter(|_| count == 1)),
        editing(true, "Delete"),
        Section::new("View", [show]),
    ]
}

fn of_blocks(
    document: &Document,
    task: &Name,
    owner: &CompoundTask,
    blocks: &[(&BlockId, &Arc<Block>)],
) -> Vec<Section> {
    let method = &owner.method;
    let is_text = |block: &Block| !matches!(block, Block::Begin {} | Block::End {});
    let mut first = vec![];
    let mut called = false;
    if let [(_, block)] = blocks {
        let compound = called_task(block);
        let compound = compound.filter(|name| document.compound_tasks.contains_key(name));
        called = compound.is_some();
        let open = Choice::Command("enter", "Open the method");
        first.extend(compound.map(|_| open));
        first.extend(is_text(block).then_some(Choice::Command("rename", "Edit the text")));
        let has_ports = block.has_input() || !block.ports().is_empty();
        first.extend(has_ports.then_some(Choice::Command("connect", "Connect to…")));
    }
    let is_copyable = blocks.iter().any(|(id, _)| !method.is_begin(id));
    let mutable: Vec<_> = blocks
        .iter()
        .filter(|(id, _)| method.can_mute(id))
        .collect();
    let all_muted = mutable.iter().all(|(id, _)| method.muted.contains(*id));
    let mute = Choice::Command("mute", if all_muted { "Unmute" } else { "Mute" });
    let collapsed = &document.layout.drawing(task).collapsed;
    let all_collapsed = blocks.iter().all(|(id, _)| collapsed.contains(*id));
    let collapse = if all_collapsed { "Expand" } else { "Collapse" };
    let mut change: Vec<Choice> = (!mutable.is_empty()).then_some(mute).into_iter().collect();
    change.push(Choice::Command("collapse", collapse));
    change.push(Choice::Command("frame", "Put in a frame"));
    if blocks.iter().any(|(_, block)| is_text(block)) {
        change.push(Choice::Command("extract", "Extract a compound task"));
    }
    if called {
        change.push(Choice::Command("inline", "Inline the called task"));
    }
    let show = [
        Choice::Command("follow", "Select downstream"),
        Choice::Command("fit-selection", "Show the selection"),
    ];
    let heading = match blocks.len() {
        1 => "Block",
        _ => "Blocks",
    };
    vec![
        Section::new("", first),
        editing(is_copyable, "Delete"),
        Section::new(heading, change),
        arranging(blocks.len()),
        Section::new("View", show),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::chart::tests::{document, id, task};
    use super::*;

    /// Returns the labels of the menu of these blocks of a method: Begin -> go -> walk.
    fn labels(names: &[&str]) -> Vec<String> {
        let document = document(
            &[
                ("b", Block::Begin {}, (0, 0)),
                ("x", task("go"), (140, 0)),
                ("y", task("walk"), (400, 0)),
            ],
            &["b.out -> x", "x.out -> y"],
        );
        let nodes = names.iter().map(|name| Node::Block(id(name))).collect();
        let selected = Selected {
            nodes,
            ..Selected::default()
        };
        let go: Name = "go".parse().unwrap();
        let at = (Vec2::default(), Vec2::default());
        let sections = sections(&document, &go, &selected, at, names == ["x"]);
        let label = |choice: Choice| match choice {
            Choice::Command(_, label) | Choice::At(label, ..) => label.to_owned(),
        };
        let choices = sections.into_iter().flat_map(|section| section.choices);
        choices.map(label).collect()
    }

    fn has(labels: &[String], label: &str) -> bool {
        labels.iter().any(|each| each == label)
    }

    #[test]
    fn blocks_offer_only_what_is_possible() {
        let call = labels(&["x"]);
        for label in [
            "Open the method",
            "Edit the text",
            "Inline the called task",
            "Why is it in the plan?",
            "Cut",
            "Mute",
        ] {
            assert!(has(&call, label), "{label}: {call:?}");
        }
        assert!(!has(&call, "Bend") && !has(&call, "Left"), "{call:?}");
        let other = labels(&["y"]);
        assert!(!has(&other, "Open the method"), "{other:?}");
        assert!(!has(&other, "Inline the called task"), "{other:?}");
        assert!(!has(&other, "Why is it in the plan?"), "{other:?}");
        let begin = labels(&["b"]);
        for label in ["Cut", "Copy", "Duplicate", "Mute", "Edit the text"] {
            assert!(!has(&begin, label), "{label}: {begin:?}");
        }
    }

    #[test]
    fn several_blocks_can_be_aligned_and_three_distributed() {
        let two = labels(&["x", "y"]);
        assert!(has(&two, "Left") && !has(&two, "Distribute vertically"));
        assert!(!has(&two, "Edit the text"), "{two:?}");
        assert!(has(&labels(&["b", "x", "y"]), "Distribute vertically"));
    }

    #[test]
    fn empty_canvas_offers_to_add_and_paste() {
        let empty = labels(&[]);
        assert_eq!(empty[..3], ["Add a block…", "Add a note", "Paste"]);
    }
}
