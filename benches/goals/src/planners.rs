//! Solves one problem with one planner, in a separate process.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::Value;

use crate::{Arguments, Result, on};

/// The address space of a planning process, in kB.
const ADDRESS_SPACE: u32 = 8 << 20;
/// Seconds of CPU time past its limit after which a process is killed.
const GRACE: u32 = 5;

/// A planner's answer to a problem.
#[derive(Debug, Clone, Copy)]
pub struct Answer {
    pub end: End,
    /// CPU time, including reading the files.
    pub seconds: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum End {
    /// A plan that reaches the goal.
    Plan {
        steps: usize,
        cost: f64,
    },
    /// A partial plan.
    Partial,
    GaveUp,
    /// The process was killed, or rejected its input.
    Broken,
}

impl Answer {
    /// Returns the number of steps of the plan, and its cost.
    pub fn plan(&self) -> Option<(usize, f64)> {
        match self.end {
            End::Plan { steps, cost } => Some((steps, cost)),
            _ => None,
        }
    }
}

/// Solves a problem with Taskloom, which validates the plan before it prints it.
pub fn plan(program: &Path, files: &[PathBuf], arguments: &Arguments) -> Result<Answer> {
    let mut command = limited(program, arguments.time_limit + GRACE);
    command
        .arg("plan")
        .args(files)
        .args(["--format", "json", "--statistics"])
        .args(["--time-limit", &arguments.time_limit.to_string()]);
    if let Some(strategy) = &arguments.strategy {
        command.args(["--strategy", strategy]);
    }
    let (code, output, errors) = ended(&mut command)?;
    let answer: Value = serde_json::from_str(&output).unwrap_or_default();
    let plan = &answer["plan"];
    let steps = plan["steps"].as_array();
    let end = match (code, steps, plan["cost"].as_f64()) {
        (Some(0), Some(_), Some(_)) if !plan["aim"]["left"].is_null() => End::Partial,
        (Some(0), Some(steps), Some(cost)) => End::Plan {
            steps: steps.len(),
            cost,
        },
        (Some(3), ..) => End::GaveUp,
        _ => End::Broken,
    };
    Ok(Answer {
        end,
        seconds: ["read", "compile", "search", "validate"]
            .iter()
            .filter_map(|part| number_after(&errors, part))
            .sum(),
    })
}

/// Fast Downward (Helmert 2006) from a Python package.
#[derive(Debug)]
pub struct FastDownward {
    python: PathBuf,
    driver: PathBuf,
}

/// Returns Fast Downward, if this Python has it.
pub fn fast_downward(python: &Path) -> Option<FastDownward> {
    let script = "import importlib.util as u; print(u.find_spec('up_fast_downward').origin)";
    let asked = Command::new(python).args(["-c", script]).output().ok()?;
    let module = PathBuf::from(String::from_utf8(asked.stdout).ok()?.trim());
    let driver = module.with_file_name("downward").join("fast-downward.py");
    driver.is_file().then(|| FastDownward {
        python: python.to_owned(),
        driver,
    })
}

impl FastDownward {
    /// Solves a problem with `lama-first` (Richter and Westphal 2010). The time is that of its
    /// translator and its search, without the driver script.
    pub fn plan(&self, files: &[PathBuf], plan: &Path, seconds: u32) -> Result<Answer> {
        let _ = fs::remove_file(plan);
        let mut command = limited(&self.python, seconds + GRACE);
        command
            .arg(&self.driver)
            .args(["--overall-time-limit", &format!("{seconds}s")])
            .args(["--alias", "lama-first", "--sas-file"])
            .arg(plan.with_extension("sas"))
            .arg("--plan-file")
            .arg(plan)
            .args(files);
        let (code, output, _) = ended(&mut command)?;
        let end = match code {
            Some(0) => {
                let text = on(plan, fs::read_to_string(plan))?;
                let steps = text.lines().filter(|line| line.starts_with('(')).count();
                // Actions without costs cost one each.
                let cost = steps as f64;
                End::Plan { steps, cost }
            }
            Some(_) => End::GaveUp,
            None => End::Broken,
        };
        Ok(Answer {
            end,
            seconds: number_after(&output, "Planner time:").unwrap_or(f64::from(seconds)),
        })
    }
}

/// Returns the number after the last occurrence of a word: `search 0.003, ` or `Planner time:
/// 0.15s`.
fn number_after(text: &str, word: &str) -> Option<f64> {
    let (_, rest) = text.rsplit_once(word)?;
    let rest = rest.trim_start();
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.');
    rest[..end.unwrap_or(rest.len())].parse().ok()
}

/// Returns a command that runs the program with a limit of CPU seconds and 8 GB of address space,
/// if there is a shell that sets such limits.
fn limited(program: &Path, seconds: u32) -> Command {
    if cfg!(windows) {
        return Command::new(program);
    }
    let mut command = Command::new("sh");
    let script = format!("ulimit -t {seconds}; ulimit -v {ADDRESS_SPACE}; exec \"$@\"");
    command.args(["-c", &script, "sh"]).arg(program);
    command
}

/// Runs a process and returns its exit status, if it exited, its output and its errors.
fn ended(command: &mut Command) -> Result<(Option<i32>, String, String)> {
    let run = command.stdin(Stdio::null()).output();
    let run = run.map_err(|error| format!("could not run {command:?}: {error}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok((run.status.code(), text(&run.stdout), text(&run.stderr)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_times_in_planner_output() {
        let ours = "statistics: decisions 22, read 0.5, search 0.003, validate 0.000\n";
        assert_eq!(number_after(ours, "search"), Some(0.003));
        let theirs = "search exit code: 0\n\nINFO     Planner time: 0.15s\n";
        assert_eq!(number_after(theirs, "Planner time:"), Some(0.15));
        assert_eq!(number_after(ours, "Planner time:"), None);
    }
}
