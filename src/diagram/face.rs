//! The face of a node: what is written on it, and its size. The elements, the exported picture and
//! the drawing from afar are all derived from it.

use taskloom_document::sort::CompactSort;
use taskloom_document::{Document, Kind, Port, RecordRef, Source};
use taskloom_domain::dependencies::Role;
use taskloom_layout::{Text, block_width};

use super::text::wrap;
use crate::canvas::colour::Colour;
use crate::canvas::geometry::{Rect, Vec2};
use crate::canvas::scene::{Shape, Side, Slot, Socket};
use crate::kinds::{self, Card, KindInfo, SOURCES};
use crate::ui::icon::Lucide;

/// The appearance of a node, for its colour and description.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// A block where a method begins.
    Begin,
    /// A call of something that doesn't exist.
    Unknown,
    /// A block with a condition.
    Branch,
    /// A block with alternatives.
    Choice,
    /// A block that binds an object.
    Bind,
    /// A block where a method is complete.
    End,
    /// A fact with this source.
    Fact(Source),
    /// A record of another kind, or a call of a task.
    Record(Kind),
}

impl Look {
    /// Returns the looks of all cards, in the order of the Board's groups.
    pub fn of_cards() -> Vec<(Self, Card)> {
        let facts = SOURCES.into_iter().map(Self::Fact);
        let looks = facts.chain(Kind::ALL.into_iter().map(Self::Record));
        let mut cards: Vec<(Self, Card)> = looks
            .filter_map(|look| Some((look, look.card()?)))
            .collect();
        cards.compact_sort_by_key(|(_, card)| card.place);
        cards
    }

    /// Returns the group of its cards; `None` if it is not that of a card.
    fn card(self) -> Option<Card> {
        match self {
            Self::Fact(source) => Some(kinds::of_source(source).1),
            Self::Record(kind) => kinds::of(kind).card,
            _ => None,
        }
    }

    /// Returns the kind of its record; `None` for a block that is not a call.
    pub fn kind(self) -> Option<Kind> {
        match self {
            Self::Fact(_) => Some(Kind::Fact),
            Self::Record(kind) => Some(kind),
            _ => None,
        }
    }

    /// Returns the class of its element, its colour, its icon, and its name.
    fn parts(self) -> (&'static str, Colour, Lucide, &'static str) {
        let of_card = |card: Card, icon, name| (card.class, card.colour, icon, name);
        match self {
            Self::Begin => ("begin", Colour::Dim, Lucide::Play, "Begin"),
            Self::Unknown => {
                let icon = Lucide::CircleQuestionMark;
                ("unknown", Colour::No, icon, "unknown task")
            }
            Self::Branch => ("branch", Colour::Condition, Lucide::Split, "Branch"),
            Self::Choice => ("choice", Colour::Condition, Lucide::ListOrdered, "Choice"),
            Self::Bind => ("bind", Colour::Condition, Lucide::Variable, "Bind"),
            Self::End => ("end", Colour::Dim, Lucide::Flag, "End"),
            Self::Fact(source) => {
                let (name, card) = kinds::of_source(source);
                of_card(card, kinds::icon_of_source(source), name)
            }
            Self::Record(kind) => {
                let info = kinds::of(kind);
                let KindInfo { class, icon, .. } = info;
                let plain = (class, Colour::Dim, icon, kind.label());
                let card = info.card;
                card.map_or(plain, |card| of_card(card, icon, kind.label()))
            }
        }
    }

    /// Returns the class of its element.
    pub fn class(self) -> &'static str {
        self.parts().0
    }

    /// Returns its colour.
    pub fn colour(self) -> Colour {
        self.parts().1
    }

    /// Returns the icon in its head.
    pub fn icon(self) -> Lucide {
        self.parts().2
    }

    /// Returns its name.
    pub fn words(self) -> &'static str {
        self.parts().3
    }

    /// Returns the look of a record that has a card on the Board.
    pub fn of_card(document: &Document, record: &RecordRef) -> Option<Self> {
        let look = match record.kind {
            Kind::Fact => Self::Fact(document.facts.get(&record.name)?.source),
            kind => Self::Record(kind),
        };
        look.card().map(|_| look)
    }
}

/// The appearance of a need: its row on a card, and its wires.
pub struct Need {
    /// The icon of its row.
    pub icon: Lucide,
    /// The class of its wires.
    pub class: &'static str,
    /// Its colour.
    pub colour: Colour,
    /// The dash pattern of its wires, as SVG's `stroke-dasharray`.
    pub dashes: &'static str,
}

/// The appearance of changes.
pub const CHANGES: Need = Need {
    icon: Lucide::ArrowRight,
    class: "role-effect",
    colour: Colour::Action,
    dashes: "none",
};

/// Returns the appearance of a need.
pub fn need(role: Role) -> Need {
    let (icon, class, colour, dashes) = match role {
        Role::Formula => (Lucide::Funnel, "role-formula", Colour::Condition, "none"),
        Role::Precondition => (Lucide::Check, "role-precondition", Colour::Fact, "none"),
        Role::Integrity => (Lucide::Shield, "role-integrity", Colour::Fact, "8 4"),
        Role::Completion => (Lucide::Flag, "role-completion", Colour::Fact, "2 5"),
        Role::Claim => (Lucide::Lock, "role-claim", Colour::Fact, "1 3"),
        Role::Action => (Lucide::Zap, "role-action", Colour::Action, "none"),
        Role::Subtask => (Lucide::Workflow, "role-subtask", Colour::Compound, "none"),
        Role::Task => (Lucide::Workflow, "role-task", Colour::Compound, "none"),
        Role::Goal => (Lucide::Target, "role-goal", Colour::Goal, "none"),
        Role::Repertoire => (
            Lucide::SquarePlay,
            "role-repertoire",
            Colour::Primitive,
            "8 4",
        ),
        Role::Sense => (Lucide::Radar, "role-sense", Colour::Fact, "none"),
    };
    Need {
        icon,
        class,
        colour,
        dashes,
    }
}

/// The dimensions of a kind of box, in graph units, as in the style sheet.
#[derive(Debug, PartialEq)]
pub struct Form {
    /// The class of its element.
    pub class: &'static str,
    /// Its width; for a block, the largest one.
    pub width: f64,
    /// The height of its head; ports without a row are at its middle.
    pub head: f64,
    /// The total space above and below its lines.
    padding: f64,
    /// The number of characters per line of the monospace font at its size.
    columns: usize,
    /// The height of a row.
    pub row: f64,
    /// The space above the first row, and below the last one.
    pub around_rows: [f64; 2],
}

/// The number of characters of a detail next to a title that are always shown. A longer detail gets
/// only the space that the title leaves, so that no cost or type displaces a name.
const ASIDE: usize = 8;

/// The distance between ports at the lower edge of a card.
const UNMET_PITCH: f64 = 24.0;

/// The height of a line.
pub const LINE: f64 = 16.0;

/// The form of a block.
pub static BLOCK: Form = BLOCK_FORM;
const BLOCK_FORM: Form = Form {
    class: "block",
    width: 220.0,
    head: 36.0,
    padding: 12.0,
    columns: 25,
    row: 24.0,
    around_rows: [0.0, 4.0],
};
/// The form of a block that consists only of its head.
pub static PILL: Form = Form {
    width: 80.0,
    ..BLOCK_FORM
};
/// The form of a card on the Board.
pub static CARD: Form = Form {
    class: "card",
    width: 190.0,
    head: 32.0,
    padding: 8.0,
    columns: 21,
    row: 18.0,
    around_rows: [0.0, 6.0],
};

/// A row with its own port.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The port.
    pub port: Slot,
    /// The purpose of the port; for a need, its content.
    pub text: String,
}

impl Row {
    /// Returns the colour of the port's label.
    pub fn colour(&self) -> Colour {
        match self.port {
            Slot::Need(role) => need(role).colour,
            Slot::Changes => CHANGES.colour,
            Slot::Out(Port::True) => Colour::Ok,
            Slot::Out(Port::False) => Colour::No,
            _ => Colour::Dim,
        }
    }
}

/// The text on a node.
#[derive(Debug, Clone, PartialEq)]
pub struct Face {
    /// Its look.
    pub look: Look,
    /// Its dimensions.
    pub form: &'static Form,
    /// The title in its head.
    pub title: String,
    /// The detail next to the title: a fact's values, an action's duration.
    pub aside: String,
    /// The lines below, in the monospace font if they are text of the expression language.
    pub lines: Vec<String>,
    /// `true` if the lines are a plain description of the node.
    pub plain: bool,
    /// The entire text, which the lines may abbreviate.
    pub full: String,
    /// The rows below the lines.
    pub rows: Vec<Row>,
    /// The ports of needs that are not met yet: they have no rows, and are at the lower edge.
    pub unmet: Vec<Slot>,
    /// `true` if only the title is shown.
    pub collapsed: bool,
}

impl Face {
    /// Creates a face with a title and a text below it.
    pub fn new(look: Look, form: &'static Form, title: &str, full: String) -> Self {
        Self {
            look,
            form,
            title: title.to_owned(),
            aside: String::new(),
            lines: wrap(&full, form.columns, 3),
            plain: false,
            full,
            rows: vec![],
            unmet: vec![],
            collapsed: false,
        }
    }

    /// Uses a plain description if there is no text.
    pub fn with_fallback(mut self, text: String) -> Self {
        if self.full.trim().is_empty() {
            (self.lines, self.plain) = (vec![text], true);
        }
        self
    }

    /// Appends words to the entire text, but not to its lines.
    pub fn with_words(mut self, words: &str) -> Self {
        if !words.is_empty() {
            self.full = format!("{}\n{words}", self.full);
        }
        self
    }

    /// Appends a line.
    pub fn with_line(mut self, text: &str) -> Self {
        self.lines.extend(wrap(text, self.form.columns, 1));
        self
    }

    /// Returns `true` if the detail next to the title yields to it when there is too little space
    /// for both.
    pub fn aside_yields(&self) -> bool {
        self.aside.chars().count() > ASIDE
    }

    /// Returns `true` if it consists only of its head, in a rounded box.
    pub fn is_pill(&self) -> bool {
        *self.form == PILL
    }

    /// Returns the position of its rows, including the space above them.
    pub fn rows_top(&self) -> f64 {
        let lines = match self.lines.len() {
            0 => 0.0,
            count => self.form.padding + LINE * count as f64,
        };
        self.form.head + lines
    }

    /// Returns its width: a block is as wide as its texts, a card as its column.
    pub fn width(&self) -> f64 {
        if *self.form != BLOCK {
            return self.form.width;
        }
        let line = |line| match self.plain {
            true => Text::Note(line),
            false => Text::Code(line),
        };
        let title = match self.aside.as_str() {
            "" => self.title.clone(),
            aside => format!("{} {aside}", self.title),
        };
        let lines = self.lines.iter().map(|text| line(text.as_str()));
        let rows = self.rows.iter().map(|row| Text::Outlet(&row.text));
        let texts = lines.chain(rows).chain([Text::Title(&title)]);
        f64::from(block_width(texts))
    }

    /// Returns its width and height.
    pub fn size(&self) -> Vec2 {
        let Form { head, row, .. } = *self.form;
        let width = self.width();
        if self.collapsed || self.is_pill() {
            return Vec2::new(width, head);
        }
        let rows = match self.rows.len() {
            0 => 0.0,
            count => row * count as f64 + self.form.around_rows.iter().sum::<f64>(),
        };
        Vec2::new(width, self.rows_top() + rows)
    }

    /// Returns its ports.
    pub fn sockets(&self) -> Vec<Socket> {
        let Form { head, row, .. } = *self.form;
        let width = self.width();
        let socket = |port: Slot, y| {
            let x = if port.side() == Side::Input {
                0.0
            } else {
                width
            };
            let at = Vec2::new(x, y);
            Socket { port, at }
        };
        let count = self.rows.len() + self.unmet.len();
        let (top, step) = if self.collapsed {
            let step = head / (count as f64 + 1.0);
            (step, step)
        } else {
            (self.rows_top() + self.form.around_rows[0] + row / 2.0, row)
        };
        let bottom = self.size().y;
        let unmet = self.unmet.iter().enumerate().map(|(at, port)| {
            if self.collapsed {
                return socket(*port, top + step * (self.rows.len() + at) as f64);
            }
            let x = UNMET_PITCH * (at as f64 + 1.0);
            Socket {
                port: *port,
                at: Vec2::new(x, bottom),
            }
        });
        let rows = self.rows.iter().enumerate();
        let rows = rows.map(|(at, row)| socket(row.port, top + step * at as f64));
        let (before, after) = self.head_ports();
        let in_head = |port: Option<Slot>| port.map(|port| socket(port, head / 2.0));
        let sockets = in_head(before).into_iter().chain(rows).chain(unmet);
        sockets.chain(in_head(after)).collect()
    }

    /// Returns the ports that have no row: an input and an output.
    fn head_ports(&self) -> (Option<Slot>, Option<Slot>) {
        let is_card = *self.form == CARD;
        let input = match self.look {
            Look::Record(Kind::Condition | Kind::Goal) if is_card => {
                Some(Slot::Need(Role::Formula))
            }
            Look::Begin => None,
            _ => (!is_card).then_some(Slot::In),
        };
        let output = match self.look {
            // Nothing needs an agent.
            Look::Record(Kind::Agent) => None,
            _ if is_card => Some(Slot::Offer),
            Look::End | Look::Branch | Look::Choice => None,
            _ => Some(Slot::Out(Port::Out)),
        };
        (input, output)
    }

    /// Returns its outline at a position.
    pub fn shape(&self, corner: Vec2) -> Shape {
        let size = self.size();
        Shape {
            rect: Rect::at(corner, size.x, size.y),
            head: self.form.head,
            sockets: self.sockets(),
            colour: self.look.colour(),
        }
    }

    /// Returns a description of its look and text.
    pub fn words(&self) -> String {
        let Self { title, full, .. } = self;
        match self.look {
            Look::Begin | Look::End => title.clone(),
            Look::Branch | Look::Choice => format!("{title}: {full}"),
            Look::Bind => format!("Bind {title} where {full}"),
            look if *self.form != CARD => format!("{}: {full}", look.words()),
            Look::Fact(_) => format!("fact {title}"),
            look => {
                let mut words = format!("{} {title}", look.words());
                if !self.lines.is_empty() {
                    words += &format!(": {}", self.lines.join(" "));
                }
                for row in self.rows.iter().filter(|row| !row.text.is_empty()) {
                    words += &format!(". {}: {}", row.port.key(), row.text);
                }
                words
            }
        }
    }
}
