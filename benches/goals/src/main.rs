//! Solves generated problems with goals, each in a separate process, compares with Fast Downward if
//! it is available, and prints a table. Run by `cargo xtask bench goals`.

mod planners;
mod table;

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Parser;

use goal_benchmark::{Input, Problem, problems};
use planners::Answer;

/// Solves generated problems with a goal and no tasks, or those whose name contains a NAME, each in
/// a separate process; compares with Fast Downward's lama-first; prints a table.
#[derive(Debug, Parser)]
#[command(
    name = "goals",
    bin_name = "cargo xtask bench goals",
    max_term_width = 100
)]
struct Arguments {
    /// Parts of the names of problems
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Taskloom's command line
    #[arg(long, value_name = "FILE", required_unless_present = "write")]
    program: Option<PathBuf>,
    /// A Python with the package up-fast-downward; without it there is no comparison
    #[arg(long, value_name = "FILE")]
    python: Option<PathBuf>,
    /// Taskloom's search strategy, instead of its default
    #[arg(long, value_name = "NAME")]
    strategy: Option<String>,
    /// CPU time limit per problem, in seconds
    #[arg(long, value_name = "N", default_value_t = 20)]
    time_limit: u32,
    /// The folder for problems and plans
    #[arg(long, value_name = "FOLDER", default_value = "target/xtask/goals")]
    folder: PathBuf,
    /// Only write the problems
    #[arg(long)]
    write: bool,
}

/// An error, as a sentence.
type Result<T> = std::result::Result<T, String>;

/// Adds the file or folder to an I/O error.
fn on<T>(path: &Path, done: std::io::Result<T>) -> Result<T> {
    done.map_err(|error| format!("{}: {error}", path.display()))
}

/// A problem and its results.
struct Row {
    problem: Problem,
    ours: Answer,
    /// Fast Downward's answer, if it was run.
    peer: Option<Answer>,
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

/// Returns `true` if every target is met.
fn run(arguments: &Arguments) -> Result<bool> {
    let names = &arguments.names;
    let is_selected =
        |name: &str| names.is_empty() || names.iter().any(|part| name.contains(part.as_str()));
    let mut selected = problems();
    selected.retain(|problem| is_selected(&problem.name));
    if selected.is_empty() {
        return Err(format!(
            "no problem's name contains {}.",
            names.join(" or ")
        ));
    }
    on(&arguments.folder, fs::create_dir_all(&arguments.folder))?;
    for problem in &selected {
        write(&arguments.folder, problem)?;
    }
    let Some(program) = arguments.program.as_ref().filter(|_| !arguments.write) else {
        println!(
            "{} problems are in {}",
            selected.len(),
            arguments.folder.display()
        );
        return Ok(true);
    };
    let peer = arguments.python.as_ref().and_then(|python| {
        let found = planners::fast_downward(python);
        if found.is_none() {
            println!("Fast Downward is missing: install the Python package up-fast-downward");
        }
        found
    });
    table::print_head();
    let mut rows = vec![];
    for problem in selected {
        let files = files(&arguments.folder, &problem);
        let ours = planners::plan(program, &files, arguments)?;
        let peer = match (&problem.input, &peer) {
            (Input::Pddl(_), Some(peer)) => {
                let plan = arguments.folder.join(format!("{}.plan", problem.name));
                Some(peer.plan(&files, &plan, arguments.time_limit)?)
            }
            _ => None,
        };
        let row = Row {
            problem,
            ours,
            peer,
        };
        println!("{}", table::line(&row));
        rows.push(row);
    }
    Ok(table::print_summary(&rows))
}

/// Returns the files of a problem: a domain and a problem, or a document.
fn files(folder: &Path, problem: &Problem) -> Vec<PathBuf> {
    let file = |ending: &str| folder.join(format!("{}{ending}", problem.name));
    match &problem.input {
        Input::Pddl(_) => vec![file("-domain.pddl"), file(".pddl")],
        Input::Document(_) => vec![file(".taskloom.json")],
    }
}

fn write(folder: &Path, problem: &Problem) -> Result<()> {
    let texts: Vec<&str> = match &problem.input {
        Input::Pddl(files) => vec![&files.domain, &files.problem],
        Input::Document(text) => vec![text],
    };
    for (file, text) in files(folder, problem).iter().zip(texts) {
        on(file, fs::write(file, text))?;
    }
    Ok(())
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
