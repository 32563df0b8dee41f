//! Errors, with advice for the user.

use std::fmt;

/// A fatal error: a sentence about what failed and one about what to do.
#[derive(Debug)]
pub struct Failure {
    what: String,
    advice: String,
}

pub type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    pub fn new(what: impl Into<String>, advice: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            advice: advice.into(),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "Failed: {}\nWhat to do: {}",
            self.what, self.advice
        )
    }
}

/// Adds the file or folder to an I/O error.
pub trait OnPath<T> {
    fn on(self, doing: &str, path: &std::path::Path) -> Result<T>;
}

impl<T> OnPath<T> for std::io::Result<T> {
    fn on(self, doing: &str, path: &std::path::Path) -> Result<T> {
        self.map_err(|error| {
            Failure::new(
                format!("could not {doing} {}: {error}.", path.display()),
                "check free disk space and permissions, then run the same command again.",
            )
        })
    }
}
