//! Access to a world by text: ground facts, tasks and values.

use std::sync::Arc;

use super::World;
use crate::ground::{Atom, Change, Value};
use crate::lang::ast::{Expr, ExprKind};
use crate::lang::typed::Call;
use crate::lang::{World as _, parse_call, read_task_call};
use taskloom_document::{Fact, ValueKind};

impl World {
    /// Returns the ground fact that a text names, such as `at(box)`.
    ///
    /// # Errors
    /// Returns a sentence if there is no such fact with those arguments.
    pub fn atom(&self, text: &str) -> Result<Atom, String> {
        let name = |expr: &Expr| match &expr.kind {
            ExprKind::Reference(reference) if reference.args.is_empty() => {
                Some(reference.name.clone())
            }
            _ => None,
        };
        let read = parse_call(text);
        let reference = read.value.filter(|_| read.errors.is_empty());
        let atom = reference.and_then(|reference| {
            Some(Atom {
                args: reference.args.iter().map(name).collect::<Option<_>>()?,
                fact: reference.name,
            })
        });
        let atom =
            atom.ok_or_else(|| format!("'{text}' is not a fact with objects as arguments"))?;
        self.fact_of(&atom)?;
        Ok(atom)
    }

    /// Returns the task that a text calls, such as `walk-to(box)`.
    ///
    /// # Errors
    /// Returns a sentence that says what is wrong with it.
    pub fn task(&self, text: &str) -> Result<Call, String> {
        let read = read_task_call(text, &self.scenario_scope());
        read.value.ok_or_else(|| {
            let mistake = read.mistakes.into_iter().next();
            mistake.map_or_else(|| format!("'{text}' is invalid"), |m| m.message)
        })
    }

    /// Returns the fact of a ground fact, whose arguments must be objects of its types.
    fn fact_of(&self, atom: &Atom) -> Result<&Fact, String> {
        let fact = self.document().facts.get(&atom.fact);
        let fact = fact.ok_or_else(|| format!("there is no fact '{}'", atom.fact))?;
        if fact.params.len() != atom.args.len() {
            let (wanted, given) = (fact.params.len(), atom.args.len());
            return Err(format!(
                "wrong number of arguments for '{}': expected {wanted}, got {given}",
                atom.fact
            ));
        }
        for (param, object) in fact.params.iter().zip(&atom.args) {
            if !self.fits(object, &param.of) {
                return Err(format!("'{object}' is not a {}", param.of));
            }
        }
        Ok(fact)
    }

    /// Sets the value of a ground fact. Returns `true` if that changed it.
    ///
    /// # Errors
    /// Returns a sentence if there is no such ground fact, or it can't have the value.
    pub fn set(&mut self, atom: &Atom, value: Value) -> Result<bool, String> {
        let fact = self.fact_of(atom)?;
        let fits = match (&fact.value, &value) {
            (ValueKind::Boolean, Value::Bool(_)) | (ValueKind::Object(_), Value::Object(None)) => {
                true
            }
            (ValueKind::Number { .. }, Value::Number(number)) => number.is_finite(),
            (ValueKind::Object(of), Value::Object(Some(object))) => self.fits(object, of),
            _ => false,
        };
        if !fits {
            return Err(format!("'{atom}' can't be {value}"));
        }
        self.check_range(atom, &value)?;
        let changes = self.value(atom) != value;
        if changes {
            self.write(atom, value);
        }
        Ok(changes)
    }

    /// Applies changes.
    pub fn apply(&mut self, changes: &[Change]) {
        for change in changes {
            self.write(&change.atom, change.after.clone());
        }
    }

    pub(super) fn write(&mut self, atom: &Atom, value: Value) {
        let is_own = self.is_own(atom);
        let memory = self.memory.as_mut().filter(|_| is_own);
        let values = Arc::make_mut(memory.unwrap_or(&mut self.values));
        values.set.insert(atom, value);
        values.revision += 1;
    }
}
