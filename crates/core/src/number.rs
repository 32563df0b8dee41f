//! Numbers in texts.

/// Reads a decimal number: `3`, `-0.5`, `+.5`, `7.`, `1e3`. `None` for anything
/// else, and for what is too large.
///
/// It leaves the work to the reader of JSON, which is as exact: the standard
/// library's brings tables of ten kilobytes that do not compress.
pub fn read(text: &str) -> Option<f64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let end = digits.find(['e', 'E']).unwrap_or(digits.len());
    let (mantissa, exponent) = digits.split_at(end);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_empty = whole.is_empty() && fraction.is_empty();
    if is_empty
        || !are_digits(whole)
        || !are_digits(fraction)
        || exponent.ends_with(char::is_whitespace)
    {
        return None;
    }
    // JSON has no zeros before a number, and digits on both sides of a point.
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        whole => whole,
    };
    serde_json::from_str(&format!("{sign}{whole}.{fraction}0{exponent}")).ok()
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
        fn what_is_printed_is_read_again(bits in any::<u64>()) {
            let number = f64::from_bits(bits);
            prop_assume!(number.is_finite());
            prop_assert_eq!(read(&number.to_string()), Some(number));
            prop_assert_eq!(read(&format!("{number:e}")), Some(number));
        }
    }
}
