//! What a domain asks of a planner.

use crate::syntax::ast::{Domain, Formula};

/// What a planner has to support.
pub fn requirements(domain: &Domain) -> Vec<&'static str> {
    #[derive(Default)]
    struct Uses {
        not: bool,
        or: bool,
        equal: bool,
        forall: bool,
        exists: bool,
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
            Formula::Atom(_) | Formula::Compare(..) | Formula::OfType(..) => {}
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
    let guarded = domain.methods.iter().any(|m| !m.precondition.is_true());
    [
        (true, ":typing"),
        (true, ":hierarchy"),
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
