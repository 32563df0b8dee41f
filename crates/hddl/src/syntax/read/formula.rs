//! Formulas, numbers and terms.
//!
//! The recursion is no deeper than lists nest, which [`super::tokens`] limits.

use super::cursor::{Cursor, Item, Words};
use crate::syntax::ast::{Atom, Comparison, Formula, Number, Term};
use taskloom_document::diagnostic::Span;

impl Words<'_> {
    /// Reads the next item as a formula; `()` is true. An unreadable item is also true, and
    /// reported.
    pub fn formula(&mut self, list: &mut Cursor, what: &str) -> Formula {
        match self.list(list, what) {
            Some(inner) => self.formula_in(inner),
            None => {
                self.next(list);
                Formula::TRUE
            }
        }
    }

    /// Reads a list as a formula.
    pub fn formula_in(&mut self, mut list: Cursor) -> Formula {
        if list.is_empty() {
            return Formula::TRUE;
        }
        let start = list;
        let Some(head) = self.next_word(&mut list) else {
            self.expected(&list, "a predicate, 'and', 'or', 'not' or a quantifier");
            return Formula::TRUE;
        };
        let word = self.text(head).to_ascii_lowercase();
        match word.as_str() {
            "and" => Formula::And(self.formulas(list)),
            "or" => Formula::Or(self.formulas(list)),
            "not" => {
                let inner = self.formula(&mut list, "a formula");
                self.expect_end(&list, "'not'");
                Formula::Not(Box::new(inner))
            }
            "imply" | "implies" => {
                let condition = self.formula(&mut list, "the condition of 'imply'");
                let then = self.formula(&mut list, "the conclusion of 'imply'");
                self.expect_end(&list, "'imply'");
                Formula::Imply(Box::new(condition), Box::new(then))
            }
            "forall" | "exists" => {
                let variables = self.list(&mut list, "the list of variables");
                let variables = variables.map(|v| self.typed(v, true));
                let body = self.formula(&mut list, "a formula");
                self.expect_end(&list, &format!("'{word}'"));
                let variables = variables.unwrap_or_default();
                match (variables.is_empty(), word.as_str()) {
                    (true, _) => body,
                    (_, "forall") => Formula::Forall(variables, Box::new(body)),
                    _ => Formula::Exists(variables, Box::new(body)),
                }
            }
            "=" | "<" | "<=" | ">" | ">=" => self.comparison(&word, list),
            "sortof" | "typeof" => {
                let term = self.term(&mut list, "a variable");
                let types = self.kind_of(&mut list);
                self.expect_end(&list, &format!("'{word}'"));
                match term {
                    Some(term) if !types.is_empty() => Formula::OfType(term, types),
                    _ => Formula::TRUE,
                }
            }
            _ if self.is_unsupported(head, &list) => Formula::TRUE,
            _ => match self.atom_in(start, "a predicate") {
                Some(atom) => Formula::Atom(atom),
                None => Formula::TRUE,
            },
        }
    }

    fn formulas(&mut self, mut list: Cursor) -> Vec<Formula> {
        let mut parts = vec![];
        while !list.is_empty() {
            parts.push(self.formula(&mut list, "a formula"));
        }
        parts
    }

    fn comparison(&mut self, sign: &str, mut list: Cursor) -> Formula {
        let comparison = match sign {
            "<" => Comparison::Less,
            "<=" => Comparison::LessOrEqual,
            ">" => Comparison::Greater,
            ">=" => Comparison::GreaterOrEqual,
            _ => Comparison::Equal,
        };
        let is_list = |item: Option<Item>| matches!(item, Some(Item::List(_)));
        let mut after = list;
        let first = self.next(&mut after);
        let has_list = is_list(first) || is_list(self.peek(&after));
        let of = format!("'{sign}'");
        // Two words are terms: an object's name may be a number. Once the objects are known, two
        // numbers that name none are compared as numbers.
        if comparison == Comparison::Equal && !has_list {
            let a = self.term(&mut list, "an object or a number");
            let b = self.term(&mut list, "an object or a number");
            self.expect_end(&list, &of);
            return match (a, b) {
                (Some(a), Some(b)) => Formula::Equal(a, b),
                _ => Formula::TRUE,
            };
        }
        let a = self.number(&mut list);
        let b = self.number(&mut list);
        self.expect_end(&list, &of);
        match (a, b) {
            (Some(a), Some(b)) => Formula::Compare(comparison, a, b),
            _ => Formula::TRUE,
        }
    }

    /// Reads the next item as a variable or an object.
    pub fn term(&mut self, list: &mut Cursor, what: &str) -> Option<Term> {
        let found = match self.peek(list) {
            Some(Item::Word(span)) if !self.text(span).starts_with(':') => {
                let text = self.text(span);
                match text.strip_prefix('?') {
                    Some("") => None,
                    Some(_) => Some(Term::Variable(self.ident(span))),
                    None => Some(Term::Constant(self.ident(span))),
                }
            }
            _ => None,
        };
        if found.is_none() {
            self.expected(list, what);
        }
        self.next(list);
        found
    }

    /// Reads the next item as a number.
    pub fn number(&mut self, list: &mut Cursor) -> Option<Number> {
        const WHAT: &str = "a number, a function or '+', '-', '*', '/'";
        match self.peek(list) {
            Some(Item::Word(span)) => {
                let number = decimal(self.text(span));
                match number {
                    Some(number) => {
                        self.next(list);
                        Some(Number::Constant(number))
                    }
                    None => {
                        self.not_a_number(span, WHAT);
                        self.next(list);
                        None
                    }
                }
            }
            Some(Item::List(inner)) => {
                self.next(list);
                self.number_in(inner)
            }
            None => {
                self.expected(list, WHAT);
                None
            }
        }
    }

    /// Reports that a word isn't a number. It may be a function without parentheses, or an object,
    /// which functions can't have as a value.
    fn not_a_number(&mut self, span: Span, what: &str) {
        const OBJECTS: &str = "functions whose values are objects are not supported";
        let text = self.text(span);
        let why = if text.eq_ignore_ascii_case("total-cost") {
            format!(": write '({text})'")
        } else if text.starts_with('?') || what == VALUE && is_name(text) {
            format!(": {OBJECTS}")
        } else if is_name(text) {
            format!(": a function is written '({text})', and {OBJECTS}")
        } else {
            String::new()
        };
        self.error(span, format!("expected {what}, found '{text}'{why}"));
    }

    fn number_in(&mut self, mut list: Cursor) -> Option<Number> {
        let start = list;
        let sign = match self.peek(&list) {
            Some(Item::Word(span)) => self.text(span),
            _ => "",
        };
        let operator = match sign {
            "+" | "-" | "*" | "/" => sign.chars().next()?,
            _ => return self.atom_in(start, FUNCTION).map(Number::Function),
        };
        self.next(&mut list);
        let mut number = self.number(&mut list)?;
        if list.is_empty() {
            if operator == '-' {
                return Some(match number {
                    Number::Constant(value) => Number::Constant(-value),
                    other => Number::Negative(Box::new(other)),
                });
            }
            self.expected(&list, "a second number");
        }
        // Sums and products of several numbers are left-associative.
        while !list.is_empty() {
            let next = self.number(&mut list)?;
            number = Number::Arithmetic(operator, Box::new(number), Box::new(next));
        }
        Some(number)
    }

    /// Reads the next item as `(name arguments)`.
    pub fn atom(&mut self, list: &mut Cursor, what: &str) -> Option<Atom> {
        if what == FUNCTION
            && let Some(Item::Word(span)) = self.peek(list)
            && is_name(self.text(span))
        {
            let text = self.text(span);
            self.error(
                span,
                format!("expected {what}, found '{text}': write '({text})'"),
            );
            self.next(list);
            return None;
        }
        match self.list(list, what) {
            Some(inner) => self.atom_in(inner, what),
            None => {
                self.next(list);
                None
            }
        }
    }

    /// Reads a list as a name with arguments.
    pub fn atom_in(&mut self, mut list: Cursor, what: &str) -> Option<Atom> {
        let name = self.name(&mut list, what)?;
        let mut args = vec![];
        while !list.is_empty() {
            args.push(self.term(&mut list, "a variable or an object")?);
        }
        Some(Atom { name, args })
    }

    /// Reads an initial value of a function: see [`decimal`].
    pub fn value(&mut self, list: &mut Cursor) -> Option<f64> {
        let span = self.next_word(list).map(|span| (span, self.text(span)));
        match span {
            Some((span, text)) => {
                let value = decimal(text);
                if value.is_none() {
                    self.not_a_number(span, VALUE);
                }
                value
            }
            None => {
                self.expected(list, "a number");
                None
            }
        }
    }
}

/// The target of a numeric assignment.
pub const FUNCTION: &str = "a function";

/// The value of a function in an initial state.
const VALUE: &str = "a number";

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Parses a decimal number: `3`, `-0.5`.
pub fn decimal(text: &str) -> Option<f64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let starts = digits.strip_prefix('.').unwrap_or(digits);
    let is_number = starts.starts_with(|c: char| c.is_ascii_digit());
    text.parse()
        .ok()
        .filter(|n: &f64| is_number && n.is_finite())
}
