//! The plan that would do if nothing ever became false, from the goal back.

use rustc_hash::FxHashMap;

use super::tables::when;
use super::{Cost, NEVER, Reached, Relaxed, Sum};
use crate::plan::evaluate::NOTHING;
use crate::plan::goals::formula::{Cond, Obj, Values};
use crate::plan::goals::literals::Literal;
use crate::plan::goals::task::{Kind, Task};

impl Relaxed {
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
            for literal in self.tables.literals.of(unit) {
                plan.want_value(self.reached[*literal as usize]);
            }
            let unit = &self.tables.units[unit as usize];
            let action = &task.actions[unit.action as usize];
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
        if let Some(literal) = Literal::of(cond) {
            return self.want_value(relaxed.reached[relaxed.tables.numbering.of(literal)]);
        }
        match cond {
            Cond::Constant(_) | Cond::Is(..) => {}
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
                let place = self.relaxed.tables.numbering.object(*variable, value);
                self.want_value(self.relaxed.reached[place]);
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
