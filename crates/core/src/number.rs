//! Numbers in texts.

use std::{cmp::Ordering, fmt};

/// Digits that are looked at. Further ones only tell whether something follows.
const MOST_DIGITS: usize = 800;

/// Reads a decimal number: `3`, `-0.5`, `+.5`, `7.`, `1e3`, as the nearest float.
/// `None` for anything else, and for what is too large.
///
/// As exact as the standard library's `str::parse`, which is much faster and
/// brings ten kilobytes of tables that do not compress.
pub fn read(text: &str) -> Option<f64> {
    let (is_negative, unsigned) = match text.strip_prefix('-') {
        Some(unsigned) => (true, unsigned),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let end = unsigned.find(['e', 'E']).unwrap_or(unsigned.len());
    let (mantissa, exponent) = unsigned.split_at(end);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_empty = whole.is_empty() && fraction.is_empty();
    let mut digits = whole.bytes().chain(fraction.bytes());
    if is_empty || !digits.all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let exponent = match exponent.get(1..) {
        None => 0,
        Some(exponent) => power(exponent)?,
    };
    let digits = whole.bytes().chain(fraction.bytes());
    let mut digits: Vec<u8> = digits.skip_while(|digit| *digit == b'0').collect();
    let mut exponent = exponent.saturating_sub(fraction.len() as i64);
    if digits.len() > MOST_DIGITS {
        exponent = exponent.saturating_add((digits.len() - MOST_DIGITS) as i64);
        let rest = digits.split_off(MOST_DIGITS);
        // Just past a number whose further digits are 0, perhaps the middle of two floats.
        if rest.iter().any(|digit| *digit != b'0')
            && let Some(last @ b'0') = digits.last_mut()
        {
            *last = b'1';
        }
    }
    let number = nearest(&digits, exponent)?;
    Some(if is_negative { -number } else { number })
}

/// What stands behind the `e`; so much that everything is 0 or too large, where it is more.
fn power(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let most = 1_000_000_000_000;
    let power = digits.parse::<i64>().map_or(most, |power| power.min(most));
    Some(if text.starts_with('-') { -power } else { power })
}

/// The float that is nearest to the digits times a power of ten, the even one of
/// two: by a division that is long as at school.
fn nearest(digits: &[u8], exponent: i64) -> Option<f64> {
    let order = exponent.saturating_add(digits.len() as i64);
    if digits.is_empty() || order < -330 {
        return Some(0.0);
    }
    if order > 310 {
        return None;
    }
    if digits.len() <= 15 && exponent.abs() <= 22 {
        // Both are exact as floats, and one operation rounds right.
        let digits = digits.iter().map(|digit| f64::from(digit - b'0'));
        let number = digits.fold(0.0, |number, digit| number * 10.0 + digit);
        let power = (0..exponent.abs()).fold(1.0, |power, _| power * 10.0);
        return Some(if exponent < 0 {
            number / power
        } else {
            number * power
        });
    }
    let (mut above, mut below) = (Natural::default(), Natural(vec![1]));
    for digit in digits {
        above.multiply_and_add(10, u32::from(digit - b'0'));
    }
    let scaled = if exponent < 0 { &mut below } else { &mut above };
    for _ in 0..exponent.unsigned_abs() {
        scaled.multiply_and_add(10, 0);
    }
    // Between a quarter and one: 64 binary digits of the quotient, times 2^(-64 - shift).
    let shift = below.bits() - 1 - above.bits();
    above.shift_left(shift.max(0));
    below.shift_left((-shift).max(0));
    let mut quotient = 0_u64;
    for _ in 0..64 {
        above.shift_left(1);
        quotient <<= 1;
        if above.compare(&below) != Ordering::Less {
            above.subtract(&below);
            quotient |= 1;
        }
    }
    let is_inexact = above.bits() > 0;
    // A float has 53 binary digits, and none below 2^-1074.
    let lowest = -64 - shift;
    let dropped = (11 - i64::from(quotient.leading_zeros())).max(-1074 - lowest);
    if dropped > 64 {
        return Some(0.0);
    }
    let (quotient, half) = (u128::from(quotient), 1_u128 << (dropped - 1));
    let (mut kept, rest) = (quotient >> dropped, quotient & (2 * half - 1));
    if rest > half || rest == half && (is_inexact || kept % 2 == 1) {
        kept += 1;
    }
    // The highest of the 53 digits counts as one of the exponent; a smaller number has it not.
    let exponent = lowest + dropped + 1074;
    if exponent > 2045 {
        return None;
    }
    let number = f64::from_bits(((exponent as u64) << 52) + kept as u64);
    number.is_finite().then_some(number)
}

/// A float in texts, with as few digits as tell it from all others: `{}` writes no
/// exponent, `{:e}` always one, and `{:?}` one where it is short, otherwise a point.
/// As the standard library writes it, without its two algorithms and their tables.
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
    let (mut rest, mut one) = (Natural::from(mantissa), Natural(vec![1]));
    let (mut up, mut down) = (Natural(vec![1]), Natural(vec![1]));
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

/// A natural number, the lowest 32 binary digits first.
#[derive(Default)]
struct Natural(Vec<u32>);

impl From<u64> for Natural {
    fn from(number: u64) -> Self {
        Self(vec![number as u32, (number >> 32) as u32])
    }
}

impl Natural {
    fn plus(&self, other: &Self) -> Self {
        let mut sum = vec![];
        let mut carry = 0;
        for at in 0..self.0.len().max(other.0.len()) {
            let part = |number: &Self| u64::from(number.0.get(at).copied().unwrap_or(0));
            let added = part(self) + part(other) + carry;
            sum.push(added as u32);
            carry = added >> 32;
        }
        sum.push(carry as u32);
        Self(sum)
    }

    fn multiply_and_add(&mut self, factor: u32, mut carry: u32) {
        for part in &mut self.0 {
            let product = u64::from(*part) * u64::from(factor) + u64::from(carry);
            *part = product as u32;
            carry = (product >> 32) as u32;
        }
        if carry > 0 {
            self.0.push(carry);
        }
    }

    /// How many binary digits it has.
    fn bits(&self) -> i64 {
        let highest = self.0.iter().rposition(|part| *part > 0);
        highest.map_or(0, |at| {
            32 * (at as i64 + 1) - i64::from(self.0[at].leading_zeros())
        })
    }

    fn shift_left(&mut self, by: i64) {
        let whole = (by / 32) as usize;
        self.0.splice(0..0, std::iter::repeat_n(0, whole));
        self.multiply_and_add(1 << (by % 32), 0);
    }

    fn compare(&self, other: &Self) -> Ordering {
        let part = |number: &Self, at: usize| number.0.get(at).copied().unwrap_or(0);
        let longest = self.0.len().max(other.0.len());
        let differs = (0..longest)
            .rev()
            .find(|at| part(self, *at) != part(other, *at));
        differs.map_or(Ordering::Equal, |at| part(self, at).cmp(&part(other, at)))
    }

    /// Takes away what is not greater.
    fn subtract(&mut self, other: &Self) {
        let mut borrow = false;
        for (at, part) in self.0.iter_mut().enumerate() {
            let less = other.0.get(at).copied().unwrap_or(0);
            let (difference, first) = part.overflowing_sub(less);
            let (difference, second) = difference.overflowing_sub(u32::from(borrow));
            *part = difference;
            borrow = first || second;
        }
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn as_the_standard_library_does(text: &str) -> Option<f64> {
        let is_number = text.bytes().all(|byte| b"0123456789.eE+-".contains(&byte));
        let value: Option<f64> = text.parse().ok().filter(|_| is_number);
        value.filter(|value| value.is_finite())
    }

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
            let step = 0.1_f64.powi(decimals as i32);
            prop_assert!((read - number).abs() <= step / 2.0 * 1.000_001);
            let digits = rounded(number, decimals);
            let behind = digits.split_once('.').map_or(0, |(_, behind)| behind.len());
            prop_assert_eq!(behind, decimals as usize);
        }
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

    #[test]
    fn numbers_are_read_in_every_spelling() {
        for text in [
            "0",
            "-0",
            "00",
            "007",
            "3",
            "-3",
            "+3",
            "3.",
            ".5",
            "-.5",
            "0.1",
            "1e3",
            "1.E-3",
            "2e+7",
            "9007199254740993",
            "9007199254740995",
            "1.7976931348623157e308",
            "1.7976931348623158e308",
            "1.7976931348623159e308",
            "9.99e309",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "1e-400",
            "0e99999999999999999999",
            "1e99999999999999999999",
            "1e-99999999999999999999",
            "1e308",
            "1e309",
            "4.9e-324",
            "2.2250738585072011e-308",
            "",
            ".",
            "-",
            "+-3",
            "e5",
            "1e",
            "1 ",
            " 1",
            "1,5",
            "1.2.3",
            "0x1",
            "inf",
            "NaN",
            "-.",
            "--1",
            "1e5.0",
        ] {
            assert_eq!(read(text), as_the_standard_library_does(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_as_the_standard_library_does(text in "[-+]?[0-9.]{0,25}([eE][-+]?[0-9]{0,3})?") {
            prop_assert_eq!(read(&text), as_the_standard_library_does(&text));
        }

        #[test]
        fn long_numbers_are_read_to_the_last_digit(text in "(9007199254740993|[0-9]{1,30})(0{770,800}|[0-9]{1,900})?[0-9]?(\\.0{0,900}[0-9]{0,20})?(e-?[0-9]{1,3})?") {
            prop_assert_eq!(read(&text), as_the_standard_library_does(&text));
        }

        #[test]
        fn what_is_printed_is_read_again(bits in any::<u64>()) {
            let number = f64::from_bits(bits);
            prop_assume!(number.is_finite());
            prop_assert_eq!(read(&number.to_string()), Some(number));
            prop_assert_eq!(read(&format!("{number:e}")), Some(number));
        }
    }
}
