//! Making room for a frame among the cards.

use std::collections::BTreeSet;

use leptos::prelude::*;
use taskloom::document::Edit;

use super::columns::{HEADING, Heading, WIDTH, columns};
use super::content::Board;
use crate::canvas::geometry::{Rect, Vec2};
use crate::canvas::gesture::SNAP;
use crate::canvas::scene::{Scene, TITLE};
use crate::diagram::frames::{self, AROUND};
use crate::diagram::model::Diagram;

/// The space below a heading's text, in graph units.
const BELOW_HEADING: f64 = 8.0;

impl Board {
    /// Makes room for a frame's title, for which a column has none: cards below that line move
    /// down, and the column's cards keep their resulting positions.
    pub(super) fn room_for_frame(&self, around: &Rect) -> (Vec<Edit>, f64) {
        let scene = self.scene.get_untracked();
        let headings = columns(&self.session.document_untracked(), &BTreeSet::new()).1;
        let down = missing(&scene, &headings, around);
        if down <= 0.0 {
            return (vec![], 0.0);
        }
        let moved = |meant: &dyn Fn(&Rect) -> bool, by: f64| {
            let nodes = scene
                .nodes
                .iter()
                .filter(|(_, shape)| shares_column(&shape.rect, around) && meant(&shape.rect));
            let nodes = BTreeSet::from_iter(nodes.map(|(node, _)| node.clone()));
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
fn missing(scene: &Scene, headings: &[Heading], around: &Rect) -> f64 {
    let headings = headings.iter().map(|heading| {
        let height = HEADING - BELOW_HEADING;
        Rect::at(heading.at, WIDTH, height)
    });
    let cards = scene.nodes.iter().filter(|(node, _)| node.is_solid());
    let above = headings.chain(cards.map(|(_, shape)| shape.rect));
    let above = above.filter(|rect| shares_column(rect, around) && rect.bottom() <= around.y);
    let room = above.map(|rect| around.y - rect.bottom());
    let room = room.fold(f64::INFINITY, f64::min);
    let wanted = AROUND + TITLE + BELOW_HEADING;
    ((wanted - room) / SNAP).ceil().max(0.0) * SNAP
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canvas::scene::Node;
    use taskloom::domain::dependencies::Reader;

    #[test]
    fn frames_leave_room_for_their_title() {
        let document = crate::examples::first();
        let (scene, headings) = columns(&document, &Reader::default().links(&document));
        let rect = |record: &str| scene.nodes[&Node::Card(record.parse().unwrap())].rect;
        let needed = |record: &str| missing(&scene, &headings, &rect(record));
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
        assert_eq!(
            missing(&scene, &headings, &alone),
            0.0,
            "nothing is above it"
        );
    }
}
