//! Solves every problem of the planning competition, each in a separate process, and prints a table
//! by domain. Run by `cargo xtask bench planning`.

mod planned;
mod problems;
mod shuffle;
mod stored;
mod table;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use clap::{Parser, ValueEnum, value_parser};

use planned::{End, Planned};
use stored::Stored;

/// Solves every problem of the International Planning Competition's HTN track, or those whose name
/// contains a NAME; validates each plan in a separate process; prints a table by domain, and the
/// problems lost and gained since the last release. Fails if a problem was lost.
///
/// The files are in the folder set in TASKLOOM_IPC, else in ../shared/ipc2020, else the project's
/// own in tests/hddl.
#[derive(Debug, Parser)]
#[command(
    name = "planning",
    bin_name = "cargo xtask bench planning",
    max_term_width = 100
)]
struct Arguments {
    /// Parts of the names of problems
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Search strategy
    #[arg(long, value_enum, default_value = "any")]
    strategy: Strategy,
    /// CPU time limit per problem, in seconds
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = value_parser!(u32).range(1..))]
    time_limit: u32,
    /// Number of problems in parallel
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u32).range(1..))]
    jobs: u32,
    /// Store the results of a release, as the baseline for later ones
    #[arg(long)]
    store: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Strategy {
    First,
    Cheapest,
    Any,
}

impl Strategy {
    fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Cheapest => "cheapest",
            Self::Any => "any",
        }
    }
}

/// An error, as a sentence.
type Result<T> = std::result::Result<T, String>;

/// Adds the file or folder to an I/O error.
fn on<T>(path: &Path, done: std::io::Result<T>) -> Result<T> {
    done.map_err(|error| format!("{}: {error}", path.display()))
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(mistake) => {
            eprintln!("{mistake}");
            ExitCode::FAILURE
        }
    }
}

/// Returns `true` if the validator accepts every plan and no problem was lost.
fn run(arguments: &Arguments) -> Result<bool> {
    // The current path from cargo, not the one at build time: a checkout may have been moved since.
    let package: PathBuf = env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    let root = package.ancestors().nth(2).unwrap_or(&package);
    let problems = problems::named(root, &arguments.names)?;
    let program = command_line(root)?;
    let plans = root.join("target/xtask/planning");
    on(&plans, fs::create_dir_all(&plans))?;

    let results = Mutex::new(vec![]);
    let next = AtomicUsize::new(0);
    thread::scope(|threads| {
        for _ in 0..arguments.jobs {
            threads.spawn(|| {
                while let Some(problem) = problems.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let one = Planned::run(&program, &plans, problem, arguments);
                    let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
                    let count = format!("{}/{}", results.len() + 1, problems.len());
                    if let Ok(one) = &one {
                        println!("{count:>7}  {}", table::line(&problem.name, one));
                    }
                    results.push((&*problem.name, one));
                }
            });
        }
    });
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    let results = results.into_iter().map(|(name, one)| Ok((name, one?)));
    let mut results: Vec<(&str, Planned)> = results.collect::<Result<_>>()?;
    results.sort_by_key(|(name, _)| *name);
    table::print(&results);
    println!(
        "\nstrategy {}, {} s of CPU time and 8 GB per problem, {} in parallel; plans are in target/xtask/planning",
        arguments.strategy.name(),
        arguments.time_limit,
        arguments.jobs
    );
    let is_valid = results.iter().all(|(_, one)| one.end != End::Invalid);
    let mut stored = Stored::read(&package, arguments.strategy)?;
    if arguments.store {
        stored.update(&results);
        stored.write()?;
        return Ok(is_valid);
    }
    Ok(stored.compare(&results, arguments.time_limit) && is_valid)
}

/// Builds the command line with the profile `fast`, and returns its path.
fn command_line(root: &Path) -> Result<PathBuf> {
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--package", "taskloom-cli", "--profile", "fast"]);
    let built = on(root, cargo.current_dir(root).env_remove("CARGO").status())?;
    if !built.success() {
        return Err("could not build the command line.".into());
    }
    let target = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| root.join("target"));
    let built = target.join(format!("fast/taskloom{}", env::consts::EXE_SUFFIX));
    // Another build may replace it in the meantime.
    let folder = root.join("target/xtask");
    on(&folder, fs::create_dir_all(&folder))?;
    let copy = folder.join("taskloom");
    // A running program can't be overwritten, but another file can take its name.
    let fresh = copy.with_extension(std::process::id().to_string());
    on(&built, fs::copy(&built, &fresh))?;
    on(&copy, fs::rename(&fresh, &copy))?;
    Ok(copy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn command_line_definition_is_valid() {
        Arguments::command().debug_assert();
    }
}
