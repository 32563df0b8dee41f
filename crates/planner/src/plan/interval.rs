//! Interval arithmetic over numbers that may be undefined: an operation on intervals contains the
//! result of the operation on any of their numbers.

use taskloom_domain::lang::ast::{Aggregate, Comparison, Function, Operator};
use taskloom_domain::lang::decimal::rounded;

/// The largest integer up to which all integers are added without rounding.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The greatest difference that the rounding of a sum makes, relative to the sum, or to 1000 if that
/// is greater.
const ROUNDING: f64 = 1e-12;

/// All numbers between two bounds; empty where the lower one is greater.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
    /// If `true`, the number may be undefined instead.
    pub may_be_undefined: bool,
}

impl Interval {
    /// The interval without numbers: the result is undefined.
    pub const UNDEFINED: Self = Self {
        low: f64::INFINITY,
        high: f64::NEG_INFINITY,
        may_be_undefined: true,
    };

    /// The interval of all numbers, which may also be undefined.
    pub const ANY: Self = Self {
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
        may_be_undefined: true,
    };

    /// Creates an interval of one number; undefined for NaN.
    pub fn of(number: f64) -> Self {
        if number.is_nan() {
            Self::UNDEFINED
        } else {
            Self::new(number, number)
        }
    }

    /// Creates the interval of the numbers between two bounds.
    pub fn new(low: f64, high: f64) -> Self {
        Self {
            low,
            high,
            may_be_undefined: false,
        }
    }

    /// Returns `true` if it contains no number.
    pub fn is_empty(self) -> bool {
        self.low > self.high
    }

    /// Returns the smallest interval that contains both.
    pub fn or(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            may_be_undefined: self.may_be_undefined || other.may_be_undefined,
        }
    }

    /// Returns the negations of its numbers.
    pub fn negated(self) -> Self {
        Self {
            low: -self.high,
            high: -self.low,
            ..self
        }
    }

    /// Returns the results of an arithmetic operation. The result of an overflow is undefined.
    pub fn calculate(operator: Operator, a: Self, b: Self) -> Self {
        if a.is_empty() || b.is_empty() {
            return Self::UNDEFINED;
        }
        let operation: fn(f64, f64) -> f64 = match operator {
            Operator::Add => |a, b| rounded(a + b),
            Operator::Subtract => |a, b| rounded(a - b),
            // Infinite bounds stand for numbers that are finite.
            Operator::Multiply => |a, b| match a == 0.0 || b == 0.0 {
                true => 0.0,
                false => rounded(a * b),
            },
            Operator::Divide if b.low <= 0.0 && b.high >= 0.0 => return Self::ANY,
            Operator::Divide => |a, b| rounded(a / b),
        };
        let ends = [
            operation(a.low, b.low),
            operation(a.low, b.high),
            operation(a.high, b.low),
            operation(a.high, b.high),
        ];
        if ends.iter().any(|end| end.is_nan()) {
            return Self::ANY;
        }
        let overflows = ends.iter().any(|end| end.is_infinite());
        Self {
            low: ends.iter().copied().fold(f64::INFINITY, f64::min),
            high: ends.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            may_be_undefined: a.may_be_undefined || b.may_be_undefined || overflows,
        }
    }

    /// Returns the results of a function. `b` is ignored if the function has one argument.
    pub fn call(function: Function, a: Self, b: Self) -> Self {
        let is_binary = function.arity() > 1;
        if a.is_empty() || is_binary && b.is_empty() {
            return Self::UNDEFINED;
        }
        let (low, high) = match function {
            Function::Min => (a.low.min(b.low), a.high.min(b.high)),
            Function::Max => (a.low.max(b.low), a.high.max(b.high)),
            Function::Floor => (a.low.floor(), a.high.floor()),
            Function::Ceil => (a.low.ceil(), a.high.ceil()),
            Function::Abs if a.low >= 0.0 => (a.low, a.high),
            Function::Abs if a.high <= 0.0 => (-a.high, -a.low),
            Function::Abs => (0.0, a.high.max(-a.low)),
            Function::Sqrt if a.high < 0.0 => return Self::UNDEFINED,
            Function::Sqrt => (rounded(a.low.max(0.0).sqrt()), rounded(a.high.sqrt())),
        };
        let is_partial = function == Function::Sqrt && a.low < 0.0;
        let of_arguments = a.may_be_undefined || is_binary && b.may_be_undefined;
        Self {
            low,
            high,
            may_be_undefined: of_arguments || is_partial,
        }
    }

    /// Returns the results of an aggregate of these numbers in this order, each with `true` if it
    /// is always a part, and `false` if it may be.
    pub fn aggregate(aggregate: Aggregate, parts: impl Iterator<Item = (bool, Self)>) -> Self {
        let is_sum = matches!(aggregate, Aggregate::Count | Aggregate::Sum);
        let mut all: Option<Self> = None;
        let mut is_never_empty = false;
        for (is_always, part) in parts {
            is_never_empty |= is_always;
            let part = if is_sum && !is_always {
                part.or(Self::of(0.0))
            } else {
                part
            };
            all = Some(match all {
                None => part,
                Some(all) if is_sum => Self::calculate(Operator::Add, all, part),
                Some(all) => all.or(part),
            });
        }
        match all {
            None if is_sum => Self::of(0.0),
            None => Self::UNDEFINED,
            Some(all) if is_sum => all,
            Some(all) => Self {
                may_be_undefined: all.may_be_undefined || !is_never_empty,
                ..all
            },
        }
    }

    /// Returns the sum of `count` numbers of an interval in any order, or of up to `count` if not
    /// `all`.
    pub fn sum(each: Self, count: f64, all: bool) -> Self {
        let nothing = Self::of(0.0);
        if count == 0.0 {
            return nothing;
        }
        if each.is_empty() {
            return if all {
                each
            } else {
                Self {
                    may_be_undefined: true,
                    ..nothing
                }
            };
        }
        let (mut low, mut high) = (each.low * count, each.high * count);
        if !all {
            (low, high) = (low.min(0.0), high.max(0.0));
        }
        let is_one_integer = each.low == each.high && each.low.fract() == 0.0;
        let greatest = each.low.abs().max(each.high.abs()) * count;
        if !is_one_integer || greatest > EXACT {
            // Each addition rounds.
            let error = (greatest + 1e3) * count * ROUNDING;
            (low, high) = (low - error, high + error);
        }
        if low.is_nan() || high.is_nan() {
            return Self::ANY;
        }
        Self {
            low,
            high,
            may_be_undefined: each.may_be_undefined || low.is_infinite() || high.is_infinite(),
        }
    }

    /// Returns `true` if a comparison of two of their numbers may evaluate to `result`.
    pub fn may_compare(comparison: Comparison, a: Self, b: Self, result: bool) -> bool {
        // A comparison with an undefined number is false, except for `!=`.
        let is_defined = !a.may_be_undefined && !b.may_be_undefined;
        if !is_defined && (comparison == Comparison::NotEqual) == result {
            return true;
        }
        if a.is_empty() || b.is_empty() {
            return false;
        }
        match (comparison, result) {
            (Comparison::Equal, true) | (Comparison::NotEqual, false) => {
                a.low <= b.high && b.low <= a.high
            }
            (Comparison::Equal, false) | (Comparison::NotEqual, true) => {
                !(a.low == a.high && b.low == b.high && a.low == b.low)
            }
            (Comparison::Less, true) | (Comparison::GreaterOrEqual, false) => a.low < b.high,
            (Comparison::LessOrEqual, true) | (Comparison::Greater, false) => a.low <= b.high,
            (Comparison::Greater, true) | (Comparison::LessOrEqual, false) => a.high > b.low,
            (Comparison::GreaterOrEqual, true) | (Comparison::Less, false) => a.high >= b.low,
        }
    }

    /// Returns the result of a comparison; `None` if it depends on the numbers.
    pub fn compare(comparison: Comparison, a: Self, b: Self) -> Option<bool> {
        let may = |result| Self::may_compare(comparison, a, b, result);
        match (may(true), may(false)) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NUMBERS: [f64; 12] = [
        -1e308,
        -1e200,
        -3.0,
        -1.5,
        -0.1,
        0.0,
        0.1,
        0.7,
        2.0,
        3_000_000.3,
        1e200,
        1e308,
    ];

    fn intervals() -> impl Iterator<Item = Interval> {
        let ends = |low: usize| NUMBERS[low..].iter().map(move |high| (NUMBERS[low], *high));
        let intervals = (0..NUMBERS.len()).flat_map(ends);
        let intervals = intervals.map(|(low, high)| Interval::new(low, high));
        intervals.chain([Interval::UNDEFINED, Interval::ANY])
    }

    fn numbers(interval: Interval) -> impl Iterator<Item = f64> {
        let is_in = move |number: &f64| interval.low <= *number && *number <= interval.high;
        let undefined = interval.may_be_undefined.then_some(f64::NAN);
        NUMBERS.into_iter().filter(is_in).chain(undefined)
    }

    #[track_caller]
    fn contains(interval: Interval, value: Option<f64>) {
        match value.filter(|value| !value.is_nan()) {
            Some(value) => assert!(
                interval.low <= value && value <= interval.high,
                "{value} is not in {interval:?}"
            ),
            None => assert!(interval.may_be_undefined, "{interval:?}"),
        }
    }

    fn pairs() -> impl Iterator<Item = (Interval, Interval)> {
        intervals().flat_map(|a| intervals().map(move |b| (a, b)))
    }

    #[test]
    fn operations_on_intervals_contain_the_results_for_their_numbers() {
        let operators = [
            Operator::Add,
            Operator::Subtract,
            Operator::Multiply,
            Operator::Divide,
        ];
        for (a, b) in pairs() {
            for (x, y) in numbers(a).flat_map(|x| numbers(b).map(move |y| (x, y))) {
                let is_defined = !x.is_nan() && !y.is_nan();
                for operator in operators {
                    let result = operator.apply(x, y).filter(|_| is_defined);
                    contains(Interval::calculate(operator, a, b), result);
                }
                for function in Function::ALL {
                    let arguments = &[x, y][..function.arity()];
                    let is_defined = arguments.iter().all(|argument| !argument.is_nan());
                    let result = function.apply(arguments).filter(|_| is_defined);
                    contains(Interval::call(function, a, b), result);
                }
            }
        }
    }

    type Compare = fn(f64, f64) -> bool;

    #[test]
    fn a_comparison_of_intervals_holds_for_all_their_numbers() {
        let comparisons: [(Comparison, Compare); 6] = [
            (Comparison::Equal, |a, b| a == b),
            (Comparison::NotEqual, |a, b| a != b),
            (Comparison::Less, |a, b| a < b),
            (Comparison::LessOrEqual, |a, b| a <= b),
            (Comparison::Greater, |a, b| a > b),
            (Comparison::GreaterOrEqual, |a, b| a >= b),
        ];
        for (a, b) in pairs() {
            for (comparison, holds) in comparisons {
                for (x, y) in numbers(a).flat_map(|x| numbers(b).map(move |y| (x, y))) {
                    let result = holds(x, y);
                    assert!(Interval::may_compare(comparison, a, b, result));
                    let compared = Interval::compare(comparison, a, b);
                    assert!(compared.is_none_or(|compared| compared == result));
                }
            }
        }
    }

    #[test]
    fn interval_sums_contain_sums_of_their_numbers() {
        for each in intervals() {
            for count in 1..20u32 {
                for number in numbers(each) {
                    let sum = |count: u32| {
                        let sum = (0..count).fold(0.0, |sum, _| rounded(sum + number));
                        Some(sum).filter(|sum: &f64| sum.is_finite())
                    };
                    let count_of_all = f64::from(count);
                    contains(Interval::sum(each, count_of_all, true), sum(count));
                    contains(Interval::sum(each, count_of_all, false), sum(count));
                    contains(Interval::sum(each, count_of_all, false), sum(count - 1));
                }
            }
        }
    }
}
