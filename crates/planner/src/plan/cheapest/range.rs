//! Ranges of numbers, and what is reckoned with them: what it gives holds for all numbers
//! in the ranges.

use taskloom_domain::lang::ast::{Comparison, Function, Operator};

/// Whole numbers up to this one are added up without rounding.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Numbers that an expression may come to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// The least.
    pub low: f64,
    /// The greatest.
    pub high: f64,
    /// Whether it may have no value instead.
    pub nothing: bool,
}

impl Range {
    /// Any number, or none.
    pub const WHOLE: Self = Self {
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
        nothing: true,
    };

    /// This number alone; no value where it is not a number.
    pub fn of(number: f64) -> Self {
        Self {
            low: number,
            high: number,
            nothing: number.is_nan(),
        }
    }

    /// With this number, too.
    pub fn or(self, number: f64) -> Self {
        Self {
            low: self.low.min(number),
            high: self.high.max(number),
            ..self
        }
    }
}

/// What an operation may come to.
pub fn arithmetic(operator: Operator, left: Range, right: Range) -> Range {
    let ends: [f64; 4] = match operator {
        Operator::Add => [left.low + right.low, left.high + right.high, 0.0, 0.0],
        Operator::Subtract => [left.low - right.high, left.high - right.low, 0.0, 0.0],
        Operator::Multiply => [
            left.low * right.low,
            left.low * right.high,
            left.high * right.low,
            left.high * right.high,
        ],
        Operator::Divide if right.low <= 0.0 && right.high >= 0.0 => return Range::WHOLE,
        Operator::Divide => [
            left.low / right.low,
            left.low / right.high,
            left.high / right.low,
            left.high / right.high,
        ],
    };
    let ends = match operator {
        Operator::Add | Operator::Subtract => &ends[..2],
        Operator::Multiply | Operator::Divide => &ends[..],
    };
    // Infinities may have no product or sum: then nothing is known.
    if ends.iter().any(|end| end.is_nan()) {
        return Range::WHOLE;
    }
    Range {
        low: ends.iter().copied().fold(f64::INFINITY, f64::min),
        high: ends.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        nothing: left.nothing || right.nothing || ends.iter().any(|end| end.is_infinite()),
    }
}

/// `most` numbers of a range added up, or fewer of them where not `all`.
pub fn sum(each: Range, most: f64, all: bool) -> Range {
    let (mut low, mut high) = (each.low * most, each.high * most);
    if !all {
        (low, high) = (low.min(0.0), high.max(0.0));
    }
    let same_and_whole = each.low == each.high && each.low.fract() == 0.0;
    let greatest = each.low.abs().max(each.high.abs()) * most;
    if !same_and_whole || greatest > EXACT {
        // Each addition rounds.
        let error = greatest * most * f64::EPSILON;
        (low, high) = (low - error, high + error);
    }
    if low.is_nan() || high.is_nan() {
        return Range::WHOLE;
    }
    Range {
        low,
        high,
        nothing: each.nothing || low.is_infinite() || high.is_infinite(),
    }
}

/// What a function may come to; `right` counts where it takes two numbers.
pub fn applied(function: Function, left: Range, right: Range) -> Range {
    let one = |low: f64, high: f64, nothing: bool| Range { low, high, nothing };
    if [left.low, left.high, right.low, right.high]
        .iter()
        .any(|end| end.is_nan())
    {
        return Range::WHOLE;
    }
    let nothing = left.nothing || function.arity() > 1 && right.nothing;
    match function {
        Function::Min => one(left.low.min(right.low), left.high.min(right.high), nothing),
        Function::Max => one(left.low.max(right.low), left.high.max(right.high), nothing),
        Function::Abs => {
            let (low, high) = (left.low.abs(), left.high.abs());
            let crosses = left.low <= 0.0 && left.high >= 0.0;
            one(
                if crosses { 0.0 } else { low.min(high) },
                low.max(high),
                nothing,
            )
        }
        Function::Sqrt if left.high < 0.0 => Range::of(f64::NAN),
        Function::Sqrt => {
            let (low, high) = (left.low.max(0.0).sqrt(), left.high.sqrt());
            one(low, high, nothing || left.low < 0.0)
        }
        Function::Floor => one(left.low.floor(), left.high.floor(), nothing),
        Function::Ceil => one(left.low.ceil(), left.high.ceil(), nothing),
    }
}

/// What a comparison comes to; `None` where that depends.
pub fn compare(comparison: Comparison, left: Range, right: Range) -> Option<bool> {
    // Without a value only `!=` holds.
    let (may_be_less, may_be_greater) = (left.low < right.high, left.high > right.low);
    let may_be_equal = left.low <= right.high && right.low <= left.high;
    let nothing = left.nothing || right.nothing;
    let (may, may_not) = match comparison {
        Comparison::Equal => (may_be_equal, may_be_less || may_be_greater || nothing),
        Comparison::NotEqual => (may_be_less || may_be_greater || nothing, may_be_equal),
        Comparison::Less => (may_be_less, may_be_equal || may_be_greater || nothing),
        Comparison::LessOrEqual => (may_be_less || may_be_equal, may_be_greater || nothing),
        Comparison::Greater => (may_be_greater, may_be_equal || may_be_less || nothing),
        Comparison::GreaterOrEqual => (may_be_greater || may_be_equal, may_be_less || nothing),
    };
    match (may, may_not) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NUMBERS: [f64; 8] = [-3.0, -1.5, -0.1, 0.0, 0.1, 0.7, 2.0, 3.5];

    fn ranges() -> impl Iterator<Item = Range> {
        let ends = |low: usize| NUMBERS[low..].iter().map(move |high| (NUMBERS[low], *high));
        (0..NUMBERS.len()).flat_map(ends).map(|(low, high)| Range {
            low,
            high,
            nothing: false,
        })
    }

    fn within(range: Range) -> impl Iterator<Item = f64> {
        let inside = move |number: &f64| range.low <= *number && *number <= range.high;
        NUMBERS.into_iter().filter(inside)
    }

    #[track_caller]
    fn is_in(value: Option<f64>, range: Range) {
        match value {
            Some(value) => assert!(
                range.low <= value && value <= range.high,
                "{value} {range:?}"
            ),
            None => assert!(range.nothing, "{range:?}"),
        }
    }

    #[test]
    fn what_a_function_gives_of_numbers_is_in_the_range_of_their_ranges() {
        for left in ranges() {
            for right in ranges() {
                for function in Function::ALL {
                    let range = applied(function, left, right);
                    for a in within(left) {
                        for b in within(right) {
                            let numbers = &[a, b][..function.arity()];
                            is_in(function.apply(numbers), range);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn what_numbers_add_up_to_is_in_the_range_of_their_sum() {
        for each in ranges() {
            for most in 1..20u32 {
                for number in within(each) {
                    let all = (0..most).fold(0.0, |sum, _| sum + number);
                    is_in(Some(all), sum(each, f64::from(most), true));
                    is_in(Some(all), sum(each, f64::from(most), false));
                    let fewer = all - number;
                    is_in(Some(fewer), sum(each, f64::from(most), false));
                }
            }
        }
    }
}
