//! The texts of tasks, each read once, however often a world is asked what they
//! amount to.

use std::cell::OnceCell;

use crate::lang::typed::{Effect, Formula, FormulaKind, Number};
use crate::lang::{Scope, World as _, read_action_call, read_effect, read_formula, read_number};
use crate::world::World;
use taskloom_document::{
    self, CompoundTask, Document, EffectTiming, Name, Param, PrimitiveTask, Table,
};

/// What is worked out of each record of a table once, when it is first asked for.
#[derive(Debug)]
pub struct Once<'a, R, T>(Vec<(&'a Name, &'a R, OnceCell<T>)>);

impl<'a, R, T> Once<'a, R, T> {
    /// Nothing of these records yet.
    pub fn new(table: &'a Table<R>) -> Self {
        let records = table.iter();
        let records = records.map(|(name, record)| (name, &**record, OnceCell::new()));
        Self(records.collect())
    }

    /// What `make` makes of a record; nothing where there is no such record.
    pub fn get(&self, name: &Name, make: impl FnOnce(&'a R) -> T) -> Option<&T> {
        let found = self.0.binary_search_by(|(other, ..)| (*other).cmp(name));
        let (_, record, made) = self.0.get(found.ok()?)?;
        Some(made.get_or_init(|| make(record)))
    }
}

/// A formula, with its text.
#[derive(Debug)]
pub struct ReadFormula<'t> {
    /// The text.
    pub text: &'t str,
    /// What it says; nothing where it cannot be read.
    pub formula: Option<Formula>,
    /// Whether every condition that it calls, and those that they call in turn,
    /// can be read.
    pub calls_are_readable: bool,
}

/// A primitive task, read.
#[derive(Debug)]
pub struct ReadPrimitive<'a> {
    /// Its parameters.
    pub params: &'a [Param],
    /// What has to hold when it starts.
    pub preconditions: Vec<ReadFormula<'a>>,
    /// What has to hold for it to be complete.
    pub completion: Vec<ReadFormula<'a>>,
    /// What has to hold while it is being executed.
    pub integrity: Vec<ReadFormula<'a>>,
    /// What it costs; nothing where that is not said, or cannot be read.
    pub cost: Option<Number>,
    /// Its effects, without those that cannot be read.
    pub effects: Vec<(EffectTiming, Effect)>,
    /// How many ticks its action takes; none without a readable action.
    pub duration: u32,
}

/// A compound task, read; of its method nothing.
#[derive(Debug)]
pub struct ReadCompound<'a> {
    /// Its parameters.
    pub params: &'a [Param],
    /// What has to hold where it is decomposed.
    pub preconditions: Vec<ReadFormula<'a>>,
    /// What has to hold while a task below it is being executed.
    pub integrity: Vec<ReadFormula<'a>>,
}

/// Reads a formula.
pub fn formula<'t>(world: &World, text: &'t str, scope: &Scope) -> ReadFormula<'t> {
    let formula = read_formula(text, scope).value;
    ReadFormula {
        text,
        calls_are_readable: formula.as_ref().is_none_or(|f| is_readable(world, f)),
        formula,
    }
}

fn formulas<'t>(world: &World, texts: &'t [String], scope: &Scope) -> Vec<ReadFormula<'t>> {
    texts.iter().map(|t| formula(world, t, scope)).collect()
}

/// Reads a primitive task.
pub fn primitive<'a>(
    world: &World,
    document: &Document,
    task: &'a PrimitiveTask,
) -> ReadPrimitive<'a> {
    let scope = &Scope::of_domain(document, task.params.clone());
    let effect = |effect: &taskloom_document::Effect| {
        let read = read_effect(&effect.text, scope).value?;
        let counts = read
            .when
            .as_ref()
            .is_none_or(|when| is_readable(world, when));
        counts.then_some((effect.timing, read))
    };
    let action = (!task.action.trim().is_empty())
        .then(|| read_action_call(&task.action, scope).value)
        .flatten();
    let action = action.and_then(|call| document.actions.get(&call.name));
    ReadPrimitive {
        params: &task.params,
        preconditions: formulas(world, &task.preconditions, scope),
        completion: formulas(world, &task.completion, scope),
        integrity: formulas(world, &task.integrity, scope),
        cost: read_number(&task.cost, scope).value,
        effects: task.effects.iter().filter_map(effect).collect(),
        duration: action.map_or(0, |action| action.duration),
    }
}

/// Reads a compound task.
pub fn compound<'a>(
    world: &World,
    document: &Document,
    task: &'a CompoundTask,
) -> ReadCompound<'a> {
    let scope = &Scope::of_domain(document, task.params.clone());
    ReadCompound {
        params: &task.params,
        preconditions: formulas(world, &task.preconditions, scope),
        integrity: formulas(world, &task.integrity, scope),
    }
}

/// Whether every condition that a formula calls, and those that they call in
/// turn, can be read.
fn is_readable(world: &World, formula: &Formula) -> bool {
    let mut called: Vec<&Name> = vec![];
    let mut open = vec![formula];
    while let Some(formula) = open.pop() {
        match &formula.kind {
            FormulaKind::Condition(name, _) if !called.contains(&name) => {
                called.push(name);
                match world.condition(name) {
                    Some((_, formula)) => open.push(formula),
                    None => return false,
                }
            }
            FormulaKind::Not(a) | FormulaKind::Quantified(_, _, a) => open.push(a),
            FormulaKind::And(parts) | FormulaKind::Or(parts) => open.extend(parts),
            FormulaKind::Imply(a, b) => open.extend([&**a, &**b]),
            FormulaKind::Condition(..)
            | FormulaKind::Constant(_)
            | FormulaKind::Fact(..)
            | FormulaKind::Compare(..)
            | FormulaKind::Same(..) => {}
        }
    }
    true
}
