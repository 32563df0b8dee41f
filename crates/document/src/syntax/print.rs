//! Prints trees as canonical text, with as few parentheses as possible.

use std::fmt::Write;

use super::ast::{Binder, Change, EffectExpr, Expr, ExprKind, Initial, Operator, Reference};

/// Returns the canonical text of a formula, number or term: parsed again, it gives the same tree. A
/// missing part is printed as `…`.
pub fn print_expr(expr: &Expr) -> String {
    let mut out = String::new();
    write_expr(&mut out, expr, 0, true);
    out
}

/// Returns the canonical text of `name(a, b)`.
pub fn print_reference(reference: &Reference) -> String {
    let mut out = String::new();
    write_reference(&mut out, reference);
    out
}

/// Returns the canonical text of an effect.
pub fn print_effect(effect: &EffectExpr) -> String {
    let mut out = String::new();
    if !effect.forall.is_empty() {
        out.push_str("forall ");
        write_binders(&mut out, &effect.forall);
    }
    match &effect.change {
        Change::Set(fact) => write_reference(&mut out, fact),
        Change::Unset(fact) => {
            out.push_str("not ");
            write_reference(&mut out, fact);
        }
        Change::Assign(assignment, fact, value) => {
            write_reference(&mut out, fact);
            let _ = write!(out, " {} ", assignment.sign());
            write_expr(&mut out, value, 0, effect.when.is_none());
        }
        Change::Missing => out.push('…'),
    }
    if let Some(when) = &effect.when {
        out.push_str(" when ");
        write_expr(&mut out, when, 0, true);
    }
    out
}

/// Returns the canonical text of an initial value.
pub fn print_initial(initial: &Initial) -> String {
    let mut out = String::new();
    match initial {
        Initial::True(fact) => write_reference(&mut out, fact),
        Initial::False(fact) => {
            out.push_str("not ");
            write_reference(&mut out, fact);
        }
        Initial::Value(fact, value) => {
            write_reference(&mut out, fact);
            out.push_str(" = ");
            write_expr(&mut out, value, 0, true);
        }
        Initial::Missing => out.push('…'),
    }
    out
}

/// Returns the binding strength of a form of expression; see the table at the top of `ast`.
fn strength(kind: &ExprKind) -> u8 {
    match kind {
        ExprKind::Quantified(..) => 0,
        ExprKind::Imply(..) => 1,
        ExprKind::Or(_) => 2,
        ExprKind::And(_) => 3,
        ExprKind::Not(_) => 4,
        ExprKind::Compare(..) => 5,
        ExprKind::Arithmetic(Operator::Add | Operator::Subtract, ..) => 6,
        ExprKind::Arithmetic(Operator::Multiply | Operator::Divide, ..) => 7,
        ExprKind::Negative(_) | ExprKind::Aggregate(..) => 8,
        ExprKind::Bool(_)
        | ExprKind::Number(_)
        | ExprKind::Variable(_)
        | ExprKind::Reference(_)
        | ExprKind::Missing => 9,
    }
}

/// Writes an expression, in parentheses if it binds more weakly than `least`. `last`: nothing
/// follows that a quantifier would include.
fn write_expr(out: &mut String, expr: &Expr, least: u8, last: bool) {
    // A quantifier at the end of a formula needs no parentheses, since it is unambiguous.
    let open_end = matches!(expr.kind, ExprKind::Quantified(..)) && last && least <= 4;
    if strength(&expr.kind) < least && !open_end || strength(&expr.kind) == 0 && !last {
        out.push('(');
        write_expr(out, expr, 0, true);
        out.push(')');
        return;
    }
    match &expr.kind {
        ExprKind::Bool(value) => {
            let _ = write!(out, "{value}");
        }
        ExprKind::Number(value) => {
            let _ = write!(out, "{value}");
        }
        ExprKind::Variable(name) => {
            let _ = write!(out, "?{name}");
        }
        ExprKind::Reference(reference) => write_reference(out, reference),
        ExprKind::Not(inner) => {
            out.push_str("not ");
            write_expr(out, inner, 4, last);
        }
        ExprKind::And(parts) => write_chain(out, parts, " and ", 4, last),
        ExprKind::Or(parts) => write_chain(out, parts, " or ", 3, last),
        ExprKind::Imply(a, b) => {
            write_expr(out, a, 2, false);
            out.push_str(" imply ");
            write_expr(out, b, 1, last);
        }
        ExprKind::Compare(comparison, a, b) => {
            write_expr(out, a, 6, false);
            let _ = write!(out, " {} ", comparison.sign());
            write_expr(out, b, 6, last);
        }
        ExprKind::Arithmetic(operator, a, b) => {
            let own = strength(&expr.kind);
            write_expr(out, a, own, false);
            let _ = write!(out, " {} ", operator.sign());
            write_expr(out, b, own + 1, last);
        }
        ExprKind::Negative(inner) => {
            out.push('-');
            write_expr(out, inner, 8, last);
        }
        ExprKind::Quantified(quantifier, binders, body) => {
            out.push_str(quantifier.word());
            out.push(' ');
            write_binders(out, binders);
            write_expr(out, body, 0, last);
        }
        ExprKind::Aggregate(aggregate, binders, body, of) => {
            out.push_str(aggregate.word());
            out.push(' ');
            write_binders(out, binders);
            write_tight(out, body);
            if let Some(of) = of {
                out.push_str(" of ");
                write_tight(out, of);
            }
        }
        ExprKind::Missing => out.push('…'),
    }
}

/// Writes the body of an aggregate, or its condition: outside parentheses only `not` is allowed.
fn write_tight(out: &mut String, expr: &Expr) {
    let mut expr = expr;
    while let ExprKind::Not(inner) = &expr.kind {
        out.push_str("not ");
        expr = inner;
    }
    write_expr(out, expr, 9, false);
}

fn write_chain(out: &mut String, parts: &[Expr], word: &str, least: u8, last: bool) {
    for (i, part) in parts.iter().enumerate() {
        if i > 0 {
            out.push_str(word);
        }
        write_expr(out, part, least, last && i + 1 == parts.len());
    }
}

fn write_reference(out: &mut String, reference: &Reference) {
    out.push_str(reference.name.as_str());
    for (i, arg) in reference.args.iter().enumerate() {
        out.push_str(if i == 0 { "(" } else { ", " });
        write_expr(out, arg, 0, true);
    }
    if !reference.args.is_empty() {
        out.push(')');
    }
}

/// Writes binders such as `?p: place, ?q. `, with the space at the end; a type `object` is omitted.
fn write_binders(out: &mut String, binders: &[Binder]) {
    for (i, Binder { param, .. }) in binders.iter().enumerate() {
        let separator = if i == 0 { "" } else { ", " };
        let _ = write!(out, "{separator}?{}", param.name);
        if param.of != "object" {
            let _ = write!(out, ": {}", param.of);
        }
    }
    out.push_str(". ");
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::span::Span;
    use crate::syntax::ast::{Aggregate, Assignment, Comparison, Quantifier};
    use crate::syntax::{parse_effect, parse_expr, parse_initial};
    use crate::{Name, Param};

    fn expr(kind: ExprKind) -> Expr {
        kind.into()
    }

    fn name() -> impl Strategy<Value = Name> {
        let word = proptest::sample::select(vec![
            "a", "walk-to", "B_2", "c-", "object", "x3", "count", "min", "of",
        ]);
        word.prop_map(|word| Name::new(word).unwrap())
    }

    fn binders() -> impl Strategy<Value = Vec<Binder>> {
        let binder = (name(), name()).prop_map(|(name, of)| Binder::from(Param { name, of }));
        prop::collection::vec(binder, 1..3)
    }

    /// Two parts or more, none of which is a chain of the same kind.
    fn chain(parts: Vec<Expr>, kind: fn(Vec<Expr>) -> ExprKind) -> Expr {
        let same = |part: &Expr| {
            std::mem::discriminant(&part.kind) == std::mem::discriminant(&kind(vec![]))
        };
        let negated = |part: Expr| match same(&part) {
            true => expr(ExprKind::Not(Box::new(part))),
            false => part,
        };
        expr(kind(parts.into_iter().map(negated).collect()))
    }

    fn any_expr() -> impl Strategy<Value = Expr> {
        let number = prop_oneof![(0u32..1000).prop_map(f64::from), 0.0..1e20];
        let leaf = prop_oneof![
            any::<bool>().prop_map(|b| expr(ExprKind::Bool(b))),
            number.prop_map(|n| expr(ExprKind::Number(n))),
            name().prop_map(|n| expr(ExprKind::Variable(n))),
            name().prop_map(|n| expr(ExprKind::Reference(Reference::new(n, vec![])))),
        ];
        leaf.prop_recursive(6, 40, 4, |inner| {
            let parts = || prop::collection::vec(inner.clone(), 2..4);
            let one = || inner.clone().prop_map(Box::new);
            let comparison = proptest::sample::select(vec![
                Comparison::Equal,
                Comparison::NotEqual,
                Comparison::Less,
                Comparison::LessOrEqual,
                Comparison::Greater,
                Comparison::GreaterOrEqual,
            ]);
            let operator = proptest::sample::select(vec![
                Operator::Add,
                Operator::Subtract,
                Operator::Multiply,
                Operator::Divide,
            ]);
            let quantifier = proptest::sample::select(vec![Quantifier::Forall, Quantifier::Exists]);
            let aggregate =
                proptest::sample::select(vec![Aggregate::Sum, Aggregate::Min, Aggregate::Max]);
            prop_oneof![
                one().prop_map(|a| expr(ExprKind::Not(a))),
                one().prop_map(|a| expr(ExprKind::Negative(a))),
                parts().prop_map(|parts| chain(parts, ExprKind::And)),
                parts().prop_map(|parts| chain(parts, ExprKind::Or)),
                (one(), one()).prop_map(|(a, b)| expr(ExprKind::Imply(a, b))),
                (comparison, one(), one()).prop_map(|(c, a, b)| expr(ExprKind::Compare(c, a, b))),
                (operator, one(), one()).prop_map(|(o, a, b)| expr(ExprKind::Arithmetic(o, a, b))),
                (quantifier, binders(), one())
                    .prop_map(|(q, b, a)| expr(ExprKind::Quantified(q, b, a))),
                (binders(), one()).prop_map(|(b, a)| expr(ExprKind::Aggregate(
                    Aggregate::Count,
                    b,
                    a,
                    None
                ))),
                (aggregate, binders(), one(), prop::option::of(one()))
                    .prop_map(|(g, b, a, of)| expr(ExprKind::Aggregate(g, b, a, of))),
                (name(), prop::collection::vec(inner.clone(), 0..3))
                    .prop_map(|(n, args)| expr(ExprKind::Reference(Reference::new(n, args)))),
            ]
        })
    }

    fn reference() -> impl Strategy<Value = Reference> {
        (name(), prop::collection::vec(any_expr(), 0..3)).prop_map(|(n, a)| Reference::new(n, a))
    }

    fn any_effect() -> impl Strategy<Value = EffectExpr> {
        let assignment = proptest::sample::select(vec![
            Assignment::Assign,
            Assignment::Increase,
            Assignment::Decrease,
        ]);
        let change = prop_oneof![
            reference().prop_map(Change::Set),
            reference().prop_map(Change::Unset),
            (assignment, reference(), any_expr()).prop_map(|(a, r, e)| Change::Assign(a, r, e)),
        ];
        let forall = prop_oneof![Just(vec![]), binders()];
        (forall, change, prop::option::of(any_expr())).prop_map(|(forall, change, when)| {
            EffectExpr {
                forall,
                change,
                when,
                span: Span::default(),
            }
        })
    }

    /// A tree as text, without its spans.
    fn without_spans(tree: &impl std::fmt::Debug) -> String {
        let text = format!("{tree:?}");
        let mut parts = text.split("Span {");
        let mut out = parts.next().unwrap_or("").to_owned();
        for part in parts {
            out.push_str(part.split_once('}').map_or("", |(_, rest)| rest));
        }
        out
    }

    proptest! {
        #[test]
        fn printed_expressions_round_trip(tree in any_expr()) {
            let parsed = parse_expr(&print_expr(&tree));
            prop_assert_eq!(&parsed.errors, &vec![]);
            prop_assert_eq!(without_spans(&parsed.value), without_spans(&tree));
        }

        #[test]
        fn printed_effects_round_trip(tree in any_effect()) {
            let parsed = parse_effect(&print_effect(&tree));
            prop_assert_eq!(&parsed.errors, &vec![]);
            prop_assert_eq!(without_spans(&parsed.value), without_spans(&tree));
        }

        #[test]
        fn printed_initial_values_round_trip(
            fact in reference(), value in any_expr(), form in 0..3
        ) {
            let tree = match form {
                0 => Initial::True(fact),
                1 => Initial::False(fact),
                _ => Initial::Value(fact, value),
            };
            let parsed = parse_initial(&print_initial(&tree));
            prop_assert_eq!(&parsed.errors, &vec![]);
            prop_assert_eq!(without_spans(&parsed.value), without_spans(&tree));
        }
    }
}
