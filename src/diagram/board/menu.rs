//! The menus of the Board.

use taskloom_document::{Document, Kind, RecordRef};

use super::ports;
use crate::canvas::geometry::Vec2;
use crate::canvas::intent::Intent;
use crate::canvas::scene::{Node, Selected};
use crate::diagram::menu::{Choice, Section, arranging, editing};

/// Returns the sections of the menu of a selection, at a position in pixels of the canvas; without
/// a selection, of the canvas, on which something may be folded.
pub fn sections(
    document: &Document,
    selected: &Selected,
    at: Vec2,
    has_folds: bool,
) -> Vec<Section> {
    let cards: Vec<&RecordRef> = selected.nodes.iter().filter_map(Node::card).collect();
    if !cards.is_empty() {
        return of_cards(document, &cards);
    }
    if !selected.nodes.is_empty() {
        return of_frames(selected.nodes.len());
    }
    match selected.wires.first() {
        // What a task changes is edited in its effects.
        Some(wire) if ports::link(wire).is_none() => vec![],
        Some(_) => vec![Section::new("", [Choice::Command("delete", "Delete wire")])],
        None => of_canvas(at, has_folds),
    }
}

fn of_canvas(at: Vec2, has_folds: bool) -> Vec<Section> {
    let add = [
        Choice::at("Add or find a record…", "add", Intent::Menu(at)),
        Choice::Command("frame", "Add a note"),
        Choice::Command("paste", "Paste"),
    ];
    let board = [
        Choice::Command("select-all", "Select all"),
        Choice::Command("tidy-board", "Tidy"),
        Choice::Command("fit", "Show all"),
    ];
    let unfold = Choice::Command("unfold-columns", "Unfold all columns");
    let board = board.into_iter().chain(Some(unfold).filter(|_| has_folds));
    vec![Section::new("", add), Section::new("Board", board)]
}

fn of_frames(count: usize) -> Vec<Section> {
    let title = Choice::Command("rename", "Edit the title");
    let delete = Choice::Command("delete", "Delete");
    let show = Choice::Command("fit-selection", "Show the selection");
    vec![
        Section::new("", Some(title).filter(|_| count == 1)),
        Section::new("", [delete]),
        Section::new("View", [show]),
    ]
}

fn of_cards(document: &Document, cards: &[&RecordRef]) -> Vec<Section> {
    let mut first = vec![];
    if let [card] = cards {
        if card.kind == Kind::CompoundTask {
            first.push(Choice::Command("enter", "Open the method"));
        }
        first.push(Choice::Command("rename", "Rename"));
        first.push(Choice::Command("connect", "Connect to…"));
        first.push(Choice::Command("uses", "Find uses"));
    }
    let collapsed = &document.layout.collapsed_cards;
    let all_collapsed = cards.iter().all(|card| collapsed.contains(*card));
    let collapse = if all_collapsed { "Expand" } else { "Collapse" };
    // Several cards may be of different columns.
    let fold = Choice::Command("fold-column", "Fold its column");
    let frame = Choice::Command("frame", "Put in a frame");
    let change = [Choice::Command("collapse", collapse)].into_iter();
    let change = change.chain(Some(fold).filter(|_| cards.len() == 1));
    let change = change.chain([frame]);
    let show = [
        Choice::Command("follow", "Select downstream"),
        Choice::Command("fit-selection", "Show the selection"),
    ];
    let heading = match cards.len() {
        1 => "Card",
        _ => "Cards",
    };
    vec![
        Section::new("", first),
        editing(true, "Delete"),
        Section::new(heading, change),
        arranging(cards.len()),
        Section::new("View", show),
    ]
}
