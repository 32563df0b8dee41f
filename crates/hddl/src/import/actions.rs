//! Actions as primitive tasks, with their costs.

use std::sync::Arc;

use super::formula::number;
use super::scope::Scope;
use super::{Importer, Variable, conjuncts, title};
use crate::syntax::ast::{Action, Atom, Change, Effect, Formula, Number};
use taskloom_document::diagnostic::Span;
use taskloom_document::syntax::ast::{
    self as tree, Assignment, EffectExpr, Expr, ExprKind, Operator, Reference,
};
use taskloom_document::syntax::{print_effect, print_expr, print_reference};
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
    pub fn total_cost_only_increases(&self) -> bool {
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
            let call = Reference::to_params(&task.name, &params);
            let title = title(self.spelled(&action.signature.name), &task.name);
            let called = taskloom_document::Action {
                params,
                duration: "1".to_owned(),
                title: title.clone(),
                ..taskloom_document::Action::default()
            };
            document.actions.insert(task.name.clone(), Arc::new(called));
            let record = PrimitiveTask {
                action: print_reference(&call),
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
            let guards = self.guards(param);
            preconditions.extend(guards.iter().map(print_expr));
        }
        for part in conjuncts(&action.precondition) {
            if self.stop.after(1) {
                break;
            }
            if self.is_sure(part, &scope) {
                continue;
            }
            let condition = self.formula(part, &mut scope);
            preconditions.push(print_expr(&condition));
        }
        let mut costs = vec![];
        let mut effects = vec![];
        for effect in &action.effects {
            if self.stop.after(1) {
                break;
            }
            match cost(effect).filter(|_| self.has_costs) {
                Some(cost) => costs.push(self.number(cost, &scope)),
                None => effects.push(taskloom_document::Effect {
                    text: print_effect(&self.effect(effect, &mut scope)),
                    timing: EffectTiming::PlannedAndExecuted,
                }),
            }
        }
        let sum = |a: Expr, b| ExprKind::Arithmetic(Operator::Add, a.into(), Box::new(b)).into();
        let cost = costs.into_iter().reduce(sum).unwrap_or(number(0.0));
        let cost = self.has_costs.then(|| print_expr(&cost));
        PrimitiveTask {
            params: params.iter().map(|param| self.param(param)).collect(),
            preconditions,
            effects,
            cost: cost.unwrap_or_default(),
            ..PrimitiveTask::default()
        }
    }

    fn effect(&mut self, effect: &Effect, scope: &mut Scope) -> EffectExpr {
        let outer = scope.clone();
        let (forall, mut when) = self.binders(&effect.forall, scope);
        if !effect.when.is_true() {
            when.push(self.formula(&effect.when, scope));
        }
        let change = match &effect.change {
            Change::Add(atom) => tree::Change::Set(self.fact(atom, scope)),
            Change::Delete(atom) => tree::Change::Unset(self.fact(atom, scope)),
            Change::Assign(atom, by) => self.assign(Assignment::Assign, atom, by, scope),
            Change::Increase(atom, by) => self.assign(Assignment::Increase, atom, by, scope),
            Change::Decrease(atom, by) => self.assign(Assignment::Decrease, atom, by, scope),
        };
        *scope = outer;
        EffectExpr {
            forall,
            change,
            when: (!when.is_empty()).then(|| Expr::all(when)),
            span: Span::default(),
        }
    }

    fn assign(
        &mut self,
        assignment: Assignment,
        function: &Atom,
        by: &Number,
        scope: &Scope,
    ) -> tree::Change {
        let function = self.function(function, scope);
        tree::Change::Assign(assignment, function, self.number(by, scope))
    }
}
