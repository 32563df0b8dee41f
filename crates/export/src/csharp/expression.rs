//! Typed expressions as C#.

use std::collections::BTreeMap;

use super::names::{Locals, Names};
use taskloom_document::{Document, Kind, Name, Param, ValueKind};
use taskloom_domain::lang::typed::{
    Aggregate, Comparison, Formula, FormulaKind, Function, Number, Operator, Quantifier, Term,
};
use taskloom_domain::text::{TypedText, values};

/// The names of variables in the scope of an expression, and of the state.
#[derive(Clone)]
pub struct Scope<'m> {
    /// The document.
    pub document: &'m Document,
    /// Names in the file.
    pub names: &'m Names,
    /// The variables' C# names and types.
    pub variables: BTreeMap<Name, (String, Name)>,
    /// Names already in use.
    pub locals: Locals,
    /// The type of `?me`.
    pub me: Option<&'m Name>,
    /// The variable that holds the state.
    pub state: &'static str,
    /// The prefix of the file's classes: empty, or the file's namespace inside a class whose
    /// members are named by the designer.
    pub home: String,
}

/// The precedence of a text's outermost operator.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Or,
    And,
    Compare,
    Sum,
    Product,
    Atom,
}

fn parenthesized((text, binding): (String, Binding), least: Binding) -> String {
    if binding < least {
        format!("({text})")
    } else {
        text
    }
}

impl Scope<'_> {
    /// Adds a variable and returns its C# name.
    pub fn bind(&mut self, param: &Param) -> String {
        let own = self.locals.variable(param.name.as_str());
        self.call(param, own.clone());
        own
    }

    /// Adds a variable with a given C# name.
    pub fn call(&mut self, param: &Param, own: String) {
        let named = (own, param.of.clone());
        self.variables.insert(param.name.clone(), named);
    }

    /// Returns a formula as a `bool` expression.
    pub fn formula(&self, formula: &Formula) -> String {
        self.write(formula).0
    }

    /// Returns the negation of a formula.
    pub fn negated(&self, formula: &Formula) -> String {
        self.write_negated(formula).0
    }

    /// Returns the conjunction of several formulas; `None` if there are none.
    pub fn all(&self, formulas: &[TypedText<Formula>]) -> Option<String> {
        let formulas: Vec<&Formula> = values(formulas).collect();
        match formulas.as_slice() {
            [] => None,
            [one] => Some(self.formula(one)),
            more => {
                let parts = more.iter();
                let parts = parts.map(|f| parenthesized(self.write(f), Binding::And));
                Some(parts.collect::<Vec<_>>().join("\n    && "))
            }
        }
    }

    /// Returns the conjunction of other expressions and a formula.
    pub fn formula_after(&self, mut others: Vec<String>, formula: &Formula) -> String {
        if others.is_empty() {
            return self.formula(formula);
        }
        others.push(parenthesized(self.write(formula), Binding::And));
        others.join(" && ")
    }

    fn write(&self, formula: &Formula) -> (String, Binding) {
        let join = |parts: &[Formula], operator: &str, binding| {
            let parts = parts.iter().map(|p| parenthesized(self.write(p), binding));
            (parts.collect::<Vec<_>>().join(operator), binding)
        };
        match &formula.kind {
            FormulaKind::Constant(value) => (value.to_string(), Binding::Atom),
            FormulaKind::Fact(name, args) | FormulaKind::Condition(name, args) => {
                (self.asked(name, args), Binding::Atom)
            }
            FormulaKind::Compare(comparison, a, b) => {
                let sign = match comparison {
                    Comparison::Equal => "==",
                    Comparison::NotEqual => "!=",
                    Comparison::Less => "<",
                    Comparison::LessOrEqual => "<=",
                    Comparison::Greater => ">",
                    Comparison::GreaterOrEqual => ">=",
                };
                let sides = format!("{} {sign} {}", self.compared(a), self.compared(b));
                (sides, Binding::Compare)
            }
            FormulaKind::Same(a, b) => self.same(a, b, true),
            FormulaKind::Not(inner) => self.write_negated(inner),
            FormulaKind::And(parts) => join(parts, " && ", Binding::And),
            FormulaKind::Or(parts) => join(parts, " || ", Binding::Or),
            FormulaKind::Imply(a, b) => {
                let then = parenthesized(self.write(b), Binding::Or);
                (format!("{} || {then}", self.negated(a)), Binding::Or)
            }
            FormulaKind::Quantified(quantifier, params, body) => {
                let mut scope = self.clone();
                let asks = match quantifier {
                    Quantifier::Forall => "ForAll",
                    Quantifier::Exists => "Exists",
                };
                let mut open = String::new();
                for param in params {
                    let variable = scope.bind(param);
                    let of = self.names.of(&param.of);
                    let state = self.state;
                    open += &format!("{state}.{asks}<{of}>({variable} => ");
                }
                let close = ")".repeat(params.len());
                (
                    format!("{open}{}{close}", scope.formula(body)),
                    Binding::Atom,
                )
            }
        }
    }

    fn write_negated(&self, formula: &Formula) -> (String, Binding) {
        match &formula.kind {
            FormulaKind::Not(inner) => self.write(inner),
            FormulaKind::Same(a, b) => self.same(a, b, false),
            FormulaKind::Constant(_)
            | FormulaKind::Fact(..)
            | FormulaKind::Condition(..)
            | FormulaKind::Compare(..)
            | FormulaKind::And(_)
            | FormulaKind::Or(_)
            | FormulaKind::Imply(..)
            | FormulaKind::Quantified(..) => {
                let asked = parenthesized(self.write(formula), Binding::Atom);
                (format!("!{asked}"), Binding::Atom)
            }
        }
    }

    /// Returns one side of a comparison. C# arithmetic may give infinity, which compares with every
    /// number; an undefined number compares with none.
    fn compared(&self, number: &Number) -> String {
        let (text, binding) = self.write_number(number);
        if binding < Binding::Atom && has_arithmetic(number) {
            format!("{}.Finite({text})", self.state)
        } else {
            text
        }
    }

    /// Returns `true` if C# computes a number as the editor does: integers aren't rounded.
    fn is_exact(&self, number: &Number) -> bool {
        number.is_whole(self.document)
    }

    /// Compares two terms for identity. Unlike in C#, null doesn't equal null; objects that the
    /// domain names are never null, so `==` does for them.
    fn same(&self, a: &Term, b: &Term, expected: bool) -> (String, Binding) {
        let (left, right) = (self.term(a), self.term(b));
        // C# rejects comparisons of unrelated types.
        let document = self.document;
        let related = match (self.type_of(a), self.type_of(b)) {
            (Some(a), Some(b)) => document.is_kind_of(a, b) || document.is_kind_of(b, a),
            (None, _) | (_, None) => false,
        };
        if related && (is_object(a) || is_object(b)) {
            let sign = if expected { "==" } else { "!=" };
            return (format!("{left} {sign} {right}"), Binding::Compare);
        }
        let sign = if expected { "" } else { "!" };
        let asked = format!("{sign}{}.Same({left}, {right})", self.state);
        (asked, Binding::Atom)
    }

    fn type_of(&self, term: &Term) -> Option<&Name> {
        match term {
            Term::Variable(name) => self.variables.get(name).map(|(_, of)| of),
            Term::Me => self.me,
            Term::Object(name) => self.document.objects.get(name).map(|object| &object.of),
            Term::Fact(name, _) => match &self.document.facts.get(name)?.value {
                ValueKind::Object(of) => Some(of),
                ValueKind::Boolean | ValueKind::Number { .. } => None,
            },
        }
    }

    /// Returns a query on the state: `s.At(Objects.Box)`.
    fn asked(&self, name: &Name, args: &[Term]) -> String {
        let method = self.names.asked.get(name);
        let method = method.map(String::as_str).unwrap_or_default();
        format!("{}.{method}({})", self.state, self.terms(args))
    }

    /// Returns terms as arguments.
    pub fn terms(&self, terms: &[Term]) -> String {
        let terms: Vec<_> = terms.iter().map(|t| self.term(t)).collect();
        terms.join(", ")
    }

    /// Returns a term as an object expression.
    pub fn term(&self, term: &Term) -> String {
        match term {
            Term::Variable(name) => match self.variables.get(name) {
                Some((variable, _)) => variable.clone(),
                None => "null".to_owned(),
            },
            Term::Me => {
                // The run-time part doesn't know the domain's types.
                match self.me.filter(|of| **of != "object") {
                    Some(of) => {
                        format!("{}.MeAs<{}{}>()", self.state, self.home, self.names.of(of))
                    }
                    None => format!("{}.Me", self.state),
                }
            }
            Term::Object(name) => {
                let field = self.names.record(Kind::Object, name);
                format!("{}Objects.{field}", self.home)
            }
            Term::Fact(name, args) => self.asked(name, args),
        }
    }

    /// Returns a ground fact: `Facts.At(Objects.Box)`.
    pub fn atom(&self, fact: &Name, args: &[Term]) -> String {
        let maker = self.names.atoms.get(fact);
        let maker = maker.map(String::as_str).unwrap_or_default();
        format!("{}Facts.{maker}({})", self.home, self.terms(args))
    }

    /// Returns a number as a `double` expression, or as `int` where that is equivalent.
    pub fn number(&self, number: &Number) -> String {
        self.write_number(number).0
    }

    /// Returns the negated number.
    pub fn negative(&self, number: &Number) -> String {
        match number {
            Number::Constant(value) => literal(-value),
            Number::Negative(inner) => self.number(inner),
            Number::Fact(..)
            | Number::Arithmetic(..)
            | Number::Aggregate(..)
            | Number::Function(..)
            | Number::Time => format!(
                "-{}",
                parenthesized(self.write_number(number), Binding::Atom)
            ),
        }
    }

    /// Returns an operand of a larger number: whole constants have a decimal point, so that C#
    /// doesn't use `int` arithmetic.
    fn operand(&self, number: &Number) -> (String, Binding) {
        match number {
            Number::Constant(value) => (format!("{value:?}"), Binding::Atom),
            Number::Fact(..)
            | Number::Arithmetic(..)
            | Number::Negative(_)
            | Number::Aggregate(..)
            | Number::Function(..)
            | Number::Time => self.write_number(number),
        }
    }

    /// Returns a number as a `double` expression that is finite or NaN.
    fn double(&self, number: &Number) -> String {
        match constant(number) {
            Some(value) => format!("{value:?}"),
            None => self.compared(number),
        }
    }

    /// Returns an aggregate that lambdas accumulate from object to object.
    fn aggregate(
        &self,
        aggregate: Aggregate,
        params: &[Param],
        value: &Number,
        of: Option<&Formula>,
    ) -> String {
        let mut scope = self.clone();
        let state = self.state;
        let start = match aggregate {
            Aggregate::Count | Aggregate::Sum => "0",
            Aggregate::Min => "double.PositiveInfinity",
            Aggregate::Max => "double.NegativeInfinity",
        };
        let (mut open, mut so_far) = (String::new(), start.to_owned());
        for param in params {
            let taken = scope.locals.variable("so-far");
            let variable = scope.bind(param);
            let of = self.names.of(&param.of);
            open += &format!("{state}.Fold<{of}>({so_far}, ({taken}, {variable}) => ");
            so_far = taken;
        }
        let step = match aggregate {
            Aggregate::Count => format!("{so_far} + 1"),
            Aggregate::Sum => {
                let mut added = parenthesized(scope.operand(value), Binding::Product);
                if added.starts_with('-') {
                    added = format!("({added})");
                }
                match self.is_exact(value) {
                    true => format!("{so_far} + {added}"),
                    false => format!("{state}.Rounded({so_far} + {added})"),
                }
            }
            Aggregate::Min => math("Min", &format!("{so_far}, {}", scope.double(value))),
            Aggregate::Max => math("Max", &format!("{so_far}, {}", scope.double(value))),
        };
        let step = match of {
            Some(of) => {
                let asked = parenthesized(scope.write(of), Binding::Compare);
                format!("{asked} ? {step} : {so_far}")
            }
            None => step,
        };
        let all = format!("{open}{step}{}", ")".repeat(params.len()));
        match aggregate {
            Aggregate::Count => all,
            // The minimum of no numbers is infinite, and so is a sum that overflows.
            Aggregate::Sum | Aggregate::Min | Aggregate::Max => format!("{state}.Finite({all})"),
        }
    }

    fn write_number(&self, number: &Number) -> (String, Binding) {
        match number {
            Number::Constant(value) => (literal(*value), Binding::Atom),
            Number::Fact(name, args) => (self.asked(name, args), Binding::Atom),
            Number::Time => (format!("{}.Now", self.state), Binding::Atom),
            Number::Negative(inner) => match &**inner {
                // Two adjacent signs would form another operator.
                Number::Constant(value) if *value < 0.0 => (literal(-value), Binding::Atom),
                Number::Negative(inner) => self.write_number(inner),
                Number::Constant(_)
                | Number::Fact(..)
                | Number::Arithmetic(..)
                | Number::Aggregate(..)
                | Number::Function(..)
                | Number::Time => (self.negative(inner), Binding::Product),
            },
            Number::Aggregate(aggregate, params, value, of) => (
                self.aggregate(*aggregate, params, value, of.as_deref()),
                Binding::Atom,
            ),
            Number::Function(function, numbers) => {
                let numbers: Vec<String> = numbers.iter().map(|n| self.double(n)).collect();
                let called = match function {
                    Function::Min => "Min",
                    Function::Max => "Max",
                    Function::Abs => "Abs",
                    Function::Sqrt => "Sqrt",
                    Function::Floor => "Floor",
                    Function::Ceil => "Ceiling",
                };
                let called = math(called, &numbers.join(", "));
                let called = match function {
                    Function::Sqrt => format!("{}.Rounded({called})", self.state),
                    _ => called,
                };
                (called, Binding::Atom)
            }
            Number::Arithmetic(operator, a, b) => {
                let (sign, binding, right) = match operator {
                    Operator::Add => ("+", Binding::Sum, Binding::Sum),
                    Operator::Subtract => ("-", Binding::Sum, Binding::Product),
                    Operator::Multiply => ("*", Binding::Product, Binding::Product),
                    Operator::Divide => {
                        let (a, b) = (self.number(a), self.number(b));
                        return (format!("{}.Divide({a}, {b})", self.state), Binding::Atom);
                    }
                };
                let a = parenthesized(self.operand(a), binding);
                let mut b = parenthesized(self.operand(b), right);
                if b.starts_with('-') {
                    b = format!("({b})");
                }
                let result = format!("{a} {sign} {b}");
                match self.is_exact(number) {
                    true => (result, binding),
                    false => (format!("{}.Rounded({result})", self.state), Binding::Atom),
                }
            }
        }
    }
}

fn is_object(term: &Term) -> bool {
    matches!(term, Term::Object(_))
}

/// Returns a call of a `System.Math` function, even if the game's classes hide that name.
fn math(function: &str, numbers: &str) -> String {
    format!("global::System.Math.{function}({numbers})")
}

/// Returns the value of a literal with its signs.
fn constant(number: &Number) -> Option<f64> {
    match number {
        Number::Constant(value) => Some(*value),
        Number::Negative(inner) => Some(-constant(inner)?),
        Number::Fact(..)
        | Number::Arithmetic(..)
        | Number::Aggregate(..)
        | Number::Function(..)
        | Number::Time => None,
    }
}

/// Returns `true` if C# computes the number itself, without querying the state.
fn has_arithmetic(number: &Number) -> bool {
    match number {
        Number::Constant(_)
        | Number::Fact(..)
        | Number::Aggregate(..)
        | Number::Function(..)
        | Number::Time => false,
        Number::Arithmetic(..) => true,
        Number::Negative(inner) => has_arithmetic(inner),
    }
}

/// Returns a number as a C# literal; a whole one of moderate size has no decimal point.
pub fn literal(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e9 {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}

/// Returns the C# type of a fact's values.
pub fn value_type(names: &Names, value: &ValueKind) -> String {
    match value {
        ValueKind::Boolean => "bool".to_owned(),
        ValueKind::Number { .. } => "double".to_owned(),
        ValueKind::Object(of) => names.of(of),
    }
}
