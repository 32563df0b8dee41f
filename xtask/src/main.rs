//! `cargo xtask`: builds, serves and tests Taskloom, on any machine with Rust, Node and npm.
//!
//! `setup` installs the tools, `page` builds the page, and each other module implements one command
//! with them.

mod bench;
mod conformance;
mod failure;
mod files;
mod help;
mod page;
mod process;
mod report;
mod seal;
mod serve;
mod setup;
mod test;

use std::{env, path::PathBuf, process::ExitCode};

use clap::{Parser, Subcommand};

/// Builds, serves and tests Taskloom.
///
/// Tools are kept in your cache folder: $TASKLOOM_CACHE if set, else the system's
/// (~/.cache/taskloom on Linux).
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Build the page and serve it on http://localhost:8080
    Serve {
        /// The port to serve it on
        #[arg(long, short, value_name = "N", default_value_t = serve::DEFAULT_PORT, value_parser = clap::value_parser!(u16).range(1..))]
        port: u16,
        /// Rebuild on every change, without optimisation
        #[arg(long)]
        dev: bool,
    },
    /// Build the page for hosting into dist/: small, with compressed copies of its files
    Build,
    /// Run all checks and tests
    Test {
        /// Try ten times as many random cases, and use the page for hosting; for the night and before
        /// a release
        #[arg(long)]
        thorough: bool,
    },
    /// Run format, lints and the core's tests: the quick round while you work
    Check,
    /// Run the benchmarks of the core and the page
    ///
    /// `bench start --against REV` compares starts with those of an earlier commit.
    /// `bench planning` solves the planning competition's problems; see `bench planning --help` for
    /// its options. `bench goals` solves generated problems with goals, and compares with Fast
    /// Downward.
    Bench {
        /// Only benchmarks whose name contains a NAME
        #[arg(
            value_name = "NAME",
            trailing_var_arg = true,
            allow_hyphen_values = true
        )]
        names: Vec<String>,
    },
    /// Replay the conformance vectors in each runtime, and compare the logs
    Conformance {
        /// Another runtime: its name, and a command that prints the log of the vector whose path is
        /// added to it
        #[arg(long, value_name = "NAME=COMMAND", value_parser = conformance::runtime)]
        runtime: Vec<conformance::Runtime>,
    },
    /// Only install the tools for the other commands
    Setup {
        /// Only the tools whose name contains a NAME
        #[arg(value_name = "NAME")]
        names: Vec<String>,
    },
    /// Finish a build of the page; called by Trunk
    #[command(hide = true)]
    Seal,
}

fn main() -> ExitCode {
    // The current path from cargo, not the one at build time: a checkout may have been moved since.
    let package: PathBuf = env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    let root: PathBuf = package.parent().unwrap_or(&package).into();
    let done = match Arguments::parse().task {
        Task::Serve { port, dev } => serve::run(&root, port, dev).map(|()| true),
        Task::Build => page::release(&root).map(|()| true),
        Task::Test { thorough } => test::run(&root, thorough),
        Task::Check => test::check(&root),
        Task::Bench { names } => bench::run(&root, &names),
        Task::Conformance { runtime } => conformance::run(&root, &runtime),
        Task::Setup { names } => setup::named(&root, &names).map(|_| true),
        Task::Seal => seal::run(&root).map(|()| true),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(failure) => {
            eprintln!("\n{failure}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn planning_benchmark_options_are_passed_through() {
        Arguments::command().debug_assert();
        let line = "xtask bench planning Rover --time-limit=60 --help";
        match Arguments::try_parse_from(line.split(' ')).map(|a| a.task) {
            Ok(Task::Bench { names }) => {
                assert_eq!(names, ["planning", "Rover", "--time-limit=60", "--help"]);
            }
            other => panic!("{other:?}"),
        }
    }
}
