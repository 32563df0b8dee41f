//! Lowers typed trees to code: names become indices, variables become slots.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::code::{
    AggregateCode, Code, ConditionCode, Formula, FormulaId, List, Number, NumberId, Read, Term,
};
use super::flat::{FlatChange, FlatEffect};
use crate::plan::State;
use taskloom_document::stop::Stop;
use taskloom_document::{Name, Param};
use taskloom_domain::Domain;
use taskloom_domain::lang::typed::{self, Assignment, Callee, FormulaKind, Quantifier};
use taskloom_domain::scene::Scene;

/// The maximum height of a formula, including the conditions that it calls. Evaluation recurses on
/// the small stack of a Web Worker, so a taller formula counts as invalid.
const MAX_HEIGHT: u32 = 300;

/// The maximum depth of nested condition calls.
const MAX_CONDITION_NESTING: u32 = 100;

/// The variables in scope, and the frame of slots that holds them.
#[derive(Debug, Clone, Default)]
pub(super) struct Variables {
    /// Innermost last.
    pub names: Vec<(Name, u32)>,
    /// The number of slots in the frame so far.
    pub slots: u32,
    /// Slots that were read.
    pub used: Vec<u32>,
    /// Variables without a slot, and the terms that replace them: an action's parameters and
    /// arguments.
    pub given: Vec<(Name, Term)>,
}

impl Variables {
    /// Binds the parameters of a record to the first slots.
    pub fn of_params(params: &[Param]) -> Self {
        let mut variables = Self::default();
        for param in params {
            variables.bind(&param.name);
        }
        variables
    }

    /// Allocates a slot for a variable.
    pub fn bind(&mut self, name: &Name) -> u32 {
        let slot = self.fresh();
        self.names.push((name.clone(), slot));
        slot
    }

    /// Allocates a slot.
    pub fn fresh(&mut self) -> u32 {
        self.slots += 1;
        self.slots - 1
    }

    fn slot(&mut self, name: &Name) -> Option<u32> {
        let found = self.names.iter().rev().find(|(n, _)| n == name);
        let slot = found.map(|(_, slot)| *slot)?;
        if !self.used.contains(&slot) {
            self.used.push(slot);
        }
        Some(slot)
    }
}

#[derive(Debug, Clone, Copy)]
enum ConditionState {
    Unseen,
    /// In progress: reaching it again is a cycle.
    Open,
    Readable,
    Unreadable,
}

/// The types that have been used so far.
#[derive(Default)]
pub(super) struct Types {
    /// The type of each object of the problem.
    of_objects: Vec<Name>,
    /// The index of each type.
    numbers: FxHashMap<Name, u32>,
    /// The objects of each type, by its index.
    pub objects: Vec<Vec<u32>>,
}

/// The named conditions.
struct Conditions {
    /// The index of each.
    numbers: FxHashMap<Name, u32>,
    states: Vec<ConditionState>,
    /// The number of conditions in progress.
    nesting: u32,
}

/// The nesting of the code.
#[derive(Default)]
struct Heights {
    /// The height of each formula, including the conditions it calls.
    formulas: Vec<u32>,
    /// The height of each number, counted from its first aggregate up; 0 without aggregates.
    numbers: Vec<u32>,
}

/// Indices for names, and the code emitted so far. Its functions return `None` for invalid text.
pub(super) struct Lowering {
    domain: Domain,
    pub code: Code,
    pub objects: Arc<FxHashMap<Name, u32>>,
    pub facts: FxHashMap<Name, u32>,
    primitive_tasks: FxHashMap<Name, u32>,
    compound_tasks: FxHashMap<Name, u32>,
    pub types: Types,
    conditions: Conditions,
    heights: Heights,
    /// The player's object.
    pub me: Option<u32>,
    /// The index of the hidden number fact for the time, if anything in planning reads the time.
    pub time: Option<u32>,
    /// The index of the hidden fact for the objects that other actors claim, if any task has claims.
    pub claimed: Option<u32>,
    /// The names of the queries so far.
    pub queries: Vec<Name>,
    stop: Stop,
}

impl Lowering {
    /// Assigns indices to the names of a document and the objects of a scene; `me` is the player's object.
    pub fn new(domain: &Domain, scene: &Scene, me: Option<&Name>, stop: &Stop) -> Self {
        let document = domain.document();
        let time = (domain.clock().plans).then_some(document.facts.len() as u32);
        let mut tasks = document.primitive_tasks.values();
        let has_claims = tasks.any(|task| !task.claims.is_empty());
        let claimed = document.facts.len() as u32 + u32::from(time.is_some());
        let mut lowering = Self {
            code: Code::default(),
            objects: scene.numbers().clone(),
            facts: number(document.facts.keys()),
            primitive_tasks: number(document.primitive_tasks.keys()),
            compound_tasks: number(document.compound_tasks.keys()),
            types: Types::default(),
            conditions: Conditions {
                numbers: number(document.conditions.keys()),
                states: vec![ConditionState::Unseen; document.conditions.len()],
                nesting: 0,
            },
            heights: Heights::default(),
            me: None,
            time,
            claimed: has_claims.then_some(claimed),
            queries: vec![],
            stop: stop.clone(),
            domain: domain.clone(),
        };
        let unread = ConditionCode {
            body: None,
            frame: 0,
        };
        lowering.code.conditions = vec![unread; document.conditions.len()];
        let types = scene.objects().iter().map(|(_, of)| of.clone());
        lowering.types.of_objects = types.collect();
        lowering.me = me.and_then(|me| lowering.objects.get(me).copied());
        lowering
    }

    /// Returns the domain.
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// Returns the index of a type. Lists its objects on first use.
    pub fn type_number(&mut self, of: &Name) -> u32 {
        if let Some(number) = self.types.numbers.get(of) {
            return *number;
        }
        let objects = (0u32..).zip(&self.types.of_objects);
        let objects = objects.take_while(|_| !self.stop.after(1));
        let objects = objects.filter(|(_, t)| self.domain.document().is_kind_of(t, of));
        self.types
            .objects
            .push(objects.map(|(object, _)| object).collect());
        let number = self.types.objects.len() as u32 - 1;
        self.types.numbers.insert(of.clone(), number);
        number
    }

    /// Returns the index of the called task; primitive tasks come first.
    pub fn task(&self, call: &typed::Call) -> Option<u32> {
        match call.callee {
            Callee::PrimitiveTask => self.primitive_tasks.get(&call.name).copied(),
            Callee::CompoundTask => {
                let number = self.compound_tasks.get(&call.name)?;
                Some(self.primitive_tasks.len() as u32 + number)
            }
            Callee::Action => None,
        }
    }

    /// Returns the object that a term without variables denotes in a state.
    pub fn ground(&self, term: &typed::Term, state: &State) -> Option<u32> {
        match term {
            typed::Term::Variable(_) => None,
            typed::Term::Me => self.me,
            typed::Term::Object(name) => self.objects.get(name).copied(),
            typed::Term::Fact(name, args) => {
                let fact = std::iter::once(self.facts.get(name).copied());
                let args = args.iter().map(|a| self.ground(a, state));
                let atom: Option<Vec<u32>> = fact.chain(args).collect();
                state.value(&atom?).checked_sub(1).map(|o| o as u32)
            }
        }
    }

    pub fn term(&mut self, term: &typed::Term, variables: &mut Variables) -> Option<Term> {
        Some(match term {
            typed::Term::Variable(name) => match variables.slot(name) {
                Some(slot) => Term::Slot(slot),
                None => {
                    let given = variables.given.iter().find(|(given, _)| given == name);
                    given?.1
                }
            },
            typed::Term::Me => Term::Object(self.me?),
            typed::Term::Object(name) => Term::Object(*self.objects.get(name)?),
            typed::Term::Fact(name, args) => Term::Fact(self.read(name, args, variables)?),
        })
    }

    /// Returns the number of a query.
    pub fn query(&mut self, name: &Name) -> u32 {
        let known = self.queries.iter().position(|known| known == name);
        let number = known.unwrap_or_else(|| {
            self.queries.push(name.clone());
            self.queries.len() - 1
        });
        number as u32
    }

    pub fn terms(&mut self, terms: &[typed::Term], variables: &mut Variables) -> Option<List> {
        let lowered: Option<Vec<Term>> = terms.iter().map(|t| self.term(t, variables)).collect();
        Some(self.code.terms(lowered?))
    }

    fn read(
        &mut self,
        fact: &Name,
        args: &[typed::Term],
        variables: &mut Variables,
    ) -> Option<Read> {
        Some(Read {
            fact: *self.facts.get(fact)?,
            args: self.terms(args, variables)?,
        })
    }

    pub fn number(
        &mut self,
        number: &typed::Number,
        variables: &mut Variables,
    ) -> Option<NumberId> {
        let lowered = match number {
            typed::Number::Constant(value) => Number::Constant(*value),
            typed::Number::Time => Number::Fact(self.time()?),
            typed::Number::Fact(_, args) if self.any_undefined(args) => self.undefined(),
            typed::Number::Fact(name, args) => Number::Fact(self.read(name, args, variables)?),
            typed::Number::Arithmetic(operator, a, b) => Number::Arithmetic(
                *operator,
                self.number(a, variables)?,
                self.number(b, variables)?,
            ),
            typed::Number::Negative(a) => Number::Negative(self.number(a, variables)?),
            typed::Number::Function(function, numbers) => {
                let numbers = numbers.iter().map(|n| self.number(n, variables));
                let numbers: Vec<NumberId> = numbers.collect::<Option<_>>()?;
                Number::Function(*function, *numbers.first()?, *numbers.last()?)
            }
            typed::Number::Aggregate(aggregate, params, value, of) => {
                let outer = variables.names.len();
                let binders = self.binders(params, variables);
                let value = self.number(value, variables);
                let of = of.as_ref().map(|of| self.formula(of, variables));
                variables.names.truncate(outer);
                let of = match of {
                    Some(of) => Some(of?),
                    None => None,
                };
                self.code.aggregates.push(AggregateCode {
                    aggregate: *aggregate,
                    binders: binders.into(),
                    value: value?,
                    of,
                });
                Number::Aggregate(self.code.aggregates.len() as u32 - 1)
            }
        };
        (self.number_height(lowered) <= MAX_HEIGHT).then(|| self.add_number(lowered))
    }

    /// Adds a constant to the code.
    pub fn constant(&mut self, number: f64) -> NumberId {
        self.add_number(Number::Constant(number))
    }

    /// Adds a number to the code.
    pub fn add_number(&mut self, number: Number) -> NumberId {
        let height = self.number_height(number);
        self.heights.numbers.push(height);
        self.code.number(number)
    }

    /// Returns the height of a number.
    fn number_height(&self, number: Number) -> u32 {
        let height = |n: NumberId| self.heights.numbers[n.0 as usize];
        let below = match number {
            Number::Constant(_) | Number::Fact(_) => 0,
            Number::Negative(a) => height(a),
            Number::Arithmetic(_, a, b) | Number::Function(_, a, b) => height(a).max(height(b)),
            Number::Aggregate(which) => {
                let AggregateCode { value, of, .. } = &self.code.aggregates[which as usize];
                let of = of.map_or(0, |of| self.heights.formulas[of.0 as usize]);
                return 1 + of.max(height(*value));
            }
        };
        below + u32::from(below > 0)
    }

    /// Allocates slots for variables, each with the type of its objects.
    fn binders(&mut self, params: &[Param], variables: &mut Variables) -> Vec<(u32, u32)> {
        let bound = params.iter();
        bound
            .map(|p| (variables.bind(&p.name), self.type_number(&p.of)))
            .collect()
    }

    pub fn formula(
        &mut self,
        formula: &typed::Formula,
        variables: &mut Variables,
    ) -> Option<FormulaId> {
        let lowered = match &formula.kind {
            FormulaKind::Constant(value) => Formula::Constant(*value),
            FormulaKind::Fact(_, args) | FormulaKind::Condition(_, args)
                if self.any_undefined(args) =>
            {
                Formula::Constant(false)
            }
            FormulaKind::Fact(name, args) => Formula::Holds(self.read(name, args, variables)?),
            FormulaKind::Condition(name, args) => {
                let condition = self.condition(name)?;
                Formula::Condition(condition, self.terms(args, variables)?)
            }
            FormulaKind::Compare(comparison, a, b) => Formula::Compare(
                *comparison,
                self.number(a, variables)?,
                self.number(b, variables)?,
            ),
            FormulaKind::Same(a, b) if self.is_undefined(a) || self.is_undefined(b) => {
                Formula::Constant(false)
            }
            FormulaKind::Same(a, b) => {
                let terms = [self.term(a, variables)?, self.term(b, variables)?];
                Formula::Same(self.code.terms(terms))
            }
            FormulaKind::Not(of) => Formula::Not(self.formula(of, variables)?),
            FormulaKind::And(parts) => Formula::All(self.formulas(parts, variables)?),
            FormulaKind::Or(parts) => Formula::Any(self.formulas(parts, variables)?),
            FormulaKind::Imply(a, b) => {
                Formula::Imply(self.formula(a, variables)?, self.formula(b, variables)?)
            }
            FormulaKind::Quantified(quantifier, params, body) => {
                let outer = variables.names.len();
                let bound = self.binders(params, variables);
                let body = self.formula(body, variables);
                variables.names.truncate(outer);
                return bound.iter().rev().fold(body, |body, (slot, of)| {
                    let body = body?;
                    Some(self.add(match quantifier {
                        Quantifier::Forall => Formula::Every(*slot, *of, body),
                        Quantifier::Exists => Formula::Some(*slot, *of, body),
                    }))
                });
            }
        };
        let formula = self.add(lowered);
        (self.heights.formulas[formula.0 as usize] <= MAX_HEIGHT).then_some(formula)
    }

    fn formulas(&mut self, parts: &[typed::Formula], variables: &mut Variables) -> Option<List> {
        let lowered: Option<Vec<FormulaId>> =
            parts.iter().map(|p| self.formula(p, variables)).collect();
        Some(self.code.list(lowered?))
    }

    /// Adds a formula to the code.
    pub fn add(&mut self, formula: Formula) -> FormulaId {
        let height = |f: &FormulaId| self.heights.formulas[f.0 as usize];
        let parts = |list: &List| &self.code.lists[list.range()];
        let below = match &formula {
            Formula::Not(a) | Formula::Every(_, _, a) | Formula::Some(_, _, a) => height(a),
            Formula::All(list) | Formula::Any(list) => {
                parts(list).iter().map(height).max().unwrap_or(0)
            }
            Formula::Imply(a, b) => height(a).max(height(b)),
            Formula::Condition(number, _) => {
                let body = self.code.conditions[*number as usize].body;
                body.as_ref().map_or(0, height)
            }
            Formula::Compare(_, a, b) => {
                let height = |n: &NumberId| self.heights.numbers[n.0 as usize];
                height(a).max(height(b))
            }
            Formula::Constant(_) | Formula::Holds(_) | Formula::Same(_) => 0,
        };
        self.heights.formulas.push(below + 1);
        self.code.formula(formula)
    }

    /// Returns the index of a named condition if it is valid. Recurses as deep as conditions are
    /// nested.
    fn condition(&mut self, name: &Name) -> Option<u32> {
        let number = *self.conditions.numbers.get(name)?;
        if let ConditionState::Unseen = self.conditions.states[number as usize] {
            self.conditions.states[number as usize] = ConditionState::Open;
            self.conditions.nesting += 1;
            let readable = self.conditions.nesting <= MAX_CONDITION_NESTING
                && self.read_condition(name, number).is_some();
            self.conditions.nesting -= 1;
            self.conditions.states[number as usize] = match readable {
                true => ConditionState::Readable,
                false => ConditionState::Unreadable,
            };
        }
        match self.conditions.states[number as usize] {
            ConditionState::Readable => Some(number),
            _ => None,
        }
    }

    fn read_condition(&mut self, name: &Name, number: u32) -> Option<()> {
        let domain = self.domain.clone();
        let record = domain.document().conditions.get(name)?;
        let mut variables = Variables::of_params(&record.params);
        let formula = domain.condition(name)?.value.as_ref()?;
        let body = self.formula(formula, &mut variables)?;
        self.code.conditions[number as usize] = ConditionCode {
            body: Some(body),
            frame: variables.slots,
        };
        Some(())
    }

    pub fn effect(
        &mut self,
        effect: &typed::Effect,
        variables: &mut Variables,
    ) -> Option<FlatEffect> {
        let outer = variables.names.len();
        let forall = self.binders(&effect.forall, variables);
        let lowered = self.change(effect, forall, variables);
        variables.names.truncate(outer);
        lowered
    }

    fn change(
        &mut self,
        effect: &typed::Effect,
        forall: Vec<(u32, u32)>,
        variables: &mut Variables,
    ) -> Option<FlatEffect> {
        let when = match &effect.when {
            Some(when) => Some(self.formula(when, variables)?),
            None => None,
        };
        let (name, args, change) = match &effect.change {
            typed::Change::Set(name, args) => (name, args, FlatChange::Set),
            typed::Change::Unset(name, args) => (name, args, FlatChange::Unset),
            typed::Change::Number(assignment, name, args, number) => {
                let number = self.number(number, variables)?;
                let change = match assignment {
                    Assignment::Assign => FlatChange::Assign(number),
                    Assignment::Increase => FlatChange::Increase(number),
                    Assignment::Decrease => FlatChange::Decrease(number),
                };
                (name, args, change)
            }
            typed::Change::Object(name, args, object) => {
                let object = self.term(object, variables)?;
                (name, args, FlatChange::Object(object))
            }
        };
        Some(FlatEffect {
            forall,
            when,
            target: self.read(name, args, variables)?,
            change,
        })
    }
}

fn number<'a>(names: impl Iterator<Item = &'a Name>) -> FxHashMap<Name, u32> {
    names.cloned().zip(0u32..).collect()
}
