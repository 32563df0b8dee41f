//! Runs stages in sequence, and prints a summary at the end.

use std::{
    process::Command,
    time::{Duration, Instant},
};

use crate::{failure::Result, process};

pub struct Report {
    began: Instant,
    /// Title, time, and `true` on success.
    stages: Vec<(String, Duration, bool)>,
    /// Missing tools, because of which some stages or tests were skipped.
    missing: Vec<String>,
}

impl Report {
    pub fn new(missing: Vec<String>) -> Self {
        Self {
            began: Instant::now(),
            stages: vec![],
            missing,
        }
    }

    /// Runs a program as a stage.
    pub fn stage(&mut self, title: &str, command: &mut Command) -> bool {
        self.work(title, || {
            println!("   $ {}", process::shown(command));
            process::run(command, "fix the errors shown above.")
        })
    }

    /// Runs a function as a stage. A failure is printed, and later stages still run.
    pub fn work(&mut self, title: &str, work: impl FnOnce() -> Result<()>) -> bool {
        println!("\n== {title}");
        let began = Instant::now();
        let done = work();
        if let Err(failure) = &done {
            eprintln!("{failure}");
        }
        let stage = (title.to_owned(), began.elapsed(), done.is_ok());
        self.stages.push(stage);
        done.is_ok()
    }

    /// Prints the summary. Returns `true` if every stage succeeded.
    pub fn close(self) -> bool {
        println!("\nSummary");
        for (title, time, succeeded) in &self.stages {
            let sign = if *succeeded { "ok    " } else { "FAILED" };
            println!("  {sign} {title:<28} {:>12}", spoken(*time));
        }
        println!("  total     {:>38}", spoken(self.began.elapsed()));
        for what in &self.missing {
            println!("  skipped: needs {what}");
        }
        self.stages.iter().all(|(_, _, succeeded)| *succeeded)
    }
}

/// Formats a duration: `75 s` as `1 min 15 s`; below ten seconds, with tenths.
pub fn spoken(time: Duration) -> String {
    match time.as_secs() {
        0..10 => format!("{:.1} s", time.as_secs_f64()),
        seconds @ 10..60 => format!("{seconds} s"),
        seconds => format!("{} min {:02} s", seconds / 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_human_readable() {
        assert_eq!(spoken(Duration::from_millis(1240)), "1.2 s");
        assert_eq!(spoken(Duration::from_secs(42)), "42 s");
        assert_eq!(spoken(Duration::from_secs(61)), "1 min 01 s");
    }
}
