//! The Board as a scene: the paper's columns, and a card for each record.

use std::collections::{BTreeMap, BTreeSet};

use taskloom::document::{Document, Kind, Name, RecordRef};
use taskloom::domain::dependencies::{Link, Role, is_possible};

use super::cards::face;
use crate::canvas::geometry::{Rect, Vec2};
use crate::canvas::scene::{End, Node, Scene, Shape, Slot, Wire};
use crate::diagram::face::{CARD, Face, Look, need as need_look};
use crate::diagram::frames;
use crate::kinds::{CHARACTERS, COLUMNS, Card};

/// The distance between the left sides of two columns.
const PITCH: f64 = 214.0;
/// The gap between two cards of a column.
const GAP: f64 = 14.0;
/// The height above which a column is divided, and the maximum number of its parts.
const TALL: f64 = 900.0;
const MAX_PARTS: f64 = 3.0;
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
    let mut board = Columns {
        document,
        nodes: BTreeMap::from_iter(frames::nodes(document, None)),
        headings: vec![],
        at: Vec2::default(),
    };
    for column in 0..COLUMNS {
        board.add(column);
    }
    let wires = links.iter();
    let wires = wires.map(|link| (drawn_link(link), need_look(link.role).colour));
    let scene = Scene::new(board.nodes, BTreeMap::from_iter(wires));
    (scene, board.headings)
}

/// The Board as far as its columns are filled.
struct Columns<'a> {
    document: &'a Document,
    nodes: BTreeMap<Node, Shape>,
    headings: Vec<Heading>,
    /// The position of the next card.
    at: Vec2,
}

impl Columns<'_> {
    /// Adds a column with all of its groups. One that is too tall is divided into parts beside each
    /// other.
    fn add(&mut self, column: usize) {
        let groups = groups(self.document).filter(|(_, card, _)| card.place.0 == column);
        let groups: Vec<_> = groups
            .map(|(look, card, kind)| ((look, card.heading), self.cards(look, kind)))
            .collect();
        let height = |cards: &[(RecordRef, Face)]| {
            let heights = cards.iter().map(|(_, face)| face.size().y + GAP);
            HEADING + heights.sum::<f64>()
        };
        let height: f64 = groups.iter().map(|(_, cards)| height(cards)).sum();
        let parts = (height / TALL).ceil().clamp(1.0, MAX_PARTS);
        let cards = groups.iter().flat_map(|(_, cards)| cards);
        let tallest = cards.map(|(_, face)| face.size().y).fold(0.0, f64::max);
        // Parts are divided between cards, so the first ones are taller than the last one.
        let limit = height / parts + HEADING + tallest;
        for ((look, title), cards) in groups {
            if self.at.y > 0.0 {
                self.at.y += GAP;
            }
            let first = cards.first().map_or(0.0, |(_, face)| face.size().y);
            self.wrap(HEADING + first, limit);
            self.headings.push(Heading {
                look,
                title,
                at: self.at,
            });
            self.at.y += HEADING;
            for (record, face) in cards {
                self.place(record, &face, limit);
            }
        }
        self.at = Vec2::new(self.at.x + PITCH, 0.0);
    }

    /// Returns the cards of a group: those placed in its column come first, and the others are
    /// below them.
    fn cards(&self, look: Look, kind: Kind) -> Vec<(RecordRef, Face)> {
        let records = self.document.names(kind).into_iter();
        let records = records.map(|name| RecordRef::new(kind, name.clone()));
        let records = records.filter(|record| Look::of_card(self.document, record) == Some(look));
        let (placed, free): (Vec<_>, Vec<_>) =
            records.partition(|record| self.document.layout.board.contains_key(record));
        let cards = placed.into_iter().chain(free);
        let cards =
            cards.filter_map(|record| Some((record.clone(), face(self.document, &record)?)));
        cards.collect()
    }

    /// Continues in the next part of the column if the rest of this one is lower than `height`.
    fn wrap(&mut self, height: f64, limit: f64) {
        if self.at.y > HEADING && self.at.y + height > limit {
            self.at = Vec2::new(self.at.x + PITCH, 0.0);
        }
    }

    fn place(&mut self, record: RecordRef, face: &Face, limit: f64) {
        let placed = self.document.layout.board.get(&record);
        if placed.is_none() {
            let before = self.at.x;
            self.wrap(face.size().y, limit);
            if self.at.x > before {
                self.at.y = HEADING;
            }
        }
        let mut shape = face.shape(placed.map_or(self.at, |point| (*point).into()));
        if placed.is_none() {
            self.at.y = below(&self.nodes, shape.rect);
            shape = face.shape(self.at);
        }
        if shape.rect.x == self.at.x {
            self.at.y = self.at.y.max(shape.rect.bottom() + GAP);
        }
        self.nodes.insert(Node::Card(record), shape);
    }
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

/// Returns the wire between a fact and a primitive task that changes it.
pub fn drawn_change(task: &Name, fact: &Name) -> Wire {
    Wire {
        from: offer(&RecordRef::new(Kind::Fact, fact.clone())),
        to: End {
            node: Node::Card(RecordRef::new(Kind::PrimitiveTask, task.clone())),
            port: Slot::Changes,
        },
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
            // An effect is written in the inspector: a wire doesn't tell the new value.
            Slot::Changes => {}
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
        let place = Point {
            x: 4 * PITCH as i32,
            y: 40,
        };
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
    fn tall_columns_are_divided() {
        let mut document = crate::examples::first();
        let task = document.primitive_tasks.values().next().unwrap().clone();
        for number in 0..30 {
            let name = format!("task-{number}").parse().unwrap();
            document.primitive_tasks.insert(name, task.clone());
        }
        let scene = board(&document);
        let rects = |kind: Kind| {
            let cards = scene.nodes.iter();
            let cards = cards.filter(move |(node, _)| node.card().is_some_and(|r| r.kind == kind));
            cards.map(|(_, shape)| shape.rect).collect::<Vec<_>>()
        };
        let (tasks, next) = (rects(Kind::PrimitiveTask), rects(Kind::CompoundTask));
        let lefts = BTreeSet::from_iter(tasks.iter().map(|rect| rect.x as i32));
        assert_eq!(lefts.len(), 3);
        let bottom = tasks.iter().map(Rect::bottom).fold(0.0, f64::max);
        assert!(bottom < 36.0 * 120.0 / 2.0, "{bottom}");
        let right = tasks.iter().map(Rect::right).fold(0.0, f64::max);
        assert!(next.iter().all(|rect| rect.x >= right));
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
