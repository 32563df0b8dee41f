//! Stages, one after the other, and the summary at their end.

use std::time::{Duration, Instant};

use crate::{
    console,
    counts::Counts,
    failure::Result,
    process::{self, Show},
    setup,
};

#[derive(Default)]
pub struct Report {
    stages: Vec<Stage>,
    /// What was skipped, by name, with the reason.
    skipped: Vec<String>,
    began: Option<Instant>,
}

struct Stage {
    title: String,
    elapsed: Duration,
    succeeded: bool,
    counts: Counts,
}

impl Report {
    /// Runs a program as a stage of its own and shows all that it says. Whether it succeeds is the answer.
    pub fn stage(&mut self, title: &str, command: &mut std::process::Command) -> Result<bool> {
        self.announce(title);
        console::line(&format!("      $ {}", process::shown(command)));
        let outcome = process::run(title, command, Show::All, None)?;
        let mut counts = Counts::of(&outcome.lines);
        if !outcome.succeeded && counts.failed == 0 {
            // It failed as a whole: no test could say so.
            counts.failed = 1;
        }
        self.close(title, outcome.elapsed, outcome.succeeded, counts);
        Ok(outcome.succeeded)
    }

    /// Runs work of our own as a stage. Its failure is shown and the stages after it go on.
    pub fn work(&mut self, title: &str, work: impl FnOnce() -> Result<()>) -> bool {
        self.announce(title);
        let began = Instant::now();
        let done = work();
        if let Err(failure) = &done {
            console::line(&failure.to_string());
        }
        let counts = Counts {
            failed: usize::from(done.is_err()),
            ..Counts::default()
        };
        self.close(title, began.elapsed(), done.is_ok(), counts);
        done.is_ok()
    }

    /// Notes a whole stage that could not run here.
    pub fn skip(&mut self, what: String) {
        self.skipped.push(what);
    }

    /// Moves tests that ended early, saying that they were skipped, from the passed to the skipped ones.
    pub fn skip_passed(&mut self, names: Vec<String>) {
        if let Some(stage) = self.stages.last_mut() {
            stage.counts.passed = stage.counts.passed.saturating_sub(names.len());
        }
        self.skipped.extend(names);
    }

    /// Prints the summary and its closing line. Whether all is well is the answer.
    pub fn close_all(self) -> bool {
        let total = self.total();
        console::line("\nSummary");
        for stage in &self.stages {
            let sign = if stage.succeeded { "ok    " } else { "FAILED" };
            let counts = stage.counts;
            let tests = if counts == Counts::default() {
                String::new()
            } else {
                format!("  {} passed, {} failed", counts.passed, counts.failed)
            };
            console::line(&format!(
                "  {sign} {:<28} {:>12}{tests}",
                stage.title,
                console::elapsed(stage.elapsed)
            ));
        }
        if let Some(began) = self.began {
            console::line(&format!(
                "  all of it {:>38}",
                console::elapsed(began.elapsed())
            ));
        }
        for what in &self.skipped {
            console::line(&format!("  skipped: {what}"));
        }
        let nothing_missed = total.skipped == 0 || !setup::in_ci();
        if !nothing_missed {
            console::line("  Continuous integration may skip nothing: this run has failed.");
        }
        console::line("");
        console::line(&closing_line(total));
        nothing_missed && self.stages.iter().all(|stage| stage.succeeded)
    }

    fn total(&self) -> Counts {
        let mut total = Counts::default();
        for stage in &self.stages {
            total += stage.counts;
        }
        total.skipped += self.skipped.len();
        total
    }

    fn announce(&mut self, title: &str) {
        self.began.get_or_insert_with(Instant::now);
        console::line(&format!("\n== {title}"));
    }

    fn close(&mut self, title: &str, elapsed: Duration, succeeded: bool, counts: Counts) {
        self.stages.push(Stage {
            title: title.into(),
            elapsed,
            succeeded,
            counts,
        });
    }
}

fn closing_line(total: Counts) -> String {
    let Counts {
        passed,
        failed,
        skipped,
    } = total;
    if skipped == 0 {
        format!("{passed} passed, {failed} failed")
    } else {
        format!("{passed} passed, {failed} failed, {skipped} skipped")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report_of(counts: &[Counts]) -> Report {
        let mut report = Report::default();
        for counts in counts {
            report.close("tests", Duration::ZERO, counts.failed == 0, *counts);
        }
        report
    }

    #[test]
    fn skipped_tests_are_not_passed_ones() {
        let mut report = report_of(&[Counts {
            passed: 5,
            failed: 1,
            skipped: 0,
        }]);
        assert_eq!(closing_line(report.total()), "5 passed, 1 failed");
        report.skip_passed(vec!["csharp: mono is missing".into()]);
        assert_eq!(
            closing_line(report.total()),
            "4 passed, 1 failed, 1 skipped"
        );
    }

    #[test]
    fn stages_are_added_up() {
        let one = Counts {
            passed: 2,
            failed: 0,
            skipped: 1,
        };
        assert_eq!(
            closing_line(report_of(&[one, one]).total()),
            "4 passed, 0 failed, 2 skipped"
        );
    }
}
