//! What a domain asks of a planner.

use super::Form;
use crate::syntax::ast::{Change, Domain, Formula, Number, Problem};

/// What a planner has to support.
pub fn requirements(domain: &Domain, problem: Option<&Problem>, form: Form) -> Vec<&'static str> {
    #[derive(Default)]
    struct Uses {
        not: bool,
        or: bool,
        equal: bool,
        forall: bool,
        exists: bool,
        compare: bool,
    }
    fn look(formula: &Formula, uses: &mut Uses) {
        match formula {
            Formula::Not(part) => {
                uses.not = true;
                look(part, uses);
            }
            Formula::And(parts) => parts.iter().for_each(|p| look(p, uses)),
            Formula::Or(parts) => {
                uses.or = true;
                parts.iter().for_each(|p| look(p, uses));
            }
            Formula::Equal(..) => uses.equal = true,
            Formula::Imply(a, b) => {
                uses.or = true;
                look(a, uses);
                look(b, uses);
            }
            Formula::Forall(_, part) => {
                uses.forall = true;
                look(part, uses);
            }
            Formula::Exists(_, part) => {
                uses.exists = true;
                look(part, uses);
            }
            Formula::Compare(..) => uses.compare = true,
            Formula::Atom(_) | Formula::OfType(..) => {}
        }
    }
    let mut uses = Uses::default();
    let mut whens = false;
    let mut costs = false;
    let mut numbers = false;
    for method in &domain.methods {
        look(&method.precondition, &mut uses);
    }
    for action in &domain.actions {
        look(&action.precondition, &mut uses);
        for effect in &action.effects {
            look(&effect.when, &mut uses);
            whens |= !effect.when.is_true();
        }
    }
    for function in &domain.functions {
        let is_cost = function.name == "total-cost";
        costs |= is_cost;
        numbers |= !is_cost;
    }
    if form == Form::Pddl {
        // Functions that costs alone are read from are no numbers that change.
        if let Some(problem) = problem {
            look(&problem.goal, &mut uses);
        }
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
