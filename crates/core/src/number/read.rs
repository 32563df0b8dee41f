//! From texts: by a division that is long as at school.

use std::cmp::Ordering;

use super::natural::Natural;

/// Digits that are looked at. Further ones only tell whether something follows.
const MOST_DIGITS: usize = 800;

/// Reads a decimal number: `3`, `-0.5`, `+.5`, `7.`, `1e3`, as the nearest float.
/// `None` for anything else, and for what is too large.
///
/// As exact as the standard library's `str::parse`.
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
    let (mut above, mut below) = (Natural::default(), Natural::from(1));
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

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn as_the_standard_library_does(text: &str) -> Option<f64> {
        let is_number = text.bytes().all(|byte| b"0123456789.eE+-".contains(&byte));
        let value: Option<f64> = text.parse().ok().filter(|_| is_number);
        value.filter(|value| value.is_finite())
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
