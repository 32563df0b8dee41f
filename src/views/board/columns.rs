//! The Board as a scene: the paper's columns, and a card for each record.

use std::collections::{BTreeMap, BTreeSet};

use taskloom::document::{Document, Kind, Name, Param, RecordRef, Source, ValueKind};

use super::links::Link;
use crate::canvas::geometry::{Rect, Vec2};
use crate::canvas::role::Role;
use crate::canvas::scene::{End, Node, Scene, Shape, Side, Slot, Socket, Wire};
use crate::canvas::text::wrap;
use crate::views::frames;

/// Width of a card, in graph units.
pub const WIDTH: f64 = 190.0;
/// From one column to the next.
pub const PITCH: f64 = 230.0;
const GAP: f64 = 14.0;
/// Height of a column's heading, and of the group's heading within one.
pub const HEADING: f64 = 40.0;
const HEAD: f64 = 34.0;
const LINE: f64 = 16.0;
const ROW: f64 = 20.0;
const COLUMNS: usize = 23;

/// What is written on a card.
#[derive(Debug, Clone, PartialEq)]
pub struct CardFace {
    /// Of which kind the record is; its class.
    pub class: &'static str,
    /// Name and parameters, or its title.
    pub title: String,
    /// Beside the title: a fact's values, an action's duration.
    pub aside: String,
    /// Below: a condition's formula.
    pub lines: Vec<String>,
    /// Needs with a row of their own, and what stands there.
    pub rows: Vec<(Role, String)>,
    /// Whether the title alone is shown.
    pub collapsed: bool,
}

impl CardFace {
    /// How high it is.
    pub fn height(&self) -> f64 {
        if self.collapsed {
            return HEAD;
        }
        let lines = match self.lines.len() {
            0 => 0.0,
            count => 8.0 + LINE * count as f64,
        };
        let rows = match self.rows.len() {
            0 => 0.0,
            count => 6.0 + ROW * count as f64,
        };
        HEAD + lines + rows
    }

    fn sockets(&self, kind: Kind) -> Vec<Socket> {
        let mut sockets = vec![];
        let need = |role, y| Socket {
            port: Slot::Need(role),
            side: Side::Input,
            at: Vec2::new(0.0, y),
        };
        if kind == Kind::Condition {
            sockets.push(need(Role::Formula, HEAD / 2.0));
        }
        let fold = HEAD / (self.rows.len() as f64 + 1.0);
        for (index, (role, _)) in self.rows.iter().enumerate() {
            let index = index as f64;
            sockets.push(match self.collapsed {
                true => need(*role, fold * (index + 1.0)),
                false => need(*role, HEAD + 3.0 + ROW * (index + 0.5)),
            });
        }
        sockets.push(Socket {
            port: Slot::Offer,
            side: Side::Output,
            at: Vec2::new(WIDTH, HEAD / 2.0),
        });
        sockets
    }
}

fn signature(name: &Name, title: &str, params: &[Param]) -> String {
    if !title.is_empty() {
        return title.to_owned();
    }
    if params.is_empty() {
        return name.to_string();
    }
    let names: Vec<String> = params.iter().map(|p| format!("?{}", p.name)).collect();
    format!("{name}({})", names.join(", "))
}

/// What is written on a record's card; none for kinds that have no card.
pub fn face(document: &Document, record: &RecordRef) -> Option<CardFace> {
    let name = &record.name;
    let face = |class, title, aside: &str| CardFace {
        class,
        title,
        aside: aside.to_owned(),
        lines: vec![],
        rows: vec![],
        collapsed: document.layout.collapsed_cards.contains(record),
    };
    let listed = |texts: &[String]| texts.join(", ");
    Some(match record.kind {
        Kind::Fact => {
            let fact = document.facts.get(name)?;
            let values = match &fact.value {
                ValueKind::Boolean => String::new(),
                ValueKind::Number { .. } => "number".to_owned(),
                ValueKind::Object(of) => of.to_string(),
            };
            let class = match fact.source {
                Source::Sensor => "sensor",
                Source::Memory => "memory",
            };
            face(class, signature(name, &fact.title, &fact.params), &values)
        }
        Kind::Condition => {
            let condition = document.conditions.get(name)?;
            let title = signature(name, &condition.title, &condition.params);
            CardFace {
                lines: wrap(&condition.formula, COLUMNS, 3),
                ..face("condition", title, "")
            }
        }
        Kind::Action => {
            let action = document.actions.get(name)?;
            let ticks = match action.duration {
                1 => "1 tick".to_owned(),
                count => format!("{count} ticks"),
            };
            face(
                "action",
                signature(name, &action.title, &action.params),
                &ticks,
            )
        }
        Kind::PrimitiveTask => {
            let task = document.primitive_tasks.get(name)?;
            let cost = match task.cost.as_str() {
                "" => String::new(),
                cost => format!("cost {cost}"),
            };
            let title = signature(name, &task.title, &task.params);
            CardFace {
                rows: vec![
                    (Role::Precondition, listed(&task.preconditions)),
                    (Role::Integrity, listed(&task.integrity)),
                    (Role::Completion, listed(&task.completion)),
                    (Role::Action, task.action.clone()),
                ],
                ..face("primitive", title, &cost)
            }
        }
        Kind::CompoundTask => {
            let task = document.compound_tasks.get(name)?;
            let blocks = match task.method.blocks.len() {
                0 => "empty".to_owned(),
                1 => "1 block".to_owned(),
                count => format!("{count} blocks"),
            };
            let title = signature(name, &task.title, &task.params);
            CardFace {
                rows: vec![
                    (Role::Precondition, listed(&task.preconditions)),
                    (Role::Integrity, listed(&task.integrity)),
                    (Role::Subtask, String::new()),
                ],
                ..face("compound", title, &blocks)
            }
        }
        _ => return None,
    })
}

/// A heading over a column, or over a group in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Heading {
    /// What stands below.
    pub title: &'static str,
    /// What its button adds.
    pub kind: Kind,
    /// For a fact: where its value comes from.
    pub source: Source,
    /// Its upper left corner.
    pub at: Vec2,
}

/// The columns: a kind each, and the facts by their source.
pub const GROUPS: [(usize, &str, Kind, Source); 6] = [
    (0, "Sensors", Kind::Fact, Source::Sensor),
    (0, "Memory", Kind::Fact, Source::Memory),
    (1, "Conditions", Kind::Condition, Source::Memory),
    (2, "Actions", Kind::Action, Source::Memory),
    (3, "Primitive tasks", Kind::PrimitiveTask, Source::Memory),
    (4, "Compound tasks", Kind::CompoundTask, Source::Memory),
];

/// Cards in their columns, unless they were placed elsewhere, and the headings.
pub fn columns(document: &Document, links: &BTreeSet<Link>) -> (Scene, Vec<Heading>) {
    let mut nodes = BTreeMap::from_iter(frames::nodes(document, None));
    let mut headings = vec![];
    let mut bottoms = [0.0_f64; 5];
    for (column, title, kind, source) in GROUPS {
        let Some(y) = bottoms.get_mut(column) else {
            continue;
        };
        if *y > 0.0 {
            *y += GAP;
        }
        let x = PITCH * column as f64;
        headings.push(Heading {
            title,
            kind,
            source,
            at: Vec2::new(x, *y),
        });
        *y += HEADING;
        let records = document.names(kind).into_iter().filter(|name| {
            let from = document.facts.get(*name).map(|fact| fact.source);
            kind != Kind::Fact || from == Some(source)
        });
        let records = records.map(|name| RecordRef::new(kind, name.clone()));
        // What was placed in this column comes first: the others stand below it.
        let (placed, free): (Vec<_>, Vec<_>) =
            records.partition(|record| document.layout.board.contains_key(record));
        for record in placed.into_iter().chain(free) {
            let Some(face) = face(document, &record) else {
                continue;
            };
            let placed = document.layout.board.get(&record);
            let at = match placed {
                Some(point) => (*point).into(),
                None => Vec2::new(x, *y),
            };
            if at.x == x {
                *y = y.max(at.y + face.height() + GAP);
            }
            let shape = Shape {
                rect: Rect::at(at, WIDTH, face.height()),
                sockets: face.sockets(kind),
                tint: tint(kind, source),
            };
            nodes.insert(Node::Card(record), shape);
        }
    }
    let wires = links.iter();
    let wires = wires.map(|link| (drawn_link(link), link.role.tint()));
    let scene = Scene::new(nodes, BTreeMap::from_iter(wires));
    (scene, headings)
}

/// A link on the canvas.
pub fn drawn_link(link: &Link) -> Wire {
    Wire {
        from: offer(&link.from),
        to: need(&link.to, link.role),
    }
}

/// The link that the canvas shows as this wire.
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

/// The custom property of a card's colour.
fn tint(kind: Kind, source: Source) -> &'static str {
    match (kind, source) {
        (Kind::Fact, Source::Sensor) => "--sensor",
        (Kind::Fact, Source::Memory) => "--fact",
        (Kind::Condition, _) => "--cond",
        (Kind::Action, _) => "--action",
        (Kind::PrimitiveTask, _) => "--prim",
        _ => "--comp",
    }
}

/// The port of a record itself.
pub fn offer(record: &RecordRef) -> End {
    End {
        node: Node::Card(record.clone()),
        port: Slot::Offer,
    }
}

/// The port of a need.
pub fn need(record: &RecordRef, role: Role) -> End {
    End {
        node: Node::Card(record.clone()),
        port: Slot::Need(role),
    }
}

/// The cards, column by column, from top to bottom.
pub fn reading_order(scene: &Scene) -> Vec<Node> {
    let mut order: Vec<(&Node, Vec2)> = scene
        .nodes
        .iter()
        .map(|(node, shape)| (node, shape.rect.corner()))
        .collect();
    order.sort_by(|(_, a), (_, b)| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    order.into_iter().map(|(node, _)| node.clone()).collect()
}

/// The ports that can take a wire from this one.
pub fn targets(scene: &Scene, from: &End, without: Option<&Wire>) -> BTreeSet<End> {
    let fits = |offered: &RecordRef, needing: &RecordRef, role: Role| {
        let link = Link {
            from: offered.clone(),
            to: needing.clone(),
            role,
        };
        let drawn = drawn_link(&link);
        let new = without == Some(&drawn) || !scene.wires.contains_key(&drawn);
        role.takes(offered.kind) && new && !(role == Role::Formula && in_circle(scene, &link))
    };
    let mut ends = BTreeSet::new();
    let Some(own) = from.node.card() else {
        return ends;
    };
    let records = scene.nodes.keys().filter_map(Node::card);
    if let Slot::Need(role) = from.port {
        let records = records.filter(|record| fits(record, own, role));
        ends.extend(records.map(offer));
    } else {
        for record in records {
            let roles = Role::of(record.kind).iter();
            let roles = roles.filter(|role| fits(own, record, **role));
            ends.extend(roles.map(|role| need(record, *role)));
        }
    }
    ends
}

/// Whether a condition would come to stand in its own formula.
fn in_circle(scene: &Scene, link: &Link) -> bool {
    let formulas = scene.wires.keys().filter_map(self::link);
    let formulas: Vec<Link> = formulas.filter(|l| l.role == Role::Formula).collect();
    let mut reached = BTreeSet::from([&link.to]);
    let mut open = vec![&link.to];
    while let Some(condition) = open.pop() {
        for next in formulas.iter().filter(|l| l.from == *condition) {
            if reached.insert(&next.to) {
                open.push(&next.to);
            }
        }
    }
    reached.contains(&link.from)
}

#[cfg(test)]
mod tests {
    use super::super::links::Reader;
    use super::*;
    use taskloom::document::Point;

    fn board(document: &Document) -> Scene {
        columns(document, &Reader::default().links(document)).0
    }

    #[test]
    fn cards_stand_in_columns_without_overlap_and_every_wire_has_both_ports() {
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
    fn a_card_that_was_placed_leaves_its_column() {
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
    fn only_needs_that_a_record_can_meet_take_its_wire() {
        let scene = board(&crate::examples::first());
        let roles = |record: &str| {
            let ends = targets(&scene, &offer(&record.parse().unwrap()), None);
            let roles = BTreeSet::from_iter(ends.iter().map(|e| e.port.key()));
            roles.into_iter().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            roles("fact:box_open"),
            "completion formula integrity precondition"
        );
        assert_eq!(roles("action:OpenBox"), "action");
        assert_eq!(roles("primitive:open-box"), "subtasks");
        let own = need(&"condition:key_at".parse().unwrap(), Role::Formula);
        let offers = targets(&scene, &offer(own.node.card().unwrap()), None);
        assert!(!offers.contains(&own), "no formula in itself");
    }
}
