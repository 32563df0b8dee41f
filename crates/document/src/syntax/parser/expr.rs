//! Parsing of formulas, numbers and terms.

use crate::span::Span;
use crate::{Name, Param};

use super::super::ast::{
    Aggregate, Binder, Comparison, Expr, ExprKind, MAX_DEPTH, Operator, Quantifier, Reference,
};
use super::super::lexer::TokenKind;
use super::Parser;

/// Binding strengths; the table at the top of `ast`.
const IMPLY: u8 = 1;
const OR: u8 = 2;
const AND: u8 = 3;
const NOT: u8 = 4;
const COMPARE: u8 = 5;
const SUM: u8 = 6;
const PRODUCT: u8 = 7;
const UNARY: u8 = 8;

/// Returns `true` if an operand can start with this token.
pub(super) fn starts_operand(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Name
            | TokenKind::Variable
            | TokenKind::Number
            | TokenKind::True
            | TokenKind::False
            | TokenKind::Not
            | TokenKind::Forall
            | TokenKind::Exists
            | TokenKind::Aggregate(_)
            | TokenKind::Minus
            | TokenKind::Open
    )
}

/// Builds `left and right`, or `or`. A chain grows in width, not in depth: if a side is already
/// such a chain, its parts become parts of this one.
fn chain(kind: fn(Vec<Expr>) -> ExprKind, left: Deep, right: Deep) -> Deep {
    let is_and = matches!(kind(vec![]), ExprKind::And(_));
    let parts = |expr: Expr| match expr.kind {
        ExprKind::And(parts) if is_and => parts,
        ExprKind::Or(parts) if !is_and => parts,
        _ => vec![expr],
    };
    let span = left.expr.span.to(right.expr.span);
    let mut all = parts(left.expr);
    let left_depth = if all.len() > 1 {
        left.depth
    } else {
        left.depth + 1
    };
    // Extends the left side in place, which keeps parsing of long texts linear.
    all.extend(parts(right.expr));
    Deep {
        expr: Expr {
            kind: kind(all),
            span,
        },
        depth: left_depth.max(right.depth + 1),
    }
}

/// An operator between two operands.
enum Infix {
    And,
    Or,
    Imply,
    Compare(Comparison),
    Arithmetic(Operator),
}

fn infix(kind: TokenKind) -> Option<(Infix, u8)> {
    Some(match kind {
        TokenKind::Imply => (Infix::Imply, IMPLY),
        TokenKind::Or => (Infix::Or, OR),
        TokenKind::And => (Infix::And, AND),
        TokenKind::Compare(comparison) => (Infix::Compare(comparison), COMPARE),
        TokenKind::Plus => (Infix::Arithmetic(Operator::Add), SUM),
        TokenKind::Minus => (Infix::Arithmetic(Operator::Subtract), SUM),
        TokenKind::Star => (Infix::Arithmetic(Operator::Multiply), PRODUCT),
        TokenKind::Slash => (Infix::Arithmetic(Operator::Divide), PRODUCT),
        _ => return None,
    })
}

/// A tree and (at least) its depth.
pub(super) struct Deep {
    pub(super) expr: Expr,
    depth: usize,
}

impl Parser<'_> {
    /// Parses an expression that extends as far as possible; `what` names it in errors.
    pub(super) fn expr(&mut self, what: &str) -> Expr {
        self.binding(0, what).expr
    }

    /// Parses the right side of an `and` at the cursor.
    pub(super) fn and(&mut self, left: Deep) -> Deep {
        let right = self.binding(0, "a formula");
        let chain = chain(ExprKind::And, left, right);
        if chain.depth > MAX_DEPTH {
            return self.too_deep(chain.expr.span);
        }
        chain
    }

    /// Parses an expression whose operators all bind at least as strongly as `least`.
    pub(super) fn binding(&mut self, least: u8, what: &str) -> Deep {
        if self.depth >= MAX_DEPTH {
            return self.too_deep(self.token().span);
        }
        self.depth += 1;
        let mut left = self.operand(what);
        let mut compared = false;
        loop {
            if left.depth > MAX_DEPTH {
                left = self.too_deep(left.expr.span);
            }
            let token = self.token();
            let Some((operator, strength)) = self.operator() else {
                break;
            };
            if strength < least {
                break;
            }
            if strength == COMPARE && compared {
                let message = "two comparisons in a row: join them with 'and'";
                self.error(token.span, message.into());
            }
            compared = strength == COMPARE;
            self.bump();
            left = self.infix(left, operator, strength);
        }
        self.depth -= 1;
        left
    }

    /// Returns the operator at the cursor. Assignment signs are treated as the comparisons that
    /// they were meant to be.
    fn operator(&mut self) -> Option<(Infix, u8)> {
        let token = self.token();
        if token.kind == TokenKind::Assign {
            let message = "':=' is only allowed in effects: compare with '='";
            self.error(token.span, message.into());
            return infix(TokenKind::Compare(Comparison::Equal));
        }
        infix(token.kind)
    }

    fn infix(&mut self, left: Deep, operator: Infix, strength: u8) -> Deep {
        let (tighter, what) = match operator {
            Infix::Imply => (strength, "a formula"),
            Infix::And | Infix::Or => (strength + 1, "a formula"),
            Infix::Compare(Comparison::Equal | Comparison::NotEqual) => {
                (strength + 1, "a number or an object")
            }
            Infix::Compare(_) | Infix::Arithmetic(_) => (strength + 1, "a number"),
        };
        let right = self.binding(tighter, what);
        let span = left.expr.span.to(right.expr.span);
        let depth = 1 + left.depth.max(right.depth);
        let pair = |left: Deep, right: Deep| (Box::new(left.expr), Box::new(right.expr));
        let kind = match operator {
            Infix::And => return chain(ExprKind::And, left, right),
            Infix::Or => return chain(ExprKind::Or, left, right),
            Infix::Imply => {
                let (left, right) = pair(left, right);
                ExprKind::Imply(left, right)
            }
            Infix::Compare(comparison) => {
                let (left, right) = pair(left, right);
                ExprKind::Compare(comparison, left, right)
            }
            Infix::Arithmetic(operator) => {
                let (left, right) = pair(left, right);
                ExprKind::Arithmetic(operator, left, right)
            }
        };
        Deep {
            expr: Expr { kind, span },
            depth,
        }
    }

    fn operand(&mut self, what: &str) -> Deep {
        while self.peek() == TokenKind::Unknown {
            let span = self.token().span;
            let message = format!("unexpected '{}'", self.slice(span));
            self.error(span, message);
            self.bump();
        }
        let token = self.token();
        match token.kind {
            TokenKind::Name => {
                let Some(reference) = self.reference(what) else {
                    return self.missing(what);
                };
                Deep {
                    depth: 1 + reference.args.iter().map(depth_of).max().unwrap_or(0),
                    expr: Expr {
                        span: reference.span,
                        kind: ExprKind::Reference(reference),
                    },
                }
            }
            TokenKind::Variable => {
                let name = self.slice(token.span).strip_prefix('?').map(Name::new);
                match name {
                    Some(Ok(name)) => self.leaf(ExprKind::Variable(name)),
                    _ => self.missing(what),
                }
            }
            TokenKind::Number => match self.slice(token.span).parse::<f64>() {
                Ok(number) if number.is_finite() => self.leaf(ExprKind::Number(number)),
                _ => {
                    self.error(token.span, "this number is too large".into());
                    self.leaf(ExprKind::Missing)
                }
            },
            TokenKind::True => self.leaf(ExprKind::Bool(true)),
            TokenKind::False => self.leaf(ExprKind::Bool(false)),
            TokenKind::Not => self.prefix(NOT, "a formula", ExprKind::Not),
            TokenKind::Minus => self.prefix(UNARY, "a number", ExprKind::Negative),
            TokenKind::Forall => self.quantified(Quantifier::Forall),
            TokenKind::Exists => self.quantified(Quantifier::Exists),
            TokenKind::Aggregate(aggregate) => self.aggregate(aggregate),
            TokenKind::Open => {
                self.bump();
                let mut inner = self.binding(0, what);
                self.close(token.span);
                inner.expr.span = token.span.to(self.previous());
                inner
            }
            _ => self.missing(what),
        }
    }

    fn leaf(&mut self, kind: ExprKind) -> Deep {
        let span = self.bump().span;
        Deep {
            expr: Expr { kind, span },
            depth: 1,
        }
    }

    /// Returns a missing part, and reports what was expected.
    fn missing(&mut self, what: &str) -> Deep {
        self.expected(what);
        self.nothing(self.token().span)
    }

    fn nothing(&self, span: Span) -> Deep {
        let at = span.start;
        Deep {
            expr: Expr {
                kind: ExprKind::Missing,
                span: Span { start: at, end: at },
            },
            depth: 1,
        }
    }

    /// Reports that a tree is too deep, and stops parsing.
    fn too_deep(&mut self, span: Span) -> Deep {
        self.error(
            span,
            format!("nested too deeply: {MAX_DEPTH} levels at most"),
        );
        self.stop();
        self.nothing(span)
    }

    fn prefix(&mut self, strength: u8, what: &str, kind: fn(Box<Expr>) -> ExprKind) -> Deep {
        let start = self.bump().span;
        let inner = self.binding(strength, what);
        let span = start.to(inner.expr.span);
        Deep {
            depth: 1 + inner.depth,
            expr: Expr {
                kind: kind(Box::new(inner.expr)),
                span,
            },
        }
    }

    fn quantified(&mut self, quantifier: Quantifier) -> Deep {
        let start = self.bump().span;
        let binders = self.binders("a formula");
        let body = self.binding(0, "a formula");
        let span = start.to(body.expr.span);
        Deep {
            depth: 1 + body.depth,
            expr: Expr {
                kind: ExprKind::Quantified(quantifier, binders, Box::new(body.expr)),
                span,
            },
        }
    }

    fn aggregate(&mut self, aggregate: Aggregate) -> Deep {
        let start = self.bump().span;
        let what = match aggregate {
            Aggregate::Count => "a formula",
            Aggregate::Sum | Aggregate::Min | Aggregate::Max => "a number",
        };
        let binders = self.binders(what);
        let body = self.tight(what);
        let mut of = None;
        if self.peek() == TokenKind::Of {
            if aggregate == Aggregate::Count {
                let message = "'count' takes no 'of': combine its conditions with 'and'";
                self.error(self.token().span, message.into());
            }
            self.bump();
            of = Some(self.tight("a formula"));
        }
        let depth = of.as_ref().map_or(0, |of| of.depth).max(body.depth);
        let of = of.filter(|_| aggregate != Aggregate::Count);
        let of = of.map(|of| Box::new(of.expr));
        let kind = ExprKind::Aggregate(aggregate, binders, Box::new(body.expr), of);
        let span = start.to(self.previous());
        Deep {
            depth: 1 + depth,
            expr: Expr { kind, span },
        }
    }

    /// Parses the body of an aggregate, or its condition: a leading `not` extends no further than
    /// the operand.
    fn tight(&mut self, what: &str) -> Deep {
        let mut nots = vec![];
        while self.peek() == TokenKind::Not {
            nots.push(self.bump().span);
            if nots.len() >= MAX_DEPTH {
                return self.too_deep(self.previous());
            }
        }
        let what = if nots.is_empty() { what } else { "a formula" };
        let inner = self.binding(UNARY, what);
        if inner.depth + nots.len() > MAX_DEPTH {
            return self.too_deep(inner.expr.span);
        }
        nots.into_iter().rev().fold(inner, |inner, not| Deep {
            depth: 1 + inner.depth,
            expr: Expr {
                span: not.to(inner.expr.span),
                kind: ExprKind::Not(Box::new(inner.expr)),
            },
        })
    }

    /// Parses binders such as `?p: place, ?q.` after a quantifier or an aggregate, including the
    /// dot; `what` is expected to follow.
    pub(super) fn binders(&mut self, what: &str) -> Vec<Binder> {
        let mut binders = vec![];
        loop {
            let token = self.token();
            let text = self.slice(token.span);
            let name = match token.kind {
                TokenKind::Variable => Name::new(text.trim_start_matches('?')).ok(),
                TokenKind::Name => {
                    let message = format!("a variable starts with a question mark: '?{text}'");
                    self.error(token.span, message);
                    Name::new(text).ok()
                }
                _ => None,
            };
            let Some(name) = name else {
                self.expected("a variable such as '?place'");
                break;
            };
            self.bump();
            let (of, type_span) = self.binder_type(token.span);
            binders.extend(of.map(|of| Binder {
                param: Param { name, of },
                name_span: token.span,
                type_span,
            }));
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        if !self.eat(TokenKind::Dot) {
            self.expected(&format!("'.' and then {what}"));
        }
        binders
    }

    /// Parses the type of a variable whose name has this span; `object` if it is omitted.
    fn binder_type(&mut self, name: Span) -> (Option<Name>, Span) {
        let omitted = Span {
            start: name.end,
            end: name.end,
        };
        let object = || Some(Name::root());
        if !self.eat(TokenKind::Colon) {
            return (object(), omitted);
        }
        match self.name() {
            Some((of, span)) => (Some(of), span),
            None => {
                self.expected("a type");
                (object(), omitted)
            }
        }
    }

    /// Parses the arguments of a call, including the parentheses.
    pub(super) fn args(&mut self) -> Vec<Expr> {
        let open = self.bump().span;
        let mut args = vec![];
        if self.eat(TokenKind::Close) {
            return args;
        }
        loop {
            args.push(self.expr("an argument"));
            match self.peek() {
                TokenKind::Comma => {
                    self.bump();
                }
                TokenKind::Close => {
                    self.bump();
                    return args;
                }
                kind if starts_operand(kind) => self.expected("',' or ')'"),
                _ => {
                    self.close(open);
                    return args;
                }
            }
        }
    }

    /// Parses the `)` for a `(` that was passed. If another token is found, it is skipped if the
    /// `)` comes later, and left otherwise.
    fn close(&mut self, open: Span) {
        match self.peek() {
            TokenKind::Close => {
                self.bump();
                return;
            }
            TokenKind::End => self.error(open, "the ')' for this '(' is missing".into()),
            _ => self.expected("')'"),
        }
        let mut nesting = 0usize;
        let rest = self.tokens.get(self.at..).unwrap_or(&[]);
        let close = rest.iter().position(|token| {
            match token.kind {
                TokenKind::Open => nesting += 1,
                TokenKind::Close if nesting == 0 => return true,
                TokenKind::Close => nesting -= 1,
                _ => {}
            }
            false
        });
        if let Some(close) = close {
            self.at += close + 1;
        }
    }
}

/// Returns the depth of a tree, which is at most [`MAX_DEPTH`], so this may recurse.
fn depth_of(expr: &Expr) -> usize {
    let most = |parts: &[Expr]| parts.iter().map(depth_of).max().unwrap_or(0);
    1 + match &expr.kind {
        ExprKind::Bool(_) | ExprKind::Number(_) | ExprKind::Variable(_) | ExprKind::Missing => 0,
        ExprKind::Reference(Reference { args, .. }) => most(args),
        ExprKind::Not(a) | ExprKind::Negative(a) | ExprKind::Quantified(_, _, a) => depth_of(a),
        ExprKind::And(parts) | ExprKind::Or(parts) => most(parts),
        ExprKind::Aggregate(_, _, a, of) => {
            depth_of(a).max(of.as_ref().map_or(0, |of| depth_of(of)))
        }
        ExprKind::Imply(a, b) | ExprKind::Compare(_, a, b) | ExprKind::Arithmetic(_, a, b) => {
            depth_of(a).max(depth_of(b))
        }
    }
}
