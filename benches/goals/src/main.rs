//! Plans generated problems with goals, a process each, beside Fast Downward where it is there, and prints a table.
//! `cargo xtask bench goals` runs it.

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

/// Plans generated problems that have a goal and no tasks, or those whose name contains a NAME, each in a process of its
/// own, beside Fast Downward's lama-first; prints a table.
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
    /// A Python that has the package up-fast-downward; without it there is no comparison
    #[arg(long, value_name = "FILE")]
    python: Option<PathBuf>,
    /// The strategy of our own planner, instead of its default
    #[arg(long, value_name = "NAME")]
    strategy: Option<String>,
    /// Seconds of processor time for each problem
    #[arg(long, value_name = "N", default_value_t = 20)]
    time_limit: u32,
    /// The folder that the problems and plans go to
    #[arg(long, value_name = "FOLDER", default_value = "target/xtask/goals")]
    folder: PathBuf,
    /// Write the problems, and plan nothing
    #[arg(long)]
    write: bool,
}

/// What went wrong, in a sentence.
type Result<T> = std::result::Result<T, String>;

/// Names the file or folder in an input or output error.
fn on<T>(path: &Path, done: std::io::Result<T>) -> Result<T> {
    done.map_err(|error| format!("{}: {error}", path.display()))
}

/// A problem, and what became of it.
struct Row {
    problem: Problem,
    ours: Answer,
    /// Fast Downward's answer, where it was asked.
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

/// Returns whether every target is met.
fn run(arguments: &Arguments) -> Result<bool> {
    let names = &arguments.names;
    let is_wanted =
        |name: &str| names.is_empty() || names.iter().any(|part| name.contains(part.as_str()));
    let mut wanted = problems();
    wanted.retain(|problem| is_wanted(&problem.name));
    if wanted.is_empty() {
        return Err(format!(
            "no problem has a name like {}.",
            names.join(" or ")
        ));
    }
    on(&arguments.folder, fs::create_dir_all(&arguments.folder))?;
    for problem in &wanted {
        write(&arguments.folder, problem)?;
    }
    let Some(program) = arguments.program.as_ref().filter(|_| !arguments.write) else {
        println!(
            "{} problems are in {}",
            wanted.len(),
            arguments.folder.display()
        );
        return Ok(true);
    };
    let peer = arguments.python.as_ref().and_then(|python| {
        let found = planners::fast_downward(python);
        if found.is_none() {
            println!("Fast Downward is not there: its package is up-fast-downward");
        }
        found
    });
    table::print_head();
    let mut rows = vec![];
    for problem in wanted {
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

/// The files of a problem: a domain and a problem, or a document.
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
    fn the_command_line_is_well_formed() {
        Arguments::command().debug_assert();
    }
}
