//! How far it is to a goal if nothing ever became false: each variable then has all the values
//! that it had, a number all between the least and the greatest.
//!
//! Actions happen in the order of what it costs to get to them, so that the first time at which a
//! condition may hold is the least cost of it (`hmax`; Bonet and Geffner 2001). With what
//! conditions cost added up it is `hadd`, and the actions that were used make the relaxed plan
//! whose cost is `ff` (Hoffmann and Nebel 2001). Numbers grow by an action at a time, at its cost
//! each, as often as [`STEPS`] says; then at once as far as they can. So none of this is ever more
//! by `hmax` than what a plan costs, also where costs depend on the state.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::formula::{Case, Cond, Num, Obj, Values};
use super::interval::Interval;
use super::literals::{Literals, plain};
use super::task::{Action, Change, Effect, Kind, Task};
use crate::plan::evaluate::NOTHING;

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

/// Effects of an action that happen under one condition.
#[derive(Debug)]
struct Unit {
    action: u32,
    /// Where in the action's effects they are.
    effects: Vec<u32>,
    repeats: Repeats,
}

/// Whether doing a unit once more changes more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Repeats {
    /// Never.
    Never,
    /// It adds the same at the same cost each time.
    Evenly,
    /// What it does depends on numbers.
    Anyhow,
    /// What it costs or sets depends on objects, of which there are only so many.
    Always,
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

/// What never changes of relaxed searches.
#[derive(Debug)]
struct Tables {
    units: Vec<Unit>,
    /// What of their conditions is literals, which are counted instead of asked.
    literals: Literals,
    /// By boolean variable: the units that read it otherwise.
    of_boolean: Vec<Vec<u32>>,
    /// By other variable.
    of_valued: Vec<Vec<u32>>,
    /// Where the values of each variable that is an object begin,
    first: Vec<u32>,
    /// and how many there are.
    width: usize,
}

/// A relaxed search, to be used again and again.
#[derive(Debug)]
pub struct Relaxed {
    tables: Tables,
    /// By boolean variable: of false, then of true.
    booleans: Vec<[Reached; 2]>,
    /// By value of a variable that is an object; nothing comes first.
    values: Vec<Reached>,
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
            units: vec![],
            literals: Literals::default(),
            of_boolean: vec![vec![]; task.booleans.len()],
            of_valued: vec![vec![]; task.kinds.len()],
            first: vec![],
            width: task.objects + 1,
        };
        let mut values = 0;
        for kind in &task.kinds {
            tables.first.push(values);
            if let Kind::Object = kind {
                values += task.objects as u32 + 1;
            }
        }
        for (number, action) in (0..).zip(&task.actions) {
            tables.add(number, action);
        }
        let units = tables.units.len();
        tables.literals.settle(task.booleans.len());
        for readers in tables.of_boolean.iter_mut().chain(&mut tables.of_valued) {
            readers.sort_unstable();
            readers.dedup();
        }
        Self {
            booleans: vec![[UNREACHED; 2]; task.booleans.len()],
            values: vec![UNREACHED; values as usize],
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
        let literals = &self.tables.literals;
        self.missing.copy_from_slice(&literals.counts);
        for (variable, reached) in (0..).zip(&mut self.booleans) {
            *reached = [UNREACHED; 2];
            let so = from.is(variable);
            reached[usize::from(so)] = here;
            for unit in literals.readers(variable, so) {
                self.missing[*unit as usize] -= 1;
            }
        }
        self.values.fill(UNREACHED);
        for (variable, kind) in (0..).zip(&task.kinds) {
            match kind {
                Kind::Object => {
                    let value = from.object(variable).wrapping_add(1);
                    let first = self.tables.first[variable as usize];
                    self.values[(first + value) as usize] = here;
                }
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
        let cost = match cost.nothing {
            true => cost.low.min(1.0),
            false => cost.low,
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
                Change::Is(so) => !self.may_be(effect.variable, so),
                _ => true,
            }
        })
    }

    /// Whether an action's conditions may hold.
    pub fn may_do(&self, action: &Action) -> bool {
        let mut literals = action.literals.iter();
        literals.all(|(variable, so)| self.may_be(*variable, *so))
            && action.needs.iter().all(|need| self.may(need))
    }

    fn cost_of_unit(&self, task: &Task, unit: u32) -> f64 {
        let unit = &self.tables.units[unit as usize];
        let action = &task.actions[unit.action as usize];
        let literals = action.literals.iter();
        let literals = literals.map(|(v, so)| self.booleans[*v as usize][usize::from(*so)].cost);
        let needs = action.needs.iter().chain([when(action, unit)]);
        let needs = needs.map(|need| self.cost(need, Sum::Add));
        literals.chain(needs).sum()
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
                    let place = &mut self.booleans[variable][usize::from(*so)];
                    let is_new = cost < place.cost;
                    if is_new {
                        *place = reached;
                        self.due.extend(&self.tables.of_boolean[variable]);
                        let readers = self.tables.literals.readers(variable as u32, *so);
                        for unit in readers {
                            self.missing[*unit as usize] -= 1;
                            if self.missing[*unit as usize] == 0 {
                                self.due.push(*unit);
                            }
                        }
                    }
                    is_new
                }
                Change::Object(object) => {
                    let first = self.tables.first[variable] as usize;
                    let mut objects = vec![];
                    self.objects(object, &mut |object, _| objects.push(object));
                    let mut is_new = false;
                    for object in objects.into_iter().filter(|o| *o != NOTHING) {
                        let place = &mut self.values[first + object as usize + 1];
                        if cost < place.cost {
                            *place = reached;
                            is_new = true;
                        }
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
        steps.last().map_or(Interval::NOTHING, |step| step.to)
    }

    fn may_be(&self, variable: u32, so: bool) -> bool {
        self.booleans[variable as usize][usize::from(so)].cost < f64::INFINITY
    }

    /// What a boolean variable costs to be so.
    pub fn cost_of_literal(&self, variable: u32, so: bool) -> f64 {
        self.booleans[variable as usize][usize::from(so)].cost
    }

    /// What a variable costs to be an object, or none.
    pub fn cost_of_object(&self, variable: u32, object: u32) -> f64 {
        let first = self.tables.first[variable as usize];
        self.values[(first + object.wrapping_add(1)) as usize].cost
    }

    /// Whether a condition may hold.
    pub fn may(&self, cond: &Cond) -> bool {
        match cond {
            Cond::Constant(value) => *value,
            Cond::Is(variable, so) => self.may_be(*variable, *so),
            Cond::All(parts) => parts.iter().all(|part| self.may(part)),
            Cond::Any(parts) => parts.iter().any(|part| self.may(part)),
            Cond::Same(..) | Cond::Exists(_) => self.cost(cond, Sum::Max) < f64::INFINITY,
            Cond::Compare(comparison, both, so) => {
                let (a, b) = (self.interval(&both.0), self.interval(&both.1));
                Interval::may(*comparison, a, b, *so)
            }
            Cond::Case(case) => self.any_case(case, |part, _| self.may(part)),
        }
    }

    fn any_case<T>(&self, case: &Case<T>, is: impl Fn(&T, f64) -> bool) -> bool {
        let mut found = false;
        self.objects(&case.of, &mut |object, cost| {
            found |= !found && is(case.of(object), cost);
        });
        found
    }

    /// What a condition that may hold costs; infinity for others.
    pub fn cost(&self, cond: &Cond, sum: Sum) -> f64 {
        let join = |a: f64, b: f64| match sum {
            Sum::Max => a.max(b),
            Sum::Add => a + b,
        };
        match cond {
            Cond::Constant(true) => 0.0,
            Cond::Constant(false) => f64::INFINITY,
            Cond::Is(variable, so) => self.cost_of_literal(*variable, *so),
            Cond::All(parts) => {
                let costs = parts.iter().map(|part| self.cost(part, sum));
                costs.fold(0.0, join)
            }
            Cond::Any(parts) => {
                let costs = parts.iter().map(|part| self.cost(part, sum));
                costs.fold(f64::INFINITY, f64::min)
            }
            Cond::Same(both, so) => {
                let mut least = f64::INFINITY;
                self.objects(&both.0, &mut |a, cost_a| {
                    self.objects(&both.1, &mut |b, cost_b| {
                        if (a == b && a != NOTHING) == *so {
                            least = least.min(join(cost_a, cost_b));
                        }
                    });
                });
                least
            }
            Cond::Exists(object) => {
                let mut least = f64::INFINITY;
                self.objects(object, &mut |object, cost| {
                    if object != NOTHING {
                        least = least.min(cost);
                    }
                });
                least
            }
            Cond::Compare(..) => {
                if !self.may(cond) {
                    return f64::INFINITY;
                }
                let mut steps = 0;
                let mut total = 0.0;
                let mut variables = vec![];
                cond.reads(&mut |variable, boolean| {
                    if !boolean && !variables.contains(&variable) {
                        variables.push(variable);
                    }
                });
                for variable in variables {
                    let widenings = &self.numbers[variable as usize];
                    let needed = self.first_enough(cond, variable);
                    if let Some(step) = widenings.get(needed) {
                        total = join(total, step.cost);
                        steps += needed;
                    }
                }
                if steps == 0 { 0.0 } else { total }
            }
            Cond::Case(case) => {
                let mut least = f64::INFINITY;
                self.objects(&case.of, &mut |object, cost| {
                    least = least.min(join(cost, self.cost(case.of(object), sum)));
                });
                least
            }
        }
    }

    /// After how many widenings of a variable a comparison may hold, if all other variables may
    /// be what they may be by now.
    fn first_enough(&self, cond: &Cond, variable: u32) -> usize {
        let steps = self.numbers[variable as usize].len();
        let holds = |step: usize| {
            let limited = Limited {
                relaxed: self,
                variable,
                step,
            };
            limited.may(cond)
        };
        // The more there were, the more may hold.
        let (mut low, mut high) = (0, steps.saturating_sub(1));
        while low < high {
            let middle = (low + high) / 2;
            if holds(middle) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }

    /// Which objects something may be, [`NOTHING`] among them, and what each costs.
    fn objects(&self, object: &Obj, note: &mut dyn FnMut(u32, f64)) {
        match object {
            Obj::Object(object) => note(*object, 0.0),
            Obj::Var(variable) => {
                let first = self.tables.first[*variable as usize] as usize;
                let values = &self.values[first..first + self.tables.width];
                for (value, reached) in (0u32..).zip(values) {
                    if reached.cost < f64::INFINITY {
                        note(value.wrapping_sub(1), reached.cost);
                    }
                }
            }
            Obj::Case(case) => self.objects(&case.of, &mut |of, cost| {
                self.objects(case.of(of), &mut |object, more| {
                    note(object, cost.max(more));
                });
            }),
        }
    }

    /// Which numbers something may be.
    pub fn interval(&self, number: &Num) -> Interval {
        self.interval_by(number, &|variable| self.number(variable as usize))
    }

    fn interval_by(&self, number: &Num, of: &dyn Fn(u32) -> Interval) -> Interval {
        match number {
            Num::Constant(number) => Interval::of(*number),
            Num::Var(variable) => of(*variable),
            Num::Case(case) => {
                let mut all: Option<Interval> = None;
                self.objects(&case.of, &mut |object, _| {
                    let part = self.interval_by(case.of(object), of);
                    all = Some(all.map_or(part, |all| all.or(part)));
                });
                all.unwrap_or(Interval::NOTHING)
            }
            Num::Negative(number) => self.interval_by(number, of).negative(),
            Num::Arithmetic(operator, both) => {
                let (a, b) = (self.interval_by(&both.0, of), self.interval_by(&both.1, of));
                Interval::calculate(*operator, a, b)
            }
            Num::Function(function, both) => {
                let (a, b) = (self.interval_by(&both.0, of), self.interval_by(&both.1, of));
                Interval::call(*function, a, b)
            }
            Num::Aggregate(aggregate, parts) => {
                let parts = parts.iter();
                let parts = parts
                    .filter(|(cond, _)| self.may(cond))
                    .map(|(cond, number)| {
                        let always = *cond == Cond::Constant(true);
                        (always, self.interval_by(number, of))
                    });
                Interval::aggregate(*aggregate, parts)
            }
        }
    }

    /// The actions of a plan that would do for a goal if nothing ever became false, and how often
    /// each is done. The goal was reached by [`run`](Self::run).
    pub fn plan(&self, task: &Task, goal: &Cond) -> Vec<(u32, u32)> {
        let mut plan = Extraction {
            relaxed: self,
            task,
            times: FxHashMap::default(),
            actions: FxHashMap::default(),
            wanted: vec![],
        };
        plan.want(goal);
        while let Some(unit) = plan.wanted.pop() {
            let unit = &self.tables.units[unit as usize];
            let action = &task.actions[unit.action as usize];
            for (variable, so) in &action.literals {
                plan.want_value(self.booleans[*variable as usize][usize::from(*so)]);
            }
            for need in action.needs.iter().chain([when(action, unit)]) {
                plan.want(need);
            }
        }
        let mut actions = Vec::from_iter(plan.actions);
        actions.sort_unstable();
        actions
    }

    /// What such a plan costs.
    pub fn plan_cost(&self, task: &Task, from: Values<'_>, goal: &Cond) -> f64 {
        cost_of(task, from, &self.plan(task, goal))
    }
}

/// What actions cost that are done so often.
pub fn cost_of(task: &Task, from: Values<'_>, actions: &[(u32, u32)]) -> f64 {
    let costs = actions.iter().map(|(action, times)| {
        let action = &task.actions[*action as usize];
        f64::from(*times) * action.cost(from)
    });
    costs.sum()
}

/// Relaxed values of which one variable has not all that it may have by now.
struct Limited<'a> {
    relaxed: &'a Relaxed,
    variable: u32,
    step: usize,
}

impl Limited<'_> {
    fn may(&self, cond: &Cond) -> bool {
        let Cond::Compare(comparison, both, so) = cond else {
            return self.relaxed.may(cond);
        };
        let of = |variable: u32| match variable == self.variable {
            true => self.relaxed.numbers[variable as usize][self.step].to,
            false => self.relaxed.number(variable as usize),
        };
        let a = self.relaxed.interval_by(&both.0, &of);
        let b = self.relaxed.interval_by(&both.1, &of);
        Interval::may(*comparison, a, b, *so)
    }
}

/// A relaxed plan in the making, from the goal back.
struct Extraction<'a> {
    relaxed: &'a Relaxed,
    task: &'a Task,
    /// By unit: how often it is in the plan.
    times: FxHashMap<u32, u32>,
    /// By action.
    actions: FxHashMap<u32, u32>,
    /// Units whose conditions are still to be seen to.
    wanted: Vec<u32>,
}

impl Extraction<'_> {
    fn want_value(&mut self, reached: Reached) {
        if reached.unit != NEVER {
            self.want_unit(reached.unit, 1);
        }
    }

    fn want_unit(&mut self, unit: u32, times: u32) {
        let before = self.times.entry(unit).or_default();
        if *before == 0 {
            self.wanted.push(unit);
        }
        let times = times.max(*before);
        *before = times;
        let action = self.relaxed.tables.units[unit as usize].action;
        let of_action = self.actions.entry(action).or_default();
        *of_action = times.max(*of_action);
    }

    fn want(&mut self, cond: &Cond) {
        let relaxed = self.relaxed;
        match cond {
            Cond::Constant(_) => {}
            Cond::Is(variable, so) => {
                self.want_value(relaxed.booleans[*variable as usize][usize::from(*so)]);
            }
            Cond::All(parts) => parts.iter().for_each(|part| self.want(part)),
            Cond::Any(parts) => {
                let cost = |part: &&Cond| Cost(relaxed.cost(part, Sum::Add));
                if let Some(part) = parts.iter().min_by_key(cost) {
                    self.want(part);
                }
            }
            Cond::Same(both, so) => {
                let mut best = (f64::INFINITY, NOTHING, NOTHING);
                relaxed.objects(&both.0, &mut |a, cost_a| {
                    relaxed.objects(&both.1, &mut |b, cost_b| {
                        if (a == b && a != NOTHING) == *so && cost_a + cost_b < best.0 {
                            best = (cost_a + cost_b, a, b);
                        }
                    });
                });
                if best.0 < f64::INFINITY {
                    self.want_object(&both.0, best.1);
                    self.want_object(&both.1, best.2);
                }
            }
            Cond::Exists(object) => {
                let mut best = (f64::INFINITY, NOTHING);
                relaxed.objects(object, &mut |object, cost| {
                    if object != NOTHING && cost < best.0 {
                        best = (cost, object);
                    }
                });
                self.want_object(object, best.1);
            }
            Cond::Compare(..) => self.want_comparison(cond),
            Cond::Case(case) => {
                let mut best = (f64::INFINITY, NOTHING);
                relaxed.objects(&case.of, &mut |object, cost| {
                    let cost = cost + relaxed.cost(case.of(object), Sum::Add);
                    if cost < best.0 {
                        best = (cost, object);
                    }
                });
                self.want_object(&case.of, best.1);
                self.want(case.of(best.1));
            }
        }
    }

    fn want_object(&mut self, object: &Obj, value: u32) {
        match object {
            Obj::Object(_) => {}
            Obj::Var(variable) => {
                let first = self.relaxed.tables.first[*variable as usize];
                let place = first + value.wrapping_add(1);
                self.want_value(self.relaxed.values[place as usize]);
            }
            Obj::Case(case) => {
                let relaxed = self.relaxed;
                let mut found = None;
                relaxed.objects(&case.of, &mut |of, _| {
                    relaxed.objects(case.of(of), &mut |object, _| {
                        if object == value && found.is_none() {
                            found = Some(of);
                        }
                    });
                });
                if let Some(of) = found {
                    self.want_object(&case.of, of);
                    self.want_object(case.of(of), value);
                }
            }
        }
    }

    /// Each number that a comparison reads was changed as often as it took.
    fn want_comparison(&mut self, cond: &Cond) {
        let relaxed = self.relaxed;
        let mut variables = vec![];
        cond.reads(&mut |variable, boolean| {
            if !boolean && !variables.contains(&variable) {
                variables.push(variable);
            }
        });
        for variable in variables {
            if let Kind::Object = self.task.kinds[variable as usize] {
                continue;
            }
            let needed = relaxed.first_enough(cond, variable);
            let steps = &relaxed.numbers[variable as usize][..=needed];
            let mut times: Vec<(u32, u32)> = vec![];
            for step in steps.iter().filter(|step| step.unit != NEVER) {
                match times.iter_mut().find(|(unit, _)| *unit == step.unit) {
                    Some((_, times)) => *times += 1,
                    None => times.push((step.unit, 1)),
                }
            }
            for (unit, times) in times {
                self.want_unit(unit, times);
            }
        }
    }
}

fn when<'a>(action: &'a Action, unit: &Unit) -> &'a Cond {
    &action.effects[unit.effects[0] as usize].when
}

impl Tables {
    /// Adds an action's effects, those of one condition together.
    fn add(&mut self, number: u32, action: &Action) {
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
                }),
            }
        }
        for unit in units {
            let place = self.units.len() as u32;
            let mut note = |variable: u32, boolean: bool| match boolean {
                true => self.of_boolean[variable as usize].push(place),
                false => self.of_valued[variable as usize].push(place),
            };
            let when = when(action, &unit);
            let literals = plain(when);
            let needs = action.needs.is_empty() && literals.is_some();
            let literals = literals.unwrap_or_default();
            self.literals
                .add(action.literals.iter().copied().chain(literals), needs);
            for need in &action.needs {
                need.reads(&mut note);
            }
            action.cost.reads(&mut note);
            if plain(when).is_none() {
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
            self.units.push(unit);
        }
    }
}
