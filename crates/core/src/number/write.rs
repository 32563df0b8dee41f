//! To texts: the fewest digits that are read as the same number, or a given number of them.

use std::{cmp::Ordering, fmt};

use super::natural::Natural;

/// A float in texts, with as few digits as tell it from all others: `{}` writes no
/// exponent, `{:e}` always one, and `{:?}` one where it is short, otherwise a point.
/// As the standard library writes it.
#[derive(Clone, Copy, PartialEq)]
pub struct Decimal(pub f64);

impl Decimal {
    /// Writes the sign, and the number if it is none of digits.
    fn begin(self, f: &mut fmt::Formatter<'_>) -> Result<Option<(String, i64)>, fmt::Error> {
        let number = self.0;
        if number.is_nan() {
            return f.write_str("NaN").map(|()| None);
        }
        if number.is_sign_negative() {
            f.write_str("-")?;
        }
        if number.is_infinite() {
            return f.write_str("inf").map(|()| None);
        }
        let (digits, point) = shortest(number.abs());
        Ok(Some((digits.into_iter().map(char::from).collect(), point)))
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.begin(f)? {
            None => Ok(()),
            Some((digits, point)) => write_digits(f, &digits, point),
        }
    }
}

impl fmt::LowerExp for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.begin(f)? {
            None => Ok(()),
            Some((digits, point)) => {
                write_digits(f, &digits, 1)?;
                let is_zero = digits == "0";
                write!(f, "e{}", if is_zero { 0 } else { point - 1 })
            }
        }
    }
}

impl fmt::Debug for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        if size.is_finite() && size != 0.0 && !(1e-4..1e16).contains(&size) {
            return write!(f, "{self:e}");
        }
        let point = if self.0.fract() == 0.0 { ".0" } else { "" };
        write!(f, "{self}{point}")
    }
}

/// A float rounded to `decimals` digits behind the point. Exact up to a hundred million millions.
pub fn rounded(number: f64, decimals: u32) -> String {
    let scale = 10_i64.pow(decimals);
    let scaled = (number * scale as f64).round_ties_even() as i64;
    let sign = if number < 0.0 { "-" } else { "" };
    let (whole, rest) = (scaled.abs() / scale, scaled.abs() % scale);
    match decimals as usize {
        0 => format!("{sign}{whole}"),
        width => format!("{sign}{whole}.{rest:0width$}"),
    }
}

/// Writes digits whose point stands behind the first `point` of them.
fn write_digits(f: &mut fmt::Formatter<'_>, digits: &str, point: i64) -> fmt::Result {
    if point <= 0 {
        f.write_str("0.")?;
        (point..0).try_for_each(|_| f.write_str("0"))?;
        return f.write_str(digits);
    }
    let (whole, rest) = digits.split_at(digits.len().min(point as usize));
    f.write_str(whole)?;
    (whole.len() as i64..point).try_for_each(|_| f.write_str("0"))?;
    match rest {
        "" => Ok(()),
        rest => write!(f, ".{rest}"),
    }
}

/// The fewest digits that are read as this positive number, and where their point
/// stands. Steele and White, "How to print floating-point numbers accurately"
/// (1990), section 7: exact, with natural numbers of any length.
fn shortest(number: f64) -> (Vec<u8>, i64) {
    if number == 0.0 {
        return (vec![b'0'], 1);
    }
    let bits = number.to_bits();
    let (power, fraction) = ((bits >> 52) as i64, bits & ((1 << 52) - 1));
    // number = mantissa * 2^exponent
    let (mantissa, exponent) = match power {
        0 => (fraction, -1074),
        power => (fraction | 1 << 52, power - 1075),
    };
    // The number is rest / one; half the way to the next number above is up / one, to that below down / one.
    let is_narrow_below = fraction == 0 && power > 1;
    let (mut rest, mut one) = (Natural::from(mantissa), Natural::from(1));
    let (mut up, mut down) = (Natural::from(1), Natural::from(1));
    rest.shift_left(exponent.max(0) + 1 + i64::from(is_narrow_below));
    one.shift_left((-exponent).max(0) + 1 + i64::from(is_narrow_below));
    up.shift_left(exponent.max(0) + i64::from(is_narrow_below));
    down.shift_left(exponent.max(0));
    // Of a number in the middle of two, the even one is read.
    let limit = if mantissa % 2 == 0 {
        Ordering::Less
    } else {
        Ordering::Equal
    };
    let is_next = |rest: &Natural, up: &Natural, one: &Natural| rest.plus(up).compare(one) > limit;
    let mut point = 0;
    while is_next(&rest, &up, &one) {
        one.multiply_and_add(10, 0);
        point += 1;
    }
    let mut digits = vec![];
    loop {
        rest.multiply_and_add(10, 0);
        up.multiply_and_add(10, 0);
        down.multiply_and_add(10, 0);
        if digits.is_empty() && !is_next(&rest, &up, &one) {
            point -= 1;
            continue;
        }
        let mut digit = b'0';
        while rest.compare(&one) != Ordering::Less {
            rest.subtract(&one);
            digit += 1;
        }
        let is_low = down.compare(&rest) > limit;
        let is_high = is_next(&rest, &up, &one);
        if is_low || is_high {
            let is_past_half = rest.plus(&rest).compare(&one) != Ordering::Less;
            digits.push(digit + u8::from(is_high && (!is_low || is_past_half)));
            return (digits, point);
        }
        digits.push(digit);
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn floats_are_written_as_the_standard_library_does(bits: u64) {
            let number = f64::from_bits(bits);
            prop_assert_eq!(Decimal(number).to_string(), number.to_string());
            prop_assert_eq!(format!("{:?}", Decimal(number)), format!("{number:?}"));
            prop_assert_eq!(format!("{:e}", Decimal(number)), format!("{number:e}"));
        }

        #[test]
        fn short_numbers_are_written_short(whole in -1_000_000_i64..1_000_000, decimals in 0_i32..6) {
            let number = whole as f64 / 10_f64.powi(decimals);
            prop_assert_eq!(Decimal(number).to_string(), number.to_string());
            prop_assert_eq!(format!("{:?}", Decimal(number)), format!("{number:?}"));
            prop_assert_eq!(format!("{:e}", Decimal(number)), format!("{number:e}"));
        }

        #[test]
        fn numbers_are_rounded(number in -1e6..1e6_f64, decimals in 0_u32..6) {
            let read: f64 = rounded(number, decimals).parse().unwrap();
            prop_assert!((read - number).abs() <= furthest(number, decimals));
            let digits = rounded(number, decimals);
            let behind = digits.split_once('.').map_or(0, |(_, behind)| behind.len());
            prop_assert_eq!(behind, decimals as usize);
        }
    }

    /// How far the rounded number may be: half a step, and what floats of that size cannot tell apart.
    fn furthest(number: f64, decimals: u32) -> f64 {
        0.5 / 10_f64.powi(decimals as i32) + number.abs() * f64::EPSILON
    }

    #[test]
    fn a_number_in_the_middle_of_two_steps_is_rounded() {
        let number = -740_001.845_195;
        let read: f64 = rounded(number, 5).parse().unwrap();
        assert!((read - number).abs() <= furthest(number, 5));
        assert_eq!(rounded(2.5, 0), "2");
        assert_eq!(rounded(-0.375, 2), "-0.38");
    }

    #[test]
    fn floats_at_every_limit_are_written() {
        for number in [
            0.0,
            -0.0,
            0.1,
            0.5,
            9.5,
            1.0_f64.exp(),
            1e21,
            1e23,
            5e-324,
            2.225_073_858_507_201_4e-308,
            f64::MAX,
            f64::MIN_POSITIVE,
            f64::INFINITY,
            -f64::INFINITY,
            f64::NAN,
            9_007_199_254_740_993.0,
            4_503_599_627_370_496.0,
        ] {
            assert_eq!(Decimal(number).to_string(), number.to_string());
            assert_eq!(format!("{:?}", Decimal(number)), format!("{number:?}"));
            assert_eq!(format!("{:e}", Decimal(number)), format!("{number:e}"));
        }
    }
}
