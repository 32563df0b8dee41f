//! The table of record kinds: the data by which lists, cards and new records differ. Views that
//! differ in more than data, such as the inspector's forms, match on the kind themselves.

use taskloom_document::{
    Action, Agent, CompoundTask, Condition, Document, Fact, Goal, Kind, Name, Object,
    PrimitiveTask, Record, RecordRef, Scenario, Source, Type,
};

use crate::canvas::colour::Colour;
use crate::ui::icon::Lucide;

/// A line of the table.
#[derive(Clone, Copy)]
pub struct KindInfo {
    /// The heading of a list of its records.
    pub title: &'static str,
    /// The hint in the outline while there are none.
    pub hint: &'static str,
    /// The class that sets its colour.
    pub class: &'static str,
    /// Its cards on the Board; `None` without cards. Facts differ by their source.
    pub card: Option<Card>,
    /// Its icon; facts differ by their source.
    pub icon: Lucide,
    /// The provisional name of a new record.
    pub base: &'static str,
}

/// A group of cards on the Board.
#[derive(Debug, Clone, Copy)]
pub struct Card {
    /// Its heading.
    pub heading: &'static str,
    /// Its column, and its position among the groups of that column.
    pub place: (usize, usize),
    /// The class of its cards.
    pub class: &'static str,
    /// Their colour.
    pub colour: Colour,
}

/// The number of the Board's columns.
pub const COLUMNS: usize = CHARACTERS + 1;
/// The column of agents and their goals, present only in a document with characters.
pub const CHARACTERS: usize = 4;

const fn group(
    heading: &'static str,
    place: (usize, usize),
    class: &'static str,
    colour: Colour,
) -> Card {
    Card {
        heading,
        place,
        class,
        colour,
    }
}

const fn card(
    heading: &'static str,
    place: (usize, usize),
    class: &'static str,
    colour: Colour,
) -> Option<Card> {
    Some(group(heading, place, class, colour))
}

/// Returns the line of a kind.
pub fn of(kind: Kind) -> KindInfo {
    match kind {
        Kind::Type => KindInfo {
            title: "Types",
            hint: "Classes of objects: place, item",
            class: "kind-type",
            card: None,
            icon: Lucide::Shapes,
            base: "thing",
        },
        Kind::Object => KindInfo {
            title: "Objects",
            hint: "Things in the world: box, key",
            class: "kind-object",
            card: None,
            icon: Lucide::Box,
            base: "thing",
        },
        Kind::Fact => KindInfo {
            title: "Facts",
            hint: "What can be true: box_open",
            class: "kind-fact",
            card: None,
            icon: Lucide::Eye,
            base: "fact",
        },
        Kind::Condition => KindInfo {
            title: "Conditions",
            hint: "Named formulas",
            class: "kind-condition",
            card: card("Conditions", (1, 0), "condition", Colour::Condition),
            icon: Lucide::Funnel,
            base: "condition",
        },
        Kind::Action => KindInfo {
            title: "Actions",
            hint: "What the game can do: WalkTo",
            class: "kind-action",
            card: card("Actions", (1, 1), "action", Colour::Action),
            icon: Lucide::Zap,
            base: "Action",
        },
        Kind::PrimitiveTask => KindInfo {
            title: "Primitive tasks",
            hint: "Steps of a plan",
            class: "kind-primitive-task",
            card: card("Primitive tasks", (2, 0), "primitive", Colour::Primitive),
            icon: Lucide::SquarePlay,
            base: "task",
        },
        Kind::CompoundTask => KindInfo {
            title: "Compound tasks",
            hint: "Tasks drawn as a flowchart",
            class: "kind-compound-task",
            card: card("Compound tasks", (3, 0), "compound", Colour::Compound),
            icon: Lucide::Workflow,
            base: "compound",
        },
        Kind::Goal => KindInfo {
            title: "Goals",
            hint: "What actors want: fed",
            class: "kind-goal",
            card: card("Goals", (4, 1), "goal", Colour::Goal),
            icon: Lucide::Target,
            base: "goal",
        },
        Kind::Agent => KindInfo {
            title: "Agents",
            hint: "Kinds of actor: guard",
            class: "kind-agent",
            card: card("Agents", (4, 0), "agent", Colour::Agent),
            icon: Lucide::UserRoundCog,
            base: "agent",
        },
        Kind::Scenario => KindInfo {
            title: "Scenarios",
            hint: "Situations to plan for",
            class: "kind-scenario",
            card: None,
            icon: Lucide::Clapperboard,
            base: "scenario",
        },
    }
}

/// Returns the content of a new record.
pub fn fresh(kind: Kind) -> Record {
    match kind {
        Kind::Type => {
            let (parent, title, note) = (root(), String::new(), String::new());
            let new = Type {
                parent,
                title,
                note,
            };
            Record::Type(new.into())
        }
        Kind::Object => {
            let (of, title, note) = (root(), String::new(), String::new());
            Record::Object(Object { of, title, note }.into())
        }
        Kind::Fact => Record::Fact(Fact::default().into()),
        Kind::Condition => Record::Condition(Condition::default().into()),
        Kind::Action => {
            let action = Action {
                duration: "1".to_owned(),
                ..Action::default()
            };
            Record::Action(action.into())
        }
        Kind::PrimitiveTask => Record::PrimitiveTask(PrimitiveTask::default().into()),
        Kind::CompoundTask => Record::CompoundTask(CompoundTask::default().into()),
        Kind::Goal => {
            // With priority 0 it would have no value.
            let goal = Goal {
                priority: 1,
                ..Goal::default()
            };
            Record::Goal(goal.into())
        }
        Kind::Agent => Record::Agent(Agent::default().into()),
        Kind::Scenario => Record::Scenario(Scenario::default().into()),
    }
}

/// All sources of facts, in the order of lists.
pub const SOURCES: [Source; 3] = [Source::Sensor, Source::Memory, Source::Blackboard];

/// Returns the icon of a fact with this source.
pub fn icon_of_source(source: Source) -> Lucide {
    match source {
        Source::Sensor => Lucide::Eye,
        Source::Memory => Lucide::Brain,
        Source::Blackboard => Lucide::Presentation,
    }
}

/// Returns the words by which lists name a record: scenarios are known by their titles.
pub fn shown_name(document: &Document, record: &RecordRef) -> String {
    let scenario = match record.kind {
        Kind::Scenario => document.scenarios.get(&record.name),
        _ => None,
    };
    match scenario {
        Some(scenario) if !scenario.title.trim().is_empty() => scenario.title.clone(),
        _ => record.name.to_string(),
    }
}

/// Returns the icon of a record.
pub fn icon(record: &Record) -> Lucide {
    match record {
        Record::Fact(fact) => icon_of_source(fact.source),
        record => of(record.kind()).icon,
    }
}

/// Returns the name of a fact with this source, and the group of its cards.
pub fn of_source(source: Source) -> (&'static str, Card) {
    match source {
        Source::Sensor => (
            "sensor fact",
            group("Sensors", (0, 0), "sensor", Colour::Fact),
        ),
        Source::Memory => (
            "memory fact",
            group("Memory", (0, 1), "memory", Colour::Fact),
        ),
        Source::Blackboard => (
            "blackboard fact",
            group("Blackboard", (0, 2), "blackboard", Colour::Fact),
        ),
    }
}

/// The type of all objects.
fn root() -> Name {
    Name::new("object").unwrap_or_else(|_| unreachable!("'object' is a name"))
}
