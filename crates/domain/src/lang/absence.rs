//! Objects that are absent: what every text says about them without saying it (semantics,
//! section 1).

use super::typed::{Change, Effect, Formula, FormulaKind, Number, Quantifier, Term};
use taskloom_document::diagnostic::Span;
use taskloom_document::{Document, Name, Param};

/// Returns the conditions for objects to be present, each with its type. A fact of an object of
/// which `mentions` is true is the designer's own concern, and gives no condition.
pub fn presences(
    document: &Document,
    objects: &[(&Name, Term)],
    mentions: impl Fn(&Name, &Term) -> bool,
) -> Vec<Formula> {
    let mut conditions = vec![];
    for (of, object) in objects {
        for fact in document
            .absences_of(of)
            .filter(|fact| !mentions(fact, object))
        {
            let absent = FormulaKind::Fact(fact.clone(), vec![object.clone()]);
            conditions.push(not(formula(absent, Span::default())));
        }
    }
    conditions
}

/// Returns the condition for the objects of variables to be present; `None` if they always are, or
/// `mentions` is true.
pub fn present(
    document: &Document,
    variables: &[Param],
    mentions: impl Fn(&Name, &Term) -> bool,
) -> Option<Formula> {
    let object = |param: &Param| Term::Variable(param.name.clone());
    let objects = variables.iter().map(|param| (&param.of, object(param)));
    let mut conditions = presences(document, &Vec::from_iter(objects), mentions);
    match conditions.len() {
        0 | 1 => conditions.pop(),
        _ => Some(formula(FormulaKind::And(conditions), Span::default())),
    }
}

/// Returns the body of a quantifier for those objects only that are present.
pub fn restricted(
    document: &Document,
    quantifier: Quantifier,
    variables: &[Param],
    body: Formula,
) -> Formula {
    match present(document, variables, |fact, object| {
        mentions(&body, fact, object)
    }) {
        None => body,
        Some(present) => match quantifier {
            Quantifier::Exists => both(body, present),
            Quantifier::Forall => {
                let span = body.span;
                formula(FormulaKind::Or(vec![body, not(present)]), span)
            }
        },
    }
}

/// Returns the formula that selects the objects of an aggregate, those that are present only.
pub fn counted(
    document: &Document,
    variables: &[Param],
    value: &Number,
    of: Option<Formula>,
) -> Option<Formula> {
    let present = present(document, variables, |fact, object| {
        let of = of.as_ref();
        of.is_some_and(|of| mentions(of, fact, object)) || in_number(value, fact, object)
    });
    match (present, of) {
        (Some(present), Some(of)) => Some(both(of, present)),
        (present, of) => present.or(of),
    }
}

/// Returns an effect for those objects only that are present.
pub fn limited(document: &Document, mut effect: Effect) -> Effect {
    let present = present(document, &effect.forall, |fact, object| {
        in_effect(&effect, fact, object)
    });
    effect.when = match (present, effect.when.take()) {
        (Some(present), Some(when)) => Some(both(when, present)),
        (present, when) => present.or(when),
    };
    effect
}

/// Returns the conjunction of a formula that was typed and one that is implied.
pub fn both(typed: Formula, implied: Formula) -> Formula {
    let span = typed.span;
    formula(FormulaKind::And(vec![typed, implied]), span)
}

fn not(inner: Formula) -> Formula {
    match inner.kind {
        FormulaKind::Not(inner) => *inner,
        _ => {
            let span = inner.span;
            formula(FormulaKind::Not(Box::new(inner)), span)
        }
    }
}

fn formula(kind: FormulaKind, span: Span) -> Formula {
    Formula { kind, span }
}

/// Returns `true` if a formula names this fact of this object.
pub fn mentions(formula: &Formula, fact: &Name, object: &Term) -> bool {
    let again = |formula: &Formula| mentions(formula, fact, object);
    match &formula.kind {
        FormulaKind::Constant(_) | FormulaKind::Condition(..) | FormulaKind::Same(..) => false,
        FormulaKind::Fact(name, args) => is_that(name, args, fact, object),
        FormulaKind::Compare(_, a, b) => [a, b].iter().any(|one| in_number(one, fact, object)),
        FormulaKind::Not(inner) | FormulaKind::Quantified(_, _, inner) => again(inner),
        FormulaKind::And(parts) | FormulaKind::Or(parts) => parts.iter().any(again),
        FormulaKind::Imply(a, b) => again(a) || again(b),
    }
}

fn in_number(number: &Number, fact: &Name, object: &Term) -> bool {
    let again = |number: &Number| in_number(number, fact, object);
    match number {
        Number::Constant(_) | Number::Fact(..) | Number::Time => false,
        Number::Arithmetic(_, a, b) => again(a) || again(b),
        Number::Negative(a) => again(a),
        Number::Function(_, numbers) => numbers.iter().any(again),
        Number::Aggregate(_, _, value, of) => {
            let of = of.as_deref();
            again(value) || of.is_some_and(|of| mentions(of, fact, object))
        }
    }
}

/// Returns `true` if an effect changes this fact of this object, or asks about it.
pub fn in_effect(effect: &Effect, fact: &Name, object: &Term) -> bool {
    let changes = match &effect.change {
        Change::Set(name, args) | Change::Unset(name, args) => is_that(name, args, fact, object),
        Change::Number(..) | Change::Object(..) => false,
    };
    let when = effect.when.as_ref();
    changes || when.is_some_and(|when| mentions(when, fact, object))
}

fn is_that(name: &Name, args: &[Term], fact: &Name, object: &Term) -> bool {
    name == fact && args == [object.clone()]
}
