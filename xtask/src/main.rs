//! `cargo xtask`: everything that building, serving and testing Taskloom needs, on any machine with Rust, Node and npm.
//!
//! Start reading at [`args::Task`], the list of commands; `setup` brings the tools, `build` the page, and the other
//! modules each tell what one command does with them.

mod args;
mod bench;
mod build;
mod check;
mod children;
mod competition;
mod console;
mod counts;
mod failure;
mod latency;
mod process;
mod programs;
mod report;
mod seal;
mod serve;
mod setup;
mod site;
mod test;

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use args::Task;

fn main() -> ExitCode {
    let task = match args::parse(std::env::args().skip(1)) {
        Ok(task) => task,
        Err(mistake) => {
            eprintln!("{mistake}\n\n{}", args::USAGE);
            return ExitCode::from(2);
        }
    };
    children::end_with_us();
    let root = project_root();
    let done = match task {
        Task::Help => {
            println!("{}", args::USAGE);
            Ok(true)
        }
        Task::Setup => setup::set_up(&root, setup::Scope::Everything).map(|_| true),
        Task::Serve { port, dev } => serve::run(&root, port, dev).map(|()| true),
        Task::Check => check::run(&root),
        Task::Test => test::run(&root),
        Task::Bench { names } => bench::run(&root, &names),
        Task::BenchPlanning(planning) => competition::run(&root, &planning),
        Task::BenchPlanningHelp => {
            println!("{}", args::PLANNING_USAGE);
            Ok(true)
        }
        Task::Seal => seal::run(&root).map(|()| true),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(failure) => {
            console::line(&format!("\n{failure}"));
            ExitCode::FAILURE
        }
    }
}

/// The workspace's folder: the one above this package's.
fn project_root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_path_buf()
}
