//! The world of a scenario as it is at one moment, by name: what the validator
//! replays plans in and the simulator executes them in. Shares nothing with the
//! search's own state.

use std::cell::OnceCell;

use super::{Atom, Change, GroundTask, Value};
use crate::document::{Document, EffectTiming, Name, Param, PrimitiveTask, Scenario, ValueKind};
use crate::lang::typed::{Effect, Formula, FormulaKind, Number};
use crate::lang::{
    Env, PlainInitial, Scope, World as _, eval_effects, eval_formula, eval_number, explain,
    read_condition, read_effect, read_formula, read_initial, read_number,
};
use crate::sorted::SortedMap;

/// Facts of more ground instances than this are listed only where they are set.
const LISTED_IN_FULL: usize = 200;

/// A condition's parameters and formula; nothing where it cannot be read.
type ReadCondition = Option<(Vec<Param>, Formula)>;

/// The values of all ground facts at one moment.
#[derive(Debug, Clone)]
pub struct World<'a> {
    document: &'a Document,
    scenario: &'a Scenario,
    /// Names and types of the objects, by name.
    objects: Vec<(&'a Name, &'a Name)>,
    conditions: SortedMap<&'a Name, OnceCell<ReadCondition>>,
    values: SortedMap<Atom, Value>,
}

impl crate::lang::World for World<'_> {
    fn value(&self, atom: &Atom) -> Value {
        let set = self.values.get(atom).cloned();
        set.unwrap_or_else(|| default_value(self.document, &atom.fact))
    }

    fn objects(&self, of: &Name) -> Vec<Name> {
        let fitting = self
            .objects
            .iter()
            .filter(|(_, t)| self.document.is_kind_of(t, of));
        fitting.map(|(name, _)| (*name).clone()).collect()
    }

    fn condition(&self, name: &Name) -> Option<(&[Param], &Formula)> {
        let read = || {
            let formula = read_condition(self.document, name).value?;
            Some((self.document.conditions.get(name)?.params.clone(), formula))
        };
        let (params, formula) = self.conditions.get(name)?.get_or_init(read).as_ref()?;
        Some((params, formula))
    }
}

fn default_value(document: &Document, fact: &Name) -> Value {
    match document.facts.get(fact).map(|f| &f.value) {
        Some(ValueKind::Number { .. }) => Value::Number(0.0),
        Some(ValueKind::Object(_)) => Value::Object(None),
        Some(ValueKind::Boolean) | None => Value::Bool(false),
    }
}

impl<'a> World<'a> {
    /// The world in which a scenario starts. Initial values that cannot be read
    /// have diagnostics of their own, and count for nothing here.
    pub fn initial(document: &'a Document, scenario: &'a Scenario) -> Self {
        let objects = scenario.all_objects(&document.objects);
        let mut world = Self {
            document,
            scenario,
            objects: objects
                .into_iter()
                .map(|(name, object)| (name, &object.of))
                .collect(),
            conditions: crate::order::map(document.conditions.keys().map(|n| (n, OnceCell::new()))),
            values: SortedMap::new(),
        };
        let scope = world.scenario_scope();
        let mut plain = PlainInitial::new(document, scenario);
        for text in &scenario.initial {
            let atom = plain.read(text).and_then(|numbers| plain.atom(&numbers));
            if let Some(atom) = atom {
                world.values.insert(atom, Value::Bool(true));
            } else if let Some(initial) = read_initial(text, &scope).value {
                world.values.insert(initial.atom, initial.value);
            }
        }
        world
    }

    /// What can be named in a text of the domain with these variables.
    pub fn scope(&self, variables: &[Param]) -> Scope<'a> {
        Scope::of_domain(self.document, variables.to_vec())
    }

    /// What can be named in a text of the scenario.
    pub fn scenario_scope(&self) -> Scope<'a> {
        Scope::of_scenario(self.document, self.scenario)
    }

    /// Whether a formula holds.
    ///
    /// # Errors
    /// A sentence where it means nothing: it, or a condition that it calls,
    /// cannot be read.
    pub fn holds(&self, text: &str, scope: &Scope, env: &Env) -> Result<bool, String> {
        let formula = read_formula(text, scope).value;
        let Some(formula) = formula.filter(|f| self.is_readable(f)) else {
            return Err(format!("'{}' cannot be read", text.trim()));
        };
        eval_formula(&formula, self, env).map_err(|error| format!("'{}': {error}", text.trim()))
    }

    /// Whether every condition that a formula calls, and those that they call in
    /// turn, can be read.
    fn is_readable(&self, formula: &Formula) -> bool {
        let mut called: Vec<&Name> = vec![];
        let mut open = vec![formula];
        while let Some(formula) = open.pop() {
            match &formula.kind {
                FormulaKind::Condition(name, _) if !called.contains(&name) => {
                    called.push(name);
                    match self.condition(name) {
                        Some((_, formula)) => open.push(formula),
                        None => return false,
                    }
                }
                FormulaKind::Not(a) | FormulaKind::Quantified(_, _, a) => open.push(a),
                FormulaKind::And(parts) | FormulaKind::Or(parts) => open.extend(parts),
                FormulaKind::Imply(a, b) => open.extend([&**a, &**b]),
                FormulaKind::Condition(..)
                | FormulaKind::Constant(_)
                | FormulaKind::Fact(..)
                | FormulaKind::Compare(..)
                | FormulaKind::Same(..) => {}
            }
        }
        true
    }

    /// Whether an object is there and can be an argument of a type. Of types that
    /// do not exist nothing is known, so anything goes.
    pub fn fits(&self, object: &Name, of: &Name) -> bool {
        let is_known = |t: &Name| *t == "object" || self.document.types.contains_key(t);
        let found = self.type_of(object);
        found.is_some_and(|t| !is_known(t) || !is_known(of) || self.document.is_kind_of(t, of))
    }

    /// Whether an object is there and of a type.
    pub fn has_object(&self, object: &Name, of: &Name) -> bool {
        let found = self.type_of(object);
        found.is_some_and(|t| self.document.is_kind_of(t, of))
    }

    /// The type of an object that is there.
    fn type_of(&self, object: &Name) -> Option<&'a Name> {
        let found = self
            .objects
            .binary_search_by(|(name, _)| (*name).cmp(object));
        let (_, of) = self.objects.get(found.ok()?)?;
        Some(of)
    }

    /// Why a formula does not hold, as text; `None` where it does. One that
    /// cannot be read does not hold.
    pub fn violation(&self, text: &str, params: &[Param], args: &[Name]) -> Option<String> {
        self.why_not(text, &self.scope(params), &Env::bound(params, args))
    }

    /// As [`World::violation`], of a formula of the scenario, which may name its objects.
    pub fn violation_of_scenario(&self, text: &str) -> Option<String> {
        self.why_not(text, &self.scenario_scope(), &Env::new())
    }

    fn why_not(&self, text: &str, scope: &Scope, env: &Env) -> Option<String> {
        let Some(formula) = read_formula(text, scope).value else {
            return Some(format!("'{text}' cannot be read"));
        };
        match eval_formula(&formula, self, env) {
            Ok(true) => None,
            Ok(false) => {
                let parts = explain(&formula, self, env).unwrap_or_default();
                Some(
                    parts
                        .into_iter()
                        .next()
                        .map_or_else(|| text.to_owned(), |part| part.text),
                )
            }
            Err(error) => Some(format!("'{text}': {error}")),
        }
    }

    /// The first of some formulas that does not hold, as text.
    pub fn first_violation(
        &self,
        texts: &[String],
        params: &[Param],
        args: &[Name],
    ) -> Option<String> {
        texts
            .iter()
            .find_map(|text| self.violation(text, params, args))
    }

    /// What a primitive task costs if it starts now. An empty or unreadable cost
    /// is 1.
    pub fn cost(&self, task: &PrimitiveTask, args: &[Name]) -> f64 {
        if task.cost.trim().is_empty() {
            return 1.0;
        }
        let number: Option<Number> = read_number(&task.cost, &self.scope(&task.params)).value;
        let value = number.map(|n| eval_number(&n, self, &Env::bound(&task.params, args)));
        value.and_then(Result::ok).unwrap_or(1.0)
    }

    /// What a primitive task's effects change if they apply now, of those whose
    /// timing `counts`. Effects that cannot be read count for nothing.
    ///
    /// # Errors
    /// A sentence where an effect has no value, or a number leaves its range.
    pub fn changes(
        &self,
        task: &PrimitiveTask,
        args: &[Name],
        counts: impl Fn(EffectTiming) -> bool,
    ) -> Result<Vec<Change>, String> {
        let scope = self.scope(&task.params);
        let effects: Vec<Effect> = task
            .effects
            .iter()
            .filter(|effect| counts(effect.timing))
            .filter_map(|effect| read_effect(&effect.text, &scope).value)
            .filter(|effect| effect.when.as_ref().is_none_or(|w| self.is_readable(w)))
            .collect();
        self.outcome(&effects, &Env::bound(&task.params, args))
    }

    /// What one effect text, of an event, changes if it happens now.
    ///
    /// # Errors
    /// As [`World::changes`], and where the text cannot be read.
    pub fn event_changes(&self, text: &str) -> Result<Vec<Change>, String> {
        match read_effect(text, &self.scenario_scope()).value {
            Some(effect) => self.outcome(&[effect], &Env::new()),
            None => Err(format!("'{text}' cannot be read")),
        }
    }

    fn outcome(&self, effects: &[Effect], env: &Env) -> Result<Vec<Change>, String> {
        let after = eval_effects(effects, self, env).map_err(|error| error.to_string())?;
        let mut changes = vec![];
        for (atom, after) in after {
            self.check_range(&atom, &after)?;
            let before = self.value(&atom);
            if before != after {
                changes.push(Change {
                    atom,
                    before,
                    after,
                });
            }
        }
        Ok(changes)
    }

    fn check_range(&self, atom: &Atom, value: &Value) -> Result<(), String> {
        let kind = self.document.facts.get(&atom.fact).map(|f| &f.value);
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
                "{atom} would be {number}, which is no whole number"
            ));
        }
        Ok(())
    }

    /// Makes changes.
    pub fn apply(&mut self, changes: &[Change]) {
        for change in changes {
            self.values
                .insert(change.atom.clone(), change.after.clone());
        }
    }

    /// The primitive task that a ground task names.
    pub fn primitive(&self, task: &GroundTask) -> Option<&'a PrimitiveTask> {
        self.document
            .primitive_tasks
            .get(&task.task)
            .map(|task| &**task)
    }

    /// Every ground fact that is set, as initial values that a scenario can start from.
    pub fn as_initial_values(&self) -> Vec<String> {
        let set = self.values.iter().filter_map(|(atom, value)| match value {
            Value::Bool(true) => Some(atom.to_string()),
            Value::Bool(false) | Value::Object(None) => None,
            Value::Number(_) | Value::Object(Some(_)) => Some(format!("{atom} = {value}")),
        });
        set.collect()
    }

    /// Ground facts and values for reading: of a fact with few ground instances
    /// all, of others those that are set.
    pub fn listing(&self) -> Vec<(Atom, Value)> {
        let mut listed: SortedMap<Atom, Value> = self.values.clone();
        for (name, fact) in &self.document.facts {
            let domains: Vec<Vec<Name>> = fact.params.iter().map(|p| self.objects(&p.of)).collect();
            let count = domains
                .iter()
                .try_fold(1usize, |n, d| n.checked_mul(d.len()));
            if count.is_none_or(|count| count > LISTED_IN_FULL) {
                continue;
            }
            for args in combinations(&domains) {
                let atom = Atom {
                    fact: name.clone(),
                    args,
                };
                listed
                    .entry(atom)
                    .or_insert_with(|| default_value(self.document, name));
            }
        }
        listed.into_iter().collect()
    }
}

/// Every tuple of one element of each list, the last changing fastest.
fn combinations(lists: &[Vec<Name>]) -> Vec<Vec<Name>> {
    lists.iter().fold(vec![vec![]], |tuples, list| {
        let longer = tuples.iter().flat_map(|tuple| {
            list.iter().map(|element| {
                let mut tuple = tuple.clone();
                tuple.push(element.clone());
                tuple
            })
        });
        longer.collect()
    })
}
