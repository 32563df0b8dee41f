//! Lifts primitive tasks to actions: changes of object facts become deletes and adds.

use super::super::condition::{Arg, Atom, Condition};
use super::super::model::{Action, Effect};
use super::formula::RuleFrame;
use super::{Lift, Unliftable};
use taskloom_planner::search_kit::{FlatChange, FlatEffect, FlatTask};

impl Lift<'_> {
    pub(super) fn action(
        &self,
        number: u32,
        task: &FlatTask,
        effects: &[FlatEffect],
    ) -> Result<Action, Unliftable> {
        let mut rule = RuleFrame::new(task.params.clone(), task.frame);
        let mut precondition = self.conjuncts(&mut rule, &task.preconditions)?;
        let mut lifted = vec![];
        for effect in effects {
            let has_values = self.effect(&mut rule, effect, &mut lifted)?;
            has_values.flatten(&mut precondition);
        }
        Ok(Action {
            task: number,
            params: task.params.clone(),
            frame: rule.frame,
            precondition,
            effects: lifted,
        })
    }

    /// Lifts an effect. Returns the condition that every value it needs is defined; otherwise the
    /// task is impossible.
    fn effect(
        &self,
        rule: &mut RuleFrame,
        effect: &FlatEffect,
        into: &mut Vec<Effect>,
    ) -> Result<Condition, Unliftable> {
        let mut forall = vec![];
        let mut hidden = vec![];
        for (slot, of) in &effect.forall {
            let (variable, before) = rule.bind(*slot);
            forall.push((variable, *of));
            hidden.push((*slot, before));
        }
        let when = match effect.when {
            Some(when) => self.formula(rule, when, true)?,
            None => Condition::truth(),
        };
        let mut atom = self.open_atom(rule, effect.target)?;
        let value = match effect.change {
            FlatChange::Object(term) => Some(self.arg(rule, term)?),
            FlatChange::Unset
            | FlatChange::Set
            | FlatChange::Assign(_)
            | FlatChange::Increase(_)
            | FlatChange::Decrease(_) => None,
        };
        let has_values = self.has_values(rule, effect, &forall)?;
        let change = |forall: &Vec<_>, when: Condition, add, atom| Effect {
            forall: forall.clone(),
            when,
            add,
            atom,
        };
        match effect.change {
            FlatChange::Set | FlatChange::Unset if !self.is_object(effect.target.fact) => {
                let (forall, when) = self.close_effect(rule, forall, when);
                into.push(change(
                    &forall,
                    when,
                    matches!(effect.change, FlatChange::Set),
                    atom,
                ));
            }
            FlatChange::Set | FlatChange::Unset | FlatChange::Object(_) => {
                let (forall, when) = self.close_effect(rule, forall, when);
                let old = rule.fresh();
                let mut all = forall.clone();
                all.push((old, self.every));
                let mut args = atom.args.to_vec();
                args.push(Arg::Variable(old));
                let other = Atom {
                    predicate: atom.predicate,
                    args: args.clone().into(),
                };
                into.push(change(&all, when.clone(), false, other));
                if let Some(value) = value {
                    args.pop();
                    args.push(value);
                    atom.args = args.into();
                    into.push(change(&forall, when, true, atom));
                }
            }
            FlatChange::Assign(_) | FlatChange::Increase(_) | FlatChange::Decrease(_) => {
                return Err(Unliftable::Numbers);
            }
        }
        for (slot, before) in hidden.into_iter().rev() {
            rule.slots[slot as usize] = before;
        }
        Ok(has_values)
    }

    /// Returns the condition that facts in the effect's arguments are defined wherever it applies.
    fn has_values(
        &self,
        rule: &mut RuleFrame,
        effect: &FlatEffect,
        forall: &[(u32, u32)],
    ) -> Result<Condition, Unliftable> {
        if rule.opened.is_empty() {
            return Ok(Condition::truth());
        }
        let opened = rule.opened.clone();
        let mut cond = self.close(rule, Condition::truth(), true);
        if let Some(when) = effect.when {
            cond = Condition::any(vec![self.formula(rule, when, false)?, cond]);
        }
        rule.opened = opened;
        let variables = forall.iter().rev();
        Ok(variables.fold(cond, |cond, (variable, of)| {
            Condition::every(*variable, *of, cond)
        }))
    }

    /// Extends an effect to every value that the facts in its arguments may have.
    fn close_effect(
        &self,
        rule: &mut RuleFrame,
        mut forall: Vec<(u32, u32)>,
        when: Condition,
    ) -> (Vec<(u32, u32)>, Condition) {
        let mut parts = vec![when];
        for (variable, atom) in std::mem::take(&mut rule.opened) {
            forall.push((variable, self.every));
            parts.push(Condition::Atom(atom, true));
        }
        (forall, Condition::all(parts))
    }
}
