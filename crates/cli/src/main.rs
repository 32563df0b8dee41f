//! `taskloom`: the core's planner, checks, tests and converters on the command line.
//!
//! Start reading at [`args::Command`], the list of commands. Each has a file, except that import
//! and export share one. [`input`] opens their files, and [`snippet`] shows diagnostics.

mod args;
mod check;
mod clock;
mod convert;
mod generate;
mod input;
mod log;
mod memory;
mod output;
mod plan;
mod read;
mod run;
mod running;
mod search;
mod show;
mod snippet;
mod stats;
mod test;
mod validate;
mod visible;
mod watch;

use std::process::ExitCode;

use args::{Cli, Command};
use clap::Parser;
use output::{print, say};
use search::Limits;
use taskloom_planner::plan::Limit;

/// The exit status of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// A plan was found, or everything is valid.
    Success = 0,
    /// There is provably no plan, or a check failed.
    Refuted = 1,
    /// A budget ran out, or the command was stopped.
    GaveUp = 3,
}

/// The reason why a command failed, printed to the standard error.
#[derive(Debug)]
pub enum Failure {
    /// The input is invalid.
    Input(String),
    /// Not the input's fault: the output couldn't be written, or a bug in Taskloom.
    Internal(String),
    /// A budget ran out; `None` if Ctrl+C stopped the command.
    Stopped(Option<Limit>),
}

fn main() -> ExitCode {
    // A panic is a bug in Taskloom, in every profile.
    std::panic::set_hook(Box::new(|info| {
        say(&format!("error: a bug in Taskloom: {info}"));
        std::process::exit(4);
    }));
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refuse(&error),
    };
    let done = match cli.command {
        Command::Plan(args) => plan::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Log(args) => log::run(&args),
        Command::Watch(args) => watch::run(&args),
        Command::Validate(args) => validate::run(&args),
        Command::Check { input, limits } => check::run(&input, &Limits::new(&limits)),
        Command::Test { files, limits } => test::run(&files, &limits),
        Command::Import {
            input,
            output,
            force,
            limits,
        } => convert::import(&input, output.as_deref(), force, &Limits::new(&limits)),
        Command::Export(args) => convert::export(&args),
        Command::Stats { input, limits } => stats::run(&input, &Limits::new(&limits)),
        Command::Generate(args) => generate::run(&args),
    };
    match done {
        Ok(exit) => ExitCode::from(exit as u8),
        Err(Failure::Input(text)) => {
            say(text.trim_end());
            ExitCode::from(2)
        }
        Err(Failure::Internal(text)) => {
            say(&format!("error: {text}"));
            ExitCode::from(4)
        }
        Err(Failure::Stopped(limit)) => {
            say(&search::gave_up(limit));
            ExitCode::from(Exit::GaveUp as u8)
        }
    }
}

/// Reports a command-line error, or prints the help that was requested.
fn refuse(error: &clap::Error) -> ExitCode {
    let text = error.to_string();
    if error.use_stderr() {
        say(text.trim_end());
        return ExitCode::from(2);
    }
    match print(&text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(4),
    }
}
