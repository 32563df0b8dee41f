//! Named conditions, and those that call themselves.

use taskloom_document::diagnostic::{Severity, Span};
use taskloom_document::{Document, Name};

use super::super::ast::{Aggregate, Expr, ExprKind};
use super::super::parse_expr;
use super::Mistake;

/// Maximum length of a cycle that a message spells out; of longer ones it names only the first
/// condition.
const MAX_NAMED: usize = 20;

/// Returns the mistake of a named condition that calls itself, directly or through others. `cycle`
/// has the conditions that lead back to it, itself last; if there are many, only the first is
/// needed.
pub fn recursive_condition(formula: &str, name: &Name, cycle: &[Name]) -> Mistake {
    let first = cycle.first().unwrap_or(name);
    let tree = parse_expr(formula).value;
    let mut calls = calls(&tree);
    calls.retain(|(called, _)| called == first);
    let names: Vec<&str> = cycle.iter().map(Name::as_str).collect();
    let message = match names.as_slice() {
        [only] if *only == name.as_str() => format!("'{name}' calls itself"),
        [.., last] if *last == name.as_str() && names.len() <= MAX_NAMED => {
            format!("'{name}' calls itself: {name}, {}", names.join(", "))
        }
        _ => format!("'{name}' calls itself, through '{first}' and others"),
    };
    Mistake {
        severity: Severity::Error,
        code: "recursive-condition",
        span: calls.first().map(|(_, span)| *span).unwrap_or_default(),
        message,
        suggestions: vec![],
    }
}

/// Returns the conditions that an unreadable formula names, the last first.
pub fn condition_calls(document: &Document, formula: &str) -> Vec<Name> {
    let tree = parse_expr(formula).value;
    let called = calls(&tree).into_iter().rev();
    called
        .filter_map(|(name, _)| {
            let is_fact = document.facts.contains_key(&name);
            let (name, _) = document.conditions.get_key_value(&name)?;
            (!is_fact).then(|| name.clone())
        })
        .collect()
}

/// Returns the names in the positions of formulas, including those inside numbers, in the order of
/// the text.
fn calls(expr: &Expr) -> Vec<(Name, Span)> {
    let mut found = vec![];
    let mut left = vec![expr];
    while let Some(expr) = left.pop() {
        match &expr.kind {
            ExprKind::Reference(reference) => {
                found.push((reference.name.clone(), reference.name_span));
            }
            ExprKind::Not(a) | ExprKind::Quantified(_, _, a) => left.push(a),
            ExprKind::And(parts) | ExprKind::Or(parts) => left.extend(parts.iter().rev()),
            ExprKind::Imply(a, b) => left.extend([&**b, &**a]),
            ExprKind::Compare(_, a, b) => {
                let mut inside = formulas_in(a);
                inside.extend(formulas_in(b));
                left.extend(inside.into_iter().rev());
            }
            _ => {}
        }
    }
    found
}

/// Returns the formulas that select the objects of a number's aggregates, in the order of the text.
fn formulas_in(number: &Expr) -> Vec<&Expr> {
    let mut found = vec![];
    let mut left = vec![number];
    while let Some(number) = left.pop() {
        match &number.kind {
            ExprKind::Arithmetic(_, a, b) => left.extend([&**b, &**a]),
            ExprKind::Negative(a) => left.push(a),
            ExprKind::Aggregate(Aggregate::Count, _, counted, _) => found.push(&**counted),
            ExprKind::Aggregate(_, _, value, of) => {
                found.extend(of.as_deref());
                left.push(value);
            }
            // A function, or a fact, whose arguments contain no formulas.
            ExprKind::Reference(reference) => left.extend(reference.args.iter().rev()),
            _ => {}
        }
    }
    found
}
