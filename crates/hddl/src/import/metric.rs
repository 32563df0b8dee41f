//! The metric of a problem, as costs of actions: the cost of an action is the weighted sum of what
//! it adds to the functions that are minimised.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Importer;
use super::formula::arguments;
use super::sums::{Sum, constant, reads};
use crate::syntax::ast::{
    Action, Atom, Change, Effect, Formula, Ident, Metric, Number, Problem, Term,
};
use taskloom_document::diagnostic::Span;

const TOTAL_COST: &str = "total-cost";
const TOTAL_TIME: &str = "total-time";

/// A function by its name and its number of arguments.
pub type Function = (Arc<str>, usize);

fn function(atom: &Atom) -> Function {
    (atom.name.text().clone(), atom.args.len())
}

/// The costs of actions.
#[derive(Debug, Default)]
pub struct Costs {
    /// The functions that are minimised, and their weights. Without any, each step costs 1.
    pub weights: Vec<(Atom, f64)>,
    /// The cost of each step in addition.
    pub per_step: f64,
    /// The facts that are the weights of functions of objects.
    pub facts: FxHashMap<Function, Ident>,
    /// The functions that are nothing but costs.
    only_costs: FxHashSet<Function>,
}

impl Costs {
    /// Returns `true` if actions have costs.
    pub fn are_given(&self) -> bool {
        !self.weights.is_empty()
    }

    /// Returns `true` if a function becomes no fact, since it is nothing but a cost.
    pub fn replace(&self, name: &Arc<str>, arity: usize) -> bool {
        self.only_costs.contains(&(name.clone(), arity))
    }
}

/// The reason why a metric is ignored, and its span. The reason is missing if an error about it has
/// been reported.
pub type Ignored = (Span, Option<String>);

impl Importer<'_> {
    /// Reads the metric, or else the total cost.
    pub fn read_metric(&mut self) {
        let metrics = self.problem.map_or(&[][..], |problem| &problem.metrics);
        let mut costs = Costs::default();
        match (metrics, self.problem) {
            ([only], Some(problem)) => match self.metric(only, problem) {
                Ok(read) => costs = read,
                Err(reason) => self.ignored_metric = Some((only.direction.span, reason)),
            },
            ([_, second, ..], _) => {
                let reason = "there is another one".to_owned();
                self.ignored_metric = Some((second.direction.span, Some(reason)));
            }
            _ => {
                let total_cost = Atom {
                    name: TOTAL_COST.into(),
                    args: vec![],
                };
                costs.weights.push((total_cost, 1.0));
                let is_cost = self.declares(TOTAL_COST, 0)
                    && !self.reads(TOTAL_COST)
                    && self.changes(&costs.weights).is_ok();
                if !is_cost {
                    costs.weights.clear();
                }
            }
        }
        let minimised = costs.weights.iter().map(|(atom, _)| function(atom));
        // The total cost is a number for metrics alone.
        let total_cost = costs.are_given().then(|| (TOTAL_COST.into(), 0));
        let unread = minimised
            .chain(total_cost)
            .filter(|(name, _)| !self.reads(name));
        costs.only_costs = unread.collect();
        self.costs = costs;
    }

    /// Reports a metric that is ignored.
    pub fn report_metric(&mut self) {
        if let Some((span, Some(reason))) = self.ignored_metric.take() {
            let message =
                format!("this metric is ignored, and the number of steps is minimised: {reason}");
            self.warning(span, message);
        }
    }

    fn metric(&self, metric: &Metric, problem: &Problem) -> Result<Costs, Option<String>> {
        if metric.direction != *"minimize" {
            return Err(Some(format!("'{}' is not supported", metric.direction)));
        }
        let is_static = |atom: &Atom| {
            let changes = self
                .domain
                .actions
                .iter()
                .flat_map(|action| &action.effects);
            let mut targets = changes.map(|effect| effect.change.target());
            !targets.any(|target| target.name == atom.name)
        };
        let value = |atom: &Atom| {
            let mut initial = problem.numbers.iter();
            let found = initial.find(|(known, _)| known == atom && is_static(atom));
            found.map(|(_, value)| *value)
        };
        let sum = Sum::of(&metric.value, &value);
        let sum = sum.ok_or_else(|| "it is not a weighted sum of functions".to_owned())?;
        let mut costs = Costs::default();
        for (atom, weight) in sum.weights {
            if atom.name == *TOTAL_TIME && !self.declares(TOTAL_TIME, atom.args.len()) {
                costs.per_step = weight;
                continue;
            }
            self.function_exists(&atom, problem)?;
            costs.weights.push((atom, weight));
        }
        if costs.per_step < 0.0 {
            return Err(Some("each step would lower it".to_owned()));
        }
        self.changes(&costs.weights)?;
        Ok(costs)
    }

    /// Checks that a metric's function is declared, and its arguments are objects.
    fn function_exists(&self, atom: &Atom, problem: &Problem) -> Result<(), Option<String>> {
        let name = &atom.name;
        let mut declared = self.domain.functions.iter().filter(|f| f.name == *name);
        if !self.declares(name, atom.args.len()) {
            if let Some(other) = declared.next() {
                let (takes, found) = (arguments(other.params.len()), atom.args.len());
                return Err(Some(format!("'{name}' takes {takes}, found {found}")));
            }
            let initial = problem.numbers.iter().map(|(function, _)| function);
            let changes = self
                .domain
                .actions
                .iter()
                .flat_map(|action| &action.effects);
            let changed = changes.map(|effect| effect.change.target());
            // There, it is an error.
            let is_reported = initial.chain(changed).any(|used| used.name == *name);
            let reason = format!("no function is called '{name}'");
            return Err((!is_reported).then_some(reason));
        }
        let objects = self.domain.constants.iter().chain(&problem.objects);
        let objects: FxHashSet<&str> = objects.map(|object| object.name.as_str()).collect();
        for arg in &atom.args {
            match arg {
                Term::Variable(name) => {
                    return Err(Some(format!("expected an object, found '?{name}'")));
                }
                Term::Constant(name) if !objects.contains(name.as_str()) => {
                    return Err(Some(format!("no object is called '{name}'")));
                }
                Term::Constant(_) => {}
            }
        }
        Ok(())
    }

    fn declares(&self, name: &str, arity: usize) -> bool {
        let mut functions = self.domain.functions.iter();
        functions.any(|function| function.name == *name && function.params.len() == arity)
    }

    /// Returns `true` if anything depends on the value of a function.
    fn reads(&self, name: &str) -> bool {
        let domain = self.domain;
        let actions = domain.actions.iter();
        let effects = actions.clone().flat_map(|action| &action.effects);
        let networks = domain.methods.iter().map(|method| &method.network);
        let networks = networks.chain(self.problem.iter().filter_map(|p| p.network.as_ref()));
        let conditions = actions.map(|action| &action.precondition);
        let conditions = conditions.chain(domain.methods.iter().map(|m| &m.precondition));
        let conditions = conditions.chain(effects.clone().map(|effect| &effect.when));
        let conditions = conditions.chain(networks.map(|network| &network.constraints));
        let mut conditions = conditions.chain(self.problem.iter().map(|p| &p.goal));
        let mut amounts = effects.filter_map(|effect| amount(&effect.change));
        conditions.any(|condition| reads::formula(condition, name))
            || amounts.any(|amount| reads::number(amount, name))
    }

    /// Checks that all changes of some functions can be costs: no action may lower the metric, or
    /// raise it only under a condition.
    fn changes(&self, weights: &[(Atom, f64)]) -> Result<(), String> {
        for action in &self.domain.actions {
            for effect in &action.effects {
                for (atom, weight) in weights {
                    if may_be(effect.change.target(), atom) {
                        is_cost(action, effect, *weight)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Returns the number that a change assigns or adds.
pub fn amount(change: &Change) -> Option<&Number> {
    match change {
        Change::Add(_) | Change::Delete(_) => None,
        Change::Assign(_, by) | Change::Increase(_, by) | Change::Decrease(_, by) => Some(by),
    }
}

/// Returns `true` if an action's function may be one of a metric, depending on the values of its
/// variables.
pub fn may_be(changed: &Atom, minimised: &Atom) -> bool {
    let differ = |(own, other): (&Term, &Term)| matches!(own, Term::Constant(_)) && own != other;
    let args = changed.args.iter().zip(&minimised.args);
    changed.name == minimised.name
        && changed.args.len() == minimised.args.len()
        && !args.into_iter().any(differ)
}

fn is_cost(action: &Action, effect: &Effect, weight: f64) -> Result<(), String> {
    let (name, target) = (&action.signature.name, effect.change.target());
    let function = &target.name;
    let (by, factor) = match &effect.change {
        Change::Add(_) | Change::Delete(_) => return Ok(()),
        Change::Assign(..) => return Err(format!("'{name}' assigns '{function}'")),
        Change::Increase(_, by) => (by, weight),
        Change::Decrease(_, by) => (by, -weight),
    };
    let is_conditional = effect.when != Formula::TRUE;
    let is_argument = |variable: &Term| target.args.contains(variable);
    let mut quantified = effect.forall.iter();
    let is_once = quantified.all(|typed| is_argument(&Term::Variable(typed.name.clone())));
    if is_conditional || !is_once {
        return Err(format!(
            "'{name}' changes '{function}' conditionally or for several objects"
        ));
    }
    let is_lowered = match constant(by) {
        Some(by) => factor * by < 0.0,
        None => factor < 0.0,
    };
    match is_lowered {
        true => Err(format!("'{name}' may lower it by changing '{function}'")),
        false => Ok(()),
    }
}
