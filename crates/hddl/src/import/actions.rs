//! Actions as primitive tasks, with their costs.

use std::sync::Arc;

use super::text::{Around, Scope, all_of, applied};
use super::{Importer, Variable, conjuncts, title};
use crate::syntax::ast::{Action, Change, Effect, Formula, Number};
use taskloom_document::{self, Document, EffectTiming, Param, PrimitiveTask};

const TOTAL_COST: &str = "total-cost";

/// Returns the amount that an effect unconditionally adds to the total cost.
fn cost(effect: &Effect) -> Option<&Number> {
    match &effect.change {
        Change::Increase(function, by)
            if function.name == *TOTAL_COST
                && function.args.is_empty()
                && effect.when.is_true()
                && effect.forall.is_empty() =>
        {
            Some(by)
        }
        _ => None,
    }
}

fn number_reads(number: &Number) -> bool {
    match number {
        Number::Constant(_) => false,
        Number::Function(atom) => atom.name == *TOTAL_COST,
        Number::Arithmetic(_, a, b) => number_reads(a) || number_reads(b),
        Number::Negative(a) => number_reads(a),
    }
}

/// Returns `true` if a formula reads the total cost.
fn formula_reads(formula: &Formula) -> bool {
    match formula {
        Formula::Compare(_, a, b) => number_reads(a) || number_reads(b),
        Formula::Not(part) | Formula::Forall(_, part) | Formula::Exists(_, part) => {
            formula_reads(part)
        }
        Formula::And(parts) | Formula::Or(parts) => parts.iter().any(formula_reads),
        Formula::Imply(a, b) => formula_reads(a) || formula_reads(b),
        Formula::Atom(_) | Formula::Equal(..) | Formula::OfType(..) => false,
    }
}

impl Importer<'_> {
    /// Returns `true` if the total cost is only ever increased, so that the amount an action adds
    /// is the cost of its task.
    pub fn costs_are_costs(&self) -> bool {
        let domain = self.domain;
        let declared = domain.functions.iter().any(|f| f.name == *TOTAL_COST);
        let is_cost = |effect: &Effect| match &effect.change {
            Change::Add(_) | Change::Delete(_) => !formula_reads(&effect.when),
            Change::Assign(atom, by) | Change::Increase(atom, by) | Change::Decrease(atom, by) => {
                let is_other = atom.name != *TOTAL_COST;
                (is_other || cost(effect).is_some())
                    && !number_reads(by)
                    && !formula_reads(&effect.when)
            }
        };
        let conditions = domain.actions.iter().map(|action| &action.precondition);
        let conditions = conditions.chain(domain.methods.iter().map(|m| &m.precondition));
        let mut conditions = conditions.chain(self.problem.iter().map(|p| &p.goal));
        declared
            && domain.actions.iter().flat_map(|a| &a.effects).all(is_cost)
            && !conditions.any(formula_reads)
    }

    pub fn read_actions(&mut self, document: &mut Document) {
        let domain = self.domain;
        for action in &domain.actions {
            if self.stop.is_cancelled() {
                break;
            }
            let Some(task) = self.tasks.get(action.signature.name.text()).cloned() else {
                continue;
            };
            if document.primitive_tasks.contains_key(&task.name) {
                continue;
            }
            let record = self.primitive(action, &task.params);
            let params: Vec<Param> = record.params.clone();
            let args: Vec<String> = params.iter().map(|p| format!("?{}", p.name)).collect();
            let title = title(self.spelled(&action.signature.name), &task.name);
            let called = taskloom_document::Action {
                params,
                duration: "1".to_owned(),
                title: title.clone(),
                ..taskloom_document::Action::default()
            };
            document.actions.insert(task.name.clone(), Arc::new(called));
            let record = PrimitiveTask {
                action: applied(task.name.as_str(), &args),
                title,
                ..record
            };
            document.primitive_tasks.insert(task.name, Arc::new(record));
        }
    }

    fn primitive(&mut self, action: &Action, params: &[Variable]) -> PrimitiveTask {
        let mut scope = Scope::of(params);
        let mut preconditions = vec![];
        for param in params {
            preconditions.extend(self.guards(param));
        }
        for part in conjuncts(&action.precondition) {
            if self.stop.after(1) {
                break;
            }
            if self.is_sure(part, &scope) {
                continue;
            }
            preconditions.push(self.formula(part, &mut scope, Around::Nothing));
        }
        let mut costs = vec![];
        let mut effects = vec![];
        for effect in &action.effects {
            if self.stop.after(1) {
                break;
            }
            match cost(effect).filter(|_| self.has_costs) {
                Some(cost) => costs.push(self.number(cost, &scope, true)),
                None => effects.push(taskloom_document::Effect {
                    text: self.effect(effect, &mut scope),
                    timing: EffectTiming::PlannedAndExecuted,
                }),
            }
        }
        let cost = match (self.has_costs, costs.as_slice()) {
            (false, _) => String::new(),
            (true, []) => "0".to_owned(),
            (true, costs) => costs.join(" + "),
        };
        PrimitiveTask {
            params: params.iter().map(|param| self.param(param)).collect(),
            preconditions,
            effects,
            cost,
            ..PrimitiveTask::default()
        }
    }

    fn effect(&mut self, effect: &Effect, scope: &mut Scope) -> String {
        let outer = scope.clone();
        let (binders, mut when) = self.binders(&effect.forall, scope);
        if !effect.when.is_true() {
            let around = match when.is_empty() {
                true => Around::Nothing,
                false => Around::And,
            };
            when.push(self.formula(&effect.when, scope, around));
        }
        let change = match &effect.change {
            Change::Add(atom) | Change::Delete(atom) => {
                self.known_fact(atom, false);
                let fact = self.call(atom, scope);
                match &effect.change {
                    Change::Add(_) => fact,
                    _ => format!("not {fact}"),
                }
            }
            Change::Assign(atom, by) | Change::Increase(atom, by) | Change::Decrease(atom, by) => {
                self.known_fact(atom, true);
                let sign = match &effect.change {
                    Change::Assign(..) => ":=",
                    Change::Increase(..) => "+=",
                    _ => "-=",
                };
                let fact = self.call(atom, scope);
                format!("{fact} {sign} {}", self.number(by, scope, false))
            }
        };
        *scope = outer;
        let mut text = String::new();
        if !binders.is_empty() {
            text += &format!("forall {binders}. ");
        }
        text += &change;
        if !when.is_empty() {
            text += &format!(" when {}", all_of(&when));
        }
        text
    }
}
