//! Conjunctions, disjunctions and negations without what needs no saying.

use crate::syntax::ast::Formula;

/// Parts of lists that are longer are not compared with one another.
const LONGEST: usize = 64;

/// A conjunction, without what needs no saying.
pub fn and(parts: impl IntoIterator<Item = Formula>) -> Formula {
    let Some(parts) = flat(parts, true) else {
        return Formula::FALSE;
    };
    let denied = |part: &Formula| matches!(part, Formula::Not(inner) if parts.contains(inner));
    if parts.len() <= LONGEST && parts.iter().any(denied) {
        return Formula::FALSE;
    }
    alone(parts).unwrap_or_else(Formula::And)
}

/// A disjunction, without what needs no saying.
pub fn or(parts: impl IntoIterator<Item = Formula>) -> Formula {
    match flat(parts, false) {
        Some(parts) => alone(parts).unwrap_or_else(Formula::Or),
        None => Formula::TRUE,
    }
}

/// The parts of a list, and of lists of its kind in it; nothing where one of them decides it.
fn flat(parts: impl IntoIterator<Item = Formula>, is_and: bool) -> Option<Vec<Formula>> {
    let mut all = vec![];
    for part in parts {
        match part {
            Formula::And(more) if is_and => all.extend(more),
            Formula::Or(more) if !is_and => all.extend(more),
            other if is_and && other.is_false() || !is_and && other.is_true() => return None,
            other => all.push(other),
        }
    }
    dedup(&mut all);
    Some(all)
}

/// The only part of a list, or the list.
fn alone(mut parts: Vec<Formula>) -> Result<Formula, Vec<Formula>> {
    match parts.pop() {
        Some(only) if parts.is_empty() => Ok(only),
        last => {
            parts.extend(last);
            Err(parts)
        }
    }
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
