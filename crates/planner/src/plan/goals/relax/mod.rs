//! How far it is to a goal if nothing ever became false: each variable then has all the values
//! that it had, a number all between the least and the greatest.
//!
//! Actions happen in the order of what it costs to get to them, so that the first time at which a
//! condition may hold is the least cost of it (`hmax`; Bonet and Geffner 2001). With what
//! conditions cost added up it is `hadd`, and the actions that were used make the relaxed plan
//! whose cost is `ff` (Hoffmann and Nebel 2001). Numbers grow by an action at a time, at its cost
//! each, as often as [`STEPS`] says; then at once as far as they can. So none of this is ever more
//! by `hmax` than what a plan costs, also where costs depend on the state.

mod plan;
mod tables;
mod values;

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::formula::{Cond, Num, Obj};
use super::literals::{Literal, Literals, Numbering};
use super::task::{Action, Change, Effect, Kind, Task};
use crate::plan::evaluate::NOTHING;
use crate::plan::interval::Interval;
pub use plan::cost_of;
use tables::{Repeats, Tables, Unit, when};

/// So often an action changes a number by as much as it does.
const STEPS: u32 = 24;

/// None.
const NEVER: u32 = u32::MAX;

/// A number that is put in order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost(pub f64);

impl Eq for Cost {}

impl PartialOrd for Cost {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cost {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// What the parts of a condition cost together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sum {
    /// As much as the dearest.
    Max,
    /// All of it.
    Add,
}

/// A change of a number.
#[derive(Debug, Clone, Copy)]
pub struct Widening {
    /// What the number may be from then on.
    pub to: Interval,
    /// What it costs.
    pub cost: f64,
    /// Which unit did it.
    unit: u32,
}

/// What a value costs and which unit gave it first.
#[derive(Debug, Clone, Copy)]
struct Reached {
    cost: f64,
    unit: u32,
}

const UNREACHED: Reached = Reached {
    cost: f64::INFINITY,
    unit: NEVER,
};

/// A relaxed search, to be used again and again.
#[derive(Debug)]
pub struct Relaxed {
    tables: Tables,
    /// By literal.
    reached: Vec<Reached>,
    /// By variable that is a number.
    numbers: Vec<Vec<Widening>>,
    queue: BinaryHeap<Reverse<(Cost, u32)>>,
    /// By unit: how often it happened, and what that cost last.
    done: Vec<(u32, f64)>,
    /// By unit: how many of its literals have not been reached.
    missing: Vec<u32>,
    /// Which units are to be looked at.
    due: Vec<u32>,
}

impl Relaxed {
    /// For the actions of a task.
    pub fn new(task: &Task) -> Self {
        let mut tables = Tables {
            numbering: Numbering::new(task),
            units: vec![],
            literals: Literals::default(),
            of_boolean: vec![vec![]; task.booleans.len()],
            of_valued: vec![vec![]; task.kinds.len()],
            width: task.objects + 1,
        };
        for (number, action) in (0..).zip(&task.actions) {
            tables.add(number, action);
        }
        let units = tables.units.len();
        tables.literals.settle(tables.numbering.len);
        for readers in tables.of_boolean.iter_mut().chain(&mut tables.of_valued) {
            readers.sort_unstable();
            readers.dedup();
        }
        Self {
            reached: vec![UNREACHED; tables.numbering.len],
            numbers: vec![vec![]; task.kinds.len()],
            queue: BinaryHeap::new(),
            done: vec![(0, 0.0); units],
            missing: vec![0; units],
            due: vec![],
            tables,
        }
    }

    /// What a goal costs at least, from a state; infinity where it can never be. Without a goal
    /// everything that there is is reached.
    pub fn run(&mut self, task: &Task, from: &[u64], goal: Option<&Cond>, sum: Sum) -> f64 {
        self.start(task, from);
        // What may hold once may hold from then on.
        let parts = match goal {
            Some(Cond::All(parts)) => &**parts,
            Some(goal) => std::slice::from_ref(goal),
            None => &[],
        };
        let reach = |this: &Self, reached: &mut usize| {
            while parts.get(*reached).is_some_and(|part| this.may(part)) {
                *reached += 1;
            }
            goal.is_some() && *reached == parts.len()
        };
        let mut reached = 0;
        if reach(self, &mut reached) {
            return 0.0;
        }
        for unit in 0..self.tables.units.len() as u32 {
            if self.missing[unit as usize] == 0 {
                self.look(task, unit, 0.0, sum);
            }
        }
        while let Some(Reverse((Cost(cost), unit))) = self.queue.pop() {
            if !self.happen(task, unit, cost) {
                continue;
            }
            let mut due = std::mem::take(&mut self.due);
            due.sort_unstable();
            due.dedup();
            for unit in due.drain(..) {
                self.look(task, unit, cost, sum);
            }
            self.due = due;
            if let Some(goal) = goal
                && reach(self, &mut reached)
            {
                return match sum {
                    Sum::Max => cost,
                    Sum::Add => self.cost(goal, sum),
                };
            }
        }
        f64::INFINITY
    }

    fn start(&mut self, task: &Task, from: &[u64]) {
        let from = task.values(from);
        let here = Reached {
            cost: 0.0,
            unit: NEVER,
        };
        let Tables {
            numbering,
            literals,
            ..
        } = &self.tables;
        self.missing.copy_from_slice(&literals.counts);
        self.reached.fill(UNREACHED);
        let (reached, missing) = (&mut self.reached, &mut self.missing);
        let mut is = |literal: usize| {
            reached[literal] = here;
            for unit in literals.readers(literal) {
                missing[*unit as usize] -= 1;
            }
        };
        for variable in 0..task.booleans.len() as u32 {
            is(numbering.is(variable, from.is(variable)));
        }
        for (variable, kind) in (0..).zip(&task.kinds) {
            match kind {
                Kind::Object => is(numbering.object(variable, from.object(variable))),
                Kind::Number { .. } => {
                    let steps = &mut self.numbers[variable as usize];
                    steps.clear();
                    steps.push(Widening {
                        to: Interval::of(from.number(variable)),
                        cost: 0.0,
                        unit: NEVER,
                    });
                }
            }
        }
        self.queue.clear();
        self.done.fill((0, 0.0));
    }

    /// What a unit reads has changed: it happens, if it may.
    fn look(&mut self, task: &Task, unit: u32, now: f64, sum: Sum) {
        let Unit {
            action, repeats, ..
        } = self.tables.units[unit as usize];
        let (times, last) = self.done[unit as usize];
        let is_done = match repeats {
            Repeats::Never => times > 0 || !self.is_of_use(task, unit),
            Repeats::Evenly | Repeats::Anyhow => times > STEPS,
            Repeats::Always => false,
        };
        if is_done || !self.may_happen(task, unit) {
            return;
        }
        let action = &task.actions[action as usize];
        let needs = match sum {
            Sum::Max => now,
            Sum::Add => self.cost_of_unit(task, unit),
        };
        let cost = self.interval(&action.cost);
        let cost = if cost.may_be_undefined {
            cost.low.min(1.0)
        } else {
            cost.low
        };
        let earliest = match repeats {
            Repeats::Evenly => needs.max(last),
            Repeats::Never | Repeats::Anyhow | Repeats::Always => needs,
        };
        let at = earliest.max(now) + cost.max(0.0);
        // What costs nothing happens as often as one likes.
        let is_free = times > 0 && at <= last;
        let times = if is_free { STEPS } else { times };
        self.done[unit as usize] = (times.saturating_add(1), at);
        self.queue.push(Reverse((Cost(at), unit)));
    }

    fn may_happen(&self, task: &Task, unit: u32) -> bool {
        let number = unit as usize;
        if self.missing[number] > 0 {
            return false;
        }
        if self.tables.literals.are_all[number] {
            return true;
        }
        let unit = &self.tables.units[number];
        let action = &task.actions[unit.action as usize];
        let mut needs = action.needs.iter();
        needs.all(|need| self.may(need)) && self.may(when(action, unit))
    }

    /// Whether a unit may change something that has not been so.
    fn is_of_use(&self, task: &Task, unit: u32) -> bool {
        let unit = &self.tables.units[unit as usize];
        let action = &task.actions[unit.action as usize];
        let mut effects = unit.effects.iter();
        effects.any(|effect| {
            let effect = &action.effects[*effect as usize];
            match effect.change {
                Change::Is(so) => !self.may_be(Literal::Is(effect.variable, so)),
                Change::Object(Obj::Object(object)) => {
                    !self.may_be(Literal::Object(effect.variable, object))
                }
                _ => true,
            }
        })
    }

    /// Whether an action's conditions may hold.
    pub fn may_do(&self, action: &Action) -> bool {
        let mut literals = action.literals.iter();
        literals.all(|literal| self.may_be(*literal))
            && action.needs.iter().all(|need| self.may(need))
    }

    fn cost_of_unit(&self, task: &Task, unit: u32) -> f64 {
        let literals = self.tables.literals.of(unit).iter();
        let literals = literals.map(|literal| self.reached[*literal as usize].cost);
        let literals = literals.sum();
        if self.tables.literals.are_all[unit as usize] {
            return literals;
        }
        let unit = &self.tables.units[unit as usize];
        let action = &task.actions[unit.action as usize];
        let needs = action
            .needs
            .iter()
            .chain(unit.has_more.then(|| when(action, unit)));
        let needs = needs.map(|need| self.cost(need, Sum::Add));
        literals + needs.sum::<f64>()
    }

    /// A unit's effects; whether they change anything.
    fn happen(&mut self, task: &Task, unit: u32, cost: f64) -> bool {
        let Unit {
            action,
            ref effects,
            ..
        } = self.tables.units[unit as usize];
        let effects = effects.len();
        let action = &task.actions[action as usize];
        let at_once = self.done[unit as usize].0 > STEPS;
        let mut changed = false;
        for effect in 0..effects {
            let effect = self.tables.units[unit as usize].effects[effect];
            let Effect {
                variable, change, ..
            } = &action.effects[effect as usize];
            let variable = *variable as usize;
            let reached = Reached { cost, unit };
            let new = match change {
                Change::Is(so) => {
                    let is_new = self.get(Literal::Is(variable as u32, *so), reached);
                    if is_new {
                        self.due.extend(&self.tables.of_boolean[variable]);
                    }
                    is_new
                }
                Change::Object(object) => {
                    let mut is_new = false;
                    let mut get = |this: &mut Self, object: u32| {
                        is_new |= this.get(Literal::Object(variable as u32, object), reached);
                    };
                    if let Obj::Object(object) = object {
                        get(self, *object);
                    } else {
                        let mut objects = vec![];
                        self.objects(object, &mut |object, _| objects.push(object));
                        let objects = objects.into_iter().filter(|object| *object != NOTHING);
                        objects.for_each(|object| get(self, object));
                    }
                    if is_new {
                        self.due.extend(&self.tables.of_valued[variable]);
                    }
                    is_new
                }
                Change::Number(Num::Constant(number)) => {
                    self.widen(task, variable, Interval::of(*number), reached)
                }
                Change::Number(_) if at_once => {
                    let to = Interval::new(f64::NEG_INFINITY, f64::INFINITY);
                    self.widen(task, variable, to, reached)
                }
                Change::Number(number) => {
                    let to = self.interval(number);
                    self.widen(task, variable, to, reached)
                }
                Change::Add(number) => {
                    let by = self.interval(number);
                    let now = self.number(variable);
                    let far = |by: f64, end: f64| if at_once && by != 0.0 { end } else { by };
                    let (down, up) = (by.low.min(0.0), by.high.max(0.0));
                    let low = now.low + far(down, f64::NEG_INFINITY);
                    let high = now.high + far(up, f64::INFINITY);
                    self.widen(task, variable, Interval::new(low, high), reached)
                }
            };
            changed |= new;
        }
        changed
    }

    /// A literal may be so by a unit, at its cost; whether that is new, or cheaper.
    fn get(&mut self, literal: Literal, by: Reached) -> bool {
        let number = self.tables.numbering.of(literal);
        let before = self.reached[number].cost;
        if by.cost >= before {
            return false;
        }
        self.reached[number] = by;
        if before == f64::INFINITY {
            for unit in self.tables.literals.readers(number) {
                self.missing[*unit as usize] -= 1;
                if self.missing[*unit as usize] == 0 {
                    self.due.push(*unit);
                }
            }
        }
        true
    }

    /// A number may be one of these, too, as far as its range allows; whether that is new.
    fn widen(&mut self, task: &Task, variable: usize, to: Interval, by: Reached) -> bool {
        let Kind::Number { min, max, .. } = task.kinds[variable] else {
            return false;
        };
        let to = Interval::new(to.low.max(min), to.high.min(max));
        let now = self.number(variable);
        if to.low > to.high || to.low >= now.low && to.high <= now.high {
            return false;
        }
        self.numbers[variable].push(Widening {
            to: Interval::new(now.low.min(to.low), now.high.max(to.high)),
            cost: by.cost,
            unit: by.unit,
        });
        self.due.extend(&self.tables.of_valued[variable]);
        true
    }

    fn number(&self, variable: usize) -> Interval {
        let steps = &self.numbers[variable];
        steps.last().map_or(Interval::UNDEFINED, |step| step.to)
    }

    fn may_be(&self, literal: Literal) -> bool {
        self.cost_of(literal) < f64::INFINITY
    }

    /// What it costs a variable to have a value, which may be no object.
    pub fn cost_of(&self, literal: Literal) -> f64 {
        self.reached[self.tables.numbering.of(literal)].cost
    }
}
