//! The Board as a scene: the paper's columns, and a card for each record.

use std::collections::{BTreeMap, BTreeSet};

use taskloom::document::{Document, Kind, RecordRef};
use taskloom::domain::dependencies::{Link, Role, is_possible};

use super::cards::face;
use crate::canvas::geometry::{Rect, Vec2};
use crate::canvas::scene::{End, Node, Scene, Shape, Slot, Wire};
use crate::diagram::face::{CARD, Look, need as need_look};
use crate::diagram::frames;
use crate::kinds::{CHARACTERS, COLUMNS, Card};

/// The distance between the left sides of two columns.
pub const PITCH: f64 = 230.0;
/// The gap between two cards of a column.
pub const GAP: f64 = 14.0;
/// The width of a card.
pub const WIDTH: f64 = CARD.width;
/// The height of a column's heading, and of a group's heading within one.
pub const HEADING: f64 = 40.0;

/// A heading over a column, or over a group in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Heading {
    /// The look of the cards below, which also determines what its button adds.
    pub look: Look,
    /// Its text.
    pub title: &'static str,
    /// Its upper left corner.
    pub at: Vec2,
}

/// Returns `true` if a document has agents or goals.
pub fn has_characters(document: &Document) -> bool {
    !document.agents.is_empty() || !document.goals.is_empty()
}

/// Returns the groups that a document's Board shows: the look of each group's cards, its heading and
/// column, and the kind of its records.
fn groups(document: &Document) -> impl Iterator<Item = (Look, Card, Kind)> {
    let has_characters = has_characters(document);
    let groups = Look::of_cards().into_iter();
    let groups = groups.filter_map(|(look, card)| Some((look, card, look.kind()?)));
    groups.filter(move |(_, card, _)| card.place.0 != CHARACTERS || has_characters)
}

/// Returns the cards in their columns, unless they were placed elsewhere, and the headings.
pub fn columns(document: &Document, links: &BTreeSet<Link>) -> (Scene, Vec<Heading>) {
    let mut nodes = BTreeMap::from_iter(frames::nodes(document, None));
    let mut headings = vec![];
    let mut bottoms = [0.0_f64; COLUMNS];
    for (look, card, kind) in groups(document) {
        let column = card.place.0;
        let Some(y) = bottoms.get_mut(column) else {
            continue;
        };
        if *y > 0.0 {
            *y += GAP;
        }
        let x = PITCH * column as f64;
        headings.push(Heading {
            look,
            title: card.heading,
            at: Vec2::new(x, *y),
        });
        *y += HEADING;
        let records = document.names(kind).into_iter();
        let records = records.map(|name| RecordRef::new(kind, name.clone()));
        let records = records.filter(|record| Look::of_card(document, record) == Some(look));
        // Cards placed in this column come first; the others go below them.
        let (placed, free): (Vec<_>, Vec<_>) =
            records.partition(|record| document.layout.board.contains_key(record));
        for record in placed.into_iter().chain(free) {
            let Some(face) = face(document, &record) else {
                continue;
            };
            let placed = document.layout.board.get(&record);
            let mut shape = face.shape(placed.map_or(Vec2::new(x, *y), |point| (*point).into()));
            if placed.is_none() && column == CHARACTERS {
                *y = below(&nodes, shape.rect);
                shape = face.shape(Vec2::new(x, *y));
            }
            if shape.rect.x == x {
                *y = y.max(shape.rect.bottom() + GAP);
            }
            nodes.insert(Node::Card(record), shape);
        }
    }
    let wires = links.iter();
    let wires = wires.map(|link| (drawn_link(link), need_look(link.role).colour));
    let scene = Scene::new(nodes, BTreeMap::from_iter(wires));
    (scene, headings)
}

/// Moves a card down as long as it would cover another: when a document's Board gets another
/// column, cards may already have been placed there.
fn below(nodes: &BTreeMap<Node, Shape>, mut rect: Rect) -> f64 {
    let cards = nodes.iter().filter(|(node, _)| node.is_solid());
    let near = cards.map(|(_, shape)| shape.rect);
    let mut near: Vec<Rect> = near
        .filter(|other| other.x < rect.right() && rect.x < other.right())
        .collect();
    near.sort_by(|a, b| a.y.total_cmp(&b.y));
    for other in near {
        if other.meets(&rect) {
            rect.y = other.bottom() + GAP;
        }
    }
    rect.y
}

/// Returns a link's wire on the canvas.
pub fn drawn_link(link: &Link) -> Wire {
    Wire {
        from: offer(&link.from),
        to: need(&link.to, link.role),
    }
}

/// Returns the link that the canvas shows as this wire.
pub fn link(drawn: &Wire) -> Option<Link> {
    let Slot::Need(role) = drawn.to.port else {
        return None;
    };
    Some(Link {
        from: drawn.from.node.card()?.clone(),
        to: drawn.to.node.card()?.clone(),
        role,
    })
}

/// Returns the port of a record itself.
pub fn offer(record: &RecordRef) -> End {
    End {
        node: Node::Card(record.clone()),
        port: Slot::Offer,
    }
}

/// Returns the port of a need.
pub fn need(record: &RecordRef, role: Role) -> End {
    End {
        node: Node::Card(record.clone()),
        port: Slot::Need(role),
    }
}

/// Returns the cards, column by column, from top to bottom.
pub fn reading_order(scene: &Scene) -> Vec<Node> {
    let mut order: Vec<(&Node, Vec2)> = scene
        .nodes
        .iter()
        .map(|(node, shape)| (node, shape.rect.corner()))
        .collect();
    order.sort_by(|(_, a), (_, b)| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    order.into_iter().map(|(node, _)| node.clone()).collect()
}

/// Returns the ports that can take a wire from this one if the Board has these links, ignoring
/// `without`.
pub fn targets(
    scene: &Scene,
    links: &BTreeSet<Link>,
    from: &End,
    without: Option<&Link>,
) -> BTreeSet<End> {
    let mut ends = BTreeSet::new();
    let Some(own) = from.node.card() else {
        return ends;
    };
    let mut add = |from: &RecordRef, to: &RecordRef, role: Role, end: &dyn Fn() -> End| {
        let link = Link {
            from: from.clone(),
            to: to.clone(),
            role,
        };
        let end = end();
        // An agent that plans for tasks has no port for goals.
        if is_possible(links, &link, without) && scene.socket(&end).is_some() {
            ends.insert(end);
        }
    };
    for record in scene.nodes.keys().filter_map(Node::card) {
        match from.port {
            Slot::Need(role) => add(record, own, role, &|| offer(record)),
            _ => {
                for role in Role::of(record.kind) {
                    add(own, record, *role, &|| need(record, *role));
                }
            }
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;
    use taskloom::document::Point;
    use taskloom::domain::dependencies::Reader;

    fn board(document: &Document) -> Scene {
        columns(document, &Reader::default().links(document)).0
    }

    #[test]
    fn cards_form_columns_without_overlap_and_wires_have_both_ports() {
        let document = crate::examples::first();
        let scene = board(&document);
        let rects: Vec<Rect> = scene.nodes.values().map(|s| s.rect).collect();
        for (i, a) in rects.iter().enumerate() {
            assert!(rects[i + 1..].iter().all(|b| !a.meets(b)));
        }
        assert!(scene.wires.len() > 10);
        for wire in scene.wires.keys() {
            assert!(scene.curve(wire).is_some(), "{wire:?}");
        }
        let kinds: Vec<Kind> = {
            let order = reading_order(&scene);
            order
                .iter()
                .filter_map(Node::card)
                .map(|r| r.kind)
                .collect()
        };
        assert!(kinds.is_sorted(), "column by column");
    }

    #[test]
    fn placed_cards_leave_their_column() {
        let mut document = crate::examples::first();
        let record: RecordRef = "fact:at".parse().unwrap();
        let second: RecordRef = "fact:ball_in_box".parse().unwrap();
        let place = |scene: &Scene, record: &RecordRef| {
            scene.nodes[&Node::Card(record.clone())].rect.corner()
        };
        let first_place = place(&board(&document), &record);
        document
            .layout
            .board
            .insert(record.clone(), Point { x: -300, y: 7 });
        let scene = board(&document);
        assert_eq!(place(&scene, &record), Vec2::new(-300.0, 7.0));
        assert_eq!(place(&scene, &second), first_place);
    }

    #[test]
    fn characters_are_below_placed_cards_if_there_are_any() {
        let mut document = crate::examples::first();
        let place = Point { x: 1150, y: 40 };
        let [fact, robot]: [RecordRef; 2] = ["fact:at", "agent:robot"].map(|r| r.parse().unwrap());
        document.layout.board.insert(fact.clone(), place);
        let scene = board(&document);
        let rect = |record: &RecordRef| scene.nodes[&Node::Card(record.clone())].rect;
        assert_eq!(rect(&robot).y, rect(&fact).bottom() + GAP);
        document.agents = Default::default();
        let (_, headings) = columns(&document, &BTreeSet::new());
        assert!(headings.iter().all(|h| h.look.kind() != Some(Kind::Agent)));
    }

    #[test]
    fn records_connect_only_to_compatible_ports() {
        let document = crate::examples::first();
        let links = Reader::default().links(&document);
        let scene = board(&document);
        let roles = |record: &str| {
            let from = offer(&record.parse().unwrap());
            let ends = targets(&scene, &links, &from, None);
            let roles = BTreeSet::from_iter(ends.iter().map(|e| e.port.key()));
            roles.into_iter().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            roles("fact:box_open"),
            "completion formula integrity precondition sense"
        );
        assert_eq!(roles("action:OpenBox"), "action");
        assert_eq!(roles("primitive:open-box"), "repertoire subtasks task");
        let task = need(&"primitive:open-box".parse().unwrap(), Role::Action);
        let offers = targets(&scene, &links, &task, None);
        assert!(!offers.is_empty() && offers.iter().all(|end| end.port == Slot::Offer));
    }
}
