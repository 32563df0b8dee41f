//! How a node looks: what is written on it and how large that is. The elements, the picture and what is drawn from
//! afar are all made from it.

use taskloom::document::{Document, Kind, Port, RecordRef, Source};
use taskloom::domain::needs::Role;

use super::text::wrap;
use crate::canvas::colour::Colour;
use crate::canvas::geometry::{Rect, Vec2};
use crate::canvas::scene::{Shape, Side, Slot, Socket};

/// What a node is, for its colour and for words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// A block where a method begins.
    Begin,
    /// A primitive task, or a call of one.
    Primitive,
    /// A compound task, or a call of one.
    Compound,
    /// A call of nothing that exists.
    Unknown,
    /// A block for a condition.
    Branch,
    /// A block for alternatives.
    Choice,
    /// A block for an object.
    Bind,
    /// A block where a method is complete.
    End,
    /// A fact that the game tells.
    Sensor,
    /// A fact that the character remembers.
    Memory,
    /// A fact that all characters share.
    Blackboard,
    /// A condition.
    Condition,
    /// An action.
    Action,
    /// An agent.
    Agent,
    /// A goal.
    Goal,
}

impl Look {
    /// The class of its element, its colour, the mark in its head (none has a swatch), and what it is in words.
    fn parts(self) -> (&'static str, Colour, &'static str, &'static str) {
        match self {
            Self::Begin => ("begin", Colour::Dim, "", "Begin"),
            Self::Primitive => ("primitive", Colour::Primitive, "", "primitive task"),
            Self::Compound => ("compound", Colour::Compound, "", "compound task"),
            Self::Unknown => ("unknown", Colour::No, "", "unknown task"),
            Self::Branch => ("branch", Colour::Condition, "◇", "Branch"),
            Self::Choice => ("choice", Colour::Condition, "⋔", "Choice"),
            Self::Bind => ("bind", Colour::Condition, "∃", "Bind"),
            Self::End => ("end", Colour::Dim, "", "End"),
            Self::Sensor => ("sensor", Colour::Sensor, "", "sensor fact"),
            Self::Memory => ("memory", Colour::Fact, "", "memory fact"),
            Self::Blackboard => ("blackboard", Colour::Fact, "▤", "blackboard fact"),
            Self::Condition => ("condition", Colour::Condition, "", "condition"),
            Self::Action => ("action", Colour::Action, "", "action"),
            Self::Agent => ("agent", Colour::Character, "♙", "agent"),
            Self::Goal => ("goal", Colour::Character, "⚑", "goal"),
        }
    }

    /// The class of its element.
    pub fn class(self) -> &'static str {
        self.parts().0
    }

    /// Its colour.
    pub fn colour(self) -> Colour {
        self.parts().1
    }

    /// The mark in its head; empty where that is a swatch.
    pub fn glyph(self) -> &'static str {
        self.parts().2
    }

    /// What it is, in words.
    pub fn words(self) -> &'static str {
        self.parts().3
    }

    /// Of a record that has a card on the Board.
    pub fn of_record(document: &Document, record: &RecordRef) -> Option<Self> {
        Some(match record.kind {
            Kind::Fact => match document.facts.get(&record.name)?.source {
                Source::Sensor => Self::Sensor,
                Source::Memory => Self::Memory,
                Source::Blackboard => Self::Blackboard,
            },
            Kind::Condition => Self::Condition,
            Kind::Action => Self::Action,
            Kind::PrimitiveTask => Self::Primitive,
            Kind::CompoundTask => Self::Compound,
            Kind::Agent => Self::Agent,
            Kind::Goal => Self::Goal,
            Kind::Type | Kind::Object | Kind::Scenario => return None,
        })
    }
}

/// How a need looks: its row on a card, and its wires.
pub struct Need {
    /// Its name where there is little room.
    pub short: &'static str,
    /// The class of its wires.
    pub class: &'static str,
    /// Its colour.
    pub colour: Colour,
    /// How its wires are dashed, as of SVG's `stroke-dasharray`.
    pub dashes: &'static str,
}

/// How a need looks.
pub fn need(role: Role) -> Need {
    let (short, class, colour, dashes) = match role {
        Role::Formula => ("formula", "role-formula", Colour::Condition, "none"),
        Role::Precondition => ("pre", "role-precondition", Colour::Accent, "none"),
        Role::Integrity => ("while", "role-integrity", Colour::Warn, "8 4"),
        Role::Completion => ("until", "role-completion", Colour::Sensor, "2 5"),
        Role::Action => ("calls", "role-action", Colour::Action, "none"),
        Role::Subtask => ("subtasks", "role-subtask", Colour::Compound, "none"),
        Role::Task => ("tasks", "role-task", Colour::Compound, "none"),
        Role::Goal => ("goals", "role-goal", Colour::Character, "none"),
        Role::Repertoire => ("uses", "role-repertoire", Colour::Primitive, "8 4"),
        Role::Sense => ("senses", "role-sense", Colour::Sensor, "none"),
    };
    Need {
        short,
        class,
        colour,
        dashes,
    }
}

/// The measures of a kind of box, in graph units, as in the style sheet.
#[derive(Debug, PartialEq)]
pub struct Form {
    /// The class of its element.
    pub class: &'static str,
    /// Its width.
    pub width: f64,
    /// Height of its head, at the middle of which are the ports that have no row.
    pub head: f64,
    /// Above and below its lines together.
    padding: f64,
    /// Letters a line of the monospace font at its size.
    columns: usize,
    /// Height of a row.
    pub row: f64,
    /// Above the first row, and below the last one.
    pub around_rows: [f64; 2],
}

/// Letters of a detail beside a title that are always shown: of a longer one as many as the title leaves room for, so
/// that no cost and no type takes the place of a name.
pub const ASIDE: usize = 8;

/// Height of a line.
pub const LINE: f64 = 16.0;

/// Of a block.
pub static BLOCK: Form = BLOCK_FORM;
const BLOCK_FORM: Form = Form {
    class: "block",
    width: 200.0,
    head: 36.0,
    padding: 12.0,
    columns: 25,
    row: 24.0,
    around_rows: [0.0, 4.0],
};
/// Of a block that is its head alone.
pub static PILL: Form = Form {
    width: 80.0,
    ..BLOCK_FORM
};
/// Of a card of the Board.
pub static CARD: Form = Form {
    class: "card",
    width: 190.0,
    head: 34.0,
    padding: 8.0,
    columns: 23,
    row: 20.0,
    around_rows: [3.0, 3.0],
};

/// A row with a port of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The port.
    pub port: Slot,
    /// What the port is for; of a need, what stands there.
    pub text: String,
}

impl Row {
    /// The colour of what says what the port is for.
    pub fn colour(&self) -> Colour {
        match self.port {
            Slot::Need(role) => need(role).colour,
            Slot::Out(Port::True) => Colour::Ok,
            Slot::Out(Port::False) => Colour::No,
            _ => Colour::Dim,
        }
    }
}

/// What is written on a node.
#[derive(Debug, Clone, PartialEq)]
pub struct Face {
    /// What it is.
    pub look: Look,
    /// Its measures.
    pub form: &'static Form,
    /// In its head.
    pub title: String,
    /// Beside the title: a fact's values, an action's duration.
    pub aside: String,
    /// Below, in the monospace font where it is a text of the expression language.
    pub lines: Vec<String>,
    /// Whether the lines only say what the node is.
    pub plain: bool,
    /// All of the text, where the lines may leave some out.
    pub full: String,
    /// Below the lines.
    pub rows: Vec<Row>,
    /// Whether the title alone is shown.
    pub collapsed: bool,
}

impl Face {
    /// A title, and a text below it.
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
            collapsed: false,
        }
    }

    /// Where it has no text: with one that says what it is.
    pub fn or_plain(mut self, text: String) -> Self {
        if self.full.trim().is_empty() {
            (self.lines, self.plain) = (vec![text], true);
        }
        self
    }

    /// With one line more.
    pub fn and_line(mut self, text: &str) -> Self {
        self.lines.extend(wrap(text, self.form.columns, 1));
        self
    }

    /// Whether what stands beside the title gives way to it where there is too little room for both.
    pub fn aside_yields(&self) -> bool {
        self.aside.chars().count() > ASIDE
    }

    /// Whether its head is all there is of it, in a rounded box.
    pub fn is_pill(&self) -> bool {
        *self.form == PILL
    }

    /// Where its rows begin, with the room above them.
    pub fn rows_top(&self) -> f64 {
        let lines = match self.lines.len() {
            0 => 0.0,
            count => self.form.padding + LINE * count as f64,
        };
        self.form.head + lines
    }

    /// How wide and how high it is.
    pub fn size(&self) -> Vec2 {
        let Form {
            width, head, row, ..
        } = *self.form;
        if self.collapsed || self.is_pill() {
            return Vec2::new(width, head);
        }
        let rows = match self.rows.len() {
            0 => 0.0,
            count => row * count as f64 + self.form.around_rows.iter().sum::<f64>(),
        };
        Vec2::new(width, self.rows_top() + rows)
    }

    /// Its ports.
    pub fn sockets(&self) -> Vec<Socket> {
        let Form {
            width, head, row, ..
        } = *self.form;
        let socket = |port: Slot, y| {
            let x = if port.side() == Side::Input {
                0.0
            } else {
                width
            };
            let at = Vec2::new(x, y);
            Socket { port, at }
        };
        let (top, step) = if self.collapsed {
            let step = head / (self.rows.len() as f64 + 1.0);
            (step, step)
        } else {
            (self.rows_top() + self.form.around_rows[0] + row / 2.0, row)
        };
        let rows = self.rows.iter().enumerate();
        let rows = rows.map(|(at, row)| socket(row.port, top + step * at as f64));
        let (before, after) = self.head_ports();
        let in_head = |port: Option<Slot>| port.map(|port| socket(port, head / 2.0));
        let sockets = in_head(before).into_iter().chain(rows);
        sockets.chain(in_head(after)).collect()
    }

    /// The ports that have no row: an input and an output.
    fn head_ports(&self) -> (Option<Slot>, Option<Slot>) {
        let is_card = *self.form == CARD;
        let input = match self.look {
            Look::Condition | Look::Goal if is_card => Some(Slot::Need(Role::Formula)),
            Look::Begin => None,
            _ => (!is_card).then_some(Slot::In),
        };
        let output = match self.look {
            // Nothing needs an agent.
            Look::Agent => None,
            _ if is_card => Some(Slot::Offer),
            Look::End | Look::Branch | Look::Choice => None,
            _ => Some(Slot::Out(Port::Out)),
        };
        (input, output)
    }

    /// Its outline where it stands there.
    pub fn shape(&self, corner: Vec2) -> Shape {
        let size = self.size();
        Shape {
            rect: Rect::at(corner, size.x, size.y),
            head: self.form.head,
            sockets: self.sockets(),
            colour: self.look.colour(),
        }
    }

    /// What it is and says, in words.
    pub fn words(&self) -> String {
        let Self { title, full, .. } = self;
        match self.look {
            Look::Begin | Look::End => title.clone(),
            Look::Branch | Look::Choice => format!("{title}: {full}"),
            Look::Bind => format!("Bind {title} where {full}"),
            look if *self.form != CARD => format!("{}: {full}", look.words()),
            Look::Sensor | Look::Memory | Look::Blackboard => format!("fact {title}"),
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
