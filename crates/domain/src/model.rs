//! A document with all its texts read, as exporters want it: either everything
//! means something, or the export says what does not.

use std::collections::BTreeMap;

use crate::flow::Chart;
use crate::lang::typed::{Call, Effect, Formula, Initial, Number};
use crate::lang::{
    Mistake, Scope, Typed, read_action_call, read_condition, read_effect, read_formula,
    read_initial, read_number, read_task_call,
};
use taskloom_document::diagnostic::{Diagnostic, Place, Severity};
use taskloom_document::stop::Stop;
use taskloom_document::{
    Block, CompoundTask, Document, EffectTiming, Fact, Field, Kind, Name, Param, PrimitiveTask,
    RecordRef, Scenario,
};

/// A document, and one of its scenarios, read.
pub struct Model<'a> {
    /// The document.
    pub document: &'a Document,
    /// The scenario and its name.
    pub scenario: Option<(&'a Name, &'a Scenario)>,
    /// All objects, the scenario's among them, and their types.
    pub objects: BTreeMap<&'a Name, &'a Name>,
    /// Bodies of the named conditions.
    pub conditions: BTreeMap<&'a Name, Formula>,
    /// Primitive tasks.
    pub primitives: BTreeMap<&'a Name, Primitive<'a>>,
    /// Compound tasks.
    pub compounds: BTreeMap<&'a Name, Compound<'a>>,
    /// The scenario's initial values.
    pub initial: Vec<Initial>,
    /// The scenario's tasks.
    pub tasks: Vec<Call>,
    /// The scenario's goal.
    pub goal: Option<Formula>,
}

/// A primitive task, read.
pub struct Primitive<'a> {
    /// The record.
    pub record: &'a PrimitiveTask,
    /// What it calls.
    pub action: Option<Call>,
    /// What holds when it starts.
    pub preconditions: Vec<Formula>,
    /// What holds while it runs.
    pub integrity: Vec<Formula>,
    /// What holds when it ends.
    pub completion: Vec<Formula>,
    /// What it changes, and when that counts.
    pub effects: Vec<(Effect, EffectTiming)>,
    /// None: 1.
    pub cost: Option<Number>,
}

/// A compound task, read.
pub struct Compound<'a> {
    /// The record.
    pub record: &'a CompoundTask,
    /// What all its decompositions need.
    pub preconditions: Vec<Formula>,
    /// What holds while it runs.
    pub integrity: Vec<Formula>,
    /// Its flowchart, in the order of resolution.
    pub chart: Chart,
    /// The chart's blocks, by position.
    pub blocks: Vec<BlockText<'a>>,
}

/// What stands in a block.
pub enum BlockText<'a> {
    /// Begin and End.
    Pass,
    /// A call.
    Task(Call),
    /// A condition.
    Branch {
        /// As typed.
        text: &'a str,
        /// As read.
        formula: Formula,
    },
    /// The labels of the outputs.
    Choice(Vec<&'a str>),
    /// A variable.
    Bind {
        /// The variable.
        variable: &'a Param,
        /// As typed.
        text: &'a str,
        /// None: every object of the type.
        condition: Option<Formula>,
        /// None: object order.
        order_by: Option<Number>,
    },
}

impl<'a> Model<'a> {
    /// Reads a document. An error for each text that means nothing, and for each
    /// flowchart without resolutions. What it gives means nothing where the stop was heard.
    pub fn read(
        document: &'a Document,
        scenario: Option<&'a Name>,
        stop: &'a Stop,
    ) -> Result<Self, Vec<Diagnostic>> {
        let mut reader = Reader {
            document,
            stop,
            scenario: None,
            errors: vec![],
        };
        let scenario = match scenario {
            None => None,
            Some(name) => match document.scenarios.get_key_value(name) {
                Some((name, scenario)) => Some((name, &**scenario)),
                None => {
                    let at = RecordRef::new(Kind::Scenario, name.clone());
                    reader.error(&at, Field::Whole, "there is no such scenario".to_owned());
                    None
                }
            },
        };
        reader.scenario = scenario.map(|(_, s)| s);
        let objects = match scenario {
            Some((_, scenario)) => scenario.all_objects(&document.objects),
            None => BTreeMap::from_iter(&document.objects),
        };
        reader.types();
        let mut model = Self {
            document,
            scenario,
            objects: BTreeMap::from_iter(objects.into_iter().map(|(n, o)| (n, &o.of))),
            conditions: reader.conditions(),
            primitives: reader.primitives(),
            compounds: reader.compounds(),
            initial: vec![],
            tasks: vec![],
            goal: None,
        };
        if let Some((name, scenario)) = scenario {
            let at = RecordRef::new(Kind::Scenario, name.clone());
            let scope = Scope::of_scenario(document, scenario);
            for (n, text) in scenario.initial.iter().enumerate() {
                let initial = reader.read(&at, Field::Initial(n), text, &scope, read_initial);
                model.initial.extend(initial);
            }
            for (n, text) in scenario.tasks.iter().enumerate() {
                let call = reader.read(&at, Field::Task(n), text, &scope, read_task_call);
                model.tasks.extend(call);
            }
            if !scenario.goal.trim().is_empty() {
                model.goal = reader.read(&at, Field::Goal, &scenario.goal, &scope, read_formula);
            }
        }
        if reader.errors.is_empty() {
            Ok(model)
        } else {
            Err(reader.errors)
        }
    }

    /// The fact of a name that a text reads.
    pub fn fact(&self, name: &Name) -> Option<&'a Fact> {
        self.document.facts.get(name).map(|fact| &**fact)
    }

    /// The objects of a type and of the kinds of it, in object order.
    pub fn objects_of(&self, of: &Name) -> impl Iterator<Item = &'a Name> {
        self.objects
            .iter()
            .filter(|(_, t)| self.document.is_kind_of(t, of))
            .map(|(name, _)| *name)
    }
}

struct Reader<'a> {
    document: &'a Document,
    scenario: Option<&'a Scenario>,
    stop: &'a Stop,
    errors: Vec<Diagnostic>,
}

impl<'a> Reader<'a> {
    fn error(&mut self, record: &RecordRef, field: Field, message: String) {
        self.errors.push(Diagnostic {
            severity: Severity::Error,
            code: "export",
            place: Place {
                record: record.clone(),
                field,
                span: None,
            },
            message,
            fixes: vec![],
        });
    }

    /// What a text means; its errors are noted.
    fn read<T>(
        &mut self,
        record: &RecordRef,
        field: Field,
        text: &str,
        scope: &Scope,
        read: fn(&str, &Scope) -> Typed<T>,
    ) -> Option<T> {
        if self.stop.after(text.len()) {
            return None;
        }
        self.keep(record, field, read(text, scope))
    }

    fn keep<T>(&mut self, record: &RecordRef, field: Field, read: Typed<T>) -> Option<T> {
        let found = self.errors.len();
        for Mistake {
            severity,
            code,
            span,
            message,
            ..
        } in read.mistakes
        {
            if severity == Severity::Error {
                self.errors.push(Diagnostic {
                    severity,
                    code,
                    place: Place {
                        record: record.clone(),
                        field: field.clone(),
                        span: Some(span),
                    },
                    message,
                    fixes: vec![],
                });
            }
        }
        if read.value.is_none() && self.errors.len() == found {
            self.error(record, field, "this text means nothing".to_owned());
        }
        read.value
    }

    fn scope(&self, variables: &[Param]) -> Scope<'a> {
        Scope {
            document: self.document,
            scenario: self.scenario,
            variables: variables.to_vec(),
            near: None,
        }
    }

    fn types(&mut self) {
        for (name, record) in &self.document.types {
            let at = RecordRef::new(Kind::Type, name.clone());
            let known =
                record.parent == "object" || self.document.types.contains_key(&record.parent);
            if !known {
                let message = format!("there is no type '{}'", record.parent);
                self.error(&at, Field::Type, message);
            }
            let parent = |of: &Name| self.document.types.get(of).map(|of| &of.parent);
            let above = std::iter::successors(Some(&record.parent), |of| parent(of));
            let mut above = above.skip(self.document.types.len());
            if self.stop.after(self.document.types.len()) {
                return;
            }
            if above.next().is_some() {
                self.error(&at, Field::Type, "its parents go in a circle".to_owned());
            }
        }
    }

    fn conditions(&mut self) -> BTreeMap<&'a Name, Formula> {
        let mut read = BTreeMap::new();
        for name in self.document.conditions.keys() {
            let at = RecordRef::new(Kind::Condition, name.clone());
            let length = self
                .document
                .conditions
                .get(name)
                .map_or(0, |c| c.formula.len());
            if self.stop.after(length) {
                break;
            }
            let typed = read_condition(self.document, name);
            let formula = self.keep(&at, Field::Formula, typed);
            read.extend(formula.map(|formula| (name, formula)));
        }
        read
    }

    fn formulas(
        &mut self,
        at: &RecordRef,
        field: fn(usize) -> Field,
        texts: &[String],
        scope: &Scope,
    ) -> Vec<Formula> {
        let mut read = vec![];
        for (n, text) in texts.iter().enumerate() {
            read.extend(self.read(at, field(n), text, scope, read_formula));
        }
        read
    }

    fn primitives(&mut self) -> BTreeMap<&'a Name, Primitive<'a>> {
        let mut read = BTreeMap::new();
        for (name, record) in &self.document.primitive_tasks {
            let at = RecordRef::new(Kind::PrimitiveTask, name.clone());
            let scope = self.scope(&record.params);
            let mut effects = vec![];
            for (n, effect) in record.effects.iter().enumerate() {
                let typed = self.read(&at, Field::Effect(n), &effect.text, &scope, read_effect);
                effects.extend(typed.map(|typed| (typed, effect.timing)));
            }
            let action = match record.action.trim() {
                "" => None,
                text => self.read(&at, Field::Action, text, &scope, read_action_call),
            };
            let cost = match record.cost.trim() {
                "" => None,
                text => self.read(&at, Field::Cost, text, &scope, read_number),
            };
            let primitive = Primitive {
                record,
                action,
                preconditions: self.formulas(
                    &at,
                    Field::Precondition,
                    &record.preconditions,
                    &scope,
                ),
                integrity: self.formulas(&at, Field::Integrity, &record.integrity, &scope),
                completion: self.formulas(&at, Field::Completion, &record.completion, &scope),
                effects,
                cost,
            };
            read.insert(name, primitive);
        }
        read
    }

    fn compounds(&mut self) -> BTreeMap<&'a Name, Compound<'a>> {
        let mut read = BTreeMap::new();
        for (name, record) in &self.document.compound_tasks {
            let at = RecordRef::new(Kind::CompoundTask, name.clone());
            let scope = self.scope(&record.params);
            let preconditions =
                self.formulas(&at, Field::Precondition, &record.preconditions, &scope);
            let integrity = self.formulas(&at, Field::Integrity, &record.integrity, &scope);
            let Some(chart) = Chart::new(&record.method) else {
                let message = "its flowchart has no Begin block".to_owned();
                self.error(&at, Field::Method, message);
                continue;
            };
            let blocks = (0..chart.blocks.len() as u32)
                .map(|position| self.block(&at, record, &chart, position))
                .collect::<Option<Vec<_>>>();
            if let Some(blocks) = blocks {
                let compound = Compound {
                    record,
                    preconditions,
                    integrity,
                    chart,
                    blocks,
                };
                read.insert(name, compound);
            }
        }
        read
    }

    fn block(
        &mut self,
        at: &RecordRef,
        record: &'a CompoundTask,
        chart: &Chart,
        position: u32,
    ) -> Option<BlockText<'a>> {
        let id = &chart.blocks.get(position as usize)?.id;
        if self.stop.after(chart.wires.len()) {
            return None;
        }
        let mut variables = record.params.clone();
        for above in chart.upstream(position) {
            let block = record
                .method
                .blocks
                .get(&chart.blocks.get(above as usize)?.id)?;
            variables.extend(block.binds().cloned());
        }
        let text = Field::BlockText(id.clone());
        Some(match &**record.method.blocks.get(id)? {
            Block::Begin {} | Block::End {} => BlockText::Pass,
            Block::Task { call } => {
                let scope = self.scope(&variables);
                BlockText::Task(self.read(at, text, call, &scope, read_task_call)?)
            }
            Block::Branch { condition } => {
                let scope = self.scope(&variables);
                BlockText::Branch {
                    text: condition,
                    formula: self.read(at, text, condition, &scope, read_formula)?,
                }
            }
            Block::Choice { alternatives, .. } => {
                BlockText::Choice(alternatives.iter().map(|a| a.label.as_str()).collect())
            }
            Block::Bind {
                variable,
                condition,
                order_by,
            } => {
                variables.push(variable.clone());
                let scope = self.scope(&variables);
                BlockText::Bind {
                    variable,
                    text: condition,
                    condition: match condition.trim() {
                        "" => None,
                        read => Some(self.read(at, text, read, &scope, read_formula)?),
                    },
                    order_by: match order_by.trim() {
                        "" => None,
                        read => {
                            let field = Field::BlockOrder(id.clone());
                            Some(self.read(at, field, read, &scope, read_number)?)
                        }
                    },
                }
            }
        })
    }
}
