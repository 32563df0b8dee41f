//! Simplified conjunctions, disjunctions and negations.

use crate::syntax::ast::Formula;

/// The parts of longer lists aren't compared with one another.
const LONGEST: usize = 64;

/// Returns a simplified conjunction.
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

/// Returns a simplified disjunction.
pub fn or(parts: impl IntoIterator<Item = Formula>) -> Formula {
    match flat(parts, false) {
        Some(parts) => alone(parts).unwrap_or_else(Formula::Or),
        None => Formula::TRUE,
    }
}

/// Flattens a list and nested lists of its kind; `None` if one part decides it.
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

/// Returns the only part of a list, or else the list.
fn alone(mut parts: Vec<Formula>) -> Result<Formula, Vec<Formula>> {
    match parts.pop() {
        Some(only) if parts.is_empty() => Ok(only),
        last => {
            parts.extend(last);
            Err(parts)
        }
    }
}

/// Returns the negation, with negations pushed to the leaves.
pub fn not(part: Formula) -> Formula {
    match part {
        Formula::Not(inner) => *inner,
        Formula::And(parts) => or(parts.into_iter().map(not)),
        Formula::Or(parts) => and(parts.into_iter().map(not)),
        other => Formula::Not(Box::new(other)),
    }
}

/// Removes duplicates, keeping the first. Long lists are left alone: comparing all pairs would take
/// too long.
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
