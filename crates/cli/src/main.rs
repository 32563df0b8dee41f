//! `taskloom`: the core's planner, checks, tests and converters on the command line.
//!
//! Start reading at [`args::Command`], the list of commands; each has a file, but for import and export, which share one. [`input`] opens what they work on, and
//! [`snippet`] shows what is wrong with it.

mod args;
mod check;
mod clock;
mod convert;
mod generate;
mod input;
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

use std::process::ExitCode;

use args::{Cli, Command};
use clap::Parser;
use output::{print, say};
use search::Limits;
use taskloom::planner::plan::Limit;

/// How a command ended, as its exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// There is a plan, or all is well.
    Success = 0,
    /// It is proved that there is no plan, or something does not hold.
    Refuted = 1,
    /// A budget was used up, or it was stopped.
    GaveUp = 3,
}

/// Why a command could not be carried out: what to print to the standard error.
#[derive(Debug)]
pub enum Failure {
    /// The input is not right.
    Input(String),
    /// Not the input's fault: output that cannot be written, or a fault of our own.
    Internal(String),
    /// A budget was used up; none where Ctrl+C stopped it.
    Stopped(Option<Limit>),
}

fn main() -> ExitCode {
    // A panic is a fault of our own, in every profile.
    std::panic::set_hook(Box::new(|info| {
        say(&format!("error: a bug in Taskloom: {info}"));
        std::process::exit(4);
    }));
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(told) => return refuse(&told),
    };
    let done = match cli.command {
        Command::Plan(args) => plan::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Validate(args) => validate::run(&args),
        Command::Check { input, limits } => check::run(&input, &Limits::new(&limits)),
        Command::Test { files, limits } => test::run(&files, &limits),
        Command::Import {
            input,
            output,
            limits,
        } => convert::import(&input, output.as_deref(), &Limits::new(&limits)),
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

/// What there is to say of the command line alone: that something is wrong with it, or the help that it asks for.
fn refuse(told: &clap::Error) -> ExitCode {
    let text = told.to_string();
    if told.use_stderr() {
        say(text.trim_end());
        return ExitCode::from(2);
    }
    match print(&text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(4),
    }
}
