//! What can happen in a relaxed search, and what it depends on.

use crate::plan::goals::formula::{Cond, Num, Obj};
use crate::plan::goals::literals::{Literals, Numbering, plain};
use crate::plan::goals::task::{Action, Change};

/// Effects of an action that happen under one condition.
#[derive(Debug)]
pub(super) struct Unit {
    pub(super) action: u32,
    /// Where in the action's effects they are.
    pub(super) effects: Vec<u32>,
    pub(super) repeats: Repeats,
    /// Whether their condition is more than literals.
    pub(super) has_more: bool,
}

/// Whether doing a unit once more changes more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Repeats {
    /// Never.
    Never,
    /// It adds the same at the same cost each time.
    Evenly,
    /// What it does depends on numbers.
    Anyhow,
    /// What it costs or sets depends on objects, of which there are only so many.
    Always,
}

/// What never changes of relaxed searches.
#[derive(Debug)]
pub(super) struct Tables {
    /// Of the literals.
    pub(super) numbering: Numbering,
    pub(super) units: Vec<Unit>,
    /// What of their conditions is literals, which are counted instead of asked.
    pub(super) literals: Literals,
    /// By boolean variable: the units that read it otherwise.
    pub(super) of_boolean: Vec<Vec<u32>>,
    /// By other variable.
    pub(super) of_valued: Vec<Vec<u32>>,
    /// How many values a variable has that is an object.
    pub(super) width: usize,
}

pub(super) fn when<'a>(action: &'a Action, unit: &Unit) -> &'a Cond {
    &action.effects[unit.effects[0] as usize].when
}

impl Tables {
    /// Adds an action's effects, those of one condition together.
    pub(super) fn add(&mut self, number: u32, action: &Action) {
        let mut units: Vec<Unit> = vec![];
        for (place, effect) in (0u32..).zip(&action.effects) {
            let alike = |unit: &&mut Unit| *when(action, unit) == effect.when;
            let repeats = match &effect.change {
                Change::Is(_) => Repeats::Never,
                Change::Add(Num::Constant(_)) => Repeats::Evenly,
                Change::Object(Obj::Object(_)) | Change::Number(Num::Constant(_)) => Repeats::Never,
                Change::Number(_) | Change::Add(_) => Repeats::Anyhow,
                Change::Object(_) => Repeats::Always,
            };
            let repeats = match action.cost {
                Num::Constant(_) => repeats,
                _ => Repeats::Always,
            };
            match units.iter_mut().find(alike) {
                Some(unit) => {
                    unit.effects.push(place);
                    unit.repeats = unit.repeats.max(repeats);
                }
                None => units.push(Unit {
                    action: number,
                    effects: vec![place],
                    repeats,
                    has_more: false,
                }),
            }
        }
        for mut unit in units {
            let place = self.units.len() as u32;
            let mut note = |variable: u32, boolean: bool| {
                if boolean {
                    self.of_boolean[variable as usize].push(place)
                } else {
                    self.of_valued[variable as usize].push(place)
                }
            };
            let when = when(action, &unit);
            let literals = plain(when);
            let are_all = action.needs.is_empty() && literals.is_some();
            let has_more = literals.is_none();
            let literals = literals
                .into_iter()
                .flatten()
                .chain(action.literals.iter().copied());
            let numbers = literals.map(|literal| self.numbering.of(literal) as u32);
            self.literals.add(numbers.collect(), are_all);
            for need in &action.needs {
                need.reads(&mut note);
            }
            action.cost.reads(&mut note);
            if has_more {
                when.reads(&mut note);
            }
            for effect in &unit.effects {
                let effect = &action.effects[*effect as usize];
                match &effect.change {
                    Change::Is(_) => {}
                    Change::Object(object) => object.reads(&mut note),
                    Change::Number(number) => number.reads(&mut note),
                    Change::Add(number) => {
                        number.reads(&mut note);
                        note(effect.variable, false);
                    }
                }
            }
            unit.has_more = has_more;
            self.units.push(unit);
        }
    }
}
