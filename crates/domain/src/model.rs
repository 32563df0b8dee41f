//! A document whose texts are all valid, as exporters need it; otherwise there are errors instead.

use std::collections::BTreeMap;

use crate::check::on_cycles;
use crate::diagnostic_sink::DiagnosticSink;
use crate::elaborate::{self, Domain, TypedText, values};
use crate::flow::Chart;
use crate::lang::typed::{Call, Effect, Formula, Initial, Number};
use crate::lang::{Scope, Typed, read_formula, read_initial, read_task_call};
use crate::method::{Content, Method};
use crate::player::Player;
use taskloom_document::diagnostic::{Diagnostic, Severity};
use taskloom_document::{
    Block, CompoundTask, Document, EffectTiming, Fact, Field, Kind, Name, Param, PrimitiveTask,
    RecordRef, Scenario,
};

/// The meaning of a document and one of its scenarios.
pub struct Model<'a> {
    /// The document.
    pub document: &'a Document,
    /// The scenario and its name.
    pub scenario: Option<(&'a Name, &'a Scenario)>,
    /// All objects, including the scenario's, and their types.
    pub objects: BTreeMap<&'a Name, &'a Name>,
    /// The bodies of the named conditions.
    pub conditions: BTreeMap<&'a Name, &'a Formula>,
    /// The primitive tasks.
    pub primitives: BTreeMap<&'a Name, Primitive<'a>>,
    /// The compound tasks.
    pub compounds: BTreeMap<&'a Name, Compound<'a>>,
    /// The scenario's initial values.
    pub initial: Vec<Initial>,
    /// The object of the scenario's first character, `?me`, and its type.
    pub me: Option<(&'a Name, &'a Name)>,
    /// The type of `?me` in texts that apply to any agent.
    pub type_of_me: Option<Name>,
    /// The tasks of the scenario's first character.
    pub tasks: Vec<Call>,
    /// The goal of the scenario's first character.
    pub goal: Option<Formula>,
}

/// The meaning of a primitive task.
pub struct Primitive<'a> {
    /// The record.
    pub record: &'a PrimitiveTask,
    /// The action that it calls.
    pub action: Option<&'a Call>,
    /// The conditions that hold when it starts.
    pub preconditions: Vec<&'a Formula>,
    /// The conditions that hold while it runs.
    pub integrity: Vec<&'a Formula>,
    /// The conditions that hold when it ends.
    pub completion: Vec<&'a Formula>,
    /// The effects, and when they apply.
    pub effects: Vec<(&'a Effect, EffectTiming)>,
    /// The cost; `None` means 1.
    pub cost: Option<&'a Number>,
    /// The type of `?me` in its texts.
    pub type_of_me: Option<&'a Name>,
}

/// The meaning of a compound task.
pub struct Compound<'a> {
    /// The record.
    pub record: &'a CompoundTask,
    /// The type of `?me` in its texts.
    pub type_of_me: Option<&'a Name>,
    /// The conditions of all its decompositions.
    pub preconditions: Vec<&'a Formula>,
    /// The conditions that hold while it runs.
    pub integrity: Vec<&'a Formula>,
    /// The flowchart, with the variables visible at its blocks.
    pub method: &'a Method,
    /// The blocks in the order of resolution.
    pub chart: &'a Chart,
    /// The meanings of the blocks, by position.
    pub blocks: Vec<BlockMeaning<'a>>,
}

/// The meaning of a block.
pub enum BlockMeaning<'a> {
    /// A Begin or End block.
    Pass,
    /// The call of a Task block.
    Task(&'a Call),
    /// The condition of a Branch block.
    Branch {
        /// The text as typed by the designer.
        text: &'a str,
        /// The formula.
        formula: &'a Formula,
    },
    /// The labels of the outputs.
    Choice(Vec<&'a str>),
    /// The variable of a Bind block.
    Bind {
        /// The variable.
        variable: &'a Param,
        /// The condition as typed by the designer.
        text: &'a str,
        /// The condition; `None` means every object of the type.
        condition: Option<&'a Formula>,
        /// The sort key; `None` means object order.
        order_by: Option<&'a Number>,
    },
}

fn value<T>(text: &Option<TypedText<T>>) -> Option<&T> {
    text.as_ref()?.value.as_ref()
}

impl<'a> Primitive<'a> {
    fn new(domain: &'a Domain, read: &'a elaborate::Primitive) -> Self {
        let rules = domain.execution_rules(read);
        let effects = read.effects.iter();
        Self {
            record: &read.record,
            action: value(&rules.action),
            preconditions: values(&read.preconditions).collect(),
            integrity: values(&rules.integrity).collect(),
            completion: values(&rules.completion).collect(),
            effects: effects
                .filter_map(|(timing, effect)| Some((effect.value.as_ref()?, *timing)))
                .collect(),
            cost: value(&read.cost),
            type_of_me: read.me.as_ref().map(|me| &me.of),
        }
    }
}

impl<'a> Compound<'a> {
    fn new(domain: &'a Domain, name: &Name) -> Option<Self> {
        let read = domain.compound(name)?;
        let method = domain.method(read)?;
        let positions = 0..method.chart.blocks.len() as u32;
        Some(Self {
            record: &read.record,
            type_of_me: read.me.as_ref().map(|me| &me.of),
            preconditions: values(&read.preconditions).collect(),
            integrity: values(domain.integrity(read)).collect(),
            method,
            chart: &method.chart,
            blocks: positions
                .map(|position| {
                    BlockMeaning::new(domain.content(method, position), method.block(position))
                })
                .collect::<Option<_>>()?,
        })
    }
}

impl<'a> BlockMeaning<'a> {
    fn new(content: &'a Content, block: &'a Block) -> Option<Self> {
        Some(match content {
            Content::Pass => Self::Pass,
            Content::Task(call) => Self::Task(call.value.as_ref()?),
            Content::Branch(formula) => Self::Branch {
                text: &formula.text,
                formula: formula.value.as_ref()?,
            },
            Content::Choice { alternatives, .. } => {
                Self::Choice(alternatives.iter().map(|output| &*output.label).collect())
            }
            Content::Bind {
                variable,
                condition,
                order_by,
            } => Self::Bind {
                variable,
                text: block.text(taskloom_document::BlockText::Main)?,
                condition: value(condition),
                order_by: value(order_by),
            },
        })
    }
}

impl<'a> Model<'a> {
    /// Reads a domain and one of its scenarios. Returns an error for each invalid text and for each
    /// flowchart without resolutions. The result is meaningless if the domain's stop was triggered.
    pub fn read(domain: &'a Domain, scenario: Option<&'a Name>) -> Result<Self, Vec<Diagnostic>> {
        let document = domain.document();
        let mut found = DiagnosticSink::default();
        let scenario = match scenario {
            None => None,
            Some(name) => match document.scenarios.get_key_value(name) {
                Some((name, scenario)) => Some((name, &**scenario)),
                None => {
                    let at = RecordRef::new(Kind::Scenario, name.clone());
                    found.error(&at, Field::Whole, "no such scenario");
                    None
                }
            },
        };
        types(domain, &mut found);
        found.0.extend(domain.diagnostics());
        let objects = match scenario {
            Some((_, scenario)) => scenario.all_objects(&document.objects),
            None => BTreeMap::from_iter(&document.objects),
        };
        let conditions = document.conditions.keys();
        let primitives = document.primitive_tasks.keys();
        let compounds = document.compound_tasks.keys();
        let mut model = Self {
            document,
            scenario,
            objects: objects
                .into_iter()
                .map(|(name, object)| (name, &object.of))
                .collect(),
            conditions: conditions
                .filter_map(|name| Some((name, domain.condition(name)?.value.as_ref()?)))
                .collect(),
            primitives: primitives
                .filter_map(|name| Some((name, Primitive::new(domain, domain.primitive(name)?))))
                .collect(),
            compounds: compounds
                .filter_map(|name| Some((name, Compound::new(domain, name)?)))
                .collect(),
            me: None,
            type_of_me: document.type_of_me(),
            initial: vec![],
            tasks: vec![],
            goal: None,
        };
        if let Some((name, scenario)) = scenario {
            let player = Player::nth(document, scenario, 0);
            model.me = player.me().zip(player.type_of_me());
            let mut reader = Reader {
                domain,
                record: RecordRef::new(Kind::Scenario, name.clone()),
                scope: player.scope(document, scenario),
                found: &mut found,
            };
            for (n, text) in scenario.initial.iter().enumerate() {
                model
                    .initial
                    .extend(reader.read(Field::Initial(n), text, read_initial));
            }
            for (n, text) in player.beliefs().iter().enumerate() {
                model
                    .initial
                    .extend(reader.read(Field::Belief(0, n), text, read_initial));
            }
            for (n, text) in player.tasks(scenario).iter().enumerate() {
                model
                    .tasks
                    .extend(reader.read(Field::Task(n), text, read_task_call));
            }
            let goal = player.goal(scenario);
            if !goal.is_empty() {
                model.goal = reader.read(Field::Goal, goal, read_formula);
            }
        }
        found
            .0
            .retain(|diagnostic| diagnostic.severity == Severity::Error);
        if found.0.is_empty() {
            Ok(model)
        } else {
            Err(found.0)
        }
    }

    /// Returns the fact of this name.
    pub fn fact(&self, name: &Name) -> Option<&'a Fact> {
        self.document.facts.get(name).map(|fact| &**fact)
    }

    /// Returns the objects of a type and its subtypes, in object order.
    pub fn objects_of(&self, of: &Name) -> impl Iterator<Item = &'a Name> {
        self.objects
            .iter()
            .filter(|(_, t)| self.document.is_kind_of(t, of))
            .map(|(name, _)| *name)
    }
}

/// A reader of the texts of a scenario.
struct Reader<'r> {
    domain: &'r Domain<'r>,
    record: RecordRef,
    scope: Scope<'r>,
    found: &'r mut DiagnosticSink,
}

impl Reader<'_> {
    fn read<T>(
        &mut self,
        field: Field,
        text: &str,
        read: fn(&str, &Scope) -> Typed<T>,
    ) -> Option<T> {
        let read = self.domain.read(text, &self.scope, read);
        self.found.add(&self.record, field, &read);
        read.value
    }
}

/// Reports types with an unknown parent, and types that are their own ancestors.
fn types(domain: &Domain, found: &mut DiagnosticSink) {
    let types = &domain.document().types;
    let parent = |name: &Name| types.get(name).map(|of| &of.parent);
    let cycles = on_cycles(types.keys(), parent);
    for (name, record) in types {
        let at = RecordRef::new(Kind::Type, name.clone());
        if record.parent != "object" && !types.contains_key(&record.parent) {
            let message = format!("there is no type '{}'", record.parent);
            found.error(&at, Field::Type, &message);
        }
        if cycles.contains(name) {
            found.error(&at, Field::Type, "cyclic type hierarchy");
        }
    }
}
