//! The values of options.

use std::str::FromStr;

/// Parses a non-negative whole number of `what`.
fn whole<T: FromStr>(text: &str, what: &str) -> Result<T, String> {
    let number = text.parse::<T>();
    number.map_err(|_| format!("'{text}' is not a number of {what}: use a whole number, 0 or more"))
}

/// Parses a number of decisions.
pub fn decisions(text: &str) -> Result<u64, String> {
    whole(text, "decisions")
}

/// Parses a number of levels.
pub fn levels(text: &str) -> Result<u32, String> {
    whole(text, "levels")
}

/// Parses a number of events.
pub fn events(text: &str) -> Result<usize, String> {
    whole(text, "events")
}

/// Parses a tick.
pub fn tick(text: &str) -> Result<u32, String> {
    let number = text.parse::<u32>();
    number.map_err(|_| format!("'{text}' is not a tick: use a whole number, 0 or more"))
}

/// Parses a random seed.
pub fn seed(text: &str) -> Result<u64, String> {
    let number = text.parse::<u64>();
    number.map_err(|_| format!("'{text}' is not a seed: use a whole number, 0 or more"))
}

/// Parses the size of a generated domain.
pub fn size(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(size) if (10..=100_000).contains(&size) => Ok(size),
        _ => Err(format!(
            "'{text}' is not a number of blocks: use a whole number from 10 to 100000"
        )),
    }
}

/// Parses a time limit.
pub fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds >= 0.0 => Ok(seconds),
        _ => Err(format!(
            "'{text}' is not a number of seconds: use 0 or more"
        )),
    }
}

/// The units of memory, each with its spellings, longest first.
const UNITS: [(&[&str], u64); 5] = [
    (&["KIB", "KB", "K"], 1 << 10),
    (&["MIB", "MB", "M"], 1 << 20),
    (&["GIB", "GB", "G"], 1 << 30),
    (&["TIB", "TB", "T"], 1 << 40),
    (&["B", ""], 1),
];

/// Parses an amount of memory.
pub fn bytes(text: &str) -> Result<u64, String> {
    let upper = text.to_ascii_uppercase();
    let names = UNITS.iter();
    let names = names.flat_map(|(names, unit)| names.iter().map(move |name| (*name, *unit)));
    let split = names.filter_map(|(name, unit)| Some((upper.strip_suffix(name)?, unit)));
    let amount =
        split.map(|(number, unit)| Some(number.trim_end().parse::<f64>().ok()? * unit as f64));
    match amount.flatten().next() {
        Some(bytes) if (1.0..=u64::MAX as f64).contains(&bytes) => Ok(bytes as u64),
        _ => Err(format!(
            "'{text}' is not an amount of memory: use a number above 0, with an optional unit, as in 512M, 1.5G or 2GiB"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_memory_in_every_unit() {
        for (text, expected) in [
            ("1", 1),
            ("1000", 1000),
            ("64M", 64 << 20),
            ("512MiB", 512 << 20),
            ("512 mib", 512 << 20),
            ("1GiB", 1 << 30),
            ("1.5G", 3 << 29),
            ("0.5k", 512),
            ("1e9", 1_000_000_000),
            ("1e3K", 1000 << 10),
            ("2TB", 2 << 40),
            ("18446744073709551615", u64::MAX),
            ("7B", 7),
        ] {
            assert_eq!(bytes(text), Ok(expected), "{text}");
        }
        for text in [
            "",
            "0",
            "0G",
            "-1",
            "-1G",
            "G",
            "1X",
            "1.5.2G",
            "1 G B",
            "inf",
            "nan",
            "1e400",
            "1e30",
            "16777217T",
            "--trace",
        ] {
            let error = bytes(text).expect_err(text);
            assert!(
                error.starts_with(&format!("'{text}' is not an amount of memory")),
                "{error}"
            );
        }
    }
}
