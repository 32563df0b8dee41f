//! The commands and their options.

use clap::{Args, Parser, Subcommand, ValueEnum};
use taskloom_planner::plan;

mod values;

use values::{bytes, decisions, events, levels, seconds, seed, size, tick};

/// Plans, checks, tests and converts hierarchical task network (HTN) domains.
///
/// A FILE is a document of the Taskloom editor (.taskloom.json). A DOMAIN and a PROBLEM are HDDL or
/// PDDL files. Taskloom tells them apart by their content. Use '-' as a file name to read the
/// standard input.
///
/// Exit status: 0: a plan was found, or everything is valid; 1: there is provably no plan, or a check
/// failed; 2: the input is invalid; 3: the command gave up (it reports which budget ran out) or was
/// stopped by Ctrl+C; 4: a bug in Taskloom, or the output couldn't be written.
#[derive(Debug, Parser)]
#[command(name = "taskloom", version, max_term_width = 100)]
pub struct Cli {
    /// The command to run.
    #[command(subcommand)]
    pub command: Command,
}

/// The command to run.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Find a plan: the kind that the document's agents use, unless --strategy overrides it.
    ///
    /// Ctrl+C ends the search; with '--strategy cheapest', the cheapest plan so far is printed.
    Plan(PlanArgs),
    /// Run a scenario tick by tick: what its actors plan and why, what they do, notice and
    /// learn, and which events occur.
    ///
    /// With --ticks and --save it stops and writes its state, from which --from continues it, even in
    /// a changed document.
    ///
    /// Exit status: 0: everyone's tasks complete, or repeat endlessly, or it has reached --ticks;
    /// 1: the run fails, misses its goal or is cut off; 3: a limit or Ctrl+C stopped it, and the run
    /// up to that point is printed.
    Run(RunArgs),
    /// Print the log of a run or a game, or convert it for a trace viewer.
    ///
    /// A last line that is still being written is ignored.
    Log(LogArgs),
    /// Follow a log in the editor while it is written.
    ///
    /// Serves the built editor to the browsers on this computer, at the address that it prints. The
    /// editor opens a copy of the document and shows the log's run as it grows. Ctrl+C stops it.
    Watch(WatchArgs),
    /// Validate a plan in the competition's format, or with one action in parentheses per line, or
    /// report the first error in it.
    Validate(ValidateArgs),
    /// Report all errors and warnings in a document or in planning files.
    Check {
        #[command(flatten)]
        input: InputArgs,
        #[command(flatten)]
        limits: LimitArgs,
    },
    /// Run the scenarios of documents as tests of their expectations.
    ///
    /// If a limit or Ctrl+C stops it, unfinished tests count as failed, and the exit status is 3. It is 2 if a file is
    /// invalid, after the others have been tested, or if there is nothing to test.
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
        /// The output file; default: the standard output.
        #[arg(short, long, value_name = "FILE")]
        output: Option<String>,
        /// Replace the output file if it exists.
        #[arg(long)]
        force: bool,
        #[command(flatten)]
        limits: LimitArgs,
    },
    /// Export a domain for planners or games.
    Export(ExportArgs),
    /// Print the size of a domain and its scenarios.
    Stats {
        #[command(flatten)]
        input: InputArgs,
        #[command(flatten)]
        limits: LimitArgs,
    },
    /// Generate a large domain for benchmarks and experiments.
    ///
    /// Its Board has the given number of cards, and its largest method the same number of blocks. A
    /// seed always produces the same bytes.
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

impl InputArgs {
    /// Returns the files that are read.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        [Some(&*self.file), self.problem.as_deref()]
            .into_iter()
            .flatten()
    }
}

/// Limits on time and memory.
#[derive(Debug, Clone, Args)]
pub struct LimitArgs {
    /// CPU time limit in seconds; waiting for input counts too.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_hyphen_values = true)]
    pub time_limit: Option<f64>,
    /// Memory limit for the search, and for the whole program while it reads files, in bytes or
    /// with a unit, as in 512M, 1.5G or 2GiB: K is 1024 bytes, M 1024 K, G 1024 M. If the system
    /// allows the program less (`ulimit -v`), set a lower limit: the system kills programs that
    /// exceed its own.
    #[arg(long, value_name = "BYTES", default_value = "4G", value_parser = bytes, allow_hyphen_values = true)]
    pub memory_limit: u64,
}

/// Options of `run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// The document's scenario; optional if it has only one, or with --from.
    #[arg(long, value_name = "NAME")]
    pub scenario: Option<String>,
    /// Stop at the end of this tick.
    #[arg(long, value_name = "TICK", value_parser = tick, allow_hyphen_values = true)]
    pub ticks: Option<u32>,
    /// Write the state at the end of the run to this file.
    #[arg(long, value_name = "FILE")]
    pub save: Option<String>,
    /// Continue from a state that --save has written. Reports what no longer exists in the
    /// document.
    #[arg(long, value_name = "FILE")]
    pub from: Option<String>,
    /// The output format.
    #[arg(long, value_enum, default_value_t = RunFormat::Text)]
    pub format: RunFormat,
    /// Also write a log of the run, line by line, to this file; docs/log.md in the sources describes
    /// it. With --from, it begins where the run continues.
    #[arg(long, value_name = "FILE")]
    pub log: Option<String>,
    /// The amount of detail of the log.
    #[arg(long, value_enum, default_value_t = LogLevel::All, requires = "log")]
    pub log_level: LogLevel,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// The amount of detail of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogLevel {
    /// Nothing: the file is empty.
    Off,
    /// Plans, and the starts and ends of steps.
    Decisions,
    /// Also changes of facts and beliefs, whole decompositions, rejected alternatives, and snapshots.
    All,
}

impl From<LogLevel> for taskloom_runtime::LogLevel {
    fn from(level: LogLevel) -> Self {
        match level {
            LogLevel::Off => Self::Off,
            LogLevel::Decisions => Self::Decisions,
            LogLevel::All => Self::All,
        }
    }
}

/// Options of `log`.
#[derive(Debug, Args)]
pub struct LogArgs {
    /// A log, as written by 'taskloom run --log' or by a game.
    #[arg(value_name = "LOG")]
    pub file: String,
    /// Convert it to this file instead, in the trace event format of Perfetto and Chrome.
    #[arg(long, value_name = "FILE")]
    pub perfetto: Option<String>,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Options of `watch`.
#[derive(Debug, Args)]
pub struct WatchArgs {
    /// A log, as 'taskloom run --log' or a game writes it. It need not exist yet.
    #[arg(value_name = "LOG")]
    pub log: String,
    #[command(flatten)]
    pub input: InputArgs,
    /// The folder of the built editor; default: 'dist' or 'target/page' in the current folder, beside
    /// the program, or in a folder above the program.
    #[arg(long, value_name = "FOLDER")]
    pub editor: Option<String>,
    /// The port; default: any free one.
    #[arg(
        long,
        value_name = "PORT",
        default_value_t = 0,
        hide_default_value = true
    )]
    pub port: u16,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// The output format of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RunFormat {
    /// A table in chronological order.
    Text,
    /// The full record of the run, for programs; docs/run.md in the sources describes it.
    Json,
}

/// Options of `validate`.
#[derive(Debug, Args)]
pub struct ValidateArgs {
    /// A domain, its problem, and a plan; or a document and a plan.
    #[arg(value_name = "DOMAIN PROBLEM PLAN", num_args = 2..=3, required = true)]
    pub files: Vec<String>,
    /// The document's scenario; optional if it has only one.
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
    /// The target format.
    #[arg(long, value_name = "TARGET")]
    pub to: ExportTarget,
    /// The scenario to write as the problem file; optional if there is only one.
    #[arg(long, value_name = "NAME")]
    pub scenario: Option<String>,
    /// The output folder.
    #[arg(short, long, value_name = "FOLDER", default_value = ".")]
    pub output: String,
    /// Replace files that exist, even if Taskloom hasn't generated them.
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Options of `generate`.
#[derive(Debug, Args)]
pub struct GenerateArgs {
    /// The number of cards, and of blocks in the largest method.
    #[arg(long, value_name = "COUNT", value_parser = size, allow_hyphen_values = true)]
    pub blocks: usize,
    /// The random seed.
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = seed, allow_hyphen_values = true)]
    pub seed: u64,
    /// The output file; default: the standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<String>,
}

/// Options of `plan`.
#[derive(Debug, Args)]
pub struct PlanArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// The document's scenario; optional if it has only one.
    #[arg(long, value_name = "NAME")]
    pub scenario: Option<String>,
    /// The kind of plan to find. Default: what the scenario's agents use, which is 'cheapest' if
    /// any of them does, else 'first'. Only 'cheapest' plans beyond a reactive agent's next step.
    #[arg(long, value_enum)]
    pub strategy: Option<Strategy>,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Maximum number of decisions in the search.
    #[arg(
        long,
        value_name = "COUNT",
        default_value_t = u64::MAX,
        hide_default_value = true,
        value_parser = decisions,
        allow_hyphen_values = true
    )]
    pub node_limit: u64,
    /// Maximum nesting depth of decompositions.
    #[arg(long, value_name = "LEVELS", default_value_t = 1_000_000, value_parser = levels, allow_hyphen_values = true)]
    pub depth_limit: u32,
    /// The output format.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Show a trace of the search, with up to this many events.
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
    /// Print statistics to the standard error: memory in bytes, as counted by the search and as
    /// reported by the system for the program; CPU time in seconds.
    #[arg(long)]
    pub statistics: bool,
}

/// The kind of plan to find.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Strategy {
    /// The first plan in the designer's order.
    First,
    /// A plan of minimum cost; when time runs out, the cheapest found so far.
    Cheapest,
    /// Any plan, as fast as possible; for large problems.
    #[value(name = "any")]
    Fastest,
}
impl From<Strategy> for plan::Strategy {
    fn from(strategy: Strategy) -> Self {
        match strategy {
            Strategy::First => Self::First,
            Strategy::Cheapest => Self::Cheapest,
            Strategy::Fastest => Self::Fastest,
        }
    }
}

/// The output format of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// One step per line.
    Text,
    /// The format of the International Planning Competition's HTN track (2020).
    Ipc,
    /// The full answer, including the decompositions.
    Json,
}

/// The target format of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportTarget {
    /// Taskloom's own file.
    Json,
    /// HDDL: a domain and a problem in the subset that most planners support. A scenario with a
    /// goal and no tasks becomes a classical problem. Warns about features that few planners
    /// support, such as numbers.
    Hddl,
    /// Full HDDL: a domain and a problem; importing them gives the same document. For documents of
    /// predicates and numbers without named conditions, such as imported ones.
    FullHddl,
    /// PDDL: actions and a goal, for a scenario without tasks. Warns if planners must support
    /// numeric fluents.
    Pddl,
    /// C# code for games.
    Csharp,
}
