//! Moving cards, and making room for a frame among them.

use std::collections::BTreeSet;

use leptos::prelude::*;
use taskloom_document::sort::set_of;
use taskloom_document::{Edit, Point, RecordRef};

use super::columns::{HEADING, Head, WIDTH};
use super::content::Board;
use crate::canvas::geometry::{Rect, Vec2};
use crate::canvas::gesture::SNAP;
use crate::canvas::scene::{Node, Scene, TITLE};
use crate::diagram::frames::{self, AROUND};
use crate::diagram::model::Diagram;

/// The space below a heading's text, in graph units.
const BELOW_HEADING: f64 = 8.0;

impl Board {
    /// Returns the positions of these cards after a displacement on the canvas. What is folded inside
    /// the frames among them moves along.
    pub(super) fn moved_cards(
        &self,
        nodes: &BTreeSet<Node>,
        by: Vec2,
    ) -> Vec<(RecordRef, Option<Point>)> {
        let scene = self.scene.get_untracked();
        let document = self.session.document_untracked();
        let placed = |record: &RecordRef| document.layout.board.get(record).copied();
        let place = |record: &RecordRef| {
            let shown = scene.nodes.get(&Node::Card(record.clone()))?.rect.corner() + by;
            let stored = self.stored(shown);
            // One that was placed, and moves straight down, keeps its column.
            let x = placed(record).filter(|_| by.x == 0.0);
            Some(Vec2::new(
                x.map_or(stored.x, |at| f64::from(at.x)),
                stored.y,
            ))
        };
        let cards = nodes.iter().filter_map(Node::card);
        let cards =
            cards.filter_map(|record| Some((record.clone(), Some(place(record)?.to_point()))));
        let frames = document.layout.frames(None);
        let frames = nodes.iter().filter_map(|node| frames.get(node.frame()?));
        let frames: Vec<Rect> = frames.map(|frame| frames::rect(frame)).collect();
        let folded = scene.folded.keys().filter_map(Node::card);
        let folded = folded.filter_map(|record| {
            let at = Vec2::from(placed(record)?);
            let is_inside = frames.iter().any(|frame| frame.contains(at));
            is_inside.then(|| (record.clone(), Some((at + by).to_point())))
        });
        cards.chain(folded).collect()
    }

    /// Makes room for a frame's title, for which a column has none: cards below that line move
    /// down, and the column's cards keep their resulting positions.
    pub(super) fn room_for_frame(&self, around: &Rect) -> (Vec<Edit>, f64) {
        let scene = self.scene.get_untracked();
        let heads = self.heads.get_untracked();
        let down = missing(&scene, &heads, around);
        if down <= 0.0 {
            return (vec![], 0.0);
        }
        let moved = |meant: &dyn Fn(&Rect) -> bool, by: f64| {
            let nodes = scene
                .nodes
                .iter()
                .filter(|(_, shape)| shares_column(&shape.rect, around) && meant(&shape.rect));
            let nodes = set_of(nodes.map(|(node, _)| node.clone()));
            let by = Vec2::new(0.0, by);
            let mut edits = frames::moved(self.session, &nodes, by);
            edits.extend(self.moved(&nodes, by));
            edits
        };
        let within = |rect: &Rect| rect.y >= around.y && rect.y < around.bottom();
        let edits = [
            moved(&|rect| rect.y < around.y, 0.0),
            moved(&within, down),
            moved(&|rect| rect.y >= around.bottom(), down + SNAP),
        ];
        (edits.concat(), down)
    }
}

/// Returns `true` if one is above or below the other, or inside it.
fn shares_column(rect: &Rect, around: &Rect) -> bool {
    rect.x < around.right() && rect.right() > around.x
}

/// Returns the distance that cards have to move down, on the grid, for a frame's title to fit
/// between them and what is above them.
fn missing(scene: &Scene, heads: &[Head], around: &Rect) -> f64 {
    let heads = heads.iter().map(|head| {
        let height = head.rect.h.min(HEADING) - BELOW_HEADING;
        Rect::at(head.rect.corner(), WIDTH, height)
    });
    let cards = scene.nodes.iter().filter(|(node, _)| node.is_solid());
    let above = heads.chain(cards.map(|(_, shape)| shape.rect));
    let above = above.filter(|rect| shares_column(rect, around) && rect.bottom() <= around.y);
    let room = above.map(|rect| around.y - rect.bottom());
    let room = room.fold(f64::INFINITY, f64::min);
    let wanted = AROUND + TITLE + BELOW_HEADING;
    ((wanted - room) / SNAP).ceil().max(0.0) * SNAP
}

#[cfg(test)]
mod tests {
    use super::super::columns::{Layout, columns};
    use super::super::folds::Folds;
    use super::*;
    use taskloom_domain::dependencies::Reader;

    #[test]
    fn frames_leave_room_for_their_title() {
        let document = crate::examples::first();
        let links = Reader::default().links(&document);
        let Layout { scene, heads, .. } = columns(&document, &links, &Folds::default());
        let rect = |record: &str| scene.nodes[&Node::Card(record.parse().unwrap())].rect;
        let needed = |record: &str| missing(&scene, &heads, &rect(record));
        let title = AROUND + TITLE;
        assert!(
            needed("fact:at") >= title - BELOW_HEADING,
            "the first of its column"
        );
        assert!(
            needed("fact:has") >= title - BELOW_HEADING,
            "the first of its group"
        );
        assert!(needed("fact:box_open") >= title - 14.0);
        let alone = Rect::at(Vec2::new(-900.0, 0.0), 100.0, 100.0);
        assert_eq!(missing(&scene, &heads, &alone), 0.0, "nothing is above it");
    }
}
