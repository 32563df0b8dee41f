//! What a domain asks of a planner.

use super::Form;
use crate::syntax::ast::{Change, Domain, Formula, Number, Problem};

/// What formulas are made of.
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
    fn look(&mut self, formula: &Formula) {
        match formula {
            Formula::Not(part) => {
                self.not = true;
                self.look(part);
            }
            Formula::And(parts) => parts.iter().for_each(|part| self.look(part)),
            Formula::Or(parts) => {
                self.or = true;
                parts.iter().for_each(|part| self.look(part));
            }
            Formula::Equal(..) => self.equal = true,
            Formula::Imply(a, b) => {
                self.or = true;
                self.look(a);
                self.look(b);
            }
            Formula::Forall(_, part) => {
                self.forall = true;
                self.look(part);
            }
            Formula::Exists(_, part) => {
                self.exists = true;
                self.look(part);
            }
            Formula::Compare(..) => self.compare = true,
            Formula::Atom(_) | Formula::OfType(..) => {}
        }
    }

    /// What the conditions of a domain are made of, and the goal of a problem.
    fn of(domain: &Domain, problem: Option<&Problem>) -> Self {
        let mut uses = Self::default();
        for method in &domain.methods {
            uses.look(&method.precondition);
        }
        for action in &domain.actions {
            uses.look(&action.precondition);
            for effect in &action.effects {
                uses.look(&effect.when);
            }
        }
        if let Some(problem) = problem {
            uses.look(&problem.goal);
        }
        uses
    }
}

/// Returns a warning if conditions or effects count: few planners know more of numbers than action
/// costs.
pub fn numbers_warning(domain: &Domain, problem: Option<&Problem>, form: Form) -> Option<String> {
    let mut effects = domain.actions.iter().flat_map(|action| &action.effects);
    let counts =
        Uses::of(domain, problem).compare || effects.any(|effect| is_reckoned(&effect.change));
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

/// What a planner has to support.
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
        // Functions that costs alone are read from are no numbers that change.
        let mut effects = domain.actions.iter().flat_map(|action| &action.effects);
        numbers = uses.compare || effects.any(|effect| is_reckoned(&effect.change));
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

/// Whether an effect takes more than action costs.
fn is_reckoned(change: &Change) -> bool {
    match change {
        Change::Add(_) | Change::Delete(_) => false,
        Change::Increase(function, Number::Constant(_) | Number::Function(_)) => {
            function.name != "total-cost"
        }
        Change::Assign(..) | Change::Increase(..) | Change::Decrease(..) => true,
    }
}
