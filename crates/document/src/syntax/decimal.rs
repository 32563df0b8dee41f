//! The rounding of results, so that decimals are decimals (semantics, section 1): ten times 0.1 is
//! exactly 1. Numbers are binary floating-point numbers, of which 0.1 is only the nearest one.
//!
//! A result that differs by less than the error of an operation from a number with few decimal
//! places is that number. So each such number has one representation, and can be compared and
//! hashed. Other results, such as 1 / 3, stay as they are. The rounding is monotonic.

/// The numbers below this are whole if they have no fraction; all greater ones are.
const WHOLE: f64 = 9_007_199_254_740_992.0;

/// The numbers below this may have more than [`PLACES`] decimal places.
const LARGE: f64 = 1e6;

/// Ten to the power of the decimal places that are exact.
const PLACES: f64 = 1e6;

/// A result that is at most this far from a number with few decimal places is that number.
const NEAR: f64 = 1e-9;

/// Returns the number that is the result of an operation whose floating-point result is this.
#[inline]
pub fn rounded(result: f64) -> f64 {
    let size = result.abs();
    let whole = result as i64 as f64;
    if whole == result && size < WHOLE {
        // Drops the sign of a zero.
        whole
    } else if size < WHOLE {
        round_fraction(result)
    } else {
        result
    }
}

fn round_fraction(result: f64) -> f64 {
    let size = result.abs();
    let places = match size {
        _ if size < 1e9 => PLACES,
        _ if size < 1e12 => 1e3,
        _ => 1.0,
    };
    let scaled = (size * places + 0.5) as i64 as f64;
    let nearest = (scaled / places).copysign(result);
    if size >= LARGE || scaled != 0.0 && (result - nearest).abs() <= NEAR {
        nearest
    } else {
        result
    }
}

/// Returns `true` if a number is below a million and has at most six decimal places: sums of such
/// numbers don't depend on their order.
pub fn is_short(number: f64) -> bool {
    let scaled = number * PLACES;
    number.abs() < LARGE && scaled.round() / PLACES == number
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(count: u32, number: f64) -> f64 {
        (0..count).fold(0.0, |sum, _| rounded(sum + number))
    }

    #[test]
    fn sums_of_decimals_are_decimals() {
        assert_eq!([times(3, 0.1), times(10, 0.1)], [0.3, 1.0]);
        assert_eq!(times(1_000_000, 0.000_001), 1.0);
        assert_eq!(rounded(times(7, 0.7) - 4.9), 0.0);
        assert_eq!(rounded(100_000.1 - 100_000.0), 0.1);
        assert_eq!(rounded(999_999.9 - 999_999.8), 0.1);
        assert_eq!(times(1_000, 1234.567), 1_234_567.0);
        assert_eq!(
            rounded(rounded(123_456_789.123_456 + 0.1) - 0.1),
            123_456_789.123_456
        );
    }

    #[test]
    fn products_and_quotients_of_decimals_are_decimals() {
        assert_eq!([rounded(3.0 * 0.1), rounded(1.1 * 1.1)], [0.3, 1.21]);
        assert_eq!([rounded(0.9 / 0.3), rounded(0.6 / 0.2)], [3.0, 3.0]);
    }

    #[test]
    fn other_numbers_stay_as_they_are() {
        let third = 1.0 / 3.0;
        assert_eq!([rounded(third), times(3, third)], [third, 1.0]);
        for number in [1e-12, -4e-7, 1.0 / 1024.0, 2e300, f64::INFINITY, 1e15 + 1.0] {
            assert_eq!([rounded(number), rounded(-number)], [number, -number]);
        }
        assert!(rounded(f64::NAN).is_nan());
        assert!(rounded(-0.0).is_sign_positive());
    }

    #[test]
    fn rounding_is_monotonic_idempotent_and_odd() {
        let bases = [
            0.0,
            0.3,
            1.0,
            7.000_001,
            999_999.999_999,
            1e6,
            1e9,
            1e12,
            9e15,
            1e16,
        ];
        for base in bases {
            let steps = [
                -1e-3, -6e-7, -5e-7, -1.1e-9, -1e-9, -1e-12, 0.0, 1e-12, 1e-9, 2e-9, 5e-7,
            ];
            let mut numbers: Vec<f64> = steps.iter().map(|step| base + step).collect();
            for _ in 0..4 {
                let next: Vec<f64> = numbers.iter().map(|number| number.next_up()).collect();
                numbers.extend(next);
            }
            numbers.sort_by(f64::total_cmp);
            let results = numbers.iter().map(|number| rounded(*number));
            assert!(results.clone().is_sorted(), "around {base}");
            assert!(results.clone().all(|result| rounded(result) == result));
            assert!(
                numbers
                    .iter()
                    .all(|number| rounded(-number) == -rounded(*number))
            );
        }
    }

    #[test]
    fn short_numbers_have_six_decimal_places() {
        assert!(
            [0.0, 0.1, -0.000_001, 999_999.123_456]
                .into_iter()
                .all(is_short)
        );
        assert!(
            ![1.0 / 3.0, 1e-7, 1e6, f64::NAN, f64::INFINITY]
                .into_iter()
                .any(is_short)
        );
    }
}
