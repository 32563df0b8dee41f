//! The requirements of a domain.

use super::form::Form;
use crate::syntax::ast::{Change, Domain, Formula, Number, Problem};

/// The features that formulas use.
#[derive(Default)]
struct Uses {
    not: bool,
    or: bool,
    equal: bool,
    forall: bool,
    exists: bool,
    compare: bool,
}

impl Uses {
    fn add_uses(&mut self, formula: &Formula) {
        match formula {
            Formula::Not(part) => {
                self.not = true;
                self.add_uses(part);
            }
            Formula::And(parts) => parts.iter().for_each(|part| self.add_uses(part)),
            Formula::Or(parts) => {
                self.or = true;
                parts.iter().for_each(|part| self.add_uses(part));
            }
            Formula::Equal(..) => self.equal = true,
            Formula::Imply(a, b) => {
                self.or = true;
                self.add_uses(a);
                self.add_uses(b);
            }
            Formula::Forall(_, part) => {
                self.forall = true;
                self.add_uses(part);
            }
            Formula::Exists(_, part) => {
                self.exists = true;
                self.add_uses(part);
            }
            Formula::Compare(..) => self.compare = true,
            Formula::Atom(_) | Formula::OfType(..) => {}
        }
    }

    /// Collects the features of a domain's conditions and of a problem's goal.
    fn of(domain: &Domain, problem: Option<&Problem>) -> Self {
        let mut uses = Self::default();
        for method in &domain.methods {
            uses.add_uses(&method.precondition);
        }
        for action in &domain.actions {
            uses.add_uses(&action.precondition);
            for effect in &action.effects {
                uses.add_uses(&effect.when);
            }
        }
        if let Some(problem) = problem {
            uses.add_uses(&problem.goal);
        }
        uses
    }
}

/// Returns a warning if conditions or effects use numbers: few planners support numbers other than
/// action costs.
pub fn numbers_warning(domain: &Domain, problem: Option<&Problem>, form: Form) -> Option<String> {
    let mut effects = domain.actions.iter().flat_map(|action| &action.effects);
    let counts =
        Uses::of(domain, problem).compare || effects.any(|effect| is_numeric(&effect.change));
    let warning = match form {
        Form::Hddl => {
            "numbers in conditions or effects: planners of the HTN competitions (IPC 2020 and 2023) support \
             no numbers but costs and can't read these files"
        }
        Form::Pddl => {
            "numbers in conditions, effects or costs: these files require a planner with numeric fluents (PDDL 2.1), \
             such as ENHSP or Metric-FF; Fast Downward can't read them"
        }
    };
    counts.then(|| warning.to_owned())
}

/// Returns the features that a planner has to support.
pub fn requirements(domain: &Domain, problem: Option<&Problem>, form: Form) -> Vec<&'static str> {
    let uses = Uses::of(domain, problem);
    let mut whens = false;
    let mut costs = false;
    let mut numbers = false;
    for effect in domain.actions.iter().flat_map(|action| &action.effects) {
        whens |= !effect.when.is_true();
    }
    for function in &domain.functions {
        let is_cost = function.name == "total-cost";
        costs |= is_cost;
        numbers |= !is_cost;
    }
    if form == Form::Pddl {
        // Functions that only costs read aren't numeric fluents.
        let mut effects = domain.actions.iter().flat_map(|action| &action.effects);
        numbers = uses.compare || effects.any(|effect| is_numeric(&effect.change));
    }
    let guarded = domain.methods.iter().any(|m| !m.precondition.is_true());
    [
        (true, ":typing"),
        (form == Form::Hddl, ":hierarchy"),
        (guarded, ":method-preconditions"),
        (uses.not, ":negative-preconditions"),
        (uses.or, ":disjunctive-preconditions"),
        (uses.forall, ":universal-preconditions"),
        (uses.exists, ":existential-preconditions"),
        (uses.equal, ":equality"),
        (whens, ":conditional-effects"),
        (numbers, ":numeric-fluents"),
        (costs, ":action-costs"),
    ]
    .into_iter()
    .filter_map(|(used, word)| used.then_some(word))
    .collect()
}

/// Returns `true` if an effect needs more than action costs.
fn is_numeric(change: &Change) -> bool {
    match change {
        Change::Add(_) | Change::Delete(_) => false,
        Change::Increase(function, Number::Constant(_) | Number::Function(_)) => {
            function.name != "total-cost"
        }
        Change::Assign(..) | Change::Increase(..) | Change::Decrease(..) => true,
    }
}
