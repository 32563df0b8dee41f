//! The results of the last release, and the problems lost and gained since.

use std::{
    collections::BTreeMap,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

use crate::{
    Result, Strategy, on,
    planned::{End, Planned},
};

const HEAD: &str = "problem\tresult\tsteps\tseconds\n";

/// The part of the time limit beyond which solving a problem is a matter of luck.
const SAFE: f64 = 0.5;

/// The result of a problem.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Entry {
    end: End,
    /// The number of actions in the plan.
    steps: u64,
    /// CPU time.
    seconds: f64,
}

/// Results by problem, stored in one file per strategy in benches/planning/results.
#[derive(Debug)]
pub struct Stored {
    file: PathBuf,
    entries: BTreeMap<String, Entry>,
}

impl From<&Planned> for Entry {
    fn from(one: &Planned) -> Self {
        Self {
            end: one.end,
            steps: one.steps,
            seconds: one.seconds(),
        }
    }
}

impl Entry {
    fn read(line: &str) -> Option<(String, Self)> {
        let mut parts = line.split('\t');
        let name = parts.next()?.to_owned();
        let word = parts.next()?;
        let end = End::ALL.into_iter().find(|end| end.word() == word)?;
        let entry = Self {
            end,
            steps: parts.next()?.parse().ok()?,
            seconds: parts.next()?.parse().ok()?,
        };
        Some((name, entry))
    }

    fn shown(&self) -> String {
        let Self {
            end,
            steps,
            seconds,
        } = self;
        match end {
            End::Valid => format!("{steps} steps in {seconds:.1} s"),
            end => format!("{} after {seconds:.1} s", end.word()),
        }
    }
}

impl Stored {
    /// Reads the stored results of a strategy; empty if there is no file yet.
    pub fn read(package: &Path, strategy: Strategy) -> Result<Self> {
        let file = package.join(format!("results/{}.tsv", strategy.name()));
        let text = match file.is_file() {
            true => on(&file, fs::read_to_string(&file))?,
            false => HEAD.to_owned(),
        };
        Self::parse(file, &text)
    }

    fn parse(file: PathBuf, text: &str) -> Result<Self> {
        let lines = text.lines().enumerate().skip(1);
        let entries = lines.map(|(number, line)| {
            let entry = Entry::read(line);
            entry.ok_or_else(|| format!("{}:{}: no result", file.display(), number + 1))
        });
        let entries = entries.collect::<Result<_>>()?;
        Ok(Self { file, entries })
    }

    /// Replaces stored results by new ones.
    pub fn update(&mut self, results: &[(&str, Planned)]) {
        let results = results.iter();
        let results = results.map(|(name, one)| ((*name).to_owned(), Entry::from(one)));
        self.entries.extend(results);
    }

    fn text(&self) -> String {
        let mut text = HEAD.to_owned();
        for (name, entry) in &self.entries {
            let (word, Entry { steps, seconds, .. }) = (entry.end.word(), entry);
            let _ = writeln!(text, "{name}\t{word}\t{steps}\t{seconds:.3}");
        }
        text
    }

    /// Writes the file.
    pub fn write(&self) -> Result<()> {
        if let Some(folder) = self.file.parent() {
            on(folder, fs::create_dir_all(folder))?;
        }
        on(&self.file, fs::write(&self.file, self.text()))?;
        println!("stored in {}", self.file.display());
        Ok(())
    }

    /// Prints the lost and gained problems, and a comparison of those solved both times. Returns
    /// `true` if none was lost.
    pub fn compare(&self, results: &[(&str, Planned)], time_limit: u32) -> bool {
        let results = results.iter();
        let results = results.map(|(name, one)| (*name, Entry::from(one)));
        let (report, is_kept) = self.report(&results.collect::<Vec<_>>(), f64::from(time_limit));
        print!("{report}");
        is_kept
    }

    fn report(&self, results: &[(&str, Entry)], time_limit: f64) -> (String, bool) {
        let mut text = "\nsince the last release\n".to_owned();
        let (mut both, mut lost, mut gained) = (vec![], 0, 0);
        for (name, now) in results {
            let Some(then) = self.entries.get(*name) else {
                continue;
            };
            let word = match (then.end.is_solved(), now.end.is_solved()) {
                (true, true) => {
                    both.push((then, now));
                    continue;
                }
                (false, false) => continue,
                (false, true) => {
                    gained += 1;
                    "GAINED"
                }
                (true, false) if then.seconds > SAFE * time_limit => "out of time",
                (true, false) => {
                    lost += 1;
                    "LOST"
                }
            };
            let (then, now) = (then.shown(), now.shown());
            let _ = writeln!(text, "{word:<11} {name}: {then} then, {now} now");
        }
        let seconds = |entry: &Entry| entry.seconds;
        let steps = |entry: &Entry| entry.steps as f64;
        let ratio = |of: &dyn Fn(&Entry) -> f64| {
            let then: f64 = both.iter().map(|(then, _)| of(then)).sum();
            let now: f64 = both.iter().map(|(_, now)| of(now)).sum();
            if then > 0.0 { now / then } else { 1.0 }
        };
        let _ = writeln!(
            text,
            "{lost} lost, {gained} gained; the {} solved both times take {:.2} times the CPU time, {:.2} times the steps",
            both.len(),
            ratio(&seconds),
            ratio(&steps),
        );
        (text, lost == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STORED: &str = "problem\tresult\tsteps\tseconds\n\
        a/1\tplan\t10\t0.500\na/2\tplan\t20\t8.000\na/3\tgave up\t0\t10.000\na/4\tno plan\t0\t1.000\n";

    fn stored() -> Stored {
        Stored::parse(PathBuf::new(), STORED).expect("results")
    }

    fn entry(end: End, steps: u64, seconds: f64) -> Entry {
        Entry {
            end,
            steps,
            seconds,
        }
    }

    #[test]
    fn stored_results_round_trip() {
        assert_eq!(stored().text(), STORED);
        let broken = Stored::parse("file".into(), "problem\na/1\tplan\tten\t1.0\n");
        assert_eq!(broken.unwrap_err(), "file:2: no result");
    }

    #[test]
    fn lost_problems_are_named_and_fail_the_report() {
        let now = [
            ("a/1", entry(End::GaveUp, 0, 10.0)),
            ("a/2", entry(End::GaveUp, 0, 10.0)),
            ("a/3", entry(End::Valid, 30, 9.0)),
            ("a/4", entry(End::NoPlan, 0, 2.0)),
            ("a/5", entry(End::GaveUp, 0, 10.0)),
        ];
        let (report, is_kept) = stored().report(&now, 10.0);
        assert!(!is_kept);
        assert_eq!(
            report,
            "\nsince the last release\n\
             LOST        a/1: 10 steps in 0.5 s then, gave up after 10.0 s now\n\
             out of time a/2: 20 steps in 8.0 s then, gave up after 10.0 s now\n\
             GAINED      a/3: gave up after 10.0 s then, 30 steps in 9.0 s now\n\
             1 lost, 1 gained; the 1 solved both times take 2.00 times the CPU time, 1.00 times the steps\n"
        );
        assert!(stored().report(&now[1..], 10.0).1);
    }

    #[test]
    fn broken_and_invalid_plans_count_as_lost() {
        for end in [End::Broken, End::Invalid] {
            let now = [("a/4", entry(end, 0, 0.1))];
            assert!(!stored().report(&now, 10.0).1);
        }
    }
}
