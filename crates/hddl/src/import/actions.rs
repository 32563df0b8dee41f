//! Actions as primitive tasks.

use std::sync::Arc;

use super::metric::amount;
use super::scope::Scope;
use super::{Importer, Variable, conjuncts, title};
use crate::syntax::ast::{Action, Atom, Change, Effect, Number};
use taskloom_document::diagnostic::Span;
use taskloom_document::syntax::ast::{self as tree, Assignment, EffectExpr, Expr, Reference};
use taskloom_document::syntax::{print_effect, print_expr, print_reference};
use taskloom_document::{self, Document, EffectTiming, Param, PrimitiveTask};

impl Importer<'_> {
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
        let mut effects = vec![];
        for effect in &action.effects {
            if self.stop.after(1) {
                break;
            }
            let target = effect.change.target();
            if self.costs.replace(target.name.text(), target.args.len()) {
                self.read_replaced(effect, &mut scope);
                continue;
            }
            effects.push(taskloom_document::Effect {
                text: print_effect(&self.effect(effect, &mut scope)),
                timing: EffectTiming::PlannedAndExecuted,
            });
        }
        let cost = self.cost(action, &scope);
        let cost = cost.map(|cost| print_expr(&cost));
        PrimitiveTask {
            params: params.iter().map(|param| self.param(param)).collect(),
            preconditions,
            effects,
            cost: cost.unwrap_or_default(),
            ..PrimitiveTask::default()
        }
    }

    /// Reports unknown names in an effect that is nothing but a cost.
    fn read_replaced(&mut self, effect: &Effect, scope: &mut Scope) {
        let outer = scope.clone();
        self.binders(&effect.forall, scope);
        self.formula(&effect.when, scope);
        for arg in &effect.change.target().args {
            self.term(arg, scope);
        }
        if let Some(by) = amount(&effect.change) {
            self.number(by, scope);
        }
        *scope = outer;
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
