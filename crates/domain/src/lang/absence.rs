//! Objects that are absent: what every text says about them without saying it (semantics,
//! section 1).

use super::ast::{Expr, ExprKind, Reference};
use super::parse_expr;
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
        mentions(document, &body, fact, object)
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
        let mention = Mention {
            document,
            fact,
            object,
        };
        of.is_some_and(|of| mention.is_in(of)) || mention.is_in_number(value)
    });
    match (present, of) {
        (Some(present), Some(of)) => Some(both(of, present)),
        (present, of) => present.or(of),
    }
}

/// Returns an effect for those objects only that are present.
pub fn limited(document: &Document, mut effect: Effect) -> Effect {
    let present = present(document, &effect.forall, |fact, object| {
        in_effect(document, &effect, fact, object)
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

/// Returns `true` if a formula names this fact of this object, itself or in a condition that it
/// calls.
pub fn mentions(document: &Document, formula: &Formula, fact: &Name, object: &Term) -> bool {
    Mention {
        document,
        fact,
        object,
    }
    .is_in(formula)
}

/// Returns `true` if an effect changes this fact of this object, or asks about it.
pub fn in_effect(document: &Document, effect: &Effect, fact: &Name, object: &Term) -> bool {
    Mention {
        document,
        fact,
        object,
    }
    .is_in_effect(effect)
}

/// A fact of an object, which a text may name.
struct Mention<'m> {
    document: &'m Document,
    fact: &'m Name,
    object: &'m Term,
}

impl Mention<'_> {
    fn is_in(&self, formula: &Formula) -> bool {
        match &formula.kind {
            FormulaKind::Constant(_) | FormulaKind::Same(..) => false,
            FormulaKind::Condition(name, args) => {
                let is_object = |number: &usize| args[*number] == *self.object;
                let numbers = (0..args.len()).filter(is_object).map(Subject::Param);
                let me = (*self.object == Term::Me).then_some(Subject::Me);
                let mut subjects = numbers.chain(me);
                subjects.any(|subject| named(self.document, self.fact, name, subject))
            }
            FormulaKind::Fact(name, args) => self.is_that(name, args),
            FormulaKind::Compare(_, a, b) => self.is_in_number(a) || self.is_in_number(b),
            FormulaKind::Not(inner) | FormulaKind::Quantified(_, _, inner) => self.is_in(inner),
            FormulaKind::And(parts) | FormulaKind::Or(parts) => {
                parts.iter().any(|part| self.is_in(part))
            }
            FormulaKind::Imply(a, b) => self.is_in(a) || self.is_in(b),
        }
    }

    fn is_in_number(&self, number: &Number) -> bool {
        match number {
            Number::Constant(_) | Number::Fact(..) | Number::Time => false,
            Number::Arithmetic(_, a, b) => self.is_in_number(a) || self.is_in_number(b),
            Number::Negative(a) => self.is_in_number(a),
            Number::Function(_, numbers) => numbers.iter().any(|number| self.is_in_number(number)),
            Number::Aggregate(_, _, value, of) => {
                let of = of.as_deref();
                self.is_in_number(value) || of.is_some_and(|of| self.is_in(of))
            }
        }
    }

    fn is_in_effect(&self, effect: &Effect) -> bool {
        let changes = match &effect.change {
            Change::Set(name, args) | Change::Unset(name, args) => self.is_that(name, args),
            Change::Number(..) | Change::Object(..) => false,
        };
        let when = effect.when.as_ref();
        changes || when.is_some_and(|when| self.is_in(when))
    }

    fn is_that(&self, name: &Name, args: &[Term]) -> bool {
        name == self.fact && args == [self.object.clone()]
    }
}

/// An object that a condition is about: its parameter of this number, or its actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subject {
    Param(usize),
    Me,
}

/// Returns `true` if a condition names this fact of this object, itself or in others that it calls.
/// It is read as text, since its meaning may depend on this.
fn named(document: &Document, fact: &Name, condition: &Name, subject: Subject) -> bool {
    let mut open = vec![(condition.clone(), subject)];
    let mut met = open.clone();
    while let Some((condition, subject)) = open.pop() {
        let Some(record) = document.conditions.get(&condition) else {
            continue;
        };
        let variable = match subject {
            Subject::Param(number) => record.params.get(number).map(|param| param.name.clone()),
            Subject::Me => {
                Some(Name::me()).filter(|me| record.params.iter().all(|param| param.name != *me))
            }
        };
        let Some(variable) = variable else {
            continue;
        };
        let mut found = Naming {
            document,
            variable: &variable,
            is_me: subject == Subject::Me,
            facts: vec![],
            calls: vec![],
        };
        found.read(&parse_expr(&record.formula).value);
        if found.facts.contains(fact) {
            return true;
        }
        for call in found.calls {
            if !met.contains(&call) {
                met.push(call.clone());
                open.push(call);
            }
        }
    }
    false
}

/// The facts and conditions that a condition's text names about a variable.
struct Naming<'n> {
    document: &'n Document,
    variable: &'n Name,
    /// `true` if the variable is `?me`.
    is_me: bool,
    /// The facts of this variable alone.
    facts: Vec<Name>,
    /// The conditions called with it.
    calls: Vec<(Name, Subject)>,
}

impl Naming<'_> {
    fn read(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Reference(reference) => self.reference(reference),
            ExprKind::Not(a) | ExprKind::Negative(a) | ExprKind::Quantified(_, _, a) => {
                self.read(a);
            }
            ExprKind::And(parts) | ExprKind::Or(parts) => {
                parts.iter().for_each(|part| self.read(part));
            }
            ExprKind::Imply(a, b) | ExprKind::Compare(_, a, b) | ExprKind::Arithmetic(_, a, b) => {
                self.read(a);
                self.read(b);
            }
            ExprKind::Aggregate(_, _, a, of) => {
                self.read(a);
                of.iter().for_each(|of| self.read(of));
            }
            ExprKind::Bool(_) | ExprKind::Number(_) | ExprKind::Variable(_) | ExprKind::Missing => {
            }
        }
    }

    fn reference(&mut self, reference: &Reference) {
        let Reference { name, args, .. } = reference;
        let is_variable =
            |arg: &Expr| matches!(&arg.kind, ExprKind::Variable(name) if name == self.variable);
        if self.document.facts.contains_key(name) {
            if let [arg] = &args[..]
                && is_variable(arg)
            {
                self.facts.push(name.clone());
            }
        } else if self.document.conditions.contains_key(name) {
            let numbers = (0..args.len()).filter(|number| is_variable(&args[*number]));
            let calls = numbers
                .map(Subject::Param)
                .chain(self.is_me.then_some(Subject::Me));
            self.calls
                .extend(calls.map(|subject| (name.clone(), subject)));
        } else {
            // A function.
            args.iter().for_each(|arg| self.read(arg));
        }
    }
}
