//! The Board as a scene: the paper's columns, and a card for each record.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use taskloom_document::sort::{CompactSort, map_of};
use taskloom_document::{Document, Kind, RecordRef};
use taskloom_domain::dependencies::Link;

use super::cards::face;
use super::folds::Folds;
use super::groups::{Cards, Group, Users, grouped};
use super::ports::drawn_link;
use super::shifts::Shifts;
use crate::canvas::colour::Colour;
use crate::canvas::geometry::{Rect, Vec2};
use crate::canvas::scene::{Node, Scene, Shape, Side, Socket, Wire};
use crate::diagram::face::{CARD, Face, Look, need as need_look};
use crate::diagram::frames;
use crate::kinds::{CHARACTERS, COLUMNS, Card};

/// The distance between the left sides of two columns.
const PITCH: f64 = 214.0;
/// The gap between two columns.
const GUTTER: f64 = PITCH - WIDTH;
/// The gap between two cards of a column.
const GAP: f64 = 14.0;
/// The height above which a column is divided, and the maximum number of its parts.
const TALL: f64 = 900.0;
const MAX_PARTS: f64 = 3.0;
/// The width of a card.
pub const WIDTH: f64 = CARD.width;
/// The height of the heading of one kind of cards.
pub const HEADING: f64 = 40.0;
/// The height of the heading of a group of them.
const GROUP_HEADING: f64 = 30.0;
/// The size of what a folded column leaves, and the gap to the next one.
const STRIP: Vec2 = Vec2::new(36.0, 220.0);
const STRIP_GAP: f64 = 8.0;

/// A heading over cards.
#[derive(Debug, Clone, PartialEq)]
pub struct Head {
    /// The key under which its cards are folded.
    pub key: String,
    /// The look of its cards.
    pub look: Look,
    /// Its text.
    pub title: String,
    /// The number of its cards.
    pub count: usize,
    /// Its rank and form.
    pub form: HeadForm,
    /// `true` if its cards are folded.
    pub folded: bool,
    /// Its place on the canvas.
    pub rect: Rect,
}

/// The form of a heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeadForm {
    /// Over all cards of a kind.
    Kind,
    /// Over a group of cards of a kind.
    Group,
    /// In place of a folded column.
    Strip,
}

/// The Board with its cards in their places.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Layout {
    /// Cards, frames, and the wires of links.
    pub scene: Scene,
    /// The headings.
    pub heads: Vec<Head>,
    /// The difference between positions on the canvas and in the document.
    pub shifts: Shifts,
}

/// Returns `true` if a document has agents or goals.
pub fn has_characters(document: &Document) -> bool {
    !document.agents.is_empty() || !document.goals.is_empty()
}

/// Returns the keys of the headings that a record's card is below, from the outside in.
pub fn keys_of(document: &Document, links: &BTreeSet<Link>, record: &RecordRef) -> Vec<String> {
    let Some(look) = Look::of_card(document, record) else {
        return vec![];
    };
    let stacks = stacks(document, &Users::new(document, links));
    let mut stacks = stacks.iter().flatten();
    let has = |cards: &Cards| cards.iter().any(|(each, _)| each == record);
    let stack = stacks.find(|stack| stack.look == look);
    let groups = stack.into_iter().flat_map(|stack| &stack.groups);
    let group = groups.filter(|group| has(&group.cards));
    let group = group.map(|group| group_key(look, &group.title));
    [look.class().to_owned()].into_iter().chain(group).collect()
}

/// Returns the key of a group.
fn group_key(look: Look, title: &str) -> String {
    format!("{}/{title}", look.class())
}

/// The cards of one look.
struct Stack {
    look: Look,
    title: &'static str,
    /// The cards that were placed by hand.
    placed: Cards,
    /// All others.
    groups: Vec<Group>,
}

impl Stack {
    fn key(&self) -> String {
        self.look.class().to_owned()
    }

    fn is_empty(&self) -> bool {
        self.cards().next().is_none()
    }

    fn cards(&self) -> impl Iterator<Item = &(RecordRef, Face)> {
        let grouped = self.groups.iter().flat_map(|group| &group.cards);
        self.placed.iter().chain(grouped)
    }
}

/// Returns the stacks of each column.
fn stacks(document: &Document, users: &Users) -> Vec<Vec<Stack>> {
    let has_characters = has_characters(document);
    let mut columns: Vec<Vec<Stack>> = (0..COLUMNS).map(|_| vec![]).collect();
    for (look, Card { heading, place, .. }) in Look::of_cards() {
        let (Some(kind), Some(column)) = (look.kind(), columns.get_mut(place.0)) else {
            continue;
        };
        if place.0 != CHARACTERS || has_characters {
            column.push(stack(document, look, kind, heading, users));
        }
    }
    columns
}

fn stack(document: &Document, look: Look, kind: Kind, title: &'static str, users: &Users) -> Stack {
    let records = document.names(kind).into_iter();
    let records = records.map(|name| RecordRef::new(kind, name.clone()));
    let records = records.filter(|record| Look::of_card(document, record) == Some(look));
    let cards = records.filter_map(|record| Some((record.clone(), face(document, &record)?)));
    let is_placed = |(record, _): &(RecordRef, Face)| document.layout.board.contains_key(record);
    let (placed, free) = cards.partition(is_placed);
    Stack {
        look,
        title,
        placed,
        groups: grouped(free, users),
    }
}

/// Returns the cards in their columns, unless they were placed elsewhere, and the headings. Cards
/// of folded groups have no place of their own: their wires end at the heading.
pub fn columns(document: &Document, links: &BTreeSet<Link>, folds: &Folds) -> Layout {
    let stacks = stacks(document, &Users::new(document, links));
    let unfolded = Folds::default();
    let mut shifts = Shifts::default();
    if !folds.is_empty() {
        let wide = Columns::new(document, &unfolded, &shifts).filled(&stacks).1;
        let narrow = Columns::new(document, folds, &shifts).filled(&stacks).1;
        for (wide, narrow) in wide.windows(2).zip(narrow.windows(2)) {
            if let ([left, right], [from, to]) = (wide, narrow) {
                shifts.push(right - GUTTER, (right - left) - (to - from));
            }
        }
    }
    let (board, _) = Columns::new(document, folds, &shifts).filled(&stacks);
    let mut scene = Scene::new(board.nodes, wires(links, &board.folded));
    let strips = board
        .heads
        .iter()
        .filter(|head| head.form == HeadForm::Strip);
    scene.others = strips.map(|head| below_heading(head.rect)).collect();
    scene.folded = board.folded;
    Layout {
        scene,
        heads: board.heads,
        shifts,
    }
}

/// Returns the wires of links, except for those between folded cards.
pub fn wires(links: &BTreeSet<Link>, folded: &BTreeMap<Node, Shape>) -> BTreeMap<Wire, Colour> {
    let wires = links.iter();
    let wires = wires.map(|link| (drawn_link(link), need_look(link.role).colour));
    map_of(wires.filter(|(wire, _)| {
        let ends = [&wire.from.node, &wire.to.node];
        !ends.iter().all(|node| folded.contains_key(node))
    }))
}

/// Returns the part of a strip that is beside cards.
fn below_heading(rect: Rect) -> Rect {
    let corner = Vec2::new(rect.x, rect.y + HEADING);
    Rect::at(corner, rect.w, rect.h - HEADING)
}

/// The Board as far as its columns are filled.
struct Columns<'a> {
    document: &'a Document,
    folds: &'a Folds,
    shifts: &'a Shifts,
    nodes: BTreeMap<Node, Shape>,
    folded: BTreeMap<Node, Shape>,
    heads: Vec<Head>,
    /// The cards that were placed by hand, by the strips of the width of a column that they are in. The others are above
    /// the next card, or in other columns.
    by_hand: BTreeMap<i64, Vec<Rect>>,
    /// The position of the next card.
    at: Vec2,
}

impl<'a> Columns<'a> {
    fn new(document: &'a Document, folds: &'a Folds, shifts: &'a Shifts) -> Self {
        let mut nodes = map_of(frames::nodes(document, None));
        for shape in nodes.values_mut() {
            shape.rect = shifts.shown_rect(shape.rect);
        }
        Self {
            document,
            folds,
            shifts,
            nodes,
            folded: BTreeMap::new(),
            heads: vec![],
            by_hand: BTreeMap::new(),
            at: Vec2::default(),
        }
    }

    /// Fills all columns. Also returns their left sides, and that of the column after them.
    fn filled(mut self, columns: &[Vec<Stack>]) -> (Self, Vec<f64>) {
        let mut sides = vec![0.0];
        for stacks in columns {
            let folded = |stack: &&Stack| self.folds.has(&stack.key());
            // An empty stack needn't be folded for its column to be narrow.
            let is_narrow = stacks.iter().any(|stack| folded(&stack))
                && stacks
                    .iter()
                    .all(|stack| folded(&stack) || stack.is_empty());
            if is_narrow {
                let folded: Vec<&Stack> = stacks.iter().filter(folded).collect();
                folded.into_iter().for_each(|stack| self.add_strip(stack));
                self.at.x += GUTTER - STRIP_GAP;
            } else {
                self.add(stacks);
            }
            sides.push(self.at.x);
        }
        (self, sides)
    }

    /// Adds what a folded stack leaves of its column.
    fn add_strip(&mut self, stack: &Stack) {
        let rect = Rect::at(self.at, STRIP.x, STRIP.y);
        self.add_head(stack, HeadForm::Strip, rect);
        self.at.x += STRIP.x + STRIP_GAP;
    }

    /// Adds a column with all of its stacks. One that is too tall is divided into parts beside each
    /// other.
    fn add(&mut self, stacks: &[Stack]) {
        let is_open = |stack: &&Stack| !self.folds.has(&stack.key());
        let open = || stacks.iter().filter(is_open);
        let is_shown = |look: Look, group: &&Group| {
            group.title.is_empty() || !self.folds.has(&group_key(look, &group.title))
        };
        let shown = || {
            open().flat_map(|stack| {
                let groups = stack
                    .groups
                    .iter()
                    .filter(|group| is_shown(stack.look, group));
                stack
                    .placed
                    .iter()
                    .chain(groups.flat_map(|group| &group.cards))
            })
        };
        let cards: f64 = shown().map(|(_, face)| face.size().y + GAP).sum();
        let height = HEADING * stacks.len() as f64 + cards;
        let groups = open().flat_map(|stack| &stack.groups);
        let headings = groups.filter(|group| !group.title.is_empty()).count();
        let headings = GROUP_HEADING * headings as f64;
        let tallest = shown().map(|(_, face)| face.size().y).fold(0.0, f64::max);
        let parts = (height / TALL).ceil().clamp(1.0, MAX_PARTS);
        // Parts are divided between cards, so the first ones are taller than the last one.
        let limit = (height + headings) / parts + HEADING + tallest;
        for stack in stacks {
            self.add_stack(stack, limit);
        }
        self.at = Vec2::new(self.at.x + PITCH, 0.0);
    }

    fn add_stack(&mut self, stack: &Stack, limit: f64) {
        if self.at.y > 0.0 {
            self.at.y += GAP;
        }
        let folded = self.folds.has(&stack.key());
        let first = stack.cards().next().filter(|_| !folded);
        let first = first.map_or(0.0, |(_, face)| face.size().y);
        self.wrap(HEADING + first, limit);
        let rect = Rect::at(self.at, WIDTH, HEADING);
        self.add_head(stack, HeadForm::Kind, rect);
        self.at.y += HEADING;
        if folded {
            return;
        }
        for (record, face) in &stack.placed {
            self.place(record, face, limit);
        }
        for group in &stack.groups {
            self.add_group(stack.look, group, limit);
        }
    }

    fn add_group(&mut self, look: Look, group: &Group, limit: f64) {
        if !group.title.is_empty() {
            let key = group_key(look, &group.title);
            let folded = self.folds.has(&key);
            let first = group.cards.first().filter(|_| !folded);
            let first = first.map_or(0.0, |(_, face)| face.size().y);
            self.wrap_below_heading(GROUP_HEADING + first, limit);
            let rect = Rect::at(self.at, WIDTH, GROUP_HEADING);
            self.heads.push(Head {
                key,
                look,
                title: group.title.clone(),
                count: group.cards.len(),
                form: HeadForm::Group,
                folded,
                rect,
            });
            self.at.y += GROUP_HEADING;
            if folded {
                return group.cards.iter().for_each(|card| self.fold(card, rect));
            }
        }
        for (record, face) in &group.cards {
            self.place(record, face, limit);
        }
    }

    /// Adds the heading of a stack, and folds its cards if it is folded.
    fn add_head(&mut self, stack: &Stack, form: HeadForm, rect: Rect) {
        let folded = self.folds.has(&stack.key());
        self.heads.push(Head {
            key: stack.key(),
            look: stack.look,
            title: stack.title.to_owned(),
            count: stack.cards().count(),
            form,
            folded,
            rect,
        });
        if folded {
            stack.cards().for_each(|card| self.fold(card, rect));
        }
    }

    /// Lets the wires of a card end at a heading.
    fn fold(&mut self, (record, face): &(RecordRef, Face), rect: Rect) {
        let y = rect.h.min(HEADING) / 2.0;
        let sockets = face.sockets().into_iter().map(|Socket { port, .. }| {
            let x = match port.side() {
                Side::Input => 0.0,
                Side::Output => rect.w,
            };
            let at = Vec2::new(x, y);
            Socket { port, at }
        });
        let shape = Shape {
            rect,
            sockets: sockets.collect(),
            ..face.shape(rect.corner())
        };
        self.folded.insert(Node::Card(record.clone()), shape);
    }

    /// Continues in the next part of the column if the rest of this one is lower than `height`.
    fn wrap(&mut self, height: f64, limit: f64) {
        if self.at.y > HEADING && self.at.y + height > limit {
            self.at = Vec2::new(self.at.x + PITCH, 0.0);
        }
    }

    /// Continues there below where a heading would be.
    fn wrap_below_heading(&mut self, height: f64, limit: f64) {
        let before = self.at.x;
        self.wrap(height, limit);
        if self.at.x > before {
            self.at.y = HEADING;
        }
    }

    fn place(&mut self, record: &RecordRef, face: &Face, limit: f64) {
        let placed = self.document.layout.board.get(record);
        if placed.is_none() {
            self.wrap_below_heading(face.size().y, limit);
        }
        let at = placed.map_or(self.at, |point| self.shifts.shown((*point).into()));
        let mut shape = face.shape(at);
        if placed.is_none() {
            self.at.y = self.below(shape.rect);
            shape = face.shape(self.at);
        } else {
            for strip in strips_of(shape.rect) {
                self.by_hand.entry(strip).or_default().push(shape.rect);
            }
        }
        if shape.rect.x == self.at.x {
            self.at.y = self.at.y.max(shape.rect.bottom() + GAP);
        }
        self.nodes.insert(Node::Card(record.clone()), shape);
    }

    /// Moves a card down as long as it would cover one that was placed by hand: when a document's Board gets another
    /// column, cards may already have been placed there.
    fn below(&self, mut rect: Rect) -> f64 {
        let near = strips_of(rect).filter_map(|strip| self.by_hand.get(&strip));
        let mut near: Vec<Rect> = near
            .flatten()
            .filter(|other| other.x < rect.right() && rect.x < other.right())
            .copied()
            .collect();
        near.compact_sort_by(|a, b| a.y.total_cmp(&b.y));
        for other in near {
            if other.meets(&rect) {
                rect.y = other.bottom() + GAP;
            }
        }
        rect.y
    }
}

/// Returns the numbers of the strips that a card is in.
fn strips_of(rect: Rect) -> RangeInclusive<i64> {
    let strip = |x: f64| (x / PITCH).floor() as i64;
    strip(rect.x)..=strip(rect.right())
}

/// Returns the cards, column by column, from top to bottom.
pub fn reading_order(scene: &Scene) -> Vec<Node> {
    let mut order: Vec<(&Node, Vec2)> = scene
        .nodes
        .iter()
        .map(|(node, shape)| (node, shape.rect.corner()))
        .collect();
    order.compact_sort_by(|(_, a), (_, b)| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    order.into_iter().map(|(node, _)| node.clone()).collect()
}

#[cfg(test)]
#[path = "columns_tests.rs"]
mod tests;
