//! The costs of tasks, and the changes made by tasks and events in a world.

use super::World;
use crate::ground::{Atom, Change, GroundTask, Value};
use crate::lang::typed::{self, Effect};
use crate::lang::{Env, eval_effects, eval_number};
use crate::records::Primitive;
use crate::text::TypedText;
use taskloom_document::{EffectTiming, Name, ValueKind};

impl World {
    /// Returns the cost of a primitive task that starts now: 1 if none is given or it is undefined.
    pub fn cost(&self, task: &Primitive, args: &[Name]) -> f64 {
        let cost = task.cost.as_ref().and_then(|cost| cost.value.as_ref());
        let cost = cost.filter(|cost| self.domain().number_is_readable(cost));
        let value =
            cost.map(|cost| eval_number(cost, self, &Env::bound(&task.record.params, args)));
        value.and_then(Result::ok).unwrap_or(1.0)
    }

    /// Returns the duration of a primitive task that starts now, in ticks: that of its action,
    /// rounded up; 0 if it has no action or the duration is undefined.
    pub fn duration(&self, task: &Primitive, args: &[Name]) -> u32 {
        let action = self.domain().execution_rules(task).action.as_ref();
        let call = action.and_then(|action| action.value.as_ref());
        let ticks = call.and_then(|call| {
            let record = self.document().actions.get(&call.name)?;
            let duration = self.domain().duration(&call.name)?.value.as_ref()?;
            let duration = Some(duration).filter(|d| self.domain().number_is_readable(d))?;
            let called = self.ground(call, &Env::bound(&task.record.params, args));
            let env = Env::bound(&record.params, &called.ok()?.args);
            eval_number(duration, self, &env).ok()
        });
        // The conversion saturates numbers that are out of range.
        ticks.map_or(0, |ticks| ticks.ceil() as u32)
    }

    /// Returns the delay that a task which starts now adds for later steps of a plan, in ticks: its
    /// duration, if any planned text depends on the time.
    pub fn ticks_in_plan(&self, task: &GroundTask) -> f64 {
        let counts = self.domain().clock().plans;
        let Some(read) = self.primitive(task).filter(|_| counts) else {
            return 0.0;
        };
        let ticks = if self.reads.is_some() && !self.notes_durations {
            let unnoted = Self {
                reads: None,
                ..self.clone()
            };
            unnoted.duration(read, &task.args)
        } else {
            self.duration(read, &task.args)
        };
        f64::from(ticks)
    }

    /// Returns the changes made by a primitive task's effects if they apply now, in the order of
    /// the ground facts. Only effects whose timing `counts` are included; invalid effects are
    /// ignored.
    ///
    /// # Errors
    /// Returns a sentence if an effect is undefined, or a number leaves its range.
    pub fn changes(
        &self,
        task: &Primitive,
        args: &[Name],
        counts: fn(EffectTiming) -> bool,
    ) -> Result<Vec<Change>, String> {
        let effects = task.effects.iter().filter(|(timing, _)| counts(*timing));
        let effects = effects.filter_map(|(_, read)| read.value.as_ref());
        let is_readable = |effect: &&Effect| {
            let when = effect.when.as_ref();
            let number = match &effect.change {
                typed::Change::Number(.., number) => Some(number),
                typed::Change::Set(..) | typed::Change::Unset(..) | typed::Change::Object(..) => {
                    None
                }
            };
            when.is_none_or(|when| self.domain().calls_are_readable(when))
                && number.is_none_or(|number| self.domain().number_is_readable(number))
        };
        let effects: Vec<&Effect> = effects.filter(is_readable).collect();
        self.outcome(&effects, &Env::bound(&task.record.params, args))
    }

    /// Returns the ground facts that a primitive task's effects write if they apply now, whether or
    /// not their values change.
    pub fn written(&self, task: &Primitive, args: &[Name]) -> Vec<Atom> {
        let effects = task.effects.iter();
        let effects = effects.filter_map(|(_, read)| read.value.as_ref());
        let env = Env::bound(&task.record.params, args);
        let values = eval_effects(effects, self, &env).unwrap_or_default();
        values.into_keys().collect()
    }

    /// Returns the values written by an event's effect if it happens now, including those that stay
    /// the same.
    ///
    /// # Errors
    /// Returns an error as [`World::changes`] does, and if the text is invalid.
    pub fn event_writes(&self, effect: &TypedText<Effect>) -> Result<Vec<Change>, String> {
        match &effect.value {
            Some(effect) => self.writes(&[effect], &Env::new()),
            None => Err(format!("'{}' is invalid", effect.text)),
        }
    }

    fn outcome(&self, effects: &[&Effect], env: &Env) -> Result<Vec<Change>, String> {
        let mut changes = self.writes(effects, env)?;
        changes.retain(|change| change.before != change.after);
        Ok(changes)
    }

    fn writes(&self, effects: &[&Effect], env: &Env) -> Result<Vec<Change>, String> {
        let after =
            eval_effects(effects.iter().copied(), self, env).map_err(|error| error.to_string())?;
        let mut changes = vec![];
        for (atom, after) in after {
            self.check_range(&atom, &after)?;
            // The read isn't recorded, since writing doesn't depend on the value.
            let before = self.present(&atom);
            changes.push(Change {
                atom,
                before,
                after,
            });
        }
        Ok(changes)
    }

    pub(super) fn check_range(&self, atom: &Atom, value: &Value) -> Result<(), String> {
        let kind = self.document().facts.get(&atom.fact).map(|f| &f.value);
        let (Some(ValueKind::Number { integer, min, max }), Value::Number(number)) = (kind, value)
        else {
            return Ok(());
        };
        if min.is_some_and(|min| *number < min) {
            return Err(format!("{atom} would fall to {number}, below its range"));
        }
        if max.is_some_and(|max| *number > max) {
            return Err(format!("{atom} would rise to {number}, above its range"));
        }
        if *integer && number.fract() != 0.0 {
            return Err(format!(
                "{atom} would be {number}, which is not a whole number"
            ));
        }
        Ok(())
    }
}
