//! The commands and their options.

use std::str::FromStr;

use clap::{Args, Parser, Subcommand, ValueEnum};
use taskloom::planner::plan;

/// Plans, checks, tests and converts hierarchical task network (HTN) domains.
///
/// A FILE is a document of the Taskloom editor (.taskloom.json). A DOMAIN and a PROBLEM are HDDL or PDDL. Which of them
/// a file is, its content says. In the place of a file, '-' is the standard input.
///
/// Exit status: 0 a plan was found, or all is well; 1 it is proved that there is no plan, or something does not hold;
/// 2 the input is not right; 3 the command gave up and says which budget was used up, or Ctrl+C stopped it; 4 a bug in
/// Taskloom, or output that cannot be written.
#[derive(Debug, Parser)]
#[command(name = "taskloom", version, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Find a plan: the one that the document's agents plan by, unless --strategy says otherwise.
    ///
    /// Ctrl+C ends the search; with '--strategy cheapest' the cheapest plan so far is printed.
    Plan(PlanArgs),
    /// Run a scenario tick by tick: what its characters plan and why, what they do, notice and learn, and what happens.
    ///
    /// Exit status: 0 everybody's tasks are complete, or are begun again endlessly; 1 the run fails, misses its goal or
    /// is cut off; 3 a limit or Ctrl+C stopped it, and what happened until then is printed.
    Run(RunArgs),
    /// Say whether a plan in the competition's format is one, or the first thing that is wrong with it.
    Validate(ValidateArgs),
    /// Say everything that is wrong with a document, or with planning files.
    Check {
        #[command(flatten)]
        input: InputArgs,
        #[command(flatten)]
        limits: LimitArgs,
    },
    /// Hold the scenarios of documents to their expectations.
    ///
    /// Where a limit or Ctrl+C ends it, what is not finished has failed, with exit status 3.
    Test {
        /// Documents.
        #[arg(value_name = "FILE", required = true)]
        files: Vec<String>,
        #[command(flatten)]
        limits: LimitArgs,
    },
    /// Turn HDDL or PDDL into a document with diagrams.
    Import {
        #[command(flatten)]
        input: InputArgs,
        /// Where the document goes, instead of to the standard output.
        #[arg(short, long, value_name = "FILE")]
        output: Option<String>,
        #[command(flatten)]
        limits: LimitArgs,
    },
    /// Write a domain for planners or for games.
    Export(ExportArgs),
    /// Count what is in a domain and its scenarios.
    Stats {
        #[command(flatten)]
        input: InputArgs,
        #[command(flatten)]
        limits: LimitArgs,
    },
    /// Write a large domain, to measure and to try things with.
    ///
    /// So many cards are on its Board, and so many blocks are in its largest method. The same seed gives the same bytes.
    Generate(GenerateArgs),
}

/// A document, or planning files.
#[derive(Debug, Clone, Args)]
pub struct InputArgs {
    /// A document or a domain.
    #[arg(value_name = "FILE|DOMAIN")]
    pub file: String,
    /// The problem, where the first file is a domain.
    #[arg(value_name = "PROBLEM")]
    pub problem: Option<String>,
}

/// How much a command may take.
#[derive(Debug, Clone, Args)]
pub struct LimitArgs {
    /// Seconds of processor time, and of waiting for input.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_hyphen_values = true)]
    pub time_limit: Option<f64>,
    /// Memory that a search may hold, and the program while it reads, in bytes or with a unit, as in 512M, 1.5G or
    /// 2GiB: K is 1024 bytes, M 1024 K, G 1024 M. Where the system gives a program less (`ulimit -v`), name less: it
    /// ends what asks for more.
    #[arg(long, value_name = "BYTES", default_value = "4G", value_parser = bytes, allow_hyphen_values = true)]
    pub memory_limit: u64,
}

/// Options of `run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// The scenario of a document; it may be left out where there is only one.
    #[arg(long, value_name = "NAME")]
    pub scenario: Option<String>,
    /// How the run is written.
    #[arg(long, value_enum, default_value_t = RunFormat::Text)]
    pub format: RunFormat,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// How a run is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RunFormat {
    /// A table in the order of time.
    Text,
    /// Everything that happened, for programs; docs/run.md in the sources describes it.
    Json,
}

/// Options of `validate`.
#[derive(Debug, Args)]
pub struct ValidateArgs {
    /// A domain, its problem, and a plan; or a document and a plan.
    #[arg(value_name = "DOMAIN PROBLEM PLAN", num_args = 2..=3, required = true)]
    pub files: Vec<String>,
    /// The scenario of a document; it may be left out where there is only one.
    #[arg(long, value_name = "NAME")]
    pub scenario: Option<String>,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Options of `export`.
#[derive(Debug, Args)]
pub struct ExportArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// For whom.
    #[arg(long, value_name = "TARGET")]
    pub to: ExportTarget,
    /// The scenario of the problem file; the only one if there is one.
    #[arg(long, value_name = "NAME")]
    pub scenario: Option<String>,
    /// The folder that the files go to.
    #[arg(short, long, value_name = "FOLDER", default_value = ".")]
    pub output: String,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Options of `generate`.
#[derive(Debug, Args)]
pub struct GenerateArgs {
    /// How large it is.
    #[arg(long, value_name = "COUNT", value_parser = size, allow_hyphen_values = true)]
    pub blocks: usize,
    /// Which of many such domains.
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = seed, allow_hyphen_values = true)]
    pub seed: u64,
    /// Where the document goes, instead of to the standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<String>,
}

/// Options of `plan`.
#[derive(Debug, Args)]
pub struct PlanArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// The scenario of a document; it may be left out where there is only one.
    #[arg(long, value_name = "NAME")]
    pub scenario: Option<String>,
    /// Which plan is sought. Without it, what the agents of the scenario plan by: 'cheapest' where one of them does,
    /// else 'first'.
    #[arg(long, value_enum)]
    pub strategy: Option<Strategy>,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Decisions that the search may take.
    #[arg(
        long,
        value_name = "COUNT",
        default_value_t = u64::MAX,
        hide_default_value = true,
        value_parser = decisions,
        allow_hyphen_values = true
    )]
    pub node_limit: u64,
    /// How deep decompositions may be nested.
    #[arg(long, value_name = "LEVELS", default_value_t = 1_000_000, value_parser = levels, allow_hyphen_values = true)]
    pub depth_limit: u32,
    /// How the plan is written.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Show what the search did: at most this many events.
    #[arg(
        long,
        value_name = "EVENTS",
        num_args = 0..=1,
        default_value_t = 0,
        default_missing_value = "10000",
        hide_default_value = true,
        require_equals = true,
        value_parser = events
    )]
    pub trace: usize,
    /// Say on the standard error what it took: memory in bytes, as the search counts what it holds and as the system
    /// counts the program; processor time in seconds.
    #[arg(long)]
    pub statistics: bool,
}

/// Which plan is sought.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Strategy {
    /// The first in the designer's order.
    First,
    /// One of least cost; when time is up, the cheapest found so far.
    Cheapest,
    /// Whichever is found soonest: for large problems.
    Any,
}
impl From<Strategy> for plan::Strategy {
    fn from(strategy: Strategy) -> Self {
        match strategy {
            Strategy::First => Self::First,
            Strategy::Cheapest => Self::Cheapest,
            Strategy::Any => Self::Any,
        }
    }
}

/// How a plan is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Steps, one a line.
    Text,
    /// The format of the International Planning Competition's HTN track (2020).
    Ipc,
    /// Everything that is known of the plan, with the decompositions.
    Json,
}

/// For whom an export is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportTarget {
    /// Taskloom's own file.
    Json,
    /// Planners that read HDDL: a domain and a problem in what most of them know. Of a scenario with a goal and no
    /// tasks, a classical problem. A warning says what few planners read, such as numbers.
    Hddl,
    /// A domain and a problem in all of HDDL: an import of it is the same document. For documents of predicates and
    /// numbers, without named conditions, as imports are.
    FullHddl,
    /// Planners that read PDDL: actions and a goal, for a scenario without tasks. A warning says where they must know
    /// numeric fluents.
    Pddl,
    /// Games in C#.
    Csharp,
}

/// A whole number, from 0 on, of what is counted.
fn whole<T: FromStr>(text: &str, what: &str) -> Result<T, String> {
    let number = text.parse::<T>();
    number.map_err(|_| {
        format!("'{text}' is not a number of {what}: it must be a whole number, 0 or more")
    })
}

fn decisions(text: &str) -> Result<u64, String> {
    whole(text, "decisions")
}

fn levels(text: &str) -> Result<u32, String> {
    whole(text, "levels")
}

fn events(text: &str) -> Result<usize, String> {
    whole(text, "events")
}

fn seed(text: &str) -> Result<u64, String> {
    let number = text.parse::<u64>();
    number.map_err(|_| format!("'{text}' is not a seed: it must be a whole number, 0 or more"))
}

fn size(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(size) if (10..=100_000).contains(&size) => Ok(size),
        _ => Err(format!(
            "'{text}' is not a number of blocks: it must be a whole number from 10 to 100000"
        )),
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds >= 0.0 => Ok(seconds),
        _ => Err(format!(
            "'{text}' is not a number of seconds: it must be 0 or more"
        )),
    }
}

/// The units of memory, each with all that it is called, the longest first.
const UNITS: [(&[&str], u64); 5] = [
    (&["KIB", "KB", "K"], 1 << 10),
    (&["MIB", "MB", "M"], 1 << 20),
    (&["GIB", "GB", "G"], 1 << 30),
    (&["TIB", "TB", "T"], 1 << 40),
    (&["B", ""], 1),
];

fn bytes(text: &str) -> Result<u64, String> {
    let upper = text.to_ascii_uppercase();
    let names = UNITS.iter();
    let names = names.flat_map(|(names, unit)| names.iter().map(move |name| (*name, *unit)));
    let split = names.filter_map(|(name, unit)| Some((upper.strip_suffix(name)?, unit)));
    let amount =
        split.map(|(number, unit)| Some(number.trim_end().parse::<f64>().ok()? * unit as f64));
    match amount.flatten().next() {
        Some(bytes) if (1.0..=u64::MAX as f64).contains(&bytes) => Ok(bytes as u64),
        _ => Err(format!(
            "'{text}' is not an amount of memory: it must be more than 0, with a unit if you like, as in 512M, 1.5G or 2GiB"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_in_every_unit() {
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
            let told = bytes(text).expect_err(text);
            assert!(
                told.starts_with(&format!("'{text}' is not an amount of memory")),
                "{told}"
            );
        }
    }
}
