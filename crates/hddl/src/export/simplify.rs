//! Conjunctions, disjunctions and negations without what needs no saying.

use crate::syntax::ast::Formula;

/// Parts of lists that are longer are not compared with one another.
const LONGEST: usize = 64;

/// A conjunction, without what needs no saying.
pub fn and(parts: impl IntoIterator<Item = Formula>) -> Formula {
    let mut all = vec![];
    for part in parts {
        match part {
            Formula::And(more) => all.extend(more),
            other if other.is_false() => return Formula::FALSE,
            other => all.push(other),
        }
    }
    dedup(&mut all);
    let denied = |part: &Formula| matches!(part, Formula::Not(inner) if all.contains(inner));
    if all.len() <= LONGEST && all.iter().any(denied) {
        return Formula::FALSE;
    }
    if all.len() == 1
        && let Some(one) = all.pop()
    {
        return one;
    }
    Formula::And(all)
}

/// A disjunction, without what needs no saying.
pub fn or(parts: impl IntoIterator<Item = Formula>) -> Formula {
    let mut all = vec![];
    for part in parts {
        match part {
            Formula::Or(more) => all.extend(more),
            other if other.is_true() => return Formula::TRUE,
            other => all.push(other),
        }
    }
    dedup(&mut all);
    if all.len() == 1
        && let Some(one) = all.pop()
    {
        return one;
    }
    Formula::Or(all)
}

/// The opposite, with its negations at the leaves.
pub fn not(part: Formula) -> Formula {
    match part {
        Formula::Not(inner) => *inner,
        Formula::And(parts) => or(parts.into_iter().map(not)),
        Formula::Or(parts) => and(parts.into_iter().map(not)),
        other => Formula::Not(Box::new(other)),
    }
}

/// Leaves the first of equal parts. Long lists are left as they are: comparing
/// all with all would take longer than it is worth.
fn dedup(parts: &mut Vec<Formula>) {
    if parts.len() > LONGEST {
        return;
    }
    let mut kept: Vec<Formula> = vec![];
    for part in parts.drain(..) {
        if !kept.contains(&part) {
            kept.push(part);
        }
    }
    *parts = kept;
}
